"""Only a marker that every Linux machine fails leaves a package out."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st
from packaging.markers import Marker

from servelint.syntax.markers import never_on_linux


@pytest.mark.parametrize(
    "marker",
    [
        "sys_platform == 'win32'",
        "'win32' == sys_platform",
        'sys_platform != "linux"',
        'platform_system == "Darwin"',
        "os_name == 'nt'",
        "sys.platform == 'darwin'",
        "sys_platform in 'win32 darwin'",
        "sys_platform not  in 'linux'",
        "python_version > '3' and sys_platform == 'win32'",
        "sys_platform == 'win32' or (os_name == 'nt' and extra == 'x')",
        "(sys_platform == 'win32' or extra == 'x') and platform_system == 'Windows'",
    ],
)
def test_never(marker):
    assert never_on_linux(marker)


@pytest.mark.parametrize(
    "marker",
    [
        "",
        "python_version < '3.0'",
        "platform_machine == 'arm64'",
        "sys_platform == 'linux'",
        "sys_platform != 'win32'",
        "sys_platform in 'linux darwin'",
        "sys_platform == 'win32' or python_version > '3'",
        "sys_platform >= 'win32'",
        "(sys_platform == 'win32'",
        "sys_platform == 'win32')",
        "sys_platform == 'win32' and",
        "sys_platform == win32",
        "sys_platform 'win32' ==",
        "sys_platform == 'win32' ; x",
        "sys_platform ==",
        "(" * 5_000 + "sys_platform == 'win32'" + ")" * 5_000,
    ],
)
def test_not_decided_or_not_a_marker(marker):
    assert not never_on_linux(marker)


ATOMS = st.sampled_from(
    [
        "sys_platform == 'linux'",
        "sys_platform == 'win32'",
        "'nt' == os_name",
        "platform_system != 'Linux'",
        "platform_machine == 'a'",
        "implementation_name == 'a'",
    ]
)
MARKERS = st.recursive(
    ATOMS,
    lambda inner: st.tuples(inner, st.sampled_from(["and", "or"]), inner).map(
        "({0[0]} {0[1]} {0[2]})".format
    ),
)


@given(MARKERS)
def test_agrees_with_evaluation_on_every_machine(marker):
    linux = {"sys_platform": "linux", "os_name": "posix", "platform_system": "Linux"}
    machines = (
        linux | {"platform_machine": machine, "implementation_name": implementation}
        for machine, implementation in itertools.product("ab", "ab")
    )
    somewhere = any(Marker(marker).evaluate(machine) for machine in machines)
    assert never_on_linux(marker) is not somewhere


@given(
    st.lists(st.sampled_from(["(", ")", "and", "or", "in", "not", "==", "'a'", "os_name", "\0"]))
)
def test_any_text_is_answered(words):
    assert never_on_linux(" ".join(words)) in (True, False)
