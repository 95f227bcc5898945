"""Rules into a graph: a ruleset says what the options of a position are, and explore() writes them all down."""

from __future__ import annotations

from abc import ABC, abstractmethod
from array import array
from collections.abc import Callable, Hashable, Iterable
from itertools import islice
from typing import Any

import numpy as np

from graphgame.errors import LimitError, ParseError, RulesetError, shorten
from graphgame.graph import GameGraph
from graphgame.labels import Labels

__all__ = ["MAX_POSITIONS", "CodedRuleset", "Ruleset", "Sum", "explore"]

MAX_POSITIONS = 5_000_000
"""Positions that an exploration may find unless the caller says otherwise."""

_MOVES_A_POSITION = 100
_REPORT_EVERY = 1 << 14

Progress = Callable[[int, int], None]


class Sum(tuple[Hashable, ...]):
    """Several positions side by side: what a move leaves that splits the game.

    Examples
    --------
    >>> Sum([2, 3])
    Sum(2, 3)
    """

    __slots__ = ()

    def __repr__(self) -> str:
        return f"Sum({', '.join(map(repr, self))})"


class Ruleset(ABC):
    """The rules of an impartial game: one method is enough.

    A position is any hashable value. Play must end: no position may come again.

    Attributes
    ----------
    start : hashable or None
        The position to start from where none is given.
    arguments : str
        What stands between braces in the notation ``name{arguments}(position)``.

    Examples
    --------
    >>> class TakeASquare(Ruleset):
    ...     start = 10
    ...
    ...     def options(self, heap):
    ...         return [heap - k * k for k in range(1, heap + 1) if k * k <= heap]
    >>> from graphgame import solve
    >>> solve(explore(TakeASquare())).grundy[10]
    0
    """

    start: Hashable | None = None
    arguments: str = ""

    @classmethod
    def from_text(cls, text: str) -> Ruleset:
        """Return the rules for the text between braces in ``name{text}(position)``; by default there is none.

        Raises
        ------
        ParseError
            Says the column in the text, from 1.
        """
        if text.strip():
            raise ParseError(f"unexpected arguments: {cls.__name__} has none", column=1)
        return cls()

    @abstractmethod
    def options(self, position: Any) -> Iterable[Hashable]:  # noqa: ANN401
        """Return the options of a position; a :class:`Sum` where a move splits the game."""

    def closed_form(self, position: Any) -> int | None:  # noqa: ANN401
        """Return the Grundy value of a position where a theorem gives it at once, else None."""
        return None

    def options_of_value(self, position: Any, value: int) -> Iterable[Hashable]:  # noqa: ANN401
        """Return the options that have a Grundy value, for rulesets whose :meth:`closed_form` always knows.

        By default all options are tried; a ruleset with very many options names them at once.
        """
        return (option for option in self.options(position) if self._value(option) == value)

    def _value(self, position: Hashable) -> int | None:
        total = 0
        for part in position if type(position) is Sum else (position,):
            value = self.closed_form(part)
            if value is None:
                return None
            total ^= value
        return total

    def canonical(self, position: Any) -> Hashable:  # noqa: ANN401
        """Return the one position that stands for all that are the same by symmetry."""
        return position  # type: ignore[no-any-return]

    def parse(self, text: str) -> Hashable:
        """Return the position that a text names: by default an integer, integers between commas, or the text.

        A ruleset for several heaps or boards at once returns their :class:`Sum`.

        Raises
        ------
        ParseError
            The text names no position; says the column in the text, from 1.
        """
        parts = [part.strip() for part in text.split(",")]
        if not all(part.lstrip("-").isdecimal() and part.isascii() and len(part) < 4000 for part in parts):
            return text
        numbers = tuple(map(int, parts))
        return numbers if len(numbers) > 1 else numbers[0]

    def format(self, position: Any) -> str:  # noqa: ANN401
        """Return the text of a position; the inverse of :meth:`parse`."""
        return ",".join(map(str, position)) if isinstance(position, tuple) else str(position)

    def board(self, position: Any) -> str:  # noqa: ANN401
        """Return a drawing of a position in text, perhaps several lines; by default its text."""
        return self.format(position)


