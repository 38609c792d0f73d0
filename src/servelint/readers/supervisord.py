"""Configurations of supervisord: the programs that it starts, and their environment."""

from __future__ import annotations

from servelint.facts import Env
from servelint.finding import Skip
from servelint.syntax.exec_words import MAX_CHARACTERS, UnclosedQuoteError, shell_source, word_value
from servelint.syntax.supervisord import pairs, settings, words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from servelint.source import Source
    from servelint.syntax.exec_words import Setting

_PROGRAMS = ("program", "fcgi-program", "eventlistener")
_FOR_ALL = "supervisord"
"""The section whose environment is that of every program."""


def read(source: Source) -> Iterator[Env | Source | Skip]:
    """The environment and the command of each program."""
    if len(source.text) > MAX_CHARACTERS:
        detail = f"more than {MAX_CHARACTERS:,} characters: not read"
        yield Skip(source.path, "read", "too-large", detail, source.span(0, 0))
        return
    kept = {(setting.section, setting.key): setting for setting in settings(source)}
    for (section, key), setting in kept.items():
        kind, _, program = section.partition(":")
        is_program = bool(program) and kind in _PROGRAMS
        if key == "environment" and (is_program or section == _FOR_ALL):
            yield from _environment(source, setting, _Names(program, frozenset()))
        elif key == "command" and is_program and setting.value.text:
            own = kept.get((section, "environment"))
            names = _Names(program, frozenset(_set_by(own)) if own else frozenset())
            yield from _command(source, setting, names)


class _Names:
    """What ``%(name)s`` stands for in the section of one program, which itself sets ``own``."""

    def __init__(self, program: str, own: frozenset[str]) -> None:
        self._program = program
        self._own = own

    def __call__(self, name: str) -> tuple[str, str]:
        if name == "program_name":
            return self._program, ""
        prefix, _, variable = name.partition("ENV_")
        return "", variable if not prefix and variable in self._own else name


def _set_by(setting: Setting) -> Iterator[str]:
    return (name for name, _, _ in pairs(setting.value.text, _Names("", frozenset())))


def _environment(source: Source, setting: Setting, names: _Names) -> Iterator[Env]:
    is_for_all = setting.section == _FOR_ALL
    owner = source.owner if is_for_all else source.owner.child(setting.section)
    for name, place, word in pairs(setting.value.text, names):
        value = word_value(setting.value, word)
        yield Env(span=setting.value.span(*place), owner=owner, name=name, value=value)


def _command(source: Source, setting: Setting, names: _Names) -> Iterator[Source | Skip]:
    try:
        command = tuple(words(setting.value.text, names))
    except UnclosedQuoteError as error:
        place = setting.value.span(error.offset, len(setting.value.text))
        detail = f"command of [{setting.section}]: {error}"
        yield Skip(source.path, "read", "syntax", detail, place)
    else:
        yield shell_source(setting.value, [command], setting.section, "command")
