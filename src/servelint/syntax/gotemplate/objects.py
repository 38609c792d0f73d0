"""What Helm gives every template: ``.Values``, ``.Chart``, ``.Release``, ``.Files`` and so on."""

from __future__ import annotations

import re

from servelint.syntax.gotemplate.charts import DEFAULT_APIS
from servelint.syntax.gotemplate.problems import TemplateProblem
from servelint.syntax.gotemplate.signature import NotKnown, known, strings, text_of
from servelint.syntax.gotemplate.texts import EMPTY, Text, gap, of_source, plain
from servelint.syntax.gotemplate.values import (
    FALSE,
    FILES,
    TRUE,
    Atom,
    Bytes,
    Dict,
    Items,
    Thing,
    Value,
    from_data,
    unknown,
)
from servelint.syntax.gotemplate.yaml_writer import to_yaml
from servelint.syntax.yaml_data import Leaf, Table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from servelint.syntax.gotemplate.charts import Chart, Release
    from servelint.syntax.yaml_data import Data

_TEXTS = ("Name", "Home", "Version", "Description", "Icon", "APIVersion", "Condition", "Tags")
_MORE_TEXTS = ("AppVersion", "KubeVersion", "Type")
_LISTS = ("Sources", "Keywords", "Maintainers", "Dependencies")
_ODD_NAMES = {"apiVersion": "APIVersion", "url": "URL"}


def root(chart: Chart, release: Release, name: str) -> Dict:
    """The value that the template ``name`` of a chart is run with."""
    prefix = name[: name.index("/templates/")] if "/templates/" in name else chart.name
    places = (("Name", plain(name)), ("BasePath", plain(f"{prefix}/templates")))
    template = Dict(places, None, "common.Values")
    return Dict(
        (
            *_scope(chart, release, is_root="/charts/" not in prefix).items(),
            ("Capabilities", capabilities(release)),
            ("Template", template),
        ),
        type_name="common.Values",
    )


def _scope(chart: Chart, release: Release, *, is_root: bool) -> dict[str, Value]:
    below = {one.name: _scope(one, release, is_root=False) for one in chart.subcharts}
    data = chart.values if isinstance(chart.values, Table) else None
    values = Dict(data=data, type_name="common.Values")
    values.entries.update((name, scope["Values"]) for name, scope in below.items())
    return {
        "Values": values,
        "Chart": _chart(chart, is_root=is_root),
        "Release": _release(release),
        "Files": files({name: Bytes(of_source(one)) for name, one in chart.files.items()}),
        "Subcharts": Dict((name, Dict(scope.items())) for name, scope in below.items()),
    }


def _release(release: Release) -> Dict:
    return Dict(
        (
            ("Name", _given(release.name, "{{ .Release.Name }}")),
            ("Namespace", _given(release.namespace, "{{ .Release.Namespace }}")),
            ("Service", plain("Helm")),
            ("Revision", Atom("int", 1)),
            ("IsInstall", TRUE),
            ("IsUpgrade", FALSE),
        )
    )


def _given(text: str | None, writing: str) -> Text:
    return gap(writing, is_filled=True) if text is None else plain(text)


def _chart(chart: Chart, *, is_root: bool) -> Dict:
    entries: dict[str, Value] = dict.fromkeys((*_TEXTS, *_MORE_TEXTS), EMPTY)
    entries |= dict.fromkeys(_LISTS, Items(()))
    entries |= {"Annotations": Dict(), "Deprecated": FALSE}
    if chart.meta is not None:
        for key, member in chart.meta.members.items():
            entries[_field(key)] = _meta(member.value, _field(key))
    entries["IsRoot"] = TRUE if is_root else FALSE
    if not isinstance(entries["Name"], Text) or not entries["Name"].flat:
        entries["Name"] = plain(chart.name)
    return Dict(entries.items())


def _field(key: str) -> str:
    return _ODD_NAMES.get(key, key[:1].upper() + key[1:])


def _meta(data: Data, field: str) -> Value:
    """A value of Chart.yaml, where a version is a text whatever it looks like."""
    if isinstance(data, Leaf):
        return from_data(data) if field == "Deprecated" else of_source(data.source)
    if isinstance(data, tuple):
        return Items(tuple(_meta(item, field) for item in data))
    if field == "Annotations":
        return Dict((key, _meta(one.value, "")) for key, one in data.members.items())
    return Dict((_field(key), _meta(one.value, "")) for key, one in data.members.items())


# -- the cluster ------------------------------------------------------------------------------


