"""The nim-sum of a token file, from its text by compiled loops alone: numpy takes longer to load than a million moves.

Taken are files that are nothing but their numbers. What else there is, damage and cycles are left to the readers.
"""

from __future__ import annotations

import mmap
import struct
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import reduce
from math import prod
from operator import xor
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from graphgame.compiled.compiling import Array, compiled
from graphgame.compiled.instructions import unsigned
from graphgame.graph import kernels
from graphgame.io.scan_kernels import next_number
from graphgame.solution.plain import decimal_numbers

_WORD = "l" if struct.calcsize("l") == 8 else "q"
"""The letter of 64-bit numbers, as numpy chooses it."""

_BLOCK = 1 << 20
_SLACK = 64  # loops may read a word of memory and the longest number beyond what is there
_BYTES_AN_EDGE = 4
_MOST_VERTICES = 2**31 - 2
_FREE_VERTICES = 10_000_000  # without edges
_LEAST_BITS = 15  # the counts of a bucket are 256 KB then, which a core's own cache holds
_MOST_BUCKETS_BITS = 7  # so many places are written to in turn
_LOW = 2**32 - 1

_CHUNK_EDGES = 1 << 11
"""Edges of a bucket that lie together."""


class _Chunks(NamedTuple):
    """Edges in chunks of ``_CHUNK_EDGES``, by the bucket of their targets."""

    pool: Array
    """The edges, each as its target's low bits and its source."""

    before: Array
    """Where the chunk before each one ended, 0 if there was none."""

    ends: Array
    """Where each bucket has got to, and last how many chunks are taken."""

    bits: int
    """The low bits of a target, which tell its place in a bucket."""


@compiled
def _edges_into_chunks(text: Array, begin: int, end: int, vertices: int, most: int, chunks: _Chunks) -> tuple[int, int]:
    """Sort the edges of ``text[begin:end]``, at most ``most``, by their targets; 8 bytes after them can be read.

    Returns how many there were, or -1 where anything but the numbers of vertices stands, and where the next one starts.
    Vertices count from 1 in the text, from 0 in the chunks.
    """
    pool, before, ends, bits = chunks
    count = 0
    low = (1 << bits) - 1
    while count < most:
        source, i = next_number(text, begin, end)
        target, i = next_number(text, i, end)
        if source > vertices or target > vertices or source < 0 or target < 0:
            return -1, begin
        if source == 0 or target == 0:
            return (count, begin) if i >= end else (-1, begin)
        begin = i
        target -= 1
        bucket = unsigned(target >> bits)
        place = ends[bucket]
        if place % _CHUNK_EDGES == 0:
            chunk = ends[len(ends) - 1]
            ends[len(ends) - 1] = chunk + 1
            before[chunk] = place
            place = chunk * _CHUNK_EDGES
        pool[unsigned(place)] = (target & low) << 32 | (source - 1)
        ends[bucket] = place + 1
        count += 1
    return count, begin


