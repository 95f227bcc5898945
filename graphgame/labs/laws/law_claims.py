"""What makes a law of P-positions or of values true, decided for positions of any size.

A set is that of the P-positions where every move lowers a total, no move joins two of the set, and every other position
has a move into it. Numbers are the Grundy values where, besides, no move keeps the number of a position, and to every
smaller number there is a move. Each of these is a statement about all numbers, and is decided as an :class:`Automaton`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

import numpy as np

from graphgame.errors import Message, OptionError
from graphgame.labs.laws.automata import Automaton, linear, recorded
from graphgame.labs.laws.numeration import Numeration, numeration_of
from graphgame.labs.laws.statements import after, binary_set, set_of
from graphgame.rules.declared import DeclaredMoves

_VALUE, _OTHER = "value", "other"
_WIDEST = 15
_HEAVIEST = 3


@dataclass(frozen=True)
class Decided:
    """A statement, and numbers of which it is false; None where it holds of all."""

    text: str
    example: Mapping[str, int] | None


def claimed_set(law: Mapping[str, Any]) -> Automaton:
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
        return recorded(law.get("automaton") or {}, tracks)
    return formula_set(formula, tracks, of_lost)


def formula_set(formula: str, tracks: tuple[str, ...], of_lost: bool) -> Automaton:
    """Return the set of P-positions, or of positions with their values, that a formula says.

    Raises
    ------
    OptionError
        The formula is none that is decided.
    """
    numeration = numeration_of("Fibonacci" if "zeckendorf(" in formula else "base 2")
    return set_of(numeration, formula if of_lost else f"{_VALUE} = ({formula})", tracks)


def named_by_text(game: DeclaredMoves, names: Sequence[str], whole: Automaton, every: bool = False) -> Automaton:
    """Return what a text of fewer numbers names, of a set of positions; or of all positions, with its digits."""
    starts = set_of(whole.numeration, f"({game.starts}) and ({game.positions})", game.names)
    found = (starts if every else whole & starts).without(*game.names[len(names) :])
    return found.renamed(dict(zip(game.names, names, strict=False)))


def width_of_pairs(law: Mapping[str, Any]) -> int:
    """Return the width of the pairs of :func:`pairs_text` that a law's formula says; 0 if it says something else."""
    names = law["names"]
    widths = range(1, _WIDEST + 1) if len(names) == 2 and law["about"] == "P-positions" else ()
    return next((width for width in widths if law["formula"] == pairs_text(width, names)), 0)


def is_recurrence(law: Mapping[str, Any]) -> bool:
    """Tell whether the formula of a law of values says them by values at smaller numbers, g(...)."""
    of_one = len(law["names"]) == 1 and law["names"] != ["g"] and law["about"] == "values"
    return of_one and law["formula"] is not None and re.search(r"\bg\(", law["formula"]) is not None


def decide_recurrence(values: Automaton, text: str) -> Iterator[Decided]:
    """Yield what shows that each value is what a formula makes of the values at smaller numbers."""
    said = set_of(values.numeration, f"{_VALUE} = ({text})", values.tracks, values)
    yield Decided(Message("every value obeys the recurrence"), values.minus(said).example())
    yield Decided(Message("the recurrence has no other value"), said.minus(values).example())


def decide_induction(
    game: DeclaredMoves, claimed: Automaton, misere: bool = False, sure: Sequence[str] = ()
) -> Iterator[Decided]:
    """Yield what shows that a set is that of the P-positions; or of the values, if it has a track ``value``.

    Where some of the moves may not exist, ``sure`` are those that do: only they are moves to what is needed.
    """
    rules = _Rules(game, claimed.numeration, sure)
    yield from rules.ends()
    yield from _values(rules, claimed, misere) if _VALUE in claimed.tracks else _outcomes(rules, claimed, misere)


def decide_winning(game: DeclaredMoves, lost: Automaton, law: Mapping[str, Any]) -> Iterator[Decided]:
    """Yield what shows which moves lead to P-positions, from the positions that a text of the first numbers names.

    The law says it of the numbers before and after; it tells all such moves, or some from wherever there is one.
    """
    names = law["names"]
    every, winning = winning_moves(game, lost, names)
    tracks = tuple(sorted((*names, *map(after, names))))
    if law["formula"] is None:
        said = recorded(law.get("automaton") or {}, tracks)
    else:
        said = every & set_of(lost.numeration, law["formula"], tracks)
    if len(names) < len(game.names):
        losing = winning_moves(game, lost, names, into=False)[1]
        yield Decided(Message("the numbers of the text tell whether a move wins"), (winning & losing).example())
    yield Decided(Message("the moves that it tells win"), said.minus(winning).example())
    if law["about"] == "winning moves":
        yield Decided(Message("it tells all moves that win"), winning.minus(said).example())
    else:
        ends = [after(name) for name in names]
        yield Decided(
            Message("it tells one wherever one wins"), winning.without(*ends).minus(said.without(*ends)).example()
        )


