"""Seeds for untrusted programs: made by a keyed one-way function (BLAKE2b, RFC 7693).

The streams of the language are derived from a game's seed by bijections: fast, and the same in
machine code, but one draw is enough to compute the seed, and so all cards. So whatever is given to
untrusted programs is made from a stream or a seed by a function that cannot be inverted. Each
purpose has results of its own.
"""

from __future__ import annotations

import struct
from hashlib import blake2b
from typing import TYPE_CHECKING

from cardwright.interpreter.stream import Stream

if TYPE_CHECKING:
    from typing import Final

TOKEN_BYTES: Final = 32

_WORDS = struct.Struct("<4Q")


def derived(key: bytes, purpose: str, number: int = 0, *, size: int = TOKEN_BYTES) -> bytes:
    """Return a number of bytes, at most 64, derived from a key, a purpose and a number.

    The key has at most 64 bytes, the purpose at most 16 letters. The result reveals nothing about
    the key, or about the results for other purposes and numbers.
    """
    return blake2b(
        number.to_bytes(8, "little"), digest_size=size, key=key, person=purpose.encode("ascii")
    ).digest()


def token(stream: Stream, purpose: str) -> bytes:
    """Return bytes made from the state of a stream, which then advances by a draw.

    So the next token from the same stream is a different one.
    """
    made = derived(_WORDS.pack(*stream.words), purpose)
    stream.next()
    return made


def stream_apart(stream: Stream, purpose: str) -> Stream:
    """Return a stream made from the state of another, which then advances by a draw."""
    return Stream.at(_WORDS.unpack(token(stream, purpose)))
