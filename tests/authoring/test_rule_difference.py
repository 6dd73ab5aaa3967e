"""Two versions of a game in words: what is told of edits and presets, sentence by sentence."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import cardwright
from cardwright.authoring.rule_difference import ChangeKind, differences, explained, version_of
from cardwright.game.errors import GameFileError
from cardwright.game.find import find, library_names
from cardwright.game.settings import settings_of
from cardwright.syntax.formatter import format_source
from cardwright.syntax.source import Source
from deep import usually

DATA = Path(__file__).parent / "data"
EDITS = tomllib.loads((DATA / "rule_differences.toml").read_text(encoding="utf-8"))["edit"]

SMALL = """
(game
  (declare 2 'PLAYERS)
  (declare (* 2 'PLAYERS) 'EACH)
  (setup
    (create players 'PLAYERS)
    (create deck (game iloc STOCK) (deck (RANK (A, TWO, THREE, FOUR, FIVE, SIX)) (SUIT (X, Y)))))
  (do ((shuffle (game iloc STOCK)) (set (game sto ROUND) 0)
       (all player 'P (repeat 'EACH (move (top (game iloc STOCK)) (top ('P iloc HAND)))))))
  (stage player
    (end (== (game sto ROUND) 'EACH))
    (choice (
      (any ((current player) iloc HAND) 'C (move 'C (top ((current player) vloc TRICK))))
      (turn pass)))
    (do ((inc (game sto ROUND)) ((== (game sto ROUND) 2) (shuffle (game iloc STOCK))))))
  (do ((set (game sto OVER) 1)))
  (scoring max (size ((current player) vloc TRICK))))
"""


def sentences(before: str, after: str) -> list[str]:
    return [change.sentence for change in explained(before, after)]


def replaced(old: str, new: str) -> list[str]:
    """Return what is told if a text in the small game is replaced."""
    assert SMALL.count(old) == 1, old
    return sentences(SMALL, SMALL.replace(old, new))


@pytest.mark.parametrize("edit", EDITS, ids=[edit["name"] for edit in EDITS])
def test_an_edit_is_told_in_these_words(edit: dict[str, Any]) -> None:
    """No more is told of a library game with one change, and no less."""
    text = find(edit["game"]).text
    assert edit["before"] in text
    count = -1 if edit.get("everywhere") else 1
    changed = text.replace(edit["before"], edit["after"], count)
    words = settings_of(edit["game"]).words
    assert [one.sentence for one in explained(text, changed, words)] == edit["sentences"]


def preset_sentences() -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    name = ""
    for line in (DATA / "preset_differences.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("  "):
            found[name].append(line.strip())
        else:
            name = line
            found[name] = []
    return found


@pytest.mark.slow
def test_presets_are_told_by_what_their_constants_mean() -> None:
    """Each sentence is about a constant that the preset sets, in the words of the settings."""
    as_it_is = cache(lambda game: version_of(find(game)))
    for name, expected in [*preset_sentences().items()][:: usually(9, 1)]:
        game, _, preset = name.partition(":")
        settings = settings_of(game)
        declared = settings.presets[preset].declared
        base, variant = as_it_is(game), version_of(find(game), declared)
        assert [one.sentence for one in differences(base, variant, settings)] == expected, name
        values = base.values
        assert len(expected) == sum(values[key] != value for key, value in declared.items())


def test_all_presets_of_the_library_are_in_the_list() -> None:
    names = {
        f"{game}:{name}"
        for game in library_names()
        for name, preset in settings_of(game).presets.items()
        if preset.game in {"", game}
    }
    assert preset_sentences().keys() == names


# What is no difference -----------------------------------------------------------------------


def test_layout_comments_and_variables_are_not_told() -> None:
    laid_out = format_source(Source("small", SMALL.replace("(scoring", ";; the end\n(scoring")))
    assert sentences(SMALL, laid_out) == []
    assert sentences(SMALL, SMALL.replace("'C ", "'CARD ").replace("'P", "'Q")) != []
    assert replaced("'C (move 'C", "'CARD (move 'CARD") == []


def test_another_way_to_write_a_number_is_not_told() -> None:
    assert replaced("(* 2 'PLAYERS)", "(* (+ 1 1) 'PLAYERS)") == [
        "EACH is computed as (* (+ 1 1) 'PLAYERS) instead of (* 2 'PLAYERS)."
    ]
    assert replaced("(set (game sto ROUND) 0)", "(set (game sto ROUND) (- 3 3))") == []


def test_small_negative_numbers_are_told_apart() -> None:
    """Python gives -1 and -2 one hash."""
    minus = SMALL.replace("(set (game sto ROUND) 0)", "(set (game sto ROUND) (- 0 1))")
    assert sentences(minus, minus.replace("(- 0 1)", "(- 0 2)")) == [
        "ROUND becomes 0 − 2; before, ROUND becomes 0 − 1."
    ]


def test_a_definition_is_no_difference_and_its_change_is_told_once() -> None:
    named = SMALL.replace("(setup", "(define (LAST 'N) (== (game sto ROUND) 'N)) (setup", 1)
    named = named.replace("(== (game sto ROUND) 'EACH)", "(LAST 'EACH)")
    named = named.replace("(== (game sto ROUND) 2)", "(LAST 2)")
    assert sentences(SMALL, named) == []
    assert (
        len(explained(named, named.replace("(== (game sto ROUND) 'N)", "(> (game sto ROUND) 'N)")))
        == 1
    )


def test_a_new_name_is_told_once() -> None:
    """However often it occurs; what else changed is told beside it."""
    other = SMALL.replace("sto ROUND", "sto TURN")
    assert sentences(SMALL, other) == ["The stored number ROUND is called TURN."]
    assert sentences(SMALL, other.replace("TURN) 0)", "TURN) 1)")) == [
        "The stored number ROUND is called TURN.", "TURN becomes 1 instead of 0.",
    ]  # fmt: skip
    assert [one.kind for one in explained(SMALL, other)] == [ChangeKind.RENAMED]
    assert sentences(SMALL, SMALL.replace("HAND", "FIST")) == [
        "The location HAND of players is called FIST."
    ]
    assert sentences(SMALL, SMALL.replace("'EACH", "'MANY")) == [
        "The constant EACH is called MANY."
    ]


def test_names_that_swap_places_are_told() -> None:
    """A renaming is only what takes a name that was free."""
    swapped = SMALL.replace("HAND", "?").replace("TRICK", "HAND").replace("?", "TRICK")
    assert sentences(SMALL, swapped)


# Constants -----------------------------------------------------------------------------------


def test_what_follows_from_another_constant_is_not_told() -> None:
    assert replaced("(declare 2 'PLAYERS)", "(declare 3 'PLAYERS)") == [
        "PLAYERS is 3 instead of 2."
    ]


def test_a_derived_constant_that_is_set_is_told() -> None:
    base, other = (version_of(Source("x", SMALL), values) for values in ({}, {"EACH": 3}))
    found = differences(base, other, settings_of("agram"))
    assert [one.sentence for one in found] == ["EACH is 3 instead of 4."]


def test_a_change_beside_another_value_is_told_as_well() -> None:
    """Also where the new value makes the changed part mean nothing."""
    text = SMALL.replace("(declare 2 'PLAYERS)", "(declare 3 'PLAYERS)")
    text = text.replace("(create players 'PLAYERS)", "(create players 2)")
    assert sentences(SMALL, text) == ["PLAYERS is 3 instead of 2."]
    assert sentences(SMALL, text.replace("(create players 2)", "(create players 4)")) == [
        "PLAYERS is 3 instead of 2.", "4 players play instead of 2.",
    ]  # fmt: skip


# Structure -----------------------------------------------------------------------------------


def test_steps_that_move_are_moved() -> None:
    text = SMALL.replace(
        "(shuffle (game iloc STOCK)) (set (game sto ROUND) 0)",
        "(set (game sto ROUND) 0) (shuffle (game iloc STOCK))",
    )
    (change,) = explained(SMALL, text)
    assert change.kind is ChangeKind.MOVED
    assert "now comes" in change.sentence


def test_a_step_that_goes_elsewhere_is_moved_and_not_gone() -> None:
    step = "(set (game sto ROUND) 0)"
    text = SMALL.replace(step, "").replace(
        "(set (game sto OVER) 1)", f"(set (game sto OVER) 1) {step}"
    )
    (change,) = explained(SMALL, text)
    assert change.sentence == "“ROUND becomes 0” now comes after “OVER becomes 1”."


def test_items_of_the_game_change_places() -> None:
    text = SMALL.replace("(do ((set (game sto OVER) 1)))", "")
    text = text.replace("(stage player", "(do ((set (game sto OVER) 1))) (stage player")
    (change,) = explained(SMALL, text)
    assert change.kind is ChangeKind.MOVED
    assert change.sentence.startswith("“OVER becomes 1” now comes after “the stock is shuffled")


def test_a_condition_comes_and_goes() -> None:
    guarded = SMALL.replace(
        "(inc (game sto ROUND))", "((> (game sto OVER) 0) (inc (game sto ROUND)))"
    )
    assert sentences(SMALL, guarded) == [
        "“ROUND goes up by 1” happens only if OVER is more than 0."
    ]
    assert sentences(guarded, SMALL) == [
        "“ROUND goes up by 1” always happens, not only if OVER is more than 0."
    ]


def test_options_come_and_go() -> None:
    assert replaced("(turn pass)", "") == ["A player may no longer pass."]
    assert sentences(SMALL.replace("(turn pass)", ""), SMALL) == ["A player may also pass."]


def test_a_step_that_is_doubled() -> None:
    step = "(inc (game sto ROUND))"
    assert sentences(SMALL, SMALL.replace(step, f"{step} {step}")) == [
        "There is a new step, before “ROUND goes up by 1”: ROUND goes up by 1."
    ]


def test_operands_that_change_places_are_told() -> None:
    """Even where both versions have the same parts."""
    one = SMALL.replace("(== (game sto ROUND) 2)", "(> (game sto ROUND) (- 'PLAYERS 1))")
    assert sentences(one, one.replace("(- 'PLAYERS 1)", "(- 1 'PLAYERS)"))


def test_the_order_of_the_pack_is_told() -> None:
    assert replaced("(A, TWO,", "(TWO, A,") == [
        "The cards are the same, and lie in another order before they are shuffled."
    ]
    assert replaced("(SUIT (X, Y))", "(SUIT (X))") == [
        "The pack has 6 cards instead of 12: the y are gone."
    ]
    assert replaced("(RANK (A,", "(COLOR (RED)) (RANK (A,") == ["Cards have a color as well."]


@pytest.mark.parametrize(
    ("number", "said"),
    [
        (1, "a joker of x is gone"),
        (2, "two jokers of x are gone"),
        (3, "three jokers of x are gone"),
    ],
)
def test_cards_that_are_alike_are_counted(number: int, said: str) -> None:
    """One is gone, several are, and they are called by their number."""
    deck = "(create deck (game iloc STOCK) (deck (RANK (A, TWO,"
    jokers = "(repeat 4 (create deck (game iloc STOCK) (deck (RANK (JOKER)) (SUIT (X)))))"
    before = SMALL.replace(deck, f"{jokers}\n    {deck}")
    after = before.replace("(repeat 4 ", f"(repeat {4 - number} ")
    (pack,) = [one for one in sentences(before, after) if one.startswith("The pack")]
    assert pack == f"The pack has {16 - number} cards instead of 16: {said}."


def test_the_place_of_a_deck_is_told() -> None:
    assert replaced("(create deck (game iloc STOCK)", "(create deck (game hloc STOCK)")


# The public face -----------------------------------------------------------------------------


def test_games_and_names_are_compared() -> None:
    found = cardwright.explain_diff("hearts", "hearts:omnibus")
    assert [one.sentence for one in found] == [
        "Points of the jack of diamonds: -10 instead of 0 (JACKDIAMONDS)."
    ]
    small = cardwright.Game.from_text(SMALL, EACH=3)
    (change,) = cardwright.explain_diff(cardwright.Game.from_text(SMALL), small)
    assert change.sentence == "EACH is 3 instead of 4."
    assert (change.before, change.after, change.line_before) == ("EACH=4", "EACH=3", 4)


def test_places_and_excerpts_of_a_change() -> None:
    (change,) = explained(SMALL, SMALL.replace("ROUND) 2)", "ROUND) 3)"))
    line = (
        SMALL.splitlines().index(next(one for one in SMALL.splitlines() if "ROUND) 2)" in one)) + 1
    )
    assert (change.line_before, change.line_after) == (line, line)
    assert change.before == "(== (game sto ROUND) 2)"
    assert change.after == "(== (game sto ROUND) 3)"


def test_rules_that_do_not_pass_the_check_are_an_error() -> None:
    with pytest.raises(GameFileError, match="nosuch"):
        explained(SMALL, SMALL.replace("(turn pass)", "(nosuch)"))
