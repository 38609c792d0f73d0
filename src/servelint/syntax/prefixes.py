"""Programs that run another program: where a command line really begins.

``env X=1 nohup python3 server.py`` runs ``python3``. One table says for each
such program which of its options take a value; an option that is not listed
takes none.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from servelint.facts import Text
from servelint.syntax.programs import base_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from servelint.facts import Value

Assignments = list[tuple[str, "Value"]]

_ASSIGNMENT = re.compile(r"([A-Za-z_]\w*)=", re.ASCII)
_NO_VALUES: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Prefix:
    """How the command line of a program goes on before the program that it runs.

    ``values`` are options that take the next word, ``pairs`` those that take
    two; ``operands`` words stand before the program. ``assigns``: words
    ``NAME=value`` set its environment; ``exports`` are options whose value
    does. ``open_options``: a variable in the place of options is common, so
    that an open word before a known program is read as options. ``images`` are
    options that name an image to run in, ``apart`` options that bring packages
    of their own.
    """

    values: frozenset[str] = _NO_VALUES
    pairs: frozenset[str] = _NO_VALUES
    operands: int = 0
    assigns: bool = False
    exports: frozenset[str] = _NO_VALUES
    open_options: bool = False
    images: frozenset[str] = _NO_VALUES
    apart: frozenset[str] = _NO_VALUES


@dataclass(frozen=True, slots=True)
class Stripped:
    """A command line without its prefixes: the index of its first real word.

    ``env`` are the assignments before it, each a name and its value standing
    at the whole word. ``image`` is the image that a prefix runs it in;
    ``apart`` says that a prefix gives it packages of its own.
    """

    at: int
    env: tuple[tuple[str, Value], ...] = ()
    image: Value | None = None
    apart: bool = False


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_MPI = Prefix(
    values=_words(
        "-n -np -c -N -H -host --host -hostfile --hostfile -machinefile --machinefile -f -rf"
        " --rankfile -ppn -npernode --npernode -npersocket -wdir --wdir -wd -path --prefix"
        " -map-by --map-by -bind-to --bind-to -rank-by --rank-by -output-filename --output-filename"
        " --timeout -genvlist -iface --launch-agent --tag-output-to -configfile --app"
    ),
    pairs=_words("-mca --mca -gmca --gmca -genv -env"),
    exports=_words("-x"),
    open_options=True,
)
_SRUN = Prefix(
    values=_words(
        "-A -B -c -C -d -D -e -G -i -J -L -m -M -n -N -o -p -q -r -S -t -T -w -W -x"
        " --account --array --bcast --begin --chdir --clusters --comment --constraint"
        " --container --container-env --container-image --container-mounts --container-name"
        " --container-save --container-workdir --cores-per-socket --cpu-bind --cpu-freq"
        " --cpus-per-gpu --cpus-per-task --deadline --dependency --distribution --epilog --error"
        " --exclude --export --extra-node-info --gpu-bind --gpu-freq --gpus --gpus-per-node"
        " --gpus-per-socket --gpus-per-task --gres --gres-flags --hint --input --jobid --job-name"
        " --kill-on-bad-exit --licenses --mail-type --mail-user --mem --mem-bind --mem-per-cpu"
        " --mem-per-gpu --mpi --multi-prog --network --nice --nodefile --nodelist --nodes --ntasks"
        " --ntasks-per-core --ntasks-per-gpu --ntasks-per-node --ntasks-per-socket --open-mode"
        " --output --partition --prolog --qos --relative --reservation --signal --slurmd-debug"
        " --switches --task-epilog --task-prolog --threads --threads-per-core --time --time-min"
        " --uid --wait --wckey --het-group --pack-group"
    )
    - _words("--kill-on-bad-exit --multi-prog --nice"),
    open_options=True,
    images=_words("--container-image"),
    apart=_words("--container-image --container-name"),
)
_UV = _words(
    "--with --with-editable --with-requirements --extra --group --only-group --no-group --no-extra"
    " --env-file --python -p --package --project --directory --index --index-url -i --default-index"
    " --extra-index-url --find-links -f --index-strategy --keyring-provider --resolution"
    " --prerelease --fork-strategy --exclude-newer --link-mode --refresh-package --config-file"
    " --cache-dir --color --allow-insecure-host --config-setting -C --no-build-package"
    " --no-binary-package --upgrade-package -P --reinstall-package --no-build-isolation-package"
)
_CONDA = _words("-n --name -p --prefix --cwd")

PREFIXES: dict[tuple[str, ...], Prefix] = {
    ("env",): Prefix(_words("-u --unset -C --chdir"), assigns=True),
    ("exec",): Prefix(_words("-a")),
    ("nohup",): Prefix(),
    ("command",): Prefix(),
    ("setsid",): Prefix(),
    ("time",): Prefix(_words("-f --format -o --output")),
    ("nice",): Prefix(_words("-n --adjustment")),
    ("ionice",): Prefix(_words("-c --class -n --classdata")),
    ("timeout",): Prefix(_words("-k --kill-after -s --signal"), operands=1),
    ("stdbuf",): Prefix(_words("-i --input -o --output -e --error")),
    ("numactl",): Prefix(
        _words(
            "-i --interleave -p --preferred -P --preferred-many -m --membind -N --cpunodebind"
            " -C --physcpubind -w --weighted-interleave"
        ),
        open_options=True,
    ),
    ("taskset",): Prefix(operands=1, open_options=True),
    ("chrt",): Prefix(_words("-T -P -D"), operands=1),
    ("sudo",): Prefix(
        _words(
            "-u --user -g --group -h --host -p --prompt -C --close-from -D --chdir -R --chroot -T"
        ),
        assigns=True,
    ),
    ("srun",): _SRUN,
    ("mpirun",): _MPI,
    ("mpiexec",): _MPI,
    ("uv", "run"): Prefix(
        _UV, apart=_words("--with --with-editable --with-requirements --isolated --no-project")
    ),
    ("poetry", "run"): Prefix(),
    ("pdm", "run"): Prefix(_words("-p --project")),
    ("pipenv", "run"): Prefix(),
    ("conda", "run"): Prefix(_CONDA, apart=_CONDA),
    ("mamba", "run"): Prefix(_CONDA, apart=_CONDA),
    ("micromamba", "run"): Prefix(_CONDA, apart=_CONDA),
    ("tini",): Prefix(_words("-p -e")),
    ("dumb-init",): Prefix(_words("-r --rewrite")),
    ("catchsegv",): Prefix(),
    ("unbuffer",): Prefix(),
}
"""The words that start a prefix -> how it goes on."""


def strip_prefixes(argv: Sequence[Value]) -> Stripped:
    """Where the real command begins, and what its prefixes say of it.

    A command line that is nothing but a prefix is left as it is: index 0.
    """
    at = 0
    found: Assignments = []
    given: list[tuple[Prefix, str, Value]] = []
    while True:
        at = _assignments(argv, at, found)
        prefix, length = _prefix(argv, at)
        if prefix is None:
            break
        at = _Options(argv, prefix, found, given).end(at + length)
    if at >= len(argv):
        return Stripped(0)
    images = [value for prefix, name, value in given if name in prefix.images]
    apart = any(name in prefix.apart for prefix, name, _ in given)
    return Stripped(at, tuple(found), images[-1] if images else None, apart)


def _assignments(argv: Sequence[Value], at: int, found: Assignments) -> int:
    while at < len(argv) and (match := _ASSIGNMENT.match(argv[at].head)):
        found.append((match[1], argv[at].tail(match.end())))
        at += 1
    return at


def _prefix(argv: Sequence[Value], at: int) -> tuple[Prefix | None, int]:
    if at >= len(argv):
        return None, 0
    first = base_name(argv[at].text or "")
    if prefix := PREFIXES.get((first,)):
        return prefix, 1
    second = (argv[at + 1].text or "") if at + 1 < len(argv) else ""
    return PREFIXES.get((first, second)), 2


class _Options:
    """Reads the options of one prefix."""

    def __init__(
        self,
        argv: Sequence[Value],
        prefix: Prefix,
        found: Assignments,
        given: list[tuple[Prefix, str, Value]],
    ) -> None:
        self._argv = argv
        self._prefix = prefix
        self._found = found
        self._given = given

    def end(self, at: int) -> int:
        """The index of the first word that is no longer the prefix's own."""
        operands = self._prefix.operands
        while at < len(self._argv):
            head = self._argv[at].head
            if self._argv[at].text == "--":
                return min(at + 1 + operands, len(self._argv))
            if len(head) > 1 and head.startswith("-"):
                at += self._option(at)
            elif self._prefix.assigns and _ASSIGNMENT.match(head):
                at = _assignments(self._argv, at, self._found)
            elif self._is_open_option(at):
                at += 1
            elif operands and not self._is_last(at):
                operands -= 1
                at += 1
            else:
                break
        return at

    def _is_last(self, at: int) -> bool:
        return at + 1 >= len(self._argv)

    def _option(self, at: int) -> int:
        """How many words an option takes."""
        text = self._argv[at].text or ""
        name, equals, _ = self._argv[at].head.partition("=")
        if equals:
            self._given.append((self._prefix, name, self._argv[at].tail(len(name) + 1)))
        else:
            self._given.append((self._prefix, name, self._argv[min(at + 1, len(self._argv) - 1)]))
        if text in self._prefix.pairs:
            return 3
        if text in self._prefix.exports:
            _assignments(self._argv[: at + 2], at + 1, self._found)
            return 2
        return 2 if text in self._prefix.values else 1

    def _is_open_option(self, at: int) -> bool:
        """An open word in front of a known one that can be a program."""
        if not self._prefix.open_options or self._is_last(at):
            return False
        if all(isinstance(part, Text) for parts in self._argv[at].readings for part in parts[:1]):
            return False
        after = self._argv[at + 1]
        return after.text is not None and not after.text.startswith("-")
