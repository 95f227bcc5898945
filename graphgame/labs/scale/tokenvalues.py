"""Compute the nim-sum of a token file from its text with compiled loops alone, without numpy.

Loading numpy takes longer than reading and solving a million moves. Only files that consist of nothing but decimal
numbers are read here. All other files, damaged files and graphs with cycles are left to the readers of the core.

Edges are sorted into buckets by their targets while they are read. Then the lists of predecessors are filled, one
bucket after another: the lists of one bucket lie next to each other in memory.
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

from graphgame.compiled.compiling import Array, compiled, inlined
from graphgame.compiled.instructions import unsigned
from graphgame.graph import kernels
from graphgame.io.scan_kernels import first_digits, is_digit, is_space
from graphgame.labs.scale.decimals import MOST_DIGITS, decimal_numbers

_WORD = "l" if struct.calcsize("l") == 8 else "q"
"""The letter of 64-bit integers in :mod:`struct`, the same that numpy chooses."""

_BYTES_AT_A_TIME = 1 << 20
_SLACK = 64
"""Loops may read up to this many bytes after the end of the text, because they read whole words and whole numbers."""

_LEAST_BYTES_OF_EDGE = 4
_MAX_VERTICES = 2**31 - 2
_MAX_LONE_VERTICES = 10_000_000
"""A file may declare at most this many more vertices than it has bytes: vertices without edges take no bytes."""

_MIN_BUCKET_BITS = 15
"""A bucket has 2**15 targets or more. The counts of 2**15 targets take 256 KB, which a core's own cache can hold."""

_MAX_BITS_OF_BUCKETS = 7
"""There are at most 2**7 buckets. Each edge that is read is appended to a bucket, so the ends of all buckets should fit
in a cache."""

_SOURCE_MASK = 2**32 - 1

_CHUNK_EDGES = 1 << 11
"""The number of edges in a chunk: edges of one bucket that are next to each other in memory."""

_ZERO = 48


@inlined
def next_number(text: Array, i: int, end: int) -> tuple[int, int]:
    """Return the natural number from index i on, and the index after the white-space character that follows it.

    White space before the number is skipped. If the text ends before a number, the number returned is 0. It is -1 if
    the next word is not a number, has more than 18 digits, or has no white space after it. In these cases the index is
    the end of the text, or the index of that word.
    """
    while i < end and is_space(text[unsigned(i)]):
        i += 1
    digits, value = first_digits(text, i)
    if digits == 8:
        while digits < MOST_DIGITS and is_digit(text[unsigned(i + digits)]):
            value = value * 10 + (text[unsigned(i + digits)] - _ZERO)
            digits += 1
    if i < end and digits and is_space(text[unsigned(i + digits)]):
        return value, i + digits + 1
    return -1 if i < end else 0, i


class _Chunks(NamedTuple):
    """The edges, in chunks. Each chunk belongs to a bucket, and is linked to the previous chunk of this bucket."""

    pool: Array
    """The edges of all chunks, each as (the low bits of the target) * 2**32 + the source."""

    before: Array
    """For each chunk, the index in ``pool`` at which the previous chunk of its bucket ends; 0 if there is none."""

    ends: Array
    """For each bucket, the index in ``pool`` after its last edge; 0 without edges. The last entry counts the chunks."""

    bits: int
    """The low ``bits`` bits of a target are its number in its bucket. The higher bits are the number of the bucket."""


