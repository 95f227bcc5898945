"""The folder of work files: what is finished, told by a manifest that is written last.

A work file is written from its start to its end; the manifest holds the size and the CRC-32 of what counts of it.
Bytes beyond are of an interrupted run and are cut off when work goes on. A file is listed before it is made, and
nothing but what is listed is written to or deleted.
"""

from __future__ import annotations

import contextlib
import errno
import mmap
import os
import shutil
import stat
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from graphgame.errors import LimitError, Message, OptionError, ParseError, known
from graphgame.io.files import PathLike, open_atomic
from graphgame.io.records import RecordFormat, natural
from graphgame.scale.disk.sizes import size_text

__all__ = ["WorkFile", "Workdir", "mapped"]

_MANIFEST = "manifest.json"
_LOCK = ".graphgame.lock"
_ROWS = ("pointers", "indices", "roots", "degrees", "values")
_FILES = ("edges-0", "edges-1", "edges-2", "counts", "ranks", "labels", "starts", *_ROWS)
_LABELS = ({"kind": "range", "first": int}, *({"kind": kind} for kind in ("increasing", "integers", "strings")))
_SCAN = {
    "labels": _LABELS,
    "vertices": natural,
    "edges": natural,
    "least": int,
    "spool": [_FILES[:3], int, natural, natural],
    "tokens": (None, [(int, str)]),
}
_STAGES = {"scan": _SCAN, "group": {"buckets": natural}, "rows": {"edges": natural}, "values": {}}
_RECORD = RecordFormat(
    "graphgame work folder",
    3,
    {
        "purpose": ("solve", "verify"),
        "input": {"format": str, "files": [(str, [str, natural, int])]},
        "stages": {name: (None, shape) for name, shape in _STAGES.items()},
        "files": dict.fromkeys(_FILES, (None, [natural, natural])),
    },
    Message("choose another folder, or delete this one yourself"),
)
_BLOCK = 1 << 22
_HEAD = 1 << 8
_AGAIN = Message("start again without resuming (--no-resume), or choose another folder")
_FULL = (errno.ENOSPC, errno.EFBIG, errno.EDQUOT)


