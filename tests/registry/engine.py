"""A made-up engine, what images show of it, and its files as they lie in images."""

from __future__ import annotations

import json

from made_images import SITE

from servelint.api import Inside, Marker
from servelint_registry import Options

OLD, NEW, LATE = 101, 202, 303
"""Pull requests, in the order of the releases that brought them."""

INSIDE = Inside(
    packages=("engine",),
    module="engine",
    forks=("fastengine",),
    version_files=("_version.py", "version.py"),
    trees=("/code/engine",),
    version_names=("build.tag", "ENGINE_VERSION"),
    commit_names=("build.commit", "ENGINE_COMMIT"),
    tag_names=("build.tag", "org.opencontainers.image.version"),
    build_args=("ENGINE_VER", "ENGINE_BRANCH"),
    voiding_args={"USE_LATEST": "1"},
    forms=(
        r"(?:.*:)?v?(?P<version>\d+\.\d+\.\d+(?:rc\d+)?)(?:-cu\d+)*",
        r"(?P<version>\d+\.\d+\.\d+)\+(?P<commit>[0-9a-f]{7,40})",
        r"nightly-\d{8}-(?P<commit>[0-9a-f]{8})",
    ),
    home_values=("unknown", "local/"),
    markers=(
        Marker(OLD, "srt/prefill.py", "_retire_aborted", "0.5.20", "2026-09-06"),
        Marker(NEW, "srt/environ.py", "RELEASE = EnvBool(True)", "0.5.21", "2026-09-24"),
        Marker(LATE, "srt/conn.py", "supports_release = True", "0.5.22", "2026-09-24"),
    ),
    newest="0.5.23",
    checked="2026-11-30",
    oldest="2024-01-01",
)

ALL = (OLD, NEW, LATE)
LAYERS = Options(layers=True)


def tree(root: str, version: str = "", *, holds=ALL, lacks=None, filler: int = 0) -> dict:
    """The module's directory with the texts of some pull requests, the files of all."""
    files = {f"{root}/__init__.py": ""}
    if version:
        files[f"{root}/_version.py"] = f"# made\n__version__ = version = '{version}'\n"
    for number in range(filler):
        files[f"{root}/models/m{number}.py"] = "pass\n"
    for marker in INSIDE.markers:
        if lacks is None or marker.pull not in lacks:
            text = marker.text if marker.pull in holds else marker.text.replace("True", "False")
            text = text if marker.pull in holds or "True" in marker.text else "nothing"
            files[f"{root}/{marker.path}"] = f"import os\n\n{text}\n"
    return files


def wheel(version: str, *, site: str = SITE, name: str = "engine", **more) -> dict:
    """An ordinary install."""
    meta = {f"{site}/{name.replace('-', '_')}-{version}.dist-info/METADATA": "Name: engine\n"}
    return tree(f"{site}/engine", version, **more) | meta


def editable(version: str, project: str, *, site: str = SITE, finder: str = "") -> dict:
    """What an editable install leaves in a site directory."""
    info = f"{site}/engine-{version}.dist-info"
    files = {
        f"{info}/METADATA": "Name: engine\n",
        f"{info}/direct_url.json": json.dumps(
            {"url": f"file://{project}", "dir_info": {"editable": True}}
        ),
    }
    if finder:
        text = f"MAPPING: dict[str, str] = {{'engine': '{finder}'}}\nNAMESPACES = {{}}\n"
        files[f"{site}/__editable___engine_{version.replace('.', '_')}_finder.py"] = text
    return files
