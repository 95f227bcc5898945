"""Formulas for values of one number: periodic ones, and regular ones, where g(k m + r) is a sum of smaller values."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np

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
