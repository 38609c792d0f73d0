"""What people state: how it is read, of what it speaks, and what it counts for."""

from __future__ import annotations

import contextlib
import re
import time
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_up import ENGINE, image, launch, pin

from servelint.config import Config, ConfigError, read_config
from servelint.deployment import Release
from servelint.link import components
from servelint.patterns import path_pattern
from servelint.reference import split_reference
from servelint.remarks import notes, remarks
from servelint.resolve import resolve_image
from servelint.source import Span
from servelint.stated import stating
from servelint.statement import Said, Statement
from servelint.statement_file import image_statements, said

ONE, TWO = "sha256:" + "1" * 64, "sha256:" + "2" * 64
TODAY = "2026-11-30"


def entry(**changes):
    rows = {
        "reference": '"site.example/serve:42"',
        "package": '"engine"',
        "version": '"1.1"',
        "evidence": '"pip show"',
    } | changes
    return "[[image]]\n" + "".join(f"{key} = {text}\n" for key, text in rows.items() if text)


def statement(reference, version="1.1", digest="", **changes):
    return Statement(
        Span("map", 0, 1), "engine", version, "seen", reference=reference, digest=digest, **changes
    )


def told(text, *statements, today=TODAY):
    engine = stating(ENGINE, Said(images=statements, today=today))
    resolved = resolve_image(image(text), (engine,))
    return None if resolved is None else resolved[1]


# -- reading ------------------------------------------------------------------


def test_an_entry_says_what_it_says_and_where():
    text = "# looked on Monday\n" + entry(
        digest=f'"{ONE}"', until="2027-01-31", by='"Ann"', date='"2026-11-01"', fixes="[36, 37]"
    )
    (one,) = image_statements(text)
    assert (one.reference, one.version, one.digest) == ("site.example/serve:42", "1.1", ONE)
    assert (one.until, one.by, one.date, one.fixes) == ("2027-01-31", "Ann", "2026-11-01", (36, 37))
    assert text[one.span.start : one.span.end] == "1.1"


def test_a_digest_alone_is_a_reference():
    (one,) = image_statements(entry(reference=f'"{ONE}"'))
    assert (one.reference, one.digest) == ("", ONE)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("[[image]\n", "servelint-images.toml:1: not TOML"),
        ("[[pictures]]\n", "servelint-images.toml: unknown key 'pictures'; expected [[image]]"),
        ("image = 1\n", "servelint-images.toml: expected at most"),
        ("image = [1]\n", "servelint-images.toml:1: expected a table"),
        (entry(versoin='"1"'), "servelint-images.toml:2: unknown key 'versoin'; known are ref"),
        ("\n" + entry(package=""), "servelint-images.toml:3: package is missing"),
        (entry(version=""), "servelint-images.toml:2: version is missing"),
        (entry(version='"latest"'), "2: version: 'latest' is no version (PEP 440)"),
        (entry(version="1"), "2: version: expected a text"),
        (entry(evidence='" "'), "2: evidence: expected a text"),
        (entry(reference='"a b"'), "2: reference: 'a b'; expected an image"),
        (entry(reference='"a@sha256:12"'), "2: reference: 'a@sha256:12'; expected an image"),
        (entry(digest='"sha256:12"'), "2: digest: 'sha256:12'; expected sha256: and 64"),
        (entry(until='"soon"'), "2: until: expected a day such as 2027-01-31"),
        (entry(until="1"), "2: until: expected a text"),
        (entry(fixes='["1"]'), "2: fixes: expected a list of numbers"),
        (entry(fixes="[true]"), "2: fixes: expected a list of numbers"),
        (entry(fixes="[0]"), "2: fixes: expected a whole number from 1"),
        (entry(absent="[36, -1]"), "2: absent: expected a whole number from 1"),
        (entry(fixes="[1]", absent="[1]"), "2: 1 is in fixes and in absent"),
        (entry(waives='["A-1"]'), "2: waives wants a reason"),
        (entry(waives='["A 1"]', reason='"x"'), "2: waives: expected a list of ids"),
        (entry() + entry(version='"x"'), "servelint-images.toml:7: version: 'x' is no version"),
    ],
)
def test_what_is_wrong_is_told_with_its_line(text, wanted):
    with pytest.raises(ConfigError) as error:
        image_statements(text)
    assert wanted in str(error.value)


