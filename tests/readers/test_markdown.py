"""The reader of guides: which text of a Markdown page is code, in which language, and where."""

from __future__ import annotations

import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pages import RUN, children, shells, texts
from reading import commands_of, facts_of, launches_of, never_fails, quoted

from servelint.context import context_of
from servelint.facts import Env, Image, Launch, Requirement
from servelint.finding import Skip
from servelint.readers import UNREAD, claim, markdown
from servelint.source import Route, Source


def commands(text):
    return [" ".join(words) for words in commands_of("markdown", text)]


@pytest.mark.parametrize(
    ("name", "language"),
    [
        ("README.md", "markdown"),
        ("docs/a.MDX", "markdown"),
        ("a.markdown", "markdown"),
        ("a.rst", "rst"),
        ("a.adoc", "asciidoc"),
        ("a.asciidoc", "asciidoc"),
        ("Dockerfile.md", "markdown"),
        ("requirements.md", "markdown"),
        ("md", "shebang"),
    ],
)
def test_claims(name, language):
    assert claim(name) == language
    assert {"md", "mdx", "rst"}.isdisjoint(UNREAD)


@pytest.mark.parametrize("suffix", ["md", "mdx", "markdown", "rst", "adoc", "asciidoc"])
def test_a_guide_is_documentation_wherever_it_stands(suffix):
    assert claim(f"deploy/a.{suffix}")
    assert context_of(f"deploy/A.{suffix.upper()}") == context_of(f"tests/a.{suffix}") == "docs"


# -- fences -------------------------------------------------------------------


@pytest.mark.parametrize(
    "page",
    [
        f"```bash\n{RUN}\n```\n",
        f"~~~sh\n{RUN}\n~~~~~\n",
        f"`````shell\n{RUN}\n`````\n",
        f"``` bash {{linenums='1'}}\n{RUN}\n```\n",
        f'```sh title="start.sh"\n{RUN}\n```\n',
        f"```bash{{1,3}}\n{RUN}\n```\n",
        f"```{{.bash .numberLines}}\n{RUN}\n```\n",
        f"```{{code-block}} bash\n:name: x\n{RUN}\n```\n",
        f"```Bash Command\n{RUN}\n```\n",
        f"- one\n\n  ```bash\n  {RUN}\n  ```\n",
        f"1. ```bash\n   {RUN}\n   ```\n",
        f"> ```bash\n> {RUN}\n> ```\n",
        f"> > ```bash\n> > {RUN}\n> ```\n",
        f'=== "tab"\n\n    ```bash\n    {RUN}\n    ```\n',
        f'<Tab title="x">\n    ```bash\n    {RUN}\n    ```\n</Tab>\n',
        f"````{{note}}\n```bash\n{RUN}\n```\n````\n",
        f":::{{tip}}\n```bash\n{RUN}\n```\n:::\n",
        f"```bash\r\n{RUN}\r\n```\r\n",
    ],
)
def test_a_fence_gives_its_lines_without_what_stands_before_them(page):
    (child,) = children(page)
    assert (child.language, child.text) == ("shell", f"{RUN}\n")
    assert quoted(page, child.span(0, len(RUN))) == RUN


def test_code_keeps_the_indentation_beyond_that_of_its_fence():
    page = "- x\n  ```yaml\n  a:\n    b: 1\n  ```\n"
    assert texts(page) == [("yaml", "a:\n  b: 1\n")]


def test_tabs_count_as_columns():
    assert shells(f"\t```bash\n\t\t{RUN}\n\t```\n") == [f"\t{RUN}\n"]


def test_a_shorter_or_other_mark_ends_no_fence():
    page = f"````bash\n```\n~~~\n{RUN}\n````\n"
    assert shells(page) == [f"```\n~~~\n{RUN}\n"]


def test_a_quotation_that_ends_also_ends_the_fence_in_it():
    page = f"> ```bash\n> {RUN}\n\ntext\n\n```bash\nother\n```\n"
    assert shells(page) == [f"{RUN}\n", "other\n"]


def test_fences_in_a_fence_are_text():
    assert texts(f"````markdown\n```bash\n{RUN}\n```\n````\n") == []


