"""What the layers of an image prove about the engine in it."""

from __future__ import annotations

import io
import os
import tarfile

import pytest
from engine import ALL, INSIDE, LATE, LAYERS, NEW, OLD, editable, tree, wheel
from made_images import SITE, Image, config, packed, tar

from servelint_registry import resolve

BASE = {"etc/os-release": "made up", "usr/bin/python3": "binary", "bin": None}
TREE = "code/engine/python/engine"


@pytest.fixture(name="look")
def make_look(double):
    def look(*layers, how="gzip", tag="v1", **about):
        archives = [one if isinstance(one, bytes) else tar(one) for one in (BASE, *layers)]
        image = Image(tuple(packed(one, how) for one in archives), config(**about))
        return resolve(double.serve(image, tag=tag), INSIDE, LAYERS)

    return look


@pytest.mark.parametrize("how", ["gzip", "zstd", "plain"])
def test_a_wheel_is_found_in_every_compression(look, how):
    found = look(wheel("0.5.23"), how=how)
    assert (found.version, found.fixes, found.absent) == ("0.5.23", ALL, ())
    assert found.clears
    assert found.reason == ""
    assert found.detail == ""
    assert found.evidence == (
        f"layer 2 of 2: engine-0.5.23.dist-info; content markers read in /{SITE}/engine"
    )


def test_markers_that_are_absent_accuse(look):
    found = look(wheel("0.5.20", holds=(OLD,)))
    assert (found.version, found.fixes, found.absent) == ("0.5.20", (OLD,), (NEW, LATE))
    assert found.clears


def test_a_fix_carried_back_to_an_old_release_counts(look):
    found = look(wheel("0.5.19", holds=(OLD,)))
    assert (found.version, found.fixes, found.absent) == ("0.5.19", (OLD,), (NEW, LATE))


def test_a_release_whose_files_lack_its_fixes_is_not_believed(look):
    found = look(wheel("0.5.22", holds=(OLD,)))
    assert (found.version, found.fixes, found.absent) == ("", (OLD,), (NEW, LATE))
    assert "its files lack what 0.5.22 has" in found.detail


def test_what_is_newer_than_the_data_may_spell_its_fixes_anew(look):
    found = look(wheel("0.6.0", holds=()))
    assert (found.version, found.fixes, found.absent) == ("0.6.0", (), ())
    assert not found.clears
    assert "not the files that prove its fixes" in found.detail


def test_a_release_without_the_marked_files_does_not_clear(look):
    found = look(wheel("0.5.23", lacks=ALL))
    assert (found.version, found.fixes, found.absent) == ("0.5.23", (), ())
    assert not found.clears


def test_an_upgrade_on_top_wins(look):
    gone = {f"{SITE}/.wh.engine-0.5.19.dist-info": ""}
    found = look(wheel("0.5.19", holds=()), wheel("0.5.22") | gone)
    assert (found.version, found.fixes) == ("0.5.22", ALL)
    assert found.evidence.startswith("layer 3 of 3")


def test_a_downgrade_on_top_wins(look):
    found = look(wheel("0.5.22"), wheel("0.5.19", holds=()))
    assert (found.version, found.absent) == ("0.5.19", ALL)


def test_a_removed_install_is_not_there(look):
    gone = {f"{SITE}/.wh.engine": "", f"{SITE}/.wh.engine-0.5.22.dist-info": ""}
    found = look(wheel("0.5.22"), gone)
    assert (found.version, found.fixes, found.reason) == ("", (), "no-evidence")
    assert found.detail.endswith("engine was not found in its layers")


@pytest.mark.parametrize("opaque", [f"{SITE}/.wh..wh..opq", "usr/.wh..wh..opq", ".wh..wh..opq"])
def test_an_opaque_directory_hides_all_below(look, opaque):
    found = look(wheel("0.5.22"), {opaque: "", "opt/x": ""})
    assert (found.version, found.reason) == ("", "no-evidence")