class Workdir:
    """The work files of one input in a folder; only one process at a time may use it.

    ``input`` tells this input from others, as JSON, and ``purpose`` what is done with it: to solve takes the rows of
    predecessors, to verify those of options. To resume is to go on with what is there; else it is deleted. An
    OptionError tells that the folder holds other files or other work, or is in use; a ParseError that the manifest or
    a work file is damaged.
    """

    def __init__(self, path: PathLike, input: dict[str, Any], resume: bool, purpose: str = "solve") -> None:
        self.path = Path(path)
        self.path.mkdir(parents=True, exist_ok=True)
        self._lock: int | None = None
        self._open: list[WorkFile] = []
        self._manifest: dict[str, Any] = {
            "purpose": purpose,
            "input": input,
            "stages": dict.fromkeys(_STAGES),
            "files": dict.fromkeys(_FILES),
        }
        self._found()  # a folder of others is left as it is
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
        """Tell whether something counts of a work file."""
        return bool((self._manifest["files"][name] or [0])[0])

    def stage(self, name: str) -> dict[str, Any] | None:
        """Return what a stage recorded, or None where it has not."""
        return self._manifest["stages"][name]  # type: ignore[no-any-return]

    def record(self, stage: str, record: dict[str, Any], *files: WorkFile) -> None:
        """Write down how far a stage is, and what counts of its files."""
        for file in files:
            self._manifest["files"][file.name] = [file.size, file.crc]
        self._manifest["stages"][stage] = record
        self._write()

    def file(self, name: str, *, fresh: bool = False) -> WorkFile:
        """Open a work file to append to what counts of it; a fresh one is empty."""
        path, listed = self.path / name, self._manifest["files"][name]
        if listed is None and os.path.lexists(path):
            raise _foreign(path)
        size, crc = counted = [0, 0] if fresh or listed is None else listed
        if counted != listed:
            self._manifest["files"][name] = counted
            self._write()
        file = WorkFile(path, name, size, crc)
        self._open.append(file)
        return file

    def array(self, name: str, dtype: Any) -> np.ndarray:  # noqa: ANN401
        """Return what counts of a work file as an array over mapped memory; writing to it leaves the file alone."""
        size = self._manifest["files"][name][0]
        return mapped(self.path / name, np.dtype(dtype), size // np.dtype(dtype).itemsize)

    def remove(self, *names: str) -> None:
        """Forget work files and delete them."""
        files = self._manifest["files"]
        listed = [name for name in names if files[name]]
        # Written down before it is done: the manifest never promises a file that is gone.
        if any(map(self.has, listed)):
            files.update((name, [0, 0]) for name in listed)
            self._write()
        self._delete(listed)
        files.update(dict.fromkeys(listed))

    def clear(self) -> None:
        """Delete every work file, and the folder where nothing else is in it."""
        parts = [part.name for part in self.path.glob(f".{_MANIFEST}.{'[0-9a-f]' * 12}.part")]
        self._delete([*_listed(self._manifest), _MANIFEST, *parts, *([] if self._lock is None else [_LOCK])])
        self.close()
        with contextlib.suppress(OSError):
            self.path.rmdir()

    def close(self) -> None:
        """Close all files and let other processes use the folder."""
        for file in self._open:
            file.close()
        self._open.clear()
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def check_room(self, need: int, what: str) -> None:
        """Raise a LimitError where the disk has less room than the work needs from here on.

        What an interrupted run left counts as room: it is part of what is needed, or is cut off.
        """
        free = shutil.disk_usage(self.path).free
        left = _ROWS if self.stage("scan") else _FILES
        paths = [self.path / name for name in _listed(self._manifest) if name in left]
        if need > free + sum(path.stat().st_size for path in paths if path.exists()):
            raise LimitError(
                "{what} needs about {need} of disk in {path}, where {free} are free",
                what,
                size_text(need),
                self.path,
                size_text(free),
            )

    def _begin(self, resume: bool) -> None:
        found = self._found()
        if found is not None and resume:
            self._check(found)
            self._manifest = found
        else:
            self._delete([] if found is None else _listed(found))
            self._write()

    def _found(self) -> dict[str, Any] | None:
        """Return the manifest of what was done in the folder, None where it is empty."""
        path = self.path / _MANIFEST
        others = [entry.name for entry in self.path.iterdir() if not entry.name.startswith(".")]
        if _MANIFEST in others:
            with path.open("rb") as stream:
                if _RECORD.begins(stream.read(_HEAD)):
                    return _RECORD.loads(path.read_bytes(), str(path))
        if others:
            raise _foreign(self.path / min(others))
        return None

    def _take_lock(self) -> None:
        try:
            import fcntl
        except ImportError:  # not on Windows
            return
        self._lock = _opened(self.path / _LOCK)
        status = os.fstat(self._lock)
        if not stat.S_ISREG(status.st_mode) or status.st_size:
            self.close()
            raise _foreign(self.path / _LOCK)
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            self.close()
            raise OptionError("{path} is in use by another process: wait for it or choose another", self.path) from None

    def _check(self, found: dict[str, Any]) -> None:
        if (done := found["purpose"]) != (asked := self._manifest["purpose"]):
            raise OptionError(
                "{path} holds work of {done!r}, not of {asked!r}: {again}", self.path, done, asked, _AGAIN
            )
        if found["input"] != self._manifest["input"]:
            raise OptionError(
                "{path} holds work on another input, or the input has changed: {again}", self.path, _AGAIN
            )
        for name, (size, crc) in _listed(found).items():
            if size and _checksum(self.path / name, size) != crc:
                raise ParseError("the file is damaged: {advice}", _AGAIN, source=str(self.path / name))

    def _write(self) -> None:
        with _explained(self.path), open_atomic(self.path / _MANIFEST) as stream:
            stream.write(_RECORD.dumps(self._manifest))

    def _delete(self, names: Iterable[str]) -> None:
        for name in names:
            (self.path / name).unlink(missing_ok=True)


def _listed(manifest: dict[str, Any]) -> dict[str, list[int]]:
    """Return the work files that there may be, each with the size and the CRC-32 of what counts of it."""
    return {name: counted for name, counted in manifest["files"].items() if counted is not None}


def _foreign(path: Path) -> OptionError:
    return OptionError("{path} holds other files ({name}): expected an empty folder", path.parent, path.name)


def _opened(path: Path) -> int:
    """Open a file to read and write it, or make it; no link is followed."""
    flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
    try:
        return os.open(path, flags, 0o666)
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise _foreign(path) from None
        raise


class WorkFile:
    """A file that is appended to; ``size`` and ``crc`` tell of what it holds."""

    def __init__(self, path: Path, name: str, size: int, crc: int) -> None:
        self.path, self.name, self.size, self.crc = path, name, size, crc
        self._stream = os.fdopen(_opened(path), "r+b", buffering=0)
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
                # Unbuffered, the system may take less than it is given.
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
            message = Message(
                "{reason}: what is finished is kept, so make room and run again", known(os.strerror(error.errno))
            )
            raise OSError(error.errno, message, str(path)) from None
        raise
