"""The studio's requests: what they answer, and what they refuse without losing anything."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from hostile_rules import LONG_SETUP
from in_process import InProcessClient, in_process

from cardwright.page.runtime import RuntimeFilesError
from cardwright.web.limits import OWN
from cardwright.web.process_limits import MEGABYTE, ProcessLimits
from cardwright.web.refusal import Refusal
from cardwright.web.studio.workers import StudioLimits, StudioWorkers
from cardwright.web.studio_routes import EMPTY

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

SLIP = EMPTY.replace("(move 'C", "(mov 'C")


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Give two files for the server; the second is of another system."""
    folder = tmp_path_factory.mktemp("given")
    mine, other = folder / "mine.rcy", folder / "other.rcy"
    mine.write_text(EMPTY)
    other.write_bytes(b"\xef\xbb\xbf" + EMPTY.replace("\n", "\r\n").encode())
    return mine, other


@pytest.fixture(scope="module")
def client(files: tuple[Path, Path]) -> Iterator[InProcessClient]:
    with in_process(files=files, own_limits=replace(OWN, source=20_000)) as found:
        yield found


def code(answer: Any, status: int) -> str:
    """Return the code of an error with a status; its message is a sentence for people."""
    assert answer.status_code == status, answer.text
    error = answer.json()["error"]
    assert len(error["message"]) > 10
    return str(error["code"])


def test_rules_are_checked_in_a_process(client: InProcessClient) -> None:
    found = client.post("/api/studio/check", {"source": SLIP}).json()
    assert found["diagnostics"][0]["fixes"][0]["title"] == "Replace mov by move"
    assert len(client.site.studio.pids()) == 1


def test_every_question_has_its_route(client: InProcessClient) -> None:
    offset = EMPTY.index("shuffle")
    assert client.post("/api/studio/hover", {"source": EMPTY, "offset": offset}).json()["from"]
    assert client.post("/api/studio/complete", {"source": "(", "offset": 1}).json()["offers"]
    assert client.post("/api/studio/format", {"source": SLIP}).json() == {
        "edits": [],
        "refused": "",
    }
    assert client.post("/api/studio/mend", {"source": SLIP}).json()["edits"]


def test_wrong_rules_are_refused_with_what_to_do(client: InProcessClient) -> None:
    answer = client.post("/api/studio/flow", {"source": SLIP})
    assert code(answer, 422) == "wrong-rules"


def test_a_broken_rule_is_refused_with_its_place(client: InProcessClient) -> None:
    text = EMPTY.replace("repeat 4", "repeat 5")
    answer = client.post("/api/studio/flow", {"source": text})
    assert code(answer, 409) == "rule-broken"
    assert answer.json()["error"]["place"]["line"] == 11


@pytest.mark.parametrize(
    ("body", "status", "wanted"),
    [
        ({}, 422, "invalid"),
        ({"source": 5}, 422, "invalid"),
        ({"source": "(", "more": 1}, 422, "invalid"),
        ({"source": "x" * 20_001}, 413, "too-large"),
        ({"source": "\u00e9" * 10_001}, 413, "too-large"),
        ({"source": "\x00" * 200_000}, 413, "too-large"),
    ],
)
def test_what_is_no_request_is_refused(
    client: InProcessClient, body: dict[str, Any], status: int, wanted: str
) -> None:
    assert code(client.post("/api/studio/check", body), status) == wanted


def test_the_largest_rules_are_taken(client: InProcessClient) -> None:
    """The limit is on the text: how JSON writes it does not matter."""
    text = EMPTY + ";;" + "\x01" * (20_000 - len(EMPTY) - 2)
    assert client.post("/api/studio/check", {"source": text}).status_code == 200


@pytest.mark.parametrize("games", [0, -1, 10_001, 1.5, "5"])
def test_so_many_games_are_not_played(client: InProcessClient, games: Any) -> None:
    answer = client.post("/api/studio/statistics", {"source": EMPTY, "games": games})
    assert code(answer, 422) == "invalid"


def test_starts(client: InProcessClient) -> None:
    listed = client.get("/api/studio/starts").json()
    assert [file["name"] for file in listed["files"]] == ["mine.rcy", "other.rcy"]
    assert listed["most_bytes"] == 20_000
    kinds = [one["kind"] for one in listed["kinds"]]
    for kind in ("empty", *kinds):
        begun = client.post("/api/studio/starts", {"kind": kind}).json()
        assert "(game" in begun["source"]
    three = client.post("/api/studio/starts", {"kind": kinds[0], "deck": "32", "players": 3})
    assert "(declare 3 'PLAYERS)" in three.json()["source"]
    for wrong in (
        {"kind": "poker"},
        {"kind": kinds[0], "players": 7},
        {"kind": kinds[0], "deck": ""},
    ):
        assert code(client.post("/api/studio/starts", wrong), 422) == "invalid"


def test_games_of_the_library_alone_are_studied(client: InProcessClient) -> None:
    assert "(game" in client.get("/api/studio/library/kuhn").json()["source"]
    for name in ("kuhnn", "..%2Fkuhn", "%2Fetc%2Fpasswd", "mine"):
        assert client.get(f"/api/studio/library/{name}").status_code == 404


# Files -----------------------------------------------------------------------------------------


def test_a_file_is_opened_and_saved(client: InProcessClient, files: tuple[Path, Path]) -> None:
    opened = client.get("/api/studio/files/0").json()
    assert (opened["name"], opened["source"]) == ("mine", EMPTY)
    body = {"source": SLIP, "digest": opened["digest"]}
    saved = client.post("/api/studio/files/0", body).json()
    assert files[0].read_text() == SLIP
    again = client.post("/api/studio/files/0", {"source": EMPTY, "digest": saved["digest"]})
    assert again.status_code == 200
    assert files[0].read_text() == EMPTY


