"""Programs that go to the edges: of integers, of memory, of nesting, of what a form may mean.

Each is played on both engines side by side; how its games end is said here.
"""

from __future__ import annotations

from itertools import product

import pytest

from cardwright import Game
from cardwright.interpreter.machine import GameLimits
from cardwright.syntax.source import Source
from deep import mostly_deep, usually
from differential import CAPACITY, EVERYTHING, Checks, Played, compare_game, compare_games, on_both

LARGEST = 2**63 - 1
PACK = "(create deck (game iloc STOCK) (deck (RANK (A, B, C, D)) (SUIT (X, Y))))"
QUICK = Checks(keys=0)


def game_of(
    *items: str,
    score: str = "(game sto R)",
    players: str = "(create players 2)",
    pack: str = PACK,
    limits: GameLimits | None = None,
) -> Game:
    """Return a game of these items."""
    setup = f"(setup {players} {pack})"
    text = "\n".join(["(game", setup, *items, f"(scoring max {score}))"])
    return Game.from_source(Source("adversity", text), limits=limits)


def ends(game: Game, seeds: range = range(usually(1, 3)), checks: Checks = EVERYTHING) -> set[str]:
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

EDGES = usually((0, 1, 3037000500, LARGEST), (0, 1, 2, 3, 64, 3037000500, LARGEST - 1, LARGEST))
VALUES = (*EDGES, *(-value for value in EDGES[1:]), -LARGEST - 1)
OPERATORS = ("+", "-", "*", "//", "%", "^")


@pytest.mark.slow
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


@pytest.mark.slow
def test_arithmetic_that_is_known_before_the_game() -> None:
    """The same where the operands are written out."""
    few = usually((0, -1, 3, LARGEST, -LARGEST - 1), (0, 1, -1, 3, LARGEST, -LARGEST, -LARGEST - 1))
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


@pytest.mark.slow
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
        (
            "(choice ((any (range (- 0 5) .. 5) 'I (move (top (game iloc STOCK))"
            " (top (game vloc A 'I))))"
            " (move (top (game vloc A (game sto N))) (top (game vloc A)))))"
        ),
        (
            "(choice ((any (indexed game vloc A) 'L (move (top 'L)"
            " (top (game vloc A (- 0 (game sto M))))))))"
        ),
        (
            "(choice ((any (all (range (- 0 6) .. 3) 'I (game vloc A (* 'I (game sto M)))) 'L"
            " (do ((move (top (game iloc STOCK)) (top 'L)) (set (game sto X) (size 'L)))))))"
        ),
        "(do ((set (game sto R) (all (indexed game vloc A) 'L (* (size 'L) (size 'L))))))",
    )
    assert ends(game_of(*items), range(6)) == {"over", "empty-move"}


POOLED = "(game vloc (cardatt RANK (top (game iloc STOCK))) 'I)"


@pytest.mark.parametrize(("count", "end"), [(64, "over"), (65, CAPACITY)])
def test_the_pool_of_computed_locations(count: int, end: str) -> None:
    """The native engine has room for 64 locations that hold a card; reading takes none."""
    pack = "(create deck (game iloc STOCK) (deck (RANK (A)) (N (A, B, C, D, E, F, G, H, I, J))"
    pack += " (O (A, B, C, D, E, F, G))))"
    items = (
        "(do ((set (game sto R) (all (range 100 .. 300) 'I (size (game vloc (game str S) 'I))))))",
        f"(do ((all (range 1 .. {count}) 'I (move (bottom (game iloc STOCK)) (top {POOLED})))))",
        (
            f"(choice ((any (range 1 .. {count}) 'I ((> (size {POOLED}) 0)"
            f" (do ((move (top {POOLED}) (top (game vloc OUT))) (inc (game sto R) 'I)))))))"
        ),
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
        (
            "(choice ((any (game mem M) 'C (do ((move (actual 'C) (top ((1 player) vloc A)))"
            " (forget (bottom (game mem M))))))))"
        ),
        "(do ((set (game sto R) (size (game mem M)))))",
    )
    assert ends(game_of(*items), range(1)) == {end}


