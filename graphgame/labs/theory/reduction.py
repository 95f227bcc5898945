"""Smaller graphs of a game: merge equal positions, replace positions by Nim heaps, or omit needless moves."""

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
from graphgame.errors import CycleError, LimitError, Message, ParameterError, checks_parameters, plural
from graphgame.errors.of_networkx import MERGING_ADVICE
from graphgame.graph import LOONY, SUNNY
from graphgame.graph.gamegraph import GameGraph, GameLike
from graphgame.graph.rows import Rows
from graphgame.labs.backend.play_order import ending_order
from graphgame.rules import MAX_MOVES
from graphgame.solution.loopy import forced_lengths
from graphgame.solution.results import VertexValues
from graphgame.solution.solve import LoopySolution, Solution, solution_of, solve
from graphgame.solution.sums import moving_parts, refuse_endless_sums


def stable_classes(graph: GameGraph, kinds: np.ndarray) -> np.ndarray:
    """Return the coarsest partition in which all vertices of a class have the same kind and classes of options.

    ``kinds`` has an integer for each vertex. The result has for each vertex the number of its class, from 0 on. The
    options of a position are compared as a set, the parts of a sum as a multiset.

    Notes
    -----
    Vertices from which play must end are classified one by one, options first, in O(n + m log m) time for n vertices
    and m moves. The classes of all other vertices are split until they are stable. A round visits only vertices with an
    option whose class has changed, and the largest part of a class keeps its number if possible. A round costs at most
    O(n + m log m). Usually a few rounds are enough, at worst n.

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
        _refine(graph, kinds, classes)
    return classes


def _ending_classes(graph: GameGraph, kinds: np.ndarray, order: np.ndarray) -> np.ndarray:
    """Return the class of each vertex from which play must end, see :func:`stable_classes`; -1 for other vertices.

    Two vertices are in one class if they have the same kind and options in the same classes. ``order`` has the vertices
    from which play must end, each after its options.
    """
    numbers: dict[tuple[int, tuple[int, ...]], int] = {}
    classes, kind_of = [-1] * len(graph), kinds.tolist()
    is_sum = [False] * len(graph) if graph.sums is None else graph.sums.tolist()
    for vertex in order.tolist():
        ends = map(classes.__getitem__, graph.option_rows.row(vertex).tolist())
        key = kind_of[vertex], tuple(sorted(ends if is_sum[vertex] else set(ends)))
        classes[vertex] = numbers.setdefault(key, len(numbers))
    return np.array(classes, np.int64)


def _refine(graph: GameGraph, kinds: np.ndarray, classes: np.ndarray) -> None:
    """Write the classes of the endless vertices, those from which play need not end, into ``classes``.

    Before the call, ``classes`` has -1 for endless vertices, and the classes of all other vertices. ``kinds`` has an
    integer for each vertex. The method is partition refinement. Vertices start in one class if they have the same kind
    and the same two results of :func:`forced_lengths`, under normal and under misère play.
    """
    touched = np.flatnonzero(classes < 0)
    starts = np.stack([kinds, forced_lengths(graph), forced_lengths(graph, misere=True)], axis=1)[touched]
    classes[touched] = int(classes.max(initial=-1)) + 1 + _same_rows(starts)
    # A vertex is touched if the class of one of its options changed in the last round. The untouched vertices of a
    # class still have options in the same classes, so they stay together. There may be as many rounds as vertices, so a
    # round does not look at all classes: it updates only the sizes of the classes that it splits.
    sizes, count = np.bincount(classes, minlength=len(graph)), int(classes.max(initial=-1)) + 1
    while len(touched):
        before = classes[touched]
        # Signatures are below ``width``, so the sum is a different number for each pair of class and signature.
        width = len(touched) + 1
        pairs = before * width + _signatures(graph, touched, classes, count)
        parts, part_of, counts = np.unique(pairs, return_inverse=True, return_counts=True)
        classes_of_parts = parts // width
        numbers = _numbers(classes_of_parts, counts, sizes[classes_of_parts], count)
        np.subtract.at(sizes, classes_of_parts, counts)
        sizes[numbers] += counts
        count = max(count, int(numbers.max()) + 1)
        classes[touched] = numbers[part_of]
        moved = touched[classes[touched] != before]
        touched = np.unique(graph.predecessor_rows.gather(moved)[1])


def _numbers(before: np.ndarray, counts: np.ndarray, sizes: np.ndarray, count: int) -> np.ndarray:
    """Return a class number for each part, after classes are split into parts.

    Part i has ``counts[i]`` of the ``sizes[i]`` vertices of class ``before[i]``. ``before`` must be sorted. If the
    parts of a class contain all its vertices, the largest part keeps the number of the class. Otherwise the vertices
    that are in no part keep it. All other parts get new numbers: ``count``, ``count + 1``, ...
    """
    # Sorted by class and then by size, the last part of each class is its largest.
    by_class = np.lexsort((counts, before))
    first = np.flatnonzero(np.diff(before, prepend=-1))
    largest = by_class[np.append(first[1:], len(before)) - 1]
    fresh = np.ones(len(before), np.bool_)
    fresh[largest[np.add.reduceat(counts, first) == sizes[first]]] = False
    number = before.copy()
    number[fresh] = np.arange(count, count + int(fresh.sum()))
    return number


def _signatures(graph: GameGraph, vertices: np.ndarray, classes: np.ndarray, count: int) -> np.ndarray:
    """Return a number for each of ``vertices`` that identifies the classes of its options.

    Two positions have equal numbers exactly if the classes of their options are the same set. Two sum vertices have
    equal numbers exactly if the classes of their parts are the same multiset. ``classes`` has the class of each vertex
    of the graph, ``count`` is the number of classes.
    """
    # One integer for each move, owner * count + class of the option: one sort groups the classes by owner and orders
    # them. Positions drop repeated classes, sums keep them.
    owner, ends = graph.option_rows.gather(vertices)
    moves = owner * count + classes[ends]
    moves.sort()
    owner, ends = np.divmod(moves, count)
    included = np.diff(moves, prepend=-1) > 0
    if graph.sums is not None:
        included |= graph.sums[vertices[owner]]
    pointers = np.append(0, np.cumsum(np.bincount(owner[included], minlength=len(vertices))))
    return _numbered(Rows(pointers, ends[included]))


def _numbered(rows: Rows) -> np.ndarray:
    """Return a number below the number of rows for each row; two numbers are equal exactly if the rows are."""
    numbers, lengths = np.empty(len(rows.pointers) - 1, np.int64), rows.lengths()
    by_length = np.argsort(lengths, kind="stable")
    first = 0
    for of_length in np.split(by_length, np.flatnonzero(np.diff(lengths[by_length])) + 1):
        numbers[of_length] = first + _same_rows(rows.gather(of_length)[1].reshape(len(of_length), -1))
        first += len(of_length)
    return numbers


def _same_rows(table: np.ndarray) -> np.ndarray:
    """Return a number for each row of a table, from 0 on; two numbers are equal exactly if the rows are."""
    order = np.lexsort(table.T[::-1]) if table.shape[1] > 1 else np.argsort(table[:, 0], kind="stable")
    new = (np.diff(table[order], axis=0) != 0).any(axis=1)
    numbers = np.empty(len(table), np.int64)
    numbers[order] = np.append(0, np.cumsum(new))
    return numbers


class Reduction:
    """A smaller graph of a game, and the map from the large graph to it; made by :func:`reduce`.

    Attributes
    ----------
    source : GameGraph
        The large graph.
    graph : GameGraph
        The small graph. Its tokens are the images of the tokens of the large graph. A heap of Nim has a label such as
        ``*3``. Any other vertex has the label of the first position that is merged into it; if only sums are merged
        into it, of the first sum. First means the least vertex number.
    image : mapping of position to vertex
        Maps each label of the large graph to the label of its vertex in the small graph.
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
        """Return the labels of the large graph that were merged into a vertex of the small graph.

        They are in the order of their vertex numbers.

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


@checks_parameters
def reduce(game: GameLike, *, heaps: bool = False) -> Reduction:
    """Merge equal positions of a graph into a smaller graph.

    Parameters
    ----------
    game : GameLike
    heaps : bool
        If False, positions with the same options are merged, repeatedly. Such positions are the same game: no value,
        outcome or length of play changes, under normal or misère play, in sums or in other compounds. Reversible moves
        are kept. If True, all positions of the same value become the heap of Nim of that size. Then only values and
        outcomes under normal play stay the same, also in sums. Of all graphs without sum vertices that have the same
        largest value, this result has the fewest vertices and the fewest moves.

    Returns
    -------
    Reduction

    Raises
    ------
    CycleError
        ``heaps`` is true, and play need not end: infinite values are no heaps of Nim.
    ParameterError
        ``heaps`` is neither True nor False. Or ``heaps`` is true, and positions are decided by the rules.
    LimitError
        The heaps of Nim would have too many moves. Or the sums have too many parts, or a sum leads back to itself with
        more parts.

    Notes
    -----
    The time is O(n + m log m) for the n vertices from which play must end, and their m edges; for the others see
    :func:`graphgame.labs.theory.reduction.stable_classes`. If ``heaps`` is False, as many positions as possible are
    merged such that merged positions have the same options after merging. Sums are equal if they have the same parts;
    parts without a move do not count, and a sum of one part is equal to this part.

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
    graph = GameGraph.of(game)
    return _to_heaps(graph) if heaps else _merged(graph)


