"""Texts that commands hand on, wherever they come from, and what stands around programs."""

from __future__ import annotations

import time

import pytest

from servelint.facts import Image, Launch, Requirement, Uses
from servelint.finding import Skip
from servelint.readers.shell import read
from servelint.source import Route, Source
from servelint.value import Open


def everything(text, path="run.sh"):
    """All facts and skips, and the sources in other languages."""
    found, todo = [], [Source(path, text, "shell", Route(path))]
    while todo:
        for item in read(todo.pop(0)):
            is_shell = isinstance(item, Source) and item.language == "shell"
            (todo if is_shell else found).append(item)
    return found


def only(kind, text):
    return [item for item in everything(text) if isinstance(item, kind)]


def commands(text):
    return [[word.written for word in launch.argv] for launch in only(Launch, text)]


def embedded(text):
    return [(item.language, item.text) for item in only(Source, text)]


def quoted(text, span):
    return text[span.start : span.end]


# -- parts of values --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("expansion", "words"),
    [
        ('"${@:2}"', ["b c", "d"]),
        ('"${@:1:1}"', ["a"]),
        ('"${@: -1}"', ["d"]),
        ('"${*:2}"', ["b c d"]),
        ('"${L[@]:1:2}"', ["y z", "w"]),
        ("${L[@]:2}", ["w", "v"]),
        ('"${L[@]: -2:1}"', ["w"]),
        ('"${P##*/}"', ["name.tar.gz"]),
        ('"${P%.*}"', ["/dir/name.tar"]),
        ('"${P%%.*}"', ["/dir/name"]),
        ('"${P#/*/}"', ["name.tar.gz"]),
        ('"${P/tar/zip}"', ["/dir/name.zip.gz"]),
        ('"${P//[.]/-}"', ["/dir/name-tar-gz"]),
        ('"${P/#\\/dir/x}"', ["x/name.tar.gz"]),
        ('"${P/%gz/xz}"', ["/dir/name.tar.xz"]),
        ('"${P:5:4}"', ["name"]),
        ('"${P: -2}"', ["gz"]),
        ('"${P^^}"', ["/DIR/NAME.TAR.GZ"]),
        ('"${L[@]#y}"', ["x", " z", "w", "v"]),
    ],
)
def test_parts_of_known_values(expansion, words):
    text = f"set -- a 'b c' d\nL=(x 'y z' w v)\nP=/dir/name.tar.gz\nsrv {expansion}\n"
    assert commands(text)[-1] == ["srv", *words]


def test_a_part_stands_where_the_whole_is_written():
    text = 'P=/dir/name\nsrv "${P##*/}"\n'
    (launch,) = only(Launch, text)
    assert [quoted(text, span) for span in launch.argv[1].trail] == ["name"]


def test_what_is_not_known_has_no_parts():
    launch = only(Launch, 'f() { srv "${1##*/}" "${@:2}"; }\n')[-1]
    assert [word.reason for word in launch.argv[1:]] == ["runtime-value", "runtime-value"]


def test_values_of_one_branch_stay_together():
    text = (
        'case $1 in\na) M=prefill P=1;;\nb) M=decode P=2;;\n*) exit;;\nesac\nbash -c "srv $M $P"\n'
    )
    assert commands(text)[-2:] == [["srv", "prefill", "1"], ["srv", "decode", "2"]]


def test_a_variable_with_a_text_decides_a_test_for_one():
    text = 'X=--x\nC=srv\nif [ -n "$X" ]; then C="$C $X"; fi\neval "$C"\n'
    assert commands(text) == [["srv", "--x"]]
    assert commands(text.replace("X=--x", "X=${Y:-}"))[:2] == [["srv", "${Y:-}"], ["srv"]]


# -- texts for a shell ------------------------------------------------------------------------


