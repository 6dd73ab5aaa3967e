"""Schedules: what is read, what is written, and what is said of files that are none."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, strategies as st

from cardwright.league.roster import LeagueFileError, read_schedule, write_schedule

if TYPE_CHECKING:
    from pathlib import Path


def read(folder: Path, content: bytes, entries: int = 10) -> list[list[int]]:
    """Return the games of a schedule with this content."""
    file = folder / "Main.csv"
    file.write_bytes(content)
    schedule = read_schedule(file, entries)
    assert schedule.dtype == np.int32
    return schedule.tolist()


@pytest.mark.parametrize(
    "content",
    [
        b"0,1,2,3\n3,3,9,0\n",
        b"0,1,2,3\n3,3,9,0",
        b"0,1,2,3\r\n3,3,9,0\r\n",
        b"\xef\xbb\xbf0,1,2,3\n3,3,9,0\n\n \n\r\n",
        b" 0, 1,2\t,3 \n03,3,9,000\n",
    ],
)
def test_schedules_are_read(tmp_path: Path, content: bytes) -> None:
    """With any line ends, a byte order mark, blanks, and empty lines at the end."""
    assert read(tmp_path, content) == [[0, 1, 2, 3], [3, 3, 9, 0]]


@pytest.mark.parametrize(
    ("content", "wanted"),
    [
        (b"", "1: there is no game in this schedule; give each game a line, such as 0,1,2,3"),
        (b"\n\n", "1: there is no game in this schedule"),
        (b"P1,0,1,2\n", "1: 'P1' for seat 1 is not a whole number; a schedule has no header"),
        (b"0,1,2,3\n0,1,2,x\n", "2: 'x' for seat 4 is not a whole number$"),
        (b"0,1,2,3\n0,1,2\n", "2: there are 3 numbers in this line, and a game has four"),
        (b"7\n", "1: there is 1 number in this line"),
        (b"0,1,2,3,4\n", "1: there are 5 numbers"),
        (b"0,1,2,3\n\n0,1,2,3\n", "2: this line is empty; each line before the last one"),
        (b"0,1,2,10\n", "1: there is no roster row 10 for seat 4; rows are numbered 0 to 9"),
        (b"0,-1,2,3\n", "1: there is no roster row -1 for seat 2"),
        (b"0,+1,2,3\n", "1: numbers have no sign"),
        (b"0,1.0,2,3\n", "1: '1.0' for seat 2 is not a whole number"),
        (b"0,1_0,2,3\n", "1: '1_0' for seat 2 is not a whole number"),
        (b'0,"1",2,3\n', "1: '\"1\"' for seat 2 is not a whole number"),
        (b"0,\xd9\xa3,2,3\n", "1: '٣' for seat 2 is not a whole number"),
        (b"0,,2,3\n", "1: '' for seat 2 is not a whole number"),
        (b"0,1,2," + b"9" * 5000 + b"\n", "1: there is no roster row 9{40} for seat 4"),
        (b"0,1,2,3\n0,1,\xff,3\n", "2: this is not UTF-8"),
    ],
)
def test_what_is_no_schedule(tmp_path: Path, content: bytes, wanted: str) -> None:
    """Every mistake has its line, and says what to do."""
    with pytest.raises(LeagueFileError) as caught:
        read(tmp_path, content)
    (mistake,) = caught.value.mistakes
    assert re.match(wanted, mistake), mistake
    assert str(caught.value) == f"{tmp_path / 'Main.csv'}:{mistake}"


def test_all_mistakes_at_once(tmp_path: Path) -> None:
    """Several in one line too."""
    with pytest.raises(LeagueFileError) as caught:
        read(tmp_path, b"0,1,2,3\n0,x,5,9\n\n0,1,2,3\n1,2\n", 5)
    assert [one.split(":")[0] for one in caught.value.mistakes] == ["2", "2", "2", "3", "5"]


def test_files_that_cannot_be_read_or_written(tmp_path: Path) -> None:
    with pytest.raises(LeagueFileError, match=r"none.csv: cannot be read: No such file"):
        read_schedule(tmp_path / "none.csv", 4)
    with pytest.raises(LeagueFileError, match="cannot be written: Is a directory"):
        write_schedule(tmp_path, np.zeros((1, 4), np.int32))


@given(st.lists(st.lists(st.integers(0, 10**6), min_size=4, max_size=4), min_size=1))
def test_what_is_written_is_read(
    tmp_path_factory: pytest.TempPathFactory, games: list[list[int]]
) -> None:
    file = tmp_path_factory.mktemp("schedule") / "Main.csv"
    write_schedule(file, np.array(games, np.int32))
    assert read_schedule(file, 10**6 + 1).tolist() == games
    assert file.read_bytes().split(b"\n")[0] == b"%d,%d,%d,%d" % tuple(games[0])
