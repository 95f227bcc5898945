"""What a picture of a game shows: vertices with their names, edges with their kinds, ranks of equal birthday."""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import cached_property
from typing import NamedTuple

import numpy as np

from graphgame.drawing import style
from graphgame.drawing.options import PictureOptions
from graphgame.errors import LimitError, Message, ParameterError, UnknownPositionError
from graphgame.graph import LOONY
from graphgame.graph.attributes import VERTEX_KINDS
from graphgame.graph.gamegraph import GameGraph, GameLike, is_graph
from graphgame.graph.rows import Rows
from graphgame.io.edges import edge_arrays
from graphgame.registry import registered
from graphgame.rules.pictures import Picture
from graphgame.rules.position import Position
from graphgame.rules.sources import named_game
from graphgame.solution.results import Move
from graphgame.solution.solve import LoopySolution, solution_of
from graphgame.text.text import printable

_ITEMS_AT_A_TIME = 1 << 15  # edges, or positions
_CAPTION_WIDTH, _LONGEST_CAPTION = 24, 80
_MOST_LINES = 8


class DrawnEdges(NamedTuple):
    """Some edges of a picture, as arrays: sources and targets by vertex number, kinds and multiplicities.

    A kind is an index into :data:`graphgame.drawing.style.KINDS`. The multiplicity of an edge from a sum to a part is
    how often the part occurs in the sum; the multiplicity of a move is 1.
    """

    source: np.ndarray
    target: np.ndarray
    kind: np.ndarray
    multiplicity: np.ndarray


class DrawnVertex(NamedTuple):
    """A vertex of a picture.

    ``text`` is its label, by default the text of its position. ``name`` is the text in the picture: signs such as "⊕"
    or "×3" and, with the option ``names``, the label broken into lines. ``marks`` are outcome and value, if shown.
    ``kind`` is one of :data:`graphgame.graph.attributes.VERTEX_KINDS`. ``tokens`` counts tokens.
    """

    number: int
    text: str
    name: str
    marks: str
    outcome: str | None
    kind: str
    board: Picture | None
    tokens: int
    is_centre: bool

    @property
    def is_sum(self) -> bool:
        """Whether the vertex is a sum."""
        return self.kind == "sum"


class Stub(NamedTuple):
    """A label such as "+3" for hidden moves: its name in DOT, the ends of the line to it, the number of moves."""

    name: str
    ends: tuple[str, str]
    hidden: int


