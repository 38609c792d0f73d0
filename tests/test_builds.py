"""Build arguments: who builds a Dockerfile, and what its words come to with what they give."""

from __future__ import annotations

import textwrap
import time

import pytest
from made_up import span, value

from servelint.bind import bind
from servelint.callers import builders, dockerfiles
from servelint.discover import Discovery
from servelint.facts import Env, Image, Launch, Requirement, Uses
from servelint.gather import gather
from servelint.read import read
from servelint.source import Route, Source
from servelint.syntax.image_builds import build_command

DOCKERFILE = """\
ARG TAG=v1.0
FROM reg/engine:${TAG}
ARG V=1.0
RUN pip install engine==${V}
"""


def facts_of(**files):
    """The bound facts of some files: a text for each path, ``__`` for a slash, ``_`` for a dot."""
    found = []
    for name, text in files.items():
        path = name.replace("__", "/").replace("_", ".")
        language = "dockerfile" if "ockerfile" in path else path.rpartition(".")[2]
        language = {"yml": "yaml", "sh": "shell", "Makefile": "makefile"}.get(language, language)
        source = Source(path, textwrap.dedent(text), language, Route(path))
        found.extend(read(source))
    return bind(found)


def images(facts, unit="Dockerfile"):
    return [one.reference for one in facts if isinstance(one, Image) and one.owner.unit == unit]


def pins(facts, unit="Dockerfile"):
    found = (one for one in facts if isinstance(one, Requirement) and one.owner.unit == unit)
    return [one.version for one in found]


def built(dockerfile, **files):
    """The image and the pin of a Dockerfile with one stage."""
    facts = facts_of(Dockerfile=dockerfile, **files)
    return images(facts)[0], pins(facts)[0] if pins(facts) else None


# -- who gives a value ----------------------------------------------------------------------


def test_a_default_counts_where_nobody_builds():
    image, pin = built(DOCKERFILE)
    assert (image.text, pin.text) == ("reg/engine:v1.0", "1.0")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("run_sh", "docker build --build-arg TAG=v1.3 --build-arg=V=1.3 -t x ."),
        ("run_sh", "T=1.3\nsudo docker buildx build --build-arg TAG=v$T --build-arg V=$T --push ."),
        ("run_sh", "podman build -f Dockerfile --build-arg TAG=v1.3 --build-arg V=1.3 ctx"),
        ("run_sh", "buildah bud -f ./Dockerfile --build-arg TAG=v1.3 --build-arg V=1.3"),
        ("run_sh", "export V=1.3 TAG=v1.3\ndocker build --build-arg TAG --build-arg V ."),
        (
            "scripts__run_sh",
            'docker build -f "$ROOT/Dockerfile" --build-arg TAG=v1.3 --build-arg V=1.3 .',
        ),
        (
            "Makefile",
            "V := 1.3\nimage:\n\tdocker build --build-arg TAG=v$(V) --build-arg V=$(V) .\n",
        ),
        ("compose_yml", "services: {s: {build: {context: ., args: {TAG: v1.3, V: 1.3}}}}"),
        ("compose_yml", "services: {s: {build: {args: [TAG=v1.3, V=1.3]}}}"),
        (
            "_github__workflows__b_yml",
            """\
            jobs:
              b:
                steps:
                  - uses: docker/build-push-action@v6
                    with:
                      build-args: |
                        TAG=v1.3
                        V=1.3
            """,
        ),
    ],
)
def test_a_caller_gives_the_arguments(name, text):
    image, pin = built(DOCKERFILE, **{name: text})
    assert (image.text, pin.text) == ("reg/engine:v1.3", "1.3")


def test_the_value_keeps_the_place_of_the_caller():
    script = "docker build --build-arg TAG=v1.3 .\n"
    image, _ = built(DOCKERFILE, run_sh=script)
    (at,) = image.readings[0][-1].trail
    assert (at.path, script[at.start : at.end]) == ("run.sh", "v1.3")
    compose = "services:\n  s:\n    build:\n      args:\n        - TAG=v1.3\n"
    image, _ = built(DOCKERFILE, compose_yml=compose)
    (at,) = image.readings[0][-1].trail
    assert (at.path, compose[at.start : at.end]) == ("compose.yml", "v1.3")


