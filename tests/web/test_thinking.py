"""Computer players that think in processes of their own."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import hostile_rules as hostile
import pytest

import deep
from cardwright.arena.plan import GameRef
from cardwright.game.game import Game
from cardwright.interpreter.stream import Stream
from cardwright.players.kind import FULL_TRUST
from cardwright.players.player import Decision
from cardwright.players.spec import parse_spec
from cardwright.table.setup import RulesText
from cardwright.web.process_limits import MEGABYTE, ProcessLimits
from cardwright.web.thinking import ThinkAnswer, ThinkError, Thinkers, ThinkLimits, ThinkRequest
from patience import PATIENCE

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

Result = TypeVar("Result")

WAYWARD = Path(__file__).parent / "wayward.py"
WHIST = GameRef.of("whist").data()
SEED = 5


@pytest.fixture(autouse=True)
def _wayward_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let workers load the players of a file, which no worker of a server does."""
    monkeypatch.setattr("cardwright.web.thinking._MODULE", "wayward_worker")
    monkeypatch.setenv("PYTHONPATH", str(WAYWARD.parent))


def request(table: str = "t", player: str = "random", **more: object) -> ThinkRequest:
    """Return a request for the first decision of a game of Whist."""
    basic = ThinkRequest(
        table, WHIST, SEED, (), Game.load("whist").late().start(SEED).player, 0, player
    )
    return replace(basic, **more)


def with_thinkers(
    work: Callable[[Thinkers], Awaitable[Result]], limits: ThinkLimits | None = None
) -> Result:
    """Run a test with worker processes, which are ended after it."""

    async def run() -> Result:
        thinkers = Thinkers(limits or ThinkLimits(workers=1))
        try:
            return await work(thinkers)
        finally:
            await thinkers.close()
            assert thinkers.pids() == []

    return asyncio.run(run())


def in_terminal(spec: str, count: int) -> list[int]:
    """Return the first choices of a game of Whist as the terminal's sessions play it."""
    state = Game.load("whist").start(SEED)
    made = [0] * state.game.players
    for _ in range(count):
        seat = state.player
        stream = Stream.of_decision(SEED, seat, made[seat])
        decision = Decision(seat, state.option_count, stream, state, len(state.choices))
        state.play(parse_spec(spec, FULL_TRUST).build().choose(decision))
        made[seat] += 1
    return list(state.choices)


def test_the_same_game_gets_the_same_moves() -> None:
    """A game thought out in processes is that of the terminal, also when moves were undone."""
    spec = "ismcts:iterations=60"
    expected = in_terminal(spec, 16)
    state = Game.load("whist").late().start(SEED)
    seats = []
    for choice in expected:
        seats.append(state.player)
        state.play(choice)

    async def play(thinkers: Thinkers) -> list[int]:
        found = []
        for number in [*range(16), 3, 4, 5]:  # the last three after an undo
            ordinal = seats[:number].count(seats[number])
            asked = request(
                player=spec, choices=tuple(expected[:number]), seat=seats[number], ordinal=ordinal
            )
            found.append((await thinkers.decide(asked)).choice)
        return found

    assert with_thinkers(play) == [*expected, *expected[3:6]]


def test_a_slow_player_is_stopped_and_the_answer_says_so() -> None:
    """A quick player decides in its place; for a hint there is an error, and nobody is advised."""

    async def ask(thinkers: Thinkers) -> tuple[ThinkAnswer, str, ThinkAnswer]:
        slow = request(player=f"python:{WAYWARD}:Sleepless", seconds=0.2)
        answer = await thinkers.decide(slow)
        with pytest.raises(ThinkError) as caught:
            await thinkers.decide(replace(slow, wanted="hint"))
        assert caught.value.code == "slow"
        return answer, str(caught.value), await thinkers.decide(request())

    answer, hint, after = with_thinkers(ask)
    assert answer.substitute is not None
    assert "took longer than 0.2 seconds" in answer.substitute
    assert answer.substitute.endswith("a quick player has decided instead")
    assert "took longer than 0.2 seconds" in hint
    assert after.substitute is None


def test_a_player_that_does_not_answer_is_named() -> None:
    """The error says which player it was and what was wrong, and the next request is answered."""
    wrong = [
        ("Broken", "rules", "failed: ValueError: no idea"),
        ("Lost", "rules", "answered 1000; options are 0 to 12"),
        ("Mortal", "died", "ended with exit code 3"),
        ("Greedy", "memory", "used more than 120 MB of memory"),
    ]
    limits = ThinkLimits(
        workers=1,
        process=ProcessLimits(memory=0, resident=120 * MEGABYTE, processor=0, reply=MEGABYTE),
    )

    async def ask(thinkers: Thinkers) -> None:
        for name, code, message in wrong:
            wayward = request(player=f"python:{WAYWARD}:{name}", wanted="hint")
            with pytest.raises(ThinkError, match=message) as caught:
                await thinkers.decide(wayward)
            assert caught.value.code == code
            assert name in str(caught.value)
            if code == "rules":
                continue  # a player that works, and is wrong, is not replaced
            if name == "Greedy" and not deep.asked:
                continue  # as one that has died
            answer = await thinkers.decide(replace(wayward, wanted="move"))
            assert answer.substitute is not None
            assert message in answer.substitute
        assert (await thinkers.decide(request())).choice in range(13)

    with_thinkers(ask, limits)


