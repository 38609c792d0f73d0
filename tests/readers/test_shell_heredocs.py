"""Heredocs and here-strings: which are scripts, which are files, and where their words stand."""

from __future__ import annotations

import itertools
import shutil
import subprocess
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from servelint.facts import Env, Image, Launch, Uses
from servelint.finding import Skip
from servelint.readers.shell import read
from servelint.source import Route, Source
from servelint.value import Open

BASH = shutil.which("bash")


def source(text, **kwargs):
    return Source("run.sh", text, "shell", Route("run.sh"), **kwargs)


def children(text):
    return [item for item in read(source(text)) if isinstance(item, Source)]


def only_child(text):
    (child,) = children(text)
    return child


def everything(text):
    """All facts and skips, those of embedded shells included."""
    found, todo = [], [source(text)]
    while todo:
        for item in read(todo.pop(0)):
            if not isinstance(item, Source):
                found.append(item)
            elif item.language == "shell":
                todo.append(item)
    return found


def launches(text):
    return [item for item in everything(text) if isinstance(item, Launch)]


def commands(text):
    return [[word.written for word in launch.argv] for launch in launches(text)]


def quoted(text, span):
    return text[span.start : span.end]


# -- who reads a script -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("command", "container"),
    [
        ("bash", False),
        ("/bin/sh", False),
        ("bash -s -- a b", False),
        ("bash -ex", False),
        ("bash -o pipefail", False),
        ("bash -", False),
        ("bash /dev/stdin x", False),
        ("A=1 sudo -u me bash", False),
        ("srun -N 1 bash", False),
        ("ssh host", True),
        ("ssh -p 22 me@host bash -s", True),
        ("ssh $OPTS $HOST bash", True),
        ("ssh $HOST sudo sh -s x", True),
        ("ssh \"$HOST\" 'bash -s'", True),
        ("docker exec -i name bash", True),
        ("docker run --rm -i image:1 bash -l", True),
        ("docker run -i --entrypoint bash image:1", True),
    ],
)
def test_a_shell_that_reads_its_input_runs_it(command, container):
    text = f"{command} <<'EOF'\nsrv --port 1\nEOF\nlast\n"
    child = next(child for child in children(text) if "srv" in child.text)
    assert (child.language, child.text) == ("shell", "srv --port 1\n")
    assert child.container is container
    srv = next(launch for launch in launches(text) if launch.argv[0].text == "srv")
    assert [quoted(text, word.span) for word in srv.argv] == ["srv", "--port", "1"]
    assert srv.owner.steps[:2] == ("command", 0)
    assert srv.container is container
    assert commands(text).count(["srv", "--port", "1"]) == 1


@pytest.mark.parametrize(
    "command",
    [
        "cat",
        "cat >&2",
        "cat > /dev/null",
        "cat > notes.txt",
        "cat - file.sh > out.txt",
        "cat 2> run.sh",
        "bash script.sh",
        "bash -c 'cat'",
        "ssh host cat",
        "ssh host 'cat > notes'",
        "docker exec -i name cat",
        "grep bash",
        "python3 - bash",
        "bash 3",
        ": bash",
        "tee notes.txt",
        "trap 'bash' EXIT;:",
    ],
)
def test_other_bodies_are_left_alone(command):
    assert "srv" not in [argv[0] for argv in commands(f"{command} <<EOF\nsrv --x\nEOF\n")]


def test_words_behind_the_mark_do_not_make_a_shell_of_another_program():
    text = "usage() { cat <<EOF\nbash <<X\nsrv\nX\nEOF\n}\nusage\n"
    assert commands(text) == [["cat"]]


def test_the_plain_words_for_a_host_are_not_a_launch_but_others_are():
    assert commands("ssh h bash -s <<EOF\nsrv\nEOF\n") == [["srv"]]
    found = commands("ssh h 'cd /x && prepare && bash' <<EOF\nsrv\nEOF\n")
    assert found == [["cd", "/x"], ["prepare"], ["bash"], ["srv"]]


def test_a_container_on_a_host_gives_its_image():
    text = "ssh h docker run -i img:2 bash <<EOF\nsrv\nEOF\n"
    found = everything(text)
    assert [f.reference.text for f in found if isinstance(f, Image)] == ["img:2"]
    assert ["srv"] in commands(text)


def test_image_and_environment_of_the_command_stay():
    text = "docker run -e A=1 img:2 bash <<EOF\nsrv\nEOF\n"
    found = everything(text)
    assert [f.reference.text for f in found if isinstance(f, Image)] == ["img:2"]
    assert [(f.name, f.value.text) for f in found if isinstance(f, Env)] == [("A", "1")]
    text = "docker exec -i name bash <<EOF\nsrv\nEOF\n"
    assert [f.target for f in everything(text) if isinstance(f, Uses)] == ["name"]


