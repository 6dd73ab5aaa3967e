"""The studio's work on texts: diagnostics, fixes, explanations, completions, layout, play."""

from __future__ import annotations

from typing import Any

import pytest

from cardwright import CardwrightError, Game
from cardwright.authoring.new_game import DECKS, KINDS
from cardwright.game.errors import NotFoundError
from cardwright.game.find import find
from cardwright.library.catalogue import facts, names
from cardwright.web.studio.diagnosis import ScriptOffsets
from cardwright.web.studio.worker import studio_work
from cardwright.web.studio_routes import (
    EMPTY,
    language_parts,
    library_text,
    new_text,
    starts,
)
from cardwright.web.worker_loop import finished
from deep import usually

SLIP = EMPTY.replace("(move 'C", "(mov 'C")


def ask(do: str, source: str, **rest: Any) -> dict[str, Any]:
    return finished(studio_work({"do": do, "source": source, **rest}))


def script_text(text: str) -> bytes:
    """Return a text as a browser holds it: two bytes a code unit."""
    return text.encode("utf-16-le")


def cut(text: str, place: dict[str, Any]) -> str:
    return script_text(text)[2 * place["from"] : 2 * place["to"]].decode("utf-16-le")


def applied(text: str, edits: list[dict[str, Any]]) -> str:
    """Make edits as the editor does."""
    held = script_text(text)
    for edit in reversed(edits):
        before, after = held[: 2 * edit["from"]], held[2 * edit["to"] :]
        held = before + script_text(edit["insert"]) + after
    return held.decode("utf-16-le")


def test_the_empty_game_is_a_game_without_a_flaw() -> None:
    """One can begin with it: no message, the standard layout, and every random game ends."""
    found = ask("check", EMPTY)
    assert found["ok"]
    assert found["diagnostics"] == []
    assert ask("format", EMPTY) == {"edits": [], "refused": ""}
    played = ask("statistics", EMPTY, games=50)
    assert (played["finished"], played["errors"]) == (50, 0)


def test_a_slip_is_shown_with_a_fix_that_mends_it() -> None:
    (found,) = ask("check", SLIP)["diagnostics"]
    assert cut(SLIP, found) == "mov"
    assert found["line"] == SLIP[: SLIP.index("mov ")].count("\n") + 1
    assert (found["code"], found["severity"]) == ("E201", "error")
    (fix,) = found["fixes"]
    assert fix["title"] == "Replace mov by move"
    assert applied(SLIP, fix["edits"]) == EMPTY


def test_places_are_counted_as_browsers_count() -> None:
    """A character beyond the first 65,536 counts twice; fixes and names stand where they should."""
    text = SLIP.replace("A new game.", "A new game 🂡 🃁.")
    found = ask("check", text)
    assert cut(text, found["diagnostics"][0]) == "mov"
    assert applied(text, found["diagnostics"][0]["fixes"][0]["edits"]).count("(move 'C") == 1
    names = {cut(text, one): one["is"] for one in found["names"]}
    assert names["STOCK"] == names["PILE"] == "location"
    assert names["SCORE"] == "storage"
    assert names["'C"] == "variable"
    assert names["SUIT"] == "attribute"
    assert names["KING"] == "value"


@pytest.mark.parametrize("text", ["", "abc", "🂡", "a🂡b🃁🃁c"])
def test_offsets_go_both_ways(text: str) -> None:
    offsets = ScriptOffsets(text)
    for at in range(len(text) + 1):
        shown = len(script_text(text[:at])) // 2
        assert offsets.shown(at) == shown
        assert offsets.offset(shown) == at
    assert offsets.offset(10_000) == len(text)
    assert ScriptOffsets("a🂡b").offset(2) == 1  # between the halves


def test_a_warning_can_be_allowed_by_a_comment() -> None:
    text = EMPTY.replace("(setup", "(declare 1 'UNUSED)\n  (setup", 1)
    found = ask("check", text)
    warned = [one for one in found["diagnostics"] if one["severity"] == "warning"]
    assert warned
    fix = warned[0]["fixes"][-1]
    assert fix["title"] == f"Allow {warned[0]['code']} here by a comment"
    after = ask("check", applied(text, fix["edits"]))
    assert sum(after["counts"].values()) < sum(found["counts"].values())


def test_related_places_are_told() -> None:
    text = EMPTY + "rest\n"
    (found,) = ask("check", text)["diagnostics"]
    (related,) = found["related"]
    assert cut(text, related) == ")"
    assert related["line"] == EMPTY.count("\n")


def test_the_game_is_described() -> None:
    game = ask("check", find("hearts").text)["game"]
    assert (game["players"], game["cards"], game["highest_wins"]) == (4, 52, False)
    assert game["attributes"]["SUIT"] == ["CLUBS", "SPADES", "DIAMONDS", "HEARTS"]
    constants = {one["name"]: one for one in game["constants"]}
    players, jokers = constants["PLAYERS"], constants["JOKERS"]
    assert (players["value"], players["plain"], players["about"]) == ("4", True, "")
    assert cut(find("hearts").text, players) == "4"
    assert (jokers["value"], jokers["plain"]) == ("0", False)  # it follows from others
    assert jokers["about"] == "each is a club below the two"
    hands = [one for one in game["places"] if one["name"] == "HAND"]
    assert [one["seen_by"] for one in hands] == ["its owner"]
    assert ask("check", SLIP)["game"] is None


