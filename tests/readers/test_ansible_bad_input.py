"""Nothing that stands in the files of a project makes its reader fail."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from servelint.finding import Skip
from servelint.read import read
from servelint.readers import ansible
from servelint.source import Source
from servelint.unit import Files

PATHS = (
    *("site.yml", "group_vars/all.yml", "host_vars/a/b.yml", "inventory.yml", "hosts.yml"),
    *("roles/a/tasks/main.yml", "roles/a/defaults/main.yml", "roles/a/vars/main.yml"),
    *("roles/a/templates/x.yaml.j2", "roles/a/templates/x.sh.j2", "playbooks/p.yml"),
)
LINES = st.sampled_from(
    [
        *("- hosts: x", "  vars: {a: '{{ b }}', b: engine}", "  vars_files: [site.yml, 1, [x]]"),
        *("  tasks:", "    - shell: run {{ a }}", "a: '{{ a }}'", "b: [1, {c: d}]", "vars: 1"),
        *("all: {vars: {a: 1}, hosts: [x]}", "{% if a %}", "{{ a }}", "- copy: {dest: a.sh}"),
        *("- command: {argv: {a: b}}", "- shell: [a]", "- script:", "&a [*a]", "? [a]: b", "a: *x"),
        *("set_fact: {a: b}", "- block: [{command: x}]", "- k8s: {definition: |", "engine"),
    ]
)
TEXTS = st.lists(LINES, max_size=8).map("\n".join)


@given(st.dictionaries(st.sampled_from(PATHS), TEXTS, max_size=6))
def test_any_project_is_read(texts) -> None:
    relevant = frozenset(path for path, text in texts.items() if "engine" in text)
    files = Files(tuple(sorted(texts)), relevant, texts.get)
    for unit in ansible.units(files):
        for item in ansible.read_unit(unit, files):
            for one in read(item) if isinstance(item, Source) else (item,):
                assert not isinstance(one, Skip) or one.reason != "plugin-error", one.detail
                if one.span is not None:
                    assert 0 <= one.span.start <= one.span.end <= len(texts[one.span.path])
