"""``semver`` and ``semverCompare``."""

from __future__ import annotations

from servelint.syntax.gotemplate.constraints import Version, satisfies, version
from servelint.syntax.gotemplate.printing import string
from servelint.syntax.gotemplate.problems import TemplateProblem
from servelint.syntax.gotemplate.signature import Function, known, text_of
from servelint.syntax.gotemplate.texts import plain
from servelint.syntax.gotemplate.values import Atom, Thing, Value, truth_value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from servelint.syntax.gotemplate.machine import Machine

Values = tuple[Value, ...]


def semver(_: Machine, values: Values) -> Value:
    """A version with its parts. Raises TemplateProblem for what is none."""
    text = text_of(values[0])
    found = _version(known(text))
    parts: dict[str, Value] = {
        name: Atom("uint64", number)
        for name, number in zip(("Major", "Minor", "Patch"), found.numbers, strict=True)
    }
    whole = plain(str(found), text.runs[0].leaf if len(text.runs) == 1 else None)
    parts |= {"Prerelease": plain(found.prerelease), "Metadata": plain(found.metadata)}
    parts |= {"Original": text, "String": whole}
    return Thing("*semver.Version", parts, _methods(found), whole)


def _methods(one: Version) -> dict[str, Callable[[Values], Value]]:
    """The methods by which versions are compared with others."""

    def order(values: Values) -> int:
        other = values[0] if values else None
        if not isinstance(other, Thing) or other.type_name != "*semver.Version":
            raise TemplateProblem("a version is compared with what is none")
        there = _version(string(other).flat)
        return (one.order() > there.order()) - (one.order() < there.order())

    return {
        "Compare": lambda values: Atom("int", order(values)),
        "Equal": lambda values: truth_value(order(values) == 0),
        "LessThan": lambda values: truth_value(order(values) < 0),
        "GreaterThan": lambda values: truth_value(order(values) > 0),
    }


def _version(text: str) -> Version:
    found = version(text)
    if found is None:
        raise TemplateProblem(f"{text[:60]!r} is no semantic version")
    return found


def semver_compare(_: Machine, values: Values) -> Value:
    """``semverCompare CONSTRAINT VERSION``. Raises TemplateProblem where either is none."""
    constraint = known(text_of(values[0]))
    answer = satisfies(_version(known(text_of(values[1]))), constraint)
    if answer is None:
        raise TemplateProblem(f"{constraint[:60]!r} is no constraint")
    return truth_value(answer)


TABLE = {"semver": Function(semver), "semverCompare": Function(semver_compare, 2, 2)}
