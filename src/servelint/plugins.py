"""The plugins of a run: what they give, and how they are found."""

from __future__ import annotations

import os
from collections import Counter
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from functools import cache
from importlib import import_module
from inspect import signature
from types import MappingProxyType

import servelint_builtins
from servelint.config import ConfigError
from servelint.plugin import Plugin, SettingError, TextReader

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from importlib.metadata import EntryPoint
    from typing import Any

    from servelint.advisory import Advisory
    from servelint.config import Config
    from servelint.engine import Engine
    from servelint.rule import Rule

GROUP = "servelint.plugins"
"""The group of entry points of plugins."""

_PINS = ("==", ">", "<", "~", "!", "[", " @")
"""What follows the name of a package where one is asked for."""


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


_CHOSEN: ContextVar[tuple[str, ...]] = ContextVar("plugins", default=())
"""The names of the plugins, beyond the built-in ones, of the run that is going on."""


@contextmanager
def chosen(names: tuple[str, ...]) -> Iterator[None]:
    """Let plugins take part in what is done inside: names of entry points."""
    token = _CHOSEN.set(names)
    try:
        yield
    finally:
        _CHOSEN.reset(token)


def chosen_names() -> tuple[str, ...]:
    """The names that :func:`chosen` was given."""
    return _CHOSEN.get()


def needles() -> tuple[bytes, ...]:
    """What makes a file relevant, to any plugin of the run."""
    others = (word.encode() for plugin in _chosen(_CHOSEN.get()) for word in plugin.needles)
    return (*servelint_builtins.NEEDLES, *others)


def spoken() -> tuple[str, ...]:
    """How programs and packages of other plugins' engines are spelled in the text of a program.

    Of built-in engines more is known: see ``servelint_builtins``.
    """
    plugins = _chosen(_CHOSEN.get())
    engines = [engine for plugin in plugins for engine in plugin.engines]
    programs = (" ".join(program.words) for engine in engines for program in engine.programs)
    pins = (name + sign for engine in engines for name in engine.packages for sign in _PINS)
    words = (word for plugin in plugins for word in plugin.needles)
    return tuple(dict.fromkeys((*words, *programs, *pins)))


@cache
def _chosen(_names: tuple[str, ...]) -> tuple[Plugin, ...]:
    """The chosen plugins without settings: every text asks for their words."""
    return _others()


def unsearched() -> tuple[str, ...]:
    """The packages of engines that no needle finds, to any plugin of the run.

    Much is written of them that is about no pair: they are looked for where one is started.
    """
    return _unsearched(_CHOSEN.get(), needles())


@cache
def _unsearched(_names: tuple[str, ...], words: tuple[bytes, ...]) -> tuple[str, ...]:
    packages = dict.fromkeys(name for engine in load().engines for name in engine.packages)
    return tuple(name for name in packages if not any(word in name.encode() for word in words))


def registry_of(config: Config) -> Registry:
    """All that a run judges by: its plugins under their settings, and the records of the site.

    Raises :class:`ConfigError` for what is not right in any of them.
    """
    with chosen(config.plugins):
        own = load(config.tables)
    site = tuple(_site(config.root, directory) for directory in config.advisories)
    whole = Registry((*own.plugins, *site))
    _check(whole)
    return whole


def _site(root: str, directory: str) -> Plugin:
    """A directory of advisories as a plugin."""
    from servelint.advisory_file import AdvisoryError, load_advisories  # noqa: PLC0415  # few

    try:
        records = load_advisories(os.path.join(root, directory))
    except AdvisoryError as error:
        raise ConfigError(f"advisories: {directory}: {error}") from error
    except OSError as error:
        raise ConfigError(f"advisories: {directory}: cannot be read: {error.strerror}") from error
    if not records:
        raise ConfigError(f"advisories: {directory}: holds no advisory (ID.md)")
    return Plugin(name=directory, advisories=records)


def _check(registry: Registry) -> None:
    """Refuse ids that are taken, packages that no engine has, options that none knows."""
    records = [record.id for record in registry.advisories] + [rule.id for rule in registry.rules]
    for kind, ids in (("records", records), ("engines", [one.id for one in registry.engines])):
        for name, count in Counter(ids).items():
            if count > 1:
                raise ConfigError(f"{name}: two {kind} have this id")
    for advisory in registry.advisories:
        engines = [one for one in registry.engines if advisory.package in one.packages]
        if not engines:
            raise ConfigError(f"{advisory.id}: package: no engine has {advisory.package!r:.80}")
        known = {name for one in engines for option in one.options for name in option.names}
        known |= {name for one in engines for name in (one.role_flag, *one.role_switches)}
        for subject in _subjects(advisory):
            if subject.startswith("--") and subject.partition(".")[0] not in known:
                raise ConfigError(f"{advisory.id}: no release of {advisory.package} has {subject}")


def _subjects(advisory: Advisory) -> Iterator[str]:
    rows = [row.when for row in advisory.affected] + [row.when for row in advisory.mitigated]
    for conditions in rows:
        yield from (condition.subject for condition in conditions)


