"""From relevant files to facts: the right reader for each text, embedded text included."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from functools import cache
from importlib import import_module

import servelint_builtins
from servelint.discover import read_text
from servelint.facts import Env, Image, Launch
from servelint.finding import Skip
from servelint.plugins import chosen_names, load, spoken, unsearched
from servelint.plugins import needles as all_needles
from servelint.readers import MODULES, claim, claim_text
from servelint.source import Route, Source
from servelint.syntax.straight import is_straight

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator

    from servelint.facts import Fact
    from servelint.plugin import TextReader
    from servelint.source import Span

    Reader = Callable[[Source], Iterable[Fact | Source | Skip]]

MAX_DEPTH = 8
"""Texts embedded deeper than this are skipped as ``too-deep``."""

GUIDES = ("markdown", "rst", "asciidoc")
"""Of texts in these languages, only the blocks that hold a needle are read."""

LISTS = ("requirements", "lockfile")
"""Languages of long lists: what holds none of the needles is an entry, not the text."""

MAX_DETAIL = 200
"""Characters of an error that are told; some errors quote all that they read."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What one file gave: text, facts, and what was left out.

    ``language`` tells the reader that took it; empty, as the text, when none did.
    ``included`` are the texts of other files that were read as part of it.
    """

    path: str
    language: str
    text: str
    facts: tuple[Fact, ...]
    skips: tuple[Skip, ...]
    included: dict[str, str] = field(default_factory=dict)

    def without(self, spans: Collection[Span]) -> Reading:
        """The reading without launches at ``spans`` of its own file."""
        if not any(span.path == self.path for span in spans):
            return self
        kept = (
            fact
            for fact in self.facts
            if not (isinstance(fact, Launch) and fact.span in spans and fact.span.path == self.path)
        )
        return replace(self, facts=tuple(kept))


def read_file(root: str, path: str, language: str = "") -> Reading:
    """Read one file with the reader that claims it.

    ``language`` is given by the file that uses it, where its name says nothing.
    """
    source = open_file(root, path, language)
    return source if isinstance(source, Reading) else read_source(source, source.text, {})


def open_file(root: str, path: str, language: str = "") -> Source | Reading:
    """The text of a file for its reader, or the reading of a file that none needs to read."""
    text = read_text(root, path)
    if isinstance(text, Skip):
        return Reading(path, "", "", (), (text,))
    speech = claim_text(language or claim(path), text)
    if not speech:
        return Reading(path, "", "", (), ())
    needles = _needles(speech)
    if needles and speech not in LISTS and not _search(needles).holds(text):
        return Reading(path, "", "", (), ())
    return Source(path, text, speech, Route(path), needles=needles)


def read_source(source: Source, text: str, included: dict[str, str]) -> Reading:
    """Read a source that stands for a file with the given ``text``."""
    facts, skips = sorted_out(read(source))
    return Reading(source.path, source.language, text, facts, skips, included)


def sorted_out(items: Iterable[Fact | Skip]) -> tuple[tuple[Fact, ...], tuple[Skip, ...]]:
    """What was read, and what was left out, each in its order."""
    facts: list[Fact] = []
    skips: list[Skip] = []
    for item in items:
        (skips if isinstance(item, Skip) else facts).append(item)  # type: ignore[arg-type]
    return tuple(facts), tuple(skips)


def _needles(language: str) -> tuple[str, ...]:
    """The words without which a text, or an entry of a list, says nothing; mostly none."""
    own: tuple[bytes, ...] | None = servelint_builtins.LANGUAGE_NEEDLES.get(language)
    if own is not None:
        return (*(word.decode() for word in own), *spoken())
    if language not in (*LISTS, *GUIDES):
        return ()
    return (*(word.decode() for word in all_needles()), *unsearched())


@dataclass(frozen=True, slots=True)
class _Search:
    """A search for any of some words, most of which are spelled around one ``stem``.

    Where most texts hold the stem, one pass for it is much faster than one for each word.
    """

    stem: str
    around: re.Pattern[str]
    others: tuple[str, ...]

    def holds(self, text: str) -> bool:
        """True when the text holds one of the words."""
        if self.stem in text and self.around.search(text):
            return True
        return any(word in text for word in self.others)


@cache
def _search(words: tuple[str, ...]) -> _Search:
    names = [needle.decode() for needle in all_needles()]
    stem = max(names, key=lambda name: sum(name in word for word in words))
    ways = [_way(word, stem) for word in words if stem in word]
    around = re.compile(f"{re.escape(stem)}(?:{'|'.join(ways)})")
    return _Search(stem, around, tuple(word for word in words if stem not in word))


def _way(word: str, stem: str) -> str:
    """What follows the stem in a word, and what stands before it, as a pattern."""
    before, _, after = word.partition(stem)
    return re.escape(after) + (f"(?<={re.escape(word)})" if before else "")


def read(source: Source, depth: int = 0) -> Iterator[Fact | Skip]:
    """All facts of a source and of the sources embedded in it, in order."""
    if depth > MAX_DEPTH:
        detail = f"text embedded {depth} levels deep is not read"
        yield Skip(source.path, "read", "too-deep", detail, source.span(0, 0))
        return
    try:
        for item in _items(source):
            if isinstance(item, Source):
                yield from read(_embedded(item, source), depth + 1)
            elif isinstance(item, Skip) or item.variant or not source.variant:
                yield item
            else:
                yield replace(item, variant=source.variant)
    except Exception as error:  # noqa: BLE001  # hostile input: one file must not end the run
        said = f"{type(error).__name__}: {error}"[:MAX_DETAIL]
        detail = f"the {source.language} reader failed: {said}"
        yield Skip(source.path, "read", "plugin-error", detail, source.span(0, 0))


def _embedded(inner: Source, outer: Source) -> Source:
    """A text inside another one: with its variant, and with the needles of its own language."""
    needles = inner.needles if inner.language == outer.language else _needles(inner.language)
    return replace(
        inner,
        variant=inner.variant or outer.variant,
        needles=needles,
        doubtful=_is_doubtful(inner, outer),
    )


def _is_doubtful(inner: Source, outer: Source) -> bool:
    """True for a shell text of which what is around it does not tell that it runs.

    It is asked for texts that install something; the steps of a Dockerfile run, but for those
    that are deferred to another build.
    """
    if inner.language != "shell" or not ("install" in inner.text or "git" in inner.text):
        return False
    if outer.language == "dockerfile":
        return inner.doubtful
    return outer.doubtful or outer.language != "shell" or not is_straight(outer.text)


def _items(source: Source) -> Iterator[Fact | Source | Skip]:
    """What the readers of products say of a text, then the reader of its language.

    A product knows better whom something belongs to: a fact of the same kind at
    the same place is given once.
    """
    said: set[tuple[type, Span]] = set()
    for reader in product_readers().get(source.language, ()):
        if any(needle in source.text for needle in reader.needles):
            for item in reader.load()(source):
                if isinstance(item, Image | Launch | Env):
                    said.add((type(item), item.span))
                yield item
    for item in _reader(source.language)(source):
        if isinstance(item, Source | Skip) or (type(item), item.span) not in said:
            yield item


def product_readers() -> dict[str, tuple[TextReader, ...]]:
    """The readers that the plugins of the run give, by language. Raises ``PluginError``."""
    return _readers_of(chosen_names())


@cache
def _readers_of(_names: tuple[str, ...]) -> dict[str, tuple[TextReader, ...]]:
    found: dict[str, list[TextReader]] = {}
    for plugin in load().plugins:
        for reader in plugin.readers:
            found.setdefault(reader.language, []).append(reader)
    return {language: tuple(readers) for language, readers in found.items()}


def _reader(language: str) -> Reader:
    reader: Reader = import_module(MODULES[language]).read
    return reader
