"""The reporters of ``startup-log``."""

from __future__ import annotations

import json

from servelint.pools import Hold, Judgement, Rank, Sign
from servelint.reporters.startup import as_json, report

SMALL = Rank(
    file="p.log",
    line=2,
    server="prefill-1",
    role="prefill",
    tags="DP0 TP0",
    pool=284_928,
    context=1_048_576,
    least=284_928,
    most=284_928,
    fits="no",
    why=("763,648 tokens short",),
    assumed="--dcp-size is 1",
)
WHOLE = Rank(
    file="d.log",
    line=14,
    role="decode",
    pool=2_097_152,
    context=1_048_576,
    least=2_097_152,
    most=0,
    fits="yes",
    version="0.5.22",
)
SIGN = Sign(
    id="rejected-length",
    file="p.log",
    server="prefill-1",
    role="prefill",
    line=9,
    count=1200,
    text="requests were refused",
    is_bad=True,
)
JUDGEMENT = Judgement(
    path="open",
    sentences=("One sentence of a judgement that is so long that it does not fit on one line.",),
    notes=("a note",),
    signs=(SIGN,),
    holds=(Hold(file="d.prom", drained=3, timeout=1),),
    fails=True,
)
PAGE = """\
role     rank          pool    context  fits  version  where
prefill  DP0 TP0    284,928  1,048,576  no    -        p.log:2 (prefill-1)  763,648 tokens short; \
if --dcp-size is 1
decode   -        2,097,152  1,048,576  yes   0.5.22   d.log:14

p.log:9 (prefill-1) prefill: 1,200 x rejected-length:
  requests were refused
d.prom: 1 of 4 holds of pages (25.0 %) ended by the
  timeout, 3 when prefill had confirmed, 0 by errors

a length that prefill refuses and decode takes: open
  One sentence of a judgement that is so long that it does
  not fit on one line.

note: a note
"""


def test_the_text_is_a_table_and_sentences():
    assert report((SMALL, WHOLE), JUDGEMENT, 60) == PAGE


def test_nothing_read_is_said():
    empty = Judgement(path="cannot-tell", sentences=())
    assert report((), empty) == (
        "no startup line and no gauge of a pool was read\n\n"
        "a length that prefill refuses and decode takes: cannot tell\n"
    )


def test_very_many_ranks_are_cut_in_the_text_only():
    rows = (SMALL,) * 203
    assert "and 3 ranks more" in report(rows, JUDGEMENT)
    assert len(json.loads(as_json(rows, JUDGEMENT))["ranks"]) == 203


def test_what_a_terminal_acts_on_is_escaped():
    odd = Rank(file="\x1b[31ma\nb", line=1, pool=5, least=5, most=5, fits="may")
    text = report((odd,), JUDGEMENT)
    assert "\x1b" not in text
    assert "\\x1b[31ma b:1" in text


def test_the_json_has_no_null_and_all_numbers():
    text = as_json((SMALL, WHOLE), JUDGEMENT)
    assert "null" not in text
    told = json.loads(text)
    assert told["schema"] == "servelint-startup/1"
    assert (told["length_path"], told["fails"]) == ("open", True)
    small, whole = told["ranks"]
    assert (small["pool"], small["context"], small["assumed"]) == (
        284_928,
        1_048_576,
        "--dcp-size is 1",
    )
    assert "most" not in whole  # nothing bounds it
    assert told["signs"][0]["count"] == 1200
    assert told["holds"] == [
        {"file": "d.prom", "drained": 3, "timeout": 1, "error": 0, "timeout_share": 0.25}
    ]
