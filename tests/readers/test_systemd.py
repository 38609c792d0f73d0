"""The reader of systemd units: what services start, on the host and in containers."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from reading import commands_of, facts_of, launches_of, never_fails, quoted, shown

from servelint.facts import Env, Image, Launch, Uses
from servelint.finding import Skip
from servelint.readers import claim


def service(*lines):
    return "\n".join(("[Unit]", "Description=x", "[Service]", *lines, ""))


def container(*lines):
    return "\n".join(("[Container]", *lines, ""))


def only(kind, text):
    return [item for item in facts_of("systemd", text) if isinstance(item, kind)]


@pytest.mark.parametrize(
    ("path", "language"),
    [
        ("a.service", "systemd"),
        ("etc/b@.SERVICE", "systemd"),
        ("a.container", "systemd"),
        ("Dockerfile.service", "dockerfile"),
        ("service", "shebang"),
        ("a.service.j2", ""),
        ("a.timer", ""),
    ],
)
def test_claims(path, language):
    assert claim(path) == language


# -- commands -----------------------------------------------------------------


def test_a_command_and_its_words_are_quoted():
    text = "# é\n" + service("ExecStart = /opt/srv --a 'b c' \"d\" \\", "   --e \t", "Type=simple")
    (launch,) = launches_of("systemd", text)
    assert [shown(word) for word in launch.argv] == ["/opt/srv", "--a", "b c", "d", "--e"]
    assert [quoted(text, word.span) for word in launch.argv] == [
        *("/opt/srv", "--a", "'b c'", '"d"', "--e")
    ]
    assert quoted(text, launch.span) == "/opt/srv --a 'b c' \"d\" \\\n   --e"
    assert launch.owner.steps[:3] == ("Service", "ExecStart", 0)
    assert not launch.container


@pytest.mark.parametrize("signs", ["-", "@-", "+", "!", "!!", ":", "-:", "|"])
def test_signs_before_a_command_are_no_part_of_it(signs):
    name = " own-name" if "@" in signs else ""
    assert commands_of("systemd", service(f"ExecStart={signs}/srv{name} a")) == [["/srv", "a"]]


def test_comments_stand_also_between_a_line_and_its_continuation():
    text = service("ExecStart=/srv a \\", "# b \\", "; c", "  d\\", "", "ExecStart=/e\r")
    assert commands_of("systemd", text) == [["/srv", "a", "d"], ["/e"]]


def test_all_commands_that_start_something_are_read():
    lines = ["ExecStartPre=/one", "ExecStart=/two ; /three \\; ';' ;x", "ExecStartPost=-/four"]
    assert commands_of("systemd", service(*lines, "ExecStop=/no", "ExecReload=/no")) == [
        *(["/one"], ["/two"], ["/three", ";", ";", ";x"], ["/four"])
    ]
    assert commands_of("systemd", "[Unit]\nExecStart=/no\n[Install]\nExecStart=/no\n") == []


def test_an_empty_setting_takes_back_those_before_it():
    text = service("ExecStart=/one", "Environment=A=1", "ExecStart=", "Environment=")
    assert facts_of("systemd", text) == []
    text = service("ExecStart=/one", "ExecStart= ", "ExecStart=/two", "ExecStart=/three")
    assert commands_of("systemd", text) == [["/two"], ["/three"]]


@pytest.mark.parametrize(
    ("written", "words"),
    [
        ("a|b >c & `d` x$(e) *.f #g ~ {h,i}", "a|b >c & `d` x$(e) *.f #g ~ {h,i}"),
        (r"x\x41y", "xAy"),
        (r"\u00e9\101", "éA"),
        (r"\q", r"\q"),
        (r'"a\"b"', 'a"b'),
        (r"'it\'s'", "it's"),
        ('a"b"c', "abc"),
        ("''", ""),
        ("%%", "%"),
        ("$$HOME", "$HOME"),
        ("--a=$X", "--a=$X"),
        ("${A:-b}", "${A:-b}"),
        ("${A}b", "<A>b"),
        ("'${A} c'", "<A> c"),
        ("$A", "<A>"),
        ('"$A"', "<A>"),
        ("--i=%i", "--i=<SPECIFIER_i>"),
        ("{{ role }}", "<template-function>"),
        ("'a {{ role }}'", "a <template-function>"),
    ],
)
def test_words_are_those_of_systemd_and_not_of_a_shell(written, words):
    text = service(f"ExecStart=/srv {written}")
    (found,) = commands_of("systemd", text)
    expected = words.split(" ") if written.startswith("a|b") else [words]
    assert found[1:] == expected


def test_a_dollar_that_names_nothing_is_no_word():
    assert commands_of("systemd", service("ExecStart=/srv $ $1 $A/b $A-b c")) == [["/srv", "c"]]
    assert commands_of("systemd", service("ExecStart=:/srv $A ${B} $$")) == [
        ["/srv", "$A", "${B}", "$$"]
    ]


def test_a_text_for_a_shell_is_read_as_one():
    text = service('ExecStart=/bin/bash -lc "exec srv --a \\"$B\\" ${C} \\', '  --d > log"')
    (launch,) = launches_of("systemd", text)
    assert [shown(word) for word in launch.argv] == ["srv", "--a", "<B>", "<C>", "--d"]
    assert [quoted(text, word.span) for word in launch.argv][2:] == ['\\"$B\\"', "${C}", "--d"]


def test_what_docker_runs_is_what_counts():
    text = service("ExecStart=/usr/bin/docker run --rm -e A=%i -e B=2 reg/x:${TAG} srv --a")
    (launch,) = launches_of("systemd", text)
    assert [word.text for word in launch.argv] == ["srv", "--a"]
    assert launch.container
    assert {env.name: shown(env.value) for env in launch.env} == {"A": "<SPECIFIER_i>", "B": "2"}
    (image,) = only(Image, text)
    assert shown(image.reference) == "reg/x:<TAG>"
    assert quoted(text, image.span) == "reg/x:${TAG}"


def test_a_quote_that_is_not_closed_is_a_skip():
    text = service("ExecStart=/srv 'a b", 'Environment="A=1', "ExecStart=/two")
    skips = only(Skip, text)
    assert [(skip.reason, skip.detail) for skip in skips] == [
        ("syntax", "ExecStart: a quote is not closed"),
        ("syntax", "Environment: a quote is not closed"),
    ]
    assert quoted(text, skips[0].span) == "'a b"
    assert [launch.argv[0].text for launch in only(Launch, text)] == ["/two"]


# -- environment --------------------------------------------------------------


def test_variables_belong_to_their_section():
    text = service("Environment=\"A=b c\" 'D=%i' E= no F=x\\x41{{ y }}", "Environment=A=2")
    found = only(Env, text)
    assert [(env.name, shown(env.value)) for env in found] == [
        *(("A", "b c"), ("D", "<SPECIFIER_i>"), ("E", "")),
        *(("F", "xA<template-function>"), ("A", "2")),
    ]
    assert {env.owner.steps for env in found} == {("Service",)}
    assert [quoted(text, env.span) for env in found][:3] == ["A=b c", "D=%i", "E="]
    assert [quoted(text, env.value.span) for env in found][:3] == ["b c", "%i", ""]
    assert found[2].value.span.start == text.index("E= ") + 2


@pytest.mark.parametrize(
    ("written", "target"),
    [
        ("/etc/app/x.env", "units/etc/app/x.env"),
        ("-/x.env", "units/x.env"),
        ("%h/.env", "units/.env"),
        ("/srv/%i/x.env", "units/x.env"),
    ],
)
def test_files_of_variables(written, target):
    text = service(f"EnvironmentFile={written}")
    (uses,) = [x for x in facts_of("systemd", text, "units/a.service") if isinstance(x, Uses)]
    assert (uses.target, uses.how) == (target, "env-file")
    assert quoted(text, uses.span) == written


@pytest.mark.parametrize("written", ["/etc/x-%i.env%i", "/etc/%i.env", "/etc/*.env", "-"])
def test_files_whose_name_is_not_known_are_not_asked_for(written):
    assert only(Uses, service(f"EnvironmentFile={written}")) == []


# -- containers ---------------------------------------------------------------


def test_a_container_has_an_image_an_environment_and_a_command():
    text = container("Image=reg/x:v1", "Environment=A=1 B=2", 'Exec=srv --a "b c" \\', " --d %i")
    (image,) = only(Image, text)
    (launch,) = only(Launch, text)
    assert (image.reference.text, quoted(text, image.span)) == ("reg/x:v1", "reg/x:v1")
    assert [shown(word) for word in launch.argv] == ["srv", "--a", "b c", "--d", "<SPECIFIER_i>"]
    assert quoted(text, launch.span) == 'srv --a "b c" \\\n --d %i'
    assert launch.container
    assert image.owner.holds(launch.owner)
    assert [env.owner for env in only(Env, text)] == [image.owner] * 2


def test_a_command_that_is_options_only_belongs_to_the_image():
    assert commands_of("systemd", container("Image=x", "Exec=--a b")) == [["--a", "b"]]
    assert commands_of("systemd", container("Image=x")) == []


def test_the_entrypoint_stands_before_the_command():
    text = container("Entrypoint=no", 'Entrypoint=["/bin/p", "-m", "a\\tb"]', "Exec=--c")
    (launch,) = launches_of("systemd", text)
    assert [word.text for word in launch.argv] == ["/bin/p", "-m", "a\tb", "--c"]
    assert [quoted(text, word.span) for word in launch.argv] == [
        *('"/bin/p"', '"-m"', '"a\\tb"', "--c")
    ]
    assert commands_of("systemd", container("Entrypoint=/a b", "Exec=c")) == [["/a b", "c"]]


@pytest.mark.parametrize(
    ("written", "reference"),
    [
        ("reg/x:v1-%i", "reg/x:v1-<SPECIFIER_i>"),
        ("my.build", "<no-evidence>"),
        ("my.image", "<no-evidence>"),
        ("{{ image }}", "<template-function>"),
    ],
)
def test_images_that_are_not_wholly_known(written, reference):
    (image,) = only(Image, container(f"Image={written}"))
    assert shown(image.reference) == reference


def test_only_the_last_of_single_settings_counts():
    text = container("Image=a:1", "Image=b:2", "Exec=no", "Exec=srv")
    assert [image.reference.text for image in only(Image, text)] == ["b:2"]
    assert commands_of("systemd", text) == [["srv"]]
    assert only(Image, container("Image=a:1", "Image=")) == []


def test_a_service_beside_a_container_runs_on_the_host():
    text = container("Image=a:1", "[Service]", "ExecStartPre=/bin/true")
    (launch,) = launches_of("systemd", text)
    assert not launch.container


def test_a_file_that_is_too_long_is_a_skip():
    (skip,) = facts_of("systemd", service("ExecStart=/srv") + "#" * 100_000)
    assert (skip.reason, skip.detail) == ("too-large", "more than 100,000 characters: not read")


# -- hostile texts ------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        service("ExecStart=/srv " + "\\\n" * 25_000),
        service("ExecStart=/srv " + "a \\\n" * 5_000),
        service("ExecStart=" + "-" * 95_000),
        service("ExecStart=/srv" + " ;" * 45_000),
        service("ExecStart=/srv " + "${" * 45_000),
        service("Environment=" + "A=" * 45_000),
        service("Environment=" + "{{" * 45_000),
        "[" * 95_000,
        "[a" + "] " * 45_000,
        " " * 95_000,
        service("ExecStart=/srv " + "\\t" * 45_000),
        "a" * 5_000_000,
    ],
)
def test_texts_made_to_be_slow_are_not(text):
    start = time.process_time()
    facts_of("systemd", text)
    assert time.process_time() - start < 3


TOKENS = [
    *("[Service]\n", "[Container]\n", "ExecStart=", "Exec=", "Image=", "Environment=", "A=b"),
    *("EnvironmentFile=", "Entrypoint=", '["a"]', "\n", "\r\n", "\\\n", "\\", " ", "'", '"', "$"),
    *("${A}", "$B", "%i", "%", ";", "#", "-", "@", "/srv", "é", "{{ x }}", "{", "\\x41", "|"),
]


@given(st.lists(st.sampled_from(TOKENS), max_size=40).map("".join))
def test_no_text_fails(text):
    never_fails("systemd", text)


PLAIN = st.text("abcXYZ019._/:@+,é世", min_size=1, max_size=6)


@given(st.lists(PLAIN, min_size=1, max_size=5), st.sampled_from(["", "'", '"']))
def test_plain_words_are_quoted_by_their_spans(words, quote):
    written = " ".join(f"{quote}{word}{quote}" for word in words)
    text = service(f"ExecStart=/srv \\\n# é\n {written}")
    (launch,) = launches_of("systemd", text)
    assert [word.text for word in launch.argv[1:]] == words
    for word in launch.argv[1:]:
        assert quoted(text, word.span) == f"{quote}{word.text}{quote}"
