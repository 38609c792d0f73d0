"""The extension of pip-audit and of uv: an audit that knows when a version is affected.

Both auditors ask an OSV. They are run as they are, with the address of one that answers from
the repository and from the upstream together. Nothing of their insides is used.
"""

from __future__ import annotations

from servelint_pip_audit.arguments import HELP, Options, of_pip_audit, of_uv
from servelint_pip_audit.auditing import pip_audit, uv_audit
from servelint_pip_audit.errors import AuditError, Stopped

__all__ = [
    "HELP",
    "AuditError",
    "Options",
    "Stopped",
    "of_pip_audit",
    "of_uv",
    "pip_audit",
    "uv_audit",
]
