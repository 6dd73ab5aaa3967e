"""People at a table, for tests: each has a link, looks, and plays by requests alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    import httpx
    from in_process import InProcessClient

PERSON = {"kind": "person"}
RANDOM = {"kind": "computer", "player": "random"}


@dataclass
class Seated:
    """Somebody with a link: the address of its interface."""

    client: InProcessClient
    api: str

    def look(self, since: int = 0) -> Any:
        answer = self.client.get(f"{self.api}?since={since}")
        assert answer.status_code == 200, answer.text
        return answer.json()

    def post(self, what: str, **body: Any) -> httpx.Response:
        return self.client.post(f"{self.api}/{what}", body)

    def choose(self, option: int = 0) -> httpx.Response:
        return self.post("choose", number=self.look()["scene"]["number"], option=option)

    def code(self, what: str, **body: Any) -> str:
        """Return the code of the error that a request gets."""
        answer = self.post(what, **body)
        assert not answer.is_success, answer.text
        return str(answer.json()["error"]["code"])


def drawing(seed: int) -> AbstractContextManager[Any]:
    """Have the server draw this seed for the tables that are made meanwhile."""
    return patch("cardwright.web.table_request.drawn_seed", return_value=seed)


def table(
    client: InProcessClient, game: str | None, *seats: dict[str, Any], **wanted: Any
) -> tuple[list[Seated], Seated | None]:
    """Make a table; return who sits there, and a spectator.

    Where several people play, nobody may choose a seed: it is what the server draws.
    """
    body = {"seed": "5", "pace": 0, "seats": list(seats), **wanted}
    if game is not None:
        body["game"] = game
    if seats.count(PERSON) > 1:
        with drawing(int(body.pop("seed"))):
            made = client.post("/api/tables", body)
    else:
        made = client.post("/api/tables", body)
    assert made.status_code == 201, made.text
    links = made.json()
    people = [Seated(client, f"/api{one['link']}") for one in links["seats"]]
    watch = links["watch"]
    return people, None if watch is None else Seated(client, f"/api{watch}")
