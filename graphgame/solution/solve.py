"""The function :func:`solve`, and its results: :class:`Solution`, or :class:`LoopySolution` for a graph with cycles."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import cached_property
from typing import TYPE_CHECKING, Any

import networkx as nx
import numpy as np

from graphgame.compiled.engine import PRODUCT_LIMIT, Engine
from graphgame.errors import CycleError, LimitError, Message, checks_parameters, needs_extra, plural
from graphgame.errors.of_networkx import LOOPY_ADVICE, advising_loopy
from graphgame.graph import SUNNY, Displayed
from graphgame.graph.conversion import edges_advice
from graphgame.graph.gamegraph import GameGraph, GameLike
from graphgame.graph.rows import marked
from graphgame.solution import sprague_grundy
from graphgame.solution.results import (
    Counts,
    Decisive,
    Move,
    Option,
    Options,
    ValueCodes,
    ValueCount,
    VertexValues,
    outcome_of,
    play_name,
    refuse_misere_end,
    value_key,
)
from graphgame.solution.sprague_grundy import decisive_values, without_decisive
from graphgame.solution.sums import NumberedMove, Product, Solved, moving_parts

if TYPE_CHECKING:
    import pandas as pd


@checks_parameters
@advising_loopy()
def solve(
    game: GameLike,
    *,
    misere: bool | None = None,
    tokens: Iterable[Hashable] | None = None,
    engine: Engine = "auto",
    product_limit: int = PRODUCT_LIMIT,
    loopy: bool = False,
    run_rules: bool = False,
) -> Solution:
    """Compute the value of every position of a game.

    Parameters
    ----------
    game : GameLike
        A graph, whose vertices are positions and whose edges are moves; or a position, the text of a position, or the
        path of a file. :class:`GameGraph` lists all that is accepted.
    misere : bool, optional
        Whether a player who cannot move wins. The default is the play convention of a :class:`Position` or a
        :class:`Solution`, and normal play for any other game.
    tokens : iterable of hashable, optional
        The components of the sum that questions are about, one position each; a position may occur several times. The
        default is the graph's own tokens, ``graph.graph["tokens"]``.
    engine : {"auto", "plain", "compiled"}
        "auto" runs compiled loops (extra ``fast``) on large graphs; the results are identical.
    product_limit : int
        The limit on the positions of the explicit graph of a sum. Only these questions need that graph: who wins misère
        play of a sum and by which moves, how long play of a sum lasts, and which value a sum vertex has if it is on a
        cycle or under misère play.
    loopy : bool
        Whether the graph may have cycles; the values are then those of Smith: see :class:`LoopySolution`.
    run_rules : bool
        Whether to run the Python file that a text names: see :func:`parse_position`.

    Returns
    -------
    Solution
        A :class:`LoopySolution` if the graph has a cycle.

    Raises
    ------
    CycleError
        The graph has a cycle, and ``loopy`` is false; the error has one cycle.
    UndirectedGraphError, NotAGameError, ParseError, RulesetError, OSError
        As for :class:`GameGraph`.
    UnknownPositionError
        A token is not a vertex of the graph.
    TokenError
        A token stands on a sum vertex.
    LimitError
        The graph of a position is too large. Or values of sum vertices, under misère play or with cycles, need the
        explicit graph of sums, and that graph is too large or infinite.
    ParameterError, MissingExtraError
        A parameter has a wrong value, the game has no misère play, or ``engine`` is "compiled" without numba.

    Notes
    -----
    O(n + m) time and memory for n vertices and m edges, unless there are cycles or an explicit graph of sums.
    :mod:`graphgame.solution.sprague_grundy` describes the pass.

    References
    ----------
    R. P. Sprague, Über mathematische Kampfspiele, Tôhoku Math. J. 41 (1935); P. M. Grundy, Mathematics and
    games, Eureka 2 (1939).

    Examples
    --------
    >>> heap = nx.DiGraph((n, m) for n in range(6) for m in range(n))  # a heap of Nim, as a graph
    >>> solution = solve(heap, tokens=[3, 4, 5])
    >>> solution.nim_sum, solution.winner
    (2, 'first')
    >>> solution.winning_moves()
    [Move(component=0, start=3, end=1)]
    """
    # Only True counts: for a table of edges, ``game.misere`` may be a column of that name.
    misere = getattr(game, "misere", None) is True if misere is None else misere
    graph = GameGraph.of(game, run_rules=run_rules)
    components = graph.checked_tokens(tokens)
    try:
        return Solution(graph, misere, components, engine, product_limit)
    except CycleError as error:
        if not loopy:
            error.advice = edges_advice(game) or error.advice
            raise
    return LoopySolution(graph, misere, components, engine, product_limit)


def solution_of(game: GameLike, *, misere: bool | None = None) -> Solution:
    """Return a solution as it is, and solve any other game.

    For a solution, ``misere`` is ignored. A CycleError does not advise ``loopy=True``: callers have no such parameter.

    Examples
    --------
    >>> solution_of(nx.DiGraph([("a", "b")])).grundy["a"]
    1
    """
    if isinstance(game, Solution):
        return game
    try:
        return solve(game, misere=misere)
    except CycleError as error:
        error.advice = None if error.advice is LOOPY_ADVICE else error.advice
        raise


def sources(graph: GameGraph) -> np.ndarray:
    """Return the numbers of the vertices that no edge leads to or, if there are none, of all vertices."""
    numbers = np.flatnonzero(graph.predecessor_rows.lengths() == 0)
    return numbers if len(numbers) else np.arange(len(graph))


@checks_parameters
class Solution(Displayed, Solved):
    """A solved game; made by :func:`graphgame.solve`.

    ``grundy``, ``outcome``, ``remoteness`` and ``birthday`` are mappings from each vertex to its result. Each has the
    results in the order of ``graph`` in a numpy array, ``array``; in ``grundy.array`` -2 is sunny, -3 loony.

    Attributes
    ----------
    graph : GameGraph
    misere : bool
        Whether a player who cannot move wins.
    tokens : tuple of hashable or None
        The positions whose sum :attr:`winner`, :meth:`winning_moves` and other methods are about.
    engine : {"auto", "plain", "compiled"}
    product_limit : int
        The limit on the positions of the explicit graph of a sum.

    Raises
    ------
    TokenError
        By a method about the tokens' sum, if there are no tokens.
    LimitError
        By a method that needs the explicit graph of a sum, if that graph is too large.

    Notes
    -----
    Solving takes O(n + m) time for n vertices and m edges, unless there are sum vertices under misère play. Remoteness
    and birthdays are computed at their first use. Under normal play, finding the winning moves takes time linear in the
    number of the tokens' options. Misère play and the length of play take time linear in the sum's explicit graph.

    Examples
    --------
    >>> solution = solve(nx.DiGraph([("a", "b"), ("b", "c"), ("a", "c")]), tokens=["a", "b"])
    >>> solution.grundy["a"], solution.outcome["a"], solution.remoteness["a"], dict(solution.birthday)
    (2, 'N', 1, {'a': 2, 'b': 1, 'c': 0})
    >>> solution.nim_sum, solution.winner, solution.winning_moves()
    (3, 'first', [Move(component=0, start='a', end='b')])
    >>> solution.grundy.array
    array([2, 1, 0], dtype=int32)
    """

    def __init__(
        self,
        graph: GameGraph,
        misere: bool = False,
        tokens: tuple[Hashable, ...] | None = None,
        engine: Engine = "auto",
        product_limit: int = PRODUCT_LIMIT,
    ) -> None:
        self.graph = graph
        self.misere = misere
        self.tokens = tokens
        self.engine = engine
        refuse_misere_end(misere, graph.decided is not None)
        self.product_limit = product_limit
        self._solve()

    def _solve(self) -> None:
        terminal = int(self.misere)
        self.codes = ValueCodes.of_graph(self.graph.decided)
        self._values, self._order = sprague_grundy.grundy_values(self.graph, terminal=terminal, engine=self.engine)
        if self.misere and self.graph.sums is not None:  # misère values do not combine by xor
            self._values = self._from_product(self._parts._values)

    def __repr__(self) -> str:
        size = f"{plural(len(self.graph), 'vertex')}, {plural(self.graph.number_of_edges(), 'edge')}"
        tokens = "" if self.tokens is None else f", {plural(len(self.tokens), 'token')}"
        return f"<Solution: {size}, {play_name(self.misere)} play{tokens}>"

    @property
    def _positions(self) -> GameGraph:
        return self.graph

    def _option_rows(self, vertices: np.ndarray) -> Iterator[np.ndarray]:
        return map(self.graph.option_rows.row, vertices.tolist())

    @cached_property
    def remoteness(self) -> VertexValues[int]:
        """Mapping: position -> length of play when the winner hurries and the loser delays.

        Raises
        ------
        LimitError
            The graph has sum vertices, and the explicit graph of the sums is too large.
        """
        if self.graph.sums is not None:
            return VertexValues(self.graph, self._from_product(self._parts.remoteness.array))
        moves = sprague_grundy.remoteness(self.graph, self._values, self._order, engine=self.engine)
        return VertexValues(self.graph, moves)

    @cached_property
    def birthday(self) -> VertexValues[int]:
        """Mapping: position -> length of the longest play.

        Raises
        ------
        LimitError
            The longest play of some sum has 2**63 moves or more.
        """
        return VertexValues(self.graph, sprague_grundy.birthday(self.graph, self._order, engine=self.engine))

    def drawing_moves(self) -> list[Move]:
        """Return every move of the tokens' sum after which nobody can force a win.

        They are in the order of :meth:`winning_moves`.

        Raises
        ------
        TokenError, LimitError
            As for :attr:`winner`.
        """
        return self._named(self._moves_to("D"))

    def best_move(self) -> Move | None:
        """Return the move of the tokens' sum that wins fastest; None if there is no move.

        If no move wins, it is a move that draws; if none draws, the move that loses as late as possible.

        Raises
        ------
        TokenError
            There are no tokens.
        LimitError
            The explicit graph of the sum, which tells how long play lasts, is too large.
        """
        if self._value_decides:
            return next(
                (self._named([move])[0] for move in self._moves_to("P") if self._values[move[2]] == SUNNY), None
            )
        length, outcome = self._sum.remoteness.array, self._sum.outcome.array

        def rank(result: tuple[NumberedMove, int]) -> tuple[int, int]:
            moves, winner = int(length[result[1]]), outcome[result[1]]
            return "PDN".index(winner), moves if winner == "P" else -moves

        best = min(self._results(), key=rank, default=None)
        return None if best is None else self._named([best[0]])[0]

    def sum_remoteness(self) -> int:
        """Return the length of play of the tokens' sum when the winner hurries and the loser delays.

        Raises
        ------
        TokenError, LimitError
            As for :meth:`best_move`.
        """
        if self._value_decides:
            return int(not self._is_over)
        return int(self._at_tokens(self._sum.remoteness.array))

    def options(self, position: Hashable) -> Options:
        """Return the options of a position, or the parts of a sum, with their values.

        Raises
        ------
        UnknownPositionError
            The position is not a vertex of the graph.

        Examples
        --------
        >>> solution = solve(nx.DiGraph([("a", "b"), ("a", "c"), ("b", "c")]))
        >>> [option.grundy for option in solution.options("a")], solution.options("a").derivation
        ([1, 0], 'mex{0, 1} = 2')
        """
        vertex = self.graph.number_of(position)
        row = self.graph.option_rows.row(vertex)
        options = map(Option, self.graph.labels.take(row), self.grundy.take(row), self.outcome.take(row))
        kind = "sum" if self.graph.is_sum(position) else "position"
        return Options(options, kind, self.grundy.take([vertex])[0], self.misere)

    def counts(self) -> Counts:
        """Return the numbers of positions and moves, and how many positions have each outcome and each value."""
        graph = self.graph
        numbers = np.arange(len(graph)) if graph.sums is None else np.flatnonzero(~graph.sums)
        _, first, count = np.unique(self._values[numbers], return_index=True, return_counts=True)
        values, examples = self.grundy.take(numbers[first]), graph.labels.take(numbers[first])
        counts = dict(zip(values, map(ValueCount, count.tolist(), examples), strict=True))
        total = Counter[str]()
        for value, entry in counts.items():
            total[outcome_of(value)] += entry.count
        histogram = {value: counts[value] for value in sorted(counts, key=value_key)}
        moves = int(graph.out_degrees[numbers].sum(dtype=np.int64))
        return Counts(len(numbers), moves, total["P"], total["N"], histogram, total["D"])

    def to_networkx(self) -> nx.DiGraph:
        """Return an ordinary networkx graph whose vertices have the attributes ``grundy`` and ``outcome``.

        A vertex with tokens has the attribute ``tokens``, the number of its tokens. The graph itself has no attribute
        ``tokens``, so that networkx can write it to files (to GraphML, GML and GEXF only if all values are integers).

        Examples
        --------
        >>> solve(nx.DiGraph([("a", "b")]), tokens=["a", "a"]).to_networkx().nodes["a"]
        {'grundy': 1, 'outcome': 'N', 'tokens': 2}
        """
        graph = nx.DiGraph(self.graph)
        graph.graph.pop("tokens", None)
        nx.set_node_attributes(graph, dict(self.grundy), "grundy")
        nx.set_node_attributes(graph, dict(self.outcome), "outcome")
        nx.set_node_attributes(graph, Counter(self.tokens), "tokens")
        return graph

    def to_pandas(self) -> pd.DataFrame:
        """Return a DataFrame with the columns ``grundy``, ``outcome`` and ``remoteness`` and a row for each vertex.

        The remoteness of a draw is a missing value, and this column is missing if the graph of the sums is too large.

        Raises
        ------
        MissingExtraError
            pandas is not installed.

        Examples
        --------
        >>> solve(nx.DiGraph([("a", "b"), ("b", "c")])).to_pandas()["remoteness"].to_dict()
        {'a': 2, 'b': 1, 'c': 0}
        """
        with needs_extra(Message("a DataFrame"), "pandas"):
            import pandas as pd
        every_vertex = slice(None)
        columns: dict[str, Any] = {"grundy": self.grundy.take(every_vertex), "outcome": self.outcome.take(every_vertex)}
        with suppress(LimitError):
            columns["remoteness"] = pd.array(self.remoteness.take(every_vertex), dtype="Int64")
        index = pd.Index(list(self.graph.labels), name="position", tupleize_cols=False)
        return pd.DataFrame(columns, index=index)

    @property
    def _value_decides(self) -> bool:
        """Whether a token stands on a sunny or loony vertex: play of the sum is over, or one move can end it."""
        return self.graph.decided is not None and isinstance(self.nim_sum, Decisive)

    @property
    def _is_over(self) -> bool:
        """Whether a token stands on a decided position, or on a sum with a decided part: play of the sum is over."""
        if self.graph.decided is None:
            return False
        parts = moving_parts(self.graph, self.components, self.product_limit)
        return parts is not None and bool(self.graph.decided[parts].any())

    def _sum_outcome(self) -> str:
        return super()._sum_outcome() if not self.misere else str(self._at_tokens(self._sum.outcome.array))

    def _moves_to(self, outcome: str) -> Iterator[NumberedMove]:
        if self._is_over:
            return iter(())
        if not self.misere:
            return super()._moves_to(outcome)
        after = self._sum.outcome.array
        return (move for move, result in self._results() if after[result] == outcome)

    @cached_property
    def _parts_product(self) -> Product:
        """The explicit graph of all sums reachable from any vertex; in it a sum vertex is the multiset of its parts."""
        return Product(self.graph, ((vertex,) for vertex in range(len(self.graph))), self.product_limit)

    @cached_property
    def _parts(self) -> Solution:
        return type(self)(self._parts_product.graph, self.misere, engine=self.engine)

    def _from_product(self, array: np.ndarray) -> np.ndarray:
        product = self._parts_product
        return array[[product.number_of((vertex,)) for vertex in range(len(self.graph))]]

    @property
    def _product(self) -> Product | None:
        """The explicit graph of the tokens' sum; None for one token and no sum vertices. May raise a LimitError."""
        if isinstance(self._product_or_error, LimitError):
            raise self._product_or_error.with_traceback(None)
        return self._product_or_error

    @cached_property
    def _product_or_error(self) -> Product | LimitError | None:
        """The result of :attr:`_product`, or its error, which is cached so that another question fails at once."""
        if len(self.components) == 1 and self.graph.sums is None:
            return None
        try:
            return Product(self.graph, [self.components.tolist()], self.product_limit)
        except LimitError as error:
            return error

    @cached_property
    def _sum(self) -> Solution:
        """The solution of the explicit graph of the tokens' sum; self for one token on a graph without sum vertices."""
        return self if self._product is None else type(self)(self._product.graph, self.misere, engine=self.engine)

    def _at_tokens(self, array: np.ndarray) -> Any:  # noqa: ANN401
        """Return the entry for the tokens' sum in an array that has an entry for each vertex of its explicit graph."""
        return array[self._sum_number(self.components.tolist())]

    def _sum_number(self, components: list[int]) -> int:
        return components[0] if self._product is None else self._product.number_of(components)

    def _results(self) -> list[tuple[NumberedMove, int]]:
        """Return each move of the tokens' sum, with the vertex in the explicit graph to which it leads."""
        components = self.components.tolist()
        return [
            ((index, start, end), self._sum_number([*components[:index], end, *components[index + 1 :]]))
            for index, start in enumerate(components)
            for end in self.graph.option_rows.row(start).tolist()
        ]


