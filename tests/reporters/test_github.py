"""Annotations: what the runner makes of our lines, and what it must never make of a scanned one."""

from __future__ import annotations

from dataclasses import replace
from unicodedata import category

import pytest
from hypothesis import given
from made_reports import (
    PATH,
    TEXT,
    at,
    commands,
    finding,
    hostile,
    made_of,
    report,
    skip,
)

from servelint.reporters import Options
from servelint.reporters.github import annotate, defused
from servelint.reporters.github import report as written
from servelint.reporters.text import report as as_text
from servelint.source import Span


def seen(run, **options):
    return commands(written(run, Options(**options)))


def test_a_finding_is_one_line_with_its_place():
    assert written(report(finding()), Options()) == (
        "::error file=deploy/a.yaml,line=2,endLine=2,col=8,endColumn=26,title=servelint (ADV-1)::"
        "deploy/a.yaml:2:8: critical ADV-1 affected: Memory is not given back%0A"
        "A prefill server runs Engine 1.0, which is before 1.2.%0A"
        "Fix: upgrade to 1.3.%0A"
        "flag deploy/a.yaml:3:14: --mode prefill\n"
    )


@pytest.mark.parametrize(
    ("severity", "kind"),
    [
        ("critical", "error"),
        ("high", "error"),
        ("medium", "warning"),
        ("low", "notice"),
        ("note", "notice"),
    ],
)
def test_kinds(severity, kind):
    ((name, properties, message),) = seen(report(finding(severity=severity)))
    assert (name, properties["line"]) == (kind, "2")
    assert message.startswith(f"{PATH}:2:8: {severity} ADV-1 affected: ")


def test_the_worst_comes_first_and_what_cannot_be_ruled_out_is_named():
    unknown = finding(
        id="unknown-version",
        causes=("ADV-1", "ADV-2"),
        status="under_investigation",
        severity="medium",
        context="example",
    )
    first, second = seen(report(unknown, finding()))
    assert (first[0], second[0]) == ("error", "warning")
    assert (
        second[2]
        .splitlines()[0]
        .endswith("medium unknown-version cannot tell (in an example): Memory is not given back")
    )
    assert "Cannot rule out: ADV-1, ADV-2." in second[2].splitlines()


def test_a_range_of_several_lines_has_no_columns():
    ((_, properties, _),) = seen(report(finding(at("Pod\nimage:"))))
    assert properties == {
        "file": PATH,
        "line": "1",
        "endLine": "2",
        "title": "servelint (ADV-1)",
    }


def test_a_line_end_belongs_to_its_line():
    ((_, properties, _),) = seen(report(finding(at("kind: Pod\n"))))
    assert (properties["line"], properties["endLine"], properties["endColumn"]) == ("1", "1", "10")


def test_without_the_text_of_the_file_it_is_shown_at_the_first_line():
    ((_, properties, message),) = seen(report(finding(related=()), texts={}))
    assert properties == {"file": PATH, "line": "1", "title": "servelint (ADV-1)"}
    assert message.startswith(f"{PATH}:1:1: critical")


def test_a_path_is_that_from_the_top_of_the_repository():
    ((_, properties, message),) = seen(report(finding()), prefix="examples/one/")
    assert properties["file"] == f"examples/one/{PATH}"
    assert message.startswith(f"examples/one/{PATH}:2:8: ")
    assert f"flag examples/one/{PATH}:3:14: " in message


def test_signs_of_the_runner_are_escaped_and_come_back():
    path = "a,b:c=d%0A/e::f.yaml"
    primary = at("mirror/engine:v1.0")
    primary = replace(primary, span=replace(primary.span, path=path))
    text = "100% :: of, it"
    run = report(finding(primary, message=text, related=()), texts={path: TEXT})
    ((_, properties, message),) = seen(run)
    assert properties["file"] == path
    assert message.splitlines()[1] == f"{text}."


