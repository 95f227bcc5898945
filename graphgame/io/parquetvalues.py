r"""Values files in Parquet: the columns of a values file, at the size where text is slow.

``position`` (integers or strings), ``grundy`` (integers; strings where one is infinite), ``outcome`` (strings) and
``remoteness`` (integers, null where it is not known). The schema's metadata ``graphgame.play`` is ``normal`` or
``misere``. For reading, position and one of grundy and outcome are enough. Integer positions come in
increasing order, whatever the order of the file.

Examples
--------
>>> import pathlib, tempfile
>>> import networkx as nx
>>> from graphgame import read_values, solve, write_values
>>> path = pathlib.Path(tempfile.mkdtemp(), "values.parquet")
>>> write_values(solve(nx.DiGraph([("a", "b")])), path)
>>> dict(read_values(path))
{'a': ValueRow(grundy=1, outcome='N', remoteness=1), 'b': ValueRow(grundy=0, outcome='P', remoteness=0)}
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import Any, BinaryIO

import numpy as np

from graphgame.arrays.labels import as_labels
from graphgame.errors import Message, ParseError, either
from graphgame.io.columnar import ROWS, bounded, checked, integers_of, kind_of, position_column, pyarrow
from graphgame.io.parquet import open_file
from graphgame.io.source import Source
from graphgame.io.valuerows import COLUMNS, LARGEST_VALUE, Collector, Values, value_columns
from graphgame.results import Play

_KINDS = {
    "position": ("integers", "strings"),
    "grundy": ("integers", "strings"),
    "outcome": ("strings", "nothing"),
    "remoteness": ("integers", "nothing"),
}
_OUTCOMES = ("", "P", "N", "D")
_PLAY = b"graphgame.play"


def write(values: Values, names: Sequence[str], stream: BinaryIO) -> None:
    """Write the first of the columns of values."""
    pa = pyarrow()
    grundy: Any = values.grundy
    if (grundy < 0).any():
        grundy = np.array(list(map(str, values.codes.decode(grundy.tolist()))))
    columns = (position_column(values.labels), grundy, values.outcome, values.remoteness)[: len(names)]
    schema = pa.schema(
        [(name, pa.array(column[:1]).type) for name, column in zip(names, columns, strict=True)],
        {_PLAY: str(values.play).encode()},
    )
    with pa.parquet.ParquetWriter(stream, schema, compression="zstd") as writer:
        for start in range(0, len(values), ROWS):
            parts = [column[start : start + ROWS] for column in columns]
            parts[3:] = [pa.array(lengths, mask=lengths < 0) for lengths in parts[3:]]
            writer.write_batch(pa.record_batch([pa.array(part) for part in parts], schema=schema))


def read(source: Source) -> Values:
    """Read a values file in Parquet."""
    with source.understood("Parquet"):
        file = open_file(source)
        names = _names(file.schema_arrow, source)
        play = _play(file.schema_arrow.metadata or {}, source)
        is_plain = "grundy" not in names or kind_of(file.schema_arrow.field(names["grundy"]).type) == "integers"
        batches = _batches(file, names, source)
        return _from_columns(batches, source, play) if is_plain else _from_rows(batches, source, play)


def _names(schema: Any, source: Source) -> dict[str, str]:  # noqa: ANN401
    """Return the file's own names of the columns that it has."""
    try:
        found, _ = value_columns(schema.names)
    except ValueError as error:
        raise source.error(str(error)) from None
    names = {column: schema.names[found.index(column)] for column in COLUMNS if column in found}
    for column, name in names.items():
        kind = schema.field(name).type
        if kind_of(kind) not in _KINDS[column]:
            raise source.error(
                Message("column {name!r} holds {kind}: expected {kinds}", name, kind, either(_KINDS[column][:2]))
            )
    return names


def _play(metadata: dict[bytes, bytes], source: Source) -> Play | None:
    play = metadata.get(_PLAY)
    if play not in (None, b"normal", b"misere"):
        raise source.error(Message("play {play!r}: expected normal or misere", play.decode(errors="replace")))
    return None if play is None else "misere" if play == b"misere" else "normal"


def _batches(file: Any, names: dict[str, str], source: Source) -> Iterator[tuple[int, dict[str, Any]]]:  # noqa: ANN401
    """Yield the columns block by block, each with the number of its first row."""
    rows = 0
    for batch in bounded(file.iter_batches(ROWS, columns=list(names.values())), source):
        columns = {column: checked(batch.column(name)) for column, name in names.items()}
        for column in columns.keys() & {"position", "grundy"}:
            if columns[column].null_count:
                index = int(np.argmin(columns[column].is_valid().to_numpy(zero_copy_only=False)))
                raise source.error(
                    Message("row {rows}: the {column} is null: expected one in each row", rows + index + 1, column)
                )
        yield rows + 1, columns
        rows += batch.num_rows
        source.report(rows, max(rows, file.metadata.num_rows))


