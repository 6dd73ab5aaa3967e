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
    return Game.load(name, engine=usually("interpreter", "native"), **declared)


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


def test_games_go_to_an_end_with_every_card_and_a_score_for_everybody(game: Game) -> None:
    """At every decision, and at the end, each card lies in exactly one place.

    The same seed and choices give the same game.
    """
    whole = Counter(card.id for card in game.cards)
    for seed in range(usually(1, 5)):
        state = game.start(seed)
        for at, option in decisions(game, seed):
            state = at
            assert cards(state) == whole
            assert state.contents()[option.index] == option.content
            assert state.option_count == len(state.contents()) > 0
        assert cards(state) == whole
        assert len(state.scores) == len(state.ranks) == game.players
        assert 0 in state.ranks
        assert sum(state.wins) == pytest.approx(1)
        again = game.replay(seed, state.choices)
        assert again == state
        assert again.scores == state.scores
        assert game.start(seed) != game.start(seed + 1)


def test_imagined_states(game: Game) -> None:
    """A determinised state differs only in what the seat does not see, and keeps all cards.

    What a player is offered, and the words for it, are the same whatever the hidden cards; and an
    imagined state goes on to an end like any other.
    """
    stream = Stream(7)
    differs: Counter[str] = Counter()
    for seed in range(usually(1, 2)):
        choose = at_random(seed, game.players)
        state = game.start(seed)
        while not state.finished:
            if stream.below(usually(15, 4)) == 0 or len(state.choices) < 3:
                for mode in ("basic", "known"):
                    for seat in range(game.players):
                        imagined = state.determinise(seat, stream, mode)
                        assert imagined.view(seat) == state.view(seat)
                        assert cards(imagined) == cards(state)
                        differs[mode] += imagined.locations() != state.locations()
                        if seat == state.player:
                            assert_same_options(state, imagined)
                        if stream.below(8) == 0:
                            assert_it_goes_on(imagined, stream)
            state.play(choose(state))
    assert differs.keys() == {"basic", "known"}
    assert min(differs.values()) > 0


def assert_same_options(state: State, imagined: State) -> None:
    """Whoever decides has the same options in a state and in one that it imagines."""
    assert imagined.player == state.player
    options = state.options()
    assert imagined.options() == options
    assert tuple(option.content for option in options) == state.contents()
    assert len({option.description for option in options}) == state.option_count


def assert_it_goes_on(state: State, stream: Stream) -> None:
    """A state comes to an end by any choices."""
    while not state.finished:
        state.play(stream.below(state.option_count))
    assert len(state.scores) == state.game.players
