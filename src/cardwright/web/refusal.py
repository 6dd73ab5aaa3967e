"""Refusals: why a request is not carried out, as a status, a code for programs and a sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

STATUSES = {
    "malformed": 400,
    "invalid": 422,
    "wrong-rules": 422,
    "no-such-page": 404,
    "no-such-table": 404,
    "no-such-game": 404,
    "no-such-season": 404,
    "no-such-replay": 404,
    "wrong-method": 405,
    "wrong-host": 421,
    "wrong-origin": 403,
    "not-allowed": 403,
    "wrong-type": 415,
    "slow": 408,
    "stale": 409,
    "not-your-turn": 409,
    "game-over": 409,
    "resting": 409,
    "illegal-option": 409,
    "conflict": 409,
    "not-over": 409,
    "not-proved": 409,
    "changed": 409,
    "rule-broken": 409,
    "too-large": 413,
    "long-address": 414,
    "too-many": 429,
    "large-headers": 431,
    "broken": 500,
    "not-stored": 503,
    "busy": 503,
    "stopped": 503,
}
"""The codes of errors, each with its status."""


class Refusal(Exception):  # noqa: N818 - it is an answer rather than a failure
    """A request that is refused; nothing has changed.

    `code` is one of `STATUSES`; the message is for people. `headers` go with the answer, and
    `place` is where in the text that was sent something is wrong.
    """

    def __init__(
        self,
        code: str,
        message: str,
        headers: Mapping[str, str] | None = None,
        place: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(message)
        self.place = place
        self.code = code
        self.message = message
        self.headers = dict(headers or {})

    @property
    def status(self) -> int:
        """The status of the answer."""
        return STATUSES[self.code]

    def data(self) -> dict[str, Any]:
        """Return the body of the answer."""
        where = {} if self.place is None else {"place": dict(self.place)}
        return {"error": {"code": self.code, "message": self.message, **where}}
