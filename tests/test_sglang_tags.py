"""Tags of SGLang's own image families."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from servelint.api import Build, Release
from servelint_sglang.tables import image_table, option_table
from servelint_sglang.tags import FORMS, MOVING, UNKNOWN, Tag, read_tag

RELEASES = option_table()["releases"]
SUFFIXES = [
    *("cu118", "cu126", "cu129", "cu130", "amd64", "arm64", "x86", "runtime", "srt", "rocm630"),
    *("rocm700", "mi30x", "mi35x", "mi300x", "cann8.5.0", "cann8.2.rc1", "910b", "a2", "a3"),
    *("npu", "xeon", "xpu", "b200", "gb200", "blackwell", "fp4"),
]


def release(version):
    return Tag((Release(version),))


def build(branch, day, commit="", hour=None):
    return Tag((Build(branch, day, commit, hour=hour),))


@pytest.mark.parametrize("version", RELEASES)
@pytest.mark.parametrize(
    "shape", ["v{}", "{}", "v{}-cu130", "v{}-rocm700-mi35x", "v{}-cann9.0.0-a3"]
)
def test_every_release_is_read(version, shape):
    assert read_tag(shape.format(version)) == release(version)


@given(
    st.sampled_from(RELEASES),
    st.sampled_from(["", "v"]),
    st.lists(st.sampled_from(SUFFIXES), max_size=5),
)
def test_hardware_never_changes_the_version(version, v, suffixes):
    assert read_tag(v + "-".join([version, *suffixes])) == release(version)


@given(st.sampled_from(RELEASES), st.integers(0, 3), st.integers(1, 9))
def test_a_post_number_in_the_suffix_belongs_to_the_version(version, where, post):
    suffixes = ["cu124", "amd64", "runtime"]
    suffixes.insert(where, f"post{post}")
    tag = read_tag("-".join([f"v{version}", *suffixes]))
    full = f"{version}.post{post}"
    real = full in RELEASES or version == RELEASES[-1]
    assert tag == (release(full) if real else UNKNOWN)


@pytest.mark.parametrize(
    ("tag", "version"),
    [
        ("v0.5.5.post3-cu129-amd64", "0.5.5.post3"),
        ("v0.4.7-cu124-post1", "0.4.7.post1"),
        ("v0.5.12-post1", "0.5.12.post1"),
        ("v0.5.12post1", "0.5.12.post1"),
        ("v0.5.0rc1", "0.5.0rc1"),
        ("v0.5.3rc1", "0.5.3rc1"),
        ("v0.5.9-cu129-amd64-runtime", "0.5.9"),
        ("0.5.10.post1", "0.5.10.post1"),
        ("v0.5.18-cann9.0.0-910b", "0.5.18"),
        ("v0.5.20-xpu", "0.5.20"),
        ("cann9.0.0-a3-v0.5.16", "0.5.16"),
        ("cann9.0.0-910b-v0.5.13.post1", "0.5.13.post1"),
        ("v0.3.6-cu124", "0.3.6"),
        ("v0.5.24", "0.5.24"),
        ("v0.6.0rc1-cu130", "0.6.0rc1"),
    ],
)
def test_a_release(tag, version):
    assert read_tag(tag) == release(version)


def test_a_candidate_of_an_npu_build_may_be_older_than_its_release():
    assert read_tag("v0.5.10-npu.rc1-a3") == Tag((Release("0.5.10rc1"), Release("0.5.10")))
    assert read_tag("v0.5.10.post1-npu.rc1-a3") == UNKNOWN


def test_a_patched_release_is_less_sure():
    tag = read_tag("sglang-0.5.12.post1-rocm720-mi35x-mori-0610-dsv4-ep")
    assert tag == Tag((Release("0.5.12.post1"),), confidence="medium")
    assert read_tag("sglang-0.4.99-rocm720-mi35x-mori-0610") == UNKNOWN


@pytest.mark.parametrize(
    ("tag", "expected"),
    [
        ("v0.5.19-rocm720-mi35x-20260916", build("main", "2026-09-16", hour=12)),
        ("v0.5.10rc0-rocm700-mi30x-20260412", build("main", "2026-04-12", hour=12)),
        ("v0.5.8.post1-rocm720-mi30x-20260211-preview", build("preview", "2026-02-11")),
        ("v0.5.8-rocm720-mi30x-20260130-sync", build("sync", "2026-01-30")),
        ("nightly-dev-20251215-4449c170", build("main", "2025-12-15", "4449c170", hour=0)),
        ("nightly-dev-cu13-20260721-8905cbd4", build("main", "2026-07-21", "8905cbd4", hour=0)),
        ("nightly-dev-cu12-20260721-8905cbd4f", build("main", "2026-07-21", "8905cbd4f", hour=0)),
        ("nightly-cu134-20260909-708f51e", build("main", "2026-09-09", "708f51e")),
        ("kimi-k3-c6ad1f26-20260729-amd64", build("kimi-k3", "2026-07-29", "c6ad1f26")),
        ("cann9.0.0-910b-glm5.2-20260615", build("glm5.2", "2026-06-15")),
        ("cann8.5.0-a3-openEuler-20260427", build("openEuler", "2026-04-27")),
        ("rocm720-mi35x-0363e6c-20260509-DSv4", build("DSv4", "2026-05-09", "0363e6c")),
        ("rocm720-mi35x-k3-20260727", build("k3", "2026-07-27")),
        ("nightly-dev-20280229-4449c170", build("main", "2028-02-29", "4449c170", hour=0)),
    ],
)
def test_a_build_of_a_day(tag, expected):
    assert read_tag(tag) == expected


def test_a_build_that_names_only_its_commit():
    assert read_tag("kimi-k3-cu12-74968e5653-arm64") == Tag(reason="commit")


@pytest.mark.parametrize("day", ["20260230", "20261301", "20260100", "20250229", "20100101"])
@pytest.mark.parametrize(
    "shape",
    [
        "v0.5.19-rocm720-mi35x-{}",
        "nightly-dev-{}-4449c170",
        "nightly-cu134-{}-708f51e",
        "kimi-k3-c6ad1f26-{}-amd64",
        "cann9.0.0-910b-glm5.2-{}",
        "rocm720-mi35x-0363e6c-{}-DSv4",
        "rocm720-mi35x-k3-{}",
    ],
)
def test_a_day_on_which_nothing_was_built(shape, day):
    assert read_tag(shape.format(day)) == UNKNOWN


@given(st.dates(min_value=date(2024, 1, 1)))
def test_every_day_is_read(day):
    digits = f"{day:%Y%m%d}"
    for tag, commit, hour in (
        (f"v0.5.19-rocm720-mi35x-{digits}", "", 12),
        (f"nightly-dev-{digits}-4449c170", "4449c170", 0),
        (f"nightly-cu134-{digits}-4449c170", "4449c170", None),
    ):
        assert read_tag(tag) == build("main", day.isoformat(), commit, hour)


@pytest.mark.parametrize(
    "tag",
    [
        *("latest", "latest-cu130", "latest-cu129-runtime", "latest-rocm", "latest-srt"),
        *("dev", "dev-cu13", "dev-x86", "dev-arm64", "dev-cu13-pr-35880", "dev-pr-15207"),
        *("dev-cu13-618-nightly", "dev-mimo-v2.5", "dev-nightly-0820", "dev-Ling-3.0-flash"),
        *("nightly", "nightly-cu134", "miles-rocm720-mi35x"),
        *("cann8.5.0-a3-glm5", "cann8.5.0-910b-qwen3.5"),
        *image_table()["moving_tags"],
    ],
)
def test_a_tag_that_moves(tag):
    assert read_tag(tag) == MOVING


@pytest.mark.parametrize(
    "tag",
    [
        # no form of SGLang's, however near
        *("v0.5.0-rc1-cu126", "v0.5.21_cu130", "V0.5.21", "v0.5.21-cu13"),
        *("v0.5.21.dev20260930", "v0.5.22-rocm7.2.4-mi35x", "v0.5.19-cu129-20260904"),
        *("1.5.0-cuda13", "v0.5.12.post1-cu129-post1", "v0.5.12-post1-post2", "v0.5.0rc1-post1"),
        # a version or a floor with something else behind it
        *("cann9.0.0-a3-v0.5.16-20260901", "cann9.0.0-a3-v0.5.16.dev1"),
        *("v0.5.16-20260901-rocm720-mi35x-20260916", "v0.5.19-cu130-rocm720-mi35x-20260916"),
        # releases that cannot exist
        *("v0.4.11", "v0.5.3rc3", "v0.5.18.post1", "v26.1.0", "v0.5", "v0.5.21.1"),
        # others
        *("", "26.07-py3", "deepseek-v5", "kimi-k3x", "latestish", "main", "vllm-20250114"),
        *("v0.5.21\n", "v0.5.٢", "v0.5.21-", "-v0.5.21", "v1.1." + "1" * 5000),
    ],
)
def test_a_tag_that_says_nothing(tag):
    assert read_tag(tag) == UNKNOWN


def test_a_tag_longer_than_a_registry_takes():
    assert read_tag("dev-" + 124 * "x") == MOVING
    assert read_tag("dev-" + 125 * "x") == UNKNOWN


@given(st.text(max_size=140))
def test_no_tag_breaks_the_reader(tag):
    assert isinstance(read_tag(tag), Tag)


@given(st.one_of([st.from_regex(pattern, fullmatch=True) for pattern, _ in FORMS]))
def test_what_a_form_accepts_has_candidates_or_a_reason(tag):
    found = read_tag(tag)
    assert bool(found.candidates) != bool(found.reason)
