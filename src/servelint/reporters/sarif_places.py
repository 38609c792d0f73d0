"""Where things stand, as SARIF says it."""

from __future__ import annotations

from urllib.parse import quote

from servelint.reporters.regions import region

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from servelint.reporters import Options
    from servelint.reporters.lines import Files
    from servelint.source import Span
    from servelint.verdict import Place

MAX_SNIPPET = 500
"""Characters of a region whose text is given: it must be the whole text, or none."""


def location(place: Place, message: str, files: Files, options: Options) -> dict[str, Any]:
    """A place, with what to say of it if that is something."""
    where = {"physicalLocation": physical(place.span.path, place.span, files, options)}
    return where | ({"message": {"text": message}} if message else {})


def physical(path: str, span: Span | None, files: Files, options: Options) -> dict[str, Any]:
    """A range of a file; its first line where no range is known."""
    return {
        "artifactLocation": {"uri": uri(options.prefix + path), "uriBaseId": "%SRCROOT%"},
        "region": _region(span, files),
    }


def uri(path: str) -> str:
    """A relative path as a URI: the bytes that its name has on disk, where that is known."""
    try:
        data = path.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        data = path.encode("utf-8", "surrogatepass")
    return quote(data)


def _region(span: Span | None, files: Files) -> dict[str, Any]:
    at = region(span, files) if span is not None else None
    if span is None or at is None:
        return {"startLine": 1}
    shown: dict[str, Any] = {
        "startLine": at.line,
        "startColumn": at.column,
        "endLine": at.end_line,
        "endColumn": at.end_column,
    }
    lines = files.lines(span.path)
    text = lines.quote(span).rstrip("\r\n") if lines is not None else ""
    if 0 < len(text) <= MAX_SNIPPET and not _has_surrogate(text):
        shown["snippet"] = {"text": text}
    return shown


def _has_surrogate(text: str) -> bool:
    """True for a text that is no Unicode: many a parser refuses the whole file for one."""
    return any("\ud800" <= char <= "\udfff" for char in text)
