"""What YAML says of images that it builds."""

from __future__ import annotations

import textwrap

import pytest
from reading import facts_of, quoted, shown

from servelint.facts import Env, Image, Launch, Setting, Uses
from servelint.finding import Skip


def read(text, path="docker-compose.yml"):
    text = textwrap.dedent(text)
    return text, facts_of("yaml", text, path)


def uses(text, path="docker-compose.yml"):
    text, facts = read(text, path)
    assert not [one for one in facts if isinstance(one, Skip)]
    found = [one for one in facts if isinstance(one, Uses) and one.how == "build"]
    return [(one.target, quoted(text, one.span), one.owner.keys()) for one in found]


def given(text, path="docker-compose.yml"):
    text, facts = read(text, path)
    found = [one for one in facts if isinstance(one, Env | Setting) and "build" in one.owner.steps]
    return [
        (one.name if isinstance(one, Env) else one.key, shown(one.value), quoted(text, one.span))
        for one in found
    ]


@pytest.mark.parametrize(
    ("build", "target"),
    [
        (".", "a/Dockerfile"),
        ("../b", "b/Dockerfile"),
        ("{context: b}", "a/b/Dockerfile"),
        ("{context: b, dockerfile: ../X.Dockerfile}", "a/X.Dockerfile"),
        ("{dockerfile: docker/Dockerfile}", "a/docker/Dockerfile"),
        ('"${WHERE:-c}"', "a/c/Dockerfile"),
        ("$WHERE", None),
        ("https://x.example/y.git", None),
        ("{context: ., dockerfile_inline: FROM a}", None),
        ("{context: [a]}", None),
        ("[a]", None),
    ],
)
def test_the_dockerfile_of_a_service(build, target):
    text = f"services:\n  s:\n    build: {build}\n"
    found = uses(text, "a/compose.yml")
    assert found == ([(target, "build", ("services", "s"))] if target else [])


def test_the_arguments_of_a_service():
    text = """\
    services:
      s:
        build:
          target: final
          args:
            A: 1
            B:
            C: v${D:-2}
      t:
        build: {args: [A=1, B, "C=x y=z"]}
    """
    assert given(text) == [
        ("target", "final", "final"),
        ("ARG A", "1", "A: 1"),
        ("ARG B", "<B>", "B"),
        ("ARG C", "v<D=2>", "C: v${D:-2}"),
        ("ARG A", "1", "A=1"),
        ("ARG B", "<B>", "B"),
        ("ARG C", "x y=z", "C=x y=z"),
    ]


def test_arguments_of_a_build_are_no_command():
    text = "services:\n  s:\n    build:\n      args: [serve=1, model=2]\n    command: [serve]\n"
    _, facts = read(text)
    assert [len(one.argv) for one in facts if isinstance(one, Launch)] == [1]


def test_other_mappings_named_build_are_not_meant():
    text = "kind: x\nspec:\n  build: {context: ., args: [a, b]}\n"
    _, facts = read(text, "x.yaml")
    assert [type(one) for one in facts] == [Launch]


STEP = """\
jobs:
  b:
    steps:
      - uses: docker/build-push-action@v6
        with:
          context: ctx
          target: run
          build-args: |
            A=1

            # why
            B=${{ matrix.b }}
            C
            ${{ inputs.more }}
      - uses: docker/build-push-action@v6
        with: {file: a/b.Dockerfile, context: ctx}
      - uses: docker/build-push-action@v6
      - uses: docker/build-push-action@v6
        with: {context: "{{defaultContext}}:x"}
      - uses: docker/login-action@v3
        with: {file: c}
"""


def test_a_step_of_a_workflow():
    path = ".github/workflows/x.yml"
    assert [one[:2] for one in uses(STEP, path)] == [
        ("ctx/Dockerfile", "uses"),
        ("a/b.Dockerfile", "file"),
        ("Dockerfile", "uses"),
    ]
    assert given(STEP, path) == [
        ("target", "run", "run"),
        ("ARG A", "1", "A=1"),
        ("ARG B", "<template-function>", "B=${{ matrix.b }}"),
        ("ARG C", "<C>", "C"),
    ]


def test_a_bake_file():
    text = '{"group": {"d": {}}, "target": {"t": {"dockerfile": "x/D", "args": {"A": "1"}}}}'
    assert [one[0] for one in uses(text, "a/docker-bake.json")] == ["a/x/D"]
    assert given(text, "docker-bake.json") == [("ARG A", "1", '"A": "1')]
    assert uses(text, "other.yaml") == []
    text = '{"target": {"t": {"args": {"A": null}}}}'
    assert given(text, "docker-bake.json") == [("ARG A", "<A>", '"A"')]


def test_images_among_the_arguments_are_still_told():
    text = "services:\n  s:\n    build:\n      args:\n        BASE_IMAGE: reg/engine:v1\n"
    text, facts = read(text)
    assert [shown(one.reference) for one in facts if isinstance(one, Image)] == ["reg/engine:v1"]
