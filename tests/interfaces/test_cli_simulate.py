from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import Result

from cardwright import Game, Stream
from cardwright.game.seeds import game_seeds
from cardwright.statistics.caveat import caveat

if TYPE_CHECKING:
    from pathlib import Path

Run = Callable[..., Result]

KEYS = {
    "game", "engine", "seed", "games", "players", "seconds", "decisions", "options", "seats",
    "errors", "ties",
}  # fmt: skip


def simulated(run: Run, *words: str, code: int = 0) -> dict[str, Any]:
    result = run("simulate", *words, "--format", "json")
    assert result.exit_code == code, result.output
    found: dict[str, Any] = json.loads(result.stdout)
    return found


def by_hand(name: str, seed: int) -> tuple[list[list[int]], list[int], list[int]]:
    """Play a game at random with nothing of the arena's."""
    game = Game.load(name)
    state = game.start(seed)
    streams = [Stream.of_seat(seed, seat) for seat in range(game.players)]
    decisions = []
    while (seat := state.player) is not None:
        count = state.option_count
        chosen = streams[seat].below(count)
        decisions.append([int(seat), count, chosen])
        state.play(chosen)
    return decisions, list(state.scores), list(state.ranks)


def test_json_has_exactly_these_keys(run: Run) -> None:
    found = simulated(run, "coin.rcy", "--games", "30", "--seed", "7")
    assert set(found) == KEYS
    assert set(found["decisions"]) == {"mean", "min", "max"}
    assert set(found["options"]) == {"mean", "max", "single_share"}
    assert all(
        set(seat) == {"seat", "score_mean", "score_low", "score_high", "score_sd", "win_share",
                      "win_low", "win_high"}
        for seat in found["seats"]
    )  # fmt: skip
    assert (found["game"], found["engine"], found["seed"]) == ("coin.rcy", "native", "7")
    assert (found["games"], found["players"]) == (30, ["random", "random"])
    assert found["decisions"] == {"mean": 3, "min": 3, "max": 3}
    assert found["options"] == {"mean": 2, "max": 2, "single_share": 0}
    assert [seat["seat"] for seat in found["seats"]] == [0, 1]
    assert sum(seat["win_share"] for seat in found["seats"]) == pytest.approx(1)
    assert found["errors"] == []


def test_seeds_play_what_playing_by_hand_plays(run: Run) -> None:
    found = simulated(run, "hearts", "--seeds", "5..9", "--trace")
    assert set(found) == {*KEYS, "traces"}
    assert found["seed"] is None
    assert found["games"] == 5
    for seed, trace in zip(range(5, 10), found["traces"], strict=True):
        decisions, scores, ranks = by_hand("hearts", seed)
        assert trace == {
            "seed": str(seed), "decisions": decisions, "scores": scores, "ranks": ranks
        }  # fmt: skip
    means = [sum(trace["scores"][seat] for trace in found["traces"]) / 5 for seat in range(4)]
    assert [seat["score_mean"] for seat in found["seats"]] == pytest.approx(means)


def test_a_job_seed_gives_the_seeds_of_its_games(run: Run) -> None:
    found = simulated(run, "coin.rcy", "--seed", "123", "--games", "4", "--trace")
    assert [trace["seed"] for trace in found["traces"]] == [str(s) for s in game_seeds(123, 4)]


def test_the_same_seed_gives_the_same_games_and_another_others(run: Run) -> None:
    def traces(seed: str) -> object:
        return simulated(run, "coin.rcy", "--seed", seed, "--games", "20", "--trace")["traces"]

    assert traces("1") == traces("1")
    assert traces("1") != traces("2")


def test_a_drawn_seed_is_told_and_repeats_the_run(run: Run) -> None:
    first = simulated(run, "coin.rcy", "--games", "20")
    again = simulated(run, "coin.rcy", "--games", "20", "--seed", first["seed"])
    assert again["seats"] == first["seats"]
    assert simulated(run, "coin.rcy", "--games", "1")["seed"] != first["seed"]
    shown = run("simulate", "coin.rcy", "--games", "2").stdout
    assert re.search(r"2 games, seed \d+, native", shown)


