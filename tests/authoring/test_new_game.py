"""New games: whatever the options, what is written is sound, passes its positions and is played."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

import pytest

from cardwright import Game, Stream, new_game, run_positions
from cardwright.authoring.new_game import DECKS, KINDS, PLAYERS
from cardwright.authoring.settings_check import check_settings
from cardwright.errors import NewGameError
from cardwright.program.check import check
from cardwright.syntax.formatter import format_source
from cardwright.syntax.source import read_file
from deep import mostly_deep

if TYPE_CHECKING:
    from pathlib import Path

SEEDS = range(3)


def played_at_random(game: Game, seed: int) -> tuple[int, ...]:
    state = game.start(seed)
    streams = [Stream.of_seat(seed, seat) for seat in range(game.players)]
    while not state.finished:
        assert state.player is not None
        state.play(streams[state.player].below(state.option_count))
    return state.scores


@pytest.mark.parametrize(
    "start",
    mostly_deep(product(KINDS, DECKS), set(zip(KINDS, DECKS, strict=True)).__contains__, "-".join),
)
def test_what_is_written_is_sound(tmp_path: Path, start: tuple[str, str]) -> None:
    """No warning, no note, the standard layout, positions that hold, games that end."""
    kind, deck = start
    for players in (PLAYERS[0], PLAYERS[-1]):
        name = f"mine-{players}"
        rules, facts, _ = new_game(tmp_path / name, kind=kind, deck=deck, players=players)
        checked = check(read_file(rules))
        assert not list(checked.diagnostics)
        assert not list(check_settings(read_file(facts), checked.program, game=str(rules)))
        assert format_source(checked.source) == checked.source.text
        assert "{{" not in "".join(file.read_text() for file in tmp_path.iterdir())
        outcomes = run_positions(rules)
        assert len(outcomes) > 1
        assert not [str(failure) for one in outcomes for failure in one.failures]
        game = Game.load(rules, engine="interpreter")
        assert game.players == players
        for seed in SEEDS:
            assert len(played_at_random(game, seed)) == players


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_both_engines_play_it(tmp_path: Path, kind: str) -> None:
    for deck, players in (("own", 3), ("32", 6)):
        rules, *_ = new_game(tmp_path / f"mine-{deck}", kind=kind, deck=deck, players=players)
        native = Game.load(rules)
        reference = native.with_engine("interpreter")
        for seed in SEEDS:
            assert played_at_random(native, seed) == played_at_random(reference, seed)


@pytest.mark.parametrize("there", ["mine.rcy", "mine.toml", "mine.positions.toml"])
def test_nothing_is_overwritten(tmp_path: Path, there: str) -> None:
    (tmp_path / there).write_text("mine")
    with pytest.raises(NewGameError, match="already exists, and nothing is overwritten"):
        new_game(tmp_path / "mine.rcy")
    assert [file.name for file in tmp_path.iterdir()] == [there]
    assert (tmp_path / there).read_text() == "mine"


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("my game", {}, "'my game' is not a name for a game"),
        ("hearts", {}, "hearts is a game of the library"),
        ("nowhere/mine", {}, "there is no folder"),
        ("mine", {"kind": "shed"}, "there is no kind of game 'shed'; did you mean shedding?"),
        ("mine", {"deck": "53"}, "there is no deck '53'"),
        ("mine", {"players": 7}, "a new game has 2 to 6 players, not 7"),
    ],
)
def test_wrong_wishes(tmp_path: Path, name: str, options: dict, message: str) -> None:
    with pytest.raises(NewGameError, match=message.replace("?", r"\?")) as caught:
        new_game(tmp_path / name, **options)
    assert caught.value.wrong_call
    assert not list(tmp_path.iterdir())