@pytest.mark.parametrize(
    "page",
    [
        f"Run `{RUN}` now.\n",
        f"| a | b |\n|---|---|\n| `{RUN}` | {RUN} |\n",
        f"<!--\n```bash\n{RUN}\n```\n-->\n",
        f"<!-- old:\n```bash\n{RUN}\n``` -->\n",
        f"text\n    {RUN}\n",
        f"- item\n\n    {RUN}\n",
        f"!!! note\n\n    {RUN}\n",
        f"```json\n{RUN}\n```\n",
        f"```diff\n+ {RUN}\n```\n",
        f"```log\n{RUN}\n```\n",
        "```\nit was served by the tool\n```\n",
        "```text\nusage: tool serve --a A\n```\n",
    ],
)
def test_what_is_no_code_to_run_is_not_read(page):
    assert texts(page) == []


def test_what_follows_a_comment_is_read():
    page = f"a `<!--` and <!-- b --> c\n\n```bash\n{RUN}\n```\n<!--\n-->\n```bash\nlast\n```\n"
    assert shells(page) == [f"{RUN}\n", "last\n"]


def test_a_comment_of_jsx_counts_in_mdx():
    page = f"{{/*\n```bash\n{RUN}\n```\n*/}}\n"
    assert texts(page, "a.mdx") == []
    assert shells(page) == [f"{RUN}\n"]


def test_indented_code_is_read_when_it_looks_like_a_command():
    page = f"text\n\n    # start\n    {RUN}\n\n    tool stop\n\ntext\n\n    a picture\n"
    assert shells(page) == [f"# start\n{RUN}\n\ntool stop\n"]
    assert texts(page, "a.mdx") == []


def test_indented_code_in_a_list_stands_deeper_than_its_text():
    assert shells(f"- item\n\n      {RUN}\n\ntext\n") == [f"{RUN}\n"]


def test_a_template_string_of_a_component_is_read():
    page = f'<CodeBlock language="bash">{{`\n  {RUN}\n`}}</CodeBlock>\n'
    (child,) = children(page, "a.mdx")
    assert (child.language, child.text) == ("shell", f"{RUN}\n")
    assert quoted(page, child.span(0, len(RUN))) == RUN
    assert texts(page) == []


# -- languages ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("info", "code", "language"),
    [
        ("yaml", "image: a:1", "yaml"),
        ("yml", "image: a:1", "yaml"),
        ("python", "run()", "python"),
        ("py", "run()", "python"),
        ("dockerfile", "FROM a:1", "dockerfile"),
        ("docker", "FROM a:1", "dockerfile"),
        ("makefile", "a:", "makefile"),
        ("ini", "[Service]\nExecStart=/bin/a", "systemd"),
        ("", "image: a:1", "yaml"),
        ("", "- name: x", "yaml"),
        ("text", "FROM a:1", "dockerfile"),
        ("text", RUN, "shell"),
        ("none", f"FOO=1 {RUN}", "shell"),
        ("", "python -m tool", "shell"),
        ("", "docker run a", "shell"),
    ],
)
def test_the_word_behind_the_fence_or_the_first_line_tells_the_language(info, code, language):
    assert texts(f"```{info}\n{code}\n```\n") == [(language, f"{code}\n")]


@pytest.mark.parametrize(
    ("info", "code"), [("ini", "[section]\na=1"), ("docker", "docker ps"), ("toml", "a = 1")]
)
def test_a_word_that_means_several_things_is_checked(info, code):
    assert texts(f"```{info}\n{code}\n```\n") == []


def test_a_rule_of_markdown_between_two_documents_separates_them():
    page = "```yaml\nimage: a:1\n***\nimage: b:2\n```\n"
    images = [item for item in facts_of("markdown", page) if isinstance(item, Image)]
    assert [quoted(page, image.span) for image in images] == ["a:1", "b:2"]


def test_python_is_read_only_for_what_python_says():
    needles = ("tool", "tool.serve", "a_b", "a-b")
    (child,) = children("```python\ntool()\n```\n", needles=needles)
    assert child.needles == ("tool.serve", "a-b")


# -- sessions -----------------------------------------------------------------


