"""Object code of loops, by numba and LLVM: this module is imported where a loop must be compiled.

numba finds the types of each function and writes it in LLVM's language. LLVM then inlines and optimises the loop as a
whole, once. By itself numba would also optimise each part alone and make machine code of it that nobody calls, which
takes as long again (search_loop of 64 parts: 6.2 s, without it 3.7).
"""

# numba declares the types of a few of its functions only, some of them wrongly.
# ruff: noqa: ANN401
# mypy: disable-error-code="no-untyped-call, attr-defined, call-overload, misc, var-annotated, arg-type, call-arg"

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from types import FunctionType
from typing import Any

import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils, codegen
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_lock import global_compiler_lock
from numba.core.registry import cpu_target
from numba.extending import intrinsic

from graphgame.compiled.engine import rarely_collecting
from graphgame.compiled.loop_cache import ObjectCode, globals_of

# Loops allocate nothing, raise nothing and hold no lock; a division by zero gives what the processor says.
_OPTIONS = {
    "nogil": True,
    "error_model": "numpy",
    "forceinline": True,
    "no_cpython_wrapper": True,
    "no_cfunc_wrapper": True,
    "_nrt": False,
}
_PASSES = (
    "TranslateByteCode FixupArgs IRProcessing RewriteSemanticConstants DeadBranchPrune GenericRewrites ReconstructSSA "
    "NopythonTypeInference PreLowerStripPhis IRLegalization AnnotateTypes NativeLowering NoPythonBackend"
)
"""What numba does with a function of a loop. Its other passes, for closures, ``with`` and whole arrays, take a tenth of
the time."""

_SCALARS = {"q": types.int64, "Q": types.uint64, "d": types.float64, "?7x": types.boolean, "8x": types.none}
_forms: dict[Any, Any] = {}


class _Text(codegen.JITCodeLibrary):
    """Functions in LLVM's language, which are optimised and compiled only as parts of a whole loop."""

    def _optimize_functions(self, module: Any) -> None:
        module.data_layout = self._codegen._data_layout

    def finalize(self) -> None:
        self._finalized = True

    def object_code(self) -> bytes:
        """Optimise as numba does, and return the object code of ``loop``, into which all other functions go."""
        module, libraries = self._final_module, [*self._linking_libraries]
        for library in libraries:  # which grow meanwhile by those that they use
            module.link_in(library._final_module, preserve=True)
            libraries += dict.fromkeys(used for used in library._linking_libraries if used not in libraries)
        for function in module.functions:
            if not function.is_declaration and function.name != "loop":
                function.linkage = "internal"
        super()._optimize_functions(module)
        self._optimize_final_module()
        # LLVM removes the call of may_raise from a loop that cannot raise.
        if any(function.name == "may_raise" for function in module.functions):
            raise RuntimeError(f"{self.name} may raise an exception")
        code: bytes = self._codegen._tm.emit_object(module)
        return code


class _Codegen(codegen.JITCPUCodegen):
    _library_class = _Text

    def _customize_tm_options(self, options: dict[str, Any]) -> None:
        super()._customize_tm_options(options)
        options |= {"reloc": "pic", "codemodel": "small", "jit": False}

    def set_env(self, *_: object) -> None:
        """Set nothing: no loop uses Python's objects."""


_codegen = cache(lambda: _Codegen("graphgame"))


class _Pipeline(CompilerBase):
    """What numba does with a function, without the passes that no loop needs."""

    def define_pipelines(self) -> list[Any]:
        manager = DefaultPassBuilder.define_nopython_pipeline(self.state)
        manager.passes = [each for each in manager.passes if each[0].__name__ in _PASSES.split()]
        manager.finalize()
        return [manager]


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


def object_code(function: FunctionType, kinds: Sequence[Any], parts: dict[Any, Any]) -> ObjectCode:
    """Return a loop's object code for this processor; raise a RuntimeError if it could raise an exception."""
    with _as_text():
        loop = _jitted(function, parts)
        loop.compile(tuple(map(_type, kinds)))
        (compiled,) = loop.overloads.values()
        library = _codegen().create_library(function.__qualname__)
        library.add_linking_library(compiled.library)
        entry = library.create_ir_module("entry")
        results = _write_entry(entry, compiled.target_context, compiled.fndesc)
        library.add_ir_module(entry)
        return ObjectCode(results, library.object_code())


