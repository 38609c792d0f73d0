"""The command line: arguments -> configuration -> run -> exit code.

The only print, the only exit.
"""

from __future__ import annotations

import argparse
import os
import sys
from dataclasses import replace

from servelint import __version__
from servelint.config import THRESHOLDS, Config, ConfigError, find_root, read_config
from servelint.finding import SEVERITIES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, NoReturn

    from servelint.finding import Report

OK, FOUND, FAILED = 0, 1, 2
"""Exit codes: nothing at or above the threshold; findings; the job could not be done."""

_COMMANDS = ("check", "facts", "deployments")


def entry() -> None:
    """The console script."""
    if sys.stdout is None:  # closed by the caller, who wants the exit code only
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115  # until the exit
    raise SystemExit(main(sys.argv[1:]))


def main(argv: Sequence[str]) -> int:
    """Run one command and print what it says. Gives the exit code."""
    words = list(argv)
    if not words or (words[0] not in _COMMANDS and words[0] not in ("-h", "--help", "--version")):
        words.insert(0, "check")
    args = parser().parse_args(words)
    try:
        config = _config(args)
        out, code = _COMMAND[args.command](args, config)
    except ConfigError as error:
        return _fail(str(error))
    return _write(out) or code


class _Parser(argparse.ArgumentParser):
    """Options by their whole name only, so that a new one never changes what an old line says.

    Messages quote arguments, and those may be names of scanned files.
    """

    def __init__(self, **settings: Any) -> None:
        super().__init__(formatter_class=_help, allow_abbrev=False, **settings)

    def error(self, message: str) -> NoReturn:
        super().error(_printable(message))


def parser() -> argparse.ArgumentParser:
    """The parser of all commands."""
    whole = _Parser(
        prog="servelint",
        description="Lint what a repository would deploy to serve large language models.",
        epilog="Without a command: check.",
    )
    whole.add_argument("--version", action="version", version=f"servelint {__version__}")
    # With a name given, argparse does not load its formatter to make one up.
    commands = whole.add_subparsers(
        dest="command", required=True, metavar="COMMAND", prog="servelint"
    )
    check = commands.add_parser("check", help="report what is affected, and what cannot be told")
    _common(check, "text", "json")
    check.add_argument(
        "--fail-on",
        choices=THRESHOLDS,
        help="exit 1 for findings of this severity or worse (default: medium)",
    )
    check.add_argument(
        "--strict",
        action="store_true",
        help="exit 1 also when a version cannot be told or a file was skipped",
    )
    check.add_argument("--select", metavar="ID", action="append", help="report only this id")
    check.add_argument("--ignore", metavar="ID", action="append", help="do not report this id")
    check.add_argument("--all", action="store_true", help="list what is not affected, too")
    facts = commands.add_parser("facts", help="print what was read, before it is judged")
    _common(facts, "jsonl")
    deployments = commands.add_parser("deployments", help="print what would run, and as what")
    _common(deployments, "text", "json")
    return whole


def _help(prog: str) -> argparse.HelpFormatter:
    """Help of one width: argparse would load shutil to ask the terminal, at every start."""
    return argparse.HelpFormatter(prog, width=100, max_help_position=28)


def _common(command: argparse.ArgumentParser, *formats: str) -> None:
    command.add_argument(
        "paths",
        metavar="PATH",
        nargs="*",
        help="report on these files and directories (default: everything); all files are read",
    )
    command.add_argument(
        "--format", choices=formats, default=formats[0], help="default: %(default)s"
    )
    either = command.add_mutually_exclusive_group()
    either.add_argument("--config", metavar="FILE", help="read this configuration file")
    either.add_argument("--no-config", action="store_true", help="read no configuration file")
    command.add_argument("--root", metavar="DIR", help="the root; default: where .git is")


# -- configuration ------------------------------------------------------------


def _config(args: argparse.Namespace) -> Config:
    try:
        os.getcwd()
    except OSError as error:
        raise ConfigError(f"the current directory: {error.strerror}") from error
    for path in (*args.paths, args.root):
        if path is not None and not os.path.lexists(path):
            raise ConfigError(f"{path}: no such file or directory")
    first = args.paths[0] if args.paths else "."
    root = os.path.realpath(args.root) if args.root else find_root(first)
    if not os.path.isdir(root):
        raise ConfigError(f"{args.root}: --root wants a directory")
    config = Config(root, _relative(args.paths, root))
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


_COMMAND = {"check": _check, "facts": _facts, "deployments": _deployments}


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
        print(f"servelint: {_printable(message)}", file=sys.stderr)
    return FAILED


def _printable(text: str) -> str:
    return "".join(char if char.isprintable() else repr(char)[1:-1] for char in text)
