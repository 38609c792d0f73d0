"""What labels, variables, history and the day of making say, and when that clears."""

from __future__ import annotations

import pytest
from engine import ALL, INSIDE, LATE, NEW
from made_images import Image, config, packed, tar

from servelint_registry import Options, resolve

BASE = packed(tar({"etc/os-release": "made up"}), "gzip")

OS_STEPS = ("-ARG RELEASE", "/bin/sh -c #(nop) ADD file:1 in / ")
ARGS = "|2 ENGINE_VER=0.5.22 TYPE=all /bin/sh -c "
BUILD = (
    *OS_STEPS,
    f"RUN {ARGS}git clone -b v${{ENGINE_VER}} /code/engine # buildkit".removeprefix("RUN "),
    f"{ARGS}pip install -e /code/engine/python # buildkit",
    "-LABEL build.tag=v0.5.22 build.commit=0a1b2c3d4e",
)
LABELS = {"build.tag": "v0.5.22", "build.commit": "0a1b2c3d4e"}


@pytest.fixture(name="look")
def make_look(double):
    def look(*, tag="v0.5.22", layers=None, reference="", **about):
        count = sum(not step.startswith("-") for step in about.get("history", ()))
        image = Image((BASE,) * (count if layers is None else layers), config(**about))
        served = double.serve(image, tag=tag)
        return resolve(reference.format(host=double.host) or served, INSIDE, Options())

    return look


def test_a_label_that_names_the_tag_asked_for_clears(look):
    found = look(history=BUILD, labels=LABELS)
    assert (found.version, found.commit, found.clears) == ("0.5.22", "0a1b2c3d4e", True)
    assert found.evidence == "label build.tag = v0.5.22, as asked for; no later step changes it"
    assert (found.reason, found.detail) == ("", "")


def test_variables_say_the_same_as_labels(look):
    found = look(history=BUILD, env=["ENGINE_VERSION=v0.5.22"], labels={"build.tag": "v0.5.22"})
    assert (found.version, found.clears) == ("0.5.22", True)


def test_versions_are_told_in_their_normal_form(look):
    found = look(tag="x", labels={"build.tag": "v0.5.22rc01"})
    assert found.version == "0.5.22rc1"


def test_an_inherited_label_does_not_clear(look):
    found = look(tag="mine", history=BUILD, labels=LABELS)
    assert (found.version, found.clears) == ("0.5.22", False)
    assert found.detail.startswith("label build.tag = v0.5.22; an image inherits that")
    assert found.detail.endswith("use --layers")


def test_a_digest_alone_does_not_clear(look, double):
    look(history=BUILD, labels=LABELS)
    image = Image((BASE,) * 3, config(history=BUILD, labels=LABELS))
    reference = double.serve(image).rpartition(":")[0]
    digest = next(key for key in double.answers if "manifests/sha256" in key).rpartition("/")[2]
    found = resolve(f"{reference}@{digest}", INSIDE, Options())
    assert (found.version, found.clears, found.digest) == ("0.5.22", False, digest)


CHANGES = [
    "COPY patched /code/engine/python # buildkit",
    "COPY . / # buildkit",
    "COPY a /opt # buildkit",
    "COPY a b # buildkit",
    "ADD x.tar /usr/local # buildkit",
    "/bin/sh -c #(nop) COPY dir:12 in /code/engine ",
    "RUN /bin/sh -c pip install other # buildkit",
    "RUN /bin/sh -c apt-get update && git -C /code/engine checkout main # buildkit",
    "RUN /bin/sh -c rm -rf /code/engine/python/engine/srt # buildkit",
    "RUN /bin/sh -c ./setup.sh # buildkit",
    "RUN /bin/sh -c echo $(pip install x) # buildkit",
    "|1 ENGINE_VER=0.5.22 /bin/sh -c pip install -r r.txt # buildkit",
    "bazel build ...",
    "RUN /bin/sh -c pip install engine==0.5.22 && patch -p1 < a # buildkit",
]


@pytest.mark.parametrize("step", CHANGES)
def test_a_later_step_that_may_change_the_engine_takes_the_word_from_the_label(look, step):
    found = look(history=(*BUILD, step), labels=LABELS)
    assert (found.version, found.clears, found.reason) == ("", False, "conflicting")
    assert "a later step of the build may have changed it" in found.detail


@pytest.mark.parametrize(
    "step",
    [
        "COPY entry.sh /usr/bin/entry.sh # buildkit",
        "COPY app /srv/app # buildkit",
        "WORKDIR /srv",
        "RUN /bin/sh -c apt-get update && apt-get install -y jq && rm -rf /var/lib # buildkit",
        "RUN /bin/sh -c useradd -m user; mkdir /data # buildkit",
    ],
)
def test_a_later_step_that_cannot_change_the_engine_does_not(look, step):
    assert look(history=(*BUILD, step), labels=LABELS).clears


