"""The report as text for people, editors and commit hooks.

A finding begins with ``path:line:column:`` and ends with what to do. Every
string goes through :class:`_Pen`, so that nothing that was scanned can reach
the terminal as a control character.
"""

from __future__ import annotations

from collections import Counter

from servelint.finding import STATUSES
from servelint.reporters import in_order, ranked, ranked_suppressed, version_texts
from servelint.reporters.lines import CUT, Files, excerpt, fold, safe, shorten, width, wrap
from servelint.reporters.summary import summary

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from servelint.deployment import Component
    from servelint.finding import Finding, Report, Skip
    from servelint.reporters import Options
    from servelint.reporters.lines import Lines
    from servelint.source import Span
    from servelint.verdict import Place, Standing

INDENT = "   "
GUTTER = 5
"""Columns of a line number."""

MARGIN = GUTTER + 3
"""Columns before a source line: the number and `` | ``."""

MIN_ROOM = 20
"""Columns that a text gets at least, however narrow the terminal is."""

PROOF_ROOM = 40
"""Columns that the text of a related place gets at least: a proof that is cut off is none."""

MAX_RELATED = 8

LABELS = ("launch", "flag", "image", "pin", "env", "peer", "router", "map", "suppression", "value")
"""The order in which related places are told."""

STATUS_WORDS = {
    "affected": "affected",
    "under_investigation": "cannot tell",
    "fixed": "fixed",
    "not_affected": "not affected",
}

CANNOT_RULE_OUT = "cannot rule out: "

CONTEXTS = {"docs": "in documentation", "example": "in an example", "test": "in a test"}

BOLD, DIM = "1", "2"
COLORS = {"critical": "1;31", "high": "31", "medium": "33", "low": "36", "note": "34"}
"""SGR parameters by severity."""


class _Pen:
    """Makes a text safe to show, and colours it when asked for."""

    __slots__ = ("_color",)

    def __init__(self, options: Options) -> None:
        self._color = options.color

    def __call__(self, text: str, sgr: str = "") -> str:
        shown = safe(text)
        return f"\x1b[{sgr}m{shown}\x1b[0m" if self._color and sgr and shown else shown


class _Page:
    """What each part of the output needs: the texts, the pen and the width."""

    __slots__ = ("files", "pen", "width")

    def __init__(self, report: Report, options: Options) -> None:
        self.files = Files(report.texts)
        self.pen = _Pen(options)
        self.width = options.width

    def room(self, taken: int) -> int:
        """The columns left of a line of which some are taken."""
        return max(self.width - taken, MIN_ROOM)

    def where(self, span: Span) -> str:
        """``path:line:column`` of a span; line 1 of a file whose text is not at hand."""
        position = self.files.position(span.path, span.start)
        return f"{span.path}:{position.line}:{position.column}" if position else f"{span.path}:1:1"


def report(report: Report, options: Options) -> str:
    """The findings, the skips and, when asked for, the rest; last a line of counts.

    Nothing at all when names were given and there is nothing to say of them.
    """
    page = _Page(report, options)
    rest = [*_suppressed(report, page), *_rest(report, page)] if options.all else []
    if report.named and not (report.findings or report.skips or rest):
        return ""
    blocks = ["\n".join(_finding(finding, page)) for finding in ranked(report.findings)]
    skips = (_skip(skip, page) for skip in in_order(report.skips))
    notes = (page.pen(f"note: {fold(note)}") for note in report.notes)
    blocks.append("\n".join([*skips, *rest, *notes, page.pen(summary(report))]))
    return "\n\n".join(blocks) + "\n"


def _finding(finding: Finding, page: _Page) -> Iterator[str]:
    yield _headline(finding, page)
    yield from _excerpt(finding, page)
    yield from _related(finding.related, page)
    yield from _prose("", finding.message, page)
    others = [cause for cause in finding.causes if cause != finding.id]
    if others and finding.status != "affected":
        yield from _prose(CANNOT_RULE_OUT, ", ".join(others), page)
    if finding.remedy:
        yield from _prose("fix: ", finding.remedy, page)


def _headline(finding: Finding, page: _Page) -> str:
    notes = []
    if finding.context != "deployment":
        notes.append(CONTEXTS[finding.context])
    if finding.confidence != "high":
        notes.append(f"{finding.confidence} confidence")
    return " ".join(
        (
            page.pen(f"{page.where(finding.primary.span)}:", BOLD),
            page.pen(finding.severity, COLORS[finding.severity]),
            page.pen(f"{finding.id} {STATUS_WORDS[finding.status]}{_bracketed(notes)}:"),
            page.pen(fold(finding.title)),
        )
    )


