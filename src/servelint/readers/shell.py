"""Shell scripts: which commands they run, with which words and environment.

Embedded commands (``bash -c '...'``, ``eval '...'``, ``ssh HOST <<EOF``) and
files that a script writes from a heredoc are handed on as sources of their own.
"""

from __future__ import annotations

import re
from dataclasses import replace

from servelint.facts import Env, Image, Launch, Requirement, Uses
from servelint.finding import Skip
from servelint.readers import claim, claim_text
from servelint.source import Source, Span
from servelint.syntax.bash import TooSlow
from servelint.syntax.bash_commands import without_lead
from servelint.syntax.bash_files import environment_files, sourced_file
from servelint.syntax.bash_images import batch_images, variable_images
from servelint.syntax.bash_inline import (
    REMOTE,
    inline_texts,
    input_texts,
    may_be_inline,
    prefix_texts,
    python_texts,
)
from servelint.syntax.bash_input import (
    is_plain_shell,
    reads_job,
    reads_manifest,
    reads_python,
    reads_script,
    written_names,
)
from servelint.syntax.bash_run import run
from servelint.syntax.bash_values import Values, launch_span
from servelint.syntax.bash_walk import MAX_COMMANDS, MAX_DEPTH
from servelint.syntax.course import INNER, SURELY, course
from servelint.syntax.holes import as_actions
from servelint.syntax.installs import asked_for, installed
from servelint.syntax.python_words import module_words
from servelint.syntax.unwrap import Unwrapped, unwrap

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from servelint.facts import Fact
    from servelint.source import Route
    from servelint.syntax.bash_commands import Item, Run
    from servelint.syntax.bash_fields import Place
    from servelint.syntax.bash_inline import Inline
    from servelint.syntax.bash_run import Command, Outcome
    from servelint.syntax.bash_state import Exported
    from servelint.value import Value


_OUTPUT = re.compile(r"[ \t]*[&\d]?>>?[ \t]*[^\s;&|<>()'\"]+")
"""Where output goes: of texts that differ in nothing else, one is read."""

MAX_TEXTS = (64, 8, 2, 1)
"""Texts that one command may hand on, in a file, in a text of a file, and so on: they multiply."""


def read(source: Source) -> Iterator[Fact | Source | Skip]:
    """The launches of a shell text in the order in which they stand there.

    A command that is the text of an inner shell is a source; a text that is
    too deep, too slow or too broken to read is a skip.
    """
    source = as_actions(source)
    try:
        outcome = run(source.text)
    except TooSlow as error:
        yield _skip(source, "too-slow", f"{error}", (0, 0))
        return
    except RecursionError:
        yield _skip(source, "too-deep", "statements or words nest too deep", (0, 0))
        return
    yield from batch_images(source)
    yield from variable_images(source, outcome.assigned)
    facts = _Facts(source)
    for number, command in enumerate(outcome.commands):
        yield from facts.of(command, number)
    yield from _left_out(source, outcome)


def _left_out(source: Source, outcome: Outcome) -> Iterator[Skip]:
    if outcome.deep is not None:
        detail = f"statements nested more than {MAX_DEPTH} levels deep were left out"
        yield _skip(source, "too-deep", detail, outcome.deep)
    if outcome.capped is not None:
        detail = f"more than {MAX_COMMANDS:,} commands, or words that grow: the rest was left out"
        yield _skip(source, "too-slow", detail, outcome.capped)
    if outcome.broken:
        yield _skip(source, "syntax", "no command can be read", (0, 0))


def _skip(source: Source, reason: str, detail: str, place: Place) -> Skip:
    return Skip(source.path, "read", reason, detail, source.span(*place))


