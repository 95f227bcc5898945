"""Formulas that the values or the P-positions of games may have, simplest first, and which of them fits a table."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import chain, combinations
from operator import xor
from typing import NamedTuple

import numpy as np

from graphgame.errors import Message, OptionError
from graphgame.labs.heaps.periods import PeriodCertificate, observe_period
from graphgame.labs.laws.claims import pairs_text
from graphgame.labs.laws.formulas import Formula, ValueMissingError, numbers_text
from graphgame.labs.laws.learning import WIDTHS


@dataclass(frozen=True)
class Rival:
    """The formula, of those tried before a law, that agrees with the table the furthest.

    Attributes
    ----------
    formula : str
    names : tuple of str
    position : tuple of int
        The first position of which it is wrong, where those with a smaller largest number come first.
    """

    formula: str
    names: tuple[str, ...]
    position: tuple[int, ...]

    @property
    def largest(self) -> int:
        """The least number to which a table must go so that it refutes all formulas that were tried before the law."""
        return max(self.position)

    def __str__(self) -> str:
        where = numbers_text(self.names, self.position)
        return Message(
            "the simpler {formula} fails first at {where}; a table to {largest} refutes all simpler ones",
            self.formula,
            where,
            self.largest,
        )


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
    # A law of fewer numbers is simpler: numbers that the entries do not depend on are left out first.
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
    # Most candidates fail early: a few positions are compared before many.
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
    # By their largest number, so that a rival is known by how large a table must be to refute it.
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
        # Each class of remainders must come three times along each axis, or nothing is predicted.
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
        return one_of(f"{names[axes[0]]} % {divisor}", [rest for (rest,) in rests]) if axes else "True"
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
    # A xor of single formulas is known by the edges of the table, where all other numbers are 0.
    parts = [edges[0], *(edge ^ edge[0] for edge in edges[1:])]
    total: np.ndarray = reduce(xor, np.ix_(*parts))
    if ((total != values) & (values >= 0)).any():
        return
    found = []
    for part, name in zip(parts, names, strict=True):
        texts = chain(formulas(part, (name,)), (f"{name} % {divisor}" for divisor in _DIVISORS))
        formula, _ = simplest(texts, (name,), part, np.ones(len(part), bool))
        if formula is None:
            return
        found.append(formula.text)
    yield " ^ ".join(each if each.isidentifier() or each[-1] == "]" else f"({each})" for each in found)


MOST_ITEMS = 24
"""Values that are written out in a formula."""


def value_text(values: Sequence[int], start: int, period: int, saltus: int, name: str) -> str:
    """Return values that repeat from a start on, with a constant added each time.

    Parameters
    ----------
    values : sequence of int
        The first ones, at least to the end of the first period.
    start, period, saltus : int
    name : str
        Of the number.

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
    text = _cycle([value - lowest for value in base], name, period)
    if saltus:
        step = f"{name} // {period}" if period > 1 else name
        step = step if saltus == 1 else f"{saltus}*({step})" if period > 1 else f"{saltus}*{step}"
        text = step if text == "0" else f"{step} + {text}"
    text += f" - {-lowest}" if lowest else ""
    return with_first([int(value) for value in values[:start]], name, text)


def with_first(first: Sequence[int], name: str, text: str) -> str:
    """Return a formula with the first values said apart.

    >>> with_first([0], "n", "v2(n)")
    '0 if n = 0 else v2(n)'
    """
    start = len(first)
    if len(set(first)) == 1:
        return f"{first[0]} if {f'{name} = 0' if start == 1 else f'{name} < {start}'} else {text}"
    return f"({', '.join(map(str, first))})[{name}] if {name} < {start} else {text}" if start else text


def lost_text(values: Sequence[int], start: int, period: int, saltus: int, name: str) -> str:
    """Return where such values are 0; with a saltus they must not be negative.

    >>> lost_text([0, 1, 2, 0, 1, 0, 2, 0], 3, 4, 0, "n")
    'n = 0 or n >= 3 and n % 2 = 1'
    """
    lost = [value == 0 for value in values[: start + period]]
    if saltus:
        return one_of(name, [heap for heap, is_lost in enumerate(lost) if is_lost])
    start, period = least_period(lost, start, period)
    zeros = [heap for heap in range(start + period) if lost[heap]]
    early = [heap for heap in zeros if heap < start]
    late = sorted(heap % period for heap in zeros if heap >= start)
    if not late:
        return one_of(name, early)
    if set(early) == {heap for heap in range(start) if heap % period in late}:
        return "True" if period == 1 else one_of(f"{name} % {period}", late)
    first = min(heap for heap in zeros if heap >= start)
    repeated = f"{name} >= {first}" + (f" and {one_of(f'{name} % {period}', late)}" if period > 1 else "")
    return f"{one_of(name, early)} or {repeated}" if early else repeated


