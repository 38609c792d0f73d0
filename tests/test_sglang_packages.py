"""Which SGLang packages, forks and sources bring."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from packaging.version import Version

from servelint.api import (
    Build,
    Open,
    Range,
    Release,
    Requirement,
    Route,
    Span,
    Text,
    Value,
    known,
    unknown,
)
from servelint.plugins import load
from servelint.versions import in_range
from servelint_sglang.packages import carriers, resolve_requirement
from servelint_sglang.sources import at_commit, read_place
from servelint_sglang.tables import image_table, option_table, package_table

HERE = Span("f", 0, 1)
UPSTREAM = "https://github.com/sgl-project/sglang"
TABLE = package_table()


def value(text):
    return known(text, HERE) if text else None


def asked(name, kind, version="", specifier="", extras=()):
    return resolve_requirement(
        Requirement(
            span=HERE,
            owner=Route("f"),
            name=name,
            kind=kind,
            version=value(version),
            specifier=value(specifier),
            extras=extras,
        )
    )


def source(location, version=""):
    return asked("sglang", "vcs", version, location)


def judged(resolution):
    """For each advisory, the worst answer of its ranges."""
    engine = load().engines[0]
    return {
        advisory.id: [
            in_range(resolution.candidates, row, engine.releases) for row in advisory.affected
        ]
        for advisory in load().advisories
        if advisory.id in ("SGL-2026-0001", "SGL-2026-0002")
    }


# -- the data ----------------------------------------------------------------------------


def test_versions_in_the_data_are_releases():
    releases = {*option_table()["releases"], *image_table()["tagged_only"]}
    assert set(TABLE["tagged"]) <= releases
    for row in TABLE["bundle"]:
        assert row["evidence"]
        if "fork" not in row and "versions" in row:
            assert set(row["versions"].values()) <= releases, row["name"]
    families = {row["path"] for row in image_table()["vendor"] if "versions" in row}
    assert {row["images"] for row in TABLE["bundle"] if "images" in row} <= families


def test_commits_are_whole_and_named_once():
    commits = [*TABLE["tagged"].values(), *(row["commit"] for row in TABLE["merge"])]
    assert all(re.fullmatch("[0-9a-f]{40}", commit) for commit in commits)
    assert len({commit[:7] for commit in commits}) == len(commits)


def test_each_merge_holds_its_own_fix_and_those_of_earlier_days():
    days = [row["date"] for row in TABLE["merge"]]
    assert days == sorted(days)
    for row in TABLE["merge"]:
        assert row["pull"] in row["fixes"]
        assert not set(row["fixes"]) & set(row["absent"])
        earlier = {other["pull"] for other in TABLE["merge"] if other["date"] < row["date"]}
        later = {other["pull"] for other in TABLE["merge"] if other["date"] > row["date"]}
        assert earlier <= set(row["fixes"])
        assert later <= set(row["absent"])


def test_forks_say_what_is_proven():
    for fork in TABLE["fork"]:
        for row in fork["release"]:
            fixes, absent = set(row.get("fixes", ())), set(row.get("absent", ()))
            assert fixes | absent
            assert not fixes & absent
    assert {row["fork"] for row in TABLE["bundle"] if "fork" in row} <= set(carriers())


def test_the_engine_asks_this_plugin():
    engine = load().engines[0]
    assert engine.carriers == carriers()
    assert engine.resolve_requirement is resolve_requirement
    assert not set(carriers()) & set(engine.packages)


# -- bundles -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "version", "extras", "brought"),
    [
        ("ai-dynamo", "1.1.1", ("sglang",), "0.5.10.post1"),
        ("ai-dynamo", "1.6.1", ("sglang", "vllm"), "0.5.21"),
        ("ai-dynamo", "1.1.1.0", ("sglang",), "0.5.10.post1"),
        ("verl", "0.7.1", ("sglang",), "0.5.6"),
        ("areal", "1.0.4", ("cuda",), "0.5.10.post1"),
        ("sglang-omni", "0.1.9", (), "0.5.22"),
    ],
)
def test_a_bundle_brings_what_it_pins(name, version, extras, brought):
    found = asked(name, "pinned", version, extras=extras)
    assert found.candidates == (Release(brought),)
    assert (found.via, found.confidence, found.clears) == ("requirement", "high", True)


@pytest.mark.parametrize("extras", [(), ("vllm",)])
def test_without_the_extra_a_bundle_brings_nothing(extras):
    assert asked("ai-dynamo", "pinned", "1.1.1", extras=extras) is None


@pytest.mark.parametrize(
    ("version", "reason"),
    [
        ("1.7.0", "newer-than-data"),
        ("1.3.9", "newer-than-data"),
        ("1.7.0.dev20261026", "dev-version"),
        ("0.3.2", "no-evidence"),
        ("nonsense", "no-evidence"),
    ],
)
def test_a_bundle_that_the_data_does_not_know(version, reason):
    found = asked("ai-dynamo", "pinned", version, extras=("sglang",))
    assert (found.candidates, found.reason) == ((), reason)
    assert f"which sglang ai-dynamo {version} asks for" in found.detail


def test_a_closed_range_is_all_that_it_admits():
    found = asked("ai-dynamo", "range", specifier=">=1.0,<1.2", extras=("sglang",))
    assert found.candidates == (Release("0.5.9"), Release("0.5.10.post1"))
    assert found.clears


def test_an_open_range_decides_nothing():
    found = asked("ai-dynamo", "range", specifier=">=1.5", extras=("sglang",))
    assert found.candidates == (Release("0.5.18"), Release("0.5.21"), Range(">=0.5.21"))
    assert not found.clears
    assert judged(found)["SGL-2026-0001"] == ["some"]
    found = asked("ai-dynamo", "range", specifier=">=1.6", extras=("sglang",))
    assert (found.candidates, found.reason) == ((), "newer-than-data")
    found = asked("ai-dynamo", "range", specifier="~=1.6.0", extras=("sglang",))
    assert (found.candidates, found.reason) == ((), "newer-than-data")


def test_a_bundle_whose_version_is_not_told():
    extras = ("sglang",)
    assert asked("ai-dynamo", "unpinned", extras=extras).reason == "unpinned"
    assert asked("ai-dynamo", "range", specifier="<0.1", extras=extras).reason == "unpinned"
    assert asked("ai-dynamo", "range", specifier="what", extras=extras).reason == "unpinned"
    assert asked("verl", "vcs", specifier="git+https://a.example/b/c", extras=extras).reason == (
        "commit"
    )


def test_a_version_that_is_open_keeps_its_reason():
    version = unknown("unset-variable", "${V}", HERE)
    asks = Requirement(
        span=HERE,
        owner=Route("f"),
        name="ai-dynamo",
        kind="pinned",
        version=version,
        extras=("sglang",),
    )
    assert resolve_requirement(asks).reason == "unset-variable"


# -- forks -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "version"),
    [("sglang-kt", "0.7.2"), ("lsglang", "1.5.6"), ("sgltmp", "0.5.1.post4")],
)
def test_a_fork_that_lacks_the_fixes(name, version):
    found = asked(name, "locked", version)
    assert found.via == "lock"
    assert judged(found) == {"SGL-2026-0001": ["yes"], "SGL-2026-0002": ["yes", "some"]}


def test_the_version_of_a_fork_is_not_compared():
    assert judged(asked("lsglang", "pinned", "1.6.0")) == {
        "SGL-2026-0001": ["no"],
        "SGL-2026-0002": ["no", "some"],
    }
    assert judged(asked("lsglang", "pinned", "1.6.5")) == {
        "SGL-2026-0001": ["no"],
        "SGL-2026-0002": ["no", "no"],
    }


@pytest.mark.parametrize(
    ("name", "kind", "version", "specifier"),
    [
        ("lsglang", "pinned", "1.6.4", ""),
        ("lsglang", "pinned", "nonsense", ""),
        ("lsglang", "unpinned", "", ""),
        ("sglang-kt", "range", "", ">=0.5"),
        ("sglang-kt", "vcs", "0.7.2", "git+https://a.example/b/c"),
        ("amd-sglang", "pinned", "0.5.6.post1", ""),
    ],
)
def test_any_other_fork_is_not_told(name, kind, version, specifier):
    found = asked(name, kind, version, specifier)
    assert (found.candidates, found.reason) == ((), "fork")
    assert "pip show sglang" in found.detail


def test_a_bundle_may_bring_a_fork():
    extras = ("sglang",)
    found = asked("ktransformers", "pinned", "0.7.2", extras=extras)
    assert judged(found)["SGL-2026-0001"] == ["yes"]
    assert asked("kt-kernel", "pinned", "0.7.2", extras=extras).reason == "fork"
    assert asked("ktransformers", "range", specifier=">=0.7", extras=extras).reason == "fork"


# -- sources -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "location",
    [
        f"git+{UPSTREAM}@v0.5.18",
        f"git+{UPSTREAM}.git@v0.5.18#subdirectory=python",
        f"git+{UPSTREAM}.git@refs/tags/v0.5.18#egg=sglang&subdirectory=python",
        "git+ssh://git@github.com/sgl-project/sglang.git@v0.5.18",
        "git+git@github.com:sgl-project/sglang.git@v0.5.18",
        "git@github.com:SGL-Project/sglang@tags/v0.5.18",
        f"{UPSTREAM}@v0.5.18",
        f"{UPSTREAM}?subdirectory=python&tag=v0.5.18#71de97b264b04dcd514cf904003028aefe9775c8",
        f"{UPSTREAM}.git?rev=main#71de97b264b04dcd514cf904003028aefe9775c8",
        f"git+{UPSTREAM}@71de97b",
        "git+https://token@github.com/acme/sglang@71de97b264b0",
        f"{UPSTREAM}/archive/refs/tags/v0.5.18.tar.gz",
    ],
)
def test_a_tag_or_its_commit_is_a_release(location):
    found = source(location)
    assert found.candidates == (Release("0.5.18"),)
    assert (found.via, found.clears, found.confidence) == ("vcs", True, "high")


def test_a_tag_that_is_not_in_the_table_counts_beside_any_commit():
    found = source(f"{UPSTREAM}?tag=v0.5.22#{'01' * 20}")
    assert found.candidates == (Release("0.5.22"),)


@pytest.mark.parametrize(
    ("location", "name"),
    [
        (f"git+{UPSTREAM}", "HEAD"),
        (f"git+{UPSTREAM}@main", "main"),
        (f"git+{UPSTREAM}@0a1b2c3d", "0a1b2c3d"),
        (f"git+{UPSTREAM}@v0.5.9.99", "v0.5.9.99"),
        (f"git+{UPSTREAM}@v0.5.9-mine", "v0.5.9-mine"),
        (f"git+{UPSTREAM}@--upload-pack=x", "HEAD"),
        (f"git+{UPSTREAM}@x;y", "HEAD"),
        (f"{UPSTREAM}?tag=v0.5.18#{'01' * 20}", "01" * 20),
        ("./sglang@main", "main"),
    ],
)
def test_any_other_state_says_how_to_find_out(location, name):
    found = source(location)
    assert (found.candidates, found.reason) == ((), "commit")
    assert f"`git merge-base --is-ancestor cd1103700941 {name}`" in found.detail


@pytest.mark.parametrize(
    "location",
    [
        "git+https://github.com/acme/sglang@v0.5.22",
        "git+https://git.example/sgl-project/sglang@v0.5.22",
        "git+https://github.com/sgl-project/sglang-fork@v0.5.22",
    ],
)
def test_a_tag_of_another_repository_is_a_fork(location):
    found = source(location)
    assert (found.candidates, found.reason) == ((), "fork")
    assert "which release of SGLang" in found.detail


@pytest.mark.parametrize(
    ("commit", "expected"),
    [
        ("febb360519", {"SGL-2026-0001": ["no"], "SGL-2026-0002": ["yes", "some"]}),
        ("1b78083b428a", {"SGL-2026-0001": ["no"], "SGL-2026-0002": ["yes", "some"]}),
        ("cd1103700941", {"SGL-2026-0001": ["no"], "SGL-2026-0002": ["no", "some"]}),
    ],
)
def test_a_commit_that_merged_a_fix(commit, expected):
    assert judged(source(f"git+{UPSTREAM}@{commit}")) == expected


@pytest.mark.parametrize("text", ["", "febb36", "zzzzzzzz", "febb3605190", "FEBB360519"])
def test_no_other_commit_is_known(text):
    assert at_commit(text) is None


@pytest.mark.parametrize(
    "location",
    ["https://files.example/a/sglang.tar.gz", "./sglang", "svn+https://a.example/b", "a b@c", ""],
)
def test_what_names_no_repository_is_read_plainly(location):
    assert read_place(location) is None
    assert asked("sglang", "url", "", location) is None


@given(
    st.lists(
        st.sampled_from(
            [
                *("git+", "https://", "ssh://", "git@", "github.com", "/", ":", "sgl-project"),
                *("sglang", ".git", "@", "v0.5.9", "?tag=", "&", "#", "%zz", "/archive/", ".zip"),
                *(".tar.gz", "febb360519", "./", "~", " ", "\n", "\ufffc", "[", "=" * 30),
            ]
        ),
        max_size=20,
    )
)
def test_no_location_fails(pieces):
    location = "".join(pieces)
    place = read_place(location)
    found = source(location)
    assert found is None or place is not None
    assert found is None or bool(found.candidates) != bool(found.reason)


def test_a_working_copy_accuses_and_does_not_clear():
    found = source("/opt/sglang@v0.5.22")
    assert (found.candidates, found.clears) == ((Release("0.5.22"),), False)


def test_a_lock_of_an_unknown_state_is_read_plainly():
    assert source("https://git.example/sglang?rev=main#0a", "0.5.22") is None
    assert source("https://github.com/acme/sglang#" + "01" * 20, "0.5.22") is None


def located(*readings):
    return resolve_requirement(
        Requirement(
            span=HERE,
            owner=Route("f"),
            name="sglang",
            kind="vcs",
            specifier=Value(readings, HERE),
        )
    )


def test_several_states_are_several_candidates():
    both = [(Text(f"git+{UPSTREAM}@{ref}"),) for ref in ("v0.5.18", "v0.5.21")]
    assert located(*both).candidates == (Release("0.5.18"), Release("0.5.21"))
    assert located(*both, (Text(f"git+{UPSTREAM}"),)).reason == "commit"


def test_a_state_that_is_open():
    address = Text(f"git+{UPSTREAM}@")
    assert located((address, Open("REF", "${REF}"))).reason == "unset-variable"
    kept = Open("REF", "${REF:-v0.5.9}", default=(Text("v0.5.9"),))
    assert located((address, kept)).candidates == (Release("0.5.9"),)
    token = Open("TOKEN", "${TOKEN}")
    rest = Text("@github.com/sgl-project/sglang@v0.5.9")
    assert located((Text("git+https://"), token, rest)).candidates == (Release("0.5.9"),)
    owner = (Text("git+https://github.com/"), Open("O", "$O"), Text("/sglang@v0.5.9"))
    assert located(owner).reason == "unset-variable"


# -- between releases --------------------------------------------------------------------


def test_a_development_version_by_its_day():
    found = asked("sglang", "locked", "0.5.8.dev20260129+g0123456789")
    (build,) = found.candidates
    assert (build.date, build.is_bound, found.via) == ("2026-01-29", True, "lock")
    assert judged(found)["SGL-2026-0001"] == ["yes"]
    late = asked("sglang", "pinned", "0.5.20.dev20260910")
    assert judged(late)["SGL-2026-0001"] == ["some"]


def test_a_development_version_by_its_commit():
    found = asked("sglang", "pinned", "0.0.0.dev1+gbbe9c7eeb")
    assert found.candidates == (Release("0.5.9"),)
    found = asked("sglang", "pinned", "0.5.20.dev3+gfebb360519")
    assert isinstance(found.candidates[0], Build)
    assert judged(found)["SGL-2026-0001"] == ["no"]


@pytest.mark.parametrize(
    "version",
    [
        "0.0.0.dev0",
        "0.5.23.dev20261020+g0123456789",
        "0.5.8.dev20261399",
        "0.5.6.post3.dev1278+gabcdef012",
        "0.0.0.dev1+gbbe9c7eeb.d20260301",
    ],
)
def test_any_other_development_version_is_not_told(version):
    found = asked("sglang", "pinned", version)
    assert (found.candidates, found.reason) == ((), "dev-version")
    assert found.detail


@pytest.mark.parametrize("version", ["0.5.9", "0.5.20rc1", "0.5.11+05fb6a52", "nonsense"])
def test_other_versions_are_read_plainly(version):
    assert asked("sglang", "pinned", version) is None


def test_other_packages_are_nobodys():
    assert asked("sglang-router", "pinned", "0.3.2") is None
    assert asked("torch", "vcs", specifier=f"git+{UPSTREAM}@v0.5.9") is None


def test_the_newest_tag_is_a_release_of_the_data():
    newest = max(TABLE["tagged"], key=Version)
    assert Version(newest) <= Version(option_table()["releases"][-1])
