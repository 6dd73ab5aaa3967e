from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest
from click.testing import Result

from cardwright.arena.plan import GameRef
from cardwright.jobs.files import RecordsError
from cardwright.table import saved
from cardwright.table.session import PlaySession
from cardwright.table.setup import HUMAN, TableSetup

if TYPE_CHECKING:
    import subprocess
    from pathlib import Path

Run = Callable[..., Result]
HEARTS = ("play", "hearts", "--players", "rule", "--hint", "rule", "--seed", "3")


@pytest.fixture(autouse=True)
def _in_empty_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, _in_data: None) -> None:
    monkeypatch.chdir(tmp_path)


def test_cards_can_be_passed_and_played_by_name(run: Run) -> None:
    result = run(*HEARTS, input="A♦ as, 10C\nKS\n")
    said = result.stdout
    assert "choose 3 cards of your hand (286 options; `options` lists them)" in said
    assert "Your turn. Pass 3 cards to the left" in said
    (passed,) = re.findall("You pass the (.*)", said)
    named = set(passed.replace(" and ", ", ").split(", "))
    assert named == {"10 of clubs", "ace of spades", "ace of diamonds"}
    assert "Goran gets" in said
    assert "> king of spades cannot be chosen: you hold clubs: follow suit" in said


ANSWERS = (
    ("286", "these options have no numbers until `options` has listed them"),
    ("-1", "'-1' is neither a card nor a command; `help` lists what you can write"),
    ("AS AS 10C", "AS is named more often than there are cards of that name"),
    ("AS", "name 3 cards: you have named 1"),
    ("AS 10C", "name 3 cards: you have named 2"),
    ("AS 10C JC QC", "there is no option with these cards together"),
    ("2C", "2C is a card, but not one that can be chosen now; `options` lists them all"),
    ("xyzzy", "'xyzzy' is neither a card nor a command; `help` lists what you can write"),
    ("why", "write the card too: why QS"),
    ("why 2C", "2C is a card, but not one"),
    ("why AS", "A♠: it can be chosen"),
    (",", "write the number of an option, or a card"),
    ("\x1b[2J", "neither a card nor a command"),
    ("9" * 5000, "neither a card nor a command"),
    ("hint", "Hint: pass "),
    ("?", "Answer with the number"),
    ("undo", "moves can be taken back in practice only: begin with --practice"),
    ("log", "no decision has been made yet"),
    ("scores", "total       0       0       0       0"),
    ("last", "There is no finished trick yet."),
    ("HELP", "  why CARD      why it cannot be played"),
    ("options", "  285  pass "),
    ("hand", "Hand: 10♣ J♣ Q♣   2♦ 3♦ 8♦ J♦ A♦   7♠ 9♠ A♠   4♥ K♥"),
    ("table", "Goran's hand: 13 cards"),
    (
        "save",
        "saved: hearts-3.cardwright.json; to resume it: cardwright play --resume hearts-3",
    ),
    ("save a b.json", "saved: a b.json; to resume it: cardwright play --resume 'a b.json'"),
    ("save no/where.json", "cannot be written"),
)
"""What is written at the first decision of a game, and what is replied."""


def test_answers_and_commands(run: Run) -> None:
    """None of these is a move, so that one after the other can be written."""
    result = run(*HEARTS, input="".join(f"{answer}\n" for answer, _ in ANSWERS) + "#0\n")
    asked, *replies = result.stdout.split("\n> ")
    assert "Your turn." in asked
    assert len(replies) > len(ANSWERS)
    for (answer, reply), said in zip(ANSWERS, replies, strict=False):
        assert reply in said, answer
    assert "\x1b" not in result.stdout
    assert replies[len(ANSWERS)].startswith("You pass ")
    assert result.exit_code == 1


def test_empty_lines_are_asked_again(run: Run) -> None:
    result = run(*HEARTS, input="\n  \n#0\n")
    assert "> > > You pass " in result.stdout