def test_an_opaque_directory_hides_nothing_of_its_own_layer(look):
    found = look(wheel("0.5.19", holds=()), {f"{SITE}/.wh..wh..opq": "", **wheel("0.5.22")})
    assert (found.version, found.fixes) == ("0.5.22", ALL)


def test_a_removed_directory_above_hides_the_install(look):
    found = look(wheel("0.5.22"), {"usr/local/.wh.lib": ""})
    assert found.reason == "no-evidence"


def test_a_file_over_a_file_wins(look):
    found = look(wheel("0.5.20", holds=(OLD,)), {f"{SITE}/engine/srt/prefill.py": "pass\n"})
    assert (found.version, found.fixes) == ("", ())
    assert OLD in found.absent


def test_the_editable_tree_counts_and_not_the_stale_one(look):
    stale = tree("opt/code/engine/python/engine", "0.5.7", holds=())
    found = look(
        stale,
        tree(TREE, "0.5.22"),
        editable("0.5.22", "/code/engine/python"),
    )
    assert (found.version, found.fixes, found.absent) == ("0.5.22", ALL, ())
    assert found.evidence.endswith(f"read in /{TREE}")


def test_the_stale_tree_does_not_clear_the_editable_one(look):
    found = look(
        tree("opt/code/engine/python/engine", "0.5.22"),
        tree(TREE, "0.5.7", holds=()),
        editable("0.5.7", "/code/engine/python"),
    )
    assert (found.version, found.fixes, found.absent) == ("0.5.7", (), ALL)


def test_the_finder_says_which_tree_counts(look):
    found = look(
        tree("srv/a/engine", "0.5.7", holds=()),
        tree("srv/b/engine", "0.5.22"),
        editable("0.5.22", "/srv/a", finder="/srv/b/engine"),
    )
    assert (found.version, found.fixes) == ("0.5.22", ALL)


def test_a_tree_checked_out_anew_under_an_old_install_speaks_for_itself(look):
    found = look(
        tree(TREE, "0.5.22"),
        editable("0.5.22", "/code/engine/python"),
        tree(TREE, "0.5.9", holds=()),
    )
    assert (found.version, found.absent) == ("", ALL)
    assert "its files say '0.5.9'" in found.detail


def test_an_egg_link_leads_to_its_tree(look):
    found = look(
        tree("srv/engine/python/engine", "0.5.3", holds=())
        | {
            "srv/engine/python/engine.egg-info/PKG-INFO": "Name: engine\nVersion: 0.5.3\n",
            f"{SITE}/engine.egg-link": "/srv/engine/python\n.",
        }
    )
    assert (found.version, found.absent) == ("0.5.3", ALL)


def test_a_link_to_a_module_leads_to_it(look):
    info = {f"{SITE}/engine-0.5.22.dist-info/METADATA": ""}
    found = look(
        tree("srv/code/engine", "0.5.22"), tar(info, links={f"{SITE}/engine": "/srv/code/engine"})
    )
    assert (found.version, found.fixes) == ("0.5.22", ALL)


def test_a_link_to_a_directory_above_leads_on_and_hides_what_lies_below(look):
    found = look(
        tree(TREE, "0.5.9", holds=()),
        editable("0.5.22", "/code/engine/python") | tree("data/engine/python/engine", "0.5.22"),
        tar({"a": "b"}, links={"code": "data"}),
    )
    assert (found.version, found.fixes, found.absent) == ("0.5.22", ALL, ())
    assert found.evidence.endswith("read in /data/engine/python/engine")


def test_a_link_over_a_directory_hides_it(look):
    found = look(tree(TREE, "0.5.22"), tar({"a": "b"}, links={"code": "/mnt/work"}))
    assert (found.fixes, found.reason) == ((), "no-evidence")


def test_a_directory_beside_the_installer_comes_before_an_editable_tree(look):
    found = look(
        tree(TREE, "0.5.22")
        | editable("0.5.22", "/code/engine/python")
        | tree(f"{SITE}/engine", "0.5.22", holds=(OLD,)),
    )
    assert (found.version, found.fixes, found.absent) == ("", (OLD,), (NEW, LATE))


