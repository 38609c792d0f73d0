"""What this plugin raises."""

from __future__ import annotations


class AuditError(Exception):
    """An audit that cannot be done, or not be trusted: one sentence for people."""


class Stopped(Exception):  # noqa: N818  # no error: somebody asked for it
    """The audit was told to end, by the signal of this ``number``."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number
