"""What pages tell about games: facts, families, rules, options, presets, players.

All of it is JSON-able. Games are those of the library, and files named when the server was started,
of which only the rules and what lies beside them are known.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from cardwright.arena.entrants import caution, parse_spec
from cardwright.game.errors import CardwrightError, override_text
from cardwright.game.game import Game
from cardwright.game.settings import Setting, settings_of
from cardwright.library import catalogue
from cardwright.players.kind import NO_TRUST
from cardwright.program.constants import parse_value
from cardwright.table.opponents import BIDDERS, default_player
from cardwright.table.rules_page import rules_page

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from cardwright.game.settings import Settings
    from cardwright.library.catalogue import CatalogueEntry
    from cardwright.program.constants import Constant
    from cardwright.program.program import Declared
    from cardwright.table.rules_page import RulesPage


@dataclass(frozen=True)
class GameFamily:
    """A heading of the home page: its games have one of these mechanics, and no earlier family."""

    name: str
    about: str
    mechanics: frozenset[str]


SUGGESTED = ("hearts", "crazyeights", "ginrummy", "whist")
"""Games to begin with: known to many, soon learned, and of several families."""

_ORDER = (
    GameFamily(
        "Avoiding tricks",
        "Follow suit, and take as little as you can: what you win counts against you.",
        frozenset({"trick-avoidance"}),
    ),
    GameFamily(
        "Bluffing and betting",
        "What you say about your cards need not be true.",
        frozenset({"bluffing", "betting"}),
    ),
    GameFamily(
        "Getting rid of cards",
        "Whoever has no cards left first is in front.",
        frozenset({"shedding"}),
    ),
    GameFamily(
        "Taking tricks",
        "The highest card or a trump takes the trick; what you win counts for you.",
        frozenset({"trick-taking"}),
    ),
    GameFamily(
        "Fishing",
        "Capture cards from the table with cards of your hand.",
        frozenset({"capturing"}),
    ),
    GameFamily(
        "Collecting and melding",
        "Sets and sequences count: draw, exchange and discard until yours are best.",
        frozenset({"set-collection", "melding"}),
    ),
    GameFamily(
        "Pushing your luck",
        "One card more may win it all, or lose it.",
        frozenset({"push your luck"}),
    ),
    GameFamily(
        "Numbers and auctions",
        "Add up, outbid, and keep your best cards for the right moment.",
        frozenset({"adding", "auction", "bidding"}),
    ),
    GameFamily(
        "Playing together",
        "All have the same score: tell each other what helps, within the rules.",
        frozenset({"cooperation"}),
    ),
)
"""In the order in which a game is tried: one that sheds cards in tricks is found under shedding."""

OTHERS = GameFamily("Other games", "Games of no common family.", frozenset())


def family_of(entry: CatalogueEntry) -> GameFamily:
    """Return the family of a game."""
    return next((one for one in _ORDER if one.mechanics & {*entry.mechanics}), OTHERS)


def by_family(entries: Iterable[CatalogueEntry]) -> list[tuple[GameFamily, list[CatalogueEntry]]]:
    """Return the families that have games, the largest first, each with its games by title."""
    found: dict[GameFamily, list[CatalogueEntry]] = {}
    for entry in sorted(entries, key=lambda one: one.title):
        found.setdefault(family_of(entry), []).append(entry)
    return sorted(found.items(), key=lambda pair: (pair[0] is OTHERS, -len(pair[1])))


@dataclass(frozen=True)
class ComputerPlayer:
    """A computer player: its spec, a name for its strength, and what it does, for people."""

    player: str
    strength: str
    about: str

    def record(self) -> dict[str, Any]:
        """Return this as a JSON object."""
        return asdict(self)


_RANDOM = ComputerPlayer(
    "random",
    "Beginner",
    "Plays any card that the rules allow, without a thought. Good for learning the rules.",
)
_HEARTS = (
    _RANDOM,
    ComputerPlayer(
        "rule",
        "Casual",
        "Follows rules of thumb, as a casual player does: it ducks, and gets rid of high cards. It "
        "does not count cards.",
    ),
    ComputerPlayer(
        "expert",
        "Expert",
        "Remembers every card and plays thousands of games out in its mind before each move. The "
        "strongest there is; it takes a second or two.",
    ),
)
_OTHERS = (
    _RANDOM,
    ComputerPlayer(
        "ismcts:iterations=100",
        "Casual",
        "Plays a hundred games out in its mind before each move, with cards that it imagines. It "
        "sees simple threats.",
    ),
    ComputerPlayer(
        "ismcts:iterations=1000",
        "Strong",
        "Plays a thousand games out in its mind before each move. It knows no more than its own "
        "seat does.",
    ),
    ComputerPlayer(
        "ismcts:iterations=10000",
        "Stronger",
        "Plays ten thousand games out in its mind before each move; that takes a few seconds in "
        "long games.",
    ),
)
_ABOUT_BIDDERS = {
    "bridge": "Bids by points and lengths of suits, as a beginner learns it, and plays its cards "
    "by {games} games in its mind for each of them.",
    "skat": "Bids by counting trumps, aces and tens, and plays its cards by {games} games in its "
    "mind for each of them.",
}
_STRENGTHS = (("Casual", 100), ("Strong", 1_000), ("Stronger", 10_000))
"""What more games in the mind are called; a thousand are the default."""

_INTERPRETED = (
    _RANDOM,
    ComputerPlayer(
        "pimc:rollouts=20",
        "Casual",
        "Tries each of its moves in twenty games with cards that it imagines.",
    ),
)


def computer_players(game: Game) -> tuple[ComputerPlayer, ...]:
    """Return the computer players that suit a game, the weakest first."""
    usual = default_player(game).partition(":")[0]
    if usual in BIDDERS:
        found = _bidders(usual)
    elif game.engine_name == "interpreter":
        found = _INTERPRETED
    else:
        found = _HEARTS if usual == "expert" else _OTHERS
    return tuple(_with_caution(one, game) for one in found)


def _bidders(kind: str) -> tuple[ComputerPlayer, ...]:
    """Return the players of a game with an auction that a kind of player knows."""
    return (
        _RANDOM,
        *(
            ComputerPlayer(
                kind if games == _STRENGTHS[1][1] else f"{kind}:iterations={games}",
                strength,
                _ABOUT_BIDDERS[kind].format(games=f"{games:,}"),
            )
            for strength, games in _STRENGTHS
        ),
    )


@lru_cache(maxsize=256)
def strength_of(spec: str) -> str:
    """Return what the strength of a computer player is called; for others that is their spec."""
    try:
        wanted = parse_spec(spec, NO_TRUST)
    except CardwrightError:  # it is kept from a time when there was such a player
        return spec
    bidders = (one for kind in BIDDERS for one in _bidders(kind))
    known = (*_HEARTS, *_OTHERS, *_INTERPRETED, *bidders)
    same = (one.strength for one in known if parse_spec(one.player, NO_TRUST) == wanted)
    return next(same, spec)


def _with_caution(one: ComputerPlayer, game: Game) -> ComputerPlayer:
    """Return a player whose description also says what it does not see in the game."""
    unseen = caution(game, parse_spec(one.player, NO_TRUST))
    return one if unseen is None else replace(one, about=f"{one.about} Here {unseen}.")


def usual_player(game: Game) -> ComputerPlayer:
    """Return the one that plays unless another is chosen: the terminal's default."""
    spec = default_player(game)
    return next((player for player in computer_players(game) if player.player == spec), _RANDOM)


