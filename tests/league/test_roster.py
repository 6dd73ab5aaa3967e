"""Rosters: what is read, what is written, and what is said of files that are none."""

from __future__ import annotations

import pickle
import re
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from cardwright.league.roster import LeagueFileError, Roster, RosterEntry, read_roster, write_roster

HEADER = b",Filepath,Name,Author\n"


def read(folder: Path, content: bytes) -> Roster:
    """Return the roster with this content."""
    file = folder / "Main.csv"
    file.write_bytes(content)
    return read_roster(file)


def mistakes(folder: Path, content: bytes) -> tuple[str, ...]:
    """Return what is wrong with this content."""
    with pytest.raises(LeagueFileError) as caught:
        read(folder, content)
    assert str(caught.value).startswith(f"{folder / 'Main.csv'}:{caught.value.mistakes[0]}")
    return caught.value.mistakes


def test_a_roster_is_read(tmp_path: Path) -> None:
    """The index means nothing; quotes are those of CSV."""
    content = HEADER + b'0,first,One,Ann\n7,sub/second,"Two, too","A ""B"" C"\nx,Third,\xc3\xa9,\n'
    roster = read(tmp_path, content)
    assert roster == Roster(
        (
            RosterEntry("first", "One", "Ann"),
            RosterEntry("sub/second", "Two, too", 'A "B" C'),
            RosterEntry("Third", "é", ""),
        )
    )
    assert len(roster) == 3
    assert roster.names == ["One", "Two, too", "é"]
    assert roster.authors == ["Ann", 'A "B" C', ""]
    assert roster.entries[1].file(Path("Bots")) == Path("Bots/sub/second.py")
    assert roster.entries[1].builtin is None


@pytest.mark.parametrize(
    "content",
    [
        b"\xef\xbb\xbf" + HEADER + b"0,a,A,B\n",
        HEADER.replace(b"\n", b"\r\n") + b"0,a,A,B\r\n",
        HEADER + b"\n\n0,a,A,B\n\n",
        HEADER + b"0,a.py,A,B",
        b"number,Filepath,Name,Author\n0,a,A,B\n",
    ],
)
def test_what_is_tolerated(tmp_path: Path, content: bytes) -> None:
    """A byte order mark, other line ends, empty lines, `.py`, no last line end, a named index."""
    assert read(tmp_path, content).entries == (RosterEntry("a", "A", "B"),)


def test_players_of_the_library(tmp_path: Path) -> None:
    """Their text is taken as it is, with what no file could have."""
    text = "builtin:search,time=../1:x.py"
    (entry,) = read(tmp_path, HEADER + f'0,"{text}",S,-\n'.encode()).entries
    assert entry.filepath == text
    assert entry.builtin == "search,time=../1:x.py"


def test_bots_of_one_name_are_allowed(tmp_path: Path) -> None:
    """They are two bots, and a warning says with which lines to change what."""
    roster = read(tmp_path, HEADER + b"0,a,Same,A\n1,b,Other,A\n2,a,Same,A\n")
    assert len(roster) == 3
    (warning,) = roster.warnings
    assert warning.startswith(f"{tmp_path / 'Main.csv'}: the bots of lines 2, 4 are all called 'Sa")
    assert warning.endswith("GameHistory.csv does not distinguish them")
    assert read(tmp_path, HEADER + b"0,a,One,A\n1,a,Two,A\n").warnings == ()


