"""Commands that build an image from a Dockerfile: which file, which stage, which arguments.

``docker build``, ``docker buildx build``, ``podman build``, ``nerdctl build`` and ``buildah bud``.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass

from servelint.source import Span
from servelint.syntax.programs import base_name
from servelint.value import Open, Text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from servelint.value import Value

_VERBS = {
    "docker": (("build",), ("buildx", "build"), ("buildx", "b"), ("image", "build")),
    "podman": (("build",), ("buildx", "build"), ("image", "build")),
    "nerdctl": (("build",), ("builder", "build"), ("image", "build")),
    "buildah": (("bud",), ("build",), ("build-using-dockerfile",)),
    "docker-buildx": (("build",), ("b",)),
}
"""Program -> the words with which it builds."""

_BEFORE_VERB = frozenset(
    {"--config", "--context", "--host", "-H", "-c", "--log-level", "--builder"}
)
"""Options of the program itself that take the next word."""

_VALUES = frozenset(
    {
        *(
            "--add-host",
            "--allow",
            "--annotation",
            "--arch",
            "--attest",
            "--authfile",
            "--build-arg",
        ),
        *(
            "--build-arg-file",
            "--build-context",
            "--builder",
            "--cache-from",
            "--cache-to",
            "--call",
        ),
        *(
            "--cap-add",
            "--cap-drop",
            "--cert-dir",
            "--cgroup-parent",
            "--cpu-period",
            "--cpu-quota",
        ),
        *(
            "--cpu-shares",
            "--cpuset-cpus",
            "--cpuset-mems",
            "--creds",
            "--device",
            "--dns",
            "--env",
        ),
        *("--file", "--format", "--from", "--iidfile", "--ignorefile", "--isolation", "--jobs"),
        *("--label", "--logfile", "--manifest", "--memory", "--memory-swap", "--metadata-file"),
        *("--network", "--no-cache-filter", "--os", "--output", "--platform", "--progress"),
        *("--retry", "--runtime", "--secret", "--security-opt", "--shm-size", "--ssh", "--tag"),
        *("--target", "--timestamp", "--ulimit", "--userns", "--variant", "--volume"),
        *("-f", "-t", "-o", "-m", "-c", "-v"),
    }
)
"""Options of a build that take the next word, unless they hold their value already."""

_SHORT = {"-f": "--file", "-t": "--tag", "-o": "--output"}
_NAME = re.compile(r"[A-Za-z_]\w*\Z", re.ASCII)
_REMOTE = re.compile(r"-\Z|[a-z][a-z+]*://|git@|github\.com/")


@dataclass(frozen=True, slots=True)
class BuildCommand:
    """What a command builds.

    ``file``, ``context`` and ``target`` are None where the command does not say.
    The value of an argument is None when it comes from the environment.
    """

    file: Value | None = None
    context: Value | None = None
    target: Value | None = None
    arguments: tuple[tuple[str, Value | None, Span], ...] = ()

    def files(self) -> tuple[str, ...]:
        """Where the Dockerfile may be, seen from where the command runs, likeliest first."""
        context = _path(self.context) if self.context is not None else "."
        if self.file is None:
            names = ("Dockerfile", "Containerfile")
            return tuple(os.path.join(context, name) for name in names) if context else ()
        file = _path(self.file)
        if not file:
            return ()
        return (file, os.path.join(context, file)) if context not in ("", ".") else (file,)


def build_command(argv: Sequence[Value]) -> BuildCommand | None:
    """What a command builds; None for a command that builds no image."""
    at = _behind_verb(argv)
    if at == 0:
        return None
    found = list(_options(argv, at))
    last = {name: value for name, value in found if name}
    others = [value for name, value in found if not name]
    context = next((word for word in others if word.head), others[-1] if others else None)
    return BuildCommand(
        file=last.get("--file"),
        context=context,
        target=last.get("--target"),
        arguments=tuple(_arguments(value for name, value in found if name == "--build-arg")),
    )


def _behind_verb(argv: Sequence[Value]) -> int:
    """The index behind the words with which a program builds; 0 for other commands."""
    verbs = _VERBS.get(base_name(argv[0].text or ""), ()) if argv else ()
    at = 1
    while verbs and at < len(argv) and argv[at].head.startswith("-"):
        at += 2 if argv[at].text in _BEFORE_VERB else 1
    words = tuple(word.text for word in argv[at : at + 2])
    return next((at + len(verb) for verb in verbs if words[: len(verb)] == verb), 0)


def _options(argv: Sequence[Value], at: int) -> Iterator[tuple[str, Value]]:
    """The options with their values, switches left out; the name is empty for other words."""
    while at < len(argv):
        word = argv[at]
        at += 1
        if not word.head.startswith("-") or word.text == "-":
            yield "", word
            continue
        name, equals, _ = word.head.partition("=")
        short = _SHORT.get(word.head[:2], "")
        if equals and name.startswith("--"):
            yield name, _behind(word, len(name) + 1)
        elif name in _VALUES and word.text is not None and at < len(argv):
            yield _SHORT.get(name, name), argv[at]
            at += 1
        elif short and not name.startswith("--"):
            yield short, _behind(word, 2)


def _arguments(words: Iterator[Value]) -> Iterator[tuple[str, Value | None, Span]]:
    for word in words:
        name, equals, _ = word.head.partition("=")
        if _NAME.match(name) and (equals or word.text is not None):
            yield name, _behind(word, len(name) + 1) if equals else None, word.span


def _behind(word: Value, count: int) -> Value:
    """What stands behind the first characters of a word, where its place can tell that too."""
    span = word.span
    is_plain = span.end - span.start == len(word.written)
    return word.tail(count).at(Span(span.path, span.start + count, span.end) if is_plain else span)


def _path(value: Value) -> str:
    """The path as far as it is known: of ``$HERE/docker`` the part behind the unknown."""
    parts = value.readings[0] if len(value.readings) == 1 else ()
    text = "".join(part.text for part in parts if isinstance(part, Text))
    if all(isinstance(part, Text) for part in parts):
        return "" if _REMOTE.match(text) else text
    is_tail = len(parts) == 2 and isinstance(parts[0], Open) and text.startswith("/")
    return text.lstrip("/") if is_tail else ""
