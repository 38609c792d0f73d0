"""VEX documents: the worst that is said of a product, and nothing better than is known."""

from __future__ import annotations

import json

import pytest
from made_up import advisory, component, image, resolution, row

from servelint.advisory import Affected
from servelint.deployment import Deployment
from servelint.finding import Report
from servelint.judge import judge
from servelint.vex import cyclonedx, openvex, product_of, status_of

NOW = "2026-11-30T00:00:00Z"
SERVE = "engine serve"
PREFILL = f"{SERVE} --mode prefill"
IMAGE = "registry.example/team/engine:v1.0"
DIGEST = "sha256:" + "1" * 64
RECORD = advisory(aliases=("CVE-1-2",))


def report(*components, records=(RECORD,)):
    groups = [Deployment((one,), ()) for one in components]
    verdicts = [verdict for group in groups for verdict in judge(group, records)]
    return Report(deployments=tuple(groups), verdicts=tuple(verdicts))


def said(*components, records=(RECORD,)):
    """Product and status of each OpenVEX statement."""
    document = json.loads(openvex(report(*components, records=records), records, NOW))
    return {
        (one["vulnerability"]["name"], one["products"][0]["@id"]): one["status"]
        for one in document["statements"]
    }


@pytest.mark.parametrize(
    ("reference", "purl"),
    [
        (IMAGE, "pkg:oci/engine?repository_url=registry.example%2Fteam%2Fengine&tag=v1.0"),
        ("team/engine:v1.0", "pkg:oci/engine?repository_url=docker.io%2Fteam%2Fengine&tag=v1.0"),
        (
            f"team/engine@{DIGEST}",
            f"pkg:oci/engine@sha256%3A{'1' * 64}?repository_url=docker.io%2Fteam%2Fengine",
        ),
        ("$IMAGE", "pkg:pypi/engine@1.0"),
    ],
)
def test_a_product_is_an_image_or_the_package(reference, purl):
    product = product_of(component(PREFILL, "1.0", image=image(reference)))
    assert (product.purl, product.package) == (purl, "pkg:pypi/engine@1.0")
    assert product_of(component(PREFILL, "1.0")).purl == "pkg:pypi/engine@1.0"
    unknown = component(PREFILL, resolution(reason="mutable-tag"))
    assert product_of(unknown).purl == "pkg:pypi/engine"


def test_the_worst_that_is_said_of_a_product_is_said():
    one = image(IMAGE)
    plain, half = component(SERVE, "1.0", image=one), component(PREFILL, "1.0", image=one)
    key = ("ADV-1", product_of(plain).purl)
    assert said(plain) == {key: "not_affected"}
    assert said(plain, half) == said(half, plain) == {key: "affected"}


def test_what_is_unknown_is_never_called_not_affected():
    unknown = resolution(reason="mutable-tag")
    assert set(said(component(PREFILL, unknown)).values()) == {"under_investigation"}
    assert set(said(component(f"{SERVE} --mode $ROLE", "1.0")).values()) == {"under_investigation"}


def test_a_version_behind_the_end_of_a_record_is_not_called_fixed():
    record = advisory(Affected("", "", row().when, last_affected="1.1", basis="recorded"))
    assert set(said(component(PREFILL, "1.2"), records=(record,)).values()) == {
        "under_investigation"
    }
    (verdict,) = report(component(PREFILL, "1.2"), records=(record,)).verdicts
    assert (verdict.status, status_of(verdict)) == ("fixed", "under_investigation")
    assert set(said(component(PREFILL, "1.2")).values()) == {"fixed"}


def test_each_status_says_what_the_format_asks_for():
    document = json.loads(
        openvex(report(component(SERVE, "1.0"), component(PREFILL, "1.1")), (RECORD,), NOW)
    )
    by_status = {one["status"]: one for one in document["statements"]}
    clear, bad = by_status["not_affected"], by_status["affected"]
    assert clear["justification"] == "vulnerable_code_not_in_execute_path"
    assert clear["impact_statement"] == "not disaggregated"
    assert bad["action_statement"] == "upgrade engine to 1.3 or later"
    assert bad["vulnerability"]["aliases"] == ["CVE-1-2"]
    assert (document["timestamp"], document["version"]) == (NOW, 1)
    assert document["@id"].startswith("urn:uuid:")


def test_the_same_is_said_in_cyclonedx():
    document = json.loads(
        cyclonedx(report(component(SERVE, "1.0"), component(PREFILL, "1.1")), (RECORD,), NOW)
    )
    assert (document["bomFormat"], document["specVersion"]) == ("CycloneDX", "1.6")
    refs = {one["bom-ref"] for one in document["components"]}
    assert refs == {"pkg:pypi/engine@1.0", "pkg:pypi/engine@1.1"}
    states = {one["analysis"]["state"]: one for one in document["vulnerabilities"]}
    assert states["not_affected"]["analysis"]["justification"] == "code_not_reachable"
    assert states["exploitable"]["affects"] == [{"ref": "pkg:pypi/engine@1.1"}]
    assert states["exploitable"]["references"] == [{"id": "CVE-1-2", "source": {"name": "CVE"}}]


def test_the_same_statements_have_the_same_name_at_any_time():
    one = report(component(PREFILL, "1.0"))
    first, second = openvex(one, (RECORD,), NOW), openvex(one, (RECORD,), "2027-01-01T00:00:00Z")
    assert json.loads(first)["@id"] == json.loads(second)["@id"]
    assert json.loads(first)["@id"] != json.loads(openvex(Report(), (RECORD,), NOW))["@id"]
