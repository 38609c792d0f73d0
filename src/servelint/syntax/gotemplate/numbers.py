"""Numbers as Go writes them."""

from __future__ import annotations

import re


def shortest(value: float) -> str:
    """A float as ``%v`` writes it: the fewest digits, with an exponent from a million on."""
    special = _special(value)
    if special:
        return special
    sign, digits, exponent = _digits(value)
    if exponent < -4 or exponent >= 6:
        return _scientific(sign, digits, exponent)
    return _positional(sign, digits, exponent)


def json_number(value: float) -> str:
    """A float as ``encoding/json`` writes it."""
    sign, digits, exponent = _digits(value)
    if value and (abs(value) < 1e-6 or abs(value) >= 1e21):
        text = _scientific(sign, digits, exponent)
        return re.sub(r"e-0(\d)\Z", r"e-\1", text)
    return _positional(sign, digits, exponent)


def yaml_number(value: float) -> str:
    """A float as ``toYaml`` writes it: by way of JSON, where whole numbers become integers."""
    text = json_number(value)
    if text.lstrip("-").isdigit() and -(2**63) <= int(text) < 2**64:
        return str(int(text))
    return shortest(float(text))


def _special(value: float) -> str:
    if value != value:  # noqa: PLR0124 - the one value that is not itself
        return "NaN"
    return {float("inf"): "+Inf", float("-inf"): "-Inf"}.get(value, "")


def _digits(value: float) -> tuple[str, str, int]:
    """Sign, digits and the exponent of the first digit."""
    text = repr(float(value))
    sign = "-" if text[0] == "-" else ""
    mantissa, _, power = text.lstrip("-").partition("e")
    before, _, after = mantissa.partition(".")
    digits = (before + after).lstrip("0")
    exponent = len(before) - 1 - (len(before + after) - len(digits)) + int(power or 0)
    digits = digits.rstrip("0")
    return (sign, digits, exponent) if digits else (sign, "0", 0)


def _scientific(sign: str, digits: str, exponent: int) -> str:
    rest = f".{digits[1:]}" if digits[1:] else ""
    return f"{sign}{digits[0]}{rest}e{exponent:+03d}"


def _positional(sign: str, digits: str, exponent: int) -> str:
    if exponent < 0:
        return f"{sign}0.{'0' * (-exponent - 1)}{digits}"
    filled = digits.ljust(exponent + 1, "0")
    rest = f".{filled[exponent + 1 :]}" if filled[exponent + 1 :] else ""
    return f"{sign}{filled[: exponent + 1]}{rest}"
