"""Calls of platforms that run containers, build images or install packages.

They are told by the names of the call and of its keyword arguments: container
clients, cluster clients, cloud functions and task runners all say ``image``,
``command``, ``env``.
"""

from __future__ import annotations

from servelint.readers.python.alternatives import leaves
from servelint.readers.python.commands import Teller, environment, list_entries, word_of
from servelint.readers.python.container_methods import argument
from servelint.readers.python.containers import elements_of, entries_of, find
from servelint.readers.python.events import ImageUse, Pin, Variable
from servelint.readers.python.pairs import values
from servelint.readers.python.pieces import Piece, cut, written
from servelint.readers.python.shellwords import split_words
from servelint.readers.python.state import Item, Pair, Pick, Spread, Table
from servelint.readers.python.things import Ref, Str, Thing, plain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from servelint.readers.python.machine import Args, Machine
    from servelint.readers.python.pieces import Place
    from servelint.readers.python.state import Entries, State

IMAGE_KEYS = (
    *("image", "base_image", "container_image", "docker_image", "image_uri", "image_id"),
    *("imageName", "docker_image_uri", "container_uri"),
)
PROGRAM_KEYS = ("entrypoint", "command", "cmds", "cmd")
WORD_KEYS = ("args", "arguments")
ENV_KEYS = ("environment", "env", "env_vars", "envs", "environment_variables")

_CONTAINER_CALLS = ("containers.run", "containers.create", "create_container")
_INSTALLS = ("pip_install", "uv_pip_install", "python_packages", "add_python_packages")
_SCRIPTS = ("run_commands", "add_commands")
_SCRIPT_KEYS = ("setup", "run")
_DOCKER = "docker:"


def platform_call(machine: Machine, args: Args, state: State) -> bool:
    """Tell what a platform's call says; false for another call."""
    last = args.name.rpartition(".")[2]
    if not args.positional and not args.keywords:
        return False
    handler = _BY_NAME.get(last)
    if handler is not None and handler(machine, args, state):
        return True
    if last.startswith("from_") and "Image" in args.name:
        return _registry_image(machine, args)
    return _container(machine, args, state)


# -- containers -----------------------------------------------------------------------------


def _container(machine: Machine, args: Args, state: State) -> bool:
    """A call with an image and perhaps a command."""
    certain = args.name.endswith(_CONTAINER_CALLS)
    image = None
    if args.keywords:
        image = next((one for key in IMAGE_KEYS if (one := argument(args, 99, key))), None)
    if image is None and certain:
        image = argument(args, 0)
    if image is None or not (certain or _is_image(machine, image.thing)):
        return args.name.endswith("EnvVar")
    given = dict(_named(args))
    if certain and (second := argument(args, 1)) is not None:
        given.setdefault("command", second)
    container(machine, image, given, args, state)
    return True


def _named(args: Args) -> list[tuple[str, Item]]:
    keys = (*PROGRAM_KEYS, *WORD_KEYS, *ENV_KEYS)
    found = ((key, argument(args, 99, key)) for key in keys)
    return [(key, one) for key, one in found if one is not None]


def _is_image(machine: Machine, thing: Thing) -> bool:
    return any(
        isinstance(leaf, Str) and machine.needles.images.search(written(leaf.pieces))
        for leaf in leaves(thing)
    )


def container(
    machine: Machine, image: Item, given: dict[str, Item], args: Args, state: State
) -> None:
    """Tell an image with the command and the environment that stand beside it."""
    group = machine.script.place(args.node)
    has_command = any(key in given for key in (*PROGRAM_KEYS, *WORD_KEYS))
    word = word_of(machine, _without_scheme(image.thing), image.place)
    machine.tell(ImageUse(word, group if has_command else None))
    env = next((given[key].thing for key in ENV_KEYS if key in given), None)
    if has_command:
        teller = Teller(machine, args.node, state, env=env, container=True)
        teller.row(_words(machine, given, args, state))
    elif env is not None:
        for setting in environment(machine, env, {}, args.node, state):
            machine.tell(Variable(setting, group))


def _without_scheme(thing: Thing) -> Thing:
    """``docker:image`` is how some platforms tell an image from a machine's."""
    pieces = thing.pieces if isinstance(thing, Str) else ()
    if pieces and pieces[0].known and pieces[0].text.startswith(_DOCKER):
        return Str((cut(pieces[0], len(_DOCKER), len(pieces[0].text)), *pieces[1:]))
    return thing


def _words(machine: Machine, given: dict[str, Item], args: Args, state: State) -> Entries:
    """Entry point, command and arguments in a row; a text is split as a shell would."""
    found: list[Item | Spread | Pick] = []
    for key in (*PROGRAM_KEYS, *WORD_KEYS):
        item = given.get(key)
        if item is None:
            continue
        words = split_words(item.thing.pieces) if isinstance(item.thing, Str) else None
        if words is not None:
            found.extend(Item(Str(word), _around(word, item.place)) for word in words)
        else:
            entries = list_entries(machine, item.thing, args.node, state)
            found.extend(one for one in entries if isinstance(one, Item | Spread | Pick))
    return tuple(found)


