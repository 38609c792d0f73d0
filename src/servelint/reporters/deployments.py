"""What a repository would run: deployments, their components and versions, and their links."""

from __future__ import annotations

from servelint.reporters import version_texts
from servelint.reporters.lines import Files, fold, safe

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from servelint.deployment import Component, Deployment
    from servelint.finding import Report
    from servelint.source import Span
    from servelint.verdict import Standing


def report(report: Report) -> str:
    """Text: one paragraph a deployment, one line a component, then the evidence of its version."""
    decided = {standing.component: standing for standing in report.standings}
    files = Files(report.texts)
    blocks = [_deployment(each, decided, files) for each in report.deployments]
    return "\n".join("\n".join(block) + "\n" for block in blocks)


def _deployment(
    deployment: Deployment, decided: dict[Component, Standing], files: Files
) -> Iterator[str]:
    links = ", ".join(deployment.links) or "stands alone"
    yield safe(fold(f"deployment of {len(deployment.components)} ({links})"))
    for component in deployment.components:
        standing = decided[component]
        launch = _where(component.invocation.launch.span, files)
        said = f"{launch}: {_described(component)}: {standing.status}, {standing.why}"
        yield f"  {safe(fold(said))}"
        for place in component.resolution.evidence:
            yield f"    {safe(fold(f'{place.label} {_where(place.span, files)}: {place.text}'))}"


def _described(component: Component) -> str:
    names = {"none": "", "unknown": "(role unknown) "}
    role = names.get(component.role, f"{component.role} ")
    variant = f" in {component.variant}" if component.variant else ""
    resolution = component.resolution
    version = " or ".join(version_texts(resolution)) or f"version unknown ({resolution.reason})"
    via = f" via {resolution.via}" if resolution.via else ""
    return f"{component.engine.id} {role}{component.kind}{variant}, {version}{via}"


def _where(span: Span, files: Files) -> str:
    at = files.position(span.path, span.start)
    return f"{span.path}:{at.line}:{at.column}" if at else span.path
