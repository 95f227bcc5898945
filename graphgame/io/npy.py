"""NumPy's ``.npy``: an array of integers of shape (m, 2), a position and one of its options in each row.

Arrays are read and written in blocks; nothing is pickled, and no header's claim is believed.

The integers lie in 0..2**63-1, in any width and byte order; one that no row holds is no position. Parallel edges count
once.
Positions without edges, tokens and sums have no place in such an array: ``.npz`` holds them.

Examples
--------
>>> import pathlib, tempfile
>>> import numpy as np
>>> from graphgame.io import read_game
>>> path = pathlib.Path(tempfile.mkdtemp(), "edges.npy")
>>> np.save(path, np.array([[5, 2], [5, 9]]))
>>> sorted(read_game(path).edges)
[(5, 2), (5, 9)]
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterable, Iterator
from typing import IO, BinaryIO, Protocol

import numpy as np

from graphgame.errors import FormatError, Message, ParseError
from graphgame.graph.gamegraph import GameGraph
from graphgame.io.edge_stores import IntegerEdges
from graphgame.io.edges import edge_arrays, isolated
from graphgame.io.files import Source
from graphgame.io.interchange import integer_array

_ENTRIES = 1 << 17
_BYTES = 1 << 26
_LARGEST = 2**63 - 1
_ENTRIES_A_BYTE = 8


class _Readable(Protocol):
    def read(self, size: int, /) -> bytes: ...


class ArrayReader:
    """An array that is read from a stream, from its first entry to its last; errors call it ``name`` in the source.

    A ParseError tells that its header is none, or that it holds Python objects.
    """

    def __init__(self, file: _Readable, source: Source, name: str = Message("the array")) -> None:
        self._file = file
        self._source = source
        self._name = name
        self._taken = 0
        self.shape, self.fortran_order, self.dtype = self._header()
        if self.dtype.kind not in "iubU" or min(self.shape, default=0) < 0:
            raise self.error(
                Message("holds {dtype} in the shape {shape}: expected integers", str(self.dtype)[:60], self.shape)
            )

    def room(self) -> int:
        """Return for how many entries to make room: no more than the file can be thought to hold."""
        return min(math.prod(self.shape), _ENTRIES_A_BYTE * (self._source.size or _ENTRIES))

    def blocks(self, count: int | None = None) -> Iterator[np.ndarray]:
        """Yield the next entries, by default all, in arrays of one dimension and a bounded size."""
        left = math.prod(self.shape) if count is None else count
        while left:
            size = min(left, _ENTRIES, max(1, _BYTES // max(1, self.dtype.itemsize)))
            data = self._bytes(size * self.dtype.itemsize)
            if len(data) < size * self.dtype.itemsize:
                found = self._taken + len(data) // max(1, self.dtype.itemsize)
                raise self.error(
                    Message("has the shape {shape}, but the file ends after {found} entries", self.shape, found)
                )
            yield np.frombuffer(data, self.dtype)
            self._taken += size
            left -= size

    def integers(self, count: int | None = None, least: int = 0) -> Iterator[np.ndarray]:
        """Yield the next entries as :meth:`blocks` does, each in least..2**63-1."""
        self.check_integers()
        for values in self.blocks(count):
            if not least <= int(values.min()) <= int(values.max()) <= _LARGEST:
                wrong = int(np.argmax((values < least) | (values > _LARGEST)))
                raise self.error(
                    Message(
                        "has the entry {entry}{place}: expected {least}..2**63-1",
                        values[wrong],
                        self._place(wrong),
                        least,
                    )
                )
            yield values

    def vector(self, kinds: str) -> np.ndarray:
        """Return the whole array, of one dimension and one of these kinds of dtype."""
        self.check_vector()
        if self.dtype.kind not in kinds:
            raise self.error(Message("holds {dtype}: expected {kinds}", self.dtype, _KINDS[kinds]))
        parts = list(self.integers() if self.dtype.kind in "iu" else self.blocks())
        return np.concatenate(parts) if parts else np.empty(0, self.dtype)

    def check_integers(self) -> None:
        """Raise a ParseError where the array holds something else."""
        if self.dtype.kind not in "iu":
            raise self.error(Message("holds {dtype}: expected integers", self.dtype))

    def check_vector(self) -> None:
        """Raise a ParseError where the array has not one dimension."""
        if len(self.shape) != 1:
            raise self.error(Message("has the shape {shape}: expected one dimension", self.shape))

    def error(self, message: str) -> ParseError:
        """Return an error about this array."""
        return self._source.error(Message("{array} {fault}", self._name, message))

    def _header(self) -> tuple[tuple[int, ...], bool, np.dtype]:
        headers = {(1, 0): np.lib.format.read_array_header_1_0, (2, 0): np.lib.format.read_array_header_2_0}
        try:
            with warnings.catch_warnings(action="ignore"):  # of the headers that Python 2 wrote, which are read as well
                version = np.lib.format.read_magic(self._file)  # type: ignore[arg-type]
                shape, fortran_order, dtype = headers[version](self._file)  # type: ignore[arg-type]
        except (ParseError, FileNotFoundError, IsADirectoryError, PermissionError):
            raise
        except KeyError:
            raise self.error("has fields: expected integers") from None
        except Exception as error:
            raise self.error(Message("is not in NumPy's format: {error}", str(error)[:200])) from None
        return shape, fortran_order, dtype

    def _bytes(self, size: int) -> bytes:
        parts = []
        while size and (part := self._file.read(size)):
            parts.append(part)
            size -= len(part)
        return b"".join(parts)

    def _place(self, index: int) -> str:
        entry = self._taken + index
        if len(self.shape) == 2 and not self.fortran_order:
            return Message(" in row {entry}", entry // self.shape[1])
        return Message(" in row {entry}", entry % self.shape[0])


_KINDS = {"iu": "integers", "b": Message("true or false"), "iuU": Message("integers or strings")}


def write_array(stream: IO[bytes], blocks: Iterable[np.ndarray], shape: tuple[int, ...], dtype: str) -> None:
    """Write an array that comes in blocks, in the order of C.

    Examples
    --------
    >>> import io
    >>> file = io.BytesIO()
    >>> write_array(file, [np.array([1, 2]), np.array([3])], (3,), "<i8")
    >>> _ = file.seek(0)
    >>> np.load(file)
    array([1, 2, 3])
    """
    np.lib.format.write_array_header_1_0(stream, {"descr": dtype, "fortran_order": False, "shape": shape})
    for block in blocks:
        stream.write(np.ascontiguousarray(block, dtype).tobytes())


def read(source: Source) -> GameGraph:
    """Read an array of edges: 8 bytes an edge, 16 where they need more than 32 bits."""
    array = ArrayReader(source, source)
    if len(array.shape) != 2 or array.shape[1] != 2:
        raise source.error(
            Message("an array of shape {shape}: expected (m, 2), a source and a target in each row", array.shape)
        )
    edges = IntegerEdges(None, array.room() // 2)
    if array.fortran_order:
        starts = np.concatenate([np.empty(0, np.int64), *array.integers(array.shape[0])])
        done = 0
        for ends in array.integers(array.shape[0]):
            edges.append(starts[done : done + len(ends)], ends)
            done += len(ends)
    else:
        for values in array.integers():
            edges.add(values)
    if source.read(1):
        raise array.error(Message("has the shape {shape}, but the file goes on after it", array.shape))
    return GameGraph.from_arrays(*edges.numbered(), overwrite=True)


def write(graph: GameGraph, stream: BinaryIO) -> None:
    """Write an array of edges."""
    positions = integer_array(graph.labels)
    if positions is None or positions.min(initial=0) < 0:
        raise FormatError("the npy format holds positions that are integers in 0..2**63-1: relabel, or write npz")
    if graph.tokens or isolated(graph):
        what = "tokens" if graph.tokens else Message("positions without edges")
        raise FormatError("the npy format has no place for {what}: write npz", what)
    rows = (positions[np.column_stack(ends)] for ends in edge_arrays(graph))
    write_array(stream, rows, (graph.number_of_edges(), 2), "<i8")
