"""Tables through the interface: made, played, watched, left, brought back."""

from __future__ import annotations

import asyncio
import sqlite3
from dataclasses import replace

import pytest
from in_process import in_process, thinking_here
from seated import PERSON, RANDOM, Seated, table
from streamed import StreamReader

from cardwright import Game
from cardwright.game.find import find
from cardwright.table.saved import read_saved
from cardwright.web import live_table
from cardwright.web.limits import OWN, Limits
from cardwright.web.site import DATABASE
from cardwright.web.stored import StoreError
from cardwright.web.tables import new_token, token_hash
from cardwright.web.thinking import ThinkAnswer, ThinkError
from patience import PATIENCE


@pytest.fixture(scope="module")
def client():
    with thinking_here(), in_process(own_limits=Limits(requests=1e6, burst=10**6)) as made:
        yield made


def play_out(client, people, most=200):
    """Play to the end by first options, as people do who wait for the computer players."""

    async def played():
        for _ in range(most):
            for one in people:
                seen = (await client.client.get(one.api)).json()["scene"]
                if seen["over"]:
                    return seen["over"]
                if seen["decision"]:
                    body = {"number": seen["number"], "option": 0}
                    answer = await client.client.post(f"{one.api}/choose", json=body)
                    assert answer.status_code == 200, answer.text
                await asyncio.sleep(0.01)
        raise AssertionError("the game does not end")

    return client.run(played())


# Making ---------------------------------------------------------------------------------------


def test_a_table_gives_a_link_to_each_person_and_one_to_watch(client):
    people, watch = table(client, "hearts", PERSON, RANDOM, PERSON, RANDOM)
    assert [one.look()["scene"]["seat"] for one in people] == [0, 2]
    assert watch.look()["scene"]["watching"] == "public"
    assert len({one.api for one in (*people, watch)}) == 3
    people, watch = table(client, "kuhn", PERSON, PERSON, watch="no")
    assert watch is None


def test_a_game_alone_is_played_against_the_computer(client):
    """Nobody has to say who plays; opponents have names, and nobody has two."""
    made = client.post("/api/tables", {"game": "hearts", "pace": 0}).json()
    ann = Seated(client, f"/api{made['seats'][0]['link']}")
    seats = ann.look()["scene"]["seats"]
    assert [one["kind"] for one in seats] == ["person", *["computer"] * 3]
    assert len({one["name"] for one in seats}) == 4


@pytest.mark.parametrize("player", ["random", "first"])
def test_players_that_look_at_nothing_need_no_process(player):
    with in_process(own_limits=Limits(requests=1e6, burst=10**6)) as client:
        (ann,), _ = table(client, "kuhn", PERSON, {"kind": "computer", "player": player})
        play_out(client, [ann])
        assert client.site.thinkers.pids() == []


RULE = {"kind": "computer", "player": "rule"}


@pytest.mark.parametrize(
    ("body", "code", "words"),
    [
        ({}, "invalid", "name a `game`"),
        ({"game": "kuhn", "source": "(game)"}, "invalid", "one of the two"),
        ({"game": "harts"}, "no-such-game", "did you mean hearts"),
        ({"game": "../hearts.rcy"}, "no-such-game", "there is no game"),
        ({"game": "kuhn", "preset": "nothing"}, "invalid", "preset"),
        ({"game": "kuhn", "options": {"NOTHING": 3}}, "invalid", "NOTHING"),
        ({"game": "kuhn", "options": {"A": "a b"}}, "invalid", "not a value"),
        ({"game": "kuhn", "seats": [PERSON]}, "invalid", "2 seats"),
        ({"game": "kuhn", "seats": [PERSON, {"kind": "robot"}]}, "invalid", "seats[1].kind"),
        ({"game": "kuhn", "seats": [{**PERSON, "player": "random"}, PERSON]}, "invalid", "person"),
        ({"game": "kuhn", "seats": [{**PERSON, "name": "a\nb\u202ec"}, PERSON]}, "invalid", "seen"),
        ({"game": "kuhn", "seats": [PERSON, RULE]}, "invalid", "not a game of the Hearts family"),
        ({"game": "kuhn", "seed": "-1"}, "invalid", "seed"),
        ({"game": "kuhn", "seed": str(2**64)}, "invalid", "seed"),
        ({"game": "kuhn", "pace": 1e9}, "invalid", "pace"),
        ({"game": "kuhn", "colour": "red"}, "invalid", "colour"),
        ({"source": "(game (oops", "seats": [PERSON]}, "invalid", ""),
        ({"source": "(game)"}, "invalid", "say who plays"),
    ],
)
def test_a_table_that_cannot_be_is_refused_with_the_reason(client, body, code, words):
    answer = client.post("/api/tables", body)
    error = answer.json()["error"]
    assert error["code"] == code, error
    assert words in error["message"]


