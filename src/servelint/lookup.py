"""Looks into images with a resolver, and turns what it finds into entries of the map."""

from __future__ import annotations

from servelint.deployment import Release, Resolution
from servelint.facts import Image
from servelint.inventory import status_of
from servelint.listing import Looked
from servelint.recording import Noted, entry, subject
from servelint.source import Route, Span
from servelint.value import known

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from servelint.advisory import Advisory
    from servelint.engine import Engine
    from servelint.inside import Inside, Resolved
    from servelint.listing import Inventory
    from servelint.statement import Statement

    Look = Callable[[str, Inside], Resolved]


def undecided(inventory: Inventory) -> tuple[str, ...]:
    """The images that cannot be told and whose name is known."""
    return tuple(
        one.reference
        for one in inventory.images
        if one.status == "under_investigation" and one.is_named
    )


def look_into(
    references: Iterable[str],
    look: Look,
    failure: type[Exception],
    engines: Sequence[Engine],
    advisories: Sequence[Advisory],
) -> Iterator[Looked]:
    """What each image holds. ``failure`` is what ``look`` raises, with one sentence.

    Raises :class:`servelint.config.ConfigError` for an image of which no engine is known.
    """
    known = tuple(engine for engine in engines if engine.inside is not None)
    for reference in references:
        engine = subject("", image_of(reference), known)
        inside = engine.inside
        assert inside is not None  # noqa: S101  # the line above the loop
        try:
            found = look(reference, inside())
        except failure as error:
            yield Looked(reference, engine, error=str(error))
            continue
        status, causes = status_of(engine, _resolution(found, engine), advisories)
        yield Looked(reference, engine, found, status, causes)


def image_of(reference: str) -> Image:
    """An image that stands in no file."""
    span = Span("", 0, len(reference))
    return Image(span=span, owner=Route(""), reference=known(reference, span))


def _resolution(found: Resolved, engine: Engine) -> Resolution:
    package = engine.packages[0]
    if not (found.version or found.fixes or found.absent):
        return Resolution(package, reason=found.reason or "unknown-tag", detail=found.detail)
    release = Release(found.version, found.fixes, found.absent)
    return Resolution(package, (release,), via="digest", clears=found.clears)


def recorded(one: Looked, today: str) -> dict[str, object] | None:
    """The entry that says what was found; None for what would clear without being a proof."""
    found = one.found
    if found is None or one.status == "under_investigation" or not found.digest:
        return None
    noted = Noted(
        reference=one.reference,
        package=one.engine.packages[0],
        version=found.version,
        evidence=found.evidence,
        digest="" if "@" in one.reference else found.digest,
        fixes=found.fixes,
        absent=found.absent,
    )
    return entry(noted, (one.engine,), today)[0]


def moved(one: Looked, statements: Iterable[Statement]) -> str:
    """The digest with which an image is recorded, where it is another one by now; else empty."""
    digest = one.found.digest if one.found is not None else ""
    return next(
        (
            each.digest
            for each in statements
            if digest and each.reference == one.reference and each.digest not in ("", digest)
        ),
        "",
    )
