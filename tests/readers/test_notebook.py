"""The notebook reader: what the code in cells gives to a shell, and its Python."""

from __future__ import annotations

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from reading import commands_of, facts_of, launches_of, never_fails, quoted, shown

from servelint.finding import Skip
from servelint.readers import MODULES, UNREAD, claim, notebook
from servelint.source import Route, Source


def written(*cells, language="python", **kwargs):
    """A notebook with cells of code."""
    return json.dumps(
        {
            "cells": [
                {"cell_type": "code", "metadata": {}, "outputs": [], "source": cell}
                for cell in cells
            ],
            "metadata": {"language_info": {"name": language}},
        },
        indent=1,
        **kwargs,
    )


def children(text):
    return list(notebook.read(Source("a.ipynb", text, "notebook", Route("a.ipynb"))))


def shells(text):
    return [child.text for child in children(text) if child.language == "shell"]


def pythons(text):
    return [child.text for child in children(text) if child.language == "python"]


def commands(*cells):
    return commands_of("notebook", written(*cells))


def test_claims():
    assert claim("a/b.IPYNB") == "notebook"
    assert claim("a.ipynb.bak") == ""
    assert "ipynb" not in UNREAD


# -- commands -----------------------------------------------------------------


def test_each_command_is_a_shell_text_of_its_own():
    text = written("import x\n!one a\nif x:\n    !two\ny = !three\n!!four\n%sx five\n%system six")
    assert shells(text) == ["one a", "two", "three", "four", "five", "six"]
    owners = [child.owner.steps for child in children(text) if child.language == "shell"]
    assert owners[:2] == [("cells", 0, "command", 0), ("cells", 0, "command", 1)]
    assert commands("!A=1", "!one $A") == [["one", "<A>"]]


@pytest.mark.parametrize("ascii_only", [True, False])
@pytest.mark.parametrize("as_list", [True, False])
def test_words_are_quoted_as_json_writes_them(ascii_only, as_list):
    code = '# é "x"\n!srv --a "b c" \\\n    --é \'d\\e\' &\n'
    source = code.splitlines(keepends=True) if as_list else code
    text = written(source, ensure_ascii=ascii_only)
    (launch,) = launches_of("notebook", text)
    assert [word.text for word in launch.argv] == ["srv", "--a", "b c", "--é", "d\\e"]
    assert [quoted(text, word.span) for word in launch.argv] == [
        *("srv", "--a", '\\"b c\\"', "--\\u00e9" if ascii_only else "--é", "'d\\\\e'")
    ]
    assert quoted(text, launch.span).startswith('srv --a \\"b c\\" \\\\\\n')


def test_commands_inside_of_strings_and_brackets_are_none():
    code = 'a = """\n!no\n"""\nb = f(\n!no\n)\nc = ["x",\n!no]\n'
    code += '# !no\nd = "\\\n!no"\ne = 1 \\\n!no\n'
    assert commands(code) == []
    assert commands('"""!no\n"""\n!yes\n\'it"s\'\n!yes') == [["yes"], ["yes"]]


def test_what_a_command_installs_belongs_to_the_notebook():
    text = written(
        "!srv\n!python3 -m pip install a==1\n!pipx b", "%pip install c\n!uv pip install d"
    )
    owners = {
        child.text: child.owner.steps for child in children(text) if child.language == "shell"
    }
    assert owners == {
        "srv": ("cells", 0, "command", 0),
        "python3 -m pip install a==1": (),
        "pipx b": ("cells", 0, "command", 2),
        "pip install c": (),
        "uv pip install d": (),
    }


def test_what_installs_is_a_command():
    assert shells(written("%pip install -q a==1\n%conda install b\n%env A=1\n%pipx no")) == [
        *("pip install -q a==1", "conda install b")
    ]


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("{port}", "<port>"),
        ("--p={port}", "--p=<port>"),
        ("'{port}'", "<port>"),
        ('"{port} x"', "<port> x"),
        ("{c.port}", "<python_value>"),
        ("{c['port']}", "<python_value>"),
        ("{f(1)}", "<python_value>"),
        ("{port + 1}", "<python_value>"),
        ("{port:03d}", "<python_value>"),
        ("{' '.join(x)}", "<python_value>"),
        ("$port", "<port>"),
        ("$$port", "<port>"),
        ("${port}", "<port>"),
        ("'{print $1}'", "{print $1}"),
        ("'{.status.url}'", "{.status.url}"),
        ("{}", "{}"),
        ("'{{.Names}}'", "<template-function>"),
    ],
)
def test_values_of_python_are_open(command, words):
    ((_, word),) = commands(f"!srv {command}")
    assert word == words


