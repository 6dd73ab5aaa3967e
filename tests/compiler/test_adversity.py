"""Programs that go to the edges: of integers, of memory, of nesting, of what a form may mean.

Each is played on both engines side by side; how its games end is said here.
"""

from __future__ import annotations

from itertools import product

import pytest
from differential import CAPACITY, EVERYTHING, Checks, Played, compare_game, compare_games, on_both

from cardwright import Game
from cardwright.interpreter.machine import Limits
from cardwright.syntax.source import Source

LARGEST = 2**63 - 1
PACK = "(create deck (game iloc STOCK) (deck (RANK (A, B, C, D)) (SUIT (X, Y))))"
QUICK = Checks(keys=0)


def game_of(
    *items: str,
    score: str = "(game sto R)",
    players: str = "(create players 2)",
    pack: str = PACK,
    limits: Limits | None = None,
) -> Game:
    """Return a game of these items."""
    setup = f"(setup {players} {pack})"
    text = "\n".join(["(game", setup, *items, f"(scoring max {score}))"])
    return Game.from_source(Source("adversity", text), limits=limits)


def ends(game: Game, seeds: range = range(3), checks: Checks = EVERYTHING) -> set[str]:
    """Play a game on both engines and return the ways in which it ended."""
    return {played.end for played in compare_games(game, seeds, checks)}


def each_case(game: Game, *counts: int) -> list[Played]:
    """Play a game once for each combination of its choices."""
    games = on_both(game)
    cases = product(*map(range, counts))
    return [compare_game(games, case, 1, QUICK) for case in cases]


def cases(*steps: str) -> tuple[str, str]:
    """Return items that let a player choose one of some steps, which is then done."""
    choice = f"(choice ((any (range 0 .. {len(steps) - 1}) 'CASE (set (game sto CASE) 'CASE))))"
    tests = (f"((== (game sto CASE) {at}) {step})" for at, step in enumerate(steps))
    return choice, f"(do ({' '.join(tests)}))"


def literal(value: int) -> str:
    """Return an integer as a file writes it: there are no negative numbers."""
    if value == -LARGEST - 1:
        return f"(- (- 0 {LARGEST}) 1)"
    return str(value) if value >= 0 else f"(- 0 {-value})"


# Integers ---------------------------------------------------------------------------------

EDGES = (0, 1, 2, 3, 64, 3037000500, LARGEST - 1, LARGEST)
VALUES = (*EDGES, *(-value for value in EDGES[1:]), -LARGEST - 1)
OPERATORS = ("+", "-", "*", "//", "%", "^")


def test_arithmetic_at_its_edges() -> None:
    """Every operator on every two edges of 64 bits, which only play can tell."""

    def chosen(name: str) -> tuple[str, str]:
        steps = (f"(set (game sto {name}) {literal(value)})" for value in VALUES)
        return cases(*steps)

    left, right = "(game sto LEFT)", "(game sto RIGHT)"
    steps = [f"(set (game sto R) ({operator} {left} {right}))" for operator in OPERATORS]
    steps += [f"(inc (game sto LEFT) {right})", f"(dec (game sto LEFT) {right})"]
    steps += [f"(set (game sto R) ({word} {left}))" for word in ("tri", "fib")]
    score = f"(+ (game sto R) (// {left} 4))"
    game = game_of(*chosen("LEFT"), *chosen("RIGHT"), *cases(*steps), score=score)
    played = each_case(game, len(VALUES), len(VALUES), len(steps))
    assert {one.end for one in played} == {"over", "overflow", "division"}


def test_arithmetic_that_is_known_before_the_game() -> None:
    """The same where the operands are written out."""
    few = (0, 1, -1, 3, LARGEST, -LARGEST, -LARGEST - 1)
    steps = [
        f"(set (game sto R) ({operator} {literal(left)} {literal(right)}))"
        for operator, left, right in product(OPERATORS, few, few)
    ]
    played = each_case(game_of(*cases(*steps)), len(steps))
    assert {one.end for one in played} == {"over", "overflow", "division"}