@pytest.mark.parametrize(
    "prompt",
    ["$ ", "% ", "user@host:~$ ", "root@1a2b:/work# ", "(venv) $ ", "[me@node dir]$ ", "\u276f "],
)
@pytest.mark.parametrize("info", ["console", "bash", "", "shell-session"])
def test_prompts_are_cut_and_answers_dropped(prompt, info):
    page = f"```{info}\n{prompt}{RUN}\nready\n{prompt}next\n```\n"
    assert shells(page) == [f"{RUN}\nnext\n"]


def test_lines_that_go_on_are_kept():
    page = "```console\n$ tool \\\n    --a 1\n$ tool \\\n>   --b 2\nanswer\n```\n"
    assert commands(page) == ["tool --a 1", "tool --b 2"]


def test_a_here_document_of_a_session_is_kept_to_its_end():
    page = "```console\n$ cat > x <<EOF\n$ one\nEOF\nanswer\n```\n"
    assert shells(page) == ["cat > x <<EOF\n$ one\nEOF\n"]


def test_the_prompt_of_root_counts_where_no_line_is_a_command_without_it():
    assert shells(f"```console\n# {RUN}\nready\n```\n") == [f"{RUN}\n"]
    assert shells(f"```console\n# start\n{RUN}\n```\n") == [f"# start\n{RUN}\n"]
    assert shells(f"```bash\n# {RUN}\n```\n") == [f"# {RUN}\n"]


# -- what a page leaves open --------------------------------------------------


def test_placeholders_are_open_names_and_not_redirections():
    page = "```bash\ntool --host <your ip> --b '<kept>' < in > out\ntool2 <in >out\n```\n"
    first, second = launches_of("markdown", page)
    assert [word.written for word in first.argv] == [
        *("tool", "--host", "${your_ip}", "--b", "<kept>")
    ]
    assert quoted(page, first.argv[2].span) == "<your ip>"
    assert first.argv[2].text is None
    assert [word.text for word in second.argv] == ["tool2"]


def test_an_install_is_a_step_of_the_guide():
    page = "```bash\npip install tool==1.2\n```\n"
    (found,) = [item for item in facts_of("markdown", page) if isinstance(item, Requirement)]
    assert (found.name, found.kind, found.runs) == ("tool", "pinned", True)
    assert quoted(page, found.version.span) == "1.2"


@pytest.mark.parametrize(
    "line",
    [
        "docker pull team/tool:1",
        "sudo docker pull --platform linux/amd64 team/tool:1",
        "podman image pull -q 'team/tool:1'",
        "nerdctl pull team/tool:1 && echo done",
    ],
)
def test_a_pulled_image_is_an_image(line):
    page = f"```bash\n{line}\n```\n"
    (image,) = [item for item in facts_of("markdown", page) if isinstance(item, Image)]
    assert image.reference.text == quoted(page, image.span) == "team/tool:1"


def test_variables_hold_in_later_blocks_only():
    page = (
        '```bash\ntool $A\n```\n\n```bash\nexport A=1 # one\nB="2 3"\nC=$A\n```\n\n'
        "```bash\ntool $A $B $C\n```\n"
    )
    envs = [item for item in facts_of("markdown", page) if isinstance(item, Env)]
    assert [(env.name, env.value.text, env.owner.steps) for env in envs] == [
        ("A", "1", ("page", 2)),
        ("B", "2 3", ("page", 2)),
    ]
    assert [quoted(page, env.span) for env in envs] == ["A=1", 'B="2 3']


def test_a_variable_that_is_set_twice_may_be_either():
    page = "```bash\nA=1\n```\n```bash\nexport A=2\n```\n```bash\ntool $A\n```\n"
    (env,) = [item for item in facts_of("markdown", page) if isinstance(item, Env)]
    assert env.value.texts == ("1", "2")


@pytest.mark.parametrize(
    ("block", "names"),
    [
        ("# for all\nexport TOOL_A=1\nexport B=2\n\nexport C=$B", ["TOOL_A"]),
        ("export TOOL_A=1\ntool", []),
        ("TOOL_A=1", []),
    ],
    ids=["only-exports", "beside-a-launch", "not-exported"],
)
def test_a_variable_of_a_product_holds_for_all_where_a_block_only_exports(block, names):
    page = f"```bash\n{block}\n```\n```bash\nTOOL\n```\n"
    source = Source("a.md", page, "markdown", Route("a.md"), needles=("TOOL",))
    assert [item.name for item in markdown.read(source) if isinstance(item, Env)] == names


