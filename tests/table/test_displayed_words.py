"""What the words of games show at a moment, and to whom."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import pytest

from cardwright import Game
from cardwright.game.wording.naming import PeopleNamer
from cardwright.game.wording.phrases import DisplayWords, HandWords
from cardwright.table.displays import Displays, arranged, text_of
from cardwright.table.narrator import PUBLIC, EyeKind, Eyes
from cardwright.table.referee import Referee, RefereeRules
from cardwright.table.scene_maker import SceneMaker, scene_game
from cardwright.table.setup import SeatSetup

if TYPE_CHECKING:
    from cardwright.program.cards import Card
    from cardwright.table.scene import CardFace, TableScene

NAMES = ("Ann", "Ben", "Cleo", "Dan")
game_of = cache(lambda name: Game.load(name, engine="interpreter"))


def _referee(name: str, *labels: str, seed: int = 1) -> Referee:
    """Return a game in which the options with these words were chosen."""
    game = game_of(name)
    rules = RefereeRules(game)
    namer = PeopleNamer(game.program, game.words, NAMES[: game.players])
    referee = Referee(rules, seed, namer)
    for label in labels:
        _choose(referee, label)
    return referee


def _choose(referee: Referee, words: str) -> None:
    referee.choose(next(one.index for one in referee.options() if one.words.startswith(words)))


def _scene(referee: Referee, seat: int | None = 0) -> TableScene:
    game = referee.rules.game
    maker = SceneMaker(referee.rules, referee.namer, scene_game(game, None))
    eyes = PUBLIC if seat is None else Eyes(EyeKind.SEAT, seat)
    seats = [SeatSetup("person", name=name) for name in NAMES[: game.players]]
    return maker.scene(referee, eyes, seats)


def test_an_auction_has_signs_and_then_a_contract() -> None:
    """Calls are short, with the suits' signs; then contract and tricks are told in words."""
    referee = _referee("bridge")
    decision = _scene(referee).decision
    assert decision is not None
    calls = [one.call for one in decision.options]
    assert calls[:6] == ["pass", "1♣", "1♦", "1♥", "1♠", "1NT"]
    for words in ("bid 4 in spades", "double", "pass", "pass", "pass"):
        _choose(referee, words)
    scene = _scene(referee, 1)
    assert [one.sign for one in scene.signs] == ["♠"]
    assert "contract 4♠ doubled, by Ann" in scene.facts
    assert [(side.team, side.name, side.facts) for side in scene.sides] == [
        (0, "Ann and Cleo", ("0 of 10 tricks",)),
        (1, "You and Dan", ("0 of 4 tricks to set it",)),
    ]


def test_bids_and_tricks_stand_at_each_seat() -> None:
    """From the last bid on; a value that was never stored is 0."""
    referee = _referee("spades", "bid 3 tricks", "bid nil", "bid 5 tricks")
    assert _scene(referee).seats[0].facts == ()
    _choose(referee, "bid 1 trick")
    assert [seat.facts[0] for seat in _scene(referee).seats] == [
        "bid 3, won 0",
        "bid nil, won 0",
        "bid 5, won 0",
        "bid 1, won 0",
    ]


def test_a_play_is_named_at_its_pile() -> None:
    """The words at a place stand at its pile, and nowhere else."""
    referee = _referee("bigtwo")
    pair = next(one for one in referee.options() if len(one.cards) == 1)
    referee.choose(pair.index)
    scene = _scene(referee)
    assert [pile.note for pile in scene.piles if pile.name == "pile"] == ["single card by you"]
    assert scene.facts == ()


def test_a_track_has_a_peg_for_each_player() -> None:
    (track,) = _scene(_referee("cribbage"), 1).tracks
    assert track.holes == 61
    assert [(peg.seat, peg.name, peg.hole) for peg in track.pegs] == [(0, "Ann", 0), (1, "You", 0)]


def test_a_card_unseen_is_drawn_from_a_pile_that_can_be_pressed() -> None:
    """The option to draw names the stock; that to take an open card names the card."""
    referee = _referee("ginrummy", "pass", "pass")
    while not any(one.draws for one in referee.options()):
        referee.choose(0)
    decision = _scene(referee, referee.due).decision
    assert decision is not None
    drawn = [one for one in decision.options if one.draws is not None]
    assert [(one.draws.place, one.cards) for one in drawn if one.draws] == [("iloc STOCK", ())]


def _hand(*names: str) -> list[Card]:
    cards = {str(game_of("ginrummy").namer.card(card)): card for card in game_of("ginrummy").cards}
    ranks = {"A": "A", "T": "10"}
    suits = {"C": "CLUBS", "D": "DIAMONDS", "H": "HEARTS", "S": "SPADES"}
    return [cards[f"{ranks.get(name[0], name[0])} of {suits[name[1]]}"] for name in names]


