"""Values in a sparse space of many rare heaps, 504 heaps at a time, by a bitmap for each value of the last heaps.

Which heaps of a block have an option of a value v is asked of all of them at once, when the first of them needs it: the
heaps whose split leaves r and a heap of value w lie at one distance from the heaps of value w, so their bits are those
of the bitmap of v xor g(r), moved. A common value takes all rare heaps r for that. A rare value takes some common ones,
and the few heaps for which these do not leave it are searched one by one. Only parts below the block are in the
bitmaps; splits with a smaller rare part are marked heap by heap.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from graphgame.compiled.compiling import Array, compiled, inlined, instruction, view_of
from graphgame.compiled.instructions import trailing_zeros, unsigned
from graphgame.labs.heaps.loops import ALL, Moves, is_left, mark_one_heap
from graphgame.labs.heaps.storage import PACKED_SIZE, HeapValues, PackedValues, byte_codes

_BLOCK = 504
"""Heaps looked at together: 64 bytes of a bitmap, less the bits that do not start a byte."""

_WORDS = 8

HELPERS = 768
"""Common heaps that a rare value is looked for with: those that leave it most often."""

_LISTED = 32
"""Values that are listed for a heap before it gets one, at most."""

_TRIED = 1 << 13
_FADING = 0.8
"""By how much a heap helps less for each smaller one of its value: what the two leave is often the same."""

HEAPS_AT_ONCE = 1 << 15
"""Heaps that one call of the loop does, with bitmaps made anew."""

_LEAST_RARE = 256
_MOST_BYTES = 1 << 25


class Bitmaps(NamedTuple):
    """What the loop needs of a sparse space: the parts of splits by their distance, and room for the bitmaps."""

    odd: Array
    """Whether a value has an odd number of bits in the space's mask."""

    codes: Array
    """What is kept of each value."""

    noted: Array
    """Whether that is of a common value, and so has a bitmap."""

    head: Array
    """The values of the first heaps, up to the reach."""

    common: Array
    """The value of each code, where values are packed; else nothing."""

    reach: int
    """How far back the bitmaps go, in heaps."""

    near: Array
    """The distances of splits too small for the bitmaps: amount and rare part together."""

    near_codes: Array
    """What is kept of those parts' values."""

    places: Array
    """The bytes at which the bitmaps of other parts begin, value by value and, of each value, by bits to move them."""

    bounds: Array
    """Where these begin for each value and each number of bits, and at last where they end."""

    stride: int
    """Bytes of a bitmap."""

    bits: Array
    """The bitmaps, one for each code."""

    rows: Array
    """For each value that was asked for, the heaps of the block that have such an option."""

    seen: Array
    """For each code the last heap of the block, from 1, that has such an option by its other moves."""

    found: Array
    """Two rows: one that is being made, and the heaps for which values are still listed."""

    listed: Array
    """The first values that each heap of the block may have."""

    counts: Array
    """How many these are."""


def bitmaps_of(splitting: Array, rares: Array, values: HeapValues, odd: Array) -> Bitmaps:
    """Return bitmaps for the heaps from the last known one on, in a sparse space."""
    size = len(odd)
    codes, noted, common = _kept(values, odd)
    often = np.bincount(values[-_TRIED:], minlength=size) * odd
    distances, keys = _parts(splitting, rares, values)
    far = distances >= _BLOCK
    helping = _parts(splitting, np.flatnonzero(odd[values[:_TRIED]]), values)
    helping = helping[0][helping[0] >= _BLOCK], helping[1][helping[0] >= _BLOCK]
    fading = _FADING ** _ranks(helping[1])
    reach = int(max(distances.max(initial=0), helping[0].max(initial=0))) + 8 & -8
    stride = (reach + HEAPS_AT_ONCE >> 3) + _BLOCK
    bounds, places = [np.zeros(1, np.int64)], [np.zeros(0, np.int32)]
    for value in range(size):
        parts, partners = distances[far], keys[far]
        if not odd[value]:
            # Two common parts leave a rare value, so any common heap may help: those whose partners come most often.
            parts, partners = helping
            if len(parts) > HELPERS:
                best = np.argpartition(-often[partners ^ value] * fading, HELPERS)[:HELPERS]
                parts, partners = parts[best], partners[best]
        # A distance is not a multiple of 8 as a rule: bitmaps that must move by equally many bits stand together.
        order = np.argsort(-parts & 7, kind="stable")
        places.append((codes[partners ^ value].astype(np.int64) * stride + (-parts >> 3))[order].astype(np.int32))
        bounds.append(bounds[-1][-1] + np.bincount(-parts & 7, minlength=8).cumsum())
    return Bitmaps(
        odd=odd,
        codes=codes,
        noted=noted,
        head=values[:reach].astype(np.uint16 if size <= PACKED_SIZE else np.uint32),
        common=common,
        reach=reach,
        near=distances[~far],
        near_codes=codes[keys[~far]] & np.uint32(len(noted) - 1),
        places=np.concatenate(places),
        bounds=np.concatenate(bounds),
        stride=stride,
        bits=np.zeros(len(noted) * stride, np.uint8),
        rows=np.zeros(size * _WORDS, np.uint64),
        seen=np.zeros(size, np.uint16),
        found=np.zeros(2 * _WORDS, np.uint64),
        listed=np.zeros(_BLOCK * _LISTED, np.uint16),
        counts=np.zeros(_BLOCK, np.uint8),
    )


