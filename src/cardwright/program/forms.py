"""The table of forms: every form of the language, once.

The checker elaborates by it, the reference page is printed from it, and an editor can complete and
explain with it. Patterns are in the notation of `shapes`; sources of the meaning are the language
page's sections.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from cardwright.program import nodes as n
from cardwright.program.cards import LocationKind
from cardwright.program.expansion import expanded
from cardwright.program.expansions import element, extreme, first_player, otherwise, worth
from cardwright.program.explanations import bound_card, bound_player, forked, unworded
from cardwright.program.kinds import ValueKind
from cardwright.program.labels import Labelled
from cardwright.program.secrets import any_secret, changed_secret, secret, set_secret
from cardwright.program.shapes import FormShape, parse

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a program's frame: its syntax and what it does."""

    head: str
    pattern: str
    sentence: str
    example: str
    extension: bool = False


SECTIONS = (
    Section(
        "game",
        "(game [DECLARE...] SETUP ITEM... SCORING)",
        "A whole game: constants, the set-up, stages and blocks in order of play, the scoring.",
        "(game (setup (create players 2) (create deck (game iloc STOCK) (deck (RANK (A, K))))) "
        "(do ((shuffle (game iloc STOCK)))) (scoring max (size ((current player) vloc WON))))",
    ),
    Section(
        "declare",
        "(declare VALUE 'V)",
        "Names a constant of the whole game; who runs the game may give it another value.",
        "(declare 4 'PLAYERS)",
    ),
    Section(
        "declare",
        "(declare CARD|PLAYER|TEAM 'V)",
        "Gives a form another name: what it names is found anew wherever the name is used.",
        "(declare (top (game vloc PILE)) 'UPCARD)",
        extension=True,
    ),
    Section(
        "declare",
        "(declare ((NAME : INTEGER)...) 'V)",
        "Names a table from names to numbers, for (score STRING using 'V).",
        "(declare ((CLUBS : 20) (HEARTS : 30)) 'WORTH)",
        extension=True,
    ),
    Section(
        "define",
        "(define (NAME 'A...) BODY)",
        "Names a condition, a value or a step, with parameters; it is used as (NAME A...).",
        "(define (ALIKE 'C 'D) (== (cardatt RANK 'C) (cardatt RANK 'D)))",
        extension=True,
    ),
    Section(
        "setup",
        "(setup (create players INTEGER) [(create teams TEAM...)] DECK...)",
        "Says who plays and which cards there are, before the first turn.",
        "(setup (create players 2) (create deck (game iloc STOCK) (deck (RANK (A, K)))))",
    ),
    Section(
        "create players",
        "(create players INTEGER)",
        "Seats this many players.",
        "(create players 4)",
    ),
    Section(
        "create teams",
        "(create teams (NUMBER, ...) ...)",
        "Divides the players into teams; without it every player is a team.",
        "(create teams (1, 3) (2, 4))",
    ),
    Section(
        "create teams",
        "(create teams INTEGER)",
        "Makes so many teams, and deals the seats out to them: of four, 1 and 3, 2 and 4.",
        "(create teams 2)",
        extension=True,
    ),
    Section(
        "create deck",
        "(create deck [STRING] LOCATION (deck (KEY VALUES) ...))",
        "Makes one card for every combination of the attributes, the first varying slowest, and "
        "lays them on a location; the string names their back.",
        "(create deck (game iloc STOCK) (deck (RANK (A, K)) (SUIT (HEARTS, SPADES))))",
    ),
    Section(
        "create deck",
        "(create deck [STRING] LOCATION (deck (KEY 'V) ...))",
        "An attribute whose values are a declared list.",
        "(create deck (game iloc STOCK) (deck (RANK 'RANKS) (SUIT (HEARTS, SPADES))))",
        extension=True,
    ),
    Section(
        "create secret",
        "(create secret (player isto STRING) INTEGERS)",
        "Gives each player an integer that it alone sees, of one of these values.",
        "(create secret (player isto BID) (range 0 .. 13))",
        extension=True,
    ),
    Section(
        "create secret",
        "(create secret (player istr STRING) STRINGS)",
        "Gives each player a string that it alone sees, one of these.",
        "(create secret (player istr VOTE) (YES, NO))",
        extension=True,
    ),
    Section(
        "repeat",
        "(repeat INTEGER (create deck ...))",
        "Makes a deck several times.",
        "(repeat 2 (create deck (game iloc STOCK) (deck (RANK (A, K)))))",
    ),
    Section(
        "scoring",
        "(scoring max|min INTEGER)",
        "Gives each player's score when the game is over, with that player current.",
        "(scoring min ((current player) sto SCORE))",
    ),
)


