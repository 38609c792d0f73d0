"""From facts to components: which image, which package, which environment a launch runs with.

Few and dumb keys, each kept so that a wrong link can be seen: the same route
(nearest enclosing structure with an image of its own), and the scope of a
directory for packages.
"""

from __future__ import annotations

from dataclasses import replace

from servelint.commands import CommandReader
from servelint.deployment import Component, Release, Resolution
from servelint.facts import Image, Launch, Requirement
from servelint.installed import with_installed
from servelint.resolve import hint, resolve_image, resolve_requirement, unknown_image
from servelint.stated import resolution
from servelint.statement import Said
from servelint.surroundings import Surroundings
from servelint.unit import LATENT
from servelint.value import Value
from servelint.versions import parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from packaging.version import Version

    from servelint.deployment import Invocation
    from servelint.engine import Engine
    from servelint.facts import Fact
    from servelint.statement import Statement
    from servelint.verdict import Place


def components(
    facts: Sequence[Fact], engines: Sequence[Engine], said: Said | None = None
) -> tuple[Component, ...]:
    """Every server and router of a known engine that the facts would run.

    ``said`` is what people state of launches; what they state of images is the engines' to tell.
    """
    around = Surroundings(facts)
    reader = CommandReader(engines)
    found: list[Component] = []
    for fact in facts:
        if isinstance(fact, Launch) and fact.form != "used":
            found.extend(_components(fact, around, reader, engines, said or Said()))
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
    words = [word.text for word in launch.argv[:3]]
    names_module = words[1:2] == ["-m"] and words[2:] not in ([], [None])
    program_unknown = words[:1] in ([], [None]) and not names_module
    return inside if program_unknown or inside.gives(resolved[0].role_flag) else plain


def _components(
    launch: Launch,
    around: Surroundings,
    reader: CommandReader,
    engines: Sequence[Engine],
    said: Said,
) -> Iterable[Component]:
    invocation = invocation_of(launch, around, reader, engines)
    engine = invocation.engine
    if engine is None:
        return
    image = around.image(launch.owner) or around.page_image(launch, engine)
    pins = around.pins(launch.span.path, engine)
    is_apart = image is not None or launch.container or not reader.runs_here(launch)
    stated = said.of_path(launch.span.path, engine.packages)
    version = _version(image, stated, pins, engine, is_apart=is_apart)
    env = around.env(launch)
    steps = around.installed(launch, engine)
    version = with_installed(version, steps, invocation, env)
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
            resolution=version,
            settings=around.settings(launch),
            pools=tuple(one for one in said.pools if (one.engine, one.role) == (engine.id, role)),
        )


NAMELESS = ("unset-variable", "runtime-value", "template-function", "many-values")
"""Reasons of images of which nobody can say in a map what they hold: their name is not known."""


def _version(
    image: Image | None,
    stated: Statement | None,
    pins: tuple[Requirement, ...],
    engine: Engine,
    *,
    is_apart: bool,
) -> Resolution:
    """Where the version comes from: the image of the family, a statement, a package in scope.

    What runs apart, as in a container, has packages of its own: there a scope
    may accuse, never clear.
    """
    resolved = resolve_image(image, (engine,)) if image is not None else None
    inside = resolved[1] if resolved is not None else None
    is_nameless = inside is not None and inside.reason in NAMELESS
    if image is not None and inside is not None and inside.final and not (stated and is_nameless):
        return _told_by_oldest(inside, image, engine)
    if stated is not None:
        return resolution(stated)
    if not pins:
        return inside or _untold(image, engine)
    told = _of_pins(pins, engine)
    if not is_apart:
        return told
    detail = told.detail or (hint(image, engine) if image is not None else "")
    return replace(told, confidence="low", clears=False, detail=detail)


def _untold(image: Image | None, engine: Engine) -> Resolution:
    """Nothing tells the version: what would."""
    if image is not None:
        return unknown_image(image, engine)
    package = engine.packages[0]
    detail = f"name the image that it runs in, or pin {package} beside the launch"
    return Resolution(package, reason="no-evidence", detail=detail)


def _told_by_oldest(told: Resolution, image: Image, engine: Engine) -> Resolution:
    """Of several versions an image may have, the oldest is the one to edit: it is the evidence."""
    if len(told.candidates) < 2:
        return told
    places: list[tuple[Version, tuple[Place, ...]]] = []
    for parts in image.reference.readings:
        single = replace(image, reference=Value((parts,), image.reference.span))
        resolved = resolve_image(single, (engine,))
        candidates = resolved[1].candidates if resolved is not None else ()
        for one in candidates:
            version = parse(one.version) if isinstance(one, Release) else None
            if resolved is not None and version is not None:
                places.append((version, resolved[1].evidence))
    if not places:
        return told
    return replace(told, evidence=min(places, key=lambda place: place[0])[1])


def _of_pins(pins: tuple[Requirement, ...], engine: Engine) -> Resolution:
    """Several pins of one kind that differ are several candidates."""
    every = [resolve_requirement(pin, engine) for pin in pins]
    unknown = next((resolution for resolution in every if resolution.reason), None)
    if unknown is not None:
        return unknown
    candidates = dict.fromkeys(one for resolution in every for one in resolution.candidates)
    places = dict.fromkeys(place for resolution in every for place in resolution.evidence)
    return replace(every[0], candidates=tuple(candidates), evidence=tuple(places))
