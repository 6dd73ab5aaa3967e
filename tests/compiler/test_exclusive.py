"""Which branches of a choice exclude each other: proofs and refusals, one reason at a time."""

import pytest

from cardwright import Game
from cardwright.interpreter.stream import Stream
from cardwright.library.catalogue import library_names
from cardwright.program import nodes as n
from cardwright.program.chains import options
from cardwright.program.effects import EffectAnalysis
from cardwright.program.exclusive import exclusive
from cardwright.program.places import places
from deep import some_games

FRAME = """
(game
  (setup (create players 2)
    (create deck (game iloc HAND) (deck (RANK (A, K, Q, J)) (SUIT (RED, BLACK)))))
  (do ((set (game str LEAD) RED) (set (game sto X) 1) (set (game points P) (((RANK : A) 3)))))
  (stage player (end (== (size (game iloc HAND)) 0))
    (choice ({branches})))
  (scoring max ((current player) sto SCORE)))
"""

SHORT = {
    "@ANY": "(any @H 'CARD @M)",
    "@RED": "(any (filter @H 'R (== (cardatt SUIT 'R) RED)) 'CARD @M)",
    "@BLACK": "(any (filter @H 'B (!= (cardatt SUIT 'B) RED)) 'CARD @M)",
    "@LEDS": "(filter @H 'F (== (cardatt SUIT 'F) #L))",
    "@LED": "(any (filter @H 'F (== (cardatt SUIT 'F) #L)) 'CARD @M)",
    "@HIGH": "(any (filter @H 'G (> (score 'G using #P) #X)) 'CARD @M)",
    "@M": "(move 'CARD (top (game vloc OUT)))",
    "@H": "(game iloc HAND)",
    "#L": "(game str LEAD)",
    "#X": "(game sto X)",
    "#Y": "(game sto Y)",
    "#P": "(game points P)",
}


def chains(*branches):
    text = " ".join(branches)
    for short, meant in SHORT.items():
        text = text.replace(short, meant)
    program = Game.from_text(FRAME.format(branches=text), engine="interpreter").program
    (choice,) = (node for node in program.nodes() if isinstance(node, n.Choice))
    analysis = EffectAnalysis(program)
    return options(analysis, places(analysis), choice).chains


PROVED = {
    "a single branch": ["@ANY"],
    "a test and its opposite": ["((== #X #Y) @ANY)", "((!= #Y #X) @ANY)"],
    "not": ["((not (or (== #X 1) (== #Y 1))) @ANY)", "((== #X 1) @ANY)"],
    "two strings": ["((== #L RED) @ANY)", "((== #L BLACK) @ANY)"],
    "two numbers": ["((== #X 1) @ANY)", "((== #X 2) @ANY)"],
    "stretches of numbers": ["((< #X 3) @ANY)", "((>= #X 3) @ANY)"],
    "numbers on the other side": ["((< 3 #X) @ANY)", "((<= #X 3) @ANY)"],
    "nothing between": ["((and (> #X 1) (< #X 3)) @ANY)", "((!= #X 2) @ANY)"],
    "an order": ["((< #X #Y) @ANY)", "((< #Y #X) @ANY)"],
    "an order and its opposite": ["((<= #X #Y) @ANY)", "((> #X #Y) @ANY)"],
    "an order and equality": ["((<= #X #Y) @ANY)", "((and (!= #X #Y) (>= #X #Y)) @ANY)"],
    "all are what the other branch picks not": [
        "((all @H 'C (== (cardatt SUIT 'C) RED)) @ANY)", "@BLACK",
    ],
    "none is what the other branch picks": [
        "((not (any @H 'C (== (cardatt SUIT 'C) #L))) @ANY)", "@LED",
    ],
    "none by its size": [
        "((== (size (filter @H 'C (== #L (cardatt SUIT 'C)))) 0) @ANY)", "@LED",
    ],
    "some by its size": [
        "((> (size (filter @H 'C (== #L (cardatt SUIT 'C)))) 0) @RED)",
        "((all @H 'C (!= #L (cardatt SUIT 'C))) @ANY)",
    ],
    "all are neither": [
        "((all @H 'C (and (!= (cardatt SUIT 'C) #L) (<= (score 'C using #P) #X))) @ANY)", "@LED",
        "((all @H 'C (!= (cardatt SUIT 'C) #L)) @HIGH)",
    ],
    "fewer pass more tests": [
        "((all @H 'C (!= (cardatt SUIT 'C) #L)) @ANY)",
        "(any (filter @H 'G (and (== (cardatt SUIT 'G) #L) (== (cardatt RANK 'G) A))) 'CARD @M)",
    ],
    "filters of filters": [
        "((all @H 'C (!= (cardatt SUIT 'C) #L)) @ANY)",
        "(any (filter @LEDS 'D (== (cardatt RANK 'D) A)) 'CARD @M)",
    ],
    "less is not more": [
        "((all @H 'C (> (score 'C using #P) 1)) @ANY)",
        "(any (filter @H 'G (< (score 'G using #P) 1)) 'CARD @M)",
    ],
    "a variable for a value": [
        "(let (+ #X 1) 'V ((== 'V 3) @ANY))", "(let (+ #X 1) 'W ((> 'W 3) @ANY))",
    ],
    "an empty location": ["((== (size @H) 0) (set #X 1))", "@ANY"],
    "three": [
        "((== #L RED) @ANY)", "((and (!= #L RED) (any @H 'C (== (cardatt SUIT 'C) #L))) @LED)",
        "((and (!= #L RED) (all @H 'C (!= (cardatt SUIT 'C) #L))) @ANY)",
    ],
}  # fmt: skip