def test_sums_pass_the_edge_and_come_back() -> None:
    """What is added up in one form overflows only as a whole; operators do so on the way."""
    big = literal(LARGEST)
    steps = (
        "(set (game sto R) (all (range 0 .. 2) 'N (* (- 'N 1) (game sto BIG))))",
        "(set (game sto R) (all (range 0 .. 2) 'N (game sto BIG)))",
        "(set (game sto R) (+ (game sto BIG) 1 (- 0 1)))",
        "(set (game sto R) (sum (game iloc STOCK) using (game points EVEN)))",
        "(set (game sto R) (sum (game iloc STOCK) using (game points BIG)))",
        "(set (game sto R) (scoremax (game iloc STOCK) using (game points BIG)))",
        "(set (game sto R) (scoremin (game iloc STOCK) using (game points EVEN)))",
        "(set (game points P) (((RANK : A) (game sto BIG)) ((SUIT : X) 1)))",
        "(set (game points P) (((RANK : A) (game sto BIG)) ((SUIT : Z) 1)))",
        f"(set (game points P) (((RANK : A) {big}) ((RANK : A) {big})))",
        f"(set (game points P) (((RANK : A) {big}) ((RANK : A) {big}) ((RANK : A) (- 0 {big}))))",
    )
    start = (
        f"(do ((set (game sto BIG) {big})"
        f" (set (game points BIG) (((SUIT : X) {big})))"
        f" (set (game points EVEN) (((SUIT : X) {big}) ((SUIT : Y) (- 0 {big}))))))"
    )
    score = "(+ (// (game sto R) 2) (score (top (game iloc STOCK)) using (game points P)))"
    played = each_case(game_of(start, *cases(*steps), score=score), len(steps))
    over = "overflow"
    expected = ["over", over, over, "over", over, "over", "over", over, "over", over, "over"]
    assert [one.end for one in played] == expected


def test_ranges_and_repetitions_at_their_edges() -> None:
    """Ranges of one, of nothing, of too much; chances between bounds far apart."""
    big, small = literal(LARGEST), literal(-LARGEST - 1)
    steps = (
        f"(set (game sto R) (size (range {big} .. {big})))",
        f"(set (game sto R) (all (range {big} .. {big}) 'N (// 'N 2)))",
        f"(set (game sto R) (size (range {small} .. {small})))",
        f"(set (game sto R) (size (range {big} .. {small})))",
        "(set (game sto R) (size (range 5 .. 1)))",
        "(set (game sto R) (size (range 1 .. 1000000)))",
        f"(set (game sto R) (random {big} .. {big}))",
        f"(set (game sto R) (// (random {small} .. {big}) 2))",
        f"(set (game sto R) (random {big}))",
        f"(set (game sto R) (random 0 .. {big}))",
        "(repeat (- 0 7) (inc (game sto R)))",
        "(repeat 1000000 (inc (game sto R)))",
        "(set (game sto R) (size (range 0 .. 1000000)))",
        f"(set (game sto R) (size (range {small} .. {big})))",
        f"(set (game sto R) (size (range 0 .. {big})))",
        f"(all (range {small} .. 0) 'N (inc (game sto R)))",
        "(set (game sto R) (random 3 .. 2))",
        f"(set (game sto R) (random {small}))",
        f"(set (game sto R) (random {big} .. {small}))",
        "(repeat 1000001 (inc (game sto R)))",
        f"(repeat {big} (inc (game sto R)))",
    )
    played = each_case(game_of(*cases(*steps)), len(steps))
    expected = ["over"] * 12 + ["length"] * 4 + ["empty-range"] * 3 + ["length"] * 2
    assert [one.end for one in played] == expected


def test_sizes_that_are_asked_for_at_their_edges() -> None:
    """Positions, lengths and sizes of groups that are huge, negative or one too many."""
    size = "(size (top {} (game iloc STOCK)))", "(size (bottom {} (game iloc STOCK)))"
    sets = (
        "(size (tuples {} (game iloc STOCK) using (game points W)))",
        "(size (runs all {} (game iloc STOCK) using (game points W)))",
        "(size (runs largest {} (game iloc STOCK) using (game points W)))",
        "(size (run top {} (game iloc STOCK) using (game points W)))",
        "(size (subsets (game iloc STOCK) == {}))",
        "(size (subsets (game iloc STOCK) < {}))",
        "(score ({} (game iloc STOCK)) using (game points W))",
        "(pid ({} player))",
        "(tid ({} team))",
    )
    numbers = (0, 1, 8, 9, -1, LARGEST, -LARGEST - 1)
    steps = [
        f"(set (game sto R) {form.format(literal(number))})"
        for form, number in product((*size, *sets), numbers)
    ]
    steps += [
        f"(move (top (game iloc STOCK)) ({literal(number)} (game vloc {name})))"
        for number, name in product(numbers, ("STOCK", "OTHER"))
    ]
    points = "(do ((set (game points W) (((RANK : A) 1) ((RANK : B) 2) ((SUIT : X) 5)))))"
    played = each_case(game_of(points, *cases(*steps)), len(steps))
    assert {one.end for one in played} == {"over", "length", "position", "owner-number"}


# Room -------------------------------------------------------------------------------------

FAR = "1000000000"


