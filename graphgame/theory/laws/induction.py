"""Proofs by induction over moves: P-positions, or values, that no move contradicts, for positions of any size."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import product

from graphgame.errors import Message
from graphgame.rules.declared import DeclaredMoves
from graphgame.theory.laws.automata import Automaton, linear, valid
from graphgame.theory.laws.numeration import Numeration, numeration_of
from graphgame.theory.laws.statements import after, set_of

__all__ = ["Step", "lost_positions", "lowering_weights", "position_values"]

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
