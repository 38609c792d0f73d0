"""Packages that are installed from a working copy of a repository: ``git clone``, then ``pip``.

Commands are followed in order, with the directories that they go to. A package is called by the
last part of the address of its repository, or by the folder inside that holds it.
"""

from __future__ import annotations

import posixpath
import re
from dataclasses import dataclass, field, replace

from servelint.facts import Requirement
from servelint.syntax.course import INNER, SURELY
from servelint.syntax.git_copy import Copy
from servelint.syntax.git_words import Git, git_step
from servelint.syntax.local_installs import local_installs, plain_path
from servelint.syntax.package_name import normalise
from servelint.syntax.pep508 import extras_of
from servelint.syntax.programs import base_name
from servelint.value import Value, concat, known, one_of, unknown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from servelint.source import Route

MAX_COPIES = 50
"""Working copies of one text that are followed; later ones are left out."""

_LANGUAGES = frozenset({"python", "py", "src"})
"""Folders that are named by what they hold and not by a package."""

_EXTRAS = re.compile(r"(?P<path>[^\[\]]*)(?P<extras>\[[^\[\]]*\])\Z")
_PLAIN = re.compile(r"[A-Za-z0-9][\w.-]*", re.ASCII)
_GONE = re.compile(r"[/:]*([^/:]+?)(?:\.git)?/*\Z")


@dataclass(frozen=True, slots=True)
class Step:
    """A command: its words, who owns it, how surely it runs (see ``facts.Launch.runs``).

    ``text`` is the route of the text in which it stands, and ``start`` the directory in which
    that begins; empty for one that is not known.
    """

    argv: tuple[Value, ...]
    owner: Route
    runs: str
    text: Route
    start: str = ""


@dataclass(slots=True)
class Copies:
    """The working copies of a text while it is followed, and where each text stands."""

    found: dict[str, Copy] = field(default_factory=dict)
    places: dict[Route, str] = field(default_factory=dict)
    filled: list[str] = field(default_factory=list)

    def fill(self, path: str, here: str) -> None:
        """Note that files of nobody knows which state were put at a path."""
        self.filled.append(posixpath.normpath(posixpath.join(here, path)))

    def follow(self, step: Step) -> Iterator[Requirement]:
        """Take one command in; the packages that it installs from a working copy."""
        yield from (one for one in self._followed(step) if one.name)

    def _followed(self, step: Step) -> Iterator[Requirement]:
        here = self._here(step)
        name = base_name(step.argv[0].text or "") if step.argv else ""
        if name in ("cd", "pushd"):
            self.places[step.text] = _joined(here, step.argv[1:2])
            return
        git = git_step(step.argv)
        if git is not None:
            yield from self._git(git, step, here)
        elif name == "patch":
            copy = self._around(here)
            if copy is not None:
                yield from self._left(copy.changed(step.argv[0].span), step, step.argv[0])
        else:
            yield from self._installed(step, here)

    def _here(self, step: Step) -> str:
        """The directory of a text: where its commands went, or those of the text around it."""
        steps = step.text.steps
        around = (replace(step.text, steps=steps[:size]) for size in range(len(steps), -1, -1))
        return next((self.places[route] for route in around if route in self.places), step.start)

    def _git(self, git: Git, step: Step, here: str) -> Iterator[Requirement]:
        place = _joined(here, (git.at,)) if git.at is not None else here
        if git.step in ("clone", "part") and git.url is not None:
            self._clone(git, git.url, step, place)
            return
        copy = self._around(place)
        if copy is None:
            yield from self._begin(git, step, place)
        elif git.step == "fetch":
            self._keep(copy.fetching(git.url, git.ref))
        elif git.step == "copy" and git.directory is not None:
            into = _joined(place, (git.directory,))
            self._keep(replace(copy, directory=into, refs=(git.ref,), inner=None))
        elif git.step == "move" and git.ref is not None:
            yield from self._left(copy.moved(git.ref, step.runs), step, git.ref)
        elif git.step == "change":
            yield from self._left(copy.changed(step.argv[0].span), step, step.argv[0])

    def _begin(self, git: Git, step: Step, place: str) -> Iterator[Requirement]:
        """A first command in a directory that no command made: a copy that was there before."""
        if git.step == "remote" and git.url is not None:
            self._keep(Copy(place, git.url, is_sure=step.runs in (SURELY, INNER)))
        elif git.step == "move" and git.ref is not None and _last(place):
            yield from self._left(Copy(place, None, ()).moved(git.ref, step.runs), step, git.ref)

    def _clone(self, git: Git, url: Value, step: Step, place: str) -> None:
        into = (git.directory,) if git.directory is not None else ()
        directory = _joined(place, into) if into else posixpath.join(place, _last(url.written))
        ref = unknown("commit", "", url.span) if git.step == "part" else git.ref
        copy = Copy(directory, url, (ref,), is_sure=step.runs in (SURELY, INNER))
        before = self.found.get(directory)
        self._keep(copy if before is None or step.runs else before.beside(url, ref))

    def _left(self, copy: Copy, step: Step, word: Value) -> Iterator[Requirement]:
        """What a copy is from here on, told again where it may be what is installed already."""
        self._keep(copy)
        was_there = copy.url is None and copy.directory.startswith("/")
        if copy.inner is not None or was_there:
            yield replace(_requirement(copy, copy.inner or "", step, word), effect="")

    def _keep(self, copy: Copy) -> None:
        if len(self.found) < MAX_COPIES or copy.directory in self.found:
            self.found[copy.directory] = copy

    def _around(self, place: str) -> Copy | None:
        """The innermost copy that holds a directory, else one whose name is part of its path."""
        holding = [one for one in self.found.values() if _inside(place, one) is not None]
        return max(holding, key=lambda one: len(one.directory), default=None)

    def _installed(self, step: Step, here: str) -> Iterator[Requirement]:
        for word, path in local_installs(step.argv):
            match = _EXTRAS.match(path)
            plain, extras = (match["path"], match["extras"]) if match else (path, "")
            place = posixpath.normpath(posixpath.join(here, plain or "."))
            copy = self._around(place)
            inner = _inside(place, copy) if copy is not None else None
            if copy is not None and inner is not None:
                copy = replace(copy, inner=inner, extras=extras_of(extras))
                self._keep(copy)
                yield _requirement(copy, inner, step, word)
            elif _package_name(place):
                effect = "keeps" if place.startswith("/") and not self._is_filled(place) else ""
                yield _from_directory(place, effect, step, word, extras_of(extras))

    def _is_filled(self, place: str) -> bool:
        """True for a directory into which, or around which, new files were put."""
        here = f"{place}/"
        paths = (f"{path.rstrip('/')}/" for path in self.filled)
        return any(here.startswith(path) or path.startswith(here) for path in paths)