class _Facts:
    """Makes facts from commands, in the coordinates of the file."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._values = Values(source)
        self._exports: dict[int, tuple[Exported, Env]] = {}
        self._environments: dict[int, tuple[object, tuple[Env, ...]]] = {}
        self._handed: list[Place] = []
        installs = "git" in source.text or "install" in source.text  # others are not asked
        self._course = course(source.text if installs else "")

    def of(self, command: Command, number: int) -> Iterator[Fact | Source | Skip]:
        """A launch, or the sources that the command hands to an inner shell."""
        if self._is_handed_on(command.start):
            return
        owner = self._source.owner.child("command", number)
        items = without_lead(command.merged.items)
        argv = tuple(self._values.value(item.field, item.place) for item in items)
        if argv[0].text in ("source", ".") and len(argv) > 1:
            span = self._source.span(command.start, items[-1].place[1])
            yield from sourced_file(argv[1], self._source.path, span, owner)
            return
        inside = unwrap(argv)
        yield from self._container(inside, owner)
        yield from asked_for(inside.installs, self._source.path, owner)
        inner = self._inner(command, number)
        yield from inner
        if any(isinstance(item, Source) and item.language != "python" for item in inner):
            yield from self._assigned(inside.env, owner)
        elif len(argv) > inside.at or inside.entrypoint:
            if len(argv) > inside.at + 2 and argv[inside.at].text == "eval":
                inside = replace(inside, at=inside.at + 1)
            launch = self._launch(command, argv, inside, owner)
            steps = installed(launch.argv, self._source.path, owner, self._source.text)
            yield from map(self._in_doubt, steps) if self._source.doubtful else steps
            yield launch

    def _runs(self, command: Command) -> str:
        """How surely a command runs: see :class:`servelint.facts.Launch`."""
        told = self._course.at(command.start)
        return INNER if told == SURELY and self._source.doubtful else told

    @staticmethod
    def _in_doubt(step: Requirement | Uses) -> Requirement | Uses:
        """A step of a text that may not run itself."""
        if isinstance(step, Requirement) and step.effect == "sure":
            return replace(step, effect="inner")
        return step

    def _launch(
        self, command: Command, argv: tuple[Value, ...], inside: Unwrapped, owner: Route
    ) -> Launch:
        env = self._environment(command.merged)
        if inside.env:
            own = self._assigned(inside.env, owner)
            env = tuple({item.name: item for item in (*env, *own)}.values())
        items = command.merged.items
        words = items[inside.at :] or items
        return Launch(
            span=launch_span(self._source, [item.place for item in words]),
            owner=owner,
            argv=module_words((*inside.entrypoint, *argv[inside.at :])),
            env=env,
            container=self._source.container or inside.apart,
            runs=self._runs(command),
        )

    def _container(self, inside: Unwrapped, owner: Route) -> Iterator[Image | Uses]:
        """The image that the command runs in, or the name of a container, and its files."""
        for file in inside.env_files:
            yield from environment_files(file, self._source.path, owner)
        if inside.image is not None:
            image = inside.image
            yield Image(span=image.span, owner=owner, reference=image, container=inside.named)
        if inside.entered:
            span = self._source.span(0, 0)
            yield Uses(span=span, owner=owner, target=inside.entered, how="container")

    def _inner(self, command: Command, number: int) -> tuple[Source | Skip, ...]:
        """The texts that another reader takes, one for each way to run the command."""
        found: dict[tuple[str, str], Inline] = {}
        apart = self._source.container
        for one in command.runs:
            if one.reads is None and not may_be_inline(one.items):
                continue
            items = without_lead(one.items)
            argv = tuple(self._values.value(item.field, item.place) for item in items)
            inside = unwrap(argv)
            inner = argv[inside.at :]
            apart |= inside.apart or (bool(inner) and inner[0].text == REMOTE)
            given = tuple(self._given(one, argv))
            if not (given and is_plain_shell(inner)):
                text, own = self._source.text, _inner_items(items, argv, inside)
                texts = prefix_texts(text, items, inside.at) or inline_texts(text, own)
                given = (*(("shell", inline) for inline in texts), *given)
                given += tuple(("python", inline) for inline in python_texts(text, own))
            for language, inline in given:
                found.setdefault((language, _OUTPUT.sub("", inline.text)), inline)
        self._handed.extend(
            place
            for (language, _), inline in found.items()
            if language == "shell"
            for place in inline.handed
        )
        return tuple(self._embedded(found, number, container=apart))

    def _embedded(
        self, found: dict[tuple[str, str], Inline], number: int, *, container: bool
    ) -> Iterator[Source | Skip]:
        level = self._source.owner.steps.count("command")
        limit = MAX_TEXTS[min(level, len(MAX_TEXTS) - 1)]
        for way, ((language, _), inline) in enumerate(found.items()):
            if way == limit:
                detail = f"of the texts that one command hands on only {limit} were read"
                yield _skip(self._source, "too-slow", detail, (0, 0))
                return
            steps: tuple[str | int, ...] = ("command", number, *((way,) * (len(found) > 1)))
            pieces = inline.segments
            yield self._source.embed(inline.text, pieces, language, *steps, container=container)

    def _given(self, one: Run, argv: tuple[Value, ...]) -> Iterator[tuple[str, Inline]]:
        """The texts on the standard input that are scripts or files, with their languages."""
        if one.reads is None:
            return
        if reads_script(argv):
            claims = ["shell"]
        elif reads_manifest(argv):
            claims = ["yaml"]
        elif reads_python(argv):
            claims = ["python"]
        elif reads_job(argv):
            claims = ["shebang"]
        else:
            claims = [claim(name) or "shebang" for name in written_names(argv, one)]
        for inline in input_texts(self._source.text, one.reads.field):
            spoken = (claim_text(each, inline.text) for each in claims)
            if language := next(filter(None, spoken), ""):
                yield language, inline

    def _is_handed_on(self, start: int) -> bool:
        """True for a command inside an expansion that an inner shell reads once more."""
        return any(place[0] <= start < place[1] for place in self._handed)

    def _environment(self, one: Run) -> tuple[Env, ...]:
        """The exported variables: mostly the same ones for many commands."""
        known = self._environments.get(id(one.env))
        if known is None:
            made = tuple(map(self._exported, one.env))
            known = self._environments[id(one.env)] = (one.env, made)
        return known[1]

    def _exported(self, export: Exported) -> Env:
        known = self._exports.get(id(export))
        if known is None:
            span, value = (
                self._source.span(*export.place),
                self._values.value(export.field, export.value),
            )
            env = Env(span=span, owner=self._source.owner, name=export.name, value=value)
            known = self._exports[id(export)] = (export, env)
        return known[1]

    def _assigned(self, assigned: Iterable[tuple[str, Value]], owner: Route) -> Iterator[Env]:
        """Assignments among the words: their value stands behind the ``=`` of the word."""
        for name, value in assigned:
            span = value.span
            behind = Span(span.path, span.start + len(name) + 1, span.end)
            plain = behind.end - behind.start == len(value.written)
            yield Env(span=span, owner=owner, name=name, value=value.at(behind if plain else span))


def _inner_items(items: Sequence[Item], argv: Sequence[Value], inside: Unwrapped) -> Sequence[Item]:
    """The words of the command that really runs, its entry point first."""
    first = [
        item
        for item, word in zip(items, argv, strict=True)
        if inside.entrypoint and word is inside.entrypoint[0]
    ]
    return (*first, *items[inside.at :])
