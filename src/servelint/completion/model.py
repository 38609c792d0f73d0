"""All commands with all that may follow them, as the parser has them."""

from __future__ import annotations

import re
from dataclasses import dataclass

from servelint.arguments import REPORTS, parser

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Sequence

IDS = "ID"
"""The word that stands for an id in help."""

_FILES = ("FILE", "PATH")
_DIRECTORIES = ("DIR",)
_LISTS = {"NAME[=FILE]": REPORTS}
"""What stands for a value in help, and what it may be."""

_SAFE = re.compile(r"[\w.,=+-]+")
"""What means itself in all shells."""


@dataclass(frozen=True, slots=True)
class Value:
    """What one argument may be: one of ``words``, and a ``FILE`` or a ``DIR`` by its ``kind``."""

    words: tuple[str, ...] = ()
    kind: str = ""
    name: str = ""


@dataclass(frozen=True, slots=True)
class Option:
    """An option by its names; without a ``value`` it is a switch. It may be given ``often``."""

    names: tuple[str, ...]
    help: str
    value: Value | None
    often: bool


@dataclass(frozen=True, slots=True)
class Command:
    """A command, its options, and what its other arguments may be."""

    name: str
    help: str
    options: tuple[Option, ...]
    arguments: Value


def commands(ids: Sequence[str]) -> tuple[Command, ...]:
    """All commands with all that may follow them."""
    whole = parser()
    (chosen,) = (one for one in whole._actions if one.dest == "command")  # noqa: SLF001
    about = {one.dest: one.help or "" for one in chosen._choices_actions}  # type: ignore[attr-defined]  # noqa: SLF001
    every: dict[str, argparse.ArgumentParser] = dict(chosen.choices or {})
    return tuple(_command(name, about[name], one, ids) for name, one in every.items())


def _command(name: str, about: str, one: argparse.ArgumentParser, ids: Sequence[str]) -> Command:
    actions = one._actions  # noqa: SLF001
    given = [_value(action, ids) for action in actions if not action.option_strings]
    return Command(
        name=name,
        help=about,
        options=tuple(_option(action, one, ids) for action in actions if action.option_strings),
        arguments=given[0] if given else Value(),
    )


def _option(action: argparse.Action, one: argparse.ArgumentParser, ids: Sequence[str]) -> Option:
    told = one._get_formatter()._expand_help(action) if action.help else ""  # noqa: SLF001
    return Option(
        names=tuple(action.option_strings),
        help=told,
        value=None if action.nargs == 0 else _value(action, ids),
        often=type(action).__name__ == "_AppendAction",
    )


def _value(action: argparse.Action, ids: Sequence[str]) -> Value:
    name = action.metavar if isinstance(action.metavar, str) else action.dest.upper()
    words = tuple(action.choices) if action.choices else _LISTS.get(name, ())
    if name == IDS:
        words = tuple(ids)
    kinds = {**dict.fromkeys(_FILES, "FILE"), **dict.fromkeys(_DIRECTORIES, "DIR")}
    return Value(tuple(map(_checked, words)), kinds.get(name, ""), name)


def _checked(word: str) -> str:
    if not _SAFE.fullmatch(word):
        raise ValueError(f"{word!r} cannot be completed")
    return word


def filled(template: str, every: Sequence[Command], between: str, **parts: Sequence[str]) -> str:
    """A template with lines in the places that are named.

    In ``ONES`` and ``TWOS`` come the names of commands of one word and of two.
    """
    names = [one.name for one in every if " " not in one.name]
    texts = {name: "\n".join(lines) for name, lines in parts.items()}
    texts["ONES"] = between.join(names)
    texts["TWOS"] = between.join(f'"{one.name}"' for one in every if " " in one.name)
    return re.sub(r"\b(?:" + "|".join(texts) + r")\b", lambda found: texts[found[0]], template)


def heads(every: Iterable[Command]) -> dict[str, list[str]]:
    """The second words of commands by their first; none for those of one word."""
    found: dict[str, list[str]] = {}
    for one in every:
        first, _, second = one.name.partition(" ")
        found.setdefault(first, []).extend([second] if second else [])
    return found
