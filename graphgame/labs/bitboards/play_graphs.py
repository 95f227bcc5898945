"""The fixed graphs on which graph games are played: how texts name them, their symmetries, and their pictures.

The *known symmetries* of a graph with at most 128 vertices are all its automorphisms, if a short search finds them and
they are at most 128. Otherwise only the identity is known. Automorphisms ignore the directions of edges.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence, Sized
from functools import cached_property, lru_cache, partial
from itertools import combinations, product
from math import hypot
from typing import Any, ClassVar

import networkx as nx

from graphgame.errors import Message, ParseError, UndirectedGraphError
from graphgame.games.cutting import sides
from graphgame.io import read_game
from graphgame.labs.bitboards.board_text import next_to_each_other
from graphgame.labs.bitboards.placement import bits, image_of, image_tables
from graphgame.rules.parsing import fields, integer
from graphgame.rules.pictures import Cell, CellKind, Picture, Place, SymmetryMap, Way, circle
from graphgame.rules.ruleset import About, Ruleset, Sum

Automorphism = tuple[int, ...]
"""For each vertex, the mask of its image."""

_MOST_AUTOMORPHISMS = 128
"""A graph with more automorphisms than this is treated as if it had only the identity."""

_MOST_STEPS = 50_000
"""The number of steps after which the search for automorphisms of a graph gives up."""


def automorphisms(near: Sequence[int]) -> list[Automorphism]:
    """Return all automorphisms of a graph except the identity.

    The result is empty if there are more than 128, the identity included, or if the search takes over 50,000 steps.
    ``near`` has, for each vertex, the mask of its neighbours, including itself if it has a loop.

    Notes
    -----
    A depth-first search chooses the images of the vertices one after another. An image must have the same colour as its
    vertex (see :func:`_colours`), and its edges to the images chosen before must match those of the vertex. The
    automorphisms found before a limit would be of no use: they may not form a group, and then the least image need not
    be the same for all images of a set.

    Examples
    --------
    >>> automorphisms([0b010, 0b101, 0b010])  # a path of three vertices
    [(4, 2, 1)]
    """
    order = _connected_order(near)
    # For each vertex in this order, the indices in ``order`` of its neighbours that come before it.
    earlier = [[i for i in range(index) if near[vertex] >> order[i] & 1] for index, vertex in enumerate(order)]
    colours, everything = _colours(near), (1 << len(near)) - 1
    complete: list[Automorphism] = []
    partial: list[Automorphism] = [()]
    # Backtracking can take exponential time. So beyond the limits the result is empty.
    for _ in range(_MOST_STEPS):
        if not partial or len(complete) > _MOST_AUTOMORPHISMS:
            break
        images = partial.pop()
        index = len(images)
        if index == len(near):
            complete.append(tuple(image for _, image in sorted(zip(order, images, strict=True))))
            continue
        # The image of a vertex is a neighbour of the images of all earlier neighbours of the vertex.
        used, adjacent, candidates = sum(images), sum(images[i] for i in earlier[index]), everything
        for i in earlier[index]:
            candidates &= near[images[i].bit_length() - 1]
        partial += [
            (*images, 1 << image)
            for image in bits(candidates & ~used)
            if near[image] & used == adjacent and colours[image] == colours[order[index]]
        ]
    # An unfinished search would leave only a part of the group: return none of it.
    if partial or len(complete) > _MOST_AUTOMORPHISMS:
        return []
    return [images for images in sorted(complete) if list(images) != sorted(images)]


def _colours(near: Sequence[int]) -> list[int]:
    """Return a colour for each vertex, so that every automorphism maps vertices to vertices of the same colour.

    At first the colour says whether a vertex has a loop. Each round then splits the colours by the colours of the
    neighbours. ``near`` has a mask of the neighbours of each vertex.
    """
    colours, count = [own >> vertex & 1 for vertex, own in enumerate(near)], 0
    # Refine until a round does not increase the number of colours.
    while len(set(colours)) > count:
        count = len(set(colours))
        around = [(colours[vertex], sorted(colours[end] for end in bits(own))) for vertex, own in enumerate(near)]
        ranked = sorted(around)
        colours = list(map(ranked.index, around))
    return colours


def _connected_order(near: Sequence[int]) -> list[int]:
    """Return the vertices in breadth-first order, one component after another.

    So each vertex comes after one of its neighbours, unless it is the first of its component. ``near`` has a mask of
    the neighbours of each vertex.
    """
    # ``queue`` grows during the loop. A vertex is removed from ``unseen`` as soon as it is in the queue.
    order: list[int] = []
    unseen = (1 << len(near)) - 1
    for start in range(len(near)):
        queue = [start] if unseen >> start & 1 else []
        unseen &= ~(1 << start)
        for vertex in queue:
            queue += bits(near[vertex] & unseen)
            unseen &= ~near[vertex]
        order += queue
    return order


_MOST_VERTICES = 1000
_MOST_EDGES = 200_000
_MOST_SYMMETRIC = 128
"""The maximum number of vertices of a graph whose automorphisms are searched for."""
_MOST_DRAWN = 200
"""The maximum number of vertices, and of edges, of a graph that is drawn, unless it is a board."""

GRAPHS = (
    ("path:5", "the vertices 1..5 in a row"),
    ("cycle:5", "the vertices 1..5 in a circle"),
    ("complete:5", "the vertices 1..5, each next to every other"),
    ("star:5", "the vertex 1 next to each of 2..5"),
    ("grid:4x5", "4 rows of 5 cells, each next to those that share a side with it; row 2, column 3 is ``2.3``"),
    ("queens:8", "the squares of a chessboard, next to each other by a queen's move"),
    ("edges:a-b,b-c,d", "these edges, and the vertex d without any"),
    ("file:PATH", "the edges of a graph file"),
)
"""The graphs that a text can name, each with an explanation for the help."""

_DIRECTIONS = (
    "Where directions matter, an edge in a list or a file goes from its first vertex to its second. Other edges go to "
    "the right in a row, down from row to row, or to the larger number; in a cycle also from the last vertex to 1."
)

about_on_graph = partial(About, graphs=GRAPHS, directions=_DIRECTIONS)
"""Return the :class:`About` of a game on graphs, given its fields other than ``graphs`` and ``directions``."""


class OnGraph(Ruleset):
    """Rules of a game on a fixed graph. The text of a position starts with the graph.

    ``cells`` maps each character in the text of a board to the kind of cell that it stands for.
    """

    cells: ClassVar[dict[str, CellKind]] = {".": "square", "#": "taken"}

    def format(self, position: Any) -> str:  # noqa: ANN401
        """Return the text of a position: graph, ``@`` and the rest, or only the graph if everything in it is left."""
        return str(position)

    def board(self, position: Any) -> str:  # noqa: ANN401
        """Return the board as text, with a character for each cell of its picture.

        If the graph is not a board, return the text of the position.
        """
        picture = self.picture(position) if position.graph.board else None
        if picture is None:
            return str(position)
        mark_of = {kind: mark for mark, kind in self.cells.items()}
        return "\n".join("".join(mark_of[cell.kind] for cell in row) for row in picture.rows or ())

    def symmetry_map(self, position: Any) -> SymmetryMap:  # noqa: ANN401
        """Return a map from the cells of the canonical position's picture to the cells of this position's picture.

        A symmetry of the graph moves this position to the canonical one. Each cell of the canonical position is mapped
        to the cell that this symmetry moves there.
        """
        images = self._images(position)
        return SymmetryMap(position.graph.cells_before(images.index(min(images))))

    def _images(self, position: Any) -> list[Any]:  # noqa: ANN401
        """Return the images of a position under the known symmetries, in the order of :meth:`PlayGraph.images`.

        An image may be given by its masks, without the graph. The least entry must be the image that :meth:`canonical`
        returns, unless :meth:`symmetry_map` is overridden. By default the list has only the position itself. This suits
        games on directed edges, because the known symmetries ignore directions.
        """
        return [position]


def way_on_graph(option: Hashable, board: Picture | None, touched: tuple[int, ...]) -> Way:
    """Return the :class:`Way` to make the move to an option. Each component of the option is drawn on the whole graph.

    ``board`` is the picture of the graph after the move. If it is None, because the graph is too large to draw, the
    way has the option, but no cells. ``touched`` has the indices of the cells that a player touches to make the move.
    """
    if board is None:
        return Way(option)
    parts = len(option) if type(option) is Sum else 1
    return Way(option, board.cells, touched, (), (tuple(range(len(board.cells))),) * parts)


class PlayGraph:
    """A graph whose sets of vertices are masks.

    Attributes
    ----------
    text : str
        The text that names the graph, such as ``path:3``.
    vertices : tuple of str
        The names of the vertices. Vertex i has bit i in a mask.
    board : tuple of int or None
        The numbers of rows and columns, if the vertices are the squares of a board, row by row; otherwise None.
    near : tuple of int
        For each vertex, the mask of its neighbours, including itself if it has a loop.
    out : tuple of int
        For each vertex, the mask of the vertices that its edges lead to.
    everything : int
        The mask of all vertices.

    Examples
    --------
    >>> graph = read_play_graph("path:3")
    >>> graph.near, graph.names(0b101), graph.text
    ((2, 5, 2), ['1', '3'], 'path:3')
    """

    def __init__(
        self, text: str, vertices: Iterable[str], edges: Iterable[tuple[str, str]], board: tuple[int, int] | None = None
    ) -> None:
        self.text = text
        self.vertices = tuple(vertices)
        self.board = board
        self.everything = (1 << len(self.vertices)) - 1
        self._number = {name: number for number, name in enumerate(self.vertices)}
        near, out = [0] * len(self.vertices), [0] * len(self.vertices)
        for a, b in edges:
            start, end = self._number[a], self._number[b]
            out[start] |= 1 << end
            near[start] |= 1 << end
            near[end] |= 1 << start
        self.near, self.out = tuple(near), tuple(out)
        self._key = (text, self.vertices, self.out)
        self._hash = hash(self._key)

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, PlayGraph) and self._key == other._key)

    def __hash__(self) -> int:
        return self._hash

    def __repr__(self) -> str:
        return f"PlayGraph({self.text!r})"

    def names(self, mask: int) -> list[str]:
        """Return the names of the vertices of a mask."""
        return [self.vertices[vertex] for vertex in bits(mask)]

    def number(self, name: str, column: int) -> int:
        """Return the number of the vertex with a name; raise ParseError with this ``column`` if there is none."""
        number = self._number.get(name.strip())
        if number is None:
            raise ParseError("{name!r} is not a vertex of {text}", name.strip(), self.text, column=column)
        return number

    @cached_property
    def _symmetries(self) -> list[list[Automorphism]]:
        """The known symmetries except the identity, each as the tables of :func:`image_tables`."""
        return list(map(image_tables, self.automorphisms))

    @cached_property
    def automorphisms(self) -> list[Automorphism]:
        """The known symmetries except the identity: for each vertex, the mask of its image."""
        return automorphisms(self.near) if len(self.near) <= _MOST_SYMMETRIC else []

    def images(self, mask: int) -> list[int]:
        """Return the images of a mask under the known symmetries of the graph. The first is the mask itself."""
        return [mask, *(image_of(mask, tables) for tables in self._symmetries)]

    def pairs_up(self, mask: int) -> bool:
        """Return True if a known symmetry pairs up all vertices of a mask, and no pair is connected by an edge."""
        return any(not mask & unpaired and image_of(mask, tables) == mask for tables, unpaired in self._pairings)

    @cached_property
    def _pairings(self) -> list[tuple[list[Automorphism], int]]:
        """The symmetries that pair up some vertices, each with the mask of the vertices that it does not pair up.

        A symmetry pairs up two vertices if each is the image of the other, and they are not neighbours. In the list
        a symmetry is given by the tables of :func:`image_tables`, as in ``_symmetries``.
        """

        def is_unpaired(vertex: int, tables: list[Automorphism]) -> bool:
            own = 1 << vertex
            image = image_of(own, tables)
            return image == own or image_of(image, tables) != own or bool(image & self.near[vertex])

        masks = (sum(1 << v for v in range(len(self.near)) if is_unpaired(v, each)) for each in self._symmetries)
        return [(each, mask) for each, mask in zip(self._symmetries, masks, strict=True) if mask != self.everything]

    def drawn(self, cells: Sequence[Cell], mask: int, kind: CellKind = "edge") -> Picture | None:
        """Return a picture of the graph, given the cell of each vertex.

        The picture of a board has only these cells. The picture of any other graph also has a cell for each pair of
        neighbours: a line of this ``kind`` if both are in the mask, otherwise a blank cell. A loop makes a vertex its
        own neighbour. Lines of the kind "arc" go in the direction of the edge; if there are edges in both directions,
        the kind is "edge". The result is None if a graph that is no board has more than 200 vertices, or more than 200
        pairs of neighbours.
        """
        if self.board is not None:
            columns = self.board[1]
            return Picture(tuple(cells), tuple((vertex % columns, vertex // columns) for vertex in range(len(cells))))
        if self._lines is None:
            return None
        lines: list[Cell] = []
        places: list[Place] = []
        for (a, b), place in zip(self._edges, self._lines, strict=True):
            forward, backward = self.out[a] >> b & 1, self.out[b] >> a & 1
            line: CellKind = kind if forward != backward else "edge"
            lines.append(Cell(line if mask >> a & mask >> b & 1 else "blank"))
            places.append(place if forward or kind != "arc" else (*place[2:], *place[:2]))
        return Picture((*cells, *lines), (*self._coordinates, *places))

    def edge_cell(self, a: int, b: int) -> int:
        """Return the index of the picture's cell for the line between two vertices; the graph must not be a board."""
        return len(self.vertices) + self._edges.index((min(a, b), max(a, b)))

    def cells_before(self, symmetry: int) -> tuple[int, ...]:
        """Return, for each cell of the picture of :meth:`drawn`, the index of the cell that a symmetry maps to it.

        ``symmetry`` is the index of the symmetry in the list of :meth:`images`: 0 is the identity.
        """
        if symmetry == 0:
            return tuple(range(len(self.vertices) + (0 if self.board else len(self._edges))))
        image = [mask.bit_length() - 1 for mask in self.automorphisms[symmetry - 1]]
        inverse = sorted(range(len(image)), key=image.__getitem__)
        return (*inverse, *(() if self.board else (self.edge_cell(inverse[a], inverse[b]) for a, b in self._edges)))

    @cached_property
    def _edges(self) -> list[tuple[int, int]]:
        return [(a, b) for a, near in enumerate(self.near) for b in bits(near) if a <= b]

    @cached_property
    def _coordinates(self) -> tuple[Place, ...]:
        """The coordinates of the vertices in a picture of a graph that is not a board.

        The vertices of a path are in a row, those of a cycle or a complete graph on a circle, and the leaves of a star
        on a circle around its centre. Other graphs have a spring layout.
        """
        count, kind = len(self.vertices), self.text.partition(":")[0]
        if kind == "path":
            return tuple((1.6 * vertex, 0) for vertex in range(count))
        if kind in ("cycle", "complete"):
            return circle(count, 1.6)
        if kind == "star":
            return ((0, 0), *circle(count - 1, 1.6)) if count > 2 else tuple((1.6 * n, 0) for n in range(count))
        return _spring_layout(count, self._edges)

    @cached_property
    def _lines(self) -> tuple[Place, ...] | None:
        if max(len(self.vertices), len(self._edges)) > _MOST_DRAWN:
            return None
        return tuple((*self._coordinates[a], *self._coordinates[b]) for a, b in self._edges)


