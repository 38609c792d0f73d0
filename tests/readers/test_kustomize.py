"""Kustomizations: which are deployed, where their texts stand, and what is left out."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from kustomize_cases import BASE, CASES, overlay

from servelint.facts import Image, Launch
from servelint.finding import Skip
from servelint.read import read
from servelint.readers.kustomize import read_unit, units
from servelint.readers.kustomize.regex import matches
from servelint.source import Source
from servelint.unit import Files


def files_of(files, relevant=None):
    names = tuple(sorted(files))
    return Files(names, frozenset(names if relevant is None else relevant), files.get)


def units_of(files, relevant=None):
    return {unit.path: unit.files for unit in units(files_of(files, relevant))}


def items_of(files, path="top/kustomization.yaml"):
    root = files_of(files)
    (unit,) = (unit for unit in units(root) if unit.path == path)
    return list(read_unit(unit, root))


def facts_of(files, path="top/kustomization.yaml"):
    found = items_of(files, path)
    return [fact for item in found if isinstance(item, Source) for fact in read(item)]


def skips_of(files, path="top/kustomization.yaml"):
    found = [item for item in items_of(files, path) if isinstance(item, Skip)]
    for skip in found:
        assert skip.span is None or skip.span.path in files
    return [(skip.path, skip.reason, skip.detail) for skip in found]


def quoted(files, span):
    return files[span.path][span.start : span.end]


# -- units ------------------------------------------------------------------------------------


def test_an_overlay_is_deployed_and_its_base_is_not():
    files = overlay("images: [{name: x, newTag: v1}]\n")
    assert units_of(files) == {"top/kustomization.yaml": tuple(sorted(files))}


def test_a_base_that_is_relevant_makes_its_overlays_units():
    files = overlay("") | {"more/kustomization.yml": "resources: [../base]\n"}
    found = units_of(files, ["base/deployment.yaml"])
    assert list(found) == ["more/kustomization.yml", "top/kustomization.yaml"]


def test_what_reaches_no_relevant_file_is_no_unit():
    files = overlay("") | {"other/pod.yaml": "a: 1\n"}
    assert units_of(files, ["other/pod.yaml"]) == {}
    assert units_of(files, []) == {}


def test_kustomizations_of_other_programs_are_none():
    text = "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nspec: {path: ./a}\n"
    assert units_of({"kustomization.yaml": text}) == {}


def test_all_files_that_are_taken_belong_to_the_unit():
    files = {
        "kustomization.yaml": """\
resources: [a.yaml]
patches: [{path: b.yaml}]
patchesStrategicMerge: [c.yaml]
replacements: [{path: d.yaml}]
configMapGenerator: [{name: x, files: [key=run.sh], envs: [e.env]}]
openapi: {path: f.json}
""",
        **dict.fromkeys(["a.yaml", "b.yaml", "c.yaml", "d.yaml", "run.sh", "e.env", "f.json"], ""),
    }
    assert units_of(files) == {"kustomization.yaml": tuple(sorted(files))}
    assert units_of(files, ["run.sh"])


def test_variants_are_directories_of_overlays():
    over = {source.variant for source in items_of(overlay(""))}
    assert over == {"top"}
    plain = {"top/kustomization.yaml": "resources: [pod.yaml]\n", "top/pod.yaml": "kind: Pod\n"}
    assert {source.variant for source in items_of(plain)} == {""}
    owners = [source.owner for source in items_of(overlay(""))]
    assert len(set(owners)) == len(owners)
    assert {owner.unit for owner in owners} == {"top/kustomization.yaml"}


def test_a_component_alone_is_said_not_to_be_judged():
    files = {
        "kustomization.yaml": "kind: Component\nresources: [a.yaml]\n",
        "a.yaml": "kind: Pod\n",
    }
    ((path, reason, detail),) = skips_of(files, "kustomization.yaml")
    assert (path, reason) == ("kustomization.yaml", "template")
    assert "component" in detail


# -- places -----------------------------------------------------------------------------------


def images_of(files):
    found = [fact for fact in facts_of(files) if isinstance(fact, Image)]
    return {fact.reference.text: fact.reference for fact in found}


def test_a_changed_tag_stands_in_the_base_and_is_written_in_the_overlay():
    files = overlay("images:\n- name: engine/server\n  newTag: v0.5.9\n")
    value = images_of(files)["engine/server:v0.5.9"]
    assert value.span.path in ("base/deployment.yaml", "base/custom.yaml")
    assert quoted(files, value.span) == "engine/server:v1"
    assert [quoted(files, span) for span in value.trail] == ["v0.5.9"]
    assert [span.path for span in value.trail] == ["top/kustomization.yaml"]


def test_a_new_name_is_written_in_the_overlay_and_the_old_tag_in_the_base():
    files = overlay("images: [{name: engine/server, newName: my/fork}]\n")
    value = images_of(files)["my/fork:v1"]
    (parts,) = value.readings
    assert [(part.text, [quoted(files, span) for span in part.trail]) for part in parts] == [
        ("my/fork", ["my/fork"]),
        (":v1", []),
    ]


def test_words_of_a_patch_stand_in_the_patch():
    patch = """\