def test_too_many_options() -> None:
    """There is room for some million options, and for fewer where each may have many picks."""
    steps = (
        "(any (range 1 .. 300000) 'I (any (range 1 .. 20) 'J (inc (game sto R) 'I)))",
        "(all (range 0 .. (+ 1 (game sto NO))) 'I (any (range 1 .. 200) 'J (inc (game sto R))))",
    )
    for step in steps:
        game = game_of("(do ((set (game sto NO) (game sto NO))))", f"(choice ({step}))")
        assert ends(game, range(1)) == {CAPACITY}


@pytest.mark.slow
def test_too_much_for_the_memory_of_lists() -> None:
    """Many long lists at once are too much; one after the other they are not."""
    pack = f"(create deck (game iloc STOCK) (deck (RANK ({names(17)}))))"
    pack += f" (create deck (game vloc PACK) (deck (SUIT ({names(48)}))))"
    subsets = "(subsets (game iloc STOCK))"
    kept = "".join(f"(let {subsets} 'V{at} " for at in range(24))
    kept += "(set (game sto R) (size 'V7))" + ")" * 24
    after = f"(all (range 1 .. 3) 'N (set (game sto R) (+ (game sto R) (size {subsets}))))"
    assert ends(game_of(f"(do ({after}))", pack=pack), range(1), QUICK) == {"over"}
    assert ends(game_of(f"(do ({kept}))", pack=pack), range(1), QUICK) == {CAPACITY}


def names(count: int) -> str:
    """Return so many names, parted by commas."""
    return ", ".join(f"N{at}" for at in range(count))


@pytest.mark.parametrize("count", mostly_deep([64, 65, 255, 320], {65, 320}.__contains__))
def test_many_cards(count: int) -> None:
    """Around the sizes at which cards, counts and sets of positions take more room."""
    half = count // 2
    pack = f"(create deck (game iloc STOCK) (deck (RANK ({names(count - half)})) (SUIT (X))))"
    pack += f" (create deck BACK (game iloc STOCK) (deck (RANK ({names(half)})) (SUIT (Y))))"
    hand = "((current player) iloc HAND)"
    red = f"(filter {hand} 'C (== (cardatt SUIT 'C) X))"
    items = (
        (
            "(do ((shuffle (game iloc STOCK)) (set (game points W)"
            " (((SUIT : X) 1) ((RANK : N3) 7)))"
            f" (repeat {count // 2} (move (top (game iloc STOCK)) (top ((1 player) iloc HAND))))"
            f" (repeat {count - count // 2 - 1} (move (bottom (game iloc STOCK))"
            " (bottom ((2 player) iloc HAND))))))"
        ),
        (
            "(stage player (end (>= (game sto TURNS) 4))"
            f" (choice (((> (size {red}) 1) (any {red} 'C (move 'C (top (game vloc OUT)))))"
            f" ((<= (size {red}) 1) (any {hand} 'C (move 'C (bottom (game vloc OUT)))))"
            f" (any (partition RANK {hand}) 'G ((> (size 'G) 1) (do ((inc (game sto TURNS))"
            " (repeat all (move (top 'G) (top (game hloc PAIRS))))))))))"
            " (do ((inc (game sto TURNS)))))"
        ),
        (
            f"(do ((set (game sto R) (+ (sum (union (game vloc OUT) {hand}) using (game points W))"
            f" (size (disjunction {hand} (game hloc PAIRS))) (size (intersect {hand} {hand}))))"
            f" (swap (max {hand} using (game points W)) (top (game iloc STOCK)))))"
        ),
    )
    game = game_of(*items, pack=pack)
    assert ends(game, range(2), Checks(keys=1, words=2, deep=4)) == {"over"}


