"""Check rulesets: whether the rules define a game, and whether the other methods of the ruleset agree with its options.

The checks look at a sample of the positions: those nearest to the starts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property, reduce
from itertools import islice
from operator import xor
from typing import Literal

import networkx as nx
import numpy as np

from graphgame.errors import (
    CycleError,
    GraphGameError,
    LimitError,
    Message,
    checks_parameters,
    play_text,
    plural,
    shorten,
)
from graphgame.registry import offer_for
from graphgame.rules import MAX_CHECKED
from graphgame.rules.exploration import explore, unended_play
from graphgame.rules.pictures import check_picture
from graphgame.rules.rule_errors import failure, hashed, iterated, misspelt, raised
from graphgame.rules.ruleset import Ruleset, Sum, decision, parts_of, tells, value_by_rules
from graphgame.rules.strategies import closed_forms_suffice
from graphgame.solution.results import Value, outcome_of
from graphgame.solution.solve import solution_of, solve

_MOVES_A_POSITION = 20


class Sample:
    """The positions nearest to the starts, breadth first, with their options.

    Attributes
    ----------
    options : dict
        Position -> its options, as the rules list them; none for a decided position. The limit on moves may cut the
        last list short.
    complete : bool
        Whether no limit ended the sample: without a fault, it then has all positions that the starts can reach.
    fault : str or None
        Why the rules failed to list the options of some position.
    last : hashable
        The last position whose options were listed or could not be listed; None if there was none.
    """

    def __init__(self, ruleset: Ruleset, starts: tuple[Hashable, ...], max_positions: int) -> None:
        self.ruleset = ruleset
        self.starts = [part for start in starts for part in parts_of(start)]
        self.max_positions = max_positions
        self.max_moves = _MOVES_A_POSITION * max_positions
        self.options: dict[Hashable, list[Hashable]] = {}
        self.complete = True
        self.fault: str | None = None
        self.last: Hashable = None
        try:
            self._collect()
        except (Exception, SystemExit) as error:
            self.fault = str(error) if isinstance(error, GraphGameError) else raised(error)

    def _collect(self) -> None:
        queue = {hashed(start): shorten(start) for start in self.starts}
        order, moves = list(queue), 0
        # ``order`` is the queue of the breadth-first search: it grows while the loop goes through it.
        for position in order:
            if len(self.options) == self.max_positions:
                self.complete = False
                return
            self.last = position
            options = self._options(position, queue[position], self.max_moves - moves + 1)
            moves += len(options)
            self.options[position] = options
            if moves > self.max_moves:
                self.complete = False
                return
            for part in (part for option in options for part in parts_of(option)):
                if hashed(part, position) not in queue:
                    queue[part] = Message("{position!r}, an option of {before!r}", part, position)
                    order.append(part)

    def _options(self, position: Hashable, named: str, most: int) -> list[Hashable]:
        name, method = type(self.ruleset).__name__, self.ruleset.options
        if self.ruleset.decides and decision(self.ruleset, position):
            return []
        try:
            return list(islice(iterated(method(position), position), most))
        except (Exception, SystemExit) as error:
            raise failure(name, Message("the options"), error, named, method) from error

    @property
    def incomplete(self) -> str:
        """The reason why an incomplete sample is incomplete, as a clause: the limit on positions or on moves."""
        if len(self.options) < self.max_positions:
            return Message(
                "the limit of {max_moves} moves was reached at the options of {position!r}", self.max_moves, self.last
            )
        return Message(
            "there are more positions than the {max_positions} that were looked at; start from a smaller position",
            self.max_positions,
        )

    @cached_property
    def plain_values(self) -> dict[Hashable, Value]:
        """Position or Sum -> its value, without :meth:`Ruleset.canonical`; LimitError if the sample is incomplete."""
        if not self.complete:
            raise LimitError(self.incomplete)
        graph = explore(Plain(self.ruleset), *self.starts, *self.options, max_positions=4 * self.max_positions)
        return dict(solve(graph, tokens=(), loopy=self.ruleset.loopy).grundy)


class Plain(Ruleset):
    """A ruleset reduced to its options and decided positions: without ``canonical``, theorems and ``least_size``."""

    def __init__(self, ruleset: Ruleset) -> None:
        self._ruleset = ruleset

    def options(self, position: Hashable) -> Iterable[Hashable]:
        """Return the original ruleset's options."""
        return self._ruleset.options(position)

    def decided(self, position: Hashable) -> Literal["P", "N"] | None:
        """Return the original ruleset's decision: who has won at a position, or None if play goes on."""
        return self._ruleset.decided(position)

    @property
    def decides(self) -> bool:
        """The property :attr:`decides` of the original ruleset."""
        return self._ruleset.decides


