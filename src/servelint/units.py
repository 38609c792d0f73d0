"""Units of several files: found by their readers, and read into one reading each."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field
from importlib import import_module

from servelint.discover import read_text
from servelint.facts import Env, Image, Launch, Requirement, Setting
from servelint.finding import Skip
from servelint.read import MAX_DETAIL, Reading, read, sorted_out
from servelint.source import Source
from servelint.unit import Files

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

    from servelint.facts import Fact
    from servelint.unit import Unit
    from servelint.value import Value

KINDS = {
    "helm": ("servelint.readers.helm", r"(^|/)Chart\.yaml$"),
    "kustomize": ("servelint.readers.kustomize", r"(^|/)[Kk]ustomization(\.ya?ml)?$"),
    "compose": ("servelint.readers.compose", r"(^|/)[^/\n]*compose[^/\n]*\.ya?ml$"),
    "terraform": ("servelint.readers.terraform", r"\.tf$"),
    "ansible": (
        "servelint.readers.ansible",
        r"(^|/)(roles/[^/\n]+/tasks|group_vars|host_vars)/",
    ),
}
"""Kind -> module with ``units(files)`` and ``read_unit(unit, files)``, and names of files.

A module is imported where such a file is: some have parsers of their own.
"""


@dataclass(slots=True)
class Texts:
    """The texts of a root, each opened once; what cannot be read has none."""

    root: str
    known: dict[str, str | None] = field(default_factory=dict)
    unread: dict[str, Skip] = field(default_factory=dict)

    def get(self, path: str) -> str | None:
        """The decoded text of a file."""
        if path not in self.known:
            text = read_text(self.root, path)
            self.known[path] = None if isinstance(text, Skip) else text
            if isinstance(text, Skip) and os.path.lexists(os.path.join(self.root, path)):
                self.unread[path] = text  # a file that is gone would not be deployed
        return self.known[path]


def find(files: Files) -> tuple[tuple[Unit, ...], tuple[Skip, ...]]:
    """The units that hold or use a relevant file, and what failed to find some."""
    units: list[Unit] = []
    skips: list[Skip] = []
    listing = "\n".join(files.names) if files.relevant else ""
    for kind, (_, names) in KINDS.items():
        if not re.search(names, listing, re.MULTILINE):
            continue
        try:
            units.extend(_module(kind).units(files))
        except Exception as error:  # noqa: BLE001  # hostile input must not end the run
            skips.append(_failed(".", kind, error))
    return tuple(units), tuple(skips)


def read_unit(unit: Unit, files: Files, texts: Texts) -> Reading:
    """The facts of a unit. ``included`` are the texts of its files, as far as they were read."""
    facts, skips = sorted_out(_items(unit, files))
    unread = tuple(texts.unread[path] for path in unit.files if path in texts.unread)
    spoken = _places(facts) | set(unit.files)
    included = {path: text for path in sorted(spoken) if (text := texts.get(path)) is not None}
    return Reading(unit.path, "", "", facts, skips + unread, included)


def _places(facts: Iterable[Fact]) -> set[str]:
    """The files that facts point at, also through the values in them, of which many are one."""
    paths: set[str] = set()
    done: set[int] = set()
    for fact in facts:
        paths.add(fact.span.path)
        for value in _values(fact):
            if value is not None and id(value) not in done:
                done.add(id(value))
                paths.update(span.path for span in (value.span, *value.trail))
    return paths


def _values(fact: Fact) -> tuple[Value | None, ...]:
    match fact:
        case Image():
            return (fact.reference,)
        case Launch():
            return (*fact.argv, *(env.value for env in fact.env))
        case Env() | Setting():
            return (fact.value,)
        case Requirement():
            return (fact.version, fact.specifier)
        case _:
            return ()


def _items(unit: Unit, files: Files) -> Iterator[Fact | Skip]:
    try:
        for item in _module(unit.kind).read_unit(unit, files):
            if isinstance(item, Source):
                yield from read(item)
            else:
                yield item
    except Exception as error:  # noqa: BLE001  # hostile input must not end the run
        yield _failed(unit.path, unit.kind, error)


def files_of(
    names: Iterable[str], relevant: Iterable[str], texts: Texts, launches: Iterable[Launch]
) -> Files:
    """What readers of units may look at."""
    return Files(tuple(sorted(names)), frozenset(relevant), texts.get, tuple(launches))


def _failed(path: str, kind: str, error: Exception) -> Skip:
    said = f"{type(error).__name__}: {error}"[:MAX_DETAIL]
    return Skip(path, "read", "plugin-error", f"the {kind} reader failed: {said}")


def _module(kind: str) -> Any:
    return import_module(KINDS[kind][0])
