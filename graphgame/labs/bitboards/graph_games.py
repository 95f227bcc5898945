"""Games on graphs: Node Kayles, Arc Kayles, Cannibal Clobber, colouring, and geography."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from copy import copy
from functools import lru_cache, reduce
from itertools import combinations
from operator import attrgetter, or_
from typing import ClassVar, Literal, NamedTuple

import networkx as nx

from graphgame.errors import Message, ParameterError, ParseError, plural
from graphgame.labs.bitboards.placement import MaskGame, MaskRuleset, bits, reached
from graphgame.labs.bitboards.play_graphs import OnGraph, PlayGraph, about_on_graph, graph_and_rest, way_on_graph
from graphgame.rules.parsing import fields, integer
from graphgame.rules.pictures import Cell, CellKind, Picture, SymmetryMap, Way
from graphgame.rules.ruleset import Ruleset, sum_of


class Remains(NamedTuple):
    """A position: the mask of the vertices of a graph that remain. The edges between them remain, too."""

    graph: PlayGraph
    mask: int

    def __str__(self) -> str:
        if self.mask == self.graph.everything:
            return self.graph.text
        return f"{self.graph.text}@{','.join(self.graph.names(self.mask))}"


class _Taking(OnGraph, MaskRuleset):
    """Rules whose moves take vertices from a graph. Connected components of what remains are components of a sum."""

    @staticmethod
    @abstractmethod
    def _moves(graph: PlayGraph) -> Iterator[tuple[int, int]]:
        """Yield two masks for each move: the vertices that it needs, and the vertices that it takes if they remain."""

    def on_board(self, position: Remains, games: Iterable[MaskGame] = ()) -> tuple[MaskGame, int]:
        """Return the placement game on the graph, and the mask of the vertices that remain.

        If the graph is a board, and one of ``games`` is on another board that contains it, perhaps with rows and
        columns swapped, return the first such game, and the mask on its board.
        """
        graph, mask = position
        own = _game_on(type(self), graph)
        for game in games if graph.board else ():
            if game is not own and (images := _images_on(own, game)):
                return game, sum(1 << images[vertex] for vertex in bits(mask))
        return own, mask

    def off_board(self, position: Remains, mask: int) -> Remains:
        """Return the position on the graph of ``position`` in which the vertices of ``mask`` remain."""
        return Remains(position.graph, mask)

    def canonical_game(self, position: Remains) -> MaskGame:
        """Return the placement game of a position. Its only symmetries are the known symmetries of the graph."""
        game = copy(self.on_board(position)[0])
        game.grid, game.turns, game.symmetries = None, [], position.graph.automorphisms
        return game

    def canonical(self, position: Remains) -> Remains:
        """Return the position whose mask is least among the images under the known symmetries of the graph."""
        return Remains(position.graph, min(self._images(position)))

    def outcome_form(self, position: Remains) -> Literal["P", "N"] | None:
        """Return "P" if a known symmetry pairs up the vertices, "N" if a move leads to such a position, otherwise None.

        :meth:`PlayGraph.pairs_up` explains pairing up.
        """
        graph, mask = position
        if graph.pairs_up(mask):
            return "P"
        return "N" if any(graph.pairs_up(rest) for rest, _ in self.on_board(position)[0].left(mask)) else None

    def reason(self, position: Remains) -> str | None:
        """Return a message that explains how a symmetry decides the outcome; None if no known symmetry does."""
        outcome = self.outcome_form(position)
        if outcome is None:
            return None
        if outcome == "P":
            return Message("a symmetry pairs up the vertices, so each move is answered by its image")
        return Message("after one move a symmetry pairs up the vertices, so each later move is answered by its image")

    def parse(self, text: str) -> Hashable:
        """Return the position that a text describes, as the sum of those of its components that have a move.

        If no component has a move, the result is the position without vertices. The text is a graph. If not all
        vertices remain, ``@`` and a list of the remaining vertices follow.
        """
        graph, rest, start = graph_and_rest(text)
        mask = graph.everything
        if rest is not None:
            mask = sum({1 << graph.number(name, start + offset + 1) for name, offset in fields(rest) if rest.strip()})
        whole = Remains(graph, mask)
        return sum_of((Remains(graph, part) for part in self.on_board(whole)[0].components(mask)), Remains(graph, 0))

    def picture(self, position: Remains) -> Picture | None:
        """Return a picture of the graph that shows which vertices remain; None if the graph is too large."""
        graph, mask = position
        remaining: CellKind = self.cells["."] if graph.board else "vertex"
        gone: CellKind = "taken" if graph.board else "blank"
        named = ("",) * len(graph.vertices) if graph.board else graph.vertices
        cells = [Cell(remaining, name) if mask >> v & 1 else Cell(gone) for v, name in enumerate(named)]
        return graph.drawn(cells, mask)

    def ways(self, position: Remains) -> Iterator[Way]:
        """Yield the ways to make each move: one for each choice of cells that a player can touch to make it.

        If the graph is too large to draw, yield one :class:`Way` for each move, with only the option.
        """
        graph, mask = position
        game, _ = self.on_board(position)
        options = {rest: option for (rest, _), option in zip(game.left(mask), self.options(position), strict=True)}
        for rest, option in options.items():
            after = self.picture(Remains(graph, rest))
            for touched in self._touched(graph, mask, mask & ~rest) if after is not None else ((),):
                yield way_on_graph(option, after, touched)

    @abstractmethod
    def _touched(self, graph: PlayGraph, mask: int, taken: int) -> Iterator[tuple[int, ...]]:
        """Yield each choice of cells to touch for the move that takes exactly the vertices ``taken``.

        ``mask`` has the vertices before the move.
        """

    def _images(self, position: Remains) -> list[int]:
        return position.graph.images(position.mask)


@lru_cache(maxsize=64)
def _game_on(rules: type[_Taking], graph: PlayGraph) -> MaskGame:
    """Return the placement game on a graph. If the graph is a board, ``MaskGame`` finds the symmetries."""
    symmetries = [] if graph.board else [[v.bit_length() - 1 for v in each] for each in graph.automorphisms]
    return MaskGame(len(graph.vertices), rules._moves(graph), symmetries=symmetries, grid=graph.board)


@lru_cache(maxsize=64)
def _images_on(board: MaskGame, larger: MaskGame) -> list[int]:
    """Return, for each cell of a board, the index of its image on a larger board; [] if the board does not fit.

    The board is laid into the top left corner of the larger board, if necessary with rows and columns swapped. Two
    images must be connected exactly when their cells are. (A board for queens, for example, does not fit on a grid.)
    """
    (rows, columns), (height, width) = board.grid or (0, 0), larger.grid or (0, 0)
    for down, across, fits in (
        (width, 1, rows <= height and columns <= width),
        (1, width, columns <= height and rows <= width),
    ):
        images = [row * down + column * across for row in range(rows) for column in range(columns)] if fits else []
        covered = sum(1 << image for image in images)
        if images and all(
            larger.near[image] & covered == sum(1 << images[cell] for cell in bits(near))
            for image, near in zip(images, board.near, strict=True)
        ):
            return images
    return []


class NodeKayles(_Taking):
    """The rules of Node Kayles: take a vertex and all its neighbours.

    Examples
    --------
    >>> rules = NodeKayles()
    >>> [str(option) for option in rules.options(rules.parse("path:4"))]
    ['path:4@3,4', 'path:4@4', 'path:4@1', 'path:4@1,2']
    """

    about = about_on_graph(
        "Node Kayles: take a vertex of a graph, and all its neighbours with it.",
        "``node-kayles(grid:4x5)`` is played on a grid, ``node-kayles(edges:a-b,b-c)`` on these edges, "
        "``node-kayles(file:PATH)`` on a graph file. In ``node-kayles(path:5@1,2,4)`` the vertices 1, 2 and 4 of a "
        "path of 5 vertices remain. Directions and loops are ignored.",
        theorem="On a path this is Dawson's chess, 0.137: a move takes a vertex at an end with the one beside it, or "
        "three in a row, or a path of one or two. So a path of n vertices is a heap of n + 1 in Dawson's Kayles. On "
        "graphs in general, to decide who wins is PSPACE-complete. If a symmetry pairs up the vertices so that no two "
        "neighbours are a pair, the second player wins by answering each move with its mirror image. So a grid with "
        "two even sides is P. A grid with two odd sides is N. On ``queens:n`` the players put queens on a board so "
        "that none attacks another.",
        source="T. J. Schaefer, On the complexity of some two-person perfect-information games, JCSS 16 (1978).",
    )

    row_code = "0.137"

    @staticmethod
    def _moves(graph: PlayGraph) -> Iterator[tuple[int, int]]:
        return ((1 << vertex, near | 1 << vertex) for vertex, near in enumerate(graph.near))

    def _touched(self, graph: PlayGraph, mask: int, taken: int) -> Iterator[tuple[int, ...]]:
        return ((vertex,) for vertex in bits(taken) if (graph.near[vertex] | 1 << vertex) & mask == taken)


class CannibalClobber(_Taking):
    """The rules of impartial Cannibal Clobber: a stone moves to a neighbouring vertex and removes the stone there.

    A position has the vertices with a stone. So a move takes away the vertex that the stone leaves.

    Examples
    --------
    >>> rules = CannibalClobber()
    >>> [str(option) for option in rules.options(rules.parse("path:4"))]
    ['path:4@2,3,4', 'path:4@3,4', 'path:4@1,2', 'path:4@1,2,3']
    """

    about = about_on_graph(
        "Impartial Cannibal Clobber: move a stone onto a neighbouring one, which is removed.",
        "The colours do not matter. Only vertices with a stone remain, so a move removes a vertex that has a "
        "neighbour. ``cannibal-clobber(grid:3x4)`` is a board full of stones, ``cannibal-clobber(edges:a-b,b-c)`` is "
        "a graph, ``cannibal-clobber(path:5@1,2,4)`` is what remains of a path. Directions and loops are ignored.",
        theorem="In a row this is Officers, 0.6: a move takes one stone, and must leave one part or two. If a symmetry "
        "pairs up the stones so that no two neighbours are a pair, the second player wins by answering each move with "
        "its mirror image.",
        source="M. H. Albert, J. P. Grossman, R. J. Nowakowski, D. Wolfe, An introduction to Clobber, Integers 5 "
        "(2005). A. N. Siegel, CGSuite, HotClobber.ImpartialVariant.",
    )

    row_code = "0.6"
    cells: ClassVar = {".": "coin", "#": "taken"}

    @staticmethod
    def _moves(graph: PlayGraph) -> Iterator[tuple[int, int]]:
        return ((1 << a | 1 << b, 1 << a) for a, near in enumerate(graph.near) for b in bits(near) if a != b)

    def _touched(self, graph: PlayGraph, mask: int, taken: int) -> Iterator[tuple[int, ...]]:
        yield (taken.bit_length() - 1,)


class ArcKayles(_Taking):
    """The rules of Arc Kayles: take an edge, its two ends, and all other edges at these ends.

    Examples
    --------
    >>> rules = ArcKayles()
    >>> [str(option) for option in rules.options(rules.parse("path:4"))]
    ['path:4@3,4', 'path:4@', 'path:4@1,2']
    """

    about = about_on_graph(
        "Arc Kayles: take an edge of a graph, its two ends, and all other edges at these ends.",
        "``arc-kayles(grid:4x5)`` is played on a grid, and is Cram; ``arc-kayles(edges:a-b,b-c)`` on these edges, "
        "``arc-kayles(file:PATH)`` on a graph file. Directions are ignored; a loop is an edge that takes its one "
        "vertex.",
        theorem="If a symmetry pairs up the vertices so that no two neighbours are a pair, the second player wins by "
        "answering each move with its mirror image. On a path this is Dawson's Kayles, 0.07: an edge takes two "
        "neighbours and leaves the two sides. On a path with a loop at each vertex it is Kayles.",
        source="T. J. Schaefer, On the complexity of some two-person perfect-information games, JCSS 16 (1978).",
    )

    row_code = "0.07"

    @staticmethod
    def _moves(graph: PlayGraph) -> Iterator[tuple[int, int]]:
        edges = (1 << a | 1 << b for a, near in enumerate(graph.near) for b in bits(near) if a <= b)
        return ((edge, edge) for edge in edges)

    def _touched(self, graph: PlayGraph, mask: int, taken: int) -> Iterator[tuple[int, ...]]:
        ends = (taken & -taken).bit_length() - 1, taken.bit_length() - 1
        yield tuple(dict.fromkeys(ends)) if graph.board else (graph.edge_cell(*ends),)


_MOST_COLOURS = 9
_MOST_PERMUTED = 4
"""The maximum number of colours of a game in which :meth:`Colouring.symmetry_map` can permute colours. With more, a map
that must permute colours is empty, because the list of the cells that change would be long."""


class Uncoloured(NamedTuple):
    """A position of the colouring game: for each colour, the mask of the vertices that may still get it."""

    graph: PlayGraph
    masks: tuple[int, ...]

    def __str__(self) -> str:
        if all(mask == self.graph.everything for mask in self.masks):
            return self.graph.text
        return f"{self.graph.text}@{','.join(map(self._text_of, bits(reduce(or_, self.masks))))}"

    def _text_of(self, vertex: int) -> str:
        colours = (colour for colour, mask in enumerate(self.masks, 1) if mask >> vertex & 1)
        return f"{self.graph.vertices[vertex]}:{''.join(map(str, colours))}"


class Colouring(OnGraph):
    """The rules of the impartial colouring game: give a vertex a colour that none of its neighbours has.

    ``colours`` is the number of colours, from 1 to 9. The text ``path:2@2:1`` is a position on the graph ``path:2``
    where only vertex 2 can still be coloured, with colour 1.

    Examples
    --------
    >>> rules = Colouring(2)
    >>> [str(option) for option in rules.options(rules.parse("path:2"))]
    ['path:2@2:2', 'path:2@1:2', 'path:2@2:1', 'path:2@1:1']
    """

    about = about_on_graph(
        "The impartial colouring game: give a vertex a colour that none of its neighbours has.",
        "Both players use the same colours; whoever can colour nothing loses. ``colouring{2}(grid:3x3)`` colours a "
        "grid with two colours, ``colouring{3}(edges:a-b,b-c)`` these edges with three, ``colouring{3}(file:PATH)`` a "
        "graph file. ``colouring{2}(path:5@4:2,5:12)`` is what remains: vertex 4 may take colour 2, vertex 5 colour 1 "
        "or 2. Directions and loops are ignored.",
        theorem="With one colour this is Node Kayles. Vertices without a possible colour are out of play. Neighbours "
        "without a common possible colour no longer affect each other, so the rest may fall apart into a sum.",
        source="H. L. Bodlaender, On the complexity of some coloring games, International Journal of Foundations of "
        "Computer Science 2 (1991).",
    )

    def __init__(self, colours: int) -> None:
        if not 1 <= colours <= _MOST_COLOURS:
            raise ParameterError("invalid number of colours {colours}: expected 1..{most}", colours, _MOST_COLOURS)
        self.colours = colours
        self.arguments = str(colours)

    @classmethod
    def from_text(cls, text: str) -> Ruleset:
        return cls(integer(text, what=Message("the number of colours"), least=1, most=_MOST_COLOURS))

    def options(self, position: Uncoloured) -> Iterator[Hashable]:
        graph, masks = position
        for colour, mask in enumerate(masks):
            for vertex in bits(mask):
                yield self._split(graph, self._masks_after(position, colour, vertex))

    def canonical(self, position: Uncoloured) -> Uncoloured:
        """Return the least image of a position under the known symmetries and all permutations of the colours."""
        return Uncoloured(position.graph, min(tuple(sorted(image)) for image in self._images(position)))

    def parse(self, text: str) -> Hashable:
        """Return the position that a text describes, as a sum of its components.

        The text is a graph. ``@`` and a list of the vertices that can still be coloured may follow, each with a colon
        and its possible colours. Without ``@`` every vertex can get every colour.
        """
        graph, rest, start = graph_and_rest(text)
        if rest is None:
            return self._split(graph, [graph.everything] * self.colours)
        masks = [0] * self.colours
        for piece, offset in fields(rest):
            if rest.strip():
                name, colon, colours = piece.rpartition(":") if ":" in piece else (piece, "", "")
                vertex = 1 << graph.number(name, start + offset + 1)
                for colour in self._colours(colours, start + offset + len(name) + len(colon) + 1):
                    masks[colour] |= vertex
        return self._split(graph, masks)

    def picture(self, position: Uncoloured) -> Picture | None:
        """Return a picture of the graph. A vertex shows its possible colours, unless all are possible.

        The result is None if the graph is too large.
        """
        graph, masks = position
        return graph.drawn([self._cell(graph, masks, v) for v in range(len(graph.vertices))], graph.everything)

    def _cell(self, graph: PlayGraph, masks: Sequence[int], vertex: int) -> Cell:
        colours = [str(colour) for colour, mask in enumerate(masks, 1) if mask >> vertex & 1]
        free: CellKind = "square" if graph.board else "vertex"
        return Cell(free, "" if len(colours) == self.colours else "".join(colours)) if colours else Cell("taken")

    def ways(self, position: Uncoloured) -> Iterator[Way]:
        """Yield one :class:`Way` to make each move: for each colour, and each vertex that can get this colour."""
        graph, masks = position
        for colour, mask in enumerate(masks):
            for vertex in bits(mask):
                masks_after = self._masks_after(position, colour, vertex)
                board = self.picture(Uncoloured(graph, tuple(masks_after)))
                if board is not None:
                    cells = [*board.cells]
                    cells[vertex] = Cell("colour", str(colour + 1))
                    board = board._replace(cells=tuple(cells))
                yield way_on_graph(self._split(graph, masks_after), board, (vertex,))

    def symmetry_map(self, position: Uncoloured) -> SymmetryMap:
        """Return a map from the cells of the canonical position's picture to the cells of this position's picture.

        ``SymmetryMap.cells`` follows from the symmetry of the graph that leads to the canonical position. If colours
        are permuted too, ``SymmetryMap.names`` has pairs (a, b): where the canonical position's picture shows a, this
        position's picture shows b. But then the whole map is empty in a game with more than 4 colours.
        """
        graph = position.graph
        images = self._images(position)
        # Images are compared by their sorted masks, and the least is canonical: find the symmetry that leads to it.
        symmetry = min(range(len(images)), key=lambda index: sorted(images[index]))
        # In the canonical position the masks of the colours are sorted, so the colours are permuted: colour i of the
        # canonical position is colour order[i] of this position.
        order = sorted(range(self.colours), key=images[symmetry].__getitem__)
        if order == list(range(self.colours)):
            return SymmetryMap(graph.cells_before(symmetry))
        if self.colours > _MOST_PERMUTED:
            return SymmetryMap(())
        digits = str.maketrans({str(rank): str(colour + 1) for rank, colour in enumerate(order, 1)})
        # The texts that a cell can show: all nonempty sets of colours except the full set, which shows no text.
        texts = ["".join(c) for n in range(1, self.colours) for c in combinations("123456789"[: self.colours], n)]
        kinds: tuple[CellKind, ...] = ("colour", "square", "vertex")
        pairs = (
            (Cell(kind, text), Cell(kind, "".join(sorted(text.translate(digits))))) for kind in kinds for text in texts
        )
        return SymmetryMap(
            graph.cells_before(symmetry), tuple((canonical, own) for canonical, own in pairs if canonical != own)
        )

    def _images(self, position: Uncoloured) -> list[tuple[int, ...]]:
        return list(zip(*map(position.graph.images, position.masks), strict=True))

    def _masks_after(self, position: Uncoloured, colour: int, vertex: int) -> list[int]:
        """Return the masks after a vertex gets a colour: it leaves all masks, and its neighbours lose this colour."""
        masks = [mask & ~(1 << vertex) for mask in position.masks]
        masks[colour] &= ~position.graph.near[vertex]
        return masks

    def _colours(self, text: str, column: int) -> list[int]:
        digits = text.strip()
        allowed = "123456789"[: self.colours]
        if not digits or digits.strip(allowed):
            raise ParseError(
                "expected the colours that the vertex may take: some of the digits {allowed}", allowed, column=column
            )
        return [int(digit) - 1 for digit in digits]

    def _split(self, graph: PlayGraph, masks: list[int]) -> Hashable:
        """Return the position with one mask for each colour, as a sum of its components; all masks may be 0."""
        return sum_of(_components(graph, masks), Uncoloured(graph, (0,) * self.colours))


def _components(graph: PlayGraph, masks: list[int]) -> Iterator[Uncoloured]:
    """Yield the components of a position. ``masks`` has, for each colour, the vertices that may still get it.

    Two neighbours are connected if some colour is still possible for both.
    """
    # Grow a component from its lowest vertex, along edges between vertices that share a colour, until it stops growing.
    unassigned = reduce(or_, masks)
    while unassigned:
        component, grown = 0, unassigned & -unassigned
        while grown != component:
            component = grown
            for mask in masks:
                grown |= reached(graph.near, component & mask, mask)
        unassigned &= ~component
        yield Uncoloured(graph, tuple(mask & component for mask in masks))


class Journey(NamedTuple):
    """A position of geography: the token's vertex, and the mask of the other vertices that the token can still reach.

    The token may need several moves to reach them.
    """

    graph: PlayGraph
    token: int
    mask: int

    def __str__(self) -> str:
        token = f"{self.graph.text}@{self.graph.vertices[self.token]}"
        if self.mask | 1 << self.token == self.graph.everything:
            return token
        return f"{token}:{','.join(self.graph.names(self.mask))}"


class DirectedGeography(OnGraph):
    """The rules of directed vertex geography: move the token along an edge; the vertex that it leaves is removed.

    Examples
    --------
    >>> rules = DirectedGeography()
    >>> [str(option) for option in rules.options(rules.parse("edges:a-b,b-c,c-a,a-c@a"))]
    ['edges:a-b,b-c,c-a,a-c@b:c', 'edges:a-b,b-c,c-a,a-c@c:']
    """

    about = about_on_graph(
        "Directed vertex geography: move the token along an edge; the vertex that it leaves is removed.",
        "``directed-geography(edges:a-b,b-c,c-a@a)`` has the token on a, and edges from a to b, b to c and c to a; "
        "``directed-geography(file:PATH@a)`` takes them from a graph file, which may have cycles. "
        "``directed-geography(path:5@3:4)`` is a path that has only vertex 3, with the token, and vertex 4 left.",
        theorem="Play has fewer moves than the graph has vertices. To decide who wins is PSPACE-complete.",
        source="T. J. Schaefer, On the complexity of some two-person perfect-information games, JCSS 16 (1978). D. "
        "Lichtenstein, M. Sipser, GO is polynomial-space hard, Journal of the ACM 27 (1980).",
    )

    cells: ClassVar = {".": "square", "#": "taken", "T": "coin"}

    def options(self, position: Journey) -> Iterator[Journey]:
        graph, token, mask = position
        for end in bits(self._neighbours(graph)[token] & mask):
            yield self._journey(graph, end, mask ^ 1 << end)

    def parse(self, text: str) -> Journey:
        """Return the position that a text describes: a graph, ``@`` and the vertex with the token.

        A colon and a list of the other vertices that remain may follow; without a colon all vertices remain. Vertices
        that the token cannot reach are left out of the position.
        """
        graph, rest, start = graph_and_rest(text)
        if rest is None:
            raise ParseError("expected @ and the vertex with the token, as in path:5@3", column=start + 1)
        name, colon, remaining = rest.partition(":")
        token = graph.number(name, start + 1)
        mask = graph.everything
        if colon:
            column = start + len(name) + 2
            pieces = fields(remaining) if remaining.strip() else ()
            mask = sum({1 << graph.number(vertex, column + offset) for vertex, offset in pieces})
        return self._journey(graph, token, mask & ~(1 << token))

    _edge: CellKind = "arc"
    _neighbours: Callable[[PlayGraph], tuple[int, ...]] = attrgetter("out")
    """Return, for each vertex, the mask of the vertices that the token can move to."""

    def picture(self, position: Journey) -> Picture | None:
        """Return a picture of the graph with the token and the vertices that it can reach, perhaps in several moves.

        The result is None if the graph is too large.
        """
        graph, token, mask = position
        free, gone = (Cell("square"), Cell("taken")) if graph.board else (Cell("vertex"), Cell("blank"))
        cells = [
            free._replace(text="" if graph.board else name) if mask >> v & 1 else gone
            for v, name in enumerate(graph.vertices)
        ]
        cells[token] = Cell("coin" if graph.board else "token")
        return graph.drawn(cells, mask | 1 << token, self._edge)

    def ways(self, position: Journey) -> Iterator[Way]:
        """Yield one :class:`Way` to make each move: for each vertex that the token can move to."""
        return (way_on_graph(option, self.picture(option), (option.token,)) for option in self.options(position))

    def _journey(self, graph: PlayGraph, token: int, mask: int) -> Journey:
        """Return the position with the token on a vertex, and those vertices of the mask that the token can reach.

        It may need several moves, along vertices of the mask.
        """
        start = 1 << token
        return Journey(graph, token, reached(self._neighbours(graph), start, mask) & ~start)


class Geography(DirectedGeography):
    """The rules of undirected vertex geography: move the token to a neighbour; the vertex that it leaves is removed.

    Examples
    --------
    >>> rules = Geography()
    >>> [str(option) for option in rules.options(rules.parse("path:5@3"))]
    ['path:5@2:1', 'path:5@4:5']
    >>> rules.outcome_form(rules.parse("grid:10x10@1.1"))
    'N'
    """

    about = about_on_graph(
        "Undirected vertex geography: move the token to a neighbour; the vertex that it leaves is removed.",
        "``geography(grid:3x3@1.1)`` has the token in a corner of a grid, ``geography(edges:a-b,b-c@b)`` on b, "
        "``geography(file:PATH@a)`` on a vertex of a graph file; ``geography(path:5@3:4,5)`` is a path that has only "
        "vertex 3, with the token, and vertices 4 and 5 left. Directions and loops are ignored.",
        theorem="The position is N exactly when every maximum matching of the graph covers the token's vertex. Then a "
        "move along an edge of the matching wins. :meth:`outcome_form` finds the outcome in this way, in O(n**3). No "
        "such method is known for Grundy values, and the graph of all positions may be exponentially large.",
        source="A. S. Fraenkel, E. R. Scheinerman, D. Ullman, Undirected edge geography, Theoretical Computer Science "
        "112 (1993).",
    )

    def canonical(self, position: Journey) -> Journey:
        """Return the least image under the known symmetries; compare the token's vertices, then the masks."""
        token, mask = min(self._images(position))
        return Journey(position.graph, token.bit_length() - 1, mask)

    _edge = "edge"
    _neighbours = attrgetter("near")

    def _images(self, position: Journey) -> list[tuple[int, int]]:
        graph, token, mask = position
        return list(zip(graph.images(1 << token), graph.images(mask), strict=True))

    def outcome_form(self, position: Journey) -> Literal["P", "N"]:
        """Return the outcome under normal play, from maximum matchings with and without the token's vertex."""
        # If the matching is larger with the token's vertex, every maximum matching covers this vertex.
        with_token, without = _matching_sizes(position)
        return "N" if with_token > without else "P"

    def reason(self, position: Journey) -> str:
        """Return a message with the sizes of the two maximum matchings that decide the outcome."""
        with_token, without = _matching_sizes(position)
        return Message(
            "a maximum matching has {edges}, and {count} without the token's vertex (P if equal)",
            plural(with_token, "edge"),
            without,
        )


def _matching_sizes(position: Journey) -> tuple[int, int]:
    """Return the sizes of two maximum matchings of the graph that remains: with the token's vertex, and without it."""
    graph, token, mask = position
    return _matching_size(graph, mask | 1 << token), _matching_size(graph, mask)


def _matching_size(graph: PlayGraph, mask: int) -> int:
    """Return the number of edges of a maximum matching on the vertices of a mask."""
    edges = ((a, b) for a in bits(mask) for b in bits(graph.near[a] & mask) if a < b)
    return len(nx.max_weight_matching(nx.Graph(edges), maxcardinality=True))
