"""What an image of an engine shows from the inside, and what was found in one.

The core knows no product: a plugin says by :class:`Inside` where to look, a
resolver answers with :class:`Resolved`.
"""

from __future__ import annotations

from dataclasses import dataclass, field

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class Marker:
    """A piece of source text that came with a fix.

    ``path`` is a file below the directory of the module. Where that file holds
    ``text``, pull request ``pull`` is in the code; where it does not, it is not in.
    ``release`` is the first release with it. No image made before ``since``
    (YYYY-MM-DD) can hold it; empty when that day is not known.
    """

    pull: int
    path: str
    text: str
    release: str
    since: str = ""


@dataclass(frozen=True, slots=True)
class Inside:
    """Where an image says which version of an engine it holds.

    ``packages`` are the normalised names of distributions whose version is the
    engine's, ``forks`` of those that install the same ``module`` with versions of
    their own. ``version_files`` lie below the directory of the module. ``trees``
    are directories where images keep its sources: what is copied there later
    changes the engine.

    Labels and variables: ``version_names`` hold a version or a tag, ``commit_names``
    a commit, ``tag_names`` the tag that the image was made for. ``build_args`` are
    names in the history that hold a version; ``voiding_args`` are those with a value
    that makes them mean nothing. ``forms`` are the regular expressions that a
    value must match whole, with the groups ``version`` and ``commit``; a value that
    begins with one of ``home_values`` was made by hand and says nothing.

    The markers were compared with all releases up to ``newest`` and with the main
    branch up to the day ``checked``: later code may have moved them, so that
    their absence proves nothing. A day before ``oldest`` is no day of making.
    """

    packages: tuple[str, ...]
    module: str
    forks: tuple[str, ...] = ()
    version_files: tuple[str, ...] = ()
    trees: tuple[str, ...] = ()
    version_names: tuple[str, ...] = ()
    commit_names: tuple[str, ...] = ()
    tag_names: tuple[str, ...] = ()
    build_args: tuple[str, ...] = ()
    voiding_args: Mapping[str, str] = field(default_factory=dict)
    forms: tuple[str, ...] = ()
    home_values: tuple[str, ...] = ()
    markers: tuple[Marker, ...] = ()
    newest: str = ""
    checked: str = ""
    oldest: str = ""


@dataclass(frozen=True, slots=True)
class Resolved:
    """What was found in one image.

    ``digest`` is that of the index or manifest which ``reference`` names,
    ``platform_digest`` that of the manifest of one platform. ``created`` is
    YYYY-MM-DD or empty. ``fixes`` and ``absent`` are pull requests proven to be
    in the code and proven not to be. ``evidence`` is one clause for people.
    ``clears`` says whether all this may acquit the image; what accuses, accuses
    in any case. ``reason`` is one of the closed list of reasons when nothing could be
    told, and ``detail`` is then, or when it does not clear, one sentence that
    says why. ``bytes_read`` came over the network in ``seconds``.
    """

    reference: str
    repository: str = ""
    digest: str = ""
    platform_digest: str = ""
    version: str = ""
    commit: str = ""
    created: str = ""
    fixes: tuple[int, ...] = ()
    absent: tuple[int, ...] = ()
    evidence: str = ""
    clears: bool = False
    reason: str = ""
    detail: str = ""
    bytes_read: int = 0
    seconds: float = 0.0
