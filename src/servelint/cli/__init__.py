"""The command line: arguments -> configuration -> run -> exit code.

The only print, the only exit.
"""

from __future__ import annotations

import os
import sys
import time
from dataclasses import replace
from importlib import import_module

from servelint.arguments import AUDITS, COMMANDS, parser, printable
from servelint.cli.terminal import FAILED, OK
from servelint.config import Config, ConfigError, find_root, read_config

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

_COMMAND = {
    "check": ("judging", "check"),
    "facts": ("judging", "facts"),
    "deployments": ("judging", "deployments"),
    "rules": ("judging", "rules"),
    "explain": ("judging", "explain"),
    "images": ("images", "listed"),
    "images add": ("images", "add"),
    "images resolve": ("images", "resolve"),
    "startup-log": ("logs", "startup_log"),
    "export": ("exports", "export"),
    "advisories status": ("exports", "status"),
    "baseline": ("adoption", "baseline"),
    "config show": ("settings", "show"),
    "config schema": ("settings", "schema"),
    "completion": ("settings", "completion"),
}
"""The module and the function of each command: ``(arguments, configuration) -> (text, code)``."""


def entry() -> None:
    """The console script."""
    if sys.stdout is None:  # closed by the caller, who wants the exit code only
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115  # until the exit
    raise SystemExit(main(sys.argv[1:]))


def main(argv: Sequence[str]) -> int:
    """Run one command and print what it says. Gives the exit code."""
    words = list(argv)
    if words and words[0] in AUDITS:
        from servelint.cli.audits import main as audit  # noqa: PLC0415  # most runs are no audits

        return audit(words)
    if " ".join(words[:2]) in COMMANDS:
        words[:2] = [" ".join(words[:2])]
    if not words or (words[0] not in COMMANDS and words[0] not in ("-h", "--help", "--version")):
        words.insert(0, "check")
    args = parser().parse_args(words)
    try:
        config = _config(args)
        module, name = _COMMAND[args.command]
        act = getattr(import_module(f"servelint.cli.{module}"), name)
        out, code = act(args, config)
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


# -- output -------------------------------------------------------------------


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
