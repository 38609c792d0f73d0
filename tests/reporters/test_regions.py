"""Lines and columns of spans."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from servelint.reporters.lines import Files
from servelint.reporters.regions import Region, byte_column, region
from servelint.source import Span

texts = st.text(st.sampled_from("ab é😀\t\r\n"), max_size=30)


def read(text, spot):
    """What stands at a region: columns of its first and last line, and all lines between."""
    lines = text.split("\n")[spot.line - 1 : spot.end_line]
    lines[-1] = lines[-1][: spot.end_column - 1]
    lines[0] = lines[0][spot.column - 1 :]
    return "\n".join(lines)


@given(texts, st.integers(0, 30), st.integers(0, 30))
def test_what_stands_at_a_region_is_what_stands_at_the_span(text, one, other):
    start, end = sorted((min(one, len(text)), min(other, len(text))))
    spot = region(Span("a", start, end), Files({"a": text}))
    assert read(text, spot) == text[start:end].rstrip("\r\n")


@given(texts, st.integers(0, 30))
def test_bytes_before_a_column(text, offset):
    files = Files({"a": text})
    at = files.position("a", offset)
    held = text.encode().split(b"\n")[at.line - 1]
    column = byte_column("a", at.line, at.column, files)
    assert held[: column - 1].decode() == text.split("\n")[at.line - 1][: at.column - 1]


def test_a_file_that_is_not_held_has_no_regions():
    assert region(Span("a", 0, 1), Files({})) is None
    assert region(Span("a", 1, 1), Files({"a": "xy"})) == Region(1, 2, 1, 2)
