"""Playing again: the same people come along by a click, and nobody waits for those who do not."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest
from in_process import InProcessClient, in_process, thinking_here
from seated import PERSON, RANDOM, Seated, table

from cardwright.web.limits import Limits

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

NO_LIMITS = Limits(requests=1e6, burst=10**6)


@pytest.fixture(scope="module")
def client() -> Iterator[InProcessClient]:
    with thinking_here(), in_process(own_limits=NO_LIMITS) as made:
        yield made


def _played(people: list[Seated], watch: Seated | None) -> None:
    """Play a game to its end, by requests that say nothing of who is there."""
    assert watch is not None
    while (scene := watch.look()["scene"])["over"] is None:
        number = scene["number"]
        for one in people:
            one.post("choose", number=number, option=0)


def _again(one: Seated, **wanted: Any) -> Seated:
    answer = one.post("again", **wanted)
    assert answer.status_code == 200, answer.text
    return Seated(one.client, f"/api{answer.json()['link']}")


def _seats(one: Seated) -> list[tuple[str, str]]:
    return [(seat["name"], seat["kind"]) for seat in one.look()["scene"]["seats"]]


def _two(client: InProcessClient, **wanted: Any) -> tuple[Seated, Seated, Seated | None]:
    """Return Ann and Bo after a game of two, and a spectator."""
    people, watch = table(client, "kuhn", PERSON, PERSON, **wanted)
    for one, name in zip(people, ("Ann", "Bo"), strict=True):
        one.post("name", name=name)
    _played(people, watch)
    return people[0], people[1], watch


def test_those_who_are_there_are_asked_and_come_along(client: InProcessClient) -> None:
    """Their seats are free until they come; they keep them, and the cards are others."""
    ann, bo, watch = _two(client)
    assert watch is not None
    assert bo.look()["scene"]["again"] is None
    ann_again = _again(ann)
    assert _seats(ann_again) == [("Ann", "person"), ("Bo", "empty")]
    seen = bo.look()
    assert (seen["scene"]["again"], seen["events"][-1]["words"]) == (0, "asks to play again")
    bo_again = _again(bo)
    assert _seats(ann_again) == [("Ann", "person"), ("Bo", "person")]
    assert [one.look()["scene"]["seat"] for one in (ann_again, bo_again)] == [0, 1]
    assert _again(watch).look()["scene"]["watching"] == "public"
    _played([ann_again, bo_again], _again(watch))
    seeds = {one.look()["scene"]["over"]["seed"] for one in (ann, ann_again)}
    assert len(seeds) == 2


def test_nobody_waits_for_somebody_who_has_left(client: InProcessClient) -> None:
    """A computer player has the seat from the beginning, and gives it up to whoever comes."""
    people, watch = table(client, "kuhn", PERSON, PERSON)
    ann, bo = people
    bo.post("name", name="Bo")
    _played(people, watch)  # Bo never looks
    ann_again = _again(ann)
    assert _seats(ann_again)[1] == ("Bo", "computer")
    bo_again = _again(bo)
    assert _seats(bo_again)[1] == ("Bo", "person")


def test_nobody_waits_for_somebody_who_does_not_come(client: InProcessClient) -> None:
    """Computer players can play in the seats of those who were asked at once, and give them up."""
    ann, bo, _ = _two(client)
    assert bo.look()["scene"]["over"]
    ann_again = _again(ann)
    assert ann_again.post("sit", seat=1, player="usual").is_success
    assert _seats(ann_again)[1] == ("Bo", "computer")
    assert _again(bo).look()["scene"]["seat"] == 1
    assert _seats(ann_again)[1] == ("Bo", "person")


def test_all_who_ask_come_to_one_table(client: InProcessClient) -> None:
    """Whoever asks second, at the same moment or again, sits down there."""
    ann, bo, _ = _two(client)
    for one in (ann, bo):
        one.look()
    before = client.run(client.site.store.count())

    async def both() -> None:
        ask = client.client.post
        await asyncio.gather(*(ask(f"{one.api}/again", json={}) for one in (ann, bo)))

    client.run(both())
    _again(ann)
    assert client.run(client.site.store.count()) == before + 1
    assert [kind for _, kind in _seats(_again(bo))] == ["person", "person"]


@pytest.mark.slow
def test_settings_can_be_changed(client: InProcessClient) -> None:
    """Another variant, other computer players; what does not fit is refused, and nothing made."""
    people, watch = table(client, "hearts", PERSON, *[RANDOM] * 3, options={"ROUNDS": 1, "END": 0})
    _played(people, watch)
    (ann,) = people
    before = client.run(client.site.store.count())
    assert ann.code("again", preset="valet3") == "invalid"
    assert ann.code("again", preset="no_such_variant") == "invalid"
    assert ann.code("again", player="no_such_player") == "invalid"
    assert ann.code("again", seat=1) == "invalid"
    assert client.run(client.site.store.count()) == before
    scene = _again(ann, preset="standard", player="first").look()["scene"]
    assert scene["game"]["preset"] == "standard"
    assert [seat["player"] for seat in scene["seats"]] == [None, "first", "first", "first"]
    assert [seat["name"] for seat in scene["seats"]] == [
        seat["name"] for seat in ann.look()["scene"]["seats"]
    ]


def test_only_those_of_a_finished_game_play_again(client: InProcessClient) -> None:
    """Not during a game, and not by the link for spectators, who come along afterwards."""
    (ann, bo), watch = table(client, "kuhn", PERSON, PERSON)
    assert watch is not None
    assert ann.code("again") == "not-over"
    _played([ann, bo], watch)
    assert watch.code("again") == "not-allowed"
    assert Seated(client, "/api/t/" + "A" * 22).code("again") == "no-such-table"


def test_it_is_kept(tmp_path: Path) -> None:
    """A server that is started anew leads the others to the same table."""
    with thinking_here(), in_process(own_limits=NO_LIMITS, data=tmp_path) as client:
        ann, bo, _ = _two(client)
        bo.look()
        ann_again = _again(ann)
    with thinking_here(), in_process(own_limits=NO_LIMITS, data=tmp_path) as client:
        _again(Seated(client, bo.api))
        assert _seats(Seated(client, ann_again.api)) == [("Ann", "person"), ("Bo", "person")]


def test_rules_that_were_sent_are_played_again(client: InProcessClient) -> None:
    """They are those of the table, which no name leads to: so another variant is refused."""
    source = """(game (setup (create players 2)
      (create deck (game iloc STOCK) (deck (RANK (A, B)))))
     (stage player (end (== (game sto TURNS) 2))
      (choice ((inc (game sto SCORE)) (turn pass)))
      (do ((inc (game sto TURNS)))))
     (scoring max (game sto SCORE)))"""
    people, watch = table(client, None, PERSON, PERSON, source=source)
    _played(people, watch)
    assert people[0].code("again", preset="standard") == "no-such-game"
    assert _again(people[0]).look()["scene"]["game"]["title"] == "your rules"