def test_locations_far_apart() -> None:
    """Indices that are huge, negative or computed name the same places in every form."""
    big = literal(LARGEST)
    places = [f"(game vloc A {FAR})", "(game vloc A (- 0 5))", f"(game vloc A {big})"]
    moves = [f"(move (top (game iloc STOCK)) (top {place}))" for place in places]
    items = (
        "(do ((shuffle (game iloc STOCK)) (set (game sto N) 1000000000) (set (game sto M) 5)))",
        f"(do ({' '.join(moves)}))",
        "(choice ((any (range (- 0 5) .. 5) 'I (move (top (game iloc STOCK))"
        " (top (game vloc A 'I)))) (move (top (game vloc A (game sto N))) (top (game vloc A)))))",
        "(choice ((any (indexed game vloc A) 'L (move (top 'L)"
        " (top (game vloc A (- 0 (game sto M))))))))",
        "(choice ((any (all (range (- 0 6) .. 3) 'I (game vloc A (* 'I (game sto M)))) 'L"
        " (do ((move (top (game iloc STOCK)) (top 'L)) (set (game sto X) (size 'L)))))))",
        "(do ((set (game sto R) (all (indexed game vloc A) 'L (* (size 'L) (size 'L))))))",
    )
    assert ends(game_of(*items), range(6)) == {"over"}


POOLED = "(game vloc (cardatt RANK (top (game iloc STOCK))) 'I)"


@pytest.mark.parametrize(("count", "end"), [(63, "over"), (64, "over"), (65, CAPACITY)])
def test_the_pool_of_computed_locations(count: int, end: str) -> None:
    """The native engine has room for 64 locations that hold a card; reading takes none."""
    pack = "(create deck (game iloc STOCK) (deck (RANK (A)) (N (N0 (M (A, B, C, D, E, F, G, H, I,"
    pack += " J)), N1, N2)) (O (A, B, C, D, E, F))))"
    pack = "(create deck (game iloc STOCK) (deck (RANK (A)) (N (A, B, C, D, E, F, G, H, I, J))"
    pack += " (O (A, B, C, D, E, F, G))))"
    items = (
        "(do ((set (game sto R) (all (range 100 .. 300) 'I (size (game vloc (game str S) 'I))))))",
        f"(do ((all (range 1 .. {count}) 'I (move (bottom (game iloc STOCK)) (top {POOLED})))))",
        f"(choice ((any (range 1 .. {count}) 'I ((> (size {POOLED}) 0)"
        f" (do ((move (top {POOLED}) (top (game vloc OUT))) (inc (game sto R) 'I)))))))",
        "(choice ((any (indexed game vloc A) 'L (move (bottom (game vloc OUT)) (top 'L)))))",
    )
    assert ends(game_of(*items, pack=pack), range(2), Checks(keys=1, deep=1)) == {end}


def test_a_location_that_never_held_a_card_takes_no_room() -> None:
    """Whatever was only looked at, or picked, gives its slot back."""
    look = "(let (game vloc (game str S) 'I) 'L (set (game sto R) (+ (game sto R) (size 'L))))"
    pick = (
        "(any (all (range 'J .. (+ 'J 30)) 'I (game vloc (game str S) 'I)) 'L"
        " (set (game sto R) (size 'L)))"
    )
    items = (
        f"(do ((all (range 1 .. 60) 'I {look})))",
        f"(do ((all (range 61 .. 120) 'I {look})))",
        f"(choice ((any (range 1 .. 9) 'J {pick})))",
        f"(choice ((do ((inc (game sto R)) (any (range 1 .. 9) 'J {pick})))))",
    )
    assert ends(game_of(*items)) == {"over"}


@pytest.mark.parametrize(("count", "end"), [(16, "over"), (17, CAPACITY)])
def test_memory_locations(count: int, end: str) -> None:
    """A memory location holds two references for each card of the game."""
    items = (
        f"(do ((repeat {count} (remember (top (game iloc STOCK)) (top (game mem M))))))",
        "(choice ((any (game mem M) 'C (do ((move (actual 'C) (top ((1 player) vloc A)))"
        " (forget (bottom (game mem M))))))))",
        "(do ((set (game sto R) (size (game mem M)))))",
    )
    assert ends(game_of(*items), range(1)) == {end}


def test_too_many_options() -> None:
    """Options have a room of their own; so have the lists that they keep, and all other lists."""
    thousands = "(range 1 .. 300000)"
    steps = (
        f"(any {thousands} 'I (any (1) 'J (inc (game sto R) 'I)))",
        f"(any {thousands} 'I (any (range 1 .. 20) 'J (inc (game sto R) 'I)))",
    )
    del steps
    options = f"(any {thousands} 'I (any (range 1 .. 20) 'J (inc (game sto R) 'I)))"
    assert ends(game_of(f"(choice ({options}))"), range(1)) == {CAPACITY}
    explored = "(do ((inc (game sto R)) " + options + "))"
    assert ends(game_of(f"(choice ({explored}))"), range(1)) == {CAPACITY}