@pytest.mark.parametrize(
    ("hand", "groups", "cost"),
    [
        ("2C 5D 9H KS", [], 26),
        ("2C 2D 2H 7S", ["2C 2D 2H"], 7),
        ("AC 2C 3C 4C QH", ["AC 2C 3C 4C"], 10),
        ("5C 5D 5H 5S 6S 7S", ["5C 5D 5H", "5S 6S 7S"], 0),  # the set of four would cost 13
        ("QD KD AD 2D", [], 23),  # aces are low
        ("4C 5C 6C 6D 6H KD", ["6C 6D 6H"], 19),  # the run would leave 22
    ],
)
def test_a_hand_is_laid_at_the_least_cost(hand: str, groups: list[str], cost: int) -> None:
    """No card is in two groups; of all ways the cheapest is taken."""
    world = _referee("ginrummy").world
    words = HandWords(sets="RANK", runs="ORDER", cost="COST")
    found = arranged(_hand(*hand.split()), words, world)
    assert found is not None
    laid = {frozenset(card.id for card in group) for group in found.groups}
    assert found.cost == cost
    assert laid == {frozenset(card.id for card in _hand(*one.split())) for one in groups}


def test_own_cards_decide_only_what_their_player_is_shown() -> None:
    """A value of the own hand is shown to the player, not to others, and not to spectators."""
    program = game_of("ginrummy").program
    words = DisplayWords(
        "{TOP}", of="you", values=(("TOP", "(cardatt RANK (top ('OWNER iloc HAND)))"),)
    )
    displays, world = Displays(program, (words,)), _referee("ginrummy").world
    namer = PeopleNamer(program, names=NAMES[:2])
    tops = [text_of(displays.of(world, 0, seat)[0], namer, seat) for seat in range(2)]
    held = [[pile for pile in world.touched() if pile.location.owner == seat] for seat in range(2)]
    ranks = [program.cards[piles[0].cards[-1]].attributes["RANK"] for piles in held]
    assert tops == [namer.text(rank) for rank in ranks]
    assert displays.of(world, 0, None) == []


def test_a_form_that_breaks_a_rule_shows_nothing() -> None:
    """Such as a division by a number that is still 0."""
    shown = [
        DisplayWords("{N}", values=(("N", form),)) for form in ("(// 1 (game sto NONE))", "(oops)")
    ]
    assert Displays(game_of("ginrummy").program, shown).of(_referee("ginrummy").world, 0, 0) == []


def _shorts(cards: tuple[CardFace, ...]) -> str:
    return " ".join(card.short for card in cards)


def test_a_hand_is_sorted_as_its_game_ranks_cards() -> None:
    """In Big Two by rank, twos last; in Doppelkopf trumps come last, the highest at the end."""
    assert _shorts(_scene(_referee("bigtwo")).hand) == "3♦ 3♥ 5♦ 5♥ 6♣ 7♠ 9♣ 9♠ 10♦ K♦ K♠ A♦ 2♦"
    referee = _referee("doppelkopf", *["have no reservation"] * 4)
    assert _shorts(_scene(referee).hand) == "A♣ K♣ K♣ A♠ A♠ 9♠ 9♥ J♠ Q♦ Q♥ Q♠ 10♥"


def test_of_a_pile_the_last_play_lies_open() -> None:
    """What came by the last choice is shown, in the order of a hand, whatever lies below it."""
    referee = _referee("bigtwo", "play the 3 of diamonds", "play the 4 of clubs")
    (pile,) = [pile for pile in _scene(referee).piles if pile.name == "pile"]
    assert (pile.shape, pile.shown, _shorts(pile.cards)) == ("last", 1, "3♦ 4♣")
    _choose(referee, "play the 7 of clubs")
    (pile,) = [pile for pile in _scene(referee).piles if pile.name == "pile"]
    assert _shorts(pile.cards) == "4♣ 3♦ 7♣"


def test_what_hands_and_grids_count_stands_below_them() -> None:
    """In Blackjack both totals, with an ace as it counts; in Golf what lies open of a grid."""
    scene = _scene(_referee("blackjack"))
    assert [pile.note for pile in (*scene.piles, *scene.seats[0].piles) if pile.note] == [
        "the house has 3",
        "you have 21",
    ]
    grids = [{pile.note for pile in seat.piles} for seat in _scene(_referee("golfsix")).seats]
    assert grids == [
        {f"{points} points, 4 face down"}
        for points in (11, 9, 20, 8)  # J and A, 4 and 5, ...
    ]


def test_what_is_announced_and_blocked_is_seen() -> None:
    """In Coup, until it is over."""
    referee = _referee("coup", "announce a theft from Cleo")
    assert _scene(referee).facts == ("you announce a theft from Cleo",)
    for words in ("let it pass", "let it pass", "let it pass", "block it as the captain"):
        _choose(referee, words)
    assert _scene(referee, 1).facts == (
        "Ann announces a theft from Cleo",
        "Cleo blocks it as the captain",
    )
