"""Options in words: what a person reads before choosing."""

from __future__ import annotations

from cardwright import Game
from cardwright.syntax.source import Source

FRAME = """(game
 (setup (create players 2)
  (create deck (game iloc STOCK) (deck (RANK (A, FIVE)) (COLOR (BLACK (SUIT (CLUBS))))))
  (create deck ((1 player) iloc HAND) (deck (RANK (Q)) (COLOR (BLACK (SUIT (CLUBS, SPADES))))))
  (create deck (game vloc DISCARD) (deck (RANK (K)) (COLOR (RED (SUIT (HEARTS)))))))
 (choice ({steps}))
 (scoring max 0))"""


def words(steps: str) -> list[str]:
    state = Game.from_source(Source("words", FRAME.replace("{steps}", steps))).start(1)
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
    )
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
