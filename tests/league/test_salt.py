"""A season with a seed that anybody can guess: nobody foresees it, and it can be played again."""

from __future__ import annotations

import json
import stat
import sys
from dataclasses import replace

import numpy as np
import pytest
from season_folders import FIRST, make_season, outputs

from cardwright import play_season
from cardwright.game.seeds import token
from cardwright.interpreter.stream import Stream
from cardwright.jobs.files import RecordsError
from cardwright.jobs.job import executor
from cardwright.league import bot_process
from cardwright.league.dealer import Dealer
from cardwright.league.plan import BOT, BotText, SeasonError, SeasonPlan, game_chances
from cardwright.league.records import SALT, Season, played_match, read_season, salted
from cardwright.league.run import play_block, run_season
from cardwright.league.season import read_plan
from cardwright.league.settings import LeagueRules
from cardwright.sandbox.levels import strongest
from cardwright.sandbox.limits import SandboxLevel
from cardwright.sandbox.sandbox import Sandbox
from deep import usually

SECRET = b"a salt of the tests"
LEVEL = strongest().level


def plan_of(folder, salt=None, *, resume=False):
    plan = replace(read_plan(folder, seed=4)[0], together=5)
    return salted(folder, plan, salt, resume=resume)


def plays(season):
    return b"".join(block.plays.tobytes() for block in season.all_blocks())


def test_two_seasons_of_one_seed_have_other_cards_unless_they_have_one_salt(tmp_path):
    folders = [make_season(tmp_path / str(number), games=4) for number in range(3)]
    first, second = (play_season(one, seed=1, trusted=True) for one in folders[:2])
    third = play_season(folders[2], seed=1, salt=first.plan.salt, trusted=True)
    assert len(first.plan.salt) == 16
    assert first.plan.salt != second.plan.salt
    assert outputs(folders[0]) != outputs(folders[1])
    assert outputs(folders[0]) == outputs(folders[2])
    assert plays(first) == plays(third)
    deals = [played_match(season, 0).seed for season in (first, second, third)]
    assert (deals[0] != deals[1], deals[0] == deals[2]) == (True, True)


def tokens(seed, salt, games=50):
    """Return the tokens of all bots in the first games of a season."""
    chances = game_chances(seed, range(games), salt)[:, 1].tolist()
    return {token(Stream.of_seat(one, seat), BOT) for one in chances for seat in range(4)}


def test_a_bot_does_not_find_the_seed_by_its_token():
    """Whoever tries all small seeds finds the one of a season without a salt."""
    guesses = {made: seed for seed in range(30) for made in tokens(seed, b"")}
    assert {guesses.get(made) for made in tokens(17, b"")} == {17}
    assert {guesses.get(made) for made in tokens(17, SECRET)} == {None}


