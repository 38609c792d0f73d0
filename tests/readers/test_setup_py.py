"""setup.py: lists of packages that are written out, and what is computed."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from reading import never_fails
from requirement_facts import items_of, quote, summary

from servelint.facts import Launch, Requirement, Uses
from servelint.finding import Skip
from servelint.readers import claim

SETUP = """\
# é
import setuptools

base = ["é-never", "foo==1.0"]  # the first is no name
base += ['bar >=1 ; python_version > "3"']
if gpu():
    base.append("Foo[A_b]==2.0")
extras = {"a": ["baz==1"], "b": base}
extras["c"] = ("qux==1",)


def more():
    found = ["more==1"]
    return found + ["last==1"]


setuptools.setup(
    name="x",
    install_requires=["x.y==1", *base] + more(),
    extras_require=extras,
    tests_require=["never==1"],
)
"""


def requirements(text):
    return [item for item in items_of("setup-py", text) if isinstance(item, Requirement)]


def skips(text):
    return [item for item in items_of("setup-py", text) if isinstance(item, Skip)]


@pytest.mark.parametrize("line_break", ["\n", "\r\n"])
def test_lists_through_names(line_break):
    text = SETUP.replace("\n", line_break)
    facts = requirements(text)
    assert summary(text, facts) == [
        ("pinned", "x-y", "1", "1", ()),
        ("pinned", "foo", "1.0", "1.0", ()),
        ("range", "bar", ">=1", ">=1", ()),
        ("pinned", "foo", "2.0", "2.0", ("a-b",)),
        ("pinned", "more", "1", "1", ()),
        ("pinned", "last", "1", "1", ()),
        ("pinned", "baz", "1", "1", ()),
        ("pinned", "qux", "1", "1", ()),
    ]
    assert quote(text, facts[0]) == "x.y==1"
    assert len({fact.owner for fact in facts}) == len(facts)
    (skip,) = skips(text)
    assert quote(text, skip) == "é-never"


@pytest.mark.parametrize(
    "call",
    [
        'kw = {"install_requires": ["foo==1"]}\nsetup(**kw)',
        'kw = dict(install_requires=["foo==1"])\nsetup(**kw)',
        'setup(install_requires=list(("foo==1",)))',
        'setup(install_requires=["foo==1"] if x else [])',
        'setup(extras_require={**{"a": ["foo==1"]}})',
        'setup(install_requires="foo==1")',
        'setup(install_requires="""\nfoo==1\n""")',
        'setup(install_requires=["f" "oo==1"])',
        'setup(install_requires=["fo\\x6f==1"])',
    ],
)
def test_ways_to_give_a_list(call):
    (fact,) = requirements(call)
    assert (fact.name, fact.version.text) == ("foo", "1")
    assert quote(call, fact.version).count("1") == 1


@pytest.mark.parametrize(
    "value", ["read()", "[x for x in y]", "open(p).read().split()", "names", '["foo==1", *other]']
)
def test_what_is_computed_is_told(value):
    (skip,) = skips(f"setup(install_requires={value})\n")
    assert (skip.reason, skip.detail) == (
        "template",
        "install_requires is computed: not all of it is read",
    )


def test_a_file_in_the_place_of_a_list():
    text = 'setup(install_requires=open("req/a.txt").read().splitlines())\n'
    (use,) = items_of("setup-py", text, "pkg/setup.py")
    assert isinstance(use, Uses)
    assert (use.how, use.target, quote(text, use)) == (
        "requirements",
        "pkg/req/a.txt",
        '"req/a.txt"',
    )


def test_the_program_is_read_as_any_other_and_nothing_twice():
    text = (
        "import subprocess\n"
        'V = "0.5.1"\n'
        'subprocess.run(["python", "-m", "sglang.launch_server", "--tp", "2"])\n'
        'setup(install_requires=["sglang==0.5.9", f"sglang=={V}"])\n'
    )
    found = items_of("setup-py", text, "setup.py")
    assert [item.argv[2].text for item in found if isinstance(item, Launch)] == [
        "sglang.launch_server"
    ]
    pins = [item for item in found if isinstance(item, Requirement)]
    assert [pin.version.text for pin in pins] == ["0.5.9", "0.5.1"]
    assert quote(text, pins[0]) == "sglang==0.5.9"
    assert not skips(text)


def test_what_is_no_python_is_told_once():
    (skip,) = skips("setup(install_requires=['sglang==1'\n")
    assert skip.reason == "syntax"


def test_the_name_of_the_file_tells():
    assert claim("a/setup.py") == "setup-py"
    assert claim("a/my_setup.py") == "python"


@pytest.mark.parametrize(
    "text",
    [
        "setup(install_requires=" + "[" * 5_000 + "]" * 5_000 + ")",
        "setup(install_requires=" + "+".join(["['a']"] * 10_000) + ")",
        "a0 = ['x']\n"
        + "".join(f"a{n + 1} = [*a{n}, *a{n}]\n" for n in range(40))
        + "setup(install_requires=a40)\n",
        "a = []\na += a\na.append(a)\nsetup(install_requires=a)\n" * 2_000,
        "".join(f"def f{n}(): return f{n + 1}()\n" for n in range(3_000))
        + "setup(install_requires=f0())\n",
        "setup(install_requires=['foo==1'])\n" * 5_000,
    ],
)
def test_hostile_modules_end_in_time(text):
    start = time.process_time()
    never_fails("setup-py", text)
    assert time.process_time() - start < 5


@given(st.text(alphabet="[]{}(),'\"foo=1*+%f#\n é\\", max_size=40))
def test_no_text_breaks_it(text):
    never_fails("setup-py", f"x = {text}\nsetup(install_requires={text})\n")
