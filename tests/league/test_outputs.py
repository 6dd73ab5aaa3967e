"""The four tables of a season: to the letter, whatever the blocks, and whole or not there."""

from __future__ import annotations

import random
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from made_rounds import made_round
from plain_tables import tables
from seasons import block_of, blocks_of, game, roster_of

from cardwright.league import outputs, outputs as rows
from cardwright.league.block import BlockError, SeasonBlock
from cardwright.league.outputs import FILES, OutputWriter
from cardwright.league.roster import LeagueFileError
from deep import usually

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from plain_league import Round

BOTS = [("Ann", "Me"), ("Bob, Jr", "You"), ('C "x" D', "You"), ("Dora", "Me"), ("Eve", "")]
SCHEDULE = [[0, 1, 2, 3], [3, 2, 1, 0], [1, 0, 3, 2], [0, 0, 1, 4], [4, 4, 4, 4], [2, 3, 4, 1]]
GAMES = [
    [made_round((13, 0, 0, 0), 0)],
    [made_round((1, 1, 10, 1), 3), made_round((1, 1, 1, 10), 2)],
    [
        made_round((3, 3, 3, 4), 0),
        made_round((4, 3, 3, 3), 1),
        made_round((3, 4, 3, 3), 2),
        made_round((3, 3, 4, 3), 3),
    ],
    [made_round((1, 5, 5, 2), 3)],
    [made_round((1, 2, 3, 7), 0)],
    [made_round((4, 4, 4, 1), 3)],
]
"""A moon; two and two with the same scores; four; two in the middle; none; three at the top."""

TRICKS_OF_GAME_4 = """\
S,4,1,-3,0,13,26,39,-1,-1
S,4,1,-2,1,14,27,40,-1,-1
S,4,1,-1,2,15,28,41,-1,-1
S,4,1,0,14,13,26,39,0,0
S,4,1,1,0,1,27,40,0,1
S,4,1,2,28,16,15,41,1,1
S,4,1,3,29,18,17,42,1,1
S,4,1,4,30,2,19,43,1,1
S,4,1,5,31,3,20,44,1,1
S,4,1,6,32,4,5,45,1,2
S,4,1,7,33,46,6,21,2,2
S,4,1,8,34,47,7,22,2,2
S,4,1,9,35,48,8,23,2,2
S,4,1,10,37,49,9,24,2,2
S,4,1,11,36,50,10,11,2,3
S,4,1,12,25,38,51,12,3,3
"""

ROUNDS = """\
S,1,1,0,26,26,26,0
S,2,1,1,1,10,14,3
S,2,2,1,1,14,10,2
S,3,1,16,3,3,4,0
S,3,2,4,16,3,3,1
S,3,3,3,4,16,3,2
S,3,4,3,3,4,16,3
S,4,1,1,5,5,15,3
S,5,1,14,2,3,7,0
S,6,1,4,4,4,14,3
"""

GAME_ROWS = """\
S,1,Ann,"Bob, Jr","C ""x"" D",Dora,0,26,26,26,13,0,0,0,1,0,0,0,13,0,0,0
S,2,Dora,"C ""x"" D","Bob, Jr",Ann,2,2,24,24,2,2,11,11,0,0,1,1,2,2,11,11
S,3,"Bob, Jr",Ann,Dora,"C ""x"" D",26,26,26,26,13,13,13,13,1,1,1,1,13,13,13,13
S,4,Ann,Ann,"Bob, Jr",Eve,1,5,5,15,1,5,5,2,0,0,0,1,1,5,5,2
S,5,Eve,Eve,Eve,Eve,14,2,3,7,1,2,3,7,1,0,0,0,1,2,3,7
S,6,"C ""x"" D",Dora,Eve,"Bob, Jr",4,4,4,14,4,4,4,1,0,0,0,1,4,4,4,1
"""

