"""Exploration of games whose positions have integer codes (:class:`CodedRuleset`), with numpy arrays.

This module also checks the rules of such games. A sum of two positions has a key in place of a code; see
:func:`sum_keys`.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence

import numpy as np

from graphgame.compiled.engine import Progress
from graphgame.errors import LimitError, Message
from graphgame.graph.gamegraph import GameGraph
from graphgame.graph.labels import ArrayLabels, Labels
from graphgame.labs.coded import CodedRuleset, option_codes
from graphgame.rules.checking import Check, Sample, checked
from graphgame.rules.exploration import Limits
from graphgame.rules.rule_errors import rule_errors
from graphgame.rules.ruleset import Sum, parts_of

_POSITIONS_AT_A_TIME, _MOVES_AT_A_TIME = 1 << 14, 1 << 22
"""The largest number of positions in a chunk of the frontier, and the intended largest number of their moves."""
_CODES_A_POSITION = 20
"""The table of seen codes has at most this many entries for each position that the limit allows, and 1000 more."""
_MOST_CODES = 2**31 - 1

Pairs = tuple[np.ndarray, np.ndarray]
"""For each move, the code that it starts from, and the code or sum key that it leads to."""


class CodedExploration:
    """A breadth-first search over codes, one frontier at a time. A table of booleans marks the codes seen so far."""

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
        """Return the graph of all positions that the starts lead to; the starts become its tokens.

        Raises LimitError if the graph exceeds the limits, or if a code is too large for the table.
        """
        codes = [self._code(start) for start in starts]
        self._limits.refuse_larger(self._ruleset, starts)
        frontier = self._first_seen(np.array(codes, np.int64))
        while len(frontier):
            frontier = np.concatenate([self._explore(chunk) for chunk in self._chunks(frontier)])
        self._merge_sums()
        return self._graph(np.flatnonzero(self._seen), [self._ruleset.decode(code) for code in codes])

    def _graph(self, codes: np.ndarray, tokens: list[Hashable]) -> GameGraph:
        """Return the explored graph. Its vertices are ``codes``, then the sums in the order of their keys.

        ``codes`` has all codes seen, in increasing order. ``tokens`` has the positions with tokens.
        """
        # The number of the vertex for a code is the number of smaller codes that were seen.
        number_of = np.cumsum(self._seen, dtype=np.int32) - np.int32(1)
        parts = number_of[np.stack([(self._sums >> 32) - 1, self._sums & 0xFFFFFFFF], axis=1)]
        sum_vertices = np.arange(len(codes), len(codes) + len(self._sums), dtype=np.int32)
        decided = None
        if self._ruleset.decides:
            decided = np.zeros(len(codes) + len(self._sums), np.int8)
            decided[: len(codes)] = self._ruleset.decided_codes(codes)
        sources = [number_of[source] for source, _ in self._moves_to_codes + self._moves_to_sums]
        targets = [number_of[target] for _, target in self._moves_to_codes]
        targets += [sum_vertices[np.searchsorted(self._sums, keys)] for _, keys in self._moves_to_sums]
        return GameGraph.from_arrays(
            np.concatenate([*sources, np.repeat(sum_vertices, 2)]),
            np.concatenate([*targets, parts.ravel()]),
            _CodedLabels(self._ruleset, codes, self._sums),
            sums=np.arange(len(codes) + len(self._sums)) >= len(codes),
            decided=decided,
            tokens=tokens,
            overwrite=True,
        )

    def _code(self, position: Hashable) -> int:
        with rule_errors(type(self._ruleset).__name__, Message("the start")):
            code = self._ruleset.encode(position)
        if code >= self._largest_table:
            raise self._too_large(position, code)
        return code

    def _too_large(self, position: Hashable, code: int) -> LimitError:
        """Return the error for a position whose code is too large for the table."""
        raisable = code < min(self._ruleset.size, _MOST_CODES)
        return LimitError(
            "position {position!r} is too large to explore: its code is {code!r}, and a table has at "
            "most {largest_table} codes with max_positions={positions}",
            position,
            code,
            self._largest_table,
            self._limits.positions,
            limit="max_positions" if raisable else None,
        )

    def _chunks(self, frontier: np.ndarray) -> Iterator[np.ndarray]:
        """Yield chunks of the frontier: up to ``_POSITIONS_AT_A_TIME`` positions and about ``_MOVES_AT_A_TIME`` moves.

        The number of moves is estimated from the average number of moves of the positions explored so far.
        """
        start = 0
        while start < len(frontier):
            size = max(1, min(_POSITIONS_AT_A_TIME, _MOVES_AT_A_TIME * self._explored // max(self._moves, 1)))
            yield frontier[start : start + size]
            start += size

    def _explore(self, codes: np.ndarray) -> np.ndarray:
        """Record the moves from the positions with these codes; return the codes that are seen here for the first time.

        These are codes of options and, if an option is a sum, of its two parts.
        """
        rows, options = option_codes(self._ruleset, codes)
        sources = codes[rows].astype(np.int32)
        self._explored += len(codes)
        self._moves += len(rows)
        if options.ndim == 2:
            splits = options[:, 1] >= 0
            keys = sum_keys(options[splits])
            self._moves_to_sums.append((sources[splits], keys))
            self._new_sums.append(keys)
            # Many moves lead to the same sums: drop repeated keys before they fill the memory.
            if sum(map(len, self._new_sums)) > self._limits.positions:
                self._merge_sums()
            sources, targets = sources[~splits], options[~splits, 0]
            options = options[options >= 0]
        else:
            targets = options
        self._moves_to_codes.append((sources, targets.astype(np.int32)))
        new = self._first_seen(options)
        self._check_limits()
        if self._progress is not None:
            self._progress(self._positions + len(self._sums), self._moves)
        return new

    def _first_seen(self, codes: np.ndarray) -> np.ndarray:
        size, needed = len(self._seen), int(codes.max(initial=-1)) + 1
        if needed > size:
            # Refuse the code before a table for it is allocated.
            if needed > self._largest_table:
                raise self._too_large(self._ruleset.decode(needed - 1), needed - 1)
            larger = max(needed, min(2 * size, self._largest_table))
            self._seen = np.append(self._seen, np.zeros(larger - size, np.bool_))
        new = _distinct(codes[~self._seen[codes]])
        self._seen[new] = True
        self._positions += len(new)
        return new

    def _merge_sums(self) -> None:
        self._sums, self._new_sums = _distinct(np.concatenate([self._sums, *self._new_sums])), []
        self._check_limits()

    def _check_limits(self) -> None:
        positions = self._positions + len(self._sums)
        most, most_moves = self._limits
        if positions > most or self._moves > most_moves:
            raise self._limits.exceeded(positions, self._moves, self._explored)


def _distinct(values: np.ndarray) -> np.ndarray:
    """Return the distinct values in increasing order."""
    # By sorting: the hash table of np.unique is slower.
    ordered: np.ndarray = np.sort(values)
    first: np.ndarray = np.append(True, ordered[1:] != ordered[:-1])[: len(ordered)]
    distinct: np.ndarray = ordered[first]
    return distinct


def sum_keys(parts: np.ndarray) -> np.ndarray:
    """Return a key for each row of ``parts``. A row has the codes of two positions, or one code and -1.

    The key of two codes identifies the sum of the two positions, in either order, and is at least 2**32. The key of a
    code and -1 is the code.
    """
    keys: np.ndarray = (parts.min(axis=1).astype(np.int64) + 1 << 32) + parts.max(axis=1)
    return keys


class _CodedLabels(Labels):
    """The labels of an explored graph: positions in the order of their codes, then sums in the order of their keys."""

    def __init__(self, ruleset: CodedRuleset, codes: np.ndarray, sums: np.ndarray) -> None:
        self._ruleset = ruleset
        self._codes = ArrayLabels(codes)
        self._sums = ArrayLabels(sums)

    def __len__(self) -> int:
        return len(self._codes) + len(self._sums)

    def __iter__(self) -> Iterator[Hashable]:
        return map(self.at, range(len(self)))

    def at(self, number: int) -> Hashable:
        decode = self._ruleset.decode
        if number < len(self._codes):
            return decode(self._codes.at(number))
        key = self._sums.at(number - len(self._codes))
        return Sum([decode((key >> 32) - 1), decode(key & 0xFFFFFFFF)])

    def find(self, position: object) -> int:
        hash(position)
        try:
            codes = [self._ruleset.encode(part) for part in parts_of(position)]
        except (ValueError, TypeError):
            raise KeyError(position) from None
        if type(position) is not Sum:
            return self._codes.find(codes[0])
        if len(codes) != 2:
            raise KeyError(position)
        return len(self._codes) + self._sums.find((min(codes) + 1 << 32) + max(codes))

    def take(self, numbers: np.ndarray) -> list[Hashable]:
        if len(self._sums):
            return list(map(self.at, numbers.tolist()))
        return list(map(self._ruleset.decode, self._codes.column(numbers).tolist()))


def explored_codes(
    ruleset: CodedRuleset, starts: Sequence[Hashable], limits: Limits, progress: Progress | None
) -> GameGraph:
    """Return the graph of all positions that the starts lead to, in a game whose positions have codes.

    Raises LimitError if the graph exceeds the limits, or if a code is too large.
    """
    return CodedExploration(ruleset, limits, progress).run(starts)


def _differing(sample: Sample) -> Iterator[str]:
    rules = sample.ruleset
    assert isinstance(rules, CodedRuleset)
    positions = list(sample.options)
    codes = np.array([rules.encode(position) for position in positions], np.int64)
    rows, ends = option_codes(rules, codes)
    by_codes: list[set[tuple[int, ...]]] = [set() for _ in positions]
    for row, end in zip(rows.tolist(), ends.reshape(len(rows), ends.ndim).tolist(), strict=True):
        by_codes[row].add(tuple(sorted(code for code in end if code >= 0)))
    for position, code, together in zip(positions, codes.tolist(), by_codes, strict=True):
        back = rules.decode(code)
        if rules.canonical(back) != rules.canonical(position):
            yield Message(
                "position {position!r} has the code {code}, but this code decodes to {back!r}", position, code, back
            )
        alone = {tuple(sorted(map(rules.encode, parts_of(option)))) for option in sample.options[position]}
        # In an incomplete sample, the options of a position may be cut off.
        if not (alone == together if sample.complete else alone <= together):
            yield Message(
                "position {position!r} has options with the codes {alone}, but option_codes returns {together}",
                position,
                _codes(alone),
                _codes(together),
            )


def _codes(options: Iterable[tuple[int, ...]]) -> str:
    return f"[{', '.join(' + '.join(map(str, option)) for option in sorted(options))}]"


def check_codes(sample: Sample) -> Check:
    """Check that ``option_codes`` agrees with ``options`` and ``decode`` with ``encode``, on a sample of positions."""
    return checked(Message("the methods option_codes and decode agree with options and encode"), sample, _differing)
