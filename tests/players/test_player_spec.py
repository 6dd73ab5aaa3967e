from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from cardwright.arena.entrants import kinds, player
from cardwright.game.errors import CardwrightError
from cardwright.game.information.knowledge import KnowledgeMode
from cardwright.players.kind import (
    FULL_TRUST,
    KINDS,
    Loads,
    Parameter,
    PlayerKind,
    PlayerSpecError,
    choice,
    real,
    register,
    switch,
    whole,
)
from cardwright.players.monte_carlo import (
    Bandit,
    CardStockMcts,
    CardStockPipmc,
    CardStockPipmcNew,
    FlatMonteCarlo,
    FlatReward,
)
from cardwright.players.player import RandomPlayer
from cardwright.players.spec import for_seats, parse_spec, parse_specs, split_specs


@pytest.fixture
def searching(monkeypatch: pytest.MonkeyPatch) -> None:
    """Add a kind of player with parameters, as there will be."""
    parameters = (whole("games", None, 1, 99), whole("deals", None, 0, 9))
    kind = PlayerKind(lambda **settings: ("searching", settings), parameters, loads=Loads.NOTHING)
    monkeypatch.setitem(KINDS, "search", kind)


def test_a_name_builds_its_player() -> None:
    assert isinstance(parse_spec(" random ", FULL_TRUST).build(), RandomPlayer)


def test_every_build_is_a_new_player() -> None:
    spec = parse_spec("random", FULL_TRUST)
    assert spec.build() is not spec.build()


@pytest.mark.usefixtures("searching")
def test_commas_separate_players_and_parameters() -> None:
    specs = parse_specs("search:games=10,deals=3,random,search:deals=1", FULL_TRUST)
    assert [str(spec) for spec in specs] == ["search:games=10,deals=3", "random", "search:deals=1"]
    assert specs[0].build() == ("searching", {"games": 10, "deals": 3})


@pytest.mark.usefixtures("searching")
def test_a_written_spec_reads_as_itself() -> None:
    spec = parse_spec("search: games = 10 ,deals=3", FULL_TRUST)
    assert parse_spec(str(spec), FULL_TRUST) == spec


@pytest.mark.usefixtures("searching")
@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("randm", "did you mean random?"),
        ("Random", "did you mean random?"),
        ("nobody", "(players: bandit, bridge, cardstock-mcts, "),
        ("", "has no name"),
        ("random,", "has no name"),
        (",random", "has no name"),
        (":games=3", "has no name"),
        ("random:depth=3", "it takes no parameters"),
        ("random:", "is not a parameter"),
        ("search:game=3", "did you mean games?"),
        ("search:zzz=3", "it takes games, deals"),
        ("search:games", "write search:key=value"),
        ("search:games=3,games=4", "twice"),
        ("games=3", "there is no player 'games=3'"),
    ],
)
def test_what_is_no_player_is_said(text: str, said: str) -> None:
    with pytest.raises(PlayerSpecError) as caught:
        parse_specs(text, FULL_TRUST)
    assert said in str(caught.value)


def test_one_player_sits_everywhere_or_each_on_his_seat() -> None:
    one = parse_specs("random", FULL_TRUST)
    assert for_seats(one, 3) == one * 3
    assert for_seats(one * 2, 2) == one * 2
    with pytest.raises(PlayerSpecError, match="2 players are given for 3 seats"):
        for_seats(one * 2, 3)


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("pimc", FlatMonteCarlo(50, KnowledgeMode.BASIC, FlatReward.SCORE)),
        (
            "pimc:rollouts=7,mode=consistent,reward=rank,ms=9",
            FlatMonteCarlo(7, KnowledgeMode.CONSISTENT, FlatReward.RANK, 9),
        ),
        ("bandit:rollouts=9,k=1.5,batch=2", Bandit(9, 1.5, batch=2)),
        ("cardstock-pipmc:tests=3", CardStockPipmc(3)),
        ("cardstock-pipmcnew:deals=4,tests=5", CardStockPipmcNew(4, 5)),
        ("cardstock-mcts", CardStockMcts(100)),
    ],
)
def test_parameters_come_to_their_players(text: str, made: object) -> None:
    spec = player(text)
    assert spec.build() == made
    assert str(spec) == text
    assert parse_specs(f"{text},random", FULL_TRUST)[0] == spec


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("pimc:rollouts=0", "write a number from 1 to 1,000,000"),
        ("pimc:rollouts=many", "pimc:rollouts=many is not possible"),
        ("pimc:rollouts=1e3", "write a number from 1 to 1,000,000"),
        ("pimc:mode=psychic", "write one of basic, known, consistent"),
        ("pimc:reward=", "write one of score, rank, win"),
        ("pimc:rollout=5", "did you mean rollouts"),
        ("bandit:k=nan", "write a number from 0 to 100"),
        ("bandit:k=-1", "write a number from 0 to 100"),
        ("python", "write python:path.py:Name"),
        ("python:", "write python:path.py:Name"),
        ("python:depth=3", "write python:path.py:Name"),
        ("hierarchy:", "needs more"),
        ("rul", "did you mean rule?"),
    ],
)
def test_what_a_player_cannot_take_is_said(text: str, said: str) -> None:
    with pytest.raises(PlayerSpecError) as caught:
        player(text)
    assert said in str(caught.value)