def load(tables: Mapping[str, Mapping[str, object]] = MappingProxyType({})) -> Registry:
    """Import and ask every plugin of the run.

    ``tables`` are the settings of plugins by name. Raises :class:`PluginError` when one
    fails: a run that lacks a plugin would look clean for the wrong reason; and
    :class:`ConfigError` for settings that are not right.
    """
    built_in = (_load(name, module, tables) for name, module in servelint_builtins.PLUGINS)
    plugins = (*built_in, *_others(tables))
    known = sorted(plugin.name for plugin in plugins)
    for name in tables:
        if name not in known:
            raise ConfigError(f"unknown table {name!r:.80}; plugins are {', '.join(known)}")
    return Registry(plugins)


def _others(
    tables: Mapping[str, Mapping[str, object]] = MappingProxyType({}),
) -> tuple[Plugin, ...]:
    """The plugins of other distributions, found by the names of their entry points."""
    built_in = {name for name, _ in servelint_builtins.PLUGINS}
    names = [name for name in dict.fromkeys(_CHOSEN.get()) if name not in built_in]
    if not names:
        return ()
    from importlib.metadata import entry_points  # noqa: PLC0415  # 25 ms that few runs pay

    points = [point for point in entry_points(group=GROUP) if point.name not in built_in]
    return tuple(_other(name, points, tables) for name in names)


def _other(
    name: str, points: Iterable[EntryPoint], tables: Mapping[str, Mapping[str, object]]
) -> Plugin:
    own = {_giver(point): point for point in points if point.name == name}
    if not own:
        there = ", ".join(sorted({point.name for point in points})) or "none"
        raise ConfigError(f"plugins: {name!r:.80} is not installed; installed are {there}")
    if len(own) > 1:
        givers = ", ".join(sorted(own))
        raise ConfigError(f"plugins: {name!r:.80} is given by {givers}; keep one of them")
    ((giver, point),) = own.items()
    told = f"plugin {name} (of {giver})"
    plugin = _load(name, point.value.partition(":")[0].partition("[")[0].strip(), tables, told)
    if wrong := _wrong(plugin):
        raise PluginError(f"{told}: {wrong}")
    return _guarded(plugin, told)


def _giver(point: EntryPoint) -> str:
    return f"{point.dist.name} {point.dist.version}" if point.dist is not None else "nothing known"


def _load(
    name: str, module: str, tables: Mapping[str, Mapping[str, object]], told: str = ""
) -> Plugin:
    told = told or f"plugin {name}"
    try:
        make = import_module(module).plugin
        takes = bool(signature(make).parameters)
        plugin = make(tables[name]) if takes and name in tables else make()
    except SettingError as error:
        raise ConfigError(f"table {name}: {error}") from error
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # also one that ends the program: it must not end it well
        raise PluginError(f"{told} cannot be loaded: {type(error).__name__}: {error}") from error
    if name in tables and not takes:
        raise ConfigError(f"table {name}: this plugin has no settings")
    if not isinstance(plugin, Plugin):
        given = type(plugin).__name__
        raise PluginError(f"{told}: plugin() gave {given}, expected servelint.api.Plugin")
    if plugin.name != name:
        raise PluginError(f"{told} calls itself {plugin.name!r:.80}, expected the same name")
    return plugin


def _wrong(plugin: Plugin) -> str:
    """What a plugin of others gives that it may not; empty for nothing."""
    from servelint.advisory import Advisory  # noqa: PLC0415  # the plugin has imported them
    from servelint.engine import Engine  # noqa: PLC0415
    from servelint.rule import Rule  # noqa: PLC0415

    kinds = {"engines": Engine, "advisories": Advisory, "rules": Rule, "readers": TextReader}
    for field, kind in {**kinds, "needles": str}.items():
        given = getattr(plugin, field)
        if type(given) is not tuple or not all(isinstance(one, kind) for one in given):
            return f"{field}: expected a tuple of {kind.__name__}"
    return "needles: an empty text is in every file" if "" in plugin.needles else ""


def _guarded(plugin: Plugin, told: str) -> Plugin:
    """A plugin of which a function that fails is told as its fault."""

    def asked(function: Callable[..., Any], name: str) -> Callable[..., Any]:
        def ask(*given: object) -> Any:
            try:
                return function(*given)
            except Exception as error:
                said = f"{name} failed: {type(error).__name__}: {error}"
                raise PluginError(f"{told}: {said}") from error

        return ask

    def guarded(engine: Engine) -> Engine:
        names = ("resolve_image", "resolve_requirement", "role_of")
        own = {name: getattr(engine, name) for name in names}
        changes: dict[str, Any] = {name: asked(one, name) for name, one in own.items() if one}
        return replace(engine, **changes)

    def hits(rule: Rule) -> Rule:
        return replace(rule, check=asked(lambda group: tuple(rule.check(group)), rule.id))

    engines = tuple(map(guarded, plugin.engines))
    return replace(plugin, engines=engines, rules=tuple(map(hits, plugin.rules)))
