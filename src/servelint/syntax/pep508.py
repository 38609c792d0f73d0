"""One requirement: ``name[extras]==1.0; marker`` (PEP 508), or the location of a package.

``packaging`` says whether a text is a requirement; the patterns here only find
the places of its parts.
"""

from __future__ import annotations

import re
from dataclasses import replace
from urllib.parse import unquote

from packaging.requirements import InvalidRequirement
from packaging.requirements import Requirement as Parsed

from servelint.facts import Requirement
from servelint.finding import Skip
from servelint.syntax.markers import never_on_linux
from servelint.syntax.package_name import normalise
from servelint.value import Open, Text, Value, known

TYPE_CHECKING = False
if TYPE_CHECKING:
    from servelint.source import Source
    from servelint.value import Part

MAX_LENGTH = 10_000
"""Characters of one requirement; longer ones are not handed to a parser."""

_NAME = r"[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?"
_HEAD = re.compile(rf"\s*(?P<name>{_NAME})(?P<extras>\s*\[[^\]]*\])?")
_SPECIFIER = re.compile(r"\s*+\(?+\s*+([^;)\s](?:[^;)]*[^;)\s])?)")
_URL = re.compile(r"\s*@\s*(\S+)")
_EXACT = re.compile(r"={2,3}\s*([^\s,]*[^\s,*])\s*,?")
_VARIABLE = re.compile(r"\$\{([A-Z0-9_]+)\}")
_BEFORE_SPECIFIER = re.compile(rf"\s*{_NAME}(?:\s+|\s*\[[^\]]*\]\s*)")

_LOCATION = re.compile(
    r"(?:[A-Za-z][A-Za-z0-9+.-]*://|(?:git|hg|svn|bzr)\+|[./~\\]|[A-Za-z]:[\\/])"
    rf"|(?!{_NAME}\s*(?:\[[^\]]*\]\s*)?@)[^\s;@=<>]*[/\\]"
    r"|[^\s;@=<>]*\.(?:whl|zip|tar\.gz|tar\.bz2|tar\.xz|tgz)(?:[\s;#]|\Z)"
)
_WORD = re.compile(r"\S+")
_EGG = re.compile(rf"[#&]egg=(?P<name>{_NAME})(?P<extras>\[[^\]]*\])?")
_SUBDIRECTORY = re.compile(r"[#&]subdirectory=([A-Za-z0-9._/-]+)")
_PLAIN_DIRECTORIES = ("", ".", "python", "py", "src", "lib")
"""Directories of a repository that are not named as the package in them is."""

_END_EXTRAS = re.compile(r"(?<=.)\[[^\[\]]*\]\Z")
_EXTRA = re.compile(_NAME)
_BETWEEN = re.compile(r"[,\s]+")
_WHEEL = re.compile(
    r"(?:\A|[/\\])(?P<name>[A-Za-z0-9._]+)-(?P<version>(?:[^-/\\$]|\$\{[A-Z0-9_]+\})+)"
    r"(?:-\d[^-/\\]*)?(?:-[^-/\\]+){3}"
    r"\.whl(?=[?#\[]|\Z)"
)
_VCS = re.compile(r"(?:git|hg|svn|bzr)\+")
_FETCHED = re.compile(r"(?!file:)[A-Za-z][A-Za-z0-9+.-]*://")


def is_location(text: str) -> bool:
    """True for a text that names a place (URL, path, archive) rather than a package."""
    return _LOCATION.match(text) is not None


def extras_of(text: str) -> tuple[str, ...]:
    """The extras that a text such as ``[all, b]`` lists, normalised, each once."""
    names = _BETWEEN.split(text.strip(" \t[]"))
    return tuple(dict.fromkeys(normalise(name) for name in names if _EXTRA.fullmatch(name)))


def location_kind(location: str) -> str:
    """``vcs``, ``url`` or ``path``."""
    if _VCS.match(location):
        return "vcs"
    return "url" if _FETCHED.match(location) else "path"


def read_requirement(source: Source, *, expand: bool = False) -> Requirement | Skip | None:
    """Read a text that is one PEP 508 requirement; None for one that no Linux installs.

    ``expand`` says that ``${NAME}`` stands for an environment variable, as in
    requirements files.
    """
    if len(source.text) > MAX_LENGTH:
        return _refuse(source, "too-large", f"longer than {MAX_LENGTH} characters")
    plain = _without_variables(source.text) if expand else source.text
    try:
        parsed = Parsed(plain)
    except (InvalidRequirement, RecursionError) as error:
        return _refuse(source, "syntax", str(error).partition("\n")[0])
    head = _HEAD.match(plain)
    if head is None or "$" in source.text[head.start("name") : head.end("name")]:
        return _refuse(source, "template", "expected a package name without variables")
    if parsed.marker is not None and never_on_linux(str(parsed.marker)):
        return None
    if parsed.url is not None:
        return _at_url(source, head, expand=expand)
    return _specified(source, head, _SPECIFIER.match(plain, head.end()), expand=expand)


