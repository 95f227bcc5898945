"""Zstandard files (``.zst``), opened as the standard library opens those of its own compressions."""

from __future__ import annotations

import io
from typing import IO, Any, BinaryIO

from graphgame.errors import MissingExtraError

__all__ = ["open"]

_PIECE = 1 << 10
"""Compressed bytes taken at a time: a few bytes may stand for 128 KiB, so this bounds what comes out at once."""


def open(file: BinaryIO, mode: str) -> IO[bytes]:
    """Return a file of the uncompressed bytes, over an open one that stays open.

    Parameters
    ----------
    file : binary file
    mode : {"rb", "wb"}

    Raises
    ------
    MissingExtraError
        The extra ``zstd`` is not installed.

    Examples
    --------
    >>> packed = io.BytesIO()
    >>> with open(packed, "wb") as stream:
    ...     _ = stream.write(b"1 2")
    >>> _ = packed.seek(0)
    >>> open(packed, "rb").read()
    b'1 2'
    """
    try:
        import zstandard
    except ImportError:
        raise MissingExtraError("Zstandard compression (.zst)", "zstd") from None
    if mode == "rb":
        return io.BufferedReader(_Frames(file, zstandard.ZstdDecompressor()))
    writer: IO[bytes] = zstandard.ZstdCompressor().stream_writer(file, closefd=False)
    return writer


class _Frames(io.RawIOBase):
    """The bytes of all frames; zstandard's own reader takes a file that breaks off for one that ends."""

    def __init__(self, file: BinaryIO, decompressor: Any) -> None:  # noqa: ANN401
        self._file = file
        self._decompressor = decompressor
        self._frame: Any = None
        self._packed = b""
        self._ready = memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:  # noqa: ANN401
        while not self._ready and self._advance():
            pass
        target = memoryview(buffer).cast("B")
        size = min(len(target), len(self._ready))
        target[:size] = self._ready[:size]
        self._ready = self._ready[size:]
        return size

    def _advance(self) -> bool:
        """Decompress the next piece; return False at the end of the file."""
        piece = self._packed or self._file.read(_PIECE)
        if not piece:
            if self._frame is not None:
                raise EOFError
            return False
        frame = self._frame or self._decompressor.decompressobj()
        self._ready = memoryview(frame.decompress(piece))
        self._packed, self._frame = (frame.unused_data, None) if frame.eof else (b"", frame)
        return True
