"""Ansible: tasks of one file, and projects whose variables stand in others."""

from __future__ import annotations

import textwrap

import pytest
from reading import facts_of, quoted, shown

from servelint.bind import bind
from servelint.facts import Env, Image, Launch
from servelint.finding import Skip
from servelint.read import read as read_source
from servelint.readers import ansible
from servelint.source import Source
from servelint.unit import Files

WORD = "engine"


def tasks(text):
    text = textwrap.dedent(text)
    found = facts_of("yaml", text, "play.yml")
    assert not [one for one in found if isinstance(one, Skip)]
    return text, bind(found)


def project(texts):
    """The units of a root, and the bound facts of all of them."""
    texts = {path: textwrap.dedent(text) for path, text in texts.items()}
    relevant = frozenset(path for path, text in texts.items() if WORD in text)
    files = Files(tuple(sorted(texts)), relevant, texts.get)
    units = list(ansible.units(files))
    facts = []
    for unit in units:
        for item in ansible.read_unit(unit, files):
            facts.extend(read_source(item) if isinstance(item, Source) else (item,))
    return texts, units, bind(facts)


def images(found):
    return [shown(one.reference) for one in found if isinstance(one, Image)]


def commands(found):
    return [[shown(word) for word in one.argv] for one in found if isinstance(one, Launch)]


@pytest.mark.parametrize(
    "task",
    [
        "shell: serve --mode a",
        "ansible.builtin.command: serve --mode a",
        "raw: serve --mode a",
        "command: {cmd: serve --mode a, chdir: /x}",
        "command: {argv: [serve, --mode, a]}",
        "ansible.builtin.shell: {cmd: 'serve --mode a'}",
        "shell: |\n        serve --mode a",
        'copy: {dest: /run.sh, content: "serve --mode a\\n"}',
        "block: [{shell: serve --mode a}]",
    ],
)
def test_a_task_runs_a_command(task: str) -> None:
    text = f"- hosts: all\n  tasks:\n    - name: x\n      {task}\n"
    assert commands(tasks(text)[1]) == [["serve", "--mode", "a"]]


def test_commands_of_tasks_run_on_the_host() -> None:
    _, found = tasks("- hosts: all\n  tasks: [{name: x, shell: serve}]\n")
    assert [one.container for one in found if isinstance(one, Launch)] == [False]


def test_a_container_is_described_as_anywhere() -> None:
    _, found = tasks("""\
        - hosts: all
          vars: {ref: "reg/engine:{{ tag }}", tag: v1}
          tasks:
            - community.docker.docker_container:
                image: "{{ ref }}"
                command: serve --mode {{ mode | default('a') }}
                env: {A: "1"}
            - kubernetes.core.k8s:
                definition: {spec: {containers: [{image: "{{ ref }}", args: [--mode, b]}]}}
    """)
    assert images(found) == ["reg/engine:v1", "reg/engine:v1"]
    assert commands(found) == [["serve", "--mode", "a"], ["--mode", "b"]]
    assert ("A", "1") in {(one.name, one.value.text) for one in found if isinstance(one, Env)}


def test_a_name_in_a_shell_line_is_closed_and_split() -> None:
    text, found = tasks("""\
        - hosts: all
          vars: {args: --mode a, ref: "reg/engine:v1"}
          tasks: [{name: x, shell: "docker run {{ ref }} serve {{ args }} {{ none }}"}]
    """)
    assert images(found)[-1] == "reg/engine:v1"
    assert commands(found) == [["serve", "--mode", "a", "<template_none>"]]
    image = [one for one in found if isinstance(one, Image)][-1]
    assert quoted(text, image.span) == "{{ ref }}"


def test_a_script_in_a_variable_is_read_where_it_stands() -> None:
    _, found = tasks("""\
        - hosts: all
          vars:
            script: |
              #!/bin/bash
              docker run reg/engine:v1 serve --mode a
          tasks: [{name: x, copy: {dest: /a.sh, content: "{{ script }}"}}]
    """)
    assert images(found) == ["reg/engine:v1"]
    assert ["serve", "--mode", "a"] in commands(found)