@pytest.mark.parametrize(
    "line",
    [
        'su user -c "srv --a"',
        "su - user --command='srv --a'",
        "sudo su - user -c 'srv --a'",
        "runuser -l user -c 'srv --a'",
        "flock /tmp/lock -c 'srv --a'",
        "script -q -c 'srv --a' log",
        'env -S "srv --a"',
        'tmux new -d -s name "srv --a"',
        "tmux new-session -d -s name 'srv --a'",
        'tmux -L sock send-keys -t name "srv --a" C-m',
        "tmux send-keys -t name 'srv --a' Enter",
        "tmux send-keys -t name srv Space --a Enter",
        "tmux new -d -s name \\; send-keys 'srv --a' C-m",
        "screen -dmS name bash -c 'srv --a'",
        "screen -dmS name srv --a",
        "screen -S name -X stuff 'srv --a\\n'",
        'echo "srv --a" | bash',
        "echo srv --a | bash -s",
        "printf 'srv --a\\n' | sh",
        "printf '%s\\n' 'srv --a' | bash",
        "pdsh -w host 'srv --a'",
        "ssh host -- srv --a",
        "some-wrapper --opt bash -c 'srv --a'",
        "eval srv --a",
    ],
)
def test_a_text_is_found_whoever_hands_it_on(line):
    assert ["srv", "--a"] in commands(line + "\n")


@pytest.mark.parametrize("line", ['echo bash -c "srv --a"', "grep su -c srv", "echo srv | cat"])
def test_what_only_talks_hands_nothing_on(line):
    assert ["srv", "--a"] not in commands(line + "\n")
    assert ["srv"] not in commands(line + "\n")


def test_xargs_hands_on_the_text_of_its_shell():
    assert commands("cat f | xargs -I{} bash -c 'srv {}'\n")[-1] == ["srv", "{}"]


@pytest.mark.parametrize(
    "text",
    [
        'C=$(cat <<EOF\nsrv --a\nEOF\n)\neval "$C"\n',
        "bash -c \"$(cat <<'EOF'\nsrv --a\nEOF\n)\"\n",
        'ssh host "$(cat <<EOF\nsrv --a\nEOF\n)"\n',
        "C=$(cat <<EOF\nsrv --a\nEOF\n)\n$C\n",
    ],
)
def test_what_cat_prints_is_a_value(text):
    found = [launch for launch in only(Launch, text) if launch.argv[0].text == "srv"]
    assert [[word.text for word in launch.argv] for launch in found] == [["srv", "--a"]]


def test_texts_that_differ_in_where_output_goes_are_one():
    text = 'for n in 1 2 3; do bash -c "srv --a > log$n 2>&1"; done\n'
    assert commands(text) == [["srv", "--a"]]


@pytest.mark.parametrize(
    "before",
    [
        *("flock /tmp/lock", "flock -n 9", "gosu user", "su-exec user", "s6-setuidgid user"),
        *("tini -g --", "dumb-init --", "numactl -N 0 -m 0", "taskset -c 0-3", "timeout -k 5 10"),
        *("nohup", "setsid", "stdbuf -oL", "ionice -c 2 -n 0", "chrt -f 99", "catchsegv"),
        *("nsys profile -o x -t cuda --force-overwrite true", "ncu --set full -o x"),
        *("strace -f -o x", "perf record -g -o x --", "py-spy record -o x --", "gdb --args"),
        *("mpirun -np 2 -x A=1", "srun -N 1 --ntasks 1", "watch -n 5", "sudo -u user -H"),
        *("systemd-run --user --unit name", "runuser -u user --", "hatch run", "doas -u user"),
    ],
)
def test_programs_that_run_another_one(before):
    assert commands(f"{before} srv --a\n") == [["srv", "--a"]]
    assert commands(f"{before} bash -c 'srv --a'\n") == [["srv", "--a"]]


def test_a_prefix_that_nobody_knows_stands_before_the_program():
    assert commands("f() { ${P}srv --a; $(pre)srv --b; }\n")[-2:] == [["srv", "--b"], ["pre"]]
    assert ["srv", "--a"] in commands("f() { ${P}srv --a; }\n")
    assert commands('"${P}srv" --a\n${P}/srv --b\n') == [["${P}srv", "--a"], ["${P}/srv", "--b"]]


# -- other languages --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("kubectl apply -f - <<EOF\nkind: x\nEOF\n", "yaml"),
        ("kubectl -n a create --filename=- <<'EOF'\nkind: x\nEOF\n", "yaml"),
        ("cat <<EOF | kubectl apply -f -\nkind: x\nEOF\n", "yaml"),
        ("cat > a.yaml <<EOF\nkind: x\nEOF\n", "yaml"),
        ("python3 - <<EOF\nkind: x\nEOF\n", "python"),
        ("python <<'EOF'\nkind: x\nEOF\n", "python"),
        ("docker exec -i name python3 - a b <<EOF\nkind: x\nEOF\n", "python"),
    ],
)
def test_a_body_has_the_language_of_its_reader(text, language):
    assert embedded(text) == [(language, "kind: x\n")]


