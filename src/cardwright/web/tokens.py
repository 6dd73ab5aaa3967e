"""Links: unguessable tokens, of which only a hash is kept."""

from __future__ import annotations

import hashlib
import re
import secrets

_SHAPE = re.compile(r"[A-Za-z0-9_-]{22}")


def new_token() -> str:
    """Return a token of 128 random bits, as 22 characters that need no quoting in an address."""
    return secrets.token_urlsafe(16)


def token_hash(token: str) -> bytes | None:
    """Return the hash by which a token is looked up; None if no token looks like that.

    Who reads the storage cannot sit down at its tables. Tokens are random, so that a plain hash is
    enough; and as a hash is looked up, the time that it takes tells nothing about the token.
    """
    if not _SHAPE.fullmatch(token):
        return None
    return hashlib.sha256(token.encode("ascii")).digest()
