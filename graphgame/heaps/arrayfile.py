"""Values in a file: a record in the first line, then the values as little-endian integers.

Of the record are ``heaps``, how many values there are, their ``type``, and a digest of them, ``values``.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from graphgame.arrays.compiling import Array
from graphgame.io.files import PathLike, Source, open_atomic
from graphgame.io.records import RecordFormat, digest, natural

__all__ = ["MOST_BYTES", "SHAPE", "read", "write"]

MOST_BYTES = 1 << 40
"""How much a file may hold once it is no longer compressed: values that repeat compress to next to nothing."""

_TYPES = ("|u1", "<u2", "<u4")
SHAPE: dict[str, Any] = {"heaps": natural, "type": _TYPES, "values": str}
"""The fields of a record that tell of the values."""

_LONGEST_RECORD = 1 << 16


def write(record_format: RecordFormat, fields: dict[str, Any], values: Array, path: PathLike) -> None:
    """Write a record and values: the whole file or, if that fails, none."""
    data = np.ascontiguousarray(values, next(kind for kind in _TYPES if int(kind[-1]) >= values.itemsize))
    told = {"heaps": len(data), "type": data.dtype.str, "values": digest([data.data])}
    with open_atomic(path, "wb") as stream:
        stream.write(record_format.dumps({**fields, **told}).encode() + b"\n")
        stream.write(data.data)


def read(record_format: RecordFormat, source: Source) -> tuple[dict[str, Any], Array]:
    """Return the record and the values of a file; one that is damaged is a ParseError."""
    file = source.seekable()
    record = record_format.loads(file.readline(_LONGEST_RECORD), source.name)
    start = file.tell()
    if file.seek(0, 2) - start != record["heaps"] * int(record["type"][-1]):
        raise record_format.damaged(source.name)
    values = np.zeros(record["heaps"], record["type"])
    file.seek(start)
    file.readinto(values.view(np.uint8))  # type: ignore[attr-defined]
    if record["values"] != digest([values.data]):
        raise record_format.damaged(source.name)
    return record, values
