"""Configuration: what the command line and a configuration file ask for.

A ``servelint.toml`` in the root wins over ``[tool.servelint]`` in its
``pyproject.toml``; the command line wins over both.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field, replace

import servelint_builtins
from servelint.finding import SEVERITIES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

MAX_BYTES = 5_000_000
"""A configuration file above this is not read."""

IMAGE_MAP = "servelint-images.toml"
"""The file in the root in which people say what images hold."""

POOL_FILE = "servelint-pools.toml"
"""The file in the root in which people keep what their servers said of their pools."""

BASELINE = "servelint-baseline.json"
"""The file in the root in which findings stand that are known and not told again."""

MAX_QUOTE = 80
"""Characters of a wrong key or value that an error message quotes."""

THRESHOLDS = (*SEVERITIES, "never")
UNKNOWN_VERSION = {"fail": "medium", "warn": "low", "ignore": "note"}
"""What an undecidable version of a disaggregated server weighs."""


class ConfigError(Exception):
    """A run that cannot start; the text says what, where and what to do."""


@dataclass(frozen=True, slots=True)
class Config:
    """What one run is asked to do.

    ``root`` is an absolute directory without symbolic links. ``paths`` are the
    names given, relative to it; empty means the whole root. ``file`` is the
    configuration file that was read, relative to the root, or empty. ``today`` is
    YYYY-MM-DD; with no day nothing is too old. ``plugins`` are names of
    plugins of other distributions, ``advisories`` directories with records of the site,
    as they are written. ``severity`` is by id, ``profiles`` are
    those of which the records are judged. ``versions`` are the tables of what people state
    of launches, ``ignores``, ``allows`` and ``overrides`` those of what not to report and of
    what it weighs, all not yet checked; ``tables`` are the settings of plugins.
    """

    root: str
    paths: tuple[str, ...] = ()
    fail_on: str = "medium"
    strict: bool = False
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    unknown_version: str = "fail"
    file: str = ""
    today: str = ""
    plugins: tuple[str, ...] = ()
    advisories: tuple[str, ...] = ()
    severity: dict[str, str] = field(default_factory=dict)
    profiles: tuple[str, ...] = ()
    versions: tuple[dict[str, Any], ...] = ()
    ignores: tuple[dict[str, Any], ...] = ()
    allows: tuple[dict[str, Any], ...] = ()
    overrides: tuple[dict[str, Any], ...] = ()
    tables: dict[str, dict[str, Any]] = field(default_factory=dict)

    @property
    def names(self) -> tuple[str, ...]:
        """The names that filter the report.

        None when the root is named, or a file by which everything is judged.
        """
        return () if {".", self.file, IMAGE_MAP, POOL_FILE}.intersection(self.paths) else self.paths


def find_root(path: str) -> str:
    """The nearest ancestor with a ``.git``, else the directory of ``path``; links followed."""
    start = os.path.realpath(path if os.path.isdir(path) else os.path.dirname(path))
    at = start
    while not os.path.exists(os.path.join(at, ".git")):
        parent = os.path.dirname(at)
        if parent == at:
            return start
        at = parent
    return at


def read_config(config: Config, file: str = "") -> Config:
    """``config`` with what the configuration file says.

    ``file`` is the one named on the command line; else the root is searched.
    Raises :class:`ConfigError` for a file that is not TOML, an unknown key or
    a wrong value.
    """
    path = file or _search(config.root)
    if not path:
        return config
    table = _table(path)
    if table is None and file:
        raise ConfigError(f"{path}: has no table [tool.servelint]")
    if table is None:
        return config
    changes: dict[str, Any] = {}
    tables: dict[str, dict[str, Any]] = {}
    plugins = {*_PLUGINS, *_texts(f"{path}: plugins", table.get("plugins", []))}
    for key, value in table.items():
        name, check = _key(key, value)
        if check is None and isinstance(value, dict) and key in plugins:
            tables[key] = value  # of a plugin, which knows what it may say
            continue
        if check is None:
            wrong = f"{key!r:.{MAX_QUOTE}}"
            known = f"known are {', '.join(sorted(KEYS))}"
            hint = "leave out `tool.servelint` here" if key == "tool" else known
            raise ConfigError(f"{path}: unknown key {wrong}; {hint}")
        changes[name] = check(f"{path}: {key}", value)
    name = os.path.relpath(os.path.realpath(path), os.path.realpath(config.root))
    return replace(config, file=name.replace(os.sep, "/"), tables=tables, **changes)


def _key(key: str, value: object) -> tuple[str, Any]:
    """The field that a key sets, and what checks its value; no check for an unknown key."""
    if key == "ignore" and isinstance(value, list) and any(isinstance(one, dict) for one in value):
        return "ignores", _tables
    return KEYS.get(key, ("", None))


def _search(root: str) -> str:
    own = os.path.join(root, "servelint.toml")
    if os.path.lexists(own):
        return own
    shared = os.path.join(root, "pyproject.toml")
    # Any spelling of the table's name holds this word, and few other files do.
    return shared if os.path.isfile(shared) and b"servelint" in read_bytes(shared) else ""


def read_bytes(path: str) -> bytes:
    """The bytes of a file, at most one more than is allowed; never waits for a pipe.

    Raises :class:`ConfigError` for one that cannot be read.
    """
    if not os.path.isfile(path):
        raise ConfigError(f"{path}: not a regular file")
    try:
        with open(path, "rb") as file:
            return file.read(MAX_BYTES + 1)
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read: {error.strerror}") from error


def _table(path: str) -> dict[str, Any] | None:
    """The table of a configuration file; None for a ``pyproject.toml`` that has none."""
    import tomllib  # noqa: PLC0415  # 11 ms that a run without configuration does not pay

    data = read_bytes(path)
    if len(data) > MAX_BYTES:
        raise ConfigError(f"{path}: larger than {MAX_BYTES // 1_000_000} MB")
    try:
        table: dict[str, Any] = tomllib.loads(data.decode())
    except (ValueError, RecursionError) as error:
        raise ConfigError(f"{path}: not TOML: {error}") from error
    if os.path.basename(path) != "pyproject.toml":
        return table
    tool = table.get("tool")
    own = tool.get("servelint") if isinstance(tool, dict) else None
    if own is not None and not isinstance(own, dict):
        raise ConfigError(f"{path}: tool.servelint: expected a table")
    return own


def _choice(allowed: tuple[str, ...]) -> Any:
    def check(place: str, value: object) -> str:
        if value not in allowed:
            wrong = f"{value!r:.{MAX_QUOTE}}"
            raise ConfigError(f"{place}: {wrong}; expected one of {', '.join(allowed)}")
        return str(value)

    return check


def _texts(place: str, value: object) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise ConfigError(f"{place}: expected a list of texts")
    return tuple(value)


def _tables(place: str, value: object) -> tuple[dict[str, Any], ...]:
    if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
        name = place.rpartition(": ")[2]
        raise ConfigError(f"{place}: expected tables, [[{name}]]")
    return tuple(value)


def _severities(place: str, value: object) -> dict[str, str]:
    if not isinstance(value, dict):
        raise ConfigError(f"{place}: expected a table, such as {place.rpartition(': ')[2]}.ID")
    check = _choice(SEVERITIES)
    return {key: check(f"{place}: {key!r:.{MAX_QUOTE}}", one) for key, one in value.items()}


_PLUGINS = frozenset(name for name, _ in servelint_builtins.PLUGINS)
"""Names of the tables that are a plugin's."""

KEYS = {
    "fail-on": ("fail_on", _choice(THRESHOLDS)),
    "select": ("select", _texts),
    "ignore": ("ignore", _texts),  # or tables: see _key
    "allow": ("allows", _tables),
    "override": ("overrides", _tables),
    "plugins": ("plugins", _texts),
    "advisories": ("advisories", _texts),
    "profiles": ("profiles", _texts),
    "severity": ("severity", _severities),
    "version": ("versions", _tables),
    "unknown-version": ("unknown_version", _choice(tuple(UNKNOWN_VERSION))),
}
"""Each key of a configuration: the field that it sets, and what checks its value."""
