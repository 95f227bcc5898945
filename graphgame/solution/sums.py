"""Sums of positions, the components that tokens stand on: answers from their values, and explicit graphs of sums.

Under normal play the values of the components determine who wins the sum, as they combine by xor. Who wins it under
misère play, and how long it lasts, does not follow from these values. These questions need an explicit graph, the
*product*, whose vertices are multisets of components. Components without options are omitted, since they have no move,
and a sum vertex is replaced by its parts. A sum with a decided component is that component alone: play is over.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Hashable, Iterable, Iterator
from functools import cached_property, reduce
from operator import xor
from typing import Literal

import numpy as np

from graphgame.compiled.engine import PRODUCT_LIMIT
from graphgame.errors import LimitError, Message, TokenError, plural
from graphgame.graph.components import on_cycles, strong
from graphgame.graph.gamegraph import GameGraph, GameLike
from graphgame.solution.results import (
    Move,
    Numbered,
    Outcome,
    ValueCodes,
    VertexValues,
    outcome_of,
    refuse_misere_sum,
    sums_of_others,
)
from graphgame.solution.sprague_grundy import decisive_values, ending_values

_MOVES_A_POSITION = 20
_COMPONENTS_A_POSITION = 100
_POSITIONS_A_REPORT = 256

Multiset = tuple[int, ...]
"""A sum of positions: the vertex numbers of its components in increasing order."""


class Product:
    """The explicit graph of all sums of a graph's positions that can be reached from some sums.

    Parameters
    ----------
    game : GameLike
    starts : iterable of iterable of int
        The sums to start from, each as the vertex numbers of its components.
    limit : int
        The limit on positions, and on the components of one position. The limit on moves is 20 times as large, and that
        on the components of all positions together 100 times.
    progress : callable, optional
        Called as ``progress(positions, moves)`` from time to time.
    whole : bool
        Whether to distinguish sums with the same loony component. By default such a sum is represented by that
        component alone: the mover wins with one move there, so the other components do not matter. The graph then has
        far fewer sums, but from a loony sum only the moves in that component.

    Attributes
    ----------
    graph : GameGraph
        A position is the tuple of the components' positions, in the order of their vertex numbers.

    Raises
    ------
    LimitError
        The graph is larger than the limit; or it is infinite, since a sum leads to itself with more components.
    """

    def __init__(
        self,
        game: GameLike,
        starts: Iterable[Iterable[int]],
        limit: int = PRODUCT_LIMIT,
        progress: Callable[[int, int], None] | None = None,
        *,
        whole: bool = False,
    ) -> None:
        self._base = graph = GameGraph.of(game)
        self._alone = graph.decided if whole else decisive_values(graph)
        refuse_endless_sums(graph)
        self._limit = limit
        self._progress = progress
        self._options_of: dict[int, list[Multiset]] = {}
        self._number: dict[Multiset, int] = {}
        self._components = 0
        for start in starts:
            self._add(self._canonical(start))
        source, target = self._explore()
        positions = [tuple(graph.labels.take(np.array(multiset, np.int64))) for multiset in self._number]
        decided = None
        if graph.decided is not None:
            # A sum with a decided component is this component alone, so only the first component can be decided.
            first = np.array([multiset[0] if multiset else -1 for multiset in self._number], np.int64)
            decided = np.where(first >= 0, graph.decided[first], 0)
        self.graph = GameGraph.from_arrays(source, target, positions, decided=decided)

    def number_of(self, components: Iterable[int]) -> int:
        """Return the vertex number in ``self.graph`` of a sum, given as its components' vertex numbers in ``game``."""
        return self._number[self._canonical(components)]

    def _explore(self) -> tuple[np.ndarray, np.ndarray]:
        source, target = array("i"), array("i")
        positions = list(self._number)
        # The loop appends to ``positions``, which is the queue of the breadth-first search.
        for number, position in enumerate(positions):
            for option in self._options(position):
                before = len(self._number)
                target.append(self._add(option))
                source.append(number)
                if len(self._number) > before:
                    positions.append(option)
            if len(source) > _MOVES_A_POSITION * self._limit:
                moves, explored = plural(len(source), "move"), plural(number + 1, "position")
                raise self._error("there are {moves} from {positions}", moves, explored)
            if self._progress is not None and number % _POSITIONS_A_REPORT == 0:
                self._progress(len(self._number), len(source))
        return np.frombuffer(source, np.int32), np.frombuffer(target, np.int32)

    def _options(self, position: Multiset) -> Iterator[Multiset]:
        for index, component in enumerate(position):
            # Equal components have the same options: move only in the first of them.
            if index and position[index - 1] == component:
                continue
            if component not in self._options_of:
                options = self._base.option_rows.row(component).tolist()
                self._options_of[component] = [self._canonical((option,)) for option in options]
            others = position[:index] + position[index + 1 :]
            # If the component after the move decides the whole sum, the other components are dropped.
            for parts in self._options_of[component]:
                alone = self._alone is not None and len(parts) == 1 and self._alone[parts[0]]
                yield parts if alone else tuple(sorted(others + parts))

    def _canonical(self, components: Iterable[int]) -> Multiset:
        parts = moving_parts(self._base, components, self._limit)
        if parts is None:
            raise self._error("there is a sum of more than {components}", plural(self._limit, "component"))
        decisive = [] if self._alone is None else [part for part in parts if self._alone[part]]
        return (max(decisive, key=self._rank),) if decisive else tuple(sorted(parts))

    def _rank(self, part: int) -> tuple[bool, int]:
        """Return a sort key for three kinds of component: loony but not decided, loony and decided, sunny."""
        assert self._base.decided is not None
        assert self._alone is not None
        return bool(self._base.decided[part]), int(self._alone[part])

    def _add(self, position: Multiset) -> int:
        if position in self._number:
            return self._number[position]
        self._components += len(position)
        if len(self._number) == self._limit:
            raise self._error("there are more than {positions}", plural(self._limit, "position"))
        if self._components > _COMPONENTS_A_POSITION * self._limit:
            facts = self._components, plural(len(self._number) + 1, "position"), _COMPONENTS_A_POSITION
            raise self._error(
                "there are {components:,} components in {positions}, more than {times} times the limit", *facts
            )
        return self._number.setdefault(position, len(self._number))

    def _error(self, size: str, *facts: object) -> LimitError:
        return LimitError(
            "the explicit graph of the sum is too large: {found}; the limit is product_limit={limit}",
            Message(size, *facts),
            self._limit,
            limit="product_limit",
        )


