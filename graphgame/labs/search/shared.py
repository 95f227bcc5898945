"""Numbers that several threads read and write while none waits for another: a loop sees all of what one wrote before.

Each is a number of an array of 64-bit numbers. Uncompiled they are ordinary reading and writing, for one thread.
"""

from __future__ import annotations

from collections.abc import Callable

from graphgame.compiled.compiling import Array, instruction, view_of
from graphgame.labs.bitboards.wide import Untyped

_SIZE = 8


def _place(context: Untyped, builder: Untyped, array: Untyped, arguments: Untyped, index: Untyped) -> Untyped:
    """Return where a number of an array without gaps lies."""
    from llvmlite import ir
    from numba.core import types

    view = view_of(context, builder, array, arguments[0])
    place = builder.gep(view.data, [context.cast(builder, arguments[1], index, types.intp)])
    return builder.bitcast(place, ir.IntType(64).as_pointer())


def _read_shared(_: object, array: Untyped, index: Untyped) -> tuple[object, Callable[..., object]]:
    from numba.core import types

    def generate(context: Untyped, builder: Untyped, _: object, arguments: Untyped) -> object:
        return builder.load_atomic(_place(context, builder, array, arguments, index), "acquire", _SIZE)

    return types.int64(array, index), generate


@instruction(_read_shared)
def read_shared(array: Array, index: int) -> int:
    """Read a number, before all that is read after it."""
    return int(array[index])


def _read_again(_: object, array: Untyped, index: Untyped) -> tuple[object, Callable[..., object]]:
    from numba.core import types

    def generate(context: Untyped, builder: Untyped, _: object, arguments: Untyped) -> object:
        builder.fence("acquire")
        return builder.load_atomic(_place(context, builder, array, arguments, index), "monotonic", _SIZE)

    return types.int64(array, index), generate


@instruction(_read_again)
def read_again(array: Array, index: int) -> int:
    """Read a number, after all that was read before it."""
    return int(array[index])


def _write_shared(_: object, array: Untyped, index: Untyped, number: Untyped) -> tuple[object, Callable[..., object]]:
    from numba.core import types

    def generate(context: Untyped, builder: Untyped, _: object, arguments: Untyped) -> object:
        value = context.cast(builder, arguments[2], number, types.int64)
        builder.store_atomic(value, _place(context, builder, array, arguments, index), "release", _SIZE)
        return context.get_dummy_value()

    return types.void(array, index, number), generate


@instruction(_write_shared)
def write_shared(array: Array, index: int, number: int) -> None:
    """Write a number, after all that was written before it."""
    array[index] = number


def _swap_shared(
    _: object, array: Untyped, index: Untyped, old: Untyped, new: Untyped
) -> tuple[object, Callable[..., object]]:
    from numba.core import types

    def generate(context: Untyped, builder: Untyped, _: object, arguments: Untyped) -> object:
        before, after = (
            context.cast(builder, value, kind, types.int64)
            for value, kind in zip(arguments[2:], (old, new), strict=True)
        )
        place = _place(context, builder, array, arguments, index)
        done = builder.extract_value(builder.cmpxchg(place, before, after, "acq_rel", "acquire"), 1)
        builder.fence("release")
        return done

    return types.boolean(array, index, old, new), generate


@instruction(_swap_shared)
def swap_shared(array: Array, index: int, old: int, new: int) -> bool:
    """Put a number in place of another if it is still that, before all that is written after; tell whether it was."""
    if array[index] != old:
        return False
    array[index] = new
    return True
