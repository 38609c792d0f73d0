"""The shell reader: which commands run, with which words, and where these stand."""

from __future__ import annotations

import string
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from servelint.facts import Image, Launch, Requirement, Uses
from servelint.finding import Skip
from servelint.readers.shell import read
from servelint.source import Route, Segment, Source
from servelint.value import Open, Text, Unknown


def source(text, **kwargs):
    return Source("run.sh", text, "shell", Route("run.sh"), **kwargs)


def everything(text):
    """All launches, those of embedded shells included, and all skips."""
    found, todo = [], [source(text)]
    while todo:
        for item in read(todo.pop(0)):
            (todo if isinstance(item, Source) else found).append(item)
    return found


def launches(text):
    found = everything(text)
    assert not [item for item in found if isinstance(item, Skip)]
    return [item for item in found if isinstance(item, Launch)]


def shown(value):
    """A value for people: texts as they are, open names as ``<name>``, unknowns as ``?``."""
    readings = dict.fromkeys("".join(map(shown_part, parts)) for parts in value.readings)
    return "|".join(readings)


def shown_part(part):
    match part:
        case Text():
            return part.text
        case Open(default=None):
            return f"<{part.name}>"
        case Open():
            return f"<{part.name}={''.join(map(shown_part, part.default))}>"
        case Unknown():
            return f"?{part.reason}"


def commands(text):
    return [[shown(word) for word in launch.argv] for launch in launches(text)]


def last(text):
    return commands(text)[-1]


def quoted(text, span):
    return text[span.start : span.end]


def trail(text, value):
    return [quoted(text, span) for span in value.trail]


# -- commands ---------------------------------------------------------------------------------


def test_commands_come_in_the_order_of_the_text_with_running_numbers():
    text = "b() { two; }\none\nif x; then three; fi\nb\n"
    found = launches(text)
    assert [launch.argv[0].text for launch in found] == ["two", "one", "x", "three"]
    assert [launch.owner for launch in found] == [
        Route("run.sh", ("command", number)) for number in range(4)
    ]


def test_redirections_comments_and_background_are_not_words():
    text = "A=1 srv --x 2>&1 >log <in &>> all -y <<<here z > 'o p' & # --no\n"
    assert commands(text) == [["srv", "--x", "-y", "z"]]


def test_words_behind_a_redirection_or_a_heredoc_mark_still_count():
    assert commands("srv > log --port 1\n") == [["srv", "--port", "1"]]
    assert commands("srv <<EOF --port 1\n$(no)\nother\nEOF\n") == [["srv", "--port", "1"]]


@pytest.mark.parametrize(
    "text",
    [
        "# srv --x\n",
        "cat <<EOF >/dev/null\nsrv --x\nEOF\n",
        "cat <<'EOF'\n$(srv --x)\nEOF\n",
        "echo 'srv --x'\n",
        'A="srv --x"\n',
        "A=(srv --x)\n",
    ],
)
def test_text_that_does_not_run_is_no_launch(text):
    assert "srv" not in [argv[0] for argv in commands(text)]


def test_pure_assignments_and_control_flow_are_no_launches():
    text = "A=1\nexport B=2\nlocal C\nunset A\nreturn 0\n"
    assert commands(text) == [["unset", "A"]]


def test_a_comment_inside_a_continuation_ends_the_command():
    assert commands("srv --a 1 \\\n # --b 2 \\\n --c 3\n") == [["srv", "--a", "1"], ["--c", "3"]]


def test_a_blank_behind_the_backslash_does_not_continue():
    assert commands("srv --a \\ \n--b\n") == [["srv", "--a", " "], ["--b"]]


def test_windows_line_ends_are_line_ends():
    text = 'srv --a \\\r\n  "b"\r\nA=x\r\nsrv $A\r\n'
    assert commands(text) == [["srv", "--a", "b"], ["srv", "x"]]


def test_a_command_behind_a_heredoc_on_its_line_runs():
    assert commands("cat <<EOF | ssh h run\nx\nEOF\n") == [["cat"], ["run"]]


def test_commands_in_substitutions_run():
    assert ["hostname", "-i"] in commands('IP="$(hostname -i)"\n')
    assert ["sort", "f"] in commands("srv < <(sort f)\n")


