"""One real registry for all tests of this folder, where it is installed."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parent))

import doubles
import registry_server


@pytest.fixture(scope="session")
def registry(tmp_path_factory):
    """``host:port`` of a registry that asks for no credentials."""
    if not registry_server.is_installed():
        pytest.skip(registry_server.MISSING)
    with registry_server.running(tmp_path_factory.mktemp("registry")) as host:
        yield host


@pytest.fixture(autouse=True)
def _no_docker_configuration(monkeypatch, tmp_path_factory):
    """No test sees the credentials of whoever runs it, or their proxy."""
    monkeypatch.setenv("DOCKER_CONFIG", str(tmp_path_factory.mktemp("docker")))
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture(name="double")
def make_double():
    with doubles.running() as double:
        yield double


@pytest.fixture(name="elsewhere")
def make_elsewhere():
    """A second server, which is not the registry."""
    with doubles.running() as double:
        yield double
