"""The folder of work files: what is finished, told by a manifest that is written last, and edges on their way to disk.

A work file is written from its start to its end; the manifest holds the size and the CRC-32 of what counts of it.
Bytes beyond are of an interrupted run and are cut off when work goes on. A file is listed before it is made, and
nothing but what is listed is written to or deleted.

Edges are kept in blocks, each sorted into buckets of targets. A block is its sources, then its targets, as int32;
bucket b holds the targets t with ``t >> bits == b``. Of edges turned around, these are the sources.
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

from graphgame.compiled.engine import Behind
from graphgame.errors import LimitError, Message, OptionError, ParseError, known
from graphgame.graph import kernels
from graphgame.io.files import PathLike, open_atomic
from graphgame.io.locks import lock
from graphgame.io.records import RecordFormat, natural


def size_text(count: int) -> str:
    """Return a number of bytes with two digits or three.

    Examples
    --------
    >>> size_text(999), size_text(2_000_000_000), size_text(31_500_000)
    ('999 B', '2.0 GB', '32 MB')
    """
    power = min(4, (len(str(count)) - 1) // 3)
    amount = count / 1000**power
    return f"{amount:.{int(power > 0 and amount < 10)}f} {('B', 'kB', 'MB', 'GB', 'TB')[power]}"


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


MAPPED_FILES_STAY = os.name == "nt"
"""Whether the system refuses to delete a file that is mapped into memory."""


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

    def array(self, name: str, dtype: Any, in_memory: bool = False) -> np.ndarray:  # noqa: ANN401
        """Return what counts of a work file as an array over mapped memory; writing to it leaves the file alone.

        Windows deletes no file that is mapped: an array that outlasts its file is read into memory.
        """
        size = self._manifest["files"][name][0]
        array = mapped(self.path / name, np.dtype(dtype), size // np.dtype(dtype).itemsize)
        return np.array(array) if in_memory else array

    def remove(self, *names: str) -> None:
        """Forget work files and delete them."""
        files = self._manifest["files"]
        listed = [name for name in names if files[name]]
        # Written down before it is done: the manifest never promises a file that is gone.
        if any(map(self.has, listed)):
            files.update((name, [0, 0]) for name in listed)
            self._write()
        for file in self._open:
            if file.name in listed:
                file.close()
        self._delete(listed)
        files.update(dict.fromkeys(listed))

    def clear(self) -> None:
        """Delete every work file, and the folder where nothing else is in it."""
        parts = [part.name for part in self.path.glob(f".{_MANIFEST}.{'[0-9a-f]' * 12}.part")]
        self._close_files()
        self._delete([*_listed(self._manifest), _MANIFEST, *parts])
        with contextlib.suppress(OSError):
            self._unlock(delete=True)
            self.path.rmdir()

    def close(self) -> None:
        """Close all files and let other processes use the folder."""
        self._close_files()
        self._unlock()

    def _close_files(self) -> None:
        for file in self._open:
            file.close()
        self._open.clear()

    def _unlock(self, delete: bool = False) -> None:
        """Let go of the lock file; to delete it while it is locked lets nobody else lock it before it is gone."""
        if self._lock is None:
            return
        path, in_use = self.path / _LOCK, False
        if delete:
            try:
                path.unlink()
            except PermissionError:  # Windows deletes no open file
                in_use = True
        os.close(self._lock)
        self._lock = None
        if in_use:
            path.unlink()

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
        self._lock = _opened(self.path / _LOCK)
        status = os.fstat(self._lock)
        if not stat.S_ISREG(status.st_mode) or status.st_size:
            self.close()
            raise _foreign(self.path / _LOCK)
        try:
            lock(self._lock)
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


BUCKET_BITS = 18
"""A bucket is 2**18 targets: their counters stay in the processor's cache."""


