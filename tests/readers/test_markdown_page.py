"""What a guide says in one block and means in another: images, installs, pairs."""

from __future__ import annotations

import pytest
from made_up import ENGINE
from reading import facts_of, quoted

from servelint.bind import bind
from servelint.deployment import Range, Release
from servelint.facts import Fact
from servelint.group import deployments
from servelint.link import components
from servelint.source import Span

START = "engine serve --mode prefill"


def fence(*lines, info="bash"):
    body = "".join(f"{line}\n" for line in lines)
    return f"```{info}\n{body}```\n\n"


def linked(text):
    found = [item for item in facts_of("markdown", text, "a.md") if isinstance(item, Fact)]
    return components(bind(found), (ENGINE,))


def resolved(text):
    (component,) = linked(text)
    return component.resolution


def releases(*versions):
    return tuple(map(Release, versions))


@pytest.mark.parametrize(
    "before",
    [
        fence("docker pull engine:v1.0"),
        fence("docker run -it engine:v1.0 bash"),
        fence("image: engine:v1.0", info="yaml"),
        fence("docker run engine:v1.0 engine serve --mode decode"),
        fence("export TAG=v1.0") + fence("docker pull engine:${TAG}"),
    ],
)
def test_an_image_named_before_holds_for_later_blocks(before):
    *_, last = linked(f"{before}text\n\n{fence(START)}")
    assert last.resolution.candidates == releases("1.0")


def test_an_image_named_before_holds_within_a_block():
    page = fence("docker run -it engine:v1.0 bash", START)
    assert resolved(page).candidates == releases("1.0")


def test_of_several_images_any_may_be_the_one_and_each_is_a_place():
    page = fence("docker pull engine:v1.0", "docker pull engine:v1.4") + fence(START)
    (component,) = linked(page)
    assert component.image.reference.texts == ("engine:v1.0", "engine:v1.4")
    trail = component.image.reference.trail
    assert [quoted(page, span) for span in trail] == ["engine:v1.0", "engine:v1.4"]


def test_of_several_images_one_that_tells_nothing_comes_first():
    page = fence("docker pull engine:v1.0", "docker pull engine:latest") + fence(START)
    (component,) = linked(page)
    assert component.resolution.reason == "unknown-tag"
    assert component.image.reference.written == "engine:latest"
    assert quoted(page, component.resolution.evidence[0].span) == "engine:latest"


@pytest.mark.parametrize(
    "page",
    [
        fence(START) + fence("docker pull engine:v1.0"),
        fence("docker pull other:v1.0") + fence(START),
        "`docker pull engine:v1.0`\n\n" + fence(START),
        fence("docker pull engine:v1.0")
        + fence("command: [engine, serve, --mode, prefill]", info="yaml"),
    ],
    ids=["later", "another-product", "in-a-sentence", "for-a-file"],
)
def test_what_is_no_image_for_a_launch(page):
    assert resolved(page).reason == "no-evidence"


def test_a_launch_with_an_image_of_its_own_keeps_it():
    page = fence("docker pull engine:v1.0") + fence(f"docker run engine:v1.4 {START}")
    assert resolved(page).candidates == releases("1.4")


def test_an_install_holds_for_later_blocks():
    page = fence('pip install "engine==1.0"') + fence(START)
    assert resolved(page).candidates == releases("1.0")
    assert resolved(fence("pip install 'engine>=1.0'") + fence(START)).candidates == (
        Range(">=1.0"),
    )
    assert resolved(fence(START) + fence("pip install engine==1.0")).reason == "no-evidence"


def test_an_install_and_an_image_are_two_ways():
    page = fence("pip install engine==1.0") + fence("docker pull engine:v1.4") + fence(START)
    assert set(resolved(page).candidates) == set(releases("1.0", "1.4"))


def test_an_install_in_a_container_stays_there():
    page = fence("docker run engine:v1.4 pip install engine==1.0") + fence(START)
    assert resolved(page).candidates == releases("1.4")


def test_the_halves_of_a_page_are_one_deployment():
    page = fence(START) + "text\n\n" + fence("engine serve --mode decode")
    (only,) = deployments(linked(page))
    assert [component.role for component in only.components] == ["prefill", "decode"]


def test_a_guide_is_no_half_of_what_other_files_run():
    run = linked(fence(START))
    other = facts_of("shell", "engine serve --mode decode\n", "decode.sh")
    both = (*run, *components(bind(item for item in other if isinstance(item, Fact)), (ENGINE,)))
    assert [len(one.components) for one in deployments(both)] == [1, 1]


def test_a_role_from_a_variable_of_another_block():
    page = fence("export MODE=prefill") + fence("engine serve --mode $MODE")
    (component,) = linked(page)
    assert component.role == "prefill"
    flag = component.invocation.last("--mode")
    at = page.index("prefill")
    assert flag.value.trail[-1] == Span("a.md", at, at + len("prefill"))
