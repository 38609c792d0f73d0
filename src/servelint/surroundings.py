"""What stands around a launch: images, variables, installs and packages, by route or directory."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import replace

from servelint.facts import Env, Image, Launch, Requirement, Setting
from servelint.resolve import concerns, resolve_image
from servelint.source import Route
from servelint.value import Value, one_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from servelint.engine import Engine
    from servelint.facts import Fact

_OTHER_PURPOSE = re.compile(
    r"(?i)(?:(?:test|dev|docs?|lint|constraint|ci)[^/]*\.(?:txt|in|ya?ml)|(?:^|/)tox\.ini)\Z"
)
"""Files of requirements that are not for what runs in production."""

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
        self._image_of: dict[Route, Image] = {}
        self._env: dict[Route, list[Env]] = defaultdict(list)
        self._settings: dict[Route, list[Setting]] = defaultdict(list)
        self._pins: dict[str, list[Requirement]] = defaultdict(list)
        self._installs: dict[str, list[Requirement]] = defaultdict(list)
        self._installs_in: dict[str, dict[int, list[Requirement]]] = {}
        self._pages: dict[tuple[str, str], list[Image]] = {}
        self._merged: dict[tuple[str, str, int], Image] = {}
        for fact in facts:
            if isinstance(fact, Image):
                self._images[fact.owner.unit].append(fact)
                self._image_of.setdefault(fact.owner, fact)
            elif isinstance(fact, Env):
                self._env[fact.owner].append(fact)
            elif isinstance(fact, Setting):
                self._settings[fact.owner].append(fact)
            elif isinstance(fact, Requirement) and fact.runs:
                self._installs[fact.owner.unit].append(fact)
            elif isinstance(fact, Requirement):
                self._pins[fact.span.path.rpartition("/")[0]].append(fact)

    def image(self, owner: Route) -> Image | None:
        """The image of the nearest structure around ``owner`` that names one itself."""
        around = (self._image_of.get(route) for route in reversed(_outward(owner)))
        return next((image for image in around if image is not None), None)

    def env(self, launch: Launch) -> tuple[Env, ...]:
        """The variables that a launch sees, the nearest setting last."""
        around = (*_outward(launch.owner), launch.owner.child(APART))
        return (*(env for route in around for env in self._env.get(route, ())), *launch.env)

    def settings(self, launch: Launch) -> tuple[Setting, ...]:
        """What is set of the structures around a launch, in the variant in which it runs."""
        return tuple(
            setting
            for route in _outward(launch.owner)
            for setting in self._settings.get(route, ())
            if setting.variant in ("", launch.variant)
        )

    def installed(self, launch: Launch, engine: Engine) -> tuple[Requirement, ...]:
        """The packages that commands install where the launch runs: its script, its image.

        Whether such a command runs, and when, is not asked: all of them may.
        """
        image = self.image(launch.owner)
        return tuple(
            step
            for step in self._installs_of(launch.owner.unit).get(id(image), ())
            if concerns(step, engine) and (image is not None or _same_script(step, launch))
        )

    def _installs_of(self, unit: str) -> dict[int, list[Requirement]]:
        """The installs of a unit by the image that they run in, or none."""
        if unit not in self._installs_in:
            found: dict[int, list[Requirement]] = defaultdict(list)
            for step in self._installs[unit]:
                found[id(self.image(step.owner))].append(step)
            self._installs_in[unit] = found
        return self._installs_in[unit]

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

    def pins(self, path: str, engine: Engine) -> tuple[Requirement, ...]:
        """What the nearest directory at or above ``path`` says of the packages of an engine.

        A package that only brings the engine counts where the engine itself is not named.
        """
        directory = path.rpartition("/")[0]
        while True:
            here = [pin for pin in self._pins.get(directory, ()) if concerns(pin, engine)]
            found = [pin for pin in here if pin.name in engine.packages] or here
            if found:
                return _surest(found)
            if not directory:
                return ()
            directory = directory.rpartition("/")[0]


def _outward(owner: Route) -> list[Route]:
    """The structures around ``owner`` and itself, the outermost first."""
    sizes = range(len(owner.steps) + 1)
    return [Route(owner.unit, owner.steps[:size]) for size in sizes]


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
