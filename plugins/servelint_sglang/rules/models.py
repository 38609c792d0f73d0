"""What the name of a model tells: its family, as far as the transfer of its cache depends on it.

Names are those of public checkpoints; a model under a name of somebody's own has no family.
"""

from __future__ import annotations

import re

from servelint_sglang.rules.looking import text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from servelint.api import Component

LATENT = "latent"
"""Multi-head latent attention: each rank holds the whole cache."""

GROUPED = "grouped"
"""Keys and values by head, spread over the ranks."""

HYBRID = "hybrid"
"""As grouped, and some layers with a sliding window or a state."""

_FAMILIES = (
    (r"deepseek-r1-distill|qwq-\d", GROUPED),
    (r"deepseek-(?:v2|v3|r1)(?![\d.]*\d*x)|kimi-k2|glm-5|longcat-flash", LATENT),
    (r"gpt-oss|qwen3\.5|qwen3-next|minimax-m3|nemotron-(?:h|3)(?!\d)", HYBRID),
    (r"(?:meta-)?llama-(?:2|3)|qwen2|qwen3-\d|glm-4|minimax-m2|mixtral|mistral-7b", GROUPED),
)
"""Beginnings of names, the first that fits."""

_CACHED = re.compile(r"(?:.*/)?models--[^/]+?--(?P<name>[^/]+)(?:/.*)?")
"""A model in the cache of its hub."""

_QUANTIZED = re.compile(
    r"-(?:nv|mx)?fp\d+|-(?:awq|gptq|gguf|bnb|bf16|dynamic|block|quantized|quant|marlin)"
    r"|-int\d+|-w\d+a\d+|-\d+-?bits?"
)
"""Words of a name that say how the weights are stored."""


def name_of(component: Component) -> str:
    """The name of the model that is served; empty where it tells nothing.

    A name without a number, such as ``/model``, is where something is mounted.
    """
    text = (text_of(component, "--model-path") or "").rstrip("/")
    cached = _CACHED.fullmatch(text)
    name = cached["name"] if cached is not None else text.rpartition("/")[2]
    name = name.lower().replace("_", "-")
    return name if re.search(r"\d", name) and re.search(r"[a-z]{2}", name) else ""


def base_of(name: str) -> str:
    """A name without the words that say how the weights are stored."""
    return _QUANTIZED.sub("", name)


def family(component: Component) -> str:
    """The family of the model of a server; empty for one that is not known."""
    name = name_of(component)
    return next((kind for begins, kind in _FAMILIES if re.match(begins, name)), "")
