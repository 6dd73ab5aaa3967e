"""Text forms of values: what is written down is read back as the same."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, strategies as st

from cardwright import CardwrightError, Game, Location, Stream
from cardwright.errors import OptionTextError
from cardwright.game import LocationKind
from cardwright.game.find import library_names
from cardwright.game.wording.option_text import short_name
from deep import some_games

if TYPE_CHECKING:
    from cardwright.program.cards import OwnerId


@pytest.mark.parametrize("name", some_games(library_names()))
def test_a_card_is_read_by_its_name(name: str) -> None:
    """All names of a card lead to it, or to one that looks like it; cards of a text in order."""
    game = Game.load(name, engine="interpreter")
    for card in game.cards:
        whole = game.namer.card(card)
        for text in (
            whole,
            whole.lower(),
            *(short_name(card, game.namer, symbols=s) for s in (0, 1)),
        ):
            (found,) = game.parse_cards(text)
            assert dict(found.attributes) == dict(card.attributes)
    names = [game.namer.card(card) for card in game.cards]
    assert [game.namer.card(card) for card in game.parse_cards(", ".join(names))] == names
    assert len(set(game.parse_cards(" and ".join(names)))) == len(names)


def test_what_is_no_card_is_told() -> None:
    game = Game.load("hearts", engine="interpreter")
    assert game.parse_cards("") == ()
    with pytest.raises(OptionTextError, match="'qx' is no card"):
        game.parse_cards("QS QX")
    with pytest.raises(OptionTextError, match="queen of spades is named more often"):
        game.parse_cards("QS queen of spades")


@pytest.mark.parametrize("name", some_games(library_names()))
def test_a_location_is_read_by_its_text(name: str) -> None:
    """Every location that holds cards in a game, and those of every kind and owner."""
    game = Game.load(name, engine="interpreter")
    state, chooser = game.start(1), Stream(1)
    for _ in range(10):
        if not state.finished:
            state.play(chooser.below(state.option_count))
    locations = list(state.locations())
    locations += [
        Location(_owner(owner), kind, "PLACE", at)
        for owner in range(game.program.table + 1)
        for kind in LocationKind
        for at in (0, 12)
    ]
    texts = [game.namer.location(location) for location in locations]
    assert [game.namer.parse_location(text) for text in texts] == locations
    assert len(set(texts)) == len(set(locations))


def _owner(number: int) -> OwnerId:
    return number  # type: ignore[return-value]


@pytest.mark.parametrize(
    "text",
    ["", "HAND", "iloc HAND", "p9 iloc HAND", "p1 loc HAND", "p1 iloc HAND x", "p1 iloc HAND 1 2"],
)
def test_what_is_no_location_is_told(text: str) -> None:
    namer = Game.load("hearts", engine="interpreter").namer
    assert namer.parse_location("p1 iloc HAND") == Location(_owner(0), LocationKind("iloc"), "HAND")
    with pytest.raises(CardwrightError, match="like p1 iloc HAND"):
        namer.parse_location(text)


@given(st.integers(0, 2**64 - 1), st.integers(0, 20))
def test_a_stream_goes_on_from_its_words_and_its_text(seed: int, draws: int) -> None:
    """Its words, through JSON or not, and what it is shown as give the same draws."""
    stream = Stream(seed)
    for _ in range(draws):
        stream.next()
    read = [
        stream.copy(),
        Stream.at(stream.words),
        Stream.at(json.loads(json.dumps(stream.words))),
        eval(repr(stream), {"Stream": Stream}),
    ]
    expected = [stream.below(1000) for _ in range(5)]
    assert [[one.below(1000) for _ in range(5)] for one in read] == [expected] * 4
