"""What is said of players before they play: what they do not see, or that they cannot play."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from cardwright import Game, player
from cardwright.arena.entrants import cautions, entrant_of
from cardwright.bidding.auctions import UnknownAuctionError
from cardwright.game.errors import EngineError
from cardwright.hearts.family import NotHeartsError
from cardwright.players.kind import NO_TRUST
from cardwright.players.player import RandomPlayer

if TYPE_CHECKING:
    from pathlib import Path


def said(name: str, spec: str, **declared: object) -> str:
    game = Game.load(name, engine="interpreter", **declared)
    return " ".join(cautions(game, [player(spec)]))


@pytest.mark.parametrize(
    ("name", "spec", "declared", "words"),
    [
        ("knaves", "rule", {}, "rule in knaves: tricks count for who takes them"),
        ("slobberhannes", "rule", {}, r"the first trick \(\+1\) and the last trick \(\+1\)"),
        ("hearts", "hierarchy", {"EACHTRICK": -1}, r"each trick \(-1\)"),
        ("hearts", "hierarchy:plain", {"preset": "omnibus"}, "leaves the jack of diamonds"),
    ],
)
def test_what_players_do_not_see(
    name: str, spec: str, declared: dict[str, object], words: str
) -> None:
    assert re.search(words, said(name, spec, **declared))


@pytest.mark.parametrize(
    ("name", "spec", "declared"),
    [
        ("hearts", "rule", {}),
        ("hearts", "rule", {"preset": "omnibus"}),
        ("hearts", "hierarchy", {"preset": "spot_online"}),
        ("hearts", "hierarchy:plain", {}),
        ("hearts", "lowest", {"preset": "omnibus"}),
        ("polignac", "rule", {}),
        ("whist", "random", {}),
        ("bridge", "bridge", {}),
        ("skat", "skat", {}),
    ],
)
def test_nothing_is_said_where_they_see_it_all(
    name: str, spec: str, declared: dict[str, object]
) -> None:
    assert said(name, spec, **declared) == ""


@pytest.mark.parametrize(
    ("name", "spec", "error"),
    [
        ("whist", "rule", NotHeartsError),
        ("whist", "lowest", NotHeartsError),
        ("whist", "expert", NotHeartsError),
        ("whist", "bridge", UnknownAuctionError),
        ("bridge", "skat", UnknownAuctionError),
        ("whist", "ismcts", EngineError),
        ("hearts", "expert", EngineError),
    ],
)
def test_who_cannot_play_is_refused(name: str, spec: str, error: type[Exception]) -> None:
    with pytest.raises(error):
        said(name, spec)


def test_each_is_asked_once_and_players_of_ones_own_never(tmp_path: Path) -> None:
    """Nothing of a file is made for that."""
    file = tmp_path / "mine.py"
    file.write_text("class Mine:\n    def choose(self, decision):\n        return 0\n")
    game = Game.load("knaves", engine="interpreter")
    rule, own = player("rule"), player(f"python:{file}:Mine")
    file.write_text("raise RuntimeError\n")
    assert len(cautions(game, [rule, own, entrant_of(RandomPlayer, NO_TRUST), rule])) == 1
