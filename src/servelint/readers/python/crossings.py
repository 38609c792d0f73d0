"""Choices that stand among the words of a program which a list holds one by one.

In ``["tool", *(more or ()), "serve"]`` the choice names no program, and yet
only one of its ways runs one.
"""

from __future__ import annotations

from servelint.readers.python.alternatives import leaves
from servelint.readers.python.pieces import written
from servelint.readers.python.state import Item, Pair, Pick
from servelint.readers.python.things import Alt, Str, Thing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from servelint.readers.python.state import Entries, Entry

    Programs = tuple[frozenset[str], ...]


def crossings(entries: Entries, programs: Programs) -> Iterator[tuple[int, int]]:
    """The guards, with how many arms each has, of which a program in pieces depends.

    ``programs`` are the words of each program that has several.
    """
    choices = [at for at, entry in enumerate(entries) if _guard(entry) is not None]
    if not choices or not _holds(_words(entries), programs):
        return
    reach = max(map(len, programs)) - 1
    for at in choices:
        before = _near(reversed(entries[:at]), reach)
        behind = _near(entries[at + 1 :], reach)
        guard = _guard(entries[at])
        if guard is not None and _holds({*before, *_words((entries[at],)), *behind}, programs):
            yield guard


def _guard(entry: Entry) -> tuple[int, int] | None:
    """The guard that chooses an entry, and the number of its arms."""
    choice = entry.thing if isinstance(entry, Item) else entry
    return (choice.guard, len(choice.arms)) if isinstance(choice, Alt | Pick) else None


def _holds(words: set[str], programs: Programs) -> bool:
    return any(program <= words for program in programs)


def _near(entries: Iterable[Entry], reach: int) -> Iterator[str]:
    """The words that may be among the next ``reach`` ones; a choice may turn out empty."""
    for entry in entries:
        if reach <= 0:
            return
        found = list(texts((entry,)))
        yield from (word for text in found for word in text.split())
        reach -= isinstance(entry, Item) and found[0] != ""


def _words(entries: Entries) -> set[str]:
    return {word for text in texts(entries) for word in text.split()}


def texts(entries: Entries) -> Iterator[str]:
    """All texts that may be among the entries; what is not known is no text of a program."""
    for entry in entries:
        match entry:
            case Item():
                yield from (text_of(leaf) for leaf in leaves(entry.thing))
            case Pair():
                yield f"--{text_of(entry.key).replace('_', '-')}"
            case Pick():
                for arm in entry.arms:
                    yield from texts(arm)
            case _:
                yield "\0"


def text_of(thing: Thing) -> str:
    """The text of a single thing."""
    return written(thing.pieces) if isinstance(thing, Str) else "\0"
