"""From a line as it was collected to the message of the server, and who it is from.

What collectors put before a line (a pod, a service of a compose project, the unit of a journal,
times) names the server. A message counts only where the line says nothing else before it: logged
prompts may hold anything.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass

TYPE_CHECKING = False
if TYPE_CHECKING:
    from re import Match

    from servelint_sglang.logs.table import LineKind

MAX_HEAD = 400
"""Characters before a message."""

MAX_NAME = 80
"""Characters of the name of a server."""

_ESCAPES = re.compile(r"\x1b(?:\[[0-9;?]{0,30}[ -/]{0,3}[@-~]|\][^\x07\x1b]{0,200}(?:\x07|\x1b\\))")
_STAMP = re.compile(
    r"\[(?P<stamp>\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d(?:[.,]\d{1,9})?)"
    r"(?P<tags>(?: [A-Z][A-Z_]{0,15}\d{1,6}){0,10})\] "
)
_HEAD = re.compile(r"(?:\([^'\"(){}=]{0,60}(?:=[^'\"(){}=]{0,60}){0,3}\) ?)?[^'\"(){}=\\]*\Z")
"""Nothing that could be the beginning of a value; Ray puts a name in parentheses first."""

_NOISE = re.compile(
    r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z| ?[+-]\d\d:?\d\d)?"
    r"|(?:\b[A-Z][a-z]{2} [ \d]\d )?\d\d:\d\d:\d\d(?:[.,]\d{1,9})?"
    r"|\[\d{1,10}\]|\bpid=\d{1,10},?|\bstd(?:out|err)(?: [FP])?(?=\s|\Z)"
    r"|\b(?:DEBUG|INFO|WARNING|WARN|ERROR|CRITICAL)\b"
)
_EDGES = " \t|:-[](),<>*"

_MESSAGE_KEYS = ("log", "message", "msg", "MESSAGE", "textPayload", "line")
_SERVER_KEYS = ("pod", "pod_name", "container", "container_name", "CONTAINER_NAME", "_SYSTEMD_UNIT")


@dataclass(frozen=True, slots=True)
class Line:
    """A line of one server; ``is_stamped`` says that its message begins where ``text`` does."""

    number: int
    server: str
    stamp: str
    tags: str
    text: str
    is_stamped: bool

    def match(self, kind: LineKind) -> Match[str] | None:
        """The message, if it is of this kind."""
        if self.is_stamped:
            return kind.pattern.match(self.text)
        found = kind.pattern.search(self.text) if kind.needle in self.text else None
        return found if found is not None and _is_head(self.text[: found.start()]) else None

    def server_of(self, found: Match[str]) -> str:
        """The name of the server whose message was found."""
        return self.server or ("" if self.is_stamped else _name(self.text[: found.start()]))


def read_line(number: int, raw: bytes) -> Line:
    """The parts of a line."""
    text = raw.decode("utf-8", "replace").lstrip("\ufeff")
    text, server = _unwrapped(text.rstrip("\r\n"))
    text = _ESCAPES.sub("", text).rpartition("\r")[2]  # a progress bar draws over itself
    stamped = _STAMP.search(text[: 2 * MAX_HEAD])
    if stamped is None or not _is_head(text[: stamped.start()]):
        return Line(number, server, "", "", text, is_stamped=False)
    return Line(
        number,
        server or _name(text[: stamped.start()]),
        stamped["stamp"],
        stamped["tags"].strip(),
        text[stamped.end() :],
        is_stamped=True,
    )


def _is_head(head: str) -> bool:
    return len(head) <= MAX_HEAD and _HEAD.match(head) is not None


def _name(head: str) -> str:
    """What a head says beside the time: it is the same in all lines of a server."""
    if "%" in head:  # a progress bar that was not ended
        return ""
    return " ".join(_NOISE.sub(" ", head).strip(_EDGES).split())[:MAX_NAME]


def _unwrapped(text: str) -> tuple[str, str]:
    """The message of a line that a collector wrote as JSON, and the name that it gives."""
    if not text.startswith("{"):
        return text, ""
    try:
        row = json.loads(text)
    except (ValueError, RecursionError):
        return text, ""
    message = next((row[key] for key in _MESSAGE_KEYS if isinstance(row.get(key), str)), text)
    server = next((row[key] for key in _SERVER_KEYS if isinstance(row.get(key), str)), "")
    return message.rstrip("\r\n"), server[:MAX_NAME]