def least_period(lost: Sequence[int], start: int, period: int) -> tuple[int, int]:
    """Return the least start and period of what repeats, given to the end of its first period.

    >>> least_period([1, 1, 0, 1, 0, 1, 0], 3, 4)
    (1, 2)
    """
    repeated = list(lost[start:])
    parts = (length for length in range(1, period + 1) if period % length == 0)
    period = next(length for length in parts if repeated == repeated[:length] * (period // length))
    while start and lost[start - 1] == lost[start - 1 + period]:
        start -= 1
    return start, period


def one_of(term: str, numbers: Sequence[int]) -> str:
    """Return that a term is one of some numbers.

    >>> one_of("n", [2]), one_of("n", [2, 5])
    ('n = 2', 'n in {2, 5}')
    """
    if len(numbers) < 2:
        return f"{term} = {numbers[0]}" if numbers else "False"
    return f"{term} in {{{', '.join(map(str, numbers))}}}"


def _cycle(cycle: list[int], name: str, period: int) -> str:
    if len(set(cycle)) == 1:
        return str(cycle[0])
    if cycle == list(range(period)):
        return f"{name} % {period}"
    return f"({', '.join(map(str, cycle))})[{name} % {period}]"


_BASES = (2, 3, 4, 5, 10)
_MOST_PARTS = 4
_MOST_TOGETHER = 2
_FEWEST = 12
"""Numbers from which a rule is found; as many are left to test it."""

_FITTED = 60
_LARGEST_FACTOR = 64
_MOST_FIRST = 9


class _Part(NamedTuple):
    """The values g(scale m + rest), for m = 0, 1, ..."""

    scale: int
    rest: int


class _Rule(NamedTuple):
    """That the values of a part are a sum of multiples of others, of m, and a constant."""

    part: _Part
    factors: tuple[tuple[_Part, int], ...]
    slope: int
    constant: int


def recurrences(values: np.ndarray, name: str) -> Iterator[str]:
    """Yield recurrences that may be those of values, found from one half of them.

    In one base the numbers are told apart by their last digits, as many as it takes until each class is a sum of
    classes before it: these are rows of the minimal linear representation.

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
        start = 1 + max((rule.part.rest for rule in rules if not _tells_first(rule, values)), default=-1)
        if start <= _MOST_FIRST:
            yield with_first(values[:start].tolist(), name, _cases(rules, name))


def _rules(values: np.ndarray, base: int) -> list[_Rule] | None:
    parts, rules = [_Part(1, 0)], []
    for whole in parts:
        for digit in range(base):
            part = _Part(whole.scale * base, whole.rest + whole.scale * digit)
            rule = _rule(values, part, [each for each in parts if each < part])
            if rule is not None:
                rules.append(rule)
            elif len(parts) == _MOST_PARTS or len(values) < 2 * _FEWEST * part.scale * base:
                return None
            else:
                parts.append(part)
    return rules


def _rule(values: np.ndarray, part: _Part, parts: list[_Part]) -> _Rule | None:
    """Return the rule with the fewest terms; m = 0 is left to be listed."""
    shown = values[part.rest :: part.scale].astype(np.int64)
    numbers = np.arange(len(shown))
    if len(shown) < _FEWEST:
        return None
    for count in range(min(_MOST_TOGETHER, len(parts)) + 1):
        for slope in (False, True):
            for some in combinations(parts, count):
                columns = [values[each.rest :: each.scale][: len(shown)].astype(np.int64) for each in some]
                # Least squares finds rational factors; only whole ones that fit all values count.
                table = np.column_stack([*columns, *([numbers] if slope else []), np.ones_like(numbers)])[1:]
                factors = np.rint(np.linalg.lstsq(table[:_FITTED], shown[1 : _FITTED + 1], rcond=None)[0]).astype(int)
                if np.abs(factors).max() <= _LARGEST_FACTOR and (table @ factors == shown[1:]).all():
                    *kept, constant = factors.tolist()
                    return _Rule(part, tuple(zip(some, kept, strict=False)), kept[-1] if slope else 0, constant)
    return None


def _tells_first(rule: _Rule, values: np.ndarray) -> bool:
    """Tell whether a rule gives the first value of its part, from smaller numbers."""
    rest = rule.part.rest
    if any(part.rest >= rest for part, _ in rule.factors):
        return False
    return bool(rule.constant + sum(factor * values[part.rest] for part, factor in rule.factors) == values[rest])


def _cases(rules: list[_Rule], name: str) -> str:
    """Return the rules as one formula, those of the fewest digits first."""
    said: dict[tuple[int, str], list[int]] = {}
    for rule in sorted(rules, key=lambda rule: rule.part):
        said.setdefault((rule.part.scale, _sum(rule, name)), []).append(rule.part.rest)
    *early, (_, last) = said
    cases = (" if ".join((text, one_of(f"{name} % {scale}", said[scale, text]))) for scale, text in early)
    return " else ".join((*cases, last))


def _sum(rule: _Rule, name: str) -> str:
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


_SHORT = 8
"""Values that a rival is written out with."""

_LONGEST_RIVAL = 5_000
"""The longest first values and period that are compared with all shorter ones."""


class Repetition(NamedTuple):
    """That numbers repeat from a start on, with a saltus added each time."""

    start: int
    period: int
    saltus: int = 0

    def text(self, values: Sequence[int], name: str) -> str:
        """Return it as a formula; a long one by what it says of the next value.

        >>> Repetition(0, 1, 1).text([0, 1, 2, 3, 0], "n"), Repetition(58, 24).text([0] * 82, "n")
        ('n', 'g(n) = g(n - 24) for n >= 82')
        """
        known = self.start + self.period
        if known <= _SHORT:
            return value_text(values, *self, name)
        added = f" + {self.saltus}" if self.saltus else ""
        return f"g({name}) = g({name} - {self.period}){added} for {name} >= {known}"


def rival_repetition(values: np.ndarray, found: Repetition, *, growing: bool) -> tuple[Repetition, int] | None:
    """Return what agrees with values the furthest, of all that are told by fewer of them, and where it fails first.

    Parameters
    ----------
    values : ndarray of int
        Those of more than two periods beyond twice the first ones.
    found : Repetition
        What they are.
    growing : bool
        Whether a saltus is allowed.

    Examples
    --------
    >>> rival_repetition(np.arange(40) % 4, Repetition(0, 4), growing=True)
    (Repetition(start=0, period=1, saltus=1), 4)
    """
    last, best = found.start + found.period - 1, None
    for period in range(1, last + 1):
        steps = values[last:] - values[last - period : len(values) - period]
        saltus = int(steps[0]) if growing else 0
        wrong = np.flatnonzero(steps != saltus)
        if saltus >= 0 and len(wrong) and (best is None or last + int(wrong[0]) > best[1]):
            best = Repetition(last - period, period, saltus), last + int(wrong[0])
    if best is None:
        return None
    (start, period, saltus), wrong_at = best
    while start and values[start - 1] + saltus == values[start - 1 + period]:
        start -= 1
    return Repetition(start, period, saltus), wrong_at


def rival_of_period(certificate: PeriodCertificate, of_lost: bool, names: tuple[str, ...]) -> Rival | None:
    """Return what agrees with a proved period the furthest, of all that fewer values tell; None if that says nothing.

    >>> from graphgame import heaps
    >>> print(rival_of_period(heaps.octal("0.77").period(1000), False, ("n",)))
    the simpler g(n) = g(n - 24) for n >= 82 fails first at n = 94; a table to 94 refutes all simpler ones
    """
    found = Repetition(certificate.preperiod, certificate.period, certificate.saltus)
    known = found.start + found.period
    if known > _LONGEST_RIVAL:
        return None
    values = certificate.values_to(3 * known).astype(np.int64)
    if of_lost:
        values = (values != 0).astype(np.int64)
        ends = int(np.flatnonzero(values == 0).max(initial=-1)) + 1
        found = Repetition(ends, 1) if found.saltus else Repetition(*least_period(values[:known].tolist(), *found[:2]))
    rival = rival_repetition(values, found, growing=not of_lost)
    if rival is None:
        return None
    said = lost_text(values.tolist(), *rival[0], names[0]) if of_lost else rival[0].text(values.tolist(), names[0])
    return None if said in ("True", "False") else Rival(said, names, (rival[1],))