def winning_moves(
    game: DeclaredMoves, lost: Automaton, names: Sequence[str], into: bool = True
) -> tuple[Automaton, Automaton]:
    """Return the moves from positions that a text of the first numbers names, and those of them that win.

    With ``into`` false those that do not. Where moves of both kinds are the same in these numbers, they are in both.
    """
    rules = _Rules(game, lost.numeration)
    starts = set_of(lost.numeration, game.starts or "True", game.names) & rules.positions
    every = set_of(lost.numeration, "False", (*game.names, *rules.primes.values()))
    for _, move in rules.moves:
        every |= move
    every &= starts
    some = every & rules.moved(lost) if into else every.minus(rules.moved(lost))
    hidden = game.names[len(names) :]
    shown = dict(zip(game.names, names, strict=False))
    shown |= {after(old): after(new) for old, new in shown.items()}
    left_out = (*hidden, *map(after, hidden))
    return every.without(*left_out).renamed(shown), some.without(*left_out).renamed(shown)


def _outcomes(rules: _Rules, lost: Automaton, misere: bool) -> Iterator[Decided]:
    """Yield what shows that a set is that of the P-positions.

    Where a position follows another one, it has its options too. If that one is P, it has no option that is P; if it is
    N, it has one.
    """
    # By induction over the total: of all positions with a smaller one the set tells rightly which are P. So a position
    # is P exactly if no option is in the set. First, from one of the set no move leads into it.
    inside, ends = lost & rules.positions, rules.moved(lost)
    for text, move in rules.moves:
        yield Decided(Message("no move joins two of them: {text}", text), (inside & move & ends).example())
    for text, move in rules.followed:
        yield Decided(Message("what one of them follows is one: {text}", text), (inside & move).minus(ends).example())
    # Second, every other position has an option in the set: what is left once those with one are taken away is empty.
    others = rules.positions.minus(lost)
    if misere:
        over = rules.without_move(rules.sure)
        yield Decided(Message("no position without a move is one of them"), (inside & over).example())
        # Who cannot move has won: such positions are N without an option. Only those without any move may be left out.
        others = others.minus(rules.without_move(rules.moves))
    for _, move in rules.followed:
        others = others.minus(rules.before(move.minus(ends)))
    yield Decided(Message("every other position has a move to one of them"), rules.stuck(others, lost).example())


def _values(rules: _Rules, claimed: Automaton, misere: bool) -> Iterator[Decided]:
    inside = claimed & rules.positions
    if rules.followed:
        raise OptionError("values are not decided where positions have the options of others")
    yield Decided(Message("every position has a value"), rules.positions.minus(claimed.without(_VALUE)).example())
    # ``smaller`` is the pairs of a position with its value and a lesser number: each must be the value of an option.
    smaller = linear(claimed.numeration, {_OTHER: 1, _VALUE: -1}, 0, {-1})
    yield Decided(
        Message("no position has two values"), (inside & smaller & claimed.renamed({_VALUE: _OTHER})).example()
    )
    for text, move in rules.moves:
        yield Decided(
            Message("no move keeps the value: {text}", text), (inside & move & rules.moved(claimed)).example()
        )
    if misere:
        over = rules.without_move(rules.sure)
        one = linear(claimed.numeration, {_VALUE: 1}, -1, {0})
        yield Decided(Message("the value of a position without a move is 1"), (inside & over).minus(one).example())
        inside = inside.minus(rules.without_move(rules.moves))
    wanted = (inside & smaller).without(_VALUE).renamed({_OTHER: _VALUE})
    yield Decided(Message("every smaller value is that of an option"), rules.stuck(wanted, claimed).example())


def lowering_weights(game: DeclaredMoves) -> DeclaredMoves | None:
    """Return the moves with weights of a total that each of them lowers, the simplest first; None if none is found.

    >>> lowering_weights(DeclaredMoves(("a", "b"), ("a' < a and b' - b = 2*(a - a')", "b' < b and a' = a"))).weights
    (3, 1)
    """
    for weights in sorted(product(range(_HEAVIEST + 1), repeat=len(game.names)), key=_simplicity):
        given = replace(game, weights=weights)
        if any(weights) and all(each.example is None for each in _Rules(given, numeration_of("base 2")).ends()):
            return given
    return None


def _simplicity(weights: tuple[int, ...]) -> tuple[bool, int, tuple[int, ...]]:
    return 0 in weights, sum(weights), weights


