"""Credentials: where they come from, and that they reach nobody else."""

from __future__ import annotations

import base64
import json
import os
import stat
from urllib.parse import parse_qs

import pytest
from engine import INSIDE, LAYERS, wheel
from made_images import Image, config, packed, tar

from servelint_registry import Options, RegistryError, resolve

IMAGE = Image((packed(tar(wheel("0.5.22")), "gzip"),), config())
SECRET = "c0rrect-horse"
LOGIN = base64.b64encode(f"robot:{SECRET}".encode()).decode()


@pytest.fixture(name="docker")
def make_docker(monkeypatch, tmp_path):
    """Writes the configuration of Docker."""

    def write(table):
        text = table if isinstance(table, str) else json.dumps(table)
        (tmp_path / "config.json").write_text(text)
        monkeypatch.setenv("DOCKER_CONFIG", str(tmp_path))
        return tmp_path

    return write


def helper(folder, monkeypatch, script, name="made"):
    """A credential helper in the path."""
    program = folder / f"docker-credential-{name}"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")


def guarded(double, check, challenge):
    """Serve the image to those who bring what ``check`` accepts."""
    reference = double.serve(IMAGE)
    paths = [path for path in double.answers if path.startswith("/v2/")]
    for path in paths:

        def answer(handler, good=double.answers[path]):
            if check(handler.headers.get("Authorization", "")):
                return good
            return 401, {"Www-Authenticate": challenge}, b"{}"

        double.answers[path] = answer
    return reference


def with_basic(double):
    return guarded(double, lambda sent: sent == f"Basic {LOGIN}", 'Basic realm="made up"')


def with_token(double, service, *, realm="", accepts=None):
    """Tokens come from ``service``, which takes what ``accepts`` says."""

    def token(handler):
        sent = handler.headers.get("Authorization", "")
        if accepts is not None and not accepts(sent, handler):
            return 401, {}, b'{"details": "no"}'
        return 200, {}, json.dumps({"token": "abc.def", "access_token": "abc.def"}).encode()

    service.answers["/token"] = token
    realm = realm or f"{service.url}/token"
    challenge = f'Bearer realm="{realm}",service="made up",scope="repository:team/engine:pull"'
    return guarded(double, lambda sent: sent == "Bearer abc.def", challenge)


def look(reference, options=LAYERS):
    return resolve(reference, INSIDE, options)


def failure(reference, options=LAYERS) -> str:
    with pytest.raises(RegistryError) as caught:
        look(reference, options)
    assert SECRET not in str(caught.value)
    assert LOGIN not in str(caught.value)
    assert "abc.def" not in str(caught.value)
    return str(caught.value)


def test_basic_credentials_of_the_docker_configuration(double, docker):
    docker({"auths": {double.host: {"auth": LOGIN}}})
    assert look(with_basic(double)).version == "0.5.22"
    assert len(double.seen) == 4  # one challenge, and no second one


def test_the_localhost_of_the_configuration_is_not_every_registry(double, docker):
    docker({"auths": {"registry.example": {"auth": LOGIN}}})
    assert "wants credentials (401" in failure(with_basic(double))
    assert double.leaked() == []


def test_a_wrong_password_is_said_to_be_refused(double, docker):
    wrong = base64.b64encode(b"robot:wrong").decode()
    docker({"auths": {double.host: {"auth": wrong}}})
    text = failure(with_basic(double))
    assert "refused the credentials of the Docker configuration (401)" in text
    assert len(double.seen) == 2


def test_a_token_for_nobody(double, elsewhere):
    assert look(with_token(double, elsewhere)).version == "0.5.22"
    assert elsewhere.leaked() == []
    query = parse_qs(elsewhere.seen[0][0].partition("?")[2])
    assert query == {"service": ["made up"], "scope": ["repository:team/engine:pull"]}
    assert len(elsewhere.seen) == 1


def test_a_token_for_a_login(double, elsewhere, docker):
    docker({"auths": {f"https://{double.host}/v2/": {"auth": LOGIN}}})
    reference = with_token(double, elsewhere, accepts=lambda sent, _: sent == f"Basic {LOGIN}")
    assert look(reference).version == "0.5.22"
    assert set(double.leaked()) == {"Bearer abc.def"}


def test_a_token_that_is_refused(double, elsewhere, docker):
    docker({"auths": {double.host: {"auth": LOGIN}}})
    text = failure(with_token(double, elsewhere, accepts=lambda *_: False))
    assert "refused the credentials" in text


