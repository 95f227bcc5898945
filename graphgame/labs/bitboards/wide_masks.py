"""Masks of up to 63, 128 or 256 bits in compiled loops. Arrays store a mask as a row of 64-bit words.

This module adds unsigned numbers of 128 and 256 bits to numba, which mix with ordinary integers. In loops the operators
``& | ^ ~ - << >> == != <`` work on masks as on integers. In plain Python masks are Python's integers; in compiled code
they are as wide as the masks in the loop's arrays. An array of n masks has the shape (n,) if a mask is one word, (n, 2)
if it is two words, and (n, 2, 2) if it is four. So numba knows the width from the types of the arguments.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable
from functools import cache
from typing import Any, TypeAlias

import numpy as np

from graphgame.compiled.compiling import Array
from graphgame.compiled.instructions import instruction

_OPERATIONS = {
    operator.and_: "and_",
    operator.iand: "and_",
    operator.or_: "or_",
    operator.ior: "or_",
    operator.xor: "xor",
    operator.ixor: "xor",
    operator.sub: "sub",
    operator.lshift: "shl",
    operator.rshift: "lshr",
    operator.irshift: "lshr",
    operator.invert: "not_",
    operator.neg: "neg",
}
"""Operator of Python -> its name in LLVM. (LLVM's comparisons have the same names as Python's.)"""

_COMPARISONS = {operator.eq: "==", operator.ne: "!=", operator.lt: "<"}
_UNARY = (operator.invert, operator.neg)
"""The operators with one operand."""


Untyped: TypeAlias = Any
"""A type or a value of numba or LLVM, which have no type hints."""


def number_of(words: int) -> Untyped:
    """Return numba's type for a mask of this number of words (1, 2 or 4)."""
    from numba.core import types

    return types.int64 if words == 1 else teach_wide_numbers()(words)


@cache
def teach_wide_numbers() -> Untyped:
    """Register the wide numbers with numba; return the class of their types. ``Wide(2)`` is the type for two words."""
    from llvmlite import ir
    from numba import extending as untyped
    from numba.core import types
    from numba.core.registry import cpu_target
    from numba.core.typeconv import castgraph

    extending: Any = untyped

    class Wide(types.Type):
        def __init__(self, words: int) -> None:
            super().__init__(name=f"wide{words}")
            self.words = words

        def can_convert_from(self, _: object, other: object) -> Untyped:
            return castgraph.Conversion.safe if isinstance(other, types.Integer) else None

        def unify(self, _: object, other: object) -> Untyped:
            return self if isinstance(other, types.Integer) else None

    def model(manager: Untyped, kind: Untyped) -> Untyped:
        return extending.models.PrimitiveModel(manager, kind, ir.IntType(64 * kind.words))

    def widened(_: object, builder: Untyped, before: Untyped, after: Untyped, value: Untyped) -> Untyped:
        return (builder.sext if before.signed else builder.zext)(value, ir.IntType(64 * after.words))

    extending.register_model(Wide)(model)
    extending.lower_cast(types.Integer, Wide)(widened)
    for operation, name in _OPERATIONS.items():
        _teach(Wide, operation, lambda builder, numbers, name=name: getattr(builder, name)(*numbers))
    for operation, name in _COMPARISONS.items():
        _teach(
            Wide, operation, lambda builder, numbers, name=name: builder.icmp_unsigned(name, *numbers), types.boolean
        )
    # numba looks for new operations only before it compiles a function, but this function may run during a compilation.
    cpu_target.target_context.refresh()
    return Wide


def _teach(wide: Untyped, operation: Untyped, write: Callable[..., Untyped], result: Untyped = None) -> None:
    """Register an operation on wide numbers with numba: its typing rule and its LLVM instruction.

    ``wide`` is the class of the types of wide numbers. ``write`` gets an LLVM builder and the operands, and writes the
    instruction. If one operand is wide, the other is widened. The result has the type ``result`` or, by default, the
    type of the wide operand.
    """
    from numba import extending as untyped_extending
    from numba.core.typing import templates as untyped_templates

    extending: Any = untyped_extending
    templates: Any = untyped_templates

    class Typed(templates.AbstractTemplate):  # type: ignore[misc]
        def generic(self, kinds: tuple[Untyped, ...], _: object) -> Untyped:
            kind = next((kind for kind in kinds if isinstance(kind, wide)), None)
            return kind and templates.signature(result or kind, *[kind] * len(kinds))

    def lower(_: object, builder: Untyped, __: object, numbers: Untyped) -> Untyped:
        return write(builder, numbers)

    # Register both the typing rule and the instruction, as numba looks them up separately by the Python operator. The
    # rule asks for wide operands. So numba widens an ordinary integer, by the cast that teach_wide_numbers defines.
    templates.infer_global(operation)(Typed)
    extending.lower_builtin(operation, *[wide] * (1 if operation in _UNARY else 2))(lower)


