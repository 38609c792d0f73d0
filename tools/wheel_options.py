"""The command line options of a server, read from its released wheel. Nothing of it is run.

Options are registered in two ways: by calls of ``add_argument``, and by annotated
fields (``name: A[type, "help"]``, ``name: A[type, Arg(...)]``) of the class of the
arguments or of the namespaces that it is put together from. Both are read from the
syntax. What cannot be told from it is an error: an option that is left out without
a word would be reported as unknown to the release.
"""

from __future__ import annotations

import ast
import zipfile
from dataclasses import dataclass

from packaging.utils import parse_wheel_filename
from wheel_modules import Modules, shape_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

MODULE, CLASS, METHOD = "sglang.srt.server_args", "ServerArgs", "add_cli_args"
"""Where the options are registered."""

FIELDS_OF = "add_cli_args_from_dataclass"
"""What registers one option for each annotated field."""

NAMESPACES = "_INPUT_NAMESPACES"
"""The list of the classes whose fields are those of the arguments, where there is one."""

ANNOTATED = ("A", "Annotated")
NOTE, OTHER_NOTES = "Arg", ("NS",)
"""How a field is annotated: the settings of its option, and notes that are about something else."""

ACTIONS = {
    "store": None,
    "append": None,
    "extend": None,
    "store_true": "0",
    "store_false": "0",
    "store_const": "0",
    "append_const": "0",
    "count": "0",
    "help": "0",
    "version": "0",
}
"""Words that follow an option by its action; None where ``nargs`` says it."""

ON_OFF = "BooleanOptionalAction"
"""The action of an option that has a second spelling, ``--no-...``, to switch it off."""

COUNTS = ("?", "+", "*")
"""What ``nargs`` may say."""


class ReadError(ValueError):
    """Something that its syntax does not tell; the text says where and what."""


@dataclass(frozen=True, slots=True)
class Registered:
    """One option of one release.

    ``names`` are its spellings, the one that names it first; ``values`` is how many words
    follow, as argparse writes it (``0`` and ``1`` for none and one). ``negatives``
    switch it off.
    """

    names: tuple[str, ...]
    values: str
    negatives: tuple[str, ...] = ()


def release_of(path: str) -> str:
    """The version that the name of a wheel says; raises what a wrong name raises."""
    return str(parse_wheel_filename(path.replace("\\", "/").rpartition("/")[2])[1])


def options_of(path: str) -> tuple[Registered, ...]:
    """All options of the server in a wheel, by name. Raises :class:`ReadError`."""
    with zipfile.ZipFile(path) as archive:
        modules = Modules(archive)
        found = tuple(_registered(modules))
    taken: dict[str, Registered] = {}
    for one in found:
        for name in (*one.names, *one.negatives):
            if name in taken:
                raise ReadError(f"{name} is registered twice: {taken[name].names}, {one.names}")
            taken[name] = one
    return tuple(sorted(found, key=lambda one: one.names))


# -- registrations ------------------------------------------------------------


def _registered(modules: Modules) -> Iterator[Registered]:
    """What the method registers, call by call."""
    found = modules.find_class(MODULE, CLASS)
    if found is None:
        raise ReadError(f"{MODULE} has no class {CLASS}")
    module, cls = found
    method = next(
        (one for one in cls.body if isinstance(one, ast.FunctionDef) and one.name == METHOD), None
    )
    if method is None:
        raise ReadError(f"{CLASS} has no method {METHOD}")
    parser = method.args.args[-1].arg
    for node in ast.walk(method):
        if not isinstance(node, ast.Call):
            continue
        called = ast.unparse(node.func)
        if called.endswith(".add_argument"):
            yield from _call(modules, module, node)
        elif called == FIELDS_OF and not node.keywords:
            yield from _fields(modules, module, cls)
        elif any(isinstance(one, ast.Name) and one.id == parser for one in node.args):
            raise ReadError(f"{module}:{node.lineno}: {called} may register options: not read")


def _call(modules: Modules, module: str, node: ast.Call) -> Iterator[Registered]:
    """An option of a call; nothing for an argument that is no option."""
    names = tuple(_text(module, one) for one in node.args)
    given = {one.arg or "**": one.value for one in node.keywords}
    if "**" in given or not names:
        raise ReadError(f"{module}:{node.lineno}: an option whose form is not written out")
    if names[0].startswith("-"):
        yield _option(modules, module, names, given)


def _option(
    modules: Modules, module: str, names: tuple[str, ...], given: dict[str, ast.expr]
) -> Registered:
    """An option by the keyword arguments of ``add_argument``."""
    action, nargs = given.get("action"), given.get("nargs")
    if action is None:
        return Registered(names, _count(module, nargs, "1"))
    if isinstance(action, ast.Constant):
        values = ACTIONS.get(str(action.value), "")
        if values == "":
            raise ReadError(f"{module}:{action.lineno}: unknown action {action.value!r}")
        return Registered(names, values or _count(module, nargs, "1"))
    called = ast.unparse(action)
    if called.rpartition(".")[2] == ON_OFF:
        return Registered(names, "0", tuple("--no-" + one[2:] for one in names))
    if nargs is not None:
        return Registered(names, _count(module, nargs, "1"))
    return Registered(names, _action_values(modules, module, called))