class Spool:
    """Collects edges and writes them in blocks; a thread sorts and writes one while the next is collected."""

    def __init__(self, file: WorkFile, block: int, compiled: bool, turned: bool = False) -> None:
        self.file = file
        self._turned = turned
        self.counts: list[tuple[int, np.ndarray]] = []
        self._compiled = compiled
        self._source, self._target = np.empty(block, np.int32), np.empty(block, np.int32)
        self._spare = np.empty_like(self._source), np.empty_like(self._target)
        self._sorted = np.empty_like(self._source), np.empty_like(self._target)
        self._filled = 0
        self._writer = Behind()

    def add(self, source: np.ndarray, target: np.ndarray) -> None:
        """Append edges."""
        source, target = self._ends(source, target)
        while len(source):
            end = min(self._filled + len(source), len(self._source))
            taken = end - self._filled
            self._source[self._filled : end] = source[:taken]
            self._target[self._filled : end] = target[:taken]
            self._filled = end
            if end == len(self._source):
                self._flush()
            source, target = source[taken:], target[taken:]

    def finish(self) -> tuple[int, np.ndarray]:
        """Write the rest; return the first bucket, and the edges of each block (row) in each bucket (column), int64."""
        self._flush()
        self._writer.wait()
        if not self.counts:
            return 0, np.zeros((0, 0), np.int64)
        first = min(low for low, _ in self.counts)
        last = max(low + len(counts) for low, counts in self.counts)
        table = np.zeros((len(self.counts), last - first), np.int64)
        for row, (low, counts) in zip(table, self.counts, strict=True):
            row[low - first : low - first + len(counts)] = counts
        return first, table

    def edges(self) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Yield the edges so far, a block at a time."""
        self._writer.wait()
        with self.file.path.open("rb") as stream:
            for _, counts in self.counts:
                size = int(counts.sum())
                ends = np.fromfile(stream, np.int32, 2 * size)
                yield self._ends(ends[:size], ends[size:])
        yield self._ends(self._source[: self._filled], self._target[: self._filled])

    def _ends(self, source: np.ndarray, target: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return (target, source) if self._turned else (source, target)

    def _flush(self) -> None:
        if self._filled == 0:
            return
        block = self._source[: self._filled], self._target[: self._filled]
        self._writer.do(lambda: self._write(*block))
        # The writer is one block behind at most, so it is done with the spare one.
        (self._source, self._target), self._spare = self._spare, (self._source, self._target)
        self._filled = 0

    def _write(self, source: np.ndarray, target: np.ndarray) -> None:
        low = int(target.min()) >> BUCKET_BITS
        buckets = (int(target.max()) >> BUCKET_BITS) - low + 1
        for ends in self._partition(source, target, low, buckets):
            self.file.write(ends)

    def _partition(self, source: np.ndarray, target: np.ndarray, low: int, buckets: int) -> tuple[np.ndarray, ...]:
        if not self._compiled:
            bucket = (target >> BUCKET_BITS) - low
            self.counts.append((low, np.bincount(bucket, minlength=buckets)))
            order = np.argsort(bucket, kind="stable")
            return source[order], target[order]
        start = np.zeros(buckets + 2, np.int64)
        sources, targets = (ends[: len(source)] for ends in self._sorted)
        kernels.partition(source, target, BUCKET_BITS, low, start, sources, targets)
        self.counts.append((low, np.diff(start[:-1])))
        return sources, targets


class Buckets:
    """The edges of a spool, read a bucket at a time; the file ``counts`` has the table of :meth:`Spool.finish`."""

    def __init__(self, workdir: Workdir, name: str, first: int, blocks: int, bits: int) -> None:
        self.bits = bits
        self._path = workdir.path / name
        self._first = first
        counts = workdir.array("counts", np.int64, in_memory=True)
        self._counts = counts.reshape(blocks, len(counts) // max(blocks, 1))
        sizes = self._counts.sum(axis=1)
        self._ends = np.cumsum(sizes)
        self._sizes = sizes
        self._starts = np.cumsum(self._counts, axis=1) - self._counts

    def size(self, bucket: int) -> int:
        """Return how many edges a bucket has."""
        return int(self._counts[:, bucket - self._first].sum()) if self._holds(bucket) else 0

    def read(self, bucket: int) -> tuple[np.ndarray, np.ndarray]:
        """Return the sources and the targets of a bucket."""
        ends = np.empty((2, self.size(bucket)), np.int32)
        filled = 0
        with self._path.open("rb", buffering=0) as stream:
            for block in range(len(self._counts) if self._holds(bucket) else 0):
                column = bucket - self._first
                count, start = int(self._counts[block, column]), int(self._starts[block, column])
                begin = 2 * int(self._ends[block] - self._sizes[block])
                for half, row in enumerate(ends):
                    stream.seek(4 * (begin + half * int(self._sizes[block]) + start))
                    row[filled : filled + count] = np.fromfile(stream, np.int32, count)
                filled += count
        return ends[0], ends[1]

    def _holds(self, bucket: int) -> bool:
        return 0 <= bucket - self._first < self._counts.shape[1]
