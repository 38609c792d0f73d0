"""The script that completes command lines in fish."""

from __future__ import annotations

from servelint.completion.model import filled, heads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from servelint.completion.model import Command, Value

TEMPLATE = """\
# Completes servelint in fish. Made by `servelint completion fish`: keep it as servelint.fish in
# ~/.config/fish/completions.
function __servelint_command
    set -l words (commandline -opc)
    set -l command check
    if contains -- "$words[2]" ONES
        set command $words[2]
    end
    if contains -- "$words[2] $words[3]" TWOS
        set command "$words[2] $words[3]"
    end
    test "$command" = "$argv[1]"
end
function __servelint_after
    set -l words (commandline -opc)
    test (count $words) -eq (math (count $argv) + 1)
    and test "$words[2..]" = "$argv"
end
FIRST
OPTIONS"""


def text(every: Sequence[Command]) -> str:
    """The script."""
    first = []
    for one, two in heads(every).items():
        about = next((command.help for command in every if command.name == one), "")
        first.append(_word("", one, about or " or ".join(two)))
    for command in every:
        one, _, word = command.name.partition(" ")
        first += [_word(one, word, command.help)] if word else []
    options = []
    for command in every:
        when = _quoted(f'__servelint_command "{command.name}"')
        for option in command.options:
            names = " ".join(_name(name) for name in option.names)
            value = _value(option.value) if option.value is not None else ""
            told = _quoted(option.help)
            options.append(f"complete -c servelint -n {when} {names}{value} -d {told}")
        if command.arguments.words:
            words = " ".join(command.arguments.words)
            options.append(f"complete -c servelint -n {when} -f -a {_quoted(words)}")
    return filled(TEMPLATE, every, " ", FIRST=first, OPTIONS=options)


def _word(after: str, word: str, about: str) -> str:
    when = f"__servelint_after {after}".strip()
    return f"complete -c servelint -n {_quoted(when)} -a {word} -d {_quoted(about)}"


def _name(name: str) -> str:
    return f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}"


def _value(value: Value) -> str:
    if value.words:
        return f" -x -a {_quoted(' '.join(value.words))}"
    kinds = {"FILE": " -r -F", "DIR": " -x -a '(__fish_complete_directories)'"}
    return kinds.get(value.kind, " -x")


def _quoted(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"
