"""Image references of SGLang, of other families that hold it, and of neither."""

import re
import tomllib
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

import servelint_builtins
from servelint.api import (
    Build,
    Image,
    Open,
    Release,
    Resolution,
    Route,
    Span,
    Text,
    Unknown,
    Value,
    known,
)
from servelint_sglang.images import HOLE, resolve_image
from servelint_sglang.tables import data_path, image_table

SPAN = Span("compose.yaml", 7, 30)
DIGEST = "@sha256:" + "0a1b" * 16
HINT = "`docker run --rm --entrypoint pip {} show sglang` prints the version inside"


def image(*readings):
    return Image(span=SPAN, owner=Route("compose.yaml"), reference=Value(readings, SPAN))


def resolve(text):
    return resolve_image(Image(span=SPAN, owner=Route("u"), reference=known(text, SPAN)))


def versions(resolution):
    return [candidate.version for candidate in resolution.candidates]


@pytest.mark.parametrize(
    "repository",
    [
        "lmsysorg/sglang",
        "docker.io/lmsysorg/sglang",
        "index.docker.io/lmsysorg/sglang",
        "docker://lmsysorg/sglang",
        "docker.io#lmsysorg/sglang",
        "localhost:5000/lmsysorg/sglang",
        "10.44.14.109:5000/rocm/sgl-dev",
        "m.daocloud.io/docker.io/lmsysorg/sglang",
        "swr.cn-north-4.myhuaweicloud.com/ddn-k8s/docker.io/lmsysorg/sglang",
        "dockerhub-proxy/lmsysorg/sglang",
        "quay.io/ascend/sglang",
        "lmsysorg/sglang-rocm",
        "rocm/sgl-dev",
    ],
)
def test_a_family_is_known_by_its_last_two_segments(repository):
    found = resolve(f"{repository}:v0.5.10.post1-cu130")
    assert found == Resolution("sglang", candidates=(Release("0.5.10.post1"),), via="tag")


@pytest.mark.parametrize(
    "reference",
    [
        "vllm/vllm-openai:v0.5.9",
        "python:3.12",
        "sglang:v0.5.1",
        "lmsys/sglang:v0.5.9",
        "myorg/sglang:v0.5.9",
        "lmsysorg/sglang/extra:v0.5.9",
        "notlmsysorg/sglang:v0.5.9",
        "",
        ":",
        "@",
        "/",
    ],
)
def test_other_images_are_not_the_engine(reference):
    assert resolve(reference) is None


@pytest.mark.parametrize(
    "reference",
    [
        "lmsysorg/sglang-router:v0.2.4",
        "lmsysorg/sglang-router",
        "registry.example:5000/lmsysorg/sgl-model-gateway:latest",
        "lmsysorg/sglang-staging:experimental-router-dev",
        "lightseekorg/smg:1.3.3",
        "rocm/sgl-dev:vllm-0.9",
        "rocm/sgl-dev:rocm7-vllm-20260101",
        "ghcr.io/faust-benchou/sglang-inference-sim:0.1.1",
        "nvcr.io/nvidia/ai-dynamo/dynamo-frontend:1.4.0",
        "gpustack/runner:cuda12.9-vllm0.11.0",
    ],
)
def test_what_serves_no_model_is_not_the_engine(reference):
    assert resolve(reference) is None


def test_no_family_is_listed_twice():
    table = image_table()
    vendors = [row["path"] for row in table["vendor"]]
    closed = [row["path"] for row in table["not_server"] if "tags" not in row]
    families = [*table["releases"], *table["staging"], *vendors, *closed]
    assert len(families) == len(set(families))


