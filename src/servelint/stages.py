"""What a stage of a Dockerfile holds: what its steps install, and what the stages before it did.

A service that is built runs the image of a stage: it gets what that stage holds.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from itertools import islice

from servelint.builds import is_stage
from servelint.facts import Image, Launch, Requirement, Setting, Uses
from servelint.source import Route
from servelint.value import unknown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from servelint.builds import Build
    from servelint.facts import Fact
    from servelint.value import Value

FROM = "stage"
"""How a stage uses the one that it starts from; the key of the setting that names a stage."""

COPIED = "stage-packages"
"""How a stage uses one of which it takes a directory of packages."""

ENTRY = "entrypoint"
"""The key of the settings that hold the words of an entry point in the form of a list."""

FILES = "stage-files"
"""How a stage uses one of which it takes other files: that one has to be built."""

MAX_SERVICES = 200
"""Services of a run that get what their Dockerfile says; others keep what they say themselves."""

MAX_INSTALLS = 200
"""Installs of one stage that are told again of another."""


def handed_on(facts: Iterable[Fact]) -> Iterator[Requirement]:
    """The installs of earlier stages once more, owned by the stages that hold them, too.

    Of packages that are copied from one stage to another it is not known
    whether the copy is the version that was installed: it may be a part of it.
    """
    own: dict[Route, list[Requirement]] = defaultdict(list)
    uses: list[Uses] = []
    for fact in facts:
        if isinstance(fact, Uses) and fact.how in (FROM, COPIED):
            uses.append(fact)
        elif isinstance(fact, Requirement) and fact.runs and _stage(fact.owner) is not None:
            own[_stage(fact.owner) or fact.owner].append(fact)
    for use in sorted(uses, key=lambda use: (*use.owner.steps[-1:], use.how != FROM)):
        base = Route(use.owner.unit, (*use.owner.steps[:-1], int(use.target)))
        for step in own[base][:MAX_INSTALLS]:
            copy = replace(step, owner=use.owner.child(*step.owner.steps[len(base.steps) :]))
            copy = replace(copy, variant=use.variant)
            if use.how == COPIED:
                copy = _somehow(copy)
            own[use.owner].append(copy)
            yield copy


def _somehow(step: Requirement) -> Requirement:
    value = step.version or step.specifier
    text, trail = (value.written, value.trail) if value is not None else ("", ())
    version = unknown("runtime-value", text, value.span if value is not None else step.span, trail)
    return replace(step, kind="pinned", version=version, specifier=None)


def _stage(owner: Route) -> Route | None:
    """The stage around a route; None outside of Dockerfiles."""
    for at, step in enumerate(owner.steps[:-1]):
        if step == "stage" and isinstance(owner.steps[at + 1], int):
            return Route(owner.unit, owner.steps[: at + 2])
    return None


def started(facts: Iterable[Fact], builds: Iterable[Build]) -> Iterator[Build]:
    """The builds of services in whose images something is started."""
    starts: dict[str, list[Route]] = defaultdict(list)
    for fact in facts:
        if isinstance(fact, Launch):
            starts[fact.owner.unit].append(fact.owner)
    running = (
        build
        for build in builds
        if build.runs and any(map(build.owner.holds, starts[build.owner.unit]))
    )
    yield from islice(running, MAX_SERVICES)


def unnamed(facts: Iterable[Fact], held: Iterable[Fact]) -> Iterator[Fact]:
    """The facts without the name that an image gets when it is built.

    It tells nothing of what is in the image; ``held`` does, where a Dockerfile was found.
    """
    owners = {fact.owner for fact in held if isinstance(fact, Image)}
    for fact in facts:
        is_image = isinstance(fact, Image) and fact.owner in owners
        if not (is_image and fact.reference.texts is None):  # type: ignore[attr-defined]
            yield fact


def run_by(build: Build, facts: Sequence[Fact]) -> tuple[Image | Requirement, ...]:
    """The image and the installs of what a service builds, owned by the service.

    ``facts`` are those of the Dockerfile, bound with the arguments of the service, those handed
    on among them.
    """
    stage = _built(build, facts)
    if stage is None:
        return ()
    held: list[Image | Requirement] = []
    for fact in facts:
        if isinstance(fact, Image) and fact.owner == stage:
            held.append(replace(fact, owner=build.owner, variant=""))
        elif isinstance(fact, Requirement) and fact.runs and stage.holds(fact.owner):
            held.append(replace(fact, owner=build.owner.child("build"), variant=""))
    return tuple(held) if any(isinstance(fact, Image) for fact in held) else ()


def entry_of(build: Build, facts: Sequence[Fact]) -> tuple[Value, ...]:
    """The words of the entry point of what a service builds, where it takes further ones."""
    stage = _built(build, facts)
    return tuple(
        fact.value
        for fact in facts
        if isinstance(fact, Setting) and fact.key == ENTRY and fact.owner == stage
    )


def with_entry(facts: Iterable[Fact], entries: Mapping[Route, tuple[Value, ...]]) -> Iterator[Fact]:
    """The facts, entry points put before the commands of services that begin with an option."""
    for fact in facts:
        words: tuple[Value, ...] = ()
        if entries and isinstance(fact, Launch) and fact.argv and fact.argv[0].head[:1] == "-":
            steps = fact.owner.steps
            around = (Route(fact.owner.unit, steps[:size]) for size in range(len(steps), 0, -1))
            words = next((entries[route] for route in around if route in entries), ())
        yield replace(fact, argv=(*words, *fact.argv)) if words else fact  # type: ignore[attr-defined,call-arg]


def with_reach(builds: Sequence[Build], facts: Iterable[Fact]) -> Iterator[Build]:
    """The builds with the stages that they need."""
    inside: dict[str, list[Fact]] = {build.path: [] for build in builds}
    for fact in facts:
        if fact.owner.unit in inside:
            inside[fact.owner.unit].append(fact)
    known: dict[tuple[str, str | None], frozenset[int] | None] = {}
    for build in builds:
        key = (build.path, build.target)
        if key not in known:
            last = _built(build, inside[build.path])
            known[key] = None if last is None else _below(last, inside[build.path])
        yield replace(build, stages=known[key])


def _below(last: Route, facts: Iterable[Fact]) -> frozenset[int]:
    """The numbers of a stage and of all that it is made with."""
    made_with: dict[int, list[int]] = defaultdict(list)
    for fact in facts:
        if isinstance(fact, Uses) and fact.how in (FROM, COPIED, FILES) and is_stage(fact.owner):
            made_with[int(fact.owner.steps[1])].append(int(fact.target))
    found: set[int] = set()
    todo = [int(last.steps[1])]
    while todo:
        stage = todo.pop()
        if stage not in found:
            found.add(stage)
            todo.extend(made_with[stage])
    return frozenset(found)


def _built(build: Build, facts: Iterable[Fact]) -> Route | None:
    """The stage that a build ends with."""
    around = (_stage(fact.owner) for fact in facts)
    stages = {stage for stage in around if stage is not None and is_stage(stage)}
    if build.target is None:
        return max(stages, key=lambda stage: stage.steps[1:], default=None)
    for fact in facts:
        is_name = isinstance(fact, Setting) and fact.key == FROM and fact.owner in stages
        if is_name and fact.value.text == build.target.lower():  # type: ignore[attr-defined]
            return fact.owner
    number = build.target
    return next((stage for stage in stages if str(stage.steps[1]) == number), None)
