"""The commands that judge a root, or tell by what it is judged."""

from __future__ import annotations

import os

from servelint.cli.terminal import FOUND, OK, wants_color, width
from servelint.config import BASELINE, MAX_QUOTE, ConfigError

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from servelint.config import Config
    from servelint.finding import Report
    from servelint.reporters import Options


def check(args: argparse.Namespace, config: Config) -> tuple[str, int]:
    """What is affected, and what cannot be told."""
    from servelint.reporters import Options  # noqa: PLC0415

    options = Options(
        color=wants_color(),
        all=args.all,
        width=width(),
        fail_on=config.fail_on,
        strict=config.strict,
    )
    if args.format or args.annotations == "always" or os.environ.get("GITHUB_ACTIONS"):
        from servelint.cli.outputs import outputs, written  # noqa: PLC0415

        wanted = outputs(args.format or (("text", ""),), args.annotations)
        result = _report(args, config)
        return written(wanted, result, options, config), _exit_code(result, options)
    from servelint.reporters.text import report  # noqa: PLC0415

    result = _report(args, config)
    return report(result, options), _exit_code(result, options)


def _report(args: argparse.Namespace, config: Config) -> Report:
    """The report that is asked for: all of it, or what is new."""
    there = not args.no_baseline and os.path.lexists(os.path.join(config.root, BASELINE))
    if there or args.baseline is not None or args.since is not None:
        from servelint.cli.adoption import judged  # noqa: PLC0415  # most runs have neither

        return judged(args, config)
    from servelint.pipeline import run  # noqa: PLC0415  # --help pays for no run

    return run(config)


def _exit_code(report: Report, options: Options) -> int:
    from servelint.reporters import is_failure  # noqa: PLC0415

    if any(is_failure(finding, options) for finding in report.findings):
        return FOUND
    return FOUND if options.strict and report.skips else OK


def facts(args: argparse.Namespace, config: Config) -> tuple[str, int]:
    """What was read, before it is judged."""
    del args
    from servelint.pipeline import facts as read  # noqa: PLC0415

    return read(config), OK


def deployments(args: argparse.Namespace, config: Config) -> tuple[str, int]:
    """What would run, and as what."""
    from servelint.pipeline import run  # noqa: PLC0415

    result = run(config)
    if args.format == "json":
        from servelint.reporters.json import deployments as report  # noqa: PLC0415
    else:
        from servelint.reporters.deployments import report  # noqa: PLC0415
    return report(result), OK


def rules(args: argparse.Namespace, config: Config) -> tuple[str, int]:
    """All advisories and rules, one a line."""
    del args
    from servelint.page import listing  # noqa: PLC0415
    from servelint.pipeline import records  # noqa: PLC0415

    return listing(records(config).values()), OK


def explain(args: argparse.Namespace, config: Config) -> tuple[str, int]:
    """The page of one of them."""
    from servelint.page import page  # noqa: PLC0415
    from servelint.pipeline import records  # noqa: PLC0415

    every = records(config)
    if args.id not in every:
        known = ", ".join(sorted(every))
        raise ConfigError(f"unknown id {args.id!r:.{MAX_QUOTE}}; known are {known}")
    return page(every[args.id]), OK
