"""Shell texts in which every command runs, and none behind one that failed."""

from __future__ import annotations

import re
from functools import lru_cache

_BRANCH = re.compile(
    r"""(?:^|[\s;&|({])(?:if|case|for|while|until|select|function|eval|source|\.|trap|exit|return
          |alias|set|cd|activate|kubectl|oc|docker|podman|nerdctl|crictl)(?=[\s;)]|$)
      | (?:^|[\s;&|({])(?:PATH|VIRTUAL_ENV|PYTHON(?:PATH|HOME|USERBASE)
          |PIP_(?:CONFIG_FILE|DRY_RUN|PREFIX|PYTHON|ROOT|TARGET|USER)
          |UV_(?:PROJECT_ENVIRONMENT|PYTHON)|CONDA_PREFIX)=
      | \|\| | \(\) | [`<{}] | \$\( | (?<![&>])&(?![&>]) | (?<!\|)\|(?!\|) | ;
    """,
    re.VERBOSE,
)
"""What may leave a command out, change where it runs, or go on behind one that failed."""

_STOPS = re.compile(
    r"\A\s*(?:\#![^\n]*\n\s*)?set\s+-[a-z]*e[a-z]*(?:\s+(?:-o\s+)?pipefail)?[ \t]*(?:&&|\n|;)"
)
"""The beginning of a script that ends where a command fails."""

_UNFAILING = frozenset(
    {
        *(":", "apk", "apt", "apt-get", "chmod", "conda", "cp", "curl", "dnf", "echo", "env"),
        *("export", "git", "ln", "mkdir", "mv", "pip", "pip3", "python", "python3", "rm", "sudo"),
        *("tar", "true", "uv", "wget", "yum"),
    }
)
"""Commands that nobody runs to ask something: what stands behind one and ``&&`` is meant to run."""

_JOINED = re.compile(r"\\\r?\n")
_COMMENT = re.compile(r"(?m)(?:^|(?<=\s))#[^\n]*")
_NAMED = re.compile(r"\$\{\w+\}")
"""A variable in braces, which is as plain as one without: the braces are none of a block."""

_QUOTED = re.compile(r"'[^']*'|\"(?:\\.|[^\"\\$`])*\"")


@lru_cache(maxsize=64)
def is_straight(text: str) -> bool:
    """True for commands joined by ``&&`` alone, or one a line in a text that stops at a failure."""
    start = _STOPS.match(text)
    rest = text[start.end() :] if start is not None else text
    plain = _JOINED.sub(" ", _NAMED.sub("$x", rest))
    plain = _QUOTED.sub("x", _COMMENT.sub("", plain)).strip()
    if _BRANCH.search(plain):
        return False
    if "\n" not in plain:
        return True
    return start is not None and not any(map(_may_leave_out, plain.splitlines()[:-1]))


def _may_leave_out(line: str) -> bool:
    """True where a command behind ``&&`` may not run, and the text goes on all the same.

    ``set -e`` does not end a script where a command before the last ``&&`` of a line fails.
    """
    heads = (part.split(maxsplit=1)[:1] for part in line.split("&&")[:-1])
    return not all(head and head[0] in _UNFAILING for head in heads)
