"""Terraform modules, and other files in the same language (Nomad jobs, bake files).

A module is a directory: its variables get values from ``*.tfvars``, each file of which that is not
taken by itself is a variant. What comes out is written as YAML for the YAML reader: a block is a
mapping, and the shape of a mapping says what it is.
"""

from __future__ import annotations

from dataclasses import replace

from servelint.finding import Skip
from servelint.readers.terraform.module import Module, values_of
from servelint.readers.terraform.tree import HclProblem, parse
from servelint.source import Route, Source
from servelint.syntax.weave import Weaver
from servelint.syntax.yaml_data import Table, write
from servelint.unit import Unit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from servelint.syntax.yaml_data import Data
    from servelint.unit import Files

KIND = "terraform"
MODULE, VALUES = ".tf", ".tfvars"

MAX_VARIANTS = 16
"""Files of values that one module is read with."""


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
    """A module with each of its files of values."""
    parsed, problems = {}, []
    for path in unit.files:
        source = Source(path, files.text(path) or "", "hcl", Route(unit.path))
        try:
            parsed[path] = (source, parse(source.text))
        except HclProblem as problem:
            problems.append(_skip(source, problem))
    yield from problems
    bodies = {path: one for path, one in parsed.items() if path.endswith(MODULE)}
    values = {path: values_of(*one) for path, one in parsed.items() if path.endswith(VALUES)}
    always = [path for path in values if _is_automatic(path)]
    chosen = [path for path in values if path not in always]
    given = _merged([values[path] for path in always])
    for variant in ("", *chosen[:MAX_VARIANTS]):
        own = values.get(variant, {})
        module = Module(bodies, given | own)
        yield from _woven(module, unit.path, Route(unit.path, (variant,)), variant)
    if len(chosen) > MAX_VARIANTS:
        detail = f"more than {MAX_VARIANTS} files of values: the others are not read"
        yield Skip(chosen[MAX_VARIANTS], "read", "too-large", detail)


def _woven(module: Module, path: str, owner: Route, variant: str) -> Iterator[Source]:
    for name, data in module.data():
        if isinstance(data, Table) and data.members:
            weaver = Weaver(name)
            write(weaver, data)
            source = weaver.source("yaml", Route(owner.unit, (*owner.steps, name)), variant)
            yield replace(source, path=name or path)


def _merged(every: list[dict[str, Data]]) -> dict[str, Data]:
    return {name: value for one in every for name, value in one.items()}


def _is_automatic(path: str) -> bool:
    name = path.rpartition("/")[2]
    return name == "terraform.tfvars" or name.endswith(".auto.tfvars")


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
