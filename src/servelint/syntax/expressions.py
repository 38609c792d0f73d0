"""Expressions of template engines that only name a variable: they can be closed like any name.

What a variable of an engine is called in facts no shell or container can call one of its own, so
that the two never meet; only the ``env`` of a workflow is an environment.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from servelint.syntax.make_shell import ShellText, shell_name
from servelint.syntax.quote_places import in_single_quotes
from servelint.value import Open, Text, Unknown, Value, one_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from servelint.source import Source
    from servelint.value import Part

    Names = Callable[[str], "Named | None"]

_EXPRESSION = re.compile(r"\$?\{\{(?P<inside>.{1,400}?)\}\}", re.DOTALL)
_LITERAL = r"""(?:'(?P<single>[^'\\]*)'|"(?P<double>[^"\\]*)"|(?P<bare>\d[\w.]*))"""
_WORKFLOW = re.compile(
    rf"\s*(?P<scope>env|inputs|matrix|github\.event\.inputs|(?:steps|needs)\.[\w-]+\.outputs)"
    rf"\.(?P<name>[\w-]+)\s*"
    rf"(?:\|\|\s*{_LITERAL}\s*)?\Z",
    re.ASCII,
)
_PATH = re.compile(r"""\s*(?P<path>[A-Za-z_]\w*(?:\.[A-Za-z_]\w*|\[['"]\w+['"]\])*)\s*""", re.ASCII)
_STEP = re.compile(r"""\w+""", re.ASCII)
_DEFAULT = re.compile(rf"\|\s*(?:default|d)\(\s*{_LITERAL}\s*(?:,\s*[Tt]rue\s*)?\)\s*", re.ASCII)
_SAME = re.compile(r"\|\s*(?:quote|string|trim|int)\s*", re.ASCII)
_SIMPLE = re.compile(r"[\w./:@+=,-]*\Z", re.ASCII)


_OF_ANSIBLE = re.compile(
    r"(?:\A|/)(?:roles/[^/]+/(?:templates|defaults|vars|tasks|handlers)|group_vars|host_vars)/"
)


def is_of_ansible(path: str) -> bool:
    """True for a file whose place says that variables of a play fill it in."""
    return _OF_ANSIBLE.search(path) is not None


@dataclass(frozen=True, slots=True)
class Named:
    """A variable by its name in facts, with what holds when nothing sets it."""

    name: str
    default: str | None = None


def of_workflow(expression: str) -> Named | None:
    """What ``${{ inputs.tag || 'main' }}`` names; None for what only a run can tell."""
    match = _WORKFLOW.match(expression)
    if match is None:
        return None
    scope = match["scope"].removesuffix(".outputs").removeprefix("github.event.")
    return Named(workflow_name(scope, match["name"]), _literal(match))


def workflow_name(scope: str, name: str) -> str:
    """A variable of a context of a workflow; that of ``env`` is one of the environment."""
    return name if scope == "env" else f"workflow_{shell_name(scope)}_{shell_name(name)}"


def of_template(expression: str) -> Named | None:
    """What ``{{ a.b | default('c') }}`` names; None for what computes."""
    path = _PATH.match(expression)
    if path is None:
        return None
    at, default = path.end(), None
    while at < len(expression):
        match = _DEFAULT.match(expression, at)
        if match is not None:
            default = _literal(match)
        else:
            match = _SAME.match(expression, at)
        if match is None:
            return None
        at = match.end()
    return Named(template_name(*_STEP.findall(path["path"])), default)


def template_name(*path: str) -> str:
    """A variable of a template by the keys that lead to it."""
    return "template_" + "__".join(path)


def with_default(expression: str) -> Named | None:
    """As :func:`of_template` where nothing is known of the variables but a default."""
    named = of_template(expression)
    return named if named is not None and named.default is not None else None


def _literal(match: re.Match[str]) -> str | None:
    return next(
        (match[one] for one in ("single", "double", "bare") if match[one] is not None), None
    )


def placed(value: Value) -> Value:
    """The value with its own place on its trail: it becomes a part of one that stands elsewhere."""
    readings = tuple(
        tuple(replace(part, trail=(value.span, *part.trail)) for part in parts)
        for parts in value.readings
    )
    return Value(readings, value.span)


def any_of(values: Sequence[Value]) -> Value:
    """Any of several values, each with the place where it stands."""
    return values[0] if len(values) == 1 else one_of(map(placed, values), values[0].span)


def opened(value: Value, names: Names) -> Value:
    """The value with the expressions that only name something as open names."""
    if not any(isinstance(part, Unknown) for parts in value.readings for part in parts):
        return value
    readings = tuple(tuple(_part(part, names) for part in parts) for parts in value.readings)
    return Value(readings, value.span)


def _part(part: Part, names: Names) -> Part:
    match = _EXPRESSION.fullmatch(part.text) if isinstance(part, Unknown) else None
    named = names(match["inside"]) if match is not None else None
    if named is None:
        return part
    default = None if named.default is None else (Text(named.default, part.trail),)
    return Open(named.name, part.text, part.trail, default)


def opened_shell(source: Source, names: Names) -> Source:
    """Shell text in which such expressions are parameters; in single quotes they stay."""
    found = [
        (match, named)
        for match in _EXPRESSION.finditer(source.text)
        if (named := names(match["inside"])) is not None and _SIMPLE.match(named.default or "")
    ]
    if not found:
        return source
    made, at = ShellText(), 0
    places = [match.span() for match, _ in found]
    for (match, named), single in zip(found, in_single_quotes(source.text, places), strict=True):
        if not single:
            start, end = match.span()
            made.add(source.text[at:start], at, start)
            rest = "" if named.default is None else f":-{named.default}"
            made.add(f"${{{named.name}{rest}}}", start, end)
            at = end
    made.add(source.text[at:], at, len(source.text))
    child = source.embed(made.text, made.segments, source.language)
    return replace(child, owner=source.owner, container=source.container)
