"""JSON patches (RFC 6902) on data that knows where it stands."""

from __future__ import annotations

from dataclasses import dataclass

from servelint.syntax.yaml_data import Leaf, Table
from servelint.syntax.yaml_edit import made, place, with_member, without

TYPE_CHECKING = False
if TYPE_CHECKING:
    from servelint.syntax.yaml_data import Data

MAX_STEPS = 100
"""Names in one path."""

MAX_COPY = 20_000
"""Items that one operation may copy: a copy of a copy of a copy grows without end."""

MAX_COPY_DEPTH = 50
"""Collections inside collections of what is copied."""


class PatchError(ValueError):
    """A patch that does not apply; its text says why."""


@dataclass(frozen=True, slots=True)
class _Change:
    """What happens where a path ends: ``value`` None takes away."""

    name: str
    value: Data | None
    at: Leaf


def applied(data: Table, operations: tuple[Data, ...]) -> Table:
    """The object with the operations of a patch carried out. Raises :class:`PatchError`."""
    for operation in operations:
        if not isinstance(operation, Table):
            raise PatchError("an operation is no mapping")
        changed = _operate(data, operation)
        if not isinstance(changed, Table):
            raise PatchError("it replaces the whole object")
        data = changed
    return data


def _operate(data: Table, operation: Table) -> Data:
    name, path = operation.text("op") or "", _leaf(operation, "path")
    steps = _steps(path.text)
    match name:
        case "add" | "replace":
            value = operation.get("value")
            if value is None:
                raise PatchError(f"{name} {path.text} has no value")
            return _changed(data, steps, _Change(name, value, path))
        case "remove":
            return _changed(data, steps, _Change(name, None, path))
        case "test":
            _test(data, steps, operation.get("value"))
            return data
        case "move" | "copy":
            source = _leaf(operation, "from")
            value = found(data, _steps(source.text))
            _check_size(value)
            if name == "move":
                whole = _changed(data, _steps(source.text), _Change("remove", None, source))
                assert isinstance(whole, Table)  # noqa: S101  # a root is never taken away
                data = whole
            return _changed(data, steps, _Change("add", value, path))
    raise PatchError(f"the operation {name or 'without a name'} is not known")


def _test(data: Data, steps: tuple[str, ...], wanted: Data | None) -> None:
    """Nothing equals null. Raises :class:`PatchError`."""
    try:
        own = _plain(found(data, steps))
    except PatchError:
        own = ""
    if own != _plain(wanted):
        raise PatchError(f"the test of /{'/'.join(steps)} fails")


def _leaf(operation: Table, key: str) -> Leaf:
    leaf = operation.get(key)
    if not isinstance(leaf, Leaf):
        raise PatchError(f"an operation has no {key}")
    return leaf


def _steps(path: str) -> tuple[str, ...]:
    if not path.startswith("/"):
        raise PatchError(f"the path {path or 'of nothing'} does not begin with /")
    steps = path[1:].split("/")
    if len(steps) > MAX_STEPS:
        raise PatchError(f"a path has more than {MAX_STEPS} steps")
    return tuple(step.replace("~1", "/").replace("~0", "~") for step in steps)


def found(data: Data, steps: tuple[str, ...]) -> Data:
    """What stands at a path. Raises :class:`PatchError`."""
    for step in steps:
        below: Data | None = None
        if isinstance(data, Table) and step in data.members:
            below = data.members[step].value
        elif isinstance(data, tuple):
            below = data[_index(step, len(data) - 1)]
        if below is None:
            raise PatchError(f"nothing stands at {step}")
        data = below
    return data


def _changed(data: Data, steps: tuple[str, ...], change: _Change) -> Data:
    step, rest = steps[0], steps[1:]
    if isinstance(data, tuple):
        return _changed_list(data, step, rest, change)
    if not isinstance(data, Table):
        raise PatchError(f"nothing can stand below a scalar at {step}")
    if rest:
        below = _changed(found(data, (step,)), rest, change)
        return with_member(data, data.members[step].key, below)
    if step not in data.members and change.value is None:
        raise PatchError(f"nothing stands at {step}")
    if change.value is None:
        return without(data, step)
    return with_member(data, made(step, place(change.at)), change.value)


def _changed_list(
    data: tuple[Data, ...], step: str, rest: tuple[str, ...], change: _Change
) -> Data:
    is_new = change.name == "add" and not rest
    index = _index(step, len(data) if is_new else len(data) - 1)
    before, after = data[:index], data[index + (0 if is_new else 1) :]
    if rest:
        return (*before, _changed(data[index], rest, change), *after)
    return (*before, *((change.value,) if change.value is not None else ()), *after)


def _index(step: str, last: int) -> int:
    """The index that a step names, at most ``last``; ``-`` is behind the last item."""
    if step == "-":
        index = last
    elif step.removeprefix("-").isdecimal() and step.isascii() and len(step) < 8:
        index = int(step)
        index += last + 1 if index < 0 else 0
    else:
        raise PatchError(f"{step} is no index of a list")
    if not 0 <= index <= last:
        raise PatchError(f"the list has no item {step}")
    return index


def _plain(data: Data | None) -> object:
    if isinstance(data, Leaf):
        return "" if data.is_null else data.text
    if isinstance(data, Table):
        return {key: _plain(member.value) for key, member in data.members.items()}
    return [_plain(item) for item in data or ()]


def _check_size(data: Data) -> None:
    left = MAX_COPY
    stack = [(data, 0)]
    while stack:
        one, depth = stack.pop()
        left -= 1
        if left < 0 or depth > MAX_COPY_DEPTH:
            raise PatchError("it copies more than can be followed")
        if isinstance(one, Table):
            stack.extend((member.value, depth + 1) for member in one.members.values())
        elif isinstance(one, tuple):
            stack.extend((item, depth + 1) for item in one)
