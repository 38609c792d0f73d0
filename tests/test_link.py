"""Components: which image, package and environment a launch runs with, and what each may prove."""

from __future__ import annotations

from dataclasses import replace

import pytest
from made_up import ENGINE, env, image, launch, pin, place, resolution, value

from servelint.deployment import Build, Range, Release, Resolution
from servelint.engine import Program
from servelint.evidence import origin, place_of, version_places
from servelint.link import components
from servelint.resolve import resolve_requirement
from servelint.source import Span
from servelint.value import Text, Value

PREFILL = "engine serve --mode prefill"
PRIVATE = "registry.example/team/llm:7"


def only(*facts, engines=(ENGINE,)):
    (found,) = components(facts, engines)
    return found


def resolved(*facts):
    return only(*facts).resolution


# -- images -------------------------------------------------------------------


def test_the_image_around_a_launch_tells_its_version():
    got = resolved(launch(PREFILL), image("engine:v1.0"))
    assert got.candidates == (Release("1.0"),)
    assert got.evidence == (place(),)
    assert got.clears


def test_the_nearest_image_counts_whatever_the_order():
    near, far = image("engine:v1.0", steps=("a", 0)), image("engine:v1.4", steps=("a",))
    run = launch(PREFILL, steps=("a", 0, "args"))
    for images in ((near, far), (far, near)):
        assert resolved(run, *images).candidates == (Release("1.0"),)


def test_neither_a_sibling_nor_a_child_nor_another_file_tells_the_version():
    run = launch(PREFILL, steps=("a", 0))
    others = (
        image("engine:v1.4", steps=("a", 1)),
        image("engine:v1.4", steps=("a", 0, "inner")),
        image("engine:v1.4", path="other.sh"),
    )
    assert resolved(run, *others).reason == "no-evidence"


def test_an_image_of_the_family_ends_the_search_even_when_it_stays_unknown():
    got = resolved(launch(PREFILL), image("engine:latest"), pin("1.4", "locked"))
    assert (got.reason, got.candidates) == ("unknown-tag", ())


def test_a_tag_that_only_claims_a_version_counts_where_nothing_better_does():
    run, claimed = launch(PREFILL), image("engine:claimed-1.0")
    assert resolved(run, claimed).candidates == (Release("1.0"),)
    assert resolved(run, claimed, pin("1.4")).candidates == (Release("1.4"),)


def test_what_an_engine_says_of_its_image_is_kept():
    moved = resolved(launch(PREFILL), image("engine:moved-1.0"))
    assert (moved.clears, moved.confidence, moved.via) == (False, "medium", "map")
    built = resolved(launch(PREFILL), image("engine:main-2026-01-01"))
    assert built.candidates == (Build("main", "2026-01-01"),)


@pytest.mark.parametrize(
    ("reference", "reason"),
    [
        (PRIVATE, "unknown-tag"),
        ("registry.example/team/llm", "untagged"),
        ("registry.example/team/llm@sha256:00", "unmapped-digest"),
        ("$IMAGE", "unset-variable"),
        ("<template-function>", "template-function"),
    ],
)
def test_an_image_of_nobody_is_evidence_that_cannot_be_decided(reference, reason):
    got = resolved(launch(PREFILL), image(reference))
    assert (got.reason, got.candidates) == (reason, ())
    assert got.evidence[0].label == "image"
    written = value(reference).written
    if value(reference).text is None:
        assert got.detail == f"find out which version {written} holds"
    else:
        assert got.detail == f"`inspect {written}` prints the version inside"


@pytest.mark.parametrize("reference", ["/images/engine.sqsh", "./engine.sif"])
def test_nobody_is_told_to_run_an_image_that_is_a_file(reference):
    got = resolved(launch(PREFILL), image(reference))
    assert (got.reason, got.detail) == (
        "unknown-tag",
        f"find out which version {reference} holds",
    )


def test_an_interpreter_from_elsewhere_has_packages_of_its_own():
    for path, clears in (("/usr/bin/python3", True), ("/opt/venv/bin/python3", False)):
        started = launch(f"{path} -m engine.launch --mode prefill")
        assert resolved(started, pin("1.4")).clears is clears


# -- scopes -------------------------------------------------------------------


def test_a_pin_beside_a_launch_tells_its_version():
    got = resolved(launch(PREFILL), pin("1.0"))
    assert (got.candidates, got.via, got.clears) == ((Release("1.0"),), "requirement", True)
    assert got.confidence == "high"


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("a/b/run.sh", "1.1"),
        ("a/b/c/run.sh", "1.1"),
        ("a/run.sh", "1.0"),
        ("a/bb/run.sh", "1.0"),
        ("run.sh", ""),
        ("b/run.sh", ""),
    ],
)
def test_the_nearest_directory_above_counts(path, expected):
    facts = (pin("1.0", path="a/x.txt"), pin("1.1", path="a/b/x.txt"))
    got = resolved(launch(PREFILL, path=path), *facts)
    assert got.candidates == ((Release(expected),) if expected else ())