@pytest.mark.skipif(LEVEL < SandboxLevel.CONFINED, reason="no sandbox for untrusted bots here")
def test_neither_seed_nor_salt_goes_into_the_process_of_a_bot(monkeypatch):
    sent = []

    class Overheard(Sandbox):
        def __init__(self, runtime, payload, *rest, **options):
            sent.append(payload)
            super().__init__(runtime, payload, *rest, **options)

        def compute(self, request, *rest):
            sent.append(request)
            return super().compute(request, *rest)

    monkeypatch.setattr("cardwright.league.bot_process.Sandbox", Overheard)
    given = []
    monkeypatch.setattr(bot_process, "token", lambda *of: given.append(token(*of)) or given[-1])
    seed = 0x1234_5678_9ABC_DEF0_1234_5678_9ABC_DEF0
    bots = (BotText("f", "me", "f.py", FIRST), BotText("r", "us", "builtin:random"))
    plan = SeasonPlan(
        "S", LeagueRules.CODE, seed, bots, np.array([[0, 1, 1, 1]], np.int32),
        level=int(LEVEL), salt=SECRET,
    )  # fmt: skip
    play_block(plan, Dealer(LeagueRules.CODE), 0)
    heard = b"".join(sent)
    assert given
    assert all(one in heard for one in given)  # it is all of it that was overheard
    numbers = [seed, *game_chances(seed, range(1), SECRET)[0].tolist()]
    for number in numbers:
        size = -(-number.bit_length() // 8)
        for order in ("little", "big"):
            assert number.to_bytes(size, order) not in heard
        assert str(number).encode() not in heard
    assert SECRET not in heard
    assert SECRET.hex().encode() not in heard


def test_the_salt_is_a_secret_of_the_owner_until_the_season_is_over(tmp_path):
    folder = make_season(tmp_path / "s")
    plan = plan_of(folder)
    file = folder / "Records" / SALT
    with Season.of_plan(folder, plan).opened(resume=False):
        assert file.read_text() == plan.salt.hex()
        if sys.platform != "win32":
            assert stat.S_IMODE(file.stat().st_mode) == 0o600
        manifest = (folder / "Records" / "manifest.json").read_text()
        assert json.loads(manifest)["salt"] is None
        assert plan.salt.hex() not in manifest
        assert plan.salt.hex() not in repr(plan)
        unfinished = read_season(folder)
        assert (unfinished.plan.salt, unfinished.sealed) == (plan.salt, False)
    season = run_season(folder, plan, resume=True)
    assert not file.exists()
    assert json.loads((folder / "Records" / "manifest.json").read_text())["salt"] == plan.salt.hex()
    assert (season.plan.salt, season.sealed) == (plan.salt, False)


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """Return the tables of a season that was played at once."""
    folder = make_season(tmp_path_factory.mktemp("whole") / "s")
    run_season(folder, plan_of(folder, SECRET))
    return outputs(folder)


def test_a_season_goes_on_with_its_salt(tmp_path, whole):
    folder = make_season(tmp_path / "s")

    def interrupt(games, *_):
        if games:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_season(folder, plan_of(folder, SECRET), progress=interrupt)
    assert plan_of(folder).salt != SECRET
    with pytest.raises(RecordsError, match="the salt is another one"):
        run_season(folder, plan_of(folder), resume=True)
    run_season(folder, plan_of(folder, resume=True), resume=True)
    assert outputs(folder) == whole
    assert plan_of(folder, resume=True).salt == SECRET


@pytest.mark.slow
def test_a_season_with_a_salt_does_not_depend_on_the_number_of_workers(tmp_path, whole):
    folder = make_season(tmp_path / "s")
    run_season(folder, plan_of(folder, SECRET), executor("processes", usually(1, 2)))
    assert outputs(folder) == whole


def test_a_lost_salt_is_told(tmp_path):
    """Games that were played can be looked at, but not dealt again."""
    folder = make_season(tmp_path / "s")

    def interrupt(games, *_):
        if games:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_season(folder, plan_of(folder, SECRET), progress=interrupt)
    assert played_match(read_season(folder), 0).choices
    (folder / "Records" / SALT).unlink()
    season = read_season(folder)
    assert season.sealed
    assert sum(map(len, season.all_blocks())) == 5
    with pytest.raises(RecordsError, match="when the season is over: its salt is secret"):
        played_match(season, 0)
    with pytest.raises(RecordsError, match=r"salt cannot be read, .*--again"):
        plan_of(folder, resume=True)
    run_season(folder, plan_of(folder), again=True)


def test_a_season_of_library_players_has_none(tmp_path):
    folder = make_season(tmp_path / "s", bots={}, builtins=("builtin:random",) * 4, games=2)
    assert play_season(folder, seed=1).plan.salt == b""


def test_a_salt_has_a_length_that_can_be_used(tmp_path):
    folder = make_season(tmp_path / "s", games=2)
    with pytest.raises(SeasonError, match="at most 64 bytes, not 65"):
        play_season(folder, salt=bytes(65), trusted=True)