def _from_columns(batches: Iterator[tuple[int, dict[str, Any]]], source: Source, play: Play | None) -> Values:
    """Return the values without a look at single rows."""
    parts: dict[str, list[np.ndarray]] = {column: [] for column in COLUMNS}
    names: list[Hashable] = []
    for first, columns in batches:

        def error(index: int, message: str, first: int = first) -> ParseError:
            return source.error(Message("row {row}: {message}", first + index, message))

        count = len(columns["position"])
        if kind_of(columns["position"].type) == "strings":
            names += columns["position"].to_pylist()
        else:
            parts["position"].append(_numbers(columns, "position", -(2**63), error).astype(np.int64))
        grundy = _numbers(columns, "grundy", 0, error) if "grundy" in columns else np.full(count, -1)
        parts["grundy"].append(grundy.astype(np.int32))
        parts["outcome"].append(_outcomes(columns["outcome"], error) if "outcome" in columns else np.full(count, ""))
        parts["remoteness"].append(_remoteness(columns, count, error))
    empty = {"position": "i8", "grundy": "i4", "outcome": "U1", "remoteness": "i4"}
    whole = {column: np.concatenate([np.empty(0, empty[column]), *found]) for column, found in parts.items()}
    if names:
        if len(set(names)) < len(names):
            raise source.error("two rows have the same position: each has one")
        return Values(as_labels(names), whole["grundy"], whole["outcome"], whole["remoteness"], play)
    return _sorted(whole, source, play)


def _sorted(columns: dict[str, np.ndarray], source: Source, play: Play | None) -> Values:
    """Return the values by increasing position."""
    positions = columns["position"]
    if not (positions[1:] > positions[:-1]).all():
        order = np.argsort(positions, kind="stable")
        columns = {name: column[order] for name, column in columns.items()}
        positions = columns["position"]
        if (same := positions[1:] == positions[:-1]).any():
            raise source.error(
                Message("two rows have the position {position}: each has one", positions[np.argmax(same)])
            )
    return Values(as_labels(positions), columns["grundy"], columns["outcome"], columns["remoteness"], play)


def _numbers(columns: dict[str, Any], column: str, least: int, error: Callable[[int, str], ParseError]) -> np.ndarray:
    values = integers_of(
        columns[column], least, lambda index, what: error(index, Message("the {column} {what}", column, what))
    )
    if column != "position" and values.max(initial=0) > LARGEST_VALUE:
        index = int(np.argmax(values > LARGEST_VALUE))
        raise error(
            index,
            Message(
                "the {column} is {values}: expected an integer in 0..{largest_value}",
                column,
                values[index],
                LARGEST_VALUE,
            ),
        )
    return values


def _remoteness(columns: dict[str, Any], count: int, error: Callable[[int, str], ParseError]) -> np.ndarray:
    if "remoteness" not in columns:
        return np.full(count, -1, np.int32)
    known = columns["remoteness"].is_valid().to_numpy(zero_copy_only=False)
    return np.where(known, _numbers(columns, "remoteness", 0, error), -1).astype(np.int32)


def _outcomes(column: Any, error: Callable[[int, str], ParseError]) -> np.ndarray:  # noqa: ANN401
    import pyarrow.compute

    texts = column.cast(pyarrow.large_string()).fill_null("")
    numbers = pyarrow.compute.index_in(texts, value_set=pyarrow.array(_OUTCOMES, pyarrow.large_string()))
    if numbers.null_count:
        index = int(np.argmin(numbers.is_valid().to_numpy(zero_copy_only=False)))
        raise error(index, Message("outcome {outcome!r}: expected P, N or D", texts[index].as_py()))
    found: np.ndarray = np.array(_OUTCOMES)[numbers.to_numpy()]
    return found


def _from_rows(batches: Iterator[tuple[int, dict[str, Any]]], source: Source, play: Play | None) -> Values:
    """Return the values row by row, for values that are not all integers."""
    row = 0
    collector = Collector(lambda message: source.error(Message("row {row}: {message}", row, message)))
    for first, columns in batches:
        lists = [columns[name].to_pylist() if name in columns else None for name in COLUMNS]
        for row in range(first, first + len(columns["position"])):
            collector.add(*(None if cells is None else cells[row - first] for cells in lists))
    return collector.values(list(collector.numbers), play)
