"""The words by which Ansible is known: modules that run commands or write what runs."""

from __future__ import annotations

from servelint.syntax.yaml import Field, Mapping, Sequence, deref

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container

COMMANDS = frozenset({"shell", "command", "raw", "script"})
"""Modules whose text is a command line."""

CONTAINERS = frozenset({"docker_container", "podman_container", "docker_swarm_service"})
"""Modules whose arguments describe a container as any other YAML does."""

OBJECTS = frozenset({"k8s", "openshift"})
FILES = frozenset({"copy", "template"})
_OTHERS = frozenset(
    {"block", "include_tasks", "import_tasks", "include_role", "import_role", "set_fact"}
)
_SURE = CONTAINERS | OBJECTS | FILES
_PLAY = frozenset({"tasks", "roles", "pre_tasks", "post_tasks", "handlers"})
_COLLECTIONS = ("ansible.", "community.", "kubernetes.", "containers.")


def module_of(key: str) -> str:
    """The name of a module without its collection; as written for any other key."""
    return key.rpartition(".")[2] if key.startswith(_COLLECTIONS) else key


def is_play(keys: Container[str]) -> bool:
    """True for a mapping that says what is done on which hosts."""
    return "hosts" in keys and any(key in keys for key in _PLAY)


def is_task(found: dict[str, Field]) -> bool:
    """True for a mapping that calls a module; a command that is a list is none of Ansible's."""
    if "image" in found:
        return False
    for key, entry in found.items():
        module = module_of(key)
        if module in COMMANDS and not isinstance(deref(entry.value)[0], Sequence):
            return True
        if module in _OTHERS or (module in _SURE and isinstance(deref(entry.value)[0], Mapping)):
            return True
    return False


def is_sure_task(found: dict[str, Field]) -> bool:
    """True for a task that cannot be anything else, wherever its file stands."""
    sure = any(module_of(key) != key or key in _OTHERS for key in found)
    return is_task(found) and (sure or "name" in found)
