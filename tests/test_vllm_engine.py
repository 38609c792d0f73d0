"""What the vLLM plugin gives: engine, roles, advisories, and the files it is found by."""

import pytest
from packaging.version import Version
from reading import launches_of, quoted, shown
from trees import fill

import servelint_builtins
from servelint.advisory import Condition
from servelint.api import SettingError
from servelint.commands import CommandReader
from servelint.discover import discover
from servelint.gather import gather
from servelint.link import components
from servelint.plugins import load, unsearched
from servelint_vllm import plugin

PLUGIN = plugin()
(ENGINE,) = PLUGIN.engines
CONFIG = "--kv-transfer-config"
NIXL = '{"kv_connector":"NixlConnector","kv_role":"kv_consumer"}'


def found_in(root, files):
    """The servers that a tree would run: engine, role, and versions or the reason for none."""
    fill(root, files)
    gathered = gather(str(root), discover(str(root), (), servelint_builtins.NEEDLES))
    return [
        (one.engine.id, one.role, *(each.version for each in one.resolution.candidates))
        for one in components(gathered.facts, load().engines)
    ]


def roles(line):
    (launch,) = launches_of("shell", f"{line}\n", "run.sh")
    return CommandReader((ENGINE,)).read(launch).roles


def test_the_plugin_gives_one_engine_and_its_advisories():
    assert (PLUGIN.name, ENGINE.id, ENGINE.packages) == ("vllm", "vllm", ("vllm",))
    ids = [record.id for record in PLUGIN.advisories]
    assert ids == [f"VLLM-2026-{number:04d}" for number in range(1, 10)]


def test_there_are_no_settings():
    with pytest.raises(SettingError, match="unknown key 'tenancy'"):
        plugin({"tenancy": "single"})


def test_the_core_knows_the_plugin_before_it_is_imported():
    assert ("vllm", "servelint_vllm") in servelint_builtins.PLUGINS
    assert unsearched() == ("vllm",)


def test_releases_ascend():
    versions = list(map(Version, ENGINE.releases))
    assert versions == sorted(set(versions))


def test_every_advisory_asks_for_a_role_and_a_connector():
    for record in PLUGIN.advisories:
        for row in record.affected:
            subjects = {condition.subject for condition in row.when}
            assert {"role", f"{CONFIG}.*kv_connector"} <= subjects, record.id
        assert record.aliases[0].startswith("CVE-")


def test_only_the_records_of_decode_leave_prefill_out():
    halves = {
        record.id: condition
        for record in PLUGIN.advisories
        for row in record.affected
        for condition in row.when
        if condition.subject == "role"
    }
    decode = Condition("role", ("decode", "both"))
    of_decode = {name for name, condition in halves.items() if condition == decode}
    assert of_decode == {f"VLLM-2026-{number:04d}" for number in (4, 5, 7, 9)}


# -- roles --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("config", "role"),
    [
        ('{"kv_connector":"A","kv_role":"kv_producer"}', "prefill"),
        ('{"kv_connector":"A","kv_role":"kv_consumer"}', "decode"),
        ('{"kv_connector":"A","kv_role":"kv_both"}', "both"),
        ('{"kv_connector":"A"}', "none"),
        ('{"kv_connector":"A","kv_role":null}', "unknown"),
        ('{"kv_connector":"A","kv_role":"kv_else"}', "unknown"),
        ("config.json", "unknown"),
    ],
)
def test_the_role_is_a_key_of_the_object(config, role):
    assert roles(f"vllm serve m {CONFIG} '{config}'") == (role,)


@pytest.mark.parametrize(
    "program",
    [
        "vllm serve m",
        "/opt/venv/bin/vllm serve m",
        "python3 -m vllm.entrypoints.openai.api_server --model m",
        "python3 vllm/entrypoints/openai/api_server.py --model m",
        "python3 -m vllm.entrypoints.api_server --model m",
        "python3 -m vllm.entrypoints.cli.main serve m",
        "uv run vllm serve m",
    ],
)
def test_programs(program):
    assert roles(f"{program} {CONFIG} '{NIXL}'") == ("decode",)
    assert roles(program) == ("none",)


@pytest.mark.parametrize(
    "options",
    [
        f"{CONFIG}='{NIXL}'",
        f"--kv_transfer_config '{NIXL}'",
        "--kv-transfer-config.kv_connector NixlConnector --kv-transfer-config.kv_role kv_consumer",
        "--kv_transfer_config.kv_role=kv_consumer",
        '--kv-transfer-config "{\\"kv_connector\\":\\"$C\\",\\"kv_role\\":\\"kv_consumer\\"}"',
        f"{CONFIG} '{{}}' {CONFIG} '{NIXL}'",
    ],
)
def test_the_ways_to_give_the_object(options):
    assert roles(f"vllm serve m --port 1 {options}") == ("decode",)


def test_a_name_between_quoted_pieces_splits_nothing(tmp_path):
    text = f"""vllm serve m {CONFIG} '{{"kv_role": "kv_producer", "kv_port": '$PORT'}}'\n"""
    assert found_in(tmp_path, {"serve.sh": text}) == [("vllm", "prefill")]
    assert found_in(tmp_path, {"serve.sh": f"PORT='1 2'\n{text}"}) == [("vllm", "unknown")]


