"""Nothing outside a season's folder is read, wherever links in it lead."""

from __future__ import annotations

import os
from pathlib import Path  # noqa: TC003

import pytest
from season_folders import make_season

from cardwright.league import season_files
from cardwright.league.plan import SeasonError
from cardwright.league.roster import LeagueFileError
from cardwright.league.season import bot_of, read_plan
from cardwright.league.season_files import files_within, read_within

SECRET = "the secret of somebody else"

pytestmark = pytest.mark.skipif(os.name != "posix", reason="links are for everybody there")


@pytest.fixture
def season(tmp_path: Path) -> Path:
    """A season, and beside it a folder with a file that is no part of it."""
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "key").write_text(SECRET)
    (tmp_path / "home" / "first.py").write_text(f"# {SECRET}\n")
    return make_season(tmp_path / "s")


def link(season: Path, place: str, target: str) -> None:
    """Put a link into a season, in the place of what is there."""
    path = season / place
    if path.is_dir():
        path.rename(path.with_name("moved"))
    path.unlink(missing_ok=True)
    path.parent.mkdir(exist_ok=True)
    path.symlink_to(target)


OUT = {
    "the folder beside a bot": ("Bots/first", "../../home"),
    "that folder, by its full path": ("Bots/first", "{home}"),
    "a file in it": ("Bots/first/weights", "../../../home/key"),
    "a folder in it": ("Bots/first/more", "../../../home"),
    "a file in it that is not there": ("Bots/first/weights", "/nowhere/at/all"),
    "a bot": ("Bots/first.py", "../../home/first.py"),
    "a file that is no program": ("Bots/first.py", "../../home/key"),
    "the season's own roster as a bot": ("Bots/first.py", "../Rosters/Main.csv"),
    "the folder of bots as a bot": ("Bots/first.py", "."),
    "a link to itself": ("Bots/first.py", "first.py"),
    "all bots": ("Bots", "../home"),
    "the roster": ("Rosters/Main.csv", "../../home/key"),
    "all rosters": ("Rosters", "../home"),
    "the schedule": ("Schedules/Main.csv", "../../home/key"),
}


@pytest.mark.parametrize("what", OUT)
def test_no_link_leads_out(what: str, season: Path, tmp_path: Path) -> None:
    """Each is refused by name, and nothing of what it leads to is in the message."""
    place, target = OUT[what]
    link(season, place, target.format(home=tmp_path / "home"))
    with pytest.raises((SeasonError, LeagueFileError)) as caught:
        read_plan(season)
    message = str(caught.value)
    assert "cannot be read" in message
    assert place.partition("/")[0] in message
    assert SECRET not in message


@pytest.mark.parametrize("place", ["Bots/first", "Bots/first/weights", "Bots/first.py"])
def test_a_bot_by_itself_reads_nothing_elsewhere_either(place: str, season: Path) -> None:
    """So it is in a check, where no season is known: its bots are those in the same folder."""
    link(season, place, "../" * place.count("/") + "../home" + "/key" * place.endswith("weights"))
    with pytest.raises(SeasonError, match="cannot be read"):
        bot_of(season / "Bots" / "first.py", "first")


def test_the_files_of_another_bot_are_not_ones_own(season: Path) -> None:
    """A link within Bots is followed to a bot's program alone."""
    (season / "Bots" / "last").mkdir()
    (season / "Bots" / "last" / "weights").write_text(SECRET)
    link(season, "Bots/any.py", "last.py")
    assert read_plan(season)[0].bots[2].files == ()
    link(season, "Bots/first", "last")
    with pytest.raises(SeasonError, match="first cannot be read: it is a link; put a folder"):
        read_plan(season)


def test_folders_are_not_nested_without_end(season: Path) -> None:
    deep = season / "Bots" / "first"
    deep.joinpath(*["a"] * 40).mkdir(parents=True)
    with pytest.raises(SeasonError, match="more than 32 deep"):
        read_plan(season)


@pytest.mark.parametrize("swapped", ["file", "folder", "top"])
def test_what_becomes_a_link_in_the_meantime_is_not_followed(
    swapped: str, season: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever is replaced once it was looked at, nothing else is opened."""
    more = season / "Bots" / "first" / "more"
    more.mkdir(parents=True)
    (more / "key").write_text("mine")
    (tmp_path / "home" / "more").mkdir()
    (tmp_path / "home" / "more" / "key").write_text(SECRET)
    bots = season / "Bots"
    place, target = {
        "file": (more / "key", tmp_path / "home" / "key"),
        "folder": (more, tmp_path / "home" / "more"),
        "top": (bots / "first", tmp_path / "home"),
    }[swapped]
    reads = list(files_within(bots, bots / "first", 100))
    assert reads == [("more/key", b"mine")]
    plain = season_files._resolved

    def then_swapped(root: Path, path: Path) -> Path:
        found = plain(root, path)
        place.rename(place.with_name("away"))
        place.symlink_to(target)
        return found

    monkeypatch.setattr(season_files, "_resolved", then_swapped)
    with pytest.raises(OSError, match=r"leads out|symbolic|Not a directory") as caught:
        read_within(bots, more / "key")
    assert SECRET not in str(caught.value)


def test_a_file_that_becomes_a_link_just_before_it_is_opened(
    season: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The last look comes with the opening itself."""
    file = season / "Bots" / "first.py"
    plain = season_files._Folder.mode

    def then_swapped(folder: season_files._Folder, name: str) -> int:
        mode = plain(folder, name)
        if name == file.name and not file.is_symlink():
            file.unlink()
            file.symlink_to(tmp_path / "home" / "first.py")
        return mode

    monkeypatch.setattr(season_files._Folder, "mode", then_swapped)
    with pytest.raises(OSError, match="symbolic links"):
        read_within(season / "Bots", file)


def test_files_are_read_by_their_paths_where_folders_cannot_be_open(
    season: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on Windows: the same files, and the same refusals."""
    monkeypatch.setattr(season_files, "_BY_FOLDER", False)
    beside = season / "Bots" / "first"
    (beside / "more").mkdir(parents=True)
    (beside / "more" / "table").write_text("1")
    assert read_plan(season)[0].bots[0].files == (("more/table", b"1"),)
    link(season, "Bots/first/weights", "../../../home/key")
    with pytest.raises(SeasonError, match=r"weights leads out of .*Bots by a link"):
        read_plan(season)
