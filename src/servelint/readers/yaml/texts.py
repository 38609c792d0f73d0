"""Texts in another language that fields of known names hold."""

from __future__ import annotations

import re

from servelint.syntax.yaml import Mapping, Scalar, Sequence, deref, fields

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from servelint.readers.yaml.site import Site
    from servelint.source import Source

YAML_KEYS = ("serveConfigV2", "runtimeEnvYAML")
"""Fields that hold YAML in a string."""

SOURCE = "source"
"""The field of a step that holds its program, given to the command as a file."""

_LANGUAGES = (
    (re.compile(r"(?:.*/)?(?:ba|da|z|k|a)?sh\Z"), "shell"),
    (re.compile(r"(?:.*/)?python[\d.]*\Z"), "python"),
)


def texts(site: Site) -> Iterator[Source]:
    """The texts of a mapping that are neither a command nor a script of a shell."""
    for key in YAML_KEYS:
        text = _scalar(site, key)
        if text is not None and "\n" in text.value:
            yield site.embedded(text, "yaml", site.route.child(key))
    program = _scalar(site, SOURCE)
    if program is not None and "image" in site.fields:
        language = _language(site)
        if language:
            yield site.embedded(program, language, site.route.child(SOURCE))
    is_runtime = site.route.steps[-1:] == ("runtime_env",)
    if (is_runtime or site.route.steps[-2:-1] == ("runtimeEnvYAML",)) and "pip" in site.fields:
        yield from _packages(site)


def _scalar(site: Site, key: str) -> Scalar | None:
    target = deref(site.fields[key].value)[0] if key in site.fields else None
    return target if isinstance(target, Scalar) else None


def _language(site: Site) -> str:
    """The language of a program by the command that runs it; a shell where there is none."""
    target = deref(site.fields["command"].value)[0] if "command" in site.fields else None
    if target is None:
        return "shell"
    first = deref(target.items[0])[0] if isinstance(target, Sequence) and target.items else target
    word = first.value if isinstance(first, Scalar) else ""
    return next((name for pattern, name in _LANGUAGES if pattern.match(word)), "")


def _packages(site: Site) -> Iterator[Source]:
    """What a runtime environment installs, one requirement a line."""
    target, _ = deref(site.fields["pip"].value)
    if isinstance(target, Mapping) and "packages" in fields(target):
        target, _ = deref(fields(target)["packages"].value)
    for number, item in enumerate(target.items if isinstance(target, Sequence) else ()):
        text, _ = deref(item)
        if isinstance(text, Scalar):
            yield site.embedded(text, "requirements", site.route.child("pip", number))
