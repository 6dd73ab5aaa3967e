"""Games: rules that were read and checked, ready to be started."""

from __future__ import annotations

from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

from cardwright._version import RESULTS_VERSION, __version__
from cardwright.game.engines import DEFAULT_ENGINE, check_engine, make_engine
from cardwright.game.errors import (
    GameError,
    GameFileError,
    NoPlainTextError,
    UnreadablePickleError,
)
from cardwright.game.find import find, neighbour
from cardwright.game.game_words import GameWords
from cardwright.game.naming import Namer
from cardwright.game.reference import ReferenceEngine
from cardwright.game.seeds import game_seed
from cardwright.game.settings_file import settings_of
from cardwright.game.state import State
from cardwright.interpreter.machine import GameLimits
from cardwright.interpreter.world import Fault
from cardwright.program.check import Checked, check, examine
from cardwright.syntax.source import Source

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path
    from typing import Any, SupportsIndex, TypeAlias

    from cardwright.compiler.native import NativeProgram
    from cardwright.game.actions import Actions
    from cardwright.game.batch import Batch
    from cardwright.game.board import Engine
    from cardwright.game.observation import ObservationLayout
    from cardwright.game.sightings import Sightings
    from cardwright.interpreter.machine import Rules
    from cardwright.program.cards import Card
    from cardwright.program.constants import Constant
    from cardwright.program.program import Program
    from cardwright.syntax.diagnostic import Diagnostics

    TypedValues: TypeAlias = tuple[tuple[str, type, Constant], ...]
    GameKey: TypeAlias = tuple[
        Source,
        str,
        TypedValues,
        int | None,
        GameLimits,
        str,
        bool,
        bool,
        GameWords,
        tuple[int, int] | None,
    ]

_KEPT = 64
"""Number of checked games that are cached, some 200 kB each: checking Hearts takes 100 ms."""


PICKLES = f"{__version__}, results {RESULTS_VERSION}"
"""The version that pickles are of: no other reads them."""


