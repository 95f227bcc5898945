"""Candidates for laws: formulas for values or P-positions, simplest first; and the first that agrees with a table."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import chain, combinations
from operator import xor
from typing import NamedTuple

import numpy as np

from graphgame.errors import Message, ParameterError
from graphgame.labs.heaps.periods import PeriodCertificate, observe_period
from graphgame.labs.laws.claims import pairs_text
from graphgame.labs.laws.formulas import Formula, ValueMissingError, numbers_text
from graphgame.labs.laws.learning import WIDTHS
from graphgame.labs.laws.rows import least_period


@dataclass(frozen=True)
class Rival:
    """The wrong formula that agreed longest with the table, of all formulas that were tried before a law.

    Attributes
    ----------
    formula : str
    names : tuple of str
    position : tuple of int
        The first position at which the formula is wrong; positions are ordered by their largest number.
    """

    formula: str
    names: tuple[str, ...]
    position: tuple[int, ...]

    @property
    def largest(self) -> int:
        """The largest number in ``position``. To refute all simpler formulas, a table must reach this number."""
        return max(self.position)

    def __str__(self) -> str:
        where = numbers_text(self.names, self.position)
        return Message(
            "the simpler formula {formula} first fails at {position}: to refute all simpler formulas, a table must go "
            "up to {largest}",
            self.formula,
            where,
            self.largest,
        )


_MOST_LISTED = 3
"""Maximum number of P-positions that are listed if there are finitely many."""

_BOUNDED = 16
"""Recurrences are tried only if some value is larger than this; automata are better for bounded values."""

_EXCEPTIONS = 3
"""Maximum number of first values that are listed as exceptions before one of the formulas in ``_OF_ONE``."""

_POSITIONS_AT_FIRST, _POSITIONS_AT_A_TIME = 64, 1 << 16
"""The number of positions that are compared at once: in the first block, and in each later block."""

_LONGEST_PERIOD = 200
"""Longest period of P-positions that is tried."""

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
_P_OF_ONE = ("{n} = {n} & -{n}", "{n} = zeckendorf({n})", "{n} + 1 = ({n} + 1) & -({n} + 1)")
_DIVISORS = range(2, 10)
_OF_A_DIVISOR = (
    "{b} % ({a} + 1)",
    "({b} - 1) % ({a} + 1)",
    "0 if {b} % (2*{a}) < {a} else 1",
    "{b} % (2*{a})",
    "{b} // {a}",
    "{b} % {a}",
)
_P_OF_A_DIVISOR = (
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
    """Yield candidates for the formula of a table of values.

    First come those of :func:`formulas`, then recurrences, if positions have one number (not named g) and some value is
    above 16. An entry -1 of the table is not a value.
    """
    yield from formulas(values, names)
    if values.ndim == 1 and names[0] != "g" and values.max() > _BOUNDED:
        yield from recurrences(np.maximum(values, 0), names[0])


def formulas(values: np.ndarray, names: tuple[str, ...]) -> Iterator[str]:
    """Yield candidates for the formula of a table of numbers, simplest first. An entry -1 may be any number.

    With 8 known entries or more, the constants in a formula of one number come from about the first half of them, so
    that the other entries test the formula.
    """
    # A formula with fewer names is simpler. So first leave out the numbers on which the entries do not depend.
    few, some = _that_matter(values, names)
    if len(some) < len(names):
        yield from formulas(few, some) if some else (str(few),)
        return
    if values.ndim == 1:
        if (values < 0).any():
            yield from _periodic_later(values, names[0])
            values = np.maximum(values, 0)
        seen = observe_period("", values[: max(len(values) // 2, 4)])
        if seen is not None and seen.preperiod + seen.period <= MOST_ITEMS:
            yield value_text(values.tolist(), seen.preperiod, seen.period, seen.saltus, names[0])
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


def statement_candidates(truth: np.ndarray, names: tuple[str, ...]) -> Iterator[str]:
    """Yield candidates for a statement that should be true where a table is 1 and false where it is 0 (-1: either).

    Most candidates are not compared with the table: the caller does this.
    """
    if truth.max() < 1:
        yield "False"
        return
    few, some = _that_matter(truth, names)
    if len(some) < len(names):
        yield from statement_candidates(few, some) if some else ("True",)
        return
    if truth.ndim == 1:
        yield from _residues(truth > 0, names[0])
        yield from (form.format(n=names[0]) for form in _P_OF_ONE)
        return
    if truth.ndim == 2:
        a, b = names
        yield from (f"{a} = {b}", f"{a} = {b} + 1", f"{b} = {a} + 1", f"abs({a} - {b}) <= 1", f"{a} = 0", f"{b} = 0")
        for divisor in range(2, 13):
            yield from (f"({a} - {b}) % {divisor} = 0", f"({a} + {b}) % {divisor} = 0")
            yield f"{a} // {divisor} = {b} // {divisor}"
            yield f"{a} % {divisor} = 0 and {b} % {divisor} = 0"
        yield from (form.format(a=one, b=two) for form in _P_OF_A_DIVISOR for one, two in ((a, b), (b, a)))
        for width in WIDTHS:
            yield pairs_text(width, names)
    total, largest = " ^ ".join(names), f"max({', '.join(names)})"
    yield f"{total} = 0"
    yield f"{largest} > 1 and {total} = 0 or {largest} <= 1 and {total} = 1"
    yield from _classes(truth, names)


def first_difference(
    formula: Callable[..., int | bool], table: np.ndarray, positions: np.ndarray
) -> tuple[int, ...] | None:
    """Return the first position at which a formula has no value or differs from a table, or None if there is none.

    Each row of ``positions`` has the numbers of a position, which are also the indices of its entry in ``table``.
    """
    # Most candidates fail early, so a small block is compared first.
    block = _POSITIONS_AT_FIRST
    while len(positions):
        some, positions = positions[:block], positions[block:]
        block = _POSITIONS_AT_A_TIME
        truth = table[tuple(some.T)]
        values = formula.of_arrays(*some.T) if isinstance(formula, Formula) else None
        if values is None:
            one_by_one = enumerate(value_of(formula, each) for each in some.tolist())
            wrong = next((index for index, value in one_by_one if value is None or value != truth[index]), None)
        else:
            differing = np.flatnonzero(values != truth)
            wrong = int(differing[0]) if len(differing) else None
        if wrong is not None:
            return tuple(some[wrong].tolist())
    return None


def value_of(formula: Callable[..., int | bool], numbers: Sequence[int]) -> int | bool | None:
    """Return the value of a formula at a position, or None if it has no value there."""
    try:
        value = formula(*numbers)
    except ValueMissingError:
        return None
    return value.item() if isinstance(value, np.generic) else value


def simplest(
    texts: Iterable[str], names: tuple[str, ...], table: np.ndarray, known: np.ndarray
) -> tuple[Formula | None, Rival | None]:
    """Return the first of the formulas ``texts`` that agrees with the known entries of a table, or None; and a rival.

    ``known`` is a boolean array that marks the known entries. The rival is the wrong formula that agrees longest, of
    those before the result (see :class:`Rival`); None if no formula was wrong.
    """
    positions, rival = np.argwhere(known), None
    # Positions are ordered by their largest number. So the largest number of the first position at which a formula is
    # wrong says how large a table must be to refute the formula.
    positions = positions[np.argsort(positions.max(axis=1), kind="stable")]
    for text in texts:
        try:
            formula = Formula(text, names)
            wrong = first_difference(formula, table, positions)
        except ParameterError:
            continue
        if wrong is None:
            return formula, rival
        if rival is None or max(wrong) > rival.largest:
            rival = Rival(text, names, wrong)
    return None, rival


def _periodic_later(values: np.ndarray, name: str) -> Iterator[str]:
    """Yield a formula for values that are periodic from the first known entry on; the formula is periodic from 0 on.

    Yield nothing if the first half of the known entries has no such period. Entries -1 are not known, and left out.
    """
    first = int(np.argmax(values >= 0))
    shown = values[first:][values[first:] >= 0]
    seen = observe_period("", shown[: len(shown) // 2])
    if seen is not None and not seen.preperiod and seen.period <= MOST_ITEMS:
        back = seen.period * (-(-first // seen.period))
        before = [int(shown[number + back - first]) - seen.saltus * (back // seen.period) for number in range(first)]
        yield value_text([*before, *shown.tolist()], 0, seen.period, seen.saltus, name)


def _residues(is_p: np.ndarray, name: str) -> Iterator[str]:
    """If the P-positions in the first half have a period of at most 200, yield the statement that it continues.

    Yield nothing if the statement would list too many numbers.
    """
    values = (~is_p).astype(np.int32)
    seen = observe_period("", values[: len(is_p) // 2])
    if seen is not None and seen.period <= _LONGEST_PERIOD and not seen.saltus:
        shown = is_p[: seen.preperiod + seen.period]
        ends = not shown[seen.preperiod :].any()  # there are finitely many P-positions
        if shown.sum() <= (_MOST_LISTED if ends else MOST_ITEMS):
            yield p_text(values.tolist(), seen.preperiod, seen.period, 0, name)


def _classes(truth: np.ndarray, names: tuple[str, ...]) -> Iterator[str]:
    """Yield a statement that lists the remainders of the numbers of P-positions, all by the same divisor from 2 to 6.

    Yield nothing if no such divisor fits the table, or if the table is too small or the statement too long. The table
    must depend on each of the numbers, and must have a P-position.
    """
    for divisor in range(2, 7):
        # Each class of remainders must occur three times along each axis. Otherwise the statement predicts nothing.
        if any(size < 3 * divisor for size in truth.shape):
            return
        corner = (divisor,) * truth.ndim
        classes = np.asarray(np.ravel_multi_index(tuple(np.indices(truth.shape) % divisor), corner))
        won, some = (np.bincount(classes[truth == each], minlength=divisor**truth.ndim) > 0 for each in (0, 1))
        if not (won & some).any() and some.sum() <= MOST_ITEMS:
            rests = np.argwhere(some.reshape(corner)).tolist()
            each = (
                " and ".join(f"{name} % {divisor} = {k}" for name, k in zip(names, ks, strict=True)) for ks in rests
            )
            yield " or ".join(f"({one})" for one in each)
            return


def _that_matter(table: np.ndarray, names: tuple[str, ...]) -> tuple[np.ndarray, tuple[str, ...]]:
    """Leave out the axes of a table on which its entries do not depend; return the smaller table and its axes' names.

    An entry -1 may stand for any number.
    """
    for axis in reversed(range(table.ndim)):
        # An entry of -1 (no position) may stand for any value, so compare all other entries with the largest one.
        most = table.max(axis=axis, keepdims=True)
        if ((table == most) | (table < 0)).all():
            table, names = most.squeeze(axis), names[:axis] + names[axis + 1 :]
    return table, names


def _separable(values: np.ndarray, names: tuple[str, ...]) -> Iterator[str]:
    """Yield a formula that is an xor of terms in one number each, if the table is such an xor and terms are found."""
    edges = [np.moveaxis(values, axis, 0).reshape(len(values), -1)[:, 0] for axis in range(values.ndim)]
    if values.max() >= 1 << 30 or min(edge.min() for edge in edges) < 0:
        return
    # The edges of the table, where all numbers but one are 0, determine the terms of the xor.
    # The value at the origin counts only once, in the first term.
    parts = [edges[0], *(edge ^ edge[0] for edge in edges[1:])]
    total: np.ndarray = reduce(xor, np.ix_(*parts))
    if ((total != values) & (values >= 0)).any():
        return
    terms = []
    for part, name in zip(parts, names, strict=True):
        texts = chain(formulas(part, (name,)), (f"{name} % {divisor}" for divisor in _DIVISORS))
        formula, _ = simplest(texts, (name,), part, np.ones(len(part), bool))
        if formula is None:
            return
        terms.append(formula.text)
    yield " ^ ".join(each if each.isidentifier() or each[-1] == "]" else f"({each})" for each in terms)


MOST_ITEMS = 24
"""Maximum number of values that are listed in a formula."""


def value_text(values: Sequence[int], start: int, period: int, saltus: int, name: str) -> str:
    """Return a formula for values that repeat from ``start`` on, and grow by the saltus in each period.

    Parameters
    ----------
    values : sequence of int
        At least the first ``start + period`` values.
    start, period, saltus : int
    name : str
        The name of the number.

    Examples
    --------
    >>> value_text([0, 1, 0, 1, 2, 3, 2], 0, 7, 0, "n")
    '(0, 1, 0, 1, 2, 3, 2)[n % 7]'
    >>> value_text([0, 1, 2, 4, 3], 1, 4, 4, "n")
    '0 if n = 0 else 4*(n // 4) + (0, 2, 3, 5)[n % 4] - 1'
    """
    heaps = [start + (rest - start) % period for rest in range(period)]
    base = [int(values[heap]) - saltus * (heap // period) for heap in heaps]
    lowest = min(0, *base)
    text = _cycle([value - lowest for value in base], name)
    if saltus:
        step = f"{name} // {period}" if period > 1 else name
        step = step if saltus == 1 else f"{saltus}*({step})" if period > 1 else f"{saltus}*{step}"
        text = step if text == "0" else f"{step} + {text}"
    text += f" - {-lowest}" if lowest else ""
    return with_first([int(value) for value in values[:start]], name, text)


def with_first(first: Sequence[int], name: str, text: str) -> str:
    """Return a formula that lists the first values, and uses ``text`` for all later ones.

    >>> with_first([0], "n", "v2(n)")
    '0 if n = 0 else v2(n)'
    """
    start = len(first)
    if len(set(first)) == 1:
        return f"{first[0]} if {f'{name} = 0' if start == 1 else f'{name} < {start}'} else {text}"
    return f"({', '.join(map(str, first))})[{name}] if {name} < {start} else {text}" if start else text


def p_text(values: Sequence[int], start: int, period: int, saltus: int, name: str) -> str:
    """Return the statement that a value is 0, for values that repeat as in :func:`value_text` and are not negative.

    >>> p_text([0, 1, 2, 0, 1, 0, 2, 0], 3, 4, 0, "n")
    'n = 0 or n >= 3 and n % 2 = 1'
    """
    is_p = [value == 0 for value in values[: start + period]]
    if saltus:
        return one_of(name, np.flatnonzero(is_p).tolist())
    start, period = least_period(np.array(is_p), period)
    zeros = [heap for heap in range(start + period) if is_p[heap]]
    early = [heap for heap in zeros if heap < start]
    late = sorted(heap % period for heap in zeros if heap >= start)
    if not late:
        return one_of(name, early)
    if set(early) == {heap for heap in range(start) if heap % period in late}:
        return "True" if period == 1 else one_of(f"{name} % {period}", late)
    first = min(heap for heap in zeros if heap >= start)
    repeated = f"{name} >= {first}" + (f" and {one_of(f'{name} % {period}', late)}" if period > 1 else "")
    return f"{one_of(name, early)} or {repeated}" if early else repeated


def one_of(term: str, numbers: Sequence[int]) -> str:
    """Return the statement that a term equals one of these numbers; "False" if there are no numbers.

    >>> one_of("n", [2]), one_of("n", [2, 5])
    ('n = 2', 'n in {2, 5}')
    """
    if len(numbers) < 2:
        return f"{term} = {numbers[0]}" if numbers else "False"
    return f"{term} in {{{', '.join(map(str, numbers))}}}"


def _cycle(cycle: list[int], name: str) -> str:
    """Return a formula for the sequence that repeats ``cycle`` from index 0 on; ``name`` is the letter for the index.

    >>> _cycle([0, 1, 3], "n"), _cycle([0, 1, 2], "n"), _cycle([5], "n")
    ('(0, 1, 3)[n % 3]', 'n % 3', '5')
    """
    if len(set(cycle)) == 1:
        return str(cycle[0])
    index = f"{name} % {len(cycle)}"
    return index if cycle == list(range(len(cycle))) else f"({', '.join(map(str, cycle))})[{index}]"


_BASES = (2, 3, 4, 5, 10)
_MOST_PARTS = 4
"""Maximum number of parts (:class:`_Part`) that have no rule, and are divided further; the whole sequence is one."""

_MOST_TOGETHER = 2
"""Maximum number of other parts whose values a rule may use."""

_FEWEST_VALUES = 12
"""A rule is sought only for a part with at least this many values. A part, except for the whole sequence, is divided
only into parts with at least twice this number."""

_FITTED = 60
"""The coefficients of a rule are computed from at most this many values of a part, and tested on all but the first."""

_LARGEST_FACTOR = 64
_MOST_FIRST = 9
"""Maximum number of first values that a recurrence may list."""


class _Part(NamedTuple):
    """A subsequence of the values: g(scale m + rest) for m = 0, 1, ..."""

    scale: int
    rest: int


class _Rule(NamedTuple):
    """A rule for a :class:`_Part`: the value at m is slope * m + constant, plus multiples of other parts' values at m.

    ``factors`` has a pair (part, factor) for each of these other parts.
    """

    part: _Part
    factors: tuple[tuple[_Part, int], ...]
    slope: int
    constant: int


def recurrences(values: np.ndarray, name: str) -> Iterator[str]:
    """Yield candidates for a recurrence, at most one for each base in ``_BASES``.

    They are made from the first half of the values.

    A part has the values g(n) for all n with certain last digits in the base; m is n without these digits. A rule of a
    part computes its value at m from m and from the values at m of at most two earlier parts: each is multiplied by a
    constant, and a constant is added. A rule may be wrong at m = 0. A part without a rule is split by one more digit.

    A base yields nothing if that makes too many parts, or parts with too few values, or if too many values at the
    beginning do not fit.

    Examples
    --------
    >>> values = [0]
    >>> for n in range(1, 200):
    ...     values.append(n // 2 if n % 2 == 0 else values[n // 2])
    >>> next(recurrences(np.array(values), "n"))
    'n // 2 if n % 2 = 0 else g(n // 2)'
    """
    for base in _BASES:
        rules = _rules(values[: len(values) // 2], base)
        if rules is None:
            continue
        start = 1 + max((rule.part.rest for rule in rules if not _holds_at_0(rule, values)), default=-1)
        if start <= _MOST_FIRST:
            yield with_first(values[:start].tolist(), name, _cases(rules, name))


def _rules(values: np.ndarray, base: int) -> list[_Rule] | None:
    """Return rules that compute values from values at smaller numbers; None if there are too few values.

    A rule is for a :class:`_Part`: the values at the numbers with a given remainder by a power of ``base``. It may be
    wrong at the smallest of these numbers. The result is also None if too many parts have no rule.
    """
    parts, rules = [_Part(1, 0)], []
    # The loop appends to ``parts``: later it splits a part without a rule, by one more digit.
    for whole in parts:
        for digit in range(base):
            part = _Part(whole.scale * base, whole.rest + whole.scale * digit)
            rule = _rule(values, part, [each for each in parts if each < part])
            if rule is not None:
                rules.append(rule)
            elif len(parts) == _MOST_PARTS or len(values) < 2 * _FEWEST_VALUES * part.scale * base:
                return None
            else:
                parts.append(part)
    return rules


def _rule(values: np.ndarray, part: _Part, parts: list[_Part]) -> _Rule | None:
    """Return the rule with the fewest terms for a part; None if the part has no rule, or fewer than 12 values.

    The rule may use the values of ``parts``. It may be wrong for the first value of the part, because the formula can
    list this value.
    """
    shown = values[part.rest :: part.scale].astype(np.int64)
    numbers = np.arange(len(shown))
    if len(shown) < _FEWEST_VALUES:
        return None
    for count in range(min(_MOST_TOGETHER, len(parts)) + 1):
        for slope in (False, True):
            for some in combinations(parts, count):
                columns = [values[each.rest :: each.scale][: len(shown)].astype(np.int64) for each in some]
                # Least squares finds real factors. Accept their rounded values if all values but the first fit exactly.
                table = np.column_stack([*columns, *([numbers] if slope else []), np.ones_like(numbers)])[1:]
                factors = np.rint(np.linalg.lstsq(table[:_FITTED], shown[1 : _FITTED + 1], rcond=None)[0]).astype(int)
                if np.abs(factors).max() <= _LARGEST_FACTOR and (table @ factors == shown[1:]).all():
                    *weights, constant = factors.tolist()
                    return _Rule(part, tuple(zip(some, weights, strict=False)), weights[-1] if slope else 0, constant)
    return None


def _holds_at_0(rule: _Rule, values: np.ndarray) -> bool:
    """Return whether a rule gives the first value of its :class:`_Part`, g(rest), from values g(n) with n < rest only.

    This is not certain, because a rule is made without the first value of its part.
    """
    first = rule.part.rest
    if any(part.rest >= first for part, _ in rule.factors):
        return False
    return bool(rule.constant + sum(factor * values[part.rest] for part, factor in rule.factors) == values[first])


def _cases(rules: list[_Rule], name: str) -> str:
    """Return the rules as one formula with cases.

    A rule is for the numbers that end in certain digits; rules with fewer digits come first. Rules with the same number
    of digits and the same formula share a case.
    """
    rests: dict[tuple[int, str], list[int]] = {}
    for rule in sorted(rules, key=lambda rule: rule.part):
        rests.setdefault((rule.part.scale, _sum(rule, name)), []).append(rule.part.rest)
    *early, (_, last) = rests
    cases = (" if ".join((text, one_of(f"{name} % {scale}", rests[scale, text]))) for scale, text in early)
    return " else ".join((*cases, last))


def _sum(rule: _Rule, name: str) -> str:
    """Return a rule as a formula in n = scale m + rest, instead of m; ``name`` is the letter for n."""
    (scale, rest), constant = rule.part, rule.constant
    terms = []
    for part, factor in rule.factors:
        step = scale // part.scale
        number = f"{name} // {step}" if step > 1 else name
        terms.append((factor, f"g({number}{_shift(part.rest - rest // step)})"))
    if rule.slope % scale == 0:
        terms.append((rule.slope // scale, name))
        constant -= rule.slope // scale * rest
    elif scale % rule.slope == 0:
        step = scale // rule.slope
        terms.append((1, f"{name} // {step}"))
        constant -= rest // step
    else:
        terms.append((rule.slope, f"({name} // {scale})"))
    text = ""
    for factor, term in terms:
        size = term if abs(factor) == 1 else f"{abs(factor)}*{term}"
        if factor:
            text += (f" {'-' if factor < 0 else '+'} " if text else "-" if factor < 0 else "") + size
    return f"{text}{_shift(constant)}" if text else str(constant)


def _shift(constant: int) -> str:
    return f" {'-' if constant < 0 else '+'} {abs(constant)}" if constant else ""


_MOST_WRITTEN = 8
"""A repetition whose start and period add up to at most this is written as a formula for the values, a longer one as a
relation between two values."""

_LONGEST_RIVAL = 5_000
"""Rivals are searched for only if the preperiod and period together are at most this."""


class Repetition(NamedTuple):
    """The claim that values repeat from ``start`` on, and grow by the saltus in each period."""

    start: int
    period: int
    saltus: int = 0

    def text(self, values: Sequence[int], name: str) -> str:
        """Return the claim as a formula; if it is long, as a relation between two values.

        >>> Repetition(0, 1, 1).text([0, 1, 2, 3, 0], "n"), Repetition(58, 24).text([0] * 82, "n")
        ('n', 'g(n) = g(n - 24) for n >= 82')
        """
        count = self.start + self.period
        if count <= _MOST_WRITTEN:
            return value_text(values, *self, name)
        added = f" + {self.saltus}" if self.saltus else ""
        return f"g({name}) = g({name} - {self.period}){added} for {name} >= {count}"


def rival_repetition(values: np.ndarray, repetition: Repetition, *, growing: bool) -> tuple[Repetition, int] | None:
    """Return the simpler repetition that agrees longest with the values, and the first number at which it is wrong.

    A repetition is simpler if its start + period is smaller than that of ``repetition``. Return None if there is none.

    Parameters
    ----------
    values : ndarray of int
        More than 2 * (start + period) values, enough to refute each simpler repetition. They are 0 or more, and the
        first is 0 if ``growing``.
    repetition : Repetition
        The right repetition of the values, with the smallest start + period.
    growing : bool
        Whether the simpler repetition may have a saltus.

    Examples
    --------
    >>> rival_repetition(np.arange(40) % 4, Repetition(0, 4), growing=True)
    (Repetition(start=0, period=1, saltus=1), 4)
    """
    # A shorter repetition has start + period <= last, so it starts at last - period at the latest. Try only this start:
    # with an earlier start the repetition makes more claims, and its first wrong claim comes no later.
    last, best = repetition.start + repetition.period - 1, None
    for period in range(1, last + 1):
        steps = values[last:] - values[last - period : len(values) - period]
        saltus = int(steps[0]) if growing else 0
        wrong = np.flatnonzero(steps != saltus)
        if saltus >= 0 and len(wrong) and (best is None or last + int(wrong[0]) > best[1]):
            best = Repetition(last - period, period, saltus), last + int(wrong[0])
    if best is None:
        return None
    (start, period, saltus), wrong_at = best
    # The best repetition may also hold for earlier values: then move its start back.
    while start and values[start - 1] + saltus == values[start - 1 + period]:
        start -= 1
    return Repetition(start, period, saltus), wrong_at


def rival_of_period(certificate: PeriodCertificate, of_p: bool, names: tuple[str, ...]) -> Rival | None:
    """Return the rival of a proved period: the wrong repetition with a smaller start + period that fails last.

    The rival is about the P-positions if ``of_p``, otherwise about the values. Return None if there is no rival, if it
    says that all positions or none are P-positions, or if start + period of the proved period is above 5,000.

    >>> from graphgame import heaps
    >>> print(rival_of_period(heaps.octal("0.77").period(1000), False, ("n",)))
    the simpler formula g(n) = g(n - 24) for n >= 82 first fails at n = 94: to refute all simpler formulas, ...
    """
    repetition = Repetition(certificate.preperiod, certificate.period, certificate.saltus)
    count = repetition.start + repetition.period
    if count > _LONGEST_RIVAL:
        return None
    values = certificate.values_to(3 * count).astype(np.int64)
    if of_p:
        values = (values != 0).astype(np.int64)
        ends = int(np.flatnonzero(values == 0).max(initial=-1)) + 1
        least = (ends, 1) if repetition.saltus else least_period(values[:count], repetition.period)
        repetition = Repetition(*least)
    rival = rival_repetition(values, repetition, growing=not of_p)
    if rival is None:
        return None
    text = p_text(values.tolist(), *rival[0], names[0]) if of_p else rival[0].text(values.tolist(), names[0])
    return None if text in ("True", "False") else Rival(text, names, (rival[1],))
