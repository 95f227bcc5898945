"""Numbers of 128 and 256 bits for numba: sets of bits without a sign, which mix with ordinary numbers."""

from __future__ import annotations

import operator
from collections.abc import Callable
from functools import cache, partial
from typing import Any

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
"""What LLVM calls the operations; Python's names are those of the comparisons."""

_COMPARISONS = {operator.eq: "==", operator.ne: "!=", operator.lt: "<"}
_OF_ONE = (operator.invert, operator.neg)


def number_of(words: int) -> Any:  # noqa: ANN401
    """Return numba's type of a mask of so many words."""
    from numba.core import types

    return types.int64 if words == 1 else teach_wide_numbers()(words)


@cache
def teach_wide_numbers() -> Any:  # noqa: ANN401
    """Teach numba the type of wide numbers; to be called before it compiles a loop with them."""
    from llvmlite import ir
    from numba import extending as untyped
    from numba.core import types
    from numba.core.typeconv import castgraph

    extending: Any = untyped

    class Wide(types.Type):
        def __init__(self, words: int) -> None:
            super().__init__(name=f"wide{words}")
            self.words = words

        def can_convert_from(self, _: object, other: object) -> Any:  # noqa: ANN401
            return castgraph.Conversion.safe if isinstance(other, types.Integer) else None

        def unify(self, _: object, other: object) -> Any:  # noqa: ANN401
            return self if isinstance(other, types.Integer) else None

    def model(manager: Any, kind: Any) -> Any:  # noqa: ANN401
        return extending.models.PrimitiveModel(manager, kind, ir.IntType(64 * kind.words))

    def widened(_: object, builder: Any, before: Any, after: Any, value: Any) -> Any:  # noqa: ANN401
        return (builder.sext if before.signed else builder.zext)(value, ir.IntType(64 * after.words))

    extending.register_model(Wide)(model)
    extending.lower_cast(types.Integer, Wide)(widened)
    for operation, name in _OPERATIONS.items():
        _teach(Wide, operation, partial(_compute, name))
    for operation, name in _COMPARISONS.items():
        _teach(
            Wide, operation, lambda builder, numbers, name=name: builder.icmp_unsigned(name, *numbers), types.boolean
        )
    return Wide


def _compute(name: str, builder: Any, numbers: Any) -> Any:  # noqa: ANN401
    return getattr(builder, name)(*numbers)


def _compare(name: str, builder: Any, numbers: Any) -> Any:  # noqa: ANN401
    return builder.icmp_unsigned(name, *numbers)


def _teach(wide: Any, operation: Any, write: Callable[..., Any], result: Any = None) -> None:  # noqa: ANN401
    """Give an operation on wide numbers its type, as which the other numbers count too, and its instruction."""
    from numba import extending as untyped_extending
    from numba.core.typing import templates as untyped_templates

    extending: Any = untyped_extending
    templates: Any = untyped_templates

    class Typed(templates.AbstractTemplate):  # type: ignore[misc]
        def generic(self, kinds: tuple[Any, ...], _: object) -> Any:  # noqa: ANN401
            found = next((kind for kind in kinds if isinstance(kind, wide)), None)
            return found and templates.signature(result or found, *[found] * len(kinds))

    def lower(_: object, builder: Any, __: object, numbers: Any) -> Any:  # noqa: ANN401
        return write(builder, numbers)

    templates.infer_global(operation)(Typed)
    extending.lower_builtin(operation, *[wide] * (1 if operation in _OF_ONE else 2))(lower)
