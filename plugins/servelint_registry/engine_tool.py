"""The version that an image itself prints, asked through Docker or Podman."""

from __future__ import annotations

import re
import subprocess
import time
from dataclasses import replace

from packaging.version import InvalidVersion, Version

from servelint.api import Resolved
from servelint_registry.address import address_of, shown
from servelint_registry.errors import RegistryError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from servelint.api import Inside

TOOLS = ("docker", "podman")
SECONDS = 900.0
"""How long the tool may take: it may have to pull the image first."""

LONGEST_OUTPUT = 100_000

_ADVICE = re.compile(r"(?:Run|See) '")
"""How the last line begins of what the tools say; the reason stands above it."""


def ask(tool: str, reference: str, inside: Inside, seconds: float) -> Resolved:
    """See :func:`servelint_registry.from_engine_tool`."""
    if tool not in TOOLS:
        raise RegistryError(f"{shown(tool)} is none of {' and '.join(TOOLS)}")
    address = address_of(reference, plain_http=False)
    package = inside.packages[0]
    command = [tool, "run", "--rm", "--entrypoint", "pip", reference, "show", package]
    started = time.monotonic()
    try:
        done = subprocess.run(  # noqa: S603  # one of two programs, and a checked reference
            command, capture_output=True, timeout=seconds, check=False
        )
    except FileNotFoundError:
        raise RegistryError(f"{tool} is not installed, so {reference} cannot be asked") from None
    except subprocess.TimeoutExpired:
        raise RegistryError(f"{tool} was not done with {reference} after {seconds:g} s") from None
    except (OSError, ValueError):
        raise RegistryError(f"{tool} cannot be started, so {reference} cannot be asked") from None
    output = done.stdout[:LONGEST_OUTPUT].decode("utf-8", "replace")
    if done.returncode:
        raise RegistryError(_failure(tool, reference, package, done.stderr))
    found = Resolved(
        reference=reference,
        repository=f"{address.registry}/{address.name}",
        digest=address.digest,
        evidence=f"pip of the image, run by {tool}",
        seconds=time.monotonic() - started,
    )
    return _with_output(found, output, package)


def _failure(tool: str, reference: str, package: str, stderr: bytes) -> str:
    if b"Package(s) not found" in stderr:
        return f"pip in {reference} knows no package {package}"
    lines = stderr.decode("utf-8", "replace").strip().splitlines()
    lines = [line for line in lines if line.strip() and not _ADVICE.match(line)]
    return f"{tool} could not ask {reference}: {shown(lines[-1]) if lines else 'it said nothing'}"


def _with_output(found: Resolved, output: str, package: str) -> Resolved:
    """What ``pip show`` printed: of an editable install, what was true when it was made."""
    headers = dict(re.findall(r"^(Name|Version|Editable project location): *(\S+)", output, re.M))
    try:
        version = Version(headers.get("Version", ""))
    except InvalidVersion:
        detail = f"pip of the image printed no version of {package}"
        return replace(found, reason="no-evidence", detail=detail)
    if not any(version.release):
        detail = f"pip of the image prints {version}, which is no release: use --layers"
        return replace(found, reason="dev-version", detail=detail)
    place = headers.get("Editable project location", "")
    detail = (
        f"{package} is installed from {shown(place)}, where another version may lie by now: "
        "use --layers"
        if place
        else ""
    )
    return replace(found, version=version.public, clears=not place, detail=detail)
