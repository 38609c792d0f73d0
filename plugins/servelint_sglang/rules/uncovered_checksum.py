"""A transfer checksum on a model or device that it may not cover.

The checksum knows the pages of the usual attention and the state of a few other kinds. What keeps
several kinds of state may stop the server at an assertion, or may pass without having been
verified:

| what | releases |
|---|---|
| DeepSeek-V4, GLM-5.3 and GLM-5.3-Flash | 0.5.21 to 0.5.23 |
| MiniMax models with sparse attention | 0.5.21 and 0.5.22 |
| `--kv-cache-dtype mxfp8` | 0.5.21 to 0.5.23 |
| devices other than those of CUDA, the `ascend` backend among them | 0.5.21 to 0.5.23 |

The three models are those that Cloudflare names as not covered; for the rest, and for what happens
then, there is only the code, which was read and not run.

## What to do

Try it once outside production with requests of ordinary length, and look for lines with
`KV checksum`. No line of the log and no metric says that a request was verified.
"""

from __future__ import annotations

import re

from servelint.api import Hit
from servelint_sglang.rules.checksum import CHECKSUM, SETTLED, SINCE, has_checksum
from servelint_sglang.rules.limits import model_name
from servelint_sglang.rules.looking import halves, surely, text_of, where
from servelint_sglang.rules.release_hold import backend

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from servelint.api import Component, Deployment
    from servelint_sglang.policy import Policy

SEVERITY = "low"
REMEDY = f"try {CHECKSUM} once outside production, and look for lines with 'KV checksum'"

NOT_COVERED = re.compile(r"deepseek-?v4|glm-5\.3")
SPARSE = re.compile(r"minimax-m3")
OTHER_DEVICES = ("npu", "xpu", "cpu", "hpu")


def check(deployment: Deployment, _policy: Policy) -> Iterator[Hit]:
    """The option with what it does not know."""
    for component in halves(deployment):
        if has_checksum(component) and surely(component, fixed=SINCE) != "yes":
            for what, name in _strangers(component):
                why = f"its transfer checksum may not cover {what}"
                yield Hit(component, why, where(component, CHECKSUM, name), confidence="medium")
                break


def _strangers(component: Component) -> Iterator[tuple[str, str]]:
    """What the checksum may not know, and the option that says so."""
    model = model_name(component)
    if NOT_COVERED.search(model) or (
        SPARSE.search(model) and surely(component, fixed=SETTLED) == "yes"
    ):
        yield f"the model {model}", "--model-path"
    if (text_of(component, "--kv-cache-dtype") or "").startswith("mxfp8"):
        yield "an MXFP8 cache", "--kv-cache-dtype"
    device = text_of(component, "--device")
    if device in OTHER_DEVICES:
        yield f"the device {device}", "--device"
    if backend(component) == "ascend":
        yield "the devices of the ascend backend", "--disaggregation-transfer-backend"