VENV = "opt/venv/lib/python3.12/site-packages"


@pytest.mark.parametrize("site", [SITE, VENV])
def test_a_sorted_layer_is_left_when_the_editable_tree_is_known(look, site):
    files = tree(TREE, "0.5.22") | editable("0.5.22", "/code/engine/python", site=site)
    files |= {"zzz/noise": os.urandom(3_000_000)}
    ordered = {name: files[name] for name in sorted(files, key=lambda one: one.split("/"))}
    found = look(ordered, env=["VIRTUAL_ENV=/opt/venv"] if site == VENV else [])
    # Without the finder, the file that tells of the tree comes last.
    assert (found.version, found.fixes, found.clears) == ("0.5.22", ALL, True)
    assert found.bytes_read < 1_500_000
    assert "left early" in found.evidence


def test_a_layer_without_order_is_read_to_its_end(look):
    files = editable("0.5.22", "/code/engine/python") | tree(TREE, "0.5.22")
    late = {"a/noise": os.urandom(3_000_000), f"{SITE}/engine/__init__.py": ""}
    found = look(files | {"zzz": ""} | late)
    assert (found.fixes, found.clears) == ((), False)
    assert found.bytes_read > 3_000_000


def test_an_old_editable_tree_ends_the_look_at_its_layer(look):
    noise = {"noise": os.urandom(3_000_000)}
    old = tree(TREE, "0.5.3", lacks=(NEW, LATE), holds=(), filler=500)
    found = look(noise, old | editable("0.5.3", "/code/engine/python"))
    assert (found.version, found.absent) == ("0.5.3", (OLD,))
    assert found.bytes_read < 1_000_000


def test_a_few_files_over_a_tree_do_not_end_the_look(look):
    patch = {f"{TREE}/models/m{number}.py": "new\n" for number in range(71)}
    info = editable("0.5.22", "/code/engine/python")
    found = look(tree(TREE, "0.5.22", filler=500), patch | info)
    assert (found.version, found.fixes, found.clears) == ("0.5.22", ALL, True)


def test_the_last_of_one_name_in_a_layer_counts(look):
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as archive:
        for holds in (ALL, ()):
            for path, text in tree("code/engine", "0.5.9", holds=holds).items():
                info = tarfile.TarInfo(path)
                info.size = len(text)
                archive.addfile(info, io.BytesIO(text.encode()))
    found = look(out.getvalue())
    assert (found.fixes, found.absent) == ((), ALL)


@pytest.mark.parametrize("path", ["/", "/code", ".", "/usr/local/lib/python3.12"])
def test_other_search_paths_are_looked_into_to_the_end(look, path):
    below = tree("engine" if path == "/" else "code/engine", "0.5.9", holds=())
    found = look(below, wheel("0.5.22"), env=[f"PYTHONPATH={path}"])
    assert found.clears is (path not in ("/", "/code"))
    assert found.fixes == (ALL if found.clears else ())


def test_hard_links_are_read_where_they_point(look):
    cache = tree("root/.cache/archive/engine", "0.5.22")
    plain = wheel("0.5.22", lacks=ALL)
    # An installer keeps the only copy of a file where no engine is looked for.
    hard = {f"{SITE}/engine/srt/prefill.py": "root/.cache/archive/engine/srt/prefill.py"}
    found = look(tar(cache | plain, hard=hard))
    assert (found.version, found.fixes) == ("0.5.22", ())
    assert not found.clears


def test_hard_links_between_wanted_files_are_followed(look):
    other = tree("srv/engine", holds=(OLD,))
    hard = {f"{SITE}/engine/srt/prefill.py": "srv/engine/srt/prefill.py"}
    found = look(tar(other | wheel("0.5.20", lacks=(OLD,), holds=()), hard=hard))
    assert (found.version, found.fixes) == ("0.5.20", (OLD,))


