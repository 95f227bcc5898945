"""Read edges from files to disk: number the positions, and write edges and labels to work files.

If all positions are integers that are close together, and a reader passes them as integers, they are numbered in
increasing order. Otherwise each position gets the next number when it is first read; for a block of edges, a reader may
pass all sources first, then all targets. It may turn out only while reading that integers are too far apart, or that
some labels are strings. Then the edges that were read before are numbered again, in the order of the spool.

The spool is the work file of the edges; :mod:`graphgame.labs.scale.disk.workdir` describes it. ``scan`` is the first
stage of the work, and ends when all edges are read; :mod:`graphgame.labs.scale.disk.solution` lists the stages.
"""

from __future__ import annotations

import os
import re
import secrets
from abc import abstractmethod
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

from graphgame.errors import FormatError, LimitError, ParameterError
from graphgame.graph.interning import Texts, texts
from graphgame.graph.kernels import mark
from graphgame.graph.labels import Labels, as_labels
from graphgame.io import delimited, tokenfile
from graphgame.io.edge_stores import Words
from graphgame.io.files import PathLike, ReadProgress
from graphgame.io.formats import detect, format_named
from graphgame.io.interchange import TokensOf, is_integer
from graphgame.io.scanner import ALONE
from graphgame.io.source import Source
from graphgame.labs.formats import tables
from graphgame.labs.scale.disk import workdir
from graphgame.labs.scale.disk.workdir import Spool, Workdir, size_text

_LABELS_AT_A_TIME = 1 << 16


class _MappedLabels(Labels):
    """Labels in a mapped file. To find a position, :meth:`find` compares it with many labels at a time."""

    def __iter__(self) -> Iterator[Hashable]:
        parts = range(0, len(self), _LABELS_AT_A_TIME)
        return chain.from_iterable(self[start : start + _LABELS_AT_A_TIME] for start in parts)

    def find(self, position: object) -> int:
        hash(position)
        for start in range(0, len(self), _LABELS_AT_A_TIME):
            indices = self._equal(position, start, start + _LABELS_AT_A_TIME)
            if len(indices):
                return start + int(indices[0])
        raise KeyError(position)

    @abstractmethod
    def _equal(self, position: Any, start: int, end: int) -> Sequence[int] | np.ndarray:  # noqa: ANN401
        """Return the indices, counted from ``start``, of the labels ``start`` to ``end`` - 1 that equal a position."""


class MappedIntegers(_MappedLabels):
    """Labels that are integers in any order: an int64 array."""

    def __init__(self, values: np.ndarray) -> None:
        self._positions = values

    def at(self, number: int) -> int:  # noqa: D102
        return int(self._positions[number])

    def column(self, numbers: np.ndarray) -> np.ndarray:  # noqa: D102
        return self._positions[numbers]  # type: ignore[no-any-return]

    def take(self, numbers: np.ndarray) -> list[Hashable]:  # noqa: D102
        return self.column(numbers).tolist()  # type: ignore[no-any-return]

    def _equal(self, position: Any, start: int, end: int) -> Sequence[int] | np.ndarray:  # noqa: ANN401
        is_int64 = isinstance(position, int | np.integer) and -(2**63) <= position < 2**63
        return np.flatnonzero(self._positions[start:end] == position) if is_int64 else ()


class MappedTexts(_MappedLabels):
    """Labels that are strings, one after another in UTF-8: label i is ``text[starts[i]:starts[i + 1]]``."""

    def __init__(self, text: np.ndarray, starts: np.ndarray) -> None:
        self.text, self.starts = text, starts

    def __len__(self) -> int:
        return len(self.starts) - 1

    def at(self, number: int) -> str:  # noqa: D102
        return self.text[self.starts[number] : self.starts[number + 1]].tobytes().decode(errors="surrogatepass")

    def take(self, numbers: np.ndarray) -> list[Hashable]:  # noqa: D102
        return list(map(self.at, numbers.tolist()))

    def _equal(self, position: Any, start: int, end: int) -> Sequence[int] | np.ndarray:  # noqa: ANN401
        if not isinstance(position, str):
            return ()
        label, starts = position.encode(errors="surrogatepass"), self.starts[start : end + 1]
        indices = np.flatnonzero(np.diff(starts) == len(label))
        # Labels often differ only in a number at their end, so compare the last bytes first.
        for offset in reversed(range(len(label))):
            indices = indices[self.text[starts[indices] + offset] == label[offset]]
        return indices