def test_braces_for_the_shell_are_kept():
    assert commands("!srv a{1,2} {3..4}") == [["srv", "a1", "a2", "3", "4"]]


# -- cells --------------------------------------------------------------------


@pytest.mark.parametrize(
    "first",
    [
        *("%%bash", "%%sh", "%%bash -e --out x", "%%script bash", "%%script --bg /bin/sh -e"),
        *("\n  \n%%bash", "%%time\n%%bash", "%%capture out\n%%time\n%%sh", "%sh", "%%shell"),
    ],
)
def test_a_cell_for_a_shell_is_one_text(first):
    text = written(f"{first}\nA=1\nsrv $A {{b}} '$C'\n")
    (launch,) = launches_of("notebook", text)
    assert [shown(word) for word in launch.argv] == ["srv", "1", "{b}", "$C"]
    assert launch.owner.steps[:2] == ("cells", 0)
    assert pythons(text) == []


@pytest.mark.parametrize("first", ["%%html", "%%script perl", "%%script", "%%javascript", "%%R"])
def test_cells_for_other_programs_are_not_read(first):
    assert children(written(f"{first}\n!srv\n")) == []


def test_a_cell_that_python_runs_otherwise_is_python():
    assert commands("%%time\n!srv", "%%capture\n\n!srv") == [["srv"], ["srv"]]


def test_a_cell_that_writes_a_file_is_read_as_that_file():
    text = written(
        *("%%writefile a/run.sh\nsrv", "%%file -a b.txt\nsrv", "%%writefile 'c'\n#!/bin/sh\ntwo"),
        *("%%writefile requirements.txt\nx==1", "%%writefile\nsrv"),
    )
    found = [(child.language, child.owner.steps) for child in children(text)]
    assert found == [
        ("shell", ("cells", 0)),
        ("shell", ("cells", 2)),
        ("requirements", ("cells", 3)),
    ]


def test_only_code_is_read():
    cells = [
        {"cell_type": "markdown", "source": ["!srv\n"]},
        {"cell_type": "raw", "source": "!srv"},
        {"cell_type": "code", "outputs": [{"text": ["!srv"]}], "source": []},
        {"cell_type": "code", "source": {"a": "!srv"}},
        {"source": "!srv"},
        {"cell_type": 1, "source": "!srv"},
        ["!srv"],
        "!srv",
        None,
        {"cell_type": "code", "source": ["!one\n", 1, None, "!two"]},
    ]
    assert shells(json.dumps({"cells": cells})) == ["one", "two"]


@pytest.mark.parametrize(
    ("metadata", "texts"),
    [
        ({}, ["srv"]),
        ([], ["srv"]),
        ({"language_info": {"name": "ipython"}}, ["srv"]),
        ({"kernelspec": {"name": "python3"}}, ["srv"]),
        ({"kernelspec": {"language": "bash"}}, ["!srv"]),
        ({"language_info": {"name": "julia"}, "kernelspec": {"name": "python3"}}, []),
        ({"kernelspec": {"name": "ir", "language": "R"}}, []),
    ],
)
def test_the_language_of_a_notebook_decides(metadata, texts):
    cells = [{"cell_type": "code", "source": "!srv"}]
    assert shells(json.dumps({"cells": cells, "metadata": metadata})) == texts


# -- Python -------------------------------------------------------------------


def test_python_keeps_its_lines(monkeypatch):
    monkeypatch.setitem(MODULES, "python", "servelint.readers.python")
    text = written(
        *("%%time\n\nif x:\n    !srv \\\n      --a\n    y = !ls\nz?\n%x\nprint('é')\n", "!srv\n%x"),
        *("a = 1", "%%python3\nb = 1", "%%writefile c.py\nc = 1"),
    )
    assert pythons(text) == [
        "\n\nif x:\n    pass\n\n    pass\npass\npass\nprint('é')\n",
        *("a = 1", "b = 1", "c = 1"),
    ]
    first = next(child for child in children(text) if child.language == "python")
    at = first.text.index("print")
    assert quoted(text, first.span(at, at + 10)) == "print('\\u00e9')"


