"""How loops are compiled: by numba, which is loaded only where the machine code of a loop is not kept yet."""

from __future__ import annotations

import hashlib
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from functools import cache, cached_property
from importlib.util import find_spec
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any, TypeVar, cast

import numpy as np

from graphgame.arrays.machinecode import Kind, MachineCode, Store, kind_of, link, target_machine

__all__ = ["compiled", "inlined", "prefetch", "trailing_zeros", "word_at"]

Loop = TypeVar("Loop", bound=Callable[..., object])

_OPTIONS = {"nogil": True, "_nrt": False, "error_model": "numpy"}
"""No lock is held; nothing is allocated; nothing is raised, and a division by zero gives what the processor says."""

_one_at_a_time = threading.RLock()


def compiled(loop: Loop) -> Loop:
    """Compile a loop for the types of its arguments, at its first call with them; its machine code is kept on disk.

    The loop takes arrays, numbers and None, fills the arrays and returns nothing or numbers. The call holds no lock.
    """
    return cast("Loop", _Compiled(cast("FunctionType", loop)))


def inlined(part: Loop) -> Loop:
    """Compile a part of loops into each of them, without a call."""
    return cast("Loop", _Part(cast("FunctionType", part)))


class _Part:
    """A function that loops call; numba takes it for one of its own by ``_numba_type_``."""

    def __init__(self, function: FunctionType) -> None:
        self.function = function

    @cached_property
    def _form(self) -> Any:  # noqa: ANN401
        return _numba().njit(forceinline=True, **_OPTIONS)(self.function)

    @property
    def _numba_type_(self) -> Any:  # noqa: ANN401
        return _numba().typeof(self._form)


class _Instruction(_Part):
    """One of the processor's instructions, written by LLVM's builder."""

    @cached_property
    def _form(self) -> Any:  # noqa: ANN401
        return _numba().extending.intrinsic(self.function)

    @property
    def _numba_type_(self) -> Any:  # noqa: ANN401
        from numba.core.registry import cpu_target

        form = self._form
        cpu_target.typing_context.refresh()
        return cpu_target.typing_context.resolve_value_type(form)


class _Compiled(_Part):
    """A loop, with its machine code for each types of arguments that it was called with."""

    def __init__(self, function: FunctionType) -> None:
        super().__init__(function)
        self._calls: dict[tuple[Kind, ...], Callable[[Sequence[Any]], Any]] = {}

    def __call__(self, *arguments: Any) -> Any:  # noqa: ANN401
        kinds = tuple(map(kind_of, arguments))
        call = self._calls.get(kinds)
        if call is None:
            with _one_at_a_time:
                call = self._calls[kinds] = self._calls.get(kinds) or link(self._code(kinds), kinds)
        return call(arguments)

    def _code(self, kinds: Sequence[Kind]) -> MachineCode:
        store = Store(self.function.__code__.co_filename, self.function.__qualname__)
        code = store.load(kinds, self._stamp)
        if code is None:
            code = _compile(self.function, kinds)
            store.keep(kinds, self._stamp, code)
        return code

    @cached_property
    def _stamp(self) -> str:
        """What the machine code is made from: the byte code of the loop and its parts, and the compiler."""
        digest = hashlib.sha256(repr(_compiler()).encode())
        for item in _content(self.function):
            digest.update(item)
        return digest.hexdigest()


def _content(function: FunctionType) -> Iterator[bytes]:
    yield from _code_content(function.__code__)
    for name in function.__code__.co_names:
        value = function.__globals__.get(name)
        if isinstance(value, _Part):
            yield from _content(value.function)
        elif isinstance(value, (int, float, np.generic)):
            yield f"{name}={value!r}".encode()


def _code_content(code: CodeType) -> Iterator[bytes]:
    yield code.co_code
    yield repr(code.co_names).encode()
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _code_content(constant)
        else:
            yield repr(constant).encode()


@cache
def _compiler() -> tuple[object, ...]:
    """Return what tells one installed numba from another, without loading it."""
    import llvmlite

    spec = find_spec("numba")
    installed = Path(spec.origin).stat().st_mtime_ns if spec and spec.origin else 0
    return sys.version_info[:3], llvmlite.__version__, installed


