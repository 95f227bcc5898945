"""Object code of loops by numba and LLVM, which this module loads: it is imported where a loop must be compiled.

numba finds the types of each function and writes it in LLVM's language. LLVM then inlines and optimises the loop as a
whole, once. By itself numba would also optimise each part alone and make machine code of it that nobody calls, which
takes as long again (search_loop of 64 parts: 6.2 s, without it 3.7).
"""

# numba declares the types of a few of its functions only, some of them wrongly.
# ruff: noqa: ANN001, ANN202, ANN401
# mypy: disable-error-code="no-untyped-call, no-untyped-def, attr-defined, call-overload, misc, var-annotated"
# mypy: disable-error-code="arg-type, call-arg"

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from itertools import count, islice
from types import FunctionType
from typing import Any

import numba
import numpy as np
from llvmlite import binding, ir
from numba import types
from numba.core import cgutils, codegen
from numba.core.compiler_lock import global_compiler_lock
from numba.core.registry import cpu_target
from numba.extending import intrinsic

from graphgame.compiled.engine import rarely_collecting
from graphgame.compiled.loop_cache import ObjectCode, globals_of

Parts = dict[Any, Any]

# Loops allocate nothing, raise nothing and hold no lock; a division by zero gives what the processor says.
_OPTIONS = {
    "nogil": True,
    "error_model": "numpy",
    "forceinline": True,
    "no_cpython_wrapper": True,
    "no_cfunc_wrapper": True,
    "_nrt": False,
}
_SCALARS = {"q": types.int64, "Q": types.uint64, "d": types.float64, "?7x": types.boolean, "": types.none}
_WORD = ir.IntType(64)
_forms: dict[Any, Any] = {}
_OF_PYTHON = ("numba_", "NRT_", "Py", "_Py")


class _Text(codegen.JITCodeLibrary):
    """Functions in LLVM's language that are not compiled to machine code."""

    def _optimize_functions(self, module: Any) -> None:
        module.data_layout = self._codegen._data_layout

    def _optimize_final_module(self) -> None:
        """Leave it to :meth:`optimised`."""

    def _finalize_final_module(self) -> None:
        self._finalized = True

    def optimised(self, name: str) -> Any:
        """Return LLVM's module with one function to call, ``loop``, as numba optimises its own."""
        module = self._final_module
        for function in module.functions:
            if not function.is_declaration:
                function.linkage = "external" if function.name == name else "internal"
        module.get_function(name).name = "loop"
        super()._optimize_functions(module)
        super()._optimize_final_module()
        return module


class _Codegen(codegen.JITCPUCodegen):
    _library_class = _Text

    def set_env(self, *_: object) -> None:
        """Set nothing: no loop uses Python's objects."""


@contextmanager
def _as_text() -> Iterator[None]:
    """Let numba write functions in LLVM's language alone."""
    context = cpu_target.target_context
    with global_compiler_lock, rarely_collecting():
        before, context._internal_codegen = context._internal_codegen, _codegen()
        try:
            yield
        finally:
            context._internal_codegen = before


@cache
def _codegen() -> _Codegen:
    return _Codegen("graphgame")


def object_code(function: FunctionType, kinds: Sequence[Any], parts: Parts) -> ObjectCode:
    """Return a loop's object code for this processor; raise a RuntimeError if it could raise an exception."""
    results: list[str] = []
    with _as_text():
        native = numba.cfunc("void(voidptr)", **_OPTIONS)(_entry(_jitted(function, parts), kinds, results))
        module = native._library.optimised(native.native_name)
        # numba reports an exception by Python's functions. Where there is none, LLVM has removed the calls.
        if reports := [item.name for item in module.functions if item.name.startswith(_OF_PYTHON)]:
            raise RuntimeError(f"{function.__qualname__} may raise: it calls {', '.join(reports)}")
        return ObjectCode("".join(results), (_machine().emit_object(module),))


@cache
def _machine() -> Any:
    return binding.Target.from_triple(binding.get_process_triple()).create_target_machine(
        cpu=binding.get_host_cpu_name(),
        features=binding.get_host_cpu_features().flatten(),
        opt=3,
        reloc="pic",
        codemodel="small",
    )


def numba_call(function: FunctionType, kinds: Sequence[Any], parts: Parts) -> Any:
    """Return what calls a loop that numba compiles and loads by itself."""
    loop = numba.njit(nogil=True, error_model="numpy")(_copy(function, parts))
    loop.compile(tuple(map(_type, kinds)))
    return lambda _, arguments: loop(*map(_array, arguments))


def _array(argument: Any) -> Any:
    if isinstance(argument, tuple):
        return type(argument)(*map(_array, argument))
    return np.asarray(argument) if type(argument) is memoryview else argument


def _jitted(function: FunctionType, parts: Parts) -> Any:
    return numba.njit(**_OPTIONS)(_copy(function, parts))


