"""Sources: a file, standard input or bytes, read once from start to end, as bytes or as text.

The suffix (``.gz``, ``.bz2``, ``.xz``, ``.zst``) or otherwise the first bytes tell the compression. Text is UTF-8.
"""

from __future__ import annotations

import codecs
import errno
import importlib
import io
import os
import re
import stat
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from pathlib import Path
from shlex import quote
from typing import IO, Any, BinaryIO, TypeAlias, cast

from graphgame.errors import (
    GraphGameError,
    LimitError,
    Message,
    ParameterError,
    ParseError,
    ReadingWarning,
    checks_parameters,
    joined,
    needs_extra,
    warn_caller,
)

PathLike: TypeAlias = "str | os.PathLike[str]"

COMPRESSIONS = {".gz": "gzip", ".bz2": "bz2", ".xz": "lzma", ".zst": "zstd"}
"""Suffix -> the name of its compression. Except for zstd, Python's module of this name opens such files."""

_MAGIC = {"gzip": b"\x1f\x8b", "bz2": b"BZh91AY&SY", "lzma": b"\xfd7zXZ\x00", "zstd": b"\x28\xb5\x2f\xfd"}
BLOCK = 1 << 20
"""The usual number of bytes that are read at once."""

_GB2312 = re.compile(rb"(?:[\0-\x7f]|[\xa1-\xf7][\xa1-\xfe])*")
_COUNTED_BY_NUMPY = 1 << 16
_LONGEST_LINE = 1 << 28
ColumnNames: TypeAlias = "tuple[str | None, str | None]"
"""The columns of sources and of targets: names or numbers from 1 on, or None, as in :class:`Source`."""

ReadProgress: TypeAlias = Callable[[int, "int | None"], None]
"""A function of the number of bytes read so far, and the total number of bytes: None if it is not known."""

# A small file must not fill the memory. So a file may be decompressed to _FREE_BYTES or, if that is more, to
# _BYTES_A_BYTE times its size. Its header may claim _FREE_VERTICES, and _VERTICES_A_BYTE more for each of its bytes.
_FREE_BYTES = 1 << 25
_BYTES_A_BYTE = 100
_FREE_VERTICES = 10_000_000
_VERTICES_A_BYTE = 10
_LARGEST_IN_MEMORY = 1 << 26
_MOST_SPACE = 1 << 24
_max_bytes: ContextVar[int | None] = ContextVar("max_bytes", default=None)
_columns: ContextVar[ColumnNames] = ContextVar("columns", default=(None, None))
_allowed_paths: ContextVar[frozenset[str] | None] = ContextVar("allowed_paths", default=None)
_SIZE = re.compile(r"\s*(\d{1,20}(?:\.\d{1,20})?)\s*([kmgt]?)(i?)b?\s*", re.I)
_POWERS = {"": 0, "k": 1, "m": 2, "g": 3, "t": 4}


def parse_size(size: int | str) -> int:
    """Return a size such as ``500MB``, ``2GB`` or ``1.5GiB`` in bytes; a number without a unit is a number of bytes.

    Units with an "i" are powers of 1024, others of 1000. Raise a ParameterError for other texts, and below 1 byte.

    Examples
    --------
    >>> parse_size("2GB"), parse_size("1.5 KiB"), parse_size(4096)
    (2000000000, 1536, 4096)
    """
    match = _SIZE.fullmatch(str(size))
    count = 0
    if match:
        number, unit, binary = match.groups()
        count = int(float(number) * (1024 if binary else 1000) ** _POWERS[unit.lower()])
    if count <= 0:
        raise ParameterError("invalid size {size!r}: expected a number of bytes such as 500MB or 2GB", size)
    return count


def plain_suffix(path: PathLike) -> str:
    """Return the last suffix of a path in lower case, after removing a suffix of compression; ``""`` if there is none.

    Examples
    --------
    >>> plain_suffix("games/Chips.TXT.gz")
    '.txt'
    """
    name = Path(path)
    return (name.with_suffix("") if name.suffix.lower() in COMPRESSIONS else name).suffix.lower()


