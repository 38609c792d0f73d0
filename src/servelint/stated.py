"""What people state about images and paths, as resolutions: it counts before the shipped data."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from servelint.config import IMAGE_MAP
from servelint.deployment import Release, Resolution
from servelint.facts import Image
from servelint.finding import CONFIDENCES
from servelint.reference import split_reference
from servelint.source import Route
from servelint.value import Value
from servelint.verdict import Place

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from servelint.engine import Engine
    from servelint.facts import Fact
    from servelint.statement import Said, Statement

VIA = "user-map"

MOVES = ("mutable-tag", "untagged")
"""Reasons for which a tag names no version."""


def place(statement: Statement) -> Place:
    """Where a statement is written."""
    return Place(statement.span, Route(statement.span.path), "", "map")


def resolution(statement: Statement) -> Resolution:
    """What a statement says."""
    return Resolution(
        statement.package,
        candidates=(Release(statement.version, statement.fixes, statement.absent),),
        via=VIA,
        evidence=(place(statement),),
        waives=statement.waives,
        waived=statement.reason,
    )


def stating(engine: Engine, said: Said) -> Engine:
    """The engine, which asks what people said of an image before it asks its data."""
    about = tuple(one for one in said.images if one.package in engine.packages)
    if not about:
        return engine
    return replace(engine, resolve_image=partial(_resolve, engine, about, said.today))


def _resolve(
    engine: Engine, about: Sequence[Statement], today: str, image: Image
) -> Resolution | None:
    """One answer for all readings of an image, of which some may be stated."""
    answers = [_of_reading(single, engine, about, today) for single in _singles(image)]
    if not any(answer is not None and answer.via == VIA for answer in answers):
        plain = engine.resolve_image(image)
        told = next((one for one in answers if one is not None and one.reason), None)
        return told if plain is not None and plain.reason and told is not None else plain
    known = [answer for answer in answers if answer is not None]
    if len(known) < len(answers):
        detail = f"{IMAGE_MAP} speaks of some of the images that {image.reference.written} may be"
        return Resolution(known[0].package, reason="many-values", detail=detail)
    return next((answer for answer in known if answer.reason), None) or _merged(known)


def _singles(image: Image) -> Iterator[Image]:
    for parts in image.reference.readings:
        yield replace(image, reference=Value((parts,), image.reference.span))


def _of_reading(
    image: Image, engine: Engine, about: Sequence[Statement], today: str
) -> Resolution | None:
    plain = engine.resolve_image(image)
    text = image.reference.text
    if text is None:
        return plain
    found = split_reference(text)
    matches = [(one, one.match(found)) for one in about]
    for wanted in ("yes", "tag"):
        told = [
            _weighed(one, match, plain, has_digest=bool(found.digest))
            for one, match in matches
            if match == wanted and not one.is_expired(today)
        ]
        if told:
            return _merged(told) if len(told) > 1 else told[0]
    late = next((one for one, match in matches if match == "yes"), None)
    if late is not None and plain is not None and plain.reason:
        return replace(plain, detail=f"its entry in {IMAGE_MAP} ended {late.until}; {plain.detail}")
    return plain


def _weighed(
    one: Statement, match: str, plain: Resolution | None, *, has_digest: bool
) -> Resolution:
    """What a statement says of an image, and whether it may also clear it.

    A tag that is known to move can have moved since: then it takes a digest, or a last
    day for which somebody answers.
    """
    told = resolution(one)
    doubted = replace(told, confidence="medium", clears=False, waives=(), waived="")
    if match == "tag":
        detail = f"the entry in {IMAGE_MAP} names the tag, and not this digest"
        return replace(doubted, detail=detail)
    if _moves(one, plain) and not (has_digest or one.until):
        detail = f"the tag can move, and its entry in {IMAGE_MAP} has no last day (until)"
        return replace(doubted, detail=detail)
    return told


def _moves(one: Statement, plain: Resolution | None) -> bool:
    """True for an image whose tag is known to move; of one that nobody knows, for ``latest``."""
    if plain is None:
        return split_reference(one.reference).tag in ("", "latest")
    return plain.reason in MOVES or not (plain.reason or plain.clears)


def _merged(known: Sequence[Resolution]) -> Resolution:
    candidates = dict.fromkeys(one for each in known for one in each.candidates)
    places = dict.fromkeys(place for each in known for place in each.evidence)
    waived = [set(each.waives) for each in known]
    return replace(
        known[0],
        candidates=tuple(candidates),
        evidence=tuple(places),
        confidence=max((each.confidence for each in known), key=CONFIDENCES.index),
        clears=all(each.clears for each in known),
        detail=next((each.detail for each in known if each.detail), ""),
        waives=tuple(sorted(set.intersection(*waived))),
    )


def moved(facts: Iterable[Fact], said: Said) -> Iterator[tuple[Statement, Image]]:
    """Images whose tag is recorded with another digest than the one beside it."""
    for fact in facts:
        text = fact.reference.text if isinstance(fact, Image) else None
        if text is not None:
            found = split_reference(text)
            for one in said.images:
                if one.match(found) == "moved" and not one.is_expired(said.today):
                    yield one, fact  # type: ignore[misc]
