"""Who builds a Dockerfile, with which arguments, and what its words come to with these.

A build argument crosses from one file into another: from a compose file, a
workflow, a Makefile or a script into the Dockerfile that they build.
"""

from __future__ import annotations

import os
import re
from collections import defaultdict
from dataclasses import dataclass, field, replace

from servelint.context import context_of
from servelint.facts import Env, Launch, Setting, Uses
from servelint.syntax.dockerfile_patterns import apply
from servelint.syntax.dockerfile_pieces import BadWordError, Literal, Variable, pieces
from servelint.syntax.image_builds import BuildCommand, build_command
from servelint.value import Open, Text, Unknown, unknown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from servelint.facts import Fact
    from servelint.source import Route, Span
    from servelint.value import Parts, Value

BUILD = "build"
"""How a Dockerfile is used that is built, and the last step of the owner of its arguments."""

MAX_BUILDS = 200
"""Builds of one Dockerfile: with more, what they give is not kept apart."""

_ARGUMENT = re.compile(r"ARG (\w+)(.*)\Z", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Build:
    """One place that builds a Dockerfile.

    ``path`` is the Dockerfile, ``target`` the stage: None for the last one,
    empty for one that is not known. ``runs`` tells what starts the image from
    what only makes it. ``stages`` are the numbers of those that it needs; None
    when that is not known. Words of which nothing is known may give more
    arguments; so may anybody by hand, and defaults count all the same.
    """

    owner: Route
    path: str
    span: Span
    target: str | None = None
    arguments: Mapping[str, Value] = field(default_factory=dict)
    runs: bool = False
    stages: frozenset[int] | None = None

    @property
    def key(self) -> tuple[object, ...]:
        """What makes two builds the same image."""
        return (self.path, self.target, *self.arguments.items())


class Arguments:
    """What the callers of a Dockerfile give for its arguments."""

    def __init__(self, builds: Iterable[Build]) -> None:
        self._builds = tuple(builds)
        self._needing: dict[str | int | None, tuple[Build, ...]] = {}

    def choices(self, part: Open, owner: Route) -> tuple[tuple[Parts, ...], bool] | None:
        """What an open name of a stage may be, and whether it may also be left as it is.

        None when it is no argument, or one that nobody gives.
        """
        match = _ARGUMENT.match(part.name)
        if match is None:
            return None
        found: dict[Parts, None] = {}
        may_stay = False
        builds = self._of(owner)
        if len(builds) > MAX_BUILDS:
            return ((Unknown("many-values", part.text),),), True
        for build in builds:
            value = build.arguments.get(match[1])
            if value is not None:
                readings = tuple(_traced(parts, part, value.span) for parts in value.readings)
                found.update((_changed(match[0][4:], part, parts), None) for parts in readings)
                # A default is still worth showing beside what cannot be known.
                may_stay = may_stay or value.texts is None
                continue
            may_stay = True
        return (tuple(found), may_stay) if found else None

    def _of(self, owner: Route) -> tuple[Build, ...]:
        """The builds that need a stage; all, where none is known to."""
        stage = owner.steps[1] if len(owner.steps) > 1 else None
        if stage not in self._needing:
            needing = (one for one in self._builds if one.stages is None or stage in one.stages)
            self._needing[stage] = tuple(needing) or self._builds
        return self._needing[stage]


def is_stage(owner: Route) -> bool:
    """True for a stage of a Dockerfile that is a file of its own."""
    return len(owner.steps) == 2 and owner.steps[0] == "stage" and isinstance(owner.steps[1], int)


def _traced(parts: Parts, part: Open, span: Span) -> Parts:
    """Parts that came through a place of the caller; a name that is open there stays unknown.

    What is unknown as a whole is told as the Dockerfile writes it.
    """
    if len(parts) == 1 and not isinstance(parts[0], Text):
        reason = parts[0].reason if isinstance(parts[0], Unknown) else "unset-variable"
        return (Unknown(reason, part.text, (span, *parts[0].trail)),)
    return tuple(
        Unknown("unset-variable", one.text, (span, *one.trail))
        if isinstance(one, Open)
        else replace(one, trail=(span, *one.trail))
        for one in parts
    )


def _changed(expression: str, part: Open, given: Parts) -> Parts:
    """What ``${NAME#pattern}`` and its relatives make of a given value."""
    if expression.isidentifier():
        return given
    trail = tuple(dict.fromkeys(span for piece in given for span in piece.trail))
    value = "".join(piece.text for piece in given) if _is_known(given) else None
    text = None if value is None else _worked_out(f"${{{expression}}}", value)
    if text is None:
        return (Unknown("runtime-value", part.text, trail),)
    return (Text(text, trail),)


def _is_known(parts: Parts) -> bool:
    return all(isinstance(part, Text) for part in parts)


def _worked_out(written: str, value: str) -> str | None:
    """The text of one substitution whose words are plain; None when that cannot be told."""
    try:
        (found,) = pieces(written, 0, len(written), "\\")
    except (BadWordError, ValueError):
        return None
    if not isinstance(found, Variable):
        return None
    words = []
    for word in (found.word, found.replacement):
        if not all(isinstance(piece, Literal) for piece in word):
            return None
        words.append("".join(written[slice(*piece.place)] for piece in word))
    if found.operator in ("+", ":+"):
        return words[0] if value or found.operator == "+" else ""
    return apply(found.operator, value, *words)


def builds_of(facts: Iterable[Fact]) -> tuple[Build, ...]:
    """The builds of Dockerfiles that were read, by bound facts."""
    kept = tuple(facts)
    known = {fact.owner.unit for fact in kept if is_stage(fact.owner)}
    if not known:
        return ()
    given: dict[Route, list[Env | Setting]] = defaultdict(list)
    for fact in kept:
        if isinstance(fact, Env | Setting) and fact.owner.steps[-1:] == (BUILD,):
            given[fact.owner].append(fact)
    found: list[Build] = []
    for fact in kept:
        if isinstance(fact, Uses) and fact.how == BUILD and fact.target in known:
            found.append(_declared(fact, given[fact.owner.child(BUILD)]))
        elif isinstance(fact, Launch):
            found.extend(_run(fact, known))
    return tuple(found)


def speaking(builds: Iterable[Build]) -> Iterator[Build]:
    """The builds that say what a Dockerfile comes to: not those of tests and guides."""
    for build in builds:
        context = context_of(build.owner.unit)
        if context not in ("docs", "test") or context == context_of(build.path):
            yield build


def candidates(fact: Fact) -> tuple[str, ...]:
    """Paths of which the first that exists is the Dockerfile that a fact builds."""
    if isinstance(fact, Uses) and fact.how == BUILD:
        return (fact.target,)
    command = build_command(fact.argv) if isinstance(fact, Launch) else None
    return tuple(_around(fact.span.path, command)) if command is not None else ()


def _around(path: str, command: BuildCommand) -> Iterator[str]:
    """The files that a command may mean: it runs beside its script or further up."""
    directory = os.path.dirname(path)
    while True:
        for file in command.files():
            target = os.path.normpath(os.path.join(directory, file))
            if not target.startswith(("../", "/")):
                yield target
        if not directory:
            return
        directory = os.path.dirname(directory)


def _declared(use: Uses, given: Iterable[Env | Setting]) -> Build:
    arguments: dict[str, Value] = {}
    target: str | None = None
    for fact in given:
        if isinstance(fact, Env):
            arguments[fact.name.removeprefix("ARG ")] = fact.value
        elif fact.key == "target":
            target = fact.value.text or ""
    return Build(use.owner, use.target, use.span, target, arguments, runs=True)


def _run(launch: Launch, known: set[str]) -> Iterator[Build]:
    command = build_command(launch.argv)
    if command is None:
        return
    path = next((path for path in _around(launch.span.path, command) if path in known), None)
    if path is None:
        return
    exported = {env.name: env.value for env in launch.env}
    arguments: dict[str, Value] = {}
    for name, value, span in command.arguments:
        given = value if value is not None else exported.get(name)
        arguments[name] = given or unknown("runtime-value", f"${{{name}}}", span)
    target = None if command.target is None else command.target.text or ""
    yield Build(launch.owner, path, launch.span, target, arguments)
