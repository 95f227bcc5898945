"""Problems on heaps whose values a theorem gives: Nim in its forms, Lasker's Nim, the whiteboard, Grundy's game."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from graphgame.cli.judging.reader import MOST, CaseReader
from graphgame.cli.judging.tables import grundy_values, nim_sum
from graphgame.games.breaking import Lasker
from graphgame.games.nim import Bash, Nim
from graphgame.games.whiteboard import Whiteboard
from graphgame.io.files import Source
from graphgame.rules.misere_nim import misere_nim_outcome

__all__ = ["grundy", "john", "lasker", "nim_1", "nim_2", "nim_moves", "whiteboard"]

_LARGEST_LOST = 1222
_LARGEST_HEAP = 10**6


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
    return _by_nim_sum(source, Lasker().closed_form, ("Alice", "Bob"))


def john(source: Source) -> Iterator[str]:
    """Answer John: misère Nim.

    Examples
    --------
    >>> list(john(Source(b"2  3  3 5 1  1  1")))
    ['John', 'Brother']
    """
    for heaps in CaseReader(source).counted_cases("a heap"):
        yield "John" if misere_nim_outcome(heaps) == "N" else "Brother"


def nim_moves(source: Source) -> Iterator[str]:
    """Answer Nim: the number of winning moves, case after case until 0.

    Examples
    --------
    >>> list(nim_moves(Source(b"3  7 11 13  2  1000000000 1000000000  0")))
    ['3', '0']
    """
    reader, nim = CaseReader(source), Nim()
    while count := reader.number("the size of a case, or 0 to end", most=MOST):
        heaps = reader.numbers(count, "a heap")
        total = nim_sum(heaps)
        yield str(sum(1 for heap in heaps for _ in nim.options_of_value(heap, heap ^ total)))
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
    lost = {heap for heap, value in enumerate(grundy_values(_LARGEST_LOST)) if value == 0}
    for _ in reader.cases():
        yield "second" if reader.number("a heap", most=_LARGEST_HEAP) in lost else "first"


def _by_nim_sum(source: Source, value: Callable[[int], int], players: tuple[str, str]) -> Iterator[str]:
    """Answer cases of several heaps each by the players' names, the first player's first."""
    for heaps in CaseReader(source).counted_cases("a heap"):
        yield players[0] if nim_sum(map(value, heaps)) else players[1]
