"""The table of forms: every form of the language, once.

The checker elaborates by it, the reference page is printed from it, and an editor can complete and
explain with it. Patterns are in the notation of `shapes`; sources of the meaning are the language
page's sections.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol

from cardwright.program import nodes as n
from cardwright.program.cards import LocationKind
from cardwright.program.expansion import (
    Labelled,
    any_secret,
    changed_secret,
    expanded,
    secret,
    set_secret,
)
from cardwright.program.kinds import ValueKind
from cardwright.program.plain_forms import (
    bound_card,
    bound_player,
    element,
    extreme,
    first_player,
    forked,
    otherwise,
    unworded,
    worth,
)
from cardwright.program.shapes import FormGroup, Literal, Misfit, Part, fit, parse
from cardwright.syntax.diagnostic import Code
from cardwright.syntax.tree import Atom, AtomKind, Form

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from cardwright.program.expansion import Expand
    from cardwright.syntax.diagnostic import Diagnostics


@dataclass(frozen=True, slots=True)
class FormShape:
    """One row of the form table.

    `result` is the kind of value the form gives; a filter gives the kind of what it filters, so its
    result is a union. `node` makes the typed node from kind, span and operands in order of the
    pattern (a repeated operand gives a tuple, one left out gives None); `build` does so instead if
    its operands are others, or None once it has reported a mistake. `mark` names the one dialect
    ("A" or "C") that has the form, if that decides how players are numbered. `bound` is the kind
    of a variable that stands for values of a secret.

    A form with an `expansion` is an extension: the expansion makes the plain form that it stands
    for. With the node `expanded` that form is elaborated in its place; with a real one, engines
    know the extension itself, and the plain form is only its text.
    """

    section: str
    result: ValueKind
    pattern: str
    node: Callable[..., n.Node]
    sentence: str
    example: str
    mark: str = ""
    build: Callable[[FormUse], n.Node | None] | None = None
    expansion: Expand | None = None
    bound: ValueKind | None = None
    parts: tuple[Part, ...] = field(init=False)
    head: str = field(init=False)
    """The word that identifies the form."""
    literals: int = field(init=False)
    """How many words of the pattern are literal; the more, the more specific it is."""

    def __post_init__(self) -> None:
        parts = parse(self.pattern)
        words = [part.text for part in parts if isinstance(part, Literal)]
        object.__setattr__(self, "parts", parts)
        object.__setattr__(self, "head", words[0] if words else "")
        object.__setattr__(self, "literals", _literals(parts))

    @property
    def extension(self) -> bool:
        """Whether other engines lack the form: it is an extension of the language."""
        return self.expansion is not None

    @property
    def key(self) -> str:
        """The key in the table: the first item, or the second if that is a word."""
        first = self.parts[0]
        if isinstance(first, Literal):
            return first.text
        second = self.parts[1] if len(self.parts) > 1 else None
        return f"_ {second.text}" if isinstance(second, Literal) else "_"


def _literals(parts: Sequence[Part]) -> int:
    inner = (_literals(part.parts) if isinstance(part, FormGroup) else 0 for part in parts)
    return sum(isinstance(part, Literal) for part in parts) + sum(inner)


def fits_any(form: Form, shapes: Sequence[FormShape]) -> bool:
    """Return whether a form fits one of these shapes."""
    return any(not isinstance(fit(shape.parts, form.items), Misfit) for shape in shapes)


class Understanding(Protocol):
    """What the forms of a program are understood by, and where their mistakes are reported."""

    report: Diagnostics
    marks: set[str]
    in_choice: bool


@dataclass(frozen=True, slots=True)
class FormUse:
    """A form of a program with a row of the table, and its operands."""

    by: Understanding
    shape: FormShape
    kind: ValueKind
    form: Form
    operands: list[Any]

    def node(self, *operands: object) -> n.Node:
        """Return the node of the row with these operands."""
        return self.shape.node(self.kind, self.form.span, *operands)

    def mark(self, *, newest: bool) -> None:
        """Note that only the newest dialect has the form, if that is so."""
        if newest:
            self.by.marks.add("C")


# Forms whose nodes are not just their operands in order -------------------------------------


def _many(use: FormUse) -> n.Node:
    """Arithmetic and logic: the operands as a tuple; older dialects add only two integers."""
    first, rest = use.operands
    together = (first, *rest) if isinstance(rest, tuple) else (first, rest)
    use.mark(newest=use.kind is ValueKind.INTEGER and len(together) > 2)
    return use.node(together)


def _marked_by_last(use: FormUse, *, given: bool) -> n.Node:
    """A form that only the newest dialect has if the last operand is given, or left out."""
    use.mark(newest=(use.operands[-1] is not None) is given)
    return use.node(*use.operands)


def _cycle(use: FormUse) -> n.Node:
    """In the newest dialect, the player is a form other than owner, and written as a form."""
    target = use.operands[0]
    written_as_form = target.span.end - target.span.start > len("previous")
    use.mark(newest=isinstance(target, n.Numbered | n.TurnOwner) and written_as_form)
    return use.node(target)


def _parts(operand: Any) -> tuple[n.Node, ...]:
    """Return several locations, or one form that gives a set of them."""
    return operand if isinstance(operand, tuple) else (operand,)


def _combine(use: FormUse) -> n.Node:
    return use.node(_parts(use.operands[0]))


def _partition(use: FormUse, key: int = 0) -> n.Node:
    return use.node(use.operands[key], _parts(use.operands[1 - key]))


def build_filter(use: FormUse) -> n.Node:
    """Filters give what they filter; the members of a team are players."""
    kind = use.operands[0].kind
    kind = ValueKind.PLAYERS if kind is ValueKind.TEAM else kind
    return use.shape.node(kind, use.form.span, *use.operands)


def _element(use: FormUse) -> n.Node | None:
    index, locations = use.operands
    if isinstance(index, n.Number):
        return use.node(locations, index.value)
    use.by.report.add(
        Code.NOT_CONSTANT,
        index.span,
        "the position in a set of locations is a number written out",
        expected="a number such as 0",
    )
    return None


def _end_of_set(use: FormUse) -> n.Node:
    at = 0 if use.shape.head == "top" else -1
    return use.node(n.Element(ValueKind.LOCATION, use.form.span, use.operands[0], at))


def _repeat_all(use: FormUse) -> n.Node | None:
    """Repeat a move or forget for all cards; the card must name a location."""
    action = use.operands[0]
    if not isinstance(action, n.Move | n.Forget):
        use.by.report.add(
            Code.MISPLACED,
            action.span,
            "only a move or a forget can be repeated for all cards",
            expected="(move CARD CARD) or (forget CARD)",
            help="to repeat something else, say how often: (repeat 3 ...)",
        )
        return None
    card = n.unwrapped(action.card)
    if isinstance(card, n.Variable):
        use.by.report.add(
            Code.MISPLACED,
            card.span,
            f"{card.name} is a single card, so there is nothing to repeat",
            expected="a card of a location, such as (top (game vloc PILE))",
            help="without repeat all, the card moves once",
        )
        return None
    return use.node(action)


def _label(use: FormUse) -> n.Node | None:
    """Make a label: names are said in small letters, with blanks for underscores."""
    parts, body = use.operands
    if not use.by.in_choice:
        use.by.report.add(
            Code.LABEL_OUTSIDE,
            use.form.span,
            "this is not in a choice, where alone a label has an effect",
            help="write the step without its label",
        )
    said: list[str | n.Node] = []
    written = use.form.items[1]
    assert isinstance(written, Form)
    for item, part in zip(written.items, parts, strict=True):
        if n.draws(part):
            use.by.report.add(
                Code.MISPLACED,
                part.span,
                "a label cannot draw at random",
                expected="a name, or a value that is known when the options are made",
                help="draw in a (do ...) before the choice, and store what was drawn",
            )
            return None
        text = item.text.lower() if isinstance(item, Atom) and item.kind is AtomKind.NAME else ""
        said.append(text.replace("_", " ") or part)
    return use.node(tuple(said), body)


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a program's frame: its syntax and what it does."""

    head: str
    pattern: str
    sentence: str
    example: str
    extension: bool = False


