"""Running positions: each is played as it says, and all that does not hold is noted."""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from cardwright.authoring import arranged
from cardwright.authoring.files import position_files
from cardwright.authoring.position import PositionFileError, parse_positions
from cardwright.authoring.settings_check import RuleNames
from cardwright.english import KNOWN_VERBS, counted
from cardwright.game.errors import GameError, GameFileError, IllegalOptionError, OptionTextError
from cardwright.game.find import find
from cardwright.game.game import Game
from cardwright.game.settings import SettingError
from cardwright.game.wording.option_text import words_of
from cardwright.syntax.diagnostic import excerpt

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from cardwright.authoring.position import Expectation, Fact, GamePosition, TomlEntry
    from cardwright.game.game import State


_ORDINAL = re.compile(r" \([0-9]+\)$")
_LISTED = 12
"""Most options that a failure lists."""


@dataclass(frozen=True)
class PositionFailure:
    """Something that does not hold: where the file says it, what it says, and what is found.

    Lines and columns count from 1.
    """

    file: str
    line: int
    column: int
    message: str
    expected: str
    found: str
    excerpt: tuple[str, ...]

    def __str__(self) -> str:
        lines = [f"{self.file}:{self.line}:{self.column}: {self.message}", *self.excerpt]
        lines += [f"      expected: {self.expected}"] if self.expected else []
        return "\n".join([*lines, f"      found:    {self.found}"] if self.found else lines)


@dataclass(frozen=True)
class PositionOutcome:
    """How a position came out: `about` is its name, and `failures` what does not hold in it."""

    file: str
    line: int
    about: str
    failures: tuple[PositionFailure, ...]

    @property
    def passed(self) -> bool:
        """Whether everything holds."""
        return not self.failures


def run_positions(
    game: str | Path, /, files: Iterable[str | Path] | None = None
) -> tuple[PositionOutcome, ...]:
    """Run the positions of a game, by its library name or the path of its file, in order.

    They are in the given files, or else in those beside the game: `NAME.positions.toml` and
    `NAME.*.positions.toml`. Raises PositionFileError for a file that is wrong or names what the
    game does not have, NotFoundError if there is no game, or no file beside it, UnreadableFileError
    for a file that cannot be read, and GameFileError for a game that cannot be played.
    """
    Game.load(game, engine="interpreter")  # its own errors come first
    sources = position_files(game) if files is None else [find(Path(file)) for file in files]
    read = [position for source in sources for position in parse_positions(source)]
    return tuple(run_position(position, game) for position in read)


def run_position(position: GamePosition, game: str | Path) -> PositionOutcome:
    """Play one position; raises PositionFileError if it names what the game does not have."""
    run = _PositionRun(position)
    run.play(run.loaded(game))
    line = position.source.position(position.span.start).line
    return PositionOutcome(position.source.name, line, position.about, tuple(run.failures))


class _Stopped(Exception):  # noqa: N818 - no error: the position is over
    """The position cannot go on."""


class _PositionRun:
    """A position being played."""

    def __init__(self, position: GamePosition) -> None:
        self.position = position
        self.failures: list[PositionFailure] = []

    def loaded(self, game: str | Path) -> Game:
        """Return the game as the position wants it."""
        position = self.position
        try:
            return Game.variant(game, position.declared, position.preset, engine="interpreter")
        except SettingError as error:
            raise position.settings.wrong(str(error)) from None
        except GameFileError as error:
            first = error.checked.diagnostics.errors[0]
            raise position.settings.wrong(first.message, first.expected) from None

    def play(self, game: Game) -> None:
        """Play the position to its end, or until it cannot go on."""
        position = self.position
        with suppress(_Stopped):
            state = self._gone_on(
                lambda: arranged.start(game, position.seed, position.deal),
                position.error,
                position.settings,
            )
            for step in position.steps:
                self._offered(state, step.options)
                self._expect(state, step.expect)
                for choice in step.choose[:-1]:
                    state = self._chosen(state, choice)
                for choice in step.choose[-1:]:
                    state = self._chosen(state, choice, step.deal, step.error)
            self._expect(state, position.expect)

    # Choices ------------------------------------------------------------------------------

    def _chosen(
        self,
        state: State,
        choice: TomlEntry,
        deal: Sequence[Fact] = (),
        error: TomlEntry | None = None,
    ) -> State:
        """Return the state after a choice."""
        index = self._index(state, choice)

        def run() -> State:
            if deal:
                return arranged.play(state, index, deal)
            state.play(index)
            return state

        return self._gone_on(run, error, choice)

    def _gone_on(
        self, run: Callable[[], State], expected: TomlEntry | None, at: TomlEntry
    ) -> State:
        """Return the state to which something leads, or note that it does not break a rule.

        If the game stops with an error that is not expected, that is noted; the position is over.
        """
        try:
            state = run()
        except GameError as error:
            reason = f"{error.rule} in line {error.place.line}: {error.reason}"
            if expected is None:
                self._fail(at, "the game stops with an error", "", reason)
            elif error.rule != expected.text():
                self._fail(expected, "the game stops with another error", expected.text(), reason)
            raise _Stopped from None
        if expected is not None:
            self._fail(expected, "the rules go on", expected.text(), "no error")
        return state

    def _index(self, state: State, choice: TomlEntry) -> int:
        """Return the index of the option that is chosen: by its words, or by its number."""
        if state.finished:
            self._fail(choice, "the game is over: there is nothing to choose")
            raise _Stopped
        if isinstance(choice.value, int):
            index = choice.integer()
            if index < state.option_count:
                return index
            self._fail(choice, "there is no option of this number", "", _counted(state))
            raise _Stopped
        try:
            return _parsed(state, choice.text())
        except OptionTextError as error:
            reason, *_ = str(error).split("\n")
            self._fail(choice, reason.rstrip(":"), "", _listed(state))
            raise _Stopped from None

    def _offered(self, state: State, options: Mapping[str, TomlEntry]) -> None:
        for key, entry in options.items():
            if isinstance(entry.value, int) and key == "options":
                if state.option_count != entry.integer():
                    expected = f"{entry.integer()} options"
                    self._fail(
                        entry, "the number of options is different", expected, _counted(state)
                    )
                continue
            meant = [(part, _meant(state, part)) for part in entry.items()]
            for part, indices in meant:
                if bool(indices) == (key == "excludes"):
                    what = "this is an option" if indices else "this is not an option"
                    self._fail(part, what, "", _listed(state))
            if key == "options" and all(indices for _, indices in meant):
                left = set(range(state.option_count)).difference(*(indices for _, indices in meant))
                if left:
                    more = "; ".join(str(state.options()[at]) for at in sorted(left)[:_LISTED])
                    self._fail(entry, "there are other options too", "", more)

    # Expectations -------------------------------------------------------------------------

    def _expect(self, state: State, expect: Expectation) -> None:
        for name, entry in expect.outcome.items():
            self._outcome(state, name, entry)
        for fact in expect.facts:
            difference = fact.difference(state)
            if difference is not None:
                self._fail(fact.entry, f"{fact} differs", *difference)

    def _outcome(self, state: State, name: str, entry: TomlEntry) -> None:
        wanted = _wanted(name, entry, state.game.players)
        if name not in {"over", "player"} and not state.finished:
            self._fail(entry, f"the game is not over: there are no {name} yet")
            return
        actual: object = None
        match name:
            case "over":
                actual = state.finished
            case "player":
                actual = "nobody" if state.player is None else f"p{state.player + 1}"
            case "scores":
                actual = list(state.scores)
            case "ranks":
                actual = list(state.ranks)
            case "winners":
                actual = [f"p{seat}" for seat, rank in enumerate(state.ranks, 1) if rank == 0]
        if actual != wanted:
            self._fail(entry, f"{name} differ{'s' if name in {'over', 'player'} else ''}",
                       _said(wanted), _said(actual))  # fmt: skip

    # Failures -----------------------------------------------------------------------------

    def _fail(self, entry: TomlEntry, message: str, expected: str = "", found: str = "") -> None:
        source, span = entry.source, entry.span
        place, lines = source.position(span.start), tuple(excerpt(span, source))
        self.failures.append(
            PositionFailure(source.name, place.line, place.column, message, expected, found, lines)
        )