WIDEST = 256
"""The number of bits of the widest masks."""

_WORD = (1 << 64) - 1
# Odd constants that mix bits well: 2^64 divided by the golden ratio, and multipliers of splitmix64 and other hashes.
_FACTORS = (0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB, 0xD6E8FEB86659FD93, 0xA0761D6478BD642F)


def words_for(cells: int) -> int:
    """Return the number of words (1, 2 or 4) of a mask with this number of cells, at most 256.

    A mask of one word has only 63 usable bits, because numba's integers have a sign.
    """
    return 1 if cells < 64 else 2 if cells <= 128 else 4


def empty_masks(count: int, words: int) -> Array:
    """Return an array of ``count`` empty masks of ``words`` words each: 1, 2 or 4."""
    return np.zeros((count, *[2] * (words.bit_length() - 1)), np.int64)


def masks_of(masks: Iterable[int], words: int) -> Array:
    """Return an array with a row for each mask; ``words`` is the number of words in a mask: 1, 2 or 4.

    Examples
    --------
    >>> masks_of([5, 1 << 70], 2).tolist()
    [[5, 0], [0, 64]]
    """
    listed = [*masks]
    array = empty_masks(len(listed), words)
    data = b"".join(mask.to_bytes(8 * words, "little") for mask in listed)
    array.reshape(-1)[:] = np.frombuffer(data, "<i8")
    return array


