"""Games on graphs: Node Kayles, Arc Kayles, Cannibal Clobber, colouring, geography, and green Hackenbush."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from copy import copy
from functools import lru_cache, reduce
from itertools import combinations
from operator import attrgetter, or_
from typing import Literal, NamedTuple

import networkx as nx

from graphgame.errors import Message, ParameterError, ParseError, plural
from graphgame.labs.bitboards.placement import MaskGame, MaskRuleset, bits, reached
from graphgame.labs.bitboards.play_graphs import OnGraph, PlayGraph, about_on_graph, graph_and_rest, way_on_graph
from graphgame.rules.parsing import fields, integer
from graphgame.rules.pictures import Cell, CellKind, Picture, Place, SymmetryMap, Way
from graphgame.rules.ruleset import About, Ruleset, parts_of, sum_of


class Remains(NamedTuple):
    """A position: the vertices of a graph that remain (as a mask), and the edges between them."""

    graph: PlayGraph
    mask: int

    def __str__(self) -> str:
        if self.mask == self.graph.everything:
            return self.graph.text
        return f"{self.graph.text}@{','.join(self.graph.names(self.mask))}"


class _Taking(OnGraph, MaskRuleset):
    """Rules whose moves take vertices from a graph. Its connected components are the components of a sum."""

    @staticmethod
    @abstractmethod
    def _moves(graph: PlayGraph) -> Iterator[tuple[int, int]]:
        """Yield, for each move, the mask of the vertices that it needs and the mask of those that it takes."""

    def on_board(self, position: Remains, games: Iterable[MaskGame] = ()) -> tuple[MaskGame, int]:
        """Return the game on the graph, and the mask of the vertices that remain.

        If one of ``games`` is on a larger board that contains this one, return that game, and the mask on its board.
        """
        graph, mask = position
        own = _game_on(type(self), graph)
        for game in games if graph.board else ():
            if game is not own and (places := _places_on(own, game)):
                return game, sum(1 << places[vertex] for vertex in bits(mask))
        return own, mask

    def off_board(self, position: Remains, mask: int) -> Remains:
        """Return the position with the vertices of a mask on the same graph."""
        return Remains(position.graph, mask)

    def told_apart(self, position: Remains) -> MaskGame:
        """Return the game with only the known symmetries of the graph. What remains of a board is not shifted."""
        game = copy(self.on_board(position)[0])
        game.grid, game.turns, game.symmetries = None, [], position.graph.automorphisms
        return game

    def canonical(self, position: Remains) -> Remains:
        """Return the least image under the known symmetries of the graph."""
        return Remains(position.graph, min(self._images(position)))

    def outcome_form(self, position: Remains) -> Literal["P", "N"] | None:
        """Return P if a symmetry pairs up the vertices, N if it does so after some move, otherwise None."""
        graph, mask = position
        if graph.pairs_up(mask):
            return "P"
        return "N" if any(graph.pairs_up(rest) for rest, _ in self.on_board(position)[0].left(mask)) else None

    def reason(self, position: Remains) -> str | None:
        """Return how a symmetry decides the outcome; None if it does not."""
        outcome = self.outcome_form(position)
        if outcome is None:
            return None
        paired = Message("a symmetry pairs up the vertices, and answers each move with its image")
        return paired if outcome == "P" else Message("after one move {paired}", paired)

    def parse(self, text: str) -> Hashable:
        """Return the position on a graph, or on the vertices listed after ``@``, as a sum of its components."""
        graph, rest, start = graph_and_rest(text)
        mask = graph.everything
        if rest is not None:
            mask = sum({1 << graph.place(name, start + place + 1) for name, place in fields(rest) if rest.strip()})
        whole = Remains(graph, mask)
        return sum_of((Remains(graph, part) for part in self.on_board(whole)[0].components(mask)), Remains(graph, 0))

    _kind: CellKind = "square"

    def picture(self, position: Remains) -> Picture | None:
        """Return a picture of the graph that shows which vertices remain."""
        graph, mask = position
        here: CellKind = self._kind if graph.board else "vertex"
        gone: CellKind = "taken" if graph.board else "blank"
        named = ("",) * len(graph.vertices) if graph.board else graph.vertices
        cells = [Cell(here, name) if mask >> v & 1 else Cell(gone) for v, name in enumerate(named)]
        return graph.drawn(cells, mask)

    def ways(self, position: Remains) -> Iterator[Way]:
        """Yield the ways to make each move: the board after it, and the cells that a player touches."""
        graph, mask = position
        game, _ = self.on_board(position)
        for (rest, _), option in zip(game.left(mask), self.options(position), strict=True):
            left = self.picture(Remains(graph, rest))
            for touched in self._touched(graph, mask, mask & ~rest) if left is not None else ((),):
                yield way_on_graph(option, left, touched)

    @abstractmethod
    def _touched(self, graph: PlayGraph, mask: int, taken: int) -> Iterator[tuple[int, ...]]:
        """Yield each tuple of cells that a player may touch to take the vertices ``taken``."""

    def _images(self, position: Remains) -> list[int]:
        return position.graph.images(position.mask)


@lru_cache(maxsize=64)
def _game_on(rules: type[_Taking], graph: PlayGraph) -> MaskGame:
    """Return the game on a graph. For a board, ``MaskGame`` finds the symmetries itself."""
    symmetries = [] if graph.board else [[v.bit_length() - 1 for v in each] for each in graph.automorphisms]
    return MaskGame(len(graph.vertices), rules._moves(graph), symmetries=symmetries, grid=graph.board)


@lru_cache(maxsize=64)
def _places_on(board: MaskGame, larger: MaskGame) -> list[int]:
    """Return, for each cell of a board, its cell on a larger board; an empty list if the board does not fit.

    The board lies in the corner of the larger one, if necessary with rows and columns swapped. Its cells must have the
    same connections there. (A board for queens, for example, does not fit on a plain grid.)
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

    about = about_on_graph(
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

    about = about_on_graph(
        "Impartial Cannibal Clobber: move a stone onto a neighbouring one, which is removed.",
        "The colours do not matter, so a move empties a vertex that has a neighbour, with a stone on every vertex that "
        "remains. ``cannibal-clobber(grid:3x4)`` is a board full of stones, ``cannibal-clobber(edges:a-b,b-c)`` a "
        "graph, ``cannibal-clobber(path:5@1,2,4)`` what remains of one. Directions and loops are ignored.",
        theorem="In a row this is Officers, 0.6: whoever takes a stone leaves one part or two, but not none. Where a "
        "symmetry pairs up the stones, none with a neighbour, the second player wins by answering with the image.",
        source="M. H. Albert, J. P. Grossman, R. J. Nowakowski, D. Wolfe, An introduction to Clobber, Integers 5 "
        "(2005). A. N. Siegel, CGSuite, HotClobber.ImpartialVariant.",
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

    about = about_on_graph(
        "Arc Kayles: take an edge of a graph, with its ends and every edge there.",
        "``arc-kayles(grid:4x5)`` is played on a grid, and is Cram; ``arc-kayles(edges:a-b,b-c)`` on these edges, "
        "``arc-kayles(file:PATH)`` on a graph file. Directions are ignored; a loop is an edge that takes its one "
        "vertex.",
        theorem="Where a symmetry pairs up the vertices, none with a neighbour, the second player wins by answering "
        "with the image. On a path this is Dawson's Kayles, 0.07: an edge takes two neighbours and leaves the two "
        "sides. On a path with a loop at each vertex it is Kayles.",
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
_MOST_RENAMED = 4


class Uncoloured(NamedTuple):
    """A position of the colouring game: for each colour, the mask of the vertices that may still get it."""

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

    about = about_on_graph(
        "The impartial colouring game: give a vertex a colour that none of its neighbours has.",
        "Both players use the same colours; whoever can colour nothing loses. ``colouring{2}(grid:3x3)`` colours a "
        "grid with two colours, ``colouring{3}(edges:a-b,b-c)`` these edges with three, ``colouring{3}(file:PATH)`` a "
        "graph file. ``colouring{2}(path:5@4:2,5:12)`` is what remains: vertex 4 may take colour 2, vertex 5 colour 1 "
        "or 2. Directions and loops are ignored.",
        theorem="With one colour this is Node Kayles. Vertices that no colour is left for are out of play; neighbours "
        "that share no colour no longer concern each other, so what is left may fall apart into a sum.",
        source="H. L. Bodlaender, On the complexity of some coloring games, International Journal of Foundations of "
        "Computer Science 2 (1991).",
    )

    def __init__(self, colours: int) -> None:
        if not 1 <= colours <= _MOST_COLOURS:
            raise ParameterError("invalid colours {colours}: expected 1..{most}", colours, _MOST_COLOURS)
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
        """Return the least image under the known symmetries of the graph and all permutations of the colours."""
        return Uncoloured(position.graph, min(tuple(sorted(image)) for image in self._images(position)))

    def parse(self, text: str) -> Hashable:
        """Return the position on a graph, as a sum of components.

        After ``@`` come the vertices that can still be coloured, each with its possible colours.
        """
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
        """Return the board as text, with ``.`` for vertices that can still be coloured; None without a board."""
        return position.graph.drawing(_union(position.masks))

    def picture(self, position: Uncoloured) -> Picture | None:
        """Return a picture of the graph. A vertex shows its possible colours, unless all are possible."""
        graph, masks = position
        return graph.drawn([self._cell(graph, masks, v) for v in range(len(graph.vertices))], graph.everything)

    def _cell(self, graph: PlayGraph, masks: Sequence[int], vertex: int) -> Cell:
        colours = [str(colour) for colour, mask in enumerate(masks, 1) if mask >> vertex & 1]
        free: CellKind = "square" if graph.board else "vertex"
        return Cell(free, "" if len(colours) == self.colours else "".join(colours)) if colours else Cell("taken")

    def ways(self, position: Uncoloured) -> Iterator[Way]:
        """Yield one way for each colour and each vertex that can get it."""
        graph, masks = position
        for colour, mask in enumerate(masks):
            for vertex in bits(mask):
                left = self._left(position, colour, vertex)
                board = self.picture(Uncoloured(graph, tuple(left)))
                if board is not None:
                    cells = [*board.cells]
                    cells[vertex] = Cell("colour", str(colour + 1))
                    board = board._replace(cells=tuple(cells))
                yield way_on_graph(self._split(graph, left), board, (vertex,))

    def symmetry_map(self, position: Uncoloured) -> SymmetryMap:
        """Return how the canonical position's board maps to this one: a symmetry, and a permutation of the colours."""
        graph = position.graph
        images = self._images(position)
        place = min(range(len(images)), key=lambda image: sorted(images[image]))
        # The canonical position sorts the colours' masks; ``order`` tells which colour of this position each one is.
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

    def _images(self, position: Uncoloured) -> list[tuple[int, ...]]:
        return list(zip(*map(position.graph.images, position.masks), strict=True))

    def _left(self, position: Uncoloured, colour: int, vertex: int) -> list[int]:
        """Return the masks after a vertex gets a colour: its neighbours lose this colour."""
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
        """Return the position with these masks, as a sum of its components."""
        return sum_of(_components(graph, masks), Uncoloured(graph, (0,) * self.colours))


def _components(graph: PlayGraph, masks: list[int]) -> Iterator[Uncoloured]:
    """Yield the components. Two neighbours are connected if they can still get the same colour."""
    # Grow a component from its lowest vertex, along edges between vertices that share a colour, until it is stable.
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


class Journey(NamedTuple):
    """A position of geography: the token's vertex, and the mask of the other vertices that it can still reach."""

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

    about = about_on_graph(
        "Directed vertex geography: move the token along an edge; the vertex that it leaves is removed.",
        "``directed-geography(edges:a-b,b-c,c-a@a)`` has the token on a, and edges from a to b, b to c and c to a; "
        "``directed-geography(file:PATH@a)`` takes them from a graph file, which may have cycles. "
        "``directed-geography(path:5@3:4)`` is what remains: the token on 3 and the vertex 4.",
        theorem="Play ends after as many moves as there are vertices, at most. Who wins is PSPACE-complete.",
        source="T. J. Schaefer, On the complexity of some two-person perfect-information games, JCSS 16 (1978). D. "
        "Lichtenstein, M. Sipser, GO is polynomial-space hard, Journal of the ACM 27 (1980).",
    )

    def options(self, position: Journey) -> Iterator[Journey]:
        graph, token, mask = position
        for end in bits(self._neighbours(graph)[token] & mask):
            yield self._journey(graph, end, mask ^ 1 << end)

    def parse(self, text: str) -> Journey:
        """Return the position with the token on the vertex after ``@``.

        The vertices that remain follow a colon; without it all of them remain.
        """
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
        """Return the board as text, with ``T`` for the token and ``.`` for what it can reach; None without a board."""
        return position.graph.drawing(position.mask, position.token)

    _edge: CellKind = "arc"
    _neighbours: Callable[[PlayGraph], tuple[int, ...]] = attrgetter("out")
    """Return, for each vertex, the mask of the vertices that the token can move to."""

    def picture(self, position: Journey) -> Picture | None:
        """Return a picture of the graph with the token and the vertices that it can still reach."""
        graph, token, mask = position
        free, gone = (Cell("square"), Cell("taken")) if graph.board else (Cell("vertex"), Cell("blank"))
        cells = [
            free._replace(text="" if graph.board else name) if mask >> v & 1 else gone
            for v, name in enumerate(graph.vertices)
        ]
        cells[token] = Cell("coin" if graph.board else "token")
        return graph.drawn(cells, mask | 1 << token, self._edge)

    def ways(self, position: Journey) -> Iterator[Way]:
        """Yield one way for each vertex that the token can move to."""
        return (way_on_graph(option, self.picture(option), (option.token,)) for option in self.options(position))

    def _journey(self, graph: PlayGraph, token: int, mask: int) -> Journey:
        """Return the position with the token on a vertex; vertices of the mask that it cannot reach are dropped."""
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

    about = about_on_graph(
        "Undirected vertex geography: move the token to a neighbour; the vertex that it leaves is removed.",
        "``geography(grid:3x3@1.1)`` has the token in a corner of a grid, ``geography(edges:a-b,b-c@b)`` on b, "
        "``geography(file:PATH@a)`` on a vertex of a graph file; ``geography(path:5@3:4,5)`` is what remains: the "
        "token on 3 and the vertices 4 and 5. Directions and loops are ignored.",
        theorem="The position is N exactly when every maximum matching covers the token's vertex: move along the "
        "matching. :meth:`outcome_form` finds it so, in O(n**3); no such way to Grundy values is known, and the graph "
        "may be exponential.",
        source="A. S. Fraenkel, E. R. Scheinerman, D. Ullman, Undirected edge geography, Theoretical Computer Science "
        "112 (1993).",
    )

    def canonical(self, position: Journey) -> Journey:
        """Return the least image under the known symmetries of the graph."""
        own, rest = min(self._images(position))
        return Journey(position.graph, own.bit_length() - 1, rest)

    _edge = "edge"
    _neighbours = attrgetter("near")

    def _images(self, position: Journey) -> list[tuple[int, int]]:
        graph, token, mask = position
        return list(zip(graph.images(1 << token), graph.images(mask), strict=True))

    def outcome_form(self, position: Journey) -> Literal["P", "N"]:
        """Return the outcome under normal play, from maximum matchings with and without the token's vertex."""
        # A larger matching with the token's vertex means that every maximum matching covers it.
        graph, token, mask = position
        whole = _matched(graph, mask | 1 << token)
        return "N" if whole > _matched(graph, mask) else "P"

    def reason(self, position: Journey) -> str:
        """Return the sizes of the two maximum matchings that decide the outcome."""
        graph, token, mask = position
        whole, rest = _matched(graph, mask | 1 << token), _matched(graph, mask)
        return Message(
            "a maximum matching has {edges} with the token's vertex, {rest} without it", plural(whole, "edge"), rest
        )


def _matched(graph: PlayGraph, mask: int) -> int:
    """Return the number of edges of a maximum matching on the vertices of a mask."""
    edges = ((a, b) for a in bits(mask) for b in bits(graph.near[a] & mask) if a < b)
    return len(nx.max_weight_matching(nx.Graph(edges), maxcardinality=True))


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
        """Return the length of the stalk to which the two theorems reduce the picture."""
        return Message(
            "by fusion and the colon principle it is a stalk of {edges}", plural(self.closed_form(position), "edge")
        )

    def picture(self, position: str) -> Picture | None:
        """Return a picture of the edges above the ground; None if there are too many."""
        edges = _edges(position)
        if len(edges) > _MOST_DRAWN:
            return None
        lines = _lines(edges)
        right = max((max(line[0], line[2]) for line in lines), default=0)
        ground = (Cell("ground"), (-0.7, 0.0, right + 0.7, 0.0))
        placed = [*((Cell("edge"), line) for line in lines), ground]
        return Picture(tuple(cell for cell, _ in placed), tuple(place for _, place in placed))

    def ways(self, position: str) -> Iterator[Way]:
        """Yield one way for each edge. The board after it lacks that edge and all edges that it carried."""
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
        """Return the position with the listed edges, such as ``0-1,1-2``, as a sum of its parts.

        Raises ParseError if an edge is not connected to the ground.
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
    """Yield the edges of each part that is connected to the ground. Parts may share the ground, but no other vertex."""
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
    """Map each vertex to a list of its edges, each as (number, other end). A loop is listed once."""
    at: dict[str, list[tuple[int, str]]] = {}
    for number, (a, b) in enumerate(edges):
        at.setdefault(a, []).append((number, b))
        if a != b:
            at.setdefault(b, []).append((number, a))
    return at


def _lines(edges: list[Edge]) -> list[Place]:
    """Return a line for each edge: a spanning tree drawn upwards, and the other edges as curves beside it.

    Each vertex is below the middle of the vertices that it carries.
    """
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
    # Parallel edges are bent to alternating sides. An edge outside the tree is bent from the first on.
    drawn = {edge: 0 for edge in edges if edge not in tree}
    lines: list[Place] = []
    for edge in edges:
        (x1, y1), (x2, y2) = (_foot(edge, end, across, heights) for end in edge)
        bend = drawn[edge] = drawn.get(edge, -1) + 1
        lines.append((x1, -1.3 * y1, x2, -1.3 * y2, (bend + 1) // 2 * (-1) ** bend))
    return lines


def _foot(edge: Edge, end: str, across: dict[str, float], heights: dict[str, int]) -> tuple[float, float]:
    """Return the point (x, height) where an edge ends. An edge from the ground starts right below its other end."""
    other = edge[0] if edge[1] == end else edge[1]
    return (across[other] if end == _GROUND and other != _GROUND else across[end]), heights[end]


def _value(edges: list[Edge]) -> int:
    """Return the value of a picture, by fusion and the colon principle."""
    # A depth-first search finds the bridges: the edge to a vertex is a bridge if no edge from above it leads back
    # below it, that is, if low[vertex] == order[vertex]. A bridge carries a stalk of total + 1 edges (colon). Any other
    # edge lies on a cycle; fusion turns it into a loop, worth 1, so total counts it with xor 1.
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
