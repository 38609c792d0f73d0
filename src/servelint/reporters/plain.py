"""What findings and skips say, in plain text on one line: for formats that others show.

Whatever was scanned comes out without control characters.
"""

from __future__ import annotations

from servelint.reporters.lines import fold, safe, shorten
from servelint.reporters.text import CANNOT_RULE_OUT, CONTEXTS, LABELS, STATUS_WORDS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from servelint.finding import Finding, Skip
    from servelint.reporters import Options
    from servelint.reporters.lines import Files
    from servelint.source import Span
    from servelint.verdict import Place

MAX_PLACE = 200
"""Columns of the text of one place."""


def line(text: str) -> str:
    """A text on one line, safe to show."""
    return safe(fold(text))


def sentence(text: str) -> str:
    """A text on one line that ends as a sentence does."""
    shown = line(text)
    return shown if not shown or shown[-1] in ".!?" else f"{shown}."


def heading(found: Finding) -> str:
    """Severity, id, status, what is special, and the title."""
    notes = [CONTEXTS[found.context]] if found.context in CONTEXTS else []
    notes += [f"{found.confidence} confidence"] if found.confidence != "high" else []
    special = f" ({', '.join(notes)})" if notes else ""
    return line(f"{found.severity} {found.id} {STATUS_WORDS[found.status]}{special}: {found.title}")


def remedy(found: Finding) -> str:
    """What to do, or nothing."""
    return f"Fix: {sentence(found.remedy)}" if found.remedy.strip() else ""


def undecided(found: Finding) -> str:
    """The records that cannot be ruled out, or nothing."""
    others = [cause for cause in found.causes if cause != found.id]
    if not others or found.status == "affected":
        return ""
    return sentence(f"{CANNOT_RULE_OUT.capitalize()}{', '.join(others)}")


def paragraph(found: Finding) -> str:
    """All that is said of a finding but its places."""
    parts = (f"{heading(found)}.", sentence(found.message), undecided(found), remedy(found))
    return " ".join(part for part in parts if part)


def skipped(skip: Skip) -> str:
    """Why something was left out."""
    return line(
        f"skipped ({skip.reason}): {skip.detail}" if skip.detail else f"skipped ({skip.reason})"
    )


def proofs(found: Finding) -> list[Place]:
    """The places beside the one to edit, those of a label together, each once."""
    order = {label: index for index, label in enumerate(LABELS)}
    every = dict.fromkeys(place for place in found.related if place != found.primary)
    return sorted(every, key=lambda place: order.get(place.label, len(order)))


def said(place: Place, files: Files) -> str:
    """The text of a place; of a value on the way, what stands there."""
    lines = files.lines(place.span.path)
    text = place.text or (lines.quote(place.span) if lines is not None else "")
    return shorten(line(text), MAX_PLACE)


def shown_path(path: str, options: Options) -> str:
    """A path as seen from the top of the repository, safe to show."""
    return safe(options.prefix + path)


def where(span: Span, files: Files, options: Options) -> str:
    """``path:line:column`` of a span; line 1 of a file whose text is not at hand."""
    position = files.position(span.path, span.start)
    at = f"{position.line}:{position.column}" if position else "1:1"
    return f"{shown_path(span.path, options)}:{at}"


def more(hidden: int) -> Iterable[str]:
    """That some places are not shown, or nothing."""
    return (f"and {hidden} more",) if hidden > 0 else ()
