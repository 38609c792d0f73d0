"""Names of what was left out, for formats in which everything has a name."""

from __future__ import annotations

from collections import Counter
from hashlib import sha256

from servelint.reporters import in_order

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from servelint.finding import Skip


def named(skips: Iterable[Skip]) -> Iterator[tuple[Skip, str]]:
    """Skips in order, each with a fingerprint.

    As those of findings they hold no line numbers: equals are told apart by their order.
    """
    seen: Counter[str] = Counter()
    for skip in in_order(skips):
        base = f"skip\0{skip.path}\0{skip.stage}\0{skip.reason}"
        text = f"{base}\0{seen[base]}"
        seen[base] += 1
        yield skip, sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]
