"""Audits by pip-audit itself, as its users run it."""

from __future__ import annotations

import json
import sys
from importlib import metadata

import pytest
from audited import PAIR, READ, audit, own, repository
from osv_double import vulnerability
from trees import fill

pytest.importorskip("pip_audit")

PINNED = ("-r", "requirements.txt", *READ)
ALONE = ("--servelint-upstream", "none")


def vulnerabilities(done):
    found = json.loads(done.out)["dependencies"]
    return {one["name"]: one.get("vulns", []) for one in found}


def test_a_pair_is_reported_with_the_version_to_go_to(pair):
    done = audit("pip-audit", *PINNED, *ALONE, cwd=pair)
    assert done.code == 1
    row = next(line.split() for line in done.out.splitlines() if "SGL-2026-0001" in line)
    assert row == ["sglang", "0.5.19", "x_SGL-2026-0001", "0.5.22"]
    assert own(done)[0] == (
        "servelint: no vulnerability database is asked, only the records of servelint"
    )


def test_the_same_pins_of_a_single_server_are_not_and_it_is_said_why(single):
    done = audit("pip-audit", *PINNED, *ALONE, cwd=single)
    assert (done.code, done.out.strip()) == (0, "")
    said = own(done)[-1]
    assert "SGL-2026-0001" in said
    assert said.endswith("not served: not disaggregated (serve.sh:2)")


def test_the_evidence_reaches_json_and_nothing_else_is_printed(pair):
    found = vulnerabilities(audit("pip-audit", *PINNED, *ALONE, "-f", "json", cwd=pair))
    first = found["sglang"][0]
    assert first["id"] == "x_SGL-2026-0001"
    assert "SGL-2026-0001" in first["aliases"]
    assert first["fix_versions"] == ["0.5.22"]
    assert first["description"].endswith("(it applies here: serve.sh:3, serve.sh:4)")
    assert found["requests"] == []


def test_cyclonedx_holds_it_too(pair):
    done = audit("pip-audit", *PINNED, *ALONE, "-f", "cyclonedx-json", cwd=pair)
    told = {one["id"]: one["description"] for one in json.loads(done.out)["vulnerabilities"]}
    assert "serve.sh:3" in told["x_SGL-2026-0001"]


def test_it_can_be_ignored_by_its_plain_id(pair):
    ids = [
        *("SGL-2026-0001", "SGL-2026-0002", "SGL-2026-0003"),
        *("SGL-2026-0010", "SGL-2026-0011", "SGL-2026-0012"),
    ]
    ignored = [word for one in ids for word in ("--ignore-vuln", one)]
    assert audit("pip-audit", *PINNED, *ALONE, *ignored, cwd=pair).code == 0


def test_the_fix_goes_to_the_floor(pair):
    done = audit("pip-audit", *PINNED, *ALONE, "--fix", cwd=pair)
    assert done.code == 0, done.err
    assert "sglang==0.5.22" in (pair / "requirements.txt").read_text()


def test_public_records_stand_beside_ours(pair, osv):
    osv.knows("requests", vulnerability("PYSEC-2026-1", "requests"))
    done = audit("pip-audit", *PINNED, "-f", "json", "--servelint-upstream", osv.url, cwd=pair)
    found = vulnerabilities(done)
    assert [one["id"] for one in found["requests"]] == ["PYSEC-2026-1"]
    assert "x_SGL-2026-0001" in {one["id"] for one in found["sglang"]}
    assert own(done)[0].startswith("servelint: the audit asks the OSV at 127.0.0.1")
    assert sum("asks the OSV" in line for line in own(done)) == 1
    names = [question["package"]["name"] for _, question in osv.seen]
    assert names == ["pip", "requests", "sglang"]


def test_one_flaw_under_two_names_is_one_row(pair, osv):
    osv.knows("sglang", vulnerability("CVE-2026-92972", "sglang"))
    done = audit("pip-audit", *PINNED, "-f", "json", "--servelint-upstream", osv.url, cwd=pair)
    rows = [one for one in vulnerabilities(done)["sglang"] if "SGL-2026-0010" in one["aliases"]]
    assert len(rows) == 1


