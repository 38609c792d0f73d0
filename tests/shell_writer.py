"""Makes up scripts for bash, of the kind that start servers: from a seed, always the same ones.

``cmd`` stands for the program, its first word names the place. Nothing else that is no part of
the shell is called, but for ``bash``, ``cat`` and ``env``.
"""

from __future__ import annotations

import random

SCALARS = ("V", "W", "E")
ARRAYS = ("A", "B")
TEXTS = ("a", "bc", "a/b:c.d", "--x=1", "-t", "7", "x_y", "http://h:1/v")
WIDE = ("a b", "  a", "--p 1 --q 2", "", "it's", 'say "x"', "tab\there", "$V", "a\\b", "é ü")
HEAD = """V='a b' W=x/y:z E='' N=3
A=(p 'q r' --s) B=()
set -- 1 'two words' -3
unset U
"""


class Writer:
    """Writes one script. ``sure``: nothing in it depends on what a command answers."""

    def __init__(self, seed: int, *, sure: bool) -> None:
        self._random = random.Random(f"{seed} {sure}")
        self._sure = sure
        self._places = 0
        self._names = 0
        self._functions: list[str] = []
        self._depth = self._loops = 0

    def script(self) -> str:
        """The whole script, ended by a command that shows all variables."""
        lines = [HEAD, *(self.statement(2) for _ in range(self._random.randint(3, 7)))]
        shown = '"$V" "$W" "${E}" "${N}" "${A[@]}" "${B[@]}" "$@"'
        return "\n".join((*lines, f"cmd {self.place()} {shown}", ""))

    def place(self) -> str:
        """A word that no other place has."""
        self._places += 1
        return f"@{self._places}"

    def pick(self, *choices):
        """One of some texts, or what one of some methods makes."""
        chosen = self._random.choice(choices)
        return chosen if isinstance(chosen, str) else chosen()

    # -- words --------------------------------------------------------------------------------

    def word(self) -> str:
        """A word, of one or more atoms."""
        count = self._random.choice((1, 1, 1, 2, 3))
        return "".join(self.atom() for _ in range(count))

    def atom(self) -> str:
        return self.pick(self.plain, self.plain, self.quoted, self.bare, self.bare, self.braces)

    def plain(self) -> str:
        return self._random.choice(TEXTS)

    def quoted(self) -> str:
        text = self._random.choice((*TEXTS, *WIDE))
        single = "'" + text.replace("'", "'\\''") + "'"
        ansi = "$'" + text.replace("\\", "\\\\").replace("'", "\\'").replace("\t", "\\t") + "'"
        parts = (self._random.choice((self.safe, self.expansion))() for _ in range(3))
        return self.pick(single, single, ansi, f'"{"".join(parts)}"', "x\\ y", "\\$V", '"\\"\\$V"')

    def safe(self) -> str:
        """A text that means itself in double quotes."""
        return self._random.choice((*TEXTS, "a b", " ", "it's", "{a,b}", "~", "*", ""))

    def bare(self) -> str:
        return self.expansion()

    def expansion(self) -> str:
        return self.pick(
            self.parameter, self.parameter, self.operated, self.cut, self.element, self.arithmetic,
            self.printed,
        )  # fmt: skip

    def parameter(self) -> str:
        name = self._random.choice((*SCALARS, "N", "1", "2", "U"))
        return self.pick(f"${name}", f"${{{name}}}", "$@", "$*", "$#", "${4}")

    def operated(self) -> str:
        name = self._random.choice((*SCALARS, "U", "1", "4"))
        operator = self._random.choice((":-", "-", ":+", "+"))
        operand = self.pick("d", "d/e", "$W", "${W:-x}", "x-$N", "'q'" if self._sure else "q", "")
        return f"${{{name}{operator}{operand}}}"

    def cut(self) -> str:
        name = self._random.choice((*SCALARS, "1", "2"))
        operator = self._random.choice(
            ("#*/", "##*/", "%/*", "%%:*", "#a", "%b", "/a/z", "//a/z", "/#a/z", "/%b/z", "//\\//-",
             ":1", ":0:2", ": -2", ":1:1", "^^", ",,", "^", "/ /_", "//[a-c]/z", "#?", "%%[.:]*")
        )  # fmt: skip
        return self.pick(f"${{{name}{operator}}}", f"${{#{name}}}")

    def element(self) -> str:
        name = self._random.choice(ARRAYS)
        return self.pick(
            f"${{{name}[@]}}", f"${{{name}[*]}}", f"${{{name}[0]}}", f"${{{name}[1]}}", f"${name}",
            f"${{#{name}[@]}}", f"${{{name}[@]:1}}", f"${{{name}[@]:0:1}}", f"${{{name}[@]:1:2}}",
            f"${{{name}[@]: -1}}", f"${{{name}[@]#-}}", f"${{{name}[@]+x}}", f"${{{name}[@]:-d}}",
            "${@:2}", "${@:1:1}", "${@:0:2}", "${@: -1}", f"${{{name}[N-2]}}",
        )  # fmt: skip

    def arithmetic(self) -> str:
        number = self._random.randint(0, 9)
        text = self.pick(
            f"N + {number}", f"$N*{number}", f"(N-1)*{number}+1", "-N", f"{number} / 2", "N % 2",
            f"N > {number}", f"N << {number}", f"N ? {number} : 1", "010", "N == 3 && 1",
        )  # fmt: skip
        return f"$(({text}))"

    def printed(self) -> str:
        return f"$(echo {self.pick('a', 'a b', '$W', '${V}', '$V')})"

    def braces(self) -> str:
        return self.pick("{0..3}", "{a,b}", "x{1,2}y", "{a,'b c'}", '{"$W",c}', "{03..1}", "{d}")

    def words(self, most: int = 4) -> str:
        return " ".join(self.word() for _ in range(self._random.randint(0, most)))

    # -- statements ---------------------------------------------------------------------------

    def statement(self, depth: int) -> str:
        """A statement; ``depth`` more may be inside each other."""
        flat = (
            *(self.command, self.command, self.assignment, self.assignment, self.array),
            *(self.set, self.shell, self.fed, self.string),
        )
        deep = (self.function, self.loop, self.group, self.branch)
        makers = (*flat, *deep) if depth else flat
        maker = self._random.choice(makers)
        return maker(depth - 1) if maker in deep else maker()

    def block(self, depth: int) -> str:
        """Some statements, one a line; the functions in them are called nowhere else."""
        known, self._functions = self._functions, []
        lines = [self.statement(depth) for _ in range(self._random.randint(1, 3))]
        self._functions = known
        return "\n".join(lines)

    def command(self) -> str:
        before = self.pick("", "", "", f"V={self.word()} ", "env K=1 ")
        after = self.pick("", "", "", " 2>&1", " # it's", " </dev/null", " \\\n  " + self.word())
        called = f"{self._random.choice(self._functions)} " if self._functions else ""
        if called and self._random.random() < 0.4:
            return f"{called}{self.words()}"
        return f"{before}cmd {self.place()} {self.words()}{after}"

    def assignment(self) -> str:
        name = self._random.choice(SCALARS)
        how = self.pick("export ", "declare ", "export ")
        number = f"N={self._random.randint(0, 5)}; : $((N+1))"
        return self.pick(
            f"{name}={self.word()}", f"{how}{name}={self.quoted()}", f"{name}+={self.word()}",
            f"unset {name}" if self._depth == 0 else f"{name}=", number,
            f"read -r {name} W <<< {self.quoted()}",
            f"printf -v {name} '%s' {self.plain()}", f": ${{{name}:={self.plain()}}}",
        )  # fmt: skip

    def array(self) -> str:
        name = self._random.choice(ARRAYS)
        if not self._sure and self._random.random() < 0.2:
            return self.pick(f"{name}[5]=far", f"read -r -a {name} <<< {self.quoted()}", "A[1]=z")
        return self.pick(
            f"{name}=({self.words()})", f"{name}+=({self.words()})", f"{name}+=({self.word()})",
            f"{name}=(a b c); {name}[1]={self.word()}",
            f"{name}=(\"${{{name}[@]}}\" # it's\n  {self.word()}\n)",
            f"{name}[0]+=z", f"unset {name}", f'{name}=("${{{name}[@]:1}}")',
        )  # fmt: skip

    def set(self) -> str:
        if self._loops:
            return self.pick("shift", 'set -- "$@" z')
        return self.pick(f"set -- {self.words()}", "shift", "shift 2", 'set -- "$@" z', ": x")

    def function(self, depth: int) -> str:
        self._names += 1
        name = f"f{self._names}"
        local = self.pick("", f"  local V={self.quoted()} W\n", '  local E="$1"; shift\n')
        leave = self.pick("", "", "\n  return 0\n  cmd never")
        self._depth += 1
        body = self.block(depth)
        self._depth -= 1
        self._functions.append(name)
        head = self.pick(f"{name}() {{", f"function {name} {{")
        return f"{head}\n{local}{body}{leave}\n}}\n{name} {self.words()}"

    def loop(self, depth: int) -> str:
        self._loops += 1
        body = self.block(depth)
        self._loops -= 1
        self._names += 1
        x = f"x{self._names}"
        leave = self.pick("", "", f'[ "${x}" = a ] && break', f'[ -n "${x}" ] || continue')
        leave = "" if self._sure else leave
        some = f"for {x} in a 'b c' \"$W\"; do"
        head = self.pick(
            some, some, f"for {x} in {{1..2}}; do", f'for {x} in "${{A[@]}}"; do', f"for {x}; do",
        )  # fmt: skip
        counted = f"for (({x}=0;{x}<{self._random.randint(0, 3)};{x}++)); do"
        unsure = self.pick(
            f"{x}=0; while [ ${x} -lt 2 ]; do {x}=$(({x}+1))",
            f"{x}=0; until (({x} == 2)); do (({x}+=1))",
        )
        head = self.pick(head, head, counted, head if self._sure else unsure)
        return f'{head}\ncmd {self.place()} "${x}"\n{body}\n{leave}\ndone'

    def group(self, depth: int) -> str:
        body = self.block(depth)
        return self.pick(
            f"{{ {body}\n}}", f"( {body}\n)", f"{{ {body}\n}} >/dev/null", f"( {body}\n) &\nwait"
        )

    def branch(self, depth: int) -> str:
        if self._sure:
            return self.command()
        one, two = self.block(depth), self.block(depth)
        test = self.pick(
            '[ "$V" = x ]', "[[ $N -gt 2 ]]", "(( N > 2 ))", "true",
            "false", "[ $# -gt 1 ]", '[ -n "$V" ]', "[[ -n $E ]]", '[ -z "$W" ]',
        )  # fmt: skip
        return self.pick(
            f"if {test}; then\n{one}\nelse\n{two}\nfi", f"if {test}; then\n{one}\nfi",
            f"if {test}; then\n:\nelif true; then {one}\nfi", f"{test} && {self.command()}",
            f"case $N in\n1|2) {one}\n;;\n3)\n{two}\n;;\nesac",
            f'case "$V" in\n"a b"*) {one}\n;;\n*) {two}\n;;\nesac',
            f"{test} || {{ {one}\n}}", f"! {test}",
        )  # fmt: skip

    def shell(self) -> str:
        """Text for another shell, or for this one once more."""
        text = f"cmd {self.place()} " + self.pick("a 'b c'", "$V", '"$W" \\$V', "$*", "{a,b}")
        single = "'" + text.replace("'", "'\\''") + "'"
        double = '"' + text.replace('"', '\\"') + '"'
        return self.pick(
            f"bash -c {single}", f"bash -c {double}", f"eval {single}", f"eval {double}",
            f"bash -lc {single} x y", f"env W=w bash -c {single}", f"eval {text}",
        )  # fmt: skip

    def fed(self) -> str:
        words = self.pick("a 'b c'", "$V", '"$W" \\$V', "$1", "${W:-x}", "$N")
        text = f"cmd {self.place()} {words}"
        delimiter = self.pick("EOF", "'EOF'", '"EOF"')
        end = delimiter.strip("'\"")
        return self.pick(
            f"bash <<{delimiter}\n{text}\n{end}", f"cat <<{delimiter} | bash\n{text}\n{end}",
            f"bash -s a b <<-{delimiter}\n\t{text}\n\t{end}",
            f"bash <<< '{text.replace(chr(39), '')}'",
            f"cat >/dev/null <<{delimiter}\n{text.replace('@', '%')}\n{end}",
        )  # fmt: skip

    def string(self) -> str:
        """A command that is put together in a variable."""
        text = f"cmd {self.place()} " + self.pick("a b", "--x $W", "--x ${N} 'q'", "$V")
        more = self.pick("", ' C+=" --more $W"', ' C="$C ${V:+--v}"', " C+=' z'")
        run = self.pick("$C", "${C}", "$C last", 'eval "$C"', "eval $C", '"${D[@]}"')
        if "D" in run:
            return f'D=(cmd {self.place()} "$W")\nD+=({self.words()})\n{run} {self.word()}'
        return f'C="{text}"{";" if more else ""}{more}\n{run}'