def test_players_of_all_rooms_are_known() -> None:
    assert {"random", "pimc", "bandit", "python", "rule", "corin-random"} <= set(kinds())
    assert all(kind.about for kind in kinds().values())


def test_a_name_is_given_to_one_kind_only(monkeypatch: pytest.MonkeyPatch) -> None:
    kind = PlayerKind(RandomPlayer, loads=Loads.NOTHING)
    monkeypatch.setitem(KINDS, "mine", kind)
    register("mine", kind)
    with pytest.raises(ValueError, match="another kind"):
        register("mine", PlayerKind(RandomPlayer, loads=Loads.NOTHING))


def test_parameters_of_all_sorts(monkeypatch: pytest.MonkeyPatch) -> None:
    takes = (
        whole("n", 3, -5, 5),
        real("x", None, 0, 1),
        choice("mode", KnowledgeMode.KNOWN),
        switch("on", default=False),
        Parameter("name", str, "a text"),
    )
    file = Parameter("file", str, "a text", "default")
    kind = PlayerKind(lambda **given: given, takes, argument=file, loads=Loads.FILE)
    monkeypatch.setitem(KINDS, "all", kind)
    defaults = {"n": 3, "mode": KnowledgeMode.KNOWN, "on": False}
    assert parse_spec("all", FULL_TRUST).build() == defaults
    assert parse_spec("all:a b.toml", FULL_TRUST).build() == {**defaults, "file": "a b.toml"}
    assert parse_spec("all:n=-5,x=.5,on=yes,name=x y", FULL_TRUST).build() == {
        "n": -5, "x": 0.5, "mode": KnowledgeMode.KNOWN, "on": True, "name": "x y",
    }  # fmt: skip
    written = "all:here.toml,on=no,mode=basic"
    assert str(parse_spec(written, FULL_TRUST)) == written
    for wrong in ("on=1", "n=6", "n=", "x=1.5", "mode=Basic"):
        with pytest.raises(PlayerSpecError, match="is not possible"):
            parse_spec(f"all:{wrong}", FULL_TRUST)


def test_lists_of_players_can_be_split_before_they_are_read():
    """A name that is none, such as `human`, is for others to understand."""
    assert split_specs("human, ismcts:iterations=10,c=1,rule") == [
        "human", "ismcts:iterations=10,c=1", "rule",
    ]  # fmt: skip


def _values(parameter: Parameter) -> st.SearchStrategy[str]:
    """Return texts that a parameter may be given, found among many by its own reading."""
    tried = ["yes", "no", "0", "1", "2", "7", "50", "0.5", "1e-3", "basic", "known", "consistent"]
    tried += ["rank", "win", "score", "margin", "each", "one", "true", "random", "default"]
    tried += [str(parameter.default)]

    def possible(text: str) -> bool:
        try:
            parameter.value(text, "it")
        except PlayerSpecError:
            return False
        return True

    return st.sampled_from([text for text in tried if possible(text)])


@given(st.data())
def test_every_kind_of_player_reads_as_it_is_written(data: st.DataObject) -> None:
    """Any kind with any of its parameters, in any order and with spaces, alone and in a list."""
    found = []
    for name in data.draw(st.lists(st.sampled_from(sorted(kinds())), min_size=1, max_size=3)):
        kind = kinds()[name]
        given = data.draw(st.lists(st.sampled_from([None, *kind.parameters]), unique=True))
        pieces = [f"{one.name} = {data.draw(_values(one))}" for one in given if one is not None]
        if kind.argument is not None:
            pieces = [data.draw(_values(kind.argument)), *pieces] if kind.argument.default else []
        try:
            text = f" {name}:{' , '.join(pieces)}" if pieces else name
            found.append(parse_spec(text, FULL_TRUST))
        except CardwrightError:  # it needs a file, or its parameters do not go together
            continue
    assert [parse_spec(str(spec), FULL_TRUST) for spec in found] == found
    if found:
        assert list(parse_specs(",".join(map(str, found)), FULL_TRUST)) == found
