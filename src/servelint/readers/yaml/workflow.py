"""Workflows of GitHub: what their inputs and matrices give, and the images that they name."""

from __future__ import annotations

import re

from servelint.facts import Env, Image
from servelint.readers.yaml.workflow_steps import given_by
from servelint.source import Route
from servelint.syntax.expressions import any_of, placed, workflow_name
from servelint.syntax.yaml import Mapping, Sequence, below, deref, fields
from servelint.value import MAX_READINGS, Open, Value, one_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from servelint.readers.yaml.site import Site
    from servelint.syntax.yaml import Field
    from servelint.value import Parts

    Found = Iterator[Env | Image]

_IMAGE = re.compile(r"(?i)image")
_REFERENCE = re.compile(r"[\w.-]+(?::\d+)?(?:/[\w.-]+)+(?::[\w$%{}().-]+|@sha256:[0-9a-f]+)\Z")
_JOB, _ROOT = 3, 1


def workflow(site: Site) -> Found:
    """The facts of a mapping that only a workflow has."""
    steps = site.route.steps
    if len(steps) == _ROOT:
        yield from _inputs(site)
    elif _is_job(site):
        given = tuple(_matrix(site))
        yield from given
        yield from _container(site, [one for one in given if isinstance(one, Env)])
        yield from _steps(site)


def names_image(site: Site) -> bool:
    """True for a job and its container, whose image is told of the job."""
    return _is_job(site) or site.route.steps[1::2] == ("jobs", "container")


def _is_job(site: Site) -> bool:
    steps = site.route.steps
    return len(steps) == _JOB and steps[1] == "jobs"


def _container(site: Site, matrix: list[Env]) -> Iterator[Image]:
    """The image that the steps of a job run in, for each value of the matrix of the job."""
    given = below(site.fields, "container").get("image") or site.fields.get("container")
    value = site.value(given.value) if given is not None else None
    if value is not None and value.written:
        reference = _with_known(value, {one.name: one.value for one in matrix})
        yield Image(span=value.span, owner=site.route, reference=reference)


def _with_known(value: Value, known: dict[str, Value]) -> Value:
    """The value with the names in it that are known here."""
    readings = (_filled(parts, known) for parts in value.readings)
    return one_of((Value(each, value.span) for each in readings), value.span)


def _filled(parts: Parts, known: dict[str, Value]) -> tuple[Parts, ...]:
    done: tuple[Parts, ...] = ((),)
    for part in parts:
        own = known.get(part.name) if isinstance(part, Open) else None
        choices: tuple[Parts, ...] = placed(own).readings if own is not None else ((part,),)
        done = tuple((*left, *right) for left in done for right in choices)[: MAX_READINGS + 1]
    return done


def _inputs(site: Site) -> Found:
    """The defaults of inputs, of a run by hand or of a call."""
    for trigger in ("on", "true"):
        for how in ("workflow_dispatch", "workflow_call"):
            for name, entry in below(site.fields, trigger, how, "inputs").items():
                given = below({name: entry}, name).get("default")
                value = site.value(given.value) if given is not None else None
                if value is not None:
                    yield _named(site, "inputs", name, value)
                    yield from _image(site, name, value)


def _matrix(site: Site) -> Found:
    """What each name of a matrix may be."""
    matrix = below(site.fields, "strategy", "matrix")
    found: dict[str, list[Value]] = {}
    for name, entry in matrix.items():
        target, _ = deref(entry.value)
        for item in target.items if isinstance(target, Sequence) else ():
            row, _ = deref(item)
            if name in ("include", "exclude"):
                if isinstance(row, Mapping) and name == "include":
                    _add(site, found, fields(row))
            elif isinstance(row, Mapping):
                _add(site, found, fields(row), f"{name}.")
            elif (value := site.value(item)) is not None:
                found.setdefault(name, []).append(value)
    for name, values in found.items():
        yield _named(site, "matrix", name, any_of(values))
        for value in values:
            yield from _image(site, name, value)


def _add(
    site: Site, found: dict[str, list[Value]], row: dict[str, Field], prefix: str = ""
) -> None:
    for name, entry in row.items():
        value = site.value(entry.value)
        if value is not None:
            found.setdefault(prefix + name, []).append(value)


def _named(site: Site, scope: str, name: str, value: Value) -> Env:
    return Env(span=value.span, owner=site.route, name=workflow_name(scope, name), value=value)


def _image(site: Site, name: str, value: Value) -> Iterator[Image]:
    """A reference that a name says to be one: no command runs in it here."""
    if _IMAGE.search(name) and _REFERENCE.match(value.written):
        owner = site.route.child("given", name, value.span.start)
        yield Image(span=value.span, owner=owner, reference=value)


def _steps(site: Site) -> Found:
    """What steps give to later ones, and what the job gives to later jobs."""
    known: dict[str, Value] = {}
    own = below(site.fields, "env")
    for given in given_by(site):
        if not given.is_env:
            name = workflow_name(f"steps_{given.id}", given.name)
            known[name] = given.value
            yield Env(span=given.value.span, owner=site.route, name=name, value=given.value)
        elif given.name not in own:
            owner = site.route
            yield Env(span=given.value.span, owner=owner, name=given.name, value=given.value)
        yield from _image(site, given.name, given.value)
    job = str(site.route.steps[-1])
    for name, entry in below(site.fields, "outputs").items():
        value = site.value(entry.value)
        if value is not None:
            whole = _with_known(value, known)
            top = Route(site.route.unit, site.route.steps[:_ROOT])
            output = workflow_name(f"needs_{job}", name)
            yield Env(span=value.span, owner=top, name=output, value=whole)
