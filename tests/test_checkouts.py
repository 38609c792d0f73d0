"""Which commands are followed together: stages of Dockerfiles, scripts, guides, variants."""

from reading import facts_of, quoted, shown

from servelint.bind import bind
from servelint.facts import Requirement, Setting
from servelint.finding import Skip

URL = "https://git.example/acme/tool"


def installed(language, *texts):
    """Place of the owner, location and effect of what is installed; all texts are read."""
    found = [
        item for number, text in enumerate(texts) for item in facts_of(language, text, f"f{number}")
    ]
    assert not [item for item in found if isinstance(item, Skip)]
    return [
        (one.owner.steps, shown(one.specifier), one.effect)
        for one in bind(found)
        if isinstance(one, Requirement) and one.kind == "vcs"
    ]


def test_steps_of_a_stage_see_what_the_steps_before_them_left():
    text = (
        "FROM a\nARG REF=v1\nWORKDIR /opt\n"
        f"RUN git clone {URL} && cd tool && git checkout ${{REF}}\n"
        "RUN apt-get update; true\n"
        "WORKDIR tool\n"
        "RUN pip install -e python\n"
    )
    assert installed("dockerfile", text) == [
        (("stage", 0, "run", 2, "command", 0), f"git+{URL}@v1", "sure")
    ]


def test_the_address_may_be_an_argument():
    text = f"FROM a\nARG R={URL}\nRUN git clone -b v1 $R /t\nRUN pip install /t\n"
    assert [location for _, location, _ in installed("dockerfile", text)] == [f"git+{URL}@v1"]


def test_the_default_of_the_state_is_where_it_is_edited():
    text = f"FROM a\nARG REF=v1\nRUN git clone {URL} -b $REF /t && pip install /t\n"
    (one,) = [fact for fact in bind(facts_of("dockerfile", text)) if isinstance(fact, Requirement)]
    assert [quoted(text, span) for span in one.specifier.trail] == ["v1"]


def test_a_step_begins_where_the_stage_is_and_not_where_the_last_step_went():
    text = f"FROM a\nWORKDIR /w\nRUN git clone {URL} && cd tool\nRUN pip install .\n"
    assert installed("dockerfile", text) == []


def test_a_stage_goes_on_where_the_one_it_starts_from_ended():
    text = (
        f"FROM a AS base\nRUN git clone -b v1 {URL} /t\n"
        "FROM base AS one\nRUN git -C /t checkout v2 && pip install /t\n"
        "FROM base\nWORKDIR /t/python\nRUN pip install .\n"
        "FROM a\nRUN pip install /t\n"
    )
    assert installed("dockerfile", text) == [
        (("stage", 1, "run", 0, "command", 1), f"git+{URL}@v2", "sure"),
        (("stage", 2, "run", 0, "command", 0), f"git+{URL}@v1", "sure"),
    ]


def test_what_a_stage_installs_is_handed_on():
    text = f"FROM a AS base\nRUN git clone -b v1 {URL} /t && pip install /t\nFROM base\nRUN b\n"
    assert [steps[:2] for steps, _, _ in installed("dockerfile", text)] == [
        ("stage", 0),
        ("stage", 1),
    ]


def test_a_working_directory_is_a_setting_that_quotes_it():
    text = "FROM a\nARG D=/d\nWORKDIR ${D}/e\n"
    (setting,) = [fact for fact in bind(facts_of("dockerfile", text)) if isinstance(fact, Setting)]
    assert (setting.key, setting.value.text) == ("workdir", "/d/e")
    assert quoted(text, setting.span) == "${D}/e"


def test_two_scripts_are_two_texts():
    assert installed("shell", f"git clone {URL}\n", "pip install ./tool\n") == []


def test_the_blocks_of_a_guide_are_typed_one_after_the_other():
    text = (
        f"# Guide\n\n```bash\ngit clone -b v1 {URL}\ncd tool\n```\n\n```bash\npip install .\n```\n"
    )
    assert [location for _, location, _ in installed("markdown", text)] == [f"git+{URL}@v1"]


def test_commands_of_a_container():
    text = (
        "spec:\n  containers:\n    - image: a\n      command: [bash, -c]\n      args:\n"
        f"        - git clone -b v1 {URL} && pip install ./tool && tool serve\n"
    )
    assert [(where, effect) for _, where, effect in installed("yaml", text)] == [
        (f"git+{URL}@v1", "inner")
    ]


def test_a_directory_of_an_image_is_what_the_image_holds_unless_something_is_put_there():
    def effects(steps):
        facts = bind(facts_of("dockerfile", f"FROM a\nWORKDIR /w\n{steps}"))
        return [(x.name, x.effect) for x in facts if isinstance(x, Requirement)]

    install = "RUN pip install -e /w/tool/python\n"
    assert effects(install) == [("tool", "keeps")]
    assert effects(f"COPY x /other/\n{install}") == [("tool", "keeps")]
    for copied in (
        "COPY . .",
        'ADD ["a b", "/w/tool"]',
        "COPY --from=b /x /w/tool/python/a",
        "COPY a /",
    ):
        assert effects(f"{copied}\n{install}") == [("tool", "")], copied


def test_where_files_are_put_is_a_setting_that_quotes_it():
    text = 'FROM a\nCOPY --chown=1 x y /z/\nADD ["p", "/q"]\nCOPY x\n'
    found = [fact for fact in bind(facts_of("dockerfile", text)) if isinstance(fact, Setting)]
    assert [(fact.key, fact.value.text) for fact in found] == [
        ("copied", "/z/"),
        ("copied", "/q"),
    ]
    assert [quoted(text, fact.span) for fact in found] == ["/z/", "/q"]