def thin(game: GameLike) -> GameGraph:
    """Return a graph with the same positions and values, but without moves that the values do not need.

    A position of value k keeps one option of each smaller value: the one with the least vertex number. If positions are
    decided by the rules, all moves from loony positions and all moves to sunny positions are kept, and each other
    position keeps one move to a loony option, if it has any.

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
    values, rows = _solved(graph, Message("leaving out moves")).grundy.array.astype(np.int64), graph.option_rows
    source = rows.row_indices()
    wanted = values[source] - values[rows.indices]
    needed = np.zeros(len(source), np.bool_)
    smaller = np.flatnonzero((wanted > 0) & (values[rows.indices] >= 0))
    # A key for each pair of a position and the value of an option; the first move with each key is kept.
    keys = source[smaller].astype(np.int64) * (int(values.max(initial=0)) + 1) + wanted[smaller]
    needed[smaller[np.unique(keys, return_index=True)[1]]] = True
    if graph.sums is not None:
        needed |= graph.sums[source]
    # Keep all moves to sunny positions and all moves from loony positions. From each other position keep one move to a
    # loony option, if there is one: the position may have no other move.
    if graph.decided is not None:
        needed |= (values[rows.indices] == SUNNY) | (values[source] == LOONY)
        loony = np.flatnonzero((values[rows.indices] == LOONY) & (values[source] >= 0))
        needed[loony[np.unique(source[loony], return_index=True)[1]]] = True
    return GameGraph.from_arrays(
        source[needed], rows.indices[needed], graph.labels, sums=graph.sums, decided=graph.decided, tokens=graph.tokens
    )


def isomorphism(first: GameLike, second: GameLike) -> dict[Hashable, Hashable] | None:
    """Return a one-to-one mapping from the first graph's positions to the second graph's that keeps the moves.

    It maps sums to sums, and decided positions to positions that are decided in the same way. The result is None if the
    graphs are not isomorphic. They can still be the same game, because one graph may have several positions where the
    other has one: to find out, compare the results of :func:`reduce`.

    Parameters
    ----------
    first, second : GameLike
        Tokens are ignored.

    Notes
    -----
    Vertices are first coloured by what play can reach from them, and by what can reach them. Then networkx searches for
    a mapping that keeps colours (VF2++), in exponential time in the worst case. Cycles are allowed.

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
    mapping = nx.vf2pp_isomorphism(*shapes, node_label="colour") if len(shapes[0]) else {}
    if mapping is None:
        return None
    return {games[0].labels[v]: games[1].labels[mapping[v]] for v in range(len(games[0]))}


