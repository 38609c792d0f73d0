"""A recorded pool of a server that is started in another way now.

`servelint-pools.toml` keeps what servers said of their pools when they started. The size of a pool
follows from the model, its quantization, the parallel sizes, the memory fraction and the version:
when one of them changes, the record says nothing of what runs now, and is not used.

The options are compared, and only they: another GPU or driver, or another process on the same one,
changes a pool, too, and stands in no option.
"""

from __future__ import annotations

from servelint.api import Hit, Place, Route
from servelint_sglang.recorded import records_of
from servelint_sglang.rules.looking import halves, launch_place

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from servelint.api import Deployment
    from servelint_sglang.policy import Policy

SEVERITY = "low"
REMEDY = "start the server, and record its log anew: servelint startup-log --record LOG"


def check(deployment: Deployment, _policy: Policy) -> Iterator[Hit]:
    """Records of a model that no launch with it fits any more."""
    for component in halves(deployment):
        known = list(records_of(component))
        if known and all(reasons for _, reasons in known):
            record, reasons = min(known, key=lambda one: len(one[1]))
            place = Place(record.span, Route(record.span.path), "", "map")
            yield Hit(component, "; ".join(reasons), (place, launch_place(component)))
