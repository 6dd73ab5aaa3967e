"""Options from text: what a person may write, and what is said of what means nothing."""

from __future__ import annotations

import pickle

import pytest

from cardwright import Game, IllegalOptionError, Option, State, Stream
from cardwright.errors import OptionTextError
from cardwright.game.find import library_names
from cardwright.game.wording.describe import DescribedOption
from cardwright.game.wording.naming import Namer
from cardwright.game.wording.option_text import OptionTexts, short_name
from deep import some_games, usually

HEARTS = Game.load("hearts", engine="interpreter")


def decisions(game: Game, seed: int, most: int) -> list[State]:
    """Return the decisions of a random game, the first ones."""
    state, chooser, found = game.start(seed), Stream(seed), []
    while not state.finished and len(found) < most:
        found.append(state.copy())
        state.play(chooser.below(state.option_count))
    return found


def some(options: tuple[Option, ...], chooser: Stream, most: int = 6) -> list[Option]:
    if len(options) <= most:
        return list(options)
    return [options[chooser.below(len(options))] for _ in range(most)]


def test_numbers_are_read_as_the_table_shows_them() -> None:
    """`ONE of SUN` is called the 1 of sun at the table, so `1 of sun` is read, too."""
    game = Game.from_text(
        """(game
  (setup
    (create players 2)
    (create deck (game iloc STOCK) (deck (SUIT (SUN, MOON)) (RANK (ONE, TWO, ELEVEN)))))
  (do ((shuffle (game iloc STOCK))))
  (scoring max (size (game iloc STOCK))))"""
    )
    for text in ("1 of sun, 2 of moon", "ONE of SUN, MOON TWO"):
        assert [card.attributes["RANK"] for card in game.parse_cards(text)] == ["ONE", "TWO"]
    assert game.parse_cards("11 of sun")[0].attributes["RANK"] == "ELEVEN"


@pytest.mark.parametrize("name", some_games(library_names()))
def test_what_options_are_called_means_them(name: str) -> None:
    """The words of an option, full or brief, in any case and spacing, and `#` with its number."""
    game = Game.load(name, engine="interpreter")
    chooser = Stream(1)
    for state in decisions(game, 7, usually(12, 25)):
        options, briefs = state.options(), state.options(brief=True)
        assert len({option.description for option in options}) == len(options)
        assert len({brief.description for brief in briefs}) == len(briefs)
        for option in some(options, chooser):
            brief = briefs[option.index].description
            spaced = f"  {option.description.replace(' ', '   ')} "
            for text in (str(option), brief, str(option).lower(), spaced, f"#{option.index}"):
                assert state.parse(text) == option


@pytest.mark.parametrize("name", some_games(library_names()))
def test_cards_never_mean_an_option_that_has_others(name: str) -> None:
    """The cards and players of an option mean it or its like, or are said to be of several."""
    game = Game.load(name, engine="interpreter")
    chooser = Stream(2)
    understood = asked = 0
    for state in decisions(game, 3, usually(12, 25)):
        described = state.described()
        shown = [sorted(map(game.namer.card, option.cards)) for option in described]
        for option in some(state.options(), chooser):
            cards = list(described[option.index].cards)
            if not cards:
                continue
            chooser.shuffle(cards)
            names = [short_name(card, game.namer, symbols=False) for card in cards]
            asked += 1
            try:
                players = [f"p{seat + 1}" for seat in described[option.index].players]
                meant = state.parse(", ".join([*players, *names]))
            except OptionTextError as error:
                assert len(error.found) > 1
                assert shown[option.index] in [shown[index] for index in error.found]
            else:
                understood += meant == option
                assert shown[meant.index] == shown[option.index]
    assert understood or not asked


def first_options() -> State:
    """Return a decision to play one of D 2 4 7 A, S Q, H A."""
    return HEARTS.start(1)


@pytest.mark.parametrize(
    "text",
    [
        *("A of DIAMONDS", "a of diamonds", "ad", "AD", "A♦", "♦a", "dA", "ace of diamonds"),
        *("ace diamonds", "Ace of Diamond", "play A of DIAMONDS", "play ad", "  A   of  DIAMONDS "),
        *("RED DIAMONDS A", "a of\tdiamonds"),
    ],
)
def test_ways_to_write_a_card(text: str) -> None:
    state = first_options()
    assert state.parse(text).description == "play A of DIAMONDS"
    twin = state.copy()
    state.play(text)
    twin.play(twin.parse("A of DIAMONDS"))
    assert state == twin


