"""``solve`` for edges on disk: the solution, the stages of the work, and the graph to verify values of."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from graphgame.compiled.engine import COMPILED_FROM, use_compiled
from graphgame.errors import CycleError, LimitError, Message, UnknownPositionError, install_command, plural
from graphgame.graph.gamegraph import GameGraph
from graphgame.graph.labels import Labels, as_labels
from graphgame.graph.rows import Rows
from graphgame.io.files import PathLike, open_atomic
from graphgame.io.source import parse_size
from graphgame.labs.backend.play_order import freed_order
from graphgame.labs.formats.tables import pyarrow
from graphgame.labs.scale import StageProgress
from graphgame.labs.scale.disk.collecting import EdgeStore, Input, MappedTexts, Settings, labels_of
from graphgame.labs.scale.disk.rows import group_spool, mapped_rows, option_batches, release, unsolved_cycle
from graphgame.labs.scale.disk.workdir import MAPPED_FILES_STAY, Workdir, size_text
from graphgame.solution.results import Counts, ValueCount
from graphgame.solution.sprague_grundy import row_values
from graphgame.solution.sums import Solved

__all__ = ["ExternalSolution", "StageProgress", "Stages", "solve"]


_BYTES_A_VERTEX = 28
"""Memory of the compiled pass for each vertex."""

_PLAIN_BYTES = 250, 40
"""Memory of the pass in plain Python, for each vertex and for each edge."""

_DISK_BYTES_A_VERTEX, _DISK_BYTES_AN_EDGE = 20, 12
_PAGE = 1 << 12
_MOST_STEP, _LEAST_STEP = 1 << 20, 1 << 10
"""Vertices to solve between reports, and between releases of mapped memory."""

_ROWS = 1 << 20
"""Positions that are counted or written at a time."""


class ExternalSolution(Solved):
    """A solved game with its values in the files of a work folder. :func:`solve` returns it.

    It has the interface of :class:`Solution`, except for the length of play, and hence the best move: these are not
    computed on disk.

    Attributes
    ----------
    labels : Labels
        The positions in the order of their numbers. Integers that lie close together are in increasing order. All
        other positions are in the order in which they first occur in the input.
    values : ndarray of int32, shape (n,)
        The Grundy value of each vertex, as an array over a memory-mapped file.
    edges : int
        The number of moves. Parallel edges count once.
    tokens : tuple of hashable or None
        The components of the sum whose winner is asked for. You may set it.
    format : str
        The format of the input.
    """

    def __init__(self, workdir: Workdir, tokens: Iterable[Hashable] | None = None) -> None:
        self._workdir = workdir
        scan, rows = workdir.stage("scan"), workdir.stage("rows")
        assert scan is not None
        assert rows is not None
        self._open()
        self.edges = int(rows["edges"])
        self.format = str(workdir.input["format"])
        chosen = scan["tokens"] if tokens is None else tokens
        self.tokens: tuple[Hashable, ...] | None = None if chosen is None else tuple(chosen)

    def _open(self, in_memory: bool = False) -> None:
        """Open the labels and the values, from mapped files or read into memory."""
        self.labels: Labels = labels_of(self._workdir, in_memory)
        self.values = self._values = self._workdir.array("values", np.int32, in_memory)

    def __enter__(self) -> ExternalSolution:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __len__(self) -> int:
        return len(self.values)

    def __repr__(self) -> str:
        size = f"{plural(len(self), 'vertex')}, {plural(self.edges, 'edge')}"
        return f"<ExternalSolution: {size}, in {str(self._workdir.path)!r}>"

    def number_of(self, position: Hashable) -> int:
        """Return the vertex number of a position; raise UnknownPositionError if it is not in the game."""
        try:
            return self.labels.find(position)
        except KeyError:
            raise UnknownPositionError(position) from None

    @property
    def _positions(self) -> ExternalSolution:
        return self

    def _option_rows(self, vertices: np.ndarray) -> Iterator[np.ndarray]:
        """Return the sorted options of each of some vertices, from one scan of all rows of predecessors."""
        asked = np.zeros(len(self), np.bool_)
        asked[vertices] = True
        found = [(np.empty(0, np.int32), np.empty(0, np.int64)), *option_batches(mapped_rows(self._workdir), asked)]
        source, target = (np.concatenate(ends) for ends in zip(*found, strict=True))
        return (np.sort(target[source == vertex]) for vertex in vertices.tolist())

    @property
    def roots(self) -> np.ndarray:
        """The vertex numbers of the positions that no move leads to, int32."""
        return self._workdir.array("roots", np.int32)

    def counts(self) -> Counts:
        """Return the numbers of positions and moves, and of the positions with each value."""
        size = int(self.values.max(initial=0)) + 1
        count, first = np.zeros(size, np.int64), np.zeros(size, np.int64)
        # Go from the end to the start, so that ``first`` ends up with the first position of each value.
        for start in reversed(range(0, len(self), _ROWS)):
            part = self.values[start : start + _ROWS]
            count += np.bincount(part, minlength=size)
            values, places = np.unique(part, return_index=True)
            first[values] = places + start
        present = np.flatnonzero(count)
        entries = map(ValueCount, count[present].tolist(), self.labels.take(first[present]))
        histogram = dict(zip(present.tolist(), entries, strict=True))
        lost = int(count[0])
        return Counts(len(self), self.edges, lost, len(self) - lost, histogram)

    def write_values(self, path: PathLike) -> None:
        """Write a Parquet file with the columns ``position``, ``grundy`` and ``outcome``.

        Raises
        ------
        MissingExtraError
            The extra ``parquet`` is not installed.
        OSError
            The file cannot be written. No partial file is left.
        """
        pa = pyarrow()
        kind = pa.large_string() if isinstance(self.labels, MappedTexts) else pa.int64()
        schema = pa.schema([("position", kind), ("grundy", pa.int32()), ("outcome", pa.string())])
        outcomes = pa.array(["P", "N"])
        with open_atomic(path, "wb") as stream, pa.parquet.ParquetWriter(stream, schema, compression="zstd") as writer:
            for start in range(0, len(self), _ROWS):
                values = self.values[start : start + _ROWS]
                positions = pa.array(self.labels[start : start + _ROWS], kind)
                won = outcomes.take(pa.array((values != 0).astype(np.int8)))
                writer.write_batch(pa.record_batch([positions, pa.array(values), won], schema=schema))

    def close(self) -> None:
        """Close the work folder, so that other processes can use it. The files stay."""
        self._workdir.close()

    def remove(self) -> None:
        """Delete the files in the work folder. This object can still be asked for values and positions."""
        if MAPPED_FILES_STAY:
            self._open(in_memory=True)
        self._workdir.clear()


def solve(
    edges: PathLike,
    workdir: PathLike,
    memory_limit: int | str = "2GB",
    resume: bool = True,
    progress: StageProgress | None = None,
    *,
    format: str | None = None,
    tokens: Iterable[Hashable] | None = None,
    engine: str = "auto",
    tell: Callable[[str], None] | None = None,
    max_bytes: int | None = None,
) -> ExternalSolution:
    r"""Compute the value of every position of a game whose edges stay on disk.

    Parameters
    ----------
    edges : str or os.PathLike
        A token file, an edge list (white space, CSV or TSV; plain or compressed), a Parquet file with the columns
        ``source`` and ``target``, or a folder of Parquet files. ``-`` is standard input. Parallel edges count once.
    workdir : str or os.PathLike
        A folder for the work files. It is created if necessary. The files stay until :meth:`ExternalSolution.remove`.
    memory_limit : int or str
        The memory for arrays, in bytes or as a text such as ``500MB``. Each vertex needs 28 bytes. A vertex of
        out-degree 64 or more needs one more bit for each edge, and then each vertex 8 more bytes. The interpreter and
        its libraries take about 200 MB in addition.
    resume : bool
        Continue an interrupted run on the same input. Otherwise start over.
    progress : callable, optional
        Called as ``progress(stage, done, total)`` with the stages "reading" (in bytes; the total may be None),
        "grouping" and "solving".
    format : str, optional
        The format. The default is detected from the file's name and first lines.
    tokens : iterable of hashable, optional
        The components of the sum whose winner is asked for. The default is the tokens of the file.
    engine : {"auto", "plain", "compiled"}
        How the loops run. "plain" reads all edges into memory in the end.
    tell : callable, optional
        Called with a sentence about the memory and disk space needed, before they are used.
    max_bytes : int, optional
        The most bytes that the input may have; see :func:`graphgame.read_game`.

    Returns
    -------
    ExternalSolution

    Raises
    ------
    CycleError
        The graph has a cycle; the error has the vertices of one.
    ParseError
        The input does not follow its format, or the manifest or a work file is damaged.
    FormatError
        The format cannot be read edge by edge.
    ParameterError
        The folder has other files, or work on another input, or is in use. Or ``memory_limit`` is not a size.
    LimitError
        There is not enough memory or disk space, or the input has more bytes than allowed.
    OSError
        A file cannot be read or written.

    Notes
    -----
    The time is O(n + m) for n vertices and m edges. The disk space is at most 12 bytes for each edge and 20 bytes for
    each vertex, plus the texts of string positions. The edges are sorted into buckets by target, and each bucket is
    grouped in memory. Then the pass of :mod:`graphgame.solution.sprague_grundy` reads the rows from memory-mapped
    files. This is the semi-external model of J. Abello, A. L. Buchsbaum and J. R. Westbrook, A functional approach to
    external graph algorithms, Algorithmica 32 (2002).

    Examples
    --------
    >>> import pathlib, tempfile
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> path = folder / "game.edges"
    >>> path.write_text("3 1\n3 2\n2 1\n")
    12
    >>> with solve(path, folder / "work") as solution:
    ...     solution.grundy[3], solution.outcome[1]
    (2, 'P')
    """
    limit = parse_size(memory_limit)
    report: StageProgress = progress or (lambda stage, done, total: None)
    with Input(edges, format, lambda done, total: report("reading", done, total), max_bytes) as source:
        compiled = use_compiled(COMPILED_FROM if source.edges is None else source.edges, engine)
        work = Workdir(workdir, source.identity(), resume)
        try:
            _Solver(work, Settings(limit, compiled), report, tell).run(source)
            return ExternalSolution(work, tokens)
        except BaseException:
            work.close()
            raise


class Stages:
    """The stages of the work up to the rows on disk. A stage that the work folder records as done is skipped."""

    bytes_a_vertex = _BYTES_A_VERTEX

    def __init__(
        self, workdir: Workdir, settings: Settings, report: StageProgress, tell: Callable[[str], None] | None
    ) -> None:
        self._workdir, self._settings, self._report = workdir, settings, report
        self._tell = tell or (lambda message: None)
        self._told = False

    def group(self, source: Input) -> None:
        """Read the input into a spool, and group its edges into rows."""
        work = self._workdir
        if work.stage("scan") is not None and work.stage("values") is None:
            if work.stage("rows") is None:
                self._tell(Message("going on in {path}, where the edges are read", work.path))
            else:
                self._tell(Message("going on in {path}, where the edges are grouped", work.path))
        if work.stage("scan") is None:
            self._check(source.vertices, source.edges, _DISK_BYTES_AN_EDGE)
            source.read(EdgeStore(work, self._settings, source.edges or 0))
        if work.stage("rows") is None:
            scan = self._stage("scan")
            self._check(scan["vertices"], scan["edges"], 4)
            group_spool(work, self._settings, lambda done, total: self._report("grouping", done, total))
        work.remove(self._stage("scan")["spool"][0], "counts", "ranks")

    def _check(self, vertices: int | None, edges: int | None, bytes_an_edge: int) -> None:
        """Tell the memory and disk space needed, as far as known; raise LimitError if there is too little."""
        memory = self.bytes_a_vertex * (vertices or 0)
        disk = bytes_an_edge * (edges or 0) + _DISK_BYTES_A_VERTEX * (vertices or 0)
        if edges is not None and not self._told:
            self._told = vertices is not None
            room, path = size_text(disk), self._workdir.path
            if vertices is None:
                self._tell(Message("about {edges:,} edges take about {room} of disk in {path}", edges, room, path))
            else:
                size, positions = plural(edges, "edge"), plural(vertices, "position")
                work = size_text(memory)
                self._tell(
                    Message(
                        "{size} and {positions} take about {room} of disk in {path} and {work} of memory",
                        size,
                        positions,
                        room,
                        path,
                        work,
                    )
                )
        self._workdir.check_room(disk, Message("{edges}: sorting them", plural(edges or 0, "edge")))
        self._check_memory(memory, plural(vertices or 0, "vertex"))

    def _check_memory(self, need: int, what: str) -> None:
        if need > self._settings.memory:
            limit = size_text(self._settings.memory)
            raise LimitError(
                "{what}: {need} of memory are needed, the limit is {limit}",
                what,
                size_text(need),
                limit,
                limit="memory",
            )

    def _stage(self, name: str) -> dict[str, Any]:
        record = self._workdir.stage(name)
        assert record is not None
        return record


class _Solver(Stages):
    """All stages, up to the values."""

    def run(self, source: Input) -> None:
        """Do everything that is not done yet."""
        self.group(source)
        if self._workdir.stage("values") is None:
            self._solve()

    def _solve(self) -> None:
        """Run the pass over the mapped rows, and write the values."""
        work, rows = self._workdir, mapped_rows(self._workdir)
        degrees = np.array(work.array("degrees", np.int32))
        self._check_state(degrees)
        values, order = row_values(rows, degrees, self._settings.compiled, *self._steps(rows, len(degrees)))
        if len(order) < len(values):
            raise CycleError(labels_of(work).take(unsolved_cycle(rows, order)))
        file = work.file("values", fresh=True)
        file.write(values)
        work.record("values", {}, file)
        file.close()

    def _steps(self, rows: Rows, vertices: int) -> tuple[int, Callable[[int], None]]:
        """Return a number of vertices, and a function for the pass to call each time it has solved that many.

        The function reports progress. If the rows do not fit in memory, it also releases the mapped pages.
        """
        # A vertex may touch pages that no other vertex touches, of pointers and of indices. With four pages allowed for
        # each, they fit in the room that the arrays leave.
        room = self._settings.memory - _BYTES_A_VERTEX * vertices
        large = sum(array.nbytes for array in rows) > room
        step = max(_LEAST_STEP, min(_MOST_STEP, room // (4 * _PAGE))) if large else _MOST_STEP

        def between(solved: int) -> None:
            if large:
                release(rows)
            self._report("solving", solved, vertices)

        return step, between

    def _check_state(self, degrees: np.ndarray) -> None:
        """Raise LimitError if the pass needs more memory than allowed."""
        # Vertices of out-degree 64 or more keep the values of their options in further words of 64 bits.
        words = int((degrees >> 6).sum(dtype=np.int64))
        need = _BYTES_A_VERTEX * len(degrees) + (8 * (words + len(degrees)) if words else 0)
        if not self._settings.compiled:
            vertex, edge = _PLAIN_BYTES
            need = vertex * len(degrees) + edge * self._stage("rows")["edges"]
        hint = (
            "" if self._settings.compiled else Message(" without compiled loops ({command})", install_command("fast"))
        )
        self._check_memory(need, plural(len(degrees), "vertex") + hint)


class MappedGraph(GameGraph):
    """A graph with its rows of options in memory-mapped files. It has no rows of predecessors."""

    def __init__(self, workdir: Workdir) -> None:
        scan = workdir.stage("scan")
        assert scan is not None
        labels = labels_of(workdir)
        # Mapped texts are found by searching the file. That is too slow to look up each position, so read them.
        self.labels = as_labels(list(labels)) if isinstance(labels, MappedTexts) else labels
        self.sums = None
        self._options = mapped_rows(workdir)
        self._edge_count = len(self._options.indices)
        self.out_degrees = self._options.lengths().astype(np.int32)
        self._workdir = workdir
        self._finish({}, scan["tokens"])

    def play_order(self) -> np.ndarray:
        """Return the vertices, each after all its options; if there is a cycle, raise CycleError with one."""
        rows = self.option_rows
        order = freed_order(rows, np.array(self._workdir.array("degrees", np.int32)))
        if len(order) < len(self):
            raise CycleError(self.labels.take(unsolved_cycle(rows, order)[::-1]))
        release(rows)
        return order[::-1]

    def close(self) -> None:
        """Drop all references to the mapped files, so that they can be deleted."""
        self.__dict__.clear()


@contextmanager
def mapped_graph(
    edges: PathLike,
    workdir: PathLike,
    memory_limit: int | str = "2GB",
    resume: bool = True,
    progress: StageProgress | None = None,
    *,
    format: str | None = None,
    tell: Callable[[str], None] | None = None,
    keep: bool = False,
) -> Iterator[MappedGraph]:
    r"""Open a graph whose edges stay on disk, to verify values of it.

    The parameters and errors are those of :func:`graphgame.labs.scale.disk.solve`, but the work files are different, so
    the two cannot share a folder. At the end the files are deleted, unless ``keep`` is true or an error occurred.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from graphgame import verify
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> path = folder / "game.edges"
    >>> path.write_text("3 1\n3 2\n2 1\n")
    12
    >>> with mapped_graph(path, folder / "work") as graph:
    ...     verify(graph, {1: 0, 2: 1, 3: 3}).reason
    "value 3, but no option has the value 2; the mex of its options' values {0, 1} is 2"
    """
    limit = parse_size(memory_limit)
    report: StageProgress = progress or (lambda stage, done, total: None)
    with Input(edges, format, lambda done, total: report("reading", done, total)) as source:
        compiled = use_compiled(COMPILED_FROM if source.edges is None else source.edges)
        work = Workdir(workdir, source.identity(), resume, "verify")
        try:
            _Grouping(work, Settings(limit, compiled, options=True), report, tell).group(source)
            graph = MappedGraph(work)
            yield graph
            graph.close()
        except BaseException:
            work.close()
            raise
    if keep:
        work.close()
    else:
        work.clear()


class _Grouping(Stages):
    """The stages, with the memory needed to verify values."""

    bytes_a_vertex = 60
