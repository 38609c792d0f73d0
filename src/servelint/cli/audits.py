"""Audits of packages, by pip-audit and by uv, that know how the packages are run here."""

from __future__ import annotations

import os
import sys
import time
from importlib import import_module

import servelint_builtins
from servelint.arguments import AUDITS, printable
from servelint.cli.terminal import FAILED
from servelint.config import Config, ConfigError, find_root, read_config

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from servelint.overlay import Overlay

PIP_AUDIT, UV_AUDIT = AUDITS


def entry() -> int:
    """The console script that stands for pip-audit."""
    return main((PIP_AUDIT, *sys.argv[1:]))


def main(argv: Sequence[str]) -> int:
    """Run an audit: the first word is its command, the others are its arguments.

    Gives the exit code: that of the audit, or 2 where it could not be done or not be trusted.
    """
    auditor = import_module(servelint_builtins.AUDITOR)
    try:
        return _audit(auditor, argv[0], argv[1:])
    except (ConfigError, auditor.AuditError) as error:
        _say(str(error))
        return FAILED
    except auditor.Stopped as stopped:
        return 128 + int(stopped.number)
    except KeyboardInterrupt:
        return 130


def _audit(auditor: Any, command: str, words: Sequence[str]) -> int:
    is_uv = command == UV_AUDIT
    options = (auditor.of_uv if is_uv else auditor.of_pip_audit)(words)
    if options.is_help and sys.stdout is not None:
        sys.stdout.write(auditor.HELP.format(tool="uv audit" if is_uv else PIP_AUDIT))
        sys.stdout.flush()
    made: list[Overlay] = []

    def overlay() -> Overlay:
        made.append(_overlay(_config(options.root), options.assume, is_exact=options.is_exact))
        return made[0]

    if is_uv:
        code: int = auditor.uv_audit(options, overlay, _say)
    else:
        code = auditor.pip_audit(options, overlay, lambda: _held(options.root), _say)
    for note in made[0].notes if made else ():
        _say(note)
    return code


def _overlay(config: Config, assume: str, *, is_exact: bool = False) -> Overlay:
    from servelint import pipeline  # noqa: PLC0415  # help pays for no run
    from servelint.audit import Scene  # noqa: PLC0415
    from servelint.overlay import Overlay  # noqa: PLC0415
    from servelint.plugins import registry_of  # noqa: PLC0415
    from servelint.profiles import judged  # noqa: PLC0415
    from servelint.reporters.lines import Files, safe  # noqa: PLC0415

    report, registry = pipeline.run(config), registry_of(config)
    files = Files(report.texts)
    scene = Scene(
        report, lambda span: f"{safe(span.path)}:{files.first_line(span)}", assume, is_exact
    )
    return Overlay(scene, registry.engines, judged(registry, config)[0], config)


def _held(root: str) -> Sequence[tuple[str, str]]:
    """The packages and versions in the images of a repository."""
    from servelint.overlay import held  # noqa: PLC0415
    from servelint.pipeline import images  # noqa: PLC0415

    return tuple(held(images(_config(root))))


def _config(root: str) -> Config:
    if root and not os.path.isdir(root):
        raise ConfigError(f"{root}: --servelint-root wants a directory")
    try:
        os.getcwd()
    except OSError as error:
        raise ConfigError(f"the current directory: {error.strerror}") from error
    today = time.strftime("%Y-%m-%d", time.gmtime())
    return read_config(Config(os.path.realpath(root) if root else find_root("."), today=today))


def _say(text: str) -> None:
    if sys.stderr is not None:
        sys.stderr.write(f"servelint: {printable(text)}\n")
        sys.stderr.flush()
