"""Tokens on a graph: the game of the token file, and the queries of the judge form."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import takewhile

import numpy as np

from graphgame.cli.judging.registry import answered
from graphgame.errors import CycleError, Message
from graphgame.io import judge, tokenfile
from graphgame.io.files import Source
from graphgame.solution import solution_of

_HEAD = 1 << 16


@answered(
    title=Message(
        "Tokens on a graph, as a token file; or as the problem chess, if the first line has not three numbers"
    ),
    input=Message("N M K; M edges x y; the K tokens' vertices, of 1..N"),
    output=Message("win if the first player wins, else lose"),
)
def _tokens(source: Source) -> Iterator[str]:
    return _token_file(source) if _words_of_first_line(source) == 3 else _chess(source)


@answered(
    "poj-2425",
    "hdu-1524",
    title=Message("A Chess Game: tokens on a graph, with queries"),
    input=Message(
        "to the end of the file: n; for each vertex 0..n-1 a count and its successors; queries m v1..vm until 0"
    ),
    output=Message("WIN or LOSE for each query"),
)
def _chess(source: Source) -> Iterator[str]:
    for number, case in enumerate(judge.read_cases(source), 1):
        try:
            values = solution_of(case.graph).grundy.array
        except CycleError as error:
            raise source.error(Message("case {number}: {error}", number, error)) from error
        for query in case.queries:
            yield "WIN" if np.bitwise_xor.reduce(values[list(query)]) else "LOSE"


def _token_file(source: Source) -> Iterator[str]:
    graph = tokenfile.read(source)
    try:
        yield "win" if solution_of(graph).nim_sum else "lose"
    except CycleError as error:
        raise source.error(str(error)) from error


def _words_of_first_line(source: Source) -> int:
    """Return how many words the first line has, of those that have any before a comment."""
    lines = (line.split() for line in source.peek(_HEAD).splitlines())
    counts = (sum(1 for _ in takewhile(lambda word: word[:1] not in (b"#", b"%"), words)) for words in lines)
    return next(filter(None, counts), 0)
