"""Compose projects of several files: what goes together, what comes out, where it stands."""

from __future__ import annotations

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from reading import shown

from servelint.bind import bind
from servelint.facts import Env, Image, Launch, Uses
from servelint.finding import Skip
from servelint.read import read
from servelint.readers.compose import read_unit, units
from servelint.source import Route, Source, Span
from servelint.syntax.yaml_data import Leaf, Table, load
from servelint.unit import Files
from servelint.value import known

BASE = """\
services:
  server:
    image: engine/server:${TAG:-v1}
    command: [serve, --role, prefill]
    environment:
      A: "1"
      B: base
    volumes: [data:/data]
  side:
    image: engine/side
"""


def command(*words, path="run.sh"):
    span = Span(path, 0, 0)
    return Launch(span=span, owner=Route(path), argv=tuple(known(word, span) for word in words))


def files_of(files, relevant=None, launches=()):
    names = tuple(sorted(files))
    chosen = frozenset(names if relevant is None else relevant)
    return Files(names, chosen, files.get, tuple(launches))


def units_of(files, relevant=None, launches=()):
    return {unit.path: unit.files for unit in units(files_of(files, relevant, launches))}


def items_of(files, launches=()):
    root = files_of(files, None, launches)
    return [item for unit in units(root) for item in read_unit(unit, root)]


def sources_of(files, launches=()):
    return [item for item in items_of(files, launches) if isinstance(item, Source)]


def projects_of(files, launches=()):
    """The services of each project by its variant."""
    return {
        source.variant: plain(load(source)[0])["services"] for source in sources_of(files, launches)
    }


def service_of(files, name="server"):
    (found,) = projects_of(files).values()
    return found[name]


def skips_of(files, launches=()):
    found = [item for item in items_of(files, launches) if isinstance(item, Skip)]
    for skip in found:
        assert skip.span is None or skip.span.path in files
    return [(skip.path, skip.reason) for skip in found]


def plain(data):
    if isinstance(data, Leaf):
        return data.text
    if isinstance(data, Table):
        return {key: plain(member.value) for key, member in data.members.items()}
    return [plain(item) for item in data]


def over(text, **more):
    """The base and its default override."""
    return {"compose.yaml": BASE, "compose.override.yaml": text, **more}


# -- which files go together ------------------------------------------------------------------


def test_a_plain_file_needs_no_unit():
    assert units_of({"compose.yaml": BASE, ".env": "TAG=v2\n"}) == {}


def test_an_override_is_laid_over_by_itself():
    files = over("services: {server: {image: other}}\n")
    assert units_of(files) == {"compose.yaml": ("compose.override.yaml", "compose.yaml")}
    assert list(projects_of(files)) == [""]
    assert units_of(files, []) == {}
    assert units_of(files | {"x.py": ""}, ["x.py"]) == {}
    assert units_of(files, ["compose.override.yaml"])


def test_a_file_without_images_of_its_own_lies_over_the_main_one():
    files = {
        "a/docker-compose.yml": BASE,
        "a/docker-compose.prod.yml": "services: {server: {command: [x]}}\n",
        "a/docker-compose.gpu.yml": "services: {server: {image: fork, deploy: {}}}\n",
        "a/docker-compose.other.yml": "services: {server: {image: x, command: [y]}}\n",
    }
    assert list(units_of(files)) == ["a/docker-compose.yml"]
    assert "a/docker-compose.other.yml" not in units_of(files)["a/docker-compose.yml"]
    found = projects_of(files)
    assert list(found) == ["", "a/docker-compose.gpu.yml", "a/docker-compose.prod.yml"]
    assert found["a/docker-compose.prod.yml"]["server"]["command"] == ["x"]
    gpu = found["a/docker-compose.gpu.yml"]["server"]
    assert (gpu["image"], gpu["command"]) == ("fork", ["serve", "--role", "prefill"])


def test_a_command_names_the_files_of_a_project():
    files = {
        "deploy/base.yml": BASE,
        "deploy/gpu.yml": "services: {server: {image: x, command: [y]}}\n",
        "deploy/all.env": "TAG=v3\n",
    }
    words = ("docker", "compose", "--env-file", "all.env", "-f", "base.yml", "--file=gpu.yml", "up")
    launch = command(*words, path="deploy/scripts/run.sh")
    assert projects_of(files, [launch])["deploy/gpu.yml"]["server"]["image"] == "x"
    (uses,) = (item for item in items_of(files, [launch]) if isinstance(item, Uses))
    assert (uses.target, uses.how) == ("deploy/all.env", "env-file")
    assert units_of(files, None, [command("docker", "compose", "-f", "none.yml", "up")]) == {}


