"""Compressed files: which they are, by their names and their first bytes, and how much of them is read."""

from __future__ import annotations

import importlib
import os
from pathlib import Path
from typing import IO, Any, TypeAlias

PathLike: TypeAlias = "str | os.PathLike[str]"

COMPRESSIONS = {".gz": "gzip", ".bz2": "bz2", ".xz": "lzma", ".zst": "graphgame.io.zstd"}
"""Suffix -> the module that opens such files."""

_MAGIC = {"gzip": b"\x1f\x8b", "bz2": b"BZh91AY&SY", "lzma": b"\xfd7zXZ\x00", "graphgame.io.zstd": b"\x28\xb5\x2f\xfd"}


def plain_suffix(path: PathLike) -> str:
    """Return the last suffix of a name in lower case, without that of a compression.

    Examples
    --------
    >>> plain_suffix("games/Chips.TXT.gz")
    '.txt'
    """
    name = Path(path)
    return (name.with_suffix("") if name.suffix.lower() in COMPRESSIONS else name).suffix.lower()


def compression_of(path: PathLike, first: bytes = b"") -> str | None:
    """Return the module for a file of this name, or of these first bytes; None where it is not compressed."""
    by_magic = (module for module, magic in _MAGIC.items() if first.startswith(magic))
    return COMPRESSIONS.get(Path(path).suffix.lower()) or next(by_magic, None)


def open_stream(compression: str, file: Any, mode: str) -> IO[bytes]:  # noqa: ANN401
    """Return a file of the bytes that an open one holds, or shall hold, compressed."""
    stream: IO[bytes] = importlib.import_module(compression).open(file, mode)
    return stream


class Counted:
    """A file that counts the bytes that are read of it."""

    def __init__(self, file: Any) -> None:  # noqa: ANN401
        self._file = file
        self.count = 0

    def read(self, size: int = -1) -> bytes:  # noqa: D102
        data: bytes = self._file.read(size)
        self.count += len(data)
        return data
