"""Advisory files: a wrong record cannot be loaded, and every complaint names file and key."""

from __future__ import annotations

import os

import pytest

from servelint.advisory import Affected, Condition, Mitigated
from servelint.advisory_file import MAX_LENGTH, AdvisoryError, load_advisories, load_advisory

NAME = "ADV-1.md"
GOOD = """\
id = "ADV-1"
package = "engine"
severity = "high"
published = "2026-01-31"
recommended = "1.3"
aliases = ["OTHER-1"]
references = ["https://engine.example/1"]

[[affected]]
introduced = "1.0"
fixed = "1.2"
merged = "2026-01-30"
pull = 7

[affected.when]
role = ["prefill", "both"]
"--transfer-backend" = { not = ["fake"] }
HOLD_PAGES = ["0"]

[[affected]]
fixed = "1.3"
"""
PROSE = "\n# A title\n\nThe first line.\n\n## More\n"


def load(tmp_path, front=GOOD, prose=PROSE, name=NAME):
    path = tmp_path / name
    path.write_text(f"+++\n{front}+++\n{prose}", encoding="utf-8")
    return load_advisory(str(path))


def complaint(tmp_path, *args, **changes):
    with pytest.raises(AdvisoryError) as caught:
        load(tmp_path, *args, **changes)
    return str(caught.value)


def test_a_record_is_what_its_file_says(tmp_path):
    record = load(tmp_path)
    assert (record.id, record.package, record.severity) == ("ADV-1", "engine", "high")
    assert (record.published, record.recommended, record.withdrawn) == ("2026-01-31", "1.3", "")
    assert record.aliases == ("OTHER-1",)
    assert record.references == ("https://engine.example/1",)
    assert (record.title, record.body) == ("A title", "The first line.\n\n## More")
    assert record.affected == (
        Affected(
            "1.0",
            "1.2",
            (
                Condition("role", ("prefill", "both")),
                Condition("--transfer-backend", ("fake",), negated=True),
                Condition("HOLD_PAGES", ("0",)),
            ),
            "2026-01-30",
            7,
        ),
        Affected("", "1.3", ()),
    )


def test_lists_that_are_not_given_are_empty(tmp_path):
    front = GOOD.replace('aliases = ["OTHER-1"]\n', "").replace(
        'references = ["https://engine.example/1"]\n', 'withdrawn = "2026-02-01"\n'
    )
    record = load(tmp_path, front)
    assert (record.aliases, record.references, record.withdrawn) == ((), (), "2026-02-01")


def test_other_line_ends_are_read_alike(tmp_path):
    (tmp_path / NAME).write_bytes(f"+++\n{GOOD}+++\n{PROSE}".replace("\n", "\r\n").encode())
    assert load_advisory(str(tmp_path / NAME)).title == "A title"


def test_a_directory_is_read_in_the_order_of_ids(tmp_path):
    load(tmp_path)
    load(tmp_path, GOOD.replace("ADV-1", "ADV-0"), name="ADV-0.md")
    (tmp_path / "notes.txt").write_text("no record")
    assert [record.id for record in load_advisories(str(tmp_path))] == ["ADV-0", "ADV-1"]


def test_a_merge_may_be_known_to_the_second(tmp_path):
    record = load(tmp_path, GOOD.replace('"2026-01-30"', '"2026-01-30T14:35:11Z"'))
    assert record.affected[0].merged == "2026-01-30T14:35:11Z"


