"""Compare the option table with released wheels, or continue it with newer ones.

Usage: read_wheels.py TABLE WHEELS [FLAGS]

TABLE is the option table of an engine plugin (``options.json``), WHEELS a directory
with wheels of the server, one for each release. Nothing of a wheel is run or imported:
see ``wheel_options.py``.

Without FLAGS every wheel of a release that TABLE holds is compared with it. Each
difference is a line; the exit code is 1 when there is one. ``?`` in TABLE agrees with
none and with one: an option took a word in some releases and none in others.

With FLAGS the table is continued by the wheels that are newer than its last release, in
the order of their versions, and written in the shape that ``make_options.py`` takes.
What is new and what is gone is printed. Give every release since: an option that came
and went in one that is missing is not seen. Begin with a table without releases to make
one from nothing.
"""

from __future__ import annotations

import json
import os
import sys
from zipfile import BadZipFile

from packaging.utils import InvalidWheelFilename
from packaging.version import Version
from wheel_options import ReadError, Registered, options_of, release_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Any

    Row = dict[str, Any]
    Table = dict[str, Any]

LISTS = {"*": "+"}
"""A list that may be empty is read like any other: up to the next option."""


def main(argv: list[str]) -> int:
    """Compare or continue; 2 for a wrong command line and for what cannot be read."""
    if len(argv) not in (2, 3):
        print(__doc__, file=sys.stderr)
        return 2
    with open(argv[0], encoding="utf-8") as file:
        table = json.load(file)
    try:
        if len(argv) == 2:
            return _compare(table, argv[1])
        flags = flags_of(_continue(table, argv[1]))
    except (ReadError, InvalidWheelFilename, BadZipFile, OSError) as error:
        print(f"read_wheels: {error}", file=sys.stderr)
        return 2
    with open(argv[2], "w", encoding="utf-8", newline="\n") as file:
        file.write(json.dumps(flags, indent=1) + "\n")
    return 0


def _compare(table: Table, directory: str) -> int:
    """Print how each wheel of a known release differs from the table."""
    worst = 0
    for release, path in wheels(directory):
        if release not in table["releases"]:
            print(f"{release}: not in the table")
            worst = 1
            continue
        options = options_of(path)
        different = list(differences(table, release, options))
        print(f"{release}: {len(options)} options, {len(different)} differences")
        for line in different:
            print(f"  {line}")
        worst = 1 if different else worst
    return worst


def _continue(table: Table, directory: str) -> Table:
    """The table with all newer wheels, told as it grows."""
    for release, path in wheels(directory):
        releases = table["releases"]
        if not releases or Version(release) > Version(releases[-1]):
            before = set(_alive(table, releases[-1]) if releases else ())
            table = continued(table, release, options_of(path))
            now = set(_alive(table, release))
            print(f"{release}: {len(now)} spellings")
            for sign, names in (("new", now - before), ("gone", before - now)):
                for name in sorted(names):
                    print(f"  {sign} {name}")
    return table


def wheels(directory: str) -> list[tuple[str, str]]:
    """The wheels of a directory, one for each release, in the order of their versions."""
    names = sorted(name for name in os.listdir(directory) if name.endswith(".whl"))
    paths = {release_of(name): os.path.join(directory, name) for name in names}
    if not paths:
        raise ReadError(f"{directory}: holds no wheel")
    return sorted(paths.items(), key=lambda item: Version(item[0]))


def differences(table: Table, release: str, options: Sequence[Registered]) -> Iterator[str]:
    """How a release of the table differs from the options of its wheel, a line for each."""
    told = _by_name((_living(table, row, release), row["values"]) for row in table["options"])
    real = _by_name((one.names, _values(one)) for one in _flat(options))
    for name in sorted(told.keys() | real.keys()):
        if name not in real:
            yield f"{name}: in the table, but no option of the wheel"
            continue
        if name not in told:
            yield f"{name}: an option of the wheel, but not in the table"
            continue
        (one, takes), (same, takes_really) = told[name], real[name]
        if takes != takes_really and not (takes == "?" and takes_really in "01"):
            yield f"{name}: takes {takes_really!r}, {takes!r} in the table"
        if name == min(one) and (one & real.keys()) - same:
            yield f"{', '.join(sorted(one))}: one option in the table, several of the wheel"
        if name == min(same) and (same & told.keys()) - one:
            yield f"{', '.join(sorted(same))}: one option of the wheel, several in the table"


