"""Words for people in the file beside a game: how they are read, found and checked."""

from __future__ import annotations

import copy
import pickle
from typing import TYPE_CHECKING

import pytest

from cardwright import Game
from cardwright.authoring.settings_check import check_settings
from cardwright.english import counted
from cardwright.game.find import find, library_folder, library_names
from cardwright.game.settings import FactsError, parse_settings, read_table
from cardwright.game.wording.naming import PeopleNamer
from cardwright.game.wording.phrases import Blank, GameWords, PhraseError, phrase
from cardwright.library.catalogue import PLAIN
from cardwright.program.cards import Location, LocationKind, OwnerId
from cardwright.program.check import check
from cardwright.syntax.source import Source
from deep import usually

if TYPE_CHECKING:
    from pathlib import Path

RULES = """
(game
  (setup
    (create players 2)
    (create deck (game iloc STOCK) (deck (RANK (A, K)) (SUIT (HEARTS, SPADES)))))
  (do ((all player 'P (move (top (game iloc STOCK)) (top ('P iloc HAND))))))
  (stage player
    (end (any player 'P (== (size ('P iloc HAND)) 0)))
    (choice (
      (any ((current player) iloc HAND) 'C
        (label (GIVE 'C AWAY)
          (do (
            (set ((current player) sto BID) 1)
            (set (game str CALL) HOLD)
            (move 'C (top (game vloc PILE))))))))))
  (scoring max ((current player) sto BID)))
"""


def said(text: str) -> list[str]:
    """Return the messages about a file beside the rules."""
    report = check_settings(Source("g.toml", text), check(Source("g.rcy", RULES)).program)
    return [f"{one.message}; {one.help}".removesuffix("; ") for one in report.errors]


def words(text: str) -> GameWords:
    return parse_settings("g.toml", read_table("g.toml", text)).words


def test_a_phrase_has_places_for_values() -> None:
    """A value that is missing leaves no half of a sentence."""
    one = phrase("bid {:trick} in {STRAIN}  now")
    assert one.blanks == (Blank("", "trick"), Blank("STRAIN"))
    assert one.fill(lambda blank: blank.name or "3") == "bid 3 in STRAIN now"
    assert one.fill(lambda blank: None if blank.name else "3") is None


@pytest.mark.parametrize("text", ["{", "a } b", "{a-b}", "{:}", "{{}}"])
def test_a_brace_that_is_no_place_is_refused(text: str) -> None:
    with pytest.raises(PhraseError, match="has a brace"):
        phrase(text)


@pytest.mark.parametrize(
    ("count", "noun", "text"),
    [(1, "trick", "1 trick"), (0, "trick", "0 tricks"), (-1, "point", "-1 point"),
     (2, "life|lives", "2 lives"), (2, "box", "2 boxes"), (2, "penny", "2 pennies"),
     (2, "play", "2 plays")],
)  # fmt: skip
def test_numbers_have_the_form_of_their_noun(count: int, noun: str, text: str) -> None:
    assert counted(count, noun) == text


