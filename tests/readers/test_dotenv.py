"""Environment files."""

from __future__ import annotations

import pytest

from servelint.facts import Env
from servelint.readers.dotenv import read
from servelint.source import Route, Source


def variables(text: str) -> list[tuple[str, str, str]]:
    found = list(read(Source(".env", text, "dotenv", Route("compose.yaml"))))
    assert all(isinstance(env, Env) and env.owner == Route("compose.yaml") for env in found)
    return [
        (env.name, env.value.written, text[env.value.span.start : env.value.span.end])
        for env in found
    ]


@pytest.mark.parametrize(
    ("line", "name", "value"),
    [
        ("A=b", "A", "b"),
        ("  export A = b c  ", "A", "b c"),
        ('A="b # c" # d', "A", "b # c"),
        ("A='b'", "A", "b"),
        ("A=b#c # d", "A", "b#c"),
        ("A=", "A", ""),
        ("A=v${B:-1}", "A", "v${B:-1}"),
        ("A=b\r", "A", "b"),
    ],
)
def test_a_line_is_a_variable(line: str, name: str, value: str) -> None:
    text = f"# A=no\n{line}\nno line\n1=2\n"
    assert variables(text) == [(name, value, value)]