# -- relevance and bounds -----------------------------------------------------


def test_only_blocks_that_hold_a_needle_are_read():
    page = "needle\n\n```bash\nls\n```\n\n```bash\nneedle x\n```\n\n```yaml\na: [\n```\n"
    assert [child.text for child in children(page, needles=("needle",))] == ["needle x\n"]


def test_a_block_that_is_never_closed_is_a_skip_if_it_matters():
    page = f"```bash\nfirst\n```\n\n```bash x\n{RUN}\nprose\n"
    items = facts_of("markdown", page)
    assert [item.argv[0].text for item in items if isinstance(item, Launch)] == ["first"]
    (skip,) = [item for item in items if isinstance(item, Skip)]
    assert (skip.reason, quoted(page, skip.span)) == ("syntax", "```bash x")
    source = Source("a.md", page, "markdown", Route("a.md"), needles=("first",))
    assert not [item for item in markdown.read(source) if isinstance(item, Skip)]


@pytest.mark.parametrize(
    "page",
    [
        "```bash\nx\n```\n" * 20_000,
        "```bash\n" + "x\n" * 200_000 + "```\n",
        "a\n" * 300_000,
    ],
    ids=["blocks", "code", "lines"],
)
def test_long_pages_are_read_in_part_and_say_so(page):
    start = time.perf_counter()
    items = list(markdown.read(Source("a.md", page, "markdown", Route("a.md"))))
    assert time.perf_counter() - start < 5
    assert [item.reason for item in items if isinstance(item, Skip)] == ["too-large"]


@pytest.mark.parametrize(
    "page",
    [
        "> " * 500_000 + "```\n",
        "- " * 500_000,
        "`" * 1_000_000,
        " " * 1_000_000,
        "<!--" + "`a" * 300_000,
        "```" + "{" * 500_000,
        "{`\n" * 20_000,
        "[source" + "," * 500_000,
        "::" * 500_000,
        "```bash\n" + "<a" * 40_000 + "\n```\n",
        "```console\n" + "a@" * 100_000 + "\n```\n",
    ],
)
@pytest.mark.parametrize("language", ["markdown", "rst", "asciidoc"])
def test_hostile_lines_take_no_time(page, language):
    start = time.perf_counter()
    list(markdown.read(Source("a.mdx", page, language, Route("a.mdx"))))
    assert time.perf_counter() - start < 2


# -- properties ---------------------------------------------------------------

CHARACTERS = st.characters(exclude_characters="\r\n`~<>\t", exclude_categories=["Cs"])
LINES = st.text(CHARACTERS, max_size=12)
PREFIXES = st.sampled_from(["", "> ", "  ", "> > ", "    ", "> - "])


@given(st.lists(LINES, max_size=6), PREFIXES, st.sampled_from(["\n", "\r\n"]))
def test_a_block_is_its_lines_and_every_character_knows_its_place(lines, prefix, end):
    inner = prefix.replace("- ", "  ")
    before = f"text{end}{end}"
    page = before + f"{prefix}```sh{end}" + "".join(f"{inner}{one}{end}" for one in lines)
    page += f"{inner}```{end}"
    found = children(page)
    said = [child.text for child in found]
    cut = any(text.count("\n") < len(lines) for text in said)
    assert cut or said == ["".join(f"{one}\n" for one in lines)]
    for child in found:
        for at, char in enumerate(child.text):
            written = quoted(page, child.span(at, at + 1))
            assert written == (end if char == "\n" else char)


PIECES = re.split(
    r"\|",
    "```|```bash\n|````|~~~\n|> |- |\n|    |\t|<!--|-->|$ |tool --a|<x>|{`|`}|```{note}\n|***\n"
    "|image: a\n|.. code-block:: bash\n|::\n|[source,bash]\n|----\n|\r\n|\x0b|\u00e9|'|\"|\\\n"
    "|cat <<EOF\n|EOF\n|export A=1\n|$A|docker pull x\n",
)


@given(
    st.lists(st.sampled_from(PIECES), max_size=25),
    st.sampled_from(["markdown", "rst", "asciidoc"]),
)
def test_no_page_fails(parts, language):
    never_fails(language, "".join(parts))
