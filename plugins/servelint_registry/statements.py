"""What labels, variables and history of an image say about the engine in it.

All of it is inherited by images that were built upon: it clears nothing unless
it names the very tag that was asked for, and no later step can have changed the engine.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from servelint_registry.address import shown
from servelint_registry.history import UNKNOWN, Value, read_value, version_after, version_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from servelint.api import Inside
    from servelint_registry.address import Address
    from servelint_registry.configuration import Configuration, Step

_COMMIT = re.compile(r"[0-9a-f]{7,40}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Statement:
    """What the configuration says. ``detail`` tells why it does not clear."""

    version: str = ""
    commit: str = ""
    evidence: str = ""
    clears: bool = False
    reason: str = ""
    detail: str = ""


def read_statement(found: Configuration, inside: Inside, address: Address) -> Statement:
    """What the configuration of an image says about the engine."""
    labels = {
        name: read_value(found.names[name], inside)
        for name in inside.version_names
        if name in found.names
    }
    labels = {name: value for name, value in labels.items() if value.version}
    versions = {value.version for value in labels.values()}
    commit = _commit(found, inside)
    if len(versions) > 1:
        told = " and ".join(shown(found.names[name]) for name in labels)
        detail = f"its labels contradict each other ({told})"
        return Statement(commit=commit, reason="conflicting", detail=detail)
    if not versions:
        return _from_history(found, inside, commit)
    name = next(iter(labels))
    return _from_label(found, inside, address, name, Value(versions.pop(), commit))


def _from_label(
    found: Configuration, inside: Inside, address: Address, name: str, told: Value
) -> Statement:
    value = found.names[name]
    said, version, commit = f"label {name} = {value}", told.version, told.commit
    after = version_after(version, _steps_after(found, name, value), inside)
    if after == UNKNOWN:
        detail = f"{said}, but a later step of the build may have changed it: use --layers"
        return Statement(commit=commit, reason="conflicting", detail=detail)
    if after != version:
        return Statement(after, "", f"history, over {said}", detail=_inherited(f"history {after}"))
    if not found.is_complete:
        detail = f"{said}, but the history does not tell of every layer: use --layers"
        return Statement(version, commit, said, detail=detail)
    if not _names_tag(found, inside, address):
        return Statement(version, commit, said, detail=_inherited(said))
    evidence = f"{said}, as asked for; no later step changes it"
    return Statement(version, commit, evidence, clears=True)


def _from_history(found: Configuration, inside: Inside, commit: str) -> Statement:
    version = version_of(found.steps, inside)
    if version not in ("", UNKNOWN):
        evidence = f"history says {version}"
        return Statement(version, commit, evidence, detail=_inherited(evidence))
    if commit:
        detail = f"its labels name commit {commit} and no version: use --layers"
        return Statement(commit=commit, reason="commit", detail=detail)
    home = [
        f"{name} = {found.names[name]}"
        for name in (*inside.version_names, *inside.commit_names)
        if found.names.get(name, "").startswith(inside.home_values or ("\0",))
    ]
    why = (
        f"{home[0]} says that it was built by hand"
        if home
        else "its labels and history say no version"
    )
    return Statement(reason="no-evidence", detail=f"{why}: use --layers")


def _inherited(said: str) -> str:
    return f"{said}; an image inherits that from the one that it is built upon: use --layers"


def _commit(found: Configuration, inside: Inside) -> str:
    for name in (*inside.commit_names, *inside.version_names):
        value = found.names.get(name, "")
        if name in inside.commit_names and _COMMIT.fullmatch(value):
            return value
        told = read_value(value, inside).commit
        if told:
            return told
    return ""


def _names_tag(found: Configuration, inside: Inside, address: Address) -> bool:
    """Whether a label names the tag that was asked for."""
    tags = {
        found.names[name].rpartition(":")[2] for name in inside.tag_names if name in found.names
    }
    return bool(address.tag) and address.tag in tags


def _steps_after(found: Configuration, name: str, value: str) -> tuple[Step, ...]:
    """The steps behind the one that set a label; all when no step tells of it."""
    last = max(
        (
            number
            for number, step in enumerate(found.steps, 1)
            if step.is_empty and name in step.text and value in step.text
        ),
        default=0,
    )
    return found.steps[last:]
