"""The plugin that looks into images, as one function, with its progress on a terminal."""

from __future__ import annotations

from functools import partial
from importlib import import_module

import servelint_builtins
from servelint.arguments import printable
from servelint.config import ConfigError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Callable
    from typing import Any, TextIO

WIDTH = 30
"""Columns of the bar."""

MEGABYTE = 1_000_000


def resolver(args: Namespace, stream: TextIO | None) -> tuple[Callable[..., Any], type[Exception]]:
    """What looks into an image, and what it raises. ``stream`` shows how far it is.

    Raises :class:`ConfigError` where the plugin is not installed.
    """
    try:
        plugin = import_module(servelint_builtins.RESOLVER)
    except ModuleNotFoundError as error:
        raise ConfigError("to look into images: pip install 'servelint[registry]'") from error
    failure: type[Exception] = plugin.RegistryError
    if args.source != "registry":
        return partial(plugin.from_engine_tool, args.source), failure
    if args.budget <= 0:
        raise ConfigError("--budget: expected a number of megabytes above 0")
    options = plugin.Options(
        platform=args.platform, layers=args.layers, budget=args.budget * MEGABYTE
    )
    bar = _Bar(stream) if stream is not None and stream.isatty() else None
    return partial(plugin.resolve, options=options, progress=bar), failure


class _Bar:
    """One line that is written over itself, and is gone at the end."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._shown = 0

    def __call__(self, done: int, total: int, what: str) -> None:
        share = min(done / total, 1.0) if total else 0.0
        bar = f"{'#' * int(share * WIDTH):<{WIDTH}}"
        text = "" if total and done >= total else f"[{bar}] {done / MEGABYTE:,.0f} MB "
        text += printable(what)[:WIDTH] if text else ""
        self._stream.write(f"\r{text:<{self._shown}}" + ("" if text else "\r"))
        self._stream.flush()
        self._shown = len(text)
