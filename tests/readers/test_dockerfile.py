"""Dockerfiles: stages and their images, variables, what is run and what is started."""

from __future__ import annotations

import textwrap
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from servelint.bind import bind
from servelint.facts import Env, Image, Launch, Requirement
from servelint.finding import Skip
from servelint.read import read as read_all
from servelint.readers import claim, dockerfile
from servelint.readers.dockerfile import read, scope
from servelint.source import Route, Segment, Source, Span
from servelint.value import Open, Text, Unknown, known

PATH = "Dockerfile"


def items(text, path=PATH):
    return list(read(Source(path, text, "dockerfile", Route(path))))


def of_kind(text, kind, path=PATH):
    return [item for item in items(text, path) if isinstance(item, kind)]


def quote(text, thing):
    span = thing if isinstance(thing, Span) else thing.span
    return text[span.start : span.end]


def steps(item):
    return item.owner.steps


def default_of(value):
    """The text of a value when every default holds; None when that does not tell it."""
    return scope.settled(value.readings[0])


def images(text):
    return [(steps(image), default_of(image.reference)) for image in of_kind(text, Image)]


def one_image(text):
    (image,) = of_kind(text, Image)
    return image


def sources(text, language="shell"):
    return [item for item in of_kind(text, Source) if item.language == language]


def words(launch):
    return [word.text for word in launch.argv]


# -- images and stages ----------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "reference"),
    [
        ("FROM reg.example:5000/a/engine:v1", "reg.example:5000/a/engine:v1"),
        ("from engine", "engine"),
        ("  FROM\tengine:v1 \t", "engine:v1"),
        ("FROM --platform=linux/amd64 engine:v1 AS x", "engine:v1"),
        (
            "FROM --platform=$BUILDPLATFORM \\\n  # why\n  engine:v1@sha256:0a as Final",
            "engine:v1@sha256:0a",
        ),
        ('FROM "engine:v1"', "engine:v1"),
        ("FROM 'engine:v1' AS x", "engine:v1"),
        ("ONBUILD FROM engine:v1", "engine:v1"),
    ],
)
@pytest.mark.parametrize("line_break", ["\n", "\r\n"])
def test_the_image_of_a_stage_is_quoted_without_what_stands_around_it(line, reference, line_break):
    text = f"# é\n{line}\n".replace("\n", line_break)
    image = one_image(text)
    assert image.reference.text == reference
    assert quote(text, image) == reference
    assert quote(text, image.reference) == reference
    assert steps(image) == ("stage", 0)


def test_a_stage_that_starts_from_an_earlier_one_runs_the_image_of_that_one():
    text = "FROM engine:v1 AS Base\nFROM base AS mid\nFROM other\nFROM MID\n"
    assert images(text) == [
        (("stage", 0), "engine:v1"),
        (("stage", 1), "engine:v1"),
        (("stage", 2), "other"),
        (("stage", 3), "engine:v1"),
    ]
    assert {quote(text, image) for image in of_kind(text, Image)} == {"engine:v1", "other"}


def test_only_an_earlier_stage_is_one():
    assert images("FROM base AS base\nFROM late\nFROM x AS late\n") == [
        (("stage", 0), "base"),
        (("stage", 1), "late"),
        (("stage", 2), "x"),
    ]


def test_the_last_stage_of_a_name_is_meant():
    assert images("FROM a AS x\nFROM b AS x\nFROM x\n")[-1] == (("stage", 2), "b")


def test_scratch_is_no_image():
    assert images("ARG NONE=scratch\nFROM scratch AS x\nFROM x\nFROM $NONE\nCOPY a /a\n") == []


def test_a_default_may_name_a_stage():
    text = "ARG KIND=gpu\nFROM engine:v1 AS base-gpu\nFROM base-${KIND}\n"
    assert images(text) == [(("stage", 0), "engine:v1"), (("stage", 1), "engine:v1")]


@pytest.mark.parametrize(
    ("line", "owner", "reference"),
    [
        ("COPY --from=tools:v2 /a /b", ("stage", 1, "copy", 0), "tools:v2"),
        ("COPY --chown=a --from=tools:v2 /a /b", ("stage", 1, "copy", 0), "tools:v2"),
        ('COPY --from="tools:v2" ["/a", "/b"]', ("stage", 1, "copy", 0), "tools:v2"),
        ("RUN --mount=type=bind,from=tools:v2,target=/t ls", ("stage", 1, "mount", 0), "tools:v2"),
        ("RUN --network=none --mount=from=tools:v2 ls", ("stage", 1, "mount", 0), "tools:v2"),
        ("ONBUILD COPY --from=tools:v2 /a /b", ("stage", 1, "copy", 0), "tools:v2"),
    ],
)
def test_an_image_that_only_gives_files_is_owned_below_the_stage(line, owner, reference):
    text = f"FROM a AS first\nFROM engine\n{line}\n"
    image = of_kind(text, Image)[-1]
    assert steps(image) == owner
    assert image.reference.text == reference
    assert quote(text, image).strip('"').removeprefix('--from="') == reference


