"""``servelint images``: what is listed, what is written down, and that the two fit."""

from __future__ import annotations

import io
import json
import os
import tomllib

import pytest
from trees import fill, git, servelint

from servelint.cli import main
from servelint.config import ConfigError
from servelint.statement_edit import HEAD, shown_package, with_entries

MAP = "servelint-images.toml"
RUN = "python3 -m sglang.launch_server --disaggregation-mode decode"
TREE = {
    "moving.sh": f"docker run lmsysorg/sglang:latest {RUN}\ndocker run busybox ls\n",
    "old.sh": f"docker run lmsysorg/sglang:v0.5.9 {RUN}\n",
    "new.sh": f"docker run lmsysorg/sglang:v0.5.22 {RUN}\n",
    "own.sh": f"docker run site.example/serve:42 {RUN}\n",
    "bare.sh": f"{RUN}\n",
}
OURS = ("--package", "sglang")
SHOWN = "Name: sglang\nVersion: 0.5.22\nSummary: serves\n"


@pytest.fixture
def root(tmp_path, monkeypatch):
    fill(tmp_path, TREE)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def run(root, capsys, monkeypatch):
    """Run a command in the root: exit code, output, errors."""

    def call(*words, pasted=None):
        monkeypatch.setattr("sys.stdin", io.StringIO(pasted) if pasted is not None else None)
        assert os.getcwd() == str(root)
        code = main([*words])
        said = capsys.readouterr()
        return code, said.out, said.err

    return call


def listed(run, *words):
    code, out, _ = run("images", "--format", "json", *words)
    assert code == 0
    return json.loads(out)


def entries(root):
    return tomllib.loads((root / MAP).read_text())["image"]


def test_every_image_is_listed_with_what_it_holds(run):
    document = listed(run)
    assert {one["reference"]: one["status"] for one in document["images"]} == {
        "lmsysorg/sglang:latest": "under_investigation",
        "lmsysorg/sglang:v0.5.22": "fixed",
        "lmsysorg/sglang:v0.5.9": "affected",
        "site.example/serve:42": "under_investigation",
    }
    by_name = {one["reference"]: one for one in document["images"]}
    assert by_name["lmsysorg/sglang:v0.5.9"]["causes"][:2] == ["SGL-2026-0001", "SGL-2026-0002"]
    assert by_name["lmsysorg/sglang:v0.5.9"]["version"] == "0.5.9"
    assert by_name["lmsysorg/sglang:latest"]["version"] == {"unknown": "mutable-tag"}
    assert by_name["lmsysorg/sglang:latest"]["places"] == [
        {"path": "moving.sh", "line": 1, "column": 12}
    ]
    assert document["others"] == 1
    assert [one["path"] for one in document["nameless"]] == ["bare.sh"]


def test_the_text_says_what_would_settle_it(run):
    code, out, _ = run("images")
    assert code == 0
    assert "lmsysorg/sglang:v0.5.9: affected when disaggregated\n  at old.sh:1:12\n" in out
    assert "to settle it: servelint images resolve --write lmsysorg/sglang:latest\n" in out
    assert "or: an entry of [[tool.servelint.version]] with paths = ['bare.sh']" in out
    assert out.endswith(
        "4 images (1 affected when disaggregated, 2 cannot tell, 1 fixed); 1 server without an "
        "image or a pin; 1 image of other products\n"
    )


def test_names_filter_what_is_listed(run):
    document = listed(run, "old.sh")
    assert [one["reference"] for one in document["images"]] == ["lmsysorg/sglang:v0.5.9"]
    assert document["nameless"] == []


def test_a_command_to_paste_keeps_what_was_scanned_in_one_word(root, run):
    fill(root, {"odd.sh": f"docker run 'lmsysorg/sglang:$(id)' {RUN}\n"})
    (one,) = listed(run, "odd.sh")["images"]
    assert all("'lmsysorg/sglang:$(id)'" in command for command in one["settle"])


