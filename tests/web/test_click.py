"""A click at the table in the browser: how long the way of a choice through the server is."""

import sys
from pathlib import Path

from in_process import in_process

import cardwright

ROOT = Path(cardwright.__file__).parent
MOST = 32
"""The modules of one choice in Hearts: 20 are of rules and words, which any way has to ask."""


def entered(work):
    """Return the modules of the package that some work enters."""
    found, before = set(), sys.getprofile()

    def note(frame, event, _):
        path = Path(frame.f_code.co_filename)
        if event == "call" and path.is_relative_to(ROOT):
            found.add(path.relative_to(ROOT).as_posix())

    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(before)
    return found


def test_a_choice_takes_a_reader_through_few_modules(tmp_path):
    """From the handler of the route down, until the answer and the scene for the page are made."""
    seats = [{"kind": "person"}, *({"kind": "computer", "player": "random"} for _ in range(3))]
    with in_process(data=tmp_path) as client:
        body = {"game": "hearts", "seed": "5", "seats": seats}
        token = client.post("/api/tables", body).json()["seats"][0]["link"].rpartition("/")[2]

        async def click(seat, number):
            table, _ = await client.site.tables.find(token)
            choice = {"do": "choose", "seat": seat, "number": number, "option": 0}
            assert await table.act(choice, seat) == {"number": number + 1}
            assert (await table.look(0, number)).version == number + 1

        clicks = []
        for number in range(24):
            table, _ = client.run(client.site.tables.find(token))
            seat = client.run(table.ask({"do": "due"}))["seat"]
            client.run(table.look(0, number))
            found = entered(lambda seat=seat, number=number: client.run(click(seat, number)))
            if seat == 0:
                clicks.append(found)
    assert len(clicks) == 6
    longest = max(clicks, key=len)
    assert len(longest) <= MOST, sorted(longest)
    assert {"web/live_table.py", "table/table.py", "interpreter/machine.py"} <= longest
