"""Packages as conda asks for them: ``channel::name=1.0=build``, with versions in PEP 440."""

from __future__ import annotations

import re

from packaging.specifiers import InvalidSpecifier, SpecifierSet
from packaging.version import InvalidVersion, Version

from servelint.facts import Requirement
from servelint.syntax.package_name import normalise
from servelint.syntax.poetry_constraint import exact_version
from servelint.value import known, one_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from servelint.source import Source

MAX_LENGTH = 1_000
"""Characters of one specification; longer ones are not looked at."""

_ONE = r"(?:===?|[<>!~]=|=(?![<>])|=?[<>])?\s*+[A-Za-z0-9*][A-Za-z0-9.+!_*-]*+"
_SPEC = re.compile(
    rf"""\s*+(?:[^\s\[\]=<>!~:]++::)?
        (?P<name>[A-Za-z0-9_][A-Za-z0-9._-]*+)\s*+
        (?:(?P<version>{_ONE}(?:\s*+[,|]\s*+{_ONE})*+)(?P<build>\s*+=[^\s=\[]++|\s++[^\s=\[]++)?+)?+
        \s*+(?:\[(?P<keys>[^\[\]]*+)\])?+\s*+\Z""",
    re.VERBOSE,
)
_KEY_VERSION = re.compile(r"(?:\A|,)\s*+version\s*+=\s*+(?:'([^']++)'|\"([^\"]++)\"|([^'\",\s]++))")
_CLAUSE = re.compile(
    r"(?:=(?=[<>]))?(?P<operator>===?|!=|>=|<=|~=|=|>|<)?\s*(?P<version>[A-Za-z0-9.+!_*-]+)\Z"
)
_BARE_STAR = re.compile(r"(?<=[0-9])\*\Z")


def read_conda(source: Source) -> Requirement | None:
    """Read a text that is one specification; None for one that is not understood."""
    found = _SPEC.match(source.text) if len(source.text) <= MAX_LENGTH else None
    if found is None:
        return None
    place = _version_place(found)
    written = source.text[slice(*place)]
    if found["build"] and written.startswith("=") and written[1:2] not in "=<>":
        place = (place[0] + 1, place[1])  # a build is of one version
        written = written[1:]
    asked = conda_to_pep440(written) if written.strip() else ("",)
    return None if asked is None else _requirement(source, found, asked, place)


def _version_place(found: re.Match[str]) -> tuple[int, int]:
    """Where the version stands; an empty range behind the name where there is none."""
    if found["version"]:
        return found.span("version")
    end = found.end("name")
    keys = _KEY_VERSION.search(found["keys"] or "")
    if keys is None or keys.lastindex is None:
        return end, end
    start = found.start("keys")
    return start + keys.start(keys.lastindex), start + keys.end(keys.lastindex)


def _requirement(
    source: Source, found: re.Match[str], asked: tuple[str, ...], place: tuple[int, int]
) -> Requirement:
    exact = exact_version(asked[0]) if len(asked) == 1 else ""
    at = source.span(place[1] - len(exact), place[1]) if exact else source.span(*place)
    is_ranged = not exact and "" not in asked
    return Requirement(
        span=source.span(found.start("name"), place[1]),
        owner=source.owner,
        name=normalise(found["name"]),
        kind="pinned" if exact else "range" if is_ranged else "unpinned",
        version=known(exact, at) if exact else None,
        specifier=one_of((known(text, at) for text in asked), at) if is_ranged else None,
    )


def conda_to_pep440(text: str) -> tuple[str, ...] | None:
    """The specifiers of which one must hold (``|``); ``""`` admits all; None if unreadable.

    As conda writes it: ``1.0``, ``1.0.*``, ``>=1,<2``, and ``=1.0`` for any version that begins so.
    """
    if len(text) > MAX_LENGTH:
        return None
    found = [_conjunction(part) for part in text.split("|")]
    kept = tuple(one for one in found if one is not None)
    return kept if len(kept) == len(found) else None


def _conjunction(text: str) -> str | None:
    """The specifier of versions that are all asked for; empty for any version."""
    clauses = [_clause(part.strip()) for part in text.split(",")]
    if None in clauses:
        return None
    specifier = ",".join(filter(None, clauses))
    try:
        SpecifierSet(specifier)
    except InvalidSpecifier:
        return None
    return specifier


def _clause(text: str) -> str | None:
    found = _CLAUSE.match(text)
    if found is None:
        return None
    operator, version = found["operator"] or "", _BARE_STAR.sub(".*", found["version"])
    if version == "*":
        return ""
    if operator in ("", "=", "==", "==="):
        return f"=={version}" + (".*" if operator == "=" and _is_release(version) else "")
    return operator + (version if operator == "!=" else version.removesuffix(".*"))


def _is_release(version: str) -> bool:
    """True for numbers with points only, of which there may be longer ones."""
    try:
        parsed = Version(version)
    except InvalidVersion:
        return False
    return str(parsed) == parsed.base_version