# The tables are laid out by hand: a row takes as few lines as it can.
# fmt: off

SECTIONS = (
    Section("game", "(game [DECLARE...] SETUP ITEM... SCORING)",
        "A whole game: constants, the set-up, stages and blocks in order of play, the scoring.",
        "(game (setup (create players 2) (create deck (game iloc STOCK) (deck (RANK (A, K))))) "
        "(do ((shuffle (game iloc STOCK)))) (scoring max (size ((current player) vloc WON))))"),
    Section("declare", "(declare VALUE 'V)",
        "Names a constant of the whole game; it can be overridden when the game is run.",
        "(declare 4 'PLAYERS)"),
    Section("declare", "(declare CARD|PLAYER|TEAM 'V)",
        "Gives a form another name; it is evaluated wherever the name is used.",
        "(declare (top (game vloc PILE)) 'UPCARD)", extension=True),
    Section("declare", "(declare ((NAME : INTEGER)...) 'V)",
        "Names a table from names to numbers, for (score STRING using 'V).",
        "(declare ((CLUBS : 20) (HEARTS : 30)) 'WORTH)", extension=True),
    Section("define", "(define (NAME 'A...) BODY)",
        "Names a condition, a value or a step, with parameters; it is used as (NAME A...).",
        "(define (ALIKE 'C 'D) (== (cardatt RANK 'C) (cardatt RANK 'D)))", extension=True),
    Section("setup", "(setup (create players INTEGER) [(create teams TEAM...)] DECK...)",
        "Says who plays and which cards there are, before the first turn.",
        "(setup (create players 2) (create deck (game iloc STOCK) (deck (RANK (A, K)))))"),
    Section("create players", "(create players INTEGER)", "Seats this many players.",
        "(create players 4)"),
    Section("create teams", "(create teams (NUMBER, ...) ...)",
        "Divides the players into teams; without it every player is a team.",
        "(create teams (1, 3) (2, 4))"),
    Section("create teams", "(create teams INTEGER)",
        "Makes so many teams, and deals the seats out to them: of four, 1 and 3, 2 and 4.",
        "(create teams 2)", extension=True),
    Section("create deck", "(create deck [STRING] LOCATION (deck (KEY VALUES) ...))",
        "Makes one card for every combination of the attributes, the first varying slowest, and "
        "lays them on a location; the string names their back.",
        "(create deck (game iloc STOCK) (deck (RANK (A, K)) (SUIT (HEARTS, SPADES))))"),
    Section("create deck", "(create deck [STRING] LOCATION (deck (KEY 'V) ...))",
        "An attribute whose values are a declared list.",
        "(create deck (game iloc STOCK) (deck (RANK 'RANKS) (SUIT (HEARTS, SPADES))))",
        extension=True),
    Section("create secret", "(create secret (player isto STRING) INTEGERS)",
        "Gives each player an integer that it alone sees, of one of these values.",
        "(create secret (player isto BID) (range 0 .. 13))", extension=True),
    Section("create secret", "(create secret (player istr STRING) STRINGS)",
        "Gives each player a string that it alone sees, one of these.",
        "(create secret (player istr VOTE) (YES, NO))", extension=True),
    Section("repeat", "(repeat INTEGER (create deck ...))", "Makes a deck several times.",
        "(repeat 2 (create deck (game iloc STOCK) (deck (RANK (A, K)))))"),
    Section("scoring", "(scoring max|min INTEGER)",
        "Gives each player's score when the game is over, with that player current.",
        "(scoring min ((current player) sto SCORE))"),
)