@pytest.mark.parametrize(
    ("line", "role"),
    [
        ('vllm serve "$MODEL" --port "$PORT" --host $HOST', "none"),
        ("vllm serve $MODEL", "unknown"),
        ('vllm serve "$@"', "unknown"),
        ("vllm serve m $ARGS", "unknown"),
        (f"vllm serve m {CONFIG} $X", "unknown"),
        ("vllm serve m --config x.yaml", "unknown"),
    ],
)
def test_what_cannot_be_read_leaves_the_role_open(line, role):
    assert roles(line) == (role,)


@pytest.mark.parametrize(
    "line",
    [
        "python3 -m dynamo.vllm --model m --disaggregation-mode prefill",
        f"vllm bench serve --model m {CONFIG} '{NIXL}'",
        "vllm chat --url http://localhost:8000",
        f"echo vllm serve m {CONFIG} '{NIXL}'",
    ],
)
def test_other_programs_are_no_server_of_it(line):
    found = launches_of("shell", f"{line}\n", "run.sh")
    reader = CommandReader((ENGINE,))
    assert not [one for one in found if reader.read(one).engine is not None]


# -- files --------------------------------------------------------------------

SERVE = f"vllm serve m {CONFIG} '{NIXL}'\n"


def test_packages_are_looked_for_where_half_of_a_pair_is_started(tmp_path):
    files = {"serve.sh": SERVE, "requirements.txt": "numpy==2.1.0\nvllm==0.26.0\n"}
    assert found_in(tmp_path, files) == [("vllm", "decode", "0.26.0")]


@pytest.mark.parametrize(
    ("path", "text"),
    [
        (
            "pyproject.toml",
            '[project]\nname = "a"\nversion = "1"\ndependencies = ["vllm==0.26.0"]\n',
        ),
        ("requirements/serve.in", "vllm==0.26.0\n"),
        ("Pipfile", '[packages]\nvllm = "==0.26.0"\n'),
    ],
)
def test_packages_of_any_kind_tell_the_version(tmp_path, path, text):
    where = "serve.sh" if "/" not in path else "requirements/serve.sh"
    assert found_in(tmp_path, {where: SERVE, path: text}) == [("vllm", "decode", "0.26.0")]


def test_a_tree_full_of_the_name_without_a_pair_is_not_looked_at(tmp_path):
    files = {
        "serve.sh": "vllm serve m\n",
        "pod.yaml": "containers: [{image: 'vllm/vllm-openai:v0.8.4', args: [--model=m]}]\n",
        "requirements.txt": "vllm==0.8.4\n",
        "app.py": "from vllm import LLM\n",
    }
    fill(tmp_path, files)
    assert discover(str(tmp_path), (), servelint_builtins.NEEDLES).paths == ()


def test_a_script_may_take_the_object_from_a_file_of_options(tmp_path):
    files = {
        "bin/serve": "#!/bin/sh\nvllm serve m --config ../conf/pair.yaml --port 1\n",
        "conf/pair.yaml": "kv-transfer-config: '" + NIXL + "'\nport: 8000\n",
        "other.sh": "vllm serve m\n",
    }
    assert found_in(tmp_path, files) == [("vllm", "decode")]


def test_the_image_says_whose_arguments_they_are(tmp_path):
    pod = (
        "containers:\n  - image: vllm/vllm-openai:v0.26.0\n"
        f"    args: [--model=m, {CONFIG}, '{NIXL}']\n"
        "  - image: vllm/vllm-openai:v0.26.0\n"
        "    args: [--model=m, --kv-transfer-config.kv_role=kv_producer]\n"
    )
    assert found_in(tmp_path, {"pod.yaml": pod}) == [
        ("vllm", "decode", "0.26.0"),
        ("vllm", "prefill", "0.26.0"),
    ]


# -- files of options ---------------------------------------------------------

OPTIONS = """\
model: m
enable-x: true
enable-y: false
served-model-name: [a, b]
kv_transfer_config:
  kv_connector: NixlConnector
  kv_role: ${ROLE}
  kv_connector_extra_config: {backends: [UCX, "1"], on: true, none: }
"""

PAIR = (
    '{"kv_connector":"NixlConnector","kv_role":"<ROLE>","kv_connector_extra_config":'
    '{"backends":["UCX","1"],"on":true,"none":null}}'
)


def test_a_file_of_options_is_a_launch_without_a_program():
    (launch,) = launches_of("yaml", OPTIONS, "vllm.yaml")
    assert (launch.form, launch.engine) == ("options", "")
    assert [shown(word) for word in launch.argv] == [
        "<no-evidence>",
        *("--model", "m", "--enable-x", "--served-model-name", "a", "b"),
        "--kv_transfer_config",
        PAIR,
    ]
    assert quoted(OPTIONS, launch.argv[-2].span) == "kv_transfer_config"
    assert quoted(OPTIONS, launch.span).startswith("model: m\n")


def test_another_mapping_is_no_file_of_options():
    assert launches_of("yaml", "a: {kv_transfer_config: {}}\nb: kv-transfer-config\n") == []
    assert launches_of("yaml", "- kv_transfer_config\n") == []
