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
_STEP = re.compile(
    r"[A-Za-z_]\w*=|[#(\[{\ue000$/~.\\-]"
    r"|(?:cd|export|set|source|pip3?|uv|mkdir|echo|sleep|ulimit|unset|if|for|while|then|do|fi"
    r"|done|else|wait|trap|rm|cp|mv|git|apt|apt-get|conda|nvidia-smi|ray|pkill|kill|nohup|env"
    r"|python[\d.]*|bash|sh|sudo|docker|srun|module|true|local|eval|exec|hostname)\b"
)
"""How a command before the one that is looked for begins; prose begins otherwise."""

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
            return all(map(_STEP.match, filter(None, _SEPARATOR.split(before[:start].strip()))))
    return False