STANDINGS = """\
S,0,Ann,Me,0,0.0,0.0,0.0,0.0,0,0.0,0,0,0
S,0,"Bob, Jr",You,0,0.0,0.0,0.0,0.0,0,0.0,0,0,0
S,0,"C ""x"" D",You,0,0.0,0.0,0.0,0.0,0,0.0,0,0,0
S,0,Dora,Me,0,0.0,0.0,0.0,0.0,0,0.0,0,0,0
S,0,Eve,,0,0.0,0.0,0.0,0.0,0,0.0,0,0,0
S,1,Ann,Me,1,1.0,0.0,0.0,0.0,0,1.0,13,13,1
S,1,"Bob, Jr",You,1,0.0,0.3333333333333333,0.3333333333333333,0.3333333333333333,26,1.0,0,0,0
S,1,"C ""x"" D",You,1,0.0,0.3333333333333333,0.3333333333333333,0.3333333333333333,26,1.0,0,0,0
S,1,Dora,Me,1,0.0,0.3333333333333333,0.3333333333333333,0.3333333333333333,26,1.0,0,0,0
S,1,Eve,,0,0.0,0.0,0.0,0.0,0,0.0,0,0,0
S,2,Ann,Me,2,1.0,0.0,0.5,0.5,24,3.0,24,24,2
S,2,"Bob, Jr",You,2,0.0,0.3333333333333333,0.8333333333333334,0.8333333333333334,50,3.0,11,11,1
S,2,"C ""x"" D",You,2,0.5,0.8333333333333334,0.3333333333333333,0.3333333333333333,28,3.0,2,2,0
S,2,Dora,Me,2,0.5,0.8333333333333334,0.3333333333333333,0.3333333333333333,28,3.0,2,2,0
S,2,Eve,,0,0.0,0.0,0.0,0.0,0,0.0,0,0,0
S,3,Ann,Me,3,1.25,0.25,0.75,0.75,50,7.0,37,37,3
S,3,"Bob, Jr",You,3,0.25,0.5833333333333334,1.0833333333333333,1.0833333333333333,76,7.0,24,24,2
S,3,"C ""x"" D",You,3,0.75,1.0833333333333333,0.5833333333333334,0.5833333333333334,54,7.0,15,15,1
S,3,Dora,Me,3,0.75,1.0833333333333333,0.5833333333333334,0.5833333333333334,54,7.0,15,15,1
S,3,Eve,,0,0.0,0.0,0.0,0.0,0,0.0,0,0,0
S,4,Ann,Me,4,2.25,0.25,0.75,0.75,51,8.0,38,38,3
S,4,"Bob, Jr",You,4,0.25,1.0833333333333333,1.5833333333333333,1.0833333333333333,81,8.0,29,29,2
S,4,"C ""x"" D",You,3,0.75,1.0833333333333333,0.5833333333333334,0.5833333333333334,54,7.0,15,15,1
S,4,Dora,Me,3,0.75,1.0833333333333333,0.5833333333333334,0.5833333333333334,54,7.0,15,15,1
S,4,Eve,,1,0.0,0.0,0.0,1.0,15,1.0,2,2,1
S,5,Ann,Me,4,2.25,0.25,0.75,0.75,51,8.0,38,38,3
S,5,"Bob, Jr",You,4,0.25,1.0833333333333333,1.5833333333333333,1.0833333333333333,81,8.0,29,29,2
S,5,"C ""x"" D",You,3,0.75,1.0833333333333333,0.5833333333333334,0.5833333333333334,54,7.0,15,15,1
S,5,Dora,Me,3,0.75,1.0833333333333333,0.5833333333333334,0.5833333333333334,54,7.0,15,15,1
S,5,Eve,,2,0.0,0.0,0.0,2.0,29,2.0,3,3,2
S,6,Ann,Me,4,2.25,0.25,0.75,0.75,51,8.0,38,38,3
S,6,"Bob, Jr",You,5,0.25,1.0833333333333333,1.5833333333333333,2.0833333333333335,95,9.0,30,30,3
S,6,"C ""x"" D",You,4,1.0833333333333333,1.4166666666666667,0.9166666666666666,0.5833333333333334,58,8.0,19,19,1
S,6,Dora,Me,4,1.0833333333333333,1.4166666666666667,0.9166666666666666,0.5833333333333334,58,8.0,19,19,1
S,6,Eve,,3,0.3333333333333333,0.3333333333333333,0.3333333333333333,2.0,33,3.0,7,7,2
"""  # noqa: E501


def written(
    folder: Path,
    bots: Sequence[tuple[str, str]],
    schedule: Sequence[Sequence[int]],
    blocks: Iterable[SeasonBlock],
    season: str = "S",
) -> dict[str, bytes]:
    """Return the files of a season."""
    seats = np.array(schedule, np.int32).reshape(-1, 4)
    with OutputWriter(folder, season, roster_of(bots), seats) as writer:
        for block in blocks:
            writer.add(block)
        writer.finish()
    return {file.name: file.read_bytes() for file in folder.iterdir()}


