"""Parts of compiled loops, and what they do in plain Python: single instructions, and sets of values in words."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from graphgame.compiled.compiling import Array, inlined, instruction, view_of

if TYPE_CHECKING:
    import numpy as np


def _prefetch(_: object, array: Any, row: Any) -> tuple[object, Callable[..., object]]:  # noqa: ANN401
    from llvmlite import ir
    from numba.core import cgutils as untyped
    from numba.core import types

    cgutils: Any = untyped
    byte, word = ir.IntType(8).as_pointer(), ir.IntType(32)
    for_writing, into_every_cache, data = word(1), word(3), word(1)

    def generate(context: Any, builder: Any, _: object, arguments: Any) -> object:  # noqa: ANN401
        view = view_of(context, builder, array, arguments[0])
        index = [context.cast(builder, arguments[1], row, types.intp)]
        index += [ir.Constant(index[0].type, 0)] * (array.ndim - 1)
        shape, strides = (cgutils.unpack_tuple(builder, sizes) for sizes in (view.shape, view.strides))
        place = cgutils.get_item_pointer2(context, builder, view.data, shape, strides, array.layout, index)
        ask = ir.FunctionType(ir.VoidType(), [byte, word, word, word])
        builder.call(
            builder.module.declare_intrinsic("llvm.prefetch", [byte], ask),
            [builder.bitcast(place, byte), for_writing, into_every_cache, data],
        )
        return context.get_dummy_value()

    return types.void(array, row), generate


@instruction(_prefetch)
def prefetch(array: np.ndarray, row: object) -> None:
    """Ask for the memory of ``array[row]``, a while before it is used; changes nothing."""


def _word_at(_: object, array: Any, index: Any) -> tuple[object, Callable[..., object]]:  # noqa: ANN401
    from llvmlite import ir
    from numba.core import types

    def generate(context: Any, builder: Any, _: object, arguments: Any) -> object:  # noqa: ANN401
        view = view_of(context, builder, array, arguments[0])
        place = builder.gep(view.data, [context.cast(builder, arguments[1], index, types.intp)])
        return builder.load(builder.bitcast(place, ir.IntType(64).as_pointer()), align=1)

    return types.int64(array, index), generate


@instruction(_word_at)
def word_at(array: np.ndarray, index: int) -> int:
    """Read 8 bytes of an array of bytes as one number, from any index on; its top bit is the sign."""
    return int.from_bytes(array[index : index + 8], "little", signed=True)


def _put_word(_: object, array: Any, index: Any, word: Any) -> tuple[object, Callable[..., object]]:  # noqa: ANN401
    from llvmlite import ir
    from numba.core import types

    def generate(context: Any, builder: Any, _: object, arguments: Any) -> object:  # noqa: ANN401
        view = view_of(context, builder, array, arguments[0])
        place = builder.gep(view.data, [context.cast(builder, arguments[1], index, types.intp)])
        bits = context.cast(builder, arguments[2], word, types.int64)
        builder.store(bits, builder.bitcast(place, ir.IntType(64).as_pointer()), align=1)
        return context.get_dummy_value()

    return types.void(array, index, word), generate


@instruction(_put_word)
def put_word(array: np.ndarray, index: int, word: int) -> None:
    """Write the 8 bytes of a number into an array of bytes, from any index on: what :func:`word_at` reads."""
    for k, byte in enumerate(word.to_bytes(8, "little", signed=True)):
        array[index + k] = byte


def _trailing_zeros(_: object, word: Any) -> tuple[object, Callable[..., object]]:  # noqa: ANN401
    from llvmlite import ir
    from numba.core import types

    def generate(_: object, builder: Any, __: object, arguments: Any) -> object:  # noqa: ANN401
        return builder.cttz(arguments[0], ir.IntType(1)(0))

    return types.uint64(word), generate


@instruction(_trailing_zeros)
def trailing_zeros(word: np.uint64 | int) -> np.uint64:
    """Count the zeros below the lowest bit that is set; 64 where none is."""
    import numpy as np

    return np.uint64((int(word) & -int(word)).bit_length() - 1 if word else 64)


def _ones(_: object, word: Any) -> tuple[object, Callable[..., object]]:  # noqa: ANN401
    from llvmlite import ir
    from numba.core import types

    def generate(_: object, builder: Any, __: object, arguments: Any) -> object:  # noqa: ANN401
        count = builder.ctpop(arguments[0])
        return builder.trunc(count, ir.IntType(64)) if count.type.width > 64 else count

    return types.int64(types.int64 if isinstance(word, types.Integer) else word), generate


@instruction(_ones)
def ones(word: int) -> int:
    """Count the bits that are set."""
    return word.bit_count()


def _unsigned(_: object, number: Any) -> tuple[object, Callable[..., object]]:  # noqa: ANN401
    from numba.core import types

    def generate(context: Any, builder: Any, _: object, arguments: Any) -> object:  # noqa: ANN401
        return context.cast(builder, arguments[0], number, types.uint64)

    return types.uint64(number), generate


@instruction(_unsigned)
def unsigned(number: int) -> int:
    """Return an index; compiled it is one of the processor's unsigned numbers, which needs no test for below zero."""
    return number


VALUE_BITS = 62
"""Values in a word of a set; a loop looks for the mex by whole words."""

ALL_SEEN = (1 << VALUE_BITS) - 1


@inlined
def see_value(value: int, line: int, seen: Array, extents: Array) -> None:
    """Add a value to a set. Words before ``extents[0]`` are full, and words from ``extents[1]`` on are empty."""
    word = value // VALUE_BITS
    seen[line, word] |= 1 << (value % VALUE_BITS)
    extents[1, line] = max(extents[1, line], word + 1)
    while seen[line, extents[0, line]] == ALL_SEEN:
        extents[0, line] += 1
