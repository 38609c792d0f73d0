"""What is wrong with the arguments of a server, whatever version it runs."""

from __future__ import annotations

from servelint.api import Hit, Place, Rule
from servelint_sglang.tables import engine_table, option_names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from servelint.api import Component, Deployment, Flag


def _servers(deployment: Deployment) -> Iterator[Component]:
    for component in deployment.components:
        if component.engine.id == engine_table()["id"] and component.kind == "server":
            yield component


def _unread_files(deployment: Deployment) -> Iterator[Hit]:
    """``--config=FILE``: only the word ``--config`` by itself makes the server read a file."""
    for component in _servers(deployment):
        for flag in component.invocation.flags:
            text = flag.written.written
            if flag.name in engine_table()["config_options"] and "=" in text:
                why = f"the server takes {text} without a word and never reads the file"
                yield Hit(component, why, (_place(component, flag),))


def _stopping_keys(deployment: Deployment) -> Iterator[Hit]:
    """``tp_size: 8`` in a file becomes ``--tp_size``, an option that the server does not know."""
    for component in _servers(deployment):
        if component.invocation.launch.form != "configured":
            continue
        for flag in component.invocation.flags:
            text = flag.written.written.partition("=")[0]
            if "_" in text and flag.name in option_names():
                key = text.removeprefix("--")
                why = f"it stops at the key {key}, since no option is called {text}"
                yield Hit(component, why, (_place(component, flag),))


def _place(component: Component, flag: Flag) -> Place:
    return Place(flag.written.span, component.owner, flag.written.written, "flag")


RULES = (
    Rule(
        id="unread-config-file",
        title="a configuration file that the server does not read",
        severity="medium",
        remedy="write the option and the file as two words: --config FILE",
        body=(
            "The server reads a configuration file only where `--config` is a word of its own. "
            "`--config=FILE` passes its parser and has no effect: every option in the file, the "
            "role of the server among them, is missing at run time."
        ),
        check=_unread_files,
    ),
    Rule(
        id="underscored-config-key",
        title="a key in a configuration file that stops the server",
        severity="medium",
        remedy="write the keys of the file with hyphens, as the options on the command line",
        body=(
            "The keys of a file given with `--config` become options as they are written. Options "
            "have hyphens, so a key with underscores is an option that does not exist, and the "
            "server stops when it starts."
        ),
        check=_stopping_keys,
    ),
)
