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
