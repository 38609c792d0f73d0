"""What a text installs from a repository that it takes before, command by command."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from reading import facts_of, quoted, shown

from servelint.checkouts import from_checkouts
from servelint.facts import Launch, Requirement
from servelint.syntax.git_words import git_step

URL = "https://git.example/acme/tool"


def found_in(text, language="shell"):
    facts = facts_of(language, text)
    return [one for one in from_checkouts(facts) if one.kind == "vcs"]


def said(text, language="shell"):
    """Name, location and effect of each package."""
    return [(one.name, shown(one.specifier), one.effect) for one in found_in(text, language)]


def places(text):
    """The locations only, without the address."""
    return [shown(one.specifier).removeprefix(f"git+{URL}") for one in found_in(text)]


def test_a_clone_at_a_tag_is_quoted_where_the_tag_stands():
    text = f'git clone -b v1.2 {URL}.git && cd tool && pip install -e "python[all]"'
    (one,) = found_in(text)
    assert isinstance(one, Requirement)
    assert (one.name, one.kind, one.effect, one.runs) == ("tool", "vcs", "sure", True)
    assert shown(one.specifier) == f"git+{URL}.git@v1.2"
    assert quoted(text, one.specifier.span) == "v1.2"
    assert quoted(text, one.span) == '"python[all]"'
    assert one.extras == ("all",)


def test_a_clone_without_a_state_is_quoted_where_the_address_stands():
    text = f"git clone {URL} && pip install ./tool"
    (one,) = found_in(text)
    assert shown(one.specifier) == f"git+{URL}"
    assert quoted(text, one.specifier.span) == URL


@pytest.mark.parametrize(
    ("text", "state"),
    [
        (f"git clone {URL} && cd tool && git checkout v2 && pip install .", "@v2"),
        (f"git clone --branch=v2 {URL} && pip install ./tool", "@v2"),
        (f"git clone -bv2 {URL} && pip install ./tool", "@v2"),
        (f"git clone -c a.b=c --depth 1 -b v2 {URL} x && pip install -e x/python", "@v2"),
        (f"git clone {URL} && git -C tool checkout --quiet v2 && pip install ./tool", "@v2"),
        (f"git clone {URL} && git -C tool switch --detach v2 && pip install ./tool", "@v2"),
        (f"git clone {URL} && git -C tool checkout -b mine v2 && pip install ./tool", "@v2"),
        (f"git clone {URL} && git -C tool reset --hard v2 && pip install ./tool", "@v2"),
        (f"git clone {URL} && git -C tool reset --hard HEAD && pip install ./tool", ""),
        (f"git clone {URL} && git -C tool checkout . && pip install ./tool", ""),
        (f"git clone -b v1 {URL} && git -C tool checkout v2 && pip install ./tool", "@v2"),
        (f"git clone {URL} && cd tool/python && pip install -e '.[a]'", ""),
        (f"git clone {URL} && cd tool && python setup.py develop", ""),
        (f"git clone {URL} && uv pip install --system --editable=tool", ""),
        (f"git clone {URL} /a/b && pip install -e file:///a/b", ""),
        (f"git clone {URL} $D && pip install -e ${{D}}/python", ""),
        (f"mkdir w && cd w && git clone {URL} . && pip install -e python", ""),
        (
            (
                f"git init t && cd t && git remote add origin {URL} && git fetch origin 0a1b2c3 && "
                "git checkout FETCH_HEAD && pip install ."
            ),
            "@0a1b2c3",
        ),
        (
            (
                f"git clone {URL} && cd tool && git fetch origin tag v3 && "
                "git checkout FETCH_HEAD && pip install ."
            ),
            "@v3",
        ),
        (f"git clone {URL} && cd tool && git worktree add ../w v4 && pip install ../w", "@v4"),
    ],
)
def test_the_state_that_is_installed(text, state):
    assert places(text) == [state]
    assert [one.effect for one in found_in(text)] == ["sure"]


@pytest.mark.parametrize(
    "text",
    [
        f"git clone {URL}",
        f"git clone {URL} && pip install tool",
        f"git clone {URL} && pip install -r tool/requirements.txt",
        f"git clone {URL} && pip install ./other",
        f"git clone {URL} && pip install --dry-run ./tool",
        f"git clone {URL} && pip install git+{URL}/tool",
        f"git clone {URL} && pip install tool/dist/tool-1-py3-none-any.whl",
        f"git clone {URL} /a/tool && pip install /b/tool",
        "pip install -e ./tool",
        "git checkout v1 && pip install a==1",
        "git status && git log",
    ],
)
def test_nothing_is_installed_from_a_copy(text):
    assert said(text) == []


def test_a_folder_inside_is_a_package_of_its_own():
    text = f"git clone {URL} && cd tool && pip install ./python && pip install ./tool_kernel"
    assert [name for name, _, _ in said(text)] == ["tool", "tool-kernel"]


@pytest.mark.parametrize(
    "change",
    [
        "git apply ../fix.patch",
        "git cherry-pick 0a1b2c3",
        "git pull origin main",
        "git checkout v3 -- python/a.py",
        "git remote set-url origin https://git.example/other/tool",
        "patch -p1",
        "git fetch https://git.example/other/tool v9 && git checkout FETCH_HEAD",
        "git checkout -",
    ],
)
def test_changed_code_is_no_state_of_the_repository(change):
    text = f"git clone -b v1 {URL} && cd tool && {change} && pip install ."
    assert places(text) == ["@<commit>"]


@pytest.mark.parametrize("check", ["git apply --check ../fix.patch", "git merge --abort"])
def test_what_only_looks_changes_nothing(check):
    assert places(f"git clone -b v1 {URL} && cd tool && {check} && pip install .") == ["@v1"]


def test_what_may_be_left_out_is_one_of_several():
    text = f"git clone {URL}\ncd tool\nif x; then git checkout v1; fi\npip install .\n"
    assert said(text) == [("tool", f"git+{URL}|git+{URL}@v1", "")]
    text = f"if x; then git clone -b v1 {URL}; else git clone -b v2 {URL}; fi\npip install ./tool"
    assert said(text) == [("tool", f"git+{URL}@v1|git+{URL}@v2", "")]
    text = f"if x; then git clone -b v1 {URL}; else git clone -b v1 {URL}2 tool; fi\n"
    assert said(f"{text}pip install ./tool") == [("tool", f"git+{URL}@v1|git+{URL}@<commit>", "")]


def test_where_a_failure_does_not_end_the_text_nothing_is_sure():
    text = f"git clone {URL}\ncd tool\ngit checkout v1\npip install .\n"
    assert said(text) == [("tool", f"git+{URL}@v1", "")]
    assert said(f"set -e\n{text}") == [("tool", f"git+{URL}@v1", "sure")]


def test_what_stands_outside_of_a_branch_decides():
    text = (
        f"if [ ! -d tool ]; then\n  git clone {URL}\nfi\ncd tool\ngit checkout v1\npip install .\n"
    )
    assert said(text) == [("tool", f"git+{URL}@v1", "")]


def test_many_states_are_no_state():
    moves = "".join(f"if x; then git checkout v{number}; fi\n" for number in range(40))
    text = f"git clone {URL}\ncd tool\n{moves}pip install .\n"
    (one,) = found_in(text)
    assert "many-values" in shown(one.specifier)


def test_what_is_installed_may_move_afterwards():
    text = f"git clone -b v2 {URL} && cd tool && pip install -e . && git checkout v1"
    assert said(text) == [("tool", f"git+{URL}@v2", "sure"), ("tool", f"git+{URL}@v1", "")]


def test_a_copy_that_was_there_before():
    assert said("cd /opt/tool && git checkout v1") == [("tool", "/opt/tool@v1", "")]
    text = "cd tool && git checkout v1 && pip install -e python"
    assert said(text) == [("tool", "./tool@v1", "sure")]
    assert said("cd tool && git checkout v1") == []


def directories(text):
    """Name, path and effect of what is installed from a directory of unknown origin."""
    found = [one for one in from_checkouts(facts_of("shell", text)) if one.kind == "path"]
    return [(one.name, shown(one.specifier), one.effect) for one in found]


def test_a_directory_of_unknown_origin_is_called_by_its_folder():
    assert directories("pip install -e ./a/My_Tool/python") == [("my-tool", "a/My_Tool/python", "")]
    assert directories("pip install -e /opt/tool") == [("tool", "/opt/tool", "keeps")]
    assert directories("cd /opt/tool && pip install -e '.[a]'") == [("tool", "/opt/tool", "keeps")]


@pytest.mark.parametrize("word", [".", "./python", "$DIR", "$DIR/python", "../..", "/"])
def test_no_folder_tells_a_name(word):
    assert directories(f"pip install -e {word}") == []


def test_a_submodule_is_at_a_commit_that_no_command_names():
    text = f"git submodule add -b v1 {URL} vendor/tool && pip install -e vendor/tool"
    assert places(text) == ["@<commit>"]


def test_names_stay_open():
    text = f"git clone {URL} && cd tool && git checkout $REF && pip install ."
    assert places(text) == ["@<REF>"]


def test_inner_shells_stand_where_the_outer_one_went():
    text = f"git clone -b v1 {URL}\ncd tool\nbash -c 'cd python && pip install .'\n"
    assert places(text) == ["@v1"]


def test_only_commands_of_git_are_steps():
    (launch,) = (x for x in facts_of("shell", "echo git clone u") if isinstance(x, Launch))
    assert git_step(launch.argv) is None
    assert git_step(()) is None


words = st.lists(
    st.sampled_from(
        [
            *(
                "git",
                "clone",
                "checkout",
                "-b",
                "-C",
                "--",
                "cd",
                "pip",
                "install",
                "-e",
                ".",
                "..",
            ),
            *("v1", URL, "tool", "/", "&&", ";", "fetch", "FETCH_HEAD", "reset", "--hard", "$X"),
            *("submodule", "add", "remote", "origin", "worktree", "tool/python[all]", "''", "\n"),
        ]
    ),
    max_size=25,
)


@given(words)
def test_any_commands_are_followed(parts):
    text = " ".join(parts)
    for one in from_checkouts(facts_of("shell", text)):
        assert 0 <= one.span.start <= one.span.end <= len(text)
        assert one.name
        assert one.effect in ("", "sure", "keeps")