@given(st.text(max_size=60))
def test_any_text_is_read_or_refused(text):
    for whole in (text, f"[[image]]\n{text}", entry(until=text or "1")):
        with contextlib.suppress(ConfigError):
            assert all(one.package for one in image_statements(whole))


def test_both_files_of_a_root_are_read(tmp_path):
    (tmp_path / "servelint-images.toml").write_text(entry())
    (tmp_path / "pyproject.toml").write_text(
        "[project]\nname = 'a'\n[[tool.servelint.version]]\n"
        "paths = ['deploy/**', 'run.sh']\npackage = 'Engine'\nversion = '1.2'\nevidence = 'seen'\n"
    )
    known = said(read_config(Config(str(tmp_path), today=TODAY)))
    assert [one.version for one in (*known.images, *known.paths)] == ["1.1", "1.2"]
    text = known.texts["pyproject.toml"]
    (one,) = known.paths
    assert text[one.span.start : one.span.end] == "1.2"
    for path, is_meant in (("deploy/a/b.sh", True), ("run.sh", True), ("else/run.sh", False)):
        assert (known.of_path(path, ("engine",)) is one) == is_meant
    assert known.of_path("run.sh", ("other",)) is None


@pytest.mark.parametrize(
    ("rows", "wanted"),
    [
        ("package = 'a'\nversion = '1'\nevidence = 'x'", "servelint.toml:2: paths is missing"),
        ("paths = 'a'", "servelint.toml:2: paths: expected a list of patterns"),
        ("paths = ['**/**/**/**']", "servelint.toml:2: paths: '**/**/**/**': a pattern has at"),
        ("paths = ['a']\nreference = 'b'", "servelint.toml:2: unknown key 'reference'"),
    ],
)
def test_a_wrong_entry_of_paths_is_told_with_its_line(tmp_path, rows, wanted):
    (tmp_path / "servelint.toml").write_text(f"[[version]]\n{rows}\n")
    config = read_config(Config(str(tmp_path)))
    with pytest.raises(ConfigError) as error:
        said(config)
    assert wanted in str(error.value)


def test_a_map_that_leads_out_of_the_root_is_not_read(tmp_path):
    (tmp_path / "outside.toml").write_text(entry())
    root = tmp_path / "root"
    root.mkdir()
    (root / "servelint-images.toml").symlink_to(tmp_path / "outside.toml")
    with pytest.raises(ConfigError, match=r"servelint-images\.toml: leads out of the root"):
        said(Config(str(root)))


@pytest.mark.parametrize(
    ("pattern", "path", "fits"),
    [
        ("deploy", "deploy/a/b.yaml", True),
        ("deploy/", "deploy/b.yaml", True),
        ("./deploy", "deploy/b.yaml", True),
        ("deploy", "deployment.yaml", False),
        ("deploy/*.sh", "deploy/a.sh", True),
        ("deploy/*.sh", "deploy/x/a.sh", False),
        ("deploy/**/a.sh", "deploy/a.sh", True),
        ("deploy/**/a.sh", "deploy/x/y/a.sh", True),
        ("**/a.sh", "a.sh", True),
        ("**/a.sh", "b/a.sh", True),
        ("**/a.sh", "b/ba.sh", False),
        ("a?.sh", "ab.sh", True),
        ("a?.sh", "a/.sh", False),
        ("a.sh", "aXsh", False),
        ("*", "a/b", True),
        ("**", "a/b", True),
    ],
)
def test_patterns_of_paths(pattern, path, fits):
    assert bool(path_pattern(pattern).fullmatch(path)) == fits


def _plainly(tokens):
    """A pattern as its signs mean it, without a thought for time."""
    meanings = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    body = "".join(meanings.get(token, token) for token in tokens)
    return re.compile(f"(?:{body})(?:/.*)?", re.DOTALL)


@given(
    st.lists(st.sampled_from(["a", "b", "/", "?", "*a", "*b", "**/", "**a"]), max_size=8),
    st.text("ab/", max_size=10),
)
def test_patterns_mean_what_their_signs_mean(tokens, path):
    pattern = "".join(tokens).removeprefix("./").rstrip("/")
    parts = re.findall(r"\*\*/|\*\*|\*|\?|[ab]|/", pattern)
    meant = _plainly(parts) if pattern else re.compile(".*", re.DOTALL)
    assert bool(path_pattern(pattern).fullmatch(path)) == bool(meant.fullmatch(path))