def test_a_text_for_python_is_python():
    assert embedded('python3 -c "import x; x.y()"\n') == [("python", "import x; x.y()")]
    assert embedded("python -X dev -uc 'x'\n") == [("python", "x")]
    assert commands("python3 -c 'x'\n") == [["python3", "-c", "x"]]


@pytest.mark.parametrize("text", ["python a.py -c x\n", "python -m a -c x\n", "kubectl get -f x\n"])
def test_words_for_others_are_no_text(text):
    assert embedded(text) == []


# -- words ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("python3 -mpkg.mod --a", ["python3", "-m", "pkg.mod", "--a"]),
        ("python3 -um pkg.mod", ["python3", "-u", "-m", "pkg.mod"]),
        ("python -X dev -m pkg.mod", ["python", "-X", "dev", "-m", "pkg.mod"]),
        ("python -W ignore -Impkg", ["python", "-W", "ignore", "-I", "-m", "pkg"]),
        ("python run.py -mx", ["python", "run.py", "-mx"]),
    ],
)
def test_the_module_of_python_is_a_word(line, words):
    assert commands(line + "\n") == [words]


def test_a_module_that_is_glued_stands_behind_its_option():
    text = "python3 -mpkg.mod\n"
    (launch,) = only(Launch, text)
    assert quoted(text, launch.argv[2].span) == "pkg.mod"


def test_what_a_runner_brings_is_installed_for_the_command():
    text = "uv run --with 'pkg==1.2' --with other srv --a\nuvx --from pkg==1.3 srv serve\n"
    found = only(Requirement, text)
    assert [(item.name, item.version and item.version.text) for item in found] == [
        *(("pkg", "1.2"), ("other", None), ("pkg", "1.3")),
    ]
    assert all(item.runs for item in found)
    assert [launch.owner for launch in only(Launch, text)] == [found[0].owner, found[2].owner]
    assert all(launch.container for launch in only(Launch, text))


def test_the_files_of_variables_of_a_container_are_told():
    text = 'docker run --env-file .env --env-file="$D/conf/x.env" org/name:1 srv\n'
    found = [item for item in everything(text, "bin/run.sh") if isinstance(item, Uses)]
    assert [(use.target, use.how) for use in found] == [
        *((".env", "env-file"), ("bin/.env", "env-file")),
        *(("conf/x.env", "env-file"), ("bin/conf/x.env", "env-file")),
    ]
    assert quoted(text, found[0].span) == ".env"


def test_the_image_of_apptainer_is_told():
    text = "apptainer exec --nv --bind /a:/b docker://org/name:1 srv --a\n"
    (image,) = only(Image, text)
    assert image.reference.text == "org/name:1"
    assert commands(text) == [["srv", "--a"]]


# -- images in variables ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "reference"),
    [
        ("SERVER_IMAGE=org/name:1", "org/name:1"),
        ('export IMAGE="host.example:5000/org/name:1"', "host.example:5000/org/name:1"),
        ('image="org/name@sha256:0123abcd"', "org/name@sha256:0123abcd"),
        ("MY_IMAGE_X86=org/name:${TAG:-2}", "org/name:${TAG:-2}"),
    ],
)
def test_a_variable_that_is_named_for_an_image_holds_one(line, reference):
    text = f"{line}\nsrv\n"
    (image,) = only(Image, text)
    assert image.reference.written == reference
    assert not any(image.owner.holds(launch.owner) for launch in only(Launch, text))


def test_the_default_of_a_variable_is_an_image():
    text = 'SRV_IMAGE="${SRV_IMAGE:-org/name:1}"\n'
    (image,) = only(Image, text)
    (part,) = image.reference.readings[0]
    assert isinstance(part, Open)
    assert [piece.text for piece in part.default] == ["org/name:1"]
    assert quoted(text, image.span) == '"${SRV_IMAGE:-org/name:1}"'


@pytest.mark.parametrize(
    "line",
    ["IMAGE=name", "IMAGE_DIR=a/b", "IMAGE_URL=http://a/b:1", "NAME=org/name:1", "IMAGE=/a/b:1"],
)
def test_other_variables_hold_none(line):
    assert only(Image, f"{line}\n") == []


