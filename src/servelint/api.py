"""All that a plugin may import.

A plugin is a module with a function ``plugin() -> Plugin``. Everything it
gives is data or a pure function; it never imports another servelint module.
"""

from __future__ import annotations

from importlib import import_module

from servelint.advisory import Advisory, Affected, Condition
from servelint.advisory_file import AdvisoryError, load_advisories
from servelint.deployment import (
    Build,
    Candidate,
    Component,
    Deployment,
    Flag,
    Invocation,
    Range,
    Release,
    Resolution,
)
from servelint.engine import Engine, Option, Program
from servelint.facts import (
    Env,
    Fact,
    Image,
    Launch,
    Open,
    Part,
    Requirement,
    Setting,
    Text,
    Unknown,
    Uses,
    Value,
    concat,
    known,
    one_of,
    unknown,
)
from servelint.finding import Skip
from servelint.plugins import Plugin, TextReader
from servelint.reference import Reference, split_reference
from servelint.rule import Hit, Rule
from servelint.source import Route, Segment, Source, Span
from servelint.verdict import Place, Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from servelint.syntax.interpolation import interpolate
    from servelint.syntax.yaml import YamlProblem
    from servelint.syntax.yaml_data import Data, Leaf, Member, Table
    from servelint.syntax.yaml_data import load as load_yaml
    from servelint.syntax.yaml_data import merge as merge_yaml

_LATE = {
    "Data": ("yaml_data", "Data"),
    "Leaf": ("yaml_data", "Leaf"),
    "Member": ("yaml_data", "Member"),
    "Table": ("yaml_data", "Table"),
    "YamlProblem": ("yaml", "YamlProblem"),
    "interpolate": ("interpolation", "interpolate"),
    "load_yaml": ("yaml_data", "load"),
    "merge_yaml": ("yaml_data", "merge"),
}
"""What only readers need: it is imported with its parser when first asked for."""


def __getattr__(name: str) -> object:
    if name not in _LATE:
        raise AttributeError(f"module {__name__} has no attribute {name}")
    module, attribute = _LATE[name]
    return getattr(import_module(f"servelint.syntax.{module}"), attribute)


__all__ = [
    "Advisory",
    "AdvisoryError",
    "Affected",
    "Build",
    "Candidate",
    "Component",
    "Condition",
    "Data",
    "Deployment",
    "Engine",
    "Env",
    "Fact",
    "Flag",
    "Hit",
    "Image",
    "Invocation",
    "Launch",
    "Leaf",
    "Member",
    "Open",
    "Option",
    "Part",
    "Place",
    "Plugin",
    "Program",
    "Range",
    "Reference",
    "Release",
    "Requirement",
    "Resolution",
    "Route",
    "Rule",
    "Segment",
    "Setting",
    "Skip",
    "Source",
    "Span",
    "Table",
    "Text",
    "TextReader",
    "Unknown",
    "Uses",
    "Value",
    "Verdict",
    "YamlProblem",
    "concat",
    "interpolate",
    "known",
    "load_advisories",
    "load_yaml",
    "merge_yaml",
    "one_of",
    "split_reference",
    "unknown",
]
