"""Make the object code of loops with numba and LLVM. Imported only to compile a loop, or to see whether numba loads.

numba infers the types of each function and translates it to LLVM's language. LLVM then inlines the functions that a
loop uses, and optimises the result once. numba alone would also optimise each of these functions and make machine code
of it that nobody calls, which takes two thirds longer (6.2 s in place of 3.7 s for search_loop, with 64 functions).
"""

# numba has type annotations for only a few of its functions, and some of them are wrong.
# ruff: noqa: ANN401
# mypy: disable-error-code="no-untyped-call, attr-defined, call-overload, misc, var-annotated, arg-type, call-arg"

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from types import FunctionType
from typing import Any

import numba
import numpy as np
from llvmlite import binding, ir
from numba import types
from numba.core import cgutils, codegen
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_lock import global_compiler_lock
from numba.core.registry import cpu_target
from numba.extending import intrinsic

from graphgame.compiled.engine import rarely_collecting
from graphgame.compiled.loop_cache import globals_of, is_part

# Loops allocate nothing, raise nothing and run without the interpreter's lock. x // 0 is 0, or inf or nan for floats.
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
"""The numba passes that run. Without those for closures, ``with`` and whole arrays, compiling takes 10 % less time."""

_SCALARS = {"q": types.int64, "Q": types.uint64, "d": types.float64, "?7x": types.boolean, "8x": types.none}
"""The :mod:`struct` format of a number in the block of memory -> numba's type for it."""


class _Text(codegen.JITCodeLibrary):
    """A numba library that keeps functions in LLVM's language until the loop that uses them is compiled as a whole."""

    def _optimize_functions(self, module: Any) -> None:
        module.data_layout = self._codegen._data_layout

    def finalize(self) -> None:
        self._finalized = True

    def object_code(self) -> bytes:
        """Return the object code of ``loop``, optimised as numba does; all functions that it uses become part of it."""
        module, libraries = self._final_module, [*self._linking_libraries]
        for library in libraries:  # this also visits the libraries that are appended below
            module.link_in(library._final_module, preserve=True)
            libraries += dict.fromkeys(each for each in library._linking_libraries if each not in libraries)
        for function in module.functions:
            if not function.is_declaration and function.name != "loop":
                function.linkage = "internal"
        super()._optimize_functions(module)
        self._optimize_final_module()
        # _write_entry calls may_raise if the loop reports an error. LLVM removes this call if it proves that there is
        # never an error. So if the call is still there, the loop may raise an exception.
        if any(function.name == "may_raise" for function in module.functions):
            raise RuntimeError(f"{self.name} may raise an exception")
        return bytes(_machine().emit_object(module))


@cache
def _codegen() -> Any:
    made = codegen.JITCPUCodegen("graphgame")
    made._library_class = _Text
    made.set_env = lambda *_: None  # type: ignore[method-assign]  # no loop uses Python's objects
    return made


class _Pipeline(CompilerBase):
    """numba's compiler with the passes in ``_PASSES`` only."""

    def define_pipelines(self) -> list[Any]:
        manager = DefaultPassBuilder.define_nopython_pipeline(self.state)
        manager.passes = [each for each in manager.passes if each[0].__name__ in _PASSES.split()]
        manager.finalize()
        return [manager]


def object_code(function: FunctionType, kinds: Sequence[Any]) -> bytes:
    """Compile a loop to object code with two symbols: ``loop``, a C function, and ``results``, a text.

    The C function runs the loop on arguments of the types ``kinds``. The text is the :mod:`struct` format of the
    numbers that the loop returns. Raise a RuntimeError if the loop could raise an exception.
    """
    context = cpu_target.target_context
    with global_compiler_lock, rarely_collecting():
        before, context._internal_codegen = context._internal_codegen, _codegen()
        try:
            loop = _jitted(function)
            loop.compile(tuple(map(_type, kinds)))
            (compiled,) = loop.overloads.values()
            library = _codegen().create_library(function.__qualname__)
            library.add_linking_library(compiled.library)
            entry = library.create_ir_module("entry")
            _write_entry(entry, compiled.target_context, compiled.fndesc)
            library.add_ir_module(entry)
            return bytes(library.object_code())
        finally:
            context._internal_codegen = before