def test_an_identity_token_is_exchanged(double, elsewhere, docker):
    docker({"auths": {double.host: {"identitytoken": SECRET}}})

    def accepts(_, handler):
        form = parse_qs(handler.body)
        return form["grant_type"] == ["refresh_token"] and form["refresh_token"] == [SECRET]

    assert look(with_token(double, elsewhere, accepts=accepts)).version == "0.5.22"


def test_a_token_that_expires_is_asked_for_again(double, elsewhere):
    tokens = iter(["first", "second", "third"])
    elsewhere.answers["/token"] = lambda _: (200, {}, b'{"token": "%s"}' % next(tokens).encode())
    uses = []

    def check(sent):
        uses.append(sent)
        return bool(sent) and uses.count(sent) <= 2

    challenge = f'Bearer realm="{elsewhere.url}/token",service="x"'
    assert look(guarded(double, check, challenge)).version == "0.5.22"
    assert len(elsewhere.seen) == 2


@pytest.mark.parametrize("key", ["credHelpers", "credsStore"])
def test_a_credential_helper(double, docker, monkeypatch, key):
    folder = docker({key: {double.host: "made"} if key == "credHelpers" else "made"})
    helper(
        folder,
        monkeypatch,
        f'read host; echo "$host" > {folder}/asked\n'
        f'echo \'{{"Username": "robot", "Secret": "{SECRET}"}}\'',
    )
    assert look(with_basic(double)).version == "0.5.22"
    assert (folder / "asked").read_text().strip() == double.host


def test_a_helper_may_hold_an_identity_token(double, elsewhere, docker, monkeypatch):
    folder = docker({"credHelpers": {double.host: "made"}})
    helper(folder, monkeypatch, f'echo \'{{"Username": "<token>", "Secret": "{SECRET}"}}\'')
    accepts = lambda _, handler: parse_qs(handler.body)["refresh_token"] == [SECRET]  # noqa: E731
    assert look(with_token(double, elsewhere, accepts=accepts)).version == "0.5.22"


def test_a_helper_that_knows_nothing_leaves_us_nobody(double, elsewhere, docker, monkeypatch):
    folder = docker({"credsStore": "made"})
    helper(folder, monkeypatch, "echo credentials not found in native keychain; exit 1")
    assert look(with_token(double, elsewhere)).version == "0.5.22"


@pytest.mark.parametrize(
    "script", [f"echo {SECRET}", "echo '{}'", f'echo \'{{"Username": 1, "Secret": "{SECRET}"}}\'']
)
def test_a_helper_that_fails_is_named(double, docker, monkeypatch, script):
    folder = docker({"credsStore": "made"})
    helper(folder, monkeypatch, script)
    text = failure(with_basic(double))
    assert "the credential helper docker-credential-made, which did not work" in text


def test_a_helper_that_is_missing_is_named(double, docker):
    docker({"credsStore": "absent-everywhere"})
    assert "docker-credential-absent-everywhere" in failure(with_basic(double))


def test_a_helper_is_named_by_its_name_only(double, docker):
    docker({"credsStore": "../../bin/sh"})
    assert "no proper name" in failure(with_basic(double))


def test_no_helper_is_asked_before_the_registry_asks(double, docker, monkeypatch):
    folder = docker({"credsStore": "made"})
    helper(folder, monkeypatch, f"touch {folder}/asked; exit 1")
    look(double.serve(IMAGE))
    assert not (folder / "asked").exists()


@pytest.mark.parametrize("text", ["", "{", "[" * 100_000])
def test_a_damaged_docker_configuration_is_one_sentence(double, docker, text):
    docker(text)
    assert "the Docker configuration" in failure(with_basic(double))


