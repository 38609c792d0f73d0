"""The arguments: those of servelint are taken out, all others are the audit's own.

What the audit is asked is read once more here, by the same rules of abbreviation, so that an
option that would lead it past our records is seen in every spelling.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass, replace

from servelint_pip_audit.errors import AuditError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import NoReturn

NONE = "none"
"""The upstream of an audit that asks nobody but us."""

PREFIX = "--servelint-"

OPTIONS = {
    "upstream": "URL|none",
    "assume": "auto|disaggregated|single",
    "images": "",
    "root": "DIR",
}
"""Our options, without prefix, with what each takes; empty for nothing."""

ASSUMPTIONS = ("auto", "disaggregated", "single")

HELP = """\
Options of servelint, beside all options of {tool}:
  --servelint-upstream URL|none
                        the OSV to ask besides servelint's own records; `none` asks nobody
                        (default: the one that pip-audit asks)
  --servelint-assume auto|disaggregated|single
                        what to take servers for where the repository does not tell
                        (default: auto, which reports what cannot be excluded)
  --servelint-images    audit the versions in the images of the repository, too (pip-audit
                        only: alone, or with --locked DIR)
  --servelint-root DIR  the repository to read (default: where .git is)

"""

_VALUED = (
    *("-r --requirement", "-f --format", "-o --output", "--cache-dir", "--progress-spinner"),
    *("--timeout", "--path", "--index-url", "--extra-index-url", "--ignore-vuln"),
)
_MAYBE_VALUED = ("--desc", "--aliases")
_SWITCHES = (
    *("-h --help", "-V --version", "-l --local", "--locked", "-d --dry-run", "-S --strict"),
    *("-v --verbose", "--fix", "--require-hashes", "--skip-editable", "--no-deps"),
    "--disable-pip",
)
"""What pip-audit 2.10 takes, as far as it matters how many words belong to an option."""


@dataclass(frozen=True, slots=True)
class Options:
    """What one audit is asked. ``argv`` are the words for the audit itself.

    ``upstream`` is a URL, ``none``, or empty for the default; ``root`` may be empty. ``is_quiet``:
    nothing will be audited (help, version, a dry run).
    """

    argv: tuple[str, ...]
    upstream: str = ""
    assume: str = ASSUMPTIONS[0]
    images: bool = False
    root: str = ""
    is_help: bool = False
    is_quiet: bool = False
    source: Source | None = None

    @property
    def is_exact(self) -> bool:
        """True where nothing is audited but what images hold."""
        return self.images and self.source is not None and not self.source.project


@dataclass(frozen=True, slots=True)
class Source:
    """What pip-audit is to read, as far as it matters here; ``project`` is a directory."""

    project: str = ""
    is_locked: bool = False
    is_other: bool = False


def of_pip_audit(argv: Sequence[str]) -> Options:
    """The options of an audit by pip-audit. Raises :class:`AuditError`."""
    options = _taken(argv)
    asked = _Reader(prog="pip-audit-servelint").read(options.argv)
    for name in ("vulnerability_service", "osv_url"):
        if getattr(asked, name) is not None:
            raise AuditError(
                f"--{name.replace('_', '-')} cannot be chosen here: the audit asks servelint, which"
                " asks the OSV of --servelint-upstream URL|none"
            )
    is_dry = asked.dry_run and not asked.fix
    return replace(
        options,
        is_help=asked.help,
        is_quiet=asked.help or asked.version or is_dry,
        source=Source(
            project=asked.project or "",
            is_locked=asked.locked,
            is_other=bool(asked.requirement or asked.path),
        ),
    )


def of_uv(argv: Sequence[str]) -> Options:
    """The options of an audit by uv, whose options have no short forms. Raises the same."""
    options = _taken(argv)
    for word in options.argv:
        if word.partition("=")[0] in ("--service-url", "--service-format"):
            raise AuditError(
                f"{word.partition('=')[0]} cannot be chosen here: the audit asks servelint, which"
                " asks the OSV of --servelint-upstream URL|none"
            )
    if options.images:
        raise AuditError("--servelint-images is for pip-audit: uv audits what it has locked")
    is_help = any(word in ("-h", "--help") for word in options.argv)
    is_quiet = is_help or any(word in ("-V", "--version") for word in options.argv)
    return replace(options, is_help=is_help, is_quiet=is_quiet)


def _taken(argv: Sequence[str]) -> Options:
    """Our options, taken out of all words up to ``--``."""
    words, rest, values = list(argv), list[str](), dict[str, str]()
    while words and words[0] != "--":
        word = words.pop(0)
        if not word.startswith(PREFIX):
            rest.append(word)
            continue
        name, equals, value = word.removeprefix(PREFIX).partition("=")
        if name not in OPTIONS:
            known = ", ".join(PREFIX + one for one in OPTIONS)
            raise AuditError(f"unknown option {PREFIX}{name:.80}; known are {known}")
        if OPTIONS[name] and not equals:
            value = words.pop(0) if words else ""
        if bool(OPTIONS[name]) != bool(value):
            wanted = OPTIONS[name] or "no value"
            raise AuditError(f"{PREFIX}{name}: expected {wanted}")
        values[name] = value
    assume = values.get("assume", ASSUMPTIONS[0])
    if assume not in ASSUMPTIONS:
        raise AuditError(f"{PREFIX}assume: {assume!r:.80}; expected {OPTIONS['assume']}")
    return Options(
        (*rest, *words),
        values.get("upstream", ""),
        assume,
        "images" in values,
        values.get("root", ""),
    )


class _Reader(argparse.ArgumentParser):
    """Reads words as pip-audit would, abbreviations and joined letters included."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog=prog, add_help=False)
        for names in _SWITCHES:
            self.add_argument(*names.split(), action="store_true")
        for names in _VALUED:
            self.add_argument(*names.split(), action="append")
        for name in _MAYBE_VALUED:
            self.add_argument(name, nargs="?")
        self.add_argument("-s", "--vulnerability-service", nargs="?", const="")
        self.add_argument("--osv-url", nargs="?", const="")
        self.add_argument("project", nargs="?")

    def read(self, words: Sequence[str]) -> argparse.Namespace:
        """What the words say. Words that pip-audit alone may know are left to it."""
        return self.parse_known_args(list(words))[0]

    def error(self, message: str) -> NoReturn:
        raise AuditError(f"pip-audit would refuse this: {message:.200}")


def with_project(options: Options, directory: str) -> tuple[str, ...]:
    """The words that have pip-audit read the lockfiles of another directory."""
    words = options.argv
    source = options.source or Source()
    if not source.project:
        return (*words, "--locked", directory)
    for at in reversed(range(len(words))):
        changed = (*words[:at], directory, *words[at + 1 :])
        if words[at] == source.project and _project(changed) == directory:
            return changed
    raise AuditError("--servelint-images: write the directory after --locked as a word of its own")


def _project(words: Sequence[str]) -> str:
    return _Reader(prog="pip-audit-servelint").read(words).project or ""