def compression_of(path: PathLike, first: bytes = b"") -> str | None:
    """Return a file's compression by its suffix, or otherwise by its first bytes; None if it is not compressed."""
    by_magic = (module for module, magic in _MAGIC.items() if first.startswith(magic))
    return COMPRESSIONS.get(Path(path).suffix.lower()) or next(by_magic, None)


def open_stream(compression: str, file: Any, mode: str) -> IO[bytes]:  # noqa: ANN401
    """Return a stream over an open file. In mode "rb" it decompresses reads, in "wb" it compresses writes.

    ``compression`` is a value of ``COMPRESSIONS``. Raise a MissingExtraError for zstd if its module is not installed.
    """
    if compression != "zstd":
        module = importlib.import_module(compression)
    elif sys.version_info >= (3, 14):
        module = importlib.import_module("compression.zstd")
    else:
        with needs_extra(Message("Zstandard compression (.zst)"), "zstd"):
            module = importlib.import_module("backports.zstd")
    stream: IO[bytes] = module.open(file, mode)
    return stream


class Counted:
    """A file that counts the bytes that are read from it."""

    def __init__(self, file: Any) -> None:  # noqa: ANN401
        self._file = file
        self.count = 0

    def read(self, size: int = -1) -> bytes:  # noqa: D102
        data: bytes = self._file.read(size)
        self.count += len(data)
        return data


def count_lines(text: bytes) -> int:
    r"""Return the number of newlines in a text: for 64 KB to a few MB, four times as fast as ``bytes.count``.

    Examples
    --------
    >>> count_lines(b"a\nb\n")
    2
    """
    if len(text) < _COUNTED_BY_NUMPY:  # For a short text, loading numpy would take longer.
        return text.count(b"\n")
    import numpy as np

    return int(np.count_nonzero(np.frombuffer(text, np.uint8) == ord("\n")))


def reading_at_most(size: int | None) -> AbstractContextManager[None]:
    """In the ``with`` block, set the default of a Source's ``max_bytes``; None means the usual limit."""
    return setting(_max_bytes, size)


def reading_columns(source: str | None, target: str | None) -> AbstractContextManager[None]:
    """In the ``with`` block, set the defaults of a Source's two ``columns``; None leaves a default as it is."""
    outer = _columns.get()
    return setting(_columns, (outer[0] if source is None else source, outer[1] if target is None else target))


def reading_only(paths: Iterable[str]) -> AbstractContextManager[None]:
    """In the ``with`` block, allow only these exact paths to be read or to be run as rules."""
    return setting(_allowed_paths, frozenset(paths))


@contextmanager
def setting(variable: ContextVar[Any], value: object) -> Iterator[None]:
    """Give a context variable a value in the ``with`` block, and its old value after it."""
    before = variable.set(value)
    try:
        yield
    finally:
        variable.reset(before)


def refuse_unnamed(path: str) -> None:
    """Raise a ParseError if the block of :func:`reading_only` around the call does not allow this path.

    Examples
    --------
    >>> with reading_only(["game.txt"]):
    ...     refuse_unnamed("other.txt")
    Traceback (most recent call last):
        ...
    graphgame.errors.ParseError: 1: the file 'other.txt' may not be read here: expected a position such as nim(3,4,5)
    """
    allowed = _allowed_paths.get()
    if allowed is not None and path not in allowed:
        raise ParseError(
            "the file {path!r} may not be read here: expected a position such as nim(3,4,5)", path, column=1
        )


