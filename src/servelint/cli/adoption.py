"""Reports on a part of what there is to say: what is new since a baseline, or since a revision."""

from __future__ import annotations

import os
from dataclasses import replace

import servelint_builtins
from servelint.baseline import Baseline, accepted, read, tightened, without, written
from servelint.cli.terminal import OK
from servelint.config import (
    BASELINE,
    IMAGE_MAP,
    MAX_BYTES,
    MAX_QUOTE,
    POOL_FILE,
    ConfigError,
    read_bytes,
)
from servelint.discover import read_text
from servelint.finding import COUNTS, Report, Skip
from servelint.reporters.summary import plural
from servelint.saving import write_whole

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Collection

    from servelint.baseline import Known
    from servelint.config import Config

_GOVERNING = ("servelint.toml", "pyproject.toml", IMAGE_MAP, POOL_FILE, BASELINE)
"""Files of the root by which everything may have been judged, when they are gone."""


def judged(args: argparse.Namespace, config: Config) -> Report:
    """The report that a check asks for. Raises :class:`ConfigError`."""
    from servelint.pipeline import run  # noqa: PLC0415  # nothing changed, nothing to import

    known = None if args.no_baseline else _known(args, config)
    if known is not None and known.path in config.paths:
        config = replace(config, paths=(".", *config.paths))  # by it everything is judged
    limited = config if args.since is None else _since(args.since, config, known)
    if limited is None:
        return _nothing()
    report = run(limited)
    if known is None:
        return report
    whole = not (report.named or args.select or args.ignore)
    return without(report, known, whole=whole)


def _nothing() -> Report:
    counts = dict.fromkeys(COUNTS, 0)
    return Report(counts=counts, data_date=servelint_builtins.DATA_DATE, named=True)


# -- baseline -----------------------------------------------------------------


def baseline(args: argparse.Namespace, config: Config) -> tuple[str, int]:
    """Write down the present findings, or remove what is not there any more."""
    from servelint.pipeline import run  # noqa: PLC0415

    file = args.file or os.path.join(config.root, BASELINE)
    shown = _shown(file, config.root)
    there = os.path.lexists(file)
    if args.update and not there:
        raise ConfigError(f"{shown}: there is none to update; `servelint baseline` writes one")
    before = _read(file, config.root).known if there else ()
    report = run(config)
    after = tightened(before, report.findings) if args.update else accepted(report.findings)
    write_whole(file, written(after).encode(), shown)
    return f"{shown}: {_told(before, after)}{_left(report, Baseline(shown, '', after))}\n", OK


def _told(before: Collection[Known], after: Collection[Known]) -> str:
    old, new = ({one.fingerprint for one in known} for known in (before, after))
    return f"{plural(len(new), 'finding')} ({len(new - old)} added, {len(old - new)} removed)"


def _left(report: Report, known: Baseline) -> str:
    """What is not in a baseline that was just written."""
    rest = len(without(report, known).findings)
    skipped = len(report.skips)
    return (f"; {plural(rest, 'finding')} beside it" if rest else "") + (
        f"; {skipped} skipped, and not in it" if skipped else ""
    )


def _known(args: argparse.Namespace, config: Config) -> Baseline | None:
    """The baseline of a check, if it has one."""
    if args.baseline is not None:
        return _read(args.baseline, config.root)
    file = os.path.join(config.root, BASELINE)
    return _read(file, config.root) if os.path.lexists(file) else None


def _read(file: str, root: str) -> Baseline:
    shown = _shown(file, root)
    if shown == BASELINE:
        text = read_text(root, BASELINE)  # which never leaves the root
        if isinstance(text, Skip):
            raise ConfigError(f"{shown}: {text.detail}")
        return read(shown, text)
    data = read_bytes(file)
    if len(data) > MAX_BYTES:
        raise ConfigError(f"{shown}: larger than {MAX_BYTES // 1_000_000} MB")
    try:
        return read(shown, data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise ConfigError(f"{shown}: not UTF-8") from error


def _shown(file: str, root: str) -> str:
    """A file as seen from the root."""
    directory, name = os.path.split(os.path.abspath(file))
    place = os.path.join(os.path.realpath(directory), name)
    return os.path.relpath(place, root).replace(os.sep, "/")


# -- since --------------------------------------------------------------------


def _since(revision: str, config: Config, known: Baseline | None) -> Config | None:
    """The configuration that reports on what changed since a revision; None: nothing did.

    It is that of the names of all files that changed. Where one of them is gone by which
    everything was judged, everything is reported.
    """
    changed = _changed(config.root, revision)
    there = {name for name in changed if os.path.lexists(os.path.join(config.root, name))}
    governing = {IMAGE_MAP, POOL_FILE, config.file, known.path if known else ""} & there
    if governing or (changed - there).intersection(_GOVERNING) or _of_site(changed, config):
        return config
    if config.names:
        from servelint.report import is_named  # noqa: PLC0415  # few give both

        there = {name for name in there if is_named(name, config.names)}
    return replace(config, paths=_linked(sorted(there), config.root)) if there else None


def _changed(root: str, revision: str) -> frozenset[str]:
    from servelint import git  # noqa: PLC0415  # few ask it

    try:
        return git.changed(root, revision)
    except git.GitError as error:
        quoted = f"{revision!r:.{MAX_QUOTE}}"
        why = f"git cannot be asked ({error})" if str(error) else "not a commit of this repository"
        raise ConfigError(f"--since {quoted}: {why}") from error


def _of_site(changed: Collection[str], config: Config) -> bool:
    """True when an advisory of the site changed."""
    places = [os.path.normpath(one).replace(os.sep, "/") for one in config.advisories]
    return any(name.startswith(f"{place}/") for name in changed for place in places)


def _linked(names: Collection[str], root: str) -> tuple[str, ...]:
    """The names, and where links among them lead inside the root."""
    found: dict[str, None] = {}
    for name in names:
        found[name] = None
        place = os.path.join(root, name)
        if os.path.islink(place) and os.path.exists(place):
            target = os.path.relpath(os.path.realpath(place), root).replace(os.sep, "/")
            if target.split("/")[0] != "..":
                found[target] = None
    return tuple(found)
