"""The YAML reader: shapes, not schemas; and spans that quote what they claim."""

from __future__ import annotations

import textwrap

import pytest

from servelint.facts import Env, Fact, Image, Launch
from servelint.finding import Skip
from servelint.read import read
from servelint.source import Route, Source

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable


def facts(text: str, path: str = "a.yaml", language: str = "yaml") -> list[Fact | Skip]:
    return list(read(Source(path, text, language, Route(path))))


def yaml(text: str) -> tuple[str, list[Fact | Skip]]:
    text = textwrap.dedent(text).lstrip("\n")
    return text, facts(text)


def quote(text: str, fact: Fact | Skip) -> str:
    assert fact.span is not None
    return text[fact.span.start : fact.span.end]


def of_kind(found: Iterable[object], kind: type[Fact]) -> list:
    return [fact for fact in found if isinstance(fact, kind)]


def words(launch: Launch) -> list[str]:
    return [word.written for word in launch.argv]


ARGV = ["python3", "-m", "tool.serve", "--model", "m"]


@pytest.mark.parametrize(
    "shape",
    [
        "{c}",
        "spec: {{template: {{spec: {{containers: [{c}]}}}}}}",
        "spec: {{initContainers: [{c}]}}",
        "spec: {{leaderWorkerTemplate: {{workerTemplate: {{spec: {{containers: [{c}]}}}}}}}}",
        "spec: {{engineConfig: {{leader: {{runner: {c}}}}}}}",
        "spec: {{services: {{VllmWorker: {{extraPodSpec: {{mainContainer: {c}}}}}}}}}",
        "spec: {{components: [{{podTemplate: {{spec: {{containers: [{c}]}}}}}}]}}",
        "items: [{{kind: Pod, spec: {{containers: [{c}]}}}}]",
        "services: {{server: {c}}}",
    ],
)
def test_a_component_is_found_wherever_it_stands(shape: str) -> None:
    container = "{args: [-m, tool.serve, --model, m], image: 'reg/engine:v1', command: [python3]}"
    text = shape.format(c=container)
    found = facts(text)
    (image,), (launch,) = of_kind(found, Image), of_kind(found, Launch)
    assert image.reference.text == "reg/engine:v1"
    assert quote(text, image) == "'reg/engine:v1'" or quote(text, image) == "reg/engine:v1"
    assert words(launch) == ARGV
    assert image.owner == launch.owner
    assert launch.container


@pytest.mark.parametrize(
    ("fields", "reference"),
    [
        ("image: e:v1", "e:v1"),
        ("image: 'host:5000/a/e:v1'", "host:5000/a/e:v1"),
        ("container: reg/e:v1", "reg/e:v1"),
        ("runtime_image: reg/e:v1", "reg/e:v1"),
        ("image: {repository: reg/e, tag: v1}", "reg/e:v1"),
        ("image: {registry: host, repository: a/e, tag: v1}", "host/a/e:v1"),
        ("image: {repository: reg/e, tag: v1, digest: 'sha256:0a'}", "reg/e:v1@sha256:0a"),
        ("repository: reg/e\ntag: v1", "reg/e:v1"),
        ("image: reg/e\ntag: v1", "reg/e:v1"),
        ("runtime_image: reg/e\nruntime_image_tag: v1", "reg/e:v1"),
        ("resources: {image_id: 'docker:reg/e:v1'}", "docker:reg/e:v1"),
        ("image: e:${TAG:-v1}", "e:${TAG:-v1}"),
    ],
)
def test_images_in_all_their_forms(fields: str, reference: str) -> None:
    (image,) = of_kind(facts(fields), Image)
    assert image.reference.written == reference
    assert image.owner == Route("a.yaml", (0,))


@pytest.mark.parametrize(
    "fields", ["image: 5 mm of rain", "container: main", "image:", "image: []", "tag: v1"]
)
def test_what_is_no_image(fields: str) -> None:
    assert not of_kind(facts(fields), Image)


