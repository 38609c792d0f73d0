"""Programs as the core knows them without knowing a product."""

from __future__ import annotations

TALKERS = frozenset(
    {
        *(
            "echo",
            "printf",
            "logger",
            "cat",
            "tee",
            "grep",
            "egrep",
            "rg",
            "sed",
            "awk",
            "test",
            "[",
        ),
        *(
            "[[",
            "kill",
            "pkill",
            "pgrep",
            "killall",
            "ps",
            "ls",
            "which",
            "type",
            "alias",
        ),
        *(
            "read",
            "trap",
            "export",
            "unset",
            "die",
            "error",
            "warn",
            "info",
            "log",
            "fail",
            "usage",
        ),
        *("cp", "mv", "rm", "ln", "mkdir", "chmod", "curl", "wget", "git", "pip", "pip3", "make"),
        *("helm", "apt-get", "apt", "true", "false", ":", "sleep", "wait", "exit"),
    }
)
"""Commands whose words name other programs without running them."""


def base_name(word: str) -> str:
    """The name of a program without its directory."""
    return word.rpartition("/")[2]
