"""Image references of vLLM, of copies of it, and of neither."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from servelint.api import Image, Open, Release, Route, Span, Text, Unknown, Value, known
from servelint.inventory import status_of
from servelint_vllm import plugin
from servelint_vllm.engine import load_engine
from servelint_vllm.images import resolve_image
from servelint_vllm.tables import engine_table

SPAN = Span("compose.yaml", 7, 30)
DIGEST = "@sha256:" + "0a1b" * 16
SHA = "5b8c30d62b754b575e043ce2fc0dcbf8a64f6306"


def image(*readings):
    return Image(span=SPAN, owner=Route("compose.yaml"), reference=Value(readings, SPAN))


def resolve(text):
    return resolve_image(Image(span=SPAN, owner=Route("u"), reference=known(text, SPAN)))


@pytest.mark.parametrize(
    "repository",
    [
        "vllm/vllm-openai",
        "docker.io/vllm/vllm-openai",
        "mirror.example:5000/hub/vllm/vllm-openai",
        "docker://vllm/vllm-openai",
        "vllm/vllm-openai-cpu",
        "vllm/vllm-openai-rocm",
    ],
)
def test_the_own_families_behind_any_registry(repository):
    found = resolve(f"{repository}:v0.19.0")
    assert found.candidates == (Release("0.19.0"),)
    assert (found.via, found.confidence, found.final, found.clears) == ("tag", "high", True, True)


@pytest.mark.parametrize(
    ("tag", "version"),
    [
        ("v0.8.4", "0.8.4"),
        ("0.8.4", "0.8.4"),
        ("v0.8.5.post1", "0.8.5.post1"),
        ("v0.9.0.1", "0.9.0.1"),
        ("v0.19.0-cu130", "0.19.0"),
        ("v0.20.0-ubuntu2404", "0.20.0"),
        ("v0.24.0-aarch64-cu130", "0.24.0"),
        ("v0.11.0rc2", "0.11.0rc2"),
        ("v0.99.0", "0.99.0"),
    ],
)
def test_tags_of_releases(tag, version):
    assert resolve(f"vllm/vllm-openai:{tag}").candidates == (Release(version),)


def test_a_release_that_is_newer_than_the_data_is_said():
    newest = engine_table()["releases"]["names"][-1]
    assert resolve("vllm/vllm-openai:v0.99.0").detail == (
        f"0.99.0 is newer than the data, which ends with {newest}"
    )
    assert resolve(f"vllm/vllm-openai:v{newest}").detail == ""


@pytest.mark.parametrize(
    ("reference", "reason"),
    [
        ("vllm/vllm-openai", "untagged"),
        ("vllm/vllm-openai:latest", "mutable-tag"),
        ("vllm/vllm-openai:latest-cu130", "mutable-tag"),
        ("vllm/vllm-openai:nightly", "mutable-tag"),
        (f"vllm/vllm-openai:nightly-{SHA}", "commit"),
        (f"vllm/vllm-openai:nightly-{SHA}-x86_64", "commit"),
        ("vllm/vllm-openai:gptoss", "unknown-tag"),
        ("vllm/vllm-openai:v0.8", "unknown-tag"),
        ("vllm/vllm-openai:v0.20.0-rc0", "unknown-tag"),
        ("vllm/vllm-openai:v0.8.4-mine", "unknown-tag"),
        (f"vllm/vllm-openai{DIGEST}", "unmapped-digest"),
        (f"vllm/vllm-openai:latest{DIGEST}", "unmapped-digest"),
    ],
)
def test_tags_that_name_no_version(reference, reason):
    found = resolve(reference)
    assert (found.candidates, found.reason, found.final) == ((), reason, True)
    assert f"pip {reference} show vllm`" in found.detail


def test_a_digest_beside_a_tag_makes_it_less_sure():
    found = resolve(f"vllm/vllm-openai:v0.8.4{DIGEST}")
    assert (found.candidates, found.confidence) == ((Release("0.8.4"),), "medium")


@pytest.mark.parametrize(
    "reference",
    [
        "lmsysorg/sglang:v0.5.9",
        "rocm/vllm:v0.8.4",
        "quay.io/ascend/vllm-ascend:v0.11.0",
        "nvcr.io/nvidia/ai-dynamo/vllm-runtime:1.3.0",
        "nvcr.io/nvidia/vllm:26.03-py3",
        "vllm:latest",
        "team/vllm-openai:latest",
        "team/vllm-openai:v0.10.3",
        "python:3.12",
        "",
    ],
)
def test_other_images(reference):
    assert resolve(reference) is None


def test_a_copy_under_another_name_may_accuse_and_not_clear():
    found = resolve("registry.example/team/vllm-openai:v0.8.4")
    assert found.candidates == (Release("0.8.4"),)
    assert (found.confidence, found.final, found.clears) == ("medium", False, False)


def test_a_tag_that_is_not_known_leaves_the_family_known():
    opened = resolve_image(image((Text("vllm/vllm-openai:"), Open("TAG", "${TAG}"))))
    assert (opened.reason, opened.candidates) == ("unset-variable", ())
    filled = resolve_image(
        image((Text("vllm/vllm-openai:v"), Unknown("template-function", "{{x}}")))
    )
    assert filled.reason == "template-function"
    told = Open("TAG", "${TAG:-v0.8.4}", default=(Text("v0.8.4"),))
    assert resolve_image(image((Text("vllm/vllm-openai:"), told))).candidates == (Release("0.8.4"),)
    host = Open("HOST", "$HOST")
    found = resolve_image(image((host, Text("/vllm/vllm-openai:v0.8.4"))))
    assert found.candidates == (Release("0.8.4"),)
    assert resolve_image(image((Open("IMAGE", "$IMAGE"),))) is None


def test_several_readings_are_several_candidates():
    old, new = (Text("vllm/vllm-openai:v0.8.4"),), (Text("vllm/vllm-openai:v0.30.0"),)
    other = (Text("python:3.12"),)
    assert resolve_image(image(old, new)).candidates == (Release("0.8.4"), Release("0.30.0"))
    assert resolve_image(image(old, other)).reason == "many-values"
    moving = (Text("vllm/vllm-openai:latest"),)
    assert resolve_image(image(old, moving)).reason == "mutable-tag"


@given(st.text(max_size=60))
def test_no_tag_makes_it_fail(tag):
    found = resolve(f"vllm/vllm-openai:{tag}")
    assert found is None or bool(found.candidates) != bool(found.reason)


@pytest.mark.parametrize(
    ("tag", "status"),
    [("v0.8.4", "under_investigation"), ("latest", "under_investigation"), ("v0.30.0", "fixed")],
)
def test_a_version_alone_does_not_say_whether_a_half_is_affected(tag, status):
    told = resolve(f"vllm/vllm-openai:{tag}")
    assert status_of(load_engine(), told, plugin().advisories)[0] == status
