"""Branches, lists, pipelines and groups."""

from __future__ import annotations

import re

from servelint.syntax.bash_arith import assigned_names
from servelint.syntax.bash_fields import nonempty
from servelint.syntax.bash_mend import is_long_test
from servelint.syntax.bash_state import join

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tree_sitter import Node

    from servelint.syntax.bash_state import State
    from servelint.syntax.bash_walk import Handler, Walk

_NONEMPTY = re.compile(r"""\[\[?\s+-n\s+"?\$\{?([A-Za-z_]\w*)\}?"?\s+\]\]?\Z""", re.ASCII)
_SURE = frozenset({"echo", "printf", ":", "true", "set", "export"})
_SIMPLE = frozenset({"variable_assignment", "variable_assignments", "declaration_command"})
_HEREDOC_STATEMENTS = frozenset({"pipeline", "list"})


def _group(walk: Walk, node: Node, state: State) -> State | None:
    children = node.children
    if children and children[0].type in ("((", "("):
        if children[0].type == "((":
            text = walk.text[node.start_byte : node.end_byte]
            for name in assigned_names(text):
                state.forget(name, (node.start_byte, node.end_byte))
        walk.isolated(children, state)
        return state
    return walk.block(children, state)


def _subshell(walk: Walk, node: Node, state: State) -> State:
    walk.isolated(node.children, state)
    return state


def _pipeline(walk: Walk, node: Node, state: State) -> State:
    """Every part of a pipeline runs in a shell of its own."""
    for child in node.children:
        walk.isolated((child,), state)
    return state


def _test(walk: Walk, node: Node, state: State) -> State:
    walk.mistaken = walk.mistaken or (not walk.mended and is_long_test(walk.text, node))
    walk.inside(node, state)
    return state


def _redirected(walk: Walk, node: Node, state: State) -> State | None:
    """A statement with redirections; what follows a heredoc on its line stands inside it."""
    here: State | None = state
    for child in node.children:
        if here is None:
            return None
        if child.type == "heredoc_redirect":
            here = _behind_heredoc(walk, child, here)
        elif child.type == "file_redirect":
            walk.inside(child, here)
        elif child.type != "herestring_redirect":
            here = walk.block((child,), here)
    return here


def _behind_heredoc(walk: Walk, node: Node, state: State) -> State | None:
    right = node.child_by_field_name("right")
    if right is not None:
        return join((state, walk.run(right, state.copy())))
    for child in node.children:
        if child.type in _HEREDOC_STATEMENTS:
            walk.isolated((child,), state)
    return state


def _list(walk: Walk, node: Node, state: State) -> State | None:
    """``a && b || c``: each part with the state of the paths that lead to it."""
    first, rest = _parts(node)
    good = walk.run(first, state)
    bad = _if_failed(walk, first, good)
    for operator, part in rest:
        if operator == "&&" and good is not None:
            good = walk.run(part, good)
            bad = join((bad, _if_failed(walk, part, good)))
        elif operator == "||" and bad is not None:
            after = walk.run(part, bad)
            failed = _if_failed(walk, part, after)
            good = join((good, after))
            bad = failed
    return join((good, bad))


def _parts(node: Node) -> tuple[Node, list[tuple[str, Node]]]:
    """The first part, and the others with the operators before them."""
    rest: list[tuple[str, Node]] = []
    while node.type == "list" and len(node.named_children) > 1:
        named = node.named_children
        operator = next((child.type for child in node.children if child.type in ("&&", "||")), "&&")
        rest.append((operator, named[-1]))
        node = named[0]
    return node, rest[::-1]


def _if_failed(walk: Walk, node: Node, after: State | None) -> State | None:
    """A copy of the state after a part, unless the part cannot fail."""
    if after is None:
        return None
    text = walk.text[node.start_byte : node.end_byte]
    words = text.split(None, 1)
    sure = node.type in _SIMPLE or (node.type == "command" and words[:1] and words[0] in _SURE)
    return None if sure and "$(" not in text and "`" not in text else after.copy()


def _if(walk: Walk, node: Node, state: State) -> State | None:
    ends: list[State | None] = []
    here: State | None = state
    open_else = True
    decided = False
    clauses = [node, *(c for c in node.children if c.type in ("elif_clause", "else_clause"))]
    for clause in clauses:
        if here is None:
            break
        if clause.type == "else_clause":
            end = walk.block(clause.children, here)
            ends.append(None if decided else end)
            open_else = False
            break
        condition, body = _condition_and_body(clause)
        here = walk.block(condition, here)
        if here is not None:
            end = walk.block(body, here.copy())
            ends.append(None if decided else end)
            decided = decided or _holds(walk, condition, here)
    open_else = open_else and not decided
    return walk.branched((*ends, here if open_else else None))


def _holds(walk: Walk, condition: Sequence[Node], state: State) -> bool:
    """True for ``[ -n "$name" ]`` of a variable that has a text; then no other branch goes on."""
    tests = [node for node in condition if node.is_named and node.type != "comment"]
    if len(tests) != 1 or tests[0].type != "test_command":
        return False
    match = _NONEMPTY.match(walk.text[tests[0].start_byte : tests[0].end_byte])
    variable = state.variables.get(match[1]) if match else None
    if variable is None or variable.array or not variable.fields:
        return False
    return all(map(nonempty, variable.fields[0]))


def _condition_and_body(clause: Node) -> tuple[list[Node], list[Node]]:
    children = [c for c in clause.children if c.type not in ("elif_clause", "else_clause")]
    at = next((i for i, child in enumerate(children) if child.type == "then"), len(children))
    return children[:at], children[at + 1 :]


def _case(walk: Walk, node: Node, state: State) -> State | None:
    subject = node.child_by_field_name("value")
    if subject is not None:
        walk.inside(subject, state)
    ends: list[State | None] = []
    falling: State | None = None
    exhaustive = False
    for item in node.children:
        if item.type != "case_item":
            continue
        end = walk.block(item.children, _entry(state, falling))
        falling = None
        if item.children[-1].type in (";&", ";;&"):
            falling = end.copy() if end is not None else None
        patterns = item.children_by_field_name("value")
        exhaustive = exhaustive or any(pattern.text == b"*" for pattern in patterns)
        ends.append(end)
    return walk.branched((*ends, None if exhaustive else state))


def _entry(state: State, falling: State | None) -> State:
    entry = state.copy()
    return join((entry, falling)) or entry


def _negated(walk: Walk, node: Node, state: State) -> State | None:
    return walk.block(node.children, state)


HANDLERS: Mapping[str, Handler] = {
    "program": _negated,
    "do_group": _negated,
    "elif_clause": _negated,
    "else_clause": _negated,
    "case_item": _negated,
    "ERROR": _negated,
    "negated_command": _negated,
    "compound_statement": _group,
    "subshell": _subshell,
    "pipeline": _pipeline,
    "test_command": _test,
    "redirected_statement": _redirected,
    "list": _list,
    "if_statement": _if,
    "case_statement": _case,
}