def test_several_callers_are_one_of_several_values():
    image, pin = built(
        DOCKERFILE,
        a_sh="docker build --build-arg TAG=v1.3 --build-arg V=1.3 .",
        b_sh="docker build --build-arg TAG=v1.4 --build-arg V=1.3 .",
    )
    assert (image.texts, pin.texts) == (("reg/engine:v1.3", "reg/engine:v1.4"), ("1.3",))
    assert [parts[-1].trail[0].path for parts in image.readings] == ["a.sh", "b.sh"]


def test_a_default_stays_possible_where_a_caller_gives_nothing():
    image, pin = built(
        DOCKERFILE,
        a_sh="docker build --build-arg TAG=v1.3 .",
        b_sh="docker build --build-arg V=1.4 .",
    )
    assert image.texts == ("reg/engine:v1.0", "reg/engine:v1.3")
    assert pin.texts == ("1.0", "1.4")


def test_an_argument_without_default_is_what_callers_give_or_unknown():
    text = DOCKERFILE.replace("=v1.0", "")
    assert built(text)[0].reason == "unset-variable"
    assert built(text, a_sh="docker build .")[0].reason == "unset-variable"
    image, _ = built(text, a_sh="docker build .\ndocker build --build-arg TAG=v1.3 .")
    assert image.text == "reg/engine:v1.3"


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        ("docker build --build-arg TAG=$GIVEN .", "unset-variable"),
        ("docker build --build-arg TAG=$(date) .", "runtime-value"),
        ("docker build --build-arg TAG .", "runtime-value"),
    ],
)
def test_what_a_caller_gives_may_be_unknown_and_the_default_is_shown_beside_it(script, reason):
    image, _ = built(DOCKERFILE, a_sh=script)
    assert (image.texts, image.reason) == (None, reason)
    assert image.written == "reg/engine:v1.0"


def test_a_value_of_a_workflow_that_is_an_expression_is_unknown():
    text = """\
    steps:
      - uses: docker/build-push-action@v6
        with: {file: Dockerfile, build-args: "TAG=${{ matrix.tag }}"}
      - uses: docker/build-push-action@v6
        with: {build-args: "${{ inputs.arguments }}"}
    """
    image, pin = built(DOCKERFILE, _github__workflows__b_yml=text)
    assert image.reason == "template-function"
    assert pin.text == "1.0"


def test_only_the_file_that_is_built_gets_the_arguments():
    facts = facts_of(
        Dockerfile=DOCKERFILE,
        a__Dockerfile=DOCKERFILE,
        a__run_sh="docker build --build-arg TAG=v1.3 .\ncurl --build-arg TAG=v9 .",
        compose_yml="services: {s: {build: {context: https://x.example/r.git, args: {TAG: v9}}}}",
    )
    assert images(facts)[0].text == "reg/engine:v1.0"
    assert images(facts, "a/Dockerfile")[0].text == "reg/engine:v1.3"


@pytest.mark.parametrize(
    ("word", "given", "expected"),
    [
        ("${TAG#x}", "xv1.3", "v1.3"),
        ("v${TAG%%-*}", "1.3-cuda", "v1.3"),
        ("v1${TAG:+.4}", "yes", "v1.4"),
        ("v1${TAG:+.4}", "", "v1"),
        ("${TAG:-v1.1}", "v1.3", "v1.3"),
        ("${TAG//_/.}", "v1_3", "v1.3"),
        ("${TAG#$OTHER}", "v1.3", None),
    ],
)
def test_operators_work_on_what_is_given(word, given, expected):
    text = f"ARG OTHER\nARG TAG=v0\nFROM engine:{word}\n"
    image, _ = built(text, a_sh=f"docker build --build-arg TAG={given} .")
    (reading, *_) = [parts for parts in image.readings if parts[-1].trail] or [image.readings[-1]]
    assert (image.texts or (None,))[-1] == (f"engine:{expected}" if expected else None)
    assert reading