def test_the_upstream_may_be_that_of_the_environment(pair, osv):
    env = {"PIP_AUDIT_OSV_URL": f"{osv.url}/v1/query"}
    assert audit("pip-audit", *PINNED, cwd=pair, **env).code == 1
    assert len(osv.seen) == 3


def test_an_environment_that_asks_for_another_service_is_overruled(pair):
    env = {"PIP_AUDIT_VULNERABILITY_SERVICE": "pypi", "PIP_AUDIT_OSV_URL": "http://127.0.0.1:9/"}
    assert "x_SGL-2026-0001" in audit("pip-audit", *PINNED, *ALONE, cwd=pair, **env).out


def test_a_proxy_is_not_asked_for_ours(pair):
    env = dict.fromkeys(("http_proxy", "ALL_PROXY"), "http://127.0.0.1:9")
    assert audit("pip-audit", *PINNED, *ALONE, cwd=pair, **env).code == 1


def test_an_upstream_that_breaks_in_between_ends_the_audit(pair, osv):
    osv.answers["/v1/query"] = lambda one: (
        {} if one["package"]["name"] == "pip" else (200, b"<html>")
    )
    done = audit("pip-audit", *PINNED, "--servelint-upstream", osv.url, cwd=pair)
    assert (done.code, done.out) == (2, "")
    assert own(done)[-1] == "servelint: the OSV at 127.0.0.1 answers something else than records"
    assert "Traceback" not in done.err
    assert "No known vulnerabilities" not in done.err


def test_an_upstream_that_is_down_is_one_sentence(pair):
    done = audit("pip-audit", *PINNED, "--servelint-upstream", "http://127.0.0.1:9", cwd=pair)
    assert (done.code, done.out) == (2, "")
    said = "servelint: the OSV at 127.0.0.1 cannot be reached: ConnectionError\n"
    assert done.err == said


def test_an_audit_of_nothing_is_not_clean(pair):
    fill(pair, {"none.txt": "# nothing\n"})
    done = audit("pip-audit", "-r", "none.txt", *READ, *ALONE, cwd=pair)
    assert done.code == 2
    assert own(done)[-1].endswith("pip-audit asked about no package, so nothing was audited")


def test_a_dry_run_and_the_version_ask_nobody(pair):
    done = audit("pip-audit", *PINNED, "--dry-run", cwd=pair)
    assert (done.code, own(done)) == (0, [])
    assert audit("pip-audit", "--version", cwd=pair).out.startswith("pip-audit 2.")


def test_help_is_ours_and_theirs(pair):
    out = audit("pip-audit", "--help", cwd=pair).out
    assert out.index("--servelint-upstream") < out.index("usage: pip-audit")


def test_their_own_errors_come_through(pair):
    done = audit("pip-audit", *PINNED, *ALONE, "-f", "sarif", cwd=pair)
    assert done.code == 2
    assert "invalid OutputFormatChoice value: 'sarif'" in done.err


def test_wrong_settings_are_one_sentence(pair):
    fill(pair, {"servelint.toml": "bad = 1\n"})
    done = audit("pip-audit", *PINNED, *ALONE, cwd=pair)
    assert done.code == 2
    assert "unknown key 'bad'" in own(done)[-1]
    done = audit("pip-audit", *PINNED, *ALONE, "--servelint-root", "missing", cwd=pair)
    assert own(done)[-1] == "servelint: missing: --servelint-root wants a directory"


@pytest.mark.skipif(sys.platform == "win32", reason="a directory in use stays there")
def test_a_directory_that_is_gone_is_one_sentence(tmp_path, monkeypatch, capfd):
    from servelint.cli.audits import main

    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    assert main(["pip-audit", *ALONE]) == 2
    assert "servelint: the current directory: No such file" in capfd.readouterr().err


def test_nothing_in_the_audited_directory_is_imported(pair):
    fill(pair, {"pip_audit.py": "raise SystemExit(0)", "json.py": "raise SystemExit(0)"})
    assert audit("pip-audit", *PINNED, *ALONE, cwd=pair).code == 1