@pytest.mark.parametrize("name", ["first", "FIRST", "0", "last"])
def test_files_of_a_stage_come_from_no_image(name):
    text = (
        f"FROM a AS first\nFROM b AS last\nCOPY --from={name} /a /b\nRUN --mount=from={name} ls\n"
    )
    assert images(text) == [(("stage", 0), "a"), (("stage", 1), "b")]


# -- build arguments --------------------------------------------------------------


def test_a_default_is_reached_through_the_open_name():
    text = 'ARG REPO=reg/engine\nARG TAG="v1"\nFROM ${REPO}:$TAG\n'
    (reading,) = one_image(text).reference.readings
    repo, colon, tag = reading
    assert (repo.name, repo.text, colon) == ("ARG REPO", "${REPO}", Text(":"))
    assert (tag.name, tag.text, [part.text for part in tag.default]) == ("ARG TAG", "$TAG", ["v1"])
    assert [quote(text, span) for part in tag.default for span in part.trail] == ["v1"]
    assert quote(text, one_image(text)) == "${REPO}:$TAG"


def test_a_default_made_of_defaults_keeps_every_place():
    text = "ARG V=1.0\nARG T=v${V}\nFROM e:${T}\n"
    (image,) = bind(of_kind(text, Image))
    assert image.reference.text == "e:v1.0"
    last = image.reference.readings[0][-1]
    assert (last.text, [quote(text, span) for span in last.trail]) == ("1.0", ["v${V}", "1.0"])


@pytest.mark.parametrize(
    ("arguments", "word", "expected"),
    [
        ("ARG T=v1", "e:${T}", "e:v1"),
        ("ARG T=v1", "e:${T:-v2}", "e:v1"),
        ("ARG T", "e:${T:-v2}", "e:v2"),
        ("ARG T=", "e:${T:-v2}", "e:v2"),
        ("ARG T=", "e:${T-v2}", "e:"),
        ("ARG T", "e:${T-v2}", "e:v2"),
        ("", "e:${T:-v2}", "e:v2"),
        ("", "e:v1${T:+-x}", "e:v1"),
        ("ARG U=3", "${T:-e:v${U}}", "e:v3"),
        ("ARG U", "e:${T:-${U:-v4}}", "e:v4"),
        ("ARG T=v1", "e:${T:+x-$T}", "e:x-v1"),
        ("ARG T=", "e:v1${T:+-$T}", "e:v1"),
        ("ARG T=", "e:v1${T+-x}", "e:v1-x"),
        ("ARG T", "e:v1${T:+-$T}", "e:v1"),
        ("ARG T=v1.2.3", "e:${T#v}", "e:1.2.3"),
        ("ARG T=v1.2.3", "e:${T%.*}", "e:v1.2"),
        ("ARG T=v1.2.3", "e:${T%%.*}", "e:v1"),
        ("ARG T=v1.2.3", "e:${T##*.}", "e:3"),
        ("ARG T=v1.2.3", "e:${T#*.}", "e:2.3"),
        ("ARG T=v1.2.3", "e:${T#x}", "e:v1.2.3"),
        ("ARG T=v1.2.3", "e:${T//./-}", "e:v1-2-3"),
        ("ARG T=v1.2.3", "e:${T/./}", "e:v12.3"),
        ("ARG T=v1", "e:${T:?unset}", "e:v1"),
        ("ARG T='a b'\nARG T=v2", "e:$T", "e:v2"),
        ("ARG A=1 T=v$A", "e:$T", "e:v1"),
        ("ARG T=v1", r"e:\$T", "e:$T"),
        ("ARG T=v1", "'e:$T'", "e:$T"),
        ("ARG T=v1", '"e:$T"', "e:v1"),
        ("ARG T=v1", "e:$T$", "e:v1$"),
        ("ARG T", "e:$T", None),
        ("", "e:$T", None),
        ("ARG T", "e:${T#v}", None),
        ("ARG T=v1", "e:${T/[v]/*}", "e:v1"),
        ("ARG T=v1", "e:${T/*/x}", None),
        ("", "e:$TARGETARCH", None),
        ("ARG TARGETARCH", "e:${TARGETARCH:-amd64}", None),
        ("ARG T=$BUILDOS", "e:$T", None),
        ("ARG TARGETARCH=arm64", "e:$TARGETARCH", "e:arm64"),
        ("", "e:{{ tag }}", None),
    ],
)
def test_substitution_before_the_first_stage(arguments, word, expected):
    assert images(f"{arguments}\nFROM {word} AS x\n") == [(("stage", 0), expected)]


def test_what_cannot_be_known_says_why():
    def part(text):
        return one_image(text).reference.readings[0][-1]

    assert part("ARG T\nFROM e:$T\n") == Open("ARG T", "$T")
    assert part("FROM e:${T}\nARG T=1\n") == Unknown("unset-variable", "${T}")
    assert part("FROM e:${TARGETARCH}\n") == Unknown("runtime-value", "${TARGETARCH}")
    assert part("FROM e:{{ tag.of }}\n") == Unknown("template-function", "{{ tag.of }}")


def test_an_argument_of_a_stage_is_not_seen_by_the_next_from():
    text = "FROM a\nARG T=v1\nFROM e:$T\n"
    assert of_kind(text, Image)[1].reference.reason == "unset-variable"