def test_an_error_does_not_end_the_reading():
    assert commands('exec 9<>"$f"\nsrv a\n') == [["exec"], ["srv", "a"]]
    assert commands('one "${A[$r:$v]:-}"\ntwo\n')[-1] == ["two"]
    assert commands("one )\ntwo\n")[-1] == ["two"]


def test_container_is_handed_on():
    item = next(iter(read(source("srv", container=True))))
    assert item.container
    assert not next(iter(read(source("srv")))).container


# -- spans and trails -------------------------------------------------------------------------


def test_a_span_is_the_word_with_its_quotes():
    text = "é=1\nsrv --model \"é x\" 'y' --tp=8\n"
    launch = launches(text)[-1]
    assert [quoted(text, word.span) for word in launch.argv] == [
        *("srv", "--model", '"é x"', "'y'", "--tp=8"),
    ]
    assert quoted(text, launch.span) == "srv --model \"é x\" 'y' --tp=8"


def test_a_word_from_a_variable_stands_where_it_is_used_and_comes_from_where_it_is_set():
    text = "MODE=decode\nM=$MODE\nsrv --mode=$M x\n"
    word = launches(text)[0].argv[1]
    assert word.text == "--mode=decode"
    assert quoted(text, word.span) == "--mode=$M"
    assert trail(text, word) == ["$MODE", "decode"]
    assert word.head == "--mode=decode"


def test_words_of_an_array_stand_at_its_expansion():
    text = 'A=(--tp 8\n  # no\n  "--x y")\nsrv "${A[@]}"\n'
    words = launches(text)[0].argv[1:]
    assert [word.text for word in words] == ["--tp", "8", "--x y"]
    assert {quoted(text, word.span) for word in words} == {'"${A[@]}"'}
    assert [trail(text, word) for word in words] == [["--tp"], ["8"], ["--x y"]]


def test_words_of_a_split_variable_have_the_places_of_their_texts():
    text = 'X="--tp  8 --ep"\nsrv $X\n'
    words = launches(text)[0].argv[1:]
    assert [word.text for word in words] == ["--tp", "8", "--ep"]
    assert [trail(text, word) for word in words] == [["--tp"], ["8"], ["--ep"]]


def test_spans_of_an_embedded_text_are_those_of_the_file():
    whole = "cmd: srv --a"
    piece = Source("x.yaml", whole, "yaml", Route("x.yaml")).slice(5, 12, "shell")
    launch = next(iter(read(piece)))
    assert [whole[w.span.start : w.span.end] for w in launch.argv] == ["srv", "--a"]


def test_an_uneven_segment_maps_as_a_whole():
    piece = Source(
        "f", "srv X", "shell", Route("f"), (Segment(0, 4, 10, 14), Segment(4, 5, 14, 20))
    )
    launch = next(iter(read(piece)))
    assert (launch.argv[1].span.start, launch.argv[1].span.end) == (14, 20)