def numbers_of(rows: Array, words: int) -> list[int]:
    """Return the masks in the first ``words`` words of each row of an array, as Python integers.

    Examples
    --------
    >>> numbers_of(masks_of([5, 1 << 70], 2), 2)
    [5, 1180591620717411303424]
    """
    columns = [column.tolist() for column in rows.reshape(len(rows), rows.size // max(len(rows), 1)).T[:words]]
    return [sum((word & _WORD) << 64 * index for index, word in enumerate(row)) for row in zip(*columns, strict=True)]


def _words(array: Untyped) -> int:
    """Return the number of words of a mask in an array of masks, from its number of dimensions."""
    return 1 << int(array.ndim) - 1


def _address(
    context: Untyped, builder: Untyped, array: Untyped, arguments: Untyped, row: Untyped, like: Untyped
) -> Untyped:
    """Return an LLVM pointer to the mask in a row of an array.

    ``array``, ``row`` and ``like`` are numba types. ``arguments`` has the LLVM values of the array and the row. The
    mask is as wide as the masks in an array of the type ``like``.
    """
    from llvmlite import ir
    from numba.core import cgutils as untyped
    from numba.core import types

    cgutils: Any = untyped
    view = context.make_array(array)(context, builder, arguments[0])
    size = 8 * _words(like)
    stride = builder.extract_value(view.strides, 0)
    # With a constant stride, LLVM folds the multiplication into the address of the load.
    if array.ndim == 1 and array.layout == "C":
        stride = ir.Constant(stride.type, size)
    offset = builder.mul(stride, context.cast(builder, arguments[1], row, types.intp))
    return builder.bitcast(cgutils.pointer_add(builder, view.data, offset), ir.IntType(8 * size).as_pointer())


def _mask_at(_: object, array: Untyped, row: Untyped, like: Untyped) -> tuple[object, Callable[..., object]]:
    words = _words(like)

    def generate(context: Untyped, builder: Untyped, _: object, arguments: Untyped) -> object:
        return builder.load(_address(context, builder, array, arguments, row, like), align=8)

    return number_of(words)(array, row, like), generate


@instruction(_mask_at)
def mask_at(array: Untyped, row: int, like: Untyped) -> int:
    """Return the mask in the first words of a row of ``array``; the row may have more words than the mask.

    The mask has as many words as a mask in the array ``like``.
    """
    if array.ndim == 1:
        return int(array[row])
    flat = _flat(array)
    start = row * (len(flat) // len(array))
    words: list[int] = [flat[start + index] & _WORD for index in range(_words(like))]
    return sum(word << 64 * index for index, word in enumerate(words))


def _set_mask(
    _: object, array: Untyped, row: Untyped, mask: Untyped, like: Untyped
) -> tuple[object, Callable[..., object]]:
    from numba.core import types

    words = _words(like)

    def generate(context: Untyped, builder: Untyped, _: object, arguments: Untyped) -> object:
        builder.store(arguments[2], _address(context, builder, array, arguments, row, like), align=8)
        return context.get_dummy_value()

    return types.void(array, row, number_of(words), like), generate


@instruction(_set_mask)
def set_mask(array: Untyped, row: int, mask: int, like: Untyped) -> None:
    """Write a mask to the start of a row of ``array``. The row may have more words than the mask.

    The mask has as many words as a mask in the array ``like``.
    """
    if array.ndim == 1:
        array[row] = mask
        return
    flat = _flat(array)
    start = row * (len(flat) // len(array))
    for index in range(_words(like)):
        # Words in arrays are signed: a word of 2^63 or more is stored as itself minus 2^64.
        word = mask >> 64 * index & _WORD
        flat[start + index] = word - (word >> 63 << 64)


def _flat(array: Untyped) -> Untyped:
    return array.cast("B").cast("q")


def _number_from(mask: Untyped, write: Callable[[Untyped, Untyped], Untyped]) -> tuple[object, Callable[..., object]]:
    """Return the signature and the code generator of a numba intrinsic that maps a mask to a 64-bit integer.

    ``mask`` is the numba type of the mask. ``write(builder, mask)`` emits the LLVM instructions that compute the
    integer.
    """
    from numba.core import types

    def generate(_: object, builder: Untyped, __: object, arguments: Untyped) -> object:
        return _cut_to_word(builder, write(builder, arguments[0]))

    return types.int64(mask), generate


def _cut_to_word(builder: Untyped, number: Untyped) -> Untyped:
    from llvmlite import ir

    return builder.trunc(number, ir.IntType(64)) if number.type.width > 64 else number


def _scattered(builder: Untyped, mask: Untyped) -> Untyped:
    # The same computation as ``scattered`` below, as LLVM instructions. Word k is multiplied by factors k and k + 1.
    # With the same factors for all words, two equal words would cancel in the xor.
    word_type = _cut_to_word(builder, mask).type
    result = word_type(0)
    for index in range(mask.type.width // 64):
        word = _cut_to_word(builder, builder.lshr(mask, mask.type(64 * index)))
        for factor in _FACTORS[index : index + 2]:
            word = builder.mul(word, word_type(factor))
            word = builder.xor(word, builder.lshr(word, word_type(32)))
        result = builder.xor(result, word)
    return builder.and_(result, word_type(_WORD >> 1))


@instruction(lambda _, mask: _number_from(mask, _scattered))
def scattered(mask: int) -> int:
    """Return a hash of a mask, a number below 2^63 in which the mask's bits are well mixed."""
    result = index = 0
    while mask:
        word = mask & _WORD
        for factor in _FACTORS[index : index + 2]:
            word = word * factor & _WORD
            word ^= word >> 32
        result ^= word
        mask >>= 64
        index += 1
    return result & _WORD >> 1


# The second argument of LLVM's counts of zeros promises that the mask is not 0, so the code need not test for 0.
@instruction(lambda _, mask: _number_from(mask, lambda builder, bits: builder.cttz(bits, _yes())))
def lowest(mask: int) -> int:
    """Return the index of the lowest bit that is set. The mask must not be 0."""
    return (mask & -mask).bit_length() - 1


def _highest(builder: Untyped, mask: Untyped) -> Untyped:
    return builder.sub(mask.type(mask.type.width - 1), builder.ctlz(mask, _yes()))


@instruction(lambda _, mask: _number_from(mask, _highest))
def highest(mask: int) -> int:
    """Return the index of the highest bit that is set. The mask must not be 0."""
    return mask.bit_length() - 1


@instruction(lambda _, mask: _number_from(mask, lambda builder, bits: builder.and_(bits, bits.type(255))))
def low_byte(mask: int) -> int:
    """Return the lowest 8 bits of a mask."""
    return mask & 255


def _yes() -> Untyped:
    from llvmlite import ir

    return ir.IntType(1)(1)
