"""The script that completes command lines in bash."""

from __future__ import annotations

from servelint.completion.model import filled, heads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from servelint.completion.model import Command, Value

TEMPLATE = """\
# Completes servelint in bash. Made by `servelint completion bash`: source this file, or keep it as
# servelint in the directory of completions (~/.local/share/bash-completion/completions).
_servelint() {
    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}
    local command=check words= options=
    if [ "$cur" = "=" ]; then
        cur=
    elif [ "$prev" = "=" ] && [ "$COMP_CWORD" -gt 2 ]; then
        prev=${COMP_WORDS[COMP_CWORD-2]}
    fi
    COMPREPLY=()
    if [ "$COMP_CWORD" -gt 1 ]; then
        case ${COMP_WORDS[1]} in
            ONES) command=${COMP_WORDS[1]} ;;
        esac
    fi
    if [ "$COMP_CWORD" -gt 2 ]; then
        case "${COMP_WORDS[1]} ${COMP_WORDS[2]}" in
            TWOS) command="${COMP_WORDS[1]} ${COMP_WORDS[2]}" ;;
        esac
    fi
    case "$command $prev" in
VALUES
    esac
    case $command in
OPTIONS
    esac
    if [ "$COMP_CWORD" -eq 1 ]; then
        words="FIRST $words"
    elif [ "$COMP_CWORD" -eq 2 ]; then
        case $prev in
SECOND
        esac
    fi
    case $cur in
        -*) words=$options ;;
    esac
    COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -o default -F _servelint servelint"""


def text(every: Sequence[Command]) -> str:
    """The script."""
    firsts = heads(every)
    values = []
    options = []
    for command in every:
        for option in command.options:
            if option.value is not None:
                keys = " | ".join(f'"{command.name} {name}"' for name in option.names)
                values.append(f"        {keys}) {_value(option.value)}; return ;;")
        names = " ".join(name for option in command.options for name in option.names)
        words = " ".join(command.arguments.words)
        options.append(f'        "{command.name}") options="{names}" words="{words}" ;;')
    second = [
        f'            {first}) words="{" ".join(words)} $words" ;;'
        for first, words in firsts.items()
        if words
    ]
    first = " ".join(firsts)
    return filled(
        TEMPLATE, every, " | ", FIRST=[first], SECOND=second, VALUES=values, OPTIONS=options
    )


def _value(value: Value) -> str:
    """What fills the answer; without one, bash offers files itself."""
    if value.words:
        return f'COMPREPLY=($(compgen -W "{" ".join(value.words)}" -- "$cur"))'
    if value.kind == "DIR":
        return 'compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -d -- "$cur"))'
    return ":"
