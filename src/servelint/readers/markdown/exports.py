"""Variables that one block of a page sets and a later one sees."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from servelint.facts import Env
from servelint.value import known, one_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from servelint.source import Source, Span
    from servelint.value import Value

MAX_SEEN = 100
"""Variables that are handed to one block."""

_SETTING = re.compile(
    r"^(?P<export>export[ \t]+)?(?P<name>[A-Za-z_]\w*)="
    r"(?:\"(?P<double>[^\"`$\\\n]*)\"|'(?P<single>[^'\n]*)'|(?P<bare>[^\s\"'`$;&|<>()\\]*))"
    r"[ \t]*(?:#.*)?$",
    re.MULTILINE,
)
_ONLY_SETS = re.compile(r"[ \t]*(?:export[ \t]|unset[ \t]|[A-Za-z_]\w*=|\#|$)")
_NAME = re.compile(r"\$\{?([A-Za-z_]\w*)")


@dataclass(frozen=True, slots=True)
class _Setting:
    """One assignment. ``shared`` for a product's own, in a block that does nothing but export.

    What stands beside a launch may be meant for the host of that launch only.
    """

    value: Value
    span: Span
    shared: bool


@dataclass(slots=True)
class Exports:
    """The variables that the blocks up to here have set, in plain words."""

    page: Source
    _set: dict[str, list[_Setting]] = field(default_factory=dict)

    def add(self, block: Source) -> None:
        """Take over the assignments of a block for a shell, each alone on its line."""
        if block.language != "shell":
            return
        is_shared = all(map(_ONLY_SETS.match, block.text.splitlines()))
        for match in _SETTING.finditer(block.text):
            kind = next(one for one in ("double", "single", "bare") if match[one] is not None)
            value = known(match[kind], block.span(*match.span(kind)))
            is_own = any(one in match["name"] for one in block.needles)
            shared = is_shared and is_own and match["export"] is not None
            setting = _Setting(value, block.span(match.start("name"), match.end(kind)), shared)
            self._set.setdefault(match["name"], []).append(setting)

    def seen_by(self, block: Source) -> Iterator[Env]:
        """The variables that a block names, and those of products that are set for all.

        Of several settings any may be the one that holds.
        """
        named = set(_NAME.findall(block.text))
        count = 0
        for name, settings in self._set.items():
            if not (name in named or any(one.shared for one in settings)):
                continue
            count += 1
            if count > MAX_SEEN:
                return
            last = settings[-1]
            value = one_of((one.value for one in settings), last.value.span)
            yield Env(span=last.span, owner=block.owner, name=name, value=value)
