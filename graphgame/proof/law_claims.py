"""What makes a law of P-positions or of values true, decided by code that shares nothing with that which found it.

A set is that of the P-positions where every move lowers a total, no move joins two of the set, and every other position
has a move into it. Numbers are the Grundy values where, besides, no move keeps the number of a position, and to every
smaller number there is a move. Each of these is a statement about all numbers, and is decided as a :class:`DigitSet`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from graphgame.errors import Message, OptionError
from graphgame.proof.digit_sets import DigitSet, DigitSystem, linear_set, set_from, table_set
from graphgame.proof.statements import StatementReader
from graphgame.rules.declared import DeclaredMoves

_VALUE, _OTHER = "value", "other"
_WIDEST = 15


@dataclass(frozen=True)
class Decided:
    """A statement, and numbers of which it is false; None where it holds of all."""

    text: str
    example: Mapping[str, int] | None


def claimed_set(law: Mapping[str, Any]) -> DigitSet:
    """Return the set of P-positions, or of positions with their values, that the record of a law claims.

    A formula says it, unless there is none, or it is that of :func:`pairs_text` or a recurrence: an automaton does.

    Raises
    ------
    OptionError
        The record has neither an automaton nor a formula that can be decided.
    """
    names, formula = tuple(law["names"]), law["formula"]
    of_lost = law["about"] == "P-positions"
    tracks = tuple(sorted(names if of_lost else (*names, _VALUE)))
    if formula is None or width_of_pairs(law) or is_recurrence(law):
        return table_set(law.get("automaton") or {}, tracks)
    digits = DigitSystem(a=1) if "zeckendorf(" in formula else DigitSystem(base=2)
    return StatementReader(digits, tracks).set_of(formula if of_lost else f"{_VALUE} = ({formula})")


def named_by_text(game: DeclaredMoves, names: Sequence[str], whole: DigitSet, every: bool = False) -> DigitSet:
    """Return what a text of fewer numbers names, of a set of positions; or of all positions, with its digits."""
    reader = StatementReader(whole.digits, game.names)
    starts = reader.set_of(game.starts) & reader.set_of(game.positions)
    count = len(names)
    return (
        (starts if every else whole & starts)
        .without(game.names[count:])
        .named(dict(zip(game.names[:count], names, strict=True)))
    )


def width_of_pairs(law: Mapping[str, Any]) -> int:
    """Return the width of the pairs of :func:`pairs_text` that a law's formula says; 0 if it says something else."""
    names = law["names"]
    widths = range(1, _WIDEST + 1) if len(names) == 2 and law["about"] == "P-positions" else ()
    return next((width for width in widths if law["formula"] == pairs_text(width, names)), 0)


def is_recurrence(law: Mapping[str, Any]) -> bool:
    """Tell whether the formula of a law of values says them by values at smaller numbers, g(...)."""
    of_one = len(law["names"]) == 1 and law["names"] != ["g"] and law["about"] == "values"
    return of_one and law["formula"] is not None and re.search(r"\bg\(", law["formula"]) is not None


def decide_recurrence(values: DigitSet, text: str) -> Iterator[Decided]:
    """Yield what shows that each value is what a formula makes of the values at smaller numbers."""
    said = StatementReader(values.digits, values.tracks, values).set_of(f"{_VALUE} = ({text})")
    yield Decided(Message("every value obeys the recurrence"), values.minus(said).example())
    yield Decided(Message("the recurrence has no other value"), said.minus(values).example())


def decide_induction(
    game: DeclaredMoves, claimed: DigitSet, misere: bool = False, sure: Sequence[str] = ()
) -> Iterator[Decided]:
    """Yield what shows that a set is that of the P-positions; or of the values, if it has a track ``value``.

    Where some of the moves may not exist, ``sure`` are those that do: only they are moves to what is needed.
    """
    rules = _Rules(game, claimed.digits, sure)
    if min(game.weights) < 0:
        yield Decided(Message("the total is never negative"), (rules.positions & rules.below).example())
    for text, move in rules.moves + rules.followed:
        yield Decided(Message("a move lowers the total: {text}", text), move.minus(rules.lower).example())
    yield from _values(rules, claimed, misere) if _VALUE in claimed.tracks else _outcomes(rules, claimed, misere)


