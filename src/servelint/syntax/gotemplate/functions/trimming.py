"""Functions that cut texts, and that ask what is in them."""

from __future__ import annotations

from servelint.syntax.gotemplate.printing import shown
from servelint.syntax.gotemplate.problems import TemplateProblem
from servelint.syntax.gotemplate.signature import (
    Function,
    NotKnown,
    known,
    strings,
    text_of,
    whole_of,
)
from servelint.syntax.gotemplate.texts import GAP, Text, concat, plain
from servelint.syntax.gotemplate.values import STRINGS, Dict, Items, Value, truth_value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from servelint.syntax.gotemplate.machine import Machine

Values = tuple[Value, ...]

_SPACE = " \t\n\v\f\r\x85\xa0"


def _bytes_cut(text: Text, start: int, end: int) -> Text:
    """The part of a text between two places counted in bytes."""
    flat = known(text)
    if flat.isascii():
        return text.cut(start, end)
    raw = flat.encode("utf-8", "surrogatepass")
    try:
        return text.cut(len(raw[:start].decode()), len(raw[:end].decode()))
    except UnicodeDecodeError:
        raise NotKnown from None


def _size(text: Text) -> int:
    return len(known(text).encode("utf-8", "surrogatepass"))


def _trunc(_: Machine, values: Values) -> Text:
    count, text = whole_of(values[0]), text_of(values[1])
    size = _size(text)
    if count < 0:
        return _bytes_cut(text, max(size + count, 0), size)
    return _bytes_cut(text, 0, count) if size > count else text


def _substr(_: Machine, values: Values) -> Text:
    start, end, text = whole_of(values[0]), whole_of(values[1]), text_of(values[2])
    size = _size(text)
    if start < 0:
        return _bytes_cut(text, 0, _limit(end, size))
    return _bytes_cut(text, start, size if end < 0 or end > size else end)


def _limit(end: int, size: int) -> int:
    if end < 0 or end > size:
        raise TemplateProblem("substr ends outside of its text")
    return end


def _trim(_: Machine, values: Values) -> Text:
    return _stripped(text_of(values[0]), _SPACE)


def _trim_all(_: Machine, values: Values) -> Text:
    return _stripped(text_of(values[1]), known(text_of(values[0])))


def _stripped(text: Text, signs: str, *, left: bool = True, right: bool = True) -> Text:
    if not signs:
        return text
    start = len(text.flat) - len(text.flat.lstrip(signs)) if left else 0
    end = len(text.flat.rstrip(signs)) if right else len(text.flat)
    kept = text.cut(start, end) if start < end else plain("")
    if (left and kept.flat[:1] == GAP) or (right and kept.flat[-1:] == GAP):
        raise NotKnown
    return kept


def _trim_left(_: Machine, values: Values) -> Text:
    return _stripped(text_of(values[1]), known(text_of(values[0])), right=False)


def _trim_right(_: Machine, values: Values) -> Text:
    return _stripped(text_of(values[1]), known(text_of(values[0])), left=False)


def _trim_prefix(_: Machine, values: Values) -> Text:
    prefix, text = text_of(values[0]), text_of(values[1])
    return text.cut(len(prefix.flat)) if starts_with(text, prefix) else text


def _trim_suffix(_: Machine, values: Values) -> Text:
    suffix, text = text_of(values[0]), text_of(values[1])
    return text.cut(0, len(text.flat) - len(suffix.flat)) if ends_with(text, suffix) else text


def starts_with(text: Text, prefix: Text) -> bool:
    """Whether a text starts so. Raises NotKnown."""
    return _agrees(text.flat, known(prefix))


def ends_with(text: Text, suffix: Text) -> bool:
    """Whether a text ends so. Raises NotKnown."""
    return _agrees(text.flat[::-1], known(suffix)[::-1])


def _agrees(flat: str, start: str) -> bool:
    for place, sign in enumerate(start):
        if flat[place : place + 1] == GAP:
            raise NotKnown
        if flat[place : place + 1] != sign:
            return False
    return True


def _contains(_: Machine, values: Values) -> Value:
    part, text = text_of(values[0]), text_of(values[1])
    if known(part) in text.flat:
        return truth_value(value=True)
    known(text)
    return truth_value(value=False)


def _split(_: Machine, values: Values) -> Dict:
    texts = _parts_of(text_of(values[1]), text_of(values[0]), -1)
    return _numbered(texts)


def _splitn(_: Machine, values: Values) -> Dict:
    texts = _parts_of(text_of(values[2]), text_of(values[0]), whole_of(values[1]))
    return _numbered(texts)


def _numbered(texts: list[Text]) -> Dict:
    pairs = ((f"_{place}", text) for place, text in enumerate(texts))
    return Dict(pairs, None, "map[string]string")


def _split_list(_: Machine, values: Values) -> Items:
    return strings(_parts_of(text_of(values[1]), text_of(values[0]), -1))


def _parts_of(text: Text, by: Text, most: int) -> list[Text]:
    sign = known(by)
    known(text)
    if not sign:
        return [text.cut(place, place + 1) for place in range(len(text.flat))]
    texts: list[Text] = []
    at = 0
    while (found := text.flat.find(sign, at)) >= 0 and len(texts) + 1 != most:
        texts.append(text.cut(at, found))
        at = found + len(sign)
    return [*texts, text.cut(at)] if most else []


def _to_strings(_: Machine, values: Values) -> Items:
    items = values[0].items if isinstance(values[0], Items) else (values[0],)
    return Items(tuple(shown(item) for item in items if item is not None), STRINGS)


def _abbrev(_: Machine, values: Values) -> Text:
    width, text = whole_of(values[0]), text_of(values[1])
    if not known(text).isascii():
        raise NotKnown
    if width < 4 or len(text.flat) <= width:
        return text
    return concat((text.cut(0, width - 3), plain("...")))


def _asking(ask: object) -> Function:
    def run(_: Machine, values: Values) -> Value:
        return truth_value(ask(text_of(values[1]), text_of(values[0])))  # type: ignore[operator]

    return Function(run, 2, 2, "gaps")


TABLE = {
    "trunc": Function(_trunc, 2, 2, "gaps", is_text=True),
    "substr": Function(_substr, 3, 3, "gaps", is_text=True),
    "trim": Function(_trim, takes="gaps", is_text=True),
    "trimAll": Function(_trim_all, 2, 2, "gaps", is_text=True),
    "trimall": Function(_trim_all, 2, 2, "gaps", is_text=True),
    "trimPrefix": Function(_trim_prefix, 2, 2, "gaps", is_text=True),
    "trimSuffix": Function(_trim_suffix, 2, 2, "gaps", is_text=True),
    "abbrev": Function(_abbrev, 2, 2, "gaps", is_text=True),
    "contains": Function(_contains, 2, 2, "gaps"),
    "hasPrefix": _asking(starts_with),
    "hasSuffix": _asking(ends_with),
    "split": Function(_split, 2, 2, "gaps"),
    "splitn": Function(_splitn, 3, 3, "gaps"),
    "splitList": Function(_split_list, 2, 2, "gaps"),
    "toStrings": Function(_to_strings, takes="all"),
}