@compiled
def _edges_into_chunks(text: Array, begin: int, end: int, vertices: int, most: int, chunks: _Chunks) -> tuple[int, int]:
    """Read at most ``most`` edges from ``text[begin:end]``, and append each to the chunks of its target's bucket.

    Return the number of edges that were read, and the index after the last of them. The last edge of the text is not
    read if it has no target, or if its source or target is 0. Apart from this, the number is -1 if a word is not a
    number in 1..``vertices``. In the chunks, vertices are numbered from 0. The array ``text`` must have at least 18
    bytes from ``end`` on.
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
        at = ends[bucket]
        # The bucket's last chunk is full, or the bucket has no chunk yet: take a new one.
        if at % _CHUNK_EDGES == 0:
            chunk = ends[len(ends) - 1]
            ends[len(ends) - 1] = chunk + 1
            before[chunk] = at
            at = chunk * _CHUNK_EDGES
        pool[unsigned(at)] = (target & low) << 32 | (source - 1)
        ends[bucket] = at + 1
        count += 1
    return count, begin


@compiled
def _group_chunks(chunks: _Chunks, filled: Array, pointers: Array, indices: Array, out_degree: Array) -> None:
    """Write the predecessors of all vertices to ``pointers`` and ``indices`` (CSR), and the out-degrees.

    Each parallel edge counts. ``out_degree`` must contain zeros when this is called. ``filled`` is working memory: it
    has as many entries as a bucket has targets.
    """
    pool, before, ends, bits = chunks
    vertices = len(out_degree)
    total = 0
    # A counting sort of each bucket: count the edges into each target, turn the counts into the starts of rows, then
    # append each edge to its row. Both passes over the edges follow the chunks from the last to the first.
    for bucket in range(len(ends) - 1):
        first = bucket << bits
        rows = min(1 << bits, vertices - first)
        for r in range(rows):
            filled[r] = 0
        end = ends[bucket]
        while end:
            begin = (end - 1) // _CHUNK_EDGES * _CHUNK_EDGES
            for e in range(begin, end):
                filled[unsigned(pool[e] >> 32)] += 1
            end = before[begin // _CHUNK_EDGES]
        for r in range(rows):
            pointers[first + r] = total
            total += filled[r]
            filled[r] = pointers[first + r]
        end = ends[bucket]
        while end:
            begin = (end - 1) // _CHUNK_EDGES * _CHUNK_EDGES
            for e in range(begin, end):
                row, source = unsigned(pool[e] >> 32), unsigned(pool[e] & _SOURCE_MASK)
                indices[unsigned(filled[row])] = source
                filled[row] += 1
                out_degree[source] += 1
            end = before[begin // _CHUNK_EDGES]
    pointers[vertices] = total


def nim_sum_of(path: Path, progress: Callable[[int, int], None] | None = None) -> int | None:
    """Return the xor of the values of a token file's tokens; None if the file must be left to the readers of the core.

    The memory is about 12 bytes for each edge plus 40 bytes for each vertex, without the tokens.
    ``progress(bytes_done, bytes_total)`` is called while reading.
    """
    size = path.stat().st_size
    with path.open("rb") as file:
        header = decimal_numbers(file.readline(_SLACK))
        if header is None or len(header) != 3:
            return None
        vertices, edges, tokens = header
        if (
            not 0 < vertices <= min(size + _MAX_LONE_VERTICES, _MAX_VERTICES)
            or edges > size // _LEAST_BYTES_OF_EDGE
            or tokens == 0
        ):
            return None
        read = _read(file, vertices, edges, lambda done: progress and progress(done, size))
        if read is None:
            return None
        chunks, rest = read
        on_vertices = decimal_numbers(rest + file.read())
    if on_vertices is None or len(on_vertices) != tokens or not 0 < min(on_vertices) <= max(on_vertices) <= vertices:
        return None
    # Parallel edges need not be dropped: no value depends on them.
    pointers, indices, out_degree = _zeros(_WORD, vertices + 1), _zeros("i", edges), _zeros("i", vertices)
    _group_chunks(chunks, _zeros(_WORD, 1 << chunks.bits), pointers, indices, out_degree)
    # Free the memory of the chunks, because the pass needs memory of its own.
    del read, chunks
    values = _values(pointers, indices, out_degree)
    return None if values is None else reduce(xor, (values[2 * vertex - 2] for vertex in on_vertices))


def _read(file: BinaryIO, vertices: int, edges: int, progress: Callable[[int], object]) -> tuple[_Chunks, bytes] | None:
    """Read all edges of a file; return them in chunks, and the bytes that were read after the last edge.

    The result is None if there is anything but numbers of vertices, if edges are missing, or if a line with an edge has
    no line end within 1 MB. ``progress`` is called with the number of bytes read so far.
    """
    bits = max(_MIN_BUCKET_BITS, vertices.bit_length() - _MAX_BITS_OF_BUCKETS)
    buckets = (vertices - 1 >> bits) + 1
    most = edges // _CHUNK_EDGES + buckets + 1
    chunks = _Chunks(
        _zeros(_WORD, most * _CHUNK_EDGES),
        _zeros(_WORD, most),
        _zeros(_WORD, buckets + 1),
        bits,
    )
    text = _zeros("B", _BYTES_AT_A_TIME + _SLACK)
    edges_read = left = 0
    while edges_read < edges:
        # Read a block of the file after the bytes left over from the last block. Take the edges of all whole lines, and
        # move the bytes after them to the front of ``text``.
        filled = left + file.readinto(text[left:_BYTES_AT_A_TIME])  # type: ignore[attr-defined]
        end = text.obj.rfind(b"\n", 0, filled) + 1
        count, at = _edges_into_chunks(text, 0, end, vertices, edges - edges_read, chunks)
        if count < 0 or at == 0:
            return None
        edges_read += count
        left = filled - at
        text.obj.move(0, at, left)
        progress(file.tell())
    return chunks, text.obj[:left]


def _values(pointers: Array, indices: Array, out_degree: Array) -> Sequence[int] | None:
    """Return an array in which entry 2 * v is the value of vertex v; None if there is a cycle.

    ``pointers`` and ``indices`` are the predecessors of the vertices (CSR). The odd entries of the result are working
    memory of the pass.
    """
    (vertices,) = out_degree.shape
    wide_start = _zeros(_WORD, 0)
    words = kernels.wide_words(out_degree, wide_start)
    if words:
        wide_start = _zeros(_WORD, vertices)
        kernels.wide_words(out_degree, wide_start)
    wide, state, order = _zeros(_WORD, words), _zeros(_WORD, vertices, 2), _zeros("i", vertices)
    terminal = kernels.grundy_start(out_degree, None, state, order)
    work = kernels.Pass(pointers, indices, out_degree, None, 0, state, wide, wide_start, order)
    if kernels.grundy_pass(work, 0, terminal, vertices) < vertices:
        return None
    return state.cast("B").cast(_WORD)  # type: ignore[no-any-return]


def _zeros(letter: str, *shape: int) -> Any:  # noqa: ANN401
    """Return an array of zeros, as a memoryview. ``letter`` is the type of its items, as in :mod:`struct`.

    The memory has large pages if the system supports them. Pages that are never written take no memory.
    """
    length = prod(shape) * struct.calcsize(letter)
    # Use private memory: shared memory (the default) has small pages only. Windows does not have these flags.
    private = {"flags": mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS} if hasattr(mmap, "MAP_PRIVATE") else {}
    memory = mmap.mmap(-1, max(1, length), **private)
    # Some systems have no large pages.
    with suppress(OSError, AttributeError):
        memory.madvise(mmap.MADV_HUGEPAGE)
    view: Any = memoryview(memory)[:length]
    return view.cast(letter, shape) if len(shape) > 1 else view.cast(letter)
