"""The three strategies for the values of a position: theorems, tables of values, and the explicit graph.

:class:`graphgame.rules.position.Position` asks them in this order and takes the first answer. Each strategy has

- ``has_values(component)``: whether it has the value of a component, and can find its options of any value,
- ``value(component)``: the value of the component, None if the strategy does not have it,
- ``options_of_value(component, value)``: the options of the component that have this value.

Theorems are the ruleset's methods ``closed_form``, ``outcome_form``, ``misere_outcome_form`` and ``winning_options``;
tables come from its method ``value_array``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator
from functools import cached_property, reduce
from itertools import chain, islice
from math import prod
from operator import gt, xor
from types import NoneType
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from graphgame.errors import LimitError, Message
from graphgame.rules.nim import misere_nim_outcome
from graphgame.rules.rule_errors import returned, returned_array, rule_errors
from graphgame.rules.ruleset import (
    MAX_TRIED,
    UNDECIDED,
    Component,
    Ruleset,
    at_most,
    parts_of,
    sum_of,
    tells,
    value_by_rules,
)
from graphgame.solution.results import Decisive, Move, Value, ValueCodes

if TYPE_CHECKING:
    import numpy as np

    from graphgame.rules.position import Position

Moved = TypeVar("Moved")
"""A type for moves: a Move, or the position that a move leads to."""

_MOST_OPTIONS_TRIED = 200_000

_SMALLEST_TABLE, _LARGEST_TABLE = 10_000, 20_000_000
"""A table is used if a graph could reach ``_SMALLEST_TABLE`` positions; it has at most ``_LARGEST_TABLE`` entries."""

_CODES = ValueCodes(Decisive)


class Theorem:
    """The answers about a position that follow from theorems of its rules, without a search."""

    def __init__(self, position: Position) -> None:
        self.position = position

    def has_values(self, component: Component) -> bool:
        """Return whether closed forms give a component's value and find its options of any value; False if misère."""
        return not self.position.misere and closed_forms_suffice(component.ruleset, component.position)

    def value(self, component: Component) -> Value | None:
        """Return the value of a component under normal play; None if no theorem gives it."""
        rules, position = component.ruleset, component.position
        with rule_errors(component.name, Message("the closed form"), position, method=rules.closed_form):
            # The outcome P alone determines the value: it is 0, unless the position has ended play.
            is_zero = self._outcome(component) == "P" and not rules.decided(position)
            kinds = (int, NoneType, Decisive) if rules.decides else (int, NoneType)
            return returned(0 if is_zero else value_by_rules(rules, position), *kinds)

    def options_of_value(self, component: Component, value: Value) -> Iterable[Hashable]:
        """Return the options of a component that have this value."""
        return component.ruleset.options_of_value(component.position, value)

    @cached_property
    def values(self) -> tuple[Value | None, ...]:
        """The value of each component under normal play, None for a component whose value no theorem gives."""
        return tuple(map(self.value, self.position.components))

    @cached_property
    def outcome(self) -> Literal["P", "N"] | None:
        """The outcome of the position if theorems give it, otherwise None.

        Under normal play, theorems must give a sunny or loony value, or all values, or all but one. In the last case, a
        theorem must say that the component without a value is an N-position, and the other values must xor to 0.
        Under misère play, all components must be Nim heaps, or the only component must have a misère theorem.
        """
        components = self.position.components
        if self.position.misere:
            if self.heaps is not None:
                return misere_nim_outcome(self.heaps)
            if len(components) > 1:
                return None
            with rule_errors(components[0].name, Message("the misère outcome"), components[0].position):
                return components[0].ruleset.misere_outcome_form(components[0].position)
        nim_sum = reduce(xor, (value for value in self.values if value is not None), 0)
        if isinstance(nim_sum, Decisive):
            return nim_sum.outcome
        unknown = [part for part, value in zip(components, self.values, strict=True) if value is None]
        if not unknown:
            return "N" if nim_sum else "P"
        return "N" if not nim_sum and len(unknown) == 1 and self._outcome(unknown[0]) == "N" else None

    @property
    def heaps(self) -> list[int] | None:
        """The sizes of the heaps if all components are Nim heaps (Bouton's theorem applies to them); otherwise None."""
        heaps = [part.position for part in self.position.components if part.ruleset.is_nim]
        return heaps if len(heaps) == len(self.position.components) else None  # type: ignore[return-value]

    @property
    def answers(self) -> bool:
        """Whether theorems give the outcome of the whole position or, under normal play, the value of a component."""
        has_value = not self.position.misere and any(value is not None for value in self.values)
        return has_value or self.outcome is not None

    def moves(self) -> Iterator[Move]:
        """Yield the winning moves in one component, by theorems. Under misère play there must be no other component.

        Under normal play it must be the only component without a value; the xor of the other values must be 0.

        Raises
        ------
        LimitError
            The component has too many options to try, or no theorem gives the outcome of some option.

        Examples
        --------
        >>> from graphgame.rules.notation import parse_position
        >>> list(parse_position("wythoff(1000000000000,1000000000001)").theorem.moves())
        [Move(component=0, start=wythoff(1000000000000,1000000000001), end=wythoff(1,2))]
        """
        misere = self.position.misere
        if misere and self.outcome == "P":
            return
        index = 0 if misere else self.values.index(None)
        start = self.position.components[index]
        with rule_errors(start.name, Message("the winning options"), start.position):
            ends = _misere_ends(start) if misere else start.ruleset.winning_options(start.position)
            yield from (Move(index, start, start._replace(position=end)) for end in vertices(start.ruleset, ends))

    def first_moves(self, most: int) -> list[Move]:
        """Return the first ``most`` of the moves of :meth:`moves`; fewer if the search raises a LimitError."""
        return first_moves(self.moves(), most)[0]

    @staticmethod
    def _outcome(component: Component) -> Literal["P", "N"] | None:
        rules, position = component.ruleset, component.position
        with rule_errors(component.name, Message("the outcome"), position):
            return rules.decided(position) or rules.outcome_form(position)