@pytest.mark.slow
@pytest.mark.parametrize("players", mostly_deep([9, 40], (9).__eq__))
def test_many_players(players: int) -> None:
    """Seats, teams and their storages, with a card for everybody in two identical packs."""
    halves = [", ".join(map(str, range(first, players + 1, 2))) for first in (1, 2)]
    seats = f"(create players {players}) (create teams ({halves[0]}) ({halves[1]}))"
    pack = f"(repeat 2 (create deck (game iloc STOCK) (deck (RANK ({names(players)})))))"
    card = "(top ((current player) iloc HAND))"
    items = (
        (
            "(do ((shuffle (game iloc STOCK)) (set (game points W)"
            " (((RANK : N1) 5) ((RANK : N2) 5)))"
            " (all player 'P (repeat 2 (move (top (game iloc STOCK)) (top ('P iloc HAND)))))))"
        ),
        (
            f"(stage player (end (>= (game sto TURNS) {players}))"
            f" (choice ((move {card} (top ((current player) vloc TRICK)))"
            " (any (other player) 'P (do ((cycle next 'P) (inc ((team 'P) sto SCORE) (pid 'P)))))"
            " (any (other team) 'T (any 'T 'P"
            " (swap ('P iloc HAND) ((current player) iloc HAND))))))"
            " (do ((inc (game sto TURNS)))))"
        ),
        (
            "(stage team (end (== ((current team) sto SCORE) 99))"
            " (do ((set ((current team) sto SCORE) 99))))"
        ),
        (
            "(do ((cycle current (owner (max (union (all player 'P ('P iloc HAND)))"
            " using (game points W)))) (set (game sto R) (pid (current player)))))"
        ),
    )
    game = game_of(*items, pack=pack, players=seats, score="(* (game sto R) (tid (current team)))")
    assert ends(game, range(2), Checks(keys=1, words=5, deep=9)) == {"over"}


# Nesting ----------------------------------------------------------------------------------


def nested(before: str, middle: str, after: str, times: int) -> str:
    return before * times + middle + after * times


def test_deep_brackets() -> None:
    """Up to a hundred and forty brackets within each other, of every sort that can be nested."""
    number = nested("(+ 1 ", "(game sto A)", ")", 130)
    power = nested("(* 1 ", "(- 2 (game sto A))", ")", 130)
    test = nested("(not ", "(== (game sto A) 0)", ")", 130)
    both = nested("(and (== 1 1) ", "(== (game sto A) 0)", ")", 130)
    place = nested("(union ", "(game iloc STOCK)", " (game vloc A))", 130)
    kept = nested("(filter ", "(game iloc STOCK)", " 'C (== (cardatt SUIT 'C) X))", 20)
    steps = nested("(do (", "(inc (game sto R))", "))", 65)
    lets = "".join(f"(let (+ (game sto R) {at}) 'V{at} " for at in range(60))
    add = "(set (game sto R) (+ (game sto R) {}))"
    items = (
        (
            f"(do ({add.format(number)} {add.format(power)} ({test} {add.format(1)})"
            f" ({both} {add.format(2)}) {add.format(f'(size {place})')}"
            f" {add.format(f'(size {kept})')} {steps}))"
        ),
        (
            f"(choice ({nested('((== (game sto A) 0) (do (', '(inc (game sto R))', ')))', 45)}"
            f" {lets}(inc (game sto R) 'V7){')' * 60}))"
        ),
    )
    assert ends(game_of(*items)) == {"over"}


def test_deep_stages() -> None:
    """Stages within stages, players' and teams' by turns, each with turns of its own."""
    depth = 24
    before = "".join(
        f"(stage {('player', 'team')[at % 2]} (end (== (game sto S{at}) 1))"
        " (do ((cycle next (previous player)) (inc (game sto R) (pid (next player)))))"
        for at in range(depth)
    )
    after = "".join(f"(do ((set (game sto S{at}) 1))))" for at in reversed(range(depth)))
    choice = "(choice ((inc (game sto R) 100) (cycle current (next player))))"
    assert ends(game_of(before + choice + after)) == {"over"}


def test_many_picks_one_after_the_other() -> None:
    """An option of twelve picks, and one of two hundred, where each has but one item."""
    chain = "".join(f"(any (range 'V{at - 1} .. 'V{at - 1}) 'V{at} " for at in range(1, 12))
    chain = f"(any (range 1 .. 2) 'V0 {chain}(inc (game sto R) 'V11){')' * 11})"
    turns = "(all (range 1 .. 200) 'N (any (range 'N .. 'N) 'M (inc (game sto R) 'M)))"
    assert ends(game_of(f"(choice ({chain}))", f"(choice ({turns} (turn pass)))")) == {"over"}


