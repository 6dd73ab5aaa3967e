"""Plans as texts: there and back, written by hand, and with mistakes that are told."""

from __future__ import annotations

import tomllib
from dataclasses import replace

import pytest
from experiments import hearts
from hypothesis import given, strategies as st

from cardwright.arena.plan import GameRef
from cardwright.game.errors import CardwrightError
from cardwright.lab.factor import (
    DISCARDS,
    SLOTS,
    Factor,
    FactorKind,
    FactorLevel,
    LabError,
    LabPlayer,
    SelectorList,
)
from cardwright.lab.layout import layout_of
from cardwright.lab.plan import (
    SWAP_LEVELS,
    Design,
    LabPlan,
    Precision,
    Seating,
    Sequential,
)
from cardwright.lab.response import Better, Response
from cardwright.lab.stopping import check_stop

POINTS = Response("points", "the score", "points", Better.LOWER)
TEXTS = st.text(st.characters(codec="utf-8"), max_size=12)
"""Names, with quotation marks, line ends, controls, dots and whatever else there is."""
NAMES = TEXTS | st.sampled_from(["rule", "a.b", 'say "so"', "back\\slash", "\x7f", "ß é\t", "[x]"])
STEPS = st.sampled_from(
    ["duck", "lowest", "rule", "high_spades(4)", "shortest_suit(clubs, diamonds)",
     "win_high if no_points", "lowest if not last"]
)  # fmt: skip
LISTED = st.builds(
    SelectorList,
    st.lists(STEPS, max_size=9).map(tuple),
    st.sampled_from(["first-match", "filter"]),
    st.sampled_from(["low", "high", "random"]),
)
WITH_DISCARDS = st.builds(
    lambda listed, discard: replace(listed, discard=discard), LISTED, st.none() | LISTED
)
POSITIONS = st.dictionaries(st.sampled_from(sorted(DISCARDS)), WITH_DISCARDS, max_size=2)
LISTS = st.builds(
    lambda some, others: (*some.items(), *((k, v) for k, v in others.items() if k not in some)),
    POSITIONS,
    st.dictionaries(st.sampled_from(SLOTS[:6]), LISTED, max_size=4),
)
WHOS = st.builds(
    LabPlayer, NAMES, st.sampled_from(["random", "rule", "ismcts:iterations=100,c=0.5"])
) | st.builds(lambda name, lists: LabPlayer(name, lists=lists), NAMES, LISTS)
TARGETS = {
    FactorKind.SLOT: st.sampled_from(SLOTS),
    FactorKind.SWAP: st.sampled_from(["fourth:0", "discard:12"]),
    FactorKind.PARAMETER: NAMES,
    FactorKind.OPTION: NAMES,
    FactorKind.PLAYER: st.just(""),
}
VALUES = {
    FactorKind.SLOT: st.none() | WITH_DISCARDS,
    FactorKind.SWAP: st.booleans(),
    FactorKind.PARAMETER: NAMES,
    FactorKind.OPTION: NAMES,
    FactorKind.PLAYER: WHOS,
}


@st.composite
def factors(draw):
    kind = draw(st.sampled_from(FactorKind))
    names = draw(st.lists(NAMES, min_size=2, max_size=4, unique=True))
    levels = tuple(FactorLevel(name, draw(VALUES[kind])) for name in names)
    return Factor(draw(NAMES), kind, draw(TARGETS[kind]), levels)


CONSTANTS = st.one_of(
    st.integers(-(2**62), 2**62), st.booleans(), st.sampled_from(["LEFT", "A1"]),
    st.lists(st.sampled_from(["LEFT", "HOLD"]), min_size=1, max_size=3).map(tuple),
    st.builds(lambda a, b: range(a, a + b), st.integers(-5, 5), st.integers(1, 9)),
)  # fmt: skip
GAMES = st.builds(
    GameRef,
    NAMES.filter(bool), st.just(4), st.text("0123456789abcdef", min_size=64, max_size=64),
    st.none() | NAMES,
    st.dictionaries(st.sampled_from(["ROUNDS", "CYCLE", "X"]), CONSTANTS).map(
        lambda found: tuple(found.items())
    ),
    st.sampled_from([None, 0, 1]), st.sampled_from(["native", "interpreter"]),
)  # fmt: skip
REALS = st.floats(allow_nan=False, allow_infinity=False)
WHOLE = st.integers(0, 2**40)
STOPS = st.one_of(
    st.none(),
    st.builds(Precision, NAMES, REALS, WHOLE, WHOLE),
    st.builds(Sequential, NAMES, REALS, REALS, REALS, REALS, WHOLE, WHOLE),
)


