"""Proofs of the values of coin-turning games: a head has the mex, over all sets turned with it, of the others' xor."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from graphgame.errors import Message
from graphgame.rules.declared import DeclaredTurns
from graphgame.theory.laws.automata import Automaton
from graphgame.theory.laws.induction import Step
from graphgame.theory.laws.numeration import numeration_of
from graphgame.theory.laws.statements import set_of

__all__ = ["CoinClaim", "coin_values", "every_coin"]

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