def test_another_package_is_no_scope():
    facts = (pin("1.0", path="a/x.txt"), pin("9", path="a/b/x.txt", name="other"))
    assert resolved(launch(PREFILL, path="a/b/run.sh"), *facts).candidates == (Release("1.0"),)


@pytest.mark.parametrize(
    ("kinds", "best"),
    [
        (("range", "locked"), "locked"),
        (("range", "pinned"), "pinned"),
        (("unpinned", "range"), "range"),
    ],
)
def test_in_one_directory_the_surest_statement_counts(kinds, best):
    texts = {"locked": "1.0", "pinned": "1.1", "range": ">=1.2", "unpinned": ""}
    facts = [pin(texts[kind], kind, path=f"{kind}.txt") for kind in kinds]
    got = only(launch(PREFILL), *facts)
    assert [fact.kind for fact in got.requirements] == [best]


def test_a_lock_and_an_exact_pin_that_differ_are_both_candidates():
    facts = (pin("1.0", "locked", path="uv.lock"), pin("1.4", path="requirements.txt"))
    assert resolved(launch(PREFILL), *facts).candidates == (Release("1.0"), Release("1.4"))


def test_a_pin_for_tests_speaks_only_when_alone():
    tests = pin("1.4", path="requirements-test.txt")
    assert resolved(launch(PREFILL), tests).candidates == (Release("1.4"),)
    ranged = pin(">=1.0", "range", path="requirements.txt")
    assert resolved(launch(PREFILL), tests, ranged).candidates == (Range(">=1.0"),)


def test_pins_of_one_kind_that_differ_are_several_candidates():
    got = resolved(launch(PREFILL), pin("1.0", path="a.txt"), pin("1.4", path="b.txt"))
    assert got.candidates == (Release("1.0"), Release("1.4"))
    assert [one.span.path for one in got.evidence] == ["a.txt", "b.txt"]


def test_one_pin_that_cannot_be_told_leaves_the_version_unknown():
    got = resolved(launch(PREFILL), pin("1.4", path="a.txt"), pin("$V", path="b.txt"))
    assert (got.reason, got.candidates) == ("unset-variable", ())


# -- what may clear -----------------------------------------------------------


@pytest.mark.parametrize(
    "facts",
    [
        (launch(PREFILL), image(PRIVATE)),
        (launch(PREFILL), image("$IMAGE")),
        (launch(PREFILL, container=True),),
        (launch(f"docker run some/image {PREFILL}"),),
        (launch("ssh host python3 -m engine.launch --mode prefill"),),
        (launch("$WRAPPER python3 -m engine.launch --mode prefill"),),
    ],
)
def test_a_scope_never_clears_what_runs_apart(facts):
    got = resolved(*facts, pin("1.4", "locked"))
    assert got.candidates == (Release("1.4"),)
    assert (got.clears, got.confidence) == (False, "low")


@pytest.mark.parametrize(
    "text",
    [
        PREFILL,
        f"/opt/venv/bin/{PREFILL}",
        "python3 -m engine.launch --mode prefill",
        "/usr/bin/python3.11 -u -m engine.launch --mode prefill",
        "$PYTHON -m engine.launch --mode prefill",
        "python engine/launch.py --mode prefill",
    ],
)
def test_a_scope_clears_what_runs_on_the_spot(text):
    assert resolved(launch(text), pin("1.4", "locked")).clears


# -- requirements -------------------------------------------------------------


def test_requirements():
    assert resolve_requirement(pin("1.0", "locked"), ENGINE).via == "lock"
    assert resolve_requirement(pin(">=1.0", "range"), ENGINE).candidates == (Range(">=1.0"),)
    assert resolve_requirement(pin("1.0|1.4"), ENGINE).candidates == (
        Release("1.0"),
        Release("1.4"),
    )
    assert resolve_requirement(pin("", "unpinned"), ENGINE).reason == "unpinned"
    assert resolve_requirement(pin(">=$V", "range"), ENGINE).reason == "unset-variable"
    assert not resolve_requirement(pin("1.0", "locked"), ENGINE).final


@pytest.mark.parametrize("kind", ["vcs", "url", "path"])
def test_a_source_tells_no_version_unless_it_names_one(kind):
    assert (
        resolve_requirement(pin("git+https://code.example/engine", kind), ENGINE).reason == "commit"
    )
    named = replace(pin("git+https://code.example/engine", kind), version=value("1.0"))
    assert resolve_requirement(named, ENGINE).candidates == (Release("1.0"),)


# -- environment --------------------------------------------------------------


def test_a_launch_sees_the_variables_around_it_the_nearest_last():
    own = env("OWN", "3")
    run = launch(PREFILL, steps=("a", 0), env=(own,))
    near, far = env("NEAR", "2", steps=("a", 0)), env("FAR", "1")
    hidden = env("HIDDEN", "4", steps=("a", 1))
    assert only(near, far, hidden, run).env == (far, near, own)


# -- which components ---------------------------------------------------------


def test_a_launch_of_another_program_is_no_component():
    assert components((launch("other serve --mode prefill"), image("engine:v1.0")), ()) == ()
    assert components((launch("python -m other.launch"),), (ENGINE,)) == ()