class _Rules:
    """The sets that declared moves are made of."""

    def __init__(self, game: DeclaredMoves, numeration: Numeration, sure: Sequence[str] = ()) -> None:
        self.primes = {name: after(name) for name in game.names}
        self.positions = set_of(numeration, game.positions, game.names)
        both = (*game.names, *self.primes.values())
        # A statement may hold of tuples that are no positions: moves are those between positions.
        between = self.positions & self.moved(self.positions)
        self.moves, some, self.followed = (
            [(text, set_of(numeration, text, both) & between) for text in texts]
            for texts in (game.moves, sure, game.followed)
        )
        self.sure = some or self.moves
        weights = dict(zip(game.names, game.weights, strict=True))
        factors = weights | {self.primes[name]: -weight for name, weight in weights.items()}
        self.lower = linear(numeration, factors, 0, {1})
        self.below = linear(numeration, weights, 0, {-1}) if min(game.weights) < 0 else None

    def ends(self) -> Iterator[Decided]:
        """Yield that play ends: a total that is never negative falls with each move."""
        if self.below is not None:
            yield Decided(Message("the total is never negative"), (self.positions & self.below).example())
        for text, move in self.moves + self.followed:
            yield Decided(Message("a move lowers the total: {text}", text), move.minus(self.lower).example())

    def moved(self, positions: Automaton) -> Automaton:
        """Return a set, said of the numbers after a move."""
        return positions.renamed(self.primes)

    def stuck(self, positions: Automaton, goal: Automaton) -> Automaton:
        """Return those of some positions that have no move into a set."""
        for _, move in self.sure:
            positions = positions.minus(self.before(move & self.moved(goal)))
        return positions

    def before(self, moves: Automaton) -> Automaton:
        """Return the positions from which there are such moves."""
        return moves.without(*(track for track in moves.tracks if track in self.primes.values()))

    def without_move(self, moves: list[tuple[str, Automaton]]) -> Automaton:
        """Return the positions without any of some moves."""
        over = self.positions
        for _, move in moves + self.followed:
            over = over.minus(self.before(move))
        return over


def decide_pairs(pairs: Automaton, width: int) -> Iterator[Decided]:
    """Yield what shows that pairs, in both orders, are (floor(k alpha), floor(k alpha) + k width).

    Their smaller numbers grow with the difference, which runs through all multiples of the width, and each number from
    1 on is in one pair. So a smaller number is the least that no earlier pair has, which leaves one such sequence. By
    Beatty's theorem the floors are one: 1/alpha + 1/(alpha + width) = 1 for alpha = (2 - width + sqrt(width**2 + 4))/2.
    """
    a, b = pairs.tracks
    given = pairs.renamed({a: "x", b: "y"})
    pair = given & _of(pairs, ("x", "y"), "x <= y")
    later = pair.renamed({"x": "z", "y": "w"})
    both = pair & later
    every = _of(pairs, ("k",), "True")
    swapped = given.renamed({"x": "y", "y": "x"})
    yield Decided(Message("a pair is one in both orders"), given.differing(swapped))
    multiple = _of(pairs, ("x", "y"), f"(y - x) % {width} = 0")
    yield Decided(Message("differences are multiples of {width}", width), pair.minus(multiple).example())
    reached = (pair & _of(pairs, ("k", "x", "y"), f"y = x + {width}*k")).without("x", "y")
    yield Decided(Message("every multiple is a difference"), every.minus(reached).example())
    # x < z and y - x < w - z would be as it should; the opposite never happens.
    falls = _of(pairs, ("w", "x", "y", "z"), "y - x < w - z and x >= z")
    yield Decided(Message("the smaller number grows with the difference"), (both & falls).example())
    twice = _of(pairs, ("w", "x", "y", "z"), "y - x = w - z and x != z")
    yield Decided(Message("no difference comes twice"), (both & twice).example())
    found = pair.without("y").renamed({"x": "k"}) | pair.without("x").renamed({"y": "k"})
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


def period_set(record: Mapping[str, Any], about: str, name: str) -> Automaton:
    """Return the set of P-positions, or of positions with their values, that a period of one heap says."""
    start, period, saltus, values = (record[key] for key in ("preperiod", "period", "saltus", "values"))
    if saltus < 0 or min(values) < 0 or len(values) != start + period:
        raise OptionError("a period that contradicts itself")
    if about == "P-positions":
        lost = [heap for heap, value in enumerate(values) if value == 0]
        return _of_some((name,), [f"{name} = {heap}" for heap in lost]) if saltus else _heaps(record, name, 0)
    # Without a saltus the heaps of each value are periodic; with one the value grows by it each time round.
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


def _heaps(record: Mapping[str, Any], name: str, value: int) -> Automaton:
    """Return the heaps of a value: reading a number, it is enough to know it up to the period."""
    start, period, values = record["preperiod"], record["period"], np.array(record["values"], object)
    ends = np.arange(2 * (start + period)).reshape(-1, 2)
    table = np.where(ends < start, ends, start + (ends - start) % period).astype(np.int32)
    return Automaton(numeration_of("base 2"), (name,), table, values == value).minimal()


def _of_some(names: tuple[str, ...], statements: list[str]) -> Automaton:
    """Return the tuples of which some statement holds."""
    found = binary_set("False", *names)
    for statement in statements:
        found |= binary_set(statement, *names)
    return found


def _of(like: Automaton, names: tuple[str, ...], text: str) -> Automaton:
    return set_of(like.numeration, text, names)
