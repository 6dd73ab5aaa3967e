"""Seeds for what nobody trusts: made by a keyed one-way function (BLAKE2b, RFC 7693).

The streams of the language are made of a game's seed by bijections: fast, and the same by machine
code, but who has one draw has the seed, and so all cards. So whatever leaves our hands is made from
a stream or a seed by a function that nobody can turn back. Each purpose has results of its own.
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
    """Return so many bytes, at most 64, that belong to a key, a purpose and a number.

    The key has at most 64 bytes, the purpose at most 16 letters. Nothing can be learned from the
    result about the key, nor about what belongs to other purposes and numbers.
    """
    return blake2b(
        number.to_bytes(8, "little"), digest_size=size, key=key, person=purpose.encode("ascii")
    ).digest()


def token(stream: Stream, purpose: str) -> bytes:
    """Return bytes made from where a stream stands, which then goes on by a draw.

    So the next token from the same stream is another.
    """
    made = derived(_WORDS.pack(*stream.words), purpose)
    stream.next()
    return made


def stream_apart(stream: Stream, purpose: str) -> Stream:
    """Return a stream made from where another stands, which then goes on by a draw."""
    return Stream.at(_WORDS.unpack(token(stream, purpose)))