class Game:
    """The rules of one game, with values for its declared constants.

    `name` is the name or path under which it was loaded; `diagnostics` has the warnings and notes;
    `engine_name` says which engine plays it: the game is the same by any, only faster by the native
    one. `words` are what the file beside the game's file says to people, and `declared_scores` the
    lowest and the highest score that it promises, if it does; they change no play.
    """

    def __init__(
        self,
        program: Program,
        name: str,
        diagnostics: Diagnostics,
        limits: GameLimits | None = None,
        engine: str = DEFAULT_ENGINE,
    ) -> None:
        self.program = program
        self.name = name
        self.diagnostics = diagnostics
        self.limits = limits or GameLimits()
        self.engine_name = check_engine(engine)
        self.words = GameWords()
        self.declared_scores: tuple[int, int] | None = None
        self._late = self._brief = False

    @classmethod
    def load(
        cls,
        game: str | Path,
        /,
        *,
        preset: str | None = None,
        base: int | None = None,
        limits: GameLimits | None = None,
        engine: str = DEFAULT_ENGINE,
        **declared: Constant,
    ) -> Game:
        """Load a game by its library name or from a file.

        `preset` names a variant of the game, and other keywords give declared constants another
        value: `Game.load("hearts", preset="standard", PLAYERS=3)`. `base` forces whether players
        are numbered from 0 or 1; `engine` is what plays the game, `native` or `interpreter`. Raises
        NotFoundError, UnreadableFileError, or GameFileError with all errors of the file,
        SettingError for values with which the game cannot be played, and EngineError for an unknown
        engine.
        """
        return cls.variant(game, declared, preset, base, limits, engine=engine)

    @classmethod
    def variant(
        cls,
        game: str | Path,
        declared: Mapping[str, Constant],
        preset: str | None = None,
        base: int | None = None,
        limits: GameLimits | None = None,
        *,
        engine: str = DEFAULT_ENGINE,
    ) -> Game:
        """Load a game as `load` does, with the values of its constants in a mapping."""
        settings = settings_of(game)
        declared = {name: _constant(value) for name, value in declared.items()}
        if preset is not None:
            chosen = settings.preset(preset)
            declared = {**chosen.declared, **declared}
            if chosen.game:
                game = neighbour(game, chosen.game)
                settings = settings_of(game)
        settings.check_each(declared)
        loaded = cls.from_source(find(game), str(game), declared, base, limits, engine=engine)
        settings.check_together(loaded.declared)
        loaded.words = settings.words
        loaded.declared_scores = settings.scores_with(loaded.declared)
        return loaded

    @classmethod
    def from_text(
        cls,
        text: str,
        /,
        *,
        name: str = "game",
        base: int | None = None,
        limits: GameLimits | None = None,
        engine: str = DEFAULT_ENGINE,
        **declared: Constant,
    ) -> Game:
        """Make a game from the text of its rules; raises GameFileError if it is wrong.

        `name` stands in messages; all other keywords are those of `load`. There are no presets,
        since they are in a file beside the game's file.
        """
        return cls.from_source(Source(name, text), name, declared, base, limits, engine=engine)

    @classmethod
    def from_source(
        cls,
        source: Source,
        name: str = "",
        declared: Mapping[str, Constant] | None = None,
        base: int | None = None,
        limits: GameLimits | None = None,
        *,
        engine: str = DEFAULT_ENGINE,
    ) -> Game:
        """Make a game from a source; raises GameFileError if it is wrong."""
        values = {key: _constant(value) for key, value in (declared or {}).items()}
        checked = _checked(source, _typed(values), base)
        if checked.program is None:
            raise GameFileError(checked)
        return cls(checked.program, name or source.name, checked.diagnostics, limits, engine)

    def with_engine(self, engine: str) -> Game:
        """Return the same game as played by another engine; raises EngineError for a wrong name."""
        if engine == self.engine_name:
            return self
        game = Game(self.program, self.name, self.diagnostics, self.limits, engine)
        game.words, game.declared_scores = self.words, self.declared_scores
        return game

    def late(self) -> Game:
        """Return the same game for a few decisions: nothing is compiled before a search needs it.

        Until then the interpreter plays in place of the native engine.
        """
        game = Game(self.program, self.name, self.diagnostics, self.limits, self.engine_name)
        game.words, game.declared_scores = self.words, self.declared_scores
        game._late, game._brief = True, self._brief
        return game

    def brief(self) -> Game:
        """Return the same game for a few hundred games: compiled with the least effort.

        What is compiled is not kept, neither in the user's cache nor in this process once the game
        is gone. Play is the same, only slower.
        """
        game = Game(self.program, self.name, self.diagnostics, self.limits, self.engine_name)
        game.words, game.declared_scores = self.words, self.declared_scores
        game._late, game._brief = self._late, True
        return game

    @property
    def players(self) -> int:
        """The number of seats."""
        return self.program.players

    @property
    def cards(self) -> tuple[Card, ...]:
        """All cards of the game, in order of creation."""
        return self.program.cards

    def parse_cards(self, text: str) -> tuple[Card, ...]:
        """Return the cards that a text names, in its order: `QS`, `♥9`, `2C 3C`, `9 of hearts`.

        Any name that `namer.card` gives is understood. Of cards that look alike each is named once.
        Raises OptionTextError for text that is not a card of the game.
        """
        from cardwright.game.card_text import read_cards

        return tuple(read_cards(text, self.namer, self.cards))

    @property
    def highest_wins(self) -> bool:
        """Whether the highest score wins, or the lowest."""
        return self.program.highest_wins

    @property
    def score_range(self) -> tuple[int, int] | None:
        """The lowest and the highest score with which a seat can end; None if it was not proved.

        The bounds are proved from the rules, and may be too wide. That takes up to some seconds,
        once. Games that stop with an error are not spoken of.
        """
        return self.program.extent.scores

    @property
    def longest(self) -> int | None:
        """The most decisions that a game can have; None if it was not proved. See `score_range`."""
        return self.program.extent.decisions

    @property
    def constant_sum(self) -> int | None:
        """What the scores of all seats add up to in every game; None if it was not proved."""
        return self.program.extent.total

    @property
    def declared(self) -> dict[str, Constant]:
        """The declared constants and their values in this game."""
        return {d.name: d.value for d in self.program.declared if d.value is not None}

    def plain_text(self) -> str:
        """Return the rules in plain RECYCLE, for other engines and with the same play.

        What the game's declared constants have been set to stands in the text. Raises
        NoPlainTextError if plain RECYCLE cannot express an extension that the game uses.
        """
        from cardwright.program.plain import NotPlainError, plain_text

        base = self.program.base if self.program.forced_base else None
        try:
            return plain_text(examine(self.program.source, self.declared, base))
        except NotPlainError as error:
            raise NoPlainTextError(str(error)) from None

    @cached_property
    def namer(self) -> Namer:
        """Names of this game's cards and places for people."""
        return Namer(self.program)

    @cached_property
    def actions(self) -> Actions:
        """All actions of the game, numbered by what they mean, the same in every state."""
        from cardwright.game.actions import Actions

        return Actions(self.program, self.namer)

    @cached_property
    def observation(self) -> ObservationLayout:
        """What each number of an observation is: the columns of `State.observation`."""
        return self.observation_layout()

    def observation_layout(self, history: int = 0) -> ObservationLayout:
        """Return a layout of observations that has some of the latest choices as well.

        Raises ValueError for a negative number.
        """
        from cardwright.game.observation_maker import layout_of

        if history < 0:
            raise ValueError(f"an observation has 0 or more of the latest choices, not {history}")
        return layout_of(self._native, history)

    def checked_layout(self, layout: ObservationLayout | None) -> ObservationLayout:
        """Return a layout, or that without a history for None; raises ValueError for another's."""
        if layout is None:
            return self.observation
        own = self.observation_layout(layout.history)
        if layout is not own and layout != own:  # the hashes that are compared take a while
            raise ValueError(f"this layout is not of {self.name}: ask its observation_layout")
        return own

    @cached_property
    def _native(self) -> NativeProgram:
        """The program as machine code has it; nothing is compiled for that."""
        from cardwright.compiler.native import native

        return native(self.program)

    @cached_property
    def _sightings(self) -> Sightings:
        """The words for what seats see happen."""
        from cardwright.game.sightings import Sightings

        return Sightings(self._native)

    @cached_property
    def _engine(self) -> Engine:
        how = {"late": self._late, "brief": self._brief}
        return make_engine(self.engine_name, self.program, self.limits, **how)

    def prepare(self) -> None:
        """Prepare the engine; the native one may have to compile the game.

        Otherwise the first start of a game does this.
        """
        self._engine.prepare()

    def start(self, seed: SupportsIndex) -> State:
        """Start a game from a 64-bit seed and run it to its first decision.

        Raises ValueError for a seed out of range, TypeError for one that is not an integer,
        GameError if the game breaks a rule, and EngineError if its engine cannot play here.
        """
        seed = game_seed(seed)  # NumPy's integers wrap around
        try:
            board = self._engine.start(seed)
        except Fault as fault:
            raise GameError(fault, self.program, self.name, seed, ()) from None
        state = State(self, board, seed)
        state.advance()
        return state

    def start_chance(self) -> State:
        """Start a game whose chance is taken by hand, and run it to its first draw or decision.

        While a draw is due, `state.chance` says what may come, and `state.take_chance` goes on with
        an outcome. The interpreter plays these games, for either engine. Raises GameError if the
        game breaks a rule, and ChanceError if it draws from more outcomes than can be listed.
        """
        from cardwright.game.chance_state import ChanceState

        return ChanceState.start(self, self._rules)

    @cached_property
    def _rules(self) -> Rules:
        """The rules of the interpreter, for what no other engine plays."""
        return ReferenceEngine(self.program, self.limits).rules

    def replay(self, seed: SupportsIndex, choices: Iterable[int]) -> State:
        """Start a game and make these choices, by index."""
        state = self.start(seed)
        for choice in choices:
            state.play(choice)
        return state

    def batch(
        self, count: int, seeds: SupportsIndex | Iterable[SupportsIndex], *, history: int = 0
    ) -> Batch:
        """Start many games side by side, for learning and for statistics; native games only.

        `seeds` has the seed of each game, or is one seed from which `game_seeds` makes them. If
        there is a `history`, the latest choices are observed too (`observation_layout`). Raises
        ValueError for a wrong number of seeds and seeds out of range, and EngineError for games of
        the interpreter.
        """
        from cardwright.game.batch import Batch

        return Batch.start(self, count, seeds, history)

    def __reduce__(self) -> tuple[object, ...]:
        """Let the game travel between processes as its rules, which are checked there once."""
        base = self.program.base if self.program.forced_base else None
        source, values = self.program.source, _typed(self.declared)
        how = self.limits, self.engine_name, self._late, self._brief
        beside = self.words, self.declared_scores
        return _loaded, (PICKLES, (source, self.name, values, base, *how, *beside))

    def __copy__(self) -> Game:
        """Return this game: it does not change."""
        return self

    def __deepcopy__(self, _memo: dict[int, Any]) -> Game:
        """Return this game: it does not change."""
        return self

    def _repr_html_(self) -> str:
        from cardwright.game.displays import game_html

        return game_html(self)

    def __repr__(self) -> str:
        return f"<Game {self.name}, {self.players} players, {len(self.cards)} cards>"


