"""Options of the server in files of launchers: roles, images, variables, several deployments."""

import pytest
from reading import facts_of, launches_of, quoted, shown

from servelint.facts import Env, Image, Launch
from servelint.readers import claim

POOLS = """\
model:
  container: "team+sglang+v1.sqsh"
backend:
  prefill_environment:
    A: "1"
  sglang_config:
    prefill:
      tp-size: 8
      trust-remote-code: true
      disable-radix-cache: false
      cuda-graph-bs: [1, 2]
      context-length:
    decode:
      disaggregation_mode: decode
      tp-size: 4
    aggregated:
      tp-size: 2
"""


def words(launch):
    return [shown(word) for word in launch.argv]


def only(kind, found):
    return [fact for fact in found if isinstance(fact, kind)]


def test_each_pool_is_a_launch_and_its_key_gives_the_role():
    prefill, decode, whole = launches_of("yaml", POOLS, "r.yaml")
    assert {launch.engine for launch in (prefill, decode, whole)} == {"sglang"}
    assert words(prefill) == [
        "backend.sglang_config.prefill",
        *("--disaggregation-mode", "prefill"),
        *("--tp-size", "8"),
        "--trust-remote-code",
        *("--cuda-graph-bs", "1", "2"),
    ]
    assert quoted(POOLS, prefill.span).startswith("prefill:\n")
    assert quoted(POOLS, prefill.argv[2].span) == "prefill"
    assert words(decode)[1:] == ["--disaggregation_mode", "decode", "--tp-size", "4"]
    assert words(whole)[1:] == ["--tp-size", "2"]


def test_a_pool_has_the_image_of_its_recipe_and_the_variables_of_its_role():
    found = facts_of("yaml", POOLS, "r.yaml")
    prefill, decode, _ = only(Launch, found)
    (image,) = only(Image, found)
    assert (shown(image.reference), quoted(POOLS, image.span)) == ("team+sglang+v1.sqsh",) * 2
    assert image.owner.holds(prefill.owner)
    (env,) = only(Env, found)
    assert (env.name, quoted(POOLS, env.span)) == ("A", 'A: "1')
    assert env.owner.holds(prefill.owner)
    assert not env.owner.holds(decode.owner)


GROUPS = """\
sglang:
  - name: default
    server_groups:
      - worker_type: prefill
        num_gpus: 8
        overrides:
          dp_size: 4
      - worker_type: ${ROLE}
"""


def test_a_group_of_plain_servers_has_no_role():
    text = GROUPS.replace("prefill", "regular")
    plain, _ = launches_of("yaml", text, "g.yaml")
    assert words(plain)[1:] == ["--dp_size", "4"]


def test_each_group_is_a_launch_with_its_worker_type_as_role():
    prefill, other = launches_of("yaml", GROUPS, "g.yaml")
    assert words(prefill)[1:] == ["--disaggregation-mode", "prefill", "--dp_size", "4"]
    assert words(other)[1:] == ["--disaggregation-mode", "<ROLE>"]
    assert quoted(GROUPS, prefill.argv[2].span) == "prefill"


def test_a_group_in_a_guide_that_leaves_the_role_to_fill_in_is_no_server():
    text = GROUPS.replace("${ROLE}", "<type>")
    (only_one,) = launches_of("yaml", text, "g.yaml")
    assert words(only_one)[1:3] == ["--disaggregation-mode", "prefill"]


@pytest.mark.parametrize("name", ["team-sglang", "0.5.9", "v0.5.9", "latest", "sglang+v1"])
def test_an_image_by_a_name_of_the_launchers_own_table_is_not_known(name):
    text = POOLS.replace("team+sglang+v1.sqsh", name)
    (image,) = only(Image, facts_of("yaml", text, "r.yaml"))
    assert (image.reference.text, image.reference.reason) == (None, "unset-variable")
    assert (image.reference.written, quoted(text, image.span)) == (name, name)


@pytest.mark.parametrize(
    "name",
    [
        "/images/sglang.sqsh",
        "sglang.sif",
        "lmsysorg/sglang:v0.5.9",
        "lmsysorg/sglang",
        "sglang:v1",
    ],
)
def test_an_image_by_a_reference_or_a_file_is_what_it_says(name):
    text = POOLS.replace("team+sglang+v1.sqsh", name)
    (image,) = only(Image, facts_of("yaml", text, "r.yaml"))
    assert image.reference.text == name


