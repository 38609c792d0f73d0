"""A hole is an action to a reader that knows actions, in the place of the hole."""

from reading import facts_of

from servelint.facts import Launch
from servelint.source import Route, Source
from servelint.syntax.holes import as_actions
from servelint.syntax.interpolation import HOLE

TEXT = "run {0}{{{{ .Values.x }}}}{1} --a={0}var.{{b}}{1} z\n".format(*HOLE)


def test_each_hole_is_an_action_and_the_rest_keeps_its_place():
    found = as_actions(Source("f", TEXT, "shell", Route("f")))
    assert found.text == "run {{ .Values.x }} --a={{ var.(b) }} z\n"
    first = found.span(found.text.index("{{"), found.text.index("}}") + 2)
    assert TEXT[first.start : first.end] == f"{HOLE[0]}{{{{ .Values.x }}}}{HOLE[1]}"
    at = found.text.index(" z") + 1
    last = found.span(at, at + 1)
    assert TEXT[last.start : last.end] == "z"


def test_a_text_without_holes_stays_as_it_is():
    source = Source("f", "run {{ x }}\n", "shell", Route("f"))
    assert as_actions(source) is source


def test_a_word_that_is_not_known_may_be_an_option():
    (launch,) = [one for one in facts_of("shell", TEXT) if isinstance(one, Launch)]
    assert [word.text for word in launch.argv] == ["run", None, None, "z"]
    assert launch.argv[1].head == ""
    assert launch.argv[2].head == "--a="
