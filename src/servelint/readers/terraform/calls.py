"""Who takes a module in, and with which values: ``module "x" { source = "./directory" }``."""

from __future__ import annotations

import posixpath
import re
from collections import Counter, defaultdict
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

from servelint.readers.terraform.module import Module, values_of
from servelint.readers.terraform.tree import HclProblem, parse
from servelint.source import Route, Source
from servelint.syntax.yaml_data import Leaf

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from lark import Token, Tree

    from servelint.syntax.yaml_data import Data, Table
    from servelint.unit import Files

    Parsed = tuple[Source, Tree[Token]]

MODULE, VALUES = ".tf", ".tfvars"

MAX_INSTANCES = 64
"""Ways to deploy one module that are looked for."""

MAX_DEPTH = 5
"""Modules that take in modules: how far that is followed."""

MAX_FILES = 2_000
"""Files of a root in which calls are looked for."""

_LOCAL = re.compile(r'\bsource[ \t]*=[ \t]*"(\.{1,2}(?:/[^"\n]*)?)"')
_NO_VALUES = frozenset({"source", "version", "providers", "count", "for_each", "depends_on"})


@dataclass(frozen=True, slots=True, eq=False)
class Instance:
    """One way in which a module is deployed: the values it is given, and the file they are in."""

    variant: str
    given: Mapping[str, Data]


class Modules:
    """The modules of a root, each file parsed once."""

    def __init__(self, files: Files) -> None:
        self._files = files
        self._parsed: dict[str, Parsed | HclProblem] = {}

    def parsed(self, path: str) -> Parsed | HclProblem:
        """A file with its tree, or what is wrong with it."""
        if path not in self._parsed:
            source = Source(path, self._files.text(path) or "", "hcl", Route(path))
            try:
                self._parsed[path] = (source, parse(source.text))
            except HclProblem as problem:
                self._parsed[path] = problem
        return self._parsed[path]

    def bodies(self, directory: str) -> dict[str, Parsed]:
        """The files of a module that could be parsed."""
        return self._trees(path for path in self._own.get(directory, ()) if path.endswith(MODULE))

    def instances(self, directory: str, below: tuple[str, ...] = ()) -> list[Instance]:
        """What ``terraform apply`` there gives a module, and what each module does that calls it.

        A module that others call is nothing by itself, but where it has values of its own.
        """
        called = list(self._called(directory, below))
        files = [path for path in self._files.names if _gives(path, directory)]
        values = {path: values_of(*one) for path, one in self._trees(files).items()}
        always = [path for path in values if is_automatic(path)]
        given = {name: data for path in always for name, data in values[path].items()}
        chosen = [Instance(path, given | values[path]) for path in values if path not in always]
        plain = [] if called and directory and not values else [Instance("", given)]
        return _numbered((*plain, *chosen, *called))[:MAX_INSTANCES]

    def _called(self, directory: str, below: tuple[str, ...]) -> Iterator[Instance]:
        if len(below) >= MAX_DEPTH:
            return
        for caller in self._callers.get(directory, ()):
            if caller == directory or caller in below:
                continue
            for instance in self.instances(caller, (*below, directory)):
                module = Module(self.bodies(caller), instance.given)
                for call in module.calls():
                    if _target(caller, call) == directory:
                        file = call.members["source"].key.source.path
                        yield Instance(instance.variant or file, _values(call))

    @cached_property
    def _own(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = defaultdict(list)
        for path in self._files.names:
            if path.endswith((MODULE, VALUES)):
                found[posixpath.dirname(path)].append(path)
        return found

    @cached_property
    def _callers(self) -> dict[str, list[str]]:
        """By directory of a module, the directories of those that name it as a source."""
        found: dict[str, dict[str, None]] = defaultdict(dict)
        paths = [path for path in self._files.names if path.endswith(MODULE)]
        for path in paths[:MAX_FILES]:
            caller = posixpath.dirname(path)
            for match in _LOCAL.finditer(self._files.text(path) or ""):
                found[_resolved(caller, match[1])][caller] = None
        return {directory: list(callers) for directory, callers in found.items()}

    def _trees(self, paths: Iterable[str]) -> dict[str, Parsed]:
        read = {path: self.parsed(path) for path in paths}
        return {path: one for path, one in read.items() if not isinstance(one, HclProblem)}


@lru_cache(maxsize=1)
def modules_of(files: Files) -> Modules:
    """The modules of a root, asked for once for all units."""
    return Modules(files)


def is_automatic(path: str) -> bool:
    """True for a file of values that is taken without being named."""
    name = posixpath.basename(path)
    return name == "terraform.tfvars" or name.endswith(".auto.tfvars")


def _gives(path: str, directory: str) -> bool:
    """True for a file of values of a module, in its directory or below."""
    inside = directory == "" or path.startswith(f"{directory}/")
    return path.endswith(VALUES) and inside


def _target(caller: str, call: Table) -> str | None:
    source = call.get("source")
    if not isinstance(source, Leaf) or not source.text.startswith("."):
        return None
    return _resolved(caller, source.text)


def _resolved(caller: str, written: str) -> str:
    path = posixpath.normpath(posixpath.join(caller, written))
    return "" if path == "." else path


def _values(call: Table) -> dict[str, Data]:
    """What a call gives; null leaves a variable its default."""
    return {
        name: member.value
        for name, member in call.members.items()
        if name not in _NO_VALUES and not (isinstance(member.value, Leaf) and member.value.is_null)
    }


def _numbered(every: Sequence[Instance]) -> list[Instance]:
    """Instances of one name get a number."""
    count: Counter[str] = Counter()
    found: list[Instance] = []
    for one in every:
        count[one.variant] += 1
        number = count[one.variant]
        name = one.variant if number == 1 else f"{one.variant} ({number})"
        found.append(replace(one, variant=name))
    return found
