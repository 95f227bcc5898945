"""Games of given shapes and sizes, to try things on: the same seed gives the same game.

Every move goes from a lower number to a higher one, unless the vertices are shuffled.
"""

from __future__ import annotations

from collections.abc import Callable
from math import isqrt
from typing import NamedTuple

import numpy as np

from graphgame.errors import LimitError, OptionError, plural, shorten
from graphgame.graph import GameGraph

__all__ = ["MAX_SIZE", "SHAPES", "Shape", "generate"]

MAX_SIZE = 5 * 10**8
"""More vertices or edges than this are refused."""

_SMALL = 10
_USUAL_VERTICES = 100

_Ends = tuple[np.ndarray, np.ndarray]


class Shape(NamedTuple):
    """A family of graphs.

    Attributes
    ----------
    name, description : str
    edges : callable
        Number of vertices -> the edges of the graph; the most that there can be where ``build`` chooses among them.
    build : callable
        (vertices, edges, random generator) -> sources and targets.
    density : int or None
        Edges a vertex unless the caller says otherwise; None where the vertices determine the edges.
    """

    name: str
    description: str
    edges: Callable[[int], int]
    build: Callable[[int, int, np.random.Generator], _Ends]
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
    """Make a game of a given shape.

    Parameters
    ----------
    shape : str
        ``random``: any moves onwards; ``grid``: a square, moves right or down; ``path``: one long play; ``star``:
        one position with many options; ``layered``: as many layers as each has positions, moves to the next layer;
        ``complete``: every move onwards, so that all values differ; ``components``: random games of ten positions.
    vertices, edges : int, optional
        The size. One determines the other in a grid, path, star and complete graph: the largest that has no more than
        either. The other shapes have exactly both; ten edges a vertex (components: two) unless given.
    tokens : int
        The tokens stand on the first positions, 1 to this number.
    seed : int
    shuffle : bool
        Number the vertices at random.

    Returns
    -------
    GameGraph
        Its positions are 1..n.

    Raises
    ------
    OptionError
        The shape is unknown, or its size does not exist.
    LimitError
        More than 5 * 10**8 vertices or edges.

    Notes
    -----
    O(n + m) time; for random edges O(m log m), and 40 bytes an edge at the peak.

    Examples
    --------
    >>> sorted(generate("grid", vertices=4).edges)
    [(1, 2), (1, 3), (2, 4), (3, 4)]
    >>> generate("random", vertices=1000, edges=5000, seed=7)
    <GameGraph...>
    """
    if shape not in SHAPES:
        raise OptionError(f"unknown shape {shorten(shape)}: expected one of {', '.join(SHAPES)}")
    for name, number, least in (
        ("vertices", vertices, 1),
        ("edges", edges, 0),
        ("tokens", tokens, 0),
        ("seed", seed, 0),
    ):
        if number is not None and number < least:
            raise OptionError(f"{name} is {number}: expected {least} or more")
    size, moves = _size(SHAPES[shape], vertices, edges)
    if tokens > size:
        found = f"{plural(tokens, 'token')} on {plural(size, 'vertex')}"
        raise OptionError(f"{found}: the tokens stand on the first vertices, one on each")
    random = np.random.default_rng(seed)
    source, target = SHAPES[shape].build(size, moves, random)
    positions: np.ndarray = np.arange(1, tokens + 1)
    if shuffle:
        name_of = random.permutation(size).astype(np.int32)
        source, target, positions = name_of[source], name_of[target], name_of[positions - 1] + 1
    return GameGraph.from_arrays(source, target, range(1, size + 1), tokens=positions.tolist(), overwrite=True)


