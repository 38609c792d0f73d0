"""All that a plugin may import.

A plugin is a module with a function ``plugin() -> Plugin``. Everything it
gives is data or a pure function; it never imports another servelint module.
"""

from __future__ import annotations

from importlib import import_module

from servelint.advisory import Advisory, Affected, Condition, Mitigated
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
from servelint.facts import Env, Fact, Image, Launch, Requirement, Setting, Uses
from servelint.finding import Skip
from servelint.plugin import Plugin, SettingError, TextReader
from servelint.reference import Reference, split_reference
from servelint.resolve import IMAGE_DETAILS, image_hint
from servelint.rule import Hit, Rule
from servelint.source import Route, Segment, Source, Span
from servelint.value import (
    HOLE,
    Open,
    Part,
    Text,
    Unknown,
    Value,
    concat,
    known,
    one_of,
    unknown,
    with_holes,
)
from servelint.verdict import Place, Verdict
from servelint.versions import in_range
from servelint.versions import parse as parse_version

TYPE_CHECKING = False
if TYPE_CHECKING:
    from servelint.inside import Inside, Marker, Resolved
    from servelint.pools import Hold, Judgement, LogOptions, PoolRecord, Rank, Sign
    from servelint.syntax.interpolation import interpolate
    from servelint.syntax.yaml import YamlProblem
    from servelint.syntax.yaml_data import Data, Leaf, Member, Table
    from servelint.syntax.yaml_data import load as load_yaml
    from servelint.syntax.yaml_data import merge as merge_yaml
    from servelint.syntax.yaml_data import tables as yaml_tables

_LATE = {
    "Data": ("syntax.yaml_data", "Data"),
    "Hold": ("pools", "Hold"),
    "Inside": ("inside", "Inside"),
    "Judgement": ("pools", "Judgement"),
    "Leaf": ("syntax.yaml_data", "Leaf"),
    "LogOptions": ("pools", "LogOptions"),
    "Marker": ("inside", "Marker"),
    "Member": ("syntax.yaml_data", "Member"),
    "PoolRecord": ("pools", "PoolRecord"),
    "Rank": ("pools", "Rank"),
    "Resolved": ("inside", "Resolved"),
    "Sign": ("pools", "Sign"),
    "Table": ("syntax.yaml_data", "Table"),
    "YamlProblem": ("syntax.yaml", "YamlProblem"),
    "interpolate": ("syntax.interpolation", "interpolate"),
    "load_yaml": ("syntax.yaml_data", "load"),
    "merge_yaml": ("syntax.yaml_data", "merge"),
    "yaml_tables": ("syntax.yaml_data", "tables"),
}
"""What few runs need: it is imported, with its parser, when first asked for."""


def __getattr__(name: str) -> object:
    if name not in _LATE:
        raise AttributeError(f"module {__name__} has no attribute {name}")
    module, attribute = _LATE[name]
    return getattr(import_module(f"servelint.{module}"), attribute)


__all__ = [
    "HOLE",
    "IMAGE_DETAILS",
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
    "Hold",
    "Image",
    "Inside",
    "Invocation",
    "Judgement",
    "Launch",
    "Leaf",
    "LogOptions",
    "Marker",
    "Member",
    "Mitigated",
    "Open",
    "Option",
    "Part",
    "Place",
    "Plugin",
    "PoolRecord",
    "Program",
    "Range",
    "Rank",
    "Reference",
    "Release",
    "Requirement",
    "Resolution",
    "Resolved",
    "Route",
    "Rule",
    "Segment",
    "Setting",
    "SettingError",
    "Sign",
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
    "image_hint",
    "in_range",
    "interpolate",
    "known",
    "load_advisories",
    "load_yaml",
    "merge_yaml",
    "one_of",
    "parse_version",
    "split_reference",
    "unknown",
    "with_holes",
    "yaml_tables",
]
