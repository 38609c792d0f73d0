"""Why a template does not render."""

from __future__ import annotations


class TemplateProblem(Exception):  # noqa: N818 - what was read is wrong, not the program
    """A template that cannot be read or rendered.

    ``detail`` is one line, ``offset`` counts characters of the file ``path``. ``reason`` is that of
    a :class:`~servelint.finding.Skip`. ``is_wanted`` tells a template that refuses its values
    (``fail``, ``required``) from one that is broken.
    """

    reason = "template"

    def __init__(
        self, detail: str, offset: int = 0, path: str = "", *, is_wanted: bool = False
    ) -> None:
        super().__init__(detail)
        self.detail = " ".join(detail.split())[:300]
        self.offset = offset
        self.path = path
        self.is_wanted = is_wanted

    def at(self, offset: int, path: str) -> TemplateProblem:
        """The same problem in its place."""
        return type(self)(self.detail, offset, path, is_wanted=self.is_wanted)


class TooSlow(TemplateProblem):
    """More steps, or more text, than any template needs."""

    reason = "too-slow"


class TooDeep(TemplateProblem):
    """Templates that include each other, or parentheses, without an end in sight."""

    reason = "too-deep"
