"""A one-heap game: its moves, its values and its periods."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import accumulate, zip_longest
from typing import cast

import numpy as np

from graphgame.compiled.compiling import Array
from graphgame.compiled.engine import Progress, use_compiled
from graphgame.errors import LimitError, OptionError
from graphgame.labs.heaps.checking import fault_of
from graphgame.labs.heaps.periods import ObservedPeriod, PeriodCertificate, find_period, growing_period, observe_period
from graphgame.labs.heaps.rules import HeapRules, Left
from graphgame.labs.heaps.storage import HeapValues, check_heap
from graphgame.rules import MAX_POSITIONS
from graphgame.rules.nim import Heap
from graphgame.rules.pictures import Cell, Picture, Place, Way
from graphgame.rules.ruleset import Sum

_METHODS = ("auto", "sparse", "dense")
_SMALL = 1000
_PERIODS_FROM, _MOST_FILLED = 1024, 100_000_000
_FEW, _SOME, _MANY = 500, 4000, 20_000
"""Heaps that a proof may take: few where the heap is small, so its graph is; many with compiled loops."""


class HeapGame(Heap):
    """A game played with heaps, each move in one of them.

    Parameters
    ----------
    rules : HeapRules
        Its moves.
    name : str
        The game as :func:`game` reads it.
    arguments : str
        What stands between braces in the notation.

    Attributes
    ----------
    row_of : str
        The game that this one is on a heap or in a row, where that is another one.
    ends_at_once : bool
        Whether these are the safe moves of a game in which others end play at once; that has no misère play.

    Examples
    --------
    >>> from graphgame import heaps
    >>> kayles = heaps.octal("0.77")
    >>> kayles.grundy_values(10)
    array([0, 1, 2, 3, 1, 4, 3, 2, 1, 4, 2], dtype=uint8)
    >>> list(kayles.options(3)), kayles.closed_form(10**18)
    ([2, Sum(1, 1), 1], 1)
    """

    row_of: str = ""
    ends_at_once = False
    certificate: PeriodCertificate | None = None
    _tried = 0

    def __init__(self, rules: HeapRules, name: str, arguments: str = "") -> None:
        self.rules = rules
        self.name = name
        self.arguments = arguments
        self.largest = rules.largest

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.name}>"

    @property
    def ruleset(self) -> HeapGame:
        """The game itself, which is a ruleset."""
        return self

    def options(self, position: int) -> Left:
        """Return what moves leave of the heap, as one heap or as the sum of several."""
        return self.rules.options(position)

    def ways(self, position: int) -> Iterable[Way] | None:
        """Return the ways to take pieces from anywhere in a row, where a heap may break; otherwise pictures tell."""
        options, board = list(self.options(position)), self.picture(position)
        return row_ways(position, board, options) if board is not None and Sum in set(map(type, options)) else None

    def closed_form(self, position: int) -> int | None:
        """Return the value where a period is proved from few heaps."""
        if self.certificate is None:
            heaps = _FEW if position <= _SMALL else _MANY if use_compiled(_MANY**2) else _SOME
            if self._tried < heaps:
                self._tried = heaps
                self.certificate = self.period(heaps) if self.rules.quick else None
        return None if self.certificate is None else self.certificate.value(position)

    def reason(self, position: int) -> str | None:
        """Return the smaller heap that the proved period leads to."""
        value = self.closed_form(position)
        return None if value is None or self.certificate is None else self.certificate.reason(position)

    def least_size(self, position: int) -> tuple[int, int]:
        """Return what the amounts tell that one may take."""
        return self.rules.least_size(position)

    def options_of_value(self, position: int, value: int) -> Iterable[Hashable]:
        """Return the options of this value; what each amount leaves is tried in turn, for each may leave very many."""
        found, parts = self.certificate, self.rules.by_amount(position)
        if self.rules.any_amount and found is not None:
            for heap in found.heaps_of(value):
                if heap < position and position - heap not in self.rules.excluded:
                    yield heap
            parts = self.rules.breaks(position)
        rounds = zip_longest(*parts)
        yield from self.of_value((left for round_ in rounds for left in round_ if left is not None), value)

    def grundy_values(
        self, n: int, *, method: str = "auto", engine: str = "auto", progress: Progress | None = None
    ) -> Array:
        """Return the Grundy values of the heaps 0..n.

        Parameters
        ----------
        n : int
            The largest heap.
        method : {"auto", "sparse", "dense"}
            "dense" tries every move, for a check of the faster way.
        engine : {"auto", "plain", "compiled"}
            "auto" compiles where the extra ``fast`` is installed and the work is large.
        progress : callable, optional
            Called as ``progress(heaps_done, heaps_total)`` now and then.

        Returns
        -------
        ndarray of unsigned integers, shape (n + 1,)

        Raises
        ------
        OptionError
            A number of heaps or a method that does not exist.
        LimitError
            A game that leaves three heaps or more has too large heaps.

        Notes
        -----
        Games that split heaps in two use a sparse space: O(n r) with r rare heaps, of which many games have few, plus
        the splits that each value needs. Tried plainly they take O(n**2), games of three parts O(n**2 v) with v values.
        Where only finitely many amounts may be taken, or all but finitely many, and nothing splits: O(n). Once the
        values of the first heaps prove a period, the others come from it.

        References
        ----------
        J. P. Grossman, Searching for periodicity in Officers, Games of No Chance 5 (2019).

        Examples
        --------
        >>> from graphgame import heaps
        >>> heaps.grundy_game().grundy_values(20).tolist()
        [0, 0, 0, 1, 0, 2, 1, 0, 2, 1, 0, 2, 1, 3, 2, 1, 3, 2, 4, 3, 0]
        """
        if method not in _METHODS:
            raise OptionError("unknown method {method!r}: expected one of {methods}", method, ", ".join(_METHODS))
        check_heap(n)
        if method == "dense":
            return self.rules.extend(np.zeros(0, np.uint8), n + 1, engine=engine, dense=True, progress=progress)
        return np.asarray(self.packed_values(n, engine=engine, progress=progress))

    def table_shape(self, position: int) -> tuple[int]:
        """Return how many heaps a table has that goes up to this one."""
        return (position + 1,)

    def value_array(self, shape: Sequence[int], misere: bool) -> Array | None:
        """Return the values of the heaps of normal play, up to two million, unless they take too long."""
        if misere or len(shape) != 1 or shape[0] > MAX_POSITIONS + 1:
            return None
        with suppress(LimitError):
            return self.grundy_values(shape[0] - 1)
        return None

    def packed_values(
        self,
        n: int,
        known: HeapValues | None = None,
        *,
        goal: int | None = None,
        engine: str = "auto",
        progress: Progress | None = None,
    ) -> HeapValues:
        """Return the Grundy values of the heaps 0..n, in a byte each where they are many and may be packed.

        Parameters
        ----------
        n : int
        known : ndarray or PackedValues, optional
            What is known of the first heaps; where that is packed, it is extended in its place and returned.
        goal : int, optional
            The largest heap that will be asked for, if that is not n: a period gives all values up to it.
        engine, progress
            As for :meth:`grundy_values`.

        Raises
        ------
        OptionError, LimitError
            As :meth:`grundy_values`.

        Examples
        --------
        >>> from graphgame import heaps
        >>> game = heaps.octal("0.77")
        >>> game.packed_values(10, game.grundy_values(5))
        array([0, 1, 2, 3, 1, 4, 3, 2, 1, 4, 2], dtype=uint8)
        """
        check_heap(n)
        values: HeapValues = np.zeros(0, np.uint8) if known is None else known
        theorem, total, wanted = self.rules.theorem, n + 1, (n if goal is None else goal) + 1
        told = None if progress is None else lambda done, _: progress(done, wanted)
        if engine == "auto" and use_compiled(wanted):
            engine = "compiled"  # for the first steps as well, for it is loaded all the same
        while len(values) < total:
            looks = theorem is not None and wanted <= _MOST_FILLED
            stop = min(max(1 << len(values).bit_length(), _PERIODS_FROM), total) if looks else total
            values = self.rules.extend_packed(values, stop, engine=engine, progress=told)
            if theorem is not None and looks and stop < wanted and stop.bit_count() == 1:
                found = find_period(self.name, np.asarray(values), theorem, engine)
                if found is not None:
                    return found.values_to(wanted - 1)
        return values if len(values) <= total else values[:total]

    def p_heaps(self, n: int, *, engine: str = "auto", progress: Progress | None = None) -> Array:
        """Return those of the heaps 0..n that the second player wins: the P-positions.

        Parameters
        ----------
        n : int
            The largest heap.
        engine, progress
            As for :meth:`grundy_values`.

        Raises
        ------
        OptionError, LimitError
            As :meth:`grundy_values`.

        Notes
        -----
        Where finitely many amounts may be taken and nothing splits: O(n + ka) with k such heaps and a amounts, for only
        who wins is found. Else by the values.

        Examples
        --------
        >>> from graphgame import heaps
        >>> heaps.subtraction([1, 3, 4]).p_heaps(10).tolist()
        [0, 2, 7, 9]
        """
        check_heap(n)
        return self.rules.p_heaps(n + 1, engine=engine, progress=progress)

    def period(self, limit: int, *, engine: str = "auto", progress: Progress | None = None) -> PeriodCertificate | None:
        """Return the proved period of the values, or None where heaps up to a limit do not prove one.

        Parameters
        ----------
        limit : int
            The largest heap to compute; fewer are computed where they suffice.
        engine, progress
            As for :meth:`grundy_values`.

        Raises
        ------
        OptionError
            The limit is no number of heaps.

        Notes
        -----
        A game whose moves take at most k and leave at most h heaps: if g(n + p) = g(n) for n0 <= n < h n0 + (h - 1) p
        + k, with n0 >= 1, then for all n >= n0; for h = 2 this is the theorem of Guy and Smith. Take any number but
        those of a finite set with the maximum m: if g(n + p) = g(n) + s for n0 <= n <= n0 + 2m, then for all n >= n0.
        Values of games that leave three heaps or more, and of Lasker's Nim, may repeat with a constant added: then the
        proof is a check of the moves in one period. ``docs/heaps.md`` proves all of this; no period is claimed for
        other games.

        References
        ----------
        R. K. Guy, C. A. B. Smith, The G-values of various games, Proc. Cambridge Philosophical Society 52 (1956).

        Examples
        --------
        >>> from graphgame import heaps
        >>> found = heaps.octal("0.07").period(1000)
        >>> found.preperiod, found.period, found.last_exception
        (53, 34, 52)
        >>> heaps.grundy_game().period(1000) is None
        True
        """
        check_heap(limit)
        found = self._grown_period(limit, engine, progress, observed=False) if self.provable else None
        return found if isinstance(found, PeriodCertificate) else None

    def any_period(
        self, limit: int, *, engine: str = "auto", progress: Progress | None = None
    ) -> PeriodCertificate | ObservedPeriod | None:
        """Return the proved period of the values, else one that the heaps up to a limit show.

        Parameters
        ----------
        limit : int
            The largest heap to compute; fewer are computed where they prove a period.
        engine, progress
            As for :meth:`grundy_values`.

        Raises
        ------
        OptionError, LimitError
            As :meth:`grundy_values`.

        Examples
        --------
        >>> from graphgame import heaps
        >>> [type(heaps.game(text).any_period(300)).__name__ for text in ("0.77", "take{even}", "grundy")]
        ['PeriodCertificate', 'ObservedPeriod', 'NoneType']
        """
        check_heap(limit)
        return self._grown_period(limit, engine, progress, observed=True)

    def _grown_period(
        self, limit: int, engine: str, progress: Progress | None, *, observed: bool
    ) -> PeriodCertificate | ObservedPeriod | None:
        known = np.zeros(0, np.uint8)

        def values_to(n: int) -> Array:
            nonlocal known
            known = self.rules.extend(known, n + 1, engine=engine, dense=False, progress=progress)
            return known

        return growing_period(self.name, self.rules.theorem, limit, values_to, engine, observed=observed)

    def observed_period(
        self, limit: int, *, engine: str = "auto", progress: Progress | None = None
    ) -> ObservedPeriod | None:
        """Return a period that the heaps up to a limit show three times or more; it proves nothing.

        Parameters
        ----------
        limit : int
            The largest heap to compute.
        engine, progress
            As for :meth:`grundy_values`.

        Raises
        ------
        OptionError, LimitError
            As :meth:`grundy_values`.

        Examples
        --------
        >>> from graphgame import heaps
        >>> heaps.grundy_game().observed_period(1000) is None
        True
        """
        values = self.grundy_values(limit, engine=engine, progress=progress)
        return observe_period(self.name, values, engine)

    def holds(self, certificate: PeriodCertificate, *, engine: str = "auto", progress: Progress | None = None) -> bool:
        """Tell whether a certificate is right in all that it states: whether :meth:`fault` finds nothing.

        Examples
        --------
        >>> from graphgame import heaps
        >>> kayles = heaps.octal("0.77")
        >>> kayles.holds(kayles.period(1000)), heaps.octal("0.76").holds(kayles.period(1000))
        (True, False)
        """
        return self.fault(certificate, engine=engine, progress=progress) is None

    def fault(
        self, certificate: PeriodCertificate, *, engine: str = "auto", progress: Progress | None = None
    ) -> str | None:
        """Say what is wrong with a certificate, by the moves of all heaps that its proof needs; None if it is right.

        Parameters
        ----------
        certificate : PeriodCertificate
        engine, progress
            As for :meth:`grundy_values`.

        Raises
        ------
        OptionError, LimitError
            The last heap that it states is too large to try.

        Notes
        -----
        Each stated value is the least that no move leaves, by none of the code that found the period: for n heaps of a
        game that splits O(n r), where r heaps have a rare value, and the splits that each smaller value needs.

        Examples
        --------
        >>> from dataclasses import replace
        >>> from graphgame import heaps
        >>> kayles = heaps.octal("0.77")
        >>> kayles.fault(replace(kayles.period(1000), last_heap=100))
        'the proof needs the heaps up to 167, not to 100'
        """
        return fault_of(self.name, self.rules, certificate, engine, progress)

    @property
    def provable(self) -> bool:
        """Whether a theorem is known here that proves periods of such a game."""
        return self.rules.theorem is not None


def row_ways(size: int, board: Picture, options: Iterable[Hashable]) -> Iterator[Way]:
    """Yield the ways of a heap whose pieces stand in a row: those taken are touched, or where it breaks.

    What remains stands where it stood: a first part, then the pieces that are taken, then the other parts.

    Examples
    --------
    >>> from graphgame.rules.pictures import row
    >>> [(way.option, way.origins) for way in row_ways(4, row(4, "pin"), [3, (1, 2)])]
    [(3, ((0, 1, 2),)), (3, ((1, 2, 3),)), ((1, 2), ((0,), (2, 3))), ((1, 2), ((3,), (0, 1)))]
    """
    for option in options if len(board.cells) == size else ():
        asked = option if isinstance(option, tuple) else (cast("int", option),)
        orders = [asked]
        if len(asked) == 1 and asked[0]:
            orders.append((0, *asked))
        elif len(asked) == 2 and asked[0] != asked[1]:
            orders.append(asked[::-1])
        taken = size - sum(asked)
        for parts in orders:
            first = parts[0]
            after = [*board.cells[:first], *[Cell("blank")] * taken, *board.cells[first + taken :]]
            starts = [0, *accumulate(parts[1:-1], initial=first + taken)]
            spans: dict[int, list[tuple[int, ...]]] = {}
            for part, start in zip(parts, starts, strict=False):
                # a part without pieces is a note, which lies nowhere
                spans.setdefault(part, []).append(tuple(range(start, start + part)) or (-1,))
            line: Place = ()
            if first and not taken:  # it breaks right of a piece
                x, y = board.places[first - 1]
                line = (x + 0.5, y - 0.5, x + 0.5, y + 0.5)
            yield Way(option, tuple(after), line=line, origins=tuple(spans[part].pop() for part in asked))
