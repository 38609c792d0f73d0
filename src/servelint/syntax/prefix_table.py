"""The programs that run another program, and which of their options take a value."""

from __future__ import annotations

from dataclasses import dataclass

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
    of their own, ``installs`` those whose value asks for such packages.
    ``always_apart``: the program has packages of its own in any case.
    """

    values: frozenset[str] = _NO_VALUES
    pairs: frozenset[str] = _NO_VALUES
    operands: int = 0
    assigns: bool = False
    exports: frozenset[str] = _NO_VALUES
    open_options: bool = False
    images: frozenset[str] = _NO_VALUES
    apart: frozenset[str] = _NO_VALUES
    installs: frozenset[str] = _NO_VALUES
    always_apart: bool = False


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
_TOOL = Prefix(_UV | _words("--from"), installs=_words("--from --with"), always_apart=True)
_NSYS = _words(
    "-o --output -t --trace -s --sample -d --duration -y --delay -c --capture-range -e --env-var"
    " --capture-range-end --cuda-graph-trace --gpu-metrics-device --gpu-metrics-devices -f"
    " --force-overwrite -w --show-output -n --inherit-environment --session-new --session --stats"
    " --kill -x --stop-on-exit --backtrace -b --cpuctxsw --python-sampling --export --wait"
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
        _UV,
        apart=_words("--with --with-editable --with-requirements --isolated --no-project"),
        installs=_words("--with"),
    ),
    ("uvx",): _TOOL,
    ("uv", "tool", "run"): _TOOL,
    ("hatch", "run"): Prefix(),
    ("pixi", "run"): Prefix(_words("-e --environment --manifest-path")),
    ("rye", "run"): Prefix(),
    ("poetry", "run"): Prefix(),
    ("pdm", "run"): Prefix(_words("-p --project")),
    ("pipenv", "run"): Prefix(),
    ("conda", "run"): Prefix(_CONDA, apart=_CONDA),
    ("mamba", "run"): Prefix(_CONDA, apart=_CONDA),
    ("micromamba", "run"): Prefix(_CONDA, apart=_CONDA),
    ("flock",): Prefix(_words("-w --wait --timeout -E --conflict-exit-code"), operands=1),
    ("gosu",): Prefix(operands=1),
    ("su-exec",): Prefix(operands=1),
    ("s6-setuidgid",): Prefix(operands=1),
    ("chpst",): Prefix(_words("-u -U -b -e -/ -C -n -l -L -m -d -o -p -f -c -r -t")),
    ("runuser",): Prefix(_words("-u --user -g --group -G --supp-group -s --shell")),
    ("doas",): Prefix(_words("-u -C")),
    ("nsys", "profile"): Prefix(_NSYS),
    ("nsys", "launch"): Prefix(_NSYS),
    ("ncu",): Prefix(
        _words(
            "-o --export --target-processes -k --kernel-name -c --launch-count -s --launch-skip"
            " --set --section --metrics --nvtx-include --nvtx-exclude --devices --mode"
            " --replay-mode --log-file --cache-control --clock-control"
        )
    ),
    ("compute-sanitizer",): Prefix(_words("--tool --log-file --save --target-processes")),
    ("rocprof",): Prefix(_words("-i -o -d -m")),
    ("rocprofv3",): Prefix(_words("-i -o -d --input --output-file --output-directory")),
    ("py-spy", "record"): Prefix(_words("-o --output -f --format -d --duration -r --rate")),
    ("perf", "record"): Prefix(_words("-o --output -F --freq -e --event -c --call-graph")),
    ("perf", "stat"): Prefix(_words("-o --output -e --event -r --repeat -I")),
    ("strace",): Prefix(_words("-o --output -e --trace -s --string-limit -E -u -p")),
    ("ltrace",): Prefix(_words("-o -e -s -u -n")),
    ("valgrind",): Prefix(),
    ("gdb",): Prefix(_words("-ex --ex -x --command -cd")),
    ("cuda-gdb",): Prefix(_words("-ex --ex -x --command -cd")),
    ("watch",): Prefix(_words("-n --interval")),
    ("unshare",): Prefix(),
    ("cgexec",): Prefix(_words("-g")),
    ("prlimit",): Prefix(),
    ("setarch",): Prefix(operands=1),
    ("systemd-run",): Prefix(
        _words("-p --property -E --setenv -u --unit --slice --uid --gid --working-directory -M")
    ),
    ("systemd-inhibit",): Prefix(),
    ("caffeinate",): Prefix(_words("-t -w")),
    ("proxychains",): Prefix(_words("-f")),
    ("proxychains4",): Prefix(_words("-f")),
    ("screen",): Prefix(_words("-S -c -e -h -p -s -t -T -dmS -DmS -dmLS -LdmS -Logfile")),
    ("tini",): Prefix(_words("-p -e")),
    ("dumb-init",): Prefix(_words("-r --rewrite")),
    ("catchsegv",): Prefix(),
    ("unbuffer",): Prefix(),
}
"""The words that start a prefix -> how it goes on."""