# Rules without end ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("items", "end"),
    [
        ("(stage player (end (== 1 2)) (do ((inc (game sto R)))))", "steps"),
        ("(stage player (end (== 1 2)) (stage team (end (== 1 1)) (do ((turn pass)))))", "steps"),
        ("(stage player (end (== 1 2)) (choice ((inc (game sto R)))))", "decisions"),
        ("(stage player (end (> (game sto R) 7)) (choice ((inc (game sto R)))))", "decisions"),
        ("(stage player (end (> (game sto R) 6)) (choice ((inc (game sto R)))))", "over"),
        ("(stage player (end (> (game sto R) 14)) (do ((inc (game sto R)))))", "over"),
        ("(stage player (end (> (game sto R) 15)) (do ((inc (game sto R)))))", "steps"),
        (
            "(stage player (end (== 1 2)) (choice ((any (game vloc A) 'C (turn pass)))))",
            "no-options",
        ),
    ],
)
def test_limits(items: str, end: str) -> None:
    """Steps without a decision and decisions in all end a game at the same point."""
    assert ends(game_of(items, limits=GameLimits(steps=31, decisions=7)), range(1)) == {end}


# Points -----------------------------------------------------------------------------------


def test_points_at_their_edges() -> None:
    """Points as far apart as there are any: best cards, orders, runs, groups of equal ones."""
    low = literal(-LARGEST - 1)
    awards = f"((RANK : A) {LARGEST}) ((RANK : B) {LARGEST - 1}) ((RANK : C) {low})"
    awards += f" ((RANK : D) (+ {low} 1)) ((SUIT : Y) (game sto Y))"
    steps = (
        "(move (max (game iloc STOCK) using (game points W)) (top (game vloc OUT)))",
        "(move (min (game iloc STOCK) using (game points W)) (top (game vloc OUT)))",
        "(set (game sto R) (// (scoremax (game iloc STOCK) using (game points W)) 4))",
        "(set (game sto R) (// (scoremin (game iloc STOCK) using (game points W)) 4))",
        "(set (game sto R) (size (runs all 1 (game iloc STOCK) using (game points W))))",
        "(set (game sto R) (size (runs largest 2 (game iloc STOCK) using (game points W))))",
        "(set (game sto R) (size (run top 2 (game iloc STOCK) using (game points W))))",
        "(set (game sto R) (size (run bottom 2 (game iloc STOCK) using (game points W))))",
        "(set (game sto R) (size (tuples 2 (game iloc STOCK) using (game points W))))",
        "(move (top (sort (game iloc STOCK) using (game points W))) (top (game vloc OUT)))",
        "(move (bottom (sort (game iloc STOCK) using (game points W))) (top (game vloc OUT)))",
    )
    start = f"(do ((shuffle (game iloc STOCK)) (set (game points W) ({awards}))))"
    game = game_of(start, *cases(*steps))
    assert {played.end for _ in range(3) for played in each_case(game, len(steps))} == {"over"}
    assert ends(game, range(30), Checks(keys=2)) == {"over"}


@pytest.mark.parametrize("ranks", [3, 9, 30])
def test_more_runs_than_can_be_made(ranks: int) -> None:
    """Their number is told, as long as it fits in 64 bits."""
    pack = f"(create deck (game iloc STOCK) (deck (RANK ({names(ranks)})) (SUIT ({names(10)}))))"
    awards = " ".join(f"((RANK : N{at}) {at})" for at in range(ranks))
    steps = (
        "(set (game sto R) (size (runs largest 1 (game iloc STOCK) using (game points W))))",
        "(set (game sto R) (size (runs all 2 (game iloc STOCK) using (game points W))))",
        "(set (game sto R) (size (tuples 5 (game iloc STOCK) using (game points W))))",
        "(set (game sto R) (size (subsets (game iloc STOCK))))",
    )
    game = game_of(f"(do ((set (game points W) ({awards}))))", *cases(*steps), pack=pack)
    played = [one.end for one in each_case(game, len(steps))]
    if ranks == 3:
        assert played == ["over", "over", "over", "length"]
    else:
        assert played == ["length", "length", "over", "length"]


def test_indexed_locations_come_by_their_first_card() -> None:
    """Whether they have places of their own or not, and wherever their cards are now."""
    order = ("3", "1", FAR, "2", "(game sto TWO)", "0", "(- 0 4)")
    moves = " ".join(f"(move (top (game iloc STOCK)) (top (game vloc A {at})))" for at in order)
    sizes = " ".join(f"(size (game vloc A {at}))" for at in ("(- 0 4)", 0, 1, 2, 3, FAR))
    items = (
        f"(do ((set (game sto R) (+ {sizes}))))",
        (
            f"(do ((set (game sto TWO) 2) {moves}"
            " (move (top (game vloc A 1)) (top (game iloc STOCK)))))"
        ),
        (
            "(choice ((any (indexed game vloc A) 'L ((> (size 'L) 0) (move (top 'L)"
            " (top (game vloc A 1)))))))"
        ),
        "(do ((set (game sto R) (size (indexed game vloc A)))))",
    )
    assert ends(game_of(*items), range(6)) == {"over"}


