"""Statistics and diagrams of games on their pages."""

from __future__ import annotations

import asyncio
import json

import numpy as np
import pytest

from cardwright.game.find import find
from cardwright.game.game import Game
from cardwright.statistics.intervals import Sample, share_interval
from cardwright.web import measuring
from cardwright.web.card_flow import card_flow
from cardwright.web.measurements import CrowdedError, MeasurementError, Measurements
from cardwright.web.measuring import measured
from cardwright.web.worker_loop import finished
from patience import PATIENCE

KUHN = {"want": "statistics", "name": "kuhn", "preset": None, "options": {}, "title": "Kuhn"}

BROKEN = find("kuhn").text.replace("sto PAID) 'ANTE)", "sto PAID) (// 'ANTE (- 1 1)))")


def random_play(game, games=measuring.GAMES):
    return finished(measuring.random_play(game, games))


def test_numbers_of_kuhn_poker():
    """Random Kuhn poker: two or three decisions, two options at each, no ties."""
    found = random_play(Game.load("kuhn"))
    assert found["games"] == measuring.GAMES
    assert found["broken"] == 0
    length = found["length"]
    assert length["least"] == 2
    assert length["most"] == 3
    # A bet is called or not; a check is followed by a check or a bet, a bet by an answer.
    assert length["low"] < 2.25 < length["high"]
    assert sum(bar["games"] for bar in length["bars"]) == found["games"]
    assert found["options"]["mean"] == 2
    assert found["forced"]["mean"] == 0
    assert found["ties"]["mean"] == 0
    assert [one["options"] for one in found["along"]] == [2, 2, 2]
    assert sum(seat["win"]["mean"] for seat in found["seats"]) == pytest.approx(1)


def test_a_fair_game_is_seldom_called_unfair():
    """Of four seats, one has an interval without the even share in a seventh of fair games."""
    chance = np.random.default_rng(1)
    wins = [_won(chance.integers(4, size=400)) for _ in range(400)]
    assert sum(not measuring._fair(one) for one in wins) < 0.07 * len(wins)
    alone = [any(not low <= 0.25 <= high for low, high in map(_ends, one)) for one in wins]
    assert sum(alone) > 0.1 * len(wins)
    assert not measuring._fair(_won(chance.choice(4, size=400, p=[0.4, 0.2, 0.2, 0.2])))


def _won(winners):
    return [Sample.of((winners == seat).astype(float)) for seat in range(4)]


def _ends(values):
    found = share_interval(values)
    return found.low, found.high


def test_the_ratio_of_options_has_an_interval_that_covers():
    """Options a decision are the ratio of the sums, with an interval around it."""
    found = random_play(Game.load("durak"), 300)["options"]
    assert found["low"] < found["mean"] < found["high"]
    again = random_play(Game.load("durak"), 2000)["options"]
    assert again["high"] - again["low"] < found["high"] - found["low"]
    assert found["low"] < again["mean"] < found["high"]


def test_the_interpreter_gives_the_same_kind_of_numbers(monkeypatch):
    """A game that is not compiled is played by the interpreter, fewer times."""
    monkeypatch.setattr(measuring, "SLOW_GAMES", 30)
    slow = random_play(Game.load("kuhn").with_engine("interpreter"))
    assert slow["games"] == 30
    fast = random_play(Game.load("kuhn"), 30)
    assert {**slow, "seed": ""} == {**fast, "seed": ""}


@pytest.mark.parametrize("engine", ["native", "interpreter"])
def test_games_that_break_a_rule_are_counted(engine):
    """If all games break a rule, that is all that is told."""
    game = Game.from_text(BROKEN, name="broken").with_engine(engine)
    found = random_play(game, 50)
    assert found["games"] == 0
    assert found["broken"] > 0
    assert "length" not in found


def test_bars_cover_all_values_and_both_ends():
    """Bars are of equal width, begin at the least value and end at the most."""
    bars = measuring.bars([3, 3, 100, 50])
    assert len(bars) <= 24
    assert bars[0]["from"] == 3
    assert bars[-1]["to"] == 100
    assert [bar["from"] for bar in bars[1:]] == [bar["to"] + 1 for bar in bars[:-1]]
    assert sum(bar["games"] for bar in bars) == 4
    assert measuring.bars([7]) == [{"from": 7, "to": 7, "games": 1}]