@pytest.mark.parametrize(
    "table",
    [
        [],
        {"auths": [], "credHelpers": 1, "credsStore": {}},
        {"auths": {"HOST": 1}},
        {"auths": {"HOST": {"auth": "not base64 \r\nX-Evil: 1"}}},
        {"auths": {"HOST": {"auth": 7}}},
    ],
)
def test_a_docker_configuration_of_wrong_types_has_no_credentials(double, docker, table):
    docker(json.dumps(table).replace("HOST", double.host))
    assert "wants credentials" in failure(with_basic(double))
    assert double.leaked() == []


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
@pytest.mark.parametrize("kind", ["basic", "token"])
def test_credentials_never_follow_a_redirect(double, elsewhere, docker, status, kind):
    docker({"auths": {double.host: {"auth": LOGIN}}})
    reference = with_basic(double) if kind == "basic" else with_token(double, double)
    moved = 0
    for path, guard in list(double.answers.items()):
        if not path.startswith("/v2/"):
            continue
        good = IMAGE.manifest() if "manifests" in path else IMAGE.blobs()[path.rpartition("/")[2]]
        elsewhere.answers[path] = (200, {}, good)

        def answer(handler, guard=guard):
            found = guard(handler)
            if found[0] != 200:
                return found
            return status, {"Location": f"{elsewhere.url}{handler.path}"}, b"x" * 1000

        double.answers[path] = answer
        moved += 1
    assert look(reference).version == "0.5.22"
    assert moved
    assert len(elsewhere.seen) == 3
    assert elsewhere.leaked() == []
    assert len(double.leaked()) >= 3


def test_credentials_do_not_follow_a_redirect_of_the_token_service(double, elsewhere, docker):
    docker({"auths": {double.host: {"auth": LOGIN}}})
    reference = with_token(double, double)
    double.answers["/token"] = (307, {"Location": f"{elsewhere.url}/token"}, b"")
    elsewhere.answers["/token"] = (200, {}, b'{"token": "abc.def"}')
    assert look(reference).version == "0.5.22"
    assert elsewhere.leaked() == []


def test_an_identity_token_is_not_sent_after_a_redirect(double, elsewhere, docker):
    docker({"auths": {double.host: {"identitytoken": SECRET}}})
    reference = with_token(double, double)
    double.answers["/token"] = (307, {"Location": f"{elsewhere.url}/token"}, b"")
    assert "redirected to nowhere" in failure(reference)
    assert elsewhere.seen == []


def test_credentials_of_netrc_are_not_used(double, elsewhere, monkeypatch, tmp_path):
    (tmp_path / "netrc").write_text(f"machine 127.0.0.1 login robot password {SECRET}\n")
    monkeypatch.setenv("NETRC", str(tmp_path / "netrc"))
    assert "wants credentials" in failure(with_basic(double))
    assert look(with_token(double, elsewhere)).version == "0.5.22"
    assert [one for one in (*double.leaked(), *elsewhere.leaked()) if "Basic" in one] == []


@pytest.mark.parametrize(
    "realm", ["http://registry.example/token", "token", "ftp://127.0.0.1/", "registry.example"]
)
def test_a_token_service_without_https_is_not_asked(double, elsewhere, docker, realm):
    docker({"auths": {double.host: {"auth": LOGIN}}})
    text = failure(with_token(double, elsewhere, realm=realm))
    assert "names a token service that is not https" in text


@pytest.mark.parametrize(
    "body", [b"<html>", b"[]", b'{"token": 7}', b'{"token": "a\\r\\nX: y"}', b"{}"]
)
def test_a_token_service_that_answers_nonsense_is_one_sentence(double, elsewhere, body):
    reference = with_token(double, elsewhere)
    elsewhere.answers["/token"] = (200, {}, body)
    text = failure(reference)
    assert "token service" in text or "wants credentials" in text


def test_a_token_that_is_larger_than_anything_is_not_read(double, elsewhere):
    reference = with_token(double, elsewhere)
    elsewhere.answers["/token"] = (200, {}, b" " * 8_100_000)
    assert "sent more than 8,000,000 bytes" in failure(reference)


@pytest.mark.parametrize(
    "challenge", ["", "Negotiate", "Bearer", "Basic", 'Bearer realm="', "Bearer " + "a" * 60_000]
)
def test_a_challenge_that_is_none_is_one_sentence(double, challenge):
    reference = guarded(double, lambda _: False, challenge)
    text = failure(reference)
    assert "wants credentials" in text or "token service" in text or "at great length" in text


def test_credentials_are_not_told_without_https(double, docker, monkeypatch):
    docker({"auths": {"registry.example": {"auth": LOGIN}}})
    monkeypatch.setenv("HTTP_PROXY", double.url)  # the double stands for the other machine
    with_basic(double)
    for path, answer in list(double.answers.items()):
        double.answers[f"http://registry.example{path}"] = answer
    text = failure("registry.example/team/engine:v1", Options(plain_http=True))
    assert "wants credentials" in text
    assert double.seen
    assert double.leaked() == []