def test_a_build_argument_closes_what_is_open_and_no_variable_of_the_image_does():
    text = "ARG T=v1\nFROM e:${T}\nARG T\nENV T=other U=$T V=${W}\n"
    given = Env(
        span=Span("x", 0, 2), owner=Route(PATH), name="ARG T", value=known("v9", Span("x", 0, 2))
    )

    def bound(*extra):
        facts = bind([*extra, *of_kind(text, Image), *of_kind(text, Env)])
        first = {
            fact.name: fact.value
            for fact in facts
            if isinstance(fact, Env) and fact.span.path == PATH
        }
        (image,) = [fact for fact in facts if isinstance(fact, Image)]
        return image.reference.text, first["U"].text, first["V"].reason

    assert bound() == ("e:v1", "v1", "unset-variable")
    assert bound(given) == ("e:v9", "v9", "unset-variable")


# -- the environment -------------------------------------------------------------------


def variables(text, owner=("stage", 0)):
    return {env.name: default_of(env.value) for env in of_kind(text, Env) if steps(env) == owner}


def test_both_forms_of_env():
    text = (
        "FROM a\nENV ONE=1 TWO=\"2 2\" THREE=a\\ b\nENV FOUR  4 = four # 4\nENV FIVE= SIX='$ONE'\n"
    )
    assert variables(text) == {
        "ONE": "1",
        "TWO": "2 2",
        "THREE": "a b",
        "FOUR": "4 = four # 4",
        "FIVE": "",
        "SIX": "$ONE",
    }
    quoted = {env.name: (quote(text, env), quote(text, env.value)) for env in of_kind(text, Env)}
    assert quoted["TWO"] == ('TWO="2 2"', "2 2")
    assert quoted["FOUR"] == ("FOUR  4 = four # 4", "4 = four # 4")
    assert quoted["SIX"] == ("SIX='$ONE'", "$ONE")


def test_an_env_sees_what_was_set_before_its_line():
    text = "FROM a\nENV A=1\nENV A=2 B=$A\nENV C=$A\n"
    found = of_kind(text, Env)
    assert [(env.name, default_of(env.value)) for env in found if steps(env) == ("stage", 0)] == [
        *(("A", "1"), ("A", "2"), ("B", "1"), ("C", "2")),
    ]
    (part,) = found[3].value.readings[0]
    assert [quote(text, span) for span in part.trail] == ["2"]


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("x", "x"),
        ("$KNOWN", "v1"),
        ("${KNOWN#v}-${KNOWN:+set}", "1-set"),
        ("${KNOWN:-d}", "v1"),
        ("${EMPTY:-d}", "d"),
        ("${BASE:-d}", "d"),
        ("$BASE", None),
        ("x${BASE:+:$BASE}", None),
        ("${GIVEN%.*}", "3"),
    ],
)
def test_substitution_inside_a_stage(word, expected):
    text = f"FROM a\nARG GIVEN=3.1\nENV KNOWN=v1 EMPTY=\nENV X={word}\n"
    assert variables(text)["X"] == expected


def test_what_the_base_image_may_set_stays_open_under_a_name_of_its_own():
    text = "FROM a\nENV PATH=/a:$PATH\nENV PATH=/b:$PATH\n"
    last = [env for env in bind(of_kind(text, Env)) if steps(env) == ("stage", 0)][-1]
    assert last.value.written == "/b:/a:$PATH"
    assert last.value.readings[0][-1] == Open("ENV PATH", "$PATH", last.value.readings[0][-1].trail)


def test_arguments_are_seen_by_build_steps_only():
    text = "ARG G=1\nFROM a\nARG G\nARG L=2\nARG N\nENV E=3\n"
    assert variables(text, ("stage", 0, "run")) == {"G": "1", "L": "2", "N": None}
    assert variables(text) == {"E": "3"}
    quoted = {env.name: quote(text, env.value) for env in of_kind(text, Env)}
    assert quoted == {"G": "1", "L": "2", "N": "N", "E": "3"}


def test_an_env_wins_over_an_argument_of_its_name():
    assert variables("FROM a\nENV A=1\nARG A=2\n", ("stage", 0, "run")) == {}
    assert variables("FROM a\nENV A=1\nARG A=2\nENV B=$A\n")["B"] == "1"
    assert variables("FROM a\nARG A=2\nENV A=$A\n", ("stage", 0, "run")) == {}


def test_build_steps_see_one_of_several_values():
    text = "FROM a\nENV A=1\nRUN x\nENV A=2\nARG B=3\nRUN y\nENV B=4\nCMD z\n"
    found = {env.name: env.value.texts for env in bind(of_kind(text, Env)) if "run" in steps(env)}
    assert found == {"A": ("1", "2"), "B": ("3", "4")}
    assert variables(text) == {"A": "2", "B": "4"}


def test_a_stage_inherits_variables():
    text = "ARG G=g\nFROM a AS x\nARG G\nARG L=l\nENV A=1\nFROM x\nENV B=$A$L\n"
    assert variables(text, ("stage", 1)) == {"A": "1", "B": "1l"}
    assert variables(text, ("stage", 1, "run")) == {"G": "g", "L": "l"}
    again = [env for env in of_kind(text, Env) if env.name == "A"]
    assert [quote(text, env) for env in again] == ["A=1", "A=1"]
    assert variables("FROM a AS x\nENV A=1\nFROM a\nENV B=$A\n", ("stage", 1)) == {"B": None}


