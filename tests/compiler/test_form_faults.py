"""Every rule that a form can break it breaks on both engines, in the same words, at one place.

Which rules a form can break is found by play: see `form_faults`.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from cardwright import Game, GameError, State, interpreter
from cardwright.syntax.source import Source
from deep import usually
from differential import on_both
from form_count import ALL_FORMS
from form_faults import Case, cases, game_of

PLACES = ("do", "choice", "items", "end", "score")

BREAKS = {
    "(set (PLAYER isto STRING) INTEGER) -> STEP": "empty-move no-owner owner-number",
    "(set (PLAYER istr STRING) STRING) -> STEP": "empty-move no-owner owner-number",
    "(inc (PLAYER isto STRING) [INTEGER]) -> STEP": "empty-move no-owner owner-number",
    "(dec (PLAYER isto STRING) [INTEGER]) -> STEP": "empty-move no-owner overflow owner-number",
    "(PLAYER isto STRING) -> INTEGER": "no-owner owner-number",
    "(PLAYER istr STRING) -> STRING": "no-owner owner-number",
    "(any (PLAYER isto STRING) 'V STEP) -> STEP": "no-owner owner-number",
    "(any (PLAYER istr STRING) 'V STEP) -> STEP": "no-owner owner-number",
    "(set POINTS (AWARD...)) -> ACTION": "overflow",
    "(put points POINTS (AWARD...)) -> ACTION": "overflow",
    "(inc INTEGER_STORAGE [INTEGER]) -> ACTION": "overflow",
    "(dec INTEGER_STORAGE [INTEGER]) -> ACTION": "overflow",
    "(move CARD CARD) -> ACTION": (
        "empty-move memory-destination memory-move position virtual-destination"
    ),
    "(swap CARD CARD) -> ACTION": "memory-move no-card position",
    "(swap LOCATION LOCATION) -> ACTION": "memory-move no-card virtual-destination",
    "(remember CARD CARD) -> ACTION": "memory-destination no-card position virtual-destination",
    "(forget CARD) -> ACTION": "empty-move memory-move position",
    "(cycle next TARGET) -> ACTION": "no-owner owner-number",
    "(cycle current TARGET) -> ACTION": "no-owner owner-number",
    "(repeat all ACTION) -> ACTION": "memory-destination memory-move position virtual-destination",
    "(repeat INTEGER ACTION) -> ACTION": "length",
    "(+ INTEGER INTEGER...) -> INTEGER": "overflow",
    "(* INTEGER INTEGER...) -> INTEGER": "overflow",
    "(- INTEGER INTEGER) -> INTEGER": "overflow",
    "(// INTEGER INTEGER) -> INTEGER": "division overflow",
    "(% INTEGER INTEGER) -> INTEGER": "division",
    "(^ INTEGER INTEGER) -> INTEGER": "division overflow",
    "(mod INTEGER INTEGER) -> INTEGER": "division",
    "(tri INTEGER) -> INTEGER": "overflow",
    "(fib INTEGER) -> INTEGER": "overflow",
    "(random INTEGER [.. INTEGER]) -> INTEGER": "empty-range",
    "(sum LOCATION using POINTS) -> INTEGER": "overflow",
    "(score CARD using POINTS) -> INTEGER": "no-card position",
    "(all COLLECTION 'V INTEGER) -> INTEGER": "overflow",
    "(pid PLAYER) -> INTEGER": "no-owner owner-number",
    "(tid TEAM) -> INTEGER": "owner-number",
    "(OWNER sto STRING) -> INTEGER|INTEGER_STORAGE": "owner-number",
    "(OWNER str STRING) -> STRING|STRING_STORAGE": "owner-number",
    "(OWNER points STRING) -> POINTS": "owner-number",
    "(cardatt STRING CARD) -> STRING": "position",
    "(== CARD CARD) -> BOOLEAN": "position",
    "(== PLAYER PLAYER) -> BOOLEAN": "no-owner owner-number",
    "(== TEAM TEAM) -> BOOLEAN": "owner-number",
    "(!= CARD CARD) -> BOOLEAN": "position",
    "(!= PLAYER PLAYER) -> BOOLEAN": "no-owner owner-number",
    "(!= TEAM TEAM) -> BOOLEAN": "owner-number",
    "(INTEGER player) -> PLAYER": "owner-number",
    "(INTEGER team) -> TEAM": "owner-number",
    "(first player [from PLAYER] 'V BOOLEAN) -> PLAYER": "no-owner owner-number",
    "(top PLAYERS) -> PLAYER": "owner-number",
    "(bottom PLAYERS) -> PLAYER": "owner-number",
    "(INTEGER PLAYERS) -> PLAYER": "owner-number",
    "(owner CARD) -> PLAYER": "no-card no-owner position",
    "(team PLAYER) -> TEAM": "no-owner owner-number",
    "(top LOCATION) -> CARD": "empty-move memory-destination memory-move virtual-destination",
    "(top LOCATIONS) -> CARD": "position virtual-destination",
    "(bottom LOCATION) -> CARD": "empty-move memory-destination memory-move virtual-destination",
    "(bottom LOCATIONS) -> CARD": "position virtual-destination",
    "(INTEGER LOCATION) -> CARD": "empty-move memory-destination position virtual-destination",
    "(LOCATION) -> CARD": "empty-move memory-destination memory-move virtual-destination",
    "(max LOCATION using POINTS) -> CARD": (
        "memory-destination memory-move no-card virtual-destination"
    ),
    "(min LOCATION using POINTS) -> CARD": (
        "memory-destination memory-move no-card virtual-destination"
    ),
    "(actual CARD) -> CARD": "empty-move no-card position",
    "(OWNER vloc STRING [INTEGER]) -> LOCATION": "owner-number",
    "(OWNER iloc STRING [INTEGER]) -> LOCATION": "owner-number",
    "(OWNER hloc STRING [INTEGER]) -> LOCATION": "owner-number",
    "(OWNER oloc STRING [INTEGER]) -> LOCATION": "owner-number",
    "(OWNER mem STRING [INTEGER]) -> LOCATION": "owner-number",
    "(top LOCATIONS) -> LOCATION": "position",
    "(bottom LOCATIONS) -> LOCATION": "position",
    "(INTEGER LOCATIONS) -> LOCATION": "position",
    "(top INTEGER LOCATION) -> LOCATION": "length",
    "(bottom INTEGER LOCATION) -> LOCATION": "length",
    "(subsets LOCATION) -> LOCATIONS": "length",
    "(subsets LOCATION == INTEGER) -> LOCATIONS": "length",
    "(subsets LOCATION != INTEGER) -> LOCATIONS": "length",
    "(subsets LOCATION < INTEGER) -> LOCATIONS": "length",
    "(subsets LOCATION > INTEGER) -> LOCATIONS": "length",
    "(subsets LOCATION <= INTEGER) -> LOCATIONS": "length",
    "(subsets LOCATION >= INTEGER) -> LOCATIONS": "length",
    "(runs largest INTEGER LOCATION using POINTS) -> LOCATIONS": "length",
    "(runs all INTEGER LOCATION using POINTS) -> LOCATIONS": "length",
    "(tuples INTEGER LOCATION using POINTS) -> LOCATIONS": "length",
    "(indexed OWNER vloc STRING) -> LOCATIONS": "owner-number",
    "(indexed OWNER iloc STRING) -> LOCATIONS": "owner-number",
    "(indexed OWNER hloc STRING) -> LOCATIONS": "owner-number",
    "(indexed OWNER oloc STRING) -> LOCATIONS": "owner-number",
    "(indexed OWNER mem STRING) -> LOCATIONS": "owner-number",
    "(range INTEGER .. INTEGER) -> INTEGERS": "length",
    "(let CARD 'V STEP) -> STEP": "no-card position",
    "(let PLAYER 'V STEP) -> STEP": "no-owner owner-number",
    "(stage player (end BOOLEAN) ITEM...) -> ITEM": "steps",
    "(stage team (end BOOLEAN) ITEM...) -> ITEM": "steps",
    "(choice (STEP...)) -> ITEM": "no-options",
}
"""The rules that forms break, by their rows; those of cards and owners in what uses them, too."""

BY_LIMITS = {"decisions", "depth", "steps", "capacity"}
"""Rules that no form breaks, but games that are too long, too deep or too large.