apiVersion: apps/v1
kind: Deployment
metadata: {name: server}
spec: {template: {spec: {containers: [{name: main, args: [--role, decode]}]}}}
"""
    inline = "patches:\n- patch: |-\n" + "".join(f"    {line}\n" for line in patch.splitlines())
    for files, path in (
        (overlay("patches: [{path: p.yaml}]\n", p__yaml=patch), "top/p.yaml"),
        (overlay(inline), "top/kustomization.yaml"),
    ):
        (launch,) = (
            fact
            for fact in facts_of(files)
            if isinstance(fact, Launch) and fact.argv[0].text == "python3"
        )
        assert [word.text for word in launch.argv][-2:] == ["--role", "decode"]
        places = [(word.span.path, quoted(files, word.span)) for word in launch.argv]
        assert places[0] == ("base/deployment.yaml", "python3")
        assert places[-1] == (path, "decode")


def test_a_replaced_value_is_written_where_it_is_copied_from():
    files = CASES["replacements"]
    references = (fact.reference for fact in facts_of(files) if isinstance(fact, Image))
    values = (one for one in references if one.span.path == "base/deployment.yaml")
    value = next(one for one in values if one.text == "registry.example/server:v7")
    assert quoted(files, value.span) == "engine/server:v1"
    assert [quoted(files, span) for span in value.trail] == ["registry.example/server:v7"]


def test_a_script_of_a_generated_map_is_read_where_it_stands():
    files = CASES["generators"]
    found = [fact for fact in facts_of(files) if isinstance(fact, Launch)]
    (launch,) = (fact for fact in found if fact.span.path == "top/run.sh")
    assert quoted(files, launch.span) == "python3 -m engine.serve --role $ROLE"


@pytest.mark.parametrize("name", CASES)
def test_every_place_is_in_its_file(name):
    files = CASES[name]
    for item in items_of(files, next(path for path in files if path.startswith("top/"))):
        for start, end, leaves in item.runs(0, len(item.text)):
            for span in (item.span(start, end), *leaves):
                assert 0 <= span.start <= span.end <= len(files[span.path])


def test_a_value_from_what_is_not_here_is_not_known():
    text = """\
configMapGenerator: [{name: settings, envs: [none.env]}]
replacements:
- source: {kind: ConfigMap, name: settings, fieldPath: data.tag}
  targets:
  - select: {kind: Deployment}
    fieldPaths: ["spec.template.spec.containers.[name=main].image"]
    options: {delimiter: ":", index: 1}
