"""Templates of the Jinja family that are no YAML by name: shell scripts, and nameless ones."""

from __future__ import annotations

import re
from dataclasses import replace

from servelint.readers import claim, claim_text, unwrapped
from servelint.syntax.expressions import is_of_ansible, of_template, opened_shell, with_default
from servelint.syntax.jinja import variants

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from servelint.source import Source

_KEY = re.compile(r"(?:---|apiVersion:|kind:|services:|- hosts:|- name:)(?=\s|\Z)")
"""The line with which YAML of a file without a telling name begins."""

_SKIPPED = re.compile(r"(?:\s+|#(?!!)[^\n]*|\{%.*?%\}|\{#.*?#\})*+", re.DOTALL)


def read(source: Source) -> Iterator[Source]:
    """The text in the language that the template writes; nothing of another than YAML and shell."""
    language = _language(source)
    if language == "yaml":
        yield source.slice(0, len(source.text), language)
    elif language == "shell":
        names = of_template if is_of_ansible(source.path) else with_default
        for number, one in enumerate(variants(source, language, bool, hides=False), 1):
            text = opened_shell(one, names)
            yield text if number == 1 else _numbered(text, f"branch {number}")


def _numbered(source: Source, name: str) -> Source:
    return replace(source, owner=source.owner.child(name), variant=name)


def _language(source: Source) -> str:
    made = unwrapped(source.path)
    named = claim(made) if made else ""
    if named == "shell":
        return named
    start = _SKIPPED.match(source.text)
    rest = source.text[start.end() if start else 0 :]
    if _KEY.match(rest):
        return "yaml"
    return claim_text("shebang", rest)
