"""From the words of a launch to program, role and options, with the tables of an engine.

Readers give words; this is the one place that knows how a command line is
read: ``--flag value`` and ``--flag=value``, unique prefixes as argparse takes
them, the last of several occurrences.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import replace
from itertools import pairwise

from servelint.deployment import Flag, Invocation
from servelint.facts import Text, known_head
from servelint.syntax.programs import TALKERS, base_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from servelint.engine import Engine, Option, Program
    from servelint.facts import Launch, Parts, Value

    _Read = tuple[tuple[Flag, ...], bool]
    """Options in order, and whether unread words may hold more."""

_NUMBER = re.compile(r"-(?:\d+|\d*\.\d+)\Z")
_INTERPRETER = re.compile(r"python[\d.]*\Z|pypy[\d.]*\Z")
_SYSTEM = ("/usr/", "/bin/")
"""Where an interpreter is the machine's own; one from elsewhere has packages of its own."""

_APPENDERS = frozenset({"xargs", "parallel"})
"""Commands that add words which are not written."""

MAX_LEADING = 200
"""Words among which a program is looked for."""

MAX_WORDS = 5_000
"""Words that are read behind a program."""

_NO_OPTION = ""


class OptionTable:
    """All options of a program over all releases, found by name or unique prefix."""

    def __init__(self, options: Iterable[Option]) -> None:
        self._by_name: dict[str, Option] = {}
        for option in options:
            for name in option.names:
                self._by_name.setdefault(name, option)
        self._names = sorted(self._by_name)

    def find(self, written: str) -> tuple[str, Option | None]:
        """Canonical name and option; the name as written when unknown or ambiguous."""
        found = self._meant(written)
        return (found[0].names[0], found[0]) if len(found) == 1 else (written, None)

    def is_ambiguous(self, written: str) -> bool:
        """True for the beginning of several options: a release may know only one of them."""
        return len(self._meant(written)) > 1

    def _meant(self, written: str) -> Sequence[Option]:
        if written in self._by_name:
            return (self._by_name[written],)
        found: dict[str, Option] = {}
        for name in self._names[bisect_left(self._names, written) :]:
            if not name.startswith(written):
                break
            option = self._by_name[name]
            found[option.names[0]] = option
        return tuple(found.values())


class CommandReader:
    """Reads launches with the tables of some engines, each table made once."""

    def __init__(self, engines: Sequence[Engine]) -> None:
        self._engines = engines
        self._tables: dict[tuple[str, str, str], OptionTable] = {}
        programs = [program for engine in engines for program in engine.programs]
        self._first_words = {base_name(program.words[0]) for program in programs}
        self._role_flags = {engine.role_flag for engine in engines}

    def read(self, launch: Launch, engine: Engine | None = None) -> Invocation:
        """What a launch runs.

        ``engine`` is given when its surroundings say whose program it is,
        although its words do not.
        """
        found = None if launch.engine else self._program(launch)
        if launch.engine:
            engine = next((one for one in self._engines if one.id == launch.engine), None)
        if found is None and engine is None:
            return self._foreign(launch)
        if found is None:
            assert engine is not None  # noqa: S101  # the line above
            read = _flags(launch, 0, self._table(engine, "server", ""))
            return self._invocation(launch, engine, "server", _first(launch), read)
        at, owner, program = found
        end = at + len(program.words)
        start = at - 1 if program.words[0].startswith("-") and at else at
        written = " ".join(word.written for word in launch.argv[start:end])
        table = self._table(owner, program.kind, program.prefix)
        flags, is_open = _flags(launch, end, table)
        leaders = {base_name(word.text or "") for word in launch.argv[:at]}
        more = not leaders.isdisjoint(_APPENDERS) or len(launch.argv) > end + MAX_WORDS
        return self._invocation(launch, owner, program.kind, written, (flags, is_open or more))

    def _program(self, launch: Launch) -> tuple[int, Engine, Program] | None:
        words = [word.text or "" for word in launch.argv[:MAX_LEADING]]
        if words and self._is_talk(launch):
            return None
        for at in range(len(words)):
            if base_name(words[at]) not in self._first_words:
                continue
            for engine in self._engines:
                for program in engine.programs:
                    if _starts(words, at, program.words):
                        return at, engine, program
        return None

    def _foreign(self, launch: Launch) -> Invocation:
        """A command of no known engine; its options are read as they stand.

        One of them may tell that it starts servers of an engine.
        """
        flags, is_open = _flags(launch, 0, OptionTable(()))
        program = _first(launch)
        for engine in self._engines:
            roles = [engine.wrapper_roles[f.name] for f in flags if f.name in engine.wrapper_roles]
            if roles and not self._is_talk(launch):
                own = tuple(_passed_on(flag, engine.wrapper_prefix) for flag in flags)
                kept = tuple(dict.fromkeys(roles))
                return Invocation(launch, engine, program, "server", kept, own, is_open)
        return Invocation(launch, None, program, "", ("none",), flags, is_open)

    def _is_talk(self, launch: Launch) -> bool:
        return base_name(launch.argv[0].text or "") in TALKERS

    def _invocation(
        self, launch: Launch, engine: Engine, kind: str, program: str, read: _Read
    ) -> Invocation:
        flags, is_open = read
        reads_more = any(flag.name in engine.config_options for flag in flags)
        is_open = is_open or (reads_more and launch.form != "configured")
        plain = Invocation(launch, engine, program, kind, ("none",), flags, is_open)
        roles = ("none",) if kind == "router" else _roles(plain, engine)
        return Invocation(launch, engine, program, kind, roles, flags, is_open)

    def _table(self, engine: Engine, kind: str, prefix: str) -> OptionTable:
        key = (engine.id, kind, prefix)
        if key not in self._tables:
            passed = (_prefixed(option, prefix) for option in engine.router_options if prefix)
            own = engine.router_options if kind == "router" else engine.options
            self._tables[key] = OptionTable((*own, *passed))
        return self._tables[key]

    def runs_here(self, launch: Launch) -> bool:
        """True when no other command stands before the program but an interpreter.

        Another one (``docker run IMAGE``, ``ssh HOST``) may run it with packages of its own.
        """
        found = self._program(launch)
        before = launch.argv[: found[0]] if found is not None else ()
        if not before:
            return True
        path = before[0].text or ""
        options = all((word.text or "").startswith("-") for word in before[1:])
        elsewhere = path.startswith("/") and not path.startswith(_SYSTEM)
        is_interpreter = before[0].text is None or _INTERPRETER.match(base_name(path)) is not None
        return options and is_interpreter and not elsewhere

    def option_file(self, launch: Launch) -> str:
        """The file with more options that a launch names in a word of its own; empty for none."""
        found = self._program(launch)
        names = found[1].config_options if found is not None else ()
        for name, value in pairwise(launch.argv):
            if name.text in names and value.text:
                return value.text
        return ""

    def configured(self, launch: Launch, options: Iterable[Launch]) -> Launch:
        """A launch with the options of the files that it names, before its own: those win."""
        found = self._program(launch)
        end = found[0] + len(found[2].words) if found is not None else len(launch.argv)
        words = tuple(word for one in options for word in one.argv[1:])
        argv = (*launch.argv[:end], *words, *launch.argv[end:])
        return replace(launch, argv=argv, form="configured")

    def has_role_flag(self, invocation: Invocation) -> bool:
        """True when the launch has an option that gives some engine's server its role."""
        return any(flag.name in self._role_flags for flag in invocation.flags)


