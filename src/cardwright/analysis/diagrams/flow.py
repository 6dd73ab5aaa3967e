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
    from cardwright.game.flow import Count, Flow, Spot, Way

_FILLS = {
    Openness.PUBLIC: "lightgreen",
    Openness.HIDDEN: "khaki",
    Openness.PRIVATE: "lightblue",
    Openness.COPY: "#e5e5e5",
}

_COLOURS = {
    OpennessChange.NONE: ("black", 1),
    OpennessChange.SHOWN: ("green", 3),
    OpennessChange.TAKEN: ("red", 3),
    OpennessChange.SHARED: ("blue", 3),
}

_LINES = {OpennessChange.TAKEN: LineStyle.DOTTED, OpennessChange.SHARED: LineStyle.DASHED}
"""Line styles that distinguish two colours for readers who cannot tell them apart."""

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
    clusters = [
        GraphCluster(
            owner, owner, tuple(_node(s, s in decks) for s, _ in flow.places if s.owner == owner)
        )
        for owner in owners
    ]
    edges = [
        replace(_edge(way, count, flow.games, counts, dashes), back=_begins(way[1], decks))
        for way, count in flow.ways
    ]
    key = _legend(flow, dashes) if legend else ()
    made = tuple(clusters), tuple(edges)
    many = counted_range([flow.games], "random games")
    many += "; numbers are cards a game" if counts else ""
    return Graph(title or flow.game, *made, legend=key, counted=many)


def _node(spot: Spot, deck: bool) -> GraphNode:
    openness = spot.openness
    return GraphNode(
        spot.id,
        (spot.name, str(spot.at)) if spot.at else (spot.name,),
        fill=_FILLS[openness],
        width=_DECK_BORDER if deck else 1,
        border=_border(spot),
        role=f"{spot.owner.rstrip('0123456789')} {spot.name} {spot.kind}",
        first=_begins(spot, {spot} if deck else set()),
    )


def _begins(spot: Spot, decks: set[Spot]) -> bool:
    """Say whether cards start here: in a deck that nobody sees."""
    return spot in decks and spot.openness is Openness.HIDDEN


def _border(spot: Spot) -> LineStyle:
    """Return a dotted border for memory; dashed where all but the owner see the cards."""
    if spot.openness is Openness.COPY:
        return LineStyle.DOTTED
    return LineStyle.DASHED if spot.kind == "OTHERS" else LineStyle.SOLID


def _edge(way: Way, count: Count, games: int, counts: bool, dashes: bool) -> Edge:
    kind = change(*way)
    colour, width = _COLOURS[kind]
    line = _LINES.get(kind, LineStyle.SOLID) if dashes else LineStyle.SOLID
    label = _mean(count.cards / games) if counts else ""
    return Edge(way[0].id, way[1].id, colour, width, line, label)


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
    texts = {
        Openness.PUBLIC: "seen by all",
        Openness.PRIVATE: "seen by its owner",
        Openness.HIDDEN: "seen by nobody",
        Openness.COPY: "refers to cards",
    }
    keys = [
        LegendKey(text, GraphNode("", ("",), fill=_FILLS[kind], border=_copies(kind)))
        for kind, text in texts.items()
        if kind in openness
    ]
    if any(spot.kind == "OTHERS" and spot.openness is Openness.PRIVATE for spot in spots):
        keys.append(
            LegendKey(
                "seen by all but its owner",
                GraphNode("", ("",), fill=_FILLS[Openness.PRIVATE], border=LineStyle.DASHED),
            )
        )
    keys.append(LegendKey("a deck starts here", GraphNode("", ("",), width=_DECK_BORDER)))
    said = {
        OpennessChange.NONE: "moved unseen, or copied",
        OpennessChange.SHOWN: "shown to all",
        OpennessChange.TAKEN: "taken from open cards",
        OpennessChange.SHARED: "given on unseen",
    }
    for kind, text in said.items():
        if kind in changes:
            colour, width = _COLOURS[kind]
            line = _LINES.get(kind, LineStyle.SOLID) if dashes else LineStyle.SOLID
            keys.append(LegendKey(text, Edge("", "", colour, width, line)))
    return tuple(keys)


def _copies(kind: Openness) -> LineStyle:
    return LineStyle.DOTTED if kind is Openness.COPY else LineStyle.SOLID
