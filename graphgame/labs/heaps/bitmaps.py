"""Compute values in a sparse space with many rare heaps, in blocks of 504 heaps, using bitmaps of earlier heaps.

A heap is rare or common if its value is. Each common value has a bitmap: bit i is set if heap ``origin + i`` has this
value.

Let a move take ``a`` from heap n and leave two heaps: heap r, and a common heap of value w. The option has the value
v = w xor g(r), and the common heap is n - (a + r). So move the bitmap of w up by a + r: now it marks the heaps n with
such an option. The loop does this for all heaps of a block at once, and only for values v that it must test.

Which heaps r it uses depends on v. If v is common, it uses all rare heaps: every split of value v has a rare part. If v
is rare, it uses only some pairs of an amount ``a`` and a common heap r: the helpers. If they show no option of value v,
it tries all splits of heap n.

A bitmap has only heaps below the block. If the common heap of a split may be inside the block, the loop tries the split
for each heap n by itself.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from graphgame.compiled.compiling import Array, compiled, inlined
from graphgame.compiled.instructions import instruction, unsigned, view_of
from graphgame.labs.heaps.loops import ALL, Moves, is_left, mark_one_heap, trailing_zeros
from graphgame.labs.heaps.sparse import SparseSpace
from graphgame.labs.heaps.storage import PACKED_SIZE, PackedValues, byte_codes

_HEAPS_A_BITMAP_BLOCK = 504
"""The number of heaps in a block, a multiple of 8: 512 bits that are moved by up to 7 bits leave at least 505 bits."""

_WORDS = 8
"""The number of 64-bit words in a row of bits for a block."""

HELPERS = 768
"""The maximum number of helpers for a rare value. A helper is an amount and a common heap: many moves that take this
amount, and leave this heap and a second heap, give options of this value."""

_LISTED = 32
"""The maximum number of values that are listed as possible values of a heap."""

_TRIED = 1 << 13
"""Helpers are chosen among the common heaps below this number, by the values of this many of the latest heaps."""

_FADING = 0.8
"""A candidate for a helper is an amount and a common heap. Its weight is the number of latest heaps with the value that
the second heap must have, times this factor for each earlier candidate whose heap has the same value."""

HEAPS_AT_ONCE = 1 << 15
"""The number of heaps that one call of the loop computes; each call starts with new bitmaps."""

_LEAST_RARE = 256
"""Bitmaps pay only if the number of rare heaps times the number of splitting amounts is at least this."""

_MOST_BYTES = 1 << 24
"""The maximum memory for the bitmaps of a call, in bytes, not counting the 504 spare bytes at the end of each."""


class Bitmaps(NamedTuple):
    """The data of :func:`bitmap_loop`: a sparse space, the distance of each split, and memory for the bitmaps.

    A split of heap n has two parts. The first part is a rare heap, or the common heap of a helper. The distance of the
    split is the amount taken plus the first part, so the second part is n minus the distance.
    """

    odd: Array
    """[value]: 1 if the value is common, that is if it has an odd number of bits in the mask of the space; else 0."""

    codes: Array
    """[value]: its code. For a common value, the byte that stands for it in packed values; for a rare value, 256 plus
    such a byte."""

    head: Array
    """[heap]: the value of each heap below ``reach``, common or rare."""

    common: Array
    """[code]: the common value with this code."""

    reach: int
    """The bitmaps of a call begin this many heaps before the first heap of the call: a multiple of 8."""

    near: Array
    """The distances below the length of a block, for splits with a rare part. The second part may be in the block."""

    near_codes: Array
    """For each distance in ``near``: the code, modulo 256, of the value of the rare part."""

    offsets: Array
    """For each value, and each pair of an amount and a first part: the index in ``bits`` of the first byte to read for
    a block at byte 0 of a bitmap. For any other block, add the byte at which it begins."""

    bounds: Array
    """[8 * value + shift]: the index in ``offsets`` of the first entry for this value whose bitmap is moved by
    ``shift`` bits."""

    stride: int
    """The number of bytes of a bitmap."""

    bits: Array
    """The bitmaps of the common values, in the order of their codes: ``stride`` bytes each, a bit for each heap."""

    rows: Array
    """[8 * value + word]: a bit for each heap of the block, 1 if bitmaps show an option of this value."""

    seen: Array
    """[code]: the last heap of the block, counted from 1, with an option of this code that the bitmaps do not show.
    The option comes from a split at a distance in ``near``, or from a move that does not split."""

    union: Array
    """8 words for a union of bitmaps, then 8 with a bit for each heap of the block: 1 if its list is incomplete."""

    listed: Array
    """[32 * heap of the block + i]: the i-th of the least values that may be the value of the heap."""

    counts: Array
    """[heap of the block]: the number of its values in ``listed``."""


def bitmaps_of(splitting: Array, values: PackedValues) -> Bitmaps:
    """Return the data with which :func:`bitmap_loop` computes the values of further heaps.

    ``values`` has the values of the heaps 0, 1, ... so far. ``splitting`` has the amounts that a move can take so that
    it leaves two heaps.
    """
    size, space = PACKED_SIZE, SparseSpace(values.mask, 0, 0)
    odd, rares = space.odd(size), space.rares(values.first)
    rares = rares[rares > 0]  # heap 0 is no part of a split
    # A rare value has the same byte as some common value. To tell them apart, add 256 to the code of the rare one.
    codes = byte_codes(np.arange(size), values.mask).astype(np.uint32)
    codes[odd == 0] += len(values.common)
    often = np.bincount(values[-_TRIED:], minlength=size) * odd
    distances, keys = _parts(splitting, rares, values)
    far = distances >= _HEAPS_A_BITMAP_BLOCK
    helping = _parts(splitting, np.flatnonzero(odd[values[:_TRIED]]), values)
    helping = helping[0][helping[0] >= _HEAPS_A_BITMAP_BLOCK], helping[1][helping[0] >= _HEAPS_A_BITMAP_BLOCK]
    fading = _FADING ** _earlier_equals(helping[1])
    reach = int(max(distances.max(initial=0), helping[0].max(initial=0))) + 8 & -8
    stride = (reach + HEAPS_AT_ONCE >> 3) + _HEAPS_A_BITMAP_BLOCK
    bounds, offsets = [np.zeros(1, np.int64)], [np.zeros(0, np.int32)]
    for value in range(size):
        parts, partners = distances[far], keys[far]
        if not odd[value]:
            # The value is rare, so splits into two common heaps may have it. A split into the heap of a helper and a
            # second heap has the value if the value of the second heap is the xor of ``value`` and the first heap's
            # value. Choose the helpers for which many of the latest heaps have this xor.
            parts, partners = helping
            if len(parts) > HELPERS:
                best = np.argpartition(-often[partners ^ value] * fading, HELPERS)[:HELPERS]
                parts, partners = parts[best], partners[best]
        # A bitmap is shifted by whole bytes (the offset) and by 0 to 7 bits. Sort by the number of bits, so that the
        # loop can form the union of all bitmaps with the same number of bits, and shift it once.
        order = np.argsort(-parts & 7, kind="stable")
        offsets.append((codes[partners ^ value].astype(np.int64) * stride + (-parts >> 3))[order].astype(np.int32))
        bounds.append(bounds[-1][-1] + np.bincount(-parts & 7, minlength=8).cumsum())
    return Bitmaps(
        odd=odd,
        codes=codes,
        head=values[:reach],
        common=values.common,
        reach=reach,
        near=distances[~far],
        near_codes=codes[keys[~far]] & np.uint32(len(values.common) - 1),
        offsets=np.concatenate(offsets),
        bounds=np.concatenate(bounds),
        stride=stride,
        bits=np.zeros(len(values.common) * stride, np.uint8),
        rows=np.zeros(size * _WORDS, np.uint64),
        seen=np.zeros(size, np.uint16),
        union=np.zeros(2 * _WORDS, np.uint64),
        listed=np.zeros(_HEAPS_A_BITMAP_BLOCK * _LISTED, np.uint16),
        counts=np.zeros(_HEAPS_A_BITMAP_BLOCK, np.uint8),
    )


def bitmaps_pay(start: int, stop: int, rares: Array, splitting: Array) -> bool:
    """Return whether bitmaps are faster for the heaps from ``start`` to ``stop - 1``.

    ``rares`` has the rare heaps in increasing order, ``splitting`` the amounts that may leave two heaps. The result is
    False for fewer than 32,768 heaps (``HEAPS_AT_ONCE``), for few rare heaps or amounts, if ``start`` is less than
    about twice the largest distance of a split that the bitmaps use, or if the bitmaps need too much memory.
    """
    if stop - start < HEAPS_AT_ONCE or len(rares) * len(splitting) < _LEAST_RARE:
        return False
    reach = max(int(rares[-1]), _TRIED) + int(splitting[-1]) + _HEAPS_A_BITMAP_BLOCK
    return start > 2 * reach and PACKED_SIZE // 2 * (reach + HEAPS_AT_ONCE) < 8 * _MOST_BYTES


def _parts(splitting: Array, heaps: Array, values: PackedValues) -> tuple[Array, Array]:
    """Return two arrays with an entry for each pair of an amount in ``splitting`` and a heap in ``heaps``.

    The pairs are sorted by the amount. The first array has the amount plus the heap, the second the value of the heap.
    """
    distances = (splitting[:, None] + heaps[None, :]).reshape(-1)
    of_heaps = values[: int(heaps.max(initial=0)) + 1][heaps]
    return distances.astype(np.int64), np.tile(of_heaps.astype(np.int64), len(splitting))


def _earlier_equals(keys: Array) -> Array:
    """Return for each key how many equal keys come before it."""
    order = np.argsort(keys, kind="stable")
    ends = np.bincount(keys).cumsum()
    ranks = np.empty(len(keys), np.int64)
    ranks[order] = np.arange(len(keys)) - np.append(0, ends)[keys[order]]
    return ranks


@compiled
def bitmap_loop(values: Array, start: int, stop: int, moves: Moves, board: Bitmaps) -> int:
    """Compute the values of the heaps ``start`` to ``stop - 1``, and store them in ``values``.

    ``values`` has the packed values of all heaps below ``start``. Return ``stop``, or the first heap whose value is
    rare or too large for the arrays: no byte stands for such a value, so the loop stops at this heap.
    """
    odd, codes, seen, rows = board.odd, board.codes, board.seen, board.rows
    size, origin = len(odd), start - board.reach
    for i in range(len(board.bits)):
        board.bits[i] = 0
    _add_to_bitmaps(values, max(origin, 1), start, origin, board)
    for first in range(start, stop, _HEAPS_A_BITMAP_BLOCK):
        last = min(first + _HEAPS_A_BITMAP_BLOCK, stop)
        base = (first - origin) >> 3
        for v in range(size):
            seen[v] = 0
        computed = _list_possible(base, last - first, board)
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
                    if computed == value < size:
                        _compute_row(value, base, board)
                        computed += 1
                    left = value < size and (rows[unsigned(value * _WORDS) + word] >> bit) & unsigned(1) != 0
                if not left and value < size:
                    v = unsigned(value)
                    left = seen[codes[v]] == mark
                    # If ``left`` is False for a common value, no option has it: all splits with a rare part were tried.
                    # For a rare value, only the splits with a helper were tried: search all splits. This is rarely
                    # needed, because splits with helpers have most values.
                    if not left and not odd[v]:
                        code = int(codes[v]) - len(board.common)
                        left = is_left(values, n, moves, board.reach, code)
                        left = left or _is_left_by_small(values, n, moves, board, value)
            if value == size or not odd[value]:
                return n
            values[n] = codes[value]
        _add_to_bitmaps(values, first, last, origin, board)
    return stop


@inlined
def _is_left_by_small(values: Array, n: int, moves: Moves, board: Bitmaps, value: int) -> bool:
    """Return whether heap n has a split of value ``value`` with a heap smaller than ``board.reach``.

    All rare heaps are smaller than ``board.reach``.
    """
    for i in range(len(moves.amounts)):
        if moves.leaves[i] & 4:
            for part in range(1, len(board.head)):
                if int(board.head[part]) ^ int(board.common[values[n - moves.amounts[i] - part]]) == value:
                    return True
    return False


@inlined
def _list_possible(base: int, heaps: int, board: Bitmaps) -> int:
    """List for each heap of a block the values that it may have: the least that bitmaps do not show as options.

    The lists go to ``board.listed``, their lengths to ``board.counts``. A list ends with its first common value, or
    after ``_LISTED`` values. The block has ``heaps`` heaps, and begins at the byte ``base`` of a bitmap. Return how
    many of the values 0, 1, ... now have a row in ``board.rows``.
    """
    counts, unlisted = board.counts, board.union
    for i in range(_HEAPS_A_BITMAP_BLOCK):
        counts[i] = 0
    for word in range(_WORDS):
        unlisted[_WORDS + word] = 0
        if heaps > 64 * word:
            unlisted[_WORDS + word] = unsigned(ALL) >> unsigned(max(64 * (word + 1) - heaps, 0))
    value, more = 0, True
    while more and value < len(board.odd):
        _compute_row(value, base, board)
        more = False
        for word in range(_WORDS):
            missed = unlisted[_WORDS + word] & ~board.rows[value * _WORDS + word]
            while missed:
                bit = trailing_zeros(missed)
                missed &= missed - unsigned(1)
                i = int(unsigned(64 * word) + bit)
                board.listed[i * _LISTED + int(counts[i])] = value
                counts[i] += 1
                # End the list at a common value: usually the heap has this value or a rare value before it in the list.
                # The exception is an option of the common value that no bitmap shows: a split whose distance is in
                # ``near``, or a move that does not split. A rare value does not end the list, because a search may
                # still find an option of this value.
                if board.odd[value] or counts[i] == _LISTED:
                    unlisted[_WORDS + word] ^= unsigned(1) << bit
            more = more or unlisted[_WORDS + word] != 0
        value += 1
    return value


@inlined
def _add_to_bitmaps(values: Array, first: int, last: int, origin: int, board: Bitmaps) -> None:
    """Set the bits of the heaps ``first`` to ``last - 1`` in the bitmaps of their values, which must be common.

    Bit 0 of a bitmap is heap ``origin``.
    """
    for n in range(first, last):
        board.bits[int(values[n]) * board.stride + ((n - origin) >> 3)] |= 1 << ((n - origin) & 7)


@inlined
def _compute_row(value: int, base: int, board: Bitmaps) -> None:
    """Set the 8 words of a value in ``board.rows``: a bit is 1 if bitmaps show an option of this value.

    ``base`` is the byte of a bitmap at which the block begins.
    """
    row, rows, union = value * _WORDS, board.rows, board.union
    for word in range(_WORDS):
        rows[row + word] = 0
    for shift in range(8):
        group = value * 8 + shift
        gathered_bits(board.bits, board.offsets, board.bounds[group], board.bounds[group + 1], base, union)
        # Move 512 bits right by ``shift``. The low bits of the next word move left by 64 - ``shift``, in two steps,
        # because a shift by 64 is undefined.
        right, left = unsigned(shift), unsigned(63 - shift)
        for word in range(_WORDS):
            rows[row + word] |= union[word] >> right
            if word + 1 < _WORDS:
                rows[row + word] |= ((union[word + 1] << unsigned(1)) << left) & unsigned(ALL)


def _gathered_bits(_: object, items: Any, offsets: Any, begin: Any, end: Any, base: Any, union: Any) -> Any:  # noqa: ANN401
    from llvmlite import ir
    from numba.core import cgutils as untyped
    from numba.core import types

    cgutils: Any = untyped
    words = ir.VectorType(ir.IntType(64), _WORDS)

    def generate(context: Any, builder: Any, _: object, arguments: Any) -> object:  # noqa: ANN401
        bits, starts, result = (
            view_of(context, builder, array, arguments[k]).data for k, array in ((0, items), (1, offsets), (5, union))
        )
        start, stop, offset = (
            context.cast(builder, arguments[k], kind, types.intp) for k, kind in ((2, begin), (3, end), (4, base))
        )
        total = cgutils.alloca_once_value(builder, ir.Constant(words, [0] * _WORDS))
        moved = builder.gep(bits, [offset])
        with cgutils.for_range(builder, builder.sub(stop, start)) as loop:
            begins = builder.load(builder.gep(starts, [builder.add(start, loop.index)]))
            first = builder.gep(moved, [builder.sext(begins, start.type)])
            more = builder.load(builder.bitcast(first, words.as_pointer()), align=1)
            builder.store(builder.or_(builder.load(total), more), total)
        builder.store(builder.load(total), builder.bitcast(result, words.as_pointer()), align=8)
        return context.get_dummy_value()

    return types.void(items, offsets, begin, end, base, union), generate


@instruction(_gathered_bits)
def gathered_bits(bits: np.ndarray, offsets: np.ndarray, begin: int, end: int, base: int, union: np.ndarray) -> None:
    """Set the first 8 words of ``union`` to the bitwise or of pieces of 64 bytes of ``bits``, an array of bytes.

    A piece begins at byte ``base + offset`` for each offset in ``offsets[begin:end]`` (int32). LLVM does not vectorize
    a plain loop: with one, a million heaps of the game 0.6 took 1.2 s instead of 0.5 s.
    """
    total = np.zeros(_WORDS, np.uint64)
    for offset in offsets[begin:end]:
        total |= np.asarray(bits)[base + offset : base + offset + 8 * _WORDS].view(np.uint64)
    np.asarray(union)[:_WORDS] = total
