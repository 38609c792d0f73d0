"""Registries that misbehave: one sentence each, bounded, and nothing secret in it."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path

import pytest
from engine import ALL, INSIDE, LAYERS, wheel
from made_images import CONFIG, OCI_INDEX, Image, config, descriptor, index, packed, tar

from servelint_registry import Options, RegistryError, resolve

IMAGE = Image((packed(tar(wheel("0.5.22")), "gzip"),), config())
MANIFEST = "/v2/team/engine/manifests/v1"
CONFIG_URL = f"/v2/team/engine/blobs/{descriptor(IMAGE.config_blob(), CONFIG)['digest']}"
LAYER_URL = f"/v2/team/engine/blobs/{descriptor(IMAGE.layers[0], '')['digest']}"


def failure(reference, options=LAYERS) -> str:
    with pytest.raises(RegistryError) as caught:
        resolve(reference, INSIDE, options)
    text = str(caught.value)
    assert "\n" not in text
    return text


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ((404, {}, b"{}"), "has nothing (404)"),
        ((403, {}, b"{}"), "wants credentials (403"),
        ((401, {}, b"{}"), "wants credentials (401"),
        ((400, {}, b"{}"), "answered that the request is wrong (400)"),
        ((418, {}, b"{}"), "answered 418"),
        ((204, {}, b""), "answered 204"),
        ((200, {"Content-Type": "text/html"}, b"<p>Sign in"), "sent a page of HTML"),
        ((200, {}, b"\n<!DOCTYPE html><p>Sign in"), "sent a page of HTML"),
        ((200, {}, b"[1]"), "sent something that is no JSON table"),
        ((200, {}, b"{" * 5000), "sent something that is no JSON table"),
        ((200, {}, b"[" * 200_000), "sent something that is no JSON table"),
        ((200, {}, b'{"a": ' + b"9" * 9000 + b"}"), "sent something that is no JSON table"),
        ((200, {"Content-Length": 500}, b"{}"), "broke off its answer"),
        ((200, {}, b"{}" + b" " * 8_100_000), "sent more than 8,000,000 bytes"),
        ((200, {"Docker-Content-Digest": f"sha256:{'0' * 64}"}, b"{}"), "with another digest"),
        ((200, {"Docker-Content-Digest": "sha256:x"}, b"{}"), "which is none"),
        ((302, {"Location": "http://registry.example/x"}, b""), "to a place that is not https"),
        ((302, {"Location": "file:///etc/passwd"}, b""), "redirected to nowhere"),
        ((302, {}, b""), "redirected more than 3 times"),
        ((307, {"Location": MANIFEST}, b""), "redirected more than 3 times"),
        ((302, {"Location": "https://[::bad/"}, b""), "gave an address that is none"),
        ((302, {"Location": "https://a b:port/"}, b""), "gave an address that is none"),
    ],
)
def test_a_manifest_that_cannot_be_had_is_one_sentence(double, answer, words):
    double.answers[MANIFEST] = answer
    text = failure(f"{double.host}/team/engine:v1")
    assert words in text
    assert text.startswith(double.host)
    assert text.endswith("when asked for the manifest of team/engine:v1")


@pytest.mark.parametrize(
    ("url", "answer", "words"),
    [
        (CONFIG_URL, (404, {}, b""), "has nothing (404)"),
        (CONFIG_URL, (200, {}, b'{"config": {}}'), "with another digest"),
        (CONFIG_URL, (200, {"Content-Type": "text/html"}, b"<p>"), "a page of HTML"),
        (LAYER_URL, (404, {}, b""), "has nothing (404)"),
        (LAYER_URL, (200, {}, IMAGE.layers[0][:-50]), " bytes when asked"),
        (LAYER_URL, (200, {}, IMAGE.layers[0] + b"more"), "sent more than"),
        (LAYER_URL, (200, {"Content-Length": len(IMAGE.layers[0])}, b"\x1f\x8b\x08"), "broke off"),
        (LAYER_URL, (200, {}, b"\x1f\x8b" + b"x" * (len(IMAGE.layers[0]) - 2)), "is damaged"),
        (LAYER_URL, (200, {}, b"\x28\xb5\x2f\xfd" + IMAGE.layers[0][4:]), "is damaged"),
    ],
)
def test_a_blob_that_is_bad_is_one_sentence(double, url, answer, words):
    reference = double.serve(IMAGE)
    double.answers[url] = answer
    text = failure(reference)
    assert words in text
    what = "the configuration" if url == CONFIG_URL else "layer 1 of 1"
    assert f"when asked for {what} of team/engine:v1" in text


@pytest.mark.parametrize("data", [b"x" * 600, b"x", b"\x1f\x8b", packed(b"x" * 600, "zstd")])
def test_a_layer_that_is_no_archive_is_one_sentence(double, data):
    text = failure(double.serve(Image((data,), config())))
    assert "sent a layer that is no tar archive" in text or "is damaged" in text


def test_an_empty_layer_is_empty(double):
    found = resolve(
        double.serve(Image((b"", packed(b"\0" * 1024, "gzip")), config())), INSIDE, LAYERS
    )
    assert found.detail.endswith("engine was not found in its layers")


def test_a_layer_with_another_digest_is_refused(double):
    image = Image((packed(tar({"a": "b"}), "plain"),), config())
    reference = double.serve(image)
    url = next(key for key in double.answers if descriptor(image.layers[0], "")["digest"] in key)
    double.answers[url] = (200, {}, image.layers[0].replace(b"b", b"c", 1))
    assert "with another digest" in failure(reference)


def test_a_digest_asked_for_must_be_the_digest_of_the_answer(double):
    double.serve(IMAGE)
    other = f"sha256:{'1' * 64}"
    double.answers[f"/v2/team/engine/manifests/{other}"] = (200, {}, IMAGE.manifest())
    assert "with another digest" in failure(f"{double.host}/team/engine@{other}")


@pytest.mark.parametrize(
    "row",
    [
        {"digest": "sha256:abc", "size": 3},
        {"digest": "md5:" + "0" * 32, "size": 3},
        {"digest": f"sha256:{'0' * 64}", "size": -1},
        {"digest": f"sha256:{'0' * 64}", "size": True},
        {"digest": f"sha256:{'0' * 64}/../../x", "size": 1},
        {},
        "layer",
    ],
)
def test_a_manifest_with_damaged_rows_is_one_sentence(double, row):
    for table in ({"config": row, "layers": []}, {"config": {}, "layers": [row]}):
        if table["config"] == "layer":
            continue
        data = json.dumps(json.loads(IMAGE.manifest()) | table).encode()
        double.answers[MANIFEST] = (200, {}, data)
        assert "sent a manifest with a" in failure(f"{double.host}/team/engine:v1")


@pytest.mark.parametrize("schema", [{"schemaVersion": 1, "fsLayers": []}, {"config": 1}, {}])
def test_a_manifest_of_another_kind_is_one_sentence(double, schema):
    double.answers[MANIFEST] = (200, {}, json.dumps(schema).encode())
    assert "has no image of today's form" in failure(f"{double.host}/team/engine:v1")


def test_an_index_without_the_platform_says_what_it_has(double):
    row = descriptor(
        IMAGE.manifest(), IMAGE.kind, platform={"os": "linux", "architecture": "arm64"}
    )
    double.answers[MANIFEST] = (200, {"Content-Type": OCI_INDEX}, index([row, "x", {}]))
    text = failure(f"{double.host}/team/engine:v1")
    assert text.endswith("has no image for linux/amd64 under team/engine:v1: it has 'linux/arm64'")


def test_an_index_that_names_itself_ends(double):
    row = {"digest": f"sha256:{'1' * 64}", "size": 1}
    data = index([row])
    double.answers[MANIFEST] = (200, {}, data)
    double.answers[f"/v2/team/engine/manifests/{row['digest']}"] = (200, {}, data)
    assert "with another digest" in failure(f"{double.host}/team/engine:v1")


def test_a_busy_registry_is_asked_again(double):
    reference = double.serve(IMAGE)
    good, calls = double.answers[MANIFEST], []

    def answer(_):
        calls.append(1)
        if len(calls) == 1:
            return 429, {"Retry-After": "0"}, b"{}"
        return (503, {}, b"") if len(calls) == 2 else good

    double.answers[MANIFEST] = answer
    assert resolve(reference, INSIDE, Options()).digest
    assert len(calls) == 3


@pytest.mark.parametrize(
    "wait", ["86400", "99999999999", "-1", "soon", "Wed, 21 Oct 2099 07:28:00 GMT", "1.5"]
)
def test_a_registry_that_wants_us_to_wait_for_long_is_left(double, wait):
    double.answers[MANIFEST] = (429, {"Retry-After": wait}, b"{}")
    started = time.monotonic()
    assert "too many requests (429)" in failure(f"{double.host}/team/engine:v1")
    assert time.monotonic() - started < 2
    assert len(double.seen) == 1


def test_a_date_in_the_past_asks_for_no_wait(double):
    answer = (429, {"Retry-After": "Wed, 21 Oct 2015 07:28:00 GMT"}, b"{}")
    double.answers[MANIFEST] = answer
    failure(f"{double.host}/team/engine:v1")
    assert len(double.seen) == 3


def test_a_registry_that_is_down_is_asked_three_times(double):
    double.answers[MANIFEST] = (500, {}, b"oops")
    assert "answered 500" in failure(f"{double.host}/team/engine:v1")
    assert len(double.seen) == 3


def test_a_slow_registry_costs_no_more_than_the_time_that_it_has(double):
    def slow(handler):
        handler.send_response(200)
        handler.send_header("Content-Length", "1000")
        handler.end_headers()
        for _ in range(100):
            handler.wfile.write(b" ")
            handler.wfile.flush()
            time.sleep(0.05)
        return None, {}, b""

    double.answers[MANIFEST] = slow
    started = time.monotonic()
    text = failure(f"{double.host}/team/engine:v1", Options(seconds=0.4))
    assert time.monotonic() - started < 2
    assert "was not done after 0.4 s" in text


def test_a_silent_registry_costs_no_more_than_the_time_that_it_has(double):
    def silent(_):
        time.sleep(1.5)
        return None, {}, b""

    double.answers[MANIFEST] = silent
    started = time.monotonic()
    text = failure(f"{double.host}/team/engine:v1", Options(seconds=0.3))
    assert time.monotonic() - started < 1.2
    assert "was not done after 0.3 s" in text


def test_time_that_is_spent_in_a_layer_leaves_what_the_configuration_says(double):
    image = Image(IMAGE.layers, config(created="2026-01-01T00:00:00Z"))
    reference = double.serve(image)

    def slow(_):
        time.sleep(0.5)
        return None, {}, b""

    double.answers[LAYER_URL] = slow
    found = resolve(reference, INSIDE, Options(layers=True, seconds=0.3))
    assert (found.absent, found.clears, found.reason) == (ALL, False, "")
    assert "was not done after 0.3 s" in found.detail


def test_a_server_that_falls_silent_is_left(double, monkeypatch):
    monkeypatch.setattr("servelint_registry.transport.SILENT_SECONDS", 0.2)

    def silent(_):
        time.sleep(1)
        return None, {}, b""

    double.answers[MANIFEST] = silent
    assert "did not answer in time" in failure(f"{double.host}/team/engine:v1")


def test_a_blob_may_lie_elsewhere(double, elsewhere):
    reference = double.serve(IMAGE)
    elsewhere.answers["/store"] = double.answers[LAYER_URL]
    double.answers[LAYER_URL] = (307, {"Location": f"{elsewhere.url}/store?signature=secret"}, b"")
    assert resolve(reference, INSIDE, LAYERS).version == "0.5.22"
    elsewhere.answers["/store"] = (403, {}, b"signature=secret expired")
    assert "secret" not in failure(reference)


def test_nothing_answers():
    text = failure("127.0.0.1:1/team/engine:v1")
    assert text == "127.0.0.1:1 could not be reached when asked for the manifest of team/engine:v1"


def test_another_machine_is_not_asked_without_https(double, monkeypatch):
    monkeypatch.setenv("HTTPS_PROXY", double.url)
    text = failure("registry.example/team/engine:v1")
    assert text.startswith("registry.example could not be reached through the proxy")
    assert [path for path, _ in double.seen if "/v2/" in path] == []


@pytest.mark.parametrize(
    "reference",
    [
        "",
        "Team/Engine:v1",
        "registry.example/a b",
        "registry.example/team/engine:v1:v2",
        "registry.example/team/engine@sha256:abc",
        "user:pass@registry.example/team/engine",
        "registry.example:x/team/engine",
        "registry.example/../engine",
        "--privileged",
        "${REGISTRY}/engine:v1",
        "a" * 600,
    ],
)
def test_text_that_is_no_reference_is_not_asked_for(reference):
    text = failure(reference)
    assert "is no image reference" in text
    assert len(text) < 250


def test_nothing_heavy_is_imported_before_it_is_used():
    code = (
        "import sys, servelint_registry\n"
        "bad = {'oras', 'requests', 'urllib3', 'zstandard', 'jsonschema', 'subprocess'}\n"
        "print(sorted(bad & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path[:0] = {sys.path!r}\n{code}"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "[]\n"


def test_without_oras_it_says_what_to_install(tmp_path: Path):
    (tmp_path / "oras.py").write_text("raise ModuleNotFoundError('no oras', name='oras')")
    code = (
        "import servelint_registry as r\n"
        "from servelint.api import Inside\n"
        "try:\n    r.resolve('registry.example/a:b', Inside((), 'a'), r.Options())\n"
        "except r.RegistryError as error:\n    print(error)"
    )
    paths = [str(tmp_path), *sys.path]
    done = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path[:0] = {paths!r}\n{code}"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert "pip install 'servelint[registry]'" in done.stdout


def test_no_library_writes_to_the_terminal(double, capfd):
    double.answers[MANIFEST] = (401, {"Www-Authenticate": 'Bearer realm="x",service="y"'}, b"")
    failure(f"{double.host}/team/engine:v1")
    double.answers[MANIFEST] = (500, {}, b'{"errors": [{"message": "secret"}]}')
    failure(f"{double.host}/team/engine:v1")
    assert capfd.readouterr() == ("", "")