def test_a_variable_names_the_files_of_a_project():
    files = {
        ".env": "# text\nCOMPOSE_FILE=docker-compose.yml:extra.yml\n",
        "docker-compose.yml": BASE,
        "docker-compose.override.yml": "services: {server: {image: not/me}}\n",
        "extra.yml": "services: {server: {image: other}}\n",
    }
    assert projects_of(files)[""]["server"]["image"] == "other"


@pytest.mark.parametrize(
    ("base", "words", "expected"),
    [
        (BASE, (), ["", "docker-compose.prod.yml"]),
        (BASE, ("-f", "docker-compose.yml"), ["", "docker-compose.prod.yml"]),
        (
            BASE,
            ("-f", "docker-compose.yml", "-f", "docker-compose.prod.yml"),
            ["docker-compose.prod.yml"],
        ),
        ("services: {server: {command: [y]}}\n", (), ["docker-compose.prod.yml"]),
    ],
)
def test_a_main_file_is_deployed_beside_its_overlays_if_it_runs_by_itself(base, words, expected):
    files = {
        "docker-compose.yml": base,
        "docker-compose.prod.yml": "services: {server: {command: [x]}}\n",
    }
    launches = [command("docker-compose", *words, "up")] if words else []
    assert list(projects_of(files, launches)) == expected


# -- merging ----------------------------------------------------------------------------------


def test_what_merges_and_what_is_replaced():
    text = """\
services:
  server:
    command: [other]
    environment: [B=over, C=3]
    volumes: [more:/more]
  new: {image: x}
"""
    found = projects_of(over(text))[""]
    assert found["server"] == {
        "image": "engine/server:${TAG:-v1}",
        "command": ["other"],
        "environment": {"A": "1", "B": "over", "C": "3"},
        "volumes": ["data:/data", "more:/more"],
    }
    assert list(found) == ["server", "side", "new"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("command: !reset null", None),
        ("command: null", "null"),
        ("image: null", ["serve", "--role", "prefill"]),
        ("command: !override [x]", ["x"]),
    ],
)
def test_nothing_takes_a_command_away(text, expected):
    found = projects_of(over(f"services: {{server: {{{text}}}}}\n"))[""]["server"]
    assert found.get("command") == expected
    assert found["image"] == "engine/server:${TAG:-v1}"


def test_tags_take_away_what_lies_below():
    text = """\
services:
  server:
    environment: !override {C: "3"}
    volumes: !reset []
  side: !reset {}
"""
    found = projects_of(over(text))[""]
    assert list(found) == ["server"]
    assert found["server"]["environment"] == {"C": "3"}
    assert "volumes" not in found["server"]


def test_a_name_without_a_value_comes_from_outside():
    found = service_of(over("services: {server: {environment: [TOKEN, A=]}}\n"))
    assert found["environment"] == {"A": "", "B": "base", "TOKEN": "${TOKEN}"}


def test_fragments_are_no_services():
    text = "x-common: &c {image: never, command: [serve]}\nservices: {server: {<<: *c, image: x}}\n"
    (source,) = sources_of(over(text))
    assert "x-common" not in plain(load(source)[0])
    assert service_of(over(text))["image"] == "x"


# -- extends ----------------------------------------------------------------------------------


EXTENDING = """\
services:
  server:
    extends: {file: common/base.yml, service: base}
    environment: {ROLE: decode}
"""
COMMON = """\
services:
  base:
    extends: first
    build: {context: app, dockerfile: D}
    env_file: vars.env
  first:
    image: engine/server:v1
    command: [serve]
    environment: {ROLE: prefill, X: "1"}
"""


def test_services_extend_others_of_other_files():
    files = {
        "compose.yaml": EXTENDING,
        "common/base.yml": COMMON,
        "common/vars.env": "export FROM_FILE='a b' # text\nROLE=never\n",
    }
    assert units_of(files) == {"compose.yaml": tuple(sorted(files))}
    assert service_of(files) == {
        "image": "engine/server:v1",
        "command": ["serve"],
        "environment": {"FROM_FILE": "a b", "ROLE": "decode", "X": "1"},
        "build": {"context": "common/app", "dockerfile": "D"},
    }


def test_what_extends_itself_or_nothing_is_told():
    files = {"compose.yaml": "services: {a: {extends: b, image: x}, b: {extends: a}}\n"}
    assert {reason for _, reason in skips_of(files)} == {"too-deep"}
    files = {"compose.yaml": "services: {a: {extends: {service: b}, image: x}}\n"}
    assert skips_of(files) == [("compose.yaml", "unreadable")]
    assert service_of(files, "a") == {"image": "x"}


