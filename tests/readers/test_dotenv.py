"""Environment files."""

from __future__ import annotations

import pytest

from servelint.facts import Env, Image
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


def test_a_variable_that_names_an_image_is_one_of_no_command() -> None:
    text = "MY_IMAGE=reg/e:v1\nIMAGE=reg/e\nOTHER=reg/e:v2\nIMAGE_NAME='reg/e@sha256:ab'\n"
    images = list(read(Source(".env", text, "dotenv", Route(".env"))))
    assert all(isinstance(one, Image) for one in images)
    assert [text[one.span.start : one.span.end] for one in images] == [
        "reg/e:v1",
        "reg/e@sha256:ab",
    ]
    assert all(one.owner != Route(".env") for one in images)