def test_the_course_of_a_deal(run: Run) -> None:
    script = "#0\n" * 14 + "scores\nlog 2\nlast\nquit\n"
    result = run(*HEARTS, input=script)
    assert result.exit_code == 0
    assert re.search(r"\ndeal 1( +-?\d+){4}\ntotal( +-?\d+){4}\n", result.stdout)
    before, _, after = result.stdout.partition("Deal 1 is over.")
    next_deal = after.partition("> ")[0]
    assert "Deal 1 is over" not in before + next_deal
    assert "Everybody is dealt 13 cards" in next_deal
    assert before.count("Everybody is dealt 13 cards") == 1
    end = result.stdout.rpartition("> ... ")[2]
    assert re.match(r"\d+ decisions before\n", end)
    assert re.search(r"> Last trick: .*\(.* ha(s|ve) it\)", result.stdout)


def test_undo_in_practice(run: Run) -> None:
    result = run(*HEARTS, "--practice", input="#0\n0\nundo\nundo\nundo\n#1\nlog\n")
    assert "> 2 decisions taken back" in result.stdout
    assert "> 6 decisions taken back" in result.stdout
    assert "> there is nothing to take back: you have not decided anything yet" in result.stdout
    history = result.stdout.rpartition("> You ")[2]
    assert history.startswith("pass ")
    again = run(*HEARTS, "--practice", input="#1\nlog\n")
    assert again.stdout.rpartition("> You ")[2] == history


def test_the_only_choice_is_made_unless_it_was_taken_back(run: Run) -> None:
    """The last card of a hand plays itself; who takes it back is asked for it."""
    short = ("--set", "PLAYERS=11", "--set", "ROUNDS=2", "--set", "END=0", "--forced")
    result = run(*HEARTS, *short, "--practice", input="#0\n" * 3 + "undo\nquit\n")
    before, _, after = result.stdout.partition("decisions taken back")
    assert before.count("\n> ") == 4
    (asked,) = re.findall(r"^ +\d+  play .*$", after, re.MULTILINE)
    assert asked.strip().startswith("0  play")
    last = asked.strip().removeprefix("0  play the ")
    assert f"You play the {last}" in before


@pytest.mark.slow
def test_suits_are_letters_where_they_cannot_be_shown(
    process: Callable[..., subprocess.CompletedProcess[str]],
) -> None:
    environment = {"PYTHONIOENCODING": "ascii", "PATH": "/usr/bin:/bin"}
    done = process(*HEARTS, input="10C AS AD\n", env=environment)
    assert "Hand: 10C JC QC   2D 3D 8D JD AD   7S 9S AS   4H KH\n" in done.stdout
    assert "You pass " in done.stdout
    assert done.returncode == 1
    assert done.stderr.startswith("no more answers")


def test_a_hint_says_what_its_estimates_are(run: Run) -> None:
    """In a match the expert goes by the chance to win it; the points of the deal stand beside."""
    words = (
        "play",
        "hearts",
        "--players",
        "rule",
        "--hint",
        "expert:iterations=100",
        "--seed",
        "3",
    )
    result = run(*words, "--no-save", "--plain", input="hint\nquit\n")
    lines = result.stdout.splitlines()
    number = r"\d+\.\d( ± \d+\.\d)?"
    at = lines.index("Its estimates: chance to win the match; points by the end of this deal")
    assert all(
        re.fullmatch(rf" +{number} %  +{number}  pass .*", line) for line in lines[at + 1 : at + 6]
    )


def test_a_moon_is_warned_of(run: Run) -> None:
    for seed in range(10):
        words = ("play", "hearts", "--players", "rule", "--hint", "rule", "--seed", str(seed))
        result = run(*words, input="#0\n" * 60)
        warnings = re.findall(r"Beware: (.*) ha(?:s|ve) all (\d+) points", result.stdout)
        if warnings:
            assert all(7 <= int(points) <= 26 for _, points in warnings)
            return
    pytest.fail("nobody got near the moon")