def _blocks() -> Iterator[FormShape]:
    row = partial(FormShape, "Stages and blocks")
    item, step = ValueKind.ITEM, ValueKind.STEP
    for word in ("player", "team"):
        yield row(
            f"(stage {word} (end BOOLEAN) ITEM...)",
            item,
            partial(n.Stage, team=word == "team"),
            f"Gives turns to one {word} after another until the condition holds between turns.",
            f"(stage {word} (end (== (game sto ROUND) 3)) (do ((inc (game sto ROUND)))))",
        )
    yield row(
        "(BOOLEAN ITEM)",
        item,
        n.Fork,
        "Plays a choice, a stage or a block only if the condition holds when play comes to it.",
        "((> (size (game iloc STOCK)) 0) (choice ((turn pass) "
        "(move (top (game iloc STOCK)) (top (game vloc PILE))))))",
        expansion=forked,
    )
    yield row(
        "(BOOLEAN ITEM else ITEM)",
        item,
        n.Fork,
        "Plays one of two choices, stages or blocks; the condition is tested once.",
        "((== (game sto ROUND) 1) (choice ((turn pass) (inc (game sto ROUND)))) else "
        "(do ((inc (game sto ROUND)))))",
        expansion=forked,
    )
    yield row(
        "(choice (STEP...))",
        item,
        n.Choice,
        "Asks the current player for one of the options that the steps give.",
        "(choice ((turn pass) (any ((current player) iloc HAND) 'C "
        "(move 'C (top (game vloc PILE))))))",
    )
    yield row(
        "(do (STEP...))",
        step,
        n.Do,
        "Does the steps in order.",
        "(do ((shuffle (game iloc STOCK)) (set (game sto ROUND) 1)))",
    )
    yield row(
        "(all COLLECTION 'V STEP)",
        step,
        partial(n.ForEach, choose=False),
        "Does the step for every item.",
        "(all player 'P (inc ('P sto SCORE)))",
    )
    yield row(
        "(any COLLECTION 'V STEP)",
        step,
        partial(n.ForEach, choose=True),
        "In a choice: offers the step for each item as options of their own.",
        "(any ((current player) iloc HAND) 'C (move 'C (top (game vloc PILE))))",
    )
    for word, kind, example in (
        ("isto", ValueKind.INTEGER, "BID) 'N (set ((current player) isto BID) 'N)"),
        ("istr", ValueKind.STRING, "VOTE) 'V (set ((current player) istr VOTE) 'V)"),
    ):
        yield row(
            f"(any (PLAYER {word} STRING) 'V STEP)",
            step,
            expanded,
            "In a choice: offers the step for each value of a secret; others do not see which.",
            f"(any ((current player) {word} {example})",
            expansion=any_secret(word),
            bound=kind,
        )
    yield row(
        "(let VALUE 'V STEP)",
        step,
        n.Let,
        "Does the step with a value bound to a variable.",
        "(let (filter (game vloc PILE) 'C (== (cardatt SUIT 'C) HEARTS)) 'RED "
        "(repeat all (move (top 'RED) (top (game vloc OUT)))))",
    )
    yield row(
        "(let CARD 'V STEP)",
        step,
        n.Let,
        "Does the step with the card that is named now bound to a variable, which follows it.",
        "(let (top (game vloc PILE)) 'LED "
        "(do ((shuffle (game vloc PILE)) (move 'LED (top (game vloc OUT))))))",
        expansion=bound_card,
    )
    yield row(
        "(let PLAYER 'V STEP)",
        step,
        n.Let,
        "Does the step with the player that is named now bound to a variable.",
        "(let (next player) 'HEIR (do ((cycle next (current player)) (inc ('HEIR sto SCORE)))))",
        expansion=bound_player,
    )
    yield row(
        "(label (PART...) STEP)",
        step,
        Labelled,
        "Does the step, and calls an option in which it is done by these names and values.",
        "(label (BID 3 HEARTS) (set (game sto BID) 3))",
        custom="label",
        expansion=unworded,
    )
    yield row(
        "(BOOLEAN STEP)",
        ValueKind.CONDITIONAL,
        n.When,
        "Does the step only if the condition holds.",
        "((== (size (game iloc STOCK)) 0) (turn pass))",
    )
    yield row(
        "(BOOLEAN STEP else STEP)",
        ValueKind.CONDITIONAL,
        expanded,
        "Does the first step if the condition holds, and otherwise the second.",
        "((== (size (game iloc STOCK)) 0) (turn pass) else (shuffle (game iloc STOCK)))",
        expansion=otherwise,
    )


