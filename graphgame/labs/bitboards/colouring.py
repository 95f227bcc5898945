"""The colouring game: both players colour one graph properly, with the same colours."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from functools import reduce
from itertools import combinations
from operator import or_
from typing import NamedTuple

from graphgame.errors import Message, ParseError
from graphgame.labs.bitboards.masks import bits
from graphgame.labs.bitboards.play_graph import DIRECTIONS, GRAPHS, OnGraph, PlayGraph, graph_and_rest, reached
from graphgame.rules.parsing import fields, integer
from graphgame.rules.pictures import Cell, CellKind, Picture, SymmetryMap, Way
from graphgame.rules.ruleset import About, Ruleset, Sum, sum_of

_MOST_COLOURS = 9
_MOST_RENAMED = 4


class Uncoloured(NamedTuple):
    """What is still to be coloured: for each colour the mask of the vertices that it may be given to."""

    graph: PlayGraph
    masks: tuple[int, ...]

    def __str__(self) -> str:
        if all(mask == self.graph.everything for mask in self.masks):
            return self.graph.text
        return f"{self.graph.text}@{','.join(self._vertex(place) for place in bits(_union(self.masks)))}"

    def _vertex(self, place: int) -> str:
        colours = (colour for colour, mask in enumerate(self.masks, 1) if mask >> place & 1)
        return f"{self.graph.vertices[place]}:{''.join(map(str, colours))}"


class Colouring(OnGraph):
    """The rules of the impartial colouring game.

    Examples
    --------
    >>> rules = Colouring(2)
    >>> [str(option) for option in rules.options(rules.parse("path:2"))]
    ['path:2@2:2', 'path:2@1:2', 'path:2@2:1', 'path:2@1:1']
    """

    about = About(
        "The impartial colouring game: give a vertex a colour that none of its neighbours has.",
        "Both players use the same colours; whoever can colour nothing loses. ``colouring{2}(grid:3x3)`` colours a "
        "grid with two colours, ``colouring{3}(edges:a-b,b-c)`` these edges with three, ``colouring{3}(file:PATH)`` a "
        "graph file. ``colouring{2}(path:5@4:2,5:12)`` is what remains: vertex 4 may take colour 2, vertex 5 colour 1 "
        "or 2. Directions and loops are ignored.",
        theorem="With one colour this is Node Kayles. Vertices that no colour is left for are out of play; neighbours "
        "that share no colour no longer concern each other, so what is left may fall apart into a sum.",
        source="H. L. Bodlaender, On the complexity of some coloring games, International Journal of Foundations of "
        "Computer Science 2 (1991).",
        graphs=GRAPHS,
        directions=DIRECTIONS,
    )

    def __init__(self, colours: int) -> None:
        if not 1 <= colours <= _MOST_COLOURS:
            raise ValueError(Message("invalid colours {colours}: expected 1..{most}", colours, _MOST_COLOURS))
        self.colours = colours
        self.arguments = str(colours)

    @classmethod
    def from_text(cls, text: str) -> Ruleset:
        return cls(integer(text, what=Message("the number of colours"), least=1, most=_MOST_COLOURS))

    def options(self, position: Uncoloured) -> Iterator[Hashable]:
        graph, masks = position
        for colour, mask in enumerate(masks):
            for vertex in bits(mask):
                yield self._split(graph, self._left(position, colour, vertex))

    def canonical(self, position: Uncoloured) -> Uncoloured:
        """Return the first of the images under the graph's known symmetries and all permutations of the colours."""
        images = zip(*map(position.graph.images, position.masks), strict=True)
        return Uncoloured(position.graph, min(tuple(sorted(image)) for image in images))

    def parse(self, text: str) -> Hashable:
        """Return the components of a graph, or of the vertices after ``@``, each with the colours it may take."""
        graph, rest, start = graph_and_rest(text)
        if rest is None:
            return self._split(graph, [graph.everything] * self.colours)
        masks = [0] * self.colours
        for piece, place in fields(rest):
            if rest.strip():
                name, _, colours = piece.rpartition(":")
                own = 1 << graph.place(name, start + place + 1)
                for colour in self._colours(colours, start + place + len(name) + 2):
                    masks[colour] |= own
        return self._split(graph, masks)

    def rows(self, position: Uncoloured) -> str | None:
        """Return a board with ``.`` for the vertices that may still be coloured."""
        return position.graph.drawing(_union(position.masks))

    def picture(self, position: Uncoloured) -> Picture | None:
        """Return the graph, each vertex with the colours that it may take where they are not all."""
        graph, masks = position
        return graph.drawn([self._cell(graph, masks, v) for v in range(len(graph.vertices))], graph.everything)

    def _cell(self, graph: PlayGraph, masks: Sequence[int], vertex: int) -> Cell:
        colours = [str(colour) for colour, mask in enumerate(masks, 1) if mask >> vertex & 1]
        free: CellKind = "square" if graph.board else "vertex"
        return Cell(free, "" if len(colours) == self.colours else "".join(colours)) if colours else Cell("taken")

    def ways(self, position: Uncoloured) -> Iterator[Way]:
        """Return the vertices that may be coloured, with each colour."""
        graph, masks = position
        for colour, mask in enumerate(masks):
            for vertex in bits(mask):
                left = self._left(position, colour, vertex)
                option = self._split(graph, left)
                board = self.picture(Uncoloured(graph, tuple(left)))
                if board is None:
                    yield Way(option)
                    continue
                cells = [*board.cells]
                cells[vertex] = Cell("colour", str(colour + 1))
                parts = len(option) if type(option) is Sum else 1
                yield Way(option, tuple(cells), (vertex,), (), (tuple(range(len(cells))),) * parts)

    def symmetry_map(self, position: Uncoloured) -> SymmetryMap:
        """Return how the board of the canonical position lies in this one, by a symmetry and the colours' order."""
        graph = position.graph
        images = list(zip(*map(graph.images, position.masks), strict=True))
        place = min(range(len(images)), key=lambda image: sorted(images[image]))
        order = sorted(range(self.colours), key=images[place].__getitem__)
        if order == list(range(self.colours)):
            return SymmetryMap(graph.lying(place))
        if self.colours > _MOST_RENAMED:
            return SymmetryMap(())
        digits = str.maketrans({str(rank): str(colour + 1) for rank, colour in enumerate(order, 1)})
        some = [
            "".join(sorted(c)) for n in range(1, self.colours) for c in combinations("123456789"[: self.colours], n)
        ]
        kinds: tuple[CellKind, ...] = ("colour", "square", "vertex")
        pairs = (
            (Cell(kind, text), Cell(kind, "".join(sorted(text.translate(digits))))) for kind in kinds for text in some
        )
        return SymmetryMap(graph.lying(place), tuple((canonical, own) for canonical, own in pairs if canonical != own))

    def _left(self, position: Uncoloured, colour: int, vertex: int) -> list[int]:
        """Return the masks after a vertex got a colour."""
        own = 1 << vertex
        left = [other & ~own for other in position.masks]
        left[colour] &= ~position.graph.near[vertex]
        return left

    def _colours(self, text: str, column: int) -> list[int]:
        digits = text.strip()
        allowed = "123456789"[: self.colours]
        if not digits or digits.strip(allowed):
            raise ParseError("expected the colours that the vertex may take, out of {allowed}", allowed, column=column)
        return [int(digit) - 1 for digit in digits]

    def _split(self, graph: PlayGraph, masks: list[int]) -> Hashable:
        return sum_of(_components(graph, masks), Uncoloured(graph, (0,) * self.colours))


def _components(graph: PlayGraph, masks: list[int]) -> Iterator[Uncoloured]:
    """Yield what is connected by edges between vertices that may take the same colour."""
    left = _union(masks)
    while left:
        component, grown = 0, left & -left
        while grown != component:
            component = grown
            for mask in masks:
                grown |= reached(graph.near, component & mask, mask)
        left &= ~component
        yield Uncoloured(graph, tuple(mask & component for mask in masks))


def _union(masks: Iterable[int]) -> int:
    return reduce(or_, masks, 0)
