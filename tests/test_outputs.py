"""Several reports of one run: on the standard output, in files, and for the runner of a job."""

from __future__ import annotations

import json
import os
import stat
import subprocess
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from made_reports import commands, finding, report
from trees import POD, clean_environment, command, fill, git, servelint

from servelint.arguments import REPORTS
from servelint.cli.outputs import outputs, written
from servelint.config import Config
from servelint.reporters import Options
from servelint.reporters.text import report as as_text

MOVING = POD.replace("v0.5.9", "latest")
BAD_NAME = "::error::x ##[add-path]\n::add-mask::y.yaml"


pytestmark = pytest.mark.usefixtures("git_as_it_comes")


@pytest.fixture
def in_job(monkeypatch):
    monkeypatch.setenv("GITHUB_ACTIONS", "true")


@pytest.fixture
def tree(tmp_path, monkeypatch):
    """A repository with a finding that is affected, one that cannot be told, and a skip."""
    root = tmp_path / "tree"
    fill(root, {"a.yaml": POD, "b.yaml": MOVING, "bad.yaml": "command: [sglang\n"})
    git(root, "init", "-q")
    monkeypatch.chdir(root)
    return root


OUT = Path("../out")


# -- formats and files ---------------------------------------------------------


@pytest.mark.usefixtures("tree")
@pytest.mark.parametrize("name", REPORTS)
def test_a_file_holds_what_would_be_printed(run, name):
    code, out, err = run("--format", name)
    assert (code, err) == (1, "")
    assert "SGL-2026-0001" in out
    assert run("--format", f"{name}={OUT}") == (1, "", "")
    held = OUT.read_bytes().decode()
    if name == "json":
        out, held = (text.partition('"seconds"')[0] for text in (out, held))
    if name == "junit":
        out, held = (text.partition("</testsuite>")[2] for text in (out, held))
    assert held == out


@pytest.mark.usefixtures("tree")
def test_several_reports_of_one_run(run):
    names = ("sarif", "json", "junit")
    words = [word for name in names for word in ("--format", f"{name}={OUT}.{name}")]
    assert run(*words, "--format", "text") == run()
    assert json.loads(Path(f"{OUT}.sarif").read_text())["version"] == "2.1.0"
    assert json.loads(Path(f"{OUT}.json").read_text())["schema"] == "servelint/1"
    assert ET.parse(f"{OUT}.junit").getroot().tag == "testsuites"
    code, out, _ = run("--format", f"json={OUT}.again", "--format", "gitlab=-")
    assert code == 1
    assert len(json.loads(out)) == 3


@pytest.mark.usefixtures("tree")
@pytest.mark.parametrize("words", [[], ["--fail-on", "never"], ["--ignore", "unknown-version"]])
def test_the_exit_code_is_that_of_the_text(run, words):
    codes = {run("--format", name, *words)[0] for name in REPORTS}
    assert codes == {run(*words)[0]}


def test_fingerprints_are_the_same_in_all_formats(tree, run):
    fill(tree, {"c.yaml": POD.replace("v0.5.9", "v0.5.10")})
    documents = {name: run("--format", name)[1] for name in ("json", "sarif", "gitlab", "junit")}
    whole = json.loads(documents["json"])
    expected = [found["fingerprint"] for found in whole["findings"]]
    assert len(set(expected)) == 3
    (sarif,) = json.loads(documents["sarif"])["runs"]
    assert [one["partialFingerprints"]["servelint/v1"] for one in sarif["results"]] == expected
    issues = json.loads(documents["gitlab"])
    assert [one["fingerprint"] for one in issues[: len(expected)]] == expected
    held = [one.get("value") for one in ET.fromstring(documents["junit"]).iter("property")]
    assert set(expected) < set(held)


def test_code_hosts_get_paths_from_the_top_of_the_repository(tree, run):
    fill(tree, {"deploy/x/d.yaml": POD})
    out = run("--root", "deploy/x", "--format", "github", "--fail-on", "never")[1]
    assert [place["file"] for _, place, _ in commands(out)] == ["deploy/x/d.yaml"]
    out = run("--root", "deploy/x", "--format", "sarif")[1]
    assert '"uri": "deploy/x/d.yaml"' in out
    assert "\nd.yaml:" in f"\n{run('--root', 'deploy/x')[1]}"


@pytest.mark.usefixtures("tree")
def test_rules_of_sarif_carry_their_pages(run):
    (one,) = json.loads(run("--format", "sarif")[1])["runs"]
    rules = {rule["id"]: rule for rule in one["tool"]["driver"]["rules"]}
    assert set(rules) == {"SGL-2026-0001", "unknown-version"}
    assert rules["SGL-2026-0001"]["help"]["markdown"] == run("explain", "SGL-2026-0001")[1]
    assert rules["SGL-2026-0001"]["helpUri"].startswith("https://")
    assert rules["SGL-2026-0001"]["properties"]["tags"][:2] == ["security", "advisory"]
    text = rules["SGL-2026-0001"]["fullDescription"]["text"]
    assert text[0] not in "#|"
    assert len(text) > 100


@pytest.mark.usefixtures("tree")
@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["json", "text"], "--format: json and text cannot share the standard output"),
        (["json", "sarif=-"], "--format: json and sarif cannot share the standard output"),
        (["json=a", "sarif=./a"], "--format: a would be written twice"),
        (["json=gone/a"], "gone/a: cannot be written: No such file or directory"),
        (["json=."], ".: cannot be written: Is a directory"),
    ],
)
def test_what_cannot_be_written_ends_with_2(run, words, message):
    formats = [word for name in words for word in ("--format", name)]
    assert run(*formats) == (2, "", f"servelint: {message}\n")


