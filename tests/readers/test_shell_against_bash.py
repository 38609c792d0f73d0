"""What the shell reader says is known is what bash does: both run the same scripts.

``cmd`` prints its words; its first word names the place. A word that the
reader knows must be the word that bash passes, in every run of that place.
"""

from __future__ import annotations

import shutil
import subprocess

import pytest

from servelint.facts import Launch
from servelint.readers.shell import read
from servelint.source import Route, Source

BASH = shutil.which("bash")
pytestmark = pytest.mark.skipif(BASH is None, reason="bash is not installed")

CMD = 'cmd() { printf \'%s\\0\' "$#" "$@"; }\n'

SCRIPTS = {
    "quotes": """cmd q 'a b' "c d" e\\ f 'g'"h"i "" ''
cmd r "x\\"y" "a\\b" $'t\\tx\\x41\\u00e9' \\$x "\\$x" """,
    "quote in quote": """cmd q 'it'"'"'s' "it's" 'say "x"' "a'b'c" """,
    "continuation": 'cmd q a \\\n  b\\\nc \\\n  "d\\\ne"\n',
    "continued redirection": "cmd q a \\\n  > /dev/stdout\ncmd r >/dev/stdout a \\\n 2>&1 b",
    "comment in continuation": "cmd q a \\\n # no \\\n",
    "blank behind backslash": "cmd q a \\ \ncmd r",
    "comments": "cmd q a # b\ncmd r a#b '#c' # d",
    "variables": 'A=1 B="x y"; cmd q $A ${A} "$A$B" $B "${B}" $A$B pre$B',
    "splitting": 'A=" a  b "; cmd q $A "$A" -$A- $A$A "x"$A; E=; cmd r $E "$E" x$E',
    "assignment does not split": 'A="a  b"; B=$A; cmd q "$B"; C=x$A"$A"; cmd r "$C"',
    "append": 'A=a; A+=b; A+=" c"; cmd q "$A" $A; unset B; B+=x; cmd r "$B"',
    "arrays": 'A=(a "b c" d\\ e); cmd q "${A[@]}" ${A[@]} "${A[*]}" ${A[1]} "${A[1]}" "$A"',
    "array append": 'A=(); A+=(--x); A+=("y z" $"w"); cmd q "${A[@]}" "x${A[@]}y"',
    "array with comments": 'A=(a # b c\n  # d\n  e\n)\ncmd q "${A[@]}"',
    "array elements": 'A=(a b c); A[1]=x; A[3]=d; cmd q "${A[@]}" "${A[-1]}" "${A[9]}"',
    "empty arrays": 'A=(); cmd q "${A[@]}" ${A[@]} x"${A[@]}"y ${A[@]+"z"} "${A[*]}"',
    "array in array": 'A=(a "b c"); B=(x "${A[@]}" y); C="${A[@]}"; cmd q "${B[@]}" "$C"',
    "empty element": 'A=(a ""); cmd q ${A[*]}x "${A[@]}" ${A[*]}',
    "defaults": 'A=1; E=; cmd q ${A:-x} ${E:-x y} "${E:-x y}" ${E-z} "${E-z}" ${A:+w} "${E:+w}"',
    "unset defaults": 'unset U; cmd q ${U:-"a b"} ${U-a b} "${U:-\'c\'}" ${U:+x} "${U+x}" "${U}"',
    "assigning defaults": 'unset U V; cmd q ${U:=a b} "$U" "${V=c  d}" $V; : ${U:=z}; cmd r "$U"',
    "nested defaults": 'unset U V; W=w; cmd q ${U:-${V:-$W}} "${U:-x${V:-"y z"}}"',
    "braces": "cmd q {a,b}c {0..3} {03..1} x{1,2}{a,b} {a,{b,c}} {a..c}"
    ' {a} {,x} {a,b "{a,b}" {5..1..2}',
    "braces with variables": 'A=1; cmd q {"$A",b} {${A},c} x{a,$A}; A={1,2}; cmd r "$A" {$A}',
    "dollar brace": "B3=x; B=y; cmd q ${B}{1,2}",
    "tilde": "HOME=/h; cmd q ~ ~/x '~' a~ \"~\" p=~/y --p=~/z; A=~/a:~/b; cmd r $A",
    "arithmetic": 'A=3; cmd q $((A + 2)) $(( (1+2)*A )) "$((-7/2))" $((7%3)) x$((A))y $((010))',
    "echo substitution": 'A="a  b"; cmd q $(echo x "y  z") "$(echo $A)" "$(echo "$A")"',
    "positional": 'set -- a "b c"; cmd q "$1" "$2" "$@" $* "$*" $# "${1}x" "x$@y" ${3:-z}',
    "shift": 'set -- a b c; shift; cmd q "$@"; shift 2; cmd r "$@" $#; set --; cmd s "$@"',
    "functions": 'f() { cmd q "$1" "$@" ${2:-none}; }; f a "c d"; f() { cmd r "$@"; }; f x; f y',
    "function scope": 'A=1; f() { local A=2 B; B=3; C=4; cmd q $A; }; f; cmd r $A "$B" $C',
    "value at call": "A=1; f() { cmd q $A; A=3; }; A=2; f; cmd r $A",
    "nested calls": 'g() { cmd q "$1-$2"; }; f() { g "$1" x; cmd r "$1"; }; f a; f b',
    "function environment": 'f() { cmd q "$A"; }; A=1; A=2 f; cmd r "$A"',
    "local in a branch": (
        "A=1; f() { if [ $1 ]; then local A=2; fi; A=3; }; f x; cmd q $A; f; cmd r $A"
    ),
    "loop that changes its number": (
        "for ((i=0;i<3;i++)); do for ((i=0;i<3;i++)); do cmd q $i; done; cmd r x; done; cmd s $i"
    ),
    "early return": 'f() { A=1; if [ "$1" ]; then return; fi; A=2; }; f; cmd q $A; f x; cmd r $A',
    "if": 'if [ -d / ]; then A=a; else A=b; fi; cmd q "$A"; if false; then A=c; fi; cmd r "$A"',
    "elif": "X=2; if [ $X = 1 ]; then A=a; elif [ $X = 2 ]; then A=b; else A=c; fi; cmd q $A",
    "case": "X=b; case $X in a) A=1;; b|c) A=2;; *) A=3;; esac; cmd q $A",
    "case that falls through": "X=a A=0 B=0; case $X in a) A=1;& b) B=$A;; *) B=9;; esac;"
    " cmd q $A $B",
    "lists": "A=1; true && A=2; cmd q $A; false && A=3; cmd r $A; false || A=4; cmd s $A",
    "list with exit": "A=1; (true || exit 1; cmd q $A); [ -d / ] || { A=2; exit; }; cmd r $A",
    "for": 'for x in a "b c" d; do cmd q "$x" x"$x"y; done; cmd r "$x"',
    "for builds": 'L=() S=; for p in 1 2; do L+=(--d "h:$p"); S="$S $p"; done; cmd q "${L[@]}" $S',
    "for over array": 'A=(a "b c"); for x in "${A[@]}"; do cmd q "$x"; done;'
    " for x; do cmd r; done; cmd s",
    "counted": "for ((i=0;i<3;i++)); do cmd q $i $((8000+i)); done;"
    " for ((;;)); do break; done; cmd r",
    "break": "for x in a b c; do A=$x; [ $x = b ] && break; A=z; done; cmd q $A",
    "continue": 'A=; for x in a b; do [ $x = a ] && continue; A=$x; done; cmd q "$A"',
    "break in the background": (
        "for x in a; do { true && break; cmd q $x; } 2>/dev/null & wait; done"
    ),
    "line ends the grammar overlooks": (
        'A="" B="" C="" D=""\nfor p in "$A" b; do cmd q "$p"; done\nX=1 \\\nY=$X\ncmd r $Y\n'
        'cmd s ${X}.2\ncmd t u\n[ "$#" -gt 1 ] && cmd u "$1" || cmd v "$Y"\ncmd w x\n'
    ),
    "while": "i=0; while [ $i -lt 3 ]; do cmd q $i; i=$((i+1)); done; cmd r $i; i=9; cmd s $i",
    "while sets": "n=0; while [ $n -lt 2 ]; do n=$((n+1)); A=x; cmd q $A; done; cmd r $A",
    "subshell": "A=1; (A=2; cmd q $A); cmd r $A; { A=3; }; cmd s $A; A=4 | cat; cmd t $A",
    "background": "A=1; { A=2; cmd q $A; } & wait; cmd r $A",
    "pipeline": "A=1; cmd q $A | cat; echo x | { read -r y; A=2; cmd r $A; }; cmd s $A",
    "prefix": 'A=1; A=2 cmd q "$A"; cmd r "$A"; B=x C=$A true; cmd s "$A" "${B-none}"',
    "export": 'export A=1 B="x y"; export C; readonly D=$B; declare E=4; cmd q $A "$B" "$D" $E',
    "export braces": 'export A={x,y}; B={x,y}; cmd q "$A" "$B"',
    "unset": 'A=1; unset A; cmd q "$A" ${A-x}; B=(a b); unset B; cmd r "${B[@]}"',
    "eval": 'eval \'A=1; cmd q a "b c"\'; X=\'cmd r "d e" f\'; eval "$X"; eval cmd s \'"g h"\'',
    "heredoc": "A=1; cat <<EOF >/dev/null\ncmd q $A\nEOF\ncmd r $A;"
    " cat <<'EOF' >/dev/null\n it's\nEOF\ncmd s",
    "here string": 'A=1; cat <<<"x $A" >/dev/null; cmd q <<< y a',
    "read": "read A B <<< '1 2'; cmd q x; while read -r l; do L=$l; done < /dev/null; cmd r",
    "field separator": 'A=a,b; B="a b"; IFS=,; C=("x y" z); cmd q $B "${C[*]}" "$A";'
    " unset IFS; cmd r $B",
    "patterns": "cmd q '*' a[b]c pkg[all]==1.* https://x/y?z \"*\"; A='*'; cmd r \"$A\"; cmd s *",
    "unicode": 'é=1; A="naïve 世界"; cmd q $A "$A" \'ü\' é{a,b}',
    "operators": "A=1;cmd q $A;cmd r $A&&cmd s $A||cmd t\ncmd u $A&wait",
    "negation": "! cmd q a; if ! cmd r b; then cmd s; fi",
    "group with redirection": "{ cmd q a; } >/dev/stdout 2>&1; (cmd r b) 2>/dev/null",
}


