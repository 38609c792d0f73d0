"""Which release a server is, as far as that is known."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from servelint.api import parse_version
from servelint_sglang.logs.table import table
from servelint_sglang.tables import option_table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from servelint_sglang.logs.arguments import Arguments


@dataclass(frozen=True, slots=True)
class Between:
    """A release from ``first`` up to ``last``, both inside; empty is no bound.

    ``by`` is ``option`` for what people say, ``arguments`` or ``log`` for what the log lets
    conclude, which holds for releases only: a build between two of them may have any part.
    """

    first: str = ""
    last: str = ""
    before: str = ""
    by: str = ""

    @property
    def is_said(self) -> bool:
        """True for an exact release that people state."""
        return self.by == "option" and bool(self.first)

    @property
    def words(self) -> str:
        """The range for people; empty where nothing is known."""
        if self.first and self.first == self.last:
            return self.first
        ends = (f"{self.last} or earlier", f"earlier than {self.before}", "")
        end = ends[0] if self.last else ends[1] if self.before else ends[2]
        if self.first:
            return f"{self.first} or later" if not end else f"{self.first} or later, {end}"
        return end

    def is_in(self, first: str, until: str) -> str:
        """Whether it is ``first`` or later and earlier than ``until``: ``yes``, ``no``, ``may``."""
        low, high, before = map(parse_version, (self.first, self.last, self.before))
        start, end = parse_version(first), parse_version(until)
        above = low is not None and end is not None and low >= end
        below = start is not None and (
            (high is not None and high < start) or (before is not None and before <= start)
        )
        if above or below:
            return "no"
        reaches_up = start is None or (low is not None and low >= start)
        ends_in = (
            end is None
            or (high is not None and high < end)
            or (before is not None and before <= end)
        )
        return "yes" if reaches_up and ends_in else "may"


def said(text: str) -> Between:
    """What people say. A development version has no place in the order of releases."""
    version = parse_version(text)
    is_plain = version is not None and not version.is_devrelease
    if not is_plain or (version is not None and version.pre and text not in _releases()):
        return Between(by="option")
    public = str(version)
    return Between(public, public, by="option")


def concluded(arguments: Arguments | None, first_of_lines: str) -> Between:
    """What the form and the names of the arguments say, and the lines that only some print."""
    if arguments is None:
        return Between(first_of_lines, by="log" if first_of_lines else "")
    own = table()["arguments"]
    since = own["since"]
    form = "" if arguments.is_call else own["first_dict"]
    present = [since[name] for name in since if name in arguments.values]
    first = max((one for one in (form, first_of_lines, *present) if one), key=_order, default="")
    last = own["last_call"] if arguments.is_call else ""
    absent = [since[name] for name in since if name not in arguments.values]
    before = min(absent, key=_order, default="") if arguments.is_whole else ""
    if first and (
        (last and _order(first) > _order(last)) or (before and _order(before) <= _order(first))
    ):
        return Between(by="arguments")  # of no release: a build between two of them, or a fork
    if before and last and _order(before) > _order(last):
        before = ""
    exact = _release_before(before, first)
    if exact:
        return Between(exact, exact, by="arguments")
    return Between(first, "" if before else last, before, by="arguments")


def _release_before(release: str, first: str) -> str:
    """The release before one, where no other lies between it and ``first``."""
    names = _releases()
    at = names.index(release) if release in names else 0
    return names[at - 1] if at and names[at - 1] == first else ""


def _order(release: str) -> int:
    return _releases().index(release)


@cache
def _releases() -> tuple[str, ...]:
    return tuple(option_table()["releases"])
