"""One word of an install command: the package that it names, with what is open in it."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from servelint.facts import Requirement
from servelint.source import Segment, Source
from servelint.syntax.conda_spec import read_conda
from servelint.syntax.package_name import normalise
from servelint.syntax.pep508 import (
    MAX_LENGTH,
    extras_of,
    is_location,
    location_kind,
    read_location,
    read_requirement,
)
from servelint.syntax.poetry_constraint import exact_version, to_pep440
from servelint.value import Open, Text, Value, known, one_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from servelint.source import Route
    from servelint.value import Part, Parts

_NAME = r"[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?"
_OPEN_PIN = re.compile(rf"(?P<name>{_NAME})\s*(?P<extras>\[[^\]]*\])?\s*(?P<sign>===?|=|@)\s*\Z")
_CONSTRAINED = re.compile(
    rf"(?P<name>{_NAME})(?P<extras>\[[^\]]*\])?(?:@|(?=[\^~<>=!]))(?P<constraint>[^/:@]*[^/:@\s])\s*\Z"
)
_POETRY_REF = re.compile(r"(?P<url>[^#]+)#(?P<ref>[^=&#]+)(?:&(?P<more>.*))?\Z")
_SIGNS = {"pip": ("==", "==="), "conda": ("=", "=="), "poetry": ("==", "===", "@")}
"""What stands before a version by itself, by the form of the command."""

_HOLE = "HOLE_"
_NO_QUOTES = {ord(sign): None for sign in "\"'\\"}

MAX_TEXT = 100_000
"""Characters of a shell text that is searched for each word."""


@dataclass(frozen=True, slots=True)
class Place:
    """On whose behalf a word is read, and the shell ``text`` in which it stands, if known."""

    path: str
    owner: Route
    text: str = ""


def package(word: Value, form: str, place: Place, *, editable: bool = False) -> Requirement | None:
    """The package that a word names; None where its name cannot be told."""
    found = None if editable else _open_pin(word, form, place)
    if found is None and len(word.readings) == 1:
        found = _read(word, word.readings[0], form, place, editable=editable)
    if found is None or not found.name:
        return None
    return replace(found, span=word.span, owner=place.owner, runs=True)


def _open_pin(word: Value, form: str, place: Place) -> Requirement | None:
    """``name==${VERSION}``: the name is known, the version is what the rest turns out to be."""
    match = _OPEN_PIN.match(word.head) if word.text is None else None
    if match is None or match["sign"] not in _SIGNS[form]:
        return None
    return Requirement(
        span=word.span,
        owner=place.owner,
        name=normalise(match["name"]),
        kind="pinned",
        version=word.tail(match.end()),
        extras=extras_of(match["extras"] or ""),
    )


def _read(
    word: Value, parts: Parts, form: str, place: Place, *, editable: bool
) -> Requirement | None:
    """What a word says whose text is one, with names in the places of what is not known."""
    text = "".join(
        part.text if isinstance(part, Text) else f"${{{_HOLE}{index}}}"
        for index, part in enumerate(parts)
    )
    if len(text) > MAX_LENGTH:
        return None
    source = _source(word, text, place, is_written=word.text is not None and not word.trail)
    if form == "conda":
        found = read_conda(source) if word.text is not None else None
    elif form == "poetry" and (match := _CONSTRAINED.match(text)) and word.text is not None:
        found = _constrained(source, match)
    else:
        found = _pip(source, editable=editable)
    if found is None:
        return None
    filled = (_filled(value, word, parts) for value in (found.version, found.specifier))
    version, specifier = filled
    kind = found.kind
    if kind == "vcs" and form == "poetry" and specifier is not None:
        specifier = _at_ref(specifier)
    if kind in ("vcs", "url", "path") and specifier is not None:
        kind = location_kind(specifier.written)
    return replace(found, version=version, specifier=specifier, kind=kind)


def _pip(source: Source, *, editable: bool) -> Requirement | None:
    is_named = not is_location(source.text) and ("@" in source.text or not editable)
    found = (
        read_requirement(source, expand=True) if is_named else read_location(source, expand=True)
    )
    return found if isinstance(found, Requirement) else None


def _constrained(source: Source, match: re.Match[str]) -> Requirement | None:
    """``name@^1.0``, as Poetry's own command takes it."""
    written = match["constraint"]
    specifiers = (("",) if written == "latest" else None) or to_pep440(written)
    if specifiers is None:
        return None
    start, end = match.span("constraint")
    at = source.span(start, end)
    exact = exact_version(specifiers[0]) if len(specifiers) == 1 else ""
    is_ranged = not exact and "" not in specifiers
    return Requirement(
        span=source.span(0, len(source.text)),
        owner=source.owner,
        name=normalise(match["name"]),
        kind="pinned" if exact else "range" if is_ranged else "unpinned",
        version=known(exact, source.span(end - len(exact), end)) if exact else None,
        specifier=one_of((known(text, at) for text in specifiers), at) if is_ranged else None,
        extras=extras_of(match["extras"] or ""),
    )


def _source(word: Value, text: str, place: Place, *, is_written: bool) -> Source:
    """The text of a word in the place of the word, which it is made of as a whole if need be."""
    start, end = word.span.start, word.span.end
    if is_written and end - start == len(text) + 2 and _is_quoted(text, place, start, end):
        start, end = start + 1, end - 1
    elif not is_written and end - start == len(text):
        text += " "  # of another length than what is written: maps as a whole
    origin = (Segment(0, len(text), start, end, word.span.path),)
    return Source(place.path, text, "text", place.owner, origin)


def _is_quoted(text: str, place: Place, start: int, end: int) -> bool:
    """True for a word written in quotes; in a text inside another one, if such a word is there."""
    quoted = (f'"{text}"', f"'{text}'")
    here = place.text[start:end]
    if here.translate(_NO_QUOTES) == text:  # the text is the file itself
        return here in quoted
    return len(place.text) <= MAX_TEXT and any(word in place.text for word in quoted)


def _at_ref(location: Value) -> Value:
    """``git+URL#REF``, as Poetry writes it, as others do: ``git+URL@REF``."""
    ref = _POETRY_REF.match(location.text or "")
    if ref is None:
        return location
    more = f"#{ref['more']}" if ref["more"] else ""
    return known(f"{ref['url']}@{ref['ref']}{more}", location.span, location.trail)


def _filled(value: Value | None, word: Value, parts: Parts) -> Value | None:
    """A value with the open parts of the word in the places of their names."""
    if value is None:
        return None
    return Value(
        tuple(tuple(_part(one, word, parts) for one in r) for r in value.readings), value.span
    )


def _part(part: Part, word: Value, parts: Parts) -> Part:
    if isinstance(part, Open) and part.name.startswith(_HOLE):
        return parts[int(part.name.removeprefix(_HOLE))]
    return Text(part.text, word.trail)
