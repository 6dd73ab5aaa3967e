"""The gallery has a page with all its parts for every game, and its numbers are those of the rules.

Pages are made once for all tests; `scripts/gallery` does no more.
"""

from __future__ import annotations

import re
import sys
import xml.etree.ElementTree as ET
from html import unescape
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "docs" / "gallery_maker"))

from gallery_index import index  # noqa: E402
from gallery_numbers import (  # noqa: E402
    GAMES,
    SEED,
    GameNumbers,
    Ranged,
    load,
    measure,
    write,
)
from gallery_page import page, shown  # noqa: E402
from gallery_pictures import draw, small  # noqa: E402
from gallery_sample import MOST, sample_of  # noqa: E402
from gallery_words import paragraphs, safe, special_of  # noqa: E402

from cardwright import Game  # noqa: E402
from cardwright.library.catalogue import facts, names  # noqa: E402
from cardwright.web.game_facts import listed_games  # noqa: E402
from deep import GAMES as STAND_FOR_ALL, usually  # noqa: E402

NUMBERS = load()
DRAWN = ("flow", "stages", "small", "length", "ranks", "options")
KINDS = {*DRAWN, "scores"}
CHAPTERS = (
    "Rules",
    "Cards and places",
    "Options and presets",
    "Diagrams",
    "Numbers",
    "A sample of play",
    "Playing it",
)
PICTURE = re.compile(r"!\[([^\]]*)\]\(([^)]+)\)")
LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)]+)\)")


def of_game(name: str) -> Game:
    return Game.load(name, engine="interpreter")


@pytest.fixture(scope="module")
def made() -> dict[str, str]:
    """The pages of the games that stand for all, or of all in a deep run."""
    return {
        name: page(of_game(name), NUMBERS[name], DRAWN)
        for name in usually(sorted(STAND_FOR_ALL), names())
    }


def plain(markdown: str) -> str:
    """Return the words of Markdown as people read them, on one line."""
    text = re.sub(r"\\([\\`*_\[\]#|~$])", r"\1", markdown.replace("**", ""))
    return " ".join(unescape(text).split())


# Pages --------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_every_game_has_a_page_with_all_parts(made: dict[str, str]) -> None:
    """All games of the library, each with every chapter, none of which is empty."""
    assert sorted(names()) == sorted(NUMBERS)
    for name, text in made.items():
        assert text.startswith(f"# {facts(name).title}\n"), name
        chapters = dict(re.findall(r"^## (.+)\n\n((?:(?!^## ).*\n?)+)", text, re.MULTILINE))
        assert set(CHAPTERS) <= chapters.keys(), name
        assert all(len(part.split()) > 3 for part in chapters.values()), name
        assert f"`cardwright play {name}`" in chapters["Playing it"]
        assert facts(name).source in text
        places = [f"{name}?preset={preset}" for preset in facts(name).settings.presets]
        assert re.findall(r'href="../play/#/games/([^"]+)"', text) == [name, *places]


@pytest.mark.slow
def test_words_of_facts_come_out_as_they_are(made: dict[str, str]) -> None:
    """Markdown takes nothing away from the rules, what is left out, and what may be set."""
    for name, text in made.items():
        entry, said = facts(name), plain(text)
        told = [entry.left_out, entry.notes]
        told += [one.about for one in entry.settings.declared.values() if not one.derived]
        told += [one.about for one in entry.settings.presets.values()]
        told += [one.partition(": ")[2] or one for one in entry.rules.strip().split("\n\n")]
        for words in told:
            assert " ".join(words.split()) in said, (name, words)


@pytest.mark.slow
def test_links_and_pictures_are_of_files_that_are_written(made: dict[str, str]) -> None:
    known = {f"{name}.{kind}" for name in names() for kind in ("md", "rcy")} | {"index.md"}
    for name, text in {**made, "index": index(NUMBERS)}.items():
        assert set(LINK.findall(text)) <= known, name
        for words, target in PICTURE.findall(text):
            assert words
            game, kind = target.removeprefix("pictures/").removesuffix(".svg").split("-")
            assert game in NUMBERS
            assert kind in KINDS


def test_the_first_page_has_every_game_once() -> None:
    text = index(NUMBERS)
    assert sorted(LINK.findall(text)) == sorted(f"{name}.md" for name in names())
    families = [family["name"] for family in listed_games()["families"]]
    assert re.findall(r"^## (.+)$", text, re.MULTILINE) == families
    assert len(PICTURE.findall(text)) == len(names())


def test_tables_have_as_many_cells_in_each_row() -> None:
    """A bar in a text is no end of a cell."""
    hearts = page(of_game("hearts"), NUMBERS["hearts"], DRAWN)
    for table in re.findall(r"(?:^\|.*\n)+", hearts + index(NUMBERS), re.MULTILINE):
        widths = {len(re.findall(r"(?<!\\)\|", row)) for row in table.splitlines()}
        assert len(widths) == 1, table


def test_what_a_page_says_of_hearts() -> None:
    text = page(of_game("hearts"), NUMBERS["hearts"], DRAWN)
    for words in (
        "| family | [Avoiding tricks](index.md) |",
        "| what is special | passing cards and shooting the moon |",
        "The lowest score wins. There are 52 cards:",
        "| player | `iloc HAND` | its owner |",
        "| decisions a game | 52 | always |",
        "`omnibus`",
        "Everybody is dealt 13 cards",
        "takes the trick\n```",
        "A fair share is 25.0 % of the wins; k winners have 1/k each.",
    ):
        assert words in text, words


