"""Declarations and the set-up: constants, players, teams, decks and secrets."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

from cardwright.program import nodes as n
from cardwright.program.cards import Card, CardId, LocationKind
from cardwright.program.constants import Constant, mismatch, node_of
from cardwright.program.diagnosis.fixes import fix
from cardwright.program.diagnosis.mistakes import CommonMistake, word
from cardwright.program.diagnosis.suggestions import FOREIGN
from cardwright.program.expansion import SECRETS, PointTable, Secret
from cardwright.program.fitting import second_word
from cardwright.program.forms import BY_KEY, FormShape, fits_any
from cardwright.program.kinds import ValueKind
from cardwright.program.plain_forms import as_integer
from cardwright.program.program import Deck, Declared
from cardwright.program.shapes import shown
from cardwright.program.value_lists import (
    MAX_CARDS,
    TABLE_PATTERN,
    as_number,
    deck_cards,
    known_before,
    with_commas,
)
from cardwright.syntax.diagnostic import Code, Related, rewritten
from cardwright.syntax.suggest import near
from cardwright.syntax.tree import Atom, AtomKind, Form, Syntax, is_atom, is_word

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from cardwright.program.context import Elaboration
    from cardwright.syntax.source import Span

_COLLECTIONS = {"isto": ValueKind.INTEGERS, "istr": ValueKind.STRINGS}


def _create_secret(setup: ProgramSetup, form: Form) -> None:
    """Read `(create secret (player isto NAME) VALUES)`: a deck for each player."""
    by, fresh = setup.by, setup.by.extensions.fresh
    written = well_formed(by, form, "create secret")
    if written is None:
        return
    place, values = written.items[2:]
    assert isinstance(place, Form)
    word = next(word for word in SECRETS if is_word(place.items[1], word))
    name = _new_secret_name(setup, place.items[2])
    if not is_word(place.items[0], "player"):
        by.report.add(
            Code.WRONG_KIND,
            place.items[0].span,
            "secrets are created for all players",
            expected=f"(create secret (player {word} NAME) ...)",
        )
        return
    possible = _secret_values(setup, values, word)
    if name is None or not setup.players:
        return  # which is reported
    secret = Secret(
        name=name,
        word=word,
        values=possible or (),
        span=place.items[2].span,
        place=fresh.location(name),
        rest=fresh.name(f"{name}_CARDS"),
        key=fresh.name(f"{name}_VALUE"),
        points=fresh.name(f"{name}_POINTS"),
    )
    by.extensions.secrets[name] = secret
    if possible is not None:
        _lay_out_secret(setup, form, secret)


def _new_secret_name(setup: ProgramSetup, item: Syntax) -> str | None:
    name = setup.constant(setup.by.elaborate(item, ValueKind.STRING))
    if not isinstance(name, str):
        return None
    before = setup.by.extensions.secrets.get(name)
    if before is None:
        return name
    setup.by.report.add(
        Code.DOUBLED_DEFINITION,
        item.span,
        f"the secret {name} is created a second time",
        help="give it a name of its own",
        related=(Related(before.span, "the first one"),),
    )
    return None


def _secret_values(setup: ProgramSetup, item: Syntax, word: str) -> tuple[str, ...] | range | None:
    values = setup.constant(setup.by.elaborate(item, _COLLECTIONS[word]))
    if not isinstance(values, tuple | range):
        return None
    count = values.stop - values.start if isinstance(values, range) else len(values)
    if not 1 <= count <= MAX_CARDS:
        setup.by.report.add(
            Code.DECK_SIZE,
            item.span,
            "this secret has no possible value" if count < 1 else f"{count:,} values are too many",
            expected=f"at most {MAX_CARDS:,} cards in a game: for each player one of each value",
        )
        return None
    twice = [
        value for at, value in enumerate(values) if isinstance(value, str) and value in values[:at]
    ]
    if twice:
        setup.by.report.add(
            Code.DOUBLED_DEFINITION,
            item.span,
            f"{twice[0]} is twice among the values of a secret",
            help="write each value once",
        )
        return None
    return values


def _lay_out_secret(setup: ProgramSetup, form: Form, found: Secret) -> None:
    extensions = setup.by.extensions
    names = [
        one if isinstance(one, str) else f"N{one}" if one >= 0 else f"MINUS_{-one}"
        for one in found.values
    ]
    attribute = f"(deck ({found.key} ({' , '.join(names)})))"
    decks = []
    for number in setup.numbers:
        back = extensions.fresh.name(f"{found.name}_{number}")
        text = f"(create deck {back} (({number} player) iloc {found.rest}) {attribute})"
        deck = extensions.form(form.span, text)
        assert isinstance(deck, Form)
        setup.deck(deck, 1)
        decks.append(deck)
    pattern = "INTEGERS" if found.word == "isto" else "STRINGS"
    extensions.add(f"(create secret (player {found.word} STRING) {pattern})", form, decks)
    if isinstance(found.values, range):
        awards = " ".join(
            f"(({found.key} : {name}) {as_integer(value)})"
            for name, value in zip(names, found.values, strict=True)
        )
        block = extensions.form(form.span, f"(do ((set (game points {found.points}) ({awards}))))")
        extensions.opening.append(block)
        setup.opening.append(setup.by.elaborate(block, ValueKind.BLOCK))


SECTION_SHAPES = {
    name: [
        FormShape("Sections", ValueKind(0), pattern, n.ErrorNode, "", example)
        for pattern in patterns
    ]
    for name, example, patterns in (
        ("declare", "(declare 4 'PLAYERS)", ["(declare VALUE 'V)"]),
        (
            "scoring",
            "(scoring max ((current player) sto SCORE))",
            ["(scoring max INTEGER)", "(scoring min INTEGER)"],
        ),
        ("create players", "(create players 4)", ["(create players INTEGER)"]),
        (
            "create secret",
            "(create secret (player isto BID) (range 0 .. 13))",
            [
                "(create secret (player isto STRING) INTEGERS)",
                "(create secret (player istr STRING) STRINGS)",
            ],
        ),
    )
}
"""The shapes of the sections whose parts are ordinary values."""

_SECTION_WORDS = ("declare", "setup", "scoring")
_PARTS = {"create": ("players", "teams", "deck", "secret"), "repeat": ()}


def well_formed(by: Elaboration, form: Form, section: str) -> Form | None:
    """Return a section in its proper shape; errors are reported.

    None if it is unclear what was meant.
    """
    shapes = SECTION_SHAPES[section]
    if fits_any(form, shapes):
        return form
    mended = fix(form, shapes)
    if mended is None or not isinstance(mended.meant, Form) or not fits_any(mended.meant, shapes):
        by.complain.misfit(form, shapes)
        return None
    by.complain.mistake(mended, form)
    return mended.meant


def section_mistake(item: Syntax) -> CommonMistake | None:
    """Return the mistake in the name of a section, if an item of the game has one."""
    if not isinstance(item, Form):
        return None
    head = item.head
    if len(item.items) == 2 and not second_word(item) and is_atom(item.items[1], AtomKind.VARIABLE):
        value, variable = item.items  # the word declare is missing
        if isinstance(value, Atom) and value.kind not in {AtomKind.INTEGER, AtomKind.NAME}:
            return None
        return CommonMistake(
            Form((word("declare", variable), value, variable), item.span),
            item.span,
            f"the word declare is missing at the start of {shown(item)}",
            expected="(declare VALUE 'V)",
        )
    if not is_atom(head, AtomKind.WORD):
        return None
    meant = near(head.text, _SECTION_WORDS, 0.75)
    if item.starts_with("score", "max") or item.starts_with("score", "min"):
        meant = "scoring"
    elif head.text in BY_KEY or head.text in FOREIGN or head.text in _SECTION_WORDS:
        return None
    return _renamed(item, 0, meant)


def corrected(by: Elaboration, item: Syntax, mistake: CommonMistake | None) -> Syntax:
    """Return what an item was meant to be; its mistake, if it has one, is reported."""
    if mistake is None:
        return item
    by.complain.mistake(mistake, item)
    return mistake.meant


def _part_mistake(item: Syntax) -> CommonMistake | None:
    """Return the mistake in the name of a part of the set-up, if an item of it has one."""
    if not isinstance(item, Form) or not is_atom(item.head, AtomKind.WORD):
        return None
    first = shown(item.items[0])
    if first not in _PARTS:
        return _renamed(item, 0, near(first, _PARTS))
    if first != "create" or len(item.items) < 2 or not is_atom(item.items[1], AtomKind.WORD):
        return None
    second = shown(item.items[1])
    return None if second in _PARTS[first] else _renamed(item, 1, near(second, _PARTS[first]))


def is_part(item: Syntax) -> bool:
    """Return whether an item is a part of a set-up."""
    if not isinstance(item, Form):
        return False
    inner = item.items[-1] if is_word(item.head, "repeat") else item
    return isinstance(inner, Form) and is_word(inner.head, "create")


def _renamed(form: Form, at: int, meant: str | None) -> CommonMistake | None:
    if meant is None:
        return None
    wrong = form.items[at]
    return CommonMistake(
        form.replaced(at, at + 1, word(meant, wrong)),
        wrong.span,
        f"{'nothing in the frame of a game' if at == 0 else 'nothing that is created'} is called "
        f"`{shown(wrong)}`",
        help=f"did you mean {meant}?",
        code=Code.UNKNOWN_FORM,
    )


_EXAMPLES = {
    "create players": "(create players 4)",
    "create deck": "(create deck (game iloc STOCK) (deck ...))",
}

_NAMED = ValueKind.PLAYER | ValueKind.TEAM | ValueKind.CARD
"""Kinds of which a declaration gives another name to a form, evaluated wherever it is used."""

_DECLARED = ValueKind.VALUE | _NAMED | ValueKind.WORTHS

MAX_PLAYERS = 100
DEFAULT_BACK = "DEFAULT"


@dataclass
class ProgramSetup:
    """The contents of the set-up, filled in while the frame is elaborated.

    `base` is the number of the first player, if the user forces it. `last` has the place of the
    last declaration of each name, the one that a user's value replaces. `opening` are blocks with
    which the game begins, for its secrets.
    """

    by: Elaboration
    base: int | None = None
    players: int = 0
    teams: list[list[tuple[int, Span]]] = field(default_factory=list)
    cards: list[Card] = field(default_factory=list)
    absent: list[dict[str, str]] = field(default_factory=list)
    decks: list[Deck] = field(default_factory=list)
    declared: list[Declared] = field(default_factory=list)
    seen: dict[str, Span] = field(default_factory=dict)
    last: dict[str, Span] = field(default_factory=dict)
    opening: list[n.Node] = field(default_factory=list)

    @property
    def numbers(self) -> range:
        """The numbers of the players in a file that has extensions."""
        from_0 = any(number == 0 for team in self.teams for number, _ in team)
        first = self.base if self.base is not None else 0 if from_0 else 1
        return range(first, first + self.players)

    # Constants ----------------------------------------------------------------------------

    def declare(self, form: Form, overrides: Mapping[str, Constant]) -> None:
        """Read `(declare VALUE 'V)`, with the value that the game's user may have given.

        A later declaration of the same name hides the earlier one from there on.
        """
        written = well_formed(self.by, form, "declare")
        if written is None:
            return
        value, name = written.items[1:]
        assert isinstance(name, Atom)
        if name.kind is AtomKind.BAD:
            return
        node = self.by.elaborate(value, _DECLARED)
        self.by.scope.warn_of_hiding(name.text, name.span)
        self.declared = [other for other in self.declared if other.name != name.text[1:]]
        if isinstance(node, n.ErrorNode):
            self.by.scope.declare(name.text, n.ErrorNode(node.kind, name.span), name.span)
            return
        if isinstance(node, PointTable):
            self.by.extensions.add(TABLE_PATTERN, form, ())
        elif node.kind & _NAMED and not n.draws(node):
            self.by.extensions.alias(form, name, value)
        elif not (isinstance(node, n.Place) and isinstance(node.owner, n.Table)):
            self._declare_value(node, name, value.span, overrides)
            return
        self.declared.append(Declared(name.text[1:], name.span, value.span, None, None))
        self.by.scope.declare(name.text, node, name.span)

    def _declare_value(
        self, node: n.Node, name: Atom, written: Span, overrides: Mapping[str, Constant]
    ) -> None:
        report = self.by.report
        default = self.constant(node)
        if default is None:
            self.by.scope.declare(name.text, n.ErrorNode(node.kind, name.span), name.span)
            return
        is_last = self.last.get(name.text, name.span) == name.span
        chosen = overrides.get(name.text[1:], default) if is_last else default
        problem = mismatch(chosen, default)
        if problem:
            report.add(
                Code.BAD_OVERRIDE,
                name.span,
                f"{name.text[1:]} is set to {chosen!r}, which is {problem[0]}",
                expected=problem[1],
            )
            chosen = default
        self.declared.append(Declared(name.text[1:], name.span, written, chosen, default))
        self.by.scope.declare(name.text, node_of(chosen, name.span), name.span)

    def constant(self, node: n.Node) -> Constant | None:
        """Return a value that is known before the game; another one is reported."""
        expected = "numbers, names, lists, ranges, and constants declared before"
        of_owners = "players and teams exist only after the set-up"
        return known_before(self.by, node, expected, of_owners)

    def _integer(self, item: Syntax) -> int | None:
        if is_atom(item, AtomKind.NAME):
            declared = f"'{item.text}" in self.by.scope
            self.by.report.add(
                Code.WRONG_KIND,
                item.span,
                f"{shown(item)} is a name",
                expected="an integer",
                help=f"numbers are written in digits, a declared constant '{shown(item)}",
                edits=rewritten(item.span, f"'{item.text}" if declared else as_number(item)),
            )
            return None
        value = self.constant(self.by.elaborate(item, ValueKind.INTEGER))
        return value if isinstance(value, int) else None

    # Players, teams, decks ----------------------------------------------------------------

    def read(self, form: Form) -> None:
        """Read `(setup ...)`; first the players, then the teams, on which secrets depend."""
        parts = [corrected(self.by, item, _part_mistake(item)) for item in form.items[1:]]
        readers: dict[str, Callable[[Form], object]] = {
            "create players": self._players,
            "create teams": self._teams,
            "create deck": self.deck,
            "create secret": partial(_create_secret, self),
            "repeat": self._repeat,
        }
        for item in sorted(parts, key=lambda item: _TURNS.get(_part_of(item), 2)):
            if isinstance(item, Form) and _part_of(item) in readers:
                readers[_part_of(item)](item)
            else:
                self.by.complain.shape(
                    item.span,
                    "this is not part of a set-up",
                    "(create players N), (create teams ...), (create deck ...), "
                    "(create secret ...) or (repeat N (create deck ...))",
                )
        missing = [part for part in ("create players", "create deck") if part not in self.seen]
        if missing:
            self.by.report.add(
                Code.MISSING_SECTION,
                form.items[0].span,
                "the set-up has no " + " and no ".join(f"({part} ...)" for part in missing),
                expected=" ".join(_EXAMPLES[part] for part in missing),
            )

    def _once(self, part: str, form: Form) -> None:
        if part in self.seen:
            self.by.report.add(
                Code.DOUBLED_SECTION,
                form.span,
                f"a second ({part} ...)",
                related=(Related(self.seen[part], "the first one"),),
            )
        self.seen.setdefault(part, form.span)

    def _players(self, form: Form) -> None:
        self._once("create players", form)
        written = well_formed(self.by, form, "create players")
        count = self._integer(written.items[2]) if written else None
        if written is None or count is None:
            return
        if not 1 <= count <= MAX_PLAYERS:
            self.by.report.add(
                Code.PLAYER_COUNT,
                written.items[2].span,
                f"{count:,} players cannot play",
                expected=f"1 to {MAX_PLAYERS} players",
            )
            return
        self.players = self.players or count

    def _teams(self, form: Form) -> None:
        self._once("create teams", form)
        if len(form.items) == 3 and not _is_team(form.items[2]):
            self._dealt_teams(form)
            return
        teams = []
        for item in form.items[2:]:
            members = self._members(item, form)
            if members is None:
                return
            teams.append(members)
        if not teams:
            self.by.complain.shape(
                form.span, "these teams have no players", "(create teams (1, 3) (2, 4))"
            )
        self.teams = self.teams or teams

    def _dealt_teams(self, form: Form) -> None:
        """`(create teams 2)`: so many teams, to which the seats are dealt in turn."""
        place = form.items[2].span
        count = self._integer(form.items[2])
        if count is None or not self.players:
            return
        if not 1 <= count <= self.players:
            self.by.report.add(
                Code.BAD_TEAMS,
                place,
                f"{self.players} players do not make {count:,} teams",
                expected=f"1 to {self.players} teams",
            )
            return
        seats = [self.numbers[team::count] for team in range(count)]
        self.teams = self.teams or [[(number, place) for number in team] for team in seats]
        written = " ".join(f"({' , '.join(map(str, team))})" for team in seats)
        plain = self.by.extensions.form(form.span, f"(create teams {written})")
        self.by.extensions.add("(create teams INTEGER)", form, (plain,))

    def _members(self, item: Syntax, teams: Form) -> list[tuple[int, Span]] | None:
        items = item.items if isinstance(item, Form) else ()
        numbers = [part for part in items[::2] if is_atom(part, AtomKind.INTEGER)]
        commas = all(is_word(part, ",") for part in items[1::2])
        if len(items) % 2 and len(numbers) == len(items[::2]) and commas:
            return [(int(number.text[:9]), number.span) for number in numbers]
        self.by.complain.shape(
            item.span,
            "this is not a team",
            "numbers of players, separated by commas: (1, 3)",
            edits=tuple(
                edit
                for team in teams.items[2:]
                if isinstance(team, Form)
                for edit in with_commas(self.by, team)
            ),
        )
        return None

    def _repeat(self, form: Form) -> None:
        self.seen.setdefault("create deck", form.span)
        inner = form.items[-1]
        if not isinstance(inner, Form) or not inner.starts_with("create", "deck"):
            self.by.complain.shape(
                form.span, "only a deck can be repeated here", "(repeat N (create deck ...))"
            )
            return
        if len(form.items) != 3:
            problem = "this does not say how often" if len(form.items) < 3 else "one deck at a time"
            self.by.complain.shape(form.span, problem, "(repeat N (create deck ...))")
            return
        count = self._integer(form.items[1])
        if count is None:
            return
        if not 0 <= count <= MAX_CARDS:
            self.by.report.add(
                Code.DECK_SIZE,
                form.items[1].span,
                f"{count:,} decks are not possible",
                expected=f"at most {MAX_CARDS:,} cards in a game",
            )
            return
        self.deck(inner, count)

    def deck(self, form: Form, copies: int = 1) -> None:
        """Read `(create deck ...)`, so many copies of it."""
        self.seen.setdefault("create deck", form.span)
        operands = form.items[2:]
        back = DEFAULT_BACK
        if len(operands) == 3:
            if isinstance(operands[0], Form) and is_atom(operands[1], AtomKind.NAME):
                self.by.complain.shape(
                    operands[1].span,
                    "the name of the back comes before the location",
                    "(create deck BACK LOCATION (deck ...))",
                )
                return
            value = self.constant(self.by.elaborate(operands[0], ValueKind.STRING))
            back = value if isinstance(value, str) else back
            operands = operands[1:]
        if len(operands) != 2:
            self.by.complain.shape(
                form.span,
                "this deck is not complete",
                "(create deck LOCATION (deck ...))",
                "for example (create deck (game iloc STOCK) (deck (RANK (A, K))))",
            )
            return
        location = self.by.elaborate(operands[0], ValueKind.LOCATION)
        attributes = deck_cards(self.by, operands[1])
        if isinstance(location, n.ErrorNode):
            return
        self._place_known(location)
        if attributes is None:
            return
        for pair in attributes[0].items() if attributes else ():
            self.by.extensions.attribute = pair
        total = len(self.cards) + copies * len(attributes)
        if total > MAX_CARDS:
            self.by.report.add(
                Code.DECK_SIZE,
                form.span,
                f"with this deck the game has {total:,} cards",
                expected=f"at most {MAX_CARDS:,} cards in a game",
            )
            return
        if not copies:
            self.absent += attributes
        for _ in range(copies):
            first = len(self.cards)
            self.cards.extend(
                Card(CardId(first + i), card, back) for i, card in enumerate(attributes)
            )
            self.decks.append(Deck(location, tuple(card.id for card in self.cards[first:])))

    def _place_known(self, location: n.Node) -> None:
        """Report a deck laid where no card can lie, or at a place known only during a game."""
        if not isinstance(location, n.Place) or location.place is LocationKind.MEMORY:
            self.by.report.add(
                Code.WRONG_KIND,
                location.span,
                "a deck cannot be laid here",
                expected="a location of the game or of a player, such as (game iloc STOCK)",
            )
            return
        if not isinstance(location.owner, n.Table | n.Numbered | n.TurnOwner):
            self.constant(location.owner)
        for part in (location.name, location.index):
            if part is not None:
                self.constant(part)


_TURNS = {"create players": 0, "create teams": 1}
"""Parts of the set-up that are read before those that depend on them."""


def _part_of(item: Syntax) -> str:
    items = item.items[:2] if isinstance(item, Form) else ()
    words = [part.text if isinstance(part, Atom) else "" for part in items]
    return " ".join(words) if words[:1] == ["create"] else "".join(words[:1])


def _is_team(item: Syntax) -> bool:
    return isinstance(item, Form) and not (
        isinstance(item.head, Atom) and item.head.kind in {AtomKind.OPERATOR, AtomKind.WORD}
    )
