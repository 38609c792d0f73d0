"""Commands whose text another shell reads: ``bash -c TEXT``, ``eval TEXT``, ``ssh HOST TEXT``."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise, product

from servelint.facts import MAX_READINGS
from servelint.source import Segment
from servelint.syntax.bash_fields import field_text, literal, reading_text
from servelint.syntax.programs import base_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from servelint.syntax.bash_commands import Item
    from servelint.syntax.bash_fields import Field, Piece, Place, Reading

SHELLS = frozenset({"bash", "sh", "dash", "zsh", "ash", "ksh"})
"""Programs that read a text after ``-c``."""

JOBS = frozenset({"sbatch", "qsub", "bsub"})
"""Programs that read a script from their standard input, to run it as a job."""

COPIERS = frozenset({"cat", "tee"})
"""Programs that write what they read to a file."""

REMOTE = "ssh"
"""The program whose text is read by the shell of another machine."""

_READERS = SHELLS | {"eval", REMOTE, "sbatch"}
_INPUT_READERS = SHELLS | {REMOTE, *JOBS, *COPIERS}
VALUE_FLAG = re.compile(r"[-+][A-Za-z]*[oO]\Z|--(?:rcfile|init-file)\Z")
"""Options of a shell that take the next word."""

_SSH_VALUES = "BbcDEeFIiJLlmOopPQRSWw"
"""Options of ssh, by letter, that take the next word."""

_TEXT_FLAG = re.compile(r"-[A-Za-z]*c[A-Za-z]*\Z")
_SAFE = re.compile(r"[\w./:@%+,=-]*\Z")


@dataclass(frozen=True, slots=True)
class Inline:
    """A text for an inner shell, and where its runs stand in the text around it.

    ``handed`` are expansions that the inner text repeats as they are written.
    """

    text: str
    segments: tuple[Segment, ...]
    handed: tuple[Place, ...]


def may_be_inline(items: Sequence[Item]) -> bool:
    """A quick look: whether some word names something that reads a text."""
    return any(base_name(field_text(item.field) or "") in _READERS for item in items)


def may_read_text(items: Sequence[Item]) -> bool:
    """A quick look: whether some word names something that may run or write what it reads."""
    return any(_names_reader(field_text(item.field) or "") for item in items)


def _names_reader(text: str) -> bool:
    return not _INPUT_READERS.isdisjoint(map(base_name, text.split()))


def inline_texts(text: str, items: Sequence[Item]) -> tuple[Inline, ...]:
    """The texts that a command gives to an inner shell; none for other commands.

    None either when nothing of the text is known, or when there are too many
    readings to tell them apart.
    """
    field = _inner_field(items)
    if field is None or len(field[0]) > MAX_READINGS:
        return ()
    return input_texts(text, *field)


def input_texts(text: str, field: Field, place: Place) -> tuple[Inline, ...]:
    """The texts that a field may be, for another reader; only those of which something is known."""
    found = (_inline(text, reading, place) for reading in field)
    return tuple(inline for inline in found if inline is not None)


def _inner_field(items: Sequence[Item]) -> tuple[Field, Place] | None:
    if len(items) < 2:
        return None
    name = base_name(field_text(items[0].field) or "")
    if name == "eval":
        return _joined(items[1:])
    if name == REMOTE:
        return _remote(items)
    if name == "sbatch":
        return _wrapped(items)
    return _after_shell(items) if name in SHELLS else None


def _remote(items: Sequence[Item]) -> tuple[Field, Place] | None:
    """All words after the host, as the shell of the host reads them."""
    at = behind_host([field_text(item.field) for item in items])
    return _joined(items[at:]) if at < len(items) else None


def behind_host(texts: Sequence[str | None]) -> int:
    """The index of the first of the words of ``ssh`` that is for the host."""
    at = 1
    while at < len(texts):
        text = texts[at] or ""
        if not text.startswith("-"):
            break
        at += 2 if len(text) == 2 and text[1] in _SSH_VALUES else 1
    return at + 1


def _wrapped(items: Sequence[Item]) -> tuple[Field, Place] | None:
    """The text of ``sbatch --wrap TEXT``, or of ``--wrap=TEXT`` where the text is quoted."""
    for item, following in pairwise((*items, items[-1])):
        if field_text(item.field) == "--wrap" and following is not item:
            return following.field, following.place
        heads = {reading[0].text for reading in item.field if reading}
        if heads == {"--wrap="}:
            return tuple(reading[1:] for reading in item.field), item.place
    return None


def _after_shell(items: Sequence[Item]) -> tuple[Field, Place] | None:
    at = 1
    while at < len(items) - 1:
        text = field_text(items[at].field) or ""
        if _TEXT_FLAG.match(text):
            following = items[at + 1 :]
            return _after_flag(following)
        if not text.startswith(("-", "+")):
            return None
        at += 2 if VALUE_FLAG.match(text) else 1
    return None


def _after_flag(items: Sequence[Item]) -> tuple[Field, Place] | None:
    """The first word that is no option any more: ``bash -c -l TEXT`` is legal."""
    for item in items:
        if not (field_text(item.field) or "").startswith("-"):
            return item.field, item.place
    return None


def _joined(items: Sequence[Item]) -> tuple[Field, Place] | None:
    """What ``eval`` reads: its words with a blank between them."""
    fields: list[Field] = []
    for before, item in zip((None, *items), items, strict=False):
        if before is not None:
            fields.append(literal(" ", (before.place[1], item.place[0])))
        fields.append(item.field)
    combinations = 1
    for field in fields:
        combinations *= len(field)
    if combinations > MAX_READINGS:
        return None
    readings = tuple(
        tuple(piece for reading in choice for piece in reading) for choice in product(*fields)
    )
    return readings, (items[0].place[0], items[-1].place[1])


def _inline(text: str, reading: Reading, place: Place) -> Inline | None:
    if not any(piece.known and piece.text.strip() for piece in reading):
        return None
    if _names_a_name(reading):
        return None
    whole = _one_variable(reading)
    segments: list[Segment] = []
    contents: list[str] = []
    length = 0
    for piece in reading:
        origin = _origin(piece, whole=whole)
        content = _content(text, piece, origin)
        if origin is None or not content:
            continue
        segments.append(Segment(length, length + len(content), *origin))
        contents.append(content)
        length += len(content)
    if any(left.origin_end > right.origin_start for left, right in pairwise(segments)):
        segments = [Segment(0, length, *place)]
    handed = tuple(piece.at for piece in reading if piece.reason and piece.at is not None)
    return Inline("".join(contents), tuple(segments), handed)


def _names_a_name(reading: Reading) -> bool:
    """An escaped ``${`` before ``$1``: what is not known is itself the name of a variable."""
    before = ""
    for piece in reading:
        if not piece.known and before.endswith(("$", "${", "${!")):
            return True
        before = before[-2:] + piece.text if piece.known else ""
    return False


def _one_variable(reading: Reading) -> bool:
    """True when the whole text is what one variable holds, so that it stands where that is set."""
    lasts = {piece.via[-1] if piece.via else None for piece in reading}
    return len(lasts) == 1 and None not in lasts


def _origin(piece: Piece, *, whole: bool) -> Place | None:
    """Where a piece stands: at the command, or in the assignment when all of the text does."""
    places = (piece.at, *piece.via)
    if whole:
        places = places[:-1]
    return places[-1]


def _content(text: str, piece: Piece, origin: Place | None) -> str:
    """What the inner shell reads: known text, or the name or expansion as it is written."""
    if piece.known:
        return piece.text
    if piece.name:
        return _open_text(piece)
    return text[origin[0] : origin[1]] if origin is not None else piece.text


def _open_text(piece: Piece) -> str:
    default = reading_text(piece.default) if piece.default is not None else None
    if default is None or not piece.text.endswith(f"{{{piece.name}}}") or not _SAFE.match(default):
        return piece.text
    return f"${{{piece.name}:-{default}}}"
