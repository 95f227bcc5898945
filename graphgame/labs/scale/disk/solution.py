"""Solve and verify graphs whose edges are on disk.

The work has three stages, which the work folder records. The first, ``scan``, reads the edges into a spool, sorted into
buckets. The second, ``group``, makes rows of predecessors (to verify: rows of options) from one bucket after
another; the record ``rows`` says that all rows are made. The third, only to solve, is the *pass*: it reads the rows and
writes ``values``.
"""

from __future__ import annotations

import mmap
from collections.abc import Callable, Hashable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from queue import SimpleQueue

import numpy as np

from graphgame.compiled.engine import (
    COMPILED_FROM,
    BackgroundWriter,
    Engine,
    Progress,
    prefetched,
    threads,
    use_compiled,
)
from graphgame.errors import (
    CycleError,
    LimitError,
    Message,
    TokenError,
    UnknownPositionError,
    checks_parameters,
    install_command,
    plural,
)
from graphgame.graph import kernels
from graphgame.graph.gamegraph import GameGraph
from graphgame.graph.labels import Labels, as_labels
from graphgame.graph.rows import Rows, cycle_from, marked
from graphgame.io.files import PathLike, open_atomic
from graphgame.io.source import parse_size
from graphgame.labs.backend.play_order import freed_order
from graphgame.labs.formats.tables import pyarrow
from graphgame.labs.scale import StageProgress
from graphgame.labs.scale.disk.edge_reading import EdgeStore, Input, MappedTexts, Settings, labels_of
from graphgame.labs.scale.disk.workdir import MAPPED_FILES_STAY, Buckets, Workdir, size_text
from graphgame.solution.results import Counts, ValueCount
from graphgame.solution.sprague_grundy import compiled_grundy, plain_grundy
from graphgame.solution.sums import Solved

_MEMORY_OF_VERTEX, _MEMORY_TO_VERIFY_VERTEX = 28, 60
"""The bytes of memory for each vertex that the compiled pass needs, and that the check of values needs."""

_PLAIN_MEMORY = 250, 40
"""The bytes of memory that the pass in plain Python takes for each vertex, and for each edge."""

_DISK_OF_VERTEX, _DISK_OF_EDGE = 20, 12
"""The bytes of disk space for each vertex, and for each edge, without the labels."""

_PAGE = 1 << 12
_MAX_STEP, _MIN_STEP = 1 << 20, 1 << 10
"""The most and the fewest vertices of a step of the pass. After a step, the pass reports progress, and releases rows if
they do not fit in memory."""

_ROWS_AT_A_TIME = 1 << 20
"""The number of positions that are counted or written at a time."""


