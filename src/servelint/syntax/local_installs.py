"""Installs of packages that stand in a directory: ``pip install -e ./package``."""

from __future__ import annotations

import re

from servelint.syntax.install_tools import install_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from servelint.value import Value

_ELSEWHERE = re.compile(r"://|\.(?:whl|zip|tar\.\w+|tgz)\Z|\Agit\+")
"""What is no directory: an address, a file that was built."""

_BARE_NAME = re.compile(r"\$(\w+)", re.ASCII)


def local_installs(argv: Sequence[Value]) -> Iterator[tuple[Value, str]]:
    """The words of an install that name a directory, as their paths; ``setup.py`` is here."""
    for word, path in _words(argv):
        if not _ELSEWHERE.search(path):
            yield word, path


def _words(argv: Sequence[Value]) -> Iterator[tuple[Value, str]]:
    found = install_of(argv)
    if found is None:
        words = [word.text or "" for word in argv[:3]]
        if words[1:2] == ["setup.py"] and words[2:3] in (["install"], ["develop"]):
            yield argv[1], "."
        return
    tool, at = found
    if any((word.text or "") in tool.elsewhere for word in argv[at:]):
        return
    while at < len(argv):
        word, written = argv[at], argv[at].written
        at += 1
        option, equals, behind = written.partition("=")
        if option in tool.editable:
            if equals:
                yield word, plain_path(behind)
            elif at < len(argv):
                yield argv[at], plain_path(argv[at].written)
                at += 1
        elif written.startswith("-"):
            at += 1 if not equals and (written in tool.values or tool.how(written)) else 0
        elif "/" in written or written.startswith((".", "~")):
            yield word, plain_path(written)


def plain_path(written: str) -> str:
    """The path of a word, all names of variables in it written alike."""
    return _BARE_NAME.sub(r"${\1}", written.removeprefix("file://"))
