"""The part of a text that says something new: what stands where no rendering came to.

What is left out has been read already, in a rendering. What stays is each command of which a word
was not reached, with the fields beside it, and the scalars of all that it stands in.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass

from servelint.syntax.interpolation import HOLE
from servelint.syntax.yaml_data import Leaf, Member, Table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from servelint.source import Span
    from servelint.syntax.yaml_data import Data

_COMMAND = re.compile(
    r"(?i)(?:.*[-_.])?(?:commands?|args|cmd|script|entrypoint|run|setup)|.*(?:Args|Command|Script)"
)
"""Keys whose values are run."""

_HOLE = re.compile(f"{HOLE[0]}[^{HOLE[1]}]*{HOLE[1]}")

_IMAGE = re.compile(r"(?i).*image|container|repository|tag|digest")
"""Keys whose values are, or are part of, the name of an image."""


@dataclass(frozen=True, slots=True)
class Ranges:
    """Ranges of files that nothing has reached: by path the starts and the ends, in order."""

    ranges: dict[str, tuple[tuple[int, ...], tuple[int, ...]]]

    def touch(self, span: Span) -> bool:
        """True when any character of the span stands in one of the ranges."""
        starts, ends = self.ranges.get(span.path, ((), ()))
        at = bisect_right(ends, span.start)
        return at < len(starts) and starts[at] < max(span.end, span.start + 1)


def ranges(spans: Iterable[Span]) -> Ranges:
    """The ranges of spans, those that touch as one."""
    by_path: dict[str, list[tuple[int, int]]] = {}
    for span in sorted(spans):
        found = by_path.setdefault(span.path, [])
        if found and span.start <= found[-1][1]:
            found[-1] = (found[-1][0], max(found[-1][1], span.end))
        elif span.start < span.end:
            found.append((span.start, span.end))
    return Ranges(
        {
            path: (tuple(start for start, _ in found), tuple(end for _, end in found))
            for path, found in by_path.items()
        }
    )


def pruned(data: Data, new: Ranges, *, of_images: bool = False) -> Data | None:
    """The part of the data that says something new; None when nothing does.

    With ``of_images`` another image for a command is something new, too.
    """
    return _Pruner(new, of_images=of_images).data(data)


@dataclass(frozen=True, slots=True)
class _Pruner:
    new: Ranges
    of_images: bool

    def data(self, data: Data) -> Data | None:
        """What is kept of some data."""
        if isinstance(data, Leaf):
            return None  # it says something as the field of a mapping only
        if isinstance(data, tuple):
            kept = tuple(item for one in data if (item := self.data(one)) is not None)
            return kept or None
        if not _has_new(data, self.new):
            return None
        if any(self._is_new_command(key, member) for key, member in data.members.items()):
            return Table(dict(self._beside(data)))
        inner = dict(self._inner(data))
        is_said = any(not _is_label(member.value) for member in inner.values())
        return Table(inner) if is_said else None

    def _beside(self, data: Table) -> Iterator[tuple[str, Member]]:
        """The fields beside a new command: its own and those around it, not other components."""
        for key, member in data.members.items():
            if _is_flat(member.value):
                if not _is_text(member.value) or _has_new(member.value, self.new):
                    yield key, member
            elif (kept := self.data(member.value)) is not None:
                yield key, Member(member.key, kept)

    def _inner(self, data: Table) -> Iterator[tuple[str, Member]]:
        """What is kept of a mapping in which only something deeper is new."""
        for key, member in data.members.items():
            if _is_label(member.value):
                yield key, member
            elif not isinstance(member.value, Leaf):
                kept = self.data(member.value)
                if kept is not None:
                    yield key, Member(member.key, kept)

    def _is_new_command(self, key: str, member: Member) -> bool:
        """True for a field that is run, or is a text of lines, of which a part is new."""
        is_run = _COMMAND.fullmatch(key) or (self.of_images and _IMAGE.fullmatch(key))
        if not is_run and not _is_text(member.value):
            return False
        return _has_new(member.value, self.new, _is_said)


def _is_flat(data: Data) -> bool:
    """True for scalars, lists of scalars, and lists of scalars with names."""
    if isinstance(data, Table):
        return False
    if isinstance(data, Leaf):
        return True
    return all(
        isinstance(item, Leaf) or (isinstance(item, Table) and _is_variable(item)) for item in data
    )


def _is_variable(table: Table) -> bool:
    return "name" in table.members and table.members.keys() <= {"name", "value", "valueFrom"}


def _is_label(data: Data) -> bool:
    return isinstance(data, Leaf) and not _is_text(data)


def _is_text(data: Data) -> bool:
    return isinstance(data, Leaf) and "\n" in data.text.strip()


def _is_new(leaf: Leaf, new: Ranges) -> bool:
    """True for a text of which a part stands, or is written, where nothing came to."""
    source, size = leaf.source, len(leaf.source.text)
    if not size:
        return False
    if new.touch(source.span(0, size)):
        return True
    return any(new.touch(place) for _, _, leaves in source.runs(0, size) for place in leaves)


def _is_said(leaf: Leaf) -> bool:
    """True for a text of which something is known: a word that nobody knows says nothing new."""
    return bool(_HOLE.sub("", leaf.text).strip())


def _has_new(data: Data, new: Ranges, counts: Callable[[Leaf], bool] = bool) -> bool:
    """True when a text in the data is new; one that does not count is left out."""
    todo: list[Data] = [data]
    while todo:
        one = todo.pop()
        if isinstance(one, Leaf):
            if counts(one) and _is_new(one, new):
                return True
        elif isinstance(one, Table):
            for member in one.members.values():
                todo += (member.key, member.value)
        else:
            todo += one
    return False
