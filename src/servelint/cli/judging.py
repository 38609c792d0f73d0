"""The commands that judge a root, or tell by what it is judged."""

from __future__ import annotations

from servelint.cli.terminal import FOUND, OK, wants_color, width
from servelint.config import MAX_QUOTE, ConfigError
from servelint.finding import SEVERITIES

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from servelint.config import Config
    from servelint.finding import Report


def check(args: argparse.Namespace, config: Config) -> tuple[str, int]:
    """What is affected, and what cannot be told."""
    from servelint.pipeline import run  # noqa: PLC0415  # --help pays for no run
    from servelint.reporters import Options  # noqa: PLC0415

    result = run(config)
    if args.format == "json":
        from servelint.reporters.json import report  # noqa: PLC0415
    else:
        from servelint.reporters.text import report  # noqa: PLC0415
    options = Options(color=wants_color(), all=args.all, width=width())
    return report(result, options), _exit_code(result, config)


def _exit_code(report: Report, config: Config) -> int:
    if config.fail_on != "never":
        limit = SEVERITIES.index(config.fail_on)
        if any(SEVERITIES.index(finding.severity) <= limit for finding in report.findings):
            return FOUND
    undecided = any(finding.status == "under_investigation" for finding in report.findings)
    return FOUND if config.strict and (undecided or report.skips) else OK


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