def test_without_a_reader_for_it_python_is_left_out(monkeypatch):
    monkeypatch.delitem(MODULES, "python", raising=False)
    assert children(written("a = 1", "%%python3\nb = 1")) == []


# -- what cannot be read ------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "reason", "detail", "line"),
    [
        ('{"cells": [\n<<<<<<< HEAD\n]}', "syntax", "not JSON: expected a value", "<<<<<<< HEAD"),
        ("", "syntax", "not JSON: expected a value", ""),
        ("[]", "syntax", "no cells: not a notebook", ""),
        ('{"worksheets": []}', "syntax", "no cells: not a notebook", ""),
        ('{"cells": {}}', "syntax", "no cells: not a notebook", ""),
        ("[" * 100_000, "too-deep", "nested more than 200 levels deep", None),
    ],
)
def test_what_is_no_notebook_is_a_skip(text, reason, detail, line):
    (skip,) = facts_of("notebook", text)
    assert isinstance(skip, Skip)
    assert (skip.stage, skip.reason, skip.detail) == ("read", reason, detail)
    assert line is None or quoted(text, skip.span) == line


def test_too_many_commands_are_a_skip():
    *found, skip = children(written("!a\n" * (notebook.MAX_TEXTS + 1)))
    assert len(found) == notebook.MAX_TEXTS
    assert (skip.reason, skip.detail) == (
        "too-slow",
        "only the first 5,000 commands and cells were read",
    )


def test_too_much_code_is_a_skip():
    text = written("!srv", "#" * notebook.MAX_CODE, "!srv")
    command, skip = children(text)
    assert command.text == "srv"
    assert (skip.reason, skip.detail) == ("too-large", "only the first 1 cells were read")
    assert set(quoted(text, skip.span)) == {"#"}


@pytest.mark.parametrize(
    "code",
    [
        "!\n" * 150_000,
        "!a \\\n" * 70_000,
        "'" * 490_000,
        '"""' + "'" * 490_000,
        "(" * 490_000,
        "\\" * 150_000,
        "!" + "{a" * 240_000,
        "!" + "$" * 490_000,
        "!" + "{a}" * 100_000,
        "a" * 490_000,
        "a " * 240_000,
        "a=" * 240_000,
        "\n" * 240_000,
        " " * 490_000,
        "%%time\n" * 60_000,
        "%" * 490_000,
        "a?" * 240_000,
    ],
    ids=lambda code: code[:5],
)
def test_texts_made_to_be_slow_are_not(code):
    text = written(code)
    assert len(json.dumps(code)) - 2 < notebook.MAX_CODE
    start = time.process_time()
    children(text)
    assert time.process_time() - start < 4


TOKENS = [
    *("!", "!!", "%", "%%", "%%bash", "%%time", "%%writefile x.sh", "%pip ", "\n", "\n  ", " "),
    *("'", '"', "'''", '"""', "\\", "\\\n", "(", ")", "{", "}", "{a}", "{{", "$", "$$a", "?", "#"),
    *("srv", "=", "a", "é", "\r\n", ",", ";", ":", "\t", "😀"),
]
CODE = st.lists(st.sampled_from(TOKENS), max_size=30).map("".join)


@given(st.lists(CODE, max_size=3), st.booleans(), st.sampled_from(["python", "bash"]))
def test_no_code_fails(cells, as_list, language):
    sources = [cell.splitlines(keepends=True) if as_list else cell for cell in cells]
    text = written(*sources, language=language)
    for child in children(text):
        if child.language == "python":
            (cell,) = {child.owner.steps[1]}
            assert child.text.count("\n") == cells[cell].count("\n")
    never_fails("notebook", text)


@given(st.text('[]{}"\\,:aé1 \n', max_size=40), st.text('[]{}"\\,:aé1 \n', max_size=40))
def test_no_text_fails(before, after):
    never_fails("notebook", before)
    never_fails("notebook", f'{{"cells": [{before}]{after}')


PLAIN = st.text("abcXYZ019._/:@%+,é世😀", min_size=1, max_size=6)


@given(st.lists(PLAIN, min_size=1, max_size=5), st.booleans())
def test_plain_words_are_quoted_by_their_spans(words, ascii_only):
    text = written(["# é\n", f"!srv {' '.join(words)}"], ensure_ascii=ascii_only)
    (launch,) = launches_of("notebook", text)
    assert [word.text for word in launch.argv] == ["srv", *words]
    for word in launch.argv:
        assert json.loads(f'"{quoted(text, word.span)}"') == word.text
