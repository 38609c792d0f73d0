"""What findings say, in sentences. One place, so that all of them speak alike."""

from __future__ import annotations

from servelint.advisory import Advisory
from servelint.deployment import Build, Range, Release
from servelint.unit import LATENT
from servelint.versions import parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from servelint.deployment import Candidate, Component, Resolution
    from servelint.rule import Rule
    from servelint.verdict import Verdict

MAX_VERSION = 60
"""Characters of a version that are shown."""

_IMAGES = {
    "map": "the map of images",
    "tag": "the image tag",
    "digest": "the map of images",
    "user-map": "",
}
"""Evidence about an image, which says itself why it does not clear; for people."""

ROLES = {
    "prefill": "prefill",
    "decode": "decode",
    "both": "prefill-and-decode",
    "unknown": "possibly disaggregated",
    "none": "plain",
}
"""What servers are called by their roles, in the order in which they are named."""

REASONS = {
    "unset-variable": "nothing that was read says what a name in it stands for",
    "runtime-value": "a part of it is only known when it runs",
    "template-function": "a template fills it in",
    "unknown-tag": "the tag carries no version that is known here",
    "mutable-tag": "the tag can move, so it names no version",
    "untagged": "it has no tag, so it is whatever was newest",
    "unmapped-digest": "the digest is not in the map of known images",
    "unpinned": "the package is not pinned",
    "fork": "it is a fork with versions of its own",
    "commit": "it is built from source",
    "dev-version": "a development version says little about what is in it",
    "many-values": "it has too many possible values",
    "no-evidence": "neither an image nor a pinned package was found",
    "conflicting": "the evidence contradicts itself",
    "newer-than-data": "it is newer than what is known here",
}
"""Unknown reasons, as a clause about the evidence."""


def title(worst: Verdict, records: dict[str, Advisory | Rule], *, is_unknown: bool) -> str:
    """The headline of a finding."""
    component = worst.component
    if is_unknown:
        return f"which version of {component.engine.title} a disaggregated server runs"
    return records[worst.cause].title


def message(group: Sequence[Verdict], *, is_unknown: bool) -> str:
    """What was seen, in one or two sentences."""
    is_off = all(verdict.component.variant == LATENT for verdict in group)
    off = " This is off by default, and no file of values here switches it on." if is_off else ""
    return _seen(group, is_unknown=is_unknown) + off


def _seen(group: Sequence[Verdict], *, is_unknown: bool) -> str:
    worst = group[0]
    components = _components(group)
    if worst.by_rule:
        return f"{_servers(components)}: {worst.why}."
    subject = _subject(components)
    resolution = worst.component.resolution
    if is_unknown:
        return f"{subject} {worst.component.engine.title}, version unknown: {_unknown(worst)}."
    what = f"{worst.component.engine.title} {versions(resolution.candidates)}"
    source = f" ({_via(resolution)})" if resolution.via else ""
    if worst.status == "affected":
        if not resolution.clears:
            why = (resolution.via in _IMAGES and resolution.detail) or _apart(worst)
            return f"{_servers(components)} may run {what}{source}, {_floors(group)}; {why}."
        said = f"{_surely(group)} {what}{source}, {_floors(group)}{_also(group)}."
        return said + _notes(group) + _assumption(group)
    return f"{subject} {what}{source}: {_doubt(worst, _count(components))}."


def _surely(group: Sequence[Verdict]) -> str:
    """The servers whose evidence could also clear them, and that they run."""
    return _subject(_components(one for one in group if one.component.resolution.clears))


def _also(group: Sequence[Verdict]) -> str:
    """What is said of the servers of a group that have packages of their own."""
    apart = [verdict for verdict in group if not verdict.component.resolution.clears]
    if not apart:
        return ""
    return f"; {_servers(_components(apart))} may run it too, but {_apart(apart[0])}"


def remedy(worst: Verdict, causes: Sequence[Advisory | Rule], *, is_unknown: bool) -> str:
    """What to do."""
    own = [record.remedy for record in causes if record.remedy]
    if own and not is_unknown:
        return own[0]
    engine = worst.component.engine
    records = (record for record in causes if isinstance(record, Advisory))
    floor = max((record.recommended for record in records), key=_sort_key)
    if not floor:
        return own[0]
    upgrade = f"upgrade both roles together to {engine.title} {floor} or later"
    if is_unknown:
        settle = worst.component.resolution.detail or engine.version_hint
        return f"{settle}; if that is below {floor}, {upgrade}" if settle else upgrade
    if worst.doubt == "candidates":
        return f"pin {engine.title} {floor} or later, in both roles"
    if worst.doubt in ("role", "condition"):
        return f"{upgrade}, or write out the arguments so that they can be read"
    return upgrade


def versions(candidates: Iterable[Candidate]) -> str:
    """The candidates as a person would write them."""
    return " or ".join(_candidate(candidate) for candidate in candidates)


def _candidate(candidate: Candidate) -> str:
    match candidate:
        case Release(version=""):
            missing = ", ".join(f"#{number}" for number in candidate.absent)
            return f"without {missing}" if missing else "of an unnamed version"
        case Release(version):
            return _short(version)
        case Range(specifier):
            return _short(specifier)
        case Build(is_bound=True):
            return f"built by {candidate.date}"
        case Build(date=""):
            return f"built from {_short(candidate.branch)}"
        case Build():
            return f"built from {candidate.branch} on {candidate.date}"


