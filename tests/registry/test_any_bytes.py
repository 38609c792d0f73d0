"""Whatever a registry sends: an answer or one sentence, and streams that are what they hold."""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import tarfile
from contextlib import suppress

import pytest
import zstandard
from engine import INSIDE, tree, wheel
from hypothesis import given
from hypothesis import strategies as st
from made_images import SITE, packed, tar

from servelint_registry.address import address_of
from servelint_registry.conclusion import conclude, is_enough, read_version
from servelint_registry.configuration import read_configuration
from servelint_registry.errors import Problem, RegistryError
from servelint_registry.history import read_value
from servelint_registry.overlay import Overlay, clean
from servelint_registry.statements import read_statement
from servelint_registry.stream import Counted, opened
from servelint_registry.wanted import wanted_of

WANTED = wanted_of(INSIDE)
ADDRESS = address_of("registry.example/team/engine:v0.5.22", plain_http=False)
NOTHING = read_configuration({}, 1, "")


class Body:
    """A network that gives what it has in pieces of some size."""

    def __init__(self, data: bytes, piece: int) -> None:
        self._data = io.BytesIO(data)
        self._piece = piece

    def read(self, size: int) -> bytes:
        return self._data.read(min(size, self._piece))


def source_of(data: bytes, piece: int = 1 << 16) -> Counted:
    digest = f"sha256:{hashlib.sha256(data).hexdigest()}"
    return Counted(Body(data, piece), digest, len(data), lambda _: None)


def pack(data: bytes, how: str) -> bytes:
    half = len(data) // 2
    if how == "gzip":
        return gzip.compress(data[:half]) + gzip.compress(data[half:])
    if how == "zstd":
        one = zstandard.ZstdCompressor().compress
        return one(data[:half]) + one(data[half:])
    return data


@given(
    st.binary(max_size=4000),
    st.sampled_from(["gzip", "zstd", "plain"]),
    st.integers(1, 300),
    st.lists(st.integers(0, 500), max_size=12),
)
def test_a_stream_gives_what_was_packed(data, how, piece, jumps):
    data = b"tar " + data
    source = source_of(pack(data, how), piece)
    stream, at = opened(source), 0
    for number, size in enumerate(jumps):
        if number % 2:
            stream.seek(at + size)
        else:
            assert stream.read(size) == data[at : at + size]
        at = min(len(data), at + size)
        assert stream.tell() == at
    stream.drain()
    assert source.is_verified
    assert stream.read(1) == b""


@given(st.binary(max_size=3000), st.sampled_from([b"", b"\x1f\x8b", b"\x28\xb5\x2f\xfd"]))
def test_no_bytes_break_the_reading_of_a_layer(data, start):
    overlay = Overlay(WANTED)
    with suppress(Problem):
        stream = opened(source_of(start + data))
        overlay.read_layer(stream, 1, lambda: is_enough(overlay, NOTHING, at_end=False))
        stream.drain()


@given(st.data())
def test_no_damage_to_a_layer_breaks_its_reading(data):
    archive = bytearray(tar(wheel("0.5.22")))
    for _ in range(data.draw(st.integers(1, 5))):
        place = data.draw(st.integers(0, len(archive) - 1))
        archive[place] = data.draw(st.integers(0, 255))
    overlay = Overlay(WANTED)
    with suppress(Problem):
        overlay.read_layer(opened(source_of(bytes(archive))), 1, lambda: False)
    conclude(overlay, NOTHING, 1)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=12,
)
configurations = st.fixed_dictionaries(
    {},
    optional={
        "created": json_values,
        "config": json_values
        | st.fixed_dictionaries(
            {},
            optional={
                "Env": json_values
                | st.lists(st.sampled_from(["PATH=/a/bin", "ENGINE_VERSION=v0.5.9"])),
                "Labels": json_values | st.dictionaries(st.just("build.tag"), st.text(max_size=9)),
                "Entrypoint": json_values,
                "WorkingDir": json_values,
            },
        ),
        "history": json_values
        | st.lists(st.fixed_dictionaries({"created_by": st.text(max_size=60)}), max_size=4),
    },
)


@given(configurations, st.integers(0, 4))
def test_no_configuration_breaks_its_reading(table, layers):
    found = read_configuration(json.loads(json.dumps(table)), layers, INSIDE.oldest)
    told = read_statement(found, INSIDE, ADDRESS)
    assert told.version or told.reason
    assert not told.clears


@given(st.text(max_size=80))
def test_no_text_breaks_the_small_readers(text):
    read_value(text, INSIDE)
    read_version(text)
    assert ".." not in clean(text).split("/")
    with suppress(RegistryError):
        address = address_of(text, plain_http=False)
        assert address.origin.startswith(("https://", "http://"))


@given(st.permutations(sorted(wheel("0.5.22"))))
def test_the_order_of_files_in_a_layer_does_not_matter(names):
    files = wheel("0.5.22")
    overlay = Overlay(WANTED)
    overlay.read_layer(opened(source_of(tar({n: files[n] for n in names}))), 1, lambda: False)
    told = conclude(overlay, NOTHING, 1)
    assert (told.version, told.clears, told.fixes) == ("0.5.22", True, (101, 202, 303))


@given(st.lists(st.sampled_from(["0.5.19", "0.5.22", "gone", "other"]), min_size=1, max_size=5))
def test_layers_give_what_laying_them_over_each_other_gives(steps):
    """The same as an unpacked image, for every early end that is allowed."""
    disk, layers = {}, []
    for step in steps:
        layer = {"opt/other": "x"}
        if step == "gone":
            layer |= {f"{SITE}/.wh.engine": ""}
            layer |= {
                f"{SITE}/.wh.engine-{version}.dist-info": "" for version in ("0.5.19", "0.5.22")
            }
            disk.clear()
        elif step != "other":
            layer |= wheel(step, holds=() if step == "0.5.19" else (101, 202, 303))
            old = "0.5.22" if step == "0.5.19" else "0.5.19"
            layer[f"{SITE}/.wh.engine-{old}.dist-info"] = ""
            disk = {"version": step}
        layers.append(layer)
    found = read_configuration({"config": {"Env": ["PATH=/usr/local/bin"]}}, len(layers), "")
    overlay = Overlay(WANTED)
    for number in range(len(layers), 0, -1):
        stream = opened(source_of(packed(tar(layers[number - 1]), "gzip")))
        early = overlay.read_layer(stream, number, lambda: is_enough(overlay, found, at_end=False))
        if early or is_enough(overlay, found, at_end=True):
            break
    told = conclude(overlay, found, len(layers))
    assert (told.version if told else "") == disk.get("version", "")


@pytest.mark.parametrize("kind", [tarfile.FIFOTYPE, tarfile.CHRTYPE, tarfile.BLKTYPE])
def test_a_device_where_a_file_should_be_is_no_file(kind):
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as archive:
        for path in tree("srv/engine"):
            info = tarfile.TarInfo(path)
            info.type = kind
            archive.addfile(info)
    overlay = Overlay(WANTED)
    overlay.read_layer(opened(source_of(out.getvalue())), 1, lambda: False)
    told = conclude(overlay, NOTHING, 1)
    assert (told.fixes, told.absent, told.clears) == ((), (), False)
