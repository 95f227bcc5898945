"""Positions as values: a position of any ruleset, and sums of them with ``+``."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from functools import cached_property, reduce
from itertools import islice
from math import prod
from operator import gt, xor
from types import NoneType
from typing import TYPE_CHECKING, Any, Literal

from graphgame.compiled.engine import PRODUCT_LIMIT, Progress
from graphgame.errors import LimitError, Message, ParameterError
from graphgame.graph.gamegraph import Displayed, GameGraph, GameLike
from graphgame.registry import registered
from graphgame.rules import MAX_POSITIONS
from graphgame.rules.component import Component, bare, explored, split_component, sum_text, vertex_of, with_texts
from graphgame.rules.faults import blamed, returned
from graphgame.rules.limits import parts_of
from graphgame.rules.nim import misere_nim_outcome, misere_nim_winning_moves
from graphgame.rules.pictures import Picture, beside
from graphgame.rules.ruleset import MAX_TRIED, Sum, sum_of, tells, told_value
from graphgame.solution.results import (
    Decisive,
    Move,
    Play,
    Value,
    ValueCodes,
    checked_play,
    outcome_of,
    refuse_misere_end,
    refuse_misere_sum,
)
from graphgame.solution.solve import Solution, solution_of
from graphgame.solution.sums import product

if TYPE_CHECKING:
    import numpy as np

__all__ = ["Component", "Position", "vertex_of"]

SMALL_POSITIONS = 50_000
SMALL_MOVES = 2_000_000
_MOST_TRIED = 200_000

_TABLE_FROM, _TABLE_TO = 10_000, 20_000_000
"""Positions up to one from which, and to which, a table without a graph tells the value of a position."""

_CODES = ValueCodes(Decisive)


class Position(Displayed):
    """A position of a game, or a sum of positions of any games.

    Parameters
    ----------
    components : iterable of Component
    max_positions : int
        Most positions of the explicit graph.
    max_moves : int, optional
        Most moves; by default as many as :func:`explore` allows.
    progress : callable, optional
        Called as ``progress(positions, moves)`` now and then while a graph is explored.
    play : {"normal", "misere"}
        Whether a player who cannot move loses or wins.

    Examples
    --------
    >>> from graphgame.rules.notation import parse_position
    >>> mixture = parse_position("take{1,2,3}(10) + take{odd}(7)") + parse_position("nim(5)")
    >>> mixture.winner, mixture.nim_sum, mixture.grundy, mixture.outcome
    ('first', 6, 6, 'N')
    >>> mixture.winning_moves()
    [Move(component=2, start=nim(5), end=nim(3))]
    >>> mixture.under("misere").winner
    'first'
    """

    def __init__(
        self,
        components: Iterable[Component],
        max_positions: int = MAX_POSITIONS,
        max_moves: int | None = None,
        progress: Progress | None = None,
        play: Play = "normal",
    ) -> None:
        if isinstance(components, str):
            raise TypeError(
                Message("a Position is made of components: Position.of({components!r}) reads a text", components)
            )
        self.components = tuple(part for component in components for part in split_component(component))
        self.max_positions = max_positions
        self.max_moves = max_moves
        self.progress = progress
        self.play = checked_play(play)
        if play == "misere":
            refuse_misere_end(play, any(component.ruleset.decides for component in self.components))

    @classmethod
    def of(cls, game: GameLike, *, run_rules: bool = False) -> Position:
        """Return a position itself; that of a text; or the sum of the tokens on a graph.

        Parameters
        ----------
        game : GameLike
            See :class:`GameGraph`.
        run_rules : bool
            Whether to run the Python file that a text names: see :func:`parse_position`.

        Raises
        ------
        TokenError
            A graph has no tokens.
        RulesetError, NotAGameError, UndirectedGraphError, ParseError, LimitError, OSError
            As for :class:`GameGraph`.

        Examples
        --------
        >>> Position.of("nim(3,4)").nim_sum, Position.of(GameGraph([("a", "b")], tokens=["a"])).winner
        (7, 'first')
        """
        if isinstance(game, cls):
            return game
        position: Position = registered("position of a game")(game, run_rules=run_rules)
        return position

    def __add__(self, other: object) -> Position:
        if isinstance(other, str):
            other = self.of(other).under(self.play)
        if not isinstance(other, Position):
            raise TypeError(
                Message("only a position adds to a position, not {other!r}: a nim-heap of 5 is '*5'", other)
            )
        if self.play != other.play:
            raise ParameterError(
                "{position} is under {play} play, {other} under {other_play} play: they have no sum",
                self,
                self.play,
                other,
                other.play,
            )
        limit = max(self.max_positions, other.max_positions)
        return Position(self.components + other.components, limit, play=self.play)

    def __radd__(self, other: object) -> Position:
        if isinstance(other, str):
            return self.of(other).under(self.play) + self
        return self if other == 0 else self + other  # sum() begins with 0

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and (self.components, self.play) == (other.components, other.play)

    def __hash__(self) -> int:
        return hash(self.components)

    def __str__(self) -> str:
        return sum_text(self.components)

    def __repr__(self) -> str:
        return str(self) if self.play == "normal" else f"{self}, {self.play} play"

    def under(self, play: Play) -> Position:
        """Return the same position under normal or misère play.

        Examples
        --------
        >>> from graphgame.rules.notation import parse_position
        >>> position = parse_position("nim(1,1)")
        >>> position.winner, position.under("misere").winner
        ('second', 'first')
        """
        if play == self.play:
            return self
        return Position(self.components, self.max_positions, self.max_moves, self.progress, play)

    def sum_of(self, components: Iterable[Component]) -> Position:
        """Return a sum of other components of these games, with the same limits, play and texts.

        Examples
        --------
        >>> from graphgame.rules.notation import parse_position
        >>> position = parse_position("nim(5) + kayles(4)", play="misere")
        >>> position.sum_of([position.components[0]] * 3)
        nim(5) + nim(5) + nim(5), misere play
        """
        chosen = Position(components, self.max_positions, self.max_moves, self.progress, self.play)
        chosen.__dict__["_several"] = self._several
        return chosen

    @property
    def grundy(self) -> Any:  # noqa: ANN401
        """The Grundy value: by closed forms where there are, else from the explicit graph; under misère play its own.

        Raises
        ------
        LimitError
            The explicit graph is too large.
        """
        if self.play == "normal":
            return self.nim_sum
        if self.has_table:
            return self._value(self.components[0])
        whole = solution_of(self.product(), play=self.play)
        return whole.grundy.take(whole.components)[0]

    @property
    def nim_sum(self) -> Any:  # noqa: ANN401
        """The xor of the components' values, which is the Grundy value; a :class:`Decisive` value absorbs the others.

        Raises
        ------
        LimitError
            The explicit graph is too large.
        TokenError
            Under misère play, where values do not combine by xor.
        """
        refuse_misere_sum(self.play)
        return reduce(xor, self.values, 0)

    @property
    def outcome(self) -> Literal["P", "N"]:
        """Who wins: the previous player ("P") or the next ("N").

        Raises
        ------
        LimitError
            No theorem tells it, and the explicit graph is too large.
        """
        if (told := self.outcome_by_theorem) is not None:
            return told
        if self.play == "normal" or self.has_table:
            return "P" if outcome_of(self.grundy) == "P" else "N"
        return "N" if self._solution.winner == "first" else "P"

    @property
    def decided(self) -> Literal["P", "N"] | None:
        """Who has won where a component ends play at once: the previous player ("P") or the next ("N"), else None.

        Examples
        --------
        >>> from graphgame.rules.notation import parse_position
        >>> position = parse_position("cutting(2x1) + nim(3)")
        >>> position.decided, position.after(position.winning_moves()[0]).decided
        (None, 'P')
        """
        found = {part.ruleset.decided(part.position) for part in self.components if part.ruleset.decides}
        return "P" if "P" in found else "N" if "N" in found else None

    @property
    def winner(self) -> Literal["first", "second"]:
        """Who wins with best play; raises what :attr:`outcome` does."""
        return "first" if self.outcome == "N" else "second"

    @property
    def needs_no_graph(self) -> bool:
        """Whether theorems or tables answer, so that a large graph is not worth the wait."""
        return self.has_theorem or self.has_table

    @property
    def loopy(self) -> bool:
        """Whether the rules of a component say that play need not end."""
        return any(component.ruleset.loopy for component in self.components)

    def bounded(self) -> Position:
        """Return the same position, with limits that are soon met where theorems or tables answer."""
        return self.small() if self.needs_no_graph else self

    def small(self) -> Position:
        """Return the same position with limits that are soon met: for answers that need not have the values."""
        most, moves = min(SMALL_POSITIONS, self.max_positions), min(SMALL_MOVES, self.max_moves or SMALL_MOVES)
        return Position(self.components, most, moves, self.progress, self.play)

    @cached_property
    def values(self) -> tuple[Any, ...]:
        """The value of each component: a Grundy value, or a :class:`Decisive` one."""
        pairs = zip(self.components, self.values_by_theorem, strict=True)
        return tuple(self._value(part) if told is None else told for part, told in pairs)

    def winning_moves(self) -> list[Move]:
        """Return every winning move; start and end are components, shown in their own notation.

        Raises
        ------
        LimitError
            There are more than :data:`MAX_TRIED`, or more moves than that to try, or the graph is too large.
        """
        moves = list(islice(self.iter_winning_moves(), MAX_TRIED + 1))
        if len(moves) > MAX_TRIED:
            raise LimitError("{position} has too many winning moves to list: more than {most}", self, MAX_TRIED)
        return moves

    def first_winning_moves(self, most: int) -> tuple[list[Move], bool]:
        """Return winning moves, and whether they are all; fewer than the most where a limit is met before."""
        moves: list[Move] = []
        try:
            moves.extend(islice(self.iter_winning_moves(), most))
        except LimitError:
            return moves, False
        return moves, len(moves) < most

    def iter_winning_moves(self) -> Iterator[Move]:
        """Yield the winning moves one by one, as some positions have more than fit in memory."""
        if self.play == "misere" and not self.has_table:
            heaps = self.nim_heaps
            moves = self._misere_moves() if heaps is None else misere_nim_winning_moves(heaps)
            yield from map(self._shown, moves)
        elif self.outcome == "N" and not self.decided:
            values = self.values if self.play == "normal" else (self.grundy,)
            for place, (component, value) in enumerate(zip(self.components, values, strict=True)):
                rest = reduce(xor, (*values[:place], *values[place + 1 :]), 0)
                for wanted in [rest] * isinstance(rest, int) + [Decisive.SUNNY] * isinstance(value, Decisive):
                    for end in self._ends(component, wanted):
                        yield Move(place, component, component._replace(position=end))

    def _misere_moves(self) -> Iterable[Move]:
        try:
            return self.bounded()._solution.winning_moves()
        except LimitError:
            if self.outcome_by_theorem is None:
                raise
            return self.misere_moves_by_theorem()

    def after(self, move: Move) -> Position:
        """Return the sum after a move whose start and end are components.

        Examples
        --------
        >>> from graphgame.rules.notation import parse_position
        >>> position = parse_position("kayles(4) + nim(3)")
        >>> position.after(position.winning_moves()[0])
        kayles(3) + nim(3)
        """
        before, rest = self.components[: move.component], self.components[move.component + 1 :]
        components: Iterable[Any] = (*before, move.end, *rest)
        following = Position(components, self.max_positions, self.max_moves, self.progress, self.play)
        if "open_solution" in self.__dict__ and following._is_open_in(self.open_solution.graph):
            following.__dict__["open_solution"] = self.open_solution
        following.__dict__["_tables"] = self._tables
        return following

    def best_move(self) -> Move | None:
        """Return the move that wins fastest, or loses as late as possible; from the explicit graph.

        Raises
        ------
        LimitError
            The explicit graph is too large; winning moves may be known by theorem.
        """
        move = self._solution.best_move()
        return None if move is None else self._shown(move)

    def graph(self, progress: Progress | None = None, *, texts: bool = False) -> GameGraph:
        """Return the explicit graph of the components' positions, with one token for each component.

        With one ruleset its vertices are that ruleset's positions, with several they are :class:`Component`; with
        ``texts`` they are the texts that :meth:`text` gives.

        Raises
        ------
        LimitError
            It is too large.
        RulesetError
            Two positions have the same text.
        """
        graph = explored(self.components, self.max_positions, self.max_moves, progress or self.progress)
        if not (texts and self.components):
            return graph
        ruleset = self.components[0].ruleset
        with blamed(type(ruleset).__name__, Message("the text of a position")):
            return with_texts(graph, str if self._several else ruleset.format)

    def product(
        self, progress: Progress | None = None, *, texts: bool = False, limit: int = PRODUCT_LIMIT
    ) -> GameGraph:
        """Return the explicit graph of the whole sum: its vertices are sums, and a move is made in one part.

        A vertex is the tuple of the positions of :meth:`graph` that still have a move; the token is the sum itself.

        Raises
        ------
        LimitError
            It has more positions than the limit.

        Examples
        --------
        >>> from graphgame.rules.notation import parse_position
        >>> graph = parse_position("nim(1,2)").product(texts=True)
        >>> graph.tokens, sorted(graph.successors("1 + 2"))
        (('1 + 2',), ['1', '1 + 1', '2'])
        """
        graph = product(self.graph(progress, texts=texts), limit=limit)
        return with_texts(graph, sum_text) if texts else graph

    def text(self, component: Component) -> str:
        """Return the text of a component: its ruleset's own text, or the notation where there are several rulesets."""
        if self._several:
            return str(component)
        return sum_text(component.ruleset.format(part.position) for part in split_component(component))

    def picture(self, vertex: Hashable) -> Picture | None:
        """Return what a vertex of :meth:`graph` looks like on the table; None where its rules draw nothing.

        Examples
        --------
        >>> from graphgame.rules.notation import parse_position
        >>> parse_position("nim(2)").picture(2).rows
        ((Cell(kind='piece', text=''), Cell(kind='piece', text='')),)
        """
        parts = vertex if isinstance(vertex, Sum) else (vertex,)
        return self.sum_picture(parts)

    def sum_picture(self, parts: Sequence[Hashable]) -> Picture | None:
        """Return what several vertices of :meth:`graph` look like together."""
        placed = [part if isinstance(part, Component) else self.components[0]._replace(position=part) for part in parts]
        first = placed[0].ruleset if placed else None
        with blamed(type(first).__name__, Message("the picture of a position")):
            if len(placed) > 1 and not self._several:
                return placed[0].ruleset.sum_picture([part.position for part in placed])
            return beside([part.ruleset.picture(part.position) for part in placed])

    @cached_property
    def _several(self) -> bool:
        return len({component.game for component in self.components}) > 1

    def quick_solution(
        self,
        solved: Callable[[GameGraph], Solution] | None = None,
        progress: Progress | None = None,
        *,
        texts: bool = True,
    ) -> Solution | None:
        """Return the solution of the explicit graph; None where theorems or tables answer and it is too large or loopy.

        Whatever answers about a position uses this solution if there is one and :meth:`is_answered_by` it, otherwise
        the position itself. So all commands answer the same questions.

        Parameters
        ----------
        solved : callable, optional
            Solves the graph; :func:`graphgame.solve` under the position's play by default.
        progress : callable, optional
            Called as ``progress(positions, moves)`` now and then while the graph is explored.
        texts : bool
            Whether the vertices are texts.

        Raises
        ------
        LimitError
            Neither theorems nor tables answer, and the graph is too large.

        Examples
        --------
        >>> from graphgame.rules.notation import parse_position
        >>> parse_position("nim(3,4,5)").quick_solution().winner, parse_position("nim(1000000000,5)").quick_solution()
        ('first', None)
        """
        if self.loopy and self.needs_no_graph:
            return None
        try:
            graph = self.bounded().graph(progress, texts=texts)
            return solution_of(graph, play=self.play) if solved is None else solved(graph)
        except LimitError:
            if not self.needs_no_graph:
                raise
            return None

    def is_answered_by(self, solution: Solution) -> bool:
        """Tell whether the solution of the graph says who wins; under misère play it has to play out the sum.

        Raises
        ------
        LimitError
            The sum is too large, and neither theorems nor tables answer.

        Examples
        --------
        >>> from graphgame.rules.notation import parse_position
        >>> position = parse_position("nim(55,81,121)", play="misere")
        >>> position.is_answered_by(position.quick_solution()), position.winner
        (False, 'first')
        """
        try:
            return bool(solution.winner)
        except LimitError:
            if not self.needs_no_graph:
                raise
            return False

    @cached_property
    def _solution(self) -> Solution:
        return solution_of(self.graph(), play=self.play)

    @cached_property
    def open_solution(self) -> Solution:
        """The solution of the explicit graph of those components whose values no closed form gives."""
        unknown = [c for c in self.components if told_value(c.ruleset, c.position) is None]
        return solution_of(explored(unknown, self.max_positions, self.max_moves, self.progress))

    def _ends(self, component: Component, value: Value) -> Iterable[Hashable]:
        ruleset, position = component.ruleset, component.position
        if self.play == "normal" and ruleset.closed_form(position) is not None:
            return ruleset.options_of_value(position, value)
        if (table := self._table(component)) is not None:
            ends = (Sum(map(ruleset.canonical, parts_of(end))) for end in ruleset.options(position))

            def total(parts: Sum) -> Value:
                return reduce(xor, map(value_of, parts), 0)

            def value_of(part: Hashable) -> Any:  # noqa: ANN401
                return told_value(ruleset, part) if ruleset.decided(part) else value_in(table, part)

            return (sum_of(end) for end in dict.fromkeys(ends) if total(end) == value)
        options = self.open_solution.options(vertex_of(self.open_solution.graph, component))
        return [bare(option.position) for option in options if option.grundy == value]

    def _value(self, component: Component) -> Value:
        if (told := self.table_value(component)) is not None:
            return told
        return self.open_solution.grundy[vertex_of(self.open_solution.graph, component)]

    def _is_open_in(self, graph: GameGraph) -> bool:
        """Tell whether a graph has all components whose values no closed form gives."""
        return all(
            told is not None or vertex_of(graph, component) in graph.labels
            for component, told in zip(self.components, self.values_by_theorem, strict=True)
        )

    def _shown(self, move: Move) -> Move:
        start = self.components[move.component]
        return Move(move.component, start, start._replace(position=bare(move.end)))

    @property
    def outcome_by_theorem(self) -> Literal["P", "N"] | None:
        """Who wins where theorems tell it without a graph, else None.

        They tell all values, or that one component is N and the nim-sum of all others 0; under misère play they tell
        of Nim.
        """
        if self.play == "misere":
            return self._misere_outcome_by_theorem
        values = self.values_by_theorem
        if None not in values:
            return "P" if outcome_of(reduce(xor, values, 0)) == "P" else "N"
        others = [told for told, value in zip(self._told_outcomes, values, strict=True) if value is None]
        known = reduce(xor, (value for value in values if value is not None), 0)
        if isinstance(known, Decisive):
            return known.outcome
        return "N" if others == ["N"] and not known else None

    @cached_property
    def _misere_outcome_by_theorem(self) -> Literal["P", "N"] | None:
        if self.nim_heaps is not None:
            return misere_nim_outcome(self.nim_heaps)
        if len(self.components) != 1:
            return None
        component = self.components[0]
        with blamed(component.name, Message("the misère outcome"), component.position):
            return component.ruleset.misere_outcome_form(component.position)

    @cached_property
    def values_by_theorem(self) -> tuple[Value | None, ...]:
        """The value of each component, None where no theorem tells it; that of a P-position that goes on is 0."""
        values = []
        for component, outcome in zip(self.components, self._told_outcomes, strict=True):
            rules, position = component.ruleset, component.position
            with blamed(component.name, Message("the closed form"), position, method=rules.closed_form):
                lost = outcome == "P" and not rules.decided(position)
                kinds = (int, NoneType, Decisive) if rules.decides else (int, NoneType)
                values.append(returned(0 if lost else told_value(rules, position), *kinds))
        return tuple(values)

    @cached_property
    def _told_outcomes(self) -> tuple[Literal["P", "N"] | None, ...]:
        outcomes = []
        for component in self.components:
            with blamed(component.name, Message("the outcome"), component.position):
                rules, position = component.ruleset, component.position
                outcomes.append(rules.decided(position) or rules.outcome_form(position))
        return tuple(outcomes)

    @property
    def nim_heaps(self) -> list[int] | None:
        """The sizes of the heaps where all components are heaps of Nim, else None; misère Nim has a closed form."""
        heaps = [part.position for part in self.components if part.ruleset.is_nim]
        return heaps if len(heaps) == len(self.components) else None  # type: ignore[return-value]

    @property
    def has_theorem(self) -> bool:
        """Whether theorems tell who wins or, under normal play, some values: then a large graph is not worth while."""
        known = any(value is not None for value in self.values_by_theorem)
        return self.outcome_by_theorem is not None or (known and self.play == "normal")

    def misere_moves_by_theorem(self) -> Iterator[Move]:
        """Yield the winning moves under misère play of a single component whose theorem tells who wins what is left."""
        if self.outcome_by_theorem == "P":
            return
        (start,) = self.components
        rules, found = start.ruleset, set()
        for likely in (rules.winning_options, rules.options):  # far from the end both plays have the same
            try:
                for tried, end in enumerate(likely(start.position)):
                    if tried == _MOST_TRIED:
                        raise LimitError(
                            "a position has too many options to look at each: more than {most}", _MOST_TRIED
                        )
                    if rules.misere_outcome_form(end) == "P" and (left := rules.canonical(end)) not in found:
                        found.add(left)
                        yield Move(0, start.position, left)
            except LimitError:
                if found or likely == rules.options:
                    raise

    def moves_by_theorem(self, most: int) -> list[Move]:
        """Return winning moves of the one component whose theorem tells who wins, but no value; the nim-sum is else 0.

        Examples
        --------
        >>> from graphgame.rules.notation import parse_position
        >>> parse_position("wythoff(1000000000000,1000000000001)").moves_by_theorem(9)
        [Move(component=0, start=wythoff(1000000000000,1000000000001), end=wythoff(1,2))]
        """
        moves: list[Move] = []
        place = self.values_by_theorem.index(None)
        start = self.components[place]
        try:
            with blamed(start.name, Message("the winning options"), start.position):
                ends = islice(start.ruleset.winning_options(start.position), most)
                moves.extend(Move(place, start, start._replace(position=end)) for end in ends)
        except LimitError:
            pass
        return moves

    @property
    def has_table(self) -> bool:
        """Whether a table, made without the graph, tells a component's value, or under misère play the whole's."""
        return any(self._table(part) is not None for part in self._without_theorem)

    @cached_property
    def _without_theorem(self) -> list[Component]:
        if self.play == "misere":
            return list(self.components) if len(self.components) == 1 else []
        pairs = zip(self.components, self.values_by_theorem, strict=True)
        return [part for part, told in pairs if told is None]

    def table_value(self, component: Component) -> Value | None:
        """Return the value of a component under the position's play by a table, if there is one."""
        table = self._table(component)
        return None if table is None else value_in(table, component.ruleset.canonical(component.position))

    def _table(self, component: Component) -> np.ndarray | None:
        """Return the values of all positions up to a component, if they come without its graph, which is large.

        Components of one game share a table, and so do the positions that come after this one.
        """
        shape = _shape(component)
        key = component.game, len(shape)
        table = self._tables.get(key)
        if not shape or (key in self._tables and table is None):
            return None
        if table is None or any(map(gt, shape, table.shape)):
            alike = (_shape(part) for part in self.components if part.game == component.game)
            joint = tuple(map(max, zip(*(each for each in alike if len(each) == len(shape)), strict=True)))
            table = self._tables[key] = self._made(component, joint if prod(joint) <= _TABLE_TO else shape)
        return table

    def _made(self, component: Component, shape: tuple[int, ...]) -> np.ndarray | None:
        positions = shape[0] ** 2 if len(shape) == 1 else prod(shape)  # a heap may become two
        if positions < _TABLE_FROM or prod(shape) > _TABLE_TO:
            return None
        with blamed(component.name, Message("the table of values"), component.position):
            return component.ruleset.value_array(shape, self.play == "misere")

    @cached_property
    def _tables(self) -> dict[tuple[object, ...], np.ndarray | None]:
        return {}


def value_in(table: np.ndarray, numbers: Any) -> Value:  # noqa: ANN401
    """Return the value that an entry means; a position may leave out empty heaps, behind or before the others.

    >>> import numpy as np
    >>> value_in(np.array([[0, 1, 2], [1, 2, 0]]), (2,)), value_in(np.array([[0, 1], [1, 2], [2, 0]]), (2,))
    (2, 2)
    """
    if table.ndim == 1:
        return int(table[numbers])
    zeros = (0,) * (table.ndim - len(numbers))
    behind = *numbers, *zeros
    inside = all(number < size for number, size in zip(behind, table.shape, strict=True))
    entry = int(table[behind if inside else (*zeros, *numbers)])
    return _CODES.decode([entry])[0] if entry < 0 else entry


def _shape(component: Component) -> tuple[int, ...]:
    if not tells(component.ruleset, "value_array"):
        return ()
    with blamed(component.name, Message("the canonical form"), component.position):
        shape = component.ruleset.table_shape(component.ruleset.canonical(component.position))
    return shape if shape and min(shape) > 0 else ()
