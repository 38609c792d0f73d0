"""What a plugin gives."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from servelint.advisory import Advisory
    from servelint.engine import Engine
    from servelint.facts import Fact
    from servelint.finding import Skip
    from servelint.rule import Rule
    from servelint.source import Source


@dataclass(frozen=True, slots=True)
class TextReader:
    """A reader of files that only one product knows, such as the configuration of a launcher.

    It is asked about texts in ``language`` that hold one of ``needles``, before
    the reader of the language. ``module`` has a function ``read(source)`` as
    all readers do, and is imported when first needed.
    """

    language: str
    needles: tuple[str, ...]
    module: str

    def load(self) -> Callable[[Source], Iterable[Fact | Source | Skip]]:
        """The function; raises what importing the module raises."""
        read: Callable[[Source], Iterable[Fact | Source | Skip]] = import_module(self.module).read
        return read


@dataclass(frozen=True, slots=True)
class Plugin:
    """What a plugin gives: engines to recognise, what to judge by, readers of its files.

    ``needles`` make a file relevant that holds one; those of built-in plugins stand
    elsewhere, where they cost no import. ``logs`` is the module that reads what its
    servers print, or empty: see :mod:`servelint.pools`.
    """

    name: str
    engines: tuple[Engine, ...] = ()
    advisories: tuple[Advisory, ...] = ()
    rules: tuple[Rule, ...] = ()
    readers: tuple[TextReader, ...] = ()
    needles: tuple[str, ...] = ()
    logs: str = ""


class SettingError(ValueError):
    """A wrong key or value in the table of a plugin; the text says which and what is allowed."""
