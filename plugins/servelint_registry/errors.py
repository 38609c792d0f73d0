"""What this plugin raises."""

from __future__ import annotations


class RegistryError(Exception):
    """An image that could not be looked into: one sentence for people, without any secret."""


class Problem(Exception):  # noqa: N818  # it is half a sentence, which becomes an error
    """What a server did, as the middle of a sentence: who it was, and why asked, come later."""


class Spent(Exception):  # noqa: N818  # not always an error
    """The time or the bytes that a look may cost are spent; half a sentence too."""
