"""The option table, compared with made-up wheels and continued with them."""

from __future__ import annotations

import importlib
import json
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
TOOLS = ROOT / "tools"
TABLE = ROOT / "plugins" / "servelint_sglang" / "options.json"

ARGUMENTS = """\
import argparse
import dataclasses

from sglang.srt.arg_groups.actions import Retired, RetiredWord


@dataclasses.dataclass
class ServerArgs:
    port: int = 1

    @staticmethod
    def add_cli_args(parser: argparse.ArgumentParser):
        raise SystemExit("a wheel is never run")
        group = parser.add_argument_group("one")
        group.add_argument("--port", "--tcp-port", type=int, default=ServerArgs.port)
        parser.add_argument("--fast", action="store_true")
        parser.add_argument("--files", nargs="+")
        parser.add_argument("--some-files", nargs="*", action=RetiredWord)
        parser.add_argument("--level", type=float, nargs="?", const=0.5)
        parser.add_argument("--switch", action=argparse.BooleanOptionalAction)
        parser.add_argument("--old", action=Retired)
        parser.add_argument("--old-word", action=RetiredWord)
        parser.add_argument("--old-one", action=Retired, nargs=None)
"""
ACTIONS = """\
import argparse


class Retired(argparse.Action):
    def __init__(self, option_strings, dest, nargs=0, **kwargs):
        super().__init__(option_strings, dest, nargs=nargs, **kwargs)


class RetiredWord(argparse.Action):
    def __call__(self, parser, namespace, values, option_string=None):
        pass
"""
OF_FIELDS = """\
from sglang.srt.arg_groups.utils import add_cli_args_from_dataclass
from sglang.srt.arg_groups.fields import Model
from sglang.srt.arg_groups.fields.pair import Pair

_INPUT_NAMESPACES = [Model, Pair]


class ServerArgs:
    @staticmethod
    def add_cli_args(parser):
        add_cli_args_from_dataclass(parser, ServerArgs)
        parser.add_argument("--config")


ServerArgs = build("ServerArgs", _INPUT_NAMESPACES)
"""
MODEL = """\
from typing import Literal, Optional

from ..utils import A, Arg, NS, list_type
from ..actions import RetiredWord

Words = list[str]


class Model:
    model_path: A[str, Arg(help="Where.", aliases=["--model"])]
    trust: A[bool, "Whether."] = False
    maybe: A[Optional[bool], "Whether, or not told."] = None
    kind: A[Literal["a", "b"], "Which.", NS("model")] = "a"
    sizes: A[Optional[list[int]], "Several."] = None
    words: A[Words | None, "A name for a type."] = None
    parsed: A[list[str], Arg(type_parser=list_type)] = ()
    few: A[Optional[list[str]], Arg(help="Any.", nargs="*")] = None
    paths: A[Optional[str], Arg(action=RetiredWord, action_kwargs={"nargs": "*"})] = None
    gemm_runner: A[str, Arg(cli_name="--gemm")] = "auto"
    hidden: A[bool, Arg(no_cli=True)] = False
    resolved: int = 0
"""
PAIR = """\
import argparse

from sglang.srt.arg_groups.utils import A, Arg


class Pair:
    role: A[str, "Which half."] = "null"
    either: A[bool, Arg(help="On or off.", action=argparse.BooleanOptionalAction)] = True
    size: A[int, "Declared twice."] = 1
    size: A[int, "Declared twice."] = 1
"""

OTHER_FIELDS = "        add_cli_args_from_dataclass(parser, ServerArgs)\n"


@pytest.fixture(scope="module", name="tool")
def import_tool():
    sys.path.insert(0, str(TOOLS))
    try:
        yield importlib.import_module("read_wheels")
    finally:
        sys.path.remove(str(TOOLS))


def wheel(directory, release, modules):
    directory.mkdir(exist_ok=True)
    path = directory / f"sglang-{release}-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in modules.items():
            archive.writestr(f"sglang/srt/{name}", text)
    return str(path)


