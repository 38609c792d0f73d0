"""The text report: what people see, and what can never reach their terminal."""

from __future__ import annotations

import re
from dataclasses import replace
from unicodedata import category

import pytest
from hypothesis import given
from hypothesis import strategies as st

from servelint.deployment import Build, Component, Invocation, Range, Release, Resolution
from servelint.engine import Engine
from servelint.facts import Launch
from servelint.finding import SEVERITIES, Finding, Report, Skip
from servelint.reporters import Options
from servelint.reporters.lines import Files, Lines, Position, excerpt, safe, shorten, width, wrap
from servelint.reporters.text import report
from servelint.source import Route, Span
from servelint.value import known
from servelint.verdict import Place, Standing

PATH = "deploy/prefill.yaml"
TEXT = "kind: Pod\nspec:\n  image: registry/engine:v0.5.5\n  args: --mode prefill\n"
ESCAPE_CODE = re.compile("\x1b\\[[0-9;]*m")
HOSTILE = "\x1b]0;owned\x07\x1b[2J\r\x00\x7f\x9b\u202e\u2066\u200b\ufeff\ud800\u2028"


def place(
    quote: str = "registry/engine:v0.5.5",
    label: str = "image",
    text: str = "",
    path: str = PATH,
    file: str = TEXT,
) -> Place:
    start = file.index(quote)
    return Place(Span(path, start, start + len(quote)), Route(path), text or quote, label)


def finding(primary: Place | None = None, **changes: object) -> Finding:
    values: dict[str, object] = {
        "id": "ADV-1",
        "causes": ("ADV-1",),
        "title": "Memory is not given back",
        "status": "affected",
        "severity": "critical",
        "confidence": "high",
        "context": "deployment",
        "message": "A request that ends early keeps its pages.",
        "remedy": "Use v0.5.20.",
        "related": (),
        "components": (),
        "fingerprint": "f00d",
    }
    return Finding(primary=primary or place(), **(values | changes))  # type: ignore[arg-type]


def component(path: str = PATH, start: int = 0, role: str = "none", **changes: object) -> Component:
    engine = Engine("engine", "Engine", ("engine",), (), (), (), (), "--mode", {})
    owner = Route(path, (start,))
    span = Span(path, start, start + 4)
    launch = Launch(span=span, owner=owner, argv=(known("engine", span),))
    values: dict[str, object] = {
        "variant": "",
        "resolution": Resolution("engine", (Release("0.5.20"),), via="tag"),
    }
    return Component(
        owner=owner,
        engine=engine,
        kind="server",
        role=role,
        invocation=Invocation(launch, engine, "engine", "server", (role,), (), open=False),
        env=(),
        image=None,
        requirements=(),
        **(values | changes),  # type: ignore[arg-type]
    )


def standing(
    of: Component, status: str = "not_affected", why: str = "not disaggregated"
) -> Standing:
    return Standing(of, status, why)


def shown(*findings: Finding, text: str = TEXT, **options: object) -> list[str]:
    texts = {found.primary.span.path: text for found in findings}
    return report(Report(findings, texts=texts), Options(**options)).splitlines()  # type: ignore[arg-type]


def test_a_finding_begins_with_its_place_and_ends_with_what_to_do() -> None:
    role = place("--mode prefill", "launch")
    found = finding(place(text="0.5.5 is before 0.5.20"), related=(role,))
    assert shown(found) == [
        "deploy/prefill.yaml:3:10: critical ADV-1 affected: Memory is not given back",
        "    3 |   image: registry/engine:v0.5.5",
        "      |          ^^^^^^^^^^^^^^^^^^^^^^ image: 0.5.5 is before 0.5.20",
        "   launch deploy/prefill.yaml:4:9: --mode prefill",
        "   A request that ends early keeps its pages.",
        "   fix: Use v0.5.20.",
        "",
        "1 finding (1 critical) in 0 relevant files",
    ]


def test_text_that_the_source_line_shows_is_not_said_again() -> None:
    assert shown(finding())[2] == "      |          ^^^^^^^^^^^^^^^^^^^^^^ image"