class Unsized(Plain):
    """A ruleset reduced to its options, decided positions and ``canonical``, to check its ``least_size``."""

    def canonical(self, position: Hashable) -> Hashable:
        """Return the original ruleset's canonical position."""
        return self._ruleset.canonical(position)


_ENDS = Message("play ends")
_MOST_COMPARED = 10  # ``_sized`` checks the starts and this many positions, ``_options_of_value`` this many values


@dataclass(frozen=True)
class Check:
    """The result of one check, a line of a report.

    ``passed`` is None if no check was possible. ``detail`` is a counterexample, an error, or a reason; it may be "".
    """

    name: str
    passed: bool | None
    detail: str = ""

    def __str__(self) -> str:
        word = {True: "ok", False: "FAILED", None: Message("not checked")}[self.passed]
        return f"{word:<11}  {self.name}{': ' if self.detail else ''}{self.detail}"


@dataclass(frozen=True)
class Report:
    """The result of :func:`check`.

    Attributes
    ----------
    positions : int
        How many positions were looked at.
    complete : bool
        Whether no limit was met. Then, unless the rules failed to list options, all positions that the starts can reach
        were looked at, with all their moves.
    checks : tuple of Check
        One entry for each check that applies to the ruleset.
    """

    positions: int
    complete: bool
    checks: tuple[Check, ...]

    @property
    def unended(self) -> bool:
        """Whether the check "play ends" failed or could not be made; False for loopy rules, where play need not end."""
        return any(check.name == _ENDS and not check.passed for check in self.checks)

    @property
    def passed(self) -> bool:
        """Whether no check failed; checks that could not be made do not count as failed."""
        return all(check.passed is not False for check in self.checks)

    def __str__(self) -> str:
        return "\n".join(map(str, self.checks))


@checks_parameters
def check(ruleset: Ruleset, *starts: Hashable, max_positions: int = MAX_CHECKED) -> Report:
    """Check that rules define a game, and that the other methods of the ruleset agree with its options.

    Parameters
    ----------
    ruleset : Ruleset
    *starts : hashable
        Positions to start from; the default is ``ruleset.start``.
    max_positions : int
        The limit on the positions to look at, nearest to the starts first. The limit on their moves is 20 times as
        large. Values are compared only if all positions and moves are within these limits.

    Returns
    -------
    Report
        One entry for each check that applies, with the first counterexample. An exception of the rules fails a check.

    Raises
    ------
    RulesetError
        There is no start position, or ``ruleset`` is not a Ruleset.
    ParameterError
        ``max_positions`` is less than 1.

    Notes
    -----
    The options of each position are listed several times. A method of the rules that never returns is not stopped.

    Examples
    --------
    >>> class Square(Ruleset):
    ...     def options(self, heap):
    ...         return [heap - k * k for k in range(1, heap + 1) if k * k <= heap]
    ...     def closed_form(self, heap):
    ...         return heap % 2
    >>> print(check(Square(), 10))
    ok           positions can be listed
    ok           play ends
    ok           options are the same each time
    ok           the text of a position is read back
    ok           the board is a text
    FAILED       the closed form is the graph's value: position 9 has the value 2, the closed form says 1
    FAILED       options_of_value agrees with the values of the graph: for position 10 and value 0, options_of_value
    gives [6]: expected []
    """
    begin = starts or ((ruleset.start,) if getattr(ruleset, "start", None) is not None else ())
    if not (begin and isinstance(ruleset, Ruleset)):
        explore(ruleset)  # raises the error for a missing start or for something that is not a ruleset
    sample = Sample(ruleset, begin, max_positions)
    checks = [checked(name, sample, work) for name, wanted, work in _CHECKS if _applies(wanted, ruleset)]
    if offered := offer_for("self-check", ruleset):
        checks.append(offered(sample))
    return Report(len(sample.options), sample.complete, tuple(checks))


def _listing(positions: Iterable[Hashable]) -> str:
    return shorten(sorted(positions, key=repr))


Work = Callable[[Sample], Iterator[str]]


def checked(name: str, sample: Sample, work: Work) -> Check:
    """Run the check ``work`` on a sample and return its result as a :class:`Check` of this name.

    ``work`` yields a sentence for each counterexample. The check fails at the first one, or if ``work`` raises an
    exception. ``passed`` is None after a LimitError, or if the sample has a fault: only ``_listed`` reports that fault.
    """
    if sample.fault is not None and work is not _listed:
        return Check(name, None)
    try:
        fault = next(work(sample), None)
    except LimitError as error:
        return Check(name, None, str(error))
    except (Exception, SystemExit) as error:
        return Check(name, False, raised(error))
    return Check(name, fault is None, fault or "")


