"""Storages and locations that are read but never filled, or the reverse: mostly misspelt ones."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from cardwright.program import nodes as n
from cardwright.program.kinds import ValueKind
from cardwright.program.lint.turns import queued_within
from cardwright.program.lint.uses import family_of
from cardwright.syntax.diagnostic import Code, Edit, Related, rewritten
from cardwright.syntax.source import Span
from cardwright.syntax.suggest import near

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cardwright.program.lint.uses import Kept, Places, StorageFamily, Uses
    from cardwright.program.program import Program
    from cardwright.syntax.diagnostic import Diagnostics

_ALIKE = 0.75
"""How similar names must be if nothing but their likeness says that one of them is a mistake."""

_DEFAULT = {"sto": "0", "str": "empty", "points": "0 for every card"}
"""What a storage holds that was never set; locations are empty."""

_SECRET = re.compile(r"\b(isto|istr)\b")
"""The words of a secret, which is a location of cards to all that comes after its elaboration."""

_OWNERS = {
    ValueKind.TABLE: "the table",
    ValueKind.PLAYER: "players",
    ValueKind.TEAM: "teams",
}


class _Guess(NamedTuple):
    """What an author may have meant by a name: a question, and how to write it."""

    question: str
    edits: tuple[Edit, ...] = ()


def _never_filled(uses: Uses) -> Iterator[tuple[StorageFamily, str]]:
    """Yield what is read, and certainly filled by nothing."""
    for (family, name), nodes in uses.read.items():
        known = not uses.unknown and family not in uses.filled_open
        if nodes and known and (family, name) not in uses.filled:
            yield family, name


def lint_storages(program: Program, report: Diagnostics, uses: Uses) -> None:
    """Warn once of every name that is only read, or that is only filled and like another one."""
    text = program.source.text
    missing = dict.fromkeys(_never_filled(uses))
    for family, name in missing:
        nodes = uses.read[family, name]
        what, verb = ("location", "filled") if family.holds_cards else ("storage", "set")
        default = _DEFAULT.get(family.word, "empty")
        if secret := _SECRET.search(text, nodes[0].span.start, nodes[0].span.end):
            what, verb, default = "secret", "set", "0" if secret[1] == "isto" else "empty"
        meant = _meant(text, nodes[0], uses.filled)
        queued = next(filter(None, (queued_within(program, node) for node in nodes)), None)
        if queued is not None and not meant.question:
            who = " ".join(program.source.at(queued.player.span).split())
            written = " ".join(program.source.at(nodes[0].span).split())
            meant = _Guess(f"store who it is in the inner stage: (set {written} (pid {who}))")
        report.add(
            Code.NEVER_SET,
            nodes[0].span,
            f"the {what} {name} is read, but never {verb}: it is always {default}",
            help=meant.question,
            related=()
            if queued is None
            else (Related(queued.span, "it is queued in the inner stage, for that stage alone"),),
            edits=meant.edits,
        )
    for (family, name), nodes in uses.filled.items():
        if (family, name) in uses.read or family in uses.read_open:
            continue
        sound = {key: places for key, places in uses.read.items() if key not in missing}
        meant = _meant(text, nodes[0], sound, _ALIKE)
        if not meant.question or (family.holds_cards and len(nodes) > 1):
            continue  # it may be there for the players to see
        what, verb = ("location", "filled") if family.holds_cards else ("storage", "set")
        report.add(
            Code.NEVER_READ,
            nodes[0].span,
            f"the {what} {name} is {verb}, but never read",
            help=meant.question,
            edits=meant.edits,
        )


def _meant(text: str, node: Kept, others: Places, alike: float = 0.6) -> _Guess:
    """Return what was probably meant by a name that nothing else uses in the same way."""
    assert isinstance(node.name, n.Text)
    name = node.name.value
    family = family_of(node)
    beside = {other for of, other in others if of == family and not _numbered_alike(name, other)}
    match = near(name, beside, alike)
    if match is not None:
        times = len(others[family, match])
        often = f" It is used in {_places(times)}" if times > 1 else ""
        question = f"did you mean {match}?{often}"
        return _Guess(question, rewritten(node.name.span, match))
    for (other, named), places in others.items():
        if named != name or not places or other.holds_cards is not family.holds_cards:
            continue
        if other.owner is family.owner and family.holds_cards:
            question = (
                f"did you mean {other.word}? {name} is {other.word} in {_places(len(places))}"
            )
            return _Guess(question, rewritten(_word_span(text, node), other.word))
        if other.word == family.word:
            return _Guess(
                f"{name} belongs to {_OWNERS[other.owner]} in {_places(len(places))}, "
                f"but to {_OWNERS[family.owner]} here"
            )
    for (other, named), places in others.items():
        if named == name and places and other.holds_cards is not family.holds_cards:
            written = text[places[0].span.start : places[0].span.end]
            return _Guess(
                f"{name} is {other.word} in {_places(len(places))}: {' '.join(written.split())}"
            )
    return _Guess("")


def _numbered_alike(one: str, other: str) -> bool:
    """Return whether two names differ in their digits alone, as names of a row of things do."""
    return re.sub(r"\d", "", one) == re.sub(r"\d", "", other)


def _places(count: int) -> str:
    return f"{count} places" if count != 1 else "one place"


def _word_span(text: str, node: Kept) -> Span:
    """Return the place of the word between the owner and the name of a location."""
    before = text[: node.name.span.start].rstrip()
    word = re.search(r"[a-z]+$", before)
    return Span(*word.span()) if word else node.span
