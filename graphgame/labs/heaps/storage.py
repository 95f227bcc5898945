"""Values in memory and in files: packing into bytes, saving, and resuming an interrupted computation.

If values are below 512 and nearly all of them are common in a sparse space (:mod:`graphgame.labs.heaps.sparse`), each
fits in a byte. For a common value v, v & mask has an odd number of bits. So one of these bits follows from the other
bits and need not be stored.

The first line of a file of values is a record (:mod:`graphgame.labs.records`) with the number of values (``heaps``),
their ``type``, a digest of all bytes after the line (``values``) and further fields. After the line come the values as
little-endian integers; packed values come as the bytes of :func:`byte_codes`, and after them the first values unpacked.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from graphgame.compiled.compiling import Array
from graphgame.compiled.engine import Engine, Progress
from graphgame.errors import Message, ParameterError
from graphgame.io.files import PathLike, Source, open_atomic
from graphgame.labs.heaps.sparse import VALUES_AT_A_TIME, SparseSpace
from graphgame.labs.records import RecordFormat, digest, natural

if TYPE_CHECKING:
    from graphgame.labs.heaps.heapgame import HeapGame

PACKED_SIZE = 512
"""Only values below this are packed."""

_LARGEST_HEAP = 2**31 - 2
"""The largest heap up to which values are computed."""


class PackedValues:
    """Values of the heaps 0, 1, ..., in a byte for each heap; only the first values may be rare in a sparse space.

    Parameters
    ----------
    first : ndarray
        The first values, not packed, at least up to the last rare value.
    codes : ndarray of uint8
        The byte of each heap's value, also of the first values; see :func:`byte_codes`.
    mask : int
        The mask of the sparse space.

    Examples
    --------
    >>> from graphgame import heaps
    >>> values = heaps.octal("0.77").grundy_values(100)
    >>> packed = PackedValues.of(values, 0b1111, 71)
    >>> len(packed), packed[95:], bool((packed[:] == values).all())
    (101, array([7, 4, 1, 2, 8, 1], dtype=uint16), True)
    """

    dtype = np.dtype(np.uint16)

    def __init__(self, first: Array, codes: Array, mask: int) -> None:
        self.first, self.codes, self.mask = first, codes, mask
        values = np.arange(PACKED_SIZE, dtype=np.uint16)
        common = values[SparseSpace(mask, 0, 0).odd(PACKED_SIZE) == 1]
        self.common: Array = np.zeros(PACKED_SIZE // 2, np.uint16)
        self.common[byte_codes(common, mask)] = common

    @classmethod
    def of(cls, values: Array, mask: int, whole: int) -> PackedValues:
        """Pack values, which must be below 512. The values of the heaps below ``whole`` are also stored unpacked.

        All other values must be common in the sparse space that has this mask.
        """
        codes = np.empty(len(values), np.uint8)
        for start in range(0, len(values), VALUES_AT_A_TIME):
            codes[start : start + VALUES_AT_A_TIME] = byte_codes(values[start : start + VALUES_AT_A_TIME], mask)
        return cls(values[:whole].astype(np.uint16), codes, mask)

    def __len__(self) -> int:
        return len(self.codes)

    def __getitem__(self, part: slice) -> Array:
        """Return the values of a range of consecutive heaps; the slice must not have a step."""
        begin, end, _ = part.indices(len(self))
        values: Array = np.empty(max(end - begin, 0), self.dtype)
        for start in range(begin, end, VALUES_AT_A_TIME):  # in blocks: numpy makes a 64-bit copy of index arrays
            stop = min(start + VALUES_AT_A_TIME, end)
            values[start - begin : stop - begin] = self.common[self.codes[start:stop]]
        unpacked = self.first[begin:end]
        values[: len(unpacked)] = unpacked
        return values

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array:  # noqa: ANN401
        return self[:].astype(dtype or self.dtype, copy=False)

    def max(self, initial: int = 0) -> int:
        """Return the largest value, or ``initial`` if there are no values."""
        return max(
            (int(self[i : i + VALUES_AT_A_TIME].max()) for i in range(0, len(self), VALUES_AT_A_TIME)), default=initial
        )

    def into_bytes(self) -> Array:
        """Overwrite the codes with the values, which must be below 256, and return this array of bytes.

        These packed values cannot be used afterwards.
        """
        for start in range(0, len(self), VALUES_AT_A_TIME):
            self.codes[start : start + VALUES_AT_A_TIME] = self[start : start + VALUES_AT_A_TIME]
        return self.codes

    def resize(self, heaps: int) -> None:
        """Change the number of values to ``heaps``, in place; the codes of new heaps are 0."""
        self.codes.resize(heaps, refcheck=False)
        self.first = self.first[:heaps]


HeapValues: TypeAlias = "Array | PackedValues"
"""The values of the heaps 0, 1, ..., as a numpy array or packed."""


def byte_codes(values: Array, mask: int) -> Array:
    """Return a byte for each value below 512: the value without the bit that is the lowest bit of the mask.

    The bits below the omitted bit stay; those above it move down by one.
    """
    low = (mask & -mask) - 1
    return (values & low | values >> 1 & (0xFF ^ low)).astype(np.uint8)


MOST_BYTES = 1 << 40
"""The maximum size of a file in bytes, decompressed: large, because periodic values compress to almost nothing."""

_TYPES = ("|u1", "<u2", "<u4")
"""The types of the values in a file, as numpy writes them."""

ARRAY_FIELDS: dict[str, Any] = {"heaps": natural, "type": _TYPES, "values": str}
"""Fields of a record on its values, such as their count and digest: name -> its shape, as in ``RecordFormat.shape``."""

_LONGEST_RECORD = 1 << 16
"""The maximum number of bytes of the record at the start of a file."""


def write_arrays(
    record_format: RecordFormat, fields: dict[str, Any], values: Array, path: PathLike, *more: Array
) -> None:
    """Write a file: a record with ``fields`` and :data:`ARRAY_FIELDS`, then the values, then the arrays in ``more``.

    If writing fails, no incomplete file is left, and an existing file stays as it was.
    """
    # Every value fits into four bytes, even if the array has eight bytes for each value.
    kind = next((kind for kind in _TYPES if int(kind[-1]) >= values.itemsize), _TYPES[-1])
    data = np.ascontiguousarray(values, kind)
    blocks = [array.data for array in (data, *more)]
    array_fields = {"heaps": len(data), "type": data.dtype.str, "values": digest(blocks)}
    with open_atomic(path, "wb") as stream:
        stream.write(record_format.dumps({**fields, **array_fields}).encode() + b"\n")
        for block in blocks:
            stream.write(block)


def read_arrays(record_format: RecordFormat, source: Source, more: str = "") -> tuple[dict[str, Any], Array, Array]:
    """Return the record of a file, its values, and the bytes that follow the values.

    ``more`` is the name of the field with the number of these bytes; "" means that no bytes follow. Raise ParseError
    if the file is damaged or of another format or version.
    """
    file = source.seekable()
    record = record_format.loads(file.readline(_LONGEST_RECORD), source.name)
    start, after = file.tell(), record[more] if more else 0
    if file.seek(0, 2) - start != record["heaps"] * int(record["type"][-1]) + after:
        raise record_format.damaged(source.name)
    values, rest = np.zeros(record["heaps"], record["type"]), np.zeros(after, np.uint8)
    file.seek(start)
    for array in (values.view(np.uint8), rest):
        file.readinto(array)  # type: ignore[attr-defined]
    if record["values"] != digest([values.data, rest.data]):
        raise record_format.damaged(source.name)
    return record, values, rest


_RECORD = RecordFormat(
    "graphgame heap values",
    2,
    {"game": str, **ARRAY_FIELDS},
    Message("compute the values again, to another file"),
)
_PACKED = RecordFormat(
    "graphgame packed heap values",
    1,
    {"game": str, "mask": natural, "first": natural, **ARRAY_FIELDS},
    Message("compute the values again, to another file"),
)
_COMPARED = 64
"""The number of values that are computed again when a file is read, to check that the file belongs to the game."""

_FIRST_STEP = 1 << 10
"""The number of heaps in the first step of :func:`resumed_values`; after each step the file may be written."""

_LONGEST_NAME = 64
"""The number of bytes that are read at the start of a file to recognise its format."""

_WRITING_SHARE = 20
"""After the file is written, the next writing waits at least this many times as long as the writing took."""


def check_heap(n: int) -> None:
    """Raise ParameterError if n is negative or above 2**31 - 2, the largest heap up to which values are computed."""
    if not 0 <= n <= _LARGEST_HEAP:
        raise ParameterError(
            "invalid heap {n!r}: expected 0..{most}; for a larger heap prove a period and use heap check FILE --heap N",
            n,
            _LARGEST_HEAP,
        )


def save_values(game: HeapGame, values: HeapValues, path: PathLike) -> None:
    """Write the values of the heaps 0, 1, ... of a game to a file.

    If writing fails, no incomplete file is left, and an existing file stays as it was.
    """
    if isinstance(values, PackedValues):
        first = values.first.astype("<u2")
        fields = {"game": game.name, "mask": values.mask, "first": first.nbytes}
        write_arrays(_PACKED, fields, values.codes, path, first)
    else:
        write_arrays(_RECORD, {"game": game.name}, values, path)


def load_values(game: HeapGame, path: PathLike) -> HeapValues:
    """Read the values of a game from a file that :func:`save_values` wrote.

    Raise ParseError if the file is damaged, has another format or version, or has the values of another game.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from graphgame import heaps
    >>> path = pathlib.Path(tempfile.mkdtemp(), "kayles.values")
    >>> save_values(heaps.octal("0.77"), heaps.octal("0.77").grundy_values(6), path)
    >>> load_values(heaps.octal("0.77"), path).tolist()
    [0, 1, 2, 3, 1, 4, 3]
    """
    values: HeapValues
    with Source(path, max_bytes=MOST_BYTES) as source:
        if _PACKED.begins(source.peek(_LONGEST_NAME)):
            record, codes, first = read_arrays(_PACKED, source, "first")
            if not 0 < record["mask"] < PACKED_SIZE or len(first) % 2 or codes.itemsize > 1:
                raise _PACKED.damaged(source.name)
            values = PackedValues(first.view("<u2").astype(np.uint16), codes, record["mask"])
        else:
            record, values, _ = read_arrays(_RECORD, source)
        if record["game"] != game.name:
            raise source.error(Message("the file holds values of {found!r}, not of {name}", record["game"], game.name))
        right = game.grundy_values(max(min(len(values), _COMPARED) - 1, 0), method="dense", engine="plain")
        if not np.array_equal(values[:_COMPARED], right[: len(values)]):
            raise source.error(Message("the file holds other values than those of {name}", game.name))
    return values


def resumed_values(
    game: HeapGame,
    n: int,
    path: PathLike,
    *,
    engine: Engine = "auto",
    progress: Progress | None = None,
    saved: Callable[[int], object] = lambda _: None,
    interval: float = 5.0,
) -> HeapValues:
    """Return the values of the heaps 0..n, and save the values computed so far in a file now and then.

    If the file exists, the work starts from its values; :func:`load_values` says which files are errors. The file is
    written about every ``interval`` seconds (less often if writing takes long), at the end, and if the work is
    interrupted, but only when there are new values. If the rules cannot continue from known values (``reuses_values``
    is false), it is written only at the end. After each writing ``saved`` gets the number of values in the file.
    """
    check_heap(n)
    values: HeapValues = load_values(game, path) if Path(path).exists() else np.zeros(0, np.uint8)
    in_file, step, last, pause = len(values), _FIRST_STEP, time.monotonic(), interval
    try:
        while len(values) <= n:
            began = time.monotonic()
            stop = min(len(values) + step, n + 1) if game.rules.reuses_values else n + 1
            values = game.packed_values(stop - 1, values, goal=n, engine=engine, progress=progress)
            now = time.monotonic()
            # Adapt the number of heaps in a step: a step should take a quarter to half of the pause between writings.
            took = now - began
            step = 2 * step if took < pause / 4 else max(step // 2, 1) if took > pause / 2 else step
            if now - last >= pause:
                save_values(game, values, path)
                in_file, last = len(values), time.monotonic()
                pause = max(interval, _WRITING_SHARE * (last - now))
                saved(in_file)
    finally:
        if len(values) > in_file:
            save_values(game, values, path)
            saved(len(values))
    return values if len(values) == n + 1 else values[: n + 1]
