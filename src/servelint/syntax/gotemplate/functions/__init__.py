"""The functions that templates call, by their names: Go's own, sprig's and Helm's.

``include``, ``tpl``, ``and`` and ``or`` are the evaluator's. What depends on a cluster, on time or
on chance stands in no table, and so is unknown.
"""

from __future__ import annotations

from servelint.syntax.gotemplate.functions import (
    comparing,
    encoding,
    lists,
    maps,
    numeric,
    paths,
    patterns,
    reading,
    strings,
    trimming,
    types,
    versions,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from servelint.syntax.gotemplate.signature import Function

FUNCTIONS: dict[str, Function] = {
    **comparing.TABLE,
    **encoding.TABLE,
    **lists.TABLE,
    **maps.TABLE,
    **numeric.TABLE,
    **paths.TABLE,
    **patterns.TABLE,
    **reading.TABLE,
    **strings.TABLE,
    **trimming.TABLE,
    **types.TABLE,
    **versions.TABLE,
}

FILLED = frozenset(
    {
        *("now", "date", "dateInZone", "htmlDate", "unixEpoch", "uuidv4", "genPrivateKey"),
        *("htpasswd", "bcrypt", "derivePassword"),
        *("randAlphaNum", "randAlpha", "randNumeric", "randAscii", "randBytes", "randInt"),
    }
)
"""Functions whose values nobody can know but that they are not empty."""

CERTIFICATES = frozenset(
    {
        *("genCA", "genCAWithKey", "genSelfSignedCert", "genSelfSignedCertWithKey"),
        *("genSignedCert", "genSignedCertWithKey"),
    }
)
"""Functions that make a certificate and its key."""
