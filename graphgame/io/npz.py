r"""NumPy's ``.npz``: the arrays of a graph, or a sparse matrix as ``scipy.sparse.save_npz`` writes it.

Arrays
------
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

Integers lie in 0..2**63-1. Parallel edges count once, but for those out of a sum. Positions of another type are written
as their ``str``. Other arrays are passed over; nothing is ever unpickled.

Sparse matrix
-------------
Of shape (n, n) and any format: its positions are 0..n-1, and an entry that is not 0, in row i and column j, is the edge
from i to j.

Examples
--------
>>> import pathlib, tempfile
>>> import numpy as np
>>> from graphgame.io import read_game
>>> path = pathlib.Path(tempfile.mkdtemp(), "game.npz")
>>> np.savez(path, source=[5, 5], target=[2, 9], vertices=[2, 5, 7, 9], tokens=[5])
>>> G = read_game(path)
>>> list(G), sorted(G.edges), G.tokens
([2, 5, 7, 9], [(5, 2), (5, 9)], (5,))
"""

from __future__ import annotations

import zipfile
from collections.abc import Hashable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from typing import BinaryIO

import numpy as np

from graphgame.errors import FormatError, Message, needs_extra
from graphgame.graph.exchange import matrix_arrays
from graphgame.graph.gamegraph import GameGraph
from graphgame.graph.labels import Labels, as_labels
from graphgame.io.edge_stores import IntegerEdges
from graphgame.io.edges import edge_arrays
from graphgame.io.files import Source
from graphgame.io.interchange import integer_array, unique_texts
from graphgame.io.npy import ArrayReader, write_array

_MATRIX = {"format", "shape", "data"}
_INDICES = {"shape", "row", "col", "indices", "indptr", "offsets"}
_LARGEST_TEXTS = 1 << 30


def read(source: Source) -> GameGraph:
    """Read the arrays of a graph, or a sparse matrix: 8 bytes an edge, 16 where they need more than 32 bits."""
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
                        ArrayReader(member, source, name).check_integers()
                return _read_matrix(source, file)
            return _Arrays(archive, names, source).graph()


def write(graph: GameGraph, stream: BinaryIO) -> None:
    """Write the arrays of a graph."""
    positions = integer_array(graph.labels)
    vertices = _texts(graph.labels) if positions is None else positions
    if positions is not None and positions.min(initial=0) < 0:
        raise FormatError(
            "position {first} is negative, which the npz format does not hold: relabel first", positions.min()
        )
    names = np.arange(len(graph), dtype=np.int32) if positions is None else positions
    m = len(graph.option_rows.indices)
    kind = f"<i{names.dtype.itemsize}"
    with zipfile.ZipFile(_Forward(stream), "w") as archive:  # type: ignore[call-overload]
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


class _Forward:
    """A stream that is written from start to end: zipfile would go back in a compressed one."""

    def __init__(self, stream: BinaryIO) -> None:
        self.write = stream.write
        self.flush = stream.flush


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
        with self._ends() as (starts, ends):
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
        if vertices is not None and not _increasing(vertices) and len(np.unique(vertices)) < len(vertices):
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
            return ArrayReader(member, self._source, name).vector(kinds)

    @contextmanager
    def _ends(self) -> Iterator[tuple[ArrayReader, ArrayReader]]:
        """Give source and target, two arrays of the same length, to read side by side."""
        with ExitStack() as stack:
            members = [stack.enter_context(self._archive.open(self._names[name])) for name in ("source", "target")]
            starts, ends = (
                ArrayReader(member, self._source, name)
                for member, name in zip(members, ("source", "target"), strict=True)
            )
            for array in (starts, ends):
                array.check_vector()
            if starts.shape != ends.shape:
                raise self._source.error(
                    Message(
                        "source has the shape {source}, target {target}: expected the same", starts.shape, ends.shape
                    )
                )
            yield starts, ends


def _increasing(values: np.ndarray) -> bool:
    return bool((values[1:] > values[:-1]).all())
