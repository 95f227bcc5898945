"""Vertex geography: a token that wanders over a graph and never returns."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

import networkx as nx

from graphgame.errors import ParseError
from graphgame.games.arena import Arena, arena_and_rest, bits, reached
from graphgame.games.fields import fields
from graphgame.pictures import Picture, grid
from graphgame.ruleset import Ruleset

__all__ = ["DirectedGeography", "Geography", "Journey"]


class Journey(NamedTuple):
    """A token on a vertex, and the mask of the other vertices that it may still reach."""

    arena: Arena
    token: int
    mask: int

    def __str__(self) -> str:
        place = f"{self.arena.text}@{self.arena.vertices[self.token]}"
        if self.mask | 1 << self.token == self.arena.everything:
            return place
        return f"{place}:{','.join(self.arena.names(self.mask))}"


class DirectedGeography(Ruleset):
    """Directed vertex geography: move the token along an edge; the vertex that it leaves is removed.

    ``directed-geography(edges:a-b,b-c,c-a@a)`` has the token on a, and edges from a to b, b to c and c to a;
    ``directed-geography(file:PATH@a)`` takes them from a graph file, which may have cycles.
    ``directed-geography(path:5@3:4)`` is what remains: the token on 3 and the vertex 4. Other graphs:
    :mod:`graphgame.games.arena`.

    Notes
    -----
    Play ends after as many moves as there are vertices, at most. Who wins is PSPACE-complete.

    References
    ----------
    T. J. Schaefer, On the complexity of some two-person perfect-information games, JCSS 16 (1978).
    D. Lichtenstein, M. Sipser, GO is polynomial-space hard, Journal of the ACM 27 (1980).

    Examples
    --------
    >>> rules = DirectedGeography()
    >>> [str(option) for option in rules.options(rules.parse("edges:a-b,b-c,c-a,a-c@a"))]
    ['edges:a-b,b-c,c-a,a-c@b:c', 'edges:a-b,b-c,c-a,a-c@c:']
    """

    def options(self, position: Journey) -> Iterator[Journey]:
        """Return the token on each neighbour that remains."""
        arena, token, mask = position
        for end in bits(self._neighbours(arena)[token] & mask):
            yield self._journey(arena, end, mask ^ 1 << end)

    def parse(self, text: str) -> Journey:
        """Return the token on the vertex after ``@``, with the vertices after a colon or else all others."""
        arena, rest, start = arena_and_rest(text)
        if rest is None:
            raise ParseError("expected @ and the vertex with the token, as in path:5@3", column=start + 1)
        name, colon, others = rest.partition(":")
        token = arena.place(name, start + 1)
        mask = arena.everything
        if colon:
            shift = start + len(name) + 2
            mask = sum({1 << arena.place(other, shift + place) for other, place in fields(others) if others.strip()})
        return self._journey(arena, token, mask & ~(1 << token))

    def format(self, position: Journey) -> str:
        """Return the graph, the token's vertex after ``@``, and after a colon what it may reach where not all."""
        return str(position)

    def board(self, position: Journey) -> str:
        """Return a board with ``T`` for the token and ``.`` for what it may reach, else the text."""
        drawing = position.arena.drawing(position.mask)
        if drawing is None or position.arena.board is None:
            return str(position)
        row, column = divmod(position.token, position.arena.board[1])
        rows = drawing.split("\n")
        rows[row] = f"{rows[row][:column]}T{rows[row][column + 1 :]}"
        return "\n".join(rows)

    def picture(self, position: Journey) -> Picture | None:
        """Return the board with the token, where the graph is a board."""
        if position.arena.board is None:
            return None
        return grid(self.board(position), {"T": "coin", ".": "square", "#": "taken"})

    def _neighbours(self, arena: Arena) -> tuple[int, ...]:
        return arena.out

    def _journey(self, arena: Arena, token: int, mask: int) -> Journey:
        own = 1 << token
        return Journey(arena, token, reached(self._neighbours(arena), own, mask) & ~own)


class Geography(DirectedGeography):
    """Undirected vertex geography: move the token to a neighbour; the vertex that it leaves is removed.

    ``geography(grid:3x3@1.1)`` has the token in a corner of a grid, ``geography(edges:a-b,b-c@b)`` on b,
    ``geography(file:PATH@a)`` on a vertex of a graph file; ``geography(path:5@3:4,5)`` is what remains: the token on
    3 and the vertices 4 and 5. Other graphs: :mod:`graphgame.games.arena`. Directions and loops are ignored.

    Notes
    -----
    The position is N exactly when every maximum matching covers the token's vertex: move along the matching.
    :meth:`outcome_form` finds it so, in O(n**3); no such way to Grundy values is known, and the graph may be
    exponential.

    References
    ----------
    A. S. Fraenkel, E. R. Scheinerman, D. Ullman, Undirected edge geography, Theoretical Computer Science 112 (1993).

    Examples
    --------
    >>> rules = Geography()
    >>> [str(option) for option in rules.options(rules.parse("path:5@3"))]
    ['path:5@2:1', 'path:5@4:5']
    >>> rules.outcome_form(rules.parse("grid:10x10@1.1"))
    'N'
    """

    def canonical(self, position: Journey) -> Journey:
        """Return the first of the images under the graph's known symmetries."""
        arena, token, mask = position
        own, rest = min(zip(arena.images(1 << token), arena.images(mask), strict=True))
        return Journey(arena, own.bit_length() - 1, rest)

    def outcome_form(self, position: Journey) -> Literal["P", "N"]:
        """Return who wins in normal play, by maximum matchings with and without the token's vertex."""
        arena, token, mask = position
        whole = _matched(arena, mask | 1 << token)
        return "N" if whole > _matched(arena, mask) else "P"

    def _neighbours(self, arena: Arena) -> tuple[int, ...]:
        return arena.near


def _matched(arena: Arena, mask: int) -> int:
    """Return the number of edges of a maximum matching between the vertices of a mask."""
    edges = ((a, b) for a in bits(mask) for b in bits(arena.near[a] & mask) if a < b)
    return len(nx.max_weight_matching(nx.Graph(edges), maxcardinality=True))
