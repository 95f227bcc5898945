"""Generate games of given shapes and sizes, for experiments and measurements. Equal parameters give equal games.

Every move goes from a lower number to a higher one, unless the vertices are shuffled.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain, islice
from math import isqrt
from typing import NamedTuple

import numpy as np

from graphgame.errors import LimitError, Message, ParameterError, is_integer, plural, wrong_value
from graphgame.graph.gamegraph import GameGraph
from graphgame.graph.rows import MAX_VERTICES

__all__ = ["MAX_SIZE", "MAX_STREAMED", "SHAPES", "Generated", "Shape", "edge_blocks", "generate"]

MAX_SIZE = 5 * 10**8
"""The maximum number of vertices, and also of edges, of a game that is generated in memory."""

MAX_STREAMED = 10**11
"""The maximum number of edges of a game that is generated in blocks. The vertices are limited by ``MAX_VERTICES``."""

_COMPONENT_SIZE = 10
"""The number of vertices of a component in the shape ``components``."""

_DEFAULT_VERTICES = 100
_EDGES_OF_BLOCK = 1 << 22
"""The edges are divided into blocks that have at most this many edges on average."""

_Ends = tuple[np.ndarray, np.ndarray]


class Shape(NamedTuple):
    """A family of graphs.

    The possible edges of a graph are numbered from 0 on. A graph has all of them, or randomly chosen ones.

    Attributes
    ----------
    name, description : str
    edges : callable
        A function from a number of vertices to the count of possible edges.
    ends : callable
        A function from a number of vertices, and an array with the numbers of some possible edges, to two arrays: the
        sources and the targets of these edges.
    density : int or None
        The default number of edges for each vertex, if edges are chosen at random; None if a graph has all edges.
    """

    name: str
    description: str
    edges: Callable[[int], int]
    ends: Callable[[int, np.ndarray], _Ends]
    density: int | None = None


def generate(
    shape: str,
    *,
    vertices: int | None = None,
    edges: int | None = None,
    tokens: int = 1,
    seed: int = 0,
    shuffle: bool = False,
) -> GameGraph:
    """Generate a game of a given shape.

    Parameters
    ----------
    shape : str
        ``random``: any moves to higher numbers. ``grid``: a square grid with moves right or down. ``path``: a single
        line of play. ``star``: one position with many options. ``layered``: about as many layers as positions in each
        layer, with moves to the next layer. ``complete``: all moves to higher numbers, so that all values differ.
        ``components``: many random games of ten positions.
    vertices, edges : int, optional
        The size. In a grid, path, star or complete graph one number determines the other, and the result is the largest
        graph that exceeds neither. The other shapes have exactly these numbers. Without ``edges`` they have ten edges
        for each vertex (components: two), or all possible edges if these are fewer. Without ``vertices``, their number
        follows from ``edges`` by the same ratio, but is at least ten, and enough for the edges. Without both there are
        100 vertices.
    tokens : int
        The number of tokens. They are on the positions 1 to this number, or on the new numbers of these positions if
        ``shuffle`` is true.
    seed : int
        The seed of all random choices.
    shuffle : bool
        Whether to number the vertices at random. Otherwise every move goes to a higher number.

    Returns
    -------
    GameGraph
        The positions are 1..n.

    Raises
    ------
    ParameterError
        The shape is unknown, or has no graph of this size. Or a number is too small, or there are more tokens than
        vertices.
    LimitError
        There are more than 5 * 10**8 vertices or edges. :func:`edge_blocks` can generate such games.

    Notes
    -----
    The time is O(n + m) for n vertices and m edges, or O(n + m log m) if edges are chosen at random.

    Examples
    --------
    >>> sorted(generate("grid", vertices=4).edges)
    [(1, 2), (1, 3), (2, 4), (3, 4)]
    >>> generate("random", vertices=1000, edges=5000, seed=7)
    <GameGraph...>
    """
    return edge_blocks(
        shape, vertices=vertices, edges=edges, tokens=tokens, seed=seed, shuffle=shuffle, most=MAX_SIZE
    ).graph()


class Generated(NamedTuple):
    """A game whose edges are generated in blocks.

    Attributes
    ----------
    vertices, edges : int
        The numbers of vertices and edges.
    tokens : list of int
        The positions of the tokens. Positions are 1 to ``vertices``.
    blocks : iterator of (ndarray, ndarray)
        The sources and the targets of some edges, as vertex numbers from 0: one less than the positions.
    """

    vertices: int
    edges: int
    tokens: list[int]
    blocks: Iterator[_Ends]

    def graph(self) -> GameGraph:
        """Read all blocks into memory, and return the graph. This works only once, because it uses up the blocks."""
        source, target = np.empty((2, self.edges), np.int32)
        end = 0
        for ends in self.blocks:
            start, end = end, end + len(ends[0])
            source[start:end], target[start:end] = ends
        return GameGraph.from_arrays(source, target, range(1, self.vertices + 1), tokens=self.tokens, overwrite=True)


def edge_blocks(
    shape: str,
    *,
    vertices: int | None = None,
    edges: int | None = None,
    tokens: int = 1,
    seed: int = 0,
    shuffle: bool = False,
    most: int = MAX_STREAMED,
) -> Generated:
    """Generate a game as :func:`generate` does, but in blocks, so that only one block is in memory at a time.

    Raises LimitError if there are more than ``most`` vertices or edges, or more than 2**31 - 2 vertices. Shuffling
    takes 12 bytes of memory for each vertex.
    """
    if shape not in SHAPES:
        raise ParameterError("unknown shape {shape!r}: expected one of {shapes}", shape, ", ".join(SHAPES))
    for name, number, least in (
        ("vertices", vertices, 1),
        ("edges", edges, 0),
        ("tokens", tokens, 0),
        ("seed", seed, 0),
    ):
        if number is not None and not is_integer(number, least):
            raise wrong_value(name, number, Message("an integer of {least} or more", least))
    family = SHAPES[shape]
    size, moves = _size(family, vertices, edges, most)
    if tokens > size:
        raise ParameterError(
            "{tokens} on {vertices}: at most one token can stand on each vertex",
            plural(tokens, "token"),
            plural(size, "vertex"),
        )
    random = np.random.default_rng(seed)
    numbers = _edge_numbers(family, size, moves, random)
    # The first block takes its random numbers before the permutation does. So a game of one block is the same as in
    # earlier versions, for the same seed.
    first = list(islice(numbers, 1))
    new_number = random.permutation(size).astype(np.int32) if shuffle else None
    blocks = (family.ends(size, number) for number in chain(first, numbers))
    if new_number is None:
        as_int32 = ((source.astype(np.int32), target.astype(np.int32)) for source, target in blocks)
        return Generated(size, moves, list(range(1, tokens + 1)), as_int32)
    shuffled = ((new_number[source], new_number[target]) for source, target in blocks)
    return Generated(size, moves, (new_number[:tokens] + 1).tolist(), shuffled)


def _edge_numbers(shape: Shape, vertices: int, edges: int, random: np.random.Generator) -> Iterator[np.ndarray]:
    """Yield the numbers of the graph's edges among all possible edges, in increasing order, in blocks."""
    # Each block has edges from its own share of the possible edges: those with the numbers between two cuts.
    most, blocks = shape.edges(vertices), max(1, -(-edges // _EDGES_OF_BLOCK))
    cuts = [most * block // blocks for block in range(blocks + 1)]
    sizes = np.diff(cuts)
    counts = sizes if shape.density is None else np.array([edges])
    if shape.density is not None and blocks > 1:
        # Choose the number of edges in each block at random, then limit it to the size of the block's share.
        counts = random.multinomial(edges, sizes / most)
        _limit_counts(counts, sizes)
    for first, total, count in zip(cuts, sizes.tolist(), counts.tolist(), strict=False):
        yield first + (np.arange(total) if shape.density is None else _distinct(total, count, random))


def _limit_counts(counts: np.ndarray, sizes: np.ndarray) -> None:
    """Lower each count that is above its size to this size; add the total surplus to the first counts with room.

    ``counts`` is changed in place.
    """
    surplus = int(np.maximum(counts - sizes, 0).sum())
    np.minimum(counts, sizes, out=counts)
    for block in range(len(counts)):
        added = min(surplus, int(sizes[block] - counts[block]))
        counts[block] += added
        surplus -= added


def _size(shape: Shape, vertices: int | None, edges: int | None, limit: int) -> tuple[int, int]:
    """Return the numbers of vertices and edges of the graph to generate; see :func:`generate` for the errors.

    ``limit`` is the maximum number of vertices, and also of edges. More than MAX_VERTICES vertices are refused too.
    """
    if vertices is None and edges is None:
        vertices = _DEFAULT_VERTICES
    if shape.density is None:
        size = _largest(shape, vertices, edges, limit)
        moves = shape.edges(size)
    else:
        size = vertices if vertices is not None else max(_COMPONENT_SIZE, -(-(edges or 0) // shape.density))
        # A small graph may have fewer than ``density`` possible edges per vertex: add vertices until ``edges`` fit.
        while vertices is None and edges is not None and shape.edges(size) < edges:
            size += 1
        most = shape.edges(size)
        moves = edges if edges is not None else min(most, shape.density * size)
        if moves > most:
            raise ParameterError(
                "too many edges ({edges}): the shape {name} with {vertices} has at most {most}",
                moves,
                shape.name,
                plural(size, "vertex"),
                most,
            )
    if max(size, moves) > limit or size > MAX_VERTICES:
        facts = plural(size, "vertex"), plural(moves, "edge"), min(limit, MAX_VERTICES), limit
        raise LimitError(
            "{vertices} and {edges}: at most {most} vertices and {limit} edges can be generated{hint}",
            *facts,
            Message("; Parquet and token files can have more") if limit == MAX_SIZE else "",
        )
    return size, moves


def _largest(shape: Shape, vertices: int | None, edges: int | None, limit: int) -> int:
    """Return the number of vertices of the largest graph with at most ``vertices`` vertices and ``edges`` edges.

    None means no limit. If ``vertices`` is None, the result is at most the first square number above ``limit``. This is
    enough, because :func:`_size` refuses more vertices than ``limit``.
    """
    low, high = 1, (isqrt(limit) + 1) ** 2 if vertices is None else vertices
    while low < high:
        middle = (low + high + 1) // 2
        if edges is None or shape.edges(middle) <= edges:
            low = middle
        else:
            high = middle - 1
    return isqrt(low) ** 2 if shape.name == "grid" else low


def _distinct(total: int, count: int, random: np.random.Generator) -> np.ndarray:
    """Return ``count`` distinct random numbers below ``total``, in increasing order."""
    # For more than half of the numbers, take the start of a permutation. Otherwise draw numbers, and replace duplicates
    # by new draws until all are distinct.
    if 2 * count > total:
        return np.sort(random.permutation(total)[:count])
    numbers = np.empty(0, np.int64)
    while len(numbers) < count:
        numbers = np.sort(np.append(numbers, random.integers(0, total, count - len(numbers))))
        numbers = numbers[np.append(True, numbers[1:] != numbers[:-1])]
    return numbers


def _pair(number: np.ndarray) -> _Ends:
    """Return the lower and the higher entries of pairs, given the numbers of the pairs.

    The pairs (0, 1), (0, 2), (1, 2), (0, 3) have the numbers 0 to 3: number = high * (high - 1) / 2 + low.
    """
    # For large numbers the root in floating point may be wrong by one: correct it in integers.
    high = ((1 + np.sqrt(1 + 8 * number.astype(np.float64))) / 2).astype(np.int64)
    high -= high * (high - 1) // 2 > number
    high += high * (high + 1) // 2 <= number
    return number - high * (high - 1) // 2, high


def _all_pairs(vertices: int, number: np.ndarray) -> _Ends:
    return _pair(number)


def _grid(vertices: int, number: np.ndarray) -> _Ends:
    # The moves to the right come first, row by row, then the moves down. ``down`` is the index of a move among the
    # moves down; it is negative for a move to the right.
    side = isqrt(vertices)
    right, down = number, number - side * (side - 1)
    source = np.where(down < 0, right + right // max(side - 1, 1), down)
    return source, source + np.where(down < 0, 1, side)


def _path(vertices: int, number: np.ndarray) -> _Ends:
    return number, number + 1


def _star(vertices: int, number: np.ndarray) -> _Ends:
    return np.zeros_like(number), number + 1


def _layered(vertices: int, number: np.ndarray) -> _Ends:
    # Each vertex below the first layer has ``width`` possible edges, one from each vertex of the layer above.
    width = isqrt(vertices)
    index, column = np.divmod(number, width)
    target = index + width
    return (target // width - 1) * width + column, target


def _components(vertices: int, number: np.ndarray) -> _Ends:
    component, pair = np.divmod(number, _pairs(_COMPONENT_SIZE))
    low, high = _pair(pair)
    return _COMPONENT_SIZE * component + low, _COMPONENT_SIZE * component + high


def _pairs(vertices: int) -> int:
    return vertices * (vertices - 1) // 2


def _layer_pairs(vertices: int) -> int:
    width = isqrt(vertices)
    return (vertices - width) * width


def _component_pairs(vertices: int) -> int:
    full, in_last = divmod(vertices, _COMPONENT_SIZE)
    return full * _pairs(_COMPONENT_SIZE) + _pairs(in_last)


def _grid_edges(vertices: int) -> int:
    return 2 * isqrt(vertices) * (isqrt(vertices) - 1)


SHAPES: dict[str, Shape] = {
    shape.name: shape
    for shape in (
        Shape("random", Message("random moves to higher numbers"), _pairs, _all_pairs, 10),
        Shape("grid", Message("a square grid, moves right or down"), _grid_edges, _grid),
        Shape("path", Message("one long line of play"), lambda vertices: vertices - 1, _path),
        Shape("star", Message("one position with many options"), lambda vertices: vertices - 1, _star),
        Shape("layered", Message("layers, moves to the next layer"), _layer_pairs, _layered, 10),
        Shape(
            "complete",
            Message("moves from each position to all higher numbers, so that all values differ"),
            _pairs,
            _all_pairs,
        ),
        Shape("components", Message("many random games of ten positions"), _component_pairs, _components, 2),
    )
}
"""All shapes, by their names."""
