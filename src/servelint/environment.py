"""What the environment around a fact makes of its open names.

The nearest setting of a variable counts; in a Dockerfile, what its builds give
for an argument. What nothing sets stays open.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace

from servelint.facts import ANY_NAME, Env
from servelint.source import Route
from servelint.value import MAX_READINGS, Open, Text, Unknown, Value, unknown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from servelint.builds import Arguments
    from servelint.facts import Fact
    from servelint.value import Parts

MAX_PARTS = 200
MAX_LENGTH = 100_000
MAX_TRAIL = 32
"""A value of more parts or characters, or through more places, is a runtime value."""

MAX_DEPTH = 32
"""Defaults within defaults: how far they are followed."""


class Scopes:
    """The environment variables that are set, by owner and name, and the arguments of a build."""

    def __init__(self, facts: Iterable[Fact], arguments: Arguments | None = None) -> None:
        self._arguments = arguments
        self._set: dict[tuple[Route, str], list[Env]] = defaultdict(list)
        self._rank: dict[int, int] = {}
        self._closed: dict[int, Value] = {}
        self._done: set[int] = set()
        self._depth = 0
        for fact in facts:
            if isinstance(fact, Env):
                equals = self._set[fact.owner, fact.name]
                self._rank[id(fact)] = len(equals)
                equals.append(fact)

    def find(self, name: str, owner: Route, inside: Env | None = None) -> Env | None:
        """The nearest setting around ``owner``; of equals the last counts.

        ``inside`` is a setting that is being closed: in ``A=${A}x`` the name is
        what an earlier or outer setting made it.
        """
        for size in range(len(owner.steps), -1, -1):
            around = Route(owner.unit, owner.steps[:size])
            equals = self._set.get((around, name), ())
            is_own = inside is not None and inside.name == name and inside.owner == around
            count = self._rank[id(inside)] if is_own else len(equals)
            if count:
                return equals[count - 1]
        return None

    def close(self, value: Value, owner: Route, inside: Env | None = None) -> Value:
        """The value with its open names replaced where they are set."""
        if all(isinstance(part, Text) for parts in value.readings for part in parts):
            return value
        readings: dict[Parts, None] = {}
        for parts in value.readings:
            readings.update(dict.fromkeys(self._expand(parts, owner, inside)))
        done = Value(tuple(readings), value.span)
        if len(readings) > MAX_READINGS:
            return unknown("many-values", value.written, value.span, done.trail)
        return done

    def _expand(self, parts: Parts, owner: Route, inside: Env | None) -> tuple[Parts, ...]:
        done: tuple[Parts, ...] = ((),)
        for part in parts:
            choices = self._choices(part, owner, inside) if isinstance(part, Open) else ((part,),)
            done = tuple(left + right for left in done for right in choices)[: MAX_READINGS + 1]
            if any(map(_is_too_long, done)):
                return ((Unknown("runtime-value", part.text, part.trail),),)
        return done

    def _choices(self, part: Open, owner: Route, inside: Env | None) -> tuple[Parts, ...]:
        """What a name may be. A default also counts where the variable is set to nothing."""
        if self._depth >= MAX_DEPTH:
            return ((Unknown("runtime-value", part.text, part.trail),),)
        given = self._arguments.choices(part, owner) if self._arguments is not None else None
        if given is not None:
            return self._given(part, owner, inside, given)
        self._depth += 1
        found: tuple[Parts, ...] = ()
        env = self.find(part.name, owner, inside)
        if env is None and part.default is not None and self.find(ANY_NAME, owner) is not None:
            found = ((Unknown("runtime-value", part.text, part.trail),),)
            self._depth -= 1
            return (*found, *self._expand(_via(part.default, part.trail), owner, inside))
        if env is not None:
            through = (*part.trail, env.value.span)
            value = self._closed.get(id(env)) or self.variable(env)
            found = tuple(_via(parts, through) for parts in value.readings)
        if part.default is not None and (env is None or any(map(_is_empty, found))):
            found += self._expand(_via(part.default, part.trail), owner, inside)
        self._depth -= 1
        return found or ((part,),)

    def _given(
        self, part: Open, owner: Route, inside: Env | None, given: tuple[tuple[Parts, ...], bool]
    ) -> tuple[Parts, ...]:
        """What builds give for an argument, and its default where one of them may leave it."""
        found, may_stay = tuple(_via(parts, part.trail) for parts in given[0]), given[1]
        if part.default is None or not (may_stay or any(map(_is_empty, found))):
            return found  # nothing is built of an argument that nobody gives
        self._depth += 1
        found = (*self._expand(_via(part.default, part.trail), owner, inside), *found)
        self._depth -= 1
        return found

    def variable(self, env: Env) -> Value:
        """The value of a variable, closed once and after all that it leads to.

        While it is on its way it is a runtime value: so is what leads to itself.
        """
        todo = [env]
        while todo:
            top = todo[-1]
            if id(top) not in self._closed:
                looped = unknown("runtime-value", top.value.written, top.value.span)
                self._closed[id(top)] = looped
                todo += [one for one in self._leads_to(top) if id(one) not in self._closed]
                continue
            todo.pop()
            if id(top) not in self._done:
                self._done.add(id(top))
                self._closed[id(top)] = self.close(top.value, top.owner, top)
        return self._closed[id(env)]

    def _leads_to(self, env: Env) -> Iterator[Env]:
        """The settings of the names in a setting."""
        todo = list(env.value.readings)
        while todo:
            for part in todo.pop():
                if isinstance(part, Open):
                    found = self.find(part.name, env.owner, env)
                    if found is not None:
                        yield found
                    elif part.default is not None:
                        todo.append(part.default)


def _is_too_long(parts: Parts) -> bool:
    if len(parts) > MAX_PARTS or any(len(part.trail) > MAX_TRAIL for part in parts):
        return True
    return sum(len(part.text) for part in parts) > MAX_LENGTH


def _is_empty(parts: Parts) -> bool:
    return all(isinstance(part, Text) and not part.text for part in parts)


def _via(parts: Parts, trail: tuple[object, ...]) -> Parts:
    """The parts with the places before their own on the trail."""
    return tuple(
        replace(part, trail=tuple(dict.fromkeys((*trail, *part.trail))))  # type: ignore[arg-type]
        for part in parts
    )
