"""The first page of the gallery: all games by family, with a small picture and facts of each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gallery_words import aim_of, in_words, safe, special_of, table

from cardwright.library.catalogue import facts
from cardwright.web.game_facts import by_family

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gallery_numbers import GameNumbers

    from cardwright.library.catalogue import CatalogueEntry

OPENING = """\
# The gallery of games

{count} games come with Cardwright, and each has a page here: its rules in words, what can be set,
how its cards move and its stages follow one another, what random games of it are like in numbers,
and how to play it. The small pictures show how the number of options of a decision changes along
the game, from its first decision to its last. Lengths are decisions of {games:,} random games with
the players of the page, and options those of a decision.

<a class="md-button md-button--primary" href="../play/">Play any of them</a>
"""

HEAD = ("", "game", "players", "length", "options", "what it is about", "what is special")


def index(found: Mapping[str, GameNumbers]) -> str:
    """Return the page with all games of which there are numbers."""
    entries = [facts(name) for name in found]
    games = next(iter(found.values())).games
    lines = [OPENING.format(count=len(entries), games=games).rstrip()]
    for family, members in by_family(entries):
        lines += [f"## {family.name}", family.about]
        lines.append(table(HEAD, [_row(one, found[one.name]) for one in members]))
    return "\n\n".join(lines) + "\n"


def _row(entry: CatalogueEntry, numbers: GameNumbers) -> tuple[str, ...]:
    title = safe(entry.title)
    return (
        f"![options along {title}](pictures/{entry.name}-small.svg)",
        f"[{title}]({entry.name}.md)",
        _players(entry.players),
        f"{numbers.length.value:.0f}",
        f"{numbers.options.value:.1f}",
        safe(aim_of(entry)),
        safe(special_of(entry)),
    )


def _players(numbers: tuple[int, ...]) -> str:
    """Return numbers of players: `3 to 8`, or `2 or 4`."""
    if len(numbers) > 1 and numbers == tuple(range(numbers[0], numbers[-1] + 1)):
        return f"{numbers[0]} to {numbers[-1]}"
    return in_words(numbers, "or")
