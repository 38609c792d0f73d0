"""The JSON schema of ``servelint.toml`` and of ``[tool.servelint]``, for editors and validators.

It says of each key what :mod:`servelint.config` and the readers of its tables take. What only a
run knows, such as which ids there are, is not in it. A day is a text there, as editors hand it on.
"""

from __future__ import annotations

import servelint_builtins
from servelint.config import KEYS, THRESHOLDS, UNKNOWN_VERSION
from servelint.entries import MAX_ENTRIES, MAX_PATTERN
from servelint.finding import SEVERITIES
from servelint.policy_file import ALLOWS, IGNORES, OVERRIDES
from servelint.statement_file import PATHS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from servelint.entries import Table

DRAFT = "http://json-schema.org/draft-07/schema#"

_ID = {"type": "string", "pattern": r"^[\w.-]+$"}
_TEXT = {"type": "string", "pattern": r"\S"}
_TEXTS = {"type": "array", "items": {"type": "string"}}
_DAY = {"type": "string", "format": "date", "pattern": r"^\s*\d{4}-?\d{2}-?\d{2}"}
_SEVERITY = {"enum": list(SEVERITIES)}
_WEIGHTS = {"type": "object", "additionalProperties": _SEVERITY}
_PATTERN = {"type": "string", "maxLength": MAX_PATTERN}


def _some(items: dict[str, Any]) -> dict[str, Any]:
    """A list with something in it."""
    return {"type": "array", "items": items, "minItems": 1}


_FIELDS: dict[str, dict[str, Any]] = {
    "by": {"description": "Who looked.", **_TEXT},
    "date": {"description": "The day on which somebody looked.", **_DAY},
    "digest": {
        "description": "The digest of an image.",
        "type": "string",
        "pattern": r"^\s*sha256:[0-9a-f]{64}\s*$",
    },
    "evidence": {"description": "How it was found out.", **_TEXT},
    "id": {"description": "What it is about: one id, or several.", "anyOf": [_ID, _some(_ID)]},
    "ignore": {"description": "Ids that are not reported there.", **_some(_ID)},
    "package": {"description": "The package of an engine.", **_TEXT},
    "paths": {"description": "Patterns of paths, such as lab/**.", **_some(_PATTERN)},
    "reason": {"description": "Why.", **_TEXT},
    "severity": {"description": "What ids weigh there.", **_WEIGHTS},
    "unknown-version": {
        "description": "What a version weighs there that cannot be told.",
        "enum": list(UNKNOWN_VERSION),
    },
    "until": {"description": "The last day on which it counts.", **_DAY},
    "version": {"description": "The version that runs (PEP 440).", **_TEXT},
    "waives": {"description": "Advisories that are patched there.", **_some(_ID)},
}
"""What the keys of tables may hold, in whichever table they stand."""


def schema() -> dict[str, Any]:
    """The whole schema."""
    plugins = {
        name: {"description": f"What a site demands of {name}.", "type": "object"}
        for name, _ in servelint_builtins.PLUGINS
    }
    properties = _properties()
    return {
        "$schema": DRAFT,
        "title": "Configuration of servelint",
        "description": "servelint.toml, or the table [tool.servelint] of pyproject.toml.",
        "type": "object",
        "properties": {key: properties[key] for key in KEYS} | plugins,
        "additionalProperties": {
            "description": "The table of a plugin that is named under plugins.",
            "type": "object",
        },
    }


def _properties() -> dict[str, dict[str, Any]]:
    ignored = "Ids that are not reported, without a trace; or tables that say where and why."
    either = [_TEXTS, _array(IGNORES)]
    return {
        "fail-on": {
            "description": "A finding of this severity or worse makes a check fail.",
            "enum": list(THRESHOLDS),
            "default": "medium",
        },
        "select": {"description": "Only these ids are reported.", **_TEXTS},
        "ignore": {"description": ignored, "anyOf": either},
        "allow": {"description": "Images that somebody has looked at.", **_array(ALLOWS)},
        "override": {
            "description": "What counts below some paths; the last that fits counts most.",
            **_array(OVERRIDES, minProperties=2),
        },
        "plugins": {"description": "Installed plugins of others.", **_TEXTS},
        "advisories": {"description": "Directories with advisories of your own.", **_TEXTS},
        "profiles": {"description": "What belongs to these is judged, too.", **_TEXTS},
        "severity": {"description": "What ids weigh, where it is proven.", **_WEIGHTS},
        "version": {
            "description": "The version of what is launched below some paths.",
            **_array(PATHS, dependencies={"waives": ["reason"]}),
        },
        "unknown-version": {
            "description": "What a version weighs that cannot be told: medium, low or note.",
            "enum": list(UNKNOWN_VERSION),
            "default": "fail",
        },
    }


def _array(table: Table, **more: Any) -> dict[str, Any]:
    row = {
        "type": "object",
        "properties": {key: _FIELDS[key] for key in table.fields},
        "required": list(table.needed),
        "additionalProperties": False,
        **more,
    }
    return {"type": "array", "items": row, "maxItems": MAX_ENTRIES}
