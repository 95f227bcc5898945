r"""Read and write NumPy's ``.npy`` and ``.npz``: arrays of edges, the arrays of a graph, or a sparse matrix of SciPy.

Arrays are read and written in blocks. Nothing is ever unpickled, and a header that claims too many entries does not
make the reader reserve memory for them. Integers may have any width and byte order, and are in 0..2**63-1 (except in
``decided``). Parallel edges count once, except those that start at a sum vertex.

``.npy``
--------
An array of integers of shape (m, 2), with a position and one of its options in each row. The positions are those that
occur in a row. The file cannot have tokens, sums, decided positions, or positions without edges; ``.npz`` can.

``.npz``
--------
``source``, ``target``
    integers, shape (m,): edge e goes from the position ``source[e]`` to the position ``target[e]``;
``vertices`` (optional)
    all positions, shape (n,), each once, as integers or strings. With strings, ``source``, ``target`` and ``tokens``
    have indices into this array instead of positions. Without this array, the positions are those that have edges;
``tokens`` (optional)
    integers, shape (k,): the positions of the tokens;
``sums`` (optional, only with ``vertices``)
    true or false, shape (n,): whether each vertex is a sum vertex;
``decided`` (optional, only with ``vertices``)
    signed integers, shape (n,): -2 if the player who just moved has won, -3 if that player has lost, 0 if the position
    is not decided.

If a position is not a signed integer of 64 bits, all positions are written as their ``str``; otherwise none of them may
be negative. Arrays with other names are ignored.

An ``.npz`` file may also be a sparse matrix that ``scipy.sparse.save_npz`` wrote, of shape (n, n) and any format. Its
positions are 0..n-1, and each entry that is not 0, in row i and column j, is an edge from i to j.

Examples
--------
>>> import pathlib, tempfile
>>> import numpy as np
>>> from graphgame.io import read_game
>>> path = pathlib.Path(tempfile.mkdtemp(), "edges.npy")
>>> np.save(path, np.array([[5, 2], [5, 9]]))
>>> sorted(read_game(path).edges)
[(5, 2), (5, 9)]
>>> path = path.with_suffix(".npz")
>>> np.savez(path, source=[5, 5], target=[2, 9], vertices=[2, 5, 7, 9], tokens=[5])
>>> G = read_game(path)
>>> list(G), sorted(G.edges), G.tokens
([2, 5, 7, 9], [(5, 2), (5, 9)], (5,))
"""

from __future__ import annotations

import math
import traceback
import warnings
import zipfile
from collections.abc import Hashable, Iterable, Iterator
from types import SimpleNamespace
from typing import IO, BinaryIO

import numpy as np

from graphgame.errors import FormatError, Message, ParseError, needs_extra
from graphgame.graph.gamegraph import GameGraph
from graphgame.graph.labels import Labels, as_labels
from graphgame.io.edge_stores import IntegerEdges
from graphgame.io.edges import edge_arrays, isolated
from graphgame.io.files import Source
from graphgame.io.interchange import unique_texts
from graphgame.labs.formats.exchange import matrix_arrays
from graphgame.labs.formats.positions import integer_array, is_increasing

_MAX_ENTRIES_OF_BLOCK = 1 << 17
_MAX_BYTES_OF_BLOCK = 1 << 26
_MAX_POSITION = 2**63 - 1
_MIN_DECIDED = -3
_MAX_ENTRIES_PER_BYTE = 8
"""A high estimate of the entries in a byte of a file. It limits the memory that is reserved before reading."""

_MAX_BYTES_OF_TEXTS = 1 << 30
_ARRAYS_OF_MATRIX = {"format", "shape", "data"}
_KINDS_OF_MATRIX = dict.fromkeys(("shape", "row", "col", "coords", "indices", "indptr", "offsets"), "iu")
_KINDS_OF_MATRIX |= dict.fromkeys(("format", "_is_array", "data"), "iubUfcS")


