"""Options in words for people, at tables of library games."""

from pathlib import Path

from cardwright.arena.plan import GameRef
from cardwright.game.game import Game
from cardwright.table.referee import Referee, RefereeRules
from cardwright.table.setup import HUMAN, TableSetup
from cardwright.table.table import Table


def table_of(name: str, preset: str | None, seed: int, **declared: int) -> Table:
    """Return a table of a game, with a person in the first seat."""
    game = Game.variant(name, declared, preset, engine="interpreter")
    values = tuple(declared.items())
    ref = GameRef(name, game.players, game.program.digest, preset, values, None, "interpreter")
    players = (HUMAN, *("random",) * (game.players - 1))
    return Table(TableSetup.of_players(ref, seed, players), game=game)


def options_of(table: Table) -> list[str]:
    """Return the words of the options that are due."""
    return [option.words for option in table.referee.options()]


def test_equal_cards_are_numbered_and_no_more() -> None:
    """Two equal cards of a hand are told apart by numbers, not by what the rules store."""
    table = table_of("hearts", "cancellation", 1)
    words = options_of(table)
    assert any(text.endswith(" (2)") for text in words)
    assert not any("choose" in text for text in words)


def test_an_act_is_told_beside_its_cards() -> None:
    """To knock is more than to discard and to meld, so it is said too."""
    table = table_of("ginrummy", None, 3, KNOCK=100)
    table.choose(0, 0, 0)
    knocks = [text for text in options_of(table) if "knock" in text]
    melds = "then meld the 8 of spades, 6 of spades and 7 of spades, then knock"
    assert f"discard the 9 of clubs, {melds}" in knocks
    assert "discard the 9 of clubs" in options_of(table)


def test_an_option_names_the_card_that_is_played() -> None:
    """A card of a colour in Lost Cities is chosen by itself, not by all cards of its colour."""
    table = table_of("lostcities", None, 1)
    assert all(len(option.cards) == 1 for option in table.referee.options())
    decision = table.scene(0).decision
    assert decision is not None
    assert (decision.least, decision.most) == (1, 1)


def test_what_a_side_has_is_yours_too() -> None:
    """A pile of one's own side is told as such, and the other's by the names of its players."""
    table = table_of("briscola", None, 1, PLAYERS=4)
    names = [seat.name for seat in table.setup.seats]
    for _ in range(40):
        if table.due is not None:
            table.choose(table.due, table.number, 0)
    piles = {pile.name for pile in table.scene(0).piles}
    assert {"your side's cards won", f"{names[1]} and {names[3]}'s cards won"} <= piles


SWAPS = """
(game
  (setup
    (create players 2)
    (create deck (game vloc ROW) (deck (RANK (A, B, C, D))))
    (create deck ((1 player) iloc HAND) (deck (RANK (E, F))))
    (create deck ((2 player) iloc HAND) (deck (RANK (G, H)))))
  (choice (
    (do ((shuffle (game vloc ROW)) (swap (top (game vloc ROW)) (top ((current player) iloc HAND)))))
    (swap (top (game vloc ROW)) (top ((current player) iloc HAND)))))
  (scoring max 1))
"""


def test_a_card_that_a_shuffle_brings_is_not_named() -> None:
    """A swap with the top of an open pile that is shuffled first does not say which it will be."""
    rules = RefereeRules(Game.from_text(SWAPS))
    for seed in range(5):
        shuffled, plain = (one.words for one in Referee(rules, seed).options())
        assert "swap a card of" in shuffled
        assert "swap the d " in plain


STORED = """
(game
  (setup
    (create players 2)
    (create deck (game iloc STOCK) (deck (RANK (A, K)) (SUIT (HEARTS, SPADES)))))
  (do (
    (set (game str CLAIM) HOLD)
    (all player 'P (do (
      (set ('P sto BID) 7)
      (move (top (game iloc STOCK)) (top ('P iloc HAND))))))))
  (stage player
    (end (any player 'P (== (size ('P iloc HAND)) 0)))
    (choice (
      (any ((current player) iloc HAND) 'C (move 'C (top (game vloc PILE))))
      (label (STAY) (turn pass)))))
  (scoring max 0))
"""
"""A game whose options store nothing; values are stored before."""


def test_phrases_name_values_that_were_stored_before(tmp_path: Path) -> None:
    """Those of the player and of the table, for who chooses and for who is told of it."""
    (tmp_path / "g.rcy").write_text(STORED)
    (tmp_path / "g.toml").write_text(
        "[words.moves]\n'HAND to PILE' = 'play {} as {CLAIM} for {BID:point}'\n"
        "[words.labels]\nSTAY = 'wait with {BID}'\n"
    )
    table = table_of(str(tmp_path / "g.rcy"), None, 1)
    card, stay = options_of(table)
    assert card.endswith(" as hold for 7 points")
    assert stay == "wait with 7"
    table.choose(0, 0, 0)
    told = list(map(str, table.look(0, 0).events))
    assert any("as hold for 7 points" in text for text in told), told