# -- expansion --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("A=1; srv $A ${A} \"$A\" '$A'", ["1", "1", "1", "$A"]),
        ('A=x; A+=y; srv "$A"', ["xy"]),
        ("srv $TAG", ["<TAG>"]),
        ("srv repo:${TAG}", ["repo:<TAG>"]),
        ("srv ${TAG:-v1}", ["<TAG=v1>"]),
        ("A=z; srv ${A:-v1}", ["z"]),
        ("A=; srv ${A:-v1} ${A-v2}", ["v1"]),
        ("B=b; srv ${A:-$B-c}", ["<A=b-c>"]),
        ("srv ${A:-${B:-c}}", ["<A=<B=c>>"]),
        ("A=${A:-v1}; srv $A", ["<A=v1>"]),
        ("A=${A:-}; srv ${A:-v1}", ["<A=v1>"]),
        (": ${A:=v1}; srv $A", ["<A=v1>"]),
        ("srv ${A:?must be set}", ["<A>"]),
        ("srv ${A:+x} ${#A} ${A%%:*} ${A/a/b}", ["?runtime-value"] * 4),
        ("A=1; srv ${A:+x} $((A + 2))", ["x", "3"]),
        ("srv $1 ${2} $@ $*", ["<1>", "<2>", "<@>", "<@>"]),
        ("srv ${1:-v1}", ["<1>"]),
        ("srv $(date) `id`", ["?runtime-value", "?runtime-value"]),
        ("srv $(echo a 'b c')", ["a", "b", "c"]),
        ("srv $RANDOM $?", ["?runtime-value", "?runtime-value"]),
        ("read A; srv $A", ["?runtime-value"]),
        ("read -p 'no: ' A B; srv $B", ["?runtime-value"]),
        ("while getopts x: opt; do :; done; srv $OPTARG", ["?runtime-value"]),
        ("mapfile -t A < f; srv ${A[@]}", ["?runtime-value"]),
        ("unset A; srv ${A:-v1}", ["v1"]),
        ("srv ~/m", ["<HOME>/m"]),
        ("srv *.x 'a*' d/x? pip==0.4.*", ["?runtime-value", "a*", "?runtime-value", "pip==0.4.*"]),
        ("A='*.x'; B=(*.y); srv $A \"$A\" ${B[@]}", ["?runtime-value", "*.x", "?runtime-value"]),
        ("srv {{ .Values.port }} '{{x}}'", ["?template-function", "?template-function"]),
        ("srv ${{ inputs.tag }}", ["?template-function"]),
        ("A=(a); A+=(b); srv ${A[1]} ${A[0]} ${A[-1]}", ["b", "a", "b"]),
        ("A+=(b); srv ${A[@]}", ["<A>", "b"]),
        ("declare -A A=([x]=1); srv ${A[x]}", ["?runtime-value"]),
        ("IFS=,; A=a,b; srv $A", ["?runtime-value"]),
    ],
)
def test_expansion(text, words):
    assert [argv for argv in commands(text + "\n") if argv[0] == "srv"] == [["srv", *words]]


def test_a_sourced_script_may_set_a_name_again():
    assert last("A=1; . ./env.sh; srv $A\n") == ["srv", "<A=1>"]
    assert last("A=(-x y); source env.sh; srv ${A[@]}\n") == ["srv", "-x", "y"]
    assert last("A=1; source venv/bin/activate; srv $A\n") == ["srv", "1"]
    assert last("source env.sh; A=1; srv $A\n") == ["srv", "1"]


# -- branches, loops, functions ---------------------------------------------------------------


def test_branches_give_one_of():
    text = 'if a; then M=prefill; else M=decode; fi\nsrv --mode $M "x$M"\n'
    assert last(text) == ["srv", "--mode", "prefill|decode", "xprefill|xdecode"]
    word = launches(text)[-1].argv[2]
    assert word.texts == ("prefill", "decode")
    assert trail(text, word) == ["prefill", "decode"]


def test_a_branch_that_does_not_set_a_name_leaves_it_open():
    assert last("if a; then M=prefill; fi\nsrv $M\n") == ["srv", "prefill|<M>"]
    assert last("case $1 in p) M=a;; d) M=b;; esac\nsrv $M\n") == ["srv", "a|b|<M>"]
    assert last("case $1 in p) M=a;; *) M=b;; esac\nsrv $M\n") == ["srv", "a|b"]


def test_a_branch_that_ends_the_script_does_not_count():
    assert last("M=a\nif x; then M=b; exit 1; fi\nsrv $M\n") == ["srv", "a"]
    assert last("M=a\nif x; then M=b; exec one $M; fi\nsrv $M\n") == ["srv", "a"]
    assert commands("srv\nexit\nother\n") == [["srv"]]


def test_lists_are_conditional():
    assert last('A=\n[ -n "$X" ] && A=b\nsrv "$A"\n') == ["srv", "b|"]
    assert last("export A=1 && srv $A\n") == ["srv", "1"]
    assert last("a && A=1 && srv $A\n") == ["srv", "1"]
    assert last("A=1\na || A=2\nsrv $A\n") == ["srv", "1|2"]


def test_subshells_and_pipelines_keep_their_changes():
    assert last("A=1\n(A=2)\na | A=3\n{ A=4; } &\nsrv $A\n") == ["srv", "1"]
    assert last("A=1\n{ A=2; }\nsrv $A\n") == ["srv", "2"]


def test_arrays_of_branches_show_every_option():
    text = "A=(--m x)\nif a; then A+=(--tp 8); else A+=(--ep 4 --q); fi\nsrv ${A[@]} z\n"
    assert last(text) == ["srv", "--m", "x", "--tp", "8", "--ep", "4", "--q", "z"]


