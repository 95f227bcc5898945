"""Values in a sparse space of many rare heaps, 504 heaps at a time, by a bitmap for each value of the last heaps.

Which heaps of a block have an option of a value v is asked of all of them at once, when the first of them needs it: the
heaps whose split leaves r and a heap of value w lie at one distance from the heaps of value w, so their bits are those
of the bitmap of v xor g(r), moved. A common value takes all rare heaps r for that. A rare value takes some common ones,
and the few heaps for which these do not leave it are searched one by one. Only parts below the block are in the
bitmaps; splits with a smaller rare part are marked heap by heap.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from graphgame.compiled.compiling import Array, compiled, inlined
from graphgame.compiled.instructions import trailing_zeros, unsigned
from graphgame.labs.heaps.loops import is_left, mark_one_heap
from graphgame.labs.heaps.storage import PACKED_SIZE, HeapValues, PackedValues, byte_codes
from graphgame.labs.heaps.vectors import gathered_bits

_BLOCK = 504
"""Heaps looked at together: 64 bytes of a bitmap, less the bits that do not start a byte."""

_WORDS = 8
_ALL = 0xFFFF_FFFF_FFFF_FFFF

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


class Bitmaps:
    """What the loop needs of a sparse space: the parts of splits by their distance, and room for the bitmaps."""

    def __init__(self, splitting: Array, rares: Array, values: HeapValues, odd: Array) -> None:
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
                parts, partners = helping
                if len(parts) > HELPERS:
                    best = np.argpartition(-often[partners ^ value] * fading, HELPERS)[:HELPERS]
                    parts, partners = parts[best], partners[best]
            order = np.argsort(-parts & 7, kind="stable")
            places.append((codes[partners ^ value].astype(np.int64) * stride + (-parts >> 3))[order].astype(np.int32))
            bounds.append(bounds[-1][-1] + np.bincount(-parts & 7, minlength=8).cumsum())
        self.arguments: tuple[Any, ...] = (
            odd,
            codes,
            noted,
            values[:reach].astype(np.uint16 if size <= PACKED_SIZE else np.uint32),
            common,
            reach,
            distances[~far],
            codes[keys[~far]] & np.uint32(len(noted) - 1),
            np.concatenate(places),
            np.concatenate(bounds),
            stride,
            np.zeros(len(noted) * stride, np.uint8),
            np.zeros(size * _WORDS, np.uint64),
            np.zeros(size, np.uint16),
            np.zeros(2 * _WORDS, np.uint64),
            np.zeros(_BLOCK * _LISTED, np.uint16),
            np.zeros(_BLOCK, np.uint8),
        )

    @staticmethod
    def pay(start: int, stop: int, rares: Array, splitting: Array, size: int) -> bool:
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
def bitmap_loop(
    values: Array,
    start: int,
    stop: int,
    amounts: Array,
    leaves: Array,
    unequal: bool,
    odd: Array,
    codes: Array,
    noted: Array,
    head: Array,
    common: Array,
    reach: int,
    near: Array,
    near_codes: Array,
    places: Array,
    bounds: Array,
    stride: int,
    bits: Array,
    rows: Array,
    seen: Array,
    found: Array,
    listed: Array,
    counts: Array,
) -> int:
    """Find the values of the heaps from start on; return the first for whose value there is no mark, else stop.

    Returns the heap after the first of rare value, too: from there on it is a part of splits. Where values are packed,
    ``values`` holds codes, which a rare value has none of: then that heap itself is returned.
    """
    size, origin, packed = len(odd), start - reach, len(common) > 0
    for i in range(len(bits)):
        bits[i] = 0
    _note(values, max(origin, 1), start, origin, noted, stride, bits)
    for first in range(start, stop, _BLOCK):
        last = min(first + _BLOCK, stop)
        base = (first - origin) >> 3
        for v in range(size):
            seen[v] = 0
        asked = _list_open(base, last - first, odd, places, bounds, bits, rows, found, listed, counts)
        for n in range(first, last):
            mark, i = n - first + 1, unsigned(n - first)
            for j in range(len(near)):
                seen[unsigned(near_codes[j]) ^ unsigned(values[unsigned(n - near[j])])] = mark
            for k in range(len(amounts)):
                mark_one_heap(values, n - amounts[k], leaves[k], mark, seen)
            word, bit = i >> unsigned(6), i & unsigned(63)
            value, count, left = -1, 0, True
            while left and value < size:
                if count < counts[i]:
                    value = int(listed[i * unsigned(_LISTED) + unsigned(count)])
                    count += 1
                    left = False
                else:
                    value += 1
                    if asked == value < size:
                        _ask(value, base, places, bounds, bits, rows, found)
                        asked += 1
                    left = value < size and (rows[unsigned(value * _WORDS) + word] >> bit) & unsigned(1) != 0
                if not left and value < size:
                    v = unsigned(value)
                    left = seen[codes[v]] == mark
                    if not left and not odd[v] and packed:
                        code = int(codes[v]) - len(noted)
                        left = is_left(values, n, amounts, leaves, unequal, reach, code)
                        left = left or _is_left_by_few(values, n, amounts, leaves, head, common, value)
                    elif not left and not odd[v]:
                        left = is_left(values, n, amounts, leaves, unequal, 1, value)
            if value == size or (packed and not odd[value]):
                return n
            values[n] = codes[value]
            if not odd[value]:
                return n + 1
        _note(values, first, last, origin, noted, stride, bits)
    return stop


@inlined
def _is_left_by_few(
    values: Array, n: int, amounts: Array, leaves: Array, head: Array, common: Array, value: int
) -> bool:
    """Tell whether a split with one of the first heaps, which are not packed, leaves a value."""
    for i in range(len(amounts)):
        if leaves[i] & 4:
            for part in range(1, len(head)):
                if int(head[part]) ^ int(common[values[n - amounts[i] - part]]) == value:
                    return True
    return False


@inlined
def _list_open(
    base: int,
    heaps: int,
    odd: Array,
    places: Array,
    bounds: Array,
    bits: Array,
    rows: Array,
    found: Array,
    listed: Array,
    counts: Array,
) -> int:
    """List for each heap of a block the first values that it may have; return how many values were asked of all."""
    for i in range(_BLOCK):
        counts[i] = 0
    for word in range(_WORDS):
        found[_WORDS + word] = 0
        if heaps > 64 * word:
            found[_WORDS + word] = unsigned(_ALL) >> unsigned(max(64 * (word + 1) - heaps, 0))
    value, more = 0, True
    while more and value < len(odd):
        _ask(value, base, places, bounds, bits, rows, found)
        more = False
        for word in range(_WORDS):
            missed = found[_WORDS + word] & ~rows[value * _WORDS + word]
            while missed:
                bit = trailing_zeros(missed)
                missed &= missed - unsigned(1)
                i = int(unsigned(64 * word) + bit)
                listed[i * _LISTED + int(counts[i])] = value
                counts[i] += 1
                if odd[value] or counts[i] == _LISTED:
                    found[_WORDS + word] ^= unsigned(1) << bit
            more = more or found[_WORDS + word] != 0
        value += 1
    return value


@inlined
def _note(values: Array, first: int, last: int, origin: int, noted: Array, stride: int, bits: Array) -> None:
    """Set the bits of common heaps in the bitmaps of their values."""
    for n in range(first, last):
        value = int(values[n])
        if noted[value]:
            bits[value * stride + ((n - origin) >> 3)] |= 1 << ((n - origin) & 7)


@inlined
def _ask(
    value: int,
    base: int,
    places: Array,
    bounds: Array,
    bits: Array,
    rows: Array,
    found: Array,
) -> None:
    """Set the bits of the heaps of a block that have an option of a value."""
    row = value * _WORDS
    for word in range(_WORDS):
        rows[row + word] = 0
    for shift in range(8):
        group = value * 8 + shift
        gathered_bits(bits, places, bounds[group], bounds[group + 1], base, found)
        right, left = unsigned(shift), unsigned(63 - shift)
        for word in range(_WORDS):
            rows[row + word] |= found[word] >> right
            if word + 1 < _WORDS:
                rows[row + word] |= ((found[word + 1] << unsigned(1)) << left) & unsigned(_ALL)
