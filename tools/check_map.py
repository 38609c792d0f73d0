"""Check the tables of known images of the engine plugin for what a reader could trip over.

Usage: check_map.py

Reads ``images.toml``, ``seen.toml`` and ``digests.toml`` of ``servelint_sglang``
and prints one line for each problem: a row of the wrong shape, without evidence
that anybody can follow, with an impossible day or version, out of order or given
twice. The exit code is 1 when there is one.
"""

from __future__ import annotations

import re
import sys
import tomllib
from datetime import date
from itertools import pairwise

import servelint_builtins
from servelint.api import Build, Release
from servelint_sglang.tables import data_path, option_table
from servelint_sglang.tags import FIRST_YEAR, read_tag

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    Row = dict[str, Any]

PLACE = re.compile(r"[\w.-]+/[\w.-]+ [\w.+-]+(?:/[\w.+-]+)*(?:@[0-9a-f]{7,40})?", re.ASCII)
"""Repository, path, and the commit where it matters."""

DIGEST = re.compile(r"sha256:[0-9a-f]{64}", re.ASCII)
DIGITS = re.compile(r"\d{8}", re.ASCII)
RANGE = re.compile(r"<=?(?P<version>[\w.]+)", re.ASCII)

DIGEST_KEYS = {"digest", "repository", "tag", "version", "built_by", "checked", "evidence"}
SEEN_KEYS = {"repository", "tag", "date", "evidence"}
VENDOR_KEYS = {
    *("path", "tag", "forms", "needs", "evidence", "clears"),
    *("versions", "built_by", "days", "branch", "hour"),
}
NAMES = {"version", "key", "date", "sha"}
"""The groups that a form may name."""


def main(argv: Sequence[str]) -> int:
    """Print every problem; 0 when there is none, 2 for a wrong command line."""
    if argv:
        print(__doc__, file=sys.stderr)
        return 2
    found = problems(*(_table(name) for name in ("images.toml", "seen.toml", "digests.toml")))
    for problem in found:
        print(problem)
    return 1 if found else 0


def problems(images: Row, seen: Row, digests: Row) -> list[str]:
    """What is wrong with the tables, one line each."""
    families = {*images["releases"], *images["staging"]}
    return [
        *_lists(images),
        *(problem for row in images["vendor"] for problem in _vendor(row)),
        *_twice("vendor", [row["path"] for row in images["vendor"]]),
        *_seen(seen["seen"], families),
        *_digests(digests["digest"], {*families, *(row["path"] for row in images["vendor"])}),
    ]


def _table(name: str) -> Row:
    with open(data_path(name), "rb") as file:
        return tomllib.load(file)


# -- images.toml --------------------------------------------------------------


def _lists(images: Row) -> Iterator[str]:
    for name in ("moving_tags", "private_others"):
        yield from _order(name, images[name])
    for tag in images["moving_tags"]:
        if read_tag(tag).candidates:
            yield f"moving_tags: {tag}: the grammar reads it already"


def _vendor(row: Row) -> Iterator[str]:
    where = f"vendor {row.get('path')}"
    yield from _keys(where, row, VENDOR_KEYS, {"path", "tag"})
    tells = any(key in row for key in ("forms", "built_by"))
    if tells or "evidence" in row:
        yield from _evidence(where, row.get("evidence"))
    named = {name for form in row.get("forms", ()) for name in re.compile(form).groupindex}
    if named - NAMES:
        yield f"{where}: forms: unknown names {', '.join(sorted(named - NAMES))}"
    if ("key" in named) != ("versions" in row):
        yield f"{where}: expected versions, and a form that names a key"
    if "date" in named and ("days" in row) == ("branch" in row):
        yield f"{where}: expected days or a branch for the date in the tag"
    for version in row.get("versions", {}).values():
        yield from _version(where, version)
    for tag, day in row.get("built_by", {}).items():
        yield from _day(f"{where}: built_by: {tag}", day)
    yield from _days(where, row.get("days", []))


