"""What is typed in a block of code: the commands of a session without prompts and answers."""

from __future__ import annotations

import re

from servelint.syntax.markup_blocks import Line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

_PROMPT = re.compile(
    r"""[ \t]*(?:\([\w./-]+\)[ \t]*)?
    (?: \[?[\w.-]+@[\w.-]+(?:[:\ ][^\s$\#%>]*)?\]?[ ]?[$\#%]
      | \[[\w.@: ~/-]+\][$\#%]
      | [$%\u276f\u279c] )[ \t]+""",
    re.VERBOSE,
)
_ROOT = re.compile(r"[ \t]*\#[ \t]+")
_MORE = re.compile(r"[ \t]*>[ \t]")
_HEREDOC = re.compile(r"<<-?[ \t]*(['\"]?)(?P<word>[A-Za-z_]\w*)\1")
_TOOLS = (
    r"(?:python[\d.]*|pip[\d.]*|docker|podman|nerdctl|uvx?|conda|bash|sh|export|source|git|cd|srun"
    r"|sbatch|salloc|mpirun|torchrun|numactl|nohup|kubectl|helm|curl|wget|apt|apt-get|ray|set|mkdir"
    r"|enroot|singularity|apptainer|CUDA_VISIBLE_DEVICES)"
)
_COMMAND = re.compile(
    rf"""(?:(?:[A-Za-z_]\w*=\S*|sudo|env|time|exec)[ \t]+)*+
    (?: (?:\S*/)?{_TOOLS}(?=[ \t]|$)
      | [A-Za-z_]\w*=\S*[ \t]*$
      | [a-z][\w./-]*(?:[ \t]+[\w./:-]+)?(?:[ \t]*\\$|[ \t]+--?[A-Za-z])
      | [a-z][\w.-]*[ \t]+(?:serve|server|launch|start|run)(?=[ \t]|$) )""",
    re.VERBOSE,
)
MAX_LENGTH = 2000
"""Characters of a line in which its beginning is looked at."""


def typed(text: str, lines: Iterable[Line], *, is_session: bool) -> tuple[Line, ...]:
    """The lines that a shell would get: all of them, or those behind a prompt.

    ``is_session`` says that the block shows answers beside commands; any other block does so
    when its first line stands behind a prompt.
    """
    kept = tuple(lines)
    codes = [said for line in kept if (said := _said(text, line)) and not said.startswith("#")]
    if codes and _PROMPT.match(codes[0]):
        return _behind(_PROMPT, text, kept)
    if not is_session:
        return kept
    if any(map(_PROMPT.match, codes)):
        return _behind(_PROMPT, text, kept)
    roots = [match.end() for line in kept if (match := _ROOT.match(_said(text, line)))]
    if roots and not any(map(_COMMAND.match, codes)):
        return _behind(_ROOT, text, kept)
    return kept


def looks_typed(text: str, lines: Iterable[Line]) -> bool:
    """True when the first line that is no comment looks like a command."""
    for line in lines:
        said = _said(text, line)
        if said and not said.startswith("#"):
            return _COMMAND.match(said) is not None
    return False


def _said(text: str, line: Line) -> str:
    return text[line.start : min(line.stop, line.start + MAX_LENGTH)].strip()


def _behind(prompt: re.Pattern[str], text: str, lines: tuple[Line, ...]) -> tuple[Line, ...]:
    """The commands behind a prompt, with the lines on which they go on."""
    kept: list[Line] = []
    goes_on, word = False, ""
    for line in lines:
        match = prompt.match(text, line.start, line.stop)
        more = _MORE.match(text, line.start, line.stop)
        if word or goes_on:
            start = more.end() if more and not word else line.start
        elif match is not None:
            start = match.end()
        elif more is not None and kept and kept[-1].end == line.start:
            start = more.end()
        else:
            continue
        kept.append(Line(start, line.stop, line.end))
        said = text[start : line.stop]
        if word:
            word = "" if said.strip() == word else word
            continue
        heredoc = _HEREDOC.search(said)
        word = heredoc["word"] if heredoc else ""
        goes_on = said.endswith("\\")
    return tuple(kept)
