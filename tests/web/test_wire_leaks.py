"""Nobody is sent what it does not see: games that a seat cannot tell apart are the same bytes."""

from __future__ import annotations

from contextlib import nullcontext
from typing import TYPE_CHECKING

import pytest
from in_process import in_process
from seated import PERSON, table
from streamed import StreamReader

from cardwright.table import scene_maker
from cardwright.table.narrator import Eyes
from cardwright.web.live_table import LiveTable
from table.table_pairs import compare, game_of, pair, swapped

if TYPE_CHECKING:
    from table.table_pairs import Pair

GAMES = ("hearts", "cribbage", "ginrummy", "skat")
LENGTH = 10


@pytest.fixture(scope="module", params=GAMES)
def found(request) -> Pair:
    """Give two games, as far as seat 0 sees no difference and has the same options."""
    made = pair(request.param, 1, Eyes.of(0), LENGTH)
    alike = compare(made, 0) - 1
    del made.first[alike:], made.second[alike:]
    return made


def sent(game: str, choices: list[int]) -> list[bytes]:
    """Return all that a server sends to seat 0 while choices are made, and to what it asks."""
    with in_process() as client:
        people, _ = table(client, game, *[PERSON] * game_of(game).players, seed="1")
        own = people[0].api

        async def played() -> list[bytes]:
            stream = await StreamReader(client.app, f"{own}/events").open()
            found = []
            for number, choice in enumerate(choices):
                data = await stream.until(number)
                found.append((await client.client.get(own)).content)
                for what, body in asked(data["scene"]):
                    answer = await client.client.post(f"{own}/{what}", json=body)
                    found.append(bytes(str(answer.headers), "utf-8") + answer.content)
                due = data["scene"]["due"]
                body = {"number": number, "option": choice}
                answer = await client.client.post(f"{people[due].api}/choose", json=body)
                assert answer.is_success, answer.text
            await stream.until(len(choices))
            await stream.close()
            return [*found, stream.raw, str(stream.headers).encode()]

        return client.run(played())


def asked(scene):
    """Return what an inquisitive client asks at a moment."""
    number = scene["number"]
    yield from (("why", {"card": face["id"]}) for face in scene["hand"][:2])
    if scene["due"] != 0:
        yield from (("choose", {"number": number, "option": option}) for option in (0, 10**6))
        yield "hint", {}
    yield "choose", {"number": number + 1, "option": 0}
    yield "save", {}


def differ(found: Pair) -> bool:
    with swapped(found.places) if found.places else nullcontext():
        other = sent(found.game.name, found.second)
    return sent(found.game.name, found.first) != other


def test_all_that_a_seat_is_sent_is_the_same(found):
    """Every answer and every event, to the byte."""
    assert found.differs
    assert len(found.first) > 2
    assert not differ(found)


@pytest.mark.parametrize("leak", ["cards", "commands"])
def test_a_leak_is_noticed(monkeypatch, leak):
    found = pair("cribbage", 1, Eyes.of(0), LENGTH)
    if leak == "cards":
        monkeypatch.setattr(scene_maker._MomentReader, "_sees", lambda *_: True)
    else:
        looked = LiveTable._looked

        async def leaky(self, who, since):
            self._notice = str(self.commands)
            return await looked(self, who, since)

        monkeypatch.setattr(LiveTable, "_looked", leaky)
    assert differ(found)
