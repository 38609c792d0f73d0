"""Pairs of servers as a person would write them, and what the linter says of them."""

from __future__ import annotations

from trees import fill

from servelint.config import Config
from servelint.pipeline import run


def pod(role, words="", version="0.5.22", variables=()):
    """One container in one role: its options, the tag of its image, its variables."""
    command = ["python3", "-m", "sglang.launch_server", "--host=0.0.0.0"]
    command += [f"--disaggregation-mode={role}", *words.split()]
    lines = [f"  - name: {role}", f"    image: lmsysorg/sglang:v{version}", "    command:"]
    lines += [f"      - {word!r}" for word in command]
    lines += ["    env:"] if variables else []
    for name, value in variables:
        lines += [f"      - name: {name}", f"        value: {value!r}"]
    return "\n".join((*lines, ""))


def pair(prefill, decode):
    """A file with the two."""
    return f"containers:\n{prefill}{decode}"


def reported(root, text, *, policy=None, profiles=(), select=()):
    """The findings on a file, under a policy and with profiles."""
    fill(root, {"pods.yaml": text})
    tables = {"sglang": policy or {}}
    return run(Config(str(root), tables=tables, profiles=profiles, select=select)).findings


def found(root, text, wanted, **settings):
    """The severities and confidences of the findings of one id."""
    every = reported(root, text, **settings)
    return [(one.severity, one.confidence) for one in every if one.id == wanted]


def said(root, text, wanted, **settings):
    """The message of the only finding of one id."""
    (one,) = (one for one in reported(root, text, **settings) if one.id == wanted)
    return one.message
