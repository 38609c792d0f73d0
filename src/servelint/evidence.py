"""The places that make a verdict true, from facts to spans."""

from __future__ import annotations

from servelint.facts import Image, Requirement
from servelint.source import Span
from servelint.verdict import Place

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from servelint.deployment import Component, Flag
    from servelint.value import Value


def role_places(component: Component, subjects: Sequence[str]) -> tuple[Place, ...]:
    """The role flag first, then what conditions on some subjects ask for, then the launch."""
    engine = component.engine
    names = [engine.role_flag, *engine.role_switches, *engine.wrapper_roles]
    names += [flag.name for flag in component.invocation.alike(f"{engine.role_flag}.*")]
    for subject in subjects:
        if subject.startswith("--"):
            names += [flag.name for flag in component.invocation.alike(subject)]
    places: list[Place] = []
    for name in dict.fromkeys(names):
        flag = component.invocation.last(name)
        if flag is not None:
            places.extend(_flag_places(component, flag))
    for subject in subjects:
        places.extend(_env_places(component, subject))
    launch = component.invocation.launch
    places.append(Place(launch.span, launch.owner, component.invocation.program, "launch"))
    return tuple(dict.fromkeys(places))


def version_places(component: Component) -> tuple[Place, ...]:
    """The rest of the value route of the version: where it stands, what it came through."""
    facts: list[Image | Requirement] = [component.image] if component.image is not None else []
    if not component.resolution.final:
        facts.extend(component.requirements)
    return tuple(dict.fromkeys(place for fact in facts for place in _route_places(fact)))


def _route_places(fact: Image | Requirement) -> Iterator[Place]:
    value = _evidence(fact)
    if value is not None:
        label = "image" if isinstance(fact, Image) else "value"
        yield Place(value.span, fact.owner, value.written, label)
        for span in dict.fromkeys(value.trail):
            yield Place(span, fact.owner, "", "value")


def _flag_places(component: Component, flag: Flag) -> Iterator[Place]:
    owner = component.owner
    span, text = flag.written.span, flag.written.written
    if flag.value is not None and flag.value.span.path == span.path:
        at = flag.value.span
        if "=" not in text:
            text = f"{text} {flag.value.written}"
        span = Span(span.path, min(span.start, at.start), max(span.end, at.end))
    yield Place(span, owner, text, "flag")
    for value in (flag.written, flag.value):
        for through in value.trail if value is not None else ():
            yield Place(through, owner, "", "value")


def _env_places(component: Component, name: str) -> Iterator[Place]:
    env = next((env for env in reversed(component.env) if env.name == name), None)
    if env is not None:
        yield Place(env.span, env.owner, f"{env.name}={env.value.written}", "env")


def place_of(fact: Image | Requirement) -> Place:
    """The place that tells a version: where its text was first written."""
    label = "image" if isinstance(fact, Image) else "pin"
    value = _evidence(fact)
    if value is None:
        name = fact.name if isinstance(fact, Requirement) else ""
        return Place(fact.span, fact.owner, name, label)
    return Place(origin(value), fact.owner, value.written, label)


def _evidence(fact: Image | Requirement) -> Value | None:
    if isinstance(fact, Image):
        return fact.reference
    return fact.version or fact.specifier


def origin(value: Value) -> Span:
    """Where to edit a value: the last place that the last part with a place came from.

    A tag that is written out stands where the value does, whatever its repository came through.
    """
    for parts in value.readings:
        for part in reversed(parts):
            if part.trail:
                return part.trail[-1]
            if ":" in part.text or "@" in part.text:
                return value.span
    return value.span
