"""Breadth-first search over the positions of a ruleset; :func:`graphgame.ruleset.explore` is its face."""

from __future__ import annotations

from array import array
from collections.abc import Hashable, Iterable
from typing import NoReturn

import numpy as np

from graphgame.errors import GraphGameError, LimitError, RulesetError, shorten
from graphgame.graph import GameGraph
from graphgame.labels import Labels
from graphgame.ruleset import CodedRuleset, Progress, Ruleset, Sum, blamed

__all__ = ["CodedExploration", "Exploration"]

_REPORT_EVERY = 1 << 10
_CHUNK = 1 << 14


class Exploration:
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
        """Return the graph of all that can come up from the starts, which become its tokens."""
        with blamed(type(self._ruleset).__name__, "the start"):
            tokens = [self._vertices[self._add(part)] for start in starts for part in _parts(start)]
        target, lengths = array("i"), array("i")
        for place, vertex in enumerate(self._vertices):
            before = len(target)
            if type(vertex) is Sum:
                target.extend([self._number[part] for part in vertex])
            else:
                try:
                    self._append_options(vertex, target, place)
                except (GraphGameError, MemoryError):
                    raise
                except Exception as error:
                    raise _failed(self._ruleset, vertex, error) from error
            lengths.append(len(target) - before)
            if self._progress is not None and place % _REPORT_EVERY == 0:
                self._progress(len(self._vertices), len(target))
        source = np.repeat(np.arange(len(self._vertices), dtype=np.int32), np.frombuffer(lengths, np.int32))
        sums = np.fromiter((type(vertex) is Sum for vertex in self._vertices), np.bool_, len(self._vertices))
        ends = np.frombuffer(target, np.int32) if target else np.zeros(0, np.int32)
        return GameGraph.from_arrays(source, ends, self._vertices, sums=sums, tokens=tokens)

    def _append_options(self, position: Hashable, target: array[int], place: int) -> None:
        number, vertices, append = self._number, self._vertices, target.append
        canonical = self._ruleset.canonical if self._symmetric else None
        room = self._max_moves - len(target)
        for count, option in enumerate(self._ruleset.options(position), 1):
            if count > room or len(vertices) > self._max_positions:
                self._refuse(len(target), place)
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
        if len(vertices) > self._max_positions:
            self._refuse(len(target), place)

    def _refuse(self, moves: int, place: int) -> NoReturn:
        raise _too_far(self._max_positions, self._max_moves, len(self._vertices), moves, place)

    def _add(self, position: Hashable) -> int:
        vertex = self._ruleset.canonical(position) if self._symmetric else position
        try:
            number = self._number.get(vertex)
        except TypeError:
            raise _unhashable(vertex) from None
        return self._number_of(vertex) if number is None else number

    def _number_of(self, vertex: Hashable) -> int:
        number = self._number.setdefault(vertex, len(self._vertices))
        if number == len(self._vertices):
            self._vertices.append(vertex)
        return number

    def _add_sum(self, option: Sum) -> int:
        """Return the number of a sum, its parts in the order of their numbers; a sum of one part is that part."""
        parts = sorted([self._add(part) for part in option])
        return parts[0] if len(parts) == 1 else self._number_of(Sum([self._vertices[part] for part in parts]))


class CodedExploration:
    """A breadth-first search, a frontier at a time, over integers; a table of all codes says which were seen."""

    def __init__(self, ruleset: CodedRuleset, max_positions: int, max_moves: int, progress: Progress | None) -> None:
        self._ruleset = ruleset
        self._max_positions = max_positions
        self._max_moves = max_moves
        self._progress = progress

    def run(self, starts: Iterable[Hashable]) -> GameGraph:
        """Return the graph of all that can come up from the starts, which become its tokens."""
        rules = self._ruleset
        tokens = [rules.decode(rules.encode(part)) for start in starts for part in _parts(start)]
        if self._ruleset.size > 20 * self._max_positions + 1000:
            raise LimitError(
                f"a table of {self._ruleset.size} codes is too large for max_positions={self._max_positions}",
                limit="max_positions",
            )
        seen = np.zeros(self._ruleset.size, np.bool_)
        frontier = np.unique(np.array([self._ruleset.encode(token) for token in tokens], np.int64))
        seen[frontier] = True
        sources, targets = [], []
        moves, explored, positions = 0, 0, len(frontier)
        while len(frontier):
            found = []
            for chunk in np.split(frontier, range(_CHUNK, len(frontier), _CHUNK)):
                rows, options = self._option_codes(chunk)
                sources.append(chunk[rows].astype(np.int32))
                targets.append(options.astype(np.int32))
                new = np.unique(options[~seen[options]])
                seen[new] = True
                found.append(new)
                moves += len(options)
                positions += len(new)
                if positions > self._max_positions or moves > self._max_moves:
                    raise _too_far(self._max_positions, self._max_moves, positions, moves, explored)
                explored += len(chunk)
                if self._progress is not None:
                    self._progress(positions, moves)
            frontier = np.concatenate(found)
        codes = np.flatnonzero(seen)
        number = np.cumsum(seen, dtype=np.int32) - np.int32(1)
        source, target = number[np.concatenate(sources)], number[np.concatenate(targets)]
        return GameGraph.from_arrays(source, target, _CodedLabels(self._ruleset, codes), tokens=tokens)

    def _option_codes(self, codes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        try:
            rows, options = self._ruleset.option_codes(codes)
        except (GraphGameError, MemoryError):
            raise
        except Exception as error:
            raise _failed(self._ruleset, self._ruleset.decode(int(codes[0])), error) from error
        if len(options) and (options.min() < 0 or options.max() >= self._ruleset.size):
            bad = options[(options < 0) | (options >= self._ruleset.size)][0]
            raise RulesetError(f"option_codes gave the code {bad}: expected 0..{self._ruleset.size - 1}")
        return rows, options


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
        f"positions; the limits are max_positions={max_positions} and max_moves={max_moves}",
        limit="max_positions",
    )


def _unhashable(vertex: object, position: object | None = None) -> RulesetError:
    whose = "" if position is None else f", an option of {shorten(position)},"
    return RulesetError(f"position {shorten(vertex)}{whose} is not hashable: use tuples in place of lists")


def _failed(ruleset: Ruleset, position: Hashable, error: Exception) -> RulesetError:
    return RulesetError(
        f"{type(ruleset).__name__} fails at the options of {shorten(position)}: {type(error).__name__}: {error}"
    )
