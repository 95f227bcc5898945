"""Node Kayles, Arc Kayles and Cannibal Clobber: taking vertices, or edges, perhaps with all that is next to them."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Hashable, Iterable, Iterator
from functools import lru_cache
from typing import Literal, NamedTuple

from graphgame.errors import Message
from graphgame.labs.bitboards.masks import MaskGame, MaskRuleset, bits
from graphgame.labs.bitboards.play_graph import DIRECTIONS, GRAPHS, OnGraph, PlayGraph, graph_and_rest
from graphgame.rules.parsing import fields
from graphgame.rules.pictures import Cell, CellKind, Picture, SymmetryMap, Way
from graphgame.rules.ruleset import About, Sum, sum_of


class Remains(NamedTuple):
    """What remains of a graph: the vertices of a mask, and the edges between them."""

    graph: PlayGraph
    mask: int

    def __str__(self) -> str:
        if self.mask == self.graph.everything:
            return self.graph.text
        return f"{self.graph.text}@{','.join(self.graph.names(self.mask))}"


class _Taking(OnGraph, MaskRuleset):
    """Moves that take vertices from a graph; its components are the components of a sum."""

    @staticmethod
    @abstractmethod
    def _moves(graph: PlayGraph) -> Iterator[tuple[int, int]]:
        """Yield the masks of the vertices that each move needs, and of those that it takes."""

    def on_board(self, position: Remains, games: Iterable[MaskGame] = ()) -> tuple[MaskGame, int]:
        """Return the game on the whole graph, or on a larger board among some, and the vertices that remain."""
        graph, mask = position
        own = _game_on(type(self), graph)
        for game in games if graph.board else ():
            if game is not own and (places := _places_on(own, game)):
                return game, sum(1 << places[vertex] for vertex in bits(mask))
        return own, mask

    def off_board(self, position: Remains, mask: int) -> Remains:
        """Return other vertices of the graph."""
        return Remains(position.graph, mask)

    def told_apart(self, position: Remains) -> MaskGame:
        """Return the game with the graph's known symmetries; what is left of a board stays where it is."""
        return self.on_board(position)[0].with_symmetries(position.graph.automorphisms)

    def canonical(self, position: Remains) -> Remains:
        """Return the first of the images under the graph's known symmetries."""
        return Remains(position.graph, min(position.graph.images(position.mask)))

    def outcome_form(self, position: Remains) -> Literal["P", "N"] | None:
        """Return who wins where a symmetry pairs up the vertices, at once or after one move."""
        graph, mask = position
        if graph.pairs_up(mask):
            return "P"
        return "N" if any(graph.pairs_up(rest) for rest, _ in self.on_board(position)[0].left(mask)) else None

    def reason(self, position: Remains) -> str | None:
        """Say how a symmetry decides."""
        outcome = self.outcome_form(position)
        if outcome is None:
            return None
        paired = Message("a symmetry pairs up the vertices, and answers each move with its image")
        return paired if outcome == "P" else Message("after one move {paired}", paired)

    def parse(self, text: str) -> Hashable:
        """Return the components of a graph, or of the part of it on the vertices named after ``@``."""
        graph, rest, start = graph_and_rest(text)
        mask = graph.everything
        if rest is not None:
            mask = sum({1 << graph.place(name, start + place + 1) for name, place in fields(rest) if rest.strip()})
        whole = Remains(graph, mask)
        return sum_of((Remains(graph, part) for part in self.on_board(whole)[0].components(mask)), Remains(graph, 0))

    _kind: CellKind = "square"

    def picture(self, position: Remains) -> Picture | None:
        """Return the graph with the vertices that remain."""
        graph, mask = position
        here: CellKind = self._kind if graph.board else "vertex"
        gone: CellKind = "taken" if graph.board else "blank"
        named = ("",) * len(graph.vertices) if graph.board else graph.vertices
        cells = [Cell(here, name) if mask >> v & 1 else Cell(gone) for v, name in enumerate(named)]
        return graph.drawn(cells, mask)

    def ways(self, position: Remains) -> Iterator[Way]:
        """Return what each move takes, and what is touched to make it."""
        graph, mask = position
        game, _ = self.on_board(position)
        for (rest, _), option in zip(game.left(mask), self.options(position), strict=True):
            left = self.picture(Remains(graph, rest))
            parts = len(option) if type(option) is Sum else 1
            if left is None:
                yield Way(option)
                continue
            for touched in self._touched(graph, mask, mask & ~rest):
                yield Way(option, left.cells, touched, (), (tuple(range(len(left.cells))),) * parts)

    @abstractmethod
    def _touched(self, graph: PlayGraph, mask: int, taken: int) -> Iterator[tuple[int, ...]]:
        """Yield the cells that one may touch to take the vertices of a mask."""

    def symmetry_map(self, position: Remains) -> SymmetryMap:
        """Return how the board of the canonical position lies in this one, by a symmetry of the graph."""
        images = position.graph.images(position.mask)
        return SymmetryMap(position.graph.lying(images.index(min(images))))


