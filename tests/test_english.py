"""English for people: nouns, lists, subjects and numbers."""

from __future__ import annotations

import pytest

from cardwright.english import (
    EVERYBODY,
    NOBODY,
    YOU,
    Clause,
    SentenceSubject,
    agreed,
    base,
    counted,
    counted_or_a,
    listed,
    listed_in_part,
    marked,
    minus,
    named,
    number,
    ordinal,
    percent,
    plural,
    third,
    with_article,
)


@pytest.mark.parametrize(
    ("subject", "told"),
    [
        (YOU, "You are dealt a card and play on"),
        (named("anna"), "anna is dealt a card and plays on"),
        (EVERYBODY, "Everybody is dealt a card and plays on"),
        (SentenceSubject.several([named("Ben"), YOU]), "You and Ben are dealt a card and play on"),
        (SentenceSubject.several([named("ben"), named("Cy")]),
         "ben and Cy are dealt a card and play on"),
        (SentenceSubject.several([named("Tom and Jerry")]),
         "Tom and Jerry is dealt a card and plays on"),
        (SentenceSubject("2 seats", plural=True), "2 seats are dealt a card and play on"),
    ],
)  # fmt: skip
def test_verbs_agree_with_their_subject(subject: SentenceSubject, told: str) -> None:
    """A name keeps its spelling, and one with an `and` in it is one person."""
    clause = Clause(f"are dealt a card and {marked('play')} on")
    assert subject.sentence(clause) == told
    assert subject.does(clause).endswith(subject.form(clause))
    assert subject.does(clause).startswith(f"{subject} ")


def test_a_whole_sentence_has_its_own_subject() -> None:
    assert NOBODY.agreeing(f"the turn {marked('go')} on") == "the turn goes on"


@pytest.mark.parametrize(
    ("verb", "singular"),
    [("are", "is"), ("were", "was"), ("have", "has"), ("do", "does"), ("may", "may"),
     ("would", "would"), ("carry", "carries"), ("lie", "lies"), ("pass", "passes"),
     ("use", "uses"), ("play", "plays"), ("match", "matches")],
)  # fmt: skip
def test_both_forms_of_a_verb(verb: str, singular: str) -> None:
    assert third(verb) == singular
    assert base(singular) == verb
    assert [agreed(verb, count) for count in (0, 1, 2)] == [verb, singular, verb]


@pytest.mark.parametrize(
    ("noun", "several"),
    [
        ("trick", "tricks"),
        ("box", "boxes"),
        ("lady", "ladies"),
        ("key", "keys"),
        ("match", "matches"),
    ],
)
def test_plurals(noun: str, several: str) -> None:
    assert plural(noun) == several


def test_nouns_fit_their_numbers() -> None:
    assert [counted(n, "game") for n in (0, 1, 2000)] == ["0 games", "1 game", "2,000 games"]
    assert [counted(n, "life|lives") for n in (1, 2)] == ["1 life", "2 lives"]
    assert [counted_or_a(n, "error") for n in (1, 2)] == ["an error", "2 errors"]
    assert [with_article(name) for name in ("8", "11", "7", "ace", "king")] == [
        "an 8", "an 11", "a 7", "an ace", "a king"
    ]  # fmt: skip


def test_lists() -> None:
    assert [listed("abc"[:n]) for n in range(4)] == ["", "a", "a and b", "a, b and c"]
    assert listed((3, 4, 5), "or") == "3, 4 or 5"
    assert listed_in_part("abcd", 2) == "a, b and 2 more"
    assert listed_in_part("abcd", 4) == "a, b, c and d"


def test_numbers() -> None:
    """Minus is a minus, zero has none, and a dash stands for what is not known."""
    assert (minus("-1.5"), minus("-0.00"), minus("+2")) == ("−1.5", "0.00", "+2")
    assert (number(-1234.5, 1), number(None), number(float("nan"))) == ("−1,234.5", "–", "–")
    assert (percent(0.125), percent(-0.0001), percent(None)) == ("12.5 %", "0.0 %", "–")
    assert (percent(0.95, None), percent(0.999, None)) == ("95 %", "99.9 %")
    assert [ordinal(n) for n in (1, 2, 3, 4, 11, 12, 13, 21, 112, 123)] == [
        "1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "112th", "123rd"
    ]  # fmt: skip
