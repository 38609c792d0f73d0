"""Simple commands: assignments, functions, and commands that are put on record."""

from __future__ import annotations

import re
from dataclasses import replace

from servelint.syntax.bash_assign import assign, declare, prefixed
from servelint.syntax.bash_builtins import run_builtin
from servelint.syntax.bash_commands import Item, Run
from servelint.syntax.bash_expand import Expansion
from servelint.syntax.bash_fields import field_text, literal, product, through
from servelint.syntax.bash_heredocs import (
    copies,
    piped_to,
    printed_text,
    standard_input,
    standard_output,
    without_line_end,
)
from servelint.syntax.bash_inline import may_read_text
from servelint.syntax.bash_lexer import DECLARATIONS
from servelint.syntax.bash_nodes import read_command
from servelint.syntax.bash_state import Exported, Variable, join
from servelint.syntax.bash_walk import MAX_CALLS
from servelint.syntax.bash_words import Assignment

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from tree_sitter import Node

    from servelint.syntax.bash_fields import Field, Place
    from servelint.syntax.bash_nodes import Lexed, Nodes
    from servelint.syntax.bash_state import Fields, State
    from servelint.syntax.bash_walk import Handler, Walk
    from servelint.syntax.bash_words import Simple

_MENTIONED = re.compile(r"(?<![\w${#!])[A-Za-z_]\w*", re.ASCII)
_ENDINGS = frozenset({"exit", "return", "break", "continue"})


def _command(walk: Walk, node: Node, state: State) -> State | None:
    if walk.too_many((node.start_byte, node.end_byte)):
        return state
    lexed = _lexed(walk, node)
    if lexed is None or walk.mistaken:
        return state
    walk.ends[node.start_byte] = lexed.simple.end
    around = expansion(walk, state, lexed.nodes)
    after = _carried_out(walk, around, lexed.simple)
    walk.work += around.work
    return after


def _lexed(walk: Walk, node: Node) -> Lexed | None:
    start = node.start_byte
    if start not in walk.lexed:
        walk.lexed[start] = lexed = read_command(walk.text, node, walk.limit)
        walk.mistaken = walk.mistaken or (lexed is not None and lexed.mistaken and not walk.mended)
    return walk.lexed[start]


def _carried_out(walk: Walk, around: Expansion, simple: Simple) -> State | None:
    state = around.state
    for redirection in simple.redirections:
        around.scalar(redirection.target)
    if not simple.words:
        for item in simple.assignments:
            assign(around, item)
            _note(walk, item, state)
        return state
    name = walk.text[simple.words[0].start : simple.words[0].end]
    if name in DECLARATIONS:
        declare(around, name, simple.words[1:])
        for word in simple.words[1:]:
            if isinstance(word, Assignment):
                _note(walk, word, state)
        return state
    return _words(walk, around, simple)


def _note(walk: Walk, item: Assignment, state: State) -> None:
    """Put an assignment on record, with the value of its last run."""
    variable = state.variables.get(item.name)
    if variable is not None and variable.fields and not variable.array and not item.append:
        place, value = (item.start, item.end), (item.value.start, item.value.end)
        walk.assigned[place] = Exported(item.name, place, variable.fields[0], value)


def _words(walk: Walk, around: Expansion, simple: Simple) -> State | None:
    """A command with words: a function, the end of a path, or something to put on record."""
    state = around.state
    items = tuple(
        Item(field, (word.start, word.end))
        for word in simple.words
        if not isinstance(word, Assignment)
        for field in around.fields(word)
    )
    if not items:
        return state
    name = field_text(items[0].field) or ""
    args = tuple(item.field for item in items[1:])
    if name in walk.functions:
        env = _environment(walk, around, simple)
        return _call(walk, name, args, state, env)
    if name == "[":
        return state
    if name in _ENDINGS:
        return _end(walk, name, state)
    reads, writes = _streams(walk, around, simple, items)
    walk.records.add(simple.start, Run(items, _environment(walk, around, simple), reads, writes))
    if name == "exec" and any(not (field_text(f) or "x").startswith("-") for f in args):
        return None
    run_builtin(name, state, args, items[0].place)
    return state


def _streams(
    walk: Walk, around: Expansion, simple: Simple, items: tuple[Item, ...]
) -> tuple[Item | None, tuple[Item, ...]]:
    """The text that a command reads, when it is known and may be a script, and where it goes."""
    reads = walk.piped.pop(simple.start, None)
    if (text := printed_text(items)) is not None and (to := piped_to(walk.text, simple)):
        walk.piped[to] = text
    if not (reads or simple.redirections) or not may_read_text(items):
        return None, ()
    inner = expansion(walk, around.state.copy(), {})
    reads = standard_input(inner, walk.heredocs, simple) or reads
    walk.work += inner.work
    writes = standard_output(inner, simple) if reads is not None else ()
    if reads is not None and not writes and copies(items):
        walk.piped[piped_to(walk.text, simple)] = reads
    return reads, writes


def _environment(walk: Walk, around: Expansion, simple: Simple) -> tuple[Exported, ...]:
    """What the text exported before, and what stands before the command itself."""
    exports = around.state.exports()
    if not simple.assignments:
        return exports
    inner = expansion(walk, around.state.copy(), {})
    own = prefixed(inner, simple.assignments)
    return tuple({export.name: export for export in (*exports, *own)}.values())


