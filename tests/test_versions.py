"""Versions and affected ranges: three answers, and no way to slip through a bound."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_up import row

from servelint.deployment import Build, Range, Release
from servelint.versions import in_range, parse

RELEASES = ("1.0", "1.1", "1.2", "1.3", "1.4")
FIXED = row(fixed="1.2")
BETWEEN = row(introduced="1.1", fixed="1.3")
UNFIXED = row(fixed="")
MERGED = row(fixed="1.2", merged="2026-09-06")
TIMED = row(fixed="1.2", merged="2026-09-24T14:35:11Z")


def answer(*candidates, of=FIXED):
    return in_range(candidates, of, RELEASES)


# -- releases -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("version", "expected"),
    [
        ("1.0", "yes"),
        ("v1.1", "yes"),
        ("1.1.99", "yes"),
        ("1.1.post7", "yes"),
        ("1.2rc1", "yes"),
        ("1.2a0", "yes"),
        ("1.2rc1+cu126", "yes"),
        ("1.2", "no"),
        ("1.2.0", "no"),
        ("1.2+cu126", "no"),
        ("1.2.post1", "no"),
        ("1.3rc1", "no"),
        ("99", "no"),
        ("1!0.1", "no"),
        ("1.1+cu126", "yes"),
    ],
)
def test_a_release_is_before_the_fix_or_not(version, expected):
    assert answer(Release(version)) == expected


@pytest.mark.parametrize(
    ("version", "expected"),
    [("1.0", "no"), ("1.1rc1", "no"), ("1.1", "yes"), ("1.2.9", "yes"), ("1.3", "no")],
)
def test_the_lower_bound_is_included_and_the_upper_is_not(version, expected):
    assert answer(Release(version), of=BETWEEN) == expected


@pytest.mark.parametrize("version", ["1.0.dev5", "1.2.dev1", "1.4.dev0+g1234567", "1.2rc1.dev3"])
def test_a_development_version_tells_nothing(version):
    assert answer(Release(version)) == "some"


@pytest.mark.parametrize("version", ["", "latest", "kimi", "1.2-gpu-x", "1.2.x", "main-1.2"])
def test_what_is_no_version_tells_nothing(version):
    assert answer(Release(version)) == "some"


def test_without_a_fix_every_version_is_affected():
    assert answer(Release("99.0"), of=UNFIXED) == "yes"
    assert answer(Range(">=1.0"), of=UNFIXED) == "yes"


# -- several candidates -------------------------------------------------------


def test_all_none_and_some():
    assert answer(Release("1.0"), Release("1.1")) == "yes"
    assert answer(Release("1.2"), Release("1.3")) == "no"
    assert answer(Release("1.1"), Release("1.2")) == "some"
    assert answer(Release("1.2"), Release("unheard")) == "some"
    assert answer(Range("<1.2"), Release("1.3")) == "some"


def test_no_candidate_is_never_a_no():
    assert answer() == "some"


# -- ranges -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("specifier", "expected"),
    [
        ("<1.2", "yes"),
        ("==1.1.*", "yes"),
        (">=1.0,<1.2", "yes"),
        ("~=1.1", "some"),
        (">=1.0", "some"),
        ("<=1.2", "some"),
        ("!=1.1", "some"),
        ("", "some"),
        (">=1.2", "no"),
        (">1.1", "no"),
        ("~=1.2", "no"),
        (">=1.2,!=1.3", "no"),
        ("==1.3", "no"),
    ],
)
def test_a_range_is_what_it_admits(specifier, expected):
    assert answer(Range(specifier)) == expected


@pytest.mark.parametrize("specifier", [">=1.2rc1", ">=1.2.dev0", ">=1.2a1,<1.4", "~=1.2rc1"])
def test_a_range_that_begins_at_a_trial_release_admits_it(specifier):
    """No list of releases need hold the trial release, and it lacks the fix."""
    assert answer(Range(specifier)) == "some"


def test_a_range_beyond_the_newest_known_release_is_read_by_its_own_bound():
    assert answer(Range(">=1.5")) == "no"
    assert answer(Range("~=2.0")) == "no"
    assert answer(Range(">=1.5"), of=UNFIXED) == "yes"


@pytest.mark.parametrize("specifier", ["<0.9,>1.0", "==9.*", ">1.4", "===odd", "not a range", "=1"])
def test_a_range_that_admits_nothing_known_tells_nothing(specifier):
    assert answer(Range(specifier)) == "some"


@given(st.sampled_from(RELEASES), st.sampled_from(RELEASES))
def test_an_exact_range_is_its_release(version, fixed):
    bound = row(fixed=fixed)
    assert answer(Range(f"=={version}"), of=bound) == answer(Release(version), of=bound)


# -- builds -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("day", "expected"),
    [
        ("2026-01-01", "yes"),
        ("2026-09-05", "yes"),
        ("2026-09-06", "some"),
        ("2026-09-07", "some"),
        ("2026-09-08", "no"),
    ],
)
def test_a_build_of_main_is_judged_by_its_day_with_a_day_of_guard(day, expected):
    assert answer(Build("main", day), of=MERGED) == expected


@pytest.mark.parametrize(
    ("day", "expected"), [("2026-09-05", "yes"), ("2026-09-06", "some"), ("2027-01-01", "some")]
)
def test_a_build_of_another_branch_can_only_be_too_old(day, expected):
    assert answer(Build("model", day), of=MERGED) == expected


def test_without_a_day_of_merge_no_build_is_told():
    assert answer(Build("main", "2020-01-01")) == "some"
    assert answer(Build("main", "2030-01-01")) == "some"


@pytest.mark.parametrize(
    ("day", "hour", "expected"),
    [
        # The day of the merge: only what starts with it was surely made before.
        ("2026-09-06", 0, "yes"),
        ("2026-09-06", 1, "some"),
        ("2026-09-06", 12, "some"),
        ("2026-09-07", 0, "some"),
        ("2026-09-07", 23, "some"),
        ("2026-09-08", 0, "no"),
        ("2026-09-05", 23, "yes"),
    ],
)
def test_a_build_of_a_known_hour_and_a_merge_of_a_known_day(day, hour, expected):
    assert answer(Build("main", day, hour=hour), of=MERGED) == expected


@pytest.mark.parametrize(
    ("day", "hour", "expected"),
    [
        ("2026-09-24", 0, "yes"),
        ("2026-09-24", 14, "yes"),
        ("2026-09-24", 15, "no"),
        ("2026-09-25", 0, "no"),
        # Whose hour is not known may be older than it looks, by the hours of a day.
        ("2026-09-23", None, "yes"),
        ("2026-09-24", None, "some"),
        ("2026-09-25", None, "some"),
        ("2026-09-26", None, "no"),
    ],
)
def test_a_merge_of_a_known_time(day, hour, expected):
    assert answer(Build("main", day, hour=hour), of=TIMED) == expected
    other = "yes" if expected == "yes" else "some"
    assert answer(Build("model", day, hour=hour), of=TIMED) == other
    assert answer(Build("main", day, is_bound=True, hour=hour), of=TIMED) == other


def test_a_build_that_starts_with_the_merge_lacks_it():
    on_the_hour = row(fixed="1.2", merged="2026-09-24T14:00:00Z")
    assert answer(Build("main", "2026-09-24", hour=14), of=on_the_hour) == "yes"


def test_a_build_may_be_older_than_the_flaw():
    since = row(introduced="1.1", fixed="1.2", merged="2026-09-06")
    assert answer(Build("main", "2026-09-05"), of=since) == "some"
    assert answer(Build("main", "2026-09-08"), of=since) == "no"


@given(
    st.dates(date(2026, 1, 1), date(2027, 1, 1)),
    st.sampled_from(["main", "other"]),
    st.none() | st.integers(0, 23),
)
def test_only_main_well_after_the_merge_is_ever_cleared(day, branch, hour):
    got = answer(Build(branch, day.isoformat(), hour=hour), of=MERGED)
    if got == "no":
        assert branch == "main"
        assert day - date(2026, 9, 6) > timedelta(days=1)


# -- parsing ------------------------------------------------------------------


def test_parsing_drops_the_local_part_only():
    assert str(parse("1.2rc1+cu126.x")) == "1.2rc1"
    assert parse("") is None
    assert parse("1.2-x") is None


# -- what is proven of the code -----------------------------------------------


PULL = row(fixed="1.2", merged="2026-09-06", pull=7)
LATE = row(introduced="1.1", fixed="1.3", pull=7)


@pytest.mark.parametrize(
    ("candidate", "of", "expected"),
    [
        (Release("1.0", fixes=(7,)), PULL, "no"),
        (Release("1.0", fixes=(8,)), PULL, "yes"),
        (Release("1.4", absent=(7,)), PULL, "yes"),
        (Release("1.4", absent=(8,)), PULL, "no"),
        (Release("0.0.0.dev1", absent=(7,)), PULL, "yes"),
        (Release("0.0.0.dev1", fixes=(7,)), PULL, "no"),
        (Release("0.0.0.dev1"), PULL, "some"),
        (Release("", absent=(7,)), PULL, "yes"),
        (Build("main", "2026-10-01", absent=(7,)), PULL, "yes"),
        (Build("other", "2026-01-01", fixes=(7,)), PULL, "no"),
        (Build("", "", absent=(8,)), PULL, "some"),
        # Code that lacks a fix can still be older than the flaw.
        (Release("1.0", absent=(7,)), LATE, "no"),
        (Release("1.4", absent=(7,)), LATE, "yes"),
        (Release("0.0.0.dev1", absent=(7,)), LATE, "some"),
        (Build("main", "2026-10-01", absent=(7,)), LATE, "some"),
    ],
)
def test_what_is_proven_of_the_code_counts_before_version_and_day(candidate, of, expected):
    assert answer(candidate, of=of) == expected
