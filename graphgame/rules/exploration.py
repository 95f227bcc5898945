"""Rules into a graph: breadth-first search over the positions of a ruleset."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Hashable, Sequence
from itertools import count, islice
from types import GeneratorType
from typing import Any

import numpy as np

from graphgame.compiled.engine import Progress, rarely_collecting
from graphgame.errors import GraphGameError, Message, ParameterError, RulesetError, shorten
from graphgame.graph.gamegraph import GameGraph
from graphgame.graph.labels import Labels, as_labels
from graphgame.registry import offer_for
from graphgame.rules import MAX_MOVES, MAX_POSITIONS
from graphgame.rules.faults import blamed, failure, hashed, iterated, place_of_method
from graphgame.rules.limits import MOST_TRIED, Limits, own_unended_play
from graphgame.rules.ruleset import Ruleset, Sum, decision, parts_of, tells

_REPORT_EVERY = 1 << 10
_BATCH = 1 << 10
_MOST_REMEMBERED = 1 << 18
_MOVES_A_POSITION = 10
_ITERATORS = {GeneratorType, map, filter, zip}
_WATCHED = 100
_SIZED = {list, tuple, range}


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
        Most edges; by default 50 million, or ten for each of the most positions where those are more.
    progress : callable, optional
        Called as ``progress(positions, moves)`` now and then.

    Returns
    -------
    GameGraph
        Positions are canonical ones. A move that splits the game leads to a sum vertex.

    Raises
    ------
    LimitError
        There are more positions or moves; says how far it got. A game whose ruleset tells of more, by
        :meth:`Ruleset.least_size`, is not explored.
    RulesetError
        There is no start, an option is not hashable, or the rules themselves fail.

    Notes
    -----
    Breadth first, O(positions + moves) calls, no recursion. The lab ``bitboards`` explores a :class:`CodedRuleset`
    by arrays, and a :class:`MaskRuleset` by a compiled loop where it is large.

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
    if not isinstance(ruleset, Ruleset):
        raise RulesetError("expected a ruleset, an instance of a subclass of Ruleset, got {ruleset!r}", ruleset)
    if len(starts) == 1 and isinstance(starts[0], list):
        raise RulesetError(
            "{positions!r} is not hashable, so it is no position: explore(rules, *{positions!r}) starts from each of "
            "its positions; a position of several numbers is a tuple, {position!r}",
            starts[0],
            tuple(starts[0]),
        )
    begin = starts or (() if ruleset.start is None else (ruleset.start,))
    if not begin:
        raise RulesetError("{kind} has no start position: give one", type(ruleset).__name__)
    if max_positions < 1:
        raise ParameterError("invalid max_positions {max_positions}: expected 1 or more", max_positions)
    moves = max(MAX_MOVES, _MOVES_A_POSITION * max_positions) if max_moves is None else max_moves
    limits = Limits(max_positions, moves)
    parts = [part for start in begin for part in parts_of(start)]
    explored = offer_for("exploration", ruleset)
    found: GameGraph | None = explored and explored(ruleset, parts, limits, progress)
    return found or Exploration(ruleset, limits, progress).run(parts)


_SUM = object()
"""What begins the key of a sum, so that it is no position's."""


class _Parts(tuple[Any, ...]):
    """The key of a sum: the vertex numbers of its parts, in increasing order."""

    __slots__ = ()


class Remembered(dict[Hashable, Any]):
    """Position -> what a function makes of it; forgets all where they are very many."""

    def __init__(self, function: Callable[[Hashable], Any]) -> None:
        self._function = function

    def __missing__(self, position: Hashable) -> Any:  # noqa: ANN401
        if len(self) == _MOST_REMEMBERED:
            self.clear()
        found = self[position] = self._function(position)
        return found


