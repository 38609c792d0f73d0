"""The version that an image prints itself. A script stands for Docker."""

from __future__ import annotations

import json
import sys

import pytest
from engine import INSIDE

from servelint_registry import RegistryError, from_engine_tool

IMAGE = "registry.example/team/engine:v1"


@pytest.fixture(name="tool")
def make_tool(tmp_path, monkeypatch):
    """Puts a program into the path that notes its arguments and prints something."""

    def write(output="", *, errors="", code=0, name="docker", sleep=0.0):
        program = tmp_path / name
        program.write_text(
            f"#!{sys.executable}\nimport json, sys, time\n"
            f"json.dump(sys.argv[1:], open({str(tmp_path / 'argv')!r}, 'w'))\n"
            f"time.sleep({sleep})\nsys.stdout.write({output!r})\nsys.stderr.write({errors!r})\n"
            f"sys.exit({code})\n"
        )
        program.chmod(0o755)
        monkeypatch.setenv("PATH", str(tmp_path))
        return tmp_path / "argv"

    return write


def failure(*args, **more) -> str:
    with pytest.raises(RegistryError) as caught:
        from_engine_tool(*args, **more)
    assert "\n" not in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize("name", ["docker", "podman"])
def test_one_command_is_run(tool, name):
    argv = tool("Name: engine\nVersion: 0.5.22\nLocation: /usr/lib\n", name=name)
    found = from_engine_tool(name, IMAGE, INSIDE)
    assert (found.version, found.clears, found.reason, found.detail) == ("0.5.22", True, "", "")
    assert found.evidence == f"pip of the image, run by {name}"
    assert json.loads(argv.read_text()) == [
        *("run", "--rm", "--entrypoint", "pip", IMAGE, "show", "engine")
    ]


def test_an_editable_install_may_hold_another_version_by_now(tool):
    tool("Version: 0.5.22+cu126\nEditable project location: /code/engine/python\n")
    found = from_engine_tool("docker", IMAGE, INSIDE)
    assert (found.version, found.clears) == ("0.5.22", False)
    assert "installed from '/code/engine/python'" in found.detail


@pytest.mark.parametrize(
    ("output", "reason"),
    [
        ("Version: 0.0.0.dev1+g0a1b2c3d4\n", "dev-version"),
        ("Version: none\n", "no-evidence"),
        ("", "no-evidence"),
        ("warning: Version: 0.5.22\n", "no-evidence"),
    ],
)
def test_output_without_a_release(tool, output, reason):
    tool(output)
    found = from_engine_tool("docker", IMAGE, INSIDE)
    assert (found.version, found.reason, found.clears) == ("", reason, False)
    assert found.detail


def test_what_goes_wrong_is_one_sentence(tool, monkeypatch, tmp_path):
    tool(errors="WARNING: Package(s) not found: engine\n", code=1)
    assert failure("docker", IMAGE, INSIDE) == f"pip in {IMAGE} knows no package engine"
    tool(errors="Unable to find image\nmanifest\x1b[31m unknown\n", code=125)
    text = failure("docker", IMAGE, INSIDE)
    assert text == f"docker could not ask {IMAGE}: 'manifest?[31m unknown'"
    tool(errors="Cannot connect to the daemon.\n\nRun 'docker run --help' for more\n", code=125)
    assert failure("docker", IMAGE, INSIDE).endswith("'Cannot connect to the daemon.'")
    tool(code=1)
    assert failure("docker", IMAGE, INSIDE).endswith("it said nothing")
    tool(sleep=5)
    assert "was not done" in failure("docker", IMAGE, INSIDE, seconds=0.2)
    monkeypatch.setenv("PATH", str(tmp_path / "empty"))
    assert failure("podman", IMAGE, INSIDE) == (
        f"podman is not installed, so {IMAGE} cannot be asked"
    )


@pytest.mark.parametrize("reference", ["--privileged", "-v/:/x", "a b", "", "x;id", "$(id)"])
def test_text_that_is_no_image_never_reaches_the_tool(tool, reference):
    argv = tool("Version: 0.5.22\n")
    assert "no image reference" in failure("docker", reference, INSIDE)
    assert not argv.exists()


def test_other_programs_are_not_run(tool):
    argv = tool("Version: 0.5.22\n", name="sh")
    assert failure("sh", IMAGE, INSIDE) == "'sh' is none of docker and podman"
    assert not argv.exists()
