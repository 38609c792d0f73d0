"""Read and bind, in turns, until no new file is reached."""

from __future__ import annotations

import gc
import os
from contextlib import contextmanager
from dataclasses import dataclass

from servelint.bind import LANGUAGES, bind
from servelint.callers import builders, dockerfiles
from servelint.commands import CommandReader
from servelint.discover import discover, read_text
from servelint.facts import Launch, Uses
from servelint.finding import Skip
from servelint.include import located, with_included
from servelint.installers import deploying
from servelint.mounts import environments, mounted
from servelint.plugins import load, unsearched
from servelint.read import Reading, read_source
from servelint.read_many import read_files
from servelint.readers import claim
from servelint.source import Source
from servelint.units import Texts, files_of, find, read_unit
from servelint.value import Open

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from servelint.discover import Discovery
    from servelint.facts import Fact

ENV_FILE = "env-file"
"""How a file of variables is used."""

UNIT_LANGUAGES = ("yaml", "hcl", "jinja")
"""Languages of files that may belong to a unit of several; the others are read before."""

PACKAGE_LANGUAGES = (
    *("requirements", "lockfile", "pyproject", "pipfile", "pixi", "conda", "setup-cfg"),
    *("setup-py", "dockerfile"),
)
"""Languages of files that say which packages there are."""

SCRIPT_LANGUAGES = ("shell", "shebang")

MAX_ROUNDS = 8
"""Files that use files that use files: how far that is followed."""

YOUNG = 20_000
"""New objects after which the collector looks for garbage; facts are many, and stay."""


@dataclass(frozen=True, slots=True)
class Gathered:
    """Bound facts, the texts of the files that a reader took, and what was left out.

    ``listed`` is the number of files of which these were found to be relevant.
    """

    facts: tuple[Fact, ...]
    texts: dict[str, str]
    skips: tuple[Skip, ...]
    listed: int


def gather(root: str, found: Discovery) -> Gathered:
    """The facts of the relevant files of a root and of the files that these use."""
    with _seldom_collected():
        return _gather(root, found)


def _gather(root: str, found: Discovery) -> Gathered:
    single = [path for path in found.paths if claim(path) not in UNIT_LANGUAGES]
    readings = read_files(root, dict.fromkeys(single, ""))
    together, taken, failed = _units(root, found, readings.values())
    readings = {path: reading for path, reading in readings.items() if path not in taken}
    left = (path for path in found.paths if path not in readings and path not in taken)
    todo: dict[str, str] = dict.fromkeys(left, "")
    fresh = dict(readings)
    for _ in range(MAX_ROUNDS):
        fresh |= read_files(root, todo)
        readings.update(fresh)
        facts = [fact for reading in (*fresh.values(), *together) for fact in reading.facts]
        fresh = {}
        used = _wanted(root, facts, readings) | dockerfiles(root, facts)
        todo = {path: how for path, how in used.items() if path not in readings}
        todo = todo or dict.fromkeys(_unsearched(root, readings), "")
        if not todo:
            break
    callers = (path for path in _callers(root, readings.values()) if path not in readings)
    readings.update(read_files(root, dict.fromkeys(callers, "")))
    readings.update(builders(root, readings))
    in_order = {path: readings[path] for path in (*found.paths, *readings) if path in readings}
    whole = (*with_included(root, in_order.values()), *together)
    whole += tuple(_environments(root, whole))
    skips = (skip for reading in whole for skip in reading.skips)
    texts = {reading.path: reading.text for reading in whole if reading.language}
    facts = [fact for reading in whole for fact in reading.facts]
    before = environments(tuple(_there(root, facts)))
    bound = bind(before)
    return Gathered(
        facts=mounted(bound, CommandReader(load().engines), before) if bound else (),
        texts={path: text for reading in whole for path, text in reading.included.items()} | texts,
        skips=tuple(dict.fromkeys((*found.skips, *failed, *skips, *map(_unfollowed, todo)))),
        listed=found.listed,
    )


