"""The SGLang plugin: the engine with its options, releases and images, and its advisories."""

from __future__ import annotations

from servelint.api import Plugin, load_advisories
from servelint_sglang.engine import load_engine
from servelint_sglang.tables import data_path


def plugin() -> Plugin:
    """All that this plugin gives. Raises what a damaged data file raises."""
    return Plugin(
        name="sglang",
        engines=(load_engine(),),
        advisories=load_advisories(data_path("advisories")),
    )
