"""All that a plugin may import.

A plugin is a module with a function ``plugin() -> Plugin``. Everything it
gives is data or a pure function; it never imports another servelint module.
"""

from __future__ import annotations

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
from servelint.plugins import Plugin
from servelint.reference import Reference, split_reference
from servelint.source import Route, Segment, Source, Span
from servelint.verdict import Place, Verdict

__all__ = [
    "Advisory",
    "AdvisoryError",
    "Affected",
    "Build",
    "Candidate",
    "Component",
    "Condition",
    "Deployment",
    "Engine",
    "Env",
    "Fact",
    "Flag",
    "Image",
    "Invocation",
    "Launch",
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
    "Segment",
    "Setting",
    "Skip",
    "Source",
    "Span",
    "Text",
    "Unknown",
    "Uses",
    "Value",
    "Verdict",
    "concat",
    "known",
    "load_advisories",
    "one_of",
    "split_reference",
    "unknown",
]
