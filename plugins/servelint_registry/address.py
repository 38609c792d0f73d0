"""From an image reference to the place where a registry keeps the image."""

from __future__ import annotations

import ipaddress
import re
from dataclasses import dataclass

from servelint.api import split_reference
from servelint_registry.errors import RegistryError

HUB = "docker.io"
HUB_NAMES = frozenset({"", HUB, "index.docker.io", "registry-1.docker.io"})
HUB_API = "registry-1.docker.io"
HUB_KEY = "https://index.docker.io/v1/"
"""The registry of references that name none: its host, and its key in configuration files."""

DEFAULT_TAG = "latest"

_PIECE = r"[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*"
_HOST = re.compile(r"(?:[A-Za-z0-9.-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(?::\d{1,5})?", re.ASCII)
_NAME = re.compile(rf"{_PIECE}(?:/{_PIECE})*", re.ASCII)
_TAG = re.compile(r"\w[\w.-]{0,127}", re.ASCII)
DIGEST = re.compile(r"sha256:[0-9a-f]{64}|sha512:[0-9a-f]{128}", re.ASCII)

LONGEST = 512
"""No reference of more characters is looked at."""


@dataclass(frozen=True, slots=True)
class Address:
    """Where an image is.

    ``registry`` is the name for people, ``origin`` scheme and host of its API, ``name``
    the repository there. ``tag`` is as asked, with the default where neither tag nor
    digest is given; ``digest`` wins over it.
    """

    registry: str
    origin: str
    name: str
    tag: str
    digest: str

    @property
    def label(self) -> str:
        """What the API is asked for."""
        return self.digest or self.tag

    @property
    def is_local(self) -> bool:
        """True for a registry on this machine."""
        return is_loopback(host_of(self.origin))

    def __str__(self) -> str:
        """Repository and label, as messages name the image."""
        sign = "@" if self.digest else ":"
        return f"{self.name}{sign}{self.label}"


def address_of(text: str, *, plain_http: bool) -> Address:
    """The address of a reference. Raises :class:`RegistryError` for text that is none."""
    reference = split_reference(text)
    registry, name = reference.registry, reference.repository
    if registry.lower() in HUB_NAMES:
        registry, host = HUB, HUB_API
        name = name if "/" in name else f"library/{name}"
    else:
        host = registry
    wrong = (
        len(text) > LONGEST
        or not _HOST.fullmatch(host)
        or not _NAME.fullmatch(name)
        or (reference.tag and not _TAG.fullmatch(reference.tag))
        or (reference.digest and not DIGEST.fullmatch(reference.digest))
    )
    if wrong:
        raise RegistryError(f"{shown(text)} is no image reference that a registry can be asked for")
    bare = plain_http or is_loopback(host_of(f"//{host}"))
    tag = reference.tag or ("" if reference.digest else DEFAULT_TAG)
    return Address(registry, f"{'http' if bare else 'https'}://{host}", name, tag, reference.digest)


def host_of(url: str) -> str:
    """The host of an origin, without its port and brackets, lower case."""
    host = url.partition("//")[2].partition("/")[0].rpartition("@")[2]
    if host.startswith("["):
        return host[1:].partition("]")[0].lower()
    return host.partition(":")[0].lower()


def is_loopback(host: str) -> bool:
    """True for a host that is this machine."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def shown(text: str) -> str:
    """Foreign text as a message may hold it: printable and short."""
    safe = "".join(letter if letter.isprintable() else "?" for letter in text[:120])
    return f"'{safe}...'" if len(text) > 120 else f"'{safe}'"