def _copy(function: FunctionType, parts: Parts) -> FunctionType:
    """Return a function that has numba's form of each part in place of Python's."""
    used = [(name, value) for name, value in globals_of(function) if isinstance(value, FunctionType) and value in parts]
    known = {**function.__globals__, **{name: _part(value, parts) for name, value in used}}
    return FunctionType(function.__code__, known, function.__name__, function.__defaults__, function.__closure__)


def _part(part: FunctionType, parts: Parts) -> Any:
    """Return numba's form of a part, always the same one: numba compiles it once for all loops."""
    if part not in _forms:
        generate, prepare = parts[part]
        if prepare:
            prepare()
        _forms[part] = intrinsic(generate) if generate else _jitted(part, parts)
    return _forms[part]


def _entry(loop: Any, kinds: Sequence[Any], results: list[str]) -> Any:
    """Return a function that takes the arguments of a loop from memory, calls it, and writes there what it returns.

    Both are words of 64 bits each; ``results`` gets their letters.
    """
    given = types.BaseTuple.from_types(tuple(map(_type, kinds)))

    @intrinsic
    def take(_, room):
        def generate(context: Any, builder: Any, _: Any, arguments: Any) -> Any:
            return _unpacked(context, builder, given, map(builder.load, _words(builder, arguments[0])))

        return given(room), generate

    @intrinsic
    def put(_, room, returned):
        results[:] = _letters(returned)

        def generate(context: Any, builder: Any, _: Any, arguments: Any) -> Any:
            values = _packed(context, builder, returned, arguments[1])
            for value, word in zip(values, _words(builder, arguments[0]), strict=False):
                builder.store(value, word)
            return context.get_dummy_value()

        return types.void(room, returned), generate

    def entry(room):
        put(room, loop(*take(room)))

    return entry


def _type(kind: Any) -> Any:
    """Return numba's type of an argument."""
    if isinstance(kind, str):
        return _SCALARS[kind]
    if isinstance(kind[0], type):
        return types.BaseTuple.from_types(tuple(map(_type, kind[2:])), kind[0])
    dtype, dimensions, contiguous, aligned = kind
    layout = "C" if contiguous else "A"
    return types.Array(numba.from_dtype(np.dtype(dtype)), dimensions, layout, aligned=aligned)


def _letters(kind: Any) -> Iterator[str]:
    """Yield the letters of the words that a number, or several, is written as."""
    if isinstance(kind, types.BaseTuple):
        for item in kind:
            yield from _letters(item)
    elif isinstance(kind, types.Boolean):
        yield "?7x"
    elif kind is not types.none:
        yield "d" if isinstance(kind, types.Float) else "q" if types.unliteral(kind).signed else "Q"


def _words(builder: Any, room: Any) -> Iterator[Any]:
    """Yield the addresses of words one after another."""
    first = builder.bitcast(room, _WORD.as_pointer())
    return (builder.gep(first, [_WORD(place)]) for place in count())


def _unpacked(context: Any, builder: Any, kind: Any, words: Iterator[Any]) -> Any:
    """Return a value, for LLVM's builder, from the words that the call of a loop writes for it."""
    if isinstance(kind, types.BaseTuple):
        return context.make_tuple(builder, kind, [_unpacked(context, builder, item, words) for item in kind])
    if isinstance(kind, types.Array):
        # It is numba's carray for arrays of any layout, and without the counts of references that carray needs.
        view = context.make_array(kind)(context, builder)
        view.data = builder.inttoptr(next(words), view.data.type)
        size = view.itemsize = _WORD(context.get_abi_sizeof(context.get_data_type(kind.dtype)))
        shape, strides, view.nitems = [*islice(words, kind.ndim)], [], _WORD(1)
        for length in reversed(shape):
            strides.insert(0, builder.mul(view.nitems, size))
            view.nitems = builder.mul(view.nitems, length)
        if kind.layout == "A":
            strides = [*islice(words, kind.ndim)]
        view.shape, view.strides = (cgutils.pack_array(builder, sizes, _WORD) for sizes in (shape, strides))
        return view._getvalue()
    if kind is types.none:
        return context.get_dummy_value()
    word = next(words)
    if kind is types.boolean:
        return builder.trunc(word, ir.IntType(1))
    return builder.bitcast(word, ir.DoubleType()) if kind is types.float64 else word


def _packed(context: Any, builder: Any, kind: Any, value: Any) -> Iterator[Any]:
    """Yield the words that a number, or several, is written as."""
    if isinstance(kind, types.BaseTuple):
        for item, part in zip(kind, cgutils.unpack_tuple(builder, value), strict=True):
            yield from _packed(context, builder, item, part)
    elif isinstance(kind, types.Float):
        yield builder.bitcast(context.cast(builder, value, kind, types.float64), _WORD)
    elif kind is not types.none:
        yield context.cast(builder, value, kind, types.int64)
