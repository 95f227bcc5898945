"""What makes the values of a row's coins those that are claimed, decided by code that shares nothing with the finder.

A head's value is the mex, over all sets of coins that may be turned with it, of the xor of the others' values (Winning
Ways, chapter 14). So each place has one claimed value, no set leaves it, and to every smaller one there is a set. Where
neighbours are turned, the xor of a run is that of two rows from the first coin on; the claim says what these are.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from graphgame.errors import Message, OptionError
from graphgame.proof.digit_sets import DigitSet, DigitSystem
from graphgame.proof.law_claims import Decided
from graphgame.proof.statements import StatementReader
from graphgame.rules.declared import DeclaredTurns


def decide_coins(turns: DeclaredTurns, claim: Mapping[str, Any], lost: str | None = None) -> Iterator[Decided]:
    """Yield what shows that places n from 1 have the claimed values; ``lost`` is a claim of which of them have 0."""
    said, prefix = claim.get("values"), claim.get("prefix")
    if not isinstance(said, str) or not (isinstance(prefix, str) if turns.runs else prefix is None):
        raise OptionError("coins without a claim of their values")
    heads = _set("n >= 1", "n", "value")
    values = heads & _set(f"value = (({said}) if n >= 1 else 0)", "n", "value")
    yield from _one_each("coin", _set("n >= 1", "n"), values)
    left = _set("False", "n", "value")
    for names, text in turns.sets:
        others = _set(" and ".join([f"({text})", "n >= 1", *(f"{name} >= 1" for name in names)]), *names, "n")
        before = _set(" and ".join(f"{name} < n" for name in names) or "True", *names, "n")
        yield Decided(Message("other coins lie before the last: {text}", text), others.minus(before).example())
        left = left | _xor_of_others(others, names, values)
    if turns.runs:
        rows = _set(f"value = ({prefix})", "n", "value")
        yield from _rows(rows, values)
        runs = _set(f"0 < a and a <= n and ({turns.runs})", "a", "n")
        ends = (runs & _set("m = a - 1 and k = n - 1", "a", "k", "m", "n")).without(["a"])
        both = ends & rows.named({"n": "k", "value": "x"}) & rows.named({"n": "m", "value": "y"})
        left = left | _xored(both.without(["k", "m"]), "xy")
    yield Decided(Message("no turn leaves the value"), (values & left).example())
    smaller = values.named({"value": "x"}) & _set("value < x", "value", "x")
    yield Decided(Message("every smaller value is left by a turn"), smaller.without(["x"]).minus(left).example())
    if lost is not None:
        zero = (values & _set("value = 0", "n", "value")).without(["value"])
        told = _set(f"n >= 1 and ({lost})", "n")
        yield Decided(Message("these are the coins of value 0"), (zero.minus(told) | told.minus(zero)).example())


def _one_each(what: str, numbers: DigitSet, values: DigitSet) -> Iterator[Decided]:
    yield Decided(Message("every {what} has a value", what), numbers.minus(values.without(["value"])).example())
    other = values.named({"value": "x"}) & _set("x < value", "value", "x")
    yield Decided(Message("no {what} has two values", what), (values & other).example())


def _rows(rows: DigitSet, values: DigitSet) -> Iterator[Decided]:
    """Yield what shows that a set has the xor of the values of the first n coins."""
    yield from _one_each("row", _set("n >= 0", "n"), rows)
    yield Decided(Message("a row of no coins has 0"), _set("n = 0 and value = 0", "n", "value").minus(rows).example())
    shorter = rows.named({"n": "k", "value": "x"}) & _set("n = k + 1", "k", "n")
    grown = shorter.without(["k"]) & values.named({"value": "y"})
    yield Decided(Message("one more coin adds its value"), _xored(grown, "xy").minus(rows).example())


def _xor_of_others(others: DigitSet, names: str, values: DigitSet) -> DigitSet:
    tracks = "xy"[: len(names)]
    for name, track in zip(names, tracks, strict=True):
        others = (others & values.named({"n": name, "value": track})).without([name])
    return _xored(others, tracks)


def _xored(given: DigitSet, tracks: str) -> DigitSet:
    return (given & _set(f"value = {' ^ '.join(tracks) or '0'}", *tracks, "value")).without(list(tracks))


def _set(text: str, *names: str) -> DigitSet:
    return StatementReader(DigitSystem(base=2), names).set_of(text)
