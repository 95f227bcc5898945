"""The kinds of compound: what a move is, and how the theory gives the outcome."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, partial
from itertools import count, islice, product
from typing import Literal, NamedTuple

from graphgame.errors import LimitError, Message, ParameterError, TokenError
from graphgame.graph.gamegraph import GameGraph, GameLike
from graphgame.labs.theory.suspense_numbers import suspense
from graphgame.rules.ruleset import Component
from graphgame.solution.solve import solution_of
from graphgame.solution.sums import product as product_graph

Vertices = tuple[Hashable, ...]
"""A position of a compound: for each component that is left, a vertex of its graph, or its :attr:`Operand.start`."""

Choices = Sequence[Sequence[Hashable]]
"""For each component, the options of its vertex."""


class CompoundKind(NamedTuple):
    """A kind of compound.

    Attributes
    ----------
    name, sign : str
    rule : str
        A sentence: what a move is and, except for the ordinal sum, when the game is over.
    measure : {"remoteness", "suspense", "outcome", "value"}
        What the theorem uses of each component.
    theorem : dict
        The sentence with the theorem, under normal play (key False) and under misère play (key True).
    moves : callable
        ``moves(position, choices)`` returns the options of a position of the compound; ``choices`` has the options of
        each component in this position.
    outcome : callable
        ``outcome(operands, position, misere)`` returns the outcome of a position, "P" or "N". ``operands`` are the
        components, each an :class:`Operand`; ``position`` has the current vertex of each.
    """

    name: str
    sign: str
    rule: str
    measure: str
    theorem: dict[bool, str]
    moves: Callable[[Vertices, Choices], Iterable[Vertices]]
    outcome: Callable[[Sequence[Operand], Vertices, bool], FiniteOutcome]


def _all_that_can_move(position: Vertices, choices: Choices) -> Iterable[Vertices]:
    if not any(choices):
        return ()
    return product(*(options or [vertex] for vertex, options in zip(position, choices, strict=True)))


def _some_move(position: Vertices, choices: Choices) -> Iterable[Vertices]:
    stay_or_move = ([vertex, *options] for vertex, options in zip(position, choices, strict=True))
    return islice(product(*stay_or_move), 1, None)  # skip the first combination, in which all components stay


def _one_moves_and_ends_the_later(position: Vertices, choices: Choices) -> Iterator[Vertices]:
    for index, options in enumerate(choices):
        for option in options:
            yield (*position[:index], option)


def length_of(measure: str, operands: Sequence[Operand], position: Vertices, misere: bool) -> int:
    """Return the length of play in a compound.

    With the measure "remoteness" it is the least remoteness among the components, with "suspense" the greatest
    suspense number.
    """
    best = max if measure == "suspense" else min
    return best(o.length(measure, vertex, misere) for o, vertex in zip(operands, position, strict=True))


def _by_length(measure: str, operands: Sequence[Operand], position: Vertices, misere: bool) -> FiniteOutcome:
    return "P" if length_of(measure, operands, position, misere) % 2 == misere else "N"


def _all_are_p(operands: Sequence[Operand], position: Vertices, misere: bool) -> bool:
    return all(operand.outcome(vertex, misere) == "P" for operand, vertex in zip(operands, position, strict=True))


def _selective(operands: Sequence[Operand], position: Vertices, misere: bool) -> FiniteOutcome:
    if misere:
        movable = [
            (operand, vertex) for operand, vertex in zip(operands, position, strict=True) if operand.has_move(vertex)
        ]
        if not movable:
            return "N"  # the player to move cannot move, and wins
        # If only one component has a move, play goes on in it alone. If two or more have, the winner is that of normal
        # play.
        if len(movable) == 1:
            operand, vertex = movable[0]
            return operand.outcome(vertex, misere=True)
    return "P" if _all_are_p(operands, position, misere=False) else "N"


def _shortened(operands: Sequence[Operand], position: Vertices, misere: bool) -> FiniteOutcome:
    all_are_p = _all_are_p(operands, position, misere)
    # Once a component has no move, the game is over: under normal play the player to move has lost.
    return "P" if all_are_p or not (misere or all(map(Operand.has_move, operands, position))) else "N"


def _ordinal(operands: Sequence[Operand], position: Vertices, misere: bool) -> FiniteOutcome:
    if not misere:
        return "N" if ordinal_value(operands, position) else "P"
    first, rest = operands[0], position[1:]
    outcome = first.outcome(position[0], misere=True)
    if not rest:
        return outcome
    if not first.has_move(position[0]):
        return _ordinal(operands[1:], rest, misere=True)
    # A move in the first component removes all later ones. If the first component is N, some such move wins. If it is
    # P, every such move loses. So whoever has no move left in the later components must make a losing move in the first
    # component: in the later components the last player to move wins, as in normal play.
    return "N" if outcome == "N" else _ordinal(operands[1:], rest, misere=False)


def ordinal_value(operands: Sequence[Operand], position: Vertices) -> int:
    """Return the value of an ordinal sum.

    Let n be the value of all components after a component X, played together. List in order the numbers that no option
    of X has as its value. Entry n of this list, counted from 0, is the value of X and the components after it, played
    together. The loop applies this from the last component to the first.
    """
    value = 0
    for operand, vertex in reversed(list(zip(operands, position, strict=False))):
        option_values = operand.option_values(vertex)
        value = next(islice((number for number in count() if number not in option_values), value, None))
    return value


KINDS: dict[str, CompoundKind] = {
    kind.sign: kind
    for kind in (
        CompoundKind(
            Message("conjunctive"),
            "&",
            Message("a move is made in every component, and the game ends when one component has ended"),
            "remoteness",
            {
                False: Message("it is P if the least remoteness of the components is even, N if it is odd"),
                True: Message("it is P if the least misère remoteness of the components is odd, N if it is even"),
            },
            lambda _, choices: product(*choices),
            partial(_by_length, "remoteness"),
        ),
        CompoundKind(
            Message("continued conjunctive"),
            "&&",
            Message("a move is made in every component that has one, and the game ends when all have ended"),
            "suspense",
            {
                False: Message("it is P if the greatest suspense of the components is even, N if it is odd"),
                True: Message("it is P if the greatest misère suspense of the components is odd, N if it is even"),
            },
            _all_that_can_move,
            partial(_by_length, "suspense"),
        ),
        CompoundKind(
            Message("selective"),
            "|",
            Message("a move is made in one or more components, and the game ends when all have ended"),
            "outcome",
            {
                False: Message("it is P if all components are P, otherwise N"),
                True: Message(
                    "if two or more components have a move, it is P if all components are P under normal play, "
                    "otherwise N; if only one component has a move, it has the misère outcome of this component; if "
                    "no component has a move, it is N"
                ),
            },
            _some_move,
            _selective,
        ),
        CompoundKind(
            Message("shortened selective"),
            "||",
            Message("a move is made in one or more components, and the game ends when one component has ended"),
            "outcome",
            {
                False: Message("it is P if all components are P or one has no move, otherwise N"),
                True: Message("it is P if all components are P under misère play, otherwise N"),
            },
            lambda position, choices: _some_move(position, choices) if all(choices) else (),
            _shortened,
        ),
        CompoundKind(
            Message("ordinal sum"),
            ":",
            Message("a move is made in one component, and removes all components after it"),
            "value",
            {
                False: Message(
                    "start with the value of the last component, and go back one component at a time; if the "
                    "components after X have the value n together, X and these components have the value at index n, "
                    "counted from 0, in the list 0, 1, 2, ... without the values of the options of X"
                ),
                True: Message(
                    "if no component has a move, the sum is N; otherwise let X be the first component with a move: "
                    "if X is N under misère play, the sum is N; if X is P, the sum has the normal-play outcome of "
                    "the components after X"
                ),
            },
            _one_moves_and_ends_the_later,
            _ordinal,
        ),
    )
}
"""Sign of a compound -> its kind."""


FiniteOutcome = Literal["P", "N"]


@dataclass(eq=False, repr=False)
class Operand:
    """A component of a compound, played on a graph of its own. The methods take a vertex of the graph, or ``start``.

    Parameters
    ----------
    start : hashable
        The start position, perhaps not in canonical form. Its vertex in the graph is :attr:`token`.
    load : callable
        ``load()`` returns the graph, whose only token is the start. It is called when the graph is first needed.
    outcome_of_start : callable, optional
        ``outcome_of_start(misere)`` returns the outcome of the start by a theorem, or None if no theorem gives it.
    parts : callable, optional
        ``parts(vertex)`` returns rules with positions whose sum is the vertex. It returns None if the graph does not
        come from rules, or was not loaded yet.
    """

    start: Hashable
    load: Callable[[], GameGraph]
    outcome_of_start: Callable[[bool], FiniteOutcome | None] = lambda misere: None
    parts: Callable[[Hashable], tuple[Component, ...] | None] = lambda vertex: None

    def __post_init__(self) -> None:
        self.solution = cache(lambda misere: solution_of(self.graph, misere=misere))
        self.suspense = cache(lambda misere: suspense(self.solution(misere)))

    @classmethod
    def of_graph(cls, game: GameLike) -> Operand:
        """Return the component whose start is the sum of the graph's tokens; raise TokenError if ``tokens`` is None."""
        graph = GameGraph.of(game)
        if graph.tokens is None:
            raise TokenError("there are no tokens: each graph of a compound needs its start as a token")
        whole = graph if graph.sums is None and len(graph.tokens) == 1 else product_graph(graph)
        return cls((whole.tokens or ())[0], lambda: whole)

    @cached_property
    def graph(self) -> GameGraph:
        """The explicit graph, which is explored only once.

        Each access raises LimitError if the graph is too large, and ParameterError if it has a decided position.
        """
        if isinstance(self._loaded, LimitError):
            raise self._loaded
        if self._loaded.decided is not None:
            raise ParameterError(
                "in one component a move ends play at once, but a compound needs components that are played to their "
                "ends"
            )
        return self._loaded

    @cached_property
    def _loaded(self) -> GameGraph | LimitError:
        try:
            return self.load()
        except LimitError as error:
            return error

    @property
    def token(self) -> Hashable:
        """The label of the start in the graph."""
        return (self.graph.tokens or ())[0]

    def options(self, vertex: Hashable) -> list[Hashable]:
        """Return the options of a vertex, as vertices of the graph."""
        return self.graph.labels.take(self.graph.option_rows.row(self.graph.number_of(self._named(vertex))))

    def outcome(self, vertex: Hashable, misere: bool) -> FiniteOutcome:
        """Return the outcome of a vertex, "P" or "N"."""
        outcome = self.outcome_of_start(misere) if vertex == self.start else None
        return outcome or self.solution(misere).outcome[self._named(vertex)]  # type: ignore[return-value]

    def grundy(self, vertex: Hashable) -> int:
        """Return the value of a vertex under normal play."""
        return self.solution(misere=False).grundy[self._named(vertex)]

    def option_values(self, vertex: Hashable) -> set[int]:
        """Return the values of the options of a vertex under normal play."""
        return {option.grundy for option in self.solution(misere=False).options(self._named(vertex))}

    def length(self, measure: str, vertex: Hashable, misere: bool) -> int:
        """Return the remoteness of a vertex, or its suspense number if ``measure`` is "suspense"."""
        lengths = self.suspense(misere) if measure == "suspense" else self.solution(misere).remoteness
        return lengths[self._named(vertex)]

    def has_move(self, vertex: Hashable) -> bool:
        """Return True if a vertex has an option."""
        # Ask for the outcome first: an N-position has an option, and a theorem may give the outcome of the start
        # without the graph, which may be too large.
        return self.outcome(vertex, misere=False) == "N" or bool(self.options(vertex))

    def _named(self, vertex: Hashable) -> Hashable:
        """Return the label of a vertex in the graph: :attr:`token` if it is :attr:`start`, otherwise ``vertex``."""
        return self.token if vertex == self.start else vertex