REFUSED = {
    "no tests": ["@RED", "@BLACK"],
    "tests of different things": ["((== #X 1) @ANY)", "((== #Y 2) @ANY)"],
    "strings that may be the same": ["((!= #L RED) @ANY)", "((!= #L BLACK) @ANY)"],
    "stretches that meet": ["((<= #X 3) @ANY)", "((>= #X 3) @ANY)"],
    "orders that meet": ["((<= #X #Y) @ANY)", "((<= #Y #X) @ANY)"],
    "some are not": ["((any @H 'C (== (cardatt SUIT 'C) RED)) @ANY)", "@BLACK"],
    "variables of different values": [
        "(let (+ #X 1) 'V ((== 'V 3) @ANY))", "(let (+ #X 2) 'W ((== 'W 4) @ANY))",
    ],
    "more pass fewer tests": [
        "((all @H 'C (or (!= (cardatt SUIT 'C) #L) (!= (cardatt RANK 'C) A))) @ANY)", "@LED",
    ],
    "the sizes of different sets": [
        "((== (size (filter @H 'C (== (cardatt SUIT 'C) RED))) 0) @ANY)",
        "((== (size (filter @H 'C (== (cardatt SUIT 'C) BLACK))) 2) @ANY)",
    ],
    "another location": [
        "((all (game iloc HAND) 'C (== (cardatt SUIT 'C) RED)) @ANY)",
        "(any (filter (game vloc OUT) 'C (!= (cardatt SUIT 'C) RED)) 'CARD (move 'CARD (top @H)))",
    ],
    "the second and the third": ["((== #X 1) @ANY)", "((== #X 2) @RED)", "((!= #X 1) @ANY)"],
}  # fmt: skip


@pytest.mark.parametrize("branches", PROVED.values(), ids=PROVED)
def test_branches_that_exclude_each_other_are_proved_to(branches):
    assert exclusive(chains(*branches))
    assert exclusive(chains(*branches)[::-1])


@pytest.mark.parametrize("branches", REFUSED.values(), ids=REFUSED)
def test_branches_that_may_both_have_options_are_not(branches):
    assert not exclusive(chains(*branches))
    assert not exclusive(chains(*branches)[::-1])


def test_a_table_of_too_many_rows_proves_nothing():
    tests = " ".join(f"(== (game sto S{at}) (game sto T{at}))" for at in range(13))
    branches = [f"((and (== #X 1) {tests}) @ANY)", f"((and (== #X 2) (not (or {tests}))) @ANY)"]
    assert not exclusive(chains(*branches))


@pytest.mark.parametrize("name", some_games(library_names()))
def test_no_two_branches_that_exclude_each_other_ever_have_options_in_a_library_game(name):
    game = Game.load(name, engine="interpreter")
    analysis = EffectAnalysis(game.program)
    where = places(analysis)
    proved = set()
    for node in game.program.nodes():
        if isinstance(node, n.Choice):
            found = options(analysis, where, node).chains
            if None not in found and exclusive(found):
                proved |= {id(pick) for chain in found for pick in chain.picks}
    state = game.start(1)
    stream = Stream(1)
    for _ in range(150):
        if state.finished:
            break
        picks = state._board.picks()
        if picks[0][1] and id(picks[0][1][0].node) in proved:
            assert len({branch for branch, _ in picks}) == 1
        state.play(stream.below(state.option_count))