def test_a_list_of_commands_of_another_tool_is_none_of_tasks() -> None:
    _, found = tasks("- {name: a, command: [serve, --mode, a]}\n- {name: b, command: [x]}\n")
    assert commands(found) == [["serve", "--mode", "a"], ["x"]]


ROLE = {
    "ops/roles/serve/defaults/main.yml": 'tag: v1\nref: "reg/engine:{{ tag }}"\nnet: {port: 3}\n',
    "ops/roles/serve/tasks/main.yml": """\
        - name: run
          shell: docker run {{ ref }} serve --mode {{ mode }} --port {{ net.port }}
    """,
    "ops/roles/serve/templates/pod.yaml.j2": """\
        spec:
          image: {{ ref }}
          args: [--mode, {{ mode }}]
    """,
    "ops/roles/serve/templates/run.sh.j2": "#!/bin/sh\ndocker run {{ ref }} serve {{ mode }}\n",
}


def test_a_role_sees_its_defaults() -> None:
    texts, units, found = project(ROLE)
    assert [unit.path for unit in units] == ["ops"]
    assert set(units[0].files) == set(ROLE)
    assert set(images(found)) == {"reg/engine:v1"}
    assert commands(found) == [
        ["serve", "--mode", "<template_mode>", "--port", "3"],
        ["--mode", "<template_mode>"],
        ["serve", "<template_mode>"],
    ]
    for one in found:
        if isinstance(one, Image):
            for place in one.reference.trail:
                assert quoted(texts[place.path], place) in ("v1", "reg/engine:{{ tag }}")


def test_a_compose_file_of_a_role_sees_its_variables() -> None:
    more = {
        "ops/roles/serve/templates/compose.yml.j2": """\
            services:
              a: {image: "{{ ref }}", command: "serve --port {{ net.port }} --host ${HOST}"}
        """,
    }
    _, _, found = project({**ROLE, **more})
    assert ["serve", "--port", "3", "--host", "<HOST>"] in commands(found)
    assert set(images(found)) == {"reg/engine:v1"}


def test_groups_that_differ_give_several_values_with_the_default() -> None:
    more = {"ops/group_vars/a.yml": "tag: v2\n", "ops/group_vars/b/x.yml": "tag: v3\n"}
    _, _, found = project(ROLE | more)
    assert set(images(found)) == {"reg/engine:v2|reg/engine:v3|reg/engine:v1"}


def test_what_holds_for_all_hosts_takes_the_place_of_the_default() -> None:
    more = {"ops/group_vars/all.yml": "tag: v2\n", "ops/host_vars/h.yml": "tag: v3\n"}
    _, _, found = project(ROLE | more)
    assert set(images(found)) == {"reg/engine:v3|reg/engine:v2"}


def test_a_play_counts_more_than_groups_and_a_role_more_than_a_play() -> None:
    play = {
        "ops/site.yml": "- hosts: x\n  vars: {tag: v4, mode: m}\n  vars_files: [v.yml]\n"
        "  roles: [serve]\n",
        "ops/group_vars/all.yml": "tag: v2\nmode: n\n",
    }
    _, _, found = project(ROLE | play)
    assert set(images(found)) == {"reg/engine:v4"}
    assert ["--mode", "m"] in commands(found)
    role = {"ops/roles/serve/vars/main.yml": "tag: v5\n"}
    _, _, found = project(ROLE | play | role)
    serving = [
        shown(one.reference)
        for one in found
        if isinstance(one, Image) and "/tasks/" in one.owner.steps[0]
    ]
    assert serving == ["reg/engine:v5"]


def test_variables_of_an_inventory() -> None:
    more = {
        "ops/inventory.yml": "all: {children: {g: {vars: {mode: a}, hosts: {h: {mode: b}}}}}\n",
    }
    _, _, found = project(ROLE | more)
    modes = {part for command in commands(found) for part in command if "|" in part}
    assert modes in ({"a|b"}, {"b|a"})


