"""Misère canonical forms, and the genus of positions under misère play: tame, restive, restless or wild."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import reduce
from typing import Literal

from graphgame.errors import LimitError, UnknownPositionError, checks_parameters, plural
from graphgame.graph.gamegraph import GameGraph, GameLike
from graphgame.solution.results import refuse_misere_end
from graphgame.solution.sprague_grundy import grundy_values, mex

MAX_FORMS = 500_000
"""The default limit of a store: the number of canonical forms and of sums of two forms, together."""


class MisereForms:
    """A store of misère canonical forms, numbered from 0; form 0 is the game without options.

    Two games are equal under misère play exactly when they have the same canonical form, so the same number here. All
    lists are indexed by this number.

    Parameters
    ----------
    limit : int
        Maximum number of forms and of stored sums of two forms, together.

    Attributes
    ----------
    options : list of frozenset of int
        The numbers of the options of each form.
    birthday : list of int
        The length of the longest play from the form.
    grundy : list of int
        The Grundy value of the form under normal play: the base of its genus.
    superscript : list of tuple of int
        The misère values of the form with 0, 1, 2, ... heaps of two; the last two of them repeat forever.

    Notes
    -----
    A game G equals a game H if every option of H is an option of G, and if all further options of G have H as an option
    (they are reversible through H). If H has no options, G must also be an N-position. G is in canonical form if it
    equals no other H in this way, and all its options are in canonical form.

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
        """Return the number of the form of the game with these options, given as numbers of forms.

        Raises
        ------
        LimitError
            The store is full.
        """
        distinct = frozenset(options)
        number = self._number.get(distinct)
        if number is None:
            equal = self._reverted(distinct)
            number = self._number[distinct] = self._new(distinct) if equal is None else equal
        return number

    def add(self, first: int, second: int) -> int:
        """Return the number of the form of the sum of two forms, given by their numbers.

        Raises
        ------
        LimitError
            The store is full.
        """
        if not first or not second:
            return first + second
        if (number := self._sums.get(_pair(first, second))) is not None:
            return number
        # Work depth first with an explicit stack: a recursion could be deeper than Python allows.
        stack = [_pair(first, second)]
        while stack:
            pair = stack[-1]
            moves = self._moves(pair)
            # Form 0 has no options. The sum of form 0 and any form is that form, so it need not be looked up.
            missing = [move for move in moves if move[0] and move not in self._sums]
            if missing:
                stack += missing
            else:
                if pair not in self._sums:  # a pair may be on the stack twice
                    number = self.form(self._sums[move] if move[0] else move[1] for move in moves)
                    self._refuse_more()
                    self._sums[pair] = number
                stack.pop()
        return self._sums[_pair(first, second)]

    def of_graph(self, game: GameLike) -> list[int]:
        """Return the number of the form of every vertex of a graph, in the order of the vertex numbers.

        Raises
        ------
        CycleError
            Play need not end.
        ParameterError
            Some positions are decided by the rules.
        LimitError
            The store is full. Sums of positions can have very many forms.
        """
        graph = GameGraph.of(game)
        refuse_misere_end(True, graph.decided is not None)
        _, order = grundy_values(graph)
        forms = [0] * len(order)
        for vertex in order.tolist():
            options = [forms[option] for option in graph.option_rows.row(vertex).tolist()]
            if graph.sums is not None and graph.sums[vertex]:
                for part in options:
                    forms[vertex] = self.add(forms[vertex], part)
            else:
                forms[vertex] = self.form(options)
        return forms

    def nim_heap(self, form: int) -> int | None:
        """Return n if the form is the Nim heap ``*n``, otherwise None."""
        size = self.grundy[form]
        return size if size < len(self._heaps) and self._heaps[size] == form else None

    def text(self, form: int, longest: int = 200) -> str:
        """Return a form as text: a Nim heap as ``*n``, any other form as its options in braces.

        ``...`` stands for the options that do not fit in about ``longest`` characters.

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
        """Return the options of the sum of two forms, each as a pair of forms, the smaller number first."""
        first, second = pair
        return [
            *(_pair(option, second) for option in self.options[first]),
            *(_pair(first, option) for option in self.options[second]),
        ]

    def _reverted(self, options: frozenset[int]) -> int | None:
        """Return the simpler form that equals the game with these forms as options; None if this game is canonical."""
        if not options:
            return None
        # The simpler form H is an option of an option, so the option with the latest birthday has a later birthday than
        # H and is no option of H. Therefore it must be reversible through H: H must be an option of ``latest``.
        latest = max(options, key=self.birthday.__getitem__)
        for candidate in self.options[latest]:
            its_options = self.options[candidate]
            if (
                # If H has no options, the game must be a misère N-position: some option must have misère value 0.
                its_options <= options
                and all(candidate in self.options[option] for option in options - its_options)
                and (its_options or any(self.superscript[option][0] == 0 for option in options))
            ):
                return candidate
        return None

    def _new(self, options: frozenset[int]) -> int:
        """Store a canonical form with these options and return its number."""
        self._refuse_more()
        number = self._number[options] = len(self.options)
        # ``_heaps`` has the forms of the heaps *0, *1, ... so far. The options of the next heap are all of these.
        if options == set(self._heaps):
            self._heaps.append(number)
        self.options.append(options)
        self.birthday.append(1 + max((self.birthday[option] for option in options), default=-1))
        self.grundy.append(mex(self.grundy[option] for option in options))
        self.superscript.append(self._superscript(options))
        return number

    def _superscript(self, options: frozenset[int]) -> tuple[int, ...]:
        """Return the misère values of a game with these forms as options; see ``superscript`` of the class."""
        rows = {self.superscript[option] for option in options}
        # From the index ``steady`` on, the values of each option alternate. The next value depends only on them and on
        # the last value, so once a value equals the one two steps before, the two values alternate forever.
        steady = max(map(len, rows), default=2) - 2
        values = [mex(row[0] for row in rows) if rows else 1]
        while len(values) < steady + 3 or values[-1] != values[-3]:
            count, last = len(values), values[-1]
            # A move in a heap of two takes it all (misère value ``last``), or leaves *1 in its place (last ^ 1).
            values.append(mex([last, last ^ 1, *(value_at(row, count) for row in rows)]))
        while len(values) > 2 and values[-1] == values[-3]:
            values.pop()
        return tuple(values)

    def _refuse_more(self) -> None:
        if len(self._sums) + len(self.options) >= self.limit:
            raise LimitError(
                "there are more than {limit} misère canonical forms and sums of them; the limit is max_forms={limit}",
                self.limit,
                limit="max_forms",
            )


def value_at(superscript: tuple[int, ...], index: int) -> int:
    """Return the value at an index of the infinite sequence in which the last two values of ``superscript`` repeat."""
    end = len(superscript)
    return superscript[index] if index < end else superscript[end - 2 + (index - end) % 2]


def _pair(first: int, second: int) -> tuple[int, int]:
    return (first, second) if first <= second else (second, first)


GenusKind = Literal["tame", "restive", "restless", "wild"]


@dataclass(frozen=True)
class Genus:
    """The genus of a position: its values in sums with heaps of Nim, under normal and misère play.

    Attributes
    ----------
    base : int
        The Grundy value of normal play.
    superscript : tuple of int
        The misère values of the position with 0, 1, 2, ... heaps of two; the last two repeat forever.
    kind : {"tame", "restive", "restless", "wild"}
        As defined in Winning Ways, for the canonical form and its options. Let g be the base and g0 the first entry of
        the superscript. If all options are tame, the position is tame if g = g0 or both are below 2, restive if only
        g is below 2, restless if only g0 is below 2, and otherwise wild. If some options are not tame, the position is
        tame under three conditions, and otherwise wild: g = g0 or both are below 2; g is the mex of the g of the tame
        options, and g0 is the mex of their g0; each other option has a tame option with the position's g and one
        with the position's g0. Tame positions behave like Nim in sums of tame positions. CGSuite calls this
        tame "generally tame".
    is_nim_heap : bool
        Whether the position equals the Nim heap of size ``base``.
    hereditarily_tame : bool
        Whether the canonical form and all positions that play reaches from it are tame. CGSuite calls this "tame".

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
        """The misère value: the size of the Nim heap whose sum with the position is a P-position under misère play."""
        return self.superscript[0]

    @property
    def misere_outcome(self) -> Literal["P", "N"]:
        """The outcome under misère play, "P" or "N"."""
        return "N" if self.superscript[0] else "P"

    def values(self, count: int) -> list[int]:
        """Return the first ``count`` entries of the infinite superscript."""
        return [value_at(self.superscript, index) for index in range(count)]

    def __str__(self) -> str:
        """Return a genus as text: ``2`` for the Nim heap of size 2; g and g0, as in ``2^2``, if tame or restive.

        In all other cases return g and the whole superscript, as in ``4^146``.

        If one of the misère values has two digits or more, they are in parentheses, with commas.
        """
        if self.is_nim_heap:
            return str(self.base)
        shown = self.superscript[:1] if self.kind in ("tame", "restive") else self.superscript
        if max(shown) < 10:
            return f"{self.base}^{''.join(map(str, shown))}"
        return f"{self.base}^({','.join(map(str, shown))})"


