"""Reads what people state: ``servelint-images.toml`` and ``[[tool.servelint.version]]``."""

from __future__ import annotations

import os
import re

from servelint import entries
from servelint.config import IMAGE_MAP, MAX_QUOTE, POOL_FILE, ConfigError, read_bytes
from servelint.discover import read_text
from servelint.entries import DIGEST, EntryFile, Table, array_of
from servelint.finding import Skip
from servelint.pool_file import pool_records
from servelint.statement import Said, Statement
from servelint.syntax.package_name import normalise

TYPE_CHECKING = False
if TYPE_CHECKING:
    from servelint.config import Config
    from servelint.entries import Check, Entry
    from servelint.pools import PoolRecord

_SHAPE = re.compile(r"[^\s@]+(?:@sha256:[0-9a-f]{64})?\Z")


# -- fields -------------------------------------------------------------------


def _package(place: str, value: object) -> str:
    return normalise(entries.text(place, value))


def _reference(place: str, value: object) -> str:
    found = entries.text(place, value)
    if not _SHAPE.match(found) or found.count(":") > 5:
        wrong = f"{found!r:.{MAX_QUOTE}}"
        raise ConfigError(f"{place}: {wrong}; expected an image, or sha256: and 64 hex digits")
    return found


def _pulls(place: str, value: object) -> tuple[int, ...]:
    found = entries.listed(place, value, int, "numbers of pull requests")
    return tuple(entries.count(place, one) for one in found)  # 0: a range without a number


_COMMON: dict[str, Check] = {
    "package": _package,
    "version": entries.version,
    "evidence": entries.text,
    "until": entries.day,
    "date": entries.day,
    "by": entries.text,
    "waives": entries.ids,
    "reason": entries.text,
}
_IMAGE: dict[str, Check] = {
    "reference": _reference,
    "digest": entries.digest,
    "fixes": _pulls,
    "absent": _pulls,
    **_COMMON,
}
_PATH: dict[str, Check] = {"paths": entries.paths, **_COMMON}


# -- entries ------------------------------------------------------------------


def _statement(entry: Entry) -> Statement:
    """What one entry says. Raises :class:`ConfigError` for what only keys together get wrong."""
    place, values = entry.place, dict(entry.values)
    if not {"version", "fixes", "absent"}.intersection(values):
        raise ConfigError(f"{place}: version is missing")
    if "waives" in values and "reason" not in values:
        raise ConfigError(f"{place}: waives wants a reason")
    if both := set(values.get("fixes", ())).intersection(values.get("absent", ())):
        raise ConfigError(f"{place}: {min(both)} is in fixes and in absent")
    if DIGEST.match(values.get("reference", "")):
        values["digest"] = values.pop("reference")
    values.setdefault("version", "")
    values.setdefault("evidence", "")
    return Statement(span=entry.span, **values)


_MARKS = ("version", "reference", "package")
IMAGES = Table("image", _IMAGE, ("reference", "package", "evidence"), _MARKS)
PATHS = Table("version", _PATH, ("paths", "package", "version", "evidence"), _MARKS)


# -- files --------------------------------------------------------------------


def said(config: Config) -> Said:
    """All that the root states. Raises :class:`ConfigError` for a file that is not right."""
    texts: dict[str, str] = {}
    images: tuple[Statement, ...] = ()
    below: tuple[Statement, ...] = ()
    if os.path.lexists(os.path.join(config.root, IMAGE_MAP)):
        texts[IMAGE_MAP] = _read(config.root, IMAGE_MAP)
        images = image_statements(texts[IMAGE_MAP])
    if config.versions:
        data = read_bytes(os.path.join(config.root, config.file))
        texts[config.file] = data.decode("utf-8-sig")
        file = EntryFile.of(config.file, texts[config.file])
        below = tuple(map(_statement, file.rows(PATHS, array_of(config.file, PATHS.name))))
    pools: tuple[PoolRecord, ...] = ()
    if os.path.lexists(os.path.join(config.root, POOL_FILE)):
        texts[POOL_FILE] = _read(config.root, POOL_FILE)
        pools = pool_records(texts[POOL_FILE])
    return Said(images, below, config.today, texts, pools)


def image_statements(text: str) -> tuple[Statement, ...]:
    """The entries of a ``servelint-images.toml``."""
    file = EntryFile.of(IMAGE_MAP, text)
    file.only(IMAGES.name)
    return tuple(map(_statement, file.rows(IMAGES, (IMAGES.name,))))


def _read(root: str, path: str) -> str:
    text = read_text(root, path)
    if isinstance(text, Skip):
        raise ConfigError(f"{path}: {text.detail}")
    return text