def _wanted(root: str, facts: Iterable[Fact], readings: Mapping[str, Reading]) -> dict[str, str]:
    """The files that facts use, with the language in which to read them.

    A file of requirements names others from where it stands, and what it names must be there.
    A script names them from where it is started, which is looked for and may be elsewhere.
    """
    found: dict[str, str] = {}
    for fact in facts:
        if not isinstance(fact, Uses) or fact.how not in LANGUAGES:
            continue
        asker = readings.get(fact.span.path)
        is_list = asker is not None and asker.language in LANGUAGES.values()
        target = fact.target if is_list else located(root, fact.target, fact.span.path)
        if target:
            found[target] = LANGUAGES[fact.how]
    return found


def _units(
    root: str, found: Discovery, readings: Iterable[Reading]
) -> tuple[list[Reading], set[str], tuple[Skip, ...]]:
    """The readings of units of several files, the files that they take, and what failed."""
    facts = (fact for reading in readings for fact in reading.facts)
    known = (fact for fact in facts if isinstance(fact, Launch))
    texts = Texts(root)
    launches = deploying(root, found.names, found.paths, known)
    files = files_of(found.names, found.paths, texts, launches)
    units, failed = find(files)
    taken = {path for unit in units for path in unit.files}
    return [read_unit(unit, files, texts) for unit in units], taken, failed


@contextmanager
def _seldom_collected() -> Iterator[None]:
    before = gc.get_threshold()
    gc.set_threshold(YOUNG, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)


def _environments(root: str, readings: Iterable[Reading]) -> Iterator[Reading]:
    """The environment files that facts use, their variables owned by who uses them."""
    facts = (fact for reading in readings for fact in reading.facts)
    for use in _there(root, facts):
        if isinstance(use, Uses) and use.how == ENV_FILE:
            text = read_text(root, use.target)
            if isinstance(text, Skip):
                yield Reading(use.target, "", "", (), (text,))
            else:
                yield read_source(Source(use.target, text, "dotenv", use.owner), text, {})


def _there(root: str, facts: Iterable[Fact]) -> Iterator[Fact]:
    """The facts without environment files that do not exist: most are only looked for."""
    for fact in facts:
        is_file = isinstance(fact, Uses) and fact.how == ENV_FILE
        if not is_file or os.path.isfile(os.path.join(root, fact.target)):  # type: ignore[attr-defined]
            yield fact


def _unsearched(root: str, readings: Mapping[str, Reading]) -> list[str]:
    """Files that name an engine whose name is no needle, where half of a pair of it is started.

    Those about packages, and the scripts that name a file with the options of such a half.
    """
    names = unsearched()
    if not names:
        return []
    reader = CommandReader([one for one in load().engines if set(one.packages) & set(names)])
    facts = (fact for reading in readings.values() for fact in reading.facts)
    halves = [one for one in facts if isinstance(one, Launch) and reader.has_half(one)]
    if not halves:
        return []
    about = discover(root, (), tuple(name.encode() for name in names)).paths
    files = {os.path.basename(one.owner.unit) for one in halves if one.form}
    users = discover(root, (), tuple(map(str.encode, sorted(files)))).paths if files else ()
    scripts = {path for path in users if claim(path) in SCRIPT_LANGUAGES}
    found = (path for path in about if claim(path) in PACKAGE_LANGUAGES or path in scripts)
    return [path for path in found if path not in readings]


def _callers(root: str, readings: Iterable[Reading]) -> tuple[str, ...]:
    """Scripts that name a script whose commands wait for arguments.

    A library of functions holds the program; who calls it says with what, and need not name it.
    """
    libraries = {
        os.path.basename(reading.path).encode("utf-8", "surrogateescape")
        for reading in readings
        if reading.language == "shell" and any(map(_waits, reading.facts))
    }
    if not libraries:
        return ()
    found = discover(root, (), tuple(sorted(libraries)))
    return tuple(path for path in found.paths if claim(path) in ("shell", "shebang"))


def _waits(fact: Fact) -> bool:
    """True for a launch with a positional parameter that nothing sets."""
    return isinstance(fact, Launch) and any(
        isinstance(part, Open) and (part.name.isdigit() or part.name == "@")
        for word in fact.argv
        for parts in word.readings
        for part in parts
    )


def _unfollowed(path: str) -> Skip:
    detail = f"used through more than {MAX_ROUNDS - 1} other files: not read"
    return Skip(path, "bind", "too-deep", detail)
