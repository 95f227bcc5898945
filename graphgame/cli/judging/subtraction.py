"""Problems on subtraction games: S-Nim, the Stick Game, Fibonacci numbers."""

from __future__ import annotations

from collections.abc import Iterator

from graphgame.cli.judging.reader import CaseReader
from graphgame.cli.judging.tables import lost_heaps, nim_sum, subtraction_values
from graphgame.explanation.text import plural
from graphgame.io.files import Source

__all__ = ["fibonacci", "s_nim", "sticks"]

_MOST_AMOUNTS = 1000
_LARGEST_HEAP = 10**6
_LARGEST_OF_THREE = 10_000
_LONGEST = 10**7


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
        values = subtraction_values(amounts, max(map(max, filter(None, positions)), default=0))
        yield "".join("W" if nim_sum(values[heap] for heap in heaps) else "L" for heaps in positions)
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
    word = bytearray(b"W" * (heap + 1))
    for lost in lost_heaps(amounts, heap):
        word[lost] = ord("L")
    yield word[1:].decode()


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
    values = subtraction_values(amounts, _LARGEST_OF_THREE)
    while any(heaps := reader.numbers(3, "a heap (0 0 0 to end)", most=_LARGEST_OF_THREE)):
        yield "Fibo" if nim_sum(values[heap] for heap in heaps) else "Nacci"
    reader.finish("0 0 0 ended the cases")