"""
    files = overlay(text)
    assert [reason for _, reason, _ in skips_of(files)] == ["unreadable"]
    references = [fact.reference for fact in facts_of(files) if isinstance(fact, Image)]
    (value,) = (one for one in references if one.written.startswith("engine/server:data"))
    assert value.reason == "template-function"
    assert value.text is None
    assert not [
        item for item in items_of(files) if isinstance(item, Source) and "ConfigMap" in item.text
    ]


# -- what is left out -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("entry", "reason"),
    [
        ("https://host.example/x.yaml", "remote"),
        ("github.com/owner/repo//path?ref=v1", "remote"),
        ("git@host.example:owner/repo.git", "remote"),
        ("ssh://git@host.example/owner/repo", "remote"),
        ("owner/repo?ref=v1", "remote"),
        ("../../../outside", "outside-root"),
        ("/etc/x.yaml", "outside-root"),
        ("nothing.yaml", "unreadable"),
        ("nothing.d", "unreadable"),
    ],
)
def test_what_is_not_here_is_named_and_the_rest_is_read(entry, reason):
    files = overlay("") | {"top/kustomization.yaml": f"resources: [../base, '{entry}']\n"}
    ((path, told, detail),) = skips_of(files)
    assert (path, told) == ("top/kustomization.yaml", reason)
    assert entry in detail
    assert len([item for item in items_of(files) if isinstance(item, Source)]) == 2


def test_a_patch_of_a_remote_base_is_read_as_what_is_known():
    files = {
        "top/kustomization.yaml": """\
resources: ["https://host.example/base"]
patches:
- patch: |-
    apiVersion: apps/v1
    kind: Deployment
    metadata: {name: server}
    spec: {template: {spec: {containers: [{name: main, image: "engine/server:v1"}]}}}
images: [{name: engine/server, newTag: v2}]
"""
    }
    assert list(images_of(files)) == ["engine/server:v2"]


def test_a_patch_of_nothing_is_told():
    files = overlay("patches: [{patch: '{apiVersion: v1, kind: Pod, metadata: {name: x}}'}]\n")
    assert [(reason, "Pod x" in detail) for _, reason, detail in skips_of(files)] == [
        ("unreadable", True)
    ]


@pytest.mark.parametrize(
    "patch",
    [
        "- {op: replace, path: /spec/none/x, value: x}",
        "- {op: remove, path: /spec/none}",
        "- {op: test, path: /kind, value: Pod}",
        "- {op: add, path: /spec/template/spec/containers/9, value: x}",
        "- {op: add, path: /spec/template/spec/containers/x, value: x}",
        "- {op: add, path: kind, value: x}",
        "- {op: copy, from: /none, path: /x}",
        "- {op: fly, path: /kind}",
        "- {path: /kind}",
        "- x",
    ],
)
def test_operations_that_do_not_apply_are_told(patch):
    files = overlay(f"patches: [{{target: {{kind: Deployment}}, patch: '{patch}'}}]\n")
    assert [reason for _, reason, _ in skips_of(files)] == ["syntax"]
    assert "engine/server:v1" in images_of(files)


def test_transformers_of_others_and_charts_are_told():
    text = """\
