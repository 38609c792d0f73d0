"""What kind of file a finding stands in, and how much less it weighs there."""

from __future__ import annotations

from servelint.finding import SEVERITIES

_CONTEXTS = {
    "docs": ("docs", "doc"),
    "test": ("test", "tests", "e2e", "testdata"),
    "example": ("example", "examples", "samples", "recipes", "benchmarks"),
}
_PROSE = (".md", ".mdx", ".rst", ".adoc", ".asciidoc", ".markdown")


def context_of(path: str) -> str:
    """``deployment``, ``docs``, ``example`` or ``test``, from the root-relative path."""
    if path.lower().endswith(_PROSE):
        return "docs"
    directories = path.lower().split("/")[:-1]
    for context in ("test", "docs", "example"):
        if any(name in _CONTEXTS[context] for name in directories):
            return context
    return "deployment"


def weigh(severity: str, context: str, *, is_unknown: bool) -> str:
    """A severity in its context: nobody runs a test, and not everybody an example."""
    if context == "deployment":
        return severity
    cap = "low" if context == "test" or is_unknown else "medium"
    return max(severity, cap, key=SEVERITIES.index)
