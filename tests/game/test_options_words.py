"""Options in words: what a person reads before choosing."""

from __future__ import annotations

import re

import pytest

from cardwright import Game
from cardwright.game.wording.describe import choice_at, describe
from cardwright.interpreter.steps import build
from cardwright.syntax.source import Source

FRAME = """(game
 (setup (create players 2)
  (create deck (game iloc STOCK) (deck (RANK (A, FIVE)) (COLOR (BLACK (SUIT (CLUBS))))))
  (create deck ((1 player) iloc HAND) (deck (RANK (Q)) (COLOR (BLACK (SUIT (CLUBS, SPADES))))))
  (create deck (game vloc DISCARD) (deck (RANK (K)) (COLOR (RED (SUIT (HEARTS)))))) {more})
 (choice ({steps}))
 (scoring max 0))"""


def words(steps: str, more: str = "") -> list[str]:
    text = FRAME.replace("{steps}", steps).replace("{more}", more)
    state = Game.from_source(Source("words", text)).start(1)
    return [str(option) for option in state.options()]


def test_playing_drawing_and_taking() -> None:
    """Cards seen are named by rank and suit; cards unseen by where they lie."""
    assert words(
        """(any ((current player) iloc HAND) 'C (move 'C (top ((current player) vloc TRICK))))
        (move (top (game vloc DISCARD)) (top ((current player) iloc HAND)))
        (move (top (game iloc STOCK)) (top ((current player) iloc HAND)))
        (move (bottom (game iloc STOCK)) (top (game vloc DISCARD)))"""
    ) == [
        "play Q of CLUBS",
        "play Q of SPADES",
        "take K of HEARTS from DISCARD",
        "take the top of STOCK",
        "move the bottom of STOCK to DISCARD",
    ]


def test_a_card_that_lies_by_number_is_at_no_end() -> None:
    """Blind picks from a location without an order are told apart by numbers alone."""
    blind = "(any ((2 player) iloc HAND) 'C (move 'C (top ((1 player) iloc HAND))))"
    deck = "(create deck ((2 player) iloc HAND) (deck (RANK (TWO, SIX, TEN))))"
    assert words(blind, deck) == [f"take a card of p2's HAND ({at})" for at in (1, 2, 3)]
    ordered = f"{blind} (shuffle ((2 player) iloc HAND))"
    assert words(ordered, deck)[:3] == [
        "take the bottom of p2's HAND",
        "take a card of p2's HAND",
        "take the top of p2's HAND",
    ]


def test_notes_tell_options_apart() -> None:
    """What an option stores is said where nothing else differs, or nothing else happens."""
    assert words(
        """(any (HEARTS, CLUBS) 'S (do ((move (top ((1 player) iloc HAND)) (top (game vloc X)))
          (set (game str WISH) 'S))))
        (any (range 3 .. 4) 'N (set ((1 player) sto BID) 'N))
        (turn pass)"""
    ) == [
        "play Q of SPADES, WISH: HEARTS",
        "play Q of SPADES, WISH: CLUBS",
        "BID: 3",
        "BID: 4",
        "pass",
    ]


def test_equal_options_are_numbered() -> None:
    """Options that read the same are still different options."""
    assert words("(turn pass) (turn pass)") == ["pass (1)", "pass (2)"]


def test_groups_are_named_and_told_apart_by_their_cards() -> None:
    """A group moved as a whole is one phrase; its cards as they were picked are its content."""
    text = FRAME.replace(
        "{steps}",
        """(any (partition SUIT (union ((1 player) iloc HAND) (game vloc DISCARD))) 'G
          (repeat all (move (top 'G) (top (game vloc OUT)))))
        (any (partition COLOR ((1 player) iloc HAND)) 'G
          (repeat all (move (top 'G) (top (game vloc OUT)))))""",
    ).replace("{more}", "")
    options = Game.from_source(Source("words", text)).start(1).options()
    assert [str(option) for option in options] == [
        "play Q of CLUBS",
        "play Q of SPADES",
        "move K of HEARTS from DISCARD to OUT",
        "play Q of SPADES and Q of CLUBS",
    ]
    assert [dict(option.content.picks)["'G"] for option in options] == [(2,), (3,), (4,), (2, 3)]


def test_chance_is_not_given_away() -> None:
    """What an option will draw is known to nobody before it is chosen, so it is not said."""
    assert words(
        """(set (game sto DIE) (random 1 .. 6))
        (do ((shuffle (game vloc DISCARD))
          (move (top (game vloc DISCARD)) (top ((1 player) vloc OPEN)))))"""
    ) == ["change DIE", "shuffle DISCARD, take the card of DISCARD"]


AUCTION = """(game
 (setup (create players 2)
  (create deck ((1 player) iloc HAND) (deck (RANK (A, K)) (COLOR (BLACK (SUIT (SPADES)))))))
 (stage player
  (end (== (game sto PASSES) 2))
  (choice (
   (do ((turn pass) (inc (game sto PASSES))))
   (any (filter (range 6 .. 7) 'L (> 'L (game sto LEVEL))) 'LEVEL
    (any (CLUBS, NOTRUMP) 'STRAIN
     (do (
      (set (game sto LEVEL) 'LEVEL)
      (set (game str STRAIN) 'STRAIN)
      (set (game sto STAKE) 1)
      (set (game sto PASSES) 0)))))
   ((and (> (game sto LEVEL) 0) (== (game sto STAKE) 1))
    (do ((set (game sto STAKE) 2) (set (game sto PASSES) 0))))))
  (do ((cycle next (next player)))))
 (scoring max 0))"""