transformers: [mine.yaml]
helmCharts:
- {name: one, repo: "https://host.example"}
- {name: two}
"""
    mine = "apiVersion: example.com/v1\nkind: Changer\nmetadata: {name: x}\n"
    told = skips_of(overlay(text, mine__yaml=mine))
    assert [(reason, detail.split()[0]) for _, reason, detail in told] == [
        ("template", "Changer"),
        ("remote", "the"),
        ("template", "the"),
    ]


def test_kustomizations_in_a_circle_are_told_and_end():
    files = {
        "a/kustomization.yaml": "resources: [../b]\n",
        "b/kustomization.yaml": "resources: [../a, pod.yaml]\n",
        "b/pod.yaml": "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\n",
    }
    assert list(units_of(files)) == ["a/kustomization.yaml"]
    ((_, reason, _),) = skips_of(files, "a/kustomization.yaml")
    assert reason == "too-deep"


def test_a_file_that_is_no_yaml_is_told():
    ((path, reason, _),) = skips_of(
        BASE | {"top/kustomization.yaml": "resources: [x.yaml]\n", "top/x.yaml": "a: [\n"}
    )
    assert (path, reason) == ("top/x.yaml", "syntax")


# -- hostile input ----------------------------------------------------------------------------


def quickly(files, path="top/kustomization.yaml"):
    start = time.process_time()
    found = items_of(files, path)
    for item in found:
        if isinstance(item, Source):
            list(read(item))
    assert time.process_time() - start < 20
    return [item.reason for item in found if isinstance(item, Skip)]


def test_aliases_that_multiply_end():
    rows = "".join(f"l{n}: &l{n} [{', '.join([f'*l{n - 1}'] * 9)}]\n" for n in range(1, 12))
    bomb = f"apiVersion: v1\nkind: Pod\nmetadata: {{name: p}}\nl0: &l0 [x]\n{rows}"
    assert "too-large" in quickly(
        {"top/kustomization.yaml": "resources: [bomb.yaml]\n", "top/bomb.yaml": bomb}
    )


def test_texts_that_multiply_end():
    items = ", ".join(["*t"] * 20_000)
    bomb = f"apiVersion: v1\nkind: Pod\nmetadata: {{name: &t {'x' * 20_000}}}\nl: [{items}]\n"
    assert "too-large" in quickly(
        {"top/kustomization.yaml": "resources: [bomb.yaml]\n", "top/bomb.yaml": bomb}
    )


def test_copies_of_copies_end():
    operations = "".join("- {op: copy, from: /a, path: /a/x}\n" for _ in range(200))
    operations += "".join("- {op: copy, from: /l, path: /l/-}\n" for _ in range(200))
    files = {
        "top/kustomization.yaml": "resources: [p.yaml]\npatches: [{target: {}, path: o.yaml}]\n",
        "top/p.yaml": "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\na: {}\nl: [a, b]\n",
        "top/o.yaml": operations,
    }
    assert "syntax" in quickly(files)


def test_replacements_that_double_end():
    entry = """\
- source: {kind: Pod, fieldPath: metadata.name}
  targets:
  - {select: {kind: Pod}, fieldPaths: [metadata.name], options: {delimiter: ",", index: 9999}}
