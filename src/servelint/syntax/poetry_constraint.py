"""Version constraints as Poetry writes them (``^1.2``, ``~1.2``, ``1.*``) in PEP 440."""

from __future__ import annotations

import re

from packaging.specifiers import InvalidSpecifier, SpecifierSet

_CLAUSE = re.compile(
    r"(?P<operator>\^|~=|~|===|==|!=|>=|<=|=|>|<)?\s*+"
    r"(?P<version>v?[0-9][0-9A-Za-z+!_-]*+(?:\.[0-9A-Za-z+!_-]++)*+(?:\.\*)?|\*)"
)
_BETWEEN = re.compile(r"\s*+,\s*+|\s++|\Z")
_RELEASE = re.compile(r"v?(?P<epoch>[0-9]+!)?(?P<release>[0-9]+(?:\.[0-9]+)*)")
_MAX_LENGTH = 1_000


def to_pep440(constraint: str) -> tuple[str, ...] | None:
    """The specifiers of which one must hold (``||``); ``""`` admits all; None if unreadable."""
    if len(constraint) > _MAX_LENGTH:
        return None
    found = [_conjunction(alternative.strip()) for alternative in re.split(r"\|\|?", constraint)]
    specifiers = tuple(text for text in found if text is not None)
    return specifiers if len(specifiers) == len(found) else None


def exact_version(specifier: str) -> str:
    """The version of a specifier that admits one, else empty."""
    version = specifier.lstrip("=")
    exact = specifier.startswith("==") and "," not in version and not version.endswith("*")
    return version if exact else ""


def _conjunction(text: str) -> str | None:
    clauses: list[str] = []
    at = 0
    while at < len(text):
        match = _CLAUSE.match(text, at)
        between = _BETWEEN.match(text, match.end()) if match else None
        if match is None or between is None:
            return None
        clauses += _clauses(match["operator"] or "", match["version"])
        at = between.end()
    specifier = ",".join(clauses)
    try:
        SpecifierSet(specifier)
    except InvalidSpecifier:
        return None
    return specifier if text else None


def _clauses(operator: str, version: str) -> list[str]:
    if version == "*":
        return []
    if operator in ("^", "~"):
        return [f">={version}", f"<{_next(operator, version)}"]
    return [("==" if operator in ("", "=") else operator) + version]


def _next(operator: str, version: str) -> str:
    """The first release that a caret or a tilde does not admit."""
    match = _RELEASE.match(version)
    if match is None:
        return version
    numbers = [int(number) for number in match["release"].split(".")]
    if operator == "^":
        last = next((at for at, number in enumerate(numbers) if number), len(numbers) - 1)
    else:
        last = min(1, len(numbers) - 1)
    kept = [*numbers[:last], numbers[last] + 1]
    return (match["epoch"] or "") + ".".join(map(str, kept))
