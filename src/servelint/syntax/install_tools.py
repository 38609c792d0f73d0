"""Programs that install packages: which words start an install, and which options take a word."""

from __future__ import annotations

import re
from dataclasses import dataclass

from servelint.syntax.programs import base_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from servelint.value import Value

_NONE: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Install:
    """A command that installs what its words name.

    ``form`` is how a word names a package: ``pip`` (PEP 508 or a location),
    ``conda``, ``poetry``, ``pixi`` (as ``conda`` without ``--pypi``) or ``files``
    (words are files of requirements). ``values`` are the options that take the
    next word, ``files`` those whose word is a file, with how it is used,
    ``editable`` those whose word is a package, ``extras`` those that name extras
    of the packages. ``elsewhere`` are options with which nothing is installed
    where the commands after it look. ``surely`` says that it installs for the
    interpreter that its user would start, ``keeps`` that it leaves alone what is
    there and asks for no version.
    """

    form: str
    values: frozenset[str]
    files: tuple[tuple[str, str], ...] = ()
    editable: frozenset[str] = _NONE
    extras: frozenset[str] = _NONE
    elsewhere: frozenset[str] = _NONE
    surely: bool = False
    keeps: bool = False

    def how(self, option: str) -> str:
        """How the file behind an option is used; empty for another option."""
        return dict(self.files).get(option, "")


_EDITABLE = frozenset({"-e", "--editable"})
_FILES = (
    ("-r", "requirements"),
    ("--requirement", "requirements"),
    ("--requirements", "requirements"),
    ("-c", "constraints"),
    ("--constraint", "constraints"),
    ("--constraints", "constraints"),
)
_PIP_VALUES = frozenset(
    {
        *("-t", "-i", "-f", "-p", "--target"),
        *("--index-url", "--extra-index-url", "--find-links", "--platform", "--src"),
        *("--python-version", "--implementation", "--abi", "--prefix", "--root", "--proxy"),
        *("--timeout", "--retries", "--trusted-host", "--cert", "--client-cert", "--cache-dir"),
        *("--no-binary", "--only-binary", "--progress-bar", "--upgrade-strategy", "--report"),
        *("--python", "--index", "--default-index", "--index-strategy", "--resolution"),
        *("--prerelease", "--config-settings", "-C", "--group", "--optional", "--override"),
        *("--overrides", "--torch-backend", "--keyring-provider", "--link-mode"),
        *("--config-setting", "--exclude-newer", "--reinstall-package", "--upgrade-package", "-P"),
        *("--no-build-isolation-package", "--refresh-package", "--directory", "--project"),
        *("--package", "--script", "--bounds", "--with", "--with-editable", "--root-user-action"),
        *("--global-option", "--install-option", "--use-feature", "--log", "--build-constraint"),
        *("--branch", "--tag", "--rev", "--marker", "-m", "--python-platform", "--config-file"),
    }
)
_ELSEWHERE = frozenset({"--dry-run", "-t", "--target", "--root", "--prefix", "--download"})