def _wanted(name: str, entry: TomlEntry, players: int) -> object:
    """Return what a part of the outcome should be; raises PositionFileError for nonsense."""
    match name:
        case "over":
            return entry.truth()
        case "player":
            return _seat(entry, players)
        case "winners":
            return [_seat(part, players) for part in entry.items()]
    numbers = [part.integer() for part in entry.items()]
    if len(numbers) != players:
        raise entry.wrong(f"{name} are a list with a number for each of {players} players")
    return numbers


def _seat(entry: TomlEntry, players: int) -> str:
    text = entry.text()
    if text not in {f"p{seat}" for seat in range(1, players + 1)}:
        raise entry.wrong(f"{text!r} is not a player", f"write p1 to p{players}")
    return text


def _meant(state: State, entry: TomlEntry) -> set[int]:
    """Return the options that a text means, those that look alike too.

    None are meant by a text in words of the rules that are not offered now, such as a label. Raises
    PositionFileError for a word that means nothing in the game at all.
    """
    text = entry.text()
    try:
        indices: Sequence[int] = (_parsed(state, text),)
    except OptionTextError as error:
        if error.unknown and not error.found:
            if _is_of_the_rules(state, text):
                return set()
            reason, *_ = str(error).split("\n")
            raise entry.wrong(reason.rstrip(":")) from None
        indices = error.found
    except IllegalOptionError:
        return set()  # the game is over
    options = state.options()
    words = {_ORDINAL.sub("", str(options[at])) for at in indices}
    return {option.index for option in options if _ORDINAL.sub("", str(option)) in words}


def _is_of_the_rules(state: State, text: str) -> bool:
    """Return whether all words of a text may be words of options, at whatever decision."""
    names = RuleNames(state.game.program)
    groups = (names.labels, names.texts, names.stored, names.places, names.cards)
    known = {word for group in groups for name in group for word in words_of(name)}
    known |= {*KNOWN_VERBS, *_SMALL_WORDS, *(f"p{seat + 1}" for seat in range(state.game.players))}
    return all(word in known or word.isdecimal() for word in words_of(text.replace(",", " ")))


_SMALL_WORDS = frozenset(
    ["a", "the", "top", "bottom", "all", "of", "to", "from", "on", "in", "for", "and", "then"]
)
"""Words that descriptions of options have besides verbs and names."""


def _parsed(state: State, text: str) -> int:
    """Return the index of the option that a text means; raises OptionTextError.

    A text of digits is a card of that name: the number of an option is written without quotes.
    """
    return state.parse(f"{text}," if text.strip().isdecimal() else text).index


def _listed(state: State) -> str:
    options = [str(option) for option in state.options()]
    left = len(options) - _LISTED
    more = [f"and {left} more"] if left > 0 else []
    return "; ".join([*options[:_LISTED], *more]) or "no options: the game is over"


def _counted(state: State) -> str:
    return counted(state.option_count, "option")


def _said(value: object) -> str:
    match value:
        case bool():
            return str(value).lower()
        case list():
            return ", ".join(map(str, value)) or "nobody"
    return str(value)


__all__ = ["PositionFailure", "PositionFileError", "PositionOutcome", "run_positions"]