def test_an_undecided_finding_says_so_with_its_context_and_confidence() -> None:
    found = finding(
        id="unknown-version",
        causes=("ADV-1", "ADV-2"),
        status="under_investigation",
        severity="low",
        context="example",
        confidence="medium",
    )
    lines = shown(found)
    assert lines[0] == (
        "deploy/prefill.yaml:3:10: low unknown-version cannot tell "
        "(in an example, medium confidence): Memory is not given back"
    )
    assert "   cannot rule out: ADV-1, ADV-2" in lines


def test_other_causes_are_named_once() -> None:
    found = finding(causes=("ADV-1", "ADV-2", "ADV-3"), status="under_investigation")
    lines = shown(found)
    assert lines[-4:-2] == ["   cannot rule out: ADV-2, ADV-3", "   fix: Use v0.5.20."]
    assert not any("rule out" in line for line in shown(finding(status="under_investigation")))


def test_the_message_of_an_affected_finding_names_its_causes_itself() -> None:
    assert not any("ADV-2" in line for line in shown(finding(causes=("ADV-1", "ADV-2"))))


def test_worst_severity_first_then_path_and_offset() -> None:
    spots = [("b", "low"), ("b", "high"), ("a", "low"), ("c", "critical"), ("a", "note")]
    found = [
        finding(place(path=path, quote=quote), severity=severity)
        for path, severity in spots
        for quote in ("spec", "kind")
    ]
    found += [
        finding(place(path="d"), id=name, causes=(name,), severity="note")
        for name in ("ADV-2", "ADV-1")
    ]
    heads = [line.split(" ADV")[0] for line in shown(*found) if " ADV" in line]
    assert heads == [
        "c:1:1: critical",
        "c:2:1: critical",
        "b:1:1: high",
        "b:2:1: high",
        "a:1:1: low",
        "a:2:1: low",
        "b:1:1: low",
        "b:2:1: low",
        "a:1:1: note",
        "a:2:1: note",
        "d:3:10: note",
        "d:3:10: note",
    ]
    ids = [line.split()[2] for line in shown(*found) if line.startswith("d:")]
    assert ids == ["ADV-1", "ADV-2"]


@pytest.mark.parametrize(
    ("text", "quote", "source", "marks"),
    [
        ("a:\tx\n", "x", "a:  x", "    ^"),
        ("\t\tx\n", "x", "        x", "        ^"),
        ("a: \tx\ty\n", "x\ty", "a:  x   y", "    ^^^^^"),
        ("名前: 値x # 終\n", "値x", "名前: 値x # 終", "      ^^^"),
        ("e\u0301: x\n", "x", "e\u0301: x", "   ^"),
        ("a: x\r\nb: y\r\n", "x", "a: x", "   ^"),
        ("a\x1b: x\n", "x", "a\\x1b: x", "       ^"),
        ("a: x", "x", "a: x", "   ^"),
        ("a: x\r", "x\r", "a: x\\x0d", "   ^^^^^"),
        ("a: \u00a0x\n", "x", "a: \u00a0x", "    ^"),
    ],
)
def test_the_underline_stands_below_what_it_means(
    text: str, quote: str, source: str, marks: str
) -> None:
    lines = shown(finding(place(quote, file=text)), text=text)
    assert lines[1:3] == [f"    1 | {source}", f"      | {marks} image"]


def test_a_span_of_several_lines_is_underlined_to_the_end_of_the_first() -> None:
    text = "run: engine \\\r\n  --mode prefill \\\r\n  --port 1\r\n"
    launch = place(text[5:-2], "launch", "a launch", file=text)
    lines = shown(finding(launch), text=text)
    assert lines[1:3] == [
        "    1 | run: engine \\",
        "      |      ^^^^^^^^ (3 lines) launch: a launch",
    ]


def test_an_empty_span_and_one_in_a_line_end_get_one_mark() -> None:
    empty = Place(Span("f", 3, 3), Route("f"), "", "image")
    line_end = Place(Span("f", 5, 6), Route("f"), "", "image")
    assert shown(finding(empty), text="a: x\r\n")[2] == "      |    ^ image"
    assert shown(finding(line_end), text="a: x\r\n")[2] == "      |     ^ image"


def test_a_long_line_is_cut_around_the_place() -> None:
    text = "x" * 5000 + " image:v1 " + "y" * 5000 + "\n"
    lines = shown(finding(place("image:v1", file=text)), text=text, width=80)
    assert max(map(len, lines[1:3])) <= 80
    source, marks = lines[1], lines[2]
    assert source[marks.index("^") : marks.rindex("^") + 1] == "image:v1"
    assert source[8:11] == source[-3:] == "..."
    assert source[11 : marks.index("^")].strip("x") == " "
    assert marks.index("^") > 20


