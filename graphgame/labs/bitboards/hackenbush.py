"""Green Hackenbush: a move cuts an edge, and removes all edges that are then not connected to the ground."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator

from graphgame.errors import Message, ParseError, plural
from graphgame.rules.parsing import fields
from graphgame.rules.pictures import Cell, Picture, Place, Way
from graphgame.rules.ruleset import About, Ruleset, parts_of, sum_of

_GROUND = "0"
_MOST_EDGES = 100_000
_MOST_EDGES_DRAWN = 120

Edge = tuple[str, str]
"""An edge, as its two ends in alphabetical order."""


class Hackenbush(Ruleset):
    """The rules of green Hackenbush. A position is the sorted list of edges as text, such as ``0-1,1-2``.

    The vertex 0 is the ground.

    Examples
    --------
    >>> list(Hackenbush().options("0-1,1-2,1-3"))
    ['', '0-1,1-3', '0-1,1-2']
    >>> Hackenbush().closed_form("0-1,1-2,1-3,2-3")
    2
    """

    about = About(
        "Green Hackenbush: cut an edge; edges no longer connected to the ground disappear.",
        "``hackenbush(0-1,1-2,1-3)`` is a picture given by its edges, with the ground 0. Two vertices may have several "
        "edges between them, and an edge may be a loop. Parts that meet only in the ground are components of a sum.",
        theorem="Two theorems give the value in time linear in the edges. Fusion: the vertices of a cycle may be made "
        "one, its edges loops, and a loop counts as a stalk of one edge. Colon: in the tree that is left, branches of "
        "values a, b, ... above a vertex may be replaced by one stalk of a xor b xor ..., and a stalk's value is its "
        "length.",
        source="E. R. Berlekamp, J. H. Conway, R. K. Guy, Winning Ways, chapter 7.",
    )

    def options(self, position: str) -> Iterator[Hashable]:
        edges = _edges(position)
        for index, edge in enumerate(edges):
            # Edges are sorted, so parallel edges, whose removal has the same effect, are next to each other.
            if index == 0 or edge != edges[index - 1]:
                yield _position(edges[:index] + edges[index + 1 :])

    def closed_form(self, position: str) -> int:
        return _value(_edges(position))

    def reason(self, position: str) -> str:
        """Return a message with the length of the stalk to which fusion and the colon principle reduce the position."""
        return Message(
            "by fusion and the colon principle the position equals a stalk of {edges}",
            plural(self.closed_form(position), "edge"),
        )

    def picture(self, position: str) -> Picture | None:
        """Return a picture: a cell for each edge, then one for the ground; None if there are more than 120 edges."""
        edges = _edges(position)
        if len(edges) > _MOST_EDGES_DRAWN:
            return None
        lines = _lines(edges)
        right = max((max(line[0], line[2]) for line in lines), default=0)
        ground = (-0.7, 0.0, right + 0.7, 0.0)
        return Picture((*[Cell("edge")] * len(edges), Cell("ground")), (*lines, ground))

    def ways(self, position: str) -> Iterator[Way]:
        """Yield one :class:`Way` to cut each edge. In ``Way.after`` the edge and all edges that it carried are blank.

        If the position has no picture, a way names only the option.
        """
        edges, board = _edges(position), self.picture(position)
        for cut in range(len(edges)):
            option = _position(edges[:cut] + edges[cut + 1 :])
            if board is None:
                yield Way(option)
                continue
            # Assign to each edge of the option the cell of an equal edge in the picture of this position. The last cell
            # of each picture is the ground.
            cells_of: dict[Edge, list[int]] = {}
            for number, edge in enumerate(edges):
                if number != cut:
                    cells_of.setdefault(edge, []).append(number)
            origins = [[cells_of[edge].pop() for edge in _edges(str(part))] for part in parts_of(option)]
            standing = {len(edges), *(number for origin in origins for number in origin)}
            after = [cell if number in standing else Cell("blank") for number, cell in enumerate(board.cells)]
            yield Way(option, tuple(after), (cut,), (), tuple((*origin, len(edges)) for origin in origins))

    def parse(self, text: str) -> Hashable:
        """Return the position with the listed edges, such as ``0-1,1-2``, as a sum of its components.

        An empty text stands for the position without edges. Raises ParseError if the text is not a list of edges, if it
        has more than 100,000 edges, or if an edge is not connected to the ground.
        """
        edges: list[Edge] = []
        columns: dict[Edge, int] = {}
        for piece, start in fields(text):
            ends = [end.strip() for end in piece.split("-")]
            if text.strip():
                if len(ends) != 2 or not all(ends):
                    raise ParseError(
                        "expected an edge such as 0-1, but found {piece!r}", piece.strip(), column=start + 1
                    )
                edges.append(_edge(*ends))
                columns.setdefault(edges[-1], start + 1)
        if len(edges) > _MOST_EDGES:
            raise ParseError("a picture of {count} edges: expected at most {most}", len(edges), _MOST_EDGES, column=1)
        standing = {edge for component in _components_of(edges) for edge in component}
        for edge, column in columns.items():
            if edge not in standing:
                raise ParseError(
                    "the edge {edge!r} is not connected to the ground {ground}", "-".join(edge), _GROUND, column=column
                )
        return _position(edges)


def _edges(position: str) -> list[Edge]:
    return [(a, b) for a, _, b in (edge.partition("-") for edge in position.split(","))] if position else []


def _edge(a: str, b: str) -> Edge:
    return (a, b) if a <= b else (b, a)


def _position(edges: Iterable[Edge]) -> Hashable:
    return sum_of((",".join([f"{a}-{b}" for a, b in sorted(part)]) for part in _components_of(edges)), "")


def _components_of(edges: Iterable[Edge]) -> Iterator[list[Edge]]:
    """Yield the edges of each component that is connected to the ground. Two components share only the ground."""
    edges_at = _edges_by_vertex(edges)
    used: set[int] = set()
    for first, start in edges_at.get(_GROUND, []):
        if first in used:
            continue
        used.add(first)
        component, stack = [_edge(_GROUND, start)], [start]
        seen = {start, _GROUND}
        while stack:
            vertex = stack.pop()
            for number, end in () if vertex == _GROUND else edges_at[vertex]:
                if number not in used:
                    used.add(number)
                    component.append(_edge(vertex, end))
                    if end not in seen:
                        seen.add(end)
                        stack.append(end)
        yield component


def _edges_by_vertex(edges: Iterable[Edge]) -> dict[str, list[tuple[int, str]]]:
    """Map each vertex to the list of its edges, each as (index of the edge, other end). A loop is listed once."""
    edges_at: dict[str, list[tuple[int, str]]] = {}
    for number, (a, b) in enumerate(edges):
        edges_at.setdefault(a, []).append((number, b))
        if a != b:
            edges_at.setdefault(b, []).append((number, a))
    return edges_at


def _lines(edges: list[Edge]) -> list[Place]:
    """Return a line for each edge, from its first end to its second: (x1, y1, x2, y2, bend), as ``Place`` explains.

    An edge of a spanning tree is a straight line that goes up one step: its bend is 0. All other edges are curves; each
    loop at a vertex has a larger bend than the one before. Each vertex is roughly below the middle of its children in
    the tree.
    """
    edges_at = _edges_by_vertex(edges)
    across: dict[str, float] = {}
    heights, carried, free = {_GROUND: 0}, {_GROUND: 0}, 0.0
    path = [(_GROUND, iter(edges_at.get(_GROUND, [])))]
    seen, tree = {_GROUND}, set[Edge]()
    while path:
        vertex, untried = path[-1]
        end = next((end for _, end in untried if end not in seen), None)
        if end is not None:
            seen.add(end)
            tree.add(_edge(vertex, end))
            heights[end], carried[end] = heights[vertex] + 1, 0
            path.append((end, iter(edges_at[end])))
            continue
        path.pop()
        if not carried[vertex]:
            across[vertex] = free
            free += 1.2
        if path:
            parent = path[-1][0]
            carried[parent] += 1
            across[parent] = across[vertex] if carried[parent] == 1 else (across[parent] + across[vertex]) / 2
    # An edge of the tree is straight. Edges that are parallel to it, and all edges outside the tree, are bent.
    # Parallel edges are bent to alternating sides. Of several loops at a vertex, each is larger than the one before.
    bends = {edge: 0 for edge in edges if edge not in tree}
    lines: list[Place] = []
    for edge in edges:
        (x1, y1), (x2, y2) = (_end_of_line(edge, end, across, heights) for end in edge)
        bend = bends[edge] = bends.get(edge, -1) + 1
        size = bend - 1 if edge[0] == edge[1] else (bend + 1) // 2 * (-1) ** bend
        lines.append((x1, -1.3 * y1, x2, -1.3 * y2, size))
    return lines


def _end_of_line(edge: Edge, end: str, across: dict[str, float], heights: dict[str, int]) -> tuple[float, float]:
    """Return the point (x, height) at which the line of an edge meets the vertex ``end``, one of its two ends.

    ``across`` has the x of each vertex, and ``heights`` its height. But a line to the ground ends exactly below the
    other end of the edge: there x is the x of the other end.
    """
    other_end = edge[0] if edge[1] == end else edge[1]
    return (across[other_end] if end == _GROUND and other_end != _GROUND else across[end]), heights[end]


def _value(edges: list[Edge]) -> int:
    """Return the value of the position with these edges, by fusion and the colon principle."""
    # A depth-first search from the ground makes a tree. When the search leaves a vertex, total[vertex] is the value of
    # the edges above this vertex. Now add the tree edge below the vertex. If low[vertex] == order[vertex], this edge is
    # a bridge: no other edge joins the part above the edge to the rest of the picture. By the colon principle, the
    # bridge and the part above it equal a stalk of total[vertex] + 1 edges. Otherwise the edge lies on a cycle. Fusion
    # turns the edge into a loop, of value 1, so the value is total[vertex] ^ 1.
    edges_at = _edges_by_vertex(edges)
    order: dict[str, int] = {_GROUND: 0}
    low: dict[str, int] = {_GROUND: 0}
    total: dict[str, int] = {_GROUND: 0}
    path = [(_GROUND, iter(edges_at.get(_GROUND, [])))]
    used: set[int] = set()
    while path:
        vertex, untried = path[-1]
        for number, end in untried:
            if number in used:
                continue
            used.add(number)
            if end not in order:
                order[end] = low[end] = len(order)
                total[end] = 0
                path.append((end, iter(edges_at[end])))
                break
            low[vertex] = min(low[vertex], order[end])
            total[vertex] ^= 1
        else:
            path.pop()
            if path:
                parent = path[-1][0]
                bridge = low[vertex] == order[vertex]
                total[parent] ^= total[vertex] + 1 if bridge else total[vertex] ^ 1
                low[parent] = min(low[parent], low[vertex])
    return total[_GROUND]