@pytest.mark.parametrize("text", ["10c", "TC", "c10", "♣t", "ten of clubs", "10 clubs", "t♣"])
def test_ways_to_write_a_ten(text: str) -> None:
    game = HEARTS
    (card,) = game.parse_cards(text)
    assert game.namer.card(card) == "10 of CLUBS"


@pytest.mark.parametrize(
    "text",
    [
        "AS 10C AD",
        "ad, as 10c",
        "ace of spades and 10 of clubs and A♦",
        "♠A ♣10 ♦A",
        "put AS TC AD",
    ],
)
def test_several_cards_in_any_order(text: str) -> None:
    state = Game.load("hearts", preset="standard", engine="interpreter").start(3)
    option = state.parse(text)
    assert {"A of SPADES", "10 of CLUBS", "A of DIAMONDS"} <= set(
        option.description.replace("put ", "").replace(" into your PASSED", "").split(" and ")
    )


def texts(*options: DescribedOption) -> OptionTexts:
    return OptionTexts(options, Namer(LAMA.program), LAMA.cards)


LAMA = Game.load("lama", engine="interpreter")


def test_a_number_that_is_a_card_too_means_neither() -> None:
    """In a pack of numbers a number is a card and the place of an option; `#` says which."""
    lama = {LAMA.namer.card(card): card for card in LAMA.cards}
    reader = texts(
        DescribedOption(0, "play 3", (lama["3"],)),
        DescribedOption(1, "quit", ()),
        DescribedOption(2, "play 2", (lama["2"],)),
        DescribedOption(3, "play 5", (lama["5"],)),
    )
    with pytest.raises(OptionTextError, match="for the option, write #3") as caught:
        reader.index("3")
    assert caught.value.found == (0, 3)
    assert reader.index("3", numbered=True) == 3
    assert reader.index("#3") == reader.index(" # 3 ") == 3
    assert reader.index("play 3") == 0
    assert reader.index("2") == 2  # either way
    assert reader.index("0") == 0  # no card of the game
    assert reader.index("5") == reader.index("5", numbered=True) == 3  # no number of an option
    with pytest.raises(OptionTextError, match="there is no option 9: options are numbered 0 to 3"):
        reader.index("9")
    for numbered in (False, True):
        with pytest.raises(OptionTextError, match="4 is a card, but not one that can be chosen"):
            reader.index("4", numbered=numbered)
    with pytest.raises(OptionTextError, match="there is no option 4"):
        reader.index("#4")


def test_a_note_that_is_a_card_too_is_read_as_either() -> None:
    """As a card where an option has it with all the rest, else as a note."""
    lama = {LAMA.namer.card(card): card for card in LAMA.cards}
    reader = texts(
        DescribedOption(0, "play 3", (lama["3"],)),
        DescribedOption(1, "BID: 3, SUIT: HEARTS", ()),
        DescribedOption(2, "BID: 3, SUIT: SPADES", ()),
        DescribedOption(3, "pass", ()),
    )
    assert reader.index("3, hearts") == 1
    assert reader.index("3, play") == 0
    with pytest.raises(OptionTextError, match="several options fit") as caught:
        reader.index("bid, 3")
    assert caught.value.found == (1, 2)


def test_cards_that_look_alike_are_one_answer() -> None:
    """Of options that differ by such cards alone the first is taken; not where no card is named."""
    threes = [card for card in LAMA.cards if LAMA.namer.card(card) == "3"][:2]
    two = next(card for card in LAMA.cards if LAMA.namer.card(card) == "2")
    reader = texts(
        DescribedOption(0, "play 2", (two,)),
        *(DescribedOption(at, f"play 3 ({at})", (three,)) for at, three in enumerate(threes, 1)),
        DescribedOption(3, "take a card of STOCK (1)", ()),
        DescribedOption(4, "take a card of STOCK (2)", ()),
    )
    assert reader.index("play, 3") == 1
    assert reader.index("play 3 (2)") == 2
    with pytest.raises(OptionTextError, match="several options fit"):
        reader.index("take")


