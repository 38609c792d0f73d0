"""The command about the numbers of running servers."""

from __future__ import annotations

import sys
from importlib import import_module

from servelint.cli.images import user
from servelint.cli.terminal import FOUND, OK, width
from servelint.config import POOL_FILE, ConfigError
from servelint.log_files import log_options, opened
from servelint.plugins import registry_of
from servelint.pool_file import save_pools
from servelint.reporters.startup import as_json, report

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from typing import Any

    from servelint.config import Config


def startup_log(args: argparse.Namespace, config: Config) -> tuple[str, int]:
    """Pool and context of running servers, and what follows."""
    reader = _reader(config)
    options = log_options(args.role or (), args.engine_version or ())
    stdin = sys.stdin.buffer if sys.stdin is not None else None
    try:
        rows, judgement = reader.startup(opened(args.files, stdin), options)
    except OSError as error:
        raise ConfigError(f"a log cannot be read to its end: {error.strerror}") from error
    is_json = args.format == "json"
    text = as_json(rows, judgement) if is_json else report(rows, judgement, width())
    if args.record:
        records = reader.records(rows, config.today, user(config.root))
        if not records:
            raise ConfigError(
                "--record: nothing to write: no log shows a server of known role with its"
                " arguments; give the log from its first line"
            )
        save_pools(config.root, records)
        text += "" if is_json else f"{POOL_FILE}: servers written: {len(records)}\n"
    return text, FOUND if judgement.fails else OK


def _reader(config: Config) -> Any:
    """The module that reads the logs: that of the first plugin with one."""
    modules = [plugin.logs for plugin in registry_of(config).plugins if plugin.logs]
    if not modules:
        raise ConfigError("no plugin reads logs of servers")
    return import_module(modules[0])
