"""Commands whose text another shell reads: ``bash -c TEXT``, ``eval TEXT``, ``ssh HOST TEXT``."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from itertools import pairwise, product

from servelint.source import Segment
from servelint.syntax.bash_fields import field_text, literal, reading_text
from servelint.syntax.bash_texts import PYTHONS, TEXT_PROGRAMS, handed_text, python_text
from servelint.syntax.programs import TALKERS, base_name
from servelint.value import MAX_READINGS

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

MANIFESTS = frozenset({"kubectl", "oc", "k3s", "microk8s"})
"""Programs that read what a cluster is to hold, on their standard input with ``-f -``."""

_READERS = SHELLS | TEXT_PROGRAMS | PYTHONS | {"eval", REMOTE, "sbatch"}
_INPUT_READERS = SHELLS | {REMOTE, *JOBS, *COPIERS} | MANIFESTS | PYTHONS | {"read"}
MAX_LEADING = 30
"""Words among which a shell with a text is looked for."""

VALUE_FLAG = re.compile(r"[-+][A-Za-z]*[oO]\Z|--(?:rcfile|init-file)\Z")
"""Options of a shell that take the next word."""

_SSH_VALUES = "BbcDEeFIiJLlmOopPQRSWw"
"""Options of ssh, by letter, that take the next word."""

_TEXT_FLAG = re.compile(r"-[A-Za-z]*c[A-Za-z]*\Z")
_BLANK = re.compile(r"\s")
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
    return _texts(text, _inner_field(items))


def prefix_texts(text: str, items: Sequence[Item], at: int) -> tuple[Inline, ...]:
    """The texts that a prefix before the word ``at`` runs itself: ``flock FILE -c TEXT``."""
    fields = (handed_text(items[start:]) for start in range(at))
    return _texts(text, next(filter(None, fields), None))


def python_texts(text: str, items: Sequence[Item]) -> tuple[Inline, ...]:
    """The texts in Python that a command is given."""
    return _texts(text, python_text(items))


def _texts(text: str, field: tuple[Field, Place] | None) -> tuple[Inline, ...]:
    if field is None or len(field[0]) > MAX_READINGS:
        return ()
    return input_texts(text, field[0])


def input_texts(text: str, field: Field) -> tuple[Inline, ...]:
    """The texts that a field may be, for another reader; only those of which something is known."""
    found = (_inline(text, reading) for reading in field)
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
    if name in SHELLS:
        return _after_shell(items)
    return handed_text(items) or (None if name in TALKERS else _behind_program(items))


def _behind_program(items: Sequence[Item]) -> tuple[Field, Place] | None:
    """The text of a shell that another program starts: ``xargs -I{} bash -c TEXT``."""
    for at, item in enumerate(items[1:MAX_LEADING], start=1):
        if base_name(field_text(item.field) or "") in SHELLS:
            return _after_shell(items[at:])
    return None


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
    behind = texts[at + 1] if at + 1 < len(texts) else ""
    return at + 2 if behind == "--" else at + 1


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


def _inline(text: str, reading: Reading) -> Inline | None:
    if not any(piece.known and piece.text.strip() for piece in reading):
        return None
    if _names_a_name(reading):
        return None
    chains = [_chain(piece) for piece in reading]
    outer = _common_end(chains)
    pieces: list[tuple[str, tuple[Place, ...]]] = []
    for piece, chain in zip(reading, chains, strict=True):
        content = _content(text, piece, chain[-1 - outer] if chain else None)
        if chain and content:
            pieces.append((content, chain[: len(chain) - outer]))
    segments = _segments([(content, chain[-1]) for content, chain in pieces])
    if _overlap(segments):
        written = [(content, chain[0]) for content, chain in pieces]
        segments = _joined_words(_segments(written), "".join(content for content, _ in pieces))
    handed = tuple(piece.at for piece in reading if piece.reason and piece.at is not None)
    return Inline("".join(content for content, _ in pieces), tuple(segments), handed)


def _chain(piece: Piece) -> tuple[Place, ...]:
    """Where a piece is written and the places that it came through, the last one at the end."""
    return tuple(at for at in (piece.at, *piece.via) if at is not None)


def _common_end(chains: Sequence[tuple[Place, ...]]) -> int:
    """How many places at the end all chains share: there the text is what one variable holds."""
    filled = [chain for chain in chains if chain]
    count = 0
    while filled and all(len(chain) > count + 1 for chain in filled):
        if len({chain[-1 - count] for chain in filled}) > 1:
            break
        count += 1
    return count


def _segments(pieces: Sequence[tuple[str, Place]]) -> list[Segment]:
    segments: list[Segment] = []
    length = 0
    for content, origin in pieces:
        segments.append(Segment(length, length + len(content), *origin))
        length += len(content)
    return segments


def _overlap(segments: Sequence[Segment]) -> bool:
    return any(left.origin_end > right.origin_start for left, right in pairwise(segments))


def _joined_words(segments: Sequence[Segment], text: str) -> list[Segment]:
    """The segments in any order of their places; one inside a word stands where the word begins."""
    done: list[Segment] = []
    for segment in segments:
        before = done[-1] if done else None
        glued = before is not None and not text[segment.start - 1].isspace()
        if before is None or not glued or before.origin_end == segment.origin_start:
            done.append(segment)
            continue
        blank = _BLANK.search(text, segment.start, segment.end)
        cut = blank.start() if blank is not None and segment.even else segment.end
        end = before.origin_end
        if cut > segment.start:
            done.append(replace(segment, end=cut, origin_start=end, origin_end=end))
        if cut < segment.end:
            start = segment.origin_start + cut - segment.start
            done.append(replace(segment, start=cut, origin_start=start))
    return done


def _names_a_name(reading: Reading) -> bool:
    """An escaped ``${`` before ``$1``: what is not known is itself the name of a variable."""
    before = ""
    for piece in reading:
        if not piece.known and before.endswith(("$", "${", "${!")):
            return True
        before = before[-2:] + piece.text if piece.known else ""
    return False


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