class GraphPicture:
    """The content of a picture of a solution, or of a graph without values.

    Parameters
    ----------
    game : GameLike
    options : PictureOptions

    Raises
    ------
    ParameterError
        ``only`` for an unsolved game, ``genus`` without misère play, or ``pictures=True`` without rules that draw.
    CycleError, UndirectedGraphError
        The game to be solved has a cycle, or the graph is undirected.
    UnknownPositionError
        A token, or a position in the options, is not a vertex.

    Notes
    -----
    Besides the solution it takes one byte for each vertex; :meth:`ranks` takes 16 bytes for each vertex.
    """

    def __init__(self, game: GameLike, options: PictureOptions) -> None:
        loaded = named_game(game, run_rules=options.run_rules)
        self.solution = None if is_graph(game) else solution_of(loaded)
        self.graph = GameGraph.of(loaded) if self.solution is None else self.solution.graph
        self.counts: np.ndarray | None = None
        if options.merge:
            merged = registered("merging of equal positions")
            self.solution, self.graph, options, self.counts = merged(self.solution, self.graph, options)
        self.options = options
        self.theme = options.palette
        self.outcome = None if self.solution is None else self.solution.outcome.array
        if options.only and self.outcome is None:
            raise ParameterError(
                "only={only!r} needs outcomes, but the graph is not solved: draw solve(graph)", options.only
            )
        if options.genus is not None and (self.solution is None or not self.solution.misere):
            raise ParameterError("genus is about misère play: draw solve(graph, misere=True)")
        chosen = select(self.graph, self.outcome, options)
        self.is_whole = chosen is None
        self.shown = np.ones(len(self.graph), np.bool_) if chosen is None else chosen
        self.centres = frozenset(map(self.graph.number_of, options.around))
        self.tokens = self.graph.tokens if self.solution is None else self.solution.tokens
        self.winning_moves = self._winning_moves()
        self._token_count = Counter(map(self._token_number, self.tokens or ()))
        number = self.graph.number_of
        keys = [number(move.start) * len(self.graph) + number(move.end) for move in self.winning_moves]
        self._token_wins = np.unique(np.array(keys, np.int64))
        self._pictures = pictures_of(loaded) if options.pictures is True else options.pictures

    @property
    def shows_tokens(self) -> bool:
        """Whether a token is on a vertex that is shown."""
        return bool(self.shown[list(self._token_count)].any())

    @property
    def shows_all_tokens(self) -> bool:
        """Whether there are tokens, and all of them are on vertices that are shown."""
        return bool(self._token_count) and bool(self.shown[list(self._token_count)].all())

    @property
    def shows_token_wins(self) -> bool:
        """Whether a winning move of the tokens is shown."""
        ends = divmod(self._token_wins, len(self.graph) or 1)
        return bool((self.shown[ends[0]] & self.shown[ends[1]]).any())

    @property
    def shows_merged(self) -> bool:
        """Whether a vertex that stands for several equal positions is shown."""
        return self.counts is not None and self.shows(self.counts > 1)

    @property
    def shows_draws(self) -> bool:
        """Whether a draw is shown."""
        return self.outcome is not None and self.shows(self.outcome == "D")

    @property
    def shows_infinite_values(self) -> bool:
        """Whether a vertex with an infinite value is shown."""
        finite = 0 if self.graph.decided is None else LOONY
        return isinstance(self.solution, LoopySolution) and self.shows(self.solution.grundy.array < finite)

    def shows(self, vertices: np.ndarray) -> bool:
        """Tell whether any vertex in a mask is shown."""
        return bool(np.any(vertices & self.shown))

    @property
    def positions(self) -> np.ndarray:
        """The mask of the vertices that are shown and are not sums."""
        return self.shown if self.graph.sums is None else self.shown & ~self.graph.sums

    def marks(self, numbers: np.ndarray) -> np.ndarray:
        """Return the outcome of each vertex given by number; ``-`` for all if the game is not solved."""
        return np.full(len(numbers), "-") if self.outcome is None else self.outcome[numbers]

    def value_texts(self, numbers: np.ndarray) -> list[str]:
        """Return the texts of the values of vertices given by number; empty texts if the game is not solved."""
        return [""] * len(numbers) if self.solution is None else list(map(str, self.solution.grundy.take(numbers)))

    def vertex_count(self) -> int:
        """Return the number of vertices that are shown."""
        return int(np.count_nonzero(self.shown))

    def edge_count(self) -> int:
        """Return the number of edges that are shown."""
        if self.is_whole:
            return self.graph.number_of_edges()
        return sum(len(edges.source) for edges in self.edges())

    @cached_property
    def stubs(self) -> list[Stub]:
        """With ``around``: a label for each shown vertex with hidden options, and for each with hidden predecessors."""
        if self.is_whole or not self.centres:
            return []
        stubs = []
        for number in np.flatnonzero(self.shown).tolist():
            name = f"n{number}"
            for rows, stub, ends in (
                (self.graph.option_rows, f"{name}_ahead", (name, f"{name}_ahead")),
                (self.graph.predecessor_rows, f"{name}_back", (f"{name}_back", name)),
            ):
                if count := int(np.count_nonzero(~self.shown[np.unique(rows.row(number))])):
                    stubs.append(Stub(stub, ends, count))
        return stubs

    def span(self) -> int:
        """Return how many ranks the shown edges skip, in total. Graphviz takes as much time for each as for an edge."""
        birthday = self.longest_plays()
        if birthday is None:
            return 0
        level = np.searchsorted(np.unique(birthday[self.positions]), birthday)
        skipped = (level[edges.source] - level[edges.target] - 1 for edges in self.edges())
        return sum(int(ranks.clip(0).sum()) for ranks in skipped)

    def vertices(self) -> Iterator[DrawnVertex]:
        """Yield the shown vertices, in order of their numbers."""
        codes = self.graph.kinds
        for numbers in self._numbers():
            positions = self.graph.labels.take(numbers)
            outcomes = [None] * len(numbers) if self.solution is None else self.solution.outcome.take(numbers)
            values = self._values(numbers, positions)
            of_vertices = [0] * len(numbers) if codes is None else codes[numbers].tolist()
            kinds = [VERTEX_KINDS[abs(code)] for code in of_vertices]
            rows = zip(numbers.tolist(), positions, outcomes, values, kinds, strict=True)
            for number, position, outcome, value, kind in rows:
                text = str(self.graph.attributes.of_node(number, False).get("label", position))
                signs = [style.CENTRE] * (number in self.centres) + [style.SUM] * (kind == "sum")
                name = [*signs, *[caption(text)] * self.options.names, self.times(number)]
                yield DrawnVertex(
                    number,
                    text,
                    " ".join(filter(None, name)),
                    "" if outcome is None else f"{outcome} {value}" if self.options.values else outcome,
                    outcome,
                    kind,
                    self._pictures(position) if self._pictures else None,
                    self._token_count.get(number, 0),
                    number in self.centres,
                )

    def edges(self) -> Iterator[DrawnEdges]:
        """Yield blocks of the shown edges, sorted by source, then by target."""
        for source, target in edge_arrays(self.graph, _ITEMS_AT_A_TIME):
            yield self._classified(source.astype(np.int64), target)

    @property
    def is_scattered(self) -> bool:
        """Whether the option ``only`` is given. Invisible edges then order the ranks, since moves may be hidden."""
        return self.options.only is not None

    def ranks(self) -> Iterator[np.ndarray]:
        """Yield an array for each birthday, the smallest first: the vertex numbers of its shown positions.

        Leave out birthdays of one position unless ``only`` is given. Yield nothing if :meth:`longest_plays` is None.
        """
        birthday = self.longest_plays()
        if birthday is None:
            return
        # Sums have no rank: a sum's birthday is the sum of its parts' birthdays, and may equal that of a part.
        numbers = np.flatnonzero(self.positions)
        numbers = numbers[np.argsort(birthday[numbers], kind="stable")]
        borders = np.flatnonzero(np.diff(birthday[numbers])) + 1
        starts, ends = np.append(0, borders), np.append(borders, len(numbers))
        several = ends - starts > (0 if self.is_scattered else 1)
        for start, end in zip(starts[several].tolist(), ends[several].tolist(), strict=True):
            yield numbers[start:end]

    def _numbers(self) -> Iterator[np.ndarray]:
        for start in range(0, len(self.graph), _ITEMS_AT_A_TIME):
            yield start + np.flatnonzero(self.shown[start : start + _ITEMS_AT_A_TIME])

    def _classified(self, source: np.ndarray, target: np.ndarray) -> DrawnEdges:
        first = np.ones(len(source), np.bool_)
        first[1:] = (source[1:] != source[:-1]) | (target[1:] != target[:-1])
        multiplicity = np.diff(np.append(np.flatnonzero(first), len(source)))
        source, target = source[first], target[first]
        if not self.is_whole:
            shown = self.shown[source] & self.shown[target]
            source, target, multiplicity = source[shown], target[shown], multiplicity[shown]
        return DrawnEdges(source, target, self.kinds(source, target), multiplicity)

    def kinds(self, source: np.ndarray, target: np.ndarray) -> np.ndarray:
        """Return the kinds of edges, as indices into :data:`graphgame.drawing.style.KINDS`."""
        kinds = np.full(len(source), style.MOVE, np.int8)
        if self.outcome is not None:
            kinds[(self.outcome[source] != "P") & (self.outcome[target] == "P")] = style.WIN
        if len(self._token_wins):
            kinds[np.isin(source * len(self.graph) + target, self._token_wins)] = style.TOKEN_WIN
        if self.graph.sums is not None:
            kinds[self.graph.sums[source]] = style.PART
        return kinds

    def _values(self, numbers: np.ndarray, positions: list[Hashable]) -> Sequence[object]:
        genus, labels, sums = self.options.genus, self.graph.labels, self.graph.sums
        if self.solution is None:
            return [None] * len(numbers)
        if genus is None:
            return self.solution.grundy.take(numbers)
        return [
            genus[position]
            if sums is None or not sums[number]
            else genus.genus_of(*labels.take(self.graph.option_rows.row(number)))
            for number, position in zip(numbers.tolist(), positions, strict=True)
        ]

    def times(self, number: int) -> str:
        """Return "×3" for a vertex that stands for 3 equal positions, an empty text for one position."""
        count = 1 if self.counts is None else int(self.counts[number])
        return style.times(count) if count > 1 else ""

    def longest_plays(self) -> np.ndarray | None:
        """Return each vertex's birthday; None if the game is unsolved or has a cycle, or a birthday exceeds 2**63-1."""
        with suppress(LimitError):
            if self.solution is not None and not isinstance(self.solution, LoopySolution):
                return self.solution.birthday.array
        return None

    def _token_number(self, token: Hashable) -> int:
        try:
            return self.graph.labels.find(token)
        except KeyError:
            raise UnknownPositionError(
                token, Message("position {position!r} has a token but is not a vertex of the graph", token)
            ) from None

    def _winning_moves(self) -> list[Move]:
        with suppress(LimitError):
            if self.solution is not None and self.tokens:
                return self.solution.winning_moves()
        return []


