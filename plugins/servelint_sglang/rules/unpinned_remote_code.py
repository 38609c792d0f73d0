"""Code of a model repository that runs in whatever state it has.

`--trust-remote-code` runs Python code out of the repository of a model. Without `--revision` that
is the newest state of the repository, which its owner, or whoever takes over the account, can
change.
A path of the machine itself is not reported, nor a name that is not known.
"""

from __future__ import annotations

import re

from servelint.api import Hit
from servelint_sglang.rules.looking import given, is_absent, servers, text_of, where

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from servelint.api import Deployment
    from servelint_sglang.policy import Policy

SEVERITY = "note"
REMEDY = "name a commit of the model with --revision"
PROFILE = "exposure"

_REPOSITORY = re.compile(r"[A-Za-z0-9][\w.-]*/[A-Za-z0-9][\w.-]*", re.ASCII)


def check(deployment: Deployment, _policy: Policy) -> Iterator[Hit]:
    """``--trust-remote-code`` with a repository and no ``--revision``."""
    for component in servers(deployment):
        model = text_of(component, "--model-path") or ""
        trusts = given(component, "--trust-remote-code") is not None
        if trusts and is_absent(component, "--revision") and _REPOSITORY.fullmatch(model):
            why = f"it runs the code of {model} in its newest state"
            yield Hit(component, why, where(component, "--trust-remote-code"), "medium")
