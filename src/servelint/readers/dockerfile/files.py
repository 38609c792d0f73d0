"""The texts that here-documents of a Dockerfile hold: for a shell, or written into the image."""

from __future__ import annotations

import re

from servelint.readers import claim, claim_text
from servelint.source import Segment

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from servelint.source import Source
    from servelint.syntax.dockerfile import Instruction
    from servelint.syntax.dockerfile_heredocs import Heredoc

    Steps = tuple[str | int, ...]

_LEADING_TABS = re.compile(r"^\t+", re.MULTILINE)
_ESCAPED = re.compile(r"\\[$\\]")
_NAME = re.compile(r"\$\{?([A-Za-z_]\w*)", re.ASCII)


class _Text:
    """A text put together from runs of the file."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._segments: list[Segment] = []
        self._parts: list[str] = []
        self._length = 0

    def add(self, start: int, end: int, text: str | None = None) -> None:
        """A run of the file, as it stands or read as ``text``."""
        piece = self._source.text[start:end] if text is None else text
        if piece:
            size = len(piece)
            self._segments.append(Segment(self._length, self._length + size, start, end))
            self._parts.append(piece)
            self._length += size

    def without(self, start: int, end: int, pattern: re.Pattern[str], kept: int) -> None:
        """A run of the file in which of each match only what follows ``kept`` characters stays."""
        at = start
        for match in pattern.finditer(self._source.text, start, end):
            self.add(at, match.start())
            self.add(*match.span(), match[0][kept:] if kept else "")
            at = match.end()
        self.add(at, end)

    @property
    def text(self) -> str:
        return "".join(self._parts)

    def source(self, language: str, steps: Steps) -> Source:
        return self._source.embed(self.text, self._segments, language, *steps, container=True)


def run_source(
    source: Source, instruction: Instruction, steps: Steps, *, reads_shell: bool
) -> Iterator[Source]:
    """The text that ``RUN <<EOF`` gives to its shell, or to the program on its first line."""
    heredocs = instruction.heredocs
    start, end = instruction.arguments
    alone = len(heredocs) == 1 and len(instruction.text[start:end].split()) == 1
    if alone:
        text = _body(source, heredocs[0])
        is_script = text.text.startswith("#!")
        language = claim_text("shebang", text.text) if is_script else "shell"
    else:
        text, is_script, language = _with_bodies(source, instruction), False, "shell"
    if text.text and language and (is_script or reads_shell):
        yield text.source(language, steps)


def _with_bodies(source: Source, instruction: Instruction) -> _Text:
    """The command as its shell gets it: the line, then the here-documents with their ends."""
    text = _Text(source)
    start, end = instruction.arguments
    for segment in instruction.segments:
        first, last = max(segment.start, start), min(segment.end, end)
        if first < last:
            text.add(segment.before(first), segment.before(last))
    for heredoc in instruction.heredocs:
        at = heredoc.body[0]
        text.add(at - 1, at)
        text.add(*heredoc.body)
        text.add(*heredoc.terminator)
    return text


def _body(source: Source, heredoc: Heredoc) -> _Text:
    text = _Text(source)
    start, end = heredoc.body
    if heredoc.mark.chomps:
        text.without(start, end, _LEADING_TABS, 0)
    else:
        text.add(start, end)
    return text


def file_source(
    source: Source, heredoc: Heredoc, path: str, steps: Steps
) -> tuple[Source, frozenset[str]] | None:
    """A file that ``COPY <<EOF path`` writes, and the variables that docker fills in there.

    None when its name and first line do not say that a reader takes it.
    """
    text = _body(source, heredoc)
    names: frozenset[str] = frozenset()
    if heredoc.mark.expands:
        names = frozenset(_NAME.findall(text.text))
        if not heredoc.mark.chomps:
            text = _Text(source)
            text.without(*heredoc.body, _ESCAPED, 1)
    language = claim_text(claim(path), text.text)
    return (text.source(language, steps), names) if language and text.text else None
