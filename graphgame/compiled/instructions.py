"""Functions for which compiled loops have special LLVM code, and :func:`instruction`, their decorator.

Each has a plain Python form that returns the same result, except :func:`ones` and :func:`unsigned` of negative numbers.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from graphgame.compiled.compiling import Loop

if TYPE_CHECKING:
    import numpy as np


def instruction(generate: Callable[..., object]) -> Callable[[Loop], Loop]:
    """Decorate a function that compiled loops use: compiled code has the LLVM instructions that ``generate`` makes.

    numba makes an intrinsic of ``generate``. In plain Python the decorated function itself runs.
    """

    def mark(part: Loop) -> Loop:
        vars(part)["generate"] = generate
        return part

    return mark


def view_of(context: Any, builder: Any, array: Any, value: Any) -> Any:  # noqa: ANN401
    """Return numba's struct for an array (data, shape, strides); ``array`` is its type, ``value`` its LLVM value."""
    return context.make_array(array)(context, builder, value)


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
        address = cgutils.get_item_pointer2(context, builder, view.data, shape, strides, array.layout, index)
        signature = ir.FunctionType(ir.VoidType(), [byte, word, word, word])
        builder.call(
            builder.module.declare_intrinsic("llvm.prefetch", [byte], signature),
            [builder.bitcast(address, byte), for_writing, into_every_cache, data],
        )
        return context.get_dummy_value()

    return types.void(array, row), generate


@instruction(_prefetch)
def prefetch(array: np.ndarray, row: object) -> None:
    """Fetch ``array[row]`` into the processor's cache before the loop needs it; this changes no result."""


def _word_at(_: object, array: Any, index: Any) -> tuple[object, Callable[..., object]]:  # noqa: ANN401
    from llvmlite import ir
    from numba.core import types

    def generate(context: Any, builder: Any, _: object, arguments: Any) -> object:  # noqa: ANN401
        view = view_of(context, builder, array, arguments[0])
        address = builder.gep(view.data, [context.cast(builder, arguments[1], index, types.intp)])
        return builder.load(builder.bitcast(address, ir.IntType(64).as_pointer()), align=1)

    return types.int64(array, index), generate


@instruction(_word_at)
def word_at(array: np.ndarray, index: int) -> int:
    """Read the 8 bytes from ``index`` on of an array of bytes as one signed number, little-endian."""
    return int.from_bytes(array[index : index + 8], "little", signed=True)


def _put_word(_: object, array: Any, index: Any, word: Any) -> tuple[object, Callable[..., object]]:  # noqa: ANN401
    from llvmlite import ir
    from numba.core import types

    def generate(context: Any, builder: Any, _: object, arguments: Any) -> object:  # noqa: ANN401
        view = view_of(context, builder, array, arguments[0])
        address = builder.gep(view.data, [context.cast(builder, arguments[1], index, types.intp)])
        bits = context.cast(builder, arguments[2], word, types.int64)
        builder.store(bits, builder.bitcast(address, ir.IntType(64).as_pointer()), align=1)
        return context.get_dummy_value()

    return types.void(array, index, word), generate


@instruction(_put_word)
def put_word(array: np.ndarray, index: int, word: int) -> None:
    """Write a signed number as 8 bytes, little-endian, into an array of bytes from ``index`` on."""
    for k, byte in enumerate(word.to_bytes(8, "little", signed=True)):
        array[index + k] = byte


def _ones(_: object, word: Any) -> tuple[object, Callable[..., object]]:  # noqa: ANN401
    from llvmlite import ir
    from numba.core import types

    def generate(_: object, builder: Any, __: object, arguments: Any) -> object:  # noqa: ANN401
        count = builder.ctpop(arguments[0])
        return builder.trunc(count, ir.IntType(64)) if count.type.width > 64 else count

    return types.int64(types.int64 if isinstance(word, types.Integer) else word), generate


@instruction(_ones)
def ones(word: int) -> int:
    """Return the number of set bits. Of a negative word, plain Python counts those of its absolute value instead."""
    return word.bit_count()


def _unsigned(_: object, number: Any) -> tuple[object, Callable[..., object]]:  # noqa: ANN401
    from numba.core import types

    def generate(context: Any, builder: Any, _: object, arguments: Any) -> object:  # noqa: ANN401
        return context.cast(builder, arguments[0], number, types.uint64)

    return types.uint64(number), generate


@instruction(_unsigned)
def unsigned(number: int) -> int:
    """Return the number; in compiled code as an unsigned number, so that an index needs no test for negatives."""
    return number
