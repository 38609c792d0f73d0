"""Where the engine is installed in an image, and which source tree that means."""

from __future__ import annotations

import ast
import json
import posixpath
import re
from dataclasses import dataclass
from urllib.parse import unquote, urlsplit

from servelint_registry.overlay import clean
from servelint_registry.wanted import normal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from servelint.api import Inside
    from servelint_registry.overlay import Found, Overlay

_DIST = re.compile(r"(?P<name>.+?)-(?P<version>[^-]+)\.dist-info", re.ASCII)
_EGG = re.compile(r"(?P<name>[^-]+)(?:-[^-]+(?:-py[\d.]+)?)?\.egg-info", re.ASCII)
_MAPPING = re.compile(rb"^MAPPING\s*(?::[^=\n]*)?=\s*(\{[^{}]*\})", re.MULTILINE)
_HEADER = re.compile(rb"^Version:[ \t]*(\S{1,100})", re.MULTILINE)
_VERSION = re.compile(
    rb"^(?:__version__|version)\b[^=\n]{0,40}=\s*(?:version\s*=\s*)?['\"]([^'\"\n]{1,100})['\"]",
    re.MULTILINE,
)
_PREFIX = re.compile(r"(?P<prefix>.*?)/?lib(?:64)?/python[\d.]*/(?:site|dist)-packages", re.ASCII)


@dataclass(frozen=True, slots=True)
class Install:
    """A distribution of the engine, as its installer left it in the directory ``site``.

    ``root`` is the directory of the module that Python then imports, without a slash
    in front; empty when it is not known. ``layer`` is where the entry lies. ``title`` is
    for people.
    """

    site: str
    name: str
    version: str
    root: str
    layer: int
    title: str

    @property
    def prefix(self) -> str:
        """The directory whose ``bin`` has the Python of this install; ``?`` for one not told."""
        match = _PREFIX.fullmatch(self.site)
        return f"/{match['prefix']}" if match is not None else "?"


def installs(overlay: Overlay) -> tuple[Install, ...]:
    """All installs of the engine and of its forks that can be seen."""
    inside = overlay.wanted.inside
    return tuple(
        install
        for path, found in overlay.files.items()
        for install in _install(overlay, path, found)
        if install.name in (*inside.packages, *inside.forks)
    )


def _install(overlay: Overlay, path: str, found: Found) -> Iterator[Install]:
    folder = posixpath.dirname(path)
    site, title = posixpath.split(folder)
    if found.inner == "METADATA" and (match := _DIST.fullmatch(title)):
        name = normal(match["name"])
        root = _root(overlay, site, folder, name)
        yield Install(site, name, match["version"], root, found.layer, title)
    elif found.inner == "PKG-INFO" and (match := _EGG.fullmatch(title)):
        name, version = normal(match["name"]), _header(found)
        for place in (site, *_linked(overlay, name, site)) if version else ():
            if place != site or _PREFIX.fullmatch(site):
                root = _seen_root(overlay, (_module(overlay, site),))
                yield Install(place, name, version, root, found.layer, title)


def _linked(overlay: Overlay, name: str, tree: str) -> Iterator[str]:
    """The directories that say by an old kind of link that the engine lies in ``tree``."""
    for path, found in overlay.files.items():
        site, base = posixpath.split(path)
        if base.endswith(".egg-link") and normal(base.removesuffix(".egg-link")) == name:
            lines = (found.data or b"").decode("utf-8", "replace").splitlines()
            if lines and clean(lines[0].strip()) == tree:
                yield site


def _root(overlay: Overlay, site: str, folder: str, name: str) -> str:
    """The directory of the module that an install means; empty when it is elsewhere, unseen."""
    own = _resolved(overlay, _module(overlay, site))
    if f"{own}/__init__.py" in overlay.files:
        return own  # It comes before whatever the files of the installer add to the search path.
    places = [*_mapped(overlay, site, name)]
    base = _editable(overlay.files.get(f"{folder}/direct_url.json"))
    if base is not None:
        places += [_module(overlay, f"{base}{below}") for below in ("", "/src", "/python")]
    if places:
        return _seen_root(overlay, tuple(places))
    return own


def _mapped(overlay: Overlay, site: str, name: str) -> Iterator[str]:
    """Directories of the module that files beside the install send Python to."""
    word, module = name.replace("-", "_"), overlay.wanted.inside.module
    for path, found in overlay.files.items():
        folder, base = posixpath.split(path)
        if folder != site or found.inner != "link" or word not in base.lower() or not found.data:
            continue
        if base.endswith(".py"):
            match = _MAPPING.search(found.data)
            table = _literal(match[1]) if match is not None else {}
            target = table.get(module)
            if isinstance(target, str):
                yield clean(target)
        elif base.endswith(".pth"):
            for line in found.data.decode("utf-8", "replace").splitlines():
                if line.startswith("/"):
                    yield _module(overlay, clean(line.strip()))


def _editable(found: Found | None) -> str | None:
    """The project directory of an editable install; None for an ordinary one."""
    try:
        table = json.loads(found.data or b"") if found is not None else {}
        if not table["dir_info"]["editable"]:
            return None
        return clean(unquote(urlsplit(table["url"]).path))
    except (KeyError, TypeError, ValueError, RecursionError):
        return None


def _literal(text: bytes) -> dict[object, object]:
    try:
        found = ast.literal_eval(text.decode())
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        return {}
    return found if isinstance(found, dict) else {}


def _module(overlay: Overlay, folder: str) -> str:
    module = overlay.wanted.inside.module
    return f"{folder}/{module}" if folder else module


def _seen_root(overlay: Overlay, places: tuple[str, ...]) -> str:
    """The first of some directories that holds something; the only one, seen or not."""
    real = [_resolved(overlay, place) for place in places]
    seen = [root for root in real if has_files(overlay, root)]
    return seen[0] if seen else real[0] if len(set(real)) == 1 else ""


def _resolved(overlay: Overlay, root: str) -> str:
    """Where a directory really is, links followed."""
    for _ in range(8):
        link = next((one for one in _above(root) if one in overlay.links), None)
        if link is None:
            return root
        root = clean(overlay.links[link] + root[len(link) :])
    return ""


def _above(path: str) -> Iterator[str]:
    while path:
        yield path
        path = path.rpartition("/")[0]


def has_files(overlay: Overlay, root: str) -> bool:
    """True when a wanted file of a module directory was seen."""
    wanted = overlay.wanted
    inner = (*wanted.markers, *wanted.inside.version_files, "__init__.py")
    return any(f"{root}/{path}" in overlay.files for path in inner)


def tree_version(overlay: Overlay, root: str, inside: Inside) -> str:
    """The version that a source tree says of itself; empty for none."""
    for path in inside.version_files:
        found = overlay.files.get(f"{root}/{path}")
        match = _VERSION.search(found.data) if found is not None and found.data else None
        if match is not None:
            return match[1].decode("utf-8", "replace")
    return ""


def _header(found: Found) -> str:
    match = _HEADER.search(found.data or b"")
    return match[1].decode("utf-8", "replace") if match is not None else ""
