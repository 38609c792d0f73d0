"""Scripts, options and variables that a container gets from a ConfigMap or from a file."""

from __future__ import annotations

import pytest
from reading import shown
from trees import fill

import servelint_builtins
from servelint.discover import discover
from servelint.facts import Launch
from servelint.gather import gather
from servelint.link import components
from servelint.plugins import load

POD = """\
kind: Pod
spec:
  containers:
    - name: server
      image: lmsysorg/sglang:v0.5.9
      command: {command}
      env: {env}
      volumeMounts:
        - {{name: files, mountPath: /etc/files}}
        - {{name: one, mountPath: /opt/start.sh, subPath: run.sh}}
  volumes:
    - name: files
      configMap: {volume}
    - name: one
      projected: {{sources: [{{configMap: {{name: scripts}}}}]}}
"""
OPTIONS = """\
kind: ConfigMap
metadata: {name: options}
data:
  prefill.yaml: |
    disaggregation-mode: prefill
    tp-size: 4
  ROLE: decode
"""
SCRIPTS = """\
kind: ConfigMap
metadata: {name: scripts}
data:
  run.sh: |
    python3 -m sglang.launch_server --disaggregation-mode decode
"""


def pod(command, env="[]", volume="{name: options}"):
    return POD.format(command=command, env=env, volume=volume)


def found_in(root, files):
    fill(root, files)
    needles = servelint_builtins.NEEDLES
    return gather(str(root), discover(str(root), (), needles)).facts


def servers(root, files):
    facts = found_in(root, files)
    return [(one.role, one.resolution.candidates, one) for one in components(facts, load().engines)]


LAUNCH = "[python3, -m, sglang.launch_server, --config, /etc/files/prefill.yaml, --tp-size, '8']"


@pytest.mark.parametrize(
    ("volume", "role"),
    [
        ("{name: options}", "prefill"),
        ("{name: options, items: [{key: prefill.yaml, path: prefill.yaml}]}", "prefill"),
        ("{name: options, items: [{key: prefill.yaml, path: other.yaml}]}", "unknown"),
        ("{name: elsewhere}", "unknown"),
    ],
)
def test_options_come_through_volume_and_mount(tmp_path, volume, role):
    files = {"a.yaml": pod(LAUNCH, volume=volume), "b.yaml": OPTIONS}
    found = [one for one in servers(tmp_path, files) if one[2].invocation.launch.form != "options"]
    assert [one[0] for one in found] == [role]
    assert found[0][1][0].version == "0.5.9"


def test_the_command_line_wins_over_the_file(tmp_path):
    ((_, _, server),) = servers(tmp_path, {"a.yaml": pod(LAUNCH), "b.yaml": OPTIONS})
    flags = server.invocation
    assert shown(flags.last("--tp-size").value) == "8"
    assert not flags.open


def test_two_maps_of_one_name_are_not_chosen_from(tmp_path):
    files = {"a.yaml": pod(LAUNCH), "b.yaml": OPTIONS, "c.yaml": OPTIONS}
    found = [one for one in servers(tmp_path, files) if one[2].invocation.launch.form == ""]
    assert [one[0] for one in found] == ["unknown"]


@pytest.mark.parametrize("command", ["[/opt/start.sh]", "[bash, /opt/start.sh]"])
def test_a_mounted_script_runs_in_the_container_that_calls_it(tmp_path, command):
    found = servers(tmp_path, {"a.yaml": pod(command), "b.yaml": SCRIPTS})
    assert [(role, version[0].version) for role, version, _ in found] == [("decode", "0.5.9")]
    assert found[0][2].invocation.launch.span.path == "b.yaml"


ROLE = "[python3, -m, sglang.launch_server, --disaggregation-mode, $(ROLE)]"