class CodedRuleset(Ruleset):
    """Rules whose positions are integers 0..size-1, with the options of many positions at once as arrays.

    Attributes
    ----------
    size : int
        One more than the largest code; exploring takes 5 bytes a code.

    Examples
    --------
    >>> class TakeOneOrTwo(CodedRuleset):
    ...     size = 101
    ...     start = 100
    ...
    ...     def option_codes(self, codes):
    ...         rows = np.repeat(np.arange(len(codes)), 2)
    ...         options = np.repeat(codes, 2) - np.tile([1, 2], len(codes))
    ...         return rows[options >= 0], options[options >= 0]
    >>> from graphgame import solve
    >>> solve(explore(TakeOneOrTwo())).outcome[99]
    'P'
    """

    size: int

    @abstractmethod
    def option_codes(self, codes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return all options of some positions.

        Parameters
        ----------
        codes : ndarray of int64, shape (k,)

        Returns
        -------
        rows : ndarray of int, shape (m,)
            The index into ``codes`` of the position that each option belongs to.
        options : ndarray of int, shape (m,)
            Codes, in 0..size-1.
        """

    def options(self, position: Any) -> list[Hashable]:  # noqa: ANN401
        """Return the options of one position."""
        code = np.array([self.encode(position)], np.int64)
        return [self.decode(option) for option in self.option_codes(code)[1].tolist()]

    def encode(self, position: Any) -> int:  # noqa: ANN401
        """Return the code of a position; by default the position is its code. Raise ValueError where there is none."""
        if not isinstance(position, (int, np.integer)) or not 0 <= position < self.size:
            raise ValueError(f"invalid position {shorten(position)}: expected an integer in 0..{self.size - 1}")
        return int(position)

    def decode(self, code: int) -> Hashable:
        """Return the position of a code."""
        return code


def explore(
    ruleset: Ruleset,
    *starts: Hashable,
    max_positions: int = MAX_POSITIONS,
    max_moves: int | None = None,
    progress: Progress | None = None,
) -> GameGraph:
    """Write down every position that can come up, as a graph.

    Parameters
    ----------
    ruleset : Ruleset
    *starts : hashable
        Positions to start from; the default is ``ruleset.start``. They become the graph's tokens.
    max_positions : int
        Most vertices, sum vertices included.
    max_moves : int, optional
        Most edges; by default 100 for each of the most positions.
    progress : callable, optional
        Called as ``progress(positions, moves)`` now and then.

    Returns
    -------
    GameGraph
        Positions are canonical ones. A move that splits the game leads to a sum vertex.

    Raises
    ------
    LimitError
        There are more positions or moves; says how far it got.
    RulesetError
        There is no start, or an option is not hashable.

    Notes
    -----
    Breadth first, O(positions + moves) calls, no recursion. A :class:`CodedRuleset` is explored by arrays.

    Examples
    --------
    >>> from graphgame import solve
    >>> class Kayles(Ruleset):  # knock down one or two adjacent pins of a row
    ...     def options(self, row):
    ...         for hit in (1, 2):
    ...             for left in range(row - hit + 1):
    ...                 yield Sum([left, row - hit - left])
    >>> solve(explore(Kayles(), 5)).grundy[5]
    4
    """
    begin = starts or (() if ruleset.start is None else (ruleset.start,))
    if not begin:
        raise RulesetError(f"{type(ruleset).__name__} has no start position: give one")
    if max_positions < 1:
        raise ValueError(f"invalid max_positions {max_positions}: expected 1 or more")
    moves = _MOVES_A_POSITION * max_positions if max_moves is None else max_moves
    if isinstance(ruleset, CodedRuleset):
        return _CodedExploration(ruleset, max_positions, moves, progress).run(begin)
    return _Exploration(ruleset, max_positions, moves, progress).run(begin)


class _Exploration:
    """A breadth-first search over positions of any kind."""

    def __init__(self, ruleset: Ruleset, max_positions: int, max_moves: int, progress: Progress | None) -> None:
        self._ruleset = ruleset
        self._symmetric = type(ruleset).canonical is not Ruleset.canonical
        self._max_positions = max_positions
        self._max_moves = max_moves
        self._progress = progress
        self._number: dict[Hashable, int] = {}
        self._vertices: list[Hashable] = []

    def run(self, starts: Iterable[Hashable]) -> GameGraph:
        tokens = [self._vertices[self._add(part)] for start in starts for part in _parts(start)]
        target, lengths = array("i"), array("i")
        for place, vertex in enumerate(self._vertices):
            before = len(target)
            if type(vertex) is Sum:
                target.extend([self._number[part] for part in vertex])
            else:
                self._append_options(vertex, target)
            lengths.append(len(target) - before)
            if len(self._vertices) > self._max_positions or len(target) > self._max_moves:
                raise _too_far(self._max_positions, self._max_moves, len(self._vertices), len(target), place + 1)
            if self._progress is not None and place % _REPORT_EVERY == 0:
                self._progress(len(self._vertices), len(target))
        source = np.repeat(np.arange(len(self._vertices), dtype=np.int32), np.frombuffer(lengths, np.int32))
        sums = np.fromiter((type(vertex) is Sum for vertex in self._vertices), np.bool_, len(self._vertices))
        ends = np.frombuffer(target, np.int32) if target else np.zeros(0, np.int32)
        return GameGraph.from_arrays(source, ends, self._vertices, sums=sums, tokens=tokens)

    def _append_options(self, position: Hashable, target: array[int]) -> None:
        number, vertices, append = self._number, self._vertices, target.append
        canonical = self._ruleset.canonical if self._symmetric else None
        for option in islice(self._ruleset.options(position), self._max_moves + 1):
            if type(option) is Sum:
                append(self._add_sum(option))
                continue
            vertex = option if canonical is None else canonical(option)
            try:
                found = number.get(vertex)
            except TypeError:
                raise _unhashable(vertex, position) from None
            if found is None:
                found = number[vertex] = len(vertices)
                vertices.append(vertex)
            append(found)

    def _add(self, position: Hashable) -> int:
        vertex = self._ruleset.canonical(position)
        try:
            number = self._number.setdefault(vertex, len(self._vertices))
        except TypeError:
            raise _unhashable(vertex) from None
        if number == len(self._vertices):
            self._vertices.append(vertex)
        return number

    def _add_sum(self, option: Sum) -> int:
        """Return the number of a sum, its parts in the order of their numbers; a sum of one part is that part."""
        parts = sorted(self._add(part) for part in option)
        if len(parts) == 1:
            return parts[0]
        vertex = Sum(self._vertices[part] for part in parts)
        number = self._number.setdefault(vertex, len(self._vertices))
        if number == len(self._vertices):
            self._vertices.append(vertex)
        return number


class _CodedExploration:
    """A breadth-first search, a frontier at a time, over integers; a table of all codes says which were seen."""

    def __init__(self, ruleset: CodedRuleset, max_positions: int, max_moves: int, progress: Progress | None) -> None:
        self._ruleset = ruleset
        self._max_positions = max_positions
        self._max_moves = max_moves
        self._progress = progress

    def run(self, starts: Iterable[Hashable]) -> GameGraph:
        tokens = [part for start in starts for part in _parts(start)]
        if self._ruleset.size > 20 * self._max_positions + 1000:
            raise LimitError(
                f"a table of {self._ruleset.size} codes is too large for max_positions={self._max_positions}"
            )
        seen = np.zeros(self._ruleset.size, np.bool_)
        frontier = np.unique(np.array([self._ruleset.encode(token) for token in tokens], np.int64))
        seen[frontier] = True
        sources, targets, moves, positions = [], [], 0, len(frontier)
        while len(frontier):
            rows, options = self._ruleset.option_codes(frontier)
            self._check(options)
            sources.append(frontier[rows].astype(np.int32))
            targets.append(options.astype(np.int32))
            new = options[~seen[options]]
            seen[new] = True
            frontier = np.unique(new)
            moves += len(options)
            positions += len(frontier)
            if positions > self._max_positions or moves > self._max_moves:
                raise _too_far(self._max_positions, self._max_moves, positions, moves, positions - len(frontier))
            if self._progress is not None:
                self._progress(positions, moves)
        codes = np.flatnonzero(seen)
        number = np.cumsum(seen, dtype=np.int32) - np.int32(1)
        source, target = number[np.concatenate(sources)], number[np.concatenate(targets)]
        return GameGraph.from_arrays(source, target, _CodedLabels(self._ruleset, codes), tokens=tokens)

    def _check(self, options: np.ndarray) -> None:
        if len(options) and (options.min() < 0 or options.max() >= self._ruleset.size):
            bad = options[(options < 0) | (options >= self._ruleset.size)][0]
            raise RulesetError(f"option_codes gave the code {bad}: expected 0..{self._ruleset.size - 1}")


class _CodedLabels(Labels):
    """The positions of increasing codes."""

    def __init__(self, ruleset: CodedRuleset, codes: np.ndarray) -> None:
        self._ruleset = ruleset
        self._codes = codes

    def __len__(self) -> int:
        return len(self._codes)

    def _at(self, number: int) -> Hashable:
        return self._ruleset.decode(int(self._codes[number]))

    def find(self, position: object) -> int:
        hash(position)
        try:
            code = self._ruleset.encode(position)
        except (ValueError, TypeError):
            raise KeyError(position) from None
        number = int(np.searchsorted(self._codes, code))
        if number == len(self._codes) or self._codes[number] != code:
            raise KeyError(position)
        return number

    def take(self, numbers: np.ndarray) -> list[Hashable]:
        return list(map(self._ruleset.decode, self._codes[numbers].tolist()))


def _parts(start: Hashable) -> Iterable[Hashable]:
    return start if type(start) is Sum else (start,)


def _too_far(max_positions: int, max_moves: int, positions: int, moves: int, done: int) -> LimitError:
    return LimitError(
        f"the game is larger than the limit: {positions} positions and {moves} moves found from the first {done} "
        f"positions; the limits are max_positions={max_positions} and max_moves={max_moves}"
    )


def _unhashable(vertex: object, position: object | None = None) -> RulesetError:
    whose = "" if position is None else f", an option of {shorten(position)},"
    return RulesetError(f"position {shorten(vertex)}{whose} is not hashable: use tuples in place of lists")