def caption(text: str) -> str:
    r"""Return the text of a position as its vertex shows it: at most 8 lines of at most 40 characters, before escapes.

    Three dots replace the middle of a longer line, and all lines from the eighth on if there are more. A text without
    newlines is cut to 80 characters, then broken between words into lines of about 24.

    Examples
    --------
    >>> caption("XO.\n.X.")
    'XO.\n.X.'
    >>> caption("tab\there")
    'tab\\there'
    >>> caption("the narrow stairs to the tower")
    'the narrow stairs to the\ntower'
    """
    if "\n" not in text:
        lines = textwrap.wrap(
            printable(text, _LONGEST_CAPTION), _CAPTION_WIDTH, break_long_words=False, break_on_hyphens=False
        )
        return "\n".join(map(printable, lines)) if len(lines) > 1 and len(text) > _CAPTION_WIDTH else printable(text)
    lines = text.replace("\r\n", "\n").split("\n")
    shown = [printable(line) if line else "" for line in lines[:_MOST_LINES]]
    return "\n".join(shown if len(lines) <= _MOST_LINES else [*shown[:-1], "..."])


PICTURE_A_PART = "around=[position], steps=2 (--around POSITION --steps 2)"
KEEP_A_PART = "reachable_from=[position] (--reachable-from POSITION)"
"""Options, named in messages, that draw only a part of a graph."""


