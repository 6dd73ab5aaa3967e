"""The frame of a program around its items: declarations, set-up and scoring."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from cardwright.program import nodes as n
from cardwright.program.awards import as_number, with_commas
from cardwright.program.cards import Card, CardId, LocationKind
from cardwright.program.constants import Constant, NotConstantError, constant, node_of
from cardwright.program.decks import MAX_CARDS, deck_cards
from cardwright.program.kinds import ValueKind
from cardwright.program.overrides import mismatch
from cardwright.program.program import Deck, Declared
from cardwright.program.secret_setup import create_secret
from cardwright.program.sections import part_mistake, well_formed
from cardwright.program.show import shown
from cardwright.program.tables import Worths
from cardwright.program.worths import TABLE_PATTERN
from cardwright.syntax.diagnostic import Code, Related, rewritten
from cardwright.syntax.tree import Atom, AtomKind, Form, Syntax, is_atom, is_word

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cardwright.program.elaborate import Elaborator
    from cardwright.syntax.source import Span

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

    by: Elaborator
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
        if isinstance(node, n.Bad):
            self.by.scope.declare(name.text, n.Bad(node.kind, name.span), name.span)
            return
        if isinstance(node, Worths):
            self.by.extensions.add(TABLE_PATTERN, form, ())
        elif node.kind & _NAMED and self._nameable(node):
            self.by.extensions.alias(form, name, value)
        elif not (isinstance(node, n.Place) and isinstance(node.owner, n.Table)):
            self._declare_value(node, name, overrides)
            return
        self.declared.append(Declared(name.text[1:], name.span, None, None))
        self.by.scope.declare(name.text, node, name.span)

    def _nameable(self, node: n.Node) -> bool:
        """Return whether another name can be given to what a form names anew at each use."""
        return not any(inner.traits.draws for inner in n.walk(node))

    def _declare_value(self, node: n.Node, name: Atom, overrides: Mapping[str, Constant]) -> None:
        """Declare a constant whose value is known now."""
        report = self.by.report
        default = self.constant(node)
        if default is None:
            self.by.scope.declare(name.text, n.Bad(node.kind, name.span), name.span)
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
        self.declared.append(Declared(name.text[1:], name.span, chosen, default))
        self.by.scope.declare(name.text, node_of(chosen, name.span), name.span)

    def constant(self, node: n.Node) -> Constant | None:
        """Return a value that is known before the game; another one is reported."""
        try:
            return constant(node)
        except NotConstantError as error:
            players = error.node.kind & (
                ValueKind.PLAYERS | ValueKind.TEAMS | ValueKind.PLAYER | ValueKind.TEAM
            )
            self.by.report.add(
                Code.NOT_CONSTANT,
                error.node.span,
                error.reason or "this is not known before the game starts",
                expected="numbers, names, lists, ranges, and constants declared before",
                help="players and teams exist only after the set-up" if players else "",
            )
            return None

    def _integer(self, item: Syntax) -> int | None:
        if is_atom(item, AtomKind.NAME):
            assert isinstance(item, Atom)
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
        node = self.by.elaborate(item, ValueKind.INTEGER)
        value = None if isinstance(node, n.Bad) else self.constant(node)
        return value if isinstance(value, int) else None

    # Players, teams, decks ----------------------------------------------------------------

    def read(self, form: Form) -> None:
        """Read `(setup ...)`; first the players, then the teams, on which secrets depend."""
        parts = [self._meant(item) for item in form.items[1:]]
        for item in sorted(parts, key=_turn):
            if isinstance(item, Form) and item.starts_with("create", "players"):
                self._once("create players", item)
                self._players(item)
            elif isinstance(item, Form) and item.starts_with("create", "teams"):
                self._once("create teams", item)
                self._teams(item)
            elif isinstance(item, Form) and item.starts_with("create", "deck"):
                self.deck(item, 1)
            elif isinstance(item, Form) and item.starts_with("create", "secret"):
                create_secret(self, item)
            elif isinstance(item, Form) and is_word(item.head, "repeat"):
                self._repeat(item)
            else:
                self.by.complain.shape(
                    item.span,
                    "this is not part of a set-up",
                    "(create players N), (create teams ...), (create deck ...), "
                    "(create secret ...) or (repeat N (create deck ...))",
                )
        self._missing(form)

    def _meant(self, item: Syntax) -> Syntax:
        """Return what a part of the set-up was meant to be; a mistake is reported."""
        mistake = part_mistake(item)
        if mistake is None:
            return item
        self.by.complain.mistake(mistake, item)
        return mistake.meant

    def _missing(self, form: Form) -> None:
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
        self.by.extensions.replaced("(create teams INTEGER)", form, f"(create teams {written})")

    def _members(self, item: Syntax, teams: Form) -> list[tuple[int, Span]] | None:
        members = []
        sound = isinstance(item, Form) and len(item.items) % 2 == 1
        for at, part in enumerate(item.items if isinstance(item, Form) else ()):
            if at % 2 == 0 and is_atom(part, AtomKind.INTEGER):
                assert isinstance(part, Atom)
                members.append((int(part.text[:9]), part.span))
            elif at % 2 == 0 or not is_word(part, ","):
                sound = False
        if sound:
            return members
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

    def deck(self, form: Form, copies: int) -> None:
        """Read `(create deck ...)`, so many copies of it."""
        self.seen.setdefault("create deck", form.span)
        operands = form.items[2:]
        back = DEFAULT_BACK
        if len(operands) == 3 and isinstance(operands[0], Form) and not _names_back(operands):
            self.by.complain.shape(
                operands[1].span,
                "the name of the back comes before the location",
                "(create deck BACK LOCATION (deck ...))",
            )
            return
        if len(operands) == 3:
            name = self.by.elaborate(operands[0], ValueKind.STRING)
            value = None if isinstance(name, n.Bad) else self.constant(name)
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
        self._place_known(location)
        if attributes is None or isinstance(location, n.Bad):
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
        if isinstance(location, n.Bad):
            return
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


def _names_back(operands: tuple[Syntax, ...]) -> bool:
    """Return whether the back of a deck is misplaced between location and deck."""
    return not is_atom(operands[1], AtomKind.NAME)


def _turn(item: Syntax) -> int:
    """Return when a part of the set-up is read: before what depends on it."""
    for turn, part in enumerate(("players", "teams")):
        if isinstance(item, Form) and item.starts_with("create", part):
            return turn
    return 2


def _is_team(item: Syntax) -> bool:
    """Return whether an item lists the numbers of a team."""
    if not isinstance(item, Form):
        return False
    return not is_atom(item.head, AtomKind.OPERATOR) and not is_atom(item.head, AtomKind.WORD)
