"""Names of findings that outlive edits elsewhere, new data, and what is asked not to be told."""

from __future__ import annotations

from collections import Counter
from hashlib import sha256

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from servelint.advisory import Advisory
    from servelint.finding import Finding
    from servelint.rule import Rule


class Namer:
    """Fingerprints: what a finding is about, and which of several equals it is.

    No line numbers, and no advisory ids: a new record must not make old findings new. Equals
    are counted in the order of their places, before anything of them is taken away: what is
    not told of one must not make another one new.
    """

    __slots__ = ("_claimed", "_names", "_records", "_seen")

    def __init__(
        self, records: Mapping[str, Advisory | Rule], whole: Iterable[tuple[object, Finding]]
    ) -> None:
        """``whole`` are all findings as they would be without any wish, by their keys."""
        self._records = records
        self._seen: Counter[str] = Counter()
        self._claimed: set[object] = set()
        in_order = sorted(whole, key=lambda each: each[1].primary.span)
        self._names = {key: self._new(finding) for key, finding in in_order}

    def of(self, key: object, home: object, finding: Finding) -> str:
        """The name of what a finding has become: that of the whole one, for the first who asks.

        ``key`` is its own, ``home`` that of the whole one from which it comes.
        """
        known = key if key in self._names else home
        if known in self._claimed:
            return self._new(finding)
        self._claimed.add(known)
        return self._names[known]

    def _new(self, finding: Finding) -> str:
        place = finding.primary
        subject = getattr(self._records.get(finding.id), "package", finding.id)
        about = (subject, place.span.path, *place.route.keys(), place.text)
        base = "\0".join(about)
        digest = sha256(f"{base}\0{self._seen[base]}".encode("utf-8", "surrogatepass")).hexdigest()
        self._seen[base] += 1
        return digest[:32]
