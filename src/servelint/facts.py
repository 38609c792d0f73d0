"""What readers report: facts, which hold values (see :mod:`servelint.value`)."""

from __future__ import annotations

from dataclasses import dataclass, field

TYPE_CHECKING = False
if TYPE_CHECKING:
    from servelint.source import Route, Span
    from servelint.value import Value

ANY_NAME = "*"
"""The name of a variable that stands for all that an unread environment may set."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """Something that a file says.

    ``span`` quotes it, ``owner`` is the structure that it belongs to and
    ``variant`` the variant of the unit (a values file, an overlay) in which it
    holds; empty means in all.
    """

    span: Span
    owner: Route
    variant: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Requirement(Fact):
    """A package that is asked for or locked.

    ``name`` is normalised (PEP 503). ``kind`` is ``locked``, ``pinned``,
    ``range``, ``unpinned``, ``vcs``, ``url`` or ``path``. ``version`` is set for
    locked and pinned ones, ``specifier`` (PEP 440) otherwise; for vcs, url and
    path the specifier is the location as written. ``runs`` tells a step that
    installs from a declaration: it ``keeps`` what is there already, or is ``sure``
    to replace it if its text runs to the end; ``inner`` is the same for what stands in the
    text, which may not run itself; else it may do either. ``extras`` are normalised.
    """

    name: str
    kind: str
    version: Value | None = None
    specifier: Value | None = None
    runs: bool = False
    effect: str = ""
    extras: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Image(Fact):
    """A container image reference.

    ``container`` is the name that the container gets, where the command says.
    """

    reference: Value
    container: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Env(Fact):
    """An environment variable."""

    name: str
    value: Value


@dataclass(frozen=True, slots=True, kw_only=True)
class Launch(Fact):
    """A command that would run: its words, program first.

    ``env`` holds what the command line itself or the script before it sets;
    ``container`` says that the command runs in a container. ``engine`` is set
    for options that stand in a file of a launcher: the id of the engine that it
    starts with them.

    ``form`` is empty for a command. ``options`` are those of a file: their first
    word is no program but where they stand. ``used`` are options that another
    launch has taken from there, and ``configured`` is that launch.

    ``runs`` is ``surely`` for a command of a text that shows that all of it runs, ``inner``
    where that text may not run itself, ``in-order`` where a command before it may fail
    without ending the text; empty where that is not told.
    """

    argv: tuple[Value, ...]
    env: tuple[Env, ...] = field(default=())
    container: bool = False
    engine: str = ""
    form: str = ""
    runs: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting(Fact):
    """A key of a configuration that a program reads."""

    key: str
    value: Value


@dataclass(frozen=True, slots=True, kw_only=True)
class Uses(Fact):
    """Another file that this one takes in.

    ``target`` is relative to the root; ``how`` names the relation
    (``requirements``, ``constraints``, ``source``, ``env-file``, ...). With
    ``how="container"`` the target is the name of a container, not a file, with
    ``mount`` and ``volume`` what :mod:`servelint.mounts` says. ``at`` is the name
    under which it is used, where that is another.
    """

    target: str
    how: str
    at: str = ""
