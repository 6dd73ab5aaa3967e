"""The worked bots: they make no faults, and each beats the one before it."""

from __future__ import annotations

from itertools import pairwise

import pytest

from cardwright.league.authors import example
from cardwright.league.check import Trial, check_bot, look
from cardwright.league.plan import BotText
from cardwright.league.season import BOTS
from cardwright.league.settings import BotLimits, LeagueRules

PATIENCE = BotLimits(bank=60)
"""A machine that runs tests has much else to do."""


def meet(tmp_path, name, other, games, rules=LeagueRules.CODE):
    """Return how a worked bot did against three of another, or of a library player."""
    file = tmp_path / f"{name}.py"
    file.write_text(example(name))
    text = None if other.startswith("builtin:") else example(other)
    others = BotText(other, "", other if text is None else f"{other}.py", text)
    trial = Trial(rules, PATIENCE, 0, games, 2, ((other, (others,) * 3),))
    checkup = check_bot(file, trial)
    # A machine that is busy takes its time now and then: that is no finding about a bot.
    assert not [found for found in checkup.findings if "took longer" not in found.message]
    return checkup.met[0]


@pytest.mark.parametrize("name", BOTS)
def test_nothing_is_to_be_said_of_them(name):
    assert look(example(name)) == ()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("worse", "better"),
    [
        pytest.param(*one, marks=pytest.mark.deep if one[1] == "counting" else ())
        for one in pairwise(BOTS)
    ],
)
def test_each_beats_the_one_before(tmp_path, worse, better):
    games = 120 if better == "counting" else 24
    met = meet(tmp_path, better, worse, games)
    assert met.points + met.margin < met.theirs


@pytest.mark.parametrize("name", ["low_card", "careful", "counting"])
def test_they_beat_random_players(tmp_path, name):
    met = meet(tmp_path, name, "builtin:random", 12, LeagueRules.README)
    assert met.points + 20 < met.theirs
    assert met.first > 0.9 or name == "low_card"


@pytest.mark.parametrize("name", BOTS)
def test_they_begin_by_saying_what_is_new(name):
    lines = example(name).splitlines()
    assert lines[0].startswith(f'"""{BOTS[name]}: ')
    assert name == "first_card" or any(line.startswith("New here: ") for line in lines)
