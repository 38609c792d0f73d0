"""Only the lines that matter are parsed: what they say stands where it stood in the file."""

from __future__ import annotations

import pytest

import servelint_builtins
from servelint.facts import Launch
from servelint.finding import Skip
from servelint.read import read
from servelint.source import Route, Source

NEEDLES = tuple(word.decode() for word in servelint_builtins.LANGUAGE_NEEDLES["python"])

OTHERS = """
def other(a, b):
    \"\"\"Nothing of this

    matters.\"\"\"
    total = a + b

    return total

"""
SCRIPT = f"""import subprocess
{OTHERS}{OTHERS}
HEAD = '''

sglang serve --host::1'''
{OTHERS}
class Server:
    def unused(self):
        return 1
{OTHERS.replace(chr(10), chr(10) + "    ")}
    def start(self, size):

        subprocess.run(HEAD, shell=True)

        subprocess.run(
            ["sglang", "serve",

             "--tp", str(2), "--model-path", "\\u00e9/m"])
"""


def launches(text: str) -> list[Launch]:
    items = list(read(Source("a.py", text, "python", Route("a.py"), needles=NEEDLES)))
    assert not [item for item in items if isinstance(item, Skip)]
    return [item for item in items if isinstance(item, Launch)]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("before", ["", "\n\n\n", "\f\n", "# é\n"])
def test_lines_that_are_left_out_move_nothing(end: str, before: str) -> None:
    text = (before + SCRIPT).replace("\n", end)
    shell, row = launches(text)
    assert [word.text for word in shell.argv] == ["sglang", "serve", "--host::1"]
    assert [word.text for word in row.argv] == [
        *("sglang", "serve", "--tp", "2", "--model-path", "\u00e9/m")
    ]
    assert text[row.argv[1].span.start : row.argv[1].span.end] == "serve"
    assert text[row.argv[4].span.start : row.argv[4].span.end] == "--model-path"
    last = shell.argv[-1].span
    # Where a line break is two characters, what a string holds is no run of the file.
    assert text[last.start : last.end] == ("--host::1" if end == "\n" else "HEAD")


@pytest.mark.parametrize(
    "decorator", ["(lambda f: f)", "(a if b else c)", "on(lambda: 1)", "names[lambda: 0]"]
)
def test_a_decorator_may_be_any_expression(decorator: str) -> None:
    text = f'import subprocess\n@{decorator}\ndef f():\n    subprocess.run(["sglang", "serve"])\n'
    (launch,) = launches(text)
    assert [word.text for word in launch.argv] == ["sglang", "serve"]


@pytest.mark.parametrize(
    "binding",
    [
        "match kind:\n        case None:\n            1\n        case [*PORT]:\n            pass",
        "match kind:\n        case {'a': True, 'b': PORT}:\n            pass",
        "match kind:\n        case {'a': 1, **PORT}:\n            pass",
        "for PORT in range(2):\n        pass",
        "global PORT\n    PORT = 1",
    ],
)
def test_all_that_binds_a_name_is_looked_at(binding: str) -> None:
    text = (
        f"import subprocess\nPORT = 30000\ndef f(kind):\n    {binding}\n"
        '    subprocess.run(["sglang", "serve", "--port", str(PORT)])\nf(3)\n'
    )
    (launch,) = launches(text)
    assert [word.text for word in launch.argv[:3]] == ["sglang", "serve", "--port"]
