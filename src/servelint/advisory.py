"""Advisories whose truth depends on how a package is run."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Condition:
    """One requirement on a component.

    ``subject`` is ``role``, an option (``--name``) or an environment variable
    (upper case). ``values`` are compared as text; ``negated`` turns it around.
    """

    subject: str
    values: tuple[str, ...]
    negated: bool = False


@dataclass(frozen=True, slots=True)
class Affected:
    """A range of versions that is affected when all conditions hold.

    Half open, ``introduced <= version < fixed``; an empty bound is no bound.
    ``merged`` is the day (YYYY-MM-DD) on which the fix reached the main branch
    and ``pull`` the number of its pull request: they judge builds of main.
    """

    introduced: str
    fixed: str
    when: tuple[Condition, ...]
    merged: str = ""
    pull: int = 0


@dataclass(frozen=True, slots=True)
class Advisory:
    """A record that says which versions are affected, and when.

    ``recommended`` is the version to go to, at or above every ``fixed``.
    """

    id: str
    package: str
    title: str
    severity: str
    published: str
    recommended: str
    affected: tuple[Affected, ...]
    references: tuple[str, ...]
    aliases: tuple[str, ...]
    body: str
    withdrawn: str = ""