def test_an_image_for_something_else_is_told_and_not_taken_for_the_components_own() -> None:
    text = "image: reg/e:v1\nrouterImage: reg/router:v2\ncommand: [serve]\n"
    own, other = of_kind(facts(text), Image)
    (launch,) = of_kind(facts(text), Launch)
    assert (own.reference.text, other.reference.text) == ("reg/e:v1", "reg/router:v2")
    assert own.owner.holds(launch.owner)
    assert not other.owner.holds(launch.owner)


def test_an_open_tag_keeps_the_family() -> None:
    (image,) = of_kind(facts("image: reg/e:$(TAG)"), Image)
    assert image.reference.text is None
    assert image.reference.head == "reg/e:"


def test_an_image_in_two_fields_is_edited_at_the_tag() -> None:
    text = "image:\n  repository: reg/e\n  tag: v1\n"
    (image,) = of_kind(facts(text), Image)
    assert quote(text, image) == "v1"
    assert {text[span.start : span.end] for span in image.reference.trail} == {"reg/e", "v1"}


def test_an_alias_stands_where_it_is_used_and_came_from_its_anchor() -> None:
    text, found = yaml(
        """
        - image: &engine reg/e:v1
          command: [serve]
        - image: *engine
          command: [serve]
        """
    )
    first, second = of_kind(found, Image)
    assert quote(text, first) == "reg/e:v1"
    assert quote(text, second) == "*engine"
    assert [text[span.start : span.end] for span in second.reference.trail] == ["reg/e:v1"]


def test_an_aliased_tag_is_edited_at_its_anchor() -> None:
    text = "version: &tag v1\nimage: {repository: reg/e, tag: *tag}\n"
    (image,) = of_kind(facts(text), Image)
    spans = image.reference.readings[0][-1].trail
    assert [text[span.start : span.end] for span in spans] == ["*tag", "v1"]


def test_a_merged_mapping_is_a_component_of_its_own() -> None:
    _, found = yaml(
        """
        x-base: &base
          image: reg/e:v1
          command: [serve, --half, one]
        services:
          two:
            <<: *base
            command: [serve, --half, two]
        """
    )
    launches = of_kind(found, Launch)
    assert [words(launch)[-1] for launch in launches] == ["one", "two"]
    assert [image.owner.steps[-1] for image in of_kind(found, Image)] == ["x-base", "two"]


def test_the_last_of_two_equal_keys_counts() -> None:
    (image,) = of_kind(facts("image: reg/e:v1\nimage: reg/e:v2\n"), Image)
    assert image.reference.text == "reg/e:v2"


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_all_documents_are_read(newline: str) -> None:
    text = newline.join(["image: reg/e:v1", "---", "image: reg/e:v2", ""])
    first, second = of_kind(facts(text), Image)
    assert (quote(text, first), quote(text, second)) == ("reg/e:v1", "reg/e:v2")
    assert (first.owner.steps, second.owner.steps) == ((0,), (1,))


def test_list_items_may_hold_an_option_with_its_value() -> None:
    text = "command: [serve]\nargs:\n  - --half one\n  - --size=2\n  - a b\n"
    (launch,) = of_kind(facts(text), Launch)
    assert words(launch) == ["serve", "--half", "one", "--size=2", "a b"]
    assert [text[w.span.start : w.span.end] for w in launch.argv[1:3]] == ["--half", "one"]


@pytest.mark.parametrize(
    "fields",
    [
        'command: [sh, -c, "exec serve --half one"]',
        'command: [/bin/bash, -lc]\nargs: ["exec serve --half one"]',
        'command: [tini, --, bash, -e, -c, "exec serve --half one", ignored]',
        'command: "exec serve --half one"',
        "commands: [exec serve --half one]",
        "run: |\n  exec serve --half one\n",
        "args:\n  - |\n    exec serve --half one\n",
    ],
)
def test_commands_for_a_shell_go_to_the_shell_reader(fields: str) -> None:
    (launch,) = of_kind(facts(f"image: reg/e:v1\n{fields}"), Launch)
    assert words(launch) == ["serve", "--half", "one"]
    assert launch.owner.steps[0] == 0
    assert launch.container