def _actions() -> Iterator[FormShape]:
    row = partial(FormShape, "Actions")
    action = ValueKind.ACTION
    yield row(
        "(set INTEGER_STORAGE INTEGER)",
        action,
        n.Set,
        "Stores an integer.",
        "(set (game sto ROUND) 1)",
    )
    yield row(
        "(set STRING_STORAGE STRING)",
        action,
        n.Set,
        "Stores a string.",
        "(set (game str LEAD) HEARTS)",
    )
    for word, kind, example in (
        ("isto", "INTEGER", "BID) 3"),
        ("istr", "STRING", "VOTE) YES"),
    ):
        yield row(
            f"(set (PLAYER {word} STRING) {kind})",
            ValueKind.STEP,
            expanded,
            f"Stores a{'n integer' if word == 'isto' else ' string'} that its owner alone sees.",
            f"(set ((current player) {word} {example})",
            expansion=set_secret(word),
        )
    yield row(
        "(set POINTS (AWARD...))",
        action,
        n.SetPoints,
        "Stores a point map; a card scores the sum of the awards that fit it.",
        "(set (game points WORTH) (((SUIT : HEARTS) 1) ((RANK : Q) (SUIT : SPADES) 13)))",
    )
    yield row(
        "(put points POINTS (AWARD...))",
        action,
        n.SetPoints,
        "Stores a point map of the game (oldest dialect).",
        "(put points 'WORTH (((SUIT (HEARTS)) 1)))",
        mark="A",
    )
    for word, sign, verb in (("inc", 1, "Adds to"), ("dec", -1, "Subtracts from")):
        yield row(
            f"({word} INTEGER_STORAGE [INTEGER])",
            action,
            partial(n.Increase, sign=sign),
            f"{verb} a stored integer; by 1 if no amount is given.",
            f"({word} ((current player) sto SCORE) 5)",
            custom="increase",
        )
        yield row(
            f"({word} (PLAYER isto STRING) [INTEGER])",
            ValueKind.STEP,
            expanded,
            f"{verb} an integer that its owner alone sees; by 1 if no amount is given.",
            f"({word} ((current player) isto BID) 2)",
            expansion=changed_secret("+" if sign > 0 else "-"),
        )
    yield row(
        "(move CARD CARD)",
        action,
        n.Move,
        "Takes the first card and puts it at the place that the second names.",
        "(move (top (game iloc STOCK)) (top ((current player) iloc HAND)))",
    )
    yield row(
        "(swap CARD CARD)",
        action,
        n.Swap,
        "Lets two cards take each other's places.",
        "(swap (top (game vloc PILE)) (bottom (game vloc PILE)))",
        mark="C",
    )
    yield row(
        "(swap LOCATION LOCATION)",
        action,
        n.Swap,
        "Exchanges the contents of two locations, neither of them empty.",
        "(swap ((1 player) iloc HAND) ((2 player) iloc HAND))",
        mark="C",
    )
    yield row(
        "(remember CARD CARD)",
        action,
        n.Remember,
        "Puts a reference to a card into a memory location; the card stays where it is.",
        "(remember (top (game vloc PILE)) (top (game mem LEAD)))",
    )
    yield row(
        "(forget CARD)",
        action,
        n.Forget,
        "Takes a reference out of a memory location.",
        "(forget (top (game mem LEAD)))",
    )
    yield row(
        "(shuffle LOCATION)",
        action,
        n.Shuffle,
        "Permutes a location at random.",
        "(shuffle (game iloc STOCK))",
    )
    yield row(
        "(cycle next TARGET)",
        action,
        partial(n.Cycle, queue=True),
        "Queues a player to follow the current one in the innermost stage.",
        "(cycle next (owner (top (game vloc PILE))))",
        custom="cycle",
    )
    yield row(
        "(cycle current TARGET)",
        action,
        partial(n.Cycle, queue=False),
        "Makes a player current at once.",
        "(cycle current (1 player))",
        custom="cycle",
    )
    yield row(
        "(turn pass)",
        action,
        n.Pass,
        "Does nothing; it makes an option of doing nothing.",
        "(turn pass)",
    )
    yield row(
        "(repeat all ACTION)",
        action,
        n.RepeatAll,
        "Does a move or a forget once for each card of the location it takes from.",
        "(repeat all (move (top (game vloc PILE)) (top (game iloc STOCK))))",
        custom="repeat_all",
    )
    yield row(
        "(repeat INTEGER ACTION)",
        action,
        n.Repeat,
        "Does an action a number of times.",
        "(repeat 5 (move (top (game iloc STOCK)) (top (game vloc PILE))))",
    )