def _short(text: str) -> str:
    return text if len(text) <= MAX_VERSION else f"{text[:MAX_VERSION]}..."


def _components(group: Iterable[Verdict]) -> list[Component]:
    return list(dict.fromkeys(verdict.component for verdict in group))


def _subject(components: Sequence[Component]) -> str:
    return f"{_servers(components)} {'run' if _count(components) > 1 else 'runs'}"


def _servers(components: Sequence[Component]) -> str:
    """How many servers, in which roles."""
    roles = {component.role for component in components}
    *others, last = (name for role, name in ROLES.items() if role in roles)
    named = f"{', '.join(others)} and {last}" if others else last
    count, variants = _count(components), _variants(components)
    if variants:
        named = f"{named}, in {variants} variants"
    if count > 1:
        return f"{count} servers ({named})"
    return f"a server ({named})" if variants else f"a {named} server"


def _count(components: Sequence[Component]) -> int:
    """How many servers: what is written once is one, whatever its variants."""
    if not _variants(components):
        return len(components)
    starts = ((one.invocation.launch.span, one.role) for one in components)
    return len({(span.path, span.start, role) for span, role in starts})


def _variants(components: Iterable[Component]) -> int:
    """How many variants there are, where each server is of one; 0 for a single one."""
    variants = {component.variant for component in components}
    return len(variants) if len(variants) > 1 and "" not in variants else 0


def _via(resolution: Resolution) -> str:
    return {
        "tag": "from the image tag",
        "digest": "from the image digest",
        "map": "from the map of known images",
        "user-map": f"as {_stated(resolution)} states",
        "install": "installed by the command before it",
        "lock": "locked",
        "requirement": "by requirement",
        "vcs": "from its source",
    }.get(resolution.via, resolution.via)


def _stated(resolution: Resolution) -> str:
    """The file in which people state a version."""
    return next((one.span.path for one in resolution.evidence if one.label == "map"), "the user")


def _unknown(worst: Verdict) -> str:
    resolution = worst.component.resolution
    clause = REASONS.get(resolution.reason, "")
    if not clause:
        if resolution.via in _IMAGES and resolution.detail:
            source = _IMAGES[resolution.via] or _stated(resolution)
            said = f"{source} says {versions(resolution.candidates)}"
            return f"{said}, but {resolution.detail}"
        said = f"a package in scope says {versions(resolution.candidates)}"
        return f"{said}, but {_apart(worst)}"
    if resolution.evidence:
        return f"{resolution.evidence[0].text} ({clause})"
    return clause


def _apart(worst: Verdict) -> str:
    component = worst.component
    if component.resolution.via == "install":
        return "what was there before may be another version"
    if component.image is not None or component.invocation.launch.container:
        return "the container has packages of its own"
    return "the command that starts it may have packages of its own"


def _floors(group: Sequence[Verdict]) -> str:
    """What is wrong with the version by each cause, worst cause first.

    What is said in the same words of several versions is said once.
    """
    causes: dict[str, dict[str, list[str]]] = {}
    for verdict in group:
        head, bound = _clause(verdict.range)
        names = causes.setdefault(head, {}).setdefault(bound, [])
        if verdict.cause not in names:
            names.append(verdict.cause)
    several = len({verdict.cause for verdict in group}) > 1
    said = [
        " ".join(part for part in (head, _listed(bounds, named=several)) if part)
        for head, bounds in causes.items()
    ]
    return f"which {'; it '.join(said)}"


def _clause(text: str) -> tuple[str, str]:
    """A clause about a version, and the version at its end, if there is one."""
    head, _, bound = text.rpartition(" ")
    return (head, bound) if bound[:1].isdigit() else (text, "")


def _listed(bounds: dict[str, list[str]], *, named: bool) -> str:
    """Versions, each with the causes of which it is the bound."""
    texts = [
        " ".join(part for part in (bound, f"({', '.join(names)})" if named else "") if part)
        for bound, names in bounds.items()
    ]
    *first, last = texts
    return f"{', '.join(first)} and {last}" if first else last


def _sort_key(text: str) -> tuple[bool, object]:
    version = parse(text)
    return (version is not None, version if version is not None else text)


def _notes(group: Sequence[Verdict]) -> str:
    """Why causes weigh less than they could, once each."""
    notes = dict.fromkeys(verdict.note for verdict in group if verdict.note)
    return "".join(f" {note[:1].upper()}{note[1:]}." for note in notes)


def _assumption(group: Sequence[Verdict]) -> str:
    assumed = {verdict.component for verdict in group if verdict.assumed}
    if not assumed:
        return ""
    whose = "its arguments" if len(assumed) == 1 else "their arguments"
    return f" Some of {whose} could not be read; the defaults are assumed."


def _doubt(worst: Verdict, count: int) -> str:
    if worst.doubt == "candidates":
        candidates = worst.component.resolution.candidates
        if len(candidates) == 1 and isinstance(candidates[0], Build):
            return "what is told of this build does not say whether it has the fix"
        return "some of these versions are affected"
    if worst.doubt == "role":
        subject = "they are" if count > 1 else "it is"
        return f"if {subject} disaggregated, which cannot be told, this version is affected"
    if worst.doubt == "version":
        return f"{_unknown(worst)}"
    return f"{worst.why} is not known for certain; it decides whether this version is affected"
