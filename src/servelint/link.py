"""From facts to components: which image, which package, which environment a launch runs with.

Few and dumb keys, each kept so that a wrong link can be seen: the same route
(nearest enclosing structure with an image of its own), and the scope of a
directory for packages.
"""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import replace

from servelint.commands import CommandReader
from servelint.deployment import Component, Resolution
from servelint.facts import Env, Image, Launch, Requirement, Value, one_of
from servelint.resolve import hint, resolve_image, resolve_requirement, unknown_image
from servelint.source import Route

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from servelint.deployment import Invocation
    from servelint.engine import Engine
    from servelint.facts import Fact

_OTHER_PURPOSE = re.compile(r"(?i)(test|dev|docs?|lint|constraint|ci)[^/]*\.(txt|in)\Z")
"""Requirements files that are not for what runs in production."""

BLOCK = 2
"""Steps of the route of a block of a guide: a word and a number."""

_KIND_ORDER = ("locked", "pinned", "vcs", "url", "path", "range", "unpinned")
"""Within a directory the surest statement counts: a lock before what it was made from."""


APART = "environment"
"""The last step of the owner of variables that a service sees and its own file does not."""


class Surroundings:
    """The facts around a launch, found by route or by directory."""

    def __init__(self, facts: Iterable[Fact]) -> None:
        self._images: dict[str, list[Image]] = defaultdict(list)
        self._env: dict[str, list[Env]] = defaultdict(list)
        self._pins: dict[str, list[Requirement]] = defaultdict(list)
        self._installs: dict[str, list[Requirement]] = defaultdict(list)
        self._pages: dict[tuple[str, str], list[Image]] = {}
        self._merged: dict[tuple[str, str, int], Image] = {}
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
        inside = launch.owner.child(APART)
        around = [
            env
            for env in self._env[launch.owner.unit]
            if env.owner.holds(launch.owner) or env.owner == inside
        ]
        around.sort(key=lambda env: len(env.owner.steps))
        return (*around, *launch.env)

    def installed(self, launch: Launch, packages: Sequence[str]) -> tuple[Requirement, ...]:
        """The packages that commands install where the launch runs: its script, its image.

        Whether such a command runs, and when, is not asked: all of them may.
        """
        image = self.image(launch.owner)
        return tuple(
            step
            for step in self._installs[launch.owner.unit]
            if step.name in packages
            and self.image(step.owner) is image
            and (image is not None or _same_script(step, launch))
        )

    def page_image(self, launch: Launch, engine: Engine) -> Image | None:
        """What a guide names before a launch that names no image: any of these may be its own."""
        if not _is_typed(launch.owner):
            return None
        unit, start = launch.owner.unit, launch.span.start
        before = [image for image in self._of_page(unit, engine) if image.span.start < start]
        if len(before) < 2:
            return next(iter(before), None)
        key = (unit, engine.id, len(before))
        if key not in self._merged:
            self._merged[key] = _any_of(sorted(before, key=lambda one: _is_told(one, engine)))
        return self._merged[key]

    def _of_page(self, unit: str, engine: Engine) -> list[Image]:
        """The images of an engine in a guide, in order, each reference once."""
        if (unit, engine.id) not in self._pages:
            ours = [one for one in self._images[unit] if resolve_image(one, (engine,)) is not None]
            ours.sort(key=lambda image: image.span)
            first = {image.reference.readings: image for image in reversed(ours)}
            self._pages[unit, engine.id] = sorted(first.values(), key=lambda image: image.span)
        return self._pages[unit, engine.id]

    def pins(self, path: str, packages: Sequence[str]) -> tuple[Requirement, ...]:
        """What the nearest directory at or above ``path`` says of a package."""
        directory = path.rpartition("/")[0]
        while True:
            found = [pin for pin in self._pins.get(directory, ()) if pin.name in packages]
            if found:
                return _surest(found)
            if not directory:
                return ()
            directory = directory.rpartition("/")[0]


def _surest(pins: Sequence[Requirement]) -> tuple[Requirement, ...]:
    """What a directory says: its locks and exact pins; files for tests speak only when alone.

    Ranges count where nothing is exact, and where another file than theirs is.
    """
    main = [pin for pin in pins if not _OTHER_PURPOSE.search(pin.span.path)] or pins
    exact = [pin for pin in main if pin.kind in ("locked", "pinned")]
    if any(pin.kind == "locked" for pin in exact):
        return tuple(exact)
    best = min(_KIND_ORDER.index(pin.kind) for pin in main)
    return tuple(pin for pin in main if _KIND_ORDER.index(pin.kind) == best)


def components(facts: Sequence[Fact], engines: Sequence[Engine]) -> tuple[Component, ...]:
    """Every server and router of a known engine that the facts would run."""
    around = Surroundings(facts)
    reader = CommandReader(engines)
    found: list[Component] = []
    for fact in facts:
        if isinstance(fact, Launch) and fact.form != "used":
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


def _is_told(image: Image, engine: Engine) -> bool:
    """True when the version in an image of the engine is known."""
    resolved = resolve_image(image, (engine,))
    return resolved is not None and not resolved[1].reason


def _any_of(images: Sequence[Image]) -> Image:
    """One image that is any of several; each reading keeps the place where it is written."""
    values = (
        Value(
            tuple(
                tuple(replace(part, trail=(image.reference.span, *part.trail)) for part in parts)
                for parts in image.reference.readings
            ),
            image.reference.span,
        )
        for image in images
    )
    first = images[0]
    reference = one_of(values, first.reference.span)
    return Image(span=first.span, owner=Route(first.owner.unit), reference=reference)


def _same_script(step: Requirement, launch: Launch) -> bool:
    """True for commands of one text: their routes end in a kind and a number.

    The blocks of a guide are typed one after the other, as one text.
    """
    if Route(step.owner.unit, step.owner.steps[:-2]).holds(launch.owner):
        return True
    is_typed = _is_typed(step.owner) and _is_typed(launch.owner)
    return is_typed and step.span.start < launch.span.start


def _is_typed(owner: Route) -> bool:
    """True for a command of a guide, and what it runs; not for one in a file that a guide shows."""
    return owner.on_page and owner.steps[BLOCK : BLOCK + 1] == ("command",)


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
