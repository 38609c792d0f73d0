"""What servelint says: findings, skips and the report.

Every run imports this module, also one that has nothing to say: what only a judgement needs stands
in :mod:`servelint.verdict`.
"""

from __future__ import annotations

from dataclasses import dataclass, field

TYPE_CHECKING = False
if TYPE_CHECKING:
    from servelint.deployment import Component, Deployment
    from servelint.policy import Suppressed
    from servelint.source import Span
    from servelint.verdict import Place, Standing, Verdict

STAGES = ("discover", "read", "bind", "resolve", "link", "judge")
"""The verbs that can leave something out. Closed: additions go with the changelog."""

SKIP_REASONS = frozenset(
    {
        "unreadable",
        "binary",
        "encoding",
        "too-large",
        "too-deep",
        "too-slow",
        "syntax",
        "template",
        "outside-root",
        "remote",
        "plugin-error",
    }
)
"""Why something was left out. Closed: additions go with the changelog."""

SEVERITIES = ("critical", "high", "medium", "low", "note")
"""Worst first."""

STATUSES = ("affected", "under_investigation", "fixed", "not_affected")
"""What a verdict may be, in the words of VEX; worst first."""

COUNTS = (
    *("files", "relevant", "components", "affected", "unknown", "not_affected", "fixed"),
    *("skipped", "suppressed"),
)
"""The numbers that every report gives."""

CONFIDENCES = ("high", "medium", "low")
"""Surest first."""


@dataclass(frozen=True, slots=True)
class Skip:
    """Something that was not read or not decided, and why."""

    path: str
    stage: str
    reason: str
    detail: str = ""
    span: Span | None = None


@dataclass(frozen=True, slots=True)
class Finding:
    """Verdicts with one cause.

    ``primary`` is the place to edit; ``related`` all others. ``context`` is
    deployment, docs, example or test. ``remedy`` says what to do.
    """

    id: str
    causes: tuple[str, ...]
    title: str
    status: str
    severity: str
    confidence: str
    context: str
    message: str
    remedy: str
    primary: Place
    related: tuple[Place, ...]
    components: tuple[Component, ...]
    fingerprint: str
    fixes: tuple[str, ...] = ()

    def places(self) -> tuple[Place, ...]:
        """Every place on the value route of the finding."""
        return (self.primary, *self.related)


@dataclass(frozen=True, slots=True)
class Report:
    """One run, ready for any reporter.

    ``counts`` are the numbers of the last line (files, relevant, components,
    affected, unknown, not_affected, fixed, skipped, suppressed), ``standings``
    what was decided of every component, ``texts`` the files that were read. ``suppressed``
    are the findings, and the parts of findings, that somebody asked not to be told:
    its length is the count of that name.
    ``named`` says that names were given to filter by, ``notes`` are sentences about
    the limits of the data, ``verdicts`` what each advisory and rule says of each
    component that is shown.
    """

    findings: tuple[Finding, ...] = ()
    deployments: tuple[Deployment, ...] = ()
    standings: tuple[Standing, ...] = ()
    skips: tuple[Skip, ...] = ()
    counts: dict[str, int] = field(default_factory=dict)
    data_date: str = ""
    seconds: float = 0.0
    texts: dict[str, str] = field(default_factory=dict)
    named: bool = False
    notes: tuple[str, ...] = ()
    verdicts: tuple[Verdict, ...] = ()
    suppressed: tuple[Suppressed, ...] = ()