def test_a_drawn_seed_has_more_bits_than_can_be_tried(run: Run) -> None:
    drawn = [int(simulated(run, "coin.rcy", "--games", "1")["seed"]) for _ in range(4)]
    assert 120 < max(one.bit_length() for one in drawn) <= 128
    largest = simulated(run, "coin.rcy", "--games", "1", "--seed", str(2**128 - 1), "--trace")
    (trace,) = largest["traces"]
    assert trace["seed"] == str(next(iter(game_seeds(2**128 - 1, 1))))


def test_seeds_of_64_bits_keep_all_their_digits(run: Run) -> None:
    most = 2**64 - 1
    found = simulated(run, "coin.rcy", "--seeds", f"{most - 1}..{most}", "--trace")
    assert [trace["seed"] for trace in found["traces"]] == [str(most - 1), str(most)]


def test_the_table(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    result = run("simulate", "hearts", "--games", "20", "--seed", "1")
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[0] == "hearts: 20 games, seed 1, native"
    assert all(len(line) <= 80 for line in lines)
    seats = [line.split() for line in lines if re.match(r"\s+p\d", line)]
    assert [words[:2] for words in seats] == [[f"p{n}", "random"] for n in range(1, 5)]
    found = simulated(run, "hearts", "--games", "20", "--seed", "1")["seats"]
    assert [words[2] for words in seats] == [f"{seat['score_mean']:.2f}" for seat in found]
    margin = 2.0930 * found[0]["score_sd"] / 20**0.5
    assert seats[0][3:5] == ["±", f"{margin:.2f}"]
    ends = [found[0]["score_mean"] + side * margin for side in (-1, 1)]
    assert [found[0]["score_low"], found[0]["score_high"]] == pytest.approx(ends, abs=1e-3)
    share, low, high = (100 * found[0][name] for name in ("win_share", "win_low", "win_high"))
    assert seats[0][6:] == [f"{share:.1f}", "%", f"({low:.1f}", "to", f"{high:.1f})"]
    assert "decisions a game    52.0 (always)" in result.stdout
    assert "errors              none" in result.stdout
    assert "\x1b[" not in result.stdout


def test_one_game_has_no_intervals(run: Run) -> None:
    result = run("simulate", "coin.rcy", "--games", "1", "--seed", "1")
    assert "±" not in result.stdout
    assert "95 %" not in result.stdout
    (seat, _) = simulated(run, "coin.rcy", "--games", "1", "--seed", "1")["seats"]
    unknown = ("score_low", "score_high", "score_sd", "win_low", "win_high")
    assert [seat[name] for name in unknown] == [None] * 5


def test_few_games_say_how_little_their_intervals_may_cover(run: Run) -> None:
    said = " ".join(run("simulate", "coin.rcy", "--games", "5", "--seed", "1").stdout.split())
    assert caveat(5, "games") in said
    result = run("simulate", "coin.rcy", "--games", "1000", "--seed", "1")
    assert "can cover" not in result.stdout


EVEN = """(game
 (setup (create players 2) (create deck (game iloc STOCK) (deck (VAL (A)))))
 (stage player (end (== (game sto N) 2)) (do ((inc (game sto N)))) (choice ((turn pass))))
 (scoring max 0))"""


def test_scores_that_were_all_equal_have_no_interval(run: Run, tmp_path: Path) -> None:
    """A mean stands alone, and a line says why; shares of wins have an interval all the same."""
    (tmp_path / "even.rcy").write_text(EVEN)
    words = (str(tmp_path / "even.rcy"), "--games", "8", "--seed", "1", "--engine", "interpreter")
    shown = run("simulate", *words).stdout
    assert "±" not in shown.split("p1")[1].split("p2")[0]
    assert "Scores that were all equal have none" in shown
    seat = simulated(run, *words)["seats"][0]
    assert (seat["score_mean"], seat["score_low"], seat["score_high"]) == (0, None, None)
    assert 0 < seat["win_low"] < seat["win_share"] == 0.5 < seat["win_high"] < 1
    row = run("simulate", *words, "--csv").stdout.splitlines()[1].split(",")
    assert row[:6] == ["0", "random", "0.0", "", "", "0.0"]
    assert float(row[7]) == seat["win_low"]


@pytest.mark.parametrize(
    "words",
    [
        ("hearts", "--games", "40", "--seed", "3"),
        ("leduc", "--seeds", "18446744073709551600..18446744073709551615"),
        ("coin.rcy", "--games", "3", "--seed", "1", "--set", "ROUNDS=0"),
        ("president", "--games", "20", "--seed", "1", "--set", "PLAYERS=5"),
        ("breaks.rcy", "--games", "50", "--seed", "2"),
    ],
)
def test_both_engines_find_the_same(run: Run, words: tuple[str, ...]) -> None:
    """Played in bulk, by the referee over native states, or by the interpreter: one outcome."""
    code = 1 if "breaks.rcy" in words else 0
    bulk = simulated(run, *words, code=code)
    for more in (("--engine", "native", "--trace"), ("--engine", "interpreter")):
        found = simulated(run, *words, *more, code=code)
        found.pop("traces", None)
        assert found == {**bulk, "engine": more[1], "seconds": found["seconds"]}


def test_any_number_of_workers_gives_the_same(run: Run) -> None:
    """The games depend on their seeds alone."""
    outcomes = [
        simulated(run, "hearts", "--games", "300", "--seed", "1", "--workers", workers)
        for workers in ("1", "2", "5")
    ]
    for outcome in outcomes:
        outcome.pop("seconds")
    assert outcomes[0] == outcomes[1] == outcomes[2]


def test_declared_constants_are_set(run: Run) -> None:
    words = ("coin.rcy", "--games", "3", "--set", "ROUNDS=7", "--set", "FIRST=TAILS")
    assert simulated(run, *words)["decisions"]["mean"] == 7
    found = simulated(run, "hearts", "--games", "1", "--set", "PLAYERS=5")
    assert len(found["seats"]) == 5


def test_more_players_than_the_rules_provide_for_are_warned_of(run: Run) -> None:
    """The game is played all the same: the warning stands on the standard error alone."""
    result = run("simulate", "hearts", "--games", "1", "--seed", "1", "--set", "PLAYERS=9")
    assert "warning: hearts is meant for 3, 4, 5, 6, 7 or 8 players, not for 9" in result.stderr
    assert "warning" not in result.stdout
    assert run("simulate", "hearts", "--games", "1", "--set", "PLAYERS=5").stderr == ""


def test_a_player_for_each_seat(run: Run) -> None:
    words = ("coin.rcy", "--games", "3", "--seed", "1")
    one = simulated(run, *words, "--players", "random")
    each = simulated(run, *words, "--players", "random,random")
    assert one["players"] == each["players"] == ["random", "random"]
    assert one["seats"] == each["seats"]


def test_errors_of_games_are_listed_and_lose_nothing_else(run: Run) -> None:
    found = simulated(run, "breaks.rcy", "--seeds", "0..39", "--trace", code=1)
    assert 0 < len(found["errors"]) < 40
    broken = {error["seed"] for error in found["errors"]}
    for trace in found["traces"]:
        assert (trace["scores"] == []) == (trace["seed"] in broken)
        assert trace["decisions"]
    error = found["errors"][0]
    assert set(error) == {"seed", "message"}
    assert "division" in error["message"]
    assert f"--seed {error['seed']}" in error["message"]


def test_only_games_with_errors(run: Run) -> None:
    found = simulated(run, "breaks.rcy", "--seeds", "2..3", code=1)
    assert found["decisions"] == {"mean": None, "min": None, "max": None}
    assert found["options"] == {"mean": None, "max": None, "single_share": None}
    assert found["seats"][0].pop("seat") == 0
    assert set(found["seats"][0].values()) == {None}
    assert run("simulate", "breaks.rcy", "--seeds", "2..3").exit_code == 1


def test_the_table_lists_five_errors_with_commands_that_show_them(run: Run) -> None:
    words = ("breaks.rcy", "--games", "60", "--seed", "5", "--base", "zero")
    result = run("simulate", *words)
    assert result.exit_code == 1
    commands = re.findall(r"^    cardwright (replay .*)$", result.stdout, re.MULTILINE)
    assert len(commands) == 5
    assert re.search(r"\.\.\. and \d+ more", result.stdout)
    assert all(command.endswith("--players random --base zero") for command in commands)
    shown = run(*commands[0].split())
    assert shown.exit_code == 1
    assert "breaks.rcy:14:31: the game stopped (division)" in shown.stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--engine", "nativ"), "--engine"),
        (("--workers", "0"), "--workers"),
        (("--workers", "2", "--engine", "interpreter"), "--workers is for random players and"),
        (("--workers", "2", "--players", "pimc,random"), "--workers is for random players and"),
        (("--workers", "2", "--trace", "--format", "json"), "--workers is for random players and"),
        (("--trace",), "--trace needs --format json"),
        (("--seeds", "1..2", "--seed", "3"), "cannot be used with --seed"),
        (("--seeds", "1..2", "--games", "3"), "cannot be used with --games"),
        (("--games", "0"), "--games"),
        (("--games", "many"), "--games"),
        (("--seed", "-1"), "out of range"),
        (("--seed", str(2**128)), "out of range"),
        (("--seed", "9" * 5000), "out of range"),
        (("--seed", "x"), "not a seed"),
        (("--seed", "1.5"), "not a seed"),
        (("--seed", "٣"), "not a seed"),
        (("--seed", ""), "not a seed"),
        (("--seeds", "7"), "not a range of seeds"),
        (("--seeds", "9..7"), "empty"),
        (("--seeds", "a..7"), "not a seed"),
        (("--seeds", "0..18446744073709551616"), "out of range"),
        (("--seeds", "-1..5"), "out of range"),
        (("--players", ""), "has no name"),
        (("--players", "randm"), "did you mean random?"),
        (("--players", "random,random,random"), "3 players are given for 2 seats"),
        (("--players", "random:x=1"), "no parameter"),
        (("--set", "ROUNDS"), "NAME=VALUE"),
        (("--set", "=3"), "NAME=VALUE"),
        (("--set", "ROUNDS=@"), "is not a value"),
        (("--set", "ROUNDS=1", "--set", "ROUNDS=2"), "set twice"),
        (("--gamse", "3"), "--games"),
        (("--base", "two"), "--base"),
    ],
)
def test_wrong_calls_say_so_and_exit_with_2(run: Run, words: tuple[str, ...], said: str) -> None:
    result = run("simulate", "coin.rcy", *words)
    assert result.exit_code == 2
    assert said in result.stderr
    assert result.stdout == ""


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("hearst",), 2, "did you mean hearts?"),
        (("nothing.rcy",), 2, "nothing.rcy: there is no such file"),
        ((".",), 2, "."),
        (("wrong.rcy",), 1, "wrong.rcy:6:6: error E201"),
        (("coin.rcy", "--set", "RONDS=3"), 2, "did you mean ROUNDS?"),
        (("coin.rcy", "--set", "ROUNDS=true"), 2, "error E403"),
        (("coin.rcy", "--set", "base=1"), 2, "declares no constant base"),
    ],
)
def test_games_that_cannot_be_played_say_so(
    run: Run, words: tuple[str, ...], code: int, said: str
) -> None:
    """A file with errors is no wrong call, as a name of nothing is."""
    result = run("simulate", *words)
    assert result.exit_code == code
    assert said in result.stderr
    assert result.stdout == ""


DRAW = """(game
 (setup (create players 3) (create deck (game iloc STOCK) (deck (VAL (A)))))
 (stage player (end (== (game sto N) 3))
  (do ((inc (game sto N))))
  (choice ((turn pass))))
 (scoring max 0))"""


@pytest.mark.parametrize("engine", ["native", "interpreter"])
def test_shared_wins_count_as_a_share_or_in_full(run: Run, tmp_path: Path, engine: str) -> None:
    """Where all three seats win, each has a third, or with `--ties full` all of it; both say so."""
    (tmp_path / "draw.rcy").write_text(DRAW)
    words = (str(tmp_path / "draw.rcy"), "--games", "6", "--seed", "1", "--engine", engine)
    shared, full = simulated(run, *words), simulated(run, *words, "--ties", "full")
    assert (shared["ties"], full["ties"]) == ("shared", "full")
    assert [seat["win_share"] for seat in shared["seats"]] == pytest.approx([1 / 3] * 3)
    assert [seat["win_share"] for seat in full["seats"]] == [1, 1, 1]
    assert "A win that k players share counts 1/k for each." in run("simulate", *words).stdout
    assert "counts in full for each" in run("simulate", *words, "--ties", "full").stdout