def test_cat_pipes_what_it_reads():
    text = "cat <<EOF | ssh h bash\nsrv --x\nEOF\nlast\n"
    assert commands(text) == [["cat"], ["last"], ["srv", "--x"]]
    child = only_child(text)
    assert (child.owner.steps, child.container) == (("command", 1), True)
    assert commands("cat - <<EOF | sed s/a/b/ | bash\nsrv\nEOF\n")[-1] == ["bash"]
    assert commands("cat <<EOF || bash\nsrv\nEOF\n") == [["cat"], ["bash"]]


def test_the_last_input_counts():
    assert commands("bash <<EOF <<< 'two'\none\nEOF\n") == [["two"]]


def test_commands_around_a_heredoc_still_run():
    text = "one && bash -s <<EOF && two\nsrv\nEOF\nif a; then\n bash <<EOF\nb\nEOF\nfi\nthree\n"
    assert sorted(argv[0] for argv in commands(text)) == ["a", "b", "one", "srv", "three", "two"]


def test_a_job_is_read_when_it_says_that_it_is_a_script():
    assert commands("sbatch -N 2 <<EOF\n#!/bin/bash\nsrun srv\nEOF\n") == [["srv"]]
    assert commands("sbatch job.sh <<EOF\ndata\nEOF\n") == [["sbatch", "job.sh"]]


def test_docker_run_without_a_command_does_not_fail():
    assert commands("docker run bash <<EOF\nsrv\nEOF\n") == []


# -- here-strings -----------------------------------------------------------------------------


def test_a_here_string_is_a_script():
    text = 'bash <<< "srv --x $Y"\n'
    (launch,) = launches(text)
    assert [quoted(text, word.span) for word in launch.argv] == ["srv", "--x", "$Y"]
    assert isinstance(launch.argv[2].readings[0][0], Open)


def test_a_here_string_of_a_variable_stands_where_that_is_set():
    text = "S='srv --a b'\nssh h bash <<< $S\n"
    (launch,) = launches(text)
    assert quoted(text, launch.span) == "srv --a b"
    assert launch.container


# -- expansion --------------------------------------------------------------------------------


def body_of(body, before="", command="bash <<EOF"):
    (child,) = children(f"{before}{command}\n{body}EOF\n")
    return child.text


@pytest.mark.parametrize(
    ("body", "expanded"),
    [
        ("srv $A\n", "srv x y\n"),
        ("srv ${A}1 ${U:-d}\n", "srv x y1 ${U:-d}\n"),
        ("srv $U ${U}\n", "srv $U ${U}\n"),
        ('srv \\$A \\${A} \\\\ \\` \\" \\x\n', 'srv $A ${A} \\ ` \\" \\x\n'),
        ("srv \"$A\" '$A'\n", "srv \"x y\" 'x y'\n"),
        ("srv $(id) `id` \\$(id)\n", "srv $(id) `id` $(id)\n"),
        ("srv \\\n  --x\n", "srv   --x\n"),
        ("srv $((1 + 2)) ${L[@]}\n", "srv 3 a b\n"),
        ("srv {{ .V }} {a\n", "srv {{ .V }} {a\n"),
        ("\n\n  srv it's \"\n", "\n\n  srv it's \"\n"),
    ],
)
def test_the_outer_shell_expands_an_unquoted_body(body, expanded):
    assert body_of(body, "A='x y'; L=(a b)\n") == expanded


@pytest.mark.parametrize("delimiter", ["'EOF'", '"EOF"', "\\EOF"])
def test_a_quoted_delimiter_keeps_the_body(delimiter):
    body = '\n srv $A \\$B \\\n  `x` "\n'
    assert body_of(body, "A=1\n", f"bash <<{delimiter}") == body


def test_tabs_before_the_lines_do_not_count():
    text = "bash <<-EOF\n\t\tsrv --a \\\n\t\t--b $U\n\t one\n\tEOF\nlast\n"
    assert only_child(text).text == "srv --a \t\t--b $U\n one\n"
    text = "bash <<-'EOF'\n\tsrv $A\n\t\tone\n\tEOF\nlast\n"
    assert only_child(text).text == "srv $A\none\n"
    found = [launch.argv[-1].span for launch in launches(text)]
    assert [quoted(text, span) for span in found] == ["last", "$A", "one"]


def test_a_known_value_stands_where_it_is_expanded():
    text = "M=decode\nbash <<EOF\nsrv --mode=$M \\$X --y\nEOF\n"
    (launch,) = launches(text)
    assert launch.argv[1].text == "--mode=decode"
    written = [quoted(text, word.span) for word in launch.argv]
    assert written == ["srv", "--mode=$M", "\\$X", "--y"]
    assert launch.argv[2].readings[0][0].name == "X"


