"""Sums of the positions where several tokens are: by values, and as explicit graphs, the product of those they walk on.

Normal play needs no product, for values combine by xor. How long a sum lasts, and who wins it under misère play,
does not follow from its components' values: then the sum itself is made a graph whose positions are multisets of
components. Components without options are left out, for they add no move; a sum vertex stands for its parts. A decided
component ends play, and stands alone.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Hashable, Iterable, Iterator
from functools import cached_property, reduce
from operator import xor
from typing import Any, Literal

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
_REPORT_EVERY = 256

Multiset = tuple[int, ...]


class Product:
    """The explicit graph of sums of a graph's positions.

    A sum to start from is the vertex numbers of its components. The limit is that of positions; twenty times as many
    moves are allowed, and a hundred times as many components of all positions together. A sum that comes back to itself
    with more components is a LimitError too. Breadth first, O(positions + moves) time, no recursion.

    Beside a loony component nothing else matters to who wins, and to how soon: one move. Unless ``whole``, it stands
    for all sums that hold it, which leaves far fewer; of a sum to start from that is loony other moves are left out.

    Attributes
    ----------
    graph : GameGraph
        A position is the tuple of the components' positions, in the order of their vertex numbers.
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
            first = np.array([multiset[0] if multiset else -1 for multiset in self._number], np.int64)
            decided = np.where(first >= 0, graph.decided[first], 0)
        self.graph = GameGraph.from_arrays(source, target, positions, decided=decided)

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
                raise self._too_large(
                    Message("{moves} from {positions}", plural(len(source), "move"), plural(number + 1, "position"))
                )
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
                yield parts if self._stands_alone(parts) else tuple(sorted(rest + parts))

    def _stands_alone(self, parts: Multiset) -> bool:
        return self._alone is not None and len(parts) == 1 and bool(self._alone[parts[0]])

    def _canonical(self, components: Iterable[int]) -> Multiset:
        parts = moving_parts(self._base, components, self._limit)
        if parts is None:
            raise self._too_large(Message("a sum of more than {components}", plural(self._limit, "component")))
        decisive = [] if self._alone is None else [part for part in parts if self._alone[part]]
        return (max(decisive, key=self._rank),) if decisive else tuple(sorted(parts))

    def _rank(self, part: int) -> tuple[bool, int]:
        """Return what comes first of the components that stand alone: what is decided, then what is sunny."""
        assert self._base.decided is not None
        assert self._alone is not None
        return bool(self._base.decided[part]), int(self._alone[part])

    def _add(self, position: Multiset) -> int:
        if position in self._number:
            return self._number[position]
        self._components += len(position)
        if len(self._number) == self._limit:
            raise self._too_large(Message("more than {positions}", plural(self._limit, "position")))
        if self._components > _COMPONENTS_A_POSITION * self._limit:
            raise self._too_large(
                Message(
                    "{components:,} components in {positions}",
                    self._components,
                    plural(len(self._number) + 1, "position"),
                )
            )
        return self._number.setdefault(position, len(self._number))

    def _too_large(self, found: str) -> LimitError:
        return LimitError(
            "the explicit graph of the sum is too large: {found}; the limit is product_limit={limit}",
            found,
            self._limit,
            limit="product_limit",
        )


def product(game: GameLike, *, limit: int = PRODUCT_LIMIT) -> GameGraph:
    """Return the explicit graph of the sum of a graph's tokens, with the limit of :class:`Product`.

    A position is the tuple of the components' positions, in the order of their vertex numbers, without those that have
    no move; the token is the whole sum.

    Examples
    --------
    >>> heap = GameGraph({2: [1, 0], 1: [0]}, tokens=[1, 2])
    >>> product(heap).tokens, sorted(product(heap).successors((2, 1)))
    (((2, 1),), [(1,), (1, 1), (2,)])
    """
    graph = GameGraph.of(game)
    if graph.tokens is None:
        raise TokenError("there are no tokens: a product is the sum of the tokens' positions")
    start = [graph.number_of(token) for token in graph.tokens]
    whole = Product(graph, [start], limit, whole=True)
    return GameGraph(whole.graph, tokens=[whole.graph.labels[whole.number_of(start)]])


