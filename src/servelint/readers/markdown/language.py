"""In which language a block of a page is written, and which of its lines count."""

from __future__ import annotations

import re
from dataclasses import dataclass

from servelint.syntax.markup_session import looks_typed, typed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from servelint.syntax.markup_blocks import Block, Line

_SESSIONS = frozenset(
    {"console", "shell-session", "shellsession", "sh-session", "bash-session", "terminal"}
)
_PLAIN = frozenset({"", "text", "txt", "plain", "plaintext", "none", "code", "default"})
"""Words that say nothing about what is in a block."""

_LANGUAGES = {
    **dict.fromkeys(("bash", "sh", "shell", "zsh", "ksh", "shellscript", "slurm"), "shell"),
    **dict.fromkeys(("yaml", "yml"), "yaml"),
    **dict.fromkeys(("python", "python3", "py"), "python"),
    **dict.fromkeys(("dockerfile", "docker", "containerfile"), "dockerfile"),
    **dict.fromkeys(("makefile", "make"), "makefile"),
    **dict.fromkeys(("just", "justfile"), "justfile"),
    **dict.fromkeys(("ini", "systemd"), "systemd"),
}
_SIGNS = {
    "systemd": re.compile(r"\[(?:Service|Container)\]"),
    "dockerfile": re.compile(r"(?i)(?:FROM|ARG)[ \t]+\S"),
}
"""What a text of a language holds, where its name is also given to others."""

_YAML = re.compile(
    r"[ \t]*(?:-[ \t]+)?(?:apiVersion|kind|services|image|version|spec|name|type):(?:[ \t]|$)"
)


@dataclass(frozen=True, slots=True)
class Code:
    """The lines of a block that count, and the language of the reader that takes them."""

    language: str
    lines: tuple[Line, ...]


def code_of(text: str, block: Block) -> Code | None:
    """What a block holds for a reader; None for what no reader takes, or nothing is typed in."""
    if block.language in _SESSIONS or block.language in _PLAIN:
        return _told_by_lines(text, block)
    language = _LANGUAGES.get(block.language, "")
    if language == "shell":
        return Code(language, typed(text, block.lines, is_session=False))
    sign = _SIGNS.get(language)
    if not language or (sign and not any(_starts(sign, text, line) for line in block.lines)):
        return None
    return Code(language, block.lines)


def _starts(sign: re.Pattern[str], text: str, line: Line) -> bool:
    return sign.match(text, line.start, line.stop) is not None


def _told_by_lines(text: str, block: Block) -> Code | None:
    """A block that may be a session, commands, or anything: its first line tells."""
    lines = typed(text, block.lines, is_session=True)
    if len(lines) < len(block.lines) or looks_typed(text, lines):
        return Code("shell", lines)
    first = next((line for line in lines if text[line.start : line.stop].strip("- \t")), None)
    if first is None:
        return None
    if _YAML.match(text, first.start, first.stop):
        return Code("yaml", lines)
    if _starts(_SIGNS["dockerfile"], text, first):
        return Code("dockerfile", lines)
    return None
