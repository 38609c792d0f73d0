"""Audits by uv itself. Its index is a server on this machine: it asks it for yanked packages."""

from __future__ import annotations

import json
import os
import sys

import pytest
from audited import audit, own
from osv_double import vulnerability
from trees import fill

UV = os.path.join(os.path.dirname(sys.executable), "uv")
pytestmark = pytest.mark.skipif(not os.path.isfile(UV), reason="uv is not installed")

PROJECT = """\
[project]
name = "serving"
version = "1.0.0"
requires-python = ">=3.11"
dependencies = ["sglang==0.5.19"]
"""
LOCK = """\
version = 1
revision = 3
requires-python = ">=3.11"

[[package]]
name = "serving"
version = "1.0.0"
source = { virtual = "." }
dependencies = [{ name = "sglang" }]

[package.metadata]
requires-dist = [{ name = "sglang", specifier = "==0.5.19" }]

[[package]]
name = "sglang"
version = "0.5.19"
source = { registry = "INDEX" }
"""


@pytest.fixture
def uv(osv, tmp_path):
    """Audit the lock of a project. No program of this name stands on the path but that one."""

    def call(root, *line):
        fill(root, {"pyproject.toml": PROJECT, "uv.lock": LOCK.replace("INDEX", osv.url)})
        env = {"UV_NO_CONFIG": "1", "UV_CACHE_DIR": str(tmp_path / "cache"), "UV_OFFLINE": "0"}
        return audit("uv-audit", "--frozen", *line, cwd=root, **env)

    return call


def test_a_pair_is_reported(uv, pair):
    done = uv(pair, "--output-format", "json", "--servelint-upstream", "none")
    assert done.code == 1, done.err
    found = {one["id"]: one for one in json.loads(done.out)["vulnerabilities"]}
    one = found["x_SGL-2026-0001"]
    assert one["fix_versions"] == ["0.5.22"]
    assert one["summary"].endswith("(it applies here: serve.sh:3, serve.sh:4)")


def test_a_single_server_is_not(uv, single):
    done = uv(single, "--servelint-upstream", "none")
    assert done.code == 0, done.err
    assert "not served: not disaggregated (serve.sh:2)" in own(done)[-1]


def test_public_records_stand_beside_ours(uv, single, osv):
    short = {"id": "PYSEC-2026-1", "modified": "2026-01-02T00:00:00Z"}
    osv.answers["/v1/querybatch"] = {"results": [{"vulns": [short]}]}
    osv.answers["/v1/vulns/PYSEC-2026-1"] = vulnerability("PYSEC-2026-1", "sglang")
    done = uv(single, "--output-format", "json", "--servelint-upstream", osv.url)
    assert done.code == 1, done.err
    assert [one["id"] for one in json.loads(done.out)["vulnerabilities"]] == ["PYSEC-2026-1"]


def test_an_upstream_that_breaks_in_between_ends_the_audit(uv, pair, osv):
    osv.answers["/v1/querybatch"] = (200, b"<html>")
    done = uv(pair, "--servelint-upstream", osv.url)
    assert (done.code, done.out) == (2, "")
    assert own(done)[-1] == "servelint: the OSV at 127.0.0.1 answers something else than records"


def test_help_asks_nobody(uv, pair):
    done = uv(pair, "--help")
    assert done.code == 0
    assert "--servelint-assume" in done.out
    assert "uv audit [OPTIONS]" in done.out


def test_a_missing_uv_is_told(monkeypatch, capfd):
    from servelint.cli.audits import main
    from servelint_pip_audit import auditing

    monkeypatch.setattr(auditing.shutil, "which", lambda _name: None)
    monkeypatch.setattr(auditing.sys, "executable", "/nowhere/python")
    assert main(["uv-audit", "--servelint-upstream", "none"]) == 2
    assert capfd.readouterr().err == "servelint: uv is not installed here\n"


def test_images_are_for_pip_audit(capfd):
    from servelint.cli.audits import main

    assert main(["uv-audit", "--servelint-images"]) == 2
    assert "uv audits what it has locked" in capfd.readouterr().err