def _spring_layout(count: int, edges: list[tuple[int, int]]) -> tuple[Place, ...]:
    """Return coordinates of the vertices 0 to ``count - 1`` from a spring layout, scaled to keep them apart."""
    graph = nx.empty_graph(count)
    graph.add_edges_from((a, b) for a, b in edges if a != b)
    layout = nx.spring_layout(graph, seed=1, iterations=200) if count > 1 else {0: (0.0, 0.0)}
    points = [tuple(map(float, layout[vertex])) for vertex in range(count)]
    # Scale so that the closest vertices are 1.4 apart, unless that makes the picture too large.
    nearest = min((hypot(a[0] - b[0], a[1] - b[1]) for a, b in combinations(points, 2)), default=1.0)
    scale = min(1.4 / max(nearest, 0.01), 2.0 * count)
    return tuple((round(x * scale, 2), round(y * scale, 2)) for x, y in points)


def graph_and_rest(text: str) -> tuple[PlayGraph, str | None, int]:
    """Split ``GRAPH@REST`` at the last ``@``.

    Return the graph, the rest (None without ``@``), and the index in ``text`` at which the rest starts.

    Examples
    --------
    >>> graph_and_rest("path:3@1,2")
    (PlayGraph('path:3'), '1,2', 7)
    """
    name, at, rest = text.rpartition("@")
    return (read_play_graph(name), rest, len(name) + 1) if at else (read_play_graph(text), None, len(text))


