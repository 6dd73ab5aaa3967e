"""Published Hearts listings, as they stand in the documents that print them.

The documents are not part of the project; the tests run where they are present.
"""

from __future__ import annotations

import re

import pytest

from cardwright import Game, Stream
from cardwright.program.check import check
from cardwright.syntax.source import Source
from shared_material import shared_folder

SEEDS = shared_folder("seeds")
pytestmark = pytest.mark.skipif(SEEDS is None, reason="the documents are not here")

_BLOCK = re.compile(r"{% highlight racket %}(.*?){% endhighlight %}", re.DOTALL)


def document(number: str) -> str:
    assert SEEDS is not None
    (path,) = SEEDS.glob(f"{number}_*.txt")
    return path.read_text(encoding="utf-8")


def listing_in_blocks(number: str) -> str:
    """Return the code blocks of a post, joined in order."""
    return "".join(_BLOCK.findall(document(number)))


def listing_after_prose(number: str) -> str:
    """Return the listing that ends a page."""
    text = document(number)
    return text[text.index(";; Hearts") :]


def statistics(text: str, games: int = 1000) -> tuple[set[int], float]:
    """Play random games; return the numbers of decisions, and the mean number of options."""
    game = Game.from_source(Source("listing", text))
    decisions: set[int] = set()
    options = 0
    for seed in range(games):
        state = game.start(seed)
        streams = [Stream.of_seat(seed, seat) for seat in range(game.players)]
        while state.player is not None:
            options += state.option_count
            state.play(streams[state.player].below(state.option_count))
        decisions.add(len(state.choices))
    return decisions, options / games / 52


@pytest.mark.parametrize(
    "text", [lambda: listing_in_blocks("001"), lambda: listing_after_prose("003")]
)
def test_listings_play_hearts(text) -> None:
    """The two newer listings check cleanly and play: 52 decisions, 3.59 options on average."""
    source = Source("listing", text())
    assert len(check(source).diagnostics) == 0
    decisions, options = statistics(source.text)
    assert decisions == {52}
    assert options == pytest.approx(3.59, abs=0.03)


def test_oldest_listing_has_one_error() -> None:
    """Of the oldest listing nothing is reported but the unbound variable, with the right guess."""
    source = Source("listing", listing_in_blocks("000"))
    (found,) = check(source).diagnostics
    assert found.code.code == "E401"
    assert source.at(found.span) == "'H"
    assert source.text[found.span.start - 20 : found.span.end].endswith("(== (cardatt SUIT 'H")
    assert "'PH" in found.help


def test_oldest_listing_plays_once_mended() -> None:
    """With the variable and the test beside it mended it plays as the others do."""
    text = listing_in_blocks("000")
    wrong = re.compile(r"\(\((and) \(== (\(size \(filter [^\0]*?'PH \(== \(cardatt SUIT )'H\)")
    mended, count = wrong.subn(r"((\1 (!= \2'PH)", text)
    assert count == 1
    decisions, options = statistics(mended)
    assert decisions == {52}
    assert options == pytest.approx(3.59, abs=0.03)