@checks_parameters
class Source:
    r"""A file, standard input or bytes, to be read once from start to end.

    Parameters
    ----------
    origin : str, os.PathLike or bytes
        A path, ``-`` for standard input, or the bytes themselves.
    name : str, optional
        The name for errors; by default the path.
    progress : callable, optional
        Called as ``progress(bytes_done, bytes_total)`` while the source is read; the total is None for a pipe. For a
        compressed file both count compressed bytes.
    max_bytes : int, optional
        The largest number of bytes that the source may hold after decompression. The default is 32 MiB or 100 bytes for
        each byte of the file, whichever is more.
    columns : tuple of (str, int or None), optional
        The columns of sources and of targets in a list of edges or a table: names or numbers from 1 on. If only
        one is None, it means the name ``source`` or ``target``; if both are None, the file decides.

    Attributes
    ----------
    notes : list of Message
        What the reader guessed or ignored, for a warning.
    strict : bool
        Whether the caller named the format: then a list of edges never begins with a count.

    Examples
    --------
    >>> with Source(b"1 2\n2 3\n") as source:
    ...     source.peek(3), list(source.lines())
    (b'1 2', ['1 2', '2 3'])
    """

    def __init__(
        self,
        origin: PathLike | bytes,
        *,
        name: str | None = None,
        progress: ReadProgress | None = None,
        max_bytes: int | None = None,
        columns: tuple[str | int | None, str | int | None] = (None, None),
    ) -> None:
        source, target = columns if columns != (None, None) else _columns.get()
        self.columns = None if source is None else str(source), None if target is None else str(target)
        self.notes: list[Message] = []
        self.strict = False
        self._origin = origin if isinstance(origin, bytes) else os.fspath(origin)
        if self._origin == "":
            raise FileNotFoundError(errno.ENOENT, Message("expected the name of a file, found an empty text"))
        if isinstance(self._origin, str):
            refuse_unnamed(self._origin)
        self._progress = progress
        self._max_bytes = _max_bytes.get() if max_bytes is None else max_bytes
        self._head = b""
        self._bytes_read = 0
        self._compressed: Counted | None = None
        self._file: BinaryIO | None = None
        self._stream: IO[bytes] | None = None
        self._copy: BinaryIO | None = None
        self._total: int | None = None
        self._compression: str | None = None
        if isinstance(self._origin, bytes):
            self.name = name or "<text>"
        else:
            self.name = name or (Message("standard input") if self._origin == "-" else self._origin)

    def __enter__(self) -> Source:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def warn_of_guesses(self, format: str) -> None:
        """If there are ``notes``, issue one ReadingWarning with the source's name, ``format`` and all notes."""
        if self.notes:
            guesses = Message("{name} is read as {format}: {notes}", self.name, format, joined(self.notes))
            warn_caller(guesses, ReadingWarning)

    @property
    def path(self) -> str | None:
        """The path, or None for standard input and bytes."""
        return None if isinstance(self._origin, bytes) or self._origin == "-" else self._origin

    def shell_command(self, command: str, **slots: str) -> str:
        """Return a shell command: ``command`` with ``{path}``, ``{shell}`` and ``slots`` filled in.

        ``{path}`` is the source's name (``/dev/stdin`` for standard input), and ``{shell}`` is the same in quotes. But
        for a compressed file ``{shell}`` is ``/dev/stdin``, and a pipe in front brings the decompressed data.
        """
        slots["path"] = "/dev/stdin" if self._origin == "-" else self.name
        if not self._compression or "{shell}" not in command:
            return command.format(shell=quote(slots["path"]), **slots)
        tool = {"bz2": "bzip2", "lzma": "xz"}.get(self._compression, self._compression)
        return f"{tool} -dc < {quote(slots['path'])} | {command.format(shell='/dev/stdin', **slots)}"

    @property
    def size(self) -> int | None:
        """The number of bytes of plain data; None for compressed data or a pipe, until :meth:`seekable` is called."""
        self._open()
        return None if self._compression else self._total

    def close(self) -> None:
        """Close the file, but leave standard input open."""
        if self._file is not None and self._origin != "-":
            if self._stream is not None:
                self._stream.close()
            self._file.close()
        if self._copy is not None:
            self._copy.close()
        self._file = self._stream = self._copy = None
        self._head = b""

    def peek(self, size: int) -> bytes:
        """Return the next ``size`` bytes, fewer only at the end; the next read returns them again."""
        while len(self._head) < size and (more := self._read(size - len(self._head))):
            self._head += more
        return self._head[:size]

    def peek_text(self, size: int) -> bytes:
        """Return the next ``size`` bytes after a byte order mark of UTF-8, if there is one; see :meth:`peek`."""
        return self.peek(size + len(codecs.BOM_UTF8)).removeprefix(codecs.BOM_UTF8)[:size]

    def refuse_empty(self, expected: str) -> None:
        """Raise a ParseError if the source is empty, has only white space, or begins with 16 MiB of white space.

        ``expected`` says what should be in the file, for the message.
        """
        size = BLOCK
        while not (head := self.peek(size)).removeprefix(codecs.BOM_UTF8).strip():
            if len(head) < size:
                raise self.error(Message("the file is empty or blank: expected {expected}", expected), line=1)
            if size >= _MOST_SPACE:
                raise self.error(
                    Message(
                        "the file begins with {size} MiB of white space: expected {expected}", size >> 20, expected
                    ),
                    line=1,
                )
            size *= 2

    def refuse_claim(self, vertices: int) -> None:
        """Raise a LimitError if a header claims more than 10 million vertices plus ten for each byte read so far."""
        size = self._file_bytes_read
        if vertices > _FREE_VERTICES + _VERTICES_A_BYTE * size:
            raise LimitError(
                "{file} claims {vertices} vertices, but has only {size} bytes: the limit is {free_vertices} vertices "
                "plus {vertices_a_byte} for each byte, so that a short file cannot fill the memory",
                self.name,
                vertices,
                size,
                _FREE_VERTICES,
                _VERTICES_A_BYTE,
            )

    def refuse_expansion(self, size: int) -> None:
        """Raise a LimitError if ``size`` is above the limit: ``max_bytes``, or its default for the bytes read so far.

        ``size`` is the number of bytes that the part read so far takes as uncompressed text, or as arrays in memory.
        """
        taken = self._file_bytes_read
        if self._max_bytes is not None:
            if size > self._max_bytes:
                raise LimitError(
                    "{file} holds more than {max_bytes} bytes, the limit", self.name, self._max_bytes, limit="max_bytes"
                )
        elif size > max(_FREE_BYTES, _BYTES_A_BYTE * taken):
            raise LimitError(
                "the first {taken} bytes of {file} take {size} bytes in memory: a file may take {free_bytes} MiB or, "
                "if that is more, {bytes_a_byte} times its size, so that a small file cannot fill the memory",
                taken,
                self.name,
                size,
                _FREE_BYTES >> 20,
                _BYTES_A_BYTE,
                limit="max_bytes",
            )

    def read(self, size: int) -> bytes:
        """Return at least 1 and at most ``size`` of the next bytes; ``b""`` at the end."""
        block, self._head = (self._head[:size], self._head[size:]) if self._head else (self._read(size), b"")
        return block

    def seekable(self) -> BinaryIO:
        """Return all bytes, decompressed, as a seekable file; an uncompressed file or bytes are not copied."""
        self._open()
        assert self._file is not None
        if self._compression is None and self._total is not None and self._origin != "-":
            self._file.seek(0)
            self._bytes_read = self._total
            return self._file
        copy = cast("BinaryIO", tempfile.SpooledTemporaryFile(_LARGEST_IN_MEMORY))  # noqa: SIM115
        for block in self.blocks():
            copy.write(block)
        # From now on the copy is read. Progress is not reported again, because making the copy has reported it.
        self._copy, self._progress = copy, None
        self._compression, self._total = None, copy.tell()
        copy.seek(0)
        return copy

    @contextmanager
    def understood(self, kind: str) -> Iterator[None]:
        """In the ``with`` block, turn a library's errors into ParseErrors: the file is not ``kind``, or is damaged."""
        try:
            yield
        except (GraphGameError, MemoryError):
            raise
        except Exception as error:
            # For damaged data a library may also raise an OSError without an errno, or with EINVAL.
            if isinstance(error, OSError) and error.errno not in (None, errno.EINVAL):
                raise
            reason = (str(error).splitlines() or [type(error).__name__])[0]
            raise self.error(
                Message("the file is not {kind}, or it is damaged: {reason}", kind, reason[:200])
            ) from None

    def report(self, done: int, total: int) -> None:
        """Call ``progress`` with the share ``done / total`` of all bytes of the source.

        This is for readers of :meth:`seekable`, which count their work in other units than bytes.
        """
        if self._progress is not None and self._total is not None:
            self._progress(self._total * done // total if total else self._total, self._total)

    def blocks(self, size: int = BLOCK) -> Iterator[bytes]:
        """Yield the remaining bytes in blocks, at most ``size`` bytes except in the first, and close the source."""
        try:
            block, self._head = self.peek(1) and self._head, b""
            while block:
                yield block
                block = self._read(size)
        finally:
            self.close()

    def read_bytes(self) -> bytes:
        """Return the remaining bytes, and close the source."""
        return b"".join(self.blocks())

    def read_text(self) -> str:
        """Return the remaining source as one text, without a byte order mark, and close the source.

        Raises
        ------
        ParseError
            The source is not UTF-8 text, or has a NUL byte.
        """
        return self.decode(b"".join(self._unmarked_blocks()))

    def whole_lines(self) -> Iterator[bytes]:
        """Yield the text in blocks of whole lines, as bytes; each block ends in a newline.

        A byte order mark is dropped. Carriage returns become newlines if the first MiB has some, but no newline.

        Raises
        ------
        ParseError
            The source begins with the mark of UTF-16, or a line is longer than 256 MiB.
        """
        rest: list[bytes] = []
        for block in self._unmarked_blocks():
            end = block.rfind(b"\n") + 1
            if end:
                yield b"".join([*rest, memoryview(block)[:end]])
                rest = []
            rest.append(block[end:])
            if sum(map(len, rest)) > _LONGEST_LINE:
                raise self.error(
                    Message(
                        "a line of the file is longer than {most} MiB: expected a text file with shorter lines",
                        _LONGEST_LINE >> 20,
                    ),
                )
        if last := b"".join(rest):
            yield last + b"\n"

    def numbered_blocks(self) -> Iterator[tuple[int, bytes]]:
        """Yield (number of the first line, counted from 1; block) for each block of :meth:`whole_lines`."""
        number = 1
        for block in self.whole_lines():
            yield number, block
            number += count_lines(block)

    def lines(self) -> Iterator[str]:
        """Yield the lines of the text without their newlines; a carriage return before a newline remains.

        Raises
        ------
        ParseError
            The source is not UTF-8 text, has a NUL byte, or has a line longer than 256 MiB.
        """
        for number, block in self.numbered_blocks():
            yield from self.decode(block, number).split("\n")[:-1]

    def decode(self, data: bytes, line: int = 1) -> str:
        """Return bytes of the source as text; ``line`` is the number of their first line, for errors.

        Raises
        ------
        ParseError
            There is a NUL byte, or the bytes are not UTF-8.
        """
        nul = data.find(b"\0")
        if nul >= 0:
            if line == 1 and (encoding := _utf16_without_mark(data)):
                raise self._is_utf16(encoding)
            raise self.error_at(
                "the file has a NUL byte: expected text in UTF-8 (is the file UTF-16 or binary?)", data, nul, line
            )
        try:
            return data.decode()
        except UnicodeDecodeError as error:
            message = Message(
                "the byte 0x{byte} is not UTF-8 text: if the file is {encoding}, the command {command} converts it",
                f"{data[error.start]:02x}",
                (encoding := "gb18030" if _GB2312.fullmatch(data) else "windows-1252"),
                self._from_encoding(encoding),
            )
            raise self.error_at(message, data, error.start, line) from None

    def error(
        self, message: str, line: int | None = None, column: int | None = None, text: str | None = None
    ) -> ParseError:
        """Return a ParseError that names this source, the line and the column; ``text`` is the text of the line."""
        return ParseError(message, source=self.name, line=line, column=column, text=text)

    def error_at(self, message: str, data: bytes, offset: int, line: int = 1) -> ParseError:
        """Return a ParseError at an offset in ``data``, bytes of the source that begin in line number ``line``."""
        line += data.count(b"\n", 0, offset)
        before, after = data[:offset].rpartition(b"\n")[2], data[offset:].partition(b"\n")[0]
        texts = [part.decode(errors="replace") for part in (before, before + after)]
        return self.error(message, line=line, column=len(texts[0]) + 1, text=texts[1].rstrip("\r"))

    def error_in_text(self, message: str, text: str, offset: int) -> ParseError:
        """Return a ParseError at an offset in ``text``, the text of the whole source."""
        before, after = text[:offset].rpartition("\n")[2], text[offset:].partition("\n")[0]
        return self.error(
            message, line=text.count("\n", 0, offset) + 1, column=len(before) + 1, text=(before + after).rstrip("\r")
        )

    def _open(self) -> None:
        if self._stream is not None or self._copy is not None:
            return
        if isinstance(self._origin, bytes):
            self._file = io.BytesIO(self._origin)
        elif self._origin == "-":
            self._file = sys.stdin.buffer
        else:
            self._file = Path(self._origin).open("rb")  # noqa: SIM115
        self._total = _size_of(self._file)
        buffered = self._file if hasattr(self._file, "peek") else io.BufferedReader(cast("Any", self._file))
        self._compression = compression_of(self.path or "", buffered.peek(16))
        self._stream = cast("IO[bytes]", buffered)
        if self._compression:
            self._compressed = Counted(buffered)
            self._stream = open_stream(self._compression, self._compressed, "rb")

    def _read(self, size: int) -> bytes:
        self._open()
        assert self._stream is not None
        kind = self._compression
        try:
            block = self._stream.read(size)
        except EOFError:
            raise self.error(Message("the {compression} data is truncated: the file ends too early", kind)) from None
        except Exception as error:
            # An error with an errno comes from the system, for example from a bad disk, and not from damaged data.
            if kind is None or isinstance(error, MemoryError) or getattr(error, "errno", None) is not None:
                raise
            raise self.error(Message("the {compression} data is damaged: {error}", kind, str(error).lower())) from None
        self._bytes_read += len(block)
        self.refuse_expansion(self._bytes_read)
        if self._progress is not None:
            self._progress(self._file_bytes_read, self._total)
        return block

    @property
    def _file_bytes_read(self) -> int:
        """The number of bytes that were read from the file, before decompression."""
        return self._bytes_read if self._compressed is None else self._compressed.count

    def _from_encoding(self, encoding: str) -> str:
        """Return a shell command that converts the file from an encoding to UTF-8; the new file is not compressed."""
        suffix = plain_suffix(self.path or "") or ".txt"
        return self.shell_command(f"iconv -f {encoding} -t utf-8 {{shell}} > {{output}}", output=quote(f"utf8{suffix}"))

    def _is_utf16(self, encoding: str) -> ParseError:
        command = self._from_encoding(encoding)
        return self.error(Message("the file is UTF-16 text: convert it to UTF-8 by {command}", command), line=1)

    def _unmarked_blocks(self) -> Iterator[bytes]:
        """Yield the text in blocks. Drop a byte order mark; carriage returns become newlines as in ``whole_lines``."""
        first = self.peek(BLOCK)
        if first.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
            raise self._is_utf16("utf-16")
        old_newlines = b"\r" in first and b"\n" not in first
        for number, block in enumerate(self.blocks()):
            text = block.removeprefix(codecs.BOM_UTF8) if number == 0 else block
            yield text.replace(b"\r", b"\n") if old_newlines else text


def _utf16_without_mark(data: bytes) -> str | None:
    """Return "utf-16le" or "utf-16be" if the data begin like Latin text in UTF-16 without a mark; otherwise None."""
    odd, even = data[1:200:2], data[:200:2]
    if len(data) < 4:  # One zero byte is too little evidence.
        return None
    if odd.count(0) > len(odd) * 3 // 4 and not even.count(0):
        return "utf-16le"
    return "utf-16be" if even.count(0) > len(even) * 3 // 4 and not odd.count(0) else None


def _size_of(file: BinaryIO) -> int | None:
    """Return the number of bytes in a regular file or in memory; None for a pipe."""
    if isinstance(file, io.BytesIO):
        return len(file.getbuffer())
    try:
        status = os.fstat(file.fileno())
    except (OSError, AttributeError):
        return None
    return status.st_size if stat.S_ISREG(status.st_mode) else None
