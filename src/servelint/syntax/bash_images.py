"""Images that a shell text names outside of commands: in variables, in comments for Slurm."""

from __future__ import annotations

import re

from servelint.facts import Image
from servelint.syntax.bash_values import Values
from servelint.syntax.interpolation import interpolate
from servelint.value import Open, Text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from servelint.source import Source
    from servelint.syntax.bash_state import Exported
    from servelint.value import Parts

_BATCH_IMAGE = re.compile(
    r"""^\#SBATCH[ \t]+(?:[^\n]*[ \t])?--container-image[= \t]["']?(?P<image>[^\s"']+)""",
    re.MULTILINE,
)

_NAMES = re.compile(r"(?i)image")
_REFERENCE = re.compile(
    r"""(?=[^\s"']*:(?!\d+/)|[^\s"']*@)(?:[a-z0-9][\w.-]*(?::\d+)?/)+[a-z0-9][\w.-]*"""
    r"(?::\w[\w.-]*)?(?:@sha256:[0-9a-f]+)?\Z",
    re.ASCII,
)
"""A repository with a path and a tag or digest; what is not known in it is ``x``."""


def variable_images(source: Source, assigned: Iterable[Exported]) -> Iterator[Image]:
    """The references in variables whose names say that they hold an image.

    They belong to no command: what runs one of them names it itself.
    """
    values = Values(source)
    for number, item in enumerate(assigned):
        if not _NAMES.search(item.name):
            continue
        reference = values.value(item.field, item.value)
        if reference.span.path == source.path and all(map(_is_reference, reference.readings)):
            owner = source.owner.child("variable", number)
            yield Image(span=reference.span, owner=owner, reference=reference)


def _is_reference(parts: Parts) -> bool:
    return any(isinstance(part, (Text, Open)) for part in parts) and bool(
        _REFERENCE.match(_shown(parts))
    )


def _shown(parts: Parts) -> str:
    texts = (
        part.text
        if isinstance(part, Text)
        else _shown(part.default)
        if isinstance(part, Open) and part.default
        else "x"
        for part in parts
    )
    return "".join(texts)


def batch_images(source: Source) -> Iterator[Image]:
    """The container that a batch script asks Slurm for, in a comment that Slurm reads."""
    for match in _BATCH_IMAGE.finditer(source.text):
        word = source.slice(match.start("image"), match.end("image"), "text")
        yield Image(
            span=word.span(0, len(word.text)), owner=source.owner, reference=interpolate(word)
        )
