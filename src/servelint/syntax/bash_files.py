"""The files that commands of a shell text take in: scripts, and files of variables."""

from __future__ import annotations

import os
from itertools import takewhile

from servelint.facts import Uses
from servelint.value import Text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from servelint.source import Route, Span
    from servelint.value import Value


def sourced_file(file: Value, path: str, span: Span, owner: Route) -> Iterator[Uses]:
    """The script that ``source FILE`` in the file ``path`` takes in."""
    name, _ = _known_end(file)
    if name:
        target = os.path.join(os.path.dirname(path), name)
        yield Uses(span=span, owner=owner, target=os.path.normpath(target), how="source")


def environment_files(file: Value, path: str, owner: Route) -> Iterator[Uses]:
    """The file of variables that a command in the file ``path`` names.

    It is one below the root or beside the script, for a script is started in either.
    """
    name, is_relative = _known_end(file)
    if not name or not is_relative:
        return
    beside = os.path.join(os.path.dirname(path), name)
    for target in dict.fromkeys(map(os.path.normpath, (name, beside))):
        if not target.startswith("../"):
            yield Uses(span=file.span, owner=owner, target=target, how="env-file")


def _known_end(file: Value) -> tuple[str, bool]:
    """What stands in a path behind all that is unknown, and whether that may be a directory here.

    What is not known before a path is mostly the directory of the project or of the script.
    """
    parts = file.readings[0] if len(file.readings) == 1 else ()
    behind = takewhile(lambda part: isinstance(part, Text), reversed(parts))
    texts = [part.text for part in behind][::-1]
    known = "".join(texts)
    is_whole = len(texts) == len(parts)
    if not known or (not is_whole and known[0] != "/"):
        return "", False
    return known.lstrip("/"), not is_whole or known[0] != "/"
