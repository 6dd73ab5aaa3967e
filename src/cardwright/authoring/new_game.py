"""New games: a playable start in three files, to be changed into what its author has in mind."""

from __future__ import annotations

import re
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from cardwright.authoring.files import POSITIONS
from cardwright.game.errors import CardwrightError
from cardwright.game.find import FACTS, SUFFIX, library_names
from cardwright.game.wording.naming import DIGITS
from cardwright.syntax.source import Source
from cardwright.syntax.suggest import advice_on

_FRENCH = ("CLUBS", "DIAMONDS", "HEARTS", "SPADES")
_HIGH = ("TWO", "THREE", "FOUR", "FIVE", "SIX", "SEVEN", "EIGHT", "NINE", "TEN", "J", "Q", "K", "A")


@dataclass(frozen=True)
class StartDeck:
    """Suits, and ranks from the lowest to the highest; a card for each pair."""

    suits: tuple[str, ...]
    ranks: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.suits) * len(self.ranks)

    def rcy(self) -> str:
        """Return the deck in RECYCLE."""
        return f"(deck (SUIT ({', '.join(self.suits)})) (RANK ({', '.join(self.ranks)})))"

    def strength(self, step: int = 1) -> str:
        """Return awards by which a higher rank is worth more, by this step."""
        pairs = (f"((RANK : {rank}) {step * n})" for n, rank in enumerate(self.ranks, 1))
        return f"({' '.join(pairs)})"

    def unique(self) -> str:
        """Return awards by which no two cards are worth the same; the rank decides first."""
        suits = (f"((SUIT : {suit}) {n})" for n, suit in enumerate(self.suits, 1))
        return f"({self.strength(10)[1:-1]} {' '.join(suits)})"

    def card(self, suit: int, rank: int) -> str:
        """Return the name of a card in a file of positions; -1 is the highest rank."""
        name = DIGITS.get(self.ranks[rank], self.ranks[rank])
        if self.suits == _FRENCH:
            return name + self.suits[suit][0]
        return f"{name} of {self.suits[suit]}"


DECKS = {
    "52": StartDeck(_FRENCH, _HIGH),
    "40": StartDeck(_FRENCH, tuple(rank for rank in _HIGH if rank not in {"EIGHT", "NINE", "TEN"})),
    "36": StartDeck(_FRENCH, _HIGH[4:]),
    "32": StartDeck(_FRENCH, _HIGH[5:]),
    "own": StartDeck(("LEAF", "MOON", "STAR", "SUN"), ("ONE", *_HIGH[:7])),
}
"""The decks by name: the French suits with so many cards, and suits and ranks to be replaced."""

KINDS = {
    "trick-taking": "follow suit; the highest card takes the trick",
    "shedding": "match the card before; be first out of cards",
    "drawing": "draw a card, discard a card; collect a low hand",
    "fishing": "take cards from the table by cards of the hand",
    "betting": "bet on a hidden card; fold, stay or raise",
}
"""The kinds of games with which one can begin, and what one does in them."""

PLAYERS = range(2, 7)
"""The numbers of players for which a game can be begun."""

_ENDINGS = (SUFFIX, FACTS, POSITIONS)
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]*")
_CARD = re.compile(r"\{\{([A-D])([0-9])\}\}")


class NewGameError(CardwrightError):
    """A game that cannot be begun: a wrong name or option, or a file that is there already."""


def new_game(
    path: str | Path, /, *, kind: str = "trick-taking", deck: str = "52", players: int = 4
) -> tuple[Path, ...]:
    """Write a playable start of a game, and return its files: rules, constants, positions.

    `path` is its name, with or without `.rcy`, in a folder that exists. `kind` is one of `KINDS`,
    `deck` one of 52, 40, 36, 32 and own, and `players` from 2 to 6. What is written has no
    warnings, is formatted, and passes its positions. Raises NewGameError, also if one of the files
    exists: nothing is overwritten.
    """
    stem = _checked(Path(path), kind, deck, players)
    texts = {
        stem.with_name(stem.name + ending): start_text(kind, ending, stem.name, deck, players)
        for ending in _ENDINGS
    }
    for file in texts:
        if file.exists():
            raise NewGameError(
                f"{file} already exists, and nothing is overwritten: take another name"
            )
    for file, text in texts.items():
        try:
            with file.open("x", encoding="utf-8", newline="\n") as written:
                written.write(text)
        except OSError as error:
            raise NewGameError(f"{file} cannot be written: {error.strerror or error}") from None
    return tuple(texts)


def _checked(path: Path, kind: str, deck: str, players: int) -> Path:
    """Return the path of a new game without its ending; raises NewGameError for a wrong call."""
    stem = path.with_suffix("") if path.suffix == SUFFIX else path
    if not _NAME.fullmatch(stem.name):
        raise _wrong(f"{stem.name!r} is not a name for a game: it has letters, digits, - and _")
    if stem.name in library_names():
        raise _wrong(f"{stem.name} is a game of the library: take another name")
    if not stem.parent.is_dir():
        raise _wrong(f"there is no folder {stem.parent} to write {stem.name} to")
    for what, name, known in (("kind of game", kind, KINDS), ("deck", deck, DECKS)):
        if name not in known:
            raise _wrong(f"there is no {what} {name!r}; {advice_on(name, known)}")
    if players not in PLAYERS:
        raise _wrong(f"a new game has {PLAYERS[0]} to {PLAYERS[-1]} players, not {players}")
    return stem


def _wrong(message: str) -> NewGameError:
    error = NewGameError(message)
    error.wrong_call = True
    return error


def start_text(kind: str, ending: str, name: str, deck: str, players: int) -> str:
    """Return one file of a new game: that with this ending."""
    folder = files("cardwright.authoring") / "starts"
    text = _filled((folder / f"{kind}{ending}").read_text(encoding="utf-8"), DECKS[deck])
    title = name.replace("-", " ").replace("_", " ").capitalize()
    text = text.replace("{{TITLE}}", title).replace("{{PLAYERS}}", str(players))
    if ending != SUFFIX:
        return text
    from cardwright.syntax.formatter import format_source

    return format_source(Source(name, text))


def _filled(text: str, deck: StartDeck) -> str:
    """Put a deck into a text.

    `{{B3}}` is the card of the second suit with the third rank, and 9 stands for the highest one.
    """
    for word, value in {
        "DECK": deck.rcy(),
        "STRENGTH": deck.strength(),
        "UNIQUE": deck.unique(),
        "CARDS": str(len(deck)),
    }.items():
        text = text.replace(f"{{{{{word}}}}}", value)

    def card(match: re.Match[str]) -> str:
        rank = -1 if match[2] == "9" else int(match[2]) - 1
        return deck.card("ABCD".index(match[1]), rank)

    return _CARD.sub(card, text)