def test_an_env_that_passes_an_argument_on_changes_with_it():
    text = "FROM e\nARG V=0.1\nENV W=$V\nENV X=${W#v}\n"
    facts = facts_of(Dockerfile=text, a_sh="docker build --build-arg V=v1.3 .")
    found = {one.name: one.value.text for one in facts if isinstance(one, Env)}
    assert (found["W"], found["X"]) == ("v1.3", "1.3")


def test_very_many_builds_are_many_values_and_take_little_time():
    script = "".join(f"docker build --build-arg TAG=v{n} .\n" for n in range(900))
    services = "".join(f"  s{n}: {{build: ., command: engine serve}}\n" for n in range(300))
    lines = DOCKERFILE + "".join(f"ENV A{n}=$TAG\n" for n in range(500))
    start = time.perf_counter()
    image, _ = built(lines, a_sh=script, compose_yml=f"services:\n{services}")
    assert image.reason == "many-values"
    assert time.perf_counter() - start < 20


# -- targets ----------------------------------------------------------------------------------

STAGES = """\
ARG A=v1.0
ARG B=v1.0
FROM engine:$A AS one
FROM engine:$B AS two
FROM two
COPY --from=one /x /x
"""


def test_a_build_speaks_for_the_stages_that_it_needs():
    facts = facts_of(
        Dockerfile=STAGES,
        a_sh="docker build --target one --build-arg A=v1.3 .",
        b_sh="docker build --target Two --build-arg B=v1.4 .",
    )
    assert [image.texts for image in images(facts)] == [
        ("engine:v1.3",),
        ("engine:v1.4",),
        ("engine:v1.0", "engine:v1.4"),  # nobody builds it: any of them may be meant
    ]


def test_a_build_of_the_last_stage_needs_what_it_copies_from():
    facts = facts_of(Dockerfile=STAGES, a_sh="docker build --build-arg A=v1.3 --build-arg B=v1.4 .")
    assert [image.text for image in images(facts)] == ["engine:v1.3", "engine:v1.4", "engine:v1.4"]


# -- services that are built -------------------------------------------------------------------

SERVICE = """\
services:
  s:
    build: {context: ., target: TARGET, args: {V: 1.3}}
    image: my/name:v9
    command: engine serve
"""


@pytest.mark.parametrize(
    ("target", "image", "version"),
    [("one", "engine:v1", "1.3"), ("0", "engine:v1", "1.3"), ("two", "engine:v2", None)],
)
def test_a_service_runs_the_stage_that_it_builds(target, image, version):
    text = """\
    FROM engine:v1 AS one
    ARG V=1.0
    RUN pip install engine==$V
    FROM engine:v2 AS two
    FROM one
    """
    facts = facts_of(
        Dockerfile=text, c__compose_yml="", compose_yml=SERVICE.replace("TARGET", target)
    )
    (launch,) = [
        one for one in facts if isinstance(one, Launch) and one.owner.unit == "compose.yml"
    ]
    held = [
        one for one in facts if one.owner.unit == "compose.yml" and one.span.path == "Dockerfile"
    ]
    found = [one.reference.text for one in held if isinstance(one, Image)]
    versions = [one.version.text for one in held if isinstance(one, Requirement)]
    assert (found, versions) == ([image], [version] if version else [])
    assert all(one.owner.holds(launch.owner) for one in held if isinstance(one, Image))
    assert [image.text for image in images(facts, "compose.yml")] == [image]


def test_a_service_of_a_stage_that_is_not_there_keeps_what_it_says():
    facts = facts_of(Dockerfile="FROM engine:v1\n", compose_yml=SERVICE.replace("TARGET", "none"))
    assert [image.text for image in images(facts, "compose.yml")] == [None]


