"""Many texts, read in turn or by several processes: the readings are the same."""

from __future__ import annotations

import os
from dataclasses import replace
from importlib import import_module

from servelint.finding import Skip
from servelint.read import Reading, open_file, read_file, read_source
from servelint.readers import MODULES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from servelint.source import Source
    from servelint.workers import Lost

MANY = 50
"""Up to so many texts, processes cost more than they save."""


def read_files(root: str, languages: Mapping[str, str]) -> dict[str, Reading]:
    """The readings of files, in their order; the language of a file that its name tells is empty.

    Once more files than a few are known to be worth reading, these and what
    has not been looked at are shared out.
    """
    done: dict[str, Reading] = {}
    sources: dict[str, Source] = {}
    left = iter(languages)
    for path in left:
        opened = open_file(root, path, languages[path])
        if isinstance(opened, Reading):
            done[path] = opened
            continue
        sources[path] = opened
        if _pays(len(sources)):
            _import_readers(sources.values())
            done |= _shared(root, {one: languages[one] for one in (*sources, *left)})
            sources.clear()
    done |= {path: read_source(source, source.text, {}) for path, source in sources.items()}
    return {path: done[path] for path in languages}


def read_again(
    read: Callable[[Reading], Reading], readings: Sequence[Reading]
) -> dict[str, Reading]:
    """What ``read`` makes of readings, by path."""
    if _pays(len(readings)):
        from servelint.workers import each  # noqa: PLC0415

        answers = each(read, readings, [len(reading.text) for reading in readings])
        pairs = zip(readings, answers, strict=True)
        return {before.path: _settled(answer, before) for before, answer in pairs}
    return {reading.path: read(reading) for reading in readings}


def _pays(count: int) -> bool:
    """True when several processes read so many texts faster than one."""
    if count <= MANY:
        return False
    from servelint.workers import cores  # noqa: PLC0415  # most runs read few files

    return cores() > 1


def _shared(root: str, languages: Mapping[str, str]) -> dict[str, Reading]:
    from servelint.workers import each  # noqa: PLC0415

    jobs = [(root, path, language) for path, language in languages.items()]
    answers = each(_read_file, jobs, [_size(root, path) for path in languages])
    nothing = (Reading(path, "", "", (), ()) for path in languages)
    pairs = zip(nothing, answers, strict=True)
    return {before.path: _settled(answer, before) for before, answer in pairs}


def _import_readers(sources: Iterable[Source]) -> None:
    """Import what reads these once, before there are several processes."""
    for language in {source.language for source in sources}:
        import_module(MODULES[language])


def _read_file(job: tuple[str, str, str]) -> Reading:
    return read_file(*job)


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
