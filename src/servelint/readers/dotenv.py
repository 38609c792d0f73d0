"""Environment files: one ``NAME=value`` a line, as compose, systemd and docker read them.

A variable that names an image is told as one, though nothing runs in it here: it belongs to no
command until something takes the variable. Of a file that nothing takes, that is all that is told:
the rest is nobody's business.
"""

from __future__ import annotations

import re

from servelint.facts import Env, Image
from servelint.source import Route
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


_IMAGE_NAME = re.compile(r"(?i)image")
_REFERENCE = re.compile(
    r"[a-z0-9][\w.-]*(?::\d+)?(?:/[a-z0-9][\w.-]*)+(?::\w[\w.-]*|@sha256:[0-9a-f]+)\Z", re.ASCII
)


def read(source: Source) -> Iterator[Env | Image]:
    """The variables that a file sets, if something takes them, and the images that they name."""
    is_taken = source.owner != Route(source.path)
    for number, match in enumerate(_LINE.finditer(source.text)):
        group = next(name for name in ("double", "single", "bare") if match[name] is not None)
        value = interpolate(source.slice(match.start(group), match.end(group), "text"))
        span = source.span(match.start("name"), match.end(group))
        if is_taken:
            yield Env(span=span, owner=source.owner, name=match["name"], value=value)
        if _IMAGE_NAME.search(match["name"]) and _REFERENCE.match(value.text or ""):
            owner = source.owner.child("variable", number)
            yield Image(span=value.span, owner=owner, reference=value)
