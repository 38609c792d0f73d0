"""One look into one image: manifest, configuration, and layers where that is allowed.

Imported only when an image is asked for: it brings ``oras`` and ``requests``.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from packaging.version import Version

from servelint.api import Resolved
from servelint_registry.address import address_of
from servelint_registry.client import Client, descriptor_of
from servelint_registry.configuration import read_configuration
from servelint_registry.errors import Problem, Spent
from servelint_registry.layers import Task, layers_of, read_layers
from servelint_registry.platforms import find_image
from servelint_registry.statements import read_statement
from servelint_registry.transport import Clock

TYPE_CHECKING = False
if TYPE_CHECKING:
    from servelint.api import Inside
    from servelint_registry.client import Descriptor, Document
    from servelint_registry.configuration import Configuration
    from servelint_registry.layers import Look, Progress
    from servelint_registry.options import Options


@dataclass(frozen=True, slots=True)
class _Image:
    """What was read of an image before its layers."""

    digest: str
    manifest: Document
    configuration: Configuration
    layers: tuple[Descriptor, ...]
    bytes_read: int


def look_into(
    reference: str, inside: Inside, options: Options, progress: Progress | None
) -> Resolved:
    """See :func:`servelint_registry.resolve`."""
    clock = Clock(options.seconds)
    client = Client(address_of(reference, plain_http=options.plain_http), options, clock)
    try:
        image = _image(client, options, inside)
        found = _from_configuration(reference, image, client, inside)
        if options.layers:
            look = read_layers(
                Task(
                    client,
                    image.layers,
                    image.configuration,
                    inside,
                    max(0, options.budget - image.bytes_read),
                    progress,
                )
            )
            found = _with_layers(found, look, inside)
        return replace(found, seconds=clock.spent())
    except Spent as spent:
        raise client.failure(spent) from None
    finally:
        client.close()


def _image(client: Client, options: Options, inside: Inside) -> _Image:
    digest, manifest = find_image(client, options.platform)
    layers = layers_of(manifest.table, client)
    try:
        descriptor = descriptor_of(manifest.table["config"])
    except Problem as problem:
        raise client.failure(problem) from None
    document = client.configuration(descriptor)
    return _Image(
        digest,
        manifest,
        read_configuration(document.table, len(layers), inside.oldest),
        layers,
        manifest.size + document.size,
    )


def _from_configuration(reference: str, image: _Image, client: Client, inside: Inside) -> Resolved:
    """What the configuration says, the day of making included."""
    told = read_statement(image.configuration, inside, client.address)
    created = image.configuration.created
    late = _late(created, inside)
    early = told.version and any(
        marker.pull in late and Version(told.version) >= Version(marker.release)
        for marker in inside.markers
    )
    found = Resolved(
        reference=reference,
        repository=f"{client.address.registry}/{client.address.name}",
        digest=image.digest,
        platform_digest=image.manifest.digest,
        version=told.version,
        commit=told.commit,
        created=created,
        evidence=told.evidence,
        clears=told.clears,
        reason=told.reason,
        detail=told.detail,
        bytes_read=image.bytes_read,
    )
    if early:
        detail = f"{told.evidence}, but it was made on {created}, before that release: use --layers"
        return replace(found, version="", clears=False, reason="conflicting", detail=detail)
    if not late:
        return found
    made = f"made on {created}, before {len(late)} of the fixes were written"
    evidence = f"{told.evidence}; {made}" if told.evidence else made
    return replace(found, absent=late, reason="", evidence=evidence)


def _late(created: str, inside: Inside) -> tuple[int, ...]:
    """The pull requests that an image of that day cannot hold."""
    pulls = {marker.pull: marker.since for marker in inside.markers}
    return tuple(pull for pull, since in pulls.items() if created and created < since)


def _with_layers(found: Resolved, look: Look, inside: Inside) -> Resolved:
    """What the layers prove wins over what the configuration says."""
    found = replace(found, bytes_read=found.bytes_read + look.bytes_read)
    seen, stopped = look.conclusion, look.stopped
    if seen is None:
        nothing = f"{inside.module} was not found in its layers"
        detail = f"{stopped}, and {nothing} so far" if stopped else nothing
        clears = found.clears and bool(stopped)
        return replace(found, clears=clears, detail=f"{found.detail}; {detail}".lstrip("; "))
    made = tuple(pull for pull in found.absent if pull not in seen.fixes)
    absent = tuple(sorted({*seen.absent, *made}))
    verified = "" if look.is_verified else "; the layer was left early, so its digest is unverified"
    is_told = bool(seen.version or seen.fixes or absent)
    return replace(
        found,
        version=seen.version,
        commit=seen.commit or found.commit,
        fixes=seen.fixes,
        absent=absent,
        evidence=f"{seen.evidence}{verified}",
        clears=seen.clears and not stopped,
        reason="" if is_told else seen.reason or "no-evidence",
        detail="; ".join(part for part in (seen.detail, stopped) if part),
    )
