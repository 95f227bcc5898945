"""Smaller graphs of the same game: merge equal positions, replace values by heaps of Nim, or drop needless moves."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, NamedTuple

import networkx as nx
import numpy as np

from graphgame.drawing.options import PictureOptions
from graphgame.errors import CycleError, LimitError, Message, ParameterError, plural
from graphgame.errors.of_networkx import MERGING_ADVICE
from graphgame.graph.decided import LOONY, SUNNY
from graphgame.graph.gamegraph import GameGraph, GameLike
from graphgame.graph.rows import Rows
from graphgame.labs.backend.play_order import ending_order
from graphgame.rules import MAX_MOVES
from graphgame.solution.loopy import forced_lengths
from graphgame.solution.results import VertexValues, checked_flag
from graphgame.solution.solve import LoopySolution, Solution, solution_of, solve
from graphgame.solution.sums import moving_parts, refuse_endless_sums


def stable_classes(graph: GameGraph, kinds: np.ndarray) -> np.ndarray:
    """Return the coarsest partition in which vertices of a class have the same kind and options in the same classes.

    The options of a position are compared as sets, the parts of a sum with their multiplicity. The result has the
    number of its class, from 0, for each vertex.

    Notes
    -----
    Vertices from which play must end are classified one by one, options first, in O(n + m) time for n vertices and m
    moves. Classes of the other vertices are split until they are stable. A round only visits vertices with an option
    whose class has changed, and the largest part of a class keeps its number if possible. A round costs at most
    O(n + m log m). Few rounds are usual, n are possible.

    References
    ----------
    R. Paige, R. E. Tarjan, Three partition refinement algorithms, SIAM J. Comput. 16 (1987). A. Dovier, C. Piazza,
    A. Policriti, An efficient algorithm for computing bisimulation equivalence, Theoret. Comput. Sci. 311 (2004).

    Examples
    --------
    >>> graph = GameGraph([(0, 1), (1, 0), (2, 2), (3, 2), (3, 4)])
    >>> stable_classes(graph, np.zeros(5, int)).tolist()
    [1, 1, 1, 2, 0]
    """
    order = ending_order(graph)
    classes = _ending_classes(graph, kinds, order)
    if len(order) < len(graph):
        _Refinement(graph, kinds, classes).run()
    return classes


def _ending_classes(graph: GameGraph, kinds: np.ndarray, order: np.ndarray) -> np.ndarray:
    """Return the classes of the vertices in ``order``, from which play must end, options first; -1 for the others."""
    numbers: dict[tuple[int, tuple[int, ...]], int] = {}
    classes, kind_of = [-1] * len(graph), kinds.tolist()
    is_sum = [False] * len(graph) if graph.sums is None else graph.sums.tolist()
    for vertex in order.tolist():
        ends = map(classes.__getitem__, graph.option_rows.row(vertex).tolist())
        key = kind_of[vertex], tuple(sorted(ends if is_sum[vertex] else set(ends)))
        classes[vertex] = numbers.setdefault(key, len(numbers))
    return np.array(classes, np.int64)


class _Refinement:
    """Partition refinement for the vertices from which play need not end.

    The first partition is by kind, and by how fast either player can force an end: equal positions share these.
    """

    def __init__(self, graph: GameGraph, kinds: np.ndarray, classes: np.ndarray) -> None:
        self._graph = graph
        self._classes = classes
        self._rest = np.flatnonzero(classes < 0)
        found = int(classes.max(initial=-1)) + 1
        starts = np.stack([kinds, forced_lengths(graph), forced_lengths(graph, misere=True)], axis=1)[self._rest]
        classes[self._rest] = found + _same_rows(starts)
        self._sizes = np.bincount(classes, minlength=len(graph) + 1)
        self._count = int(classes.max()) + 1

    def run(self) -> None:
        """Split the classes, in place, until no class can be split."""
        touched = self._rest
        while len(touched):
            moved = self._split(touched)
            touched = np.unique(self._graph.predecessor_rows.gather(moved)[1])

    def _split(self, touched: np.ndarray) -> np.ndarray:
        """Split classes by the options of the touched vertices; return the vertices whose class number has changed.

        In a class, untouched members still have the same classes as options, so they stay together.
        """
        before = self._classes[touched]
        signature = self._signatures(touched)
        # Signatures are below ``width``, so the sum is a different number for each pair of class and signature.
        width = len(touched) + 1
        parts, part_of, counts = np.unique(before * width + signature, return_inverse=True, return_counts=True)
        number = self._numbers(parts // width, counts)
        self._classes[touched] = number[part_of]
        moved: np.ndarray = touched[self._classes[touched] != before]
        return moved

    def _numbers(self, before: np.ndarray, counts: np.ndarray) -> np.ndarray:
        """Return numbers for the parts of classes: new ones, except that the largest part may keep the old number.

        It may only if all members of the class were touched; otherwise the untouched ones keep the number.
        """
        # Sorted by class and then by size, the last part of each class is its largest.
        by_class = np.lexsort((counts, before))
        first = np.flatnonzero(np.diff(before, prepend=-1))
        largest = by_class[np.append(first[1:], len(before)) - 1]
        whole = np.add.reduceat(counts, first) == self._sizes[before[first]]
        fresh = np.ones(len(before), np.bool_)
        fresh[largest[whole]] = False
        number = before.copy()
        number[fresh] = np.arange(self._count, self._count + int(fresh.sum()))
        self._count += int(fresh.sum())
        self._sizes[before[first]] -= np.add.reduceat(counts * fresh, first)
        self._sizes[number[fresh]] = counts[fresh]
        return number

    def _signatures(self, vertices: np.ndarray) -> np.ndarray:
        """Return a number for each vertex, equal for vertices whose options are in the same classes."""
        # One integer for each move, owner * count + class, so that one sort groups and orders the classes by owner.
        # Positions drop repeated classes, sums keep them.
        owner, ends = self._graph.option_rows.gather(vertices)
        moves = owner * self._count + self._classes[ends]
        moves.sort()
        owner = moves // self._count
        kept = np.diff(moves, prepend=-1) > 0
        if self._graph.sums is not None:
            kept |= self._graph.sums[vertices[owner]]
        owner, ends = owner[kept], (moves % self._count)[kept]
        return _numbered(Rows(np.append(0, np.cumsum(np.bincount(owner, minlength=len(vertices)))), ends))


def _numbered(rows: Rows) -> np.ndarray:
    """Return a number below the number of rows for each row, equal for equal rows."""
    numbers, lengths = np.empty(len(rows.pointers) - 1, np.int64), rows.lengths()
    by_length = np.argsort(lengths, kind="stable")
    found = 0
    for alike in np.split(by_length, np.flatnonzero(np.diff(lengths[by_length])) + 1):
        numbers[alike] = found + _same_rows(rows.gather(alike)[1].reshape(len(alike), -1))
        found += len(alike)
    return numbers


def _same_rows(table: np.ndarray) -> np.ndarray:
    """Return a number for each row of a table, equal for equal rows."""
    order = np.lexsort(table.T[::-1]) if table.shape[1] > 1 else np.argsort(table[:, 0], kind="stable")
    new = (np.diff(table[order], axis=0) != 0).any(axis=1)
    numbers = np.empty(len(table), np.int64)
    numbers[order] = np.append(0, np.cumsum(new))
    return numbers


_NEEDS_END = Message("{what} need play that ends: {advice}")


class Reduction:
    """A smaller graph of the same game, and the map to it from the large graph; made by :func:`reduce`.

    Attributes
    ----------
    source : GameGraph
        The large graph.
    graph : GameGraph
        The small graph. The label of a vertex is the first of its members by vertex number, or ``*3`` for a heap of
        Nim. Its tokens are the images of the tokens of the large graph.
    image : mapping of position to vertex
        Maps each position of the large graph to its vertex in the small graph.
    """

    def __init__(self, source: GameGraph, graph: GameGraph, numbers: np.ndarray) -> None:
        self.source = source
        self.graph = graph
        self.image: VertexValues[Any] = VertexValues(source, numbers, self._labels)

    def _labels(self, numbers: Sequence[int]) -> list[Any]:
        return self.graph.labels.take(np.array(numbers, np.int64))

    def __repr__(self) -> str:
        return f"<Reduction: {plural(len(self.source), 'vertex')} to {len(self.graph)}>"

    def members(self, vertex: Hashable) -> list[Hashable]:
        """Return the positions of the large graph that were merged into a vertex of the small one, by vertex number.

        Raises
        ------
        UnknownPositionError
            The label is not a vertex of the small graph.
        """
        return self.source.labels.take(self._members.row(self.graph.number_of(vertex)))

    @cached_property
    def _members(self) -> Rows:
        numbers = self.image.array
        starts = np.cumsum(np.bincount(numbers, minlength=len(self.graph)))
        return Rows(np.append(0, starts), np.argsort(numbers, kind="stable"))


def reduce(game: GameLike, *, heaps: bool = False) -> Reduction:
    """Merge equal positions of a graph into a smaller graph.

    Parameters
    ----------
    game : GameLike
    heaps : bool
        By default positions with the same options are merged, repeatedly. Such positions are the same game, so no
        answer changes: under normal or misère play, in sums or other compounds. Reversible moves are kept. With
        ``heaps`` all positions of the same value become the heap of Nim of that size, and answers about normal play
        stay. The result is the smallest graph with the same largest value, in vertices and in moves.

    Returns
    -------
    Reduction

    Raises
    ------
    CycleError
        Play need not end, and ``heaps`` is set: infinite values are no heaps of Nim.
    ParameterError
        ``heaps`` is neither True nor False, or a move ends play at once, which no heap of Nim does.
    LimitError
        The heaps of Nim would have too many moves, the sums have too many parts, or a sum contains itself.

    Notes
    -----
    The time is O(n + m) for n vertices and m edges from which play must end; for the others see
    :func:`graphgame.labs.theory.reduction.stable_classes`. In cycles, as many positions as possible are merged so that
    merged positions have the same merged options. Sums are equal if they have the same parts; parts without a move do
    not count, and a sum of one part is equal to this part.

    References
    ----------
    R. Paige, R. E. Tarjan, Three partition refinement algorithms, SIAM Journal on Computing 16 (1987).

    Examples
    --------
    >>> chips = GameGraph({2: [1, 4], 1: [4, 5, 3], 4: [5], 3: [5, 6]}, tokens=[2])
    >>> equal = reduce(chips)
    >>> len(chips), len(equal.graph), equal.members(4), equal.image[3]
    (6, 4, [4, 3], 4)
    >>> sorted(reduce(chips, heaps=True).graph.edges)
    [('*1', '*0'), ('*2', '*0'), ('*2', '*1')]
    >>> circles = GameGraph({"a": ["b"], "b": ["a"], "c": ["c"], "d": ["c", "end"]})
    >>> sorted(reduce(circles).graph.edges)
    [('a', 'a'), ('d', 'a'), ('d', 'end')]
    """
    heaps = checked_flag("heaps", heaps)
    graph = GameGraph.of(game)
    return _to_heaps(graph) if heaps else _merged(graph)


def thin(game: GameLike) -> GameGraph:
    """Return a graph with the same positions and values, and as few moves as possible.

    A position of value k needs one option of each smaller value and no other move. The first such option by vertex
    number is kept.

    Parameters
    ----------
    game : GameLike

    Raises
    ------
    CycleError
        Play need not end.

    Notes
    -----
    The time is O(m log m). Sum vertices keep their parts. Under misère play, and for the length of play, the result is
    a different game.

    Examples
    --------
    >>> chips = GameGraph({2: [1, 4], 1: [4, 5, 3], 4: [5], 3: [5, 6]})
    >>> sorted(thin(chips).edges)
    [(1, 4), (1, 5), (3, 5), (4, 5)]
    """
    graph = GameGraph.of(game)
    values, rows = _solved(graph, Message("the fewest moves")).grundy.array.astype(np.int64), graph.option_rows
    source = rows.owners()
    wanted = values[source] - values[rows.indices]
    needed = np.zeros(len(source), np.bool_)
    smaller = np.flatnonzero((wanted > 0) & (values[rows.indices] >= 0))
    # A key for each position and value of an option; the first move with each key is kept.
    keys = source[smaller].astype(np.int64) * (int(values.max(initial=0)) + 1) + wanted[smaller]
    needed[smaller[np.unique(keys, return_index=True)[1]]] = True
    if graph.sums is not None:
        needed = np.where(graph.sums[source], True, needed)
    # Keep all moves that make a position loony, and one loony move of each position: it may be the only move.
    if graph.decided is not None:
        needed |= (values[rows.indices] == SUNNY) | (values[source] == LOONY)
        loony = np.flatnonzero((values[rows.indices] == LOONY) & (values[source] >= 0))
        needed[loony[np.unique(source[loony], return_index=True)[1]]] = True
    return GameGraph.from_arrays(
        source[needed], rows.indices[needed], graph.labels, sums=graph.sums, decided=graph.decided, tokens=graph.tokens
    )


def isomorphism(first: GameLike, second: GameLike) -> dict[Hashable, Hashable] | None:
    """Return a one-to-one mapping of positions that keeps the moves, or None if there is none.

    Two graphs can be the same game without being isomorphic, if one of them has equal positions several times. To find
    out, compare the results of :func:`reduce`.

    Parameters
    ----------
    first, second : GameLike
        Tokens are ignored.

    Notes
    -----
    Vertices are first coloured by the structure of the graph after and before them. Then networkx searches (VF2++), in
    exponential time in the worst case. Cycles are allowed.

    Examples
    --------
    >>> isomorphism(GameGraph([("a", "b"), ("a", "c")]), GameGraph([(1, 2), (1, 3)]))
    {'a': 1, 'b': 2, 'c': 3}
    """
    games = [GameGraph.of(graph) for graph in (first, second)]
    colours = [of_game.tolist() for of_game in _colours(games)]
    if Counter(colours[0]) != Counter(colours[1]):
        return None
    shapes = [_shape(game, of_game) for game, of_game in zip(games, colours, strict=True)]
    found = nx.vf2pp_isomorphism(*shapes, node_label="colour") if len(shapes[0]) else {}
    if found is None:
        return None
    return {games[0].labels[v]: games[1].labels[found[v]] for v in range(len(games[0]))}


def _solved(graph: GameGraph, wanted: str) -> Solution:
    """Return the solution of a graph; if it has a cycle, the error says that ``wanted`` needs play that ends."""
    try:
        return solution_of(graph)
    except CycleError as error:
        raise CycleError(error.cycle, Message(_NEEDS_END, wanted, MERGING_ADVICE)) from None


def _to_heaps(graph: GameGraph) -> Reduction:
    """Return the reduction to heaps of Nim: the complete acyclic graph on the values 0 to the largest one."""
    if graph.decided is not None:
        raise ParameterError("positions that end play at once are no heaps of Nim: reduce without heaps=True")
    values = _solved(graph, Message("heaps of Nim")).grundy.array
    heaps = int(values.max(initial=-1)) + 1
    if heaps * (heaps - 1) // 2 > MAX_MOVES:
        raise LimitError(
            "the largest value is {heaps}: heaps of Nim up to it have more than {max_moves} moves", heaps - 1, MAX_MOVES
        )
    tokens = None if graph.tokens is None else [f"*{values[graph.number_of(token)]}" for token in graph.tokens]
    source, target = np.tril_indices(heaps, -1)
    small = GameGraph.from_arrays(source, target, [f"*{heap}" for heap in range(heaps)], tokens=tokens)
    return Reduction(graph, small, values)


def _merged(graph: GameGraph, named: Sequence[Hashable] = ()) -> Reduction:
    """Return the reduction that merges positions with the same options.

    The label of a vertex is the first of its members in ``named``, otherwise the first by vertex number.
    """
    flat, same = _flattened(graph)
    kinds = _kinds(flat)
    classes = np.unique(stable_classes(flat, kinds)[same], return_inverse=True)[1]
    first = _representatives(graph, classes, kinds[same])
    # Number the classes by their representatives, so that the small graph keeps the order of the large one.
    rank = np.argsort(np.argsort(first))
    numbers = rank[classes].astype(np.int32)
    first.sort()
    source, target = flat.option_rows.gather(first)
    members, places = first.copy(), np.array([graph.number_of(place) for place in reversed(named)], np.int64)
    members[numbers[places]] = places
    labels = graph.labels.take(members)
    tokens = None if graph.tokens is None else [labels[numbers[graph.number_of(token)]] for token in graph.tokens]
    sums, decided = kinds[first] == 1, np.minimum(kinds[first], 0)
    small = GameGraph.from_arrays(source, numbers[target], labels, sums=sums, decided=decided, tokens=tokens)
    return Reduction(graph, small, numbers)


def _flattened(graph: GameGraph) -> tuple[GameGraph, np.ndarray]:
    """Return the graph with simplified sums, and for each vertex the vertex that it equals.

    A simplified sum has at least two parts, all of them positions with a move. A sum of one such part equals this part.
    """
    same = np.arange(len(graph))
    if graph.sums is None:
        return graph, same
    refuse_endless_sums(graph)
    sums, whole, part = graph.sums.copy(), array("i"), array("i")
    for vertex in np.flatnonzero(graph.sums).tolist():
        parts = moving_parts(graph, [vertex], MAX_MOVES - len(part))
        if parts is None:
            raise LimitError("the sums have more than {max_moves} parts", MAX_MOVES)
        sums[vertex] = len(parts) > 1
        if len(parts) == 1:
            same[vertex] = parts[0]
        else:
            whole.extend([vertex] * len(parts))
            part.extend(parts)
    source, target = _moves(graph)
    moves = ~graph.sums[source]
    source = np.concatenate([source[moves], np.frombuffer(whole, np.int32)])
    target = np.concatenate([same[target[moves]], np.frombuffer(part, np.int32)])
    return GameGraph.from_arrays(source, target, len(graph), sums=sums, decided=graph.decided), same


def _representatives(graph: GameGraph, classes: np.ndarray, kinds: np.ndarray) -> np.ndarray:
    """Return the first member of each class; for a class of positions it is a position even if a sum comes first."""
    unlike = np.zeros(len(graph), np.bool_) if graph.sums is None else graph.sums != (kinds == 1)
    order = np.lexsort((np.arange(len(graph)), unlike, classes))
    return order[np.flatnonzero(np.diff(classes[order], prepend=-1))]


def _colours(games: Sequence[GameGraph]) -> list[np.ndarray]:
    """Return colours for the vertices of graphs; an isomorphism keeps colours.

    The first colours depend on the options only; the final ones also on the predecessors.
    """
    starts = np.cumsum([0, *map(len, games)])
    moves = [np.stack(_moves(game)) + start for game, start in zip(games, starts, strict=False)]
    (source, target), kinds = np.concatenate(moves, axis=1), np.concatenate([_kinds(game) for game in games])
    kinds[source[source == target]] += 2  # a vertex with a move to itself is unlike all others
    for start, end in ((source, target), (target, source)):
        # Treat all vertices as sums: an isomorphism keeps the number of options of each colour.
        each_counts = np.ones(len(kinds), np.bool_)
        kinds = stable_classes(GameGraph.from_arrays(start, end, len(kinds), sums=each_counts), kinds)
    return np.split(kinds, starts[1:-1])


def _kinds(graph: GameGraph) -> np.ndarray:
    """Return numbers that distinguish sums, and positions that end play at once, from other positions."""
    return np.zeros(len(graph), np.int64) if graph.kinds is None else graph.kinds.astype(np.int64)


def _moves(graph: GameGraph) -> tuple[np.ndarray, np.ndarray]:
    return graph.option_rows.owners(), graph.option_rows.indices


def _shape(graph: GameGraph, colours: list[int]) -> nx.DiGraph:
    """Return a networkx graph with coloured vertices. An edge that occurs k times gets an extra vertex of colour -k."""
    shape = nx.DiGraph()
    shape.add_nodes_from((vertex, {"colour": colour}) for vertex, colour in enumerate(colours))
    for vertex in range(len(graph)):
        for option, times in Counter(graph.option_rows.row(vertex).tolist()).items():
            if times > 1:
                shape.add_node((vertex, option), colour=-times)
                nx.add_path(shape, [vertex, (vertex, option), option])
            else:
                shape.add_edge(vertex, option)
    return shape


def merged(solution: Solution | None, graph: GameGraph, options: PictureOptions) -> Merged:
    """Merge equal positions of a graph and solve the smaller graph, if the large one was solved.

    Positions named in the options are replaced by the vertices that stand for them. Tokens keep their names.
    """
    reduction = _merged(graph, [*options.around, *((graph if solution is None else solution).tokens or ())])
    image = reduction.image
    positions = slice(None) if graph.sums is None else ~graph.sums
    counts = np.bincount(image.array[positions], minlength=len(reduction.graph))
    around, reachable = (
        tuple(dict.fromkeys(map(image.__getitem__, places))) for places in (options.around, options.reachable_from)
    )
    options = replace(options, merge=False, around=around, reachable_from=reachable)
    if solution is None:
        return Merged(None, reduction.graph, options, counts)
    small = solve(
        reduction.graph,
        misere=solution.misere,
        tokens=None if solution.tokens is None else [image[token] for token in solution.tokens],
        engine=solution.engine,
        product_limit=solution.product_limit,
        loopy=isinstance(solution, LoopySolution),
    )
    return Merged(small, small.graph, options, counts)


class Merged(NamedTuple):
    """What is drawn in place of a solution and its graph, the options, and how many positions a vertex stands for."""

    solution: Solution | None
    graph: GameGraph
    options: PictureOptions
    counts: np.ndarray
