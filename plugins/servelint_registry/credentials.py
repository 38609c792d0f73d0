"""Who we are to a registry: the Docker configuration, its helpers, and the two challenges.

``oras`` looks into the configuration and exchanges credentials for tokens. What it
leaves open is closed here: credentials go over https only, a helper has a time limit, a
registry may ask for plain basic authentication, DOCKER_CONFIG is honoured.
"""

from __future__ import annotations

import base64
import binascii
import json
import os
import re
import subprocess

from oras.auth.token import TokenAuth
from oras.auth.utils import authHeader, get_basic_auth, parse_auth_header

from servelint_registry.address import HUB, HUB_KEY, host_of, is_loopback
from servelint_registry.errors import Problem, RegistryError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    import requests

    from servelint_registry.address import Address
    from servelint_registry.transport import Session

HELPER_SECONDS = 20.0
LARGEST_CONFIG = 1_000_000
LONGEST_CHALLENGE = 4_000
"""Characters: what takes a challenge apart needs the square of its length."""

TOKEN_USER = "<token>"  # noqa: S105  # it marks a secret that is one
"""The user name by which helpers say that the secret is an identity token."""


class Credentials(TokenAuth):  # type: ignore[misc]  # oras ships no types
    """The credentials for one registry, as far as they were asked for."""

    def __init__(self, address: Address, session: Session) -> None:
        super().__init__()
        self.session = session
        self.prefix = "https"
        self._tls_verify = True
        self._address = address
        self._may_tell = address.is_local or address.origin.startswith("https:")
        self._identity = ""
        self._is_basic = False
        self._is_loaded = False

    def header(self) -> dict[str, str]:
        """What to send along: nothing before the registry asked."""
        if self._is_basic:
            return {"Authorization": f"Basic {self._basic_auth}"}
        header: dict[str, str] = self.get_auth_header()
        return header

    def answer(self, response: requests.Response) -> bool:
        """True when the challenge of an answer could be met: :meth:`header` then holds it."""
        self._load()
        self.token = None
        challenge = response.headers.get("Www-Authenticate", "")
        if len(challenge) > LONGEST_CHALLENGE:
            raise Problem("asks for credentials at great length")
        if not re.search(r"\bbearer\b", challenge, re.IGNORECASE):
            was_basic, self._is_basic = self._is_basic, self._knows_basic(challenge)
            return self._is_basic and not was_basic
        header = parse_auth_header(challenge)
        self._check_realm(header)
        try:
            self.token = self._exchange(header)
        except (ValueError, AttributeError):
            raise Problem("has a token service that answers with something else") from None
        return bool(self.token)

    @property
    def has_any(self) -> bool:
        """True when the Docker configuration knows this registry."""
        return bool(getattr(self, "_basic_auth", "") or self._identity)

    def _knows_basic(self, challenge: str) -> bool:
        known = bool(getattr(self, "_basic_auth", "")) and not self._identity
        return known and "basic" in challenge.lower()

    def _exchange(self, header: authHeader) -> str | None:
        if self._identity:
            return self._refreshed(header)
        known = bool(getattr(self, "_basic_auth", ""))
        token = self.request_token(header) if known else self.request_anonymous_token(header)
        return token if isinstance(token, str) and token.isascii() and token.isprintable() else None

    def _refreshed(self, header: authHeader) -> str | None:
        """A token for an identity token, which oras does not know."""
        form = {
            "grant_type": "refresh_token",
            "client_id": "servelint",
            "service": header.service or "",
            "scope": header.scope or "",
            "refresh_token": self._identity,
        }
        response = self.session.request("POST", header.realm, data=form)
        if response.status_code != 200:
            return None
        token = response.json().get("access_token")
        return token if isinstance(token, str) else None

    def _check_realm(self, header: authHeader) -> None:
        """A token service elsewhere is ordinary; one without https would see the credentials."""
        realm = header.realm or ""
        local = self._address.is_local and is_loopback(host_of(realm))
        if not realm.startswith("https://") and not (local and realm.startswith("http://")):
            raise Problem("names a token service that is not https")

    def _load(self) -> None:
        if self._is_loaded or not self._may_tell:
            return
        self._is_loaded = True
        self._auth_config = read_config(os.environ)
        for name in _names(self._address):
            identity = self._auth_config["auths"].get(name, {}).get("identitytoken")
            if isinstance(identity, str) and identity:
                self._identity = identity
            if self._identity or self._load_auth(name):
                return

    def _get_auth_from_creds_store(self, suffix: str, hostname: str) -> str | None:
        """What a helper knows, for :meth:`_load_auth`: with a time limit, and without a log."""
        if not re.fullmatch(r"[\w.-]+", suffix):
            raise Problem("has a credential helper with no proper name in the Docker configuration")
        try:
            done = subprocess.run(  # noqa: S603  # its name is letters, digits and the like
                [f"docker-credential-{suffix}", "get"],
                input=hostname.encode(),
                capture_output=True,
                check=True,
                timeout=HELPER_SECONDS,
            )
            user, secret = _login(json.loads(done.stdout))
        except subprocess.CalledProcessError:
            return None  # It does not know the registry.
        except (OSError, ValueError, subprocess.TimeoutExpired):
            raise Problem(
                f"needs the credential helper docker-credential-{suffix}, which did not work"
            ) from None
        if user == TOKEN_USER:
            self._identity = secret
        basic: str = get_basic_auth(user, secret)
        return basic


def _login(found: Any) -> tuple[str, str]:
    """User and secret of what a helper printed. Raises ValueError."""
    pair = (found.get("Username"), found.get("Secret")) if isinstance(found, dict) else (None, None)
    if not all(isinstance(one, str) for one in pair):
        raise ValueError("no credentials")
    return str(pair[0]), str(pair[1])


def _names(address: Address) -> tuple[str, ...]:
    """The keys under which a configuration may know a registry, the usual one first."""
    if address.registry == HUB:
        return (HUB_KEY, HUB)
    host = address.registry
    return (host, f"https://{host}", f"https://{host}/v1/", f"https://{host}/v2/")


def read_config(environ: Any) -> dict[str, Any]:
    """The parts of the Docker configuration that oras wants; none where there is no file.

    Raises :class:`RegistryError` for a file that is damaged.
    """
    folder = environ.get("DOCKER_CONFIG") or os.path.join(os.path.expanduser("~"), ".docker")
    path = os.path.join(folder, "config.json")
    try:
        with open(path, "rb") as file:
            found = json.loads(file.read(LARGEST_CONFIG))
    except FileNotFoundError:
        found = {}
    except (OSError, ValueError, RecursionError):
        raise RegistryError(f"the Docker configuration {path} cannot be read") from None
    table = found if isinstance(found, dict) else {}
    auths = {name: row for name, row in _dict(table, "auths").items() if _is_login(row)}
    helpers = {n: one for n, one in _dict(table, "credHelpers").items() if isinstance(one, str)}
    store = table.get("credsStore")
    return {
        "auths": auths,
        "credHelpers": helpers,
        "credsStore": store if isinstance(store, str) else "",
    }


def _dict(table: dict[str, Any], key: str) -> dict[str, Any]:
    value = table.get(key)
    return value if isinstance(value, dict) else {}


def _is_login(row: Any) -> bool:
    """True for a table whose credentials, if any, are what a header can carry."""
    if not isinstance(row, dict):
        return False
    text = row.get("auth", "")
    try:
        base64.b64decode(text, validate=True)
    except (binascii.Error, TypeError, ValueError):
        return False
    return True
