"""Which resources a target means: by kind, name, namespace, labels and annotations."""

from __future__ import annotations

import re

from servelint.readers.kustomize.regex import matches
from servelint.readers.kustomize.resource import namespace_of
from servelint.syntax.yaml_data import Leaf, Table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from servelint.readers.kustomize.resource import Resource

_TERM = re.compile(
    r"""\s*(?: (?P<not>!)\s*(?P<absent>[^\s,!=()]+)
             | (?P<key>[^\s,!=()]+)
               (?: \s*(?P<equals>==?|!=)\s*(?P<value>[^\s,()]*)
                 | \s+(?P<among>in|notin)\s*\((?P<values>[^()]*)\) )? )\s*(?:,|\Z)
    """,
    re.VERBOSE,
)


def selects(target: Table, resource: Resource) -> bool:
    """True when a target means a resource. Names are patterns for the whole name."""
    for key in ("group", "version", "kind"):
        wanted = target.text(key)
        if wanted and not matches(wanted, str(getattr(resource, key))):
            return False
    if not _is_called(target, resource):
        return False
    return all(
        _has_labels(target.text(f"{key}Selector"), resource.data.get("metadata", f"{key}s"))
        for key in ("label", "annotation")
    )


def _is_called(target: Table, resource: Resource) -> bool:
    """Its first and its present name and namespace count, each for itself."""
    ends = (resource.names[0], resource.names[-1])
    name, namespace = target.text("name"), target.text("namespace")
    if name and not any(matches(name, end.name) for end in ends):
        return False
    return not namespace or any(matches(namespace, namespace_of(resource, end)) for end in ends)


def _has_labels(terms: str | None, labels: object) -> bool:
    if not terms:
        return True
    members = labels.members if isinstance(labels, Table) else {}
    have = {
        key: member.value.text for key, member in members.items() if isinstance(member.value, Leaf)
    }
    at = 0
    while at < len(terms):
        term = _TERM.match(terms, at)
        if term is None or term.end() == at:
            return False  # kustomize refuses it: nothing is patched
        if not _holds(term, have):
            return False
        at = term.end()
    return True


def _holds(term: re.Match[str], have: dict[str, str]) -> bool:
    if term["not"]:
        return term["absent"] not in have
    own = have.get(term["key"])
    if term["among"]:
        is_one = own in [value.strip() for value in term["values"].split(",")]
        return is_one if term["among"] == "in" else not is_one
    if term["equals"]:
        return (own != term["value"]) if term["equals"] == "!=" else own == term["value"]
    return own is not None