def test_a_file_that_has_changed_is_not_overwritten(
    client: InProcessClient, files: tuple[Path, Path]
) -> None:
    """What another program wrote meanwhile stays, and so does what the page has."""
    opened = client.get("/api/studio/files/0").json()
    files[0].write_text(EMPTY + ";; elsewhere\n")
    body = {"source": SLIP, "digest": opened["digest"]}
    assert code(client.post("/api/studio/files/0", body), 409) == "conflict"
    assert files[0].read_text() == EMPTY + ";; elsewhere\n"
    files[0].write_text(EMPTY)


def test_line_ends_and_marks_of_a_file_stay(
    client: InProcessClient, files: tuple[Path, Path]
) -> None:
    opened = client.get("/api/studio/files/1").json()
    assert opened["source"] == EMPTY
    before = files[1].read_bytes()
    body = {"source": EMPTY, "digest": opened["digest"]}
    assert client.post("/api/studio/files/1", body).json() == {"digest": opened["digest"]}
    assert files[1].read_bytes() == before


@pytest.mark.parametrize("number", ["2", "-1", "x", "0x0", "999999999999", "\u0661"])
def test_no_other_file_is_opened(client: InProcessClient, number: str) -> None:
    assert code(client.get(f"/api/studio/files/{number}"), 404) == "no-such-game"


def test_strangers_open_no_files(files: tuple[Path, Path]) -> None:
    """With --public nobody does, whoever asks, and nobody is told their names."""
    with in_process(files=files, public=True) as client:
        assert client.get("/api/studio/starts").json()["files"] == []
        assert code(client.get("/api/studio/files/0"), 403) == "not-allowed"
        body = {"source": SLIP, "digest": ""}
        assert code(client.post("/api/studio/files/0", body), 403) == "not-allowed"
        assert files[0].read_text() == EMPTY


# Limits ----------------------------------------------------------------------------------------


@pytest.mark.slow
def test_long_work_is_stopped_and_the_next_is_done() -> None:
    """It says why, and what to do; the process is killed, and nobody else notices."""

    async def both() -> tuple[Refusal, dict[str, Any]]:
        workers = StudioWorkers(StudioLimits(playing=2.0))
        try:
            with pytest.raises(Refusal) as stopped:
                await workers.do({"do": "flow", "source": LONG_SETUP}, "")
            return stopped.value, await workers.do({"do": "flow", "source": EMPTY}, "")
        finally:
            await workers.close()

    stopped, found = asyncio.run(both())
    assert (stopped.code, stopped.status) == ("stopped", 503)
    assert "longer than 2 seconds" in stopped.message
    assert "make a loop shorter" in stopped.message
    assert found["games"] == 12


def test_too_many_requests_wait_for_nobody() -> None:
    """One address cannot fill the queue, and a full queue says so at once."""
    limits = StudioLimits(
        waiting=3, each=2, process=ProcessLimits(memory=1024 * MEGABYTE, reply=MEGABYTE, niceness=0)
    )
    check = {"do": "check", "source": EMPTY}

    async def crowd() -> list[Any]:
        workers = StudioWorkers(limits)
        try:
            asked = [workers.do(check, address) for address in ("a", "a", "a", "b", "c")]
            return await asyncio.gather(*asked, return_exceptions=True)
        finally:
            await workers.close()

    found = asyncio.run(crowd())
    assert [one.code if isinstance(one, Refusal) else one["ok"] for one in found] == [
        True, True, "too-many", True, "busy",
    ]  # fmt: skip
    assert [one.status for one in found if isinstance(one, Refusal)] == [429, 503]


@pytest.mark.slow
def test_a_process_is_ended_when_it_has_worked_enough() -> None:
    """What was played stays in its memory, so that another one goes on."""
    workers = StudioWorkers(StudioLimits(used=0.01))

    async def pids() -> set[int]:
        found = set()
        for _ in range(2):
            await workers.do({"do": "check", "source": EMPTY}, "")
            found |= set(workers.pids())
        await workers.close()
        return found

    assert len(asyncio.run(pids())) == 2
    assert workers.pids() == []


def test_a_page_to_publish_rules_in_is_made_once():
    made = []

    def page():
        made.append(1)
        return b"<!doctype html>"

    with in_process(page=page) as client:
        for _ in range(30):
            answer = client.get("/api/studio/page")
            assert (answer.status_code, answer.content) == (200, b"<!doctype html>")
        assert "attachment" in answer.headers["Content-Disposition"]
        assert code(client.get("/api/studio/page"), 429) == "too-many"
    assert made == [1]


def test_a_page_that_cannot_be_made_is_tried_again():
    answers = [RuntimeFilesError("pyodide cannot be fetched"), b"<!doctype html>"]

    def page():
        answer = answers.pop(0)
        if isinstance(answer, bytes):
            return answer
        raise answer

    with in_process(page=page) as client:
        answer = client.get("/api/studio/page")
        assert code(answer, 503) == "not-stored"
        assert "pyodide cannot be fetched" in answer.json()["error"]["message"]
        assert client.get("/api/studio/page").status_code == 200


def test_a_site_that_publishes_nothing_says_so():
    with in_process() as client:
        answer = client.get("/api/studio/page")
        assert code(answer, 403) == "not-allowed"
