"""Functions that write values in other notations, and sums of texts."""

from __future__ import annotations

import base64
import binascii
import hashlib
import urllib.parse
import zlib

from servelint.syntax.gotemplate.json_writer import to_json, to_pretty_json
from servelint.syntax.gotemplate.printing import lined, shown
from servelint.syntax.gotemplate.signature import MANY, Function, NotKnown, known, text_of
from servelint.syntax.gotemplate.texts import plain
from servelint.syntax.gotemplate.values import Value
from servelint.syntax.gotemplate.yaml_writer import to_yaml

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from servelint.syntax.gotemplate.machine import Machine
    from servelint.syntax.gotemplate.texts import Text

Values = tuple[Value, ...]


def _bytes(value: Value) -> bytes:
    return known(text_of(value)).encode("utf-8", "surrogatepass")


def _summing(total: Callable[[bytes], str]) -> Function:
    return Function(lambda _, values: plain(total(_bytes(values[0]))), is_text=True, is_filled=True)


def _hashing(name: str) -> Function:
    return _summing(lambda data: hashlib.new(name, data, usedforsecurity=False).hexdigest())


def _b64dec(_: Machine, values: Values) -> Value:
    try:
        return plain(base64.b64decode(_bytes(values[0]), validate=True).decode())
    except (binascii.Error, UnicodeDecodeError):
        raise NotKnown from None


_HTML = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&#34;", "'": "&#39;", "\0": "\ufffd"}


def _as_html(_: Machine, values: Values) -> Text:
    text = known(_printed(values))
    return plain("".join(_HTML.get(sign, sign) for sign in text))


def _as_query(_: Machine, values: Values) -> Text:
    return plain(urllib.parse.quote_plus(known(_printed(values)), safe="~"))


def _printed(values: Values) -> Text:
    return shown(values[0]) if len(values) == 1 else lined(values, plain(" "))


def _writing(write: Callable[[Value], Text]) -> Function:
    return Function(lambda _, values: write(values[0]), takes="all", is_text=True)


_JSON = _writing(to_json)
_RAW_JSON = _writing(lambda value: to_json(value, is_raw=True))
_PRETTY_JSON = _writing(to_pretty_json)
_YAML = _writing(to_yaml)

TABLE = {
    "toJson": _JSON,
    "mustToJson": _JSON,
    "toRawJson": _RAW_JSON,
    "mustToRawJson": _RAW_JSON,
    "toPrettyJson": _PRETTY_JSON,
    "mustToPrettyJson": _PRETTY_JSON,
    "toYaml": _YAML,
    "mustToYaml": _YAML,
    "toYamlPretty": _writing(lambda value: to_yaml(value, is_pretty=True)),
    "b64enc": _summing(lambda data: base64.b64encode(data).decode()),
    "b64dec": Function(_b64dec, is_text=True),
    "b32enc": _summing(lambda data: base64.b32encode(data).decode()),
    "sha1sum": _hashing("sha1"),
    "sha256sum": _hashing("sha256"),
    "sha512sum": _hashing("sha512"),
    "adler32sum": _summing(lambda data: str(zlib.adler32(data))),
    "html": Function(_as_html, 1, MANY, is_text=True),
    "urlquery": Function(_as_query, 1, MANY, is_text=True),
}
