"""One image or one requirement -> one resolution: the version that would run."""

from __future__ import annotations

import re
import shlex
from dataclasses import replace

from servelint.deployment import Range, Release, Resolution
from servelint.evidence import place_of
from servelint.reference import split_reference
from servelint.value import Text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from servelint.engine import Engine
    from servelint.facts import Image, Requirement
    from servelint.value import Parts


def resolve_image(image: Image, engines: Sequence[Engine]) -> tuple[Engine, Resolution] | None:
    """The engine of an image and its version there; None for an image of no engine."""
    for engine in engines:
        resolution = engine.resolve_image(image)
        if resolution is not None:
            return engine, replace(resolution, evidence=(place_of(image), *resolution.evidence))
    return None


def unknown_image(image: Image, engine: Engine) -> Resolution:
    """The version of an engine in an image that no engine knows: a private one, a variable."""
    value = image.reference
    reference = split_reference(value.written)
    told = "unknown-tag" if reference.tag or is_file(value.written) else "untagged"
    told = "unmapped-digest" if reference.digest else told
    told = "unset-variable" if _PLACEHOLDER.search(value.written) else told
    return Resolution(
        engine.packages[0],
        reason=value.reason or told,
        detail=hint(image, engine),
        final=False,
        evidence=(place_of(image),),
    )


def hint(image: Image, engine: Engine) -> str:
    """How to find out by hand what an image holds; empty when the engine does not say."""
    text = image.reference.text
    if text is None or is_file(text) or _PLACEHOLDER.search(text):
        return f"find out which version {image.reference.written} holds"
    command = engine.version_hint.replace("IMAGE", shlex.quote(text))
    return f"`{command}` prints the version inside" if command else ""


IMAGE_DETAILS = {
    "mutable-tag": "the tag moves from build to build",
    "untagged": "without a tag the image is latest, which moves with every release",
    "unmapped-digest": "the digest fixes one image, but the data does not say which version it is",
    "commit": "the tag names a commit, but the data does not say what it holds",
}
"""Why a reference to an image of an engine does not tell the version, by reason."""


def image_hint(parts: Parts, command: str) -> str:
    """How to find out by hand what an image holds, which the engine's ``command`` prints.

    No command where the name of the image is not known.
    """
    written = "".join(part.text for part in parts)
    if not all(isinstance(part, Text) for part in parts):
        return f"find out which version {written} holds"
    return f"`{command.replace('IMAGE', written)}` prints the version inside"


_PLACEHOLDER = re.compile(r"<[^<>]+>")
"""What a reader of a guide is to fill in."""


def is_file(text: str) -> bool:
    """An image that was unpacked into a file (enroot, Singularity)."""
    return text.startswith(("/", "./", "../")) or text.endswith((".sqsh", ".sif"))


def concerns(requirement: Requirement, engine: Engine) -> bool:
    """True for a package that is an engine, or that is known to bring it."""
    if requirement.name in engine.packages:
        return True
    return requirement.name in engine.carriers and _told(requirement, engine) is not None


def resolve_requirement(requirement: Requirement, engine: Engine) -> Resolution:
    """The version of an engine that a requirement asks for or a lockfile fixes."""
    told = _told(requirement, engine)
    return _plain(requirement) if told is None else told


def _told(requirement: Requirement, engine: Engine) -> Resolution | None:
    """What only the engine knows of a package: a source, a fork, a package that brings it."""
    told = engine.resolve_requirement(requirement)
    if told is None:
        return None
    return replace(told, final=False, evidence=(place_of(requirement),))


def _plain(requirement: Requirement) -> Resolution:
    plain = Resolution(
        requirement.name,
        via="lock" if requirement.kind == "locked" else "requirement",
        final=False,
        evidence=(place_of(requirement),),
    )
    if requirement.kind in ("vcs", "url", "path") and requirement.version is None:
        return replace(plain, reason="commit", via="vcs", detail=_FROM_SOURCE)
    if requirement.version is not None:
        texts = requirement.version.texts
        if texts is None:
            return replace(plain, reason=requirement.version.reason)
        # What is built from a source says which version it calls itself, not what is in it.
        clears = requirement.kind not in ("vcs", "path")
        return replace(plain, candidates=tuple(map(Release, texts)), clears=clears)
    if requirement.specifier is not None:
        texts = requirement.specifier.texts
        if texts is None:
            return replace(plain, reason=requirement.specifier.reason)
        return replace(plain, candidates=tuple(map(Range, texts)))
    return replace(plain, reason="unpinned", detail=f"pin {requirement.name}, or commit a lockfile")


_FROM_SOURCE = "it is installed from source: say which release that source is"