@st.composite
def plans(draw):
    design = draw(st.sampled_from(Design))
    return LabPlan(
        name=draw(NAMES),
        game=draw(GAMES),
        tested=draw(WHOS),
        factors=tuple(
            draw(st.lists(factors(), min_size=1, max_size=3, unique_by=lambda one: one.name))
        ),
        design=design,
        opponents=tuple(draw(st.lists(WHOS, min_size=1, max_size=3))),
        deals=draw(st.integers(1, 10**8)),
        seed=draw(st.integers(0, 2**64 - 1)),
        generators=tuple(draw(st.lists(NAMES, max_size=2))) if design == "factorial" else (),
        seating=draw(st.sampled_from(Seating)),
        stop=draw(STOPS),
        level=draw(st.floats(0.5, 1, exclude_max=True)),
    )


@pytest.mark.slow
@given(plans())
def test_what_is_written_is_read_again(made):
    text = made.to_text()
    tomllib.loads(text)
    assert LabPlan.from_text(text, "plan.toml") == made
    assert LabPlan.from_text(text, "plan.toml").to_text() == text


@pytest.mark.parametrize("seed", [0, 2**63 - 1, 2**63, 2**64 - 1])
def test_seeds_above_the_integers_of_toml_are_texts(seed):
    made = replace(LabPlan.from_text(KNOWN + SHORT, "p.toml"), seed=seed)
    assert LabPlan.from_text(made.to_text(), "p.toml") == made
    assert isinstance(tomllib.loads(made.to_text())["seed"], int if seed < 2**63 else str)


SHORT = """
[[factors]]
name = "fourth"
levels = { rule = "rule", random = "random", mine = ["duck", "lowest"] }
"""


def test_a_plan_by_hand_may_leave_out_what_is_usual():
    made = LabPlan.from_text(SHORT, "short.toml")
    assert made == LabPlan(
        name="short",
        game=GameRef.of("hearts"),
        tested=LabPlayer(
            "rule", lists=tuple((slot, SelectorList(("rule",))) for slot in SLOTS[:5])
        ),
        factors=(
            Factor(
                "fourth", FactorKind.SLOT, "fourth",
                (FactorLevel("rule", SelectorList(("rule",))), FactorLevel("random", None),
                 FactorLevel("mine", SelectorList(("duck", "lowest")))),
            ),
        ),
        design=Design.ONE,
        opponents=(LabPlayer("random", "random"), LabPlayer("rule", "rule")),
        deals=1000,
        seed=1,
    )  # fmt: skip


def test_values_may_be_written_as_toml_has_them():
    made = LabPlan.from_text(
        """
        seed = "18446744073709551615"
        game = { name = "hearts", preset = "standard", set = { ROUNDS = 1, CYCLE = "(LEFT)" } }
        tested = "hierarchy"
        opponents = ["hierarchy", { name = "x", lists = { pass = ["highest"] } }, "random"]
        [[factors]]
        name = "depth"
        kind = "parameter"
        target = "iterations"
        levels = { few = 10, many = 20 }
        [[factors]]
        name = "cycle"
        kind = "option"
        target = "CYCLE"
        levels = { one = ["LEFT"], two = ["LEFT", "RIGHT"], none = 3, so = true }
        [[factors]]
        name = "order"
        kind = "swap"
        target = "fourth:1"
        [[factors]]
        name = "who"
        kind = "player"
        levels = { a = "rule", b = { spec = "random" }, c = { name = "z", lists = {} } }
        """,
        "x.toml",
    )
    assert made.seed == 2**64 - 1
    assert made.game.declared == (("ROUNDS", 1), ("CYCLE", ("LEFT",)))
    assert [level.value for level in made.factors[0].levels] == ["10", "20"]
    assert [level.value for level in made.factors[1].levels] == [
        "(LEFT)",
        "LEFT,RIGHT",
        "3",
        "true",
    ]
    assert made.factors[2].levels == SWAP_LEVELS
    assert [level.value for level in made.factors[3].levels] == [
        LabPlayer("rule", "rule"), LabPlayer("random", "random"), LabPlayer("z"),
    ]  # fmt: skip
    assert made.opponents[1] == LabPlayer("x", lists=(("pass", SelectorList(("highest",))),))
    assert "queen_spades" in dict(made.opponents[0].lists)["discard"].select


