"""Arrays in NumPy's file format, read and written in blocks; nothing is pickled, and no header's claim is believed."""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterable, Iterator
from typing import IO, Protocol

import numpy as np

from graphgame.errors import Message, ParseError
from graphgame.io.files import Source

_ENTRIES = 1 << 17
_BYTES = 1 << 26
_LARGEST = 2**63 - 1
_ENTRIES_A_BYTE = 8


class _Readable(Protocol):
    def read(self, size: int, /) -> bytes: ...


class ArrayReader:
    """An array that is read from a stream, from its first entry to its last; errors call it ``name`` in the source.

    A ParseError tells that its header is none, or that it holds Python objects.
    """

    def __init__(self, file: _Readable, source: Source, name: str = Message("the array")) -> None:
        self._file = file
        self._source = source
        self._name = name
        self._taken = 0
        self.shape, self.fortran_order, self.dtype = self._header()
        if self.dtype.kind not in "iubU" or min(self.shape, default=0) < 0:
            raise self.error(
                Message("holds {dtype} in the shape {shape}: expected integers", str(self.dtype)[:60], self.shape)
            )

    def room(self) -> int:
        """Return for how many entries to make room: no more than the file can be thought to hold."""
        return min(math.prod(self.shape), _ENTRIES_A_BYTE * (self._source.size or _ENTRIES))

    def blocks(self, count: int | None = None) -> Iterator[np.ndarray]:
        """Yield the next entries, by default all, in arrays of one dimension and a bounded size."""
        left = math.prod(self.shape) if count is None else count
        while left:
            size = min(left, _ENTRIES, max(1, _BYTES // max(1, self.dtype.itemsize)))
            data = self._bytes(size * self.dtype.itemsize)
            if len(data) < size * self.dtype.itemsize:
                found = self._taken + len(data) // max(1, self.dtype.itemsize)
                raise self.error(
                    Message("has the shape {shape}, but the file ends after {found} entries", self.shape, found)
                )
            yield np.frombuffer(data, self.dtype)
            self._taken += size
            left -= size

    def integers(self, count: int | None = None, least: int = 0) -> Iterator[np.ndarray]:
        """Yield the next entries as :meth:`blocks` does, each in least..2**63-1."""
        self.check_integers()
        for values in self.blocks(count):
            if not least <= int(values.min()) <= int(values.max()) <= _LARGEST:
                wrong = int(np.argmax((values < least) | (values > _LARGEST)))
                raise self.error(
                    Message(
                        "has the entry {entry}{place}: expected {least}..2**63-1",
                        values[wrong],
                        self._place(wrong),
                        least,
                    )
                )
            yield values

    def vector(self, kinds: str) -> np.ndarray:
        """Return the whole array, of one dimension and one of these kinds of dtype."""
        self.check_vector()
        if self.dtype.kind not in kinds:
            raise self.error(Message("holds {dtype}: expected {kinds}", self.dtype, _KINDS[kinds]))
        parts = list(self.integers() if self.dtype.kind in "iu" else self.blocks())
        return np.concatenate(parts) if parts else np.empty(0, self.dtype)

    def check_integers(self) -> None:
        """Raise a ParseError where the array holds something else."""
        if self.dtype.kind not in "iu":
            raise self.error(Message("holds {dtype}: expected integers", self.dtype))

    def check_vector(self) -> None:
        """Raise a ParseError where the array has not one dimension."""
        if len(self.shape) != 1:
            raise self.error(Message("has the shape {shape}: expected one dimension", self.shape))

    def error(self, message: str) -> ParseError:
        """Return an error about this array."""
        return self._source.error(Message("{array} {fault}", self._name, message))

    def _header(self) -> tuple[tuple[int, ...], bool, np.dtype]:
        headers = {(1, 0): np.lib.format.read_array_header_1_0, (2, 0): np.lib.format.read_array_header_2_0}
        try:
            with warnings.catch_warnings(action="ignore"):  # of the headers that Python 2 wrote, which are read as well
                version = np.lib.format.read_magic(self._file)  # type: ignore[arg-type]
                shape, fortran_order, dtype = headers[version](self._file)  # type: ignore[arg-type]
        except (ParseError, FileNotFoundError, IsADirectoryError, PermissionError):
            raise
        except KeyError:
            raise self.error("has fields: expected integers") from None
        except Exception as error:
            raise self.error(Message("is not in NumPy's format: {error}", str(error)[:200])) from None
        return shape, fortran_order, dtype

    def _bytes(self, size: int) -> bytes:
        parts = []
        while size and (part := self._file.read(size)):
            parts.append(part)
            size -= len(part)
        return b"".join(parts)

    def _place(self, index: int) -> str:
        entry = self._taken + index
        if len(self.shape) == 2 and not self.fortran_order:
            return Message(" in row {entry}", entry // self.shape[1])
        return Message(" in row {entry}", entry % self.shape[0])


_KINDS = {"iu": "integers", "b": Message("true or false"), "iuU": Message("integers or strings")}


def write_array(stream: IO[bytes], blocks: Iterable[np.ndarray], shape: tuple[int, ...], dtype: str) -> None:
    """Write an array that comes in blocks, in the order of C.

    Examples
    --------
    >>> import io
    >>> file = io.BytesIO()
    >>> write_array(file, [np.array([1, 2]), np.array([3])], (3,), "<i8")
    >>> _ = file.seek(0)
    >>> np.load(file)
    array([1, 2, 3])
    """
    np.lib.format.write_array_header_1_0(stream, {"descr": dtype, "fortran_order": False, "shape": shape})
    for block in blocks:
        stream.write(np.ascontiguousarray(block, dtype).tobytes())
