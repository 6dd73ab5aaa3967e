"""Names, clauses and labels for people: what is said, and to whom."""

from __future__ import annotations

import pytest

from cardwright import Game
from cardwright.english import Clause, base, listed, named, third
from cardwright.game.wording.naming import PeopleNamer
from cardwright.game.wording.phrases import GameWords, phrase
from cardwright.program import nodes as n
from cardwright.program.known_values import HeardLabels

RULES = """
(game
  (setup
    (create players 3)
    (create deck (game iloc STOCK) (deck (RANK (A, SEVEN)) (SUIT (HEARTS, CUPS))))
    (create deck (game iloc STOCK) (deck (JOKER (BIG))))
    (create deck (game iloc STOCK) (deck (JOKER (BIG)))))
  (choice (
    (any (partition RANK ((current player) iloc HAND)) 'KIND
      (label (ASK FOR (cardatt RANK (top 'KIND)))
        (set (game str WANTED) (cardatt RANK (top 'KIND)))))
    (any (partition RANK ((current player) iloc HAND)) 'KIND
      (label (HIDE (cardatt RANK (top 'KIND)))
        (set (game sto TURN) 1)))
    (any (partition RANK ((current player) iloc HAND)) 'KIND
      (label (LATE (cardatt RANK (top 'KIND)))
        (do (
          (move (top 'KIND) (top (game iloc STOCK)))
          (set (game str WANTED) (cardatt RANK (top 'KIND)))))))
    (any (range 1 .. 3) 'N
      (label (BID 'N OF (game sto TURN) AND (size (game iloc STOCK)))
        (set (game sto TURN) 'N)))))
  (scoring max (game sto TURN)))
"""
GAME = Game.from_text(RULES)


def test_cards_are_named_as_people_do() -> None:
    namer = PeopleNamer(GAME.program, GameWords(cards=(("CUPS", "goblets"), ("BIG", "joker"))))
    ace, _, _, seven, joker, other = GAME.cards
    assert namer.card(ace) == "ace of hearts"
    assert namer.card(seven) == "7 of goblets"
    assert namer.cards.single(ace) == "the ace of hearts"
    assert namer.cards.single(joker) == "a joker"
    assert namer.cards.several([joker, other]) == "two jokers"
    assert namer.cards.several([ace, seven], 2) == "the ace of hearts, 7 of goblets and 2 cards"
    assert namer.cards.several([], 1) == "a card"


def test_players_are_called_by_their_names() -> None:
    namer = PeopleNamer(GAME.program, None, ["Ann", "Berta", "Cora"])
    assert [namer.who(seat, 1) for seat in range(3)] == ["Ann", "you", "Cora"]
    assert (namer.whose(0, 1), namer.whose(1, 1)) == ("Ann's", "your")
    assert namer.value(2, "player", 0) == named("Berta")
    assert namer.value(9, "player", 0) is None, "no player has that number"
    assert namer.named(["X", "Y", "Z"]).who(2) == "Z"
    assert namer.who(2) == "Cora"


@pytest.mark.parametrize(
    ("verb", "form"),
    [("play", "plays"), ("pass", "passes"), ("carry", "carries"), ("have", "has"), ("are", "is"),
     ("go", "goes"), ("discard", "discards")],
)  # fmt: skip
def test_verbs_agree_with_who_does_it(verb: str, form: str) -> None:
    assert third(verb) == form
    assert named("Ann").form(Clause(f"{verb}, if so, 3")) == f"{form}, if so, 3"
    assert Clause(f"{verb} 3").imperative == f"{verb} 3"
    assert base(form) == verb


def test_only_verbs_of_the_author_are_marked() -> None:
    """Brackets in a name or a value are no verbs."""
    text = phrase("take {} and [play] on").fill(lambda _: "Ann [bot]")
    assert text is not None
    assert Clause(text).imperative == "take Ann [bot] and play on"
    assert named("Cleo").form(Clause(text)) == "takes Ann [bot] and plays on"


def test_what_is_said_of_several_cards() -> None:
    went = phrase("{} goes to {to:whose} hand and [are] shown")
    values = {"": "3 cards", "to": "your"}
    told = [went.of_count(count, lambda blank: values[blank.name]) for count in (1, 3)]
    assert told == [
        "3 cards goes to your hand and is shown", "3 cards go to your hand and are shown"
    ]  # fmt: skip
    assert base("comes") == "come"
    assert listed(["a"]) == "a"
    assert listed(["a", "b", "c"]) == "a, b and c"


def test_labels_are_heard_if_everybody_knows_what_they_say() -> None:
    """What the option stores at once is public, but not what it stores after something else."""
    heard = HeardLabels(GAME.program.labels, GAME.program.binders)
    told = {
        str(parts[0]): [part in heard for part in parts if isinstance(part, n.Node)]
        for _, parts in GAME.program.labels
    }
    assert told == {"ask": [True], "hide": [False], "late": [False], "bid": [True, True, True]}
    assert None in heard, "what is written out"
