"""The genus of positions under misère play, and whether they are tame."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass
from functools import reduce
from typing import Literal

from graphgame.errors import UnknownPositionError, plural
from graphgame.graph import GameGraph, GameLike
from graphgame.sprague_grundy import mex
from graphgame.theory.misere.forms import MAX_FORMS, MisereForms, value_at

__all__ = ["Genus", "GenusKind", "GenusTable", "genus_table"]

GenusKind = Literal["tame", "restive", "restless", "wild"]


@dataclass(frozen=True)
class Genus:
    """What the values of a position say about its sums with heaps of Nim.

    Attributes
    ----------
    base : int
        The Grundy value of normal play.
    superscript : tuple of int
        The misère values of the position with 0, 1, 2, ... heaps of two; the last two repeat for ever.
    kind : {"tame", "restive", "restless", "wild"}
        A tame position behaves as a position of Nim in all sums of tame positions. It has g = g0, or both below 2, and
        only tame options; or other options from which one can go back to tame positions with this g and this g0, while
        the tame options alone give g and g0. Another position whose options are all tame is restive if g < 2, and
        restless if g0 < 2. The rest is wild.
        This is the definition of Winning Ways, and what CGSuite calls generally tame.
    is_nim_heap : bool
        It equals the heap of Nim of size ``base``.
    hereditarily_tame : bool
        It is tame, and so is every position that can come up from its canonical form: what CGSuite calls tame.

    References
    ----------
    J. H. Conway, On Numbers and Games, chapter 12 (1976). E. R. Berlekamp, J. H. Conway, R. K. Guy, Winning Ways,
    chapter 13 (1982).

    Examples
    --------
    >>> kayles = Genus(4, (1, 4, 6), "restless", is_nim_heap=False)
    >>> str(kayles), kayles.misere_value, kayles.misere_outcome, kayles.values(6)
    ('4^146', 1, 'N', [1, 4, 6, 4, 6, 4])
    """

    base: int
    superscript: tuple[int, ...]
    kind: GenusKind
    is_nim_heap: bool
    hereditarily_tame: bool = False

    @property
    def misere_value(self) -> int:
        """The size of the heap of Nim with which the position makes a P-position of misère play."""
        return self.superscript[0]

    @property
    def misere_outcome(self) -> Literal["P", "N"]:
        """Who wins under misère play."""
        return "N" if self.superscript[0] else "P"

    def values(self, count: int) -> list[int]:
        """Return the first entries of the superscript."""
        return [value_at(self.superscript, place) for place in range(count)]

    def __str__(self) -> str:
        """Return the symbol: ``2`` for a heap of Nim, ``2^2`` where g and g0 tell all, else ``4^146``."""
        if self.is_nim_heap:
            return str(self.base)
        shown = self.superscript[:1] if self.kind in ("tame", "restive") else self.superscript
        if max(shown) < 10:
            return f"{self.base}^{''.join(map(str, shown))}"
        return f"{self.base}^({','.join(map(str, shown))})"


class GenusTable(Mapping[Hashable, Genus]):
    """Position -> genus, with the canonical forms; made by :func:`genus_table`.

    Attributes
    ----------
    forms : MisereForms
        The store of canonical forms.
    form : dict
        Position -> its form's number in the store.
    """

    def __init__(self, graph: GameLike, forms: MisereForms) -> None:
        graph = GameGraph.of(graph)
        found = forms.of_graph(graph)
        numbers = range(len(found)) if graph.sums is None else [v for v, is_sum in enumerate(graph.sums) if not is_sum]
        self.forms = forms
        self.form = {graph.labels[vertex]: found[vertex] for vertex in numbers}
        self._kinds: list[GenusKind] = []
        self._hereditarily_tame: list[bool] = []

    def __len__(self) -> int:
        return len(self.form)

    def __repr__(self) -> str:
        return f"<GenusTable of {plural(len(self), 'position')}>"

    def __iter__(self) -> Iterator[Hashable]:
        return iter(self.form)

    def __getitem__(self, position: Hashable) -> Genus:
        return self._genus(self.form_of(position))

    def form_of(self, *positions: Hashable) -> int:
        """Return the number of the form of a sum of positions.

        Raises
        ------
        UnknownPositionError
            A position is none of the graph's.
        LimitError
            The store of forms is full.
        """
        unknown = next((position for position in positions if position not in self.form), None)
        if unknown is not None:
            raise UnknownPositionError(unknown)
        return reduce(self.forms.add, map(self.form.__getitem__, positions), 0)

    def genus_of(self, *positions: Hashable) -> Genus:
        """Return the genus of a sum of positions.

        Raises
        ------
        UnknownPositionError
            A position is none of the graph's.
        LimitError
            The store of forms is full.

        Examples
        --------
        >>> from graphgame import explore
        >>> from graphgame.games import ruleset
        >>> table = genus_table(explore(ruleset("kayles"), 9))
        >>> str(table.genus_of(5, 5)), table.genus_of(5, 4).misere_outcome
        ('0^120', 'P')
        """
        return self._genus(self.form_of(*positions))

    def _genus(self, form: int) -> Genus:
        forms, kinds, hereditary = self.forms, self._kinds, self._hereditarily_tame
        while len(kinds) <= form:
            options = forms.options[len(kinds)]
            kinds.append(_kind(forms, kinds, len(kinds)))
            hereditary.append(kinds[-1] == "tame" and all(hereditary[option] for option in options))
        is_nim_heap = forms.nim_heap(form) is not None
        return Genus(forms.grundy[form], forms.superscript[form], kinds[form], is_nim_heap, hereditary[form])


def genus_table(graph: GameLike, *, max_forms: int = MAX_FORMS) -> GenusTable:
    """Return the genus of every position of a graph, with its misère canonical form.

    Parameters
    ----------
    graph : GameLike
        Sum vertices are allowed.
    max_forms : int
        Most canonical forms, and sums of two of them, together; only games that split need many.

    Raises
    ------
    CycleError
        Play need not end.
    LimitError
        There are more forms.

    Notes
    -----
    O(n + m) sets of options for a graph without sum vertices. A sum is worked out from the canonical forms of its
    parts, so that equal sums are met once.

    Examples
    --------
    >>> from graphgame import explore
    >>> from graphgame.games import ruleset
    >>> table = genus_table(explore(ruleset("kayles"), *range(11)))
    >>> [str(table[row]) for row in range(11)]
    ['0', '1', '2', '3', '1', '4^146', '3', '2^2', '1^1', '4^046', '2^2']
    >>> table[9].kind, table.forms.birthday[table.form[9]]
    ('wild', 9)
    """
    return GenusTable(graph, MisereForms(max_forms))


def _kind(forms: MisereForms, kinds: list[GenusKind], form: int) -> GenusKind:
    """Return the kind of a form from those of the forms before it, its options among them."""
    base, first = forms.grundy[form], forms.superscript[form][0]
    tame = [option for option in forms.options[form] if kinds[option] == "tame"]
    others = [option for option in forms.options[form] if kinds[option] != "tame"]
    if base == first or max(base, first) < 2:
        return "tame" if not others or _reverts(forms, kinds, form, tame, others) else "wild"
    if others or min(base, first) > 1:
        return "wild"
    return "restive" if base < 2 else "restless"


def _reverts(forms: MisereForms, kinds: list[GenusKind], form: int, tame: list[int], others: list[int]) -> bool:
    """Tell whether tame options alone give both values, and others allow to go back to tame games of each value."""
    base, first = forms.grundy[form], forms.superscript[form][0]
    if mex(forms.grundy[option] for option in tame) != base:
        return False
    if mex(forms.superscript[option][0] for option in tame) != first:
        return False
    for option in others:
        replies = [reply for reply in forms.options[option] if kinds[reply] == "tame"]
        if all(forms.grundy[reply] != base for reply in replies):
            return False
        if all(forms.superscript[reply][0] != first for reply in replies):
            return False
    return True
