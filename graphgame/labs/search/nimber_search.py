"""The nimber search: find out whether a position beside a Nim heap is a P-position.

A *couple* is a pair (position, n): the sum of the position and a Nim heap of size n. It is a P-position exactly if the
position has the value n. A move leads to another couple: the same position beside a smaller heap, or an option beside
the same heap. If an option is a sum of several components, the values of all components except one are computed. The
heap and these components are replaced by a heap whose size is the nim-sum of all of them, so that one couple remains.

A *fact* about a position is its value or, if that is not known, ``~mask``, where the bits of the mask are values that
the position is known not to have. Facts are about canonical forms, and a search replaces each component by its
canonical form. Under normal play, pairs of equal components of a sum cancel.
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
from graphgame.errors import CycleError, LimitError, Message, RulesetError, plural
from graphgame.rules import MAX_POSITIONS
from graphgame.rules.exploration import BoundedCache
from graphgame.rules.rule_errors import iterated, returned, rule_errors
from graphgame.rules.ruleset import MAX_TRIED, Ruleset, Sum, parts_of, tells

if sys.platform != "win32":
    import resource


MEMORY = 2 << 30
"""The default limit on the memory of a search, in bytes."""

_CALLS_A_REPORT = 64
"""The number of calls of :meth:`Budget.check` from one report of progress to the next, by default."""

_BYTES_OF_CACHED_OPTION = 1 << 10
"""The memory for each cached option in bytes, as a generous estimate."""

_BYTES_OF_UNIT = 1 if sys.platform == "darwin" else 1 << 10
"""The unit of ``ru_maxrss`` in bytes: macOS reports bytes, Linux kilobytes."""


class Budget:
    """The limits of a search on positions, time, memory and threads, and what it used so far.

    Several searches can share one budget.

    Attributes
    ----------
    most, kept : int
        The largest allowed number of positions in the tables, and their present number. Tables of bounded memory have
        the limit ``most`` only if ``max_positions`` is given: see :attr:`left_to_keep`.
    visited : int
        The number of positions whose options were computed.
    memory : int
        The limit in bytes on tables of bounded memory. In a search without such tables, the number of bytes by which
        the peak memory of the process may grow (not checked on Windows).
    jobs : int
        The largest number of threads.
    """

    def __init__(
        self,
        max_positions: int | None = None,
        timeout: float | None = None,
        progress: Progress | None = None,
        memory: int = MEMORY,
        jobs: int | None = None,
    ) -> None:
        self.visited = self.kept = 0
        self.most = MAX_POSITIONS if max_positions is None else max_positions
        self.memory = memory
        self.jobs = cores() if jobs is None else jobs
        self._bounded = max_positions is not None
        self._timeout = timeout
        self._end = None if timeout is None else monotonic() + timeout
        self._progress = progress
        self._checks = 0
        self._size_at_start = _peak_memory()

    def keep(self) -> None:
        """Count a position that is added to a table; raise LimitError if the tables are full."""
        if self.kept >= self.most:
            raise self._full()
        self.kept += 1

    @property
    def left_to_keep(self) -> int:
        """The number of positions that may be added to a table of bounded memory; 2^62 without ``max_positions``."""
        return max(self.most - self.kept, 0) if self._bounded else 1 << 62

    def may_keep(self) -> None:
        """Raise LimitError if ``max_positions`` is reached. If it is None, only memory limits the table."""
        if not self.left_to_keep:
            raise self._full()

    def spend(self, visited: int, kept: int) -> None:
        """Count positions that were visited, and positions that were added to a table."""
        self.visited += visited
        self.kept += kept

    def _full(self) -> LimitError:
        return LimitError(
            "no answer: the search would need a table of more than {positions}",
            plural(self.most, "position"),
            limit="max_positions",
        )

    def check(self, depth: int, every: int = _CALLS_A_REPORT, measured: bool = False) -> None:
        """Raise LimitError if time is up. Once in ``every`` calls, report the progress, with the depth of the search.

        If ``measured`` is true, also raise LimitError, once in ``every`` calls, if the peak memory of the process has
        grown by more than the memory limit (not on Windows).
        """
        if self._end is not None and monotonic() > self._end:
            raise LimitError(
                "no answer within {time} seconds; {positions} visited",
                f"{self._timeout:g}",
                plural(self.visited, "position"),
                limit="timeout",
            )
        if self._checks % every == 0:
            if measured and _peak_memory() - self._size_at_start > self.memory:
                size = f"{self.memory / 1e6:,.0f} MB" if self.memory >= 1e6 else plural(self.memory, "byte")
                visited = plural(self.visited, "position")
                raise LimitError("no answer within {size} of memory; {visited} visited", size, visited, limit="memory")
            if self._progress is not None:
                self._progress(self.visited, depth)
        self._checks += 1


def _peak_memory() -> int:
    """Return the peak memory of this process in bytes; 0 on Windows, where memory is not checked."""
    return 0 if sys.platform == "win32" else resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * _BYTES_OF_UNIT


class ValueTooLargeError(Exception):
    """A value, or the heap of a couple, is above 62, the largest that the compiled loops can represent."""


UNKNOWN = -1
"""The fact that says nothing: ``~0`` excludes no value."""

_LARGEST_ESTIMATE = 1 << 40
"""The maximum estimate of a number of moves. Larger estimates are replaced by it."""

Facts = dict[Hashable, int]
"""What is known about the value of each canonical position: the value, or the negative number ``~mask``. Bit v of
``mask`` is set if v is known not to be the value."""

Summands = tuple[Hashable, ...]
"""A sum: the canonical forms of its components. No form occurs twice, because equal components cancel."""

Task = Generator[Any, Any, Any]
"""A computation that yields the tasks whose results it needs."""

Item = TypeVar("Item", bound=Hashable)
Result = TypeVar("Result")


class CachedOptions(dict[Hashable, Any]):
    """A cache: position -> its options. It is cleared when it exceeds the budget's memory limit, at 1 KB an option."""

    def __init__(self, options: Callable[[Any], list[Any]], budget: Budget) -> None:
        self._options = options
        self._budget = budget
        self._cached = 0

    def __missing__(self, position: Hashable) -> list[Any]:
        options = self._options(position)
        self._cached += len(options)
        # Options can be computed again, so when the cache is full, it is simply cleared.
        if self._cached > self._budget.memory // _BYTES_OF_CACHED_OPTION:
            self.clear()
            self._cached = len(options)
        self[position] = options
        return options


