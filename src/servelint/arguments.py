"""The arguments of all commands."""

from __future__ import annotations

import argparse

import servelint_builtins
from servelint import __version__
from servelint.config import IMAGE_MAP, THRESHOLDS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NoReturn

COMMANDS = (
    *("check", "facts", "deployments", "images", "images add", "images resolve"),
    *("rules", "explain", "startup-log"),
)
"""The names of all commands; those of two words count before those of one."""


VERSION = f"servelint {__version__} (data of {servelint_builtins.DATA_DATE})"


class _Parser(argparse.ArgumentParser):
    """Options by their whole name only, so that a new one never changes what an old line says.

    Messages quote arguments, and those may be names of scanned files.
    """

    def __init__(self, **settings: Any) -> None:
        super().__init__(formatter_class=_help, allow_abbrev=False, **settings)

    def error(self, message: str) -> NoReturn:
        super().error(printable(message))


def parser() -> argparse.ArgumentParser:
    """The parser of all commands."""
    whole = _Parser(
        prog="servelint",
        description="Lint what a repository would deploy to serve large language models.",
        epilog="Without a command: check.",
    )
    whole.add_argument("--version", action="version", version=VERSION)
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
    check.add_argument(
        "--all", action="store_true", help="list what is not affected or is suppressed, too"
    )
    facts = commands.add_parser("facts", help="print what was read, before it is judged")
    _common(facts, "jsonl")
    deployments = commands.add_parser("deployments", help="print what would run, and as what")
    _common(deployments, "text", "json")
    _images(commands)
    _records(commands)
    _startup_log(commands)
    return whole


def _records(commands: Any) -> None:
    """The commands about advisories and rules themselves."""
    rules = commands.add_parser("rules", help="list all advisories and rules")
    _place(rules)
    explain = commands.add_parser("explain", help="print the page of an advisory or a rule")
    explain.add_argument("id", metavar="ID")
    _place(explain)


def _startup_log(commands: Any) -> None:
    logs = commands.add_parser(
        "startup-log",
        help="compare pool and context of running servers by their logs",
        description="Read startup logs and metrics of prefill and decode servers: how many tokens"
        " each rank holds, and whether one half can refuse a request that the other takes.",
    )
    logs.add_argument("files", metavar="FILE", nargs="+", help="a log or metrics; - for stdin")
    logs.add_argument(
        "--role",
        metavar="NAME=ROLE",
        action="append",
        help="the role (prefill, decode, both, none) of a file, or of a server in it",
    )
    logs.add_argument(
        "--engine-version",
        metavar="[NAME=]VERSION",
        action="append",
        help="the version that wrote the logs",
    )
    logs.add_argument("--record", action="store_true", help="write it into servelint-pools.toml")
    logs.add_argument("--format", choices=("text", "json"), default="text")
    _place(logs)


def _images(commands: Any) -> None:
    """The commands about what images hold."""
    listed = commands.add_parser("images", help="list the images, and which version each holds")
    _common(listed, "text", "json")
    add = commands.add_parser(
        "images add",
        help="write down what an image holds",
        description=f"Write down in {IMAGE_MAP} what an image holds. Without --version the output"
        " of `pip show` is read from the standard input.",
    )
    add.add_argument("reference", metavar="REF", help="an image as it is written, or sha256:...")
    add.add_argument("--version", help="the version inside")
    add.add_argument("--package", help="default: the package of the engine that the image is of")
    add.add_argument("--digest", help="sha256:... that the tag had when it was looked at")
    add.add_argument("--evidence", help="how it was found out (default: pip show)")
    add.add_argument("--by", metavar="NAME", help="who looked (default: git's user.name)")
    add.add_argument("--until", metavar="DAY", help="the last day on which it counts")
    add.add_argument("--waive", metavar="ID", action="append", help="an advisory that is patched")
    add.add_argument("--reason", help="why it is waived")
    _place(add)
    _resolve(commands)


def _resolve(commands: Any) -> None:
    look = commands.add_parser(
        "images resolve",
        help="look into images in their registries (network)",
        description="Look into images and say which version each holds. Without REF: all images"
        " of the repository that cannot be told. The only command that uses a network.",
    )
    look.add_argument("references", metavar="REF", nargs="*", help="an image as it is written")
    look.add_argument(
        "--layers",
        action="store_true",
        help="read the layers, too, until the code is found (gigabytes)",
    )
    look.add_argument(
        "--budget", metavar="MB", type=int, default=2000, help="at most so much (default: 2000)"
    )
    look.add_argument(
        "--platform", metavar="OS/ARCH", default="linux/amd64", help="default: %(default)s"
    )
    look.add_argument(
        "--from",
        dest="source",
        choices=("registry", "docker", "podman"),
        default="registry",
        help="docker and podman run `pip show` inside the image (default: registry)",
    )
    look.add_argument("--write", action="store_true", help=f"write what was found into {IMAGE_MAP}")
    look.add_argument("--format", choices=("text", "json"), default="text")
    _place(look)


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
    _place(command)


def _place(command: argparse.ArgumentParser) -> None:
    """Where the root and its configuration are."""
    either = command.add_mutually_exclusive_group()
    either.add_argument("--config", metavar="FILE", help="read this configuration file")
    either.add_argument("--no-config", action="store_true", help="read no configuration file")
    command.add_argument("--root", metavar="DIR", help="the root; default: where .git is")


def printable(text: str) -> str:
    """A text without control characters: they are shown as escapes."""
    return "".join(char if char.isprintable() else repr(char)[1:-1] for char in text)
