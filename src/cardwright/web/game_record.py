"""Records of games: what is kept of a finished game for who played it, and what it adds up to."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from cardwright.game.errors import override_text
from cardwright.library.catalogue import people_name
from cardwright.statistics.intervals import Sample, mean_interval, share_interval
from cardwright.table.setup import RulesText
from cardwright.web.game_facts import strength_of
from cardwright.web.table_request import OWN_RULES

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from cardwright.table.setup import TableSetup
    from cardwright.web.stored import RecordedGame, StoredCommand

    Told = Mapping[str, Any]

_LATELY = 10
"""Games of which the share of wins is drawn over time."""

_LONGEST = 300
"""The most characters of the options that a game was played with."""

PEOPLE, MIXED = "People", "Mixed"
"""What opponents are called who are people, or of several strengths."""


def why_not_counted(setup: TableSetup, commands: Iterable[StoredCommand], seat: int) -> str | None:
    """Return why the game of a seat is in no record; None if it can be."""
    if setup.practice:
        return "games in practice are not counted"
    if isinstance(setup.game, RulesText) and setup.game.name == OWN_RULES:
        return "games by rules that were sent as a text are not counted"
    done = (one for one in commands if one.request["do"] == "choose")
    own = [one.by == seat for one in done if one.request["seat"] == seat]
    if 2 * sum(own) < len(own):
        return "a computer player has made most of your choices, so the game is not counted"
    return None


def told_of_game(
    setup: TableSetup, scene: Told, feats: Mapping[str, Sequence[int]], seat: int
) -> dict[str, Any]:
    """Return what is kept of a finished game, of which a seat sees this last scene."""
    seats, over = scene["seats"], scene["over"]
    own = seats[seat]
    others = [
        one
        for one in seats
        if one["seat"] != seat and (own["team"] is None or one["team"] != own["team"])
    ]
    preset = [] if setup.preset is None else [setup.preset]
    options = (f"{name} = {override_text(value)}" for name, value in setup.game.declared)
    return {
        "ended": datetime.now(UTC).isoformat(timespec="seconds"),
        "game": setup.game.name,
        "title": people_name(setup.game.name),
        "variant": ", ".join((*preset, *options))[:_LONGEST],
        "name": "" if own["name"] == f"Player {seat + 1}" else own["name"],
        "seats": len(seats),
        "place": over["ranks"][seat] + 1,
        "won": _won(over["ranks"], seat, others),
        "score": over["scores"][seat],
        "higher_wins": scene["sheet"]["higher_wins"],
        "deals": len(scene["sheet"]["deals"]),
        "feats": {name: counts[seat] for name, counts in feats.items()},
        "opponents": [{"name": one["name"], "player": one["player"]} for one in others],
    }


def _won(ranks: Sequence[int], seat: int, others: Sequence[Told]) -> bool | None:
    """Return whether a seat has won: a shared first place counts, unless everybody shares it."""
    if not others:
        return None
    return ranks[seat] == 0 and any(ranks[one["seat"]] > 0 for one in others)


def opponents_of(told: Told) -> str:
    """Return what the opponents in a game are called together."""
    players = {one["player"] for one in told["opponents"]}
    called = {PEOPLE if player is None else strength_of(player) for player in players}
    return called.pop() if len(called) == 1 else MIXED if called else ""


# What games add up to -------------------------------------------------------------------------


@dataclass(frozen=True)
class Standing:
    """How often somebody has won: so many games, wins in a row until now, and the longest row.

    `low` and `high` are the ends of the interval of the share of wins; one game has none. Games of
    a player alone, which nobody wins, are not among them.
    """

    games: int
    won: int
    streak: int
    longest: int
    low: float | None
    high: float | None

    @classmethod
    def of(cls, games: Iterable[Told]) -> Standing:
        """Return the standing after some games, in order."""
        outcomes = [game["won"] for game in games if game["won"] is not None]
        streak = longest = 0
        for won in outcomes:
            streak = streak + 1 if won else 0
            longest = max(longest, streak)
        won = sum(outcomes)
        share = share_interval(Sample.of_sums(len(outcomes), won, won))
        return cls(len(outcomes), won, streak, longest, share.low, share.high)

    def data(self) -> dict[str, float | None]:
        """Return this as a JSON object."""
        return dict(vars(self))


def summary(games: Sequence[Told]) -> list[dict[str, Any]]:
    """Return what the games of each kind add up to, those played most first.

    Games are of a kind if they are the same game with the same options.
    """
    kinds: dict[tuple[str, str], list[Told]] = {}
    for told in games:
        kinds.setdefault((told["game"], told["variant"]), []).append(told)
    return [_kind(those) for those in sorted(kinds.values(), key=len, reverse=True)]


def _kind(games: Sequence[Told]) -> dict[str, Any]:
    last = games[-1]
    places = Counter(told["place"] for told in games)
    feats: Counter[str] = Counter()
    by_opponents: dict[str, list[Told]] = {}
    for told in games:
        feats.update(told["feats"])
        by_opponents.setdefault(opponents_of(told), []).append(told)
    return {
        **{name: last[name] for name in ("game", "title", "variant", "higher_wins")},
        "games": len(games),
        "standing": Standing.of(games).data(),
        "places": [places[place] for place in range(1, max(told["seats"] for told in games) + 1)],
        "feats": dict(feats),
        **_means(games),
        "against": [
            {
                "opponents": name,
                "games": len(those),
                "standing": Standing.of(those).data(),
                **_means(those),
            }
            for name, those in sorted(by_opponents.items())
        ],
        "course": _course(games),
    }


def _means(games: Sequence[Told]) -> dict[str, float | None]:
    """Return the mean score of a game with its interval, and that of a deal, if games have several.

    How much deals differ is not known: of a game only its score is.
    """
    scores, deals = [told["score"] for told in games], sum(told["deals"] for told in games)
    total, squares = sum(scores), sum(score**2 for score in scores)
    mean = mean_interval(Sample.of_sums(len(games), total, squares))
    a_deal = total / deals if deals > len(games) else None
    return {"score": mean.mean, "low": mean.low, "high": mean.high, "a_deal": a_deal}


def _course(games: Sequence[Told]) -> list[dict[str, Any]]:
    """Return after each game its score, and the share of wins among the last ones."""
    course = []
    for number, told in enumerate(games, 1):
        lately = Standing.of(games[max(0, number - _LATELY) : number])
        share = lately.won / lately.games if lately.games else None
        course.append({"score": told["score"], "won_lately": share})
    return course


def entry(game: RecordedGame) -> dict[str, Any]:
    """Return a game as a record lists it."""
    place = f"{game.table}.{game.seat}"
    return {"id": place, **game.told, "against": opponents_of(game.told)}