def _integers() -> Iterator[FormShape]:
    row = partial(FormShape, "Integers")
    integer = ValueKind.INTEGER
    for operator, words in (
        (n.Operator.ADD, "Adds integers"),
        (n.Operator.MULTIPLY, "Multiplies integers"),
    ):
        yield row(
            f"({operator.value} INTEGER INTEGER...)",
            integer,
            partial(n.Arithmetic, operator=operator),
            f"{words}.",
            f"({operator.value} 1 2 3)",
            custom="arithmetic",
        )
    for operator, words, example in (
        (n.Operator.SUBTRACT, "Subtracts the second from the first", "(- 3 5)"),
        (n.Operator.DIVIDE, "Divides, towards zero", "(// 52 'PLAYERS)"),
        (n.Operator.REMAINDER, "The remainder, with the sign of the dividend", "(% 7 2)"),
        (n.Operator.POWER, "Raises the first to the power of the second", "(^ 2 5)"),
    ):
        yield row(
            f"({operator.value} INTEGER INTEGER)",
            integer,
            partial(n.Arithmetic, operator=operator),
            f"{words}.",
            example.replace("'PLAYERS", "4"),
            custom="arithmetic",
        )
    yield row(
        "(mod INTEGER INTEGER)",
        integer,
        partial(n.Arithmetic, operator=n.Operator.REMAINDER),
        "The remainder; another way to write %.",
        "(mod 7 2)",
        custom="arithmetic",
    )
    for operator, which in ((n.Operator.MAXIMUM, "largest"), (n.Operator.MINIMUM, "smallest")):
        yield row(
            f"({operator.value} INTEGER INTEGER...)",
            integer,
            partial(n.Arithmetic, operator=operator),
            f"The {which} of some integers.",
            f"({operator.value} ((1 player) sto SCORE) ((2 player) sto SCORE))",
            custom="arithmetic",
            expansion=extreme(operator.value),
        )
    yield row("(tri INTEGER)", integer, n.Triangle, "The sum of the integers up to n.", "(tri 4)")
    yield row("(fib INTEGER)", integer, n.Fibonacci, "The n-th Fibonacci number.", "(fib 7)")
    yield row(
        "(random INTEGER [.. INTEGER])",
        integer,
        n.Random,
        "A random integer between two bounds, or between 0 and one bound, all included.",
        "(random 1 .. 6)",
    )
    yield row(
        "(size COLLECTION)",
        integer,
        n.Size,
        "The number of items.",
        "(size ((current player) iloc HAND))",
    )
    yield row(
        "(sum LOCATION using POINTS)",
        integer,
        n.Sum,
        "The total points of all cards.",
        "(sum ((current player) vloc WON) using (game points WORTH))",
    )
    yield row(
        "(score CARD using POINTS)",
        integer,
        n.Score,
        "The points of one card.",
        "(score (top (game vloc PILE)) using (game points WORTH))",
    )
    yield row(
        "(score STRING using WORTHS)",
        integer,
        expanded,
        "The number that a table has for a name; 0 if it has none. Tables are declared, mostly.",
        "(score (cardatt SUIT (top (game vloc PILE))) using ((CLUBS : 20) (HEARTS : 30)))",
        expansion=worth,
    )
    for word, highest in (("scoremax", True), ("scoremin", False)):
        yield row(
            f"({word} LOCATION using POINTS)",
            integer,
            partial(n.ExtremeScore, highest=highest),
            f"The {'largest' if highest else 'smallest'} points of a card there; "
            f"{'-1' if highest else '2147483647'} if there is none.",
            f"({word} (game vloc PILE) using (game points WORTH))",
            mark="C",
        )
    yield row(
        "(all COLLECTION 'V INTEGER)",
        integer,
        n.Total,
        "The sum of an integer over all items.",
        "(all player 'P ('P sto SCORE))",
    )
    yield row(
        "(pid PLAYER)",
        integer,
        n.NumberOf,
        "The number of a player, as this file counts them.",
        "(pid (current player))",
        mark="C",
    )
    yield row(
        "(tid TEAM)",
        integer,
        n.NumberOf,
        "The number of a team, as this file counts them.",
        "(tid (team (current player)))",
        mark="C",
    )


