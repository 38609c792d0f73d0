"""Commands that run another command in a container: which image, which words, which environment.

``docker run`` and what works like it, ``docker exec``, ``kubectl run``, ``apptainer exec``.
Only the shape of these command lines is known here.
"""

from __future__ import annotations

from dataclasses import dataclass

from servelint.syntax.programs import base_name
from servelint.value import Open

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from servelint.value import Value


@dataclass(frozen=True, slots=True)
class Entry:
    """A command that enters a container.

    ``image`` is None for a container that exists already, which ``name`` then
    names. The words from index ``at`` run inside, after ``entrypoint`` where
    one is given. ``env`` and ``env_files`` are as given on the command line.
    """

    image: Value | None
    name: str
    at: int
    entrypoint: tuple[Value, ...] = ()
    env: tuple[Value, ...] = ()
    env_files: tuple[Value, ...] = ()


@dataclass(frozen=True, slots=True)
class _Tool:
    """How the options of a tool are read: which take a value, long and short."""

    long: frozenset[str]
    short: str
    env: tuple[str, ...] = ("-e", "--env")


_DOCKER_RUN = _Tool(
    frozenset(
        {
            *("add-host", "annotation", "attach", "blkio-weight", "blkio-weight-device", "cap-add"),
            *("cap-drop", "cgroup-parent", "cgroupns", "cidfile", "cpu-count", "cpu-percent"),
            *("cpu-period", "cpu-quota", "cpu-rt-period", "cpu-rt-runtime", "cpu-shares", "cpus"),
            *("cpuset-cpus", "cpuset-mems", "detach-keys", "device", "device-cgroup-rule"),
            *(
                "device-read-bps",
                "device-read-iops",
                "device-write-bps",
                "device-write-iops",
                "dns",
            ),
            *("dns-opt", "dns-option", "dns-search", "domainname", "entrypoint", "env", "env-file"),
            *("expose", "gpus", "group-add", "health-cmd", "health-interval", "health-retries"),
            *("health-start-interval", "health-start-period", "health-timeout", "hooks-dir"),
            *("hostname", "io-maxbandwidth", "io-maxiops", "ip", "ip6", "ipc", "isolation"),
            *("kernel-memory", "label", "label-file", "link", "link-local-ip", "log-driver"),
            *("log-opt", "mac-address", "memory", "memory-reservation", "memory-swap"),
            *("memory-swappiness", "mount", "name", "net", "net-alias", "network", "network-alias"),
            *(
                "oom-score-adj",
                "pid",
                "pids-limit",
                "platform",
                "pod",
                "publish",
                "pull",
                "restart",
            ),
            *("runtime", "secret", "security-opt", "shm-size", "stop-signal", "stop-timeout"),
            *("storage-opt", "sysctl", "tmpfs", "ulimit", "umask", "user", "userns", "uts"),
            *("volume", "volume-driver", "volumes-from", "workdir"),
        }
    ),
    "acehlmpuvw",
)
_DOCKER_EXEC = _Tool(frozenset({"detach-keys", "env", "env-file", "user", "workdir"}), "euw")
_DOCKER_TOP = _Tool(frozenset({"config", "context", "host", "log-level"}), "cHl")
_KUBECTL_RUN = _Tool(
    frozenset(
        {
            *(
                "annotations",
                "cascade",
                "context",
                "env",
                "field-manager",
                "filename",
                "grace-period",
            ),
            *("image", "image-pull-policy", "kubeconfig", "labels", "namespace", "output"),
            *("overrides", "pod-running-timeout", "port", "restart", "template", "timeout"),
        }
    ),
    "nflo",
    env=("--env",),
)
_ENGINES = frozenset({"docker", "podman", "nerdctl"})
_APPTAINER = _Tool(
    frozenset(
        {
            *("add-caps", "app", "apply-cgroups", "bind", "blkio-weight", "cpus", "cpuset-cpus"),
            *("cwd", "dns", "drop-caps", "env", "env-file", "fusemount", "home", "hostname"),
            *("memory", "mount", "network", "network-args", "overlay", "pwd", "scratch"),
            *("security", "shub-login", "workdir"),
        }
    ),
    "BHSWo",
    env=("--env",),
)
_APPTAINERS = frozenset({"apptainer", "singularity"})
_REGISTRIES = ("docker://", "oras://")


def enter(argv: Sequence[Value]) -> Entry | None:
    """What a command runs in a container, or None when it is no such command."""
    if not argv:
        return None
    program = base_name(argv[0].text or "")
    if program in _ENGINES:
        return _engine(argv)
    if program == "kubectl":
        return _kubectl(argv)
    return _apptainer(argv) if program in _APPTAINERS else None


