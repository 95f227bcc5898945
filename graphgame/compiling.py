"""How loops are compiled; importing this module loads numba."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np
from llvmlite import ir
from numba import njit, types
from numba.core import cgutils
from numba.extending import intrinsic

__all__ = ["compiled", "inlined", "prefetch", "trailing_zeros", "word_at"]

Loop = TypeVar("Loop", bound=Callable[..., object])

_cgutils: Any = cgutils

_BYTES = ir.IntType(8).as_pointer()
_WORD = ir.IntType(32)
_FOR_WRITING, _INTO_EVERY_CACHE, _DATA = _WORD(1), _WORD(3), _WORD(1)


def _load_without_blas() -> None:
    """Load what numba loads at its first call, but not SciPy's BLAS, which takes as long and which no loop here uses.

    Numba falls back on a loop of its own where a user's function would need that BLAS before it imports SciPy. Nothing
    is held back where SciPy is loaded, or where another thread might load it meanwhile.
    """
    if "scipy.linalg" in sys.modules or threading.active_count() > 1:
        return
    sys.modules["scipy.linalg"] = None  # type: ignore[assignment]
    try:
        import numba.np.arraymath  # noqa: F401
    finally:
        del sys.modules["scipy.linalg"]


_load_without_blas()


def compiled(loop: Loop) -> Loop:
    """Compile a loop that holds no lock; keep the machine code on disk where a folder can be written."""
    try:
        return njit(cache=True, nogil=True)(loop)  # type: ignore[return-value]
    except RuntimeError:
        return njit(nogil=True)(loop)  # type: ignore[return-value]


def inlined(part: Loop) -> Loop:
    """Compile a part of loops into each of them, without a call."""
    return njit(forceinline=True, nogil=True)(part)  # type: ignore[return-value]


def _prefetch(_: object, array: Any, row: Any) -> tuple[object, Callable[..., object]]:  # noqa: ANN401
    def generate(context: Any, builder: Any, _: object, arguments: Any) -> object:  # noqa: ANN401
        view = context.make_array(array)(context, builder, arguments[0])
        index = [context.cast(builder, arguments[1], row, types.intp)]
        index += [ir.Constant(index[0].type, 0)] * (array.ndim - 1)
        shape, strides = (_cgutils.unpack_tuple(builder, sizes) for sizes in (view.shape, view.strides))
        place = _cgutils.get_item_pointer2(context, builder, view.data, shape, strides, array.layout, index)
        ask = ir.FunctionType(ir.VoidType(), [_BYTES, _WORD, _WORD, _WORD])
        builder.call(
            builder.module.declare_intrinsic("llvm.prefetch", [_BYTES], ask),
            [builder.bitcast(place, _BYTES), _FOR_WRITING, _INTO_EVERY_CACHE, _DATA],
        )
        return context.get_dummy_value()

    return types.void(array, row), generate


prefetch: Callable[[np.ndarray, object], None] = intrinsic(_prefetch)  # type: ignore[assignment]
"""Ask for the memory of ``array[row]`` in a compiled loop, a while before it is used; changes nothing."""


def _word_at(_: object, array: Any, index: Any) -> tuple[object, Callable[..., object]]:  # noqa: ANN401
    def generate(context: Any, builder: Any, _: object, arguments: Any) -> object:  # noqa: ANN401
        view = context.make_array(array)(context, builder, arguments[0])
        place = builder.gep(view.data, [context.cast(builder, arguments[1], index, types.intp)])
        return builder.load(builder.bitcast(place, ir.IntType(64).as_pointer()), align=1)

    return types.uint64(array, index), generate


def _trailing_zeros(_: object, word: Any) -> tuple[object, Callable[..., object]]:  # noqa: ANN401
    def generate(_: object, builder: Any, __: object, arguments: Any) -> object:  # noqa: ANN401
        return builder.cttz(arguments[0], ir.IntType(1)(0))

    return types.uint64(word), generate


word_at: Callable[[np.ndarray, object], np.uint64] = intrinsic(_word_at)  # type: ignore[assignment]
"""Read 8 bytes of an array of bytes as one number, from any index on."""

trailing_zeros: Callable[[np.uint64], np.uint64] = intrinsic(_trailing_zeros)  # type: ignore[assignment]
"""Count the zeros below the lowest bit that is set; 64 where none is."""