LONE = "servers:\n  - disaggregation-mode: decode\n    mem-fraction-static: 0.8\n"


@pytest.mark.parametrize(
    ("path", "text", "engine"),
    [
        ("conf/sglang/decode.yaml", LONE, "sglang"),
        ("conf/decode.yaml", LONE, ""),
        (
            "conf/decode.yaml",
            "sglang:\n" + "".join(f"  {x}\n" for x in LONE.splitlines()),
            "sglang",
        ),
        ("conf/isglanger.yaml", LONE, ""),
    ],
)
def test_any_mapping_is_a_launch_of_the_engine_that_its_surroundings_name(path, text, engine):
    (launch,) = launches_of("yaml", text, path)
    assert launch.engine == engine
    assert (launch.argv[0].text is None) == (not engine)
    assert words(launch)[1:] == ["--disaggregation-mode", "decode", "--mem-fraction-static", "0.8"]


def test_the_role_option_alone_is_no_launch():
    assert not launches_of("yaml", "disaggregation-mode: prefill\nnotes: x\n", "sglang.yaml")


def test_a_placeholder_is_each_of_the_values_swept():
    text = (
        "sweep:\n  size: [4096, 8192]\n"
        "backend:\n  sglang_config:\n    prefill:\n      chunked-prefill-size: '{size}'\n"
    )
    (launch,) = launches_of("yaml", text, "s.yaml")
    assert words(launch)[-1] == "4096|8192"
    assert quoted(text, launch.argv[-1].span) == "{size}"


OVERRIDDEN = """\
base:
  model: {container: "a/sglang:v1"}
  backend:
    sglang_config:
      prefill: {tp-size: 1, dp-size: 1}
override_new:
  model: {container: "a/sglang:v2"}
zip_override_sizes:
  backend:
    sglang_config:
      prefill: {tp-size: [2, 4], dp-size: [8]}
"""


def test_overrides_are_deployments_and_the_base_is_none():
    found = facts_of("yaml", OVERRIDDEN, "o.yaml")
    launches, images = only(Launch, found), only(Image, found)
    told = {launch.variant: words(launch)[3:] for launch in launches}
    assert told == {
        "override_new": ["--tp-size", "1", "--dp-size", "1"],
        "zip_override_sizes[0]": ["--tp-size", "2", "--dp-size", "8"],
        "zip_override_sizes[1]": ["--tp-size", "4", "--dp-size", "8"],
    }
    for launch in launches:
        (image,) = [one for one in images if one.owner.holds(launch.owner)]
        version = "v2" if launch.variant == "override_new" else "v1"
        assert shown(image.reference) == f"a/sglang:{version}"
        assert quoted(OVERRIDDEN, image.span) == f"a/sglang:{version}"
    sizes = next(one for one in launches if one.variant == "zip_override_sizes[1]")
    assert quoted(OVERRIDDEN, sizes.argv[4].span) == "4"


def test_a_base_that_nothing_overrides_is_a_deployment():
    text = OVERRIDDEN.partition("override_new")[0]
    (launch,) = launches_of("yaml", text, "o.yaml")
    assert launch.variant == "base"


def test_the_names_of_images_are_told_by_a_table():
    text = "default_container: a\ncontainers:\n  a: /images/team+sglang+v1.sqsh\n  b:\n"
    (image,) = only(Image, facts_of("yaml", text, "launcher.yaml.example"))
    assert quoted(text, image.span) == "/images/team+sglang+v1.sqsh"
    assert claim("launcher.yaml.example") == "yaml"


@pytest.mark.parametrize(
    "text",
    [
        "sglang_config: 3\n",
        "sglang_config: {prefill: [1]}\n",
        "server_groups: {worker_type: prefill}\n",
        "server_groups: [1, {worker_type: []}, {worker_type: prefill, overrides: 2}]\n",
        "base: 1\noverride_x: 2\nsglang_config:\n",
        "base: {}\nzip_override_x: {a: []}\nsglang_config: {}\n",
    ],
)
def test_odd_shapes_are_read_without_an_error(text):
    assert isinstance(launches_of("yaml", text, "x.yaml"), list)
