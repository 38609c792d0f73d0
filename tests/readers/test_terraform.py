"""Terraform and its language: what a file deploys, and where each part of it is written."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from reading import facts_of, launches_of, never_fails, quoted, shown

from servelint.facts import Env, Fact, Image, Launch
from servelint.finding import Skip
from servelint.read import read
from servelint.readers.terraform import read_unit, units
from servelint.source import Source
from servelint.unit import Files

CONTAINER = """\
variable "tag" {
  default = "v1"
}
locals {
  name = "team/engine:${var.tag}"
}
resource "docker_container" "prefill" {
  image   = local.name
  command = ["serve", "--mode=${var.mode}", "--tag", var.tag]
  env     = ["A=b"]
}
"""


def of(kind, found):
    return [one for one in found if isinstance(one, kind)]


def test_a_container_has_its_image_command_and_variables():
    found = facts_of("hcl", CONTAINER, "main.tf")
    (image,), (launch,), (env,) = of(Image, found), of(Launch, found), of(Env, found)
    assert shown(image.reference) == "team/engine:v1"
    assert quoted(CONTAINER, image.span) == "local.name"
    assert [shown(word) for word in launch.argv] == [
        *("serve", "--mode=<template-function>", "--tag", "v1")
    ]
    assert quoted(CONTAINER, launch.span) == 'serve", "--mode=${var.mode}", "--tag", var.tag'
    assert (env.name, shown(env.value)) == ("A", "b")
    assert image.owner.holds(launch.owner)


def test_the_tag_points_to_where_it_is_written():
    (image,) = of(Image, facts_of("hcl", CONTAINER, "main.tf"))
    (parts,) = image.reference.readings
    assert [(part.text, [quoted(CONTAINER, at) for at in part.trail]) for part in parts] == [
        ("team/engine:", ["team/engine:"]),
        ("v1", ["v1"]),
    ]


POD = """\
resource "kubernetes_deployment" "d" {
  spec {
    template {
      spec {
        container {
          image = "a/b:v2"
          args  = ["--x", "y"]
          env {
            name  = "A"
            value = "1"
          }
          env {
            name  = "B"
            value = "2"
          }
        }
        container {
          image = "c/d:v3"
        }
      }
    }
  }
}
"""


def test_blocks_of_one_name_are_a_list():
    found = facts_of("hcl", POD, "main.tf")
    assert [shown(one.reference) for one in of(Image, found)] == ["a/b:v2", "c/d:v3"]
    assert [(one.name, shown(one.value)) for one in of(Env, found)] == [("A", "1"), ("B", "2")]
    (launch,) = of(Launch, found)
    assert [shown(word) for word in launch.argv] == ["--x", "y"]


def test_one_env_block_is_a_list_too():
    text = 'container {\n  image = "a/b:v1"\n  env {\n    name = "A"\n    value = "1"\n  }\n}\n'
    assert [(one.name, shown(one.value)) for one in of(Env, facts_of("hcl", text))] == [("A", "1")]


def test_the_env_block_of_a_nomad_task_is_a_mapping():
    text = (
        'job "x" {\n  task "t" {\n    driver = "docker"\n'
        '    config {\n      image = "a/b:v1"\n      command = "bash"\n'
        '      args = ["-c", "run $A"]\n    }\n'
        '    env {\n      A = "1"\n    }\n  }\n}\n'
    )
    found = facts_of("hcl", text, "job.nomad")
    assert [(one.name, shown(one.value)) for one in of(Env, found)] == [("A", "1")]
    assert [[shown(word) for word in one.argv] for one in of(Launch, found)] == [["run", "<A>"]]


ENCODED = """\
resource "aws_ecs_task_definition" "t" {
  container_definitions = jsonencode([{
    image   = "a/b:v1"
    command = ["serve", "x"]
  }])
}
"""


def test_what_is_encoded_is_read_as_it_is_written():
    found = facts_of("hcl", ENCODED, "main.tf")
    assert [shown(one.reference) for one in of(Image, found)] == ["a/b:v1"]
    assert len(of(Launch, found)) == 1


SCRIPT = """\
resource "google_compute_instance" "vm" {
  metadata_startup_script = <<-EOT
    #!/bin/bash
    serve --tag ${local.tag} --home $HOME --other $${OTHER}
  EOT
}
locals {
  tag = "v1"
}
"""


def test_a_script_in_a_heredoc_is_shell_text():
    (launch,) = launches_of("hcl", SCRIPT, "main.tf")
    assert [shown(word) for word in launch.argv] == [
        *("serve", "--tag", "v1", "--home", "<HOME>", "--other", "<OTHER>")
    ]
    assert quoted(SCRIPT, launch.argv[0].span) == "serve"
    assert quoted(SCRIPT, launch.argv[2].span) == "${local.tag}"


RELEASE = """\
resource "helm_release" "x" {
  chart = "repo/chart"
  values = [<<-EOT
    image:
      repository: a/b
      tag: v1
  EOT
  ]
  set {
    name  = "image.tag"
    value = "v2"
  }
}
"""


def test_the_settings_of_a_release_win_over_its_values():
    (image,) = of(Image, facts_of("hcl", RELEASE, "main.tf"))
    assert shown(image.reference) == "a/b:v2"


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ('"a\\"b\\n"', 'a"b\n'),
        ('"$${x}"', "<x>"),
        ('join(":", ["a/b", "v1"])', "a/b:v1"),
        ('var.x ? "a" : "b"', "<template-function>"),
        ("var.nowhere", "<template-function>"),
        ("local.loop", "<template-function>"),
        ("local.map.inner[1]", "two"),
        ('local.map["key"]', "v"),
        ("upper(local.map.key)", "<template-function>"),
        ('tostring("a/b:v1")', "a/b:v1"),
        ("docker_image.e.image_id", "team/e:v9"),
    ],
)
def test_expressions(expression, value):
    text = (
        f'x "y" {{\n  image = {expression}\n}}\n'
        'locals {\n  loop = local.loop\n  map = { inner = ["one", "two"], "key" : "v" }\n}\n'
        'resource "docker_image" "e" {\n  name = "team/e:v9"\n}\n'
    )
    found = [one for one in facts_of("hcl", text, "m.tf") if isinstance(one, Image)]
    told = [shown(one.reference) for one in found]
    assert told == [value] or (not told and "/" not in value and ":" not in value)


# -- modules ----------------------------------------------------------------------------------


def module(texts):
    files = Files(tuple(sorted(texts)), frozenset(texts), texts.get)
    found = []
    for unit in units(files):
        for item in read_unit(unit, files):
            found += list(read(item)) if isinstance(item, Source) else [item]
    return found


def test_each_file_of_values_is_a_variant():
    found = module(
        {
            "m/main.tf": 'resource "docker_container" "x" {\n  image = "a/b:${var.tag}"\n}\n',
            "m/variables.tf": 'variable "tag" {\n  default = "v1"\n}\n',
            "m/terraform.tfvars": 'tag = "v2"\n',
            "m/env/prod.tfvars": 'tag = "v3"\n',
            "other/prod.tfvars": 'tag = "v4"\n',
        }
    )
    images = {one.variant: one for one in of(Image, found)}
    assert {name: shown(one.reference) for name, one in images.items()} == {
        "": "a/b:v2",
        "m/env/prod.tfvars": "a/b:v3",
    }
    tag = images["m/env/prod.tfvars"].reference.readings[0][-1]
    assert [span.path for span in tag.trail] == ["m/env/prod.tfvars"]


def test_a_file_that_cannot_be_parsed_is_told_and_the_others_are_read():
    found = module(
        {
            "m/main.tf": 'container {\n  image = "a/b:v1"\n}\n',
            "m/broken.tf": 'container {\n  image = = "a/b:v1"\n}\n',
        }
    )
    (skip,) = of(Skip, found)
    assert (skip.path, skip.reason) == ("m/broken.tf", "syntax")
    assert len(of(Image, found)) == 1


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("a = " + "[" * 100 + "]" * 100 + "\n", "too-deep"),
        ('a = "x"\n' * 60_000, "too-large"),
        ("}\n", "syntax"),
        ("a = <<EOF\nnever closed\n", "syntax"),
        ('a = "never closed\n', "syntax"),
    ],
)
def test_what_cannot_be_read_is_told(text, reason):
    (skip,) = facts_of("hcl", text)
    assert (type(skip), skip.reason) == (Skip, reason)


PIECES = st.sampled_from(
    [
        *("a", "image", " = ", '"', "${", "}", "{", "[", "]", "\n", "var.x", '"a/b:v1"', "<<EOT\n"),
        *("EOT\n", "#", "//", "/*", "*/", "\\", "$", "%{", "(", ")", ",", "1", "true"),
        "jsonencode(",
    ]
)


@given(st.lists(PIECES, max_size=30).map("".join))
def test_no_text_makes_it_fail(text):
    never_fails("hcl", text)


def test_facts_are_facts():
    assert all(isinstance(one, Fact) for one in facts_of("hcl", CONTAINER))


# -- modules that others take in --------------------------------------------------------------

TAKEN = {
    "m/main.tf": (
        'variable "tag" {\n  default = "v1"\n}\n'
        'resource "docker_container" "x" {\n  image = "a/b:${var.tag}"\n}\n'
    )
}


OTHER = 'module "b" {\n  source = "./m"\n  tag = "v3"\n}\n'


def taken(*files):
    """The images of the module below ``m``, by variant."""
    found = of(Image, module(TAKEN | dict(files)))
    return {one.variant: shown(one.reference) for one in found}


@pytest.mark.parametrize(
    ("caller", "expected"),
    [
        ('module "a" {\n  source = "./m"\n  tag = "v2"\n}\n', {"main.tf": "a/b:v2"}),
        ('module "a" {\n  source = "./m"\n}\n', {"main.tf": "a/b:v1"}),
        ('module "a" {\n  source = "./m"\n  tag = null\n}\n', {"main.tf": "a/b:v1"}),
        (
            'module "a" {\n  source = "./m"\n  tag = var.x\n}\n',
            {"main.tf": "a/b:<template-function>"},
        ),
        (
            'module "a" {\n  source = "./m"\n  tag = "v2"\n}\n' + OTHER,
            {"main.tf": "a/b:v2", "main.tf (2)": "a/b:v3"},
        ),
        ('module "a" {\n  source = "elsewhere"\n  tag = "v2"\n}\n', {"": "a/b:v1"}),
    ],
)
def test_who_takes_a_module_in_gives_its_variables(caller, expected):
    assert taken(("main.tf", caller)) == expected


def test_the_values_of_a_caller_come_through_its_own_variables():
    caller = 'variable "t" {}\nmodule "a" {\n  source = "../m"\n  tag = var.t\n}\n'
    found = taken(("env/main.tf", caller), ("env/terraform.tfvars", 't = "v4"\n'))
    assert found == {"env/main.tf": "a/b:v4"}


def test_modules_that_take_in_each_other_end():
    back = 'module "b" {\n  source = "../n"\n}\n'
    there = 'module "a" {\n  source = "../m"\n  tag = "v5"\n}\n'
    assert "a/b:v5" in taken(("m/back.tf", back), ("n/main.tf", there)).values()


@pytest.mark.parametrize(
    "step",
    [
        '"${{local.a{0}}}${{local.a{0}}}${{local.a{0}}}"',
        "[local.a{0}, local.a{0}, local.a{0}]",
        "{{x = local.a{0}, y = local.a{0}, z = local.a{0}}}",
        "concat(local.a{0}, local.a{0}, local.a{0})",
    ],
)
def test_names_that_double_names_end(step):
    first = '["v"]' if step.startswith("concat") else '"v"'
    lines = [f"  a{number + 1} = {step.format(number)}\n" for number in range(40)]
    text = f"locals {{\n  a0 = {first}\n{''.join(lines)}}}\nx {{\n  y = local.a40\n}}\n"
    text += 'container {\n  image = "a/b:v1"\n}\n'
    assert [shown(one.reference) for one in of(Image, facts_of("hcl", text))] == ["a/b:v1"]


def test_a_large_module_is_read_with_few_sets_of_values():
    text = "".join(f'x "y{number}" {{\n  a = "{"b" * 500}"\n}}\n' for number in range(400))
    values = {f"m/v{number}.tfvars": "x = 1\n" for number in range(9)}
    (skip,) = of(Skip, module({"m/main.tf": text} | values))
    assert (skip.reason, skip.detail[:9]) == ("too-large", "2 sets of")