def test_files_are_looked_for_beside_the_plan(tmp_path):
    (tmp_path / "mine.toml").write_text('fourth = ["duck"]\n', encoding="utf-8")
    text = (
        SHORT.replace('"rule"', '"mine.toml"', 1)
        + '[tested]\nname = "t"\nspec = "hierarchy:mine.toml"\n'
    )
    (tmp_path / "plan.toml").write_text(text, encoding="utf-8")
    made = LabPlan.load(tmp_path / "plan.toml")
    assert made.name == "plan"
    assert made.tested == LabPlayer("t", lists=(("fourth", SelectorList(("duck",))),))
    assert made.factors[0].levels[0].value == SelectorList(("duck",))


KNOWN = f'game = {{ name = "hearts", players = 4, digest = "{"0" * 64}" }}\n'
"""A game that is not loaded, since all is said of it."""

MISTAKES = [
    ('deals = "x"', "p.toml: deals: this should be an integer, not 'x'"),
    ("deals = true", "p.toml: deals: this should be an integer, not True"),
    ("deals = 0", "1 to 100,000,000 deals, not 0"),
    ("dels = 4", "there is no 'dels' in a plan; did you mean deals?"),
    ('design = "on"', "design: this cannot be 'on'; did you mean one?"),
    ('seating = "al"', "seating: this cannot be 'al'; did you mean all?"),
    ("level = 1", "less than 1"),
    ("seed = -1", "0 or more, not -1"),
    ('generators = "E=ABCD"', "generators: this should be a list"),
    ("name = 3", "name: this should be a string in quotation marks, not 3"),
    ('game = "harts"', "did you mean hearts?"),
    ('game = { name = "hearts", preset = "standrd" }', "did you mean standard?"),
    ('game = { name = "hearts", set = { ROUND = 1 } }', "did you mean ROUNDS?"),
    ('game = { name = "hearts", set = { ROUNDS = "1.." } }', "set.ROUNDS: '1..' is not a value"),
    ('game = { name = "hearts", digst = "1" }', "did you mean digest?"),
    ('game = { name = "hearts", digest = "0123" }', "leave the digest out"),
    ('game = { name = "hearts", players = 3 }', "has 4 seats, not 3"),
    ('game = { preset = "standard" }', "name is missing"),
    ('tested = "rul"', "tested: there is no player 'rul'; did you mean rule?"),
    ('tested = "lowest"', "tested: the player lowest has no lists to vary"),
    ('tested = { name = "x" }', "either a spec"),
    ('tested = { name = "x", lists = { fith = [] } }', "did you mean first?"),
    ('tested = { name = "x", lists = { first = ["hihgest"] } }',
     "tested: first: there is no selector 'hihgest'; did you mean highest?"),
    ("opponents = []", "needs opponents"),
    ('opponents = "rule"', "opponents: this should be a list"),
    ('opponents = ["rule", "rul"]', "opponents[2]: there is no player 'rul'"),
    ('stop = { response = "points" }', "h0 is missing"),
    ('stop = { half_width = 0.1 }', "response is missing"),
    ('stop = { response = "points", half_width = "0.1" }', "this should be a number"),
    ('stop = { response = "points", half_widht = 1 }', "half_widht"),
]  # fmt: skip


@pytest.mark.parametrize(("line", "said"), MISTAKES)
def test_mistakes_are_told_at_their_places(line, said):
    game = "" if line.startswith("game") else KNOWN
    with pytest.raises(LabError) as caught:
        LabPlan.from_text(f"{line}\n{game}{SHORT}", "p.toml")
    assert said in str(caught.value)
    assert all(text.startswith("p.toml: ") for text in str(caught.value).splitlines()[:1])


