"""The same, end to end, with the registry that Debian packages."""

from __future__ import annotations

import base64
import json

import pytest
import registry_server
from engine import ALL, INSIDE, LAYERS, NEW, OLD, editable, tree, wheel
from made_images import SITE, Image, Pusher, config, descriptor, index, packed, tar
from test_bounds import deep

from servelint_registry import Options, RegistryError, resolve

BASE = {"etc/os-release": "made up"}
HASH_OF_PASS = "$2b$05$abcdefghijklmnopqrstuuZFBUbfXoM8LFiPx8LYlO/sXZB/Cwk3K"
AMD, ARM = {"os": "linux", "architecture": "amd64"}, {"os": "linux", "architecture": "arm64"}


@pytest.fixture(name="push")
def make_push(registry, request):
    name = f"made/{request.node.name.partition('[')[0].replace('_', '-')}"
    return Pusher(registry, name), f"{registry}/{name}"


def image(*layers, how="gzip", docker=False, **about):
    packs = tuple(
        one if isinstance(one, bytes) else packed(tar(one), how) for one in (BASE, *layers)
    )
    return Image(packs, config(**about), docker)


@pytest.mark.parametrize("how", ["gzip", "zstd", "plain"])
@pytest.mark.parametrize("docker", [True, False])
def test_layers_of_every_kind(push, how, docker):
    pusher, name = push
    digest = pusher.image(image(wheel("0.5.22"), how=how, docker=docker), "v1")
    found = resolve(f"{name}:v1", INSIDE, LAYERS)
    assert (found.version, found.fixes, found.clears) == ("0.5.22", ALL, True)
    assert (found.digest, found.platform_digest) == (digest, digest)
    assert f"{found.repository}:v1" == f"{name}:v1"
    assert resolve(f"{name}@{digest}", INSIDE, LAYERS).version == "0.5.22"


@pytest.mark.parametrize("docker", [True, False])
def test_an_index_gives_the_image_of_the_platform(push, docker):
    pusher, name = push
    new, old = image(wheel("0.5.22"), docker=docker), image(wheel("0.5.20", holds=(OLD,)))
    rows = [
        descriptor(
            one.manifest(), one.kind, platform=platform, **({"annotations": notes} if notes else {})
        )
        for one, platform, notes in (
            (old, {"os": "unknown", "architecture": "unknown"}, None),
            (old, AMD, {"vnd.docker.reference.type": "attestation-manifest"}),
            (old, ARM | {"variant": "v8"}, None),
            (new, AMD, None),
        )
        if not (docker and (notes or platform["os"] == "unknown"))
    ]
    pusher.image(new, "new")
    pusher.image(old, "old")
    data = index(rows, docker=docker)
    digest = pusher.manifest(data, json.loads(data)["mediaType"], "v1")
    found = resolve(f"{name}:v1", INSIDE, LAYERS)
    assert (found.version, found.digest) == ("0.5.22", digest)
    assert found.platform_digest not in ("", digest)
    arm = resolve(f"{name}:v1", INSIDE, Options(platform="linux/arm64", layers=True))
    assert (arm.version, arm.absent[0]) == ("0.5.20", NEW)
    with pytest.raises(RegistryError, match=r"no image for linux/s390x .*: it has 'linux/"):
        resolve(f"{name}:v1", INSIDE, Options(platform="linux/s390x"))


def test_an_upgrade_on_top_with_a_whiteout(push):
    pusher, name = push
    gone = {f"{SITE}/.wh.engine-0.5.19.dist-info": ""}
    pusher.image(image(wheel("0.5.19", holds=()), wheel("0.5.22") | gone), "v1")
    found = resolve(f"{name}:v1", INSIDE, LAYERS)
    assert (found.version, found.fixes) == ("0.5.22", ALL)
    assert found.evidence.startswith("layer 3 of 3: engine-0.5.22.dist-info")


def test_an_editable_install_with_two_source_trees(push):
    pusher, name = push
    stale, used = tree("code/engine/python/engine", "0.5.7", holds=()), tree("srv/engine", "0.5.22")
    pusher.image(image(stale, used, editable("0.5.22", "/srv")), "v1")
    found = resolve(f"{name}:v1", INSIDE, LAYERS)
    assert (found.version, found.fixes, found.absent) == ("0.5.22", ALL, ())


@pytest.mark.parametrize("how", ["gzip", "zstd"])
def test_a_deep_layer(push, how):
    pusher, name = push
    pusher.image(image(deep(how, 40), {"a": "b"}, how=how), "v1")
    found = resolve(f"{name}:v1", INSIDE, LAYERS)
    assert found.version == "0.5.22"
    assert found.bytes_read > 40_000_000


def test_a_configuration_alone(push):
    pusher, name = push
    labels = {"build.tag": "v0.5.22"}
    step = ("|1 ENGINE_VER=0.5.22 /bin/sh -c git clone x", "-LABEL build.tag=v0.5.22")
    pusher.image(
        Image((packed(tar(BASE), "gzip"),), config(labels=labels, history=step)), "v0.5.22"
    )
    found = resolve(f"{name}:v0.5.22", INSIDE, Options())
    assert (found.version, found.clears) == ("0.5.22", True)


def test_what_is_not_there(push):
    _, name = push
    with pytest.raises(RegistryError, match="has nothing \\(404\\)"):
        resolve(f"{name}:v1", INSIDE, Options())


def test_basic_credentials(tmp_path, monkeypatch):
    if not registry_server.is_installed():
        pytest.skip(registry_server.MISSING)
    (tmp_path / "htpasswd").write_text(f"robot:{HASH_OF_PASS}\n")
    auth = f"auth: {{htpasswd: {{realm: made up, path: {tmp_path}/htpasswd}}}}"
    with registry_server.running(tmp_path, auth) as host:
        with pytest.raises(RegistryError, match=r"wants credentials \(401"):
            resolve(f"{host}/made/engine:v1", INSIDE, Options())
        login = base64.b64encode(b"robot:pass").decode()
        (tmp_path / "config.json").write_text(json.dumps({"auths": {host: {"auth": login}}}))
        monkeypatch.setenv("DOCKER_CONFIG", str(tmp_path))
        with pytest.raises(RegistryError, match=r"has nothing \(404\)"):
            resolve(f"{host}/made/engine:v1", INSIDE, Options())
