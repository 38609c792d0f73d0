"""Whatever stands beside a launch: an answer within two seconds, and spans that quote the file."""

from __future__ import annotations

import time

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import servelint_builtins
from servelint.facts import Launch
from servelint.finding import Skip
from servelint.read import read
from servelint.readers.python import read as read_python
from servelint.source import Route, Source
from servelint.value import Text, Value

NEEDLES = tuple(word.decode() for word in servelint_builtins.LANGUAGE_NEEDLES["python"])
RUN = 'import subprocess\nsubprocess.run(["python3", "-m", "sglang.launch_server", "--tp", "2"])\n'
MAX_SECONDS = 2.0
REASONS = {"too-deep", "too-slow", "too-large"}


def found(text: str, reader=read) -> list:
    source = Source("a.py", text, "python", Route("a.py"), needles=NEEDLES)
    start = time.process_time()
    items = list(reader(source))
    assert time.process_time() - start < MAX_SECONDS, text[:2000]
    return items


TOO_MUCH = {
    "elif": "if a:\n    pass\n" + "elif b == 'sglang serve':\n    c = 'sglang serve'\n" * 1500,
    "parentheses": "a = " + "(" * 3000 + "'sglang serve'" + ")" * 3000,
    "sum": "a = 'sglang serve' + " + " + ".join(["a", "b", "c"] * 1700),
    "attributes": "subprocess.run(['sglang serve', b" + ".c" * 2000 + "])",
    "calls": "subprocess.run(['sglang serve', b" + ".c()" * 2000 + "])",
    "subscripts": "subprocess.run(['sglang serve', b" + "[0]" * 2000 + "])",
    "lambda": "f = 'sglang serve', " + "lambda: " * 1500 + "1",
    "conditional": "x = 'sglang serve', " + "1 if a else " * 1500 + "2",
    "not": "x = 'sglang serve', " + "not " * 3000 + "a",
    "literals": "x = 'sglang serve ' " + "'a ' " * 5000,
    "dictionary": "d = {'sglang serve': 0, "
    + ", ".join(f"'k{i}': {i}" for i in range(100_000))
    + "}",
    "runs": "".join(f"subprocess.run(['sglang', 'serve', '{i}'])\n" for i in range(5000)),
    "steps": "def f0(n):\n    return subprocess.run(['sglang', 'serve', n])\n"
    + "".join(f"def f{i}(n):\n    return f{i - 1}(n), f{i - 1}(n)\n" for i in range(1, 300))
    + "f299(1)\n",
    "length": "x = 'sglang serve'\n" + "y = 1\n" * 200_000,
}


@pytest.mark.parametrize("name", TOO_MUCH)
def test_what_is_too_much_is_said_to_be(name: str) -> None:
    items = found(f"{RUN}{TOO_MUCH[name]}\n")
    reasons = {item.reason for item in items if isinstance(item, Skip)}
    kept_out = name == "dictionary" and not reasons  # nothing reads it, so it is emptied
    assert reasons or kept_out
    assert reasons <= REASONS
    assert [item for item in items if isinstance(item, Launch)] or reasons


GROWING = [
    "s = 'sglang serve '\nfor i in range(100):\n    s = s + s\nsubprocess.run(s, shell=True)",
    "s = 'sglang serve '\nfor i in range(100):\n    s = f'{s}{s}'\nsubprocess.run(s, shell=True)",
    "s = 'sglang serve '\nfor i in range(100):\n    s = s.replace('s', s)\nsubprocess.run([s])",
    "s = 'sglang serve '\nfor i in range(100):\n    s = s * 900\nsubprocess.run(s, shell=True)",
    "s = ['sglang', 'serve']\nfor i in range(60):\n    s = s + s\nsubprocess.run(s)",
    "s = 'sglang serve'\n"
    + "".join(f"if a{i}:\n    s += ' --x {i}'\n" for i in range(200))
    + "subprocess.run(s, shell=True)",
    "def f(n):\n    subprocess.run(['sglang', 'serve', str(n)])\n    f(n + 1)\n    f(n + 2)\nf(0)",
]


@pytest.mark.parametrize("text", GROWING)
def test_values_that_grow_come_to_an_end(text: str) -> None:
    assert [item for item in found(RUN + text) if isinstance(item, Launch)]