def test_an_image_in_use_is_joined_to_its_command():
    text = "IMAGE=org/name:1\ndocker run $IMAGE srv\n"
    first, second = only(Image, text)
    (launch,) = only(Launch, text)
    assert (quoted(text, first.span), quoted(text, second.span)) == ("org/name:1", "$IMAGE")
    assert second.owner.holds(launch.owner)


# -- files that are taken in ------------------------------------------------------------------


def test_a_path_behind_an_unknown_directory_is_told_whole():
    text = 'ROOT=$(pwd)\nDIR="${ROOT}/lib"\nsource "${DIR}/base.sh"\n'
    (use,) = only(Uses, text)
    assert use.target == "lib/base.sh"


def test_a_launch_that_another_file_puts_together_stands_where_its_options_are_written():
    library = 'start() {\nlocal c="srv --port $1"\nc="$c $2"\nrun "$c"\n}\nrun() { eval "$1"; }\n'
    text = 'for m in a b; do\nstart 1 "--mode $m --x"\ndone\nstart 2 "--mode c"\n'
    line = "source lib.sh\n"
    whole = Source("run.sh", line + text, "shell", Route("run.sh")).including(
        [(0, len(line), Source("lib.sh", library, "shell", Route("run.sh")))]
    )
    found, todo = [], [whole]
    while todo:
        for item in read(todo.pop(0)):
            (todo if isinstance(item, Source) else found).append(item)
    launches = [item for item in found if isinstance(item, Launch) and item.argv[0].text == "srv"]
    assert [[word.text for word in launch.argv] for launch in launches] == [
        ["srv", "--port", "1", "--mode", "a", "--x"],
        ["srv", "--port", "1", "--mode", "b", "--x"],
        ["srv", "--port", "2", "--mode", "c"],
    ]
    assert {launch.span.path for launch in launches} == {"run.sh"}
    assert quoted(line + text, launches[0].span).endswith("--mode")
    assert [quoted(line + text, word.span) for word in launches[0].argv[3:]] == [
        *("--mode", "a", "--x"),
    ]
    assert quoted(line + text, launches[2].span).endswith("--mode c")
    assert {launch.argv[0].span.path for launch in launches} == {"lib.sh"}


# -- texts made to hurt -----------------------------------------------------------------------

_CASE = "".join(f"a{n}) V=v{n}; W=w{n}; srv $V;;\n" for n in range(1000))
_CALLS = "".join(f"f{n}() {{ f{n + 1} a; f{n + 1} b; f{n + 1} c; }}\n" for n in range(30))


@pytest.mark.parametrize(
    ("text", "skipped"),
    [
        ("srv --a b\n" * 100_000, True),
        ("srv a;" * 100_000, True),
        ("if a; then A=1; B=2; else A=2; B=1; fi\nsrv $A $B\n" * 3_000, True),
        ("$(" * 10_000 + "srv" + ")" * 10_000, True),
        ("bash <<EOF\n" + "srv --a $X `id`\n" * 60_000 + "EOF\n", True),
        ("srv '" + "a b\n" * 100_000, False),
        (_CALLS + "f30() { srv $1; }\nf0\n", True),
        ("f() { f $1x; f $1y; g $@; }\ng() { f z; srv $@; }\nf a\n", False),
        (f"for i in 1 2 3 4 5 6 7 8; do\ncase $X in\n{_CASE}esac\ndone\n", True),
        ("case $X in a) A=1; B=2;; b) A=2; B=3;; esac\n" * 1_000 + 'eval "srv $A $B"\n', True),
        ("if a; then A=1; B=2;\n" * 5_000 + "fi\n" * 5_000, True),
        ("A=" + "ab" * 450 + "\n" + "srv ${A//*a*b*c/x} ${A##*a*b*c}\n" * 2_000, False),
        ("A=(" + "a " * 290 + ')\nsrv "${A[@]:1:200}" ${A[@]#a}\n' * 1_000, True),
        ("C=srv\n" + 'C="eval \\"$C\\""\n' * 40 + 'eval "$C"\n', False),
        ("srv " + "--a b " * 200_000, True),
    ],
)
def test_texts_made_to_be_slow_are_not(text, skipped):
    start = time.process_time()
    found = list(read(Source("x.sh", text, "shell", Route("x.sh"))))
    assert time.process_time() - start < 4  # half of it on an idle machine
    assert any(isinstance(item, Skip) for item in found) == skipped
