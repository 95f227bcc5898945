"""Periodic values of one number as formulas."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["MOST_ITEMS", "least_period", "lost_text", "one_of", "value_text", "with_first"]

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