def decide_winning(game: DeclaredMoves, lost: DigitSet, law: Mapping[str, Any]) -> Iterator[Decided]:
    """Yield what shows which moves lead to P-positions, from the positions that a text of the first numbers names.

    The law says it of the numbers before and after; it tells all such moves, or some from wherever there is one.
    """
    rules, names = _Rules(game, lost.digits), law["names"]
    count = len(names)
    starts = StatementReader(lost.digits, game.names).set_of(game.starts or "True") & rules.positions
    hidden = [*game.names[count:], *(rules.primes[name] for name in game.names[count:])]
    shown = dict(zip(game.names, names, strict=False))
    shown |= {rules.primes[name]: f"{given}_" for name, given in zip(game.names, names, strict=False)}
    every = StatementReader(lost.digits, (*game.names, *rules.primes.values())).set_of("False")
    for _, move in rules.moves:
        every = every | move
    every = every & starts
    losing = every.minus(rules.moved(lost)).without(hidden).named(shown)
    winning = (every & rules.moved(lost)).without(hidden).named(shown)
    every = every.without(hidden).named(shown)
    tracks = tuple(sorted(shown.values()))
    if law["formula"] is None:
        said = table_set(law.get("automaton") or {}, tracks)
    else:
        said = every & StatementReader(lost.digits, tracks).set_of(law["formula"])
    after = [f"{name}_" for name in names]
    if hidden:
        yield Decided(Message("the numbers of the text tell whether a move wins"), (winning & losing).example())
    yield Decided(Message("the moves that it tells win"), said.minus(winning).example())
    if law["about"] == "winning moves":
        yield Decided(Message("it tells all moves that win"), winning.minus(said).example())
    else:
        before = winning.without(after).minus(said.without(after))
        yield Decided(Message("it tells one wherever one wins"), before.example())


def _outcomes(rules: _Rules, lost: DigitSet, misere: bool) -> Iterator[Decided]:
    """Yield what shows that a set is that of the P-positions.

    Where a position follows another one, it has its options too. If that one is P, it has no option that is P; if it is
    N, it has one.
    """
    inside, ends = lost & rules.positions, rules.moved(lost)
    for text, move in rules.moves:
        yield Decided(Message("no move joins two of them: {text}", text), (inside & move & ends).example())
    for text, move in rules.followed:
        yield Decided(Message("what one of them follows is one: {text}", text), (inside & move).minus(ends).example())
    others = rules.positions.minus(lost)
    if misere:
        over = rules.without_move(rules.sure)
        yield Decided(Message("no position without a move is one of them"), (inside & over).example())
        others = others.minus(rules.without_move(rules.moves))
    for _, move in rules.followed:
        others = others.minus(rules.before(move.minus(ends)))
    yield Decided(Message("every other position has a move to one of them"), rules.stuck(others, lost).example())


def _values(rules: _Rules, claimed: DigitSet, misere: bool) -> Iterator[Decided]:
    inside = claimed & rules.positions
    if rules.followed:
        raise OptionError("values are not decided where positions have the options of others")
    yield Decided(Message("every position has a value"), rules.positions.minus(claimed.without([_VALUE])).example())
    smaller = linear_set(claimed.digits, {_OTHER: 1, _VALUE: -1}, 0, {-1})
    yield Decided(Message("no position has two values"), (inside & smaller & claimed.named({_VALUE: _OTHER})).example())
    for text, move in rules.moves:
        yield Decided(
            Message("no move keeps the value: {text}", text), (inside & move & rules.moved(claimed)).example()
        )
    if misere:
        over = rules.without_move(rules.sure)
        one = linear_set(claimed.digits, {_VALUE: 1}, -1, {0})
        yield Decided(Message("the value of a position without a move is 1"), (inside & over).minus(one).example())
        inside = inside.minus(rules.without_move(rules.moves))
    wanted = (inside & smaller).without([_VALUE]).named({_OTHER: _VALUE})
    yield Decided(Message("every smaller value is that of an option"), rules.stuck(wanted, claimed).example())


class _Rules:
    def __init__(self, game: DeclaredMoves, digits: DigitSystem, sure: Sequence[str] = ()) -> None:
        self.primes = {name: f"{name}_" for name in game.names}
        self.positions = StatementReader(digits, game.names).set_of(game.positions)
        reader = StatementReader(digits, (*game.names, *self.primes.values()))
        between = self.positions & self.moved(self.positions)
        self.moves = [(text, reader.set_of(text) & between) for text in game.moves]
        self.sure = [(text, reader.set_of(text) & between) for text in sure] or self.moves
        self.followed = [(text, reader.set_of(text) & between) for text in game.followed]
        weights = dict(zip(game.names, game.weights, strict=True))
        factors = weights | {self.primes[name]: -weight for name, weight in weights.items()}
        self.lower = linear_set(digits, factors, 0, {1})
        self.below = linear_set(digits, weights, 0, {-1})

    def moved(self, positions: DigitSet) -> DigitSet:
        """Return a set, said of the numbers after a move."""
        return positions.named(self.primes)

    def stuck(self, positions: DigitSet, goal: DigitSet) -> DigitSet:
        """Return those of some positions that have no move into a set."""
        for _, move in self.sure:
            positions = positions.minus(self.before(move & self.moved(goal)))
        return positions

    def before(self, moves: DigitSet) -> DigitSet:
        """Return the positions from which there are such moves."""
        return moves.without([track for track in moves.tracks if track in self.primes.values()])

    def without_move(self, moves: list[tuple[str, DigitSet]]) -> DigitSet:
        """Return the positions without any of some moves."""
        over = self.positions
        for _, move in moves + self.followed:
            over = over.minus(self.before(move))
        return over


