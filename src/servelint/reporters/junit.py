"""The report as JUnit XML: a suite for each file, a test case for what is said of it.

A finding fails when it would make the run fail, and passes with its text otherwise: JUnit
knows no warnings. A server of which nothing is to be said is a test that passes, or, when
it cannot be told, one that was skipped; so is a file that was left out.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from xml.etree import ElementTree as ET

from servelint.reporters import in_order, is_failure, ranked, version_texts
from servelint.reporters.lines import Files
from servelint.reporters.plain import (
    heading,
    line,
    proofs,
    remedy,
    said,
    sentence,
    shown_path,
    skipped,
    undecided,
    where,
)
from servelint.reporters.text import STATUS_WORDS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from servelint.finding import Finding, Report, Skip
    from servelint.reporters import Options
    from servelint.source import Span
    from servelint.verdict import Standing

HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'
"""What is written is ASCII; some readers know no encoding by the name of that."""

_NO_XML = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What no XML 1.0 document may hold, written in any way."""


def report(report: Report, options: Options) -> str:
    """The whole report; with nothing to tell it holds one test that passes.

    In ASCII, so that it can be written in any encoding.
    """
    files = Files(report.texts)
    suites: dict[str, list[ET.Element]] = defaultdict(list)
    for found in ranked(report.findings):
        path = shown_path(found.primary.span.path, options)
        suites[path].append(_finding(found, files, options))
    for standing in _silent(report):
        path = shown_path(_launch(standing).path, options)
        suites[path].append(_standing(standing, files, options))
    for skip in in_order(report.skips):
        suites[shown_path(skip.path, options)].append(_skip(skip, files, options))
    if not suites:
        suites["."].append(_case(".", 0, "nothing to report"))
    return _document(suites, report.seconds)


def _document(suites: dict[str, list[ET.Element]], seconds: float) -> str:
    top = ET.Element("testsuites", _attributes(name="servelint"))
    for path in sorted(suites):
        cases = _told_apart(suites[path])
        suite = ET.SubElement(top, "testsuite", _attributes(name=path, **_counts(cases)))
        suite.extend(cases)
    every = [case for cases in suites.values() for case in cases]
    top.attrib.update(_attributes(**_counts(every), time=f"{seconds:.3f}"))
    ET.indent(top)
    data: bytes = ET.tostring(top, encoding="us-ascii")
    # A job log of GitHub takes what stands behind `##[` for a command.
    return HEAD + data.decode("ascii").replace("##[", "##&#91;") + "\n"


def _told_apart(cases: list[ET.Element]) -> list[ET.Element]:
    """Cases with different names: of equal ones, readers keep one."""
    seen: Counter[str] = Counter()
    for case in cases:
        name = case.attrib["name"]
        seen[name] += 1
        if seen[name] > 1:
            case.set("name", f"{name} ({seen[name]})")
    return cases


def _counts(cases: list[ET.Element]) -> dict[str, str]:
    failed, left_out = (
        sum(case.find(tag) is not None for case in cases) for tag in ("failure", "skipped")
    )
    return {
        "tests": str(len(cases)),
        "failures": str(failed),
        "errors": "0",
        "skipped": str(left_out),
    }


def _finding(found: Finding, files: Files, options: Options) -> ET.Element:
    span = found.primary.span
    name = line(f"{found.id}: {found.title}")
    case = _case(shown_path(span.path, options), files.first_line(span), name)
    properties = ET.SubElement(case, "properties")
    for key, value in (("fingerprint", found.fingerprint), ("severity", found.severity)):
        ET.SubElement(properties, "property", _attributes(name=key, value=value))
    text = "\n".join(_told(found, files, options))
    if is_failure(found, options):
        shown = _attributes(message=heading(found), type=found.severity)
        ET.SubElement(case, "failure", shown).text = _xml(text)
    else:
        ET.SubElement(case, "system-out").text = _xml(text)
    return case


def _told(found: Finding, files: Files, options: Options) -> Iterator[str]:
    yield f"{where(found.primary.span, files, options)}: {heading(found)}"
    for place in proofs(found):
        yield f"{line(place.label)} {where(place.span, files, options)}: {said(place, files)}"
    yield from filter(None, (sentence(found.message), undecided(found), remedy(found)))


def _silent(report: Report) -> Iterator[Standing]:
    """What was decided of servers that no finding names; a suppressed one is no test."""
    every = (*report.findings, *(each.finding for each in report.suppressed))
    told = {component for found in every for component in found.components}
    for standing in report.standings:
        if standing.component not in told and standing.status != "affected":
            yield standing


def _standing(standing: Standing, files: Files, options: Options) -> ET.Element:
    component, span = standing.component, _launch(standing)
    words = [component.engine.id, component.kind, component.role, component.variant]
    resolution = component.resolution
    words.append(" or ".join(version_texts(resolution)) or "of an unknown version")
    name = line(" ".join(word for word in words if word and word != "none"))
    case = _case(shown_path(span.path, options), files.first_line(span), name)
    why = line(f"{STATUS_WORDS[standing.status]}: {standing.why}")
    if standing.status == "under_investigation":
        ET.SubElement(case, "skipped", _attributes(message=why))
    else:
        ET.SubElement(case, "system-out").text = _xml(why)
    return case


def _skip(skip: Skip, files: Files, options: Options) -> ET.Element:
    case = _case(shown_path(skip.path, options), files.first_line(skip.span), skip.stage)
    tag = "failure" if options.strict else "skipped"
    ET.SubElement(case, tag, _attributes(message=skipped(skip)))
    return case


def _launch(standing: Standing) -> Span:
    return standing.component.invocation.launch.span


def _case(path: str, number: int, name: str) -> ET.Element:
    """A test case of a file; ``number`` is the line, 0 for none."""
    at = {"file": path, "line": str(number)} if number else {}
    return ET.Element("testcase", _attributes(name=name, classname=path, **at))


def _attributes(**texts: str) -> dict[str, str]:
    return {name: _xml(text) for name, text in texts.items()}


def _xml(text: str) -> str:
    """A text without what XML cannot hold."""
    return _NO_XML.sub(lambda match: f"\\u{ord(match[0]):04x}", text)
