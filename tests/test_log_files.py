"""The logs that a command is given, and what is said of them."""

from __future__ import annotations

import io

import pytest

from servelint.config import ConfigError
from servelint.log_files import log_options, opened


def test_files_are_open_one_at_a_time(tmp_path):
    for name in ("a", "b"):
        (tmp_path / name).write_text(name)
    names = [str(tmp_path / "a"), "-", str(tmp_path / "b")]
    seen, earlier = [], []
    for name, stream in opened(names, io.BytesIO(b"stdin")):
        assert all(one.closed for one in earlier)
        seen.append((name, stream.read()))
        earlier += [stream] if name != "-" else []
    assert seen == [(names[0], b"a"), ("-", b"stdin"), (names[2], b"b")]
    assert earlier[-1].closed


@pytest.mark.parametrize("names", [["-", "-"], ["missing.log"], ["."], ["-"]])
def test_what_cannot_be_opened_is_refused(names, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    stdin = io.BytesIO() if names == ["-", "-"] else None
    with pytest.raises(ConfigError):
        list(opened(names, stdin))


def test_what_is_said_of_logs():
    said = log_options(["a=b.log=prefill", "decode-1=decode"], ["0.5.22", "a=b.log=0.5.19"])
    assert said.roles == {"a=b.log": "prefill", "decode-1": "decode"}
    assert said.versions == {"": "0.5.22", "a=b.log": "0.5.19"}


@pytest.mark.parametrize(
    ("roles", "versions"),
    [
        (["prefill"], []),
        (["a.log=server"], []),
        (["a.log=unknown"], []),
        (["a.log="], []),
        ([], ["new"]),
        ([], ["a.log="]),
    ],
)
def test_what_is_no_role_and_no_version_is_refused(roles, versions):
    with pytest.raises(ConfigError):
        log_options(roles, versions)
