"""Who reads a script from the standard input, and who writes it to a file."""

from __future__ import annotations

import re
from itertools import pairwise

from servelint.syntax.bash_fields import reading_text
from servelint.syntax.bash_inline import (
    COPIERS,
    JOBS,
    MANIFESTS,
    REMOTE,
    SHELLS,
    VALUE_FLAG,
    behind_host,
)
from servelint.syntax.bash_texts import PYTHONS
from servelint.syntax.programs import base_name
from servelint.syntax.unwrap import unwrap
from servelint.value import known

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from servelint.syntax.bash_commands import Run
    from servelint.syntax.bash_fields import Field, Reading
    from servelint.value import Value

MAX_HOPS = 4
"""Hosts that are reached through hosts."""

_FROM_INPUT = frozenset({("-f", "-"), ("--filename", "-")})
_INPUTS = frozenset({"-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"})
_SEPARATOR = re.compile(r"&&|\|\||[;|\n]")
_TEMPORARY = re.compile(r"""\$\(mktemp\s[^()]*?([^\s"'()]+)["']?\s*\)\Z""")
_ASSIGNED = re.compile(r"[A-Za-z_]\w*=\S*\s+", re.ASCII)


def reads_script(argv: Sequence[Value], hops: int = 0) -> bool:
    """True for a command that runs what its standard input gives."""
    inside = unwrap(argv)
    words = (*inside.entrypoint, *argv[inside.at :])
    texts = [word.text for word in words]
    name = base_name((texts or [""])[0] or "")
    if name in SHELLS:
        return _has_no_script(texts[1:])
    if name != REMOTE or hops >= MAX_HOPS:
        return False
    remote = _remote(texts)
    if remote is None:
        return False
    last = _SEPARATOR.split(remote)[-1].strip() if remote else ""
    while match := _ASSIGNED.match(last):
        last = last[match.end() :]
    line = [known(word.strip("'\""), words[0].span) for word in last.split()]
    return reads_script(line, hops + 1) if line else not remote


def is_plain_shell(argv: Sequence[Value]) -> bool:
    """True for ``ssh HOST bash -s``, where nothing is to be told of the remote words."""
    texts = [word.text for word in argv]
    remote = _remote(texts) if base_name((texts or [""])[0] or "") == REMOTE else None
    if remote is None or _SEPARATOR.search(remote):
        return False
    return base_name((remote.split() or [""])[0]) in SHELLS


def reads_job(argv: Sequence[Value]) -> bool:
    """True for a command that submits the script that it reads, if it reads one."""
    at = unwrap(argv).at
    return any(base_name(word.text or "") in JOBS for word in argv[at : at + 1])


def reads_manifest(argv: Sequence[Value]) -> bool:
    """True for ``kubectl apply -f -`` and what works like it."""
    at = unwrap(argv).at
    texts = [word.text or "" for word in argv[at:]]
    if not texts or base_name(texts[0]) not in MANIFESTS:
        return False
    named = any(text in ("-f-", "--filename=-", "-f=-") for text in texts)
    return named or any(pair in _FROM_INPUT for pair in pairwise(texts))


def reads_python(argv: Sequence[Value]) -> bool:
    """True for a Python that is given neither a script nor a module nor a text."""
    inside = unwrap(argv)
    texts = [word.text for word in argv[inside.at :]]
    if not texts or base_name(texts[0] or "") not in PYTHONS:
        return False
    operands = [text for text in texts[1:] if text is None or not text.startswith("-")]
    options = [text for text in texts[1:] if text is not None and text[:1] == "-" and text != "-"]
    if any(text[1:2] != "-" and ("c" in text or "m" in text) for text in options):
        return False
    return "-" in texts[1:] or not operands


def _has_no_script(texts: Sequence[str | None]) -> bool:
    """True for the words after a shell that name neither a script nor a text."""
    skip = False
    for text in texts:
        if skip:
            skip = False
            continue
        if text is None:
            return False
        if text in _INPUTS:
            return True
        if not text.startswith(("-", "+")):
            return False
        if text == "--" or text.startswith("--"):
            skip = VALUE_FLAG.match(text) is not None
            continue
        if "c" in text:
            return False
        if "s" in text:
            return True
        skip = VALUE_FLAG.match(text) is not None
    return True


def _remote(texts: Sequence[str | None]) -> str | None:
    """The words that the shell of a host reads, or None when they are not known.

    Words that are not known, right behind the host, are options before it.
    """
    at = behind_host(texts)
    while at < len(texts) and texts[at] is None:
        at += 1
    rest = [text for text in texts[at:] if text is not None]
    return " ".join(rest) if len(rest) == len(texts) - at else None


def written_names(argv: Sequence[Value], run: Run) -> Iterator[str]:
    """The files that a command writes what it reads to; what is not known in them is ``x``."""
    at = unwrap(argv).at
    name = base_name((argv[at].text or "") if at < len(argv) else "")
    if name not in COPIERS:
        return
    operands = [item.field for item in run.items[at + 1 :]]
    names = [text for text in map(_file_name, operands) if text[:1] != "-"]
    if name == "tee":
        yield from (text for text in names if not text.startswith("/dev/"))
    elif not names:
        targets = (_file_name(item.field) for item in run.writes)
        yield from (text for text in targets if not text.startswith("/dev/"))


def _file_name(field: Field) -> str:
    return _known_name(field[0]) if field else ""


def _known_name(reading: Reading) -> str:
    texts: list[str] = []
    for piece in reading:
        default = reading_text(piece.default) if piece.default is not None else None
        made = _TEMPORARY.match(piece.text)
        texts.append(piece.text if piece.known else default or (made[1] if made else "x"))
    return "".join(texts)
