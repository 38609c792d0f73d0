"""A working copy of a repository, and what commands make of it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from servelint.syntax.course import INNER, SURELY
from servelint.value import MAX_READINGS, unknown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from servelint.source import Span
    from servelint.value import Value


@dataclass(frozen=True, slots=True)
class Copy:
    """A working copy in ``directory``: of ``url``, at one of ``refs`` (None: its default branch).

    ``url`` is None for one that was there before. ``fetched`` is what FETCH_HEAD stands for.
    ``is_sure`` says that it surely is there, at that state. ``inner`` is the folder of it that was
    installed, with ``extras``; None while nothing was.
    """

    directory: str
    url: Value | None
    refs: tuple[Value | None, ...] = (None,)
    fetched: Value | None = None
    is_sure: bool = False
    inner: str | None = None
    extras: tuple[str, ...] = ()

    def moved(self, ref: Value, runs: str) -> Copy:
        """The copy after a command that may take it to another state."""
        if ref.text in ("FETCH_HEAD", "-"):
            fetched = self.fetched if ref.text == "FETCH_HEAD" else None
            ref = fetched or unknown("commit", ref.written, ref.span)
        if runs:
            return replace(self, refs=(ref,), is_sure=runs in (SURELY, INNER))
        return self._or(ref)

    def changed(self, span: Span) -> Copy:
        """The copy with code of its own: no name of the repository stands for it any more."""
        last = self.refs[-1] if self.refs else None
        written = last.written if last is not None else ""
        return replace(self, refs=(unknown("commit", written, span),), is_sure=False)

    def fetching(self, remote: Value | None, ref: Value | None) -> Copy:
        """The copy after ``fetch``; of another repository than its own, nothing is known."""
        own = ("origin", self.url.text if self.url is not None else "origin")
        if remote is not None and ref is not None and remote.text not in own:
            ref = unknown("commit", ref.written, ref.span)
        return replace(self, fetched=ref)

    def beside(self, url: Value, ref: Value | None) -> Copy:
        """Either of two copies in the same directory: it is not known which one was taken."""
        if self.url is None or self.url.written != url.written:
            ref = unknown("commit", "", url.span)
        return self._or(ref)

    def _or(self, ref: Value | None) -> Copy:
        """The copy at one more state that it may be at."""
        refs = (*self.refs, ref)
        if len(refs) > MAX_READINGS:
            last = next(one for one in reversed(refs) if one is not None)
            refs = (unknown("many-values", last.written, last.span),)
        return replace(self, refs=refs, is_sure=False)