def test_without_the_text_of_the_file_the_place_is_still_named() -> None:
    out = report(Report((finding(),)), Options())
    assert out.splitlines()[:3] == [
        "deploy/prefill.yaml:1:1: critical ADV-1 affected: Memory is not given back",
        f"   image at offset {TEXT.index('registry')}: registry/engine:v0.5.5",
        "   A request that ends early keeps its pages.",
    ]


def test_related_places_are_grouped_and_no_group_hides_another() -> None:
    images = [
        Place(Span(PATH, offset, offset + 1), Route(PATH), f"i{offset}", "image")
        for offset in range(12)
    ]
    flag = place("--mode", "flag")
    origin = place("kind", "value")
    lines = shown(finding(related=(origin, *images, flag, flag)))
    related = [line for line in lines if line.startswith("   ") and f" {PATH}:" in line]
    assert [line.split()[0] for line in related] == ["flag", *["image"] * 6, "value"]
    assert lines[lines.index(related[-1]) + 1] == "   and 6 more"


def test_related_text_is_one_line_that_fits() -> None:
    long = place("kind", "value", "a\n  b " + "c" * 200)
    (line,) = [line for line in shown(finding(related=(long,)), width=90) if "value" in line]
    assert line.startswith("   value deploy/prefill.yaml:1:1: a b ccc")
    assert line.endswith("...")
    assert len(line) == 90


def test_related_text_stays_readable_in_a_narrow_terminal() -> None:
    long = place("kind", "value", "c" * 200)
    (line,) = [line for line in shown(finding(related=(long,)), width=40) if "value" in line]
    assert line.endswith(f" {'c' * 37}...")


def test_messages_are_wrapped_and_words_stay_whole() -> None:
    address = "https://example.invalid/" + "a" * 60
    found = finding(message=f"{'word ' * 20}{address}", remedy="one two\nthree")
    lines = shown(found, width=40)
    assert f"   {address}" in lines
    assert [len(line) <= 40 for line in lines[3:-4]].count(False) == 1
    assert lines[-4:-2] == ["   fix: one two", "        three"]


def test_skips_are_one_line_each_in_order() -> None:
    skips = (
        Skip("b.yaml", "read", "syntax", "unexpected\n  end", Span("b.yaml", 3, 4)),
        Skip("a.yaml", "discover", "too-large"),
    )
    out = report(Report(skips=skips, texts={"b.yaml": "a\nb\n"}, counts={"skipped": 2}), Options())
    assert out.splitlines() == [
        "a.yaml:1: skipped (too-large)",
        "b.yaml:2: skipped (syntax): unexpected end",
        "no relevant files; 2 skipped",
    ]


def test_the_last_line_counts_everything() -> None:
    counts = {
        "files": 24,
        "relevant": 3,
        "affected": 4,
        "unknown": 1,
        "not_affected": 24,
        "fixed": 2,
        "skipped": 1,
        "suppressed": 2,
    }
    found = (finding(), finding(severity="medium"))
    standings = (standing(component()),)
    out = report(Report(found, (), standings, (), counts, "2026-11-30"), Options())
    assert out.splitlines()[-1] == (
        "2 findings (1 critical, 1 medium) in 24 files, 3 relevant; "
        "4 components affected, 1 unknown, 24 not affected: not disaggregated, 2 fixed; "
        "2 suppressed; 1 skipped; data of 2026-11-30"
    )


@pytest.mark.parametrize(
    ("counts", "expected"),
    [
        ({}, "no relevant files\n"),
        ({"relevant": 1}, "no findings in 1 relevant file\n"),
        ({"files": 1, "relevant": 1}, "no findings in 1 file, 1 relevant\n"),
        ({"files": 9}, "no findings in 9 files, none relevant\n"),
        ({"affected": 1}, "no relevant files; 1 component affected\n"),
        (
            {"unknown": 1, "fixed": 2},
            "no relevant files; 1 component unknown, 2 fixed\n",
        ),
        ({"fixed": 2}, "no relevant files; 2 components fixed\n"),
    ],
)
def test_plurals(counts: dict[str, int], expected: str) -> None:
    assert report(Report(counts=counts), Options()) == expected


