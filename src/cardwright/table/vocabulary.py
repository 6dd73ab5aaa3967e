"""What is done and seen at a table, by the words that the terminal and the browser both have.

The browser has them in its own files; a test reads both.
"""

from __future__ import annotations

from typing import NamedTuple


class TableAct(NamedTuple):
    """Something that a person can do at a table.

    `key` does it on a screen, `word` in lines, where that is no other; `words` say what it is.
    """

    key: str
    word: str
    words: str


ACTS = (
    TableAct("h", "hint", "a hint"),
    TableAct("w", "why", "why it cannot be played"),
    TableAct("k", "claim", "claim the rest"),
    TableAct("u", "undo", "take back your last move"),
    TableAct("n", "", "the next deal"),
    TableAct("t", "last", "the last trick"),
    TableAct("s", "scores", "the scores"),
    TableAct("l", "log", "the log"),
    TableAct("r", "rules", "the rules"),
    TableAct("p", "", "settings"),
)
"""All that both can do; `?` lists it on a screen."""

MEANING = {act.key: act.words for act in ACTS}
"""What the keys do."""

PACE = "Pace of computer players"
NEXT_DEAL = "The next deal begins"
FORCED = "The only possible choice is made for me"
FOUR_COLOURS = "Four colours for the suits"

PAUSES = (0, 5, 10, 20)
"""After how many seconds the next deal can begin by itself; 0 if it does not."""

CLAIM = "Claim the rest"
HINT = "Hint"
NO_TRICK = "There is no finished trick yet."
NO_SCORES = "The scores are known at the end of the game."


def deal_over(number: int) -> str:
    """Return that a deal is over."""
    return f"Deal {number} is over"


OVER = "The game is over"
"""What is said at the end, where nobody wins."""


def game_over(words: str, after: str = "") -> str:
    """Return how a game has ended, from the words about its winners, and after what."""
    told = f"{OVER} {after}".strip()
    return f"{told}." if words == OVER else f"{told}: {words}."


SHARED = "All have the same score."
"""What is said of scores where nobody is before anybody."""


def wins(*, higher: bool, shared: bool) -> str:
    """Return which score wins, unless all share one."""
    if shared:
        return SHARED
    return f"The {'highest' if higher else 'lowest'} score wins."
