"""Terraform modules, and other files in the same language (Nomad jobs, bake files).

A module is a directory: its variables get values from ``*.tfvars``, each file of which that is not
taken by itself is a variant, and so is each other module that takes it in. What comes out is
written as YAML for the YAML reader: a block is a mapping, and the shape of a mapping says what it
is.
"""

from __future__ import annotations

from dataclasses import replace

from servelint.finding import Skip
from servelint.readers.terraform.calls import MODULE, VALUES, modules_of
from servelint.readers.terraform.module import Module
from servelint.readers.terraform.tree import HclProblem, parse
from servelint.source import Route, Source
from servelint.syntax.weave import Weaver
from servelint.syntax.yaml_data import Table, write
from servelint.unit import Unit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from servelint.unit import Files

KIND = "terraform"
MAX_VARIANTS = 16
"""Sets of values that one module is read with, besides the first."""

MAX_WOVEN = 300_000
"""Characters of a module with its values, after which no further set of values is read."""


def read(source: Source) -> Iterator[Source | Skip]:
    """One file by itself, with the defaults of its own variables."""
    try:
        module = Module({source.path: (source, parse(source.text))}, {})
    except HclProblem as problem:
        yield _skip(source, problem)
        return
    yield from _woven(module, source.path, source.owner, "")


def units(files: Files) -> Iterator[Unit]:
    """The modules that hold a relevant file."""
    modules = {_directory(path) for path in files.relevant if path.endswith((MODULE, VALUES))}
    for directory in sorted(modules):
        taken = [path for path in files.names if _belongs(path, directory)]
        if any(path.endswith(MODULE) for path in taken):
            yield Unit(KIND, next(path for path in taken if path.endswith(MODULE)), tuple(taken))


def read_unit(unit: Unit, files: Files) -> Iterator[Source | Skip]:
    """A module with each set of values that it is deployed with."""
    modules = modules_of(files)
    for path in unit.files:
        one = modules.parsed(path)
        if isinstance(one, HclProblem):
            yield _skip(Source(path, files.text(path) or "", "hcl", Route(unit.path)), one)
    directory = _directory(unit.path)
    bodies = modules.bodies(directory)
    size = 0
    for number, instance in enumerate(modules.instances(directory)):
        if number > MAX_VARIANTS or size > MAX_WOVEN:
            detail = f"{number} sets of values for one module: the others are not read"
            yield Skip(unit.path, "read", "too-large", detail)
            return
        module = Module(bodies, instance.given)
        owner = Route(unit.path, (instance.variant,))
        for source in _woven(module, unit.path, owner, instance.variant):
            size += len(source.text)
            yield source


def _woven(module: Module, path: str, owner: Route, variant: str) -> Iterator[Source]:
    for name, data in module.data():
        if isinstance(data, Table) and data.members:
            weaver = Weaver(name)
            write(weaver, data)
            source = weaver.source("yaml", Route(owner.unit, (*owner.steps, name)), variant)
            yield replace(source, path=name or path)


def _belongs(path: str, directory: str) -> bool:
    """A file of the module itself, or a file of values below it."""
    own = _directory(path)
    if path.endswith(MODULE):
        return own == directory
    return path.endswith(VALUES) and (own == directory or own.startswith(f"{directory}/"))


def _directory(path: str) -> str:
    return path.rpartition("/")[0]


def _skip(source: Source, problem: HclProblem) -> Skip:
    span = source.span(problem.offset, problem.offset)
    return Skip(source.path, "read", problem.reason, problem.detail, span)
