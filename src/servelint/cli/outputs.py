"""Reports in several formats, on the standard output and in files."""

from __future__ import annotations

import os
import stat
import sys
from dataclasses import dataclass, replace
from importlib import import_module

from servelint.advisory import Advisory
from servelint.config import ConfigError, find_root
from servelint.reporters.described import Described
from servelint.reporters.github import annotate, defused
from servelint.saving import write_whole

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from servelint.config import Config
    from servelint.finding import Report
    from servelint.page import Record
    from servelint.reporters import Options

_MODULE = {"markdown": "summary_markdown"}
"""Formats whose reporter has another name."""

DOCUMENTED = frozenset({"sarif", "rdjson"})
"""Formats that carry the pages of what findings name, or lead to more."""

FILE_WIDTH = 100
"""Columns of a text that is written into a file."""


@dataclass(frozen=True, slots=True)
class Outputs:
    """What to write: ``printed`` on the standard output (empty: nothing), the rest into files.

    ``annotated``: commands to the runner of GitHub Actions follow. ``watched``: it takes what
    is printed for commands.
    """

    printed: str
    files: tuple[tuple[str, str], ...]
    annotated: bool
    watched: bool


def outputs(formats: Sequence[tuple[str, str]], annotations: str) -> Outputs:
    """What the command line asks for. Raises :class:`ConfigError` for what cannot be."""
    printed = [name for name, file in formats if not file]
    files = tuple((name, file) for name, file in formats if file)
    if len(printed) > 1:
        raise ConfigError(f"--format: {' and '.join(printed)} cannot share the standard output")
    places = [os.path.realpath(file) for _, file in files]
    for (_, file), place in zip(files, places, strict=True):
        if places.count(place) > 1:
            raise ConfigError(f"--format: {file} would be written twice")
    shown = printed[0] if printed else ""
    in_job = os.environ.get("GITHUB_ACTIONS") == "true"
    wanted = annotations == "always" or (annotations == "auto" and in_job and _is_read())
    if annotations == "always" and shown not in ("", "text", "github"):
        raise ConfigError(f"--annotations always: {shown} has the standard output for itself")
    return Outputs(shown, files, wanted and shown in ("", "text"), in_job)


def _is_read() -> bool:
    """False when the standard output is a file: no runner reads it."""
    try:
        return not stat.S_ISREG(os.fstat(sys.stdout.fileno()).st_mode)
    except (OSError, ValueError):  # it is no file at all
        return True


def written(wanted: Outputs, report: Report, options: Options, config: Config) -> str:
    """Write the files, and give what is to be printed. Raises :class:`ConfigError`."""
    names = {wanted.printed, *(name for name, _ in wanted.files)}
    whole = replace(
        options,
        prefix=_prefix(config.root),
        records=_described(config) if names & DOCUMENTED else {},
    )
    for name, file in wanted.files:
        text = _reporter(name)(report, replace(whole, color=False, width=FILE_WIDTH))
        write_whole(file, text.encode("utf-8", "backslashreplace"))
    text = _reporter(wanted.printed)(report, whole) if wanted.printed else ""
    if wanted.printed == "text" and wanted.watched:
        text = defused(text)
    return text + (annotate(report, whole) if wanted.annotated else "")


def _reporter(name: str) -> Callable[[Report, Options], str]:
    module = import_module(f"servelint.reporters.{_MODULE.get(name, name)}")
    report: Callable[[Report, Options], str] = module.report
    return report


def _prefix(root: str) -> str:
    """What leads from the top of the repository to the root: code hosts count from the top."""
    below = os.path.relpath(root, find_root(root)).replace(os.sep, "/")
    return "" if below == "." else f"{below}/"


def _described(config: Config) -> dict[str, Described]:
    from servelint.pipeline import records  # noqa: PLC0415  # few formats need them

    return {name: _record(record) for name, record in records(config).items()}


def _record(record: Record) -> Described:
    from servelint.page import kind, page  # noqa: PLC0415

    profile = getattr(record, "profile", "")
    tags = ("security", kind(record), *((profile,) if profile else ()))
    described = Described(
        record.id, record.title, record.severity, _summary(record.body), page(record), tags
    )
    if not isinstance(record, Advisory):
        return described
    url = next(iter(record.references), "")
    return replace(described, tags=(*tags, *record.aliases), url=url)


def _summary(body: str) -> str:
    """The first paragraph of a page that is no heading."""
    paragraphs = (part.strip() for part in body.split("\n\n"))
    return next((part for part in paragraphs if part and not part.startswith("#")), "")