def decide_pairs(pairs: DigitSet, width: int) -> Iterator[Decided]:
    """Yield what shows that pairs, in both orders, are (floor(k alpha), floor(k alpha) + k width).

    Their smaller numbers grow with the difference, which runs through all multiples of the width, and each number from
    1 on is in one pair. So a smaller number is the least that no earlier pair has, which leaves one such sequence. By
    Beatty's theorem the floors are one: 1/alpha + 1/(alpha + width) = 1 for alpha = (2 - width + sqrt(width**2 + 4))/2.
    """
    a, b = pairs.tracks
    given = pairs.named({a: "x", b: "y"})
    pair = given & _of(pairs, ("x", "y"), "x <= y")
    later = pair.named({"x": "z", "y": "w"})
    both = pair & later
    every = _of(pairs, ("k",), "True")
    swapped = given.named({"x": "y", "y": "x"})
    yield Decided(Message("a pair is one in both orders"), (given.minus(swapped) | swapped.minus(given)).example())
    multiple = _of(pairs, ("x", "y"), f"(y - x) % {width} = 0")
    yield Decided(Message("differences are multiples of {width}", width), pair.minus(multiple).example())
    reached = (pair & _of(pairs, ("k", "x", "y"), f"y = x + {width}*k")).without(["x", "y"])
    yield Decided(Message("every multiple is a difference"), every.minus(reached).example())
    falls = _of(pairs, ("w", "x", "y", "z"), "y - x < w - z and x >= z")
    yield Decided(Message("the smaller number grows with the difference"), (both & falls).example())
    twice = _of(pairs, ("w", "x", "y", "z"), "y - x = w - z and x != z")
    yield Decided(Message("no difference comes twice"), (both & twice).example())
    found = pair.without(["y"]).named({"x": "k"}) | pair.without(["x"]).named({"y": "k"})
    yield Decided(Message("every number is in a pair"), every.minus(found).example())
    shared = _of(pairs, ("w", "x", "y", "z"), "y = z and y > 0")
    yield Decided(Message("no number is the larger of one and the smaller of another"), (both & shared).example())


def pairs_text(width: int, names: Sequence[str]) -> str:
    """Return the formula of the pairs that :func:`decide_pairs` decides.

    >>> pairs_text(3, ("a", "b"))
    'abs(a - b) % 3 = 0 and min(a, b) = floor(abs(a - b)*(sqrt(13) - 1)/6)'
    """
    a, b = names
    if width == 1:
        return f"min({a}, {b}) = floor(abs({a} - {b})*phi)"
    half, odd = divmod(width, 2)
    less, square, by = (width - 2, width * width + 4, 2 * width) if odd else (half - 1, half * half + 1, width)
    slope = f"(sqrt({square}) - {less})" if less else f"sqrt({square})"
    return f"abs({a} - {b}) % {width} = 0 and min({a}, {b}) = floor(abs({a} - {b})*{slope}/{by})"


def period_set(record: Mapping[str, Any], about: str, name: str) -> DigitSet:
    """Return the set of P-positions, or of positions with their values, that a period of one heap says."""
    start, period, saltus, values = (record[key] for key in ("preperiod", "period", "saltus", "values"))
    if saltus < 0 or min(values) < 0 or len(values) != start + period:
        raise OptionError("a period that contradicts itself")
    if about == "P-positions":
        lost = [heap for heap, value in enumerate(values) if value == 0]
        return _of_some((name,), [f"{name} = {heap}" for heap in lost]) if saltus else _heaps(record, name, 0)
    if not saltus:
        found = _of_some((name, _VALUE), [])
        for value in sorted(set(values)):
            found = found | _heaps(record, name, value) & _of_some((_VALUE,), [f"{_VALUE} = {value}"])
        return found
    cases = [f"{name} = {heap} and {_VALUE} = {value}" for heap, value in enumerate(values[:start])]
    for heap, value in enumerate(values[start:], start):
        grown = f"{_VALUE} = {value} + {saltus}*(({name} - {heap})//{period})"
        cases.append(f"{name} >= {heap} and ({name} - {heap}) % {period} = 0 and {grown}")
    return _of_some((name, _VALUE), cases)


def _heaps(record: Mapping[str, Any], name: str, value: int) -> DigitSet:
    """Return the heaps of a value: reading a number, it is enough to know it up to the period."""
    start, period = record["preperiod"], record["period"]

    def after(heap: int, symbol: tuple[int, ...]) -> int:
        heap = 2 * heap + symbol[0]
        return heap if heap < start else start + (heap - start) % period

    return set_from(DigitSystem(base=2), (name,), 0, after, lambda heap: record["values"][heap] == value)


def _of_some(names: tuple[str, ...], statements: list[str]) -> DigitSet:
    """Return the tuples of which some statement holds."""
    reader = StatementReader(DigitSystem(base=2), names)
    found = reader.set_of("False")
    for statement in statements:
        found = found | reader.set_of(statement)
    return found


def _of(like: DigitSet, names: tuple[str, ...], text: str) -> DigitSet:
    return StatementReader(like.digits, names).set_of(text)