@pytest.mark.parametrize(
    ("reasons", "expected"),
    [
        (("a", "a"), "2 components not affected: a\n"),
        (("a", "b", "a"), "3 components not affected: mostly a\n"),
        (("a", "b"), "2 components not affected\n"),
    ],
)
def test_the_usual_reason_is_told(reasons: tuple[str, ...], expected: str) -> None:
    standings = tuple(standing(component(start=at), why=why) for at, why in enumerate(reasons))
    out = report(Report(standings=standings, counts={"not_affected": len(reasons)}), Options())
    assert out.endswith(f"; {expected}")


def test_names_given_and_nothing_to_say_prints_nothing() -> None:
    quiet = Report(named=True, counts={"files": 3}, standings=(standing(component()),))
    assert report(quiet, Options()) == ""
    assert report(replace(quiet, findings=(finding(),)), Options()) != ""
    assert report(replace(quiet, skips=(Skip("a", "read", "binary"),)), Options()) != ""
    assert "not disaggregated" in report(quiet, Options(all=True))


def test_all_lists_what_no_finding_names() -> None:
    named, plain = component(start=0, role="prefill"), component(start=10)
    fixed = component(start=16, role="decode", variant="values-prod.yaml")
    ranged = component(
        start=38, resolution=Resolution("engine", (Range(">=0.5"), Build("main", "2026-09-01")))
    )
    silent = component(start=46, resolution=Resolution("engine", reason="untagged"))
    standings = (
        standing(silent, "under_investigation", ""),
        standing(plain),
        standing(fixed, "fixed", "0.5.20 has the fix"),
        standing(ranged, "not_affected", "not disaggregated"),
        standing(named, "affected", "0.5.5 is before 0.5.20"),
    )
    run = Report((finding(components=(named,)),), (), standings, texts={PATH: TEXT})
    lines = report(run, Options(all=True)).splitlines()
    assert lines[-5:-1] == [
        f"{PATH}:2:1: not affected (engine server, 0.5.20): not disaggregated",
        f"{PATH}:3:1: fixed (engine server, decode, 0.5.20, values-prod.yaml): 0.5.20 has the fix",
        f"{PATH}:3:23: not affected (engine server, >=0.5 or main@2026-09-01): not disaggregated",
        f"{PATH}:3:31: cannot tell (engine server, version unknown, untagged)",
    ]
    assert "not affected (" not in report(run, Options())


def test_all_does_not_accuse_without_a_finding() -> None:
    one = component()
    run = Report(standings=(standing(one, "affected"),))
    assert len(report(run, Options(all=True)).splitlines()) == 1


def test_two_launches_of_one_owner_are_two_components() -> None:
    first, second = component(start=0), component(start=10)
    second = replace(second, owner=first.owner)
    run = Report(standings=(standing(first), standing(second)), texts={PATH: TEXT})
    lines = report(run, Options(all=True)).splitlines()
    assert [line.split(" ")[0] for line in lines[:-1]] == [f"{PATH}:1:1:", f"{PATH}:2:1:"]


def test_colour_only_adds_codes() -> None:
    found = finding(related=(place("kind", "value"),), causes=("ADV-1", "ADV-2"))
    run = Report((found,), texts={PATH: TEXT}, skips=(Skip("a", "read", "binary"),))
    plain, coloured = report(run, Options()), report(run, Options(color=True))
    assert "\x1b" not in plain
    assert ESCAPE_CODE.sub("", coloured) == plain
    assert "\x1b[1;31mcritical\x1b[0m" in coloured
    assert "\x1b[1mdeploy/prefill.yaml:3:10:\x1b[0m" in coloured
    assert f"\x1b[1;31m{'^' * 22}\x1b[0m" in coloured