def _solved(graph: GameGraph, reduction: str) -> Solution:
    """Return the solution of a graph. If it has a cycle, the CycleError says that ``reduction`` needs play that ends.

    ``reduction`` is a phrase such as "leaving out moves".
    """
    try:
        return solution_of(graph)
    except CycleError as error:
        advice = Message("{reduction} needs play that ends: {advice}", reduction, MERGING_ADVICE)
        raise CycleError(error.cycle, advice) from None


def _to_heaps(graph: GameGraph) -> Reduction:
    """Return the reduction to heaps of Nim: a heap for each value up to the largest, with moves to all smaller ones."""
    if graph.decided is not None:
        raise ParameterError(
            "positions that end play at once cannot be replaced by Nim heaps: merge only positions with equal options"
        )
    values = _solved(graph, Message("merging positions into heaps of Nim")).grundy.array
    heaps = int(values.max(initial=-1)) + 1
    if heaps * (heaps - 1) // 2 > MAX_MOVES:
        raise LimitError(
            "the largest value is {heaps}, and the Nim heaps up to this size have more than {max_moves} moves",
            heaps - 1,
            MAX_MOVES,
        )
    tokens = None if graph.tokens is None else [f"*{values[graph.number_of(token)]}" for token in graph.tokens]
    source, target = np.tril_indices(heaps, -1)
    small = GameGraph.from_arrays(source, target, [f"*{heap}" for heap in range(heaps)], tokens=tokens)
    return Reduction(graph, small, values)


