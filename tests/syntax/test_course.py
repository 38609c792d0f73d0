"""How surely the commands of a shell text run."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from servelint.syntax.course import IN_ORDER, SURELY, course


def at(text, command):
    return course(text).at(text.index(command))


@pytest.mark.parametrize(
    "text",
    [
        "git clone u && cd d && pip install -e .",
        "git clone u && git checkout ${REF} && pip install -e '.[all]'",
        "set -e\ncd d\ngit checkout v1\npip install .",
        "set -eux; cd d; git checkout v1; pip install .",
        "pip install . && echo done",
    ],
)
def test_all_of_it_runs(text):
    assert course(text).whole == SURELY
    assert at(text, "pip" if "pip" in text else "git") == SURELY


@pytest.mark.parametrize(
    "text",
    [
        "git clone u\ncd d\npip install -e .",
        "cd d; git checkout v1; pip install .",
        ". v/bin/activate && pip install .",
        "git fetch | tee log; pip install .",
        "if [ ! -d d ]; then git clone u; fi\npip install .",
        "if [ ! -d d ]\nthen\n  git clone u\nfi\npip install .",
        "[ -d d ] || git clone u\npip install .",
        "for a in b; do\n  c\ndone\npip install .",
        "case a in\nb) c;;\nesac\npip install .",
        "f() {\n  c\n}\npip install .",
        "echo 'if a || {' # for b\npip install .",
    ],
)
def test_one_after_the_other(text):
    assert at(text, "pip" if "pip" in text else "echo") == IN_ORDER


@pytest.mark.parametrize(
    "text",
    [
        "if x; then git checkout v1; fi",
        "if x\nthen\n  if y; then z; fi\n  git checkout v1\nfi\n",
        "git checkout v1 || git checkout v2",
        "x || \\\n  git checkout v1",
        "f() { git checkout v1; }",
        "f()\n{\n  git checkout v1\n}\n",
        "function f {\n  git checkout v1\n}\n",
        "for v in v1 v2; do git checkout $v; done",
        "while x\ndo\n  git checkout v1\ndone",
        "x && { git checkout v1\n}",
        "git checkout v1 &",
        "bash <<EOF\ngit checkout v1\nEOF",
        "git checkout v1 && " + "x" * 200_000,
    ],
)
def test_it_may_not_run(text):
    assert at(text, "git") == ""


@given(st.text(alphabet="ifdone{}();|&<#'\"\\ \n\t.x$`", max_size=80), st.integers(0, 80))
def test_any_text_has_a_course(text, offset):
    assert course(text).at(offset) in ("", IN_ORDER, SURELY)
