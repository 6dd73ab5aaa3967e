"""The randomness of a season's games: the seed of each game's cards, and that of all other draws.

Both are derived one-way from the season's seed, its salt and the game's number, so that knowing all
about some games reveals nothing about the others. A seed that a person has chosen can be guessed, a
salt that was drawn cannot. `chances` are for draws by trusted code: the referee,
and players of the library. Bots that are files get tokens, which are derived one-way once more: see
`Bot.begin`.
"""

from __future__ import annotations

from hashlib import blake2b
from typing import TYPE_CHECKING

import numpy as np

from cardwright.game.seeds import derived

if TYPE_CHECKING:
    from typing import Any

CARDS, CHANCES, BOT = "league cards", "league chances", "league bot"
"""Purposes of the derived seeds."""

MOST_SALT = 64
"""The most bytes of a salt."""

_SEASON = b"league season"


def game_chances(
    seed: int, games: range, salt: bytes = b""
) -> np.ndarray[Any, np.dtype[np.uint64]]:
    """Return for each game the seed of its cards and that of all other draws.

    The salt, of at most `MOST_SALT` bytes, is the key of the hash of the season's seed.
    """
    written = seed.to_bytes(max(1, -(-seed.bit_length() // 8)), "little")
    season = blake2b(written, key=salt, person=_SEASON).digest()
    made = [
        derived(season, purpose, game, size=8) for game in games for purpose in (CARDS, CHANCES)
    ]
    return np.frombuffer(b"".join(made), "<u8").astype(np.uint64).reshape(-1, 2)
