"""Arrays without numpy, which takes as long to load as a loop takes for a million moves."""

from __future__ import annotations

import ctypes
import mmap
import struct
import sys
from contextlib import suppress
from math import prod
from typing import Any, Literal

_ITEMS: dict[str, Literal["q", "i", "B"]] = {"<i8": "q", "<i4": "i", "|u1": "B"}


class RawArray:
    """An array of zeros that loops take like one of numpy; ``view`` has its items, ``room`` its bytes.

    It has large pages where the system has them, and memory that is never written to is not taken.
    """

    __slots__ = ("address", "dtype", "room", "shape", "view")

    def __init__(self, dtype: str, *shape: int) -> None:
        length = max(1, prod(shape)) * struct.calcsize(_ITEMS[dtype])
        if sys.platform == "linux":
            # Shared memory, the default, would have small pages.
            self.room = mmap.mmap(-1, length, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
            with suppress(OSError):  # a system without large pages
                self.room.madvise(mmap.MADV_HUGEPAGE)
        else:
            self.room = mmap.mmap(-1, length)
        self.dtype, self.shape = dtype, shape
        self.view = memoryview(self.room).cast(_ITEMS[dtype])
        self.address = ctypes.addressof(ctypes.c_char.from_buffer(self.room))

    def __array__(self, dtype: object = None, copy: object = None) -> Any:  # noqa: ANN401
        """Return a NumPy array on the same memory."""
        import numpy as np

        return np.frombuffer(self.room, self.dtype, prod(self.shape)).reshape(self.shape)


def zeros(dtype: str, *shape: int) -> Any:  # noqa: ANN401
    """Return a :class:`RawArray`, where type checkers expect an array of numpy's."""
    return RawArray(dtype, *shape)