_CHOSEN = "Chosen by who published this game."


def against(facts: dict[str, Any], opponents: Sequence[str]) -> dict[str, Any]:
    """Return what is told of a game where others than the usual players play against people.

    `opponents` are for the seats after the person's, in order, and again from the first on. One
    that is not among the players of the game is listed last, under its own name.
    """
    if not opponents:
        return facts
    players: list[dict[str, Any]] = facts["computer_players"]
    known = {player["player"] for player in players}
    others = [ComputerPlayer(one, one, _CHOSEN) for one in dict.fromkeys(opponents)]
    listed = [*players, *(one.record() for one in others if one.player not in known)]
    return {**facts, "computer_players": listed, "opponents": [*opponents]}


_SUMMARY = 160
"""The most letters of a game's summary on the home page."""

_OWN = {"name": "Games from files", "about": "What this site has besides the library."}


def listed_games(files: Mapping[str, Path] | None = None) -> dict[str, Any]:
    """Return all games in short, and the families in which the home page shows them.

    `files` are the games that are files, by name; they come first.
    """
    entries = [catalogue.facts(name) for name in catalogue.names()]
    own = [_file_in_short(name, file) for name, file in (files or {}).items()]
    families = [
        {"name": family.name, "about": family.about, "games": [game.name for game in games]}
        for family, games in by_family(entries)
    ]
    if own:
        families.insert(0, {**_OWN, "games": [one["name"] for one in own]})
    return {
        "families": families,
        "suggested": list(SUGGESTED),
        "games": [*own, *map(_in_short, entries)],
    }


