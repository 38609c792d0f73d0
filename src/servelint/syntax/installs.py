"""Commands that install Python packages, by name, from a location or from a file.

What such a command installs replaces what an image or an environment held before.
"""

from __future__ import annotations

import posixpath
import re
from dataclasses import dataclass, replace
from functools import lru_cache

from servelint.facts import Requirement, Uses
from servelint.syntax.install_tools import install_of
from servelint.syntax.install_words import Place, package
from servelint.syntax.pep508 import extras_of
from servelint.syntax.straight import is_straight

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from servelint.source import Route
    from servelint.syntax.install_tools import Install
    from servelint.value import Value

_FORCES = frozenset({"--force-reinstall", "--reinstall", "--ignore-installed", "-I"})
_UPGRADES = frozenset({"-U", "--upgrade", "--force-reinstall", "--reinstall"})
"""Options without which a package that asks for no version stays as it is."""

_USUAL = frozenset(
    {
        *("-U", "--upgrade", "--no-cache-dir", "--no-cache", "-q", "--quiet", "--system", "--pre"),
        *("--break-system-packages", "--force-reinstall", "--no-build-isolation", "-i", "-f"),
        *("--index-url", "--extra-index-url", "--find-links", "--prerelease", "--index-strategy"),
        *("--trusted-host", "--timeout", "--retries", "--root-user-action", "-e", "--editable"),
    }
)
"""Options that change where a package comes from, never whether it is installed."""

_RELEASE = re.compile(r"@v?\d+(?:\.\d+)+[A-Za-z0-9.]*(?:[#&]|\Z)")
"""A revision that names a release: what has its version already is the same."""

_OF_A_RELEASE = re.compile(r"(?:pip|python)\d\.\d+")
"""A program of one release of Python, which need not be the one that runs."""

_CHANGES_DIRECTORY = re.compile(r"(?:^|[\s;&|({])(?:cd|pushd|chdir)(?=[\s;)]|$)")


def installed(
    argv: Sequence[Value], path: str, owner: Route, text: str = ""
) -> Iterator[Requirement | Uses]:
    """The packages that a command installs and the files that it takes them from.

    None for other commands. ``text`` is the shell text in which it stands, which
    may tell that it runs, and in which directory.
    """
    found = install_of(argv)
    if found is None:
        return
    tool, at = found
    words = tuple(argv[at:])
    options = _options(words)
    if not tool.elsewhere.isdisjoint(options):
        return
    place = Place(path, owner, text)
    form = tool.form
    if form == "pixi":
        form = "pip" if "--pypi" in options else "conda"
    step = _Step(
        upgrades=not _UPGRADES.isdisjoint(options),
        forces=not _FORCES.isdisjoint(options),
        is_sure=tool.surely and bool(text) and _is_plain(argv[:at], options) and is_straight(text),
        may_keep=tool.keeps,
    )
    extras = _extras(words, tool)
    for word, role in _roles(words, tool):
        if role in ("requirements", "constraints"):
            yield from _uses(word, role, place)
        elif role in ("package", "editable"):
            asked = package(word, form, place, editable=role == "editable")
            if asked is not None:
                effect = step.effect(asked, word, editable=role == "editable")
                every = tuple(dict.fromkeys((*asked.extras, *extras)))
                yield replace(asked, effect=effect, extras=every)


def asked_for(words: Sequence[Value], path: str, owner: Route) -> Iterator[Requirement]:
    """The packages that a runner brings for a command: ``uv run --with NAME==1 COMMAND``."""
    for word in words:
        found = package(word, "pip", Place(path, owner))
        if found is not None:
            yield found


def _options(words: Sequence[Value]) -> frozenset[str]:
    return frozenset(w.head.partition("=")[0] for w in words if w.head.startswith("-"))


def _roles(words: Sequence[Value], tool: Install) -> Iterator[tuple[Value, str]]:
    """The words that say what is installed, each with what it is to the command."""
    at = 0
    while at < len(words):
        word = words[at]
        at += 1
        if not word.head.startswith("-"):
            yield word, "requirements" if tool.form == "files" else "package"
            continue
        option, equals, _ = (word.text or word.head).partition("=")
        role = "editable" if option in tool.editable else tool.how(option)
        if equals:
            yield from ((word.tail(len(option) + 1), role),) if role else ()
        elif role and at < len(words):
            yield words[at], role
            at += 1
        elif role := tool.how(option[:2] if not option.startswith("--") else ""):
            yield word.tail(2), role
        elif option in tool.values or option in tool.extras:
            at += 1


def _extras(words: Sequence[Value], tool: Install) -> tuple[str, ...]:
    """The extras that options ask for, for all packages of the command."""
    found: list[str] = []
    for at, word in enumerate(words):
        option, equals, value = (word.text or "").partition("=")
        if option in tool.extras:
            following = words[at + 1].text if at + 1 < len(words) else ""
            found.extend(extras_of(value if equals else following or ""))
    return tuple(found)


@dataclass(frozen=True, slots=True)
class _Step:
    """What is known of a command, whatever it installs."""

    upgrades: bool
    forces: bool
    is_sure: bool
    may_keep: bool

    def effect(self, found: Requirement, word: Value, *, editable: bool) -> str:
        """What it does to a package that is there: see :class:`~servelint.facts.Requirement`."""
        if self.may_keep and found.kind == "unpinned" and not self.upgrades:
            return "keeps"
        if not self.is_sure or _is_marked(word):
            return ""
        return "sure" if editable or self.forces or _replaces(found) else ""


def _is_marked(word: Value) -> bool:
    """True when a marker may leave a package out.

    What a name stands for may hold one, but hardly where only the version is left to it.
    """
    return ";" in word.written or (word.text is None and "==" not in word.head)


def _replaces(found: Requirement) -> bool:
    """False for a source that may be left alone because its version, as it says, is there."""
    if found.kind in ("url", "path"):
        return found.version is not None
    return (
        found.kind != "vcs"
        or _RELEASE.search(found.specifier.written if found.specifier else "") is not None
    )


def _is_plain(command: Sequence[Value], options: frozenset[str]) -> bool:
    """True for an install into the environment of the plain interpreter, with nothing unusual."""
    if any(word.text is None or "/" in word.text for word in command):
        return False
    if any(_OF_A_RELEASE.fullmatch(word.text or "") for word in command):
        return False
    return options <= _USUAL


def _uses(word: Value, how: str, place: Place) -> Iterator[Uses]:
    """A file of requirements of a script, which is started where it stands, or of a build.

    A build copies it from the repository, to some directory. Nothing in other containers, where
    its path says nothing about the repository, and where a script goes to another directory.
    """
    target, steps = word.text, place.owner.steps
    if not target or "://" in target or target.startswith(("~", "-")):
        return
    if "run" in steps and steps[:1] == ("stage",):
        target = target.lstrip("/")
    elif len(steps) != 2 or not place.text or target.startswith("/") or _leaves(place.text):
        return
    joined = posixpath.normpath(posixpath.join(posixpath.dirname(place.path), target))
    if joined[:2] != "..":
        yield Uses(span=word.span, owner=place.owner, target=joined, how=how)


@lru_cache(maxsize=64)
def _leaves(text: str) -> bool:
    """True for a script that goes to another directory somewhere."""
    return _CHANGES_DIRECTORY.search(text) is not None
