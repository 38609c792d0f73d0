"""JSON of the kinds that start containers: manifests, compose files, tasks, development containers.

The reader of YAML takes them, because JSON is YAML. Any other JSON is data: most of it that names
a product is a result, a schema or a lock.
"""

from __future__ import annotations

import json
import re
from dataclasses import replace

from servelint.finding import Skip

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from servelint.source import Source

MAX_SIZE = 1_000_000
"""Characters; a longer file is data."""

_KEYS = frozenset({"services", "containerDefinitions", "image", "build", "target", "job", "spec"})
"""Keys of the top of a file that starts something."""

_FIELDS = re.compile(r'"(?:image|command|dockerfile|context|args)"\s*:', re.IGNORECASE)
_DEPLOYMENT = re.compile(r"/deploymentTemplate\.json#?\Z")
_COMMENT = re.compile(r'"(?:[^"\\\n]|\\.)*+"|//[^\n]*|/\*.*?\*/|,(?=\s*[\]}])', re.DOTALL)


def read(source: Source) -> Iterator[Source | Skip]:
    """The text for the reader of YAML, if it starts something; a skip for a template of Azure."""
    if len(source.text) > MAX_SIZE or not _FIELDS.search(source.text):
        return
    text = source.text.replace("\t", " ")
    top, problem = _top(text)
    if problem:
        text = _COMMENT.sub(_blank, text)
        top, problem = _top(text)
    if problem == "too-deep":
        yield Skip(source.path, "read", problem, "collections too deep", source.span(0, 0))
    if _DEPLOYMENT.search(str(top.get("$schema", ""))):
        detail = "a template of Azure: images and commands in it are not read"
        yield Skip(source.path, "read", "template", detail, source.span(0, 0))
    elif not _KEYS.isdisjoint(top) or ("kind" in top and "apiVersion" in top):
        child = source.slice(0, len(text), "yaml")
        yield replace(child, text=text)


def _top(text: str) -> tuple[dict[str, object], str]:
    """The mapping that a text is, and what is wrong with a text that is no JSON."""
    try:
        found = json.loads(text)
    except ValueError:
        return {}, "syntax"
    except RecursionError:
        return {}, "too-deep"
    return (found if isinstance(found, dict) else {}), ""


def _blank(match: re.Match[str]) -> str:
    """Blanks for what JSON does not have; texts stay."""
    if match[0].startswith('"'):
        return match[0]
    return re.sub(r"[^\n\r]", " ", match[0])