def capabilities(release: Release) -> Thing:
    """``.Capabilities``: the Kubernetes that ``helm template`` supposes."""
    version = plain(release.kube_version)
    numbers = re.findall(r"\d+", release.kube_version)
    kube: dict[str, Value] = {"Version": version, "GitVersion": version, "String": version}
    kube |= {"Major": plain(numbers[0]), "Minor": plain(numbers[1])}
    hidden = unknown(".Capabilities.HelmVersion", is_true=True)
    names = ("GitCommit", "GitTreeState", "GoVersion")
    helm: dict[str, Value] = {
        name: unknown(f".Capabilities.HelmVersion.{name}", is_true=True) for name in names
    }
    helm["Version"] = plain(release.helm_version)
    return Thing(
        "*common.Capabilities",
        {
            "KubeVersion": Thing("common.KubeVersion", kube, {}, version),
            "HelmVersion": Thing("common.VersionInfo", helm, {}, hidden),
            "APIVersions": _apis(release),
        },
        {},
    )


def _apis(release: Release) -> Thing:
    def has(arguments: tuple[Value, ...]) -> Value:
        wanted = _only(arguments)
        if wanted in (DEFAULT_APIS if release.apis is None else release.apis):
            return TRUE
        writing = f'.Capabilities.APIVersions.Has "{wanted}"'
        return unknown(writing) if release.apis is None else FALSE

    hidden = unknown(".Capabilities.APIVersions", is_true=True)
    return Thing("common.VersionSet", {}, {"Has": has}, hidden)


def _only(arguments: tuple[Value, ...]) -> str:
    """The one text that a method takes. Raises TemplateProblem, NotKnown."""
    if len(arguments) != 1:
        raise TemplateProblem(f"a method that takes a text is given {len(arguments)} arguments")
    return known(text_of(arguments[0]))


# -- files ------------------------------------------------------------------------------------


def files(found: Mapping[str, Bytes]) -> Thing:
    """``.Files``, or what ``.Files.Glob`` finds."""

    def content(arguments: tuple[Value, ...]) -> Text:
        one = found.get(_only(arguments))
        return one.text if one else EMPTY

    def glob(arguments: tuple[Value, ...]) -> Value:
        pattern = glob_pattern(_only(arguments))
        return files({name: one for name, one in found.items() if pattern.match(name)})

    def lines(arguments: tuple[Value, ...]) -> Value:
        return strings(_lines(content(arguments)))

    methods: dict[str, Callable[[tuple[Value, ...]], Value]] = {
        "Get": content,
        "GetBytes": lambda arguments: Bytes(content(arguments)),
        "Glob": glob,
        "Lines": lines,
        "AsConfig": lambda _: _as_config(found),
        "AsSecrets": lambda _: unknown(".Files.AsSecrets", is_true=True),
    }
    return Thing(FILES, dict(sorted(found.items())), methods)


def _as_config(found: Mapping[str, Bytes]) -> Text:
    texts = ((name.rpartition("/")[2], one.text) for name, one in sorted(found.items()))
    return to_yaml(Dict(texts)) if found else EMPTY


def _lines(text: Text) -> list[Text]:
    lines: list[Text] = []
    at = 0
    while (end := text.flat.find("\n", at)) >= 0:
        lines.append(text.cut(at, end))
        at = end + 1
    return [*lines, text.cut(at)] if at < len(text.flat) else lines


MAX_GLOB = 300
MAX_STARS = 4
"""Characters and stars of a glob."""

_GLOB = re.compile(r"\*\*|\*|\?|\[!?[^\]]*\]|\{[^{}]*\}|\\.|.", re.DOTALL)


def glob_pattern(glob: str) -> re.Pattern[str]:
    """A pattern for the names that a glob stands for; one star does not cross ``/``.

    Raises NotKnown for a glob that is no such pattern, or that may take long.
    """
    stars = glob.count("*") - glob.count("**")
    if len(glob) > MAX_GLOB or stars > MAX_STARS:
        raise NotKnown
    try:
        return re.compile("".join(map(_glob_piece, _GLOB.findall(glob))) + r"\Z", re.DOTALL)
    except re.error:
        raise NotKnown from None


def _glob_piece(piece: str) -> str:
    if piece in ("*", "**", "?"):
        return {"*": "[^/]*", "**": ".*", "?": "[^/]"}[piece]
    if piece[0] == "{" and len(piece) > 1:
        options = (glob_pattern(one).pattern.removesuffix(r"\Z") for one in piece[1:-1].split(","))
        return f"(?:{'|'.join(options)})"
    if piece[0] == "[" and len(piece) > 2:
        inside = re.sub(r"([\\\]\[^&|~])", r"\\\1", piece[1:-1].lstrip("!"))
        return f"[{'^' if piece[1] == '!' else ''}{inside}]"
    return re.escape(piece[-1] if piece[0] == "\\" else piece)