def test_a_page_for_one_player_says_nothing_of_winners() -> None:
    text = page(of_game("blackjack"), NUMBERS["blackjack"], [*DRAWN[:4], "scores"])
    assert "A fair share" not in text
    assert "several sides" not in text
    assert "blackjack-ranks.svg" not in text
    assert "blackjack-scores.svg" in text


# Words --------------------------------------------------------------------------------------------


def test_special_is_what_few_games_have() -> None:
    assert special_of(facts("agram")) == "last trick, as in Slobberhannes"
    assert special_of(facts("whist")) == ""


@pytest.mark.parametrize("text", ["a*b*", "x_y_z", "a | b", "<b>&amp;", "[a](b)", "# a", "`c`"])
def test_text_is_shown_as_it_is(text: str) -> None:
    assert plain(safe(text)) == text
    assert not re.search(r"(?<!\\)[|`*_\[\]#]|<", safe(text))


def test_heads_of_paragraphs_are_bold() -> None:
    assert paragraphs("Aim: Win.\n\nAll play. So: it is.") == [
        "**Aim.** Win.",
        "All play. So: it is.",
    ]


def test_a_value_and_its_interval_in_words() -> None:
    assert shown(Ranged(0.25, 0.2, 0.3), percent=True) == ("25.0 %", "20.0 to 30.0 %")
    assert shown(Ranged(52.0, 52.0, 52.0)) == ("52", "always")


# Numbers ------------------------------------------------------------------------------------------


def test_numbers_are_those_of_the_page_of_the_library() -> None:
    """The first of the games behind docs/library.md, which has more: within five errors."""
    text = (ROOT / "docs" / "library.md").read_text(encoding="utf-8")
    row = re.compile(r"^\| (.+?) \| (\d) \| ([\d.]+).*? \| ([\d.]+) \((\d+)\) \|", re.M)
    there = {(found[1], int(found[2])): found for found in row.finditer(text)}
    for name, numbers in NUMBERS.items():
        found = there[facts(name).title, numbers.players]
        for mine, its in ((numbers.length, found[3]), (numbers.options, found[4])):
            room = 2.5 * (mine.high - mine.low) + 0.06
            assert abs(mine.value - float(its)) <= room, (name, mine, its)
        assert numbers.widest <= int(found[5])


def test_numbers_have_their_shape() -> None:
    for name, numbers in NUMBERS.items():
        assert (numbers.games, numbers.seed) == (GAMES, SEED), name
        assert numbers.players == facts(name).default_players or name == "pairs", name
        assert sum(numbers.lengths.values()) == GAMES
        assert sum(numbers.made.values()) == GAMES * numbers.players
        assert all(sum(row) == GAMES for row in numbers.ranks)
        if numbers.players > 1:
            assert sum(one.value for one in numbers.wins) == pytest.approx(1, abs=1e-4)
        assert numbers.shortest <= numbers.length.value <= numbers.longest
        assert numbers.length.low <= numbers.length.value <= numbers.length.high


@pytest.mark.parametrize("name", ["kuhn", "cuckoo", "leduc"])
def test_numbers_are_up_to_date(name: str, tmp_path: Path) -> None:
    """Small games played again have the numbers on record, all but the version."""
    file = tmp_path / "numbers.json"
    write({name: measure(name)}, file)
    again = vars(load(file)[name]) | {"version": ""}
    assert again == vars(NUMBERS[name]) | {"version": ""}


# Samples and pictures -----------------------------------------------------------------------------


def test_a_sample_ends_with_what_the_rules_did() -> None:
    told = sample_of(of_game("whist"))
    assert [line[0] for line in told if line[0].isdigit()] == ["1", "2", "3", "4"]
    assert "trick" in told[-1]


def test_a_long_turn_is_cut() -> None:
    """In no game are more decisions told than `MOST`."""
    for name in ("gongzhu", "spiteandmalice", "coup"):
        told = sample_of(of_game(name))
        assert len([line for line in told if re.match(r"\d+\. p\d", line)]) <= MOST
        assert len(told) >= 3


def test_pictures_are_drawn(tmp_path: Path) -> None:
    """Each is a picture with something in it, and its name is one that pages show."""
    files = draw(of_game("agram"), "Agram", NUMBERS["agram"], tmp_path)
    assert files == list(DRAWN)
    for kind in files:
        root = ET.fromstring((tmp_path / f"agram-{kind}.svg").read_text(encoding="utf-8"))
        assert len(list(root.iter())) > 2
    diagram = (tmp_path / "agram-flow.svg").read_text(encoding="utf-8")
    assert "STOCK" in diagram
    assert "HAND" in diagram


def test_a_small_picture_follows_the_options() -> None:
    """Points go from left to right; the widest choice is at the top."""
    for name in ("agram", "cuckoo", "blackjack"):
        numbers: GameNumbers = NUMBERS[name]
        found = re.search(r'<polyline points="([^"]+)"', small(numbers))
        assert found
        points = [tuple(map(float, one.split(","))) for one in found[1].split()]
        assert len(points) >= len(numbers.course)
        assert points == sorted(points, key=lambda one: one[0])
        assert min(points, key=lambda one: one[1])[1] == 2