def test_options_of_two_arrays_share_their_slot():
    text = "if a; then A=(--mode prefill --x); else A=(--mode decode); fi\nsrv ${A[@]}\n"
    assert last(text) == ["srv", "--mode", "prefill|decode", "--x"]


def test_for_over_known_words():
    assert commands("for p in a b; do srv $p; done\n") == [["srv", "a|b"]]
    assert commands("for i in {0..2}; do srv $((8000 + i)); done\n") == [["srv", "8000|8001|8002"]]
    assert commands("for ((i=0; i<2; i++)); do srv $i; done\n") == [["srv", "0|1"]]
    text = 'for p in 1 2; do A+=(--d "h:$p"); done\nrouter "${A[@]}"\n'
    assert last(text) == ["router", "<A>", "--d", "h:1", "--d", "h:2"]


def test_for_over_unknown_words():
    assert commands("for f in $(ls); do srv $f; done\n")[-1] == ["srv", "?runtime-value"]
    assert commands('for a in "$@"; do srv $a; done\n') == [["srv", "?runtime-value"]]


def test_what_a_loop_changes_is_not_what_it_was_before():
    text = "I=0\nwhile a; do srv $I; I=$((I+1)); done\nend $I\n"
    assert commands(text)[-2:] == [["srv", "?runtime-value"], ["end", "?runtime-value"]]
    text = "while a; do A+=(--x); done\nsrv ${A[@]}\n"
    assert last(text) == ["srv", "<A>", "--x", "?runtime-value"]


def test_what_a_loop_only_sets_is_known_in_it():
    assert commands("while a; do M=x; srv $M; done\n")[-1] == ["srv", "x"]


def test_break_and_continue_lead_out_of_the_round():
    text = "for i in a b; do X=$i; if t; then break; fi; X=z; done\nsrv $X\n"
    assert set(last(text)[1].split("|")) == {"a", "b", "z"}


def test_functions_run_where_they_are_called():
    text = 'f() { srv --role "$1" --port ${2:-9}; }\nf prefill 1\nf decode\n'
    assert commands(text) == [["srv", "--role", "prefill|decode", "--port", "1|9"]]


def test_values_at_the_call_count():
    assert commands("A=1\nf() { srv $A; }\nA=2\nf\n") == [["srv", "2"]]


def test_a_function_that_nobody_calls_runs_as_defined():
    assert commands("A=1\nf() { srv $A $1 $@; }\nA=2\n") == [["srv", "1", "<1>", "<@>"]]


def test_local_names_end_with_their_function():
    text = "A=1\nf() { local A=2 B; B=3; C=4; }\nf\nsrv $A $B $C\n"
    assert last(text) == ["srv", "1", "<B>", "4"]


def test_return_leads_out_of_a_function():
    text = "f() { A=1; if t; then return; fi; A=2; }\nf\nsrv $A\n"
    assert set(last(text)[1].split("|")) == {"1", "2"}


def test_set_and_shift_move_the_parameters():
    assert last("set -- a b; srv $1 $2 $#\n") == ["srv", "a", "b", "2"]
    assert last("set -- a b; shift; srv $1 $@\n") == ["srv", "b", "b"]
    assert last('M=$1; shift; srv "$M" "$1" "$@"\n') == ["srv", "<1>", "?runtime-value", "<@>"]
    assert last("set -euo pipefail; srv $1\n") == ["srv", "<1>"]


def test_a_recursive_function_ends():
    assert commands("f() { srv; f; }\nf\n") == [["srv"]]


# -- environment ------------------------------------------------------------------------------


def env_of(text):
    return {env.name: shown(env.value) for env in launches(text)[-1].env}


def test_environment_of_the_script_and_of_the_command():
    text = "export A=1\nB=2\nexport B\nC=3\ndeclare -x D=4\nA=9 E=$C srv\n"
    assert env_of(text) == {"A": "9", "B": "2", "D": "4", "E": "3"}
    env = {env.name: env for env in launches(text)[-1].env}
    assert quoted(text, env["B"].span) == "B=2"
    assert quoted(text, env["E"].span) == "E=$C"
    assert quoted(text, env["D"].value.span) == "4"


