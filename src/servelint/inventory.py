"""The images of a root: what each holds, how that is known, and what would settle the rest."""

from __future__ import annotations

import shlex
from collections import defaultdict

from servelint.conditions import hold_by_default
from servelint.config import IMAGE_MAP
from servelint.facts import Image
from servelint.link import NAMELESS, components
from servelint.listing import Inventory, Listed
from servelint.plugins import registry_of
from servelint.profiles import judged
from servelint.report import shown
from servelint.resolve import is_file, resolve_image, unknown_image
from servelint.stated import stating
from servelint.statement_file import said
from servelint.versions import in_range
from servelint.wording import REASONS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from servelint.advisory import Advisory
    from servelint.config import Config
    from servelint.deployment import Resolution
    from servelint.engine import Engine
    from servelint.gather import Gathered


def inventory(gathered: Gathered, config: Config) -> Inventory:
    """What the facts of a root name. Raises :class:`servelint.config.ConfigError`."""
    registry, stated = registry_of(config), said(config)
    advisories, _ = judged(registry, config)
    engines = tuple(stating(engine, stated) for engine in registry.engines)
    found = components(gathered.facts, engines, stated)
    servers = (one for one in found if one.kind == "server")  # what a router holds asks nobody
    runs = {id(one.image): one.engine for one in servers if one.image is not None}
    uses: dict[str, list[Image]] = defaultdict(list)
    for fact in gathered.facts:
        if isinstance(fact, Image) and shown((fact,), config.names):
            texts = fact.reference.texts or (fact.reference.written,)
            uses[" or ".join(texts)].append(fact)
    told = {name: _told(images, engines, runs) for name, images in uses.items()}
    images = tuple(
        _listed(name, answer, uses[name], advisories)
        for name, answer in sorted(told.items())
        if answer is not None
    )
    nameless = (one for one in found if one.resolution.reason == "no-evidence")
    return Inventory(
        images=images,
        nameless=tuple(one for one in nameless if shown((one.invocation.launch,), config.names)),
        others=len(told) - len(images),
        texts=gathered.texts | stated.texts,
    )


def _told(
    images: Sequence[Image], engines: Sequence[Engine], runs: dict[int, Engine]
) -> tuple[Engine, Resolution] | None:
    """The engine of a reference and what it holds; None for an image of no engine."""
    resolved = resolve_image(images[0], engines)
    if resolved is not None:
        return resolved
    engine = next((runs[id(image)] for image in images if id(image) in runs), None)
    return None if engine is None else (engine, unknown_image(images[0], engine))


def _listed(
    name: str,
    told: tuple[Engine, Resolution],
    images: Sequence[Image],
    advisories: Iterable[Advisory],
) -> Listed:
    engine, resolution = told
    status, causes = status_of(engine, resolution, advisories)
    is_undecided = status == "under_investigation"
    return Listed(
        reference=name,
        engine=engine,
        resolution=resolution,
        status=status,
        causes=causes,
        spans=tuple(sorted({image.span for image in images})),
        why=_why(resolution),
        is_named=_is_named(images[0], resolution.reason),
        settle=tuple(_settle(images[0], engine, resolution.reason)) if is_undecided else (),
    )


def _why(resolution: Resolution) -> str:
    """Why a version is not known: what its evidence says of it, unless that is only a command."""
    first = resolution.detail.partition(";")[0]
    return first if first and "`" not in first else REASONS.get(resolution.reason, "")


def status_of(
    engine: Engine, resolution: Resolution, advisories: Iterable[Advisory]
) -> tuple[str, tuple[str, ...]]:
    """What a disaggregated server with it is, and the advisories that make it so.

    The status is ``affected``, ``under_investigation`` or ``fixed``.
    """
    answers: dict[str, list[str]] = defaultdict(list)
    for advisory in advisories:
        if advisory.package not in engine.packages or advisory.withdrawn:
            continue
        known = (row for row in advisory.affected if row.basis != "observed")
        held = [(row, hold_by_default(row.when, engine)) for row in known]
        hits = {
            _doubted(in_range(resolution.candidates, row, engine.releases), holds)
            for row, holds in held
            if holds != "no"
        }
        waived = advisory.id in resolution.waives
        answer = "no" if waived or hits <= {"no"} else "yes" if "yes" in hits else "some"
        answers["some" if resolution.reason else answer].append(advisory.id)
    if answers["yes"]:
        return "affected", tuple(answers["yes"])
    undecided = answers["some"] or (answers["no"] if not resolution.clears else [])
    return ("under_investigation", tuple(undecided)) if undecided else ("fixed", ())


def _doubted(hit: str, holds: str) -> str:
    """What a range says of a version, where not even its conditions are sure."""
    return "some" if (hit, holds) == ("yes", "maybe") else hit


def _is_named(image: Image, reason: str) -> bool:
    """True for an image that a registry or a container engine can be asked for."""
    text = image.reference.text
    return text is not None and reason not in NAMELESS and not is_file(text)


def _settle(image: Image, engine: Engine, reason: str) -> Iterator[str]:
    """What would tell the version of an image whose name is known, or of one whose is not."""
    text = image.reference.text
    if text is None or reason in NAMELESS:
        yield "say in [[tool.servelint.version]] what is launched there"
        return
    word = shlex.quote(text)  # it was scanned, and somebody may paste the command
    if is_file(text):  # neither a registry nor a container engine can be asked for it
        yield f"servelint images add {word} --package {engine.packages[0]} --version VERSION"
        return
    yield f"servelint images resolve --write {word}"
    if engine.version_hint:
        command = engine.version_hint.replace("IMAGE", word)
        yield f"{command} | servelint images add {word}"
    else:
        yield f"an entry in {IMAGE_MAP}"
