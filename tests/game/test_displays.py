"""What notebooks show of games and results: everything escaped, nothing that a seat cannot know."""

from __future__ import annotations

from html.parser import HTMLParser

import pytest

from cardwright import Game, RandomPlayer, Stream, play_random, simulate, tournament
from cardwright.arena import OwnPlayer
from cardwright.english import number, percent
from cardwright.game import game_seeds
from cardwright.markup.element import display, element, table
from cardwright.markup.numbers import IntervalScale, ShownInterval, mean_and_ends

BAD = "<script>alert(1)</script>\"'&"
TAGS = {"div", "span", "b", "table", "thead", "tbody", "tr", "th", "td", "svg", "line", "circle"}


class Elements(HTMLParser):
    """Checks that elements are known and closed, and keeps the text."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.text = ""
        self.feed(html)
        assert not self.open, self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in TAGS, tag
        assert not any(
            name.startswith("on") or name in {"id", "class", "href"} for name, _ in attrs
        )
        self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def text_of(shown: object) -> str:
    """Return the text of a display, which is checked to be plain elements."""
    return Elements(shown._repr_html_()).text  # type: ignore[attr-defined]


def test_texts_are_escaped_wherever_they_stand() -> None:
    """No text becomes an element or ends an attribute, in a heading, a cell, or a title."""
    made = display(element("b", BAD, title=BAD), table((BAD, "n"), [(BAD, BAD)]))
    assert "<script" not in made
    assert Elements(made).text.count(BAD) == 4


def test_a_heading_is_one_of_its_column() -> None:
    """As screen readers want it; other cells are of no such kind."""
    made = str(table(("name", "number"), [("a", "1")]))
    assert made.count("scope=") == made.count('<th scope="col"') == 2


def test_names_of_games_and_players_are_escaped() -> None:
    """A game called like a script, and a player called so, are shown as what they are called."""
    source = Game.load("kuhn").program.source.text
    game = Game.from_text(source, name=BAD)
    assert BAD in text_of(game)
    assert BAD in text_of(game.start(1))
    bad = OwnPlayer(BAD, RandomPlayer)
    assert text_of(simulate(game, [bad, "random"], games=10, seed=1)).count(BAD) == 2
    assert BAD in text_of(tournament(game, [bad, "random"], deals=5, seed=1))


@pytest.mark.parametrize("name", ["hearts", "lama", "gofish", "skat"])
def test_a_view_is_shown_alike_in_all_worlds_that_its_seat_cannot_tell_apart(name: str) -> None:
    """The HTML of a view tells nothing that the view does not: redealt hidden cards change none."""
    game = Game.load(name, engine="interpreter")
    stream = Stream(5)
    state = game.start(3)
    changed = 0
    for _ in range(12):
        if state.player is None:
            break
        for seat in range(game.players):
            shown = state.view(seat)._repr_html_()
            Elements(shown)
            world = state.determinise(seat, stream)
            assert world.view(seat)._repr_html_() == shown
            changed += world._repr_html_() != state._repr_html_()
        state.play(stream.below(state.option_count))
    assert changed


def test_a_view_shows_what_its_seat_sees() -> None:
    """Own cards are named by their short names, others counted, and places have their owners."""
    state = Game.load("hearts").start(1)
    text = text_of(state.view(0))
    for card in state.cards(0, "iloc", "HAND"):
        suit = {"CLUBS": "♣", "DIAMONDS": "♦", "SPADES": "♠", "HEARTS": "♥"}[
            card.attributes["SUIT"]
        ]
        assert suit in text
    assert text.count("13 ▒") == 3
    assert "p4" in text
    assert "5 of CLUBS" in text


def test_what_is_finished_or_due_is_shown() -> None:
    """A finished game shows scores, one by hand its draw, random games their means."""
    game = Game.load("leduc")
    state = game.start(1)
    while not state.finished:
        state.play(0)
    assert "finished" in text_of(state)
    assert "A draw is due" in text_of(game.start_chance())
    assert "50 games" in text_of(play_random(game, game_seeds(1, count=50)))
    assert "10 games" in text_of(game.batch(10, 1))


def test_numbers_have_their_intervals_beside_them() -> None:
    """A mean has its ends, a share its percent sign once; what is unknown is a dash."""
    assert Elements(mean_and_ends(ShownInterval(-1.0, -1.5, 0.25))).text == "−1.00 [−1.50, 0.25]"
    share = mean_and_ends(ShownInterval(0.5, 0.4, 0.6), 1, share=True)
    assert Elements(share).text == "50.0 % [40.0, 60.0]"
    assert (number(None), number(float("nan")), percent(None)) == ("–", "–", "–")
    assert number(-0.001) == "0.00"
    assert IntervalScale([]).drawn(ShownInterval(None, None, None)) == ""
    one, other = ShownInterval(1.0, 0.0, 2.0), ShownInterval(3.0, 3.0, 3.0)
    assert IntervalScale([one, other]).drawn(one) != IntervalScale([one]).drawn(one)
