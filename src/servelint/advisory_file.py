"""The file format of advisories: TOML front matter between ``+++`` lines, then Markdown.

The file name is the id. The front matter is data, checked here so that a
wrong record cannot exist in memory; the first heading is the title and what
follows it the body.
"""

from __future__ import annotations

import os
import re
import tomllib
from dataclasses import replace
from datetime import date, datetime

from packaging.version import InvalidVersion, Version

from servelint.advisory import Advisory, Affected, Condition, Mitigated
from servelint.finding import SEVERITIES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_SHAPE = re.compile(
    r"\A\+\+\+\n(?P<data>.*?)\n\+\+\+\n\s*# (?P<title>[^\n]+)\n(?P<body>.*)\Z", re.S
)
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}\Z")
_TIME = re.compile(r"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z\Z", re.ASCII)
_STRINGS = ("id", "package", "severity", "published")
_CHOICES = ("recommended", "remedy", "profile")
_KEYS = frozenset(
    {*_STRINGS, *_CHOICES, "withdrawn", "aliases", "references", "affected", "mitigated"}
)
_WHOM = {"when": "", "every": "every", "any": "any"}
"""Tables of conditions, and on whom each is."""

_RANGE_KEYS = frozenset(
    {"introduced", "fixed", "last_affected", "merged", "pull", "basis", "severity", *_WHOM}
)
_MITIGATED_KEYS = frozenset({"introduced", "fixed", "severity", "why", *_WHOM})
_BASES = ("", "recorded", "observed")
_TESTS = frozenset({"not", "set", "like", "below", "glob", "remote"})
_ROLES = ("prefill", "decode", "both", "none")
_SUBJECT = re.compile(r"role|pool|--[A-Za-z0-9][\w-]*(?:\.[\w.*-]+)?|[A-Z][A-Z0-9_]+", re.ASCII)


MAX_LENGTH = 200_000
"""Characters of a record: so many are no text of a person."""


class AdvisoryError(ValueError):
    """An advisory that says something it may not; the text names file and key."""


def load_advisories(directory: str) -> tuple[Advisory, ...]:
    """All ``*.md`` records of a directory, by id. Raises :class:`AdvisoryError`."""
    names = sorted(name for name in os.listdir(directory) if name.endswith(".md"))
    return tuple(load_advisory(os.path.join(directory, name)) for name in names)


def load_advisory(path: str) -> Advisory:
    """One record. Raises :class:`AdvisoryError` naming the file and the key."""
    name = os.path.basename(path)
    if not os.path.isfile(path):
        raise AdvisoryError(f"{name}: not a regular file")
    try:
        with open(path, encoding="utf-8") as file:
            text = file.read(MAX_LENGTH)
    except UnicodeDecodeError as error:
        raise AdvisoryError(f"{name}: not UTF-8: {error}") from error
    shape = _SHAPE.match(text) if len(text) < MAX_LENGTH else None
    if shape is None:
        raise AdvisoryError(f"{name}: expected '+++', TOML, '+++', a '# Title' line and text")
    try:
        data = tomllib.loads(shape["data"])
    except (ValueError, RecursionError) as error:
        raise AdvisoryError(f"{name}: the front matter is not TOML: {error}") from error
    _only(name, "", data, _KEYS)
    if data.get("id") != name.removesuffix(".md"):
        raise AdvisoryError(f"{name}: id is {data.get('id')!r}, expected the name of the file")
    return _advisory(name, data, shape["title"].strip(), shape["body"].strip())