@pytest.mark.parametrize("sent", [False, True])
def test_nobody_chooses_the_cards_of_others(client, sent):
    """With two people a seed is refused, by whatever rules; alone, one may choose it."""
    source = Game.load("kuhn").program.source.text
    rules = {"source": source} if sent else {"game": "kuhn"}
    body = {**rules, "seats": [PERSON, PERSON], "seed": "5"}
    refused = client.post("/api/tables", body)
    assert refused.status_code == 422
    assert "drawn by lot" in refused.json()["error"]["message"]
    for seats, more in (([PERSON, PERSON], {}), ([PERSON, RANDOM], {"seed": "5"})):
        assert client.post("/api/tables", {**rules, "seats": seats, **more}).status_code == 201


def test_no_second_person_comes_to_a_table_of_a_chosen_seed(client):
    """Only links lead to seats: there is none to a computer player's, and nobody else sits down."""
    (ann,), watch = table(client, "kuhn", PERSON, RANDOM, seed="5", watch="public")
    assert ann.code("sit", seat=1, player=None) == "not-allowed"
    assert watch.code("sit", seat=1, player=None) == "not-allowed"
    assert [one["kind"] for one in ann.look()["scene"]["seats"]] == ["person", "computer"]


@pytest.mark.parametrize(
    "player",
    ["python:/etc/passwd:X", "solved:/etc/passwd", "hierarchy:/etc/passwd", "mcts-cheating",
     "ismcts:iterations=1000000", "ismcts:trees=100,iterations=10000", "pimc:ms=600000",
     "ismcts:threads=64", "ismcts:iterations=x", "nobody", "", " python:x:y"],
)  # fmt: skip
def test_players_that_run_read_cheat_or_think_too_much_cannot_sit_down(client, player):
    seats = [PERSON, {"kind": "computer", "player": player or "?"}]
    answer = client.post("/api/tables", {"game": "kuhn", "seats": seats})
    assert answer.json()["error"]["code"] == "invalid", answer.text
    assert "passwd" not in answer.text


def test_rules_as_text_are_played(client):
    """They stand in a process of their own; wrong ones are refused when the table is made."""
    source = Game.load("kuhn").program.source.text
    people, _ = table(client, None, PERSON, PERSON, source=source)
    ann, bob = people
    assert ann.look()["scene"]["game"]["title"] == "your rules"
    over = play_out(client, [ann, bob])
    assert len(over["scores"]) == 2


def test_rules_of_strangers_are_not_compiled():
    """Players that need compiled rules are refused when the table is made, and the usual differ."""
    source = Game.load("kuhn").program.source.text
    seats = [PERSON, {"kind": "computer"}]
    found = []
    for compiled in (True, False):
        with in_process(own_limits=replace(OWN, compiled=compiled)) as client:
            (ann,), _ = table(client, None, *seats, source=source)
            found.append(ann.look()["scene"]["seats"][1]["player"])
            assert ann.choose(0).is_success
    assert found == ["ismcts:iterations=1000", "pimc:rollouts=5"]
    with in_process(public=True) as client:
        searching = [PERSON, {"kind": "computer", "player": "ismcts"}]
        answer = client.post("/api/tables", {"source": source, "seats": searching})
        assert "take `random` or `pimc`" in answer.json()["error"]["message"]