class GenusTable(Mapping[Hashable, Genus]):
    """A mapping from positions to genera, made by :func:`genus_table`; it also stores the positions' canonical forms.

    Attributes
    ----------
    forms : MisereForms
        The store of canonical forms.
    form : dict
        Maps each position to the number of its form in the store.
    """

    def __init__(self, game: GameLike, forms: MisereForms) -> None:
        graph = GameGraph.of(game)
        form_numbers = forms.of_graph(graph)
        sums = [False] * len(graph) if graph.sums is None else graph.sums
        self.forms = forms
        self.form = {graph.labels[v]: number for v, number in enumerate(form_numbers) if not sums[v]}
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
            A position is not in the graph, or is a sum vertex.
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
            A position is not in the graph, or is a sum vertex.
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
        """Return the genus of a form. Compute and cache the kinds of all forms up to this one first."""
        forms, kinds, hereditary = self.forms, self._kinds, self._hereditarily_tame
        while len(kinds) <= form:
            options = forms.options[len(kinds)]
            kinds.append(_kind(forms, kinds, len(kinds)))
            hereditary.append(kinds[-1] == "tame" and all(hereditary[option] for option in options))
        is_nim_heap = forms.nim_heap(form) is not None
        return Genus(forms.grundy[form], forms.superscript[form], kinds[form], is_nim_heap, hereditary[form])