@pytest.mark.parametrize(
    ("reference", "reason", "why"),
    [
        ("lmsysorg/sglang:latest", "mutable-tag", "the tag moves from build to build"),
        ("lmsysorg/sglang:qwen38", "mutable-tag", "the tag moves from build to build"),
        ("lmsysorg/sglang-staging:v0.5.22", "mutable-tag", "the tag moves from build to build"),
        ("lmsysorg/sglang", "untagged", "without a tag the image is latest"),
        ("lmsysorg/sglang" + DIGEST, "unmapped-digest", "the digest fixes one image"),
        ("lmsysorg/sglang:dev" + DIGEST, "unmapped-digest", "the digest fixes one image"),
        ("lmsysorg/sglang:V0.5.22" + DIGEST, "unmapped-digest", "the digest fixes one image"),
        ("lmsysorg/sglang:V0.5.22", "unknown-tag", "the tag is none that"),
        ("lmsysorg/sglang:kimi-k3-74968e5653-arm64", "commit", "the tag names a commit"),
    ],
)
def test_a_reference_that_does_not_tell(reference, reason, why):
    found = resolve(reference)
    assert (found.candidates, found.reason, found.via, found.final) == ((), reason, "", True)
    assert found.detail.startswith(why)
    assert found.detail.endswith(f"; {HINT.format(reference)}")


@pytest.mark.parametrize(
    ("reference", "reason", "why"),
    [
        ("nvcr.io/nvidia/ai-dynamo/sglang-runtime:1.99.0", "unknown-tag", "NVIDIA Dynamo"),
        ("nvcr.io/nvidia/ai-dynamo/sglang-runtime:1.4.0-glm-dev.1", "unknown-tag", "NVIDIA Dynamo"),
        ("nvcr.io/nvidia/ai-dynamo/sglang-runtime:latest", "mutable-tag", "NVIDIA Dynamo"),
        ("10.0.0.1:5000/nvidia/sglang:26.07-py3", "unknown-tag", "NVIDIA NGC"),
        ("slimerl/slime:nightly-dev-20260427a", "unknown-tag", "slime"),
        ("aibrix/sglang:nightly", "unknown-tag", "AIBrix"),
        ("aibrix/sglang:v0.5.999-mooncake", "unknown-tag", "AIBrix"),
        ("nvcr.io/nvidia/sglang" + DIGEST, "unmapped-digest", "the digest fixes one image"),
        ("nvcr.io/nvidia/sglang:26.09-py3" + DIGEST, "unmapped-digest", "the digest"),
        ("nvcr.io/nvidia/sglang", "untagged", "without a tag"),
    ],
)
def test_the_tags_of_other_families_are_not_versions_of_the_engine(reference, reason, why):
    found = resolve(reference)
    assert (found.candidates, found.reason, found.final) == ((), reason, True)
    assert why in found.detail
    assert HINT.format(reference) in found.detail


@pytest.mark.parametrize(
    ("reference", "version", "via"),
    [
        ("nvcr.io/nvidia/ai-dynamo/sglang-runtime:1.4.0", "0.5.16", "map"),
        ("nvcr.io/nvidia/ai-dynamo/sglang-runtime:1.6.1-cuda13-efa", "0.5.21", "map"),
        ("mirror.example/ai-dynamo/sglang-runtime:0.6.1.post1", "0.5.3.post2", "map"),
        ("public.ecr.aws/deep-learning-containers/sglang:0.5.9-gpu-py312-ec2", "0.5.9", "tag"),
        ("public.ecr.aws/deep-learning-containers/sglang:server-cuda-v1.2", "0.5.14", "map"),
        ("verlai/verl:app-verl0.5-vllm-sglang0.4.10.post2-mcore", "0.4.10.post2", "tag"),
        ("verlai/verl:sgl056.latest", "0.5.6.post2", "map"),
        ("lightseekorg/smg:1.3.3-sglang-v0.5.9", "0.5.9", "tag"),
        ("aibrix/sglang:v0.5.5.post3-aibrix-v0.5.0-nixl-0.7.1-20251123", "0.5.5.post3", "tag"),
        ("gpustack/runner:cann8.5-a3-sglang0.5.9", "0.5.9", "tag"),
        ("ghcr.io/coreweave/ml-containers/sglang:v0.5.15-cuda13.2.1-torch2.11.0", "0.5.15", "tag"),
    ],
)
def test_some_tags_of_other_families_tell_the_version(reference, version, via):
    found = resolve(reference)
    assert (versions(found), found.via, found.confidence) == ([version], via, "medium")


