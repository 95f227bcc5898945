"""Green Hackenbush: cutting edges of a picture that stands on the ground."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator

from graphgame.errors import Message, ParseError, plural
from graphgame.rules.limits import parts_of
from graphgame.rules.parsing import fields
from graphgame.rules.pictures import Cell, Picture, Place, Way
from graphgame.rules.ruleset import About, Ruleset, sum_of

_GROUND = "0"
_MOST = 100_000
_MOST_DRAWN = 120

Edge = tuple[str, str]


class Hackenbush(Ruleset):
    """The rules of green Hackenbush.

    Examples
    --------
    >>> list(Hackenbush().options("0-1,1-2,1-3"))
    ['', '0-1,1-3', '0-1,1-2']
    >>> Hackenbush().closed_form("0-1,1-2,1-3,2-3")
    2
    """

    about = About(
        "Green Hackenbush: cut an edge; what is then no longer connected to the ground is gone.",
        "``hackenbush(0-1,1-2,1-3)`` is a picture given by its edges, with the ground 0. Two vertices may have several "
        "edges between them, and an edge may be a loop. Parts that meet only in the ground are components of a sum.",
        theorem="Two theorems give the value in time linear in the edges. Fusion: the vertices of a cycle may be made "
        "one, its edges loops, and a loop counts as a stalk of one edge. Colon: in the tree that is left, branches "
        "above a vertex of values a, b, ... may be replaced by one stalk of a xor b xor ..., and a stalk's value is "
        "its length.",
        source="E. R. Berlekamp, J. H. Conway, R. K. Guy, Winning Ways, chapter 7.",
    )

    def options(self, position: str) -> Iterator[Hashable]:
        edges = _edges(position)
        for place, edge in enumerate(edges):
            if place == 0 or edge != edges[place - 1]:
                yield _position(edges[:place] + edges[place + 1 :])

    def closed_form(self, position: str) -> int:
        return _value(_edges(position))

    def reason(self, position: str) -> str:
        """Return the stalk that fusion and colon leave."""
        return Message(
            "by fusion and the colon principle it is a stalk of {edges}", plural(self.closed_form(position), "edge")
        )

    def picture(self, position: str) -> Picture | None:
        """Return the edges above the ground."""
        edges = _edges(position)
        if len(edges) > _MOST_DRAWN:
            return None
        lines = _lines(edges)
        right = max((max(line[0], line[2]) for line in lines), default=0)
        ground = (Cell("ground"), (-0.7, 0.0, right + 0.7, 0.0))
        placed = [*((Cell("edge"), line) for line in lines), ground]
        return Picture(tuple(cell for cell, _ in placed), tuple(place for _, place in placed))

    def ways(self, position: str) -> Iterator[Way]:
        """Return the edges that one may cut; with each goes what it held."""
        edges, board = _edges(position), self.picture(position)
        for place in range(len(edges)):
            option = _position(edges[:place] + edges[place + 1 :])
            if board is None:
                yield Way(option)
                continue
            at: dict[Edge, list[int]] = {}
            for number, edge in enumerate(edges):
                if number != place:
                    at.setdefault(edge, []).append(number)
            origins = [[at[edge].pop() for edge in _edges(str(part))] for part in parts_of(option)]
            kept = {len(edges), *(number for origin in origins for number in origin)}
            after = [cell if number in kept else Cell("blank") for number, cell in enumerate(board.cells)]
            yield Way(option, tuple(after), (place,), (), tuple((*origin, len(edges)) for origin in origins))

    def parse(self, text: str) -> Hashable:
        """Return the parts of a picture given by its edges, such as ``0-1,1-2``; each is connected to the ground."""
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
        if len(edges) > _MOST:
            raise ParseError("a picture of {count} edges: expected at most {most}", len(edges), _MOST, column=1)
        standing = {edge for part in _parts(edges) for edge in part}
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
    return sum_of((",".join([f"{a}-{b}" for a, b in sorted(part)]) for part in _parts(edges)), "")


def _parts(edges: Iterable[Edge]) -> Iterator[list[Edge]]:
    """Yield the edges of each part that is connected to the ground; parts that meet in the ground alone are apart."""
    at = _incident(edges)
    used: set[int] = set()
    for first, start in at.get(_GROUND, []):
        if first in used:
            continue
        used.add(first)
        part, stack = [_edge(_GROUND, start)], [start]
        seen = {start, _GROUND}
        while stack:
            vertex = stack.pop()
            for number, end in () if vertex == _GROUND else at[vertex]:
                if number not in used:
                    used.add(number)
                    part.append(_edge(vertex, end))
                    if end not in seen:
                        seen.add(end)
                        stack.append(end)
        yield part


def _incident(edges: Iterable[Edge]) -> dict[str, list[tuple[int, str]]]:
    """Map each vertex to the numbers and other ends of its edges; a loop comes once."""
    at: dict[str, list[tuple[int, str]]] = {}
    for number, (a, b) in enumerate(edges):
        at.setdefault(a, []).append((number, b))
        if a != b:
            at.setdefault(b, []).append((number, a))
    return at


def _lines(edges: list[Edge]) -> list[Place]:
    """Return where the edges are drawn: a tree of them upwards, each vertex below the middle of what it carries."""
    at = _incident(edges)
    across: dict[str, float] = {}
    heights, carried, free = {_GROUND: 0}, {_GROUND: 0}, 0.0
    path = [(_GROUND, iter(at.get(_GROUND, [])))]
    seen, tree = {_GROUND}, set[Edge]()
    while path:
        vertex, rest = path[-1]
        end = next((end for _, end in rest if end not in seen), None)
        if end is not None:
            seen.add(end)
            tree.add(_edge(vertex, end))
            heights[end], carried[end] = heights[vertex] + 1, 0
            path.append((end, iter(at[end])))
            continue
        path.pop()
        if not carried[vertex]:
            across[vertex] = free
            free += 1.2
        if path:
            parent = path[-1][0]
            carried[parent] += 1
            across[parent] = across[vertex] if carried[parent] == 1 else (across[parent] + across[vertex]) / 2
    drawn = {edge: 0 for edge in edges if edge not in tree}  # these go round the tree
    lines: list[Place] = []
    for edge in edges:
        (x1, y1), (x2, y2) = (_foot(edge, end, across, heights) for end in edge)
        bend = drawn[edge] = drawn.get(edge, -1) + 1
        lines.append((x1, -1.3 * y1, x2, -1.3 * y2, (bend + 1) // 2 * (-1) ** bend))
    return lines


def _foot(edge: Edge, end: str, across: dict[str, float], heights: dict[str, int]) -> tuple[float, float]:
    """Return where an edge ends: on the ground it stands upright."""
    other = edge[0] if edge[1] == end else edge[1]
    return (across[other] if end == _GROUND and other != _GROUND else across[end]), heights[end]


def _value(edges: list[Edge]) -> int:
    """Return the value of a picture: bridges carry stalks, all other edges count by their parity.

    In a depth-first search an edge to a vertex is a bridge when nothing above it leads back below it.
    """
    at = _incident(edges)
    order: dict[str, int] = {_GROUND: 0}
    low: dict[str, int] = {_GROUND: 0}
    total: dict[str, int] = {_GROUND: 0}
    path = [(_GROUND, iter(at.get(_GROUND, [])))]
    used: set[int] = set()
    while path:
        vertex, rest = path[-1]
        for number, end in rest:
            if number in used:
                continue
            used.add(number)
            if end not in order:
                order[end] = low[end] = len(order)
                total[end] = 0
                path.append((end, iter(at[end])))
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