def test_what_options_note_down_tells_them_apart() -> None:
    """Suits that are named, players that are picked, and levels that are bid, beside cards."""
    eight = next(card for card in HEARTS.cards if HEARTS.namer.card(card) == "8 of CLUBS")
    nine = next(card for card in HEARTS.cards if HEARTS.namer.card(card) == "9 of CLUBS")
    reader = OptionTexts(
        [
            DescribedOption(0, "play 8 of CLUBS, SUIT: HEARTS", (eight,)),
            DescribedOption(1, "play 8 of CLUBS, SUIT: CLUBS", (eight,)),
            DescribedOption(2, "play 9 of CLUBS", (nine,)),
            DescribedOption(3, "BID: 7, STRAIN: HEARTS", ()),
            DescribedOption(4, "ASKED: p2, WANTED: EIGHT", (eight,), (1,)),
            DescribedOption(5, "ASKED: p3, WANTED: EIGHT", (eight,), (2,)),
            DescribedOption(6, "pass", ()),
        ],
        HEARTS.namer,
        HEARTS.cards,
    )
    told = {
        "8c hearts": 0,
        "suit clubs": 1,
        "Suit: Clubs, 8 of clubs": 1,
        "9c": 2,
        "7, hearts": 3,
        "bid 7": 3,
        "p2": 4,
        "8c p3": 5,
        "p3, eight": 5,
        "PASS": 6,
        " pass ": 6,
    }
    assert {text: reader.index(text) for text in told} == told
    with pytest.raises(OptionTextError, match="no option names p4"):
        reader.index("p4 8c")
    with pytest.raises(OptionTextError, match="several options fit") as caught:
        reader.index("8c")
    assert caught.value.found == (0, 1, 4, 5)
    with pytest.raises(OptionTextError, match="no option that has all of this"):
        reader.index("9c hearts")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("xyzzy", "'xyzzy' is neither a card nor a word of an option"),
        ("quene of spades", "'quene' is neither a card"),
        ("2C", "2C is a card, but not one that can be chosen now"),
        ("99", "there is no option 99: options are numbered 0 to 10"),
        ("#99", "there is no option 99"),
        ("", "write the number of an option, or a card of it, or its words"),
        (" , ", "write the number"),
        ("AD AD", "AD is named more often than there are cards of that name"),
        ("AD 2D", "there is no option with these cards together"),
        ("play", "name 1 card: you have named 0"),
        ("\x00", "'\\x00' is neither"),
        ("9" * 5000, "'9999"),
        ("-1", "'-1' is neither"),
    ],
)
def test_what_means_nothing_is_answered_with_options(text: str, said: str) -> None:
    """The error says what is wrong, and lists what is offered; the state stays as it is."""
    state = first_options()
    with pytest.raises(OptionTextError) as caught:
        state.parse(text)
    message = str(caught.value)
    assert message.partition("\n")[0].startswith(said[:20])
    assert said in message
    assert "\n" in message
    with pytest.raises(IllegalOptionError):
        state.play(text)
    assert state == first_options()


def test_the_nearest_options_are_listed() -> None:
    state = first_options()
    with pytest.raises(OptionTextError, match="did you mean ace of diamonds") as caught:
        state.parse("ace-of-diamonds")
    assert "play A of DIAMONDS" in str(caught.value)
    assert len(str(caught.value).splitlines()) <= 12


def test_a_brief_description_is_understood_where_it_leaves_things_out() -> None:
    notes = " ".join(f"(set (game sto {name}) 1)" for name in "ABCDEFGH")
    game = Game.from_text(
        f"""(game (setup (create players 2) (create deck (game iloc STOCK) (deck (SUIT (MOON)))))
        (stage player (end (== (game sto A) 1)) (choice ((do ({notes})))))
        (scoring max 0))""",
        engine="interpreter",
    )
    state = game.start(1)
    (brief,) = state.options(brief=True)
    assert brief.description.endswith("F: 1, and 2 more")
    assert state.parse(brief.description) == state.options()[0]


def test_few_options_are_all_listed() -> None:
    state = Game.load("kuhn", engine="interpreter").start(1)
    with pytest.raises(OptionTextError) as caught:
        state.parse("zzz")
    assert len(str(caught.value).splitlines()) == 1 + state.option_count


def test_the_error_keeps_what_it_knows_on_its_way_between_processes() -> None:
    error = OptionTextError("several", (1, 2), "word")
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), again.found, again.unknown) == ("several", (1, 2), "word")


def test_nothing_can_be_meant_when_the_game_is_over() -> None:
    state = Game.load("kuhn", engine="interpreter").start(1)
    while not state.finished:
        state.play(0)
    for text in ("0", "pass", ""):
        with pytest.raises(IllegalOptionError, match="the game is over"):
            state.parse(text)
    assert state.described() == ()


def test_no_hidden_card_can_be_named() -> None:
    """A card that the chooser does not see means nothing, even if an option would move it."""
    game = Game.load("gofish", engine="interpreter")
    for state in decisions(game, 5, 20):
        seat = state.player
        assert seat is not None
        seen = {
            card
            for cards in state.view(seat).locations.values()
            for card in cards
            if hasattr(card, "attributes")
        }
        for option in state.described():
            assert set(option.cards) <= seen