def _compile(function: FunctionType, kinds: Sequence[Kind]) -> MachineCode:
    from llvmlite import binding

    dispatcher = _numba().njit(no_cpython_wrapper=True, no_cfunc_wrapper=True, **_OPTIONS)(function)
    types = tuple(map(_type, kinds))
    dispatcher.compile(types)
    made = dispatcher.overloads[types]
    module = binding.parse_assembly(dispatcher.inspect_llvm(types))
    if needed := [each.name for each in module.functions if each.is_declaration and not each.name.startswith("llvm.")]:
        raise TypeError(f"{function.__qualname__} calls {', '.join(needed)}: a loop takes no help of libraries")
    return MachineCode(
        made.fndesc.llvm_func_name, _result(made.signature.return_type), target_machine().emit_object(module)
    )


def _type(kind: Kind) -> Any:  # noqa: ANN401
    types = _numba().types
    if isinstance(kind, tuple):
        dtype, dimensions, layout, aligned = kind
        return types.Array(_numba().from_dtype(np.dtype(dtype)), dimensions, layout, aligned=aligned)
    return {"none": types.none, "bool": types.boolean}.get(kind) or getattr(types, kind)


def _result(returned: Any) -> str:  # noqa: ANN401
    types = _numba().types
    if isinstance(returned, types.BaseTuple):
        return "".join(map(_result, returned))
    return {"bool": "?", "float64": "d", "int64": "q", "none": "", "uint64": "Q"}[types.unliteral(returned).name]


@cache
def _numba() -> Any:  # noqa: ANN401
    """Load numba, and what it loads at its first call, but not SciPy's BLAS, which takes as long and no loop uses.

    Numba falls back on a loop of its own where a user's function would need that BLAS before it imports SciPy. Nothing
    is held back where SciPy is loaded, or where another thread might load it meanwhile.
    """
    import numba

    if "scipy.linalg" in sys.modules or threading.active_count() > 1:
        return numba
    sys.modules["scipy.linalg"] = None  # type: ignore[assignment]
    try:
        import numba.np.arraymath
    finally:
        del sys.modules["scipy.linalg"]
    return numba


def _view(context: Any, builder: Any, array: Any, value: Any) -> Any:  # noqa: ANN401
    return context.make_array(array)(context, builder, value)


def _prefetch(_: object, array: Any, row: Any) -> tuple[object, Callable[..., object]]:  # noqa: ANN401
    from llvmlite import ir
    from numba.core import cgutils as untyped
    from numba.core import types

    cgutils: Any = untyped
    byte, word = ir.IntType(8).as_pointer(), ir.IntType(32)
    for_writing, into_every_cache, data = word(1), word(3), word(1)

    def generate(context: Any, builder: Any, _: object, arguments: Any) -> object:  # noqa: ANN401
        view = _view(context, builder, array, arguments[0])
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


def _word_at(_: object, array: Any, index: Any) -> tuple[object, Callable[..., object]]:  # noqa: ANN401
    from llvmlite import ir
    from numba.core import types

    def generate(context: Any, builder: Any, _: object, arguments: Any) -> object:  # noqa: ANN401
        view = _view(context, builder, array, arguments[0])
        place = builder.gep(view.data, [context.cast(builder, arguments[1], index, types.intp)])
        return builder.load(builder.bitcast(place, ir.IntType(64).as_pointer()), align=1)

    return types.uint64(array, index), generate


def _trailing_zeros(_: object, word: Any) -> tuple[object, Callable[..., object]]:  # noqa: ANN401
    from llvmlite import ir
    from numba.core import types

    def generate(_: object, builder: Any, __: object, arguments: Any) -> object:  # noqa: ANN401
        return builder.cttz(arguments[0], ir.IntType(1)(0))

    return types.uint64(word), generate


prefetch = cast("Callable[[np.ndarray, object], None]", _Instruction(cast("FunctionType", _prefetch)))
"""Ask for the memory of ``array[row]`` in a compiled loop, a while before it is used; changes nothing."""

word_at = cast("Callable[[np.ndarray, object], np.uint64]", _Instruction(cast("FunctionType", _word_at)))
"""Read 8 bytes of an array of bytes as one number, from any index on."""

trailing_zeros = cast("Callable[[np.uint64], np.uint64]", _Instruction(cast("FunctionType", _trailing_zeros)))
"""Count the zeros below the lowest bit that is set; 64 where none is."""