class IntegerRange:
    """A set of integers that are close together: a table with a byte for each integer from the smallest to the largest.

    The table may have at most ``most_bytes`` bytes, and at most 2**26 + 4 * n bytes; spare bytes at its ends do not
    count. Here n is the larger of two numbers: the count of integers added so far, with repeats, and ``expected``, an
    estimate of this count at the end. ``compiled`` tells whether compiled loops add the integers.
    """

    def __init__(self, most_bytes: int, compiled: bool, expected: int = 0) -> None:
        self._most = most_bytes
        self._compiled = compiled
        self._first = 0
        self._occurs = np.zeros(0, np.bool_)
        self._bounds: tuple[int, int] | None = None
        self._seen, self._expected = 0, expected

    def numbers(self, values: np.ndarray) -> np.ndarray | None:
        """Mark in the table that these integers occur, and return them as int32.

        Return None, and mark nothing, if the table would have too many bytes, or if an integer is not in
        -2**31..2**31-2.
        """
        if len(values) == 0:
            return values.astype(np.int32)
        low, high = int(values.min()), int(values.max())
        if self._bounds is not None:
            low, high = min(low, self._bounds[0]), max(high, self._bounds[1])
        self._seen += len(values)
        # The table may have 2**26 bytes, plus four for each integer. The number of integers is the number added so far
        # or the number expected at the end, whichever is larger.
        most = min(self._most, 4 * max(self._seen, self._expected) + (1 << 26))
        if not -(2**31) <= low <= high < 2**31 - 1 or high - low >= most:
            return None
        self._bounds = low, high
        self._make_room(low, high)
        if self._compiled:
            mark(values, self._first, self._occurs)
        else:
            self._occurs[values - self._first] = True
        return values.astype(np.int32, copy=False)

    def finish(self) -> tuple[int, np.ndarray]:
        """Return the smallest integer m, and an array of booleans: entry i tells whether m + i occurs.

        Without any integers, return 0 and an empty array.
        """
        if self._bounds is None:
            return 0, np.zeros(0, np.bool_)
        low, high = self._bounds
        return low, self._occurs[low - self._first : high - self._first + 1]

    def _make_room(self, low: int, high: int) -> None:
        """Enlarge the table, if necessary, so that it has a byte for each integer from ``low`` to ``high``.

        When the table is enlarged, it also gets spare bytes for further integers.
        """
        first = self._first if len(self._occurs) else low
        end = first + len(self._occurs)
        if low < first or high >= end:
            spare = (high - low) // 4
            self._first = first if first <= low else low - spare
            grown = np.zeros(max(high + spare + 1, end) - self._first, np.bool_)
            grown[first - self._first : end - self._first] = self._occurs
            self._occurs = grown


_EDGE_SHARE, _LABEL_SHARE, _SPAN_SHARE = 128, 2, 8
"""How the memory limit is divided: a block has one edge for each 128 bytes of the limit, but at least
_MIN_EDGES_OF_BLOCK and at most _MAX_EDGES_OF_BLOCK edges. Labels may take 1/2 of the limit, and the table of an
:class:`IntegerRange` 1/8."""

_MAX_EDGES_OF_BLOCK, _MIN_EDGES_OF_BLOCK = 1 << 23, 1 << 12


