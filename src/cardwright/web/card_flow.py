"""The flow of cards in a game: the diagram on its page, and the same in sentences.

The sentences are for those who do not see the diagram. Seats that play alike are told together.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from cardwright.analysis.diagrams.drawing import svg_of
from cardwright.analysis.diagrams.flow import flow_graph
from cardwright.arena.effect_replay import FlowCounts, at_random
from cardwright.game.flow import TABLE, Openness
from cardwright.game.seeds import game_seeds

if TYPE_CHECKING:
    from cardwright.game.flow import Flow, Spot
    from cardwright.game.game import Game
    from cardwright.web.worker_loop import Steps

GAMES = 12
"""Random games whose cards are followed, by the interpreter."""

_SEED = 1
_SEEN = {
    Openness.PUBLIC: "seen by all",
    Openness.PRIVATE: "seen by its owner",
    Openness.HIDDEN: "seen by nobody",
    Openness.COPY: "a note of cards",
}


def card_flow(game: Game, title: str, games: int = GAMES) -> Steps:
    """Return the diagram of a game as SVG, and its ways as sentences, the busiest first.

    Raises GameError if every game breaks a rule.
    """
    counts = FlowCounts(game)
    for rollout in at_random(game_seeds(_SEED, games)):
        counts.add(rollout)
        yield
    flow = counts.flow()
    graph = flow_graph(flow, title, counts=True, legend=True, dashes=True)
    return {"svg": svg_of(graph), "words": list(flow_words(flow)), "games": flow.games}


def flow_words(flow: Flow) -> list[str]:
    """Return a sentence for each way of cards, seats taken together."""
    cards: Counter[tuple[str, str]] = Counter()
    for (source, target), count in flow.ways:
        same = source.owner == target.owner and source.owner != TABLE
        other = source.owner != target.owner and TABLE not in {source.owner, target.owner}
        cards[_place(source), _place(target, same=same, other=other)] += count.cards
    return [
        f"From {source} to {target}: {_mean(count / flow.games)} a game."
        for (source, target), count in cards.most_common()
    ]


def _place(spot: Spot, *, same: bool = False, other: bool = False) -> str:
    """Return a place as a phrase, such as `a player's HAND (seen by its owner)`.

    Piles of one name that are told apart by a number only are one place.
    """
    if spot.owner == TABLE:
        whose = "the table's"
    else:
        kind = "player" if spot.owner.startswith("p") else "team"
        whose = f"the same {kind}'s" if same else f"{'another' if other else 'a'} {kind}'s"
    return f"{whose} {spot.name} ({_SEEN[spot.openness]})"


def _mean(cards: float) -> str:
    text = f"{cards:.1f}".removesuffix(".0") if cards >= 0.1 else f"{cards:.2g}"
    return f"{text} card" if text == "1" else f"{text} cards"