def _storages() -> Iterator[FormShape]:
    row = partial(FormShape, "Storages and strings")
    yield row(
        "(OWNER sto STRING)",
        ValueKind.INTEGER | ValueKind.INTEGER_STORAGE,
        partial(n.Storage, storage=n.StorageKind.INTEGER),
        "A stored integer; 0 until it is set.",
        "((current player) sto SCORE)",
    )
    yield row(
        "(OWNER str STRING)",
        ValueKind.STRING | ValueKind.STRING_STORAGE,
        partial(n.Storage, storage=n.StorageKind.STRING),
        "A stored string; empty until it is set.",
        "(game str LEAD)",
    )
    yield row(
        "(PLAYER isto STRING)",
        ValueKind.INTEGER,
        expanded,
        "An integer that its owner alone sees; 0 until it is set.",
        "((current player) isto BID)",
        expansion=secret("isto"),
    )
    yield row(
        "(PLAYER istr STRING)",
        ValueKind.STRING,
        expanded,
        "A string that its owner alone sees; empty until it is set.",
        "((current player) istr VOTE)",
        expansion=secret("istr"),
    )
    yield row(
        "(OWNER points STRING)",
        ValueKind.POINTS,
        partial(n.Storage, storage=n.StorageKind.POINTS),
        "A stored point map; every card scores 0 until it is set.",
        "(game points WORTH)",
    )
    yield row(
        "(cardatt STRING CARD)",
        ValueKind.STRING,
        n.Attribute,
        "The value of a card's attribute; empty if there is no card or no such attribute.",
        "(cardatt SUIT (top (game vloc PILE)))",
    )


def _conditions() -> Iterator[FormShape]:
    row = partial(FormShape, "Conditions")
    boolean = ValueKind.BOOLEAN
    for word, every in (("and", True), ("or", False)):
        yield row(
            f"({word} BOOLEAN BOOLEAN...)",
            boolean,
            partial(n.Logic, every=every),
            f"Whether {'all hold' if every else 'any holds'}, looking from left to right.",
            f"({word} (== (game sto ROUND) 1) (> (size player) 2))",
            custom="logic",
        )
    yield row("(not BOOLEAN)", boolean, n.Not, "The opposite.", "(not (== (game sto ROUND) 1))")
    for operator in ("<", ">", "<=", ">="):
        yield row(
            f"({operator} INTEGER INTEGER)",
            boolean,
            partial(n.Compare, operator=operator),
            "Compares two integers.",
            f"({operator} (size (game iloc STOCK)) 3)",
        )
    examples = {
        "INTEGER": "((current player) sto SCORE) 3",
        "STRING": "(cardatt SUIT (top (game vloc PILE))) HEARTS",
        "CARD": "(top (game vloc PILE)) (bottom (game vloc PILE))",
        "PLAYER": "(current player) (owner (top (game vloc PILE)))",
        "TEAM": "(team (1 player)) (team (2 player))",
    }
    for operator in ("==", "!="):
        for kind, operands in examples.items():
            yield row(
                f"({operator} {kind} {kind})",
                boolean,
                partial(n.Equal, negated=operator == "!="),
                f"Whether two {kind.lower()}s are {'different' if operator == '!=' else 'equal'}"
                + (", as the very same card." if kind == "CARD" else "."),
                f"({operator} {operands})",
            )
    for word, every in (("any", False), ("all", True)):
        yield row(
            f"({word} COLLECTION 'V BOOLEAN)",
            boolean,
            partial(n.Quantifier, every=every),
            f"Whether the condition holds for {'every' if every else 'at least one'} item.",
            f"({word} player 'P (> ('P sto SCORE) 100))",
        )


