"""The plugins of a run: what they give, and how they are found."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module

import servelint_builtins
from servelint.config import ConfigError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from servelint.advisory import Advisory
    from servelint.engine import Engine
    from servelint.facts import Fact
    from servelint.finding import Skip
    from servelint.rule import Rule
    from servelint.source import Source


@dataclass(frozen=True, slots=True)
class TextReader:
    """A reader of files that only one product knows, such as the configuration of a launcher.

    It is asked about texts in ``language`` that hold one of ``needles``, before
    the reader of the language. ``module`` has a function ``read(source)`` as
    all readers do, and is imported when first needed.
    """

    language: str
    needles: tuple[str, ...]
    module: str

    def load(self) -> Callable[[Source], Iterable[Fact | Source | Skip]]:
        """The function; raises what importing the module raises."""
        read: Callable[[Source], Iterable[Fact | Source | Skip]] = import_module(self.module).read
        return read


@dataclass(frozen=True, slots=True)
class Plugin:
    """What a plugin gives: engines to recognise, what to judge by, readers of its files."""

    name: str
    engines: tuple[Engine, ...] = ()
    advisories: tuple[Advisory, ...] = ()
    rules: tuple[Rule, ...] = ()
    readers: tuple[TextReader, ...] = ()


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
    def rules(self) -> tuple[Rule, ...]:
        """All rules, in the order of the plugins."""
        return tuple(rule for plugin in self.plugins for rule in plugin.rules)


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
