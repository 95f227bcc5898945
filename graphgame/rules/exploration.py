"""Explore rules into a graph: a breadth-first search over the positions of a ruleset, within limits.

Games that exceed the limits are refused. For a user's rules, a depth-first search then looks for a play without an end,
because a breadth-first search can meet the limit before it closes a cycle.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from itertools import count, islice
from types import GeneratorType
from typing import Any, NamedTuple

import numpy as np

from graphgame.compiled.engine import Progress, rarely_collecting
from graphgame.errors import (
    GraphGameError,
    LimitError,
    Message,
    RulesetError,
    checks_parameters,
    joined,
    play_text,
    plural,
    shorten,
)
from graphgame.graph.gamegraph import GameGraph
from graphgame.graph.labels import Labels, as_labels
from graphgame.graph.rows import marked
from graphgame.registry import offer_for
from graphgame.rules import MAX_MOVES, MAX_POSITIONS
from graphgame.rules.rule_errors import failure, hashed, iterated, line_of_method, rule_errors
from graphgame.rules.ruleset import Ruleset, Sum, decision, parts_of, tells

_POSITIONS_A_REPORT = 1 << 10
_BATCH = 1 << 10  # options that are read at a time, so that an endless iterator of options meets the limit
_MOST_CACHED = 1 << 18
_MOVES_A_POSITION = 10
_ITERATORS = {GeneratorType, map, filter, zip}
_POSITIONS_CHECKED = 100  # only the options of the first positions are checked for iterators, because this takes time
_ITERABLES = {GeneratorType, list, tuple, range}


@checks_parameters
def explore(
    ruleset: Ruleset,
    *starts: Hashable,
    max_positions: int = MAX_POSITIONS,
    max_moves: int | None = None,
    progress: Progress | None = None,
) -> GameGraph:
    """Return the graph of all positions that can be reached from the starts.

    Parameters
    ----------
    ruleset : Ruleset
    *starts : hashable
        Positions to start from; the default is ``ruleset.start``. Their canonical positions become the graph's tokens;
        a Sum becomes a token for each part.
    max_positions : int
        The limit on the vertices, sum vertices included.
    max_moves : int, optional
        The limit on the moves, duplicates included; by default 50 million, or ``10 * max_positions`` if that is more.
    progress : callable, optional
        Called as ``progress(positions, moves)`` from time to time, with the counts so far.

    Returns
    -------
    GameGraph
        Its vertices are canonical positions. A move that splits the game leads to a sum vertex.

    Raises
    ------
    LimitError
        There are more positions or moves than the limits; the message says how many were found. If
        :meth:`Ruleset.least_size` already exceeds a limit, nothing is explored.
    RulesetError
        ``ruleset`` is not a Ruleset, there is no start, an option is not hashable, or a method of the rules fails.
    ParameterError
        ``max_positions`` or ``max_moves`` is less than 1.

    Notes
    -----
    Breadth first, with O(positions + moves) calls and no recursion. The lab ``bitboards`` explores a
    :class:`CodedRuleset` with numpy arrays, and a large :class:`MaskRuleset` with a compiled loop.

    Examples
    --------
    >>> from graphgame import Ruleset, solve
    >>> class Kayles(Ruleset):  # knock down one or two adjacent pins of a row
    ...     def options(self, row):
    ...         for hit in (1, 2):
    ...             for left in range(row - hit + 1):
    ...                 yield Sum([left, row - hit - left])
    >>> solve(explore(Kayles(), 5)).grundy[5]
    4
    """
    if isinstance(ruleset, type) and issubclass(ruleset, Ruleset):
        raise RulesetError("expected a ruleset, but {name} is its class: write {name}()", ruleset.__name__)
    if not isinstance(ruleset, Ruleset):
        raise RulesetError("expected a ruleset, an instance of a subclass of Ruleset, got {ruleset!r}", ruleset)
    if len(starts) == 1 and isinstance(starts[0], list):
        raise RulesetError(
            "a list is not a position: to start from each item, call explore(rules, *{positions!r}); if the list is "
            "one position, write it as a tuple, {position!r}",
            starts[0],
            tuple(starts[0]),
        )
    begin = starts or (() if ruleset.start is None else (ruleset.start,))
    if not begin:
        raise RulesetError("{kind} has no start position: give a position to start from", type(ruleset).__name__)
    moves = max(MAX_MOVES, _MOVES_A_POSITION * max_positions) if max_moves is None else max_moves
    limits = Limits(max_positions, moves)
    parts = [part for start in begin for part in parts_of(start)]
    explored = offer_for("exploration", ruleset)
    graph: GameGraph | None = explored and explored(ruleset, parts, limits, progress)
    return graph or Exploration(ruleset, limits, progress).run(parts)


_SUM = object()
"""The first entry of a sum's key. No position contains it, so the key equals no position."""