def _typed(values: Mapping[str, Constant]) -> TypedValues:
    """Return values of constants as a key, in which a truth value is not the same as 1 or 0."""
    return tuple((key, type(at), at) for key, at in values.items())


def _loaded(version: object, what: GameKey) -> Game:
    """Return a game that was pickled; raises UnreadablePickleError for another version's.

    Pickled states and batches hold their game, so this checks the version of them, too.
    """
    if version != PICKLES:
        raise UnreadablePickleError(
            f"the pickle is of another version, {version!r}, than the one that reads it,"
            f" {PICKLES!r}; keep the seed and the choices to replay a game with any version"
        )
    return _again(what)


@lru_cache(maxsize=_KEPT)
def _again(what: GameKey) -> Game:
    """Return a game that comes from another process: the same one each time, compiled once."""
    source, name, values, base, limits, engine, late, brief, words, scores = what
    declared = {key: value for key, _, value in values}
    game = Game.from_source(source, name, declared, base, limits, engine=engine)
    game.words, game.declared_scores = words, scores
    game = game.brief() if brief else game
    return game.late() if late else game


@lru_cache(maxsize=_KEPT)
def _checked(source: Source, values: TypedValues, base: int | None) -> Checked:
    """Check a game, or return the cached result; the types tell a truth value from 1 or 0."""
    return check(source, {key: value for key, _, value in values}, base)


def _constant(value: Constant | list[str]) -> Constant:
    return tuple(value) if isinstance(value, list) else value
