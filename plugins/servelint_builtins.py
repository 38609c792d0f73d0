"""What servelint must know of its built-in plugins before it imports them.

Literals only: a run without a relevant file reads nothing else of a plugin.
"""

PLUGINS = ("servelint_sglang",)
"""The modules of the built-in plugins."""

NEEDLES = (
    b"sglang",
    b"SGLang",
    b"SGLANG",
    b"sgl-dev",
    b"disaggregation-mode",
    b"disaggregation_mode",
    b"pd-disaggregation",
)
"""A file that holds one of these can say something about a product that a plugin knows.

Case matters. Package names and prose are found in three spellings, the images
of AMD by their repository, and a file that leaves image and program to others
(values, arguments, a router's command) by the options that make a pair.
"""

DATA_DATE = "2026-11-30"
"""The day (YYYY-MM-DD) up to which the data of the built-in plugins was gathered."""
