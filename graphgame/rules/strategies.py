"""Who answers about a position: theorems, tables without a graph, or the explicit graph, the first that knows.

Each strategy tells of a component whether it *knows* the values of its options, its *value* (None: not known), and the
*ends* of the moves to a value. :class:`graphgame.rules.position.Position` asks them in this order. Rules take part by
their methods: ``closed_form``, ``outcome_form``, ``misere_outcome_form`` and ``winning_options`` are theorems, and
``value_array`` fills a table.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from functools import cached_property, reduce
from itertools import islice
from math import prod
from operator import gt, xor
from types import NoneType
from typing import TYPE_CHECKING, Any, Literal

from graphgame.errors import LimitError, Message
from graphgame.rules.component import Component, bare, explored, vertex_of
from graphgame.rules.faults import blamed, returned
from graphgame.rules.nim import misere_nim_outcome
from graphgame.rules.ruleset import Sum, at_most, parts_of, sum_of, tells, told_value
from graphgame.solution.results import Decisive, Move, Value, ValueCodes
from graphgame.solution.solve import Solution, solution_of

if TYPE_CHECKING:
    import numpy as np

    from graphgame.rules.position import Position

_MOST_TRIED = 200_000

_TABLE_FROM, _TABLE_TO = 10_000, 20_000_000
"""Fewest and most positions up to a component for which a table is made."""

_CODES = ValueCodes(Decisive)


class Theorem:
    """What the theorems of the rules tell at once."""

    def __init__(self, position: Position) -> None:
        self.position = position

    def knows(self, component: Component) -> bool:
        """Tell whether the values of a component and of its options are known."""
        return not self.position.misere and component.ruleset.closed_form(component.position) is not None

    def value(self, component: Component) -> Value | None:
        """Return the value under normal play; that of a P-position in which play goes on is 0."""
        rules, position = component.ruleset, component.position
        with blamed(component.name, Message("the closed form"), position, method=rules.closed_form):
            lost = self._outcome(component) == "P" and not rules.decided(position)
            kinds = (int, NoneType, Decisive) if rules.decides else (int, NoneType)
            return returned(0 if lost else told_value(rules, position), *kinds)

    def ends(self, component: Component, value: Value) -> Iterable[Hashable]:
        """Return the options of a component that have a value."""
        return component.ruleset.options_of_value(component.position, value)

    @cached_property
    def values(self) -> tuple[Value | None, ...]:
        """The value of each component under normal play, None where no theorem tells it."""
        return tuple(map(self.value, self.position.components))

    @cached_property
    def outcome(self) -> Literal["P", "N"] | None:
        """Who wins where theorems tell it, else None.

        They tell all values, or that one component is N and the nim-sum of all others 0; under misère play they tell
        of Nim.
        """
        components = self.position.components
        if self.position.misere:
            return self._misere_outcome
        known = reduce(xor, (value for value in self.values if value is not None), 0)
        if isinstance(known, Decisive):
            return known.outcome
        others = [part for part, value in zip(components, self.values, strict=True) if value is None]
        if not others:
            return "N" if known else "P"
        return "N" if not known and len(others) == 1 and self._outcome(others[0]) == "N" else None

    @property
    def _misere_outcome(self) -> Literal["P", "N"] | None:
        if self.heaps is not None:
            return misere_nim_outcome(self.heaps)
        if len(self.position.components) != 1:
            return None
        (component,) = self.position.components
        with blamed(component.name, Message("the misère outcome"), component.position):
            return component.ruleset.misere_outcome_form(component.position)

    @property
    def heaps(self) -> list[int] | None:
        """The sizes of the heaps where all components are heaps of Nim, else None; misère Nim has a closed form."""
        heaps = [part.position for part in self.position.components if part.ruleset.is_nim]
        return heaps if len(heaps) == len(self.position.components) else None  # type: ignore[return-value]

    @property
    def answers(self) -> bool:
        """Whether theorems tell who wins or, under normal play, some values: then a large graph is not worth while."""
        known = not self.position.misere and any(value is not None for value in self.values)
        return known or self.outcome is not None

    def moves(self) -> Iterator[Move]:
        """Yield the winning moves of the one component whose theorem tells who wins, but no value.

        Raises
        ------
        LimitError
            It has very many options.

        Examples
        --------
        >>> from graphgame.rules.notation import parse_position
        >>> list(parse_position("wythoff(1000000000000,1000000000001)").theorem.moves())
        [Move(component=0, start=wythoff(1000000000000,1000000000001), end=wythoff(1,2))]
        """
        misere = self.position.misere
        if misere and self.outcome == "P":
            return
        place = 0 if misere else self.values.index(None)
        start = self.position.components[place]
        with blamed(start.name, Message("the winning options"), start.position):
            ends = _misere_ends(start) if misere else start.ruleset.winning_options(start.position)
            yield from (Move(place, start, start._replace(position=end)) for end in ends)

    def first_moves(self, most: int) -> list[Move]:
        """Return the first of these moves, fewer where a limit is met before."""
        return first_moves(self.moves(), most)[0]

    @staticmethod
    def _outcome(component: Component) -> Literal["P", "N"] | None:
        rules, position = component.ruleset, component.position
        with blamed(component.name, Message("the outcome"), position):
            return rules.decided(position) or rules.outcome_form(position)


def _misere_ends(start: Component) -> Iterator[Hashable]:
    """Yield the options that a theorem tells to be P-positions under misère play."""
    rules, found = start.ruleset, set()
    for likely in (rules.winning_options, rules.options):  # far from the end both plays have the same
        try:
            for end in at_most(likely(start.position), _MOST_TRIED):
                if rules.misere_outcome_form(end) == "P" and (left := rules.canonical(end)) not in found:
                    found.add(left)
                    yield left
        except LimitError:
            if found or likely == rules.options:
                raise


class Table:
    """The values of all positions up to a component, where they come without its graph, which is large.

    Components of one game share a table, and so do the positions that come after this one.
    """

    def __init__(self, position: Position, tables: dict[tuple[object, ...], np.ndarray | None] | None = None) -> None:
        self.position = position
        self.tables = {} if tables is None else tables

    @property
    def answers(self) -> bool:
        """Whether a table tells a component's value that no theorem tells, or under misère play the whole's."""
        return any(map(self.knows, self._asked))

    @cached_property
    def _asked(self) -> list[Component]:
        components = self.position.components
        if self.position.misere:
            return list(components) if len(components) == 1 else []
        known = self.position.theorem.values
        return [part for part, value in zip(components, known, strict=True) if value is None]

    def knows(self, component: Component) -> bool:
        """Tell whether the values of a component and of its options are known."""
        return self._table(component) is not None

    def value(self, component: Component) -> Value | None:
        """Return the value of a component, None where it is not known."""
        table = self._table(component)
        return None if table is None else value_in(table, component.ruleset.canonical(component.position))

    def ends(self, component: Component, value: Value) -> Iterable[Hashable]:
        """Return the options of a component that have a value."""
        ruleset, table = component.ruleset, self._table(component)
        assert table is not None
        ends = (Sum(map(ruleset.canonical, parts_of(end))) for end in ruleset.options(component.position))

        def value_of(part: Hashable) -> Any:  # noqa: ANN401
            return told_value(ruleset, part) if ruleset.decided(part) else value_in(table, part)

        return (sum_of(end) for end in dict.fromkeys(ends) if reduce(xor, map(value_of, end), 0) == value)

    def _table(self, component: Component) -> np.ndarray | None:
        shape = _shape(component)
        key = component.game, len(shape)
        table = self.tables.get(key)
        if not shape or (key in self.tables and table is None):
            return None
        if table is None or any(map(gt, shape, table.shape)):
            alike = (_shape(part) for part in self.position.components if part.game == component.game)
            joint = tuple(map(max, zip(*(each for each in alike if len(each) == len(shape)), strict=True)))
            table = self.tables[key] = self._made(component, joint if prod(joint) <= _TABLE_TO else shape)
        return table

    def _made(self, component: Component, shape: tuple[int, ...]) -> np.ndarray | None:
        positions = shape[0] ** 2 if len(shape) == 1 else prod(shape)  # a heap may become two
        if positions < _TABLE_FROM or prod(shape) > _TABLE_TO:
            return None
        with blamed(component.name, Message("the table of values"), component.position):
            return component.ruleset.value_array(shape, self.position.misere)


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


class OpenGraph:
    """The explicit graph, under normal play, of those components whose values no closed form gives."""

    def __init__(self, position: Position, before: Solution | None = None) -> None:
        self.position = position
        self._before = before

    @property
    def made(self) -> Solution | None:
        """The solution so far, or that of a position before."""
        return self.__dict__.get("solution", self._before)

    def knows(self, component: Component) -> bool:
        """Tell whether the values of a component and of its options are known."""
        return True

    def value(self, component: Component) -> Value:
        """Return the value of a component."""
        return self.solution.grundy[self._vertex(component)]

    def ends(self, component: Component, value: Value) -> Iterable[Hashable]:
        """Return the options of a component that have a value."""
        options = self.solution.options(self._vertex(component))
        return [bare(option.position) for option in options if option.grundy == value]

    @cached_property
    def solution(self) -> Solution:
        """The solution of the graph, or of the one before it if that has all that is asked about."""
        asked, before = self.position, self._before
        if before is not None:
            pairs = zip(asked.components, asked.theorem.values, strict=True)
            if all(value is not None or vertex_of(before.graph, part) in before.graph.labels for part, value in pairs):
                return before
        unknown = [part for part in asked.components if told_value(part.ruleset, part.position) is None]
        return solution_of(explored(unknown, asked.max_positions, asked.max_moves, asked.progress))

    def _vertex(self, component: Component) -> Hashable:
        return vertex_of(self.solution.graph, component)


def first_moves(moves: Iterator[Move], most: int) -> tuple[list[Move], bool]:
    """Return the first moves, and whether they are all; fewer than the most where a limit is met before."""
    found: list[Move] = []
    try:
        found.extend(islice(moves, most))
    except LimitError:
        return found, False
    return found, len(found) < most