def test_a_form_is_explained_with_its_example() -> None:
    found = ask("hover", EMPTY, offset=EMPTY.index("shuffle") + 2)
    assert cut(EMPTY, found) == "shuffle"
    assert "(shuffle LOCATION)" in found["explanation"]
    assert "For example" in found["explanation"]
    assert ask("hover", EMPTY, offset=0) == {"explanation": None}


def test_what_fits_is_offered() -> None:
    """In an open bracket of a step: forms that are steps, with places to fill."""
    text = EMPTY.replace("(shuffle", "(shu", 1)
    found = ask("complete", text, offset=text.index("(shu") + 4)
    assert cut(text, found) == "shu"
    offered = {one["typed"]: one for one in found["offers"]}
    assert "shuffle" in offered
    assert offered["shuffle"]["snippet"].startswith("shuffle ${1:")
    assert ask("complete", EMPTY, offset=3)["offers"] == []  # in a comment


def test_places_to_fill_are_as_the_editor_knows_them() -> None:
    """CodeMirror takes `${2}`, and not `$2`; `${}` is where one ends."""
    (offer,) = ask("complete", "(", offset=1)["offers"]
    assert "(create players ${1:2})" in offer["snippet"]
    assert "\n  ${}\n" in offer["snippet"]
    assert "$0" not in offer["snippet"]


def test_layout_is_restored_and_refused_while_brackets_are_wrong() -> None:
    text = EMPTY.replace("\n    ", "\n ")
    assert applied(text, ask("format", text)["edits"]) == EMPTY
    refused = ask("format", EMPTY[:-3])
    assert refused["edits"] == []
    assert "cannot be formatted" in refused["refused"]


def test_all_that_is_sure_is_mended_at_once() -> None:
    text = SLIP.replace("(shuffle", "(shufle")
    assert applied(text, ask("mend", text)["edits"]) == EMPTY
    assert ask("mend", EMPTY) == {"edits": []}


def test_wrong_rules_are_not_played() -> None:
    for do in ("statistics", "flow"):
        error = ask(do, SLIP, games=5)["error"]
        assert error == {
            "code": "wrong-rules",
            "message": "the rules have an error: mend them first",
        }


def test_a_broken_rule_is_told_with_its_place() -> None:
    """One card is dealt too many: each game stops at the same form."""
    text = EMPTY.replace("repeat 4", "repeat 5")
    found = ask("statistics", text, games=10)
    assert (found["finished"], found["errors"]) == (0, 10)
    (fault,) = found["faults"]
    assert fault["games"] == 10
    assert text.split("\n")[fault["line"] - 1][fault["column"] - 1 :].startswith("(")
    assert ask("flow", text, games=1)["error"]["place"]["line"] == fault["line"]


def test_statistics_are_those_of_the_same_deals() -> None:
    """The same rules give the same numbers, so a difference is one of the rules."""
    assert ask("statistics", EMPTY, games=20) == ask("statistics", EMPTY, games=20)
    found = ask("statistics", EMPTY, games=20)
    assert found["decisions"] == {"least": 8, "most": 8, "mean": 8.0, "sd": 0.0}
    assert len(found["seats"]) == 2
    assert found["single"] == 0.25


def test_the_flow_of_cards_is_drawn() -> None:
    found = ask("flow", EMPTY)
    assert found["games"] == 12
    assert found["svg"].startswith("<svg")
    assert "PILE" in found["svg"]
    assert len(found["words"]) == 2


@pytest.mark.parametrize("kind", KINDS)
def test_every_start_can_be_played(kind: str) -> None:
    for deck in DECKS:
        assert ask("check", new_text(kind, deck, 3))["ok"], deck


def test_one_can_begin_with_a_game_of_the_library() -> None:
    listed = starts()
    (hearts,) = [game for game in listed["games"] if game["name"] == "hearts"]
    assert (hearts["title"], hearts["usual"]) == ("Hearts", "standard")
    assert {"standard", "omnibus"} <= {*hearts["presets"]}
    assert library_text("hearts") == find("hearts").text
    with pytest.raises(NotFoundError):
        library_text("../hearts")


def test_a_variant_has_its_settings_in_its_rules() -> None:
    """Those of every preset, and others besides, which none of the rest of the text notices."""
    for name in names():
        presets = [*facts(name).settings.presets]
        for preset in usually(presets[-1:], presets):
            rules = Game.from_text(library_text(name, preset))
            assert rules.declared == Game.load(name, preset=preset).declared
    text = library_text("hearts", "standard", {"PASS": "2", "CYCLE": "LEFT,HOLD"})
    wanted = Game.load("hearts", preset="standard", PASS=2, CYCLE=("LEFT", "HOLD"))
    assert Game.from_text(text).declared == wanted.declared
    with pytest.raises(CardwrightError, match="PASS"):
        library_text("hearts", "standard", {"PASS": "99"})


def test_the_language_is_told_with_examples_that_are_forms_of_it() -> None:
    parts = language_parts()
    assert parts[0]["name"] == "The frame of a program"
    forms = [form for part in parts for form in part["forms"]]
    assert any(form["pattern"].startswith("(move CARD") for form in forms)
    assert all(form["words"].endswith(".") and form["example"] for form in forms)


def test_thinking_is_worth_something_where_there_is_something_to_think_about() -> None:
    found = ask("thinking", find("leduc").text, games=24)
    assert (found["games"], found["finished"], found["errors"]) == (24, 24, 0)
    assert found["strength"]["low"] > found["even"] == 0.5
    assert sum(seat["win_share"] for seat in found["seats"]) == pytest.approx(1)
    alone = ask("thinking", EMPTY.replace("(create players 2)", "(create players 1)"), games=2)
    assert (alone["games"], alone["strength"]) == (2, None)
