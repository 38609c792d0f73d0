"""Advisories whose truth depends on how a package is run."""

from __future__ import annotations

from dataclasses import dataclass

TESTS = ("in", "set", "like", "below", "glob", "remote")
"""How a condition looks at its subject."""


@dataclass(frozen=True, slots=True)
class Condition:
    """One requirement on a component, or on the halves of its deployment.

    ``subject`` is ``role``, ``pool`` (recorded pools of prefill hold the context),
    an option (``--name``), a key of the object that one takes
    (``--name.key``; ``*`` stands for anything: one of all such keys passes) or an
    environment variable (upper case). ``test`` is ``in`` (its text is one of ``values``),
    ``set`` (it is given at all), ``like`` (it reads as the one of ``true`` and ``false``
    that ``values`` holds, by the words of the engine), ``below`` (it is a number below the
    one in ``values``), ``glob`` (it matches one of the patterns in ``values``, in any case)
    or ``remote`` (it is an address that other machines reach, with or without a port).
    ``negated`` turns it around. ``whom`` is empty for the component itself, ``every`` or
    ``any`` for all halves of its deployment, itself among them.
    """

    subject: str
    values: tuple[str, ...] = ()
    negated: bool = False
    test: str = "in"
    whom: str = ""


@dataclass(frozen=True, slots=True)
class Affected:
    """A range of versions that is affected when all conditions hold.

    Half open, ``introduced <= version < fixed``; an empty bound is no bound. A range
    that ends with ``last_affected`` includes it, and says nothing of what came after.
    ``merged`` is when the fix reached the main branch, as a day (YYYY-MM-DD) or,
    where it is known, a time (YYYY-MM-DDTHH:MM:SSZ), and ``pull`` the number of its
    pull request: they judge builds of main.

    ``basis`` is ``recorded`` for a range that a public record gives, ``observed`` for
    one whose code looks the same without a record of it; else it is known.
    ``severity``, if any, is that of this range.
    """

    introduced: str
    fixed: str
    when: tuple[Condition, ...]
    merged: str = ""
    pull: int = 0
    last_affected: str = ""
    basis: str = ""
    severity: str = ""


@dataclass(frozen=True, slots=True)
class Mitigated:
    """What makes an affected version weigh less, in the versions in which it works."""

    introduced: str
    fixed: str
    when: tuple[Condition, ...]
    severity: str
    why: str


@dataclass(frozen=True, slots=True)
class Advisory:
    """A record that says which versions are affected, and when.

    ``recommended`` is the version to go to, at or above every ``fixed``; ``remedy``
    is what to do where that is something else. A record with a ``profile`` is judged
    only where that is asked for.
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
    mitigated: tuple[Mitigated, ...] = ()
    remedy: str = ""
    profile: str = ""
