"""Proofs by induction over moves: P-positions, or values, that no move contradicts, for positions of any size."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

from graphgame.errors import Message
from graphgame.rules.declared import DeclaredMoves, DeclaredTurns
from graphgame.theory.laws.automata import Automaton, linear, valid
from graphgame.theory.laws.numeration import Numeration, numeration_of
from graphgame.theory.laws.statements import after, set_of

_HEAVIEST = 3


@dataclass(frozen=True)
class Step:
    """A statement of a proof, and whether it holds.

    Attributes
    ----------
    text : str
    example : dict or None
        Numbers of which the statement is false; None where it holds of all.
    """

    text: str
    example: Mapping[str, int] | None


def lost_positions(game: DeclaredMoves, lost: Automaton, misere: bool = False) -> Iterator[Step]:
    """Yield what shows that a set is that of the P-positions, each step decided for all numbers.

    A set is that of the P-positions where play ends, no move joins two of its positions, and every other position has a
    move into it. Where who cannot move has won, positions without a move are outside, and need none. A position that
    another one follows has its options: there the other one is asked, of which all is known.
    """
    rules = _Rules(game, lost.numeration)
    yield from rules.lowers()
    inside, ends = lost & rules.positions, rules.moved(lost)
    for text, move in rules.moves:
        yield Step(Message("no move joins two of them: {text}", text), (inside & move & ends).example())
    for text, move in rules.followed:
        yield Step(Message("what one of them follows is one: {text}", text), (inside & move.minus(ends)).example())
    missed = rules.positions.minus(lost)
    if misere:
        stuck = rules.stuck()
        yield Step(Message("no position without a move is one of them"), (inside & stuck).example())
        missed = missed.minus(stuck)
    for _, move in rules.moves:
        missed = missed.minus(rules.before(move & ends))
    for _, move in rules.followed:
        missed = missed.minus(rules.before(move.minus(ends)))
    yield Step(Message("every other position has a move to one of them"), missed.example())


def position_values(game: DeclaredMoves, values: Automaton, name: str, misere: bool = False) -> Iterator[Step]:
    """Yield what shows that a set of positions with numbers is that of the positions with their Grundy values.

    ``name`` is the track of the values. The number of a position is its value where play ends, each position has one
    number, no move keeps it, and to every smaller number there is a move. Where who cannot move has won, the number of
    a position without a move is 1.
    """
    rules = _Rules(game, values.numeration)
    yield from rules.lowers()
    other = f"{name}~"
    smaller = linear(values.numeration, {other: 1, name: -1}, 0, lambda sign: sign < 0)
    valued = values & rules.positions
    yield Step(Message("every position has a value"), rules.positions.minus(values.without(name)).example())
    yield Step(Message("no position has two values"), (valued & values.renamed({name: other}) & smaller).example())
    ends = rules.moved(values)
    for text, move in rules.moves:
        yield Step(Message("no move keeps the value: {text}", text), (valued & move & ends).example())
    if misere:
        stuck = rules.stuck()
        one = linear(values.numeration, {name: 1}, -1, lambda sign: sign == 0)
        yield Step(Message("the value of a position without a move is 1"), (valued & stuck).minus(one).example())
        smaller = smaller.minus(stuck)
    missed = (valued & smaller).without(name).renamed({other: name})
    for _, move in rules.moves:
        missed = missed.minus(rules.before(move & ends))
    yield Step(Message("every smaller value is that of an option"), missed.example())


def lowering_weights(game: DeclaredMoves) -> DeclaredMoves | None:
    """Return the moves with weights of a total that each of them lowers, the simplest first; None if none is found.

    >>> lowering_weights(DeclaredMoves(("a", "b"), ("a' < a and b' - b = 2*(a - a')", "b' < b and a' = a"))).weights
    (3, 1)
    """
    for weights in sorted(product(range(_HEAVIEST + 1), repeat=len(game.names)), key=_simplicity):
        given = replace(game, weights=weights)
        if any(weights) and all(step.example is None for step in _Rules(given, numeration_of("base 2")).lowers()):
            return given
    return None


def _simplicity(weights: tuple[int, ...]) -> tuple[bool, int, tuple[int, ...]]:
    return 0 in weights, sum(weights), weights


class _Rules:
    """The sets that declared moves are made of."""

    def __init__(self, game: DeclaredMoves, numeration: Numeration) -> None:
        self.names = game.names
        self.primes = {name: after(name) for name in game.names}
        both = (*game.names, *self.primes.values())
        tracks = tuple(sorted(game.names))
        self.positions = set_of(numeration, game.positions, tracks) & valid(numeration, tracks)
        between = self.positions & self.moved(self.positions)
        self.moves, self.followed = (
            [(text, set_of(numeration, text, both) & between) for text in texts]
            for texts in (game.moves, game.followed)
        )
        counted = dict(zip(game.names, game.weights, strict=True))
        total = {after(name): weight for name, weight in counted.items()}
        total |= {name: -weight for name, weight in counted.items()}
        self.lower = linear(numeration, total, 0, lambda sign: sign < 0)
        mixed = min(game.weights) < 0
        self.below = linear(numeration, counted, 0, lambda sign: sign < 0) if mixed else None

    def moved(self, positions: Automaton) -> Automaton:
        """Return a set, said of what a move leaves."""
        return positions.renamed(self.primes)

    def before(self, moves: Automaton) -> Automaton:
        """Return the positions from which there is such a move."""
        return moves.without(*(track for track in moves.tracks if track in self.primes.values()))

    def stuck(self) -> Automaton:
        """Return the positions without a move."""
        found = self.positions
        for _, move in self.moves + self.followed:
            found = found.minus(self.before(move))
        return found

    def lowers(self) -> Iterator[Step]:
        """Yield that play ends."""
        if self.below is not None:
            yield Step(Message("the total is never negative"), (self.positions & self.below).example())
        for text, move in self.moves + self.followed:
            yield Step(Message("a move lowers the total: {text}", text), move.minus(self.lower).example())


_PLACE, _VALUE = "n", "value"
_BASE_2 = numeration_of("base 2")


@dataclass(frozen=True)
class CoinClaim:
    """What is claimed of a row of coins.

    Attributes
    ----------
    turns : DeclaredTurns
    values : str
        The value of a head at place n, as a formula.
    prefix : str or None
        The xor of the values at places 1 to n, as a formula, where all neighbours may be turned.
    """

    turns: DeclaredTurns
    values: str
    prefix: str | None = None

    def record(self) -> dict[str, Any]:
        """Return the claim as an object of JSON."""
        sets = [list(each) for each in self.turns.sets]
        return {"sets": sets, "runs": self.turns.runs, "values": self.values, "prefix": self.prefix}


def every_coin(claim: CoinClaim) -> str:
    """Return the claim about values as a statement about n and the value."""
    return f"{_PLACE} >= 1 and {_VALUE} = (({claim.values}) if {_PLACE} >= 1 else 0)"


def coin_values(claim: CoinClaim) -> Iterator[Step]:
    """Yield what shows that a claim about the values is true, each step decided for all numbers."""
    values = _of(every_coin(claim), _PLACE, _VALUE)
    coins = _of(f"{_PLACE} >= 1", _PLACE)
    yield from _of_one("coin", coins, values)
    reached = _of("False", _PLACE, _VALUE)
    for names, text in claim.turns.sets:
        there = " and ".join(f"{name} >= 1" for name in (*names, _PLACE))
        chosen = _of(f"({text}) and {there}", *names, _PLACE)
        beyond = " or ".join(f"{name} >= {_PLACE}" for name in names)
        if names:
            yield Step(
                Message("other coins lie before the last: {text}", text),
                (chosen & _of(beyond, *names, _PLACE)).example(),
            )
        reached |= _left(chosen, names, values)
    if claim.turns.runs:
        prefix = _of(f"{_VALUE} = ({claim.prefix})", _PLACE, _VALUE)
        yield from _of_one("row", _of("True", _PLACE), prefix)
        yield Step(
            Message("a row of no coins has 0"),
            (prefix & _of(f"{_PLACE} = 0 and {_VALUE} > 0", _PLACE, _VALUE)).example(),
        )
        before = (prefix.renamed({_PLACE: "m", _VALUE: "x"}) & _of(f"{_PLACE} = m + 1", "m", _PLACE)).without("m")
        longer = before & values.renamed({_VALUE: "y"}) & _of(f"{_VALUE} = x ^ y", "x", "y", _VALUE)
        yield Step(Message("one more coin adds its value"), longer.without("x", "y").minus(prefix).example())
        start = _of(f"a = m + 1 and a <= {_PLACE} and ({claim.turns.runs})", "a", "m", _PLACE).without("a")
        start = (start & prefix.renamed({_PLACE: "m", _VALUE: "y"})).without("m")
        reached |= (before & start & _of(f"{_VALUE} = x ^ y", "x", "y", _VALUE)).without("x", "y")
    yield Step(Message("no turn leaves the value"), (values & reached).example())
    smaller = (values.renamed({_VALUE: "x"}) & _of(f"{_VALUE} < x", "x", _VALUE)).without("x")
    yield Step(Message("every smaller value is left by a turn"), smaller.minus(reached).example())


def _of_one(what: str, numbers: Automaton, values: Automaton) -> Iterator[Step]:
    yield Step(Message("every {what} has a value", what), numbers.minus(values.without(_VALUE)).example())
    twice = values & values.renamed({_VALUE: "x"}) & _of(f"x < {_VALUE}", "x", _VALUE)
    yield Step(Message("no {what} has two values", what), twice.example())


def _left(chosen: Automaton, names: str, values: Automaton) -> Automaton:
    """Return the places with the xor of the values of other coins."""
    found, tracks = chosen, "xy"[: len(names)]
    for name, track in zip(names, tracks, strict=True):
        found = (found & values.renamed({_PLACE: name, _VALUE: track})).without(name)
    total = " ^ ".join(tracks) or "0"
    return (found & _of(f"{_VALUE} = {total}", *tracks, _VALUE)).without(*tracks)


def _of(text: str, *names: str) -> Automaton:
    return set_of(_BASE_2, text, tuple(sorted(names)))