def test_what_was_left_out_and_the_limits_of_the_data_are_notices():
    spot = at("args").span
    run = report(
        finding(severity="low"),
        skips=(skip(PATH, span=spot), skip(".", "outside-root", "x")),
        notes=("the data is old",),
    )
    low, root, part, note = seen(run)
    assert low[1]["title"] == "servelint (ADV-1)"
    assert root[1:] == ({"title": "servelint (skipped)"}, ".:1: skipped (outside-root): x")
    assert (part[1]["file"], part[1]["line"], part[1]["col"]) == (PATH, "3", "1")
    assert part[2] == f"{PATH}:3: skipped (syntax): a bracket is not closed"
    assert note[1:] == ({"title": "servelint"}, "the data is old")
    assert {each[0] for each in (low, root, part, note)} == {"notice"}


REST = "The log of this step has all of them."


def many(count, **changes):
    spots = [replace(at("kind"), span=Span(PATH, number, number + 1)) for number in range(count)]
    return [finding(spot, related=(), title=f"T{spot.span.start}", **changes) for spot in spots]


@pytest.mark.parametrize("count", [10, 11, 40])
def test_what_the_runner_would_not_show_is_announced_first(count):
    run = report(*many(count), *many(3, severity="medium"))
    every, shown = seen(run), commands(annotate(run, Options()))
    errors = [each for each in every if each[0] == "error"]
    if count == 10:
        assert every == shown
        assert len(every) == 13
        return
    assert len(errors) == count + 1
    assert errors[0] == (
        "error",
        {"title": "servelint"},
        f"{count} errors, of which the 9 worst are annotated. {REST}",
    )
    assert shown == [*errors[:10], *every[count + 1 :]]
    titles = [each[2].splitlines()[0].rpartition(": ")[2] for each in errors[1:10]]
    assert titles == [f"T{number}" for number in range(9)]


def test_a_long_message_is_cut_and_keeps_the_remedy():
    places = tuple(replace(at("kind", "value", "x" * 190), route=at("kind").route) for _ in "ab")
    spots = tuple(replace(places[0], span=Span(PATH, number, number + 1)) for number in range(30))
    ((_, _, message),) = seen(report(finding(related=spots, message="word " * 700)))
    assert len(message) == 4000
    assert "Fix: upgrade to 1.3." in message


def test_a_place_is_told_once():
    found = finding()
    run = report(replace(found, related=(found.primary, *found.related, *found.related)))
    assert written(run, Options()) == written(report(found), Options())


def test_places_beyond_eight_are_counted():
    spots = tuple(replace(at("kind", "value"), span=Span(PATH, n, n + 1)) for n in range(11))
    ((_, _, message),) = seen(report(finding(related=spots)))
    assert message.count("\nvalue ") == 8
    assert message.endswith("\nand 3 more")


def test_names_were_given_and_there_is_nothing_to_say():
    assert written(report(named=True, notes=("old",)), Options()) == ""
    assert written(report(), Options()) == ""


@given(hostile)
def test_nothing_that_was_scanned_becomes_a_command(text):
    said = written(made_of(text), Options())
    assert [name for name, _, _ in commands(said)] == ["error", *["notice"] * 4]
    assert len(said.splitlines()) == 5
    assert not {category(char) for char in said.replace("\n", "")} & HIDDEN
    titles = {properties["title"] for _, properties, _ in commands(said)}
    assert titles == {"servelint (ADV-1)", "servelint (skipped)", "servelint"}
    assert all(set(place) <= KEYS for _, place, _ in commands(said))


KEYS = {"file", "line", "endLine", "col", "endColumn", "title"}
HIDDEN = {"Cc", "Cf", "Cs", "Zl", "Zp"}


@given(hostile)
def test_the_text_report_holds_no_command_once_defused(text):
    said = as_text(made_of(text), Options(all=True))
    assert commands(defused(said)) == []
    assert commands(defused(text)) == []


def test_a_text_without_commands_stays_as_it_is():
    plain = as_text(report(finding(), skips=(skip(),)), Options())
    assert defused(plain) == plain
    assert defused("x\r::c") == "x\r\\x3a:c"
    assert defused("a ::b\n  ::c\n# ##[d] #[e") == "a ::b\n  \\x3a:c\n# ##\\x5bd] #[e"