def _blocks() -> Iterator[FormShape]:
    row = partial(FormShape, "Stages and blocks")
    item, step = ValueKind.ITEM, ValueKind.STEP
    for word in ("player", "team"):
        yield row(item, f"(stage {word} (end BOOLEAN) ITEM...)",
            partial(n.Stage, team=word == "team"),
            f"Gives turns to one {word} after another until the condition holds between turns.",
            f"(stage {word} (end (== (game sto ROUND) 3)) (do ((inc (game sto ROUND)))))")
    yield row(item, "(BOOLEAN ITEM)", n.Fork,
        "Plays a choice, a stage or a block only if the condition holds when play comes to it.",
        "((> (size (game iloc STOCK)) 0) (choice ((turn pass) "
        "(move (top (game iloc STOCK)) (top (game vloc PILE))))))", expansion=forked)
    yield row(item, "(BOOLEAN ITEM else ITEM)", n.Fork,
        "Plays one of two choices, stages or blocks; the condition is tested once.",
        "((== (game sto ROUND) 1) (choice ((turn pass) (inc (game sto ROUND)))) else "
        "(do ((inc (game sto ROUND)))))", expansion=forked)
    yield row(item, "(choice (STEP...))", n.Choice,
        "Asks the current player for one of the options that the steps give.",
        "(choice ((turn pass) (any ((current player) iloc HAND) 'C "
        "(move 'C (top (game vloc PILE))))))")
    yield row(step, "(do (STEP...))", n.Do, "Runs the steps in order.",
        "(do ((shuffle (game iloc STOCK)) (set (game sto ROUND) 1)))")
    yield row(step, "(all COLLECTION 'V STEP)", partial(n.ForEach, choose=False),
        "Runs the step for every item.", "(all player 'P (inc ('P sto SCORE)))")
    yield row(step, "(any COLLECTION 'V STEP)", partial(n.ForEach, choose=True),
        "In a choice: offers the step for each item as options of their own.",
        "(any ((current player) iloc HAND) 'C (move 'C (top (game vloc PILE))))")
    for word, kind, example in (
        ("isto", ValueKind.INTEGER, "BID) 'N (set ((current player) isto BID) 'N)"),
        ("istr", ValueKind.STRING, "VOTE) 'V (set ((current player) istr VOTE) 'V)"),
    ):
        yield row(step, f"(any (PLAYER {word} STRING) 'V STEP)", expanded,
            "In a choice: offers the step for each value of a secret; others do not see which.",
            f"(any ((current player) {word} {example})",
            expansion=partial(any_secret, word=word), bound=kind)
    yield row(step, "(let VALUE 'V STEP)", n.Let, "Runs the step with a value bound to a variable.",
        "(let (filter (game vloc PILE) 'C (== (cardatt SUIT 'C) HEARTS)) 'RED "
        "(repeat all (move (top 'RED) (top (game vloc OUT)))))")
    yield row(step, "(let CARD 'V STEP)", n.Let,
        "Runs the step with the card that is named now bound to a variable, which follows it.",
        "(let (top (game vloc PILE)) 'LED "
        "(do ((shuffle (game vloc PILE)) (move 'LED (top (game vloc OUT))))))",
        expansion=bound_card)
    yield row(step, "(let PLAYER 'V STEP)", n.Let,
        "Runs the step with the player that is named now bound to a variable.",
        "(let (next player) 'HEIR (do ((cycle next (current player)) (inc ('HEIR sto SCORE)))))",
        expansion=bound_player)
    yield row(step, "(label (PART...) STEP)", Labelled,
        "Runs the step, and words the option with these names and values.",
        "(label (BID 3 HEARTS) (set (game sto BID) 3))", build=_label, expansion=unworded)
    yield row(ValueKind.CONDITIONAL, "(BOOLEAN STEP)", n.When,
        "Runs the step only if the condition holds.",
        "((== (size (game iloc STOCK)) 0) (turn pass))")
    yield row(ValueKind.CONDITIONAL, "(BOOLEAN STEP else STEP)", expanded,
        "Runs the first step if the condition holds, otherwise the second.",
        "((== (size (game iloc STOCK)) 0) (turn pass) else (shuffle (game iloc STOCK)))",
        expansion=otherwise)


