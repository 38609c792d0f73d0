"""Files that are written as a whole: another process never sees half of one."""

from __future__ import annotations

import os
import stat
import tempfile

from servelint.config import ConfigError


def write_whole(path: str, data: bytes, shown: str = "") -> None:
    """Write a file, and keep the rights of one that is there.

    What is no regular file (a pipe, a device) is written to as it is. Raises
    :class:`ConfigError`, which calls the file ``shown`` (default: ``path``).
    """
    real = os.path.realpath(path)
    try:
        mode = os.stat(real).st_mode if os.path.exists(real) else stat.S_IFREG | 0o644
        if stat.S_ISREG(mode):
            _replace(real, data, stat.S_IMODE(mode))
        else:
            with open(real, "wb") as stream:
                stream.write(data)
    except OSError as error:
        raise ConfigError(f"{shown or path}: cannot be written: {error.strerror}") from error


def _replace(path: str, data: bytes, mode: int) -> None:
    handle, made = tempfile.mkstemp(dir=os.path.dirname(path), prefix=".servelint.")
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
        os.chmod(made, mode)
        os.replace(made, path)
    except OSError:
        os.unlink(made)
        raise
