"""Many texts, read in turn or by several processes: the readings are the same."""

from __future__ import annotations

import os
from dataclasses import replace
from importlib import import_module

from servelint.finding import Skip
from servelint.plugins import chosen, chosen_names
from servelint.read import Reading, open_file, read_file, read_source
from servelint.readers import MODULES, claim

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import Any

    from servelint.source import Source
    from servelint.workers import Lost

    Longer = tuple[Reading, Source, dict[str, str]]
    """A reading of a file, the text with all that it takes in, and the texts of that."""

    Job = tuple[tuple[str, ...], Callable[..., Reading], tuple[Any, ...]]
    """What to do in a process of its own: with which plugins, what, and with what."""

WORTH = 1_000_000
"""Microseconds of reading, roughly, from which on processes save more than they cost."""

_EACH = 500
_WEIGHTS = {"shell": 2.3, "shebang": 2.3, "dockerfile": 1.5, "makefile": 3.0, "yaml": 0.7}
_WEIGHTS |= {"markdown": 0.2, "rst": 0.2, "asciidoc": 0.2, "requirements": 0.05}
_WEIGHTS |= {"json": 0.01, "lockfile": 0.01}
"""Microseconds for a text, and for a character of one in a language; 1 for the others. Measured
on repositories that hold hundreds of each, to share work out: nothing else depends on them.
"""


def read_files(root: str, languages: Mapping[str, str]) -> dict[str, Reading]:
    """The readings of files, in their order; the language of a file that its name tells is empty.

    Once enough is known to be worth reading, this and what has not been
    looked at are shared out.
    """
    done: dict[str, Reading] = {}
    sources: dict[str, Source] = {}
    work = 0.0
    left = iter(languages)
    for path in left:
        opened = open_file(root, path, languages[path])
        if isinstance(opened, Reading):
            done[path] = opened
            continue
        sources[path] = opened
        work += _weight(opened.language, len(opened.text))
        if len(sources) > 1 and _pays(work):
            _import_readers(sources.values())
            done |= _shared(root, {one: languages[one] for one in (*sources, *left)})
            sources.clear()
    done |= {path: read_source(source, source.text, {}) for path, source in sources.items()}
    return {path: done[path] for path in languages}


def read_again(longer: Sequence[Longer]) -> dict[str, Reading]:
    """What the longer texts of some readings say, by path."""
    weights = [_weight(source.language, len(source.text)) for _, source, _ in longer]
    if len(longer) > 1 and _pays(sum(weights)):
        from servelint.workers import each  # noqa: PLC0415

        answers = each(_do, [_job(_read_longer, one) for one in longer], weights)
        return {
            before.path: _settled(answer, before)
            for (before, *_), answer in zip(longer, answers, strict=True)
        }
    return {one[0].path: _read_longer(*one) for one in longer}


def _pays(work: float) -> bool:
    """True when several processes do so much faster than one."""
    if work < WORTH:
        return False
    from servelint.workers import cores  # noqa: PLC0415  # most runs have little to do

    return cores() > 1


def _weight(language: str, size: int) -> float:
    """Roughly how many microseconds it takes to read a text."""
    return _EACH + size * _WEIGHTS.get(language, 1.0)


def _shared(root: str, languages: Mapping[str, str]) -> dict[str, Reading]:
    from servelint.workers import each  # noqa: PLC0415

    jobs = [_job(read_file, (root, path, language)) for path, language in languages.items()]
    weights = [_weight(own or claim(path), _size(root, path)) for path, own in languages.items()]
    answers = each(_do, jobs, weights)
    nothing = (Reading(path, "", "", (), ()) for path in languages)
    pairs = zip(nothing, answers, strict=True)
    return {before.path: _settled(answer, before) for before, answer in pairs}


def _import_readers(sources: Iterable[Source]) -> None:
    """Import what reads these once, before there are several processes."""
    for language in {source.language for source in sources}:
        import_module(MODULES[language])


def _job(act: Callable[..., Reading], given: tuple[Any, ...]) -> Job:
    return chosen_names(), act, given


def _do(job: Job) -> Reading:
    """Do a job as the process that hands it out would: a new process knows of no plugin."""
    names, act, given = job
    with chosen(names):
        return act(*given)


def _read_longer(before: Reading, source: Source, included: dict[str, str]) -> Reading:
    return read_source(source, before.text, included)


def _size(root: str, path: str) -> int:
    try:
        return os.stat(os.path.join(root, path)).st_size
    except OSError:
        return 0


def _settled(answer: Reading | Lost, before: Reading) -> Reading:
    """An answer; where it was lost, what was known before, and that something is missing."""
    if isinstance(answer, Reading):
        return answer
    lost = Skip(before.path, "read", answer.reason, answer.detail)
    return replace(before, skips=(*before.skips, lost))
