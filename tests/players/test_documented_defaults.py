"""The pages on players give the defaults that the players have."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import cardwright.bidding.kinds
import cardwright.hearts.kinds  # noqa: F401 - makes its players known
from cardwright.players.kind import KINDS

DOCS = Path(__file__).parents[2] / "docs"
SECTIONS = {
    "pimc": ("players.md", "Flat Monte Carlo: `pimc`", ""),
    "bandit": ("players.md", "Multi-armed bandit: `bandit`", ""),
    "ismcts": ("players.md", "Tree search: `ismcts`, `pimc-uct`, `mcts-cheating`", ""),
    "pimc-uct": (
        "players.md", "Tree search: `ismcts`, `pimc-uct`, `mcts-cheating`", "`pimc-uct` grows"
    ),
    "bridge": ("players.md", "Auctions: `bridge` and `skat`", ""),
    "skat": ("players.md", "Auctions: `bridge` and `skat`", ""),
    "expert": ("hearts-players.md", "The expert", ""),
    "cardstock-pipmc": ("players.md", "CardStock's players", "`cardstock-pipmc`"),
    "cardstock-pipmcnew": ("players.md", "CardStock's players", "`cardstock-pipmcnew`"),
    "cardstock-mcts": ("players.md", "CardStock's players", "`cardstock-mcts`"),
}  # fmt: skip
"""Where the parameters of a player are: page, heading, and the row or paragraph about it alone."""

WITH_OTHERS = {"mcts-cheating": "it takes what `ismcts` takes, in whose section it is"}
"""Players with parameters that have no section of their own, with the reason."""


def section(player: str) -> str:
    """Return what a page says of a player: what is about it alone first, then tables."""
    page, heading, own = SECTIONS[player]
    text = (DOCS / page).read_text("utf-8")
    whole = text.split(f"\n## {heading}\n")[1].split("\n## ")[0]
    rows = [line for line in whole.splitlines() if line.startswith("| ")]
    if not own:
        return "\n".join([*rows, whole])
    row = [line for line in rows if line.startswith(f"| {own}")]
    return "\n".join(row or [*(p for p in whole.split("\n\n") if p.startswith(own)), *rows])


@pytest.mark.parametrize("player", SECTIONS)
def test_defaults_are_those_of_the_pages(player: str) -> None:
    """Every parameter of a player stands in its section, first with the default that it has."""
    text = section(player)
    written: dict[str, str] = {}
    for name, value in re.findall(r"`([a-z_]+)=([^`]+)`", text):
        written.setdefault(name, value)
    for parameter in KINDS[player].parameters:
        given = written.pop(parameter.name, None)
        if given is None:
            assert f"`{parameter.name}`" in text, parameter.name
        elif given != "N":
            assert parameter.value(given, player) == parameter.default, parameter.name
    everyone = {one.name for kind in KINDS.values() for one in kind.parameters}
    assert written.keys() <= everyone


def test_every_player_with_parameters_has_a_section() -> None:
    """Players without one are described in that of another, or say it in their row of the table."""
    for name, kind in KINDS.items():
        told = len(kind.parameters) < 2 or name in SECTIONS or name in WITH_OTHERS
        assert told, (
            f"{name} needs a section in docs/players.md, and a row in SECTIONS of this file"
        )