def test_more_locations_than_have_places_of_their_own() -> None:
    """Hundreds of names and indices; those beyond a thousand are found by looking them up."""
    forms = [f"(game vloc L{name} 'I)" for name in range(40)]
    size = "(+ 0 0 " + " ".join(f"(size {form})" for form in forms) + ")"
    moves = [f"(move (top (game iloc STOCK)) (top {form}))" for form in forms[::6]]
    items = (
        (
            f"(do ((let 2 'I (do ({' '.join(moves)}))) (move (top (game iloc STOCK)) (top"
            " (game vloc L39 1)))))"
        ),
        f"(choice ((any (range 0 .. 60) 'I ((> {size} 0) (set (game sto R) {size})))))",
        (
            "(choice ((any (range 0 .. 60) 'I (let (game vloc L39 'I) 'L ((> (size 'L) 0)"
            " (move (top 'L) (top (game vloc L38 'I))))))))"
        ),
    )
    assert ends(game_of(*items), range(usually(1, 4))) == {"over"}


# Meaning ----------------------------------------------------------------------------------

DEAL = (
    "(do ((shuffle (game iloc STOCK))"
    " (set (game points W) (((RANK : A) 1) ((RANK : B) 2) ((RANK : C) 3) ((SUIT : X) 1)))"
    " (all player 'P (repeat 3 (move (top (game iloc STOCK)) (top ('P iloc HAND)))))))"
)
HAND = "((current player) iloc HAND)"
OUT = "(top (game vloc OUT))"

