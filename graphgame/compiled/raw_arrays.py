"""Arrays without numpy, which takes as long to load as a loop takes for a million moves."""

from __future__ import annotations

import mmap
import struct
from contextlib import suppress
from math import prod
from typing import Any

WORD = "l" if struct.calcsize("l") == 8 else "q"
"""The letter of 64-bit numbers, as numpy chooses it."""


def zeros(letter: str, *shape: int) -> Any:  # noqa: ANN401
    """Return an array of zeros, a memoryview of a map of memory; ``letter`` is that of its items in :mod:`struct`.

    It has large pages where the system has them, and memory that is never written to is not taken.
    """
    length = prod(shape) * struct.calcsize(letter)
    # Private memory, because shared memory (the default) has small pages only. Windows has neither flag.
    private = {"flags": mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS} if hasattr(mmap, "MAP_PRIVATE") else {}
    room = mmap.mmap(-1, max(1, length), **private)
    with suppress(OSError, AttributeError):  # a system without large pages
        room.madvise(mmap.MADV_HUGEPAGE)
    view: Any = memoryview(room)[:length]
    return view.cast(letter, shape) if len(shape) > 1 else view.cast(letter)
