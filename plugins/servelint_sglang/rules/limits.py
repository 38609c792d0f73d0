"""How many tokens of one request a server admits: what its options prove, and what they do not.

The scheduler admits what fits into the smaller of the context and the KV pool. The pool is sized
from free memory when the server starts, and ``--max-total-tokens`` only ever lowers it: a cap below
the context proves that the pool is smaller, a cap above it proves nothing.
"""

from __future__ import annotations

import re

from servelint.api import Affected, in_range
from servelint_sglang.rules.looking import given, is_absent, number, surely, text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from servelint.api import Component

CONTEXT, POOL = "--context-length", "--max-total-tokens"
OVERRIDE, PATH = "--json-model-override-args", "--model-path"

SUFFIXES_SINCE = "0.5.10rc0"
"""Before, a number of tokens is written out."""

LEAK = "SGL-2026-0001"
ADMISSION = Affected("", "0.5.20", (), "2026-09-06", 36988)
"""Where a request that prefill rejects leaks, and does not only fail."""

MODEL_CONTEXTS = (
    (r"glm-5\.[23](-fp8|-nvfp4|-fp4|-bf16)?", 1_048_576),
    (r"deepseek-v4(-pro|-flash)?(-fp8|-nvfp4|-fp4|-base)?", 1_048_576),
    (r"deepseek-(r1|v3)(-0[35](24|28))?(-fp8|-nvfp4|-fp4|-base)?", 163_840),
)
"""The end of the name of a model, lower case, and its context where no option gives another."""

SLIDING = re.compile(
    r"gpt-oss|llama-?4|gemma-?[23]|mimo-v2|step-?3[.p]5|command-(r7b|a-)|exaone-?4"
)
"""Names of models whose layers do not all look at the whole context."""

WEAKER = {"critical": "medium", "high": "medium", "medium": "low"}
"""What a severity is where the proof has a hole."""


def context(component: Component) -> int | None:
    """The context of a server in tokens: as it is given, else that of a known model."""
    if given(component, CONTEXT) is not None:
        return tokens(component, CONTEXT)
    if not (is_absent(component, CONTEXT) and is_absent(component, OVERRIDE)):
        return None
    model = model_name(component)
    return next((size for name, size in MODEL_CONTEXTS if re.fullmatch(name, model)), None)


def is_told(component: Component) -> bool:
    """True for a context that an option or the path of the model tells, not a name for users."""
    return given(component, CONTEXT) is not None or bool(text_of(component, PATH))


def tokens(component: Component, name: str) -> int | None:
    """The tokens that an option gives; None where it gives none that the release reads."""
    flag = given(component, name)
    text = flag.value.text if flag is not None and flag.value is not None else None
    if (
        text is not None
        and not text[-1:].isdigit()
        and surely(component, fixed=SUFFIXES_SINCE) == "yes"
    ):
        return None
    return number(text)


def model_name(component: Component) -> str:
    """The last part of the name of the model in lower case; empty where it is not known."""
    for name in (PATH, "--served-model-name"):
        text = text_of(component, name)
        if text:
            return text.rstrip("/").rpartition("/")[2].lower()
    return ""


def why_larger(component: Component) -> str:
    """Why the pool may be larger than the cap says; empty where it cannot be."""
    flag = given(component, "--dcp-size")
    width = number(flag.value.text) if flag is not None and flag.value is not None else 1
    if width != 1 and surely(component, fixed="0.5.17") != "yes":
        return "--dcp-size may multiply it"
    if given(component, "--enable-kv-cache-sharding") is not None:
        return "--enable-kv-cache-sharding may multiply it"
    if SLIDING.search(model_name(component)) and surely(component, fixed="0.5.11") != "no":
        return "the sliding window of this model may let it grow"
    return ""


def rejection(component: Component) -> str:
    """What becomes of a request that prefill rejects: it ``leaks``, ``fails``, or ``either``."""
    resolution = component.resolution
    if leaks(component):
        return "leaks"
    if resolution.reason or not resolution.clears:
        return "either"
    hit = in_range(resolution.candidates, ADMISSION, component.engine.releases)
    return "fails" if hit == "no" or LEAK in resolution.waives else "either"


def leaks(component: Component) -> bool:
    """True for a prefill server that surely answers from other requests' pages on a rejection."""
    resolution = component.resolution
    if resolution.reason or not resolution.clears or LEAK in resolution.waives:
        return False
    return in_range(resolution.candidates, ADMISSION, component.engine.releases) == "yes"
