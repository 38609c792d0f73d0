"""The script that completes command lines in zsh."""

from __future__ import annotations

import re

from servelint.completion.model import filled, heads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from servelint.completion.model import Command, Option, Value

TEMPLATE = """\
#compdef servelint
# Completes servelint in zsh. Made by `servelint completion zsh`: keep it as _servelint in a
# directory of $fpath, or source it after compinit.
_servelint() {
    local command=check
    local -a first
    integer taken=0
    if (( CURRENT > 3 )); then
        case "$words[2] $words[3]" in
            TWOS) command="$words[2] $words[3]" taken=2 ;;
        esac
    fi
    if (( taken == 0 && CURRENT > 2 )); then
        case $words[2] in
            ONES) command=$words[2] taken=1 ;;
        esac
    fi
    if (( CURRENT == 2 )); then
        first=(
FIRST
        )
        _describe -t commands command first
    elif (( CURRENT == 3 )); then
        case $words[2] in
SECOND
        esac
    fi
    if (( taken )); then
        shift $taken words
        (( CURRENT -= taken ))
    fi
    case $command in
OPTIONS
    esac
}
if [ "$funcstack[1]" = _servelint ]; then
    _servelint "$@"
else
    compdef _servelint servelint
fi"""


def text(every: Sequence[Command]) -> str:
    """The script."""
    firsts = heads(every)
    first = []
    for name, words in firsts.items():
        about = next((one.help for one in every if one.name == name), " or ".join(words))
        first.append(" " * 12 + _quoted(f"{name}:{about}"))
    options = []
    for command in every:
        specs = [spec for option in command.options for spec in _specs(option)]
        if command.arguments.words or command.arguments.kind:
            specs.append(_quoted(f"*{_value(command.arguments)}"))
        lines = "".join(f" \\\n                {spec}" for spec in specs)
        options.append(f'        "{command.name}")\n            _arguments{lines}\n            ;;')
    second = [
        f"            {one}) compadd -- {' '.join(two)} ;;" for one, two in firsts.items() if two
    ]
    return filled(TEMPLATE, every, " | ", FIRST=first, SECOND=second, OPTIONS=options)


def _specs(option: Option) -> Iterator[str]:
    told = re.sub(r"([\\\[\]:])", r"\\\1", option.help)
    for name in option.names:
        others = " ".join(one for one in option.names if one != name)
        lead = "*" if option.often else f"({others})" if others else ""
        equals = "=" if option.value is not None and name.startswith("--") else ""
        value = _value(option.value) if option.value is not None else ""
        yield _quoted(f"{lead}{name}{equals}[{told}]{value}")


def _value(value: Value) -> str:
    kinds = {"FILE": "_files", "DIR": "_files -/"}
    action = f"({' '.join(value.words)})" if value.words else kinds.get(value.kind, " ")
    return f":{value.name}:{action}"


def _quoted(text: str) -> str:
    """One word of the script."""
    return "'" + text.replace("'", "'\\''") + "'"
