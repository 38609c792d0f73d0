"""What formats that carry documentation need of the record that a finding names."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Described:
    """An advisory or a rule, for people.

    ``page`` is its whole page in Markdown, ``summary`` one paragraph of plain text. ``tags``
    are words to filter by, the most telling first; ``url`` leads to more, or is empty.
    """

    id: str
    title: str
    severity: str
    summary: str
    page: str
    tags: tuple[str, ...] = ()
    url: str = ""