def select(graph: GameGraph, outcome: np.ndarray | None, options: PictureOptions) -> np.ndarray | None:
    """Return the mask of the vertices that all given options of ``reachable_from``, ``around`` and ``only`` select.

    None means all vertices: no option is given. ``outcome`` has the outcome of each vertex, for ``only``. This takes
    O(n + m) time, and n bytes for each given option.
    """
    masks = []
    if options.reachable_from:
        masks.append(_spread(graph.option_rows, _numbers(graph, options.reachable_from)))
    if options.around:
        start = _numbers(graph, options.around)
        reached = _spread(graph.option_rows, start, options.steps)
        masks.append(reached | _spread(graph.predecessor_rows, start, options.steps))
    if options.only and outcome is not None:
        masks.append(outcome == options.only)
    return np.logical_and.reduce(masks) if masks else None


def _numbers(graph: GameGraph, positions: Iterable[Hashable]) -> list[int]:
    return [graph.number_of(position) for position in positions]


def _spread(rows: Rows, start: list[int], steps: int | None = None) -> np.ndarray:
    """Return the mask of ``start`` and the vertices that ``rows`` lead to from there, in at most ``steps`` steps."""
    reached = np.zeros(len(rows.pointers) - 1, np.bool_)
    reached[start] = True
    front = list(dict.fromkeys(start))
    while front and steps != 0:
        following: list[int] = []
        for vertex in front:
            row = rows.row(vertex)
            new = row[~reached[row]]
            reached[new] = True
            following += new.tolist()
        front = following
        steps = None if steps is None else steps - 1
    return reached


def pictures_of(game: GameLike) -> Callable[[Hashable], Picture | None]:
    """Return a function that takes the text of a position, or "a + b" for a sum, and returns its picture.

    That function returns None if there is no picture, or if the game cannot reach the positions.

    Raises
    ------
    ParameterError
        The game is not a Position, or its rules draw no pictures.
    """
    if not isinstance(game, Position):
        raise ParameterError(
            "pictures=True needs the rules of a game, which draw its positions: give a Position or its text; a graph "
            "or solution has only names of positions"
        )
    vertices = dict(zip(map(str, game.graph(texts=True).labels), game.graph().labels, strict=True))
    if all(game.picture(vertex) is None for vertex in vertices.values()):
        raise ParameterError(
            "pictures=True draws positions as their rules do, but the rules of this game draw no pictures"
        )

    def picture(text: Hashable) -> Picture | None:
        if (whole := str(text)) in vertices:
            return game.picture(vertices[whole])
        parts = whole.split(" + ")
        return game.sum_picture([vertices[part] for part in parts]) if vertices.keys() >= set(parts) else None

    return picture
