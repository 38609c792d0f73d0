"""Paths: ``os.path`` and ``pathlib`` on texts that are known."""

from __future__ import annotations

import posixpath

from servelint.readers.python.pieces import Piece, Pieces, known_text, remade
from servelint.readers.python.things import Str, Thing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


def to_path(thing: Thing) -> Thing | None:
    """``Path(thing)``; None when it cannot be told how the path would be tidied."""
    if not isinstance(thing, Str):
        return None
    text = known_text(thing.pieces)
    if text is None:
        return None
    tidy = _tidied(text)
    return Str(thing.pieces if tidy == text else remade(tidy, thing.pieces), path=True)


def _tidied(text: str) -> str:
    """The text as pathlib keeps it: no empty steps, no dots, no slash at the end."""
    steps = [step for step in text.split("/") if step not in ("", ".")]
    root = "" if not text.startswith("/") else "//" if _is_double(text) else "/"
    return root + "/".join(steps) or "."


def _is_double(text: str) -> bool:
    """Two slashes at the front, not three, are a root of their own (POSIX)."""
    return text.startswith("//") and not text.startswith("///")


def join_paths(*parts: Thing) -> Thing | None:
    """Paths one below the other, as pathlib does it; None when one of them is unknown."""
    texts: list[str] = []
    pieces: list[Piece] = []
    for part in parts:
        text = known_text(part.pieces) if isinstance(part, Str) else None
        if text is None or not isinstance(part, Str):
            return None
        texts.append(text)
        pieces.extend(part.pieces)
    return Str(remade(_tidied(posixpath.join(*texts)), pieces), path=True)


def join_texts(parts: Sequence[Thing]) -> Thing | None:
    """``os.path.join``; None when one of the parts is unknown: it may begin with a slash."""
    if not parts:
        return None
    texts: list[str] = []
    pieces: list[Piece] = []
    for part in parts:
        text = known_text(part.pieces) if isinstance(part, Str) else None
        if text is None or not isinstance(part, Str):
            return None
        texts.append(text)
        pieces.extend(part.pieces)
    return Str(remade(posixpath.join(*texts), pieces))


_PARTS: dict[str, Callable[[str], str]] = {
    "name": lambda text: "" if text in ("/", "//", ".") else posixpath.basename(text),
    "parent": lambda text: _tidied(posixpath.dirname(text)),
    "stem": lambda text: _stem(posixpath.basename(text)),
    "suffix": lambda text: _suffix(posixpath.basename(text)),
}


def part_of_path(path: Str, attribute: str) -> Thing | None:
    """An attribute of a pathlib path; None for one that is not followed."""
    text = known_text(path.pieces)
    if text is None or attribute not in _PARTS:
        return None
    made = _PARTS[attribute](text)
    return Str(_made(made, path.pieces), path=attribute == "parent")


def _made(text: str, pieces: Pieces) -> Pieces:
    return remade(text, pieces) if text else ()


def _stem(name: str) -> str:
    suffix = _suffix(name)
    return name.removesuffix(suffix) if suffix else name


def _suffix(name: str) -> str:
    at = name.rfind(".")
    return name[at:] if 0 < at < len(name) - 1 and name.strip(".") else ""