def _by_name(
    rows: Iterable[tuple[Iterable[str], str]],
) -> dict[str, tuple[frozenset[str], str]]:
    """Each spelling with all of its option, and the words that follow it."""
    whole = ((frozenset(names), values) for names, values in rows)
    return {name: (names, values) for names, values in whole for name in names}


def continued(table: Table, release: str, options: Sequence[Registered]) -> Table:
    """The table with one more release after all that it has."""
    before = table["releases"][-1] if table["releases"] else ""
    flat = tuple(_flat(options))
    alive = {name for one in flat for name in one.names}
    rows = [_aged(row, before, alive) for row in table["options"]]
    owners = {name: row for row in rows for name in row["names"]}
    for one in flat:
        row = next((owners[name] for name in one.names if name in owners), None)
        if row is None:
            row = {"names": {}, "values": _values(one)}
            rows.append(row)
        for name in one.names:
            _take(row, owners.get(name, row), name, release)
            owners[name] = row
        row["values"] = _joined(row["values"], _values(one))
        row["names"] = {name: row["names"][name] for name in (*one.names, *row["names"])}
    kept = [row for row in rows if row["names"]]
    return table | {"releases": [*table["releases"], release], "options": kept}


def _take(row: Row, owner: Row, name: str, release: str) -> None:
    """Let a spelling be alive in a row; one of another row is of the same option from now on."""
    if owner is not row:
        row["values"] = _joined(row["values"], owner["values"])
    first, _ = owner["names"].pop(name, (release, ""))
    row["names"][name] = [first, ""]


def flags_of(table: Table) -> dict[str, Any]:
    """The table as ``make_options.py`` takes it; a negative is an option of its own there."""
    return {
        "meta": {"releases": table["releases"]},
        "flags": [_flag(row["names"], row["values"]) for row in table["options"]],
        "removed_options": [
            {"option": name, "replaced_by": other} for name, other in table["replaced"].items()
        ],
    }


def _flag(names: dict[str, list[str]], values: str) -> dict[str, Any]:
    return {
        "canonical": next(iter(names)),
        "options": {
            name: {"first_release": first, "last_release": last or None}
            for name, (first, last) in names.items()
        },
        "negatives": [],
        "takes_value": values != "0",
        "nargs": None if values in "01" else values,
    }


def _aged(row: Row, before: str, alive: set[str]) -> Row:
    """A row of its own, in which what is not alive any more ends with the release before."""
    names = {
        name: [first, last or ("" if name in alive else before)]
        for name, (first, last) in row["names"].items()
    }
    return {"names": names, "values": row["values"]}


def _alive(table: Table, release: str) -> Iterator[str]:
    for row in table["options"]:
        yield from _living(table, row, release)


def _living(table: Table, row: Row, release: str) -> Iterator[str]:
    """The spellings of a row that a release has."""
    order = {name: number for number, name in enumerate(table["releases"])}
    for name, (first, last) in row["names"].items():
        if order[first] <= order[release] <= order[last or table["releases"][-1]]:
            yield name


def _flat(options: Iterable[Registered]) -> Iterator[Registered]:
    """The options, those that switch another one off among them."""
    for one in options:
        yield one
        for name in one.negatives:
            yield Registered((name,), "0")


def _values(option: Registered) -> str:
    return LISTS.get(option.values, option.values)


def _joined(before: str, now: str) -> str:
    """How many words follow over all releases: where one took none, a word may follow."""
    return "?" if before != now and ("0" in (before, now) or before == "?") else now


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