# -- what is started -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (['CMD ["a", "b"]'], ["a", "b"]),
        (['ENTRYPOINT ["a", "b"]'], ["a", "b"]),
        (['ENTRYPOINT ["a"]', 'CMD ["b"]'], ["a", "b"]),
        (['CMD ["b"]', 'ENTRYPOINT ["a"]'], ["a", "b"]),
        (['CMD ["x"]', 'CMD ["b"]', 'ENTRYPOINT ["x"]', 'ENTRYPOINT ["a"]'], ["a", "b"]),
        (['ENTRYPOINT ["a"]', "CMD []"], ["a"]),
        (['ENTRYPOINT ["a"]', "ENTRYPOINT []", 'CMD ["b"]'], ["b"]),
        (['ENTRYPOINT ["bash", "run.sh"]'], ["bash", "run.sh"]),
        (['ONBUILD CMD ["a"]'], ["a"]),
        (['HEALTHCHECK CMD ["x"]', 'CMD ["a"]'], ["a"]),
        (['CMD [ "a" , \\', "  # why", '"b"]  junk'], ["a", "b"]),
    ],
)
def test_exec_form(lines, expected):
    text = "\n".join(["FROM e", *lines])
    (launch,) = of_kind(text, Launch)
    assert words(launch) == expected
    assert [quote(text, word) for word in launch.argv] == expected
    assert (steps(launch), launch.variant, launch.container) == (("stage", 0), "", True)
    starts = [word.span.start for word in launch.argv]
    assert launch.span.start == min(starts)


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (["CMD a  $B && c"], "a  $B && c"),
        (["ENTRYPOINT exec a"], "exec a"),
        (["ENTRYPOINT exec a", 'CMD ["b"]'], "exec a"),
        (['ENTRYPOINT ["/init.sh"]', "CMD a b"], "a b"),
        (['ENTRYPOINT ["sh", "/init.sh"]', "CMD a b"], "a b"),
        (['ENTRYPOINT ["tini", "--"]', 'CMD ["bash", "-lc", "a b"]'], "a b"),
        (['ENTRYPOINT ["/bin/bash", "-o", "pipefail", "-c"]', 'CMD ["a b"]'], "a b"),
        (['ENTRYPOINT ["/bin/bash", "-euo", "pipefail", "-c", "a b"]'], "a b"),
        (['SHELL ["/bin/bash", "-o", "pipefail", "-c"]', "CMD a b"], "a b"),
        (['SHELL ["conda", "run", "-n", "e", "/bin/bash", "-c"]', "CMD a b"], "a b"),
        (["CMD ['a', 'b']"], "['a', 'b']"),
        (['CMD ["a",]'], '["a",]'),
    ],
)
def test_a_text_for_a_shell_is_read_as_one(lines, expected):
    text = "\n".join(["FROM e", *lines])
    (source,) = sources(text)
    assert source.text == expected
    assert quote(text, source.span(0, len(source.text))) == expected
    assert (steps(source), source.container) == (("stage", 0, "cmd"), True)
    assert of_kind(text, Launch) == []


@pytest.mark.parametrize("name", ["powershell", "cmd", "/usr/bin/python3", "fish"])
def test_another_language_is_not_read(name):
    text = f'FROM e\nSHELL ["{name}", "-c"]\nRUN a\nRUN <<E\nb\nE\nCMD c\n'
    assert of_kind(text, (Source, Launch, Skip)) == []
    assert len(of_kind(f'{text}SHELL ["sh", "-c"]\nRUN a\nCMD b\n', Source)) == 2


def test_words_that_docker_adds_stand_before_the_text():
    text = 'FROM e\nSHELL ["conda", "-c"]\nSHELL ["sh"]\nENTRYPOINT ["a"]\nCMD b c\n'
    (launch,) = of_kind(text, Launch)
    assert words(launch) == ["a", "sh", "b c"]
    text = 'FROM e\nENTRYPOINT ["a", "sh"]\nCMD b\n'
    (source,) = sources(text)
    assert source.text == "b"


def test_escapes_of_json():
    text = r'FROM e\nCMD ["\"é\u00e9\/\\", "\ud83d\ude00x", "\ud800", ""]'.replace(r"\n", "\n", 1)
    (launch,) = of_kind(text, Launch)
    assert words(launch) == ['"éé/\\', "😀x", "\ufffd", ""]
    assert [quote(text, word) for word in launch.argv] == [
        *(r"\"é\u00e9\/\\", r"\ud83d\ude00x", r"\ud800", ""),
    ]


def test_the_text_of_a_shell_maps_through_escapes():
    text = 'FROM e\nCMD ["sh", "-c", "a \\"b c\\" \\\\\\n d"]\n'
    (source,) = sources(text)
    assert source.text == 'a "b c" \\\n d'
    at = source.text.index("b c")
    assert quote(text, source.span(at, at + 3)) == "b c"
    assert quote(text, source.span(source.text.index("d"), len(source.text))) == "d"


