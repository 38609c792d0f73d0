"""What a plugin tells about one serving engine: programs, options, releases.

The core knows no product. It reads command lines with the tables that stand
in an :class:`Engine`.
"""

from __future__ import annotations

from dataclasses import dataclass, field

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from servelint.deployment import Deployment, Invocation, Resolution
    from servelint.facts import Image, Requirement
    from servelint.inside import Inside


@dataclass(frozen=True, slots=True)
class Program:
    """A program of the engine, as the words that start it.

    ``words`` are consecutive words of a command line, the first of them with
    or without a directory before it: ``("-m", "pkg.launch")``, ``("tool", "run")``,
    ``("pkg/launch.py",)``. ``kind``
    is ``server`` or ``router``. ``prefix`` stands before the options that the
    program passes on (``--router-``). ``inside`` is an option that takes an object:
    what the program is given are keys of that. ``operands`` is how many words it
    takes that are no options, such as the name of a model.
    """

    words: tuple[str, ...]
    kind: str
    prefix: str = ""
    inside: str = ""
    operands: int = 0


@dataclass(frozen=True, slots=True)
class Option:
    """A command line option in all releases that had it.

    ``names`` starts with the canonical one. ``values`` is how many words
    follow: ``0``, ``1``, ``?`` or ``+``. ``first`` and ``last`` are releases;
    an empty ``last`` means that the newest release has it.
    """

    names: tuple[str, ...]
    values: str
    first: str
    last: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Engine:
    """One serving engine.

    ``packages`` are the normalised names whose version is the engine's;
    ``releases`` its versions in ascending order. ``role_flag`` is the option
    that makes a server one half of a disaggregated pair, ``roles`` maps its
    values to roles, ``role_switches`` options that make it ``both``.
    Where that takes more than one text, ``role_of`` tells the roles of a server.
    ``object_options`` take a JSON object: each of its keys counts as an option of its own,
    ``--option.key.inner``, items of lists by their number from 0. ``takes_underscores``:
    on its command line an underscore in the name of an option is a hyphen.
    ``defaults`` are the values of options that are not given.
    ``evidence_flags`` and ``evidence_env`` (beginnings of names) are signs of
    disaggregation on anything beside a server of unknown role.
    ``config_options`` name files that hold more options.
    ``wrapper_roles`` are options of programs of others that start servers of
    the engine, with the role that they make; such programs pass on options of
    the engine behind ``wrapper_prefix``.
    ``truths`` are the words that the engine reads as true and as false, lower case; it takes
    any other word for the default.
    ``pools_fit`` says whether recorded pools prove that every prefill server of a
    deployment holds its whole context, and that no decode server offers a longer one.
    ``inside`` loads what its images show from the inside.
    ``version_hint`` is the command that prints the version inside an image.
    ``resolve_image`` answers None for an image that is not the engine's.
    ``carriers`` are the names of other packages that hold the engine or ask for one
    version of it; ``resolve_requirement`` says which, and tells what a package that
    was taken from a source is. It answers None where the plain reading holds.
    """

    id: str
    title: str
    packages: tuple[str, ...]
    programs: tuple[Program, ...]
    options: tuple[Option, ...]
    router_options: tuple[Option, ...]
    releases: tuple[str, ...]
    role_flag: str
    roles: dict[str, str]
    role_switches: tuple[str, ...] = ()
    role_of: Callable[[Invocation], tuple[str, ...]] | None = None
    object_options: tuple[str, ...] = ()
    takes_underscores: bool = False
    defaults: dict[str, str] = field(default_factory=dict)
    evidence_flags: tuple[str, ...] = ()
    evidence_env: tuple[str, ...] = ()
    config_options: tuple[str, ...] = ()
    wrapper_roles: dict[str, str] = field(default_factory=dict)
    wrapper_prefix: str = ""
    version_hint: str = ""
    resolve_image: Callable[[Image], Resolution | None] = lambda _: None
    carriers: tuple[str, ...] = ()
    truths: dict[str, tuple[str, ...]] = field(default_factory=dict)
    inside: Callable[[], Inside] | None = None
    pools_fit: Callable[[Deployment], bool] = lambda _: False
    resolve_requirement: Callable[[Requirement], Resolution | None] = lambda _: None
