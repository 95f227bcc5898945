"""solve(): a graph of positions becomes a :class:`Solution`, or with a cycle a :class:`LoopySolution`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import cached_property
from typing import TYPE_CHECKING, Any

import networkx as nx
import numpy as np

from graphgame.compiled.engine import PRODUCT_LIMIT
from graphgame.errors import CycleError, LimitError, Message, lists_parameters, needs_extra, plural
from graphgame.errors.of_networkx import LOOPY_ADVICE, advising_loopy
from graphgame.graph.conversion import edges_advice
from graphgame.graph.decided import SUNNY
from graphgame.graph.displayed import Displayed
from graphgame.graph.gamegraph import GameGraph, GameLike
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
    checked_flag,
    outcome_of,
    play_name,
    refuse_misere_end,
    value_key,
)
from graphgame.solution.sprague_grundy import decisive_values, without_decisive
from graphgame.solution.sums import NumberedMove, Product, Solved, moving_parts

if TYPE_CHECKING:
    import pandas as pd


@lists_parameters
@advising_loopy()
def solve(
    game: GameLike,
    *,
    misere: bool | None = None,
    tokens: Iterable[Hashable] | None = None,
    engine: str = "auto",
    product_limit: int = PRODUCT_LIMIT,
    loopy: bool = False,
    run_rules: bool = False,
) -> Solution:
    """Give every position of a game its value.

    Parameters
    ----------
    game : GameLike
        A graph, whose vertices are positions and whose edges are moves; a position, the text of one, or a file's path:
        :class:`GameGraph` lists what is taken.
    misere : bool, optional
        Whether a player who cannot move wins; by default as a position says, and normal play of a graph.
    tokens : iterable of hashable, optional
        The components of the sum asked about, one position each; two may stand on one position. The default
        is the graph's own: ``graph.graph["tokens"]``.
    engine : {"auto", "plain", "compiled"}
        "auto" runs compiled loops (extra ``fast``) on large graphs; the results are identical.
    product_limit : int
        Most positions of an explicit graph of sums, which only two questions need: misère play of sums, and how
        long a sum lasts.
    loopy : bool
        Whether play need not end; then the values are those of Smith: see :class:`LoopySolution`.
    run_rules : bool
        Whether to run the Python file that a text names: see :func:`parse_position`.

    Returns
    -------
    Solution
        A :class:`LoopySolution` where there is a cycle.

    Raises
    ------
    CycleError
        Play need not end, and ``loopy`` is not set; carries one cycle.
    UndirectedGraphError
        The graph is undirected.
    UnknownPositionError
        A token is not a vertex of the graph.
    TokenError
        A token stands on a sum vertex.
    LimitError
        Misère play of a graph with sum vertices whose explicit product is too large; or a sum in it has no end.
    ParameterError
        ``misere`` or ``loopy`` is neither True nor False.

    Notes
    -----
    O(n + m) time and memory for n vertices and m edges. See :mod:`graphgame.solution.sprague_grundy` for the pass.

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
    # Of a table of edges ``misere`` may be a column.
    misere = getattr(game, "misere", None) is True if misere is None else checked_flag("misere", misere)
    loopy = checked_flag("loopy", loopy)
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
    """Return a solution as it is, and solve any other game; an error does not advise ``loopy``, which callers lack.

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


class Solution(Displayed, Solved):
    """A solved game; made by :func:`graphgame.solve`.

    ``grundy``, ``outcome``, ``remoteness`` and ``birthday`` map each position to its value; ``grundy.array`` and so on
    are the same as numpy arrays by vertex number, in the order of ``graph``.

    Attributes
    ----------
    graph : GameGraph
    misere : bool
    tokens : tuple of hashable or None
        The components of the sum asked about.
    engine : {"auto", "plain", "compiled"}
    product_limit : int
        Most positions of an explicit graph of sums.

    Raises
    ------
    TokenError
        A question about the sum, where there are no tokens.
    LimitError
        A question that plays the sum out, where its explicit graph is too large.

    Notes
    -----
    O(n + m) time when it is made, for n vertices and m edges; remoteness, birthdays and the rest when they are first
    asked for. Winning moves take time linear in the tokens' options, how long a sum lasts in its explicit graph.

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
        engine: str = "auto",
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
        if self._expands:
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
        """Position -> length of the game when the winner hurries and the loser delays.

        Raises
        ------
        LimitError
            The graph has sum vertices and its explicit product is too large.
        """
        if self.graph.sums is not None:
            return VertexValues(self.graph, self._from_product(self._parts.remoteness.array))
        moves = sprague_grundy.remoteness(self.graph, self._values, self._order, engine=self.engine)
        return VertexValues(self.graph, moves)

    @cached_property
    def birthday(self) -> VertexValues[int]:
        """Position -> length of the longest play."""
        return VertexValues(self.graph, sprague_grundy.birthday(self.graph, self._order, engine=self.engine))

    def drawing_moves(self) -> list[Move]:
        """Return every move of the tokens' sum after which nobody can force an end, in the order of winning_moves.

        Raises
        ------
        TokenError, LimitError
            As for :attr:`winner`.
        """
        return self._named(self._moves_to("D"))

    def best_move(self) -> Move | None:
        """Return the move that wins fastest, else one that draws, else the one that loses as late as possible.

        None when there is no move.

        Raises
        ------
        TokenError
            There are no tokens.
        LimitError
            How long a sum lasts depends on all components together, and their product is too large.
        """
        if self._value_decides:
            return next(
                (self._named([move])[0] for move in self._moves_to("P") if self._values[move[2]] == SUNNY), None
            )
        length, outcome, results = self._sum.remoteness.array, self._sum.outcome.array, self._results()
        for wanted in ("P", "D", "N"):
            moves = [result for result in results if outcome[result[1]] == wanted]
            if moves:
                choose = min if wanted == "P" else max
                best, _ = choose(moves, key=lambda result: length[result[1]])
                return self._named([best])[0]
        return None

    def sum_remoteness(self) -> int:
        """Return the length of the tokens' game when the winner hurries and the loser delays.

        Raises
        ------
        TokenError
            There are no tokens.
        LimitError
            How long a sum lasts depends on all components together, and their product is too large.
        """
        if self._value_decides:
            return int(not self._is_over)
        return int(self._at_tokens(self._sum.remoteness.array))

    def options(self, position: Hashable) -> Options:
        """Return the options of a position, or the parts of a sum, with their values.

        Raises
        ------
        UnknownPositionError
            It is not a vertex of the graph.

        Examples
        --------
        >>> solution = solve(nx.DiGraph([("a", "b"), ("a", "c"), ("b", "c")]))
        >>> [option.grundy for option in solution.options("a")], solution.options("a").derivation
        ([1, 0], 'mex{0, 1} = 2')
        """
        vertex = self.graph.number_of(position)
        row = self.graph.option_rows.row(vertex)
        columns = (self.graph.labels.take(row), self.grundy.take(row), self.outcome.take(row))
        kind = "sum" if self.graph.is_sum(position) else "position"
        return Options(list(map(Option, *columns)), kind, self.grundy.take([vertex])[0], self.misere)

    def counts(self) -> Counts:
        """Return how many positions and moves there are, and how many positions have each value."""
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

        ``tokens`` is how many tokens stand on a vertex, where there are any: the graph itself has no attribute of them,
        so that networkx writes it to files. (To GraphML only with finite values.)

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
        """Return the columns ``grundy``, ``outcome`` and ``remoteness``, with a row for each position.

        The remoteness is an integer or missing (a draw); the column is left out where an explicit product would be
        too large.

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
        everyone = slice(None)
        columns: dict[str, Any] = {"grundy": self.grundy.take(everyone), "outcome": self.outcome.take(everyone)}
        with suppress(LimitError):
            columns["remoteness"] = pd.array(self.remoteness.take(everyone), dtype="Int64")
        index = pd.Index(list(self.graph.labels), name="position", tupleize_cols=False)
        return pd.DataFrame(columns, index=index)

    @property
    def _value_decides(self) -> bool:
        """Whether play of the tokens' sum is over, or can be ended by one move."""
        return self.graph.decided is not None and isinstance(self.nim_sum, Decisive)

    @property
    def _is_over(self) -> bool:
        """Whether a decided position ended play of the tokens' sum."""
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

    @property
    def _expands(self) -> bool:
        """Whether values need the explicit product, for misère play does not respect xor."""
        return self.misere and self.graph.sums is not None

    @cached_property
    def _parts_product(self) -> Product:
        """The explicit graph below every vertex, with sum vertices replaced by their parts."""
        return Product(self.graph, ((vertex,) for vertex in range(len(self.graph))), self.product_limit)

    @cached_property
    def _parts(self) -> Solution:
        return type(self)(self._parts_product.graph, self.misere, engine=self.engine)

    def _from_product(self, array: np.ndarray) -> np.ndarray:
        product = self._parts_product
        return array[[product.number_of((vertex,)) for vertex in range(len(self.graph))]]

    @property
    def _product(self) -> Product | None:
        """The explicit graph of the tokens' sum; None where the graph itself serves: one component without sums."""
        if isinstance(self._product_or_error, LimitError):
            raise self._product_or_error.with_traceback(None)
        return self._product_or_error

    @cached_property
    def _product_or_error(self) -> Product | LimitError | None:
        """The product, or the error where it is too large: who asks again need not wait again."""
        if len(self.components) == 1 and self.graph.sums is None:
            return None
        try:
            return Product(self.graph, [self.components.tolist()], self.product_limit)
        except LimitError as error:
            return error

    @cached_property
    def _sum(self) -> Solution:
        """The solution in which the tokens' sum is one position."""
        return self if self._product is None else type(self)(self._product.graph, self.misere, engine=self.engine)

    def _at_tokens(self, array: np.ndarray) -> Any:  # noqa: ANN401
        """Return what an array over the tokens' sum holds for the sum itself."""
        return array[self._sum_number(self.components.tolist())]

    def _sum_number(self, components: list[int]) -> int:
        return components[0] if self._product is None else self._product.number_of(components)

    def _results(self) -> list[tuple[NumberedMove, int]]:
        """Return each move of the sum, with the number of the sum that it leaves."""
        components = self.components.tolist()
        return [
            ((place, start, end), self._sum_number([*components[:place], end, *components[place + 1 :]]))
            for place, start in enumerate(components)
            for end in self.graph.option_rows.row(start).tolist()
        ]


