"""What cannot be read is named and left out; what stands beside it is judged all the same."""

from __future__ import annotations

import json
import os

import pytest
from trees import POD, clean_environment, fill, git, servelint

from servelint import pipeline
from servelint.config import Config
from servelint.finding import SKIP_REASONS, STAGES

MEGABYTE = 1 << 20
GOOD = {"good.yaml": POD}
FOUND = ["good.yaml:3:12"]

BAD = {
    "broken.yaml": ("image: [sglang\nb: }", "read", "syntax"),
    "binary.yaml": (b"image: sglang\n\0\1\2", "discover", "binary"),
    "latin.yaml": (b"# sglang f\xfcr alle\n", "discover", "encoding"),
    "deep.yaml": ("sglang: " + "[" * 100_000, "read", "too-deep"),
    "steps.yaml": ("- " * 100_000 + "sglang", "read", "too-deep"),
    "pyproject.toml": ("sglang = = 1\n", "read", "syntax"),
    "uv.lock": ("<<<<<<< sglang\n", "read", "syntax"),
}
LEFT_OUT = {path: (stage, reason) for path, (_, stage, reason) in BAD.items()}
SPECIAL = {
    "huge.yaml": ("discover", "too-large"),
    "loop.yaml": ("discover", "unreadable"),
    "dangling.yaml": ("discover", "unreadable"),
    "outside.yaml": ("discover", "outside-root"),
    "run.sh": ("discover", "unreadable"),
}
SILENT = {
    "LICENSE": "sglang",
    "tool": b"\x7fELF\0 sglang",
    "photo.png": b"\x89PNG sglang",
    "notes.unknown": "sglang",
    "fine.yaml": "a: 1",
}


@pytest.fixture(params=["git", "plain"])
def tree(request, tmp_path):
    """Everything bad at once; the one good file stands last in every order but the alphabet's."""
    root = tmp_path / "tree"
    fill(tmp_path, {"elsewhere.yaml": POD})
    fill(root, {path: text for path, (text, _, _) in BAD.items()} | GOOD | SILENT)
    fill(root, {"run.sh": "sglang"})
    with open(root / "huge.yaml", "wb") as file:  # with holes: 50 MB are not written
        file.seek(2 * MEGABYTE)
        file.write(b"sglang")
        file.truncate(50 * MEGABYTE)
    os.symlink("loop.yaml", root / "loop.yaml")
    os.symlink("gone.yaml", root / "dangling.yaml")
    os.symlink("../elsewhere.yaml", root / "outside.yaml")
    if request.param == "git":
        git(root, "init", "-q")
        git(root, "add", "run.sh")  # git lists no pipe unless it was a file
    os.unlink(root / "run.sh")
    os.mkfifo(root / "run.sh")
    return root


def report_of(root, *words):
    done = servelint("--format", "json", *words, cwd=root)
    assert done.err == ""
    return done.code, json.loads(done.out)


def found_in(report):
    places = (found["primary"] for found in report["findings"])
    return [f"{at['path']}:{at['start']['line']}:{at['start']['column']}" for at in places]


def left_out_of(report):
    return {skip["path"]: (skip["stage"], skip["reason"]) for skip in report["skips"]}


def test_each_bad_file_is_a_skip_and_the_good_one_is_judged(tree):
    code, report = report_of(tree)
    assert code == 1
    assert found_in(report) == FOUND
    assert left_out_of(report) == LEFT_OUT | SPECIAL
    assert len(report["skips"]) == report["summary"]["skipped"] == len(LEFT_OUT | SPECIAL)
    for skip in report["skips"]:
        assert skip["stage"] in STAGES
        assert skip["reason"] in SKIP_REASONS
        assert skip["detail"]


def test_in_text_each_skip_is_a_line(tree):
    done = servelint(cwd=tree)
    assert (done.code, done.err) == (1, "")
    lines = [line for line in done.out.splitlines() if ": skipped (" in line]
    told = {line.split(":")[0]: line.split("(")[1].split(")")[0] for line in lines}
    assert told == {path: reason for path, (_, reason) in (LEFT_OUT | SPECIAL).items()}
    assert done.out.splitlines()[-1].startswith("1 finding (1 critical) in ")


def test_bad_files_alone_fail_a_strict_run_only(tree):
    os.unlink(tree / "good.yaml")
    assert report_of(tree)[0] == 0
    code, report = report_of(tree, "--strict")
    assert (code, report["findings"]) == (1, [])


def test_names_filter_skips(tree):
    for path, (stage, reason) in (LEFT_OUT | SPECIAL).items():
        if path not in ("huge.yaml", "deep.yaml", "steps.yaml"):  # they take their time
            code, report = report_of(tree, path)
            assert code == 0
            assert left_out_of(report) == {path: (stage, reason)}
    for path in SILENT:
        assert servelint(path, cwd=tree).out == ""


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
@pytest.mark.parametrize("in_git", [True, False])
def test_what_may_not_be_read_is_a_skip(tmp_path, *, in_git):
    fill(tmp_path, GOOD | {"locked.yaml": "sglang", "sub/a.yaml": "sglang"})
    if in_git:
        git(tmp_path, "init", "-q")
    os.chmod(tmp_path / "locked.yaml", 0)
    os.chmod(tmp_path / "sub", 0)
    code, report = report_of(tmp_path)
    os.chmod(tmp_path / "sub", 0o700)
    assert (code, found_in(report)) == (1, FOUND)
    unreadable = ("discover", "unreadable")
    assert left_out_of(report) == {"locked.yaml": unreadable, "sub": unreadable}


