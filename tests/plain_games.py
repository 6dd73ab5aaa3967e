"""Whether a game and its plain text are the same game."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from cardwright import Game, GameError
from cardwright.program import nodes as n
from cardwright.program.cards import LocationKind
from cardwright.program.check import check
from cardwright.syntax.diagnostic import Code
from cardwright.syntax.source import Source

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from cardwright import State
    from cardwright.program.program import Program


def plain_program(game: Game) -> Program:
    """Return the program of a game's plain text, once it is found to use no extension."""
    base = game.program.base if game.program.forced_base else None
    checked = check(Source("plain", game.plain_text()), base=base, strict=True)
    assert checked.program is not None, checked.diagnostics.errors
    assert not [found for found in checked.diagnostics if found.code is Code.EXTENSION]
    return checked.program


def rules(program: Program) -> object:
    """Return all that decides how a program is played, and nothing of how it is written."""
    slots: dict[int, int] = {}

    def of(value: object) -> object:
        if isinstance(value, n.Variable):
            return value.kind, slots.setdefault(value.slot, len(slots))
        if isinstance(value, n.Node):
            return (
                type(value),
                value.kind,
                *(of(getattr(value, name)) for name in value.operand_names),
            )
        return [of(item) for item in value] if isinstance(value, tuple) else value

    return (
        program.players, program.teams, program.cards, program.highest_wins, program.base,
        [(of(deck.location), deck.cards) for deck in program.decks],
        [of(item) for item in program.items], of(program.score),
    )  # fmt: skip


def assert_same_play(game: Game, seeds: Iterable[int]) -> None:
    """Play a game and its plain text side by side at random; they go alike, to the same end.

    So do the cards and the random stream on the way: extensions leave no trace there.
    """
    base = game.program.base if game.program.forced_base else None
    source = Source("plain", game.plain_text())
    plain = Game.from_source(source, "", None, base, game.limits, engine=game.engine_name)
    _assert_alike(game.brief(), plain.brief(), seeds, _cards)


def assert_alike(one: Game, other: Game, seeds: Iterable[int]) -> None:
    """Play two games side by side at random; they go alike, to the same end."""
    _assert_alike(one, other, seeds, lambda _: None)


def _assert_alike(
    one: Game, other: Game, seeds: Iterable[int], look: Callable[[State], object]
) -> None:
    for seed in seeds:
        assert list(_played(one, seed, look)) == list(_played(other, seed, look)), seed


def _played(game: Game, seed: int, look: Callable[[State], object]) -> Iterator[object]:
    """Yield who chooses among how many options; at the end the scores, or the rule broken."""
    stream = Random(seed)
    try:
        state = game.start(seed)
        while not state.finished:
            count = len(state.contents())
            yield state.player, count, look(state)
            state.play(stream.randrange(count))
        yield state.scores, look(state)
    except GameError as error:
        yield error.rule


def _cards(state: State) -> object:
    """Return where all cards lie, and the words of the game's random stream."""
    _, _, piles, _, stream = state._board.world().key()  # type: ignore[misc]
    lying = {where: cards for where, cards, _ in piles if where.kind is not LocationKind.MEMORY}
    return {where: cards for where, cards in lying.items() if cards}, stream
