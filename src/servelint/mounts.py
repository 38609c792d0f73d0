"""Files that a command names and that another structure holds: scripts and options that it gets.

A container sees a file through a chain of names: the mount says which volume lies at a path
(``Uses(how="mount")``), the volume which ConfigMap it is (``Uses(how="volume")``), and the data of
that ConfigMap were read where they stand. A script there runs in the container that calls it, and
a file of options there is part of the command that names it. A file of options in the repository
is found by its path.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace

from servelint.bind import bind
from servelint.facts import ANY_NAME, Env, Launch, Setting, Uses
from servelint.group import HALVES
from servelint.source import Route
from servelint.value import unknown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from servelint.commands import CommandReader
    from servelint.facts import Fact
    from servelint.value import Value

CONFIG_MAP = "ConfigMap"
"""The key of the setting that names a ConfigMap."""

MAX_SCRIPTS = 200
"""Commands that call a mounted script; more are left as they are."""

MAX_COPIES = 5_000
"""Facts of scripts that are told again of who calls them."""


def environments(facts: Sequence[Fact]) -> tuple[Fact, ...]:
    """The facts with the variables that containers take from ConfigMaps.

    One that is not in the repository may set any name.
    """
    uses = [f for f in facts if isinstance(f, Uses) and f.how in ("env-map", "env-key")]
    if not uses:
        return tuple(facts)
    maps = _Maps(facts)
    whole = (env for use in uses if use.how == "env-map" for env in maps.variables(use))
    single = (env for use in uses if use.how == "env-key" for env in maps.variables(use))
    return (*whole, *facts, *single)  # of equal settings the last counts


class _Maps:
    """ConfigMaps by their directory and name, with the entries that can be variables."""

    def __init__(self, facts: Sequence[Fact]) -> None:
        self._routes: dict[tuple[str, str], list[Route]] = defaultdict(list)
        self._entries: dict[Route, list[Setting]] = defaultdict(list)
        for fact in facts:
            if isinstance(fact, Setting) and fact.key == CONFIG_MAP and fact.value.text:
                self._routes[_directory(fact.owner.unit), fact.value.text].append(fact.owner)
            elif isinstance(fact, Setting) and fact.owner.steps[-1:] == ("data",):
                self._entries[fact.owner].append(fact)

    def find(self, unit: str, name: str) -> Route | None:
        """The ConfigMap of a name in the same unit, else the only one of the directory."""
        found = self._routes.get((_directory(unit), name), [])
        own = [one for one in found if one.unit == unit] or found
        return own[0] if len(own) == 1 else None

    def variables(self, use: Uses) -> Iterator[Env]:
        """What a use of a ConfigMap sets."""
        name, _, wanted = use.target.partition("/")
        route = self.find(use.owner.unit, name)
        if route is None and use.how == "env-map":
            value = unknown("runtime-value", name, use.span)
            yield Env(span=use.span, owner=use.owner, name=ANY_NAME, value=value)
        entries = self._entries[route.child("data")] if route is not None else ()
        for one in entries:
            if use.how == "env-map":
                yield _variable(use, use.at + one.key, one)
            elif one.key == wanted:
                yield _variable(use, use.at, one)


def _variable(use: Uses, name: str, entry: Setting) -> Env:
    return Env(span=use.span, owner=use.owner, variant=use.variant, name=name, value=entry.value)


def mounted(
    facts: Sequence[Fact], reader: CommandReader, before: Sequence[Fact]
) -> tuple[Fact, ...]:
    """The facts with what commands get from the files that they name.

    ``before`` are the facts before they were bound: a script that is called is bound once more,
    with the environment of its caller.
    """
    files = _Files(facts)
    called = [
        (fact, found)
        for fact in facts
        if isinstance(fact, Launch) and not fact.form and (found := files.script(fact)) is not None
    ]
    whole = tuple(_with_scripts(facts, called[:MAX_SCRIPTS], before)) if called else tuple(facts)
    done: dict[int, Fact] = {}
    for fact in whole:
        if isinstance(fact, Launch) and not fact.form:
            options = files.options(fact, reader)
            if options:
                done[id(fact)] = reader.configured(fact, options)
                done.update((id(one), replace(one, form="used")) for one in options)
    return tuple(done.get(id(fact), fact) for fact in whole)


@dataclass(frozen=True, slots=True)
class _Script:
    """Where the data of a script were read, and the words that follow its name in a call."""

    route: Route
    words: tuple[Value, ...]


def _with_scripts(
    facts: Sequence[Fact], called: Sequence[tuple[Launch, _Script]], before: Sequence[Fact]
) -> Iterator[Fact]:
    """What a called script says belongs to who calls it, and sees what that sets."""
    routes = {script.route for _, script in called}
    yield from (fact for fact in facts if not _is_in(fact, routes))
    callers = {launch.owner.unit for launch, _ in called}
    outer: list[Fact] = []
    held: dict[Route, list[Fact]] = defaultdict(list)
    for fact in before:
        owner = _is_in(fact, routes)
        if owner is not None:
            held[owner].append(fact)
        elif isinstance(fact, Env) and fact.owner.unit in callers:
            outer.append(fact)
    copies: list[Fact] = []
    for launch, script in called:
        inside = launch.owner.child("mounted")
        for number, word in enumerate(script.words, 1):
            outer.append(Env(span=word.span, owner=inside, name=str(number), value=word))
        for fact in held[script.route][: MAX_COPIES - len(copies)]:
            owner = inside.child(*fact.owner.steps[len(script.route.steps) :])
            copies.append(replace(fact, owner=owner, variant=fact.variant or launch.variant))
    yield from bind((*outer, *copies))[len(outer) :]


def _is_in(fact: Fact, routes: Iterable[Route]) -> Route | None:
    return next((route for route in routes if route.holds(fact.owner)), None)


class _Files:
    """The mounts, volumes, ConfigMaps and option files that facts tell of."""

    def __init__(self, facts: Sequence[Fact]) -> None:
        self._mounts: dict[Route, list[Uses]] = defaultdict(list)
        self._volumes: dict[Route, list[Uses]] = defaultdict(list)
        self._maps = _Maps(facts)
        self._options: list[Launch] = []
        for fact in facts:
            if isinstance(fact, Uses) and fact.how == "mount":
                self._mounts[fact.owner].append(fact)
            elif isinstance(fact, Uses) and fact.how == "volume":
                self._volumes[fact.owner].append(fact)
            elif isinstance(fact, Launch) and fact.form == "options":
                self._options.append(fact)

    def script(self, launch: Launch) -> _Script | None:
        """The data that a command runs as a script: its program, or what a shell is given."""
        for index, word in enumerate(launch.argv[:3], 1):
            text = word.text or ""
            if text.startswith("/"):
                route = self._mounted(launch, text)
                if route is not None:
                    return _Script(route, launch.argv[index:])
        return None

    def options(self, launch: Launch, reader: CommandReader) -> tuple[Launch, ...]:
        """The options of the file that an option of a command names."""
        target = reader.option_file(launch)
        if not target:
            return ()
        route = self._mounted(launch, target) if target.startswith("/") else None
        if route is not None:
            found = [one for one in self._options if route.holds(one.owner)]
        else:
            found = self._in_repository(launch, target, reader)
        return tuple(found) if len(found) == 1 else ()

    def _in_repository(self, launch: Launch, target: str, reader: CommandReader) -> list[Launch]:
        """A file of its own, beside the command or below the root; else the only one so named."""
        files = [one for one in self._options if one.owner == Route(one.owner.unit, (0,))]
        directory = _directory(launch.span.path)
        path = target.removeprefix("./")
        for wanted in (f"{directory}/{path}" if directory else path, path):
            exact = [one for one in files if one.owner.unit == wanted]
            if exact:
                return exact
        name = target.rpartition("/")[2]
        alike = [one for one in files if one.owner.unit.rpartition("/")[2] == name]
        # A name is a guess: what it gives may accuse a server of being a half, never clear it.
        made = ((one, reader.configured(launch, (one,))) for one in alike)
        return [one for one, whole in made if set(reader.read(whole).roles) <= set(HALVES)]

    def _mounted(self, launch: Launch, path: str) -> Route | None:
        """The data of a ConfigMap that a container sees at a path."""
        for mount in _around(launch.owner, self._mounts):
            inner = _inside(path, mount.at)
            if inner is None:
                continue
            for volume in _around(mount.owner, self._volumes):
                rest = _inside(mount.target + inner, volume.at)
                if rest is not None:
                    name, _, key = (volume.target + rest).partition("/")
                    route = self._maps.find(launch.owner.unit, name)
                    return route.child("data", key) if route is not None else None
        return None


def _around(owner: Route, known: Mapping[Route, Sequence[Uses]]) -> Iterator[Uses]:
    """What the structures around a route and itself use."""
    for size in range(len(owner.steps) + 1):
        yield from known.get(Route(owner.unit, owner.steps[:size]), ())


def _inside(path: str, directory: str) -> str | None:
    """What of a path lies below a directory, with its slash; None when it does not."""
    if path == directory:
        return ""
    return path[len(directory) :] if path.startswith(f"{directory}/") else None


def _directory(path: str) -> str:
    return path.rpartition("/")[0]
