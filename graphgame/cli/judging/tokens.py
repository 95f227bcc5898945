"""Tokens on a graph: the game of the token file, and the queries of the judge form."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import takewhile

import numpy as np

from graphgame.errors import CycleError
from graphgame.io import judge, tokenfile
from graphgame.io.files import Source
from graphgame.solution import solve

__all__ = ["chess", "tokens"]

_HEAD = 1 << 16


def tokens(source: Source) -> Iterator[str]:
    r"""Answer a token file, whose first line has three numbers, or else the judge form.

    Examples
    --------
    >>> list(tokens(Source(b"3 2 1\n 1 2\n 2 3\n 1\n")))
    ['lose']
    """
    return _token_file(source) if _words_of_first_line(source) == 3 else chess(source)


def chess(source: Source) -> Iterator[str]:
    """Answer a Chess Game: the queries of the judge form.

    Examples
    --------
    >>> list(chess(Source(b"4  2 1 2  0  1 3  0  1 0  2 0 2  0")))
    ['WIN', 'WIN']
    """
    for number, case in enumerate(judge.read_cases(source), 1):
        try:
            values = solve(case.graph).grundy.array
        except CycleError as error:
            raise source.error(f"case {number}: {error}") from error
        for query in case.queries:
            yield "WIN" if np.bitwise_xor.reduce(values[list(query)]) else "LOSE"


def _token_file(source: Source) -> Iterator[str]:
    graph = tokenfile.read(source)
    try:
        yield "win" if solve(graph).nim_sum else "lose"
    except CycleError as error:
        raise source.error(str(error)) from error


def _words_of_first_line(source: Source) -> int:
    """Return how many words the first line has, of those that have any before a comment."""
    lines = (line.split() for line in source.peek(_HEAD).splitlines())
    counts = (sum(1 for _ in takewhile(lambda word: word[:1] not in (b"#", b"%"), words)) for words in lines)
    return next(filter(None, counts), 0)
