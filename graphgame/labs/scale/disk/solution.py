"""solve() for edges on disk, and what it answers with."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from graphgame.compiled.engine import COMPILED_FROM, use_compiled
from graphgame.errors import CycleError, LimitError, Message, UnknownPositionError, install_command, plural
from graphgame.graph.gamegraph import GameGraph
from graphgame.graph.labels import Labels, as_labels
from graphgame.graph.play_order import freed_order
from graphgame.graph.rows import Rows
from graphgame.io.files import PathLike, open_atomic
from graphgame.io.source import parse_size
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
_PLAIN_BYTES = 250, 40
_DISK_BYTES_A_VERTEX, _DISK_BYTES_AN_EDGE = 20, 12
_PAGE = 1 << 12
_MOST_STEP, _LEAST_STEP = 1 << 20, 1 << 10
_ROWS = 1 << 20


class ExternalSolution(Solved):
    """A solved game whose values lie in the files of a working folder; made by :func:`solve`.

    It answers as a :class:`Solution` does, but for how long play lasts, and so which move is best: that is not found on
    disk.

    Attributes
    ----------
    labels : Labels
        The positions in the order of their numbers: integers increasing where they lie close together, else in the
        order in which the input first names them.
    values : ndarray of int32, shape (n,)
        The Grundy value of each vertex, over a mapped file.
    edges : int
        Moves, each counted once.
    tokens : tuple of hashable or None
        The components of the sum asked about; may be set.
    format : str
        That of the input.
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
        """Return the vertex number of a position; raise UnknownPositionError where it is none."""
        try:
            return self.labels.find(position)
        except KeyError:
            raise UnknownPositionError(position) from None

    @property
    def _positions(self) -> ExternalSolution:
        return self

    def _option_rows(self, vertices: np.ndarray) -> Iterator[np.ndarray]:
        asked = np.zeros(len(self), np.bool_)
        asked[vertices] = True
        found = [(np.empty(0, np.int32), np.empty(0, np.int64)), *option_batches(mapped_rows(self._workdir), asked)]
        source, target = (np.concatenate(ends) for ends in zip(*found, strict=True))
        return (np.sort(target[source == vertex]) for vertex in vertices.tolist())

    @property
    def roots(self) -> np.ndarray:
        """The numbers of the positions that no move leads to, int32."""
        return self._workdir.array("roots", np.int32)

    def counts(self) -> Counts:
        """Return how many positions and moves there are, and how many positions have each value."""
        size = int(self.values.max(initial=0)) + 1
        count, first = np.zeros(size, np.int64), np.zeros(size, np.int64)
        # From the end on, so that of each value the first position is what stays.
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
            The file cannot be written; no half of it is left.
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
        """Let other processes use the working folder; the files stay."""
        self._workdir.close()

    def remove(self) -> None:
        """Delete the files in the working folder; the values and the positions can still be asked for."""
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
    r"""Give every position of a game its value, with the edges on disk.

    Parameters
    ----------
    edges : str or os.PathLike
        A token file, a list of edges (white space, CSV, TSV; plain or compressed), a Parquet file with the columns
        ``source`` and ``target``, or a folder of Parquet files. ``-`` is standard input. Parallel edges count once.
    workdir : str or os.PathLike
        A folder for the work files, made where there is none. They are kept until :meth:`ExternalSolution.remove`.
    memory_limit : int or str
        Bytes, or such as ``500MB``, for the arrays. 28 bytes a vertex are needed, and for vertices of out-degree 64 and
        more one bit an edge and 8 bytes a vertex; the interpreter and its libraries take about 200 MB besides.
    resume : bool
        Go on with what an interrupted run on the same input finished; else begin again.
    progress : callable, optional
        Called as ``progress(stage, done, total)`` with the stages "reading" (in bytes, the total may be None),
        "grouping" and "solving".
    format : str, optional
        Else the file's name and first lines tell.
    tokens : iterable of hashable, optional
        The components of the sum asked about; by default those of the file.
    engine : {"auto", "plain", "compiled"}
        The plain form takes all edges into memory at the end.
    tell : callable, optional
        Called with a sentence about the memory and the disk needed, before they are used.
    max_bytes : int, optional
        Most bytes that the input may hold, see :func:`graphgame.read_game`.

    Returns
    -------
    ExternalSolution

    Raises
    ------
    CycleError
        Play need not end; carries one cycle.
    ParseError
        The input is not in its format, or the manifest or a work file is damaged.
    FormatError
        The format is not read edge by edge.
    OptionError
        The folder holds other files or work on another input, or is in use; the limit is no size.
    LimitError
        Memory or disk do not suffice, or the input holds more bytes than it may.
    OSError
        A file cannot be read or written.

    Notes
    -----
    O(n + m) time. Disk: 12 bytes an edge and 20 bytes a vertex at the peak, and the texts of string positions.
    The edges are sorted into buckets of targets, each bucket is grouped in memory, and the pass of
    :mod:`graphgame.solution.sprague_grundy` reads the rows from mapped files: the semi-external model of J. Abello,
    A. L. Buchsbaum and J. R. Westbrook, A functional approach to external graph algorithms, Algorithmica 32 (2002).

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
    """The stages up to the rows on disk, each done unless it is recorded."""

    bytes_a_vertex = _BYTES_A_VERTEX

    def __init__(
        self, workdir: Workdir, settings: Settings, report: StageProgress, tell: Callable[[str], None] | None
    ) -> None:
        self._workdir, self._settings, self._report = workdir, settings, report
        self._tell = tell or (lambda message: None)
        self._told = False

    def group(self, source: Input) -> None:
        """Read the input and group its edges."""
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
        """Say what is needed, as far as it is known, and refuse what there is not."""
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
    """All stages."""

    def run(self, source: Input) -> None:
        self.group(source)
        if self._workdir.stage("values") is None:
            self._solve()

    def _solve(self) -> None:
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
        """Return after how many vertices to report and, where the rows are too large for memory, to release them."""
        room = self._settings.memory - _BYTES_A_VERTEX * vertices
        large = sum(array.nbytes for array in rows) > room
        step = max(_LEAST_STEP, min(_MOST_STEP, room // (4 * _PAGE))) if large else _MOST_STEP

        def between(solved: int) -> None:
            if large:
                release(rows)
            self._report("solving", solved, vertices)

        return step, between

    def _check_state(self, degrees: np.ndarray) -> None:
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
    """A graph that has rows of options, in mapped files, and none of predecessors."""

    def __init__(self, workdir: Workdir) -> None:
        scan = workdir.stage("scan")
        assert scan is not None
        labels = labels_of(workdir)
        # a text is found by a search through all of them: too slow for a value of each
        self.labels = as_labels(list(labels)) if isinstance(labels, MappedTexts) else labels
        self.sums = None
        self._options = mapped_rows(workdir)
        self._edge_count = len(self._options.indices)
        self.out_degrees = self._options.lengths().astype(np.int32)
        self._workdir = workdir
        self._finish({}, scan["tokens"])

    def play_order(self) -> np.ndarray:
        """Return the vertices, options before the positions that move to them; a CycleError carries one cycle."""
        rows = self.option_rows
        order = freed_order(rows, np.array(self._workdir.array("degrees", np.int32)))
        if len(order) < len(self):
            raise CycleError(self.labels.take(unsolved_cycle(rows, order)[::-1]))
        release(rows)
        return order[::-1]

    def close(self) -> None:
        """Let go of the mapped files."""
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
    r"""Give a graph whose edges are on disk, to verify values of it.

    Parameters and errors are those of :func:`graphgame.labs.scale.disk.solve`, whose work files are others. They are
    deleted at the end unless they are to be kept, or there is an error.

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
    """The stages, with the memory that it takes to verify."""

    bytes_a_vertex = 60