def test_a_file_is_read_anew_for_each_table(tmp_path):
    """A table has the rules as they were when it was made; the name is that of the file."""
    text = Game.load("kuhn").program.source.text
    file = tmp_path / "mine.rcy"
    file.write_text(text)
    with in_process(files=(file,)) as client:
        (ann, _), _ = table(client, "mine", PERSON, PERSON)
        file.write_text(text.replace("(declare 2 'PLAYERS)", "(declare 3 'PLAYERS)"))
        answer = client.post("/api/tables", {"game": "mine", "seats": [PERSON, PERSON]})
        assert "3 seats" in answer.json()["error"]["message"]
        file.write_text("(game")
        assert client.post("/api/tables", {"game": "mine"}).status_code == 422
        assert len(ann.look()["scene"]["seats"]) == 2


def test_a_file_has_the_title_and_the_words_beside_it(tmp_path):
    file = tmp_path / "mine.rcy"
    file.write_text(find("kuhn").text, "utf-8")
    facts = 'title = "My Duel"\n[words.choices]\n"ACTION BET" = "raise"\n'
    file.with_suffix(".toml").write_text(facts, "utf-8")
    with in_process(files=(file,)) as client:
        (one,), _ = table(client, "mine", PERSON, RANDOM)
        scene = one.look()["scene"]
        assert scene["game"]["title"] == "My Duel"
        assert "raise" in [option["words"] for option in scene["decision"]["options"]]


# Playing --------------------------------------------------------------------------------------


def test_people_play_to_the_end_and_the_game_is_that_of_its_seed(client):
    (ann, bob), watch = table(client, "kuhn", PERSON, PERSON)
    over = play_out(client, [ann, bob])
    state = Game.load("kuhn").start(5)
    for choice in over["choices"]:
        state.play(choice)
    assert tuple(over["scores"]) == state.scores
    assert over["seed"] == "5"
    assert watch.look()["scene"]["over"] == over


def test_computer_players_move_while_somebody_looks(client):
    (ann,), _ = table(client, "goofspiel", PERSON, RANDOM)
    over = play_out(client, [ann], most=5000)
    assert len(over["choices"]) == 26


def test_late_double_and_foreign_choices_do_no_harm(client):
    (ann, bob), watch = table(client, "kuhn", PERSON, PERSON)
    assert bob.code("choose", number=0, option=0) == "not-your-turn"
    assert watch.code("choose", number=0, option=0) == "not-allowed"
    assert ann.code("choose", number=0, option=77) == "illegal-option"
    assert ann.code("choose", number=1, option=0) == "stale"
    assert ann.choose().json() == {"number": 1}
    before = ann.look()
    assert ann.code("choose", number=0, option=0) == "stale"
    assert ann.code("choose", number=1, option=0) == "not-your-turn"
    assert ann.look() == before


def test_a_finished_game_can_be_had_as_a_saved_game(client, tmp_path):
    (ann, bob), _ = table(client, "kuhn", PERSON, PERSON)
    assert client.get(f"{ann.api}/save").json()["error"]["code"] == "not-over"
    over = play_out(client, [ann, bob])
    answer = client.get(f"{ann.api}/save")
    assert 'filename="kuhn-5.cardwright.json"' in answer.headers["content-disposition"]
    path = tmp_path / "game.json"
    path.write_bytes(answer.content)
    saved = read_saved(path)
    assert saved.choices == tuple(over["choices"])
    assert saved.setup.seed == 5


def test_moves_are_taken_back_when_all_agree(client):
    (ann, bob), _ = table(client, "kuhn", PERSON, PERSON, practice=True)
    ann.choose()
    assert ann.post("undo").status_code == 200
    assert ann.look()["scene"]["undo"]["waiting_for"] == [1]
    assert ann.code("agree", yes=True) == "not-allowed"
    assert bob.post("agree", yes=True).json() == {"number": 0}
    assert ann.look()["scene"]["number"] == 0


def test_a_hint_and_a_reason(client):
    (ann,), _ = table(client, "goofspiel", PERSON, RANDOM)
    hint = ann.post("hint").json()
    options = ann.look()["scene"]["decision"]["options"]
    assert 0 <= hint["option"] < len(options)
    card = options[0]["cards"][0]
    assert ann.post("why", card=card).json() == {"why": None}
    (ann, _), _ = table(client, "kuhn", PERSON, PERSON)
    assert ann.code("hint") == "not-allowed"


