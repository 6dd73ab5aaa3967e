"""Seeds of a season's games: by the season's seed and the game's number, and one-way."""

from __future__ import annotations

from hashlib import blake2b
from itertools import chain

import pytest

from cardwright.league.plan import game_chances


@pytest.mark.parametrize("salt", [b"", b"salt", bytes(64)], ids=len)
@pytest.mark.parametrize("seed", [0, 17, 2**64 - 1, 2**127 + 5])
def test_every_game_has_two_seeds_that_are_written_down_in_the_docs(seed, salt):
    """They come from the season's seed and salt by BLAKE2b, by purpose and number."""
    written = seed.to_bytes(max(1, -(-seed.bit_length() // 8)), "little")
    key = blake2b(written, key=salt, person=b"league season").digest()
    for game, row in zip(
        range(250, 254), game_chances(seed, range(250, 254), salt).tolist(), strict=True
    ):
        for purpose, given in zip((b"league cards", b"league chances"), row, strict=True):
            number = game.to_bytes(8, "little")
            made = blake2b(number, digest_size=8, key=key, person=purpose).digest()
            assert given == int.from_bytes(made, "little")


def test_no_two_seeds_are_alike():
    seasons = [
        game_chances(seed, range(300), salt).ravel().tolist()
        for seed in (1, 2, 2**64 + 1, 2**128)
        for salt in (b"", b"a", b"b")
    ]
    every = list(chain(*seasons))
    assert len(set(every)) == len(every)
    assert max(every).bit_length() == 64
