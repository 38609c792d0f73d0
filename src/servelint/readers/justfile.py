"""Justfiles: the lines of recipes and the scripts that recipes are, each as a text for a shell."""

from __future__ import annotations

import os
import re

from servelint.facts import Uses
from servelint.finding import Skip
from servelint.readers import claim_text
from servelint.syntax.just_scope import Scope, ways
from servelint.syntax.just_shell import commands, shell_text
from servelint.syntax.justfile import parse_justfile

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from servelint.source import Source
    from servelint.syntax.justfile import Justfile, Recipe

MAX_CHARACTERS = 400_000
"""A longer justfile is not read."""

MAX_TEXTS = 2000
"""Shell texts that are read of one justfile."""

MAX_PIECES = 200_000
"""Runs that these texts may be made of: each repeats the variables that it uses."""

_SHELL = re.compile(r"(?:.*/)?(?:a|ba|da|k|mk|z)?sh\Z")
_ENV_FILES = ("dotenv-path", "dotenv-filename", "dotenv-load")
"""Settings that ask for a file of variables: the first of them that is there counts."""


def read(source: Source) -> Iterator[Source | Uses | Skip]:
    """One shell source for what ``just`` gives to one shell, each way to call a recipe apart."""
    if len(source.text) > MAX_CHARACTERS:
        detail = f"more than {MAX_CHARACTERS:,} characters: not read"
        yield Skip(source.path, "read", "too-large", detail, source.span(0, 0))
        return
    justfile = parse_justfile(source.text)
    yield from _env_file(source, justfile)
    count = pieces = 0
    for number, recipe in enumerate(justfile.recipes):
        for child in _recipe(source, justfile, recipe, number):
            count += 1
            pieces += len(child.origin)
            if count > MAX_TEXTS or pieces > MAX_PIECES:
                detail = f"only the first {count - 1:,} lines of recipes were read"
                last = len(child.text)
                yield Skip(source.path, "read", "too-slow", detail, child.span(last - 1, last))
                return
            yield child


def _recipe(source: Source, justfile: Justfile, recipe: Recipe, number: int) -> Iterator[Source]:
    """The texts that a recipe gives to shells, for each way in which it is called."""
    interpreter = _interpreter(source.text, justfile, recipe)
    shell = interpreter or justfile.first("shell", "sh")
    if not recipe.lines or not _SHELL.match(shell):
        return
    given = ways(justfile, recipe)
    for way, one in enumerate(given):
        scope = Scope(justfile, one)
        steps = ("recipe", number, *(("call", way) if len(given) > 1 else ()))
        if interpreter:
            made = shell_text(source.text, scope, recipe.lines, "\n")
            yield source.embed(made.text, made.segments, "shell", *steps)
            continue
        for line, command in enumerate(commands(source.text, recipe.lines)):
            made = shell_text(source.text, scope, command, "")
            if made.text:
                yield source.embed(made.text, made.segments, "shell", *steps, "line", line)


def _interpreter(text: str, justfile: Justfile, recipe: Recipe) -> str:
    """What runs a recipe that is one script; empty when each line is a command."""
    first = text[slice(*recipe.lines[0])] if recipe.lines else ""
    if first.startswith("#!"):
        return "sh" if claim_text("shebang", first) == "shell" else "another"
    if "script" in recipe.attributes:
        return recipe.attributes["script"] or justfile.first("script-interpreter", "sh")
    return ""


def _env_file(source: Source, justfile: Justfile) -> Iterator[Uses]:
    """The file of variables that the settings ask for."""
    asked = [name for name in _ENV_FILES if justfile.is_set(name)]
    if asked:
        path = ".env" if asked[0] == _ENV_FILES[-1] else justfile.first(asked[0], "")
        target = os.path.normpath(os.path.join(os.path.dirname(source.path), path))
        span = source.span(*justfile.settings[asked[0]].place)
        yield Uses(span=span, owner=source.owner, target=target, how="env-file")
