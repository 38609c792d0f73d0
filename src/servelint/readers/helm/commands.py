"""``helm install NAME CHART -f FILE --set k=v`` in scripts: which values a chart is given."""

from __future__ import annotations

import posixpath
from dataclasses import dataclass

from servelint.readers.helm.layers import Setting
from servelint.readers.helm.release import Release, located
from servelint.readers.helm.settings import json_settings, literal, settings
from servelint.readers.helm.words import source_of, text_of
from servelint.source import Route, Source
from servelint.syntax.yaml_data import Leaf

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterator, Sequence

    from servelint.facts import Launch
    from servelint.readers.helm.layers import Layer
    from servelint.unit import Files
    from servelint.value import Value

PROGRAM = "helm"

_VERBS = ("install", "upgrade", "template")
_VALUES = ("-f", "--values")
_FILE = "--set-file"
_SETTERS: dict[str, Callable[[Source], Iterator[Setting]]] = {
    "--set-json": json_settings,
    "--set": settings,
    "--set-string": lambda source: settings(source, strings=True),
    "--set-literal": literal,
}

_TAKE = frozenset(
    {
        *(*_VALUES, *_SETTERS, _FILE, "-n", "--namespace"),
        *("-a", "--api-versions", "--ca-file", "--cert-file", "--description", "--history-max"),
        *("--key-file", "--keyring", "--kube-version", "-l", "--labels", "--name-template", "-o"),
        *("--output", "--output-dir", "--password", "--post-renderer", "--post-renderer-args"),
        *("--release-name", "--repo", "-s", "--show-only", "--timeout", "--username", "--version"),
        *("--burst-limit", "--kube-apiserver", "--kube-as-group", "--kube-as-user", "--qps"),
        *("--kube-ca-file", "--kube-context", "--kube-tls-server-name", "--kube-token"),
        *("--kubeconfig", "--registry-config", "--repository-cache", "--repository-config"),
        *("--color", "--name"),
    }
)
"""Options that take the word behind them."""


@dataclass(frozen=True, slots=True)
class _Command:
    """What the words of a command say: what is no option, and the options with their values."""

    words: tuple[Value, ...]
    options: tuple[tuple[str, Value], ...]


def releases(files: Files, charts: Container[str]) -> Iterator[Release]:
    """The charts of the repository that commands install, with what they give them."""
    names = frozenset(files.names)
    for launch in files.launches:
        words = _arguments(launch)
        command = _command(words) if words else None
        if command is None or not command.words:
            continue
        directory = posixpath.dirname(launch.span.path)
        chart = located(text_of(command.words[-1]), directory, charts)
        if chart is None:
            continue
        yield Release(
            chart=chart,
            path=launch.span.path,
            layers=tuple(_layers(command, directory, names, files)),
        )


def _arguments(launch: Launch) -> Sequence[Value] | None:
    """The words behind the verb of a command that installs a chart."""
    if not launch.argv or posixpath.basename(launch.argv[0].written) != PROGRAM:
        return None
    for at, word in enumerate(launch.argv[1:4], 2):
        if word.written in _VERBS:
            return launch.argv[at:]
    return None


def _command(words: Sequence[Value]) -> _Command:
    plain: list[Value] = []
    options: list[tuple[str, Value]] = []
    at = 0
    while at < len(words):
        word = words[at]
        name, equals, _ = word.written.partition("=")
        if not name.startswith("-"):
            plain.append(word)
        elif name in _TAKE and equals:
            options.append((name, word.tail(len(name) + 1)))
        elif name in _TAKE and at + 1 < len(words):
            at += 1
            options.append((name, words[at]))
        at += 1
    return _Command(tuple(plain), tuple(options))


def _layers(
    command: _Command, directory: str, names: Container[str], files: Files
) -> Iterator[str | Layer]:
    """Values files first, whatever the order of the options: that is how they count."""
    for name, value in command.options:
        if name in _VALUES:
            found = (located(path, directory, names) for path in text_of(value).split(","))
            yield from (path for path in found if path is not None)
    for setter, read in _SETTERS.items():  # in the order in which they count
        for name, value in command.options:
            if name == setter:
                yield from read(source_of(value, files))
    for name, value in command.options:
        if name == _FILE:
            yield from _from_files(source_of(value, files), directory, names, files)


def _from_files(
    source: Source, directory: str, names: Container[str], files: Files
) -> Iterator[Setting]:
    """``--set-file path=FILE``: the text of the file is the value."""
    for setting in settings(source, strings=True):
        if not isinstance(setting.value, Leaf):
            continue
        path = located(setting.value.text, directory, names)
        text = files.text(path) if path is not None else None
        if path is not None and text is not None:
            yield Setting(setting.path, Leaf(Source(path, text, "text", Route(path)), "|"))