@lru_cache(maxsize=64)
def _game_on(rules: type[_Taking], graph: PlayGraph) -> MaskGame:
    """Return the game on a graph; a board need not list its symmetries."""
    symmetries = [] if graph.board else [[v.bit_length() - 1 for v in each] for each in graph.automorphisms]
    return MaskGame(len(graph.vertices), rules._moves(graph), symmetries=symmetries, grid=graph.board)


@lru_cache(maxsize=64)
def _places_on(board: MaskGame, larger: MaskGame) -> list[int]:
    """Return the cells of a larger board that a board covers from its corner, perhaps on its side; none if it cannot.

    What is near there must be the same, as it is not on boards of other pieces.
    """
    (rows, columns), (height, width) = board.grid or (0, 0), larger.grid or (0, 0)
    for down, across, fits in (
        (width, 1, rows <= height and columns <= width),
        (1, width, columns <= height and rows <= width),
    ):
        places = [row * down + column * across for row in range(rows) for column in range(columns)] if fits else []
        covered = sum(1 << place for place in places)
        if places and all(
            larger.near[place] & covered == sum(1 << places[other] for other in bits(near))
            for place, near in zip(places, board.near, strict=True)
        ):
            return places
    return []


class NodeKayles(_Taking):
    """The rules of Node Kayles.

    Examples
    --------
    >>> rules = NodeKayles()
    >>> [str(option) for option in rules.options(rules.parse("path:4"))]
    ['path:4@3,4', 'path:4@4', 'path:4@1', 'path:4@1,2']
    """

    about = About(
        "Node Kayles: take a vertex of a graph, and all its neighbours with it.",
        "``node-kayles(grid:4x5)`` is played on a grid, ``node-kayles(edges:a-b,b-c)`` on these edges, "
        "``node-kayles(file:PATH)`` on a graph file; ``node-kayles(path:5@1,2,4)`` is what remains of a path. "
        "Directions and loops are ignored.",
        theorem="On a path this is Dawson's chess, 0.137: a move takes a vertex at an end with the one beside it, or "
        "three in a row, or a path of one or two. So it is Dawson's Kayles, with heaps one larger than the path. Who "
        "wins is PSPACE-complete. Where a symmetry pairs up the vertices, none with a neighbour, the second player "
        "wins by answering with the image: so a grid of two even sides is P, and one of two odd sides is N. The "
        "players put independent queens on a board: ``queens:n`` is the game of non-attacking queens.",
        source="T. J. Schaefer, On the complexity of some two-person perfect-information games, JCSS 16 (1978).",
        graphs=GRAPHS,
        directions=DIRECTIONS,
    )

    row_code = "0.137"

    @staticmethod
    def _moves(graph: PlayGraph) -> Iterator[tuple[int, int]]:
        return ((1 << vertex, near | 1 << vertex) for vertex, near in enumerate(graph.near))

    def _touched(self, graph: PlayGraph, mask: int, taken: int) -> Iterator[tuple[int, ...]]:
        return ((vertex,) for vertex in bits(taken) if (graph.near[vertex] | 1 << vertex) & mask == taken)