class _Parts(tuple[Any, ...]):
    """The key of a sum in ``Exploration._numbers``: the marker ``_SUM``, then its parts' vertex numbers, sorted."""

    __slots__ = ()


class BoundedCache(dict[Hashable, Any]):
    """Maps a position to the result of a function, computed at the first look-up; emptied when it has 2**18 results."""

    def __init__(self, function: Callable[[Hashable], Any]) -> None:
        self._function = function

    def __missing__(self, position: Hashable) -> Any:  # noqa: ANN401
        if len(self) == _MOST_CACHED:
            self.clear()
        result = self[position] = self._function(position)
        return result


class Exploration:
    """A breadth-first search over the positions of any ruleset.

    A position or a sum gets its vertex number when it is first seen, and vertices are expanded in the order of their
    numbers. The parts of a sum are numbered first, so they have lower numbers than the sum.
    """

    def __init__(self, ruleset: Ruleset, limits: Limits, progress: Progress | None) -> None:
        self._ruleset, self._options = ruleset, ruleset.options
        self._limits = limits
        self._progress = progress
        self._starts: Sequence[Hashable] = ()
        self._target, self._pointers = array("I"), array("q", [0])
        self._vertices: list[Hashable] = []
        self._sums: list[int] = []
        self._decided: dict[int, int] = {}
        self._decides = ruleset.decides
        self._numbers: defaultdict[Hashable, int] = defaultdict(count().__next__)
        find = self._numbers.__getitem__
        numbers = BoundedCache(lambda position: find(ruleset.canonical(position)))
        self._find = numbers.__getitem__ if tells(ruleset, "canonical") else find

    def run(self, starts: Sequence[Hashable]) -> GameGraph:
        """Return the graph of all positions that the starts can reach; their canonical positions become its tokens."""
        self._starts = starts
        with rule_errors(type(self._ruleset).__name__, Message("the start")):
            numbers = [self._number(hashed(start)) for start in starts]
        self._limits.refuse_larger(self._ruleset, starts)
        self._check_limits(0, 0)
        with rarely_collecting():
            self._explore()
            labels = self._labels()
        sums = marked(self._sums, len(labels))
        decided = np.zeros(len(labels), np.int8)
        decided[list(self._decided)] = list(self._decided.values())
        ends = np.frombuffer(self._target, np.int32) if self._target else np.zeros(0, np.int32)
        tokens = labels.few(numbers)
        return GameGraph.from_rows(
            np.array(self._pointers), ends, labels, sums=sums, decided=decided, tokens=tokens, overwrite=True
        )

    def _explore(self) -> None:
        """Append each vertex's options, or a sum's parts, to ``_target``, and their end index to ``_pointers``."""
        target, end_row, progress = self._target, self._pointers.append, self._progress
        while new := self._new_vertices():
            for number, vertex in enumerate(new, len(self._vertices) - len(new)):
                if type(vertex) is _Parts:
                    target.extend(vertex[1:])
                    self._sums.append(number)
                elif self._decides and (code := decision(self._ruleset, vertex)):
                    self._decided[number] = code
                else:
                    self._append_options(vertex, number)
                end_row(len(target))
                if progress is not None and number % _POSITIONS_A_REPORT == 0:
                    progress(len(self._numbers), len(target))

    def _new_vertices(self) -> list[Hashable]:
        """Append to ``_vertices`` the vertices that got a number since the last call, and return these."""
        new = [*islice(reversed(self._numbers), len(self._numbers) - len(self._vertices))]
        new.reverse()
        self._vertices += new
        return new

    def _append_options(self, position: Hashable, number: int) -> None:
        batch: Sequence[Hashable] = ()
        target, end = self._target, len(self._target)
        max_positions, max_moves = self._limits
        try:
            returned: Any = self._options(position)
            kind = type(returned)
            options = iter(returned) if kind in _ITERABLES else iterated(returned, position)
            while True:
                wanted = _BATCH if end + _BATCH <= max_moves else max_moves - end + 1
                batch = returned if kind is list and len(returned) < wanted else [*islice(options, wanted)]
                if number < _POSITIONS_CHECKED and not _ITERATORS.isdisjoint(map(type, batch)):
                    raise TypeError(Message("an option is an iterator: list its items, or use yield from"))
                target.extend(map(self._number if Sum in map(type, batch) else self._find, batch))
                end = len(target)
                if end > max_moves or len(self._numbers) > max_positions:
                    own = end - self._pointers[-1]
                    hint = (
                        Message("position {position!r} alone has {own:,} moves or more", position, own)
                        if own >= _BATCH
                        else ""
                    )
                    self._check_limits(end, number, hint)
                if len(batch) < wanted:
                    return
        except (GraphGameError, MemoryError):
            raise
        except (Exception, SystemExit) as error:
            raise self._options_error(position, number, batch, error) from error

    def _options_error(
        self, position: Hashable, number: int, batch: Sequence[Hashable], error: BaseException
    ) -> RulesetError:
        """Return the error for rules that failed to list the options of a position, vertex ``number``.

        ``batch`` has the options that were read last. The error is about the first of them that is not hashable. If all
        are hashable, it is about ``error``, and names the position as :meth:`_with_origin` does.
        """
        rules, method = self._ruleset, self._ruleset.options
        try:
            for part in (part for option in batch for part in parts_of(option)):
                hashed(part, position)
        except RulesetError as wrong:
            line = line_of_method(method)
            return RulesetError("{line}: {error}", line, wrong) if line else wrong
        named = self._with_origin(position, number)
        return failure(type(rules).__name__, Message("the options"), error, named, method)

    def _with_origin(self, position: Hashable, number: int) -> str:
        """Return a position, vertex ``number``, as text for errors, with a position that leads to it if not a start."""
        if number < len(self._starts):
            return shorten(position)
        self._new_vertices()
        of_sum = (sum_ for sum_, parts in enumerate(self._vertices) if type(parts) is _Parts and number in parts)
        # A part gets its number before its sum. If no move leads to the part itself, take a move to a sum with it.
        option = number if number in self._target else next(of_sum)
        owner = bisect_right(self._pointers, self._target.index(option)) - 1
        before, end = self._vertices[owner], self._vertices[number]
        named = (
            Message("{position!r}, an option of {before!r}", position, before)
            if option == number
            else Message("{position!r}, a part of an option of {before!r}", position, before)
        )
        if isinstance(end, tuple) and not isinstance(before, tuple):
            return Message("{position}; is this option meant to be {sum}?", named, f"Sum({shorten([*end])})")
        return named

    def _check_limits(self, moves: int, explored: int, hint: str = "") -> None:
        if moves > self._limits.moves or len(self._numbers) > self._limits.positions:
            # The search for unended play tries at most one move for each explored position: no more than exploring did.
            play = own_unended_play(self._ruleset, self._starts, min(explored, MOST_TRIED))
            raise self._limits.exceeded(len(self._numbers), moves, explored, hint, play)

    def _number(self, option: Hashable) -> int:
        if type(option) is not Sum:
            return self._find(option)
        parts = sorted(map(self._find, option))
        return parts[0] if len(parts) == 1 else self._numbers[_Parts((_SUM, *parts))]

    def _labels(self) -> Labels:
        """Return the labels of the vertices, a Sum for each sum vertex. Without sums, ``_numbers`` looks them up."""
        vertices: list[Any] = self._vertices
        self._numbers.default_factory = None
        if not self._sums:
            return as_labels(vertices, self._numbers)
        for number in self._sums:
            vertices[number] = Sum(map(vertices.__getitem__, vertices[number][1:]))
        return as_labels(vertices)


