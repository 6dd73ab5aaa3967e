"""The page of a game, as Markdown: rules, options, diagrams, numbers, a sample, how to play it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from gallery_pictures import FLOWS
from gallery_sample import SEED, sample_of
from gallery_words import aim_of, code, in_words, paragraphs, safe, special_of, table

from cardwright.analysis.figures.registry import figure_kind
from cardwright.game.errors import override_text
from cardwright.game.settings import Setting
from cardwright.game.wording.naming import attributes_of, places_of
from cardwright.library.catalogue import facts
from cardwright.web.game_facts import family_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from gallery_numbers import GameNumbers, Ranged

    from cardwright import Game
    from cardwright.library.catalogue import CatalogueEntry

CAPTIONS = {
    "length": "How many decisions games had.",
    "scores": "Scores of all seats.",
    "ranks": "How often each seat came in first, second and so on; those who tie have the better "
    "place.",
    "options": "Mean options of a decision along the game, from its first decision to its last.",
}
"""What the figures of numbers show."""


class Chapter(NamedTuple):
    """A chapter of a page: its heading, and its parts as Markdown."""

    heading: str
    parts: Sequence[str]


def page(game: Game, numbers: GameNumbers, pictures: Sequence[str]) -> str:
    """Return the page of a game; `pictures` are those that were drawn."""
    entry = facts(game.name)
    chapters = [
        Chapter("Rules", paragraphs(entry.rules)),
        Chapter("What is left out", [safe(entry.left_out)] if entry.left_out else []),
        Chapter("About the file", [safe(entry.notes)] if entry.notes else []),
        Chapter("Cards and places", _program(game)),
        Chapter("Options and presets", list(_options(game, entry))),
        Chapter("Diagrams", list(_diagrams(game, entry))),
        Chapter("Numbers", [*_numbers(game, numbers), *_figures(game, entry, pictures)]),
        Chapter("A sample of play", _sample(game)),
        Chapter("Playing it", _commands(game, entry)),
    ]
    play = f'<a class="md-button md-button--primary" href="{at_the_table(entry.name)}">Play now</a>'
    lines = [f"# {safe(entry.title)}", safe(aim_of(entry)), play, _summary(entry, numbers)]
    for heading, parts in chapters:
        if parts:
            lines += [f"## {heading}", *parts]
    return "\n\n".join(lines) + "\n"


def at_the_table(name: str, preset: str = "") -> str:
    """Return where a game is played without a server, beside the gallery on the site."""
    return f"../play/#/games/{name}" + (f"?preset={preset}" if preset else "")


def shown(found: Ranged, *, percent: bool = False) -> tuple[str, str]:
    """Return a value and its interval in words."""
    value, low, high = (100 * one for one in found) if percent else found
    unit = " %" if percent else ""
    if low == high:
        return f"{value:.4g}{unit}", "always"
    digits = 1 if percent or abs(value) >= 100 else 2
    return f"{value:.{digits}f}{unit}", f"{low:.{digits}f} to {high:.{digits}f}{unit}"


def _summary(entry: CatalogueEntry, numbers: GameNumbers) -> str:
    special = special_of(entry)
    rows = [
        ("family", f"[{family_of(entry).name}](index.md)"),
        ("players", _players(entry)),
        ("cards", safe(entry.deck)),
        ("from", safe(", ".join(part for part in (entry.origin, entry.date) if part))),
        ("what players do", safe(", ".join(entry.mechanics))),
        ("what is hidden", safe(", ".join(entry.information))),
        ("what is special", safe(special)),
        ("length", f"{numbers.length.value:.0f} decisions in random games"),
        ("rules after", f"<{entry.source}>"),
        ("rules in RECYCLE", f"[{entry.name}.rcy]({entry.name}.rcy)"),
    ]
    return table(("", ""), [(key, value) for key, value in rows if value])


def _players(entry: CatalogueEntry) -> str:
    numbers = in_words(entry.players, "or")
    return numbers if len(entry.players) == 1 else f"{numbers}; here {entry.default_players}"


def _program(game: Game) -> list[str]:
    """Say what follows from the program: who wins, cards, and where they lie."""
    program = game.program
    best = "highest" if game.highest_wins else "lowest"
    said = [f"The {best} score wins. There are {len(game.cards)} cards:"]
    if any(len(team) > 1 for team in program.teams):
        teams = (" and ".join(f"p{seat + 1}" for seat in team) for team in program.teams)
        said.insert(0, f"Partners: {'; '.join(teams)}.")
    cards = [(key.lower(), values) for key, values in attributes_of(game.cards).items()]
    places = places_of(program)
    rows = [
        (one.owner, code(f"{one.kind} {one.name}{' N' if one.indexed else ''}"), one.seen_by)
        for one in places
    ]
    return [
        " ".join(said),
        table(("", ""), [(safe(key), safe(", ".join(values))) for key, values in cards]),
        table(("whose", "place", "seen by"), rows),
    ]


def _options(game: Game, entry: CatalogueEntry) -> Iterator[str]:
    settings = entry.settings
    rows = []
    for one in game.program.declared:
        setting = settings.declared.get(one.name, Setting(""))
        if one.value is not None and not setting.derived:
            values = setting.listed if setting.values else ""
            default = code(override_text(one.default))
            rows.append((code(one.name), default, safe(setting.about), safe(values)))
    if rows:
        yield "Set an option by `--set NAME=VALUE`."
        yield table(("option", "normally", "is", "values"), rows)
    for rule in settings.requires:
        yield f"- {safe(rule.why)}"
    if settings.presets:
        yield "A preset sets several at once: `--preset NAME`."
        yield table(
            ("preset", "is", ""),
            [
                (
                    code(name),
                    _preset(one.about, one.game),
                    f'<a href="{at_the_table(entry.name, name)}" aria-label="play {name}">play</a>',
                )
                for name, one in settings.presets.items()
            ],
        )
    if not rows and not settings.presets:
        yield "There is nothing to set."


def _preset(about: str, other: str) -> str:
    return f"{safe(about)} ([{safe(facts(other).title)}]({other}.md))" if other else safe(about)


def _diagrams(game: Game, entry: CatalogueEntry) -> Iterator[str]:
    for name in ("flow", "stages"):
        kind = figure_kind(name)
        yield _picture(game, name, f"{kind.heading} of {entry.title}")
        yield kind.caption.format(games=FLOWS)


def _picture(game: Game, name: str, words: str) -> str:
    return f"![{safe(words)}](pictures/{game.name}-{name}.svg)"


def _numbers(game: Game, numbers: GameNumbers) -> Iterator[str]:
    call = f"cardwright simulate {game.name} --games {numbers.games} --seed {numbers.seed}"
    yield (
        f"{numbers.games:,} games in which all choose at random, of seed {numbers.seed}, by "
        f"Cardwright {numbers.version}; {code(call)} plays the same games. Intervals are at 95 %."
    )
    rows = [
        ("decisions a game", *shown(numbers.length)),
        ("shortest and longest game", f"{numbers.shortest} and {numbers.longest}", ""),
        ("options a decision", *shown(numbers.options)),
        ("most options of a decision", str(numbers.widest), ""),
        ("dead choices: decisions with one option", *shown(numbers.forced, percent=True)),
    ]
    if game.players > 1:
        rows.append(("games that several sides win", *shown(numbers.tied, percent=True)))
    yield table(("", "value", "interval"), rows)
    yield from _seats(numbers)


def _seats(numbers: GameNumbers) -> Iterator[str]:
    """Say what each seat wins and scores."""
    wins = [shown(one, percent=True) for one in numbers.wins] or [("", "")] * numbers.players
    rows = [
        (f"p{seat}", *won, *shown(score))
        for seat, (won, score) in enumerate(zip(wins, numbers.scores, strict=True), 1)
    ]
    yield table(("seat", "wins", "interval", "mean score", "interval"), rows)
    if numbers.wins:
        yield _fairness(numbers)


def _fairness(numbers: GameNumbers) -> str:
    """Say which seats win more or less than their share, as far as intervals tell."""
    fair = 1 / numbers.players
    seats = list(enumerate(numbers.wins, 1))
    more = [f"p{seat}" for seat, won in seats if won.low > fair]
    less = [f"p{seat}" for seat, won in seats if won.high < fair]
    start = f"A fair share is {100 * fair:.1f} % of the wins; k winners have 1/k each."
    if not more and not less:
        return f"{start} All intervals contain it."
    said = [
        f"{in_words(some)} {'wins' if len(some) == 1 else 'win'} {what}"
        for some, what in ((more, "more"), (less, "less"))
        if some
    ]
    return f"{start} By the intervals {', and '.join(said)} than that."


def _figures(game: Game, entry: CatalogueEntry, pictures: Iterable[str]) -> Iterator[str]:
    for name in pictures:
        if name in CAPTIONS:
            yield _picture(game, name, f"{name.capitalize()} of {entry.title}")
            yield CAPTIONS[name]


def _sample(game: Game) -> list[str]:
    told = "\n".join(sample_of(game))
    call = f"cardwright replay {game.name} --seed {SEED} --players random --table"
    return [
        f"How a game of random players begins; {code(call)} tells all of it.",
        f"```text\n{told}\n```",
    ]


def _commands(game: Game, entry: CatalogueEntry) -> list[str]:
    name = game.name
    rows = [
        (code(f"cardwright play {name}"), "play against the computer"),
        (code(f"cardwright serve {name} --open"), "play in the browser, alone or with friends"),
        (code(f"cardwright show {name}"), "the rules in the terminal"),
        (code(f"cardwright simulate {name} --games 1000"), "play many games and sum them up"),
        (code(f"cardwright analyze {name} --out report"), "a report on what the game is like"),
    ]
    if entry.settings.presets:
        preset = next(iter(entry.settings.presets))
        rows.insert(1, (code(f"cardwright play {name} --preset {preset}"), "the same by a preset"))
    return [table(("command", "to"), rows)]
