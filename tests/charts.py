"""Roots made of texts, and what the chart reader sees of them."""

from __future__ import annotations

import textwrap

from servelint.facts import Launch
from servelint.read import read
from servelint.readers import claim
from servelint.source import Route, Source
from servelint.syntax.yaml_data import Leaf, Table
from servelint.unit import Files

WORD = "engine-x"
"""What makes a file relevant in these roots."""

CHART = "apiVersion: v2\nname: app\nversion: 1.0.0\nappVersion: 2.5.0\n"


def files_of(texts, *, relevant=None):
    """A root with these files; the commands of its scripts are read."""
    texts = {path: textwrap.dedent(text).lstrip("\n") for path, text in texts.items()}
    scripts = (path for path in texts if claim(path) == "shell")
    sources = (Source(path, texts[path], "shell", Route(path)) for path in scripts)
    launches = tuple(fact for one in sources for fact in read(one) if isinstance(fact, Launch))
    held = {path for path, text in texts.items() if WORD in text}
    names = tuple(sorted(texts))
    chosen = frozenset(held if relevant is None else relevant)
    return Files(names, chosen, texts.get, launches)


def plain(data):
    """Data without its places."""
    if isinstance(data, Leaf):
        return None if data.is_null else data.text
    if isinstance(data, Table):
        return {key: plain(member.value) for key, member in data.members.items()}
    return [plain(item) for item in data]


def quoted(files, leaf):
    """The path of a leaf and what stands at its place in that file."""
    span = leaf.source.span(0, len(leaf.text))
    return span.path, files.text(span.path)[span.start : span.end]