def _write_entry(module: Any, context: Any, loop: Any) -> None:
    """Write the C function ``loop``: it reads the arguments from a block of memory and writes the results into it.

    The block is the function's only argument, so callers need not know numba's calling convention. In the block, each
    number and each field of an array takes 8 bytes.
    """
    entry = ir.Function(module, ir.FunctionType(ir.VoidType(), [ir.IntType(8).as_pointer()]), "loop")
    builder = ir.IRBuilder(entry.append_basic_block())

    def address(index: int, kind: Any) -> Any:
        return builder.bitcast(builder.gep(entry.args[0], [ir.IntType(64)(8 * index)]), kind.as_pointer())

    packer = context.get_arg_packer(loop.argtypes)
    words = [builder.load(address(index, kind)) for index, kind in enumerate(packer.argument_types)]
    arguments = packer.from_arguments(builder, words)
    function = context.declare_function(module, loop)
    status, returned = context.call_conv.call_function(builder, function, loop.restype, loop.argtypes, arguments)
    with builder.if_then(status.is_error):
        builder.call(ir.Function(module, ir.FunctionType(ir.VoidType(), []), "may_raise"), [])
    kinds, values = [loop.restype], [returned]
    if isinstance(loop.restype, types.BaseTuple):
        kinds, values = [*loop.restype], cgutils.unpack_tuple(builder, returned)
    letters = [*map(_letter, kinds)]
    for index, (letter, kind, value) in enumerate(zip(letters, kinds, values, strict=True)):
        result = context.cast(builder, value, kind, _SCALARS[letter])
        builder.store(result, address(index, result.type))
    builder.ret_void()
    text = cgutils.make_bytearray(f"{''.join(letters)}\0".encode())
    cgutils.global_constant(module, "results", text).linkage = ""


def _letter(kind: Any) -> str:
    if isinstance(kind, types.Integer):
        return "q" if types.unliteral(kind).signed else "Q"
    return "d" if isinstance(kind, types.Float) else "?7x" if isinstance(kind, types.Boolean) else "8x"


@cache
def _machine() -> Any:
    machine = binding.Target.from_default_triple().create_target_machine
    features = binding.get_host_cpu_features().flatten()
    return machine(binding.get_host_cpu_name(), features, opt=3, reloc="pic", codemodel="small")


def numba_call(function: FunctionType, kinds: Sequence[Any]) -> Any:
    """Compile a loop as numba usually does, without our cache; return a function that calls it."""
    loop = numba.njit(nogil=True, error_model="numpy")(_copy(function))
    loop.compile(tuple(map(_type, kinds)))
    return lambda _, arguments: loop(*map(_array, arguments))


def _array(argument: Any) -> Any:
    if isinstance(argument, tuple):
        return type(argument)(*map(_array, argument))
    return np.asarray(argument) if type(argument) is memoryview else argument


def _jitted(function: FunctionType) -> Any:
    loop = numba.njit(pipeline_class=_Pipeline, **_OPTIONS)(_copy(function))
    template = loop.get_call_template
    # numba would compile a function again for each constant argument (73 functions for sprouts(6) in place of
    # 50). LLVM propagates the constants.
    loop.get_call_template = lambda kinds, named: template([*map(types.unliteral, kinds)], named)
    return loop


def _copy(function: FunctionType) -> FunctionType:
    """Return a copy of a function in which the name of each f with ``is_part(f)`` stands for ``_part(f)``."""
    namespace = function.__globals__ | {name: _part(value) for name, value in globals_of(function) if is_part(value)}
    return FunctionType(function.__code__, namespace, function.__name__, function.__defaults__, function.__closure__)


@cache
def _part(part: Any) -> Any:
    """Return a numba function or intrinsic for a function that loops use; always the same, so that it compiles once."""
    return intrinsic(part.generate) if part.generate else _jitted(part)


def _type(kind: Any) -> Any:
    """Return numba's type for the type of an argument, given as ``compiling.Kind``."""
    if isinstance(kind, str):
        return _SCALARS[kind]
    if isinstance(kind[0], type):
        return types.BaseTuple.from_types(tuple(map(_type, kind[2:])), kind[0])
    dtype, dimensions, contiguous, aligned = kind
    return types.Array(numba.from_dtype(np.dtype(dtype)), dimensions, "C" if contiguous else "A", aligned=aligned)