def test_a_fork_has_no_release_but_its_content_counts(look):
    found = look(wheel("1.6.5", name="fastengine", holds=(OLD,)))
    assert (found.version, found.fixes) == ("", (OLD,))
    old = look(wheel("1.6.5", name="fastengine", lacks=ALL))
    assert (old.version, old.reason) == ("", "fork")


@pytest.mark.parametrize(
    ("written", "version", "commit"),
    [
        ("0.0.0.dev1+g0a1b2c3d4", "", "0a1b2c3d4"),
        ("0.5.22.dev20260916+g0a1b2c3", "0.5.22.dev20260916", "0a1b2c3"),
        ("0.5.22+cu126", "0.5.22", ""),
        ("0.5.22rc1", "0.5.22rc1", ""),
    ],
)
def test_versions_of_builds(look, written, version, commit):
    found = look(wheel(written))
    assert (found.version, found.commit, found.fixes) == (version, commit, ALL)


def test_a_build_made_after_the_data_is_not_accused_for_what_it_lacks(look):
    old = look(wheel("0.0.0.dev1+g0a1b2c3d4", holds=()), created="2026-10-30T10:00:00Z")
    assert (old.absent, old.fixes) == (ALL, ())
    new = look(wheel("0.0.0.dev1+g0a1b2c3d4", holds=()), created="2027-10-30T10:00:00Z")
    assert (new.absent, new.fixes, new.reason) == ((), (), "commit")
    never = look(wheel("0.0.0.dev1+g0a1b2c3d4", holds=()), created="1970-01-01T00:00:00Z")
    assert (never.absent, never.fixes) == ((), ())


def test_the_environment_that_is_first_in_the_path_decides(look):
    venv = "opt/venv/lib/python3.12/site-packages"
    layers = (wheel("0.5.22", site=venv), wheel("0.5.22"))
    found = look(*layers, env=["VIRTUAL_ENV=/opt/venv"])
    assert found.evidence.startswith("layer 2 of 3")
    assert found.clears


def test_two_environments_that_differ_clear_nothing(look):
    venv = "opt/venv/lib/python3.12/site-packages"
    found = look(wheel("0.5.19", holds=()), wheel("0.5.22", site=venv))
    assert (found.version, found.fixes, found.absent) == ("", (), ())
    assert (found.clears, found.reason) == (False, "conflicting")
    assert "several copies that differ" in found.detail


def test_a_search_path_for_modules_comes_before_installs(look):
    found = look(wheel("0.5.22"), tree("code/engine", "0.5.9", holds=()), env=["PYTHONPATH=/code"])
    assert (found.version, found.clears) == ("", False)
    same = look(tree("code/engine", "0.5.22"), wheel("0.5.22"), env=["PYTHONPATH=/code"])
    assert (same.version, same.clears, same.fixes) == ("0.5.22", True, ALL)


def test_sources_that_nothing_installs_accuse_and_do_not_clear(look):
    old = look(tree("code/engine", "0.5.9", holds=()))
    assert (old.version, old.absent, old.clears) == ("0.5.9", ALL, False)
    new = look(tree("code/engine", "0.5.22"))
    assert (new.fixes, new.clears) == (ALL, False)
    assert "no file says that they are what runs" in new.detail


def test_copies_in_the_cache_of_an_installer_are_nobodys(look):
    found = look(tree("root/.cache/uv/archive-v0/x/engine", "0.5.22"))
    assert found.reason == "no-evidence"


def test_neighbours_with_similar_names_are_not_the_engine(look):
    found = look(wheel("0.3.2", name="engine-router", lacks=ALL) | {"opt/engines/version.py": ""})
    assert found.version == ""


def test_what_layers_say_wins_over_labels(look):
    found = look(wheel("0.5.9", holds=()), labels={"build.tag": "v0.5.22"}, tag="v0.5.22")
    assert (found.version, found.absent) == ("0.5.9", ALL)


def test_content_wins_over_the_day_of_making(look):
    found = look(wheel("0.5.22", holds=(OLD,)), created="2026-01-05T00:00:00Z")
    assert (found.fixes, found.absent) == ((OLD,), (NEW, LATE))
