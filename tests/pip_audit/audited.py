"""Repositories to audit, and the audit commands as programs."""

from __future__ import annotations

import subprocess
import sys

from trees import Done, clean_environment, fill, git

PAIR = """\
#!/bin/sh
MODEL=${MODEL:-/models/chat}
python3 -m sglang.launch_server --model-path "$MODEL" --disaggregation-mode prefill &
python3 -m sglang.launch_server --model-path "$MODEL" --disaggregation-mode decode
"""
SINGLE = "#!/bin/sh\npython3 -m sglang.launch_server --model-path /models/chat --tp-size 8\n"
PINS = "requests==2.34.2\nsglang==0.5.19\n"

READ = ("--no-deps", "--disable-pip", "--progress-spinner", "off")
"""How pip-audit reads requirements without asking an index."""

START = "from servelint.cli.audits import main; raise SystemExit(main(sys.argv[1:]))"


def repository(root, script, pins=PINS, **files):
    fill(root, {"serve.sh": script, "requirements.txt": pins, **files})
    git(root, "init", "--quiet")
    return root


def words(*args):
    """-P: the audited directory is no place to import from."""
    path = f"import sys; sys.path[:0] = {sys.path!r}\n"
    return [sys.executable, "-P", "-c", path + START, *map(str, args)]


def audit(*args, cwd, **env):
    """Run an audit to its end, by itself."""
    done = subprocess.run(
        words(*args),
        cwd=cwd,
        env=clean_environment(**env),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=120,
        check=False,
    )
    return Done(done.returncode, done.stdout.decode(), done.stderr.decode())


def own(done):
    """What servelint itself said."""
    return [line for line in done.err.splitlines() if line.startswith("servelint: ")]