def _prefixed(option: Option, prefix: str) -> Option:
    return replace(option, names=tuple(prefix + name.removeprefix("--") for name in option.names))


def _passed_on(flag: Flag, prefix: str) -> Flag:
    """An option of the engine as the engine calls it."""
    if not flag.name.startswith(prefix):
        return flag
    return replace(flag, name=f"--{flag.name.removeprefix(prefix)}")


def _first(launch: Launch) -> str:
    return launch.argv[0].written if launch.argv else ""


def _starts(words: Sequence[str], at: int, program: tuple[str, ...]) -> bool:
    if len(words) - at < len(program):
        return False
    for offset, wanted in enumerate(program):
        word = words[at + offset]
        path_like = word == wanted or word.endswith("/" + wanted)
        if not (path_like if offset == 0 else word == wanted):
            return False
    return True


def _flags(launch: Launch, start: int, table: OptionTable) -> _Read:
    """The options among the words from ``start``, and whether unread words may hold more.

    In files of options, launchers take underscores for hyphens.
    """
    words = launch.argv[start : start + MAX_WORDS]
    flags: list[Flag] = []
    is_open = False
    at = 0
    while at < len(words):
        word = words[at]
        at += 1
        name, glued = _option(word)
        if name == _NO_OPTION:
            is_open = is_open or _may_be_option(word)
            continue
        name = name.replace("_", "-") if launch.form else name
        canonical, option = table.find(name)
        is_open = is_open or table.is_ambiguous(name)
        if glued is not None or (option is not None and option.values == "0"):
            flags.append(Flag(canonical, word, glued))
            continue
        taken = words[at : at + _taken(words, at, option)]
        flags.append(Flag(canonical, word, taken[0] if taken else None))
        sure = 1 if option is not None and option.values in ("1", "+") else 0
        is_open = is_open or any(map(_may_be_option, taken[sure:]))
        at += len(taken)
    return tuple(flags), is_open


def _option(word: Value) -> tuple[str, Value | None]:
    """The option that a word names, and the value after its ``=``."""
    head = word.head
    if not head.startswith("--") or len(head) < 3:
        return _NO_OPTION, None
    name, equals, _ = head.partition("=")
    if equals:
        return name, word.tail(len(name) + 1)
    return (name, None) if word.text is not None else (_NO_OPTION, None)


def _may_be_option(word: Value) -> bool:
    """True when a reading of a word can turn out to be an option that was not read."""
    return any(map(_may_read_as_option, word.readings))


def _may_read_as_option(parts: Parts) -> bool:
    head = known_head(parts)
    if all(isinstance(part, Text) for part in parts):
        return head.startswith("--") and len(head) > 2
    return head in ("", "-") or head.startswith("--")


def _taken(words: Sequence[Value], at: int, option: Option | None) -> int:
    """How many of the next words belong to an option."""
    count = 0
    most = len(words) if option is not None and option.values == "+" else 1
    while at + count < len(words) and count < most:
        head = words[at + count].head
        if head.startswith("-") and not _NUMBER.match(head) and len(head) > 1:
            break
        count += 1
    return count


def _roles(invocation: Invocation, engine: Engine) -> tuple[str, ...]:
    flag = invocation.last(engine.role_flag)
    if flag is None:
        return ("unknown",) if invocation.open else ("none",)
    texts = flag.value.texts if flag.value is not None else ()
    if texts is None:
        return ("unknown",)
    roles = dict.fromkeys(engine.roles.get(text, "unknown") for text in texts)
    switched = any(invocation.last(name) for name in engine.role_switches)
    if switched:
        roles = dict.fromkeys("both" if role in ("prefill", "decode") else role for role in roles)
    return tuple(roles) or ("none",)
