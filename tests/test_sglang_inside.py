"""The data of SGLang about its images: what it says, and that its parts fit together."""

from __future__ import annotations

import re

import pytest
from packaging.version import Version

from servelint_sglang import plugin
from servelint_sglang.inside import load_inside
from servelint_sglang.tables import option_table

INSIDE = load_inside()


def version(value: str) -> str:
    matches = [re.fullmatch(form, value, re.ASCII) for form in INSIDE.forms]
    found = [match.groupdict() for match in matches if match is not None]
    return (found[0].get("version") or "") if found else ""


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("0.5.19", "0.5.19"),
        ("v0.5.10.post1", "0.5.10.post1"),
        ("v0.5.0rc1", "0.5.0rc1"),
        ("lmsysorg/sglang:v0.5.21-cu129", "0.5.21"),
        ("registry.example:5000/lmsysorg/sglang:v0.5.9-cu129-amd64-runtime", "0.5.9"),
        ("v0.5.16-rocm720-mi35x", "0.5.16"),
        ("v0.5.16-cann9.0.0-a3", "0.5.16"),
        ("0.5.19+0a1b2c3d", "0.5.19"),
        ("0.5.9.amzn2023.0a1b2c3", "0.5.9"),
        # dated builds are main, whatever stands in front
        ("v0.5.19-rocm720-mi35x-20260916", ""),
        ("nightly-dev-cu13-20260930-0a1b2c3d", ""),
        ("main", ""),
        ("latest", ""),
        ("dev", ""),
        ("22.04", ""),
        ("cann9.0.0-a3-v0.5.16", ""),
    ],
)
def test_values_of_labels_and_arguments(value, expected):
    assert version(value) == expected


def test_markers_and_advisories_say_the_same():
    markers = {marker.pull: marker for marker in INSIDE.markers}
    rows = [row for one in plugin().advisories for row in one.affected if row.pull in markers]
    assert {row.pull for row in rows} >= {36988, 41023, 37077}
    for row in rows:
        marker = markers[row.pull]
        assert marker.release == row.fixed
        assert not row.merged or marker.since == row.merged[:10]


def test_markers_are_of_releases_that_the_data_knows():
    releases = option_table()["releases"]
    assert INSIDE.newest == releases[-1]
    for marker in INSIDE.markers:
        assert marker.release in releases
        assert Version(marker.release) <= Version(INSIDE.newest)
        assert INSIDE.oldest < marker.since < INSIDE.checked