def hostile_report(text: str) -> Report:
    """A report that holds ``text`` wherever scanned or shipped text may stand."""
    body = f"{text}image: {text}:v1{text}\n{text}"
    path = f"a{text}"
    primary = Place(Span(path, len(text), len(text) + 9), Route(path), text, "image")
    far = Place(Span(text, 0, 1), Route(text), text, text)
    one = component(path, variant=text, resolution=Resolution("engine", (Range(text),)))
    none = component(path, 1, resolution=Resolution("engine", reason=text))
    found = finding(
        primary,
        id=text,
        causes=(text, f"{text}2"),
        title=text,
        message=text,
        remedy=text,
        related=(primary, far),
    )
    return Report(
        findings=(found, replace(found, primary=far)),
        standings=(standing(one, why=text), standing(none, "under_investigation", text)),
        skips=(Skip(path, "read", "syntax", text, Span(path, 1, 2)), Skip(text, "read", text)),
        counts={"files": 1, "not_affected": 1},
        data_date=text,
        texts={path: body},
    )


def controls(text: str) -> set[str]:
    return {char for char in text if category(char) in {"Cc", "Cf", "Cs", "Zl", "Zp"}} - {"\n"}


def test_hostile_text_is_shown_escaped() -> None:
    for color in (False, True):
        out = report(hostile_report(HOSTILE), Options(color=color, all=True))
        assert controls(ESCAPE_CODE.sub("", out) if color else out) == set()
        assert "\\x1b]0;owned\\x07\\x1b[2J" in out
        assert "\\u202e" in out
        assert "\\ud800" in out


def test_a_line_end_in_a_path_does_not_make_a_line() -> None:
    path = "a\nb.yaml"
    assert shown(finding(place(path=path)))[0].startswith("a\\x0ab.yaml:3:10: critical")


@given(
    st.text(st.characters(codec=None) | st.sampled_from(HOSTILE + "\n\t[m;"), max_size=40),
    st.integers(0, 120),
)
def test_no_control_character_but_the_line_end(text: str, columns: int) -> None:
    run = hostile_report(text)
    out = report(run, Options(all=True, width=columns))
    assert controls(out) == set()
    coloured = report(run, Options(color=True, all=True, width=columns))
    assert ESCAPE_CODE.sub("", coloured) == out


@given(st.text(st.sampled_from("ab\r\n\u2028\x85"), max_size=30), st.data())
def test_positions_find_their_way_back(text: str, data: st.DataObject) -> None:
    offset = data.draw(st.integers(0, len(text)))
    at = Lines(text).position(offset)
    before = text.split("\n")[: at.line - 1]
    assert sum(len(line) + 1 for line in before) + at.column - 1 == offset
    assert at.line == text.count("\n", 0, offset) + 1
    own = text.split("\n")[at.line - 1]
    ended = at.line <= text.count("\n")
    assert Lines(text).line(at.line) == (own.removesuffix("\r") if ended else own)


def test_offsets_past_the_end_count_as_the_end() -> None:
    assert Lines("ab\n").position(99) == Position(2, 1)
    assert Files({"a": ""}).position("a", 0) == Position(1, 1)
    assert Files({}).position("a", 0) is None


@given(
    st.text(st.sampled_from("ab\t名\u0301\x1b\u202e"), max_size=60),
    st.integers(0, 70),
    st.integers(0, 70),
    st.integers(14, 40),
)
def test_an_excerpt_fits_and_keeps_the_place_in_sight(
    line: str, start: int, length: int, room: int
) -> None:
    shown_line, left, right = excerpt(line, start, start + length, room)
    assert width(shown_line) <= room + 6
    assert left < right <= width(shown_line) + 1
    if start < len(line) and length and line[start] in "ab":
        columns = [char for char in shown_line for _ in range(width(char))]
        assert columns[left] == line[start]


def test_safe_escapes_by_size_and_keeps_the_rest() -> None:
    assert safe("\t\x9b\u200d\U000e0041") == "\\x09\\x9b\\u200d\\U000e0041"
    assert safe("é名 \u00a0\ue000") == "é名 \u00a0\ue000"


def test_widths_of_wide_and_combining_text() -> None:
    assert width("a名") == 3
    assert width("\uff21") == 2
    assert width("e\u0301") == 1
    assert shorten("名名名名", 8) == "名名名名"
    assert shorten("名名名名", 7) == "名名..."
    assert list(wrap("名名 名名 a", 5)) == ["名名", "名名", "a"]


def test_every_severity_has_a_colour() -> None:
    for severity in SEVERITIES:
        coloured = report(Report((finding(severity=severity),)), Options(color=True))
        assert re.search(f"\x1b\\[[0-9;]+m{severity}\x1b\\[0m", coloured)
