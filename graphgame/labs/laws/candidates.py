"""Formulas that the values or the P-positions of games are known to have, simplest first."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import reduce
from itertools import chain
from operator import xor

import numpy as np

from graphgame.errors import OptionError
from graphgame.labs.heaps.periods import observe_period
from graphgame.labs.laws.expressions import Formula, ValueMissingError
from graphgame.labs.laws.law import Rival
from graphgame.labs.laws.law_claims import pairs_text
from graphgame.labs.laws.periodic import MOST_ITEMS, lost_text, recurrences, value_text, with_first
from graphgame.labs.laws.wythoff_pairs import WIDTHS

_FEW = 3
_BOUNDED = 16
"""Smaller values are told by automata."""

_EXCEPTIONS = 3
"""First values that are listed before a formula."""

_FIRST_BLOCK, _BLOCK = 64, 1 << 16
_LONGEST = 200
"""The longest period of P-positions."""

_OF_ONE = (
    "{n}",
    "2*{n}",
    "{n} + 1",
    "v2({n})",
    "v2({n} + 1)",
    "{n} & -{n}",
    "({n} + 1) & -({n} + 1)",
    "popcount({n})",
    "bit_length({n})",
    "2*{n} + 1 - popcount({n}) % 2",
    "{n} ^ {n} // 2",
    "floor({n}*phi)",
    "floor({n}*phi) + {n}",
    "{n} - 1",
    "2*{n} - 1 - popcount({n} - 1) % 2",
    "0 if {n} < 3 else 2*{n} - 5 - popcount({n} - 3) % 2",
)
_LOST_OF_ONE = ("{n} = {n} & -{n}", "{n} = zeckendorf({n})", "{n} + 1 = ({n} + 1) & -({n} + 1)")
_DIVISORS = range(2, 10)
_OF_A_DIVISOR = (
    "{b} % ({a} + 1)",
    "({b} - 1) % ({a} + 1)",
    "0 if {b} % (2*{a}) < {a} else 1",
    "{b} % (2*{a})",
    "{b} // {a}",
    "{b} % {a}",
)
_LOST_OF_A_DIVISOR = (
    "{b} % ({a} + 1) = 0",
    "{b} % ({a} + 1) = 1",
    "{b} % (2*{a}) < {a}",
    "{b} % {a} = 0",
    "{b} % (2*{a}) = 0",
    "{b} <= {a}",
    "{b} < {a}",
)
_OF_SEVERAL = ("{sum}", "min({all})", "max({all})", "gcd({all})", "{sum} - min({all})", "max({all}) - min({all})")


def value_candidates(values: np.ndarray, names: tuple[str, ...]) -> Iterator[str]:
    """Yield formulas that may be those of a table of values, and recurrences of one number."""
    yield from formulas(values, names)
    if values.ndim == 1 and names[0] != "g" and values.max() > _BOUNDED:
        yield from recurrences(np.maximum(values, 0), names[0])


def formulas(values: np.ndarray, names: tuple[str, ...]) -> Iterator[str]:
    """Yield formulas that may be those of a table of numbers, made from one half of it; -1 stands for no position."""
    few, some = _that_matter(values, names)
    if len(some) < len(names):
        yield from formulas(few, some) if some else (str(few),)
        return
    if values.ndim == 1:
        if (values < 0).any():
            yield from _periodic_later(values, names[0])
            values = np.maximum(values, 0)
        yield from _periodic(values, names[0])
        forms = [form.format(n=names[0]) for form in _OF_ONE]
        yield from forms
        for start in range(1, _EXCEPTIONS + 1):
            yield from (with_first(values[:start].tolist(), names[0], form) for form in forms)
        return
    facts = {"all": ", ".join(names), "sum": " + ".join(names)}
    total = " ^ ".join(names)
    yield total
    yield f"{total} if max({facts['all']}) > 1 else {total} ^ 1"
    yield from (form.format(**facts) for form in _OF_SEVERAL)
    if len(names) == 2:
        yield from (form.format(a=a, b=b) for form in _OF_A_DIVISOR for a, b in (names, names[::-1]))
    for divisor in _DIVISORS:
        yield f"({facts['sum']}) % {divisor}"
        yield " ^ ".join(f"{name} // {divisor}" for name in names)
        yield " ^ ".join(f"{name} % {divisor}" for name in names)
    yield from _separable(values, names)


def lost_candidates(lost: np.ndarray, names: tuple[str, ...]) -> Iterator[str]:
    """Yield statements that may tell the P-positions of a table, made from one half of it; -1 is no position."""
    if lost.max() < 1:
        yield "False"
        return
    few, some = _that_matter(lost, names)
    if len(some) < len(names):
        yield from lost_candidates(few, some) if some else ("True",)
        return
    if lost.ndim == 1:
        yield from _residues(lost > 0, names[0])
        yield from (form.format(n=names[0]) for form in _LOST_OF_ONE)
        return
    if lost.ndim == 2:
        a, b = names
        yield from (f"{a} = {b}", f"{a} = {b} + 1", f"{b} = {a} + 1", f"abs({a} - {b}) <= 1", f"{a} = 0", f"{b} = 0")
        for divisor in range(2, 13):
            yield from (
                f"({a} - {b}) % {divisor} = 0",
                f"({a} + {b}) % {divisor} = 0",
                f"{a} % {divisor} = {b} % {divisor}",
            )
            yield f"{a} // {divisor} = {b} // {divisor}"
            yield f"{a} % {divisor} = 0 and {b} % {divisor} = 0"
        yield from (form.format(a=one, b=two) for form in _LOST_OF_A_DIVISOR for one, two in ((a, b), (b, a)))
        for width in WIDTHS:
            yield pairs_text(width, names)
    total, largest = " ^ ".join(names), f"max({', '.join(names)})"
    yield f"{total} = 0"
    yield f"{largest} > 1 and {total} = 0 or {largest} <= 1 and {total} = 1"
    yield from _classes(lost, names)


def agrees(formula: Callable[..., int | bool], table: np.ndarray, places: np.ndarray) -> tuple[int, ...] | None:
    """Return the first of some positions, one in a row, where a formula says something else than a table; else None."""
    block = _FIRST_BLOCK
    while len(places):
        some, places = places[:block], places[block:]
        block = _BLOCK
        truth = table[tuple(some.T)]
        said = formula.of_arrays(*some.T) if isinstance(formula, Formula) else None
        if said is None:
            said_one = (said_of(formula, each) for each in some.tolist())
            wrong = next((place for place, each in enumerate(said_one) if each is None or each != truth[place]), None)
        else:
            differing = np.flatnonzero(said != truth)
            wrong = int(differing[0]) if len(differing) else None
        if wrong is not None:
            return tuple(some[wrong].tolist())
    return None


def said_of(formula: Callable[..., int | bool], numbers: Sequence[int]) -> int | bool | None:
    """Return what a formula says of a position; None where it has no value."""
    try:
        return formula(*numbers)
    except ValueMissingError:
        return None


def simplest(
    texts: Iterable[str], names: tuple[str, ...], table: np.ndarray, known: np.ndarray
) -> tuple[Formula | None, Rival | None]:
    """Return the first formula that says what stands in a table, and the one before it that does so the furthest."""
    places, rival = np.argwhere(known), None
    places = places[np.argsort(places.max(axis=1), kind="stable")]
    for text in texts:
        try:
            formula = Formula(text, names)
            wrong = agrees(formula, table, places)
        except OptionError:
            continue
        if wrong is None:
            return formula, rival
        if rival is None or max(wrong) > rival.largest:
            rival = Rival(text, names, wrong)
    return None, rival


def fits_table(text: str, names: tuple[str, ...], table: np.ndarray, known: np.ndarray) -> bool:
    """Tell whether a formula says what stands in a table."""
    try:
        return agrees(Formula(text, names), table, np.argwhere(known)) is None
    except OptionError:
        return False


def _periodic(values: np.ndarray, name: str) -> Iterator[str]:
    seen = observe_period("", values[: max(len(values) // 2, 4)])
    if seen is not None and seen.preperiod + seen.period <= MOST_ITEMS:
        yield value_text(values.tolist(), seen.preperiod, seen.period, seen.saltus, name)


def _periodic_later(values: np.ndarray, name: str) -> Iterator[str]:
    """Yield the period of values that begin later than 0, as if it were there before too."""
    first = int(np.argmax(values >= 0))
    shown = values[first:][values[first:] >= 0]
    seen = observe_period("", shown[: len(shown) // 2])
    if seen is not None and not seen.preperiod and seen.period <= MOST_ITEMS:
        back = seen.period * (-(-first // seen.period))
        before = [int(shown[place + back - first]) - seen.saltus * (back // seen.period) for place in range(first)]
        yield value_text([*before, *shown.tolist()], 0, seen.period, seen.saltus, name)


def _residues(lost: np.ndarray, name: str) -> Iterator[str]:
    values = (~lost).astype(np.int32)
    seen = observe_period("", values[: len(lost) // 2])
    if seen is not None and seen.period <= _LONGEST and not seen.saltus:
        shown = lost[: seen.preperiod + seen.period]
        ends = not shown[seen.preperiod :].any()  # finitely many: few, and early
        if shown.sum() <= (_FEW if ends else MOST_ITEMS):
            yield lost_text(values.tolist(), seen.preperiod, seen.period, 0, name)


def _classes(lost: np.ndarray, names: tuple[str, ...]) -> Iterator[str]:
    """Yield the statement that the numbers' remainders by one divisor decide."""
    for divisor in range(2, 7):
        if any(size < 3 * divisor for size in lost.shape):
            return
        corner = (divisor,) * lost.ndim
        classes = np.asarray(np.ravel_multi_index(tuple(np.indices(lost.shape) % divisor), corner))
        won, some = (np.bincount(classes[lost == each], minlength=divisor**lost.ndim) > 0 for each in (0, 1))
        if not (won & some).any() and some.sum() <= MOST_ITEMS:
            yield _remainders(some.reshape(corner), names, divisor)
            return


