"""Misère canonical forms, the genus of positions under misère play, and whether they are tame."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import reduce
from typing import Literal

from graphgame.errors import LimitError, UnknownPositionError, plural
from graphgame.graph.gamegraph import GameGraph, GameLike
from graphgame.solution.results import refuse_misere_end
from graphgame.solution.sprague_grundy import grundy_values, mex

MAX_FORMS = 500_000
"""Canonical forms and sums of two of them that a store may hold unless the caller says otherwise."""


class MisereForms:
    """A store of misère canonical forms; each has a number, and number 0 is the game without options.

    Two games are equal under misère play exactly when their canonical forms are the same, so equal games have the same
    number here. All lists are indexed by it.

    Parameters
    ----------
    limit : int
        Most forms, and sums of two forms, together.

    Attributes
    ----------
    options : list of frozenset of int
    birthday : list of int
        The length of the longest play of the form.
    grundy : list of int
        The Grundy value of normal play: the base of the genus.
    superscript : list of tuple of int
        The misère values of the form with 0, 1, 2, ... heaps of two; the last two of them repeat for ever.

    Notes
    -----
    An option R is reversible if it has an option H whose options are all among those of the game. The game equals H if
    all options that are not options of H are reversible through H, provided, where H has no option, that the game is an
    N-position. Nothing else makes two games equal.

    References
    ----------
    J. H. Conway, On Numbers and Games, chapter 12 (1976).

    Examples
    --------
    >>> forms = MisereForms()
    >>> one = forms.form([0])
    >>> two = forms.form([0, one])
    >>> forms.add(two, one) == forms.form([0, one, two]), forms.add(one, one) == 0, forms.add(two, two) == 0
    (True, True, False)
    >>> forms.grundy[forms.add(two, two)], forms.superscript[forms.add(two, two)]
    (0, (0, 2))
    """

    def __init__(self, limit: int = MAX_FORMS) -> None:
        self.limit = limit
        self.options: list[frozenset[int]] = []
        self.birthday: list[int] = []
        self.grundy: list[int] = []
        self.superscript: list[tuple[int, ...]] = []
        self._number: dict[frozenset[int], int] = {}
        self._sums: dict[tuple[int, int], int] = {}
        self._heaps: list[int] = []
        self._new(frozenset())

    def __len__(self) -> int:
        return len(self.options)

    def form(self, options: Iterable[int]) -> int:
        """Return the form of the game with these options, each a form.

        Raises
        ------
        LimitError
            The store is full.
        """
        given = frozenset(options)
        known = self._number.get(given)
        if known is None:
            equal = self._reverted(given)
            known = self._number[given] = self._new(given) if equal is None else equal
        return known

    def add(self, first: int, second: int) -> int:
        """Return the form of the sum of two forms.

        Raises
        ------
        LimitError
            The store is full.
        """
        if (known := self._sums.get(_pair(first, second))) is not None:
            return known
        stack = [_pair(first, second)]
        while stack:
            pair = stack[-1]
            moves = self._moves(pair)
            # Beside 0, the game without options, the other form is the sum itself.
            missing = [move for move in moves if move[0] and move not in self._sums]
            if missing:
                stack += missing
            else:
                self._sums[pair] = self.form(self._sums[move] if move[0] else move[1] for move in moves)
                self._refuse_more()
                stack.pop()
        return self._sums[_pair(first, second)]

    def of_graph(self, game: GameLike) -> list[int]:
        """Return the form of every vertex of a graph, in the order of the vertex numbers.

        Raises
        ------
        CycleError
            Play need not end.
        LimitError
            The store is full: sums of positions have too many forms.
        """
        graph = GameGraph.of(game)
        refuse_misere_end("misere", graph.decided is not None)
        _, order = grundy_values(graph)
        found = [0] * len(order)
        for vertex in order.tolist():
            options = [found[option] for option in graph.option_rows.row(vertex).tolist()]
            if graph.sums is not None and graph.sums[vertex]:
                for part in options:
                    found[vertex] = self.add(found[vertex], part)
            else:
                found[vertex] = self.form(options)
        return found

    def nim_heap(self, form: int) -> int | None:
        """Return the size of the heap of Nim that the form is, if it is one."""
        size = self.grundy[form]
        return size if size < len(self._heaps) and self._heaps[size] == form else None

    def text(self, form: int, longest: int = 200) -> str:
        """Return a form as its options between braces, a heap of Nim as ``*n``; a longer text ends in dots.

        Examples
        --------
        >>> forms = MisereForms()
        >>> two = forms.form([0, forms.form([0])])
        >>> forms.text(forms.form([forms.add(two, two), two])), forms.text(forms.add(two, two))
        ('{*2, {*2, *3}}', '{*2, *3}')
        """
        size = self.nim_heap(form)
        if size is not None:
            return f"*{size}"
        parts: list[str] = []
        left = longest - len("{, ...}")
        for option in sorted(self.options[form], key=lambda option: (self.birthday[option], option)):
            part = self.text(option, left) if left > 0 else "..."
            if len(part) > left:
                parts.append("...")
                break
            parts.append(part)
            left -= len(part) + 2
        return f"{{{', '.join(parts)}}}"

    def _moves(self, pair: tuple[int, int]) -> list[tuple[int, int]]:
        first, second = pair
        return [
            *(_pair(option, second) for option in self.options[first]),
            *(_pair(first, option) for option in self.options[second]),
        ]

    def _reverted(self, options: frozenset[int]) -> int | None:
        """Return the simpler form that a game with these options equals, if there is one.

        It is an option of the latest option, which is none of its own options.
        """
        if not options:
            return None
        latest = max(options, key=self.birthday.__getitem__)
        for candidate in self.options[latest]:
            kept = self.options[candidate]
            if (
                kept <= options
                and all(candidate in self.options[option] for option in options - kept)
                and (kept or any(self.superscript[option][0] == 0 for option in options))
            ):
                return candidate
        return None

    def _new(self, options: frozenset[int]) -> int:
        number = self._number[options] = len(self.options)
        if options == set(self._heaps):
            self._heaps.append(number)
        self.options.append(options)
        self.birthday.append(1 + max((self.birthday[option] for option in options), default=-1))
        self.grundy.append(mex(self.grundy[option] for option in options))
        self.superscript.append(self._superscript(options))
        self._refuse_more()
        return number

    def _superscript(self, options: frozenset[int]) -> tuple[int, ...]:
        """Return the misère values with more and more heaps of two, up to where two values repeat.

        Once the options' values repeat with period two, a value that comes again after two steps starts the repetition.
        """
        rows = {self.superscript[option] for option in options}
        steady = max(map(len, rows), default=2) - 2
        values = [mex(row[0] for row in rows) if rows else 1]
        while len(values) < steady + 3 or values[-1] != values[-3]:
            place, last = len(values), values[-1]
            values.append(mex([last, last ^ 1, *(value_at(row, place) for row in rows)]))
        while len(values) > 2 and values[-1] == values[-3]:
            values.pop()
        return tuple(values)

    def _refuse_more(self) -> None:
        if len(self._sums) + len(self.options) > self.limit:
            raise LimitError(
                "more than {limit} misère canonical forms and sums of them; the limit is max_forms={limit}",
                self.limit,
                limit="max_forms",
            )


def value_at(superscript: tuple[int, ...], place: int) -> int:
    """Return an entry of a sequence whose last two entries repeat for ever."""
    end = len(superscript)
    return superscript[place] if place < end else superscript[end - 2 + (place - end) % 2]


def _pair(first: int, second: int) -> tuple[int, int]:
    return (first, second) if first <= second else (second, first)


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

    def __init__(self, game: GameLike, forms: MisereForms) -> None:
        graph = GameGraph.of(game)
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


def genus_table(game: GameLike, *, max_forms: int = MAX_FORMS) -> GenusTable:
    """Return the genus of every position of a graph, with its misère canonical form.

    Parameters
    ----------
    game : GameLike
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
    return GenusTable(game, MisereForms(max_forms))


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