def test_a_bid_says_all_of_itself_whatever_else_is_offered() -> None:
    """The strain of a bid stands in its words, although its level tells it from the rest."""
    state = Game.from_source(Source("auction", AUCTION)).start(1)
    texts = []
    while not state.finished:
        texts.append([str(option) for option in state.options()])
        state.play(min(2, state.option_count - 1) if len(texts) < 4 else 0)
    first = [f"LEVEL: {n}, STRAIN: {s}, STAKE: 1" for n in (6, 7) for s in ("CLUBS", "NOTRUMP")]
    bids = [text.replace("STAKE: 1", "STAKE: 1, PASSES: 0") for text in first]
    doubled = "STAKE: 2, PASSES: 0"
    assert texts[:4] == [
        ["pass, PASSES: 1", *bids],
        ["pass, PASSES: 1", *bids[2:], doubled],
        ["pass, PASSES: 1", doubled],
        ["pass, PASSES: 1"],
    ]


def test_brief_words_are_only_given_on_request() -> None:
    """A caller that asks for it gets no more than what tells the options of this list apart."""
    state = Game.from_source(Source("auction", AUCTION)).start(1)
    state.play(1)
    assert [str(option) for option in state.options(brief=True)] == [
        "pass, PASSES: 1",
        "LEVEL: 7, STRAIN: CLUBS",
        "LEVEL: 7, STRAIN: NOTRUMP",
        "STAKE: 2, PASSES: 0",
    ]
    assert str(state.options()[1]) == "LEVEL: 7, STRAIN: CLUBS, STAKE: 1, PASSES: 0"


def test_a_pick_that_the_cards_do_not_show_is_said() -> None:
    """What follows from the moved card is left out, a name or number that was picked is not."""
    assert words(
        """(any ((current player) iloc HAND) 'C
            (any (YES, NO) 'D
             (do ((move 'C (top ((current player) vloc TRICK)))
               (set (game str LEAD) (cardatt SUIT 'C))
               ((== 'D YES) (set (game sto DOUBLED) 1))))))"""
    ) == [
        "play Q of CLUBS, DOUBLED: 1",
        "play Q of CLUBS",
        "play Q of SPADES, DOUBLED: 1",
        "play Q of SPADES",
    ]


def test_steps_that_do_the_same_with_cards_say_what_else_they_do() -> None:
    """Of two ways to play a card, each says what it notes down even if alone."""
    quiet = "(any ((current player) iloc HAND) 'C (move 'C (top ((current player) vloc TRICK))))"
    shout = """((== (game sto MUTE) {mute}) (any ((current player) iloc HAND) 'C
        (do ((move 'C (top ((current player) vloc TRICK))) (set (game sto SHOUT) 1)))))"""
    both = words(quiet + shout.replace("{mute}", "0"))
    assert both == [
        "play Q of CLUBS",
        "play Q of SPADES",
        "play Q of CLUBS, SHOUT: 1",
        "play Q of SPADES, SHOUT: 1",
    ]
    assert words(quiet + shout.replace("{mute}", "1")) == both[:2]
    silent = quiet.replace("(any", "((== (game sto MUTE) 1) (any") + ")"
    assert words(silent + shout.replace("{mute}", "0")) == both[:2]
    loud = quiet.replace("(any", "((== (game sto DEAF) 1) (any") + ")"
    assert words(loud + shout.replace("{mute}", "0")) == both[2:]


def test_what_an_unseen_card_decides_is_not_said() -> None:
    """Words that come from the attribute of a card that the chooser does not see name no value."""
    assert words(
        """(any ((2 player) iloc AWAY) 'C (set (game str ASKED) (cardatt RANK 'C)))
        (any ((current player) iloc HAND) 'C (set (game str SAID) (cardatt SUIT 'C)))""",
        "(create deck ((2 player) iloc AWAY) (deck (RANK (SEVEN, EIGHT))))",
    ) == ["change ASKED (1)", "change ASKED (2)", "SAID: CLUBS", "SAID: SPADES"]


@pytest.mark.parametrize("name", ["coup", "crazyeights", "hearts", "scopa", "spiteandmalice"])
def test_an_option_has_the_same_words_alone_as_in_its_list(name: str) -> None:
    """Nothing but the number of equal ones depends on the other options of a decision."""
    game = Game.load(name, engine="interpreter")
    state = game.start(3)
    compared = 0
    while not state.finished and compared < 300:
        world = state._board.world()
        choice = choice_at(world)
        built = build(choice.explorers, world, choice.span)
        assert state.player is not None
        whole = describe(built, world, state.player, game.namer)
        for option, text in zip(built, whole, strict=True):
            (alone,) = describe([option], world, state.player, game.namer)
            assert re.sub(r" \(\d+\)$", "", text) == alone
            compared += 1
        state.play(len(state.choices) * 7 % state.option_count)
    assert compared > 50


def test_options_that_read_alike_say_all_but_no_card_that_is_drawn() -> None:
    """What the cards show is said where two options differ by nothing else; a draw stays hidden."""
    draw = """(move 'C (top (game vloc OUT)))
        (move (top (game iloc STOCK)) (top ((1 player) iloc HAND)))"""
    silent = f"(any ((current player) iloc HAND) 'C (do ({draw})))"
    noted = silent.replace(draw, f"{draw} (set (game str SUIT) (cardatt SUIT 'C))")
    drawn = "take the top of STOCK"
    assert words(silent + noted) == [
        f"play Q of CLUBS, {drawn}",
        f"play Q of SPADES, {drawn}",
        f"play Q of CLUBS, {drawn}, SUIT: CLUBS",
        f"play Q of SPADES, {drawn}, SUIT: SPADES",
    ]
