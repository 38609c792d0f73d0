"""An option that the version does not know.

The server parses its command line before anything else and stops at an option that it does not
know, so a container with one restarts for ever. Options come and go with the releases: the
upgrade that fixes the leaks takes some of those away that an older command line has. Since 0.5.20
the names that were only kept for compatibility are gone, for example `--nsa-decode-backend`
(now `--dsa-decode-backend`), `--stream-output` (now `--incremental-streaming-output`) and
`--cuda-graph-max-bs`.

A word that no release has known may also be of a patched build: unless it is nearly an option, it
weighs less.

The options are compared with those of the very release that would run. Where the version is not
known, where it is no release, and where another program passes the options on, nothing is said.
"""

from __future__ import annotations

from difflib import get_close_matches

from servelint.api import Hit
from servelint_sglang.releases import life_of, next_release, read_option, spellings
from servelint_sglang.rules.looking import flag_place, launch_place
from servelint_sglang.rules.parsed import own_options
from servelint_sglang.tables import option_table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from servelint.api import Deployment
    from servelint_sglang.policy import Policy

SEVERITY = "medium"

NEAR = 0.85
"""How alike two names are, of 1, when one is taken for a slip of the other."""

REMEDY = "write the option as the version that runs knows it, or take it out"


def check(deployment: Deployment, _policy: Policy) -> Iterator[Hit]:
    """Options that the release of a server takes for none of its own."""
    for component, flag, written, release in own_options(deployment):
        if not read_option(written, release).names:
            near = get_close_matches(written, spellings(release), n=1, cutoff=NEAR)
            is_odd = life_of(written) is None and not near
            why = f"it stops at {written}, which SGLang {release} does not know"
            yield Hit(
                component,
                f"{why}{_history(written, release, near)}",
                (flag_place(component, flag), launch_place(component)),
                severity="low" if is_odd else "",
                confidence="medium" if is_odd else "high",
            )


def _history(written: str, release: str, near: list[str]) -> str:
    """What became of an option, as the end of a sentence."""
    life = life_of(written)
    if life is None:
        if near:
            return f"; {near[0]} is nearly the same"
        return ", like all releases so far, unless this is a patched build"
    if _order(release) < _order(life.first):
        return f": it came with {life.first}"
    replaced = option_table()["replaced"].get(written)
    gone = f": it is gone since {next_release(life.last)}"
    return f"{gone}; instead: {replaced}" if replaced else gone


def _order(release: str) -> int:
    return int(option_table()["releases"].index(release))
