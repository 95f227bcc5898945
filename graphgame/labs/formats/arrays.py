r"""NumPy's ``.npy`` and ``.npz``: arrays of edges, the arrays of a graph, or a sparse matrix of SciPy.

Arrays are read and written in blocks; nothing is ever unpickled, and no header's claim is believed. Integers lie in
0..2**63-1, in any width and byte order; one that no row holds is no position. Parallel edges count once, but for those
out of a sum.

``.npy``
--------
An array of integers of shape (m, 2), a position and one of its options in each row. Positions without edges, tokens and
sums have no place in it: ``.npz`` holds them.

``.npz``
--------
``source``, ``target``
    integers, shape (m,): an edge goes from the position ``source[e]`` to ``target[e]``;
``vertices`` (may be missing)
    all positions, shape (n,), each once: integers, or strings, and then the other arrays hold indices into this one in
    place of positions; without it the positions are those that have edges;
``tokens`` (may be missing)
    integers, shape (k,): the positions on which tokens stand;
``sums`` (may be missing; only with ``vertices``)
    true or false, shape (n,): which vertices are sums;
``decided`` (may be missing; only with ``vertices``)
    integers, shape (n,): -2 where the player who just moved has won, -3 where that player has lost, 0 elsewhere.

Positions of another type are written as their ``str``. Other arrays are passed over.

Or a sparse matrix as ``scipy.sparse.save_npz`` writes it, of shape (n, n) and any format: its positions are 0..n-1, and
an entry that is not 0, in row i and column j, is the edge from i to j.

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

_ENTRIES = 1 << 17
_BYTES = 1 << 26
_LARGEST = 2**63 - 1
_LEAST_DECIDED = -3
_ENTRIES_A_BYTE = 8
_LARGEST_TEXTS = 1 << 30
_MATRIX = {"format", "shape", "data"}
_INDICES = {"shape", "row", "col", "indices", "indptr", "offsets"}


class ArrayReader:
    """An array that is read from a stream, from its first entry to its last; errors call it ``name`` in the source.

    ``kinds`` are those of dtype that it may have. A ParseError tells that its header is none or says something else.
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
        self._taken = 0
        self.shape, self.fortran_order, self.dtype = self._header()
        if self.dtype.kind not in "iubU" or min(self.shape, default=0) < 0:
            raise self.error("holds {dtype} in the shape {shape}: expected integers", str(self.dtype)[:60], self.shape)
        if dimensions not in (None, len(self.shape)):
            raise self.error("has the shape {shape}: expected one dimension", self.shape)
        if self.dtype.kind not in kinds:
            raise self.error("holds {dtype}: expected {kinds}", self.dtype, _KINDS[kinds])

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
                raise self.error("has the shape {shape}, but the file ends after {found} entries", self.shape, found)
            yield np.frombuffer(data, self.dtype)
            self._taken += size
            left -= size

    def integers(self, count: int | None = None, least: int = 0) -> Iterator[np.ndarray]:
        """Yield the next entries of an array of integers as :meth:`blocks` does, each in least..2**63-1."""
        for values in self.blocks(count):
            if not least <= int(values.min()) <= int(values.max()) <= _LARGEST:
                wrong = int(np.argmax((values < least) | (values > _LARGEST)))
                raise self.error(
                    "has the entry {entry}{place}: expected {least}..2**63-1", values[wrong], self._place(wrong), least
                )
            yield values

    def vector(self, least: int = 0) -> np.ndarray:
        """Return the whole array; integers are from ``least`` on."""
        parts = list(self.integers(least=least) if self.dtype.kind in "iu" else self.blocks())
        return np.concatenate(parts) if parts else np.empty(0, self.dtype)

    def error(self, message: str, *facts: object) -> ParseError:
        """Return an error about this array."""
        return self._source.error(Message("{array} {fault}", self._name, Message(message, *facts)))

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
            raise self.error("is not in NumPy's format: {error}", str(error)[:200]) from None
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


_KINDS = {"iu": "integers", "i": "integers", "b": Message("true or false"), "iuU": Message("integers or strings")}


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


def _read_array(source: Source) -> GameGraph:
    """Read the edges of an ``.npy`` file."""
    array = ArrayReader(source, source, dimensions=None)
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
        raise array.error("has the shape {shape}, but the file goes on after it", array.shape)
    return GameGraph.from_arrays(*edges.numbered(), overwrite=True)


def _write_edges(graph: GameGraph, positions: np.ndarray | None, stream: BinaryIO) -> None:
    """Write the edges as an ``.npy`` file."""
    if positions is None or positions.min(initial=0) < 0:
        raise FormatError("the npy format holds positions that are integers in 0..2**63-1: relabel, or write npz")
    if graph.tokens or isolated(graph):
        what = "tokens" if graph.tokens else Message("positions without edges")
        raise FormatError("the npy format has no place for {what}: write npz", what)
    rows = (positions[np.column_stack(ends)] for ends in edge_arrays(graph))
    write_array(stream, rows, (graph.number_of_edges(), 2), "<i8")


def read(source: Source, kind: str = "npz") -> GameGraph:
    """Read arrays of edges: 8 bytes an edge, 16 where they need more than 32 bits."""
    if kind == "npy":
        return _read_array(source)
    with source.understood(Message("an .npz file")):
        file = source.seekable()
        with zipfile.ZipFile(file) as archive:
            source.refuse_expansion(sum(member.file_size for member in archive.infolist()))
            names = {name.removesuffix(".npy"): name for name in archive.namelist()}
            if len(names) < len(archive.namelist()):
                raise source.error("two arrays have the same name: expected one of each")
            if names.keys() >= _MATRIX:
                for name in _INDICES & names.keys():
                    with archive.open(names[name]) as member:
                        ArrayReader(member, source, name, dimensions=None)
                return _read_matrix(source, file)
            return _Arrays(archive, names, source).graph()


