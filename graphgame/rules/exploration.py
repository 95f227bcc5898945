"""Breadth-first search over the positions of a ruleset; :func:`graphgame.rules.ruleset.explore` is its face."""

from __future__ import annotations

import gc
from array import array
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice

import numpy as np

from graphgame.arrays.engine import Progress
from graphgame.arrays.labels import Labels
from graphgame.errors import GraphGameError, LimitError, RulesetError, plural, shorten
from graphgame.graph import GameGraph
from graphgame.rules.limits import Limits
from graphgame.rules.plays import MOST_TRIED, parts_of, unended_play
from graphgame.rules.ruleset import CodedRuleset, Ruleset, Sum, blamed

__all__ = ["CodedExploration", "Exploration", "option_codes", "sum_keys"]

_REPORT_EVERY = 1 << 10
_BATCH = 1 << 10
_SELDOM = 1 << 20
_MOST_IMAGES = 1 << 18
_CHUNK = 1 << 14
_CHUNK_MOVES = 1 << 22
_CODES_A_POSITION = 20
_MOST_CODES = 2**31 - 1

Pairs = tuple[np.ndarray, np.ndarray]


class _Parts(tuple[int, ...]):
    """The vertex numbers of the parts of a sum, in increasing order."""

    __slots__ = ()


class _Numbers(dict[Hashable, int]):
    """Vertex -> number; a vertex that is looked up for the first time gets the next one."""

    def __init__(self, vertices: list[Hashable]) -> None:
        self._vertices = vertices

    def __missing__(self, vertex: Hashable) -> int:
        number = self[vertex] = len(self._vertices)
        self._vertices.append(vertex)
        return number


class _Images(dict[Hashable, int]):
    """Position as the rules give it -> number of the one that stands for it; forgets where there are many."""

    def __init__(self, canonical: Callable[[Hashable], Hashable], numbers: _Numbers) -> None:
        self._canonical = canonical
        self._numbers = numbers

    def __missing__(self, position: Hashable) -> int:
        if len(self) == _MOST_IMAGES:
            self.clear()
        number = self[position] = self._numbers[self._canonical(position)]
        return number


class Exploration:
    """A breadth-first search over positions of any kind."""

    def __init__(self, ruleset: Ruleset, limits: Limits, progress: Progress | None) -> None:
        self._ruleset = ruleset
        self._limits = limits
        self._progress = progress
        self._starts: Sequence[Hashable] = ()
        self._vertices: list[Hashable] = []
        self._sums, numbers = _Numbers(self._vertices), _Numbers(self._vertices)
        symmetric = type(ruleset).canonical is not Ruleset.canonical
        self._find = (_Images(ruleset.canonical, numbers) if symmetric else numbers).__getitem__

    def run(self, starts: Sequence[Hashable]) -> GameGraph:
        """Return the graph of all that can come up from the starts, which become its tokens."""
        self._starts = starts
        tokens = [self._vertices[self._start(start)] for start in starts]
        self._limits.refuse_larger(self._ruleset, starts)
        self._check_limits(0, 0)
        with _collecting_seldom():
            target, lengths = self._explore()
            labels = self._labels()
        source = np.repeat(np.arange(len(lengths), dtype=np.int32), np.frombuffer(lengths, np.int32))
        sums = np.fromiter((type(vertex) is _Parts for vertex in self._vertices), np.bool_, len(lengths))
        ends = np.frombuffer(target, np.int32) if target else np.zeros(0, np.int32)
        return GameGraph.from_arrays(source, ends, labels, sums=sums, tokens=tokens, overwrite=True)

    def _explore(self) -> tuple[array[int], array[int]]:
        """Return the options of all vertices one after another, and how many each has."""
        target, lengths = array("i"), array("i")
        for place, vertex in enumerate(self._vertices):
            before = len(target)
            if type(vertex) is _Parts:
                target.extend(vertex)
            else:
                self._append_options(vertex, target, place)
            lengths.append(len(target) - before)
            if self._progress is not None and place % _REPORT_EVERY == 0:
                self._progress(len(self._vertices), len(target))
        return target, lengths

    def _append_options(self, position: Hashable, target: array[int], place: int) -> None:
        batch: list[Hashable] = []
        before = len(target)
        try:
            options = iter(self._ruleset.options(position))
            while batch := list(islice(options, min(_BATCH, self._limits.moves - len(target) + 1))):
                target.extend(self._numbers(batch))
                own = len(target) - before
                hint = f"; {shorten(position)} alone has {own:,} moves or more" if own >= _BATCH else ""
                self._check_limits(len(target), place, hint)
        except (GraphGameError, MemoryError):
            raise
        except (Exception, SystemExit) as error:
            _check_hashable(batch, f", an option of {shorten(position)},")
            raise _failed(self._ruleset, position, error) from error

    def _check_limits(self, moves: int, place: int, hint: str = "") -> None:
        if moves > self._limits.moves or len(self._vertices) > self._limits.positions:
            found = f"{plural(len(self._vertices), 'position')} and {plural(moves, 'move')}"
            found += f" found from the first {plural(place, 'position')}{hint}"
            raise self._limits.error(found, moves, self._play(place))

    def _play(self, place: int) -> list[Hashable] | None:
        """Return a play that is not seen to end, looked for in no more time than the exploration took.

        The games of this package are known to end.
        """
        if self._ruleset.loopy or type(self._ruleset).__module__.startswith("graphgame."):
            return None
        try:
            return unended_play(self._ruleset, self._starts, min(place, MOST_TRIED))
        except (Exception, SystemExit):  # rules that fail there are not why the exploration stops
            return None

    def _numbers(self, options: Sequence[Hashable]) -> Iterable[int]:
        return map(self._number if Sum in set(map(type, options)) else self._find, options)

    def _number(self, option: Hashable) -> int:
        if type(option) is not Sum:
            return self._find(option)
        parts = sorted(map(self._find, option))
        return parts[0] if len(parts) == 1 else self._sums[_Parts(parts)]

    def _labels(self) -> list[Hashable]:
        vertices = self._vertices
        return [Sum(map(vertices.__getitem__, vertex)) if type(vertex) is _Parts else vertex for vertex in vertices]

    def _start(self, position: Hashable) -> int:
        with blamed(type(self._ruleset).__name__, "the start"):
            _check_hashable([position])
            return self._number(position)


