"""Edge lists of every kind into a collector: text, compressed or not, and Parquet, in one file or a folder of parts."""

from __future__ import annotations

import os
import re
import secrets
from collections.abc import Hashable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from graphgame.errors import FormatError, OptionError
from graphgame.graph.labels import Labels
from graphgame.io import delimited, tokenfile
from graphgame.io.files import PathLike, ReadProgress, Source
from graphgame.io.format import Format
from graphgame.io.formats import detect, format_named
from graphgame.labs.formats import tables
from graphgame.labs.formats.tables import IntegerColumns, TableReader, TextColumns, pyarrow
from graphgame.labs.scale.disk.collecting import EdgeStore

STREAMED = ("token", "edgelist", "csv", "tsv", "parquet")
"""The formats that are read edge by edge."""

_HEAD = 1 << 16
_HEADER = re.compile(rb"\s*(\d{1,10})\s+(\d{1,12})\s+\d+\s")


class Input:
    """What is to be read edge by edge: a file, ``-`` for standard input, or a folder of Parquet files."""

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
            _check_format(self.format)
            self.vertices, self.edges = self._expected(self._first)
        except BaseException:
            self._first.close()
            raise

    def __enter__(self) -> Input:
        return self

    def __exit__(self, *_: object) -> None:
        self._first.close()

    def identity(self) -> dict[str, Any]:
        """Return what tells this input from others, and from itself once it has changed."""
        files: list[Any] = [secrets.token_hex(8)]
        if self._paths[0] != "-":
            stats = [(Path(path).name, Path(path).stat()) for path in self._paths]
            files = [[name, stat.st_size, stat.st_mtime_ns] for name, stat in stats]
        columns = [self._first.columns] if self._first.columns != (None, None) else []
        return {"format": self.format.name, "files": [*files, *columns]}

    def read(self, collector: EdgeStore) -> None:
        """Read all edges; the collector records the stage ``scan``."""
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

        def store(texts: bool, rows: int) -> IntegerColumns | TextColumns:
            kinds.add(texts)
            if len(kinds) > 1:
                raise FormatError("some of the parts hold integers and some strings: expected one kind")
            return TextColumns(collector) if texts else IntegerColumns(collector)

        readers = []
        for source in self._sources():
            with source:
                readers.append(tables.scan(source, store))
        tokens = partial(_tokens_of, readers)
        if True in kinds:
            collector.finish_strings(tokens)
        else:
            collector.graph(tokens)

    def _sources(self) -> Iterator[Source]:
        yield self._first
        for path in self._paths[1:]:
            yield self._open(path)

    def _expected(self, source: Source) -> tuple[int | None, int | None]:
        """Return about how many vertices and edges there are, None where that is not known before."""
        if self.format.name == "parquet":
            if source.path is None:
                return None, None
            with source.understood("Parquet"):
                return None, sum(map(_rows_in, self._paths))
        head = source.peek(_HEAD)
        header = _HEADER.match(head) if self.format.name == "token" else None
        if header:
            return int(header[1]), int(header[2])
        return None, source.size and source.size * head.count(b"\n") // max(len(head), 1)


class _Ends:
    """The ends of edges by number, a source and a target in turn."""

    def __init__(self, collector: EdgeStore) -> None:
        self._collector = collector
        self._count = 0
        self._rest = np.empty(0, np.int64)

    def __len__(self) -> int:
        return self._count

    def extend(self, values: np.ndarray) -> None:
        self._count += len(values)
        whole = np.concatenate([self._rest, values]) if len(self._rest) else values
        even = len(whole) // 2 * 2
        self._collector.append_numbers(whole[:even:2], whole[1:even:2])
        self._rest = whole[even:].copy()


def _tokens_of(readers: Sequence[TableReader], labels: Labels, _: bool) -> list[Hashable] | None:
    """Return the tokens that the first table to name some names."""
    found = (reader.tokens(labels) for reader in readers)
    return next((tokens for tokens in found if tokens is not None), None)


def _parts(path: PathLike) -> list[str]:
    name = os.fspath(path)
    if name == "-" or not Path(name).is_dir():
        return [name]
    parts = sorted(str(part) for part in Path(name).glob("*.parquet"))
    if not parts:
        raise OptionError(
            "{name} is a folder without Parquet files: expected an edge list, or a folder of *.parquet", name
        )
    return parts


def _rows_in(path: str) -> int:
    with Path(path).open("rb") as file:
        return int(pyarrow().parquet.read_metadata(file).num_rows)


def _check_format(format: Format) -> None:
    if format.name not in STREAMED:
        raise FormatError(
            "the format {name!r} is read as a whole: beyond memory, give one of {streamed}",
            format.name,
            ", ".join(STREAMED),
        )
