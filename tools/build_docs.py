"""Writes `docs/rules.md` and a page below `docs/rules` for each advisory and rule.

Usage: build_docs.py [DIR]

The pages are what `servelint explain ID` prints. A test says when they are not current.
"""

from __future__ import annotations

import sys
from pathlib import Path

from servelint.config import Config
from servelint.page import kind, page
from servelint.pipeline import records

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from servelint.page import Record

ROOT = Path(__file__).parent.parent

HEAD = """\
# Advisories and rules

`servelint explain ID` prints the page of each. A severity is that of a proven finding in a
deployment; what stands in examples, guides and tests weighs less. What belongs to a profile is
judged only with `profiles = ["NAME"]` in the configuration.

| id | kind | severity | profile | what |
|---|---|---|---|---|
"""


def main(argv: list[str]) -> int:
    """Write all pages, and remove those of ids that are gone; 2 for a wrong command line."""
    if len(argv) > 1:
        print(__doc__, file=sys.stderr)
        return 2
    docs = Path(argv[0]) if argv else ROOT / "docs"
    pages = texts(records(Config(str(ROOT))).values())
    for old in (docs / "rules").glob("*.md"):
        if f"rules/{old.name}" not in pages:
            old.unlink()
    for name, text in pages.items():
        (docs / name).parent.mkdir(parents=True, exist_ok=True)
        (docs / name).write_text(text, encoding="utf-8")
    return 0


def texts(every: Iterable[Record]) -> dict[str, str]:
    """Each file below the directory of the documents, with its text."""
    ordered = sorted(every, key=lambda one: (kind(one), one.id))
    rows = "".join(
        f"| [{one.id}](rules/{one.id}.md) | {kind(one)} | {one.severity} "
        f"| {getattr(one, 'profile', '')} | {one.title} |\n"
        for one in ordered
    )
    pages = {f"rules/{one.id}.md": page(one) for one in ordered}
    return {"rules.md": HEAD + rows, **pages}


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