def test_two_services_run_what_each_of_them_builds():
    text = "ARG T=v1\nFROM engine:$T\n"
    compose = """\
    services:
      a: {build: {args: {T: v2}}, command: engine serve}
      b: {build: ., command: engine serve}
    """
    facts = facts_of(Dockerfile=text, compose_yml=compose)
    assert [image.text for image in images(facts, "compose.yml")] == ["engine:v2", "engine:v1"]
    assert images(facts)[0].texts == ("engine:v1", "engine:v2")


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("[--mode, x]", "engine serve --mode x"),
        ("--mode x", "engine serve --mode x"),
        ("[other, --mode, x]", "other --mode x"),
    ],
)
def test_options_of_a_service_follow_the_entry_point_that_it_builds(command, expected):
    text = (
        'FROM engine:v1 AS base\nENTRYPOINT ["engine", "serve"]\nFROM base\nCMD ["--mode", "y"]\n'
    )
    compose = f"services:\n  s:\n    build: .\n    command: {command}\n"
    facts = facts_of(Dockerfile=text, compose_yml=compose)
    started = [one for one in facts if isinstance(one, Launch) and one.owner.unit == "compose.yml"]
    assert [" ".join(word.text for word in one.argv) for one in started] == [expected]


def test_a_shell_as_entry_point_takes_no_options():
    text = "FROM engine:v1\nENTRYPOINT engine serve\n"
    compose = "services: {s: {build: ., command: [--mode, x]}}"
    facts = facts_of(Dockerfile=text, compose_yml=compose)
    started = [one for one in facts if isinstance(one, Launch) and one.owner.unit == "compose.yml"]
    assert [one.argv[0].text for one in started] == ["--mode"]


def test_what_only_a_test_builds_is_not_what_a_dockerfile_comes_to():
    script = "docker build -f Dockerfile --build-arg TAG=v1.3 ."
    assert built(DOCKERFILE, tests__run_sh=script)[0].text == "reg/engine:v1.0"
    assert built(DOCKERFILE, docs__run_sh=script)[0].text == "reg/engine:v1.0"
    facts = facts_of(tests__Dockerfile=DOCKERFILE, tests__run_sh=script)
    assert images(facts, "tests/Dockerfile")[0].text == "reg/engine:v1.3"


def test_a_service_of_a_test_runs_what_it_builds():
    compose = "services: {s: {build: {context: .., args: {TAG: v1.3}}, command: engine serve}}"
    facts = facts_of(Dockerfile=DOCKERFILE, tests__compose_yml=compose)
    assert images(facts)[0].text == "reg/engine:v1.0"
    assert images(facts, "tests/compose.yml")[0].text == "reg/engine:v1.3"


# -- what stages hold -------------------------------------------------------------------------


def test_installs_belong_to_the_stages_made_from_a_stage():
    text = """\
    FROM e AS base
    RUN pip install engine==1.0
    FROM base AS mid
    RUN pip install other==2.0
    FROM mid
    """
    facts = [one for one in facts_of(Dockerfile=text) if isinstance(one, Requirement)]
    held = [(one.owner.steps[1], one.name, one.version.text) for one in facts]
    assert sorted(held) == [
        *((0, "engine", "1.0"), (1, "engine", "1.0"), (1, "other", "2.0")),
        *((2, "engine", "1.0"), (2, "other", "2.0")),
    ]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("COPY --from=b /opt/venv /opt/venv", "runtime-value"),
        ("COPY --from=0 /usr/local/lib/python3.12/site-packages /x", "runtime-value"),
        ('COPY --from=b ["/root/.venv", "/root/.venv"]', "runtime-value"),
        ("COPY --from=b / /", "runtime-value"),
        ("COPY --from=b /app/bin/tool /usr/bin/", None),
        ("RUN --mount=type=bind,from=b,target=/opt/venv ls", None),
    ],
)
def test_packages_that_are_copied_are_there_in_an_unknown_version(line, reason):
    text = f"FROM e AS b\nRUN pip install engine==1.0\nFROM slim\n{line}\n"
    facts = facts_of(Dockerfile=text)
    held = [one for one in facts if isinstance(one, Requirement) and one.owner.steps[1] == 1]
    assert [one.version.reason for one in held] == ([reason] if reason else [])
    assert [one.version.written for one in held] == (["1.0"] if reason else [])