class CannibalClobber(_Taking):
    """The rules of impartial Cannibal Clobber.

    Examples
    --------
    >>> rules = CannibalClobber()
    >>> [str(option) for option in rules.options(rules.parse("path:4"))]
    ['path:4@2,3,4', 'path:4@3,4', 'path:4@1,2', 'path:4@1,2,3']
    """

    about = About(
        "Impartial Cannibal Clobber: move a stone onto a neighbouring one, which is removed.",
        "The colours do not matter, so a move empties a vertex that has a neighbour, with a stone on every vertex that "
        "remains. ``cannibal-clobber(grid:3x4)`` is a board full of stones, ``cannibal-clobber(edges:a-b,b-c)`` a "
        "graph, ``cannibal-clobber(path:5@1,2,4)`` what remains of one. Directions and loops are ignored.",
        theorem="In a row this is Officers, 0.6: whoever takes a stone leaves one part or two, but not none. Where a "
        "symmetry pairs up the stones, none with a neighbour, the second player wins by answering with the image.",
        source="M. H. Albert, J. P. Grossman, R. J. Nowakowski, D. Wolfe, An introduction to Clobber, Integers 5 "
        "(2005). A. N. Siegel, CGSuite, HotClobber.ImpartialVariant.",
        graphs=GRAPHS,
        directions=DIRECTIONS,
    )

    row_code = "0.6"
    _kind = "coin"

    @staticmethod
    def _moves(graph: PlayGraph) -> Iterator[tuple[int, int]]:
        return ((1 << a | 1 << b, 1 << a) for a, near in enumerate(graph.near) for b in bits(near) if a != b)

    def _touched(self, graph: PlayGraph, mask: int, taken: int) -> Iterator[tuple[int, ...]]:
        yield (taken.bit_length() - 1,)


class ArcKayles(_Taking):
    """The rules of Arc Kayles.

    Examples
    --------
    >>> rules = ArcKayles()
    >>> [str(option) for option in rules.options(rules.parse("path:4"))]
    ['path:4@3,4', 'path:4@', 'path:4@1,2']
    """

    about = About(
        "Arc Kayles: take an edge of a graph, with its ends and every edge there.",
        "``arc-kayles(grid:4x5)`` is played on a grid, and is Cram; ``arc-kayles(edges:a-b,b-c)`` on these edges, "
        "``arc-kayles(file:PATH)`` on a graph file. Directions are ignored; a loop is an edge that takes its one "
        "vertex.",
        theorem="Where a symmetry pairs up the vertices, none with a neighbour, the second player wins by answering "
        "with the image. On a path this is Dawson's Kayles, 0.07: an edge takes two neighbours and leaves the two "
        "sides. On a path with a loop at each vertex it is Kayles.",
        source="T. J. Schaefer, On the complexity of some two-person perfect-information games, JCSS 16 (1978).",
        graphs=GRAPHS,
        directions=DIRECTIONS,
    )

    row_code = "0.07"

    @staticmethod
    def _moves(graph: PlayGraph) -> Iterator[tuple[int, int]]:
        edges = (1 << a | 1 << b for a, near in enumerate(graph.near) for b in bits(near) if a <= b)
        return ((edge, edge) for edge in edges)

    def _touched(self, graph: PlayGraph, mask: int, taken: int) -> Iterator[tuple[int, ...]]:
        ends = (taken & -taken).bit_length() - 1, taken.bit_length() - 1
        yield tuple(dict.fromkeys(ends)) if graph.board else (graph.edge_cell(*ends),)
