"""What a player may answer: an option, its index, or a text, as `State.play` takes them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from cardwright import Decision, Game, IllegalOptionError, Stream, play_game, play_match
from cardwright.players.player import checked_answer, guarded_answer, index_or_reason

AGRAM = Game.load("agram", engine="interpreter")


def decision(seed, made):
    """Return a decision of a random game, after so many choices."""
    state, stream = AGRAM.start(seed), Stream(seed)
    for _ in range(made):
        state.play(stream.below(state.option_count))
    return Decision(state.player, state.option_count, stream, state, made)


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 2**64 - 1), made=st.integers(0, 15), draw=st.integers(0, 2**32))
def test_all_ways_to_say_an_option_are_one_answer(seed, made, draw):
    """Its option, its index in any kind of integer, its words and its number."""
    asked = decision(seed, made)
    index = draw % asked.option_count
    option = asked.options[index]
    for answer in (index, np.int64(index), option, option.description, f"#{index}"):
        assert index_or_reason(answer, asked) == index


class Saying:
    """Answers by a function of the options."""

    def __init__(self, say):
        self.say = say

    def choose(self, decision):
        return self.say(decision.options)


def last(options):
    return options[-1]


def words_of_the_last(options):
    return str(options[-1])


@pytest.mark.parametrize("say", [last, words_of_the_last])
def test_options_and_texts_are_played(say):
    by_index = play_game(
        AGRAM, [Saying(lambda options: len(options) - 1), "random", "random"], seed=4
    )
    assert play_game(AGRAM, [Saying(say), "random", "random"], seed=4) == by_index


class Last:
    def choose(self, decision):
        return decision.options[-1]


def test_a_contest_takes_options_too():
    """Answers of the option itself are no faults, and the record has their indices."""
    report = play_match(AGRAM, [Last, "random"], deals=2, seed=1, detail="scores")
    assert [standing.faults for standing in report.standings] == [0, 0]


@pytest.mark.parametrize("answer", [True, None, 1.0, 99, -1, "9 of", ""])
def test_anything_else_is_refused_wherever_players_are_asked(answer):
    asked, player = decision(1, 0), Saying(lambda _: answer)
    with pytest.raises(IllegalOptionError, match=r"^the player of p1 answered .* of seed 1$"):
        checked_answer(player, asked)
    with pytest.raises(IllegalOptionError, match=r"^mine answered "):
        guarded_answer(player, asked, "mine")


def test_an_option_of_another_deal_is_found_by_its_content():
    """As `State.play` does; one that is not offered is refused."""
    asked = decision(1, 0)
    there = {option.content: option.index for option in asked.options}
    for seed in range(20):
        for option in AGRAM.start(seed).options():
            found = index_or_reason(option, asked)
            assert found == there.get(option.content, found)
            assert isinstance(found, int) == (option.content in there)