def test_a_playbook_beside_variables_of_groups_is_a_project() -> None:
    texts = {
        "site.yml": '- hosts: x\n  tasks: [{name: x, shell: "docker run {{ ref }} serve"}]\n',
        "group_vars/x.yml": "ref: reg/engine:v1\n",
    }
    _, units, found = project(texts)
    assert [unit.path for unit in units] == ["."]
    ran = [one for one in found if isinstance(one, Image) and one.owner.steps[0] == "site.yml"]
    assert [shown(one.reference) for one in ran] == ["reg/engine:v1"]


def test_a_project_without_a_relevant_file_is_not_read() -> None:
    _, units, _ = project({path: text.replace(WORD, "other") for path, text in ROLE.items()})
    assert units == []


def test_variables_that_lead_to_themselves_end() -> None:
    more = {"ops/roles/serve/defaults/main.yml": "ref: 'engine{{ tag }}'\ntag: '{{ ref }}'\n"}
    _, _, found = project(ROLE | more)
    assert all(one.reference.text is None for one in found if isinstance(one, Image))


def test_a_task_for_each_of_a_list() -> None:
    _, found = tasks("""\
        - hosts: all
          tasks:
            - name: both
              shell: serve --mode {{ item }}
              loop: [a, b]
            - name: all
              shell: serve --mode {{ item.mode }} --port {{ item.port }}
              with_items: [{mode: a, port: 1}, {mode: b, port: 1}]
            - name: none
              shell: serve {{ item }}
    """)
    assert commands(found) == [
        ["serve", "--mode", "a|b"],
        ["serve", "--mode", "a|b", "--port", "1"],
        ["serve", "<template_item>"],
    ]


# -- where roles are applied --------------------------------------------------------------------

APPLIED = {
    "roles/s/tasks/main.yml": "- shell: docker run reg/engine:{{ tag }} serve\n",
    "roles/s/defaults/main.yml": "tag: v1\n",
}


def tags(files: dict[str, str]) -> list[str]:
    """The images that the role runs, all readings."""
    found = project(APPLIED | files)[2]
    return sorted(
        "".join(part.text for part in parts)
        for one in found
        if isinstance(one, Image)
        for parts in one.reference.readings
    )


@pytest.mark.parametrize(
    "play",
    [
        "roles: [{role: s, tag: v2}]",
        "roles: [{role: s, vars: {tag: v2}}]",
        "roles: [{name: my.collection.s, tag: v2}]",
        "tasks: [{include_role: {name: s}, vars: {tag: v2}}]",
        "tasks: [{block: [{ansible.builtin.import_role: {name: s}, vars: {tag: v2}}]}]",
        "{vars: {tag: v2}, roles: [s]}",
    ],
)
def test_a_use_of_a_role_gives_values(play: str) -> None:
    inside = play[1:-1].replace(", roles", "\n  roles") if play.startswith("{") else play
    assert tags({"site.yml": f"- hosts: all\n  {inside}\n"}) == ["reg/engine:v2"]


def test_a_task_of_another_role_gives_values() -> None:
    task = "- include_role: {name: s}\n  vars: {tag: v2}\n"
    play = "- hosts: all\n  roles: [t]\n"
    assert tags({"roles/t/tasks/main.yml": task, "site.yml": play}) == ["reg/engine:v2"]


def test_a_play_counts_for_the_roles_that_it_uses_and_for_no_other() -> None:
    new = {"site.yml": "- hosts: all\n  vars: {tag: v2}\n  roles: [s]\n"}
    plain = {"old.yml": "- hosts: all\n  roles: [s]\n"}
    other = {"old.yml": "- hosts: all\n  roles: [t]\n"}
    assert tags(new | plain) == ["reg/engine:v1", "reg/engine:v2"]
    assert tags(new | other) == ["reg/engine:v2"]
