"""Which stage of a Dockerfile a fact belongs to, and what stages and templates leave open."""

from __future__ import annotations

import textwrap

import pytest

from servelint.bind import bind
from servelint.facts import Env, Image, Launch, Requirement, Setting, Uses
from servelint.finding import Skip
from servelint.read import read
from servelint.source import Route, Source

PATH = "Dockerfile"


def items(text):
    return list(read(Source(PATH, textwrap.dedent(text), "dockerfile", Route(PATH))))


def skips(text):
    return [one.reason for one in items(text) if isinstance(one, Skip)]


def facts_of(text):
    return list(bind(one for one in items(text) if not isinstance(one, Skip)))


def quote(text, span):
    return textwrap.dedent(text)[span.start : span.end]


def words(launch):
    return [word.text for word in launch.argv]


# -- variants -----------------------------------------------------------------------------------

STAGES = """\
FROM e AS base
RUN <<EOF
serve base
EOF
FROM e AS Tool
ENV A=1
RUN serve tool && cat > /x.sh <<X
serve file
X
COPY <<F /run.sh
serve copied
F
CMD serve cmd
FROM e
RUN ["sh", "-c", "serve nameless"]
FROM base AS last
RUN serve last
CMD ["serve", "now"]
"""


def test_what_only_a_target_holds_says_which():
    launches = [one for one in facts_of(STAGES) if isinstance(one, Launch)]
    found = {words(one)[1]: one.variant for one in launches if words(one)[0] == "serve"}
    assert found == {
        "base": "",
        "tool": "target tool",
        "file": "target tool",
        "copied": "target tool",
        "cmd": "target tool",
        "nameless": "target 2",
        "last": "",
        "now": "",
    }


def test_every_kind_of_fact_has_the_variant_of_its_stage():
    found = {(one.owner.steps[1], one.variant) for one in facts_of(STAGES)}
    assert found == {(0, ""), (1, "target tool"), (2, "target 2"), (3, "")}
    assert {one.variant for one in facts_of("ARG A=1\nFROM e\nENV B=1\nRUN c\n")} == {""}


def test_a_variant_reaches_texts_in_texts():
    source = Source("a", "b", "shell", Route("a"), variant="v")
    assert source.slice(0, 1, "text").variant == "v"
    inner = "bash -c \"bash -c 'serve x'\""
    text = f"FROM e AS a\nRUN {inner}\nFROM e\n"
    (launch,) = [one for one in facts_of(text) if isinstance(one, Launch)]
    assert (words(launch), launch.variant) == (["serve", "x"], "target a")


def test_a_file_that_ends_in_too_much_still_has_its_variants():
    text = "FROM e AS a\nRUN serve\nFROM e AS b\nENV " + " ".join(f"A{n}=1" for n in range(9_000))
    text += "\n" + "FROM b AS b\n" * 60
    found = items(text)
    assert [one.reason for one in found if isinstance(one, Skip)] == ["too-large"]
    (launch,) = [one for one in found if isinstance(one, Launch)]
    assert launch.variant == "target a"


# -- how stages use each other ----------------------------------------------------------------


def uses(text):
    found = (one for one in facts_of(text) if isinstance(one, Uses))
    return [
        (one.owner.steps[1], one.how, one.target, quote(text, one.span))
        for one in found
        if one.owner.steps[:1] == ("stage",)
    ]


def test_a_stage_tells_its_name_and_the_one_before_it():
    text = "FROM e AS Base\nFROM base AS mid\nFROM mid\n"
    assert uses(text) == [(1, "stage", "0", "base"), (2, "stage", "1", "mid")]
    named = [one for one in facts_of(text) if isinstance(one, Setting)]
    assert [(one.key, one.value.text, quote(text, one.span)) for one in named] == [
        ("stage", "base", "Base"),
        ("stage", "mid", "mid"),
    ]


@pytest.mark.parametrize(
    ("line", "how"),
    [
        ("COPY --from=a /opt/venv /opt/venv", "stage-packages"),
        ("COPY --from=a /opt/my-venv-3/ /opt/x", "stage-packages"),
        ("COPY --chown=u --from=a /root/miniconda3 /root/miniconda3", "stage-packages"),
        ("COPY --from=a /usr/lib/python3/dist-packages/ /x", "stage-packages"),
        ("COPY --from=a /usr/local /usr/local", "stage-packages"),
        ("COPY --from=a /usr/local/lib/python3.12 /x", "stage-packages"),
        ("COPY --from=a /bin/uv /opt/venv /", "stage-packages"),
        ("COPY --from=a /usr/local/bin/uv /opt/venv/bin/", "stage-files"),
        ("COPY --from=a /app /app", "stage-files"),
        ('COPY --from=a [ "/app", "/app" ]', "stage-files"),
        ("COPY --from=a /inventory /x", "stage-files"),
        ("RUN --mount=type=bind,from=a,source=/opt/venv,target=/v x", "stage-files"),
    ],
)
def test_files_of_a_stage(line, how):
    assert uses(f"FROM e AS a\nFROM f\n{line}\n") == [(1, how, "0", "a")]


