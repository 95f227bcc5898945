"""The nimber search: whether a position beside a heap of Nim is lost, from the couples that moves lead to.

A couple (position, n) is a P-position exactly when the position has the value n. Its moves lead to couples again: a
smaller heap beside the same position, or an option beside the same heap. An option that falls apart is no larger a
question: the values of all its components but one are found and added to the heap, and one couple is left.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Generator, Hashable, Sequence
from itertools import count, islice
from time import monotonic
from types import NoneType
from typing import Any, TypeVar

from graphgame.compiled.engine import Progress, cores
from graphgame.errors import CycleError, LimitError, Message, RulesetError, plural
from graphgame.rules.exploration import Remembered
from graphgame.rules.faults import blamed, iterated, returned
from graphgame.rules.limits import parts_of
from graphgame.rules.ruleset import MAX_TRIED, Ruleset, Sum, tells

if sys.platform != "win32":
    import resource


MAX_NODES = 2_000_000
"""Positions that a search may keep in its tables unless the caller says otherwise; they take up to about 1 GB."""

MEMORY = 2 << 30
"""Bytes that a search may take unless the caller says otherwise."""

_REPORT_EVERY = 64
_A_CACHED_OPTION = 1 << 10
_UNIT = 1 if sys.platform == "darwin" else 1 << 10


class Allowance:
    """What is left to spend for all searches that share it.

    Attributes
    ----------
    most, kept : int
        How many positions the tables may have, and have.
    visited : int
        Positions whose options were looked at.
    memory, jobs : int
        Bytes for tables of bounded memory, or that the process may grow by, and threads that share such tables.
    """

    def __init__(
        self,
        max_nodes: int | None = None,
        time: float | None = None,
        progress: Progress | None = None,
        memory: int = MEMORY,
        jobs: int | None = None,
    ) -> None:
        if max_nodes is not None and max_nodes < 1:
            raise ValueError(Message("invalid max_nodes {max_nodes}: expected 1 or more", max_nodes))
        if memory < 1:
            raise ValueError(Message("invalid memory {memory}: expected 1 byte or more", memory))
        if jobs is not None and jobs < 1:
            raise ValueError(Message("invalid jobs {jobs}: expected 1 or more", jobs))
        if time is not None and not time > 0:
            raise ValueError(Message("invalid time {time}: expected more than 0 seconds", time))
        self.visited = self.kept = 0
        self.most = MAX_NODES if max_nodes is None else max_nodes
        self.memory = memory
        self.jobs = cores() if jobs is None else jobs
        self._bounded = max_nodes is not None
        self._time = time
        self._end = None if time is None else monotonic() + time
        self._progress = progress
        self._looks = 0
        self._size = _size_of_process()

    @property
    def most_cached(self) -> int:
        """How many options may be remembered, which could be asked for again."""
        return self.memory // _A_CACHED_OPTION

    def keep(self) -> None:
        """Count one more position in a table; raise a LimitError where there are too many."""
        if self.kept >= self.most:
            raise self._full()
        self.kept += 1

    @property
    def left_to_keep(self) -> int:
        """How many positions more a table of bounded memory may have; very many unless the caller set a limit."""
        return max(self.most - self.kept, 0) if self._bounded else 1 << 62

    def may_keep(self) -> None:
        """Raise a LimitError where a table of bounded memory has as many positions as the caller allows."""
        if not self.left_to_keep:
            raise self._full()

    def spend(self, visited: int, kept: int) -> None:
        """Count positions that were looked at, and that are new in a table."""
        self.visited += visited
        self.kept += kept

    def _full(self) -> LimitError:
        return LimitError("no answer within a table of {positions}", plural(self.most, "position"), limit="max_nodes")

    def look(self, depth: int, every: int = _REPORT_EVERY, measured: bool = False) -> None:
        """Tell the time before some work; raise a LimitError where it is over. Every so often report.

        Then too much memory of the process is a LimitError as well, if it is to be measured.
        """
        if self._end is not None and monotonic() > self._end:
            raise LimitError(
                "no answer within {time} s, {positions} visited",
                f"{self._time:g}",
                plural(self.visited, "position"),
                limit="time",
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
    """Return the most bytes that this process had in memory; 0 on Windows, where the memory is not bounded so."""
    return 0 if sys.platform == "win32" else resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * _UNIT


class ValueTooLargeError(Exception):
    """A position has a value that the loops have no room for."""


UNKNOWN = -1
"""The fact about a position of which nothing is known."""

_MOST_MOVES = 1 << 40

Facts = dict[Hashable, int]
Summands = tuple[Hashable, ...]
Task = Generator[Any, Any, Any]
Made = TypeVar("Made")


class Solver:
    """A nimber search among the positions of one ruleset.

    Attributes
    ----------
    facts : dict
        Canonical position -> its value where that is known, else ``~mask``: the ones of the mask are values that it
        does not have.
    moves : callable
        Canonical position -> about how many moves it has; 0 where the rules do not say.

    Notes
    -----
    Depth first on a stack of its own, so that games may be as long as they like. Facts are proved when they are
    written: the search may be stopped at any moment, and goes on from them.

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
        self._image = Remembered(self._canonical_image).__getitem__
        self.moves = Remembered(self._mobility).__getitem__ if tells(ruleset, "mobility") else lambda position: 0
        self._options: dict[Hashable, list[Summands]] = {}
        self._cached = 0
        self._path: dict[Hashable, int] = {}
        self._has_closed_form = tells(ruleset, "closed_form")
        self._has_outcome_form = tells(ruleset, "outcome_form")

    def value(self, positions: Sequence[Hashable]) -> int:
        """Return the Grundy value of a sum of positions."""
        return int(self._run(self._sum_value(self.parts(positions))))

    def has_value(self, positions: Sequence[Hashable], nimber: int) -> bool:
        """Tell whether a sum of positions has a Grundy value: whether it is lost beside a heap of this size."""
        return bool(self._run(self._sum_has(self.parts(positions), nimber)))

    def fact(self, position: Hashable) -> int:
        """Return what is known of a canonical position."""
        return self.facts.get(position, UNKNOWN)

    def options(self, position: Hashable) -> list[Summands]:
        """Return the distinct options of a canonical position: those first that fall into components with few moves."""
        found = self._options.get(position)
        return self._expand(position) if found is None else found

    def parts(self, positions: Sequence[Hashable]) -> Summands:
        """Return canonical positions in place of others, without pairs of equal ones."""
        if len(positions) == 1:
            return (self._image(positions[0]),)
        parts: dict[Hashable, None] = {}
        for position in map(self._image, positions):
            if position in parts:
                del parts[position]
            else:
                parts[position] = None
        return tuple(parts)

    def keep(self, position: Hashable, fact: int) -> None:
        """Write down a fact about a canonical position."""
        if position not in self.facts:
            self._allowance.keep()
        self.facts[position] = fact

    def canonical(self, position: Hashable) -> Hashable:
        """Return the position that the facts are about."""
        with blamed(self._name, Message("the canonical form"), position):
            image = self._ruleset.canonical(position)
            hash(image)
            return image

    def told(self, position: Hashable) -> int:
        """Return what a theorem tells of who wins a position, as a fact."""
        if not self._has_outcome_form:
            return UNKNOWN
        with blamed(self._name, Message("the outcome"), position):
            outcome = self._ruleset.outcome_form(position)
        return {"P": 0, "N": ~1}.get(outcome or "", UNKNOWN)

    def tried(self, position: Hashable, made: Callable[[Sequence[Hashable]], Made]) -> list[Made]:
        """Return what a function makes of the components of each option of a canonical position that is not loony."""
        with blamed(self._name, Message("the options"), position, method=self._ruleset.options):
            options = list(islice(iterated(self._ruleset.options(position), position), MAX_TRIED + 1))
            if self._ruleset.decides:
                options = [option for option in options if not self.is_loony(option)]
            if len(options) > MAX_TRIED:
                raise LimitError(
                    "{position!r} has too many options to try each: more than {max_tried:,}", position, MAX_TRIED
                )
            return [made(option if type(option) is Sum else (option,)) for option in options]

    def _run(self, task: Task) -> Any:  # noqa: ANN401
        """Run a task and those that it waits for, one upon another."""
        # Tasks are generators on a list: play may be longer than Python's stack is deep.
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

    def _sum_value(self, parts: Summands) -> Task:
        total = 0
        for part in parts:
            total ^= yield self._value(part)
        return total

    def _value(self, position: Hashable) -> Task:
        for nimber in count():
            if (yield self._has(position, nimber)):
                return nimber
        return None

    def _sum_has(self, parts: Summands, nimber: int) -> Task:
        """Tell whether a sum has a value; of its components the one with most moves stays in the couple."""
        unknown: list[Hashable] = []
        for part in parts:
            if (fact := self.facts.get(part, UNKNOWN)) < 0:
                unknown.append(part)
            else:
                nimber ^= fact
        if not unknown:
            return nimber == 0
        # All parts but one need their values; the one with most moves is spared that.
        unknown.sort(key=self.moves)
        for part in unknown[:-1]:
            nimber ^= yield self._value(part)
        return (yield self._has(unknown[-1], nimber))

    def _has(self, position: Hashable, nimber: int) -> Task:
        """Tell whether a position has a value: whether no option has it, and it has no smaller one."""
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
            for smaller in range(nimber):
                yield self._has(position, smaller)
            if self.facts[position] < 0:
                self.facts[position] = nimber
        self._leave(position, before)
        return self.facts[position] == nimber

    def _enter(self, position: Hashable, nimber: int) -> int | None:
        """Note the couple that is looked at; return the heap that is noted for the position already.

        From a couple the search comes back to the position with smaller heaps alone, unless play comes back to it.
        """
        before = self._path.get(position)
        if before is not None and before <= nimber:
            path = list(self._path)
            raise CycleError(path[path.index(position) :])
        self._path[position] = nimber
        return before

    def _leave(self, position: Hashable, before: int | None) -> None:
        if before is None:
            del self._path[position]
        else:
            self._path[position] = before

    def _look(self, position: Hashable, options: list[Summands]) -> list[Summands]:
        """Write down what the known options tell of a position; return the others.

        A value is never more than the number of options, so that larger ones tell nothing.
        """
        if self.facts[position] >= 0:
            return []
        known, unknown = 0, []
        for parts in options:
            value = self._known_value(parts)
            if value is None:
                unknown.append(parts)
            elif value <= len(options):
                known |= 1 << value
        fact = self.facts[position] & ~known
        self.facts[position] = fact if unknown else (fact & -fact).bit_length() - 1
        return unknown

    def _known_value(self, parts: Summands) -> int | None:
        total = 0
        for part in parts:
            if (fact := self.facts.get(part, UNKNOWN)) < 0:
                return None
            total ^= fact
        return total

    def _expanded(self, position: Hashable) -> list[Summands]:
        """Return the options of a position, or none of one whose value is known; tell the time."""
        self._allowance.look(len(self._path), measured=True)
        if position not in self.facts:
            self.keep(position, self.told(position))
            self._allowance.visited += 1
        if self.facts[position] >= 0:
            return []
        return self.options(position)

    def _expand(self, position: Hashable) -> list[Summands]:
        found = list({frozenset(parts): parts for parts in self.tried(position, self.parts)}.values())
        found.sort(key=self._all_moves)
        self._cached += len(found)
        # Options can be asked for again, so all are forgotten at once when they are many.
        if self._cached > self._allowance.most_cached:
            self._options.clear()
            self._cached = len(found)
        self._options[position] = found
        return found

    def is_loony(self, option: Hashable) -> bool:
        """Tell whether the player to move wins a sum that has this position, or these parts, at once."""
        ends = self._ruleset.decided
        for part in parts_of(option):
            if ends(part) == "N":
                return True
            with blamed(self._name, Message("the options"), part, method=self._ruleset.options):
                after = (each for left in self._ruleset.options(part) for each in parts_of(left))
                if not ends(part) and any(ends(each) == "P" for each in after):
                    return True
        return False

    def _canonical_image(self, position: Hashable) -> Hashable:
        image = self.canonical(position)
        if self._has_closed_form and image not in self.facts:
            with blamed(self._name, Message("the closed form"), image):
                value = returned(self._ruleset.closed_form(image), int, NoneType)
            if isinstance(value, int):
                self.keep(image, value)
        return image

    def _all_moves(self, parts: Summands) -> int:
        return self.moves(parts[0]) if len(parts) == 1 else sum(map(self.moves, parts))

    def _mobility(self, position: Hashable) -> int:
        with blamed(self._name, Message("the number of moves"), position):
            return min(max(int(self._ruleset.mobility(position)), 0), _MOST_MOVES)
