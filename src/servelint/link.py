"""From facts to components: which image, which package, which environment a launch runs with.

Few and dumb keys, each kept so that a wrong link can be seen: the same route
(nearest enclosing structure with an image of its own), and the scope of a
directory for packages.
"""

from __future__ import annotations

from dataclasses import replace

from servelint.commands import CommandReader
from servelint.deployment import Component, Resolution
from servelint.facts import Image, Launch, Requirement
from servelint.resolve import hint, resolve_image, resolve_requirement, unknown_image
from servelint.surroundings import Surroundings
from servelint.unit import LATENT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from servelint.deployment import Invocation
    from servelint.engine import Engine
    from servelint.facts import Fact


def components(facts: Sequence[Fact], engines: Sequence[Engine]) -> tuple[Component, ...]:
    """Every server and router of a known engine that the facts would run."""
    around = Surroundings(facts)
    reader = CommandReader(engines)
    found: list[Component] = []
    for fact in facts:
        if isinstance(fact, Launch) and fact.form != "used":
            found.extend(_components(fact, around, reader, engines))
    return tuple(_without_doubles(found))


def _without_doubles(found: Sequence[Component]) -> Iterable[Component]:
    """What would also be started if a value were given is left out where it is started anyway."""
    real = {_start(one) for one in found if one.variant != LATENT}
    return (one for one in found if one.variant != LATENT or _start(one) not in real)


def _start(component: Component) -> tuple[str, int, str]:
    span = component.invocation.launch.span
    return span.path, span.start, component.role


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
    image = around.image(launch.owner) or around.page_image(launch, engine)
    pins = around.pins(launch.span.path, engine.packages)
    is_apart = image is not None or launch.container or not reader.runs_here(launch)
    resolution = _version(image, pins, engine, is_apart=is_apart)
    resolution = _with_installed(resolution, around.installed(launch, engine.packages))
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


def _with_installed(before: Resolution, steps: tuple[Requirement, ...]) -> Resolution:
    """What was there before and what commands install: any of it may be what runs."""
    if not steps:
        return before
    every = [replace(resolve_requirement(step), via="install") for step in steps]
    if before.reason != "no-evidence":
        every.append(before)
    open_ones = [one for one in every if one.reason]
    known = [one for one in every if not one.reason]
    if open_ones and (before.reason in ("", "no-evidence") or not (known or before.final)):
        return replace(open_ones[0], final=True)
    if not known:
        return before
    candidates = dict.fromkeys(candidate for one in known for candidate in one.candidates)
    places = dict.fromkeys(place for one in known for place in one.evidence)
    return replace(
        known[0],
        candidates=tuple(candidates),
        evidence=tuple(places),
        final=True,
        clears=all(one.clears for one in every) and not open_ones,
    )


def _of_pins(pins: tuple[Requirement, ...]) -> Resolution:
    """Several pins of one kind that differ are several candidates."""
    every = [resolve_requirement(pin) for pin in pins]
    unknown = next((resolution for resolution in every if resolution.reason), None)
    if unknown is not None:
        return unknown
    candidates = dict.fromkeys(one for resolution in every for one in resolution.candidates)
    places = dict.fromkeys(place for resolution in every for place in resolution.evidence)
    return replace(every[0], candidates=tuple(candidates), evidence=tuple(places))
