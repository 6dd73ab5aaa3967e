"""Records: finished games count once, for whoever has played them, and add up."""

from __future__ import annotations

import asyncio

import pytest
from in_process import in_process, thinking_here
from seated import PERSON, RANDOM, Seated, table
from test_table_routes import play_out

from cardwright.web.game_record import Standing, opponents_of, summary
from cardwright.web.limits import Limits
from patience import wait_until

MINE, HERS = "A" * 22, "B" * 22
FREE = Limits(requests=1e6, burst=10**6)


@pytest.fixture(scope="module")
def client():
    with thinking_here(), in_process(own_limits=FREE) as made:
        yield made


def finished(client, *seats, **wanted):
    """Return those who sit at a table of Kuhn poker whose game is over."""
    people, _ = table(client, "kuhn", *(seats or (PERSON, RANDOM)), **wanted)
    play_out(client, people)
    return people


def note(one: Seated, key: str):
    return one.post("record", key=key).json()


def record(client, key, **wanted):
    return client.post("/api/record", {"key": key, **wanted}).json()


def test_a_finished_game_counts_once_for_whoever_has_played(client):
    ann, bob = finished(client, PERSON, PERSON)
    ann.post("name", name="Ann")
    first = note(ann, MINE)
    assert (first["kept"], first["standing"]["games"]) == (True, 1)
    assert note(ann, MINE) == first
    other = note(ann, HERS)
    assert (other["kept"], other["standing"]["games"]) == (False, 0)
    assert "another record" in other["why"]
    assert note(bob, HERS)["kept"]
    ((mine,), (hers,)) = (record(client, key)["games"] for key in (MINE, HERS))
    assert (mine["name"], hers["name"]) == ("Ann", "")
    assert mine["score"] == -hers["score"]
    assert mine["won"] is not hers["won"]
    assert mine["against"] == hers["against"] == "People"
    assert hers["opponents"] == [{"name": "Ann", "player": None}]
    assert record(client, MINE, name="Eve")["games"] == []
    assert record(client, "C" * 22)["games"] == []


def test_one_record_cannot_be_changed_by_another_key(client):
    (ann,) = finished(client)
    key = "D" * 22
    note(ann, key)
    (game,) = record(client, key)["games"]
    remove = {"key": HERS, "games": [game["id"]]}
    assert client.post("/api/record/remove", remove).json() == {"removed": 0}
    assert record(client, key)["games"] == [game]
    assert client.post("/api/record/remove", {**remove, "key": key}).json() == {"removed": 1}
    assert record(client, key)["games"] == []
    assert "was removed" in note(ann, key)["why"]


def test_what_is_no_game_of_ones_own_is_not_counted(client):
    """Practice, rules that were sent, and games that a computer player has played."""
    (practice,) = finished(client, practice=True)
    assert "practice" in note(practice, MINE)["why"]
    source = client.get("/api/studio/library/kuhn").json()["source"]
    (own,), _ = table(client, None, PERSON, RANDOM, source=source)
    play_out(client, [own])
    assert "sent as a text" in note(own, MINE)["why"]
    (lazy,), _ = table(client, "kuhn", PERSON, RANDOM)
    lazy.post("sit", seat=0, player="random")
    wait_until(lambda: client.run(asyncio.sleep(0.01)) or lazy.look()["scene"]["over"])
    assert "most of your choices" in note(lazy, MINE)["why"]


def test_full_records_take_no_more():
    with thinking_here(), in_process(own_limits=Limits(games=1)) as client:
        (ann,), (bob,) = finished(client), finished(client)
        assert note(ann, MINE)["kept"]
        assert bob.code("record", key=MINE) == "busy"


def test_a_record_outlives_the_server(tmp_path):
    with thinking_here(), in_process(data=tmp_path, own_limits=FREE) as client:
        (ann,) = finished(client)
        note(ann, MINE)
        before = record(client, MINE)
    with in_process(data=tmp_path, own_limits=FREE) as client:
        assert record(client, MINE) == before
        assert len(before["games"]) == 1


# What games add up to -------------------------------------------------------------------------


def told(won=None, players=("expert",), **more):
    return {
        "game": "hearts", "title": "Hearts", "variant": "standard", "higher_wins": False,
        "seats": 4, "place": 1 if won else 3, "won": won, "score": 50, "deals": 5, "feats": {},
        "opponents": [{"name": "Ada", "player": player} for player in players], **more,
    }  # fmt: skip


def test_wins_in_a_row_end_with_a_game_that_is_not_won():
    outcomes = (True, True, True, False, None, True, True)
    standing = Standing.of(map(told, outcomes))
    assert (standing.games, standing.won, standing.streak, standing.longest) == (6, 5, 2, 3)
    assert Standing.of([]) == Standing(0, 0, 0, 0, None, None)


def test_few_games_say_little_about_shares_and_means():
    """Intervals are those of all shares and means: of ten games, half won; of one there is none."""
    ten = [told(number % 2 == 0, score=number) for number in range(10)]
    share = Standing.of(ten)
    assert [share.low, share.high] == pytest.approx([0.199, 0.801], abs=1e-3)
    (kind,) = summary(ten)
    assert [kind["low"], kind["high"]] == pytest.approx([2.334, 6.666], abs=1e-3)
    assert kind["against"][0]["standing"]["low"] == share.low
    (kind,) = summary(ten[:1])
    assert (kind["low"], kind["high"], kind["standing"]["low"]) == (None, None, None)


def test_opponents_are_called_by_their_strength():
    for players, name in (
        (("expert", "expert"), "Expert"),
        (("bridge",), "Strong"),
        (("ismcts: iterations=100",), "Casual"),
        (("random", "expert"), "Mixed"),
        ((None, None), "People"),
        (("ismcts:iterations=7",), "ismcts:iterations=7"),
        (("gone:x=1",), "gone:x=1"),
        ((), ""),
    ):
        assert opponents_of(told(players=players)) == name


def test_games_of_a_kind_add_up():
    games = [
        told(True, score=40, feats={"moons shot": 1}),
        told(False, score=90, feats={"moons shot": 2}, players=("random",)),
        told(False, score=20, deals=1, variant="valet"),
    ]
    standard, valet = summary(games)
    assert (standard["games"], standard["places"]) == (2, [1, 0, 1, 0])
    assert (standard["score"], standard["a_deal"], valet["a_deal"]) == (65, 13, None)
    assert standard["feats"] == {"moons shot": 3}
    assert [(one["opponents"], one["score"]) for one in standard["against"]] == [
        ("Beginner", 90), ("Expert", 40),
    ]  # fmt: skip
    assert standard["course"] == [
        {"score": 40, "won_lately": 1}, {"score": 90, "won_lately": 0.5},
    ]  # fmt: skip
