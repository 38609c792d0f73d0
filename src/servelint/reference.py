"""Image references, split as the distribution specification reads them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Reference:
    """The pieces of an image reference; what is not written is empty.

    Nothing is added: no default registry, no ``latest``.
    """

    registry: str
    repository: str
    tag: str
    digest: str

    @property
    def path(self) -> tuple[str, ...]:
        """The segments of the repository, lower case."""
        return tuple(self.repository.lower().split("/"))


_SQUASHED = ".sqsh"

_BARE = "docker:"
"""A scheme of some launchers, and the beginning of a tagged image named ``docker``."""

SCHEMES = ("docker://", "oci://", "docker-image://", "dockerd://", "containerd://", _BARE)


def split_reference(text: str) -> Reference:
    """Split ``[scheme][host[:port]/]path[:tag][@digest]``.

    The first segment is a registry when it holds a dot or a colon or is
    ``localhost``. Enroot's ``host#path`` is read as ``host/path``, and the file
    that it makes of an image, ``path+tag.sqsh``, as that image. Never fails: what
    fits nowhere stays in ``repository``.
    """
    rest = text.strip().strip("\"'")
    scheme = next((scheme for scheme in SCHEMES if rest.startswith(scheme)), "")
    if scheme != _BARE or "/" in rest or rest.count(":") > 1:
        rest = rest.removeprefix(scheme)
    rest, _, digest = _unsquashed(rest).partition("@")
    rest = rest.replace("#", "/", 1)
    head, slash, last = rest.rpartition("/")
    last, _, tag = last.partition(":")
    name = f"{head}{slash}{last}"
    first, slash, after = name.partition("/")
    if slash and ("." in first or ":" in first or first == "localhost"):
        return Reference(first, after, tag, digest)
    return Reference("", name, tag, digest)


def _unsquashed(text: str) -> str:
    """The image that a squash file was made of, as the importer of enroot names the file."""
    name = text.rpartition("/")[2].removesuffix(_SQUASHED)
    path, plus, tag = name.rpartition("+")
    if not plus or not text.endswith(_SQUASHED):
        return text
    return f"{path.replace('+', '/')}:{tag}"