def test_a_name_has_one_value_in_one_body():
    text = "if a; then M=p; else M=d; fi\nbash <<EOF\nsrv $M ${M}\nEOF\n"
    assert [child.text for child in children(text)] == ["srv p p\n", "srv d d\n"]
    assert [child.owner.steps for child in children(text)] == [
        ("command", 1, 0),
        ("command", 1, 1),
    ]


def test_names_with_too_many_values_stay_names():
    sets = "".join(f"if a; then V{n}=x; else V{n}=y; fi\n" for n in range(9))
    uses = " ".join(f"$V{n}" for n in range(9))
    found = children(f"{sets}bash <<EOF\nsrv {uses}\nEOF\n")
    assert len(found) == 8
    assert all(child.text.endswith(" $V8\n") for child in found)


def test_a_long_body_with_many_names_is_read():
    body = "".join(f"srv{n} $U{n} \\$X\n" for n in range(600))
    assert len(launches(f"bash <<EOF\n{body}EOF\n")) == 600


def test_a_body_in_a_function_is_expanded_at_each_call():
    text = 'f() { ssh "$1" bash <<EOF\nsrv --role $2\nEOF\n}\nf h prefill\nf g decode\n'
    roles = [launch.argv[2].text for launch in launches(text) if launch.argv[0].text == "srv"]
    assert roles == ["prefill", "decode"]


def test_a_body_in_a_body_is_read():
    text = "ssh h bash <<EOF\ncat > run.sh <<'X'\nsrv --x\nX\nEOF\n"
    (launch,) = launches(text)
    assert (quoted(text, launch.span), launch.container) == ("srv --x", True)
    assert launch.owner.steps == ("command", 0, "command", 0, "command", 0)


# -- files ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("command", "language"),
    [
        ("cat > run.sh <<EOF", "shell"),
        ("cat <<EOF > $D/job.slurm", "shell"),
        ('cat <<EOF >> "${D}/run_$N.sh"', "shell"),
        ("cat <<EOF >| c.yaml", "yaml"),
        ("tee c.yml <<EOF", "yaml"),
        ("sudo tee -a /etc/c.yaml > /dev/null <<EOF", "yaml"),
        ("cat <<EOF | sudo tee /etc/c.yaml", "yaml"),
        ("cat <<EOF | tee c.yaml > /dev/null", "yaml"),
        ("cat > Dockerfile <<EOF", "dockerfile"),
        ("cat > requirements.txt <<EOF", "requirements"),
        ('cat > "${F:-c.yaml}" <<EOF', "yaml"),
        ("F=/x/c.yaml; cat > $F <<EOF", "yaml"),
        ('F=$(mktemp /tmp/c_XXX.yaml); cat > "$F" <<EOF', "yaml"),
        ('F=$(mktemp --suffix=.sh); cat > "$F" <<EOF', "shell"),
    ],
)
def test_a_file_has_the_language_of_its_name(command, language):
    child = [child for child in children(f"{command}\na: $X\nEOF\n") if child.text == "a: $X\n"]
    assert [(each.language, each.container) for each in child] == [(language, False)]


def test_a_body_that_names_its_shell_is_a_script_whatever_its_name():
    text = (
        "cat > x <<'EOF'\n#!/usr/bin/env bash\nsrv\nEOF\ncat > y.job <<EOF\n#!/bin/sh\ntwo\nEOF\n"
    )
    assert commands(text) == [["srv"], ["two"]]
    assert children("cat > x <<EOF\n#!/usr/bin/env python3\nsrv\nEOF\n") == []


def test_a_file_keeps_its_places():
    text = "T=v1\ncat > c.yaml <<EOF\nimage: repo:$T\nport: \\$P 1\nEOF\n"
    child = only_child(text)
    assert child.text == "image: repo:v1\nport: $P 1\n"
    at = child.text.index("repo:v1")
    assert quoted(text, child.span(at, at + 7)) == "repo:$T"
    assert child.owner == Route("run.sh", ("command", 0))


def test_what_a_written_script_defines_does_not_leak_out():
    text = "cat > a.sh <<'EOF'\nX=1\nf() { two; }\nexport Y=3\nEOF\nsrv $X\nf\n"
    found = [launch for launch in launches(text) if launch.argv[0].text in ("srv", "f")]
    assert [launch.argv[0].text for launch in found] == ["srv", "f"]
    assert isinstance(found[0].argv[1].readings[0][0], Open)
    assert found[0].env == ()


# -- against bash -----------------------------------------------------------------------------

