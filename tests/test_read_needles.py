"""One search for many words finds just what a search for each finds."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import servelint_builtins
from servelint import read

WORDS = tuple(word.decode() for word in servelint_builtins.LANGUAGE_NEEDLES["python"])
ALL = tuple(word.decode() for word in servelint_builtins.NEEDLES)
PIECES = st.sampled_from((*WORDS, *ALL, '"', "'", "\n", " ", "x", "/", ", "))


@st.composite
def texts(draw):
    """Words, whole and cut, side by side."""
    found = ""
    for piece in draw(st.lists(PIECES, max_size=6)):
        cuts = st.integers(0, len(piece))
        start, end = sorted((draw(cuts), draw(cuts)))
        found += piece if draw(st.booleans()) else piece[start:end]
    return found


@given(texts())
def test_a_text_holds_a_word_or_none(text):
    for words in (WORDS, ALL):
        assert read._search(words).holds(text) == any(word in text for word in words)


@pytest.mark.parametrize("word", WORDS)
def test_every_word_is_found(word):
    assert read._search(WORDS).holds(f"a{word}b")
    assert not read._search((word,)).holds(word[:-1])