def test_a_later_pin_is_the_version(look):
    step = "RUN /bin/sh -c pip install engine[all]==0.5.9 # buildkit"
    found = look(history=(*BUILD, step), labels=LABELS)
    assert (found.version, found.commit, found.clears) == ("0.5.9", "", False)


def test_a_history_with_holes_does_not_clear(look):
    found = look(history=BUILD, labels=LABELS, layers=4)
    assert (found.version, found.clears) == ("0.5.22", False)
    assert "does not tell of every layer" in found.detail


def test_labels_that_contradict_each_other_say_nothing(look):
    found = look(labels={"build.tag": "v0.5.22"}, env=["ENGINE_VERSION=0.5.9+0a1b2c3d"])
    assert (found.version, found.reason) == ("", "conflicting")


def test_the_version_of_the_operating_system_is_not_the_engines(look):
    found = look(tag="22.04", labels={"org.opencontainers.image.version": "22.04"})
    assert (found.version, found.reason) == ("", "no-evidence")


@pytest.mark.parametrize("value", ["unknown", "local/engine:dev", "", "main", "x" * 5000])
def test_home_builds_say_nothing(look, value):
    found = look(labels={"build.tag": value})
    assert (found.version, found.clears, found.reason) == ("", False, "no-evidence")


def test_a_commit_alone_is_told_as_a_commit(look):
    found = look(labels={"build.tag": "nightly-20260930-0a1b2c3d", "build.commit": "0a1b2c3d4e"})
    assert (found.version, found.commit, found.reason) == ("", "0a1b2c3d4e", "commit")


@pytest.mark.parametrize(
    ("steps", "version"),
    [
        (BUILD[:-1], "0.5.22"),
        ((f"{ARGS}git clone x",), "0.5.22"),
        (("|2 ENGINE_BRANCH=main TYPE=all /bin/sh -c git clone x",), ""),
        (("|2 ENGINE_VER=0.5.22 USE_LATEST=1 /bin/sh -c git clone x",), ""),
        ((*BUILD[:-1], "RUN /bin/sh -c pip install -U engine # buildkit"), ""),
        (("RUN /bin/sh -c pip install engine==0.5.9 # buildkit",), "0.5.9"),
        (("RUN /bin/sh -c echo my-engine==0.5.9 # buildkit",), ""),
        (("RUN /bin/sh -c pip install engine==0.5.9 && pip install engine==0.5.22",), ""),
        (("|1 ENGINE_VER=v0.5.9-cu126 /bin/bash -o pipefail -c true",), "0.5.9"),
    ],
)
def test_history_says_a_version_and_never_clears(look, steps, version):
    found = look(history=steps)
    assert (found.version, found.clears) == (version, False)
    assert "use --layers" in found.detail


def test_the_day_of_making_proves_what_cannot_be_in_it(look):
    found = look(created="2026-09-05T23:00:00Z")
    assert (found.created, found.absent, found.reason) == ("2026-09-05", ALL, "")
    assert found.evidence == "made on 2026-09-05, before 3 of the fixes were written"


def test_each_fix_has_a_day_of_its_own(look):
    assert look(created="2026-09-10T00:00:00.123456789Z").absent == (NEW, LATE)
    assert look(created="2026-09-24T00:00:00Z").absent == ()


@pytest.mark.parametrize("created", ["1970-01-01T00:00:00Z", "1980-01-01T00:00:01Z", "soon", 7, ""])
def test_a_day_before_all_images_proves_nothing(look, created):
    found = look(created=created)
    assert (found.created, found.absent, found.reason) == ("", (), "no-evidence")


def test_a_label_that_is_younger_than_the_image_is_not_believed(look):
    found = look(created="2026-03-01T00:00:00Z", history=BUILD, labels=LABELS)
    assert (found.version, found.absent, found.clears) == ("", (), False)
    assert found.reason == "conflicting"


@pytest.mark.parametrize(
    "broken",
    [
        {"config": None, "history": None, "created": None},
        {"config": [], "history": {}, "created": {}},
        {"config": {"Env": "A=b", "Labels": ["x"], "Entrypoint": 3, "WorkingDir": []}},
        {"config": {"Env": [1, "X", "=", "PATH="], "Labels": {"build.tag": 7}}, "history": [1, {}]},
        {"history": [{"created_by": 1, "empty_layer": "yes", "created": "x"}]},
    ],
)
def test_a_configuration_of_wrong_types_says_nothing(double, broken):
    found = resolve(double.serve(Image((BASE,), broken)), INSIDE, Options())
    assert (found.version, found.reason, found.clears) == ("", "no-evidence", False)
