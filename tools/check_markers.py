"""Check the texts that prove a fix against released wheels.

Usage: check_markers.py INSIDE WHEELS

INSIDE is ``inside.toml`` of an engine plugin, WHEELS a directory with wheels of the
server. A marker must stand in its file in its release and in every later one, and in no
earlier one; each that does not is a line. The exit code is 1 when there is one. Nothing
of a wheel is run.
"""

from __future__ import annotations

import os
import sys
import tomllib
import zipfile

from packaging.version import Version
from wheel_options import release_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any


def main(argv: list[str]) -> int:
    """Print what does not hold; 2 for a wrong command line or a directory without wheels."""
    if len(argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    with open(argv[0], "rb") as file:
        table = tomllib.load(file)
    names = [name for name in os.listdir(argv[1]) if name.endswith(".whl")]
    if not names:
        print(f"check_markers: {argv[1]}: holds no wheel", file=sys.stderr)
        return 2
    worst = 0
    for name in sorted(names, key=lambda name: Version(release_of(name))):
        found = list(problems(table, os.path.join(argv[1], name)))
        print(f"{release_of(name)}: {len(table['marker'])} markers, {len(found)} problems")
        for problem in found:
            print(f"  {problem}")
        worst = 1 if found else worst
    return worst


def problems(table: dict[str, Any], path: str) -> Iterator[str]:
    """The markers of which a wheel says something else than the table does."""
    release = Version(release_of(path))
    with zipfile.ZipFile(path) as archive:
        files = frozenset(archive.namelist())
        for marker in table["marker"]:
            name = f"{table['module']}/{marker['path']}"
            holds = name in files and marker["text"].encode() in archive.read(name)
            if holds != (release >= Version(marker["release"])):
                state = "is there" if holds else "is gone"
                yield f"{marker['pull']} (since {marker['release']}) {state}: {name}"


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