def _actions() -> Iterator[FormShape]:
    give = partial(FormShape, "Actions")
    row = partial(give, ValueKind.ACTION)
    yield row("(set INTEGER_STORAGE INTEGER)", n.Set, "Stores an integer.",
        "(set (game sto ROUND) 1)")
    yield row("(set STRING_STORAGE STRING)", n.Set, "Stores a string.",
        "(set (game str LEAD) HEARTS)")
    for word, kind, example in (
        ("isto", "INTEGER", "BID) 3"),
        ("istr", "STRING", "VOTE) YES"),
    ):
        yield give(ValueKind.STEP, f"(set (PLAYER {word} STRING) {kind})", expanded,
            f"Stores a{'n integer' if word == 'isto' else ' string'} that its owner alone sees.",
            f"(set ((current player) {word} {example})", expansion=partial(set_secret, word=word))
    yield row("(set POINTS (AWARD...))", n.SetPoints,
        "Stores a point map; a card scores the sum of the awards that fit it.",
        "(set (game points WORTH) (((SUIT : HEARTS) 1) ((RANK : Q) (SUIT : SPADES) 13)))")
    yield row("(put points POINTS (AWARD...))", n.SetPoints,
        "Stores a point map of the game (oldest dialect).",
        "(put points 'WORTH (((SUIT (HEARTS)) 1)))", mark="A")
    for word, sign, verb in (("inc", 1, "Adds to"), ("dec", -1, "Subtracts from")):
        yield row(f"({word} INTEGER_STORAGE [INTEGER])", partial(n.Increase, sign=sign),
            f"{verb} a stored integer; by 1 if no amount is given.",
            f"({word} ((current player) sto SCORE) 5)", build=partial(_marked_by_last, given=False))
        yield give(ValueKind.STEP, f"({word} (PLAYER isto STRING) [INTEGER])", expanded,
            f"{verb} an integer that its owner alone sees; by 1 if no amount is given.",
            f"({word} ((current player) isto BID) 2)",
            expansion=partial(changed_secret, operator="+" if sign > 0 else "-"))
    yield row("(move CARD CARD)", n.Move,
        "Takes the first card and puts it at the place that the second names.",
        "(move (top (game iloc STOCK)) (top ((current player) iloc HAND)))")
    yield row("(swap CARD CARD)", n.Swap, "Exchanges two cards.",
        "(swap (top (game vloc PILE)) (bottom (game vloc PILE)))", mark="C")
    yield row("(swap LOCATION LOCATION)", n.Swap,
        "Exchanges the contents of two locations, neither of them empty.",
        "(swap ((1 player) iloc HAND) ((2 player) iloc HAND))", mark="C")
    yield row("(remember CARD CARD)", n.Remember,
        "Puts a reference to a card into a memory location; the card stays where it is.",
        "(remember (top (game vloc PILE)) (top (game mem LEAD)))")
    yield row("(forget CARD)", n.Forget, "Takes a reference out of a memory location.",
        "(forget (top (game mem LEAD)))")
    yield row("(shuffle LOCATION)", n.Shuffle, "Permutes a location at random.",
        "(shuffle (game iloc STOCK))")
    yield row("(cycle next TARGET)", partial(n.Cycle, queue=True),
        "Queues a player to follow the current one in the innermost stage.",
        "(cycle next (owner (top (game vloc PILE))))", build=_cycle)
    yield row("(cycle current TARGET)", partial(n.Cycle, queue=False),
        "Makes a player current at once.", "(cycle current (1 player))", build=_cycle)
    yield row("(turn pass)", n.Pass, "Does nothing; in a choice, an option to pass.",
        "(turn pass)")
    yield row("(repeat all ACTION)", n.RepeatAll,
        "Repeats a move or a forget once for each card of the location it takes from.",
        "(repeat all (move (top (game vloc PILE)) (top (game iloc STOCK))))", build=_repeat_all)
    yield row("(repeat INTEGER ACTION)", n.Repeat, "Repeats an action a number of times.",
        "(repeat 5 (move (top (game iloc STOCK)) (top (game vloc PILE))))")