def _size(shape: Shape, vertices: int | None, edges: int | None) -> tuple[int, int]:
    """Return how many vertices and edges a graph of this shape has."""
    if vertices is None and edges is None:
        vertices = _USUAL_VERTICES
    if shape.density is None:
        size = _largest(shape, vertices, edges)
        moves = shape.edges(size)
    else:
        size = vertices if vertices is not None else max(_SMALL, -(-(edges or 0) // shape.density))
        most = shape.edges(size)
        moves = edges if edges is not None else min(most, shape.density * size)
        if moves > most:
            raise OptionError(
                f"{plural(moves, 'edge')} among {plural(size, 'vertex')}: the shape {shape.name} has at most {most}"
            )
    if max(size, moves) > MAX_SIZE:
        raise LimitError(
            f"{plural(size, 'vertex')} and {plural(moves, 'edge')}: at most {MAX_SIZE} of each are generated"
        )
    return size, moves


def _largest(shape: Shape, vertices: int | None, edges: int | None) -> int:
    """Return the number of vertices of the largest graph that has no more vertices and edges than these."""
    low, high = 1, MAX_SIZE + 1 if vertices is None else vertices
    while low < high:
        middle = (low + high + 1) // 2
        if edges is None or shape.edges(middle) <= edges:
            low = middle
        else:
            high = middle - 1
    return isqrt(low) ** 2 if shape.name == "grid" else low


def _distinct(total: int, count: int, random: np.random.Generator) -> np.ndarray:
    """Return different numbers below total, in increasing order."""
    if 2 * count > total:
        return np.sort(random.permutation(total)[:count])
    chosen = np.empty(0, np.int64)
    while len(chosen) < count:
        chosen = np.sort(np.append(chosen, random.integers(0, total, count - len(chosen))))
        chosen = chosen[np.append(True, chosen[1:] != chosen[:-1])]
    return chosen


def _pair(number: np.ndarray) -> _Ends:
    """Return the pair of this number among (0, 1), (0, 2), (1, 2), (0, 3), ...: the lower, then the higher."""
    high = ((1 + np.sqrt(1 + 8 * number.astype(np.float64))) / 2).astype(np.int64)
    high -= high * (high - 1) // 2 > number
    high += high * (high + 1) // 2 <= number
    return number - high * (high - 1) // 2, high


def _random(vertices: int, edges: int, random: np.random.Generator) -> _Ends:
    return _narrow(*_pair(_distinct(_pairs(vertices), edges, random)))


def _grid(vertices: int, edges: int, random: np.random.Generator) -> _Ends:
    field = np.arange(vertices, dtype=np.int32).reshape(isqrt(vertices), -1)
    right, down = (field[:, :-1], field[:, 1:]), (field[:-1], field[1:])
    return tuple(np.concatenate([r.ravel(), d.ravel()]) for r, d in zip(right, down, strict=True))  # type: ignore[return-value]


def _path(vertices: int, edges: int, random: np.random.Generator) -> _Ends:
    order = np.arange(vertices, dtype=np.int32)
    return order[:-1], order[1:]


def _star(vertices: int, edges: int, random: np.random.Generator) -> _Ends:
    return np.zeros(edges, np.int32), np.arange(1, vertices, dtype=np.int32)


def _layered(vertices: int, edges: int, random: np.random.Generator) -> _Ends:
    width = isqrt(vertices)
    above, place = np.divmod(_distinct(_layer_pairs(vertices), edges, random), width)
    target = above + width
    return _narrow((target // width - 1) * width + place, target)


def _complete(vertices: int, edges: int, random: np.random.Generator) -> _Ends:
    source = np.repeat(np.arange(vertices, dtype=np.int32), np.arange(vertices)[::-1])
    first = np.cumsum(np.arange(vertices)[::-1]) - np.arange(vertices)[::-1]
    return source, (np.arange(edges) - first[source] + source + 1).astype(np.int32)


def _components(vertices: int, edges: int, random: np.random.Generator) -> _Ends:
    component, number = np.divmod(_distinct(_component_pairs(vertices), edges, random), _pairs(_SMALL))
    low, high = _pair(number)
    return _narrow(_SMALL * component + low, _SMALL * component + high)


def _narrow(source: np.ndarray, target: np.ndarray) -> _Ends:
    return source.astype(np.int32), target.astype(np.int32)


def _pairs(vertices: int) -> int:
    return vertices * (vertices - 1) // 2


def _layer_pairs(vertices: int) -> int:
    width = isqrt(vertices)
    return (vertices - width) * width


def _component_pairs(vertices: int) -> int:
    whole, rest = divmod(vertices, _SMALL)
    return whole * _pairs(_SMALL) + _pairs(rest)


def _grid_edges(vertices: int) -> int:
    return 2 * isqrt(vertices) * (isqrt(vertices) - 1)


SHAPES: dict[str, Shape] = {
    shape.name: shape
    for shape in (
        Shape("random", "any moves onwards", _pairs, _random, 10),
        Shape("grid", "a square grid, moves right or down", _grid_edges, _grid),
        Shape("path", "one long play", lambda vertices: vertices - 1, _path),
        Shape("star", "one position with many options", lambda vertices: vertices - 1, _star),
        Shape("layered", "layers, moves to the next layer", _layer_pairs, _layered, 10),
        Shape("complete", "every move onwards: all values differ", _pairs, _complete),
        Shape("components", "many random games of ten positions", _component_pairs, _components, 2),
    )
}
"""Name -> shape."""