def read_play_graph(text: str) -> PlayGraph:
    """Return the graph that a text such as ``path:5`` or ``file:PATH`` names.

    Raises ParseError if the text or the file is malformed, if the file has an undirected graph, or if the graph is too
    large; FormatError if graphgame does not read the format of the file; and OSError if the file cannot be opened.
    """
    name = text.strip()
    kind, colon, rest = name.partition(":")
    start = text.index(name) + len(kind) + 1
    if kind == "file" and colon:
        return _from_file(name, rest, start)
    if kind == "edges" and colon:
        return _from_edges(name, rest, start)
    if kind not in _BUILT_IN or not colon:
        raise ParseError(
            "expected a graph, such as path:5, grid:4x5, edges:a-b,b-c or file:PATH, but found {name!r}",
            name,
            column=start - len(kind),
        )
    try:
        return _built_in(name, kind, rest)
    except ParseError as error:
        raise ParseError(error.message, column=start + (error.column or 1)) from None


def _from_edges(name: str, text: str, start: int) -> PlayGraph:
    vertices: dict[str, None] = {}
    edges: list[tuple[str, str]] = []
    for piece, offset in fields(text):
        ends = [end.strip() for end in piece.split("-")]
        if not all(ends) or len(ends) > 2:
            raise ParseError(
                "expected an edge such as a-b, or a vertex, but found {piece!r}",
                piece.strip(),
                column=start + offset + 1,
            )
        vertices.update(dict.fromkeys(ends))
        edges += [(ends[0], ends[1])] if len(ends) == 2 else []
    _refuse_large(vertices, start)
    return PlayGraph(name, vertices, edges)