def closed_forms_suffice(ruleset: Ruleset, position: Hashable) -> bool:
    """Return whether closed forms give the value of a position, and find its options of any value, without a graph.

    The options need closed forms too, unless the rules override ``options_of_value``. At most 2 million options are
    tested. If there are more, the result may be True, but ``options_of_value`` will raise a LimitError.
    """
    if value_by_rules(ruleset, position) is None:
        return False
    if tells(ruleset, "options_of_value") or ruleset.decided(position):
        return True
    with rule_errors(type(ruleset).__name__, Message("the options"), position, method=ruleset.options):
        try:
            options = at_most(ruleset.options(position), MAX_TRIED)
            return all(value_by_rules(ruleset, part) is not None for option in options for part in parts_of(option))
        except LimitError:  # options_of_value will raise it
            return True


def _misere_ends(start: Component) -> Iterator[Hashable]:
    """Yield the options that are misère P-positions, some twice; raise a LimitError if theorems leave some open."""
    rules, known = start.ruleset, True
    # Far from the end, most winning options of normal play win misère play too, so they come first.
    likely, _ = first_moves(iter(rules.winning_options(start.position)), _MOST_OPTIONS_TRIED)
    for option in chain(likely, at_most(rules.options(start.position), _MOST_OPTIONS_TRIED)):
        parts = parts_of(option)
        outcome = rules.misere_outcome_form(parts[0]) if len(parts) == 1 else None if parts else "N"
        known = known and outcome is not None
        if outcome == "P":
            yield option
    if not known:
        raise LimitError(UNDECIDED)


def vertices(ruleset: Ruleset, options: Iterable[Hashable]) -> Iterator[Hashable]:
    """Yield the options as vertices of the explicit graph, whose parts are canonical positions; each vertex once."""
    yielded = set()
    for option in options:
        parts = tuple(map(ruleset.canonical, parts_of(option)))
        if (key := frozenset(Counter(parts).items()) if len(parts) > 1 else parts) not in yielded:
            yielded.add(key)
            yield sum_of(parts)