@dataclass(frozen=True)
class Settings:
    """How to work on disk.

    Attributes
    ----------
    memory : int
        The maximum number of bytes of memory for arrays.
    compiled : bool
        Whether loops run compiled.
    options : bool
        Whether the row of a vertex has its options, as ``verify`` needs them, instead of its predecessors.
    """

    memory: int
    compiled: bool
    options: bool = False

    @property
    def block(self) -> int:
        """The number of edges in a full block of the spool."""
        return max(_MIN_EDGES_OF_BLOCK, min(_MAX_EDGES_OF_BLOCK, self.memory // _EDGE_SHARE))


class EdgeStore:
    """A store on disk for edges between integers, or between strings.

    ``edges`` is an estimate of the number of edges, 0 if there is none. The store has the interface of the stores in
    :mod:`graphgame.io.edge_stores`, so that the readers of edge lists and tables can fill it. At the end, one of the
    methods ``graph`` and ``finish_...`` writes the labels and records the stage ``scan`` in the work folder. Their
    argument ``tokens`` is a function. It is called with the labels, and with True if these are integers; it returns the
    list of the tokens, or None if there are none.
    """

    def __init__(self, workdir: Workdir, settings: Settings, edges: int = 0) -> None:
        self._workdir, self._settings = workdir, settings
        room = settings.memory // _SPAN_SHARE
        self._range: IntegerRange | None = IntegerRange(room, settings.compiled, 2 * edges)
        self._texts = self._no_texts()
        self._spools = 0
        self._spool = self._new_spool()

    def add(self, values: np.ndarray) -> None:
        """Add edges: ``values`` has a source, its target, the next source, and so on.

        If a target is ``ALONE``, the source is added as a vertex without an edge.
        """
        source, target = values[::2], values[1::2]
        is_edge = target != ALONE
        self.add_vertices(source[~is_edge])
        self.append(source[is_edge], target[is_edge])

    def append(self, source: np.ndarray, target: np.ndarray) -> None:
        """Add edges between integers, given their sources and their targets."""
        numbers = self._numbers(np.concatenate([source, target]))
        self.append_numbers(numbers[: len(source)], numbers[len(source) :])

    def add_vertices(self, vertices: np.ndarray) -> None:
        """Add vertices, given as integers. They need not have edges."""
        self._numbers(vertices)

    def append_numbers(self, source: np.ndarray, target: np.ndarray) -> None:
        """Add edges, given the numbers of their sources and targets that the methods ``number_...`` returned.

        In a store that :meth:`finish_vertices` finishes, the numbers are vertex numbers, from 0 on.
        """
        self._spool.add(source, target)

    def number_texts(self, data: np.ndarray, offsets: np.ndarray) -> np.ndarray:
        """Return the number of each label, where label i has the bytes ``data[offsets[i]:offsets[i + 1]]``.

        A new label gets the next number, from 0 on.
        """
        self._range = None
        return self._texts.numbers(data, offsets)

    def number_words(self, labels: Sequence[str]) -> np.ndarray:
        """Return the number of each label. Labels are strings; a new one gets the next number, from 0 on."""
        self._range = None
        return self._texts.numbers_of(labels)

    def words(self, source: Source, *, compiled: bool) -> Words[None]:
        """Return a store for labels of any kind, to which all edges and vertices so far are moved.

        A reader calls this at the first label that is not an integer. ``source`` and ``compiled`` are not used here:
        stores in memory need them.
        """
        words = Words(self)
        old, integer_of, vertices = self._start_again()
        for starts, ends in old.edges():
            words.add_integers(integer_of(starts), integer_of(ends))
        for vertex in vertices.tolist():
            words.add(str(vertex), [])
        self._drop(old)
        return words

    def graph(self, tokens: TokensOf) -> None:
        """Write the labels, which are all integers, and record the stage ``scan`` with the tokens."""
        if self._range is None:
            values = self._texts.finish()[0].view(np.int64)
            self._finish({"kind": "integers"}, tokens, MappedIntegers(values), {"labels": values})
            return
        least, occurs = self._range.finish()
        if occurs.all():
            labels = as_labels(range(least, least + len(occurs)))
            self._finish({"kind": "range", "first": least}, tokens, labels, {}, least)
            return
        # The spool stores integer labels, not vertex numbers. Not every integer in the range is a label, so the vertex
        # of a label is ranks[label - least].
        values = np.flatnonzero(occurs) + least
        ranks = np.cumsum(occurs, dtype=np.int32) - np.int32(1)
        arrays: dict[str, np.ndarray] = {"labels": values, "ranks": ranks}
        self._finish({"kind": "increasing"}, tokens, as_labels(values), arrays, least)

    def finish_strings(self, tokens: TokensOf) -> None:
        """Write the labels, which are all strings, and record the stage ``scan``."""
        text, starts = self._texts.finish()
        labels = MappedTexts(text, starts)
        self._finish({"kind": "strings"}, tokens, labels, {"labels": text, "starts": starts})

    def finish_words(self, tokens: TokensOf, quoted: bool) -> None:
        """Write the labels, which are words of a text file, and record the stage ``scan``.

        The labels are integers if ``quoted`` is False and all words can be read as integer labels; otherwise strings.
        ``quoted`` says whether any label in the file was in quotes. In CSV it is False, as quotes mean nothing there.
        """
        labels = MappedTexts(*self._texts.finish())
        if not quoted and all(is_integer(str(label)) for label in labels):
            values = np.array([int(str(label)) for label in labels], np.int64)
            self._finish({"kind": "integers"}, tokens, MappedIntegers(values), {"labels": values})
        else:
            self.finish_strings(tokens)

    def finish_vertices(self, first: int, count: int, tokens: TokensOf) -> None:
        """Record the stage ``scan`` for ``count`` vertices whose labels are the integers from ``first`` on."""
        self._finish({"kind": "range", "first": first}, tokens, as_labels(range(first, first + count)), {})

    def _finish(
        self, kind: dict[str, Any], tokens: TokensOf, labels: Labels, arrays: dict[str, np.ndarray], least: int = 0
    ) -> None:
        """Write ``arrays`` (file name -> array) to work files, and record the stage ``scan``.

        Also write the file ``counts``: for each block of the spool, the number of its edges in each bucket. ``kind``
        describes the labels in the record. ``least`` is the number that vertex 0 has in the spool.
        """
        on_positions = tokens(labels, kind["kind"] != "strings")
        first, counts = self._spool.finish()
        files = [self._spool.file]
        for name, array in {"counts": counts, **arrays}.items():
            files.append(self._workdir.file(name, fresh=True))
            files[-1].write(array)
        record = {
            "labels": kind,
            "vertices": len(labels),
            "edges": int(counts.sum()),
            "least": least,
            "spool": [self._spool.file.name, first, len(counts), workdir.BUCKET_BITS],
            "tokens": on_positions,
        }
        self._workdir.record("scan", record, *files)
        for file in files:
            file.close()

    def _numbers(self, values: np.ndarray) -> np.ndarray:
        """Return the numbers of integer labels for the spool.

        As long as all labels so far are close together, each is its own number. After that, the earlier labels
        are numbered again from 0 on, in the order of the spool, and each new label gets the next number.
        """
        if self._range is not None:
            numbers = self._range.numbers(values)
            if numbers is not None:
                return numbers
            self._number_by_occurrence()
        # If integers are far apart, the table of texts numbers them: the 8 bytes of an integer serve as its text.
        offsets = np.arange(len(values) + 1, dtype=np.int64) * 8
        return self._texts.numbers(values.astype(np.int64).view(np.uint8), offsets)

    def _number_by_occurrence(self) -> None:
        """Start to number labels one after another; number all edges and vertices so far again in this way."""
        old, integer_of, vertices = self._start_again()
        for starts, ends in old.edges():
            self.append(integer_of(starts), integer_of(ends))
        for start in range(0, len(vertices), _LABELS_AT_A_TIME):
            self._numbers(vertices[start : start + _LABELS_AT_A_TIME])
        self._drop(old)

    def _drop(self, edges: Spool) -> None:
        edges.file.close()
        self._workdir.remove(edges.file.name)

    def _start_again(self) -> tuple[Spool, Any, np.ndarray]:
        """Start a new spool. Return the old spool, a function from its numbers to labels, and all labels so far.

        The function takes an array of numbers in the old spool, and returns an array of labels. All labels so far are
        integers. They include the labels of vertices without edges.
        """
        old, self._spool = self._spool, self._new_spool()
        if self._range is not None:
            least, occurs = self._range.finish()
            self._range = None
            return old, lambda numbers: numbers.astype(np.int64), np.flatnonzero(occurs) + least
        values = self._texts.finish()[0].view(np.int64)
        self._texts = self._no_texts()
        return old, lambda numbers: values[numbers], values

    def _new_spool(self) -> Spool:
        file = self._workdir.file(f"edges-{self._spools}", fresh=True)
        self._spools += 1
        return Spool(file, self._settings.block, self._settings.compiled, self._settings.options)

    def _no_texts(self) -> Texts:
        return texts(self._settings.compiled, self._allow)

    def _allow(self, need: int, labels: int) -> None:
        """Raise LimitError if a table of this number of ``labels``, which needs ``need`` bytes, is too large.

        Labels may take half of the memory limit.
        """
        most = self._settings.memory // _LABEL_SHARE
        if need > most:
            raise LimitError(
                "the labels of {labels:,} positions need {need} of memory, but labels may use only {most} of the "
                "memory limit",
                labels,
                size_text(need),
                size_text(most),
                limit="memory",
            )


def labels_of(workdir: Workdir, in_memory: bool = False) -> Labels:
    """Return the labels in a work folder after the stage ``scan``: in mapped files or, if ``in_memory``, in memory."""
    record = workdir.stage("scan")
    kind = record["labels"]["kind"]
    if kind == "range":
        first = record["labels"]["first"]
        return as_labels(range(first, first + record["vertices"]))
    if kind == "strings":
        files = (("labels", np.uint8), ("starts", np.int64))
        return MappedTexts(*(workdir.array(name, kind, in_memory) for name, kind in files))
    values = workdir.array("labels", np.int64, in_memory)
    return as_labels(values) if kind == "increasing" else MappedIntegers(values)


STREAMED = ("token", "edgelist", "csv", "tsv", "parquet")
"""The formats that can be read edge by edge."""

_BYTES_OF_HEAD = 1 << 16
_HEADER = re.compile(rb"\s*(\d{1,10})\s+(\d{1,12})\s+\d+\s")


class Input:
    """An input to read edge by edge: a file, ``-`` for standard input, or a folder of Parquet files.

    Raises FormatError if the format cannot be read edge by edge. The attributes ``vertices`` and ``edges`` are
    estimates of the numbers of vertices and edges; each is None if there is no estimate before reading.
    """

    def __init__(
        self,
        path: PathLike,
        format: str | None = None,
        progress: ReadProgress | None = None,
        max_bytes: int | None = None,
    ) -> None:
        self._paths = _parts(path)
        self._open = partial(Source, progress=progress, max_bytes=max_bytes)
        self._first = self._open(self._paths[0])
        try:
            self.format = format_named(format) if format else detect(self._first)[0]
            self._first.strict = format is not None
            if self.format.name not in STREAMED:
                raise FormatError(
                    "files of the format {name!r} cannot be read edge by edge: to solve or verify on disk, use one of "
                    "the formats {streamed}",
                    self.format.name,
                    ", ".join(STREAMED),
                )
            self.vertices, self.edges = self._expected(self._first)
        except BaseException:
            self._first.close()
            raise

    def __enter__(self) -> Input:
        return self

    def __exit__(self, *_: object) -> None:
        self._first.close()

    def identity(self) -> dict[str, Any]:
        """Return JSON data by which a work folder recognizes this input.

        It has the format, the columns, and the name, size and modification time of each file. For standard input it is
        different in each run.
        """
        files: list[Any] = [secrets.token_hex(8)]
        if self._paths[0] != "-":
            stats = [(Path(path).name, Path(path).stat()) for path in self._paths]
            files = [[name, stat.st_size, stat.st_mtime_ns] for name, stat in stats]
        columns = [list(self._first.columns)] if self._first.columns != (None, None) else []
        return {"format": self.format.name, "files": [*files, *columns]}

    def read(self, collector: EdgeStore) -> None:
        """Read all edges into the collector, which records the stage ``scan``."""
        if self.format.name == "parquet":
            self._read_tables(collector)
        elif self.format.name == "token":
            _, vertices, tokens = tokenfile.scan(self._first, lambda vertices, edges: _Ends(collector))
            collector.finish_vertices(1, vertices, lambda *_: list(tokens))
        else:
            delimited.scan(self._first, collector, **self.format.options)
        self._first.warn_of_guesses(self.format.name)

    def _read_tables(self, collector: EdgeStore) -> None:
        kinds: set[bool] = set()

        def store(texts: bool, rows: int) -> EdgeStore:
            kinds.add(texts)
            if len(kinds) > 1:
                raise FormatError(
                    "some files of the folder hold integers and some hold strings: expected only integers or only "
                    "strings"
                )
            return collector

        readers = []
        for source in chain([self._first], map(self._open, self._paths[1:])):
            with source:
                readers.append(tables.scan(source, store))

        def tokens(labels: Labels, _: bool) -> list[Hashable] | None:
            # Use the tokens of the first file that has any.
            of_files = (reader.tokens(labels) for reader in readers)
            return next((tokens_of_file for tokens_of_file in of_files if tokens_of_file is not None), None)

        if True in kinds:
            collector.finish_strings(tokens)
        else:
            collector.graph(tokens)

    def _expected(self, source: Source) -> tuple[int | None, int | None]:
        """Return estimates of the numbers of vertices and edges; None for a number that is unknown before reading."""
        if self.format.name == "parquet":
            if source.path is None:
                return None, None
            with source.understood("Parquet"):
                return None, sum(map(_rows_in, self._paths))
        head = source.peek(_BYTES_OF_HEAD)
        header = _HEADER.match(head) if self.format.name == "token" else None
        if header:
            return int(header[1]), int(header[2])
        return None, source.size and source.size * head.count(b"\n") // max(len(head), 1)


class _Ends:
    """Passes edges to a collector. They arrive as vertex numbers: a source, its target, the next source, and so on."""

    def __init__(self, collector: EdgeStore) -> None:
        self._collector = collector
        self._count = 0
        self._left = np.empty(0, np.int64)

    def __len__(self) -> int:
        return self._count

    def extend(self, values: np.ndarray) -> None:
        """Add numbers. If the last one is a source without its target, the next call begins with the target."""
        self._count += len(values)
        numbers = np.concatenate([self._left, values]) if len(self._left) else values
        even = len(numbers) // 2 * 2
        self._collector.append_numbers(numbers[:even:2], numbers[1:even:2])
        self._left = numbers[even:].copy()


def _parts(path: PathLike) -> list[str]:
    """Return the paths of the Parquet files in a folder, sorted; for any other path, a list with this path.

    Raise ParameterError if the folder has no Parquet files.
    """
    name = os.fspath(path)
    if name == "-" or not Path(name).is_dir():
        return [name]
    parts = sorted(str(part) for part in Path(name).glob("*.parquet"))
    if not parts:
        raise ParameterError(
            "{name} is a folder without Parquet files: expected an edge list, or a folder of *.parquet", name
        )
    return parts


def _rows_in(path: str) -> int:
    with Path(path).open("rb") as file:  # if it cannot be opened, Python's error has the name of the file
        return int(tables.pyarrow().parquet.read_metadata(file).num_rows)
