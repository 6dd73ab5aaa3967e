"""The Hearts family beside a model of its rules: same players, same choices, same scores."""

from __future__ import annotations

from collections import Counter
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest
from hearts_model import Cards, Match
from hearts_options import Rules, heart, rank
from hearts_tables import elaborated, kind, laid
from hypothesis import HealthCheck, given, reject, settings, strategies as st
from ordered_pack import SHUFFLE

from cardwright import Game, Stream
from cardwright.game.find import find
from cardwright.game.settings import SettingError, settings_of
from cardwright.library.catalogue import facts
from deep import mostly_deep, usually

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cardwright import State
    from cardwright.program.cards import Card

PRESETS = [name for name, one in facts("hearts").settings.presets.items() if not one.game]

UNLIKE = {"standard", "hearts_league", "corin", "black_maria", "spot", "heartsette", "hooligan"}
"""Presets that differ in how cards are dealt and passed, in widows, prices, moons and matches."""

WAYS = ["LEFT", "RIGHT", "ACROSS", "LEFT2", "RIGHT2", "SCATTER", "HOLD"]

VALUES: dict[str, list[Any]] = {
    "PLAYERS": [3, 4, 5, 6, 7, 8, 10, 11],
    "PACKS": [1, 2],
    "SPARE": ["DIAMONDS", "CLUBS", "SPADES"],
    "DEALING": ["BLOCKS", "SINGLY"],
    "WIDOW": [0, 1, 2, 3],
    "WIDOWTO": ["FIRST", "HEART", "LAST", "EXCHANGE"],
    "PASS": [0, 1, 2, 3],
    "DRAWN": [0, 1],
    "LOOK": [0, 1],
    "OPENING": ["PLAYER1", "ELDEST", "LOWCLUB", "CLUB", "HOLDER"],
    "FIRSTTRICK": ["ANY", "FORCE", "NEVER", "NOQUEEN", "NOHEARTS"],
    "HEARTLEAD": ["BROKEN", "FIRST", "FREE"],
    "BREAKS": ["HEART", "DISCARD", "DISCARDS", "QUEEN", "PENALTY"],
    "EXEMPT": ["HEARTS", "PENALTY", "QUEEN"],
    "QUEENDUTY": ["NEVER", "DISCARD", "ACE", "BOTH"],
    "HEART": [1, 2],
    "PIPS": [0, 1],
    "QUEEN": [0, 5, 13],
    "ACESPADES": [0, 7],
    "KINGSPADES": [0, 10],
    "JACKSPADES": [0, -3],
    "JACKDIAMONDS": [0, -10, 4],
    "TENDIAMONDS": [0, -10],
    "SEVENCLUBS": [0, 7],
    "EACHTRICK": [0, 1, -1],
    "FIRSTTAKEN": [0, 2],
    "LASTTAKEN": [0, 3],
    "NOTRICKS": [0, -5],
    "MOON": ["OFF", "MINUS", "PLUS", "CHOICE", "BEST"],
    "MOONVALUE": [0, 30],
    "MOONNEEDS": ["POINTS", "EXTRAS", "TRICKS"],
    "SUN": [0, 1],
    "END": [0, 10, 30],
    "ABOVE": [0, 1],
    "HIT": [0, 5, 10],
    "HITBECOMES": [0, -5],
    "TIES": ["SHARED", "EXTRA", "LASTDEAL"],
}

COMBINATIONS = st.fixed_dictionaries(
    {"PASSING": st.sampled_from(["TOGETHER", "SINGLY", "ROUNDS"]), "ROUNDS": st.integers(1, 3)},
    optional={
        "CYCLE": st.lists(st.sampled_from(WAYS), min_size=1, max_size=4).map(tuple),
        **{name: st.sampled_from(values) for name, values in VALUES.items()},
    },
)


MOONS = "AH KH AS QS AC AD KS KC KD QH JH QC QD"
"""A hand that shoots the moon more often than not."""


class Names:
    """The short names of a game's cards: with two packs, the second QS made is QS2."""

    def __init__(self, game: Game) -> None:
        made: Counter[str] = Counter()
        self.of_id: dict[int, str] = {}
        for card in game.cards:
            code = kind(card)
            made[code] += 1
            many = game.declared["PACKS"] == 2 or code == "0C"
            self.of_id[card.id] = code + (str(made[code]) if many else "")

    @property
    def numbers(self) -> dict[str, int]:
        """The numbers of the cards by their names."""
        return {name: number for number, name in self.of_id.items()}

    def of(self, cards: Iterable[Card]) -> Cards:
        """Return the names of cards."""
        return tuple(self.of_id[card.id] for card in cards)


