"""A made-up engine, and facts, components and records around it.

Texts of values are written in a small language: ``$NAME`` is an open name,
``<reason>`` an unknown piece, ``a|b`` one of several readings.
"""

from __future__ import annotations

import re
from dataclasses import replace

from servelint.advisory import Advisory, Affected, Condition
from servelint.commands import CommandReader
from servelint.deployment import Build, Component, Release, Resolution
from servelint.engine import Engine, Option, Program
from servelint.facts import Env, Image, Launch, Requirement
from servelint.reference import split_reference
from servelint.source import Route, Span
from servelint.value import Open, Text, Unknown, Value
from servelint.verdict import Place

_PART = re.compile(r"\$(?P<name>\w+)|<(?P<reason>[\w-]+)>|[^$<]+|.")
_WORD = re.compile(r"'[^']*'|\S+")


def resolve_image(image):
    """``engine`` is the family; its tags are ``vX``, ``main-DATE``, ``moved-X``, ``claimed-X``."""
    reference = split_reference(image.reference.written)
    if reference.path[-1] != "engine":
        return None
    kind, _, rest = reference.tag.partition("-")
    if kind == "main":
        return Resolution("engine", (Build("main", rest),), via="tag")
    if kind == "moved":
        return Resolution("engine", (Release(rest),), via="map", confidence="medium", clears=False)
    if kind == "claimed":
        return Resolution("engine", (Release(rest),), via="tag", confidence="medium", final=False)
    if image.reference.text is None or not kind.startswith("v"):
        return Resolution("engine", reason=image.reference.reason or "unknown-tag", detail="look")
    return Resolution("engine", (Release(kind[1:]),), via="tag")


ENGINE = Engine(
    id="engine",
    title="Engine",
    packages=("engine",),
    programs=(
        Program(("-m", "engine.launch"), "server"),
        Program(("engine", "serve"), "server"),
        Program(("engine/launch.py",), "server"),
        Program(("engine-all",), "server", prefix="--router-"),
        Program(("-m", "engine_router"), "router"),
    ),
    options=(
        Option(("--mode",), "1", "1.0"),
        Option(("--mode-switch",), "0", "1.0"),
        Option(("--model-path", "--model"), "1", "1.0"),
        Option(("--transfer-backend",), "1", "1.0"),
        Option(("--transfer-port",), "1", "1.0"),
        Option(("--trust",), "0", "1.0"),
        Option(("--graph-sizes",), "+", "1.0"),
        Option(("--profile",), "?", "1.0", "1.1"),
        Option(("--bias",), "1", "1.0"),
    ),
    router_options=(Option(("--prefill",), "+", ""), Option(("--policy",), "1", "")),
    releases=("1.0", "1.1", "1.1.post1", "1.2", "1.3", "1.4"),
    role_flag="--mode",
    roles={"null": "none", "prefill": "prefill", "decode": "decode"},
    role_switches=("--mode-switch",),
    defaults={"--mode": "null", "--transfer-backend": "fast"},
    evidence_flags=("--transfer-port", "--prefill"),
    evidence_env=("ENGINE_PD",),
    version_hint="inspect IMAGE",
    truths={"true": ("1", "yes"), "false": ("0", "no")},
    resolve_image=resolve_image,
)


def span(start=0, end=1, path="run.sh"):
    return Span(path, start, end)


def value(text, at=None):
    """A value in the small language."""
    readings = tuple(tuple(map(_part, _PART.finditer(one))) for one in text.split("|"))
    return Value(readings, at or span(0, len(text)))


def _part(match):
    if match["name"]:
        return Open(match["name"], match[0])
    if match["reason"]:
        return Unknown(match["reason"], match[0])
    return Text(match[0])


def words(text, path="run.sh", start=0):
    """Each word of a command line, standing where it stands; quotes keep blanks together."""
    return tuple(
        value(match[0].strip("'"), Span(path, start + match.start(), start + match.end()))
        for match in _WORD.finditer(text)
    )


def launch(text, path="run.sh", steps=(), start=0, *, container=False, env=()):
    at = Span(path, start, start + len(text))
    return Launch(
        span=at,
        owner=Route(path, steps),
        argv=words(text, path, start),
        env=tuple(env),
        container=container,
    )


def image(text, path="run.sh", steps=(), start=500):
    at = Span(path, start, start + len(text))
    return Image(span=at, owner=Route(path, steps), reference=value(text, at))


def env(name, text, path="run.sh", steps=(), start=800):
    at = Span(path, start, start + len(name) + 1 + len(text))
    held = value(text, Span(path, start + len(name) + 1, at.end))
    return Env(span=at, owner=Route(path, steps), name=name, value=held)


def pin(text, kind="pinned", path="requirements.txt", name="engine", start=0):
    """A requirement; the text is its version, or its specifier where it has no version."""
    at = Span(path, start, start + max(len(text), 1))
    held = {"version" if kind in ("pinned", "locked") else "specifier": value(text, at)}
    given = held if text else {}
    return Requirement(span=at, owner=Route(path), name=name, kind=kind, **given)


def invocation(text, engine=ENGINE, **where):
    return CommandReader((engine,)).read(launch(text, **where))


def resolution(*versions, **changes):
    """Exact versions, or the reason why there are none."""
    plain = Resolution("engine", tuple(map(Release, versions)), via="tag")
    return replace(plain, **changes)


def component(text="engine serve --mode prefill", version="1.0", role="", variables=(), **changes):
    """A component that a command line makes; ``version`` may be a resolution."""
    where = {key: changes.pop(key) for key in ("path", "steps", "start") if key in changes}
    read = invocation(text, **where)
    (only,) = (role,) if role else read.roles
    resolved = version if isinstance(version, Resolution) else resolution(version)
    values = {
        "owner": read.launch.owner,
        "engine": read.engine,
        "kind": read.kind,
        "role": only,
        "variant": "",
        "invocation": read,
        "env": tuple(variables),
        "image": None,
        "requirements": (),
        "resolution": resolved,
    }
    return Component(**(values | changes))


def place(path="run.sh", start=500, text="engine:v1.0", label="image", steps=()):
    return Place(Span(path, start, start + len(text)), Route(path, steps), text, label)


ROLES = Condition("role", ("prefill", "decode", "both"))
REAL_BACKEND = Condition("--transfer-backend", ("fake",), negated=True)


def row(introduced="", fixed="1.2", when=(ROLES,), merged="", pull=0):
    return Affected(introduced, fixed, tuple(when), merged, pull)


def advisory(*rows, id="ADV-1", severity="critical", recommended="1.3", **changes):  # noqa: A002
    values = {
        "id": id,
        "package": "engine",
        "title": f"the title of {id}",
        "severity": severity,
        "published": "2026-01-01",
        "recommended": recommended,
        "affected": rows or (row(),),
        "references": (),
        "aliases": (),
        "body": "",
    }
    return Advisory(**(values | changes))
