"""Where files come from and go to: sources of bytes and text, and files written in one step.

Compression follows from the name (``.gz``, ``.bz2``, ``.xz``), and for a source also from its first bytes.
``-`` is standard input or standard output. Text is UTF-8.
"""

from __future__ import annotations

import codecs
import contextlib
import errno
import importlib
import io
import os
import secrets
import stat
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any, BinaryIO, NoReturn, TypeAlias, cast

from graphgame.errors import FormatError, ParseError, shorten

__all__ = ["BLOCK", "COMPRESSIONS", "PathLike", "Progress", "Source", "open_atomic", "plain_suffix"]

PathLike: TypeAlias = "str | os.PathLike[str]"
Progress: TypeAlias = Callable[[int, "int | None"], None]

BLOCK = 1 << 20
"""Bytes read at a time."""

COMPRESSIONS = {".gz": "gzip", ".bz2": "bz2", ".xz": "lzma"}
"""Suffix -> the standard library's module."""

_MAGIC = {"gzip": b"\x1f\x8b", "bz2": b"BZh91AY&SY", "lzma": b"\xfd7zXZ\x00"}
_LONGEST_LINE = 1 << 28
_STANDARD_OUTPUT = ("-", "/dev/stdout")


def plain_suffix(path: PathLike) -> str:
    """Return the last suffix of a name in lower case, without that of a compression.

    Examples
    --------
    >>> plain_suffix("games/Chips.TXT.gz")
    '.txt'
    """
    name = Path(path)
    return (name.with_suffix("") if name.suffix.lower() in COMPRESSIONS else name).suffix.lower()


