"""What the steps of a workflow give to later ones: outputs, and variables of the environment."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from servelint.syntax.expressions import of_workflow, opened
from servelint.syntax.interpolation import interpolate
from servelint.syntax.yaml import Scalar, Sequence, deref, fields_of
from servelint.value import Open, Unknown, Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from servelint.readers.yaml.site import Site
    from servelint.syntax.yaml import Field
    from servelint.value import Part

_GIVEN = re.compile(
    r"""^[ \t]*echo[ \t]+["']?(?P<name>[A-Za-z_][\w-]*)=
        (?P<value>(?:\$\{\{[^}\n]*\}\}|[^\s"'|;&])+)["']?[ \t]*>>[ \t]*
        ["']?\$\{?GITHUB_(?P<where>OUTPUT|ENV)\}?["']?""",
    re.MULTILINE | re.VERBOSE,
)
_ASSIGNED = re.compile(
    r"(?:^|[;&(]|\bexport\s|\bread\s)[ \t]*(?P<name>[A-Za-z_]\w*)=", re.MULTILINE
)


@dataclass(frozen=True, slots=True)
class Given:
    """A value that a step with an ``id`` writes for later ones; ``is_env``: as a variable."""

    id: str
    name: str
    value: Value
    is_env: bool


def given_by(site: Site) -> Iterator[Given]:
    """What the steps of a job give, in order."""
    entry = site.fields.get("steps")
    target = deref(entry.value)[0] if entry is not None else None
    for item in target.items if isinstance(target, Sequence) else ():
        found = fields_of(item)
        text = _scalar(found, "run")
        if text is not None and "GITHUB_" in text.value:
            step = _scalar(found, "id")
            yield from _given(site, step.value if step is not None else "", text)


def _scalar(found: dict[str, Field], key: str) -> Scalar | None:
    target = deref(found[key].value)[0] if key in found else None
    return target if isinstance(target, Scalar) else None


def _given(site: Site, step: str, text: Scalar) -> Iterator[Given]:
    source = site.embedded(text, "text", site.route)
    own = {match["name"] for match in _ASSIGNED.finditer(source.text)}
    for match in _GIVEN.finditer(source.text):
        written = source.slice(match.start("value"), match.end("value"), "text")
        value = opened(interpolate(written), of_workflow)
        readings = tuple(tuple(_part(part, own) for part in parts) for parts in value.readings)
        yield Given(step, match["name"], replace(value, readings=readings), match["where"] == "ENV")


def _part(part: Part, own: set[str]) -> Part:
    """A name that the script itself sets is none of the environment."""
    if isinstance(part, Open) and part.name in own:
        return Unknown("runtime-value", part.text, part.trail)
    return part