_LARGEST_SHOWN = 10**18
_MOVES_BEYOND_MEMORY = 10**11


class Limits(NamedTuple):
    """The limits of an exploration: how many positions and how many moves it may find."""

    positions: int
    moves: int

    def refuse_larger(self, ruleset: Ruleset, starts: Iterable[Hashable]) -> None:
        """Raise a LimitError if the ruleset's ``least_size`` for a start exceeds a limit."""
        for start in starts:
            with rule_errors(type(ruleset).__name__, Message("the least size"), start):
                least = ruleset.least_size(start)
                if least[0] > self.positions or least[1] > self.moves:
                    shown = [min(size, _LARGEST_SHOWN) for size in least]
                    raise self.error(
                        Message(
                            "it has at least {positions} and {moves}",
                            plural(shown[0], "position"),
                            plural(shown[1], "move"),
                        ),
                        least[1],
                    )

    def exceeded(
        self, positions: int, moves: int, explored: int, hint: str = "", play: Sequence[Hashable] | None = None
    ) -> LimitError:
        """Return the error for an exploration that found more positions or moves than the limits.

        ``positions`` and ``moves`` are the numbers that it had found when it stopped, and ``explored`` is the number of
        positions whose options it had listed. ``hint`` is a sentence to append; ``play`` is that of :meth:`error`.
        """
        size = Message(
            "{positions} and {moves} found after exploring {explored}",
            plural(positions, "position"),
            plural(moves, "move"),
            plural(explored, "position"),
        )
        return self.error(joined([size, hint]) if hint else size, moves, play)

    def error(self, size: str, moves: int, play: Sequence[Hashable] | None = None) -> LimitError:
        """Return the error for a game that is larger than the limits.

        ``size`` is a clause that says how large the game is, or how much of it was found; ``moves`` is the number of
        moves in this clause. The message shows ``play``, if given, as a play that may have no end. Without a play, the
        error has a ``limit`` if ``moves`` is below 10**11, so that commands advise a higher limit.
        """
        limits = Message(
            "max_positions={positions} and max_moves={moves}, which by default is at least ten times max_positions"
            if moves > self.moves >= MAX_MOVES
            else "max_positions={positions} and max_moves={moves}",
            self.positions,
            self.moves,
        )
        message = Message("the game is larger than the limit: {found}; the limits are {limits}", size, limits)
        if play is None:
            return LimitError(message, limit="max_positions" if moves < _MOVES_BEYOND_MEMORY else None)
        return unended(message, play)


