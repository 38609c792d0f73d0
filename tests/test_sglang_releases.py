"""What a release makes of a word of its command line."""

from __future__ import annotations

import pytest

from servelint_sglang.releases import Life, life_of, next_release, read_option, spellings


@pytest.mark.parametrize(
    ("written", "release", "names"),
    [
        ("--tp-size", "0.5.22", ("--tp-size",)),
        ("--tp", "0.5.22", ("--tp-size",)),
        ("--mem-frac", "0.4.0", ("--mem-fraction-static",)),
        ("--nsa-decode-backend", "0.5.19", ("--nsa-decode-backend",)),
        ("--nsa-decode-backend", "0.5.20", ()),
        (
            "--cuda-graph-max-bs",
            "0.5.20",
            ("--cuda-graph-max-bs-decode", "--cuda-graph-max-bs-prefill"),
        ),
        ("--disaggregation-mode", "0.4.4.post1", ()),
        ("--disaggregation-mode", "0.4.4.post3", ("--disaggregation-mode",)),
        ("--zzz", "0.5.22", ()),
    ],
)
def test_a_word_is_an_option_or_the_beginning_of_one(written, release, names):
    assert read_option(written, release).names == names


def test_a_release_that_is_none_is_refused():
    with pytest.raises(KeyError):
        read_option("--tp", "0.5.99")


def test_every_spelling_is_itself_in_its_releases():
    for release in ("0.4.0", "0.5.9", "0.5.22"):
        for name in spellings(release):
            assert read_option(name, release).is_known


def test_how_long_a_spelling_lived():
    assert life_of("--stream-output").last == "0.5.19"
    assert life_of("--disaggregation-enable-kv-checksum") == Life("0.5.21", "")
    assert life_of("--zzz") is None
    assert (next_release("0.5.19"), next_release("0.5.23")) == ("0.5.20", "")
