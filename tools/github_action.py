"""What the steps of action.yml do: ``install`` servelint, then ``check`` the workspace.

Inputs and outputs go through the environment that the runner of GitHub Actions sets up.
Run it isolated (``python -I``). ``install`` needs nothing but Python; ``check`` runs in the
environment that it made. Exit codes are those of servelint: 2 is a job that could not be done.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import subprocess
import sys
import tempfile
import venv

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import SimpleNamespace

OK, FAILED = 0, 2


class Environment(venv.EnvBuilder):
    """A virtual environment that says where its Python is: that differs between systems."""

    python = ""

    def post_setup(self, context: SimpleNamespace) -> None:
        """Take note of it."""
        self.python = context.env_exe


class BadInputError(Exception):
    """An input that cannot be meant."""


def main(step: str) -> int:
    """Run one step; what goes wrong is an annotation, too."""
    try:
        return {"install": install, "check": check}[step]()
    except BadInputError as error:
        annotate("error", str(error))
        return FAILED


def install() -> int:
    """Make an environment of its own with what the action came with."""
    environment = Environment(with_pip=True, symlinks=os.name != "nt")
    environment.create(tempfile.mkdtemp(prefix="servelint-", dir=os.environ["RUNNER_TEMP"]))
    python = environment.python
    pip = (python, "-I", "-m", "pip", "--disable-pip-version-check", "install", "--quiet")
    packages = (os.environ["GITHUB_ACTION_PATH"], *lines("SERVELINT_PLUGINS"))
    # The builds that pip starts are not isolated by themselves.
    around = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    done = subprocess.run([*pip, "--", *packages], env=around, check=False)  # noqa: S603  # as meant
    if done.returncode:
        annotate("error", "It could not be installed; the log of this step has why.")
        return FAILED
    output("python", python)
    return OK


def check() -> int:
    """Run servelint once: its text and annotations are printed, all else goes into files."""
    from servelint.cli import main as servelint  # noqa: PLC0415  # `install` has none

    folder = tempfile.mkdtemp(prefix="servelint-report-", dir=os.environ["RUNNER_TEMP"])
    files = {name: os.path.join(folder, f"servelint.{name}") for name in ("json", "sarif", "md")}
    words = arguments(files)
    said = io.StringIO()
    with contextlib.redirect_stderr(said):
        try:
            code = servelint(words)
        except SystemExit:  # the arguments are wrong, or want help
            code = FAILED
    message = told(said.getvalue())
    if code == FAILED:
        annotate("error", message or "The arguments ask for no check.")
        return code
    if message:
        annotate("notice", message)
    publish(files)
    return code


def told(text: str) -> str:
    """What went wrong; of how to call it, only the line that says what is wrong with the call."""
    text = text.strip()
    return text.rpartition("\n")[2] if text.startswith("usage:") else text


def arguments(files: dict[str, str]) -> list[str]:
    """The command line that the inputs ask for."""
    from servelint.config import find_root  # noqa: PLC0415  # `install` has none

    words = ["check", "--format", "text"]
    words += ["--format", f"json={files['json']}", "--format", f"sarif={files['sarif']}"]
    if is_wanted("SERVELINT_SUMMARY"):
        words += ["--format", f"markdown={files['md']}"]
    words += ["--annotations", "always" if is_wanted("SERVELINT_ANNOTATIONS") else "never"]
    is_wanted("SERVELINT_UPLOAD_SARIF")  # a typing error there would upload nothing, silently
    for option in ("config", "fail-on"):
        value = os.environ.get(f"SERVELINT_{option.upper().replace('-', '_')}", "").strip()
        words += [f"--{option}={value}"] if value else []
    # A name is never taken for an option.
    paths = [f"./{path}" if path[0] == "-" else path for path in lines("SERVELINT_PATHS")]
    root = find_root(paths[0] if paths else ".")
    if not os.path.exists(os.path.join(root, ".git")):  # a machine without git checks out no `.git`
        words += ["--root", "."]  # annotations count from the workspace, not from the first path
    return [*words, *lines("SERVELINT_ARGS"), *paths]


def publish(files: dict[str, str]) -> None:
    """Give the runner the outputs and the summary of the job."""
    with open(files["json"], encoding="utf-8") as stream:
        output("findings", str(len(json.load(stream)["findings"])))
    output("sarif-file", files["sarif"])
    if os.path.exists(files["md"]):
        with open(files["md"], encoding="utf-8") as stream:
            append("GITHUB_STEP_SUMMARY", stream.read())


def lines(name: str) -> list[str]:
    """The lines of an input, without empty ones."""
    return [line.strip() for line in os.environ.get(name, "").split("\n") if line.strip()]


def is_wanted(name: str) -> bool:
    """True or false, as an input says it. Raises :class:`BadInputError` for anything else."""
    value = os.environ.get(name, "").strip()
    if value not in ("true", "false"):
        asked = name.removeprefix("SERVELINT_").lower().replace("_", "-")
        raise BadInputError(f"The input {asked} is true or false, not {value!r}.")
    return value == "true"


def output(name: str, value: str) -> None:
    """Set an output of the step. The values are numbers and paths made here: one line."""
    append("GITHUB_OUTPUT", f"{name}={value}\n")


def append(variable: str, text: str) -> None:
    """Add to one of the files that the runner reads after the step."""
    with open(os.environ[variable], "a", encoding="utf-8", newline="\n") as stream:
        stream.write(text)


def annotate(kind: str, message: str) -> None:
    """Print a message as the runner wants it: whatever it quotes stays a message."""
    escaped = message.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
    print(f"::{kind} title=servelint::{escaped}", flush=True)


if __name__ == "__main__":
    raise SystemExit(main(*sys.argv[1:]))
