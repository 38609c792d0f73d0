"""The command line: arguments -> configuration -> run -> exit code.

The only print, the only exit.
"""

from __future__ import annotations

import os
import sys
import time
from dataclasses import replace

from servelint.arguments import COMMANDS, parser, printable
from servelint.config import Config, ConfigError, find_root, read_config
from servelint.finding import SEVERITIES

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from servelint.finding import Report

OK, FOUND, FAILED = 0, 1, 2
"""Exit codes: nothing at or above the threshold; findings; the job could not be done."""

MAX_PASTED = 100_000
"""Characters that are read of a pasted `pip show`."""


def entry() -> None:
    """The console script."""
    if sys.stdout is None:  # closed by the caller, who wants the exit code only
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115  # until the exit
    raise SystemExit(main(sys.argv[1:]))


def main(argv: Sequence[str]) -> int:
    """Run one command and print what it says. Gives the exit code."""
    words = list(argv)
    if not words or (words[0] not in COMMANDS and words[0] not in ("-h", "--help", "--version")):
        words.insert(0, "check")
    if " ".join(words[:2]) in COMMANDS:
        words[:2] = [" ".join(words[:2])]
    args = parser().parse_args(words)
    try:
        config = _config(args)
        out, code = _COMMAND[args.command](args, config)
    except ConfigError as error:
        return _fail(str(error))
    return _write(out) or code


# -- configuration ------------------------------------------------------------


def _config(args: argparse.Namespace) -> Config:
    try:
        os.getcwd()
    except OSError as error:
        raise ConfigError(f"the current directory: {error.strerror}") from error
    paths = getattr(args, "paths", ())
    for path in (*paths, args.root):
        if path is not None and not os.path.lexists(path):
            raise ConfigError(f"{path}: no such file or directory")
    first = paths[0] if paths else "."
    root = os.path.realpath(args.root) if args.root else find_root(first)
    if not os.path.isdir(root):
        raise ConfigError(f"{args.root}: --root wants a directory")
    today = time.strftime("%Y-%m-%d", time.gmtime())
    config = Config(root, _relative(paths, root), today=today)
    if args.config is not None and not os.path.isfile(args.config):
        raise ConfigError(f"{args.config}: no such configuration file")
    if not args.no_config:
        config = read_config(config, os.path.abspath(args.config) if args.config else "")
    return _override(config, args)


def _override(config: Config, args: argparse.Namespace) -> Config:
    if args.command != "check":
        return config
    return replace(
        config,
        fail_on=args.fail_on or config.fail_on,
        strict=args.strict,
        select=tuple(args.select or config.select),
        ignore=(*config.ignore, *(args.ignore or ())),
    )


def _relative(paths: Sequence[str], root: str) -> tuple[str, ...]:
    """The names given, relative to the root; a link is both itself and where it leads."""
    names: dict[str, None] = {}
    directories = {path: os.path.realpath(path) for path in set(map(os.path.dirname, paths))}
    for path in paths:
        directory, name = os.path.split(path)
        places = [os.path.join(directories[directory], name)]
        if os.path.islink(places[0]) and os.path.exists(places[0]):
            places.append(os.path.realpath(places[0]))
        both = [os.path.relpath(place, root).replace(os.sep, "/") for place in places]
        inside = [name for name in both if name.split("/")[0] != ".."]
        if not inside:
            raise ConfigError(f"{path}: outside the root {root}; use --root")
        names.update(dict.fromkeys(inside))
    return tuple(names)


# -- commands -----------------------------------------------------------------


def _check(args: argparse.Namespace, config: Config) -> tuple[str, int]:
    from servelint.pipeline import run  # noqa: PLC0415  # --help pays for no run
    from servelint.reporters import Options  # noqa: PLC0415

    result = run(config)
    if args.format == "json":
        from servelint.reporters.json import report  # noqa: PLC0415
    else:
        from servelint.reporters.text import report  # noqa: PLC0415
    options = Options(color=_wants_color(), all=args.all, width=_width())
    return report(result, options), _exit_code(result, config)


def _facts(args: argparse.Namespace, config: Config) -> tuple[str, int]:
    del args
    from servelint.pipeline import facts  # noqa: PLC0415

    return facts(config), OK


def _deployments(args: argparse.Namespace, config: Config) -> tuple[str, int]:
    from servelint.pipeline import run  # noqa: PLC0415

    result = run(config)
    if args.format == "json":
        from servelint.reporters.json import deployments  # noqa: PLC0415

        return deployments(result), OK
    from servelint.reporters.deployments import report  # noqa: PLC0415

    return report(result), OK


def _images(args: argparse.Namespace, config: Config) -> tuple[str, int]:
    from servelint.pipeline import images  # noqa: PLC0415
    from servelint.reporters.images import as_json, report  # noqa: PLC0415

    found = images(config)
    return as_json(found) if args.format == "json" else report(found), OK


def _add(args: argparse.Namespace, config: Config) -> tuple[str, int]:
    from servelint.plugins import load  # noqa: PLC0415
    from servelint.recording import Noted, entry  # noqa: PLC0415
    from servelint.statement_edit import save, shown_package  # noqa: PLC0415

    package, version = args.package or "", args.version or ""
    if not version:
        if sys.stdin is None or sys.stdin.isatty():
            raise ConfigError("--version is missing, and no `pip show` is piped in")
        package, version = shown_package(sys.stdin.read(MAX_PASTED))
    noted = Noted(
        reference=args.reference,
        package=package,
        version=version,
        evidence=args.evidence or "pip show",
        digest=args.digest or "",
        by=args.by or _user(config.root),
        until=args.until or "",
        waives=tuple(args.waive or ()),
        reason=args.reason or "",
    )
    row, said = entry(noted, load().engines, config.today)
    return f"{save(config.root, (row,))}: {said}\n", OK


def _user(root: str) -> str:
    from servelint import git  # noqa: PLC0415

    try:
        return git.user_name(root)
    except git.GitError:
        return ""  # who looked is told where it is known


_COMMAND = {
    "check": _check,
    "facts": _facts,
    "deployments": _deployments,
    "images": _images,
    "images add": _add,
}


def _exit_code(report: Report, config: Config) -> int:
    if config.fail_on != "never":
        limit = SEVERITIES.index(config.fail_on)
        if any(SEVERITIES.index(finding.severity) <= limit for finding in report.findings):
            return FOUND
    undecided = any(finding.status == "under_investigation" for finding in report.findings)
    return FOUND if config.strict and (undecided or report.skips) else OK


# -- output -------------------------------------------------------------------


def _wants_color() -> bool:
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    return sys.stdout.isatty()


def _width() -> int:
    columns = os.get_terminal_size(sys.stdout.fileno()).columns if sys.stdout.isatty() else 0
    return min(max(columns, 60), 140) if columns else 100  # a terminal of 0 columns is no screen


def _write(text: str) -> int:
    """Print a text as far as the encoding goes. Gives what is wrong as an exit code."""
    stream = sys.stdout
    data = text.encode(stream.encoding or "utf-8", "backslashreplace")
    try:
        stream.flush()
        stream.buffer.write(data)
        stream.buffer.flush()
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
        if not isinstance(error, BrokenPipeError):  # who closes a pipe has seen enough, as `head`
            return _fail(f"cannot write: {error.strerror}")
    return OK


def _fail(message: str) -> int:
    if sys.stderr is not None:  # else `print` would take the standard output
        print(f"servelint: {printable(message)}", file=sys.stderr)
    return FAILED
