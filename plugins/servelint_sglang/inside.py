"""What an image shows of SGLang from the inside, as the core wants it."""

from __future__ import annotations

from servelint.api import Inside, Marker
from servelint_sglang.tables import inside_table

LISTS = (
    *("packages", "forks", "version_files", "trees", "version_names", "commit_names"),
    *("tag_names", "build_args", "forms", "home_values"),
)


def load_inside() -> Inside:
    """All that ``inside.toml`` holds. Raises what a damaged data file raises."""
    table = inside_table()
    return Inside(
        **{name: tuple(table[name]) for name in LISTS},
        module=table["module"],
        voiding_args=dict(table["voiding_args"]),
        markers=tuple(Marker(**row) for row in table["marker"]),
        newest=table["newest"],
        checked=table["checked"],
        oldest=table["oldest"],
    )