def _owners() -> Iterator[FormShape]:
    row = partial(FormShape, "Players and teams")
    for word, kind in (("player", ValueKind.PLAYER), ("team", ValueKind.TEAM)):
        for turn, meaning in (
            (n.Turn.CURRENT, f"The {word} whose turn it is."),
            (n.Turn.NEXT, f"The {word} queued to follow, or else the one after the current."),
            (n.Turn.PREVIOUS, f"The {word} before the current one in order of seats."),
        ):
            yield row(
                f"({turn.value} {word})",
                kind,
                partial(n.TurnOwner, turn=turn),
                meaning,
                f"({turn.value} {word})",
            )
        yield row(
            f"(INTEGER {word})",
            kind,
            n.Numbered,
            f"The {word} with this number.",
            f"(1 {word})",
        )
    yield row(
        "(first player [from PLAYER] 'V BOOLEAN)",
        ValueKind.PLAYER,
        expanded,
        "The first player that passes the test, in order of seats from the current one on, or from "
        "another; that one included.",
        "(first player from (next player) 'P (> (size ('P iloc HAND)) 0))",
        expansion=first_player,
    )
    for word, where in (("top", "first"), ("bottom", "last")):
        yield row(
            f"({word} PLAYERS)",
            ValueKind.PLAYER,
            expanded,
            f"The {where} player of a list, by number.",
            f"({word} (filter player 'P (== ('P sto BID) 0)))",
            expansion=element(word),
        )
    yield row(
        "(INTEGER PLAYERS)",
        ValueKind.PLAYER,
        expanded,
        "The player at a position of a list, counted from 0, by number.",
        "(0 (other player))",
        expansion=element(""),
    )
    yield row(
        "(owner CARD)",
        ValueKind.PLAYER,
        n.OwnerOf,
        "The player in whose location a card lies.",
        "(owner (max (union (all player 'P ('P vloc TRICK))) using (game points WORTH)))",
    )
    yield row(
        "(team PLAYER)",
        ValueKind.TEAM,
        n.TeamOf,
        "The team of a player.",
        "(team (current player))",
    )


def _cards() -> Iterator[FormShape]:
    row = partial(FormShape, "Cards")
    for word, top in (("top", True), ("bottom", False)):
        yield row(
            f"({word} LOCATION)",
            ValueKind.CARD,
            partial(n.End, top=top),
            f"The {'last' if top else 'first'} card of a location, or the place "
            f"{'above' if top else 'below'} all others when a card is put there.",
            f"({word} (game iloc STOCK))",
        )
        yield row(
            f"({word} LOCATIONS)",
            ValueKind.CARD,
            partial(n.End, top=top),
            f"The {word} card of the {'first' if top else 'last'} location of a set.",
            f"({word} (partition SUIT (game vloc PILE)))",
            custom="end_of_set",
        )
    yield row(
        "(INTEGER LOCATION)",
        ValueKind.CARD,
        n.Position,
        "The card at a position, counted from 0 at the bottom.",
        "(0 (game vloc PILE))",
    )
    yield row(
        "(LOCATION)",
        ValueKind.CARD,
        partial(n.End, top=True),
        "The top card of a location, in short.",
        "((game vloc PILE))",
    )
    for word, highest in (("max", True), ("min", False)):
        yield row(
            f"({word} LOCATION using POINTS)",
            ValueKind.CARD,
            partial(n.BestCard, highest=highest),
            f"The card with the {'most' if highest else 'fewest'} points; ties are random.",
            f"({word} (game vloc PILE) using (game points WORTH))",
        )
    yield row(
        "(actual CARD)",
        ValueKind.CARD,
        n.Actual,
        "The real card behind a reference; older files need it, newer ones do not.",
        "(actual (top (game mem LEAD)))",
        mark="A",
    )


