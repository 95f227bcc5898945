"""Problems on heaps: Nim in its forms, Lasker's Nim, the whiteboard, Grundy's game, subtraction games."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import reduce
from operator import xor

import numpy as np

from graphgame import heaps
from graphgame.cli.judging.reader import MOST, CaseReader
from graphgame.cli.judging.registry import answered
from graphgame.errors import Message, plural
from graphgame.games.whiteboard import Whiteboard
from graphgame.heaps.subtraction import Bash
from graphgame.io.files import Source
from graphgame.rules.nim import Nim, misere_nim_outcome

_LARGEST_LOST = 1222
"""The largest heap of value 0 among all up to a million, and further: A. Flammenkamp, OEIS A002188."""

_LARGEST_HEAP = 10**6
_MOST_AMOUNTS = 1000
_LARGEST_OF_THREE = 10_000
_LONGEST = 10**7


@answered(
    "hdu-1907",
    "poj-3480",
    title=Message("John: misère Nim"),
    input=Message("T; for each case n and n heaps"),
    output=Message("John if the first player wins, else Brother"),
)
def _john(source: Source) -> Iterator[str]:
    for sizes in CaseReader(source).counted_cases(Message("a heap")):
        yield "John" if misere_nim_outcome(sizes) == "N" else "Brother"


@answered(
    "poj-2975",
    title=Message("Nim: how many first moves win"),
    input=Message("cases until 0: n and n heaps"),
    output=Message("the number of winning moves"),
)
def _nim_moves(source: Source) -> Iterator[str]:
    reader, nim = CaseReader(source), Nim()
    while count := reader.number(Message("the size of a case, or 0 to end"), most=MOST):
        sizes = reader.numbers(count, Message("a heap"))
        total = _nim_sum(sizes)
        yield str(sum(1 for heap in sizes for _ in nim.options_of_value(heap, heap ^ total)))
    reader.finish(Message("a 0 ended the cases"))


@answered(
    "cses-1730",
    title=Message("Nim Game I: Nim"),
    input=Message("t; for each case n and n heaps"),
    output=Message("first or second, whoever wins"),
)
def _nim_1(source: Source) -> Iterator[str]:
    return _by_nim_sum(source, Nim().closed_form, ("first", "second"))


@answered(
    "cses-1098",
    title=Message("Nim Game II: take 1, 2 or 3 from a heap"),
    input=Message("t; for each case n and n heaps"),
    output=Message("first or second, whoever wins"),
)
def _nim_2(source: Source) -> Iterator[str]:
    return _by_nim_sum(source, Bash(3).closed_form, ("first", "second"))


@answered(
    "hdu-3032",
    title=Message("Nim or not Nim?: take from a heap or split it in two"),
    input=Message("T; for each case n and n heaps"),
    output=Message("Alice if the first player wins, else Bob"),
)
def _lasker(source: Source) -> Iterator[str]:
    rules = heaps.lasker()
    return _by_nim_sum(source, lambda heap: rules.closed_form(heap) or 0, ("Alice", "Bob"))


@answered(
    "hdu-4764",
    title=Message("Stone: numbers on a whiteboard, each 1..k above the last; who writes N or more loses"),
    input=Message("pairs N k until 0 0"),
    output=Message("Tang if the first player wins, else Jiang"),
)
def _whiteboard(source: Source) -> Iterator[str]:
    reader = CaseReader(source)
    while any(pair := reader.numbers(2, Message("N and k (0 0 to end)"))):
        limit, most = pair
        if 0 in pair:
            raise reader.error("N and k are both 1 or more, or 0 0 to end", 2 - pair.index(0))
        yield "Tang" if Whiteboard(most).closed_form((limit, 0)) else "Jiang"
    reader.finish(Message("0 0 ended the cases"))


@answered(
    "cses-2207",
    title=Message("Grundy's Game: split a heap into two unequal ones"),
    input=Message("t; for each case the heap n, up to 1000000"),
    output=Message("first or second, whoever wins"),
)
def _grundy(source: Source) -> Iterator[str]:
    reader = CaseReader(source)
    lost = set(heaps.grundy_game().p_heaps(_LARGEST_LOST).tolist())
    for _ in reader.cases():
        yield "second" if reader.number(Message("a heap"), most=_LARGEST_HEAP) in lost else "first"


@answered(
    "hdu-1536",
    "poj-2960",
    title=Message("S-Nim: take a number of a given set from a heap"),
    input=Message("sets until 0: k s1..sk; then m, and for each of m positions n and n heaps, up to 1000000"),
    output=Message("one word for each set: W for each position that the first player wins, L for each other"),
)
def _s_nim(source: Source) -> Iterator[str]:
    reader = CaseReader(source)
    while count := reader.number(Message("the size of a subtraction set, or 0 to end"), most=_MOST_AMOUNTS):
        amounts = reader.numbers(count, Message("what one may take"), 1)
        positions = [
            reader.counted(Message("a heap"), most=_LARGEST_HEAP)
            for _ in range(reader.number(Message("the number of positions")))
        ]
        values = heaps.subtraction(amounts).grundy_values(max(map(max, filter(None, positions)), default=0)).tolist()
        yield "".join("W" if _nim_sum(values[heap] for heap in sizes) else "L" for sizes in positions)
    reader.finish(Message("a 0 ended the cases"))


@answered(
    "cses-1729",
    title=Message("Stick Game: take a number of a given set from one heap"),
    input=Message("n k, n up to 10000000; the k numbers"),
    output=Message("one word: for each of 1..n sticks W if the first player wins, else L"),
)
def _sticks(source: Source) -> Iterator[str]:
    reader = CaseReader(source)
    heap = reader.number(Message("the number of sticks"), 1, _LONGEST)
    count = reader.number(Message("the number of moves"), most=_MOST_AMOUNTS)
    amounts = reader.numbers(count, Message("what one may take"), 1)
    reader.finish(Message("the header promises {moves}", plural(count, "move")))
    word = np.full(heap + 1, b"W")
    word[heaps.subtraction(amounts).p_heaps(heap)] = b"L"
    yield word[1:].tobytes().decode()


@answered(
    "hdu-1848",
    title=Message("Fibonacci again and again: take a Fibonacci number from one of three heaps"),
    input=Message("m n p, each up to 10000, until 0 0 0"),
    output=Message("Fibo if the first player wins, else Nacci"),
)
def _fibonacci(source: Source) -> Iterator[str]:
    reader = CaseReader(source)
    amounts = [1, 2]
    while amounts[-1] <= _LARGEST_OF_THREE:
        amounts.append(amounts[-2] + amounts[-1])
    values = heaps.subtraction(amounts).grundy_values(_LARGEST_OF_THREE).tolist()
    while any(sizes := reader.numbers(3, Message("a heap (0 0 0 to end)"), most=_LARGEST_OF_THREE)):
        yield "Fibo" if _nim_sum(values[heap] for heap in sizes) else "Nacci"
    reader.finish(Message("0 0 0 ended the cases"))


def _nim_sum(values: Iterable[int]) -> int:
    """Return the xor of values."""
    return reduce(xor, values, 0)


def _by_nim_sum(source: Source, value: Callable[[int], int], players: tuple[str, str]) -> Iterator[str]:
    """Answer cases of several heaps each by the players' names, the first player's first."""
    for sizes in CaseReader(source).counted_cases(Message("a heap")):
        yield players[0] if _nim_sum(map(value, sizes)) else players[1]
