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
from typing import NamedTuple, TextIO

import numpy as np

from graphgame.errors import LimitError, Message, ParseError, plural
from graphgame.graph.gamegraph import GameGraph
from graphgame.graph.rows import MAX_VERTICES
from graphgame.io.files import PathLike, ReadProgress, Source
from graphgame.io.interchange import numbered
from graphgame.io.scanner import Numbers

LARGEST = 10**18 - 1
"""The largest number that an input may contain."""

MOST = 10**7
"""The maximum number of numbers in a case that begins with their count."""

_ALL = 2**62
"""A count of numbers that no input reaches."""

_NUMBER = Message("a number")


class CaseReader:
    r"""Read cases of numbers that are separated by any white space, one block of the input at a time.

    Examples
    --------
    >>> reader = CaseReader(Source(b"2\n3 4\n"))
    >>> reader.numbers(reader.number("how many"), "a heap"), reader.ended()
    ([3, 4], True)
    """

    def __init__(self, source: Source) -> None:
        self._numbers = Numbers(source)
        self._values: list[int] = []
        self._at = 0

    def ended(self, what: str = _NUMBER) -> bool:
        """Return True if the input ends here, False if a number follows; ``what`` is a noun for this number.

        Raise a ParseError if anything else follows: the message says that ``what`` was expected.
        """
        return self._at == len(self._values) and not self._advance(what)

    def number(self, what: str, least: int = 0, most: int = LARGEST) -> int:
        """Return the next number.

        Raise a ParseError if the input ends, or if the number is not from ``least`` to ``most``. The message calls the
        number ``what``.
        """
        return self.numbers(1, what, least, most)[0]

    def numbers(self, count: int, what: str, least: int = 0, most: int = LARGEST) -> list[int]:
        """Return the next ``count`` numbers.

        Raise a ParseError if fewer numbers follow, or if one of them is not from ``least`` to ``most``. The message
        calls a number ``what``: for example "a heap".
        """
        numbers: list[int] = []
        while len(numbers) < count:
            if self._at == len(self._values) and not self._advance(what):
                raise self._numbers.error_at_end(Message("the input ends too early: expected {what}", what))
            part = self._values[self._at : self._at + count - len(numbers)]
            if min(part) < least or max(part) > most:
                raise self._out_of_bounds(part, what, least, most)
            self._at += len(part)
            numbers += part
        return numbers

    def cases(self) -> Iterator[int]:
        """Read the number of cases n, and yield 1, 2, ..., n; after each the caller must read a case.

        Raise a ParseError if a number follows the last case.
        """
        count = self.number(Message("the number of cases"))
        yield from range(1, count + 1)
        self.finish(Message("the input announces {cases}", plural(count, "case")))

    def counted_cases(self, what: str, least: int = 0, most: int = LARGEST) -> Iterator[list[int]]:
        """Read the number of cases; for each case read a count n, and yield a list of the next n numbers.

        The numbers are checked as by :meth:`numbers`.
        """
        for _ in self.cases():
            yield self.counted(what, least, most)

    def counted(self, what: str, least: int = 0, most: int = LARGEST) -> list[int]:
        """Read a count n, at most 10**7, and return the next n numbers, checked as by :meth:`numbers`."""
        return self.numbers(self.number(Message("the size of a case"), most=MOST), what, least, most)

    def finish(self, reason: str) -> None:
        """Raise a ParseError if a number follows; ``reason`` is the end of its message: why no number should follow."""
        if not self.ended():
            self._at += 1
            raise self.error(Message("expected the end of the input: {reason}", reason))

    def error(self, message: str, back: int = 1) -> ParseError:
        """Return an error that points at the last number read; with ``back`` 2 at the number before it, and so on.

        If that number is no longer in memory, the error points at the last number read.
        """
        index = self._at - (back if back <= self._at else 1)
        return self._numbers.error(message, len(self._values) - index)

    # Not inside ``numbers``: there, the generator expression would make ``least`` and ``most`` slow closure variables.
    def _out_of_bounds(self, part: list[int], what: str, least: int, most: int) -> ParseError:
        index = next(index for index, value in enumerate(part) if not least <= value <= most)
        self._at += index + 1
        bounds = f"{least} or more" if most == LARGEST else f"{least}..{most}"
        return self.error(Message("{what} is {number!r}: expected {bounds}", what, part[index], bounds))

    def _advance(self, what: str) -> bool:
        """Read the next block of numbers; return False if there are none. Errors say that ``what`` was expected."""
        self._numbers.expected = what
        self._values = self._numbers.take(_ALL).tolist()
        self._at = 0
        return bool(self._values)


class JudgeCase(NamedTuple):
    """A graph and the queries about it.

    Attributes
    ----------
    graph : GameGraph
        The positions are 0..n-1. Its ``tokens`` are those of the first query; None if there are no queries.
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
        Called as ``progress(bytes_done, bytes_total)``; the total is None for a stream.
    max_bytes : int, optional
        The largest number of bytes that the file may hold after decompression; see :func:`graphgame.read_game`.

    Yields
    ------
    JudgeCase

    Raises
    ------
    ParseError
        The file does not follow the format.
    LimitError
        The file has more bytes than allowed, or a graph has too many vertices.

    Notes
    -----
    The file is read in blocks of 1 MiB, as the caller needs cases, so a stream need not end. A case is yielded only
    when its whole block has arrived.
    """
    with Source(path, progress=progress, max_bytes=max_bytes) as source:
        yield from read_cases(source)


def read_cases(source: Source) -> Iterator[JudgeCase]:
    """Yield the cases of a source; see :func:`read_judge_cases`."""
    source.refuse_empty(Message("a number of vertices"))
    reader = CaseReader(source)
    while not reader.ended(Message("a number of vertices")):
        yield _case(reader)


def read(source: Source) -> GameGraph:
    """Return the graph of a file with one case; raise ParseError if it has no case or several."""
    cases = read_cases(source)
    first = next(cases, None)
    if first is None:
        raise source.error("the file holds no numbers: expected a number of vertices")
    if next(cases, None) is not None:
        raise source.error(
            "the file holds several cases: expected one graph (graphgame judge chess answers all of them, "
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


def _case(reader: CaseReader) -> JudgeCase:
    vertices = reader.number(Message("the number of vertices"))
    if vertices > MAX_VERTICES:
        sizes = vertices, MAX_VERTICES
        fault = Message(
            "the graph has {vertices} vertices, but 32-bit vertex numbers allow at most {max_vertices}", *sizes
        )
        raise LimitError(str(reader.error(fault)))
    last = vertices - 1
    source, target = array("i"), array("i")
    for vertex in range(vertices):
        count = reader.number(Message("the number of options of vertex {vertex}", vertex))
        target.extend(reader.numbers(count, Message("an option of vertex {vertex}", vertex), most=last))
        source.extend([vertex] * count)
    queries: list[tuple[int, ...]] = []
    while count := reader.number(Message("the number of tokens of a query (0 after the last query)")):
        queries.append(tuple(reader.numbers(count, Message("the vertex of a token"), most=last)))
    tokens = queries[0] if queries else None
    graph = GameGraph.from_arrays(np.array(source, np.int32), np.array(target, np.int32), vertices, tokens=tokens)
    return JudgeCase(graph, queries)