def called(body="", head="", **more):
    """The modules of a wheel that registers what ``body`` says."""
    text = f"{head}\nclass ServerArgs:\n    def add_cli_args(parser):\n        pass\n{body}"
    return {"server_args.py": text, **{f"{name}.py": one for name, one in more.items()}}


def option(*names, **more):
    """A line of a method that registers an option."""
    given = [*map(repr, names), *(f"{key}={value}" for key, value in more.items())]
    return f"        parser.add_argument({', '.join(given)})\n"


def read(tool, path):
    return {one.names: (one.values, one.negatives) for one in tool.options_of(path)}


# -- what a wheel says --------------------------------------------------------


def test_options_of_calls_are_read_and_nothing_is_run(tool, tmp_path):
    modules = {"server_args.py": ARGUMENTS, "arg_groups/actions.py": ACTIONS}
    assert read(tool, wheel(tmp_path, "1.0", modules)) == {
        ("--port", "--tcp-port"): ("1", ()),
        ("--fast",): ("0", ()),
        ("--files",): ("+", ()),
        ("--some-files",): ("*", ()),
        ("--level",): ("?", ()),
        ("--switch",): ("0", ("--no-switch",)),
        ("--old",): ("0", ()),
        ("--old-word",): ("1", ()),
        ("--old-one",): ("1", ()),
    }


def test_options_of_annotated_fields_are_read(tool, tmp_path):
    modules = {
        "server_args.py": OF_FIELDS,
        "arg_groups/actions.py": ACTIONS,
        "arg_groups/fields/__init__.py": MODEL,
        "arg_groups/fields/pair.py": PAIR,
    }
    assert read(tool, wheel(tmp_path, "1.0", modules)) == {
        ("--config",): ("1", ()),
        ("--model-path", "--model"): ("1", ()),
        ("--trust",): ("0", ()),
        ("--maybe",): ("0", ()),
        ("--kind",): ("1", ()),
        ("--sizes",): ("+", ()),
        ("--words",): ("+", ()),
        ("--parsed",): ("1", ()),
        ("--few",): ("*", ()),
        ("--paths",): ("*", ()),
        ("--gemm",): ("1", ()),
        ("--role",): ("1", ()),
        ("--either",): ("0", ("--no-either",)),
        ("--size",): ("1", ()),
    }


@pytest.mark.parametrize(
    ("modules", "said"),
    [
        ({}, "sglang.srt.server_args has no class ServerArgs"),
        ({"server_args.py": "class ServerArgs: pass"}, "ServerArgs has no method add_cli_args"),
        (called("        more(parser)\n"), "server_args:5: more may register options"),
        (called("        parser.add_argument(NAME)\n"), "the name of an option is not written out"),
        (called("        parser.add_argument('--x', **more)\n"), "form is not written out"),
        (called(option("--x", action="Own")), "the action Own is not in the wheel"),
        (called(option("--x", action="'own'")), "unknown action 'own'"),
        (called(option("--x", nargs="2")), "nargs: expected a number below 2 or one of"),
        (called(option("--x") + option("--y", "--x")), "--x is registered twice"),
        (called(OTHER_FIELDS), "no fields are declared as they used to be"),
        (
            called(f"{OTHER_FIELDS}\n    x: A[int, Other()] = 1\n"),
            "Other may describe an option",
        ),
    ],
)
def test_what_its_syntax_does_not_tell_is_an_error(tool, tmp_path, modules, said):
    with pytest.raises(tool.ReadError) as caught:
        tool.options_of(wheel(tmp_path, "1.0", modules))
    assert said in str(caught.value)


# -- tables -------------------------------------------------------------------


NOTHING = {"releases": [], "options": [], "replaced": {}}


