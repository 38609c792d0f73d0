"""Asks an OSV endpoint whether a public record of an advisory exists by now."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from urllib.parse import urlsplit

from servelint.config import ConfigError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

    from servelint.advisory import Advisory

SECONDS = 20.0
"""How long an endpoint may take for one answer."""

MAX_ANSWER = 50_000_000
"""Bytes of one answer."""

MAX_PAGES = 50


def ask(endpoint: str, package: str) -> tuple[Mapping[str, Any], ...]:
    """All records of a package. Raises :class:`ConfigError` with one sentence."""
    parts = urlsplit(endpoint)
    if parts.scheme not in ("http", "https") or not parts.netloc:
        raise ConfigError(f"{endpoint!r:.80}: expected the http address of an OSV endpoint")
    url = f"{endpoint.rstrip('/')}/v1/query"
    found: list[Mapping[str, Any]] = []
    query: dict[str, Any] = {"package": {"name": package, "ecosystem": "PyPI"}}
    for _ in range(MAX_PAGES):
        answer = _post(url, query)
        found.extend(one for one in answer.get("vulns", ()) if isinstance(one, dict))
        token = answer.get("next_page_token")
        if not token:
            return tuple(found)
        query["page_token"] = token
    raise ConfigError(f"{_named(url)}: more than {MAX_PAGES} pages of records of {package}")


def _post(url: str, query: Mapping[str, Any]) -> Mapping[str, Any]:
    request = urllib.request.Request(  # noqa: S310  # the scheme was looked at
        url, json.dumps(query).encode(), {"Content-Type": "application/json"}
    )
    try:
        with urllib.request.urlopen(request, timeout=SECONDS) as reply:  # noqa: S310  # as above
            data = reply.read(MAX_ANSWER + 1)
    except urllib.error.HTTPError as error:
        raise ConfigError(f"{_named(url)}: answered {error.code} to a query") from error
    except (OSError, ValueError) as error:
        why = getattr(error, "reason", None) or error
        raise ConfigError(f"{_named(url)}: cannot be asked: {why}") from error
    try:
        answer = json.loads(data) if len(data) <= MAX_ANSWER else None
    except ValueError:
        answer = None
    if not isinstance(answer, dict) or not isinstance(answer.get("vulns", []), list):
        raise ConfigError(f"{_named(url)}: what it answers is no OSV answer")
    return answer


def _named(url: str) -> str:
    """An address without what may be secret in it."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"


def told(
    advisories: Iterable[Advisory], found: Mapping[str, Sequence[Mapping[str, Any]]]
) -> tuple[str, ...]:
    """A line for each advisory: the record that it has, or could have, or that there is none."""
    return tuple(_line(one, found.get(one.package, ())) for one in advisories)


def _line(advisory: Advisory, records: Sequence[Mapping[str, Any]]) -> str:
    named = [one for one in records if _names(one) & {advisory.id, *advisory.aliases}]
    if named:
        ids = ", ".join(str(one.get("id")) for one in named)
        missing = sorted(set().union(*map(_names, named)) - {advisory.id, *advisory.aliases})
        more = f": alias {', '.join(missing)}" if missing else ""
        return f"{advisory.id}: recorded as {ids}{more}"
    linked = [one for one in records if _links(one) & set(advisory.references)]
    if linked:
        ids = ", ".join(str(one.get("id")) for one in linked)
        return f"{advisory.id}: a record names the same sources: alias {ids} if it is the same"
    return f"{advisory.id}: no record"


def _names(record: Mapping[str, Any]) -> set[str]:
    aliases = record.get("aliases", ())
    return {str(record.get("id")), *(str(one) for one in aliases if isinstance(aliases, list))}


def _links(record: Mapping[str, Any]) -> set[str]:
    references = record.get("references", ())
    rows = references if isinstance(references, list) else ()
    return {str(one.get("url")) for one in rows if isinstance(one, dict)}
