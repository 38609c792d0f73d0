"""The blocks of code that a page of a guide gives."""

from __future__ import annotations

from servelint.readers import markdown
from servelint.source import Route, Source

RUN = "tool serve --a 1"


def children(text, path="a.md", language="markdown", needles=()):
    source = Source(path, text, language, Route(path), needles=needles)
    return [item for item in markdown.read(source) if isinstance(item, Source)]


def texts(text, path="a.md", language="markdown"):
    return [(child.language, child.text) for child in children(text, path, language)]


def shells(text, path="a.md", language="markdown"):
    return [said for spoken, said in texts(text, path, language) if spoken == "shell"]
