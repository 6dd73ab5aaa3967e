"""What goes on without a decision is counted by both engines alike, within a form too."""

from __future__ import annotations

from itertools import takewhile

import pytest
from hypothesis import HealthCheck, Phase, given, settings

from cardwright import Game, GameError, GameLimits
from cardwright.game.engines import ENGINES
from cardwright.game.find import library_names
from cardwright.program import program as loops
from cardwright.syntax.source import Source
from deep import usually
from differential import Checks, compare_game, compare_games, on_both, rounds_made
from generated import programs

QUICK = Checks(keys=0)
MANY = "(range 1 .. (game sto N))"
TWICE = f"(all {MANY} 'A (all {MANY} 'B {{}}))"
SIZE = "(set (game sto R) (size {}))"
STEPS = {
    "all": TWICE.format("(inc (game sto R))"),
    "all of filter": f"(all (filter {MANY} 'A (any {MANY} 'B (== 'B 0))) 'C (inc (game sto R)))",
    "every": f"((all {MANY} 'A (all {MANY} 'B (> 'B 0))) (inc (game sto R)))",
    "sum": "(set (game sto R) " + TWICE.format("1") + ")",
    "filter": SIZE.format(f"(filter {MANY} 'A (any {MANY} 'B (== (+ 'A 'B) 0)))"),
    "locations": SIZE.format(f"(all {MANY} 'A (union (all {MANY} 'B (game iloc STOCK))))"),
    "let": f"(let (filter {MANY} 'A (any {MANY} 'B (== 'B 0))) 'L (all 'L 'C (inc (game sto R))))",
    "cards": "(set (game sto R) (size (filter (game iloc STOCK) 'C"
    f" (all {MANY} 'A (any (game iloc STOCK) 'D (== (cardatt V 'D) (cardatt V 'C)))))))",
    "subsets": SIZE.format("(subsets (game iloc STOCK))"),
    "subsets of a size": SIZE.format("(subsets (game iloc STOCK) == 6)"),
    "subsets below a size": SIZE.format("(subsets (game iloc STOCK) <= 5)"),
    "filter of subsets": SIZE.format(
        f"(filter (subsets (game iloc STOCK)) 'S (any {MANY} 'A (== (size 'S) 'A)))"
    ),
    "runs": SIZE.format("(runs all 1 (game iloc STOCK) using (game points W))"),
    "tuples": SIZE.format("(tuples 6 (game iloc STOCK) using (game points W))"),
    "repeat": "(repeat (* (game sto N) (game sto N)) (inc (game sto R)))",
    "repeat moves": f"(all {MANY} 'A (repeat (game sto N)"
    " (move (top (game iloc STOCK)) (top (game iloc STOCK)))))",
    "repeat all": f"(all {MANY} 'A (all {MANY} 'B"
    " (repeat all (move (bottom (game iloc STOCK)) (top (game iloc STOCK))))))",
}
OPTIONS = {
    "test of an option": "((any {n} 'A (any {n} 'B (== (+ 'A 'B) 0))) (turn pass))",
    "any": "(any {n} 'A (any {n} 'B ((== (+ 'A 'B) 2) (set (game sto R) 'A))))",
    "actions of an option": "(any (range 1 .. 3) 'O (all {n} 'A (all {n} 'B (inc (game sto R)))))",
    "let in an option": "(let (filter {n} 'A (any {n} 'B (== 'B 0))) 'L"
    " (any (range 1 .. 3) 'C (all 'L 'D (inc (game sto R) 'D))))",
    "any behind an action": "(do ((inc (game sto R)) (any {n} 'A (do ((inc (game sto R) 'A)"
    " (all {n} 'B (inc (game sto R))) (any (range 1 .. 3) 'C (set (game sto Q) 'C)))))))",
    "any in all": "(all {n} 'A (do ((all {n} 'B (inc (game sto R)))"
    " ((== 'A 1) (any (range 1 .. 4) 'C (inc (game sto R) 'C))))))",
}
ELSEWHERE = ("end", "score")
CASES = (*STEPS, *OPTIONS, *ELSEWHERE)


def program() -> str:
    """One program of all cases, which its first choice tells apart."""
    number = {name: at for at, name in enumerate(CASES)}
    steps = [f"((== (game sto CASE) {number[name]}) {step})" for name, step in STEPS.items()]
    options = [
        f"((== (game sto CASE) {number[name]}) {option.format(n=MANY)})"
        for name, option in OPTIONS.items()
    ]
    end = f"(all {MANY} 'A (all {MANY} 'B (> 'B 0)))"
    return f"""(game
 (setup (create players 2) (create deck (game iloc STOCK)
   (deck (V (A, B, C, D, E, F, G, H, I, J, K, L)))))
 (do ((set (game sto N) 40) (set (game points W) (((V : A) 1) ((V : B) 2) ((V : C) 3)))))
 (choice ((any (range 0 .. {len(CASES) - 1}) 'CASE (set (game sto CASE) 'CASE))))
 (do ({" ".join(steps)}))
 (stage player
   (end (or (== (game sto LAST) 1) (and (== (game sto CASE) {number["end"]}) {end})))
   (do ((set (game sto LAST) 1))))
 (choice ({" ".join(options)} (turn pass)))
 (do (((!= (game sto CASE) {number["score"]}) (set (game sto N) 0))))
 (scoring max (+ (game sto R) {TWICE.format("1")})))"""