def _in_short(entry: CatalogueEntry) -> dict[str, Any]:
    return {
        "name": entry.name,
        "title": entry.title,
        "players": list(entry.players),
        "default_players": entry.default_players,
        "mechanics": list(entry.mechanics),
        "origin": entry.origin,
        "summary": _summary(entry.rules),
    }


def _file_in_short(name: str, file: Path) -> dict[str, Any]:
    """Return a file in short; one that cannot be loaded now says so in its summary."""
    known: dict[str, Any] = {"name": name, "title": name, "mechanics": [], "origin": ""}
    try:
        game = Game.load(file)
        page = rules_page(game)
    except CardwrightError as error:
        summary = str(error).splitlines()[0]
        return {**known, "players": [], "default_players": 0, "summary": summary[:_SUMMARY]}
    text = page.sections[0].text if page.sections else ""
    return {
        **known,
        "title": _title(page, game, name),
        "players": [game.players],
        "default_players": game.players,
        "summary": _summary(text),
    }


def title_of_file(name: str, file: Path) -> str:
    """Return the title of a game in a file, its name if it has none; raises CardwrightError."""
    game = Game.load(file)
    return _title(rules_page(game), game, name)


def _title(page: RulesPage, game: Game, name: str) -> str:
    return page.title if page.title != game.name else name


def _summary(rules: str) -> str:
    """Return the first sentences of the rules, as many as fit, or the beginning of the first."""
    text = " ".join(rules.split("\n\n", 1)[0].split()).removeprefix("Aim: ")
    if len(text) <= _SUMMARY:
        return text
    end = text.rfind(". ", 0, _SUMMARY)
    if end > 0:
        return text[: end + 1]
    return text[: text.rfind(" ", 0, _SUMMARY)] + " …"


def paragraphs(text: str) -> list[str]:
    """Return the paragraphs of a text of the catalogue."""
    return [" ".join(one.split()) for one in text.split("\n\n") if one.strip()]


@lru_cache(maxsize=64)
def described_game(name: str) -> dict[str, Any]:
    """Return all that the page of a game of the library tells; raises NotFoundError."""
    entry = catalogue.facts(name)
    usual = catalogue.usual_preset(entry)
    return {
        **_in_short(entry),
        "deck": entry.deck,
        "date": entry.date,
        "source": entry.source,
        "information": list(entry.information),
        **_described(Game.variant(name, {}, usual), entry.settings, usual),
    }


def load_usual(name: str) -> None:
    """Check the rules of a game of the library as it is usually played, for those who play it."""
    with suppress(CardwrightError):
        Game.variant(name, {}, catalogue.usual_preset(catalogue.facts(name)))


