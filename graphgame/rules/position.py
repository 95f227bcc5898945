"""Positions: a position of any ruleset, or a sum of positions, and the questions that can be asked about it."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from functools import cached_property, reduce
from itertools import chain, islice
from operator import xor
from typing import TYPE_CHECKING, Any, Literal, cast

from graphgame.compiled.engine import PRODUCT_LIMIT, Progress
from graphgame.errors import LimitError, Message, ParameterError, checks_parameters
from graphgame.graph import Displayed
from graphgame.registry import registered
from graphgame.rules import MAX_POSITIONS
from graphgame.rules.nim import misere_nim_winning_moves
from graphgame.rules.pictures import Picture, beside
from graphgame.rules.rule_errors import rule_errors
from graphgame.rules.ruleset import MAX_TRIED, Component, bare, parts_of, renamed, split_component, sum_text, vertex_of
from graphgame.rules.strategies import Table, Theorem, first_moves, vertices
from graphgame.solution.results import Decisive, Move, outcome_of, refuse_misere_end, refuse_misere_sum, sums_of_others

if TYPE_CHECKING:
    from graphgame.graph.gamegraph import GameGraph, GameLike
    from graphgame.rules.component_graphs import OpenGraph
    from graphgame.solution.solve import Solution

__all__ = ["Component", "Position", "vertex_of"]

_SMALL_POSITIONS = 50_000
_SMALL_MOVES = 2_000_000


@checks_parameters
class Position(Displayed):
    """A position of a game, or a sum of positions of any games.

    Parameters
    ----------
    components : iterable of Component
    max_positions : int
        The limit on the positions of the explicit graph; with components of several games, for each game.
    max_moves : int, optional
        The limit on the moves of this graph; by default that of :func:`explore`.
    progress : callable, optional
        Called as ``progress(positions, moves)`` from time to time while a graph is explored.
    misere : bool
        Whether a player who cannot move wins.

    Raises
    ------
    ParameterError
        Under misère play, if the rules of a component define ``decided``.
    TypeError
        ``components`` is a text.

    Examples
    --------
    >>> from graphgame.rules.notation import parse_position
    >>> mixture = parse_position("take{1,2,3}(10) + take{odd}(7)") + parse_position("nim(5)")
    >>> mixture.winner, mixture.nim_sum, mixture.grundy, mixture.outcome
    ('first', 6, 6, 'N')
    >>> mixture.winning_moves()
    [Move(component=2, start=nim(5), end=nim(3))]
    >>> mixture.under(misere=True).winner
    'first'
    """

    def __init__(
        self,
        components: Iterable[Component],
        max_positions: int = MAX_POSITIONS,
        max_moves: int | None = None,
        progress: Progress | None = None,
        misere: bool = False,
    ) -> None:
        if isinstance(components, str):
            raise TypeError(
                Message("a Position is made of components, not of a text: use Position.of({components!r})", components)
            )
        self.components = tuple(part for component in components for part in split_component(component))
        self.max_positions = max_positions
        self.max_moves = max_moves
        self.progress = progress
        self.misere = misere
        if misere:
            refuse_misere_end(misere, self.decides)

    @classmethod
    def of(cls, game: GameLike, *, run_rules: bool = False) -> Position:
        """Return a position as it is, the position that a text names, or the sum of the tokens on a graph.

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
        >>> from graphgame import GameGraph
        >>> Position.of("nim(3,4)").nim_sum, Position.of(GameGraph([("a", "b")], tokens=["a"])).winner
        (7, 'first')
        """
        if isinstance(game, cls):
            return game
        position: Position = registered("position of a game")(game, run_rules=run_rules)
        return position

    def __add__(self, other: object) -> Position:
        if isinstance(other, str):
            other = self.of(other).under(self.misere)
        if not isinstance(other, Position):
            raise TypeError(
                Message("only a position can be added to a position, not {other!r}: a nim-heap of 5 is '*5'", other)
            )
        if self.misere != other.misere:
            normal, misere = (other, self) if self.misere else (self, other)
            raise ParameterError(
                "{normal} is under normal play, {misere} under misère play: only positions under the same play "
                "convention can be added",
                sum_text(normal.components),
                sum_text(misere.components),
            )
        components = (*self.components, *renamed(other.components, self.components))
        return Position(components, max(self.max_positions, other.max_positions), misere=self.misere)

    def __radd__(self, other: object) -> Position:
        if isinstance(other, str):
            return self.of(other).under(self.misere) + self
        return self if other == 0 else self + other  # sum() begins with 0

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and (self.components, self.misere) == (other.components, other.misere)

    def __hash__(self) -> int:
        return hash(self.components)

    def __str__(self) -> str:
        return sum_text(self.components)

    def __repr__(self) -> str:
        return f"{self}, misere play" if self.misere else str(self)

    @checks_parameters
    def under(self, misere: bool) -> Position:
        """Return the same position under normal or misère play.

        Raise a ParameterError for misère play if the rules of a component define ``decided``.

        Examples
        --------
        >>> from graphgame.rules.notation import parse_position
        >>> position = parse_position("nim(1,1)")
        >>> position.winner, position.under(misere=True).winner
        ('second', 'first')
        """
        if misere == self.misere:
            return self
        return self._with(self.components, misere=misere)

    def _with(self, components: Iterable[Component], **changes: Any) -> Position:  # noqa: ANN401
        """Return a sum of components with the limits and the play convention of this one, except for ``changes``."""
        own = {name: getattr(self, name) for name in ("max_positions", "max_moves", "progress", "misere")}
        return Position(components, **(own | changes))

    def sum_of(self, components: Iterable[Component]) -> Position:
        """Return a sum of components of this position's games, with the same limits, play convention and :meth:`text`.

        Examples
        --------
        >>> from graphgame.rules.notation import parse_position
        >>> position = parse_position("nim(5) + kayles(4)", misere=True)
        >>> position.sum_of([position.components[0]] * 3)
        nim(5) + nim(5) + nim(5), misere play
        """
        chosen = self._with(components)
        chosen.__dict__["_several"] = self._several
        return chosen

    @property
    def grundy(self) -> int:
        """The value under normal play, :attr:`nim_sum`; under misère play, the misère value.

        It comes from theorems or tables if they have it, otherwise from the explicit graph.

        Raises
        ------
        LimitError, CycleError
            The explicit graph is needed, and it is too large or has a cycle.
        """
        if not self.misere:
            return self.nim_sum
        if self.table.answers:
            return cast("int", self.table.value(self.components[0]))
        whole = self._solved(self.product())
        return whole.grundy.take(whole.components)[0]

    @property
    def nim_sum(self) -> int:
        """The xor of the components' values, which is the Grundy value; decisive if a component's value is decisive.

        Raises
        ------
        LimitError
            The explicit graph is needed and too large.
        TokenError
            Under misère play, where values do not combine by xor.
        CycleError
            The explicit graph is needed and has a cycle.
        """
        refuse_misere_sum(self.misere)
        decisive = [value for value in self.theorem.values if isinstance(value, Decisive)]
        return reduce(xor, decisive or self.values, 0)

    @property
    def outcome(self) -> Literal["P", "N"]:
        """Who wins: the previous player ("P") or the next ("N").

        Raises
        ------
        LimitError, CycleError
            The explicit graph is needed, and it is too large or has a cycle.
        """
        if (outcome := self.theorem.outcome) is not None:
            return outcome
        if not self.misere or self.table.answers:
            return "P" if outcome_of(self.grundy) == "P" else "N"
        return "N" if self._solution.winner == "first" else "P"

    @property
    def decided(self) -> Literal["P", "N"] | None:
        """Who has won if a component has ended play: the previous player ("P") or the next ("N"); otherwise None.

        Examples
        --------
        >>> from graphgame.rules.notation import parse_position
        >>> position = parse_position("cutting(2x1) + nim(3)")
        >>> position.decided, position.after(position.winning_moves()[0]).decided
        (None, 'P')
        """
        decisions = {part.ruleset.decided(part.position) for part in self.components if part.ruleset.decides}
        return "P" if "P" in decisions else "N" if "N" in decisions else None

    @property
    def winner(self) -> Literal["first", "second"]:
        """Who wins with best play: "first", the player to move, or "second"; raises the errors of :attr:`outcome`."""
        return "first" if self.outcome == "N" else "second"

    @cached_property
    def theorem(self) -> Theorem:
        """What theorems of the rules give without a search: the outcome, values of components, and winning moves."""
        return Theorem(self)

    @cached_property
    def table(self) -> Table:
        """The values of components that :meth:`Ruleset.value_array` gives without a graph."""
        return Table(self)

    @cached_property
    def open_graph(self) -> OpenGraph:
        """The values of the components for which closed forms do not suffice, from a graph solved at the first use."""
        from graphgame.rules.component_graphs import OpenGraph

        return OpenGraph(self)

    @property
    def needs_no_graph(self) -> bool:
        """Whether theorems or tables give the outcome or the value of some component: the whole graph is not needed."""
        return self.theorem.answers or self.table.answers

    @property
    def loopy(self) -> bool:
        """Whether the rules of some component are loopy: play need not end."""
        return any(component.ruleset.loopy for component in self.components)

    @property
    def decides(self) -> bool:
        """Whether the rules of some component define decided positions: a move may end play at once."""
        return any(component.ruleset.decides for component in self.components)

    def bounded(self) -> Position:
        """Return the position with the limits of :meth:`small` if :attr:`needs_no_graph`; otherwise this position."""
        return self.small() if self.needs_no_graph else self

    def small(self) -> Position:
        """Return the position with a limit of at most 50,000 positions and 2 million moves on its graph."""
        positions, moves = min(_SMALL_POSITIONS, self.max_positions), min(_SMALL_MOVES, self.max_moves or _SMALL_MOVES)
        return self._with(self.components, max_positions=positions, max_moves=moves)

    @cached_property
    def values(self) -> tuple[Any, ...]:
        """The value of each component under normal play: a Grundy value, or a :class:`Decisive` one."""
        normal = self.under(misere=False)
        pairs = zip(self.components, normal.theorem.values, strict=True)
        later = normal.table, normal.open_graph
        return tuple(
            next(v for strategy in later if (v := strategy.value(part)) is not None) if value is None else value
            for part, value in pairs
        )

    def winning_moves(self) -> list[Move]:
        """Return the winning moves: in each component, one to each canonical position. Starts and ends are components.

        Raises
        ------
        LimitError
            There are more than 2 million winning moves or too many options to try, or the graph is too large.
        CycleError
            The graph is needed and has a cycle.
        """
        moves = list(islice(self.iter_winning_moves(), MAX_TRIED + 1))
        if len(moves) > MAX_TRIED:
            raise LimitError("{position} has too many winning moves to list: more than {most}", self, MAX_TRIED)
        return moves

    def first_winning_moves(self, most: int) -> tuple[list[Move], bool]:
        """Return a list of at most ``most`` winning moves, and whether these are certainly all winning moves.

        If the search raises a LimitError, the list ends there, and the second result is False. Otherwise the list is
        complete if it has fewer than ``most`` moves.
        """
        return first_moves(self.iter_winning_moves(), most)

    def iter_winning_moves(self) -> Iterator[Move]:
        """Yield the winning moves one by one, as some positions have more than fit in memory."""
        if self.misere and not self.table.answers:
            yield from self._misere_moves()
        elif self.outcome == "N" and not self.decided:
            # A move wins if its end is sunny: that ends play, even if the value of another component is unknown.
            by_theorem = [index for index, value in enumerate(self.theorem.values) if isinstance(value, Decisive)]
            yield from chain.from_iterable(self._moves_to(index, Decisive.SUNNY) for index in by_theorem)
            # A move also wins if its end has the nim-sum of the other components as its value.
            values = self.values if not self.misere else (self.grundy,)
            for index, others in enumerate(sums_of_others(values)):
                sunny = isinstance(values[index], Decisive) and index not in by_theorem
                for wanted in [others] * isinstance(others, int) + [Decisive.SUNNY] * sunny:
                    yield from self._moves_to(index, wanted)

    def _moves_to(self, index: int, value: Any) -> Iterator[Move]:  # noqa: ANN401
        """Yield a move in component ``index`` to each vertex of this value, first the moves that theorems give."""
        component, strategies = self.components[index], (self.theorem, self.table, self.open_graph)
        last = next(each for each in strategies if each.has_values(component))
        by_theorem = last is self.open_graph and self.theorem.value(component) is not None
        ends = (each.options_of_value(component, value) for each in [self.theorem] * by_theorem + [last])
        with rule_errors(component.name, Message("the winning options"), component.position):
            for end in vertices(component.ruleset, chain.from_iterable(ends)):
                yield Move(index, component, component._replace(position=end))

    def _misere_moves(self) -> Iterable[Move]:
        if (heaps := self.theorem.heaps) is not None:
            return map(self._with_components, misere_nim_winning_moves(heaps))
        try:
            return map(self._with_components, self.bounded()._solution.winning_moves())
        except LimitError:
            if self.theorem.outcome is None:
                raise
            return self.theorem.moves()

    def after(self, move: Move) -> Position:
        """Return the position after a move whose end is a component, such as a move of :meth:`winning_moves`.

        Examples
        --------
        >>> from graphgame.rules.notation import parse_position
        >>> position = parse_position("kayles(4) + nim(3)")
        >>> position.after(position.winning_moves()[0])
        kayles(3) + nim(3)
        """
        components: list[Any] = list(self.components)
        components[move.component] = move.end
        following = self._with(components)
        following.table = Table(following, self.table.tables)
        following.open_graph = type(self.open_graph)(following, self.open_graph.computed_solution)
        return following

    def best_move(self) -> Move | None:
        """Return the move that wins fastest or, if no move wins, loses as late as possible; None if there is no move.

        Raises
        ------
        LimitError, CycleError
            The explicit graph, which this always needs, is too large or has a cycle.
        """
        move = self._solution.best_move()
        return None if move is None else self._with_components(move)

    @checks_parameters
    def graph(self, progress: Progress | None = None, *, texts: bool = False) -> GameGraph:
        """Return the explicit graph of all positions that the components can reach, with a token for each component.

        The vertices are positions of the ruleset or, for several games, :class:`Component`; with ``texts``, texts (see
        :meth:`text`), except integers written as digits. A graph on which a component is a token is included whole.

        Raises
        ------
        LimitError
            The graph is too large.
        RulesetError
            The rules fail, or two positions have the same text.
        """
        from graphgame.rules.component_graphs import explored, with_texts

        graph = explored(self.components, self.max_positions, self.max_moves, progress or self.progress)
        if not (texts and self.components):
            return graph
        ruleset = self.components[0].ruleset
        with rule_errors(type(ruleset).__name__, Message("the text of a position")):
            return with_texts(graph, str if self._several else ruleset.format)

    @checks_parameters
    def product(
        self, progress: Progress | None = None, *, texts: bool = False, limit: int = PRODUCT_LIMIT
    ) -> GameGraph:
        """Return the explicit graph of the sum, in which a vertex is a whole sum and a move changes one component.

        A vertex is a tuple of vertices of :meth:`graph`, without components that have no move; a decided component
        stands alone. With ``texts`` it is a text, such as ``1 + 2``. The only token is this position's vertex.

        Raises
        ------
        LimitError
            Over ``limit`` positions, ``20 * limit`` moves or ``100 * limit`` components; or :meth:`graph` is too large.

        Examples
        --------
        >>> from graphgame.rules.notation import parse_position
        >>> graph = parse_position("nim(1,2)").product(texts=True)
        >>> graph.tokens, sorted(graph.successors("1 + 2"))
        (('1 + 2',), ['1', '1 + 1', '2'])
        """
        from graphgame.rules.component_graphs import with_texts
        from graphgame.solution.sums import product

        graph = product(self.graph(progress, texts=texts), limit=limit)
        return with_texts(graph, sum_text) if texts else graph

    def text(self, component: Component) -> str:
        """Return the text of a component's position; its notation if this position has components of several games."""
        if self._several:
            return str(component)
        return sum_text(component.ruleset.format(part.position) for part in split_component(component))

    def picture(self, vertex: Hashable) -> Picture | None:
        """Return the picture of a vertex of :meth:`graph`; None if it has none.

        Examples
        --------
        >>> from graphgame.rules.notation import parse_position
        >>> parse_position("nim(2)").picture(2).rows
        ((Cell(kind='piece', text=''), Cell(kind='piece', text='')),)
        """
        return self.sum_picture(parts_of(vertex))

    def sum_picture(self, parts: Sequence[Hashable]) -> Picture | None:
        """Return one picture of several vertices, none of them a sum; None as for :meth:`Ruleset.sum_picture`."""
        components = [
            part if isinstance(part, Component) else self.components[0]._replace(position=part) for part in parts
        ]
        first = components[0].ruleset if components else None
        with rule_errors(type(first).__name__, Message("the picture of a position")):
            if len(components) > 1 and not self._several:
                return components[0].ruleset.sum_picture([part.position for part in components])
            return beside([part.ruleset.picture(part.position) for part in components])

    @cached_property
    def _several(self) -> bool:
        """Whether the components are of several games."""
        return len({component.game for component in self.components}) > 1

    @checks_parameters
    def quick_solution(
        self,
        solved: Callable[[GameGraph], Solution] | None = None,
        progress: Progress | None = None,
        *,
        texts: bool = True,
    ) -> Solution | None:
        """Return the solution of the explicit graph; None if the graph is costly and not needed.

        The graph is needed if theorems and tables have no answers. It is costly if the rules are loopy, if it exceeds a
        limit of :meth:`small`, or if ``solved`` raises a LimitError. See also :meth:`is_answered_by`.

        Parameters
        ----------
        solved : callable, optional
            A function that solves the graph, by default :func:`graphgame.solve` under this position's convention.
        progress : callable, optional
            Called as ``progress(positions, moves)`` from time to time while the graph is explored.
        texts : bool
            As for :meth:`graph`.

        Raises
        ------
        LimitError
            The graph is needed and too large.
        CycleError
            The graph has a cycle, and ``solved`` does not accept cycles.

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
            return (solved or self._solved)(graph)
        except LimitError:
            if not self.needs_no_graph:
                raise
            return None

    def is_answered_by(self, solution: Solution) -> bool:
        """Return whether a solution of this position's graph says who wins.

        It does, except for a sum under misère play whose :meth:`product` is too large.

        Raises
        ------
        LimitError
            The product is too large, and neither theorems nor tables have answers.

        Examples
        --------
        >>> from graphgame.rules.notation import parse_position
        >>> position = parse_position("nim(55,81,121)", misere=True)
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
        return self._solved(self.graph())

    def _solved(self, graph: GameGraph) -> Solution:
        """Solve a graph under the play convention of the position."""
        from graphgame.solution.solve import solution_of

        return solution_of(graph, misere=self.misere)

    def _with_components(self, move: Move) -> Move:
        """Return a move of the explicit graph with components as its start and end."""
        start = self.components[move.component]
        return Move(move.component, start, start._replace(position=bare(move.end)))
