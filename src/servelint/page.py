"""The page of a rule or an advisory in Markdown, as `explain` prints it and the docs hold it."""

from __future__ import annotations

from servelint.advisory import Advisory
from servelint.remarks import REMARKS, UNKNOWN, Remark
from servelint.rule import Rule

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from servelint.advisory import Affected, Condition
    from servelint.plugins import Registry

Record = Advisory | Rule | Remark
"""What a finding may name."""


def records(registry: Registry) -> dict[str, Record]:
    """All that a finding may name, by id: advisories, rules, and what the core itself says."""
    every: tuple[Record, ...] = (*registry.advisories, *registry.rules, UNKNOWN, *REMARKS)
    return {record.id: record for record in every}


def page(record: Record) -> str:
    """The whole page, with a newline at its end."""
    return "\n".join(_lines(record)).rstrip() + "\n"


def kind(record: Record) -> str:
    """``advisory`` or ``rule``."""
    return "advisory" if isinstance(record, Advisory) else "rule"


def _lines(record: Record) -> Iterator[str]:
    yield f"# {record.id}: {record.title}"
    yield ""
    profile = getattr(record, "profile", "")
    off = f", off unless the profile `{profile}` is asked for" if profile else ""
    yield f"{kind(record).capitalize()}, severity {record.severity}{off}."
    yield ""
    if isinstance(record, Advisory):
        yield from _ranges(record)
    if record.body:
        yield record.body
        yield ""
    yield "## What to do" if "## What to do" not in record.body else ""
    yield ""
    yield from _remedy(record)
    if isinstance(record, Advisory) and (record.references or record.aliases):
        yield ""
        yield "## References"
        yield ""
        yield from (f"- {name}" for name in record.aliases)
        yield from (f"- <{url}>" for url in record.references)


def _remedy(record: Record) -> Iterator[str]:
    if record.remedy:
        yield f"{record.remedy[:1].upper()}{record.remedy[1:]}."
    elif isinstance(record, Advisory):
        yield f"Upgrade both roles together to {record.recommended} or later."


def _ranges(record: Advisory) -> Iterator[str]:
    """The versions, a row each, with the conditions under which they are affected."""
    yield "| versions | when | basis |"
    yield "|---|---|---|"
    for row in record.affected:
        when = "; ".join(map(condition_text, row.when)) or "always"
        yield f"| {_versions(row)} | {when} | {row.basis or 'known'} |"
    yield ""
    for helped in record.mitigated:
        window = _versions_of(helped.introduced, helped.fixed, "")
        when = "; ".join(map(condition_text, helped.when))
        yield f"It weighs {helped.severity} in versions {window} when {when}: {helped.why}."
        yield ""


def _versions(row: Affected) -> str:
    return _versions_of(row.introduced, row.fixed, row.last_affected)


def _versions_of(introduced: str, fixed: str, last: str) -> str:
    parts = [f"from {introduced}"] if introduced else []
    parts += [f"before {fixed}"] if fixed else []
    parts += [f"up to {last}"] if last else []
    return ", ".join(parts) or "all"


def condition_text(condition: Condition) -> str:
    """A condition as people read it."""
    whom = {"": "", "every": "in both roles, ", "any": "in one of the roles, "}[condition.whom]
    subject = "the role" if condition.subject == "role" else f"`{condition.subject}`"
    values = " or ".join(f"`{value}`" for value in condition.values)
    no = "not " if condition.negated else ""
    said = {
        "in": f"is {no}{values}",
        "set": f"is {no}given",
        "like": f"{'does not mean' if condition.negated else 'means'} {values}",
        "below": f"is {no}below {values}",
        "glob": f"{'does not match' if condition.negated else 'matches'} {values}",
        "remote": f"is {no}an address that other machines reach",
    }[condition.test]
    return f"{whom}{subject} {said}"


def listing(every: Iterable[Record]) -> str:
    """One line a record: id, severity, title, and the profile that it is of."""
    rows = sorted(every, key=lambda one: (kind(one), one.id))
    width = max((len(one.id) for one in rows), default=0)
    return "".join(f"{_row(one, width)}\n" for one in rows)


def _row(one: Record, width: int) -> str:
    profile = getattr(one, "profile", "")
    mark = f" [{profile}]" if profile else ""
    return f"{one.id:<{width}}  {one.severity:<8}  {one.title}{mark}"