def product(game: GameLike, *, limit: int = PRODUCT_LIMIT) -> GameGraph:
    """Return the explicit graph of the sum of a graph's tokens; ``limit`` is that of :class:`Product`.

    A vertex is the tuple of the components' positions, in the order of their vertex numbers, without those that have no
    move; a decided component stands alone. The only token is the vertex of the whole sum.

    Raises
    ------
    TokenError
        The graph has no tokens.
    LimitError
        The explicit graph is larger than the limit, or infinite.

    Examples
    --------
    >>> heap = GameGraph({2: [1, 0], 1: [0]}, tokens=[1, 2])
    >>> product(heap).tokens, sorted(product(heap).successors((2, 1)))
    (((2, 1),), [(1,), (1, 1), (2,)])
    """
    graph = GameGraph.of(game)
    if graph.tokens is None:
        raise TokenError("there are no tokens: name some, because a product is the sum of the tokens' positions")
    start = [graph.number_of(token) for token in graph.tokens]
    whole = Product(graph, [start], limit, whole=True)
    return GameGraph(whole.graph, tokens=[whole.graph.labels[whole.number_of(start)]])


def moving_parts(graph: GameGraph, vertices: Iterable[int], most: int) -> list[int] | None:
    """Return vertex numbers with each sum replaced by its parts.

    A part that is a sum is replaced by its own parts. Positions without a move are omitted unless they are decided. The
    result is None if there are more than ``most`` positions.

    Examples
    --------
    >>> labels, sums = ["2 + 2", "2", "end"], np.array([True, False, False])
    >>> graph = GameGraph.from_arrays([0, 0, 1], [1, 1, 2], labels, sums=sums)
    >>> moving_parts(graph, [0, 1, 2], 3), moving_parts(graph, [0, 1], 2)
    ([1, 1, 1], None)
    """
    decided, moves = graph.decided, graph.out_degrees
    parts: list[int] = []
    for vertex in parts_below(graph, *vertices):
        if moves[vertex] or (decided is not None and decided[vertex]):
            parts.append(vertex)
            if len(parts) > most:
                return None
    return parts


