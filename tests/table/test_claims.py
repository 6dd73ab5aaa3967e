"""Claims of the rest of a deal: what is claimed is true of all that the seat cannot tell apart."""

from __future__ import annotations

import random
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

import pytest

from cardwright.arena.plan import GameRef
from cardwright.game.find import find
from cardwright.game.information.knowledge import KnowledgeMode
from cardwright.game.information.worlds import determinise
from cardwright.interpreter import machine
from cardwright.interpreter.stream import Stream
from cardwright.table.claims import NOTHING_COUNTS, WINS_ALL, claim_of
from cardwright.table.commands import TableCommands
from cardwright.table.setup import HUMAN, RulesText, TableSetup
from cardwright.table.table import NotProvedError, StaleError, Table
from cardwright.table.trick_facts import TrickFacts
from deep import usually

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cardwright.interpreter.world import World

ref_of = cache(lambda name, preset: GameRef.of(name, preset=preset, engine="interpreter"))
game_of = cache(lambda name, preset: ref_of(name, preset).load())


def _table(name: str, preset: str | None, seed: int) -> Table:
    game = game_of(name, preset)
    setup = TableSetup.of_players(ref_of(name, preset), seed, [HUMAN] * game.players)
    return Table(setup, game=game, rests=True)


def _claims(name: str, preset: str | None, seed: int) -> Iterator[tuple[Table, str | None]]:
    """Yield a table at each decision of a deal that is played at random, and its claim."""
    table, chances = _table(name, preset, seed), random.Random(seed)
    while table.due is not None and table.resting is None:
        yield table, table.claimable(table.due)
        table.choose(table.due, table.number, chances.randrange(table.referee.option_count))


def _ways(table: Table, count: int) -> Iterator[World]:
    """Yield ends of the deal from worlds that the seat cannot tell from the true one."""
    seat, chances = table.due or 0, random.Random(1)
    for _ in range(count):
        stream = Stream(chances.randrange(2**60))
        world = determinise(table.referee.world, seat, stream, KnowledgeMode.BASIC)
        world.one_deal = True
        while options := machine.advance(world, table.game.limits):
            machine.carry_out(world, chances.choice(options))
        yield world


@pytest.mark.parametrize(
    ("name", "preset", "seed", "claimed"),
    [
        ("hearts", "standard", 11, NOTHING_COUNTS),
        ("whist", None, 1, WINS_ALL),
        ("bridge", None, 6, WINS_ALL),
        pytest.param("spades", None, 10, WINS_ALL, marks=pytest.mark.deep),
        pytest.param("hearts", "standard", 10, WINS_ALL, marks=pytest.mark.deep),
    ],
)
def test_what_is_claimed_is_true_in_every_world(
    name: str, preset: str | None, seed: int, claimed: str
) -> None:
    """The deal ends with the same scores, however the unseen cards lie, and are played."""
    found = set()
    for table, claim in _claims(name, preset, seed):
        if claim is not None:
            found.add(claim)
            ends = _ways(table, usually(8, 60))
            assert len({tuple(machine.scores(end)) for end in ends}) == 1
    assert found == {claimed}


def _claimed(seed: int = 48) -> Table:
    """Return a table at which the first seat leads, and has the six best cards."""
    table = _table("hearts", "standard", seed)
    while table.claimable(0) is None:
        last = table.referee.option_count - 1 if table.due == 0 else 0
        table.choose(table.due or 0, table.number, last)
    return table


def test_a_claim_ends_the_deal_and_all_are_told() -> None:
    """The cards are played in some order; the same commands make the same table again."""
    table = _claimed()
    scene = table.scene(0)
    assert (scene.claim, len(scene.hand)) == (WINS_ALL, 6)
    assert table.scene(1).claim is None
    number = table.number
    with pytest.raises(StaleError):
        table.claim(0, number - 1)
    with pytest.raises(NotProvedError):
        table.claim(1, number)
    other = _claimed()
    assert TableCommands(other).handle({"do": "claim", "seat": 0, "number": number})["number"] == 56
    table.claim(0, number)
    assert (table.resting, table.number) == (1, 56)
    assert other.choices == table.choices
    words = [event.words for event in table.events(1)]
    assert "claims the rest: all the tricks that are left" in words
    assert table.scene(0).claim is None
    end = table.scene(0).deal_end
    assert end is not None
    assert end.points == (0, 26, 26, 26)


