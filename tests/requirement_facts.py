"""What texts of package files give, each fact with the quotes that prove its places."""

from __future__ import annotations

from unittest.mock import patch

from servelint import read as read_module
from servelint.facts import Requirement
from servelint.finding import Skip
from servelint.source import Route, Source


def items_of(language, text, path="sub/file", needles=()):
    """All facts and skips of a text, embedded texts included; by default of all packages."""
    source = Source(path, text, language, Route(path), needles=needles)
    own = read_module._needles
    with patch.object(read_module, "_needles", lambda each: own(each) if each == "python" else ()):
        return list(read_module.read(source))


def requirements_of(language, text, path="sub/file", needles=()):
    """The requirements of a text in which nothing may be left out."""
    found = items_of(language, text, path, needles)
    assert not [item for item in found if isinstance(item, Skip)]
    return [item for item in found if isinstance(item, Requirement)]


def quote(text, at):
    """What stands at the span of a fact or a value."""
    return text[at.span.start : at.span.end]


def summary(text, facts):
    """Kind, name, meant version or specifier, its quote, and the extras of each requirement."""
    rows = []
    for fact in facts:
        value = fact.version or fact.specifier
        meant = value and "|".join(value.texts or (value.reason,))
        rows.append((fact.kind, fact.name, meant, value and quote(text, value), fact.extras))
    return rows