@checks_parameters
def genus_table(game: GameLike, *, max_forms: int = MAX_FORMS) -> GenusTable:
    """Return the genus of every position of a graph, with its misère canonical form. Sum vertices are left out.

    Parameters
    ----------
    game : GameLike
        Sum vertices are allowed.
    max_forms : int
        Maximum number of canonical forms and of sums of two of them, together. A graph without sum vertices has at most
        one form for each vertex, and needs no sums.

    Raises
    ------
    CycleError
        Play need not end.
    ParameterError
        Some positions are decided by the rules.
    LimitError
        There are more forms and sums than ``max_forms``.

    Notes
    -----
    Sums are computed from the canonical forms of their parts, so equal sums are computed only once.

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
    """Return whether a form is tame, restive, restless or wild; ``kinds`` has this of all forms with lower numbers."""
    base, first = forms.grundy[form], forms.superscript[form][0]
    tame = [option for option in forms.options[form] if kinds[option] == "tame"]
    others = [option for option in forms.options[form] if kinds[option] != "tame"]
    # Let g be the base and g0 the first misère value. Every position of Nim has g = g0 or both below 2, so only such a
    # form can be tame.
    if base == first or max(base, first) < 2:
        return "tame" if not others or _reverts(forms, kinds, form, tame, others) else "wild"
    if others or min(base, first) > 1:
        return "wild"
    return "restive" if base < 2 else "restless"


def _reverts(forms: MisereForms, kinds: list[GenusKind], form: int, tame: list[int], others: list[int]) -> bool:
    """Return whether a form is tame in spite of its options in ``others``, which are not tame.

    Let g be the Grundy value of a form and g0 its misère value. The caller has checked that the form has g = g0, or
    both below 2. The form's g must be the mex of the g of its options in ``tame``, and its g0 the mex of their g0. Each
    option in ``others`` must have a tame option with the form's g, and a tame option, perhaps the same, with the form's
    g0. ``kinds`` has the kinds of all forms with lower numbers.
    """
    base, first = forms.grundy[form], forms.superscript[form][0]
    replies = ([reply for reply in forms.options[option] if kinds[reply] == "tame"] for option in others)
    return (
        mex(forms.grundy[option] for option in tame) == base
        and mex(forms.superscript[option][0] for option in tame) == first
        and all(
            any(forms.grundy[reply] == base for reply in tamed)
            and any(forms.superscript[reply][0] == first for reply in tamed)
            for tamed in replies
        )
    )