def moving_parts(graph: GameGraph, vertices: Iterable[int], most: int) -> list[int] | None:
    """Return the positions of which a sum is made, those of its sums in turn; None where too many come up.

    Positions without a move are left out, unless they are decided.

    Examples
    --------
    >>> labels, sums = ["2 + 2", "2", "end"], np.array([True, False, False])
    >>> graph = GameGraph.from_arrays([0, 0, 1], [1, 1, 2], labels, sums=sums)
    >>> moving_parts(graph, [0, 1, 2], 3), moving_parts(graph, [0, 1], 2)
    ([1, 1, 1], None)
    """
    parts: list[int] = []
    stack = list(vertices)
    while stack:
        vertex = stack.pop()
        if graph.sums is not None and graph.sums[vertex]:
            stack.extend(graph.option_rows.row(vertex).tolist())
        elif graph.out_degrees[vertex] or (graph.decided is not None and graph.decided[vertex]):
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
        raise _endless(graph, int(np.argmax(grows)), Message("comes back to itself with one more component each time"))
    alone = cyclic & (np.bincount(component, ~graph.sums)[component] == 0)
    if alone.any():
        raise _endless(graph, int(np.argmax(alone)), Message("is a part of itself"))


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
        "the sum {sum!r} {how}: its positions have no end; give rules in which no part of a sum "
        "leads back to the sum, or which bound the components and write them all in one position",
        graph.labels[vertex],
        how,
    )


NumberedMove = tuple[int, int, int]
"""A :class:`Move` by vertex numbers."""


class Solved:
    """What values alone tell of a game and of the sum of its tokens, be they in memory or on disk."""

    misere: bool = False
    tokens: tuple[Hashable, ...] | None
    codes = ValueCodes()
    _values: np.ndarray

    @property
    def _positions(self) -> Numbered:
        raise NotImplementedError

    def _option_rows(self, vertices: np.ndarray) -> Iterable[np.ndarray]:
        """Return the option numbers of each of these vertices, increasing."""
        raise NotImplementedError

    @cached_property
    def grundy(self) -> VertexValues[int]:
        """Position -> Grundy value; under misère play the misère value, the same recursion with value 1 at the end.

        A sunny or loony position has a :class:`Decisive` value.
        """
        return VertexValues(self._positions, self._values, self.codes.decode if len(self.codes) else None)

    @cached_property
    def outcome(self) -> VertexValues[Outcome]:
        """Position -> "P" (the previous player wins) or "N" (the next player wins); 4 bytes a vertex of memory."""
        return VertexValues(self._positions, self.codes.outcomes(self._values))

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
    def nim_sum(self) -> Any:  # noqa: ANN401
        """The xor of the tokens' values; values that are no numbers absorb.

        Raises
        ------
        TokenError
            There are no tokens, or under misère play, where values do not combine by xor.
        """
        refuse_misere_sum(self.misere)
        values = self._values[self.components]
        return (
            reduce(xor, self.codes.decode(values.tolist()), 0)
            if len(self.codes)
            else int(np.bitwise_xor.reduce(values))
        )

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
        if len(self.codes):
            yield from self._moves_by_algebra(self.components, outcome)
            return
        if outcome != "P":
            return
        components = self.components
        wanted = self._values[components] ^ self.nim_sum
        of_each = zip(components.tolist(), self._option_rows(components), wanted, strict=True)
        for place, (start, row, value) in enumerate(of_each):
            yield from ((place, start, end) for end in row[self._values[row] == value].tolist())

    def _moves_by_algebra(self, components: np.ndarray, outcome: str) -> Iterator[NumberedMove]:
        """Yield the same moves where some value is no number, and its own inverse no more."""
        values = self.codes.decode(self._values[components].tolist())
        of_each = zip(components.tolist(), self._option_rows(components), sums_of_others(values), strict=True)
        for place, (start, row, rest) in enumerate(of_each):
            for end, value in zip(row.tolist(), self.codes.decode(self._values[row].tolist()), strict=True):
                if outcome_of(value ^ rest) == outcome:
                    yield place, start, end

    def _named(self, moves: Iterable[NumberedMove]) -> list[Move]:
        labels = self._positions.labels
        return [Move(component, labels[start], labels[end]) for component, start, end in moves]