def _locations() -> Iterator[FormShape]:
    row = partial(FormShape, "Locations")
    location = ValueKind.LOCATION
    seen = {
        LocationKind.VISIBLE: "everybody sees",
        LocationKind.INVISIBLE: "only its owner sees, if that is a player",
        LocationKind.HIDDEN: "nobody sees",
        LocationKind.OTHERS: "everybody but its owner sees",
        LocationKind.MEMORY: "holds references to cards that lie elsewhere, visible to everybody",
    }
    for place, words in seen.items():
        yield row(
            f"(OWNER {place.value} STRING [INTEGER])",
            location,
            partial(n.Place, place=place),
            f"A location that {words}; an index distinguishes several with the same name.",
            f"((current player) {place.value} HAND)",
            custom="place",
        )
    for operation, words in (
        (n.SetOperation.UNION, "All cards of the locations, in order"),
        (n.SetOperation.INTERSECT, "The cards that are in every one of the locations"),
        (n.SetOperation.DISJUNCTION, "The cards that are in exactly one of the locations"),
    ):
        build = partial(n.Combine, operation=operation)
        for operands in ("LOCATION...", "LOCATIONS"):
            example = (
                "(game vloc PILE) (game vloc OUT)"
                if operands == "LOCATION..."
                else "(all player 'P ('P vloc WON))"
            )
            yield row(
                f"({operation.value} {operands})",
                location,
                build,
                f"{words}.",
                f"({operation.value} {example})",
                custom="combine",
            )
    yield row(
        "(filter COLLECTION 'V BOOLEAN)",
        ValueKind.COLLECTION & ~ValueKind.TEAM,
        n.Filter,
        "The items that pass the test, in order; of sets of locations, empty ones are dropped.",
        "(filter ((current player) iloc HAND) 'C (== (cardatt SUIT 'C) HEARTS))",
        custom="filter",
    )
    for word, top in (("top", True), ("bottom", False)):
        yield row(
            f"({word} LOCATIONS)",
            location,
            partial(n.Element, index=0 if top else -1),
            f"The {'first' if top else 'last'} location of a set.",
            f"({word} (partition SUIT (game vloc PILE)))",
        )
    yield row(
        "(INTEGER LOCATIONS)",
        location,
        n.Element,
        "The location at a position of a set, counted from 0 at the front.",
        "(0 (partition SUIT (game vloc PILE)))",
        custom="element",
    )
    for word, top in (("top", True), ("bottom", False)):
        yield row(
            f"({word} INTEGER LOCATION)",
            location,
            partial(n.Sequence, top=top),
            "The n topmost cards, topmost first." if top else "The n lowest cards, in order.",
            f"({word} 3 (game vloc PILE))",
        )
        yield row(
            f"(run {word} INTEGER LOCATION using POINTS)",
            location,
            partial(n.EndRun, top=top),
            f"The longest run of at least n consecutive points that the {word} cards form.",
            f"(run {word} 3 (game vloc PILE) using (game points WORTH))",
        )
    yield row(
        "(sort LOCATION using POINTS)",
        location,
        n.Sort,
        "The cards in ascending order of points.",
        "(sort (game vloc PILE) using (game points WORTH))",
    )