@pytest.mark.parametrize(
    ("file", "reason"),
    [
        ("none.yml", "unreadable"),
        ("../x.yml", "outside-root"),
        ("/x.yml", "outside-root"),
        ("https://host.example/x.yml", "remote"),
        ("git@host.example:x/y.git", "remote"),
        ("${WHICH}.yml", "unreadable"),
    ],
)
def test_a_file_that_is_not_here_is_told(file, reason):
    extending = f"services: {{a: {{extends: {{file: '{file}', service: b}}, image: x}}}}\n"
    assert skips_of({"compose.yaml": extending}) == [("compose.yaml", reason)]
    including = f"include: ['{file}']\nservices: {{a: {{image: x}}}}\n"
    assert skips_of({"compose.yaml": including}) == [("compose.yaml", reason)]
    assert service_of({"compose.yaml": including}, "a") == {"image": "x"}


# -- include ----------------------------------------------------------------------------------


def test_included_projects_are_part_of_the_project():
    files = {
        "compose.yaml": """\
include:
- one/compose.yaml
- path: [two/a.yml, two/b.yml]
  env_file: two/set.env
services: {main: {image: m}}
""",
        "one/compose.yaml": "services: {one: {image: i, env_file: v.env}}\n",
        "one/v.env": "A=1\n",
        "two/a.yml": "services: {two: {image: a, command: [x]}}\n",
        "two/b.yml": "services: {two: {image: b}}\n",
        "two/set.env": "TAG=v1\n",
    }
    assert units_of(files) == {"compose.yaml": tuple(sorted(files))}
    found = {
        name: one
        for source in sources_of(files)
        for name, one in plain(load(source)[0])["services"].items()
    }
    assert found == {
        "main": {"image": "m"},
        "one": {"image": "i", "environment": {"A": "1"}},
        "two": {"image": "b", "command": ["x"]},
    }
    assert {source.owner.unit for source in sources_of(files)} == {"compose.yaml"}
    assert len({source.owner for source in sources_of(files)}) == 3
    (uses,) = (item for item in items_of(files) if isinstance(item, Uses))
    assert uses.target == "two/set.env"
    assert Route("compose.yaml", ("", "two/a.yml", 0)) == uses.owner


def test_projects_that_include_each_other_end():
    files = {
        "compose.yaml": "include: [a/compose.yaml]\nservices: {m: {image: m}}\n",
        "a/compose.yaml": "include: [../b/compose.yaml]\nservices: {a: {image: a}}\n",
        "b/compose.yaml": "include: [../a/compose.yaml]\nservices: {b: {image: b}}\n",
    }
    assert len(sources_of(files)) == 3


# -- variables --------------------------------------------------------------------------------


def facts_of(files, launches=()):
    found = []
    for item in items_of(files, launches):
        if isinstance(item, Source):
            found.extend(read(item))
        elif not isinstance(item, Skip):
            found.append(item)
    for use in [fact for fact in found if isinstance(fact, Uses) and fact.how == "env-file"]:
        if use.target in files:
            found.extend(read(Source(use.target, files[use.target], "dotenv", use.owner)))
    return bind(found)


def test_files_of_variables_have_forms():
    text = """\
services:
  server:
    env_file:
    - a.env
    - path: b.env
      required: false
    - {path: none.env, required: false}
"""
    files = over(text, **{"a.env": "A=file\nC=3\n", "b.env": 'C="4"\n'})
    found = service_of(files)
    assert found["environment"] == {"C": "4", "A": "1", "B": "base"}
    assert [next(iter(one.values())) for one in found["env_file"]] == ["none.env"]
    assert skips_of(files) == []
    missing = over("services: {server: {env_file: none.env}}\n")
    assert skips_of(missing) == [("compose.override.yaml", "unreadable")]
    assert any(fact.name == "*" for fact in facts_of(missing) if isinstance(fact, Env))


def test_the_environment_of_a_service_names_no_image():
    files = over(
        "services: {server: {env_file: a.env, command: [serve, '${ROLE}']}}\n",
        **{"a.env": "TAG=inside\nROLE=inside\n", ".env": "TAG=v9\n"},
    )
    facts = facts_of(files)
    images = {shown(fact.reference) for fact in facts if isinstance(fact, Image)}
    assert images == {"engine/server:v9", "engine/side"}
    (launch,) = (fact for fact in facts if isinstance(fact, Launch))
    assert [shown(word) for word in launch.argv] == ["serve", "<ROLE>"]


def test_the_file_that_a_command_names_counts_before_the_one_beside():
    files = {"compose.yaml": BASE, ".env": "TAG=v8\n", "prod.env": "TAG=v9\n"}
    launch = command("docker", "compose", "-f", "compose.yaml", "--env-file", "prod.env", "up")
    facts = facts_of(files, [launch])
    images = {shown(fact.reference) for fact in facts if isinstance(fact, Image)}
    assert "engine/server:v9" in images