class Table:
    """Arrays with the values of all positions up to a component, filled by :meth:`Ruleset.value_array` without a graph.

    Components of one game share an array if it is not too large. The position after a move uses the same arrays.
    """

    def __init__(self, position: Position, tables: dict[tuple[object, ...], np.ndarray | None] | None = None) -> None:
        self.position = position
        self.tables = {} if tables is None else tables

    @property
    def answers(self) -> bool:
        """True if some component has its value in a table, and no theorem gives this value.

        Under misère play: True if the position has a single component, and a table has its misère value.
        """
        components = self.position.components
        if self.position.misere:
            return len(components) == 1 and self.has_values(components[0])
        by_theorem = zip(components, self.position.theorem.values, strict=True)
        return any(value is None and self.has_values(part) for part, value in by_theorem)

    def has_values(self, component: Component) -> bool:
        """Return whether a table has the values of a component and of its options. The first call fills the table."""
        return self._table(component) is not None

    def value(self, component: Component) -> Value | None:
        """Return the value of a component, under misère play its misère value; None if there is no table for it."""
        table = self._table(component)
        return None if table is None else value_in(table, component.ruleset.canonical(component.position))

    def options_of_value(self, component: Component, value: Value) -> Iterable[Hashable]:
        """Return the options of a component that have this value, as canonical positions."""
        ruleset, table = component.ruleset, self._table(component)
        assert table is not None
        ends = (sum_of(map(ruleset.canonical, parts_of(option))) for option in ruleset.options(component.position))

        def value_of(part: Hashable) -> Any:  # noqa: ANN401
            return value_by_rules(ruleset, part) if ruleset.decided(part) else value_in(table, part)

        return (end for end in ends if reduce(xor, map(value_of, parts_of(end)), 0) == value)

    def _table(self, component: Component) -> np.ndarray | None:
        shape = _shape(component)
        key = component.game, len(shape)
        table = self.tables.get(key)
        if not shape or (key in self.tables and table is None):
            return None
        if table is None or any(map(gt, shape, table.shape)):
            of_game = (_shape(part) for part in self.position.components if part.game == component.game)
            joint = tuple(map(max, zip(*(each for each in of_game if len(each) == len(shape)), strict=True)))
            table = self.tables[key] = self._filled(component, joint if prod(joint) <= _LARGEST_TABLE else shape)
        return table

    def _filled(self, component: Component, shape: tuple[int, ...]) -> np.ndarray | None:
        # A move may split one heap into two, so the game's graph can have n^2 vertices.
        positions = shape[0] ** 2 if len(shape) == 1 else prod(shape)
        if positions < _SMALLEST_TABLE or prod(shape) > _LARGEST_TABLE:
            return None
        with rule_errors(component.name, Message("the table of values"), component.position):
            return returned_array(component.ruleset.value_array(shape, self.position.misere), shape)


def value_in(table: np.ndarray, numbers: Any) -> Value:  # noqa: ANN401
    """Return the value of a position in a table; the index is the position, a number or a tuple of numbers.

    If the table has more axes than numbers, add zeros after the numbers or, if that is outside the table, before.

    >>> import numpy as np
    >>> value_in(np.array([[0, 1, 2], [1, 2, 0]]), (2,)), value_in(np.array([[0, 1], [1, 2], [2, 0]]), (2,))
    (2, 2)
    """
    numbers = numbers if isinstance(numbers, tuple) else (numbers,)
    zeros = (0,) * (table.ndim - len(numbers))
    appended = *numbers, *zeros
    inside = all(number < size for number, size in zip(appended, table.shape, strict=True))
    entry = int(table[appended if inside else (*zeros, *numbers)])
    return _CODES.decode([entry])[0] if entry < 0 else entry


def _shape(component: Component) -> tuple[int, ...]:
    if not tells(component.ruleset, "value_array"):
        return ()
    with rule_errors(component.name, Message("the canonical position"), component.position):
        shape = component.ruleset.table_shape(component.ruleset.canonical(component.position))
    return shape if shape and min(shape) > 0 else ()


def first_moves(moves: Iterator[Moved], most: int) -> tuple[list[Moved], bool]:
    """Return a list of at most ``most`` moves, and whether these are certainly all moves.

    If the iterator raises a LimitError, the list ends there, and the second result is False. Otherwise the list is
    complete if it has fewer than ``most`` moves.
    """
    listed: list[Moved] = []
    try:
        listed.extend(islice(moves, most))
    except LimitError:
        return listed, False
    return listed, len(listed) < most
