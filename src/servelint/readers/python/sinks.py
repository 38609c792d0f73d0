"""Calls that start something: processes, shells, engines, and those that hand a call on."""

from __future__ import annotations

from servelint.readers.python.alternatives import leaves
from servelint.readers.python.commands import Teller, is_list, list_entries
from servelint.readers.python.container_methods import argument
from servelint.readers.python.containers import elements_of, entries_of
from servelint.readers.python.engine_calls import engine_call
from servelint.readers.python.machine import Args, Machine
from servelint.readers.python.platforms import platform_call
from servelint.readers.python.state import Item, State
from servelint.readers.python.things import Dotted, Func, Thing
from servelint.readers.python.truth import truth

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    Sink = Callable[[Machine, Args, State], Thing | None]


def sink(machine: Machine, args: Args, state: State) -> Thing | None:
    """What a call that starts something gives; None for another call."""
    found = _SINKS.get(args.name)
    if found is None and args.name.startswith(("os.exec", "os.spawn")):
        found = _exec
    if found is None and args.name.rpartition(".")[2] in _WORKERS:
        found = _WORKERS[args.name.rpartition(".")[2]]
    if found is not None:
        result = found(machine, args, state)
        if result is not None:
            return result
    if engine_call(machine, args, state) or platform_call(machine, args, state):
        return Dotted(f"{args.name}()"[:120])
    return None


def _result(args: Args) -> Thing:
    return Dotted(f"{args.name}()")


def _env(args: Args) -> Thing | None:
    found = argument(args, 99, "env")
    return found.thing if found is not None else None


def _run(machine: Machine, args: Args, state: State) -> Thing | None:
    """``subprocess.run(words)`` and ``subprocess.run(text, shell=True)``."""
    found = argument(args, 0, "args")
    if found is None:
        return _result(args)
    shell = argument(args, 99, "shell")
    answer = truth(shell.thing, state) if shell is not None else False
    teller = Teller(machine, args.node, state, env=_env(args))
    if is_list(found.thing, state):
        entries = elements_of(machine, found.thing, args.node, state)
        if answer is True:
            first = entries[0] if entries else None
            if isinstance(first, Item):
                teller.text(first.thing, first.place)
        else:
            teller.row(entries)
    elif answer is False:
        teller.row((Item(found.thing, found.place),))
    else:
        teller.text(found.thing, found.place)
    return _result(args)


def _shell(machine: Machine, args: Args, state: State) -> Thing | None:
    """``os.system(text)``."""
    found = argument(args, 0, "cmd") or argument(args, 0, "command")
    if found is not None:
        Teller(machine, args.node, state, env=_env(args)).text(found.thing, found.place)
    return _result(args)


def _row(machine: Machine, args: Args, state: State) -> Thing | None:
    """``create_subprocess_exec(program, *words)``."""
    Teller(machine, args.node, state, env=_env(args)).row(args.positional)
    return _result(args)


def _exec(machine: Machine, args: Args, state: State) -> Thing | None:
    """The ``exec`` and ``spawn`` families of ``os``: the words follow the path."""
    name = args.name.partition(".")[2]
    row = args.positional[1:] if name.startswith("spawn") else args.positional
    has_env = name.endswith("e")
    if "l" in name.removeprefix("exec").removeprefix("spawn"):
        words = row[1:-1] if has_env else row[1:]
        last = row[-1] if has_env and row else None
    else:
        second = row[1] if len(row) > 1 else None
        if not isinstance(second, Item):
            return _result(args)
        words = elements_of(machine, second.thing, args.node, state)
        last = row[2] if has_env and len(row) > 2 else None
    env = last.thing if isinstance(last, Item) else None
    Teller(machine, args.node, state, env=env).row(words)
    return _result(args)


def _spawn(machine: Machine, args: Args, state: State) -> Thing | None:
    """``pty.spawn(words)``, ``posix_spawn(path, words, env)``."""
    at = 1 if "posix_spawn" in args.name else 0
    found = argument(args, at)
    env = argument(args, 2) if at else None
    if found is not None:
        entries = list_entries(machine, found.thing, args.node, state)
        Teller(machine, args.node, state, env=env.thing if env else None).row(entries)
    return _result(args)


# -- calls that are handed on ---------------------------------------------------------------


def _process(machine: Machine, args: Args, state: State) -> Thing | None:
    """``Process(target=f, args=(...), kwargs={...})``."""
    target = argument(args, 99, "target")
    if target is None:
        return None
    given, names = argument(args, 99, "args"), argument(args, 99, "kwargs")
    row = elements_of(machine, given.thing, args.node, state) if given is not None else ()
    keywords = entries_of(machine, names.thing, args.node, state) if names is not None else ()
    _hand_on(
        machine, target.thing, Args(args.node, row, keywords, _target_name(target.thing)), state
    )
    return _result(args)


def _submitted(machine: Machine, args: Args, state: State) -> Thing | None:
    """``executor.submit(f, ...)``, ``asyncio.to_thread(f, ...)``."""
    for number, entry in enumerate(args.positional[:2]):
        if isinstance(entry, Item) and any(isinstance(x, Func) for x in leaves(entry.thing)):
            rest = args.positional[number + 1 :]
            given = Args(args.node, rest, args.keywords, args.name)
            return _hand_on(machine, entry.thing, given, state)
    return None


def _target_name(thing: Thing) -> str:
    return thing.name if isinstance(thing, Dotted) else ""


def _hand_on(machine: Machine, target: Thing, args: Args, state: State) -> Thing:
    from servelint.readers.python.calls import apply  # noqa: PLC0415  # a cycle

    return machine.fork(target, state, lambda one, own: apply(machine, one, args, own))


_SINKS: dict[str, Sink] = {
    **dict.fromkeys(
        (
            *("subprocess.run", "subprocess.Popen", "subprocess.call", "subprocess.check_call"),
            *("subprocess.check_output", "psutil.Popen", "trio.run_process", "anyio.run_process"),
            "anyio.open_process",
        ),
        _run,
    ),
    **dict.fromkeys(
        (
            *("os.system", "os.popen", "subprocess.getoutput", "subprocess.getstatusoutput"),
            *("asyncio.create_subprocess_shell", "asyncio.subprocess.create_subprocess_shell"),
        ),
        _shell,
    ),
    "asyncio.create_subprocess_exec": _row,
    "asyncio.subprocess.create_subprocess_exec": _row,
    "os.posix_spawn": _spawn,
    "os.posix_spawnp": _spawn,
    "pty.spawn": _spawn,
}

_WORKERS: dict[str, Sink] = {
    "Process": _process,
    "Thread": _process,
    "submit": _submitted,
    "to_thread": _submitted,
    "run_in_executor": _submitted,
    "run_sync": _submitted,
    "start_new_thread": _submitted,
}
