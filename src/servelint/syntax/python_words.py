"""``python3 -mNAME`` and ``python3 -um NAME`` as ``python3 -m NAME``."""

from __future__ import annotations

import re

from servelint.source import Span
from servelint.syntax.bash_texts import PYTHONS
from servelint.syntax.programs import base_name
from servelint.value import known

TYPE_CHECKING = False
if TYPE_CHECKING:
    from servelint.value import Value

_MODULE = re.compile(r"-(?P<flags>[bBdEhiIOPqRsSuvx]*)m(?P<name>[A-Za-z_][\w.]*)?\Z", re.ASCII)


def module_words(argv: tuple[Value, ...]) -> tuple[Value, ...]:
    """The words of a command, the option that names a module as a word of its own."""
    if not argv or base_name(argv[0].text or "") not in PYTHONS:
        return argv
    skip = False
    for at, word in enumerate(argv[1:], start=1):
        text = word.text
        if skip or text is None:
            skip = False
            continue
        if match := _MODULE.match(text):
            return (*argv[:at], *_apart(word, match), *argv[at + 1 :])
        if not text.startswith("-"):
            break
        skip = text in ("-X", "-W")
    return argv


def _apart(word: Value, match: re.Match[str]) -> tuple[Value, ...]:
    if match[0] == "-m":
        return (word,)
    flags = (known(f"-{match['flags']}", word.span, word.trail),) if match["flags"] else ()
    option = known("-m", word.span, word.trail)
    if not match["name"]:
        return (*flags, option)
    span = word.span
    is_plain = span.end - span.start == len(match[0])
    behind = Span(span.path, span.start + match.start("name"), span.end) if is_plain else span
    return (*flags, option, known(match["name"], behind, word.trail))
