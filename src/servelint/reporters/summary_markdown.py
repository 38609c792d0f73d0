"""The report as Markdown, for the page on which a job of CI sums up what it did.

Whatever was scanned stands in code spans, or with every sign escaped that Markdown knows: it
cannot make links, images, HTML or cells of a table.
"""

from __future__ import annotations

import re

from servelint.reporters import in_order, ranked, version_texts
from servelint.reporters.lines import Files
from servelint.reporters.plain import line, shown_path, skipped, where
from servelint.reporters.summary import summary
from servelint.reporters.text import STATUS_WORDS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from servelint.deployment import Component, Resolution
    from servelint.finding import Report, Skip
    from servelint.reporters import Options

MAX_BYTES = 900_000
"""Bytes of the whole text: GitHub drops a summary of a mebibyte or more, all of it."""

MAX_OPEN = 30
"""Rows of a table above which it is folded."""

CUT = "\n\nThere is more: this summary is cut.\n"

_SIGNS = re.compile(r"[\\`*_{}\[\]<>|~@:#&!]|(?<=www)\.")
_TICKS = re.compile("`+")


def report(report: Report, options: Options) -> str:
    """Counts, findings, what was decided of each server and why, and what was left out."""
    files = Files(report.texts)
    parts = [
        [f"### servelint: {prose(summary(report))}", ""],
        _table(
            "Findings",
            ("severity", "id", "where", "what", "to do"),
            _findings(report, files, options),
        ),
        _table(
            "Servers",
            ("deployment", "where", "what runs", "verdict", "why"),
            _servers(report, files, options),
        ),
        _table("Left out", ("where", "why"), _skips(report, options)),
        [f"Note: {prose(note)}" for note in report.notes],
    ]
    return _limited("\n".join(text for part in parts for text in part).rstrip() + "\n")


def prose(text: str) -> str:
    """A text on one line in which no sign means anything to Markdown."""
    return _SIGNS.sub(lambda match: f"\\{match[0]}", line(text))


def code(text: str) -> str:
    """A text on one line in a code span.

    One with a bar is written as prose: a table ends its cell at a bar, in a code span as well,
    unless a backslash stands before it, which in turn may be escaped by the one before that.
    So is one with ``##[``, behind which a job log of GitHub sees a command.
    """
    shown = line(text)
    if not shown or "|" in shown or "##[" in shown:
        return prose(shown)
    fence = "`" * (1 + max((len(run[0]) for run in _TICKS.finditer(shown)), default=0))
    pad = " " if shown[0] == "`" or shown[-1] == "`" else ""
    return f"{fence}{pad}{shown}{pad}{fence}"


def _findings(report: Report, files: Files, options: Options) -> Iterator[tuple[str, ...]]:
    for found in ranked(report.findings):
        yield (
            found.severity,
            code(found.id),
            code(where(found.primary.span, files, options)),
            f"{STATUS_WORDS[found.status]}: {prose(found.title)}. {prose(found.message)}",
            prose(found.remedy),
        )


def _servers(report: Report, files: Files, options: Options) -> Iterator[tuple[str, ...]]:
    decided = {standing.component: standing for standing in report.standings}
    for number, deployment in enumerate(report.deployments, 1):
        for component in deployment.components:
            standing = decided[component]
            yield (
                str(number),
                code(where(component.invocation.launch.span, files, options)),
                _described(component),
                STATUS_WORDS[standing.status],
                prose(standing.why),
            )


def _described(component: Component) -> str:
    role = "" if component.role == "none" else f" {component.role}"
    variant = f", {code(component.variant)}" if component.variant else ""
    kind = prose(f"{component.engine.id} {component.kind}{role}")
    return f"{kind} {_version(component.resolution)}{variant}"


def _version(resolution: Resolution) -> str:
    """The version, or why there is none."""
    versions = " or ".join(map(code, version_texts(resolution)))
    return versions or f"of an unknown version ({prose(resolution.reason)})"


def _skips(report: Report, options: Options) -> Iterator[tuple[str, ...]]:
    for skip in in_order(report.skips):
        yield code(_place(skip, options)), prose(skipped(skip))


def _place(skip: Skip, options: Options) -> str:
    return shown_path(skip.path, options)


def _table(title: str, head: Sequence[str], rows: Iterator[tuple[str, ...]]) -> list[str]:
    """A table below its title; nothing when it has no rows, folded when it has many."""
    shown = [f"| {' | '.join(row)} |" for row in rows]
    if not shown:
        return []
    table = [f"| {' | '.join(head)} |", f"|{'---|' * len(head)}", *shown, ""]
    if len(shown) <= MAX_OPEN:
        return [f"#### {title}", "", *table]
    opened = f"<details><summary>{title} ({len(shown)})</summary>"
    return [opened, "", *table, "</details>", ""]


def _limited(text: str) -> str:
    """A text as far as it may go: whole lines, and a word that there is more."""
    data = text.encode("utf-8", "backslashreplace")
    if len(data) <= MAX_BYTES:
        return text
    kept = data[: MAX_BYTES - len(CUT) - 20].decode("utf-8", "ignore").rpartition("\n")[0]
    is_open = kept.count("<details>") > kept.count("</details>")
    return kept + ("\n\n</details>" if is_open else "") + CUT
