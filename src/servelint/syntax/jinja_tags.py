"""The tags of a template: where they stand, and which names they set to a text for good."""

from __future__ import annotations

import re
from dataclasses import dataclass

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

MAX_TAGS = 20_000
"""Tags of one text; a text with more is not taken for a template."""

MAX_LENGTH = 1_000
"""Characters of one tag."""

_QUOTED = r"""'(?:[^'\\\n]|\\.)*+'|"(?:[^"\\\n]|\\.)*+\""""
_OPENER = re.compile(r"\{[{%#]")
_CLOSERS = {"{{": "}}", "{%": "%}", "{#": "#}"}
_TAG = re.compile(
    rf"""\{{\{{(?:{_QUOTED}|(?!\}}\}}).)*+\}}\}}|\{{%(?:{_QUOTED}|(?!%\}}).)*+%\}}""",
    re.DOTALL,
)
_WORD = re.compile(r"\{%[-+]?\s*(?P<word>\w+)(?P<rest>.*)", re.DOTALL)
_END_RAW = re.compile(r"\{%[-+]?\s*endraw\s*[-+]?%\}")
_GO_END = re.compile(r"\{\{-?\s*end\s*-?\}\}")
_GO = re.compile(r"\{\{-?\s*(?:(else\s+if|if|else|end|range|with|define|block)\b|/\*)")
_GO_WORDS = {"range": "for", "define": "macro"}
STARTS = frozenset(
    {"if", "for", "macro", "block", "call", "filter", "with", "autoescape", "setblock"}
)
ENDS = frozenset({"end", "endset", *(f"end{word}" for word in STARTS)})
ELSE = frozenset({"else", "elif"})
_SET = re.compile(
    r"""\{%[-+]?\s*set\s+(?P<name>\w+)\s*=\s*
        (?:'(?P<single>[\w./:@+-]+)'|"(?P<double>[\w./:@+-]+)")\s*[-+]?%\}""",
    re.VERBOSE | re.ASCII,
)
_TARGETS = re.compile(r"\{%[-+]?\s*(?:for\s+(?P<for>[\w,\s()]+?)\s+in\b|set\s+(?P<set>[\w,\s]+))")
_NAME = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Tag:
    """``{{ }}``, ``{% %}`` or ``{# #}``; ``word`` is the first one of a ``{% %}``."""

    start: int
    end: int
    sign: str
    word: str = ""


def is_template(text: str) -> bool:
    """True for a text that holds an expression or a tag."""
    return "{{" in text or "{%" in text


def tags(text: str) -> tuple[Tag, ...]:
    """The tags of a text in order; what is not closed is text."""
    is_go = "{%" not in text and _GO_END.search(text) is not None
    found: list[Tag] = []
    at = 0
    closers = dict.fromkeys(_CLOSERS, 0)
    while len(found) <= MAX_TAGS and (opener := _OPENER.search(text, at)) is not None:
        end = _end(text, opener, closers)
        at = end or opener.end()
        if not end:
            continue
        written = text[opener.start() : end]
        word = _word(written) or (_control(written) if is_go else "")
        found.append(Tag(opener.start(), end, "{%" if word else opener[0], word))
        if word == "raw" and (close := _END_RAW.search(text, at)) is not None:
            found.append(Tag(close.start(), close.end(), "{%", "endraw"))
            at = close.end()
    return tuple(found)


def _end(text: str, opener: re.Match[str], closers: dict[str, int]) -> int:
    """Where a tag ends; 0 where it does not. ``closers`` tells where the next sign is."""
    sign, at = opener[0], opener.end()
    if 0 <= closers[sign] < at:
        closers[sign] = text.find(_CLOSERS[sign], at)
    if closers[sign] < 0:
        return 0
    if sign == "{#":
        return closers[sign] + 2
    limit = opener.start() + MAX_LENGTH
    match = _TAG.match(text, opener.start(), limit) if closers[sign] < limit else None
    return match.end() if match is not None else 0


def _word(tag: str) -> str:
    """What a tag does; ``setblock`` when it sets a name to what follows."""
    match = _WORD.match(tag)
    if match is None:
        return ""
    is_block = match["word"] == "set" and "=" not in match["rest"]
    return "setblock" if is_block else match["word"]


def _control(expression: str) -> str:
    """What an expression of a Go template does, in the word of a tag."""
    match = _GO.match(expression)
    if match is None:
        return ""
    word = match[1] or "comment"
    return "elif" if word.endswith(" if") else _GO_WORDS.get(word, word)


def constants(text: str, found: Iterable[Tag]) -> dict[str, tuple[int, int]]:
    """The names that one tag outside of all blocks sets to a plain text, and where it stands."""
    known: dict[str, tuple[int, int]] = {}
    times: dict[str, int] = {}
    depth = 0
    for tag in found:
        depth += (tag.word in STARTS) - (tag.word in ENDS)
        targets = _TARGETS.match(text, tag.start, tag.end)
        for name in _NAME.findall((targets["for"] or targets["set"]) if targets else ""):
            times[name] = times.get(name, 0) + 1
        match = _SET.match(text, tag.start, tag.end)
        if match is not None and not depth:
            known[match["name"]] = match.span("single" if match["single"] else "double")
    return {name: place for name, place in known.items() if times[name] == 1}