def test_environment_changes_with_the_variable():
    assert env_of("export A=1\nA=2\nsrv\n") == {"A": "2"}
    assert env_of("export A=1\nunset A\nsrv\n") == {}
    assert env_of("export A=1\nexport -n A\nsrv\n") == {}
    assert env_of("set -a\nA=1\nset +a\nB=2\nsrv\n") == {"A": "1"}
    assert env_of("if t; then export A=1; fi\nsrv\n") == {"A": "1|<A>"}
    assert env_of("(export A=1)\nsrv\n") == {}


def test_a_prefix_assignment_is_over_after_its_command():
    assert env_of("A=1 one\nsrv\n") == {}
    assert last("A=1 one\nsrv $A\n") == ["srv", "<A>"]


# -- programs in front of programs ------------------------------------------------------------


@pytest.mark.parametrize(
    "prefix",
    [
        "env -u B -C /tmp -i",
        "exec -a name",
        "nohup",
        "setsid",
        "nice -n 5",
        "ionice -c 2",
        "time -p",
        "timeout -s KILL 60",
        "stdbuf -oL",
        "stdbuf -o L",
        "numactl --cpunodebind=0 -m 0",
        "numactl $NUMA",
        "taskset -c 0-3",
        "sudo -E -u user",
        "srun -N 2 --ntasks=1 --container-image img",
        "srun $OPTS",
        "srun --overlap $OPTS",
        "mpirun -np 2 --mca a b -x A",
        "uv run --extra gpu",
        "poetry run",
        "pdm run",
        "conda run -n e --no-capture-output",
        "sudo nohup /usr/bin/env",
        "timeout -- 5",
    ],
)
def test_the_program_stands_behind_its_prefixes(prefix):
    text = f"{prefix} python3 -m mod --x\n"
    (launch,) = launches(text)
    assert [word.text for word in launch.argv] == ["python3", "-m", "mod", "--x"]
    assert quoted(text, launch.span) == "python3 -m mod --x"


def test_assignments_of_a_prefix_are_environment():
    text = "A=1 env B=2 C='x y' nohup srv D=4\n"
    (launch,) = launches(text)
    assert [word.text for word in launch.argv] == ["srv", "D=4"]
    assert env_of(text) == {"A": "1", "B": "2", "C": "x y"}
    env = {env.name: env for env in launch.env}
    assert quoted(text, env["B"].span) == "B=2"
    assert quoted(text, env["B"].value.span) == "2"
    assert env_of("mpirun -n 2 -x A=1 srv\n") == {"A": "1"}


def test_an_open_program_behind_a_prefix_stays():
    assert commands('exec "$PY" -m mod "$@"\n') == [["<PY>", "-m", "mod", "<@>"]]
    assert commands("nohup $PRE srv\n") == [["<PRE>", "srv"]]


def test_a_prefix_alone_is_a_command():
    assert commands("env\nexec > log\n") == [["env"], ["exec"]]


# -- texts for inner shells -------------------------------------------------------------------


@pytest.mark.parametrize(
    "wrapper",
    ["bash -c", "sh -c", "/bin/bash -lc", "bash -euo pipefail -c", "nohup bash -l -c", "eval"],
)
def test_the_text_of_an_inner_shell_is_read(wrapper):
    text = f"{wrapper} 'cd /x && srv --a \"b c\"'\n"
    found = launches(text)
    assert [[word.text for word in launch.argv] for launch in found] == [
        ["cd", "/x"],
        ["srv", "--a", "b c"],
    ]
    assert quoted(text, found[1].span) == 'srv --a "b c"'
    assert found[0].owner == Route("run.sh", ("command", 0, "command", 0))


def test_a_double_quoted_text_keeps_what_is_open_and_fills_in_what_is_known():
    text = 'M=decode\nbash -c "srv --m $M --q \\"a b\\" --t $TAG --d ${D:-e} $(id)"\n'
    found = launches(text)
    srv = found[0]
    assert [shown(word) for word in srv.argv] == [
        *("srv", "--m", "decode", "--q", "a b", "--t", "<TAG>", "--d", "<D=e>", "?runtime-value"),
    ]
    assert quoted(text, srv.argv[2].span) == "$M"
    assert quoted(text, srv.argv[4].span) == '\\"a b\\"'
    assert [launch.argv[0].text for launch in found] == ["srv", "id"]