def test_a_tag_beside_a_digest_is_less_sure():
    found = resolve("lmsysorg/sglang:v0.5.14-cu130" + DIGEST)
    assert (versions(found), found.via, found.confidence) == (["0.5.14"], "tag", "medium")
    assert "the digest decides" in found.detail


def test_a_release_after_the_data_says_so():
    found = resolve("lmsysorg/sglang:v0.5.24")
    assert (versions(found), found.reason, found.confidence) == (["0.5.24"], "", "high")
    assert found.detail == "0.5.24 is newer than the data, which ends with 0.5.23"


def test_a_dated_build():
    found = resolve("lmsysorg/sglang-rocm:v0.5.19-rocm720-mi35x-20260916")
    assert found.candidates == (Build("main", "2026-09-16"),)
    assert (found.via, found.confidence, found.detail) == ("tag", "high", "")


# -- readings with pieces that are not known ----------------------------------

TAG = Open("TAG", "${TAG}")


@pytest.mark.parametrize(
    ("part", "reason"),
    [
        (TAG, "unset-variable"),
        (Unknown("template-function", "{{ include }}"), "template-function"),
        (Unknown("runtime-value", "$(cat tag)"), "runtime-value"),
    ],
)
def test_an_unknown_tag_keeps_the_family_and_gives_its_reason(part, reason):
    found = resolve_image(image((Text("lmsysorg/sglang:"), part)))
    assert (found.reason, found.candidates, found.final) == (reason, (), True)
    assert found.detail == f"find out which version lmsysorg/sglang:{part.text} holds"


def test_the_reason_is_that_of_the_tag_and_not_of_the_registry():
    registry = Unknown("runtime-value", "$REG")
    parts = (registry, Text("/lmsysorg/sglang:v0.5.9-"), TAG)
    assert resolve_image(image(parts)).reason == "unset-variable"


@pytest.mark.parametrize("start", ["/lmsysorg", "lmsysorg", ":5000/lmsysorg"])
def test_an_unknown_registry_does_not_hide_the_version(start):
    parts = (Open("REG", "${REG}"), Text(f"{start}/sglang:v0.5.9"))
    assert versions(resolve_image(image(parts))) == ["0.5.9"]


@pytest.mark.parametrize(
    "parts",
    [
        (TAG,),
        (Text("lmsysorg/"), TAG),
        (Text("lmsysorg/sglang"), TAG),
        (Text("lmsysorg/sglang"), TAG, Text(":v0.5.9")),
        (TAG, Text("/sglang:v0.5.9")),
        (Text("lightseekorg/smg:"), TAG),
        (),
    ],
)
def test_an_unknown_name_is_no_family(parts):
    assert resolve_image(image(parts)) is None


def test_an_unknown_digest():
    digest = Unknown("runtime-value", "$DIGEST")
    found = resolve_image(image((Text("lmsysorg/sglang@"), digest)))
    assert found.reason == "runtime-value"
    found = resolve_image(image((Text("lmsysorg/sglang:v0.5.9@"), digest)))
    assert (versions(found), found.confidence) == (["0.5.9"], "medium")


def test_a_digest_decides_where_the_tag_is_unknown():
    found = resolve_image(image((Text("lmsysorg/sglang:"), TAG, Text(DIGEST))))
    assert found.reason == "unmapped-digest"


def test_the_default_of_an_open_name_counts():
    inner = Open("V", "${V:-0.5.9}", default=(Text("0.5.9"),))
    tag = Open("TAG", "${TAG:-v${V:-0.5.9}}", default=(Text("v"), inner, Text("-cu130")))
    assert versions(resolve_image(image((Text("lmsysorg/sglang:"), tag)))) == ["0.5.9"]