def parts_below(graph: GameGraph, *vertices: int) -> Iterator[int]:
    """Yield vertex numbers of positions: ``vertices`` with each sum replaced by its parts, until no sum is left.

    The positions of the last vertex come first.
    """
    stack = list(vertices)
    while stack:
        vertex = stack.pop()
        if graph.sums is not None and graph.sums[vertex]:
            stack.extend(graph.option_rows.row(vertex).tolist())
        else:
            yield vertex


def refuse_endless_sums(graph: GameGraph) -> None:
    """Raise a LimitError if the product of a graph is infinite; O(n + m) time.

    It is infinite if a sum vertex has a part from which moves lead back to the vertex, and another part with a move, or
    if a sum vertex is a part of itself, directly or through other sum vertices.

    Examples
    --------
    >>> labels, sums = ["start", "start + tail", "tail", "end"], np.array([False, True, False, False])
    >>> refuse_endless_sums(GameGraph.from_arrays([0, 1, 1, 2], [1, 0, 2, 3], labels, sums=sums))
    Traceback (most recent call last):
    ...
    graphgame.errors.LimitError: moves from the sum 'start + tail' lead back to it with an additional component, ...
    """
    if graph.sums is None:
        return
    _, order = ending_values(graph)
    if len(order) == len(graph):
        return
    _, component = strong(graph)
    cyclic = graph.sums & on_cycles(graph, component)
    rows, live = graph.option_rows, graph.out_degrees > 0
    for vertex in order[graph.sums[order]].tolist():
        live[vertex] = live[rows.row(vertex)].any()
    live_parts = np.bincount(rows.row_indices()[live[rows.indices]], minlength=len(graph))
    # If a sum is on a cycle, play in one of its parts leads back to the sum. If another part can move, that part
    # remains, so each return adds a component.
    grows = cyclic & (live_parts > 1)
    if grows.any():
        raise _endless(graph, int(np.argmax(grows)), grows=True)
    # A strongly connected component without positions: sums that are parts of each other.
    alone = cyclic & (np.bincount(component, ~graph.sums)[component] == 0)
    if alone.any():
        raise _endless(graph, int(np.argmax(alone)), grows=False)


def _endless(graph: GameGraph, vertex: int, *, grows: bool) -> LimitError:
    fault = (
        Message("moves from the sum {sum!r} lead back to it with an additional component", graph.labels[vertex])
        if grows
        else Message("the sum {sum!r} is a part of itself", graph.labels[vertex])
    )
    return LimitError(
        "{fault}, so there are infinitely many sums: change the rules so that no part of a sum leads back to the sum, "
        "or so that one position, a tuple of bounded length, holds all components",
        fault,
    )


NumberedMove = tuple[int, int, int]
"""A :class:`Move` whose start and end are vertex numbers."""


