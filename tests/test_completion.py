"""The scripts complete what the parser takes, in the shells themselves where these are there."""

from __future__ import annotations

import shutil
import subprocess

import pytest
from trees import fill, servelint

from servelint.arguments import COMMANDS, REPORTS
from servelint.completion import script
from servelint.completion.model import commands
from servelint.config import THRESHOLDS, Config
from servelint.pipeline import records

IDS = sorted(records(Config("/")))
SHELLS = ("bash", "zsh", "fish")
ONES = {name.partition(" ")[0] for name in COMMANDS}


def shell(name):
    """The path of a shell; without it the test is skipped, and says so."""
    path = shutil.which(name)
    if path is None:
        pytest.skip(f"{name} is not installed")
    return path


def run(*words, cwd, text=None):
    done = subprocess.run(words, cwd=cwd, input=text, capture_output=True, text=True, check=True)
    assert done.stderr == ""
    return done.stdout


# -- the model ----------------------------------------------------------------


def test_every_command_is_there_with_its_options():
    every = {one.name: one for one in commands(IDS)}
    assert set(every) == set(COMMANDS)
    check = {name: one for one in every["check"].options for name in one.names}
    assert check["--fail-on"].value.words == THRESHOLDS
    assert check["--format"].value.words == REPORTS
    assert check["--format"].often
    assert check["--select"].value.words == check["--ignore"].value.words == tuple(IDS)
    assert check["--strict"].value is None
    assert check["--config"].value.kind == "FILE"
    assert check["--root"].value.kind == "DIR"
    assert check["--help"].names == ("-h", "--help")
    assert every["check"].arguments.kind == "FILE"
    assert every["explain"].arguments.words == tuple(IDS)
    assert every["completion"].arguments.words == SHELLS
    assert every["rules"].arguments.words == ()


def test_a_word_that_a_shell_would_take_for_its_own_is_refused():
    with pytest.raises(ValueError, match="cannot be completed"):
        commands(["$(touch x)"])


@pytest.mark.parametrize("name", SHELLS)
def test_the_command_prints_the_script(tmp_path, name):
    fill(tmp_path, {"servelint.toml": "broken"})
    done = servelint("completion", name, cwd=tmp_path)
    assert (done.code, done.err, done.out) == (0, "", script(name, IDS))
    assert "servelint" in done.out
    assert servelint("completion", "powershell", cwd=tmp_path).code == 2


@pytest.mark.parametrize("name", SHELLS)
def test_the_script_is_understood(tmp_path, name):
    (tmp_path / "script").write_text(script(name, IDS), encoding="utf-8")
    assert run(shell(name), "-n", "script", cwd=tmp_path) == ""


# -- what is completed --------------------------------------------------------

BASH = """
source "$1"; shift
words=("$@")
COMP_WORDS=("${words[@]}") COMP_CWORD=$((${#words[@]} - 1))
compopt() { echo "compopt $*"; }
_servelint
printf '%s\\n' "${COMPREPLY[@]}"
complete -p servelint
"""

ZSH = """
compdef() { : }
source $1; shift
_arguments() { print -rl -- "command $words" "$@" }
_describe() { print -rl -- ${(P)4} }
compadd() { shift; print -rl -- "$@" }
words=("$@") CURRENT=$#
_servelint
"""

CASES = [
    ([""], ONES),
    (["ch"], {"check"}),
    (["images", "re"], {"resolve"}),
    (["config", ""], {"show", "schema"}),
    (["check", "--fail-on", ""], set(THRESHOLDS)),
    (["check", "--fail-on", "me"], {"medium"}),
    (["check", "a.yaml", "--strict", "--fail-on", "n"], {"note", "never"}),
    (["check", "--fail"], {"--fail-on"}),
    (["--fail"], {"--fail-on"}),
    (["--fail-on", "h"], {"high"}),
    (["check", "--format", "s"], {"sarif"}),
    (["check", "--select", "SGL-2026-000"], {f"SGL-2026-000{number}" for number in range(1, 6)}),
    (["check", "--ignore", "unknown-v"], {"unknown-version"}),
    (["explain", "mixed"], {"mixed-versions"}),
    (["completion", ""], set(SHELLS)),
    (["images", "add", "--dig"], {"--digest"}),
    (["images", "resolve", "--from", ""], {"registry", "docker", "podman"}),
    (["config", "show", "--format", ""], {"text", "json"}),
    (["baseline", "--up"], {"--update"}),
    (["rules", "x"], set()),
]