def test_the_key_that_says_most_is_found() -> None:
    program = check(Source("g.rcy", RULES)).program
    assert program is not None
    namer = PeopleNamer(program)
    owners = {"player": OwnerId(0), "team": OwnerId(program.players), "game": program.table}

    def place(sort: str, name: str) -> Location:
        return Location(owners[sort], LocationKind.VISIBLE, name)

    told = words("[words.facts]\nBID = 'a'\n'BID PASS' = 'b'\n'player BID' = 'c'")
    found = [
        told.find("facts", namer.value_keys(owners[sort], "BID", value))
        for sort, value in (("game", 3), ("game", "PASS"), ("player", 3), ("player", "PASS"))
    ]
    assert found == [phrase(text) for text in "abcb"]
    assert told.find("facts", namer.value_keys(owners["game"], "OTHER", 3)) is None
    told = words("[words.moves]\nHAND = 'a'\n'STOCK to HAND' = 'b'\n'STOCK to player HAND' = 'c'")
    keys = namer.move_keys(place("game", "STOCK"), place("player", "HAND"))
    assert told.find("moves", keys) == phrase("c")
    keys = namer.move_keys(place("player", "STOCK"), place("team", "HAND"))
    assert told.find("moves", keys) == phrase("b")
    keys = namer.move_keys(place("game", "PILE"), place("player", "HAND"))
    assert told.find("moves", keys) == phrase("a")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("words = 3", "g.toml: words is not a table"),
        ("[words]\nplace = 3", "g.toml: words has unknown fields: place; did you mean places?"),
        ("[words]\nunit = 3", "g.toml: words.unit has something that is not a string"),
        ("[words]\nplaces = 3", "g.toml: words.places is not a table"),
        ("[words.places]\nHAND = 3", "g.toml: words.places.HAND has something that is not a"),
        ("[words.moves]\nHAND = 'a {'", "g.toml: words.moves.HAND: 'a {' has a brace"),
    ],
)
def test_wrong_words_are_refused(text: str, message: str) -> None:
    with pytest.raises(FactsError) as caught:
        words(text)
    assert str(caught.value).startswith(message)
    assert said(text), "the check says it too"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("cards]\nQUEEN = 'queen'", "the rules have no card or value of an attribute QUEEN"),
        ("texts]\nHODL = 'hold'", "the rules have no string HODL; did you mean HOLD?"),
        ("places]\nHANDS = 'x'", "the rules have no place HANDS; did you mean HAND?"),
        ("places]\n'game HANDS' = 'x'", "the rules have no place HANDS; did you mean HAND?"),
        ("moves]\n'STOK to HAND' = 'x'", "the rules have no place STOK; did you mean STOCK?"),
        ("labels]\nGIVE = 'x'", "the rules have no label GIVE"),
        ("labels]\n'GIVE AWAY' = '{2}'", "there is no value {2}: the label has 1"),
        ("choices]\nBIT = 'x'", "the rules have no stored value BIT; did you mean BID?"),
        ("choices]\n'CALL HODL' = 'x'", "the rules have no string HODL; did you mean HOLD?"),
        ("changes]\npass = 'x'", "the rules have no stored value pass"),
        ("facts]\nBID = '{BIT}'", "the rules have no stored value BIT; did you mean BID?"),
        ("facts]\nBID = '{more}'", "the rules have no stored value more"),
        ("prompts]\nHANDS = 'x'", "the rules have no place, stored value or label HANDS"),
        ("moves]\nPILE = 'plays {}'",
         "plays is not as it is with `you`: the others' form is made of that; write play"),
        ("texts]\nHOLD = '{}'", "{} is not a value here: phrases for texts have none"),
        ("places]\nHAND = '{BID}'", "{BID} is not a value here: phrases for places have only {}"),
        ("notes]\nHANDS = '{}'", "the rules have no place HANDS; did you mean HAND?"),
        ("notes]\nHAND = '{BID}'", "{BID} is not a value here: phrases for notes have only {}"),
    ],
)  # fmt: skip
def test_words_for_names_that_the_rules_lack_are_reported(text: str, message: str) -> None:
    found = said(f"[words.{text}")
    assert len(found) == 1
    assert found[0].startswith(message)


def test_nothing_is_said_of_words_that_are_right() -> None:
    assert said(
        """
        [words]
        unit = "chip"
        [words.cards]
        K = "king"
        "A of HEARTS" = "heart of the pack"
        [words.texts]
        HOLD = "stay"
        [words.places]
        "player HAND" = "hand"
        PILE = "pile {}"
        [words.moves]
        "STOCK to player HAND" = "draw {} from {from} to {to} {at} {:card} {BID}"
        [words.labels]
        "GIVE AWAY" = "give {1}"
        [words.choices]
        pass = "wait"
        "player BID -1" = "bid less than nothing"
        [words.changes]
        BID = "bid {more:trick}"
        [words.facts]
        "CALL HOLD" = "{BID:trick}"
        [words.prompts]
        "HAND to PILE" = "Give {:card}"
        "GIVE AWAY" = "Give"
        pass = "Wait"
        """
    ) == []  # fmt: skip


def test_a_game_has_the_words_of_the_file_beside_it(tmp_path: Path) -> None:
    """They go with the game to other engines and processes; rules given as text have none."""
    (tmp_path / "g.rcy").write_text(RULES)
    (tmp_path / "g.toml").write_text("[words.places]\nPILE = 'heap'")
    game = Game.load(tmp_path / "g.rcy")
    assert game.words.places == (("PILE", "heap"),)
    for other in (
        game.late(),
        game.with_engine("interpreter"),
        pickle.loads(pickle.dumps(game)),
        copy.copy(game),
    ):
        assert other.words == game.words
    assert not Game.from_text(RULES).words


def test_library_words_are_those_of_the_rules() -> None:
    """The words of every library game are for names that its rules have."""
    for name in library_names()[:: usually(3, 1)]:
        text = (library_folder() / f"{name}.toml").read_text(encoding="utf-8")
        program = check(find(name)).program
        report = check_settings(Source(f"{name}.toml", text), program, PLAIN, name)
        assert not report.errors, [one.message for one in report.errors]


def test_names_that_other_constants_need_are_known() -> None:
    """A name counts that the rules use only with other values of their constants."""
    source = Source("own.rcy", RULES.replace("(game\n", "(game\n  (declare 0 'MORE)\n", 1))
    rules = source.text.replace(
        "(do ((all", "(do (((> 'MORE 0) (set (game str WIND) EAST)))) (do ((all", 1
    )
    program = check(Source("own.rcy", rules)).program
    text = '[words.facts]\n"WIND EAST" = "the wind blows"\n"WIND WEST" = "it is calm"'
    found = check_settings(Source("own.toml", text), program, "own.rcy")
    assert [one.message for one in found] == ["the rules have no string WEST"]


def test_a_name_after_a_colon_is_no_stored_value() -> None:
    (found,) = said('[words.moves]\n"HAND to PILE" = "play {} as {game:CALL}"')
    assert found == (
        "{game:CALL} names no stored value: after a colon stands a noun; "
        "write {CALL}, which is the actor's or the table's"
    )
