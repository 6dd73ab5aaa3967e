"""Games, states, views and what is counted of them, as notebooks show them."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from typing import TYPE_CHECKING

from cardwright.english import counted, number, percent
from cardwright.game.errors import GameError
from cardwright.game.wording.option_text import short_name
from cardwright.markup.element import (
    Html,
    card_backs,
    card_face,
    display,
    element,
    heading,
    joined,
    note,
    table,
)
from cardwright.program.cards import Card
from cardwright.program.setup import DEFAULT_BACK

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import Any, TypeAlias

    import numpy as np

    from cardwright.game.chance import Chance
    from cardwright.game.game import Game, State
    from cardwright.game.native.batch import Batch
    from cardwright.game.native.random_games import RandomGames
    from cardwright.game.option import Back, Option, View
    from cardwright.game.search import Rollouts, SearchResult
    from cardwright.game.wording.naming import Namer
    from cardwright.program.cards import Location, OwnerId

    Numbers: TypeAlias = np.ndarray[Any, Any]

_MOST_CARDS = 120
_MOST_OPTIONS = 60
_LINES = "max-width:60em;margin:.3em 0"
_PART = "display:inline-block;margin-right:1em"


def game_html(game: Game) -> str:
    """Return a game: how many play, who wins, its constants, and its cards."""
    wins = "highest" if game.highest_wins else "lowest"
    facts = (
        counted(game.players, "player"),
        counted(len(game.cards), "card"),
        f"the {wins} score wins",
    )
    declared = [
        _labelled(name, ", ".join(map(str, value)) if isinstance(value, tuple) else str(value))
        for name, value in game.declared.items()
    ]
    return display(
        heading(game.name, *facts),
        element("div", *declared, style=_LINES) if declared else None,
        element("div", _faces(game.cards, _namer(game.namer)), style=_LINES),
    )


def state_html(state: State) -> str:
    """Return all that is to be seen in a state, hidden cards too, and who has to decide."""
    facts = [f"seed {state.seed}"] if state.seed is not None else []
    facts.append(f"{counted(len(state.choices), 'choice')} made")
    if state.chance is not None:
        return display(heading(f"State of {state.game.name}", *facts), _draw(state.chance))
    turn = "finished" if state.finished else f"p{(state.player or 0) + 1} decides"
    names = _namer(state.game.namer)
    places = _places(state.locations(), state.game.program.owner_names, names)
    scores = state.scores if state.finished else None
    offered: Sequence[Option] = ()
    with suppress(GameError):  # after a choice that broke a rule, which is to be taken back
        offered = state.options()
    return display(
        heading(f"State of {state.game.name}", *facts, turn, "all cards shown"),
        places,
        _scores(scores) if scores is not None else _options(offered),
    )


def _namer(namer: Namer | None) -> Callable[[Card], str]:
    """Return what names cards: `Q♠`, or all values of a card where there is nobody to ask."""
    return lambda card: short_name(card, namer, symbols=True)


def view_html(view: View) -> str:
    """Return what a view has, and nothing else: it depends on nothing that its seat cannot see."""
    decides = "nobody decides" if view.player is None else f"p{view.player + 1} decides"
    stored = [
        (_owner(owner, view.owners), name, str(value))
        for (owner, name), value in sorted({**view.integers, **view.strings}.items())
    ]
    return display(
        heading(f"View of p{view.seat + 1}", decides),
        _places(view.locations, view.owners, _namer(None)),
        table(("owner", "stored", "value"), stored, texts=2) if stored else None,
        _scores(view.scores) if view.scores is not None else _options(view.options),
    )


def chance_html(chance: Chance) -> str:
    """Return the outcomes of a draw with their probabilities."""
    return display(_draw(chance))


def option_html(option: Option) -> str:
    """Return the number of an option and what it does."""
    return display(_option(option))


def batch_html(batch: Batch) -> str:
    """Return how many games a batch has, how many are over, and their mean scores."""
    ended = int(batch.finished.sum())
    return display(
        heading(f"Batch of {batch.game.name}", counted(len(batch), "game"), f"{ended:,} finished"),
        _means(batch.scores[batch.finished], batch.wins[batch.finished]) if ended else None,
    )


def random_games_html(games: RandomGames) -> str:
    """Return the mean scores of random games, how long they are and how many broke a rule."""
    ended = games.ended()
    facts = [counted(len(games), "game")]
    if len(ended):
        facts.append(f"{number(float(ended.decisions.mean()), 1)} decisions a game")
    if len(games) > len(ended):
        facts.append(f"{len(games) - len(ended)} stopped with an error")
    best = ended.best()
    shares = best / best.sum(axis=1, keepdims=True) if len(ended) else best
    return display(
        heading(f"Random games of {games.game.name}", *facts),
        _means(ended.scores, shares) if len(ended) else None,
    )


def rollouts_html(rollouts: Rollouts) -> str:
    """Return the mean scores and shares of wins of rollouts, by seat."""
    rows = [
        (f"p{seat + 1}", number(score / rollouts.count), percent(win / rollouts.count))
        for seat, (score, win) in enumerate(zip(rollouts.scores, rollouts.wins, strict=True))
        if rollouts.count
    ]
    facts = [counted(rollouts.count, "game")]
    if rollouts.failed:
        facts.append(f"{rollouts.failed:,} failed")
    return display(
        heading("Rollouts", *facts), table(("seat", "mean score", "share of wins"), rows)
    )


def search_html(result: SearchResult) -> str:
    """Return how often a search chose each option, and its mean reward."""
    rows = [
        (
            str(at),
            f"{option.visits:,}",
            number(option.mean(result.seat), 3) if option.visits else "–",
            "–" if option.points is None else number(option.points, 2),
        )
        for at, option in enumerate(result.options)
    ]
    points = "points in the deal" if result.one_deal else "final score"
    return display(
        heading(f"Search for p{result.seat + 1}", f"{result.iterations:,} iterations"),
        table(("option", "visits", f"mean reward: {result.reward}", points), rows),
        note(f"most visited: option {result.most_visited}"),
    )


def _draw(chance: Chance) -> Html:
    rows = [
        (str(at), outcome, percent(probability))
        for at, (outcome, probability) in enumerate(
            zip(chance.outcomes, chance.probabilities, strict=True)
        )
    ]
    title = heading(f"A draw is due: {chance.question}", counted(len(chance), "outcome"))
    return joined(title, table(("", "outcome", "probability"), rows, texts=2))


def _places(
    locations: Mapping[Location, Sequence[Card | Back]],
    owners: Sequence[str],
    name: Callable[[Card], str],
) -> Html | None:
    """Return places with their cards, in an order that does not depend on how they came there."""
    rows = [
        (
            _owner(place.owner, owners),
            f"{place.name} {place.at}" if place.at else place.name,
            _faces(cards, name),
            str(len(cards)),
        )
        for place, cards in sorted(locations.items())
        if cards
    ]
    return table(("owner", "place", "cards, from the bottom", ""), rows, texts=3) if rows else None


def _owner(owner: OwnerId, owners: Sequence[str]) -> str:
    return owners[owner] if owner < len(owners) else f"owner {owner}"


def _faces(cards: Sequence[Card | Back], name: Callable[[Card], str]) -> Html:
    """Return cards as faces, those that are not seen as a number of each back.

    The usual back is not named.
    """
    shown = cards[:_MOST_CARDS]
    faces: Iterable[Html] = (card_face(name(card)) for card in shown if isinstance(card, Card))
    backs = Counter(card.name for card in cards if not isinstance(card, Card))
    hidden = [
        card_backs("" if back == DEFAULT_BACK else back, count) for back, count in backs.items()
    ]
    left = len(cards) - len(shown)
    more = [f" and {left} more"] if left and not hidden else []
    return joined(*faces, *hidden, *more)


def _options(options: Sequence[Option]) -> Html | None:
    if not options:
        return None
    left = len(options) - _MOST_OPTIONS
    more = f" and {left} more" if left > 0 else None
    shown = [_option(option) for option in options[:_MOST_OPTIONS]]
    return element("div", "Options: ", *shown, more, style=_LINES)


def _option(option: Option) -> Html:
    return _labelled(str(option.index), option.description)


def _labelled(label: str, text: str) -> Html:
    return element("span", element("span", f"{label} ", style="opacity:.6"), text, style=_PART)


def _scores(scores: Sequence[int]) -> Html:
    rows = [(f"p{seat + 1}", number(score, 0)) for seat, score in enumerate(scores)]
    return table(("seat", "score"), rows)


def _means(scores: Numbers, wins: Numbers) -> Html:
    count = len(scores)
    rows = []
    for seat in range(scores.shape[1]):
        mine = scores[:, seat]
        error = float(mine.std(ddof=1)) / count**0.5 if count > 1 else None
        mean, share = float(mine.mean()), float(wins[:, seat].mean())
        rows.append((f"p{seat + 1}", number(mean), f"± {number(error)}", percent(share)))
    return table(("seat", "mean score", "standard error", "share of wins"), rows)