@pytest.mark.parametrize("in_git", [True, False])
def test_a_file_that_vanishes_before_it_is_read_is_a_skip(tmp_path, monkeypatch, *, in_git):
    fill(tmp_path, GOOD | {"fleeting.yaml": POD})
    if in_git:
        git(tmp_path, "init", "-q")
    find = pipeline.discover

    def discover_then_lose(*given):
        found = find(*given)
        os.unlink(tmp_path / "fleeting.yaml")
        return found

    monkeypatch.setattr(pipeline, "discover", discover_then_lose)
    monkeypatch.setattr(os, "environ", clean_environment())
    report = pipeline.run(Config(str(tmp_path)))
    assert [found.primary.span.path for found in report.findings] == ["good.yaml"]
    (skip,) = report.skips
    assert (skip.path, skip.stage, skip.reason) == ("fleeting.yaml", "discover", "unreadable")
    assert skip.detail == "No such file or directory"
    assert report.counts["relevant"] == 1


# -- what is used by another file ---------------------------------------------


def test_files_that_are_used_are_looked_at_as_carefully(tmp_path):
    root = tmp_path / "tree"
    uses = ["gone.txt", "pipe.txt", "link.txt", "sub/base.txt", "binary.txt", "."]
    lines = [f"-r {name}\n" for name in uses]
    fill(tmp_path, {"secret/base.txt": "sglang==0.5.9\n"})
    fill(root, GOOD | {"requirements.txt": "".join(lines) + "sglang\n", "binary.txt": b"\0"})
    os.mkfifo(root / "pipe.txt")
    os.symlink("../secret/base.txt", root / "link.txt")
    os.symlink("../secret", root / "sub")
    code, report = report_of(root)
    assert (code, found_in(report)) == (1, FOUND)
    assert left_out_of(report) == {
        "gone.txt": ("discover", "unreadable"),
        "pipe.txt": ("discover", "unreadable"),
        "link.txt": ("discover", "outside-root"),
        "sub/base.txt": ("discover", "outside-root"),
        "binary.txt": ("discover", "binary"),
        ".": ("discover", "unreadable"),
    }


def test_a_chain_of_files_ends(tmp_path):
    chain = {f"r{number}.txt": f"-r r{number + 1}.txt\n" for number in range(30)}
    fill(tmp_path, GOOD | chain | {"requirements.txt": "-r r0.txt\n-r requirements.txt\nsglang\n"})
    code, report = report_of(tmp_path)
    assert (code, found_in(report)) == (1, FOUND)
    ((path, why),) = left_out_of(report).items()
    assert why == ("bind", "too-deep")
    assert path in chain


# -- no text breaks a reader --------------------------------------------------

DEEP = 100_000
TEXTS = {
    "yaml": [
        "{" * DEEP,
        "? " * DEEP,
        "&a [*a]",
        "a: &a [x, x]\n" + "".join(f"b{n}: &b{n} [*a, *a]\n" for n in range(5000)),
        "a: !!python/object/apply:os.system [touch sprung]",
        "---\n" * 50_000,
        "a:\tb\n\t- c",
        "\ufeff\ufeffa: 1",
        "a: |\n" + " " * 3000 + "x",
        "a: " + "'" * 99_999,
        "command: " + "$(" * DEEP,
    ],
    "sh": [
        "$(" * DEEP,
        "`" * (DEEP + 1),
        "((" * DEEP,
        "${a:-" * DEEP,
        "cat <<A" * 10_000,
        "\\\n" * DEEP,
        "{a,b}" * 5000,
        "{1..99999999}",
        "x" * 9000 + "\0" * DEEP,
        "'" * (DEEP + 1),
        "if " * DEEP,
        "f() { f; }; f",
        "A=$A$A; " * 10_000 + "python3 -m sglang.launch_server $A",
    ],
    "txt": [
        "(" * DEEP,
        "sglang==" + "9" * DEEP,
        "sglang; " + "(" * DEEP,
        "sglang[" + "a," * DEEP,
        "\\\n" * DEEP,
        "-r " + "../" * 1000 + "etc/passwd",
        "-r a\0b",
        "-r " + "x" * 5000,
        "-r " + "./" * 5000 + "requirements.txt",
    ],
    "lock": [
        "a = " + "[" * DEEP,
        "[" + "a." * 50_000 + "b]",
        "a = " + "1" * 5000,
        "[[package]]\nname = 'sglang'\nversion = 3",
        "[[package]]\nname = ['sglang']",
        "package = 'sglang'",
        "a = 2020-99-99",
    ],
}
NAMES = {
    "yaml": ("a.yaml",),
    "sh": ("a.sh", "Makefile"),
    "txt": ("requirements.txt",),
    "lock": ("uv.lock", "poetry.lock", "pdm.lock", "pylock.toml", "pyproject.toml"),
}
CASES = [(name, text) for kind, names in NAMES.items() for name in names for text in TEXTS[kind]]


def test_no_text_breaks_a_reader(tmp_path):
    fill(tmp_path, {f"{at}/{name}": f"# sglang\n{text}" for at, (name, text) in enumerate(CASES)})
    fill(tmp_path, GOOD)
    code, report = report_of(tmp_path)
    assert code == 1
    assert FOUND[0] in found_in(report)
    failed = [skip for skip in report["skips"] if skip["reason"] == "plugin-error"]
    assert not failed
    assert not (tmp_path / "sprung").exists()
