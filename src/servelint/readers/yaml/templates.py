"""YAML that a template engine writes: read with its expressions unknown, as far as it is YAML."""

from __future__ import annotations

from dataclasses import replace

from servelint.finding import Skip
from servelint.readers import unwrapped
from servelint.syntax.jinja import variants
from servelint.syntax.jinja_tags import is_template
from servelint.syntax.yaml import Alias, Mapping, Node, Scalar, Sequence, YamlProblem, documents

TYPE_CHECKING = False
if TYPE_CHECKING:
    from servelint.source import Source

MAX_SIZE = 200_000
"""Characters of a template; it is parsed several times."""

_HELP = "looks like a template: {0}; it is not read as YAML"


def is_chart_template(source: Source) -> bool:
    """True for a file of a Helm chart, which is read with the values of the chart or not at all.

    A text that was put together is what such a file has become; signs in it are its own.
    """
    if source.origin or "{{" not in source.text or "{%" in source.text or unwrapped(source.path):
        return False
    return "templates" in source.path.split("/")[:-1]


def is_jinja(source: Source) -> bool:
    """True for a file whose name says that it is a template of the Jinja family."""
    return bool(unwrapped(source.path)) and is_template(source.text)


def filled(source: Source) -> tuple[Source, ...]:
    """The texts that a template may become, one for the first branches, one for the second ..."""
    if not is_template(source.text) or len(source.text) > MAX_SIZE:
        return ()
    found = variants(source, "yaml", _is_plain)
    if len(found) < 2:
        return found
    return tuple(_numbered(one, number) for number, one in enumerate(found, 1))


def _numbered(source: Source, number: int) -> Source:
    if number == 1:
        return source
    name = f"branch {number}"
    return replace(source, owner=source.owner.child(name), variant=name)


def refused(source: Source, problem: YamlProblem | None = None) -> Skip:
    """Why a text is not read."""
    why = "it stands in templates/ and holds {{ }}" if problem is None else ""
    for mark in ("{{", "{%"):
        if mark in source.text and (problem is None or problem.reason == "syntax"):
            offset = source.text.find(mark)
            detail = _HELP.format(why or f"it holds {mark} and is not YAML")
            return Skip(source.path, "read", "template", detail, source.span(offset, offset + 2))
    assert problem is not None  # noqa: S101  # a template holds a mark
    span = source.span(problem.offset, problem.offset)
    return Skip(source.path, "read", problem.reason, problem.detail, span)


def _is_plain(text: str) -> bool:
    """True for YAML in which no key is given twice, as branches that exclude each other do."""
    try:
        trees = documents(text)
    except YamlProblem:
        return False
    todo: list[Node] = [tree for tree in trees if tree is not None]
    if not any(isinstance(tree, (Mapping, Sequence)) for tree in todo):
        return False
    while todo:
        node = todo.pop()
        if isinstance(node, Sequence):
            todo.extend(item for item in node.items if not isinstance(item, Alias))
        elif isinstance(node, Mapping):
            keys = [key.value for key, _ in node.entries if isinstance(key, Scalar)]
            if len(set(keys)) < len(keys):
                return False
            todo.extend(value for _, value in node.entries if not isinstance(value, Alias))
    return True