def test_the_flow_in_sentences():
    """Each way of the cards is a sentence, seats taken together, beside the picture of the same."""
    found = finished(card_flow(Game.load("kuhn"), "Kuhn Poker"))
    deal = "From the table's STOCK (seen by nobody) to a player's HAND (seen by its owner): "
    assert found["words"][0] == f"{deal}2 cards a game."
    assert "the same player's SHOWN (seen by all)" in found["words"][1]
    assert found["svg"].startswith("<svg")
    assert "Kuhn Poker" in found["svg"]


def test_passed_cards_go_to_another_player():
    """What is passed goes to another player's hand, not to the same one's."""
    game = Game.variant("hearts", {"ROUNDS": 1, "END": 0}, "standard")
    found = finished(card_flow(game, "Hearts"))
    assert any("to another player's HAND" in one for one in found["words"])


def test_a_measurement_is_made_once_and_kept(tmp_path, monkeypatch):
    """Those who ask at the same time share a process; later ones, and later runs, need none."""
    made = []

    async def run(self, request):
        made.append(request)
        await asyncio.sleep(0)
        return finished(measured(request))

    monkeypatch.setattr(Measurements, "_run", run)

    async def ask():
        kept = Measurements(tmp_path)
        found = await asyncio.gather(*(kept.of("statistics", "kuhn") for _ in range(3)))
        return [*found, await Measurements(tmp_path).of("statistics", "kuhn")]

    found = asyncio.run(ask())
    assert len(made) == 1
    assert all(one == found[0] for one in found)
    for file in tmp_path.iterdir():
        file.write_text("{")
    assert asyncio.run(Measurements(tmp_path).of("statistics", "kuhn")) == found[0]
    assert len(made) == 2


def test_who_waits_for_a_measurement_is_told_that_the_server_ends(monkeypatch):
    """The process that makes it is killed: otherwise nobody could end the server meanwhile."""
    ended = []

    async def run(self, request):
        try:
            await asyncio.sleep(PATIENCE)
        finally:
            ended.append(request["name"])

    monkeypatch.setattr(Measurements, "_run", run)

    async def ask():
        kept = Measurements(None)
        waiting = asyncio.create_task(kept.of("statistics", "kuhn"))
        while not kept._making:
            await asyncio.sleep(0)
        await asyncio.sleep(0)
        await kept.close()
        with pytest.raises(CrowdedError, match="the server is ending"):
            await waiting

    asyncio.run(ask())
    assert ended == ["kuhn"]


def test_settings_of_a_game_are_measured_apart(monkeypatch):
    """Other options, and other rules under the same name, are other measurements."""
    made = []

    async def run(self, request):
        made.append(request)
        return {}

    monkeypatch.setattr(Measurements, "_run", run)

    async def ask():
        kept = Measurements(None)
        await kept.of("statistics", "kuhn")
        await kept.of("statistics", "kuhn", None, {"ANTE": 2})
        await kept.of("flow", "kuhn")
        await kept.of("statistics", "mine", source="(game)")
        await kept.of("statistics", "mine", source="(game )")
        await kept.of("statistics", "mine", source="(game )")

    asyncio.run(ask())
    assert len(made) == 5


def test_too_many_measurements_are_refused(monkeypatch):
    """When several wait already, others are told to come again."""

    async def run(self, request):
        await asyncio.sleep(60)

    monkeypatch.setattr(Measurements, "_run", run)

    async def ask():
        kept = Measurements(None)
        waiting = [
            asyncio.create_task(kept.of("statistics", "kuhn", None, {"ANTE": ante}))
            for ante in range(1, 20)
        ]
        done, _ = await asyncio.wait(waiting, timeout=0.05)
        errors = [one.exception() for one in done]
        for one in (*waiting, *kept._making.values()):
            one.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)
        return errors

    errors = asyncio.run(ask())
    assert errors
    assert all(isinstance(one, CrowdedError) for one in errors)


@pytest.mark.slow
def test_a_process_measures_and_is_stopped_in_time():
    """The process answers as the function does, says what is wrong, and is killed when too slow."""

    async def ask(patience, name="kuhn", **more):
        return await Measurements(None, patience).of("statistics", name, **more)

    assert asyncio.run(ask(60)) == json.loads(json.dumps(finished(measured(KUHN))))
    with pytest.raises(MeasurementError, match="E1"):
        asyncio.run(ask(60, "mine", source="(game"))
    with pytest.raises(MeasurementError, match=r"cannot be measured: it took longer than 0\.01"):
        asyncio.run(ask(0.01))
