"""Poetry's carets and tildes in PEP 440."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from packaging.specifiers import SpecifierSet

from servelint.syntax.poetry_constraint import exact_version, to_pep440


@pytest.mark.parametrize(
    ("constraint", "specifiers"),
    [
        ("^1.2.3", (">=1.2.3,<2",)),
        ("^0.5.9", (">=0.5.9,<0.6",)),
        ("^0.0.3", (">=0.0.3,<0.0.4",)),
        ("^0.0", (">=0.0,<0.1",)),
        ("^0", (">=0,<1",)),
        ("^0.5.10.post1", (">=0.5.10.post1,<0.6",)),
        ("^1!2.3", (">=1!2.3,<1!3",)),
        ("~1.2.3", (">=1.2.3,<1.3",)),
        ("~1.2", (">=1.2,<1.3",)),
        ("~1", (">=1,<2",)),
        ("~=1.2", ("~=1.2",)),
        ("*", ("",)),
        ("1.2.3", ("==1.2.3",)),
        ("=1.2.3", ("==1.2.3",)),
        ("===1.2.3", ("===1.2.3",)),
        ("1.2.*", ("==1.2.*",)),
        ("==1.*", ("==1.*",)),
        (" >= 1.0 , <2 ", (">=1.0,<2",)),
        (">=1.0 <2", (">=1.0,<2",)),
        (">=1,!=1.5,", (">=1,!=1.5",)),
        ("^1 || ^3", (">=1,<2", ">=3,<4")),
        ("1.0|2.0", ("==1.0", "==2.0")),
    ],
)
def test_what_a_constraint_means(constraint, specifiers):
    assert to_pep440(constraint) == specifiers


@pytest.mark.parametrize(
    "constraint", ["", "latest", "^", "1 ||", ">=1.*", ">=1<2", "^1.x", "1" * 2_000]
)
def test_what_is_no_constraint(constraint):
    assert to_pep440(constraint) is None


@pytest.mark.parametrize(
    ("specifier", "version"),
    [("==1.2", "1.2"), ("===1.2", "1.2"), ("==1.*", ""), (">=1", ""), ("==1,<2", ""), ("", "")],
)
def test_exact_versions(specifier, version):
    assert exact_version(specifier) == version


RELEASES = st.lists(st.integers(0, 12), min_size=1, max_size=4)


@given(st.sampled_from("^~"), RELEASES)
def test_a_range_holds_its_lower_end_and_not_its_upper_one(operator, release):
    version = ".".join(map(str, release))
    (specifier,) = to_pep440(operator + version)
    upper = specifier.partition("<")[2]
    assert version in SpecifierSet(specifier)
    assert upper not in SpecifierSet(specifier)
    assert f"{version}.1" in SpecifierSet(specifier)


@given(st.text("^~=<>!|, *.0123abv+-"))
def test_any_text_is_read_or_refused(constraint):
    for specifier in to_pep440(constraint) or ():
        SpecifierSet(specifier)