def test_the_texts_of_a_list_of_commands_share_one_shell() -> None:
    text = "commands:\n  - HALF=one\n  - |\n    serve --half $HALF\n"
    launch = of_kind(facts(text), Launch)[-1]
    assert [word.text for word in launch.argv] == ["serve", "--half", "one"]


def test_a_flag_in_a_shell_line_in_a_block_in_a_config_map_stands_at_its_own_place() -> None:
    text, found = yaml(
        """
        kind: ConfigMap
        data:
          notes: serve --half one
          start.sh: |
            #!/bin/bash
            # serve --half none
            exec serve \\
              --half   "two"
        """
    )
    (launch,) = of_kind(found, Launch)
    assert [text[word.span.start : word.span.end] for word in launch.argv] == [
        *("serve", "--half", '"two"')
    ]
    assert launch.argv[-1].text == "two"


@pytest.mark.parametrize(
    "fields",
    [
        "env: [{name: HALF, value: one}]",
        "env: {HALF: one}",
        "environment: [HALF=one]",
        "environment:\n  HALF: one\n",
        "envs: {HALF: one}",
    ],
)
def test_environments_in_all_their_forms(fields: str) -> None:
    (env,) = of_kind(facts(fields), Env)
    assert (env.name, env.value.text) == ("HALF", "one")
    assert env.owner == Route("a.yaml", (0,))


def test_a_variable_filled_in_at_run_time_is_not_guessed() -> None:
    text = "env:\n  - name: IP\n    valueFrom: {fieldRef: {fieldPath: status.podIP}}\n"
    (env,) = of_kind(facts(text), Env)
    assert env.value.reason == "runtime-value"


def test_key_order_does_not_matter() -> None:
    text = "args: [--half, one]\nenv: {A: b}\ncommand: [serve]\nimage: reg/e:v1\n"
    (launch,) = of_kind(facts(text), Launch)
    assert words(launch) == ["serve", "--half", "one"]


# -- what cannot be read ------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "path", "reason"),
    [
        ("a: [1", "a.yaml", "syntax"),
        ("a: 1\n b: 2\n", "a.yaml", "syntax"),
        ("a: [{{ .Values.image }}\n", "a.yaml", "template"),
        ("{% if x %}\na: [1\n{% endif %}\n", "a.yaml", "template"),
        ("a: {{ .Values.a }}\n", "chart/templates/a.yaml", "template"),
        ("[" * 100_000, "a.yaml", "too-deep"),
    ],
)
def test_what_is_not_read_is_a_skip(text: str, path: str, reason: str) -> None:
    (skip,) = facts(text, path)
    assert isinstance(skip, Skip)
    assert (skip.path, skip.stage, skip.reason) == (path, "read", reason)
    assert skip.detail
    assert skip.span is not None


def test_an_alias_bomb_ends_early() -> None:
    levels = [
        f"a{n}: &a{n} {{" + ", ".join(f"k{k}: *a{n - 1}" for k in range(10)) + "}"
        for n in range(1, 30)
    ]
    text = "a0: &a0 {image: 'reg/e:v1'}\n" + "\n".join(levels)
    found = facts(text)
    assert any(isinstance(fact, Skip) and fact.reason == "too-large" for fact in found)


@pytest.mark.parametrize(
    "text",
    [
        "{image: reg/e:v1, command: [serve, http://a:1]}",
        "services: {a: {image: reg/e:v1, command: [serve, http://a:1]}}\n---\nb: [x:y]\n",
    ],
)
def test_colons_in_flow_collections_are_part_of_the_word(text: str) -> None:
    found = facts(text)
    (image,), (launch,) = of_kind(found, Image), of_kind(found, Launch)
    assert quote(text, image) == "reg/e:v1"
    assert words(launch) == ["serve", "http://a:1"]


def test_expressions_of_workflows_are_no_templates() -> None:
    text = "jobs: {a: {image: 'reg/e:${{ inputs.tag }}', steps: [{run: serve}]}}"
    found = facts(text)
    (image,) = of_kind(found, Image)
    assert image.reference.reason == "template-function"
    assert not [fact for fact in found if isinstance(fact, Skip)]