class Solved:
    """The base class of solutions, in memory and on disk: the answers that follow from the values of positions."""

    misere: bool = False
    tokens: tuple[Hashable, ...] | None
    codes = ValueCodes()
    _values: np.ndarray

    @property
    def _positions(self) -> Numbered:
        raise NotImplementedError

    def _option_rows(self, vertices: np.ndarray) -> Iterable[np.ndarray]:
        """Return for each of these vertices an array of its option numbers in increasing order."""
        raise NotImplementedError

    @cached_property
    def grundy(self) -> VertexValues[int]:
        """Mapping: position -> Grundy value; a :class:`Loopy` or :class:`Decisive` if the position has no Grundy value.

        Under misère play it is the misère Grundy value: computed in the same way, but 1 for a position without moves.
        """
        return VertexValues(self._positions, self._values, self.codes.decode if len(self.codes) else None)

    @cached_property
    def outcome(self) -> VertexValues[Outcome]:
        """Mapping: position -> "P" (the previous player wins), "N" (the next one) or "D" (a draw); 4 bytes a vertex."""
        return VertexValues(self._positions, self.codes.outcomes(self._values))

    @property
    def components(self) -> np.ndarray:
        """The vertex numbers of the tokens, int64.

        Raises
        ------
        TokenError
            There are no tokens.
        UnknownPositionError
            A token is not a position of the graph.
        """
        if self.tokens is None:
            raise TokenError("there are no tokens to ask about: give tokens=[...], the positions of the sum")
        return np.array([self._positions.number_of(token) for token in self.tokens], np.int64)

    @property
    def nim_sum(self) -> int:
        """The xor of the tokens' values; it is infinite or decisive if one of these values is.

        Raises
        ------
        TokenError
            There are no tokens, or under misère play, where values do not combine by xor.
        """
        refuse_misere_sum(self.misere)
        return reduce(xor, self.codes.decode(self._values[self.components].tolist()), 0)

    @property
    def winner(self) -> Literal["first", "second", "draw"]:
        """Who wins the sum of the tokens with best play: "first", "second", or "draw" if nobody can force a win.

        Raises
        ------
        TokenError
            There are no tokens.
        LimitError
            Misère play needs the explicit graph of the tokens' sum, which is too large.
        """
        winners: dict[str, Literal["first", "second", "draw"]] = {"P": "second", "N": "first", "D": "draw"}
        return winners[self._sum_outcome()]

    def winning_moves(self) -> list[Move]:
        """Return every winning move of the tokens' sum, ordered by component, then by the option's vertex number.

        Under normal play these are all moves after which the nim-sum is 0 or sunny, even if the value of the component
        increases. For a solution on disk this reads every edge once.

        Raises
        ------
        TokenError, LimitError
            As for :attr:`winner`.
        """
        return self._named(self._moves_to("P"))

    def _sum_outcome(self) -> str:
        return outcome_of(self.nim_sum)

    def _moves_to(self, outcome: str) -> Iterator[NumberedMove]:
        """Yield the moves after which the tokens' sum has this outcome, "P" or "D"."""
        finite, components = not len(self.codes), self.components
        if finite and outcome != "P":
            return
        others_of = sums_of_others(self.codes.decode(self._values[components].tolist()))
        rows = zip(components.tolist(), self._option_rows(components), others_of, strict=True)
        for index, (start, row, others) in enumerate(rows):
            values = self._values[row]
            if finite:
                # The move makes the nim-sum 0 if the option's value is the xor of the values of all other components.
                chosen = values == others
            else:  # with infinite, sunny and loony values there is no such rule: add up the values after each move
                after = (outcome_of(value ^ others) for value in self.codes.decode(values.tolist()))
                chosen = np.fromiter((reached == outcome for reached in after), np.bool_, len(row))
            yield from ((index, start, end) for end in row[chosen].tolist())

    def _named(self, moves: Iterable[NumberedMove]) -> list[Move]:
        labels = self._positions.labels
        return [Move(component, labels[start], labels[end]) for component, start, end in moves]