def bitmaps_pay(start: int, stop: int, rares: Array, splitting: Array, size: int) -> bool:
    """Tell whether bitmaps are worth it: the rare heaps below the first one are many, and near enough to 0."""
    if stop - start < HEAPS_AT_ONCE or len(rares) * len(splitting) < _LEAST_RARE:
        return False
    reach = max(int(rares[-1]), _TRIED) + int(splitting[-1]) + _BLOCK
    return start > 2 * reach and size * (reach + HEAPS_AT_ONCE) < 8 * _MOST_BYTES


def _kept(values: HeapValues, odd: Array) -> tuple[Array, Array, Array]:
    """Return what is kept of each value, which of that is of common values, and if it is less, what it stands for."""
    if not isinstance(values, PackedValues):
        return np.arange(len(odd), dtype=np.uint32), odd, np.zeros(0, np.uint16)
    codes = byte_codes(np.arange(len(odd)), values.mask).astype(np.uint32)
    codes[odd == 0] += len(values.common)  # no code, for it would be that of a common value
    return codes, np.ones(len(values.common), np.uint8), values.common


def _parts(splitting: Array, heaps: Array, values: HeapValues) -> tuple[Array, Array]:
    """Return how far below a heap the other part is if one part is one of some heaps; and the value of that one."""
    distances = (splitting[:, None] + heaps[None, :]).reshape(-1)
    found = values[: int(heaps.max(initial=0)) + 1][heaps]
    return distances.astype(np.int64), np.tile(found.astype(np.int64), len(splitting))


def _ranks(keys: Array) -> Array:
    """Return for each key how many equal ones stand before it."""
    order = np.argsort(keys, kind="stable")
    ends = np.bincount(keys).cumsum()
    ranks = np.empty(len(keys), np.int64)
    ranks[order] = np.arange(len(keys)) - np.append(0, ends)[keys[order]]
    return ranks


@compiled
def bitmap_loop(values: Array, start: int, stop: int, moves: Moves, board: Bitmaps) -> int:
    """Find the values of the heaps from start on; return the first for whose value there is no mark, else stop.

    Returns the heap after the first of rare value, too: from there on it is a part of splits. Where values are packed,
    ``values`` holds codes, which a rare value has none of: then that heap itself is returned.
    """
    odd, codes, seen, rows = board.odd, board.codes, board.seen, board.rows
    size, origin, packed = len(odd), start - board.reach, len(board.common) > 0
    for i in range(len(board.bits)):
        board.bits[i] = 0
    _note(values, max(origin, 1), start, origin, board)
    for first in range(start, stop, _BLOCK):
        last = min(first + _BLOCK, stop)
        base = (first - origin) >> 3
        for v in range(size):
            seen[v] = 0
        asked = _list_open(base, last - first, board)
        for n in range(first, last):
            mark, i = n - first + 1, unsigned(n - first)
            for j in range(len(board.near)):
                seen[unsigned(board.near_codes[j]) ^ unsigned(values[unsigned(n - board.near[j])])] = mark
            for k in range(len(moves.amounts)):
                mark_one_heap(values, n - moves.amounts[k], moves.leaves[k], mark, seen)
            word, bit = i >> unsigned(6), i & unsigned(63)
            value, count, left = -1, 0, True
            while left and value < size:
                if count < board.counts[i]:
                    value = int(board.listed[i * unsigned(_LISTED) + unsigned(count)])
                    count += 1
                    left = False
                else:
                    value += 1
                    if asked == value < size:
                        _ask(value, base, board)
                        asked += 1
                    left = value < size and (rows[unsigned(value * _WORDS) + word] >> bit) & unsigned(1) != 0
                if not left and value < size:
                    v = unsigned(value)
                    left = seen[codes[v]] == mark
                    # A common value needs no more: all rare parts have been asked. Of a rare one only some common parts
                    # have been, so it is searched for; that is seldom, for most are left by those.
                    if not left and not odd[v] and packed:
                        code = int(codes[v]) - len(board.noted)
                        left = is_left(values, n, moves, board.reach, code)
                        left = left or _is_left_by_few(values, n, moves, board, value)
                    elif not left and not odd[v]:
                        left = is_left(values, n, moves, 1, value)
            if value == size or (packed and not odd[value]):
                return n
            values[n] = codes[value]
            if not odd[value]:
                return n + 1
        _note(values, first, last, origin, board)
    return stop


