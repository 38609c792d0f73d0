"""Data that is loaded, merged and written anew says the same texts, from the same places."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from servelint.source import Route, Source, Span
from servelint.syntax.weave import Weaver
from servelint.syntax.yaml_data import Leaf, Member, Table, load, merge, write


def source(text: str, path: str = "a.yaml") -> Source:
    return Source(path, text, "yaml", Route(path))


def plain(data):
    if isinstance(data, Leaf):
        return data.text
    if isinstance(data, Table):
        return {key: plain(member.value) for key, member in data.members.items()}
    return [plain(item) for item in data]


def leaves(data):
    if isinstance(data, Leaf):
        yield data
    elif isinstance(data, Table):
        for member in data.members.values():
            yield from leaves(member.value)
    else:
        for item in data:
            yield from leaves(item)


def written(data, path: str = "a.yaml") -> Source:
    weaver = Weaver(path)
    write(weaver, data)
    return weaver.source("yaml", Route(path))


BASE = """\
image: &i
  repository: a/b   # where
  tag: 'v1'
args: [--x, "y z"]
script: |
  first
    second $A

  third
copy: *i
"""
OVER = """\
image:
  tag: v2
args: null
more: {}
"""


def test_what_is_merged_points_at_both_files():
    files = {"base.yaml": BASE, "over.yaml": OVER}
    (base,), (over,) = (load(source(text, path)) for path, text in files.items())
    whole = written(merge(base, over), "base.yaml")
    (again,) = load(whole)
    assert plain(again) == {
        "image": {"repository": "a/b", "tag": "v2"},
        "script": "first\n  second $A\n\nthird\n",
        "copy": {"repository": "a/b", "tag": "v1"},
        "more": {},
    }
    for leaf in leaves(again):
        span = leaf.source.span(0, len(leaf.text))
        if leaf.style != "|":
            assert files[span.path][span.start : span.end] == leaf.text
    tag = again.get("image", "tag").source.span(0, 2)
    assert tag.path == "over.yaml"
    script = again.get("script").source
    at = script.text.index("$A")
    span = script.span(at, at + 2)
    assert (span.path, BASE[span.start : span.end]) == ("base.yaml", "$A")


TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), max_size=12)
LEAVES = st.builds(
    lambda text, style: Leaf(Source("t", text, "text", Route("t")), style),
    TEXTS,
    st.sampled_from(["", "'", '"', "|", ">"]),
)


def tables(inner):
    return st.dictionaries(TEXTS, inner, max_size=3).map(
        lambda found: Table({key: member(key, value) for key, value in found.items()})
    )


def member(key, value):
    return Member(Leaf(Source("t", key, "text", Route("t")), '"'), value)


DATA = st.recursive(
    LEAVES, lambda inner: tables(inner) | st.lists(inner, max_size=3).map(tuple), max_leaves=8
)


@given(DATA)
def test_what_is_written_is_read_back(data):
    whole = Table({"top": member("top", data)})
    (again,) = load(written(whole, "t"))
    assert plain(again) == {"top": plain(data)}


def test_a_value_in_the_place_of_an_action_has_both_places():
    values = source("tag: v0.5.9\n", "values.yaml")
    (data,) = load(values)
    template = source("image: a/b:{{ .Values.tag }}\n", "t.yaml")
    weaver = Weaver("t.yaml")
    weaver.take(template.slice(0, 11, "yaml"))
    weaver.put(data.get("tag").source, Span("t.yaml", 11, 28))
    weaver.take(template.slice(28, 29, "yaml"))
    whole = weaver.source("yaml", Route("chart"))
    assert whole.text == "image: a/b:v0.5.9\n"
    assert list(whole.runs(7, 17)) == [
        (7, 11, ()),
        (11, 17, (Span("values.yaml", 5, 11),)),
    ]
    assert whole.span(7, 17) == Span("t.yaml", 7, 28)