def bash(tmp_path, *words):
    (tmp_path / "script").write_text(script("bash", IDS), encoding="utf-8")
    out = run(shell("bash"), "-s", "./script", "servelint", *words, cwd=tmp_path, text=BASH)
    *found, last = out.splitlines()
    assert last == "complete -o default -F _servelint servelint"
    return {one for one in found if one}


@pytest.mark.parametrize(("words", "expected"), CASES)
def test_bash(tmp_path, words, expected):
    assert bash(tmp_path, *words) == expected


def test_bash_breaks_words_at_an_equals_sign(tmp_path):
    assert bash(tmp_path, "check", "--fail-on", "=") == set(THRESHOLDS)
    assert bash(tmp_path, "check", "--fail-on", "=", "lo") == {"low"}


def test_bash_completes_directories_for_a_root_and_leaves_files_to_itself(tmp_path):
    fill(tmp_path, {"tree/a.yaml": "", "b.yaml": ""})
    assert bash(tmp_path, "check", "--root", "") == {"compopt -o filenames", "tree"}
    assert bash(tmp_path, "check", "--config", "") == set()
    assert bash(tmp_path, "check", "") == set()


def fish(tmp_path, *words):
    (tmp_path / "script").write_text(script("fish", IDS), encoding="utf-8")
    line = " ".join(("servelint", *words))
    code = f"source ./script; complete -C '{line}'"
    out = run(shell("fish"), "--no-config", "-c", code, cwd=tmp_path)
    return {line.partition("\t")[0] for line in out.splitlines()} - {"script"}


@pytest.mark.parametrize(("words", "expected"), CASES)
def test_fish(tmp_path, words, expected):
    assert fish(tmp_path, *words) == expected


def test_fish_completes_files_and_directories(tmp_path):
    fill(tmp_path, {"tree/a.yaml": "", "b.yaml": ""})
    assert fish(tmp_path, "check", "--root", "") == {"tree/"}
    assert fish(tmp_path, "check", "--config", "") == {"tree/", "b.yaml"}
    assert fish(tmp_path, "check", "") == {"tree/", "b.yaml"}


def zsh(tmp_path, *words):
    (tmp_path / "script").write_text(script("zsh", IDS), encoding="utf-8")
    out = run(shell("zsh"), "-f", "-s", "./script", "servelint", *words, cwd=tmp_path, text=ZSH)
    return out.splitlines()


def test_zsh_offers_commands(tmp_path):
    found = zsh(tmp_path, "")
    first = found[: found.index("command servelint ")]
    assert {line.partition(":")[0] for line in first} == ONES
    assert "check:report what is affected, and what cannot be told" in first
    assert zsh(tmp_path, "config", "")[:2] == ["show", "schema"]


def test_zsh_hands_the_options_of_the_command_on(tmp_path):
    found = zsh(tmp_path, "check", "a.yaml", "--fail-on", "")
    assert found[0] == "command check a.yaml --fail-on "
    (line,) = (one for one in found if one.startswith("--fail-on="))
    assert line.endswith(f"]:FAIL_ON:({' '.join(THRESHOLDS)})")
    assert f"*--select=[report only this id]:ID:({' '.join(IDS)})" in found
    assert "(--help)-h[show this help message and exit]" in found
    assert "--root=[the root; default\\: where .git is]:DIR:_files -/" in found
    assert found[-1] == "*:PATH:_files"
    assert zsh(tmp_path, "--strict", "")[1:] == found[1:]
    assert zsh(tmp_path, "images", "add", "")[0] == "command add "
    assert "--digest=[sha256\\:... that the tag had when it was looked at]:SHA256: " not in found
    assert zsh(tmp_path, "explain", "")[-1] == f"*:ID:({' '.join(IDS)})"


ZPTY = """
zmodload zsh/zpty
zpty z zsh -f -i
zpty -w z "PS1=; autoload -U compinit; compinit -u -d dump; source ./script; LISTMAX=0"
zpty -w z "bindkey '^I' complete-word; print REA''DY"
zpty -r z found '*READY*'
zpty -w -n z "servelint check --fail-on cri"$'\\t'
zpty -r -m z found '*critical*' && print -r -- "critical"
zpty -w -n z $'\\x15'"servelint config sh"$'\\t'
zpty -r -m z found '*sh*ow*' && print -r -- "show"
zpty -w -n z $'\\x15'"servelint explain mixed"$'\\t'
zpty -r -m z found '*mixed-versions*' && print -r -- "mixed-versions"
zpty -d z
"""


def test_zsh_completes_at_its_prompt(tmp_path):
    (tmp_path / "script").write_text(script("zsh", IDS), encoding="utf-8")
    done = subprocess.run(
        [shell("zsh"), "-f", "-c", ZPTY],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.stdout.split() == ["critical", "show", "mixed-versions"], done
