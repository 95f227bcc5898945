"""Misère canonical forms: a store in which equal games have one number, and every game its genus."""

from __future__ import annotations

from collections.abc import Iterable

from graphgame.errors import LimitError
from graphgame.graph import GameGraph, GameLike
from graphgame.results import refuse_misere_end
from graphgame.sprague_grundy import grundy_values, mex

__all__ = ["MAX_FORMS", "MisereForms"]

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

    def of_graph(self, graph: GameLike) -> list[int]:
        """Return the form of every vertex of a graph, in the order of the vertex numbers.

        Raises
        ------
        CycleError
            Play need not end.
        LimitError
            The store is full: sums of positions have too many forms.
        """
        graph = GameGraph.of(graph)
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
