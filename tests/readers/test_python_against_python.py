"""What the Python reader says is known is what Python does: both take the same scripts.

Everything that starts something is replaced by a recorder. A launch is true when it can be what was
recorded; a word that the reader knows must be the word that was given. Every recorded command must
be told by some launch, and where a script says so, every launch must have been recorded.
"""

from __future__ import annotations

import json
import os
import re
import stat
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from python_oracle import admits, pattern, tells

import servelint_builtins
from servelint.bind import bind
from servelint.facts import Image, Launch, Requirement
from servelint.finding import Skip
from servelint.read import read
from servelint.source import Route, Source

HERE = Path(__file__).parent
RECORDER = HERE / "python_recorder.py"
NEEDLES = tuple(word.decode() for word in servelint_builtins.LANGUAGE_NEEDLES["python"])

STUB = r"""#!/bin/bash
printf '%s\0' "$CUDA_VISIBLE_DEVICES" "$MODE" "${0##*/}" "$@" > "$RECORD_TO.$$"
"""
PROGRAMS = ("python", "python3", "sglang", "docker", "env", "nohup", "pip", "ssh", "sleep", "mkdir")


@dataclass
class Snippet:
    name: str
    text: str
    runs: list[tuple[dict[str, str], list[str]]] = field(default_factory=list)
    every: bool = False
    partly: bool = False
    records: list[dict] = field(default_factory=list)


def load(path: Path) -> list[Snippet]:
    """Scripts under ``#### name`` lines; ``# run:`` lines give variables and arguments."""
    found = []
    for part in re.split(r"^#### ", path.read_text(encoding="utf-8"), flags=re.M)[1:]:
        name, _, text = part.partition("\n")
        snippet = Snippet(name.strip(), text)
        for line in re.findall(r"^# run:(.*)$", text, re.M):
            words, _, arguments = line.partition("--- ")
            variables = dict(word.split("=", 1) for word in words.split())
            snippet.runs.append((variables, arguments.split()))
        snippet.runs = snippet.runs or [({}, [])]
        snippet.every = "# every launch" in text
        snippet.partly = "# not every command" in text
        found.append(snippet)
    return found


SNIPPETS = load(HERE / "python_snippets.txt")


def make_stubs(directory: Path) -> Path:
    directory.mkdir(exist_ok=True)
    for name in PROGRAMS:
        path = directory / name
        path.write_text(STUB)
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return directory


def recorded(snippet: Snippet, directory: Path) -> list[dict]:
    stubs = make_stubs(directory / "stubs")
    script = directory / "script.py"
    script.write_text(snippet.text, encoding="utf-8")
    found = []
    for variables, arguments in snippet.runs:
        output = directory / "out.jsonl"
        output.write_text("")
        env = {
            "PATH": os.environ["PATH"],
            "PYTHONDONTWRITEBYTECODE": "1",
            "HOME": "/h",
            **variables,
        }
        command = [sys.executable, str(RECORDER), str(script), str(output), str(stubs), *arguments]
        done = subprocess.run(
            command, env=env, capture_output=True, text=True, check=False, timeout=60
        )
        assert done.returncode == 0, done.stderr
        plain = not variables and not arguments
        records = [json.loads(line) for line in output.read_text().splitlines()]
        for path in directory.glob("out.jsonl.*"):
            devices, mode, *words = path.read_text().split("\0")[:-1]
            env = {"CUDA_VISIBLE_DEVICES": devices, "MODE": mode}
            records.append({"argv": words, "env": env})
            path.unlink()
        found += [record | {"plain": plain} for record in records]
    return found


def facts(text: str) -> list:
    source = Source("script.py", text, "python", Route("script.py"), needles=NEEDLES)
    items = list(read(source))
    assert not [item for item in items if isinstance(item, Skip)]
    return items


def env_agrees(launch, env: dict[str, str]) -> bool:
    return all(one.name not in env or admits(one.value, env[one.name]) for one in launch.env)


def words_of_call(record: dict) -> list[str]:
    words = [record["call"], *record["words"]]
    for key, value in record["keywords"].items():
        if value is False or value is None:
            continue
        words.append(f"--{key.replace('_', '-')}")
        if isinstance(value, list):
            words += map(str, value)
        elif value is not True:
            words.append(str(value))
    return words


def inner(words: list[str], env: dict[str, str]) -> tuple[list[str], dict[str, str]]:
    """What a recorded command runs behind ``env``, ``nohup`` and ``docker run``."""
    words, env = list(words), dict(env)
    while words and words[0] in ("env", "nohup"):
        words.pop(0)
        while words and re.match(r"\w+=", words[0]):
            name, _, value = words.pop(0).partition("=")
            env[name] = value
    if words[:2] == ["docker", "run"]:
        at = next(i for i, word in enumerate(words) if "/" in word and ":" in word)
        return words[at + 1 :], {}
    return words, env


@pytest.fixture(scope="module", name="runs")
def make_runs(tmp_path_factory):
    """All scripts run once, side by side."""
    root = tmp_path_factory.mktemp("python")

    def one(snippet):
        directory = root / re.sub(r"\W+", "-", snippet.name)
        directory.mkdir()
        return recorded(snippet, directory)

    with ThreadPoolExecutor(4) as pool:
        return {snippet.name: pool.submit(one, snippet) for snippet in SNIPPETS}


@pytest.mark.parametrize("snippet", SNIPPETS, ids=lambda one: one.name)
def test_no_known_value_is_wrong(snippet, runs):
    found = facts(snippet.text)
    records = snippet.records = runs[snippet.name].result()
    check(snippet, found, records)
    if any(record["plain"] for record in records):
        # What is open is its default where nobody says otherwise.
        check(snippet, list(bind(found)), [record for record in records if record["plain"]])


def check(snippet, found, records):
    launches = [fact for fact in found if isinstance(fact, Launch)]
    commands = []
    for record in records:
        if "argv" in record:
            commands.append(inner(record["argv"], record["env"]))
        elif "call" in record:
            commands.append((words_of_call(record), {}))
    shown = [[pattern(value) for value in launch.argv] for launch in launches]
    marked = [(words, env) for words, env in commands if matters(words)]
    for words, env in marked:
        told = [launch for launch in launches if tells(launch.argv, words)]
        assert snippet.partly or told, (words, shown)
        assert snippet.partly or any(env_agrees(launch, env) for launch in told), (env, words)
    if snippet.every and len(records) == len(snippet.records):
        for launch, text in zip(launches, shown, strict=True):
            matched = any(tells(launch.argv, words) for words, _ in marked)
            assert matched or not matters([one.written for one in launch.argv]), text
    images = {record["image"] for record in records if "image" in record}
    said = [fact.reference for fact in found if isinstance(fact, Image)]
    for image in images:
        assert any(admits(value, image) for value in said), (image, said)
    pins = {re.match(r"\w+", record["pin"])[0] for record in records if "pin" in record}
    asked = {fact.name for fact in found if isinstance(fact, Requirement)}
    assert pins <= asked


def matters(words: list[str]) -> bool:
    text = " ".join(words)
    return "sglang" in text or "disaggregation" in text
