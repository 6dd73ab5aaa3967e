"""What is told to people at the tables of all library games: English, and nothing of the rules."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from cardwright.arena.plan import GameRef
from cardwright.english import base, third
from cardwright.game.game import Game
from cardwright.interpreter.stream import Stream
from cardwright.library import catalogue
from cardwright.table.setup import GIVEN_NAMES, HUMAN, TableSetup
from cardwright.table.table import Table

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

MOVES = 60
"""Decisions that are played of a game."""
VARIANTS = {
    "hearts": ("hearts", "standard", {}),
    "hearts, widow": ("hearts", None, {"WIDOW": 4, "WIDOWTO": "EXCHANGE", "MOON": "CHOICE"}),
    "hearts, two packs": ("hearts", "cancellation", {}),
    "klaverjassen, turned": ("klaverjassen", None, {"TURNED": 1}),
    "polignac, general": ("polignac", None, {"GENERAL": 5}),
    "reversis, espagnolette": ("reversis", None, {"ESPAGNOLETTE": 1}),
    "skat, ramsch": ("skat", None, {"RAMSCH": 1, "JUMPS": 1}),
    "gin rummy, knocking": ("ginrummy", None, {"KNOCK": 100}),
}
"""Games with options that bring more to tell, by what they are called here."""
GAMES = [(name, None, {}) for name in catalogue.names() if name != "hearts"] + [*VARIANTS.values()]

INTERNAL = {
    "a name of the rules": re.compile(r"\b[A-Z][A-Z0-9_]+\b"),
    "an unnamed player": re.compile(r"\bp\d"),
    "a place for a value": re.compile(r"[{}_]|\bNone\b"),
    "a stored value": re.compile(r"^(You |[A-Z][a-z]+ )?(set|sets|change|changes) \w+"),
    "a value without words": re.compile(r"^(choose|chooses)\b"),
    "a slip of grammar": re.compile(
        r"\b(you \w+[^su\W]s|a [aeiou]\w+|an [^aeiou8\W]\w*|(?<!Player )1 (?!as\b|is over)\w+s)\b"
        r"|  |^$|^ | $"
    ),
}
"""What people are not to be told, and why."""


def told_in_scene(scene: dict[str, Any]) -> Iterator[str]:
    """Yield all words of a scene but the names of cards and players."""
    for at in (*scene["seats"], scene):
        yield from at["facts"]
        yield from (pile["name"] for pile in at["piles"])
        yield from (pile["note"] for pile in at["piles"] if pile["note"])
    yield from (fact for side in scene["sides"] for fact in side["facts"])
    yield from (one["words"] for one in scene["signs"])
    yield from (one["name"] for one in scene["tracks"])
    if scene["groups"] is not None and scene["groups"]["words"]:
        yield scene["groups"]["words"]
    if scene["decision"] is not None:
        yield scene["decision"]["prompt"]
        yield from (option["words"] for option in scene["decision"]["options"])
    if scene["over"] is not None:
        yield scene["over"]["words"]


def told(name: str, preset: str | None, declared: dict[str, Any]) -> Iterator[str]:
    """Yield all that two seats are told while a game is played at random."""
    game = Game.variant(name, declared, preset, engine="interpreter")
    ref = GameRef(
        name,
        game.players,
        game.program.digest,
        preset,
        tuple(declared.items()),
        None,
        "interpreter",
    )
    players = (HUMAN, *("random",) * (game.players - 1))
    table = Table(TableSetup.of_players(ref, 5, players), game=game)
    stream = Stream(5)
    for _ in range(MOVES):
        if table.due is None:
            break
        if table.due == 0:
            scene = table.scene(0)
            yield from told_in_scene(scene.data())
            yield from filter(None, (table.why(0, table.held(0, face.id)) for face in scene.hand))
        table.choose(table.due, table.number, stream.below(table.referee.option_count))
    yield from told_in_scene(table.scene(0).data())
    for seat in range(min(2, game.players)):
        account = table.account(seat)
        yield from account.opening
        for event in account.moves:
            yield event.words
            yield from event.told


NAME = f"(?:You|you|Player \\d|{'|'.join(GIVEN_NAMES)})"
SUBJECT = re.compile(rf"({NAME}(?:, {NAME})*(?: and {NAME})?) ([a-z]+)\b")


def disagrees(text: str) -> bool:
    """Return whether a sentence about somebody has its verb in the wrong person or number."""
    match = SUBJECT.match(text)
    if match is None:
        return False
    who, verb = match.groups()
    as_with_you = who.lower() == "you" or " and " in who
    return verb != (base(verb) if as_with_you else third(base(verb)))


@pytest.mark.sweep
@pytest.mark.parametrize(("name", "preset", "declared"), GAMES)
def test_people_are_told_english(name: str, preset: str | None, declared: dict[str, Any]) -> None:
    """Options, questions, reasons, events, facts and places are words for people, in every game."""
    texts = set(told(name, preset, declared))
    wrong = {
        (what, text) for text in texts for what, pattern in INTERNAL.items() if pattern.search(text)
    }
    assert not wrong | {("a verb that does not agree", text) for text in filter(disagrees, texts)}
