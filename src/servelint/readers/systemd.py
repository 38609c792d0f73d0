"""Units of systemd: what services start, and the containers that Podman makes services of.

A section owns what it sets and starts. The commands of a service run on the
host, the one of a ``[Container]`` in its image.
"""

from __future__ import annotations

import os
import re
from dataclasses import replace

from servelint.facts import Env, Image, Uses
from servelint.finding import Skip
from servelint.syntax.exec_words import (
    MAX_CHARACTERS,
    Piece,
    UnclosedQuoteError,
    Word,
    shell_source,
    word_value,
)
from servelint.syntax.json_strings import JsonError, JsonString, decode, parse_json
from servelint.syntax.systemd import arguments, commands, settings, words
from servelint.value import Text, unknown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from servelint.facts import Fact
    from servelint.source import Source
    from servelint.syntax.exec_words import Setting

    Kept = dict[tuple[str, str], tuple[Setting, ...]]

_EXEC_KEYS = ("ExecStartPre", "ExecStart", "ExecStartPost")
_ONLY_LAST = ("Image", "Exec", "Entrypoint")
_OTHER_UNITS = (".build", ".image")
"""An image that ends so is made or pulled by another unit."""

_ASSIGNMENT = re.compile(r"([A-Za-z_]\w*)=", re.ASCII)
_SPECIFIER = re.compile(r"%[A-Za-z]")
_PATTERN = re.compile(r"[*?\[{]")


def read(source: Source) -> Iterator[Fact | Source | Skip]:
    """The facts of a unit file; a setting that systemd would refuse is a skip."""
    if len(source.text) > MAX_CHARACTERS:
        detail = f"more than {MAX_CHARACTERS:,} characters: not read"
        yield Skip(source.path, "read", "too-large", detail, source.span(0, 0))
        return
    kept = _in_force(settings(source))
    for (section, key), found in kept.items():
        for number, setting in enumerate(found):
            try:
                if section == "Service" and key in _EXEC_KEYS:
                    run = commands(setting.value.text)
                    yield shell_source(setting.value, run, section, key, number)
                elif section in ("Service", "Container"):
                    yield from _facts(source, setting, kept)
            except UnclosedQuoteError as error:
                place = setting.value.span(error.offset, len(setting.value.text))
                yield Skip(source.path, "read", "syntax", f"{key}: {error}", place)


def _in_force(found: Iterable[Setting]) -> Kept:
    """The settings that count, by section and key: an empty one takes back those before it."""
    kept: Kept = {}
    for setting in found:
        place = setting.section, setting.key
        before = () if setting.key in _ONLY_LAST else kept.get(place, ())
        kept[place] = (*before, setting) if setting.value.text else ()
    return kept


def _facts(source: Source, setting: Setting, kept: Kept) -> Iterator[Fact | Source]:
    if setting.key == "Environment":
        yield from _environment(source, setting)
    elif setting.key == "EnvironmentFile":
        yield from _file(source, setting)
    elif setting.section == "Container" and setting.key == "Image":
        yield _image(source, setting)
    elif setting.section == "Container" and setting.key == "Exec":
        yield _contained(setting, kept.get(("Container", "Entrypoint"), ()))


def _environment(source: Source, setting: Setting) -> Iterator[Env]:
    owner = source.owner.child(setting.section)
    for word in words(setting.value.text):
        if match := _ASSIGNMENT.match(word.head):
            span = setting.value.span(word.pieces[0].start, word.pieces[-1].end)
            value = word_value(setting.value, word.behind(match.end()))
            yield Env(span=span, owner=owner, name=match[1], value=value)


def _file(source: Source, setting: Setting) -> Iterator[Uses]:
    """A file of variables; of its path, what stands behind all that is unknown."""
    path = setting.value.text.removeprefix("-")
    known = _SPECIFIER.split(path)[-1]
    if not known or _PATTERN.search(known) or (known != path and not known.startswith("/")):
        return
    target = os.path.normpath(os.path.join(os.path.dirname(source.path), known.lstrip("/")))
    span = setting.value.span(0, len(setting.value.text))
    owner = source.owner.child(setting.section)
    yield Uses(span=span, owner=owner, target=target, how="env-file")


def _image(source: Source, setting: Setting) -> Image:
    word = next(iter(words(setting.value.text)))
    value = word_value(setting.value, word)
    if isinstance(value.readings[0][-1], Text) and word.text.endswith(_OTHER_UNITS):
        value = unknown("no-evidence", word.text, value.span)
    return Image(span=value.span, owner=source.owner.child("Container"), reference=value)


def _contained(setting: Setting, entrypoints: tuple[Setting, ...]) -> Source:
    """What runs in the container: the words of ``Exec``, after the entrypoint if there is one.

    A container without ``Exec`` runs what its image says.
    """
    found = arguments(setting.value.text)
    run = shell_source(setting.value, [found], "Container", "Exec", container=True)
    for entrypoint in entrypoints:
        first = shell_source(entrypoint.value, [_entrypoint(entrypoint.value.text)])
        text = first.text.removesuffix("\n") + " "
        moved = (
            replace(part, start=part.start + len(text), end=part.end + len(text))
            for part in run.origin
        )
        run = replace(run, text=text + run.text, origin=(*first.origin, *moved))
    return run


def _entrypoint(text: str) -> tuple[Word, ...]:
    """The words of an entrypoint: the strings of an array, else the text as one word."""
    try:
        data = parse_json(text)
    except JsonError:
        data = None
    if not isinstance(data, list):
        return (Word((Piece(text, 0, len(text)),), 0, len(text)),)
    return tuple(_string(text, item) for item in data if isinstance(item, JsonString))


def _string(text: str, string: JsonString) -> Word:
    value, segments = decode(text, string)
    pieces = (Piece(value[s.start : s.end], s.origin_start, s.origin_end) for s in segments)
    return Word(tuple(piece for piece in pieces if piece.text), string.start - 1, string.end + 1)
