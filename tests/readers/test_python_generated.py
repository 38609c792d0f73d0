"""Made-up scripts: what the Python reader says is known is what Python does with them.

The scripts are run here, with ``subprocess.run`` replaced, under every setting of two variables.
"""

from __future__ import annotations

import os
import subprocess
from unittest import mock

from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from python_oracle import pattern, tells

import servelint_builtins
from servelint.facts import Launch
from servelint.finding import Skip
from servelint.read import read
from servelint.source import Route, Source

NEEDLES = tuple(word.decode() for word in servelint_builtins.LANGUAGE_NEEDLES["python"])
WORLDS = ({}, {"E1": "x"}, {"E2": "a"}, {"E1": "x", "E2": "a"})

HEAD = """import os, subprocess
a, b, c = "A", "B", "C"
n = 1
cmd = ["sglang", "serve", "m"]
other = ["o"]
d = {"k": "v"}
class Box:
    w = "W"
    def __init__(self, v="V"):
        self.v = v
        self.row = []
box = Box()
"""
TAIL = """
last = d.get("k", "none")
subprocess.run(cmd + ["--end", f"{a}.{b}.{c}.{n}", *other, box.v, box.w, *box.row, last])
"""

NAMES = st.sampled_from(["a", "b", "c"])
LISTS = st.sampled_from(["cmd", "other", "box.row"])
LITERALS = st.sampled_from(['"a"', '"b"', '"--x"', '"p,q"', "'it'", r'r"\d"', r'"\x41"', '"a" "b"'])


def texts(depth=2):
    """Expressions that give a text."""
    plain = st.one_of(LITERALS, NAMES, st.just("str(n)"), st.just("box.v"), st.just("Box.w"))
    if depth == 0:
        return plain
    inner = texts(depth - 1)
    return st.one_of(
        plain,
        plain,
        st.builds("({} + {})".format, inner, inner),
        st.builds('f"{{{}}}-{{n}}"'.format, NAMES),
        st.builds('"{{}}{{1}}".replace("{{1}}", "z").format({})'.format, inner),
        st.builds('("%s+%d" % ({}, n))'.format, inner),
        st.builds('",".join([{}, {}])'.format, inner, inner),
        st.builds("{}.upper()".format, inner),
        st.builds('{}.split(",")[0]'.format, inner),
        st.builds('({} if os.environ.get("E1") else {})'.format, inner, inner),
        st.builds('os.environ.get("E2", {})'.format, inner),
        st.builds('(os.getenv("E1") or {})'.format, inner),
        st.builds('d.get("k", {})'.format, inner),
        st.builds("(lambda x, y={}: x + y)({})".format, inner, inner),
        st.builds("{}[0:1]".format, inner),
    )


def conditions():
    return st.one_of(
        st.just('os.environ.get("E1")'),
        st.just('"E2" in os.environ'),
        st.just('os.environ.get("E2", "b") == "a"'),
        st.builds("{} == {}".format, NAMES, LITERALS),
        st.builds('{} in ("a", "b")'.format, NAMES),
        st.just("len(cmd) > 4"),
        st.just("n < 3"),
        st.just("not other"),
        st.just("box.row and a"),
    )


