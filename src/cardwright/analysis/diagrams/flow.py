"""Information-flow diagrams: where cards lie, who sees them there, and how they move.

The style is that of the diagrams on the pages of the Valet games: a box for each owner, a fill
for who sees the cards of a location, a thick border where a deck starts, and a colour for how a
card's visibility changes along the edge. Many rollouts give the union of their diagrams.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from cardwright.analysis.diagrams.graph import (
    Edge,
    Graph,
    GraphCluster,
    GraphNode,
    LegendKey,
    LineStyle,
)
from cardwright.game.flow import Openness, OpennessChange, change
from cardwright.publication.figures import counted_range

if TYPE_CHECKING:
    from cardwright.game.flow import Flow, Spot

_PLACES = {
    Openness.PUBLIC: ("lightgreen", "seen by all"),
    Openness.PRIVATE: ("lightblue", "seen by its owner"),
    Openness.HIDDEN: ("khaki", "seen by nobody"),
    Openness.COPY: ("#e5e5e5", "refers to cards"),
}
"""The fill for who sees the cards of a location, and its words in a legend."""

_WAYS = {
    OpennessChange.NONE: ("black", 1, LineStyle.SOLID, "moved unseen, or copied"),
    OpennessChange.SHOWN: ("green", 3, LineStyle.SOLID, "shown to all"),
    OpennessChange.TAKEN: ("red", 3, LineStyle.DOTTED, "taken from open cards"),
    OpennessChange.SHARED: ("blue", 3, LineStyle.DASHED, "given on unseen"),
}
"""The colour, width and words for a change of visibility, and a line style that distinguishes it
for readers who cannot tell colours apart."""

_DECK_BORDER = 3


def flow_graph(
    flow: Flow,
    title: str | None = None,
    *,
    counts: bool = False,
    legend: bool = False,
    dashes: bool = False,
) -> Graph:
    """Return the information-flow diagram of the games of a flow.

    `title` is the game's name unless given. `counts` labels each edge with the cards that moved
    along it per game, averaged over all games. `legend` explains the fills, borders and colours.
    `dashes` dots the edges of cards that are taken and dashes those of cards that are shared, for
    readers who cannot see their colours; the published diagrams draw all edges solid.
    """
    decks = set(flow.decks)
    owners = dict.fromkeys(spot.owner for spot, _ in flow.places)
    clusters = tuple(
        GraphCluster(
            owner,
            owner,
            tuple(_node(spot, spot in decks) for spot, _ in flow.places if spot.owner == owner),
        )
        for owner in owners
    )
    edges = []
    for (source, target), count in flow.ways:
        label = _mean(count.cards / flow.games) if counts else ""
        edge = _edge(change(source, target), dashes, source.id, target.id, label)
        edges.append(replace(edge, back=target in decks and target.openness is Openness.HIDDEN))
    many = counted_range([flow.games], "random games")
    many += "; numbers are cards a game" if counts else ""
    keys = _legend(flow, dashes) if legend else ()
    return Graph(title or flow.game, clusters, tuple(edges), legend=keys, counted=many)


def _node(spot: Spot, deck: bool) -> GraphNode:
    """Return a location: its border is dotted for memory, dashed where all but the owner see it."""
    border = LineStyle.DASHED if spot.kind == "OTHERS" else LineStyle.SOLID
    return GraphNode(
        spot.id,
        (spot.name, str(spot.at)) if spot.at else (spot.name,),
        fill=_PLACES[spot.openness][0],
        width=_DECK_BORDER if deck else 1,
        border=LineStyle.DOTTED if spot.openness is Openness.COPY else border,
        role=f"{spot.owner.rstrip('0123456789')} {spot.name} {spot.kind}",
        first=deck and spot.openness is Openness.HIDDEN,
    )


def _edge(
    kind: OpennessChange, dashes: bool, source: str = "", target: str = "", label: str = ""
) -> Edge:
    colour, width, line, _ = _WAYS[kind]
    return Edge(source, target, colour, width, line if dashes else LineStyle.SOLID, label)


def _mean(value: float) -> str:
    """Return a mean with as many digits as are meaningful."""
    if value == round(value):
        return str(round(value))
    return f"{value:.1f}" if value >= 0.1 else f"{value:.2g}"


def _legend(flow: Flow, dashes: bool) -> tuple[LegendKey, ...]:
    """Return an entry for each kind of location and of edge that the flow has."""
    spots = [spot for spot, _ in flow.places]
    openness = {spot.openness for spot in spots}
    changes = {change(*way) for way, _ in flow.ways}
    keys = []
    for kind, (fill, text) in _PLACES.items():
        if kind in openness:
            border = LineStyle.DOTTED if kind is Openness.COPY else LineStyle.SOLID
            keys.append(LegendKey(text, GraphNode("", ("",), fill=fill, border=border)))
    if any(spot.kind == "OTHERS" and spot.openness is Openness.PRIVATE for spot in spots):
        fill = _PLACES[Openness.PRIVATE][0]
        mark = GraphNode("", ("",), fill=fill, border=LineStyle.DASHED)
        keys.append(LegendKey("seen by all but its owner", mark))
    keys.append(LegendKey("a deck starts here", GraphNode("", ("",), width=_DECK_BORDER)))
    for way, (*_, text) in _WAYS.items():
        if way in changes:
            keys.append(LegendKey(text, _edge(way, dashes)))
    return tuple(keys)
