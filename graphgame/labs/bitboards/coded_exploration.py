"""The exploration of rules whose positions are codes: the options of many positions at once, as arrays."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence

import numpy as np

from graphgame.compiled.engine import Progress
from graphgame.errors import LimitError, Message, plural
from graphgame.graph.gamegraph import GameGraph
from graphgame.graph.labels import Labels
from graphgame.rules.coded import CodedRuleset, option_codes
from graphgame.rules.faults import blamed
from graphgame.rules.limits import Limits, parts_of
from graphgame.rules.ruleset import Sum

_CHUNK = 1 << 14
_CHUNK_MOVES = 1 << 22
_CODES_A_POSITION = 20
_MOST_CODES = 2**31 - 1

Pairs = tuple[np.ndarray, np.ndarray]


class CodedExploration:
    """A breadth-first search, a frontier at a time, over integers; a table of codes says which were seen."""

    def __init__(self, ruleset: CodedRuleset, limits: Limits, progress: Progress | None) -> None:
        self._ruleset = ruleset
        self._limits = limits
        self._progress = progress
        self._largest_table = min(ruleset.size, _CODES_A_POSITION * limits.positions + 1000, _MOST_CODES)
        self._seen = np.zeros(0, np.bool_)
        self._sums, self._new_sums = np.zeros(0, np.int64), [np.zeros(0, np.int64)]
        self._moves_to_codes: list[Pairs] = []
        self._moves_to_sums: list[Pairs] = []
        self._positions = self._moves = self._explored = 0

    def run(self, starts: Sequence[Hashable]) -> GameGraph:
        """Return the graph of all that can come up from the starts, which become its tokens."""
        codes = [self._code(start) for start in starts]
        self._limits.refuse_larger(self._ruleset, starts)
        frontier = self._first_seen(np.array(codes, np.int64))
        while len(frontier):
            frontier = np.concatenate([self._explore(chunk) for chunk in self._chunks(frontier)])
        self._merge_sums()
        return self._graph(np.flatnonzero(self._seen), [self._ruleset.decode(code) for code in codes])

    def _graph(self, codes: np.ndarray, tokens: list[Hashable]) -> GameGraph:
        """Return the graph of codes in increasing order, then sums in the order of their keys."""
        number = np.cumsum(self._seen, dtype=np.int32) - np.int32(1)
        parts = number[np.stack([(self._sums >> 32) - 1, self._sums & 0xFFFFFFFF], axis=1)]
        vertices = np.arange(len(codes), len(codes) + len(self._sums), dtype=np.int32)
        decided = None
        if self._ruleset.decides:
            decided = np.zeros(len(codes) + len(self._sums), np.int8)
            decided[: len(codes)] = self._ruleset.decided_codes(codes)
        sources = [number[source] for source, _ in self._moves_to_codes + self._moves_to_sums]
        targets = [number[target] for _, target in self._moves_to_codes]
        targets += [vertices[np.searchsorted(self._sums, keys)] for _, keys in self._moves_to_sums]
        return GameGraph.from_arrays(
            np.concatenate([*sources, np.repeat(vertices, 2)]),
            np.concatenate([*targets, parts.ravel()]),
            _CodedLabels(self._ruleset, codes, self._sums),
            sums=np.arange(len(codes) + len(self._sums)) >= len(codes),
            decided=decided,
            tokens=tokens,
            overwrite=True,
        )

    def _code(self, position: Hashable) -> int:
        with blamed(type(self._ruleset).__name__, Message("the start")):
            code = self._ruleset.encode(position)
        if code >= self._largest_table:
            raisable = code < min(self._ruleset.size, _MOST_CODES)
            raise LimitError(
                "position {position!r} is too large to explore: its code is {code!r}, and a table has at "
                "most {largest_table} codes with max_positions={positions}",
                position,
                code,
                self._largest_table,
                self._limits.positions,
                limit="max_positions" if raisable else None,
            )
        return code

    def _chunks(self, frontier: np.ndarray) -> Iterator[np.ndarray]:
        """Yield the frontier in parts, each small enough for the moves that positions have had so far."""
        start = 0
        while start < len(frontier):
            size = max(1, min(_CHUNK, _CHUNK_MOVES * self._explored // max(self._moves, 1)))
            yield frontier[start : start + size]
            start += size

    def _explore(self, codes: np.ndarray) -> np.ndarray:
        """Add the options of some positions; return those that are new."""
        rows, options = option_codes(self._ruleset, codes)
        sources = codes[rows].astype(np.int32)
        self._explored += len(codes)
        self._moves += len(rows)
        if options.ndim == 2:
            splits = options[:, 1] >= 0
            self._add_sums(sources[splits], options[splits])
            sources, plain = sources[~splits], options[~splits, 0]
            options = options[options >= 0]
        else:
            plain = options
        self._moves_to_codes.append((sources, plain.astype(np.int32)))
        new = self._first_seen(options)
        self._check_limits()
        if self._progress is not None:
            self._progress(self._positions + len(self._sums), self._moves)
        return new

    def _first_seen(self, codes: np.ndarray) -> np.ndarray:
        least = int(codes.max(initial=-1)) + 1
        if least > len(self._seen):
            self._seen = np.append(self._seen, np.zeros(max(least, 2 * len(self._seen)) - len(self._seen), np.bool_))
        new = _distinct(codes[~self._seen[codes]])
        self._seen[new] = True
        self._positions += len(new)
        return new

    def _add_sums(self, sources: np.ndarray, parts: np.ndarray) -> None:
        keys = sum_keys(parts)
        self._moves_to_sums.append((sources, keys))
        self._new_sums.append(keys)
        if sum(map(len, self._new_sums)) > self._limits.positions:
            self._merge_sums()

    def _merge_sums(self) -> None:
        self._sums, self._new_sums = _distinct(np.concatenate([self._sums, *self._new_sums])), []
        self._check_limits()

    def _check_limits(self) -> None:
        positions = self._positions + len(self._sums)
        most, most_moves = self._limits
        if positions > most or self._moves > most_moves or len(self._seen) > self._largest_table:
            found = f"{plural(positions, 'position')} and {plural(self._moves, 'move')}"
            raise self._limits.error(
                Message("{found} found from the first {positions}", found, plural(self._explored, "position")),
                self._moves,
            )


def _distinct(values: np.ndarray) -> np.ndarray:
    """Return the distinct values in increasing order; by sorting, for the hash table of np.unique is slower."""
    ordered: np.ndarray = np.sort(values)
    first: np.ndarray = np.append(True, ordered[1:] != ordered[:-1])[: len(ordered)]
    distinct: np.ndarray = ordered[first]
    return distinct


def sum_keys(parts: np.ndarray) -> np.ndarray:
    """Return an integer from 2**32 on for each pair of codes, the same in either order."""
    keys: np.ndarray = (parts.min(axis=1).astype(np.int64) + 1 << 32) + parts.max(axis=1)
    return keys


class _CodedLabels(Labels):
    """The positions of increasing codes, then the sums of increasing keys."""

    def __init__(self, ruleset: CodedRuleset, codes: np.ndarray, sums: np.ndarray) -> None:
        self._ruleset = ruleset
        self._codes = codes
        self._sums = sums

    def __len__(self) -> int:
        return len(self._codes) + len(self._sums)

    def __iter__(self) -> Iterator[Hashable]:
        return map(self.at, range(len(self)))

    def at(self, number: int) -> Hashable:
        decode, number = self._ruleset.decode, number % len(self)
        if number < len(self._codes):
            return decode(int(self._codes[number]))
        key = int(self._sums[number - len(self._codes)])
        return Sum([decode((key >> 32) - 1), decode(key & 0xFFFFFFFF)])

    def find(self, position: object) -> int:
        hash(position)
        try:
            codes = [self._ruleset.encode(part) for part in parts_of(position)]
        except (ValueError, TypeError):
            raise KeyError(position) from None
        if type(position) is not Sum:
            return _place(self._codes, codes[0], position)
        if len(codes) != 2:
            raise KeyError(position)
        return len(self._codes) + _place(self._sums, (min(codes) + 1 << 32) + max(codes), position)

    def take(self, numbers: np.ndarray) -> list[Hashable]:
        if len(self._sums):
            return list(map(self.at, numbers.tolist()))
        return list(map(self._ruleset.decode, self._codes[numbers].tolist()))


def _place(values: np.ndarray, value: int, position: object) -> int:
    """Return the place of a value among increasing ones; raise KeyError where it is not there."""
    place = int(np.searchsorted(values, value)) if value < 2**63 else len(values)
    if place == len(values) or values[place] != value:
        raise KeyError(position)
    return place


def explored_codes(
    ruleset: CodedRuleset, starts: Sequence[Hashable], limits: Limits, progress: Progress | None
) -> GameGraph:
    """Return the graph of a game whose positions are codes."""
    return CodedExploration(ruleset, limits, progress).run(starts)
