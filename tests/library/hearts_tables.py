"""Hearts with a few cards laid out by hand, for positions that are looked for and seldom dealt."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from unittest import mock

from library_playing import RANKS, SUITS
from ordered_pack import SHUFFLE

from cardwright import Game, GameFileError, State
from cardwright.game.find import find
from cardwright.game.settings import settings_of
from cardwright.program import check
from cardwright.program.program import fold_constants, unlabelled
from cardwright.syntax.source import Source

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cardwright.program.cards import Card
    from cardwright.program.constants import Constant

LAST = check.IncrementalCache()
LONG_RANKS = {short: long for long, short in RANKS.items()} | {"0": "ZERO"}
LONG_SUITS = {short: long for long, short in SUITS.items()}


def kind(card: Card) -> str:
    """Return a card as two characters; jokers are 0C."""
    rank = card.attributes["RANK"]
    return ("0" if rank == "ZERO" else RANKS[rank]) + SUITS[card.attributes["SUIT"]]


def without(text: str, start: str) -> str:
    """Return a game's text without the form that starts so."""
    first = last = text.index(start)
    while text[first:last].count("(") > text[first:last].count(")") or first == last:
        last += 1
    return text[:first] + text[last:]


def laid(pack: str) -> str:
    """Return steps that lay cards on top of the stock, so that the first named is the topmost."""
    return " ".join(
        f"(move (bottom (filter (game iloc STOCK) 'X (and (== (cardatt RANK 'X) "
        f"{LONG_RANKS[card[0]]}) (== (cardatt SUIT 'X) {LONG_SUITS[card[1]]}))))"
        f" (top (game iloc STOCK)))"
        for card in reversed(pack.partition("|")[0].replace("/", " ").split())
    )


def table(*deals: str, **options: Any) -> State:
    """Return a game of Hearts with just these cards, hands divided by strokes, the widow last.

    After a bar come cards that are in the pack but not dealt. The cards of one deal follow those of
    another, and the last is dealt again and again.
    """
    cards = deals[0].replace("/", " ").replace("|", " ").split()
    decks = " ".join(
        f"(create deck (game iloc STOCK) (deck (RANK ({LONG_RANKS[card[0]]}))"
        f" (SUIT ({LONG_SUITS[card[1]]}))))"
        for card in cards
    )
    text = without(without(find("hearts").text, "(repeat 'PACKS"), "(repeat 'JOKERS")
    text = text.replace("(create players 'PLAYERS)", "(create players 'PLAYERS)" + decks)
    assert text.count(SHUFFLE) == 1
    orders = "(inc (game sto LAID)) " + " ".join(
        f"(({'==' if number < len(deals) else '>='} (game sto LAID) {number}) (do ({laid(deal)})))"
        for number, deal in enumerate(deals, 1)
    )
    # What goes together is about whole packs.
    settings_of("hearts").check_each(options)
    return elaborated(text.replace(SHUFFLE, orders), options).start(0)


def elaborated(text: str, options: Mapping[str, Constant]) -> Game:
    """Return a game of a text of Hearts; what it has in common with the last one is understood.

    That takes a third of the time, and of the rest a quarter would be for advice to the author. The
    program is that of a check without a past.
    """
    with mock.patch.object(check, "lint"):
        checked = check.examine(Source("hearts-table", text), options, recall=LAST).checked
    if checked.program is None:
        raise GameFileError(checked)
    program = unlabelled(fold_constants(checked.program))
    return Game(program, "hearts-table", checked.diagnostics, engine="interpreter")


def hand(state: State, seat: int) -> str:
    """Return a player's hand."""
    return " ".join(map(kind, state.cards(seat, "iloc", "HAND")))


def legal(state: State) -> str:
    """Return the cards that may be chosen, sets of several with + between them."""
    found = []
    for content in state.contents():
        ((_, cards),) = content.picks
        ids = cards if isinstance(cards, tuple) else (cards,)
        found.append("+".join(kind(state.game.cards[one]) for one in ids if isinstance(one, int)))
    return " ".join(found)


def play(state: State, cards: str) -> State:
    """Play cards one after the other, each by whoever has to decide."""
    for card in cards.split():
        options = legal(state).split()
        assert card in options, f"{card} is none of {options}"
        state.play(options.index(card))
    return state


def scores(state: State) -> tuple[int, ...]:
    """Return the final scores, after playing what there is to play: always the first option."""
    while not state.finished:
        state.play(0)
    return state.scores
