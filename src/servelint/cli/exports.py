"""The commands that give what is known to other programs, and ask what they know."""

from __future__ import annotations

import io
import json
import os
import time
import zipfile

from servelint.cli.terminal import FOUND, OK
from servelint.config import ConfigError
from servelint.saving import write_whole

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Mapping
    from typing import Any

    from servelint.config import Config

EPOCH = (1980, 1, 1, 0, 0, 0)
"""The time of every file in an archive, so that the same records make the same bytes."""


def export(args: argparse.Namespace, config: Config) -> tuple[str, int]:
    """What is known or decided, in a format of others."""
    from servelint.pipeline import advisories, run  # noqa: PLC0415  # --help pays for no run
    from servelint.vex import cyclonedx, openvex  # noqa: PLC0415

    if args.kind == "osv":
        return _osv(args, config)
    write = openvex if args.kind == "openvex" else cyclonedx
    now = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    text = write(run(config), advisories(config), now)
    if not args.output:
        return text, OK
    _save(args.output, text.encode())
    return "", OK


def _osv(args: argparse.Namespace, config: Config) -> tuple[str, int]:
    """All records: printed, or as files below a directory with the archive of all of them."""
    from servelint.osv import record  # noqa: PLC0415
    from servelint.pipeline import advisories  # noqa: PLC0415

    records = [record(advisory) for advisory in advisories(config)]
    if not args.output:
        return json.dumps(records, indent=2, ensure_ascii=True) + "\n", OK
    for one in records:
        _save(os.path.join(args.output, "PyPI", f"{one['id']}.json"), _bytes(one))
    _save(os.path.join(args.output, "PyPI", "all.zip"), _archive(records))
    return f"{args.output}: {len(records)} records\n", OK


def _archive(records: Iterable[Mapping[str, Any]]) -> bytes:
    """The archive that scanners take for a whole database of an ecosystem."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for one in records:
            info = zipfile.ZipInfo(f"{one['id']}.json", EPOCH)
            info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, _bytes(one))
    return out.getvalue()


def _bytes(record: Mapping[str, Any]) -> bytes:
    return json.dumps(record, indent=2, ensure_ascii=True).encode() + b"\n"


def _save(path: str, data: bytes) -> None:
    try:
        os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    except OSError as error:
        raise ConfigError(f"{path}: cannot be written: {error.strerror}") from error
    write_whole(path, data)


def status(args: argparse.Namespace, config: Config) -> tuple[str, int]:
    """Whether a public database has records of what the advisories are about."""
    from servelint.pipeline import advisories  # noqa: PLC0415
    from servelint.upstream import ask, told  # noqa: PLC0415

    every = advisories(config)
    found = {name: ask(args.upstream, name) for name in sorted({one.package for one in every})}
    lines = told(every, found)
    return "".join(f"{line}\n" for line in lines), FOUND if any(
        ": alias " in x for x in lines
    ) else OK