def read_location(source: Source, *, expand: bool = False) -> Requirement | Skip | None:
    """Read a text that is the location of a package; the name is empty when it does not tell it.

    A repository without ``egg`` is taken to hold a package of its own name, or of the directory
    that it names.
    """
    word = _WORD.search(source.text)
    start, end = (word.start(), _location_end(word)) if word else (0, 0)
    if start == end:
        return _refuse(source, "syntax", "expected a location")
    rest = source.text[end:].strip()
    if rest and not rest.startswith(";"):
        return _refuse(source, "syntax", "expected nothing but a marker after the location")
    if never_on_linux(rest[1:]):
        return None
    egg = _EGG.search(source.text, start, end)
    name = egg["name"] if egg else _repository_name(source.text[start:end])
    found = _located(source, name, start, (start, end), expand=expand)
    return replace(found, extras=_extras_at(source.text[start:end], egg))


def _repository_name(location: str) -> str:
    """What a package in a repository is most likely called: as its directory, or the repository."""
    if not _VCS.match(location):
        return ""
    directory = _SUBDIRECTORY.search(location)
    last = directory[1].rstrip("/").rpartition("/")[2] if directory else ""
    if last not in _PLAIN_DIRECTORIES:
        return last
    address = location.partition("#")[0].rpartition("://")[2]
    path = address.partition("/")[2].partition("@")[0].rstrip("/").removesuffix(".git")
    name = path.rpartition("/")[2]
    return name if _EXTRA.fullmatch(name) else ""


def _extras_at(location: str, egg: re.Match[str] | None) -> tuple[str, ...]:
    """The extras of a location: behind its ``egg``, or at its end."""
    if egg is not None:
        return extras_of(egg["extras"] or "")
    end = _END_EXTRAS.search(location)
    return extras_of(end[0] if end else "")


def _location_end(word: re.Match[str]) -> int:
    """Where a location ends: a marker may follow a path, or a URL and a blank, at once."""
    if location_kind(word.group()) == "path" and ";" in word.group():
        return word.start() + word.group().index(";")
    return word.end() - word.group().endswith(";")


def _without_variables(text: str) -> str:
    """The text with something legal, of equal length, in place of each variable."""
    first = _VARIABLE.search(text)
    if first is None:
        return text
    specifier = _BEFORE_SPECIFIER.fullmatch(text, 0, first.start()) is not None
    begin = ("==" if specifier else "").ljust(len(first.group()), "0")
    rest = _VARIABLE.sub(lambda variable: "0" * len(variable.group()), text[first.end() :])
    return text[: first.start()] + begin + rest


def _refuse(source: Source, reason: str, detail: str) -> Skip:
    return Skip(source.path, "read", reason, detail, source.span(0, len(source.text)))


def _value(source: Source, start: int, end: int, *, expand: bool) -> Value:
    """The text of a range, with its variables open."""
    text = source.text[start:end]
    parts: list[Part] = []
    at = 0
    for variable in _VARIABLE.finditer(text) if expand else ():
        if variable.start() > at:
            parts.append(Text(text[at : variable.start()]))
        parts.append(Open(variable[1], variable.group()))
        at = variable.end()
    if at < len(text) or not parts:
        parts.append(Text(text[at:]))
    return Value((tuple(parts),), source.span(start, end))


def _specified(
    source: Source, head: re.Match[str], found: re.Match[str] | None, *, expand: bool
) -> Requirement:
    """A requirement by name, with or without a specifier."""
    name, extras = normalise(head["name"]), extras_of(source.text[slice(*head.span("extras"))])
    start = head.start("name")
    if found is None:
        span = source.span(start, head.end())
        return Requirement(span=span, owner=source.owner, name=name, kind="unpinned", extras=extras)
    exact = _EXACT.fullmatch(source.text, *found.span(1))
    first, last = exact.span(1) if exact else found.span(1)
    value = _value(source, first, last, expand=expand)
    return Requirement(
        span=source.span(start, last),
        owner=source.owner,
        name=name,
        kind="pinned" if exact else "range",
        version=value if exact else None,
        specifier=None if exact else value,
        extras=extras,
    )


def _at_url(source: Source, head: re.Match[str], *, expand: bool) -> Requirement | Skip:
    url = _URL.match(source.text, head.end())
    if url is None:
        return _refuse(source, "syntax", "expected a location after @")
    found = _located(source, head["name"], head.start("name"), url.span(1), expand=expand)
    return replace(found, extras=extras_of(source.text[slice(*head.span("extras"))]))


def _located(
    source: Source, name: str, start: int, place: tuple[int, int], *, expand: bool
) -> Requirement:
    """A requirement by location; the file name of a wheel (PEP 427) tells name and version."""
    location = _value(source, *place, expand=expand)
    wheel = _WHEEL.search(source.text, *place)
    if wheel and name and normalise(wheel["name"]) != normalise(name):
        wheel = None
    if wheel and "$" in wheel["version"] and not expand:
        wheel = None
    version = None
    if wheel:
        name = wheel["name"]
        version = _value(source, *wheel.span("version"), expand=expand)
        if version.text is not None:
            version = known(unquote(version.text), version.span)
    return Requirement(
        span=source.span(start, place[1]),
        owner=source.owner,
        name=normalise(name),
        kind=location_kind(location.written),
        version=version,
        specifier=location,
    )