class LoopySolution(Solution):
    """A solved game with cycles; made by :func:`graphgame.solve` with ``loopy=True``.

    A value is an int or a :class:`graphgame.Loopy`, an outcome "P", "N" or "D" (a draw: nobody can force an end).
    In the arrays an infinite value is -2 or less, the same for equal values; remoteness and birthday are -1, as a
    mapping None, where play need not end.

    Attributes
    ----------
    codes : ValueCodes
        What the values of -2 and less mean.

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
        self._ends = _marked(self._order, len(graph))
        order, decisive = self._order, decisive_values(graph)
        if decisive is not None:
            graph = without_decisive(graph, decisive)
            self._values, order = sprague_grundy.ending_values(graph, engine=self.engine)
        self.codes = ValueCodes.of_graph(self.graph.decided)
        unsolved = np.flatnonzero(~_marked(order, len(graph)))
        open_sums = graph.sums is not None and bool(graph.sums[unsolved].any())
        layers = sum_layers(graph, unsolved) if open_sums and not terminal else None
        self._plays_out = graph.sums is not None and (bool(terminal) or (open_sums and layers is None))
        if self._plays_out:
            parts = self._parts
            assert isinstance(parts, LoopySolution)
            self.codes, self._values = parts.codes, self._from_product(parts._values)
            self._counter = self._from_product(parts._counter)
            return
        if layers is None:
            counted = loopy_values(graph, self._values, order, engine=self.engine)
            infinite_values(graph, self._values, self.codes)
        else:
            counted = layered_values(graph, self._values, order, layers, self.codes, engine=self.engine)
        self._counter = np.full(len(graph), -1, np.int32)
        self._counter[counted] = np.arange(len(counted))
        if decisive is not None:
            self._values = np.where(decisive, decisive, self._values)
            self._counter[decisive < 0] = -1

    @property
    def _expands(self) -> bool:
        return self._plays_out

    @cached_property
    def remoteness(self) -> VertexValues[int | None]:  # type: ignore[override]
        """Position -> length of the game when the winner hurries and the loser delays; None for a draw."""
        if self.graph.sums is not None:
            return VertexValues(self.graph, self._from_product(self._parts.remoteness.array), _known)
        from graphgame.solution.loopy import forced_lengths

        moves = forced_lengths(self.graph, misere=self.misere, engine=self.engine)
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

    def sum_remoteness(self) -> int | None:  # type: ignore[override]
        """Return the length of the tokens' game when the winner hurries and the loser delays; None for a draw."""
        return _known([super().sum_remoteness()])[0]


def _marked(vertices: np.ndarray, count: int) -> np.ndarray:
    marks = np.zeros(count, np.bool_)
    marks[vertices] = True
    return marks


def _known(lengths: Sequence[int]) -> list[int | None]:
    return [None if length < 0 else length for length in lengths]