def test_neither_a_later_stage_nor_the_own_one_is_used():
    assert uses("FROM e AS a\nCOPY --from=b /x /x\nCOPY --from=a /x /x\nFROM f AS b\n") == []
    assert uses(f"FROM e\nCOPY --from={'9' * 5000} /x /x\n") == []


# -- templates ------------------------------------------------------------------------------------

TEMPLATE = """\
FROM e
RUN pip install engine=={{ version }}  --index-url {{ index }}
ENTRYPOINT ["serve", "--mode", "{{ mode }}", "--{{ a }}-b={{ c }}"]
"""


def test_what_a_template_fills_in_is_unknown_and_quoted_as_written():
    facts = facts_of(TEMPLATE)
    (pin,) = [one for one in facts if isinstance(one, Requirement)]
    assert (pin.name, pin.version.reason, pin.version.written) == (
        *("engine", "template-function", "{{ version }}"),
    )
    assert quote(TEMPLATE, pin.span) == "engine=={{ version }}"
    launch = [one for one in facts if isinstance(one, Launch)][-1]
    assert [word.reason for word in launch.argv] == ["", "", *["template-function"] * 2]
    assert launch.argv[3].head == "--"
    assert [quote(TEMPLATE, word.span) for word in launch.argv[2:]] == [
        "{{ mode }}",
        "--{{ a }}-b={{ c }}",
    ]
    assert skips(TEMPLATE) == []


# -- corners ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ARG A=en\nARG B=gine:v1\nFROM ${A}${B}\n", "engine:v1"),
        ("ARG B=v1\nFROM engine:${A:-${B}}\n", "engine:v1"),
        ("ARG B\nFROM engine:${A:-${B:-${C:-v1}}}\n", "engine:v1"),
        ("ARG A=x\nFROM engine:v1${A:+-${A}}\n", "engine:v1-x"),
        ("ARG A\nFROM engine:v1${A:+-${A}}\n", "engine:v1"),
        ("ARG A=v1\nFROM --platform=${BUILDPLATFORM} engine:${A} AS x\n", "engine:v1"),
        ("# escape=`\nARG A=v1\nFROM `\n # why\n\n  engine:$A\n", "engine:v1"),
    ],
)
def test_the_image_of_a_stage(text, expected):
    (image, *_) = [one for one in facts_of(text) if isinstance(one, Image)]
    assert image.reference.text == expected


def test_an_argument_of_the_platform_is_known_when_it_is_built():
    for name in ("TARGETARCH", "BUILDPLATFORM", "TARGETVARIANT"):
        (image,) = [one for one in facts_of(f"FROM engine:v1-${name}\n") if isinstance(one, Image)]
        assert (image.reference.text, image.reference.reason) == (None, "runtime-value")


def test_a_script_that_is_written_runs_with_the_environment_of_the_stage():
    text = """\
    FROM e
    ENV MODE=prefill
    COPY <<'EOF' /run.sh
    exec serve --mode $MODE
    EOF
    ENTRYPOINT ["bash", "/run.sh"]
    """
    launches = [words(one) for one in facts_of(text) if isinstance(one, Launch)]
    assert launches == [["serve", "--mode", "prefill"], ["bash", "/run.sh"]]


def test_a_child_stage_with_an_entry_point_forgets_the_command_and_keeps_the_environment():
    text = """\
    FROM e AS base
    ENV A=1
    ENTRYPOINT ["old"]
    CMD ["words"]
    FROM base
    ENTRYPOINT ["serve"]
    """
    launches = [one for one in facts_of(text) if isinstance(one, Launch)]
    assert [(words(one), one.variant) for one in launches] == [
        (["old", "words"], "target base"),
        (["serve"], ""),
    ]
    held = [one.name for one in facts_of(text) if isinstance(one, Env) and one.owner.steps[1] == 1]
    assert held == ["A"]


@pytest.mark.parametrize(
    ("line", "effect"),
    [
        ("RUN pip install sglang==0.5.22", "sure"),
        ("ONBUILD RUN pip install sglang==0.5.22", "inner"),
        ('RUN ["pip", "install", "sglang==0.5.22"]', "sure"),
        ('ONBUILD RUN ["pip", "install", "sglang==0.5.22"]', ""),
    ],
)
def test_what_is_deferred_to_another_build_may_not_run_in_this_one(line, effect):
    (one,) = [fact for fact in facts_of(f"FROM a\n{line}\n") if isinstance(fact, Requirement)]
    assert (one.effect, one.runs) == (effect, True)
