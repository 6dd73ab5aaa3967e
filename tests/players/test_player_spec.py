from __future__ import annotations

import pytest

from cardwright.players import spec as room
from cardwright.players.random import RandomPlayer
from cardwright.players.spec import Kind, PlayerSpecError, for_seats, parse_spec, parse_specs


@pytest.fixture
def searching(monkeypatch: pytest.MonkeyPatch) -> None:
    """Add a kind of player with parameters, as there will be."""
    kind = Kind(lambda **settings: ("searching", settings), ("games", "deals"))
    monkeypatch.setitem(room.KINDS, "search", kind)


def test_a_name_builds_its_player() -> None:
    assert isinstance(parse_spec(" random ").build(), RandomPlayer)


def test_every_build_is_a_new_player() -> None:
    spec = parse_spec("random")
    assert spec.build() is not spec.build()


@pytest.mark.usefixtures("searching")
def test_commas_separate_players_and_parameters() -> None:
    specs = parse_specs("search:games=10,deals=3,random,search:deals=1")
    assert [str(spec) for spec in specs] == ["search:games=10,deals=3", "random", "search:deals=1"]
    assert specs[0].build() == ("searching", {"games": "10", "deals": "3"})


@pytest.mark.usefixtures("searching")
def test_a_written_spec_reads_as_itself() -> None:
    spec = parse_spec("search: games = 10 ,deals=3")
    assert parse_spec(str(spec)) == spec


@pytest.mark.usefixtures("searching")
@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("randm", "did you mean random?"),
        ("Random", "did you mean random?"),
        ("nobody", "(players: random, pimc, search)"),
        ("", "without a name"),
        ("random,", "without a name"),
        (",random", "without a name"),
        (":games=3", "without a name"),
        ("random:depth=3", "it takes no parameters"),
        ("random:", "is no parameter"),
        ("search:game=3", "did you mean games?"),
        ("search:zzz=3", "it takes games, deals"),
        ("search:games", "write search:key=value"),
        ("search:games=3,games=4", "twice"),
        ("games=3", "there is no player 'games=3'"),
    ],
)
def test_what_is_no_player_is_said(text: str, said: str) -> None:
    with pytest.raises(PlayerSpecError) as caught:
        parse_specs(text)
    assert said in str(caught.value)


def test_one_player_sits_everywhere_or_each_on_his_seat() -> None:
    one = parse_specs("random")
    assert for_seats(one, 3) == one * 3
    assert for_seats(one * 2, 2) == one * 2
    with pytest.raises(PlayerSpecError, match="2 players are given for 3 seats"):
        for_seats(one * 2, 3)
