"""Prefill beside decode: the lengths of which one refuses and the other takes a request.

A scheduler refuses a prompt of ``min(context, pool) - 6`` tokens or more; a front end refuses
one that does not leave a token of the context, and one that with its output is above it.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice

from servelint_sglang.logs import table as kinds

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from servelint_sglang.logs.ranks import Seen
    from servelint_sglang.logs.versions import Between

MAX_KINDS = 300
"""Ranks of a role that differ and are set beside those of the other."""

OTHER_WAYS = (
    "That closes the way by length only: up to 0.5.19 any other refusal on prefill (a grammar, "
    "media, a parameter) takes the same way, and an abort has a way of its own."
)


@dataclass(frozen=True, slots=True)
class Gap:
    """Prompts from ``low`` to ``high`` tokens, both inside, that only decode takes.

    ``is_proven`` is false where what is not known may close it.
    """

    low: int
    high: int
    is_proven: bool
    prefill: Seen
    decode: Seen


def gaps_of(prefills: Sequence[Seen], decodes: Sequence[Seen]) -> tuple[Gap, ...]:
    """The widest gap for each version of prefill; what is proven and what leaks comes first."""
    high = tuple(_highest(decodes))
    found: dict[Between, Gap] = {}
    for prefill in _lowest(prefills):
        for decode in high:
            gap = _gap(prefill, decode)
            old = found.get(prefill.version)
            if gap is not None and (old is None or _weight(gap) > _weight(old)):
                found[prefill.version] = gap
    return tuple(sorted(found.values(), key=_weight, reverse=True))


def _weight(gap: Gap) -> tuple[bool, int, int]:
    risk = ("no", "may", "yes").index(_is_old(gap.prefill))
    return gap.is_proven, risk, gap.high - gap.low


def _is_old(prefill: Seen) -> str:
    """Whether it is from before the fix."""
    return prefill.version.is_in("", kinds.table()["limit"]["fixed"])


def _gap(prefill: Seen, decode: Seen) -> Gap | None:
    margin = kinds.table()["limit"]["margin"]
    (least, most), (low, high) = prefill.limits, decode.limits
    widest = _band(least - margin, high - margin, prefill, decode, 0)
    if widest is None:
        return None
    narrow = _band(most - margin, low - margin, prefill, decode, 1)
    first, last = narrow or widest
    return Gap(max(first, 0), last, narrow is not None, prefill, decode)


def _band(
    refused_from: int, refused_too: int, prefill: Seen, decode: Seen, which: int
) -> tuple[int, int] | None:
    """The prompts that prefill refuses and both front ends and decode take."""
    fronts = (one.rank.context - one.reserved[which] for one in (prefill, decode))
    end = min(refused_too, *fronts)
    return (refused_from, end - 1) if refused_from < end else None


def _kinds(every: Sequence[Seen]) -> dict[object, Seen]:
    """One rank of each kind: most ranks are equal."""
    return {(one.limits, one.rank.context, one.reserved, one.version): one for one in every}


def are_many(*roles: Sequence[Seen]) -> bool:
    """True where not all ranks were set beside all others."""
    return any(len(_kinds(every)) > MAX_KINDS for every in roles)


def _lowest(every: Sequence[Seen]) -> Iterator[Seen]:
    """The kinds with the least limits first: those of prefill make the widest gaps."""
    return islice(sorted(_kinds(every).values(), key=lambda one: one.limits), MAX_KINDS)


def _highest(every: Sequence[Seen]) -> Iterator[Seen]:
    kinds_of = sorted(_kinds(every).values(), key=lambda one: one.limits, reverse=True)
    return islice(kinds_of, MAX_KINDS)


def about_gap(gap: Gap) -> Iterator[str]:
    """What a gap is, and what follows in which release."""
    prefill, decode = gap.prefill, gap.decode
    how = "are" if gap.is_proven else "may be"
    how += " cut" if _cuts(prefill) else " refused"
    count = f"{gap.low:,}" if gap.low == gap.high else f"{gap.low:,} to {gap.high:,}"
    yield (
        f"Prompts of {count} tokens {how} by prefill ({_limit(prefill)}) "
        f"and taken by decode ({_limit(decode)})."
    )
    if prefill.rank.least >= prefill.rank.context:
        yield (
            "Prefill's pool holds its context, so only requests that ask for a handful of output "
            "tokens get there: its front end refuses prompt and output above the context."
        )
    if not _cuts(prefill):
        yield _effect(prefill)


def _effect(prefill: Seen) -> str:
    fixed = kinds.table()["limit"]["fixed"]
    is_before = _is_old(prefill)
    leak = (
        "hands one token of such a request to decode, which has reserved pages for all of it "
        "and generates over what they hold, which may be of other requests"
    )
    refusal = "refuses such a request with an error: long requests fail, nothing leaks by this way"
    whole = f"Before {fixed} prefill {leak}; from {fixed} it {refusal}."
    # Builds of the main branch print what the next release will, and may hold its fix.
    is_old = prefill.version.is_in("", kinds.table()["arguments"]["first_dict"]) == "yes"
    if is_before == "yes" and (prefill.version.is_said or is_old):
        by = "" if prefill.version.is_said else ", as its arguments show,"
        return f"This prefill is {prefill.version.words}{by} and {leak}."
    if is_before == "no" and prefill.version.is_said:
        return f"This prefill is {prefill.version.words} and {refusal}."
    if prefill.version.words:
        words = prefill.version.words
        return f"{whole} If this prefill is a release, its arguments show that it is {words}."
    return f"{whole} The version of this prefill is not known."


def about_lengths(prefills: Sequence[Seen], decodes: Sequence[Seen]) -> Iterator[str]:
    """What else differs between the roles."""
    short = min(prefills, key=lambda one: one.rank.context)
    long = max(decodes, key=lambda one: one.rank.context)
    if short.rank.context < long.rank.context:
        yield (
            f"The context of prefill ({short.rank.name}: {short.rank.context:,}) is shorter than "
            f"that of decode ({long.rank.name}: {long.rank.context:,}): where prompt and output "
            "are above it prefill's front end refuses the request, and decode waits for it until "
            "a timeout. Give both roles the same --context-length."
        )
    low = min(decodes, key=lambda one: one.limits)
    high = max(prefills, key=lambda one: one.limits)
    if low.limits[1] < high.limits[0]:
        yield (
            f"Decode ({_limit(low)}) takes less than prefill ({_limit(high)}): of longer prompts "
            "prefill computes what decode refuses."
        )


def about_closed(prefills: Sequence[Seen], decodes: Sequence[Seen]) -> Iterator[str]:
    """That no length is between the two, and what that does not say."""
    yield "No length of a prompt is refused by prefill and taken by decode, as these numbers show."
    lows = {one.limits for one in prefills}
    if lows == {one.limits for one in decodes} and len(lows) == 1:
        margin = kinds.table()["limit"]["margin"]
        least = min(one.limits[0] for one in prefills) - margin
        if any(one.rank.fits == "no" for one in (*prefills, *decodes)):
            yield f"Both roles refuse prompts of {least:,} tokens and more."
    yield OTHER_WAYS


def about_one(role: str, shown: Sequence[Seen]) -> Iterator[str]:
    """What the numbers of one role say without those of the other."""
    other = "decode" if role == "prefill" else "prefill"
    yield (
        f"The two numbers of a {other} server are missing: the smaller of pool and context of "
        "prefill has to be compared with that of decode."
    )
    if role == "prefill" and all(one.rank.fits == "yes" for one in shown):
        context = min(one.rank.context for one in shown)
        yield (
            f"Every pool of prefill that is shown holds its context: with a decode of at most "
            f"{context:,} tokens of context no prompt is refused there alone. {OTHER_WAYS}"
        )


def about_cuts(shown: Iterable[Seen]) -> Iterator[str]:
    """Servers that cut prompts refuse none of them, and no fix applies."""
    cutters = dict.fromkeys(one.rank.name for one in shown if _cuts(one))
    if cutters:
        yield (
            f"--allow-auto-truncate is set ({', '.join(list(cutters)[:3])}): such a server cuts a "
            "prompt to its own limit. Where the other role cuts it elsewhere, or not, decode may "
            "expect more than prefill sends: up to 0.5.23 nothing compares the lengths, and no "
            "fix applies."
        )


def are_cut_apart(prefills: Sequence[Seen], decodes: Sequence[Seen]) -> bool:
    """True where a server cuts prompts, and not all cut them at one length."""
    every = (*prefills, *decodes)
    if not any(map(_cuts, every)):
        return False
    limits = {limit for one in every for limit in one.limits}
    return not all(map(_cuts, every)) or len(limits) > 1


def _cuts(one: Seen) -> bool:
    return one.is_set(kinds.table()["limit"]["truncate"])


def _limit(one: Seen) -> str:
    least, most = one.limits
    words = f"{least:,}" if least == most else f"between {least:,} and {most:,}"
    return f"{one.rank.name}: {words}"