def test_several_roles_are_several_components_of_one_invocation():
    first, second = components((launch("engine serve --mode prefill|decode"),), (ENGINE,))
    assert (first.role, second.role) == ("prefill", "decode")
    assert first.invocation is second.invocation
    assert first != second


@pytest.mark.parametrize(
    "text",
    [
        "./start.sh --mode decode",
        "./start.sh --transfer-b x --mode=decode",
        "--mode decode",
        "--mode=decode",
    ],
)
def test_in_an_image_of_the_engine_a_wrapper_with_the_role_flag_is_a_server(text):
    got = only(launch(text), image("engine:v1.0"))
    assert (got.role, got.kind) == ("decode", "server")
    assert components((launch(text), image(PRIVATE)), (ENGINE,)) == ()


def test_in_an_image_of_the_engine_an_unknown_program_may_be_a_server():
    assert only(launch("$COMMAND --trust"), image("engine:v1.0")).role == "unknown"
    assert components((launch("$COMMAND --mode decode"),), (ENGINE,)) == ()
    assert components((launch("sleep 5"), image("engine:v1.0")), (ENGINE,)) == ()


def test_each_engine_is_asked_about_its_own_programs_images_and_packages():
    other = replace(
        ENGINE,
        id="other",
        packages=("other",),
        programs=(Program(("other", "serve"), "server"),),
        resolve_image=lambda _image: None,
    )
    facts = (
        launch("other serve --mode prefill"),
        image("engine:v1.0"),
        pin("7", name="other"),
        pin("1.4"),
    )
    got = only(*facts, engines=(ENGINE, other))
    assert got.engine is other
    assert got.resolution.package == "other"
    assert got.resolution.candidates == (Release("7"),)
    assert not got.resolution.clears


# -- places -------------------------------------------------------------------


def through(*places):
    return tuple(Span("values.yaml", at, at + 1) for at in places)


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        ([Text("engine:v1.0")], None),
        ([Text("engine:"), Text("v1.0", through(5))], 5),
        ([Text("engine:v"), Text("1.0", through(5, 9))], 9),
        ([Text("engine:v"), Text("1.0", through(5)), Text("-gpu")], 5),
        ([Text("mirror", through(5)), Text("/engine:v1.0")], None),
        ([Text("mirror", through(5)), Text("/engine:v"), Text("1.0", through(9))], 9),
        ([Text("engine", through(5)), Text(":"), Text("v1.0", through(9))], 9),
        ([Text("mirror", through(5)), Text("/engine")], 5),
    ],
)
def test_the_place_to_edit_is_where_the_tag_was_written(parts, expected):
    at = Span("run.sh", 500, 520)
    place_found = origin(Value((tuple(parts),), at))
    assert place_found == (at if expected is None else through(expected)[0])


def test_a_requirement_without_a_value_stands_where_it_is_asked_for():
    asked = pin("", "unpinned")
    found = place_of(asked)
    assert (found.span, found.text, found.label) == (asked.span, "engine", "pin")


def test_the_whole_value_route_is_shown():
    parts = (Text("engine:"), Text("v1.0", through(5, 9)))
    plain = image("engine:v1.0")
    shown = replace(plain, reference=Value((parts,), plain.reference.span))
    got = only(launch(PREFILL), shown)
    assert got.resolution.evidence[0].span == through(9)[0]
    assert {one.span for one in version_places(got)} == {plain.span, *through(5, 9)}


def test_the_value_route_of_a_pin_is_shown_where_the_pin_decides():
    parts = ((Text("1.0", through(5)),),)
    pinned = replace(pin("1.0"), version=Value(parts, Span("requirements.txt", 8, 11)))
    shown = {one.span for one in version_places(only(launch(PREFILL), pinned))}
    assert shown == {Span("requirements.txt", 8, 11), *through(5)}
    beside = only(launch(PREFILL), image("engine:v1.0"), pinned)
    assert {one.span.path for one in version_places(beside)} == {"run.sh"}


def test_resolutions_of_the_tests_are_as_plain_as_those_of_engines():
    assert resolved(launch(PREFILL), image("engine:v1.0")) == resolution("1.0", evidence=(place(),))


def test_of_several_versions_the_oldest_is_shown():
    def each(one):
        texts = one.reference.texts or ()
        versions = (text.partition(":v")[2] for text in texts)
        return Resolution("engine", tuple(map(Release, versions)), via="tag")

    at = Span("old.yaml", 5, 9)
    both = image("engine:v1.4|engine:v1.0|engine:v1.10")
    first, second, third = both.reference.readings
    second = tuple(replace(part, trail=(at,)) for part in second)
    both = replace(both, reference=Value((first, second, third), both.reference.span))
    got = only(launch(PREFILL), both, engines=(replace(ENGINE, resolve_image=each),)).resolution
    assert [one.version for one in got.candidates] == ["1.4", "1.0", "1.10"]
    assert [shown.span for shown in got.evidence] == [at]
