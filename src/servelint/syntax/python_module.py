"""Python text as a tree of the running interpreter."""

from __future__ import annotations

import ast
import warnings


def parse(text: str) -> ast.Module | None:
    """The tree of a module; None for what the interpreter cannot read, or is too deep for it."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