def _action_values(modules: Modules, module: str, name: str) -> str:
    """The words that follow an option with an action of the wheel's own."""
    found = modules.find_class(module, name)
    if found is None:
        raise ReadError(f"{module}: the action {name} is not in the wheel")
    where, cls = found
    for one in cls.body:
        if isinstance(one, ast.FunctionDef) and one.name == "__init__":
            nargs = _own_nargs(one)
            if nargs is not None:
                return _count(where, nargs, "1")
    base = ast.unparse(cls.bases[0]) if cls.bases else ""
    if base.rpartition(".")[2] == "Action":
        return "1"
    return _action_values(modules, where, base)


def _own_nargs(made: ast.FunctionDef) -> ast.expr | None:
    """What an action hands on as ``nargs`` where the call of ``add_argument`` gives none."""
    every, defaults = made.args.args, made.args.defaults
    for arg, value in zip(every[len(every) - len(defaults) :], defaults, strict=True):
        if arg.arg == "nargs":
            return value
    calls = (node for node in ast.walk(made) if isinstance(node, ast.Call))
    given = [one for call in calls for one in call.keywords if one.arg == "nargs"]
    return given[0].value if given else None


# -- fields -------------------------------------------------------------------


def _fields(modules: Modules, module: str, cls: ast.ClassDef) -> Iterator[Registered]:
    """An option for each annotated field of the arguments; one that is declared anew counts."""
    fields = {
        field.target.id: (where, field)
        for where, one in _classes(modules, module, cls)
        for field in one.body
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name)
    }
    options = [one for where, field in fields.values() for one in _field(modules, where, field)]
    if not options:
        raise ReadError(f"{module}: no fields are declared as they used to be")
    yield from options


def _classes(
    modules: Modules, module: str, cls: ast.ClassDef
) -> Iterator[tuple[str, ast.ClassDef]]:
    """The classes whose fields are those of the arguments, the class itself last."""
    listed = modules.find(module, NAMESPACES)
    names = listed[1].elts if listed is not None and isinstance(listed[1], ast.List) else []
    for name in (*cls.bases, *names):
        found = modules.find_class(module, ast.unparse(name))
        if found is None:
            raise ReadError(f"{module}: {ast.unparse(name)} is no class of the wheel")
        yield found
    yield module, cls


def _field(modules: Modules, module: str, field: ast.AnnAssign) -> Iterator[Registered]:
    """The option of a field; nothing for one that is not set by the command line."""
    hint = field.annotation
    if not isinstance(hint, ast.Subscript) or ast.unparse(hint.value) not in ANNOTATED:
        return
    kind, *notes = hint.slice.elts if isinstance(hint.slice, ast.Tuple) else (hint.slice,)
    given = _settings(module, notes)
    if given is None or _constant(given.get("no_cli")) is True:
        return
    name = "--" + ast.unparse(field.target).replace("_", "-")
    own, others = given.get("cli_name"), given.get("aliases")
    if not isinstance(others, ast.List) and _constant(others) is not None:
        raise ReadError(f"{module}:{field.lineno}: spellings that are not written out")
    more = others.elts if isinstance(others, ast.List) else ()
    first = name if own is None or _constant(own) is None else _text(module, own)
    names = (first, *(_text(module, one) for one in more))
    yield _typed(modules, module, names, kind, given)


def _settings(module: str, notes: list[ast.expr]) -> dict[str, ast.expr] | None:
    """The settings of an option; none where there is only help, None where there is nothing."""
    for note in notes:
        if not isinstance(note, ast.Call):
            return {}
        called = ast.unparse(note.func)
        if called == NOTE:
            return {one.arg or "**": one.value for one in note.keywords}
        if called not in OTHER_NOTES:
            raise ReadError(f"{module}:{note.lineno}: {called} may describe an option: not read")
    return None


def _typed(
    modules: Modules,
    module: str,
    names: tuple[str, ...],
    kind: ast.expr,
    given: dict[str, ast.expr],
) -> Registered:
    """An option by the type of its field, as the wheel registers it."""
    if "**" in given:
        raise ReadError(f"{module}:{kind.lineno}: settings that are not written out")
    if _constant(given.get("action")) is not None:
        more = given.get("action_kwargs")
        pairs = zip(more.keys, more.values, strict=True) if isinstance(more, ast.Dict) else ()
        kwargs = {str(_constant(key)): value for key, value in pairs if key is not None}
        return _option(modules, module, names, {"action": given["action"], **kwargs})
    shape = shape_of(modules, module, kind)
    nargs = given.get("nargs")
    if shape == "Literal":
        return Registered(names, "1")
    if shape in ("List", "list") and _constant(given.get("type_parser")) is None:
        return Registered(names, _count(module, nargs, "+"))
    if shape == "bool":
        return Registered(names, "0")
    return Registered(names, _count(module, nargs, "1"))


# -- values -------------------------------------------------------------------


def _constant(node: ast.expr | None) -> object:
    """A constant; None where there is none, and the node for anything else."""
    return node.value if isinstance(node, ast.Constant) else node


def _text(module: str, node: ast.expr) -> str:
    value = _constant(node)
    if not isinstance(value, str):
        raise ReadError(f"{module}:{node.lineno}: the name of an option is not written out")
    return value


def _count(module: str, nargs: ast.expr | None, usual: str) -> str:
    """The words that follow, by what ``nargs`` is."""
    value = _constant(nargs)
    if value is None:
        return usual
    if value in (0, 1) and not isinstance(value, bool):
        return str(value)
    if value in COUNTS:
        return str(value)
    line = getattr(nargs, "lineno", 0)
    raise ReadError(f"{module}:{line}: nargs: expected a number below 2 or one of ?, + and *")
