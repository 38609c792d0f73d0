"""What a look costs at most: time, memory, bytes over the network."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import zlib

import pytest
import zstandard
from engine import ALL, INSIDE, wheel
from made_images import Image, config, packed, tar

from servelint_registry import Options, RegistryError, resolve

MEGABYTE = 1 << 20

SCRIPT = """
import json, sys
from engine import INSIDE
from servelint_registry import Options, resolve
found = resolve(sys.argv[1], INSIDE, Options(layers=True))
status = dict(line.split(":", 1) for line in open("/proc/self/status"))
peak = int(status["VmHWM"].split()[0]) / 1024
print(json.dumps([found.version, found.fixes, found.bytes_read, found.seconds, peak]))
"""


def deep(how: str, megabytes: int) -> bytes:
    """A layer of noise with an engine at its end. The noise is compressed once."""
    noise = os.urandom(MEGABYTE)
    header = tar({"usr/lib/noise": noise})[:512]
    rest = tar(wheel("0.5.22"))
    if how == "zstd":
        pack = zstandard.ZstdCompressor(level=1).compress
        return (pack(header) + pack(noise)) * megabytes + pack(rest)
    deflate = zlib.compressobj(1, zlib.DEFLATED, -15)
    pieces = [deflate.compress(part) + deflate.flush(zlib.Z_FULL_FLUSH) for part in (header, noise)]
    end = deflate.compress(rest) + deflate.flush()
    whole = (header + noise) * megabytes + rest
    check = zlib.crc32(whole).to_bytes(4, "little") + (len(whole) % 2**32).to_bytes(4, "little")
    start = b"\x1f\x8b\x08\0\0\0\0\0\0\xff"
    return start + b"".join(pieces) * megabytes + end + check


@pytest.mark.parametrize("how", ["gzip", "zstd"])
def test_a_deep_layer_of_200_megabytes_is_read_in_seconds_and_little_memory(double, how):
    if not os.path.exists("/proc/self/status"):
        pytest.skip("memory is measured where Linux tells it")
    reference = double.serve(Image((deep(how, 200), packed(tar({"a": "b"}), how)), config()))
    done = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path[:0] = {sys.path!r}\n{SCRIPT}", reference],
        capture_output=True,
        text=True,
        check=True,
    )
    version, fixes, count, seconds, peak = json.loads(done.stdout)
    assert (version, tuple(fixes)) == ("0.5.22", ALL)
    assert count > 200 * MEGABYTE
    assert seconds < 6
    assert peak < 150


def test_a_look_at_the_configuration_is_quick(double):
    reference = double.serve(Image((packed(tar({"a": "b"}), "gzip"),), config()))
    times = [resolve(reference, INSIDE, Options()).seconds for _ in range(7)]
    assert statistics.median(times) < 0.2
    assert len(double.seen) == 14


def test_an_engine_on_top_leaves_the_rest_alone(double):
    reference = double.serve(
        Image((deep("gzip", 20), packed(tar(wheel("0.5.22")), "gzip")), config())
    )
    found = resolve(reference, INSIDE, Options(layers=True))
    assert found.version == "0.5.22"
    assert found.bytes_read < 10_000


def test_a_layer_is_left_as_soon_as_all_is_known(double):
    layer = tar(wheel("0.5.22") | {"z": b"z" * 8 * MEGABYTE})
    reference = double.serve(Image((layer,), config()))
    found = resolve(reference, INSIDE, Options(layers=True))
    assert found.version == "0.5.22"
    assert found.bytes_read < 2 * MEGABYTE
    assert found.evidence.endswith("the layer was left early, so its digest is unverified")


@pytest.mark.parametrize("how", ["gzip", "zstd"])
def test_what_grows_without_measure_is_left(double, how):
    bomb = tar({"zeros": b"\0" * (120 * MEGABYTE)})
    data = zlib.compress(bomb, 9, 31) if how == "gzip" else packed(bomb, "zstd")
    assert len(data) < MEGABYTE
    reference = double.serve(Image((data,), config()))
    with pytest.raises(RegistryError, match="grows without measure when decompressed"):
        resolve(reference, INSIDE, Options(layers=True))


def test_a_budget_of_bytes_is_kept(double):
    image = Image((deep("gzip", 20),), config(created="2026-01-01T00:00:00Z"))
    found = resolve(double.serve(image), INSIDE, Options(layers=True, budget=2_000_000))
    assert found.bytes_read < 2_400_000
    assert (found.version, found.absent, found.clears) == ("", ALL, False)
    assert "are over the budget, and engine was not found in its layers so far" in found.detail


def test_what_was_found_before_the_budget_was_spent_does_not_clear(double):
    layers = (deep("gzip", 5), packed(tar(wheel("0.5.22")), "gzip"))
    image = Image(layers, config(env=["PYTHONPATH=/somewhere"]))
    found = resolve(double.serve(image), INSIDE, Options(layers=True, budget=2_000_000))
    assert (found.version, found.fixes, found.clears) == ("0.5.22", ALL, False)
    assert "are over the budget" in found.detail


def test_a_header_that_is_larger_than_any_is_not_read(double):
    header = tar({"a": "b"})[:512]
    size, kind = b"%011o\0" % (1 << 32), b"x"
    forged = header[:124] + size + header[136:148] + b" " * 8 + kind + header[157:]
    total = b"%06o\0 " % sum(forged)
    forged = forged[:148] + total + forged[156:]
    reference = double.serve(Image((forged + b"\0" * 2048,), config()))
    with pytest.raises(RegistryError, match="has a file or a header that is too large"):
        resolve(reference, INSIDE, Options(layers=True))


def test_source_files_larger_than_any_are_not_read(double):
    files = wheel("0.5.22", lacks=ALL)
    files |= {
        next(path for path in wheel("0.5.22") if path.endswith(marker.path)): b"x" * 8_100_000
        for marker in INSIDE.markers[:1]
    }
    reference = double.serve(Image((packed(tar(files), "gzip"),), config()))
    found = resolve(reference, INSIDE, Options(layers=True))
    assert (found.version, found.fixes, found.absent, found.clears) == ("0.5.22", (), (), False)


def test_more_copies_than_can_be_told_apart_end_the_look(double):
    files = {f"opt/{number}/engine/__init__.py": "" for number in range(500)}
    reference = double.serve(Image((packed(tar(files), "gzip"),), config()))
    with pytest.raises(RegistryError, match="more copies of the engine than can be told apart"):
        resolve(reference, INSIDE, Options(layers=True))


def test_progress_is_told(double):
    image = Image((deep("gzip", 3), packed(tar({"a": "b"}), "gzip")), config())
    told = []
    resolve(double.serve(image), INSIDE, Options(layers=True), lambda *args: told.append(args))
    total = sum(len(layer) for layer in image.layers)
    assert told[-1] == (total, total, "layer 1 of 2")
    assert [done for done, _, _ in told] == sorted(done for done, _, _ in told)
    assert told[0][2] == "layer 2 of 2"