def _integers() -> Iterator[FormShape]:
    row = partial(FormShape, "Integers", ValueKind.INTEGER)
    for operator, words in (
        (n.Operator.ADD, "Adds integers"),
        (n.Operator.MULTIPLY, "Multiplies integers"),
    ):
        yield row(f"({operator.value} INTEGER INTEGER...)",
            partial(n.Arithmetic, operator=operator), f"{words}.", f"({operator.value} 1 2 3)",
            build=_many)
    for operator, words, example in (
        (n.Operator.SUBTRACT, "Subtracts the second from the first", "(- 3 5)"),
        (n.Operator.DIVIDE, "Divides, towards zero", "(// 52 'PLAYERS)"),
        (n.Operator.REMAINDER, "The remainder, with the sign of the dividend", "(% 7 2)"),
        (n.Operator.POWER, "Raises the first to the power of the second", "(^ 2 5)"),
    ):
        yield row(f"({operator.value} INTEGER INTEGER)", partial(n.Arithmetic, operator=operator),
            f"{words}.", example.replace("'PLAYERS", "4"), build=_many)
    yield row("(mod INTEGER INTEGER)", partial(n.Arithmetic, operator=n.Operator.REMAINDER),
        "The remainder; another way to write %.", "(mod 7 2)", build=_many)
    for operator, which in ((n.Operator.MAXIMUM, "largest"), (n.Operator.MINIMUM, "smallest")):
        yield row(f"({operator.value} INTEGER INTEGER...)",
            partial(n.Arithmetic, operator=operator), f"The {which} of some integers.",
            f"({operator.value} ((1 player) sto SCORE) ((2 player) sto SCORE))", build=_many,
            expansion=partial(extreme, word=operator.value))
    yield row("(tri INTEGER)", n.Triangle, "The sum of the integers up to n.", "(tri 4)")
    yield row("(fib INTEGER)", n.Fibonacci, "The n-th Fibonacci number.", "(fib 7)")
    yield row("(random INTEGER [.. INTEGER])", n.Random,
        "A random integer between two bounds, or between 0 and one bound, all included.",
        "(random 1 .. 6)")
    yield row("(size COLLECTION)", n.Size, "The number of items.",
        "(size ((current player) iloc HAND))")
    yield row("(sum LOCATION using POINTS)", n.Sum, "The total points of all cards.",
        "(sum ((current player) vloc WON) using (game points WORTH))")
    yield row("(score CARD using POINTS)", n.Score, "The points of one card.",
        "(score (top (game vloc PILE)) using (game points WORTH))")
    yield row("(score STRING using WORTHS)", expanded,
        "The number that a table has for a name; 0 if it has none.",
        "(score (cardatt SUIT (top (game vloc PILE))) using ((CLUBS : 20) (HEARTS : 30)))",
        expansion=worth)
    for word, highest in (("scoremax", True), ("scoremin", False)):
        yield row(f"({word} LOCATION using POINTS)", partial(n.ExtremeScore, highest=highest),
            f"The {'largest' if highest else 'smallest'} points of a card there; "
            f"{'-1' if highest else '2147483647'} if there is none.",
            f"({word} (game vloc PILE) using (game points WORTH))", mark="C")
    yield row("(all COLLECTION 'V INTEGER)", n.Total, "The sum of an integer over all items.",
        "(all player 'P ('P sto SCORE))")
    yield row("(pid PLAYER)", n.NumberOf, "The number of a player, as this file counts them.",
        "(pid (current player))", mark="C")
    yield row("(tid TEAM)", n.NumberOf, "The number of a team, as this file counts them.",
        "(tid (team (current player)))", mark="C")