def test_a_command_in_a_variable_is_read_where_it_is_written():
    text = 'M=x\nCMD="srv --m $M"\nCMD+=" --y"\neval "$CMD"\nbash -c "$CMD"\n'
    for launch in launches(text):
        assert [word.text for word in launch.argv] == ["srv", "--m", "x", "--y"]
        assert [quoted(text, word.span) for word in launch.argv] == ["srv", "--m", "$M", "--y"]


def test_each_reading_of_a_text_is_read():
    text = 'for r in prefill decode; do sh -c "srv --role $r"; done\n'
    found = launches(text)
    assert [launch.argv[2].text for launch in found] == ["prefill", "decode"]
    assert len({launch.owner for launch in found}) == 2


def test_a_text_that_is_not_known_stays_a_word():
    assert commands('bash -c "$1"\n') == [["bash", "-c", "<1>"]]
    assert commands("bash run.sh -c x\n") == [["bash", "run.sh", "-c", "x"]]
    assert commands('eval "X=\\${$1}"\n') == [["eval", "X=${<1>}"]]


@pytest.mark.parametrize(
    "line",
    [
        "ssh h 'srv --x'",
        "ssh -p 22 u@h srv --x",
        "sbatch --wrap='srv --x'",
        "sbatch -N 1 --wrap 'srv --x' ",
        "docker run --rm img srv --x",
        "docker exec -it one bash -c 'srv --x'",
        "sudo docker run img numactl -N 0 srv --x",
        "ssh h \"docker exec -d one bash -c 'srv --x'\"",
        "kubectl exec pod -c one -- bash -lc 'srv --x'",
        "srun --container-image=img srv --x",
    ],
)
def test_a_command_is_found_behind_what_carries_it(line):
    (launch,) = launches(f"{line}\n")
    assert [word.text for word in launch.argv] == ["srv", "--x"]
    assert launch.container or "sbatch" in line


def test_the_image_of_a_container_is_told():
    text = "IMG=reg/e:v1\ndocker run -e A=1 --name one $IMG srv\ndocker exec one srv --x\n"
    found = everything(text)
    (image,) = [item for item in found if isinstance(item, Image)]
    (use,) = [item for item in found if isinstance(item, Uses)]
    first, second = launches(text)
    assert (image.reference.text, image.container) == ("reg/e:v1", "one")
    assert [text[span.start : span.end] for span in image.reference.trail] == ["reg/e:v1"]
    assert image.owner == first.owner
    assert (use.target, use.how, use.owner) == ("one", "container", second.owner)
    assert [(env.name, env.value.text) for env in first.env] == [("A", "1")]


def test_what_is_installed_is_told():
    text = (
        "V=1.2\npip install -U 'Tool[all]==1.0'\nuv pip install tool==$V\npip install tool==${W}\n"
    )
    found = [item for item in everything(text) if isinstance(item, Requirement)]
    assert [(item.name, item.kind, item.runs) for item in found] == [("tool", "pinned", True)] * 3
    assert [item.version.text for item in found] == ["1.0", "1.2", None]


@pytest.mark.parametrize(
    ("line", "target"),
    [
        ("source env.sh", "a/env.sh"),
        (". ./lib/env.sh", "a/lib/env.sh"),
        ('source "$(dirname "$0")/env.sh"', "a/env.sh"),
        ("source ${HERE}/../env.sh", "env.sh"),
        ("source $FILE", None),
        ("source env-$NAME.sh", None),
    ],
)
def test_the_file_that_a_script_takes_in_is_told(line, target):
    source = Source("a/run.sh", f"{line}\n", "shell", Route("a/run.sh"))
    uses = [item for item in read(source) if isinstance(item, Uses)]
    assert [use.target for use in uses] == ([target] if target else [])


# -- bounds -----------------------------------------------------------------------------------


def skips(text):
    return [(item.stage, item.reason) for item in everything(text) if isinstance(item, Skip)]


def test_deep_nesting_is_a_skip():
    text = "one\n" + "if a; then " * 300 + "b; " + "fi; " * 300 + "\nlast\n"
    assert skips(text) == [("read", "too-deep")]
    words = [item.argv[0].text for item in everything(text) if isinstance(item, Launch)]
    assert (words[0], words[-1]) == ("one", "last")


@pytest.mark.parametrize("opener", ["{ ", "( ", "while a; do ", "echo $(", "case a in b) "])
def test_deep_openers_are_read(opener):
    everything(opener * 400 + "a")


