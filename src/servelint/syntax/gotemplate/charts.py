"""What a chart gives its templates, and what is supposed of where it is installed."""

from __future__ import annotations

from dataclasses import dataclass, field

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from servelint.source import Source
    from servelint.syntax.yaml_data import Data, Table

DEFAULT_APIS = frozenset(
    {
        "v1",
        *(f"admissionregistration.k8s.io/{one}" for one in ("v1", "v1alpha1", "v1beta1")),
        *(f"apps/{one}" for one in ("v1", "v1beta1", "v1beta2")),
        *(f"authentication.k8s.io/{one}" for one in ("v1", "v1alpha1", "v1beta1")),
        *(f"authorization.k8s.io/{one}" for one in ("v1", "v1beta1")),
        *("autoscaling/v1", "autoscaling/v2", "batch/v1", "batch/v1beta1"),
        *(f"certificates.k8s.io/{one}" for one in ("v1", "v1alpha1", "v1beta1")),
        *(f"coordination.k8s.io/{one}" for one in ("v1", "v1alpha2", "v1beta1")),
        *("discovery.k8s.io/v1", "discovery.k8s.io/v1beta1", "events.k8s.io/v1"),
        *("events.k8s.io/v1beta1", "extensions/v1beta1", "internal.apiserver.k8s.io/v1alpha1"),
        *(f"flowcontrol.apiserver.k8s.io/v1{one}" for one in ("", "beta1", "beta2", "beta3")),
        *("networking.k8s.io/v1", "networking.k8s.io/v1beta1", "policy/v1", "policy/v1beta1"),
        *(f"node.k8s.io/{one}" for one in ("v1", "v1alpha1", "v1beta1")),
        *(f"rbac.authorization.k8s.io/{one}" for one in ("v1", "v1alpha1", "v1beta1")),
        *(f"resource.k8s.io/{one}" for one in ("v1", "v1alpha3", "v1beta1", "v1beta2")),
        *(f"scheduling.k8s.io/{one}" for one in ("v1", "v1alpha2", "v1beta1")),
        *(f"storage.k8s.io/{one}" for one in ("v1", "v1alpha1", "v1beta1")),
        *("storagemigration.k8s.io/v1beta1", "apiextensions.k8s.io/v1"),
        "apiextensions.k8s.io/v1beta1",
    }
)
"""The API versions that ``helm template`` of Helm 4.2 supposes."""


@dataclass(frozen=True, slots=True)
class Release:
    """What is supposed of the release and its cluster.

    ``name`` and ``namespace`` are None where nobody knows them: a hole is written. ``apis`` are all
    that the cluster has; None: those of Kubernetes, and of others nobody knows.
    """

    name: str | None = None
    namespace: str | None = None
    kube_version: str = "v1.36.0"
    helm_version: str = "v4.2"
    apis: frozenset[str] | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Chart:
    """A chart in a tree of charts, as its templates see it.

    ``name`` is that of the tree (an alias for a dependency that has one). ``values`` are what
    ``.Values`` holds: for a subchart its own part, with ``global``; in those of its parent they
    stand below its name. ``meta`` is Chart.yaml.
    ``templates`` and ``files`` are by their paths below the chart (``templates/a.yaml``); files are
    what ``.Files`` gives.
    """

    name: str
    values: Data | None = None
    meta: Table | None = None
    templates: Mapping[str, Source] = field(default_factory=dict)
    files: Mapping[str, Source] = field(default_factory=dict)
    subcharts: tuple[Chart, ...] = ()
