r"""The token file: a directed graph and the vertices on which tokens stand.

::

    N M K
    x y            (M edges, from x to y)
    ...
    v1 v2 .. vK    (the vertices of the K tokens)

The vertices are 1..N, with or without edges. Numbers are split at any white space, so a line may end after any number.
Repeated edges count once, and two tokens may stand on one vertex. A ``#`` or ``%`` at the start of a line or after
white space begins a comment, which ends with the line.

A number has at most 18 digits. A graph has at most 2**31 - 2 vertices, and at most 10 million plus 10 for each byte of
the file, so that a short file cannot claim all memory.

Examples
--------
>>> from graphgame.io import parse_game
>>> G = parse_game("4 3 2\n1 2\n2 3\n1 3\n1 4\n", "token")
>>> sorted(G.edges), sorted(G), G.tokens
([(1, 2), (1, 3), (2, 3)], [1, 2, 3, 4], (1, 4))
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import NamedTuple, Protocol, TextIO, TypeVar

import numpy as np

from graphgame.compiled.engine import BackgroundWriter
from graphgame.errors import LimitError, Message, plural
from graphgame.graph.gamegraph import GameGraph
from graphgame.graph.labels import as_labels
from graphgame.graph.rows import MAX_VERTICES
from graphgame.io.edges import EdgeBlock, EdgeLine, edge_arrays, edge_lines
from graphgame.io.interchange import numbered
from graphgame.io.scanner import Columns, Numbers
from graphgame.io.source import BLOCK, Source

_LEAST_BYTES_AN_EDGE = 4


def read(source: Source) -> GameGraph:
    """Read a token file, in time O(size)."""
    # Make room for the edges that the header claims, but for no more than the file can hold (for a pipe: ``BLOCK``).
    most = BLOCK if source.size is None else source.size // _LEAST_BYTES_AN_EDGE
    columns, vertices, tokens = scan(source, lambda _, edges: Columns(min(edges, most)))
    return GameGraph.from_arrays(*columns.finish(), range(1, vertices + 1), tokens=tokens, overwrite=True)


def write(graph: GameGraph, stream: TextIO) -> None:
    """Write a graph as a token file; raise a FormatError if its positions are not 1..N."""
    graph = numbered(graph, 1)
    tokens = [graph.number_of(token) + 1 for token in graph.tokens or ()]
    write_edge_lines(edge_arrays(graph), (len(graph), graph.number_of_edges()), tokens, stream)


def write_edge_lines(
    blocks: Iterable[tuple[np.ndarray, np.ndarray]], size: tuple[int, int], tokens: Sequence[int], stream: TextIO
) -> None:
    """Write a token file.

    ``blocks`` has pairs of arrays, the sources and the targets of edges, as vertices counted from 0. ``size`` has two
    numbers: of vertices, and of edges. ``tokens`` are vertices counted from 1.
    """
    stream.write(" ".join(map(str, (*size, len(tokens)))) + "\n")
    edges = (EdgeBlock(*ends) for ends in blocks)
    stream.writelines(edge_lines(edges, as_labels(range(1, size[0] + 1)), EdgeLine("", " ", ["\n"]), sum(size)))
    if tokens:
        stream.write(" ".join(map(str, tokens)) + "\n")


class _Header(NamedTuple):
    vertices: int
    edges: int
    tokens: int


_QUANTITIES = (
    Message("the number N of vertices in the header 'N M K'"),
    Message("the number M of edges in the header 'N M K'"),
    Message("the number K of tokens in the header 'N M K'"),
)


class Ends(Protocol):
    """A store of edges between the vertices 0 to N - 1; its length is the number of sources plus that of targets."""

    def __len__(self) -> int: ...
    def extend(self, values: np.ndarray, /) -> None:
        """Append sources and targets alternately, counted from 0; an edge may begin in one call and end in the next."""


Store = TypeVar("Store", bound=Ends)


def scan(source: Source, store: Callable[[int, int], Store]) -> tuple[Store, int, list[int]]:
    """Read a token file into a store of edges; return the store, the number of vertices, and the tokens.

    ``store(N, M)`` makes the store for the N vertices and M edges of the header. The tokens are vertices counted from
    1, but the store counts vertices from 0.
    """
    source.refuse_empty(Message("the header 'N M K', the numbers of vertices, edges and tokens"))
    numbers = Numbers(source, ahead=True)
    header = _Header(*(_header_number(numbers, quantity) for quantity in _QUANTITIES))
    ends = store(header.vertices, header.edges)
    # A background thread stores a block while the next ones are scanned.
    with BackgroundWriter() as storing:
        for part in _vertices(numbers, 2 * header.edges, header):
            storing.do(partial(ends.extend, part))
    tokens: list[int] = []
    for part in _vertices(numbers, header.tokens, header):
        tokens += (part + 1).tolist()
    _check_end(numbers, header, len(ends), len(tokens))
    source.refuse_claim(header.vertices)
    return ends, header.vertices, tokens


def _header_number(numbers: Numbers, quantity: Message) -> int:
    numbers.expected = quantity
    taken = numbers.take(1)
    if len(taken) == 0:
        raise numbers.error_at_end(Message("the file ends within its header: expected {quantity}", quantity))
    count = int(taken[0])
    if count < 0:
        raise numbers.error(Message("{quantity} is {count}: expected 0 or more", quantity, count))
    if quantity is _QUANTITIES[0] and count > MAX_VERTICES:
        fault = Message(
            "the graph has {vertices} vertices, but 32-bit vertex numbers allow at most {max_vertices}",
            count,
            MAX_VERTICES,
        )
        raise LimitError(str(numbers.error(fault)))
    return count


def _vertices(numbers: Numbers, count: int, header: _Header) -> Iterator[np.ndarray]:
    """Yield the next ``count`` vertices in arrays; fewer if the file ends.

    The file counts vertices from 1, the arrays from 0. Raise a ParseError for a vertex outside the header's 1..N.
    """
    numbers.expected = Message("a vertex from 1 to {vertices}", header.vertices)
    while count and len(taken := numbers.take(count)):
        taken -= 1
        from_zero = taken.view(np.uint64)  # A negative number, read as unsigned, is larger than any vertex.
        if from_zero.max() >= header.vertices:
            wrong = int(np.argmax(from_zero >= header.vertices))
            fault = Message(
                "there is no vertex {vertex}: expected a number from 1 to {vertices}", taken[wrong] + 1, header.vertices
            )
            if taken[wrong] == -1:
                fault = Message(
                    "there is no vertex 0: expected a number from 1 to {vertices}, because a token file counts "
                    "vertices from 1 (for a file in the judge form, which counts from 0, use --format judge)",
                    header.vertices,
                )
            raise numbers.error(fault, len(taken) - wrong)
        yield taken
        count -= len(taken)


def _check_end(numbers: Numbers, header: _Header, ends: int, tokens: int) -> None:
    """Raise a ParseError if the file has fewer or more numbers than the header says.

    ``ends`` is the number of sources and targets that were read, ``tokens`` the number of tokens.
    """
    promised = plural(header.edges, "edge"), plural(header.tokens, "token")
    if ends == 2 * header.edges and tokens < header.tokens:
        fault = Message(
            "the header promises {edges} and {tokens}, but the file ends after {found} of the tokens", *promised, tokens
        )
        raise numbers.error_at_end(fault)
    if ends < 2 * header.edges and header.tokens == 0:
        counts = promised[0], plural(ends // 2, "edge")
        raise numbers.error_at_end(Message("the header promises {edges}, but the file ends after {found}", *counts))
    if ends < 2 * header.edges:
        fault = Message(
            "the header promises {edges} and {tokens}, which are {numbers} numbers, but only {found} numbers follow "
            "the header",
            *promised,
            2 * header.edges + header.tokens,
            ends,
        )
        raise numbers.error_at_end(fault)
    numbers.expected = Message("the end of the file, because the header promises {edges} and {tokens}", *promised)
    if len(surplus := numbers.take(1)):
        raise numbers.error(Message("expected {expected}, found {found}", numbers.expected, surplus[0]))
