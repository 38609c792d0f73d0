"""The data file of this plugin, read once."""

from __future__ import annotations

import os
import tomllib
from functools import cache

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

CONFIG_KEYS = ("kv-transfer-config", "kv_transfer_config")
"""The option that makes a server half of a pair, as the key of a file for ``--config``."""


def data_path(name: str) -> str:
    """The path of a data file or folder of this plugin."""
    return os.path.join(os.path.dirname(__file__), name)


@cache
def engine_table() -> dict[str, Any]:
    """``engine.toml``: programs, options, roles, releases and image families."""
    with open(data_path("engine.toml"), "rb") as file:
        return tomllib.load(file)