class Source:
    r"""Something to read once, from its start to its end.

    Parameters
    ----------
    place : str, os.PathLike or bytes
        A path, ``-`` for standard input, or the bytes themselves.
    name : str, optional
        What errors call it.
    progress : callable, optional
        Called as ``progress(bytes_done, bytes_total)`` as the source is read; the total is None where it
        is not known. Bytes are those of the file, compressed or not.

    Examples
    --------
    >>> with Source(b"1 2\n2 3\n") as source:
    ...     source.peek(3), list(source.lines())
    (b'1 2', ['1 2', '2 3'])
    """

    def __init__(self, place: PathLike | bytes, *, name: str | None = None, progress: Progress | None = None) -> None:
        self._place = place if isinstance(place, bytes) else os.fspath(place)
        self._progress = progress
        self._head = b""
        self._file: BinaryIO | None = None
        self._stream: IO[bytes] | None = None
        self._compression: str | None = None
        self.name = name or self._default_name()

    def __enter__(self) -> Source:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def path(self) -> str | None:
        """The path, or None for standard input and bytes."""
        return None if isinstance(self._place, bytes) or self._place == "-" else self._place

    @property
    def size(self) -> int | None:
        """Bytes of uncompressed text that the source is known to hold, or None."""
        self._open()
        return None if self._compression else self._total

    def close(self) -> None:
        """Close the file; standard input is left open."""
        if self._file is not None and self._place != "-":
            if self._stream is not None:
                self._stream.close()
            self._file.close()
        self._file = self._stream = None
        self._head = b""

    def peek(self, size: int) -> bytes:
        """Return the first bytes, at most ``size``; they will still be read."""
        while len(self._head) < size and (more := self._read(size - len(self._head))):
            self._head += more
        return self._head[:size]

    def refuse_empty(self, expected: str) -> None:
        """Raise a ParseError where there is nothing, or only white space.

        Parameters
        ----------
        expected : str
            What should have been there.
        """
        if not self.peek(BLOCK).removeprefix(codecs.BOM_UTF8).strip():
            raise self.error(f"the file is empty: expected {expected}", 1)

    def blocks(self, size: int = BLOCK) -> Iterator[bytes]:
        """Yield the bytes in blocks of about ``size``."""
        try:
            block, self._head = self.peek(1) and self._head, b""
            while block:
                yield block
                block = self._read(size)
        finally:
            self.close()

    def read_bytes(self) -> bytes:
        """Return all bytes."""
        return b"".join(self.blocks())

    def read_text(self) -> str:
        """Return the whole as text.

        Raises
        ------
        ParseError
            It is not UTF-8 text.
        """
        return self.decode(b"".join(self._unmarked_blocks()))

    def whole_lines(self) -> Iterator[bytes]:
        """Yield the bytes of the text in blocks of whole lines, each block ending in a newline.

        A byte order mark is dropped; a text whose lines end in carriage returns alone is given newlines.

        Raises
        ------
        ParseError
            The source is UTF-16 text, or a line is longer than 256 MiB.
        """
        rest: list[bytes] = []
        for block in self._unmarked_blocks():
            end = block.rfind(b"\n") + 1
            if end:
                yield b"".join([*rest, block[:end]])
                rest = []
            rest.append(block[end:])
            if sum(map(len, rest)) > _LONGEST_LINE:
                raise self.error(f"a line of more than {_LONGEST_LINE >> 20} MiB: expected lines of text")
        if last := b"".join(rest):
            yield last + b"\n"

    def lines(self) -> Iterator[str]:
        """Yield the lines of the text without their newlines.

        Raises
        ------
        ParseError
            It is not UTF-8 text.
        """
        number = 1
        for block in self.whole_lines():
            yield from self.decode(block, number).split("\n")[:-1]
            number += block.count(b"\n")

    def decode(self, data: bytes, line: int = 1) -> str:
        """Return bytes as text; ``line`` is the number of the line that they begin.

        Raises
        ------
        ParseError
            A NUL byte, or bytes that are not UTF-8.
        """
        nul = data.find(b"\0")
        if nul >= 0:
            raise self.error_at("NUL byte: expected text in UTF-8 (is the file UTF-16 or binary?)", data, nul, line)
        try:
            return data.decode()
        except UnicodeDecodeError as error:
            message = f"byte 0x{data[error.start]:02x} is not UTF-8 text: expected the encoding UTF-8"
            raise self.error_at(message, data, error.start, line) from None

    def error(
        self, message: str, line: int | None = None, column: int | None = None, text: str | None = None
    ) -> ParseError:
        """Return a ParseError that names this source."""
        return ParseError(message, source=self.name, line=line, column=column, text=text)

    def error_at(self, message: str, data: bytes, offset: int, line: int = 1) -> ParseError:
        """Return a ParseError at an offset of bytes that begin with line number ``line``."""
        start = data.rfind(b"\n", 0, offset) + 1
        end = data.find(b"\n", offset)
        text = data[start : len(data) if end < 0 else end].decode(errors="replace").rstrip("\r")
        column = len(data[start:offset].decode(errors="replace")) + 1
        return self.error(message, line + data.count(b"\n", 0, start), column, text)

    def _default_name(self) -> str:
        if isinstance(self._place, bytes):
            return "<text>"
        return "standard input" if self._place == "-" else self._place

    def _open(self) -> None:
        if self._stream is not None:
            return
        suffix = ""
        if isinstance(self._place, bytes):
            self._file = io.BytesIO(self._place)
        elif self._place == "-":
            self._file = sys.stdin.buffer
        else:
            self._file = Path(self._place).open("rb")  # noqa: SIM115
            suffix = Path(self._place).suffix.lower()
        self._done = 0
        self._total = _size_of(self._file)
        buffered = self._file if hasattr(self._file, "peek") else io.BufferedReader(cast("Any", self._file))
        first = buffered.peek(16)
        by_magic = (kind for kind, magic in _MAGIC.items() if first.startswith(magic))
        self._compression = COMPRESSIONS.get(suffix) or next(by_magic, None)
        self._stream = _decompressed(buffered, self._compression)

    def _read(self, size: int) -> bytes:
        self._open()
        assert self._stream is not None
        try:
            block = self._stream.read(size)
        except EOFError:
            raise self.error(f"truncated {self._compression} data: the file ends before the data does") from None
        except Exception as error:
            if self._compression is None or (isinstance(error, OSError) and error.errno is not None):
                raise
            raise self.error(f"damaged {self._compression} data: {str(error).lower()}") from None
        if self._progress is not None:
            self._report(len(block))
        return block

    def _report(self, size: int) -> None:
        assert self._progress is not None
        assert self._file is not None
        self._done = self._file.tell() if self._compression and self._total is not None else self._done + size
        self._progress(self._done, self._total)

    def _unmarked_blocks(self) -> Iterator[bytes]:
        """Yield the blocks of a text without its byte order mark."""
        first = self.peek(BLOCK)
        if first.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
            raise self.error("the file is UTF-16 text: expected UTF-8, so save it as UTF-8", 1)
        old_newlines = b"\r" in first and b"\n" not in first
        for number, block in enumerate(self.blocks()):
            text = block.removeprefix(codecs.BOM_UTF8) if number == 0 else block
            yield text.replace(b"\r", b"\n") if old_newlines else text


