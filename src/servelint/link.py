"""From facts to components: which image, which package, which environment a launch runs with.

Few and dumb keys, each kept so that a wrong link can be seen: the same route
(nearest enclosing structure with an image of its own), and the scope of a
directory for packages.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace

from servelint.commands import CommandReader
from servelint.deployment import Component, Resolution
from servelint.facts import Env, Image, Launch, Requirement
from servelint.resolve import hint, resolve_image, resolve_requirement, unknown_image
from servelint.source import Route

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from servelint.deployment import Invocation
    from servelint.engine import Engine
    from servelint.facts import Fact

_KIND_ORDER = ("locked", "pinned", "vcs", "url", "path", "range", "unpinned")
"""Within a directory the surest statement counts: a lock before what it was made from."""


class Surroundings:
    """The facts around a launch, found by route or by directory."""

    def __init__(self, facts: Iterable[Fact]) -> None:
        self._images: dict[str, list[Image]] = defaultdict(list)
        self._env: dict[str, list[Env]] = defaultdict(list)
        self._pins: dict[str, list[Requirement]] = defaultdict(list)
        self._installs: dict[str, list[Requirement]] = defaultdict(list)
        for fact in facts:
            if isinstance(fact, Image):
                self._images[fact.owner.unit].append(fact)
            elif isinstance(fact, Env):
                self._env[fact.owner.unit].append(fact)
            elif isinstance(fact, Requirement) and fact.runs:
                self._installs[fact.owner.unit].append(fact)
            elif isinstance(fact, Requirement):
                self._pins[fact.span.path.rpartition("/")[0]].append(fact)

    def image(self, owner: Route) -> Image | None:
        """The image of the nearest structure around ``owner`` that names one itself."""
        around = [image for image in self._images[owner.unit] if image.owner.holds(owner)]
        return max(around, key=lambda image: len(image.owner.steps), default=None)

    def env(self, launch: Launch) -> tuple[Env, ...]:
        """The variables that a launch sees, the nearest setting last."""
        around = [env for env in self._env[launch.owner.unit] if env.owner.holds(launch.owner)]
        around.sort(key=lambda env: len(env.owner.steps))
        return (*around, *launch.env)

    def installed(self, launch: Launch, packages: Sequence[str]) -> Requirement | None:
        """The last version that a command before the launch, in the same script, installs.

        One that asks for no version keeps what is there.
        """
        before = [
            step
            for step in self._installs[launch.owner.unit]
            if step.name in packages
            and step.kind != "unpinned"
            and Route(step.owner.unit, step.owner.steps[:-2]).holds(launch.owner)
            and step.span < launch.span
        ]
        return max(before, key=lambda step: step.span, default=None)

    def pins(self, path: str, packages: Sequence[str]) -> tuple[Requirement, ...]:
        """What the nearest directory at or above ``path`` says of a package."""
        directory = path.rpartition("/")[0]
        while True:
            found = [pin for pin in self._pins.get(directory, ()) if pin.name in packages]
            if found:
                best = min(_KIND_ORDER.index(pin.kind) for pin in found)
                return tuple(pin for pin in found if _KIND_ORDER.index(pin.kind) == best)
            if not directory:
                return ()
            directory = directory.rpartition("/")[0]


def components(facts: Sequence[Fact], engines: Sequence[Engine]) -> tuple[Component, ...]:
    """Every server and router of a known engine that the facts would run."""
    around = Surroundings(facts)
    reader = CommandReader(engines)
    found: list[Component] = []
    for fact in facts:
        if isinstance(fact, Launch):
            found.extend(_components(fact, around, reader, engines))
    return tuple(found)


def invocation_of(
    launch: Launch, around: Surroundings, reader: CommandReader, engines: Sequence[Engine]
) -> Invocation:
    """What a launch runs; its image may tell whose program a wrapper is."""
    plain = reader.read(launch)
    if plain.engine is not None:
        return plain
    image = around.image(launch.owner)
    resolved = resolve_image(image, engines) if image is not None else None
    if resolved is None:
        return plain
    inside = reader.read(launch, resolved[0])
    program_unknown = not launch.argv or launch.argv[0].text is None
    return inside if program_unknown or inside.last(resolved[0].role_flag) else plain


def _components(
    launch: Launch, around: Surroundings, reader: CommandReader, engines: Sequence[Engine]
) -> Iterable[Component]:
    invocation = invocation_of(launch, around, reader, engines)
    engine = invocation.engine
    if engine is None:
        return
    image = around.image(launch.owner)
    pins = around.pins(launch.span.path, engine.packages)
    is_apart = image is not None or launch.container or not reader.runs_here(launch)
    step = around.installed(launch, engine.packages)
    if step is not None:
        resolution = replace(resolve_requirement(step), via="install", final=True)
    else:
        resolution = _version(image, pins, engine, is_apart=is_apart)
    env = around.env(launch)
    for role in invocation.roles:
        yield Component(
            owner=launch.owner,
            engine=engine,
            kind=invocation.kind,
            role=role,
            variant=launch.variant,
            invocation=invocation,
            env=env,
            image=image,
            requirements=pins,
            resolution=resolution,
        )


def _version(
    image: Image | None, pins: tuple[Requirement, ...], engine: Engine, *, is_apart: bool
) -> Resolution:
    """Where the version comes from: the image of the family, else a package in scope.

    What runs apart, as in a container, has packages of its own: there a scope
    may accuse, never clear.
    """
    from_image = resolve_image(image, (engine,)) if image is not None else None
    if from_image is not None and from_image[1].final:
        return from_image[1]
    if pins:
        resolution = _of_pins(pins)
        if not is_apart:
            return resolution
        detail = resolution.detail or (hint(image, engine) if image is not None else "")
        return replace(resolution, confidence="low", clears=False, detail=detail)
    if from_image is not None:
        return from_image[1]
    if image is not None:
        return unknown_image(image, engine)
    package = engine.packages[0]
    detail = f"name the image that it runs in, or pin {package} beside the launch"
    return Resolution(package, reason="no-evidence", detail=detail)


def _of_pins(pins: tuple[Requirement, ...]) -> Resolution:
    """Several pins of one kind that differ are several candidates."""
    every = [resolve_requirement(pin) for pin in pins]
    unknown = next((resolution for resolution in every if resolution.reason), None)
    if unknown is not None:
        return unknown
    candidates = dict.fromkeys(one for resolution in every for one in resolution.candidates)
    places = dict.fromkeys(place for resolution in every for place in resolution.evidence)
    return replace(every[0], candidates=tuple(candidates), evidence=tuple(places))
