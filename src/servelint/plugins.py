"""The plugins of a run: what they give, and how they are found."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module

import servelint_builtins
from servelint.config import ConfigError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from servelint.advisory import Advisory
    from servelint.engine import Engine


@dataclass(frozen=True, slots=True)
class Plugin:
    """What one plugin gives: engines to recognise, advisories to judge by."""

    name: str
    engines: tuple[Engine, ...] = ()
    advisories: tuple[Advisory, ...] = ()


class PluginError(ConfigError):
    """A plugin that cannot be used; the text names it and what is wrong."""


@dataclass(frozen=True, slots=True)
class Registry:
    """Everything that the plugins of a run give together."""

    plugins: tuple[Plugin, ...]

    @property
    def engines(self) -> tuple[Engine, ...]:
        """All engines, in the order of the plugins."""
        return tuple(engine for plugin in self.plugins for engine in plugin.engines)

    @property
    def advisories(self) -> tuple[Advisory, ...]:
        """All advisories, in the order of the plugins."""
        return tuple(record for plugin in self.plugins for record in plugin.advisories)

    @property
    def packages(self) -> frozenset[str]:
        """The names of all packages that an engine is installed as."""
        return frozenset(name for engine in self.engines for name in engine.packages)


def load() -> Registry:
    """Import and ask every built-in plugin.

    Raises :class:`PluginError` when one fails: a run that lacks a plugin would
    look clean for the wrong reason.
    """
    return Registry(tuple(_load(name) for name in servelint_builtins.PLUGINS))


def _load(name: str) -> Plugin:
    try:
        plugin = import_module(name).plugin()
    except Exception as error:
        message = f"plugin {name} cannot be loaded: {type(error).__name__}: {error}"
        raise PluginError(message) from error
    if not isinstance(plugin, Plugin):
        message = (
            f"plugin {name}: plugin() gave {type(plugin).__name__}, expected servelint.api.Plugin"
        )
        raise PluginError(message)
    return plugin
