from pathlib import Path

import pytest

from cardwright import Game, NotFoundError
from cardwright.game.find import library_folder
from cardwright.game.settings import FactsError
from cardwright.library.catalogue import facts, library_games, names, parse

GAMES = names()
GOOD = """
title = "Snap"
players = [2, 3]
default_players = 2
opponent = "random"
deck = "Standard 52 cards"
origin = "England"
date = ""
source = "https://example.org/snap"
mechanics = ["speed"]
information = ["open pile"]
rules = "Shout."
left_out = ""
notes = ""

[declared]
PLAYERS = "Number of players"
"""


@pytest.mark.parametrize("name", GAMES)
def test_facts_fit_the_game_file(name: str) -> None:
    """Constants are explained by the names that the file declares; the default is the file's."""
    about, game = facts(name), Game.load(name)
    assert about.name == name
    assert list(about.declared) == list(game.declared)
    assert about.default_players == game.players
    assert about.default_players in about.players
    assert list(about.players) == sorted(set(about.players))
    assert "PLAYERS" in about.declared or len(about.players) == 1


@pytest.mark.parametrize("name", GAMES)
def test_facts_say_something(name: str) -> None:
    about = facts(name)
    for text in (about.title, about.deck, about.origin, about.rules, about.left_out):
        assert text
        assert text == text.strip()
    assert about.source.startswith("https://")
    for tags in (about.mechanics, about.information):
        assert tags
        assert len(set(tags)) == len(tags)
    assert all(about.declared.values())
    assert not any("\n" in text for text in (about.left_out, about.notes))
    assert not any("\n" in paragraph for paragraph in about.rules.strip().split("\n\n"))


def test_every_file_of_facts_has_a_game() -> None:
    folder = Path(str(library_folder()))
    assert sorted(file.stem for file in folder.glob("*.toml") if "." not in file.stem) == GAMES


def test_titles_differ() -> None:
    assert len({facts(name).title for name in GAMES}) == len(GAMES)


def test_an_unknown_game_is_told_with_advice() -> None:
    with pytest.raises(NotFoundError, match="did you mean hearts"):
        facts("heart")
    with pytest.raises(NotFoundError, match="the library has agram, "):
        facts("xxxxxxxx")


def test_the_library_can_be_listed() -> None:
    """Every game by the name that loads it, in order, with the facts about it."""
    games = library_games()
    assert list(games) == GAMES == sorted(GAMES)
    assert all(game is facts(name) and game.name == name for name, game in games.items())


def test_facts_are_read() -> None:
    about = parse("snap", GOOD)
    assert about.players == (2, 3)
    assert about.mechanics == ("speed",)
    assert about.information == ("open pile",)
    assert dict(about.declared) == {"PLAYERS": "Number of players"}


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("title = ", "titel = ", "snap.toml lacks title"),
        ('date = ""', 'date = ""\nyear = 1900', "snap.toml has unknown fields: year"),
        ("players = [2, 3]", 'players = ["two"]', "players is not a list of numbers"),
        ("players = [2, 3]", "players = []", "players is not a list of numbers"),
        ("players = [2, 3]", "players = [true]", "players is not a list of numbers"),
        ("default_players = 2", 'default_players = "2"', "default_players is not a number"),
        ('opponent = "random"', "opponent = 1", "opponent is not a string"),
        ('opponent = "random"\n', "", "snap.toml lacks opponent"),
        ('["speed"]', '"speed"', "mechanics is not a list of strings"),
        ('rules = "Shout."', "rules = 3", "rules is not a string"),
        ('PLAYERS = "Number of players"', "PLAYERS = 2", "declared.PLAYERS is not a table"),
        ("title = ", "title ", "snap.toml is not TOML"),
    ],
)
def test_broken_facts_are_told(old: str, new: str, message: str) -> None:
    assert old in GOOD
    with pytest.raises(FactsError, match=message):
        parse("snap", GOOD.replace(old, new, 1))
