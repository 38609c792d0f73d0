"""Files that are read together: a chart, a kustomization, a compose project.

A single file is a unit of its own and needs none of this.
"""

from __future__ import annotations

from dataclasses import dataclass

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from servelint.facts import Launch


LATENT = "off by default"
"""The variant of what a unit would hold with a value that no file of the repository gives."""


@dataclass(frozen=True, slots=True, eq=False)
class Files:
    """The files of a root, for readers of units. All paths are relative to it, with ``/``.

    ``names`` are all of them in order, ``relevant`` those that hold a word of a product. ``text``
    gives the decoded text of one, None when it cannot be read. ``launches`` are the commands that
    single files run: some name the files of a unit (``helm install -f values.yaml``).
    """

    names: tuple[str, ...]
    relevant: frozenset[str]
    text: Callable[[str], str | None]
    launches: tuple[Launch, ...] = ()


@dataclass(frozen=True, slots=True)
class Unit:
    """What is read together, by the reader of its ``kind``.

    ``path`` names it: the directory of a chart, else its main file. ``files`` are those that it
    takes: they are not read one by one.
    """

    kind: str
    path: str
    files: tuple[str, ...]