@pytest.mark.parametrize(
    ("old", "new", "key"),
    [
        ('"ADV-1"', '"ADV-2"', "id"),
        ('id = "ADV-1"\n', "", "id"),
        ('package = "engine"', 'package = ""', "package"),
        ('package = "engine"', "package = 1", "package"),
        ('package = "engine"', 'packages = "engine"', "packages"),
        ('"high"', '"severe"', "severity"),
        ('"2026-01-31"', "2026-01-31", "published"),
        ('"2026-01-31"', '"31.1.2026"', "published"),
        ('"2026-01-31"', '"2026-02-31"', "published"),
        ('"2026-01-31"', '"20260131"', "published"),
        ('recommended = "1.3"', 'recommended = "1.x"', "recommended"),
        ('recommended = "1.3"', "recommended = 1.3", "recommended"),
        ('recommended = "1.3"', 'recommended = "1.2"', "affected[1].fixed"),
        ('["OTHER-1"]', '"OTHER-1"', "aliases"),
        ('["OTHER-1"]', "[1]", "aliases"),
        ('["https://engine.example/1"]', "{}", "references"),
        ('introduced = "1.0"', 'introduced = "1.0-x"', "affected[0].introduced"),
        ('introduced = "1.0"', "introduced = 1.0", "affected[0].introduced"),
        ('introduced = "1.0"', "introduced = 0", "affected[0].introduced"),
        ('introduced = "1.0"', 'introduced = "1.2"', "affected[0]"),
        ('introduced = "1.0"', 'since = "1.0"', "affected[0].since"),
        ('fixed = "1.2"', "fixed = 1.2", "affected[0].fixed"),
        ('fixed = "1.2"', "fixed = false", "affected[0].fixed"),
        ('fixed = "1.3"', 'fixed = "soon"', "affected[1].fixed"),
        ('"2026-01-30"', '"2026-13-01"', "affected[0].merged"),
        ('"2026-01-30"', "2026-01-30", "affected[0].merged"),
        ('"2026-01-30"', '"2026-01-30T25:00:00Z"', "affected[0].merged"),
        ('"2026-01-30"', '"2026-01-30T14:35Z"', "affected[0].merged"),
        ('"2026-01-30"', '"2026-01-30T14:35:11"', "affected[0].merged"),
        ('"2026-01-30"', '"2026-01-30T14:35:11+02:00"', "affected[0].merged"),
        ("pull = 7", 'pull = "7"', "affected[0].pull"),
        ("pull = 7", "pull = true", "affected[0].pull"),
        ('["prefill", "both"]', '"prefill"', "affected[0].when.role"),
        ('["prefill", "both"]', "[]", "affected[0].when.role"),
        ('["prefill", "both"]', '["prefil"]', "affected[0].when.role"),
        ('["prefill", "both"]', '["unknown"]', "affected[0].when.role"),
        ("role = ", "rôle = ", ""),
        ("role = ", "roles = ", "affected[0].when.roles"),
        ('"--transfer-backend"', '"-t"', "affected[0].when.-t"),
        ('"--transfer-backend"', '"--"', "affected[0].when.--"),
        ('"--transfer-backend"', '"--a b"', "affected[0].when.--a b"),
        ("HOLD_PAGES", "Hold_Pages", "affected[0].when.Hold_Pages"),
        ('{ not = ["fake"] }', "{ no = [] }", "affected[0].when.--transfer-backend.no"),
        ('{ not = ["fake"] }', "{}", "affected[0].when.--transfer-backend: expected"),
        ('{ not = ["fake"] }', "{ not = [] }", "affected[0].when.--transfer-backend.not"),
        ('{ not = ["fake"] }', '{ not = "fake" }', "affected[0].when.--transfer-backend.not"),
        ('{ not = ["fake"] }', "[true]", "affected[0].when.--transfer-backend"),
        ('{ not = ["fake"] }', "{ set = 1 }", "affected[0].when.--transfer-backend.set"),
        ('{ not = ["fake"] }', '{ like = "x" }', "affected[0].when.--transfer-backend.like"),
        ('{ not = ["fake"] }', "{ below = true }", "affected[0].when.--transfer-backend.below"),
        ('["prefill", "both"]', "{ set = true }", "affected[0].when.role"),
        ("pull = 7", 'basis = "seen"', "affected[0].basis"),
        ("pull = 7", 'severity = "big"', "affected[0].severity"),
        ("pull = 7", 'last_affected = "1.1"', "affected[0]: expected fixed or last_affected"),
        ("pull = 7", "every = 1", "affected[0].every"),
        ('recommended = "1.3"', "", "recommended"),
        ('recommended = "1.3"', 'recommended = "1.3"\nmitigated = 1', "mitigated"),
    ],
)
def test_a_wrong_record_is_refused_by_file_and_key(tmp_path, old, new, key):
    assert GOOD.count(old) == 1
    assert complaint(tmp_path, GOOD.replace(old, new)).startswith(f"{NAME}: {key}")


@pytest.mark.parametrize(
    ("front", "key"),
    [
        (GOOD[: GOOD.index("[[")], "affected"),
        (GOOD[: GOOD.index("[[")] + "affected = []\n", "affected"),
        (GOOD[: GOOD.index("[[")] + 'affected = ["1.0"]\n', "affected[0]"),
        (GOOD[: GOOD.index("[affected.when]")] + 'when = ["role"]\n', "affected[0].when"),
        ("id = \n", "the front matter is not TOML"),
        (GOOD.replace("pull = 7", "pull = 7\npull = 8"), "the front matter is not TOML"),
    ],
)
def test_a_wrong_shape_of_the_front_matter_is_refused(tmp_path, front, key):
    assert complaint(tmp_path, front).startswith(f"{NAME}: {key}")


