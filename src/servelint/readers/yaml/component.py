"""What one YAML mapping says of a component: its images, its environment, its command."""

from __future__ import annotations

import re

from servelint.facts import Launch
from servelint.readers.yaml.ansible import is_read, task
from servelint.readers.yaml.builds import builds, describes_build
from servelint.readers.yaml.dialect import ANSIBLE, WORKFLOW
from servelint.readers.yaml.environment import environment
from servelint.readers.yaml.images import images
from servelint.readers.yaml.texts import texts
from servelint.readers.yaml.workflow import names_image, workflow
from servelint.source import Route, Segment, Source, Span
from servelint.syntax.jinja_signs import revealed
from servelint.syntax.words import split_words
from servelint.syntax.yaml import Field, Node, Scalar, Sequence, deref, segments

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from servelint.facts import Fact
    from servelint.readers.yaml.site import Site
    from servelint.value import Value

SCRIPT_KEYS = (
    *("commands", "run", "script", "setup", "cmd", "before_script", "start_command", "inline"),
    *("user_data", "startup_script", "metadata_startup_script", "startup-script"),
)
"""Keys whose text is given to a shell, all of a list in one."""

_NO_SCRIPT = "#cloud-config"
"""What a machine may be given at its start in place of a script begins so."""

_SHELL = re.compile(r"(?:.*/)?(?:ba|da|z|k|a)?sh\Z")
_VALUE_FLAG = re.compile(r"[-+][A-Za-z]*[oO]\Z|--(?:rcfile|init-file)\Z")
_SHELL_FLAG = re.compile(r"-[a-zA-Z]*c[a-zA-Z]*\Z")


def component(site: Site) -> Iterator[Fact | Source]:
    """The facts of one mapping: images, then the environment, then commands."""
    yield from builds(site)
    if describes_build(site):
        return
    if site.dialect == WORKFLOW:
        yield from workflow(site)
    if site.dialect != WORKFLOW or not names_image(site):
        yield from images(site)
    yield from environment(site)
    if site.dialect == ANSIBLE:
        yield from task(site)
        if is_read(site):
            return
    yield from texts(site)
    yield from _command(site)
    for key in SCRIPT_KEYS:
        if key in site.fields:
            yield from _script(site, key, site.fields[key])


# -- commands -------------------------------------------------------------


def _command(site: Site) -> Iterator[Launch | Source]:
    """``command`` and ``args``, or ``entrypoint`` and ``command``: one list of words."""
    keys = [key for key in ("entrypoint", "entryPoint", "command", "args") if key in site.fields]
    if not keys:
        return
    nodes = [deref(site.fields[key].value)[0] for key in keys]
    if len(nodes) == 1 and isinstance(nodes[0], Scalar):
        yield site.embedded(nodes[0], "shell", site.route.child(keys[0]))
        return
    items = [item for node in nodes for item in _items(node)]
    is_text = [isinstance(node, Scalar) for node in nodes for _ in _items(node)]
    script = _script_index(items)
    if script is not None:
        text = deref(items[script])[0]
        if isinstance(text, Scalar):
            yield site.embedded(text, "shell", site.route.child("command"))
        return
    block = _block(items[0]) if len(items) == 1 else None
    if block is not None:
        yield site.embedded(block, "shell", site.route.child("command"))
        return
    argv: list[Value] = []
    for item, is_line in zip(items, is_text, strict=True):
        argv.extend(_words(site, item, splits=is_line or _block(item) is not None))
    if argv:
        # Words of an overlay may stand in several files.
        spans = [word.span for word in argv if word.span.path == argv[0].span.path]
        span = Span(spans[0].path, min(s.start for s in spans), max(s.end for s in spans))
        yield Launch(span=span, owner=site.route, argv=tuple(argv), container=True)


def _words(site: Site, node: Node, *, splits: bool) -> Iterator[Value]:
    """One word an item; ``- --flag value`` is two, as its author meant it."""
    target, aliases = deref(node)
    value = site.value(node)
    if value is None:
        return
    splits = splits or (not aliases and _is_flag_and_value(value))
    if isinstance(target, Scalar) and splits:
        yield from split_words(site.embedded(target, "text", site.route))
    else:
        yield value


def _script(site: Site, key: str, entry: Field) -> Iterator[Source]:
    target, _ = deref(entry.value)
    found = [deref(item)[0] for item in _items(target)]
    scalars = [
        text for text in found if isinstance(text, Scalar) and not text.value.startswith(_NO_SCRIPT)
    ]
    if not scalars or _other_shell(site):
        return
    yield _joined(site, scalars, site.route.child(key))


def _other_shell(site: Site) -> bool:
    shell = site.text("shell")
    return shell is not None and not _SHELL.match(shell.written.partition(" ")[0])


def _joined(site: Site, scalars: list[Scalar], route: Route) -> Source:
    """Several texts that one shell runs in turn."""
    pieces: list[Segment] = []
    text = ""
    for scalar in scalars:
        for piece in segments(site.source.text, scalar):
            start, end = piece.start + len(text), piece.end + len(text)
            pieces.append(Segment(start, end, piece.origin_start, piece.origin_end))
        text += revealed(scalar.value) + "\n"
    child = site.source.embed(text, pieces, "shell", container=True)
    return site.shell(Source(child.path, text, "shell", route, child.origin, container=True))


def _items(node: Node) -> tuple[Node, ...]:
    if isinstance(node, Sequence):
        return node.items
    return (node,) if isinstance(node, Scalar) else ()


def _block(node: Node) -> Scalar | None:
    """An item that is a block scalar of several words: a script, whoever runs it."""
    target, _ = deref(node)
    if isinstance(target, Scalar) and target.style in ("|", ">") and len(target.value.split()) > 1:
        return target
    return None


def _is_flag_and_value(value: Value) -> bool:
    flag, blank, _ = value.written.partition(" ")
    return bool(blank) and flag.startswith("-") and "=" not in flag


def _script_index(items: list[Node]) -> int | None:
    """The index of the text that ``sh -c`` runs, among the words of a command."""
    words = [target.value if isinstance(target, Scalar) else "" for target, _ in map(deref, items)]
    for index, word in enumerate(words):
        if _SHELL.match(word):
            return _behind_flags(words, index + 1)
    return None


def _behind_flags(words: list[str], at: int) -> int | None:
    """The index behind the options of a shell, if one of them says that a text follows."""
    reads_text = False
    while at < len(words) and words[at].startswith(("-", "+")):
        reads_text = reads_text or _SHELL_FLAG.match(words[at]) is not None
        at += 2 if _VALUE_FLAG.match(words[at]) else 1
    return at if reads_text and at < len(words) else None