@pytest.mark.parametrize(
    ("pattern", "path"),
    [
        ("*a" * 99 + "b", "a" * 4000),
        ("**/" + "*a" * 90 + "b", "/".join(["a" * 50] * 80)),
        ("**/a/**/a/**/x", "a/" * 2000 + "y"),
        ("**a**a**ax", "a" * 4000),
    ],
)
def test_a_pattern_of_many_signs_takes_no_longer(pattern, path):
    start = time.process_time()
    assert path_pattern(pattern).fullmatch(path) is None
    assert time.process_time() - start < 1


# -- images -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("about", "digest", "found", "answer"),
    [
        ("a.example/b:1", "", "a.example/b:1", "yes"),
        ("a.example/b:1", "", "a.example/b:2", "no"),
        ("a.example/b:1", "", "c.example/b:1", "no"),
        ("o/b:1", "", "docker.io/o/b:1", "yes"),
        ("index.docker.io/o/b:1", "", "o/b:1", "yes"),
        ("o/b", "", "o/b:latest", "yes"),
        ("o/b:1", "", f"o/b:1@{ONE}", "tag"),
        ("o/b:1", ONE, f"o/b:1@{ONE}", "yes"),
        ("o/b:1", ONE, f"mirror.example/x/b@{ONE}", "yes"),
        ("o/b:1", ONE, f"o/b:1@{TWO}", "moved"),
        ("o/b:1", ONE, f"o/b@{TWO}", "no"),
        ("o/b:1", ONE, f"o/c:1@{TWO}", "no"),
        ("o/b:1", ONE, "o/b:1", "yes"),
        (f"o/b:1@{ONE}", "", f"o/b:1@{TWO}", "no"),
        (f"o/b:1@{ONE}", "", "o/b:1", "no"),
        (f"o/b@{ONE}", "", f"z/z@{ONE}", "yes"),
        ("", ONE, f"z/z:5@{ONE}", "yes"),
        ("", ONE, "z/z:5", "no"),
    ],
)
def test_of_which_images_a_statement_speaks(about, digest, found, answer):
    assert statement(about, digest=digest).match(split_reference(found)) == answer


def test_a_statement_counts_before_the_data():
    answer = told("engine:v1.0", statement("engine:v1.0", "1.3"))
    assert (answer.candidates, answer.via, answer.clears) == ((Release("1.3"),), "user-map", True)
    assert [place.label for place in answer.evidence] == ["image", "map"]


def test_a_statement_makes_a_private_image_one_of_the_engine():
    assert told("site.example/serve:42") is None
    assert told("site.example/serve:42", statement("site.example/serve:42")).final


def test_an_entry_of_another_package_is_not_asked():
    other = replace(statement("site.example/serve:42"), package="other")
    assert told("site.example/serve:42", other) is None


@pytest.mark.parametrize(
    ("text", "changes", "clears"),
    [
        ("engine:moved-1.0", {}, False),
        ("engine:moved-1.0", {"until": "2027-01-01"}, True),
        (f"engine:moved-1.0@{ONE}", {"digest": ONE}, True),
        ("engine:moved-1.0", {"digest": ONE}, False),
        (f"site.example/serve:42@{ONE}", {}, False),
        ("site.example/serve:42", {}, True),
        ("site.example/serve", {}, False),
        ("site.example/serve:latest", {}, False),
        ("site.example/serve:latest", {"until": "2027-01-01"}, True),
    ],
)
def test_what_can_have_changed_since_does_not_clear(text, changes, clears):
    answer = told(text, statement(text.partition("@")[0], "1.3", **changes))
    assert (answer.via, answer.clears) == ("user-map", clears)
    assert bool(answer.detail) != clears


@pytest.mark.parametrize("text", [f"site.example/serve:42@{ONE}", "engine:moved-1.0"])
def test_what_can_have_changed_since_is_not_waived(text):
    about = statement(text.partition("@")[0], waives=("A",), reason="x")
    assert told(text, about).waives == ()
    assert told("site.example/serve:42", replace(about, reference="site.example/serve:42")).waives


def test_entries_about_one_image_that_differ_are_several_candidates():
    one, two = statement("engine:a", "1.3", waives=("A",)), statement("engine:a", "1.0")
    both = told("engine:a", one, two)
    assert both.candidates == (Release("1.3"), Release("1.0"))
    assert both.waives == ()
    assert told("engine:a", one, one).candidates == (Release("1.3"),)
    assert told("engine:a", one, replace(two, until="2026-11-29")).candidates == (Release("1.3"),)