def without_pairs(items: Iterable[Item]) -> tuple[Item, ...]:
    """Return the items that occur an odd number of times, each of them once."""
    unpaired: dict[Item, None] = {}
    for item in items:
        if item in unpaired:
            del unpaired[item]
        else:
            unpaired[item] = None
    return tuple(unpaired)


def known_sum(fact_about: Callable[[Hashable], int | None], parts: Summands) -> int | None:
    """Return the nim-sum of the values of some components; None if the value of a component is not known.

    ``fact_about`` returns the fact about a component, or None. With a negative fact, the value is not known.
    """
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
        Canonical position -> the fact about it: see :mod:`graphgame.labs.search.nimber_search`.
    options : callable
        Returns the distinct options of a canonical position except loony ones, as sums; those with few moves first.
    moves : callable
        Returns an estimate of the number of moves of a canonical position; 0 if the rules give no estimate.

    Notes
    -----
    The search is depth first, on a stack of its own, so that the length of play is not limited by Python's stack. A
    fact is proved before it is written, so the search can be interrupted at any moment and continued from the facts.
    It ends with a LimitError at a limit of the budget, and with a CycleError if play returns to a position. Creating a
    solver raises RulesetError for rules that are marked as ``loopy``.

    References
    ----------
    J. Lemoine, S. Viennot, Nimbers are inevitable, Theoretical Computer Science 462 (2012).

    Examples
    --------
    >>> from graphgame.games import ruleset
    >>> from graphgame.labs.search.nimber_search import Budget
    >>> solver = Solver("cram", ruleset("cram"), Budget(1000))
    >>> solver.value(["...../...../....."]), solver.has_value(["....", "..."], 3)
    (1, True)
    """

    def __init__(self, name: str, ruleset: Ruleset, budget: Budget) -> None:
        if ruleset.loopy:
            raise RulesetError(
                "{name} may repeat a position: a search needs play that ends; solve --loopy says who wins", name
            )
        self.facts: Facts = {}
        self._name = name
        self._ruleset = ruleset
        self._budget = budget
        self._image = BoundedCache(self._canonical_image).__getitem__
        self.moves = BoundedCache(self._mobility).__getitem__ if tells(ruleset, "mobility") else lambda position: 0
        self.options: Callable[[Hashable], list[Summands]] = CachedOptions(self._sorted_options, budget).__getitem__
        # The couples (position, Nim heap) that are being tested: position -> its smallest heap.
        self._path: dict[Hashable, int] = {}
        self._has_closed_form = tells(ruleset, "closed_form")
        self._has_outcome_form = tells(ruleset, "outcome_form")

    def value(self, positions: Sequence[Hashable]) -> int:
        """Return the Grundy value of a sum of positions."""
        return reduce(xor, (self._run(self._value(part)) for part in self.parts(positions)), 0)

    def has_value(self, positions: Sequence[Hashable], nimber: int) -> bool:
        """Return True if the Grundy value of a sum of positions is ``nimber``."""
        return bool(self._run(self._sum_has(self.parts(positions), nimber)))

    def fact(self, position: Hashable) -> int:
        """Return what is known about the value of a canonical position, as an entry of :data:`Facts`, or UNKNOWN."""
        return self.facts.get(position, UNKNOWN)

    def parts(self, positions: Sequence[Hashable]) -> Summands:
        """Return the sum of some positions as :data:`Summands`. Pairs of equal canonical forms cancel."""
        if len(positions) == 1:
            return (self._image(positions[0]),)
        return without_pairs(map(self._image, positions))

    def keep(self, position: Hashable, fact: int) -> None:
        """Write a fact about a canonical position; raise LimitError if the position is new and the tables are full."""
        if position not in self.facts:
            self._budget.keep()
        self.facts[position] = fact

    def canonical(self, position: Hashable) -> Hashable:
        """Return the canonical form of a position, from the rules; raise RulesetError if the rules fail."""
        with rule_errors(self._name, Message("the canonical position"), position):
            image = self._ruleset.canonical(position)
            hash(image)
            return image

    def outcome_fact(self, position: Hashable) -> int:
        """Return what ``outcome_form`` proves, as a fact: 0 for a P-position, ~1 for an N-position, or UNKNOWN."""
        if not self._has_outcome_form:
            return UNKNOWN
        with rule_errors(self._name, Message("the outcome"), position):
            outcome = self._ruleset.outcome_form(position)
        return {"P": 0, "N": ~1}.get(outcome or "", UNKNOWN)

    def map_options(self, position: Hashable, convert: Callable[[Sequence[Hashable]], Result]) -> list[Result]:
        """Return ``convert(components)`` for each option of a canonical position, except loony options.

        Raises LimitError if there are more than MAX_TRIED options.
        """
        with rule_errors(self._name, Message("the options"), position, method=self._ruleset.options):
            # Read at most one option more than the limit: this is enough to see that there are too many.
            options = list(islice(iterated(self._ruleset.options(position), position), MAX_TRIED + 1))
            if len(options) > MAX_TRIED:
                raise LimitError(
                    "{position!r} has more than {max_tried:,} options, too many to try each one", position, MAX_TRIED
                )
            if self._ruleset.decides:
                options = [option for option in options if not self.is_loony(option)]
            return [convert(option if type(option) is Sum else (option,)) for option in options]

    def _run(self, task: Task) -> Any:  # noqa: ANN401
        """Run a task, and the tasks that it yields; return its result."""
        # The stack is a list, because play can be longer than Python's stack is deep.
        stack, result = [task], None
        self._path = {}
        while stack:
            try:
                stack.append(stack[-1].send(result))
                result = None
            except StopIteration as end:
                stack.pop()
                result = end.value
        return result

    def _value(self, position: Hashable) -> Task:
        """Compute the value of a position: test 0, 1, 2, ... with :meth:`_has` until one of them is the value."""
        # A failed test excludes its value, and later tests use the facts that it proved about options.
        for nimber in count():
            if (yield self._has(position, nimber)):
                return nimber
        return None

    def _sum_has(self, parts: Summands, nimber: int) -> Task:
        """Compute whether the value of a sum is ``nimber``."""
        unknown: list[Hashable] = []
        for part in parts:
            if (fact := self.facts.get(part, UNKNOWN)) < 0:
                unknown.append(part)
            else:
                nimber ^= fact
        if not unknown:
            return nimber == 0
        # Compute the values of all unknown parts except the part with the most moves: that part goes into the couple.
        unknown.sort(key=self.moves)
        for part in unknown[:-1]:
            nimber ^= yield self._value(part)
        return (yield self._has(unknown[-1], nimber))

    def _has(self, position: Hashable, nimber: int) -> Task:
        """Compute whether the value of a position is ``nimber``.

        The answer is yes if no option has the value ``nimber``, and the value of the position is not below ``nimber``.
        Raises CycleError if play returns to a position.
        """
        # A fact answers at once if it is a value, or if it excludes this value.
        fact = self.facts.get(position, UNKNOWN)
        if fact >= 0 or ~fact >> nimber & 1:
            return fact == nimber
        options = self._options_of(position)
        unknown = self._exclude_known(position, options)
        fact = self.facts[position]
        # A value is the mex of the options' values, so it is at most the number of options.
        if fact >= 0 or ~fact >> nimber & 1 or nimber > len(options):
            return fact == nimber
        # The path may have an earlier couple of this position only if its heap is larger. Otherwise play has returned
        # to the position.
        before = self._path.get(position)
        if before is not None and before <= nimber:
            path = list(self._path)
            raise CycleError(path[path.index(position) :])
        self._path[position] = nimber
        for parts in unknown:
            # If an option has the value ``nimber``, the position has another value.
            if (yield self._sum_has(parts, nimber)):
                self.facts[position] &= ~(1 << nimber)
                break
        else:
            # No option has the value ``nimber``, so the position has this value or a smaller one: test smaller values.
            for smaller in range(nimber):
                yield self._has(position, smaller)
            if self.facts[position] < 0:
                self.facts[position] = nimber
        if before is None:
            del self._path[position]
        else:
            self._path[position] = before
        return self.facts[position] == nimber

    def _exclude_known(self, position: Hashable, options: list[Summands]) -> list[Summands]:
        """Exclude the known values of options from the fact about a position; return the options of unknown value.

        If no option has an unknown value, the fact becomes the position's value, the mex. Values above the number of
        options are not excluded: the mex is not above this number. If the position's value is known already, return [].
        """
        if self.facts[position] >= 0:
            return []
        values, unknown = 0, []
        for parts in options:
            value = known_sum(self.facts.get, parts)
            if value is None:
                unknown.append(parts)
            elif value <= len(options):
                values |= 1 << value
        # The fact is ~mask of the excluded values: its lowest set bit is the least value that is not excluded, the mex.
        fact = self.facts[position] & ~values
        self.facts[position] = fact if unknown else (fact & -fact).bit_length() - 1
        return unknown

    def _options_of(self, position: Hashable) -> list[Summands]:
        """Check the limits, and return the options of a position; [] if its value is known.

        If the position is not in the table, add it. Its first fact is the result of :meth:`outcome_fact`.
        """
        self._budget.check(len(self._path), measured=True)
        if position not in self.facts:
            self.keep(position, self.outcome_fact(position))
            self._budget.visited += self.facts[position] < 0
        if self.facts[position] >= 0:
            return []
        return self.options(position)

    def _sorted_options(self, position: Hashable) -> list[Summands]:
        options = list({frozenset(parts): parts for parts in self.map_options(position, self.parts)}.values())
        options.sort(key=lambda parts: self.moves(parts[0]) if len(parts) == 1 else sum(map(self.moves, parts)))
        return options

    def is_loony(self, position: Hashable) -> bool:
        """Return True if the player to move wins at once in some component of a position.

        This is so if the rules' ``decided`` returns "N" for the component, or "P" for a component after a move in it.
        """
        decided = self._ruleset.decided
        for part in parts_of(position):
            if decided(part) == "N":
                return True
            with rule_errors(self._name, Message("the options"), part, method=self._ruleset.options):
                parts_after = (after for option in self._ruleset.options(part) for after in parts_of(option))
                if not decided(part) and any(decided(after) == "P" for after in parts_after):
                    return True
        return False

    def _canonical_image(self, position: Hashable) -> Hashable:
        """Return the canonical form of a position; if a closed form gives its value, write this value as its fact."""
        image = self.canonical(position)
        if self._has_closed_form and image not in self.facts:
            with rule_errors(self._name, Message("the closed form"), image):
                value = returned(self._ruleset.closed_form(image), int, NoneType)
            if isinstance(value, int):
                self.keep(image, value)
        return image

    def _mobility(self, position: Hashable) -> int:
        """Return the rules' estimate of the number of moves, limited to 0, ..., 2^40."""
        with rule_errors(self._name, Message("the number of moves"), position):
            return min(max(int(self._ruleset.mobility(position)), 0), _LARGEST_ESTIMATE)