def test_small_season_to_the_letter(tmp_path: Path) -> None:
    """All ways to share places, a moon, and a bot in two seats and in four of one game."""
    files = written(tmp_path / "Outputs", BOTS, SCHEDULE, [block_of(GAMES)])
    assert set(files) == set(FILES)
    assert files["RoundHistory.csv"].decode() == ROUNDS
    assert files["GameHistory.csv"].decode() == GAME_ROWS
    assert files["Standings.csv"].decode() == STANDINGS
    tricks = files["TrickHistory.csv"].decode()
    assert tricks.count("\n") == 16 * 10
    assert "".join(line + "\n" for line in tricks.split("\n") if line[:3] == "S,4") == (
        TRICKS_OF_GAME_4
    )


def test_the_plain_tables_agree_on_the_small_season() -> None:
    """What all other tests compare with was compared with a person's work."""
    plain = tables("S", BOTS, SCHEDULE, GAMES)
    assert plain["RoundHistory.csv"].decode() == ROUNDS
    assert plain["GameHistory.csv"].decode() == GAME_ROWS
    assert plain["Standings.csv"].decode() == STANDINGS
    assert TRICKS_OF_GAME_4 in plain["TrickHistory.csv"].decode()


def any_round(rng: random.Random) -> Round:
    """Return a round of any cards at all, played in turn: winners lead."""
    if rng.random() < 0.3:
        hearts = [0] * 4
        for _ in range(13):
            hearts[rng.randrange(4) if rng.random() < 0.5 else 2] += 1
        return made_round(hearts, rng.choice([seat for seat in range(4) if hearts[seat]]))
    deck = rng.sample(range(52), 52)
    choices = [(seat, rng.randrange(52)) for _ in range(3) for seat in range(4)]
    lead = rng.randrange(4)
    for trick in (deck[at : at + 4] for at in range(0, 52, 4)):
        seats = [(lead + after) % 4 for after in range(4)]
        choices += list(zip(seats, trick, strict=True))
        lead = seats[trick.index(max(card for card in trick if card // 13 == trick[0] // 13))]
    return choices


names = st.text(st.characters(min_codepoint=32, exclude_categories=["Cc", "Cs"]), max_size=6)


@settings(max_examples=usually(20, 60))
@given(
    bots=st.lists(st.tuples(names, names), min_size=1, max_size=7),
    seed=st.integers(0, 2**32),
    lengths=st.lists(st.integers(1, 4), max_size=12),
    cuts=st.lists(st.integers(0, 12), max_size=3),
    season=names,
    at_once=st.integers(1, 5),
)
def test_tables_are_those_of_the_plain_model(
    *,
    tmp_path_factory: pytest.TempPathFactory,
    bots: list[tuple[str, str]],
    seed: int,
    lengths: list[int],
    cuts: list[int],
    season: str,
    at_once: int,
) -> None:
    """For any names, scores, schedules and cuts into blocks, and parts made text at once."""
    rng = random.Random(seed)
    games = [[any_round(rng) for _ in range(length)] for length in lengths]
    schedule = [[rng.randrange(len(bots)) for _ in range(4)] for _ in games]
    blocks = blocks_of(games, [min(cut, len(games)) for cut in cuts])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(outputs, "_GAMES_AT_ONCE", at_once)
        patch.setattr(rows, "_ROUNDS_AT_ONCE", at_once)
        files = written(tmp_path_factory.mktemp("out") / "O", bots, schedule, blocks, season)
    assert files == tables(season, bots, schedule, games)


@pytest.mark.parametrize("rules", ["code", "readme"])
def test_tables_of_whole_games(tmp_path: Path, rules: str) -> None:
    """Legal games to 100 points, enough of them that numbers of games have one to three digits."""
    games = [game(seed, rules) for seed in range(110)]
    rng = random.Random(rules)
    schedule = [rng.sample(range(5), 4) for _ in games]
    files = written(tmp_path / "O", BOTS, schedule, blocks_of(games, [7, 50]), "Test Season")
    assert files == tables("Test Season", BOTS, schedule, games)


def test_the_standings_so_far_can_be_read(tmp_path: Path) -> None:
    """A writer knows what its blocks have brought."""
    seats = np.array(SCHEDULE, np.int32)
    with OutputWriter(tmp_path / "O", "S", roster_of(BOTS), seats) as writer:
        for block in blocks_of(GAMES, [3])[:1]:
            writer.add(block)
        assert writer.games == 3
        assert [one.points for one in writer.standings.each()] == [50, 76, 54, 54, 0]


def test_blocks_come_in_order(tmp_path: Path) -> None:
    """A block that is not the next one, or has too many games, is refused."""
    seats = np.array(SCHEDULE[:2], np.int32)
    with OutputWriter(tmp_path / "O", "S", roster_of(BOTS), seats) as writer:
        for wrong in (block_of(GAMES[:1], 1), block_of(GAMES[:3])):
            with pytest.raises(BlockError, match="cannot follow 0 games of a season of 2"):
                writer.add(wrong)


def test_nothing_appears_before_the_end(tmp_path: Path) -> None:
    """What was there stays to the last moment, and stays if the season is not finished."""
    folder = tmp_path / "Outputs"
    old = written(folder, BOTS, SCHEDULE[:1], blocks_of(GAMES[:1]), "Old")
    seats = np.array(SCHEDULE[:2], np.int32)
    with OutputWriter(folder, "New", roster_of(BOTS), seats) as writer:
        writer.add(block_of(GAMES[:1]))
        assert {file.name: file.read_bytes() for file in folder.iterdir()} == old
        with pytest.raises(LeagueFileError, match="Outputs: 1 games of the season are not played"):
            writer.finish()
    assert [one.name for one in tmp_path.iterdir()] == ["Outputs"]
    assert {file.name: file.read_bytes() for file in folder.iterdir()} == old
    new = written(folder, BOTS, SCHEDULE[:2], blocks_of(GAMES[:2]), "New")
    assert new == tables("New", BOTS, SCHEDULE[:2], GAMES[:2])
    assert [one.name for one in tmp_path.iterdir()] == ["Outputs"]


@pytest.mark.parametrize("moves", [0, 1])
def test_a_crash_loses_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, moves: int) -> None:
    """Wherever it stops between its moves, the next writer has the old tables, and ends well."""

    class CrashError(BaseException):
        """As if the process were killed."""

    folder = tmp_path / "Outputs"
    old = written(folder, BOTS, SCHEDULE[:1], blocks_of(GAMES[:1]), "Old")
    done = 0
    rename = type(folder).rename

    def failing(self: Path, target: Path) -> Path:
        nonlocal done
        if done == moves:
            raise CrashError
        done += 1
        return rename(self, target)

    with monkeypatch.context() as patch:
        patch.setattr(type(folder), "rename", failing)
        patch.setattr(OutputWriter, "close", lambda self: None)
        with pytest.raises(CrashError):
            written(folder, BOTS, SCHEDULE[:1], blocks_of(GAMES[:1]), "New")
    assert folder.exists() == (moves == 0)
    with OutputWriter(folder, "S", roster_of(BOTS), np.array(SCHEDULE, np.int32)):
        assert {file.name: file.read_bytes() for file in folder.iterdir()} == old
    new = written(folder, BOTS, SCHEDULE[:1], blocks_of(GAMES[:1]), "New")
    assert new == tables("New", BOTS, SCHEDULE[:1], GAMES[:1])
    assert [one.name for one in tmp_path.iterdir()] == ["Outputs"]


def test_what_an_old_crash_left_is_removed(tmp_path: Path) -> None:
    """Old tables beside newer ones, and half of new ones, do no harm."""
    folder = tmp_path / "Outputs"
    written(folder, BOTS, SCHEDULE[:1], blocks_of(GAMES[:1]))
    for name in (".Outputs.old", ".Outputs.new"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "GameHistory.csv").write_text("half")
    files = written(folder, BOTS, SCHEDULE[:1], blocks_of(GAMES[:1]))
    assert files == tables("S", BOTS, SCHEDULE[:1], GAMES[:1])
    assert [one.name for one in tmp_path.iterdir()] == ["Outputs"]


def test_other_files_are_never_removed(tmp_path: Path) -> None:
    """A folder with anything in it but tables is refused before the first game."""
    folder = tmp_path / "home"
    folder.mkdir()
    (folder / "thesis.txt").write_text("much work")
    with pytest.raises(LeagueFileError, match=r"home: has 'thesis.txt' in it.* name another"):
        OutputWriter(folder, "S", roster_of(BOTS), np.array(SCHEDULE, np.int32))
    assert [one.name for one in folder.iterdir()] == ["thesis.txt"]
    assert [one.name for one in tmp_path.iterdir()] == ["home"]


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    """The folder that it leads to has the tables."""
    (tmp_path / "disk" / "out").mkdir(parents=True)
    link = tmp_path / "Outputs"
    link.symlink_to(tmp_path / "disk" / "out")
    files = written(link, BOTS, SCHEDULE[:1], blocks_of(GAMES[:1]))
    assert link.is_symlink()
    assert files == tables("S", BOTS, SCHEDULE[:1], GAMES[:1])


def test_a_file_in_place_of_the_folder(tmp_path: Path) -> None:
    """It is an error for people, and the file stays."""
    (tmp_path / "Outputs").write_text("here")
    with pytest.raises(LeagueFileError, match="Outputs: cannot be written: Not a directory"):
        OutputWriter(tmp_path / "Outputs", "S", roster_of(BOTS), np.array(SCHEDULE, np.int32))
    assert (tmp_path / "Outputs").read_text() == "here"


def test_a_full_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What cannot be written is an error for people, and nothing stays behind."""

    def full(handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(LeagueFileError, match="cannot be written: No space left on device"):
        written(tmp_path / "O", BOTS, SCHEDULE[:1], blocks_of(GAMES[:1]))
    assert list(tmp_path.iterdir()) == []


def filled(writer: OutputWriter) -> None:
    """Write all games."""
    with writer:
        for block in blocks_of(GAMES):
            writer.add(block)
        writer.finish()


@pytest.mark.parametrize("name", FILES)
def test_a_disk_that_is_full_while_games_are_added(tmp_path: Path, name: str) -> None:
    """The file is named, and nothing stays behind; `/dev/full` has no room, also on closing."""
    writer = OutputWriter(tmp_path / "Outputs", "S", roster_of(BOTS), np.array(SCHEDULE))
    writer._files[name].close()
    writer._files[name] = Path("/dev/full").open("wb")  # noqa: SIM115 - the writer closes it
    with pytest.raises(LeagueFileError, match=f"/Outputs/{name}: cannot be written: No space left"):
        filled(writer)
    assert list(tmp_path.iterdir()) == []


def test_a_season_with_line_ends_in_its_name(tmp_path: Path) -> None:
    """It would break the rows of the tables."""
    with pytest.raises(LeagueFileError, match="season's name has a control character"):
        OutputWriter(tmp_path / "O", "a\nb", roster_of(BOTS), np.array(SCHEDULE, np.int32))


@pytest.mark.parametrize("turn", [3, 12, 13, 20, 63])
def test_choices_that_are_no_round_are_refused(tmp_path: Path, turn: int) -> None:
    """A choice of another seat, or another card, shows: the tables would be wrong."""
    for change in (64, 1):
        block = block_of(GAMES[:3])
        plays = block.plays.copy()
        if change == 1 and turn < 12:
            plays[2, turn] |= 63
            with pytest.raises(BlockError, match="there is a card in it above 51"):
                SeasonBlock(0, block.rounds, plays)
            continue
        plays[2, turn] ^= change
        broken = SeasonBlock(0, block.rounds, plays)
        with (
            OutputWriter(
                tmp_path / "O", "S", roster_of(BOTS), np.array(SCHEDULE, np.int32)
            ) as writer,
            pytest.raises(BlockError, match="choices of game 2 are not rounds"),
        ):
            writer.add(broken)


def test_a_trick_led_by_another_seat_is_refused(tmp_path: Path) -> None:
    """Whoever wins a trick leads the next one, even if all seats play in turn."""
    block = block_of(GAMES[:1])
    plays = block.plays.copy()
    plays[0, 16:20] += 64  # the second trick: all seats one further
    plays[0, 19] = plays[0, 19] & 63
    with (
        OutputWriter(tmp_path / "O", "S", roster_of(BOTS), np.array(SCHEDULE, np.int32)) as writer,
        pytest.raises(BlockError, match="choices of game 1 are not rounds"),
    ):
        writer.add(SeasonBlock(0, block.rounds, plays))


def test_a_game_without_rounds_is_refused(tmp_path: Path) -> None:
    """No game is over before its first round."""
    block = block_of([GAMES[0], []])
    seats = np.array(SCHEDULE, np.int32)
    with (
        OutputWriter(tmp_path / "O", "S", roster_of(BOTS), seats) as writer,
        pytest.raises(BlockError, match="without any round"),
    ):
        writer.add(block)
