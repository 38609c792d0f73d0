"""A router that names another bootstrap port than prefill has.

Prefill tells decode its addresses on `--disaggregation-bootstrap-port`, 8998 unless set. The router
hands the port on: the word behind the URL in `--prefill URL PORT`. Where that is another one,
decode is refused, and requests fail after minutes. A router without the word leaves the port to
decode, which then takes its own `--disaggregation-bootstrap-port`.

Reported where the router and all prefill servers of a deployment are in sight.
"""

from __future__ import annotations

from servelint.api import Hit
from servelint_sglang.rules.hosts import BOOTSTRAP, bootstrap_port, words_after
from servelint_sglang.rules.looking import DECODE, PREFILL, flag_place, given, halves
from servelint_sglang.rules.pairing import both_places
from servelint_sglang.tables import engine_table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from servelint.api import Component, Deployment, Flag
    from servelint_sglang.policy import Policy

SEVERITY = "high"
REMEDY = "name the bootstrap port of prefill in the router (--prefill URL PORT) and on decode"


def check(deployment: Deployment, _policy: Policy) -> Iterator[Hit]:
    """``--prefill URL 9000`` beside a prefill server on 8998."""
    prefills = [one for one in halves(deployment) if one.role in PREFILL]
    ports = [bootstrap_port(one) for one in prefills]
    known = {port for port in ports if port is not None}
    if not prefills or None in ports:
        return
    left = False
    for router, flag, named in _named(deployment):
        if named == "" and not left:
            left = True
            yield from _left_to_decode(deployment, prefills[0], known, router, flag)
        elif named.isdigit() and named not in known:
            why = f"its bootstrap port is {_listed(known)}, and the router names {named}"
            places = (flag_place(router, flag), *both_places(prefills[0], router, BOOTSTRAP))
            yield Hit(prefills[0], why, places)


def _left_to_decode(
    deployment: Deployment, prefill: Component, known: set[str], router: Component, flag: Flag
) -> Iterator[Hit]:
    """The router names no port, so each decode server takes its own."""
    for decode in halves(deployment):
        port = bootstrap_port(decode)
        if decode.role in DECODE and port is not None and port not in known:
            why = (
                f"it asks prefill on its own bootstrap port {port}, since the router names none,"
                f" and that of prefill is {_listed(known)}"
            )
            places = (*both_places(decode, prefill, BOOTSTRAP), flag_place(router, flag))
            yield Hit(decode, why, places, "medium")


def _named(deployment: Deployment) -> Iterator[tuple[Component, Flag, str]]:
    """The ports that routers name, empty where one names none; unknown words are left out."""
    for router in deployment.components:
        if router.kind != "router" or router.engine.id != engine_table()["id"]:
            continue
        listed = given(router, "--prefill-bootstrap-ports") is not None
        for flag in router.invocation.flags:
            words = words_after(router, flag)
            if flag.name == "--prefill-bootstrap-ports":
                yield from ((router, flag, word.text or "?") for word in words)
            elif flag.name == "--prefill" and not listed:
                second = words[1:] if flag.written.text == "--prefill" else words
                texts = [word.text or "?" for word in second[:1]] or [""]
                yield router, flag, texts[0]


def _listed(ports: set[str]) -> str:
    return " or ".join(sorted(ports))