def _storages() -> Iterator[FormShape]:
    row = partial(FormShape, "Storages and strings")
    yield row(ValueKind.INTEGER | ValueKind.INTEGER_STORAGE, "(OWNER sto STRING)",
        partial(n.Storage, storage=n.StorageKind.INTEGER), "A stored integer; 0 until it is set.",
        "((current player) sto SCORE)")
    yield row(ValueKind.STRING | ValueKind.STRING_STORAGE, "(OWNER str STRING)",
        partial(n.Storage, storage=n.StorageKind.STRING), "A stored string; empty until it is set.",
        "(game str LEAD)")
    yield row(ValueKind.INTEGER, "(PLAYER isto STRING)", expanded,
        "An integer that its owner alone sees; 0 until it is set.", "((current player) isto BID)",
        expansion=partial(secret, word="isto"))
    yield row(ValueKind.STRING, "(PLAYER istr STRING)", expanded,
        "A string that its owner alone sees; empty until it is set.",
        "((current player) istr VOTE)", expansion=partial(secret, word="istr"))
    yield row(ValueKind.POINTS, "(OWNER points STRING)",
        partial(n.Storage, storage=n.StorageKind.POINTS),
        "A stored point map; every card scores 0 until it is set.", "(game points WORTH)")
    yield row(ValueKind.STRING, "(cardatt STRING CARD)", n.Attribute,
        "The value of a card's attribute; empty if there is no card or no such attribute.",
        "(cardatt SUIT (top (game vloc PILE)))")


def _conditions() -> Iterator[FormShape]:
    row = partial(FormShape, "Conditions", ValueKind.BOOLEAN)
    for word, every in (("and", True), ("or", False)):
        yield row(f"({word} BOOLEAN BOOLEAN...)", partial(n.Logic, every=every),
            f"Whether {'all hold' if every else 'any holds'}, looking from left to right.",
            f"({word} (== (game sto ROUND) 1) (> (size player) 2))", build=_many)
    yield row("(not BOOLEAN)", n.Not, "The opposite.", "(not (== (game sto ROUND) 1))")
    for operator in ("<", ">", "<=", ">="):
        yield row(f"({operator} INTEGER INTEGER)", partial(n.Compare, operator=operator),
            "Compares two integers.", f"({operator} (size (game iloc STOCK)) 3)")
    examples = {
        "INTEGER": "((current player) sto SCORE) 3",
        "STRING": "(cardatt SUIT (top (game vloc PILE))) HEARTS",
        "CARD": "(top (game vloc PILE)) (bottom (game vloc PILE))",
        "PLAYER": "(current player) (owner (top (game vloc PILE)))",
        "TEAM": "(team (1 player)) (team (2 player))",
    }
    for operator in ("==", "!="):
        for kind, operands in examples.items():
            yield row(f"({operator} {kind} {kind})", partial(n.Equal, negated=operator == "!="),
                f"Whether two {kind.lower()}s are {'different' if operator == '!=' else 'equal'}"
                + (", as the very same card." if kind == "CARD" else "."),
                f"({operator} {operands})")
    for word, every in (("any", False), ("all", True)):
        yield row(f"({word} COLLECTION 'V BOOLEAN)", partial(n.Quantifier, every=every),
            f"Whether the condition holds for {'every' if every else 'at least one'} item.",
            f"({word} player 'P (> ('P sto SCORE) 100))")