FACTORS = [
    ('levels = { rule = ["hihgest"], x = "rule" }',
     "factors[1].levels.rule: there is no selector 'hihgest'; did you mean highest?"),
    ('levels = { rule = "rul", x = "rule" }', "factors[1].levels.rule: there is no level 'rul'"),
    ('levels = { rule = "rule" }', "needs two levels"),
    ("levels = {}", "needs two levels"),
    ('levels = ["rule"]', "factors[1].levels: this should be a table"),
    ('levels = { a = { selct = [] }, b = "rule" }', "did you mean select?"),
    ('levels = { a = { mode = "filter" }, b = "rule" }', "select is missing"),
    ('levels = { a = { select = [], tie = "lo" }, b = "rule" }', "did you mean low?"),
    ('levels = { a = { select = [], discard = ["dukc"] }, b = "rule" }', "did you mean duck?"),
    ('levels = { a = ["duck", 3], b = "rule" }', "this should be a string in quotation marks"),
    ('kind = "slt"', "factors[1].kind: this cannot be 'slt'; did you mean slot?"),
    ('target = "fith"', "factors[1].target: there is no slot 'fith'"),
    ('traget = "fourth"', "did you mean target?"),
    ('kind = "option"', "factors[1].target: target is missing"),
    ('kind = "swap"\ntarget = "fith:0"', "no slot 'fith'"),
    ('kind = "swap"\ntarget = "fourth:0"\nlevels = { a = "no", b = true }', "write true or false"),
    ('kind = "player"\nlevels = { a = "rul", b = "rule" }', "levels.a: there is no player 'rul'"),
]  # fmt: skip


@pytest.mark.parametrize(("lines", "said"), FACTORS)
def test_mistakes_in_factors_too(lines, said):
    with pytest.raises(LabError) as caught:
        LabPlan.from_text(f'{KNOWN}[[factors]]\nname = "x"\n{_with_target(lines)}', "p.toml")
    assert said in str(caught.value)


def _with_target(lines):
    plain = lines.startswith(("levels", "traget"))
    return f'target = "fourth"\n{lines}' if plain else lines


def test_plans_without_mistakes_are_none():
    assert LabPlan.from_text(KNOWN + SHORT, "p.toml").game == GameRef("hearts", 4, "0" * 64)


def test_several_mistakes_are_told_at_once():
    with pytest.raises(LabError) as caught:
        LabPlan.from_text(f'deals = "x"\nseating = "al"\n{SHORT.replace("duck", "dukc")}', "p.toml")
    told = str(caught.value).splitlines()
    assert len(told) == 3
    assert all(line.startswith("p.toml: ") for line in told)


def test_files_that_are_no_plans(tmp_path):
    with pytest.raises(LabError, match=r"x\.toml is not TOML: .*line 1"):
        LabPlan.from_text("a = = 1", "x.toml")
    with pytest.raises(LabError, match="cannot be read: No such file"):
        LabPlan.load(tmp_path / "none.toml")
    (tmp_path / "bytes.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(LabError, match="UTF-8"):
        LabPlan.load(tmp_path / "bytes.toml")
    (tmp_path / "long.toml").write_bytes(b"#" * 4_000_001)
    with pytest.raises(LabError, match=r"it has more than 3\.81 MiB"):
        LabPlan.load(tmp_path / "long.toml")


def test_two_plans_that_cannot_be_played():
    made = replace(LabPlan.from_text(SHORT, "x"), game=hearts())
    assert len(layout_of(made).cells) == 3
    stop = Precision("pionts", 0.1)
    with pytest.raises(LabError, match="did you mean points"):
        layout_of(replace(made, stop=stop))
    swap = Factor("s", FactorKind.SWAP, "first:0", SWAP_LEVELS)
    with pytest.raises(CardwrightError, match="has 1 step"):
        layout_of(replace(made, factors=(*made.factors, swap)))


@pytest.mark.parametrize(
    ("stop", "said"),
    [
        (Precision("points", 0), "no interval"),
        (Precision("points", -0.1), "no interval"),
        (Precision("points", 0.1, least=1), "2 deals or more"),
        (Precision("points", 0.1, every=0), "1 or more"),
        (Sequential("points", 0.2, 0.2, bound=9), "H0 must be less than H1"),
        (Sequential("points", 0, float("inf"), bound=9), "it is inf or more"),
        (Sequential("points", 0, 1, alpha=0, bound=9), "alpha must be a probability"),
        (Sequential("points", 0, 1, beta=0.5, bound=9), "beta must be a probability"),
    ],
)
def test_rules_to_stop_that_make_no_sense(stop, said):
    with pytest.raises(LabError) as caught:
        check_stop(stop, [POINTS])
    assert said in str(caught.value)
    check_stop(Precision("points", 0.1, 2, 1), [POINTS])
    check_stop(Sequential("points", 0, 0.2, bound=1), [POINTS])
    check_stop(Sequential("points", 0, 0.2), [replace(POINTS, bounds=(0.0, 26.0))])
    with pytest.raises(LabError, match=r"state the bound .* or test another response") as unbounded:
        check_stop(Sequential("points", 0, 0.2), [POINTS])
    assert unbounded.value.wrong_call
