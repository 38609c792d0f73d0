"""The words of a shell text before expansion.

A word is a tuple of atoms. Offsets are code points of the text; ``quoted``
says that an atom stands in quotes, so that nothing splits it.
"""

from __future__ import annotations

from dataclasses import dataclass

CUTS = frozenset({":", "#", "##", "%", "%%", "/", "//", "^", "^^", ",", ",,"})
"""Operators that make another text of a value; in their operands all quotes count."""


@dataclass(frozen=True, slots=True)
class Literal:
    """A run of text. It is as long as its place unless it was written as an escape."""

    text: str
    start: int
    end: int
    quoted: bool = False


@dataclass(frozen=True, slots=True)
class Parameter:
    """``$name`` or ``${name[index]operator word}``.

    ``operator`` is one of ``:- - := = :? ? :+ +``, of those that cut
    (``: # ## % %% / // ^ ^^ , ,,``), empty, or ``opaque`` for lengths,
    indirection and what else computes.
    """

    name: str
    start: int
    end: int
    quoted: bool = False
    index: str = ""
    operator: str = ""
    word: Word | None = None


@dataclass(frozen=True, slots=True)
class Substitution:
    """``$(...)``, backquotes, ``<(...)`` or ``>(...)``: what commands print."""

    start: int
    end: int
    quoted: bool = False


@dataclass(frozen=True, slots=True)
class Arithmetic:
    """``$((expression))``."""

    expression: str
    start: int
    end: int
    quoted: bool = False


@dataclass(frozen=True, slots=True)
class Tilde:
    """``~`` where it stands for the home directory."""

    start: int
    end: int
    quoted: bool = False


@dataclass(frozen=True, slots=True)
class Template:
    """``{{ ... }}``: something that a template engine fills in before a shell sees it."""

    start: int
    end: int
    quoted: bool = False


Atom = Literal | Parameter | Substitution | Arithmetic | Tilde | Template


@dataclass(frozen=True, slots=True)
class Word:
    """A word as written at ``start`` to ``end``."""

    atoms: tuple[Atom, ...]
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Assignment:
    """``name=value``, ``name[index]=value`` or ``name=(elements)``; ``append`` for ``+=``.

    ``elements`` is None for a plain value, ``keyed`` tells ``([k]=v)``.
    """

    name: str
    value: Word
    start: int
    end: int
    index: str = ""
    append: bool = False
    elements: tuple[Word, ...] | None = None
    keyed: bool = False


@dataclass(frozen=True, slots=True)
class Redirection:
    """``2>&1``: the file descriptor as written, the ``operator`` at ``at``, and its target.

    The target of a heredoc is its delimiter.
    """

    descriptor: str
    operator: str
    at: int
    target: Word


@dataclass(frozen=True, slots=True)
class Simple:
    """A simple command: assignments, words and redirections.

    ``end`` is where it stops in the text, redirections included. Words of a
    declaration may be assignments.
    """

    assignments: tuple[Assignment, ...]
    words: tuple[Word | Assignment, ...]
    redirections: tuple[Redirection, ...]
    start: int
    end: int
