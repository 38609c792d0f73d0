"""Made-up reports, texts that nobody should trust, and a runner that takes lines for commands."""

from __future__ import annotations

import re
from dataclasses import replace

from hypothesis import strategies as st
from made_up import component, place

from servelint.deployment import Deployment
from servelint.finding import Finding, Report, Skip
from servelint.policy import Suppressed, Suppression
from servelint.source import Route, Span
from servelint.verdict import Place, Standing

PATH = "deploy/a.yaml"
TEXT = "kind: Pod\nimage: mirror/engine:v1.0\nargs: [é, 😀, --mode, prefill]\n"


def at(quote, label="image", text="", path=PATH, file=TEXT):
    start = file.index(quote)
    return Place(Span(path, start, start + len(quote)), Route(path), text or quote, label)


def finding(primary=None, **changes):
    values = {
        "id": "ADV-1",
        "causes": ("ADV-1",),
        "title": "Memory is not given back",
        "status": "affected",
        "severity": "critical",
        "confidence": "high",
        "context": "deployment",
        "message": "A prefill server runs Engine 1.0, which is before 1.2.",
        "remedy": "upgrade to 1.3",
        "related": (at("--mode, prefill", "flag", "--mode prefill"),),
        "components": (),
        "fingerprint": "f00d",
    }
    return Finding(primary=primary or at("mirror/engine:v1.0"), **(values | changes))


def report(*findings, **changes):
    values = {"texts": {PATH: TEXT}, "data_date": "2026-11-30"}
    return Report(findings, **(values | changes))


def skip(path="deploy/b.yaml", reason="syntax", detail="a bracket is not closed", span=None):
    return Skip(path, "read", reason, detail, span)


def suppressed(found=None, reason="patched by us", **changes):
    by = Suppression(at("kind: Pod", "suppression").span, "a comment", reason, **changes)
    return Suppressed(found or finding(fingerprint="beef"), by)


def with_servers(*standings):
    """A report of servers: each a status, and why."""
    made = tuple(Standing(component(path=PATH), status, why) for status, why in standings)
    return report(
        deployments=(Deployment(tuple(one.component for one in made), ()),), standings=made
    )


# -- what nobody should trust --------------------------------------------------

TRICKS = (
    *("::error::owned", "  ::add-mask::x", "##[add-path]/tmp", "\n::warning::x", "\r::notice::x"),
    *("%0A::error::x", "%25", "a,b:c=d", "::", "]]>", "</testcase>", "&amp;", "<!--", '"', "'"),
    *("](1)", "[click](javascript:x)", "\\](", "|", "\\|", "`", "``` x", "</details>", "<img>"),
    *("\x1b[2J", "\x00", "\x85", "\u2028", "\u202e", "\ufffe", "\uffff", "\ud800", "\udc80", "😀"),
)
"""Pieces that mean something to somebody who reads a report."""

hostile = st.lists(st.sampled_from(TRICKS) | st.text(st.characters(), max_size=5), max_size=6).map(
    "".join
)


def made_of(text):
    """A report in which everything that can be scanned is one text."""
    path = text or "x"
    span = Span(path, 0, len(text))
    spot = Place(span, Route(path), text, "image")
    found = finding(
        spot,
        title=text,
        message=text,
        remedy=text,
        related=(replace(spot, label="flag"), place(path=f"{path}2", text=text, label="value")),
    )
    server = component(path=path, variant=text)
    silent = Standing(server, "under_investigation", text)
    return Report(
        (found, replace(found, severity="low", status="under_investigation", fingerprint="beef")),
        deployments=(Deployment((server,), ()),),
        standings=(silent,),
        skips=(Skip(path, "read", "syntax", text, span), Skip(text, "read", "binary", text)),
        notes=(text,),
        texts={path: text},
        suppressed=(Suppressed(found, Suppression(span, text, text)),),
    )


# -- the runner -----------------------------------------------------------------

COMMAND = re.compile(r"::(?P<name>[^ :]+)(?: (?P<properties>.*?))?::(?P<message>.*)", re.S)
PERCENT = {"%0D": "\r", "%0A": "\n", "%3A": ":", "%2C": ","}


def commands(text):
    """The commands that the runner sees: a name, the properties, the message."""
    lines = re.split(r"\r\n|\r|\n", text)
    return [command for command in map(_command, lines) if command is not None]


def _command(line):
    told = COMMAND.fullmatch(line.lstrip())
    if told is None:
        old = re.search(r"##\[", line)
        return (line[old.start() :], {}, "") if old else None
    pairs = [pair.split("=", 1) for pair in (told["properties"] or "").split(",") if pair]
    properties = {name: _plain(value) for name, value in pairs}
    return told["name"], properties, _plain(told["message"])


def _plain(text):
    for sign, char in PERCENT.items():
        text = text.replace(sign, char)
    return text.replace("%25", "%")
