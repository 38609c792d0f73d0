"""A rule: a control port that anybody on the network reaches."""

from __future__ import annotations

from servelint.api import Hit, Place, Rule

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from servelint.api import Deployment

OPTION = "--admin-host"
LOCAL = ("127.0.0.1", "localhost")


def rule(trusted: Sequence[str]) -> Rule:
    """The rule, for a site that lets the control port be open on ``trusted`` addresses."""

    def check(deployment: Deployment) -> Iterator[Hit]:
        for component in deployment.components:
            if component.engine.id != "acme":
                continue  # a deployment may hold servers of other engines
            flag = component.invocation.last(OPTION)
            host = flag.value.text if flag is not None and flag.value is not None else None
            if flag is None or host is None or host in (*LOCAL, *trusted):
                continue  # not given, or not known: a rule that has no proof is silent
            place = Place(flag.written.span, component.owner, flag.written.written, "flag")
            yield Hit(component, f"its control port listens on {host}", (place,))

    return Rule(
        id="acme-open-admin",
        title="a control port that anybody on the network reaches",
        severity="medium",
        remedy=f"leave {OPTION} out, or set it to {LOCAL[0]}",
        body="The control port of Acme asks for no key.",
        check=check,
    )
