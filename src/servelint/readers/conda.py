"""Reads the environments of conda: ``environment.yml``, with what pip installs in them.

The names of these files are common; one that is not an environment is read as any YAML.
"""

from __future__ import annotations

from dataclasses import replace

from servelint.finding import Skip
from servelint.syntax.conda_spec import read_conda
from servelint.syntax.yaml import (
    Mapping,
    Scalar,
    Sequence,
    YamlProblem,
    deref,
    documents,
    fields,
    fields_of,
    segments,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from servelint.facts import Requirement
    from servelint.source import Source

MAX_PACKAGES = 10_000
"""Packages of one environment, and of its list for pip, that are read."""

_MARKS = ("name", "channels", "prefix", "platforms")
"""Keys of the top of which an environment has one."""


def read(source: Source) -> Iterator[Requirement | Source | Skip]:
    """One fact for each package of conda, and a text of requirements for each one of pip."""
    listed = _packages(source.text)
    if listed is None:
        yield source.slice(0, len(source.text), "yaml")
        return
    count = 0
    for item in listed.items[:MAX_PACKAGES]:
        node, _ = deref(item)
        if isinstance(node, Mapping):
            yield from _pip(source, node)
        elif isinstance(node, Scalar):
            text = _text(source, node, "requirement", count)
            found = read_conda(text)
            if found is None:
                detail = "expected a package of conda"
                span = text.span(0, len(text.text))
                yield Skip(source.path, "read", "syntax", detail, span)
            else:
                yield replace(found, owner=source.owner.child("requirement", count))
                count += 1
    if len(listed.items) > MAX_PACKAGES:
        detail = f"more than {MAX_PACKAGES:,} packages: the rest is not read"
        yield Skip(source.path, "read", "too-large", detail, source.span(0, 0))


def _packages(text: str) -> Sequence | None:
    """The list of packages of an environment; None for a text of another kind."""
    try:
        trees = documents(text)
    except YamlProblem:
        return None  # told by the reader of YAML
    top = fields_of(trees[0]) if len(trees) == 1 else {}
    if "dependencies" not in top or not any(mark in top for mark in _MARKS):
        return None
    listed, _ = deref(top["dependencies"].value)
    return listed if isinstance(listed, Sequence) else None


def _pip(source: Source, node: Mapping) -> Iterator[Source]:
    """``- pip: [...]``: what is installed from an index of Python packages."""
    found = fields(node)
    listed = deref(found["pip"].value)[0] if "pip" in found else None
    for number, item in enumerate(listed.items if isinstance(listed, Sequence) else ()):
        text, _ = deref(item)
        if number == MAX_PACKAGES:
            return
        if isinstance(text, Scalar):
            yield _text(source, text, "requirements", "pip", number)


def _text(source: Source, node: Scalar, language: str, *steps: str | int) -> Source:
    return source.embed(node.value, segments(source.text, node), language, *steps)
