"""Repositories to audit, and the audit commands as programs."""

from __future__ import annotations

from trees import command, ended, fill, git

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
    return command(*map(str, args), start=START)


def audit(*args, cwd, **env):
    """Run an audit to its end, by itself."""
    return ended(words(*args), cwd, **env)


def own(done):
    """What servelint itself said."""
    return [line for line in done.err.splitlines() if line.startswith("servelint: ")]