def _check_hashable(options: Iterable[Hashable], whose: str = "") -> None:
    for part in (part for option in options for part in parts_of(option)):
        try:
            hash(part)
        except TypeError:
            raise RulesetError(
                f"position {shorten(part)}{whose} is not hashable: use tuples in place of lists"
            ) from None


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
        sources = [number[source] for source, _ in self._moves_to_codes + self._moves_to_sums]
        targets = [number[target] for _, target in self._moves_to_codes]
        targets += [vertices[np.searchsorted(self._sums, keys)] for _, keys in self._moves_to_sums]
        return GameGraph.from_arrays(
            np.concatenate([*sources, np.repeat(vertices, 2)]),
            np.concatenate([*targets, parts.ravel()]),
            _CodedLabels(self._ruleset, codes, self._sums),
            sums=np.arange(len(codes) + len(self._sums)) >= len(codes),
            tokens=tokens,
            overwrite=True,
        )

    def _code(self, position: Hashable) -> int:
        with blamed(type(self._ruleset).__name__, "the start"):
            code = self._ruleset.encode(position)
        if code >= self._largest_table:
            raisable = code < min(self._ruleset.size, _MOST_CODES)
            raise LimitError(
                f"position {shorten(position)} is too large to explore: its code is {shorten(code)}, and a table has "
                f"at most {self._largest_table} codes with max_positions={self._limits.positions}",
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
            raise self._limits.error(f"{found} found from the first {plural(self._explored, 'position')}", self._moves)


def option_codes(ruleset: CodedRuleset, codes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return what the rules say are the options of some positions, if it is well-formed; else raise RulesetError."""
    try:
        rows, options = ruleset.option_codes(codes)
    except (GraphGameError, MemoryError):
        raise
    except (Exception, SystemExit) as error:
        raise _failed(ruleset, ruleset.decode(int(codes[0])), error) from error
    if options.shape not in ((len(rows),), (len(rows), 2)):
        raise RulesetError(f"option_codes gave {len(rows)} rows and options of shape {options.shape}")
    first = options[:, 0] if options.ndim == 2 else options
    if len(options) and (first.min() < 0 or options.max() >= ruleset.size):
        bad = min(first.min(), 0) or options.max()
        raise RulesetError(f"option_codes gave the code {bad}: expected 0..{ruleset.size - 1}")
    return rows, options


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

    def _at(self, number: int) -> Hashable:
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
            return list(map(self._at, numbers.tolist()))
        return list(map(self._ruleset.decode, self._codes[numbers].tolist()))


def _place(values: np.ndarray, value: int, position: object) -> int:
    """Return the place of a value among increasing ones; raise KeyError where it is not there."""
    place = int(np.searchsorted(values, value)) if value < 2**63 else len(values)
    if place == len(values) or values[place] != value:
        raise KeyError(position)
    return place


@contextmanager
def _collecting_seldom() -> Iterator[None]:
    """Look for garbage in cycles less often, for positions are many and are none."""
    threshold = gc.get_threshold()
    gc.set_threshold(_SELDOM, *threshold[1:])
    try:
        yield
    finally:
        gc.set_threshold(*threshold)


def _failed(ruleset: Ruleset, position: Hashable, error: BaseException) -> RulesetError:
    return RulesetError(
        f"{type(ruleset).__name__} fails at the options of {shorten(position)}: {type(error).__name__}: {error}"
    )
