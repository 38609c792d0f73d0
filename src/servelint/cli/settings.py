"""The commands about how servelint is used: its configuration, and completion in shells."""

from __future__ import annotations

import json

from servelint.cli.terminal import OK

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from servelint.config import Config


def show(args: argparse.Namespace, config: Config) -> tuple[str, int]:
    """The configuration, checked as a run would check it, with where each value is from."""
    from servelint.configured import as_json, as_toml, settings  # noqa: PLC0415  # few ask
    from servelint.pipeline import advisories, records  # noqa: PLC0415
    from servelint.policy_file import policy  # noqa: PLC0415
    from servelint.statement_file import said  # noqa: PLC0415

    known = records(config)
    advisories(config)
    policy(config, known)
    said(config)
    found = settings(config)
    return as_json(config, found) if args.format == "json" else as_toml(config, found), OK


def schema(args: argparse.Namespace, config: Config) -> tuple[str, int]:
    """The JSON schema of configurations."""
    del args, config
    from servelint.config_schema import schema as made  # noqa: PLC0415  # few ask

    return json.dumps(made(), indent=2) + "\n", OK


def completion(args: argparse.Namespace, config: Config) -> tuple[str, int]:
    """A script that completes command lines in a shell."""
    from servelint.completion import script  # noqa: PLC0415  # few ask
    from servelint.pipeline import records  # noqa: PLC0415

    return script(args.shell, sorted(records(config))), OK
