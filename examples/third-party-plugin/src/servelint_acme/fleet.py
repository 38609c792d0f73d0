"""The reader of fleet files: YAML with a list of servers below the key ``acme-fleet``.

A server is a ``release`` and ``options``, which are those of the command line.
"""

from __future__ import annotations

from servelint.api import (
    Image,
    Launch,
    Leaf,
    Table,
    concat,
    interpolate,
    known,
    yaml_tables,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from servelint.api import Fact, Route, Source

KEY = "acme-fleet"


def read(source: Source) -> Iterator[Fact]:
    """The image and the options of each server. Never raises, whatever the text."""
    for number, document in yaml_tables(source):
        servers = document.get(KEY)
        for index, server in enumerate(servers if isinstance(servers, tuple) else ()):
            if isinstance(server, Table):
                yield from _server(server, source.owner.child(number, KEY, index))


def _server(server: Table, owner: Route) -> Iterator[Fact]:
    release, options = server.get("release"), server.get("options")
    if isinstance(release, Leaf):
        version = interpolate(release.source)
        image = concat((known("acme/server:", version.span), version), version.span)
        yield Image(span=version.span, owner=owner, reference=image)
    if not isinstance(options, Table) or not options.members:
        return
    first = next(iter(options.members.values())).key
    place = first.source.span(0, len(first.text))
    words = [known("acme-server", place)]
    for member in options.members.values():
        words.append(known(f"--{member.key.text}", member.key.source.span(0, len(member.key.text))))
        if isinstance(member.value, Leaf):
            words.append(interpolate(member.value.source))
    yield Launch(
        span=place,
        owner=owner,
        argv=tuple(words),
        container=True,
        engine="acme",
        form="options",
    )