def _requirement(copy: Copy, inner: str, step: Step, word: Value) -> Requirement:
    """A package that is a folder of a copy, by a command in which ``word`` says so."""
    is_sure = copy.is_sure and step.runs in (SURELY, INNER) and len(copy.refs) == 1
    effect = "sure" if step.runs == SURELY else "inner"
    return Requirement(
        span=word.span,
        owner=step.owner,
        name=_name(copy, inner),
        kind="vcs",
        specifier=_location(copy),
        runs=True,
        effect=effect if is_sure else "",
        extras=copy.extras,
    )


def _from_directory(
    place: str, effect: str, step: Step, word: Value, extras: tuple[str, ...]
) -> Requirement:
    """A package in a directory of unknown origin, called by its folder.

    One in an image that nothing was put into is what the image holds already.
    """
    return Requirement(
        span=word.span,
        owner=step.owner,
        name=_package_name(place),
        kind="path",
        specifier=known(place, word.span),
        runs=True,
        effect=effect,
        extras=extras,
    )


def _location(copy: Copy) -> Value:
    """The address with the state behind an ``@``; it stands where the state is written."""
    address, prefix = copy.url, "git+"
    if address is None:
        path = (
            copy.directory if copy.directory.startswith(("/", "~", "$")) else f"./{copy.directory}"
        )
        span = next(ref.span for ref in copy.refs if ref is not None)
        address, prefix = known(path, span), ""
    readings = []
    for ref in copy.refs:
        span = ref.span if ref is not None else address.span
        parts = [known(prefix, span), _untraced(address)]
        if ref is not None:
            parts += [known("@", span), ref]
        readings.append(concat(parts, span))
    return one_of(readings, readings[-1].span)


def _untraced(value: Value) -> Value:
    """The address without its trail: what is to be edited is the state."""
    return Value(
        tuple(tuple(replace(part, trail=()) for part in parts) for parts in value.readings),
        value.span,
    )


def _name(copy: Copy, inner: str) -> str:
    """What the package of a folder is called; empty where no known word says so."""
    named = _package_name(inner)
    address = copy.url.written if copy.url is not None else ""
    return named or _package_name(_last(address)) or _package_name(copy.directory)


def _package_name(path: str) -> str:
    """The name of the innermost folder of a path that is not named by what it holds."""
    folders = [part for part in path.split("/") if part.strip(".") and part not in _LANGUAGES]
    return normalise(folders[-1]) if folders and _PLAIN.fullmatch(folders[-1]) else ""


def _last(address: str) -> str:
    """The last part of an address or a path, without ``.git``."""
    match = _GONE.search(address)
    return match[1] if match is not None else ""


def _joined(here: str, words: Sequence[Value | None]) -> str:
    """The directory that a word names; a name that is not known stands for itself."""
    word = words[0] if words else None
    written = plain_path(word.written) if word is not None else "~"
    if written.startswith(("~", "$")):
        return posixpath.normpath(written)
    return posixpath.normpath(posixpath.join(here, written))


def _inside(place: str, copy: Copy) -> str | None:
    """Where a directory is in a copy; None outside of it.

    Of a relative and an absolute path it is not known how they lie: there a folder counts that
    is called like the copy.
    """
    if place == copy.directory:
        return ""
    if copy.directory == "." and not place.startswith(("/", "..", "~", "$")):
        return place
    if place.startswith(f"{copy.directory}/"):
        return place[len(copy.directory) + 1 :]
    if place.startswith("/") and copy.directory.startswith("/"):
        return None
    folders, name = place.split("/"), posixpath.basename(copy.directory)
    return "/".join(folders[folders.index(name) + 1 :]) if name in folders else None