def _size_of(file: BinaryIO) -> int | None:
    """Return the bytes of a regular file or a buffer, None for a pipe."""
    if isinstance(file, io.BytesIO):
        return len(file.getbuffer())
    try:
        status = os.fstat(file.fileno())
    except (OSError, AttributeError):
        return None
    return status.st_size if stat.S_ISREG(status.st_mode) else None


def _decompressed(file: Any, compression: str | None) -> IO[bytes]:  # noqa: ANN401
    return cast("IO[bytes]", importlib.import_module(compression).open(file, "rb") if compression else file)


@contextlib.contextmanager
def open_atomic(path: PathLike, mode: str = "w") -> Iterator[Any]:
    r"""Open a file to write as a whole: it appears under its name when the block ends, or not at all.

    Parameters
    ----------
    path : str or os.PathLike
        ``-`` is standard output. The suffixes ``.gz``, ``.bz2`` and ``.xz`` compress. Links are followed; devices
        and pipes are written directly.
    mode : {"w", "wb"}
        Text in UTF-8, or bytes.

    Yields
    ------
    file
        Open for writing. It is written beside its target under another name and renamed at the end; any
        exception removes it.

    Raises
    ------
    OSError
        The path is a directory, or may not be written.
    FormatError
        The text holds a lone surrogate, which UTF-8 cannot express.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> path = pathlib.Path(tempfile.mkdtemp(), "a.txt")
    >>> with open_atomic(path) as stream:
    ...     stream.write("1 0 1\n1\n"), path.exists()
    (8, False)
    >>> path.read_text()
    '1 0 1\n1\n'
    """
    name = os.fspath(path)
    try:
        if name in _STANDARD_OUTPUT:
            with _standard_output(mode) as stream:
                yield stream
        elif _is_written_directly(name):
            with Path(name).open("wb") as device, _encoded(device, name, mode) as stream:
                yield stream
        else:
            with _renamed_at_end(Path(name).resolve()) as raw, _encoded(raw, name, mode) as stream:
                yield stream
    except UnicodeEncodeError as error:
        raise FormatError(f"{shorten(error.object)} holds a lone surrogate: UTF-8 cannot express it") from None


@contextlib.contextmanager
def _standard_output(mode: str) -> Iterator[Any]:
    """Give standard output, in UTF-8 whatever the locale."""
    buffer = getattr(sys.stdout, "buffer", None)
    if buffer is None:
        yield sys.stdout
        return
    sys.stdout.flush()
    if "b" in mode:
        yield buffer
    else:
        stream = io.TextIOWrapper(buffer, encoding="utf-8", newline="\n")
        try:
            yield stream
            stream.flush()
        finally:
            with contextlib.suppress(OSError):
                stream.detach()
    buffer.flush()


def _is_written_directly(name: str) -> bool:
    """Tell whether a path is a device or a pipe, to which nothing can be renamed."""
    if name.startswith(("/dev/", "/proc/")):
        return True
    try:
        mode = Path(name).stat().st_mode
    except OSError:
        return False
    if stat.S_ISDIR(mode):
        _refuse(errno.EISDIR, name)
    return not stat.S_ISREG(mode)


def _refuse(number: int, name: str) -> NoReturn:
    raise OSError(number, os.strerror(number), name)


@contextlib.contextmanager
def _renamed_at_end(target: Path) -> Iterator[IO[bytes]]:
    """Give a new file beside the target that takes its name and permissions at the end."""
    exists = target.exists()
    if exists and not os.access(target, os.W_OK):
        _refuse(errno.EACCES, str(target))
    temporary = target.with_name(f".{target.name[:100]}.{secrets.token_hex(6)}.part")
    try:
        raw = temporary.open("xb")
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(target)) from None
    try:
        with raw:
            yield raw
        if exists:
            temporary.chmod(stat.S_IMODE(target.stat().st_mode))
        temporary.replace(target)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


@contextlib.contextmanager
def _encoded(raw: IO[bytes], name: str, mode: str) -> Iterator[Any]:
    """Give a stream of text or bytes that compresses into a file as its name says."""
    compression = COMPRESSIONS.get(Path(name).suffix.lower())
    with contextlib.ExitStack() as stack:
        stream: Any = raw
        if compression == "gzip":
            import gzip

            # no name and no time, so that the same text gives the same bytes
            stream = stack.enter_context(gzip.GzipFile("", "wb", 6, raw, mtime=0))
        elif compression:
            stream = stack.enter_context(importlib.import_module(compression).open(raw, "wb"))
        if "b" not in mode:
            stream = stack.enter_context(io.TextIOWrapper(stream, encoding="utf-8", newline="\n"))
        yield stream
