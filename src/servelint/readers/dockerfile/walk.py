"""The walk over the instructions of a Dockerfile, from the first to the last."""

from __future__ import annotations

import re
from dataclasses import replace

from servelint.facts import Image, Setting
from servelint.finding import Skip
from servelint.readers.dockerfile.assignments import arguments, environment
from servelint.readers.dockerfile.command import command, ran, shell
from servelint.readers.dockerfile.files import file_source, run_source
from servelint.readers.dockerfile.origins import origins
from servelint.readers.dockerfile.scope import (
    PLATFORM,
    Budget,
    Held,
    Scope,
    TooMuchError,
    reference,
    settled,
)
from servelint.readers.dockerfile.stage import FILES, PACKAGES, SILENT, Stage
from servelint.syntax.dockerfile_pieces import BadWordError
from servelint.syntax.dockerfile_words import blank_words
from servelint.value import Value, known

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from servelint.facts import Fact
    from servelint.source import Source, Span
    from servelint.syntax.dockerfile import Dockerfile, Instruction
    from servelint.value import Parts

    Found = Iterator[Fact | Source | Skip]

_TEMPLATE_NAME = re.compile(r"(?i)\.(?:j2|jinja2?|tpl|tmpl|gotmpl|template|erb|mustache)\Z")


class Walk:
    """One walk; what it has learned so far is its state."""

    def __init__(self, source: Source, dockerfile: Dockerfile) -> None:
        self._source = source
        self._dockerfile = dockerfile
        self._budget = Budget()
        self._before = Scope(dockerfile.escape, inside=False, budget=self._budget)
        for name in PLATFORM:
            self._before.held[name] = Held("PLATFORM")
        self._stages: list[Stage] = []
        self._named: dict[str, Stage] = {}
        self._names = frozenset(_stage_names(dockerfile))
        self._here = source.span(0, 0)
        self._refused = False
        self._is_template = dockerfile.template is not None
        self._readers = {
            "FROM": self._from,
            "ARG": self._arg,
            "ENV": self._env,
            "RUN": self._run,
            "COPY": self._copy,
            "ADD": self._copy,
            "CMD": self._cmd,
            "ENTRYPOINT": self._entrypoint,
            "SHELL": self._shell,
            "WORKDIR": self._workdir,
        }

    def here(self) -> Span:
        """Where the walk stands."""
        return self._here

    def facts(self) -> Found:
        """All facts, then what the stages start.

        What only some target holds says so, which the last stage tells.
        """
        found: list[tuple[int, Fact | Source | Skip]] = []
        stopped: TooMuchError | None = None
        try:
            found.extend((len(self._stages) - 1, item) for item in self._walked())
        except TooMuchError as error:
            stopped = error
        others = dict(self._beside_the_last())
        for number, item in found:
            if isinstance(item, Skip) or number not in others:
                yield item
            else:
                yield replace(item, variant=others[number])
        if stopped is not None:
            raise stopped
        for stage in self._stages:
            yield from stage.entry()
            yield from stage.launches(is_last=stage is self._stages[-1])

    def _beside_the_last(self) -> Iterator[tuple[int, str]]:
        """The variants of the stages that the last one is not made from, by number."""
        last = self._stages[-1] if self._stages else None
        chain = set()
        while last is not None:
            chain.add(last.index)
            last = last.base
        for stage in self._stages:
            if stage.index not in chain:
                yield stage.index, stage.variant

    def _walked(self) -> Found:
        for instruction in self._dockerfile.instructions:
            line = self._line(instruction)
            self._here = line.span(0, len(line.text))
            try:
                yield from self._instruction(instruction, line)
            except BadWordError as error:
                at = min(error.offset, len(line.text) - 1)
                yield self._skip("syntax", f"expected {error}", line.span(at, len(line.text)))
        if self._stages:
            yield from self._stages[-1].run_env()

    def _line(self, instruction: Instruction) -> Source:
        steps = ("stage", len(self._stages) - 1) if self._stages else ()
        return self._source.embed(
            instruction.text, instruction.segments, "dockerfile", *steps, container=True
        )

    def _skip(self, reason: str, detail: str, span: Span) -> Skip:
        return Skip(self._source.path, "read", reason, detail, span)

    def _instruction(self, instruction: Instruction, line: Source) -> Found:
        name = instruction.name
        reader = self._readers.get(name)
        is_known = reader is not None or name in SILENT
        if is_known and (self._stages or name in ("FROM", "ARG")):
            self._refused = self._refused and not self._stages
            if reader is not None:
                yield from reader(instruction, line)
        elif line.text.startswith(("{{", "{%", "{#")) and not self._is_template:
            self._is_template = True
            yield from template_skip(self._source, self._here)
        elif not (self._refused or self._is_template):
            self._refused = True  # what follows of the same kind is not told again
            expected = "FROM before it" if is_known else "an instruction"
            yield self._skip("syntax", f"expected {expected}", self._here)

    # -- stages and variables -----------------------------------------------------

    def _from(self, instruction: Instruction, line: Source) -> Found:
        if self._stages:
            yield from self._stages[-1].run_env()
        index = len(self._stages)
        scope = Scope(self._dockerfile.escape, inside=True, budget=self._budget)
        stage = Stage(index, self._source.owner.child("stage", index), scope)
        self._stages.append(stage)
        words = blank_words(line.text, *instruction.arguments)
        texts = [line.text[slice(*word)] for word in words]
        if len(words) not in (1, 3) or (len(words) == 3 and texts[1].lower() != "as"):
            raise BadWordError("FROM IMAGE or FROM IMAGE AS NAME", instruction.arguments[0])
        image = self._before.value(line, words[0])
        text = settled(image.readings[0])
        base = self._named.get(text.lower()) if text else None
        if base is not None:
            yield from stage.inherit(base, image.span)
        elif text not in ("scratch", ""):
            stage.image = image
        if len(words) == 3:
            yield from stage.named(texts[2], line.span(*words[2]))
            self._named[stage.name] = stage
        yield from stage.image_fact()

    def _arg(self, instruction: Instruction, line: Source) -> Found:
        scope = self._stages[-1].scope if self._stages else self._before
        for one in arguments(line, instruction.arguments, scope):
            held = self._before.held.get(one.name) if one.value is None else None
            if held is None:
                parts, at = _parts_and_span(one.value)
                held = Held("ARG", parts, at)
            if not self._stages:
                self._before.held[one.name] = held
                continue
            span = line.span(*one.place)
            seen = Value((reference(held, one.name, f"${{{one.name}}}"),), held.span or span)
            self._stages[-1].set_arg(one.name, held, seen, span)
        yield from ()

    def _env(self, instruction: Instruction, line: Source) -> Found:
        stage = self._stages[-1]
        for one in environment(line, instruction.arguments, stage.scope):
            if one.value is not None:
                yield stage.set_env(one.name, one.value, line.span(*one.place))

    # -- what is run and started ----------------------------------------------------

    def _shell(self, instruction: Instruction, line: Source) -> Found:
        self._stages[-1].shell = shell(line, instruction.arguments)
        yield from ()

    def _workdir(self, instruction: Instruction, line: Source) -> Found:
        stage = self._stages[-1]
        if instruction.arguments[0] < instruction.arguments[1]:
            value = stage.scope.value(line, instruction.arguments)
            yield Setting(span=value.span, owner=stage.route, key="workdir", value=value)

    def _cmd(self, instruction: Instruction, line: Source) -> Found:
        stage = self._stages[-1]
        stage.cmd = command(line, instruction.arguments, stage.shell)
        stage.starts = stage.has_cmd = True
        yield from ()

    def _entrypoint(self, instruction: Instruction, line: Source) -> Found:
        """Like docker, forget a CMD that an earlier stage gave."""
        stage = self._stages[-1]
        stage.entrypoint = command(line, instruction.arguments, stage.shell)
        stage.starts = True
        if not stage.has_cmd:
            stage.cmd = None
        yield from ()

    def _run(self, instruction: Instruction, line: Source) -> Found:
        stage = self._stages[-1]
        steps = ("run", stage.count("run"))
        yield from self._taken_from(line, instruction, "mount")
        if instruction.heredocs:
            yield from run_source(
                self._source,
                instruction,
                (*stage.steps, *steps),
                reads_shell=stage.shell.is_read,
            )
            return
        done = command(line, instruction.arguments, stage.shell)
        if done.text is not None and done.is_read:
            text = replace(done.text, language="shell", owner=stage.route.child(*steps))
            yield replace(text, doubtful=instruction.deferred)
        yield from ran(done.listed, stage.route.child(*steps), surely=not instruction.deferred)

    # -- files ----------------------------------------------------------------------

    def _copy(self, instruction: Instruction, line: Source) -> Found:
        yield from self._taken_from(line, instruction, "copy")
        yield from self._stages[-1].copied(line, instruction.arguments)
        if not instruction.heredocs:
            return
        stage = self._stages[-1]
        words = blank_words(line.text, *instruction.arguments)
        if len(words) <= len(instruction.heredocs):
            raise BadWordError("a path behind the here-documents", instruction.arguments[1])
        target = settled(stage.scope.value(line, words[-1]).readings[0])
        if not target:
            return  # a path that is known when it is built
        for heredoc in instruction.heredocs:
            path = f"{target}{heredoc.mark.name}" if target.endswith("/") else target
            found = file_source(self._source, heredoc, path, (*stage.steps, "file", path))
            if found is not None:
                yield from stage.filled_in(found[1], path)
                yield found[0]

    def _taken_from(self, line: Source, instruction: Instruction, how: str) -> Found:
        """What a step takes from images and from other stages."""
        stage = self._stages[-1]
        for origin in origins(line.text, instruction, how):
            span = line.span(*origin.place)
            if not (origin.name.isdecimal() or origin.name.lower() in self._names):
                owner = stage.route.child(how, stage.count(how))
                yield Image(span=span, owner=owner, reference=known(origin.name, span))
                continue
            other = self._earlier(origin.name.lower())
            if other is not None:
                yield stage.takes(other, PACKAGES if origin.is_whole else FILES, span)

    def _earlier(self, name: str) -> Stage | None:
        """The stage of a name or a number before the one that is read."""
        other = self._named.get(name)
        if other is None:
            other = next((stage for stage in self._stages if str(stage.index) == name), None)
        return None if other is self._stages[-1] else other


def template_skip(source: Source, span: Span) -> Iterator[Skip]:
    """That something else makes a Dockerfile of a text which is not called one.

    In a file with a plain name the values that are filled in are unknown, and that says enough.
    """
    if _TEMPLATE_NAME.search(source.path):
        detail = "looks like a template: its own lines are left out, all its branches are read"
        yield Skip(source.path, "read", "template", detail, span)


def _parts_and_span(value: Value | None) -> tuple[Parts | None, Span | None]:
    return (None, None) if value is None else (value.readings[0], value.span)


def _stage_names(dockerfile: Dockerfile) -> Iterator[str]:
    for one in dockerfile.instructions:
        words = blank_words(one.text, *one.arguments) if one.name == "FROM" else ()
        if len(words) == 3:
            yield one.text[slice(*words[2])].lower()
