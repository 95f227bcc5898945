"""Values in a file: a record in the first line, then the values as little-endian integers.

Of the record are ``heaps``, how many values there are, their ``type``, and a digest of them, ``values``.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from graphgame.compiled.compiling import Array
from graphgame.io.files import PathLike, Source, open_atomic
from graphgame.io.records import RecordFormat, digest, natural

MOST_BYTES = 1 << 40
"""How much a file may hold once it is no longer compressed: values that repeat compress to next to nothing."""

_TYPES = ("|u1", "<u2", "<u4")
SHAPE: dict[str, Any] = {"heaps": natural, "type": _TYPES, "values": str}
"""The fields of a record that tell of the values."""

_LONGEST_RECORD = 1 << 16


def write(record_format: RecordFormat, fields: dict[str, Any], values: Array, path: PathLike, *more: Array) -> None:
    """Write a record and values, and bytes after them: the whole file or, if that fails, none."""
    data = np.ascontiguousarray(values, next(kind for kind in _TYPES if int(kind[-1]) >= values.itemsize))
    blocks = [each.data for each in (data, *more)]
    told = {"heaps": len(data), "type": data.dtype.str, "values": digest(blocks)}
    with open_atomic(path, "wb") as stream:
        stream.write(record_format.dumps({**fields, **told}).encode() + b"\n")
        for block in blocks:
            stream.write(block)


def read(record_format: RecordFormat, source: Source, more: str = "") -> tuple[dict[str, Any], Array, Array]:
    """Return the record of a file, its values, and so many bytes after them as a field says.

    One that is damaged is a ParseError.
    """
    file = source.seekable()
    record = record_format.loads(file.readline(_LONGEST_RECORD), source.name)
    start, after = file.tell(), record[more] if more else 0
    if file.seek(0, 2) - start != record["heaps"] * int(record["type"][-1]) + after:
        raise record_format.damaged(source.name)
    values, rest = np.zeros(record["heaps"], record["type"]), np.zeros(after, np.uint8)
    file.seek(start)
    for each in (values.view(np.uint8), rest):
        file.readinto(each)  # type: ignore[attr-defined]
    if record["values"] != digest([values.data, rest.data]):
        raise record_format.damaged(source.name)
    return record, values, rest
