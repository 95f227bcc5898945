"""Sums of the positions where several tokens are: by values, and as explicit graphs, the product of those they walk on.

Normal play needs no product, for values combine by xor. How long a sum lasts, and who wins it under misère play,
does not follow from its components' values: then the sum itself is made a graph whose positions are multisets of
components. Components without options are left out, for they add no move; a sum vertex stands for its parts.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Hashable, Iterable, Iterator
from functools import cached_property
from typing import Literal

import numpy as np

from graphgame.arrays.backend.search import on_cycles, strong
from graphgame.arrays.engine import PRODUCT_LIMIT
from graphgame.errors import LimitError, TokenError, plural, shorten
from graphgame.graph import GameGraph, GameLike
from graphgame.results import Move, Numbered, Play, VertexValues, outcome_of, refuse_misere_sum
from graphgame.sprague_grundy import ending_values

__all__ = ["NumberedMove", "Product", "Solved", "moving_parts", "parts_below", "product", "refuse_endless_sums"]

_MOVES_A_POSITION = 20
_COMPONENTS_A_POSITION = 100
_REPORT_EVERY = 256

Multiset = tuple[int, ...]


class Product:
    """The explicit graph of sums of a graph's positions.

    A sum to start from is the vertex numbers of its components. The limit is that of positions; twenty times as many
    moves are allowed, and a hundred times as many components of all positions together. A sum that comes back to itself
    with more components is a LimitError too. Breadth first, O(positions + moves) time, no recursion.

    Attributes
    ----------
    graph : GameGraph
        A position is the tuple of the components' positions, in the order of their vertex numbers.
    """

    def __init__(
        self,
        graph: GameLike,
        starts: Iterable[Iterable[int]],
        limit: int = PRODUCT_LIMIT,
        progress: Callable[[int, int], None] | None = None,
    ) -> None:
        self._base = graph = GameGraph.of(graph)
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
        self.graph = GameGraph.from_arrays(source, target, positions)

    def number_of(self, components: Iterable[int]) -> int:
        """Return the vertex number, in the product, of a sum of vertices of the base graph."""
        return self._number[self._canonical(components)]

    def _explore(self) -> tuple[np.ndarray, np.ndarray]:
        source, target = array("i"), array("i")
        positions = list(self._number)
        for number, position in enumerate(positions):
            for option in self._options(position):
                before = len(self._number)
                target.append(self._add(option))
                source.append(number)
                if len(self._number) > before:
                    positions.append(option)
            if len(source) > _MOVES_A_POSITION * self._limit:
                raise self._too_large(f"{plural(len(source), 'move')} from {plural(number + 1, 'position')}")
            if self._progress is not None and number % _REPORT_EVERY == 0:
                self._progress(len(self._number), len(source))
        return np.frombuffer(source, np.int32), np.frombuffer(target, np.int32)

    def _options(self, position: Multiset) -> Iterator[Multiset]:
        for place, component in enumerate(position):
            if place and position[place - 1] == component:
                continue
            if component not in self._options_of:
                options = self._base.option_rows.row(component).tolist()
                self._options_of[component] = [self._canonical((option,)) for option in options]
            rest = position[:place] + position[place + 1 :]
            for parts in self._options_of[component]:
                yield tuple(sorted(rest + parts))

    def _canonical(self, components: Iterable[int]) -> Multiset:
        parts = moving_parts(self._base, components, self._limit)
        if parts is None:
            raise self._too_large(f"a sum of more than {plural(self._limit, 'component')}")
        return tuple(sorted(parts))

    def _add(self, position: Multiset) -> int:
        if position in self._number:
            return self._number[position]
        self._components += len(position)
        if len(self._number) == self._limit:
            raise self._too_large(f"more than {plural(self._limit, 'position')}")
        if self._components > _COMPONENTS_A_POSITION * self._limit:
            raise self._too_large(f"{self._components:,} components in {plural(len(self._number) + 1, 'position')}")
        return self._number.setdefault(position, len(self._number))

    def _too_large(self, found: str) -> LimitError:
        return LimitError(
            f"the explicit graph of the sum is too large: {found}; the limit is product_limit={self._limit}",
            limit="product_limit",
        )


def product(graph: GameLike, *, limit: int = PRODUCT_LIMIT) -> GameGraph:
    """Return the explicit graph of the sum of a graph's tokens, with the limit of :class:`Product`.

    A position is the tuple of the components' positions, in the order of their vertex numbers, without those that have
    no move; the token is the whole sum.

    Examples
    --------
    >>> heap = GameGraph({2: [1, 0], 1: [0]}, tokens=[1, 2])
    >>> product(heap).tokens, sorted(product(heap).successors((2, 1)))
    (((2, 1),), [(1,), (1, 1), (2,)])
    """
    graph = GameGraph.of(graph)
    if graph.tokens is None:
        raise TokenError("there are no tokens: a product is the sum of the tokens' positions")
    start = [graph.number_of(token) for token in graph.tokens]
    whole = Product(graph, [start], limit)
    return GameGraph(whole.graph, tokens=[whole.graph.labels[whole.number_of(start)]])


def moving_parts(graph: GameGraph, vertices: Iterable[int], most: int) -> list[int] | None:
    """Return the positions with a move that a sum is made of, those of its sums in turn; None where too many come up.

    Examples
    --------
    >>> labels, sums = ["2 + 2", "2", "end"], np.array([True, False, False])
    >>> graph = GameGraph.from_arrays([0, 0, 1], [1, 1, 2], labels, sums=sums)
    >>> moving_parts(graph, [0, 1, 2], 10), moving_parts(graph, [0, 1], 2)
    ([1, 1, 1], None)
    """
    parts: list[int] = []
    stack = list(vertices)
    while stack:
        vertex = stack.pop()
        if graph.sums is not None and graph.sums[vertex]:
            stack.extend(graph.option_rows.row(vertex).tolist())
        elif graph.out_degrees[vertex]:
            parts.append(vertex)
        if len(stack) + len(parts) > most:
            return None
    return parts


def parts_below(graph: GameGraph, vertex: int) -> Iterator[int]:
    """Yield the positions that a sum comes down to; a position is the only one itself."""
    stack = [vertex]
    while stack:
        vertex = stack.pop()
        if graph.sums is not None and graph.sums[vertex]:
            stack.extend(graph.option_rows.row(vertex).tolist())
        else:
            yield vertex


def refuse_endless_sums(graph: GameGraph) -> None:
    """Refuse a graph whose explicit product has no end, for a sum comes back to itself with more components.

    So it is where play leads from a part of a sum vertex to that sum again, and another part still has moves; or where
    sums are parts of each other. O(n + m) time.

    Examples
    --------
    >>> labels, sums = ["start", "start + tail", "tail", "end"], np.array([False, True, False, False])
    >>> refuse_endless_sums(GameGraph.from_arrays([0, 1, 1, 2], [1, 0, 2, 3], labels, sums=sums))
    Traceback (most recent call last):
    ...
    graphgame.errors.LimitError: the sum 'start + tail' comes back to itself with one more component each time: ...
    """
    if graph.sums is None:
        return
    _, order = ending_values(graph)
    if len(order) == len(graph):
        return
    _, component = strong(graph)
    cyclic = graph.sums & on_cycles(graph, component)
    grows = cyclic & (_live_parts(graph, order) > 1)
    if grows.any():
        raise _endless(graph, int(np.argmax(grows)), "comes back to itself with one more component each time")
    alone = cyclic & (np.bincount(component, ~graph.sums)[component] == 0)
    if alone.any():
        raise _endless(graph, int(np.argmax(alone)), "is a part of itself")


def _live_parts(graph: GameGraph, order: np.ndarray) -> np.ndarray:
    """Return, for each sum vertex, how many of its parts have a move."""
    sums = graph.sums
    assert sums is not None
    live = graph.out_degrees > 0
    for vertex in order[sums[order]].tolist():
        live[vertex] = live[graph.option_rows.row(vertex)].any()
    return np.bincount(graph.option_rows.owners()[live[graph.option_rows.indices]], minlength=len(graph))


def _endless(graph: GameGraph, vertex: int, how: str) -> LimitError:
    return LimitError(
        f"the sum {shorten(graph.labels[vertex])} {how}: its positions have no end; give rules in which no part of a "
        "sum leads back to the sum, or which bound the components and write them all in one position"
    )


NumberedMove = tuple[int, int, int]
"""A :class:`Move` by vertex numbers."""


class Solved:
    """What values alone tell of a game and of the sum of its tokens, be they in memory or on disk."""

    play: Play = "normal"
    tokens: tuple[Hashable, ...] | None
    _values: np.ndarray

    @property
    def _positions(self) -> Numbered:
        raise NotImplementedError

    def _option_rows(self, vertices: np.ndarray) -> Iterable[np.ndarray]:
        """Return the option numbers of each of these vertices, increasing."""
        raise NotImplementedError

    @cached_property
    def grundy(self) -> VertexValues[int]:
        """Position -> Grundy value; under misère play the misère value, the same recursion with value 1 at the end."""
        return VertexValues(self._positions, self._values)

    @cached_property
    def outcome(self) -> VertexValues[str]:
        """Position -> "P" (the previous player wins) or "N" (the next player wins); 4 bytes a vertex of memory."""
        return VertexValues(self._positions, np.where(self._values == 0, "P", "N"))

    @property
    def components(self) -> np.ndarray:
        """The vertex numbers of the tokens, int64.

        Raises
        ------
        TokenError
            There are no tokens.
        UnknownPositionError
            A token is not a position.
        """
        if self.tokens is None:
            raise TokenError("there are no tokens to ask about: give tokens=[...], the positions of the sum")
        return np.array([self._positions.number_of(token) for token in self.tokens], np.int64)

    @property
    def nim_sum(self) -> int:
        """The xor of the tokens' values.

        Raises
        ------
        TokenError
            There are no tokens, or under misère play, where values do not combine by xor.
        """
        refuse_misere_sum(self.play)
        return int(np.bitwise_xor.reduce(self._values[self.components]))

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
        winners: dict[str, Literal["first", "second", "draw"]] = {"P": "second", "N": "first", "D": "draw"}
        return winners[self._sum_outcome()]

    def winning_moves(self) -> list[Move]:
        """Return every move of the tokens' sum that wins, by component, then by the option's vertex number.

        Under normal play these are all moves after which the nim-sum is 0, those that raise a value included. On disk
        it takes one look at each edge.

        Raises
        ------
        TokenError, LimitError
            As for :attr:`winner`.
        """
        return self._named(self._moves_to("P"))

    def _sum_outcome(self) -> str:
        return outcome_of(self.nim_sum)

    def _moves_to(self, outcome: str) -> Iterator[NumberedMove]:
        """Yield the moves after which the tokens' sum has an outcome."""
        if outcome != "P":
            return
        components = self.components
        wanted = self._values[components] ^ self.nim_sum
        of_each = zip(components.tolist(), self._option_rows(components), wanted, strict=True)
        for place, (start, row, value) in enumerate(of_each):
            yield from ((place, start, end) for end in row[self._values[row] == value].tolist())

    def _named(self, moves: Iterable[NumberedMove]) -> list[Move]:
        labels = self._positions.labels
        return [Move(component, labels[start], labels[end]) for component, start, end in moves]