@inlined
def _is_left_by_few(values: Array, n: int, moves: Moves, board: Bitmaps, value: int) -> bool:
    """Tell whether a split with one of the first heaps, which are not packed, leaves a value."""
    for i in range(len(moves.amounts)):
        if moves.leaves[i] & 4:
            for part in range(1, len(board.head)):
                if int(board.head[part]) ^ int(board.common[values[n - moves.amounts[i] - part]]) == value:
                    return True
    return False


@inlined
def _list_open(base: int, heaps: int, board: Bitmaps) -> int:
    """List for each heap of a block the first values that it may have; return how many values were asked of all."""
    counts, found = board.counts, board.found
    for i in range(_BLOCK):
        counts[i] = 0
    for word in range(_WORDS):
        found[_WORDS + word] = 0
        if heaps > 64 * word:
            found[_WORDS + word] = unsigned(ALL) >> unsigned(max(64 * (word + 1) - heaps, 0))
    value, more = 0, True
    while more and value < len(board.odd):
        _ask(value, base, board)
        more = False
        for word in range(_WORDS):
            missed = found[_WORDS + word] & ~board.rows[value * _WORDS + word]
            while missed:
                bit = trailing_zeros(missed)
                missed &= missed - unsigned(1)
                i = int(unsigned(64 * word) + bit)
                board.listed[i * _LISTED + int(counts[i])] = value
                counts[i] += 1
                # A common value is the heap's, unless a near split leaves it; a rare one has to be searched for.
                if board.odd[value] or counts[i] == _LISTED:
                    found[_WORDS + word] ^= unsigned(1) << bit
            more = more or found[_WORDS + word] != 0
        value += 1
    return value


@inlined
def _note(values: Array, first: int, last: int, origin: int, board: Bitmaps) -> None:
    """Set the bits of common heaps in the bitmaps of their values."""
    for n in range(first, last):
        value = int(values[n])
        if board.noted[value]:
            board.bits[value * board.stride + ((n - origin) >> 3)] |= 1 << ((n - origin) & 7)


@inlined
def _ask(value: int, base: int, board: Bitmaps) -> None:
    """Set the bits of the heaps of a block that have an option of a value."""
    row, rows, found = value * _WORDS, board.rows, board.found
    for word in range(_WORDS):
        rows[row + word] = 0
    for shift in range(8):
        group = value * 8 + shift
        gathered_bits(board.bits, board.places, board.bounds[group], board.bounds[group + 1], base, found)
        right, left = unsigned(shift), unsigned(63 - shift)
        for word in range(_WORDS):
            rows[row + word] |= found[word] >> right
            if word + 1 < _WORDS:
                rows[row + word] |= ((found[word + 1] << unsigned(1)) << left) & unsigned(ALL)


def _gathered_bits(_: object, items: Any, places: Any, begin: Any, end: Any, base: Any, found: Any) -> Any:  # noqa: ANN401
    from llvmlite import ir
    from numba.core import cgutils as untyped
    from numba.core import types

    cgutils: Any = untyped
    words = ir.VectorType(ir.IntType(64), _WORDS)

    def generate(context: Any, builder: Any, _: object, arguments: Any) -> object:  # noqa: ANN401
        bits, places_, found_ = (
            view_of(context, builder, array, arguments[k]).data for k, array in ((0, items), (1, places), (5, found))
        )
        start, stop, offset = (
            context.cast(builder, arguments[k], kind, types.intp) for k, kind in ((2, begin), (3, end), (4, base))
        )
        union = cgutils.alloca_once_value(builder, ir.Constant(words, [0] * _WORDS))
        moved = builder.gep(bits, [offset])
        with cgutils.for_range(builder, builder.sub(stop, start)) as loop:
            place = builder.load(builder.gep(places_, [builder.add(start, loop.index)]))
            first = builder.gep(moved, [builder.sext(place, start.type)])
            more = builder.load(builder.bitcast(first, words.as_pointer()), align=1)
            builder.store(builder.or_(builder.load(union), more), union)
        builder.store(builder.load(union), builder.bitcast(found_, words.as_pointer()), align=8)
        return context.get_dummy_value()

    return types.void(items, places, begin, end, base, found), generate


@instruction(_gathered_bits)
def gathered_bits(bits: np.ndarray, places: np.ndarray, begin: int, end: int, base: int, found: np.ndarray) -> None:
    """Set 8 words, the first of more, to the union of 64 bytes from some places (int32) on, each ``base`` further.

    A plain loop, which LLVM gives no vectors, made 0.6 to a million heaps take 1.2 s instead of 0.5 s.
    """
    union = np.zeros(_WORDS, np.uint64)
    for place in places[begin:end]:
        union |= np.asarray(bits)[base + place : base + place + 8 * _WORDS].view(np.uint64)
    np.asarray(found)[:_WORDS] = union