def _from_file(name: str, path: str, start: int) -> PlayGraph:
    try:
        graph = read_game(path)
    except ParseError as error:
        # The new error quotes the text of the position, and its column points at the path in this text. So the message
        # must not quote a line of the file.
        error.text = None
        raise ParseError(str(error), column=start + 1) from error
    except UndirectedGraphError as error:
        raise ParseError(
            "{error}; if the game ignores directions, any direction will do", error, column=start + 1
        ) from error
    _refuse_large(graph, start)
    count = graph.number_of_edges()
    if count > _MOST_EDGES:
        raise ParseError("a graph of {count} edges: expected at most {most}", count, _MOST_EDGES, column=start + 1)
    vertices = {vertex: str(vertex) for vertex in graph}
    if len(set(vertices.values())) < len(vertices):
        [(twice, _)] = Counter(vertices.values()).most_common(1)
        fault = Message("two vertices of the file are both written {vertex!r}: rename one of them", twice)
        raise ParseError(fault, column=start + 1)
    return PlayGraph(name, vertices.values(), [(vertices[a], vertices[b]) for a, b in graph.edges])


def _refuse_large(vertices: Sized, start: int) -> None:
    """Raise ParseError if there are more than 1000 vertices.

    The error points at index ``start`` of the graph's text, where the list of edges or the path of the file begins.
    """
    if len(vertices) > _MOST_VERTICES:
        raise ParseError(
            "a graph of {count} vertices: expected at most {most}", len(vertices), _MOST_VERTICES, column=start + 1
        )