def test_for_an_unpacked_image_no_registry_is_asked(root, run):
    line = "srun --container-image=/images/engine.sqsh python3 -m sglang.launch_server"
    fill(root, {"job.slurm": f"{line} --disaggregation-mode prefill\n"})
    (one,) = listed(run, "job.slurm")["images"]
    (command,) = one["settle"]
    assert command == "servelint images add /images/engine.sqsh --package sglang --version VERSION"
    words = command.removeprefix("servelint ").replace("VERSION", "0.5.8").split()
    assert run(*words)[0] == 0
    (one,) = listed(run, "job.slurm")["images"]
    assert (one["version"], one["status"]) == ("0.5.8", "affected")


def test_what_a_reader_is_to_fill_in_is_looked_up_nowhere(root, run):
    fill(root, {"guide.sh": f"docker run '<your-registry>/sglang:latest' {RUN}\n"})
    (one,) = listed(run, "guide.sh")["images"]
    assert one["version"] == {"unknown": "unset-variable"}
    assert one["settle"] == ["say in [[tool.servelint.version]] what is launched there"]
    assert one["detail"] == "find out which version <your-registry>/sglang:latest holds"


@pytest.mark.parametrize("name", ["<your-registry>/sglang:latest", "/images/sglang.sqsh"])
def test_only_what_a_registry_may_have_is_resolved(root, run, name):
    fill(root, dict.fromkeys(TREE, ""))
    fill(root, {"job.slurm": f"srun --container-image='{name}' {RUN}\n"})
    assert [one["reference"] for one in listed(run)["images"]] == [name]
    code, out, _ = run("images", "resolve")
    assert (code, name in out) == (0, False)


def test_the_image_of_a_router_is_one_of_other_products(root, run):
    router = "python3 -m sglang_router.launch_router --pd-disaggregation"
    fill(root, {"router.sh": f"docker run site.example/gateway:7 {router}\n"})
    document = listed(run, "router.sh")
    assert (document["images"], document["others"]) == ([], 1)


# -- add ----------------------------------------------------------------------


def test_what_is_written_down_is_used(root, run):
    code, out, _ = run("images", "add", "site.example/serve:42", "--by", "Ann", pasted=SHOWN)
    assert (code, out) == (0, f"{MAP}: site.example/serve:42: sglang 0.5.22\n")
    (one,) = entries(root)
    assert one | {"date": ""} == {
        "reference": "site.example/serve:42",
        "package": "sglang",
        "version": "0.5.22",
        "evidence": "pip show",
        "by": "Ann",
        "date": "",
    }
    by_name = {one["reference"]: one for one in listed(run)["images"]}
    assert by_name["site.example/serve:42"]["status"] == "fixed"
    assert by_name["site.example/serve:42"]["via"] == "user-map"


def test_a_tag_that_moves_gets_a_last_day(root, run):
    code, out, _ = run("images", "add", "lmsysorg/sglang:latest", "--version", "0.5.22")
    assert code == 0
    assert "since the tag can move" in out
    assert entries(root)[0]["until"] > entries(root)[0]["date"]
    digest = "sha256:" + "1" * 64
    args = ("lmsysorg/sglang:dev", "--version", "0.5.22", "--digest", digest)
    assert run("images", "add", *args)[0] == 0
    assert "until" not in entries(root)[1]


def test_an_entry_is_written_anew_and_comments_stay(root, run):
    run(
        "images",
        "add",
        "a/b:1",
        "--package",
        "sglang",
        "--version",
        "0.5.9",
        "--by",
        "Ann",
        "--evidence",
        "looked",
    )
    text = (root / MAP).read_text().replace('"0.5.9"', '"0.5.9"  # old')
    (root / MAP).write_text(f"{text}\n# the end\n")
    run("images", "add", "a/b:2", *OURS, "--version", "0.5.10")
    waive = ("--waive", "SGL-2026-0001", "--reason", "patched")
    run("images", "add", "a/b:1", *OURS, "--version", "0.5.22", *waive)
    text = (root / MAP).read_text()
    assert "# old" in text
    assert "# the end" in text
    assert text.startswith(HEAD)
    first, second = entries(root)
    assert (first["version"], first["waives"], second["version"]) == (
        "0.5.22",
        ["SGL-2026-0001"],
        "0.5.10",
    )
    assert first["evidence"] == "pip show"