def test_a_long_chain_of_stages_stays_small():
    lines = ["FROM e AS s0"]
    lines += [f"RUN pip install a{n}==1" for n in range(400)]
    lines += [f"FROM s{n} AS s{n + 1}" for n in range(400)]
    facts = facts_of(Dockerfile="\n".join(lines))
    assert sum(isinstance(one, Requirement) for one in facts) < 400 + 400 * 200 + 1


# -- commands ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "files"),
    [
        ("docker build .", ("./Dockerfile", "./Containerfile")),
        ("docker --context x build -t a:b ctx", ("ctx/Dockerfile", "ctx/Containerfile")),
        ("docker build -fDockerfile.gpu .", ("Dockerfile.gpu",)),
        ("docker build --file=a/Dockerfile ctx", ("a/Dockerfile", "ctx/a/Dockerfile")),
        ("docker build -", ()),
        ("docker build https://x.example/y.git", ()),
        ("docker build -f $FILE .", ()),
        ("docker run build", None),
        ("make build", None),
        ("docker", None),
    ],
)
def test_where_the_dockerfile_of_a_command_may_be(words, files):
    command = build_command([value(word) for word in words.split()])
    assert (None if command is None else command.files()) == files


def test_words_that_are_not_known_leave_defaults_as_they_are():
    """Anybody may give more arguments by hand: that is no reason to know nothing."""
    image, pin = built(DOCKERFILE, a_sh='docker build $MORE --build-arg V=1.3 "$@" .')
    assert (image.text, pin.text) == ("reg/engine:v1.0", "1.3")


# -- finding both sides ------------------------------------------------------------------------


def tree(tmp_path, **files):
    for name, text in files.items():
        path = tmp_path / name.replace("__", "/").replace("_", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(text), encoding="utf-8")
    return str(tmp_path)


def gathered(root, *paths):
    return gather(root, Discovery(paths, len(paths), ()))


def test_callers_that_name_no_product_are_found(tmp_path):
    root = tree(
        tmp_path,
        Dockerfile=DOCKERFILE,
        build_sh="ls\ndocker build --build-arg TAG=v1.3 .\n",
        compose_yml="services: {s: {build: {args: {TAG: v1.4}}, command: run, image: a/b:v1}}",
        other_sh="docker build elsewhere\n",
        bad_yml="docker build: [\n",
    )
    done = gathered(root, "Dockerfile")
    assert images(done.facts)[0].texts == ("reg/engine:v1.3", "reg/engine:v1.4")
    assert sorted(done.texts) == ["Dockerfile", "build.sh", "compose.yml"]
    assert done.skips == ()
    assert not [
        one for one in done.facts if one.owner.unit == "compose.yml" and isinstance(one, Image)
    ]


def test_a_dockerfile_without_arguments_asks_for_nobody(tmp_path):
    root = tree(
        tmp_path, Dockerfile="FROM engine:v1\n", build_sh="docker build --build-arg A=1 .\n"
    )
    assert sorted(gathered(root, "Dockerfile").texts) == ["Dockerfile"]


def test_a_bake_file_is_found(tmp_path):
    root = tree(tmp_path, d__Dockerfile=DOCKERFILE)
    (tmp_path / "docker-bake.json").write_text(
        '{"target": {"t": {"context": "d", "args": {"TAG": "v1.3"}}}}', encoding="utf-8"
    )
    done = gathered(root, "d/Dockerfile")
    assert images(done.facts, "d/Dockerfile")[0].text == "reg/engine:v1.3"


def test_a_dockerfile_that_is_built_is_read_without_a_word_of_its_own(tmp_path):
    root = tree(tmp_path, d__Dockerfile="ARG BASE\nFROM $BASE\n", run_sh="docker build d\n")
    uses = Uses(span=span(), owner=Route("c.yml"), target="d/Dockerfile", how="build")
    missing = Uses(span=span(), owner=Route("c.yml"), target="e/Dockerfile", how="build")
    assert dockerfiles(root, (uses, missing)) == {"d/Dockerfile": "dockerfile"}
    assert sorted(gathered(root, "run.sh").texts) == ["d/Dockerfile", "run.sh"]


def test_nobody_is_asked_without_a_dockerfile(tmp_path):
    assert builders(str(tmp_path), {}) == {}