@lru_cache(maxsize=64)
def _built_in(name: str, kind: str, size: str) -> PlayGraph:
    return _BUILT_IN[kind](name, size)


def _numbered(most: int, edges: Callable[[int], Iterable[tuple[int, int]]]) -> Callable[[str, str], PlayGraph]:
    """Return a function that makes a graph with the vertices 1, ..., n and the edges ``edges(n)``.

    The function takes the text of the graph and the text of n, and raises ParseError unless n is an integer in
    0..``most``.
    """

    def make(name: str, size: str) -> PlayGraph:
        count = integer(size, what=Message("the number of vertices"), most=most)
        return PlayGraph(name, map(str, range(1, count + 1)), [(str(a), str(b)) for a, b in edges(count)])

    return make


def _path(size: int) -> list[tuple[int, int]]:
    return [(vertex, vertex + 1) for vertex in range(1, size)]


def _cycle(size: int) -> list[tuple[int, int]]:
    return [*_path(size), (size, 1)] if size > 1 else []


def _grid(name: str, size: str) -> PlayGraph:
    rows, columns = sides(size, most=_MOST_VERTICES)
    if rows * columns > _MOST_VERTICES:
        raise ParseError("a grid of {cells} cells: expected at most {most}", rows * columns, _MOST_VERTICES, column=1)
    return _on_board(name, rows, columns, next_to_each_other(rows, columns))


