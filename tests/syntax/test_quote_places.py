"""Where single quotes stand open in a shell text."""

from __future__ import annotations

import time

import pytest

from servelint.syntax.quote_places import MAX_HEREDOCS, in_single_quotes


def places(text):
    """The answers for each ``@@`` of a text."""
    holes = [(at, at + 2) for at in range(len(text)) if text.startswith("@@", at)]
    return in_single_quotes(text, holes)


@pytest.mark.parametrize(
    ("text", "quoted"),
    [
        ("a @@ '@@' @@", (False, True, False)),
        ("'a\n@@\nb' @@", (True, False)),
        ("\"it's @@\" '@@'", (False, True)),
        ("\\' @@ '\\' @@", (False, False)),
        ("# don't\n@@", (False,)),
        ("a#don't @@'", (True,)),
        ("x=$(y '@@') @@", (True, False)),
        ("'@@", (True,)),
        ("cat <<EOF\ndon't @@\nEOF\n'@@' @@", (False, True, False)),
        ("cat <<-'E O'\n'@@'", (True,)),
        ("cat <<'X'\ndon't\n\tX\n'@@'", (True,)),
        ("cat <<EOF | x 'y'\nit\nEOF\n'@@'", (True,)),
        ("cat <<EOF\n'@@'", (True,)),
        ("cat <<<EOF '@@'\nEOF\n@@", (True, False)),
        ("@@", (False,)),
        ("", ()),
    ],
)
def test_places(text, quoted):
    assert places(text) == quoted


def test_what_is_in_a_hole_does_not_count():
    assert in_single_quotes("{'} '{'}' {'}", [(0, 3), (5, 8), (10, 13)]) == (False, True, False)


@pytest.mark.parametrize(
    "text",
    [
        "'" * 100_000,
        '"' * 100_001,
        "\\" * 100_001,
        "<<a " * 50_000,
        "".join(f"<<a{number}\n" for number in range(20_000)),
        "<<a\na\n" * (MAX_HEREDOCS + 1),
        "#" * 100_000,
        "@@'" * 50_000,
    ],
)
def test_texts_made_to_be_slow_are_not(text):
    start = time.process_time()
    places(text)
    assert time.process_time() - start < 2
