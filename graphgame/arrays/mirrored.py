"""Parts of loops that xor 64 items with 64 others that run backwards, as the two parts of splits do."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from graphgame.arrays.compiling import instruction, view_of
from graphgame.arrays.machinecode import processor

__all__ = ["append_listed", "mirrored_xor", "picks_at_once"]

_LANES = 32


def picks_at_once() -> bool:
    """Tell whether this processor picks items out of many by a table: then :func:`append_listed` is fast."""
    return b"avx512_vbmi2" in processor().split()


def _mirrored(items: Any, first: Any, last: Any) -> Callable[..., Any]:  # noqa: ANN401
    """Return what writes 64 items from the first on, each xor one of those from the last back."""
    from llvmlite import ir
    from numba.core import types

    width = items.dtype.bitwidth
    many = ir.VectorType(ir.IntType(width), 64).as_pointer()
    backwards = ir.Constant(ir.VectorType(ir.IntType(32), 64), list(range(63, -1, -1)))

    def load(builder: Any, data: Any, at: Any) -> Any:  # noqa: ANN401
        return builder.load(builder.bitcast(builder.gep(data, [at]), many), align=width // 8)

    def generate(context: Any, builder: Any, arguments: Any) -> Any:  # noqa: ANN401
        data = view_of(context, builder, items, arguments[0]).data
        at, end = (context.cast(builder, arguments[k], kind, types.intp) for k, kind in ((1, first), (2, last)))
        others = load(builder, data, builder.sub(end, ir.Constant(end.type, 63)))
        return builder.xor(load(builder, data, at), builder.shuffle_vector(others, others, backwards))

    return generate


def _of_width(builder: Any, items: Any, width: int) -> Any:  # noqa: ANN401
    """Return items as numbers of another width, which holds them."""
    from llvmlite import ir

    wanted, known = ir.VectorType(ir.IntType(width), items.type.count), items.type.element.width
    return builder.zext(items, wanted) if width > known else builder.trunc(items, wanted) if width < known else items


def _mirrored_xor(_: object, items: Any, first: Any, last: Any, found: Any, place: Any) -> Any:  # noqa: ANN401
    from numba.core import types

    mirrored, width = _mirrored(items, first, last), found.dtype.bitwidth

    def generate(context: Any, builder: Any, _: object, arguments: Any) -> object:  # noqa: ANN401
        changed = _of_width(builder, mirrored(context, builder, arguments), width)
        at = context.cast(builder, arguments[4], place, types.intp)
        to = builder.gep(view_of(context, builder, found, arguments[3]).data, [at])
        builder.store(changed, builder.bitcast(to, changed.type.as_pointer()), align=width // 8)
        return context.get_dummy_value()

    return types.void(items, first, last, found, place), generate


@instruction(_mirrored_xor)
def mirrored_xor(items: np.ndarray, first: Any, last: Any, found: np.ndarray, place: int) -> None:  # noqa: ANN401
    """Write 64 items from the first on, each xor one of those from the last back, to places of ``found`` in a row."""
    np.asarray(found)[place : place + 64] = _changed(items, first, last)


def _changed(items: Any, first: int, last: int) -> Any:  # noqa: ANN401
    array = np.asarray(items)
    return array[first : first + 64] ^ array[last - 63 : last + 1][::-1]


def _append_listed(_: object, items: Any, first: Any, last: Any, table: Any, found: Any, count: Any) -> Any:  # noqa: ANN401
    from llvmlite import ir
    from numba.core import types

    mirrored, pick = _mirrored(items, first, last), _pick_at_once if picks_at_once() else _pick_one_by_one

    def generate(context: Any, builder: Any, _: object, arguments: Any) -> object:  # noqa: ANN401
        changed = _of_width(builder, mirrored(context, builder, arguments), 16)
        bits, to = (view_of(context, builder, array, arguments[k]).data for k, array in ((3, table), (4, found)))
        to = builder.bitcast(to, ir.IntType(16).as_pointer())
        return pick(builder, changed, bits, to, context.cast(builder, arguments[5], count, types.intp))

    return types.intp(items, first, last, table, found, count), generate


def _pick_at_once(builder: Any, changed: Any, bits: Any, to: Any, place: Any) -> Any:  # noqa: ANN401
    """Look up 32 items in two registers that hold the table, and write those chosen side by side."""
    from llvmlite import ir

    words, flags = (ir.VectorType(ir.IntType(width), _LANES) for width in (16, 1))

    def all_(number: int) -> Any:  # noqa: ANN401
        return ir.Constant(words, [number] * _LANES)

    def call(name: str, result: Any, *arguments: Any) -> Any:  # noqa: ANN401
        function = ir.FunctionType(result, [argument.type for argument in arguments])
        return builder.call(builder.module.declare_intrinsic(name, (), function), arguments)

    data = builder.bitcast(bits, words.as_pointer())
    low, high = (builder.load(builder.gep(data, [ir.Constant(place.type, k)]), align=8) for k in (0, 1))
    for start in (0, _LANES):
        lanes = ir.Constant(ir.VectorType(ir.IntType(32), _LANES), list(range(start, start + _LANES)))
        half = builder.shuffle_vector(changed, changed, lanes)
        row = call("llvm.x86.avx512.vpermi2var.hi.512", words, low, builder.lshr(half, all_(4)), high)
        chosen = builder.and_(builder.shl(all_(1), builder.and_(half, all_(15))), row)
        mask = builder.icmp_unsigned("!=", chosen, all_(0))
        packed = call("llvm.x86.avx512.mask.compress.v32i16", words, half, all_(0), mask)
        builder.store(packed, builder.bitcast(builder.gep(to, [place]), words.as_pointer()), align=2)
        more = builder.ctpop(builder.bitcast(mask, ir.IntType(_LANES)))
        place = builder.add(place, builder.zext(more, place.type))
    assert mask.type == flags
    return place


def _pick_one_by_one(builder: Any, changed: Any, bits: Any, to: Any, place: Any) -> Any:  # noqa: ANN401
    from llvmlite import ir

    word = ir.IntType(64)
    for lane in range(changed.type.count):
        item = builder.extract_element(changed, ir.Constant(ir.IntType(32), lane))
        builder.store(item, builder.gep(to, [place]))
        number = builder.zext(item, word)
        at = builder.and_(builder.lshr(number, ir.Constant(word, 6)), ir.Constant(word, 15))
        row = builder.lshr(builder.load(builder.gep(bits, [at])), builder.and_(number, ir.Constant(word, 63)))
        place = builder.add(place, builder.and_(row, ir.Constant(word, 1)))
    return place


@instruction(_append_listed)
def append_listed(items: np.ndarray, first: Any, last: Any, table: np.ndarray, found: np.ndarray, count: int) -> int:  # noqa: ANN401
    """Append to ``found`` those of 64 items, each xor one of those from the last back, that a table has.

    The items are below 65536; the table's 1024 bits, 16 words, are for the last ten bits of a number. ``found``
    (uint16) has ``count`` numbers, and room for 64 more; returns how many it has then.
    """
    changed, words = _changed(items, first, last).astype(np.uint64), np.asarray(table)
    rows = words[changed >> np.uint64(6) & np.uint64(15)] >> (changed & np.uint64(63))
    listed = changed[rows & np.uint64(1) == 1]
    np.asarray(found)[count : count + len(listed)] = listed
    return int(count) + len(listed)