def _queens(name: str, size: str) -> PlayGraph:
    side = integer(size, what=Message("the board's side"), most=20)
    pairs = (
        (start, end)
        for start, end in combinations(range(side * side), 2)
        if end % side == start % side or end // side - start // side in (0, abs(end % side - start % side))
    )
    return _on_board(name, side, side, pairs)


def _on_board(name: str, rows: int, columns: int, pairs: Iterable[tuple[int, int]]) -> PlayGraph:
    """Return the graph of a board with edges between some pairs of squares, which are numbered row by row from 0.

    An edge goes from the lower number to the higher: to the right in a row, otherwise down. A pair with the higher
    number first is ignored.
    """
    names = [f"{row}.{column}" for row, column in product(range(1, rows + 1), range(1, columns + 1))]
    return PlayGraph(name, names, [(names[a], names[b]) for a, b in pairs if a < b], (rows, columns))


_BUILT_IN: dict[str, Callable[[str, str], PlayGraph]] = {
    "path": _numbered(_MOST_VERTICES, _path),
    "cycle": _numbered(_MOST_VERTICES, _cycle),
    "complete": _numbered(400, lambda size: combinations(range(1, size + 1), 2)),
    "star": _numbered(_MOST_VERTICES, lambda size: ((1, leaf) for leaf in range(2, size + 1))),
    "grid": _grid,
    "queens": _queens,
}
