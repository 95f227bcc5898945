"""The folder of work files with its manifest, and the spool that writes edges to disk.

Work files are only appended to. After each step, the manifest is written with the size and the CRC-32 of the finished
part of each file. If an interrupted run left more bytes, they are cut off when the work continues. A file is listed in
the manifest before it is created, and only listed files are ever written or deleted (and the manifest and a lock file).

A spool is a file of edges between numbers, in blocks. A block has all its sources, then all its targets, as int32. Its
edges are sorted into buckets by their targets: bucket b has the targets t with ``t >> bits == b``. If the spool is
reversed, sources and targets are exchanged in the file.
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

from graphgame.compiled.engine import BackgroundWriter
from graphgame.errors import LimitError, Message, ParameterError, ParseError, system_message
from graphgame.graph import kernels
from graphgame.io.files import PathLike, lock, open_atomic
from graphgame.labs.records import RecordFormat, natural


def size_text(count: int) -> str:
    """Return a number of bytes as text in B, kB, MB, GB or TB. Numbers below 10 have one decimal, but not in B.

    Examples
    --------
    >>> size_text(999), size_text(2_000_000_000), size_text(31_500_000)
    ('999 B', '2.0 GB', '32 MB')
    """
    power = min(4, (len(str(count)) - 1) // 3)
    scaled = count / 1000**power
    return f"{scaled:.{int(power > 0 and scaled < 10)}f} {('B', 'kB', 'MB', 'GB', 'TB')[power]}"


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
        "input": {"format": str, "files": [(str, [str, natural, int], [(None, str), (None, str)])]},
        "stages": {name: (None, shape) for name, shape in _STAGES.items()},
        "files": dict.fromkeys(_FILES, (None, [natural, natural])),
    },
    Message("choose another folder, or delete this one yourself"),
)
_BYTES_AT_A_TIME = 1 << 22
_BYTES_OF_HEAD = 1 << 8
_AGAIN = Message("start again without resuming (--no-resume), or choose another folder")
_FULL = (errno.ENOSPC, errno.EFBIG, errno.EDQUOT)


MAPPED_FILES_STAY = os.name == "nt"
"""True if the system refuses to delete a file that is mapped into memory (Windows)."""


class Workdir:
    """A folder with the work files of one input, locked for one process at a time.

    ``input`` is JSON data that identifies the input; it is also an attribute. ``purpose`` is "solve" (rows have
    predecessors) or "verify" (rows have options). With ``resume`` the work in the folder is continued, otherwise it is
    deleted first.

    Raises ParameterError if the folder has files but no manifest, is in use or, with ``resume``, has other work. Raises
    ParseError if the manifest or, with ``resume``, a work file is damaged.
    """

    def __init__(self, path: PathLike, input: dict[str, Any], resume: bool, purpose: str = "solve") -> None:
        self.path, self.input = Path(path), input
        self.path.mkdir(parents=True, exist_ok=True)
        self._lock: int | None = None
        self._open: list[WorkFile] = []
        self._manifest: dict[str, Any] = {
            "purpose": purpose,
            "input": input,
            "stages": dict.fromkeys(_STAGES),
            "files": dict.fromkeys(_FILES),
        }
        # Check before locking: a folder with other files must stay as it is, without even a lock file.
        self._read_manifest()
        try:
            self._take_lock()
            self._begin(resume)
        except BaseException:
            self.close()
            raise

    def has(self, name: str) -> bool:
        """Return True if the manifest lists any bytes of the work file ``name`` as finished."""
        return bool((self._manifest["files"][name] or [0])[0])

    def stage(self, name: str) -> Any:  # noqa: ANN401
        """Return the last record of a stage ("scan", "group", "rows" or "values"), a dictionary; None without one."""
        return self._manifest["stages"][name]

    def record(self, stage: str, record: dict[str, Any], *files: WorkFile) -> None:
        """Write the manifest with a new record of a stage. From now on, all bytes of ``files`` count as finished."""
        for file in files:
            self._manifest["files"][file.name] = [file.size, file.crc]
        self._manifest["stages"][stage] = record
        self._write()

    def file(self, name: str, *, fresh: bool = False) -> WorkFile:
        """Open a work file to append to its finished part or, with ``fresh``, to write it from the start.

        Raise ParameterError if the folder has another file of this name, which the manifest does not list.
        """
        path, listed = self.path / name, self._manifest["files"][name]
        if listed is None and os.path.lexists(path):
            raise _other_files(path)
        size, crc = entry = [0, 0] if fresh or listed is None else listed
        if entry != listed:
            self._manifest["files"][name] = entry
            self._write()
        file = WorkFile(path, name, size, crc)
        self._open.append(file)
        return file

    def array(self, name: str, dtype: Any, in_memory: bool = False) -> np.ndarray:  # noqa: ANN401
        """Return the finished part of a work file as a memory-mapped array. Changing it does not change the file.

        Unless the array is empty, ``array.base`` is the ``mmap`` object. With ``in_memory`` the array is a copy in
        memory, so that the file can be deleted: Windows does not delete mapped files.
        """
        kind, size = np.dtype(dtype), self._manifest["files"][name][0]
        if size < kind.itemsize:
            return np.empty(0, kind)
        with (self.path / name).open("rb") as stream:
            pages = mmap.mmap(stream.fileno(), size // kind.itemsize * kind.itemsize, access=mmap.ACCESS_COPY)
        array = np.ndarray(size // kind.itemsize, kind, pages)
        return np.array(array) if in_memory else array

    def remove(self, *names: str) -> None:
        """Close and delete these work files, and remove them from the manifest. Ignore names that it does not list."""
        files = self._manifest["files"]
        listed = [name for name in names if files[name]]
        # The manifest is written first, so that it never lists a finished part that is gone.
        if any(map(self.has, listed)):
            files.update((name, [0, 0]) for name in listed)
            self._write()
        for file in self._open:
            if file.name in listed:
                file.close()
        self._delete(listed)
        files.update(dict.fromkeys(listed))

    def clear(self) -> None:
        """Delete all work files, the manifest and the lock file, and the folder if it is then empty."""
        parts = [part.name for part in self.path.glob(f".{_MANIFEST}.{'[0-9a-f]' * 12}.part")]
        self._close_files()
        self._delete([*_listed(self._manifest), _MANIFEST, *parts])
        with contextlib.suppress(OSError):
            self._unlock(delete=True)
            self.path.rmdir()

    def close(self) -> None:
        """Close all files, and release the lock, so that other processes can use the folder."""
        self._close_files()
        self._unlock()

    def _close_files(self) -> None:
        for file in self._open:
            file.close()
        self._open.clear()

    def _unlock(self, delete: bool = False) -> None:
        """Release the lock; with ``delete``, also delete the lock file.

        The file is deleted first, so that no process can lock it again; on Windows, which keeps open files, last.
        """
        if self._lock is None:
            return
        path, in_use = self.path / _LOCK, False
        if delete:
            try:
                path.unlink()
            except PermissionError:
                # Windows does not delete a file that is still open: delete it after closing it.
                in_use = True
        os.close(self._lock)
        self._lock = None
        if in_use:
            path.unlink()

    def check_room(self, need: int, what: str) -> None:
        """Raise LimitError if the disk has too little space for the next stages, whose files take ``need`` bytes.

        ``what`` names the work in the message. Files of these stages that an interrupted run left count as free space,
        because they will be continued or overwritten.
        """
        free = shutil.disk_usage(self.path).free
        to_be_written = _ROWS if self.stage("scan") else _FILES
        paths = [self.path / name for name in _listed(self._manifest) if name in to_be_written]
        if need > free + sum(path.stat().st_size for path in paths if path.exists()):
            raise LimitError(
                "{what} needs about {need} of disk in {path}, where {free} are free",
                what,
                size_text(need),
                self.path,
                size_text(free),
            )

    def _begin(self, resume: bool) -> None:
        """If ``resume`` is true and the folder has work, continue this work. Otherwise start with a new manifest.

        Earlier work that is not continued is deleted.
        """
        manifest = self._read_manifest()
        if manifest is not None and resume:
            self._check(manifest)
            self._manifest = manifest
        else:
            self._delete([] if manifest is None else _listed(manifest))
            self._write()

    def _read_manifest(self) -> dict[str, Any] | None:
        """Return the manifest in the folder, or None if the folder is empty. Hidden files do not matter.

        Raises ParameterError if the folder has files but no manifest of graphgame, and ParseError if the manifest is
        damaged.
        """
        path = self.path / _MANIFEST
        names = [entry.name for entry in self.path.iterdir() if not entry.name.startswith(".")]
        if _MANIFEST in names:
            with path.open("rb") as stream:
                if _RECORD.begins(stream.read(_BYTES_OF_HEAD)):
                    return _RECORD.loads(path.read_bytes(), str(path))
        if names:
            raise _other_files(self.path / min(names))
        return None

    def _take_lock(self) -> None:
        """Lock the folder; raise ParameterError if another process uses it, or if the lock is not an empty file."""
        self._lock = _open_file(self.path / _LOCK)
        status = os.fstat(self._lock)
        if not stat.S_ISREG(status.st_mode) or status.st_size:
            raise _other_files(self.path / _LOCK)
        try:
            lock(self._lock)
        except OSError:
            raise ParameterError(
                "{path} is in use by another process: wait for it, or choose another folder", self.path
            ) from None

    def _check(self, manifest: dict[str, Any]) -> None:
        """Raise ParameterError if a manifest belongs to other work, and ParseError if one of its files is damaged."""
        if (done := manifest["purpose"]) != (asked := self._manifest["purpose"]):
            raise ParameterError(
                "{path} holds work files of the command {done!r}, not of {asked!r}: {again}",
                self.path,
                done,
                asked,
                _AGAIN,
            )
        if manifest["input"] != self._manifest["input"]:
            raise ParameterError(
                "{path} holds work on another input, or the input has changed: {again}", self.path, _AGAIN
            )
        for name, (size, crc) in _listed(manifest).items():
            if size and _checksum(self.path / name, size) != crc:
                raise ParseError("the file is damaged: {advice}", _AGAIN, source=str(self.path / name))

    def _write(self) -> None:
        with _disk_full_explained(self.path), open_atomic(self.path / _MANIFEST) as stream:
            stream.write(_RECORD.dumps(self._manifest))

    def _delete(self, names: Iterable[str]) -> None:
        for name in names:
            (self.path / name).unlink(missing_ok=True)


def _listed(manifest: dict[str, Any]) -> dict[str, list[int]]:
    """Return the work files that a manifest lists: name -> [size, CRC-32] of the finished part."""
    return {name: entry for name, entry in manifest["files"].items() if entry is not None}


def _other_files(path: Path) -> ParameterError:
    return ParameterError("{path} holds other files ({name}): expected an empty folder", path.parent, path.name)


def _open_file(path: Path) -> int:
    """Open a file for reading and writing, and return its descriptor. The file is created if necessary.

    Raises ParameterError for a symbolic link.
    """
    flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
    try:
        return os.open(path, flags, 0o666)
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise _other_files(path) from None
        raise


class WorkFile:
    """A work file that is open for appending. ``size`` and ``crc`` are the size and the CRC-32 of all its bytes.

    When it is opened, the bytes after the first ``size`` bytes, if any, are cut off.
    """

    def __init__(self, path: Path, name: str, size: int, crc: int) -> None:
        self.path, self.name, self.size, self.crc = path, name, size, crc
        self._stream = os.fdopen(_open_file(path), "r+b", buffering=0)
        self._stream.truncate(size)
        self._stream.seek(size)

    def close(self) -> None:
        """Close the file."""
        self._stream.close()

    def write(self, array: np.ndarray) -> None:
        """Append the bytes of an array."""
        data = memoryview(np.ascontiguousarray(array).reshape(-1).view(np.uint8).data)
        with _disk_full_explained(self.path):
            while data:
                # An unbuffered write may write fewer bytes than it gets.
                written = data[: self._stream.write(data[:_BYTES_AT_A_TIME])]
                self.crc = zlib.crc32(written, self.crc)
                self.size += len(written)
                data = data[len(written) :]


def _checksum(path: Path, size: int) -> int | None:
    """Return the CRC-32 of the first ``size`` bytes of a file; None if the file is shorter, or missing."""
    crc = 0
    try:
        with path.open("rb") as stream:
            while size and (block := stream.read(min(size, _BYTES_AT_A_TIME))):
                crc = zlib.crc32(block, crc)
                size -= len(block)
    except FileNotFoundError:
        return None
    return None if size else crc


@contextlib.contextmanager
def _disk_full_explained(path: Path) -> Iterator[None]:
    """If the disk is full while the ``with`` block writes to ``path``, the OSError also says what the user should do.

    The user should free some space and run the command again.
    """
    try:
        yield
    except OSError as error:
        if error.errno in _FULL:
            reason = system_message(os.strerror(error.errno))
            message = Message(
                "{reason}: the finished part of the work is saved, so free some space and run the command again", reason
            )
            raise OSError(error.errno, message, str(path)) from None
        raise


BUCKET_BITS = 18
"""A bucket has 2**18 targets, so that their counters (2 MB) stay in the processor's cache."""


