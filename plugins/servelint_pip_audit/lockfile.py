"""The versions in images as a lockfile (PEP 751) that pip-audit reads, beside others."""

from __future__ import annotations

import json
import os
import re
import shutil

from servelint_pip_audit.errors import AuditError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

NAME = "pylock.servelint-images.toml"

_OTHERS = re.compile(r"pylock\.(?:[^.]+\.)?toml")


def write(directory: str, versions: Iterable[tuple[str, str]], beside: str = "") -> None:
    """Write names and versions (empty: not known), and copies of the lockfiles of ``beside``.

    One name may stand with several versions. Raises :class:`AuditError`.
    """
    try:
        names = sorted(filter(_OTHERS.fullmatch, os.listdir(beside))) if beside else []
        for name in names:
            shutil.copyfile(os.path.join(beside, name), os.path.join(directory, name))
    except OSError as error:
        raise AuditError(f"{beside}: its lockfiles cannot be read: {error.strerror}") from error
    if beside and not names:
        raise AuditError(f"{beside}: holds no lockfile (pylock.toml)")
    with open(os.path.join(directory, NAME), "w", encoding="utf-8") as file:
        file.write('lock-version = "1.0"\ncreated-by = "servelint"\n')
        file.write("".join(map(_package, versions)) or "packages = []\n")


def _package(package: tuple[str, str]) -> str:
    name, version = package
    # A JSON text is a TOML text, too.
    row = f"version = {json.dumps(version)}\n" if version else ""
    return f"\n[[packages]]\nname = {json.dumps(name)}\n{row}"
