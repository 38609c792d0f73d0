"""What a container starts: exec and shell form, and how ENTRYPOINT and CMD come together.

A word is a source of its own, so that it can be quoted and, where it is the
text of a shell, be read as one.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from servelint.facts import Launch
from servelint.source import Segment, Span
from servelint.syntax.dockerfile_pieces import BadWordError
from servelint.syntax.dockerfile_words import BRACES, JsonWord, NotStringsError, json_words
from servelint.syntax.installs import installed
from servelint.value import Text, Unknown, Value, known

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from servelint.facts import Requirement, Uses
    from servelint.source import Route, Source
    from servelint.syntax.dockerfile_words import Place
    from servelint.value import Part

_SHELL = re.compile(r"(?:.*/)?(?:a|ba|da|k|mk|z)?sh\Z", re.DOTALL)
_TEXT_FLAG = re.compile(r"-[A-Za-z]*c[A-Za-z]*\Z")
_VALUE_FLAG = re.compile(r"[-+][A-Za-z]*[oO]\Z|--(?:rcfile|init-file)\Z")
_OWN_SHELL = ("/bin/sh", "-c")


@dataclass(frozen=True, slots=True)
class Shell:
    """What runs a shell form: the words of SHELL, None for docker's own, written nowhere.

    ``is_read``: it is a shell of that kind, whatever starts it.
    """

    words: tuple[Source, ...] | None = None
    is_read: bool = True


@dataclass(frozen=True, slots=True)
class Command:
    """The command of ENTRYPOINT, CMD or RUN: the words of the exec form, or a text for a shell."""

    listed: tuple[Source, ...]
    shell: Shell
    text: Source | None = None

    @property
    def is_read(self) -> bool:
        """False for a text in a language that we do not know."""
        return self.text is None or self.shell.is_read

    def words(self) -> tuple[Source, ...]:
        """All words, those of the shell with its text at the end."""
        if self.text is None:
            return self.listed
        words = self.shell.words
        if words is None:
            at = (Segment(0, len(word), 0, 0) for word in _OWN_SHELL)
            pairs = zip(_OWN_SHELL, at, strict=True)
            words = tuple(self.text.embed(word, (piece,), "text") for word, piece in pairs)
        return (*words, self.text)


def shell(line: Source, place: Place) -> Shell:
    """What SHELL says. Raises BadWordError."""
    words = _listed(line, place)
    if not words:
        raise BadWordError('["program", "argument"] behind SHELL', place[0])
    return Shell(words, any(_SHELL.match(word.text) for word in words))


def command(line: Source, place: Place, by: Shell) -> Command:
    """The command of an instruction. Raises BadWordError."""
    words = _listed(line, place)
    if words is not None:
        return Command(words, by)
    if place[0] == place[1]:
        raise BadWordError("a command", place[0])
    return Command((), by, line.slice(*place, "text"))


def _listed(line: Source, place: Place) -> tuple[Source, ...] | None:
    """The words of the exec form, or None for the shell form."""
    try:
        found = json_words(line.text, *place)
    except NotStringsError:
        raise BadWordError("strings only in the array", place[0]) from None
    return None if found is None else tuple(_word(line, word) for word in found)


def started(
    words: Sequence[Source], owner: Route, steps: tuple[str | int, ...], variant: str = ""
) -> Iterator[Launch | Source]:
    """A launch of ``owner``, or the text for a shell that the words hold, owned by what is below.

    ``steps`` lead from ``owner`` to that text, and ``variant`` is that of the launch.
    """
    script = _script_index([word.text for word in words])
    if script is not None:
        text = replace(words[script], language="shell", owner=owner.child(*steps))
        yield replace(text, variant=variant)
        return
    argv = tuple(map(word_value, words))
    if argv:
        spans = [word.span for word in argv]
        span = Span(spans[0].path, min(s.start for s in spans), max(s.end for s in spans))
        yield Launch(span=span, owner=owner, argv=argv, variant=variant, container=True)


def ran(
    words: Sequence[Source], owner: Route, *, surely: bool
) -> Iterator[Launch | Source | Requirement | Uses]:
    """What RUN starts in the exec form, and the packages that it installs."""
    for found in started(words, owner, ()):
        if isinstance(found, Launch):
            # No shell: nothing can leave the command out, if it runs at all.
            text = found.argv[0].written if surely else ""
            yield from installed(found.argv, found.span.path, owner, text)
        yield found


def word_value(word: Source) -> Value:
    """The value of a word of the exec form, in which a template engine may fill in something."""
    span = word.span(0, len(word.text))
    if "{" not in word.text:
        return known(word.text, span)
    parts: list[Part] = []
    at = 0
    for match in BRACES.finditer(word.text):
        if match.start() > at:
            parts.append(Text(word.text[at : match.start()]))
        parts.append(Unknown("template-function", match[0]))
        at = match.end()
    if at < len(word.text):
        parts.append(Text(word.text[at:]))
    return Value((tuple(parts),), span)


def _word(line: Source, word: JsonWord) -> Source:
    at = word.place[0]
    return line.embed(word.text, word.segments or (Segment(0, 0, at, at),), "text")


def _script_index(words: Sequence[str]) -> int | None:
    """The index of the text that ``sh -c`` runs; ``sh entry.sh`` may be what passes it on."""
    for index, word in enumerate(words):
        if _SHELL.match(word):
            at, has_text = index + 1, False
            while at < len(words) and words[at].startswith(("-", "+")):
                has_text = has_text or bool(_TEXT_FLAG.match(words[at]))
                at += 2 if _VALUE_FLAG.match(words[at]) else 1
            if has_text and at < len(words):
                return at
    return None
