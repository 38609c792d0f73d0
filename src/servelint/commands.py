"""From the words of a launch to program, role and options, with the tables of an engine.

Readers give words; this is the one place that knows which of them start a
program, and what role the options behind them give it.
"""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise

from servelint.deployment import Flag, Invocation
from servelint.object_options import with_keys
from servelint.options import MAX_WORDS, OptionTable, read_options
from servelint.syntax.programs import TALKERS, base_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from servelint.engine import Engine, Option, Program
    from servelint.facts import Launch
    from servelint.options import Read

_INTERPRETER = re.compile(r"python[\d.]*\Z|pypy[\d.]*\Z")
_SYSTEM = ("/usr/", "/bin/")
"""Where an interpreter is the machine's own; one from elsewhere has packages of its own."""

_APPENDERS = frozenset({"xargs", "parallel"})
"""Commands that add words which are not written."""

MAX_LEADING = 200
"""Words among which a program is looked for."""


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
        flags, is_open = _flags(launch, end, table, program.operands)
        flags = tuple(_keyed(flag, program.inside) for flag in flags)
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
        self, launch: Launch, engine: Engine, kind: str, program: str, read: Read
    ) -> Invocation:
        flags, is_open = with_keys(read[0], engine.object_options), read[1]
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
            underscores = engine.takes_underscores
            self._tables[key] = OptionTable((*own, *passed), underscores=underscores)
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
        return any(map(invocation.gives, self._role_flags))

    def has_half(self, launch: Launch) -> bool:
        """True for a launch with the option that gives a server its role, or that may have it.

        A file of options is one where it has that option, whoever it is for.
        """
        if not launch.form and self._program(launch) is None:
            return False
        read = self.read(launch)
        return self.has_role_flag(read) or (read.open and not launch.form)


def _prefixed(option: Option, prefix: str) -> Option:
    return replace(option, names=tuple(prefix + name.removeprefix("--") for name in option.names))


def _passed_on(flag: Flag, prefix: str) -> Flag:
    """An option of the engine as the engine calls it."""
    if not flag.name.startswith(prefix):
        return flag
    return replace(flag, name=f"--{flag.name.removeprefix(prefix)}")


def _keyed(flag: Flag, option: str) -> Flag:
    """An option as the key that it is of the object that ``option`` takes, if any."""
    if not option:
        return flag
    key = flag.name.removeprefix("--").replace("-", "_")
    return replace(flag, name=f"{option}.{key}")


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


def _flags(launch: Launch, start: int, table: OptionTable, operands: int = 0) -> Read:
    """The options of a launch from a word on, and whether unread words may hold more."""
    words = launch.argv[start : start + MAX_WORDS]
    return read_options(words, table, operands=operands, is_file=bool(launch.form))


def _roles(invocation: Invocation, engine: Engine) -> tuple[str, ...]:
    if engine.role_of is not None:
        return engine.role_of(invocation) or ("none",)
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
