"""The parts of GitHub's runner that a composite action meets, without GitHub."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

from ruamel.yaml import YAML

EXPRESSION = re.compile(r"\$\{\{\s*(.*?)\s*\}\}")

PASSED = re.compile(r"(PATH|LANG|PIP_.*|.*_proxy|.*_PROXY|SSL_.*|XDG_.*|UV_.*)", re.ASCII)
"""What a step sees of the environment of the tests: what pip needs to find packages."""

FILES = ("GITHUB_OUTPUT", "GITHUB_ENV", "GITHUB_PATH", "GITHUB_STEP_SUMMARY", "GITHUB_STATE")


@dataclass
class Ran:
    """One step, and what came of it.

    ``outcome`` is ``success``, ``failure`` or ``skipped``; ``uses`` and ``inputs`` are those of a
    step that is an action itself: it is not run.
    """

    outcome: str
    printed: str = ""
    code: int = 0
    outputs: dict[str, str] = field(default_factory=dict)
    summary: str = ""
    environment: str = ""
    uses: str = ""
    inputs: dict[str, str] = field(default_factory=dict)


@dataclass
class Job:
    """What a workflow sees of the action."""

    steps: dict[str, Ran]
    outputs: dict[str, str]

    @property
    def failed(self) -> bool:
        return any(step.outcome == "failure" for step in self.steps.values())

    @property
    def printed(self) -> str:
        return "".join(step.printed for step in self.steps.values())

    @property
    def summary(self) -> str:
        return "".join(step.summary for step in self.steps.values())


@dataclass
class Runner:
    """A machine: where the action lies, what was checked out, and a directory for all else."""

    action: Path
    workspace: Path
    temp: Path
    environment: dict[str, str] = field(default_factory=dict)

    def run(self, inputs=None, done=None) -> Job:
        """Run the steps of the action. Those in ``done`` ran before, with these outputs."""
        action = load(self.action / "action.yml")
        given = {name: one.get("default", "") for name, one in action["inputs"].items()}
        unknown = set(inputs or {}) - set(given)
        assert not unknown, f"the action has no input {unknown}"
        given |= inputs or {}
        steps: dict[str, Ran] = {}
        for number, step in enumerate(action["runs"]["steps"]):
            name = step.get("id", f"step {number}")
            if done and name in done:
                steps[name] = Ran("success", outputs=done[name])
            else:
                steps[name] = self._step(step, given, steps)
        outputs = {
            name: filled(one["value"], given, steps) for name, one in action["outputs"].items()
        }
        return Job(steps, outputs)

    def _step(self, step, given, steps) -> Ran:
        if not holds(step.get("if", "success()"), given, steps):
            return Ran("skipped")
        if "uses" in step:
            values = {name: filled(value, given, steps) for name, value in step["with"].items()}
            return Ran("success", uses=step["uses"], inputs=values)
        environment = {
            name: filled(value, given, steps) for name, value in step.get("env", {}).items()
        }
        assert step["shell"] == "bash"
        assert not EXPRESSION.search(step["run"]), "an expression would be text of the script"
        return self._bash(step["run"], environment)

    def _bash(self, script: str, environment: dict[str, str]) -> Ran:
        commands = self.temp / "_runner_file_commands"
        commands.mkdir(parents=True, exist_ok=True)
        files = {name: commands / name.lower() for name in FILES}
        for file in files.values():
            file.write_bytes(b"")
        written = self.temp / "step.sh"
        written.write_text(script, encoding="utf-8", newline="\n")
        done = subprocess.run(
            ["/bin/bash", "--noprofile", "--norc", "-e", "-o", "pipefail", written],
            cwd=self.workspace,
            env=self._environment() | environment | {n: str(f) for n, f in files.items()},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            check=False,
            timeout=300,
        )
        read = {name: file.read_text(encoding="utf-8") for name, file in files.items()}
        return Ran(
            "failure" if done.returncode else "success",
            done.stdout.decode("utf-8"),
            done.returncode,
            assignments(read["GITHUB_OUTPUT"]),
            read["GITHUB_STEP_SUMMARY"],
            read["GITHUB_ENV"] + read["GITHUB_PATH"] + read["GITHUB_STATE"],
        )

    def _environment(self) -> dict[str, str]:
        kept = {name: value for name, value in os.environ.items() if PASSED.fullmatch(name)}
        return {
            **kept,
            "CI": "true",
            "HOME": str(self.temp),
            "GITHUB_ACTIONS": "true",
            "GITHUB_ACTION_PATH": str(self.action),
            "GITHUB_WORKSPACE": str(self.workspace),
            "RUNNER_TEMP": str(self.temp),
            "RUNNER_OS": {"darwin": "macOS", "win32": "Windows"}.get(sys.platform, "Linux"),
            **self.environment,
        }


def load(path: Path):
    return YAML(typ="safe").load(path.read_text(encoding="utf-8"))


def filled(text: str, given: dict[str, str], steps: dict[str, Ran]) -> str:
    """A text with its expressions replaced by what they stand for."""
    return EXPRESSION.sub(lambda match: value(match[1], given, steps), text)


def value(expression: str, given: dict[str, str], steps: dict[str, Ran]) -> str:
    """What an expression stands for: an input, or an output of a step that ran."""
    match expression.split("."):
        case ["inputs", name]:
            return given[name]
        case ["steps", step, "outputs", name]:
            return steps[step].outputs.get(name, "")
    raise NotImplementedError(expression)


def holds(condition: str, given: dict[str, str], steps: dict[str, Ran]) -> bool:
    """Whether a step runs. A condition that asks for no status asks for success."""
    whole = EXPRESSION.fullmatch(condition)
    terms = (whole[1] if whole else condition).split(" && ")
    if not any(term in ("success()", "!cancelled()") for term in terms):
        terms.append("success()")
    return all(_holds(term, given, steps) for term in terms)


def _holds(term: str, given: dict[str, str], steps: dict[str, Ran]) -> bool:
    if term == "!cancelled()":
        return True
    if term == "success()":
        return all(step.outcome != "failure" for step in steps.values())
    compared = re.fullmatch(r"(\S+) (==|!=) '([^']*)'", term)
    if compared is None:
        raise NotImplementedError(term)
    is_equal = value(compared[1], given, steps) == compared[3]
    return is_equal == (compared[2] == "==")


def assignments(text: str) -> dict[str, str]:
    """What a file of outputs holds: ``NAME=VALUE``, or a value between two equal lines."""
    found: dict[str, str] = {}
    rows = iter(text.split("\n"))
    for row in rows:
        equals, begins = row.find("="), row.find("<<")
        if not row:
            continue
        if equals >= 0 and (begins < 0 or equals < begins):
            found[row[:equals]] = row[equals + 1 :]
        elif begins > 0:
            until = row[begins + 2 :]
            found[row[:begins]] = "\n".join(iter(lambda: next(rows), until))
        else:
            raise ValueError(row)
    return found
