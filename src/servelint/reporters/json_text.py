"""JSON as all reporters write it."""

from __future__ import annotations

import json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def json_text(document: Any) -> str:
    """A document in ASCII, so that no control character is left as it is.

    A job log of GitHub takes what stands behind ``##[`` anywhere in a line for a command:
    in texts it is written in another way.
    """
    text = json.dumps(document, indent=2, ensure_ascii=True, allow_nan=False)
    return text.replace("##[", "##\\u005b") + "\n"
