"""The images of a root, as text for people and as JSON."""

from __future__ import annotations

import json
from collections import Counter

from servelint.reporters import version_texts
from servelint.reporters.lines import Files, fold, safe
from servelint.reporters.summary import plural

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from typing import Any

    from servelint.deployment import Component
    from servelint.listing import Inventory, Listed, Looked
    from servelint.source import Span

SCHEMA = "servelint-images/1"

MAX_PLACES = 3
"""Places of an image that the text names."""

STATUS = {
    "affected": "affected when disaggregated",
    "under_investigation": "cannot tell",
    "fixed": "fixed",
}


def report(inventory: Inventory) -> str:
    """One paragraph an image; what would settle those that cannot be told; a line of counts."""
    files = Files(inventory.texts)
    blocks = ["\n".join(_image(one, files)) for one in inventory.images]
    blocks += ["\n".join(_nameless(one, files)) for one in inventory.nameless]
    blocks.append(_summary(inventory))
    return "\n\n".join(blocks) + "\n"


def _image(one: Listed, files: Files) -> Iterator[str]:
    yield _line(f"{one.reference}: {STATUS[one.status]}")
    where = ", ".join(_where(span, files) for span in one.spans[:MAX_PLACES])
    more = len(one.spans) - MAX_PLACES
    yield _line(f"  at {where}{f' and {more} more' if more > 0 else ''}")
    yield _line(f"  {_held(one)}")
    for index, text in enumerate(one.settle):
        yield _line(f"  {'or:' if index else 'to settle it:'} {text}")


def _held(one: Listed) -> str:
    """What is inside, how that is known, and what follows."""
    resolution, title = one.resolution, one.engine.title
    causes = f": {', '.join(one.causes)}" if one.causes else ""
    if resolution.reason:
        return f"{title}, version unknown: {one.why}"
    versions = " or ".join(version_texts(resolution))
    sure = "" if resolution.confidence == "high" else f", {resolution.confidence} confidence"
    detail = f"; {resolution.detail}" if resolution.detail else ""
    return f"{title} {versions} (by {resolution.via}{sure}{detail}){causes}"


def _nameless(component: Component, files: Files) -> Iterator[str]:
    launch = component.invocation.launch.span
    role = "" if component.role in ("none", "unknown") else f"{component.role} "
    yield _line(f"(no image) {_where(launch, files)}: {component.engine.title} {role}server")
    yield _line(f"  to settle it: {component.resolution.detail}")
    yield _line(f"  or: an entry of [[tool.servelint.version]] with paths = [{launch.path!r}]")


def _summary(inventory: Inventory) -> str:
    counts = Counter(one.status for one in inventory.images)
    kinds = ", ".join(f"{counts[key]} {words}" for key, words in STATUS.items() if counts[key])
    count = len(inventory.images)
    parts = [f"{plural(count, 'image')}{f' ({kinds})' if kinds else ''}"]
    if inventory.nameless:
        parts.append(f"{plural(len(inventory.nameless), 'server')} without an image or a pin")
    if inventory.others:
        parts.append(f"{plural(inventory.others, 'image')} of other products")
    return "; ".join(parts)


def as_json(inventory: Inventory) -> str:
    """The same, schema ``servelint-images/1``. No value is ever null."""
    files = Files(inventory.texts)
    document = {
        "schema": SCHEMA,
        "images": [_entry(one, files) for one in inventory.images],
        "nameless": [
            {"engine": one.engine.id, "role": one.role} | _point(one.invocation.launch.span, files)
            for one in inventory.nameless
        ],
        "others": inventory.others,
    }
    return json.dumps(document, indent=2, ensure_ascii=True, allow_nan=False) + "\n"


def _entry(one: Listed, files: Files) -> dict[str, Any]:
    resolution = one.resolution
    version: Any = {"one_of": version_texts(resolution)}
    if resolution.reason:
        version = {"unknown": resolution.reason}
    elif len(resolution.candidates) == 1:
        (version,) = version_texts(resolution)
    return {
        "reference": one.reference,
        "package": resolution.package,
        "version": version,
        "status": one.status,
        "causes": one.causes,
        "via": resolution.via,
        "confidence": resolution.confidence,
        "detail": resolution.detail,
        "places": [_point(span, files) for span in one.spans],
        "settle": one.settle,
    }


def _point(span: Span, files: Files) -> dict[str, Any]:
    at = files.position(span.path, span.start)
    return {"path": span.path} | ({"line": at.line, "column": at.column} if at else {})


def _where(span: Span, files: Files) -> str:
    at = files.position(span.path, span.start)
    return f"{span.path}:{at.line}:{at.column}" if at else span.path


def _line(text: str) -> str:
    lead = len(text) - len(text.lstrip(" "))
    return " " * lead + safe(fold(text[lead:]))


# -- what was looked into -----------------------------------------------------


def looked_report(every: Iterable[Looked], moved: Mapping[str, str]) -> str:
    """One paragraph an image; ``moved`` are digests of before, by reference."""
    return "\n\n".join("\n".join(_looked(one, moved)) for one in every) + "\n"


def _looked(one: Looked, moved: Mapping[str, str]) -> Iterator[str]:
    found = one.found
    if found is None:
        yield _line(f"{one.reference}: not read")
        yield _line(f"  {one.error}")
        return
    yield _line(f"{one.reference}: {STATUS[one.status]}")
    if found.digest:
        yield _line(f"  {found.digest}")
    if one.reference in moved:
        yield _line(f"  the map records it with another digest, {moved[one.reference]}")
    version = found.version or "version unknown"
    causes = f": {', '.join(one.causes)}" if one.causes else ""
    yield _line(f"  {one.engine.title} {version}{causes}")
    for text in (found.evidence, found.detail):
        if text:
            yield _line(f"  {text}")


def looked_json(every: Iterable[Looked], moved: Mapping[str, str]) -> str:
    """The same, schema ``servelint-resolved/1``. What is not known has no key."""
    document = {
        "schema": "servelint-resolved/1",
        "images": [_looked_entry(one, moved) for one in every],
    }
    return json.dumps(document, indent=2, ensure_ascii=True, allow_nan=False) + "\n"


def _looked_entry(one: Looked, moved: Mapping[str, str]) -> dict[str, Any]:
    entry: dict[str, Any] = {"reference": one.reference, "status": one.status}
    if one.found is not None:
        names = ("version", "commit", "digest", "platform_digest", "created", "fixes", "absent")
        values = {name: getattr(one.found, name) for name in (*names, "evidence", "detail")}
        entry |= {name: value for name, value in values.items() if value}
        entry |= {"clears": one.found.clears, "causes": one.causes}
        entry |= {"bytes_read": one.found.bytes_read, "seconds": round(one.found.seconds, 3)}
    if one.error:
        entry["error"] = one.error
    if one.reference in moved:
        entry["recorded_digest"] = moved[one.reference]
    return entry
