"""The vLLM plugin: the engine with its programs, roles and images, and its advisories."""

from __future__ import annotations

from types import MappingProxyType

from servelint.api import Plugin, SettingError, TextReader, load_advisories
from servelint_vllm.engine import load_engine
from servelint_vllm.tables import CONFIG_KEYS, data_path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


def plugin(table: Mapping[str, object] = MappingProxyType({})) -> Plugin:
    """All that this plugin gives.

    Raises :class:`servelint.api.SettingError` for any setting, since it has none, and what
    a damaged data file raises.
    """
    for key in table:
        raise SettingError(f"unknown key {key!r:.80}; there are none")
    return Plugin(
        name="vllm",
        engines=(load_engine(),),
        advisories=load_advisories(data_path("advisories")),
        readers=(TextReader("yaml", CONFIG_KEYS, "servelint_vllm.configs"),),
    )
