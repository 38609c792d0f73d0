"""What one text of a file gives, embedded texts included, in a form that tests can compare."""

from __future__ import annotations

from servelint.facts import Launch
from servelint.finding import Skip
from servelint.read import read
from servelint.source import Route, Source
from servelint.value import Open, Text


def facts_of(language, text, path="file"):
    """The facts and skips of a text, as a whole run would read it."""
    return list(read(Source(path, text, language, Route(path))))


def launches_of(language, text, path="file"):
    """The launches of a text in which nothing may be left out."""
    found = facts_of(language, text, path)
    assert not [item for item in found if isinstance(item, Skip)]
    return [item for item in found if isinstance(item, Launch)]


def commands_of(language, text, path="file"):
    """The words of each launch."""
    return [[shown(word) for word in launch.argv] for launch in launches_of(language, text, path)]


def shown(value):
    """The readings of a value: text as it is, ``<name>`` or ``<name=default>``, ``<reason>``."""
    readings = ("".join(map(_shown_part, parts)) for parts in value.readings)
    return "|".join(dict.fromkeys(readings))


def _shown_part(part):
    match part:
        case Text():
            return part.text
        case Open(default=None):
            return f"<{part.name}>"
        case Open():
            return f"<{part.name}={''.join(map(_shown_part, part.default))}>"
    return f"<{part.reason}>"


def quoted(text, span):
    """What stands at a span of a text."""
    return text[span.start : span.end]


def never_fails(language, text):
    """Assert that a text is read without an error, and that all spans lie in it."""
    for item in facts_of(language, text):
        if isinstance(item, Skip):
            assert item.reason != "plugin-error", item.detail
        if item.span is not None:
            assert 0 <= item.span.start <= item.span.end <= len(text)
