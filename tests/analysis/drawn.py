"""What tests of diagrams share: games, goldens, and how pictures are read.

With CARDWRIGHT_GOLDENS=write in the environment the golden files are written anew instead of being
compared; look at the differences before keeping them.
"""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from cardwright import Game
from cardwright.analysis.diagrams.graph import Graph, GraphCluster, NodeShape
from cardwright.analysis.diagrams.picture import Outline, Picture
from cardwright.arena.effect_replay import at_random, record_flow
from cardwright.game import game_seeds

if TYPE_CHECKING:
    from cardwright.game.flow import Flow

GOLDENS = Path(__file__).parent / "goldens"

VALET = [
    "agram",
    "blackjack",
    "crazyeights",
    "cribbage",
    "cuckoo",
    "euchre",
    "gofish",
    "golfsix",
    "goofspiel",
    "hearts",
    "klaverjassen",
    "leduc",
    "pitch",
    "president",
    "rummy",
    "scarto",
    "schwimmen",
    "scopa",
    "skitgubbe",
    "sueca",
    "whist",
]

PEEPING = """
(game
  (setup (create players 2) (create teams (0) (1))
    (create deck (game iloc STOCK) (deck (RANK (A, K, Q, J)))))
  (do (
    (shuffle (game iloc STOCK))
    (all player 'P (move (top (game iloc STOCK)) (top ('P iloc HAND))))))
  (stage player
    (end (all player 'P (== (size ('P iloc HAND)) 0)))
    (choice (
      (any ((current player) iloc HAND) 'C (move 'C (top ((current player) oloc BROW)))))))
  (all player 'P
    (do (
      (remember (top ('P oloc BROW)) (top (game mem SEEN)))
      (move (top ('P oloc BROW)) (bottom (game hloc PIT))))))
  (scoring max ((current player) sto WON)))
"""
"""A game in which everybody sees what the others hold before their brows, then nobody does."""


@cache
def loaded(name: str) -> Game:
    return Game.load(name, engine="interpreter")


@cache
def flow_of(name: str, games: int = 1, seed: int = 1) -> Flow:
    return record_flow(loaded(name), at_random(game_seeds(seed, games)))


def check_golden(name: str, text: str) -> None:
    """Compare a text with a golden file, or write it."""
    file = GOLDENS / name
    if os.environ.get("CARDWRIGHT_GOLDENS") == "write":
        file.write_text(text, encoding="utf-8")
    assert text == file.read_text(encoding="utf-8")


def clusters(graph: Graph) -> list[GraphCluster]:
    """Return all boxes of a graph, outer ones first."""
    pending, found = list(graph.items), []
    while pending:
        item = pending.pop(0)
        if isinstance(item, GraphCluster):
            found.append(item)
            pending.extend(item.items)
    return found


def outlines(picture: Picture) -> dict[str, Outline]:
    """Return the shapes of a picture that have names."""
    return {item.name: item for item in picture.items if isinstance(item, Outline) and item.name}


def overlap(one: Outline, other: Outline) -> bool:
    wide = (one.width + other.width) / 2 - abs(one.centre.x - other.centre.x)
    high = (one.height + other.height) / 2 - abs(one.centre.y - other.centre.y)
    return wide > 0.01 and high > 0.01 and NodeShape.PLAIN not in {one.shape, other.shape}


def holds(box: Outline, inner: Outline) -> bool:
    return (
        abs(inner.centre.x - box.centre.x) + inner.width / 2 <= box.width / 2 + 0.01
        and abs(inner.centre.y - box.centre.y) + inner.height / 2 <= box.height / 2 + 0.01
    )


def within_picture(picture: Picture) -> bool:
    """Say whether all shapes lie within a picture."""
    return all(
        item.width / 2 <= item.centre.x <= picture.width - item.width / 2
        and item.height / 2 <= item.centre.y <= picture.height - item.height / 2
        for item in picture.items
        if isinstance(item, Outline)
    )