def test_names_and_pace_are_seen_by_all(client):
    (ann, bob), _ = table(client, "kuhn", PERSON, PERSON)
    assert ann.post("name", name="  Ann   Lee ").status_code == 200
    assert bob.look()["scene"]["seats"][0]["name"] == "Ann Lee"
    assert bob.code("name", name="x" * 41) == "invalid"
    assert bob.code("name", name="\u200b\n") == "invalid"
    assert bob.post("pace", pace=2.5).status_code == 200
    assert ann.look()["scene"]["pace"] == 2.5


# Who is there ---------------------------------------------------------------------------------


def test_who_looks_is_there_and_who_leaves_is_not(client):
    (ann, bob), _ = table(client, "kuhn", PERSON, PERSON)

    async def comes_and_goes():
        first = await StreamReader(client.app, f"{ann.api}/events").open()
        _, data = await first.next()
        assert [one["here"] for one in data["scene"]["seats"]] == [True, False]
        second = await StreamReader(client.app, f"{bob.api}/events").open()
        _, data = await first.next()
        assert [one["here"] for one in data["scene"]["seats"]] == [True, True]
        await second.close()
        _, data = await first.next()
        assert [one["here"] for one in data["scene"]["seats"]] == [True, False]
        await first.close()

    client.run(comes_and_goes())


def test_a_computer_player_takes_the_seat_of_who_is_away_and_gives_it_back(client, monkeypatch):
    """Not at once, and not by spectators; who comes back by its link has its seat again."""
    (ann, bob), watch = table(client, "kuhn", PERSON, PERSON)
    assert watch.code("sit", seat=1, player="random") == "not-allowed"
    assert ann.code("sit", seat=1, player=None) == "not-allowed"
    assert ann.code("sit", seat=9, player="random") == "invalid"
    assert ann.code("sit", seat=1, player="python:x:y") == "invalid"
    answer = ann.post("sit", seat=1, player="random").json()["error"]
    assert answer["code"] == "conflict"
    assert "a computer player can take its place" in answer["message"]
    monkeypatch.setattr("cardwright.web.table_routes.AWAY", 0.0)
    assert ann.post("sit", seat=1, player="random").status_code == 200
    assert ann.look()["scene"]["seats"][1]["kind"] == "computer"

    async def back():
        stream = await StreamReader(client.app, f"{bob.api}/events").open()
        _, data = await stream.next()
        assert data["scene"]["seats"][1]["kind"] == "person"
        body = {"seat": 1, "player": "random"}
        refused = await client.client.post(f"{ann.api}/sit", json=body)
        assert refused.json()["error"]["message"].endswith("is there")
        await stream.close()

    client.run(back())


def test_who_lets_the_computer_play_for_itself_is_not_put_back_by_a_reload(client):
    (ann, bob), _ = table(client, "kuhn", PERSON, PERSON)
    assert ann.post("sit", seat=0, player="random").status_code == 200

    async def reloads():
        stream = await StreamReader(client.app, f"{ann.api}/events").open()
        _, data = await stream.next()
        assert data["scene"]["seats"][0]["kind"] == "computer"
        body = {"seat": 0, "player": "first"}
        refused = await client.client.post(f"{bob.api}/sit", json=body)
        assert refused.json()["error"]["message"].endswith("is there")
        await stream.close()

    client.run(reloads())
    assert ann.post("sit", seat=0, player=None).status_code == 200
    assert ann.look()["scene"]["seats"][0]["kind"] == "person"


def test_nobody_thinks_for_nobody(client, monkeypatch):
    """A table at which nobody looks stands still, and goes on when somebody does."""
    monkeypatch.setattr(live_table, "POLLING", 0.0)
    _, watch = table(client, "goofspiel", RANDOM, RANDOM)
    live = next(reversed(client.site.tables._live.values()))

    async def looks():
        await asyncio.sleep(0.1)
        assert not live.commands
        await client.client.get(watch.api)
        while not live.commands:
            await asyncio.sleep(0.01)
        await asyncio.sleep(0.1)
        assert len(live.commands) == 1
        await client.client.get(watch.api)
        while len(live.commands) < 2:
            await asyncio.sleep(0.01)

    client.run(asyncio.wait_for(looks(), PATIENCE))