def _listed(sample: Sample) -> Iterator[str]:
    if sample.fault is not None:
        yield sample.fault


def _deterministic(sample: Sample) -> Iterator[str]:
    for position, options in sample.options.items():
        again = list(islice(sample.ruleset.options(position), len(options)))
        if set(again) != set(options):
            kinds = {type(part) for option in options for part in parts_of(option)}
            if alone := [kind.__name__ for kind in kinds if kind.__eq__ is object.__eq__]:
                yield Message(
                    "two objects of {alone} are never equal: give this class __eq__ and __hash__, or use tuples",
                    alone[0],
                )
            yield Message(
                "position {position!r} first has the options {options!r}, and then {again!r}", position, options, again
            )


def _spelt(sample: Sample) -> Iterator[str]:
    for name, hook in misspelt(type(sample.ruleset), Ruleset).items():
        yield Message("graphgame does not call {name}: is it meant to be {hook}?", name, hook)


def _ends(sample: Sample) -> Iterator[str]:
    canonical = sample.ruleset.canonical
    # Play in a sum ends if play in each part ends. So an option that is a sum gives an edge to each part.
    edges = (
        (start, canonical(part))
        for position, options in sample.options.items()
        for start in (canonical(position),)
        for option in options
        for part in parts_of(option)
    )
    try:
        solution_of(nx.DiGraph(edges))
    except CycleError as error:
        yield str(error)
    if not sample.complete:
        play = unended_play(sample.ruleset, sample.starts, len(sample.options))
        if play and play[-1] in play[:-1]:
            yield str(CycleError(play[play.index(play[-1]) : -1]))
        if play:
            raise LimitError("{incomplete}; play might never end: {play}", sample.incomplete, play_text(play))
        raise LimitError(sample.incomplete)


def _idempotent(sample: Sample) -> Iterator[str]:
    canonical = sample.ruleset.canonical
    for position in sample.options:
        once = canonical(position)
        if canonical(once) != once:
            yield Message(
                "the method canonical turns position {position!r} into {once!r}, and {once!r} into {twice!r}",
                position,
                once,
                canonical(once),
            )


def _keeps_value(sample: Sample) -> Iterator[str]:
    canonical, values = sample.ruleset.canonical, sample.plain_values
    images = Sample(sample.ruleset, tuple(map(canonical, sample.options)), 4 * sample.max_positions).plain_values
    for position in sample.options:
        value, other = values[position], images[canonical(position)]
        if value != other:
            image = shorten(canonical(position))
            yield Message(
                "position {position!r} has the value {value}, but its canonical position {image} has the value {other}",
                position,
                value,
                image,
                other,
            )


def _read_back(sample: Sample) -> Iterator[str]:
    rules = sample.ruleset
    for position in sample.options:
        if isinstance(position, float):
            yield Message("position {position} is a float: divide integers by //", position)
        text = rules.format(position)
        try:
            parsed = rules.parse(text)
        except Exception as error:
            yield Message(
                "the method format writes {position!r} as {text!r}; parse fails: {error}", position, text, raised(error)
            )
            return
        if parsed != position and rules.canonical(parsed) != rules.canonical(position):
            yield Message(
                "the method format writes {position!r} as {text!r}, but parse reads {found!r}", position, text, parsed
            )


def _drawn(sample: Sample) -> Iterator[str]:
    for position in sample.options:
        if not isinstance(board := sample.ruleset.board(position), str):
            yield Message("the board of position {position!r} is {board!r}: expected a text", position, board)


def _pictured(sample: Sample) -> Iterator[str]:
    for position in sample.options:
        try:
            if (picture := sample.ruleset.picture(position)) is not None:
                check_picture(picture)
        except Exception as error:
            yield Message("the picture of position {position!r} is wrong: {error}", position, raised(error))


def _played(sample: Sample) -> Iterator[str]:
    rules = sample.ruleset

    def multiset(option: Hashable) -> frozenset[tuple[Hashable, int]]:
        return frozenset(Counter(map(rules.canonical, parts_of(option))).items())

    for position, options in sample.options.items():
        board = rules.picture(position)
        ways = [] if board is None or rules.decided(position) else list(rules.ways(position) or ())
        if board is not None and any(way.after is not None and len(way.after) != len(board.cells) for way in ways):
            yield Message(
                "a way to move from position {position!r} has the wrong number of cells: the attribute 'after' of "
                "the Way must have {cells}, like the position's picture",
                position,
                plural(len(board.cells), "cell"),
            )
        # In an incomplete sample, the options of a position may be cut off: then the ways may lead to more options.
        shown, wanted = {multiset(way.option) for way in ways}, set(map(multiset, options))
        if ways and not (shown == wanted if sample.complete else shown >= wanted):
            yield Message(
                "the ways to move from position {position!r} lead to {positions} instead of its options",
                position,
                _listing({way.option for way in ways}),
            )