@pytest.mark.parametrize(
    "prose", ["", "\nNo title.\n", "\n## A subtitle\n", "\n#Title\n", "\n# \n"]
)
def test_a_record_without_a_title_is_refused(tmp_path, prose):
    assert complaint(tmp_path, prose=prose).startswith(f"{NAME}: expected")


@pytest.mark.parametrize("text", ["", "# A title\n", f"{GOOD}", f"+++\n{GOOD}"])
def test_a_file_of_another_shape_is_refused(tmp_path, text):
    (tmp_path / NAME).write_text(text, encoding="utf-8")
    with pytest.raises(AdvisoryError, match=f"{NAME}: expected"):
        load_advisory(str(tmp_path / NAME))


def test_a_file_that_is_not_utf_8_is_refused_by_name(tmp_path):
    (tmp_path / NAME).write_bytes(b"+++\n\xff\n+++\n# T\n")
    with pytest.raises(AdvisoryError, match=f"{NAME}: not UTF-8"):
        load_advisory(str(tmp_path / NAME))


def test_one_wrong_record_fails_the_directory(tmp_path):
    load(tmp_path)
    (tmp_path / "ADV-2.md").write_text("")
    with pytest.raises(AdvisoryError, match=r"ADV-2\.md"):
        load_advisories(str(tmp_path))


LARGE = """\
id = "ADV-1"
package = "engine"
severity = "high"
published = "2026-01-31"
remedy = "switch it off"
profile = "exposure"

[[affected]]
last_affected = "1.1"
basis = "recorded"
severity = "low"

[affected.when]
"--trust" = { set = true }
HOLD = { like = false }

[affected.every]
WAIT = { below = 30 }

[affected.any]
role = ["decode"]

[[mitigated]]
introduced = "1.0"
fixed = "1.2"
severity = "low"
why = "it is held"

[mitigated.every]
HOLD = { like = true }
"""


def test_all_that_a_record_may_say(tmp_path):
    record = load(tmp_path, LARGE)
    assert (record.remedy, record.profile, record.recommended) == ("switch it off", "exposure", "")
    (only,) = record.affected
    assert (only.last_affected, only.basis, only.severity) == ("1.1", "recorded", "low")
    assert only.when == (
        Condition("--trust", test="set"),
        Condition("HOLD", ("false",), test="like"),
        Condition("WAIT", ("30",), test="below", whom="every"),
        Condition("role", ("decode",), whom="any"),
    )
    held = (Condition("HOLD", ("true",), test="like", whom="every"),)
    assert record.mitigated == (Mitigated("1.0", "1.2", held, "low", "it is held"),)


@pytest.mark.parametrize(
    ("old", "new", "key"),
    [
        ('why = "it is held"', "", "mitigated[0]: expected conditions, and why"),
        ("HOLD = { like = true }", "", "mitigated[0]: expected conditions, and why"),
        ('fixed = "1.2"', 'fixed = "0.2"', "mitigated[0]: introduced is not below fixed"),
        ('fixed = "1.2"', "pull = 3", "mitigated[0].pull"),
        ('last_affected = "1.1"', 'last_affected = "1.1"\nintroduced = "2"', "affected[0]: intro"),
    ],
)
def test_a_wrong_mitigation_is_refused(tmp_path, old, new, key):
    assert complaint(tmp_path, LARGE.replace(old, new)).startswith(f"{NAME}: {key}")


def test_a_record_that_is_no_file_or_no_text_of_a_person_is_refused(tmp_path):
    os.mkfifo(tmp_path / "pipe.md")
    (tmp_path / "zero.md").symlink_to("/dev/zero")
    for name in ("pipe.md", "zero.md"):
        with pytest.raises(AdvisoryError, match=f"{name}: not a regular file"):
            load_advisory(str(tmp_path / name))
    with pytest.raises(AdvisoryError, match=f"{NAME}: expected '\\+\\+\\+'"):
        load(tmp_path, prose=PROSE + "x" * MAX_LENGTH)


@pytest.mark.parametrize("front", ["a = " + "[" * 5000 + "\n", "a = " + "9" * 5000 + "\n"])
def test_what_the_parser_gives_up_on_is_refused(tmp_path, front):
    with pytest.raises(AdvisoryError, match=f"{NAME}: the front matter is not TOML"):
        load(tmp_path, front)