class LoopySolution(Solution):
    """A solved game with cycles; made by :func:`graphgame.solve` with ``loopy=True``.

    A value is an int, a :class:`graphgame.Loopy` if it is infinite, or a Decisive. An outcome is "P", "N" or "D" (a
    draw: nobody can force a win). In the array, a value that is no int has a code of -2 or less. The remoteness of a
    draw, and the birthday of a position from which play need not end, are None in the mappings and -1 in the arrays.

    Attributes
    ----------
    codes : ValueCodes
        It maps each code of -2 or less to its value.

    Examples
    --------
    >>> solution = solve(nx.DiGraph([("a", "b"), ("b", "a"), ("b", "end")]), loopy=True)
    >>> solution.grundy, solution.outcome["a"], solution.remoteness["a"]
    ({'a': 0, 'b': 1, 'end': 0}, 'P', 2)
    >>> solve(nx.DiGraph([(1, 2), (2, 1), (1, 3), (3, 4), (4, 3)]), loopy=True).grundy[1]
    inf()
    """

    _counter: np.ndarray

    def _solve(self) -> None:
        from graphgame.solution.loopy import infinite_values, layered_values, loopy_values, sum_layers

        graph, terminal = self.graph, int(self.misere)
        self._values, self._order = sprague_grundy.ending_values(graph, terminal=terminal, engine=self.engine)
        self._ends = marked(self._order, len(graph))
        order, decisive = self._order, decisive_values(graph)
        if decisive is not None:
            graph = without_decisive(graph, decisive)
            self._values, order = sprague_grundy.ending_values(graph, engine=self.engine)
        self.codes = ValueCodes.of_graph(self.graph.decided)
        unsolved = np.flatnonzero(~marked(order, len(graph)))
        open_sums = graph.sums is not None and bool(graph.sums[unsolved].any())
        layers = sum_layers(graph, unsolved) if open_sums and not terminal else None
        plays_out = graph.sums is not None and (bool(terminal) or (open_sums and layers is None))
        if plays_out:
            parts = self._parts
            assert isinstance(parts, LoopySolution)
            self.codes, self._values = parts.codes, self._from_product(parts._values)
            self._counter = self._from_product(parts._counter)
            return
        if layers is None:
            finite = loopy_values(graph, self._values, order, engine=self.engine)
            infinite_values(graph, self._values, self.codes)
        else:
            finite = layered_values(graph, self._values, order, layers, self.codes, engine=self.engine)
        self._counter = np.full(len(graph), -1, np.int32)
        self._counter[finite] = np.arange(len(finite))
        if decisive is not None:
            self._values = np.where(decisive, decisive, self._values)
            self._counter[decisive < 0] = -1

    @cached_property
    def remoteness(self) -> VertexValues[int | None]:  # type: ignore[override]
        """Mapping: position -> length of play when the winner hurries and the loser delays; None for a draw."""
        if self.graph.sums is not None:
            return VertexValues(self.graph, self._from_product(self._parts.remoteness.array), _none_if_negative)
        from graphgame.solution.loopy import forced_lengths

        moves = forced_lengths(self.graph, misere=self.misere, engine=self.engine)
        return VertexValues(self.graph, moves, _none_if_negative)

    @cached_property
    def birthday(self) -> VertexValues[int | None]:  # type: ignore[override]
        """Mapping: position -> length of the longest play; None if play need not end."""
        longest = sprague_grundy.birthday(self.graph, self._order, engine=self.engine)
        return VertexValues(self.graph, np.where(self._ends, longest, -1), _none_if_negative)

    @cached_property
    def counter(self) -> VertexValues[int | None]:
        """Mapping: position -> its index in the order in which finite values were assigned; None without an index.

        A position without a finite value has no index, and a sum vertex that leads to a cycle may have none. In normal
        play without sum vertices, take a position with an index: after each move to a larger or infinite value, a reply
        can restore the position's value, at a smaller index. So moves that are always undone cannot go on forever.
        """
        return VertexValues(self.graph, self._counter, _none_if_negative)

    def sum_remoteness(self) -> int | None:  # type: ignore[override]
        """Return the length of play of the tokens' sum if the winner hurries and the loser delays; None for a draw."""
        return _none_if_negative([super().sum_remoteness()])[0]


def _none_if_negative(numbers: Sequence[int]) -> list[int | None]:
    return [None if number < 0 else number for number in numbers]