SIMPLE = st.one_of(
    st.builds("{} = {}".format, NAMES, texts()),
    st.builds("{}, {} = {}, {}".format, NAMES, NAMES, texts(1), texts(1)),
    st.builds("{} += {}".format, NAMES, texts(1)),
    st.just("n += 1"),
    st.builds("{}.append({})".format, LISTS, texts()),
    st.builds("{}.extend([{}, {}])".format, LISTS, texts(1), texts(1)),
    st.builds("{} += [{}]".format, LISTS, texts(1)),
    st.builds("{} = {} + [{}]".format, LISTS, LISTS, texts(1)),
    st.builds("{} = {}".format, LISTS, LISTS),
    st.builds("{} = list({})".format, LISTS, LISTS),
    st.builds("{}.insert(1, {})".format, LISTS, texts(1)),
    st.builds("{} = [w for w in {} if w != {}]".format, LISTS, LISTS, LITERALS),
    st.builds("{} = {}[1:]".format, st.just("other"), LISTS),
    st.builds("other = [{}]".format, texts(1)),
    st.builds('d["k"] = {}'.format, texts(1)),
    st.builds("d.update(k={}, j={})".format, texts(1), texts(1)),
    st.builds("box.v = {}".format, texts(1)),
    st.builds("Box.w = {}".format, texts(1)),
    st.builds("box = Box({})".format, texts(1)),
    st.builds("cmd += [f(x) for x in ({}, {})]".format, texts(1), texts(1)).map(
        lambda line: line.replace("f(x)", "x + a")
    ),
    st.builds("for k, v in d.items(): cmd += [k, v]".format),
    st.builds("other.pop()".format),
    st.builds('subprocess.run(["sglang", "serve", {}])'.format, texts()),
)


def indented(lines):
    return ["    " + line for line in lines]


def blocks(depth):
    """Rows of statements."""
    statement = SIMPLE.map(lambda line: [line])
    if depth:
        inner = blocks(depth - 1)
        statement = st.one_of(
            statement,
            statement,
            statement,
            st.builds(lambda c, x: [f"if {c}:", *indented(x)], conditions(), inner),
            st.builds(
                lambda c, x, y: [f"if {c}:", *indented(x), "else:", *indented(y)],
                conditions(),
                inner,
                inner,
            ),
            st.builds(
                lambda s, t, x: [f"for a in [{s}, {t}]:", *indented(x)], texts(1), texts(1), inner
            ),
            st.builds(lambda x: ["while n < 3:", "    n += 1", *indented(x)], inner),
            st.builds(
                lambda x, y: ["try:", *indented(x), "except IndexError:", *indented(y)],
                inner,
                inner,
            ),
            st.builds(call_of, st.integers(0, 999), inner, texts(1), texts(1), texts(1)),
        )
    return st.lists(statement, min_size=1, max_size=4).map(
        lambda rows: [x for r in rows for x in r]
    )


def call_of(number, body, default, first, result):
    """A function, and a call of it."""
    return [
        f"def f{number}(a, b={default}):",
        "    global n, c, d, box, other, cmd",
        *indented(body),
        f"    return {result}",
        f"c = f{number}({first})",
    ]


def run(text, world):
    """The commands of a script; None when it fails."""
    found = []

    def record(words, **_):
        found.append(list(words))

    with (
        mock.patch.object(subprocess, "run", record),
        mock.patch.dict(os.environ, world),
    ):
        for name in ("E1", "E2"):
            if name not in world:
                os.environ.pop(name, None)
        try:
            exec(compile(text, "script.py", "exec"), {"__name__": "__main__"})
        except (IndexError, UnboundLocalError, NameError):
            return None
    return found


def launches(text):
    source = Source("script.py", text, "python", Route("script.py"), needles=NEEDLES)
    items = list(read(source))
    assert not [item for item in items if isinstance(item, Skip)]
    return [item for item in items if isinstance(item, Launch)]


@settings(
    max_examples=300,
    derandomize=True,  # more choices than can be told apart are given up, which a rare script meets
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
@given(blocks(2))
def test_no_known_value_is_wrong(lines):
    text = HEAD + "\n".join(lines) + TAIL
    runs = [found for world in WORLDS if (found := run(text, world)) is not None]
    assume(runs)
    told = launches(text)
    for commands in runs:
        for words in commands:
            if "sglang serve" not in " ".join(words):
                continue  # nothing in it counts
            assert any(tells(launch.argv, words, program=2) for launch in told), (
                text,
                words,
                [[pattern(value) for value in launch.argv] for launch in told],
            )
