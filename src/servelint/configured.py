"""What a configuration comes to, and where each value of it is from."""

from __future__ import annotations

import json
import os
import re
from dataclasses import dataclass
from datetime import date, datetime

from servelint.config import (
    BASELINE,
    IMAGE_MAP,
    KEYS,
    POOL_FILE,
    Config,
    read_bytes,
)
from servelint.entries import EntryFile, array_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from typing import Any

    from servelint.syntax.toml_strings import TomlText

DEFAULT = "default"
"""Where a value is from that nobody set."""

NONE = "none"

_BARE = re.compile(r"[A-Za-z0-9_-]+\Z")


@dataclass(frozen=True, slots=True)
class Setting:
    """One value, its keys, and its origin: ``file:line``, or ``default``."""

    keys: tuple[str, ...]
    value: Any
    origin: str

    @property
    def name(self) -> str:
        """The keys as TOML writes them."""
        return ".".join(map(_key, self.keys))


def settings(config: Config) -> tuple[Setting, ...]:
    """All values, those that are tables last.

    Raises :class:`servelint.config.ConfigError` when the file is no longer what it was.
    """
    file = None
    if config.file:
        text = read_bytes(os.path.join(config.root, config.file)).decode("utf-8-sig")
        file = EntryFile.of(config.file, text)
    found = [*_values(config, file), *_of_plugins(config, file)]
    return tuple(sorted(found, key=lambda one: _is_tables(one.value)))


def _values(config: Config, file: EntryFile | None) -> Iterator[Setting]:
    for key, (field, _) in KEYS.items():
        value = getattr(config, field)
        if key == "ignore" and config.ignores:
            value = config.ignores
        if isinstance(value, dict) and value:
            for inner, one in value.items():
                yield Setting((key, inner), one, _origin(file, (key, inner)))
        else:
            plain = list(value) if isinstance(value, tuple) else value
            yield Setting((key,), plain, _origin(file, (key,)))


def _of_plugins(config: Config, file: EntryFile | None) -> Iterator[Setting]:
    for name, table in config.tables.items():
        for key, value in table.items():
            yield Setting((name, key), value, _origin(file, (name, key)))


def _origin(file: EntryFile | None, keys: tuple[str, ...]) -> str:
    """Where a key is written; of a quoted one, or one in a table on one line, where that is."""
    if file is None or not _is_set(file.toml, array_of(file.path, keys[0])):
        return DEFAULT
    path = array_of(file.path, keys[0])
    for size in range(len(keys), 0, -1):
        whole = (*path, *keys[1:size])
        starts = [at for at, _ in _under(file.toml, whole)]
        if starts:
            return f"{file.path}:{file.text.count(chr(10), 0, min(starts)) + 1}"
    return file.path


def _is_set(toml: TomlText, path: tuple[str, ...]) -> bool:
    table: Any = toml.data
    for key in path:
        if not isinstance(table, dict) or key not in table:
            return False
        table = table[key]
    return True


def _under(toml: TomlText, path: tuple[str, ...]) -> Iterator[tuple[int, int]]:
    """The places of a key, and of all below it."""
    return (place for key, place in toml.keys.items() if key[: len(path)] == path)


# -- as text ------------------------------------------------------------------


def files(config: Config) -> dict[str, str]:
    """The root and the files in it by which it is judged; ``none`` for one that is not there."""
    named = {"root": config.root, "configuration": config.file or NONE}
    for name in (IMAGE_MAP, POOL_FILE, BASELINE):
        is_there = os.path.lexists(os.path.join(config.root, name))
        named[name.removeprefix("servelint-").rpartition(".")[0]] = name if is_there else NONE
    return named


def as_json(config: Config, every: Iterable[Setting]) -> str:
    """The configuration for programs; a day is a text."""
    rows = [{"key": one.name, "value": one.value, "origin": one.origin} for one in every]
    document = {"files": files(config), "settings": rows}
    return json.dumps(document, indent=2, default=str) + "\n"


def as_toml(config: Config, every: Iterable[Setting]) -> str:
    """The configuration as a file could say it, with the origins as comments."""
    lines = [f"# {name}: {_safe(text)}" for name, text in files(config).items()]
    for one in every:
        lines += _lines(one)
    return "\n".join(lines) + "\n"


def _lines(one: Setting) -> Iterator[str]:
    origin = f"  # {_safe(one.origin)}"
    if not _is_tables(one.value):
        yield f"{one.name} = {_toml(one.value)}{origin}"
        return
    for row in one.value:
        yield f"[[{one.name}]]{origin}"
        yield from (f"{_key(key)} = {_toml(value)}" for key, value in row.items())


def _is_tables(value: object) -> bool:
    is_list = isinstance(value, list) and bool(value)
    return is_list and all(isinstance(one, dict) for one in value)  # type: ignore[attr-defined]


def _toml(value: object) -> str:
    match value:
        case bool():
            return "true" if value else "false"
        case str():
            return _text(value)
        case list():
            return f"[{', '.join(map(_toml, value))}]"
        case dict():
            return _inline(value)
        case datetime() | date():
            return value.isoformat()
        case _:
            return str(value)


def _inline(table: Mapping[str, object]) -> str:
    inside = ", ".join(f"{_key(key)} = {_toml(value)}" for key, value in table.items())
    return f"{{ {inside} }}" if inside else "{}"


def _key(key: str) -> str:
    return key if _BARE.match(key) else _text(key)


def _text(text: str) -> str:
    return _safe(json.dumps(text, ensure_ascii=False))


def _safe(text: str) -> str:
    """A text in which what cannot be seen is escaped as TOML does it."""
    return "".join(one if one.isprintable() else f"\\U{ord(one):08X}" for one in text)