@compiled
def _group_chunks(chunks: _Chunks, room: Array, pointers: Array, indices: Array, out_degree: Array) -> None:
    """Group edges that lie in chunks, as :func:`_edges_into_chunks` leaves them.

    ``pointers`` and ``indices`` become the rows, parallel edges and all, and ``out_degree`` (zeros) counts likewise;
    ``room`` has a place for each target of a bucket.
    """
    pool, before, ends, bits = chunks
    vertices = len(out_degree)
    total = 0
    for bucket in range(len(ends) - 1):
        first = bucket << bits
        rows = min(1 << bits, vertices - first)
        for r in range(rows):
            room[r] = 0
        end = ends[bucket]
        while end:
            begin = (end - 1) // _CHUNK_EDGES * _CHUNK_EDGES
            for e in range(begin, end):
                room[unsigned(pool[e] >> 32)] += 1
            end = before[begin // _CHUNK_EDGES]
        for r in range(rows):
            pointers[first + r] = total
            total += room[r]
            room[r] = pointers[first + r]
        end = ends[bucket]
        while end:
            begin = (end - 1) // _CHUNK_EDGES * _CHUNK_EDGES
            for e in range(begin, end):
                row, source = unsigned(pool[e] >> 32), unsigned(pool[e] & _LOW)
                indices[unsigned(room[row])] = source
                room[row] += 1
                out_degree[source] += 1
            end = before[begin // _CHUNK_EDGES]
    pointers[vertices] = total


def nim_sum_of(path: Path, progress: Callable[[int, int], None] | None = None) -> int | None:
    """Return the xor of the values of a file's tokens, or None where it is the readers who can tell.

    Memory: 12 bytes an edge and 36 a vertex at the peak.
    """
    size = path.stat().st_size
    with path.open("rb") as file:
        header = decimal_numbers(file.readline(_SLACK))
        if header is None or len(header) != 3:
            return None
        vertices, edges, tokens = header
        if (
            not 0 < vertices <= min(size + _FREE_VERTICES, _MOST_VERTICES)
            or edges > size // _BYTES_AN_EDGE
            or tokens == 0
        ):
            return None
        read = _read(file, vertices, edges, lambda done: progress and progress(done, size))
        if read is None:
            return None
        found, rest = read
        ends = decimal_numbers(rest + file.read())
    if ends is None or len(ends) != tokens or not 0 < min(ends) <= max(ends) <= vertices:
        return None
    rows = _grouped(found, vertices, edges)
    del read, found  # the pass needs memory of its own
    values = _values(*rows)
    return None if values is None else reduce(xor, (values[2 * token - 2] for token in ends))


def _read(file: BinaryIO, vertices: int, edges: int, progress: Callable[[int], object]) -> tuple[_Chunks, bytes] | None:
    """Return the edges, and the bytes behind them that were read; None where anything but vertices stands."""
    bits = max(_LEAST_BITS, vertices.bit_length() - _MOST_BUCKETS_BITS)
    buckets = (vertices - 1 >> bits) + 1
    chunks = edges // _CHUNK_EDGES + buckets + 1
    read = _Chunks(
        _zeros(_WORD, chunks * _CHUNK_EDGES),
        _zeros(_WORD, chunks),
        _zeros(_WORD, buckets + 1),
        bits,
    )
    text = _zeros("B", _BLOCK + _SLACK)
    found = left = 0
    while found < edges:
        filled = left + file.readinto(text[left:_BLOCK])  # type: ignore[attr-defined]
        end = text.obj.rfind(b"\n", 0, filled) + 1
        count, at = _edges_into_chunks(text, 0, end, vertices, edges - found, read)
        if count < 0 or at == 0:
            return None
        found += count
        left = filled - at
        text.obj.move(0, at, left)
        progress(file.tell())
    return read, text.obj[:left]


def _grouped(found: _Chunks, vertices: int, edges: int) -> tuple[Array, Array, Array]:
    """Return pointers, indices and out-degrees; parallel edges are counted and kept, for no value depends on them."""
    pointers, indices, out_degree = _zeros(_WORD, vertices + 1), _zeros("i", edges), _zeros("i", vertices)
    _group_chunks(found, _zeros(_WORD, 1 << found.bits), pointers, indices, out_degree)
    return pointers, indices, out_degree


def _values(pointers: Array, indices: Array, out_degree: Array) -> Sequence[int] | None:
    """Return each value, before a word that is used up; None where not all plays end."""
    (vertices,) = out_degree.shape
    wide_start = _zeros(_WORD, 0)
    words = kernels.wide_words(out_degree, wide_start)
    if words:
        wide_start = _zeros(_WORD, vertices)
        kernels.wide_words(out_degree, wide_start)
    wide, state, order = _zeros(_WORD, words), _zeros(_WORD, vertices, 2), _zeros("i", vertices)
    found = kernels.grundy_start(out_degree, None, state, order)
    work = kernels.Pass(pointers, indices, out_degree, None, 0, state, wide, wide_start, order)
    if kernels.grundy_pass(work, 0, found, vertices) < vertices:
        return None
    return state.cast("B").cast(_WORD)  # type: ignore[no-any-return]


def _zeros(letter: str, *shape: int) -> Any:  # noqa: ANN401
    """Return an array of zeros, a memoryview of a map of memory; ``letter`` is that of its items in :mod:`struct`.

    It has large pages where the system has them, and memory that is never written to is not taken.
    """
    length = prod(shape) * struct.calcsize(letter)
    # Private memory, because shared memory (the default) has small pages only. Windows has neither flag.
    private = {"flags": mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS} if hasattr(mmap, "MAP_PRIVATE") else {}
    room = mmap.mmap(-1, max(1, length), **private)
    with suppress(OSError, AttributeError):  # a system without large pages
        room.madvise(mmap.MADV_HUGEPAGE)
    view: Any = memoryview(room)[:length]
    return view.cast(letter, shape) if len(shape) > 1 else view.cast(letter)
