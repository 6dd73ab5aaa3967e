"""What may be set in a game: values, combinations and presets, from the file beside it."""

from pathlib import Path

import pytest

from cardwright import Game
from cardwright.game.errors import CardwrightError, UnreadableFileError
from cardwright.game.settings import (
    FactsError,
    SettingError,
    Settings,
    parse_settings,
    read_table,
    settings_of,
)
from cardwright.library.catalogue import facts, names
from deep import usually

RULES = """
(game
  (declare 2 'PLAYERS)
  (declare PLAIN 'STYLE)
  (declare (LEFT, HOLD) 'CYCLE)
  (declare (* 2 'PLAYERS) 'DOUBLE)
  (setup (create players 'PLAYERS) (create deck (game iloc STOCK) (deck (RANK (A, K)))))
  (do ((inc (game sto A) 'DOUBLE)
    ((== 'STYLE FANCY) (inc (game sto A)))
    (all 'CYCLE 'WAY (inc (game sto A) 10))))
  (scoring max (game sto A)))
"""

FILE = """
[declared]
STYLE = { about = "How it looks", values = ["PLAIN", "FANCY"] }
PLAYERS = { about = "How many", values = "1..4" }
CYCLE = { about = "Where to", values = ["LEFT", "RIGHT", "HOLD"] }
DOUBLE = { about = "Twice as many", derived = true }

[[requires]]
condition = "(or (!= 'STYLE FANCY) (<= 'PLAYERS 3))"
why = "four are never fancy"

[presets.fancy]
about = "For three"
declared = { STYLE = "FANCY", PLAYERS = 3 }

[presets.round]
about = "Another cycle"
declared = { CYCLE = ["RIGHT", "RIGHT", "HOLD"] }

[presets.other]
about = "Another game"
game = "other.rcy"
declared = { SIZE = 7 }
"""


@pytest.fixture
def game(tmp_path: Path) -> Path:
    (tmp_path / "dance.toml").write_text(FILE)
    (tmp_path / "other.rcy").write_text(
        "(game (declare 1 'SIZE) (setup (create players 1) (create deck (game iloc STOCK)"
        " (deck (RANK (A))))) (do ((turn pass))) (scoring max 'SIZE))"
    )
    file = tmp_path / "dance.rcy"
    file.write_text(RULES)
    return file


def score(path: Path, **options: object) -> int:
    return Game.load(path, engine="interpreter", **options).start(1).scores[0]  # type: ignore[arg-type]


def test_presets_set_constants_and_may_be_changed(game: Path) -> None:
    assert score(game) == 24
    assert score(game, preset="fancy") == 27
    assert score(game, preset="fancy", PLAYERS=1) == 23
    assert score(game, preset="round") == 34


def test_a_preset_may_be_of_another_game(game: Path) -> None:
    assert score(game, preset="other") == 7
    assert Game.load(game, preset="other", SIZE=8, engine="interpreter").declared == {"SIZE": 8}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"STYLE": "FANCI"}, "STYLE: FANCI is not among its values, PLAIN or FANCY; did you mean"),
        ({"PLAYERS": 5}, "PLAYERS: 5 is not among its values, 1 to 4"),
        ({"CYCLE": ("LEFT", "UP")}, "CYCLE: UP is not among its values, LEFT, RIGHT or HOLD"),
        ({"DOUBLE": 3}, "DOUBLE: it follows from other constants"),
        ({"STYLE": "FANCY", "PLAYERS": 4}, "PLAYERS=4, STYLE=FANCY do not go together: four are"),
        ({"preset": "fancy", "PLAYERS": 4}, "do not go together: four are never fancy"),
        ({"preset": "fanci"}, "there is no preset 'fanci'; did you mean fancy"),
        ({"preset": "x"}, "there is no preset 'x'; choose from fancy, round and other"),
    ],
)
def test_what_cannot_be_played_is_told_with_its_reason(
    game: Path, options: dict[str, object], message: str
) -> None:
    with pytest.raises(SettingError) as caught:
        score(game, **options)
    assert message in str(caught.value)


def test_a_game_without_such_a_file_has_no_presets(tmp_path: Path, game: Path) -> None:
    lone = tmp_path / "lone.rcy"
    lone.write_text(RULES)
    assert settings_of(lone) == Settings()
    assert score(lone, STYLE="ANYTHING", PLAYERS=9) == 38
    with pytest.raises(SettingError, match="this game has none"):
        score(lone, preset="fancy")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("[declared]", "[declared", "dance.toml is not TOML"),
        ('about = "How many"', 'abut = "How many"', "declared.PLAYERS lacks about"),
        ('"1..4"', '"one"', "declared.PLAYERS.values: 'one' is not a value|neither a list"),
        ('"1..4"', "[]", "declared.PLAYERS.values is neither a list of numbers or names nor a"),
        ('"1..4"', "[1.5]", "declared.PLAYERS.values is neither"),
        ("derived = true", "derived = 1", "declared.DOUBLE.derived is not true or false"),
        ("derived = true", "drived = true", "declared.DOUBLE has unknown fields: drived"),
        ('why = "four', 'reason = "four', "requires lacks why"),
        ("[[requires]]", "[requires]", "requires is not a list of tables"),
        (
            "PLAYERS = 3",
            "PLAYERS = 3.5",
            "presets.fancy.declared.PLAYERS is not a value",
        ),
        ('about = "For three"', "about = 3", "presets.fancy has something that is not a string"),
        ("[presets.fancy]", "[presets.fancy.more]", "presets.fancy lacks about"),
        ("'PLAYERS 3))", "'PLAYRS 3))", "a requirement cannot be evaluated"),
    ],
)
def test_a_broken_file_is_told(game: Path, old: str, new: str, message: str) -> None:
    assert old in FILE
    game.with_suffix(".toml").write_text(FILE.replace(old, new, 1))
    with pytest.raises(FactsError, match=message):
        score(game)


def test_a_file_that_is_no_text_is_told(game: Path) -> None:
    game.with_suffix(".toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(UnreadableFileError, match=r"dance\.toml: it cannot be read"):
        score(game)


def test_all_such_errors_are_of_the_package() -> None:
    assert issubclass(SettingError, CardwrightError)
    assert issubclass(FactsError, CardwrightError)


@pytest.mark.slow
def test_every_value_and_preset_of_the_library_is_sound() -> None:
    """Presets can be loaded, values are of their constant's kind, and requirements judged."""
    for name in names():
        settings = facts(name).settings
        game = Game.load(name, engine="interpreter")
        for key, setting in settings.declared.items():
            default = game.declared[key]
            for value in setting.values:
                one = default[0] if isinstance(default, tuple) else default
                assert type(value) is type(one), (name, key)
        for preset in [*settings.presets][:: usually(8, 1)]:
            assert Game.load(name, preset=preset, engine="interpreter").players


def test_tables_are_read_alone() -> None:
    settings = parse_settings("x.toml", read_table("x.toml", '[declared]\nA = "words"'))
    assert settings.declared["A"].about == "words"
    assert settings.declared["A"].problem(3) == ""