@pytest.mark.parametrize("answer", ["0", "KH"])
def test_a_move_counts_even_if_the_file_goes(
    run: Run, monkeypatch: pytest.MonkeyPatch, answer: str
) -> None:
    real = saved.write_whole
    calls = []

    def full(path: Path, content: bytes) -> None:
        calls.append(path)
        if len(calls) == 2:
            raise RecordsError(f"{path} cannot be written: No space left on device")
        real(path, content)

    monkeypatch.setattr(saved, "write_whole", full)
    result = run(*HEARTS, "--set", "PASS=0", "--save", "f.json", input=f"{answer}\n0\n0\n")
    assert "f.json cannot be written: No space left on device" in result.stdout
    after = result.stdout.partition("No space left")[2]
    assert after.startswith(" on device\nGoran plays ")
    assert len(calls) > 2


ASKING = ("play", "gofish", "--players", "random", "--seed", "3", "--no-save", "--engine")


def test_the_table_says_how_to_ask_a_player_for_a_rank(run: Run) -> None:
    """In Go Fish an answer names the player and a card of the rank, as the table says."""
    said = run(*ASKING, "interpreter", input="p3 8s\nquit\n").stdout
    assert "write a number, or the player and a card that you mean: Goran J♣" in said
    assert "You ask Hassan for eights" in said


@pytest.mark.parametrize(
    ("answer", "reply"),
    [
        ("p1 8S", "no option names p1; `options` lists them all"),
        ("8S", "several options fit; write the number of one:"),
        ("p4", "several options fit; write the number of one:"),
        ("p2 9C", "9C is a card, but not one that can be chosen now"),
        ("help", "Berta 7H asks Berta for sevens in Go Fish"),
        ("rules", "Aim: Collect the most books. A book is all four cards of a rank."),
    ],
)
def test_asking_wrongly_is_explained(run: Run, answer: str, reply: str) -> None:
    assert reply in run(*ASKING, "interpreter", input=f"{answer}\nquit\n").stdout


def test_only_numbers_that_were_shown_are_answers(run: Run) -> None:
    """Of 286 ways to pass three cards nobody has seen number 2 before they are listed."""
    result = run(*HEARTS, "--engine", "interpreter", input="2\nAD\noptions\n2\nquit\n")
    said = result.stdout
    assert "no numbers until `options` has listed them" in said
    before, _, after = said.partition("    2  ")
    assert "You pass" not in before
    assert "You pass" in after


def test_the_end_of_input_at_a_terminal_leaves_the_game_as_quit_does(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Ctrl-D loses nothing; a pipe whose answers run out still fails, with how to save."""
    words = (*HEARTS, "--engine", "interpreter", "--plain")
    silent = run(*words, input="")
    assert (silent.exit_code, list(tmp_path.iterdir())) == (1, [])
    monkeypatch.setattr("cardwright.interfaces.play.plain._at_a_terminal", lambda: True)
    left = run(*words, input="")
    assert left.exit_code == 0
    assert "saved in hearts-3.cardwright.json; to resume it:" in left.stderr
    assert (tmp_path / "hearts-3.cardwright.json").is_file()


def test_names_of_several_words_are_told_apart(run: Run) -> None:
    """Where cards have names of several words, there are commas between them."""
    said = run(
        "play", "lostcities", "--players", "random", "--seed", "3", "--no-save",
        "--engine", "interpreter", input="quit\n",
    ).stdout  # fmt: skip
    assert re.search(r"^Hand: \w+ \w+, \w+ \w+, .*", said, re.MULTILINE)


def test_the_rest_is_claimed_in_lines(run: Run, tmp_path: Path) -> None:
    """It is offered in a line, and cards are told as they are played, to the end of the deal."""
    rules = GameRef.of("hearts", preset="standard", engine="interpreter")
    setup = TableSetup.of_players(rules, 48, (HUMAN, "first", "first", "first"), hint="first")
    session = PlaySession.begin(setup)
    while session.scene().claim is None:
        if session.mine:
            session.choose(len(session.choices()) - 1)
        else:
            session.step()
    file = tmp_path / "hearts.json"
    session.save(file)
    told = run("play", "--resume", str(file), "--plain", input="claim\n").stdout
    assert "You can `claim` the rest: you take all the tricks that are left" in told
    assert told.partition("> ")[2].count("You take the trick") == 6
    assert "You have shot the moon" in told
    assert "Deal 1 is over." in told
