"""Programs that hand a text to a shell, by the shape of their command lines.

``su -c TEXT``, ``tmux new TEXT``, ``tmux send-keys TEXT Enter``: what such a program is called
with is data here, how the text is put together is the same for all.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise

from servelint.syntax.bash_fields import field_text, literal, product
from servelint.syntax.programs import base_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from servelint.syntax.bash_commands import Item
    from servelint.syntax.bash_fields import Field, Place

_MINORS = tuple(f".{minor}" for minor in range(8, 16))
PYTHONS = frozenset({"python", *(f"python3{minor}" for minor in ("", *_MINORS))})
"""Programs that read Python, on their standard input or after ``-c``."""

_AFTER_OPTION = frozenset({"su", "runuser", "flock", "script"})
"""Programs that run the text after ``-c``, and others without one."""

_OPTION = re.compile(r"(?:-[A-Za-z]*c|--command)\Z")


@dataclass(frozen=True, slots=True)
class _Verb:
    """A command whose operands are a text; options in ``values`` take the next word.

    ``keys``: the operands are key strokes.
    """

    values: frozenset[str]
    keys: bool = False


def _letters(text: str) -> frozenset[str]:
    return frozenset(f"-{letter}" for letter in text)


_NEW = _Verb(_letters("stncxyFefLSTlp"))
_KEYS = _Verb(_letters("tNLSf"), keys=True)
_VERBS: dict[tuple[str, str], _Verb] = {
    **dict.fromkeys(
        (
            *(("tmux", "new"), ("tmux", "new-session"), ("tmux", "neww"), ("tmux", "new-window")),
            *(("tmux", "splitw"), ("tmux", "split-window"), ("tmux", "respawn-pane")),
            *(("tmux", "respawn-window"), ("tmux", "respawnp"), ("tmux", "respawnw")),
        ),
        _NEW,
    ),
    ("tmux", "send-keys"): _KEYS,
    ("tmux", "send"): _KEYS,
    ("screen", "stuff"): _Verb(frozenset(), keys=True),
    ("pdsh", ""): _Verb(_letters("wxglRtuf")),
    ("clush", ""): _Verb(_letters("wgxlftuo")),
    ("pssh", ""): _Verb(_letters("hHlpoetOx")),
    ("parallel-ssh", ""): _Verb(_letters("hHlpoetOx")),
}
TEXT_PROGRAMS = _AFTER_OPTION | {"env"} | {program for program, _ in _VERBS}
"""All programs that may hand on a text."""

_ENTER = frozenset({"C-m", "Enter", "ENTER", "KPEnter", "C-j"})
_KEY = re.compile(r"(?:[CMS]-)+\S+\Z|(?:Escape|Tab|Up|Down|BSpace)\Z")
_STUFFED = re.compile(r"(?:\\n|\\r|\^M|\n|\r)+\Z")

Text = tuple["Field", "Place"]


def handed_text(items: Sequence[Item]) -> Text | None:
    """The text that a program hands on, None for other programs and without a text."""
    name = base_name(field_text(items[0].field) or "") if items else ""
    if name in _AFTER_OPTION:
        return _after_option(items[1:])
    if name == "env":
        return _split(items[1:])
    if name not in TEXT_PROGRAMS:
        return None
    parts = [part for each in _commands(items[1:]) if (part := _operands(name, each)) is not None]
    if not parts:
        return None
    place = (parts[0][1][0], parts[-1][1][1])
    fields: list[Field] = []
    for field, at in parts:
        fields.extend((literal("\n", (at[0], at[0])), field) if fields else (field,))
    return product(fields, place), place


def python_text(items: Sequence[Item]) -> tuple[Field, Place] | None:
    """The text of ``python -c TEXT``."""
    if not items or base_name(field_text(items[0].field) or "") not in PYTHONS:
        return None
    skip = False
    for item, following in pairwise(items[1:]):
        text = field_text(item.field) or ""
        if not skip and _OPTION.match(text):
            return following.field, following.place
        if not skip and not text.startswith("-"):
            return None
        skip = not skip and text in ("-X", "-W")
    return None


def _split(items: Sequence[Item]) -> Text | None:
    """``env -S TEXT WORDS``: a text that is cut into words, and more of them."""
    for at, item in enumerate(items[:-1]):
        text = field_text(item.field) or ""
        if text in ("-S", "--split-string"):
            return _spaced(items[at + 1 :])
        if not text.startswith("-"):
            break
    return None


def _after_option(items: Sequence[Item]) -> Text | None:
    for item, following in pairwise(items):
        if _OPTION.match(field_text(item.field) or ""):
            return following.field, following.place
    last = items[-1] if items else None
    heads = {reading[0].text for reading in last.field if reading} if last is not None else set()
    if last is not None and heads == {"--command="}:
        return tuple(reading[1:] for reading in last.field), last.place
    return None


def _commands(items: Sequence[Item]) -> list[list[Item]]:
    """The items cut at ``;``, which is how one call holds several commands."""
    found: list[list[Item]] = [[]]
    for item in items:
        if field_text(item.field) == ";":
            found.append([])
        else:
            found[-1].append(item)
    return found


def _operands(name: str, items: Sequence[Item]) -> Text | None:
    texts = [field_text(item.field) or "" for item in items]
    verb = _VERBS.get((name, ""))
    at = 0
    if verb is None:
        names = (n for n, text in enumerate(texts) if (name, text) in _VERBS)
        at = next(names, -1)
        if at < 0:
            return None
        verb = _VERBS[name, texts[at]]
        at += 1
    while at < len(items) and texts[at].startswith("-") and len(texts[at]) > 1:
        at += 2 if texts[at] in verb.values else 1
    rest = items[at:]
    return (_typed if verb.keys else _spaced)(rest) if rest else None


def _spaced(items: Sequence[Item]) -> Text:
    place = (items[0].place[0], items[-1].place[1])
    fields: list[Field] = []
    for item in items:
        blank = literal(" ", (item.place[0], item.place[0]))
        fields.extend((blank, item.field) if fields else (item.field,))
    return product(fields, place), place


def _typed(items: Sequence[Item]) -> Text | None:
    """What key strokes type: names of keys are no part of it, but for those that end a line."""
    fields: list[Field] = []
    for item in items:
        text = field_text(item.field) or ""
        if text in _ENTER:
            fields.append(literal("\n", item.place))
        elif text == "Space":
            fields.append(literal(" ", item.place))
        elif not _KEY.match(text):
            fields.append(_without_enter(item))
    place = (items[0].place[0], items[-1].place[1])
    return (product(fields, place), place) if fields else None


def _without_enter(item: Item) -> Field:
    text = field_text(item.field)
    if text is None or not (match := _STUFFED.search(text)):
        return item.field
    start, end = item.place
    quote = 1 if end - start == len(text) + 2 else 0
    return literal(text[: match.start()], (start + quote, start + quote + match.start()))
