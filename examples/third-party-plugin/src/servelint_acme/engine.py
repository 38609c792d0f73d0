"""The Acme server as servelint sees it: programs, options, releases, images."""

from __future__ import annotations

from servelint.api import Engine, Option, Program, Release, Resolution, split_reference

TYPE_CHECKING = False
if TYPE_CHECKING:
    from servelint.api import Image

PACKAGE = "acme-server"
RELEASES = ("1.0.0", "1.1.0", "1.2.0", "1.3.0")


def resolve_image(image: Image) -> Resolution | None:
    """The release that the tag of an image of Acme names; None for the images of others."""
    text = image.reference.text
    reference = split_reference(text) if text is not None else None
    if reference is None or reference.path[-2:] != ("acme", "server"):
        return None
    if reference.tag in RELEASES:
        return Resolution(PACKAGE, (Release(reference.tag),), via="tag")
    return Resolution(PACKAGE, reason="unknown-tag", detail="no release of Acme has this tag")


ENGINE = Engine(
    id="acme",
    title="Acme Server",
    packages=(PACKAGE,),
    programs=(Program(("acme-server", "run"), "server"),),
    options=(
        Option(("--half",), "1", "1.0.0"),
        Option(("--transfer",), "1", "1.0.0"),
        Option(("--admin-host",), "1", "1.1.0"),
    ),
    router_options=(),
    releases=RELEASES,
    role_flag="--half",
    roles={"prefill": "prefill", "decode": "decode", "none": "none"},
    defaults={"--transfer": "ring"},
    version_hint="docker run --rm IMAGE acme-server --version",
    resolve_image=resolve_image,
)
