"""The nimber search: find out whether a position beside a Nim heap is a P-position.

A couple is a pair (position, n): the sum of the position and a Nim heap of size n. It is a P-position exactly if the
position has the value n. A move leads to another couple: the same position beside a smaller heap, or an option beside
the same heap. If an option is a sum of several components, the values of all but one are computed and added to the
heap, so that one couple remains.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Generator, Hashable, Iterable, Sequence
from functools import reduce
from itertools import count, islice
from operator import xor
from time import monotonic
from types import NoneType
from typing import Any, TypeVar

from graphgame.compiled.engine import Progress, cores
from graphgame.errors import CycleError, LimitError, Message, ParameterError, RulesetError, plural
from graphgame.rules import MAX_POSITIONS
from graphgame.rules.exploration import BoundedCache
from graphgame.rules.faults import iterated, returned, rule_errors
from graphgame.rules.ruleset import MAX_TRIED, Ruleset, Sum, parts_of, tells

if sys.platform != "win32":
    import resource


MEMORY = 2 << 30
"""The default limit on the memory of a search, in bytes."""

_REPORT_EVERY = 64
"""Calls of ``look`` between reports of progress."""

_A_CACHED_OPTION = 1 << 10
"""Bytes of memory for each cached option, as a generous estimate."""

_UNIT = 1 if sys.platform == "darwin" else 1 << 10
"""The unit of ``ru_maxrss`` in bytes: macOS reports bytes, Linux kilobytes."""


class Allowance:
    """The budget of a search: positions, time, memory and threads. Several searches can share one.

    Attributes
    ----------
    most, kept : int
        The most positions that the tables may have, and the number that they have.
    visited : int
        The number of positions whose options were looked at.
    memory : int
        Bytes for tables of bounded memory; in other searches, the bytes by which the process may grow.
    jobs : int
        The number of threads of a search that uses several.
    """

    def __init__(
        self,
        max_positions: int | None = None,
        timeout: float | None = None,
        progress: Progress | None = None,
        memory: int = MEMORY,
        jobs: int | None = None,
    ) -> None:
        if max_positions is not None and max_positions < 1:
            raise ParameterError("invalid max_positions {max_positions}: expected 1 or more", max_positions)
        if memory < 1:
            raise ParameterError("invalid memory {memory}: expected 1 byte or more", memory)
        if jobs is not None and jobs < 1:
            raise ParameterError("invalid jobs {jobs}: expected 1 or more", jobs)
        if timeout is not None and not timeout > 0:
            raise ParameterError("invalid timeout {timeout}: expected more than 0 seconds", timeout)
        self.visited = self.kept = 0
        self.most = MAX_POSITIONS if max_positions is None else max_positions
        self.memory = memory
        self.jobs = cores() if jobs is None else jobs
        self._bounded = max_positions is not None
        self._timeout = timeout
        self._end = None if timeout is None else monotonic() + timeout
        self._progress = progress
        self._looks = 0
        self._size = _size_of_process()

    def keep(self) -> None:
        """Count one more position in a table; raise LimitError if there are too many."""
        if self.kept >= self.most:
            raise self._full()
        self.kept += 1

    @property
    def left_to_keep(self) -> int:
        """The positions that may still be added to a table of bounded memory; 2^62 if the caller set no limit."""
        return max(self.most - self.kept, 0) if self._bounded else 1 << 62

    def may_keep(self) -> None:
        """Raise LimitError if a table of bounded memory may not get another position."""
        if not self.left_to_keep:
            raise self._full()

    def spend(self, visited: int, kept: int) -> None:
        """Count positions that were visited, and positions that are new in a table."""
        self.visited += visited
        self.kept += kept

    def _full(self) -> LimitError:
        return LimitError(
            "no answer within a table of {positions}", plural(self.most, "position"), limit="max_positions"
        )

    def look(self, depth: int, every: int = _REPORT_EVERY, measured: bool = False) -> None:
        """Check the limits before some work; raise LimitError if time is up.

        Every ``every`` calls, report progress. If ``measured``, also raise LimitError then if the process has grown by
        more than the memory allows.
        """
        if self._end is not None and monotonic() > self._end:
            raise LimitError(
                "no answer within {time} s, {positions} visited",
                f"{self._timeout:g}",
                plural(self.visited, "position"),
                limit="timeout",
            )
        if self._looks % every == 0:
            if measured and _size_of_process() - self._size > self.memory:
                size = f"{self.memory / 1e6:,.0f} MB" if self.memory >= 1e6 else plural(self.memory, "byte")
                visited = plural(self.visited, "position")
                raise LimitError("no answer within {size}, {visited} visited", size, visited, limit="memory")
            if self._progress is not None:
                self._progress(self.visited, depth)
        self._looks += 1


def _size_of_process() -> int:
    """Return the peak memory of this process in bytes; 0 on Windows, where it is not checked."""
    return 0 if sys.platform == "win32" else resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * _UNIT


class ValueTooLargeError(Exception):
    """A value is above 62, the largest that the compiled loops can represent."""


UNKNOWN = -1
"""The fact about a position of which nothing is known: ``~0``, no value is excluded."""

_MOST_MOVES = 1 << 40

Facts = dict[Hashable, int]
Summands = tuple[Hashable, ...]
Task = Generator[Any, Any, Any]
Item = TypeVar("Item", bound=Hashable)
Made = TypeVar("Made")


class CachedOptions(dict[Hashable, Any]):
    """Position -> the list of its options. All are dropped when they are more than the memory allows."""

    def __init__(self, options: Callable[[Any], list[Any]], allowance: Allowance) -> None:
        self._options = options
        self._allowance = allowance
        self._cached = 0

    def __missing__(self, position: Hashable) -> list[Any]:
        found = self._options(position)
        self._cached += len(found)
        # Options can be computed again, so the cache is simply cleared when it is full.
        if self._cached > self._allowance.memory // _A_CACHED_OPTION:
            self.clear()
            self._cached = len(found)
        self[position] = found
        return found


def odd_ones(items: Iterable[Item]) -> tuple[Item, ...]:
    """Return the items that occur an odd number of times: pairs of equal components cancel in a sum."""
    found: dict[Item, None] = {}
    for item in items:
        if item in found:
            del found[item]
        else:
            found[item] = None
    return tuple(found)


def known_sum(fact_about: Callable[[Hashable], int | None], parts: Summands) -> int | None:
    """Return the nim-sum of the facts about some parts; None if there is no fact about one, or it is not a value."""
    total = 0
    for part in parts:
        fact = fact_about(part)
        if fact is None or fact < 0:
            return None
        total ^= fact
    return total


class Solver:
    """A nimber search among the positions of one ruleset.

    Attributes
    ----------
    facts : dict
        Canonical position -> its value if that is known, otherwise ``~mask``, where the bits of the mask are values
        that it does not have.
    options : callable
        Canonical position -> its distinct options, as sums: options with few moves come first.
    moves : callable
        Canonical position -> an estimate of its number of moves; 0 if the rules give none.

    Notes
    -----
    The search is depth first, on a stack of its own, so that the length of play is not limited by Python's stack. A
    fact is proved before it is written, so the search can be interrupted at any moment, and continued from the facts.

    References
    ----------
    J. Lemoine, S. Viennot, Nimbers are inevitable, Theoretical Computer Science 462 (2012).

    Examples
    --------
    >>> from graphgame.games import ruleset
    >>> from graphgame.labs.search.nimber_search import Allowance
    >>> solver = Solver("cram", ruleset("cram"), Allowance(1000))
    >>> solver.value(["...../...../....."]), solver.has_value(["....", "..."], 3)
    (1, True)
    """

    def __init__(self, name: str, ruleset: Ruleset, allowance: Allowance) -> None:
        if ruleset.loopy:
            raise RulesetError(
                "{name} may repeat a position: a search needs play that ends; solve --loopy says who wins", name
            )
        self.facts: Facts = {}
        self._name = name
        self._ruleset = ruleset
        self._allowance = allowance
        self._image = BoundedCache(self._canonical_image).__getitem__
        self.moves = BoundedCache(self._mobility).__getitem__ if tells(ruleset, "mobility") else lambda position: 0
        self.options: Callable[[Hashable], list[Summands]] = CachedOptions(self._sorted_options, allowance).__getitem__
        self._path: dict[Hashable, int] = {}
        self._has_closed_form = tells(ruleset, "closed_form")
        self._has_outcome_form = tells(ruleset, "outcome_form")

    def value(self, positions: Sequence[Hashable]) -> int:
        """Return the Grundy value of a sum of positions."""
        return reduce(xor, (self._run(self._value(part)) for part in self.parts(positions)), 0)

    def has_value(self, positions: Sequence[Hashable], nimber: int) -> bool:
        """Return True if a sum of positions has this Grundy value (it is lost beside a heap of this size)."""
        return bool(self._run(self._sum_has(self.parts(positions), nimber)))

    def fact(self, position: Hashable) -> int:
        """Return the fact about a canonical position."""
        return self.facts.get(position, UNKNOWN)

    def parts(self, positions: Sequence[Hashable]) -> Summands:
        """Return the canonical forms of the parts of a sum. Pairs of equal parts cancel."""
        if len(positions) == 1:
            return (self._image(positions[0]),)
        return odd_ones(map(self._image, positions))

    def keep(self, position: Hashable, fact: int) -> None:
        """Write the fact about a canonical position; raise LimitError if the table may not get another position."""
        if position not in self.facts:
            self._allowance.keep()
        self.facts[position] = fact

    def canonical(self, position: Hashable) -> Hashable:
        """Return the canonical form of a position, under which facts are stored."""
        with rule_errors(self._name, Message("the canonical form"), position):
            image = self._ruleset.canonical(position)
            hash(image)
            return image

    def told(self, position: Hashable) -> int:
        """Return the outcome that a theorem gives for a position, as a fact; UNKNOWN if there is none."""
        if not self._has_outcome_form:
            return UNKNOWN
        with rule_errors(self._name, Message("the outcome"), position):
            outcome = self._ruleset.outcome_form(position)
        return {"P": 0, "N": ~1}.get(outcome or "", UNKNOWN)

    def tried(self, position: Hashable, made: Callable[[Sequence[Hashable]], Made]) -> list[Made]:
        """Return ``made(components)`` for each option of a canonical position, except loony options.

        Raises LimitError if there are too many options.
        """
        with rule_errors(self._name, Message("the options"), position, method=self._ruleset.options):
            options = list(islice(iterated(self._ruleset.options(position), position), MAX_TRIED + 1))
            if self._ruleset.decides:
                options = [option for option in options if not self.is_loony(option)]
            if len(options) > MAX_TRIED:
                raise LimitError(
                    "{position!r} has too many options to try each: more than {max_tried:,}", position, MAX_TRIED
                )
            return [made(option if type(option) is Sum else (option,)) for option in options]

    def _run(self, task: Task) -> Any:  # noqa: ANN401
        """Run a task, and the tasks that it yields; return its result."""
        # A task is a generator that yields the tasks whose results it needs. They are kept on a list, because play can
        # be longer than Python's stack is deep.
        stack, answer = [task], None
        self._path = {}
        while stack:
            try:
                stack.append(stack[-1].send(answer))
                answer = None
            except StopIteration as end:
                stack.pop()
                answer = end.value
        return answer

    def _value(self, position: Hashable) -> Task:
        """Compute the value of a position, by trying 0, 1, 2, ..."""
        # Each failed test excludes its value for good, and what it found out about options is used again.
        for nimber in count():
            if (yield self._has(position, nimber)):
                return nimber
        return None

    def _sum_has(self, parts: Summands, nimber: int) -> Task:
        """Find out whether a sum has a value."""
        unknown: list[Hashable] = []
        for part in parts:
            if (fact := self.facts.get(part, UNKNOWN)) < 0:
                unknown.append(part)
            else:
                nimber ^= fact
        if not unknown:
            return nimber == 0
        # All unknown parts but one need their exact values. The one with most moves is left for the couple.
        unknown.sort(key=self.moves)
        for part in unknown[:-1]:
            nimber ^= yield self._value(part)
        return (yield self._has(unknown[-1], nimber))

    def _has(self, position: Hashable, nimber: int) -> Task:
        """Find out whether a position has a value: no option has it, and the position does not have a smaller one."""
        # A fact answers at once if it is a value, or if it excludes this one.
        fact = self.facts.get(position, UNKNOWN)
        if fact >= 0 or ~fact >> nimber & 1:
            return fact == nimber
        options = self._expanded(position)
        unknown = self._look(position, options)
        fact = self.facts[position]
        # A value is at most the number of options.
        if fact >= 0 or ~fact >> nimber & 1 or nimber > len(options):
            return fact == nimber
        before = self._enter(position, nimber)
        for parts in unknown:
            if (yield self._sum_has(parts, nimber)):
                self.facts[position] &= ~(1 << nimber)
                break
        else:
            # No option has the value n. If no smaller value is right either, moves to smaller heaps do not win.
            for smaller in range(nimber):
                yield self._has(position, smaller)
            if self.facts[position] < 0:
                self.facts[position] = nimber
        self._leave(position, before)
        return self.facts[position] == nimber

    def _enter(self, position: Hashable, nimber: int) -> int | None:
        """Put a couple on the path; return the heap of the position's earlier couple on the path, or None.

        Below a couple, the search meets its position again only with smaller heaps. Otherwise play has returned to the
        position, and this raises CycleError.
        """
        before = self._path.get(position)
        if before is not None and before <= nimber:
            path = list(self._path)
            raise CycleError(path[path.index(position) :])
        self._path[position] = nimber
        return before

    def _leave(self, position: Hashable, before: int | None) -> None:
        """Undo ``_enter``."""
        if before is None:
            del self._path[position]
        else:
            self._path[position] = before

    def _look(self, position: Hashable, options: list[Summands]) -> list[Summands]:
        """Exclude the known values of the options from a position's fact; return the options without a known value.

        If all values are known, the fact becomes their mex. Values above the number of options do not matter.
        """
        if self.facts[position] >= 0:
            return []
        known, unknown = 0, []
        for parts in options:
            value = known_sum(self.facts.get, parts)
            if value is None:
                unknown.append(parts)
            elif value <= len(options):
                known |= 1 << value
        # In ~mask, the lowest bit that is set is the least value that is not excluded: the mex.
        fact = self.facts[position] & ~known
        self.facts[position] = fact if unknown else (fact & -fact).bit_length() - 1
        return unknown

    def _expanded(self, position: Hashable) -> list[Summands]:
        """Return the options of a position, or no options if its value is known. Check the limits first."""
        self._allowance.look(len(self._path), measured=True)
        if position not in self.facts:
            self.keep(position, self.told(position))
            self._allowance.visited += 1
        if self.facts[position] >= 0:
            return []
        return self.options(position)

    def _sorted_options(self, position: Hashable) -> list[Summands]:
        found = list({frozenset(parts): parts for parts in self.tried(position, self.parts)}.values())
        found.sort(key=lambda parts: self.moves(parts[0]) if len(parts) == 1 else sum(map(self.moves, parts)))
        return found

    def is_loony(self, option: Hashable) -> bool:
        """Return True if the player to move wins at once at a position, or at some part of a sum."""
        ends = self._ruleset.decided
        for part in parts_of(option):
            if ends(part) == "N":
                return True
            with rule_errors(self._name, Message("the options"), part, method=self._ruleset.options):
                after = (each for left in self._ruleset.options(part) for each in parts_of(left))
                if not ends(part) and any(ends(each) == "P" for each in after):
                    return True
        return False

    def _canonical_image(self, position: Hashable) -> Hashable:
        """Return the canonical form of a position; if a closed form gives its value, write that fact."""
        image = self.canonical(position)
        if self._has_closed_form and image not in self.facts:
            with rule_errors(self._name, Message("the closed form"), image):
                value = returned(self._ruleset.closed_form(image), int, NoneType)
            if isinstance(value, int):
                self.keep(image, value)
        return image

    def _mobility(self, position: Hashable) -> int:
        """Return the rules' estimate of the number of moves, between 0 and 2^40."""
        with rule_errors(self._name, Message("the number of moves"), position):
            return min(max(int(self._ruleset.mobility(position)), 0), _MOST_MOVES)
