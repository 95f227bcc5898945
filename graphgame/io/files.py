"""Where files come from and go to: sources, and files written in one step.

Compression follows from the name (``.gz``, ``.bz2``, ``.xz``, ``.zst``). ``-`` is standard input or standard output.
Text is UTF-8.
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
_NEW = 60
"""Seconds in which a part file that nobody has locked may belong to a writer."""


def is_there(name: str) -> bool:
    """Tell whether there is a file or folder of this name."""
    try:
        return Path(name).exists()
    except OSError:  # a name that is too long
        return False


@contextlib.contextmanager
def open_atomic(path: PathLike, mode: str = "w") -> Iterator[Any]:
    r"""Open a file to write as a whole: it appears under its name when the block ends, or not at all.

    Parameters
    ----------
    path : str or os.PathLike
        ``-`` is standard output. The suffixes ``.gz``, ``.bz2``, ``.xz`` and ``.zst`` compress. Links are
        followed; devices and pipes are written directly.
    mode : {"w", "wb"}
        Text in UTF-8, or bytes.

    Yields
    ------
    file
        Open for writing. It is written beside its target under another name, a hidden one in ``.part``, and renamed
        when it is on the disk; any exception removes it. What is replaced passes on its owner and mode. A part file
        of the same target that a killed process left is removed.

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
            with _renamed_at_end(_target(name)) as raw, _encoded(raw, name, mode) as stream:
                yield stream
    except UnicodeEncodeError as error:
        raise FormatError("{object!r} holds a lone surrogate: UTF-8 cannot express it", error.object) from None


def refuse_unwritable(path: PathLike) -> None:
    """Raise before long work the error that :func:`open_atomic` would raise after it; what is there stays.

    Raises
    ------
    OSError
        The path is a directory, or may not be written.

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
    """A file could have been written."""


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


def _target(name: str) -> Path:
    """Return the file that a name and its links lead to."""
    try:
        target = Path(name).resolve()
    except RuntimeError:  # how Pythons before 3.13 tell of a loop
        _refuse(errno.ELOOP, name)
    if target.is_symlink():  # Python 3.13 returns a link of the loop
        _refuse(errno.ELOOP, name)
    return target


def _refuse(number: int, name: str) -> NoReturn:
    raise OSError(number, os.strerror(number), name)


@contextlib.contextmanager
def _renamed_at_end(target: Path) -> Iterator[IO[bytes]]:
    """Give a new file beside the target that takes its name at the end, and from the start its owner and mode."""
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
            error.filename = str(target)  # what cannot be written, where the disk is full
        raise


def _sweep(folder: Path, stem: str) -> None:
    """Remove the part files of a target whose writers were killed: nobody holds them."""
    name = re.compile(re.escape(stem) + "[0-9a-f]{12}[.]part")
    with contextlib.suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if name.fullmatch(entry.name) and entry.is_file(follow_symlinks=False):
                with contextlib.suppress(OSError):
                    with Path(entry.path).open("r+b") as left:
                        lock(left.fileno())
                        is_new = time.time() - entry.stat().st_mtime <= _NEW  # its writer may be about to lock it
                    if not is_new:
                        Path(entry.path).unlink()  # closed: Windows deletes no open file


def _take_owner_and_mode(part: Path, replaced: os.stat_result) -> None:
    """Give a part file the owner of what it replaces, or its group, where that is allowed; and its mode."""
    for owner in (replaced.st_uid, -1):
        with contextlib.suppress(OSError, AttributeError):  # no chown on Windows
            os.chown(part, owner, replaced.st_gid)
            break
    part.chmod(stat.S_IMODE(replaced.st_mode))


def _sync_folder(folder: Path) -> None:
    """See that a new name in a folder outlasts a crash, where the system can."""
    with contextlib.suppress(OSError):
        opened = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(opened)
        finally:
            os.close(opened)


@contextlib.contextmanager
def _encoded(raw: IO[bytes], name: str, mode: str) -> Iterator[Any]:
    """Give a stream of text or bytes that compresses into a file as its name says."""
    compression = compression_of(name)
    with contextlib.ExitStack() as stack:
        stream: Any = raw
        if compression == "gzip":
            import gzip

            # no name and no time, so that the same text gives the same bytes
            stream = stack.enter_context(gzip.GzipFile("", "wb", 6, raw, mtime=0))
        elif compression:
            stream = stack.enter_context(open_stream(compression, raw, "wb"))
        if "b" not in mode:
            stream = io.TextIOWrapper(stream, encoding="utf-8", newline="\n")
            stack.callback(stream.detach)  # which does not close the file
        yield stream


_FAR = 1 << 30
"""The byte that is locked on Windows: it lies beyond the end of the file, for others cannot read a locked byte."""


def lock(file: int) -> None:
    """Lock an open file, given by its descriptor, until it is closed.

    Raises
    ------
    OSError
        Another process holds the file, or the file system has no locks.

    Notes
    -----
    A system without ``fcntl`` and ``msvcrt``, as in a browser, has one process: nothing is locked.

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
    here = os.lseek(file, 0, os.SEEK_CUR)
    os.lseek(file, _FAR, os.SEEK_SET)
    try:
        msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
    finally:
        os.lseek(file, here, os.SEEK_SET)
