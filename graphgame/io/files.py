"""Write files in one step: a file appears under its name when it is complete, or not at all.

The suffix decides the compression (``.gz``, ``.bz2``, ``.xz``, ``.zst``). ``-`` is standard output. Text is UTF-8.
:mod:`graphgame.io.source` reads files; its common names can be imported from here as well.
"""

from __future__ import annotations

import contextlib
import errno
import io
import os
import re
import stat
import sys
import time
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import IO, Any, NoReturn

from graphgame.errors import FormatError
from graphgame.io.source import PathLike, ReadProgress, Source, compression_of, open_stream, plain_suffix

__all__ = ["PathLike", "ReadProgress", "Source", "is_there", "open_atomic", "plain_suffix", "refuse_unwritable"]

_STANDARD_OUTPUT = ("-", "/dev/stdout")
_SECONDS_TO_LOCK = 60
"""A part file without a lock is removed only if it is older than this: its writer may be about to lock it."""


def is_there(name: str) -> bool:
    """Tell whether a file or folder of this name exists; False for a name that is too long."""
    return os.path.exists(name)  # noqa: PTH110 - Path.exists would raise an error for a long name


@contextlib.contextmanager
def open_atomic(path: PathLike, mode: str = "w") -> Iterator[Any]:
    r"""Open a file for writing, which appears under its name when the ``with`` block ends without an error.

    Parameters
    ----------
    path : str or os.PathLike
        ``-`` is standard output. With the suffixes ``.gz``, ``.bz2``, ``.xz`` and ``.zst`` the file is compressed.
        Symbolic links are followed; devices and pipes are written directly.
    mode : {"w", "wb"}
        Text in UTF-8, or bytes.

    Yields
    ------
    file
        A stream to write to. What is written goes to a hidden file, ``.NAME.*.part``, in the folder of the target. At
        the end this part file is flushed to disk and renamed; an exception removes it. If the target exists, the new
        file takes its mode and, if allowed, its owner. Old part files for the target from killed processes are removed.

    Raises
    ------
    OSError
        The path is a directory, may not be written, or is in a folder that does not exist.
    FormatError, MissingExtraError
        The text holds a lone surrogate, which UTF-8 cannot express; or zstd, for ``.zst``, is not installed.

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
            with _renamed_at_end(_target(name)) as raw, _encoded(raw, name, mode) as stream:
                yield stream
    except UnicodeEncodeError as error:
        raise FormatError(
            "the text {text!r} has a lone surrogate, a character that UTF-8 cannot express: remove it", error.object
        ) from None


def refuse_unwritable(path: PathLike) -> None:
    """Raise the OSError that :func:`open_atomic` would raise for this path: call it before long work.

    An existing file is not changed, and no new file is left. For standard output, devices and pipes nothing is tested.

    Examples
    --------
    >>> refuse_unwritable("missing/values.csv")
    Traceback (most recent call last):
    ...
    FileNotFoundError: [Errno 2] No such file or directory: ...
    """
    name = os.fspath(path)
    if name not in _STANDARD_OUTPUT and not _is_written_directly(name):
        with contextlib.suppress(_NotWrittenError), _renamed_at_end(_target(name)):
            raise _NotWrittenError


class _NotWrittenError(Exception):
    """Leaves the block of :func:`_renamed_at_end`, so that the target is not replaced."""


@contextlib.contextmanager
def _standard_output(mode: str) -> Iterator[Any]:
    """Yield standard output as a stream of bytes if ``mode`` has a "b", otherwise of text in UTF-8.

    If standard output takes only text, as in some notebooks, yield it unchanged.
    """
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
    """Tell whether a path is a device or a pipe, which no file can replace; raise an OSError for a folder."""
    if name.startswith(("/dev/", "/proc/")):
        return True
    try:
        mode = Path(name).stat().st_mode
    except OSError:
        return False
    if stat.S_ISDIR(mode):
        _refuse(errno.EISDIR, name)
    return not stat.S_ISREG(mode)


def _target(name: str) -> Path:
    """Return the path of a file after all symbolic links; raise an OSError if they form a loop."""
    try:
        target = Path(name).resolve()
    except RuntimeError:  # Python before 3.13 raises this for links in a loop.
        _refuse(errno.ELOOP, name)
    if target.is_symlink():  # Python 3.13 and later return one of the links of a loop.
        _refuse(errno.ELOOP, name)
    return target


def _refuse(number: int, name: str) -> NoReturn:
    raise OSError(number, os.strerror(number), name)


@contextlib.contextmanager
def _renamed_at_end(target: Path) -> Iterator[IO[bytes]]:
    """Yield a new file in the folder of the target, which replaces the target at the end of the block.

    From the start, the new file has the mode of an existing target and, if allowed, its owner. An exception removes it.
    """
    replaced = target.stat() if target.exists() else None
    if replaced and not os.access(target, os.W_OK):
        _refuse(errno.EACCES, str(target))
    stem = f".{target.name[:100]}."
    _sweep(target.parent, stem)
    part = target.with_name(f"{stem}{os.urandom(6).hex()}.part")
    try:
        try:
            part.touch(0o600 if replaced else 0o666, exist_ok=False)
        except OSError as error:
            raise OSError(error.errno, error.strerror, str(target)) from None
        with part.open("wb") as raw:
            with contextlib.suppress(OSError):
                lock(raw.fileno())
            if replaced:
                _take_owner_and_mode(part, replaced)
            yield raw
            raw.flush()
            os.fsync(raw.fileno())
        part.replace(target)
        _sync_folder(target.parent)
    except BaseException as error:
        with contextlib.suppress(OSError):
            part.unlink()
        if isinstance(error, OSError) and error.errno and error.filename is None:
            error.filename = str(target)  # If the disk is full, write() raises an error without a name.
        raise


def _sweep(folder: Path, stem: str) -> None:
    """Remove part files whose names begin with ``stem``, if they are over a minute old and not locked."""
    name = re.compile(re.escape(stem) + "[0-9a-f]{12}[.]part")
    with contextlib.suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if name.fullmatch(entry.name) and entry.is_file(follow_symlinks=False):
                with contextlib.suppress(OSError):
                    with Path(entry.path).open("r+b") as part:
                        lock(part.fileno())
                        is_new = time.time() - entry.stat().st_mtime <= _SECONDS_TO_LOCK
                    if not is_new:
                        Path(entry.path).unlink()  # Outside the block that opens it: Windows cannot delete open files.


def _take_owner_and_mode(part: Path, replaced: os.stat_result) -> None:
    """Give a part file the mode of the file that it replaces and, as far as the system allows, its group and owner."""
    for owner in (replaced.st_uid, -1):
        with contextlib.suppress(OSError, AttributeError):  # Windows has no chown.
            os.chown(part, owner, replaced.st_gid)
            break
    part.chmod(stat.S_IMODE(replaced.st_mode))


def _sync_folder(folder: Path) -> None:
    """Flush a folder to disk, so that a new name in it survives a crash; do nothing where that is not possible."""
    with contextlib.suppress(OSError):
        opened = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(opened)
        finally:
            os.close(opened)


@contextlib.contextmanager
def _encoded(raw: IO[bytes], name: str, mode: str) -> Iterator[Any]:
    """Yield a stream to ``raw``, of bytes if ``mode`` has a "b", otherwise of text, compressed as ``name`` says."""
    compression = compression_of(name)
    with contextlib.ExitStack() as stack:
        stream: Any = raw
        if compression == "gzip":
            import gzip

            # Write no name and no time to the header, so that the same text always gives the same bytes.
            stream = stack.enter_context(gzip.GzipFile("", "wb", 6, raw, mtime=0))
        elif compression:
            stream = stack.enter_context(open_stream(compression, raw, "wb"))
        if "b" not in mode:
            stream = io.TextIOWrapper(stream, encoding="utf-8", newline="\n")
            stack.callback(stream.detach)  # This flushes the text, but leaves the file open.
        yield stream


_LOCKED_BYTE = 1 << 30
"""The offset of the byte to lock on Windows. Other processes cannot read it, so it is beyond the end of most files."""


def lock(file: int) -> None:
    """Lock an open file, given by its descriptor, until it is closed.

    Other processes can still read and write the file, but not lock it. In a browser, nothing is locked.

    Raises
    ------
    OSError
        The file is locked already, or the file system has no locks.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryFile() as file:
    ...     lock(file.fileno())
    """
    try:
        import fcntl
    except ImportError:
        _lock_a_byte(file)
    else:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def _lock_a_byte(file: int) -> None:
    try:
        msvcrt: Any = import_module("msvcrt")
    except ImportError:
        return
    offset = os.lseek(file, 0, os.SEEK_CUR)
    os.lseek(file, _LOCKED_BYTE, os.SEEK_SET)
    try:
        msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
    finally:
        os.lseek(file, offset, os.SEEK_SET)
