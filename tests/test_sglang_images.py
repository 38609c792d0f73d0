"""Image references of SGLang, of other families that hold it, and of neither."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import servelint_sglang.digests
from servelint.api import (
    Build,
    Image,
    Open,
    Range,
    Release,
    Resolution,
    Route,
    Span,
    Text,
    Unknown,
    Value,
    known,
    load_advisories,
    split_reference,
)
from servelint.versions import in_range
from servelint_sglang.images import HOLE, resolve_image
from servelint_sglang.tables import data_path, digest_table, image_table, option_table

SPAN = Span("compose.yaml", 7, 30)
DIGEST = "@sha256:" + "0a1b" * 16
NEVER = [
    ("slimerl", "slime"),
    ("slimerl", "sglang"),
    ("nvidia", "sglang"),
    ("dustynv", "sglang"),
    ("openeuler", "sglang"),
    ("kubetee-ai", "sglang"),
]
"""Families whose tags accuse and never clear."""

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
        # forms in which public files write mirrors and proxies
        "registry-1.docker.io/lmsysorg/sglang",
        "oci://docker.io/lmsysorg/sglang",
        "docker.m.daocloud.io/lmsysorg/sglang",
        "docker.1ms.run/lmsysorg/sglang",
        "hub.rat.dev/lmsysorg/sglang",
        "mirrors-ssl.aliyuncs.com/lmsysorg/sglang",
        "v4.gh-proxy.org/docker/lmsysorg/sglang",
        "swr.cn-southwest-2.myhuaweicloud.com/base_image/dockerhub/lmsysorg/sglang",
        "swr.ap-southeast-1.myhuaweicloud.com/base_image/ascend-ci/sglang",
        "ml-platform-hub-cn-beijing.cr.volces.com/lmsysorg/sglang",
        "images-infra-cn-east-1-inner.jcr.service.jdcloud.com/lmsysorg/sglang",
        "mirrors.sangfor.com/lmsysorg/sglang",
        "aicr.byd.com/docker.io/lmsysorg/sglang",
        "hub.6scloud.com/siliconflow/lmsysorg/sglang",
        "harbor.oci-slc.primus-safe.amd.com/proxy/lmsysorg/sglang",
        "i501-harbor-infra.ai.turbocloud.ru/images/lmsysorg/sglang",
        "europe-docker.pkg.dev/a-project/remote/lmsysorg/sglang",
        "111111111111.dkr.ecr.eu-west-1.amazonaws.com/docker-hub/lmsysorg/sglang",
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
        "lmsysorg/sglang/extra:v0.5.9",
        "myorg/notsglang:v0.5.9",
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
        ("lmsysorg/sglang:spark", "mutable-tag", "the tag moves from build to build"),
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
        ("10.0.0.1:5000/nvidia/sglang:26.10-py3", "unknown-tag", "NVIDIA NGC"),
        ("slimerl/slime:nightly-dev-20260521a", "unknown-tag", "slime"),
        ("slimerl/slime:nightly-dev-20260811a", "unknown-tag", "slime"),
        ("slimerl/slime:latest", "mutable-tag", "slime"),
        ("radixark/miles:1.0.0", "unknown-tag", "miles"),
        ("radixark/miles:dev-202608319999x", "unknown-tag", "miles"),
        ("radixark/miles:dev-202613010000", "unknown-tag", "miles"),
        ("ghcr.io/kubetee-ai/sglang:v0.5.18", "unknown-tag", "patched"),
        ("111111111111.dkr.ecr.eu-west-1.amazonaws.com/sglang:server-cuda", "unknown-tag", "AWS"),
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
        ("verlai/verl:sgl055.latest", "0.5.5", "map"),
        ("verlai/verl:sgl056.exp", "0.5.6.post1", "map"),
        ("verlai/verl:sgl059.latest", "0.5.9", "map"),
        ("vastai/sglang:v0.5.17-cuda-13.0", "0.5.17", "tag"),
        (
            "aibrix/sglang-aibrix-kvcache-nixl:v0.5.5.post3-nixl-v0.7.1-ucx-1.1",
            "0.5.5.post3",
            "tag",
        ),
        ("1.dkr.ecr.us-east-1.amazonaws.com/sglang:0.5.16-gpu-py312", "0.5.16", "tag"),
        ("1.dkr.ecr.us-east-1.amazonaws.com/sglang:server-sagemaker-cuda-v1.3", "0.5.17", "map"),
        # what accuses and never clears
        ("slimerl/slime:nightly-dev-20260427a", "0.5.9", "map"),
        ("slimerl/slime:nightly-dev-20260525b-cu129", "0.5.12.post1", "map"),
        ("slimerl/sglang:v0.5.15.post1-cu129", "0.5.15.post1", "tag"),
        ("nvcr.io/nvidia/sglang:26.09-py3", "0.5.19", "map"),
        ("dustynv/sglang:0.4.7-r36.4-cu128-24.04", "0.4.7", "tag"),
        ("ghcr.io/kubetee-ai/sglang:v0.5.18-abort-disconnect", "0.5.18", "tag"),
        ("openeuler/sglang:0.5.12-oe2403sp3", "0.5.12", "tag"),
        ("openeuler/sglang:0.5.5-torch2.8.0-cuda12.4-python3.11-oe2403sp2", "0.5.5", "tag"),
    ],
)
def test_some_tags_of_other_families_tell_the_version(reference, version, via):
    found = resolve(reference)
    assert (versions(found), found.via, found.confidence) == ([version], via, "medium")
    assert found.clears == (split_reference(reference).path[-2:] not in NEVER)


@pytest.mark.parametrize(
    ("reference", "built"),
    [
        (
            "intel/sglang-dev:nightly-dev-xpu-bmg-20260907-0a1b2c3",
            Build("main", "2026-09-07", "0a1b2c3", hour=12),
        ),
        ("radixark/miles:dev-202608210930", Build("sglang-miles", "2026-08-21")),
        (
            "cr.volces.com/serving/sglang:v0.5.16.iaas.dev.202607280000-kimi-k3-cu130",
            Build("iaas", "2026-07-28"),
        ),
        (
            "slimerl/slime:nightly-dev-20260104a",
            Build("main", "2025-12-08", "5e2cda61", hour=0),
        ),
        (
            "nvcr.io/nvidia/ai-dynamo/sglang-runtime:1.4.0-inkling-dev.1",
            Build("1.4.0-inkling-dev.1", "2026-07-17", is_bound=True),
        ),
        ("nvcr.io/nvidia/sglang:26.07-py3", Range("<=0.5.19")),
    ],
)
def test_some_tags_of_other_families_tell_a_build_or_a_range(reference, built):
    found = resolve(reference)
    assert (found.candidates, found.reason, found.confidence) == ((built,), "", "medium")


def test_the_tag_of_a_vendor_with_several_products_may_be_another():
    for reference in ("a/serving/sglang:latest", "b/sglang:latest", "verlai/verl:vllm012.dev3"):
        assert resolve(reference) is None


# -- private images that are named after the engine ------------------------------------------


@pytest.mark.parametrize(
    ("reference", "version"),
    [
        ("sglang:v0.5.9", "0.5.9"),
        ("lmsys/sglang:0.5.10.post1", "0.5.10.post1"),
        ("ghcr.io/sgl-project/sglang:v0.4.1-cu121", "0.4.1"),
        ("registry.example:5000/team/sglang-blackwell:v0.5.19-cu130", "0.5.19"),
        ("private.azurecr.io/sglang:v0.5.22", "0.5.22"),
        ("a/serving/sglang:v0.5.9", "0.5.9"),
    ],
)
def test_a_private_image_may_claim_a_release_and_is_never_cleared_by_it(reference, version):
    found = resolve(reference)
    assert (versions(found), found.via, found.confidence) == ([version], "tag", "medium")
    assert (found.clears, found.final) == (False, False)
    assert (
        found.detail == f"whoever owns the repository can write any tag; {HINT.format(reference)}"
    )


@pytest.mark.parametrize(
    "reference",
    [
        "myorg/sglang",
        "myorg/sglang:latest",
        "myorg/sglang:v0.5.24",
        "myorg/sglang:1.6.0",
        "myorg/sglang:v0.5.11-rocm700-mi30x-patched-nonroot",
        "myorg/sglang:nightly-dev-20260721-8905cbd4",
        "myorg/sglang-router:v0.5.9",
        "myorg/sglang-model-gateway:v0.5.9",
        "myorg/sglang-omni:v0.5.9",
        "myorg/sglangx:v0.5.9",
        "myorg/my-sglang:v0.5.9",
    ],
)
def test_a_private_image_claims_nothing_else(reference):
    assert resolve(reference) is None


def test_a_private_image_among_others_ends_no_search():
    texts = ["myorg/sglang:v0.5.9", "myorg/llm:1"]
    assert resolve_image(image(*((Text(text),) for text in texts))) is None


# -- digests ---------------------------------------------------------------------------------

ROWS = {
    "two": {"version": "0.5.19", "built_by": "2026-09-05", "evidence": ["a/b c@0", "d/e f@0"]},
    "asked": {"version": "0.5.19", "checked": "2026-10-01", "evidence": ["a/b c@0"]},
    "one": {"version": "0.5.19", "built_by": "2026-09-05", "evidence": ["a/b c@0", "a/d e@0"]},
    "word": {"version": "0.5.19", "evidence": ["a/b c@0"]},
    "seen": {"tag": "kimi-k3", "built_by": "2026-07-29", "evidence": ["a/b c@0"]},
}


@pytest.fixture
def pins(monkeypatch):
    """Digests by name, each with a row of its own in the place of the shipped ones."""
    names = {name: f"sha256:{number:064x}" for number, name in enumerate(ROWS)}
    rows = {
        names[name]: {"digest": names[name], "repository": "lmsysorg/sglang", **row}
        for name, row in ROWS.items()
    }
    monkeypatch.setattr(servelint_sglang.digests, "digest_table", lambda: rows)
    return names


@pytest.mark.parametrize(
    "prefix",
    ["lmsysorg/sglang@", "mirror.example/x@", "lmsysorg/sglang:v0.5.22@", "a/sglang:latest@"],
)
@pytest.mark.parametrize("name", ["two", "asked"])
def test_a_digest_of_which_two_tell_is_that_release_wherever_it_is(pins, prefix, name):
    found = resolve(prefix + pins[name])
    assert found == Resolution("sglang", candidates=(Release("0.5.19"),), via="digest")


@pytest.mark.parametrize(("name", "tag"), [("one", "lmsysorg/sglang"), ("seen", "kimi-k3")])
def test_a_digest_of_which_one_tells_was_there_on_a_day(pins, name, tag):
    found = resolve("mirror.example/lmsysorg/sglang:v0.5.22@" + pins[name])
    (built,) = found.candidates
    assert (built.branch, built.date, built.is_bound) == (tag, ROWS[name]["built_by"], True)
    assert (found.via, found.confidence) == ("digest", "high")


def test_the_word_of_one_accuses_only(pins):
    found = resolve("lmsysorg/sglang@" + pins["word"])
    assert (versions(found), found.confidence, found.clears) == (["0.5.19"], "medium", False)
    assert found.detail == "only one public file says so"


@pytest.mark.parametrize("name", ["one", "word"])
def test_the_tag_beside_a_digest_is_a_second_word(pins, name):
    found = resolve("mirror.example/lmsysorg/sglang:v0.5.19-cu130@" + pins[name])
    assert found == Resolution("sglang", candidates=(Release("0.5.19"),), via="digest")
    other = resolve("mirror.example/myorg/sglang:v0.5.19-cu130@" + pins[name])
    assert other != found


def test_every_digest_that_is_shipped_is_told():
    for digest, row in digest_table().items():
        found = resolve(f"registry.example/a/b@{digest}")
        assert (found.via, found.reason, found.final) == ("digest", "", True)
        assert isinstance(found.candidates[0], Build) or versions(found) == [row["version"]]


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
    assert found.candidates == (Build("main", "2026-09-16", hour=12),)
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
        (TAG, Text("/sglang:latest")),
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
    built = Build("main", "2026-07-21", "8905cbd4", hour=0)
    expected = (Release("0.5.19"), Release("0.5.22"), built)
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


# -- what it comes to: one row of each class against the two fixes ---------------------------------


def row_of(pull):
    advisories = load_advisories(data_path("advisories"))
    return next(row for one in advisories for row in one.affected if row.pull == pull)


LEAK, RACE = row_of(36988), row_of(41023)


@pytest.mark.parametrize(
    ("reference", "leak", "race"),
    [
        # releases: of SGLang, reordered, patched, of a vendor
        ("lmsysorg/sglang:v0.5.19-cu130-runtime", "yes", "yes"),
        ("lmsysorg/sglang:v0.5.3rc1", "yes", "yes"),
        ("lmsysorg/sglang:v0.5.20-xpu", "no", "yes"),
        ("mirror.example/lmsysorg/sglang:v0.5.21-rocm720-mi35x", "no", "no"),
        ("quay.io/ascend/sglang:cann9.0.0-a3-v0.5.16", "yes", "yes"),
        ("rocm/sgl-dev:sglang-0.5.12.post1-rocm720-mi35x-mori-0610", "yes", "yes"),
        ("nvcr.io/nvidia/ai-dynamo/sglang-runtime:1.5.1-cuda13", "yes", "yes"),
        ("nvcr.io/nvidia/ai-dynamo/sglang-runtime:1.6.0", "no", "no"),
        ("vastai/sglang:v0.5.20-cuda-13.0", "no", "yes"),
        ("nvcr.io/nvidia/sglang:26.05-py3", "yes", "yes"),
        ("slimerl/slime:nightly-dev-20260810a", "yes", "yes"),
        ("myorg/sglang:v0.5.19", "yes", "yes"),
        # nightly builds of main at midnight: the leak was mended on 6 September at an unknown
        # hour, the race on 24 September at 14:35
        ("lmsysorg/sglang:nightly-dev-cu13-20260905-0a1b2c3d", "yes", "yes"),
        ("lmsysorg/sglang:nightly-dev-20260906-0a1b2c3d", "yes", "yes"),
        ("lmsysorg/sglang:nightly-dev-20260907-0a1b2c3d", "some", "yes"),
        ("lmsysorg/sglang:nightly-dev-20260908-0a1b2c3d", "no", "yes"),
        ("lmsysorg/sglang:nightly-dev-20260924-0a1b2c3d", "no", "yes"),
        ("lmsysorg/sglang:nightly-dev-20260925-0a1b2c3d", "no", "no"),
        # at noon
        ("rocm/sgl-dev:v0.5.18-rocm720-mi35x-20260905", "yes", "yes"),
        ("rocm/sgl-dev:v0.5.19-rocm720-mi35x-20260906", "some", "yes"),
        ("rocm/sgl-dev:v0.5.19-rocm720-mi35x-20260907", "some", "yes"),
        ("rocm/sgl-dev:v0.5.19-rocm720-mi35x-20260924", "no", "yes"),
        ("rocm/sgl-dev:v0.5.20-rocm720-mi35x-20260925", "no", "no"),
        # at an hour that is not known
        ("lmsysorg/sglang:nightly-cu134-20260906-0a1b2c3", "some", "yes"),
        ("lmsysorg/sglang:nightly-cu134-20260908-0a1b2c3", "no", "yes"),
        ("lmsysorg/sglang:nightly-cu134-20260924-0a1b2c3", "no", "some"),
        ("lmsysorg/sglang:nightly-cu134-20260925-0a1b2c3", "no", "some"),
        ("lmsysorg/sglang:nightly-cu134-20260926-0a1b2c3", "no", "no"),
        # builds of branches are only ever too old
        ("lmsysorg/sglang:kimi-k3-0a1b2c3d-20260729-amd64", "yes", "yes"),
        ("lmsysorg/sglang-rocm:rocm720-mi35x-k3-20260910", "some", "yes"),
        ("rocm/sgl-dev:v0.5.20-rocm720-mi30x-20261001-preview", "some", "some"),
        ("radixark/miles:dev-202608210930", "yes", "yes"),
        ("cr.volces.com/serving/sglang:v0.5.21.iaas.202610010000-x", "some", "some"),
        # tags that move, as they were seen; digests of a release and of a day
        ("lmsysorg/sglang:kimi-k3", "yes", "yes"),
        (
            "a.example/b@sha256:06e4f2ed21afde4ff513cda65070124e727ba23ccaeff7712b8c40e1097d611f",
            "no",
            "yes",
        ),
        (
            "a.example/b@sha256:b1259f3ea3275f66237c498ea388919729018bc9f01c3d638391e06e2cf3f469",
            "no",
            "no",
        ),
        (
            "a.example/b@sha256:6d9594a421be244f2af29d726158ebffe9c3c2b3f39b5b89affd8150a106e187",
            "yes",
            "yes",
        ),
    ],
)
def test_a_row_of_each_class_against_the_fixes(reference, leak, race):
    candidates = resolve(reference).candidates
    releases = option_table()["releases"]
    answers = [in_range(candidates, row, releases) for row in (LEAK, RACE)]
    assert answers == [leak, race]


@pytest.mark.parametrize(
    "reference",
    [
        "lmsysorg/sglang:latest",
        "lmsysorg/sglang:dev-cu13-pr-1",
        "lmsysorg/sglang",
        "lmsysorg/sglang:kimi-k3-0a1b2c3d-arm64",
        "nvcr.io/nvidia/sglang:26.10-py3",
        "lmsysorg/sglang" + DIGEST,
    ],
)
def test_what_cannot_be_told_has_no_candidates(reference):
    found = resolve(reference)
    assert (found.candidates, bool(found.reason)) == ((), True)
