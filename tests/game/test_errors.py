"""Errors that users meet: what they say, and that they lead back to their cause."""

from __future__ import annotations

import pickle
import shlex
from typing import TYPE_CHECKING

import numpy as np
import pytest

from cardwright import Game, GameError, GameFileError, GameLimits, NotFoundError
from cardwright.game.seeds import game_seeds
from cardwright.interfaces.cli.parameters import parse_choices
from cardwright.syntax.source import Source, UnreadableError

if TYPE_CHECKING:
    from pathlib import Path

STOPS = """(game
 (declare 3 'LEFT)
 (setup (create players 2) (create deck (game iloc STOCK) (deck (VAL (A)))))
 (stage player (end (== (game sto N) 'LEFT))
  (choice ((turn pass) (inc (game sto N))))
  (do ((move (top (game iloc STOCK)) (top (game vloc ROW))))))
 (scoring max 0))"""


def test_a_stopped_game_can_be_seen_again() -> None:
    """The error has the rule, the place, and a command with seed, choices and constants."""
    game = Game.from_source(Source("stops.rcy", STOPS), declared={"LEFT": 2})
    with pytest.raises(GameError) as caught:
        game.replay(77, [1, 0])
    error = caught.value
    assert error.rule == "empty-move"
    assert (error.place.line, error.place.column) == (6, 14)
    assert error.choices == (1, 0)
    assert shlex.split(error.command) == [
        "cardwright", "replay", "stops.rcy", "--seed", "77", "--choices", "1,0", "--set", "LEFT=2",
    ]  # fmt: skip
    assert "stops.rcy:6:14" in str(error)
    assert "(top (game iloc STOCK))" in str(error)


LASTS = """(game
 (setup (create players 2) (create deck (game iloc STOCK) (deck (VAL (A)))))
 (stage player (end (== (game sto N) 999)) (choice ((turn pass) (inc (game sto N)))))
 (scoring max 0))"""


def test_a_long_game_that_stopped_names_its_seed_and_keeps_its_choices_in_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The message stays short, and the file of choices leads to the same error again."""
    monkeypatch.chdir(tmp_path)
    game = Game.from_source(Source("a b/lasts.rcy", LASTS), limits=GameLimits(decisions=300))
    with pytest.raises(GameError) as caught:
        game.replay(77, [0] * 300)
    error = caught.value
    assert "its seed is 77, and it has had 300 choices" in str(error)
    assert len(str(error)) < 300
    assert shlex.split(error.command)[2:] == [
        "a b/lasts.rcy", "--seed", "77", "--choices-file", "lasts-77.choices",
    ]  # fmt: skip
    error.keep_choices()
    assert parse_choices((tmp_path / "lasts-77.choices").read_text()) == error.choices
    few = [0] * 200
    assert Game.from_source(Source("lasts.rcy", LASTS), limits=GameLimits(decisions=300)).replay(
        7, few
    )


def test_errors_travel_between_processes() -> None:
    """A pickled error says the same."""
    with pytest.raises(GameError) as caught:
        Game.from_source(Source("stops.rcy", STOPS)).replay(7, [0, 0])
    copy = pickle.loads(pickle.dumps(caught.value))
    assert str(copy) == str(caught.value)
    assert (copy.rule, copy.choices, copy.seed) == ("empty-move", (0, 0), 7)


def test_unknown_games_are_guessed_at() -> None:
    """A misspelt library name gets the right one; a missing file is called missing."""
    with pytest.raises(NotFoundError, match="did you mean hearts"):
        Game.load("heats")
    with pytest.raises(NotFoundError, match="the library has agram"):
        Game.load("zzz")
    with pytest.raises(UnreadableError, match="no such file"):
        Game.load("folder/zzz.rcy")


@pytest.mark.parametrize("name", ["x" * 10_000, "nul\0byte", "", ".", "src", "\udcff", "~" * 256])
def test_names_that_no_file_has_are_not_found(name: str) -> None:
    """Whatever text is given for a game, it is not found, and the message is short."""
    with pytest.raises(NotFoundError) as caught:
        Game.load(name)
    assert len(str(caught.value)) < 600


def test_a_file_with_the_longest_name_needs_no_facts_beside_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A name with `.toml` in place of `.rcy` may be too long for a file."""
    monkeypatch.chdir(tmp_path)
    name = "x" * 251 + ".rcy"
    (tmp_path / name).write_text(STOPS)
    assert Game.load(name).players == 2


@pytest.mark.parametrize("field", ["steps", "decisions"])
@pytest.mark.parametrize("value", [2**64, 2**63, -1])
def test_limits_beyond_what_is_counted_are_refused(field: str, value: int) -> None:
    """A limit that machine code could not hold, or that no game could keep, is a clear error."""
    with pytest.raises(ValueError, match=f"the limit of {field} is 0 to"):
        GameLimits(**{field: value})


def test_limits_are_integers_of_any_kind() -> None:
    """An integer of NumPy is one, half a step is none."""
    assert GameLimits(np.int32(7), decisions=2**63 - 1) == GameLimits(7, 2**63 - 1)
    assert type(GameLimits(np.int32(7)).steps) is int
    with pytest.raises(TypeError):
        GameLimits(steps=1.5)  # type: ignore[arg-type] # that is the mistake


def test_wrong_constants_are_explained() -> None:
    """Overriding what is not declared, or with another kind, says what there is."""
    with pytest.raises(GameFileError, match="did you mean PLAYERS"):
        Game.load("hearts", PLAYER=3)
    with pytest.raises(GameFileError, match="expected: an integer"):
        Game.load("hearts", PLAYERS="THREE")
    with pytest.raises(GameFileError, match="players cannot play"):
        Game.load("president", PLAYERS=1000)


def test_seeds_of_games_do_not_depend_on_their_number() -> None:
    """The n-th game of a job has the same seed in a run of any length, and no two are equal."""
    many = list(game_seeds(5, 50))
    assert many[:10] == list(game_seeds(5, 10))
    assert many[20:30] == list(game_seeds(5, 10, first=20))
    assert len(set(many)) == 50
    assert many != list(game_seeds(6, 50))


def test_the_errors_of_a_file_travel_between_processes() -> None:
    """With all that they have, though they are not made from their message."""
    with pytest.raises(GameFileError) as caught:
        Game.from_text("(game")
    copy = pickle.loads(pickle.dumps(caught.value))
    assert str(copy) == str(caught.value)
    assert copy.wrong_call is caught.value.wrong_call
    assert len(copy.checked.diagnostics.errors) == len(caught.value.checked.diagnostics.errors)