def least_limit(name: str) -> int:
    """The least limit with which a case is played to the end, the same on both engines."""
    case = CASES.index(name)
    source = Source("rounds", program())
    for steps in range(2, 100):
        games = on_both(Game.from_source(source, limits=GameLimits(steps=steps)))
        played = compare_game(games, (case, 0), 1, QUICK)
        if played.end == "over":
            return steps
        assert played.end == "steps", name
        assert played.broken is not None
        assert f"{steps} steps went by" in played.broken.reason
    raise AssertionError(name)


@pytest.mark.sweep
@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_rounds_count_wherever_they_are_made(name: str) -> None:
    """Both engines count the same rounds and give up at the same, in the same words and place.

    Without the rounds two steps would do: for a stage that ends after one turn, and what is around.
    """
    assert least_limit(name) > 3


def test_what_every_option_costs_counts() -> None:
    """Rounds of all options of a decision count together, but not those of one decision's next."""
    least = least_limit("actions of an option")
    assert least > 3 * 40 * 40 // 1_000


@settings(
    max_examples=usually(2, 5),
    deadline=None,
    phases=(Phase.explicit, Phase.reuse, Phase.generate),
    suppress_health_check=list(HealthCheck),
)
@given(programs())
def test_generated_programs_count_every_round_alike(text: str) -> None:
    """If every loop is counted, however short, the engines still agree on each round."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CARDWRIGHT_CACHE", "off")  # it is another compiler
        patch.setattr(loops, "FEW_ROUNDS", 0)
        patch.setattr(loops, "FEW_WITHIN", 0)
        source = Source("generated", f"{text}\n;; every round")  # as this process keeps games, too
        game = Game.from_source(source, limits=GameLimits(steps=300, decisions=20))
        compare_games(game, range(2), Checks(keys=5))


FRAME = """(game
 (setup (create players 2) (create deck (game iloc STOCK) (deck (V (A, B, C)))))
 {item}
 (scoring max (game sto X)))"""


@pytest.mark.parametrize(
    ("step", "counted"),
    [
        ("(all (range 1 .. 100) 'A (all (range 1 .. 98) 'B (inc (game sto X))))", 0),
        ("(all (range 1 .. 100) 'A (all (range 1 .. 100) 'B (inc (game sto X))))", 2),
        ("(all (range 1 .. 5000) 'A (all (game iloc STOCK) 'B (inc (game sto X))))", 1),
        ("(all (range 1 .. (game sto X)) 'A (inc (game sto X)))", 1),
        ("(all player 'P (all (game iloc STOCK) 'B (inc ('P sto X))))", 0),
        ("(repeat (game sto X) (inc (game sto X)))", 1),
        ("(repeat 60 (inc (game sto X)))", 0),
    ],
)
def test_only_loops_that_can_be_long_are_counted(step: str, counted: int) -> None:
    """Up to 10,000 rounds of a block are free, and up to 64 within a loop that is counted."""
    program = Game.from_text(FRAME.replace("{item}", f"(do ({step}))")).program
    assert sum(map(program.rounds.counted, program.nodes())) == counted


def test_deep_nests_of_short_loops_are_endless_too() -> None:
    """Two rounds in two rounds, and so on: no loop is long, and together they never end."""
    nest = "(inc (game sto X))"
    for depth in range(60):
        nest = f"(all player 'P{depth} {nest})"
    for engine in ENGINES:
        source = Source("nest", FRAME.replace("{item}", f"(do ({nest}))"))
        game = Game.from_source(source, limits=GameLimits(steps=20), engine=engine)
        with pytest.raises(GameError, match="20 steps went by"):
            game.start(1)


@pytest.mark.parametrize("name", ["rummy", "ginrummy", "bigtwo"])
def test_games_of_the_library_stay_far_from_the_limit(name: str) -> None:
    """Between two decisions they take less than a tenth of the steps allowed."""
    assert name in library_names()
    state = Game.load(name).start(1)
    seen = [rounds_made(state)]
    for _ in takewhile(lambda _: not state.finished, range(200)):
        state.play(state.option_count // 2)
        seen.append(rounds_made(state))
    assert max(seen) < GameLimits().steps * 1_000 // 10