def _advisory(name: str, data: dict[str, Any], title: str, body: str) -> Advisory:
    for key in _STRINGS:
        if not _text(name, key, data.get(key)):
            raise AdvisoryError(f"{name}: {key}: expected a text")
    ranges = tuple(
        _affected(name, f"affected[{n}]", row)
        for n, row in enumerate(_rows(name, data, "affected"))
    )
    if not ranges:
        raise AdvisoryError(f"{name}: affected: expected at least one [[affected]] table")
    recommended = _text(name, "recommended", data.get("recommended", ""))
    remedy = _text(name, "remedy", data.get("remedy", ""))
    if not recommended and not remedy:
        raise AdvisoryError(f"{name}: recommended: expected a version, or a remedy")
    floor = _version(name, "recommended", recommended) if recommended else None
    for n, row in enumerate(ranges):
        if floor is not None and row.fixed and Version(row.fixed) > floor:
            raise AdvisoryError(f"{name}: affected[{n}].fixed is above recommended")
    return Advisory(
        id=data["id"],
        package=data["package"],
        title=title,
        severity=_severity(name, "severity", data["severity"]),
        published=_day(name, "published", data["published"]),
        recommended=recommended,
        affected=ranges,
        references=_texts(name, "references", data.get("references", [])),
        aliases=_texts(name, "aliases", data.get("aliases", [])),
        body=body,
        withdrawn=_day(name, "withdrawn", data.get("withdrawn", "")),
        mitigated=tuple(
            _mitigated(name, f"mitigated[{n}]", row)
            for n, row in enumerate(_rows(name, data, "mitigated"))
        ),
        remedy=remedy,
        profile=_text(name, "profile", data.get("profile", "")),
    )


def _rows(name: str, data: dict[str, Any], key: str) -> list[Any]:
    rows = data.get(key, [])
    if not isinstance(rows, list):
        raise AdvisoryError(f"{name}: {key}: expected [[{key}]] tables")
    return rows


def _affected(name: str, key: str, row: dict[str, Any]) -> Affected:
    _only(name, f"{key}.", row, _RANGE_KEYS)
    introduced, fixed, last = _bounds(name, key, row)
    pull = row.get("pull", 0)
    if not isinstance(pull, int) or isinstance(pull, bool):
        raise AdvisoryError(f"{name}: {key}.pull: expected a number")
    basis = row.get("basis", "")
    if basis not in _BASES:
        raise AdvisoryError(f"{name}: {key}.basis: expected recorded or observed")
    return Affected(
        introduced=introduced,
        fixed=fixed,
        when=_when(name, key, row),
        merged=_moment(name, f"{key}.merged", row.get("merged", "")),
        pull=pull,
        last_affected=last,
        basis=basis,
        severity=_severity(name, f"{key}.severity", row["severity"]) if "severity" in row else "",
    )


def _bounds(name: str, key: str, row: dict[str, Any]) -> tuple[str, str, str]:
    """Introduced, fixed and last affected; an impossible range is refused."""
    ends = ("introduced", "fixed", "last_affected")
    texts = [row.get(end, "") for end in ends]
    low, fixed, last = (
        _version(name, f"{key}.{end}", text) if text != "" else None
        for end, text in zip(ends, texts, strict=True)
    )
    if low is not None and fixed is not None and low >= fixed:
        raise AdvisoryError(f"{name}: {key}: introduced is not below fixed")
    if low is not None and last is not None and low > last:
        raise AdvisoryError(f"{name}: {key}: introduced is above last_affected")
    if fixed is not None and last is not None:
        raise AdvisoryError(f"{name}: {key}: expected fixed or last_affected, not both")
    return texts[0], texts[1], texts[2]


def _mitigated(name: str, key: str, row: dict[str, Any]) -> Mitigated:
    _only(name, f"{key}.", row, _MITIGATED_KEYS)
    introduced, fixed, _ = _bounds(name, key, row)
    when, why = _when(name, key, row), _text(name, f"{key}.why", row.get("why", ""))
    if not when or not why:
        raise AdvisoryError(f"{name}: {key}: expected conditions, and why it helps")
    severity = _severity(name, f"{key}.severity", row.get("severity"))
    return Mitigated(introduced, fixed, when, severity, why)


# -- conditions ---------------------------------------------------------------


