"""The one place where a value crosses a border: open names are closed, used files are asked for.

Binding happens after reading and before anything is judged, so that an image
or a role is looked at with everything that is known. What stays open stays
said.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace

from servelint.builds import Arguments, Build, builds_of, is_stage, speaking
from servelint.checkouts import from_checkouts
from servelint.environment import Scopes
from servelint.facts import Env, Fact, Image, Launch, Requirement, Setting, Uses
from servelint.listed import from_lists, lists_of
from servelint.source import Route
from servelint.stages import (
    entry_of,
    handed_on,
    run_by,
    started,
    unnamed,
    with_entry,
    with_reach,
)
from servelint.value import Open, Text, Value, known, one_of, unknown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from servelint.listed import Lists

LANGUAGES = {"requirements": "requirements", "constraints": "requirements"}
"""How a file is used -> the language in which it is read, whatever its name."""


def bind(facts: Iterable[Fact]) -> tuple[Fact, ...]:
    """The facts with every name closed that the environment around them closes."""
    first = tuple(facts)
    kept = (*first, *_entered(first))
    scopes = Scopes(first)
    bound = tuple(_bound(fact, scopes) for fact in kept)
    built = defaultdict[str, list[Build]](list)
    for build in with_reach(builds_of(bound), bound):
        built[build.path].append(build)
    lists = lists_of(bound)
    if built:
        bound = _rebound(kept, bound, built, lists)
    bound = (*bound, *from_checkouts(bound), *from_lists(bound, lists))
    return (*bound, *handed_on(bound))


def _rebound(
    kept: Sequence[Fact],
    bound: Sequence[Fact],
    built: Mapping[str, Sequence[Build]],
    lists: Lists,
) -> tuple[Fact, ...]:
    """The facts with the arguments of builds, and what services run that are built."""
    inside: dict[str, list[Fact]] = defaultdict(list)
    for fact in kept:
        if fact.owner.unit in built:
            inside[fact.owner.unit].append(fact)
    scopes = {
        path: Scopes(inside[path], Arguments(speaking(builds))) for path, builds in built.items()
    }
    done = [
        _bound(before, scopes[before.owner.unit]) if before.owner.unit in scopes else after
        for before, after in zip(kept, bound, strict=True)
    ]
    held: list[Fact] = []
    entries: dict[Route, tuple[Value, ...]] = {}
    known: dict[tuple[object, ...], list[Fact]] = {}
    for build in started(bound, (build for builds in built.values() for build in builds)):
        there = known.get(build.key)
        if there is None:
            own = Scopes(inside[build.path], Arguments((build,)))
            there = known[build.key] = [_bound(fact, own) for fact in inside[build.path]]
            there.extend([*from_checkouts(there), *from_lists(there, lists)])
            there.extend(handed_on(there))
        held.extend(run_by(build, there))
        entries[build.owner] = entry_of(build, there)
    return (*with_entry(unnamed(done, held), entries), *held)


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


def _words(word: Value, scopes: Scopes, owner: Route) -> Iterator[Value]:
    """A word of a launch, closed; several, where a name was written without quotes."""
    closed = scopes.close(word, owner)
    written = [part for parts in word.readings for part in parts]
    splitting = [part for part in written if isinstance(part, Open) and part.splits]
    if not splitting:
        yield closed
        return
    text = closed.text
    if text is None or len(written) > 1:  # blanks in what is quoted beside a name split nothing
        set_to = (scopes.close(Value(((part,),), word.span), owner) for part in splitting)
        is_split = any(char.isspace() for each in set_to for one in _texts(each) for char in one)
        reason = "runtime-value"
        yield unknown(reason, closed.written, word.span, closed.trail) if is_split else closed
        return
    for piece in text.split():
        yield known(piece, word.span, closed.trail)


def _texts(value: Value) -> Iterator[str]:
    return (part.text for parts in value.readings for part in parts if isinstance(part, Text))


def _bound(fact: Fact, scopes: Scopes) -> Fact:
    owner = fact.owner
    match fact:
        case Image():
            # The environment of a container is set inside it: it cannot name its image.
            outside = owner if is_stage(owner) else Route(owner.unit, owner.steps[:-1])
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