def _collections() -> Iterator[FormShape]:
    row = partial(FormShape, "Collections")
    sets = ValueKind.LOCATIONS
    yield row(
        "(all COLLECTION 'V LOCATION)",
        sets,
        n.EachLocation,
        "One location for each item.",
        "(all player 'P ('P vloc TRICK))",
    )
    for operands in ("LOCATION...", "LOCATIONS"):
        example = (
            "((current player) iloc HAND)"
            if operands == "LOCATION..."
            else "(all player 'P ('P vloc WON))"
        )
        yield row(
            f"(partition STRING {operands})",
            sets,
            n.Partition,
            "Groups of cards with equal values of an attribute, in order of first appearance.",
            f"(partition SUIT {example})",
            custom="partition",
        )
        yield row(
            f"(partition {operands} STRING)",
            sets,
            n.Partition,
            "The same, written with the attribute last (older files).",
            f"(partition {example} SUIT)",
            custom="partition_last",
        )
    yield row(
        "(subsets LOCATION)",
        sets,
        partial(n.Subsets, size=None, operator=""),
        "All subsets of the cards, without the empty one (with it in zero-based files).",
        "(subsets ((current player) iloc HAND))",
    )
    for operator in ("==", "!=", "<", ">", "<=", ">="):
        yield row(
            f"(subsets LOCATION {operator} INTEGER)",
            sets,
            partial(n.Subsets, operator=operator),
            "The subsets of such a size; no others are made.",
            f"(subsets ((current player) iloc HAND) {operator} 2)",
        )
    for word, every in (("largest", False), ("all", True)):
        yield row(
            f"(runs {word} INTEGER LOCATION using POINTS)",
            sets,
            partial(n.Runs, every=every),
            f"{'All' if every else 'The maximal'} runs of at least n consecutive points, one card "
            "for each.",
            f"(runs {word} 3 (game vloc PILE) using (game points WORTH))",
        )
    yield row(
        "(tuples INTEGER LOCATION using POINTS)",
        sets,
        n.Tuples,
        "All groups of n cards with equal points (older files).",
        "(tuples 2 (game vloc PILE) using (game points WORTH))",
        mark="A",
    )
    for place in LocationKind:
        yield row(
            f"(indexed OWNER {place.value} STRING)",
            sets,
            partial(n.Indexed, place=place),
            "The locations of this name, at any index, that have held a card.",
            f"(indexed game {place.value} ROW)",
            mark="C",
        )
    for word, kind in (("player", ValueKind.PLAYERS), ("team", ValueKind.TEAMS)):
        yield row(
            f"(other {word})",
            kind,
            partial(n.Everyone, others=True),
            f"All {word}s but the current one, in order of number.",
            f"(other {word})",
        )
    yield row(
        "(range INTEGER .. INTEGER)",
        ValueKind.INTEGERS,
        n.Range,
        "The integers from one bound to the other, both included.",
        "(range 1 .. 4)",
    )


def _table() -> tuple[FormShape, ...]:
    parts: tuple[Callable[[], Iterator[FormShape]], ...] = (
        _blocks,
        _actions,
        _integers,
        _storages,
        _conditions,
        _owners,
        _cards,
        _locations,
        _collections,
    )
    return tuple(replace(shape, parts=parse(shape.pattern)) for part in parts for shape in part())


SHAPES = _table()
"""All forms but the sections of a program."""


def _by_key() -> dict[str, list[FormShape]]:
    rows: dict[str, list[FormShape]] = defaultdict(list)
    for shape in SHAPES:
        rows[shape.key].append(shape)
    return dict(rows)


BY_KEY = _by_key()
"""The rows by the word that decides a form; `_ word` if that is the second."""

HEADS = frozenset(key for key in BY_KEY if not key.startswith("_")) | {
    word for section in SECTIONS for word in section.head.split()[:1]
}
"""Every word that can begin a form."""

SECOND_WORDS = frozenset(key[2:] for key in BY_KEY if key.startswith("_ "))
"""Every word that decides a form from its second place."""

UNSUPPORTED = {
    "update": "changing a point map in place is in the newest grammar only; set the whole map",
    "simultaneous": "simultaneous stages are in the newest grammar only, and no engine runs them",
    "once": "stages that run once are in the newest grammar only; write the items without a stage",
    "faro": "faro shuffles are in the grammar only, and no engine runs them; use (shuffle ...)",
}
"""Words of the newest grammar that mean nothing to any engine."""
