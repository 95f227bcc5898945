"""Vertex geography: a token that wanders over a graph and never returns."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

import networkx as nx

from graphgame.errors import Message, ParseError, plural
from graphgame.games.ways import whole_way
from graphgame.labs.bitboards.masks import bits
from graphgame.labs.bitboards.play_graph import DIRECTIONS, GRAPHS, OnGraph, PlayGraph, graph_and_rest, reached
from graphgame.rules.parsing import fields
from graphgame.rules.pictures import Cell, CellKind, Picture, SymmetryMap, Way
from graphgame.rules.ruleset import About


class Journey(NamedTuple):
    """A token on a vertex, and the mask of the other vertices that it may still reach."""

    graph: PlayGraph
    token: int
    mask: int

    def __str__(self) -> str:
        place = f"{self.graph.text}@{self.graph.vertices[self.token]}"
        if self.mask | 1 << self.token == self.graph.everything:
            return place
        return f"{place}:{','.join(self.graph.names(self.mask))}"


class DirectedGeography(OnGraph):
    """The rules of directed vertex geography.

    Examples
    --------
    >>> rules = DirectedGeography()
    >>> [str(option) for option in rules.options(rules.parse("edges:a-b,b-c,c-a,a-c@a"))]
    ['edges:a-b,b-c,c-a,a-c@b:c', 'edges:a-b,b-c,c-a,a-c@c:']
    """

    about = About(
        "Directed vertex geography: move the token along an edge; the vertex that it leaves is removed.",
        "``directed-geography(edges:a-b,b-c,c-a@a)`` has the token on a, and edges from a to b, b to c and c to a; "
        "``directed-geography(file:PATH@a)`` takes them from a graph file, which may have cycles. "
        "``directed-geography(path:5@3:4)`` is what remains: the token on 3 and the vertex 4.",
        theorem="Play ends after as many moves as there are vertices, at most. Who wins is PSPACE-complete.",
        source="T. J. Schaefer, On the complexity of some two-person perfect-information games, JCSS 16 (1978). D. "
        "Lichtenstein, M. Sipser, GO is polynomial-space hard, Journal of the ACM 27 (1980).",
        graphs=GRAPHS,
        directions=DIRECTIONS,
    )

    def options(self, position: Journey) -> Iterator[Journey]:
        graph, token, mask = position
        for end in bits(self._neighbours(graph)[token] & mask):
            yield self._journey(graph, end, mask ^ 1 << end)

    def parse(self, text: str) -> Journey:
        """Return the token on the vertex after ``@``, with the vertices after a colon or else all others."""
        graph, rest, start = graph_and_rest(text)
        if rest is None:
            raise ParseError("expected @ and the vertex with the token, as in path:5@3", column=start + 1)
        name, colon, others = rest.partition(":")
        token = graph.place(name, start + 1)
        mask = graph.everything
        if colon:
            shift = start + len(name) + 2
            mask = sum({1 << graph.place(other, shift + place) for other, place in fields(others) if others.strip()})
        return self._journey(graph, token, mask & ~(1 << token))

    def rows(self, position: Journey) -> str | None:
        """Return a board with ``T`` for the token and ``.`` for what it may reach."""
        return position.graph.drawing(position.mask, position.token)

    _edge: CellKind = "arc"

    def picture(self, position: Journey) -> Picture | None:
        """Return the graph with the token and the vertices that it may still reach."""
        graph, token, mask = position
        free, gone = (Cell("square"), Cell("taken")) if graph.board else (Cell("vertex"), Cell("blank"))
        cells = [
            free._replace(text="" if graph.board else name) if mask >> v & 1 else gone
            for v, name in enumerate(graph.vertices)
        ]
        cells[token] = Cell("coin" if graph.board else "token")
        return graph.drawn(cells, mask | 1 << token, self._edge)

    def ways(self, position: Journey) -> Iterator[Way]:
        """Return the vertices that the token may go to."""
        return (whole_way(option, self.picture(option), option.token) for option in self.options(position))

    def _neighbours(self, graph: PlayGraph) -> tuple[int, ...]:
        return graph.out

    def _journey(self, graph: PlayGraph, token: int, mask: int) -> Journey:
        own = 1 << token
        return Journey(graph, token, reached(self._neighbours(graph), own, mask) & ~own)


class Geography(DirectedGeography):
    """The rules of undirected vertex geography.

    Examples
    --------
    >>> rules = Geography()
    >>> [str(option) for option in rules.options(rules.parse("path:5@3"))]
    ['path:5@2:1', 'path:5@4:5']
    >>> rules.outcome_form(rules.parse("grid:10x10@1.1"))
    'N'
    """

    about = About(
        "Undirected vertex geography: move the token to a neighbour; the vertex that it leaves is removed.",
        "``geography(grid:3x3@1.1)`` has the token in a corner of a grid, ``geography(edges:a-b,b-c@b)`` on b, "
        "``geography(file:PATH@a)`` on a vertex of a graph file; ``geography(path:5@3:4,5)`` is what remains: the "
        "token on 3 and the vertices 4 and 5. Directions and loops are ignored.",
        theorem="The position is N exactly when every maximum matching covers the token's vertex: move along the "
        "matching. :meth:`outcome_form` finds it so, in O(n**3); no such way to Grundy values is known, and the graph "
        "may be exponential.",
        source="A. S. Fraenkel, E. R. Scheinerman, D. Ullman, Undirected edge geography, Theoretical Computer Science "
        "112 (1993).",
        graphs=GRAPHS,
        directions=DIRECTIONS,
    )

    def canonical(self, position: Journey) -> Journey:
        """Return the first of the images under the graph's known symmetries."""
        own, rest = min(self._images(position))
        return Journey(position.graph, own.bit_length() - 1, rest)

    _edge = "edge"

    def symmetry_map(self, position: Journey) -> SymmetryMap:
        """Return how the board of the canonical position lies in this one, by a symmetry of the graph."""
        images = self._images(position)
        return SymmetryMap(position.graph.lying(images.index(min(images))))

    def _images(self, position: Journey) -> list[tuple[int, int]]:
        graph, token, mask = position
        return list(zip(graph.images(1 << token), graph.images(mask), strict=True))

    def outcome_form(self, position: Journey) -> Literal["P", "N"]:
        """Return who wins in normal play, by maximum matchings with and without the token's vertex."""
        graph, token, mask = position
        whole = _matched(graph, mask | 1 << token)
        return "N" if whole > _matched(graph, mask) else "P"

    def reason(self, position: Journey) -> str:
        """Return the sizes of maximum matchings."""
        graph, token, mask = position
        whole, rest = _matched(graph, mask | 1 << token), _matched(graph, mask)
        return Message(
            "a maximum matching has {edges} with the token's vertex, {rest} without it", plural(whole, "edge"), rest
        )

    def _neighbours(self, graph: PlayGraph) -> tuple[int, ...]:
        return graph.near


def _matched(graph: PlayGraph, mask: int) -> int:
    """Return the number of edges of a maximum matching between the vertices of a mask."""
    edges = ((a, b) for a in bits(mask) for b in bits(graph.near[a] & mask) if a < b)
    return len(nx.max_weight_matching(nx.Graph(edges), maxcardinality=True))