def _counted(sample: Sample) -> Iterator[str]:
    for position in sample.options:
        moves = sample.ruleset.mobility(position)
        if not isinstance(moves, int | np.integer):
            yield Message("the mobility of position {position!r} is {mobility!r}: expected an integer", position, moves)


def _sized(sample: Sample) -> Iterator[str]:
    if not sample.complete:
        raise LimitError(sample.incomplete)
    rules = sample.ruleset
    for position in [*sample.starts, *list(sample.options)[-_MOST_COMPARED:]]:
        claimed = rules.least_size(position)
        graph = explore(Unsized(rules), position, max_positions=4 * sample.max_positions)
        size = len(graph), graph.number_of_edges()
        if claimed[0] > size[0] or claimed[1] > size[1]:
            yield Message(
                "the least size of {position!r} is {claimed!r}, but its graph has the size {found}",
                position,
                claimed,
                size,
            )


def _closed_form(sample: Sample) -> Iterator[str]:
    for position, value in sample.plain_values.items():
        claimed = None if type(position) is Sum else value_by_rules(sample.ruleset, position)
        if claimed is not None and claimed != value:
            yield Message(
                "position {position!r} has the value {value}, the closed form says {claimed!r}",
                position,
                value,
                claimed,
            )


def _outcome_form(sample: Sample) -> Iterator[str]:
    for position, value in sample.plain_values.items():
        applies = type(position) is not Sum and not sample.ruleset.decided(position)
        claimed = sample.ruleset.outcome_form(position) if applies else None
        if claimed is not None and claimed != outcome_of(value):
            yield Message(
                "position {position!r} has the value {value}, the theorem says {claimed!r}", position, value, claimed
            )


def _options_of_value(sample: Sample) -> Iterator[str]:
    rules = sample.ruleset
    for position, options in sample.options.items():
        if rules.decided(position) or not closed_forms_suffice(rules, position):
            continue
        values = [reduce(xor, map(sample.plain_values.__getitem__, parts_of(option)), 0) for option in options]
        for value in islice(dict.fromkeys([sample.plain_values[position], *values]), _MOST_COMPARED):
            expected = {option for option, other in zip(options, values, strict=True) if other == value}
            named = set(rules.options_of_value(position, value))
            if named != expected:
                yield Message(
                    "for position {position!r} and value {value}, options_of_value gives {named}: expected {expected}",
                    position,
                    value,
                    _listing(named),
                    _listing(expected),
                )


def _applies(wanted: str, ruleset: Ruleset) -> bool:
    """Return whether a check applies to a ruleset.

    ``wanted`` is a condition of ``_CHECKS``: ``""`` (always), ``"end"`` (the rules are not loopy), ``"misspelt"`` (the
    name of a method resembles one of Ruleset), ``"picture"`` (the rules define ``cells`` or ``picture``), or the name
    of a method that the rules must define.
    """
    if wanted == "picture":
        return bool(ruleset.cells) or tells(ruleset, "picture")
    if wanted == "misspelt":
        return bool(misspelt(type(ruleset), Ruleset))
    return not ruleset.loopy if wanted == "end" else not wanted or tells(ruleset, wanted)


_CHECKS: tuple[tuple[str, str, Work], ...] = (
    (Message("positions can be listed"), "", _listed),
    (_ENDS, "end", _ends),
    (Message("no method has a misspelt name"), "misspelt", _spelt),
    (Message("options are the same each time"), "", _deterministic),
    (Message("the method canonical leaves a canonical position as it is"), "canonical", _idempotent),
    (Message("a position and its canonical position have the same value"), "canonical", _keeps_value),
    (Message("the text of a position is read back"), "", _read_back),
    (Message("the board is a text"), "", _drawn),
    (Message("the picture is a Picture"), "picture", _pictured),
    (Message("the ways to move lead to exactly the options"), "ways", _played),
    (Message("the method mobility returns an integer"), "mobility", _counted),
    (Message("least_size is at most the size of the graph"), "least_size", _sized),
    (Message("the closed form is the graph's value"), "closed_form", _closed_form),
    (Message("options_of_value agrees with the values of the graph"), "closed_form", _options_of_value),
    (Message("the outcome by theorem is that of the graph"), "outcome_form", _outcome_form),
)
"""For each check: its name in the report, the condition of :func:`_applies`, and its function."""