@pytest.mark.parametrize("fails", [True, False])
def test_what_happened_to_a_computer_player_is_told(client, monkeypatch, fails):
    """Why it has not decided, or who has in its place: nobody waits without knowing for what."""
    (ann,), _ = table(client, "kuhn", PERSON, {"kind": "computer", "player": "pimc:rollouts=1"})

    async def decide(_):
        if fails:
            raise ThinkError("rules", "it went wrong")
        return ThinkAnswer(0, substitute="another one has decided")

    monkeypatch.setattr(client.site.thinkers, "decide", decide)
    ann.choose(1)

    async def told():
        while True:
            seen = (await client.client.get(ann.api)).json()
            if seen["notice"]:
                return seen["notice"], seen["scene"]["number"]
            await asyncio.sleep(0.01)

    expected = ("it went wrong", 1) if fails else ("another one has decided", 2)
    assert client.run(asyncio.wait_for(told(), PATIENCE)) == expected


# Streams --------------------------------------------------------------------------------------


def test_a_stream_resumes_after_the_last_event_that_came(client):
    (ann, bob), _ = table(client, "kuhn", PERSON, PERSON)

    async def resumes():
        stream = await StreamReader(client.app, f"{ann.api}/events").open()
        assert stream.headers["content-type"].startswith("text/event-stream")
        assert stream.headers["cache-control"] == "no-store"
        number, data = await stream.next()
        assert (number, data["events"]) == ("0", [])
        await client.client.post(f"{ann.api}/choose", json={"number": 0, "option": 0})
        data = await stream.until(1)
        assert [one["version"] for one in data["events"]] == [1]
        await stream.close()
        await client.client.post(f"{bob.api}/choose", json={"number": 1, "option": 0})
        again = await StreamReader(client.app, f"{ann.api}/events", {"last-event-id": "1"}).open()
        _, data = await again.next()
        assert [one["version"] for one in data["events"]] == [2]
        await again.close()

    client.run(resumes())


@pytest.mark.parametrize("last", ["", "x", "-1", "1e3", "99999999999999999999", "7"])
def test_a_stream_begins_anew_after_an_id_that_is_none(client, last):
    (ann, _), _ = table(client, "kuhn", PERSON, PERSON)

    async def begins():
        stream = await StreamReader(client.app, f"{ann.api}/events", {"last-event-id": last}).open()
        number, _ = await stream.next()
        assert number == "0"
        await stream.close()

    client.run(begins())


def test_what_slow_clients_miss_is_told_at_once_and_kept_nowhere(client):
    """A client that takes nothing in costs no memory, and gets all events in one message."""
    (ann, bob), _ = table(client, "leduc", PERSON, PERSON)

    async def dawdles():
        stream = await StreamReader(client.app, f"{ann.api}/events").open()
        await stream.next()
        for number in range(2):
            who = ann if number % 2 == 0 else bob
            body = {"number": number, "option": 0}
            assert (await client.client.post(f"{who.api}/choose", json=body)).is_success
        data = await stream.until(2)
        assert data["scene"]["number"] == 2
        await stream.close()

    client.run(dawdles())


def test_streams_are_counted_and_limited():
    limits = Limits(streams=2)
    with in_process(own_limits=limits) as client:
        (ann, _), _ = table(client, "kuhn", PERSON, PERSON)

        async def too_many():
            first = await StreamReader(client.app, f"{ann.api}/events").open()
            second = await StreamReader(client.app, f"{ann.api}/events").open()
            third = await StreamReader(client.app, f"{ann.api}/events").open()
            assert (third.status, third.headers["retry-after"]) == (429, "5")
            await first.close()
            fourth = await StreamReader(client.app, f"{ann.api}/events").open()
            assert fourth.status == 200
            for one in (second, third, fourth):
                await one.close()

        client.run(too_many())


# Keeping --------------------------------------------------------------------------------------


