"""The commands about what images hold."""

from __future__ import annotations

import sys

from servelint.cli.terminal import FAILED, OK
from servelint.config import ConfigError

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from servelint.config import Config

MAX_PASTED = 100_000
"""Characters that are read of a pasted `pip show`."""


def listed(args: argparse.Namespace, config: Config) -> tuple[str, int]:
    """The images, and which version each holds."""
    from servelint.pipeline import images  # noqa: PLC0415
    from servelint.reporters.images import as_json, report  # noqa: PLC0415

    found = images(config)
    return as_json(found) if args.format == "json" else report(found), OK


def add(args: argparse.Namespace, config: Config) -> tuple[str, int]:
    """Write down what an image holds."""
    from servelint.plugins import registry_of  # noqa: PLC0415
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
        by=args.by or user(config.root),
        until=args.until or "",
        waives=tuple(args.waive or ()),
        reason=args.reason or "",
    )
    row, said = entry(noted, registry_of(config).engines, config.today)
    return f"{save(config.root, (row,))}: {said}\n", OK


def resolve(args: argparse.Namespace, config: Config) -> tuple[str, int]:
    """Look into images in their registries."""
    from servelint.lookup import look_into, moved, recorded, undecided  # noqa: PLC0415
    from servelint.pipeline import images  # noqa: PLC0415
    from servelint.plugins import registry_of  # noqa: PLC0415
    from servelint.reporters.images import looked_json, looked_report  # noqa: PLC0415
    from servelint.resolver import resolver  # noqa: PLC0415
    from servelint.statement_edit import save  # noqa: PLC0415
    from servelint.statement_file import said  # noqa: PLC0415

    references = tuple(args.references) or undecided(images(config))
    if not references:
        return "every image whose name is known can be told without looking\n", OK
    registry = registry_of(config)
    look, failure = resolver(args, sys.stderr)
    looked = look_into(references, look, failure, registry.engines, registry.advisories)
    every = tuple(looked)
    before = {one.reference: moved(one, said(config).images) for one in every}
    rows = [row for one in every if (row := recorded(one, config.today)) is not None]
    report = looked_json if args.format == "json" else looked_report
    out = report(every, {name: digest for name, digest in before.items() if digest})
    if args.write and rows:
        save(config.root, rows)
    return out, OK if any(one.found is not None for one in every) else FAILED


def user(root: str) -> str:
    """Who is at work here; empty where nobody says."""
    from servelint import git  # noqa: PLC0415

    try:
        return git.user_name(root)
    except git.GitError:
        return ""  # who looked is told where it is known
