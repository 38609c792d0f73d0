"""Go templates as Helm renders them, with every character traced to where it is written.

The way to use it::

    chart = Chart("name", values, meta, {"templates/a.yaml": source, ...}, files, subcharts)
    engine = Engine(chart)                      # or Engine(chart, Release(...), parsed)
    for problem in engine.problems: ...         # files that cannot be parsed
    for name in engine.names:                   # Helm's names: "name/templates/a.yaml"
        try:
            results = engine.render(name, owner, variant)
        except TemplateProblem as problem:      # problem.reason is that of a Skip
            ...                                 # problem.detail, .offset, .path, .is_wanted
        for result in results:
            result.source                       # woven YAML, ready to be read
            result.untaken                      # what of the template is off in this rendering
            result.assumed                      # conditions that nobody knows, and how taken
            result.is_cut                       # more ways than were tried

``engine.names`` holds every file that Helm renders, ``NOTES.txt`` too; ``engine.source(name)`` is
its text. The values of a :class:`Chart` are merged by the caller: defaults, overrides and, for a
subchart, ``global``. Several engines for one chart share what was parsed by being given one dict as
``parsed``.

In a woven source a character outside of actions stands for itself. What an action gave stands at
the action, with the place where it is written as its ``leaf``: the scalar of the values file, the
literal in the template. What cannot be known stands between the signs of
:data:`~servelint.syntax.interpolation.HOLE`.

:func:`~servelint.syntax.gotemplate.mask.masked` is the other way to read a template: all its
branches at once, as YAML in which actions are blank or words, at their own offsets.
"""

from __future__ import annotations

from servelint.syntax.gotemplate.charts import Chart, Release
from servelint.syntax.gotemplate.engine import Engine, Parsed, Rendered
from servelint.syntax.gotemplate.problems import TemplateProblem, TooDeep, TooSlow

__all__ = [
    "Chart",
    "Engine",
    "Parsed",
    "Release",
    "Rendered",
    "TemplateProblem",
    "TooDeep",
    "TooSlow",
]
