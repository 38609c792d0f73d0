"""The data files of this plugin: where they are, and what they hold, read once."""

from __future__ import annotations

import json
import os
import tomllib
from functools import cache

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def data_path(name: str) -> str:
    """The path of a data file or folder of this plugin."""
    return os.path.join(os.path.dirname(__file__), name)


@cache
def engine_table() -> dict[str, Any]:
    """``engine.toml``: programs, role flag, evidence, options of the routers."""
    return _toml("engine.toml")


@cache
def image_table() -> dict[str, Any]:
    """``images.toml``: image families and the tags that move."""
    return _toml("images.toml")


@cache
def seen_table() -> dict[tuple[str, str], str]:
    """``seen.toml``: repository and tag -> the day on which a public file last named it."""
    rows = _toml("seen.toml")["seen"]
    return {(row["repository"], row["tag"]): row["date"] for row in rows}


@cache
def digest_table() -> dict[str, dict[str, Any]]:
    """``digests.toml``: digest -> the row that says what the image holds."""
    return {row["digest"]: row for row in _toml("digests.toml")["digest"]}


@cache
def inside_table() -> dict[str, Any]:
    """``inside.toml``: where an image shows its version, and the texts that prove a fix."""
    return _toml("inside.toml")


@cache
def package_table() -> dict[str, Any]:
    """``packages.toml``: packages that bring the engine, its repository, known commits."""
    return _toml("packages.toml")


@cache
def launcher_table() -> dict[str, Any]:
    """``launchers.toml``: the keys by which files of launchers are known."""
    return _toml("launchers.toml")


@cache
def option_table() -> dict[str, Any]:
    """``options.json``: the releases and the options of the server in all of them."""
    with open(data_path("options.json"), encoding="utf-8") as file:
        table: dict[str, Any] = json.load(file)
    return table


@cache
def option_names() -> frozenset[str]:
    """All spellings of all options of the server."""
    return frozenset(name for row in option_table()["options"] for name in row["names"])


def _toml(name: str) -> dict[str, Any]:
    with open(data_path(name), "rb") as file:
        return tomllib.load(file)