def test_too_many_commands_are_a_skip():
    assert skips("f() { a; a; a; a; a; a; }\n" + "f\n" * 1500) == [("read", "too-slow")]


def test_text_without_a_command_that_is_broken_is_a_skip():
    assert skips("((((") == [("read", "syntax")]
    assert skips("") == []
    assert skips("# only a comment\n") == []


@pytest.mark.parametrize(
    "text",
    [
        "a | " * 12_000,
        "a=(b " * 8_000,
        "a <<A <<B <<C |" * 4_000,
        "A=x\n" + "A=$A$A\n" * 5_000 + "srv $A\n",
        "A=(x y)\n" + 'A+=("${A[@]}")\n' * 3_000 + 'srv "${A[@]}"\n',
        'if a; then A="$A x$B"; fi\n' * 3_000 + "srv $A\n",
        "if a; then A+=(--x y); fi\n" * 3_000 + 'srv "${A[@]}"\n',
        "for x in 1 2 3; do " * 12 + "srv $x; " + "done; " * 12,
        "while a; do X=$X$Y\n" * 30 + "done\n" * 30,
        "f() { f a; f b; f c; }\nf\n",
        "srv {1..1000000} " + "{a,b}" * 30 + "\n",
        "srv " + "{a" * 3_000,
        "srv " + "${A:-" * 500,
        'srv "' * 3_001,
        "$((" * 5_000,
        "\\\n" * 20_000,
        "srv " + " ".join(f'--a{n} "$V{n}" $(b {n});' for n in range(8_000)),
    ],
)
def test_texts_made_to_be_slow_are_not(text):
    start = time.process_time()
    everything(text)
    assert time.process_time() - start < 4  # half of it on an idle machine


# -- properties -------------------------------------------------------------------------------

SIGNS = ["$", "{", "}", "(", ")", "'", '"', "`", "\\", "\n", " ", ";", "&", "|", "<", ">", "#", "!"]
TOKENS = [
    *SIGNS,
    *(
        "=",
        "+=",
        ":-",
        "[@]",
        "[",
        "]",
        "~",
        "*",
        "@",
        "1",
        "é",
        "\t",
        "\r\n",
        "$(",
        "${",
        "$((",
        "))",
    ),
    *("if ", "then ", "fi", "else ", "for x in ", "do ", "done", "case ", "in ", "esac", ";;"),
    *(
        "while ",
        "f() ",
        "<<EOF",
        "EOF",
        "A",
        "B=",
        "export ",
        "eval ",
        "bash -c ",
        "echo ",
        "set -- ",
    ),
    *("local ", "shift", "{a,b}", "{1..3}", "[[ ", " ]]", "&&", "||", "{{", "}}", "nohup ", "env "),
]


@given(st.lists(st.sampled_from(TOKENS), max_size=60).map("".join))
def test_no_text_of_shell_signs_raises(text):
    check_spans(text)


@given(st.text(max_size=80))
def test_no_text_raises(text):
    check_spans(text)


def check_spans(text):
    for item in everything(text):
        if isinstance(item, Launch):
            assert item.argv
            assert 0 <= item.span.start <= item.span.end <= len(text)
            for word in item.argv:
                assert item.argv[0].span.start <= word.span.start <= word.span.end <= len(text)


PLAIN = st.text(string.ascii_letters + string.digits + "._/:@%+,é世-", min_size=1, max_size=8)


@given(st.lists(PLAIN, min_size=1, max_size=6), st.sampled_from([" ", "\t", " \\\n ", " > é "]))
def test_a_plain_word_is_quoted_by_its_span(words, gap):
    words = ["srv", *words]
    text = "é=1; # ü\n" + gap.join(words) + "\n"
    launch = launches(text)[-1]
    for word in launch.argv:
        assert word.text == quoted(text, word.span)
    if ">" not in gap:
        assert [word.text for word in launch.argv] == words


@given(st.lists(PLAIN, min_size=1, max_size=5))
def test_the_trail_of_a_plain_word_quotes_it(words):
    text = f"A=({' '.join(words)})\nB='{' '.join(words)}'\nsrv " + '"${A[@]}" $B\n'
    for word in launches(text)[-1].argv[1:]:
        assert trail(text, word) == [word.text]