def test_every_stage_with_a_command_is_a_target_and_the_last_is_the_one():
    text = textwrap.dedent("""\
        FROM e AS one
        CMD ["a"]
        FROM one AS only-built
        RUN x
        FROM e
        ENTRYPOINT ["b"]
        FROM one
        USER x
        """)
    found = [(steps(launch), launch.variant, words(launch)) for launch in of_kind(text, Launch)]
    assert found == [
        (("stage", 0), "target one", ["a"]),
        (("stage", 2), "target 2", ["b"]),
        (("stage", 3), "", ["a"]),
    ]


def test_an_entrypoint_forgets_the_command_of_its_base():
    base = 'FROM e AS base\nENTRYPOINT ["a"]\nCMD ["b"]\nFROM base\n'
    assert [words(one) for one in of_kind(f'{base}ENTRYPOINT ["c"]', Launch)][-1] == ["c"]
    assert [words(one) for one in of_kind(f'{base}CMD ["c"]', Launch)][-1] == ["a", "c"]
    both = f'{base}CMD ["d"]\nENTRYPOINT ["c"]'
    assert [words(one) for one in of_kind(both, Launch)][-1] == ["c", "d"]


# -- what is run -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("escape", "directive"), [("\\", ""), ("`", "# escape=`\n"), ("`", "# syntax=x\n#ESCAPE = `\n")]
)
@pytest.mark.parametrize("line_break", ["\n", "\r\n"])
def test_a_build_step_is_a_shell_text_in_one_line(escape, directive, line_break):
    text = (
        f"{directive}FROM e\nRUN --mount=type=cache,target=/c \\\n  one && \\\n# no \\\n\n   # no\n"
        "  two 'x y' \\ \t\n&& three # four\nRUN five\n"
    )
    text = text.replace("\\", escape).replace("\n", line_break)
    first, second = sources(text)
    assert first.text == "one &&   two 'x y' && three # four"
    for word in ("one", "two", "'x y'", "three", "# four"):
        at = first.text.index(word)
        assert quote(text, first.span(at, at + len(word))) == word
    assert (steps(first), steps(second)) == (("stage", 0, "run", 0), ("stage", 0, "run", 1))
    assert second.text == "five"


def test_the_exec_form_of_a_build_step():
    text = 'FROM e\nRUN ["a", "b"]\nRUN ["sh", "-c", "c d"]\n'
    (launch,), (source,) = of_kind(text, Launch), sources(text)
    assert (words(launch), steps(launch)) == (["a", "b"], ("stage", 0, "run", 0))
    assert (source.text, steps(source)) == ("c d", ("stage", 0, "run", 1))


@pytest.mark.parametrize(
    ("step", "expected"),
    [
        ("RUN <<EOF\na $X\n\n# c\nFROM evil\nEOF", "a $X\n\n# c\nFROM evil\n"),
        ("RUN <<'EOF'\na\nEOF", "a\n"),
        ("RUN <<-EOF\n\ta\n\t\tb\n\tEOF", "a\nb\n"),
        ("ONBUILD RUN <<EOF\na\nEOF", "a\n"),
        ("RUN --mount=type=cache,target=/c \\\n  <<EOF\na\nEOF", "a\n"),
        ("RUN <<EOF\n#!/bin/bash\na\nEOF", "#!/bin/bash\na\n"),
        ("RUN cat <<EOF > /x && \\\n  ls\na\nEOF", "cat <<EOF > /x &&   ls\na\nEOF"),
        ("RUN cat <<A <<-B\n1\nA\n\t2\n\tB", "cat <<A <<-B\n1\nA\n\t2\nB"),
    ],
)
def test_a_here_document_of_a_build_step(step, expected):
    text = f"FROM e\n{step}\nCOPY a b\n"
    (source,) = sources(text)
    assert source.text == expected
    assert steps(source) == ("stage", 0, "run", 0)
    for word in ("a", "FROM evil", "ls", "2"):
        if word in expected:
            at = expected.rindex(word)
            assert quote(text, source.span(at, at + len(word))) == word
    assert images(text) == [(("stage", 0), "e")]
    assert of_kind(text, Skip) == []


def test_a_here_document_for_another_program_is_not_for_a_shell():
    assert sources("FROM e\nRUN <<EOF\n#!/usr/bin/env lua\na\nEOF\n") == []


@pytest.mark.parametrize(
    ("step", "path", "expected"),
    [
        ("COPY <<EOF /run.sh\na \\$B \\\\\nc \\\n d\nEOF", "/run.sh", "a $B \\\nc \\\n d\n"),
        ("COPY <<'EOF' /run.sh\na \\$B\nEOF", "/run.sh", "a \\$B\n"),
        ('ADD --chmod=755 <<-"EOF" /run.sh\n\ta\n\tEOF', "/run.sh", "a\n"),
        ("COPY <<run.sh /bin/\na\nrun.sh", "/bin/run.sh", "a\n"),
        ("COPY <<EOF $DIR/run.sh\na\nEOF", "/opt/run.sh", "a\n"),
        ("COPY <<EOF /start\n#!/bin/sh\na\nEOF", "/start", "#!/bin/sh\na\n"),
    ],
)
def test_a_file_that_is_written(step, path, expected):
    text = f"FROM e\nENV DIR=/opt\n{step}\n"
    (source,) = sources(text)
    assert (source.text, steps(source)) == (expected, ("stage", 0, "file", path))
    at = source.text.index("a")
    assert quote(text, source.span(at, at + 1)) == "a"
    assert source.container


