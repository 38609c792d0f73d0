"""The file format of advisories: TOML front matter between ``+++`` lines, then Markdown.

The file name is the id. The front matter is data, checked here so that a
wrong record cannot exist in memory; the first heading is the title and what
follows it the body.
"""

from __future__ import annotations

import os
import re
import tomllib
from datetime import date

from packaging.version import InvalidVersion, Version

from servelint.advisory import Advisory, Affected, Condition
from servelint.finding import SEVERITIES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_SHAPE = re.compile(
    r"\A\+\+\+\n(?P<data>.*?)\n\+\+\+\n\s*# (?P<title>[^\n]+)\n(?P<body>.*)\Z", re.S
)
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}\Z")
_STRINGS = ("id", "package", "severity", "published", "recommended")
_KEYS = frozenset({*_STRINGS, "withdrawn", "aliases", "references", "affected"})
_RANGE_KEYS = frozenset({"introduced", "fixed", "merged", "pull", "when"})
_ROLES = ("prefill", "decode", "both", "none")
_SUBJECT = re.compile(r"role|--[A-Za-z0-9][\w-]*|[A-Z][A-Z0-9_]+", re.ASCII)


class AdvisoryError(ValueError):
    """An advisory that says something it may not; the text names file and key."""


def load_advisories(directory: str) -> tuple[Advisory, ...]:
    """All ``*.md`` records of a directory, by id. Raises :class:`AdvisoryError`."""
    names = sorted(name for name in os.listdir(directory) if name.endswith(".md"))
    return tuple(load_advisory(os.path.join(directory, name)) for name in names)


def load_advisory(path: str) -> Advisory:
    """One record. Raises :class:`AdvisoryError` naming the file and the key."""
    name = os.path.basename(path)
    try:
        with open(path, encoding="utf-8") as file:
            text = file.read()
    except UnicodeDecodeError as error:
        raise AdvisoryError(f"{name}: not UTF-8: {error}") from error
    shape = _SHAPE.match(text)
    if shape is None:
        raise AdvisoryError(f"{name}: expected '+++', TOML, '+++', a '# Title' line and text")
    try:
        data = tomllib.loads(shape["data"])
    except tomllib.TOMLDecodeError as error:
        raise AdvisoryError(f"{name}: the front matter is not TOML: {error}") from error
    _only(name, "", data, _KEYS)
    if data.get("id") != name.removesuffix(".md"):
        raise AdvisoryError(f"{name}: id is {data.get('id')!r}, expected the name of the file")
    return _advisory(name, data, shape["title"].strip(), shape["body"].strip())


def _advisory(name: str, data: dict[str, Any], title: str, body: str) -> Advisory:
    for key in _STRINGS:
        if not isinstance(data.get(key), str) or not data[key]:
            raise AdvisoryError(f"{name}: {key}: expected a text")
    if data["severity"] not in SEVERITIES:
        raise AdvisoryError(f"{name}: severity: expected one of {', '.join(SEVERITIES)}")
    rows = data.get("affected")
    if not isinstance(rows, list) or not rows:
        raise AdvisoryError(f"{name}: affected: expected at least one [[affected]] table")
    ranges = tuple(_affected(name, f"affected[{n}]", row) for n, row in enumerate(rows))
    recommended = _version(name, "recommended", data["recommended"])
    for n, row in enumerate(ranges):
        if row.fixed and Version(row.fixed) > recommended:
            raise AdvisoryError(f"{name}: affected[{n}].fixed is above recommended")
    return Advisory(
        id=data["id"],
        package=data["package"],
        title=title,
        severity=data["severity"],
        published=_day(name, "published", data["published"]),
        recommended=data["recommended"],
        affected=ranges,
        references=_texts(name, "references", data.get("references", [])),
        aliases=_texts(name, "aliases", data.get("aliases", [])),
        body=body,
        withdrawn=_day(name, "withdrawn", data.get("withdrawn", "")),
    )


def _affected(name: str, key: str, row: dict[str, Any]) -> Affected:
    _only(name, f"{key}.", row, _RANGE_KEYS)
    introduced, fixed = row.get("introduced", ""), row.get("fixed", "")
    low = _version(name, f"{key}.introduced", introduced) if introduced != "" else None
    high = _version(name, f"{key}.fixed", fixed) if fixed != "" else None
    if low is not None and high is not None and low >= high:
        raise AdvisoryError(f"{name}: {key}: introduced is not below fixed")
    pull = row.get("pull", 0)
    if not isinstance(pull, int) or isinstance(pull, bool):
        raise AdvisoryError(f"{name}: {key}.pull: expected a number")
    wants = row.get("when", {})
    if not isinstance(wants, dict):
        raise AdvisoryError(f"{name}: {key}.when: expected a table")
    when = tuple(
        _condition(name, f"{key}.when.{subject}", subject, wanted)
        for subject, wanted in wants.items()
    )
    merged = _day(name, f"{key}.merged", row.get("merged", ""))
    return Affected(introduced, fixed, when, merged, pull)


def _condition(name: str, key: str, subject: str, wanted: object) -> Condition:
    if not _SUBJECT.fullmatch(subject):
        raise AdvisoryError(
            f"{name}: {key}: expected 'role', an option (--name) or a variable (NAME)"
        )
    negated = isinstance(wanted, dict)
    if isinstance(wanted, dict):
        _only(name, f"{key}.", wanted, frozenset({"not"}))
        key, wanted = f"{key}.not", wanted.get("not")
    values = _texts(name, key, wanted)
    if not values:
        raise AdvisoryError(f"{name}: {key}: expected at least one text: nothing else can hold")
    if subject == "role" and not set(values).issubset(_ROLES):
        raise AdvisoryError(f"{name}: {key}: expected roles out of {', '.join(_ROLES)}")
    return Condition(subject, values, negated=negated)


def _only(name: str, prefix: str, data: object, allowed: frozenset[str]) -> None:
    if not isinstance(data, dict):
        raise AdvisoryError(f"{name}: {prefix.rstrip('.')}: expected a table")
    for key in data:
        if key not in allowed:
            raise AdvisoryError(
                f"{name}: {prefix}{key}: unknown key, expected {', '.join(sorted(allowed))}"
            )


def _texts(name: str, key: str, value: object) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise AdvisoryError(f"{name}: {key}: expected a list of texts")
    return tuple(value)


def _day(name: str, key: str, value: object) -> str:
    if not isinstance(value, str) or (value and not _is_day(value)):
        raise AdvisoryError(f"{name}: {key}: expected a day such as 2026-10-26")
    return value


def _is_day(text: str) -> bool:
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return _DAY.match(text) is not None


def _version(name: str, key: str, value: object) -> Version:
    try:
        return Version(value if isinstance(value, str) else "")
    except InvalidVersion as error:
        raise AdvisoryError(f"{name}: {key}: {value!r} is not a version") from error
