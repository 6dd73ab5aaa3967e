"""The rules of a game in words, with the options in effect."""

from pathlib import Path

import pytest

from cardwright.game.game import Game
from cardwright.game.settings import FactsError
from cardwright.library import catalogue
from cardwright.program.check import holds
from cardwright.table.rules_page import RulesSection, rules_page
from deep import usually

PROGRAM = """\
;; Snap: the first card wins.
;; Nobody minds.

;; It is short.
(game
  (declare 2 'PLAYERS)
  (setup
    (create players 'PLAYERS)
    (create deck (game iloc STOCK) (deck (RANK (A, K)))))
  (stage player (end (== (size (game vloc PILE)) 1))
    (choice ((move (top (game iloc STOCK)) (top (game vloc PILE))))))
  (scoring max 0))
"""


@pytest.mark.parametrize("name", catalogue.names())
def test_rules_are_in_sections(name: str) -> None:
    """The rules of every library game begin with its aim and say how it is scored or ends."""
    page = rules_page(Game.load(name))
    headings = [section.heading for section in page.sections]
    assert headings[0] == "Aim"
    assert all(headings)
    assert {"Scoring", "The end"} & set(headings)
    assert all(section.text.endswith((".", ")")) for section in page.sections)
    assert page.title == catalogue.facts(name).title
    assert page.options == ()


def test_options_in_effect_are_told() -> None:
    """A preset and each constant that differs from the game's own are lines of the page."""
    page = rules_page(Game.load("hearts", preset="standard", QUEEN=20), "standard")
    assert page.options[0].startswith("Preset standard: To 100 points: pass three left")
    assert "PASS is 3, normally 0. Cards that everybody passes before play." in page.options
    assert "QUEEN is 20, normally 13. Points of the queen of spades." in page.options
    assert not any("EXTRAS" in line for line in page.options)


@pytest.mark.parametrize("name", catalogue.names())
def test_notes_follow_from_the_constants_in_force(name: str) -> None:
    """Each remark stands there exactly where its condition holds, by every preset."""
    entry = catalogue.facts(name)
    for preset in [None, *entry.settings.presets][:: usually(9, 1)]:
        game = Game.variant(name, {}, preset, engine="interpreter")
        if game.name != name:
            continue
        notes = rules_page(game, preset).notes
        for remark in entry.settings.remarks:
            assert (remark.text in notes) == holds(remark.condition, game.declared)


def test_what_the_moon_does_is_told_as_it_is_played() -> None:
    """Where the moon costs the others, nothing says that it lowers the shooter's score."""
    lowers = "Shooting the moon lowers the shooter's own score"
    single = "This is a single deal without passing"
    for preset, told in ((None, True), ("valet", True), ("standard", False), ("nomoon", False)):
        notes = rules_page(Game.load("hearts", preset=preset, engine="interpreter")).notes
        assert (lowers in notes) == told, preset
        assert (single in notes) == (preset != "standard")
    assert lowers in rules_page(Game.load("hearts", preset="standard", MOON="MINUS")).notes


def test_a_game_of_ones_own_has_its_texts_or_its_comment(tmp_path: Path) -> None:
    """Beside a file its TOML file is read; without one the comment at its head is the rules."""
    file = tmp_path / "snap.rcy"
    file.write_text(PROGRAM)
    page = rules_page(Game.load(file))
    words = ("Snap: the first card wins. Nobody minds.", "It is short.")
    assert page.sections == tuple(RulesSection("", text) for text in words)
    file.with_suffix(".toml").write_text('title = "Snap!"\nrules = """\nAim: Win.\n\nAll win."""')
    page = rules_page(Game.load(file))
    assert page.title == "Snap!"
    assert page.sections == (RulesSection("Aim", "Win."), RulesSection("", "All win."))
    file.with_suffix(".toml").write_text("rules = 3")
    with pytest.raises(FactsError, match=r"snap\.toml: rules is not a string"):
        rules_page(Game.load(file))


def test_another_games_words_are_not_taken() -> None:
    """A text that calls itself hearts is not told with the rules of Hearts."""
    page = rules_page(Game.from_text(PROGRAM, name="hearts"))
    assert page.title == "hearts"
    assert page.sections[-1].text == "It is short."