def test_each_file_has_the_language_of_its_name():
    text = "FROM e\nCOPY <<a.yaml <<b.sh <<c.bin /x/\nk: v\na.yaml\nls\nb.sh\nz\nc.bin\n"
    found = [(source.language, steps(source)[-1]) for source in of_kind(text, Source)]
    assert found == [("yaml", "/x/a.yaml"), ("shell", "/x/b.sh")]


def test_a_file_is_told_the_arguments_that_docker_fills_in():
    text = (
        "FROM e\nARG T=v1\nARG U=x\nENV E=1\n"
        "COPY <<F /a.sh\nrun $T ${E}\nF\nCOPY <<'F' /b.sh\nrun $U\nF\n"
    )
    assert variables(text, ("stage", 0, "file", "/a.sh")) == {"T": "v1"}
    assert variables(text, ("stage", 0, "file", "/b.sh")) == {}


def test_a_path_that_is_not_known_writes_no_known_file():
    assert of_kind("FROM e\nARG P\nCOPY <<F $P/a.sh\nls\nF\n", Source) == []


def test_all_of_it_together():
    text = textwrap.dedent("""\
        ARG VERSION=v1.2
        FROM reg/engine:${VERSION} AS base
        ENV MODE=prefill
        FROM base
        CMD ["bash", "-c", "exec tool serve --mode $MODE"]
        """)
    facts = bind(read_all(Source(PATH, text, "dockerfile", Route(PATH))))
    image = [fact for fact in facts if isinstance(fact, Image)][-1]
    (launch,) = [fact for fact in facts if isinstance(fact, Launch)]
    assert image.reference.text == "reg/engine:v1.2"
    assert image.owner.holds(launch.owner)
    assert words(launch) == ["tool", "serve", "--mode", "prefill"]


# -- what cannot be read ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "detail", "quoted"),
    [
        ("FROM", "expected FROM IMAGE or FROM IMAGE AS NAME", "M"),
        ("FROM a b", "expected FROM IMAGE or FROM IMAGE AS NAME", "a b"),
        ("FROM a # why", "expected FROM IMAGE or FROM IMAGE AS NAME", "a # why"),
        ("FROM a:${T", "expected a closing }", "${T"),
        ("FROM a:${T:=b}", "expected one of", "${T:=b}"),
        ("FROM a:${}", "expected a name and }", "${}"),
        ('ENV A="b', 'expected a closing "', '"b'),
        ("ENV A='b", "expected a closing '", "'b"),
        ("ENV A", "expected a value behind the name", "A"),
        ("ENV", "expected a name and a value", "V"),
        ("ENV A=b c", "expected NAME=value", "c"),
        ("ENV =b", "expected a name that is known", "=b"),
        ("ARG", "expected a name", "G"),
        ("CMD", "expected a command", "D"),
        ("RUN --network=none", "expected a command", "e"),
        ("CMD [1]", "expected strings only in the array", "[1]"),
        ('RUN ["a", ["b"]]', "expected strings only in the array", '["a", ["b"]]'),
        ("SHELL bash -c", "expected [", "bash -c"),
        ("COPY --from=$X a b", "expected an image or a stage, written without", "--from=$X a b"),
        ("COPY <<EOF\nEOF", "expected a path behind the here-documents", "F"),
        ("RUN <<EOF", "expected a line EOF that ends the here-document", "RUN <<EOF"),
        ("nonsense x", "expected an instruction", "nonsense x"),
        ("ONBUILD", "expected an instruction", "ONBUILD"),
    ],
)
def test_a_broken_line_does_not_end_the_file(line, detail, quoted):
    text = f'FROM first\n{line}\nFROM last\nCMD ["a"]\n'
    (skip,) = of_kind(text, Skip)
    assert (skip.stage, skip.reason) == ("read", "syntax")
    assert skip.detail.startswith(detail)
    assert quote(text, skip.span) == quoted
    assert images(text)[0][1] == "first"
    assert images(text)[-1][1] == "last"
    assert [words(launch) for launch in of_kind(text, Launch)] == [["a"]]


def test_lines_of_another_language_are_told_once():
    skips = of_kind("FROM a\none\ntwo\nRUN x\nthree\n", Skip)
    assert len(skips) == 2
    skips = of_kind("ENV A=1\nARG B\nRUN x\nFROM a\nENV C=1\n", Skip)
    assert [skip.detail for skip in skips] == ["expected FROM before it"]
    assert len(of_kind("FROM a\nRUN x\n" + "b\nRUN x\n" * 100, Skip)) == dockerfile.MAX_SKIPS


@pytest.mark.parametrize(
    ("directives", "detail"),
    [
        ("#escape=`\n#escape=\\\n", "expected only one directive escape"),
        ("#escape=x\n", "expected the escape character"),
    ],
)
def test_directives_that_docker_refuses(directives, detail):
    (skip,) = of_kind(f"{directives}FROM a\n", Skip)
    assert skip.detail.startswith(detail)


