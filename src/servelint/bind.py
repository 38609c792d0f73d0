"""The one place where a value crosses a border: open names are closed, used files are asked for.

Binding happens after reading and before anything is judged, so that an image
or a role is looked at with everything that is known. What stays open stays
said.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace

from servelint.facts import (
    ANY_NAME,
    MAX_READINGS,
    Env,
    Fact,
    Image,
    Launch,
    Open,
    Parts,
    Requirement,
    Setting,
    Text,
    Unknown,
    Uses,
    Value,
    known,
    one_of,
    unknown,
)
from servelint.source import Route

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

MAX_PARTS = 200
MAX_LENGTH = 100_000
MAX_TRAIL = 32
"""A value of more parts or characters, or through more places, is a runtime value."""

MAX_DEPTH = 32
"""Defaults within defaults: how far they are followed."""

LANGUAGES = {"requirements": "requirements", "constraints": "requirements"}
"""How a file is used -> the language in which it is read, whatever its name."""


def wanted(facts: Iterable[Fact]) -> dict[str, str]:
    """The files that facts use, with the language in which to read them."""
    uses = (fact for fact in facts if isinstance(fact, Uses))
    return {use.target: LANGUAGES[use.how] for use in uses if use.how in LANGUAGES}


def bind(facts: Iterable[Fact]) -> tuple[Fact, ...]:
    """The facts with every name closed that the environment around them closes."""
    kept = tuple(facts)
    scopes = _Scopes(kept)
    return tuple(_bound(fact, scopes) for fact in (*kept, *_entered(kept)))


def _entered(facts: Sequence[Fact]) -> Iterator[Image]:
    """The image of each container that a command of the same unit enters by its name."""
    made: dict[tuple[str, str], list[Image]] = defaultdict(list)
    for fact in facts:
        if isinstance(fact, Image) and fact.container:
            made[fact.owner.unit, fact.container].append(fact)
    for fact in facts:
        if isinstance(fact, Uses) and fact.how == "container":
            images = made.get((fact.owner.unit, fact.target), ())
            if images:
                reference = one_of((image.reference for image in images), images[0].span)
                yield Image(span=images[0].span, owner=fact.owner, reference=reference)


class _Scopes:
    """The environment variables that are set, by owner and name."""

    def __init__(self, facts: Iterable[Fact]) -> None:
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


def _words(word: Value, scopes: _Scopes, owner: Route) -> Iterator[Value]:
    """A word of a launch, closed; several, where a name was written without quotes."""
    closed = scopes.close(word, owner)
    written = [part for parts in word.readings for part in parts]
    if not any(isinstance(part, Open) and part.splits for part in written):
        yield closed
        return
    text = closed.text
    if text is None or len(written) > 1:
        is_split = any(any(char.isspace() for char in each) for each in _texts(closed))
        reason = "runtime-value"
        yield unknown(reason, closed.written, word.span, closed.trail) if is_split else closed
        return
    for piece in text.split():
        yield known(piece, word.span, closed.trail)


def _texts(value: Value) -> Iterator[str]:
    return (part.text for parts in value.readings for part in parts if isinstance(part, Text))


def _bound(fact: Fact, scopes: _Scopes) -> Fact:
    owner = fact.owner
    match fact:
        case Image():
            # The environment of a container is set inside it: it cannot name its image.
            outside = Route(owner.unit, owner.steps[:-1])
            return replace(fact, reference=scopes.close(fact.reference, outside))
        case Launch():
            argv = tuple(one for word in fact.argv for one in _words(word, scopes, owner))
            env = tuple(replace(item, value=scopes.close(item.value, owner)) for item in fact.env)
            return replace(fact, argv=argv, env=env)
        case Env():
            return replace(fact, value=scopes.variable(fact))
        case Setting():
            return replace(fact, value=scopes.close(fact.value, owner))
        case Requirement():
            version = scopes.close(fact.version, owner) if fact.version else None
            specifier = scopes.close(fact.specifier, owner) if fact.specifier else None
            return replace(fact, version=version, specifier=specifier)
        case _:
            return fact
