"""What others published of random games holds for the library's: see published.toml.

A fact that a game cannot meet has a reason there, and stays out of agreement.
"""

from __future__ import annotations

import pytest
from library_statistics import Kind, Statistics, Sums, measure
from published import FACTS, FIGURES, SOURCES, Fact, judge
from statistics_files import read

import deep
from cardwright.library.catalogue import facts, names


def recorded(fact: Fact) -> Statistics:
    """Return the statistics on record, which `test_statistics.py` compares with the games."""
    (found,) = [one for one in read(fact.game) if one.kind == fact.kind]
    return found


@pytest.mark.parametrize("fact", FACTS, ids=str)
def test_published_facts_hold(fact: Fact) -> None:
    """Ten thousand random games have the published figure, or the file says why they have not."""
    if fact.game not in names():
        pytest.skip("the library does not have this game")  # the last test here tells of it
    found = measure(fact.game, fact.kind) if deep.asked else recorded(fact)
    finding = judge(fact, found)
    if fact.reason:
        assert not finding.agrees, f"{finding} agrees now: the reason in published.toml is outdated"
    else:
        assert finding.agrees, f"{finding}, published: {fact.value}"


def test_every_game_is_listed_for_its_usual_number_of_players() -> None:
    """Where Valet has a game for some number of players, it is what the library starts with."""
    for fact in FACTS:
        if fact.figure == "players" and fact.game in names():
            assert facts(fact.game).default_players == fact.kind.players, fact.game


def test_figures_and_sources_are_all_used() -> None:
    assert {fact.figure for fact in FACTS} == set(FIGURES)
    assert {fact.source for fact in FACTS} == set(SOURCES)
    assert len(FACTS) == len(set(FACTS))


def statistics(**changed: object) -> Statistics:
    """Return statistics of 100 made-up games of two tricks for two, of 4 decisions each."""
    given: dict[str, object] = {
        "kind": Kind(2),
        "decisions": Sums(100, 400, 1600, 4, 4),
        "options": 900,
        "forced": 100,
        "widest": 4,
        "scores": (Sums(100, 300, 900, 3, 3), Sums(100, 100, 100, 1, 1)),
        "best": Sums(100, 300, 900, 3, 3),
        "worst": Sums(100, 100, 100, 1, 1),
        "winning": (80, 20),
        "first": (30, 20),
        "longest_of_hundred": (90, 100, 110),
        "widest_of_hundred": (4, 4, 4),
        "options_at": (400, 200, 200, 100),
    }
    return Statistics(**{**given, **changed})  # type: ignore[arg-type]


def fact(figure: str, value: float | tuple[float, ...], **more: object) -> Fact:
    return Fact("snap", Kind(2), figure, value, "blog", **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("good", "bad"),
    [
        (fact("players", 2.0), fact("players", 3.0)),
        (fact("decisions", 4.0), fact("decisions", 4.1)),
        (fact("decisions_mean", 4.1, read=True), fact("decisions_mean", 4.3, read=True)),
        (fact("longest", 86.0, read=True), fact("longest", 85.0, read=True)),
        (fact("longest", 115.0, read=True), fact("longest", 116.0, read=True)),
        (fact("widest", 4.0), fact("widest", 5.0, read=True)),
        (fact("options_mean", 2.2, within=0.05), fact("options_mean", 2.2, within=0.04)),
        (fact("forced", 25.0), fact("forced", 26.0, within=0.9)),
        (fact("first_wins", 69.0, sample=100), fact("first_wins", 71.0, sample=100)),
        (fact("first_share", 40.0), fact("first_share", 50.0)),
        (fact("score_mean", 2.0), fact("score_mean", 2.1)),
        (fact("score_sd", 1.0), fact("score_sd", 1.1)),
        (fact("best_mean", 3.0), fact("best_mean", 1.0)),
        (fact("worst_mean", 1.0), fact("worst_mean", 3.0)),
        (fact("tied", 20.0), fact("tied", 50.0)),
        (fact("leader_options", (4.0, 2.0)), fact("leader_options", (4.0, 3.0))),
        (fact("leader_options", (4.0,)), fact("leader_options", (4.0, 2.0, 1.0))),
        (fact("other_options", (2.0, 1.1), within=0.2), fact("other_options", (2.0, 1.3))),
    ],
    ids=lambda one: f"{one.figure}-{one.value}",
)
def test_figures_are_judged(good: Fact, bad: Fact) -> None:
    """What is within its tolerance agrees, and what is just outside does not."""
    assert judge(good, statistics()).agrees
    assert not judge(bad, statistics()).agrees


def test_without_exception_means_every_game_and_every_decision() -> None:
    """One longer game, or one wider decision, breaks what is said to be so always."""
    assert judge(fact("decisions", 4.0), statistics()).agrees
    longer = statistics(decisions=Sums(100, 401, 1609, 4, 5))
    assert not judge(fact("decisions", 4.0), longer).agrees
    assert not judge(fact("decisions", 4.01), longer).agrees
    always = statistics(options=800, widest=2)
    assert judge(fact("options", 2.0), always).agrees
    assert not judge(fact("options", 2.0), statistics(options=800, widest=3)).agrees
    assert not judge(fact("options", 2.0), statistics(options=799, widest=2)).agrees


def test_every_published_game_is_in_the_library() -> None:
    """No fact is passed over: each is about a game that the library has."""
    missing = sorted({fact.game for fact in FACTS} - set(names()))
    assert not missing, f"facts are published of {', '.join(missing)}"
