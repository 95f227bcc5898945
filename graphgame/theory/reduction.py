"""Smaller graphs of the same game: equal positions merged, values as heaps of Nim, no more moves than needed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from functools import cached_property
from itertools import chain
from typing import Any

import networkx as nx
import numpy as np

from graphgame.csr import Rows
from graphgame.errors import LimitError, OptionError
from graphgame.graph import GameGraph
from graphgame.playorder import play_order
from graphgame.results import VertexValues
from graphgame.ruleset import MAX_MOVES
from graphgame.solution import solve

__all__ = ["Reduction", "isomorphism", "reduce", "thin"]


class Reduction:
    """A smaller graph, and where the positions of the large one are in it; made by :func:`reduce`.

    Attributes
    ----------
    source : GameGraph
        The large graph.
    graph : GameGraph
        The small one. A vertex is the representative of its members, the first by vertex number; a heap of Nim is
        written ``*3``. Its tokens stand for those of the large graph.
    image : mapping of position to vertex
        Where each position of the large graph is.
    """

    def __init__(self, source: GameGraph, graph: GameGraph, numbers: np.ndarray) -> None:
        self.source = source
        self.graph = graph
        self.image: VertexValues[Any] = VertexValues(source, numbers, self._labels)

    def _labels(self, numbers: Sequence[int]) -> list[Any]:
        return self.graph.labels.take(np.array(numbers, np.int64))

    def __repr__(self) -> str:
        return f"<Reduction: {len(self.source)} vertices to {len(self.graph)}>"

    def members(self, vertex: Hashable) -> list[Hashable]:
        """Return the positions of the large graph that a vertex of the small one stands for, by vertex number.

        Raises
        ------
        UnknownPositionError
            It is not a vertex of the small graph.
        """
        return self.source.labels.take(self._members.row(self.graph.number_of(vertex)))

    @cached_property
    def _members(self) -> Rows:
        numbers = self.image.array
        starts = np.cumsum(np.bincount(numbers, minlength=len(self.graph)))
        return Rows(np.append(0, starts), np.argsort(numbers, kind="stable"))


def reduce(graph: GameGraph, *, play: str | None = None) -> Reduction:
    """Merge equal positions.

    Parameters
    ----------
    graph : GameGraph or nx.DiGraph
    play : {None, "misere", "normal"}
        None and "misere" merge positions with the same options, again and again: such positions are the same game, so
        every answer stays the same under normal and misère play, in sums and other compounds. Reversible moves are
        kept. "normal" merges positions of the same value into the heap of Nim of that size: of all graphs with the
        same largest value it is the smallest, in vertices and in moves.

    Returns
    -------
    Reduction

    Raises
    ------
    CycleError
        Play need not end.
    OptionError
        ``play`` is none of the three.
    LimitError
        The heaps of Nim would have too many moves.

    Notes
    -----
    O(n + m) time for n vertices and m edges. Sums are equal that have the same parts, those without a move left out; a
    sum of one part is that part.

    Examples
    --------
    >>> chips = GameGraph({2: [1, 4], 1: [4, 5, 3], 4: [5], 3: [5, 6]}, tokens=[2])
    >>> equal = reduce(chips)
    >>> len(chips), len(equal.graph), equal.members(4), equal.image[3]
    (6, 4, [4, 3], 4)
    >>> sorted(reduce(chips, play="normal").graph.edges)
    [('*1', '*0'), ('*2', '*0'), ('*2', '*1')]
    """
    if play not in (None, "misere", "normal"):
        raise OptionError(f"unknown play {play!r}: expected None, 'misere' or 'normal'")
    game = graph if isinstance(graph, GameGraph) else GameGraph(graph)
    return _to_heaps(game) if play == "normal" else _merged(game)


def thin(graph: GameGraph) -> GameGraph:
    """Return the same positions with the same values and as few moves as that takes.

    A position of value k needs one option of each smaller value and no other; kept is the first by vertex number.

    Parameters
    ----------
    graph : GameGraph or nx.DiGraph

    Raises
    ------
    CycleError
        Play need not end.

    Notes
    -----
    O(m log m) time. Sum vertices keep their parts. Under misère play, and for the length of a game, the result is
    another game.

    Examples
    --------
    >>> chips = GameGraph({2: [1, 4], 1: [4, 5, 3], 4: [5], 3: [5, 6]})
    >>> sorted(thin(chips).edges)
    [(1, 4), (1, 5), (3, 5), (4, 5)]
    """
    game = graph if isinstance(graph, GameGraph) else GameGraph(graph)
    values, rows = solve(game).grundy.array.astype(np.int64), game.options
    source = np.repeat(np.arange(len(game)), rows.lengths())
    wanted = values[source] - values[rows.indices]
    needed = np.zeros(len(source), np.bool_)
    smaller = np.flatnonzero(wanted > 0)
    keys = source[smaller] * (int(values.max(initial=0)) + 1) + wanted[smaller]
    needed[smaller[np.unique(keys, return_index=True)[1]]] = True
    if game.sums is not None:
        needed = np.where(game.sums[source], True, needed)
    return GameGraph.from_arrays(source[needed], rows.indices[needed], game.labels, sums=game.sums, tokens=game.tokens)


def isomorphism(first: GameGraph, second: GameGraph) -> dict[Hashable, Hashable] | None:
    """Return a one-to-one mapping of positions that keeps the moves, or None where there is none.

    Two graphs may be the same game without it, where one has equal positions more than once: compare what
    :func:`reduce` makes of both.

    Parameters
    ----------
    first, second : GameGraph or nx.DiGraph
        Tokens do not count.

    Notes
    -----
    Vertices are told apart by how far the game can go on from them and on to them before networkx searches (VF2++),
    whose time is exponential at worst.

    Examples
    --------
    >>> isomorphism(GameGraph([("a", "b"), ("a", "c")]), GameGraph([(1, 2), (1, 3)]))
    {'a': 1, 'b': 2, 'c': 3}
    """
    games = [graph if isinstance(graph, GameGraph) else GameGraph(graph) for graph in (first, second)]
    numbers: dict[object, int] = {}
    colours = [_colours(game, numbers) for game in games]
    if Counter(colours[0]) != Counter(colours[1]):
        return None
    shapes = [_shape(game, of_game) for game, of_game in zip(games, colours, strict=True)]
    found = nx.vf2pp_isomorphism(*shapes, node_label="colour") if len(shapes[0]) else {}
    if found is None:
        return None
    return {games[0].labels[v]: games[1].labels[found[v]] for v in range(len(games[0]))}


def _to_heaps(graph: GameGraph) -> Reduction:
    values = solve(graph).grundy.array
    heaps = int(values.max(initial=-1)) + 1
    if heaps * (heaps - 1) // 2 > MAX_MOVES:
        raise LimitError(f"the largest value is {heaps - 1}: heaps of Nim up to it have more than {MAX_MOVES} moves")
    tokens = None if graph.tokens is None else [f"*{values[graph.number_of(token)]}" for token in graph.tokens]
    source, target = np.tril_indices(heaps, -1)
    small = GameGraph.from_arrays(source, target, [f"*{heap}" for heap in range(heaps)], tokens=tokens)
    return Reduction(graph, small, values)


def _merged(graph: GameGraph) -> Reduction:
    classes = _Classes(graph)
    first = _representatives(graph, classes)
    rank = np.argsort(np.argsort(first))
    numbers = rank[classes.of].astype(np.int32)
    source = np.repeat(rank, list(map(len, classes.options)))
    target = rank[np.fromiter(chain.from_iterable(classes.options), np.int64, len(source))]
    labels = graph.labels.take(np.sort(first))
    tokens = None if graph.tokens is None else [labels[numbers[graph.number_of(token)]] for token in graph.tokens]
    sums = np.zeros(len(first), np.bool_)
    sums[rank] = classes.is_sum
    return Reduction(graph, GameGraph.from_arrays(source, target, labels, sums=sums, tokens=tokens), numbers)


class _Classes:
    """Positions that are the same game, by number: first those without a move, then each after its options.

    Attributes
    ----------
    of : ndarray of int, shape (n,)
        The class of each vertex.
    options : list of tuple of int
        The options of each class, or the parts of a sum.
    is_sum : list of bool
    """

    def __init__(self, graph: GameGraph) -> None:
        self.options: list[tuple[int, ...]] = []
        self.is_sum: list[bool] = []
        self._numbers: tuple[dict[tuple[int, ...], int], ...] = ({}, {})
        of = [0] * len(graph)
        sums = np.zeros(len(graph), np.bool_) if graph.sums is None else graph.sums
        for vertex in play_order(graph).tolist():
            ends = map(of.__getitem__, graph.options.row(vertex).tolist())
            of[vertex] = self._sum(ends) if sums[vertex] else self._number(False, tuple(sorted(set(ends))))
        self.of = np.array(of, np.int64)

    def _sum(self, parts: Iterable[int]) -> int:
        """Return the class of a sum: only the parts count that have a move, and a sum of one part is that part."""
        flat = (end for part in parts for end in (self.options[part] if self.is_sum[part] else (part,)))
        moving = tuple(sorted(part for part in flat if self.options[part]))
        if len(moving) == 1:
            return moving[0]
        return self._number(bool(moving), moving)

    def _number(self, is_sum: bool, ends: tuple[int, ...]) -> int:
        number = self._numbers[is_sum].setdefault(ends, len(self.options))
        if number == len(self.options):
            self.options.append(ends)
            self.is_sum.append(is_sum)
        return number


def _representatives(graph: GameGraph, classes: _Classes) -> np.ndarray:
    """Return the first member of each class, a position rather than a sum for a class of positions."""
    alike = np.ones(len(graph), np.bool_)
    if graph.sums is not None:
        alike = graph.sums == np.array(classes.is_sum, np.bool_)[classes.of]
    first = np.full(len(classes.options), 2 * len(graph), np.int64)
    vertices = np.arange(len(graph))
    np.minimum.at(first, classes.of, vertices + np.where(alike, 0, len(graph)))
    return first % max(len(graph), 1)


def _colours(graph: GameGraph, numbers: dict[object, int]) -> list[int]:
    """Give vertices numbers that isomorphic graphs share: from their options, then from their predecessors."""
    order = play_order(graph).tolist()
    kinds = [0] * len(graph) if graph.sums is None else graph.sums.astype(int).tolist()
    below = _passed_on(order, graph.options, kinds, numbers)
    return _passed_on(order[::-1], graph.predecessors_of, below, numbers)


def _passed_on(order: list[int], rows: Rows, start: list[int], numbers: dict[object, int]) -> list[int]:
    colours = [0] * len(start)
    for vertex in order:
        key = start[vertex], tuple(sorted(colours[other] for other in rows.row(vertex).tolist()))
        colours[vertex] = numbers.setdefault(key, len(numbers))
    return colours


def _shape(graph: GameGraph, colours: list[int]) -> nx.DiGraph:
    """Return the graph with coloured vertices; a part that stands several times in a sum has a vertex on its edge."""
    shape = nx.DiGraph()
    shape.add_nodes_from((vertex, {"colour": colour}) for vertex, colour in enumerate(colours))
    for vertex in range(len(graph)):
        for option, times in Counter(graph.options.row(vertex).tolist()).items():
            if times > 1:
                shape.add_node((vertex, option), colour=-times)
                nx.add_path(shape, [vertex, (vertex, option), option])
            else:
                shape.add_edge(vertex, option)
    return shape