def test_a_claim_depends_on_what_is_seen_alone() -> None:
    """It is the same wherever the cards lie that the seat does not see."""
    table = _claimed()
    referee, hands = table.referee, table._maker.hands
    for seed in range(6):
        other = referee.copy()
        laid = determinise(referee.world, 0, Stream(seed), KnowledgeMode.BASIC)
        other.world.piles, other.world.where = laid.piles, laid.where
        assert claim_of(table.rules, hands, other, 0) == WINS_ALL


def test_nothing_is_claimed_that_one_order_spoils() -> None:
    """With an ace among the unseen cards, which was played in truth, there is no claim."""
    table = _claimed()
    world = table.referee.world
    (ace,) = (card.id for card in table.game.cards if card.attributes["SUIT"] == "CLUBS"
              and card.attributes["RANK"] == "A")  # fmt: skip
    held = next(
        pile for pile in world.touched()
        if pile.location.owner == 3 and pile.location.name == "HAND"
    )  # fmt: skip
    taken, card = world.piles[world.where[ace]], held.cards[0]
    assert taken.location.name == "TRICKSWON"
    taken.cards[taken.cards.index(ace)], held.cards[0] = card, ace
    world.where[card], world.where[ace] = taken.location, held.location
    assert claim_of(table.rules, table._maker.hands, table.referee, 0) is None


_ALL_EMPTY = "(end (all player 'P (== (size ('P iloc HAND)) 0)))"
_ANY_EMPTY = _ALL_EMPTY.replace("all", "any")
_TRICKS, _LAST = ";; One turn of this stage is one trick.", "(set (game str LEAD) NONE))))\n"
_DEALS = {
    _ALL_EMPTY: _ANY_EMPTY,
    _TRICKS: "(stage player (end (== (game sto DEALS) 2))",
    _LAST: f"""{_LAST}
        (do (
          (inc (game sto DEALS))
          (all player 'P (repeat all (move (top ('P iloc HAND)) (top (game iloc STOCK)))))
          (all player 'P
            (repeat 4 (move (top (game iloc STOCK)) (top ('P iloc HAND))))))))
    """,
}
_SAYS = """(set (game str LEAD) NONE)
      (set (game sto SAID) 0)))
    (stage player
      (end (== (game sto SAID) 1))
      (choice ((do ((inc (game sto SAID))))))))
"""


@pytest.mark.parametrize(
    "changes",
    [
        pytest.param({_ALL_EMPTY: _ANY_EMPTY}, id="the first empty hand ends the game"),
        pytest.param(_DEALS, id="or the deal, and the same player leads to the next one"),
        pytest.param({"TRICK)) 1)": "TRICK)) 2)"}, id="a trick has two cards of each player"),
        pytest.param({_LAST: _SAYS}, id="who takes a trick says something"),
    ],
)
def test_nothing_is_claimed_where_a_trick_of_last_cards_shows_nothing(
    changes: dict[str, str],
) -> None:
    """Leads are tried against players with one card each: rules may be at an end with that."""
    text = find("whist").text
    for old, new in changes.items():
        assert old in text
        text = text.replace(old, new)
    rules = RulesText(text, "game", (("HANDSIZE", 4),))
    game = rules.load()
    facts = TrickFacts.of(game.program)
    assert (facts.best_wins, facts.adds_up, facts.draws) == (True, True, False)
    for seed in range(3):
        setup = TableSetup.of_players(ref_of("whist", None), seed, [HUMAN] * 4)
        table, chances = Table(replace(setup, game=rules), game=game), random.Random(seed)
        while table.due is not None:
            assert table.claimable(table.due) is None
            table.choose(table.due, table.number, chances.randrange(table.referee.option_count))


@pytest.mark.parametrize(
    ("name", "preset", "best_wins", "adds_up", "worth"),
    [
        ("hearts", "standard", True, True, {"MAIN"}),
        ("hearts", "cancellation", False, True, {"MAIN"}),  # equal cards cancel each other
        ("hearts", "omnibus", True, True, {"MAIN", "EXTRA"}),
        ("whist", None, True, True, None),  # a trick counts, whatever is in it
        ("klaverjassen", None, True, False, None),  # what falls together counts
        ("reversis", None, True, False, None),  # when a card falls counts
    ],
)
def test_what_rules_say_of_tricks(
    name: str, preset: str | None, best_wins: bool, adds_up: bool, worth: set[str] | None
) -> None:
    rules = TrickFacts.of(game_of(name, preset).program)
    assert (rules.best_wins, rules.adds_up) == (best_wins, adds_up)
    assert rules.worth == worth
