"""A plugin of a distribution of its own, installed beside servelint and used as a user would."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
import venv
from dataclasses import dataclass
from pathlib import Path

import pytest
from trees import ROOT, clean_environment, copy, copy_project, fill

EXAMPLE = ROOT / "examples" / "third-party-plugin"
QUIET = ("--quiet", "--disable-pip-version-check")

ADVISORY = "ACME-2026-0001"
GIVES = "from servelint.api import Plugin, Rule\ndef plugin():\n    return {}\n"
BROKEN = {
    "raises": ("raise OSError('no data')\n", " cannot be loaded: OSError: no data"),
    "exits": ("raise SystemExit(0)\n", " cannot be loaded: SystemExit: 0"),
    "empty": ("", " cannot be loaded: AttributeError: module 'own' has no attribute 'plugin'"),
    "none": (GIVES.format("None"), ": plugin() gave NoneType, expected servelint.api.Plugin"),
    "other": (GIVES.format("Plugin('x')"), " calls itself 'x', expected the same name"),
    "lists": (
        GIVES.format("Plugin('lists', needles=['x'])"),
        ": needles: expected a tuple of str",
    ),
}
"""What stands in the module of a plugin, and what is said of it behind its name."""

PYTHON = """
import subprocess
subprocess.run(["acme-server", "run", "--half=decode"])
"""


@dataclass(frozen=True)
class Installed:
    """An environment in which servelint and the example are installed."""

    directory: Path

    def program(self, name: str) -> str:
        return str(self.directory / ("Scripts" if os.name == "nt" else "bin") / name)

    def run(self, name, *args, cwd, **env):
        return subprocess.run(
            [self.program(name), *map(str, args)],
            cwd=cwd,
            env=clean_environment(**{"PYTHONPATH": "", **env}),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
            timeout=300,
        )


@pytest.fixture(scope="module", name="installed")
def install(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    """Both installed with pip, from copies: building leaves nothing in the work tree."""
    where = tmp_path_factory.mktemp("plugin")
    reach_the_index(where)
    copy_project(where / "servelint")
    copy(EXAMPLE, where / "example")
    venv.create(where / "venv", with_pip=True)
    installed = Installed(where / "venv")
    paths = where / "servelint", where / "example"
    done = installed.run("python", "-m", "pip", "install", *QUIET, *paths, cwd=where)
    assert done.returncode == 0, done.stderr
    return installed


def reach_the_index(where: Path) -> None:
    """Skip what needs the package index where it cannot be reached."""
    command = (sys.executable, "-m", "pip", "download", *QUIET, "--no-deps", "--retries", "0")
    done = subprocess.run(
        [*command, "hatchling>=1.27", "-d", str(where / "probe")],
        env=clean_environment(),
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    if done.returncode:
        said = (done.stderr.strip().splitlines() or ["no word"])[-1]
        pytest.skip(f"PLUGINS OF OTHERS NOT TESTED: the package index cannot be reached ({said})")


@pytest.fixture(name="fleet")
def copy_fleet(tmp_path: Path) -> Path:
    copy(EXAMPLE / "fleet", tmp_path / "fleet")
    return tmp_path / "fleet"


def check(installed, root, **env):
    done = installed.run("servelint", "check", "--format", "json", cwd=root, **env)
    assert "Traceback" not in done.stderr
    return done


def findings(done):
    return json.loads(done.stdout)["findings"]


def told(done):
    return [(one["id"], one["primary"]["path"]) for one in findings(done)]


def test_the_example_imports_the_api_only():
    own = {"servelint.api", "servelint_acme"}
    for path in (EXAMPLE / "src").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("servelint"):
                assert node.module in own or node.module.startswith("servelint_acme."), path
            elif isinstance(node, ast.Import):
                assert not [one for one in node.names if one.name.startswith("servelint")], path


# -- a plugin that works ------------------------------------------------------


def test_its_reader_its_advisory_and_its_rule_work(installed, fleet):
    done = check(installed, fleet)
    assert done.returncode == 1
    assert told(done) == [("ACME-2026-0001", "fleet.yaml"), ("acme-open-admin", "fleet.yaml")]


def test_what_the_core_reads_is_judged_by_it_too(installed, fleet):
    (fleet / "fleet.yaml").unlink()
    fill(
        fleet,
        {
            "requirements.txt": "acme-server==1.2.0\n",
            "start.py": PYTHON,
            "start.sh": "#!/bin/sh\nexec acme-server run --half decode --transfer copy\n",
        },
    )
    done = check(installed, fleet)
    assert told(done) == [("ACME-2026-0001", "requirements.txt")]
    (finding,) = findings(done)
    assert {one["path"] for one in finding["related"]} == {"start.py"}


def test_the_list_of_images_knows_its_images(installed, fleet):
    done = installed.run("servelint", "images", cwd=fleet)
    assert "Acme Server 1.2.0 (by tag): ACME-2026-0001" in done.stdout


def test_an_image_of_it_can_be_written_down(installed, fleet):
    done = installed.run(
        "servelint", "images", "add", "acme/server:9", "--version", "1.3.0", cwd=fleet
    )
    assert done.returncode == 0, done.stderr
    assert 'package = "acme-server"' in (fleet / "servelint-images.toml").read_text()


def test_nobody_asks_it_where_the_configuration_does_not_name_it(installed, fleet):
    (fleet / "servelint.toml").unlink()
    done = check(installed, fleet)
    assert (done.returncode, told(done)) == (0, [])


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ("trusted-hosts = 1", "table acme: trusted-hosts: expected a list of texts"),
        ("trusted = []", "table acme: unknown key 'trusted'; known are trusted-hosts"),
    ],
)
def test_its_table_is_checked_by_it(installed, fleet, table, said):
    text = f'[tool.servelint]\nplugins = ["acme"]\n[tool.servelint.acme]\n{table}\n'
    (fleet / "servelint.toml").unlink()
    (fleet / "pyproject.toml").write_text(text)
    done = check(installed, fleet)
    assert (done.returncode, done.stderr) == (2, f"servelint: {said}\n")


def test_its_table_counts(installed, fleet):
    text = 'plugins = ["acme"]\n[acme]\ntrusted-hosts = ["0.0.0.0"]\n'
    (fleet / "servelint.toml").write_text(text)
    (open_port,) = [one for one in findings(check(installed, fleet)) if one["id"] != ADVISORY]
    assert open_port["id"] == "acme-open-admin"
    assert open_port["primary"]["start"]["line"] == 5  # 10.0.0.5, which now is none of them


# -- a plugin that does not ---------------------------------------------------


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_plugin_is_named_with_its_distribution(installed, fleet, tmp_path, name):
    text, said = BROKEN[name]
    metadata = f"Metadata-Version: 2.1\nName: servelint-{name}\nVersion: 2.1\n"
    files = {
        "own.py": text,
        "own-2.1.dist-info/METADATA": metadata,
        "own-2.1.dist-info/entry_points.txt": f"[servelint.plugins]\n{name} = own\n",
    }
    fill(tmp_path / "site", files)
    (fleet / "servelint.toml").write_text(f'plugins = ["{name}"]\n')
    done = check(installed, fleet, PYTHONPATH=str(tmp_path / "site"))
    sentence = f"servelint: plugin {name} (of servelint-{name} 2.1){said}\n"
    assert (done.returncode, done.stdout, done.stderr) == (2, "", sentence)


def test_a_plugin_that_is_not_installed_is_named(installed, fleet):
    (fleet / "servelint.toml").write_text('plugins = ["apex"]\n')
    done = check(installed, fleet)
    said = "servelint: plugins: 'apex' is not installed; installed are acme\n"
    assert (done.returncode, done.stdout, done.stderr) == (2, "", said)
