"""Environment files: one ``NAME=value`` a line, as compose, systemd and docker read them."""

from __future__ import annotations

import re

from servelint.facts import Env
from servelint.syntax.interpolation import interpolate

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from servelint.source import Source

_LINE = re.compile(
    r"""^[ \t]*(?:export[ \t]+)?(?P<name>[A-Za-z_]\w*)[ \t]*=[ \t]*
        (?: "(?P<double>[^"\n]*)" | '(?P<single>[^'\n]*)' | (?P<bare>[^\n]*?) )
        [ \t]*(?:(?<=[ \t])\#[^\n]*)?\r?$""",
    re.MULTILINE | re.VERBOSE | re.ASCII,
)


def read(source: Source) -> Iterator[Env]:
    """The variables that a file sets."""
    for match in _LINE.finditer(source.text):
        group = next(name for name in ("double", "single", "bare") if match[name] is not None)
        value = interpolate(source.slice(match.start(group), match.end(group), "text"))
        span = source.span(match.start("name"), match.end(group))
        yield Env(span=span, owner=source.owner, name=match["name"], value=value)