# -- places -----------------------------------------------------------------------------------


def test_texts_stand_in_the_files_that_they_come_from():
    files = over(
        "services: {server: {image: 'other:v2', env_file: a.env}}\n", **{"a.env": "C=three\n"}
    )
    facts = facts_of(files)

    def quoted(span):
        return (span.path, files[span.path][span.start : span.end])

    image = next(f for f in facts if isinstance(f, Image) and f.reference.text == "other:v2")
    assert quoted(image.span) == ("compose.override.yaml", "other:v2")
    (launch,) = (fact for fact in facts if isinstance(fact, Launch))
    assert [quoted(word.span) for word in launch.argv] == [
        ("compose.yaml", "serve"),
        ("compose.yaml", "--role"),
        ("compose.yaml", "prefill"),
    ]
    variable = next(fact for fact in facts if isinstance(fact, Env) and fact.name == "C")
    assert quoted(variable.value.span) == ("a.env", "three")


def test_scripts_in_the_project_belong_to_the_service():
    text = """\
configs:
  start:
    content: |
      #!/bin/sh
      serve --role decode
services:
  server:
    configs: [{source: start, target: /start.sh}]
"""
    files = over(text)
    facts = facts_of(files)
    scripts = [f for f in facts if isinstance(f, Launch) and f.argv[-1].text == "decode"]
    (launch,) = scripts
    assert launch.owner.steps[:5] == ("", "compose.yaml", 0, "services", "server")
    span = launch.span
    assert files[span.path][span.start : span.end] == "serve --role decode"


# -- hostile input ----------------------------------------------------------------------------


def quickly(files):
    start = time.process_time()
    found = items_of(files)
    for item in found:
        if isinstance(item, Source):
            list(read(item))
    assert time.process_time() - start < 20
    return {item.reason for item in found if isinstance(item, Skip)}


def test_ten_thousand_services_are_read():
    rows = "".join(f"  s{n}:\n    image: x:v{n}\n" for n in range(10_000))
    files = {"compose.yaml": f"services:\n{rows}", "compose.override.yaml": f"services:\n{rows}"}
    assert quickly(files) == set()


def test_services_that_multiply_end():
    environment = "".join(f"      V{n}: x\n" for n in range(2_000))
    rows = "".join(f"  s{n}:\n    extends: big\n    environment: {{A: b}}\n" for n in range(5_000))
    big = f"  big:\n    image: x\n    environment:\n{environment}"
    assert quickly({"compose.yaml": f"services:\n{big}{rows}"}) == {"too-large"}


def test_long_chains_of_services_end():
    rows = "".join(f"  s{n}: {{extends: s{n + 1}, image: x}}\n" for n in range(1_000))
    assert quickly({"compose.yaml": f"services:\n{rows}"}) >= {"too-deep"}


def test_aliases_that_multiply_end():
    rows = "".join(f"x-{n}: &l{n} [{', '.join([f'*l{n - 1}'] * 9)}]\n" for n in range(1, 12))
    bomb = f"x-0: &l0 [x]\n{rows}services: {{server: {{command: *l11}}}}\n"
    assert quickly(over(bomb)) == {"too-large"}


TEXTS = st.text(st.sampled_from("ab{}[]:,-&*|> \n'\"$!"), max_size=40)


@given(TEXTS, TEXTS)
def test_no_text_fails(first, second):
    for files in (over(first), over(f"services: {{server: {first}}}\n", **{"a.env": second})):
        root = files_of(files)
        for unit in units(root):
            assert all(isinstance(item, (Skip, Source, Uses)) for item in read_unit(unit, root))


KEYS = st.sampled_from(
    [
        "extends",
        "image",
        "command",
        "environment",
        "env_file",
        "build",
        "file",
        "service",
        "path",
        "configs",
        "content",
        "source",
        "target",
        "context",
        "required",
        "server",
        "volumes",
    ]
)
VALUES = st.recursive(
    st.sampled_from(["x", "server", "a.env", "compose.yaml", "", "A=b", "none.yaml", "../x"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=8,
)


@given(VALUES, VALUES, VALUES)
def test_no_shape_fails(service, include, configs):
    text = json.dumps({"include": include, "configs": configs, "services": {"server": service}})
    files = over(text, **{"a.env": "A=b\n"})
    root = files_of(files)
    for unit in units(root):
        for item in read_unit(unit, root):
            assert isinstance(item, (Skip, Source, Uses))
            if isinstance(item, Source):
                load(item)
