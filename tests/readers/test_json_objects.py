"""JSON that starts something, and JSON that is data."""

from __future__ import annotations

import json

import pytest
from reading import facts_of, never_fails, quoted

from servelint.facts import Image, Launch
from servelint.finding import Skip
from servelint.readers import claim

CONTAINER = {"name": "a", "image": "reg/e:v1", "command": ["serve", "--mode", "a"]}


@pytest.mark.parametrize(
    "found",
    [
        {"apiVersion": "v1", "kind": "Pod", "spec": {"containers": [CONTAINER]}},
        {"services": {"a": CONTAINER}},
        {"containerDefinitions": [CONTAINER]},
        CONTAINER,
    ],
)
@pytest.mark.parametrize("indent", [None, 2, "\t"])
def test_what_starts_containers_is_read(found, indent) -> None:
    text = json.dumps(found, indent=indent)
    facts = facts_of("json", text, "a.json")
    (image,) = [one for one in facts if isinstance(one, Image)]
    (launch,) = [one for one in facts if isinstance(one, Launch)]
    assert quoted(text, image.span) == '"reg/e:v1"'.strip('"')
    assert [quoted(text, word.span) for word in launch.argv] == CONTAINER["command"]


def test_comments_and_last_commas_are_no_error() -> None:
    text = '{\n  // "image": "no"\n  "image": "reg/e:v1", /* x */\n  "a": "http://b",\n}\n'
    (image,) = facts_of("json", text, "devcontainer.json")
    assert quoted(text, image.span) == "reg/e:v1"


@pytest.mark.parametrize(
    "text",
    [
        '{"results": [{"image": "reg/e:v1", "command": "serve"}]}',
        '[{"image": "reg/e:v1"}]',
        '{"openapi": "3.0", "paths": {"image": 1}}',
        '{"kind": "x", "note": "image"}',
        '{"image": "reg/e:v1"',
        "",
    ],
)
def test_data_are_left_alone(text: str) -> None:
    assert facts_of("json", text, "a.json") == []


def test_a_template_of_azure_is_said_to_be_left_out() -> None:
    schema = "https://schema.example/2019-04-01/deploymentTemplate.json#"
    (skip,) = facts_of("json", json.dumps({"$schema": schema, "r": {"image": "a"}}), "a.json")
    assert isinstance(skip, Skip)
    assert skip.reason == "template"
    (skip,) = facts_of("bicep", "resource x 'y' = {}\n", "a.bicep")
    assert (skip.stage, skip.reason) == ("read", "template")


def test_json_that_is_too_deep_does_not_fail() -> None:
    never_fails("json", '{"image":' + "[" * 100_000)


@pytest.mark.parametrize(
    ("path", "language"),
    [
        ("a.json", "json"),
        ("package-lock.json", ""),
        ("b/package.json", ""),
        (".env", "dotenv"),
        ("a/.env.example", "dotenv"),
        ("a/.env-sample", "dotenv"),
        ("a/prod.env", "dotenv"),
        ("a.environment", ""),
        ("a.bicep", "bicep"),
        ("a.jsonl", ""),
    ],
)
def test_which_files_are_read(path: str, language: str) -> None:
    assert claim(path) == language
