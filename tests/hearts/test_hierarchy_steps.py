"""Every selector and every condition by machine code, in games where it matters."""

from __future__ import annotations

import pytest
from hierarchy_games import everywhere, game_of

from cardwright.arena.referee import referee_game
from cardwright.hearts.hierarchy import Hierarchy, HierarchyPlayer
from cardwright.hearts.kernels import selectors as steps
from cardwright.hearts.native import ManyGames
from cardwright.hearts.selectors import CONDITIONS, SELECTORS, ParameterSpec
from cardwright.players.player import RandomPlayer
from deep import usually

MOST, ENOUGH = 150, usually(2, 5)
"""Games that are looked at for those that a step changes, and of these, games that are compared."""

PARAMETERS = {
    "high_spades": ["", "(2)", "(14)"],
    "queen_spades": ["", "(4)"],
    "keep_low_hearts": ["", "(12)"],
    "safe_lead": ["", "(4)"],
    "block_moon": ["", "(13)"],
    "shoot": ["(15)", "(40)"],
    "stop_moon": ["(2)", "(10)"],
}
WHERE = {
    "lay_cheap": ("five players",),
    "take_bonus": ("other prices",),
    "keep_bonus": ("other prices",),
}
"""Where selectors matter that do not everywhere: in an exchange, and with cards that are good."""
SUITS = {ParameterSpec.SUIT: ["(clubs)", "(hearts)"], ParameterSpec.SUITS: ["", "(s, h)"]}
WRITTEN = [
    name + given
    for name, selector in SELECTORS.items()
    for given in PARAMETERS.get(name, SUITS.get(selector.takes, [""]))
]


def changed(with_it: Hierarchy, without: Hierarchy, name: str) -> list[int]:
    """Return the first games in which two hierarchies differ; and compare the first one's there.

    The others play at random, so that all sorts of situations arise.
    """
    game = game_of(name)
    games = ManyGames(game, [with_it, without, "random"])
    others = [2] * (game.players - 1)
    found: list[int] = []
    for seed in range(MOST):
        choices = games.choices(seed, [0, *others])
        if choices != games.choices(seed, [1, *others]):
            players = [HierarchyPlayer(with_it), *[RandomPlayer()] * (game.players - 1)]
            assert choices == referee_game(game, seed, players, paired=True).choices
            found.append(seed)
            if len(found) == ENOUGH:
                break
    return found


@pytest.mark.sweep
@pytest.mark.parametrize(
    ("step", "name"),
    [
        (step, name)
        for step in WRITTEN
        for name in WHERE.get(
            step.partition("(")[0], ("passing left", "as it stands", "other prices")
        )
    ],
)
def test_every_selector_matters_and_is_the_same(step: str, name: str) -> None:
    found = [
        changed(everywhere(step, fallback), everywhere(fallback), name)
        for fallback in ("highest", "lowest")
    ]
    assert any(found)


@pytest.mark.parametrize(
    ("selector", "number"),
    [
        ("queen_spades", 3),
        ("high_spades", 3),
        ("keep_low_hearts", 6),
        ("safe_lead", 2),
        ("block_moon", 13),
        ("shoot", 50),
        ("stop_moon", 7),
    ],
)
def test_numbers_matter_by_one(selector: str, number: int) -> None:
    """So what is told apart here is less from not more."""
    one, next_ = (everywhere(f"{selector}({n})", "lowest") for n in (number, number + 1))
    assert changed(one, next_, "passing left")
    assert changed(next_, one, "passing left")


@pytest.mark.parametrize("negated", ["", "not "])
@pytest.mark.parametrize("condition", CONDITIONS)
def test_every_condition_matters_and_is_the_same(condition: str, negated: str) -> None:
    """It holds somewhere, and somewhere it does not."""
    with_it = everywhere(f"highest if {negated}{condition}", "lowest")
    assert changed(with_it, everywhere("lowest"), "passing left")


def test_every_selector_and_condition_has_its_number() -> None:
    """Twice the same number would be one selector for another."""
    for sort, names in (("PICK", SELECTORS), ("WHEN", CONDITIONS)):
        numbers = [getattr(steps, f"{sort}_{name.upper()}") for name in names]
        assert len(set(numbers)) == len(names)
