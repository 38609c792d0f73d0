"""Sentences of findings: who is meant, how many there are, and what is not said of all of them."""

import pytest
from made_up import advisory, component, image, place, resolution

from servelint.config import Config
from servelint.deployment import Deployment
from servelint.judge import judge
from servelint.report import findings
from servelint.unit import LATENT

PREFILL, DECODE = "engine serve --mode prefill", "engine serve --mode decode"
OPEN_ROLE = "engine serve --mode $ROLE"
FLOOR = "which is before 1.2."


def told(*versions, **changes):
    return resolution(*versions, evidence=(place(),), **changes)


def message(*servers):
    """The message of the one finding that servers in a deployment each make."""
    records = (advisory(),)
    verdicts = [one for server in servers for one in judge(Deployment((server,), ()), records)]
    (one,) = findings(verdicts, records, Config("/root")).findings
    return one.message


def test_roles_are_named_in_one_order_whatever_the_order_of_the_servers():
    shared = told("1.0")
    servers = (
        component(DECODE, shared),
        component(PREFILL, shared, start=100),
        component(f"{PREFILL} --mode-switch", shared, start=200),
    )
    wanted = "3 servers (prefill, decode and prefill-and-decode) run"
    assert message(*servers).startswith(wanted)
    assert message(*servers[::-1]).startswith(wanted)


def test_servers_of_several_variants_count_once():
    shared = told("1.0")
    servers = [
        component(text, shared, start=start, variant=variant)
        for variant in ("small", "large", "huge")
        for text, start in ((PREFILL, 0), (DECODE, 100))
    ]
    assert message(*servers).startswith("2 servers (prefill and decode, in 3 variants) run")
    assert message(*servers[::2]).startswith("a server (prefill, in 3 variants) runs")


def test_what_holds_beside_a_variant_is_counted_as_it_is():
    shared = told("1.0")
    servers = (component(PREFILL, shared), component(DECODE, shared, start=100, variant="small"))
    assert message(*servers).startswith("2 servers (prefill and decode) run")


def test_several_servers_in_doubt_are_they():
    shared = told("1.0")
    servers = (component(OPEN_ROLE, shared), component(OPEN_ROLE, shared, start=100))
    assert "if they are disaggregated, which cannot be told" in message(*servers)
    assert "if it is disaggregated, which cannot be told" in message(servers[0])


def test_servers_with_packages_of_their_own_are_told_apart_from_the_sure_ones():
    sure = component(PREFILL, told("1.0", via="requirement"))
    apart = told("1.0", via="requirement", clears=False)
    inside = component(DECODE, apart, start=100, image=image("private:1"))
    for servers in ((sure, inside), (inside, sure)):
        assert message(*servers) == (
            "a prefill server runs Engine 1.0 (by requirement), which is before 1.2; "
            "a decode server may run it too, but the container has packages of its own."
        )
    assert message(sure).endswith(FLOOR)


def test_what_an_install_may_not_have_replaced_is_not_the_container_of_its_own():
    steps = told("1.0", via="install", clears=False)
    said = message(component(PREFILL, steps, image=image("base:1")))
    assert said.startswith("a prefill server may run Engine 1.0 (installed by the command")
    assert said.endswith("; what was there before may be another version.")


@pytest.mark.parametrize("count", [1, 2])
def test_what_is_off_by_default_is_said_so_of_any_number(count):
    shared = told("1.0")
    servers = [component(PREFILL, shared, start=100 * at, variant=LATENT) for at in range(count)]
    assert " This is off by default, and no file" in message(*servers)
