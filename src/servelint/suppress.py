"""What people ask not to be told: what of a finding that takes away, and what is wrong with it.

A suppression takes away what it names and nothing else: one cause of a finding on one
component. Whatever cannot be understood of it takes away nothing.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from dataclasses import dataclass, replace

from servelint.parts import UNKNOWN_ID, Part
from servelint.policy import Policy, Suppression
from servelint.reference import split_reference
from servelint.remarks import INVALID, LATE, REASONLESS, REMARKS, UNUSED, remark
from servelint.source import Route, Span
from servelint.syntax.ignore_comments import ignore_comments
from servelint.verdict import Place

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping

    from servelint.deployment import Component
    from servelint.finding import Finding
    from servelint.remarks import Remark
    from servelint.syntax.ignore_comments import IgnoreComment
    from servelint.verdict import Verdict

LABEL = "suppression"
"""The label of the places of suppressions."""

UNCOMMENTED = (".json", ".ipynb", "pipfile.lock")
"""Ends of names of files, in lower case, in which nothing is a comment."""

OVERLAID = ("install", "vcs")
"""How a version is told of what is put over an image: its digest does not speak of that."""

Use = tuple[Suppression, str]
"""One id of a suppression, or the digest of one, that took something away."""


# -- comments -----------------------------------------------------------------


def with_comments(
    policy: Policy, texts: Mapping[str, str], known: Collection[str]
) -> tuple[Policy, tuple[Finding, ...]]:
    """A policy with the comments of the texts that were read, and what is wrong with any of it.

    ``known`` are all ids that there are.
    """
    found: list[Suppression] = []
    wrong = [_of(LATE, f"{one.text} ended on {one.until}", one) for one in policy.expired]
    for path, text in texts.items():
        if not path.lower().endswith(UNCOMMENTED):
            for comment in ignore_comments(text):
                one = _suppression(path, text, comment, known)
                wrong.extend(_complaints(comment, one, known))
                if one.ids and one.reason:
                    found.append(one)
    found.sort(key=lambda one: one.span)
    return replace(policy, suppressions=(*found, *policy.suppressions)), tuple(wrong)


def _suppression(
    path: str, text: str, comment: IgnoreComment, known: Collection[str]
) -> Suppression:
    return Suppression(
        span=Span(path, comment.start, comment.end),
        text=text[comment.start : comment.end],
        reason=comment.reason,
        ids=tuple(one for one in comment.ids if one in known),
        reach=Span(path, comment.first, comment.last),
    )


def _complaints(
    comment: IgnoreComment, one: Suppression, known: Collection[str]
) -> Iterator[Finding]:
    if comment.wrong:
        yield _of(INVALID, comment.wrong, one)
    for name in comment.ids:
        if name not in known:
            yield _of(INVALID, f"nothing has the id {name}", one)
    if one.ids and not one.reason:
        yield _of(REASONLESS, f"nothing stands behind ignore[{', '.join(comment.ids)}]", one)


def _of(kind: Remark, message: str, one: Suppression) -> Finding:
    return remark(kind, message, place_of(one))


def place_of(one: Suppression) -> Place:
    """Where a suppression is written."""
    return Place(one.span, Route(one.span.path), one.text, LABEL)


# -- what they take away ------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Share:
    """What is left of a part, what was taken from it by whom, and what was good for that."""

    kept: Part | None
    taken: tuple[tuple[Suppression, Part], ...]
    used: frozenset[Use]


class Wishes:
    """The suppressions of a run, by where they count."""

    __slots__ = ("_comments", "_ends", "_entries", "every")

    def __init__(self, policy: Policy) -> None:
        self.every = policy.suppressions
        self._entries = tuple(one for one in self.every if one.reach is None)
        self._comments: dict[str, list[tuple[Suppression, Span]]] = defaultdict(list)
        for one in self.every:
            if one.reach is not None:
                self._comments[one.reach.path].append((one, one.reach))
        self._ends = {
            path: [reach.end for _, reach in rows] for path, rows in self._comments.items()
        }

    def near(self, spans: Iterable[Span], paths: Iterable[str]) -> tuple[Suppression, ...]:
        """What speaks of some places or paths, comments first; digests are left out."""
        found = dict.fromkeys(one for span in spans for one in self._at(span))
        every = tuple(paths)
        about = (one for one in self._entries if not one.digest and one.is_about(every))
        return (*found, *about)

    def _at(self, span: Span) -> Iterator[Suppression]:
        """The comments on or above a line of a span. They stand in order, and so do their ends."""
        rows = self._comments.get(span.path, ())
        last = max(span.end - 1, span.start)
        for index in range(bisect_left(self._ends.get(span.path, ()), span.start), len(rows)):
            one, reach = rows[index]
            if reach.start > last:
                return
            yield one

    def allowing(self, component: Component) -> tuple[Suppression, ...]:
        """The entries that allow what a component runs: each image that it may be.

        What is installed over an image is nothing that its digest tells.
        """
        image = component.image
        if image is None or component.resolution.via in OVERLAID:
            return ()
        digests = {split_reference(text).digest for text in image.reference.texts or ("",)}
        found = tuple(one for one in self._entries if one.digest and one.digest in digests)
        return found if digests <= {one.digest for one in found} else ()


def share(part: Part, wishes: Wishes, ignored: Collection[str]) -> Share:
    """What is told of a part. What is ``ignored`` leaves no trace, but was good for something."""
    near = (
        wishes.near((place.span for place in part.places()), part.paths()) if wishes.every else ()
    )
    allowed = wishes.allowing(part.component)
    taken: dict[Suppression, list[Verdict]] = defaultdict(list)
    left: list[Verdict] = []
    used: set[Use] = set()
    for verdict in part.verdicts:
        hits = [(one, verdict.cause) for one in near if verdict.cause in one.ids]
        if not verdict.by_rule:
            hits += [(one, one.digest) for one in allowed]
        used.update(hits)
        if verdict.cause not in ignored:
            (taken[hits[0][0]] if hits else left).append(verdict)
    if part.is_unknown or (left and Part(tuple(left)).is_unknown):
        asked = [one for one in near if UNKNOWN_ID in one.ids]
        used.update((one, UNKNOWN_ID) for one in asked)
        if asked and left and UNKNOWN_ID not in ignored:
            taken[asked[0]] += left
        if asked or UNKNOWN_ID in ignored:
            left = []
    return Share(
        kept=Part(tuple(left)) if left else None,
        taken=tuple((one, Part(tuple(verdicts))) for one, verdicts in taken.items()),
        used=frozenset(used),
    )


def hiding(found: Finding, wishes: Wishes) -> tuple[Suppression, ...]:
    """What asks not to be told a finding that is about no server."""
    paths = (found.primary.span.path,)
    near = wishes.near((place.span for place in found.places()), paths)
    return tuple(one for one in near if found.id in one.ids)


def unused(wishes: Wishes, used: Collection[Use], judged: Collection[str]) -> Iterator[Finding]:
    """What took nothing away. ``judged`` are the ids that could have been reported.

    Whether a remark that nothing is taken away is itself taken away shows only later.
    """
    could = {*judged, UNKNOWN_ID, *(kind.id for kind in REMARKS)} - {UNUSED.id}
    for one in wishes.every:
        if one.digest:
            if (one, one.digest) not in used:
                yield _of(UNUSED, "nothing is reported of an image with this digest", one)
            continue
        idle = [name for name in one.ids if name in could and (one, name) not in used]
        if idle:
            yield _of(UNUSED, f"nothing is reported here as {' or '.join(idle)}", one)
