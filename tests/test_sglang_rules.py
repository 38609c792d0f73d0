"""The rules on arguments: what they find, where, and when they are silent."""

import pytest
from trees import fill, servelint

CONFIG = "disaggregation-mode: prefill\ntp-size: 2\n"


def found(root, command, config=CONFIG):
    """The places and ids of findings that a launch with a configuration file gives."""
    fill(root, {"run.sh": f"python3 -m sglang.launch_server {command}\n", "conf/a.yaml": config})
    done = servelint("check", "--fail-on", "never", cwd=root)
    lines = [line.split(": ") for line in done.out.splitlines() if not line.startswith(" ")]
    told = [(line[0], line[1].split()[1]) for line in lines if len(line) > 1]
    return [one for one in told if one[1].endswith(("-file", "-key"))]


@pytest.mark.parametrize(
    ("command", "config", "expected"),
    [
        ("--config conf/a.yaml", CONFIG, []),
        ("--config=conf/a.yaml", CONFIG, [("run.sh:1:33", "unread-config-file")]),
        (
            "--config conf/a.yaml",
            CONFIG.replace("tp-", "tp_"),
            [("conf/a.yaml:2:1", "underscored-config-key")],
        ),
        ("--config conf/a.yaml", CONFIG + "my_own: 1\n", []),
        ("--tp-size 2", CONFIG.replace("tp-", "tp_"), []),
    ],
)
def test_what_is_wrong_with_a_file_of_options(tmp_path, command, config, expected):
    assert found(tmp_path, command, config) == expected


def test_a_rule_is_a_finding_that_says_what_to_do(tmp_path):
    fill(tmp_path, {"run.sh": "sglang serve m --config=x.yaml --disaggregation-mode decode\n"})
    done = servelint("check", "--select", "unread-config-file", cwd=tmp_path)
    assert done.code == 1
    assert "a configuration file that the server does not read" in done.out
    assert "the server takes --config=x.yaml without a word and never reads the file" in done.out
    assert "fix: write the option and the file as two words: --config FILE" in done.out
    assert "SGL-2026" not in done.out


def test_a_rule_can_be_ignored(tmp_path):
    fill(tmp_path, {"run.sh": "sglang serve m --config=x.yaml\n"})
    assert servelint("check", cwd=tmp_path).code == 1
    assert servelint("check", "--ignore", "unread-config-file", cwd=tmp_path).code == 0