def _write_entry(module: Any, context: Any, loop: Any) -> str:
    """Write the function that takes a loop's arguments from memory, calls it, and writes there what it returns.

    Each number and each field of an array takes 8 bytes. Return the letters of the results in struct.
    """
    entry = ir.Function(module, ir.FunctionType(ir.VoidType(), [ir.IntType(8).as_pointer()]), "loop")
    builder = ir.IRBuilder(entry.append_basic_block())

    def address(place: int, kind: Any) -> Any:
        return builder.bitcast(builder.gep(entry.args[0], [ir.IntType(64)(8 * place)]), kind.as_pointer())

    packer = context.get_arg_packer(loop.argtypes)
    words = [builder.load(address(place, kind)) for place, kind in enumerate(packer.argument_types)]
    given = packer.from_arguments(builder, words)
    function = context.declare_function(module, loop)
    status, returned = context.call_conv.call_function(builder, function, loop.restype, loop.argtypes, given)
    with builder.if_then(status.is_error):
        builder.call(ir.Function(module, ir.FunctionType(ir.VoidType(), []), "may_raise"), [])
    kinds, values = [loop.restype], [returned]
    if isinstance(loop.restype, types.BaseTuple):
        kinds, values = [*loop.restype], cgutils.unpack_tuple(builder, returned)
    letters = [*map(_letter, kinds)]
    for place, (letter, kind, value) in enumerate(zip(letters, kinds, values, strict=True)):
        result = context.cast(builder, value, kind, _SCALARS[letter])
        builder.store(result, address(place, result.type))
    builder.ret_void()
    return "".join(letters)


def _letter(kind: Any) -> str:
    if isinstance(kind, types.Integer):
        return "q" if types.unliteral(kind).signed else "Q"
    return "d" if isinstance(kind, types.Float) else "?7x" if isinstance(kind, types.Boolean) else "8x"


def numba_call(function: FunctionType, kinds: Sequence[Any], parts: dict[Any, Any]) -> Any:
    """Return what calls a loop that numba compiles and loads by itself."""
    loop = numba.njit(nogil=True, error_model="numpy")(_copy(function, parts))
    loop.compile(tuple(map(_type, kinds)))
    return lambda _, arguments: loop(*map(_array, arguments))


def _array(argument: Any) -> Any:
    if isinstance(argument, tuple):
        return type(argument)(*map(_array, argument))
    return np.asarray(argument) if type(argument) is memoryview else argument


def _jitted(function: FunctionType, parts: dict[Any, Any]) -> Any:
    return numba.njit(pipeline_class=_Pipeline, **_OPTIONS)(_copy(function, parts))


def _copy(function: FunctionType, parts: dict[Any, Any]) -> FunctionType:
    """Return a function that has numba's form of each part in place of Python's."""
    used = [(name, value) for name, value in globals_of(function) if isinstance(value, FunctionType) and value in parts]
    known = {**function.__globals__, **{name: _part(value, parts) for name, value in used}}
    return FunctionType(function.__code__, known, function.__name__, function.__defaults__, function.__closure__)


def _part(part: FunctionType, parts: dict[Any, Any]) -> Any:
    """Return numba's form of a part, always the same one: numba compiles it once for all loops."""
    if part not in _forms:
        generate, prepare = parts[part]
        if prepare:
            prepare()
        _forms[part] = intrinsic(generate) if generate else _jitted(part, parts)
    return _forms[part]


def _type(kind: Any) -> Any:
    """Return numba's type of an argument."""
    if isinstance(kind, str):
        return _SCALARS[kind]
    if isinstance(kind[0], type):
        return types.BaseTuple.from_types(tuple(map(_type, kind[2:])), kind[0])
    dtype, dimensions, contiguous, aligned = kind
    layout = "C" if contiguous else "A"
    return types.Array(numba.from_dtype(np.dtype(dtype)), dimensions, layout, aligned=aligned)
