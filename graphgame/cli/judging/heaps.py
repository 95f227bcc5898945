"""Problems on heaps: Nim in its forms, Lasker's Nim, the whiteboard, Grundy's game, subtraction games."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import reduce
from operator import xor

import numpy as np

from graphgame import heaps
from graphgame.cli.judging.reader import MOST, CaseReader
from graphgame.explanation.text import plural
from graphgame.games.whiteboard import Whiteboard
from graphgame.heaps.subtraction import Bash
from graphgame.io.files import Source
from graphgame.rules.misere_nim import misere_nim_outcome
from graphgame.rules.nim import Nim

__all__ = [
    "fibonacci",
    "grundy",
    "john",
    "lasker",
    "nim_1",
    "nim_2",
    "nim_moves",
    "nim_sum",
    "s_nim",
    "sticks",
    "whiteboard",
]

_LARGEST_LOST = 1222
_LARGEST_HEAP = 10**6
_MOST_AMOUNTS = 1000
_LARGEST_OF_THREE = 10_000
_LONGEST = 10**7


def nim_1(source: Source) -> Iterator[str]:
    """Answer Nim Game I: Nim.

    Examples
    --------
    >>> list(nim_1(Source(b"2  4  5 7 2 5  3  3 5 6")))
    ['first', 'second']
    """
    return _by_nim_sum(source, Nim().closed_form, ("first", "second"))


def nim_2(source: Source) -> Iterator[str]:
    """Answer Nim Game II: one takes 1, 2 or 3.

    Examples
    --------
    >>> list(nim_2(Source(b"2  2  4 1  3  4 4 4")))
    ['first', 'second']
    """
    return _by_nim_sum(source, Bash(3).closed_form, ("first", "second"))


def lasker(source: Source) -> Iterator[str]:
    """Answer Nim or not Nim: one takes from a heap, or splits it in two.

    Examples
    --------
    >>> list(lasker(Source(b"2  3  2 2 3  2  3 3")))
    ['Alice', 'Bob']
    """
    rules = heaps.lasker()
    return _by_nim_sum(source, lambda heap: rules.closed_form(heap) or 0, ("Alice", "Bob"))


def john(source: Source) -> Iterator[str]:
    """Answer John: misère Nim.

    Examples
    --------
    >>> list(john(Source(b"2  3  3 5 1  1  1")))
    ['John', 'Brother']
    """
    for sizes in CaseReader(source).counted_cases("a heap"):
        yield "John" if misere_nim_outcome(sizes) == "N" else "Brother"


def nim_moves(source: Source) -> Iterator[str]:
    """Answer Nim: the number of winning moves, case after case until 0.

    Examples
    --------
    >>> list(nim_moves(Source(b"3  7 11 13  2  1000000000 1000000000  0")))
    ['3', '0']
    """
    reader, nim = CaseReader(source), Nim()
    while count := reader.number("the size of a case, or 0 to end", most=MOST):
        sizes = reader.numbers(count, "a heap")
        total = nim_sum(sizes)
        yield str(sum(1 for heap in sizes for _ in nim.options_of_value(heap, heap ^ total)))
    reader.finish("a 0 ended the cases")


def whiteboard(source: Source) -> Iterator[str]:
    """Answer Stone: numbers on a whiteboard, each 1 to k above the last; who writes N or more loses. Until 0 0.

    Examples
    --------
    >>> list(whiteboard(Source(b"1 1  30 3  10 2  0 0")))
    ['Jiang', 'Tang', 'Jiang']
    """
    reader = CaseReader(source)
    while any(pair := reader.numbers(2, "N and k (0 0 to end)")):
        limit, most = pair
        if 0 in pair:
            raise reader.error("N and k are both 1 or more, or 0 0 to end", 2 - pair.index(0))
        yield "Tang" if Whiteboard(most).closed_form((limit, 0)) else "Jiang"
    reader.finish("0 0 ended the cases")


def grundy(source: Source) -> Iterator[str]:
    """Answer Grundy's Game: one heap a case, split into two that are not equal.

    Notes
    -----
    The largest lost heap that is known is 1222: the values of all heaps up to a million, and further, have no other 0.
    So the smaller ones are solved, and heaps above a million refused.

    References
    ----------
    A. Flammenkamp, Sprague-Grundy values of Grundy's game. OEIS A002188.

    Examples
    --------
    >>> list(grundy(Source(b"3  6  7  8")))
    ['first', 'second', 'first']
    """
    reader = CaseReader(source)
    lost = set(heaps.grundy_game().p_heaps(_LARGEST_LOST).tolist())
    for _ in reader.cases():
        yield "second" if reader.number("a heap", most=_LARGEST_HEAP) in lost else "first"


def s_nim(source: Source) -> Iterator[str]:
    """Answer S-Nim: a subtraction set, then positions, until 0; one word of W and L for each set.

    Examples
    --------
    >>> list(s_nim(Source(b"2 2 5  3  2 5 12  3 2 4 7  4 2 3 7 12  0")))
    ['LWW']
    """
    reader = CaseReader(source)
    while count := reader.number("the size of a subtraction set, or 0 to end", most=_MOST_AMOUNTS):
        amounts = reader.numbers(count, "what one may take", 1)
        positions = [
            reader.counted("a heap", most=_LARGEST_HEAP) for _ in range(reader.number("the number of positions"))
        ]
        values = heaps.subtraction(amounts).grundy_values(max(map(max, filter(None, positions)), default=0)).tolist()
        yield "".join("W" if nim_sum(values[heap] for heap in sizes) else "L" for sizes in positions)
    reader.finish("a 0 ended the cases")


def sticks(source: Source) -> Iterator[str]:
    """Answer the Stick Game: whether one wins with 1, 2, ..., n sticks, in one word of W and L.

    Examples
    --------
    >>> list(sticks(Source(b"10 3  1 3 4")))
    ['WLWWWWLWLW']
    """
    reader = CaseReader(source)
    heap = reader.number("the number of sticks", 1, _LONGEST)
    count = reader.number("the number of moves", most=_MOST_AMOUNTS)
    amounts = reader.numbers(count, "what one may take", 1)
    reader.finish(f"the header promises {plural(count, 'move')}")
    word = np.full(heap + 1, b"W")
    word[heaps.subtraction(amounts).p_heaps(heap)] = b"L"
    yield word[1:].tobytes().decode()


def fibonacci(source: Source) -> Iterator[str]:
    """Answer Fibonacci again and again: three heaps a case, from which one takes Fibonacci numbers, until 0 0 0.

    Examples
    --------
    >>> list(fibonacci(Source(b"1 1 1  1 4 1  0 0 0")))
    ['Fibo', 'Nacci']
    """
    reader = CaseReader(source)
    amounts = [1, 2]
    while amounts[-1] <= _LARGEST_OF_THREE:
        amounts.append(amounts[-2] + amounts[-1])
    values = heaps.subtraction(amounts).grundy_values(_LARGEST_OF_THREE).tolist()
    while any(sizes := reader.numbers(3, "a heap (0 0 0 to end)", most=_LARGEST_OF_THREE)):
        yield "Fibo" if nim_sum(values[heap] for heap in sizes) else "Nacci"
    reader.finish("0 0 0 ended the cases")


def nim_sum(values: Iterable[int]) -> int:
    """Return the xor of values.

    Examples
    --------
    >>> nim_sum([14, 21, 39])
    60
    """
    return reduce(xor, values, 0)


def _by_nim_sum(source: Source, value: Callable[[int], int], players: tuple[str, str]) -> Iterator[str]:
    """Answer cases of several heaps each by the players' names, the first player's first."""
    for sizes in CaseReader(source).counted_cases("a heap"):
        yield players[0] if nim_sum(map(value, sizes)) else players[1]
