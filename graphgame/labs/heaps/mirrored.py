"""Parts of loops that xor 64 items with 64 others that run backwards, as the two parts of splits do."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from graphgame.compiled.compiling import instruction, view_of
from graphgame.compiled.loop_cache import host_features

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