def write(graph: GameGraph, stream: BinaryIO, kind: str = "npz") -> None:
    """Write the arrays of a graph."""
    positions = integer_array(graph.labels)
    if kind == "npy":
        _write_edges(graph, positions, stream)
        return
    vertices = _texts(graph.labels) if positions is None else positions
    if positions is not None and positions.min(initial=0) < 0:
        raise FormatError(
            "position {first} is negative, which the npz format does not hold: relabel first", positions.min()
        )
    names = np.arange(len(graph), dtype=np.int32) if positions is None else positions
    m = len(graph.option_rows.indices)
    kind = f"<i{names.dtype.itemsize}"
    # Written from start to end: zipfile would go back in a stream that says where it is, which a compressed one cannot.
    forward = SimpleNamespace(write=stream.write, flush=stream.flush)
    with zipfile.ZipFile(forward, "w") as archive:
        for index, name in enumerate(("source", "target")):
            _write(archive, name, (names[ends[index]] for ends in edge_arrays(graph)), m, kind)
        _write(archive, "vertices", [vertices], len(vertices), vertices.dtype.str)
        if graph.tokens is not None:
            numbers = np.array([graph.number_of(token) for token in graph.tokens], np.int64)
            _write(archive, "tokens", [names[numbers]], len(numbers), kind)
        if graph.sums is not None:
            _write(archive, "sums", [graph.sums], len(graph), "|b1")
        if graph.decided is not None:
            _write(archive, "decided", [graph.decided], len(graph), "|i1")


def _write(archive: zipfile.ZipFile, name: str, blocks: Iterable[np.ndarray], count: int, dtype: str) -> None:
    """Write an array of one dimension, under no date, so that the same graph gives the same bytes."""
    with archive.open(zipfile.ZipInfo(f"{name}.npy"), "w", force_zip64=True) as member:
        write_array(member, blocks, (count,), dtype)


def _texts(labels: Labels) -> np.ndarray:
    texts = unique_texts(labels)
    longest = max(map(len, texts))
    if 4 * longest * len(texts) > _LARGEST_TEXTS or any(text.endswith("\0") for text in texts):
        raise FormatError("the texts of the positions are too long for an array, or end in NUL: write parquet")
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


class _Arrays:
    """The arrays of a graph in an archive."""

    def __init__(self, archive: zipfile.ZipFile, names: dict[str, str], source: Source) -> None:
        self._archive = archive
        self._source = source
        self._names = names
        if not {"source", "target"} <= self._names.keys():
            found = ", ".join(sorted(self._names)[:20]) or "none"
            raise source.error(
                Message("expected the arrays source and target, or a sparse matrix; found {found}", found)
            )

    def graph(self) -> GameGraph:
        vertices = self._vector("vertices", "iuU")
        names: list[Hashable] | None = None
        if vertices is not None and vertices.dtype.kind == "U":
            names, vertices = vertices.tolist(), np.arange(len(vertices))
            if len(set(names)) < len(names):
                raise self._source.error("vertices holds a string twice: expected each position once")
        source, target, own = self._edges(
            vertices, Message("an index of vertices") if names else Message("one of vertices")
        )
        sums, decided = self._marks("sums", "b", vertices), self._marks("decided", "i", vertices)
        tokens = self._vector("tokens", "iu")
        for token in () if tokens is None else tokens.tolist():
            if token not in own:
                raise self._source.error(Message("token {token} is not a position of the graph", token))
        labels = own if names is None else as_labels(names)
        chosen = None if tokens is None else [labels[own.find(token)] for token in tokens.tolist()]
        try:
            return GameGraph.from_arrays(
                source, target, labels, sums=sums, decided=decided, tokens=chosen, overwrite=True
            )
        except ValueError as error:  # what is decided is no such array, or a decided position has options
            raise self._source.error(str(error)) from None

    def _edges(self, vertices: np.ndarray | None, expected: str) -> tuple[np.ndarray, np.ndarray, Labels]:
        with self._archive.open(self._names["source"]) as first, self._archive.open(self._names["target"]) as second:
            starts, ends = ArrayReader(first, self._source, "source"), ArrayReader(second, self._source, "target")
            if starts.shape != ends.shape:
                raise self._source.error(
                    Message(
                        "source has the shape {source}, target {target}: expected the same", starts.shape, ends.shape
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
            raise self._source.error(Message("an edge has the end {wrong}: expected {expected}", wrong, expected))
        if vertices is not None and not is_increasing(vertices) and len(np.unique(vertices)) < len(vertices):
            raise self._source.error("vertices holds a number twice: expected each position once")
        return source, target, labels

    def _marks(self, name: str, kinds: str, vertices: np.ndarray | None) -> np.ndarray | None:
        found = self._vector(name, kinds)
        if found is None:
            return None
        if vertices is None or len(found) != len(vertices):
            raise self._source.error(
                Message("{name} has {count:,} entries: expected one for each of vertices", name, len(found))
            )
        marks: np.ndarray = found[np.argsort(vertices)]
        return marks

    def _vector(self, name: str, kinds: str) -> np.ndarray | None:
        if name not in self._names:
            return None
        with self._archive.open(self._names[name]) as member:
            return ArrayReader(member, self._source, name, kinds).vector(_LEAST_DECIDED if kinds == "i" else 0)
