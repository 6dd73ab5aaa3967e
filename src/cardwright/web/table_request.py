"""Requests for tables: what may be asked for, and the setup that follows."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from cardwright.arena.entrants import cautions, parse_spec
from cardwright.game.errors import CardwrightError
from cardwright.game.seeds import GAME_BITS, drawn_seed
from cardwright.players.kind import NO_TRUST
from cardwright.table.opponents import PATIENT, PATIENT_HINTS, default_hint, default_player
from cardwright.table.setup import WATCHES, RulesText, SeatSetup, TableSetup, given_names
from cardwright.web.game_facts import json_value
from cardwright.web.limits import checked_player
from cardwright.web.refusal import Refusal
from cardwright.web.schema import fields, listed, natural, nullable, number, one_of, text
from cardwright.web.shelf import declared_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardwright.arena.plan import GameRef
    from cardwright.game.game import Game
    from cardwright.web.limits import Limits
    from cardwright.web.shelf import GameShelf

MOST_SEATS = 16
MOST_PACE = 10.0
_NAME = 40
OWN_RULES = "your rules"
"""What rules are called that were given as a text."""

_INTERPRETED = "pimc:rollouts=5", "pimc:rollouts=20"
"""The opponents and the player for hints where rules that were sent are not compiled."""

_COMPILED = {"ismcts", "pimc-uct", "expert"}
"""Players that search trees by machine code."""

_VALUE = {"anyOf": [text(500), {"type": "integer"}, {"type": "boolean"}]}

SEAT = fields(
    {"kind": one_of("person", "computer", "empty", words="empty: for whoever is invited")},
    {
        "player": nullable(text(200, "a computer player, such as ismcts:iterations=100")),
        "name": nullable(text(_NAME, "its name; drawn for computer players without one")),
    },
)
TABLE_REQUEST = fields(
    {},
    {
        "game": text(200, "the name of a game, as /api/games has it"),
        "source": text(2**20, "rules in RECYCLE, instead of a game"),
        "preset": nullable(text(100, "a named variant of the game")),
        "options": {
            "type": "object",
            "maxProperties": 100,
            "additionalProperties": _VALUE,
            "description": "other values for its constants",
        },
        "seats": listed(SEAT, MOST_SEATS, "who plays; a person against computer players if not"),
        "pace": number(0, MOST_PACE, "seconds between moves of computer players: 1"),
        "practice": {"type": "boolean", "description": "whether moves can be taken back"},
        "watch": one_of(*WATCHES, words="what spectators see: public"),
        "listed": {
            "type": "boolean",
            "description": "whether the first page leads spectators there: false",
        },
        "seed": nullable(
            text(
                20,
                "the cards: a number below 2 to the power of 64; drawn without it, and always "
                "where several people play",
            )
        ),
    },
)

AGAIN = {
    "preset": text(100, "another variant of the game"),
    "player": text(200, "who plays in the seats of computer players"),
}
"""What may be asked for otherwise when the same people play again."""


def table_setup(wanted: dict[str, Any], shelf: GameShelf, limits: Limits) -> TableSetup:
    """Return the setup of a table that was asked for; raises Refusal."""
    if ("game" in wanted) == ("source" in wanted):
        raise Refusal("invalid", "name a `game`, or send the `source` of rules: one of the two")
    if "source" in wanted:
        return _of_source(wanted, limits)
    rules, game = shelf.rules(wanted["game"], wanted.get("preset"), wanted.get("options"))
    seats = wanted.get("seats") or _usual(game.players)
    if len(seats) != game.players:
        raise Refusal(
            "invalid", f"{game.name} has {game.players} seats here, and {len(seats)} are given"
        )
    setup = _setup(wanted, rules, seats, (default_player(game), default_hint(game)), limits)
    _check_players(game, setup)
    return setup


def _check_players(game: Game, setup: TableSetup) -> None:
    """Raise Refusal for a computer player that cannot play the game."""
    try:
        cautions(
            game,
            [parse_spec(seat.player, NO_TRUST) for seat in setup.seats if seat.kind == "computer"],
        )
    except CardwrightError as error:
        raise Refusal("invalid", str(error)) from None


def _of_source(wanted: dict[str, Any], limits: Limits) -> TableSetup:
    """Return the setup for rules that were sent, which are not read here: they may be hostile."""
    source = wanted["source"]
    if len(source.encode()) > limits.source:
        raise Refusal("too-large", f"the rules are too large: {limits.source:,} bytes are allowed")
    if wanted.get("preset") is not None:
        raise Refusal("invalid", "rules that are sent have no presets: set `options`")
    if not wanted.get("seats"):
        raise Refusal("invalid", "say who plays by these rules: give `seats`, one a player")
    declared = tuple(declared_of(wanted.get("options") or {}).items())
    rules = RulesText(source, OWN_RULES, declared)
    usual = (PATIENT, PATIENT_HINTS) if limits.compiled else _INTERPRETED
    setup = _setup(wanted, rules, wanted["seats"], usual, limits)
    if not limits.compiled:
        for player in setup.players:
            if player.partition(":")[0] in _COMPILED:
                raise Refusal(
                    "invalid",
                    f"{player} plays compiled rules only, and those that are sent to this server "
                    "are not compiled: take `random` or `pimc`",
                )
    return setup


def _setup(
    wanted: dict[str, Any],
    rules: GameRef | RulesText,
    seats: list[dict[str, Any]],
    usual: tuple[str, str],
    limits: Limits,
) -> TableSetup:
    """Return the setup with `usual` players for opponents, and for hints."""
    if wanted.get("seed") is not None and sum(seat["kind"] != "computer" for seat in seats) > 1:
        raise Refusal(
            "invalid",
            "with several people at a table its cards are drawn by lot, since whoever chose the "
            "seed would know all hands: leave `seed` out",
        )
    seed = seed_of(wanted.get("seed"))
    opponent, hint = usual
    return TableSetup(
        rules,
        seed,
        _seats(seats, opponent, limits),
        bool(wanted.get("practice", False)),
        hint,
        wanted.get("watch", "public"),
        float(wanted.get("pace", 1.0)),
    )


def next_setup(
    setup: TableSetup,
    seats: Sequence[SeatSetup],
    wanted: dict[str, Any],
    shelf: GameShelf,
    limits: Limits,
) -> TableSetup:
    """Return the setup of another game for those in these seats, otherwise as far as asked for.

    Raises Refusal.
    """
    if "player" in wanted:
        player = checked_player(wanted["player"], limits)
        seats = [replace(one, player=player) if one.kind == "computer" else one for one in seats]
    rules = setup.game
    if "preset" in wanted:
        rules, game = shelf.rules(rules.name, wanted["preset"])
        if game.players != len(seats):
            raise Refusal(
                "invalid",
                f"{wanted['preset']} has {game.players} seats, and {len(seats)} have "
                "played: set up another table for it",
            )
    found = replace(setup, game=rules, seed=drawn_seed(GAME_BITS), seats=tuple(seats))
    if not isinstance(rules, RulesText):
        _check_players(rules.load(), found)
    return found


def deal_of(setup: TableSetup, seat: int) -> dict[str, Any]:
    """Return the request for a table of one person, in a seat, with the rules and cards of another.

    Rules that are a file of the site are sent as well as named: it may be another site.
    """
    rules = setup.game
    sent = {"source": rules.text} if isinstance(rules, RulesText) else {}
    return {
        "game": rules.name,
        **sent,
        "preset": setup.preset,
        "options": {name: json_value(value) for name, value in rules.declared},
        "seats": [
            {"kind": "person"}
            if at == seat
            else {"kind": "computer", "player": one.player or setup.hint}
            for at, one in enumerate(setup.seats)
        ],
        "seed": str(setup.seed),
    }


def _usual(players: int) -> list[dict[str, Any]]:
    return [{"kind": "person"}, *({"kind": "computer"} for _ in range(players - 1))]


def _seats(seats: list[dict[str, Any]], opponent: str, limits: Limits) -> tuple[SeatSetup, ...]:
    taken = [name for seat in seats if (name := checked_name(seat.get("name") or ""))]
    unnamed = [seat for seat in seats if seat["kind"] == "computer" and not seat.get("name")]
    # Names say something about what they are drawn from, so that it is not the game's seed.
    drawn = iter(given_names(drawn_seed(GAME_BITS), len(unnamed), taken))
    found = []
    for one in seats:
        name = checked_name(one.get("name") or "")
        if one["kind"] != "computer":
            if one.get("player") is not None:
                raise Refusal("invalid", "a person has no player: leave it out, or say `computer`")
            found.append(SeatSetup(one["kind"], "", name))
        else:
            player = checked_player(one.get("player") or opponent, limits)
            found.append(SeatSetup("computer", player, name or next(drawn)))
    return tuple(found)


def checked_name(name: str) -> str:
    """Return a name as it is shown to others, without spaces around it; raises Refusal."""
    found = " ".join(name.split())
    if len(found) > _NAME or not name.isprintable():
        raise Refusal("invalid", f"a name has at most {_NAME} characters that can be seen")
    if found.casefold() == "you":
        raise Refusal("invalid", "everybody is called `You` on their own page: take another name")
    return found


def seed_of(text_: str | None) -> int:
    """Return the seed that a text gives, or a drawn one; raises Refusal."""
    if text_ is None:
        return drawn_seed(GAME_BITS)
    seed = natural(text_, 2**64 - 1)
    if seed is None:
        raise Refusal("invalid", "a seed is a text of digits, below 2 to the power of 64")
    return seed