_PIP = Install("pip", _PIP_VALUES, _FILES, _EDITABLE, elsewhere=_ELSEWHERE, surely=True, keeps=True)
_UV_ADD = Install(
    "pip",
    _PIP_VALUES,
    _FILES,
    _EDITABLE,
    extras=frozenset({"--extra"}),
    elsewhere=_ELSEWHERE,
    keeps=True,
)
_UV_TOOL = Install("pip", _PIP_VALUES, _FILES, elsewhere=_ELSEWHERE)
_UV_SYNC = Install("files", _PIP_VALUES, _FILES, elsewhere=_ELSEWHERE)
_PIPX = Install("pip", frozenset({"--python", "--suffix", "--pip-args", "--index-url", "-i"}))
_PIPX_INJECT = Install("pip", _PIPX.values, _FILES[:3])
_PIPENV = Install(
    "pip",
    frozenset({"-i", "--index", "--python", "--pypi-mirror", "--categories", "--extra-pip-args"}),
    (("-r", "requirements"), ("--requirements", "requirements")),
    _EDITABLE,
)
_PDM_ADD = Install(
    "pip",
    frozenset({*("-G", "--group", "-p", "--project", "-L", "--lockfile", "-k", "--skip")}),
    editable=_EDITABLE,
    elsewhere=frozenset({"--dry-run"}),
)
_POETRY_ADD = Install(
    "poetry",
    frozenset({*("-G", "--group", "--python", "--platform", "--source", "--markers")}),
    editable=_EDITABLE,
    extras=frozenset({"-E", "--extras"}),
    elsewhere=frozenset({"--dry-run"}),
)
_CONDA_VALUES = frozenset(
    {
        *("-n", "--name", "-p", "--prefix", "-c", "--channel", "--solver", "--file", "-f"),
        *("--revision", "--repodata-fn", "--subdir", "--platform", "-r", "--root-prefix"),
        *("--rc-file", "--experimental-solver", "--channel-priority", "--pyver"),
    }
)
_CONDA = Install(
    "conda", _CONDA_VALUES, elsewhere=frozenset({"--dry-run", "-d", "--download-only"})
)
_PIXI_ADD = Install(
    "pixi",
    frozenset(
        {
            *("--manifest-path", "-f", "--feature", "-p", "--platform", "-c", "--channel", "-w"),
            *("--workspace", "--environment", "-e", "--expose", "--branch", "-b", "--tag", "-t"),
            *("--rev", "-r", "-s", "--subdir", "--git", "-g", "--with"),
        }
    ),
    elsewhere=frozenset({"--git", "-g"}),  # the words then name what is in a repository
)

_VERBS: dict[str, dict[tuple[str, ...], Install]] = {
    "pip": {("install",): _PIP},
    "uv": {
        ("pip", "install"): _PIP,
        ("add",): _UV_ADD,
        ("tool", "install"): _UV_TOOL,
        ("pip", "sync"): _UV_SYNC,
    },
    "pipx": {("install",): _PIPX, ("inject",): _PIPX_INJECT},
    "pipenv": {("install",): _PIPENV},
    "pdm": {("add",): _PDM_ADD},
    "poetry": {("add",): _POETRY_ADD},
    "conda": {("install",): _CONDA, ("create",): _CONDA, ("update",): _CONDA},
    "pixi": {("add",): _PIXI_ADD, ("global", "install"): _PIXI_ADD},
}
_NAMES = (
    (re.compile(r"pip(3(\.\d+)?)?\Z"), "pip"),
    (re.compile(r"(mamba|micromamba)\Z"), "conda"),
)
_PYTHON = re.compile(r"python(3(\.\d+)?)?\Z")
_BEFORE_MODULE = re.compile(r"-[bBdEhiIOPqsSuvVx]+\Z")
_MAX_WORDS = 16
"""Words in which the verb of an install must stand."""


def install_of(argv: Sequence[Value]) -> tuple[Install, int] | None:
    """The install that a command is, and the index of the first word behind its verb."""
    at = _program(argv)
    if at < 0:
        return None
    program = base_name(argv[at].text or "")
    name = next((name for pattern, name in _NAMES if pattern.match(program)), program)
    if name not in _VERBS:
        return None
    words = [word.text or "" for word in argv[at + 1 : at + 1 + _MAX_WORDS]]
    start = _behind_options(words)
    here = tuple(words[start : start + 2])
    for verb, install in _VERBS[name].items():
        if here[: len(verb)] == verb:
            return install, at + 1 + start + len(verb)
    return None


def _program(argv: Sequence[Value]) -> int:
    """The index of the word that names the program, also where an interpreter runs it."""
    first = argv[0].text if argv else ""
    if first is not None and not _PYTHON.match(base_name(first)):
        return 0 if first else -1
    at = 1
    while at < len(argv) and _BEFORE_MODULE.match(argv[at].text or ""):
        at += 1
    return at + 1 if at + 1 < len(argv) and argv[at].text == "-m" else -1


def _behind_options(words: Sequence[str]) -> int:
    """The index behind options that stand before a verb, with the words that they take."""
    at = 0
    while at < len(words) and words[at].startswith("-"):
        at += 2 if words[at] in _PIP_VALUES else 1
    return at
