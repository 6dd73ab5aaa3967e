"""Library games with other values of their declared constants, such as change what they do."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from cardwright import Game
from cardwright.library.catalogue import facts, names

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cardwright.program.constants import Constant

Variant: TypeAlias = "tuple[str, dict[str, Constant]]"
"""A game of the library, and what its declared constants are set to."""

OPTIONS: tuple[Variant, ...] = (
    ("agram", {"PLAYERS": 5, "HANDSIZE": 7}),
    ("bigtwo", {"TWOS": 0, "SUITFIRST": 0, "REENTER": 0, "MANY": 8}),
    ("bigtwo", {"PLAYERS": 3, "HANDSIZE": 17}),
    ("blackjack", {"DECKS": 2, "DOUBLING": 0, "HITSOFT": 1}),
    ("blackjack", {"DECKS": 6, "BET": 3, "NATURAL": 4}),
    ("briscola", {"PLAYERS": 4}),
    ("bridge", {"DEALER": 3, "VULNERABLE": "EW"}),
    ("canasta", {"HANDSIZE": 7, "DRAWN": 2, "FIRST": 0, "NEEDED": 0}),
    ("cheat", {"PLAYERS": 5, "MOST": 2, "LIMIT": 30}),
    ("coup", {"PLAYERS": 5, "COINS": 4, "COUPCOST": 5, "FORCED": 8, "FEE": 2, "LIMIT": 25}),
    ("crazyeights", {"PLAYERS": 5, "HANDSIZE": 9, "RESHUFFLES": 0}),
    ("crazyeights", {"PLAYERS": 2, "EIGHTCOST": 20}),
    ("cribbage", {"HANDSIZE": 5, "LIMIT": 20}),
    ("cuckoo", {"REFUSE": 0}),
    ("cuckoo", {"PLAYERS": 3, "KINGCUT": 1}),
    ("doppelkopf", {"TENS": 1, "FOXES": 0, "FULL": 0, "CHARLIE": 0}),
    ("durak", {"HANDSIZE": 5, "MAXATTACK": 3, "AFTER": 0, "BOUTS": 15}),
    ("euchre", {"STICK": 1, "LONE": 0, "LONEMARCH": 2}),
    ("ginrummy", {"KNOCK": 30, "GIN": 25, "UNDERCUT": 25, "ROUNDS": 40}),
    ("gofish", {"PLAYERS": 3, "HANDSIZE": 7, "PATIENCE": 3, "STOCKEND": 1}),
    ("golfsix", {"PLAYERS": 2, "FACEUP": 0, "ROUNDS": 3}),
    ("gongzhu", {"EXPOSE": 0, "PIGTURNS": "HEARTS", "SMALLHEARTS": 0}),
    (
        "gongzhu",
        {
            "OPENING": "ELDEST",
            "PIG": 130,
            "SHEEP": 90,
            "ALONE": 60,
            "ALLHEARTS": 250,
            "PIGTURNS": "NEVER",
        },
    ),
    ("goofspiel", {"CARRY": 1}),
    ("hanabi", {"PLAYERS": 4, "CLUES": 5, "LIVES": 2, "LOSEALL": 1}),
    ("hearts", {"QUEEN": 1}),
    (
        "hearts",
        {
            "PASS": 2,
            "CYCLE": ("LEFT2", "SCATTER", "HOLD"),
            "DRAWN": 1,
            "PASSING": "SINGLY",
            "LOOK": 1,
            "OPENING": "CLUB",
            "FIRSTTRICK": "NOQUEEN",
            "HEARTLEAD": "FIRST",
            "BREAKS": "PENALTY",
            "EXEMPT": "PENALTY",
            "QUEENDUTY": "BOTH",
            "MOON": "CHOICE",
            "MOONVALUE": 30,
            "MOONNEEDS": "TRICKS",
            "SUN": 1,
            "ROUNDS": 3,
            "END": 60,
            "ABOVE": 1,
            "TIES": "EXTRA",
        },
    ),
    (
        "hearts",
        {
            "PLAYERS": 7,
            "PACKS": 2,
            "JOKERS": 2,
            "SPARE": "CLUBS",
            "DEALING": "SINGLY",
            "WIDOW": 4,
            "WIDOWTO": "EXCHANGE",
            "EACHTRICK": 1,
            "FIRSTTAKEN": 2,
            "LASTTAKEN": 3,
            "NOTRICKS": -5,
            "MOON": "OFF",
        },
    ),
    (
        "hearts",
        {
            "HEART": 0,
            "PIPS": 1,
            "ACESPADES": 7,
            "KINGSPADES": 10,
            "JACKSPADES": 5,
            "JACKDIAMONDS": -10,
            "TENDIAMONDS": -5,
            "SEVENCLUBS": 7,
            "MOON": "BEST",
            "MOONNEEDS": "EXTRAS",
            "ROUNDS": 0,
            "END": 250,
            "HIT": 100,
            "HITBECOMES": 50,
            "TIES": "LASTDEAL",
        },
    ),
    ("klaverjassen", {"TURNED": 1, "ROTTERDAM": 1}),
    ("klaverjassen", {"LASTTRICK": 0, "PIT": 0, "FOURJACKS": 100}),
    ("knaves", {"TRUMPS": 0, "JACKHEARTS": 5, "JACKDIAMONDS": 2, "JACKCLUBS": 0, "JACKSPADES": 3}),
    ("kuhn", {"ANTE": 2, "BET": 3}),
    ("lama", {"PLAYERS": 3, "HANDSIZE": 8, "LLAMACOST": 20, "ASKED": 0}),
    ("leduc", {"ANTE": 3, "STEP": 1, "MAXRAISES": 5}),
    ("lostcities", {"HANDSIZE": 6, "COST": 15, "LONG": 6, "BONUS": 25, "ROUNDS": 40}),
    ("ninetyeight", {"KING": 0}),
    ("ninetyeight", {"HANDSIZE": 3, "LIMIT": 60, "KING": 40, "TURN": 1, "RESHUFFLES": 0}),
    ("nothanks", {"PLAYERS": 3, "CHIPS": 3, "REMOVED": 5}),
    ("ohhell", {"HANDSIZE": 13, "HOOK": 0, "BONUS": 5, "MISSED": 1}),
    ("ohhell", {"PLAYERS": 3, "HANDSIZE": 10, "MISSED": 2}),
    ("pairs", {"PLAYERS": 3, "TARGET": 40, "BURN": 2, "TIEBREAKS": 1}),
    ("pitch", {"STICK": 0, "STEAL": 1, "LOWTAKEN": 1}),
    ("polignac", {"JACK": 2, "POLIGNAC": 5, "ACEHIGH": 1, "FIRSTTAKEN": 1, "LASTTAKEN": 1}),
    ("polignac", {"GENERAL": 5}),
    ("president", {"REENTER": 0, "EQUAL": 1}),
    (
        "reversis",
        {
            "POOL": 40,
            "FORCED": 8,
            "ACE": 2,
            "ACEDIAMONDS": 5,
            "PARTY": 10,
            "REVERSIS": 20,
            "BROKEN": 60,
            "PLACING": 0,
            "KEPT": 1,
            "ESPAGNOLETTE": 1,
        },
    ),
    ("rummy", {"HANDSIZE": 7, "MELDLIMIT": 3, "ROUNDS": 9}),
    ("scarto", {"REVERSED": 0, "BAGATTO": 0, "TAKES": 0, "PAR": 0}),
    ("schwimmen", {"FEUER": 32, "EARLY": 0, "ALLCLOSE": 1, "ROUNDS": 2}),
    ("schwimmen", {"PASSING": 0, "DEALING": 0}),
    ("scopa", {"HANDSIZE": 9, "SWEEP": 2, "REBELLO": 1}),
    ("sevens", {"PLAYERS": 3, "OPENING": "NONE", "PASSES": 2, "PASSCOST": 2, "CARDCOST": 3}),
    ("skat", {"JUMPS": 1, "SEEGER": 1}),
    ("skat", {"RAMSCH": 1}),
    ("skitgubbe", {"CHANCE": 0, "TAKEFIRST": 1, "LIMIT": 60}),
    ("skitgubbe", {"PLAYERS": 2, "SEQUENCES": 1}),
    ("slobberhannes", {"FIRSTTAKEN": 2, "LASTTAKEN": 3, "QUEEN": 4, "EXTRA": 0}),
    ("spades", {"BREAK": 0, "NIL": 50, "NILHELPS": 1, "BAGLIMIT": 5, "BAGPENALTY": 50}),
    ("spades", {"BAG": 0, "BAGLIMIT": 3}),
    ("spiteandmalice", {"PAYOFF": 10, "HANDSIZE": 6, "CENTERS": 3, "JOKERS": 4}),
    ("spiteandmalice", {"PAYOFF": 8, "SIDES": 2, "LIMIT": 60}),
    ("stealingbundles", {"PLAYERS": 2, "HANDSIZE": 6, "TAKEALL": 0, "FREE": 1, "REST": 1}),
    ("sueca", {"ALLTRICKS": 3, "CARDPOINTS": 1}),
    ("whist", {"HANDSIZE": 5}),
)
"""At least one of each game, with every constant at some other value than its own."""


def variants(chosen: Iterable[str] | None = None) -> list[Variant]:
    """Return every game as it is, with each number of players, its presets, and other options.

    With names, only those of some games.
    """
    games = names() if chosen is None else list(chosen)
    seats: list[Variant] = [
        (name, {"PLAYERS": players})
        for name in games
        for players in facts(name).players
        if "PLAYERS" in facts(name).declared and players != facts(name).default_players
    ]
    presets: list[Variant] = [
        (name, dict(preset.declared))
        for name in games
        for preset in facts(name).settings.presets.values()
        if not preset.game and preset.declared
    ]
    options = [variant for variant in OPTIONS if variant[0] in games]
    return [*((name, {}) for name in games), *seats, *presets, *options]


def label(variant: Variant) -> str:
    """Return the name of a variant, for people."""
    name, declared = variant
    return " ".join([name, *(f"{key}={value}" for key, value in declared.items())])


def load(variant: Variant) -> Game:
    """Load a variant of a game."""
    name, declared = variant
    return Game.variant(name, declared)