def _days(where: str, rows: Sequence[Row]) -> Iterator[str]:
    """Stretches of days in their order, each with a tag that the grammar reads."""
    for row in rows:
        yield from _keys(
            f"{where}: days", row, {"first", "last", "base"}, {"first", "last", "base"}
        )
        if not all(DIGITS.fullmatch(row[key]) for key in ("first", "last")):
            yield f"{where}: days: expected YYYYMMDD, not {row['first']} and {row['last']}"
        if row["first"] > row["last"]:
            yield f"{where}: days: {row['first']} is after {row['last']}"
        if not read_tag(row["base"]).candidates:
            yield f"{where}: days: {row['base']} names no release and no build"
    for before, after in pairwise(rows):
        if before["last"] >= after["first"]:
            yield f"{where}: days: {after['first']} is not after {before['last']}"


def _version(where: str, text: str) -> Iterator[str]:
    match = RANGE.fullmatch(text)
    version = match["version"] if match else text
    if version not in option_table()["releases"]:
        yield f"{where}: {text} is no release that is known"


# -- seen.toml and digests.toml -----------------------------------------------


def _seen(rows: Sequence[Row], families: set[str]) -> Iterator[str]:
    for row in rows:
        where = f"seen {row.get('repository')}:{row.get('tag')}"
        yield from _keys(where, row, SEEN_KEYS, SEEN_KEYS)
        yield from _evidence(where, [row.get("evidence")])
        yield from _day(where, row.get("date"))
        if row.get("repository") not in families:
            yield f"{where}: no family of SGLang's own tags"
        if read_tag(row.get("tag", "")).candidates:
            yield f"{where}: the grammar reads the tag already"
    yield from _order("seen", [f"{row.get('repository')} {row.get('tag')}" for row in rows])


def _digests(rows: Sequence[Row], families: set[str]) -> Iterator[str]:
    for row in rows:
        where = f"digest {row.get('digest', '')[:19]}"
        yield from _keys(where, row, DIGEST_KEYS, {"digest", "repository", "evidence"})
        yield from _evidence(where, row.get("evidence"))
        if not DIGEST.fullmatch(row.get("digest", "")):
            yield f"{where}: expected sha256 and 64 hexadecimal digits"
        if row.get("repository") not in families:
            yield f"{where}: {row.get('repository')} is no family that is known"
        if not {"version", "built_by"} & set(row):
            yield f"{where}: it says nothing: expected version or built_by"
        for key in ("built_by", "checked"):
            if key in row:
                yield from _day(f"{where}: {key}", row[key])
        yield from _told_twice(where, row)
    yield from _order("digest", [row.get("digest", "") for row in rows])


def _told_twice(where: str, row: Row) -> Iterator[str]:
    """The version must be that of the tag, and an image cannot be there before its own day."""
    version, tag = row.get("version", ""), row.get("tag", "")
    if version:
        yield from _version(where, version)
    for candidate in read_tag(tag).candidates:
        if isinstance(candidate, Release):
            if candidate.version != version:
                yield f"{where}: version {version or 'missing'} beside the tag {tag}"
        elif isinstance(candidate, Build) and row.get("built_by", candidate.date) < candidate.date:
            yield f"{where}: built_by is before the day in the tag {tag}"


# -- shared by all ------------------------------------------------------------


def _keys(where: str, row: Row, allowed: set[str], needed: set[str]) -> Iterator[str]:
    yield from (f"{where}: unknown key {key}" for key in sorted(set(row) - allowed))
    yield from (f"{where}: {key} is missing" for key in sorted(needed - set(row)))


def _evidence(where: str, places: object) -> Iterator[str]:
    if not isinstance(places, list) or not places:
        yield f"{where}: evidence: expected a list of places"
        return
    for place in places:
        if not isinstance(place, str) or not PLACE.fullmatch(place):
            yield f"{where}: evidence: expected 'owner/name path@commit', not {place!r}"


def _day(where: str, text: object) -> Iterator[str]:
    try:
        day = date.fromisoformat(str(text))
    except ValueError:
        yield f"{where}: {text} is no day"
        return
    last = date.fromisoformat(servelint_builtins.DATA_DATE)
    if not (day.year >= FIRST_YEAR and day <= last):
        yield f"{where}: {text} is not between {FIRST_YEAR} and {last}"


def _order(where: str, names: Sequence[str]) -> Iterator[str]:
    for before, after in pairwise(names):
        if before >= after:
            yield f"{where}: {after} does not belong after {before}"


def _twice(where: str, names: Sequence[str]) -> Iterator[str]:
    found = sorted(names)
    yield from (
        f"{where}: {name} is given twice" for name, next_ in pairwise(found) if name == next_
    )


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
