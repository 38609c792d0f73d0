"""Commands that run another one in a container."""

from __future__ import annotations

import pytest

from servelint.source import Span
from servelint.syntax.containers import enter
from servelint.value import Open, Value, known


def word(text: str) -> Value:
    span = Span("run.sh", 0, 0)
    if text.startswith("$"):
        return Value(((Open(text[1:], text),),), span)
    return known(text, span)


def entered(line: str) -> tuple[str | None, str, list[str]]:
    argv = [word(text) for text in line.split()]
    entry = enter(argv)
    assert entry is not None
    image = entry.image.written if entry.image else None
    inner = (*entry.entrypoint, *argv[entry.at :])
    return image, entry.name, [each.written for each in inner]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("docker run reg/e:v1 serve --half one", ("reg/e:v1", "", ["serve", "--half", "one"])),
        ("docker run --rm -it --gpus all reg/e:v1 serve", ("reg/e:v1", "", ["serve"])),
        ("docker run -d --name=one -p 1:1 reg/e:v1 serve", ("reg/e:v1", "one", ["serve"])),
        ("docker run -itp 1:1 -eA=b --shm-size 1g reg/e:v1", ("reg/e:v1", "", [])),
        (
            "docker run -v /a:/b --entrypoint python3 reg/e:v1 -m x",
            ("reg/e:v1", "", ["python3", "-m", "x"]),
        ),
        ("docker --context far container run reg/e:v1 serve", ("reg/e:v1", "", ["serve"])),
        ("podman run --pull always reg/e:v1 serve", ("reg/e:v1", "", ["serve"])),
        ("docker run $OPTIONS --rm $IMAGE serve", ("$IMAGE", "", ["serve"])),
        ("docker run --rm $IMAGE serve", ("$IMAGE", "", ["serve"])),
        ("docker exec -it -w /x one serve --half one", (None, "one", ["serve", "--half", "one"])),
        ("kubectl run a --image=reg/e:v1 --restart Never -- serve", ("reg/e:v1", "", ["serve"])),
        ("kubectl -n x run a --image reg/e:v1 -- serve", ("reg/e:v1", "", ["serve"])),
    ],
)
def test_what_is_entered(line: str, expected: tuple[str | None, str, list[str]]) -> None:
    assert entered(line) == expected


@pytest.mark.parametrize(
    "line",
    ["docker ps", "docker", "docker run", "docker run --rm", "kubectl get pods", "serve run x"],
)
def test_what_enters_nothing(line: str) -> None:
    assert enter([word(text) for text in line.split()]) is None


def test_no_words_enter_nothing() -> None:
    assert enter([]) is None


def test_the_environment_of_the_command_line() -> None:
    line = "docker run -e A=1 --env B=2 --env=C=3 -eD=4 --env-file f.env reg/e:v1 serve -e E=5"
    entry = enter([word(text) for text in line.split()])
    assert entry is not None
    assert [value.written for value in entry.env] == ["A=1", "B=2", "C=3", "D=4"]
    assert [value.written for value in entry.env_files] == ["f.env"]