def test_a_template_is_read_with_all_branches():
    text = textwrap.dedent("""\
        {#
        FROM comment
        #}
        {% if gpu -%}
        FROM reg/{{ name | lower }}:v1 AS x
        {% else %}
        FROM cpu:v1
        {% endif %}
        ENV A={{ "a" if b else "c" }} B=1
        RUN one && \\
        {% if gpu %}
            two && \\
        {# why #}
        {% endif %}
            three
        """)
    assert of_kind(text, Skip) == []
    (skip,) = of_kind(text, Skip, "Dockerfile.j2")
    assert (skip.reason, quote(text, skip.span)) == ("template", "{#")
    found = [image.reference for image in of_kind(text, Image)]
    assert [value.written for value in found] == ["reg/{{ name | lower }}:v1", "cpu:v1"]
    assert found[0].reason == "template-function"
    assert [source.text for source in sources(text)] == ["one &&     two &&     three"]
    assert variables(text, ("stage", 1)) == {"A": None, "B": "1"}


def test_a_template_may_show_in_the_middle():
    text = "FROM a\n{{ include }} x\nRUN y\n{{ more }}\n"
    assert of_kind(text, Skip) == []
    (skip,) = of_kind(text, Skip, "docker/Dockerfile.tmpl")
    assert (skip.reason, quote(text, skip.span)) == ("template", "{{ include }} x")
    assert of_kind("{# not closed\nFROM a\n", Skip, "Dockerfile.j2")[0].reason == "template"


def test_actions_that_write_nothing_are_left_out_and_all_branches_stay():
    text = textwrap.dedent("""\
        {{- if .Gpu }}
        FROM reg/{{ .Name }}:v1 AS x
        {{- else }}
        FROM cpu:v1
        {{- end }}
        {{/* why */}}
        RUN one && \\
        {{- range .Steps }}
            two && \\
        {{ end -}}
            three
        ARG MODE={% if gpu %}a{% else %}b{% endif %}
        ENV TEXT={{ .Text }}
        CMD ["run", "{{ .Mode }}"]
        """)
    assert of_kind(text, Skip) == []
    assert [image.reference.written for image in of_kind(text, Image)] == [
        "reg/{{ .Name }}:v1",
        "cpu:v1",
    ]
    assert [source.text for source in sources(text)] == ["one &&     two &&     three"]
    assert variables(text, ("stage", 1, "run")) == {"MODE": None}
    assert variables(text, ("stage", 1)) == {"TEXT": None}


@pytest.mark.parametrize(
    "line", ["{% if " + "{" * 5_000, "{{ if " + " " * 50_000, "{#" + "#}{#" * 5_000 + "x"]
)
def test_a_hostile_template_line_takes_linear_time(line):
    start = time.perf_counter()
    items(f"FROM a\n{line}\n")
    assert time.perf_counter() - start < 2


# -- limits --------------------------------------------------------------------------------


def test_a_text_that_is_too_long_is_not_read():
    (skip,) = items("#" * (dockerfile.MAX_CHARACTERS + 1))
    assert skip.reason == "too-large"


def test_a_file_of_too_many_instructions_is_not_read():
    (skip,) = items("RUN x\n" * (dockerfile.MAX_INSTRUCTIONS + 1))
    assert (skip.reason, skip.span.start) == ("too-large", 0)


def test_an_instruction_of_too_many_lines_is_left_out():
    text = "FROM a\nRUN b" + " \\\n c" * 2_000 + "\nCMD d\n"
    (skip,) = of_kind(text, Skip)
    assert (skip.reason, quote(text, skip.span)) == ("too-large", "RUN b \\")
    assert [source.text for source in sources(text)] == ["d"]


@pytest.mark.parametrize(
    "text",
    [
        "FROM a\nENV A=xx\n" + "ENV A=$A$A$A\n" * 40 + 'CMD ["b"]\n',
        "ARG A=xx\n" + "ARG A=$A$A$A\n" * 40 + 'FROM a:$A\nCMD ["b"]\n',
        "ARG A0=x\n"
        + "".join(f"ARG A{n + 1}=$A{n}\n" for n in range(500))
        + 'FROM $A500\nCMD ["b"]\n',
    ],
)
def test_values_that_multiply_become_runtime_values(text):
    found = [fact for fact in items(text) if isinstance(fact, (Env, Image))]
    values = [fact.value if isinstance(fact, Env) else fact.reference for fact in found]
    assert any(value.reason == "runtime-value" for value in bind_values(found, values))
    assert [words(launch) for launch in of_kind(text, Launch)] == [["b"]]


def bind_values(found, values):
    done = bind(found)
    assert len(done) == len(values)
    return [fact.value if isinstance(fact, Env) else fact.reference for fact in done]


def test_a_file_that_makes_too_much_ends_there():
    text = (
        "FROM a AS x\nENV "
        + " ".join(f"A{n}=1" for n in range(9_000))
        + "\n"
        + "FROM x AS x\n" * 60
    )
    skip = items(text)[-1]
    assert (skip.reason, quote(text, skip.span)) == ("too-large", "FROM x AS x")