class ExternalSolution(Solved):
    """A solved game with its values in the files of a work folder. :func:`solve` returns it.

    It has those attributes and methods of :class:`Solution` that need neither lengths of play nor a graph in memory,
    such as ``grundy``, ``outcome``, ``winner`` and ``winning_moves``.

    Attributes
    ----------
    labels : Labels
        The positions, in the order of their vertex numbers. This is either the increasing order of integers, or
        roughly the order in which positions first occur in the input.
    values : ndarray of int32, shape (n,)
        The Grundy value of each vertex, as an array over a memory-mapped file.
    edges : int
        The number of moves. Parallel edges count once.
    tokens : tuple of hashable or None
        The components of the sum whose winner is asked for; None if the input does not say where tokens are. You may
        set it.
    format : str
        The format of the input.
    """

    def __init__(self, workdir: Workdir, tokens: Iterable[Hashable] | None = None) -> None:
        self._workdir = workdir
        self._open()
        self.edges: int = workdir.stage("rows")["edges"]
        self.format = str(workdir.input["format"])
        on_positions = workdir.stage("scan")["tokens"] if tokens is None else tokens
        self.tokens: tuple[Hashable, ...] | None = None if on_positions is None else tuple(on_positions)

    def _open(self, in_memory: bool = False) -> None:
        """Open the labels and the values: map their files or, if ``in_memory``, read them into memory."""
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
        """Return, for each of ``vertices``, an array of its options, sorted. Read all rows of predecessors once."""
        no_moves = np.empty(0, np.int32), np.empty(0, np.int64)
        batches = [no_moves, *option_batches(mapped_rows(self._workdir), marked(vertices, len(self)))]
        source, target = (np.concatenate(ends) for ends in zip(*batches, strict=True))
        return (np.sort(target[source == vertex]) for vertex in vertices.tolist())

    @property
    def roots(self) -> np.ndarray:
        """The vertex numbers of the positions that no move leads to, an int32 array."""
        return self._workdir.array("roots", np.int32)

    def counts(self) -> Counts:
        """Return the numbers of positions, moves, P- and N-positions, and of positions of each value.

        For each value also return its first position: the one with the lowest vertex number.
        """
        size = int(self.values.max(initial=0)) + 1
        count, first = np.zeros(size, np.int64), np.zeros(size, np.int64)
        # Go from the end to the start, so that ``first`` ends up with the first position of each value.
        for start in reversed(range(0, len(self), _ROWS_AT_A_TIME)):
            part = self.values[start : start + _ROWS_AT_A_TIME]
            count += np.bincount(part, minlength=size)
            values, indices = np.unique(part, return_index=True)
            first[values] = indices + start
        present = np.flatnonzero(count)
        entries = map(ValueCount, count[present].tolist(), self.labels.take(first[present]))
        histogram = dict(zip(present.tolist(), entries, strict=True))
        p_positions = int(count[0])
        return Counts(len(self), self.edges, p_positions, len(self) - p_positions, histogram)

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
            for start in range(0, len(self), _ROWS_AT_A_TIME):
                values = self.values[start : start + _ROWS_AT_A_TIME]
                positions = pa.array(self.labels[start : start + _ROWS_AT_A_TIME], kind)
                outcome = outcomes.take(pa.array((values != 0).astype(np.int8)))
                writer.write_batch(pa.record_batch([positions, pa.array(values), outcome], schema=schema))

    def close(self) -> None:
        """Close the work folder, so that other processes can use it. The files stay."""
        self._workdir.close()

    def remove(self) -> None:
        """Delete the work files, and the folder if it is then empty.

        After that, only the values and the labels of this object can be used.
        """
        if MAPPED_FILES_STAY:
            self._open(in_memory=True)
        self._workdir.clear()


