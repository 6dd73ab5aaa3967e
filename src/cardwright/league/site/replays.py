"""Replays: the games of a season as data for pages that replay them trick by trick.

Pages opened from a folder may not fetch files, but they may load scripts. So the data are scripts:
`data/season.js` has the bots and a list of all games, `data/games-000000.js` and so on have the
games of one block of the records each. Choices are bytes as in `block.SeasonBlock`, in base64.
"""

from __future__ import annotations

import json
from base64 import b64encode
from typing import TYPE_CHECKING, Any

import numpy as np

from cardwright.league.block import SEATS
from cardwright.league.site.shown import shown
from cardwright.league.site.trouble import is_marked

if TYPE_CHECKING:
    from pathlib import Path

    from cardwright.league.block import BotFault
    from cardwright.league.plan import SeasonPlan
    from cardwright.league.site.part import SeasonPart

FOLDER = "data"

LISTED = np.dtype(
    [("game", "<u4"), ("seats", "<u2", SEATS), ("totals", "u1", SEATS), ("rounds", "u1"),
     ("marks", "u1"), ("notes", "u1")]
)  # fmt: skip
"""A game in the list: its number from 0, the bots' numbers in the roster, their points, the number
of rounds, and as bits which seats made faults (lower four) or forfeited (upper four), and which did
something that is only noted."""


class Replays:
    """Writes the data of games into a site's folder; at most `most` games, if given."""

    def __init__(self, site: Path, plan: SeasonPlan, most: int | None) -> None:
        self._folder = site / FOLDER
        self._folder.mkdir()
        self._plan = plan
        self._most = plan.games if most is None else most
        self._listed: list[np.ndarray[Any, Any]] = []
        self._firsts: list[int] = []
        self.games = 0

    def add(self, part: SeasonPart) -> None:
        """Write the games of some more blocks."""
        count = min(len(part.block), self._most - self.games)
        if count <= 0:
            return
        faults = [one for one in part.block.faults if one.game < part.block.first + count]
        rounds = part.tally.rounds[:count]
        data = {
            "first": part.block.first,
            "rounds": rounds.tolist(),
            "plays": _base64(part.block.plays[: rounds.sum()]),
            "faults": [_fault(one) for one in faults],
        }
        self._write(f"games-{len(self._firsts):06}.js", "block", data)
        self._firsts.append(part.block.first)
        listed = np.zeros(count, LISTED)
        listed["game"] = part.block.first + np.arange(count)
        listed["seats"], listed["totals"] = part.seats[:count], part.tally.totals[:count]
        listed["rounds"] = rounds
        for one in faults:
            seat = 1 << one.seat
            marks = seat | one.forfeit * seat << SEATS if is_marked(one) else 0
            listed["marks"][one.game - part.block.first] |= marks
            listed["notes"][one.game - part.block.first] |= 0 if marks else seat
        self._listed.append(listed)
        self.games += count

    def has(self, game: int) -> bool:
        """Say whether a game, counted from 0, can be replayed."""
        return any(len(one) and one["game"][0] <= game <= one["game"][-1] for one in self._listed)

    def finish(self) -> None:
        """Write the list of all games; call it once all are added."""
        plan = self._plan
        data = {
            "name": shown(plan.name),
            "firsts": self._firsts,
            "bots": [[shown(bot.name), shown(bot.author)] for bot in plan.bots],
            "games": _base64(np.concatenate([np.zeros(0, LISTED), *self._listed])),
        }
        self._write("season.js", "season", data)

    def _write(self, name: str, kind: str, data: dict[str, Any]) -> None:
        # Only ASCII: no character of a bot's name or message can end or break a script.
        text = json.dumps(data, separators=(",", ":"), ensure_ascii=True).replace("<", "\\u003c")
        line = f"cardwright.{kind}({text});\n"
        (self._folder / name).write_bytes(line.encode("ascii"))


def _fault(fault: BotFault) -> list[Any]:
    """Return a fault in the format that the pages read."""
    return [
        fault.game, fault.seat, fault.round, fault.turn, shown(fault.kind), shown(fault.message),
        int(fault.counts), int(fault.forfeit),
    ]  # fmt: skip


def _base64(array: np.ndarray[Any, Any]) -> str:
    return b64encode(np.ascontiguousarray(array).tobytes()).decode("ascii")