@pytest.mark.parametrize(
    ("env", "role"),
    [
        ("[{name: ROLE, valueFrom: {configMapKeyRef: {name: options, key: ROLE}}}]", "decode"),
        ("[{name: ROLE, valueFrom: {configMapKeyRef: {name: options, key: NONE}}}]", "unknown"),
        ("[{name: ROLE, valueFrom: {secretKeyRef: {name: options, key: ROLE}}}]", "unknown"),
    ],
)
def test_a_variable_may_be_a_key_of_a_map(tmp_path, env, role):
    found = servers(tmp_path, {"a.yaml": pod(ROLE, env), "b.yaml": OPTIONS})
    assert [one[0] for one in found if one[2].invocation.launch.form == ""] == [role]


@pytest.mark.parametrize(
    ("source", "role"),
    [
        ("configMapRef: {name: options}", "decode"),
        ("configMapRef: {name: elsewhere}", "unknown"),
        ("secretRef: {name: options}", "unknown"),
    ],
)
def test_all_variables_may_come_from_a_map(tmp_path, source, role):
    text = pod(ROLE).replace("env: []", f"envFrom: [{{{source}}}]")
    found = servers(tmp_path, {"a.yaml": text, "b.yaml": OPTIONS})
    assert [one[0] for one in found if one[2].invocation.launch.form == ""] == [role]


RUN = "python3 -m sglang.launch_server --config {0}\n"
FILE = "disaggregation-mode: decode\ntp-size: 2\n"


@pytest.mark.parametrize(
    ("target", "files"),
    [
        ("conf/decode.yaml", {"conf/decode.yaml": FILE}),
        (
            "./decode.yaml",
            {"run/decode.yaml": FILE, "decode.yaml": "disaggregation-mode: x\nb: 1\n"},
        ),
        ("/app/decode.yaml", {"conf/decode.yaml": FILE}),
    ],
)
def test_options_stand_in_a_file_of_the_repository(tmp_path, target, files):
    script = {"run/start.sh": RUN.format(target)}
    found = [one for one in servers(tmp_path, files | script) if one[2].kind == "server"]
    started = [one for one in found if one[2].invocation.launch.span.path == "run/start.sh"]
    assert [one[0] for one in started] == ["decode"]


def test_several_files_of_one_name_are_not_chosen_from(tmp_path):
    files = {"a/decode.yaml": FILE, "b/decode.yaml": FILE, "run.sh": RUN.format("/app/decode.yaml")}
    facts = found_in(tmp_path, files)
    launches = [one for one in facts if isinstance(one, Launch) and one.span.path == "run.sh"]
    assert [one.form for one in launches] == [""]


def test_a_file_that_only_has_the_name_clears_nothing(tmp_path):
    null = FILE.replace("decode", "'null'")
    files = {"conf/decode.yaml": null, "run.sh": RUN.format("/app/decode.yaml")}
    found = [one for one in servers(tmp_path, files) if one[2].invocation.launch.form == ""]
    assert [one[0] for one in found] == ["unknown"]


def test_options_of_a_file_count_once(tmp_path):
    files = {"conf/decode.yaml": FILE, "run.sh": RUN.format("conf/decode.yaml")}
    facts = found_in(tmp_path, files)
    forms = sorted(one.form for one in facts if isinstance(one, Launch))
    assert forms == ["configured", "used"]
    assert len(components(facts, load().engines)) == 1


CALLED = """\
kind: ConfigMap
metadata: {{name: scripts}}
data:
  run.sh: |
    {0}
"""


@pytest.mark.parametrize(
    ("command", "script"),
    [
        ("[/opt/start.sh]", "$ROLE"),
        ("[/opt/start.sh]", "${ROLE:-null}"),
        ("[sh, /opt/start.sh, decode]", "$1"),
        ("[sh, /opt/start.sh, decode]", "${1:-null}"),
    ],
)
def test_a_mounted_script_sees_what_its_caller_sets(tmp_path, command, script):
    text = CALLED.format(f"python3 -m sglang.launch_server --disaggregation-mode {script}")
    env = "[{name: ROLE, value: decode}]"
    found = servers(tmp_path, {"a.yaml": pod(command, env), "b.yaml": text})
    assert [one[0] for one in found] == ["decode"]
