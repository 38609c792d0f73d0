"""What kind of file a finding stands in, and how much less it weighs there."""

from __future__ import annotations

from servelint.finding import SEVERITIES

_CONTEXTS = {
    "test": ("test", "tests", "e2e", "testdata"),
    "docs": ("docs", "doc"),
    "example": ("example", "examples", "samples", "recipes", "benchmarks"),
}
"""Names of directories, the context that weighs least first."""

_PROSE = (".md", ".mdx", ".rst", ".adoc", ".asciidoc", ".markdown")


def context_of(*paths: str) -> str:
    """``deployment``, ``docs``, ``example`` or ``test``, from root-relative paths.

    Several paths are those of one thing, such as a chart and the values that it is given.
    """
    found = {_context_of(path) for path in paths}
    return next(context for context in (*_CONTEXTS, "deployment") if context in found)


def _context_of(path: str) -> str:
    if path.lower().endswith(_PROSE):
        return "docs"
    directories = set(path.lower().split("/")[:-1])
    named = (name for name, words in _CONTEXTS.items() if directories.intersection(words))
    return next(named, "deployment")


def weigh(severity: str, context: str, *, is_unknown: bool) -> str:
    """A severity in its context: nobody runs a test, and not everybody an example."""
    if context == "deployment":
        return severity
    cap = "low" if context == "test" or is_unknown else "medium"
    return max(severity, cap, key=SEVERITIES.index)