@pytest.mark.parametrize(
    ("content", "wanted"),
    [
        (b"", '1: the header is "" and has to be ",Filepath,Name,Author"'),
        (b"Filepath,Name,Author\na,A,B\n", "1: the first column, an index, is missing"),
        (b",File,Name,Author\n0,a,A,B\n", '1: the header is ",File,Name,Author" and has to be'),
        (HEADER, "2: there is no bot in this roster"),
        (HEADER + b"0\n", "2: there is 1 field in this line, and there have to be four: index, "),
        (HEADER + b"0,a,A\n", "2: there are 3 fields in this line"),
        (HEADER + b"0,a,A,B, Jr\n", '2: there are 5 fields in this line.*in "quotes"'),
        (HEADER + b"0,,A,B\n", "2: Filepath is empty"),
        (HEADER + b"0,.py,A,B\n", "2: Filepath '.py' leads out of Bots, or names no file"),
        (HEADER + b"0,a, ,B\n", "2: Name is empty"),
        (HEADER + b"0,../a,A,B\n", "2: Filepath '../a' leads out of Bots"),
        (HEADER + b"0,a/../../b,A,B\n", "2: Filepath 'a/../../b' leads out of Bots"),
        (HEADER + b"0,/etc/a,A,B\n", "2: Filepath '/etc/a' leads out of Bots"),
        (HEADER + b"0,./a,A,B\n", "2: Filepath './a' leads out of Bots"),
        (HEADER + b"0,...py,A,B\n", r"2: Filepath '\.\.\.py' leads out of Bots"),
        (HEADER + b"0,C:/a,A,B\n", "2: Filepath 'C:/a' has a backslash or a colon"),
        (HEADER + b"0,..\\a,A,B\n", r"2: Filepath '\.\.\\\\a' has a backslash or a colon"),
        (HEADER + b"0,bultin:x,A,B\n", "2: .* a colon .* players of the library as builtin:"),
        (HEADER + b"0,builtin:,A,B\n", "2: Filepath ends after builtin:; name a player"),
        (HEADER + b'0,a,"A\nB",B\n', "3: Name has a control character"),
        (HEADER + b"0,a,A,B\x07\n", "2: Author has a control character"),
        (HEADER + b"0,a\x00b,A,B\n", "2: "),
        (HEADER + b'0,a,A,"B\n1,b,C,D\n', "3: this is not CSV .* check its quotes"),
        (HEADER + b'0,a,"A"x,B\n', "2: this is not CSV"),
        (HEADER + b"0,a,A,B\n1,b,C,\xff\n", "3: this is not UTF-8; save the file as CSV in UTF-8"),
    ],
)
def test_what_is_no_roster(tmp_path: Path, content: bytes, wanted: str) -> None:
    """Every mistake has its line, and says what to do."""
    (mistake,) = mistakes(tmp_path, content)
    assert re.match(wanted, mistake), mistake


def test_all_mistakes_at_once(tmp_path: Path) -> None:
    """The user sees them all, or how many there are."""
    content = b",Filepath,Nam,Author\n0,../a,,B\n1,b,B,B\n2,c\n"
    assert [one.split(":")[0] for one in mistakes(tmp_path, content)] == ["1", "2", "2", "4"]
    many = HEADER + b"0,a\n" * 50
    with pytest.raises(LeagueFileError, match="and 30 more mistakes of this file") as caught:
        read(tmp_path, many)
    assert len(caught.value.mistakes) == 50
    assert len(str(caught.value).splitlines()) == 21


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    missing = tmp_path / "none.csv"
    with pytest.raises(LeagueFileError, match=r"none.csv: cannot be read: No such file"):
        read_roster(missing)
    with pytest.raises(LeagueFileError, match="cannot be read: Is a directory"):
        read_roster(tmp_path)
    with pytest.raises(LeagueFileError, match="cannot be written"):
        write_roster(tmp_path / "no" / "folder.csv", [])


def test_errors_travel_between_processes(tmp_path: Path) -> None:
    error = LeagueFileError(tmp_path, ["1: one", "2: two"])
    back = pickle.loads(pickle.dumps(error))
    assert (str(back), back.file, back.mistakes) == (str(error), tmp_path, error.mistakes)


words = st.text(st.characters(exclude_categories=["Cc", "Cs"]))
parts = st.text(st.characters(categories=["L", "N"], include_characters='_- ,"'), min_size=1)
paths = st.lists(parts.filter(str.strip), min_size=1, max_size=3).map("/".join)


@given(
    st.lists(
        st.builds(
            RosterEntry, paths | paths.map("builtin:{}".format), words.filter(str.strip), words
        ),
        min_size=1,
    )
)
def test_what_is_written_is_read(
    tmp_path_factory: pytest.TempPathFactory, entries: list[RosterEntry]
) -> None:
    """Whatever names have in them, a roster comes back as it was."""
    file = tmp_path_factory.mktemp("roster") / "Main.csv"
    write_roster(file, entries)
    assert file.read_bytes().startswith(HEADER + b"0,")
    assert read_roster(file).entries == tuple(entries)