def unended(message: str, play: Sequence[Hashable]) -> LimitError:
    """Return a LimitError whose message is ``message`` and the positions of a play that may have no end."""
    return LimitError(
        "{error}; play might never end: {play}; graphgame check looks for what is wrong with the rules",
        message,
        play_text(play),
        play=play,
    )


MOST_TRIED = 20_000
"""The default number of moves that :func:`unended_play` follows."""

_LONG_PLAY = 3000


def unended_play(ruleset: Ruleset, starts: Iterable[Hashable], most: int = MOST_TRIED) -> list[Hashable] | None:
    """Return a play that returns to a position or lasts 3,000 moves; None if the search finds no such play.

    The result lists canonical positions in the order of play. If play returns to a position,
    this position is also the last of the list. The search follows at most ``most`` moves.

    Examples
    --------
    >>> class Walk(Ruleset):
    ...     def options(self, place):
    ...         return [place + 1, place - 2] if place < 7 else [place - 2]
    >>> unended_play(Walk(), [5])
    [5, 6, 7, 5]
    """
    seen: set[Hashable] = set()
    tried = 0
    for start in starts:
        play: dict[Hashable, None] = {}
        rows: list[Iterator[Hashable]] = [iter((ruleset.canonical(start),))]
        while rows:
            for position in rows[-1]:
                tried += 1
                if position in play:
                    return [*play, position]
                if tried > most:
                    return None
                if position not in seen:
                    seen.add(position)
                    play[position] = None
                    options = () if ruleset.decided(position) else ruleset.options(position)
                    rows.append(ruleset.canonical(part) for option in options for part in parts_of(option))
                    break
            else:
                rows.pop()
                if play:
                    play.popitem()
            if len(play) > _LONG_PLAY:
                return list(play)
    return None


def own_unended_play(ruleset: Ruleset, starts: Iterable[Hashable], most: int = MOST_TRIED) -> list[Hashable] | None:
    """Return :func:`unended_play` for a user's own rules that are not loopy; None for other rules, or if they fail."""
    if ruleset.loopy or type(ruleset).__module__.startswith("graphgame."):
        return None
    try:
        return unended_play(ruleset, starts, most)
    except (Exception, SystemExit):  # the rules failed here, but the caller reports that a limit is exceeded
        return None
