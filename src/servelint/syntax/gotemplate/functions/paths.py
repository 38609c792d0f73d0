"""Functions over paths of files and addresses."""

from __future__ import annotations

import posixpath
import re

from servelint.syntax.gotemplate.signature import Function, NotKnown, known, text_of
from servelint.syntax.gotemplate.texts import Text, concat, plain
from servelint.syntax.gotemplate.values import Dict, Value, truth_value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from servelint.syntax.gotemplate.machine import Machine

Values = tuple[Value, ...]

_ADDRESS = re.compile(
    r"(?:(?P<scheme>[A-Za-z][A-Za-z0-9+.-]*):)?(?://(?:(?P<userinfo>[^/?#@]*)@)?(?P<host>[^/?#]*))?"
    r"(?P<path>[^?#]*)(?:\?(?P<query>[^#]*))?(?:#(?P<fragment>.*))?\Z",
    re.DOTALL,
)


def base(_: Machine, values: Values) -> Value:
    """The last name of a path."""
    text = text_of(values[0])
    path = known(text).rstrip("/")
    if not path:
        return plain("/" if text.flat else ".")
    return text.cut(path.rfind("/") + 1, len(path))


def _directory(_: Machine, values: Values) -> Value:
    text = text_of(values[0])
    return _cleaned(text.cut(0, known(text).rfind("/") + 1))


def _clean(_: Machine, values: Values) -> Value:
    return _cleaned(text_of(values[0]))


def _cleaned(text: Text) -> Text:
    path = posixpath.normpath(known(text)) if text.flat else "."
    path = path[1:] if path.startswith("//") else path
    return text.cut(0, len(path)) if text.flat.startswith(path) else plain(path)


def _extension(_: Machine, values: Values) -> Value:
    text = text_of(values[0])
    name = known(text).rpartition("/")[2]
    dot = name.rfind(".")
    return text.cut(len(text.flat) - len(name) + dot) if dot >= 0 else plain("")


def _is_absolute(_: Machine, values: Values) -> Value:
    return truth_value(known(text_of(values[0])).startswith("/"))


def url_parse(_: Machine, values: Values) -> Value:
    """The parts of an address. Unknown where it has signs that Go would decode or refuse."""
    text = text_of(values[0])
    found = _ADDRESS.match(known(text))
    if found is None or re.search(r"[%\s\x00-\x1f\x7f]", text.flat) or not found["path"].isascii():
        raise NotKnown
    if found["scheme"] and not found["path"].startswith("/") and found["host"] is None:
        raise NotKnown
    parts = {name: text.cut(*found.span(name)) for name in found.groupdict() if found[name]}
    host = parts.get("host", plain(""))
    port = re.search(r":\d*\Z", host.flat)
    names = ("scheme", "host", "path", "query", "fragment", "userinfo")
    table = {name: parts.get(name, plain("")) for name in names}
    hostname = host.cut(0, port.start()) if port else host
    return Dict((*table.items(), ("hostname", hostname), ("opaque", plain(""))))


def _url_join(_: Machine, values: Values) -> Value:
    if not isinstance(values[0], Dict):
        raise NotKnown
    table = values[0].entries
    part = {name: text_of(table.get(name, plain(""))) for name in _SIGNS}
    if any(not re.fullmatch(r"[\w./:@?=&,~-]*", known(text), re.ASCII) for text in part.values()):
        raise NotKnown
    if part["host"].flat and part["path"].flat[:1] not in ("", "/"):
        raise NotKnown
    filled = ((_SIGNS[name], text) for name, text in part.items() if text.flat)
    return concat(
        piece for signs, text in filled for piece in (plain(signs[0]), text, plain(signs[1]))
    )


_SIGNS = {
    "scheme": ("", "://"),
    "userinfo": ("", "@"),
    "host": ("", ""),
    "path": ("", ""),
    "query": ("?", ""),
    "fragment": ("#", ""),
}

TABLE = {
    "base": Function(base, is_text=True),
    "osBase": Function(base, is_text=True),
    "dir": Function(_directory, is_text=True),
    "osDir": Function(_directory, is_text=True),
    "clean": Function(_clean, is_text=True),
    "osClean": Function(_clean, is_text=True),
    "ext": Function(_extension, is_text=True),
    "osExt": Function(_extension, is_text=True),
    "isAbs": Function(_is_absolute),
    "osIsAbs": Function(_is_absolute),
    "urlParse": Function(url_parse),
    "urlJoin": Function(_url_join, is_text=True),
}
