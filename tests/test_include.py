"""Scripts that take in other scripts."""

from __future__ import annotations

from pathlib import Path

import pytest

from servelint.discover import Discovery
from servelint.facts import Image, Launch
from servelint.gather import gather
from servelint.source import Route, Source

COMMON = 'IMAGE=${IMAGE:-reg/e:v1}\nserve() { srv --half "$1"; }\n'
FILES = {
    "a/run.sh": '#!/bin/sh\n. "$(dirname "$0")/lib/common.sh"\nserve one\ndocker run $IMAGE srv\n',
    "a/lib/common.sh": COMMON,
}


def gathered(root: Path, files: dict[str, str], *paths: str):
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    return gather(str(root), Discovery(paths or tuple(files), len(files), ()))


def test_variables_and_functions_of_the_other_file_hold(tmp_path: Path) -> None:
    found = gathered(tmp_path, FILES, "a/run.sh")
    (image,) = [fact for fact in found.facts if isinstance(fact, Image)]
    first, second = [fact for fact in found.facts if isinstance(fact, Launch)]
    assert image.reference.text == "reg/e:v1"
    assert [word.text for word in first.argv] == ["srv", "--half", "one"]
    assert [word.text for word in second.argv] == ["srv"]


def test_every_place_is_in_its_own_file(tmp_path: Path) -> None:
    found = gathered(tmp_path, FILES, "a/run.sh")
    (image,) = [fact for fact in found.facts if isinstance(fact, Image)]
    launch = next(fact for fact in found.facts if isinstance(fact, Launch))
    spans = (image.span, image.reference.trail[-1], launch.span)
    quotes = [(span.path, found.texts[span.path][span.start : span.end]) for span in spans]
    assert quotes == [
        ("a/run.sh", "$IMAGE"),
        ("a/lib/common.sh", "reg/e:v1"),
        ("a/lib/common.sh", 'srv --half "$1"'),
    ]


def test_what_is_reached_with_values_is_not_told_without_them(tmp_path: Path) -> None:
    found = gathered(tmp_path, FILES)
    argvs = [[w.text for w in fact.argv] for fact in found.facts if isinstance(fact, Launch)]
    assert argvs == [["srv", "--half", "one"], ["srv"]]


@pytest.mark.parametrize(
    ("target", "is_found"),
    [("./lib/common.sh", True), ("a/lib/common.sh", True), ("../up.sh", False), ("no.sh", False)],
)
def test_a_file_is_looked_for_beside_the_script_and_from_the_root(
    tmp_path: Path, target: str, *, is_found: bool
) -> None:
    files = {**FILES, "a/run.sh": f"source {target}\nsrv $IMAGE\n"}
    found = gathered(tmp_path, files, "a/run.sh")
    *_, launch = (fact for fact in found.facts if isinstance(fact, Launch))
    assert (launch.argv[1].text == "reg/e:v1") is is_found


def test_files_that_take_in_each_other_end(tmp_path: Path) -> None:
    files = {"a.sh": ". ./b.sh\nsrv a\n", "b.sh": ". ./a.sh\nsrv b\n"}
    found = gathered(tmp_path, files)
    argvs = {fact.argv[1].text for fact in found.facts if isinstance(fact, Launch)}
    assert argvs == {"a", "b"}
    assert not found.skips


def test_a_source_with_others_in_it_maps_every_character() -> None:
    outer = Source("a", "one [x] two [y] three", "shell", Route("a"))
    inner = Source("b", "B1 <z> B2", "shell", Route("a"))
    deep = Source("c", "CC", "shell", Route("a"))
    whole = outer.including([(4, 7, inner.including([(3, 6, deep)])), (12, 15, deep)])
    texts = {"a": outer.text, "b": inner.text, "c": deep.text}
    for word in ("one", "B1", "CC", "B2", "two", "three"):
        at = whole.text.index(word)
        span = whole.span(at, at + len(word))
        assert texts[span.path][span.start : span.end] == word
    child = whole.slice(whole.text.index("B2"), whole.text.index("two"), "text")
    assert child.span(0, 2) == inner.span(7, 9)


def test_a_file_is_looked_for_in_the_directories_above(tmp_path: Path) -> None:
    files = {
        "p/lib/common.sh": "IMAGE=reg/e:v1\n",
        "p/bin/run.sh": 'B=$(cd "$(dirname "$0")/.." && pwd)\n. $B/lib/common.sh\nsrv $IMAGE\n',
    }
    found = gathered(tmp_path, files, "p/bin/run.sh")
    *_, launch = (fact for fact in found.facts if isinstance(fact, Launch))
    assert launch.argv[1].text == "reg/e:v1"
