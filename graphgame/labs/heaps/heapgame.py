"""Games on one heap: their moves, values and periods."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import accumulate, zip_longest
from typing import cast

import numpy as np

from graphgame.compiled.compiling import Array
from graphgame.compiled.engine import Engine, Progress, use_compiled
from graphgame.errors import LimitError, ParameterError, checks_parameters
from graphgame.labs.heaps.checking import fault_of
from graphgame.labs.heaps.periods import ObservedPeriod, PeriodCertificate, find_period, growing_period, observe_period
from graphgame.labs.heaps.rules import HeapRules, Left
from graphgame.labs.heaps.storage import HeapValues, check_heap
from graphgame.labs.heaps.values import Run
from graphgame.rules import MAX_POSITIONS
from graphgame.rules.nim import Heap
from graphgame.rules.pictures import Cell, Picture, Place, Way
from graphgame.rules.ruleset import Sum

_METHODS = ("auto", "sparse", "dense")
_LARGEST_SMALL = 1000
"""Up to this size the graph of a heap can be solved quickly, so few heaps (_PROOF_OF_SMALL) are tried for a proof."""

_PERIODS_FROM, _MOST_FILLED = 1024, 100_000_000
"""If at most 10**8 values are needed, look for a period after 1,024 heaps, and again each time their number doubles."""

_PROOF_OF_SMALL, _PROOF_IN_PYTHON, _PROOF_COMPILED = 500, 4000, 20_000
"""To prove a period for the value of one heap, compute the heaps up to the first number if the heap is at most
_LARGEST_SMALL; otherwise up to the second number in plain Python, or up to the third with compiled loops."""


class HeapGame(Heap):
    """A game played with heaps; each move changes one heap.

    Parameters
    ----------
    rules : HeapRules
        The moves.
    name : str
        The game's name. :func:`game` can read it, except if the moves are your own Python function.
    arguments : str
        The text that the notation has in braces, such as ``1,3,4`` in ``take{1,3,4}``; "" without braces.

    Attributes
    ----------
    row_of : str
        If :func:`game` replaced a game by the code for its single heaps or rows, the name of that game; otherwise "".
    ends_at_once : bool
        True if the rules list only safe moves, because every other move loses the game at once. Then misère play is not
        supported.

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
    _in_a_row = False
    """Whether the pieces of every heap stand in a row, even if no move splits the heap."""

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
        """Return an iterator over the options of a heap; each is a heap (an int) or a :class:`Sum` of heaps."""
        return self.rules.options(position)

    def ways(self, position: int) -> Iterable[Way] | None:
        """Return the moves as changes of the picture; None if the pieces of this heap do not stand in a row.

        In some games, such as Kayles, the pieces of every heap stand in a row. In other games they stand in a row only
        if a move can split the heap. Return None also if there is no picture, or if a move adds to the heap. If the
        pieces are too many to draw, return an empty iterator.
        """
        options, board = list(self.options(position)), self.picture(position)
        in_a_row = self._in_a_row or Sum in set(map(type, options))
        adds = any(isinstance(option, Sum) and sum(cast("Iterable[int]", option)) > position for option in options)
        return row_ways(position, board, options) if board is not None and in_a_row and not adds else None

    def closed_form(self, position: int) -> int | None:
        """Return the value of a heap by a proved period.

        Return None if the first heaps (at most 20,000) prove no period, or if their values take long to compute.
        """
        if self.certificate is None:
            if position <= _LARGEST_SMALL:
                heaps = _PROOF_OF_SMALL
            else:
                heaps = _PROOF_COMPILED if use_compiled(_PROOF_COMPILED**2) else _PROOF_IN_PYTHON
            if self._tried < heaps:
                self._tried = heaps
                self.certificate = self.period(heaps) if self.rules.quick else None
        return None if self.certificate is None else self.certificate.value(position)

    def reason(self, position: int) -> str | None:
        """Return a sentence that derives the value from a smaller heap by a proved period.

        Return None without a proof, and for a heap below the end of the first period.
        """
        value = self.closed_form(position)
        return None if value is None or self.certificate is None else self.certificate.reason(position)

    def least_size(self, position: int) -> tuple[int, int]:
        """Return lower bounds for the numbers of positions and moves of the graph from a heap."""
        return self.rules.least_size(position)

    def options_of_value(self, position: int, value: int) -> Iterable[Hashable]:
        """Yield the options that have this value by :meth:`closed_form`; no options without a proved period.

        Taking one amount can lead to very many options. So try the first option of each amount, then the second option
        of each amount, and so on.
        """
        by_amount = self.rules.by_amount(position)
        if self.rules.any_amount and self.certificate is not None:
            for heap in self.certificate.heaps_of(value):
                if heap < position and position - heap not in self.rules.excluded:
                    yield heap
            by_amount = self.rules.breaks(position)
        rounds = zip_longest(*by_amount)
        yield from self.of_value((left for round_ in rounds for left in round_ if left is not None), value)

    @checks_parameters
    def grundy_values(
        self, n: int, *, method: str = "auto", engine: Engine = "auto", progress: Progress | None = None
    ) -> Array:
        """Return the Grundy values of the heaps 0..n.

        Parameters
        ----------
        n : int
            The largest heap.
        method : {"auto", "sparse", "dense"}
            "dense" tries every move, to check the faster methods. "auto" and "sparse" use the faster methods.
        engine : {"auto", "plain", "compiled"}
            "auto" compiles if the extra ``fast`` is installed and the work is large.
        progress : callable, optional
            Called as ``progress(heaps_done, heaps_total)`` now and then.

        Returns
        -------
        ndarray of unsigned integers, shape (n + 1,)

        Raises
        ------
        ParameterError
            ``n`` is negative or above 2**31 - 2, or the method is invalid.
        LimitError
            ``n`` is too large for moves of this kind, for example moves that may leave three heaps or more.
        RulesetError
            The moves are a Python function, as in :func:`rule`, and it fails or returns a wrong option.

        Notes
        -----
        In games with finitely many amounts that split a heap in two, the values are computed in a sparse space, if it
        has few rare heaps. This takes O(n r) with r rare heaps, plus the splits that are needed to find each value.
        Trying every move takes O(n**2), or O(n**2 v) if moves may leave three heaps or more and there are v values. If
        no move splits, and finitely many amounts or all but finitely many are allowed, the time is O(n). Once the
        values of the first heaps prove a period, all other values follow from the period (if n is below 10**8).

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
            raise ParameterError("unknown method {method!r}: expected one of {methods}", method, ", ".join(_METHODS))
        check_heap(n)
        if method == "dense":
            run = Run(engine, progress, dense=True)
            return np.asarray(self.rules.extend(np.zeros(0, np.uint8), n + 1, run))
        return np.asarray(self.packed_values(n, engine=engine, progress=progress))

    def table_shape(self, position: int) -> tuple[int]:
        """Return the shape of a table with the heaps 0 to ``position``."""
        return (position + 1,)

    def value_array(self, shape: Sequence[int], misere: bool) -> Array | None:
        """Return the values of the heaps 0 to ``shape[0] - 1``.

        Return None under misère play, for a table of several dimensions, or for too many heaps.
        """
        if misere or len(shape) != 1 or shape[0] > MAX_POSITIONS + 1:
            return None
        with suppress(LimitError):
            return self.grundy_values(shape[0] - 1)
        return None

    @checks_parameters
    def packed_values(
        self,
        n: int,
        known: HeapValues | None = None,
        *,
        goal: int | None = None,
        engine: Engine = "auto",
        progress: Progress | None = None,
    ) -> HeapValues:
        """Return the Grundy values of the heaps 0..n: an array or, if they save memory, PackedValues.

        Parameters
        ----------
        n : int
            The largest heap.
        known : ndarray or PackedValues, optional
            The values of the first heaps. Packed values may be extended in place: do not use them afterwards.
        goal : int, optional
            The largest heap that the caller will need later, by default n. If the computed values prove a
            period, the result may have the values of the heaps 0 to ``goal``, not only those of the heaps 0 to n.
        engine, progress
            As for :meth:`grundy_values`.

        Raises
        ------
        ParameterError, LimitError, RulesetError
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
        count, final_count = n + 1, (n if goal is None else goal) + 1
        looks = self.provable and final_count <= _MOST_FILLED
        counted = None if progress is None else lambda done, _: progress(done, final_count)
        if engine == "auto" and use_compiled(final_count):
            engine = "compiled"  # also for the small first steps, because later steps load the compiled loop anyway
        while len(values) < count:
            stop = min(max(1 << len(values).bit_length(), _PERIODS_FROM), count) if looks else count
            values = self.rules.extend(values, stop, Run(engine, counted))
            if looks and stop < final_count and stop.bit_count() == 1:
                period = find_period(self.name, np.asarray(values), self.rules)
                if period is not None:
                    return period.values_to(final_count - 1)
        return values if len(values) <= count else values[:count]

    @checks_parameters
    def p_heaps(self, n: int, *, engine: Engine = "auto", progress: Progress | None = None) -> Array:
        """Return an array of the P-positions among the heaps 0..n: the heaps where the second player wins.

        Parameters
        ----------
        n : int
            The largest heap.
        engine, progress
            As for :meth:`grundy_values`.

        Raises
        ------
        ParameterError, LimitError, RulesetError
            As :meth:`grundy_values`.

        Notes
        -----
        If no move splits and only finitely many amounts are allowed, only the outcomes are computed: O(n + k a) for k
        P-positions and a amounts. Otherwise the values are computed.

        Examples
        --------
        >>> from graphgame import heaps
        >>> heaps.subtraction([1, 3, 4]).p_heaps(10).tolist()
        [0, 2, 7, 9]
        """
        check_heap(n)
        return self.rules.p_heaps(n + 1, Run(engine, progress))

    @checks_parameters
    def period(
        self, limit: int, *, engine: Engine = "auto", progress: Progress | None = None
    ) -> PeriodCertificate | None:
        """Return the proved period of the values, or None if the heaps up to ``limit`` do not prove one.

        Parameters
        ----------
        limit : int
            The largest heap to compute. The search stops earlier if fewer heaps prove a period, or if it is clear that
            the heaps up to ``limit`` prove none.
        engine, progress
            As for :meth:`grundy_values`.

        Raises
        ------
        ParameterError, LimitError
            As :meth:`grundy_values`.

        Notes
        -----
        Three theorems prove periods; ``docs/heaps.md`` has the proofs. If no theorem applies, the result is None. No
        theorem applies if a move may leave two heaps or more and the rules restrict the sizes of these heaps.

        1. Moves take at most k and leave at most h heaps: if g(n + p) = g(n) for n0 <= n < h n0 + (h - 1) p + k, with
           n0 >= 1 (n0 >= 3 in Couples are Forever), then this holds for all n >= n0. For h = 2 this is the theorem of
           Guy and Smith.
        2. Any number may be taken except a finite set with maximum m: if g(n + p) = g(n) + s for n0 <= n <= n0 + 2m,
           then this holds for all n >= n0.
        3. A check of the moves can prove that the values repeat with a constant added, in two kinds of games. Either
           finitely many numbers may be taken, and moves may leave three heaps or more. Or any number may be taken, and
           after finitely many of these numbers (0 in Lasker's Nim) the rest may be left as two heaps, never more.

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
        period = self._grown_period(limit, Run(engine, progress), observed=False) if self.provable else None
        return period if isinstance(period, PeriodCertificate) else None

    @checks_parameters
    def any_period(
        self, limit: int, *, engine: Engine = "auto", progress: Progress | None = None
    ) -> PeriodCertificate | ObservedPeriod | None:
        """Return a proved period of the values; otherwise a period that the heaps up to ``limit`` show; otherwise None.

        Parameters
        ----------
        limit : int
            The largest heap to compute. The search stops earlier if fewer heaps prove a period.
        engine, progress
            As for :meth:`grundy_values`.

        Raises
        ------
        ParameterError, LimitError, RulesetError
            As :meth:`grundy_values`.

        Examples
        --------
        >>> from graphgame import heaps
        >>> [type(heaps.game(text).any_period(300)).__name__ for text in ("0.77", "take{even}", "grundy")]
        ['PeriodCertificate', 'ObservedPeriod', 'NoneType']
        """
        return self._grown_period(limit, Run(engine, progress), observed=True)

    def _grown_period(self, limit: int, run: Run, *, observed: bool) -> PeriodCertificate | ObservedPeriod | None:
        known: HeapValues = np.zeros(0, np.uint8)

        def values_to(n: int) -> Array:
            nonlocal known
            known = self.rules.extend(known, n + 1, run)
            return np.asarray(known)

        return growing_period(self.name, self.rules, limit, values_to, observed=observed)

    @checks_parameters
    def observed_period(
        self, limit: int, *, engine: Engine = "auto", progress: Progress | None = None
    ) -> ObservedPeriod | None:
        """Return the least period that the heaps up to ``limit`` show, or None. The period is not proved.

        It must occur more than three times and cover at least the last half of these heaps.

        Parameters
        ----------
        limit : int
            The largest heap to compute.
        engine, progress
            As for :meth:`grundy_values`.

        Raises
        ------
        ParameterError, LimitError, RulesetError
            As :meth:`grundy_values`.

        Examples
        --------
        >>> from graphgame import heaps
        >>> heaps.grundy_game().observed_period(1000) is None
        True
        """
        return observe_period(self.name, self.grundy_values(limit, engine=engine, progress=progress))

    @checks_parameters
    def holds(
        self, certificate: PeriodCertificate, *, engine: Engine = "auto", progress: Progress | None = None
    ) -> bool:
        """Return whether everything that a certificate states is right for this game; :meth:`fault` says what is wrong.

        Examples
        --------
        >>> from graphgame import heaps
        >>> kayles = heaps.octal("0.77")
        >>> kayles.holds(kayles.period(1000)), heaps.octal("0.76").holds(kayles.period(1000))
        (True, False)
        """
        return self.fault(certificate, engine=engine, progress=progress) is None

    @checks_parameters
    def fault(
        self, certificate: PeriodCertificate, *, engine: Engine = "auto", progress: Progress | None = None
    ) -> str | None:
        """Return a sentence about what is wrong with a certificate, or None if all is right for this game.

        The check tries the moves of all heaps that the proof needs. It does not compare the name of the game.

        Parameters
        ----------
        certificate : PeriodCertificate
        engine, progress
            As for :meth:`grundy_values`.

        Raises
        ------
        ParameterError, LimitError
            The certificate needs heaps that are too large to check.

        Notes
        -----
        The check verifies that each stated value is the mex of the options' values. If finitely many amounts may be
        taken, moves leave at most two heaps, and the values are below 2**16, the check has its own loop, which computes
        no values. Otherwise the values are computed again by trying every move. If moves split heaps, the loop tries
        O(n r) splits for n heaps, where r heaps have a rare value, and further splits until all smaller values are met.

        Examples
        --------
        >>> from dataclasses import replace
        >>> from graphgame import heaps
        >>> kayles = heaps.octal("0.77")
        >>> kayles.fault(replace(kayles.period(1000), last_heap=100))
        'the proof needs the heaps up to 167, but the certificate names 100'
        """
        return fault_of(self.name, self.rules, certificate, Run(engine, progress))

    @property
    def provable(self) -> bool:
        """True if one of the theorems in :meth:`period` applies to the game."""
        return self.rules.theorem is not None or self.rules.splits is not None


def row_ways(size: int, board: Picture, options: Iterable[Hashable]) -> Iterator[Way]:
    """Yield how the moves to ``options`` change ``board``, the picture of a heap of ``size`` pieces in a row.

    The remaining pieces do not move: at the left is a heap, then a gap where the pieces are taken, then the other
    heaps. A move that leaves one heap is yielded twice: with the heap at the left end, and with it at the right end. A
    move that leaves two different heaps is yielded in both orders. For a move that takes nothing, a line between the
    first two heaps shows the split. Yield nothing if ``board`` does not have exactly one cell for each piece.

    Examples
    --------
    >>> from graphgame.rules.pictures import row
    >>> [(way.option, way.origins) for way in row_ways(4, row(4, "pin"), [3, (1, 2)])]
    [(3, ((0, 1, 2),)), (3, ((1, 2, 3),)), ((1, 2), ((0,), (2, 3))), ((1, 2), ((3,), (0, 1)))]
    """
    for option in options if len(board.cells) == size else ():
        heaps = option if isinstance(option, tuple) else (cast("int", option),)
        orders = [heaps]
        if len(heaps) == 1 and heaps[0]:
            orders.append((0, *heaps))
        elif len(heaps) == 2 and heaps[0] != heaps[1]:
            orders.append(heaps[::-1])
        taken = size - sum(heaps)
        for parts in orders:
            first = parts[0]
            after = [*board.cells[:first], *[Cell("blank")] * taken, *board.cells[first + taken :]]
            starts = [0, *accumulate(parts[1:-1], initial=first + taken)]
            spans: dict[int, list[tuple[int, ...]]] = {}
            for part, start in zip(parts, starts, strict=False):
                # The picture of an empty part is one cell with a note. No cell of the board becomes this cell: -1.
                spans.setdefault(part, []).append(tuple(range(start, start + part)) or (-1,))
            line: Place = ()
            if first and not taken:  # a line to the right of the first part shows this move
                x, y = board.places[first - 1]
                line = (x + 0.5, y - 0.5, x + 0.5, y + 0.5)
            yield Way(option, tuple(after), line=line, origins=tuple(spans[heap].pop() for heap in heaps))