def _owners() -> Iterator[FormShape]:
    row = partial(FormShape, "Players and teams")
    for word, kind in (("player", ValueKind.PLAYER), ("team", ValueKind.TEAM)):
        for turn, meaning in (
            (n.Turn.CURRENT, f"The {word} whose turn it is."),
            (n.Turn.NEXT, f"The {word} queued to follow, or else the one after the current."),
            (n.Turn.PREVIOUS, f"The {word} before the current one in order of seats."),
        ):
            yield row(kind, f"({turn.value} {word})", partial(n.TurnOwner, turn=turn), meaning,
                f"({turn.value} {word})")
        yield row(kind, f"(INTEGER {word})", n.Numbered, f"The {word} with this number.",
            f"(1 {word})")
    yield row(ValueKind.PLAYER, "(first player [from PLAYER] 'V BOOLEAN)", expanded,
        "The first player that passes the test, in order of seats from the current one on, or from "
        "another; that one included.",
        "(first player from (next player) 'P (> (size ('P iloc HAND)) 0))", expansion=first_player)
    for word, where in (("top", "first"), ("bottom", "last")):
        yield row(ValueKind.PLAYER, f"({word} PLAYERS)", expanded,
            f"The {where} player of a list, by number.",
            f"({word} (filter player 'P (== ('P sto BID) 0)))",
            expansion=partial(element, word=word))
    yield row(ValueKind.PLAYER, "(INTEGER PLAYERS)", expanded,
        "The player at a position of a list, counted from 0, by number.", "(0 (other player))",
        expansion=partial(element, word=""))
    yield row(ValueKind.PLAYER, "(owner CARD)", n.OwnerOf,
        "The player in whose location a card lies.",
        "(owner (max (union (all player 'P ('P vloc TRICK))) using (game points WORTH)))")
    yield row(ValueKind.TEAM, "(team PLAYER)", n.TeamOf, "The team of a player.",
        "(team (current player))")


def _cards() -> Iterator[FormShape]:
    row = partial(FormShape, "Cards", ValueKind.CARD)
    for word, top in (("top", True), ("bottom", False)):
        yield row(f"({word} LOCATION)", partial(n.End, top=top),
            f"The {'last' if top else 'first'} card of a location, or the place "
            f"{'above' if top else 'below'} all others when a card is put there.",
            f"({word} (game iloc STOCK))")
        yield row(f"({word} LOCATIONS)", partial(n.End, top=top),
            f"The {word} card of the {'first' if top else 'last'} location of a set.",
            f"({word} (partition SUIT (game vloc PILE)))", build=_end_of_set)
    yield row("(INTEGER LOCATION)", n.Position,
        "The card at a position, counted from 0 at the bottom.", "(0 (game vloc PILE))")
    yield row("(LOCATION)", partial(n.End, top=True), "The top card of a location, in short.",
        "((game vloc PILE))")
    for word, highest in (("max", True), ("min", False)):
        yield row(f"({word} LOCATION using POINTS)", partial(n.BestCard, highest=highest),
            f"The card with the {'most' if highest else 'fewest'} points; ties are random.",
            f"({word} (game vloc PILE) using (game points WORTH))")
    yield row("(actual CARD)", n.Actual,
        "The real card behind a reference; older files need it, newer ones do not.",
        "(actual (top (game mem LEAD)))", mark="A")