def _end(walk: Walk, name: str, state: State) -> State | None:
    """The path goes on where its function or loop ends; outside of a loop nothing happens."""
    frames = walk.frames
    waiting = {"return": frames.returns, "break": frames.breaks, "continue": frames.continues}
    stack = waiting.get(name)
    if stack:
        stack[-1].append(state)
        return None
    return state if name in ("break", "continue") else None


def expansion(walk: Walk, state: State, nodes: Nodes) -> Expansion:
    """An expansion whose substitutions are the statements of ``nodes``, by their offsets."""

    def substitute(place: Place, at: State) -> Field | None:
        node = nodes.get(place[0])
        if node is None or node.end_byte != place[1]:
            return None
        walk.substituted(node, at)
        return _printed(walk, node, at)

    return Expansion(walk.text, state, substitute, in_function=walk.calls > 0)


def _printed(walk: Walk, node: Node, state: State) -> Field | None:
    """What ``$(echo words)`` gives; None for all that has to run to be known."""
    statements = [child for child in node.named_children if child.type != "comment"]
    text = walk.text[node.start_byte : node.end_byte]
    kind = statements[0].type if len(statements) == 1 else ""
    if kind == "redirected_statement" and "<<" in text:
        return _copied(walk, node, statements[0], state)
    return _echoed(walk, node, statements[0], state) if kind == "command" else None


def _echoed(walk: Walk, node: Node, statement: Node, state: State) -> Field | None:
    """What ``echo`` prints, where nothing is escaped."""
    if "\\" in walk.text[node.start_byte : node.end_byte]:
        return None
    lexed = _lexed(walk, statement)
    if lexed is None or lexed.nodes or "echo" in walk.functions:
        return None
    simple = lexed.simple
    if simple.assignments or simple.redirections:
        return None
    if simple.end != node.end_byte - 1 or not _is_echo(walk, simple):
        return None
    around = expansion(walk, state.copy(), {})
    place = (node.start_byte, node.end_byte)
    words = (word for word in simple.words[1:] if not isinstance(word, Assignment))
    parts: list[Field] = []
    for field in (field for word in words for field in around.fields(word)):
        parts.extend((literal(" ", place), field) if parts else (field,))
    if parts and (field_text(parts[0]) or "-").startswith("-"):
        return None
    return through(product(parts, place) if parts else literal("", place), place)


def _copied(walk: Walk, node: Node, statement: Node, state: State) -> Field | None:
    """What ``$(cat <<EOF)`` gives: the body without the line ends behind it."""
    lexed = read_command(walk.text, statement, node.end_byte - 1)
    if lexed is None or "cat" in walk.functions:
        return None
    around = expansion(walk, state.copy(), {})
    words = [word for word in lexed.simple.words if not isinstance(word, Assignment)]
    items = tuple(Item(f, (w.start, w.end)) for w in words for f in around.fields(w))
    if not copies(items) or standard_output(around, lexed.simple):
        return None
    body = standard_input(around, walk.heredocs, lexed.simple)
    walk.work += around.work
    if body is None:
        return None
    return through(tuple(map(without_line_end, body.field)), (node.start_byte, node.end_byte))


def _is_echo(walk: Walk, simple: Simple) -> bool:
    return (
        walk.text[simple.words[0].start : simple.words[0].end] == "echo" if simple.words else False
    )


def _define(walk: Walk, node: Node, state: State) -> State:
    name = node.child_by_field_name("name")
    body = node.child_by_field_name("body")
    if name is not None and body is not None:
        text = walk.text[name.start_byte : name.end_byte]
        walk.functions[text] = body
        walk.defined[text] = state.copy()
    return state


def _call(
    walk: Walk, name: str, args: Fields, state: State, env: tuple[Exported, ...]
) -> State | None:
    """The body of a function, with the words of the call as its parameters."""
    walk.called.add(name)
    if walk.calls >= MAX_CALLS:
        _forget_mentioned(walk, walk.functions[name], state)
        return state
    before = state.variables.copy()
    saved = (state.args, state.shifted, state.locals, state.unsure_locals)
    own = [export for export in env if export not in state.exports()]
    for export in own:
        variable = Variable((export.field,), place=export.place, value=export.value)
        state.set(export.name, replace(variable, exported=True))
    state.args, state.shifted, state.locals, state.unsure_locals = args, False, {}, frozenset()
    after = run_function(walk, name, state)
    if after is not None:
        for export in own:
            after.restore(export.name, before.get(export.name))
        after.args, after.shifted, after.locals, after.unsure_locals = saved
    return after


def _forget_mentioned(walk: Walk, body: Node, state: State) -> None:
    """A body that is not followed may set every variable that it names outside expansions."""
    named = set(_MENTIONED.findall(walk.text, body.start_byte, body.end_byte))
    for name in named.intersection(state.variables):
        state.forget(name, (body.start_byte, body.end_byte))


def run_function(walk: Walk, name: str, state: State) -> State | None:
    """The state after the body of a function, its local names put back."""
    walk.frames.returns.append([])
    walk.calls += 1
    end = walk.run(walk.functions[name], state)
    walk.calls -= 1
    ends = [end, *walk.frames.returns.pop()]
    for here in ends:
        if here is not None:
            here.leave_function()
    return join(ends)


HANDLERS: Mapping[str, Handler] = {
    "command": _command,
    "command_name": _command,  # without a command around it: inside an error
    "declaration_command": _command,
    "unset_command": _command,
    "variable_assignment": _command,
    "variable_assignments": _command,
    "function_definition": _define,
}