def _around(pieces: tuple[Piece, ...], place: Place) -> Place:
    first = pieces[0].at if pieces else None
    last = pieces[-1].at if pieces else None
    if first is None or last is None or not place[0] <= first[0] <= last[1] <= place[1]:
        return place
    return (first[0], last[1])


def container_table(machine: Machine, entries: Entries, args: Args, state: State) -> None:
    """A mapping that describes a container, such as a manifest written in Python."""
    given: dict[str, Item] = {}
    for entry in entries:
        if isinstance(entry, Pair) and isinstance(entry.key, Str):
            given[written(entry.key.pieces)] = Item(entry.value, entry.place)
    image = next((given[key] for key in IMAGE_KEYS if key in given), None)
    if image is not None and _is_image(machine, image.thing):
        container(machine, image, given, args, state)


# -- images and packages --------------------------------------------------------------------


def _registry_image(machine: Machine, args: Args) -> bool:
    """``Image.from_registry("name:tag")``."""
    found = argument(args, 0, "tag")
    if found is None or not any(isinstance(leaf, Str) for leaf in leaves(found.thing)):
        return False
    machine.tell(ImageUse(word_of(machine, found.thing, found.place), None))
    return True


def _install(machine: Machine, args: Args, state: State) -> bool:
    """``image.pip_install("name==1.0")``."""
    for entry in args.positional:
        if isinstance(entry, Item):
            _pins(machine, entry, args, state, runs=True)
    return True


def _pins(machine: Machine, item: Item, args: Args, state: State, *, runs: bool) -> None:
    """Requirements, one or a list of them."""
    for leaf in leaves(item.thing):
        if isinstance(leaf, Str):
            text = written(leaf.pieces)
            if text and not text.startswith("-"):
                machine.tell(Pin(leaf.pieces, item.place, runs))
        elif isinstance(leaf, Ref):
            for entry in elements_of(machine, leaf, args.node, state):
                for one in entry.arms if isinstance(entry, Pick) else ((entry,),):
                    for inner in one:
                        if isinstance(inner, Item) and not isinstance(inner.thing, Ref):
                            _pins(machine, inner, args, state, runs=runs)


def _script(machine: Machine, args: Args, state: State) -> bool:
    """``image.run_commands("...")``."""
    teller = Teller(machine, args.node, state, container=True)
    for entry in args.positional:
        if isinstance(entry, Item):
            for one in list_entries(machine, entry.thing, args.node, state):
                if isinstance(one, Item):
                    teller.text(one.thing, one.place)
    return True


def _image_env(machine: Machine, args: Args, state: State) -> bool:
    """``image.env({...})``."""
    found = argument(args, 0)
    if found is None or "Image" not in args.name:
        return False
    for setting in environment(machine, found.thing, {}, args.node, state):
        machine.tell(Variable(setting, None))
    return True


def _task(machine: Machine, args: Args, state: State) -> bool:
    """``Task(setup="...", run="...")``: texts for the shell of a machine of its own."""
    texts = [one for key in _SCRIPT_KEYS if (one := argument(args, 99, key))]
    env = argument(args, 99, "envs")
    thing = env.thing if env is not None else machine.new(state, Table(()))
    teller = Teller(machine, args.node, state, env=thing, container=True)
    for one in texts:
        teller.text(one.thing, one.place)
    return bool(texts)


def _setup(machine: Machine, args: Args, state: State) -> bool:
    """``setup(install_requires=[...], extras_require={...})``."""
    required, extras = argument(args, 99, "install_requires"), argument(args, 99, "extras_require")
    if required is not None:
        _pins(machine, required, args, state, runs=False)
    if extras is not None:
        for entry in values(entries_of(machine, extras.thing, args.node, state)):
            if isinstance(entry, Item):
                _pins(machine, entry, args, state, runs=False)
    return required is not None or extras is not None


def runtime_packages(machine: Machine, args: Args, state: State) -> None:
    """``runtime_env={"pip": [...]}``: packages that are installed for a job."""
    found = argument(args, 99, "runtime_env")
    content = state.heap.get(found.thing.id) if found and isinstance(found.thing, Ref) else None
    for key in ("pip", "uv"):
        thing = find(content.entries, plain(key), key) if isinstance(content, Table) else None
        if thing is not None and found is not None:
            _pins(machine, Item(thing, found.place), args, state, runs=True)


_BY_NAME: dict[str, Callable[[Machine, Args, State], bool]] = {
    **dict.fromkeys(_INSTALLS, _install),
    **dict.fromkeys(_SCRIPTS, _script),
    "env": _image_env,
    "Task": _task,
    "setup": _setup,
}