def deal(match: Match, state: State, names: Names) -> None:
    """Tell the model what chance has decided; check what is laid aside, and that no card lacks."""
    aside = names.of(state.cards(None, "vloc", "REMOVED"))
    assert sorted(card[:2] for card in aside) == sorted(match.rules.spares())
    match.lot = state.player or 0
    match.deal(
        [names.of(state.cards(seat, "iloc", "HAND")) for seat in match.seats],
        names.of(state.cards(None, "hloc", "WIDOW")),
        state.string(None, "DIRECTION"),
    )
    assert Counter(match.cards) + Counter(aside) == Counter(names.of_id.values())


def choices(state: State, names: Names) -> list[Cards]:
    """Return the cards that the options of a decision pick."""
    found = []
    for content in state.contents():
        ((_, cards),) = content.picks
        ids = cards if isinstance(cards, tuple) else (cards,)
        found.append(tuple(names.of_id[one] for one in ids if isinstance(one, int)))
    return found


def wish(match: Match, shooter: int, options: list[Cards]) -> int:
    """Return a choice for a moon: one seat wins what it can, and the others let it have all."""
    own = match.player == shooter
    if match.phase != "PLAY":
        choose = min if own else max
        return options.index(choose(options, key=lambda cards: sum(map(rank, cards))))
    if own:
        return options.index(max(options, key=lambda cards: rank(cards[0])))
    void = match.trick and options[0][0][1] != match.trick[0][1]

    def worth(cards: Cards) -> tuple[bool, int]:
        counts = heart(cards[0]) or match.rules.counts(cards[0])
        return (counts, rank(cards[0])) if void else (not counts, -rank(cards[0]))

    return options.index(max(options, key=worth))


def strong(**options: Any) -> Game:
    """Return the game with these options, in which player 1 is dealt a hand for a moon."""
    game = elaborated(find("hearts").text.replace(SHUFFLE, SHUFFLE + laid(MOONS)), options)
    settings_of("hearts").check_together(game.declared)
    return game


def follow(game: Game, seed: int, *, moon: bool = False) -> Match:
    """Play a game with the model alongside; both agree at every decision and at the end.

    The choices are random, or such that one seat may shoot the moon. A game that will not end, as
    ties may be played off for ever, is followed for some time.
    """
    names, stream = Names(game), Stream(seed)
    match = Match(Rules.of(game.declared), names.numbers)
    state = game.start(seed)
    while not state.finished and len(state.choices) < 1500:
        if match.phase == "DEAL":
            deal(match, state, names)
        options = match.options()
        assert state.player == match.player
        assert match.phase == "MOON" or choices(state, names) == options
        choice = stream.below(len(options))
        if moon and match.phase != "MOON" and stream.below(20):
            choice = wish(match, 0, options)
        state.play(choice)
        match.lot = state.player or 0
        match.play(options[choice])
    assert state.finished == (match.phase == "OVER")
    assert not state.finished or list(state.scores) == match.scores
    return match


@pytest.mark.parametrize("preset", mostly_deep(PRESETS, UNLIKE.__contains__))
def test_presets_go_as_the_model_says(preset: str) -> None:
    """In games of every preset, to a lower end score, engine and model agree throughout."""
    lower: Any = {"END": 30} if facts("hearts").settings.preset(preset).declared.get("END") else {}
    game = Game.load("hearts", preset=preset, engine="interpreter", **lower)
    for seed in range(usually(1, 5) if game.declared["PASS"] else usually(4, 20)):
        follow(game, seed)


@pytest.mark.slow
@settings(
    max_examples=usually(8, 60),
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=list(HealthCheck),
)
@given(options=COMBINATIONS, seed=st.integers(0, 1000), moon=st.booleans())
def test_combinations_go_as_the_model_says(options: Any, seed: int, *, moon: bool) -> None:
    """With any options that go together, engine and model agree throughout."""
    load = strong if moon else partial(Game.load, "hearts", engine="interpreter")
    try:
        game = load(**options)
    except SettingError:
        reject()
    rules = Rules.of(game.declared)
    hand = (len(game.cards) - rules.WIDOW) // rules.PLAYERS
    if hand > 17 and (rules.PASSING == "TOGETHER" or rules.WIDOWTO == "EXCHANGE"):
        reject()  # too many sets of cards to choose from
    follow(game, seed, moon=moon)