def test_tables_come_back_with_all_that_was_done(tmp_path):
    """After a restart scenes, events and links are the same, and the game goes on."""
    with in_process(data=tmp_path) as client:
        (ann, bob), watch = table(client, "leduc", PERSON, PERSON, practice=True)
        ann.choose()
        ann.post("undo")
        bob.post("agree", yes=True)
        bob.post("name", name="Bob")
        ann.choose()
        before = [anywhere(one.look()) for one in (ann, bob, watch)]
    with in_process(data=tmp_path) as client:
        again = [Seated(client, one.api) for one in (ann, bob, watch)]
        assert [anywhere(one.look()) for one in again] == before
        assert again[1].choose().status_code == 200


def anywhere(look):
    """Return what is seen, whoever is there."""
    for seat in look["scene"]["seats"]:
        del seat["here"]
    return look


def test_links_are_not_in_the_store(tmp_path):
    with in_process(data=tmp_path) as client:
        (ann, _), _ = table(client, "kuhn", PERSON, PERSON)
        token = ann.api.rpartition("/")[2]
    content = b"".join(file.read_bytes() for file in tmp_path.glob(f"{DATABASE}*"))
    assert token.encode() not in content
    assert token_hash(token) in content
    assert tmp_path.joinpath(DATABASE).stat().st_mode & 0o077 == 0


def test_a_choice_that_cannot_be_kept_is_not_made(client, monkeypatch):
    """The answer says so, and the table is as it was before."""
    (ann, _), _ = table(client, "kuhn", PERSON, PERSON)

    async def full(*_):
        raise StoreError("the storage of tables failed: disk full")

    with monkeypatch.context() as broken:
        broken.setattr(client.site.store, "note", full)
        assert ann.code("choose", number=0, option=0) == "not-stored"
    scene = ann.look()["scene"]
    assert (scene["number"], scene["due"]) == (0, 0)
    assert ann.choose().status_code == 200


def test_old_tables_are_removed_and_fresh_ones_stay(tmp_path):
    with in_process(data=tmp_path) as client:
        (old, _), _ = table(client, "kuhn", PERSON, PERSON)
        (new, _), _ = table(client, "leduc", PERSON, PERSON)
        old.choose()
    with sqlite3.connect(tmp_path / DATABASE) as kept:
        kept.execute("UPDATE tables SET touched = touched - 61 * 86400 WHERE setup LIKE '%kuhn%'")
    kept.close()
    with in_process(data=tmp_path) as client:
        client.run(asyncio.sleep(0.05))
        assert client.get(old.api).status_code == 404
        assert client.get(new.api).status_code == 200
        count = client.run(client.site.store.count())
    assert count == 1


def test_tables_at_which_nobody_looks_leave_the_memory_and_come_back(monkeypatch):
    monkeypatch.setattr(live_table, "POLLING", 0.0)
    with in_process(own_limits=Limits(live=2)) as client:
        people = [table(client, "kuhn", PERSON, PERSON)[0][0] for _ in range(4)]
        people[0].choose()
        client.run(asyncio.sleep(0.01))
        client.run(client.site.tables._make_room())
        assert len(client.site.tables._live) == 2
        assert [one.look()["scene"]["number"] for one in people] == [1, 0, 0, 0]


def test_there_is_an_end_to_tables():
    with in_process(own_limits=Limits(tables=2)) as client:
        for _ in range(2):
            table(client, "kuhn", PERSON, PERSON)
        answer = client.post("/api/tables", {"game": "kuhn"})
        assert (answer.status_code, answer.json()["error"]["code"]) == (503, "busy")
    with in_process(own_limits=Limits(tables_each=1)) as client:
        table(client, "kuhn", PERSON, PERSON)
        answer = client.post("/api/tables", {"game": "kuhn"})
        assert (answer.status_code, answer.json()["error"]["code"]) == (429, "too-many")


def test_tokens_have_128_bits_and_a_shape():
    tokens = {new_token() for _ in range(100)}
    assert len(tokens) == 100
    assert all(len(token_hash(one)) == 32 for one in tokens)
    for wrong in ("", "a" * 21, "a" * 23, "a" * 21 + "/", "é" * 22, "a" * 21 + "\n"):
        assert token_hash(wrong) is None