@pytest.mark.usefixtures("tree")
def test_a_file_is_replaced_as_a_whole_and_keeps_its_mode(run):
    OUT.write_text("old " * 10_000)
    OUT.chmod(0o640)
    before = OUT.stat().st_ino
    assert run("--format", f"gitlab={OUT}")[0] == 1
    assert len(json.loads(OUT.read_text())) == 3
    assert stat.S_IMODE(OUT.stat().st_mode) == 0o640
    assert OUT.stat().st_ino != before
    assert [path.name for path in OUT.parent.iterdir() if "servelint" in path.name] == []


@pytest.mark.usefixtures("tree")
def test_a_link_stays_one(run):
    Path("../link").symlink_to("out")
    assert run("--format", "gitlab=../link")[0] == 1
    assert Path("../link").is_symlink()
    assert len(json.loads(OUT.read_text())) == 3


def test_a_file_is_no_terminal(tmp_path):
    wanted = outputs((("text", f"{tmp_path}/a"), ("text", "")), "never")
    shown = written(wanted, report(finding()), Options(color=True, width=60), Config(str(tmp_path)))
    assert "\x1b[" in shown
    assert (tmp_path / "a").read_text() == as_text(report(finding()), Options())


@pytest.mark.usefixtures("tree")
@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes")
def test_a_pipe_is_written_to(run):
    os.mkfifo(OUT)
    # Open for both: neither end waits for the other one.
    held = os.open(OUT, os.O_RDWR | os.O_NONBLOCK)
    assert run("--format", f"gitlab={OUT}") == (1, "", "")
    assert len(json.loads(os.read(held, 1 << 20))) == 3
    os.close(held)
    assert stat.S_ISFIFO(OUT.stat().st_mode)


@pytest.mark.usefixtures("tree")
def test_a_configuration_that_is_wrong_writes_nothing(run):
    assert run("--select", "no-such-id", "--format", f"json={OUT}")[0] == 2
    assert not OUT.exists()


def test_names_that_are_no_unicode_come_through(tree):
    name = os.fsdecode(b"\xff.yaml")
    fill(tree, {name: POD})
    for format_name in REPORTS:
        done = servelint("--format", format_name, name, cwd=tree)
        assert done.code == 1
        assert "SGL-2026-0001" in done.out


# -- in a job ------------------------------------------------------------------


@pytest.mark.usefixtures("tree", "in_job")
def test_in_a_job_annotations_follow_the_text(run):
    text = run("--annotations", "never")
    assert commands(text[1]) == []
    code, out, err = run()
    assert (code, err) == (text[0], "")
    assert out.startswith(text[1])
    kinds = [name for name, _, _ in commands(out.removeprefix(text[1]))]
    assert kinds == ["error", "warning", "notice"]


@pytest.mark.usefixtures("tree", "in_job")
def test_other_formats_have_the_output_for_themselves(run):
    assert [name for name, _, _ in commands(run("--format", "github")[1])] == [
        *("error", "warning", "notice")
    ]
    for name in ("json", "sarif", "gitlab", "rdjson"):
        json.loads(run("--format", name)[1])
    assert commands(run("--format", "markdown")[1]) == []
    assert len(commands(run("--format", f"sarif={OUT}")[1])) == 3
    assert len(commands(run("--format", f"github={OUT}", "--format", "text")[1])) == 3


@pytest.mark.usefixtures("tree")
def test_outside_of_a_job_they_are_there_when_asked_for(run):
    text = run()
    assert commands(text[1]) == []
    code, out, _ = run("--annotations", "always")
    assert code == text[0]
    assert out.startswith(text[1])
    assert len(commands(out)) == 3
    message = "servelint: --annotations always: json has the standard output for itself\n"
    assert run("--annotations", "always", "--format", "json") == (2, "", message)
    only = run("--annotations", "always", "--format", f"json={OUT}")[1]
    assert only == out.removeprefix(text[1])


def test_names_given_and_nothing_to_say_is_silence(tree, run, monkeypatch):
    fill(tree, {"quiet.yaml": "a: 1"})
    for value in ("true", ""):
        monkeypatch.setenv("GITHUB_ACTIONS", value)
        assert run("quiet.yaml") == (0, "", "")


def test_a_text_that_goes_to_a_file_is_not_annotated(tree):
    with open(OUT, "wb") as file:
        done = subprocess.run(
            command("check"),
            cwd=tree,
            env=clean_environment(GITHUB_ACTIONS="true"),
            stdout=file,
            check=False,
        )
    assert done.returncode == 1
    assert commands(OUT.read_text()) == []
    assert len(commands(servelint("check", cwd=tree, GITHUB_ACTIONS="true").out)) == 3


@pytest.mark.parametrize("name", REPORTS)
def test_a_hostile_repository_gives_the_runner_no_command(tree, name):
    hostile = POD.replace("v0.5.9", "v0.5.9 # ##[add-path]/tmp").replace(
        "server\n", '"::error::"\n'
    )
    fill(tree, {BAD_NAME: hostile, f"{BAD_NAME}.yaml": "command: [sglang\n"})
    out = servelint("--format", name, cwd=tree, GITHUB_ACTIONS="true").out
    told = {kind for kind, _, _ in commands(out)}
    assert told == ({"error", "warning", "notice"} if name in ("text", "github") else set())
    assert all(place.get("title", "").startswith("servelint") for _, place, _ in commands(out))