def test_images_and_lockfiles_are_one_audit(tmp_path):
    lock = 'lock-version = "1.0"\ncreated-by = "x"\n\n[[packages]]\nname = "sglang"\n'
    pod = "containers:\n  - image: lmsysorg/sglang:v0.5.18\n"
    root = repository(tmp_path / "r", PAIR, **{"pod.yaml": pod})
    fill(root, {"locks/pylock.toml": f'{lock}version = "0.5.19"\n'})
    line = ("--locked", "locks", "--progress-spinner", "off", "-f", "json", *ALONE)
    both = audit("pip-audit", *line, "--servelint-images", cwd=root)
    versions = {one["version"] for one in json.loads(both.out)["dependencies"]}
    assert versions == {"0.5.18", "0.5.19"}
    assert "versions in images: 1 are audited, 0 cannot be told" in both.err
    images = audit("pip-audit", *line[2:], "--servelint-images", cwd=root)
    assert [one["version"] for one in json.loads(images.out)["dependencies"]] == ["0.5.18"]


def test_an_image_is_judged_by_the_servers_that_it_starts(tmp_path):
    start = "command: [python3, -m, sglang.launch_server"
    files = {
        "old.yaml": f"containers:\n  - image: lmsysorg/sglang:v0.5.18\n    {start}]\n",
        "pair.yaml": "containers:\n  - image: lmsysorg/sglang:v0.5.20\n"
        f"    {start}, --disaggregation-mode, decode]\n",
    }
    root = repository(tmp_path / "r", "#!/bin/sh\n", **files)
    line = ("--servelint-images", "--progress-spinner", "off", *ALONE)
    done = audit("pip-audit", *line, cwd=root)
    assert done.code == 1
    assert {row.split()[1] for row in done.out.splitlines() if "SGL-" in row} == {"0.5.20"}
    said = next(one for one in own(done) if "sglang 0.5.18" in one)
    assert said.endswith("not served: not disaggregated (old.yaml:3)")


def test_an_image_of_unknown_version_is_shown_and_fails_a_strict_audit(tmp_path):
    pod = "containers:\n  - image: lmsysorg/sglang:v0.5.22\n  - image: lmsysorg/sglang:latest\n"
    root = repository(tmp_path / "r", PAIR, **{"pod.yaml": pod})
    line = ("--servelint-images", "--progress-spinner", "off", *ALONE)
    done = audit("pip-audit", *line, cwd=root)
    assert "no version specified" in done.out
    assert audit("pip-audit", *line, "--strict", cwd=root).code == 1


@pytest.mark.parametrize("line", [PINNED, ("--path", "."), (".",)])
def test_images_beside_other_sources_are_refused(pair, line):
    done = audit("pip-audit", *line, *ALONE, "--servelint-images", cwd=pair)
    assert (done.code, done.out) == (2, "")
    assert "--servelint-images: pip-audit reads lockfiles apart" in own(done)[-1]


@pytest.mark.parametrize(
    ("found", "said"),
    [
        (None, "pip-audit is not installed here: pip install 'servelint[pip-audit]'"),
        ("2.9.0", "pip-audit 2.9.0 cannot be told which OSV to ask, 2.10 or newer can"),
        ("unknown", "pip-audit unknown cannot be told"),
    ],
)
def test_another_pip_audit_is_told(monkeypatch, capfd, found, said):
    from servelint.cli.audits import main
    from servelint_pip_audit import auditing

    def version(_name):
        if found is None:
            raise metadata.PackageNotFoundError
        return found

    monkeypatch.setattr(auditing, "version", version)
    assert main(["pip-audit", *ALONE]) == 2
    assert said in capfd.readouterr().err


def test_an_audit_that_goes_around_us_is_not_clean(monkeypatch, tmp_path, capfd):
    """A pip-audit with a new option might ask elsewhere: no question, no clean end."""
    from servelint.cli.audits import main
    from servelint_pip_audit import auditing

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(auditing, "run", lambda *_: 0)
    assert main(["pip-audit", *ALONE]) == 2
    assert "asked about no package" in capfd.readouterr().err


def test_the_console_script_stands_for_pip_audit(monkeypatch, capfd):
    from servelint.cli.audits import entry

    monkeypatch.setattr(sys, "argv", ["pip-audit-servelint", "-s", "pypi"])
    assert entry() == 2
    assert "--vulnerability-service cannot be chosen here" in capfd.readouterr().err
