"""Which shell texts run to the end, command by command."""

import pytest

from servelint.syntax.straight import is_straight


@pytest.mark.parametrize(
    "text",
    [
        "pip install a==1",
        "pip install a==1 && pip install 'b>=2; python_version > \"3\"' \\\n  && run",
        'apt-get update && pip install "a[all]==1"  # why',
        "set -e\npip install a==1\nexec run --x 'y; z'",
        "#!/bin/bash\nset -euo pipefail\npip install a==1\nrun > log 2>&1\n",
    ],
)
def test_straight(text):
    assert is_straight(text)


@pytest.mark.parametrize(
    "text",
    [
        "pip install a==1\nrun",
        "pip install a==1; run",
        "pip install a==1 || true",
        "if x; then pip install a==1; fi",
        "set -e\nif x\nthen\npip install a==1\nfi",
        "x && { pip install a==1\n}",
        "for i in 1 2\ndo pip install a==$i\ndone",
        "f() { pip install a==1; }",
        "$(pip install a==1)",
        "pip install a==1 &",
        "pip install a==1 | cat",
        "set -e\nset +e\npip install a==1",
        "cd x && pip install a==1",
        ". v/bin/activate && pip install a==1",
        "pip install a==1 <<EOF\nEOF",
    ],
)
def test_not_straight(text):
    assert not is_straight(text)


@pytest.mark.parametrize(
    "line",
    [
        '[ -n "$X" ] && pip install a==1',
        '"$WANTED" && pip install a==1',
        "! which a && pip install a==1",
        "pip list && [ -f x ] && pip install a==1",
        "PIP_TARGET=/x pip install a==1",
        "PATH=/v/bin pip install a==1",
        "kubectl exec pod -- pip install a==1",
        "docker exec box pip install a==1",
    ],
)
def test_what_a_line_leaves_out_or_does_elsewhere_does_not_end_a_script(line):
    assert not is_straight(f"set -e\n{line}\nrun")


def test_a_last_line_and_commands_that_ask_nothing_end_the_script_that_fails():
    assert is_straight("set -e\npip install a==1\n[ -f x ] && run")
    assert is_straight("set -e\napt-get update && apt-get install -y b\npip install a==1\nrun")
    assert is_straight("set -e\nPIP_NO_CACHE_DIR=1 pip install a==1\nrun")
