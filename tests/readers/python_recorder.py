"""Runs a script in which everything that would start something only records it.

usage: python_recorder.py SCRIPT OUTPUT STUBS [ARGUMENTS]

OUTPUT gets one JSON object a line: ``{"argv": [...], "env": {...}}``, ``{"image": ...}``,
``{"pin": ...}`` or ``{"call": ..., "keywords": {...}}``. Texts for a shell are run by bash with
STUBS, a directory of programs that record their words in files beside OUTPUT, as the only ``PATH``.
"""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import os
import shlex
import subprocess
import sys
import threading
import types

SCRIPT, OUTPUT, STUBS = sys.argv[1:4]
BASH = "/bin/bash"


def record(**what):
    with open(OUTPUT, "a", encoding="utf-8") as file:
        file.write(json.dumps(what) + "\n")


class Anything:
    """An object that has every attribute and can be called with everything."""

    def __init__(self, name=""):
        self._name = name

    def __getattr__(self, name):
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        return Anything(f"{self._name}.{name}")

    def __call__(self, *args, **kwargs):
        if (
            len(args) == 1
            and not kwargs
            and callable(args[0])
            and not isinstance(args[0], Anything)
        ):
            return args[0]
        handler = HANDLERS.get(self._name.rpartition(".")[2])
        if handler is not None:
            handler(*args, **kwargs)
        return Anything(f"{self._name}()")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        return False

    def __iter__(self):
        return iter(())

    def __await__(self):
        yield from ()
        return self


def environment(env):
    return dict(os.environ if env is None else env)


def run(args=None, *rest, shell=False, env=None, **kwargs):
    del rest, kwargs
    if shell:
        text(args if isinstance(args, str) else args[0], env)
    else:
        words = [args] if isinstance(args, str) else [os.fspath(one) for one in args]
        start(words, env)
    done = Anything("process")
    done.returncode = 0
    done.stdout = ""
    return done


def start(words, env=None):
    assert all(isinstance(word, str) for word in words), words
    if len(words) > 2 and words[0] in ("bash", "sh") and words[1] in ("-c", "-lc"):
        text(words[2], env)
    elif words[0] == "ssh":
        text(" ".join(words[2:]), env)
    else:
        record(argv=words, env=environment(env))


def text(command, env=None):
    env = environment(env) | {"PATH": STUBS, "RECORD_TO": OUTPUT}
    os.waitpid(os.posix_spawn(BASH, [BASH, "-c", f"{command}\nwait"], env), 0)


def called(name):
    def handler(*args, **kwargs):
        words = [word for one in args if isinstance(one, list) for word in one]
        record(call=name, words=words, keywords=kwargs)

    return handler


def container(image=None, command=None, args=None, environment=None, env=None, **kwargs):
    words = []
    for part in (kwargs.get("entrypoint"), command, args):
        words += shlex.split(part) if isinstance(part, str) else list(part or ())
    given = environment or env or {}
    if isinstance(given, list):
        given = dict(
            one.split("=", 1) if isinstance(one, str) else (one["name"], one["value"])
            for one in given
        )
    record(image=image)
    if words:
        record(argv=words, env=given)


def pins(*args, **_):
    for one in args:
        for text_ in one if isinstance(one, list) else [one]:
            record(pin=text_)


def setup(install_requires=(), extras_require=None, **_):
    pins(list(install_requires), *(extras_require or {}).values())


HANDLERS = {
    "Engine": called("sglang.Engine"),
    "ServerArgs": called("sglang.ServerArgs"),
    "LLMConfig": lambda engine_kwargs=None, **_: called("ray.LLMConfig")(
        ["SGLangServer"], **(engine_kwargs or {})
    ),
    "create_container": container,
    "V1Container": container,
    "from_registry": lambda image, **_: record(image=image),
    "Image": lambda base_image=None, **_: base_image and record(image=base_image),
    "pip_install": pins,
    "run_commands": lambda *args: [text(one) for one in args],
    "setup": setup,
    "Task": lambda run=None, setup=None, **_: [text(one) for one in (setup, run) if one],
    "foreign": lambda *args, **_: [start(one) for one in args if isinstance(one, list)],
    "foreign_text": lambda one, **_: text(one),
}


class Containers(Anything):
    def run(self, image, command=None, **kwargs):
        container(image, command, **kwargs)

    create = run


class Worker:
    def __init__(self, *_, target=None, args=(), kwargs=None, **__):
        self._call = (target, args, kwargs or {})

    def start(self):
        target, args, kwargs = self._call
        target(*args, **kwargs)

    def join(self):
        pass


def module(name, **names):
    made = sys.modules[name] = types.ModuleType(name)
    made.__dict__.update(names)
    made.__getattr__ = lambda attribute: Anything(f"{name}.{attribute}")
    made.__path__ = []
    parent, _, last = name.rpartition(".")
    if parent in sys.modules:
        setattr(sys.modules[parent], last, made)


class Finder:
    """Every package that is asked for and not of the standard library is one that records."""

    def find_spec(self, name, path=None, target=None):
        del path, target
        if name.partition(".")[0] in FOREIGN:
            module(name)
            return __import__("importlib.machinery").machinery.ModuleSpec(name, self)
        return None

    def create_module(self, spec):
        return sys.modules[spec.name]

    def exec_module(self, made):
        pass


FOREIGN = frozenset(
    [
        "sglang",
        "modal",
        "sky",
        "ray",
        "bentoml",
        "kubernetes",
        "setuptools",
        "elsewhere",
        "torch",
        "psutil",
    ]
)


def patch():
    for name in ("run", "Popen", "call", "check_call", "check_output"):
        setattr(subprocess, name, run)
    subprocess.getoutput = lambda command: text(command) or ""
    os.system = lambda command: text(command) or 0
    os.popen = lambda command, *_: text(command) or Anything()
    for name in ("execv", "execvp"):
        setattr(os, name, lambda path, words: (start(list(words)), sys.exit(0)))
    for name in ("execve", "execvpe"):
        setattr(os, name, lambda path, words, env: (start(list(words), env), sys.exit(0)))
    for name in ("execl", "execlp"):
        setattr(os, name, lambda path, *words: (start(list(words)), sys.exit(0)))
    os.execle = lambda path, *words: (start(list(words[:-1]), words[-1]), sys.exit(0))
    for name in ("spawnv", "spawnvp"):
        setattr(os, name, lambda mode, path, words: start(list(words)))

    async def shell(command, env=None, **_):
        text(command, env)
        return Anything()

    async def program(*words, env=None, **_):
        start(list(words), env)
        return Anything()

    asyncio.create_subprocess_shell = shell
    asyncio.create_subprocess_exec = program
    multiprocessing.Process = Worker
    threading.Thread = Worker
    client = Anything("client")
    client.containers = Containers("containers")
    module("docker", from_env=lambda: client, DockerClient=lambda *a, **k: client)
    sys.meta_path.insert(0, Finder())


def main():
    patch()
    sys.argv = [SCRIPT, *sys.argv[4:]]
    names = {"__name__": "__main__", "__file__": SCRIPT}
    with open(SCRIPT, encoding="utf-8") as file:
        code = compile(file.read(), SCRIPT, "exec")
    exec(code, names)  # the script is ours, written for the test


main()