class Spool:
    """Collects edges, and writes them to a file in blocks of ``block`` edges, sorted into buckets.

    While a block is collected, a thread writes the previous block. With ``reversed_``, sources and targets are
    exchanged in the file. ``compiled`` tells whether compiled loops sort the blocks.
    """

    def __init__(self, file: WorkFile, block: int, compiled: bool, reversed_: bool = False) -> None:
        self.file = file
        self._reversed = reversed_
        self.counts: list[tuple[int, np.ndarray]] = []
        self._compiled = compiled
        self._source, self._target = np.empty(block, np.int32), np.empty(block, np.int32)
        self._spare = np.empty_like(self._source), np.empty_like(self._target)
        self._sorted = np.empty_like(self._source), np.empty_like(self._target)
        self._filled = 0
        self._writer = BackgroundWriter()

    def add(self, source: np.ndarray, target: np.ndarray) -> None:
        """Add edges, given the numbers of their sources and of their targets."""
        source, target = self._exchanged(source, target)
        while len(source):
            end = min(self._filled + len(source), len(self._source))
            fitting = end - self._filled
            self._source[self._filled : end] = source[:fitting]
            self._target[self._filled : end] = target[:fitting]
            self._filled = end
            if end == len(self._source):
                self._flush()
            source, target = source[fitting:], target[fitting:]

    def finish(self) -> tuple[int, np.ndarray]:
        """Write the last block. Return the number of the first bucket that has edges, and a table of counts.

        The table, int64, has a row for each block, and a column for each bucket from that first bucket on. An entry is
        the number of the block's edges in the bucket. Without edges, return 0 and an empty table.
        """
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
        """Yield all edges added so far, in batches (sources, targets): in this order even if the spool is reversed.

        The edges of each written block are sorted by bucket.
        """
        self._writer.wait()
        with self.file.path.open("rb") as stream:
            for _, counts in self.counts:
                size = int(counts.sum())
                ends = np.fromfile(stream, np.int32, 2 * size)
                yield self._exchanged(ends[:size], ends[size:])
        yield self._exchanged(self._source[: self._filled], self._target[: self._filled])

    def _exchanged(self, source: np.ndarray, target: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return (source, target), or (target, source) if the spool is reversed."""
        return (target, source) if self._reversed else (source, target)

    def _flush(self) -> None:
        """Pass the collected block to the writer, and collect the next one in the spare arrays."""
        if self._filled == 0:
            return
        block = self._source[: self._filled], self._target[: self._filled]
        self._writer.do(lambda: self._write(*block))
        # ``do`` waits until the previous block is written, so the spare arrays are free now.
        (self._source, self._target), self._spare = self._spare, (self._source, self._target)
        self._filled = 0

    def _write(self, source: np.ndarray, target: np.ndarray) -> None:
        low = int(target.min()) >> BUCKET_BITS
        buckets = (int(target.max()) >> BUCKET_BITS) - low + 1
        for ends in self._partition(source, target, low, buckets):
            self.file.write(ends)

    def _partition(self, source: np.ndarray, target: np.ndarray, low: int, buckets: int) -> tuple[np.ndarray, ...]:
        """Return the sources and targets of a block, sorted by bucket.

        Append ``low`` and the number of edges in each bucket to ``self.counts``. The sort is stable. ``low`` is the
        first bucket of the block, and ``buckets`` is the number of its buckets.
        """
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
    """Reads the edges of a spool one bucket at a time, by the table of :meth:`Spool.finish` in the file ``counts``.

    ``name`` is the file of the spool, ``first`` the first bucket with edges, and ``blocks`` the number of blocks in
    the file. The edges with target t are in the bucket ``t >> bits``. Here t is the target's number in the spool, which
    need not be its vertex number.
    """

    def __init__(self, workdir: Workdir, name: str, first: int, blocks: int, bits: int) -> None:
        self.bits = bits
        self._path = workdir.path / name
        self._first = first
        counts = workdir.array("counts", np.int64, in_memory=True)
        self._counts = counts.reshape(blocks, len(counts) // max(blocks, 1))
        self._sizes = self._counts.sum(axis=1)
        self._begins = 2 * (np.cumsum(self._sizes) - self._sizes)
        self._starts = np.cumsum(self._counts, axis=1) - self._counts

    def size(self, bucket: int) -> int:
        """Return the number of edges in a bucket, which may be 0."""
        return int(self._counts[:, bucket - self._first].sum()) if self._has(bucket) else 0

    def read(self, bucket: int) -> tuple[np.ndarray, np.ndarray]:
        """Return two arrays: the sources and the targets of the edges in a bucket."""
        ends = np.empty((2, self.size(bucket)), np.int32)
        filled = 0
        with self._path.open("rb", buffering=0) as stream:
            for block in range(len(self._counts) if self._has(bucket) else 0):
                column = bucket - self._first
                count, start = int(self._counts[block, column]), int(self._starts[block, column])
                # A block begins with all its sources, followed by all its targets. The edges of a bucket begin at the
                # same index in both halves.
                for half, row in enumerate(ends):
                    stream.seek(4 * int(self._begins[block] + half * self._sizes[block] + start))
                    row[filled : filled + count] = np.fromfile(stream, np.int32, count)
                filled += count
        return ends[0], ends[1]

    def _has(self, bucket: int) -> bool:
        return 0 <= bucket - self._first < self._counts.shape[1]