def test_after_its_last_day_a_statement_is_told_and_not_used():
    late = statement("engine:odd", until="2026-11-29")
    answer = told("engine:odd", late)
    assert answer.reason == "unknown-tag"
    assert "ended 2026-11-29" in answer.detail
    assert told("engine:odd", late, today="2026-11-29").candidates == (Release("1.1"),)
    assert told("engine:odd", late, today="").candidates == (Release("1.1"),)


def test_of_several_readings_each_is_asked_for():
    one, two = statement("engine:a", "1.0"), statement("engine:b", "1.3")
    both = told("engine:a|engine:b", one, two)
    assert both.candidates == (Release("1.0"), Release("1.3"))
    assert told("engine:a|engine:v1.2", one).candidates == (Release("1.0"), Release("1.2"))
    assert told("engine:a|engine:b", one).reason == "unknown-tag"
    assert told("engine:a|other:b", one).reason == "many-values"
    assert told("engine:$TAG", one).reason == "unset-variable"


def test_only_what_all_readings_waive_is_waived():
    one = statement("engine:a", waives=("A", "B"), reason="x")
    two = statement("engine:b", waives=("B",), reason="y")
    assert told("engine:a|engine:b", one, two).waives == ("B",)
    assert told("engine:a|engine:v1.2", one).waives == ()


# -- paths --------------------------------------------------------------------


RUN = "python -m engine.launch --mode decode"


def version_of(*facts, path="**", **changes):
    about = replace(statement("", "1.3", **changes), paths=(path_pattern(path),))
    (one,) = components(facts, (ENGINE,), Said(paths=(about,), today=TODAY))
    return one.resolution


def test_a_launch_without_an_image_runs_what_is_stated_of_its_path():
    assert version_of(launch(RUN)).candidates == (Release("1.3"),)
    assert version_of(launch(RUN), path="else/**").reason == "no-evidence"
    assert version_of(launch(RUN), until="2026-01-01").reason == "no-evidence"


def test_what_is_stated_of_a_path_counts_before_a_pin():
    answer = version_of(launch(RUN), pin("1.0", "locked"))
    assert (answer.candidates, answer.via) == ((Release("1.3"),), "user-map")


@pytest.mark.parametrize(
    ("text", "via"),
    [
        ("engine:v1.0", "tag"),
        ("engine:odd", ""),
        ("engine:moved-1.0", "map"),
        ("engine:$TAG", "user-map"),
        ("$IMAGE", "user-map"),
        ("site.example/serve:42", "user-map"),
    ],
)
def test_a_path_says_nothing_of_an_image_that_the_data_knows(text, via):
    facts = (image(text, steps=("c",)), launch(RUN, steps=("c",), container=True))
    assert version_of(*facts).via == via


# -- remarks and notes --------------------------------------------------------


def test_an_expired_statement_is_a_finding_where_it_stands():
    late = replace(statement("engine:a", until="2026-11-29"), span=Span("map.toml", 5, 8))
    (found,) = remarks(Said(images=(late,), today=TODAY), ())
    assert (found.id, found.severity, found.primary.span) == ("expired-statement", "low", late.span)
    assert "2026-11-29" in found.message
    assert not list(remarks(Said(images=(late,), today="2026-11-29"), ()))


def test_another_digest_is_a_finding_where_the_image_stands():
    known = Said(images=(statement("engine:a", digest=ONE),), today=TODAY)
    pinned = image(f"engine:a@{TWO}")
    (found,) = remarks(known, (pinned, image(f"engine:a@{ONE}"), image("engine:a")))
    assert (found.id, found.primary.span) == ("digest-mismatch", pinned.reference.span)
    assert [place.label for place in found.related] == ["map"]


def test_old_data_and_newer_versions_are_noted():
    (one,) = components((launch(RUN), pin("9.9")), (ENGINE,))
    (newer,) = notes((one,), "2026-11-30", TODAY)
    assert newer == "Engine 9.9 is newer than the data, which ends with 1.4"
    assert not list(notes((), "2026-11-30", "2027-02-28"))
    (old,) = notes((), "2026-11-30", "2027-03-01")
    assert "more than 90 days old" in old
    assert not list(notes((), "2026-11-30", ""))