def test_who_looked_is_who_commits(root, run):
    git(root, "init", "-q")
    git(root, "config", "user.name", "Ada L")
    run("images", "add", "a/b:1", *OURS, "--version", "0.5.9")
    assert entries(root)[0]["by"] == "Ada L"


@pytest.mark.parametrize(
    ("words", "pasted", "said"),
    [
        (("a/b:1",), None, "--version is missing, and no `pip show` is piped in"),
        (
            ("a/b:1",),
            "WARNING: Package(s) not found: sglang\n",
            "expected the output of `pip show`",
        ),
        (("a/b:1",), "Name: torch\nVersion: 2\n", "package 'torch': expected one of sglang, vllm"),
        (
            ("a/b:1", *OURS, "--version", "new"),
            None,
            "version: 'new' is no version (PEP 440)",
        ),
        (
            ("a b", *OURS, "--version", "1.0"),
            None,
            "reference: 'a b'; expected an image",
        ),
        (("a/b:1", "--version", "1.0"), None, "a/b:1: say with --package what the version is of"),
        (
            ("a/b:1", *OURS, "--version", "1.0", "--until", "soon"),
            None,
            "until: expected a day",
        ),
        (
            ("a/b:1", *OURS, "--version", "1.0", "--digest", "x"),
            None,
            "digest: 'x'; expected sha256:",
        ),
        (
            ("a/b:1", *OURS, "--version", "1.0", "--waive", "X-1"),
            None,
            "waives wants a reason",
        ),
    ],
)
def test_what_cannot_be_written_down_is_told(root, run, words, pasted, said):
    code, out, err = run("images", "add", *words, pasted=pasted)
    assert (code, out) == (2, "")
    assert said in err
    assert not (root / MAP).exists()


def test_a_map_that_is_not_right_stays_as_it_is(root, run):
    (root / MAP).write_text("[[image]]\nreference = 1\n")
    code, _, err = run("images", "add", "a/b:1", *OURS, "--version", "0.5.9")
    assert code == 2
    assert f"{MAP}:2: reference: expected a text" in err or "package is missing" in err
    assert (root / MAP).read_text() == "[[image]]\nreference = 1\n"


def test_the_output_of_pip_is_read_up_to_the_next_package():
    text = "Name: SGLang\nVersion: 0.5.9.post1\n---\nName: other\nVersion: 2\n"
    assert shown_package(text) == ("sglang", "0.5.9.post1")
    with pytest.raises(ConfigError):
        shown_package("")


def test_an_empty_array_is_told():
    with pytest.raises(ConfigError, match="expected \\[\\[image\\]\\] tables"):
        with_entries("image = []\n", ({"reference": "a"},))


def test_naming_the_map_filters_nothing(root):
    run = servelint(
        "images",
        "add",
        "site.example/serve:42",
        "--package",
        "sglang",
        "--version",
        "0.5.9",
        cwd=root,
    )
    assert run.code == 0
    assert servelint(MAP, cwd=root).out.count("site.example/serve:42") > 0
    assert "SGL-2026-0001" in servelint(MAP, cwd=root).out


def test_a_waived_id_that_nothing_has_is_told(run):
    run(
        "images",
        "add",
        "a/b:1",
        "--package",
        "sglang",
        "--version",
        "0.5.9",
        "--waive",
        "SGL-1",
        "--reason",
        "x",
    )
    code, _, err = run("check")
    assert code == 2
    assert f"{MAP}: waives: unknown id 'SGL-1'" in err
