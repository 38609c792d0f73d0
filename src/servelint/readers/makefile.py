"""Makefiles: the lines of recipes, each as a text for a shell."""

from __future__ import annotations

from servelint.finding import Skip
from servelint.syntax.make_shell import Recipes
from servelint.syntax.makefile import parse_makefile

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from servelint.source import Source

MAX_RECIPES = 2000
"""Recipe lines that are read of one Makefile."""


def read(source: Source) -> Iterator[Source | Skip]:
    """One shell source for the lines that make gives to one shell."""
    makefile = parse_makefile(source.text)
    recipes = Recipes(source.text, makefile)
    for number, lines in enumerate(makefile.recipes[:MAX_RECIPES]):
        made = recipes.shell_text(lines)
        yield source.embed(made.text, made.segments, "shell", "recipe", number)
    if len(makefile.recipes) > MAX_RECIPES:
        place = makefile.recipes[MAX_RECIPES][0]
        detail = f"only the first {MAX_RECIPES:,} recipe lines were read"
        yield Skip(source.path, "read", "too-slow", detail, source.span(*place))