def run_bash(script, tmp_path):
    """The words of every run of ``cmd``, by the first of them."""
    done = subprocess.run(
        [BASH, "-c", CMD + script],
        capture_output=True,
        check=False,
        cwd=tmp_path,
        env={"PATH": "/usr/bin:/bin", "HOME": "/h", "LC_ALL": "C.UTF-8"},
        timeout=20,
    )
    fields = done.stdout.decode().split("\0")[:-1]
    runs = {}
    while fields:
        count = int(fields[0])
        words, fields = fields[1 : count + 1], fields[count + 1 :]
        runs.setdefault(words[0], []).append(words)
    return runs


def run_reader(script):
    """The launches of ``cmd``, by the text of their first word."""
    found, todo = {}, [Source("x.sh", script, "shell", Route("x.sh"))]
    while todo:
        for item in read(todo.pop(0)):
            if isinstance(item, Source):
                todo.append(item)
            elif isinstance(item, Launch) and item.argv[0].text == "cmd":
                found.setdefault(item.argv[1].text, []).append(item)
    return found


@pytest.mark.parametrize("name", SCRIPTS)
def test_known_words_are_those_that_bash_passes(name, tmp_path):
    script = SCRIPTS[name]
    ran = run_bash(script, tmp_path)
    found = run_reader(script)
    assert ran, "the script runs nothing"
    assert ran.keys() <= found.keys()
    compared = 0
    for place, runs in ran.items():
        (launch,) = found[place]
        texts = [word.texts for word in launch.argv[1:]]
        if None in texts:
            continue
        compared += 1
        for words in runs:
            assert len(words) == len(texts)
            for word, known in zip(words, texts, strict=True):
                assert word in known
    assert compared


def test_single_values_are_exact(tmp_path):
    """Without a condition nothing has to stay open."""
    for name in ("quotes", "variables", "arrays", "braces", "positional", "for builds", "eval"):
        ran, found = run_bash(SCRIPTS[name], tmp_path), run_reader(SCRIPTS[name])
        for place, (words, *others) in ran.items():
            (launch,) = found[place]
            assert [word.text for word in launch.argv[1:]] == words, name
            assert not others
