"""The loops over heaps. Each runs compiled by numba, or as plain Python on the same arrays.

Most of them fill ``values[start:stop]`` and return the heap where they stopped. This is less than ``stop`` if the value
of that heap is too large for the array of marks; the caller then makes the array larger and continues with this heap,
or starts again. In :func:`dense_loop` and :func:`many_loop` a mark for heap n is the number n + 1, so the array needs
no clearing between heaps.

:func:`split_loop` tries all splits. A *total* is what a move leaves before it splits: a heap minus the number taken.
The values of the splits of a total are marked in a row. The row serves all moves that leave this total, until another
total needs the row. First the splits with the smallest parts are marked, 256 at a time. Then few values have no mark,
and the loop writes those below a bound to a table; few heaps have a value from the bound on. It marks another split
only if the value of the split is in the table. So below the bound a row has all its marks, but from the bound on marks
may be missing. If a heap has no value below the bound, the loop searches all splits for each value without a mark.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from graphgame.compiled.compiling import Array, compiled, inlined
from graphgame.compiled.instructions import instruction, unsigned, view_of, word_at
from graphgame.compiled.loop_cache import host_features

WINDOW = 256
"""The number of splits that :func:`is_left` compares for one amount, before it turns to the next amount."""

LEAST_SIZE = 64
"""The arrays of :func:`split_loop` have room for at least this many different values; a power of two."""

MARKED_FIRST = 1024
"""Splits are marked in steps of 256, as long as all smaller parts of a step are below this; others are looked up."""

STEP = 256
"""The number of splits that are marked in one step."""

LOOKED_UP = 2048
"""The maximum number of splits whose values are looked up in the table before it is built again."""

MOST_TOTALS = 64
"""The maximum number of totals whose marks are stored."""

TABLE = 16
"""The number of words of a table: its 1024 bits are indexed by the last ten bits of a value."""

ALL = 0xFFFF_FFFF_FFFF_FFFF
"""A word with all 64 bits set."""

_ALL_MARKED = 0x0101_0101_0101_0101
"""Eight bytes with a mark (1) in each, read as one word."""


class Moves(NamedTuple):
    """The moves of a game: the amounts that may be taken, and into how many heaps the rest may be divided."""

    amounts: Array
    """The amounts, in increasing order."""

    leaves: Array
    """``leaves[i]`` is for ``amounts[i]``: bit k is 1 if the rest may be left as k heaps."""

    unequal: bool
    """True if the heaps that a split leaves must not all be equal."""

    @classmethod
    def of(cls, leaves: dict[int, int], unequal: bool = False) -> Moves:
        """Return the moves of a dictionary that maps amounts to bits: bit k is 1 if the rest may be left as k heaps.

        If ``unequal`` is true, the heaps that a split leaves must not all be equal.
        """
        amounts = sorted(leaves)
        return cls(np.array(amounts, np.int64), np.array([leaves[k] for k in amounts], np.int64), unequal)

    @property
    def splitting(self) -> Array:
        """The amounts that may leave two heaps."""
        return self.amounts[self.leaves & 4 > 0]


@compiled
def dense_loop(values: Array, start: int, stop: int, moves: Moves, marks: Array) -> int:
    """Fill ``values[start:stop]`` by trying every move, for moves that leave at most two heaps.

    Return ``stop``, or the first heap whose value is not below ``len(marks)``. ``marks`` is work memory.
    """
    amounts, leaves = moves.amounts, moves.leaves
    for n in range(start, stop):
        for i in range(len(amounts)):
            rest = n - amounts[i]
            if rest < 0:
                break
            mark_one_heap(values, rest, leaves[i], n + 1, marks)
            if leaves[i] & 4:
                for a in range(1, splits_end(rest, moves.unequal)):
                    marks[values[a] ^ values[rest - a]] = n + 1
        v = 0
        while v < len(marks) and marks[v] == n + 1:
            v += 1
        if v == len(marks):
            return n
        values[n] = v
    return stop


@compiled
def sieve_loop(won: Array, start: int, stop: int, amounts: Array) -> None:
    """Set ``won[n]`` to 1 for all heaps n that have a move to a P-position among the heaps ``start`` to ``stop - 1``.

    A move takes one of ``amounts``, which are in increasing order. Before the call, ``won[n]`` must be 1 for the heaps
    n that have a move to a P-position below ``start``, otherwise 0. After the call, ``won[n]`` is 0 for exactly the
    P-positions n below ``stop``.
    """
    size = len(won)
    for n in range(start, stop):
        if not won[n]:
            for amount in amounts:
                if n + amount >= size:
                    break
                won[n + amount] = 1


@inlined
def splits_end(rest: int, unequal: bool) -> int:
    """Return 1 plus the largest possible smaller part when ``rest`` is split in two (unequal parts if ``unequal``)."""
    return (rest + 1) // 2 if unequal else rest // 2 + 1


@inlined
def first_unmarked(seen: Array, value: int) -> int:
    """Return the least value from ``value`` on without a mark in ``seen``, which must end with at least 8 zeros."""
    while word_at(seen, value) == _ALL_MARKED:
        value += 8
    while seen[value]:
        value += 1
    return value


@inlined
def is_left(values: Array, n: int, moves: Moves, begin: int, value: int) -> bool:
    """Return whether a move from heap n leaves two heaps with nim-sum ``value``, the smaller one ``begin`` or more.

    ``value`` is first written to ``values[n]``, to get it in the array's type: so comparisons use narrow SIMD lanes.
    """
    values[n] = value
    wanted = values[n]
    for a in range(begin, n // 2 + 1, WINDOW):
        for i in range(len(moves.amounts)):
            if moves.leaves[i] & 4:
                rest = n - moves.amounts[i]
                end = min(splits_end(rest, moves.unequal), a + WINDOW)
                first = a
                while first + 64 <= end:
                    if _some_pair_leaves(values, unsigned(first), unsigned(rest - first), wanted):
                        return True
                    first += 64
                for part in range(first, end):
                    if values[unsigned(part)] ^ values[unsigned(rest - part)] == wanted:
                        return True
    return False


@inlined
def mark_one_heap(values: Array, rest: int, leave: int, mark: int, marks: Array) -> None:
    """Mark the values of the moves that leave ``rest`` as no heap or as one heap, if the bits ``leave`` allow this.

    To mark a value is to set its entry of ``marks`` to ``mark``.
    """
    if leave & 1 and rest == 0:
        marks[0] = mark
    if leave & 2 and rest > 0:
        marks[values[rest]] = mark


@compiled
def many_loop(values: Array, start: int, stop: int, moves: Moves, distinct: bool, reached: Array, marks: Array) -> int:
    """Fill ``values[start:stop]`` by trying every move, for games in which a move may leave three heaps or more.

    Return ``stop``, or the first heap whose value is not below ``size = len(marks)``. ``marks`` is work memory. If
    ``distinct`` is true, the heaps that a move leaves must have different sizes.

    The loop also fills the table ``reached``: the entry for k, n and v is 1 if heap n can be split into k heaps with
    nim-sum v (into k heaps of different sizes if ``distinct``). Its index is ``((k - 2) * heaps + n) * size + v``,
    where ``heaps = len(values)``. The length must be ``(most - 1) * heaps * size`` if moves leave at most ``most``
    heaps, and all entries must be 0 if ``start`` is 0. Without ``distinct``, the entries for k = ``most`` stay 0.
    """
    size, heaps = len(marks), len(values)
    amounts, leaves, unequal = moves.amounts, moves.leaves, moves.unequal
    most = len(reached) // (size * heaps) + 1
    for n in range(start, stop):
        # Fill ``reached`` for heap n. With ``distinct``, _add_part does this when the value of the largest part is
        # known.
        for parts in range(2, 0 if distinct else most):
            row = ((parts - 2) * heaps + n) * size
            _mark_parts(values, n, parts, n // parts, reached, 1, reached[row : row + size])
        for i in range(len(amounts)):
            rest = n - amounts[i]
            if rest < 0:
                break
            mark_one_heap(values, rest, leaves[i], n + 1, marks)
            for parts in range(2, most + distinct):
                if leaves[i] >> parts & 1 and unequal and not distinct:
                    _mark_parts(values, rest, parts, (rest - 1) // parts, reached, n + 1, marks)
                elif leaves[i] >> parts & 1:
                    row = ((parts - 2) * heaps + rest) * size
                    for v in range(size):
                        if reached[row + v]:
                            marks[v] = n + 1
        # Without ``distinct``, ``reached`` does not store the splits into ``most`` heaps, because no splits into more
        # heaps are built from them. Instead, _most_leave tries these splits for each value without a mark.
        value = 0
        while value < size and (
            marks[value] == n + 1 or (not distinct and _most_leave(values, n, moves, most, reached, size, value))
        ):
            value += 1
        if value == size:
            return n
        values[n] = value
        if distinct:
            _add_part(values, n, most, reached, size)
    return stop


@inlined
def _most_leave(values: Array, n: int, moves: Moves, most: int, reached: Array, size: int, value: int) -> bool:
    """Return whether some move from heap n leaves exactly ``most`` heaps, and their nim-sum is ``value``.

    ``most`` is the largest number of heaps that a move may leave, 3 or more. ``reached`` is the table of
    :func:`many_loop`, for values below ``size``: it says which splits into ``most - 1`` heaps there are.
    """
    for i in range(len(moves.amounts)):
        rest = n - moves.amounts[i]
        if moves.leaves[i] >> most & 1:
            for a in range(1, (rest - moves.unequal) // most + 1):
                if reached[((most - 3) * len(values) + rest - a) * size + (value ^ values[a])]:
                    return True
    return False


@inlined
def _add_part(values: Array, part: int, most: int, reached: Array, size: int) -> None:
    """Add to ``reached`` the splits into 2 to ``most`` heaps of different sizes whose largest heap is ``part``.

    ``reached`` is the table of :func:`many_loop`, for values below ``size``: its entry for k, n and v says whether heap
    n can be split into k heaps with nim-sum v.
    """
    heaps = len(values)
    # A split into k heaps is this part, added to a split into k - 1 smaller heaps. Begin with the largest k: then the
    # splits into k - 1 heaps do not contain this part yet.
    for parts in range(most, 2, -1):
        for rest in range(1, min((parts - 1) * part, heaps - part)):
            shorter, longer = ((parts - 3) * heaps + rest) * size, ((parts - 2) * heaps + part + rest) * size
            for v in range(size):
                if reached[shorter + v]:
                    reached[longer + (v ^ values[part])] = 1
    for other in range(1, min(part, heaps - part)):
        reached[(part + other) * size + (values[other] ^ values[part])] = 1


@inlined
def _mark_parts(values: Array, whole: int, parts: int, largest: int, reached: Array, mark: int, marks: Array) -> None:
    """Mark the values of the splits of ``whole`` into ``parts`` heaps whose smallest heap is at most ``largest``.

    ``parts`` is two or more. To mark a value is to set its entry of ``marks`` to ``mark``. ``reached`` is as in
    :func:`many_loop`.
    """
    size = len(marks)
    for a in range(1, largest + 1):
        if parts == 2:
            marks[values[a] ^ values[whole - a]] = mark
        else:
            row = ((parts - 3) * len(values) + whole - a) * size
            for v in range(size):
                if reached[row + v]:
                    marks[v ^ values[a]] = mark


@compiled
def all_but_loop(values: Array, start: int, stop: int, excluded: Array, counts: Array, seen: Array, used: int) -> int:
    """Fill ``values[start:stop]`` when any positive number but the excluded ones may be taken; return ``stop``.

    All smaller heaps are options, except those that excluded moves would reach. The value of a heap is the least value
    that no option has: either all smaller heaps with this value are excluded, or no smaller heap has it. At the start
    ``used`` is the least value that no heap so far has. The loop updates ``counts[v]``, the number of heaps with value
    v so far. ``seen`` is work memory, all zeros.
    """
    for n in range(start, stop):
        value = used
        for i in range(len(excluded)):
            if excluded[i] > n:
                break
            v = values[n - excluded[i]]
            seen[v] += 1
            if seen[v] == counts[v] and v < value:
                value = v
        # Reset only the counters that were used: few heaps are excluded, but there are many values.
        for i in range(len(excluded)):
            if excluded[i] > n:
                break
            seen[values[n - excluded[i]]] = 0
        values[n] = value
        counts[value] += 1
        if value == used:
            used += 1
    return stop


@compiled
def equal_loop(values: Array, least: int, most: int) -> int:
    """Fill ``values``, all zeros at the start, for moves that split a heap into ``least`` to ``most`` equal heaps.

    Return ``len(values)``.
    """
    # Until the loop reaches heap n, values[n] is a set: bit v means that n has an option of value v.
    for n in range(1, len(values)):
        value = 0
        while values[n] >> value & 1:
            value += 1
        values[n] = value
        # An even number of equal heaps has the value 0, an odd number has the value of one of them.
        for parts in range(least, min(most, (len(values) - 1) // n) + 1):
            values[n * parts] |= 1 << (value if parts & 1 else 0)
    return len(values)


class Totals(NamedTuple):
    """The values of all splits of each of some totals, and work arrays for :func:`split_loop`."""

    rows: Array
    """One row for each stored total. Entry v is 1 (a mark) if two heaps with this total can have nim-sum v.

    A value that is at least the row's entry of ``bounds`` may lack its mark.
    """

    totals: Array
    """The total of each row, -1 if there is none yet. Row i is for totals that are i modulo the number of rows."""

    bounds: Array
    """For each row: values from this bound on may lack their mark."""

    seen: Array
    """[value]: 1 if the heap being computed is known to have an option of this value. The last 64 entries stay 0."""

    results: Array
    """Work memory for the values of splits."""

    table: Array
    """1024 bits: bit i is set if the last ten bits of some value without a mark are i."""

    @classmethod
    def of(cls, size: int, dtype: np.dtype[Any], splitting: Array) -> Totals:
        """Return arrays for a game with values below ``size``.

        ``dtype`` is the type of the array of values. ``splitting`` has the amounts whose removal may leave two heaps.
        """
        slots = min(1 << int(splitting[-1] - splitting[0]).bit_length(), MOST_TOTALS)
        return cls(
            rows=np.zeros(slots * size, np.uint8),
            totals=np.full(slots, -1, np.int64),
            bounds=np.zeros(slots, np.int64),
            seen=np.zeros(size + 64, np.uint8),
            results=np.zeros(LOOKED_UP + STEP, np.uint16 if dtype.itemsize <= 2 else dtype),
            table=np.zeros(TABLE, np.uint64),
        )


@compiled
def split_loop(
    values: Array, start: int, stop: int, moves: Moves, first_marks: int, usual: Array, stored: Totals
) -> int:
    """Fill ``values[start:stop]`` by trying all splits; return ``stop``, or the first heap whose value is too large.

    The loop marks the values of splits in the rows of ``stored``, as the module's docstring explains. Splits whose
    smaller part is below ``first_marks`` are marked first, without a table; if ``first_marks`` is ``stop`` or more,
    these are all splits. A table has only values below a bound: the next multiple of 64 above ``usual[0] / 1024``. The
    loop changes ``usual[0]`` so that few heaps have a value from the bound on. A value is too large if it is not below
    the ``size`` for which :meth:`Totals.of` made the arrays.
    """
    amounts, leaves, seen, bounds = moves.amounts, moves.leaves, stored.seen, stored.bounds
    size = len(seen) - 64
    for n in range(start, stop):
        for v in range(size):
            seen[v] = 0
        bound = size
        for i in range(len(amounts)):
            rest = n - amounts[i]
            mark_one_heap(values, rest, leaves[i], 1, seen)
            if leaves[i] & 4 and rest > 1:
                slot = rest & (len(bounds) - 1)
                row = stored.rows[slot * size : slot * size + size]
                if stored.totals[slot] != rest:
                    stored.totals[slot] = rest
                    end = splits_end(rest, moves.unequal)
                    bounds[slot] = _mark_splits(values, rest, end, first_marks, usual[0], row, stored)
                for v in range(size):
                    seen[v] |= row[v]
                bound = min(bound, bounds[slot])
        value = min(first_unmarked(seen, 0), size)
        while bound <= value < size and is_left(values, n, moves, 1, value):
            value = min(first_unmarked(seen, value + 1), size)
        if value == size:
            return n
        values[n] = value
        # If the value reaches the bound, ``usual[0]`` grows by 1/32, plus 1024. Otherwise it shrinks by 1/1024. So in
        # the long run about one value in thirty reaches the bound, and needs a search by :func:`is_left`.
        usual[0] += (usual[0] >> 5) + 1024 if value >= bound else -(usual[0] >> 10)
    return stop


@inlined
def _mark_splits(values: Array, total: int, end: int, first_marks: int, usual: int, row: Array, stored: Totals) -> int:
    """Clear ``row``, and mark in it the values of the splits of ``total`` whose smaller part is below ``end``.

    Return a bound: values from this bound on may lack their mark. ``first_marks`` is as for :func:`split_loop`, and
    ``usual`` is ``usual[0]`` there. Of ``stored``, only the work arrays ``table`` and ``results`` are used.
    """
    size, results, table = len(row), stored.results, stored.table
    for v in range(size):
        row[v] = 0
    part, first = 1, min(end, first_marks)
    while part + STEP <= first:
        for i in range(0, STEP, 64):
            xor_backwards(values, unsigned(part + i), unsigned(total - part - i), results, i)
        _mark(row, results, STEP)
        part += STEP
    bound = size if first == end else min((usual >> 10 | 63) + 1, size)
    while part + 64 <= end and first < end:
        # The table becomes out of date as values are marked. It is built again each time the number of splits has
        # doubled (at most ``LOOKED_UP`` later), so that building it takes little of the time.
        last = min(end, part + max(64, min(part, LOOKED_UP)))
        for word in range(TABLE):
            table[word] = 0
        for v in range(0, bound, 64):
            table[v >> 6 & (TABLE - 1)] |= unmarked_bits(row, v)
        _mark(row, results, list_in_table(values, part, last, 64, total, table, results))
        part += last - part & -64
    for a in range(part, end):
        row[values[unsigned(a)] ^ values[unsigned(total - a)]] = 1
    return bound


@inlined
def _mark(row: Array, results: Array, count: int) -> None:
    """Mark in ``row`` the values ``results[:count]``."""
    for i in range(count):
        row[unsigned(results[i])] = 1


def _unmarked_bits(_: object, marks: Any, first: Any) -> tuple[object, Callable[..., object]]:  # noqa: ANN401
    from llvmlite import ir
    from numba.core import types

    def generate(context: Any, builder: Any, _: object, arguments: Any) -> object:  # noqa: ANN401
        many = ir.VectorType(ir.IntType(8), 64)
        index = context.cast(builder, arguments[1], first, types.intp)
        pointer = builder.gep(view_of(context, builder, marks, arguments[0]).data, [index])
        some = builder.load(builder.bitcast(pointer, many.as_pointer()), align=1)
        return builder.bitcast(builder.icmp_unsigned("==", some, ir.Constant(many, [0] * 64)), ir.IntType(64))

    return types.uint64(marks, first), generate


@instruction(_unmarked_bits)
def unmarked_bits(marks: Array, first: int) -> int:
    """Return a word whose bit i is set if ``marks[first + i]`` is 0, for 64 marks that are 0 or 1.

    With AVX-512, one instruction compares all 64 marks. A loop that collects the bits of
    eight marks by a multiplication is slower: the heaps up to 300,000 of the game 0.06 took 1.9 s instead of 1.6 s.
    """
    return sum(1 << i for i in range(64) if not marks[first + i])


@inlined
def xor_backwards(items: Array, first: int, last: int, results: Array, start: int) -> None:
    """Set ``results[start + i]`` to ``items[first + i] ^ items[last - i]`` for i from 0 to 63."""
    for i in range(unsigned(64)):
        results[unsigned(start) + i] = items[unsigned(first) + i] ^ items[unsigned(last) - i]


@inlined
def _some_pair_leaves(items: Array, first: int, last: int, wanted: int) -> bool:
    """Return whether ``items[first + i] ^ items[last - i] == wanted`` for some i from 0 to 63."""
    hit = False
    for i in range(unsigned(64)):  # no early exit, so that LLVM vectorizes the loop
        hit |= items[first + i] ^ items[last - i] == wanted
    return hit


def _trailing_zeros(_: object, word: Any) -> tuple[object, Callable[..., object]]:  # noqa: ANN401
    from llvmlite import ir
    from numba.core import types

    def generate(_: object, builder: Any, __: object, arguments: Any) -> object:  # noqa: ANN401
        return builder.cttz(arguments[0], ir.IntType(1)(0))

    return types.uint64(word), generate


@instruction(_trailing_zeros)
def trailing_zeros(word: np.uint64 | int) -> np.uint64:
    """Return the number of zero bits below the lowest set bit of a 64-bit word; 64 if no bit is set."""
    return np.uint64((int(word) & -int(word)).bit_length() - 1 if word else 64)


def picks_at_once() -> bool:
    """Return whether the processor has AVX-512 VBMI2, with which :func:`list_in_table` is fast."""
    return host_features().get("avx512vbmi2", False)


def _list_in_table(
    _: object,
    values: Any,  # noqa: ANN401
    begin: Any,  # noqa: ANN401
    end: Any,  # noqa: ANN401
    step: Any,  # noqa: ANN401
    whole: Any,  # noqa: ANN401
    table: Any,  # noqa: ANN401
    results: Any,  # noqa: ANN401
) -> tuple[object, Callable[..., object]]:
    from llvmlite import ir
    from numba.core import cgutils as untyped
    from numba.core import types

    cgutils: Any = untyped
    # The table fits in two registers, as 64 words of 16 bits. The loop handles 32 items at once. One instruction
    # (vpermi2var) looks up, for each item, the word that has the item's bit. Another (compress) moves the items whose
    # bit is set to the front.
    lanes = 32
    word, short, bit = (ir.IntType(width) for width in (64, 16, 1))
    words = ir.VectorType(short, lanes)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> object:  # noqa: ANN401
        if not picks_at_once():
            part = context.compile_subroutine(builder, _list_one_by_one, signature)
            # The call passes no errors on, because _list_one_by_one cannot raise any.
            return context.call_internal_no_propagate(builder, part.fndesc, signature, arguments)[1]

        def all_(number: int) -> Any:  # noqa: ANN401
            return ir.Constant(words, [number] * lanes)

        def call(name: str, *given: Any) -> Any:  # noqa: ANN401
            function = ir.FunctionType(words, [argument.type for argument in given])
            return builder.call(builder.module.declare_intrinsic(f"llvm.x86.avx512.{name}", (), function), given)

        def load(data: Any, index: Any, count: int) -> Any:  # noqa: ANN401
            pointer = builder.gep(data, [index])
            kind = ir.VectorType(data.type.pointee, count)
            return builder.load(builder.bitcast(pointer, kind.as_pointer()), align=data.type.pointee.width // 8)

        def chosen(items: Any, first: int, count: int, step: int = 1) -> Any:  # noqa: ANN401
            lanes_ = ir.Constant(ir.VectorType(ir.IntType(32), count), list(range(first, first + step * count, step)))
            return builder.shuffle_vector(items, items, lanes_)

        views = ((values, 0), (table, 5), (results, 6))
        data, bits, to = (view_of(context, builder, array, arguments[k]).data for array, k in views)
        to = builder.bitcast(to, short.as_pointer())
        first, stop, stride, total = (
            context.cast(builder, arguments[k], kind, types.intp)
            for k, kind in ((1, begin), (2, end), (3, step), (4, whole))
        )
        halves = builder.bitcast(bits, short.as_pointer())
        low, high = load(halves, word(0), lanes), load(halves, word(lanes), lanes)
        listed = cgutils.alloca_once_value(builder, word(0))
        with cgutils.for_range_slice(builder, first, builder.sub(stop, word(63)), stride, inc=True) as (at, _count):
            others = load(data, builder.sub(builder.sub(total, at), word(63)), 64)
            left = builder.xor(load(data, at, 64), chosen(others, 63, 64, -1))
            for start in (0, lanes):
                some = chosen(left, start, lanes)
                if some.type != words:  # convert to 16 bits, which is enough: an index into the table has ten bits
                    some = (builder.zext if values.dtype.bitwidth < 16 else builder.trunc)(some, words)
                row = call("vpermi2var.hi.512", low, builder.lshr(some, all_(4)), high)
                mask = builder.trunc(builder.lshr(row, builder.and_(some, all_(15))), ir.VectorType(bit, lanes))
                packed = call("mask.compress.v32i16", some, all_(0), mask)
                more = builder.zext(builder.ctpop(builder.bitcast(mask, ir.IntType(lanes))), word)
                pointer = builder.gep(to, [builder.load(listed)])
                builder.store(packed, builder.bitcast(pointer, words.as_pointer()), align=2)
                builder.store(builder.add(builder.load(listed), more), listed)
        return builder.load(listed)

    return types.intp(values, begin, end, step, whole, table, results), generate


@instruction(_list_in_table)
def list_in_table(values: Array, begin: int, end: int, step: int, whole: int, table: Array, results: Array) -> int:
    """Write the values of some splits of ``whole`` to ``results`` if their bit is set in ``table``; return their count.

    The splits are the pairs (k, ``whole - k``) for all k in some windows. A window has 64 consecutive numbers, all
    below ``end``; the windows begin at ``begin``, ``begin + step``, ... The bit of a value v has the index v modulo
    1024. ``results`` (uint16) must have 64 entries more than there are splits.
    """
    return _list_one_by_one(values, begin, end, step, whole, table, results)


def _list_one_by_one(values: Array, begin: int, end: int, step: int, whole: int, table: Array, results: Array) -> int:
    count = 0
    # max(): LLVM must see that the step is not 0. A range with step 0 would raise, and the loops cannot raise.
    for first in range(begin, end - 63, max(step, 1)):
        for part in range(first, first + 64):
            item = values[part] ^ values[whole - part]
            # Without a branch: always write, and overwrite the item next time if its bit is not set.
            results[count] = item
            count += int(table[item >> 6 & 15]) >> (item & 63) & 1
    return count
