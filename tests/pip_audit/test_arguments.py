"""Whose words are whose, and that none leads an audit past our records."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from servelint_pip_audit import AuditError, of_pip_audit, of_uv
from servelint_pip_audit.arguments import with_project


@pytest.mark.parametrize(
    "line",
    [
        "-s pypi",
        "-spypi",
        "-s",
        "-lSspypi",
        "-ls osv",
        "--vulnerability-service osv",
        "--vulnerability-service=esms",
        "--vuln pypi",
        "--vu=pypi",
        "--osv-url http://x",
        "--osv-url=x",
        "--osv x",
        "--os=x",
        "-r a.txt -f json -s pypi",
    ],
)
def test_another_service_is_refused_in_every_spelling(line):
    with pytest.raises(AuditError, match="cannot be chosen here"):
        of_pip_audit(line.split())


@pytest.mark.parametrize(
    "line", ["-r s", "-o s", "-rs", "-f json -o osv-url", "--ignore-vuln=s", "-S", "-lv"]
)
def test_words_that_only_look_like_it_pass(line):
    assert of_pip_audit(line.split()).argv == tuple(line.split())


@given(st.integers(4, 24), st.sampled_from(["--vulnerability-service", "--osv-url"]))
def test_no_beginning_of_the_options_passes(size, option):
    with pytest.raises(AuditError):
        of_pip_audit([option[: max(size, 4)], "x"])


def test_our_words_are_taken_out_and_nothing_else_is_touched():
    options = of_pip_audit(
        ["-r", "a.txt", "--servelint-upstream", "none", "--servelint-assume=single", "-f", "json"]
    )
    assert options.argv == ("-r", "a.txt", "-f", "json")
    assert (options.upstream, options.assume) == ("none", "single")
    assert of_uv(["--frozen", "--servelint-root=x"]).root == "x"


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("--servelint-bad", "unknown option --servelint-bad"),
        ("--servelint-up none", "unknown option"),
        ("--servelint-assume maybe", "'maybe'; expected auto"),
        ("--servelint-upstream", "expected URL"),
        ("--servelint-images=x", "expected no value"),
    ],
)
def test_wrong_words_of_ours_are_told(line, said):
    for read in (of_pip_audit, of_uv):
        with pytest.raises(AuditError, match=said):
            read(line.split())


def test_what_stands_behind_two_hyphens_is_not_ours():
    assert of_uv(["--", "--servelint-x"]).argv == ("--", "--servelint-x")


@pytest.mark.parametrize(
    ("line", "quiet"),
    [
        ("--help", True),
        ("-V", True),
        ("-d", True),
        ("--dry", True),
        ("--fix -d", False),
        ("", False),
    ],
)
def test_what_audits_nothing_is_known(line, quiet):
    assert of_pip_audit(line.split()).is_quiet is quiet


@pytest.mark.parametrize("word", ["--service-url", "--service-url=x", "--service-format"])
def test_another_service_of_uv_is_refused(word):
    with pytest.raises(AuditError, match="cannot be chosen here"):
        of_uv([word, "x"])


@pytest.mark.parametrize(
    ("line", "changed"),
    [
        ("--locked .", "--locked NEW"),
        ("--locked -f json dir", "--locked -f json NEW"),
        ("-o dir --locked dir", "-o dir --locked NEW"),
        ("-f json", "-f json --locked NEW"),
    ],
)
def test_another_directory_of_lockfiles_takes_the_place_of_the_given_one(line, changed):
    assert with_project(of_pip_audit(line.split()), "NEW") == tuple(changed.split())


def test_words_that_pip_audit_would_refuse_are_not_run():
    with pytest.raises(AuditError, match="pip-audit would refuse this"):
        of_pip_audit(["-r"])
