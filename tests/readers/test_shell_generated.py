"""Made-up scripts: what the shell reader says is known is what bash passes.

Every word that the reader knows of a command that bash ran is the word that bash passed, every
command that bash ran is told, and where no path is a question, nothing is told that did not run.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor

import pytest
from shell_writer import Writer

from servelint.facts import Launch
from servelint.finding import Skip
from servelint.readers.shell import read
from servelint.source import Route, Source
from servelint.syntax.bash_fields import is_many
from servelint.syntax.bash_run import run

BASH = shutil.which("bash")
pytestmark = pytest.mark.skipif(BASH is None, reason="bash is not installed")

COUNT = int(os.environ.get("SERVELINT_SHELL_SCRIPTS", "400"))
FIRST = int(os.environ.get("SERVELINT_SHELL_FIRST", "0"))
CMD = """exec 9>&1 >/dev/null
cmd() { printf '%s\\0' "$#" "$@" >&9; }
export -f cmd
env() ( export "$1"; "${@:2}" )
"""


def ran(script, directory):
    """The words of every run of ``cmd``, in order, and whether an inner text was a broken one."""
    done = subprocess.run(
        [BASH, "-c", CMD + script],
        capture_output=True,
        check=False,
        cwd=directory,
        env={"PATH": "/usr/bin:/bin", "HOME": "/h", "LC_ALL": "C.UTF-8"},
        timeout=5,
    )
    fields = done.stdout.decode().split("\0")[:-1]
    runs = []
    while fields:
        count = int(fields[0])
        runs.append(fields[1 : count + 1])
        fields = fields[count + 1 :]
    return runs, "unexpected EOF" in done.stderr.decode()


def sources(script):
    """The text and all texts in it that a shell reads."""
    todo = [Source("x.sh", script, "shell", Route("x.sh"))]
    while todo:
        source = todo.pop(0)
        found = tuple(read(source))
        assert not [item for item in found if isinstance(item, Skip)]
        todo += [item for item in found if isinstance(item, Source) and item.language == "shell"]
        yield source.text, [item for item in found if isinstance(item, Launch)]


def pattern(field):
    """What one field may be, and whether it may be any number of words."""
    readings = (
        "".join(re.escape(piece.text) if piece.known else ".*" for piece in reading)
        for reading in field
    )
    return re.compile("|".join(f"(?:{each})" for each in readings), re.DOTALL), is_many(field)


def told_runs(text, *, evaluated):
    """The patterns of each single run of a command; ``env K=1`` before it is left out."""
    for command in run(text).commands:
        for one in command.runs:
            found = [pattern(item.field) for item in one.items]
            yield found[{"(?:env)": 2, "(?:eval)": evaluated}.get(found[0][0].pattern, 0) :]


def word_patterns(launch):
    """The words of a launch: one that is not known may be any number of words."""
    for word in launch.argv:
        known = "|".join(f"(?:{re.escape(text)})" for text in word.texts or (".*",))
        yield re.compile(known if word.texts else ".*", re.DOTALL), word.texts is None


def fits(words, patterns):
    """True when the words are what the patterns say."""
    reached = {0}
    for expected, many in patterns:
        after = set(reached) if many else set()
        for at in reached:
            if many:
                after.update(range(at, len(words) + 1))
            elif at < len(words) and expected.fullmatch(words[at]):
                after.add(at + 1)
        reached = after
    return len(words) in reached


def covers(words, patterns):
    """True when each word is told: lists of several paths are one list of all their words."""
    if any(many and ".*" in expected.pattern for expected, many in patterns):
        return True
    return all(any(expected.fullmatch(word) for expected, _ in patterns) for word in words)


def faults(script, runs, broken, *, sure):
    """What the reader says that is not so; nothing when bash gave up on a text in the text."""
    if broken:
        return
    single, launches = [], []
    for text, found in sources(script):
        single += told_runs(text, evaluated=not sure)
        launches += [tuple(word_patterns(one)) for one in found]
    for words in (["cmd", *words] for words in runs):
        here = [each for each in single if each[0][1] or fits(words[:2], each[:2])]
        good = [each for each in here if fits(words, each) or (not sure and covers(words, each))]
        if not good:
            yield f"bash ran {words}, told is {[[p.pattern for p, _ in each] for each in here]}"
        merged = len(here) > 1 or not sure
        if not any(fits(words, each) or (merged and covers(words, each)) for each in launches):
            yield f"no launch is {words}"
    for each in single if sure else ():
        if each[0][0].fullmatch("cmd") and not any(fits(["cmd", *words], each) for words in runs):
            yield f"bash never ran {[p.pattern for p, _ in each]}"


@pytest.mark.parametrize("sure", [True, False])
def test_made_up_scripts_are_read_as_bash_runs_them(sure, tmp_path):
    seeds = range(FIRST, FIRST + COUNT // 2)
    scripts = {seed: Writer(seed, sure=sure).script() for seed in seeds}
    with ThreadPoolExecutor(4) as pool:
        every = dict(
            zip(seeds, pool.map(lambda seed: ran(scripts[seed], tmp_path), seeds), strict=True)
        )
    told = {
        seed: found
        for seed, runs in every.items()
        if (found := list(faults(scripts[seed], *runs, sure=sure)))
    }
    assert sum(len(runs) for runs, _ in every.values()) > COUNT
    shown = (f"--- {seed}\n{scripts[seed]}\n" + "\n".join(told[seed][:4]) for seed in told)
    assert not told, "\n".join(shown)