"""
    files = {
        "top/kustomization.yaml": "resources: [p.yaml]\nreplacements:\n" + entry * 200,
        "top/p.yaml": "apiVersion: v1\nkind: Pod\nmetadata: {name: 'a,a'}\n",
    }
    assert quickly(files) == []


def test_bases_that_multiply_end():
    files = {
        f"k{n}/kustomization.yaml": f"resources: [../k{n + 1}, ../k{n + 1}/]\nnamePrefix: a\n"
        for n in range(30)
    }
    files["k30/kustomization.yaml"] = "resources: [p.yaml]\n"
    files["k30/p.yaml"] = "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\n"
    files["k29/kustomization.yaml"] = "resources: [../k30]\nnamePrefix: b\n"
    assert quickly(files, "k0/kustomization.yaml") == []


def test_bases_with_names_of_their_own_end():
    files = {"k16/kustomization.yaml": "resources: [p.yaml]\n"}
    files["k16/p.yaml"] = "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\n"
    for n in range(16):
        uses = f"resources: [../k{n + 1}]\nnamePrefix: "
        files |= {f"{one}{n}/kustomization.yaml": f"{uses}{one}\n" for one in "ab"}
        files[f"k{n}/kustomization.yaml"] = f"resources: [../a{n}, ../b{n}]\n"
    assert "too-large" in quickly(files, "k0/kustomization.yaml")


def test_a_long_chain_ends():
    files = {f"k{n:04}/kustomization.yaml": f"resources: [../k{n + 1:04}]\n" for n in range(1_500)}
    assert quickly(files, "k0000/kustomization.yaml") == ["too-deep"]


def test_deep_nesting_is_told():
    deep = "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\na: " + "[" * 300 + "]" * 300 + "\n"
    files = {"top/kustomization.yaml": "resources: [p.yaml]\n", "top/p.yaml": deep}
    assert quickly(files) == ["too-deep"]


def test_many_patches_of_many_objects_end():
    pod = "---\napiVersion: v1\nkind: Pod\nmetadata: {{name: p{0}}}\n"
    files = {
        "top/kustomization.yaml": "resources: [p.yaml]\npatches:\n"
        + "- {target: {name: '(.*)*(.*)*x'}, patch: '- {op: remove, path: /kind}'}\n" * 1_000,
        "top/p.yaml": "".join(map(pod.format, range(2_000))),
    }
    assert quickly(files) == ["too-large"]


TEXTS = st.text(st.sampled_from("ab{}[]:,-&*|> \n'\"$"), max_size=40)


@given(TEXTS, TEXTS, TEXTS)
def test_no_text_fails(first, second, third):
    files = overlay(first + "\n", p__yaml=second) | {
        "top/q/kustomization.yaml": third,
        "kustomization.yaml": f"resources: [top]\npatches: [{{path: top/p.yaml}}]\n{third}",
    }
    root = files_of(files)
    for unit in units(root):
        for item in read_unit(unit, root):
            assert isinstance(item, (Skip, Source))


FIELDS = st.sampled_from(
    [
        *("resources", "bases", "components", "patches", "patchesStrategicMerge", "vars", "images"),
        *("patchesJson6902", "replacements", "configMapGenerator", "secretGenerator", "labels"),
        *("configurations", "openapi", "transformers", "generators", "helmCharts", "namePrefix"),
        *("nameSuffix", "namespace", "commonLabels"),
    ]
)
VALUES = st.recursive(
    st.sampled_from(["x", "../base", "p.yaml", "a=b", "", "Deployment", "server", "- x", "."]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                [
                    *("name", "path", "patch", "target", "kind", "files", "literals", "envs"),
                    *("source", "targets", "select", "fieldPaths", "fieldPath", "objref", "op"),
                    *("newTag", "newName", "digest", "pairs", "metadata", "value", "$patch"),
                ]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=8,
)


@given(st.dictionaries(FIELDS, VALUES, max_size=4))
def test_no_shape_fails(fields):
    import json

    text = "".join(f"{key}: {json.dumps(value)}\n" for key, value in fields.items())
    files = BASE | {
        "top/kustomization.yaml": "kind: Kustomization\n" + text,
        "top/p.yaml": "a: 1\n",
    }
    root = files_of(files)
    for unit in units(root):
        for item in read_unit(unit, root):
            assert isinstance(item, (Skip, Source))


# -- patterns ---------------------------------------------------------------------------------


@given(
    st.text(st.sampled_from("ab.|()*+?[]^$\\"), max_size=8),
    st.text(st.sampled_from("ab"), max_size=6),
)
def test_patterns_match_as_those_of_python(pattern, text):
    import re
    import warnings

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            theirs = re.fullmatch(pattern, text, re.DOTALL)
    except (re.error, RecursionError, Warning):
        return
    if matches(pattern, text):
        assert theirs is not None or pattern == text
    else:
        special = "(?" in pattern or "\\" in pattern or "++" in pattern or "*+" in pattern
        deep = pattern.count("*") + pattern.count("+") + pattern.count("?") > 2
        assert theirs is None or special or deep or "?+" in pattern


@pytest.mark.parametrize(
    ("pattern", "text", "expected"),
    [
        ("a|b", "b", True),
        ("pre.*", "prefill-0", True),
        ("^pre(fill|compute)$", "prefill", True),
        ("[a-c]{2,3}", "abc", True),
        ("[a-c]{2}", "abc", False),
        ("(?i)a", "a", False),
        ("(((a*)*)*)*b", "a" * 200, False),
        ("(a|aa)+", "a" * 200, True),
        ("(", "(", True),
        ("a{", "a{", True),
        (r"a\.b", "axb", False),
    ],
)
def test_patterns(pattern, text, expected):
    assert matches(pattern, text) is expected