def grown(tool, tmp_path, *bodies):
    """The table of releases 1, 2, ..., each of which registers what its text says."""
    table = NOTHING
    for number, body in enumerate(bodies, 1):
        path = wheel(tmp_path, f"{number}.0", called(body))
        table = tool.continued(table, f"{number}.0", tool.options_of(path))
    return table


def names_of(table):
    return [row["names"] for row in table["options"]]


def test_an_option_ends_with_the_release_before_the_first_that_lacks_it(tool, tmp_path):
    table = grown(tool, tmp_path, option("--a") + option("--b"), option("--b"), option("--c"))
    assert names_of(table) == [
        {"--a": ["1.0", "1.0"]},
        {"--b": ["1.0", "2.0"]},
        {"--c": ["3.0", ""]},
    ]


def test_a_new_name_comes_first_and_the_old_one_stays_beside_it(tool, tmp_path):
    table = grown(tool, tmp_path, option("--old"), option("--new", "--old"), option("--new"))
    (names,) = names_of(table)
    assert list(names) == ["--new", "--old"]
    assert names == {"--new": ["2.0", ""], "--old": ["1.0", "2.0"]}


def test_two_options_that_become_one_are_one_row(tool, tmp_path):
    table = grown(tool, tmp_path, option("--a") + option("--b"), option("--a", "--b"))
    assert names_of(table) == [{"--a": ["1.0", ""], "--b": ["1.0", ""]}]


def test_an_option_that_is_back_lives_again(tool, tmp_path):
    table = grown(tool, tmp_path, option("--a"), option("--b"), option("--a"))
    assert {"--a": ["1.0", ""]} in names_of(table)


@pytest.mark.parametrize(
    ("first", "second", "values"),
    [
        ({"action": "'store_true'"}, {}, "?"),
        ({}, {"action": "'store_true'"}, "?"),
        ({"nargs": "'?'"}, {}, "?"),
        ({}, {"nargs": "'+'"}, "+"),
        ({"nargs": "'*'"}, {"nargs": "'*'"}, "+"),
    ],
)
def test_an_option_that_took_a_word_at_times_may_take_one(tool, tmp_path, first, second, values):
    table = grown(tool, tmp_path, option("--a", **first), option("--a", **second))
    assert [row["values"] for row in table["options"]] == [values]


def test_a_spelling_that_switches_off_has_a_life_of_its_own(tool, tmp_path):
    table = grown(
        tool,
        tmp_path,
        option("--a", action="'store_true'"),
        option("--a", action="argparse.BooleanOptionalAction"),
    )
    assert names_of(table) == [{"--a": ["1.0", ""]}, {"--no-a": ["2.0", ""]}]


def test_a_table_agrees_with_the_wheels_that_it_was_made_from(tool, tmp_path):
    bodies = option("--a") + option("--x", nargs="'*'"), option("--b", "--a")
    table = grown(tool, tmp_path, *bodies)
    for number in (1, 2):
        path = str(tmp_path / f"sglang-{number}.0-py3-none-any.whl")
        assert not list(tool.differences(table, f"{number}.0", tool.options_of(path)))


def test_each_difference_is_told(tool, tmp_path):
    body = option("--gone") + option("--word") + option("--a", "--b") + option("--c", "--d")
    table = grown(tool, tmp_path, body)
    new = option("--word", action="'store_true'") + option("--a") + option("--b") + option("--new")
    path = wheel(tmp_path / "other", "1.0", called(new + option("--c", "--d")))
    assert list(tool.differences(table, "1.0", tool.options_of(path))) == [
        "--a, --b: one option in the table, several of the wheel",
        "--gone: in the table, but no option of the wheel",
        "--new: an option of the wheel, but not in the table",
        "--word: takes '0', '1' in the table",
    ]


# -- the commands -------------------------------------------------------------