def test_a_process_that_dies_is_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The request is tried once more, and nobody notices; what players print is no answer."""
    monkeypatch.setenv("WAYWARD_MARK", str(tmp_path / "mark"))

    async def ask(thinkers: Thinkers) -> list[int]:
        names = ("Catlike", "Talker")
        asked = [request(player=f"python:{WAYWARD}:{name}") for name in names]
        return [(await thinkers.decide(one)).choice for one in asked]

    assert with_thinkers(ask) == [0, 1]


def test_turns_are_fair() -> None:
    """Hints come first, tables that nobody looks at last, and else who has thought least."""

    async def ask(thinkers: Thinkers) -> list[str]:
        done: list[str] = []

        async def one(table: str, **more: object) -> None:
            await thinkers.decide(request(table, "ismcts:iterations=2000", **more))
            done.append(table)

        await one("much")
        first = asyncio.ensure_future(one("running"))
        await asyncio.sleep(0)
        rest = [
            asyncio.ensure_future(one(table, **more))
            for table, more in (
                ("unwatched", {"watched": False}),
                ("much", {}),
                ("new", {}),
                ("hint", {"wanted": "hint"}),
            )
        ]
        await asyncio.gather(first, *rest)
        assert all(thinkers.used[table] > 0 for table in ("much", "new", "hint", "unwatched"))
        return done

    assert with_thinkers(ask) == ["much", "running", "hint", "new", "much", "unwatched"]


def test_requests_are_taken_back() -> None:
    """Cancelled requests, and those of a table that moved on, are dropped, running ones as well."""

    async def ask(thinkers: Thinkers) -> None:
        await thinkers.decide(request())
        endless = request("gone", f"python:{WAYWARD}:Sleepless", seconds=60)
        waits = asyncio.ensure_future(thinkers.decide(endless))
        behind = asyncio.ensure_future(thinkers.decide(request("behind")))
        queued = asyncio.ensure_future(thinkers.decide(request("queued")))
        await asyncio.sleep(0.3)
        queued.cancel()
        thinkers.forget("gone", gone=True)
        with pytest.raises(ThinkError) as caught:
            await waits
        assert caught.value.code == "overtaken"
        async with asyncio.timeout(PATIENCE):
            assert (await behind).choice in range(13)
        assert queued.cancelled()
        assert "gone" not in thinkers.used

    with_thinkers(ask)


def test_a_judgement_says_what_it_is() -> None:
    """Every option has its estimate, and what was played is compared with the choice."""

    async def ask(thinkers: Thinkers) -> list[ThinkAnswer]:
        spec = "ismcts:iterations=400"
        asked = [
            request(player=spec, wanted="hint"),
            *(request(player=spec, wanted="judge", played=played) for played in range(13)),
            request(player=f"{spec},reward=rank", wanted="hint"),
            request(player="random", wanted="hint"),
        ]
        return [await thinkers.decide(one) for one in asked]

    hint, *judged, ranked, none = with_thinkers(ask)
    (points,) = hint.estimates
    assert (points.unit.measure, points.unit.scope) == ("points", "game")
    assert all(0 <= estimate <= 13 for estimate in points.values if estimate is not None)
    assert {one.choice for one in judged} == {hint.choice}
    lost = [one.estimates[0].lost(hint.choice, played) for played, one in enumerate(judged)]
    assert lost[hint.choice] == 0
    assert max(one or 0 for one in lost) > 0
    places, _ = ranked.estimates
    assert places.unit.measure == "rank"
    assert all(error is not None for error in points.errors)
    assert points.gaps[hint.choice] == 0
    assert none.estimates == ()


def test_rules_from_elsewhere_have_a_process_of_their_own() -> None:
    """If they never come to a decision it is ended, and games of the library notice nothing."""
    fine = RulesText(hostile.FINE, "mine").data()
    endless = RulesText(hostile.LONG_SETUP, "mine").data()

    async def ask(thinkers: Thinkers) -> None:
        assert (await thinkers.decide(request(game=fine, seat=0))).choice == 0
        own = thinkers.pids()
        await thinkers.decide(request("library"))
        assert len(thinkers.pids()) == 2
        with pytest.raises(ThinkError, match="the rules took longer than 1 seconds when") as caught:
            await thinkers.decide(request("long", game=endless, seat=0))
        assert caught.value.code == "slow"
        assert set(thinkers.pids()).isdisjoint(own)
        with pytest.raises(ThinkError, match="searches need the native engine"):
            await thinkers.decide(
                request(game=fine, player="ismcts:iterations=10", choices=(0,), seat=1)
            )

    with_thinkers(ask, ThinkLimits(workers=1, native=False, loading=1))


def test_rules_from_elsewhere_can_be_compiled() -> None:
    """On one's own machine searching players play one's own rules as well."""
    fine = RulesText(hostile.FINE, "mine").data()

    async def ask(thinkers: Thinkers) -> ThinkAnswer:
        return await thinkers.decide(
            request(game=fine, player="ismcts:iterations=10", choices=(0,), seat=1)
        )

    assert with_thinkers(ask).choice in {0, 1}