def test_defaults_may_nest_as_deep_as_they_like():
    part = Text("v0.5.9")
    for _ in range(3000):
        part = Open("A", "${A}", default=(part,))
    assert versions(resolve_image(image((Text("lmsysorg/sglang:"), part)))) == ["0.5.9"]


def test_the_stand_in_for_unknown_pieces_is_nothing_when_it_is_written():
    found = resolve(f"lmsysorg/sglang:v0.5.9{HOLE}")
    assert found.reason == "unknown-tag"


# -- several readings ---------------------------------------------------------


def test_several_readings_give_several_candidates():
    tags = ["v0.5.19", "v0.5.22-cu130", "nightly-dev-20260721-8905cbd4", "0.5.19"]
    found = resolve_image(image(*((Text(f"lmsysorg/sglang:{tag}"),) for tag in tags)))
    expected = (Release("0.5.19"), Release("0.5.22"), Build("main", "2026-07-21", "8905cbd4"))
    assert (found.candidates, found.reason, found.confidence) == (expected, "", "high")


def test_the_least_sure_reading_sets_the_confidence():
    texts = ["lmsysorg/sglang:v0.5.19", "lmsysorg/sglang:v0.5.22" + DIGEST]
    found = resolve_image(image(*((Text(text),) for text in texts)))
    assert (versions(found), found.confidence) == (["0.5.19", "0.5.22"], "medium")


def test_one_reading_without_a_version_leaves_all_open():
    texts = ["lmsysorg/sglang:v0.5.22", "lmsysorg/sglang:latest"]
    found = resolve_image(image(*((Text(text),) for text in texts)))
    assert (found.candidates, found.reason) == ((), "mutable-tag")


def test_one_reading_of_another_image_leaves_all_open():
    texts = ["lmsysorg/sglang:v0.5.22", "myorg/llm:1"]
    found = resolve_image(image(*((Text(text),) for text in texts)))
    assert (found.candidates, found.reason, found.final) == ((), "many-values", True)


@given(
    st.lists(
        st.one_of(
            st.builds(Text, st.text(max_size=20)),
            st.sampled_from([Text("lmsysorg/sglang"), Text(":"), Text("@"), Text("v0.5.9"), TAG]),
            st.builds(Unknown, st.just("runtime-value"), st.text(max_size=5)),
        ),
        max_size=6,
    )
)
def test_no_reference_breaks_the_resolver(parts):
    found = resolve_image(image(tuple(parts)))
    assert found is None or bool(found.candidates) != bool(found.reason)


# -- tags as they were last seen ----------------------------------------------------------------


def test_a_tag_that_moves_accuses_as_it_was_last_seen_and_never_clears():
    found = resolve("lmsysorg/sglang:kimi-k3")
    (build,) = found.candidates
    assert (build.branch, build.is_bound) == ("kimi-k3", True)
    assert (found.via, found.clears, found.confidence) == ("map", False, "medium")
    assert found.detail == f"as last seen on {build.date}, and the tag can move"


@pytest.mark.parametrize(
    "reference",
    [
        "mirror.example/lmsysorg/sglang:kimi-k3",
        "mirror.example/docker.io/lmsysorg/sglang:kimi-k3",
    ],
)
def test_the_tag_of_a_mirror_is_not_judged_by_the_original(reference):
    assert resolve(reference).reason == "mutable-tag"


def test_every_row_says_where_to_look():
    with open(data_path("seen.toml"), "rb") as file:
        rows = tomllib.load(file)["seen"]
    names = [(row["repository"], row["tag"]) for row in rows]
    assert len(set(names)) == len(names)
    for row in rows:
        assert set(row) == {"repository", "tag", "date", "evidence"}
        assert date.fromisoformat(row["date"]) <= date.fromisoformat(servelint_builtins.DATA_DATE)
        assert re.fullmatch(r"[\w.-]+/[\w.-]+ [\w./-]+(@[0-9a-f]{8,40})?", row["evidence"]), row
