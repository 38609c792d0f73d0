"""The facts of a run, one JSON object a line: what was read, before anything is judged."""

from __future__ import annotations

import json

from servelint.facts import Env, Image, Launch, Requirement, Setting, Uses
from servelint.reference import split_reference
from servelint.reporters.lines import Files

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from typing import Any

    from servelint.deployment import Invocation
    from servelint.facts import Fact
    from servelint.source import Span
    from servelint.value import Value


def report(
    facts: Iterable[Fact], invocations: Mapping[int, Invocation], texts: dict[str, str]
) -> str:
    """JSON lines, sorted by place.

    ``invocations`` tells by the identity of a launch what it runs; launches
    that are not in it are not told.
    """
    files = Files(texts)
    rows: list[tuple[Span, str]] = []
    for fact in facts:
        for body in _bodies(fact, invocations):
            row = {"fact": _kind(fact), **_where(fact.span, files), **body}
            rows.append((fact.span, json.dumps(row)))
    return "".join(f"{row}\n" for _, row in sorted(rows))


def _kind(fact: Fact) -> str:
    return type(fact).__name__.lower()


def _where(span: Span, files: Files) -> dict[str, Any]:
    start, end = files.position(span.path, span.start), files.position(span.path, span.end)
    if start is None or end is None:
        return {"path": span.path}
    return {
        "path": span.path,
        "line": start.line,
        "column": start.column,
        "end_line": end.line,
        "end_column": end.column,
    }


def _bodies(fact: Fact, invocations: Mapping[int, Invocation]) -> Iterator[dict[str, Any]]:
    match fact:
        case Image():
            yield _image(fact)
        case Requirement():
            yield _requirement(fact)
        case Launch():
            invocation = invocations.get(id(fact))
            if invocation is not None:
                yield from _launches(invocation)
        case Env():
            yield {"name": fact.name, "value": value(fact.value)}
        case Setting():
            yield {"key": fact.key, "value": value(fact.value)}
        case Uses():
            yield {"target": fact.target, "how": fact.how}


def value(given: Value) -> str | dict[str, Any]:
    """A value as the contract writes it: a text, ``one_of`` or ``unknown``; never null."""
    texts = given.texts
    if texts is None:
        return {"unknown": given.reason, "text": given.written}
    return texts[0] if len(texts) == 1 else {"one_of": list(texts)}


def _image(fact: Image) -> dict[str, Any]:
    body: dict[str, Any] = {"reference": value(fact.reference)}
    text = fact.reference.text
    if text is not None:
        pieces = split_reference(text)
        for key in ("registry", "repository", "tag", "digest"):
            if part := getattr(pieces, key):
                body[key] = part
    trail = [{"path": span.path, "start": span.start, "end": span.end} for span in _route(fact)]
    return {**body, "from": trail}


def _route(fact: Image) -> tuple[Span, ...]:
    return tuple(span for span in fact.reference.trail if span != fact.span)


def _requirement(fact: Requirement) -> dict[str, Any]:
    body: dict[str, Any] = {"name": fact.name, "kind": fact.kind}
    if fact.version is not None:
        body["version"] = value(fact.version)
    if fact.specifier is not None:
        body["specifier"] = value(fact.specifier)
    if fact.extras:
        body["extras"] = list(fact.extras)
    return body


def _launches(invocation: Invocation) -> Iterator[dict[str, Any]]:
    """One row for each role that a launch may have."""
    flags: dict[str, Any] = {}
    for flag in invocation.flags:
        text = True if flag.value is None else value(flag.value)
        if flag.name in flags:
            before = flags[flag.name]
            flags[flag.name] = [*(before if isinstance(before, list) else [before]), text]
        else:
            flags[flag.name] = text
    for role in invocation.roles:
        yield {
            "program": invocation.program,
            "engine": invocation.engine.id if invocation.engine else "",
            "kind": invocation.kind or "server",
            "role": role,
            "flags": flags,
            "env": {env.name: value(env.value) for env in invocation.launch.env},
            "open": invocation.open,
        }
