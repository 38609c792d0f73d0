"""An audit from start to end: what has to be there, the questions, the exit code."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from contextlib import ExitStack
from importlib.metadata import PackageNotFoundError, version

from servelint.api import parse_version
from servelint_pip_audit import lockfile
from servelint_pip_audit.arguments import NONE, with_project
from servelint_pip_audit.child import run
from servelint_pip_audit.endpoint import Desk, served
from servelint_pip_audit.errors import AuditError
from servelint_pip_audit.upstream import Upstream, default_url

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from servelint_pip_audit.arguments import Options
    from servelint_pip_audit.endpoint import Overlay

    Make = Callable[[], Overlay]
    Say = Callable[[str], None]

OLDEST = "2.10"
"""The first pip-audit that can be told which OSV to ask."""

INSTALL = "pip install 'servelint[pip-audit]'"


def pip_audit(
    options: Options, overlay: Make, versions: Callable[[], Iterable[tuple[str, str]]], say: Say
) -> int:
    """Audit with pip-audit, and give its exit code.

    ``overlay`` reads the repository, ``versions`` its images, both when they are needed; ``say``
    is told what people should know. Raises :class:`AuditError` and :class:`Stopped`.
    """
    _check_pip_audit()
    # -P: the directory that is audited is no place to import from.
    words = (sys.executable, "-P", "-m", "pip_audit")
    if options.is_quiet:
        return run((*words, *options.argv))
    upstream = _upstream(options)
    with ExitStack() as stack:
        argv = _argv(options, versions, say, stack) if options.images else options.argv
        desk = Desk(overlay(), upstream)
        address = stack.enter_context(served(desk))
        _tell(upstream, say, instead=" instead of the package index")
        asks = ("--vulnerability-service", "osv", "--osv-url", f"{address}/v1/query")
        code = run((*words, *asks, *argv), desk)
    return _checked(code, desk, "pip-audit")


def uv_audit(options: Options, overlay: Make, say: Say) -> int:
    """Audit with uv, likewise."""
    uv = _uv()
    if options.is_quiet:
        return run((uv, "audit", *options.argv))
    upstream = _upstream(options)
    desk = Desk(overlay(), upstream)
    with served(desk) as address:
        _tell(upstream, say)
        code = run((uv, "audit", "--service-url", address, *options.argv), desk)
    return _checked(code, desk, "uv")


def _checked(code: int, desk: Desk, tool: str) -> int:
    """An exit code that can be believed: a clean audit has asked something, and was answered."""
    if desk.failure:
        raise AuditError(desk.failure)
    if code == 0 and not desk.asked:
        raise AuditError(f"{tool} asked about no package, so nothing was audited")
    return code


def _check_pip_audit() -> None:
    try:
        found = version("pip-audit")
    except PackageNotFoundError as error:
        raise AuditError(f"pip-audit is not installed here: {INSTALL}") from error
    known, oldest = parse_version(found), parse_version(OLDEST)
    if known is None or oldest is None or known < oldest:
        raise AuditError(
            f"pip-audit {found} cannot be told which OSV to ask, {OLDEST} or newer can: {INSTALL}"
        )


def _uv() -> str:
    """The program uv: that of the path, else the one beside this Python."""
    name = "uv.exe" if os.name == "nt" else "uv"
    beside = os.path.join(os.path.dirname(sys.executable), name)
    found = shutil.which("uv") or (beside if os.path.isfile(beside) else "")
    if not found:
        raise AuditError("uv is not installed here")
    return os.path.abspath(found)


def _upstream(options: Options) -> Upstream | None:
    """The OSV to ask besides; it has to be there."""
    if options.upstream.lower() == NONE:
        return None
    upstream = Upstream(options.upstream or os.environ.get("PIP_AUDIT_OSV_URL") or default_url())
    upstream.check()
    return upstream


def _tell(upstream: Upstream | None, say: Say, instead: str = "") -> None:
    """Say who is asked, and ``instead`` of whom: the answers may differ."""
    if upstream is None:
        say("no vulnerability database is asked, only the records of servelint")
    else:
        say(f"the audit asks {upstream.named} and the records of servelint{instead}")


def _argv(
    options: Options,
    versions: Callable[[], Iterable[tuple[str, str]]],
    say: Say,
    stack: ExitStack,
) -> tuple[str, ...]:
    """The words that have pip-audit read a lockfile of the images, beside the given ones."""
    source = options.source
    if source is None or source.is_other or (source.project and not source.is_locked):
        raise AuditError(
            "--servelint-images: pip-audit reads lockfiles apart from all else; use --locked DIR"
            " or neither"
        )
    found = sorted(versions())
    if not found and not source.project:
        raise AuditError("--servelint-images: no image of a known engine was found")
    directory = stack.enter_context(tempfile.TemporaryDirectory(prefix="servelint-"))
    lockfile.write(directory, found, source.project)
    unknown = sum(not version for _, version in found)
    say(f"versions in images: {len(found) - unknown} are audited, {unknown} cannot be told")
    return with_project(options, directory)
