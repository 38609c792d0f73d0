"""Versions and constraints as Helm compares them: semantic versions, read loosely."""

from __future__ import annotations

import re
from dataclasses import dataclass

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

_VERSION = re.compile(
    r"v?(0|[1-9]\d*)(?:\.(0|[1-9]\d*))?(?:\.(0|[1-9]\d*))?"
    r"(?:-([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?(?:\+([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?\Z",
    re.ASCII,
)
_PART = (
    r"v?(?:\d+|[xX*])(?:\.(?:\d+|[xX*]))?(?:\.(?:\d+|[xX*]))?"
    r"(?:-[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?(?:\+[0-9A-Za-z.-]+)?"
)
_TERM = re.compile(rf"\s*(=>|>=|=<|<=|!=|~>|[=<>~^]|)\s*({_PART})(?:\s*,\s*|\s+|\Z)", re.ASCII)
_BETWEEN = re.compile(rf"\s*({_PART})\s+-\s+({_PART})\s*", re.ASCII)
_LOOSE = re.compile(
    r"v?(\d+|[xX*])(?:\.(\d+|[xX*]))?(?:\.(\d+|[xX*]))?(?:-([0-9A-Za-z.-]+))?(?:\+.*)?\Z", re.ASCII
)


@dataclass(frozen=True, slots=True)
class Version:
    """A version; ``missing`` counts the numbers that are not written."""

    numbers: tuple[int, int, int]
    prerelease: str = ""
    metadata: str = ""
    missing: int = 0

    def __str__(self) -> str:
        """The version in full."""
        text = ".".join(map(str, self.numbers))
        text += f"-{self.prerelease}" if self.prerelease else ""
        return f"{text}+{self.metadata}" if self.metadata else text

    def order(self) -> tuple[tuple[int, ...], bool, tuple[tuple[int, int, str], ...]]:
        """What versions are compared by."""
        parts = tuple(
            (0, int(part), "") if part.isdigit() else (1, 0, part)
            for part in self.prerelease.split(".")
        )
        return (self.numbers, not self.prerelease, parts if self.prerelease else ())


def version(text: str) -> Version | None:
    """The version that a text is."""
    found = _VERSION.match(text)
    if found is None:
        return None
    numbers = (int(found[1]), int(found[2] or 0), int(found[3] or 0))
    return Version(numbers, found[4] or "", found[5] or "")


def satisfies(one: Version, constraint: str) -> bool | None:
    """Whether a version satisfies a constraint; None for what is no constraint."""
    answers = [_all(one, part) for part in constraint.split("||")]
    return None if None in answers else any(answers)


def _all(one: Version, part: str) -> bool | None:
    text = _BETWEEN.sub(r" >=\1 <=\2 ", part).strip()
    at, answers = 0, []
    while at < len(text):
        found = _TERM.match(text, at)
        if found is None:
            return None
        answers.append(_holds(one, found[1], _loose(found[2])))
        at = found.end()
    return all(answers) if answers else None


def _loose(text: str) -> Version:
    found = _LOOSE.match(text)
    assert found is not None  # noqa: S101  # as _PART says
    numbers = [int(part) if part and part.isdigit() else -1 for part in found.groups()[:3]]
    missing = 3 - numbers.index(-1) if -1 in numbers else 0
    first, second, third = (0 if place >= 3 - missing else numbers[place] for place in range(3))
    return Version((first, second, third), found[4] or "", "", missing)


def _holds(one: Version, sign: str, wanted: Version) -> bool:
    if wanted.missing == 3 and sign not in ("<", ">", "!="):
        return not one.prerelease
    if one.prerelease and not wanted.prerelease and (wanted.missing or sign not in ("=", "")):
        return False
    if sign == "!=":
        return _differs(one, wanted)
    if sign in ("", "="):
        return _near(one, wanted) if wanted.missing else one.order()[:3] == wanted.order()[:3]
    return _SIGNS[sign](one, wanted)


def _differs(one: Version, wanted: Version) -> bool:
    if not wanted.missing:
        return one.order() != wanted.order()
    kept = 3 - wanted.missing
    return one.numbers[:kept] != wanted.numbers[:kept]


def _above(one: Version, wanted: Version) -> bool:
    if not wanted.missing:
        return one.order() > wanted.order()
    kept = 3 - wanted.missing
    return one.numbers[:kept] > wanted.numbers[:kept]


def _at_most(one: Version, wanted: Version) -> bool:
    if not wanted.missing:
        return one.order() <= wanted.order()
    kept = 3 - wanted.missing
    return one.numbers[:kept] <= wanted.numbers[:kept]


def _near(one: Version, wanted: Version) -> bool:
    """``~1.2.3``: at least this, and equal but for the last number that may move."""
    if one.order() < wanted.order():
        return False
    if wanted.numbers == (0, 0, 0) and not wanted.missing:
        return True
    kept = min(3 - wanted.missing, 2)
    return one.numbers[:kept] == wanted.numbers[:kept]


def _compatible(one: Version, wanted: Version) -> bool:
    """``^1.2.3``: at least this, and equal up to the first number that is not zero."""
    if one.order() < wanted.order():
        return False
    written = wanted.numbers[: 3 - wanted.missing]
    kept = next((place + 1 for place, number in enumerate(written) if number), len(written))
    return one.numbers[:kept] == wanted.numbers[:kept]


_SIGNS: dict[str, Callable[[Version, Version], bool]] = {
    ">": _above,
    ">=": lambda one, wanted: one.order() >= wanted.order(),
    "=>": lambda one, wanted: one.order() >= wanted.order(),
    "<": lambda one, wanted: one.order() < wanted.order(),
    "<=": _at_most,
    "=<": _at_most,
    "~": _near,
    "~>": _near,
    "^": _compatible,
}
