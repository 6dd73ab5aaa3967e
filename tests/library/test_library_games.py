"""What holds for every game of the library."""

from collections import Counter

import pytest
from library_playing import at_random, decisions

from cardwright import Game, State, Stream
from cardwright.library.catalogue import facts, names
from cardwright.program.cards import LocationKind
from cardwright.syntax.diagnostic import Code
from deep import mostly_deep, usually

SETTINGS = [
    (name, {"PLAYERS": players} if "PLAYERS" in facts(name).declared else {})
    for name in names()
    for players in facts(name).players
]


def label(setting: tuple[str, dict[str, int]]) -> str:
    return "-".join([setting[0], *map(str, setting[1].values())])


def own(setting: tuple[str, dict[str, int]]) -> bool:
    """Return whether a game has as many players as it has by itself."""
    name, declared = setting
    return declared.get("PLAYERS") in {None, facts(name).default_players}


def extreme(setting: tuple[str, dict[str, int]]) -> bool:
    """Return whether a game has as many players as it has by itself, the fewest, or the most."""
    name, declared = setting
    return own(setting) or declared["PLAYERS"] in {facts(name).players[0], facts(name).players[-1]}


@pytest.fixture(scope="module", params=mostly_deep(SETTINGS, own, label))
def game(request: pytest.FixtureRequest) -> Game:
    name, declared = request.param
    return Game.load(name, **declared)


def cards(state: State) -> Counter[int]:
    """Return all cards that lie somewhere; references in memory are not cards."""
    return Counter(
        card.id
        for location, pile in state.locations().items()
        if location.kind is not LocationKind.MEMORY
        for card in pile
    )


@pytest.mark.parametrize("setting", mostly_deep(SETTINGS, extreme, label))
def test_there_is_nothing_to_complain_about(setting: tuple[str, dict[str, int]]) -> None:
    """Every number of players that is promised is playable.

    The checker has no warning, and no note but one that these games answer by themselves. In two
    of them a choice of one filtered step stands where a stage's end or the rules before it make
    sure that something passes the filter; the checker cannot see that.
    """
    game = Game.load(setting[0], **setting[1])
    assert game.players == setting[1].get("PLAYERS", game.players)
    codes = {diagnostic.code for diagnostic in game.diagnostics}
    assert codes <= ({Code.MAY_BE_EMPTY} if game.name in ("cribbage", "gofish") else set())


def test_no_card_is_lost_or_doubled(game: Game) -> None:
    """At every decision, and at the end, each card lies in exactly one place."""
    whole = Counter(card.id for card in game.cards)
    for seed in range(usually(1, 5)):
        for state, _ in decisions(game, seed):
            assert cards(state) == whole
        assert cards(state) == whole


def test_games_end_with_a_score_for_everybody(game: Game) -> None:
    for seed in range(1000, usually(1001, 1008)):
        for state, option in decisions(game, seed):
            assert state.contents()[option.index] == option.content
            assert state.option_count == len(state.contents()) > 0
        assert len(state.scores) == len(state.ranks) == game.players
        assert 0 in state.ranks
        assert sum(state.wins) == pytest.approx(1)


def test_the_same_seed_and_choices_give_the_same_game(game: Game) -> None:
    for seed in range(usually(1, 2)):
        state = None
        for at, _ in decisions(game, seed):
            state = at
        assert state is not None
        again = game.replay(seed, state.choices)
        assert again == state
        assert again.scores == state.scores
        assert game.start(seed) != game.start(seed + 1)


@pytest.mark.parametrize("mode", ["basic", "known"])
def test_imagined_states_look_the_same(game: Game, mode: str) -> None:
    """A determinised state differs only in what the seat does not see, and keeps all cards."""
    stream = Stream(7)
    differs = 0
    for seed in range(usually(1, 2)):
        choose = at_random(seed, game.players)
        state = game.start(seed)
        while not state.finished:
            if stream.below(usually(10, 4)) == 0 or len(state.choices) < 3:
                for seat in range(game.players):
                    imagined = state.determinise(seat, stream, mode)
                    assert imagined.view(seat) == state.view(seat)
                    assert cards(imagined) == cards(state)
                    differs += imagined.locations() != state.locations()
            state.play(choose(state))
    assert differs > 0


@pytest.mark.parametrize("mode", ["basic", "known"])
def test_options_tell_nothing_of_hidden_cards(game: Game, mode: str) -> None:
    """What a player is offered, and the words for it, are the same whatever the hidden cards."""
    stream = Stream(11)
    for seed in range(usually(1, 3)):
        choose = at_random(seed, game.players)
        state = game.start(seed)
        while not state.finished:
            if stream.below(usually(4, 1)) == 0 or len(state.choices) < 3:
                assert state.player is not None
                imagined = state.determinise(state.player, stream, mode)
                assert imagined.player == state.player
                options = state.options()
                assert imagined.options() == options
                assert tuple(option.content for option in options) == state.contents()
                assert len({option.description for option in options}) == state.option_count
            state.play(choose(state))


@pytest.mark.parametrize("mode", ["basic", "known"])
def test_imagined_states_can_be_played_out(game: Game, mode: str) -> None:
    """Every imagined state is a state of the game: it goes on to an end like any other."""
    stream = Stream(13)
    for seed in range(usually(1, 3)):
        choose = at_random(seed, game.players)
        state = game.start(seed)
        while not state.finished:
            if stream.below(usually(15, 6)) == 0 or not state.choices:
                imagined = state.determinise(state.player or 0, stream, mode)
                while not imagined.finished:
                    imagined.play(stream.below(imagined.option_count))
                assert len(imagined.scores) == game.players
            state.play(choose(state))
