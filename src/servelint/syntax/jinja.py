"""Templates of the Jinja family as texts that a reader of the written language can take.

Nothing is rendered. Tags and comments are left out, and an expression stays where it stands, in
signs that neither YAML nor a shell give a meaning (see ``jinja_signs``), unless the template itself
sets the name in it to a text. Where a tag
chooses between branches there is one text for the first branches, one for the second ones and so
on, because what excludes each other must not be read as one. Go templates have expressions alike.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

from servelint.source import Segment
from servelint.syntax.jinja_signs import hidden
from servelint.syntax.jinja_tags import ELSE, ENDS, MAX_TAGS, STARTS, constants, tags

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from servelint.source import Source
    from servelint.syntax.jinja_tags import Tag

MAX_INLINE = 50
"""Tags that a block on one line may hold."""

MAX_BRANCHES = 4
"""Texts that are made of one template."""

_PAIR = str.maketrans("{}", "()")
_NAMED = re.compile(r"\{\{-?\s*(?P<name>\w+)\s*-?\}\}", re.ASCII)


@dataclass(slots=True)
class _Blocks:
    """The blocks that are open: how many branches there are before the one that is read."""

    before: list[int] = field(default_factory=list)
    hidden: int = 0

    def enter(self, before: int) -> None:
        self.before.append(before)
        self.hidden += before != 0

    def next_branch(self) -> None:
        if self.before:
            self.enter(self.leave() - 1)

    def leave(self) -> int:
        """The block that was open last, as :meth:`enter` got it."""
        before = self.before.pop() if self.before else 0
        self.hidden -= before != 0
        return before


@dataclass(frozen=True, slots=True)
class _Way:
    """One way to make a text: the number of the branches, and what else is left out."""

    branch: int
    keeps_lone: bool
    may_skip: bool


def variants(
    source: Source, language: str, accepts: Callable[[str], bool], *, hides: bool = True
) -> tuple[Source, ...]:
    """The texts of a template that ``accepts`` takes, each once; none where it takes none.

    A block of one branch is in all of them, unless no text with it is accepted: then there is a
    text without it. Nor is an expression that stands alone on its line left out before that.
    """
    found = tags(source.text)
    if len(found) > MAX_TAGS:
        return ()
    count = min(_branches(found), MAX_BRANCHES)
    for keeps_lone, may_skip in ((True, False), (True, True), (False, False), (False, True)):
        ways = (_Way(branch, keeps_lone, may_skip) for branch in range(count + may_skip))
        made = (_text(source, found, way, language, hides=hides) for way in ways)
        accepted = {one.text: one for one in made if accepts(one.text)}
        if accepted:
            return tuple(accepted.values())
    return ()


def _branches(found: tuple[Tag, ...]) -> int:
    """How many branches the block with the most of them has."""
    return max((1, *_counts(found, may_skip=False).values()))


def _text(
    source: Source, found: tuple[Tag, ...], way: _Way, language: str, *, hides: bool
) -> Source:
    known = constants(source.text, found)
    pieces: list[Segment] = []
    texts: list[str] = []
    size = 0
    for start, end, written in _pieces(source.text, found, way):
        name = _NAMED.fullmatch(written)
        place = known.get(name["name"]) if name is not None else None
        leaf = source.span(*place) if place is not None and place[1] < start else None
        if leaf is not None and place is not None:
            text = source.text[slice(*place)]
            pieces.extend(_standing_for(Segment(size, size + len(text), start, end, "", leaf)))
        else:
            text = (hidden(written) if hides else written) or source.text[start:end]
            pieces.append(Segment(size, size + len(text), start, end))
        texts.append(text)
        size += len(text)
    kept = [piece for piece in pieces if piece.start < piece.end]
    return source.embed("".join(texts), kept or (Segment(0, 0, 0, 0),), language)


def _standing_for(piece: Segment) -> Iterator[Segment]:
    """A text in the place of an expression, which never maps to it by character."""
    middle = piece.start + 1 if piece.even else piece.end
    for start, end in ((piece.start, middle), (middle, piece.end)):
        if start < end:
            yield replace(piece, start=start, end=end, leaf=piece.leaf_of(start, end))


def _pieces(text: str, found: tuple[Tag, ...], way: _Way) -> Iterator[tuple[int, int, str]]:
    """What stays, in order: start, end, and how to write it where that is another way.

    A block has the branch of the number, or its last one.
    """
    counts = _counts(found, may_skip=way.may_skip)
    blocks = _Blocks()
    at = 0
    for index, tag in enumerate(found):
        if tag.start < at:
            continue  # a part of a block that stands on one line
        start, end, written = _place(text, found, index, way)
        if not blocks.hidden:
            yield at, max(at, start), ""
            if written:
                yield start, end, written
        if not written:
            _step(blocks, tag, way.branch, counts.get(index, 1))
        at = end
    if not blocks.hidden:
        yield at, len(text), ""


def _place(text: str, found: tuple[Tag, ...], index: int, way: _Way) -> tuple[int, int, str]:
    """The range of a tag, and what is written for it; nothing for one that is left out."""
    tag = found[index]
    inline = _inline(text, found, index) if tag.word in ("if", "for") else 0
    if inline:
        return tag.start, inline, "{{" + text[tag.start + 2 : inline - 2].translate(_PAIR) + "}}"
    start, end = _line(text, tag)
    if tag.sign == "{{" and (way.keeps_lone or start == tag.start):
        return tag.start, tag.end, text[tag.start : tag.end]
    return start, end, ""


def _line(text: str, tag: Tag) -> tuple[int, int]:
    """The whole line of a tag that stands alone on it, else the tag."""
    start = text.rfind("\n", 0, tag.start) + 1
    end = text.find("\n", tag.end)
    end = len(text) if end < 0 else end + 1
    if text[start : tag.start].strip() or text[tag.end : end].strip():
        return tag.start, tag.end
    return start, end


def _inline(text: str, found: tuple[Tag, ...], index: int) -> int:
    """Where a block ends that begins and ends on one line; 0 for another."""
    first, depth = found[index], 0
    stop = text.find("\n", first.end)
    for tag in found[index : index + MAX_INLINE]:
        if 0 <= stop < tag.end:
            return 0
        depth += (tag.word in STARTS) - (tag.word in ENDS)
        if not depth:
            return tag.end
    return 0


def _counts(found: tuple[Tag, ...], *, may_skip: bool) -> dict[int, int]:
    """The number of branches of each ``if`` by the index of its tag."""
    counts: dict[int, int] = {}
    open_blocks: list[int] = []
    whole: set[int] = set()
    for index, tag in enumerate(found):
        if tag.word in STARTS:
            open_blocks.append(index)
            if tag.word == "if":
                counts[index] = 1
        elif tag.word in ELSE and open_blocks and open_blocks[-1] in counts:
            counts[open_blocks[-1]] += 1
            whole.update(open_blocks[-1:] if tag.word == "else" else ())
        elif tag.word in ENDS and open_blocks:
            open_blocks.pop()
    return {index: count + (may_skip and index not in whole) for index, count in counts.items()}


def _step(blocks: _Blocks, tag: Tag, branch: int, count: int) -> None:
    """Enter a block, go to its next branch, or leave it."""
    if tag.word == "setblock":
        blocks.enter(-1)
    elif tag.word in STARTS:
        blocks.enter(min(branch, count - 1) if tag.word == "if" else 0)
    elif tag.word in ELSE:
        blocks.next_branch()
    elif tag.word in ENDS:
        blocks.leave()
