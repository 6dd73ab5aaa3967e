"""An examined text of rules, ready for variation: its sites, by kind, family and place."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

from cardwright.editor.names import names_of
from cardwright.evolution.candidate import Candidate
from cardwright.evolution.variation.site_walk import sites_of
from cardwright.evolution.variation.vocabulary import Vocabulary
from cardwright.program.check import IncrementalCache, examine
from cardwright.syntax.source import Source
from cardwright.syntax.tree import Atom, AtomKind

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator

    from cardwright.editor.names import NameIndex
    from cardwright.evolution.candidate import ChangeFamily
    from cardwright.evolution.variation.site import RuleSite
    from cardwright.program.check import SemanticModel
    from cardwright.program.program import Program
    from cardwright.syntax.tree import Form

MOST_KEPT = 48
"""Most texts whose material is kept; one of the size of Hearts takes some 10 MB."""


class MaterialError(ValueError):
    """Rules that do not pass the check, and so cannot be varied; the message is the first error."""


@dataclass(frozen=True, eq=False)
class Material:
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

    @cached_property
    def sites(self) -> tuple[RuleSite, ...]:
        """All sites, each before those in it, in order of the text."""
        return tuple(sites_of(self.examined))

    @cached_property
    def _children(self) -> dict[int | None, list[RuleSite]]:
        found: dict[int | None, list[RuleSite]] = {}
        for site in self.sites:
            found.setdefault(site.parent, []).append(site)
        return found

    @cached_property
    def _chosen(self) -> dict[tuple[str, frozenset[ChangeFamily]], tuple[RuleSite, ...]]:
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
            int(site.item.text)
            for site in self.sites
            if isinstance(site.item, Atom) and site.item.kind is AtomKind.INTEGER
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
        assert self.examined.meaning is not None
        return Vocabulary(self.names, self.examined.meaning, self.form)

    def children(self, site: RuleSite | None) -> list[RuleSite]:
        """Return the sites directly in a site, in order; of the whole program for None."""
        return self._children.get(None if site is None else site.index, [])

    def siblings(self, site: RuleSite) -> list[RuleSite]:
        """Return the sites in the same list of operands as a repeated one, itself included."""
        around = self._children[site.parent]
        return [one for one in around if one.repeated and one.role == site.role]

    def around(self, site: RuleSite) -> Iterator[RuleSite]:
        """Yield the sites around a site, the innermost first."""
        at = site.parent
        while at is not None:
            yield self.sites[at]
            at = self.sites[at].parent

    def chosen(
        self, purpose: str, families: Collection[ChangeFamily], suits: Callable[[RuleSite], bool]
    ) -> tuple[RuleSite, ...]:
        """Return the sites of these families that suit; found once for each purpose."""
        key = purpose, frozenset(families)
        found = self._chosen.get(key)
        if found is None:
            found = tuple(one for one in self.sites if one.family in key[1] and suits(one))
            self._chosen[key] = found
        return found

    def written(self, site: RuleSite) -> str:
        """Return the text of a site."""
        return self.source.at(site.span)


@lru_cache(maxsize=MOST_KEPT)
def material_of(text: str) -> Material:
    """Return the material of a text; the latest are kept.

    Raises MaterialError for a text that does not pass the check.
    """
    source, recall = Source("candidate", text), IncrementalCache()
    examined = examine(source, recall=recall)
    if examined.checked.program is None:
        errors = examined.checked.diagnostics.errors
        raise MaterialError(errors[0].message if errors else "this is no game")
    return Material(source, examined, recall)