def _excerpt(finding: Finding, page: _Page) -> Iterator[str]:
    """The line to edit, underlined, with what the place is."""
    place, pen = finding.primary, page.pen
    lines = page.files.lines(place.span.path)
    if lines is None:
        note = f"{place.label} at offset {place.span.start}: {fold(place.text)}"
        yield INDENT + pen(shorten(safe(note), page.room(len(INDENT))))
        return
    at = lines.position(place.span.start)
    start = at.column - 1
    stop = start + place.span.end - place.span.start
    room = page.room(MARGIN + 2 * len(CUT))
    shown, left, right = excerpt(lines.line(at.line), start, stop, room)
    yield pen(f"{at.line:>{GUTTER}} | ", DIM) + pen(shown)
    margin = pen(f"{'':{GUTTER}} | ", DIM)
    marks = " " * left + pen("^" * (right - left), COLORS[finding.severity])
    note = shorten(safe(_note(place, lines)), room)
    if right + 1 + width(note) <= page.room(MARGIN):
        yield f"{margin}{marks} {pen(note)}"
    else:
        yield margin + marks
        yield margin + pen(note)


def _note(place: Place, lines: Lines) -> str:
    """The label, and the text when the source line does not say it already."""
    span = place.span
    count = lines.position(max(span.end - 1, span.start)).line - lines.position(span.start).line + 1
    told = fold(place.text) in fold(lines.quote(span))
    note = place.label if told else f"{place.label}: {fold(place.text)}"
    return f"({count} lines) {note}" if count > 1 else note


def _related(places: Iterable[Place], page: _Page) -> Iterator[str]:
    """One line for each place, grouped by label; no group hides another one."""
    groups: dict[str, list[Place]] = {label: [] for label in LABELS}
    for place in dict.fromkeys(places):
        groups.setdefault(place.label, []).append(place)
    by_turns = sorted((turn, label) for label in groups for turn in range(len(groups[label])))
    shares = Counter(label for _, label in by_turns[:MAX_RELATED])
    for label, members in groups.items():
        for place in members[: shares[label]]:
            yield _place(place, page)
    if len(by_turns) > MAX_RELATED:
        yield f"{INDENT}and {len(by_turns) - MAX_RELATED} more"


def _place(place: Place, page: _Page) -> str:
    where = f"{page.where(place.span)}:"
    taken = len(INDENT) + len(place.label) + 1 + len(where) + 1
    text = shorten(safe(fold(_said(place, page))), max(page.room(taken), PROOF_ROOM))
    return f"{INDENT}{page.pen(place.label)} {page.pen(where, BOLD)} {page.pen(text)}"


def _said(place: Place, page: _Page) -> str:
    """The text of a place; of a value on the way, what stands there."""
    lines = page.files.lines(place.span.path)
    return place.text or (lines.quote(place.span) if lines is not None else "")


def _prose(head: str, text: str, page: _Page) -> Iterator[str]:
    """A text under the finding, its later lines indented."""
    lines = list(wrap(text, page.room(len(INDENT) + len(head))))
    for index, line in enumerate(lines):
        lead = page.pen(head, BOLD) if index == 0 else " " * len(head)
        yield INDENT + lead + page.pen(line)


def _skip(skip: Skip, page: _Page) -> str:
    where = page.pen(f"{skip.path}:{page.files.first_line(skip.span)}:", BOLD)
    detail = f": {fold(skip.detail)}" if skip.detail else ""
    return f"{where} {page.pen(f'skipped ({skip.reason}){detail}')}"


def _suppressed(report: Report, page: _Page) -> Iterator[str]:
    """What somebody asked not to be told, why, and where that is written."""
    for each in ranked_suppressed(report.suppressed):
        found, one = each.finding, each.by
        where = page.pen(f"{page.where(found.primary.span)}:", BOLD)
        what = f"suppressed ({found.severity} {found.id} {STATUS_WORDS[found.status]})"
        why = f"{fold(one.reason)} ({page.where(one.span)})"
        yield f"{where} {page.pen(f'{what}: {why}')}"


def _rest(report: Report, page: _Page) -> Iterator[str]:
    """The components that are not affected, fixed, or undecided without a finding."""
    every = (*report.findings, *(each.finding for each in report.suppressed))
    told = {component for found in every for component in found.components}
    silent = [
        standing
        for standing in report.standings
        if standing.status != "affected" and standing.component not in told
    ]
    silent.sort(key=lambda standing: (_launch(standing), STATUSES.index(standing.status)))
    for standing in silent:
        where = page.pen(f"{page.where(_launch(standing))}:", BOLD)
        words = f"{STATUS_WORDS[standing.status]} ({_described(standing.component)})"
        yield f"{where} {page.pen(words + _clause(standing.why))}"


def _launch(standing: Standing) -> Span:
    return standing.component.invocation.launch.span


def _described(component: Component) -> str:
    """Engine, kind, role, version and variant in a few words."""
    resolution = component.resolution
    version = " or ".join(version_texts(resolution)) or f"version unknown, {resolution.reason}"
    words = [f"{component.engine.id} {component.kind}", version]
    if component.role != "none":
        words.insert(1, component.role)
    if component.variant:
        words.append(component.variant)
    return ", ".join(words)


def _clause(why: str) -> str:
    return f": {fold(why)}" if why else ""


def _bracketed(words: Iterable[str]) -> str:
    text = ", ".join(words)
    return f" ({text})" if text else ""