BODIES = {
    "names": "A='x  y' B=; cat <<EOF\na $A ${A}b '$A' \"$B\" ${A:+set} ${B:-d e}\nEOF\n",
    "escapes": 'cat <<EOF\n\\$A \\\\ \\` \\" \\x "\\$" \\\\\\$ $ $. \\\nnext\\\n\nEOF\n',
    "quoted": "A=1; cat <<'E F'\n$A \\$ \\\nnext \"\nE F\n",
    "tabs": "A=1; cat <<-EOF\n\t\t\ta $A\n\t b\n\n\t\\\n\tc\n\t\tEOF\n",
    "quoted tabs": "cat <<-'EOF'\n\ta $A \\\n\t\tb\t\n\tEOF\n",
    "blank lines": "cat <<EOF  \n\n \n  a\n\n\nEOF\n",
    "numbers and lists": 'L=(a "b c"); cat <<EOF\n$((2*3)) ${L[@]} "${L[1]}" $L\nEOF\n',
    "here string": "A='x  y'; cat <<< \"$A '\\$A'\"; cat <<< $A\\ z\n",
    "pipe": "A=1; cat <<EOF | cat\n$A\nEOF\n",
}


@pytest.mark.skipif(BASH is None, reason="bash is not installed")
@pytest.mark.parametrize("name", BODIES)
def test_a_body_is_what_bash_makes_of_it(name):
    script = BODIES[name]
    done = subprocess.run([BASH, "-c", script], capture_output=True, check=True, timeout=20)
    texts = [
        child.text for child in children(script.replace("cat <<", "bash <<").replace("| cat", ""))
    ]
    end = "\n" if "<<<" in script else ""
    assert "".join(text + end for text in texts) == done.stdout.decode()


# -- hostile texts ----------------------------------------------------------------------------


def nested(levels):
    head = "if a; then V=x; else V=y; fi\n"
    text = "srv $V\n"
    for level in range(levels):
        text = f"{head}bash <<E{level}\n: $V\n{text}E{level}\n"
    return text


@pytest.mark.parametrize(
    "text",
    [
        nested(12),
        (
            "for i in {1..60}; do bash <<EOF\nfor j in {1..60}; do bash <<'X'\n"
            'for k in {1..60}; do bash <<< "srv \\$k"; done\nX\ndone; srv $i\nEOF\ndone\n'
        ),
        "bash <<EOF\n" * 3_000,
        "bash <<EOF\n" + "$A" * 20_000 + "\nEOF\n",
        "A=x\n"
        + "for i in {1..9}; do\n" * 3
        + "bash <<EOF\n"
        + "s $A $i\n" * 900
        + "EOF\n"
        + "done\n" * 3,
        "bash <<EOF\n" + "`" * 5_001 + "\nEOF\n",
        "bash <<EOF\n" + "${A:-" * 2_000 + "\nEOF\n",
        "".join(f"bash <<E{n}\nsrv\nE{n}\n" for n in range(3_000)),
    ],
)
def test_texts_made_to_be_slow_are_not(text):
    start = time.process_time()
    everything(text)
    assert time.process_time() - start < 6  # half of it on an idle machine


def test_texts_that_multiply_are_cut_and_told():
    found = everything(nested(6))
    assert {item.reason for item in found if isinstance(item, Skip)} <= {"too-slow"}
    assert sum(isinstance(item, Launch) and item.argv[0].text == "srv" for item in found) <= 64


TOKENS = [
    *("bash ", "ssh h ", "cat ", "tee ", "sbatch ", "sudo ", "docker exec -i n ", "-s ", "- "),
    *("<<EOF", "<<-EOF", "<<'EOF'", "<<< ", "\nEOF\n", "\n\tEOF\n", "EOF", "> a.sh ", ">&2 "),
    *("| ", "|| ", "; ", "\n", "\t", "\r\n", "\\", "$", "$A", "${A:-", "}", "$(", ")", "`", '"'),
    *("'", "{{", "}}", "srv ", "A=x\n", "é", "#!/bin/sh\n", "{ ", "if ", "then ", "fi\n", "0", "3"),
]


@given(st.lists(st.sampled_from(TOKENS), max_size=40).map("".join))
def test_no_text_raises_and_every_span_is_in_it(text):
    for item in everything(text):
        if isinstance(item, Launch):
            assert 0 <= item.span.start <= item.span.end <= len(text)


LINES = st.text(st.sampled_from("ab $\\\"'\t{}\n-é"), max_size=40)


@given(LINES, st.sampled_from(["'EOF'", "EOF"]))
def test_even_runs_of_a_body_are_what_the_file_says(body, delimiter):
    text = f"A=12345\nbash <<{delimiter}\nsrv\n{body}\nEOF\n"
    found = children(text)
    assert found or "$" in body or "`" in body
    for child in found:
        check_runs(text, child)


def check_runs(text, child):
    for segment in child.origin:
        if segment.even and segment.end - segment.start > 1:
            inside = child.text[segment.start : segment.end]
            assert inside == text[segment.origin_start : segment.origin_end]
    for left, right in itertools.pairwise(child.origin):
        assert left.end == right.start
        assert left.origin_end <= right.origin_start