@checks_parameters
def solve(
    edges: PathLike,
    workdir: PathLike,
    memory_limit: int | str = "2GB",
    resume: bool = True,
    progress: StageProgress | None = None,
    *,
    format: str | None = None,
    tokens: Iterable[Hashable] | None = None,
    engine: Engine = "auto",
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
        The limit of the memory for arrays, in bytes or as a text such as ``500MB``. Each vertex needs 28 bytes. If
        there are vertices of out-degree 64 or more, each vertex needs 8 more bytes, and each edge out of them one bit.
        If loops are not compiled, each vertex needs 250 bytes and each edge 40 instead.
        The interpreter and its libraries take about 200 MB in addition.
    resume : bool
        Whether to continue an interrupted run on the same input. Otherwise the work starts over. Standard input never
        counts as the same input.
    progress : callable, optional
        Called as ``progress(stage, done, total)`` with the stages "reading" (in bytes; the total may be None),
        "grouping" and, if loops are compiled, "solving".
    format : str, optional
        The format. The default is detected from the file's name and first lines.
    tokens : iterable of hashable, optional
        The components of the sum whose winner is asked for. The default is the tokens of the file.
    engine : {"auto", "plain", "compiled"}
        Whether loops run compiled, or as plain Python. With "plain", the pass reads all edges into memory.
    tell : callable, optional
        Called with sentences for the user: how much disk space and memory is needed, as soon as an estimate is known,
        and that earlier work is continued.
    max_bytes : int, optional
        The maximum number of bytes of the input; see :func:`graphgame.read_game`.

    Returns
    -------
    ExternalSolution

    Raises
    ------
    CycleError
        The graph has a cycle; the error has the vertices of one.
    TokenError
        ``tokens`` is a string instead of a list.
    ParseError
        The input does not follow its format, or the manifest or a work file is damaged.
    FormatError
        The format cannot be read edge by edge.
    MissingExtraError
        The input is Parquet, or ``engine`` is "compiled", and the extra ``parquet`` or ``fast`` is not installed.
    ParameterError
        The work folder has files but no manifest, is in use or, if ``resume`` is true, has other work. Or
        ``memory_limit`` is not a size. Or ``edges`` is a folder without Parquet files.
    LimitError
        There is not enough memory or disk space, or the input has more bytes than allowed.
    OSError
        A file cannot be read or written.

    Notes
    -----
    The time is O(n + m) for n vertices and m edges. The disk space is about 12 bytes for each edge (16 while edges that
    were read are numbered again) and 20 bytes for each vertex, plus the labels. Labels that are consecutive integers
    take no space. Other labels take 8 bytes each, plus their texts if they are strings. If they are integers that are
    close together, each integer from the least to the largest takes 4 more bytes until the edges are grouped. The edges
    are sorted into buckets by target, and each bucket is grouped in memory. Then the pass of
    :mod:`graphgame.solution.sprague_grundy` reads the rows from memory-mapped files. This is the semi-external model of
    J. Abello, A. L. Buchsbaum and J. R. Westbrook, A functional approach to external graph algorithms, Algorithmica 32
    (2002).

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
    if isinstance(tokens, (str, bytes)):
        raise TokenError("tokens is a list of positions: write [{tokens!r}]", tokens)
    limit = parse_size(memory_limit)
    report: StageProgress = progress or (lambda stage, done, total: None)
    with Input(edges, format, lambda done, total: report("reading", done, total), max_bytes) as source:
        compiled = use_compiled(COMPILED_FROM if source.edges is None else source.edges, engine)
        work = Workdir(workdir, source.identity(), resume)
        try:
            stages = _Stages(work, Settings(limit, compiled), report, tell)
            stages.group(source)
            stages.solve()
            return ExternalSolution(work, tokens)
        except BaseException:
            work.close()
            raise


class _Stages:
    """Runs the stages of the work. A stage that the work folder records as finished is skipped."""

    def __init__(
        self, workdir: Workdir, settings: Settings, report: StageProgress, tell: Callable[[str], None] | None
    ) -> None:
        self._workdir, self._settings, self._report = workdir, settings, report
        self._tell = tell or (lambda message: None)
        self._has_reported_size = False

    def group(self, source: Input) -> None:
        """Run the stages ``scan`` and ``group``: read the input into a spool, and group its edges into rows."""
        work = self._workdir
        if work.stage("scan") is not None and work.stage("values") is None:
            if work.stage("rows") is None:
                self._tell(Message("continuing the work in {path}: all edges have been read", work.path))
            else:
                self._tell(Message("continuing the work in {path}: all edges have been grouped", work.path))
        if work.stage("scan") is None:
            self._check_size(source.vertices, source.edges, _DISK_OF_EDGE)
            source.read(EdgeStore(work, self._settings, source.edges or 0))
        if work.stage("rows") is None:
            scan = work.stage("scan")
            self._check_size(scan["vertices"], scan["edges"], 4)
            group_spool(work, self._settings, lambda done, total: self._report("grouping", done, total))
        work.remove(work.stage("scan")["spool"][0], "counts", "ranks")

    def _check_size(self, vertices: int | None, edges: int | None, bytes_of_edge: int) -> None:
        """Tell the user how much disk space and memory is needed; raise LimitError if there is not enough.

        ``vertices`` or ``edges`` is None if the number is unknown, and then counts as 0. ``bytes_of_edge`` is the disk
        space for each edge. The user is told nothing if ``edges`` is None, or after a call that knew both numbers.
        """
        memory = (_MEMORY_TO_VERIFY_VERTEX if self._settings.options else _MEMORY_OF_VERTEX) * (vertices or 0)
        disk = bytes_of_edge * (edges or 0) + _DISK_OF_VERTEX * (vertices or 0)
        if edges is not None and not self._has_reported_size:
            self._has_reported_size = vertices is not None
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
        self._workdir.check_room(disk, Message("sorting {edges}", plural(edges or 0, "edge")))
        self._check_memory(memory, plural(vertices or 0, "vertex"))

    def _check_memory(self, need: int, what: str) -> None:
        if need > self._settings.memory:
            needed, limit = size_text(need), size_text(self._settings.memory)
            raise LimitError(
                "{what}: {need} of memory are needed, the limit is {limit}", what, needed, limit, limit="memory"
            )

    def solve(self) -> None:
        """Run the pass over the mapped rows, and write the values."""
        if self._workdir.stage("values") is not None:
            return
        work, rows = self._workdir, mapped_rows(self._workdir)
        degrees = work.array("degrees", np.int32, in_memory=True)
        self._check_memory_of_pass(degrees)
        if self._settings.compiled:
            values, order = compiled_grundy(rows, degrees, None, 0, *self._steps(rows, len(degrees)))
        else:
            values, order = plain_grundy(rows, degrees, None, 0)
        if len(order) < len(values):
            raise CycleError(labels_of(work).take(unsolved_cycle(rows, order)))
        file = work.file("values", fresh=True)
        file.write(values)
        work.record("values", {}, file)
        file.close()

    def _steps(self, rows: Rows, vertices: int) -> tuple[int, Callable[[int], None]]:
        """Return the number of vertices in a step of the pass, and a function that the pass calls after each step.

        The function reports progress. If the rows do not fit in memory, it also frees the memory of mapped pages.
        """
        # A vertex may touch pages of pointers and of indices that no other vertex touches. Allow four pages for each
        # vertex, and make steps so small that their pages fit in the memory that the arrays of the pass leave free.
        room = self._settings.memory - _MEMORY_OF_VERTEX * vertices
        is_large = sum(array.nbytes for array in rows) > room
        step = max(_MIN_STEP, min(_MAX_STEP, room // (4 * _PAGE))) if is_large else _MAX_STEP

        def after_step(solved: int) -> None:
            if is_large:
                release(rows)
            self._report("solving", solved, vertices)

        return step, after_step

    def _check_memory_of_pass(self, degrees: np.ndarray) -> None:
        """Raise LimitError if the pass needs more memory than allowed, given the out-degrees of all vertices."""
        if self._settings.compiled:
            # A vertex of out-degree d needs a bit for each value up to d. _MEMORY_OF_VERTEX includes the first 64 bits;
            # the others are in d // 64 more words.
            words = int((degrees >> 6).sum(dtype=np.int64))
            need, hint = _MEMORY_OF_VERTEX * len(degrees) + (8 * (words + len(degrees)) if words else 0), ""
        else:
            vertex, edge = _PLAIN_MEMORY
            need = vertex * len(degrees) + edge * self._workdir.stage("rows")["edges"]
            hint = Message(" without compiled loops, which {command} installs", install_command("fast"))
        self._check_memory(need, plural(len(degrees), "vertex") + hint)


class MappedGraph(GameGraph):
    """A graph whose rows of options are in memory-mapped files. Rows of predecessors are made in memory when needed."""

    _workdir: Workdir

    @classmethod
    def open(cls, workdir: Workdir) -> MappedGraph:
        """Return the graph in a work folder with the purpose "verify", whose rows are finished."""
        labels = labels_of(workdir)
        # A search for one text reads the mapped file. To look up every position this is too slow: read all texts.
        in_memory = as_labels(list(labels)) if isinstance(labels, MappedTexts) else labels
        self = cls._of_options(mapped_rows(workdir), in_memory, None, workdir.stage("scan")["tokens"])
        self._workdir = workdir
        return self

    def play_order(self) -> np.ndarray:
        """Return the vertex numbers, each after all its options; raise CycleError with a cycle if there is one."""
        # The rows have options, so freed_order returns each vertex before its options, and the file "degrees" has
        # in-degrees. Reverse the order at the end.
        rows = self.option_rows
        order = freed_order(rows, self._workdir.array("degrees", np.int32, in_memory=True))
        if len(order) < len(self):
            raise CycleError(self.labels.take(unsolved_cycle(rows, order)[::-1]))
        release(rows)
        return order[::-1]

    def close(self) -> None:
        """Drop all references to the mapped files, so that they can be deleted."""
        self.__dict__.clear()


@checks_parameters
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
    r"""Open a graph whose edges stay on disk, to verify values of it. Use it in a ``with`` statement.

    Except for ``keep``, the parameters are those of :func:`graphgame.scale.disk.solve`, and so are the errors. But each
    vertex needs 60 bytes of memory, strings are read into memory too, and a cycle is no error here. Solving and
    verifying need different work files, so they cannot share a folder. At the end of the ``with`` statement the files
    are deleted, unless ``keep`` is true or an error occurred.

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
    "the value 3 is not justified: no option has the value 2; the mex of the options' values {0, 1} is 2"
    """
    limit = parse_size(memory_limit)
    report: StageProgress = progress or (lambda stage, done, total: None)
    with Input(edges, format, lambda done, total: report("reading", done, total)) as source:
        compiled = use_compiled(COMPILED_FROM if source.edges is None else source.edges)
        work = Workdir(workdir, source.identity(), resume, "verify")
        try:
            _Stages(work, Settings(limit, compiled, options=True), report, tell).group(source)
            graph = MappedGraph.open(work)
            yield graph
            graph.close()
        except BaseException:
            work.close()
            raise
    if keep:
        work.close()
    else:
        work.clear()


_ENTRIES = 1 << 22
"""The number of entries of rows that are processed at a time."""

_MEMORY_TO_GROUP_EDGE = 16
"""The bytes of memory for grouping an edge: source and target as int32, before and after sorting."""

_MEMORY_OF_STATE = 8
"""The bytes of memory that a thread needs for each vertex: two int32, see ``_Grouping._state``."""


def group_spool(workdir: Workdir, settings: Settings, progress: Progress) -> None:
    """Make rows of the edges in the spool, and write them to the work files ``pointers`` and ``indices``.

    Also write ``degrees``, the number of rows that contain each vertex, and ``roots``, the vertices with empty rows.
    After an interruption, finished buckets are not repeated. Raises LimitError if grouping the edges of a bucket needs
    more memory than allowed.
    """
    scan = workdir.stage("scan")
    work = _Grouping(workdir, settings, scan["vertices"], scan["least"], scan["spool"])
    if workdir.stage("group") is None:
        workdir.record("group", {"buckets": 0})
    buckets = range(workdir.stage("group")["buckets"], work.buckets)
    # Threads group the next buckets while one bucket is written. Buckets are written in their order.
    with BackgroundWriter() as writer:
        grouped = (
            prefetched(work.group, buckets) if work.cores > 1 else ((bucket, work.group(bucket)) for bucket in buckets)
        )
        for bucket, rows in grouped:
            writer.do(partial(work.write, bucket, *rows))
            progress(bucket + 1, work.buckets)
    work.finish()


def mapped_rows(workdir: Workdir) -> Rows:
    """Return the rows of a work folder, as arrays over memory-mapped files."""
    return Rows(workdir.array("pointers", np.int64), workdir.array("indices", np.int32))


def release(rows: Rows) -> None:
    """Free the memory of mapped rows, if the operating system can. Their next use reads them from disk again."""
    advice = getattr(mmap, "MADV_DONTNEED", None)
    for array in rows:
        if advice is not None and isinstance(array.base, mmap.mmap):
            array.base.madvise(advice)


def option_batches(rows: Rows, vertices: np.ndarray) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Yield all moves out of the vertices for which ``vertices`` is true, in batches of sources and targets.

    ``rows`` are rows of predecessors, and all of them are read once.
    """
    for start in range(0, len(rows.indices), _ENTRIES):
        source = rows.indices[start : start + _ENTRIES]
        entries = np.flatnonzero(vertices[source])
        if len(entries):
            yield source[entries], np.searchsorted(rows.pointers, entries + start, "right") - 1


def unsolved_cycle(rows: Rows, solved: np.ndarray) -> np.ndarray:
    """Return the vertices of one cycle, in the order of play.

    ``rows`` are rows of predecessors. ``solved`` lists the vertices that the pass solved; at least one must be
    missing.
    """
    # Every unsolved vertex has an unsolved option. Go from vertex to vertex by such options: this leads into a cycle.
    unsolved = ~marked(solved, len(rows.pointers) - 1)
    option = np.full(len(unsolved), -1, np.int32)
    for source, target in option_batches(rows, unsolved):
        is_unsolved = unsolved[target]
        option[source[is_unsolved]] = target[is_unsolved]
    return np.array(cycle_from(int(np.argmax(unsolved)), lambda vertex: int(option[vertex])))


class _Grouping:
    """Groups the edges of a spool into rows, bucket by bucket.

    ``vertices`` is the number of vertices, and ``least`` is the number of vertex 0 in the spool. ``spool`` has all
    arguments of :class:`Buckets` except the work folder. All three come from the record of the stage ``scan``. The
    methods number the buckets from the bucket of vertex 0 on: bucket k is the bucket ``(least >> bits) + k`` of the
    spool. It may have no edges. The rows have predecessors or, if the spool is reversed, options.
    """

    # The spool has its own numbers for the vertices, from ``least`` on. If these have no gaps, the number n stands for
    # the vertex n - least, otherwise for the vertex ranks[n - least]; ``ranks`` is a work file.
    def __init__(
        self, workdir: Workdir, settings: Settings, vertices: int, least: int, spool: tuple[str, int, int, int]
    ) -> None:
        self._workdir, self._settings = workdir, settings
        self._vertices, self._least = vertices, least
        self._edges = Buckets(workdir, *spool)
        self._ranks = workdir.array("ranks", np.int32, in_memory=True) if workdir.has("ranks") else None
        span = vertices if self._ranks is None else len(self._ranks)
        self._first = least >> self._edges.bits
        self.buckets = ((least + span - 1) >> self._edges.bits) - self._first + 1 if span else 0
        # Each thread groups a bucket and counts degrees. One more bucket may wait to be written, and another one is
        # being written. If this needs too much memory, use a single thread.
        largest = max(map(self._edges.size, range(self._first, self._first + self.buckets)), default=0)
        need = (threads() + 2) * _MEMORY_TO_GROUP_EDGE * largest + threads() * _MEMORY_OF_STATE * vertices
        self.cores = threads() if need <= settings.memory else 1
        self._states: SimpleQueue[np.ndarray] = SimpleQueue()
        for _ in range(self.cores):
            self._states.put(np.zeros((vertices, 2), np.int32))
        if workdir.has("indices"):
            with self._state() as state:
                self._count(workdir.array("indices", np.int32), state)
        self._files = [workdir.file(name) for name in ("pointers", "indices", "roots")]

    def group(self, number: int) -> tuple[int, np.ndarray, np.ndarray]:
        """Return the first vertex of a bucket, and the CSR arrays of its rows: pointers, starting at 0, and indices."""
        bucket = self._first + number
        begin, end = (self._first_vertex(limit << self._edges.bits) for limit in (bucket, bucket + 1))
        self._check_memory(self._edges.size(bucket))
        source, target = map(self._vertices_of, self._edges.read(bucket))
        pointers, indices = self._rows_of(source, target - np.int32(begin), begin, end - begin)
        return begin, pointers, indices

    def write(self, number: int, begin: int, pointers: np.ndarray, indices: np.ndarray) -> None:
        """Append the rows of a bucket to the work files, and record that the bucket is finished.

        The arguments are the number of the bucket and what :meth:`group` returned for it.
        """
        written = self._files[1].size // 4
        self._files[0].write(pointers[:-1] + written)
        self._files[1].write(indices)
        # Write the vertices with empty rows. If rows have predecessors, no move leads to these vertices.
        self._files[2].write((np.flatnonzero(np.diff(pointers) == 0) + begin).astype(np.int32))
        self._workdir.record("group", {"buckets": number + 1}, *self._files)

    def finish(self) -> None:
        """Write the last pointer and the degrees, and record that all edges are grouped."""
        self._files[0].write(np.array([self._files[1].size // 4], np.int64))
        degrees = self._workdir.file("degrees", fresh=True)
        states = [self._states.get() for _ in range(self.cores)]
        for state in states[1:]:
            states[0][:, 1] += state[:, 1]
        degrees.write(states[0][:, 1])
        self._workdir.record("rows", {"edges": self._files[1].size // 4}, degrees, *self._files)
        for file in (degrees, *self._files):
            file.close()

    def _first_vertex(self, number: int) -> int:
        """Return the first vertex whose number in the spool is at least ``number``.

        If there is none, return the number of vertices.
        """
        above = number - self._least
        if self._ranks is None:
            return min(max(above, 0), self._vertices)
        return int(self._ranks[min(above, len(self._ranks)) - 1]) + 1 if above > 0 else 0

    def _vertices_of(self, numbers: np.ndarray) -> np.ndarray:
        """Return the vertices that have these numbers in the spool. ``numbers`` may be overwritten."""
        if self._least:
            numbers -= np.int32(self._least)
        return numbers if self._ranks is None else self._ranks[numbers]

    def _rows_of(self, source: np.ndarray, row: np.ndarray, first: int, rows: int) -> tuple[np.ndarray, np.ndarray]:
        """Group the edges of a bucket into rows: return the CSR pointers and indices, without parallel edges.

        Each edge has its source in ``source``, and the index of its row in ``row``. The bucket has ``rows`` rows, with
        the indices 0 to ``rows - 1``; row i belongs to the vertex ``first + i``. Also count for each source the rows
        that contain it, so parallel edges count once; see :meth:`_state`.
        """
        if self._settings.compiled:
            pointers, indices = np.zeros(rows + 2, np.int64), np.empty(len(source), np.int32)
            with self._state() as state:
                size = kernels.group_rows(source, row, None, pointers, indices, state, first)
            return pointers[:-1], indices[:size]
        edges = np.unique(row.astype(np.int64) * self._vertices + source)
        indices = (edges % max(self._vertices, 1)).astype(np.int32)
        with self._state() as state:
            self._count(indices, state)
        return np.searchsorted(edges, np.arange(rows + 1) * self._vertices), indices

    @contextmanager
    def _state(self) -> Iterator[np.ndarray]:
        """Lend working memory to a thread: an array with a row of two numbers for each vertex.

        The first is the last row in which the vertex occurred: by it, ``group_rows`` recognizes parallel edges. The
        second is the degree: the number of rows that contain the vertex, among those that used this array. ``finish``
        adds up the degrees of all arrays.
        """
        state = self._states.get()
        try:
            yield state
        finally:
            self._states.put(state)

    def _count(self, indices: np.ndarray, state: np.ndarray) -> None:
        """Add the number of times that each vertex occurs in ``indices`` to its degree in ``state``."""
        for start in range(0, len(indices), _ENTRIES):
            part = indices[start : start + _ENTRIES]
            # A histogram takes time for every vertex, so few entries are added one by one.
            if len(part) * 4 < self._vertices:
                np.add.at(state[:, 1], part, 1)
            else:
                state[:, 1] += np.bincount(part, minlength=self._vertices).astype(np.int32)

    def _check_memory(self, edges: int) -> None:
        need = _MEMORY_TO_GROUP_EDGE * edges + _MEMORY_OF_STATE * self._vertices
        if need > self._settings.memory:
            raise LimitError(
                "grouping the {edges:,} edges of up to {count:,} positions at once needs {need} of memory",
                edges,
                1 << self._edges.bits,
                size_text(need),
                limit="memory",
            )
