"""One stage of a Dockerfile: what it starts from, what it sets, what it runs."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from servelint.facts import Env, Image, Setting, Uses
from servelint.readers.dockerfile.command import Shell, started, word_value
from servelint.readers.dockerfile.scope import Held
from servelint.syntax.dockerfile_words import blank_words
from servelint.value import Open, known, one_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from servelint.facts import Launch
    from servelint.readers.dockerfile.command import Command
    from servelint.readers.dockerfile.scope import Scope
    from servelint.source import Route, Source, Span
    from servelint.syntax.dockerfile_words import Place
    from servelint.value import Value

STAGE = "stage"
"""How a stage uses the one that it starts from, by number; the key of the name of a stage."""

PACKAGES = "stage-packages"
"""How a stage uses one from which it copies a directory of installed packages."""

ENTRY = "entrypoint"
"""The key of the settings that hold the words of an entry point in the form of a list."""

COPIED = "copied"
"""The key of the settings that say where files of the build were put."""

SILENT = frozenset({"LABEL", "MAINTAINER", "EXPOSE", "VOLUME", "USER", "STOPSIGNAL", "HEALTHCHECK"})
"""Instructions that say nothing of images, environment or commands."""

FILES = "stage-files"
"""How a stage uses one from which it takes other files."""


@dataclass(slots=True)
class Stage:
    """A stage while it is read.

    ``route`` owns its image, its environment and what it starts; ``image`` is
    what it starts from in the end, through any number of stages, of which
    ``base`` is the nearest. ``seen`` holds every value that a name has for some RUN.
    """

    index: int
    route: Route
    scope: Scope
    name: str = ""
    base: Stage | None = None
    image: Value | None = None
    shell: Shell = field(default_factory=Shell)
    entrypoint: Command | None = None
    cmd: Command | None = None
    starts: bool = False
    has_cmd: bool = False
    env: dict[str, Env] = field(default_factory=dict)
    seen: dict[str, list[Env]] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)

    @property
    def variant(self) -> str:
        """What holds only where this stage is asked for."""
        return f"target {self.name or self.index}"

    def named(self, name: str, span: Span) -> Iterator[Setting]:
        """Take a name, by which a build can ask for the stage."""
        self.name = name.lower()
        value = known(self.name, span)
        yield Setting(span=span, owner=self.route, key=STAGE, value=value)

    def takes(self, other: Stage, how: str, span: Span) -> Uses:
        """That this stage holds what another one of the file installed."""
        return Uses(span=span, owner=self.route, target=str(other.index), how=how)

    def inherit(self, base: Stage, span: Span) -> Iterator[Env | Uses]:
        """Go on where an earlier stage ended; its environment counts as set here once more."""
        self.base = base
        yield self.takes(base, STAGE, span)
        self.scope.budget.spend(len(base.env) + len(base.scope.held) + len(base.seen))
        self.image, self.shell = base.image, base.shell
        self.entrypoint, self.cmd = base.entrypoint, base.cmd
        self.scope.held.update(base.scope.held)
        for name, env in base.env.items():
            self.env[name] = replace(env, owner=self.route)
            self.seen[name] = [self.env[name]]
        for name, every in base.seen.items():
            if name not in self.env:
                self.seen[name] = every[-1:]
        yield from self.env.values()

    @property
    def steps(self) -> tuple[str | int, ...]:
        """From the owner of the file to the route of the stage."""
        return ("stage", self.index)

    def image_fact(self) -> Iterator[Image]:
        """The image that the stage starts from, standing where its reference is written."""
        if self.image is not None:
            yield Image(span=self.image.span, owner=self.route, reference=self.image)

    def copied(self, line: Source, place: Place) -> Iterator[Setting]:
        """Where COPY and ADD put their files."""
        words = blank_words(line.text, *place)
        text = line.text[slice(*words[-1])].strip('",]') if len(words) > 1 else ""
        if text:
            at = line.text.index(text, words[-1][0])
            span = line.span(at, at + len(text))
            yield Setting(span=span, owner=self.route, key=COPIED, value=known(text, span))

    def count(self, what: str) -> int:
        """How many of ``what`` came before this one."""
        number = self.counts.get(what, 0)
        self.counts[what] = number + 1
        return number

    def set_env(self, name: str, value: Value, span: Span) -> Env:
        """An ENV: for the rest of the build and for what the container runs."""
        env = Env(span=span, owner=self.route, name=name, value=value)
        self.scope.held[name] = Held("ENV", value.readings[0], value.span)
        self.env[name] = env
        every = self.seen.setdefault(name, [])
        if every and _passes_on(name, value):
            every.pop()  # ``ENV A=$A`` keeps what RUN saw before it
        every.append(env)
        return env

    def set_arg(self, name: str, held: Held, value: Value, span: Span) -> None:
        """An ARG: for the rest of the build, unless an ENV of that name is there."""
        known = self.scope.held.get(name)
        if known is None or known.kind != "ENV":
            self.scope.held[name] = held
            env = Env(span=span, owner=self.route.child("run"), name=name, value=value)
            self.seen.setdefault(name, []).append(env)

    def run_env(self) -> Iterator[Env]:
        """What RUN sees beside the environment of the stage.

        These are arguments, which the container does not see, and names that
        were given several values on the way.
        """
        owner = self.route.child("run")
        for name, every in self.seen.items():
            values = list(dict.fromkeys(env.value for env in every))
            if len(values) > 1 or name not in self.env:
                last = every[-1]
                value = one_of(values, last.value.span) if len(values) > 1 else last.value
                yield Env(span=last.span, owner=owner, name=name, value=value)

    def filled_in(self, names: frozenset[str], path: str) -> Iterator[Env]:
        """The arguments that docker writes into a file: the container would not know them."""
        for name in sorted(names):
            if name in self.seen and name not in self.env:
                yield replace(self.seen[name][-1], owner=self.route.child("file", path))

    def entry(self) -> Iterator[Setting]:
        """The words of an entry point that takes further ones from whoever starts the stage."""
        words = self.entrypoint.listed if self.entrypoint is not None else ()
        self.scope.budget.spend(len(words))
        for word in words:
            span = word.span(0, len(word.text))
            yield Setting(span=span, owner=self.route, key=ENTRY, value=word_value(word))

    def launches(self, *, is_last: bool) -> Iterator[Launch | Source]:
        """What a container of the stage starts.

        A stage that only passes on what an earlier one starts is told when it
        is the last: that is the one which is built unless a target is named.
        """
        if not (is_last or self.starts):
            return
        commands = [one for one in (self.entrypoint, self.cmd) if one is not None]
        if not all(one.is_read for one in commands):
            return
        words = [word for one in commands for word in one.words()]
        self.scope.budget.spend(len(words))
        variant = "" if is_last else self.variant
        yield from started(words, self.route, ("cmd",), variant)


def _passes_on(name: str, value: Value) -> bool:
    """True for a variable that is no more than the argument of its name."""
    parts = value.readings[0]
    return len(parts) == 1 and isinstance(parts[0], Open) and parts[0].name == f"ARG {name}"
