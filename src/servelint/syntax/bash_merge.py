"""One list of fields from two: what branches, calls and rounds of a loop add up to.

Options are what a reader of the list looks for, so that every option of either
list stays visible, with its values beside it.
"""

from __future__ import annotations

from collections import defaultdict

from servelint.syntax.bash_fields import reading_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import TypeVar

    from servelint.syntax.bash_fields import Field

    Item = TypeVar("Item")
    Group = list[Item]


def merge_lists(
    left: Sequence[Item],
    right: Sequence[Item],
    field_of: Callable[[Item], Field],
    unite: Callable[[Item, Item], Item],
) -> tuple[Item, ...]:
    """The items of both lists in an order that keeps values behind their options.

    Items in the same slot (the same option, the same value of it) are united.
    """
    short, long = sorted((tuple(left), tuple(right)), key=len)
    if long[: len(short)] == short:
        return long
    groups = _groups(left, field_of)
    waiting = _waiting(groups, field_of)
    alone: list[Group[Item]] = []
    for group in _groups(right, field_of):
        partner = _partner(group, waiting, field_of)
        if partner is None:
            alone.append(group)
            continue
        place = next(at for at, other in enumerate(groups) if other is partner)
        partner[:] = _united(partner, group, unite)
        groups[place:place] = alone
        alone = []
    return tuple(item for group in (*groups, *alone) for item in group)


def option_name(field: Field) -> str:
    """The option that a field names, empty when it names none."""
    names = {(reading_text(reading[:1]) or "").partition("=")[0] for reading in field}
    name = names.pop() if len(names) == 1 else ""
    return name if name.startswith("-") and len(name) > 1 and not name[1].isdigit() else ""


def _groups(items: Sequence[Item], field_of: Callable[[Item], Field]) -> list[Group[Item]]:
    """The items cut before each option; the first group may hold none."""
    groups: list[Group[Item]] = [[]]
    for item in items:
        if option_name(field_of(item)):
            groups.append([item])
        else:
            groups[-1].append(item)
    return groups


def _waiting(
    groups: list[Group[Item]], field_of: Callable[[Item], Field]
) -> dict[str, list[Group[Item]]]:
    waiting: dict[str, list[Group[Item]]] = defaultdict(list)
    for group in groups:
        waiting[_name(group, field_of)].append(group)
    return waiting


def _name(group: Group[Item], field_of: Callable[[Item], Field]) -> str:
    return option_name(field_of(group[0])) if group else ""


def _partner(
    group: Group[Item], waiting: dict[str, list[Group[Item]]], field_of: Callable[[Item], Field]
) -> Group[Item] | None:
    """The group with the same option that is not taken yet, an equal one before others."""
    candidates = waiting.get(_name(group, field_of), [])
    if not candidates:
        return None
    texts = _texts(group, field_of)
    for at, candidate in enumerate(candidates[:32]):
        if _texts(candidate, field_of) == texts:
            return candidates.pop(at)
    return candidates.pop(0)


def _texts(group: Group[Item], field_of: Callable[[Item], Field]) -> list[tuple[str, ...]]:
    return [
        tuple("".join(piece.text for piece in reading) for reading in field_of(item))
        for item in group
    ]


def _united(
    left: Group[Item], right: Group[Item], unite: Callable[[Item, Item], Item]
) -> Group[Item]:
    common = min(len(left), len(right))
    pairs = zip(left, right, strict=False)
    return [*(unite(a, b) for a, b in pairs), *left[common:], *right[common:]]
