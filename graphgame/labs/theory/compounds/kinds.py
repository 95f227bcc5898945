"""The kinds of compound: what a move is, and how the theory gives the outcome."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from functools import cache, cached_property, partial
from itertools import count, islice, product
from typing import Literal, NamedTuple

from graphgame.errors import LimitError, Message, ParameterError, TokenError
from graphgame.graph.gamegraph import GameGraph, GameLike
from graphgame.labs.theory.suspense_numbers import suspense
from graphgame.rules.component import Component
from graphgame.solution.results import VertexValues
from graphgame.solution.solve import Solution, solution_of
from graphgame.solution.sums import product as product_graph

Places = tuple[Hashable, ...]
Choices = Sequence[Sequence[Hashable]]


class CompoundKind(NamedTuple):
    """A kind of compound.

    Attributes
    ----------
    name, sign : str
    rule : str
        A sentence: what a move is, and when the game is over.
    measure : {"remoteness", "suspense", "outcome", "value"}
        The number or outcome of each component that the theory uses.
    theorem : dict
        Maps whether play is misère to a sentence with the theorem.
    moves : callable
        Returns the options, from the position and the options of every component.
    outcome : callable
        Returns the outcome, from the components, their positions and the play convention.
    """

    name: str
    sign: str
    rule: str
    measure: str
    theorem: dict[bool, str]
    moves: Callable[[Places, Choices], Iterable[Places]]
    outcome: Callable[[Sequence[Operand], Places, bool], FiniteOutcome]


def _all_move(position: Places, choices: Choices) -> Iterable[Places]:
    return product(*choices)


def _all_that_can_move(position: Places, choices: Choices) -> Iterable[Places]:
    if not any(choices):
        return ()
    return product(*(options or [place] for place, options in zip(position, choices, strict=True)))


def _some_move(position: Places, choices: Choices) -> Iterable[Places]:
    stay_or_move = ([place, *options] for place, options in zip(position, choices, strict=True))
    return islice(product(*stay_or_move), 1, None)  # in the first combination all components stay


def _some_move_until_one_ends(position: Places, choices: Choices) -> Iterable[Places]:
    return _some_move(position, choices) if all(choices) else ()


def _one_moves_and_ends_the_later(position: Places, choices: Choices) -> Iterator[Places]:
    for place, options in enumerate(choices):
        for option in options:
            yield (*position[:place], option)


def length_of(measure: str, operands: Sequence[Operand], position: Places, misere: bool) -> int:
    """Return how long play lasts: the least remoteness of the components, or their greatest suspense number."""
    best = max if measure == "suspense" else min
    return best(o.length(measure, place, misere) for o, place in zip(operands, position, strict=True))


def _by_length(measure: str, operands: Sequence[Operand], position: Places, misere: bool) -> FiniteOutcome:
    return "P" if length_of(measure, operands, position, misere) % 2 == misere else "N"


def _all_lost(operands: Sequence[Operand], position: Places, misere: bool) -> bool:
    return all(operand.outcome(place, misere) == "P" for operand, place in zip(operands, position, strict=True))


def _selective(operands: Sequence[Operand], position: Places, misere: bool) -> FiniteOutcome:
    if misere:
        left = [(o, p) for o, p in zip(operands, position, strict=True) if o.has_move(p)]
        if len(left) < 2:
            return left[0][0].outcome(left[0][1], misere=True) if left else "N"
    return "P" if _all_lost(operands, position, misere=False) else "N"


def _shortened(operands: Sequence[Operand], position: Places, misere: bool) -> FiniteOutcome:
    lost = _all_lost(operands, position, misere)
    return "P" if lost or not (misere or all(map(Operand.has_move, operands, position))) else "N"


def _ordinal(operands: Sequence[Operand], position: Places, misere: bool) -> FiniteOutcome:
    if not misere:
        return "N" if ordinal_value(operands, position) else "P"
    first, rest = operands[0], position[1:]
    outcome = first.outcome(position[0], misere=True)
    if not rest:
        return outcome
    if not first.has_move(position[0]):
        return _ordinal(operands[1:], rest, misere=True)
    return "N" if outcome == "N" else _ordinal(operands[1:], rest, misere=False)


def ordinal_value(operands: Sequence[Operand], position: Places) -> int:
    """Return the value of an ordinal sum.

    If what follows a component has the value n, both together have the n-th number, from 0, that is no value of an
    option of the component. The loop applies this from the last component to the first.
    """
    value = 0
    for operand, place in reversed(list(zip(operands, position, strict=False))):
        taken = operand.option_values(place)
        value = next(islice((number for number in count() if number not in taken), value, None))
    return value


KINDS: dict[str, CompoundKind] = {
    kind.sign: kind
    for kind in (
        CompoundKind(
            Message("conjunctive"),
            "&",
            Message("a move is made in every component, and the game is over when one component is"),
            "remoteness",
            {
                False: Message("even is P and odd is N, where the compound's remoteness is the components' least"),
                True: Message(
                    "odd is P and even is N, where the compound's misère remoteness is the components' least"
                ),
            },
            _all_move,
            partial(_by_length, "remoteness"),
        ),
        CompoundKind(
            Message("continued conjunctive"),
            "&&",
            Message("a move is made in every component that has one, and the game is over when all components are"),
            "suspense",
            {
                False: Message("even is P and odd is N, where the compound's suspense is the components' greatest"),
                True: Message(
                    "odd is P and even is N, where the compound's misère suspense is the components' greatest"
                ),
            },
            _all_that_can_move,
            partial(_by_length, "suspense"),
        ),
        CompoundKind(
            Message("selective"),
            "|",
            Message("a move is made in any components, at least one, and the game is over when all components are"),
            "outcome",
            {
                False: Message("P where all components are P, else N"),
                True: Message(
                    "with two components or more that have a move it is P where all are P in normal play, "
                    "else N; with one it is that component's misère outcome, with none N"
                ),
            },
            _some_move,
            _selective,
        ),
        CompoundKind(
            Message("shortened selective"),
            "||",
            Message("a move is made in any components, at least one, and the game is over when one component is"),
            "outcome",
            {
                False: Message("P where all components are P or one has no move, else N"),
                True: Message("P where all components are P in misère play, else N"),
            },
            _some_move_until_one_ends,
            _shortened,
        ),
        CompoundKind(
            Message("ordinal sum"),
            ":",
            Message("a move is made in one component, and takes away all that stand after it"),
            "value",
            {
                False: Message(
                    "where what stands after a component has the value n, both together have as their value "
                    "the n-th number, counted from 0, that is no value of an option of the component"
                ),
                True: Message(
                    "a first component without a move does not count; with one that is N in misère play it "
                    "is N, else it is the normal-play outcome of what stands after that component"
                ),
            },
            _one_moves_and_ends_the_later,
            _ordinal,
        ),
    )
}
"""Maps signs to kinds."""


FiniteOutcome = Literal["P", "N"]


class Operand:
    """A component of a compound, played on a graph of its own.

    Parameters
    ----------
    start : hashable
        The start position.
    load : callable
        Returns the graph; called when the graph is first needed. Its only token is the start.
    told : callable, optional
        Returns the outcome of the start under a play convention, or None if this needs the graph.
    parts : callable, optional
        Returns the components of which a position of the graph is the sum, or None if it is no position of rules.
    """

    def __init__(
        self,
        start: Hashable,
        load: Callable[[], GameGraph],
        told: Callable[[bool], FiniteOutcome | None] = lambda misere: None,
        parts: Callable[[Hashable], tuple[Component, ...] | None] = lambda place: None,
    ) -> None:
        self.start = start
        self._load = load
        self._told = told
        self.parts = parts
        self.solution = cache(self._solution)
        self.suspense = cache(self._suspense)

    @classmethod
    def of_graph(cls, game: GameLike) -> Operand:
        """Return a component that is played on the sum of the tokens of a graph."""
        graph = GameGraph.of(game)
        if graph.tokens is None:
            raise TokenError("there are no tokens: each graph of a compound needs its start as a token")
        whole = graph if graph.sums is None and len(graph.tokens) == 1 else product_graph(graph)
        return cls((whole.tokens or ())[0], lambda: whole)

    @cached_property
    def graph(self) -> GameGraph:
        """The explicit graph. If it is too large, LimitError is raised, and later again without a new attempt."""
        if isinstance(self._loaded, LimitError):
            raise self._loaded
        if self._loaded.decided is not None:
            raise ParameterError("a compound plays its components to their ends, and in one a move ends play at once")
        return self._loaded

    @cached_property
    def _loaded(self) -> GameGraph | LimitError:
        try:
            return self._load()
        except LimitError as error:
            return error

    @property
    def token(self) -> Hashable:
        """The label of the start in the graph."""
        return (self.graph.tokens or ())[0]

    def options(self, place: Hashable) -> list[Hashable]:
        """Return the options of a position."""
        return self.graph.labels.take(self.graph.option_rows.row(self.graph.number_of(place)))

    def outcome(self, place: Hashable, misere: bool) -> FiniteOutcome:
        """Return the outcome of a position, "P" or "N"."""
        told = self._told(misere) if place == self.start else None
        return told or self.solution(misere).outcome[self._named(place)]  # type: ignore[return-value]

    def grundy(self, place: Hashable) -> int:
        """Return the value of a position under normal play."""
        return self.solution(misere=False).grundy[self._named(place)]

    def option_values(self, place: Hashable) -> set[int]:
        """Return the values of the options of a position under normal play."""
        return {option.grundy for option in self.solution(misere=False).options(self._named(place))}

    def length(self, measure: str, place: Hashable, misere: bool) -> int:
        """Return the remoteness or the suspense number of a position, as ``measure`` says."""
        lengths = self.suspense(misere) if measure == "suspense" else self.solution(misere).remoteness
        return lengths[self._named(place)]

    def has_move(self, place: Hashable) -> bool:
        """Return whether a position has an option."""
        return self.outcome(place, misere=False) == "N" or bool(self.options(self._named(place)))

    def _named(self, place: Hashable) -> Hashable:
        return self.token if place == self.start else place

    def _solution(self, misere: bool) -> Solution:
        return solution_of(self.graph, misere=misere)

    def _suspense(self, misere: bool) -> VertexValues[int]:
        return suspense(self.solution(misere))
