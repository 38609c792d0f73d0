"""Which reader takes which file. The readers themselves are imported when first needed."""

from __future__ import annotations

import re

MODULES = {
    "yaml": "servelint.readers.yaml",
    "jinja": "servelint.readers.jinja",
    "shell": "servelint.readers.shell",
    "dotenv": "servelint.readers.dotenv",
    "makefile": "servelint.readers.makefile",
    "requirements": "servelint.readers.requirements",
    "pyproject": "servelint.readers.pyproject",
    "lockfile": "servelint.readers.lockfile",
    "pipfile": "servelint.readers.pipfile",
    "pixi": "servelint.readers.pixi",
    "conda": "servelint.readers.conda",
    "setup-cfg": "servelint.readers.setup_cfg",
    "setup-py": "servelint.readers.setup_py",
    "dockerfile": "servelint.readers.dockerfile",
    "python": "servelint.readers.python",
    "notebook": "servelint.readers.notebook",
    "justfile": "servelint.readers.justfile",
    "procfile": "servelint.readers.procfile",
    "systemd": "servelint.readers.systemd",
    "supervisord": "servelint.readers.supervisord",
    "hcl": "servelint.readers.terraform",
    "markdown": "servelint.readers.markdown",
    "rst": "servelint.readers.markdown",
    "asciidoc": "servelint.readers.markdown",
    "json": "servelint.readers.json_objects",
    "bicep": "servelint.readers.azure",
}
"""Language -> module with a function ``read(source)`` that yields facts, sources and skips."""

_SUFFIXES = {
    ".yaml": "yaml",
    ".yml": "yaml",
    ".sh": "shell",
    ".bash": "shell",
    ".slurm": "shell",
    ".sbatch": "shell",
    ".mk": "makefile",
    ".just": "justfile",
    ".py": "python",
    ".ipynb": "notebook",
    ".tf": "hcl",
    ".tfvars": "hcl",
    ".hcl": "hcl",
    ".nomad": "hcl",
    ".md": "markdown",
    ".mdx": "markdown",
    ".markdown": "markdown",
    ".rst": "rst",
    ".adoc": "asciidoc",
    ".asciidoc": "asciidoc",
    ".json": "json",
    ".bicep": "bicep",
}
_NAMES = {
    "makefile": "makefile",
    "gnumakefile": "makefile",
    "justfile": "justfile",
    ".justfile": "justfile",
    "pyproject.toml": "pyproject",
    "uv.lock": "lockfile",
    "poetry.lock": "lockfile",
    "pdm.lock": "lockfile",
    "pixi.lock": "lockfile",
    "pipfile.lock": "lockfile",
    "pipfile": "pipfile",
    "pixi.toml": "pixi",
    "setup.cfg": "setup-cfg",
    "tox.ini": "setup-cfg",
    "setup.py": "setup-py",
}
UNREAD = (
    *("go", "rs", "c", "cc", "cpp", "h", "hpp", "cu", "cuh", "java", "js", "jsx", "ts", "tsx"),
    *("css", "html", "svg", "csv", "tsv", "jsonl", "png", "jpg", "gif", "pdf", "proto"),
    *("pyi", "patch", "log"),
)
"""Suffixes that no reader takes: the search for relevant files leaves them out."""

_OTHERS = "|".join(
    (*UNREAD, *(suffix[1:] for suffix in _SUFFIXES), "dockerignore", "toml", "txt", "bak", "orig")
)
"""Suffixes that make of ``Dockerfile.x`` something about a Dockerfile."""

_PATTERNS = (
    (r"(.*[-_.])?(requirements|constraints)([-_.].*)?\.(txt|in)", "requirements"),
    (r"pylock(\..+)?\.toml", "lockfile"),
    (r"(.*[-_.])?conda-lock\.ya?ml", "lockfile"),
    (r"(.*[-_.])?(conda|environment|conda[-_]env)([-_.].*)?\.ya?ml", "conda"),
    (
        rf"(?!.*\.({_OTHERS})\Z)((docker|container)file([-._].*)?|.*[-._](docker|container)file)",
        "dockerfile",
    ),
    (rf"procfile(?!.*\.({_OTHERS})\Z)([-._].*)?", "procfile"),
    (r".+\.(service|container)", "systemd"),
    (r".+\.ya?ml\.(example|sample|dist)", "yaml"),
    (r"((package|composer|npm-shrinkwrap)(-lock)?|servelint-baseline)\.json", ""),
    (r"\.env([-._].*)?|.+\.env", "dotenv"),
)
"""Compiled when first used: most runs have no name to compare."""


_NO_ENVIRONMENTS = ("workflows", "templates")
"""Directories in which ``conda.yml`` or ``environment.yaml`` is none of conda."""

_TEMPLATED = ("yaml", "dockerfile")
_UNTOLD = dict.fromkeys(("", "shell", "shebang"), "jinja")
"""Languages of templates whose own reader takes them, and those that wait for the text."""

_TEMPLATES = frozenset({"j2", "jinja", "jinja2"})


def unwrapped(path: str) -> str:
    """The path of what a template of the Jinja family makes; empty for another file."""
    made, dot, suffix = path.rpartition(".")
    return made if dot and suffix.lower() in _TEMPLATES else ""


def claim(path: str) -> str:
    """The language of a file by its name, or empty when no reader takes it.

    ``"shebang"`` means that the first line decides: see :func:`claim_text`.
    """
    if made := unwrapped(path):
        inner = claim(made)
        return inner if inner in _TEMPLATED else _UNTOLD.get(inner, "")
    directory, _, name = path.lower().rpartition("/")
    if name in _NAMES:
        return _NAMES[name]
    for pattern, language in _PATTERNS:
        if re.fullmatch(pattern, name):
            is_other = language == "conda" and directory.endswith(_NO_ENVIRONMENTS)
            return "yaml" if is_other else language
    stem, dot, suffix = name.rpartition(".")
    if dot and suffix in ("conf", "ini"):
        return "supervisord" if "supervisor" in path.lower() else ""
    if dot and stem:
        inside = directory.rpartition("/")[2] == "requirements" and suffix in ("txt", "in")
        return "requirements" if inside else _SUFFIXES.get(dot + suffix, "")
    return "" if dot else "shebang"


FIRST_LINE = 200
"""Characters in which a script names its interpreter."""

_SHELL_LINE = (
    r"#![ \t]*(?:\S*/)?"
    r"(?:(?:env|busybox)(?:[ \t]+(?:-\S+|\w+=\S*))*[ \t]+(?:\S*/)?)?"
    r"(?:a|ba|da|k|mk|z)?sh(?:\s|\Z)"
)


def claim_text(language: str, text: str) -> str:
    """The language once the text is known, of which the first line is enough."""
    if language != "shebang":
        return language
    return "shell" if re.match(_SHELL_LINE, text[:FIRST_LINE]) else ""
