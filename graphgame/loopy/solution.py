"""LoopySolution: what is known about a solved graph in which play need not end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property, reduce
from itertools import accumulate
from operator import xor
from typing import Literal

import numpy as np

from graphgame import sprague_grundy
from graphgame.csr import Rows
from graphgame.errors import CycleError, LimitError, TokenError
from graphgame.graph import GameGraph
from graphgame.loopy.passes import forced_lengths, infinite_values, loopy_values
from graphgame.loopy.values import Loopy, Outcome, ValueCodes, outcome_of
from graphgame.results import Move, VertexValues
from graphgame.solved import Solution

__all__ = ["LoopySolution"]


class LoopySolution(Solution):
    """A solved game with cycles; made by :func:`graphgame.solve` with ``cycles="loopy"``.

    A value is an int or a :class:`graphgame.loopy.Loopy`, an outcome "P", "N" or "D" (a draw: nobody can force an end).
    In the arrays an infinite value is -2 or less, the same for equal values; remoteness and birthday are -1, as a
    mapping None, where play need not end.

    Examples
    --------
    >>> import networkx as nx
    >>> from graphgame import solve
    >>> solution = solve(nx.DiGraph([("a", "b"), ("b", "a"), ("b", "end")]), cycles="loopy")
    >>> solution.grundy, solution.outcome["a"], solution.remoteness["a"]
    ({'a': 0, 'b': 1, 'end': 0}, 'P', 2)
    >>> solve(nx.DiGraph([(1, 2), (2, 1), (1, 3), (3, 4), (4, 3)]), cycles="loopy").grundy[1]
    inf()
    """

    _codes: ValueCodes
    _counter: np.ndarray

    def _solve(self) -> None:
        graph, sums = self.graph, self.graph.sums
        terminal = int(self.play == "misere")
        self._values, self._order = sprague_grundy.ending_values(graph, terminal=terminal, engine=self.engine)
        self._ends = np.zeros(len(graph), np.bool_)
        self._ends[self._order] = True
        self._plays_out = sums is not None and bool(terminal or (sums & ~self._ends).any())
        if self._expands:
            _refuse_endless_sums(graph)
            parts = self._parts
            assert isinstance(parts, LoopySolution)
            self._codes, self._values = parts._codes, self._from_product(parts._values)
            self._counter = self._from_product(parts._counter)
        else:
            counted = loopy_values(graph, self._values, self._order, engine=self.engine)
            self._codes = infinite_values(graph, self._values)
            self._counter = np.full(len(graph), -1, np.int32)
            self._counter[counted] = np.arange(len(counted))

    @property
    def _expands(self) -> bool:
        return self._plays_out

    @cached_property
    def grundy(self) -> VertexValues[int | Loopy]:  # type: ignore[override]
        """Position -> value: an int, or a :class:`Loopy` with the finite values among the options."""
        return VertexValues(self.graph, self._values, self._codes.decode)

    @cached_property
    def outcome(self) -> VertexValues[str]:
        """Position -> "P" (the previous player wins), "N" (the next player wins) or "D" (nobody can force an end)."""
        outcomes = np.where(self._values == 0, "P", "N")
        infinite = self._values < 0
        outcomes[infinite] = np.array([kind.outcome for kind in self._codes])[-2 - self._values[infinite]]
        return VertexValues(self.graph, outcomes)

    @cached_property
    def remoteness(self) -> VertexValues[int | None]:  # type: ignore[override]
        """Position -> length of the game when the winner hurries and the loser delays; None for a draw.

        Raises
        ------
        LimitError
            The graph has sum vertices and its explicit product is too large.
        """
        if self.graph.sums is not None:
            return VertexValues(self.graph, self._from_product(self._parts.remoteness.array), _known)
        moves = forced_lengths(self.graph, misere=self.play == "misere", engine=self.engine)
        return VertexValues(self.graph, moves, _known)

    @cached_property
    def birthday(self) -> VertexValues[int | None]:  # type: ignore[override]
        """Position -> length of the longest play; None where play need not end."""
        longest = sprague_grundy.birthday(self.graph, self._order, engine=self.engine)
        return VertexValues(self.graph, np.where(self._ends, longest, -1), _known)

    @cached_property
    def counter(self) -> VertexValues[int | None]:
        """Position -> its place in the order in which finite values were given; None where the value is infinite.

        A move from a value to a larger one can be undone, by a move back to the value with a smaller counter: so play
        that undoes such moves comes to an end.
        """
        return VertexValues(self.graph, self._counter, _known)

    @property
    def nim_sum(self) -> int | Loopy:  # type: ignore[override]
        """The sum of the tokens' values: their xor, in which infinite values absorb.

        Raises
        ------
        TokenError
            There are no tokens, or under misère play, where values do not combine.
        """
        if self.play == "misere":
            raise TokenError("misère play has no nim-sum: its values do not combine by xor; ask for winner")
        return reduce(xor, self.grundy.take(self._components), 0)

    @property
    def winner(self) -> Literal["first", "second", "draw"]:
        """Who wins the sum of the tokens with best play; "draw" where nobody can force an end.

        Raises
        ------
        TokenError
            There are no tokens.
        LimitError
            Misère play of several tokens, and their product is too large.
        """
        if self.play == "normal":
            outcome: str = outcome_of(self.nim_sum)
        else:
            outcome = self._sum.outcome.array[self._sum_number(self._components.tolist())]
        return {"P": "second", "N": "first", "D": "draw"}[outcome]  # type: ignore[return-value]

    def winning_moves(self) -> list[Move]:
        """Return every move of the tokens' sum that wins, by component, then by the option's vertex number.

        Raises
        ------
        TokenError
            There are no tokens.
        LimitError
            Misère play of several tokens, and their product is too large.
        """
        return list(self._moves_to("P"))

    def drawing_moves(self) -> list[Move]:
        """Return every move of the tokens' sum after which nobody can force an end, in the order of winning_moves.

        Raises
        ------
        TokenError
            There are no tokens.
        LimitError
            Misère play of several tokens, and their product is too large.
        """
        return list(self._moves_to("D"))

    def best_move(self) -> Move | None:
        """Return the move that wins fastest, else one that draws, else the one that loses as late as possible.

        Raises
        ------
        TokenError
            There are no tokens.
        LimitError
            How long a sum lasts depends on all components together, and their product is too large.
        """
        length, outcome, results = self._sum.remoteness.array, self._sum.outcome.array, self._results()
        for wanted in ("P", "D", "N"):
            moves = [result for result in results if outcome[result[1]] == wanted]
            if moves:
                choose = min if wanted == "P" else max
                return self._move(*choose(moves, key=lambda result: length[result[1]])[0])
        return None

    def sum_remoteness(self) -> int | None:  # type: ignore[override]
        """Return the length of the tokens' game when the winner hurries and the loser delays; None for a draw.

        Raises
        ------
        TokenError
            There are no tokens.
        LimitError
            How long a sum lasts depends on all components together, and their product is too large.
        """
        return _known([super().sum_remoteness()])[0]

    def _moves_to(self, outcome: Outcome) -> Iterator[Move]:
        """Yield the moves after which the sum has an outcome."""
        if self.play == "misere":
            after = self._sum.outcome.array
            yield from (self._move(*move) for move, result in self._results() if after[result] == outcome)
            return
        for component, (vertex, rest) in enumerate(zip(self._components.tolist(), self._rests(), strict=True)):
            row = self.graph.options.row(vertex)
            for option, value in zip(row.tolist(), self.grundy.take(row), strict=True):
                if outcome_of(value ^ rest) == outcome:
                    yield self._move(component, option)

    def _rests(self) -> list[int | Loopy]:
        """Return, for each token, the sum of the others' values."""
        values = self.grundy.take(self._components)
        before = list(accumulate(values, xor, initial=0))
        after = list(accumulate(reversed(values), xor, initial=0))
        return list(map(xor, before[:-1], reversed(after[:-1])))


def _known(lengths: Sequence[int]) -> list[int | None]:
    return [None if length < 0 else length for length in lengths]


def _refuse_endless_sums(graph: GameGraph) -> None:
    """Refuse a sum that is a part of itself: it has no end of components."""
    rows: Rows = graph.options
    sums: np.ndarray = graph.sums  # type: ignore[assignment]
    source = np.repeat(np.arange(len(graph), dtype=np.int32), rows.lengths())
    nested = sums[source] & sums[rows.indices]
    try:
        sprague_grundy.grundy_values(GameGraph.from_arrays(source[nested], rows.indices[nested], graph.labels))
    except CycleError as error:
        raise LimitError(f"the sum {error.cycle[0]!r} is a part of itself: it has no end of components") from None
