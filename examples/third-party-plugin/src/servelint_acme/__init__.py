"""The Acme plugin for servelint: the engine, what to judge by, and the reader of fleet files."""

from __future__ import annotations

import os
from types import MappingProxyType

from servelint.api import Plugin, SettingError, TextReader, load_advisories
from servelint_acme.engine import ENGINE
from servelint_acme.open_admin import rule

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

KEYS = ("trusted-hosts",)


def plugin(table: Mapping[str, object] = MappingProxyType({})) -> Plugin:
    """All that this plugin gives, under the settings of ``[tool.servelint.acme]``.

    Raises :class:`servelint.api.SettingError` for a wrong setting, and what a damaged
    advisory raises.
    """
    return Plugin(
        name="acme",
        engines=(ENGINE,),
        advisories=load_advisories(os.path.join(os.path.dirname(__file__), "advisories")),
        rules=(rule(_trusted(table)),),
        readers=(TextReader("yaml", ("acme-fleet",), "servelint_acme.fleet"),),
        needles=("acme-server", "acme-fleet"),
    )


def _trusted(table: Mapping[str, object]) -> tuple[str, ...]:
    """The addresses on which an open control port is wanted."""
    for key in table:
        if key not in KEYS:
            raise SettingError(f"unknown key {key!r}; known are {', '.join(KEYS)}")
    hosts = table.get("trusted-hosts", [])
    if not isinstance(hosts, list) or not all(isinstance(host, str) for host in hosts):
        raise SettingError("trusted-hosts: expected a list of texts")
    return tuple(hosts)
