"""Whether a text is a command for a shell or prose that names one."""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from servelint.readers.python.needles import Needles

_SEPARATOR = re.compile(r"(?:&&|\|\||[;|&\n])\s*")
_HOLDER = re.compile(r"(?:\S*/)?(?:docker|podman|ssh|srun|kubectl|apptainer|singularity|nsys)\Z")
_PREFIX = re.compile(
    r"[A-Za-z_]\w*=\S*\Z|--?[\w-]+(?:=\S*)?\Z|\ue000|\$|\\\Z|['\"]\Z|\d+\Z"
    r"|(?:\S*/)?(?:python[\d.]*|nohup|env|exec|setsid|sudo|uv|run|numactl|taskset|mpirun"
    r"|torchrun|bash|sh|time|timeout|poetry|conda)\Z"
)
_PROSE = re.compile(
    r"(?!(?:echo|printf|cd|for|if|while|until|case|do|then|else|trap|wait|export|set|source)\b)"
    r"(?:[A-Z][\w ,'/-]*:\Z"
    r"|(?=.*\s(?:an?|the|to|with|your|you|this|these|of|is|are|by|from|it|following)\b)"
    r"[A-Za-z][\w']*,?(?:\s+[A-Za-z][a-z']*[,.:;]?){2,}(?:\s|\Z))"
)
"""How a line of prose begins: with a heading, or three words of which one is no command's."""

_AFTER = re.compile(r"\s*\\?\s*(?:--?\w|\ue000|\$|[\w.-]*/)")
_SHEBANG = re.compile(r"\s*#!.*\bsh\b")


def looks_run(needles: Needles, flat: str) -> bool:
    """True for a text in which a program stands where a shell would run it."""
    if _SHEBANG.match(flat):
        return needles.any_literal.search(flat) is not None
    for match in needles.programs.finditer(flat):
        before = flat[: match.start()]
        start = max((found.end() for found in _SEPARATOR.finditer(before)), default=0)
        words = before[start:].split()
        held = bool(words) and _HOLDER.match(words[0]) is not None
        if (held or all(map(_PREFIX.match, words))) and _AFTER.match(flat, match.end()):
            return not any(map(_PROSE.match, _SEPARATOR.split(before[:start].strip())))
    return False
