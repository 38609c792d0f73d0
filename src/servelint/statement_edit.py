"""Writes entries of ``servelint-images.toml``; what stands there keeps its comments and order."""

from __future__ import annotations

import os
import re
from itertools import takewhile
from typing import TYPE_CHECKING

from servelint.config import IMAGE_MAP, ConfigError
from servelint.entry_edit import current_text, with_rows
from servelint.saving import write_whole
from servelint.statement_file import IMAGES, image_statements
from servelint.syntax.package_name import normalise

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

HEAD = "# What images hold, said by people who looked. See `servelint images --help`.\n"
"""How a new file begins."""

_FIELD = re.compile(r"(?P<key>[A-Za-z-]+): *(?P<value>.*)")


def shown_package(text: str) -> tuple[str, str]:
    """Name and version that ``pip show`` printed. Raises :class:`ConfigError` for other text."""
    lines = takewhile(lambda line: line.strip() != "---", text.splitlines())
    matches = (_FIELD.match(line) for line in lines)
    fields = {match["key"]: match["value"].strip() for match in matches if match}
    if not fields.get("Name") or not fields.get("Version"):
        wanted = "expected the output of `pip show` (Name: and Version:), or --version"
        raise ConfigError(f"standard input: {wanted}")
    return normalise(fields["Name"]), fields["Version"]


def with_entries(text: str, entries: Iterable[Mapping[str, Any]]) -> str:
    """The text of the map with an entry for each reference: changed if there is one, else added.

    Raises :class:`ConfigError` when the text, or what would come out, is not right.
    """
    done = with_rows(text, IMAGE_MAP, IMAGES.name, ("reference",), entries)
    image_statements(done)
    return done


def save(root: str, entries: Iterable[Mapping[str, Any]]) -> str:
    """Write entries into the map of a root; the path of the file, relative to it.

    Another process never sees half a file. Raises :class:`ConfigError`.
    """
    done = with_entries(current_text(root, IMAGE_MAP, HEAD), entries)
    write_whole(os.path.join(root, IMAGE_MAP), done.encode(), IMAGE_MAP)
    return IMAGE_MAP