def described_file(name: str, file: Path) -> dict[str, Any]:
    """Return all that the page of a game in a file tells; raises CardwrightError."""
    return {
        **_file_in_short(name, file),
        "deck": "",
        "date": "",
        "source": "",
        "information": [],
        **_described(Game.load(file), settings_of(file), None),
    }


def _described(game: Game, settings: Settings, usual: str | None) -> dict[str, Any]:
    page = rules_page(game, usual)
    return {
        "rules": [{"heading": section.heading, "text": section.text} for section in page.sections],
        "left_out": paragraphs(page.left_out),
        "notes": paragraphs(page.notes),
        "highest_wins": game.highest_wins,
        "options": [
            _option(one, settings) for one in game.program.declared if one.value is not None
        ],
        "presets": [
            {
                "name": preset.name,
                "about": preset.about,
                "game": preset.game or None,
                "options": {key: json_value(value) for key, value in preset.declared.items()},
            }
            for preset in settings.presets.values()
        ],
        "usual_preset": usual,
        "seats": seats_of(game),
        "computer_players": [player.record() for player in computer_players(game)],
        "opponents": [usual_player(game).player],
    }


def _option(one: Declared, settings: Settings) -> dict[str, Any]:
    setting = settings.declared.get(one.name, Setting(""))
    values = setting.values
    assert one.default is not None
    return {
        "name": one.name,
        "about": setting.about,
        "kind": _kind(one.default),
        "default": json_value(one.default),
        "derived": setting.derived,
        "values": list(values) if isinstance(values, tuple) and values else None,
        "least": values.start if isinstance(values, range) else None,
        "most": values.stop - 1 if isinstance(values, range) else None,
    }


def _kind(value: Constant) -> str:
    """Return how a form asks for a constant."""
    match value:
        case bool():
            return "truth"
        case int():
            return "number"
        case str():
            return "name"
        case tuple():
            return "names"
        case range():
            return "range"


def json_value(value: Constant) -> bool | int | str:
    """Return a constant as forms hold it: lists and ranges are texts, such as `A,B` and `1..4`."""
    return value if isinstance(value, bool | int | str) else override_text(value)


def constants_of(options: Mapping[str, object]) -> dict[str, Constant]:
    """Return the constants that a form has set; raises ValueError for what is no constant."""
    found: dict[str, Constant] = {}
    for name, value in options.items():
        if isinstance(value, bool | int):
            found[name] = value
        elif isinstance(value, str):
            found[name] = parse_value(value)
        else:
            raise ValueError(f"{name}: {value!r} is not a value of an option")
    return found


def tried_setup(
    name: str | Path, preset: str | None, options: Mapping[str, object]
) -> dict[str, Any]:
    """Return what a game is with these settings: notes, its seats, the values of all options.

    `name` is that of a game of the library, or the path of a file of the site's owner. Raises
    NotFoundError and SettingError as `Game.variant` does, ValueError for what is no value.
    """
    if isinstance(name, str):
        catalogue.facts(name)
    game = Game.variant(name, constants_of(options), preset)
    page = rules_page(game, preset)
    return {
        "left_out": paragraphs(page.left_out),
        "notes": paragraphs(page.notes),
        "seats": seats_of(game),
        "options": {
            one.name: json_value(one.value)
            for one in game.program.declared
            if one.value is not None
        },
        "computer_players": [player.record() for player in computer_players(game)],
        "opponents": [usual_player(game).player],
    }


def seats_of(game: Game) -> list[dict[str, Any]]:
    """Return the seats of a game with their teams, from 0; None where everybody plays alone."""
    teams = game.program.teams
    paired = any(len(team) > 1 for team in teams)
    where = {int(seat): number for number, team in enumerate(teams) for seat in team}
    return [
        {"seat": seat, "team": where.get(seat) if paired else None} for seat in range(game.players)
    ]