def _merged(graph: GameGraph, named: Sequence[Hashable] = ()) -> Reduction:
    """Return the reduction that merges positions with the same options.

    Each new vertex has the label of one of its members: the member that is first in ``named``. If ``named`` has no
    member, it is the representative (see :func:`_representatives`).
    """
    flat, same = _flattened(graph)
    kinds = _kinds(flat)
    classes = np.unique(stable_classes(flat, kinds)[same], return_inverse=True)[1]
    first = _representatives(graph, classes)
    # Number the classes by their representatives, so that the small graph keeps the order of the large one.
    rank = np.argsort(np.argsort(first))
    numbers = rank[classes].astype(np.int32)
    first.sort()
    source, target = flat.option_rows.gather(first)
    named_by, preferred = first.copy(), np.array([graph.number_of(label) for label in reversed(named)], np.int64)
    named_by[numbers[preferred]] = preferred
    labels = graph.labels.take(named_by)
    tokens = None if graph.tokens is None else [labels[numbers[graph.number_of(token)]] for token in graph.tokens]
    sums, decided = kinds[first] == 1, np.minimum(kinds[first], 0)
    small = GameGraph.from_arrays(source, numbers[target], labels, sums=sums, decided=decided, tokens=tokens)
    return Reduction(graph, small, numbers)


def _flattened(graph: GameGraph) -> tuple[GameGraph, np.ndarray]:
    """Return a graph with simplified sums, and an array: for each vertex of ``graph`` an equal vertex of the result.

    A simplified sum has no part without a move, except decided positions. A sum with only one part left is equal to
    this part, which replaces it; a sum with none becomes a position without moves.
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


def _representatives(graph: GameGraph, classes: np.ndarray) -> np.ndarray:
    """Return a vertex of each class: its first position, or its first sum if the class has only sums.

    A class may have both, because a sum may be equal to its only part with a move.
    """
    sums = np.zeros(len(graph), np.bool_) if graph.sums is None else graph.sums
    order = np.lexsort((np.arange(len(graph)), sums, classes))
    return order[np.flatnonzero(np.diff(classes[order], prepend=-1))]


def _colours(games: Sequence[GameGraph]) -> list[np.ndarray]:
    """Return an array for each graph, with a colour for each vertex.

    Every isomorphism between two of the graphs maps a vertex to one of the same colour. The colours start as the result
    of :func:`_kinds`, with other colours for vertices with a move to themselves. Then they are refined by the colours
    of the options until nothing changes, and after that in the same way by the colours of the predecessors.
    """
    starts = np.cumsum([0, *map(len, games)])
    moves = [np.stack(_moves(game)) + start for game, start in zip(games, starts, strict=False)]
    (source, target), kinds = np.concatenate(moves, axis=1), np.concatenate([_kinds(game) for game in games])
    kinds[source[source == target]] += 2  # own colours for vertices with a move to themselves
    for start, end in ((source, target), (target, source)):
        # An isomorphism preserves how many options of each colour a vertex has. stable_classes compares these numbers
        # only if the vertices are sums; for other vertices it compares which colours occur. So declare all as sums.
        each_counts = np.ones(len(kinds), np.bool_)
        kinds = stable_classes(GameGraph.from_arrays(start, end, len(kinds), sums=each_counts), kinds)
    return np.split(kinds, starts[1:-1])


def _kinds(graph: GameGraph) -> np.ndarray:
    """Return an integer for each vertex: 1 for a sum, SUNNY or LOONY for a decided position, otherwise 0."""
    return np.zeros(len(graph), np.int64) if graph.kinds is None else graph.kinds.astype(np.int64)


def _moves(graph: GameGraph) -> tuple[np.ndarray, np.ndarray]:
    return graph.option_rows.row_indices(), graph.option_rows.indices


def _shape(graph: GameGraph, colours: list[int]) -> nx.DiGraph:
    """Return a networkx graph whose vertices have the attribute "colour".

    An edge that occurs k > 1 times leads through an extra vertex of colour -k, because a DiGraph has no parallel edges.
    """
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
    """Merge equal positions of a graph for a picture; if ``solution`` is not None, also solve the small graph.

    In the picture's options, each position is replaced by the vertex into which it is merged. A vertex has the label of
    its first member in ``options.around`` or, if this has no member of it, of its first token. Any other vertex has the
    label that :func:`reduce` gives it.
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
    """A small graph to draw, made by :func:`merged`.

    ``solution`` is the solution of ``graph``, or None if it is not solved. ``options`` says how to draw ``graph``.
    ``counts`` has the number of positions that are merged into each vertex of ``graph``; sums do not count.
    """

    solution: Solution | None
    graph: GameGraph
    options: PictureOptions
    counts: np.ndarray
