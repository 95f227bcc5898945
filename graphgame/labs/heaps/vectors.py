"""Parts of loops that work on 64 items at once, with whatever wide instructions the processor has."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from graphgame.compiled.compiling import instruction, view_of
from graphgame.compiled.loop_cache import host_features

AT_ONCE = 4
"""Items that each item is compared with while it is read."""

_WORDS = 8


def _sixty_four(array: Any) -> tuple[Any, Any, Any]:  # noqa: ANN401
    """Return what reads 64 items of an array from an index on, repeats one item, and tells by bits which are equal."""
    from llvmlite import ir

    width = array.dtype.bitwidth
    many, lanes = ir.VectorType(ir.IntType(width), 64), ir.VectorType(ir.IntType(32), 64)

    def load(context: Any, builder: Any, value: Any, index: Any, kind: Any = array) -> Any:  # noqa: ANN401
        place = builder.gep(view_of(context, builder, kind, value).data, [index])
        return builder.load(builder.bitcast(place, many.as_pointer()), align=width // 8)

    def repeat(builder: Any, item: Any) -> Any:  # noqa: ANN401
        one = builder.insert_element(ir.Constant(many, ir.Undefined), item, ir.Constant(ir.IntType(32), 0))
        return builder.shuffle_vector(one, one, ir.Constant(lanes, [0] * 64))

    def equal(builder: Any, some: Any, others: Any) -> Any:  # noqa: ANN401
        return builder.bitcast(builder.icmp_unsigned("==", some, others), ir.IntType(64))

    return load, repeat, equal


def _equal_bits(_: object, items: Any, first: Any, mask: Any, others: Any) -> tuple[object, Callable[..., object]]:  # noqa: ANN401
    from llvmlite import ir
    from numba.core import types

    load, repeat, equal = _sixty_four(items)

    def generate(context: Any, builder: Any, _: object, arguments: Any) -> object:  # noqa: ANN401
        at = context.cast(builder, arguments[1], first, types.intp)
        masks = repeat(builder, context.cast(builder, arguments[2], mask, items.dtype))
        changed = builder.xor(load(context, builder, arguments[0], at), masks)
        return equal(builder, changed, load(context, builder, arguments[3], ir.Constant(at.type, 0)))

    return types.uint64(items, first, mask, others), generate


@instruction(_equal_bits)
def equal_bits(items: np.ndarray, first: Any, mask: Any, others: np.ndarray) -> int:  # noqa: ANN401
    """Compare 64 items from the first on, each xor a mask, with 64 others of their type; bit i tells of the i-th."""
    same = np.asarray(items)[first : first + 64] ^ mask == np.asarray(others)
    return int.from_bytes(np.packbits(same, bitorder="little").tobytes(), "little")


def _mirrored_bits(_: object, items: Any, first: Any, last: Any, mask: Any) -> tuple[object, Callable[..., object]]:  # noqa: ANN401
    from llvmlite import ir
    from numba.core import types

    load, repeat, equal = _sixty_four(items)
    backwards = ir.Constant(ir.VectorType(ir.IntType(32), 64), list(range(63, -1, -1)))

    def generate(context: Any, builder: Any, _: object, arguments: Any) -> object:  # noqa: ANN401
        at, end = (context.cast(builder, arguments[k], kind, types.intp) for k, kind in ((1, first), (2, last)))
        others = load(context, builder, arguments[0], builder.sub(end, ir.Constant(end.type, 63)))
        masks = repeat(builder, context.cast(builder, arguments[3], mask, items.dtype))
        changed = builder.xor(load(context, builder, arguments[0], at), masks)
        return equal(builder, changed, builder.shuffle_vector(others, others, backwards))

    return types.uint64(items, first, last, mask), generate


@instruction(_mirrored_bits)
def mirrored_bits(items: np.ndarray, first: Any, last: Any, mask: Any) -> int:  # noqa: ANN401
    """Compare 64 items from the first on, each xor a mask, with 64 from the last back; bit i tells of the i-th pair."""
    array = np.asarray(items)
    same = array[first : first + 64] ^ mask == array[last - 63 : last + 1][::-1]
    return int.from_bytes(np.packbits(same, bitorder="little").tobytes(), "little")


def _least_differences(builder: Any, many: Any) -> tuple[Any, Any]:  # noqa: ANN401
    """Return what keeps, for some sets of 64 items, the least that they differ by from others; and tells where by 0."""
    from llvmlite import ir
    from numba.core import cgutils as untyped

    cgutils: Any = untyped
    least = [cgutils.alloca_once_value(builder, ir.Constant(many, [-1] * 64)) for _ in range(AT_ONCE)]

    def compare(others: Any, wanted: Any) -> None:  # noqa: ANN401
        for place, items in zip(least, wanted, strict=True):
            known, more = builder.load(place), builder.xor(others, items)
            builder.store(builder.select(builder.icmp_unsigned("<", more, known), more, known), place)

    def write(found: Any) -> None:  # noqa: ANN401
        for i, place in enumerate(least):
            same = builder.icmp_unsigned("==", builder.load(place), ir.Constant(many, [0] * 64))
            word = builder.bitcast(same, ir.IntType(64))
            builder.store(word, builder.gep(found, [ir.Constant(ir.IntType(64), i)]))

    return compare, write


def _matched_bits(
    _: object,
    items: Any,  # noqa: ANN401
    places: Any,  # noqa: ANN401
    masks: Any,  # noqa: ANN401
    begin: Any,  # noqa: ANN401
    end: Any,  # noqa: ANN401
    base: Any,  # noqa: ANN401
    wanted: Any,  # noqa: ANN401
    found: Any,  # noqa: ANN401
) -> Any:  # noqa: ANN401
    from llvmlite import ir
    from numba.core import cgutils as untyped
    from numba.core import types

    cgutils: Any = untyped
    load, repeat, _equal = _sixty_four(items)
    many = ir.VectorType(ir.IntType(items.dtype.bitwidth), 64)

    def generate(context: Any, builder: Any, _: object, arguments: Any) -> object:  # noqa: ANN401
        places_, masks_, found_ = (
            view_of(context, builder, array, arguments[k]).data for k, array in ((1, places), (2, masks), (7, found))
        )
        start, stop, offset = (
            context.cast(builder, arguments[k], kind, types.intp) for k, kind in ((3, begin), (4, end), (5, base))
        )
        sets = [load(context, builder, arguments[6], ir.Constant(start.type, 64 * i), wanted) for i in range(AT_ONCE)]
        compare, write = _least_differences(builder, many)
        with cgutils.for_range(builder, builder.sub(stop, start)) as loop:
            j = builder.add(start, loop.index)
            place = builder.sext(builder.load(builder.gep(places_, [j])), start.type)
            others = load(context, builder, arguments[0], builder.sub(offset, place))
            compare(builder.xor(others, repeat(builder, builder.load(builder.gep(masks_, [j])))), sets)
        write(found_)
        return context.get_dummy_value()

    return types.void(items, places, masks, begin, end, base, wanted, found), generate


@instruction(_matched_bits)
def matched_bits(
    items: np.ndarray,
    places: np.ndarray,
    masks: np.ndarray,
    begin: int,
    end: int,
    base: int,
    wanted: np.ndarray,
    found: np.ndarray,
) -> None:
    """Tell of 4 times 64 items, by bits of as many words, which of them some place has: j of begin..end-1.

    What place j has for the i-th is ``items[base - places[j] + i] ^ masks[j]``.
    """
    array, sets = np.asarray(items), np.asarray(wanted).reshape(AT_ONCE, 64)
    hits = np.zeros((AT_ONCE, 64), bool)
    for place, mask in zip(places[begin:end], masks[begin:end], strict=True):
        hits |= array[base - place : base - place + 64] ^ mask == sets
    np.asarray(found)[:AT_ONCE] = np.packbits(hits, axis=1, bitorder="little").view(np.uint64)[:, 0]


def _value_places(_: object, items: Any, first: Any, mask: Any, found: Any, place: Any) -> Any:  # noqa: ANN401
    from llvmlite import ir
    from numba.core import types

    load, repeat, _equal = _sixty_four(items)
    words = ir.VectorType(ir.IntType(32), 64)

    def generate(context: Any, builder: Any, _: object, arguments: Any) -> object:  # noqa: ANN401
        at, to = (context.cast(builder, arguments[k], kind, types.intp) for k, kind in ((1, first), (4, place)))
        masks = repeat(builder, context.cast(builder, arguments[2], mask, items.dtype))
        changed = builder.xor(load(context, builder, arguments[0], at), masks)
        wide = changed if changed.type == words else builder.zext(changed, words)
        places = builder.or_(builder.shl(wide, ir.Constant(words, [6] * 64)), ir.Constant(words, list(range(64))))
        into = builder.gep(view_of(context, builder, found, arguments[3]).data, [to])
        builder.store(places, builder.bitcast(into, words.as_pointer()), align=4)
        return context.get_dummy_value()

    return types.void(items, first, mask, found, place), generate


@instruction(_value_places)
def value_places(items: np.ndarray, first: Any, mask: Any, found: np.ndarray, place: int) -> None:  # noqa: ANN401
    """Write where 64 items from the first on, each xor a mask, have their marks if each value has 64: to uint32."""
    changed = (np.asarray(items)[first : first + 64] ^ mask).astype(np.uint32)
    np.asarray(found)[place : place + 64] = changed << 6 | np.arange(64, dtype=np.uint32)


def _mirrored_matches(
    _: object,
    items: Any,  # noqa: ANN401
    begin: Any,  # noqa: ANN401
    end: Any,  # noqa: ANN401
    step: Any,  # noqa: ANN401
    whole: Any,  # noqa: ANN401
    wanted: Any,  # noqa: ANN401
    found: Any,  # noqa: ANN401
) -> Any:  # noqa: ANN401
    from llvmlite import ir
    from numba.core import cgutils as untyped
    from numba.core import types

    cgutils: Any = untyped
    load, repeat, _equal = _sixty_four(items)
    many = ir.VectorType(ir.IntType(items.dtype.bitwidth), 64)
    backwards = ir.Constant(ir.VectorType(ir.IntType(32), 64), list(range(63, -1, -1)))

    def generate(context: Any, builder: Any, _: object, arguments: Any) -> object:  # noqa: ANN401
        wanted_, found_ = (
            view_of(context, builder, array, arguments[k]).data for k, array in ((5, wanted), (6, found))
        )
        start, stop, stride, last = (
            context.cast(builder, arguments[k], kind, types.intp)
            for k, kind in ((1, begin), (2, end), (3, step), (4, whole))
        )
        last = builder.sub(last, ir.Constant(last.type, 63))
        sets = [
            repeat(builder, builder.load(builder.gep(wanted_, [ir.Constant(last.type, i)]))) for i in range(AT_ONCE)
        ]
        compare, write = _least_differences(builder, many)
        with cgutils.for_range_slice(builder, start, stop, stride, inc=True) as (first, _count):
            others = load(context, builder, arguments[0], builder.sub(last, first))
            others = builder.shuffle_vector(others, others, backwards)
            compare(builder.xor(load(context, builder, arguments[0], first), others), sets)
        write(found_)
        return context.get_dummy_value()

    return types.void(items, begin, end, step, whole, wanted, found), generate


@instruction(_mirrored_matches)
def mirrored_matches(
    items: np.ndarray, begin: int, end: int, step: int, whole: int, wanted: np.ndarray, found: np.ndarray
) -> None:
    """Tell of 4 items, by words other than 0, which of them some pair has: ``items[a + i] ^ items[whole - a - i]``.

    a is each of ``range(begin, end, step)``, and i each number below 64.
    """
    array = np.asarray(items)
    for i in range(AT_ONCE):
        found[i] = 0
    for a in range(begin, end, step):
        pairs = array[a : a + 64] ^ array[whole - a - 63 : whole - a + 1][::-1]
        for i in range(AT_ONCE):
            found[i] |= int((pairs == wanted[i]).any())


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
    """Set 8 words, the first of more, to the union of 64 bytes from some places (int32) on, each ``base`` further."""
    union = np.zeros(_WORDS, np.uint64)
    for place in places[begin:end]:
        union |= np.asarray(bits)[base + place : base + place + 8 * _WORDS].view(np.uint64)
    np.asarray(found)[:_WORDS] = union


_LANES = 32
_FEW = 16
"""Items that are written in any case, for the processor is slow to write twice as many to any place."""


def picks_at_once() -> bool:
    """Tell whether this processor picks items out of many by a table: then :func:`append_listed` is fast."""
    return host_features().get("avx512vbmi2", False)


def _mirrored(builder: Any, data: Any, first: Any, last: Any) -> Any:  # noqa: ANN401
    """Return 64 items from the first on, each xor one of those from the last back."""
    from llvmlite import ir

    width = data.type.pointee.width
    many = ir.VectorType(ir.IntType(width), 64).as_pointer()
    backwards = ir.Constant(ir.VectorType(ir.IntType(32), 64), list(range(63, -1, -1)))

    def load(at: Any) -> Any:  # noqa: ANN401
        return builder.load(builder.bitcast(builder.gep(data, [at]), many), align=width // 8)

    others = load(builder.sub(last, ir.Constant(last.type, 63)))
    return builder.xor(load(first), builder.shuffle_vector(others, others, backwards))


def _of_width(builder: Any, items: Any, width: int) -> Any:  # noqa: ANN401
    """Return items as numbers of another width, which holds them."""
    from llvmlite import ir

    wanted, known = ir.VectorType(ir.IntType(width), items.type.count), items.type.element.width
    return builder.zext(items, wanted) if width > known else builder.trunc(items, wanted) if width < known else items


def _mirrored_xor(_: object, items: Any, first: Any, last: Any, found: Any, place: Any) -> Any:  # noqa: ANN401
    from numba.core import types

    width, kinds = found.dtype.bitwidth, {1: first, 2: last, 4: place}

    def generate(context: Any, builder: Any, _: object, arguments: Any) -> object:  # noqa: ANN401
        data, to = (view_of(context, builder, array, arguments[k]).data for k, array in ((0, items), (3, found)))
        begin, end, at = (context.cast(builder, arguments[k], kind, types.intp) for k, kind in kinds.items())
        changed = _of_width(builder, _mirrored(builder, data, begin, end), width)
        builder.store(changed, builder.bitcast(builder.gep(to, [at]), changed.type.as_pointer()), align=width // 8)
        return context.get_dummy_value()

    return types.void(items, first, last, found, place), generate


@instruction(_mirrored_xor)
def mirrored_xor(items: np.ndarray, first: Any, last: Any, found: np.ndarray, place: int) -> None:  # noqa: ANN401
    """Write 64 items from the first on, each xor one of those from the last back, to places of ``found`` in a row."""
    np.asarray(found)[place : place + 64] = _changed(items, first, last)


def _changed(items: Any, first: int, last: int) -> Any:  # noqa: ANN401
    array = np.asarray(items)
    return array[first : first + 64] ^ array[last - 63 : last + 1][::-1]


def _append_listed(
    _: object,
    items: Any,  # noqa: ANN401
    first: Any,  # noqa: ANN401
    stop: Any,  # noqa: ANN401
    step: Any,  # noqa: ANN401
    whole: Any,  # noqa: ANN401
    table: Any,  # noqa: ANN401
    found: Any,  # noqa: ANN401
) -> Any:  # noqa: ANN401
    from llvmlite import ir
    from numba.core import cgutils as untyped
    from numba.core import types

    cgutils: Any = untyped
    picker = _picker_at_once if picks_at_once() else _picker_one_by_one
    kinds = {1: first, 2: stop, 3: step, 4: whole}

    def generate(context: Any, builder: Any, _: object, arguments: Any) -> object:  # noqa: ANN401
        arrays = (items, 0), (table, 5), (found, 6)
        data, bits, to = (view_of(context, builder, array, arguments[k]).data for array, k in arrays)
        begin, end, stride, total = (context.cast(builder, arguments[k], kind, types.intp) for k, kind in kinds.items())
        pick = picker(builder, bits, builder.bitcast(to, ir.IntType(16).as_pointer()))
        count = cgutils.alloca_once_value(builder, ir.Constant(begin.type, 0))
        end = builder.sub(end, ir.Constant(begin.type, 63))
        with cgutils.for_range_slice(builder, begin, end, stride, inc=True) as (at, _count):
            changed = _of_width(builder, _mirrored(builder, data, at, builder.sub(total, at)), 16)
            builder.store(pick(changed, builder.load(count)), count)
        return builder.load(count)

    return types.intp(items, first, stop, step, whole, table, found), generate


def _picker_at_once(builder: Any, bits: Any, to: Any) -> Callable[[Any, Any], Any]:  # noqa: ANN401
    """Return what looks up 32 items in two registers that hold the table, and writes those chosen side by side."""
    from llvmlite import ir

    words, flags = (ir.VectorType(ir.IntType(width), _LANES) for width in (16, 1))
    word = ir.IntType(64)

    def all_(number: int) -> Any:  # noqa: ANN401
        return ir.Constant(words, [number] * _LANES)

    def call(name: str, result: Any, *arguments: Any) -> Any:  # noqa: ANN401
        function = ir.FunctionType(result, [argument.type for argument in arguments])
        return builder.call(builder.module.declare_intrinsic(name, (), function), arguments)

    data = builder.bitcast(bits, words.as_pointer())
    low, high = (builder.load(builder.gep(data, [ir.Constant(word, k)]), align=8) for k in (0, 1))

    few = ir.Constant(ir.VectorType(ir.IntType(32), _FEW), list(range(_FEW)))
    short = ir.VectorType(ir.IntType(16), _FEW).as_pointer()

    def pick(changed: Any, place: Any) -> Any:  # noqa: ANN401
        for start in (0, _LANES):
            lanes = ir.Constant(ir.VectorType(ir.IntType(32), _LANES), list(range(start, start + _LANES)))
            half = builder.shuffle_vector(changed, changed, lanes)
            row = call("llvm.x86.avx512.vpermi2var.hi.512", words, low, builder.lshr(half, all_(4)), high)
            chosen = builder.lshr(row, builder.and_(half, all_(15)))
            mask = builder.trunc(chosen, flags)
            packed = call("llvm.x86.avx512.mask.compress.v32i16", words, half, all_(0), mask)
            more = builder.zext(builder.ctpop(builder.bitcast(mask, ir.IntType(_LANES))), word)
            data = builder.gep(to, [place])
            builder.store(builder.shuffle_vector(packed, packed, few), builder.bitcast(data, short), align=2)
            with builder.if_then(builder.icmp_unsigned(">", more, ir.Constant(word, _FEW)), likely=False):
                builder.store(packed, builder.bitcast(data, words.as_pointer()), align=2)
            place = builder.add(place, more)
        return place

    return pick


def _picker_one_by_one(builder: Any, bits: Any, to: Any) -> Callable[[Any, Any], Any]:  # noqa: ANN401
    from llvmlite import ir

    word = ir.IntType(64)

    def pick(changed: Any, place: Any) -> Any:  # noqa: ANN401
        for lane in range(changed.type.count):
            item = builder.extract_element(changed, ir.Constant(ir.IntType(32), lane))
            builder.store(item, builder.gep(to, [place]))
            number = builder.zext(item, word)
            at = builder.and_(builder.lshr(number, ir.Constant(word, 6)), ir.Constant(word, 15))
            row = builder.lshr(builder.load(builder.gep(bits, [at])), builder.and_(number, ir.Constant(word, 63)))
            place = builder.add(place, builder.and_(row, ir.Constant(word, 1)))
        return place

    return pick


@instruction(_append_listed)
def append_listed(
    items: np.ndarray, first: int, stop: int, step: int, whole: int, table: np.ndarray, found: np.ndarray
) -> int:
    """Write those of ``items[a] ^ items[whole - a]`` that a table has; return how many.

    a is 64 numbers from the first on, from ``step`` further on, and so on, while all are below ``stop``. The items are
    below 65536; the table's 1024 bits, 16 words, are for the last ten bits of a number. ``found`` (uint16) has room for
    64 more.
    """
    words, count = np.asarray(table), 0
    for a in range(first, stop - 63, step):
        changed = _changed(items, a, whole - a).astype(np.uint64)
        rows = words[changed >> np.uint64(6) & np.uint64(15)] >> (changed & np.uint64(63))
        listed = changed[rows & np.uint64(1) == 1]
        np.asarray(found)[count : count + len(listed)] = listed
        count += len(listed)
    return count
