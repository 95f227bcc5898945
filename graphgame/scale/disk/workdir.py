"""The folder of work files: what is finished, told by a manifest that is written last.

A work file is written from its start to its end; the manifest holds the size and the CRC-32 of what counts of it.
Bytes beyond are of an interrupted run and are cut off when work goes on.
"""

from __future__ import annotations

import contextlib
import errno
import json
import mmap
import os
import shutil
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO, Any

import numpy as np

from graphgame.errors import FormatError, LimitError, OptionError
from graphgame.io.files import PathLike, open_atomic
from graphgame.scale.disk.sizes import size_text

__all__ = ["WorkFile", "Workdir", "mapped"]

_VERSION = 1
_MANIFEST = "manifest.json"
_LOCK = ".lock"
_FILES = (
    *("edges-0", "edges-1", "edges-2", "counts", "ranks", "labels", "starts"),
    *("pointers", "indices", "roots", "degrees", "values"),
)
_BLOCK = 1 << 22
_AGAIN = "start again without resuming, or choose another folder"
_FULL = (errno.ENOSPC, errno.EFBIG, errno.EDQUOT)


class Workdir:
    """The work files of one input in a folder; only one process at a time may use it.

    Parameters
    ----------
    path : str or os.PathLike
        Made where it does not exist.
    input : dict
        What tells this input from others, as JSON.
    resume : bool
        Go on with what is there; else it is deleted.

    Raises
    ------
    OptionError
        The folder holds other files, work on another input, or another process uses it.
    FormatError
        A work file is damaged.
    """

    def __init__(self, path: PathLike, input: dict[str, Any], resume: bool) -> None:
        self.path = Path(path)
        self.path.mkdir(parents=True, exist_ok=True)
        self._lock: IO[bytes] | None = None
        self._open: list[WorkFile] = []
        self._manifest: dict[str, Any] = {"version": _VERSION, "input": input, "stages": {}, "files": {}}
        self._take_lock()
        try:
            self._begin(resume)
        except BaseException:
            self.close()
            raise

    @property
    def input(self) -> dict[str, Any]:
        """What the work is on."""
        return self._manifest["input"]  # type: ignore[no-any-return]

    def has(self, name: str) -> bool:
        """Tell whether a work file is recorded."""
        return name in self._manifest["files"]

    def stage(self, name: str) -> dict[str, Any] | None:
        """Return what a stage recorded, or None where it has not."""
        return self._manifest["stages"].get(name)  # type: ignore[no-any-return]

    def record(self, stage: str, record: dict[str, Any], *files: WorkFile) -> None:
        """Write down how far a stage is, and what counts of its files."""
        for file in files:
            self._manifest["files"][file.name] = [file.size, file.crc]
        self._manifest["stages"][stage] = record
        self._write()

    def file(self, name: str, *, fresh: bool = False) -> WorkFile:
        """Open a work file to append to what counts of it; a fresh one is empty."""
        if fresh:
            self.remove(name)
        size, crc = self._manifest["files"].get(name, (0, 0))
        file = WorkFile(self.path / name, name, size, crc)
        self._open.append(file)
        return file

    def array(self, name: str, dtype: Any) -> np.ndarray:  # noqa: ANN401
        """Return what counts of a work file as an array over mapped memory; writing to it leaves the file alone."""
        size = self._manifest["files"][name][0]
        return mapped(self.path / name, np.dtype(dtype), size // np.dtype(dtype).itemsize)

    def remove(self, *names: str) -> None:
        """Forget work files and delete them."""
        known = [name for name in names if self._manifest["files"].pop(name, None)]
        if known:
            self._write()
        self._delete(names)

    def clear(self) -> None:
        """Delete every work file, and the folder where nothing else is in it."""
        self._delete((*_FILES, _MANIFEST, _LOCK))
        self.close()
        with contextlib.suppress(OSError):
            self.path.rmdir()

    def close(self) -> None:
        """Close all files and let other processes use the folder."""
        for file in self._open:
            file.close()
        self._open.clear()
        if self._lock is not None:
            self._lock.close()
            self._lock = None

    def check_room(self, need: int, what: str) -> None:
        """Raise a LimitError where the disk has less room than a stage needs."""
        free = shutil.disk_usage(self.path).free
        if need > free:
            raise LimitError(
                f"{what} needs about {size_text(need)} of disk in {self.path}, where {size_text(free)} are free"
            )

    def _begin(self, resume: bool) -> None:
        found = self._found(resume)
        if found is not None:
            self._check(found)
            self._manifest = found
        else:
            self._delete(_FILES)
            self._write()

    def _found(self, resume: bool) -> dict[str, Any] | None:
        """Return the manifest of the work to go on with, None where there is none."""
        path = self.path / _MANIFEST
        if not path.exists():
            others = [entry.name for entry in self.path.iterdir() if not entry.name.startswith(".")]
            if others:
                raise OptionError(f"{self.path} holds other files ({sorted(others)[0]}): expected an empty folder")
            return None
        if not resume:
            return None
        try:
            manifest = json.loads(path.read_text())
            if {"version", "input", "stages", "files"} <= set(manifest):
                return manifest  # type: ignore[no-any-return]
        except (ValueError, TypeError):
            pass
        raise FormatError(f"{path} is damaged: {_AGAIN}")

    def _take_lock(self) -> None:
        try:
            import fcntl
        except ImportError:  # not on Windows
            return
        self._lock = (self.path / _LOCK).open("wb")
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            self.close()
            raise OptionError(f"{self.path} is in use by another process: wait for it or choose another") from None

    def _check(self, found: dict[str, Any]) -> None:
        if found["version"] != _VERSION:
            raise OptionError(f"{self.path} holds work of another version of graphgame: {_AGAIN}")
        if found["input"] != self._manifest["input"]:
            raise OptionError(f"{self.path} holds work on another input, or the input has changed: {_AGAIN}")
        for name, (size, crc) in found["files"].items():
            if _checksum(self.path / name, size) != crc:
                raise FormatError(f"{self.path / name} is damaged: {_AGAIN}")

    def _write(self) -> None:
        with _explained(self.path), open_atomic(self.path / _MANIFEST) as stream:
            json.dump(self._manifest, stream)

    def _delete(self, names: Iterable[str]) -> None:
        for name in names:
            (self.path / name).unlink(missing_ok=True)
        for part in self.path.glob(f".{_MANIFEST}.*.part"):
            part.unlink(missing_ok=True)


class WorkFile:
    """A file that is appended to; ``size`` and ``crc`` tell of what it holds."""

    def __init__(self, path: Path, name: str, size: int, crc: int) -> None:
        self.path, self.name, self.size, self.crc = path, name, size, crc
        self._stream = path.open("r+b" if size else "wb", buffering=0)
        self._stream.truncate(size)
        self._stream.seek(size)

    def close(self) -> None:
        """Close it."""
        self._stream.close()

    def write(self, array: np.ndarray) -> None:
        """Append the bytes of an array."""
        rest = memoryview(np.ascontiguousarray(array).reshape(-1).view(np.uint8).data)
        with _explained(self.path):
            while rest:
                block = rest[: self._stream.write(rest[:_BLOCK])]
                self.crc = zlib.crc32(block, self.crc)
                self.size += len(block)
                rest = rest[len(block) :]


def mapped(path: Path, dtype: np.dtype[Any], count: int) -> np.ndarray:
    """Return an array over a file; ``array.base`` leads to the map."""
    if count == 0:
        return np.empty(0, dtype)
    with path.open("rb") as stream:
        pages = mmap.mmap(stream.fileno(), count * dtype.itemsize, access=mmap.ACCESS_COPY)
    return np.frombuffer(pages, dtype)


def _checksum(path: Path, size: int) -> int | None:
    """Return the CRC-32 of the first bytes of a file; None where it has fewer."""
    crc = 0
    try:
        with path.open("rb") as stream:
            while size and (block := stream.read(min(size, _BLOCK))):
                crc = zlib.crc32(block, crc)
                size -= len(block)
    except FileNotFoundError:
        return None
    return None if size else crc


@contextlib.contextmanager
def _explained(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        if error.errno in _FULL:
            message = f"{os.strerror(error.errno)}: what is finished is kept, so make room and run again"
            raise OSError(error.errno, message, str(path)) from None
        raise
