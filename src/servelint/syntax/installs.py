"""Commands that install Python packages: ``pip install``, ``uv pip install``, ``uv add``.

What such a command installs replaces what an image or an environment held before.
"""

from __future__ import annotations

import re
from dataclasses import replace

from servelint.facts import Requirement, Value, known
from servelint.source import Route, Segment, Source
from servelint.syntax.package_name import normalise
from servelint.syntax.pep508 import read_requirement
from servelint.syntax.programs import base_name
from servelint.syntax.straight import is_straight

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_PIP = re.compile(r"pip(3(\.\d+)?)?\Z")
_PYTHON = re.compile(r"python(3(\.\d+)?)?\Z")
_OPEN_PIN = re.compile(r"(?P<name>[A-Za-z0-9][A-Za-z0-9._-]*)(?:\[[^\]]*\])?\s*===?\s*\Z")
_VALUES = frozenset(
    {
        *("-r", "-c", "-t", "-i", "-f", "-p", "-e", "--requirement", "--constraint", "--target"),
        *("--editable", "--index-url", "--extra-index-url", "--find-links", "--platform", "--src"),
        *("--python-version", "--implementation", "--abi", "--prefix", "--root", "--proxy"),
        *("--timeout", "--retries", "--trusted-host", "--cert", "--client-cert", "--cache-dir"),
        *("--no-binary", "--only-binary", "--progress-bar", "--upgrade-strategy", "--report"),
        *("--python", "--index", "--default-index", "--index-strategy", "--resolution"),
        *("--prerelease", "--config-settings", "--group", "--extra", "--optional", "--override"),
        *("--overrides", "--torch-backend", "--keyring-provider", "--link-mode"),
    }
)
"""Options that take the next word."""

_ELSEWHERE = frozenset({"--dry-run", "-t", "--target", "--root", "--prefix", "--download"})
"""Options with which nothing is installed where the commands after it look."""

_UPGRADES = frozenset({"-U", "--upgrade", "--force-reinstall", "--reinstall"})
"""Options without which a package that asks for no version stays as it is."""


def installed(
    argv: Sequence[Value], path: str, owner: Route, text: str = ""
) -> Iterator[Requirement]:
    """The packages that a command installs by name; none for other commands.

    ``text`` is the shell text in which it stands, which may tell that it runs.
    """
    at = _behind_verb(argv)
    texts = [word.text or "" for word in argv]
    if at == 0 or not _ELSEWHERE.isdisjoint(texts[at:]):
        return
    upgrades = not _UPGRADES.isdisjoint(texts[at:])
    is_sure = bool(text) and _is_plain(argv, at) and is_straight(text)
    while at < len(argv):
        word = argv[at]
        if word.head.startswith("-"):
            at += 2 if texts[at] in _VALUES else 1
            continue
        at += 1
        found = _known(word, path, owner) if word.text is not None else _open(word, owner)
        if found is not None:
            keeps = found.kind == "unpinned" and not upgrades
            is_marked = word.text is None or ";" in word.text  # a marker may leave it out
            effect = "keeps" if keeps else "sure" if is_sure and not is_marked else ""
            yield replace(found, effect=effect)


def _is_plain(argv: Sequence[Value], at: int) -> bool:
    """True for an install into the environment of the plain interpreter, with nothing unusual."""
    if any(word.text is None or "/" in word.text for word in argv[:at]):
        return False
    options = (word.head.partition("=")[0] for word in argv[at:] if word.head.startswith("-"))
    return all(option in _USUAL for option in options)


def asked_for(words: Sequence[Value], path: str, owner: Route) -> Iterator[Requirement]:
    """The packages that a runner brings for a command: ``uv run --with NAME==1 COMMAND``."""
    for word in words:
        found = _known(word, path, owner) if word.text is not None else _open(word, owner)
        if found is not None:
            yield found


_USUAL = frozenset(
    {
        *("-U", "--upgrade", "--no-cache-dir", "--no-cache", "-q", "--quiet", "--system", "--pre"),
        *("--break-system-packages", "--force-reinstall", "--no-build-isolation", "-i", "-f"),
        *("--index-url", "--extra-index-url", "--find-links", "--prerelease", "--index-strategy"),
        *("--trusted-host", "--timeout", "--retries", "--root-user-action"),
    }
)
"""Options that change where a package comes from, never whether it is installed."""


def _behind_verb(argv: Sequence[Value]) -> int:
    """The index of the first word behind ``install``; 0 for another command."""
    words = [word.text or "" for word in argv[:5]]
    if not words:
        return 0
    start = 1
    if _PYTHON.match(base_name(words[0])) and words[1:3] == ["-m", "pip"]:
        start = 3
    elif base_name(words[0]) == "uv":
        if words[1:2] == ["add"]:
            return 2
        start = 2 if words[1:2] == ["pip"] else 0
    elif not _PIP.match(base_name(words[0])):
        start = 0
    return start + 1 if start and words[start : start + 1] == ["install"] else 0


def _known(word: Value, path: str, owner: Route) -> Requirement | None:
    text, span = word.text or "", word.span
    origin = (Segment(0, len(text), span.start, span.end, span.path),)
    found = read_requirement(Source(path, text, "text", owner, origin))
    if not isinstance(found, Requirement):
        return None
    return Requirement(
        span=span,
        owner=owner,
        name=found.name,
        kind=found.kind,
        version=_through(found.version, word),
        specifier=_through(found.specifier, word),
        runs=True,
    )


def _through(value: Value | None, word: Value) -> Value | None:
    """A part of a word, with the places that the word came through."""
    if value is None or value.text is None or not word.trail:
        return value
    return known(value.text, value.span, word.trail)


def _open(word: Value, owner: Route) -> Requirement | None:
    """``name==${VERSION}``: the name is known, the version is what the rest turns out to be."""
    match = _OPEN_PIN.match(word.head)
    if match is None:
        return None
    return Requirement(
        span=word.span,
        owner=owner,
        name=normalise(match["name"]),
        kind="pinned",
        version=word.tail(match.end()),
        runs=True,
    )
