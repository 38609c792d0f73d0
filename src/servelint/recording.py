"""What somebody found out of an image -> the entry that says it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta

from servelint.config import ConfigError
from servelint.facts import Image
from servelint.reference import split_reference
from servelint.source import Route, Span
from servelint.stated import MOVES
from servelint.value import known

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from servelint.engine import Engine

LASTS = 90
"""Days that an entry about a tag counts which is known to move, unless somebody says a day."""


@dataclass(frozen=True, slots=True)
class Noted:
    """What is to be written down; what is not known is empty. ``until`` is YYYY-MM-DD."""

    reference: str
    package: str = ""
    version: str = ""
    evidence: str = ""
    digest: str = ""
    by: str = ""
    until: str = ""
    waives: tuple[str, ...] = ()
    reason: str = ""
    fixes: tuple[int, ...] = ()
    absent: tuple[int, ...] = ()


def entry(noted: Noted, engines: Sequence[Engine], today: str) -> tuple[dict[str, Any], str]:
    """The entry in the order of its keys, and a sentence that says what it does.

    Raises :class:`servelint.config.ConfigError` when the package is no engine's.
    """
    image = _image(noted.reference)
    engine = subject(noted.package, image, engines)
    plain = engine.resolve_image(image)
    moves = plain is not None and (plain.reason in MOVES or not (plain.reason or plain.clears))
    until, why = noted.until, ""
    if moves and not (until or noted.digest or split_reference(noted.reference).digest):
        until = (date.fromisoformat(today) + timedelta(days=LASTS)).isoformat()
        why = ", since the tag can move; with --digest it needs no last day"
    row: dict[str, Any] = {
        "reference": noted.reference,
        "digest": noted.digest,
        "package": engine.packages[0],
        "version": noted.version,
        "fixes": list(noted.fixes),
        "absent": list(noted.absent),
        "evidence": noted.evidence,
        "by": noted.by,
        "date": today,
        "until": until,
        "waives": list(noted.waives),
        "reason": noted.reason,
    }
    said = f"{noted.reference}: {engine.packages[0]} {noted.version}"
    last = f", until {until}{why}" if until else ""
    return {key: value for key, value in row.items() if value}, f"{said}{last}"


def _image(reference: str) -> Image:
    span = Span("", 0, len(reference))
    return Image(span=span, owner=Route(""), reference=known(reference, span))


def subject(package: str, image: Image, engines: Iterable[Engine]) -> Engine:
    """The engine that a package is, or that an image is of; the only one where neither tells."""
    every = tuple(engines)
    if package:
        found = next((one for one in every if package in one.packages), None)
        if found is not None:
            return found
        carrier = next((one for one in every if package in one.carriers), None)
        if carrier is not None:
            own = carrier.packages[0]
            what = f"{package} has versions of its own, which say nothing of {own}"
            raise ConfigError(f"{what}: `servelint images resolve --layers` looks at the code")
        names = ", ".join(one.packages[0] for one in every)
        raise ConfigError(f"package {package!r:.80}: expected one of {names}")
    for one in every:
        if one.resolve_image(image) is not None:
            return one
    if len(every) == 1:
        return every[0]
    raise ConfigError(f"{image.reference.written}: say with --package what the version is of")