Games that are too large are in `test_limits` and `test_computed_locations`, those that are too long
in `test_rounds`.
"""


class Outcome(NamedTuple):
    """How a case ended on the interpreter: the rule that it broke, and the line that says so."""

    case: Case
    rule: str
    line: tuple[str, int]


@cache
def outcomes() -> list[Outcome]:
    """Play every case on the interpreter, in the first place where it can stand."""
    found = []
    every = cases()
    for place in ("do", "items", "choice"):
        chosen = [case for case in every if place in case.places]
        every = [case for case in every if place not in case.places]
        for first in range(0, len(chosen), 100):  # each case is a test that each game makes
            some = chosen[first : first + 100]
            start = game(some, place).with_engine("interpreter").start(1)
            found += [outcome(case, start.copy(), at) for at, case in enumerate(some)]
    assert not every
    return found


def game(chosen: list[Case], place: str) -> Game:
    return Game.from_source(Source(place, game_of(chosen, place)), base=1)


def outcome(case: Case, state: State, at: int) -> Outcome:
    try:
        state.play(at)
    except GameError as error:
        cause = error.__context__
        assert cause is not None
        trace = cause.__traceback__
        while trace is not None and trace.tb_next is not None:
            trace = trace.tb_next
        assert trace is not None
        return Outcome(
            case, error.rule, (Path(trace.tb_frame.f_code.co_filename).name, trace.tb_lineno)
        )
    return Outcome(case, "", ("", 0))


def test_every_form_is_tried() -> None:
    assert {case.form for case in cases()} == set(ALL_FORMS)


@pytest.mark.slow
def test_the_table_says_which_rules_a_form_breaks() -> None:
    """No form of the table breaks a rule that is not listed here, nor the other way round."""
    found: dict[str, set[str]] = defaultdict(set)
    for case, rule, _ in outcomes():
        if rule and not case.broken:
            found[case.form].add(rule)
    assert {form: " ".join(sorted(rules)) for form, rules in found.items()} == BREAKS


def test_what_an_operand_breaks_is_broken() -> None:
    """A form with an operand that breaks a rule breaks that rule: no operand is left out."""
    for case, rule, _ in outcomes():
        assert not case.broken or rule, case.step


def test_every_fault_of_the_interpreter_is_reached() -> None:
    """Whatever line of the interpreter says that a rule is broken, some case comes there."""
    reached = {found.line for found in outcomes()}
    for place in sorted(Path(interpreter.__file__).parent.glob("*.py")):
        for node in ast.walk(ast.parse(place.read_text("utf-8"))):
            if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
                call = ast.unparse(node.exc)
                if not call.startswith("Fault("):
                    continue  # forms that there are not, and tables of the wrong kind
                assert node.end_lineno
                lines = {(place.name, line) for line in range(node.lineno, node.end_lineno + 1)}
                limit = any(call.startswith(f"Fault('{rule}'") for rule in BY_LIMITS)
                assert lines & reached or limit, (
                    f"no case comes to {place.name}:{node.lineno}: {call}; give an operand a "
                    "harmful value in tests/form_faults.py, or the form a case in OTHERS"
                )


@pytest.mark.sweep
@pytest.mark.slow
@pytest.mark.parametrize("place", PLACES)
def test_both_engines_break_the_same_rules(place: str) -> None:
    """Each form, with each operand that makes a difference, ends alike on both engines.

    The rule, the words and the place are the same in a `do`, while options are made, between
    turns and in the scoring.
    """
    chosen: dict[tuple[object, ...], Case] = {}
    for case, rule, line in outcomes():
        if place in case.places and (rule or case.operand < 0):
            chosen.setdefault((case.form, case.use, case.operand, case.broken, rule, line), case)
    some = [*chosen.values()][:: usually(5, 1)]
    starts = [each.start(1) for each in on_both(game(some, place))]
    for at, case in enumerate(some):
        one, other = (ended(start.copy(), at) for start in starts)
        assert one == other, case.step


def ended(state: State, at: int) -> object:
    """Play a case, and the first option if it comes to options; return how it ends."""
    try:
        state.play(at)
        while not state.finished:
            state.play(0)
    except GameError as error:
        return error.rule, error.reason, error.place, error.choices
    return state.scores, state._board.key()