class ArrayReader:
    """Reads an array from a stream, from its first entry to its last.

    ``file`` is the stream; errors name the file ``source``, and call the array ``name``. ``kinds`` has the letters of
    the allowed NumPy types, such as "iu" for integers. ``dimensions`` is the required number of dimensions, or None for
    any. Raises ParseError if the header is damaged, or if the type or the number of dimensions is not allowed.
    """

    def __init__(
        self,
        file: IO[bytes] | Source,
        source: Source,
        name: str = Message("the array"),
        kinds: str = "iu",
        dimensions: int | None = 1,
    ) -> None:
        self._file = file
        self._source = source
        self._name = name
        self._entries_read = 0
        self.shape, self.fortran_order, self.dtype = self._header()
        if self.dtype.kind not in "iubU" + kinds or min(self.shape, default=0) < 0:
            raise self.error(
                "has the type {dtype} and the shape {shape}: expected {kinds}",
                str(self.dtype)[:60],
                self.shape,
                _KINDS[kinds],
            )
        if dimensions not in (None, len(self.shape)):
            raise self.error("has the shape {shape}: expected one dimension", self.shape)
        if self.dtype.kind not in kinds:
            raise self.error("holds {dtype}: expected {kinds}", self.dtype, _KINDS[kinds])

    def refuse_missing(self, size: int) -> None:
        """Raise a ParseError if an array of the shape in the header takes more than ``size`` bytes."""
        if math.prod(self.shape) * self.dtype.itemsize > size:
            raise self._short(size // self.dtype.itemsize)

    def room(self) -> int:
        """Return how many entries to reserve memory for: all, but no more than the file is likely to hold."""
        return min(math.prod(self.shape), _MAX_ENTRIES_PER_BYTE * (self._source.size or _MAX_ENTRIES_OF_BLOCK))

    def blocks(self, count: int | None = None) -> Iterator[np.ndarray]:
        """Yield the next ``count`` entries, in one-dimensional arrays of bounded size.

        By default ``count`` is the number of all entries of the array: then none may have been read before.

        Raises ParseError if the file ends before the last entry.
        """
        left = math.prod(self.shape) if count is None else count
        itemsize = self.dtype.itemsize
        while left:
            size = min(left, _MAX_ENTRIES_OF_BLOCK, max(1, _MAX_BYTES_OF_BLOCK // max(1, itemsize)))
            data = self._bytes(size * itemsize)
            if len(data) < size * itemsize:
                count_read = self._entries_read + len(data) // max(1, itemsize)
                raise self._short(count_read)
            yield np.frombuffer(data, self.dtype)
            self._entries_read += size
            left -= size

    def integers(self, count: int | None = None, least: int = 0) -> Iterator[np.ndarray]:
        """Yield the next ``count`` entries of an array of integers, by default all, as :meth:`blocks` does.

        Raises ParseError if an entry is not in ``least``..2**63-1.
        """
        for values in self.blocks(count):
            if not least <= int(values.min()) <= int(values.max()) <= _MAX_POSITION:
                wrong = int(np.argmax((values < least) | (values > _MAX_POSITION)))
                raise self.error(
                    "has the entry {entry}{place}: expected {least}..2**63-1", values[wrong], self._row(wrong), least
                )
            yield values

    def vector(self, least: int = 0) -> np.ndarray:
        """Return all entries as one array; raise ParseError if an integer is not in ``least``..2**63-1."""
        parts = self.integers(least=least) if self.dtype.kind in "iu" else self.blocks()
        return np.concatenate([np.empty(0, self.dtype), *parts])

    def error(self, message: str, *facts: object) -> ParseError:
        """Return a ParseError whose message is the name of this array, then ``message``, filled with ``facts``."""
        return self._source.error(Message("{array} {fault}", self._name, Message(message, *facts)))

    def _short(self, found: int) -> ParseError:
        return self.error("has the shape {shape}, but the file ends after {found} entries", self.shape, found)

    def _header(self) -> tuple[tuple[int, ...], bool, np.dtype]:
        headers = {(1, 0): np.lib.format.read_array_header_1_0, (2, 0): np.lib.format.read_array_header_2_0}
        try:
            # NumPy warns about headers that Python 2 wrote, but reads them correctly.
            with warnings.catch_warnings(action="ignore"):
                version = np.lib.format.read_magic(self._file)  # type: ignore[arg-type]
                shape, fortran_order, dtype = headers[version](self._file)  # type: ignore[arg-type]
        except (ParseError, FileNotFoundError, IsADirectoryError, PermissionError):
            raise
        except KeyError:
            raise self.error(
                "has named fields or an unknown .npy version: expected plain integers, as numpy.save writes them"
            ) from None
        except Exception as error:
            # The error may come from Python's parser, which NumPy calls. Do not show such a message: it is empty, or
            # has the address of an object.
            *_, (frame, _) = traceback.walk_tb(error.__traceback__)
            is_of_parser = frame.f_globals["__name__"] in ("ast", "tokenize")
            fault = Message("the header cannot be read") if is_of_parser else str(error)[:200]
            raise self.error("is not in NumPy's format: {error}", fault) from None
        return shape, fortran_order, dtype

    def _bytes(self, size: int) -> bytes:
        parts = []
        while size and (part := self._file.read(size)):
            parts.append(part)
            size -= len(part)
        return b"".join(parts)

    def _row(self, index: int) -> str:
        """Return the text " in row r": the row of the array, from 0, that has entry ``index`` of the current block."""
        entry = self._entries_read + index
        is_row_by_row = len(self.shape) == 2 and not self.fortran_order
        return Message(" in row {entry}", entry // self.shape[1] if is_row_by_row else entry % self.shape[0])


_KINDS = {
    "iu": Message("integers"),
    "i": Message("signed integers"),
    "b": Message("true or false"),
    "iuU": Message("integers or strings"),
    "iubUfcS": Message("numbers or strings"),
}


def write_array(stream: IO[bytes], blocks: Iterable[np.ndarray], shape: tuple[int, ...], dtype: str) -> None:
    """Write an array of this shape and type as an ``.npy`` file, given its entries in blocks, row by row.

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


def _read_array(source: Source) -> GameGraph:
    """Read the graph of an ``.npy`` file."""
    array = ArrayReader(source, source, dimensions=None)
    if len(array.shape) != 2 or array.shape[1] != 2:
        raise source.error(
            Message("an array of shape {shape}: expected (m, 2), a source and a target in each row", array.shape)
        )
    edges = IntegerEdges(None, array.room() // 2)
    if array.fortran_order:
        # In this order the file stores all sources first, then all targets.
        starts = np.concatenate([np.empty(0, np.int64), *array.integers(array.shape[0])])
        read = 0
        for ends in array.integers(array.shape[0]):
            edges.append(starts[read : read + len(ends)], ends)
            read += len(ends)
    else:
        for values in array.integers():
            edges.add(values)
    if source.read(1):
        raise array.error("has the shape {shape}, but the file goes on after the last entry", array.shape)
    return GameGraph.from_arrays(*edges.numbered(), overwrite=True)


def _write_edges(graph: GameGraph, positions: np.ndarray | None, stream: BinaryIO) -> None:
    """Write an ``.npy`` file. ``positions`` are the positions as integers, or None if some are not 64-bit integers.

    Raises FormatError if the graph has tokens, positions without edges, or positions that are not integers in
    0..2**63-1.
    """
    if positions is None or positions.min(initial=0) < 0:
        raise FormatError(
            "the npy format can only store positions that are integers in 0..2**63-1: relabel the positions, or "
            "write csv"
        )
    if graph.tokens or isolated(graph):
        what = "tokens" if graph.tokens else Message("positions without edges")
        raise FormatError("the npy format cannot store {what}: write npz", what)
    rows = (positions[np.column_stack(ends)] for ends in edge_arrays(graph))
    write_array(stream, rows, (graph.number_of_edges(), 2), "<i8")


def read(source: Source, kind: str = "npz") -> GameGraph:
    """Read the graph of an ``.npz`` file, or of an ``.npy`` file if ``kind`` is "npy"."""
    if kind == "npy":
        return _read_array(source)
    with source.understood(Message("an .npz file")):
        file = source.seekable()
        with zipfile.ZipFile(file) as archive:
            source.refuse_expansion(sum(member.file_size for member in archive.infolist()))
            names = {name.removesuffix(".npy"): name for name in archive.namelist()}
            if len(names) < len(archive.namelist()):
                raise source.error("two arrays have the same name: expected different names")
            if names.keys() >= _ARRAYS_OF_MATRIX:
                # Check the headers before SciPy reads the arrays: it would accept indices of any type, and reserve
                # memory for as many entries as a header says.
                for name in filter(names.__contains__, _KINDS_OF_MATRIX):
                    with archive.open(names[name]) as member:
                        array = ArrayReader(member, source, name, _KINDS_OF_MATRIX[name], dimensions=None)
                        array.refuse_missing(archive.getinfo(names[name]).file_size - member.tell())
                return _read_matrix(source, file)
            return _GraphArrays(archive, names, source).graph()


def write(graph: GameGraph, stream: BinaryIO, kind: str = "npz") -> None:
    """Write a graph as an ``.npz`` file, or as an ``.npy`` file if ``kind`` is "npy".

    Raises FormatError if the format cannot hold the positions or the tokens. For an ``.npy`` file the
    caller must check that the graph has no sum vertices and no decided positions.
    """
    positions = integer_array(graph.labels)
    if kind == "npy":
        _write_edges(graph, positions, stream)
        return
    vertices = _texts(graph.labels) if positions is None else positions
    if positions is not None and positions.min(initial=0) < 0:
        raise FormatError(
            "position {first} is negative, and the npz format cannot store negative integers: relabel the "
            "positions first",
            positions.min(),
        )
    names = np.arange(len(graph), dtype=np.int32) if positions is None else positions
    m = len(graph.option_rows.indices)
    integers = f"<i{names.dtype.itemsize}"
    # zipfile seeks back in a stream that has the methods seek and tell, but a compressed stream cannot do that. So pass
    # on only the other methods.
    forward = SimpleNamespace(write=stream.write, flush=stream.flush)
    with zipfile.ZipFile(forward, "w") as archive:
        for index, name in enumerate(("source", "target")):
            _write_member(archive, name, (names[ends[index]] for ends in edge_arrays(graph)), m, integers)
        _write_member(archive, "vertices", [vertices], len(vertices), vertices.dtype.str)
        if graph.tokens is not None:
            numbers = np.array([graph.number_of(token) for token in graph.tokens], np.int64)
            _write_member(archive, "tokens", [names[numbers]], len(numbers), integers)
        if graph.sums is not None:
            _write_member(archive, "sums", [graph.sums], len(graph), "|b1")
        if graph.decided is not None:
            _write_member(archive, "decided", [graph.decided], len(graph), "|i1")


def _write_member(archive: zipfile.ZipFile, name: str, blocks: Iterable[np.ndarray], count: int, dtype: str) -> None:
    """Write an array of one dimension with ``count`` entries to an archive, as the file ``NAME.npy``.

    The date of the file in the archive is always the same, so that the same graph always gives the same archive.
    """
    with archive.open(zipfile.ZipInfo(f"{name}.npy"), "w", force_zip64=True) as member:
        write_array(member, blocks, (count,), dtype)


def _texts(labels: Labels) -> np.ndarray:
    texts = unique_texts(labels)
    longest = max(map(len, texts))
    if 4 * longest * len(texts) > _MAX_BYTES_OF_TEXTS or any(text.endswith("\0") for text in texts):
        raise FormatError("the texts of the positions are too long for an array, or one ends in NUL: write parquet")
    return np.array(texts, f"<U{max(1, longest)}")


def _read_matrix(source: Source, file: BinaryIO) -> GameGraph:
    with needs_extra(Message("reading a sparse matrix"), "scipy"):
        from scipy.sparse import load_npz
    file.seek(0)
    matrix = load_npz(file)
    rows, columns = matrix.shape
    if rows != columns:
        raise source.error(
            Message("a matrix of shape {shape}: expected (n, n), a row and a column for each position", matrix.shape)
        )
    source.refuse_claim(rows)
    edges = matrix_arrays(matrix)
    return GameGraph.from_arrays(edges.source, edges.target, rows)


class _GraphArrays:
    """Reads a graph from the arrays in an ``.npz`` archive; ``names`` maps the name of each array to its file there.

    Raises ParseError if the archive lacks the array ``source`` or ``target``.
    """

    def __init__(self, archive: zipfile.ZipFile, names: dict[str, str], source: Source) -> None:
        self._archive = archive
        self._source = source
        self._names = names
        if not {"source", "target"} <= self._names.keys():
            in_archive = ", ".join(sorted(self._names)[:20]) or "none"
            raise source.error(
                Message("expected the arrays source and target, or a sparse matrix; found {found}", in_archive)
            )

    def graph(self) -> GameGraph:
        vertices = self._vector("vertices", "iuU")
        names: list[Hashable] | None = None
        if vertices is not None and vertices.dtype.kind == "U":
            names, vertices = vertices.tolist(), np.arange(len(vertices))
            if len(set(names)) < len(names):
                raise self._source.error("the array vertices has a string twice: expected each position once")
        source, target, integers = self._edges(
            vertices, Message("an index of the array vertices") if names else Message("an entry of the array vertices")
        )
        sums, decided = self._marks("sums", "b", vertices), self._marks("decided", "i", vertices)
        tokens = self._vector("tokens", "iu")
        for token in () if tokens is None else tokens.tolist():
            if token not in integers:
                raise self._source.error(Message("token {token} is not a position of the graph", token))
        labels = integers if names is None else as_labels(names)
        positions = None if tokens is None else [labels[integers.find(token)] for token in tokens.tolist()]
        try:
            return GameGraph.from_arrays(
                source, target, labels, sums=sums, decided=decided, tokens=positions, overwrite=True
            )
        except ValueError as error:  # ``decided`` has a wrong number, or marks a position with options or a sum.
            raise self._source.error(str(error)) from None

    def _edges(self, vertices: np.ndarray | None, expected: str) -> tuple[np.ndarray, np.ndarray, Labels]:
        """Return (sources, targets, integers): the vertex numbers of edges, and the file's integer for each vertex.

        ``vertices`` lists the integers of all vertices; it is None if the file has no such list. Raises ParseError if
        an integer of an edge is not in the list (the message says that ``expected`` was expected), if the list has an
        integer twice, or if the arrays of sources and targets differ in shape.
        """
        with self._archive.open(self._names["source"]) as first, self._archive.open(self._names["target"]) as second:
            starts, ends = ArrayReader(first, self._source, "source"), ArrayReader(second, self._source, "target")
            if starts.shape != ends.shape:
                raise self._source.error(
                    Message(
                        "source has the shape {source}, and target has the shape {target}: expected the same shape",
                        starts.shape,
                        ends.shape,
                    )
                )
            edges = IntegerEdges(None, starts.room())
            for start, end in zip(starts.integers(), ends.integers(), strict=True):
                edges.append(start, end)
        if vertices is not None:
            edges.add_vertices(vertices.astype(np.int64))
        source, target, labels = edges.numbered()
        if vertices is not None and len(labels) > len(vertices):
            listed = set(vertices.tolist())
            wrong = next(label for label in labels if label not in listed)
            raise self._source.error(Message("an edge leads from or to {wrong}: expected {expected}", wrong, expected))
        if vertices is not None and not is_increasing(vertices) and len(np.unique(vertices)) < len(vertices):
            raise self._source.error("the array vertices has a number twice: expected each position once")
        return source, target, labels

    def _marks(self, name: str, kinds: str, vertices: np.ndarray | None) -> np.ndarray | None:
        """Return the array ``name``, "sums" or "decided", sorted by vertex number; None if the file does not have it.

        ``vertices`` has the file's integer for each vertex, in the order of the file; None if the file does not list
        them. The vertex with the least integer has the number 0. ``kinds`` has the letters of the allowed NumPy types.
        Raises ParseError if the array does not have one entry for each entry of ``vertices``.
        """
        marks = self._vector(name, kinds)
        if marks is None:
            return None
        if vertices is None or len(marks) != len(vertices):
            raise self._source.error(
                Message(
                    "{name} has {count:,} entries: expected one for each entry of the array vertices", name, len(marks)
                )
            )
        sorted_marks: np.ndarray = marks[np.argsort(vertices)]
        return sorted_marks

    def _vector(self, name: str, kinds: str) -> np.ndarray | None:
        if name not in self._names:
            return None
        with self._archive.open(self._names[name]) as member:
            return ArrayReader(member, self._source, name, kinds).vector(_MIN_DECIDED if kinds == "i" else 0)