class Exploration:
    """A breadth-first search over positions of any kind."""

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
        images = Remembered(lambda position: find(ruleset.canonical(position)))
        self._find = images.__getitem__ if tells(ruleset, "canonical") else find

    def run(self, starts: Sequence[Hashable]) -> GameGraph:
        """Return the graph of all that can come up from the starts, which become its tokens."""
        self._starts = starts
        numbers = [self._start(start) for start in starts]
        self._limits.refuse_larger(self._ruleset, starts)
        self._check_limits(0, 0)
        with rarely_collecting():
            self._explore()
            labels = self._labels()
        sums = np.zeros(len(labels), np.bool_)
        sums[self._sums] = True
        decided = np.zeros(len(labels) if self._decided else 0, np.int8)
        decided[list(self._decided)] = list(self._decided.values())
        ends = np.frombuffer(self._target, np.int32) if self._target else np.zeros(0, np.int32)
        tokens = labels.few(numbers)
        return GameGraph.from_rows(
            np.array(self._pointers), ends, labels, sums=sums, decided=decided, tokens=tokens, overwrite=True
        )

    def _explore(self) -> None:
        """Write down the options of all vertices one after another, and where those of each end."""
        target, end_at, progress = self._target, self._pointers.append, self._progress
        while new := self._new_vertices():
            for place, vertex in enumerate(new, len(self._vertices) - len(new)):
                if type(vertex) is _Parts:
                    target.extend(vertex[1:])
                    self._sums.append(place)
                elif self._decides and (code := decision(self._ruleset, vertex)):
                    self._decided[place] = code
                else:
                    self._append_options(vertex, place)
                end_at(len(target))
                if progress is not None and place % _REPORT_EVERY == 0:
                    progress(len(self._numbers), len(target))

    def _new_vertices(self) -> list[Hashable]:
        """Return the vertices that were numbered since this was last asked for; then they are listed."""
        new = [*islice(reversed(self._numbers), len(self._numbers) - len(self._vertices))]
        new.reverse()
        self._vertices += new
        return new

    def _append_options(self, position: Hashable, place: int) -> None:
        batch: Sequence[Hashable] = ()
        target, end = self._target, len(self._target)
        most, most_moves = self._limits
        try:
            found: Any = self._options(position)
            kind = type(found)
            options = found if kind is GeneratorType else iter(found) if kind in _SIZED else iterated(found, position)
            while True:
                asked = _BATCH if end + _BATCH <= most_moves else most_moves - end + 1
                batch = found if kind is list and len(found) < asked else [*islice(options, asked)]
                if place < _WATCHED and not _ITERATORS.isdisjoint(map(type, batch)):
                    raise TypeError(Message("an option is an iterator: list what it yields, or yield from it"))
                target.extend(map(self._number if Sum in map(type, batch) else self._find, batch))
                end = len(target)
                if end > most_moves or len(self._numbers) > most:
                    own = end - self._pointers[-1]
                    hint = (
                        Message("; {position!r} alone has {own:,} moves or more", position, own)
                        if own >= _BATCH
                        else ""
                    )
                    self._check_limits(end, place, hint)
                if len(batch) < asked:
                    return
        except (GraphGameError, MemoryError):
            raise
        except (Exception, SystemExit) as error:
            raise self._fault(position, place, batch, error) from error

    def _fault(self, position: Hashable, place: int, batch: Sequence[Hashable], error: BaseException) -> RulesetError:
        """Return the error that says what the rules did, and whose option a position is that they do not know."""
        rules, method = self._ruleset, self._ruleset.options
        try:
            for part in (part for option in batch for part in parts_of(option)):
                hashed(part, Message(", an option of {position!r},", position))
        except RulesetError as wrong:
            where = place_of_method(method)
            return RulesetError("{where}: {wrong}", where, wrong) if where else wrong
        return failure(
            type(rules).__name__, Message("the options"), error, shorten(position) + self._whose(place), method
        )

    def _whose(self, place: int) -> str:
        """Say whose option a position is; nothing of a start."""
        if place < len(self._starts):
            return ""
        self._new_vertices()
        of_sum = (sum_ for sum_, parts in enumerate(self._vertices) if type(parts) is _Parts and place in parts)
        left = place if place in self._target else next(of_sum)  # a sum is written down after its parts
        owner = bisect_right(self._pointers, self._target.index(left)) - 1
        start, end = self._vertices[owner], self._vertices[place]
        part = Message("a part of ") if left != place else ""
        meant = (
            Message("; is it meant to be {end}?", Sum(end))
            if isinstance(end, tuple) and not isinstance(start, tuple)
            else ""
        )
        return Message(", {part}an option of {start!r}{meant}", part, start, meant)

    def _check_limits(self, moves: int, place: int, hint: str = "") -> None:
        if moves > self._limits.moves or len(self._numbers) > self._limits.positions:
            play = own_unended_play(self._ruleset, self._starts, min(place, MOST_TRIED))  # no longer than this took
            raise self._limits.exceeded(len(self._numbers), moves, place, hint, play)

    def _number(self, option: Hashable) -> int:
        if type(option) is not Sum:
            return self._find(option)
        parts = sorted(map(self._find, option))
        return parts[0] if len(parts) == 1 else self._numbers[_Parts((_SUM, *parts))]

    def _labels(self) -> Labels:
        """Return the positions by their numbers; where none is a sum, the table that numbered them finds them again."""
        vertices: list[Any] = self._vertices
        self._numbers.default_factory = None
        if not self._sums:
            return as_labels(vertices, self._numbers)
        for place in self._sums:
            vertices[place] = Sum(map(vertices.__getitem__, vertices[place][1:]))
        return as_labels(vertices)

    def _start(self, position: Hashable) -> int:
        with blamed(type(self._ruleset).__name__, Message("the start")):
            return self._number(hashed(position, Message(", a start of {kind},", type(self._ruleset).__name__)))
