"""Make the option table of an engine plugin from a table of its command line flags.

Usage: make_options.py FLAGS OPTIONS

FLAGS is JSON. ``meta.releases`` lists every release in ascending order, and
each entry of ``flags`` describes one option over all of them:

- ``canonical``: the spelling that names the option,
- ``options``: every spelling that it had, each with ``first_release`` and
  ``last_release`` (null while the newest release has it),
- ``negatives``: spellings that switch it off, which live as long as it does,
- ``takes_value``: whether words follow; ``takes_value_history`` lists the
  changes when that was not always so,
- ``nargs``: how many words follow, as argparse writes it (null is one).

``removed_options`` are those that no release has any more: ``option`` and what
it is ``replaced_by`` (null where nothing is).

OPTIONS is written with the releases and one line for each option: its
spellings, the canonical one first, each with first and last release (empty
while it lives), and ``values``, the number of words that follow: ``0``, ``1``,
``?`` or ``+``; then with what replaces what. A spelling that switches an option
off is an option of its own.
The same input always gives the same bytes.
"""

from __future__ import annotations

import json
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    Lifetime = tuple[str, str]
    Row = dict[str, Any]


def main(argv: list[str]) -> int:
    """Read the flags table, write the option table; 2 for a wrong command line."""
    if len(argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    with open(argv[0], encoding="utf-8") as file:
        table = json.load(file)
    with open(argv[1], "w", encoding="utf-8", newline="\n") as file:
        replaced = replacements(table.get("removed_options", ()))
        file.write(render(table["meta"]["releases"], rows(table["flags"]), replaced))
    return 0


def rows(flags: list[dict[str, Any]]) -> list[Row]:
    """The rows of the option table, by canonical spelling."""
    made = [row for flag in flags for row in _rows(flag)]
    return sorted(made, key=lambda row: next(iter(row["names"])))


def replacements(removed: Iterable[dict[str, Any]]) -> dict[str, str]:
    """What to write for options that are gone, where there is something."""
    return {row["option"]: row["replaced_by"] for row in removed if row["replaced_by"]}


def render(releases: list[str], options: list[Row], replaced: dict[str, str]) -> str:
    """The text of the option table: one line for each option, so that diffs stay readable."""
    lines = ",\n".join(json.dumps(row) for row in options)
    pairs = sorted(replaced.items())
    gone = ",\n".join(f"{json.dumps(name)}: {json.dumps(new)}" for name, new in pairs)
    head = f'{{"releases": {json.dumps(releases)},\n"options": [\n{lines}\n],\n'
    return f'{head}"replaced": {{\n{gone}\n}}}}\n'


def _rows(flag: dict[str, Any]) -> list[Row]:
    spellings = flag["options"]
    order = sorted(spellings, key=lambda name: (name != flag["canonical"], name))
    names = {name: _lifetime(spellings[name]) for name in order}
    row = {"names": names, "values": _values(flag)}
    negatives = [
        {"names": {name: names[flag["canonical"]]}, "values": "0"} for name in flag["negatives"]
    ]
    return [row, *negatives]


def _lifetime(spelling: dict[str, Any]) -> Lifetime:
    return spelling["first_release"], spelling["last_release"] or ""


def _values(flag: dict[str, Any]) -> str:
    ever = {step["takes_value"] for step in flag.get("takes_value_history", ())}
    if ever == {True, False}:
        return "?"
    if not flag["takes_value"]:
        return "0"
    nargs: str = flag["nargs"] or "1"
    # A list that may be empty is read like any other: up to the next option.
    return "+" if nargs == "*" else nargs


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
