"""Makes the modules beside the tests importable, and hides proxies and settings of the machine."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parent))

import audited
import osv_double

_PROXIES = ("http_proxy", "https_proxy", "all_proxy", "no_proxy")


@pytest.fixture(autouse=True)
def _nothing_of_the_machine(monkeypatch):
    for name in _PROXIES:
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)
    for name in ("PIP_AUDIT_OSV_URL", "PIP_AUDIT_FORMAT", "PIP_AUDIT_OUTPUT"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture(name="osv")
def make_osv():
    """An OSV on this machine that knows nothing yet."""
    with osv_double.running() as double:
        yield double


@pytest.fixture
def pair(tmp_path):
    """A repository with a script that starts both halves of a pair, and pins beside it."""
    return audited.repository(tmp_path / "pair", audited.PAIR)


@pytest.fixture
def single(tmp_path):
    """A repository whose server is no half of a pair."""
    return audited.repository(tmp_path / "single", audited.SINGLE)
