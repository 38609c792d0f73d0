"""Image references, as people and launchers write them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from servelint.reference import Reference, split_reference

SHA = "sha256:" + "0" * 64


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("engine", ("", "engine", "", "")),
        ("engine:v1", ("", "engine", "v1", "")),
        ("team/engine:v1", ("", "team/engine", "v1", "")),
        ("host.example/team/engine", ("host.example", "team/engine", "", "")),
        ("host:5000/engine", ("host:5000", "engine", "", "")),
        ("host:5000/engine:v1", ("host:5000", "engine", "v1", "")),
        ("localhost/engine:v1", ("localhost", "engine", "v1", "")),
        ("a.b", ("", "a.b", "", "")),
        (f"engine@{SHA}", ("", "engine", "", SHA)),
        (f"host:5000/engine:v1@{SHA}", ("host:5000", "engine", "v1", SHA)),
        ("docker://host.example#team/engine:v1", ("host.example", "team/engine", "v1", "")),
        ("docker:team/engine:v1", ("", "team/engine", "v1", "")),
        ("docker:engine:v1", ("", "engine", "v1", "")),
        ("docker:24-dind", ("", "docker", "24-dind", "")),
        ("docker://docker:24", ("", "docker", "24", "")),
        ("team+engine+v1.sqsh", ("", "team/engine", "v1", "")),
        ("/images/host.example+team+engine+v1.sqsh", ("host.example", "team/engine", "v1", "")),
        ("/images/engine.sqsh", ("", "/images/engine.sqsh", "", "")),
        (' "engine:v1" ', ("", "engine", "v1", "")),
        ("", ("", "", "", "")),
        ("engine:", ("", "engine", "", "")),
    ],
)
def test_split(text, expected):
    assert split_reference(text) == Reference(*expected)


def test_the_path_is_lower_case():
    assert split_reference("host.example/Team/Engine:V1").path == ("team", "engine")
    assert split_reference("host.example/Team/Engine:V1").tag == "V1"


@given(st.text(max_size=40))
def test_never_fails(text):
    assert isinstance(split_reference(text), Reference)