def run(script, *args):
    done = subprocess.run(
        [sys.executable, str(TOOLS / script), *map(str, args)],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    return done.returncode, done.stdout, done.stderr


def test_the_shipped_table_is_written_again_byte_for_byte(tool, tmp_path):
    flags = tmp_path / "flags.json"
    flags.write_text(json.dumps(tool.flags_of(json.loads(TABLE.read_text(encoding="utf-8")))))
    assert run("make_options.py", flags, tmp_path / "again.json") == (0, "", "")
    assert (tmp_path / "again.json").read_bytes() == TABLE.read_bytes()


def test_a_release_is_added_with_two_commands_and_then_agrees(tmp_path):
    known = {name for row in json.loads(TABLE.read_text())["options"] for name in row["names"]}
    assert "--made-up" not in known
    body = option("--made-up", nargs="'+'") + option("--model-path", "--model")
    wheel(tmp_path / "wheels", "9.0", called(body))
    flags, table = tmp_path / "flags.json", tmp_path / "options.json"
    code, out, _ = run("read_wheels.py", TABLE, tmp_path / "wheels", flags)
    assert code == 0
    assert out.startswith("9.0: 3 spellings\n  new --made-up\n  gone --")
    assert run("make_options.py", flags, table)[0] == 0
    made = json.loads(table.read_text(encoding="utf-8"))
    assert made["releases"][-1] == "9.0"
    assert {"names": {"--made-up": ["9.0", ""]}, "values": "+"} in made["options"]
    code, out, _ = run("read_wheels.py", table, tmp_path / "wheels")
    assert (code, out) == (0, "9.0: 2 options, 0 differences\n")


def test_a_wheel_of_a_release_that_the_table_lacks_is_a_difference(tmp_path):
    wheel(tmp_path, "9.0", called(option("--a")))
    assert run("read_wheels.py", TABLE, tmp_path)[:2] == (1, "9.0: not in the table\n")


def test_what_cannot_be_read_writes_nothing(tmp_path):
    wheel(tmp_path, "9.0", called("        more(parser)\n"))
    code, _, err = run("read_wheels.py", TABLE, tmp_path, tmp_path / "flags.json")
    assert code == 2
    assert err.startswith("read_wheels: sglang.srt.server_args:5: more may register options")
    assert not (tmp_path / "flags.json").exists()


@pytest.mark.parametrize("name", ["", "sglang.whl"])
def test_a_directory_without_wheels_is_an_error(tmp_path, name):
    if name:
        (tmp_path / name).write_text("")
    assert run("read_wheels.py", TABLE, tmp_path)[0] == 2


# -- markers ------------------------------------------------------------------

INSIDE = """
module = "sglang"
[[marker]]
pull = 7
path = "srt/a.py"
text = "def fixed("
release = "1.1"
"""


@pytest.mark.parametrize(
    ("release", "text", "said"),
    [
        ("1.0", "def other(): ...", ""),
        ("1.0", None, ""),
        ("1.1", "def fixed(): ...", ""),
        ("1.2", "def fixed(): ...", ""),
        ("1.0", "def fixed(): ...", "  7 (since 1.1) is there: sglang/srt/a.py\n"),
        ("1.2rc1", "def other(): ...", "  7 (since 1.1) is gone: sglang/srt/a.py\n"),
        ("1.2", None, "  7 (since 1.1) is gone: sglang/srt/a.py\n"),
    ],
)
def test_a_marker_stands_in_its_release_and_later_ones_only(tmp_path, release, text, said):
    (tmp_path / "inside.toml").write_text(INSIDE)
    wheel(tmp_path / "wheels", release, {"a.py": text} if text else {})
    code, out, _ = run("check_markers.py", tmp_path / "inside.toml", tmp_path / "wheels")
    assert code == (1 if said else 0)
    assert out == f"{release}: 1 markers, {1 if said else 0} problems\n{said}"


def test_no_wheel_proves_no_marker(tmp_path):
    (tmp_path / "inside.toml").write_text(INSIDE)
    assert run("check_markers.py", tmp_path / "inside.toml", tmp_path)[0] == 2