def _remainders(corner: np.ndarray, names: tuple[str, ...], divisor: int) -> str:
    """Return the statement that a table of remainders says, of those numbers alone that matter."""
    axes = [axis for axis in range(corner.ndim) if (corner != corner.take([0], axis)).any()]
    rests = np.argwhere(corner[tuple(slice(None) if axis in axes else 0 for axis in range(corner.ndim))]).tolist()
    if len(axes) < 2:
        some = ", ".join(str(rest) for (rest,) in rests) if axes else ""
        told = f"= {some}" if len(rests) == 1 else f"in {{{some}}}"
        return f"{names[axes[0]]} % {divisor} {told}" if axes else "True"
    each = (
        " and ".join(f"{names[axis]} % {divisor} = {rest}" for axis, rest in zip(axes, some, strict=True))
        for some in rests
    )
    return " or ".join(f"({one})" for one in each)


def _that_matter(table: np.ndarray, names: tuple[str, ...]) -> tuple[np.ndarray, tuple[str, ...]]:
    """Return a table without the numbers that its entries do not depend on, and the names that are left."""
    for axis in reversed(range(table.ndim)):
        most = table.max(axis=axis, keepdims=True)
        if ((table == most) | (table < 0)).all():
            table, names = most.squeeze(axis), names[:axis] + names[axis + 1 :]
    return table, names


def _separable(values: np.ndarray, names: tuple[str, ...]) -> Iterator[str]:
    """Yield the xor of formulas of each number alone, where the table is one."""
    edges = [np.moveaxis(values, axis, 0).reshape(len(values), -1)[:, 0] for axis in range(values.ndim)]
    if values.max() >= 1 << 30 or min(edge.min() for edge in edges) < 0:
        return
    parts = [edges[0], *(edge ^ edge[0] for edge in edges[1:])]
    total: np.ndarray = reduce(xor, np.ix_(*parts))
    if ((total != values) & (values >= 0)).any():
        return
    found = []
    for part, name in zip(parts, names, strict=True):
        known = np.ones(len(part), bool)
        texts = chain(formulas(part, (name,)), (f"{name} % {divisor}" for divisor in _DIVISORS))
        fitting = (text for text in texts if fits_table(text, (name,), part, known))
        if (text := next(fitting, None)) is None:
            return
        found.append(text)
    yield " ^ ".join(each if each.isidentifier() or each[-1] == "]" else f"({each})" for each in found)
