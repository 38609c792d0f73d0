"""From things to commands: words, environment, and the text that a shell is given."""

from __future__ import annotations

import re

from servelint.readers.python.alternatives import leaves
from servelint.readers.python.arrange import fewer_texts, rows, substituted
from servelint.readers.python.containers import elements_of, entries_of, find
from servelint.readers.python.events import Command, Setting, ShellText, Word
from servelint.readers.python.pairs import pairs
from servelint.readers.python.pieces import Piece, Pieces, cut, known_text, written
from servelint.readers.python.state import ENVIRON, Item, Pair, Pick, Seq, Spread, Table
from servelint.readers.python.things import (
    Member,
    Ref,
    Str,
    Thing,
    is_none,
    pieces_of,
    plain,
    runtime,
)
from servelint.value import MAX_READINGS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    import libcst as cst

    from servelint.readers.python.arrange import Row
    from servelint.readers.python.machine import Machine
    from servelint.readers.python.pieces import Place
    from servelint.readers.python.state import Entries, State

_ASSIGNMENT = re.compile(r"([A-Za-z_]\w*)=", re.ASCII)
_MAX_SETTINGS = 200


def word_of(machine: Machine, thing: Thing, place: Place) -> Word:
    """A word of a command: every text that it may be."""
    code = machine.script.text[slice(*place)][:200]
    found = [_as_word(leaf) for leaf in leaves(thing)]
    told = [leaf for leaf in found if not is_none(leaf)] or found
    readings = tuple(dict.fromkeys(pieces_of(leaf, code, place) for leaf in told))
    if len(readings) > MAX_READINGS:
        readings = ((Piece(code, place, (), "", "many-values"),),)
    return Word(readings, place)


def _as_word(thing: Thing) -> Thing:
    """A member of an enumeration of strings is its value on a command line."""
    if isinstance(thing, Member):
        return _as_word(thing.value) if thing.kind != "enum" else runtime(thing.name)
    return thing


def words_of_row(machine: Machine, row: Row) -> tuple[Word, ...]:
    """The words of a row without choices."""
    found: list[Word] = []
    for entry in row:
        if isinstance(entry, Item):
            found.append(word_of(machine, entry.thing, entry.place))
        else:
            thing = entry.thing if isinstance(entry, Spread) else entry.value
            dark = thing if not isinstance(thing, Ref | Str) else runtime("")
            found.append(word_of(machine, dark, entry.place))
    return tuple(found)


def texts_of(words: tuple[Word, ...]) -> str:
    """All that the words may say, side by side."""
    return " ".join(written(reading) for word in words for reading in word.readings)


# -- environment ----------------------------------------------------------------------------


def environment(
    machine: Machine, thing: Thing | None, world: dict[int, int], node: cst.CSTNode, state: State
) -> tuple[Setting, ...]:
    """The variables that a process gets: those of a mapping, else those of this process."""
    given = ENVIRON if thing is None or is_none(thing) else thing
    entries = entries_of(machine, given, node, state)
    for guard, arm in (state.world | world).items():
        entries = substituted(entries, guard, arm)
    found: dict[str, Setting] = {}
    for setting in _settings(machine, pairs(entries), state):
        found.pop(setting.name, None)
        found[setting.name] = setting
    return tuple(found.values())[-_MAX_SETTINGS:]


def _settings(machine: Machine, entries: Entries, state: State) -> Iterator[Setting]:
    for entry in entries:
        match entry:
            case Pair():
                yield from _setting(machine, entry)
            case Item():
                yield from _listed(machine, entry, state)
            case Pick():
                for arm in entry.arms:
                    yield from map(_unsure, _settings(machine, pairs(arm), state))
            case _:
                pass


def _setting(machine: Machine, pair: Pair) -> Iterator[Setting]:
    name = known_text(pair.key.pieces) if isinstance(pair.key, Str) else None
    if name:
        word = word_of(machine, pair.value, pair.place)
        whole = (min(pair.key_place[0], pair.place[0]), max(pair.key_place[1], pair.place[1]))
        yield Setting(name, word, whole)


def _unsure(setting: Setting) -> Setting:
    """A variable that only one way sets."""
    place = setting.word.place
    text = written(setting.word.readings[0]) if setting.word.readings else ""
    dark = (Piece(text, place, (), "", "runtime-value"),)
    return Setting(setting.name, Word((dark,), place), setting.place)


def _listed(machine: Machine, item: Item, state: State) -> Iterator[Setting]:
    """``"NAME=value"``, or an object with ``name`` and ``value``, in a list."""
    thing = item.thing
    if isinstance(thing, Str) and thing.pieces and thing.pieces[0].known:
        match = _ASSIGNMENT.match(thing.pieces[0].text)
        if match:
            value = Str(_without(thing.pieces, match.end()))
            yield Setting(match[1], word_of(machine, value, item.place), item.place)
        return
    content = state.heap.get(thing.id) if isinstance(thing, Ref) else None
    if isinstance(content, Table):
        name = find(content.entries, plain("name"), "")
        value_ = find(content.entries, plain("value"), "")
        text = known_text(name.pieces) if isinstance(name, Str) else None
        if text:
            given = runtime(text) if value_ is None else value_
            place = next(
                (e.place for e in content.entries if isinstance(e, Pair) and e.value is value_),
                item.place,
            )
            yield Setting(text, word_of(machine, given, place), place)


def _without(pieces: Pieces, count: int) -> Pieces:
    first = cut(pieces[0], count, len(pieces[0].text))
    return (first, *pieces[1:]) if first.text else pieces[1:]


# -- commands -------------------------------------------------------------------------------


class Teller:
    """Tells the commands of one call that hold a needle; ``always``, the others too."""

    def __init__(
        self,
        machine: Machine,
        node: cst.CSTNode,
        state: State,
        *,
        env: Thing | None = None,
        container: bool = False,
        sure: bool = True,
        always: bool = False,
    ) -> None:
        self._machine = machine
        self._node = node
        self._state = state
        self._env = env
        self._container = container
        self._sure = sure
        self._always = always

    def row(self, entries: Entries) -> None:
        """A command as a list of words."""
        machine = self._machine
        for world, row in rows(machine, entries, self._state.world):
            words = words_of_row(machine, row)
            if not (self._always or machine.needles.any_literal.search(texts_of(words))):
                continue
            env = self._environment(world)
            if words:
                group = machine.script.place(self._node)
                machine.tell(Command(words, env, group, self._container, self._sure))

    def text(self, thing: Thing, place: Place) -> None:
        """A command as a text for a shell."""
        machine = self._machine
        for leaf in leaves(fewer_texts(thing, machine.needles)):
            if isinstance(leaf, Str) and machine.needles.any_literal.search(written(leaf.pieces)):
                env = self._environment({})
                group = machine.script.place(self._node)
                machine.tell(ShellText(leaf.pieces, place, env, group, self._container, self._sure))

    def _environment(self, world: dict[int, int]) -> tuple[Setting, ...]:
        if self._container and self._env is None:
            return ()
        return environment(self._machine, self._env, world, self._node, self._state)


def list_entries(machine: Machine, thing: Thing, node: cst.CSTNode, state: State) -> Entries:
    """The words of a list; of a text, the text as one word."""
    if all(isinstance(leaf, Str) for leaf in leaves(thing)):
        return (Item(thing, machine.place(node)),)
    return elements_of(machine, thing, node, state)


def is_list(thing: Thing, state: State) -> bool:
    """True for a thing that is a list wherever it is known."""
    return any(
        isinstance(leaf, Ref) and isinstance(state.heap.get(leaf.id), Seq) for leaf in leaves(thing)
    )
