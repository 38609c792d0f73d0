"""Workflows: images of jobs, what steps run, and the names of inputs, matrices and environments."""

from __future__ import annotations

import textwrap

from reading import facts_of, quoted, shown

from servelint.bind import bind
from servelint.facts import Image, Launch
from servelint.finding import Skip


def read(text):
    text = textwrap.dedent(text)
    found = facts_of("yaml", text, ".github/workflows/a.yml")
    assert not [one for one in found if isinstance(one, Skip)]
    return text, bind(found)


def runs(found):
    """The image and the words of each launch, as far as they are known."""
    images = [one for one in found if isinstance(one, Image)]
    done = []
    for one in found:
        if isinstance(one, Launch):
            around = [image for image in images if image.owner.holds(one.owner)]
            image = max(around, key=lambda each: len(each.owner.steps), default=None)
            name = shown(image.reference) if image is not None else ""
            done.append((name, *(shown(word) for word in one.argv)))
    return done


def test_steps_run_in_the_container_of_their_job() -> None:
    _, found = read("""\
        on: push
        jobs:
          a:
            container: {image: "reg/e:v1"}
            steps: [{run: serve a}]
          b:
            container: reg/e:v2
            steps: [{run: serve b}]
          c:
            services: {db: {image: "reg/db:v1"}}
            steps: [{run: serve c}]
    """)
    assert runs(found) == [
        ("reg/e:v1", "serve", "a"),
        ("reg/e:v2", "serve", "b"),
        ("", "serve", "c"),
    ]
    names = [one.reference.text for one in found if isinstance(one, Image)]
    assert sorted(names) == ["reg/db:v1", "reg/e:v1", "reg/e:v2"]


def test_the_nearest_environment_counts() -> None:
    _, found = read("""\
        on: push
        env: {A: top, B: top, C: top}
        jobs:
          a:
            env: {B: job, C: job}
            steps:
              - env: {C: step}
                run: serve ${{ env.A }} ${{ env.B }} "${{ env.C }}" ${{ env.D }} $A
    """)
    assert runs(found) == [("", "serve", "top", "job", "step", "<D>", "top")]


def test_inputs_have_defaults_and_a_matrix_several_values() -> None:
    text, found = read("""\
        on:
          workflow_dispatch:
            inputs:
              tag: {default: v1}
              none: {}
        jobs:
          a:
            strategy:
              matrix:
                mode: [x, y]
                include:
                  - {mode: z, os: linux}
            container: reg/e:${{ inputs.tag }}
            steps:
              - run: serve ${{ matrix.mode }} ${{ inputs.none }} ${{ github.sha }}
          b:
            strategy: {matrix: {v: [v1, v2]}}
            container: {image: "reg/e:${{ matrix.v }}"}
            steps:
              - run: serve ${{ inputs.none || 'd' }}
    """)
    first, second = runs(found)
    assert first[:3] == ("reg/e:v1", "serve", "x|y|z")
    assert first[3].startswith("<workflow_inputs_none")
    assert first[4] == "<template-function>"
    assert second == ("reg/e:v1|reg/e:v2", "serve", "d")
    (image,) = [one for one in found if isinstance(one, Image) and "b" in one.owner.steps]
    places = {quoted(text, place) for place in image.reference.trail}
    assert {"v1", "v2"} <= places


def test_images_that_are_only_named_belong_to_no_step() -> None:
    text, found = read("""\
        on: {workflow_dispatch: {inputs: {base_image_ref: {default: "reg/e:v1"}}}}
        jobs:
          a:
            strategy: {matrix: {include: [{base_image_ref: "reg/e:v2"}]}}
            steps:
              - run: |
                  echo "image=reg/e:${tag}" >> "$GITHUB_OUTPUT"
                  serve
    """)
    images = [one for one in found if isinstance(one, Image)]
    assert [quoted(text, one.span) for one in images] == ["reg/e:v1", "reg/e:v2", "reg/e:${tag}"]
    assert [run[0] for run in runs(found)] == [""] * len(runs(found))


def test_an_expression_in_single_quotes_stays_what_it_is() -> None:
    _, found = read("on: push\njobs: {a: {steps: [{run: \"serve '${{ env.A }}'\"}]}}\n")
    ((_, _, word),) = runs(found)
    assert "A" not in word or word.startswith("<")


def test_what_steps_and_jobs_give_to_later_ones() -> None:
    text, found = read("""\
        on: push
        jobs:
          first:
            outputs:
              image: ${{ steps.read.outputs.image }}
            steps:
              - id: read
                run: echo "image=reg/e:v1" >> "$GITHUB_OUTPUT"
              - run: echo MODE=a >> $GITHUB_ENV
              - run: serve ${{ env.MODE }} ${{ steps.read.outputs.image }} $MODE
          second:
            needs: first
            container: {image: "${{ needs.first.outputs.image }}"}
            steps: [{run: "serve ${{ needs.other.outputs.image }}"}]
    """)
    served = [run for run in runs(found) if run[1] == "serve"]
    assert served == [
        ("", "serve", "a", "reg/e:v1", "a"),
        ("reg/e:v1", "serve", "<workflow_needs_other_image>"),
    ]
    (image,) = [one for one in found if isinstance(one, Image) and "second" in one.owner.steps]
    assert "reg/e:v1" in {quoted(text, place) for place in image.reference.trail}


def test_a_variable_of_the_script_is_none_of_the_environment() -> None:
    _, found = read("""\
        on: push
        env: {tag: v1}
        jobs:
          a:
            steps:
              - run: |
                  tag=$(cat version)
                  echo "IMAGE=reg/e:${tag}" >> $GITHUB_ENV
              - run: docker run ${{ env.IMAGE }} serve
    """)
    ran = [run for run in runs(found) if run[1] == "serve"]
    assert ran == [("reg/e:<runtime-value>", "serve")]
