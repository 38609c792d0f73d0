"""Calls that only speak of what they are given: to people, to a log, to a test."""

from __future__ import annotations

import re

_LOGGERS = "info debug warning warn error critical exception fatal log trace success"
_TALK = frozenset(
    [
        "print",
        "pprint",
        "echo",
        "secho",
        "rprint",
        "fail",
        "skip",
        "xfail",
        "write",
        "writelines",
        "raises",
        "warns",
        "match",
        "add_argument",
        "add_parser",
        "add_argument_group",
        "option",
        "argument",
        "help_text",
        "parse_args",
        "parse_known_args",
        "search",
        "fullmatch",
        "compile",
        "findall",
        "finditer",
        "sub",
        "len",
        "repr",
        "isinstance",
        "hasattr",
        "hash",
        "id",
        "type",
        "markdown",
        "code",
        "index",
        "count",
        "remove",
        "startswith",
        "endswith",
        "assert_that",
        "ArgumentParser",
        "parametrize",
        "approx",
        "exit",
        "abort",
        "getLogger",
    ]
)
_EXCEPTION = re.compile(r"[A-Z]\w*(?:Error|Exception|Warning|Exit|Interrupt)\Z")
_ASSERT = re.compile(r"_?assert", re.I)
_LOG = re.compile(r"log(?:ger|ging)?|console|st|warnings|click|typer|sys|self", re.I)


def is_talk(name: str) -> bool:
    """True when a call of the dotted ``name`` runs nothing of what it is given."""
    before, _, last = name.rpartition(".")
    if last in _TALK or _ASSERT.match(last) or _EXCEPTION.match(last):
        return True
    return last in _LOGGERS.split() and before != ""