CHOICES = {
    "any inside all": (
        f"(all player 'P (any ('P iloc HAND) 'C ((== (cardatt SUIT 'C) X) (move 'C {OUT}))))",
        f"(all (range 1 .. 2) 'N (any {HAND} 'C (do ((move 'C {OUT}) (inc (game sto R) 'N)))))",
        "(all (A, B) 'S (any (C, D) 'T (do ((set (game str 'S) 'T) (inc (game sto 'T))))))",
    ),
    "any after actions": (
        (
            f"(do ((move (top {HAND}) {OUT}) (any {HAND} 'C (move 'C {OUT}))"
            f" ((> (size {HAND}) 0) (any {HAND} 'D (move 'D (bottom (game vloc OUT)))))"
            " (inc (game sto R) 2)))"
        ),
        f"(do ((any (game vloc NOTHING) 'C (inc (game sto R))) (any {HAND} 'D (move 'D {OUT}))))",
        (
            f"(do ((shuffle {HAND}) (move (top {HAND}) {OUT})"
            " (any (range 1 .. (size (game vloc OUT))) 'N (set (game sto R) 'N))))"
        ),
    ),
    "groups moved out through variables": (
        (
            f"(let (partition SUIT {HAND}) 'P (any 'P 'X (any 'P 'Y (do ((move (top 'X) {OUT})"
            " (inc (game sto R) (+ (* 10 (size 'X)) (size 'Y))))))))"
        ),
        (
            f"(any (partition SUIT {HAND}) 'X (do ((repeat all (move (top 'X) {OUT}))"
            " (inc (game sto R) (size 'X)))))"
        ),
        (
            f"(let (filter {HAND} 'C (== (cardatt SUIT 'C) X)) 'F (do ((any 'F 'C (move 'C {OUT}))"
            " (inc (game sto R) (size 'F)) ((> (size 'F) 0) (move (top 'F) (bottom"
            " (game vloc OUT)))) (inc (game sto R) (* 10 (size 'F))))))"
        ),
        (
            f"(let (partition SUIT {HAND}) 'P (let (0 'P) 'X (do ((move (top 'X) {OUT})"
            " (all 'P 'Y (inc (game sto R) (* (size 'Y) (size 'Y)))) (any 'P 'Z (shuffle 'Z))))))"
        ),
        (
            f"(any (subsets {HAND}) 'S (let 'S 'T (do ((move (bottom 'T) {OUT})"
            " (inc (game sto R) (size 'S)) (repeat all (move (top 'S) (top (game hloc HIDE))))))))"
        ),
        (
            f"(let (partition SUIT {HAND}) 'P (let (filter 'P 'L (> (size 'L) 1)) 'Q"
            f" (any 'Q 'X (do ((move (top 'X) {OUT}) (inc (game sto R) (size (top 'P))))))))"
        ),
    ),
    "draws inside conditions": (
        f"((== (random 0 .. 2) 0) (any {HAND} 'C (move 'C {OUT})))",
        f"(any {HAND} 'C ((> (random 0 .. 3) (size (game vloc OUT))) (move 'C {OUT})))",
        "(any (filter (range 1 .. 6) 'N (== (random 0 .. 1) 1)) 'N (inc (game sto R) 'N))",
        f"(let (random 1 .. 5) 'N (any {HAND} 'C (do ((inc (game sto R) 'N) (move 'C {OUT})))))",
        f"(any {HAND} 'C ((== 'C (max {HAND} using (game points NONE))) (move 'C {OUT})))",
        (
            f"(do ((shuffle (game iloc STOCK)) (any {HAND} 'C (move 'C"
            " ((random 0 .. (size (game vloc OUT))) (game vloc OUT))))))"
        ),
    ),
    "options that are tried": (
        (
            f"(any {HAND} 'C (do (((== (size (game vloc ONE)) 0) (move 'C (top (game vloc ONE))))"
            " ((== 1 2) (inc (game sto R))))))"
        ),
        (
            f"(any {HAND} 'C (do (((> (size {HAND}) 2) (move 'C (bottom (game hloc HIDE))))"
            " ((== (size (game hloc HIDE)) 1) (move (top (game hloc HIDE))"
            " (top (game vloc ONE)))))))"
        ),
        (
            f"(any (range 1 .. 3) 'N (do ((repeat 'N (move (top {HAND}) (top (game vloc TWO))))"
            " (swap (top (game vloc TWO)) (bottom (game iloc STOCK))))))"
        ),
        (
            "(any (range 1 .. 3) 'N (do (((> (size (game vloc TWO)) 'N) (swap (game vloc TWO)"
            f" (game iloc STOCK))) ((> (size {HAND}) 'N) (shuffle {HAND})))))"
        ),
        (
            f"(any {HAND} 'C (do (((< (size (game mem M)) 1) (remember 'C (top (game mem M))))"
            " ((== 1 2) (turn pass)))))"
        ),
    ),
    "let of everything": (
        f"(let (size {HAND}) 'N (any (range 1 .. 'N) 'M (inc (game sto R) (+ 'N 'M))))",
        (
            f"(let (cardatt RANK (top {HAND})) 'S (any {HAND} 'C ((== (cardatt RANK 'C) 'S)"
            f" (move 'C {OUT}))))"
        ),
        f"(let (> (size {HAND}) 1) 'B (any {HAND} 'C ((and 'B (not (== 1 2))) (move 'C {OUT}))))",
        f"(let {HAND} 'L (any 'L 'C (do ((move 'C {OUT}) (inc (game sto R) (size 'L))))))",
        "(let (game vloc NEW) 'L (any ((current player) iloc HAND) 'C (move 'C (top 'L))))",
        (
            "(let (other player) 'P (any 'P 'Q (do ((cycle current 'Q) (inc (game sto R)"
            " (size 'P))))))"
        ),
        "(let (team (current player)) 'T (any 'T 'P (inc ('T sto S) (pid 'P))))",
        "(let (range 2 .. 4) 'I (any 'I 'N (set (game sto R) (* 'N (size 'I)))))",
        "(let (A, B, C) 'S (any 'S 'N (set (game str LAST) 'N)))",
        "(let (other team) 'T (any 'T 'U (inc ('U sto S) (tid 'U))))",
        (
            "(let (all player 'P ('P iloc HAND)) 'L (any 'L 'H ((> (size 'H) 0)"
            f" (move (top 'H) {OUT}))))"
        ),
        (
            "(let (filter player 'P (> (size ('P iloc HAND)) 1)) 'F (any 'F 'P (inc (game sto R)"
            " (pid 'P))))"
        ),
        (
            "((all team 'T (any (filter 'T 'P (> (size ('P iloc HAND)) 0)) 'Q (> (pid 'Q) 0)))"
            " (inc (game sto R) 3))"
        ),
    ),
    "computed names": (
        (
            f"(any {HAND} 'C (do ((inc (game sto (cardatt RANK 'C)) (score 'C using"
            " (game points W))) (set (game str (cardatt SUIT 'C)) (cardatt RANK 'C))"
            " (set (game sto R) (+ (game sto A) (game sto (game str X)))))))"
        ),
        (
            f"(any {HAND} 'C (move 'C (top (game vloc (cardatt SUIT 'C) (score 'C using"
            " (game points W))))))"
        ),
        (
            "(any (A, B, X) 'S ((> (size (indexed game vloc 'S)) 0) (move (top (top (indexed game"
            f" vloc 'S))) {OUT})))"
        ),
        (
            f"(any {HAND} 'C (do ((set ((current player) points (cardatt SUIT 'C))"
            " (((RANK : (cardatt RANK 'C)) (+ 2 (size (game vloc OUT))))"
            " ((SUIT : (cardatt SUIT 'C)) (RANK : A) 9)"
            " (((cardatt SUIT 'C) : (game str LAST)) 4)))"
            f" (set (game sto R) (sum {HAND} using ((current player) points X)))"
            f" (move (max {HAND} using ((current player) points Y)) {OUT}))))"
        ),
    ),
    "swaps of locations with known cards": (
        (
            f"((> (size (game vloc OUT)) 1) (do ((move (top (game vloc OUT)) (top {HAND}))"
            f" (move (top (game vloc OUT)) (bottom {HAND}))"
            f" (any {HAND} 'C (move 'C (top (game hloc HIDE)))))))"
        ),
        (
            f"(any (game vloc OUT) 'C (do ((move 'C (top {HAND})) (swap {HAND}"
            " ((next player) iloc HAND)))))"
        ),
        (
            f"(any {HAND} 'C (do ((move 'C (top (game hloc HIDE))) (swap (game hloc HIDE)"
            " (game iloc STOCK)))))"
        ),
        f"(any {HAND} 'C (any ((next player) iloc HAND) 'D (swap 'C 'D)))",
        f"(any (game vloc OUT) 'C (swap 'C (bottom {HAND})))",
        f"(any {HAND} 'C (move 'C {OUT}))",
        "((> (size (game vloc OUT)) 0) (swap (game vloc OUT) (game iloc STOCK)))",
    ),
    "memory": (
        (
            f"(any {HAND} 'C (do ((remember 'C (bottom (game mem M))) (remember 'C (top"
            " (game mem M))) (move 'C (top (game iloc STOCK))))))"
        ),
        (
            "((> (size (game mem M)) 0) (any (game mem M) 'C (do ((move 'C (top"
            " ((current player) iloc HAND)))"
            " (inc (game sto R) (pid (owner (top (game mem M)))))))))"
        ),
        (
            "((> (size (game mem M)) 0) (any (partition RANK (game mem M)) 'G"
            " (do ((inc (game sto R)"
            " (size (union 'G (game mem M)))) (forget (top (game mem M)))))))"
        ),
        (
            "((> (size (game mem M)) 1) (any (intersect (game mem M) (game mem M)) 'C (do ("
            "(set (game sto R) (size (runs all 1 (game mem M) using (game points W))))"
            " (swap 'C (top ((current player) iloc HAND)))"
            " (repeat all (forget (0 (game mem M))))))))"
        ),
    ),
}


@pytest.mark.sweep
@pytest.mark.parametrize("name", CHOICES)
def test_options_of_every_sort(name: str) -> None:
    """Several such choices in one, five turns of three players in two teams."""
    steps = " ".join((*CHOICES[name], "(turn pass)"))
    turn = f"(choice ({steps})) (do ((inc (game sto TURNS))))"
    items = (DEAL, f"(stage player (end (>= (game sto TURNS) 5)) {turn})")
    game = game_of(*items, players="(create players 3) (create teams (1, 3) (2))", pack=PACK + PACK)
    played = ends(game, range(usually(3, 8)), Checks(keys=1, words=3, deep=5))
    assert "over" in played
    assert played <= {"over", "empty-move", "no-card", "no-owner", "position", CAPACITY}
