"""Which image of an index is meant."""

from __future__ import annotations

from servelint_registry.address import shown
from servelint_registry.client import INDEXES, descriptor_of
from servelint_registry.errors import Problem, RegistryError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from servelint_registry.client import Client, Document

MAX_DEPTH = 3
"""An index may name an index, and so on, this far."""

MAX_ROWS = 500


def find_image(client: Client, wanted: str) -> tuple[str, Document]:
    """The digest that the reference names, and the manifest of the platform ``wanted``."""
    document = client.manifest(client.address.label)
    named = document.digest
    for _ in range(MAX_DEPTH):
        if not is_index(document):
            break
        document = client.manifest(_choose(document, wanted, client))
    if not isinstance(document.table.get("config"), dict):
        registry = client.address.registry
        raise RegistryError(f"{registry} has no image of today's form for {client.address}")
    return named, document


def is_index(document: Document) -> bool:
    """True for a list of images."""
    if document.table.get("mediaType") in INDEXES:
        return True
    return isinstance(document.table.get("manifests"), list) and "config" not in document.table


def _choose(index: Document, wanted: str, client: Client) -> str:
    """The digest of the image for a platform; of the only one when it says no platform."""
    rows = index.table.get("manifests")
    images = [row for row in _tables(rows) if not _is_attestation(row)][:MAX_ROWS]
    told = [row for row in images if _platform(row)]
    fitting = [row for row in told if _fits(_platform(row), wanted)]
    if not told and len(images) == 1:
        fitting = images
    if not fitting:
        others = ", ".join(sorted({_platform(row) for row in told})[:8])
        seen = f"it has {shown(others)}" if others else "its index names none"
        raise RegistryError(
            f"{client.address.registry} has no image for {wanted} under {client.address}: {seen}"
        )
    try:
        return descriptor_of(fitting[0]).digest
    except Problem as problem:
        raise client.failure(problem) from None


def _tables(rows: Any) -> list[dict[str, Any]]:
    return [row for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []


def _platform(row: dict[str, Any]) -> str:
    """``os/architecture[/variant]``; empty when it is not said."""
    table = row.get("platform")
    if not isinstance(table, dict):
        return ""
    words = [table.get(key) for key in ("os", "architecture", "variant")]
    return "/".join(word for word in words if isinstance(word, str) and word)


def _fits(platform: str, wanted: str) -> bool:
    """A variant that is not asked for does not matter."""
    return platform == wanted or platform.startswith(f"{wanted}/")


def _is_attestation(row: dict[str, Any]) -> bool:
    """BuildKit puts what it knows of a build beside the images, for no platform."""
    notes = row.get("annotations")
    named = isinstance(notes, dict) and "vnd.docker.reference.type" in notes
    return named or _platform(row).startswith("unknown/")
