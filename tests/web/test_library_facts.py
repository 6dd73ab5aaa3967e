"""What pages tell about the library's games."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from cardwright.game.errors import NotFoundError
from cardwright.game.find import find
from cardwright.game.game import Game
from cardwright.game.settings import SettingError
from cardwright.library import catalogue
from cardwright.web.game_facts import (
    OTHERS,
    against,
    by_family,
    computer_players,
    constants_of,
    described_game,
    family_of,
    listed_games,
    tried_setup,
    usual_player,
)
from cardwright.web.library_routes import coloured_pieces


def test_every_game_has_a_family():
    """Each game of the library stands in one family, and none among those of no family."""
    families = listed_games()["families"]
    told = [name for family in families for name in family["games"]]
    assert sorted(told) == catalogue.names()
    assert OTHERS.name not in [family["name"] for family in families]


def test_unknown_mechanics_are_other_games():
    """A game with mechanics of its own is found under other games, the last of the families."""
    strange = replace(catalogue.facts("whist"), mechanics=("juggling",))
    assert family_of(strange) is OTHERS
    families = by_family([strange, catalogue.facts("whist")])
    assert [family.name for family, _ in families] == ["Taking tricks", "Other games"]


def test_games_in_short_fit_a_tile():
    """The summary of a game is a beginning of its rules, of at most 162 letters."""
    for game in listed_games()["games"]:
        assert 20 < len(game["summary"]) <= 162, game["name"]
        assert game["default_players"] in game["players"]


@pytest.mark.parametrize("name", ["hearts", "bridge", "blackjack", "schwimmen"])
def test_a_description_has_all_that_a_form_needs(name):
    """Options have a kind and a default that is a value of theirs, and all of it is JSON."""
    game = json.loads(json.dumps(described_game(name)))
    assert game["rules"]
    assert len(game["seats"]) == game["default_players"]
    for option in game["options"]:
        if option["values"] is not None:
            defaults = option["default"] if option["kind"] == "names" else [option["default"]]
            assert {*defaults} <= {*option["values"]} or option["kind"] == "names"
        if option["least"] is not None:
            assert option["least"] <= option["default"] <= option["most"]
    usual = [one for one in game["computer_players"] if [one["player"]] == game["opponents"]]
    assert len(usual) == 1


def test_hearts_is_usually_a_match():
    """Hearts has a usual preset, and games without presets have none."""
    assert described_game("hearts")["usual_preset"] == "standard"
    assert described_game("whist")["usual_preset"] is None


def test_settings_change_the_seats():
    """Other settings give other seats, and the values of all options; bridge has two teams."""
    tried = tried_setup("hearts", "standard", {"PLAYERS": 5, "PASS": "2"})
    assert len(tried["seats"]) == 5
    assert tried["options"]["PASS"] == 2
    assert tried["options"]["END"] == 100
    assert [seat["team"] for seat in tried_setup("bridge", None, {})["seats"]] == [0, 1, 0, 1]
    assert [seat["team"] for seat in tried["seats"]] == [None] * 5


def test_wrong_settings_are_told():
    """What does not go together is told in the words of the checker; what is no value, as such."""
    with pytest.raises(SettingError, match="do not go together: a game needs an end"):
        tried_setup("hearts", None, {"ROUNDS": 0, "END": 0})
    with pytest.raises(SettingError, match="there is no preset"):
        tried_setup("hearts", "standart", {})
    with pytest.raises(NotFoundError, match="did you mean hearts"):
        tried_setup("heart", None, {})
    with pytest.raises(ValueError, match="is not a value"):
        constants_of({"PLAYERS": [3]})
    with pytest.raises(ValueError, match="is not a value"):
        constants_of({"PLAYERS": "a b"})


def test_a_file_is_no_game_of_the_library(tmp_path):
    """A path is not taken for a game's name, though a file lies there."""
    file = tmp_path / "mine.rcy"
    file.write_text(find("kuhn").text)
    with pytest.raises(NotFoundError):
        tried_setup(str(file), None, {})


def test_players_of_hearts_know_hearts():
    """The family of Hearts has players of its own, others search; the usual one is strong."""
    hearts, whist = Game.load("hearts"), Game.load("whist")
    assert [one.player for one in computer_players(hearts)] == ["random", "rule", "expert"]
    assert usual_player(hearts).player == "expert"
    assert usual_player(whist).player == "ismcts:iterations=1000"
    slow = usual_player(whist.with_engine("interpreter"))
    assert slow in computer_players(whist.with_engine("interpreter"))
    assert slow.player.startswith("pimc")


@pytest.mark.parametrize("name", ["bridge", "skat"])
def test_players_of_games_with_an_auction_know_it(name):
    """A search alone bids without sense there, so that none is offered."""
    game = Game.load(name, engine="interpreter")
    kinds = {one.player.partition(":")[0] for one in computer_players(game)}
    assert kinds == {"random", name}
    assert usual_player(game).player == name


def test_what_players_do_not_see_is_said_with_them():
    knaves = Game.load("knaves")
    said = {one.player: one.about for one in computer_players(knaves)}
    assert said["rule"].endswith(
        "Here tricks count for who takes them, and it takes as few as it can."
    )
    assert "Here" not in said["expert"]


def test_pieces_are_the_whole_text():
    """The coloured pieces of every game's rules make up its text again, comments among them."""
    for name in ("kuhn", "hearts", "skat"):
        source = find(name)
        pieces = coloured_pieces(source)
        assert "".join(text for text, _ in pieces) == source.text
        assert {"comment", "word", "variable", "name", "number", ""} <= {kind for _, kind in pieces}


def test_others_play_against_people():
    """Those that are not among the players of a game are listed with them, once."""
    usual = described_game("kuhn")
    assert against(usual, ()) == usual
    opponents = ("random", "ismcts:iterations=7", "ismcts:iterations=7")
    facts = against(usual, opponents)
    assert facts["opponents"] == [*opponents]
    listed = [player["player"] for player in facts["computer_players"]]
    before = [player["player"] for player in usual["computer_players"]]
    assert listed == [*before, "ismcts:iterations=7"]
    assert described_game("kuhn")["opponents"] != [*opponents]
