"""The arguments of all commands."""

from __future__ import annotations

import argparse

import servelint_builtins
from servelint import __version__
from servelint.config import BASELINE, IMAGE_MAP, THRESHOLDS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NoReturn

AUDITS = ("pip-audit", "uv-audit")
"""The commands of which all words but ours are those of the audit itself."""

COMMANDS = (
    *("check", "facts", "deployments", "images", "images add", "images resolve"),
    *("rules", "explain", "startup-log", "export", "advisories status"),
    *("baseline", "config show", "config schema", "completion", *AUDITS),
)
"""The names of all commands; those of two words count before those of one."""

REPORTS = ("text", "json", "sarif", "github", "gitlab", "rdjson", "junit", "markdown")
"""The formats of `check`."""

_NOWHERE: dict[str, Any] = {"root": None, "config": None, "no_config": True}
"""What a command is given that has no root."""

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
    _check(commands)
    facts = commands.add_parser("facts", help="print what was read, before it is judged")
    _common(facts, "jsonl")
    deployments = commands.add_parser("deployments", help="print what would run, and as what")
    _common(deployments, "text", "json")
    _images(commands)
    _records(commands)
    _startup_log(commands)
    _exports(commands)
    _settings(commands)
    return whole


def _adoption(check: argparse.ArgumentParser) -> None:
    """How to begin in a repository that has findings."""
    known = check.add_mutually_exclusive_group()
    known.add_argument(
        "--baseline",
        metavar="FILE",
        help=f"do not report what is known in this file (default: {BASELINE} of the root)",
    )
    known.add_argument("--no-baseline", action="store_true", help="report what is known, too")
    check.add_argument(
        "--since", metavar="REV", help="report on what changed since this commit, or is new"
    )


def _settings(commands: Any) -> None:
    """The commands about how servelint is used."""
    known = commands.add_parser("baseline", help="write down the findings, to report only new ones")
    known.add_argument(
        "--update", action="store_true", help="remove what is not found any more, add nothing"
    )
    known.add_argument(
        "--file", metavar="FILE", help=f"what to write (default: {BASELINE} of the root)"
    )
    _place(known)
    shown = commands.add_parser("config show", help="print the configuration, and where it is from")
    shown.add_argument("--format", choices=("text", "json"), default="text")
    _place(shown)
    schema = commands.add_parser("config schema", help="print the JSON schema of configurations")
    schema.set_defaults(**_NOWHERE)
    script = commands.add_parser("completion", help="print a script that completes command lines")
    script.add_argument("shell", choices=("bash", "zsh", "fish"))
    script.set_defaults(**_NOWHERE)


def _exports(commands: Any) -> None:
    """The commands that speak to other programs."""
    out = commands.add_parser("export", help="give what is known to other scanners")
    out.add_argument(
        "kind",
        choices=("osv", "openvex", "cyclonedx"),
        help="the advisories (osv), or what is decided of each product",
    )
    out.add_argument("--output", metavar="PATH", help="a file; of osv, a directory")
    _place(out)
    known = commands.add_parser(
        "advisories status",
        help="ask an OSV endpoint for public records of the advisories (network)",
    )
    known.add_argument("--upstream", metavar="URL", required=True, help="the endpoint to ask")
    _place(known)
    for tool in AUDITS:  # their arguments are read by what runs them
        told = f"{tool.replace('uv-', 'uv ')} that knows how its packages run here (network)"
        commands.add_parser(tool, add_help=False, help=told)


def _check(commands: Any) -> None:
    check = commands.add_parser("check", help="report what is affected, and what cannot be told")
    _paths(check)
    _outputs(check)
    _place(check)
    _adoption(check)
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
        " of the repository that cannot be told.",
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
    _paths(command)
    command.add_argument(
        "--format", choices=formats, default=formats[0], help="default: %(default)s"
    )
    _place(command)


def _paths(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "paths",
        metavar="PATH",
        nargs="*",
        help="report on these files and directories (default: everything); all files are read",
    )


def _outputs(command: argparse.ArgumentParser) -> None:
    """What to report as, and where to."""
    command.add_argument(
        "--format",
        metavar="NAME[=FILE]",
        action="append",
        type=_output,
        help=f"{', '.join(REPORTS[:-1])} or {REPORTS[-1]}, to the standard output or into a file;"
        " may be given several times (default: text)",
    )
    command.add_argument(
        "--annotations",
        choices=("auto", "always", "never"),
        default="auto",
        help="print annotations for GitHub Actions behind the text; auto: in its jobs (default:"
        " %(default)s)",
    )


def _output(word: str) -> tuple[str, str]:
    """The format and the file of ``NAME=FILE``; ``-`` and no file are the standard output."""
    name, equals, file = word.partition("=")
    if name not in REPORTS:
        known = ", ".join(map(repr, REPORTS))
        raise argparse.ArgumentTypeError(f"invalid choice: {name!r} (choose from {known})")
    if equals and not file:
        raise argparse.ArgumentTypeError(f"no file is named after {word}")
    return name, "" if file == "-" else file


def _place(command: argparse.ArgumentParser) -> None:
    """Where the root and its configuration are."""
    either = command.add_mutually_exclusive_group()
    either.add_argument("--config", metavar="FILE", help="read this configuration file")
    either.add_argument("--no-config", action="store_true", help="read no configuration file")
    command.add_argument("--root", metavar="DIR", help="the root; default: where .git is")


def printable(text: str) -> str:
    """A text without control characters: they are shown as escapes."""
    return "".join(char if char.isprintable() else repr(char)[1:-1] for char in text)