def test_substitutions_may_not_nest_without_end():
    text = "FROM a\nENV A=" + "${A:-" * 500 + "}" * 500 + "\nENV B=1\n"
    (skip,) = of_kind(text, Skip)
    assert "substitutions in each other" in skip.detail
    assert variables(text) == {"B": "1"}


# -- names ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name",
    [
        *("Dockerfile", "dockerfile", "DOCKERFILE", "Containerfile", "docker/Dockerfile.gpu"),
        *(
            "serving.dockerfile",
            "x.Dockerfile",
            "x.containerfile",
            "Dockerfile-dev",
            "gpu-Dockerfile",
        ),
        *("Dockerfile_base", "Dockerfile.rocm7.0", "Dockerfile.j2", "a.b/Containerfile.x"),
    ],
)
def test_names_of_dockerfiles(name):
    assert claim(name) == "dockerfile"


@pytest.mark.parametrize(
    "name",
    [
        *("Dockerfile.md", "dockerfile.png", "Dockerfile.dockerignore", ".dockerignore"),
        *(
            "dockerfile_guide.rst",
            "dockerfile.py",
            "mydockerfile",
            "dockerfiles",
            "Dockerfiles/x.c",
        ),
        *("Dockerfile.yaml", "dockerfile-build.sh", "Dockerfile.txt"),
    ],
)
def test_names_of_something_else(name):
    assert claim(name) != "dockerfile"


# -- any text ------------------------------------------------------------------------------

FRAGMENTS = st.sampled_from(
    [
        *(
            "FROM ",
            "a AS b",
            "b\n",
            "ARG X",
            "=v1",
            "ENV Y=",
            "$X",
            "${X:-",
            "}",
            "${Y#v}",
            "\n",
            "\\\n",
        ),
        *(
            "RUN ",
            "--mount=from=",
            "COPY --from=",
            "<<EOF ",
            "/a.sh\n",
            "EOF\n",
            "CMD ",
            '["sh", "-c", ',
        ),
        *(
            '"a b"]\n',
            "ENTRYPOINT ",
            '["x"]\n',
            "SHELL ",
            "ls\n",
            "# c\n",
            "# escape=`\n",
            "`\n",
            "'",
            '"',
        ),
        *(
            "{{ x }}",
            "{% y %}\n",
            "{#",
            "\r\n",
            "\t",
            "é",
            "\u2028",
            "\\u00e9",
            "ONBUILD ",
            "X",
            "\x00",
            "[1]",
        ),
    ]
)
TEXTS = st.lists(FRAGMENTS, max_size=25).map("".join) | st.text(max_size=60)


def check_span(text, span):
    assert 0 <= span.start <= span.end <= len(text)


def check_source(text, source):
    """Every even run of a source is that run of the file."""
    covered = 0
    for segment in source.origin:
        assert segment.start == covered
        covered = segment.end
        if segment.even:
            piece = source.text[segment.start : segment.end]
            assert text[segment.origin_start : segment.origin_end] in (piece, "\\n" * len(piece))
    assert covered == len(source.text)


@settings(max_examples=600, deadline=None)
@given(TEXTS)
def test_any_text_is_read_and_quoted(text):
    for item in items(text):
        if isinstance(item, Source):
            check_source(text, item)
            continue
        check_span(text, item.span)
        if isinstance(item, Launch):
            for word in item.argv:
                check_span(text, word.span)
                assert "\\" in quote(text, word) or quote(text, word) in (word.text, "")
        if isinstance(item, Image):
            (reading,) = item.reference.readings
            plain = all(isinstance(part, Text) and not part.trail for part in reading)
            if plain and not set("'\"\\`\n") & set(quote(text, item)):
                assert quote(text, item) == item.reference.text


@settings(max_examples=200, deadline=None)
@given(TEXTS)
def test_an_embedded_dockerfile_answers_in_the_coordinates_of_its_host(text):
    host = "x:\n" + "".join(f"  {line}\n" for line in text.split("\n"))
    pieces, at, origin = [], 0, 5
    for line in text.split("\n"):
        size = len(line) + 1
        pieces.append(Segment(at, at + size, origin, origin + size))
        at, origin = at + size, origin + size + 2
    inner = f"{text}\n"
    source = Source("a.yaml", host, "yaml", Route("a.yaml")).embed(inner, pieces, "dockerfile", "x")
    alone, inside = items(inner), list(read(source))
    assert len(alone) == len(inside)
    for one, other in zip(alone, inside, strict=True):
        if isinstance(one, Image) and "\n" not in quote(inner, one):
            assert quote(host, other) == quote(inner, one)
            assert other.owner.steps == ("x", *one.owner.steps)
        if isinstance(one, Source):
            check_source(host, other)


def test_what_an_exec_form_installs_is_an_install_of_its_stage():
    text = 'FROM a\nRUN ["pip3", "install", "sglang==0.5.19"]\nRUN ["pip3", "list"]\n'
    (one,) = of_kind(text, Requirement)
    assert (one.name, one.kind, one.effect, one.runs) == ("sglang", "pinned", "sure", True)
    assert quote(text, one.version) == "0.5.19"
    assert one.owner.steps[:3] == ("stage", 0, "run")
    assert [words(one) for one in of_kind(text, Launch)][1] == ["pip3", "list"]
