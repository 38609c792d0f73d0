"""The version of an engine inside an image, read from the registry that holds it.

The only code that speaks to a network, and only when it is called. Nothing heavy is
imported before :func:`resolve` is called.
"""

from __future__ import annotations

from servelint_registry.errors import RegistryError
from servelint_registry.options import Options

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from servelint.api import Inside, Resolved

__all__ = ["Options", "RegistryError", "from_engine_tool", "resolve"]


def resolve(
    reference: str,
    inside: Inside,
    options: Options,
    progress: Callable[[int, int, str], None] | None = None,
) -> Resolved:
    """Look into an image in its registry.

    ``progress`` is called with the bytes of layers read, their number in all, and what is
    being read. Raises :class:`RegistryError` with one sentence when the image cannot be read;
    what cannot be told of an image that can, is a :class:`Resolved` with a reason.
    """
    try:
        from servelint_registry.resolving import look_into  # noqa: PLC0415  # it is heavy
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in ("oras", "requests"):
            raise
        raise RegistryError(
            "to look into images, oras is needed: pip install 'servelint[registry]'"
        ) from None
    return look_into(reference, inside, options, progress)


def from_engine_tool(tool: str, reference: str, inside: Inside, seconds: float = 900.0) -> Resolved:
    """What ``pip show`` prints inside an image, which ``docker`` or ``podman`` runs.

    The image is pulled if it is not there, and its code runs: only for images that one would run
    anyway. Raises :class:`RegistryError` with one sentence.
    """
    from servelint_registry.engine_tool import ask  # noqa: PLC0415  # it starts a program

    return ask(tool, reference, inside, seconds)
