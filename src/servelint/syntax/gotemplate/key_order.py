"""The order in which ``toYaml`` writes keys: letters last, numbers by their value."""

from __future__ import annotations

from functools import cmp_to_key

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable


def in_order(keys: Iterable[str]) -> list[str]:
    """Keys in the order of the emitter that Helm uses."""
    return sorted(sorted(keys), key=cmp_to_key(_compare))


def _compare(one: str, other: str) -> int:
    if one == other:
        return 0
    return -1 if _is_less(one, other) else 1


def _is_less(one: str, other: str) -> bool:
    pairs = enumerate(zip(one, other, strict=False))
    at = next((place for place, (left, right) in pairs if left != right), -1)
    if at < 0:
        return len(one) < len(other)
    left, right = one[at], other[at]
    if left.isalpha() and right.isalpha():
        return left < right
    if left.isalpha() or right.isalpha():
        after_digit = at > 0 and one[at - 1].isdecimal()
        return left.isalpha() if after_digit else right.isalpha()
    return (*_number(one, at, right), left) < (*_number(other, at, left), right)


def _number(key: str, at: int, against: str) -> tuple[int, int]:
    """The number at a place of a key, and where it ends."""
    end = at
    while end < len(key) and key[end].isdecimal():
        end += 1
    start = at
    while start > 0 and key[start - 1].isdecimal():
        start -= 1
    is_inside = "0" in (key[at], against) and key[start:at].strip("0") != ""
    return int(f"{int(is_inside)}{key[at:end]}"), end
