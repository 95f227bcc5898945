r"""The format of online judges: graphs and queries about them, case after case to the end of the file.

::

    n
    k s1 .. sk     (for each vertex 0..n-1: the number of its options, and the options)
    ...
    m v1 .. vm     (for each query: the number of tokens, and their vertices)
    ...
    0              (ends the queries of this graph)

Numbers are separated by any white space. ``#`` and ``%`` begin comments, as in a token file. A file with one case can
be read as a game graph; its tokens are those of the first query.

Examples
--------
>>> from graphgame.io import parse_game
>>> G = parse_game("4\n2 1 2\n0\n1 3\n0\n1 0\n2 0 2\n0\n", "judge")
>>> sorted(G.edges), G.tokens
([(0, 1), (0, 2), (2, 3)], (0,))
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple, TextIO

import numpy as np

from graphgame.errors import LimitError, Message, plural
from graphgame.graph.gamegraph import GameGraph
from graphgame.graph.rows import MAX_VERTICES
from graphgame.io.files import PathLike, ReadProgress, Source
from graphgame.io.interchange import numbered
from graphgame.io.scanner import Numbers


class JudgeCase(NamedTuple):
    """A graph and the queries about it.

    Attributes
    ----------
    graph : GameGraph
        The positions are 0..n-1, and the tokens are those of the first query.
    queries : list of tuple of int
        The tokens of each query.
    """

    graph: GameGraph
    queries: list[tuple[int, ...]]


def read_judge_cases(
    path: PathLike, *, progress: ReadProgress | None = None, max_bytes: int | None = None
) -> Iterator[JudgeCase]:
    """Yield the cases of a file in the format of online judges.

    Parameters
    ----------
    path : str or os.PathLike
        ``-`` is standard input.
    progress : callable, optional
        Called as ``progress(bytes_done, bytes_total)``.
    max_bytes : int, optional
        The most bytes that the file may have; see :func:`graphgame.read_game`.

    Yields
    ------
    JudgeCase

    Raises
    ------
    ParseError
        The file does not follow the format.
    LimitError
        The file has more bytes than allowed.

    Notes
    -----
    A case is read only when the caller needs it, so a stream need not end.
    """
    with Source(path, progress=progress, max_bytes=max_bytes) as source:
        yield from read_cases(source)


def read_cases(source: Source) -> Iterator[JudgeCase]:
    """Yield the cases of a source; see :func:`read_judge_cases`."""
    source.refuse_empty(Message("a number of vertices"))
    numbers = Numbers(source)
    numbers.expected = Message("a number of vertices")
    stream = iter(numbers)
    for vertices in stream:
        yield _case(numbers, stream, vertices)
        numbers.expected = Message("a number of vertices")


def read(source: Source) -> GameGraph:
    """Return the graph of a file with one case."""
    cases = read_cases(source)
    first = next(cases, None)
    if first is None:
        raise source.error("the file holds no numbers: expected a number of vertices")
    if next(cases, None) is not None:
        raise source.error(
            "the file holds several cases: expected one graph (graphgame judge tokens answers all of them, "
            "read_judge_cases reads them)"
        )
    return first.graph


def write(graph: GameGraph, stream: TextIO) -> None:
    """Write one case, with one query if the graph has tokens."""
    graph = numbered(graph, 0)
    tokens = [graph.number_of(token) for token in graph.tokens or ()]
    rows = (graph.option_rows.row(vertex).tolist() for vertex in range(len(graph)))
    stream.write(f"{len(graph)}\n")
    stream.writelines(_line(row) for row in rows)
    if tokens:
        stream.write(_line(tokens))
    stream.write("0\n")


def _line(row: list[int]) -> str:
    return " ".join(map(str, [len(row), *row])) + "\n"


def _case(numbers: Numbers, stream: Iterator[int], vertices: int) -> JudgeCase:
    """Read the rest of a case; its number of ``vertices`` has been read."""
    if vertices < 0:
        raise numbers.error(Message("the number of vertices is {vertices}: expected 0 or more", vertices))
    if vertices > MAX_VERTICES:
        sizes = vertices, MAX_VERTICES
        fault = Message("the graph has {vertices} vertices, but a graph in memory holds at most {max_vertices}", *sizes)
        raise LimitError(str(numbers.error(fault)))
    source, target = array("i"), array("i")
    for vertex in range(vertices):
        count = _count(numbers, stream, Message("the number of options of vertex {vertex}", vertex))
        promise = Message("vertex {vertex} has {options}", vertex, plural(count, "option"))
        target.extend(_vertices(numbers, stream, count, vertices, promise))
        source.extend([vertex] * count)
    queries: list[tuple[int, ...]] = []
    while count := _count(numbers, stream, Message("a query, or 0 after the last")):
        promise = Message("the query has {tokens}", plural(count, "token"))
        queries.append(tuple(_vertices(numbers, stream, count, vertices, promise)))
    tokens = queries[0] if queries else None
    graph = GameGraph.from_arrays(np.array(source, np.int32), np.array(target, np.int32), vertices, tokens=tokens)
    return JudgeCase(graph, queries)


def _count(numbers: Numbers, stream: Iterator[int], expected: str) -> int:
    """Return the next number, which must be 0 or more; ``expected`` names it in error messages."""
    numbers.expected = expected
    count = next(stream, None)
    if count is None:
        raise numbers.error_at_end(Message("the file ends early: expected {expected}", expected))
    if count < 0:
        raise numbers.error(Message("expected {expected}, found {count}", expected, count))
    return count


def _vertices(numbers: Numbers, stream: Iterator[int], count: int, vertices: int, promise: str) -> list[int]:
    """Return the next ``count`` numbers, each of which must be a vertex below ``vertices``.

    ``promise`` says why these numbers are expected, for the message if the file ends before: "vertex 3 has 2 options".
    """
    numbers.expected = Message("a vertex {bounds}", f"0..{vertices - 1}")
    read = []
    for number in islice(stream, count):
        if not 0 <= number < vertices:
            raise numbers.error(Message("vertex {number}: expected 0..{vertices}", number, vertices - 1))
        read.append(number)
    if len(read) < count:
        raise numbers.error_at_end(Message("{promise}, but the file ends after {count}", promise, len(read)))
    return read
