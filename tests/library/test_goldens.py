"""Playthroughs and counts as they were recorded; scripts/goldens writes them anew."""

import tomllib
from difflib import unified_diff
from pathlib import Path
from typing import Any

import pytest
from make_goldens import COUNTS, MOST, PLAYTHROUGHS
from playthroughs import RECORDINGS, Recording, playthrough

from cardwright import Game
from cardwright.library.catalogue import names
from decision_sequences import count_sequences

TABLE = [
    (file.stem, row)
    for file in sorted(COUNTS.glob("*.toml"))
    for row in tomllib.loads(file.read_text(encoding="utf-8"))["count"]
]


@pytest.mark.parametrize("recording", RECORDINGS, ids=lambda r: r.file)
def test_games_go_as_recorded(recording: Recording) -> None:
    """The same seed gives the same options in the same words, the same play and outcome."""
    old = (PLAYTHROUGHS / recording.file).read_text(encoding="utf-8").splitlines()
    new = recording.text().splitlines()
    assert not list(unified_diff(old, new, "recorded", "now", lineterm=""))


def test_every_game_is_recorded() -> None:
    assert {recording.game for recording in RECORDINGS} == set(names())
    files = {Path(file).name for file in PLAYTHROUGHS.glob("*.txt")}
    assert files == {recording.file for recording in RECORDINGS}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "row"),
    TABLE,
    ids=[
        "-".join([n, *r.get("preset", "").split(), *map(str, r["declared"].values())])
        for n, r in TABLE
    ],
)
@pytest.mark.parametrize("seed", MOST)
def test_sequences_are_as_many_as_recorded(name: str, row: dict[str, Any], seed: int) -> None:
    game = Game.variant(name, row["declared"], row.get("preset"), engine="interpreter")
    state = game.start(seed)
    recorded = row[f"seed-{seed}"]
    assert [count_sequences(state, depth + 1) for depth in range(len(recorded))] == recorded


def test_every_recording_is_counted() -> None:
    counted = [(name, row.get("preset"), row["declared"]) for name, row in TABLE]
    recorded = [(one.game, one.preset, dict(one.declared)) for one in RECORDINGS]
    assert counted == sorted(recorded, key=lambda one: one[0])


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
    for depth in range(1, 10):
        assert count_sequences(state, depth) == len({game[:depth] for game in games})


def test_cribbage_begins_with_pairs_of_six_cards() -> None:
    """Fifteen pairs each, then four cards each to begin with."""
    state = Game.load("cribbage").start(4)
    assert [count_sequences(state, depth) for depth in range(1, 5)] == [15, 225, 900, 3600]


def test_a_playthrough_says_what_happened() -> None:
    """The settings, each decision with its options and the choice, and the outcome."""
    game = Game.load("hearts", PLAYERS=3)
    text = playthrough(game, 5)
    assert text.startswith("hearts, seed 5, PLAYERS 3\n")
    assert text.count("   > play ") == 51
    assert "  1. p1\n" in text
    assert " 51. p" in text
    assert text.rstrip().splitlines()[-1].startswith("p3: score ")
