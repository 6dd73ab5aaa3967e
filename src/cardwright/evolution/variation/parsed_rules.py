"""A parsed text of rules, ready for variation: its sites, names and vocabulary."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

from cardwright.evolution.candidate import Candidate, ChangeFamily
from cardwright.evolution.variation.rule_text import words_of
from cardwright.evolution.variation.sites import sites_of
from cardwright.program import nodes as n
from cardwright.program.check import IncrementalCache, examine
from cardwright.program.fitting import forms_in, is_pair
from cardwright.program.symbols import SymbolSort, group, names_of
from cardwright.syntax.source import Source
from cardwright.syntax.tree import Atom, AtomKind, Form, is_atom, is_word

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from cardwright.evolution.variation.sites import RuleSite, Suits
    from cardwright.program.check import SemanticModel
    from cardwright.program.elaborate import Elaborator
    from cardwright.program.program import Program
    from cardwright.program.symbols import NameIndex
    from cardwright.syntax.source import Span
    from cardwright.syntax.tree import Syntax

MOST_KEPT = 48
"""Most texts of which the parsed rules are kept; one of the size of Hearts takes some 10 MB."""

_SECTIONS = {
    "declare": ChangeFamily.CONSTANTS,
    "setup": ChangeFamily.DECK,
    "scoring": ChangeFamily.SCORING,
}


class MaterialError(ValueError):
    """Rules that do not pass the check, and so cannot be varied; the message is the first error."""


class Vocabulary:
    """Which strings of a program could stand in each other's places.

    Names of storages, of locations and of attributes are exchanged with those of the same sort of
    owner. The values of an attribute are a group; and so are strings that are compared with the
    same thing, or stored in the same place.
    """

    def __init__(self, names: NameIndex, meaning: Elaborator, form: Form) -> None:
        self.names = names
        self._partners: defaultdict[str, dict[str, None]] = defaultdict(dict)
        self._groups: dict[int, dict[str, None]] = {}
        self._keyed: defaultdict[str, dict[str, None]] = defaultdict(dict)
        for item, _, node in meaning.understood:
            if isinstance(item, Form) and isinstance(node, n.Equal | n.Set) and len(item.items) > 2:
                self._pair(item.items[1], item.items[2])
                self._pair(item.items[2], item.items[1])
        for pair in filter(is_pair, forms_in(form)):
            self._value(pair.items[0], pair.items[2])

    def _pair(self, name: Syntax, other: Syntax) -> None:
        """Note a name that is compared with something, or stored there."""
        if is_atom(name, AtomKind.NAME):
            partners = self._partners[words_of(other)]
            partners[name.text] = None
            self._groups[name.span.start] = partners
            if isinstance(other, Form) and other.starts_with("cardatt"):
                self._value(other.items[1], name)

    def _value(self, key: Syntax, value: Syntax) -> None:
        """Note a name that the rules use as the value of an attribute."""
        if isinstance(key, Atom) and is_atom(value, AtomKind.NAME):
            self._keyed[key.text][value.text] = None

    def keyed(self, key: str) -> list[str]:
        """Return the names that stand as values of an attribute, whether cards have them or not."""
        return list(self._keyed.get(key, ()))

    def compared(self, constant: str) -> list[str]:
        """Return the names that are compared with a declared constant, in order of the text."""
        return list(self._partners.get(f"'{constant}", ()))

    def like(self, span: Span) -> list[str]:
        """Return what could stand in the place of a string that is written out, but for itself."""
        occurrence = self.names.at(span.start)
        if occurrence is None:
            return []
        symbol = occurrence.symbol
        if symbol.sort is SymbolSort.VALUE:
            lists = (values for values in self.names.values.values() if symbol.name in values)
            names: Iterable[str] = [name for values in lists for name in values]
            names = names or self._groups.get(span.start, ())
        else:
            alike = self.names.symbols(symbol.sort)
            names = (other.name for other in alike if group(other) == group(symbol))
        return [name for name in dict.fromkeys(names) if name != symbol.name]


@dataclass(frozen=True, eq=False)
class ParsedRules:
    """A text that passes the check, and what each part of it means.

    `recall` has the forms of the text, for the quick check of others that are almost the same.
    """

    source: Source
    examined: SemanticModel
    recall: IncrementalCache

    @property
    def text(self) -> str:
        """The text of the rules."""
        return self.source.text

    @property
    def form(self) -> Form:
        """The program as it is written, with its definitions where they are."""
        assert self.examined.form is not None
        return self.examined.form

    @property
    def program(self) -> Program:
        """The program that the text means; branches that its constants rule out are still there."""
        assert self.examined.checked.program is not None
        return self.examined.checked.program

    @property
    def meaning(self) -> Elaborator:
        """What the checker has understood of each form."""
        assert self.examined.meaning is not None
        return self.examined.meaning

    @cached_property
    def sites(self) -> tuple[RuleSite, ...]:
        """All sites, each before those in it, in order of the text."""
        return sites_of(self.examined)

    @cached_property
    def _children(self) -> dict[int | None, list[RuleSite]]:
        children: dict[int | None, list[RuleSite]] = {}
        for site in self.sites:
            children.setdefault(site.parent, []).append(site)
        return children

    @cached_property
    def _chosen(self) -> dict[object, tuple[RuleSite, ...]]:
        return {}

    @cached_property
    def counts(self) -> Counter[ChangeFamily]:
        """How many sites there are of each family."""
        return Counter(site.family for site in self.sites)

    @cached_property
    def name(self) -> str:
        """The name that a candidate with this text has."""
        return Candidate(self.text).name

    @cached_property
    def numbers(self) -> tuple[int, ...]:
        """The numbers that are written out at its sites, in order, each as often as it is there."""
        return tuple(
            int(site.item.text) for site in self.sites if is_atom(site.item, AtomKind.INTEGER)
        )

    @cached_property
    def names(self) -> NameIndex:
        """All names of the text, and what they denote."""
        return names_of(self.examined)

    def values_of(self, key: str) -> tuple[str, ...]:
        """Return the values that cards have for an attribute, in order of the decks."""
        return self.names.values.get(key, ())

    @cached_property
    def vocabulary(self) -> Vocabulary:
        """Which strings could stand for each other."""
        return Vocabulary(self.names, self.meaning, self.form)

    def section(self, word: str) -> Form:
        """Return a section of the program that every program has once, such as `setup`."""
        forms = (item for item in self.form.items if isinstance(item, Form))
        return next(form for form in forms if is_word(form.head, word))

    def family_of(self, span: Span) -> ChangeFamily:
        """Return the family of a place: that of the smallest site around it, or of its section."""
        around = [site for site in self.sites if _within(span, site.span)]
        if around:
            return min(around, key=lambda site: site.span.end - site.span.start).family
        for form in self.form.items:
            if isinstance(form, Form) and isinstance(form.head, Atom) and _within(span, form.span):
                return _SECTIONS.get(form.head.text, ChangeFamily.STEPS)
        return ChangeFamily.STEPS

    def children(self, site: RuleSite | None) -> list[RuleSite]:
        """Return the sites directly in a site, in order; of the whole program for None."""
        return self._children.get(None if site is None else site.index, [])

    def siblings(self, site: RuleSite) -> list[RuleSite]:
        """Return the sites in the same list of operands as a repeated one, itself included."""
        around = self._children[site.parent]
        return [outer for outer in around if outer.repeated and outer.role == site.role]

    def around(self, site: RuleSite) -> Iterator[RuleSite]:
        """Yield the sites around a site, the innermost first."""
        at = site.parent
        while at is not None:
            yield self.sites[at]
            at = self.sites[at].parent

    def chosen(
        self, suits: Suits, families: frozenset[ChangeFamily], *given: object
    ) -> tuple[RuleSite, ...]:
        """Return the sites of these families that suit, found once.

        `suits` is asked with these rules, a site, and what else is given.
        """
        key = suits, families, given
        if key not in self._chosen:
            self._chosen[key] = tuple(
                site for site in self.sites if site.family in families and suits(self, site, *given)
            )
        return self._chosen[key]

    def written(self, site: RuleSite) -> str:
        """Return the text of a site."""
        return self.source.at(site.span)


@lru_cache(maxsize=MOST_KEPT)
def parsed_rules(text: str) -> ParsedRules:
    """Return the parsed rules of a text; the latest are kept.

    Raises MaterialError for a text that does not pass the check.
    """
    source, recall = Source("candidate", text), IncrementalCache()
    examined = examine(source, recall=recall)
    if examined.checked.program is None:
        errors = examined.checked.diagnostics.errors
        raise MaterialError(errors[0].message if errors else "this is not a game")
    return ParsedRules(source, examined, recall)


def _within(span: Span, around: Span) -> bool:
    return around.start <= span.start and span.end <= around.end
