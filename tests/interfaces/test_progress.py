"""The bar of all that takes long: what it says, how often, and what stands under it."""

from __future__ import annotations

import re
import sys
from types import SimpleNamespace
from typing import TYPE_CHECKING

import pytest

from cardwright.interfaces.cli import progress
from cardwright.interfaces.cli.progress import progress_bar, so_far

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table


@pytest.fixture
def seconds(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The time of bars, which passes only if a test says so; the screen is a terminal."""
    for name, value in (("FORCE_COLOR", "1"), ("TERM", "xterm"), ("COLUMNS", "90")):
        monkeypatch.setenv(name, value)
    now = [100.0]
    monkeypatch.setattr(progress, "time", SimpleNamespace(monotonic=lambda: now[0]))
    return now


def last(capsys: pytest.CaptureFixture[str]) -> list[str]:
    """Return the lines that the screen had last, without what draws the bar."""
    shown = capsys.readouterr()
    assert shown.out == ""
    drawn = [re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", one) for one in shown.err.split("\x1b[2K")]
    lines = [one for one in drawn if one.strip()][-1].splitlines()
    return [" ".join(re.sub("[━╸╺]", "", line).split()) for line in lines]


def test_what_was_done_before_does_not_count_for_the_rate(
    seconds: list[float], capsys: pytest.CaptureFixture[str]
) -> None:
    with progress_bar("deals", 100, shown=True, rate="games a second", games=4) as tell:
        tell(40, 100)
        seconds[0] += 10
        tell(45, 100)
    assert any("playing 45/100 deals, 2.0 games a second, left" in one for one in last(capsys))


def test_fast_rates_have_no_tenths_and_none_is_said_without_words_for_it(
    seconds: list[float], capsys: pytest.CaptureFixture[str]
) -> None:
    with progress_bar("games", 50_000, shown=True, rate="a second") as tell:
        tell(0, 50_000)
        seconds[0] += 10
        tell(12_345, 50_000)
    assert any("12345/50000 games, 1,234 a second, left" in one for one in last(capsys))
    with progress_bar("games", 9, shown=True) as tell:
        tell(3)
    assert any("playing 3/9 games, left" in one for one in last(capsys))


def test_the_end_is_shown_however_soon_it_comes(
    seconds: list[float], capsys: pytest.CaptureFixture[str]
) -> None:
    """What comes within a tenth of a second of another is not drawn, but the last is."""
    with progress_bar("games", 9, shown=True) as tell:
        tell(3, 9)
        tell(4, 9)
    assert any("3/9 games" in one for one in last(capsys))
    with progress_bar("games", 9, shown=True) as tell:
        tell(3, 9)
        tell(9, 9)
    assert any("9/9 games" in one for one in last(capsys))


def test_each_label_has_a_bar_until_the_next_begins(
    seconds: list[float], capsys: pytest.CaptureFixture[str]
) -> None:
    with progress_bar(shown=True) as tell:
        tell(7, 7, "[b]reading")
        tell(2, 5, "drawing")
    lines = last(capsys)
    assert any("drawing 2/5 left" in one for one in lines)
    assert not any("reading" in one for one in lines)
    with progress_bar(shown=True) as tell:
        tell(3, 7, "[b]reading")
        tell(2, 5, "drawing")
    lines = last(capsys)
    assert any("[b]reading 3/7 left" in one for one in lines)


def test_a_table_stands_under_the_bar(
    seconds: list[float], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It has as many rows as the screen has room for, and says how many it leaves out."""
    monkeypatch.setenv("LINES", "11")

    def below(console: Console) -> Table:
        return so_far(
            console, ["games"], list(range(8)), lambda row: (f"bot {row}\x1b", f"{row:,}")
        )

    with progress_bar("games", 9, shown=True, below=below) as tell:
        tell(1, 9)
    lines = last(capsys)
    start = next(at for at, line in enumerate(lines) if line == "so far games")
    assert lines[start + 2 : start + 8] == [
        *(f"bot {row}\ufffd {row}" for row in range(5)),
        "... 3 more",
    ]


def test_nothing_is_shown_or_loaded_if_nobody_looks(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("rich.progress", "rich.live", "rich.console"):
        monkeypatch.setitem(sys.modules, name, None)
    with progress_bar("games", 9, shown=False, rate="a second") as tell:
        tell(1)
        tell(9, 9, "playing")
    assert capsys.readouterr() == ("", "")