# -- pieces of scripts in any order -----------------------------------------------------------

LINES = [
    RUN,
    'CMD = ["sglang", "serve", "--model-path", model]\n',
    'cmd = f"python -m sglang.launch_server --model {m!r} {x:>3}" " --tp" \'\\x41\\n\'\n',
    "subprocess.Popen(cmd, shell=True, env={**os.environ, 'A': 'b'})\n",
    "cmd += ['--port', str(port)]; cmd.insert(1, a)\n",
    "def f(a, *b, c='sglang serve', **d):\n    global cmd\n    cmd = [*b, c]\n    return cmd\n",
    "class A(B):\n    cmd: list = ['sglang', 'serve']\n    def run(self): os.system(self.cmd)\n",
    "for k, v in {'a': 1}.items():\n    cmd += [k, v]\n",
    "try:\n    f(cmd)\nexcept E as e:\n    cmd.pop()\nfinally:\n    subprocess.call(cmd)\n",
    "with a as b, c:\n    f(*cmd, **kw)\n",
    "match cmd:\n    case ['sglang', *rest]: subprocess.run(rest)\n    case _: pass\n",
    "while (n := n + 1) < 3: subprocess.run(cmd + ['%s-%d' % (a, n)])\n",
    "async def g():\n    await asyncio.create_subprocess_exec('sglang', 'serve', *cmd)\n",
    "x = [y for y in cmd if y != '--tp'] or ' '.join(cmd).split()\n",
    "image = 'lmsysorg/sglang:v0.5.0'; client.containers.run(image, command=cmd)\n",
    'app = image.pip_install("sglang==0.4.1")\n',
    "engine = sgl.Engine(disaggregation_mode='prefill', **kw)\n",
    "if a and not b:\n    cmd = None\nelif c == 'é\U0001f600':\n    del d['a']\n",
    "'''sglang serve\n  text''' \n",
    "# sglang serve --tp 2\n",
    "lambda: subprocess.run(cmd)\n",
    "\f\n",
    "x = '''\\\nsglang serve\\\r\n'''\r\n",
]
BROKEN = ["(", "'", "    ", "\t", "\\", "\0", "f'{", '"""', "\r", "else:", "\u2028", "]"]
texts = st.lists(st.sampled_from(LINES), max_size=12).map("".join)
broken = st.lists(st.sampled_from(LINES + BROKEN), max_size=12).map("".join)


def spans_of(item):
    yield item.span
    for name in ("argv", "reference", "value"):
        value = getattr(item, name, ())
        yield from (one.span for one in (value if isinstance(value, tuple) else (value,)))
    for one in getattr(item, "env", ()):
        yield from spans_of(one)


def values_of(item):
    for name in ("argv", "reference", "value"):
        value = getattr(item, name, ())
        yield from (one for one in (value if isinstance(value, tuple) else (value,)))
    for one in getattr(item, "env", ()):
        yield from values_of(one)


def quotes(value: Value, text: str) -> bool:
    """True when a text that comes from nowhere else stands where its value is said to stand.

    What holds an escape, or stands apart from its pieces, is not compared.
    """
    parts = value.readings[0]
    if len(value.readings) > 1 or len(parts) > 1 or not isinstance(parts[0], Text):
        return True
    said = text[value.span.start : value.span.end]
    if parts[0].trail or "\\" in said or not said.isprintable():
        return True
    return parts[0].text in said or parts[0].text.removeprefix("--").replace("-", "_") in said


def check(text: str) -> None:
    for item in found(text, read_python):
        if isinstance(item, Source):
            for segment in item.origin:
                assert 0 <= segment.origin_start <= segment.origin_end <= len(text)
                here = item.text[segment.start : segment.end]
                there = text[segment.origin_start : segment.origin_end]
                assert len(here) != len(there) or here == there or "\\" in text, (here, there)
            continue
        if isinstance(item, Skip):
            assert item.span is None or item.span.end <= len(text)
            continue
        for span in spans_of(item):
            assert 0 <= span.start <= span.end <= len(text)
        for value in values_of(item):
            assert quotes(value, text), (value, text[value.span.start : value.span.end])


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(texts)
def test_every_span_quotes_the_file(text: str) -> None:
    check(text)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(broken)
def test_a_text_that_is_no_python_never_fails(text: str) -> None:
    check(text)