def test_too_much_for_the_memory_of_lists() -> None:
    """Many long lists at once are too much; one after the other they are not."""
    pack = f"(create deck (game iloc STOCK) (deck (RANK ({names(17)}))))"
    subsets = "(subsets (game iloc STOCK))"
    kept = f"(let {subsets} 'A (let {subsets} 'B (let {subsets} 'C (let {subsets} 'D "
    kept += "(let {subsets} 'E (let {subsets} 'F (let {subsets} 'G (let {subsets} 'H (let "
    kept = "".join(f"(let {subsets} 'V{at} " for at in range(24))
    kept += "(set (game sto R) (size 'V7))" + ")" * 24
    after = f"(all (range 1 .. 3) 'N (set (game sto R) (+ (game sto R) (size {subsets}))))"
    assert ends(game_of(f"(do ({after}))", pack=pack), range(1), QUICK) == {"over"}
    assert ends(game_of(f"(do ({kept}))", pack=pack), range(1), QUICK) == {CAPACITY}


def names(count: int) -> str:
    """Return so many names, parted by commas."""
    return ", ".join(f"N{at}" for at in range(count))


@pytest.mark.parametrize("count", [63, 64, 65, 127, 128, 129, 255, 256, 257, 320])
def test_many_cards(count: int) -> None:
    """Around the sizes at which cards, counts and sets of positions take more room."""
    half = count // 2
    pack = f"(create deck (game iloc STOCK) (deck (RANK ({names(count - half)})) (SUIT (X))))"
    pack += f" (create deck BACK (game iloc STOCK) (deck (RANK ({names(half)})) (SUIT (Y))))"
    hand = "((current player) iloc HAND)"
    red = f"(filter {hand} 'C (== (cardatt SUIT 'C) X))"
    items = (
        "(do ((shuffle (game iloc STOCK)) (set (game points W) (((SUIT : X) 1) ((RANK : N3) 7)))"
        f" (repeat {count // 2} (move (top (game iloc STOCK)) (top ((1 player) iloc HAND))))"
        f" (repeat {count - count // 2 - 1} (move (bottom (game iloc STOCK))"
        " (bottom ((2 player) iloc HAND))))))",
        "(stage player (end (>= (game sto TURNS) 4))"
        f" (choice (((> (size {red}) 1) (any {red} 'C (move 'C (top (game vloc OUT)))))"
        f" ((<= (size {red}) 1) (any {hand} 'C (move 'C (bottom (game vloc OUT)))))"
        f" (any (partition RANK {hand}) 'G ((> (size 'G) 1) (do ((inc (game sto TURNS))"
        " (repeat all (move (top 'G) (top (game hloc PAIRS))))))))))"
        " (do ((inc (game sto TURNS)))))",
        f"(do ((set (game sto R) (+ (sum (union (game vloc OUT) {hand}) using (game points W))"
        f" (size (disjunction {hand} (game hloc PAIRS))) (size (intersect {hand} {hand}))))"
        f" (swap (max {hand} using (game points W)) (top (game iloc STOCK)))))",
    )
    game = game_of(*items, pack=pack)
    assert ends(game, range(2), Checks(keys=1, words=2, deep=4)) == {"over"}


@pytest.mark.parametrize("players", [8, 13, 40])
def test_many_players(players: int) -> None:
    """Seats, teams and their storages, with a card for everybody in two identical packs."""
    halves = [", ".join(map(str, range(first, players + 1, 2))) for first in (1, 2)]
    seats = f"(create players {players}) (create teams ({halves[0]}) ({halves[1]}))"
    pack = f"(repeat 2 (create deck (game iloc STOCK) (deck (RANK ({names(players)})))))"
    card = "(top ((current player) iloc HAND))"
    items = (
        "(do ((shuffle (game iloc STOCK)) (set (game points W) (((RANK : N1) 5) ((RANK : N2) 5)))"
        " (all player 'P (repeat 2 (move (top (game iloc STOCK)) (top ('P iloc HAND)))))))",
        f"(stage player (end (>= (game sto TURNS) {players}))"
        f" (choice ((move {card} (top ((current player) vloc TRICK)))"
        " (any (other player) 'P (do ((cycle next 'P) (inc ((team 'P) sto SCORE) (pid 'P)))))"
        " (any (other team) 'T (any 'T 'P (swap ('P iloc HAND) ((current player) iloc HAND))))))"
        " (do ((inc (game sto TURNS)))))",
        "(stage team (end (== ((current team) sto SCORE) 99))"
        " (do ((set ((current team) sto SCORE) 99))))",
        "(do ((cycle current (owner (max (union (all player 'P ('P iloc HAND)))"
        " using (game points W)))) (set (game sto R) (pid (current player)))))",
    )
    game = game_of(*items, pack=pack, players=seats, score="(* (game sto R) (tid (current team)))")
    assert ends(game, range(2), Checks(keys=1, words=5, deep=9)) == {"over"}
