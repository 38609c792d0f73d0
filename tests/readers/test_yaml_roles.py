"""Resources of which several parts make one pod, and programs that stand in other fields."""

from __future__ import annotations

import textwrap

import pytest
from reading import facts_of, quoted, shown

from servelint.facts import Env, Image, Launch, Requirement
from servelint.finding import Skip

GROUP = """\
kind: Group
spec:
  roleTemplates:
    - name: base
      template:
        spec:
          containers:
            - name: engine
              image: reg/engine:v1
              command: [serve]
              env:
                - {name: A, value: "1"}
                - {name: B, value: "1"}
            - name: side
              image: reg/side:v1
    - name: unused
      template: {spec: {containers: [{image: "reg/unused:v1"}]}}
  roles:
    - name: first
      pattern:
        templateRef:
          name: base
          patch:
            spec:
              containers:
                - name: engine
                  args: [--mode, a]
                  env:
                    - {name: B, value: "2"}
    - name: second
      templateRef: {name: base}
      templatePatch:
        spec:
          containers:
            - {name: engine, image: "reg/engine:v2", args: [--mode, b]}
            - {name: side, $patch: delete}
"""


NAMED = "templateRef: {name: a}"
PROGRAM = ("python3", "-m", "sglang.launch_server")


def read(text):
    text = textwrap.dedent(text)
    found = facts_of("yaml", text, "a.yaml")
    assert not [one for one in found if isinstance(one, Skip)]
    return text, found


def pairs(found):
    """The image and the words of each launch."""
    images = [one for one in found if isinstance(one, Image)]
    return [
        (image.reference.text, *(shown(word) for word in one.argv))
        for one in found
        if isinstance(one, Launch)
        for image in images
        if image.owner.holds(one.owner)
    ]


def test_a_role_is_its_template_with_its_patch() -> None:
    text, found = read(GROUP)
    assert pairs(found) == [
        ("reg/engine:v1", "serve", "--mode", "a"),
        ("reg/engine:v2", "serve", "--mode", "b"),
    ]
    images = [one for one in found if isinstance(one, Image)]
    assert all(quoted(text, one.span) == one.reference.text for one in images)
    env = [(one.name, one.value.text) for one in found if isinstance(one, Env)]
    assert env[:2] == [("A", "1"), ("B", "2")]


def test_templates_count_for_themselves_only_where_nobody_names_them() -> None:
    _, found = read(GROUP)
    names = [one.reference.text for one in found if isinstance(one, Image)]
    assert names.count("reg/unused:v1") == 1
    assert names.count("reg/side:v1") == 1


def test_a_name_that_nothing_has_is_left_alone() -> None:
    text = GROUP.replace("name: base\n          patch", "name: other\n          patch")
    _, found = read(text)
    assert ("reg/engine:v2", "serve", "--mode", "b") in pairs(found)
    launches = [one for one in found if isinstance(one, Launch)]
    assert ["--mode", "a"] in [[word.text for word in one.argv] for one in launches]


def test_leader_and_workers_are_the_template_with_their_patches() -> None:
    _, found = read("""\
        kind: Group
        spec:
          pattern:
            template: {spec: {containers: [{name: e, image: "reg/e:v1", args: [x]}]}}
            leaderTemplatePatch: {spec: {containers: [{name: e, args: [a]}]}}
            workerTemplatePatch: {spec: {containers: [{name: e, args: [b]}]}}
    """)
    assert pairs(found) == [("reg/e:v1", "a"), ("reg/e:v1", "b")]


def test_patches_may_stand_where_they_once_did() -> None:
    _, found = read("""\
        roles:
          - template: {spec: {containers: [{name: e, image: "reg/e:v1", args: [x]}]}}
            leaderWorkerSet:
              size: 1
              patchLeaderTemplate: {spec: {containers: [{name: e, args: [a]}]}}
              patchWorkerTemplate: {}
    """)
    assert pairs(found) == [("reg/e:v1", "a"), ("reg/e:v1", "x")]


def test_patches_of_labels_leave_one_pod() -> None:
    _, found = read("""\
        pattern:
          template: {spec: {containers: [{name: e, image: "reg/e:v1", args: [x]}]}}
          leaderTemplatePatch: {metadata: {labels: {role: leader}}}
    """)
    assert pairs(found) == [("reg/e:v1", "x")]


@pytest.mark.parametrize(
    ("command", "program", "words"),
    [
        ("[bash]", "serve --mode a", ("serve", "--mode", "a")),
        ("[python3, -u]", 'import os\nos.system("python3 -m sglang.launch_server")', PROGRAM),
    ],
)
def test_the_program_of_a_step_is_read_in_its_language(command, program, words) -> None:
    source = textwrap.indent(program, " " * 6)
    step = f"    image: reg/e:v1\n    command: {command}\n    source: |\n{source}\n"
    text = f"templates:\n- script:\n{step}"
    _, found = read(text)
    assert ("reg/e:v1", *words) in pairs(found)


def test_a_program_for_something_else_is_not_read() -> None:
    _, found = read("script: {image: 'reg/e:v1', command: [node], source: 'serve --mode a'}\n")
    assert pairs(found) == [("reg/e:v1", "node")]


def test_a_configuration_in_a_string_is_yaml() -> None:
    text, found = read("""\
        kind: Service
        spec:
          serveConfigV2: |
            applications:
              - runtime_env:
                  pip: ["sglang==1.2"]
                  env_vars: {A: b}
    """)
    (pin,) = [one for one in found if isinstance(one, Requirement)]
    (env,) = [one for one in found if isinstance(one, Env)]
    assert (pin.name, quoted(text, pin.span)) == ("sglang", "sglang==1.2")
    assert quoted(text, env.value.span) == "b"


def test_the_packages_of_a_job() -> None:
    _, found = read("runtimeEnvYAML: |\n  pip:\n    packages:\n      - sglang==1.2\n")
    assert [one.name for one in found if isinstance(one, Requirement)] == ["sglang"]


@pytest.mark.parametrize(
    "text",
    [
        f"{{roleTemplates: [{{name: a, template: {{x: {{{NAMED}}}}}}}], b: {{{NAMED}}}}}",
        "a: &a {templateRef: {name: a}}\nroleTemplates: [{name: a, template: {x: *a}}]\n",
    ],
)
def test_a_template_that_names_itself_is_read_once(text: str) -> None:
    assert not [one for one in facts_of("yaml", text) if isinstance(one, Skip)]


def test_templates_that_multiply_are_a_skip() -> None:
    words = ", ".join(["word"] * 20_000)
    roles = "- templateRef: {name: a}\n" * 100
    text = f"roleTemplates: [{{name: a, template: {{x: [{words}]}}}}]\nroles:\n{roles}"
    (skip,) = facts_of("yaml", text)
    assert skip.reason == "too-large"