def _when(name: str, key: str, row: dict[str, Any]) -> tuple[Condition, ...]:
    """The conditions of all tables of a row."""
    found: list[Condition] = []
    for table, whom in _WHOM.items():
        wants = row.get(table, {})
        if not isinstance(wants, dict):
            raise AdvisoryError(f"{name}: {key}.{table}: expected a table")
        for subject, wanted in wants.items():
            one = _condition(name, f"{key}.{table}.{subject}", subject, wanted)
            found.append(replace(one, whom=whom))
    return tuple(found)


def _condition(name: str, key: str, subject: str, wanted: object) -> Condition:
    if not _SUBJECT.fullmatch(subject):
        raise AdvisoryError(
            f"{name}: {key}: expected 'role', an option (--name) or a variable (NAME)"
        )
    if not isinstance(wanted, dict):
        return _one_of(name, key, subject, wanted, negated=False)
    _only(name, f"{key}.", wanted, _TESTS)
    if len(wanted) != 1:
        names = ", ".join(sorted(_TESTS))
        raise AdvisoryError(f"{name}: {key}: expected a list, or one of {names}")
    ((test, value),) = wanted.items()
    if test in ("not", "glob"):
        found = _one_of(name, f"{key}.{test}", subject, value, negated=test == "not")
        return replace(found, test="glob") if test == "glob" else found
    if subject in ("role", "pool"):
        raise AdvisoryError(f"{name}: {key}: expected a list of {subject}s, or not")
    if test in ("set", "remote") and isinstance(value, bool):
        return Condition(subject, test=test, negated=not value)
    if test == "like" and isinstance(value, bool):
        return Condition(subject, (str(value).lower(),), test="like")
    if test == "below" and isinstance(value, int | float) and not isinstance(value, bool):
        return Condition(subject, (str(value),), test="below")
    what = "a number" if test == "below" else "true or false"
    raise AdvisoryError(f"{name}: {key}.{test}: expected {what}")


def _one_of(name: str, key: str, subject: str, wanted: object, *, negated: bool) -> Condition:
    values = _texts(name, key, wanted)
    if not values:
        raise AdvisoryError(f"{name}: {key}: expected at least one text: nothing else can hold")
    allowed = {"role": _ROLES, "pool": ("fits",)}.get(subject)
    if allowed and not set(values).issubset(allowed):
        raise AdvisoryError(f"{name}: {key}: expected {subject}s out of {', '.join(allowed)}")
    return Condition(subject, values, negated=negated)


# -- values -------------------------------------------------------------------


def _only(name: str, prefix: str, data: object, allowed: frozenset[str]) -> None:
    if not isinstance(data, dict):
        raise AdvisoryError(f"{name}: {prefix.rstrip('.')}: expected a table")
    for key in data:
        if key not in allowed:
            raise AdvisoryError(
                f"{name}: {prefix}{key}: unknown key, expected {', '.join(sorted(allowed))}"
            )


def _text(name: str, key: str, value: object) -> str:
    if not isinstance(value, str):
        raise AdvisoryError(f"{name}: {key}: expected a text")
    return value


def _severity(name: str, key: str, value: object) -> str:
    if value not in SEVERITIES:
        raise AdvisoryError(f"{name}: {key}: expected one of {', '.join(SEVERITIES)}")
    return str(value)


def _texts(name: str, key: str, value: object) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise AdvisoryError(f"{name}: {key}: expected a list of texts")
    return tuple(value)


def _day(name: str, key: str, value: object) -> str:
    if not isinstance(value, str) or (value and not _is_day(value)):
        raise AdvisoryError(f"{name}: {key}: expected a day such as 2026-10-26")
    return value


def _moment(name: str, key: str, value: object) -> str:
    """A day, or a time of UTC to the second."""
    if not isinstance(value, str) or (value and not _is_day(value) and not _is_time(value)):
        raise AdvisoryError(
            f"{name}: {key}: expected a day such as 2026-10-26, or a time such as"
            " 2026-10-26T14:35:11Z"
        )
    return value


def _is_time(text: str) -> bool:
    try:
        datetime.fromisoformat(text)
    except ValueError:
        return False
    return _TIME.match(text) is not None


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
