"""Files that a template engine writes: YAML and scripts with what it fills in unknown."""

from __future__ import annotations

import textwrap

import pytest
from reading import facts_of, never_fails, quoted, shown

from servelint.facts import Image, Launch
from servelint.finding import Skip
from servelint.readers import claim
from servelint.value import Text

POD = """\
    spec:
      containers:
      - image: {{ image }}
        name: {{ name | default("a: b") }}
        {% if debug %}
        env:
        - name: {{ prefix }}_DEBUG
          value: "{{ debug | default("no") }}"
        {% endif %}
        args: ["--mode", "{{ mode }}", --size, {{ size }}]
"""


def read(text, path, language="yaml"):
    text = textwrap.dedent(text)
    found = facts_of(language, text, path)
    assert not [one for one in found if isinstance(one, Skip)]
    return text, found


def of_kind(found, kind):
    return [one for one in found if isinstance(one, kind)]


@pytest.mark.parametrize("path", ["a.yaml.j2", "a.yaml", "roles/a/templates/a.yaml.j2"])
def test_a_template_is_read_with_its_expressions_unknown(path: str) -> None:
    text, found = read(POD, path)
    (image,), (launch,) = of_kind(found, Image), of_kind(found, Launch)
    assert quoted(text, image.span) == "{{ image }}"
    assert image.reference.text is None
    assert image.reference.written == "{{ image }}"
    assert [quoted(text, word.span) for word in launch.argv] == [
        *("--mode", "{{ mode }}", "--size", "{{ size }}")
    ]


def test_a_name_with_a_default_is_open() -> None:
    text, found = read("image: {{ a.image | default('reg/x:v1') }}\n", "a.yaml.j2")
    (image,) = of_kind(found, Image)
    assert shown(image.reference) == "<template_a__image=reg/x:v1>"
    assert quoted(text, image.span) == text[7:-1]


def test_branches_do_not_mix() -> None:
    text = """\
        spec:
        {% if big %}
          image: reg/x:v1
          args: [--mode, a]
        {% else %}
          image: reg/x:v2
          args: [--mode, b]
        {% endif %}
    """
    _, found = read(text, "a.yaml.j2")
    pairs = [
        (one.variant, image.reference.text, one.argv[-1].text)
        for one in of_kind(found, Launch)
        for image in of_kind(found, Image)
        if image.owner.holds(one.owner)
    ]
    assert pairs == [("", "reg/x:v1", "a"), ("branch 2", "reg/x:v2", "b")]


def test_a_key_that_a_block_gives_again_is_not_taken_for_sure() -> None:
    text = "a:\n  image: reg/x:v1\n{% if x %}\n  image: reg/x:v2\n{% endif %}\n"
    _, found = read(text, "a.yaml.j2")
    assert [image.reference.text for image in of_kind(found, Image)] == ["reg/x:v1"]


def test_a_script_in_a_template_is_read_as_one() -> None:
    text = """\
        #!/bin/bash
        {% if a %}
        docker run {{ image }} serve --mode a --model "{{ model }}"
        {% endif %}
    """
    text, found = read(text, "run.sh.j2", "jinja")
    (image,), (launch,) = of_kind(found, Image), of_kind(found, Launch)
    assert quoted(text, image.span) == "{{ image }}"
    assert [shown(word) for word in launch.argv] == [
        *("serve", "--mode", "a", "--model", "<template-function>")
    ]


def test_a_command_between_branches_of_a_script() -> None:
    text = (
        "{% if a %}\nIMG=reg/x:v1\n{% else %}\nIMG=reg/x:v2\n{% endif %}\ndocker run $IMG serve\n"
    )
    _, found = read(text, "run.sh.j2", "jinja")
    ran = [one for one in of_kind(found, Image) if "variable" not in one.owner.steps]
    assert [(one.variant, one.reference.text) for one in ran] == [
        ("", "reg/x:v1"),
        ("branch 2", "reg/x:v2"),
    ]


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("apiVersion: v1\nimage: {{ x }}/a:v1\n", 1),
        ("{% set a = 1 %}\n# a\n- name: x\n  image: a/b:v1\n", 1),
        ("#!/bin/sh\ndocker run a/b:v1 serve\n", 2),
        ("{{ bos }} image: a/b:v1\n", 0),
        ("<html>{{ x }}</html>\n", 0),
        ("", 0),
    ],
)
def test_a_template_without_a_telling_name(text: str, count: int) -> None:
    found = facts_of("jinja", text, "a.j2")
    assert len([one for one in found if isinstance(one, (Image, Launch))]) == count


@pytest.mark.parametrize(
    ("path", "language"),
    [
        ("a.yaml.j2", "yaml"),
        ("a.yml.jinja", "yaml"),
        ("a.yaml.jinja2", "yaml"),
        ("a.sh.j2", "jinja"),
        ("a.j2", "jinja"),
        ("a.md.j2", ""),
        ("a.py.j2", ""),
        ("Dockerfile.j2", "dockerfile"),
    ],
)
def test_which_reader_takes_a_template(path: str, language: str) -> None:
    assert claim(path) == language


def test_what_cannot_be_read_even_so_says_where() -> None:
    text = "a: 1\nb: [{{ x }}\n"
    (skip,) = facts_of("yaml", text, "a.yaml.j2")
    assert isinstance(skip, Skip)
    assert skip.reason == "template"
    assert quoted(text, skip.span) == "{{"


@pytest.mark.parametrize("language", ["yaml", "jinja"])
@pytest.mark.parametrize(
    "text",
    [
        *("{% if %}", "{{", "{{ }}", "{% endif %}", "{% else %}\na: {{ x }}", "{% raw %}"),
        *("a: {{ x\n}}\nb: 1", "{{ a }}: {{ b }}", "a: {{{{ x }}}}", "- {{ '\"' }}"),
    ],
)
def test_no_template_fails(language: str, text: str) -> None:
    never_fails(language, text)


def test_known_text_holds_no_sign_of_a_hidden_expression() -> None:
    for text in (POD, "a:\n  image: x{{ a }}\n  run: |\n    echo {{ b }}\n    serve {{ c }}\n"):
        _, found = read(text, "a.yaml.j2")
        words = [word for one in of_kind(found, Launch) for word in one.argv]
        values = [*words, *(one.reference for one in of_kind(found, Image))]
        for value in values:
            for parts in value.readings:
                for part in parts:
                    assert not isinstance(part, Text) or part.text.isascii()


def test_a_name_that_the_template_sets_is_known_where_it_is_set() -> None:
    text = """\
        {% set ref = "reg/x:v1" %}
        {% set mode = 'a' %}
        {% set mode = 'b' %}
        {% if y %}
        {% set size = 'c' %}
        {% endif %}
        spec:
          image: {{ ref }}
          args: [--mode, "{{ mode }}", --size, "{{ size }}"]
    """
    text, found = read(text, "a.yaml.j2")
    (image,), (launch,) = of_kind(found, Image), of_kind(found, Launch)
    assert image.reference.text == "reg/x:v1"
    assert quoted(text, image.span) == "{{ ref }}"
    assert [quoted(text, place) for place in image.reference.trail] == ["reg/x:v1"]
    assert [shown(word) for word in launch.argv] == [
        *("--mode", "<template-function>", "--size", "<template-function>")
    ]