def _locations() -> Iterator[FormShape]:
    give = partial(FormShape, "Locations")
    row = partial(give, ValueKind.LOCATION)
    seen = {
        LocationKind.VISIBLE: "everybody sees",
        LocationKind.INVISIBLE: "only its owner sees, if that is a player",
        LocationKind.HIDDEN: "nobody sees",
        LocationKind.OTHERS: "everybody but its owner sees",
        LocationKind.MEMORY: "holds references to cards that lie elsewhere, visible to everybody",
    }
    for place, words in seen.items():
        yield row(f"(OWNER {place.value} STRING [INTEGER])", partial(n.Place, place=place),
            f"A location that {words}; an index distinguishes several with the same name.",
            f"((current player) {place.value} HAND)", build=partial(_marked_by_last, given=True))
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
            yield row(f"({operation.value} {operands})", build, f"{words}.",
                f"({operation.value} {example})", build=_combine)
    yield give(ValueKind.COLLECTION & ~ValueKind.TEAM, "(filter COLLECTION 'V BOOLEAN)", n.Filter,
        "The items that pass the test, in order; of sets of locations, empty ones are dropped.",
        "(filter ((current player) iloc HAND) 'C (== (cardatt SUIT 'C) HEARTS))",
        build=build_filter)
    for word, top in (("top", True), ("bottom", False)):
        yield row(f"({word} LOCATIONS)", partial(n.Element, index=0 if top else -1),
            f"The {'first' if top else 'last'} location of a set.",
            f"({word} (partition SUIT (game vloc PILE)))")
    yield row("(INTEGER LOCATIONS)", n.Element,
        "The location at a position of a set, counted from 0 at the front.",
        "(0 (partition SUIT (game vloc PILE)))", build=_element)
    for word, top in (("top", True), ("bottom", False)):
        yield row(f"({word} INTEGER LOCATION)", partial(n.Sequence, top=top),
            "The n topmost cards, topmost first." if top else "The n lowest cards, in order.",
            f"({word} 3 (game vloc PILE))")
        yield row(f"(run {word} INTEGER LOCATION using POINTS)", partial(n.EndRun, top=top),
            f"The longest run of at least n consecutive points that the {word} cards form.",
            f"(run {word} 3 (game vloc PILE) using (game points WORTH))")
    yield row("(sort LOCATION using POINTS)", n.Sort, "The cards in ascending order of points.",
        "(sort (game vloc PILE) using (game points WORTH))")


def _collections() -> Iterator[FormShape]:
    give = partial(FormShape, "Collections")
    row = partial(give, ValueKind.LOCATIONS)
    yield row("(all COLLECTION 'V LOCATION)", n.EachLocation, "One location for each item.",
        "(all player 'P ('P vloc TRICK))")
    for operands in ("LOCATION...", "LOCATIONS"):
        example = (
            "((current player) iloc HAND)"
            if operands == "LOCATION..."
            else "(all player 'P ('P vloc WON))"
        )
        yield row(f"(partition STRING {operands})", n.Partition,
            "Groups of cards with equal values of an attribute, in order of first appearance.",
            f"(partition SUIT {example})", build=_partition)
        yield row(f"(partition {operands} STRING)", n.Partition,
            "The same, written with the attribute last (older files).",
            f"(partition {example} SUIT)", build=partial(_partition, key=1))
    yield row("(subsets LOCATION)", partial(n.Subsets, size=None, operator=""),
        "All subsets of the cards, without the empty one (with it in zero-based files).",
        "(subsets ((current player) iloc HAND))")
    for operator in ("==", "!=", "<", ">", "<=", ">="):
        yield row(f"(subsets LOCATION {operator} INTEGER)", partial(n.Subsets, operator=operator),
            "The subsets of that size; no others are made.",
            f"(subsets ((current player) iloc HAND) {operator} 2)")
    for word, every in (("largest", False), ("all", True)):
        yield row(f"(runs {word} INTEGER LOCATION using POINTS)", partial(n.Runs, every=every),
            f"{'All' if every else 'The maximal'} runs of at least n consecutive points, one card "
            "for each.", f"(runs {word} 3 (game vloc PILE) using (game points WORTH))")
    yield row("(tuples INTEGER LOCATION using POINTS)", n.Tuples,
        "All groups of n cards with equal points (older files).",
        "(tuples 2 (game vloc PILE) using (game points WORTH))", mark="A")
    for place in LocationKind:
        yield row(f"(indexed OWNER {place.value} STRING)", partial(n.Indexed, place=place),
            "The locations of this name, at any index, that have held a card.",
            f"(indexed game {place.value} ROW)", mark="C")
    for word, kind in (("player", ValueKind.PLAYERS), ("team", ValueKind.TEAMS)):
        yield give(kind, f"(other {word})", partial(n.Everyone, others=True),
            f"All {word}s but the current one, in order of number.", f"(other {word})")
    yield give(ValueKind.INTEGERS, "(range INTEGER .. INTEGER)", n.Range,
        "The integers from one bound to the other, both included.", "(range 1 .. 4)")


# fmt: on


SHAPES = (
    *_blocks(), *_actions(), *_integers(), *_storages(), *_conditions(), *_owners(), *_cards(),
    *_locations(), *_collections(),
)  # fmt: skip
"""All forms but the sections of a program."""

BY_KEY = {
    key: [shape for shape in SHAPES if shape.key == key]
    for key in dict.fromkeys(shape.key for shape in SHAPES)
}
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
