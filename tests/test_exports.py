"""``servelint export`` and ``servelint advisories status``: files for others, and questions."""

from __future__ import annotations

import json
import threading
import zipfile
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from trees import POD, fill

from servelint.cli import main


@pytest.fixture
def root(tmp_path, monkeypatch):
    fill(tmp_path, {"a.yaml": POD})
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("kind", ["openvex", "cyclonedx"])
def test_a_document_is_printed_or_written(root, capsys, kind):
    assert main(["export", kind]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert main(["export", kind, "--output", "out/vex.json"]) == 0
    written = json.loads((root / "out/vex.json").read_text())
    assert written.keys() == printed.keys()
    assert "SGL-2026-0001" in json.dumps(written)


def test_records_are_files_and_one_archive(root, capsys):
    assert main(["export", "osv", "--output", "db"]) == 0
    names = {path.name for path in (root / "db/PyPI").glob("*.json")}
    with zipfile.ZipFile(root / "db/PyPI/all.zip") as archive:
        assert set(archive.namelist()) == names
        record = json.loads(archive.read("x_SGL-2026-0001.json"))
    assert "SGL-2026-0001" in record["aliases"]
    capsys.readouterr()
    assert main(["export", "osv"]) == 0
    assert {f"{one['id']}.json" for one in json.loads(capsys.readouterr().out)} == names


def test_an_archive_of_the_same_records_is_the_same(root):
    main(["export", "osv", "--output", "one"])
    main(["export", "osv", "--output", "two"])
    assert (root / "one/PyPI/all.zip").read_bytes() == (root / "two/PyPI/all.zip").read_bytes()


# -- asking -------------------------------------------------------------------


@pytest.fixture
def endpoint():
    """An OSV endpoint on this machine that answers every query alike."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            server.asked.append(asked["package"]["name"])
            data = server.answer if isinstance(server.answer, bytes) else json.dumps(server.answer)
            data = data if isinstance(data, bytes) else data.encode()
            self.send_response(server.code)
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_args):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.answer, server.code, server.asked = {}, 200, []
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield server
    server.shutdown()
    server.server_close()
    thread.join()


def ask(server, capsys):
    code = main(["advisories", "status", "--upstream", f"http://127.0.0.1:{server.server_port}"])
    said = capsys.readouterr()
    return code, said.out, said.err


def line(out, name="SGL-2026-0001"):
    (found,) = [one for one in out.splitlines() if one.startswith(f"{name}: ")]
    return found


@pytest.mark.usefixtures("root")
def test_there_is_no_record_yet(endpoint, capsys):
    code, out, _ = ask(endpoint, capsys)
    assert (code, line(out)) == (0, "SGL-2026-0001: no record")
    assert endpoint.asked == ["sglang", "vllm"]


@pytest.mark.usefixtures("root")
def test_a_record_with_the_same_sources_is_shown(endpoint, capsys):
    pull = "https://github.com/sgl-project/sglang/pull/36988"
    endpoint.answer = {"vulns": [{"id": "GHSA-1", "references": [{"url": pull}]}]}
    code, out, _ = ask(endpoint, capsys)
    assert code == 1
    assert line(out) == (
        "SGL-2026-0001: a record names the same sources: alias GHSA-1 if it is the same"
    )


@pytest.mark.usefixtures("root")
def test_a_record_under_a_known_name_may_have_more_names(endpoint, capsys):
    endpoint.answer = {"vulns": [{"id": "GHSA-2", "aliases": ["SGL-2026-0001", "CVE-9-9"]}]}
    code, out, _ = ask(endpoint, capsys)
    assert code == 1
    assert line(out) == "SGL-2026-0001: recorded as GHSA-2: alias CVE-9-9, GHSA-2"


@pytest.mark.parametrize(
    ("code", "answer", "said"),
    [
        (500, {}, "answered 500 to a query"),
        (200, b"<html>", "is no OSV answer"),
        (200, b"[]", "is no OSV answer"),
        (200, {"vulns": 1}, "is no OSV answer"),
        (200, {"next_page_token": "again"}, "more than 50 pages"),
    ],
)
@pytest.mark.usefixtures("root")
def test_an_answer_that_is_none_is_one_sentence(endpoint, capsys, code, answer, said):
    endpoint.code, endpoint.answer = code, answer
    result, out, err = ask(endpoint, capsys)
    assert (result, out) == (2, "")
    assert said in err
    assert err.count("\n") == 1


@pytest.mark.parametrize("url", ["ftp://a.example", "nowhere", "http://", "file:///etc/passwd"])
@pytest.mark.usefixtures("root")
def test_an_address_that_is_none_is_refused(capsys, url):
    assert main(["advisories", "status", "--upstream", url]) == 2
    assert "expected the http address" in capsys.readouterr().err


@pytest.mark.usefixtures("root")
def test_nobody_at_home_is_one_sentence_without_secrets(capsys):
    assert main(["advisories", "status", "--upstream", "http://me:secret@127.0.0.1:1"]) == 2
    err = capsys.readouterr().err
    assert "cannot be asked" in err
    assert "secret" not in err
