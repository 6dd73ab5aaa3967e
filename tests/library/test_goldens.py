"""Playthroughs and counts as they were recorded; scripts/goldens writes them anew."""

import tomllib
from difflib import unified_diff
from pathlib import Path

import pytest
from make_goldens import COUNTS, MOST, PLAYTHROUGHS
from playthroughs import RECORDINGS, Recording, playthrough

from cardwright import Game
from cardwright.library.catalogue import names
from decision_sequences import count_sequences
from deep import mostly_deep, usually

COUNTED = {
    (file.stem, row.get("preset"), *row["declared"].items()): {
        seed: row[f"seed-{seed}"] for seed in MOST
    }
    for file in COUNTS.glob("*.toml")
    for row in tomllib.loads(file.read_text(encoding="utf-8"))["count"]
}
"""The counts by seed of each game, which has a name, perhaps a preset, and constants."""


def kind(recording: Recording) -> tuple[object, ...]:
    """Return the game of a recording as a key of `COUNTED`."""
    return recording.game, recording.preset, *recording.declared.items()


@pytest.fixture(scope="module", params=RECORDINGS, ids=lambda one: one.file)
def recording(request: pytest.FixtureRequest) -> Recording:
    recording: Recording = request.param
    return recording


@pytest.fixture(scope="module")
def game(recording: Recording) -> Game:
    return recording.load()


def test_games_go_as_recorded(recording: Recording, game: Game) -> None:
    """The same seed gives the same options in the same words, the same play and outcome."""
    old = (PLAYTHROUGHS / recording.file).read_text(encoding="utf-8").splitlines()
    new = playthrough(game, recording.seed).splitlines()
    assert not list(unified_diff(old, new, "recorded", "now", lineterm=""))


@pytest.mark.parametrize("seed", mostly_deep(MOST, min(MOST).__eq__))
def test_sequences_are_as_many_as_recorded(recording: Recording, game: Game, seed: int) -> None:
    """To the lengths of which there are a thousand at most; in a deep run to all recorded ones."""
    most = usually(1000, MOST[seed])
    recorded = [count for count in COUNTED[kind(recording)][seed] if count <= most]
    assert recorded
    assert count_sequences(game.start(seed), len(recorded)) == recorded


def test_every_game_is_recorded() -> None:
    assert {recording.game for recording in RECORDINGS} == set(names())
    files = {Path(file).name for file in PLAYTHROUGHS.glob("*.txt")}
    assert files == {recording.file for recording in RECORDINGS}


def test_every_recording_is_counted() -> None:
    assert COUNTED.keys() == set(map(kind, RECORDINGS))


def test_leduc_sequences_can_be_counted_by_hand() -> None:
    """In Leduc nothing depends on the cards.

    A round is cc, rc, rf, crc, crf, rrc, rrf, crrc or crrf (check, raise, call, fold): four of them
    end the game after 2, 3, 3 and 4 decisions, and five lead on to another such round.
    """
    round_one = ["cc", "rc", "crc", "rrc", "crrc"]
    folds = ["rf", "crf", "rrf", "crrf"]
    games = folds + [one + two for one in round_one for two in round_one + folds]
    assert len(games) == 49
    state = Game.load("leduc").start(9)
    lengths = range(1, 10)
    assert count_sequences(state, 9) == [len({game[:n] for game in games}) for n in lengths]


def test_cribbage_begins_with_pairs_of_six_cards() -> None:
    """Fifteen pairs each, then four cards each to begin with."""
    state = Game.load("cribbage").start(4)
    assert count_sequences(state, 4) == [15, 225, 900, 3600]


def test_a_playthrough_says_what_happened() -> None:
    """The settings, each decision with its options and the choice, and the outcome."""
    game = Game.load("hearts", PLAYERS=3)
    text = playthrough(game, 5)
    assert text.startswith("hearts, seed 5, PLAYERS 3\n")
    assert text.count("   > play ") == 51
    assert "  1. p1\n" in text
    assert " 51. p" in text
    assert text.rstrip().splitlines()[-1].startswith("p3: score ")
