"""What makes the values of a row's coins those that are claimed, decided for rows of any length.

A head's value is the mex, over all sets of coins that may be turned with it, of the xor of the others' values (Winning
Ways, chapter 14). So each place has one claimed value, no set leaves it, and to every smaller one there is a set. Where
neighbours are turned, the xor of a run is that of two rows from the first coin on; the claim says what these are.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from graphgame.errors import Message, OptionError
from graphgame.labs.laws.automata import Automaton
from graphgame.labs.laws.law_claims import Decided
from graphgame.labs.laws.statements import binary_set
from graphgame.rules.declared import DeclaredTurns


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


def decide_coins(claim: CoinClaim, lost: str | None = None) -> Iterator[Decided]:
    """Yield what shows that places n from 1 have the claimed values; ``lost`` is a claim of which of them have 0."""
    turns, said, prefix = claim.turns, claim.values, claim.prefix
    if not isinstance(said, str) or not (isinstance(prefix, str) if turns.runs else prefix is None):
        raise OptionError("coins without a claim of their values")
    heads = binary_set("n >= 1", "n", "value")
    values = heads & binary_set(f"value = (({said}) if n >= 1 else 0)", "n", "value")
    yield from _one_each("coin", binary_set("n >= 1", "n"), values)
    # ``left`` collects the places n with what some turn at n leaves: the xor of the other coins' values.
    left = binary_set("False", "n", "value")
    for names, text in turns.sets:
        others = binary_set(" and ".join([f"({text})", "n >= 1", *(f"{name} >= 1" for name in names)]), *names, "n")
        before = binary_set(" and ".join(f"{name} < n" for name in names) or "True", *names, "n")
        yield Decided(Message("other coins lie before the last: {text}", text), others.minus(before).example())
        left = left | _xor_of_others(others, names, values)
    if turns.runs:
        rows = binary_set(f"value = ({prefix})", "n", "value")
        yield from _rows(rows, values)
        # The coins from a to n - 1 have the xor of those from 1 to a - 1 and of those from 1 to n - 1.
        runs = binary_set(f"0 < a and a <= n and ({turns.runs})", "a", "n")
        ends = (runs & binary_set("m = a - 1 and k = n - 1", "a", "k", "m", "n")).without("a")
        both = ends & rows.renamed({"n": "k", "value": "x"}) & rows.renamed({"n": "m", "value": "y"})
        left = left | _xored(both.without("k", "m"), "xy")
    yield Decided(Message("no turn leaves the value"), (values & left).example())
    smaller = values.renamed({"value": "x"}) & binary_set("value < x", "value", "x")
    yield Decided(Message("every smaller value is left by a turn"), smaller.without("x").minus(left).example())
    if lost is not None:
        zero = (values & binary_set("value = 0", "n", "value")).without("value")
        told = binary_set(f"n >= 1 and ({lost})", "n")
        yield Decided(Message("these are the coins of value 0"), zero.differing(told))


def _one_each(what: str, numbers: Automaton, values: Automaton) -> Iterator[Decided]:
    yield Decided(Message("every {what} has a value", what), numbers.minus(values.without("value")).example())
    other = values.renamed({"value": "x"}) & binary_set("x < value", "value", "x")
    yield Decided(Message("no {what} has two values", what), (values & other).example())


def _rows(rows: Automaton, values: Automaton) -> Iterator[Decided]:
    """Yield what shows that a set has the xor of the values of the first n coins."""
    yield from _one_each("row", binary_set("n >= 0", "n"), rows)
    yield Decided(
        Message("a row of no coins has 0"), binary_set("n = 0 and value = 0", "n", "value").minus(rows).example()
    )
    shorter = rows.renamed({"n": "k", "value": "x"}) & binary_set("n = k + 1", "k", "n")
    grown = shorter.without("k") & values.renamed({"value": "y"})
    yield Decided(Message("one more coin adds its value"), _xored(grown, "xy").minus(rows).example())


def _xor_of_others(others: Automaton, names: str, values: Automaton) -> Automaton:
    tracks = "xy"[: len(names)]
    for name, track in zip(names, tracks, strict=True):
        others = (others & values.renamed({"n": name, "value": track})).without(name)
    return _xored(others, tracks)


def _xored(given: Automaton, tracks: str) -> Automaton:
    return (given & binary_set(f"value = {' ^ '.join(tracks) or '0'}", *tracks, "value")).without(*tracks)
