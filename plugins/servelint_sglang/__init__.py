"""The SGLang plugin: the engine with its options, releases and images, and its advisories."""

from __future__ import annotations

from servelint.api import Plugin, TextReader, load_advisories
from servelint_sglang.engine import load_engine
from servelint_sglang.rules import RULES
from servelint_sglang.tables import data_path

LAUNCHER_KEYS = (
    *("disaggregation-mode", "disaggregation_mode", "sglang_config", "server_groups"),
    "default_container",
)
"""What a file of a launcher holds."""


def plugin() -> Plugin:
    """All that this plugin gives. Raises what a damaged data file raises."""
    return Plugin(
        name="sglang",
        engines=(load_engine(),),
        advisories=load_advisories(data_path("advisories")),
        rules=RULES,
        readers=(TextReader("yaml", LAUNCHER_KEYS, "servelint_sglang.launchers"),),
    )
