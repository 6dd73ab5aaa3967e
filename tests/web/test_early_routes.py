"""Early choices over the wire: what others are sent has nothing of them, and nobody forges one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from in_process import InProcessClient, in_process, thinking_here
from seated import PERSON, RANDOM, Seated, table

from cardwright.web.limits import Limits

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

PASSING = {"preset": "standard", "options": {"PASS": 1}}


@pytest.fixture(scope="module")
def client() -> Iterator[InProcessClient]:
    with thinking_here(), in_process(own_limits=Limits(requests=1e6, burst=10**6)) as made:
        yield made


def _hearts(client: InProcessClient) -> tuple[list[Seated], Seated | None]:
    return table(client, "hearts", PERSON, PERSON, PERSON, RANDOM, **PASSING)


def test_what_others_are_sent_is_the_same_whatever_was_chosen(client: InProcessClient) -> None:
    """To the byte, for those who play and those who watch, until the rules show the card."""
    sent = []
    for option in (0, 12):
        (ann, bo, cy), watch = _hearts(client)
        assert watch is not None
        names = {seat["seat"]: seat["name"] for seat in ann.look()["scene"]["seats"]}
        assert cy.post("choose", number=2, option=option).is_success
        assert cy.look()["scene"]["early"]["chosen"] == option
        looks = [client.get(one.api).text for one in (ann, bo, watch)]
        ann.post("choose", number=0, option=3)
        looks += [client.get(one.api).text for one in (ann, bo, watch)]
        sent.append([look.replace(names[3], "Computer") for look in looks])
        assert ann.look()["scene"]["choosing"] == [1]
    assert sent[0] == sent[1]


def test_nobody_forges_an_early_choice(client: InProcessClient) -> None:
    """The seat is that of the link, the option must exist, and the decision be one's own next."""
    (ann, bo, cy), watch = _hearts(client)
    assert watch is not None
    before = cy.look()
    assert ann.code("choose", number=2, option=0) == "stale"
    assert bo.code("choose", number=2, option=0) == "stale"
    assert bo.code("choose", number=0, option=0) == "not-your-turn"
    assert cy.code("choose", number=2, option=13) == "illegal-option"
    assert cy.code("choose", number=2, option=-1) == "invalid"
    assert cy.code("choose", number=6, option=0) == "stale"
    assert cy.code("choose", number=2, option=0, seat=1) == "invalid"
    assert watch.code("choose", number=2, option=0) == "not-allowed"
    assert watch.code("reconsider", number=2) == "not-allowed"
    assert ann.code("reconsider", number=2) == "stale"
    assert cy.code("reconsider", number=2) == "stale"
    assert cy.look() == before


def test_an_early_choice_is_played_after_the_server_was_started_anew(tmp_path: Path) -> None:
    """It is kept on the disk before anybody is told that it was made."""
    limits = Limits(requests=1e6, burst=10**6)
    with thinking_here(), in_process(own_limits=limits, data=tmp_path) as client:
        (ann, bo, cy), _ = _hearts(client)
        cy.post("choose", number=2, option=4)
    with thinking_here(), in_process(own_limits=limits, data=tmp_path) as client:
        ann, bo, cy = (Seated(client, one.api) for one in (ann, bo, cy))
        assert cy.look()["scene"]["early"]["chosen"] == 4
        for seat, one in enumerate((ann, bo)):
            assert one.post("choose", number=seat, option=seat).is_success
        assert cy.look()["scene"]["number"] >= 3
