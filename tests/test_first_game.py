"""A person who follows a tutorial literally gets what it promises."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from typing import TYPE_CHECKING, Any
from urllib.request import Request, urlopen

import pytest

import needed
from cardwright import Game, Stream, run_positions
from commands import leave_pictures_empty
from patience import PATIENCE
from walkthrough import DOCS, Follower, WrongPageError

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not hasattr(os, "openpty"), reason="there are no pseudo-terminals"),
]
FIRST_GAME = DOCS / "tutorials" / "first-game.md"


def followed(page: str, folder: Path) -> Follower:
    """Return somebody who has followed a page in an empty folder."""
    work = folder / "work"
    work.mkdir()
    follower = Follower(work, folder / "bin")
    with pytest.MonkeyPatch.context() as patch:
        leave_pictures_empty(patch)
        follower.follow(page)
    return follower


def test_who_follows_your_first_game_gets_a_playing_game(tmp_path: Path) -> None:
    """The blocks alone lead to a game that checks, plays, passes its positions, and is served."""
    needed.module("polars")  # for `match` and `analyze`
    follower = followed(FIRST_GAME.read_text(encoding="utf-8"), tmp_path)
    work = follower.folder
    assert {one.split()[1] for one in follower.typed if one.startswith("cardwright")} == {
        *("check", "simulate", "play", "test", "match", "analyze")
    }
    game = Game.load(str(work / "duel.rcy"))
    for seed in range(20):
        state, chance = game.start(seed), Stream(seed)
        while not state.finished:
            state.play(chance.below(state.option_count))
        assert sum(state.scores) >= 5
    outcomes = run_positions(work / "duel.rcy")
    assert [outcome.passed for outcome in outcomes] == [True, True, True]
    assert (work / "report" / "index.html").is_file()
    assert "prize" in served(work)


def served(work: Path) -> str:
    """Return what a table in the browser tells after the first round, by the server's interface."""
    needed.module("starlette")
    server = subprocess.Popen(
        [sys.executable, "-m", "cardwright", "serve", "duel.rcy", "--port", "0", "--data", "data"],
        cwd=work,
        stdout=subprocess.PIPE,
        encoding="utf-8",
    )
    try:
        assert server.stdout is not None
        address = re.search(r"http://[^/]+", server.stdout.readline())
        assert address
        people = [{"kind": "person", "name": name} for name in ("Ann", "Ben")]
        made = asked(address[0], "/api/tables", {"game": "duel", "seats": people})
        for seat in (0, 1):
            link = made["seats"][seat]["link"]
            asked(address[0], f"/api{link}/choose", {"number": seat, "option": 0})
        return json.dumps(asked(address[0], f"/api{made['seats'][0]['link']}?since=0"))
    finally:
        server.send_signal(signal.SIGINT)
        server.communicate(timeout=PATIENCE)


def asked(address: str, path: str, data: dict[str, Any] | None = None) -> Any:
    """Return the answer to a request."""
    body = None if data is None else json.dumps(data).encode()
    request = Request(address + path, body, {"Content-Type": "application/json"})
    with urlopen(request, timeout=PATIENCE) as answer:
        return json.load(answer)


@pytest.mark.parametrize("name", ["play.md", "bot-league.md"])
def test_who_follows_a_tutorial_sees_what_it_shows(name: str, tmp_path: Path) -> None:
    page = DOCS / "tutorials" / name
    if name == "bot-league.md":
        needed.module("polars")
        needed.program("bwrap")
    assert len(followed(page.read_text(encoding="utf-8"), tmp_path).typed) > 3


SMALL = """
Save this as `a.txt`, beside the others:

```text
one
two
```

In `a.txt`, replace

```text
two
```

with

```text
three
```

```console
$ cat a.txt
one
...
```

Undo that change. Add this at the end of
`a.txt`:

```text
four
```

```console
$ cat a.txt
one
two
four
$ read word; echo "you say $word"
you say
$ cat nowhere
...
$ echo $?
1
$ echo hello; printf '> '; read word; echo "you say $word"
hello
> yes
you say yes
```

```text
$ sleep 1000
```
"""


def test_a_page_that_is_right_is_followed(tmp_path: Path) -> None:
    assert followed(SMALL, tmp_path).typed[0] == "cat a.txt"


@pytest.mark.parametrize(
    ("right", "wrong", "said"),
    [
        ("Save this as", "Look at", "what this block is for"),
        ("\none\ntwo\n```\n\nIn", "\none\ntwice\n```\n\nIn", "a.txt has 0 times"),
        ("\none\ntwo\n```\n\nIn", "\ntwo\ntwo\n```\n\nIn", "a.txt has 2 times"),
        ("with\n", "by\n", "what this block is for"),
        ("$ cat a.txt\none\n...", "$ cat a.txt\ntwo\n...", "should say"),
        ("$ cat a.txt\none\n...", "$ cat a.txt\none", "should say"),
        ("Undo that change.", "", "should say"),
        ("Add this at the end of", "See", "what this block is for"),
        ("four\n$ read", "four\n...\nfive\n$ read", "should say"),
        ("$ echo $?\n1\n", "", "ends with status 1"),
        ("> yes\nyou say yes", "> yes\nyou say no", "should say"),
        ("> yes\n", "> yes\n> yes\n", "asks less, or more"),
        ("$ sleep", "sleep", "what this block is for"),
    ],
)
def test_a_page_that_is_wrong_is_told(right: str, wrong: str, said: str, tmp_path: Path) -> None:
    """Whatever is broken of a page, following it fails, and says at which line."""
    assert SMALL.count(right) >= 1
    with pytest.raises(WrongPageError, match=r"line \d+: ") as error:
        followed(SMALL.replace(right, wrong, 1), tmp_path)
    assert said in str(error.value)
