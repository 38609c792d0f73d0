"""Roles of one resource that share pod templates: each becomes the pod that it really is."""

from __future__ import annotations

from dataclasses import dataclass, field

from servelint.finding import Skip
from servelint.syntax.pod_patch import patched
from servelint.syntax.weave import Weaver
from servelint.syntax.yaml import YamlProblem
from servelint.syntax.yaml_data import Leaf, Member, Table, load, write
from servelint.syntax.yaml_edit import size

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from servelint.source import Source
    from servelint.syntax.yaml_data import Data

MAX_TEXT = 1_000_000
"""Characters of all templates that one text comes to."""

SHARED = "roleTemplates"
REFERENCE = "templateRef"
PATCHES = ("leaderTemplatePatch", "workerTemplatePatch")
"""What the pods of a group differ in from the one template beside it."""

GROUP = "leaderWorkerSet"
OLDER = {"patchLeaderTemplate": PATCHES[0], "patchWorkerTemplate": PATCHES[1]}
"""The names that these had, and the mapping in which they stood."""


def with_templates(source: Source) -> Source | Skip | None:
    """The text with the templates in the place of their names; None where it names none.

    A skip where there would be too much of it.
    """
    if not (REFERENCE in source.text and SHARED in source.text) and not any(
        key in source.text for key in (*PATCHES, *OLDER)
    ):
        return None
    try:
        documents = load(source)
    except YamlProblem:
        return None
    filled: list[Data | None] = []
    is_changed, left = False, MAX_TEXT
    for document in documents:
        filling = _Filling(left)
        filled.append(filling.whole(document) if document is not None else None)
        is_changed, left = is_changed or filling.is_changed, filling.left
    if left < 0:
        detail = "roles multiply their templates: what they share is not read as theirs"
        return Skip(source.path, "read", "too-large", detail, source.span(0, 0))
    return _written(source, filled) if is_changed else None


def _renewed(table: Table) -> Table:
    """The table with the patches of a group where they stand today."""
    group = table.get(GROUP)
    members = group.members if isinstance(group, Table) else {}
    older = {new: members[old] for old, new in OLDER.items() if old in members}
    if not older:
        return table
    kept = {key: one for key, one in members.items() if key not in OLDER}
    rest = {GROUP: Member(table.members[GROUP].key, Table(kept))}
    return Table(table.members | rest | older)


def _written(source: Source, documents: Iterable[Data | None]) -> Source:
    weaver = Weaver(source.path)
    for document in documents:
        weaver.glue("---\n")
        if document is not None:
            write(weaver, document)
    return weaver.source(source.language, source.owner, source.variant)


@dataclass(slots=True)
class _Filling:
    """The templates of one document by name, and which of them were asked for."""

    left: int
    templates: dict[str, Table] = field(default_factory=dict)
    used: set[str] = field(default_factory=set)
    is_changed: bool = False

    def whole(self, document: Data) -> Data:
        """The document with all that its parts share written out."""
        self._collect(document)
        return self.data(document)

    def _collect(self, document: Data) -> None:
        todo: list[Data] = [document]
        while todo:
            data = todo.pop()
            if isinstance(data, tuple):
                todo.extend(data)
            elif isinstance(data, Table):
                todo.extend(member.value for member in data.members.values())
                listed = data.get(SHARED)
                for item in listed if isinstance(listed, tuple) else ():
                    self._keep(item)

    def _keep(self, item: Data) -> None:
        if isinstance(item, Table):
            name, template = item.text("name"), item.get("template")
            if name and isinstance(template, Table):
                self.templates[name] = template

    def data(self, data: Data) -> Data:
        """The data with all references in it filled in."""
        if isinstance(data, tuple):
            return tuple(map(self.data, data))
        if not isinstance(data, Table):
            return data
        table = self._led(_renewed(self._named(data)))
        before = {id(one.value) for one in data.members.values()}
        members: dict[str, Member] = {}
        for key, one in table.members.items():
            if key != SHARED:  # what was filled in is a pod: no reference in it is one
                is_own = id(one.value) in before
                members[key] = Member(one.key, self.data(one.value)) if is_own else one
        if SHARED in table.members:  # last, when it is known who uses them
            shared = table.members[SHARED]
            members[SHARED] = Member(shared.key, self._unused(shared.value))
        return Table(members)

    def _named(self, table: Table) -> Table:
        """The table with the template that it names, patched."""
        reference = table.get(REFERENCE)
        name = reference.text("name") if isinstance(reference, Table) else None
        base = self.templates.get(name or "")
        if base is None or not isinstance(reference, Table) or not self._spend(base):
            return table
        self.used.add(name or "")
        self.is_changed = True
        patch = reference.get("patch") or table.get("templatePatch")
        whole = patched(base, patch) if isinstance(patch, Table) else base
        key = table.members[REFERENCE].key
        others = {
            name: one
            for name, one in table.members.items()
            if name not in (REFERENCE, "templatePatch")
        }
        return Table({**others, "template": Member(_renamed(key, "template"), whole)})

    def _led(self, table: Table) -> Table:
        """The table with a template for each of the pods that differ in their patches."""
        base = table.get("template")
        patches = {key: one for key in PATCHES if isinstance(one := table.get(key), Table)}
        if not isinstance(base, Table) or not any(
            isinstance(one.get("spec"), Table) for one in patches.values()
        ):
            return table
        if not self._spend(base):
            return table
        self.is_changed = True
        members = {
            key: one for key, one in table.members.items() if key not in (*PATCHES, "template")
        }
        for key in PATCHES:
            patch = patches.get(key)
            name = key.removesuffix("TemplatePatch")
            own = table.members[key if patch is not None else "template"].key
            whole = patched(base, patch) if patch is not None else base
            members[name] = Member(_renamed(own, name), whole)
        return Table(members)

    def _spend(self, template: Table) -> bool:
        if self.left >= 0:
            self.left -= size(template, self.left)
        return self.left >= 0

    def _unused(self, shared: Data) -> Data:
        if not isinstance(shared, tuple):
            return shared
        return tuple(
            item
            for item in shared
            if not isinstance(item, Table) or item.text("name") not in self.used
        )


def _renamed(key: Leaf, name: str) -> Leaf:
    """A key of another name in the place of one that is there."""
    weaver = Weaver(key.source.path)
    weaver.write(name, key.source.span(0, len(key.text)))
    return Leaf(weaver.source("text", key.source.owner))
