"""The report as commands to the runner of GitHub Actions, which makes annotations of them.

A command is a line: ``::error file=...,line=...,title=...::message``. The runner takes a line
for a command when ``::`` is the first that stands there, or when ``##[`` stands anywhere. So
nothing that was scanned may begin a line, and line ends are written as the runner wants them.
"""

from __future__ import annotations

import re

from servelint.reporters import in_order, ranked
from servelint.reporters.lines import Files
from servelint.reporters.plain import (
    heading,
    line,
    more,
    proofs,
    remedy,
    said,
    sentence,
    shown_path,
    skipped,
    undecided,
    where,
)
from servelint.reporters.regions import region
from servelint.reporters.summary import plural

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from servelint.finding import Finding, Report, Skip
    from servelint.reporters import Options
    from servelint.source import Span

COMMANDS = {
    "critical": "error",
    "high": "error",
    "medium": "warning",
    "low": "notice",
    "note": "notice",
}
"""The kind of annotation for a severity."""

KINDS = ("error", "warning", "notice")
"""Worst first."""

MAX_ANNOTATIONS = 10
"""Annotations of one kind that a step may make; the runner only logs the others."""

MAX_MESSAGE = 4000
"""Characters of a message: the runner cuts it at 4,096."""

MAX_PLACES = 8

_DATA = {"%": "%25", "\r": "%0D", "\n": "%0A"}
_PROPERTY = _DATA | {":": "%3A", ",": "%2C"}

_COMMAND = re.compile(r"((?:^|(?<=\r))\s*):(?=:)|(?<=##)\[", re.M)
"""What makes a line a command: both forms that the runner knows."""


def report(report: Report, options: Options) -> str:
    """A command for each finding and each skip, worst first; nothing when there is nothing."""
    return _written(report, options, whole=True)


def annotate(report: Report, options: Options) -> str:
    """The commands that the runner shows; for a log that holds the findings already."""
    return _written(report, options, whole=False)


def defused(text: str) -> str:
    r"""A text in which the runner sees no command: the signs that begin one as ``\x3a``, ``\x5b``.

    The runner could also be told to stop looking (``::stop-commands::``), but then a run that
    is killed would leave it deaf for all that follows.
    """
    return _COMMAND.sub(lambda match: "\\x5b" if match[0] == "[" else f"{match[1]}\\x3a", text)


def _written(report: Report, options: Options, *, whole: bool) -> str:
    if report.named and not (report.findings or report.skips):
        return ""
    kinds: dict[str, list[str]] = {kind: [] for kind in KINDS}
    files = Files(report.texts)
    for found in ranked(report.findings):
        kinds[COMMANDS[found.severity]].append(_finding(found, files, options))
    for skip in in_order(report.skips):
        kinds["notice"].append(_skip(skip, files, options))
    kinds["notice"] += [_command("notice", {}, "servelint", line(note)) for note in report.notes]
    return "".join(
        f"{each}\n" for kind, every in kinds.items() for each in _limited(kind, every, whole=whole)
    )


def _limited(kind: str, every: list[str], *, whole: bool) -> Iterable[str]:
    """The commands of one kind; when there are too many, first one that says so.

    Not ``whole``: only as many as the runner shows.
    """
    if len(every) <= MAX_ANNOTATIONS:
        return every
    shown = MAX_ANNOTATIONS - 1
    what = f"{plural(len(every), f'{kind}')}, of which the {shown} worst are annotated"
    pointer = _command(kind, {}, "servelint", f"{what}. The log of this step has all of them.")
    return (pointer, *(every if whole else every[:shown]))


def _finding(found: Finding, files: Files, options: Options) -> str:
    span = found.primary.span
    message = "\n".join(_told(found, files, options))
    place = _place(span.path, span, files, options)
    return _command(COMMANDS[found.severity], place, f"servelint ({line(found.id)})", message)


def _told(found: Finding, files: Files, options: Options) -> Iterator[str]:
    """The lines of the message. The place comes first: a log shows the message only."""
    yield f"{where(found.primary.span, files, options)}: {heading(found)}"
    yield from filter(None, (sentence(found.message), undecided(found), remedy(found)))
    every = proofs(found)
    for place in every[:MAX_PLACES]:
        yield f"{line(place.label)} {where(place.span, files, options)}: {said(place, files)}"
    yield from more(len(every) - MAX_PLACES)


def _skip(skip: Skip, files: Files, options: Options) -> str:
    at = f"{shown_path(skip.path, options)}:{files.first_line(skip.span)}"
    place = _place(skip.path, skip.span, files, options)
    return _command("notice", place, "servelint (skipped)", f"{at}: {skipped(skip)}")


def _place(path: str, span: Span | None, files: Files, options: Options) -> dict[str, object]:
    """Where to show it. The runner drops columns of a range of several lines."""
    if path == ".":
        return {}
    at = region(span, files) if span is not None else None
    shown: dict[str, object] = {"file": shown_path(path, options), "line": at.line if at else 1}
    if at is None:
        return shown
    shown["endLine"] = at.end_line
    if at.line == at.end_line:
        shown |= {"col": at.column, "endColumn": at.end_column}
    return shown


def _command(kind: str, place: Mapping[str, object], title: str, message: str) -> str:
    properties = ",".join(
        f"{name}={_escaped(str(value), _PROPERTY)}"
        for name, value in (*place.items(), ("title", title))
    )
    return f"::{kind} {properties}::{_escaped(message[:MAX_MESSAGE], _DATA)}"


def _escaped(text: str, table: Mapping[str, str]) -> str:
    return "".join(table.get(char, char) for char in text)