def _engine(argv: Sequence[Value]) -> Entry | None:
    at = _Options(_DOCKER_TOP, argv, 1).end
    words = [word.text or "" for word in argv[at : at + 2]]
    if words[:1] == ["container"]:
        at, words = at + 1, words[1:] or [""]
    if words[:1] in (["run"], ["create"]):
        return _run(argv, at + 1)
    if words[:1] == ["exec"]:
        options = _Options(_DOCKER_EXEC, argv, at + 1)
        name = (argv[options.end].text or "") if options.end < len(argv) else ""
        files = options.all("--env-file")
        return Entry(None, name, options.end + 1, env=options.env, env_files=files)
    return None


def _run(argv: Sequence[Value], at: int) -> Entry | None:
    options = _Options(_DOCKER_RUN, argv, at)
    if options.end >= len(argv):
        return None
    names = options.all("--name")
    return Entry(
        argv[options.end],
        (names[-1].text or "") if names else "",
        options.end + 1,
        options.all("--entrypoint")[-1:],
        options.env,
        options.all("--env-file"),
    )


def _apptainer(argv: Sequence[Value]) -> Entry | None:
    """``apptainer exec IMAGE COMMAND``; the image may be a file."""
    at = _Options(_APPTAINER, argv, 1).end
    if at + 1 >= len(argv) or argv[at].text not in ("exec", "run"):
        return None
    options = _Options(_APPTAINER, argv, at + 1)
    if options.end >= len(argv):
        return None
    image = argv[options.end]
    head = next((each for each in _REGISTRIES if image.head.startswith(each)), "")
    image = image.tail(len(head)) if head else image
    files = options.all("--env-file")
    return Entry(image, "", options.end + 1, env=options.env, env_files=files)


def _kubectl(argv: Sequence[Value]) -> Entry | None:
    options = _Options(_KUBECTL_RUN, argv, 1)
    verb = argv[options.end].text if options.end < len(argv) else ""
    if verb == "exec":
        inside = _after_dashes(argv, options.end)
        return Entry(None, "", inside) if inside else None
    if verb != "run":
        return None
    rest = _Options(_KUBECTL_RUN, argv, options.end + 2)
    images = rest.all("--image") or options.all("--image")
    if not images:
        return None
    return Entry(images[-1], "", rest.end, env=rest.env)


def _after_dashes(argv: Sequence[Value], at: int) -> int:
    """The index behind ``--``, 0 when there is none."""
    return next((n + 1 for n in range(at, len(argv)) if argv[n].text == "--"), 0)


class _Options:
    """The options at the beginning of some words; ``end`` is the first word after them."""

    def __init__(self, tool: _Tool, argv: Sequence[Value], at: int) -> None:
        self._tool = tool
        self._found: list[tuple[str, Value]] = []
        while at < len(argv):
            step = self._take(argv, at)
            if step == 0:
                break
            at += step
            if argv[at - 1].text == "--":
                break
        self.end = at

    @property
    def env(self) -> tuple[Value, ...]:
        """The values of the options that set a variable."""
        return tuple(value for name, value in self._found if name in self._tool.env)

    def all(self, name: str) -> tuple[Value, ...]:
        """The values of one option, in order."""
        return tuple(value for found, value in self._found if found == name)

    def _take(self, argv: Sequence[Value], at: int) -> int:
        """How many words the option at ``at`` takes; 0 when it is none."""
        word = argv[at]
        if word.head.startswith("--"):
            return self._long(argv, at)
        if word.head.startswith("-") and len(word.head) > 1:
            return self._short(argv, at)
        return int(_may_be_options(argv, at))

    def _long(self, argv: Sequence[Value], at: int) -> int:
        name, equals, _ = argv[at].head.partition("=")
        if equals:
            self._found.append((name, argv[at].tail(len(name) + 1)))
            return 1
        if name.removeprefix("--") in self._tool.long and at + 1 < len(argv):
            self._found.append((name, argv[at + 1]))
            return 2
        return 1

    def _short(self, argv: Sequence[Value], at: int) -> int:
        """``-it``, ``-e VALUE``, ``-eVALUE``, ``-itp VALUE``."""
        word = argv[at]
        for index, letter in enumerate(word.head[1:], start=1):
            if letter in self._tool.short:
                glued = word.written[index + 1 :]
                if glued:
                    self._found.append((f"-{letter}", word.tail(index + 1)))
                    return 1
                if at + 1 < len(argv):
                    self._found.append((f"-{letter}", argv[at + 1]))
                    return 2
        return 1


def _may_be_options(argv: Sequence[Value], at: int) -> bool:
    """True for a word of which nothing is known that stands for options.

    Options follow it; or it was written so that it can be several words, and the image follows.
    """
    if at + 1 >= len(argv) or not _is_unknown(argv[at]):
        return False
    parts = [part for reading in argv[at].readings for part in reading]
    splits = any(isinstance(part, Open) and part.splits for part in parts)
    return argv[at + 1].head.startswith("-") or (splits and _is_unknown(argv[at + 1]))


def _is_unknown(word: Value) -> bool:
    return word.head == "" and word.text is None
